"""The events of a rally. Each carries its outcome and its rule, changes the state, and describes itself."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import (
    PUBLIC,
    Event,
    Meta,
    Name,
    Positive,
    Public,
    Said,
    Seat,
    Whole,
    count,
    events_of,
    kept,
    listed,
    replace,
)
from adjudicator.games.rally_round.components import CardId, Control, Does, Mph, Side, SquareId, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.route import clock
from adjudicator.games.rally_round.state import Announced, Crew, Line, OfCrew, Out, Seconds, State, course
from adjudicator.games.rally_round.way import rolled_trail


def _over(squares: tuple[SquareId, ...]) -> str:
    return f"to {squares[-1]}" if len(squares) == 1 else f"over {' '.join(squares[:-1])} to {squares[-1]}"


def _drawn(config: Config, card: CardId) -> str:
    hazard = config.hazards[card]
    return f"{card}, {hazard.name}: {'kept' if hazard.is_kept else 'a setback'}"


Drawn = Annotated[CardId, Said(_drawn)]
"""The card in a sentence about its draw."""
_Picked = Annotated[CardId, Said(lambda config, card: f"{card}, {config.kit[card].kind}: {config.kit[card].name}")]
_Used = Annotated[CardId, Said(lambda config, card: f"{card}: {config.hazards[card].name}")]
_Speeds = Annotated[tuple[Whole, ...], Said(lambda _config, speeds: " ".join(map(str, speeds)))]
_Driven = Annotated[tuple[SquareId, ...], Said(lambda _config, squares: f": {_over(squares)}" if squares else "")]
_Way = Annotated[tuple[SquareId, ...], Said(lambda _config, squares: _over(squares))]
_Clock = Annotated[Seconds, Said(lambda _config, seconds: clock(seconds))]


class CardPicked(OfCrew):
    """A crew took a kit card."""

    says = "{seat} takes {card}"
    moves = "card: > own.kit"
    card: Public[_Picked]
    rule: Name = "RR-K1"


class CardUsed(OfCrew):
    """A crew used a hazard card that it had kept; the card goes under the pack."""

    says = "{seat} uses {card}"
    card: Public[_Used]
    rule: Name = "RR-F8"

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        held = tuple(card for card in crew.held if card != self.card)
        if config.is_table:
            is_guard = any(effect.does is Does.UNOVERTAKEN for effect in config.hazards[self.card].effects)
            guarded = state.minute if is_guard else crew.guarded
            return replace(state, returned=(*state.returned, self.card)).with_own(self.seat, held=held, guarded=guarded)
        return state.with_own(self.seat, held=held, returned=(*crew.returned, self.card))


class Driven(OfCrew):
    """A car drove over ``squares`` in one turn, at ``speed`` mph."""

    says = "{seat} drives {speed} mph{squares}"
    speed: Annotated[Mph, PUBLIC]
    squares: Public[_Driven]
    rule: Name = "RR-M1"

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        speeds, trail = (*crew.speeds, self.speed), crew.trail + self.squares
        if config.is_table:
            moves = len(config.seats) * (state.minute + 1) - len(state.queue)
            crew = replace(crew, is_off=False, arrived=moves if self.squares else crew.arrived)
        return state.with_own(replace(crew, speed=self.speed, speeds=speeds, trail=trail))


class Rolled(OfCrew):
    """A car rolled from a gradient over ``squares``; its speed stays."""

    says = "{seat} rolls down: {squares}"
    squares: Annotated[_Way, Meta(min_length=1, max_length=2), PUBLIC]
    rule: Name = "RR-F9"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, trail=rolled_trail(state.of(self.seat).trail, self.squares))


class PassageMet(OfCrew):
    """A crew met the next passage control, or left it behind for good."""

    says = "{seat} comes to {control}"
    adds = {"own.met": 1}
    control: Public[Name]
    rule: Name = "RR-F1"


class Faulted(OfCrew):
    """A crew committed a fault that costs 30 marks; ``control`` is the one that counts as missed (empty: none does)."""

    says = "{seat}: {words}, 30 marks"
    words: Public[Name]
    control: Public[str]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        return state.with_own(self.seat, faulted=(*crew.faulted, self.control)) if self.control else state


class CarStopped(OfCrew):
    """A car stopped where it next needs a Starting Speed."""

    says = "{seat} stops on {square} and next needs a Starting Speed"
    becomes = {"own.speed": 0}
    square: Public[SquareId]
    rule: Name


class LeftRoad(OfCrew):
    """A car went off the road at ``square``: it was faster than the ``limit``."""

    says = "{seat} goes off the road at {square}: {speed} mph, the limit is {limit}"
    becomes = {"own.speed": 0}
    square: Public[SquareId]
    speed: Annotated[Mph, PUBLIC]
    limit: Annotated[Mph, PUBLIC]
    rule: Name


class Flooded(OfCrew):
    """A car stopped in a ford without waterproofing."""

    says = "{seat} stops in the ford on {square}: the engine is flooded"
    becomes = {"own.speed": 0}
    square: Public[SquareId]
    rule: Name = "RR-F7"


class SpeedRefused(OfCrew):
    """A crew chose an illegal speed."""

    says = "{speed} mph is illegal for {seat}, who may go {may} mph here"
    speed: Annotated[Mph, PUBLIC]
    least: Annotated[Mph, PUBLIC]
    most: Annotated[Mph, PUBLIC]
    rule: Name = "RR-M4"

    @property
    def may(self) -> str:
        """The legal speeds, as text."""
        return f"{self.least} to {self.most}" if self.most > self.least else f"only {self.least}"

    @property
    def nearest(self) -> str:
        """The nearest legal speed."""
        return str(self.most if self.speed > self.most else self.least)


class TurnsMissed(OfCrew):
    """A crew missed ``turns``: on its sheet each is a speed of 0."""

    says = "{seat} misses {turns:turn}"
    turns: Annotated[Positive, PUBLIC]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, speed=0, speeds=(*state.of(self.seat).speeds, *(0,) * self.turns))


class TurnedRound(OfCrew):
    """A crew used its turn to turn round; next it may leave in any direction."""

    says = "{seat} turns round"
    rule: Name = "RR-M6"

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        return state.with_own(self.seat, speed=0, speeds=(*crew.speeds, 0), trail=crew.trail[-1:])


class HazardDrawn(OfCrew):
    """A crew drew the top card of its pack: an advantage is kept, a setback goes under the pack."""

    says = "{seat} draws {card}"
    card: Public[Drawn]
    rule: Name = "RR-F8"

    def apply(self, config: Config, state: State) -> State:
        crew, card = state.of(self.seat), config.hazards[self.card]
        is_new = crew.drawn < len(config.hazards)
        return state.with_own(
            self.seat,
            drawn=crew.drawn + is_new,
            held=(*crew.held, card.id) if card.is_kept else crew.held,
            returned=(*crew.returned[0 if is_new else 1 :], *(() if card.is_kept else (card.id,))),
        )


class SectionEnded(OfCrew):
    """A crew came to the time control ``control`` after ``time`` seconds; the ``target`` is in seconds, too."""

    says = "{seat} reaches {control} in {time}, target {target}"
    control: Public[Name]
    time: Public[_Clock]
    target: Public[_Clock]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        crew, config = state.of(self.seat), course(config, state)
        line = Line(speeds=crew.speeds, time=self.time, penalty=crew.penalty)
        done = len(crew.lines) + 1
        faulted = (self.control,) if self.control in crew.faulted and done < len(config.sections) else ()
        trail = (config.sections[done].start.square,) if done < len(config.sections) else ()
        ended = replace(crew, lines=(*crew.lines, line), speed=0, speeds=(), met=0, faulted=faulted, trail=trail)
        return state.with_own(ended)


class LineDropped(OfCrew):
    """A crew could not drive the last ``speeds`` of a line: ``why`` they no longer fit."""

    says = "{seat} does not drive {speeds}: {why}"
    speeds: Public[_Speeds]
    why: Public[Name]
    rule: Name


class Disqualified(OfCrew):
    """A crew passed a Black Spot or used a hidden track without the card for it."""

    becomes = {"own.out": Out.DISQUALIFIED}
    square: Public[SquareId]
    rule: Name = "RR-F6"

    def tell(self, config: Config) -> str:
        is_track = self.square in config.network.tracks
        what = f"{'uses the hidden track' if is_track else 'passes the Black Spot on'} {self.square}"
        return f"{self.seat} {what} without a card for it, and is disqualified"


class SheetOpened(Event, omit_defaults=True):
    """The rally is over: all may see the time sheet of a crew with its ``penalty`` after each section."""

    seat: Public[Seat]
    penalties: Public[tuple[Seconds, ...]]
    out: Public[Out | None]
    controls: Public[tuple[Name, ...]] = ()
    rule: Name = kept("RR-R1")

    def tell(self, config: Config) -> str:
        names = self.controls or tuple(section.end.name for section in config.sections)
        told = listed(f"{clock(penalty)} at {name}" for name, penalty in zip(names, self.penalties, strict=False))
        return f"the sheet of {self.seat} is opened: {', '.join(filter(None, (told, self.out and str(self.out))))}"


# The game at a table: laying the route, moves in order, cars in each other's way, parts (RR-L, RR-M5, RR-O1) -------------


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

    seat: Public[Seat]
    rule: Name = "RR-M5"

    def apply(self, config: Config, state: State) -> State:
        # As `moves = "seat: queue >"`, and faster: no event is more frequent.
        return replace(state, queue=tuple([seat for seat in state.queue if seat != self.seat]))


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
        order = {name: getattr(self, name) for name in ("by", "speed", "via", "using", "lands", "free")}
        return replace(state, announced=Announced(mover=self.seat, **order))


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
    card: Public[Drawn]
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
        fresh = {"lines": (), "trail": (self.finish,), "speed": 0, "speeds": (), "met": 0, "faulted": ()}
        fresh |= {"lost": 0, "is_off": False, "arrived": 0, "guarded": 0}
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
            crews=tuple(replace(crew, totals=crew.totals + crew.penalties, **fresh) for crew in state.crews),
        )

    def tell(self, config: Config) -> str:
        return f"part {self.part} is over; part {self.part + 1} starts on {self.finish}, all markers are removed"


EVENTS: Final = events_of(__name__)
