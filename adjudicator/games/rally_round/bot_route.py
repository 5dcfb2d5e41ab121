"""Choose markers for a simulated player at a table, so that the route reaches an end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol, TypeVar

from adjudicator.games.rally_round import laying
from adjudicator.games.rally_round.components import SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.markers import legs_so_far, useful_spots
from adjudicator.games.rally_round.orders import Finish, Pass, Place, Start
from adjudicator.games.rally_round.state import State

_TRIES: Final = 12
"""How many places a player tries for a marker before it passes."""
_ENOUGH: Final = {True: 6, False: 4}
"""With so many controls on the map a player tries the finish first: one that plans (RR-L4), and another."""
_SLIPS: Final = 0.04
"""How often a player that does not plan places a wrong marker and loses the turn (RR-L3)."""

T = TypeVar("T")


class Luck(Protocol):
    """The source of random choices between equally good things."""

    def choice(self, among: Sequence[T], /) -> T:
        """Return one of ``among``."""
        ...

    def random(self) -> float:
        """Return a number from 0 to below 1."""
        ...


def marker(config: Config, state: State, luck: Luck, *, plans: bool) -> Any:
    """Return the start, the finish, or the next marker; ``Pass`` if a few tries find none."""
    if state.finish is None:
        free = laying.chequered(config, state)
        return Finish(luck.choice(free)) if state.controls else Start(luck.choice(free))
    if not (plans or config.rejects_markers) and luck.random() < _SLIPS:
        return Place("blackspot", state.controls[-1].square)
    settled = _settling(config, state, luck)
    if settled is not None:
        return settled
    if state.markers.is_closed:
        return Pass()
    wants_end = len(state.controls) >= _ENOUGH[plans] or luck.random() < 0.05
    finish = _ending(config, state, luck) if wants_end else None
    if finish is not None:
        return finish
    some = next(filter(None, (_some(config, state, luck, plans=plans) for _ in range(_TRIES))), None)
    if some is not None or not wants_end:
        return some or Pass()
    return next((order for order in _controls(config, luck) if _legal(config, state, order)), Pass())


def _controls(config: Config, luck: Luck) -> Iterator[Place]:
    """Yield controls on every square, from a random one on: without another legal control the finish may be near (RR-L4)."""
    orders = [order for order in laying.places(config) if order.what != "blackspot"]
    first = luck.choice(range(len(orders)))
    yield from (*orders[first:], *orders[:first])


def _legal(config: Config, state: State, order: Place) -> Place | None:
    return order if laying.wrong_marker(config, state.markers, order) is None else None


def _settling(config: Config, state: State, luck: Luck) -> Place | None:
    """Return a Black Spot that leaves fewer ways of an ambiguous leg (RR-L2)."""
    is_certain = all(leg.ways.number == 1 for leg in legs_so_far(config, state.markers))
    if is_certain or (luck.random() < 0.5 and not state.markers.is_closed):
        return None
    square = next(useful_spots(config, state.markers), None)
    return None if square is None else Place("blackspot", square)


def _ending(config: Config, state: State, luck: Luck) -> Place | None:
    """Return the finish as the last time control, from a side that a car can enter."""
    assert state.finish is not None
    sides = [str(config.network.side(state.finish, other)) for other in config.network.links[state.finish]]
    first = luck.choice(sides)
    for side in (first, *(side for side in sides if side != first)):
        order = _legal(config, state, _timed(config, state.finish, side, luck))
        if order is not None:
            return order
    return None


def _some(config: Config, state: State, luck: Luck, *, plans: bool) -> Place | None:
    """Return a marker of a random kind on a random square, if it is legal there."""
    square = luck.choice(tuple(config.network.links))
    whim = luck.random()
    if whim < (0.03 if plans else 0.15):
        return _legal(config, state, Place("blackspot", square))
    side = str(config.network.side(square, luck.choice(config.network.links[square])))
    if whim < 0.35:
        return _legal(config, state, Place("pc", square, side))
    return _legal(config, state, _timed(config, square, side, luck))


def _timed(config: Config, square: SquareId, side: str, luck: Luck) -> Place:
    if config.is_stage_rally:
        return Place("tc", square, side)
    section = luck.choice((None, "selective", "regularity"))
    return Place("tc", square, side, section, luck.choice(range(20, 31)) if section == "regularity" else None)
