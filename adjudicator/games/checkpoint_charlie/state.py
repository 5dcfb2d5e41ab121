"""The state of a game: everything that changes, and who may see it.

It stores no derived values: the deck is the suspects that are nowhere else, the bag the clue counters not drawn or tossed,
the pool the markers that no seat holds.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from itertools import chain
from typing import Annotated, Any, Final

from adjudicator.game import (
    MODERATOR,
    OWNER,
    PUBLIC,
    At,
    Count,
    Mark,
    Meta,
    Name,
    Public,
    Said,
    Seat,
    Value,
    Viewer,
    piles,
    remember_last,
    replace,
)
from adjudicator.game import State as BaseState
from adjudicator.games.checkpoint_charlie import components as parts
from adjudicator.games.checkpoint_charlie.components import Colour, Config, Face, MarkerId, Power, SuspectId, Trait
from adjudicator.games.checkpoint_charlie.meta import MOST_ROUNDS


class Stage(StrEnum):
    """How far a round is: clues are laid, cards turned, a window is open, all must accuse, it is scored; or all is over."""

    CLUES = "clues"
    TURNING = "turning"
    WINDOW = "window"
    LAST_CALL = "last-call"
    SCORING = "scoring"
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


DECK: Final = piles.Pieces("suspect", "CC-C1", lambda config: config.looks, "agents.row", "agents.pile", named_by=SuspectId)
BAG: Final = piles.Pieces("clue counter", "CC-C2", lambda _config: parts.TRAITS, "agents.counter", "public.trait")
POOL: Final = piles.Pieces("marker", "CC-C3", lambda config: config.markers, "agents.markers", named_by=MarkerId)
SPARE: Final = piles.Pieces("spare investigator card", "CC-S3", lambda config: config.unused, "cards")
PIECES: Final = (DECK, BAG, POOL, SPARE)
"""What a state names: each piece lies in one place of it, or else in the deck, the bag or the pool."""
Suspects = Annotated[tuple[SuspectId, ...], Meta(max_length=parts.SUSPECTS)]
SpareCards = tuple[Annotated[Name, SPARE], ...]


class Answer(Value):
    """A sealed answer in a window: the ``suspect`` accused (``None``: waits), and when it was ``received``, if told."""

    suspect: SuspectId | None = None
    received: Annotated[str, Meta(min_length=16, max_length=19)] | None = None

    def text(self) -> str:
        """Return the answer in words: ``accuses Natasha``."""
        return "waits" if self.suspect is None else f"accuses {self.suspect}"


class Statement(Value):
    """A sealed statement in a scoring phase; a swap names a ``colour`` and the ``other`` seat."""

    speech: Speech
    colour: Colour | None = None
    other: Seat | None = None

    def text(self) -> str:
        """Return the statement in words: ``swap gold with blue``."""
        return " ".join(filter(None, (self.speech, self.colour, self.other and f"with {self.other}")))


class Accusation(Value):
    """Whom the seat ``by`` has accused this round."""

    by: Seat
    suspect: SuspectId


SEALED: Final = "sealed"
"""What others see in the place of a counter drawn, a clue laid, an answer or a statement."""


def sees_clue(config: Config, state: State, agent: Agent, viewer: Viewer) -> bool:
    """Return whether ``viewer`` sees the clue: its own, in the scoring phase and after, under the Stasi officer's eyes."""
    return viewer in (agent.seat, MODERATOR) or state.is_scored or lies_open(config, state, agent)


def lies_open(config: Config, state: State, agent: Agent) -> bool:
    """Return whether the clue of ``agent`` lies open for the Stasi officer, or will as soon as it is laid (CC-O1)."""
    return state.watched == agent.seat and state.stage is not Stage.CLUES


def sees_markers(_config: Config, state: State, agent: Agent, viewer: Viewer) -> bool:
    """Return whether ``viewer`` sees the markers: its own, and all once the game is over (CC-K3)."""
    return viewer in (agent.seat, MODERATOR) or state.stage is Stage.OVER


def _face_down(config: Config, markers: tuple[MarkerId, ...]) -> tuple[MarkerId | Colour, ...]:
    """Return the backs of ``markers``, which tell the colour; the Stasi marker lies open (CC-O1)."""
    return tuple(marker if config.power_of(marker) is Power.STASI else config.colour_of(marker) for marker in markers)


def _that_it_is(_config: Config, value: Any) -> str | None:
    return None if value is None else SEALED


_WHILE_OPEN: Final = Mark(sees_clue).shown_as(_that_it_is)
_HELD: Final = Mark(sees_markers)
_SEALED: Final = OWNER.shown_as(_that_it_is)
_CLUE: Final = Said(lambda _config, face: "" if face is None else face.words)
_COUNTER: Final = Said(
    lambda _config, trait: " or ".join(face.words for face in parts.FACES[trait]) if trait else "", "possible clues"
)
_MARKERS: Final = Said(
    lambda config, markers: ", ".join(f"{config.colour_of(one)} worth {config.points([one])} ({one})" for one in markers)
)
_ANSWER: Final = Said(lambda _config, answer: "" if answer is None else answer.text())
_SHOWN: Final = Said(lambda _config, _value: "")


class Agent(Value, kw_only=True):
    """What belongs to one seat.

    ``trait`` is the counter drawn until its face is chosen, ``clue`` the face from then on. ``row`` and ``pile`` are its
    suspects and its innocent in the order in which they were turned. ``markers`` stay in their place when one is exchanged;
    ``spent`` are the Café Adler markers among them that have been exchanged: they lie open (CC-O2).
    ``answer`` and ``statement`` are sealed. A viewer sees ``SEALED`` in place of hidden values, and the colours in place of
    markers, also of those in ``spent``: the place of an exchanged one stays hidden.
    """

    seat: Public[Seat]
    trait: Annotated[Trait | None, _SEALED, _COUNTER] = None
    clue: Annotated[Face | None, _WHILE_OPEN, _CLUE] = None
    row: Public[tuple[SuspectId, ...]] = ()
    pile: Public[tuple[SuspectId, ...]] = ()
    markers: Annotated[tuple[MarkerId, ...], _HELD.shown_as(_face_down, Colour), _MARKERS] = ()
    spent: Annotated[tuple[MarkerId, ...], PUBLIC, _SHOWN] = ()
    answer: Annotated[Answer | None, _SEALED, _ANSWER] = None
    statement: Annotated[Statement | None, _SEALED, _ANSWER] = None

    @property
    def counter(self) -> Trait | None:
        """The clue counter drawn, also before its face is chosen."""
        return self.trait if self.clue is None else self.clue.trait

    @property
    def seen_clue(self) -> Face | None:
        """The clue, ``None`` where it is not laid yet or may not be seen."""
        return self.clue if isinstance(self.clue, Face) else None


class State(BaseState[Agent], kw_only=True):
    """The whole position.

    ``stage`` is stored since the steps from one to the next are events on record: a position may be given before any of
    them. ``first`` begins the round (``None``: not drawn yet). ``to_turn`` turns the next card: a position in the middle of
    a round need not show all that were turned before. ``cards`` are the investigator cards in the upper half of the deck:
    which suspects that half has, chance decides as they are turned. ``public`` are the clues all know. ``accusations`` are
    in the order of accusing; ``window`` is the number of the last window of the round. ``watched`` plays with an open clue
    (CC-O1). ``swaps`` are the colours of all exchanges. ``speaking`` are the seats asked in a hearing; an amendment since
    then may have changed the markers that decided it. ``ending`` says why it is the last round.
    """

    own_in = "agents"

    stage: Public[Stage]
    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS), PUBLIC]
    first: Public[Seat | None] = None
    to_turn: Public[Seat | None] = None
    cards: Public[SpareCards] = ()
    public: Public[tuple[Face, ...]] = ()
    agents: Public[tuple[Agent, ...]]
    accusations: Public[tuple[Accusation, ...]] = ()
    window: Annotated[Count, PUBLIC] = 0
    watched: Public[Seat | None] = None
    swaps: Public[tuple[Colour, ...]] = ()
    speaking: Public[tuple[Seat, ...]] = ()
    ending: Public[Ending | None] = None

    @property
    def is_scored(self) -> bool:
        """Whether the round has come to its scoring phase: the clues are open to all."""
        return self.stage in (Stage.SCORING, Stage.OVER)

    @property
    def shown(self) -> tuple[SuspectId, ...]:
        """The suspects turned this round, seat by seat."""
        return tuple(chain.from_iterable([agent.row + agent.pile for agent in self.agents]))

    @property
    def clues(self) -> tuple[Face, ...]:
        """The clues of all seats whose clue is seen, then the public ones."""
        return (*(agent.seen_clue for agent in self.agents if agent.seen_clue is not None), *self.public)

    @property
    def bag(self) -> tuple[Trait, ...]:
        """The clue counters in the bag, in the order of the traits; do not use it on a view, which hides who has which."""
        return BAG.left(None, self)

    @property
    def bag_size(self) -> int:
        """How many clue counters are in the bag."""
        drawn = sum(agent.trait is not None or agent.clue is not None for agent in self.agents)
        return len(parts.TRAITS) - drawn - len(self.public)

    @property
    def unsealed(self) -> tuple[Agent, ...]:
        """The agents without sealed answers and statements."""
        return tuple(replace(agent, answer=None, statement=None) for agent in self.agents)

    def accused(self, seat: Seat) -> SuspectId | None:
        """Return whom ``seat`` has accused, ``None`` while it has accused none."""
        return next((accusation.suspect for accusation in self.accusations if accusation.by == seat), None)

    def accuser(self, suspect: SuspectId) -> Seat | None:
        """Return the seat that has accused ``suspect``, or ``None``."""
        return next((accusation.by for accusation in self.accusations if accusation.suspect == suspect), None)

    @property
    @remember_last
    def silent(self) -> tuple[Seat, ...]:
        """The seats without an accusation."""
        accusers = [accusation.by for accusation in self.accusations]
        return tuple([agent.seat for agent in self.agents if agent.seat not in accusers])


Here = At[Config, State, Agent]
"""A position of the game."""


def in_turn(at: Here, seats: Collection[Seat]) -> tuple[Seat, ...]:
    """Return those of ``seats`` in playing order, from the next to turn a card."""
    to_turn = at.state.to_turn
    return tuple([seat for seat in at.config.clockwise(to_turn) if seat in seats]) if to_turn and seats else ()


def begin(config: Config) -> State:
    """Return the state before anything has happened."""
    return State(stage=Stage.CLUES, round=1, cards=config.unused, agents=tuple(Agent(seat=seat) for seat in config.seats))
