"""Calculate the cost of entering a space and how to pay it, for checks and for drives (GR-D, GR-H3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from adjudicator.game import Problem, replace
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.state import Crew, Gauge, Help, Loss, Use, without

CHASSIS_FIRST = Loss()
"""The default way to lose parts."""
_CHASSIS: Final = Gauge.CHASSIS
_CAN, _ESCORT, _RANGER, _CARAVAN = Help
Tiles = Mapping[SpaceId, TileId]
_NOTHING: Final[frozenset[Help]] = frozenset()


class Toll(NamedTuple):
    """The payment for a space: levels, jerrycans poured in first, a guard against danger, a Caravan against the stop."""

    fuel: int
    engine: int = 0
    chassis: int = 0
    cans: int = 0
    guard: Help | None = None
    has_caravan: bool = False
    stops: bool = False


class Short(NamedTuple):
    """Why a crew cannot pay for a space, as text, and by which rule."""

    why: str
    rule: str

    def problem(self, seat: str, part: str, near: tuple[str, ...] = ()) -> Problem:
        """Return the refusal of an order of ``seat`` for that reason."""
        return META.problem("cannot-pay", f"{seat} {self.why}", self.rule, part, near)


def after_toll(config: Config, crew: Crew, toll: Toll) -> Crew:
    """Return ``crew`` after paying ``toll``."""
    fuel, engine, chassis, cans, guard, has_caravan, _ = toll
    levels = {"fuel": crew.fuel - fuel, "engine": crew.engine - engine, "chassis": crew.chassis - chassis}
    if not cans and guard is None and not has_caravan:
        return replace(crew, **levels)
    cards = [CardId.JERRYCAN] * cans + [CardId.RANGER] * (guard is _RANGER) + [CardId.CARAVAN] * has_caravan
    active = replace(crew.active, escort=crew.active.escort - (guard is _ESCORT))
    levels["fuel"] = min(crew.fuel + cans * config.can, config.components.gauges.fuel) - fuel if cans else levels["fuel"]
    return replace(crew, hand=without(crew.hand, *cards), active=active, **levels)


def aids_at(using: Iterable[Use] | None, space: SpaceId) -> frozenset[Help]:
    """Return the helps for ``space``."""
    return frozenset([use.help for use in using if use.at is None or use.at == space]) if using else _NOTHING


def city_toll(config: Config, crew: Crew, aids: Collection[Help]) -> Toll | Short:
    """Return the toll of a city (GR-D4)."""
    fuel = config.components.city_fuel
    cans = _cans(config, crew, fuel, aids)
    if cans is None:
        return Short(f"has not the {fuel} fuel that a city costs", "GR-D4")
    return Toll(fuel, cans=cans)


def known_toll(
    config: Config, tiles: Tiles, space: SpaceId, crew: Crew, loss: Loss | None, aids: Collection[Help], *, goes_on: bool
) -> Toll | Short | None:
    """Return the toll of ``space``, a city or one of ``tiles`` as in ``tile_toll``; ``None`` if the space is blank."""
    tile = tiles.get(space)
    if tile is not None:
        return tile_toll(config, space, tile, crew, loss, aids, goes_on=goes_on)
    return city_toll(config, crew, aids) if config.roads.is_city(space) else None


def tile_toll(
    config: Config, space: SpaceId, tile: TileId, crew: Crew, loss: Loss | None, aids: Collection[Help], *, goes_on: bool
) -> Toll | Short:
    """Return the toll of ``tile`` on ``space`` with the helps ``aids``, or why the crew cannot pay it.

    A Caravan is used if the drive ``goes_on`` after the tile.
    """
    kind = config.tiles[tile]
    guard = _guard(crew, aids) if kind.danger else None
    parts = kind.parts if guard is not None else config.tile_parts(tile)
    if parts > crew.engine + crew.chassis:
        return Short(f"cannot lose the {parts} parts that {space} costs", "GR-H3" if kind.danger else "GR-D1")
    fuel = config.tile_fuel(space, tile)
    cans = _cans(config, crew, fuel, aids)
    if cans is None:
        return Short(f"has not the {fuel} fuel that {space} costs", "GR-D1")
    engine, chassis = split(parts, crew.engine, crew.chassis, loss or CHASSIS_FIRST) if parts else (0, 0)
    has_caravan = kind.stop and goes_on and _CARAVAN in aids and crew.has(_CARAVAN) > 0
    return Toll(fuel, engine, chassis, cans, guard, has_caravan, kind.stop and not has_caravan)


def split(parts: int, engine: int, chassis: int, loss: Loss) -> tuple[int, int]:
    """Split ``parts``, which both gauges together can pay, between engine and chassis.

    The engine goes to 0 only if the chassis has nothing left.
    """
    if loss.first is _CHASSIS:
        taken = min(parts, chassis) if loss.most is None else min(parts, chassis, loss.most)
        taken = max(taken, parts - engine)
        return parts - taken, taken
    taken = min(parts, max(engine - 1, 0))
    taken = max(taken, parts - chassis)
    return taken, parts - taken


def _guard(crew: Crew, aids: Collection[Help]) -> Help | None:
    """Return the guard that cancels a danger: an escort before a Ranger, which the crew could keep."""
    if _ESCORT in aids and crew.active.escort:
        return _ESCORT
    return _RANGER if _RANGER in aids and crew.has(_RANGER) else None


def _cans(config: Config, crew: Crew, fuel: int, aids: Collection[Help]) -> int | None:
    """Return how many jerrycans ``fuel`` levels need, ``None`` if the crew has too few or the gauge is too short."""
    missing = fuel - crew.fuel
    if missing <= 0:
        return 0
    cans = -(-missing // config.can)
    if _CAN not in aids or cans > crew.has(_CAN) or fuel > config.components.gauges.fuel:
        return None
    return cans
