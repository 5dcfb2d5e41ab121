# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Play whole games with seeded players: for archives, statistics, and stress tests of the rules.

``players.py`` has the players, which ask a game's file ``bot`` for advice (``planner.py`` plans); ``plan.py``,
``play.py`` and ``run.py`` plan and play games, ``statistics.py`` counts them, and ``plot.py`` draws the counts.
"""

from adjudicator.simulate.plan import Plan, simulation_plan
from adjudicator.simulate.play import simulate_games
from adjudicator.simulate.players import choose_order
from adjudicator.simulate.plot import CannotPlotError, draw_plot, require_plot
from adjudicator.simulate.run import tally_games
from adjudicator.simulate.statistics import GameTally, statistics
