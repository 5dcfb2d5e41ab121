"""Define the statistics of simulated games."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.values import Value


class SimulationPlan(Value, kw_only=True):
    """The plan of a simulation: the number of ``games`` and ``players``, the ``options``, and the kind of ``player``."""

    ruleset: str
    games: int
    players: int
    seed: int
    player: str
    options: Mapping[str, str]
    most_orders: int


class NumberSpread(Value, kw_only=True):
    """The least, the median (the lower of two), the mean (text with one decimal) and the greatest of some numbers."""

    least: int
    median: int
    mean: str
    most: int


class WinShare(Value):
    """How often seats with this ``value`` won: ``won`` of ``played``. Seats that share the first place have both won."""

    value: str
    won: int
    played: int


class EventCount(Value):
    """The number of events of one kind: ``count`` in ``games`` games."""

    count: int
    games: int


class GameStatistics(Value, kw_only=True):
    """Statistics of games; the ``unfinished`` ones count only for length.

    ``orders`` is the number of orders in a game, ``winning`` and ``scores`` are the results of the winner and of every seat.
    ``wins`` has shares by seat, by order of play and by each trait; ``results`` counts final notes, ``winners`` those of
    winners.
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


class Simulation(GameStatistics, kw_only=True):
    """Statistics of simulated games, with their plan, and the number of ``audited`` games."""

    plan: SimulationPlan
    audited: int
