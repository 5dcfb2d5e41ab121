"""The events of a rally. Each carries its outcome and its rule, changes the state, and describes itself."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import (
    PUBLIC,
    Event,
    Mark,
    Meta,
    Name,
    Positive,
    Public,
    Said,
    Seat,
    Whole,
    events_of,
    kept,
    listed,
    replace,
)
from adjudicator.games.rally_round.components import CardId, Does, Mph, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.state import Line, Out, Seconds, State, course
from adjudicator.games.rally_round.timing import clock
from adjudicator.games.rally_round.way import rolled_trail

SEALED: Final = Mark(lambda config, happened, _holder, viewer: config.is_open or viewer == happened.seat)
"""The mark of events that only the crew sees, unless sheets are open (RR-H6)."""
Squares = tuple[SquareId, ...]
Turns = Positive


def _over(squares: Squares) -> str:
    return f"to {squares[-1]}" if len(squares) == 1 else f"over {' '.join(squares[:-1])} to {squares[-1]}"


def _drawn(config: Config, card: CardId) -> str:
    hazard = config.hazards[card]
    return f"{card}, {hazard.name}: {'kept' if hazard.is_kept else 'a setback'}"


Drawn = Annotated[CardId, Said(_drawn)]
"""The card in a sentence about its draw."""
_Used = Annotated[CardId, Said(lambda config, card: f"{card}: {config.hazards[card].name}")]
_Speeds = Annotated[tuple[Whole, ...], Said(lambda _config, speeds: " ".join(map(str, speeds)))]
_Way = Annotated[Squares, Said(lambda _config, squares: _over(squares))]
_Clock = Annotated[Seconds, Said(lambda _config, seconds: clock(seconds))]


class CardPicked(Event):
    """A crew took a kit card."""

    seen_by = SEALED
    seat: Public[Seat]
    card: Public[CardId]
    rule: Name = "RR-K1"

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        kit = sorted((*crew.kit, self.card), key=[*config.kit].index)
        return state.with_own(replace(crew, kit=tuple(kit)))

    def tell(self, config: Config) -> str:
        card = config.kit[self.card]
        return f"{self.seat} takes {self.card}, {card.kind}: {card.name}"


class CardUsed(Event):
    """A crew used a hazard card that it had kept; the card goes under the pack."""

    says = "{seat} uses {card}"
    seen_by = SEALED
    seat: Public[Seat]
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


class Driven(Event):
    """A car drove over ``squares`` in one turn, at ``speed`` mph."""

    seen_by = SEALED
    seat: Public[Seat]
    speed: Annotated[Mph, PUBLIC]
    squares: Public[Squares]
    rule: Name = "RR-M1"

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        speeds, trail = (*crew.speeds, self.speed), crew.trail + self.squares
        if config.is_table:
            moves = len(config.seats) * (state.minute + 1) - len(state.queue)
            crew = replace(crew, is_off=False, arrived=moves if self.squares else crew.arrived)
        return state.with_own(replace(crew, speed=self.speed, speeds=speeds, trail=trail))

    def tell(self, config: Config) -> str:
        return f"{self.seat} drives {self.speed} mph" + (f": {_over(self.squares)}" if self.squares else "")


class Rolled(Event):
    """A car rolled from a gradient over ``squares``; its speed stays."""

    says = "{seat} rolls down: {squares}"
    seen_by = SEALED
    seat: Public[Seat]
    squares: Annotated[_Way, Meta(min_length=1, max_length=2), PUBLIC]
    rule: Name = "RR-F9"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, trail=rolled_trail(state.of(self.seat).trail, self.squares))


class PassageMet(Event):
    """A crew met the next passage control, or left it behind for good."""

    says = "{seat} comes to {control}"
    seen_by = SEALED
    seat: Public[Seat]
    control: Public[Name]
    rule: Name = "RR-F1"

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        return state.with_own(replace(crew, met=crew.met + 1))


class Faulted(Event):
    """A crew committed a fault that costs 30 marks; ``control`` is the one that counts as missed (empty: none does)."""

    says = "{seat}: {words}, 30 marks"
    seen_by = SEALED
    seat: Public[Seat]
    words: Public[Name]
    control: Public[str]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        return state.with_own(self.seat, faulted=(*crew.faulted, self.control)) if self.control else state


class CarStopped(Event):
    """A car stopped where it next needs a Starting Speed."""

    says = "{seat} stops on {square} and next needs a Starting Speed"
    seen_by = SEALED
    seat: Public[Seat]
    square: Public[SquareId]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, speed=0)


class LeftRoad(Event):
    """A car went off the road at ``square``: it was faster than the ``limit``."""

    says = "{seat} goes off the road at {square}: {speed} mph, the limit is {limit}"
    seen_by = SEALED
    seat: Public[Seat]
    square: Public[SquareId]
    speed: Annotated[Mph, PUBLIC]
    limit: Annotated[Mph, PUBLIC]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, speed=0)


class Flooded(Event):
    """A car stopped in a ford without waterproofing."""

    says = "{seat} stops in the ford on {square}: the engine is flooded"
    seen_by = SEALED
    seat: Public[Seat]
    square: Public[SquareId]
    rule: Name = "RR-F7"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, speed=0)


class SpeedRefused(Event):
    """A crew chose an illegal speed."""

    seen_by = SEALED
    seat: Public[Seat]
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

    def tell(self, config: Config) -> str:
        return f"{self.speed} mph is illegal for {self.seat}, who may go {self.may} mph here"


class TurnsMissed(Event):
    """A crew missed ``turns``: on its sheet each is a speed of 0."""

    says = "{seat} misses {turns:turn}"
    seen_by = SEALED
    seat: Public[Seat]
    turns: Annotated[Turns, PUBLIC]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, speed=0, speeds=(*state.of(self.seat).speeds, *(0,) * self.turns))


class TurnedRound(Event):
    """A crew used its turn to turn round; next it may leave in any direction."""

    says = "{seat} turns round"
    seen_by = SEALED
    seat: Public[Seat]
    rule: Name = "RR-M6"

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        return state.with_own(self.seat, speed=0, speeds=(*crew.speeds, 0), trail=crew.trail[-1:])


class HazardDrawn(Event):
    """A crew drew the top card of its pack: an advantage is kept, a setback goes under the pack."""

    says = "{seat} draws {card}"
    seen_by = SEALED
    seat: Public[Seat]
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


class SectionEnded(Event):
    """A crew came to the time control ``control`` after ``time`` seconds; the ``target`` is in seconds, too."""

    says = "{seat} reaches {control} in {time}, target {target}"
    seen_by = SEALED
    seat: Public[Seat]
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


class LineDropped(Event):
    """A crew could not drive the last ``speeds`` of a line: ``why`` they no longer fit."""

    says = "{seat} does not drive {speeds}: {why}"
    seen_by = SEALED
    seat: Public[Seat]
    speeds: Public[_Speeds]
    why: Public[Name]
    rule: Name


class Disqualified(Event):
    """A crew passed a Black Spot or used a hidden track without the card for it."""

    seen_by = SEALED
    seat: Public[Seat]
    square: Public[SquareId]
    rule: Name = "RR-F6"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, out=Out.DISQUALIFIED)

    def tell(self, config: Config) -> str:
        what = (
            f"uses the hidden track {self.square}"
            if self.square in config.network.tracks
            else f"passes the Black Spot on {self.square}"
        )
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


EVENTS: Final = events_of(__name__)
