"""A time sheet as it was written (RR-P7): its rows, what was noted beside them, and what an audit finds in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from itertools import accumulate
from typing import Final

from adjudicator.game import frozen
from adjudicator.games.rally_round.components import PREFIXES, CardId, Does, KitCard, Timing
from adjudicator.games.rally_round.moving import FASTEST, STANDARD
from adjudicator.games.rally_round.typed import Place

BIGGEST: Final = 200
"""No card makes a faster car."""
_TELLING: Final = {"RR-F5": ("give way",), "RR-F10": ("quiet", "speed"), "RR-F4": ("wrong",), "RR-F9": ("roll",)}
"""Words by which a fault that was noted is known to be of a rule."""
ON_THE_WAY: Final = frozenset(("RR-F5", "RR-F9", "RR-F10"))
"""The rules of faults on the way to a control: one of them does not answer whether the control was missed."""


@frozen(kw_only=True)
class Step:
    """What was noted with the speed of a ``turn`` (from 1, in its row): the way, a hazard card, a turning round.

    ``squares`` is how far the car came by the turn, where that does not follow from its speed: it rolled, or left the road.
    """

    turn: int
    via: tuple[str, ...] = ()
    using: CardId | None = None
    is_round: bool = False
    squares: int | None = None


@frozen(kw_only=True)
class Row:
    """A row of a sheet: the speeds to a ``control``, which is ``distance`` squares from the time control before (RR-H9).

    ``speed`` is that of a regularity. ``target``, ``taken`` and ``penalty`` are what was written, in seconds; ``steps`` is
    what was noted with single speeds. ``places`` tells where its entries stand in a text: ``target``, ``speed 2`` …
    """

    control: str
    distance: int
    speeds: tuple[int, ...]
    timing: Timing | None = None
    speed: int | None = None
    target: int | None = None
    taken: int | None = None
    penalty: int | None = None
    steps: tuple[Step, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)

    def step(self, turn: int) -> Step:
        """Return what was noted with the speed of a ``turn``, from 1."""
        return next((step for step in self.steps if step.turn == turn), Step(turn=turn))

    def gains(self) -> tuple[int, ...]:
        """Return the squares that the car came by each turn: as noted, else by its speed, over 100 mph none (RR-F12)."""
        noted = {step.turn: step.squares for step in self.steps if step.squares is not None}
        by_speed = (0 if speed > FASTEST else speed // 10 for speed in self.speeds)
        return tuple(noted.get(turn, squares) for turn, squares in enumerate(by_speed, 1))

    def at(self, what: str) -> Place | None:
        """Return where the entry ``what`` stands, else where the row begins; ``None`` where it was in no text."""
        return self.places.get(what, self.places.get("control"))


@frozen(kw_only=True)
class Kit:
    """What a crew may do beyond the standard, on any road: start so fast, change the speed by so much (mph)."""

    start: int = STANDARD
    faster: int = STANDARD
    slower: int = STANDARD


def kit_of(cards: Iterable[KitCard]) -> Kit:
    """Return what ``cards`` allow on the road where each allows most: without a map nobody knows its colour."""
    most = dict.fromkeys((Does.START, Does.ACCELERATE, Does.DECELERATE), STANDARD)
    for effect in (effect for card in cards for effect in card.effects if effect.does in most):
        most[effect.does] = max(most[effect.does], effect.red, effect.yellow, effect.white)
    return Kit(start=most[Does.START], faster=most[Does.ACCELERATE], slower=most[Does.DECELERATE])


@frozen
class Fault:
    """A fault of 30 marks that was noted, in ``words``, on the way to ``control`` (empty: it does not say where)."""

    words: str
    control: str = ""
    place: Place | None = field(default=None, compare=False, repr=False)

    @property
    def rules(self) -> frozenset[str]:
        """The rules that its words are about, none where they do not say."""
        said = self.words.casefold()
        return frozenset([rule for rule, words in _TELLING.items() if any(word in said for word in words)])


@frozen(kw_only=True)
class Sheet:
    """A time sheet: its rows, the faults of 30 marks that were noted, and what was written as their sum and as the total.

    ``crew`` and ``entry_class`` are what the crew is called and the class it is entered in, ``kit`` what it may do where
    that is known, ``cards`` of which kit cards that comes, ``out`` why it is out, if it is. ``places``: see ``Row``.
    """

    rows: tuple[Row, ...]
    faults: tuple[Fault, ...] = ()
    other: int | None = None
    total: int | None = None
    crew: str = ""
    entry_class: str = ""
    kit: Kit | None = None
    cards: tuple[CardId, ...] = ()
    out: str = ""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)


class Verdict(StrEnum):
    """How bad a finding is: ``false`` nothing could explain; ``card`` and ``note`` need a card, or a note of an incident."""

    FALSE = "false"
    CARD = "card"
    NOTE = "note"


@frozen
class Finding:
    """Something on a sheet that does not follow from its speeds: in the row of ``control``, by ``rule``, in words.

    ``place`` tells where it stands, if it was in a text; ``suggestions`` are what might stand there.
    """

    control: str
    verdict: Verdict
    words: str
    rule: str
    place: Place | None = field(default=None, compare=False, repr=False)
    suggestions: tuple[str, ...] = field(default=(), compare=False, repr=False)


@frozen
class Incident:
    """What a car met on the map, in ``turn`` (from 1) of the section to ``control``, in words, by ``rule``."""

    control: str
    turn: int
    words: str
    rule: str


@frozen
class Scored:
    """A section as it is scored: its time and target in seconds, the penalty for the time alone, and that for faults."""

    control: str
    timing: Timing
    distance: int
    target: int
    time: int
    penalty: int
    faults: int = 0


@frozen
class Score:
    """A sheet as it is scored: its sections, and what was found; driven on a map, what happened on the way.

    ``disqualified`` says why the crew is disqualified, if it is.
    """

    sections: tuple[Scored, ...]
    findings: tuple[Finding, ...]
    incidents: tuple[Incident, ...] = ()
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
    """Return how a section to ``control`` is timed by its name, ``None`` to a PC."""
    letters = control.rstrip("0123456789").upper()
    return next((timing for timing, prefix in PREFIXES.items() if prefix == letters), None)
