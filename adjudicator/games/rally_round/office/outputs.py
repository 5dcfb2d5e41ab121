"""Define what the commands of the office read and print as JSON: routes on a map, and time sheets kept by hand."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from adjudicator.core.values import Meta, Value
from adjudicator.results import OrderProblem

Seconds = Annotated[int, Meta(ge=0, le=10_000_000)]
Timing = Literal["road", "selective", "stage", "regularity"]
Verdict = Literal["false", "card", "note"]


class SheetStep(Value, kw_only=True):
    """The notes on the speed of a ``turn`` (from 1, in its row).

    ``via`` are the places and hidden tracks on its way, in their order, ``using`` is the hazard card that was used;
    ``is_round``: the car turned round and missed the turn. ``squares`` is the distance of the car, if its speed does not
    tell.
    """

    turn: Annotated[int, Meta(ge=1, le=200)]
    via: Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=32)], ...], Meta(max_length=20)] = ()
    using: Annotated[str, Meta(min_length=1, max_length=8)] | None = None
    is_round: bool = False
    squares: Annotated[int, Meta(ge=-99, le=99)] | None = None


class SheetRow(Value, kw_only=True):
    """A row of a time sheet: the ``speeds`` to a ``control``, ``distance`` squares after the previous time control.

    ``timing`` is needed if the name of a time control does not tell it, ``speed`` (mph) for a regularity. ``target``,
    ``taken`` and ``penalty`` are the written times in seconds, ``steps`` the notes on single speeds.
    """

    control: Annotated[str, Meta(min_length=3, max_length=6)]
    distance: Annotated[int, Meta(ge=1, le=9999)]
    speeds: Annotated[tuple[Annotated[int, Meta(ge=0, le=999)], ...], Meta(max_length=200)]
    timing: Timing | None = None
    speed: Annotated[int, Meta(ge=20, le=30)] | None = None
    target: Seconds | None = None
    taken: Seconds | None = None
    penalty: Seconds | None = None
    steps: Annotated[tuple[SheetStep, ...], Meta(max_length=200)] = ()


class NotedFault(Value, kw_only=True):
    """A noted fault of 30 marks, as text (``words``), on the way to ``control`` (empty: not noted)."""

    words: Annotated[str, Meta(max_length=64)]
    control: Annotated[str, Meta(max_length=6)] = ""


class SheetKit(Value, kw_only=True):
    """The abilities of a crew beyond the standard: its speed at the start, its changes of speed (mph)."""

    start: Annotated[int, Meta(ge=10, le=200)] = 10
    faster: Annotated[int, Meta(ge=10, le=200)] = 10
    slower: Annotated[int, Meta(ge=10, le=200)] = 10


class TimeSheet(Value, kw_only=True):
    """The time sheet of a ``crew``, in an ``entry_class`` (empty: none), with the noted ``faults``.

    ``other`` is their written sum, ``total`` the written total, in seconds. ``kit`` or its ``cards`` (the ids, one of each
    kind) are present if they are known; ``out`` says why the crew is out, if it is.
    """

    rows: Annotated[tuple[SheetRow, ...], Meta(min_length=1, max_length=200)]
    crew: Annotated[str, Meta(max_length=64)] = ""
    entry_class: Annotated[str, Meta(max_length=64)] = ""
    faults: Annotated[tuple[NotedFault, ...], Meta(max_length=200)] = ()
    other: Seconds | None = None
    total: Seconds | None = None
    kit: SheetKit | None = None
    cards: Annotated[tuple[Annotated[str, Meta(min_length=1, max_length=8)], ...], Meta(max_length=6)] = ()
    out: Annotated[str, Meta(max_length=64)] = ""


class TimeSheets(Value, kw_only=True):
    """A file of time sheets for the rally called ``rally``."""

    sheets: Annotated[tuple[TimeSheet, ...], Meta(min_length=1, max_length=5000)]
    rally: Annotated[str, Meta(max_length=64)] = ""


class ScoredSection(Value, kw_only=True):
    """A scored section, in seconds: its ``target`` and ``time``, the ``penalty`` for the time and that for faults.

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


class SheetFinding(Value, kw_only=True):
    """An entry in the row of ``control`` that does not follow from the speeds, with the ``rule`` and a ``message``.

    ``verdict``: ``false`` has no explanation, ``card`` needs a card, ``note`` needs a note. In a text, the entry is in
    ``line`` at ``column``, both from 1, with a ``width`` in characters; ``text`` is that line. ``suggestions`` are possible
    entries.
    """

    control: str
    verdict: Verdict
    message: str
    rule: str
    line: int | None = None
    column: int | None = None
    width: int | None = None
    text: str = ""
    suggestions: tuple[str, ...] = ()


class SheetIncident(Value, kw_only=True):
    """An incident on the map in ``turn`` (from 1) of the section to ``control``, with a ``message`` and the ``rule``."""

    control: str
    turn: int
    message: str
    rule: str


class ScoredSheet(Value, kw_only=True):
    """A scored sheet of the text ``source``; ``fault_penalty`` and ``total`` are in seconds.

    ``driven`` says whether it was scored on a map; then ``incidents`` lists the incidents there. ``place`` is the place
    overall, ``class_place`` the place in its class; both are null for a crew that is out or has not finished.
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


class ScoredSheets(Value, kw_only=True):
    """Scored time sheets in the order of the classification, and the ``problems`` with unreadable lines.

    A text with an unreadable line has none of the ``sheets``.
    """

    rally: str
    sheets: tuple[ScoredSheet, ...]
    problems: tuple[OrderProblem, ...]


class LaidControl(Value, kw_only=True):
    """A control in a section, ``distance`` squares after the last time control."""

    control: str
    square: str
    side: str
    distance: int


class LaidSection(Value, kw_only=True):
    """A section: its kind, its length in squares, its ``target`` time in seconds (a regularity at ``speed`` mph).

    ``squares`` are the squares of its way in order, with both ends; ``road_book`` describes the way.
    """

    control: str
    timing: Timing
    speed: int | None
    distance: int
    target: int
    controls: tuple[LaidControl, ...]
    squares: tuple[str, ...]
    road_book: tuple[str, ...]


class BlackSpots(Value, kw_only=True):
    """Black Spots on ``squares`` that would leave only the way ``through`` a square."""

    through: str
    squares: tuple[str, ...]


class AmbiguousLeg(Value, kw_only=True):
    """A leg with several ``ways`` of ``distance`` squares from the control ``leaves`` to ``control``, and remedies.

    The number of ways is limited to nine hundred million million.
    """

    control: str
    leaves: str
    distance: int
    ways: int
    remedies: tuple[BlackSpots, ...]


class ComparedSection(Value, kw_only=True):
    """The section to ``control`` compared with a transcription: ``step`` is the first square that differs (0: none).

    ``ours`` and ``theirs`` are the squares there; the one of a way that has ended is empty.
    """

    control: str
    step: int
    ours: str
    theirs: str


class LaidRoute(Value, kw_only=True):
    """The rally called ``rally`` on a map: its sections (none while it has flaws), and all remarks.

    A rally with ``flaws`` cannot be driven, one with ``warnings`` can. ``settled_by`` are the Black Spots that together
    leave only one way everywhere (null: they are not needed, or none are found). ``problems`` are unreadable lines.
    """

    rally: str
    map: str
    laid: tuple[LaidSection, ...]
    flaws: tuple[str, ...]
    ambiguous: tuple[AmbiguousLeg, ...]
    settled_by: tuple[str, ...] | None
    warnings: tuple[str, ...]
    old_route: tuple[ComparedSection, ...]
    problems: tuple[OrderProblem, ...]


SCHEMAS: Final = {
    "output.route.json": (LaidRoute, "A route on a map, with its problems and remarks."),
    "output.sheet.json": (ScoredSheets, "Scored time sheets, in the order of the classification."),
    "time-sheets.json": (TimeSheets, "Time sheets"),
}
"""The published schemas, by file name: the type, and a description."""
