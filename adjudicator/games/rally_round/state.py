"""Define the state of a rally: what each crew has done, who may see it, explicit positions, and their validation."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, TypeVar

from adjudicator.game import (
    PUBLIC,
    At,
    Count,
    Event,
    InOrder,
    Mark,
    Meta,
    Name,
    Public,
    Said,
    Seat,
    Value,
    Whole,
    kept,
    remember_last,
    replace,
)
from adjudicator.game import State as BaseState
from adjudicator.games.rally_round.components import (
    PLACES,
    CardId,
    Control,
    HazardCard,
    HazardId,
    Kind,
    KitId,
    MarkerSquare,
    Mph,
    Rally,
    SquareId,
)
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.laying import Markers, laid_course
from adjudicator.games.rally_round.route import clock
from adjudicator.games.rally_round.way import Car, Turn, legal_speeds, way_ahead


class Out(StrEnum):
    """Why a crew is out of the rally: disqualified (RR-F6), or it has given up (RR-R1)."""

    DISQUALIFIED = "disqualified"
    RETIRED = "retired"


SEALED: Final = Mark(lambda config, state, crew, viewer: config.is_open or viewer == crew.seat or state.is_over(config))
"""The mark of values that only their crew sees until the rally is over (RR-H6)."""
SHOWN: Final = Said(lambda _config, _value: "")
"""The mark of secrets that the report shows in the time sheet, or that mean nothing to a player."""
_CARDS: Final = Said(lambda _config, cards: " ".join(cards))
_WAY: Final = Said(lambda _config, squares: " ".join(squares), "way in this section")
_HELD: Final = Said(lambda _config, cards: " ".join(cards), "hazard cards")
_PENALTY: Final = Said(lambda _config, seconds: f"{clock(seconds)} marks")
_BLOCKING: Final = Said(lambda _config, blocks: "" if blocks else "BLOCK never: others may overtake", "standing answer")
_ASKING: Final = Said(lambda _config, asks: "BLOCK ask: you answer each time" if asks else "", "standing answer")

_KIT: Final = InOrder(lambda config: [*config.kit].index)
_KINDS: Final = len(Kind)
Seconds = Annotated[int, Meta(ge=0, le=1_000_000)]


class Line(Value, kw_only=True):
    """A finished section: the speeds on its sheet, the ``time`` it took, and the ``penalty`` after it."""

    speeds: tuple[Mph, ...]
    time: Seconds
    penalty: Seconds


class Crew(Value, kw_only=True, omit_defaults=True):
    """The belongings of one seat.

    ``lines`` are the sections it has finished; the next fields are about its present section. ``trail`` are the squares of
    this section that it drove over, the last the one where it is. ``speed`` is 0 if it needs a Starting Speed. ``met``
    counts the PCs it has met, ``faulted`` names the controls that have cost it 30 marks. ``drawn`` counts hazard cards from
    its pack; it keeps ``held``, and ``returned`` lie under the pack in their order.

    At a table it must still miss ``lost`` turns, ``is_off`` says that the car is off the road until it drives on,
    ``is_blocking`` that it lets no one overtake if it has the card, ``is_asking`` that it answers each time; ``guarded`` is
    the last minute in which it used a hazard card against overtaking (0: none); ``arrived`` says when it came to its
    square; ``totals`` are the penalties after each section of earlier parts.
    """

    seat: Public[Seat]
    out: Public[Out | None] = kept(None)
    lines: Annotated[tuple[Line, ...], SEALED.counted, SHOWN] = kept(())
    kit: Annotated[tuple[KitId, ...], SEALED.counted, _CARDS, _KIT] = kept(())
    trail: Annotated[tuple[Annotated[SquareId, PLACES], ...], SEALED, _WAY] = kept(())
    speed: Annotated[Mph, SEALED, SHOWN] = kept(0)
    speeds: Annotated[tuple[Mph, ...], SEALED, SHOWN] = kept(())
    met: Annotated[int, Meta(ge=0, le=99), SEALED, SHOWN] = kept(0)
    faulted: Annotated[tuple[Name, ...], SEALED, SHOWN] = kept(())
    drawn: Annotated[int, Meta(ge=0, le=999), SEALED, SHOWN] = kept(0)
    held: Annotated[tuple[HazardId, ...], SEALED, _HELD] = kept(())
    returned: Annotated[tuple[HazardId, ...], SEALED, SHOWN] = kept(())
    penalty: Annotated[Seconds, SEALED, _PENALTY] = kept(0)
    lost: Annotated[int, Meta(ge=0, le=99), SEALED, SHOWN] = 0
    is_off: Annotated[bool, SEALED, SHOWN] = False
    is_blocking: Annotated[bool, SEALED, _BLOCKING] = True
    arrived: Annotated[Count, SEALED, SHOWN] = 0
    totals: Annotated[tuple[Seconds, ...], SEALED, SHOWN] = ()
    is_asking: Annotated[bool, SEALED, _ASKING] = False
    guarded: Annotated[Count, SEALED, SHOWN] = 0

    @property
    def is_seen(self) -> bool:
        """Whether the viewer may see its sheet; hidden values are ``None``."""
        return self.speeds is not None

    def is_done(self, config: Config) -> bool:
        """Return whether it has nothing more to drive."""
        return self.out is not None or (bool(config.sections) and len(self.lines) >= len(config.sections))

    def has_kit(self) -> bool:
        """Return whether its kit is complete (RR-K1)."""
        return len(self.kit) == _KINDS

    def missing(self, config: Config) -> list[Kind]:
        """Return the kinds of cards that its kit still needs."""
        taken = {config.kit[card].kind for card in self.kit}
        return [kind for kind in Kind if kind not in taken]

    @property
    def penalties(self) -> tuple[int, ...]:
        """The penalty after each section that it has finished."""
        return tuple(line.penalty for line in self.lines)

    def car(self, config: Config) -> Car:
        """Return its car in the section where it is."""
        return Car(config.sections[len(self.lines)], self.trail, self.speed, self.met, self.faulted)

    def legal_speeds(self, config: Config, via: tuple[str, ...] = (), using: CardId | None = None) -> range:
        """Return its legal speeds now, on the way over ``via`` and with the hazard card in use. Raises ``NoWay`` (RR-M6)."""
        # The square ahead matters to a car that starts on a hill; the places that an order names must exist in any case.
        car = self.car(config)
        ahead = way_ahead(config, car, 1, via) if via or not car.speed else ()
        return legal_speeds(config, car, config.rights(self.kit, using), ahead[0] if ahead else None)

    def next_hazard(self, config: Config) -> HazardCard | None:
        """Return the card on top of its pack: first all cards in order, then the returned ones (RR-F8, RR-H7)."""
        if self.drawn < len(config.components.hazards):
            return config.components.hazards[self.drawn]
        return config.hazards[self.returned[0]] if self.returned else None


class Announced(Value, kw_only=True):
    """A waiting move of the crew ``mover``: the crew ``by`` must say whether it blocks; ``free`` have let it pass.

    The other fields are those of its order: see ``Speed``.
    """

    mover: Seat
    by: Seat
    speed: Annotated[int, Meta(ge=10, le=200)]
    via: Annotated[tuple[Name, ...], Meta(max_length=20)] = ()
    using: HazardId | None = None
    lands: str = ""
    free: tuple[Seat, ...] = ()

    @property
    def turn(self) -> Turn:
        """The turn that was announced."""
        return Turn(self.speed, self.via, self.using, self.lands)


class State(BaseState[Crew], kw_only=True, omit_defaults=True):
    """The whole position.

    All fields but ``crews`` are for the game at a table: the ``order`` of starting, the square of the ``finish``, the
    ``controls`` and Black Spots, ``laid`` in so many turns; the ``minute``, and the ``queue`` of crews still to move in it;
    hazard cards ``returned`` under the pack; the ``part`` of the rally, the ``squares`` of the sections of earlier parts,
    a lone player's ``own`` crew; and a move that was ``announced`` and waits for an answer.
    """

    own_in, account = "crews", "penalty"
    crews: Public[tuple[Crew, ...]]
    order: Public[tuple[Seat, ...]] = ()
    finish: Public[MarkerSquare | None] = None
    controls: Public[tuple[Control, ...]] = ()
    black_spots: Public[tuple[MarkerSquare, ...]] = ()
    laid: Annotated[Count, PUBLIC] = 0
    minute: Annotated[Count, PUBLIC] = 0
    queue: Public[tuple[Seat, ...]] = ()
    returned: Public[tuple[HazardId, ...]] = ()
    part: Annotated[int, Meta(ge=1, le=5), PUBLIC] = 1
    squares: Public[tuple[Whole, ...]] = ()
    own: Public[Seat | None] = None
    announced: Public[Announced | None] = None

    @remember_last
    def is_over(self, config: Config) -> bool:
        """Return whether no crew has anything more to drive."""
        # Every reader of a state needs this for each secret in it. The last seat acts last: mostly it is still on the road.
        laid, is_last = course(config, self), self.part >= config.parts
        return all(crew.out is not None or (is_last and crew.is_done(laid)) for crew in reversed(self.crews))

    @property
    def number_due(self) -> int:
        """The number of the next control to lay."""
        return len(self.controls) + 1

    @property
    def markers(self) -> Markers:
        """The markers of a table."""
        return Markers(self.controls, self.black_spots, self.finish)


Here = At[Config, State, Crew]
"""A position of the game."""
H = TypeVar("H", bound=Here)


def course(config: Config, state: State) -> Config:
    """Return ``config`` with the present route: at a table the one that the players have laid."""
    return laid_course(config, state.controls, state.black_spots, state.finish) if config.is_table else config


def on_course(at: H) -> H:
    """Return ``at`` with the present route in its configuration (see ``course``)."""
    return replace(at, config=course(at.config, at.state)) if at.config.is_table else at


class OfCrew(Event):
    """An event of one crew that only this crew sees, unless sheets are open (RR-H6)."""

    seen_by = Mark(lambda config, happened, _holder, viewer: config.is_open or viewer == happened.seat)
    seat: Public[Seat]


class Position(Value, kw_only=True, omit_defaults=True):
    """An explicit position to begin a game from: another marked map, crews that are on their way, or both.

    The other fields are for a table (see ``State``): the order of starting, the route, the minute.
    """

    rally: Public[Rally | None] = kept(None)
    seats: Annotated[tuple[Crew, ...], Meta(max_length=10_000)] = kept(())
    order: tuple[Seat, ...] = ()
    finish: MarkerSquare | None = None
    controls: tuple[Control, ...] = ()
    black_spots: tuple[MarkerSquare, ...] = ()
    minute: Count = 0
    queue: tuple[Seat, ...] = ()
    returned: tuple[HazardId, ...] = ()
