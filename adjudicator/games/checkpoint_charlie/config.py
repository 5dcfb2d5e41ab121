"""The config: what does not change during a game, looked up fast (CC-C)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.ruleset import Setup
from adjudicator.games.checkpoint_charlie.components import (
    FACES,
    INVESTIGATORS,
    TRAITS,
    Colour,
    Components,
    Face,
    Looks,
    Marker,
    MarkerId,
    Power,
    SuspectId,
    Trait,
)
from adjudicator.games.checkpoint_charlie.position import Position

_NAME: Final = re.compile(r"[A-Z][a-z]+")
_WORDS: Final = (
    "accuse announce and at clue contains else exchange for game gold has if in includes is no none not of on or otherwise",
    "pass received round swap then turn wait white black with without window windows x times",
    "accused deck looks markers matches pile points pool public row shown",
)
_TAKEN: Final = frozenset(
    [
        *(word for line in _WORDS for word in line.split(" ")),
        *(word for face in Face for word in face.value.split("_")),
        *(name.lower() for name in INVESTIGATORS),
    ]
)
"""Words that mean something else in an order or a condition."""


@dataclass(frozen=True, slots=True)
class Config:
    """Seats in order, options as chosen, and the components with their look-ups.

    ``markers`` are those in the game, replacements made; ``investigators`` says whom each seat plays.
    """

    seats: tuple[Seat, ...]
    position: Position | None
    components: Components
    investigators: Mapping[Seat, str]
    looks: Mapping[SuspectId, Looks]
    rank: Mapping[SuspectId, int]
    markers: Mapping[MarkerId, Marker]
    marker_rank: Mapping[MarkerId, int]
    rounds: int
    is_lap_window: bool
    is_rows_only: bool

    def looks_like(self, suspect: SuspectId, face: Face) -> bool:
        """Return whether ``suspect`` matches the clue ``face``."""
        return face in self.looks[suspect]

    def matched(self, suspect: SuspectId, clues: Iterable[Face]) -> tuple[Face, ...]:
        """Return those of ``clues`` that ``suspect`` matches, in their order."""
        looks = self.looks[suspect]
        return tuple(face for face in clues if face in looks)

    def sorted(self, suspects: Iterable[SuspectId]) -> tuple[SuspectId, ...]:
        """Return ``suspects`` in the order of the component set."""
        return tuple(sorted(suspects, key=self.rank.__getitem__))

    def sorted_markers(self, markers: Iterable[MarkerId]) -> tuple[MarkerId, ...]:
        """Return ``markers`` in the order of the component set."""
        return tuple(sorted(markers, key=self.marker_rank.__getitem__))

    def colours(self, markers: Iterable[MarkerId]) -> tuple[Colour, ...]:
        """Return the colours of ``markers``, in their order."""
        return tuple(self.markers[marker].colour for marker in markers)

    def points(self, markers: Iterable[MarkerId]) -> int:
        """Return what ``markers`` are worth together, in points; it may be below 0."""
        return sum(self.markers[marker].points for marker in markers)

    def is_power(self, marker: MarkerId, power: Power) -> bool:
        """Return whether ``marker`` can do ``power``."""
        return self.markers[marker].power is power

    def seat_called(self, name: str) -> Seat | None:
        """Return the seat that is called ``name`` or whose investigator is, in any case, or ``None``."""
        wanted = name.casefold()
        for seat, investigator in self.investigators.items():
            if wanted in (seat, investigator.casefold()):
                return seat
        return None

    def named(self, seat: Seat) -> str:
        """Return the investigator whom ``seat`` plays, with the seat where the name does not tell it."""
        investigator = self.investigators[seat]
        return investigator if investigator.casefold() == seat else f"{investigator} ({seat})"

    def from_seat(self, seat: Seat) -> tuple[Seat, ...]:
        """Return all seats clockwise, beginning with ``seat``."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def after(self, seat: Seat) -> Seat:
        """Return the seat to the left of ``seat``: the next to play."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    @property
    def unused(self) -> tuple[str, ...]:
        """The investigators whom nobody plays: their cards go into the deck of 3 or 4 players (CC-S3)."""
        return tuple(name for name in INVESTIGATORS if name not in self.investigators.values())


def configure(setup: Setup, version: int) -> Config:
    """Return the config for ``setup``. Raises ``SetupError`` with everything that is wrong with it (CC-C)."""
    seats = tuple(player.seat for player in setup.players)
    components: Components = setup.components
    problems = (*_suspect_problems(components), *_marker_problems(components), *_investigator_problems(setup, seats))
    if problems:
        raise SetupError(problems)
    markers = {marker.id: marker for marker in _in_game(components, _powers(setup))}
    return Config(
        seats=seats,
        position=setup.position,
        components=components,
        investigators=_investigators(setup, seats),
        looks={suspect.id: suspect.looks for suspect in components.suspects},
        rank={suspect.id: rank for rank, suspect in enumerate(components.suspects)},
        markers=markers,
        marker_rank={marker: rank for rank, marker in enumerate(markers)},
        rounds=int(setup.options["rounds"]),
        is_lap_window=setup.options["window"] == "lap",
        is_rows_only=setup.options["accuse"] == "rows",
    )


def _powers(setup: Setup) -> frozenset[Power]:
    """Return the powers that are played with (CC-O1, CC-O2)."""
    return frozenset(power for power in (Power.STASI, Power.ADLER) if setup.options[power.value] == "on")


def _in_game(components: Components, powers: frozenset[Power]) -> Iterator[Marker]:
    """Yield the markers that are played with: optional ones in the place of those they replace (CC-C3)."""
    replaced = {marker.replaces for marker in components.markers if marker.power in powers}
    for marker in components.markers:
        if marker.id not in replaced and (marker.power is Power.NONE or marker.power in powers):
            yield marker


def _investigators(setup: Setup, seats: tuple[Seat, ...]) -> dict[Seat, str]:
    """Give each seat the investigator it chose or is named after; the others get what is left, in order."""
    chosen = {seat: setup.options[f"investigator.{seat}"] for seat in seats}
    chosen = {seat: seat.capitalize() if name == "auto" else name for seat, name in chosen.items()}
    taken = {seat: name for seat, name in chosen.items() if name in INVESTIGATORS}
    free = [name for name in INVESTIGATORS if name not in taken.values()]
    return {seat: taken.get(seat) or free.pop(0) for seat in seats}


def _investigator_problems(setup: Setup, seats: tuple[Seat, ...]) -> Iterator[Problem]:
    chosen = [setup.options[f"investigator.{seat}"] for seat in seats]
    for name, count in Counter(chosen).items():
        if name != "auto" and count > 1:
            message = f"two seats cannot play the same investigator: {name}"
            yield Problem("checkpoint-charlie/investigator-twice", message, "CC-C2")
    for seat, name in zip(seats, chosen, strict=True):
        own = seat.capitalize()
        if own in INVESTIGATORS and (name not in ("auto", own) or (name == "auto" and own in chosen)):
            message = f"the seat {seat} is called like an investigator, so it must play that one"
            yield Problem("checkpoint-charlie/seat-named-like-investigator", message, "CC-C2")


def _suspect_problems(components: Components) -> Iterator[Problem]:
    """Yield what makes the suspects unfit: each combination of looks once, names of one word (CC-C1)."""
    for name, count in Counter(suspect.id for suspect in components.suspects).items():
        if count > 1:
            yield _set_problem(f"the component set has suspect {name} {count} times")
        if not _NAME.fullmatch(name):
            yield _set_problem(f"a suspect's name is one word, a capital and small letters; “{name}” is not")
        elif name.lower() in _TAKEN:
            yield _set_problem(f"a suspect cannot be called {name}: that means something else in an order")
    is_fit = True
    for suspect in components.suspects:
        if any(face not in FACES[trait] for trait, face in zip(TRAITS, suspect.looks, strict=True)):
            is_fit = False
            message = f"the looks of {suspect.id} must be a face of each trait, in the order {', '.join(TRAITS)}"
            yield _set_problem(message)
    present = {suspect.looks for suspect in components.suspects}
    missing = [looks for looks in product(*(FACES[trait] for trait in TRAITS)) if looks not in present]
    if is_fit and missing:
        looks = ", ".join(face.words for face in missing[0])
        yield _set_problem(f"every combination of looks is on one card; there is none with {looks}")


def _marker_problems(components: Components) -> Iterator[Problem]:
    """Yield what makes the markers unfit (CC-C3)."""
    markers = {marker.id: marker for marker in components.markers}
    for name, count in Counter(marker.id for marker in components.markers).items():
        if count > 1:
            yield _set_problem(f"the component set has marker {name} {count} times")
        if not (name.isascii() and name.isalnum()):
            yield _set_problem(f"a marker's id is of letters and digits; “{name}” is not")
    for colour in Colour:
        if not any(marker.colour is colour and marker.power is Power.NONE for marker in components.markers):
            yield _set_problem(f"the component set has no {colour} marker")
    for marker in components.markers:
        if (marker.power is Power.NONE) == (marker.replaces is not None):
            yield _set_problem(f"marker {marker.id}: an optional marker replaces another, and no other does")
        elif marker.replaces is not None:
            yield from _replacement_problems(marker, markers.get(marker.replaces))
    replaced = Counter(marker.replaces for marker in components.markers if marker.replaces is not None)
    for name, count in replaced.items():
        if count > 1:
            yield _set_problem(f"marker {name} is replaced {count} times")
    if sum(marker.power is Power.STASI for marker in components.markers) > 1:
        yield _set_problem("there is one Stasi marker at most")


def _replacement_problems(marker: Marker, replaced: Marker | None) -> Iterator[Problem]:
    if replaced is None or replaced.power is not Power.NONE or replaced.colour is not marker.colour:
        yield _set_problem(f"marker {marker.id} must replace an ordinary {marker.colour} marker, not {marker.replaces}")
    elif marker.power is Power.ADLER and marker.points != replaced.points:
        yield _set_problem(f"marker {marker.id} is worth what it replaces: {replaced.points}, not {marker.points}")


def _set_problem(message: str) -> Problem:
    return Problem("checkpoint-charlie/unfit-set", message, "CC-C1")


def trait_order(traits: Iterable[Trait]) -> tuple[Trait, ...]:
    """Return ``traits`` in the order of the rulebook."""
    return tuple(sorted(traits, key=TRAITS.index))
