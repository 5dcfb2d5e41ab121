"""Play whole games with seeded players: for archives, statistics, and stress tests of the rules.

``players.py`` has the players, which ask a game's file ``bot`` for advice (``planner.py`` plans); ``plan.py``,
``play.py``, ``run.py`` and ``tally.py`` plan, play and count games, and ``plot.py`` draws the counts.
"""
