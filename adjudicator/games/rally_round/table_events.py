"""The events of the game at a table: laying the route, moves in order, cars in each other's way, parts (RR-O)."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import PUBLIC, Event, Meta, Name, Positive, Public, Seat, Whole, count, events_of, kept, replace
from adjudicator.games.rally_round import events
from adjudicator.games.rally_round.components import CardId, Control, Mph, Side, SquareId, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.state import Announced, Crew, State


class StartDrawn(Event):
    """Chance drew the cars: the ``order`` of starting."""

    says = "the cars are drawn: {order} start in this order"
    sets = {"order": "order"}
    order: Public[tuple[Seat, ...]]
    rule: Name = "RR-H7"


class StartChosen(Event):
    """The first player chose the start: TC1."""

    says = "{seat} puts the start on {square}"
    seat: Public[Seat]
    square: Public[SquareId]
    rule: Name = "RR-L1"

    def apply(self, config: Config, state: State) -> State:
        crews = tuple(replace(crew, trail=(self.square,)) for crew in state.crews)
        return replace(state, crews=crews, controls=(Control(square=self.square),), laid=state.laid + 1)


class FinishChosen(Event):
    """A player chose the finish."""

    says = "{seat} puts the finish on {square}"
    sets, adds = {"finish": "square"}, {"laid": 1}
    seat: Public[Seat]
    square: Public[SquareId]
    rule: Name = "RR-L1"


class ControlPlaced(Event):
    """A player placed a control: a PC without a ``section``, ``distance`` squares on from the control before."""

    seat: Public[Seat]
    name: Public[Name]
    square: Public[SquareId]
    side: Public[Side]
    section: Public[Timing | None]
    speed: Annotated[Whole | None, PUBLIC]
    distance: Annotated[Positive, PUBLIC]
    rule: Name = "RR-L3"

    def apply(self, config: Config, state: State) -> State:
        control = Control(square=self.square, side=self.side, section=self.section, speed=self.speed)
        return replace(state, controls=(*state.controls, control), laid=state.laid + 1)

    def tell(self, config: Config) -> str:
        speed = f" at {self.speed} mph" if self.speed else ""
        section = f", a {self.section} section{speed}" if self.section else ""
        return (
            f"{self.seat} places {self.name} on {self.square} from {self.side}, {count(self.distance, 'square')} on{section}"
        )


class BlackSpotPlaced(Event):
    """A player placed a Black Spot."""

    says = "{seat} places a Black Spot on {square}"
    moves, adds = "square: > black_spots", {"laid": 1}
    seat: Public[Seat]
    square: Public[SquareId]
    rule: Name = "RR-L2"


class MarkerRemoved(Event):
    """A player placed a wrong marker on ``square``, by ``rule``: it was removed, and the player lost the turn."""

    says = "{seat} loses the turn because the marker on {square} is wrong: {why}"
    adds = {"laid": 1}
    seat: Public[Seat]
    square: Public[SquareId]
    why: Annotated[str, Meta(min_length=1, max_length=200), PUBLIC]
    rule: Name


class MarkerPassed(Event):
    """A player placed no marker."""

    says = "{seat} places no marker"
    adds = {"laid": 1}
    seat: Public[Seat]
    rule: Name = "RR-L3"


class CrewChosen(Event):
    """A lone player chose its own crew."""

    says = "{seat} is the player's own crew: the others win against it"
    sets = {"own": "seat"}
    seat: Public[Seat]
    rule: Name = "RR-V1"


class MinuteBegun(Event):
    """The next minute of the rally began; the crews move in this ``order``."""

    sets = {"minute": "minute", "queue": "order"}
    minute: Annotated[Positive, PUBLIC]
    order: Public[tuple[Seat, ...]]
    rule: Name = "RR-M5"

    def tell(self, config: Config) -> str:
        return f"minute {self.minute}: {', then '.join(self.order) or 'no crew'}"


class TurnTaken(Event):
    """A crew has had its turn of this minute."""

    moves = "seat: queue >"
    seat: Public[Seat]
    rule: Name = "RR-M5"


class MustMiss(Event):
    """A crew must miss ``turns`` from the next minute on; a car that ``is_off`` the road is in no one's way."""

    says = "{seat} must miss {turns:turn}"
    sets, becomes = {"own.lost": "turns", "own.is_off": "is_off"}, {"own.speed": 0}
    seat: Public[Seat]
    turns: Annotated[int, Meta(ge=1, le=99), PUBLIC]
    is_off: Public[bool]
    rule: Name


class TurnLost(Event):
    """A crew missed its turn of this minute; it must miss ``left`` more."""

    seat: Public[Seat]
    left: Annotated[int, Meta(ge=0, le=99), PUBLIC]
    rule: Name = "RR-P5"

    def apply(self, config: Config, state: State) -> State:
        crew: Crew = state.of(self.seat)
        queue = tuple(seat for seat in state.queue if seat != self.seat)
        # A car off the road is back on it with its next Starting Speed.
        return state.with_own(self.seat, {"queue": queue}, lost=self.left, speeds=(*crew.speeds, 0))

    def tell(self, config: Config) -> str:
        return f"{self.seat} misses the turn" + (f"; it must miss {count(self.left, 'more turn')}" if self.left else "")


class Displaced(Event):
    """A move ended on the next free square instead of a taken one."""

    says = "{seat} cannot stop on a taken square: the move ends on {square}"
    seat: Public[Seat]
    square: Public[SquareId]
    rule: Name = "RR-O1"


class Held(Event):
    """A crew with a card against overtaking held another one back."""

    says = "{seat} cannot overtake {by}, and stays behind on {square}"
    seat: Public[Seat]
    by: Public[Seat]
    square: Public[SquareId]
    rule: Name = "RR-O1"


class BlockSet(Event, omit_defaults=True):
    """A crew with a card against overtaking said whether it lets others overtake."""

    sets = {"own.is_blocking": "is_on", "own.is_asking": "is_asking"}
    seat: Public[Seat]
    is_on: Public[bool]
    is_asking: Public[bool] = False
    rule: Name = kept("RR-O1")

    def tell(self, config: Config) -> str:
        if self.is_asking:
            return f"{self.seat} will answer each time another crew would overtake"
        return f"{self.seat} lets {'no one' if self.is_on else 'others'} overtake"


class BlockAsked(Event):
    """A crew announced a move that would overtake a crew that wants to be asked; ``free`` have already let it pass."""

    says = "{seat} announces {speed} mph, and {by} must say whether it blocks"
    seat: Public[Seat]
    by: Public[Seat]
    speed: Annotated[Mph, PUBLIC]
    via: Public[tuple[Name, ...]]
    using: Public[CardId | None]
    lands: Public[str]
    free: Public[tuple[Seat, ...]]
    rule: Name = "RR-O1"

    def apply(self, config: Config, state: State) -> State:
        waiting = Announced(
            mover=self.seat,
            by=self.by,
            speed=self.speed,
            via=self.via,
            using=self.using,
            lands=self.lands,
            free=self.free,
        )
        return replace(state, announced=waiting)


class BlockAnswered(Event):
    """The crew that was asked said whether it blocks; the waiting move goes ahead now."""

    becomes = {"announced": None}
    seat: Public[Seat]
    is_on: Public[bool]
    rule: Name = "RR-O1"

    def tell(self, config: Config) -> str:
        return f"{self.seat} {'blocks' if self.is_on else 'gives way'}"


class TableHazardDrawn(Event):
    """A crew drew the top card of the shuffled pack: an advantage is kept, a setback goes under the pack."""

    says = "{seat} draws {card}"
    seat: Public[Seat]
    card: Public[events.Drawn]
    rule: Name = "RR-F8"

    def apply(self, config: Config, state: State) -> State:
        card = config.hazards[self.card]
        returned = tuple(other for other in state.returned if other != self.card)
        if card.is_kept:
            return replace(state, returned=returned).with_own(self.seat, held=(*state.of(self.seat).held, card.id))
        return replace(state, returned=(*returned, card.id))


class PartEnded(Event):
    """A part of the rally ended: the next one starts at its finish, with all markers removed."""

    part: Annotated[Positive, PUBLIC]
    finish: Public[SquareId]
    squares: Public[tuple[Whole, ...]]
    rule: Name = "RR-V1"

    def apply(self, config: Config, state: State) -> State:
        return replace(
            state,
            part=state.part + 1,
            squares=(*state.squares, *self.squares),
            controls=(Control(square=self.finish),),
            black_spots=(),
            finish=None,
            laid=0,
            minute=0,
            queue=(),
            crews=tuple(self._moved_on(crew) for crew in state.crews),
        )

    def _moved_on(self, crew: Crew) -> Crew:
        totals = (*crew.totals, *(line.penalty for line in crew.lines))
        fresh = replace(crew, totals=totals, lines=(), trail=(self.finish,), speed=0, speeds=(), met=0, faulted=())
        return replace(fresh, lost=0, is_off=False, arrived=0, guarded=0)

    def tell(self, config: Config) -> str:
        return f"part {self.part} is over; part {self.part + 1} starts on {self.finish}, all markers are removed"


EVENTS: Final = events_of(events.__name__, __name__)
