"""Define what the commands of the office print as JSON: routes on a map, and scored time sheets."""

from __future__ import annotations

from typing import Final, Literal

from adjudicator.core.values import Value
from adjudicator.results import OrderProblem

Timing = Literal["road", "selective", "stage", "regularity"]
Verdict = Literal["false", "card", "note"]


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

    ``verdict``: ``false`` has no explanation, ``card`` needs a card, ``note`` needs a note. The entry is in ``line`` at
    ``column``, both from 1, with a ``width`` in characters; ``text`` is that line. ``suggestions`` are possible entries.
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

    ``driven`` says whether it was scored on a map; then ``incidents`` lists the incidents there. ``place`` is null for a
    crew that is ``out`` or has not finished.
    """

    source: str
    crew: str
    place: int | None
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

    ``squares`` are the squares of its way in order, with both ends.
    """

    control: str
    timing: Timing
    speed: int | None
    distance: int
    target: int
    controls: tuple[LaidControl, ...]
    squares: tuple[str, ...]


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
    laid: tuple[LaidSection, ...] = ()
    flaws: tuple[str, ...] = ()
    ambiguous: tuple[AmbiguousLeg, ...] = ()
    settled_by: tuple[str, ...] | None = None
    warnings: tuple[str, ...] = ()
    old_route: tuple[ComparedSection, ...] = ()
    problems: tuple[OrderProblem, ...] = ()


SCHEMAS: Final = {
    "output.route.json": (LaidRoute, "A route on a map, with its problems and remarks."),
    "output.sheet.json": (ScoredSheets, "Scored time sheets, in the order of the classification."),
}
"""The published schemas, by file name: the type, and a description."""
