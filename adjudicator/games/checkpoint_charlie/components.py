"""The parts of the game: suspects with their looks, investigators, clue counters, score markers (CC-C)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, NewType

from annotated_types import Ge, Le, Len

from adjudicator.core.ids import Name

SuspectId = NewType("SuspectId", str)
MarkerId = NewType("MarkerId", str)


class Trait(StrEnum):
    """What a clue counter tells of (CC-C1, CC-C2)."""

    HAT = "hat"
    GLASSES = "glasses"
    COAT = "coat"
    COLOUR = "colour"
    NEWSPAPER = "newspaper"


class Face(StrEnum):
    """One side of a clue counter; the value is one word, as outcomes and conditions write it."""

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
        """The face as it is said: ``no hat``."""
        return self.value.replace("_", " ")


class Colour(StrEnum):
    """The colours of score markers, the best first (CC-C3)."""

    GOLD = "gold"
    WHITE = "white"
    BLACK = "black"


class Power(StrEnum):
    """What a score marker can do besides counting (CC-O1, CC-O2)."""

    NONE = "none"
    STASI = "stasi"
    ADLER = "adler"


TRAITS: Final = tuple(Trait)
FACES: Final[dict[Trait, tuple[Face, Face]]] = {
    Trait.HAT: (Face.HAT, Face.NO_HAT),
    Trait.GLASSES: (Face.GLASSES, Face.NO_GLASSES),
    Trait.COAT: (Face.RAINCOAT, Face.SWEATER),
    Trait.COLOUR: (Face.GREY, Face.ORANGE),
    Trait.NEWSPAPER: (Face.NEWSPAPER, Face.NO_NEWSPAPER),
}
"""The two faces of each clue counter (CC-C2)."""
TRAIT_OF: Final[dict[Face, Trait]] = {face: trait for trait, faces in FACES.items() for face in faces}
INVESTIGATORS: Final = ("Laces", "Lansbury", "Britton", "Colombini", "Meridian")
"""Whom the seats play, in the order in which ``auto`` gives them out (CC-C2)."""
UPPER_HALF: Final = 16
"""Suspects in the half into which unused investigator cards are shuffled (CC-S3)."""
ENOUGH: Final = 10
"""Points that may be announced to end the game (CC-E1)."""
MOST_WAITS: Final = 99
"""Windows that one ``WAIT`` may pass (CC-P1)."""

Looks = tuple[Face, Face, Face, Face, Face]
"""A face of each trait, in the order of the traits."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A suspect: its name (one word) and its looks (CC-C1)."""

    id: Annotated[SuspectId, Len(2, 16)]
    looks: Looks


@dataclass(frozen=True, slots=True)
class Marker:
    """A score marker: its colour, what it is worth, what it can do, and the marker whose place it takes (CC-C3).

    A marker that ``replaces`` another is optional: it is in the game with the option of its power alone.
    """

    id: Annotated[MarkerId, Len(1, 8)]
    colour: Colour
    points: Annotated[int, Ge(-9), Le(9)]
    power: Power = Power.NONE
    replaces: MarkerId | None = None


@dataclass(frozen=True, slots=True)
class Components:
    """A component set: everything in the box that differs from set to set."""

    id: Name
    version: Annotated[int, Ge(1)]
    name: Name
    note: Annotated[str, Len(0, 500)]
    suspects: Annotated[tuple[Suspect, ...], Len(32, 32)]
    markers: Annotated[tuple[Marker, ...], Len(3, 100)]
