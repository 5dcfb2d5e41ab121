# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Play whole games with seeded players: for archives, statistics, and stress tests of the rules.

``bots.py`` has the players, which ask a game's file ``bot`` for advice; ``plan.py`` and ``play.py`` plan and play games,
``statistics.py`` counts them and draws the counts, ``fork.py`` plays on from a position of another game.
"""

from adjudicator.simulate.bots import choose_order
from adjudicator.simulate.plan import Plan, simulation_plan
from adjudicator.simulate.play import simulate_games, tally_games
from adjudicator.simulate.statistics import CannotPlotError, GameTally, draw_plot, require_plot, statistics
