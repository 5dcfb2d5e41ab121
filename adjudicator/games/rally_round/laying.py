"""Lay the route at a table (RR-L): check markers, and decide when the route is complete."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.game import Flaw, change, count
from adjudicator.games.rally_round.completing import can_be_completed
from adjudicator.games.rally_round.components import Control, Side, SquareId, Timing
from adjudicator.games.rally_round.config import Config, keep_legs, legs_at
from adjudicator.games.rally_round.orders import Place
from adjudicator.games.rally_round.route import Leg, closed_to, is_settled, post_of
from adjudicator.games.rally_round.state import State
from adjudicator.games.rally_round.survey import Survey, survey_of

NEAREST: dict[bool, int] = {True: 12, False: 3}
"""The least distance of a TC from the last TC, and of any control from the one before it (RR-L3)."""


def chequered(config: Config, state: State) -> list[SquareId]:
    """Return the chequered squares that are free for the start, or for the finish (RR-L1)."""
    taken = {control.square for control in state.controls}
    return [square for square in config.chequered if square not in taken]


def is_closed(state: State) -> bool:
    """Return whether the finish is the last control: after it players place only Black Spots (RR-L4)."""
    return len(state.controls) > 1 and state.controls[-1].square == state.finish


def wrong_marker(config: Config, state: State, order: Place) -> Flaw | None:
    """Return why a marker is wrong, ``None`` if it is legal (RR-L2, RR-L3, RR-L4)."""
    survey, place = survey_of(config, state), (order.what, order.square, order.side)
    if place not in survey.flaws:
        survey.flaws[place] = _wrong_marker(config, state, order, survey)
    return survey.flaws[place]


def _wrong_marker(config: Config, state: State, order: Place, survey: Survey) -> Flaw | None:
    square = SquareId(order.square)
    if square in {control.square for control in state.controls} or square in state.black_spots:
        return Flaw(f"there is a marker on {square} already", "RR-L3")
    if square in survey.route:
        return Flaw(f"{square} is on the route already", "RR-L2")
    if order.what == "blackspot":
        return _wrong_spot(config, state, square, survey)
    if is_closed(state):
        return Flaw("the finish is placed: only Black Spots may follow", "RR-L4")
    return _wrong_control(config, state, order, square, survey)


def control_of(config: Config, order: Place) -> Control:
    """Return the control that ``order`` places."""
    is_timed = order.what == "tc"
    timing = Timing.STAGE if config.is_stage_rally else Timing(order.section or Timing.ROAD)
    side = Side(order.side) if order.side else None
    return Control(square=SquareId(order.square), side=side, section=timing if is_timed else None, speed=order.speed)


def distance_to(config: Config, state: State, order: Place) -> int:
    """Return the distance of a legal control from the one before it."""
    control = control_of(config, order)
    legs = survey_of(config, state).legs_to(control)
    keep_legs(config, (*state.controls, control), state.black_spots, legs)
    return legs[-1].distance


def _wrong_spot(config: Config, state: State, square: SquareId, survey: Survey) -> Flaw | None:
    if square == state.finish:
        return Flaw(f"{square} is the finish", "RR-L2")
    if survey.goes_on_without(square):
        return None
    legs = survey.legs
    if any(square in leg.ways.before for leg in legs):
        legs = legs_at(config, state.controls, (*state.black_spots, square))
    if any(not leg.ways for leg in legs):
        return Flaw(f"with a Black Spot on {square} no way would be left to a control", "RR-L2")
    return _hopeless(config, change(state, black_spots=(*state.black_spots, square)), legs)


def _wrong_control(config: Config, state: State, order: Place, square: SquareId, survey: Survey) -> Flaw | None:
    control = control_of(config, order)
    if control.side is None or config.network.beside(square, control.side) is None:
        return Flaw(f"no road leads into {square} from {order.side or 'nowhere'}", "RR-L3")
    if square == state.finish and order.what != "tc":
        return Flaw(f"{square} is the finish: that is a time control", "RR-L4")
    legs = survey.legs_to(control)
    if not legs[-1].ways:
        return Flaw(f"no way is left to {square} from {control.side}", "RR-L2")
    near = _too_near(legs, is_timed=order.what == "tc")
    is_last = square == state.finish and legs[-1].distance >= NEAREST[False]
    if near is not None and not (is_last and not _goes_on(config, state)):
        return near
    if survey.goes_on_from(legs[-1]):
        return None
    key = square, control.side
    if key not in survey.hopeless:
        is_cut_off, laid = survey.is_cut_off(legs[-1]), change(state, controls=(*state.controls, control))
        is_sound = not is_cut_off and survey.goes_on_by_spots(legs[-1])
        survey.hopeless[key] = None if is_sound else _hopeless(config, laid, legs, is_cut_off=is_cut_off)
    return survey.hopeless[key]


def _too_near(legs: tuple[Leg, ...], *, is_timed: bool) -> Flaw | None:
    """RR-L3: require 3 squares from any other control, and for a TC 12 from the last TC over the PCs between."""
    last = legs[-1]
    if last.distance < NEAREST[False]:
        return Flaw(f"{last.end.square} is {count(last.distance, 'square')} from {last.start.name}: 3 at least", "RR-L3")
    if not is_timed:
        return None
    distance = 0
    for leg in reversed(legs):
        distance += leg.distance
        if leg.start.is_timed:
            near = Flaw(f"{last.end.square} is {count(distance, 'square')} from {leg.start.name}: 12 at least", "RR-L3")
            return near if distance < NEAREST[True] else None
    return None


def _hopeless(config: Config, laid: State, legs: tuple[Leg, ...], *, is_cut_off: bool = False) -> Flaw | None:
    """Refuse a marker that makes it impossible to complete the route (RR-L4)."""
    if not is_cut_off and all(leg.ways.number == 1 for leg in legs) and can_be_completed(config, laid):
        return None  # the route has no ambiguity, and the search found a way to the finish
    flaw = _unsettled(legs) or _cut_off(config, laid)
    if flaw is not None or (not is_cut_off and can_be_completed(config, laid)):
        return flaw
    return Flaw("no Black Spots that leave one of its ways would let the route be completed", "RR-L4")


def _unsettled(legs: tuple[Leg, ...]) -> Flaw | None:
    for leg in legs:
        if not is_settled(legs, leg):
            return Flaw(f"no Black Spot could make the route to {leg.end.name} unambiguous", "RR-L2")
    return None


def _cut_off(config: Config, state: State) -> Flaw | None:
    """Refuse a marker that cuts off every way to the finish."""
    if is_closed(state) or state.finish is None:
        return None
    legs = legs_at(config, state.controls, state.black_spots)
    here = state.controls[-1].square
    if state.finish in config.network.reach(here, closed_to(legs, here, state.black_spots), state.finish).far:
        return None
    return Flaw("no way would be left to the finish", "RR-L4")


def _goes_on(config: Config, state: State) -> bool:
    """Return whether any other control is legal: if not, the finish may be nearer than 12 squares (RR-L4)."""
    # Where a TC is legal a PC is legal too, and without a way neither is.
    near = survey_of(config, state).within_reach()
    others = (square for square in config.network.links if square in near and square != state.finish)
    orders = (Place("pc", square, side) for square in others for side in _sides(config, square))
    return any(wrong_marker(config, state, order) is None for order in orders)


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
