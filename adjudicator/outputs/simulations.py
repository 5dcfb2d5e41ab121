"""Statistics of simulated games."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.frozen import frozen


@frozen(kw_only=True)
class SimulationPlan:
    """What was played: how many ``games`` of how many ``players`` with which ``options``, and by whom (``player``)."""

    ruleset: str
    games: int
    players: int
    seed: int
    player: str
    options: Mapping[str, str]
    most_orders: int


@frozen(kw_only=True)
class NumberSpread:
    """The least, middle (the lower one of two), mean (text with one decimal) and greatest of some whole numbers."""

    least: int
    median: int
    mean: str
    most: int


@frozen
class WinShare:
    """How often those with this ``value`` won: ``won`` of ``played``. Seats that share the first place have won both."""

    value: str
    won: int
    played: int


@frozen
class EventCount:
    """How often an event happened, ``count`` times in ``games`` games."""

    count: int
    games: int


@frozen(kw_only=True)
class GameStatistics:
    """Statistics of games, of which ``unfinished`` did not come to their end and count for length only.

    ``orders`` are those of a game, ``winning`` and ``scores`` the results of the winner and of every seat. ``wins`` has
    shares by seat, by order of play and by each trait; ``results`` counts final notes, ``winners`` those of winners.
    """

    games: int
    unfinished: int
    orders: NumberSpread
    winning: NumberSpread | None
    scores: NumberSpread | None
    wins: Mapping[str, tuple[WinShare, ...]]
    results: Mapping[str, int]
    winners: Mapping[str, int]
    events: Mapping[str, EventCount]


@frozen(kw_only=True)
class Simulation(GameStatistics):
    """Statistics of simulated games, how they were played, and how many of them were ``audited``."""

    plan: SimulationPlan
    audited: int
