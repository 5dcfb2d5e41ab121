"""Follow the route of a table while the players lay it (RR-L2, RR-L4): its legs, the ways left, and when it is complete."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from adjudicator.game import Flaw, Memo, change, remembered
from adjudicator.games.rally_round.components import Control, SquareId
from adjudicator.games.rally_round.config import TABLE, Config
from adjudicator.games.rally_round.network import Network
from adjudicator.games.rally_round.route import Leg, closed_to, legs_of, sections_of


class Plan(NamedTuple):
    """The markers of a table: the ``controls`` in order, the ``black_spots``, and the square of the ``finish``."""

    controls: tuple[Control, ...]
    black_spots: tuple[SquareId, ...] = ()
    finish: SquareId | None = None

    @property
    def is_closed(self) -> bool:
        """Whether the finish is the last control: after it players place only Black Spots (RR-L4)."""
        return len(self.controls) > 1 and self.controls[-1].square == self.finish

    @property
    def markers(self) -> tuple[SquareId, ...]:
        """The squares under a marker."""
        return (*(control.square for control in self.controls), *self.black_spots)


@remembered
def plan_legs(config: Config, plan: Plan) -> tuple[Leg, ...]:
    """Return the legs between the controls of ``plan``."""
    return legs_of(config.network, change(TABLE, controls=plan.controls, black_spots=plan.black_spots))


@remembered
def on_route(config: Config, plan: Plan) -> frozenset[SquareId]:
    """Return the squares that are surely on the route of ``plan`` (RR-H1)."""
    return frozenset[SquareId]().union(*(leg.common for leg in plan_legs(config, plan)))


@remembered
def laid_course(config: Config, plan: Plan) -> Config:
    """Return ``config`` with the route of ``plan``, and with its sections once it is complete."""
    rally = change(TABLE, controls=plan.controls, black_spots=plan.black_spots)
    sections = sections_of(plan_legs(config, plan)) if _is_complete(config, plan) else ()
    return change(config, rally=rally, sections=sections, marked=frozenset(plan.markers), memo=Memo())


def _is_complete(config: Config, plan: Plan) -> bool:
    """RR-L4: the finish is the last control, and one way is left; or several that no Black Spot can tell apart."""
    if not plan.is_closed:
        return False
    is_certain = all(leg.ways.number == 1 for leg in plan_legs(config, plan))
    return is_certain or next(useful_spots(config, plan), None) is None


def useful_spots(config: Config, plan: Plan) -> Iterator[SquareId]:
    """Yield the squares on which a Black Spot is legal and leaves fewer ways of a leg, those on the most ways first."""
    for leg in plan_legs(config, plan):
        _, through = leg.ways.through()
        doubtful = [square for square in leg.ways.squares if square not in on_route(config, plan)]
        for square in sorted(doubtful, key=lambda square: -through[square]):
            if wrong_spot(config, plan, square) is None:
                yield square


def wrong_spot(config: Config, plan: Plan, square: SquareId) -> Flaw | None:
    """Return why a Black Spot off the route is wrong on ``square``, ``None`` if it is legal."""
    if square == plan.finish:
        return Flaw(f"{square} is the finish", "RR-L2")
    spotted = plan._replace(black_spots=(*plan.black_spots, square))
    is_on_way = any(square in leg.ways.before for leg in plan_legs(config, plan))
    legs = plan_legs(config, spotted) if is_on_way else plan_legs(config, plan)
    if any(not leg.ways for leg in legs):
        return Flaw(f"with a Black Spot on {square} no way would be left to a control", "RR-L2")
    return None if plan.is_closed else cut_off(config.network, spotted, legs)


def cut_off(network: Network, plan: Plan, legs: tuple[Leg, ...]) -> Flaw | None:
    """Return the flaw that no way leads from the last of the ``legs`` of ``plan`` to the finish, ``None`` if one does."""
    here = plan.controls[-1].square
    if plan.finish is None or plan.finish in network.reach(here, closed_to(legs, here, plan.black_spots), plan.finish).far:
        return None
    return Flaw("no way would be left to the finish", "RR-L4")
