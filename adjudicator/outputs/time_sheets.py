"""Time sheets kept by hand: as they are handed in as JSON, and as they are scored."""

from __future__ import annotations

from typing import Annotated, Literal

from adjudicator.core.bounds import Ge, Le, Len
from adjudicator.core.frozen import frozen
from adjudicator.outputs.orders import OrderProblem

Seconds = Annotated[int, Ge(0), Le(10_000_000)]
Timing = Literal["road", "selective", "stage", "regularity"]


@frozen(kw_only=True)
class SheetStep:
    """What was noted with the speed of a ``turn`` (from 1, in its row).

    ``via`` are places and hidden tracks that it led over, in their order, ``using`` is a hazard card that was used;
    ``is_round``: the turn was missed by turning round. ``squares`` is how far the car came, if its speed does not tell.
    """

    turn: Annotated[int, Ge(1), Le(200)]
    via: Annotated[tuple[Annotated[str, Len(1, 32)], ...], Len(0, 20)] = ()
    using: Annotated[str, Len(1, 8)] | None = None
    is_round: bool = False
    squares: Annotated[int, Ge(-99), Le(99)] | None = None


@frozen(kw_only=True)
class SheetRow:
    """A row of a time sheet: the ``speeds`` to a ``control``, which is ``distance`` squares from the time control before.

    ``timing`` is needed where the name of a time control does not tell it, ``speed`` (mph) for a regularity. ``target``,
    ``taken`` and ``penalty`` are what was written, in seconds, ``steps`` what was noted with single speeds.
    """

    control: Annotated[str, Len(3, 6)]
    distance: Annotated[int, Ge(1), Le(9999)]
    speeds: Annotated[tuple[Annotated[int, Ge(0), Le(999)], ...], Len(0, 200)]
    timing: Timing | None = None
    speed: Annotated[int, Ge(20), Le(30)] | None = None
    target: Seconds | None = None
    taken: Seconds | None = None
    penalty: Seconds | None = None
    steps: Annotated[tuple[SheetStep, ...], Len(0, 200)] = ()


@frozen(kw_only=True)
class NotedFault:
    """A fault of 30 marks that was noted, in ``words``, on the way to ``control`` (empty: it does not say where)."""

    words: Annotated[str, Len(0, 64)]
    control: Annotated[str, Len(0, 6)] = ""


@frozen(kw_only=True)
class SheetKit:
    """What a crew may do beyond the standard: start so fast, change the speed by so much (mph)."""

    start: Annotated[int, Ge(10), Le(200)] = 10
    faster: Annotated[int, Ge(10), Le(200)] = 10
    slower: Annotated[int, Ge(10), Le(200)] = 10


@frozen(kw_only=True)
class TimeSheet:
    """The time sheet of a ``crew``, in an ``entry_class`` (empty: none), with the ``faults`` that were noted.

    ``other`` is what was written as their sum, ``total`` as the total, in seconds. ``kit`` is there where it is known, or
    its ``cards`` by their ids, one of each kind; ``out`` says why the crew is out, if it is.
    """

    rows: Annotated[tuple[SheetRow, ...], Len(1, 200)]
    crew: Annotated[str, Len(0, 64)] = ""
    entry_class: Annotated[str, Len(0, 64)] = ""
    faults: Annotated[tuple[NotedFault, ...], Len(0, 200)] = ()
    other: Seconds | None = None
    total: Seconds | None = None
    kit: SheetKit | None = None
    cards: Annotated[tuple[Annotated[str, Len(1, 8)], ...], Len(0, 6)] = ()
    out: Annotated[str, Len(0, 64)] = ""


@frozen(kw_only=True)
class TimeSheets:
    """A file of time sheets, of the rally called ``rally``."""

    sheets: Annotated[tuple[TimeSheet, ...], Len(1, 5000)]
    rally: Annotated[str, Len(0, 64)] = ""


@frozen(kw_only=True)
class ScoredSection:
    """A section as it is scored, in seconds: its ``target`` and ``time``, the ``penalty`` for the time and that for faults.

    ``total`` is the penalty of the rally after it.
    """

    control: str
    timing: Timing
    distance: int
    target: int
    time: int
    penalty: int
    fault_penalty: int
    total: int


@frozen(kw_only=True)
class SheetFinding:
    """An entry that does not follow from the speeds, in the row of ``control``, by a ``rule``, in words (``message``).

    ``verdict``: ``false`` nothing could explain, ``card`` needs a card, ``note`` a note of what happened. In a text it
    stands in ``line`` at ``column``, both from 1, so many characters wide (``width``); ``text`` is that line.
    ``suggestions`` are what might stand there.
    """

    control: str
    verdict: Literal["false", "card", "note"]
    message: str
    rule: str
    line: int | None = None
    column: int | None = None
    width: int | None = None
    text: str = ""
    suggestions: tuple[str, ...] = ()


@frozen(kw_only=True)
class SheetIncident:
    """What a car met on the map in ``turn`` (from 1) of the section to ``control``, in words (``message``), by ``rule``."""

    control: str
    turn: int
    message: str
    rule: str


@frozen(kw_only=True)
class ScoredSheet:
    """A sheet of the text ``source`` as it is scored; ``fault_penalty`` and ``total`` are in seconds.

    ``driven`` says whether that was done on a map; then ``incidents`` tells what was met there.
    ``place`` is that over all, ``class_place`` that in its class; both are null for a crew that is out or has not finished.
    """

    source: str
    crew: str
    entry_class: str
    place: int | None
    class_place: int | None
    out: str
    finished: bool
    sections: tuple[ScoredSection, ...]
    fault_penalty: int
    total: int
    findings: tuple[SheetFinding, ...]
    driven: bool = False
    incidents: tuple[SheetIncident, ...] = ()


@frozen(kw_only=True)
class ScoredSheets:
    """Time sheets scored, in the order of the classification, and the ``problems`` of lines that cannot be read.

    A text in which anything cannot be read is in none of the ``sheets``.
    """

    rally: str
    sheets: tuple[ScoredSheet, ...]
    problems: tuple[OrderProblem, ...]
