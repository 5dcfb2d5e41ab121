"""Define the output about positions, pending orders and replays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from adjudicator.core.chance import Head
from adjudicator.core.order import Cause
from adjudicator.core.ruleset import Standing, Unit
from adjudicator.core.values import Seat, Value
from adjudicator.outputs.orders import Decision, LogRow, OrderProblem


class ShownPosition(Value, kw_only=True):
    """The position of a game, as the ``viewer`` (``None``: the public) may see it.

    ``ruleset`` is the id of the rules, ``name`` their name; ``turn`` is the number to write above orders. ``head`` proves
    the journal, as far as the viewer may see it. ``words`` are the words of players for chance by seat, ``promise`` fixed
    the rest before they were known (``None``: it was not published), ``without`` are the seats without a word. ``pending``
    counts the pending orders by seat. ``view`` is the position itself, in the terms of the game: its ``state`` has the
    fields of the game file, without those that the viewer may not see.
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


class WaitingSheet(Value, kw_only=True):
    """The pending ``orders`` of ``seat`` since adjudication ``turn``, in canonical words and in their order."""

    seat: Seat
    turn: int
    orders: tuple[str, ...]


class SheetSetAside(Value, kw_only=True):
    """The ``orders`` of ``seat`` that were pending since adjudication ``turn`` and were set aside without effect.

    ``n`` is their number in the record, from 1. ``until`` is the number of the adjudication in which they were set aside,
    ``cause`` says why, and ``reason`` is the moderator's reason (empty: it was not the moderator).
    """

    n: int
    seat: Seat
    turn: int
    orders: tuple[str, ...]
    until: int
    cause: Cause
    reason: str


class WaitingOrders(Value, kw_only=True, omit_defaults=True):
    """The pending orders of a game, and those that were set aside, as the ``viewer`` may see them."""

    game: str
    turn: int
    viewer: Seat | None
    waiting: tuple[WaitingSheet, ...]
    set_aside: tuple[SheetSetAside, ...]
    head: Head | None = None


class ReplayedMove(LogRow, kw_only=True, omit_defaults=True):
    """A line of the log for the entry's own seat; ``also`` has those of other seats whose clocks it moved.

    ``position`` is the position after it, if boards were asked for.
    """

    also: tuple[LogRow, ...] = ()
    position: ShownPosition | None = None


class WrittenReplay(Value, kw_only=True):
    """A replay page that was written: its ``file``, and the number of ``entries`` of the ``game`` that it shows.

    ``viewer`` is the player who may read it (``None``: the public).
    """

    file: str
    game: str
    viewer: Seat | None
    entries: int


class ScriptProblems(Value, kw_only=True):
    """The problems of a script, and its ``disagreements``: a sentence for each difference from the recorded results."""

    problems: tuple[OrderProblem, ...]
    disagreements: tuple[str, ...]


class ImportedScript(Value, kw_only=True):
    """A script that became a game: its ``file``, and the number of its ``orders`` and ``turns``."""

    file: str
    game: str
    orders: int
    turns: int
    disagreements: tuple[str, ...]


class ExportedScript(Value, kw_only=True):
    """A game that was written as a script: its ``file``, the number of ``turns``, and the files ``beside`` it.

    It is ``exact`` if the script restores the game with its secret; else each order is followed by its random outcomes.
    """

    file: str
    game: str
    turns: int
    exact: bool
    beside: tuple[str, ...]
