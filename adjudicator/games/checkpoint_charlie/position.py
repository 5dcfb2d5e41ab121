"""A position given explicitly instead of by chance: puzzles, tests, games begun elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le, Len

from adjudicator.core.ids import Name, Seat
from adjudicator.games.checkpoint_charlie.components import Colour, Face, MarkerId, SuspectId


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatAt:
    """Where a seat stands: its secret ``clue`` (``None``: counters are still to be drawn), cards, accusation and markers.

    ``is_watched`` says that the Stasi officer is with this seat, so that its clue is open to all.
    """

    seat: Seat
    clue: Face | None = None
    row: Annotated[tuple[SuspectId, ...], Len(0, 32)] = ()
    pile: Annotated[tuple[SuspectId, ...], Len(0, 32)] = ()
    accused: SuspectId | None = None
    markers: Annotated[tuple[MarkerId, ...], Len(0, 30)] = ()
    is_watched: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """The whole table, at the beginning of a round or in the middle of one.

    ``first`` begins the round and defaults to the first seat, ``to_turn`` turns the next card and defaults to ``first``.
    ``is_window`` says that a window is open; otherwise the next card is turned at once. ``accusations`` lists the seats in
    the order of accusing and defaults to that of the seats. ``cards`` (investigator cards in the deck) default to as many
    as there are no public clues for. The deck, the bag of clue counters and the pool of markers are what is nowhere else.
    ``spent`` are the Café Adler markers exchanged already, ``swaps`` the colours of the exchanges.
    """

    seats: Annotated[tuple[SeatAt, ...], Len(3, 5)]
    round: Annotated[int, Ge(1), Le(5)] = 1
    first: Seat | None = None
    to_turn: Seat | None = None
    is_window: bool = False
    public: Annotated[tuple[Face, ...], Len(0, 2)] = ()
    accusations: Annotated[tuple[Seat, ...], Len(0, 5)] | None = None
    cards: Annotated[tuple[Name, ...], Len(0, 2)] | None = None
    spent: Annotated[tuple[MarkerId, ...], Len(0, 8)] = ()
    swaps: Annotated[tuple[Colour, ...], Len(0, 8)] = ()
