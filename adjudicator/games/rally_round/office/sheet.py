"""Hold a time sheet as written (RR-P7): its rows, its notes, and the findings of an audit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from itertools import accumulate
from typing import Final

from adjudicator.game import frozen
from adjudicator.games.rally_round.components import PREFIXES, CardId, Does, KitCard, Timing
from adjudicator.games.rally_round.moving import FASTEST, STANDARD
from adjudicator.games.rally_round.office.outputs import SheetIncident, SheetKit, SheetStep
from adjudicator.games.rally_round.office.typed import Place

BIGGEST: Final = 200
"""The highest speed of a car with any cards."""
_TELLING: Final = {"RR-F5": ("give way",), "RR-F10": ("quiet", "speed"), "RR-F4": ("wrong",), "RR-F9": ("roll",)}
"""Words that tell the rule of a noted fault."""
ON_THE_WAY: Final = frozenset(("RR-F5", "RR-F9", "RR-F10"))
"""The rules of faults on the way to a control, which do not say whether the car missed the control."""


@frozen(kw_only=True)
class Row:
    """A row of a sheet: the speeds to a ``control``, which is ``distance`` squares from the time control before (RR-H9).

    ``speed`` is that of a regularity. ``target``, ``taken`` and ``penalty`` are as written, in seconds; ``steps`` are
    the notes with single speeds. ``places`` gives the places of its entries in a text: ``target``, ``speed 2`` …
    """

    control: str
    distance: int
    speeds: tuple[int, ...]
    timing: Timing | None = None
    speed: int | None = None
    target: int | None = None
    taken: int | None = None
    penalty: int | None = None
    steps: tuple[SheetStep, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)

    def step(self, turn: int) -> SheetStep:
        """Return the notes with the speed of a ``turn``, from 1."""
        return next((step for step in self.steps if step.turn == turn), SheetStep(turn=turn))

    def gains(self) -> tuple[int, ...]:
        """Return the squares that the car came in each turn: as noted, else by its speed: none above ``FASTEST``."""
        noted = {step.turn: step.squares for step in self.steps if step.squares is not None}
        by_speed = (0 if speed > FASTEST else speed // 10 for speed in self.speeds)
        return tuple(noted.get(turn, squares) for turn, squares in enumerate(by_speed, 1))

    def at(self, what: str) -> Place | None:
        """Return the place of the entry ``what``, or of the row; ``None`` if the sheet is not from a text."""
        return self.places.get(what, self.places.get("control"))


def kit_of(cards: Iterable[KitCard]) -> SheetKit:
    """Return the limits of ``cards`` on their best roads: without a map the colour is unknown."""
    most = dict.fromkeys((Does.START, Does.ACCELERATE, Does.DECELERATE), STANDARD)
    for effect in (effect for card in cards for effect in card.effects if effect.does in most):
        most[effect.does] = max(most[effect.does], effect.red, effect.yellow, effect.white)
    return SheetKit(start=most[Does.START], faster=most[Does.ACCELERATE], slower=most[Does.DECELERATE])


@frozen
class Fault:
    """A noted fault of 30 marks, in ``words``, on the way to ``control`` (empty: unknown)."""

    words: str
    control: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def rules(self) -> frozenset[str]:
        """The rules that its words name; empty if they name none."""
        said = self.words.casefold()
        return frozenset([rule for rule, words in _TELLING.items() if any(word in said for word in words)])


@frozen(kw_only=True)
class Sheet:
    """A time sheet: its rows, the noted faults of 30 marks, and the written sum of faults and total.

    ``crew`` is the name of the crew, ``entry_class`` its class, ``kit`` its limits if known, ``cards`` the kit cards behind
    them, ``out`` why it is out, if it is. ``places``: see ``Row``.
    """

    rows: tuple[Row, ...]
    faults: tuple[Fault, ...] = ()
    other: int | None = None
    total: int | None = None
    crew: str = ""
    entry_class: str = ""
    kit: SheetKit | None = None
    cards: tuple[CardId, ...] = ()
    out: str = ""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)


class Verdict(StrEnum):
    """How bad a finding is: nothing explains ``false``; ``card`` and ``note`` need a card, or a note of an incident."""

    FALSE = "false"
    CARD = "card"
    NOTE = "note"


@frozen
class Finding:
    """An entry of a sheet that does not follow from its speeds: in the row of ``control``, by ``rule``, in words.

    ``place`` is its place in a text, if any; ``suggestions`` are possible corrections.
    """

    control: str
    verdict: Verdict
    words: str
    rule: str
    place: Place | None = field(default=None, compare=False, repr=False)
    suggestions: tuple[str, ...] = field(default=(), compare=False, repr=False)


@frozen
class Scored:
    """The score of a section: its time and target in seconds, the penalty for the time alone, and that for faults."""

    control: str
    timing: Timing
    distance: int
    target: int
    time: int
    penalty: int
    faults: int = 0


@frozen
class Score:
    """The score of a sheet: its sections, its findings, and after a drive on a map its incidents.

    ``disqualified`` says why the crew is disqualified, if it is.
    """

    sections: tuple[Scored, ...]
    findings: tuple[Finding, ...]
    incidents: tuple[SheetIncident, ...] = ()
    disqualified: str = ""

    @property
    def faults(self) -> int:
        """The penalty for faults in seconds."""
        return sum(section.faults for section in self.sections)

    @property
    def total(self) -> int:
        """The penalty of the whole rally in seconds."""
        return sum(self.running[-1:])

    @property
    def running(self) -> tuple[int, ...]:
        """The penalty after each section, in seconds."""
        return tuple(accumulate(section.penalty + section.faults for section in self.sections))


def timing_of(control: str) -> Timing | None:
    """Return the timing of a section to ``control`` by its name, ``None`` for a PC."""
    letters = control.rstrip("0123456789").upper()
    return next((timing for timing, prefix in PREFIXES.items() if prefix == letters), None)
