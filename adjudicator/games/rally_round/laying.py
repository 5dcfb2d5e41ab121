"""Lay the route at a table (RR-L): the orders that place its markers, and what makes a marker wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.game import Chance, Flaw, Moves, Order, Part, Problem, listed, remembered
from adjudicator.games.rally_round import table_events as marks
from adjudicator.games.rally_round.components import PREFIXES, Control, Side, SquareId, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.markers import Markers, cut_off, legs_so_far, on_route, wrong_spot
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.route import (
    APART,
    NO_REGULARITY,
    REGULARITIES,
    TIMED_APART,
    Leg,
    closed_to,
    post_of,
    too_near,
    ways_to,
)
from adjudicator.games.rally_round.state import Here, State
from adjudicator.games.rally_round.ways import Reach


class _End(Order):
    """Put an end of the route on ``square``, which is chequered."""

    square: str

    def text(self) -> str:
        return f"{type(self).__name__.upper()} at {self.square}"

    def wrong(self, config: Config) -> Problem | None:
        return _unknown_square(config, self.square)

    def check(self, at: Here) -> Problem | None:
        """RR-L1: a free chequered square."""
        free = chequered(at.config, at.state)
        if self.square in free:
            return None
        message = f"{self.square} is not a free chequered square: choose {listed(free, 'or')}"
        return META.problem("not-chequered", message, "RR-L1", "square", tuple(free))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return map(cls, chequered(at.config, at.state))


class Start(_End):
    """Put the start on ``square``."""

    examples = ("START at A4",)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield marks.StartChosen(seat=at.seat, square=SquareId(self.square)))


class Finish(_End):
    """Put the finish on ``square``."""

    examples = ("FINISH at G16",)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield marks.FinishChosen(seat=at.seat, square=SquareId(self.square)))


class Place(Order):
    """Place a marker.

    ``what`` is ``tc``, ``pc`` or ``blackspot``; cars enter a control from ``side``; its ``number`` is optional.
    A TC ends a road section unless ``section`` names another kind; a regularity has a ``speed`` in mph.
    """

    examples = (
        "PLACE BLACKSPOT at D6",
        "PLACE PC at E3 from N",
        "PLACE TC4 at K2 from S regularity 24",
        "PLACE TC at T8 from S selective",
    )
    what: str
    square: str
    side: str | None = None
    section: str | None = None
    speed: int | None = None
    number: int | None = None

    @classmethod
    def read(cls, children: list[Any]) -> Place:
        given = dict(filter(None, children))
        (what, number, named), (section, speed) = given["marker"], given.get("kind", (None, None))
        sections = " ".join(dict.fromkeys(filter(None, (named, section))))  # several of them: ``validate`` refuses it
        return cls(what, given["at"], given.get("from"), sections or None, speed, number)

    def text(self) -> str:
        what = f"{self.what.upper()}{self.number or ''}"
        side = (f"from {self.side}",) if self.side else ()
        section = (self.section,) if self.section else ()
        speed = (str(self.speed),) if self.speed is not None else ()
        return " ".join(("PLACE", what, "at", self.square, *side, *section, *speed))

    def wrong(self, config: Config) -> Problem | None:
        unknown = _unknown_square(config, self.square)
        if unknown is not None:
            return unknown
        is_timed, is_bare = self.what == "tc", not (self.section or self.speed)
        if (not is_timed and not is_bare) or (self.what == "blackspot" and (self.side or self.number)):
            message = "only a TC ends a section, and a Black Spot has no side and no number"
            return META.problem("no-section", message, "RR-L2")
        if self.section and self.section not in {*Timing}:
            named, said = self.section.split()
            message = f"{PREFIXES[Timing(named)]} ends a {named} section, not a {said} section"
            near = "regularity 24" if named == Timing.REGULARITY else named
            return META.problem("two-kinds", message, "RR-C4", "kind", (near,))
        if (self.section == "regularity") is (self.speed is None) or (self.speed and self.speed not in REGULARITIES):
            return META.problem("no-such-speed", NO_REGULARITY, "RR-T4", "kind", ("regularity 24",))
        if self.section and (self.section == "stage") is not config.is_stage_rally:
            return META.problem("other-rally", "only a stage rally has stages, and it has nothing else", "RR-T6", "kind")
        return None if self.what == "blackspot" else self._wrong_side(config)

    def _wrong_side(self, config: Config) -> Problem | None:
        """Refuse a control that no road enters from its side."""
        sides = config.network.sides(SquareId(self.square))
        if self.side in sides:
            return None
        told = f", not from {self.side}" if self.side else ": say from which side"
        message, near = f"cars can enter {self.square} from {listed(sides, 'or')}{told}", [f"from {side}" for side in sides]
        return META.problem("wrong-side", message, "RR-L3", "side" if self.side else "", tuple(near))

    def check(self, at: Here) -> Problem | None:
        """RR-L3: a correct marker, if the option says so; a number must be that of the next control."""
        flaw = wrong_marker(at.config, at.state.markers, self) if at.config.rejects_markers else None
        if flaw is not None:
            return META.problem("wrong-marker", flaw.message, flaw.rule, "square")
        if self.number in (None, number_due(at.state)):
            return None
        return META.problem("wrong-number", f"the next control is number {number_due(at.state)}", "RR-L1", "marker")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return places(at.config)

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        flaw = None if at.config.rejects_markers else wrong_marker(at.config, at.state.markers, self)
        return () if flaw is None else (Part(0, f"a wrong marker, which loses the turn: {flaw.message}", flaw.rule),)

    def decide(self, at: Here, chance: Chance) -> Moves:
        flaw, square = wrong_marker(at.config, at.state.markers, self), SquareId(self.square)
        if flaw is not None:
            return (yield marks.MarkerRemoved(seat=at.seat, square=square, why=flaw.message, rule=flaw.rule))
        if self.what == "blackspot":
            return (yield marks.BlackSpotPlaced(seat=at.seat, square=square))
        control = control_of(at.config, self)
        assert control.side is not None
        return (
            yield marks.ControlPlaced(
                seat=at.seat,
                name=post_of(number_due(at.state), control).name,
                square=square,
                side=control.side,
                section=control.section,
                speed=control.speed,
                distance=_leg_to(at.config, at.state.markers, square, control.side).distance,
            )
        )


class Pass(Order):
    """Place no marker."""

    examples = ("PASS",)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield marks.MarkerPassed(seat=at.seat))


def _unknown_square(config: Config, square: str) -> Problem | None:
    if square in config.network.links:
        return None
    return META.problem("no-such-square", f"the map has no square {square}", "RR-C1", "square", config.network.links, square)


def chequered(config: Config, state: State) -> list[SquareId]:
    """Return the chequered squares that are free for the start, or for the finish (RR-L1)."""
    taken = {control.square for control in state.controls}
    return [square for square in config.chequered if square not in taken]


def wrong_marker(config: Config, markers: Markers, order: Place) -> Flaw | None:
    """Return why a marker is wrong, ``None`` if it is legal (RR-L2, RR-L3, RR-L4)."""
    square = SquareId(order.square)
    if square in markers.squares:
        return Flaw(f"there is a marker on {square} already", "RR-L3")
    if square in on_route(config, markers):
        return Flaw(f"{square} is on the route already", "RR-L2")
    if order.what == "blackspot":
        return wrong_spot(config, markers, square)
    if markers.is_closed:
        return Flaw("the finish is placed: only Black Spots may follow", "RR-L4")
    if order.side is None or config.network.beside(square, Side(order.side)) is None:
        return Flaw(f"no road leads into {square} from {order.side or 'nowhere'}", "RR-L3")
    if square == markers.finish and order.what != "tc":
        return Flaw(f"{square} is the finish: that is a time control", "RR-L4")
    return _wrong_control(config, markers, control_of(config, order))


def control_of(config: Config, order: Place) -> Control:
    """Return the control that ``order`` places."""
    is_timed = order.what == "tc"
    timing = Timing.STAGE if config.is_stage_rally else Timing(order.section or Timing.ROAD)
    side = Side(order.side) if order.side else None
    return Control(square=SquareId(order.square), side=side, section=timing if is_timed else None, speed=order.speed)


def _wrong_control(config: Config, markers: Markers, control: Control) -> Flaw | None:
    square, leg = control.square, _leg_to(config, markers, control.square, control.side)
    if not leg.ways:
        return Flaw(f"no way is left to {square} from {control.side}", "RR-L2")
    near = _too_near((*legs_so_far(config, markers), leg), is_timed=control.section is not None)
    if square == markers.finish:
        return near if near is not None and _goes_on(config, markers) else None
    return near or _cut_off_after(config, markers, square, control.side)


@remembered
def _leg_to(config: Config, markers: Markers, square: SquareId, side: Side | None) -> Leg:
    """Return the leg to a control on ``square`` as the next one."""
    number = len(markers.controls)
    start = post_of(number, markers.controls[-1])
    closed = closed_to(legs_so_far(config, markers), start.square, markers.black_spots)
    ways = ways_to(config.network, start.square, square, side, closed, _onward(config, markers))
    return Leg(start=start, end=post_of(number + 1, Control(square=square, side=side)), ways=ways)


@remembered
def _onward(config: Config, markers: Markers) -> Reach:
    """Return the squares in reach of the last control of ``markers``."""
    here = markers.controls[-1].square
    return config.network.reach(here, closed_to(legs_so_far(config, markers), here, markers.black_spots))


@remembered
def _cut_off_after(config: Config, markers: Markers, square: SquareId, side: Side | None) -> Flaw | None:
    """Return the flaw that a control on ``square`` leaves no way to the finish."""
    leg = _leg_to(config, markers, square, side)
    known = _from_finish(config, markers).way(square)
    if known and leg.common.isdisjoint(known[:-1]):  # most often, and faster than a search for each control
        return None
    placed = markers._replace(controls=(*markers.controls, Control(square=square, side=side)))
    return cut_off(config.network, placed, (*legs_so_far(config, markers), leg))


@remembered
def _from_finish(config: Config, markers: Markers) -> Reach:
    """Return the squares in reach of the finish."""
    assert markers.finish is not None
    return config.network.reach(markers.finish, closed_to(legs_so_far(config, markers), markers.finish, markers.black_spots))


def _too_near(legs: tuple[Leg, ...], *, is_timed: bool) -> Flaw | None:
    """RR-L3: require a distance from any other control, and a greater one between TCs, over the PCs between."""
    last = legs[-1]
    near = too_near(last.end.square, last.distance, last.start.name, APART)
    if near is not None or not is_timed:
        return near
    distance = 0
    for leg in reversed(legs):
        distance += leg.distance
        if leg.start.is_timed:
            return too_near(last.end.square, distance, leg.start.name, TIMED_APART)
    return None


@remembered
def _goes_on(config: Config, markers: Markers) -> bool:
    """Return whether any other time control is legal: if not, the finish may be nearer than ``TIMED_APART`` (RR-L4)."""
    others = (square for square in _onward(config, markers).far if square != markers.finish)
    orders = (Place("tc", square, side) for square in others for side in _sides(config, square))
    return any(wrong_marker(config, markers, order) is None for order in orders)


def places(config: Config) -> Iterator[Place]:
    """Yield a marker of every kind on every square, from every side."""
    for square in config.network.links:
        yield Place("blackspot", square)
        for side in _sides(config, square):
            yield Place("pc", square, side)
            yield Place("tc", square, side)


def _sides(config: Config, square: SquareId) -> Iterator[str]:
    """Yield the sides from which a car can enter ``square``."""
    return (str(config.network.side(square, other)) for other in config.network.links[square])


def number_due(state: State) -> int:
    """Return the number of the next control."""
    return len(state.controls) + 1
