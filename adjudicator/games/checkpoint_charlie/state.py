"""The state of a game: everything that changes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from annotated_types import Ge, Le, Len

from adjudicator.core.change import change
from adjudicator.core.ids import Name, Seat
from adjudicator.core.seated import exchanged, of_seat
from adjudicator.games.checkpoint_charlie.components import UPPER_HALF, Colour, Face, MarkerId, SuspectId, Trait


class Stage(StrEnum):
    """How far a round is.

    Counters are drawn, faces chosen, cards turned, a window is open, all must accuse, markers are drawn, players may speak;
    or the game is over.
    """

    DRAWING = "drawing"
    CLUES = "clues"
    TURNING = "turning"
    WINDOW = "window"
    LAST_CALL = "last-call"
    SCORING = "scoring"
    HEARING = "hearing"
    OVER = "over"


class Ending(StrEnum):
    """Why the game ends after this round (CC-E1)."""

    ANNOUNCED = "announced"
    COLOUR_OUT = "colour-out"
    LAST_ROUND = "last-round"


class Speech(StrEnum):
    """What a seat says in the scoring phase (CC-E1, CC-O2)."""

    ANNOUNCE = "announce"
    SWAP = "swap"
    PASS = "pass"


@dataclass(frozen=True, slots=True)
class Answer:
    """A sealed answer in a window: the ``suspect`` accused (``None``: waits), and when it was ``received``, if told."""

    suspect: SuspectId | None = None
    received: Annotated[str, Len(16, 19)] | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A sealed statement in a scoring phase; a swap names a ``colour`` and the ``other`` seat."""

    speech: Speech
    colour: Colour | None = None
    other: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """What belongs to one seat.

    ``trait`` is the counter drawn, ``clue`` the face chosen. ``row`` and ``pile`` are its suspects and its innocent in the
    order in which they were turned, ``accused`` its accusation. ``markers`` stay in their place when one is exchanged.
    ``is_watched`` says that the clue of this round is open to all (CC-O1). ``answer`` and ``statement`` are sealed.
    """

    seat: Seat
    trait: Trait | None = None
    clue: Face | None = None
    row: tuple[SuspectId, ...] = ()
    pile: tuple[SuspectId, ...] = ()
    accused: SuspectId | None = None
    markers: tuple[MarkerId, ...] = ()
    is_watched: bool = False
    answer: Answer | None = None
    statement: Statement | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The whole position.

    ``first`` begins the round (``None``: not drawn yet), ``to_turn`` turns the next card. ``deck`` is a bag of the suspects
    not seen this round, ``cards`` the investigator cards in its upper half: which suspects that half has, chance decides as
    they are turned. ``bag`` holds the clue counters of nobody, ``public`` the clues all know, ``accusations`` the seats in
    the order of accusing, ``window`` the number of the last window of the round. ``pool`` is a bag of score markers,
    ``spent`` the Café Adler markers exchanged, ``swaps`` the colours of all exchanges. ``speaking`` are the seats asked in
    a scoring phase, ``ending`` says why it is the last.
    """

    stage: Stage
    round: Annotated[int, Ge(1), Le(5)]
    first: Seat | None
    to_turn: Seat | None
    deck: tuple[SuspectId, ...]
    cards: tuple[Name, ...]
    bag: tuple[Trait, ...]
    public: tuple[Face, ...]
    agents: tuple[Agent, ...]
    accusations: tuple[Seat, ...]
    window: Annotated[int, Ge(0)]
    pool: tuple[MarkerId, ...]
    spent: tuple[MarkerId, ...]
    swaps: tuple[Colour, ...]
    speaking: tuple[Seat, ...]
    ending: Ending | None

    def agent(self, seat: Seat) -> Agent:
        """Return what belongs to ``seat``."""
        return of_seat(self.agents, seat)

    def with_agent(self, agent: Agent, **changes: Any) -> State:
        """Return the state with ``agent`` in the place of the one of that seat, and other fields changed."""
        return change(self, agents=exchanged(self.agents, agent), **changes)

    @property
    def upper(self) -> int:
        """How many suspects of the upper half of the deck have not been turned yet."""
        return max(0, len(self.deck) - UPPER_HALF)

    @property
    def shown(self) -> tuple[SuspectId, ...]:
        """The suspects turned this round, seat by seat."""
        return tuple(suspect for agent in self.agents for suspect in (*agent.row, *agent.pile))

    @property
    def cards_left(self) -> int:
        """The cards of the deck, of suspects and of investigators."""
        return len(self.deck) + len(self.cards)

    @property
    def silent(self) -> tuple[Seat, ...]:
        """The seats without an accusation."""
        return tuple(agent.seat for agent in self.agents if agent.accused is None)
