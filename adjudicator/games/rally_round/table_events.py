"""The events of the game at a table: laying the route, moves in order, cars in each other's way, parts (RR-O)."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import (
    PUBLIC,
    Event,
    Ge,
    Le,
    Len,
    Name,
    Public,
    Seat,
    added_later,
    change,
    count,
    event,
    events_of,
)
from adjudicator.games.rally_round import events
from adjudicator.games.rally_round.components import CardId, Control, Mph, Side, SquareId, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.state import Announced, Crew, State


@event("RR-H7", "the cars are drawn: {order} start in this order", sets={"order": "order"})
class StartDrawn(Event):
    """Chance drew the cars: the ``order`` of starting."""

    order: Public[tuple[Seat, ...]]


@event("RR-L1", "{seat} puts the start on {square}")
class StartChosen(Event):
    """The first player chose the start: TC1."""

    seat: Public[Seat]
    square: Public[SquareId]

    def apply(self, config: Config, state: State) -> State:
        crews = tuple(change(crew, trail=(self.square,)) for crew in state.crews)
        return change(state, crews=crews, controls=(Control(square=self.square),), laid=state.laid + 1)


@event("RR-L1", "{seat} puts the finish on {square}")
class FinishChosen(Event):
    """A player chose the finish."""

    seat: Public[Seat]
    square: Public[SquareId]

    def apply(self, config: Config, state: State) -> State:
        return change(state, finish=self.square, laid=state.laid + 1)


@event("RR-L3")
class ControlPlaced(Event):
    """A player placed a control: a PC without a ``section``, ``distance`` squares on from the control before."""

    seat: Public[Seat]
    name: Public[Name]
    square: Public[SquareId]
    side: Public[Side]
    section: Public[Timing | None]
    speed: Annotated[int | None, PUBLIC]
    distance: Annotated[int, Ge(1), PUBLIC]

    def apply(self, config: Config, state: State) -> State:
        control = Control(square=self.square, side=self.side, section=self.section, speed=self.speed)
        return change(state, controls=(*state.controls, control), laid=state.laid + 1)

    def tell(self, config: Config) -> str:
        speed = f" at {self.speed} mph" if self.speed else ""
        section = f", a {self.section} section{speed}" if self.section else ""
        return (
            f"{self.seat} places {self.name} on {self.square} from {self.side}, {count(self.distance, 'square')} on{section}"
        )


@event("RR-L2", "{seat} places a Black Spot on {square}")
class BlackSpotPlaced(Event):
    """A player placed a Black Spot."""

    seat: Public[Seat]
    square: Public[SquareId]

    def apply(self, config: Config, state: State) -> State:
        return change(state, black_spots=(*state.black_spots, self.square), laid=state.laid + 1)


@event(says="{seat} loses the turn because the marker on {square} is wrong: {why}")
class MarkerRemoved(Event):
    """A player placed a wrong marker on ``square``, by ``rule``: it was removed, and the player lost the turn."""

    seat: Public[Seat]
    square: Public[SquareId]
    why: Annotated[str, Len(1, 200), PUBLIC]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return change(state, laid=state.laid + 1)


@event("RR-L3", "{seat} places no marker")
class MarkerPassed(Event):
    """A player placed no marker."""

    seat: Public[Seat]

    def apply(self, config: Config, state: State) -> State:
        return change(state, laid=state.laid + 1)


@event("RR-V1", "{seat} is the player's own crew: the others win against it", sets={"own": "seat"})
class CrewChosen(Event):
    """A lone player chose its own crew."""

    seat: Public[Seat]


@event("RR-M5", sets={"minute": "minute", "queue": "order"})
class MinuteBegun(Event):
    """The next minute of the rally began; the crews move in this ``order``."""

    minute: Annotated[int, Ge(1), PUBLIC]
    order: Public[tuple[Seat, ...]]

    def tell(self, config: Config) -> str:
        return f"minute {self.minute}: {', then '.join(self.order) or 'no crew'}"


@event("RR-M5")
class TurnTaken(Event):
    """A crew has had its turn of this minute."""

    seat: Public[Seat]

    def apply(self, config: Config, state: State) -> State:
        queue = tuple([seat for seat in state.queue if seat != self.seat])
        if config.version < 2:  # in version 1 a turn without a move also renewed the arrival
            count_of_moves = len(config.seats) * (state.minute + 1) - len(queue)
            state = state.with_crew(change(state.crew(self.seat), arrived=count_of_moves))
        with_turn: State = change(state, queue=queue)
        return with_turn

    def tell(self, config: Config) -> str:
        return ""


@event(says="{seat} must miss {turns:turn}")
class MustMiss(Event):
    """A crew must miss ``turns`` from the next minute on; a car that ``is_off`` the road is in no one's way."""

    seat: Public[Seat]
    turns: Annotated[int, Ge(1), Le(99), PUBLIC]
    is_off: Public[bool]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_crew(self.seat, lost=self.turns, is_off=self.is_off, speed=0)


@event("RR-P5")
class TurnLost(Event):
    """A crew missed its turn of this minute; it must miss ``left`` more."""

    seat: Public[Seat]
    left: Annotated[int, Ge(0), Le(99), PUBLIC]

    def apply(self, config: Config, state: State) -> State:
        crew: Crew = state.crew(self.seat)
        queue = tuple(seat for seat in state.queue if seat != self.seat)
        # It is back on the road with its next Starting Speed; in version 1 with the last turn that it missed.
        is_off, speeds = crew.is_off and (self.left > 0 or config.version > 1), (*crew.speeds, 0)
        return state.with_crew(self.seat, {"queue": queue}, lost=self.left, is_off=is_off, speeds=speeds)

    def tell(self, config: Config) -> str:
        return f"{self.seat} misses the turn" + (f"; it must miss {count(self.left, 'more turn')}" if self.left else "")


@event("RR-O1", "{seat} cannot stop on a taken square: the move ends on {square}")
class Displaced(Event):
    """A move ended on the next free square instead of a taken one."""

    seat: Public[Seat]
    square: Public[SquareId]


@event("RR-O1", "{seat} cannot overtake {by}, and stays behind on {square}")
class Held(Event):
    """A crew with a card against overtaking held another one back."""

    seat: Public[Seat]
    by: Public[Seat]
    square: Public[SquareId]


@event("RR-O1", sets_own={"is_blocking": "is_on", "is_asking": "is_asking"})
class BlockSet(Event):
    """A crew with a card against overtaking said whether it lets others overtake."""

    seat: Public[Seat]
    is_on: Public[bool]
    is_asking: Public[bool] = added_later(False)

    def tell(self, config: Config) -> str:
        if self.is_asking:
            return f"{self.seat} will answer each time another crew would overtake"
        return f"{self.seat} lets {'no one' if self.is_on else 'others'} overtake"


@event("RR-O1", "{seat} announces {speed} mph, and {by} must say whether it blocks")
class BlockAsked(Event):
    """A crew announced a move that would overtake a crew that wants to be asked; ``free`` have already let it pass."""

    seat: Public[Seat]
    by: Public[Seat]
    speed: Annotated[Mph, PUBLIC]
    via: Public[tuple[Name, ...]]
    using: Public[CardId | None]
    lands: Public[str]
    free: Public[tuple[Seat, ...]]

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
        return change(state, announced=waiting)


@event("RR-O1", becomes={"announced": None})
class BlockAnswered(Event):
    """The crew that was asked said whether it blocks; the waiting move goes ahead now."""

    seat: Public[Seat]
    is_on: Public[bool]

    def tell(self, config: Config) -> str:
        return f"{self.seat} {'blocks' if self.is_on else 'gives way'}"


@event("RR-F8", "{seat} draws {card}")
class TableHazardDrawn(Event):
    """A crew drew the top card of the shuffled pack: an advantage is kept, a setback goes under the pack."""

    seat: Public[Seat]
    card: Public[events.Drawn]

    def apply(self, config: Config, state: State) -> State:
        card = config.hazards[self.card]
        returned = tuple(other for other in state.returned if other != self.card)
        if card.is_kept:
            return change(state, returned=returned).with_crew(self.seat, held=(*state.crew(self.seat).held, card.id))
        return change(state, returned=(*returned, card.id))


@event("RR-V1")
class PartEnded(Event):
    """A part of the rally ended: the next one starts at its finish, with all markers removed."""

    part: Annotated[int, Ge(1), PUBLIC]
    finish: Public[SquareId]
    squares: Public[tuple[int, ...]]

    def apply(self, config: Config, state: State) -> State:
        return change(
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
        fresh = change(crew, totals=totals, lines=(), trail=(self.finish,), speed=0, speeds=(), met=0, faulted=())
        return change(fresh, lost=0, is_off=False, arrived=0, guarded=0)

    def tell(self, config: Config) -> str:
        return f"part {self.part} is over; part {self.part + 1} starts on {self.finish}, all markers are removed"


EVENTS: Final = events_of(events.__name__, __name__)
