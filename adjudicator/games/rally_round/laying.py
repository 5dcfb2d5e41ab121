"""Lay the route at a table (RR-L): the orders that place its markers, and what makes a marker wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.game import Chance, Flaw, Moves, Order, Part, Problem, listed, remembered
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.components import PREFIXES, Control, MarkerSquare, Side, SquareId, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.markers import Markers, cut_off, legs_so_far, route_so_far, wrong_spot
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.roads import Reach
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


class _End(Order):
    """Put an end of the route on ``square``, which is chequered."""

    square: MarkerSquare

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
    template = "START at {square}"

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield happened.StartChosen(seat=at.seat, square=self.square))


class Finish(_End):
    """Put the finish on ``square``."""

    examples = ("FINISH at G16",)
    template = "FINISH at {square}"

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield happened.FinishChosen(seat=at.seat, square=self.square))


def chequered(config: Config, state: State) -> list[SquareId]:
    """Return the chequered squares that are free for the start, or for the finish (RR-L1)."""
    taken = {control.square for control in state.controls}
    return [square for square in config.chequered if square not in taken]


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
    template = "PLACE {marker} at {square}[ from {side}][ {section}][ {speed}]"
    what: str
    square: MarkerSquare
    side: str | None = None
    section: str | None = None
    speed: int | None = None
    number: int | None = None

    @property
    def marker(self) -> str:
        """Its name, such as `TC4`."""
        return f"{self.what.upper()}{self.number or ''}"

    @classmethod
    def read(cls, children: list[Any]) -> Place:
        (what, number, named), square, side, (section, speed) = (*children[:3], children[3] or (None, None))
        sections = " ".join(dict.fromkeys(filter(None, (named, section))))  # several of them: ``wrong`` refuses it
        return cls(what, square, side, sections or None, speed, number)

    def wrong(self, config: Config) -> Problem | None:
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
        sides = config.network.sides(self.square)
        if self.what == "blackspot" or self.side in sides:
            return None
        told, part = (f", not from {self.side}", "side") if self.side else (": say from which side", "")
        message = f"cars can enter {self.square} from {listed(sides, 'or')}{told}"
        return META.problem("wrong-side", message, "RR-L3", part, tuple(f"from {side}" for side in sides))

    def check(self, at: Here) -> Problem | None:
        """RR-L3: a correct marker, if the option says so; a number must be that of the next control."""
        flaw = wrong_marker(at.config, at.state.markers, self) if at.config.rejects_markers else None
        if flaw is not None:
            return META.problem("wrong-marker", flaw.message, flaw.rule, "square")
        due = at.state.number_due
        if self.number in (None, due):
            return None
        return META.problem("wrong-number", f"the next control is number {due}", "RR-L1", "marker")

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return places(at.config)

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        flaw = None if at.config.rejects_markers else wrong_marker(at.config, at.state.markers, self)
        return () if flaw is None else (Part(0, f"a wrong marker, which loses the turn: {flaw.message}", flaw.rule),)

    def decide(self, at: Here, chance: Chance) -> Moves:
        flaw = wrong_marker(at.config, at.state.markers, self)
        if flaw is not None:
            return (yield happened.MarkerRemoved(seat=at.seat, square=self.square, why=flaw.message, rule=flaw.rule))
        if self.what == "blackspot":
            return (yield happened.BlackSpotPlaced(seat=at.seat, square=self.square))
        timing, side = None, Side(self.side or "")
        if self.what == "tc":
            timing = Timing.STAGE if at.config.is_stage_rally else Timing(self.section or Timing.ROAD)
        control = Control(square=self.square, side=side, section=timing, speed=self.speed)
        return (
            yield happened.ControlPlaced(
                seat=at.seat,
                name=post_of(at.state.number_due, control).name,
                square=self.square,
                side=side,
                section=timing,
                speed=self.speed,
                distance=_leg_to(at.config, at.state.markers, self.square, side).ways.distance,
            )
        )


class Pass(Order):
    """Place no marker."""

    examples = ("PASS",)

    def decide(self, at: Here, chance: Chance) -> Moves:
        return (yield happened.MarkerPassed(seat=at.seat))


def wrong_marker(config: Config, markers: Markers, order: Place) -> Flaw | None:
    """Return why a marker is wrong, ``None`` if it is legal (RR-L2, RR-L3, RR-L4)."""
    square, finish = order.square, markers.finish
    if square in markers.squares:
        return Flaw(f"there is a marker on {square} already", "RR-L3")
    if square in route_so_far(config, markers):
        return Flaw(f"{square} is on the route already", "RR-L2")
    if order.what == "blackspot":
        return wrong_spot(config, markers, square)
    if markers.is_closed:
        return Flaw("the finish is placed: only Black Spots may follow", "RR-L4")
    if square == finish and order.what != "tc":
        return Flaw(f"{square} is the finish: that is a time control", "RR-L4")
    side = Side(order.side or "")
    leg, before = _leg_to(config, markers, square, side), legs_so_far(config, markers)
    if not leg.ways:
        return Flaw(f"no way is left to {square} from {side}", "RR-L2")
    near = too_near(square, leg.ways.distance, leg.start.name, APART)
    if near is None and order.what == "tc":  # successive TCs, over the PCs between
        since = next(number for number, one in enumerate((leg, *before[::-1])) if one.start.is_timed)
        legs = (leg, *before[::-1])[: since + 1]
        near = too_near(square, sum(one.ways.distance for one in legs), legs[-1].start.name, TIMED_APART)
    if square == finish:
        return near if near is not None and _goes_on(config, markers) else None
    return near or _cut_off_after(config, markers, square, side)


@remembered
def _leg_to(config: Config, markers: Markers, square: SquareId, side: Side) -> Leg:
    """Return the leg to a control on ``square`` as the next one."""
    number = len(markers.controls)
    start = post_of(number, markers.controls[-1])
    closed = closed_to(legs_so_far(config, markers), start.square, markers.black_spots)
    ways = ways_to(config.network, start.square, square, side, closed, _reach(config, markers, start.square))
    return Leg(start=start, end=post_of(number + 1, Control(square=square, side=side)), ways=ways)


@remembered
def _reach(config: Config, markers: Markers, start: SquareId) -> Reach:
    """Return the squares in reach of ``start`` beside the route so far."""
    return config.network.reach(start, closed_to(legs_so_far(config, markers), start, markers.black_spots))


@remembered
def _cut_off_after(config: Config, markers: Markers, square: SquareId, side: Side) -> Flaw | None:
    """Return the flaw that a control on ``square`` leaves no way to the finish."""
    assert markers.finish is not None
    leg, known = _leg_to(config, markers, square, side), _reach(config, markers, markers.finish).way(square)
    if known and leg.ways.common.isdisjoint(known[:-1]):  # most often, and faster than a search for each control
        return None
    placed = markers._replace(controls=(*markers.controls, Control(square=square, side=side)))
    return cut_off(config.network, placed, (*legs_so_far(config, markers), leg))


@remembered
def _goes_on(config: Config, markers: Markers) -> bool:
    """Return whether any other time control is legal: if not, the finish may be nearer than ``TIMED_APART`` (RR-L4)."""
    near = _reach(config, markers, markers.controls[-1].square).far
    others = (place for place in places(config) if place.what == "tc" and place.square != markers.finish)
    return any(wrong_marker(config, markers, place) is None for place in others if place.square in near)


def places(config: Config) -> Iterator[Place]:
    """Yield a marker of every kind on every square, from every side."""
    network = config.network
    for square, others in network.links.items():
        yield Place("blackspot", square)
        for other in others:
            side = str(network.side(square, other))
            yield Place("pc", square, side)
            yield Place("tc", square, side)
