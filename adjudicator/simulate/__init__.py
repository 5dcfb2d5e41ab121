# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Play whole games with seeded players: for archives, statistics, and stress tests of the rules.

``bots.py`` has the players, which ask a game's file ``bot`` for advice; ``play.py`` plans and plays games,
or goes on from a position of another one, ``statistics.py`` counts them and draws the counts.
"""

from adjudicator.simulate.bots import choose_order
from adjudicator.simulate.play import Plan, simulate_games, simulation_plan, tally_games
from adjudicator.simulate.statistics import CannotPlotError, GameTally, draw_plot, require_plot, statistics
