"""The parts of the game (CC-C): suspects with their looks, investigators, clue counters, score markers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import product
from typing import TYPE_CHECKING, Annotated, Final, NewType

from adjudicator.game import ComponentSet, Configuration, Flaw, Memo, Meta, Public, Said, Seat, Setup, Value, field, several

SuspectId = NewType("SuspectId", str)
MarkerId = NewType("MarkerId", str)


class Trait(StrEnum):
    """A trait of suspects, and of a clue counter (CC-C1, CC-C2)."""

    HAT = "hat"
    GLASSES = "glasses"
    COAT = "coat"
    COLOUR = "colour"
    NEWSPAPER = "newspaper"


class Face(StrEnum):
    """One side of a clue counter, beside its other side; the value is one word, as outcomes and conditions write it."""

    HAT = "hat"
    NO_HAT = "no_hat"
    GLASSES = "glasses"
    NO_GLASSES = "no_glasses"
    RAINCOAT = "raincoat"
    SWEATER = "sweater"
    GREY = "grey"
    ORANGE = "orange"
    NEWSPAPER = "newspaper"
    NO_NEWSPAPER = "no_newspaper"

    @property
    def words(self) -> str:
        """The words for the face: ``no hat``."""
        return self.value.replace("_", " ")

    @property
    def trait(self) -> Trait:
        """The trait that the face shows."""
        return _TRAIT_OF[self]

    @property
    def look(self) -> Face:
        """The face as it is drawn, crossed out if it is not there: ``HAT`` for ``NO_HAT``."""
        return Face(self.value.removeprefix("no_"))


class Colour(StrEnum):
    """The colours of score markers, the best first (CC-C3)."""

    GOLD = "gold"
    WHITE = "white"
    BLACK = "black"


class Power(StrEnum):
    """The special power of a score marker (CC-O1, CC-O2)."""

    NONE = "none"
    STASI = "stasi"
    ADLER = "adler"


TRAITS: Final = tuple(Trait)
FACES: Final = dict(zip(TRAITS, zip(tuple(Face)[::2], tuple(Face)[1::2], strict=True), strict=True))
"""The two faces of each clue counter (CC-C2)."""
_TRAIT_OF: Final = {face: trait for trait, faces in FACES.items() for face in faces}
INVESTIGATORS: Final = ("Laces", "Lansbury", "Britton", "Colombini", "Meridian")
"""The investigators, in the order in which ``auto`` gives them out (CC-C2)."""
SUSPECTS: Final = 1 << len(TRAITS)
"""The number of suspects: every combination of looks once (CC-C1)."""
UPPER_HALF: Final = SUSPECTS // 2
"""Suspects in the half into which unused investigator cards are shuffled (CC-S3)."""
_WORDS: Final = (
    "accuse accused and announce at black clue contains deck else exchange for game gold has if in includes is looks "
    "markers matches no none not of on or otherwise pass pile points pool public received round row shown swap then "
    "times turn wait white window windows with without x"
)
_TAKEN: Final = frozenset([*_WORDS.split(" "), *(word for face in Face for word in face.value.split("_"))])
"""Words that mean something else in an order or a condition."""

if TYPE_CHECKING:
    Looks = tuple[Face, ...]
else:
    Looks = tuple[(Face,) * len(TRAITS)]
"""A face of each trait, in the order of the traits."""


def faces_told(faces: Iterable[Face]) -> str:
    """Return the words for ``faces``."""
    return ", ".join(face.words for face in faces)


class Suspect(Value):
    """A suspect (CC-C1)."""

    id: Annotated[SuspectId, Meta(min_length=2, max_length=16)]
    """The name, one word."""
    looks: Looks
    """The faces of the suspect, one for each trait in order: hat, glasses, coat, colour, newspaper."""


class Marker(Value):
    """A score marker (CC-C3)."""

    id: Annotated[MarkerId, Meta(min_length=1, max_length=8)]
    """The name of the marker."""
    colour: Colour
    """Its colour: ``gold``, ``white`` or ``black``."""
    points: Annotated[int, Meta(ge=-9, le=9)]
    """The points it is worth at the end."""
    power: Power = Power.NONE
    """Its special power."""
    replaces: MarkerId | None = None
    """The marker that it replaces, if the option of its power is on; else it is not in the game."""


class Components(ComponentSet):
    """A component set: everything in the box that differs from set to set."""

    suspects: Annotated[tuple[Suspect, ...], Meta(min_length=SUSPECTS, max_length=SUSPECTS)]
    """The suspects, every combination of looks once."""
    markers: Annotated[tuple[Marker, ...], Meta(min_length=3, max_length=100)]
    """The score markers."""


class Config(Configuration[Components]):
    """Seats in order, options as chosen, and the components with their look-ups.

    ``markers`` are those in the game, replacements made, in the order of the set; ``values`` gives the points of those of a
    colour that lie face down, the most first, and ``adlers`` how many are of Café Adler. ``investigators`` says whom each
    seat plays, ``unused`` those without a seat: their cards go into the deck of 3 or 4 players (CC-S3). ``hearing_rule`` is
    the rule that older versions cite for all hearings; ``memo`` holds what follows from all this.
    """

    investigators: Mapping[Seat, str]
    unused: tuple[str, ...]
    looks: Mapping[SuspectId, Looks]
    markers: Mapping[MarkerId, Marker]
    values: Mapping[Colour, tuple[int, ...]]
    adlers: Mapping[Colour, int]
    rounds: int
    is_lap_window: bool
    is_rows_only: bool
    hearing_rule: str = ""
    memo: Memo = field(default_factory=Memo)

    @property
    def names(self) -> Iterator[str]:
        """The suspects, investigators, faces, colours and markers that conditions may compare facts with."""
        for words in (self.investigators.values(), self.looks, Face, Colour, self.markers):
            yield from map(str, words)

    def matched(self, suspect: SuspectId, clues: Iterable[Face]) -> tuple[Face, ...]:
        """Return those of ``clues`` that ``suspect`` matches, in their order."""
        looks = self.looks[suspect]
        return tuple([face for face in clues if face in looks])

    def sorted_markers(self, markers: Iterable[MarkerId]) -> tuple[MarkerId, ...]:
        """Return ``markers`` in the order of the component set; those it does not have come last."""
        rank = {marker: place for place, marker in enumerate(self.markers)}
        return tuple(sorted(markers, key=lambda marker: rank.get(marker, len(rank))))

    def colour_of(self, marker: MarkerId | Colour) -> Colour:
        """Return the colour of ``marker``; a hidden marker is only its colour."""
        return marker if isinstance(marker, Colour) else self.markers[marker].colour

    def power_of(self, marker: MarkerId | Colour) -> Power:
        """Return the power of ``marker``, as far as the viewer sees it."""
        return Power.NONE if isinstance(marker, Colour) else self.markers[marker].power

    def points(self, markers: Iterable[MarkerId]) -> int:
        """Return the sum of the points of ``markers``, which may be below 0."""
        return sum(self.markers[marker].points for marker in markers)

    def seat_called(self, name: str) -> Seat | None:
        """Return the seat with the name or the investigator ``name``, ignoring case, or ``None``."""
        wanted = name.casefold()
        for seat, investigator in self.investigators.items():
            if wanted in (seat, investigator.casefold()):
                return seat
        return None

    def named(self, seat: Seat) -> str:
        """Return the investigator of ``seat``, followed by the seat if its name differs."""
        investigator = self.investigators[seat]
        return investigator if investigator.casefold() == seat else f"{investigator} ({seat})"


Called = Annotated[Seat, Said(lambda config, seat: config.named(seat))]
"""A seat that sentences name by its investigator."""
Who = Public[Called]


def configure(setup: Setup, version: int) -> Config:
    """Return the constants of a game of ``setup``, which is fit for play, by the ``version`` of its rules."""
    components: Components = setup.components
    powers = {power for power in (Power.STASI, Power.ADLER) if setup.options[power] == "on"}
    # CC-C3: optional markers in the place of those they replace.
    replaced = {marker.replaces for marker in components.markers if marker.power in powers}
    played = (m for m in components.markers if m.id not in replaced and m.power in (Power.NONE, *powers))
    markers = {marker.id: marker for marker in played}
    face_down = sorted((m for m in markers.values() if m.power is not Power.STASI), key=lambda marker: -marker.points)
    # CC-C2: the investigator that a seat chose or is named after; the others get the rest, in order.
    chosen = {seat: setup.options[f"investigator.{seat}"] for seat in setup.seats}
    chosen = {seat: seat.capitalize() if name == "auto" else name for seat, name in chosen.items()}
    free = [name for name in INVESTIGATORS if name not in chosen.values()]
    investigators = {seat: name if name in INVESTIGATORS else free.pop(0) for seat, name in chosen.items()}
    adlers = Counter(marker.colour for marker in markers.values() if marker.power is Power.ADLER)
    return Config(
        seats=setup.seats,
        position=setup.position,
        components=components,
        investigators=investigators,
        unused=tuple(name for name in INVESTIGATORS if name not in investigators.values()),
        looks={suspect.id: suspect.looks for suspect in components.suspects},
        markers=markers,
        values={colour: tuple(m.points for m in face_down if m.colour is colour) for colour in Colour},
        adlers=adlers,
        rounds=int(setup.options["rounds"]),
        is_lap_window=setup.options["window"] == "lap",
        is_rows_only=setup.options["accuse"] == "rows",
        # Up to version 2, Café Adler was cited for hearings in which ten points may be announced.
        hearing_rule="CC-O2" if version < 3 and adlers else "",
    )


def unfit(setup: Setup) -> Iterator[Flaw]:
    """Yield what makes the component set, or the choice of investigators, unfit for play."""
    components: Components = setup.components
    # CC-C1: each combination of looks once, and names of one word.
    yield from Flaw.repeated("suspect", (suspect.id for suspect in components.suspects), "CC-C1")
    for name in dict.fromkeys(suspect.id for suspect in components.suspects):
        if not re.fullmatch("[A-Z][a-z]+", name):
            yield Flaw(f"a suspect's name is one word, a capital and small letters; “{name}” is not", "CC-C1")
        elif name in INVESTIGATORS:
            yield Flaw(f"a suspect cannot be called {name}: that is an investigator", "CC-C2")
        elif name.lower() in _TAKEN:
            yield Flaw(f"a suspect cannot be called {name}: that means something else in an order", "CC-C1")
    disordered = [suspect.id for suspect in components.suspects if tuple(face.trait for face in suspect.looks) != TRAITS]
    for name in disordered:
        yield Flaw(f"the looks of {name} must be a face of each trait, in the order {', '.join(TRAITS)}", "CC-C1")
    present = {suspect.looks for suspect in components.suspects}
    missing = [looks for looks in product(*FACES.values()) if looks not in present]
    if missing and not disordered:
        looks = faces_told(missing[0])
        yield Flaw(f"every combination of looks must be on one card; the set has no card with {looks}", "CC-C1")
    # CC-C2: whom the seats play.
    chosen = [setup.options[f"investigator.{seat}"] for seat in setup.seats]
    for played, _ in several(name for name in chosen if name != "auto"):
        yield Flaw(f"two seats cannot play the same investigator: {played}", "CC-C2", "investigator-twice")
    for seat, played in zip(setup.seats, chosen, strict=True):
        own = seat.capitalize()
        if own in INVESTIGATORS and (played not in ("auto", own) or (played == "auto" and own in chosen)):
            message = f"the seat {seat} has the name of an investigator, so it plays that one"
            yield Flaw(message, "CC-C2", "seat-named-like-investigator", part=f"option:investigator.{seat}")
    # CC-C3, CC-O1, CC-O2: markers of each colour; optional ones in the place of one that is like them.
    markers = {marker.id: marker for marker in components.markers}
    yield from Flaw.repeated("marker", (marker.id for marker in components.markers), "CC-C3")
    for id_ in markers:
        if not (id_.isascii() and id_.isalnum()):
            yield Flaw(f"a marker's id is of letters and digits; “{id_}” is not", "CC-C3")
    for colour in Colour:
        if not any(marker.colour is colour and marker.power is Power.NONE for marker in components.markers):
            yield Flaw(f"the component set has no {colour} marker", "CC-C3")
    for marker in components.markers:
        if (marker.power is Power.NONE) == (marker.replaces is not None):
            yield Flaw(f"marker {marker.id}: an optional marker replaces another, and no other does", "CC-C3")
        elif marker.replaces is not None:
            one = markers.get(marker.replaces)
            if one is None or one.power is not Power.NONE or one.colour is not marker.colour:
                message = f"marker {marker.id} must replace an ordinary {marker.colour} marker, not {marker.replaces}"
                yield Flaw(message, "CC-C3")
            elif marker.power is Power.ADLER and marker.points != one.points:
                yield Flaw(f"marker {marker.id} is worth what it replaces: {one.points}, not {marker.points}", "CC-O2")
    replaced = (marker.replaces for marker in components.markers if marker.replaces is not None)
    yield from Flaw.repeated("a replacement of marker", replaced, "CC-C3")
    if sum(marker.power is Power.STASI for marker in components.markers) > 1:
        yield Flaw("there is one Stasi marker at most", "CC-O1")
