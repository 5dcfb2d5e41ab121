"""Check the markers that players place at a table (RR-L)."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.game import Flaw, remembered
from adjudicator.games.rally_round.components import Control, Side, SquareId, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.markers import Markers, cut_off, legs_so_far, on_route, wrong_spot
from adjudicator.games.rally_round.orders import Place
from adjudicator.games.rally_round.route import APART, TIMED_APART, Leg, closed_to, post_of, too_near, ways_to
from adjudicator.games.rally_round.state import State
from adjudicator.games.rally_round.ways import Reach


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


def distance_to(config: Config, markers: Markers, order: Place) -> int:
    """Return the distance of a legal control from the one before it."""
    control = control_of(config, order)
    return _leg_to(config, markers, control.square, control.side).distance


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


def name_of(control: Control, state: State) -> str:
    """Return the name of ``control`` as the next one."""
    return post_of(number_due(state), control).name
