"""The state of a rally: what each crew has done, who may see it, an explicit position, and what cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Annotated, Any, Final

from adjudicator.game import (
    Flaw,
    Ge,
    Le,
    Len,
    Mark,
    Name,
    Public,
    Seat,
    Viewer,
    change,
    exchanged,
    frozen,
    of_seat,
    total,
)
from adjudicator.games.rally_round.components import CardId, HazardCard, Kind, Mph, Rally, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.moving import Car, Rights
from adjudicator.games.rally_round.timing import FAULT, timed


class Out(StrEnum):
    """Why a crew is out of the rally: disqualified (RR-F6), or it has given up (RR-R1)."""

    DISQUALIFIED = "disqualified"
    RETIRED = "retired"


def _sees(config: Config, state: State, crew: Crew, viewer: Viewer) -> bool:
    return config.is_open or viewer == crew.seat or state.is_over(config)


SEALED: Final = Mark(_sees)
"""What a crew alone sees until the rally is over (RR-H6)."""

Seconds = Annotated[int, Ge(0), Le(1_000_000)]


@frozen(kw_only=True)
class Line:
    """A section that was driven: the speeds on its sheet, the ``time`` it took, and the ``penalty`` after it."""

    speeds: tuple[Mph, ...]
    time: Seconds
    penalty: Seconds


@frozen(kw_only=True)
class Crew:
    """What belongs to one seat.

    ``lines`` are the sections it has finished; all that follows is of the section it is in. ``trail`` are the squares it
    came over, the last the one it stands on; of what lies before the section nothing is kept. ``speed`` is 0 where a
    Starting Speed is needed. ``met`` counts the PCs it has met, ``faulted`` names the controls that have cost it 30 marks.
    ``drawn`` hazard cards have come from its pack; ``held`` are kept, ``returned`` lie under the pack in their order.
    """

    seat: Public[Seat]
    out: Public[Out | None] = None
    lines: Annotated[tuple[Line, ...], SEALED.counted] = ()
    kit: Annotated[tuple[CardId, ...], SEALED.counted] = ()
    trail: Annotated[tuple[SquareId, ...], SEALED] = ()
    speed: Annotated[Mph, SEALED] = 0
    speeds: Annotated[tuple[Mph, ...], SEALED] = ()
    met: Annotated[int, Ge(0), Le(99), SEALED] = 0
    faulted: Annotated[tuple[Name, ...], SEALED] = ()
    drawn: Annotated[int, Ge(0), Le(999), SEALED] = 0
    held: Annotated[tuple[CardId, ...], SEALED] = ()
    returned: Annotated[tuple[CardId, ...], SEALED] = ()
    penalty: Annotated[Seconds, SEALED] = 0

    def is_done(self, config: Config) -> bool:
        """Return whether it has nothing more to drive."""
        return self.out is not None or len(self.lines) >= len(config.sections)

    def has_kit(self) -> bool:
        """Return whether its kit is complete (RR-K1)."""
        return len(self.kit) == len(Kind)

    def car(self, config: Config) -> Car:
        """Return its car in the section where it is."""
        return Car(
            section=config.sections[len(self.lines)],
            trail=self.trail,
            speed=self.speed,
            met=self.met,
            faulted=self.faulted,
        )

    def rights(self, config: Config, using: CardId | None = None) -> Rights:
        """Return what it may do by its kit, and by the hazard card that it uses."""
        cards: list[Any] = [config.kit[card] for card in self.kit]
        cards += [config.hazards[using]] if using else []
        return Rights(tuple(effect for card in cards for effect in card.effects))

    def next_hazard(self, config: Config) -> HazardCard | None:
        """Return the card on top of its pack: first all of them in order, then those that were returned (RR-F8, RR-H7)."""
        if self.drawn < len(config.components.hazards):
            return config.components.hazards[self.drawn]
        return config.hazards[self.returned[0]] if self.returned else None


@frozen(kw_only=True)
class State:
    """The whole position."""

    crews: Public[tuple[Crew, ...]]

    def crew(self, seat: Seat) -> Crew:
        """Return what belongs to ``seat``."""
        return of_seat(self.crews, seat)

    def with_crew(self, seat: Seat, **changes: Any) -> State:
        """Return the state with what belongs to ``seat`` changed."""
        return change(self, crews=exchanged(self.crews, change(self.crew(seat), **changes)))

    def is_over(self, config: Config) -> bool:
        """Return whether nobody has anything more to drive."""
        return all(crew.is_done(config) for crew in self.crews)


@frozen(kw_only=True)
class Position:
    """What a game begins with instead of the usual: another marked map, crews that are on their way, or both."""

    rally: Rally | None = None
    seats: Annotated[tuple[Crew, ...], Len(0, 200)] = ()


def begun(config: Config) -> State:
    """Return the state before anything has happened: everybody at the start."""
    return State(crews=tuple(_at_control(config, Crew(seat=seat)) for seat in config.seats))


def placed(config: Config, position: Position) -> State:
    """Return the state that ``position`` describes."""
    if not position.seats:
        return begun(config)
    return State(crews=tuple(of_seat(position.seats, seat) for seat in config.seats))


def normalized(config: Config, state: State) -> State:
    """Return ``state`` with every crew of which nothing else is said at the control where its section begins."""
    return change(state, crews=tuple(_at_control(config, crew) for crew in state.crews))


def _at_control(config: Config, crew: Crew) -> Crew:
    if crew.is_done(config) or crew.trail:
        return crew
    return change(crew, trail=(config.sections[len(crew.lines)].start.square,))


def impossible(config: Config, state: State) -> Iterator[str | Flaw]:
    """Yield what cannot be: crews off the map, sheets that do not add up, cards that do not exist or are in two places."""
    for crew in state.crews:
        for flaw in (*_no_kit(config, crew), *_no_pack(config, crew), *_no_sheet(config, crew), *_no_place(config, crew)):
            yield Flaw(f"{crew.seat}: {flaw.message}", flaw.rule)


def _no_kit(config: Config, crew: Crew) -> Iterator[Flaw]:
    kinds = [config.kit[card].kind for card in crew.kit if card in config.kit]
    yield from (Flaw(f"there is no kit card {card}", "RR-C3") for card in crew.kit if card not in config.kit)
    for kind in sorted({kind for kind in kinds if kinds.count(kind) > 1}):
        yield Flaw(f"a kit has one {kind} card", "RR-K1")
    if not crew.has_kit() and (crew.lines or crew.speeds or len(crew.trail) > 1):
        yield Flaw("nobody starts without a complete kit", "RR-K1")


def _no_pack(config: Config, crew: Crew) -> Iterator[Flaw]:
    pack, moved = config.components.hazards, (*crew.held, *crew.returned)
    if crew.drawn > len(pack):
        yield Flaw(f"there are {len(pack)} hazard cards: {crew.drawn} cannot have been drawn of the pack", "RR-F8")
    elif sorted(moved) != sorted(card.id for card in pack[: crew.drawn]):
        yield Flaw(f"the first {crew.drawn} hazard cards, and no others, are kept or returned once each", "RR-F8")
    for card in crew.held:
        if card in config.hazards and not config.hazards[card].is_kept:
            yield Flaw(f"{card} is a setback, which nobody keeps", "RR-F8")


def _no_sheet(config: Config, crew: Crew) -> Iterator[Flaw]:
    if len(crew.lines) > len(config.sections):
        yield Flaw(f"the rally has {len(config.sections)} sections", "RR-C4")
        return
    sheets = (*(line.speeds for line in crew.lines), crew.speeds)
    for speed in sorted({speed for speeds in sheets for speed in speeds if speed % 10}):
        yield Flaw(f"{speed} mph is no multiple of 10", "RR-M1")
    before = 0
    for section, line in zip(config.sections, crew.lines, strict=False):
        rest = line.penalty - before - total(timed(section.timing, line.time, section.target))
        if rest < 0 or rest % FAULT:
            yield Flaw(f"the penalty after {section.end.name} does not follow from the time and 30 marks a fault", "RR-P4")
        if not 0 < line.time <= 60 * len(line.speeds):
            yield Flaw(f"the time to {section.end.name} does not follow from its {len(line.speeds)} turns", "RR-P5")
        before = line.penalty
    if crew.penalty < before or (crew.penalty - before) % FAULT:
        yield Flaw("since the last time control, penalties can only have come as 30 marks each", "RR-P4")
    elif crew.penalty > before and len(crew.lines) == len(config.sections):
        yield Flaw("after the finish nothing is added to the penalty", "RR-P4")


def _no_place(config: Config, crew: Crew) -> Iterator[Flaw]:
    if len(crew.lines) >= len(config.sections):
        if crew.speed or crew.speeds or crew.met or crew.trail:
            yield Flaw("after the finish there is nothing more to drive", "RR-C4")
        if crew.out is not None:
            yield Flaw("who has finished is not out of the rally", "RR-R1")
        return
    section, squares = config.sections[len(crew.lines)], config.network.squares
    unknown = [square for square in crew.trail if square not in squares]
    yield from (Flaw(f"there is no square {square}", "RR-C1") for square in unknown)
    if not crew.trail and crew.out is None:
        yield Flaw("the car stands nowhere", "RR-C1")
    for here, there in () if unknown else pairwise(crew.trail):
        if there not in config.network.neighbours(here):
            yield Flaw(f"no road leads from {here} to {there}", "RR-C1")
    if section.end.square in crew.trail:
        yield Flaw(f"whoever comes to {section.end.name} has finished the section", "RR-H2")
    if crew.met >= len(section.posts):
        yield Flaw(f"there are {len(section.posts) - 1} PCs before {section.end.name}", "RR-H2")
    names = {post.name for post in (section.start, *section.posts)}
    yield from (Flaw(f"{name} is no control of this section", "RR-H2") for name in crew.faulted if name not in names)
    if crew.speed and (not crew.speeds or crew.speeds[-1] != crew.speed):
        yield Flaw(f"a car that goes {crew.speed} mph has that as the last speed of its sheet", "RR-M3")
