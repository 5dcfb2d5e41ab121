"""Follow the route of a table while the players lay it (RR-L2, RR-L4): its legs, the ways left, and when it is complete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from adjudicator.game import Flaw, Memo, remembered, replace
from adjudicator.games.rally_round.components import Control, SquareId
from adjudicator.games.rally_round.config import TABLE, Config
from adjudicator.games.rally_round.roads import Network
from adjudicator.games.rally_round.route import Leg, closed_to, legs_of, on_route, sections_of


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
    def squares(self) -> tuple[SquareId, ...]:
        """The squares of the controls and Black Spots."""
        return (*(control.square for control in self.controls), *self.black_spots)


@remembered
def legs_so_far(config: Config, markers: Markers) -> tuple[Leg, ...]:
    """Return the legs between the controls of ``markers``."""
    return legs_of(config.network, replace(TABLE, controls=markers.controls, black_spots=markers.black_spots))


@remembered
def route_so_far(config: Config, markers: Markers) -> frozenset[SquareId]:
    """Return the squares that are surely on the route of ``markers`` (RR-H1)."""
    return on_route(legs_so_far(config, markers))


@remembered
def laid_course(config: Config, markers: Markers) -> Config:
    """Return ``config`` with the route of ``markers``, and with its sections once it is complete (RR-L4).

    The finish is then the last control, and one way is left to each; or several that no Black Spot can tell apart.
    """
    rally, legs = replace(TABLE, controls=markers.controls, black_spots=markers.black_spots), legs_so_far(config, markers)
    is_complete = markers.is_closed and all(leg.ways for leg in legs)
    if is_complete and any(leg.ways.number > 1 for leg in legs):
        is_complete = next(useful_spots(config, markers), None) is None
    sections = sections_of(legs) if is_complete else ()
    return replace(config, rally=rally, sections=sections, marked=frozenset(markers.squares), memo=Memo())


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
