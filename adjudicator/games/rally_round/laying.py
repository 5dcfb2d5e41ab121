"""Lay the route at a table (RR-L): what makes a marker wrong, the ways that are left, and when the route is complete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from adjudicator.game import Flaw, Memo, remembered, replace
from adjudicator.games.rally_round.components import Control, Rally, Side, SquareId
from adjudicator.games.rally_round.config import TABLE, Config
from adjudicator.games.rally_round.roads import Network, Reach
from adjudicator.games.rally_round.route import (
    APART,
    TIMED_APART,
    Leg,
    closed_to,
    legs_of,
    on_route,
    post_of,
    sections_of,
    too_near,
    ways_to,
)


class Markers(NamedTuple):
    """The markers of a table: the ``controls`` in order, the ``black_spots``, and the square of the ``finish``."""

    controls: tuple[Control, ...]
    black_spots: tuple[SquareId, ...] = ()
    finish: SquareId | None = None

    @property
    def is_closed(self) -> bool:
        """Whether the finish is the last control: after it players place only Black Spots (RR-L4)."""
        return len(self.controls) > 1 and self.controls[-1].square == self.finish

    @property
    def rally(self) -> Rally:
        """The route so far as a rally."""
        return replace(TABLE, controls=self.controls, black_spots=self.black_spots)

    @property
    def squares(self) -> tuple[SquareId, ...]:
        """The squares of the controls and Black Spots."""
        return (*(control.square for control in self.controls), *self.black_spots)


@remembered
def legs_so_far(config: Config, markers: Markers) -> tuple[Leg, ...]:
    """Return the legs between the controls of ``markers``."""
    return legs_of(config.network, markers.rally)


@remembered
def route_so_far(config: Config, markers: Markers) -> frozenset[SquareId]:
    """Return the squares that are surely on the route of ``markers`` (RR-H1)."""
    return on_route(legs_so_far(config, markers))


@remembered
def laid_course(
    config: Config, controls: tuple[Control, ...], black_spots: tuple[SquareId, ...], finish: SquareId | None
) -> Config:
    """Return ``config`` with the route of these ``Markers``, and with its sections once it is complete (RR-L4).

    The finish is then the last control, and one way is left to each; or several that no Black Spot can tell apart.
    """
    markers = Markers(controls, black_spots, finish)
    legs = legs_so_far(config, markers)
    is_complete = markers.is_closed and all(leg.ways for leg in legs)
    if is_complete and any(leg.ways.number > 1 for leg in legs):
        is_complete = next(useful_spots(config, markers), None) is None
    sections = sections_of(legs) if is_complete else ()
    return replace(config, rally=markers.rally, sections=sections, marked=frozenset(markers.squares), memo=Memo())


def useful_spots(config: Config, markers: Markers) -> Iterator[SquareId]:
    """Yield the squares on which a Black Spot is legal and leaves fewer ways of a leg, those on the most ways first."""
    for leg in legs_so_far(config, markers):
        _, through = leg.ways.through()
        doubtful = [square for square in leg.ways.squares if square not in route_so_far(config, markers)]
        for square in sorted(doubtful, key=lambda square: -through[square]):
            if wrong_spot(config, markers, square) is None:
                yield square


def wrong_spot(config: Config, markers: Markers, square: SquareId) -> Flaw | None:
    """Return why a Black Spot off the route is wrong on ``square``, ``None`` if it is legal."""
    if square == markers.finish:
        return Flaw(f"{square} is the finish", "RR-L2")
    spotted = markers._replace(black_spots=(*markers.black_spots, square))
    is_on_way = any(square in leg.ways.before for leg in legs_so_far(config, markers))
    legs = legs_so_far(config, spotted) if is_on_way else legs_so_far(config, markers)
    if any(not leg.ways for leg in legs):
        return Flaw(f"with a Black Spot on {square} no way would be left to a control", "RR-L2")
    return None if markers.is_closed else cut_off(config.network, spotted, legs)


def cut_off(network: Network, markers: Markers, legs: tuple[Leg, ...]) -> Flaw | None:
    """Return the flaw that no way leads from the last of the ``legs`` of ``markers`` to the finish, ``None`` if one does."""
    here, finish = markers.controls[-1].square, markers.finish
    if finish is None or finish in network.reach(here, closed_to(legs, here, markers.black_spots)).far:
        return None
    return Flaw("no way would be left to the finish", "RR-L4")


def wrong_marker(config: Config, markers: Markers, what: str, square: SquareId, from_side: str | None) -> Flaw | None:
    """Return why a ``tc``, ``pc`` or ``blackspot`` is wrong on ``square``, ``None`` if it is legal (RR-L2, RR-L3, RR-L4)."""
    finish = markers.finish
    if square in markers.squares:
        return Flaw(f"there is a marker on {square} already", "RR-L3")
    if square in route_so_far(config, markers):
        return Flaw(f"{square} is on the route already", "RR-L2")
    if what == "blackspot":
        return wrong_spot(config, markers, square)
    if markers.is_closed:
        return Flaw("the finish is placed: only Black Spots may follow", "RR-L4")
    if square == finish and what != "tc":
        return Flaw(f"{square} is the finish: that is a time control", "RR-L4")
    side = Side(from_side or "")
    leg, before = leg_to(config, markers, square, side), legs_so_far(config, markers)
    if not leg.ways:
        return Flaw(f"no way is left to {square} from {side}", "RR-L2")
    near = too_near(square, leg.ways.distance, leg.start.name, APART)
    if near is None and what == "tc":  # successive TCs, over the PCs between
        since = next(number for number, one in enumerate((leg, *before[::-1])) if one.start.is_timed)
        legs = (leg, *before[::-1])[: since + 1]
        near = too_near(square, sum(one.ways.distance for one in legs), legs[-1].start.name, TIMED_APART)
    if square == finish:
        return near if near is not None and _goes_on(config, markers) else None
    return near or _cut_off_after(config, markers, square, side)


@remembered
def leg_to(config: Config, markers: Markers, square: SquareId, side: Side) -> Leg:
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
    leg, known = leg_to(config, markers, square, side), _reach(config, markers, markers.finish).way(square)
    if known and leg.ways.common.isdisjoint(known[:-1]):  # most often, and faster than a search for each control
        return None
    placed = markers._replace(controls=(*markers.controls, Control(square=square, side=side)))
    return cut_off(config.network, placed, (*legs_so_far(config, markers), leg))


@remembered
def _goes_on(config: Config, markers: Markers) -> bool:
    """Return whether any other time control is legal: if not, the finish may be nearer than ``TIMED_APART`` (RR-L4)."""
    near, side = _reach(config, markers, markers.controls[-1].square).far, config.network.side
    return any(
        wrong_marker(config, markers, "tc", square, side(square, other)) is None
        for square, others in config.network.links.items()
        if square in near and square != markers.finish
        for other in others
    )
