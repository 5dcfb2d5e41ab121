"""Where a game stands, and how it came there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.head import Head
from adjudicator.core.ids import Seat
from adjudicator.core.order import Cause
from adjudicator.core.ruleset import Decision, Standing, Unit
from adjudicator.outputs.orders import LogRow, OrderProblem


@frozen(kw_only=True)
class ShownPosition:
    """Where a game stands, as the ``viewer`` (``None``: anybody) may see it.

    ``ruleset`` is the id of the rules, ``name`` what they are called; ``turn`` is the number to write above
    orders. ``head`` proves the journal, as far as the viewer is told of it. ``words`` are those that players added to the
    chance of the game, by seat, ``promise`` fixed the rest before they were known (``None``: it was not published),
    ``without`` whose word it began. ``pending`` counts the orders that wait, by seat. ``view`` is the position itself,
    in the terms of the game: its ``state`` has the fields of the game file, without those that the viewer may not see.
    """

    game: str
    ruleset: str
    name: str
    turn: int
    components: str
    unit: Unit
    viewer: Seat | None
    commitment: str | None
    head: Head | None
    promise: str | None
    words: Mapping[Seat, str]
    without: tuple[Seat, ...]
    over: bool
    due: tuple[Decision, ...]
    standings: tuple[Standing, ...]
    pending: Mapping[Seat, int]
    warnings: tuple[str, ...]
    view: Any


@frozen(kw_only=True)
class WaitingSheet:
    """The ``orders`` of ``seat`` that wait since adjudication ``turn``, in canonical words and in their order."""

    seat: Seat
    turn: int
    orders: tuple[str, ...]


@frozen(kw_only=True)
class SheetSetAside:
    """The ``orders`` of ``seat`` that waited since adjudication ``turn`` and wait no longer, though nobody carried them out.

    ``n`` is their number in the record, from 1. ``until`` is the number of the adjudication in which they were set aside,
    ``cause`` why, and ``reason`` the moderator's words, empty where it was not the moderator.
    """

    n: int
    seat: Seat
    turn: int
    orders: tuple[str, ...]
    until: int
    cause: Cause
    reason: str


@frozen(kw_only=True)
class WaitingOrders:
    """The orders that wait in a game, and those that were set aside, as the ``viewer`` may know them."""

    game: str
    turn: int
    viewer: Seat | None
    waiting: tuple[WaitingSheet, ...]
    set_aside: tuple[SheetSetAside, ...]
    head: Head | None = added_later(None)


@frozen(kw_only=True)
class ReplayedMove(LogRow):
    """A line of the log, that of the entry's own seat; ``also`` has those of other seats whose clocks it moved.

    ``position`` is where the game stood after it, for those who have asked for boards.
    """

    also: tuple[LogRow, ...] = added_later(())
    position: ShownPosition | None = added_later(None)


@frozen(kw_only=True)
class WrittenReplay:
    """A replay page that was written: the ``file`` it is in, and how many ``entries`` of the ``game`` it shows.

    ``viewer`` is who may read it (``None``: anybody).
    """

    file: str
    game: str
    viewer: Seat | None
    entries: int


@frozen(kw_only=True)
class ScriptProblems:
    """What is wrong with a script, and which ``disagreements`` there are with what was written down, in words."""

    problems: tuple[OrderProblem, ...]
    disagreements: tuple[str, ...]


@frozen(kw_only=True)
class ImportedScript:
    """A script that was made a game: the ``file`` it is in, and how many ``orders`` in how many ``turns`` it has."""

    file: str
    game: str
    orders: int
    turns: int
    disagreements: tuple[str, ...]


@frozen(kw_only=True)
class ExportedScript:
    """A game that was written as a script: the ``file`` it is in, with how many ``turns``, and the files ``beside`` it.

    It is ``exact`` if the game comes back from it with its secret; else what was drawn stands behind each order.
    """

    file: str
    game: str
    turns: int
    exact: bool
    beside: tuple[str, ...]
