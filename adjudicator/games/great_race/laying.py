"""Draw and lay tiles, with scouts and with a Cartographer (GR-A1, GR-K1)."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from typing import Any, Final

from adjudicator.game import Chance, Problem, Seat, count
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race.components import CardId, SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.drawing import tiles_drawn
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.names import space_called
from adjudicator.games.great_race.orders import Lay
from adjudicator.games.great_race.state import Laying, State

Moves = Generator[Any, State, Any]
SCOUTED: Final = 2
"""How many tiles a scout draws (GR-A1)."""
_MOST_SUGGESTED: Final = 8


def many_of(config: Config, card: CardId | None) -> int:
    """Return how many tiles a ``card`` draws, or (``None``) a scout."""
    return SCOUTED if card is None else config.cards[card].amount


def check_laying(config: Config, state: State, seat: Seat, names: tuple[str, ...], many: int) -> Problem | None:
    """GR-A1, GR-H9: require tiles in the bag, and that named spaces are free and an unbroken path leads to them.

    Version 1 of the rules requires a free space even if the order names none.
    """
    tiles, here, left = state.tiles, state.crew(seat).space, state.bag_size(config)
    if not left:
        return META.problem("bag-empty", "no tile is left in the bag", "GR-H9")
    free = config.roads.free(here, tiles)
    if not free and (names or not config.may_be_idle):
        return META.problem("no-free-space", "no path leads from the vehicle to a blank space", "GR-H9")
    many = min(many, left)
    if len(names) > many:
        message = f"you draw {count(many, 'tile')}, not {len(names)}" if many > 1 else f"you draw 1 tile, not {len(names)}"
        return META.problem("too-many-spaces", message, "GR-A1", f"space:{many}")
    wanted = [space_called(config, name) for name in names]
    for at, space in enumerate(wanted):
        problem = _check_blank(config, tiles, space, f"space:{at}", free)
        if problem is None and space in wanted[:at]:
            problem = META.problem("space-twice", f"{space} is named twice", "GR-A1", f"space:{at}")
        if problem is not None:
            return problem
    return _check_path(config, here, tiles, wanted)


def _check_blank(
    config: Config, tiles: Collection[SpaceId], space: SpaceId, part: str, free: tuple[SpaceId, ...]
) -> Problem | None:
    near = free[:_MOST_SUGGESTED]
    if config.roads.is_city(space):
        return META.problem("city", f"{space} is a city: you cannot lay a tile there", "GR-A1", part, near)
    if space in tiles:
        return META.problem("tile-there", f"{space} already has a tile", "GR-A1", part, near)
    return None


def _check_path(config: Config, here: SpaceId, tiles: Collection[SpaceId], wanted: list[SpaceId]) -> Problem | None:
    ordered = in_reach(config, here, tiles, wanted)
    missing = [space for space in wanted if space not in ordered]
    if not missing:
        return None
    near = config.roads.free(here, tiles)[:_MOST_SUGGESTED]
    message = f"no unbroken path of tiles and cities leads from {here} to {missing[0]}"
    return META.problem("no-path", message, "GR-A1", f"space:{wanted.index(missing[0])}", near)


def in_reach(config: Config, here: SpaceId, tiles: Collection[SpaceId], wanted: list[SpaceId]) -> list[SpaceId]:
    """Return those of ``wanted`` on which tiles can go one after the other, in that order."""
    laid, left, found = set(tiles), list(wanted), list[SpaceId]()
    while left:
        free = config.roads.free(here, laid)
        space = next((space for space in left if space in free), None)
        if space is None:
            break
        left.remove(space)
        laid.add(space)
        found.append(space)
    return found


def scout(config: Config, state: State, seat: Seat, order: Any, many: int, rule: str, chance: Chance) -> Moves:
    """Draw tiles, and lay those for which the order names a space."""
    tiles = tiles_drawn(config, state, many, seat, chance)
    spaces = [space_called(config, name) for name in order.spaces]
    is_settled = bool(order.manner) or (bool(spaces) and len(set(tiles)) == 1)
    to = () if is_settled else tuple(spaces)
    state = yield dealt.TilesScouted(seat=seat, tiles=tiles, to=to, rule=rule)
    if is_settled:
        laid = dict(zip(spaces, _in_manner(config, tiles, order.manner), strict=False))
        for space in in_reach(config, state.crew(seat).space, state.tiles, spaces):
            state = yield dealt.TileLaid(seat=seat, space=space, tile=laid[space], rule=rule)
    yield from put_back(config, state)


def _in_manner(config: Config, tiles: tuple[TileId, ...], manner: str) -> list[TileId]:
    """Return ``tiles`` in the order of the spaces named: as drawn, or by their cost."""
    if manner in ("", "first"):
        return list(tiles)
    return sorted(tiles, key=lambda tile: tile_cost(config, tile), reverse=manner == "dear")


def tile_cost(config: Config, tile: TileId) -> int:
    """Return the cost of a tile as one number: fuel, twice its parts with those of its danger, and one for a stop."""
    kind = config.tiles[tile]
    return kind.fuel + 2 * (kind.parts + (config.components.danger if kind.danger else 0)) + kind.stop


def put_back(config: Config, state: State) -> Moves:
    """Put tiles without a free space back into the bag (GR-H9)."""
    laying = state.pending
    if isinstance(laying, Laying) and not config.roads.free(state.crew(laying.seat).space, state.tiles):
        yield dealt.TilesReturned(seat=laying.seat, tiles=laying.tiles)


def spaces_for(config: Config, state: State, laying: Laying) -> tuple[SpaceId, ...]:
    """Return the spaces for the next tile: those named that are in reach, or else any free space."""
    free = config.roads.free(state.crew(laying.seat).space, state.tiles)
    return tuple([space for space in free if space in laying.to]) or free


def check_lay(config: Config, state: State, _seat: Seat, order: Lay) -> Problem | None:
    """GR-A1: require a tile that was drawn, on a free space that an unbroken path leads to."""
    laying = state.pending
    assert isinstance(laying, Laying)
    if order.tile not in laying.tiles:
        drawn = tuple(dict.fromkeys(laying.tiles))
        return META.problem("not-drawn", f"{order.tile} is not one of the tiles drawn", "GR-A1", "tile", drawn)
    near = spaces_for(config, state, laying)
    if space_called(config, order.space) in near:
        return None
    message = f"you cannot lay a tile at {order.space} now"
    return META.problem("no-path", message, "GR-A1", "space", near[:_MOST_SUGGESTED])


def lays(config: Config, state: State) -> Iterator[Lay]:
    """Yield each tile drawn on each space for it."""
    laying = state.pending
    assert isinstance(laying, Laying)
    spaces = spaces_for(config, state, laying)
    for tile in dict.fromkeys(laying.tiles):
        yield from (Lay(tile, space) for space in spaces)


def lay(config: Config, state: State, seat: Seat, order: Lay) -> Moves:
    """Lay a tile; tiles without a free space go back."""
    rule = "GR-K1" if state.in_play is CardId.CARTOGRAPHER else "GR-A1"
    space = space_called(config, order.space)
    state = yield dealt.TileLaid(seat=seat, space=space, tile=TileId(order.tile), rule=rule)
    laying = state.pending
    to = laying.to if isinstance(laying, Laying) and len(laying.tiles) == 1 else ()
    if isinstance(laying, Laying) and len(to) == 1 and to[0] in spaces_for(config, state, laying):
        state = yield dealt.TileLaid(seat=seat, space=to[0], tile=laying.tiles[0], rule=rule)
    yield from put_back(config, state)
