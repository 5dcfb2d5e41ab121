# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Play whole games with seeded players: for archives, statistics, and stress tests of the rules.

``players.py`` has the players, which ask a game's file ``bot`` for advice (``planner.py`` plans); ``plan.py``,
``play.py``, ``run.py`` and ``tally.py`` plan, play and count games, and ``plot.py`` draws the counts.
"""

from adjudicator.reports.statistics import GameTally, Plan, statistics
from adjudicator.simulate.plan import simulation_plan
from adjudicator.simulate.play import simulate_games
from adjudicator.simulate.players import choose_order
from adjudicator.simulate.plot import CannotPlotError, draw_plot, require_plot
from adjudicator.simulate.run import tally_games
