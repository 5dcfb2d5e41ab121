"""Draw tiles and lay them on blank spaces, with a scout or with a Cartographer (GR-A1, GR-K1, GR-H9)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from adjudicator.game import Chance, Order, Problem, count, piles
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.actions import MOST_SUGGESTED, Action, Means
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.state import BAG, Here, Laying, Moves, Slot

SCOUTED: Final = 2
"""How many tiles a scout draws (GR-A1)."""


class ScoutTiles(Action):
    """Draw tiles and lay them on ``spaces`` (none: the crew decides when it sees them).

    ``manner`` says which goes to the first: that drawn ``first``, the ``cheap`` one, the ``dear`` one (empty: ask).
    """

    examples = (
        *("SCOUT tiles", "SCOUT tiles K4 K5", "SCOUT tiles first K4 then K5", "SCOUT tiles cheap K4 then K5"),
        *("PLAY Cartographer", "PLAY Cartographer first K4 then K5 then K6"),
    )
    template = "{verb}[ {where}]"
    own_verb = "SCOUT tiles"
    spaces: tuple[SpaceId, ...] = ()
    manner: str = ""
    by: Means = Slot.SCOUTS

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        manner, spaces = children[0] or ("", ())
        return cls(spaces, manner)

    @property
    def where(self) -> str:
        """The words for manner and spaces."""
        if self.manner:
            return f"{self.manner} {' then '.join(self.spaces)}"
        tiles = ("tiles",) if self.spaces and not isinstance(self.by, Slot) else ()
        return " ".join((*tiles, *self.spaces))

    def _many(self, config: Config) -> int:
        return SCOUTED if isinstance(self.by, Slot) else config.cards[self.by].amount

    def refusal(self, at: Here) -> Problem | None:
        """GR-A1, GR-H9: require tiles in the bag, and that named spaces are free and an unbroken path leads to them."""
        config, tiles, here, left = at.config, at.state.tiles, at.own.space, BAG.many_left(at.config, at.state)
        if not left:
            return META.problem("bag-empty", "no tile is left in the bag", "GR-H9")
        if not self.spaces:
            return None
        free = config.roads.free(here, tiles)
        if not free:
            return META.problem("no-free-space", "no path leads from the vehicle to a blank space", "GR-H9")
        many, wanted, near = min(self._many(config), left), self.spaces, free[:MOST_SUGGESTED]
        if len(wanted) > many:
            message = f"you draw {count(many, 'tile')}, not {len(wanted)}"
            return META.problem("too-many-spaces", message, "GR-A1", f"space:{many}")
        for place, space in enumerate(wanted):
            part = f"space:{place}"
            if config.roads.is_city(space):
                return META.problem("city", f"{space} is a city: you cannot lay a tile there", "GR-A1", part, near)
            if space in tiles:
                return META.problem("tile-there", f"{space} already has a tile", "GR-A1", part, near)
            if space in wanted[:place]:
                return META.problem("space-twice", f"{space} is named twice", "GR-A1", part)
        reached = _in_reach(config, here, tiles, wanted)
        for place, space in enumerate(wanted):
            if space not in reached:
                message = f"no unbroken path of tiles and cities leads from {here} to {space}"
                return META.problem("no-path", message, "GR-A1", f"space:{place}", near)
        return None

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Draw tiles, and lay those for which the order names a space: as drawn, or in the order of their cost.

        The cost is one number: fuel, twice the parts with those of a danger, and one for a stop.
        """
        config, spaces, rule = at.config, self.spaces, self.rule
        tiles, at = yield from piles.draw_from(
            lambda at: BAG.left(at.config, at.state),
            lambda _at: None,
            at,
            self._many(config),
            f"a tile for {at.seat}",
            chance,
        )
        is_settled = bool(self.manner) or (bool(spaces) and len(set(tiles)) == 1)
        at = yield happened.TilesScouted(seat=at.seat, tiles=tiles, to=() if is_settled else spaces, rule=rule)
        if is_settled:
            if self.manner in ("cheap", "dear"):
                kinds = {tile: config.tiles[tile] for tile in tiles}
                costs = {tile: kind.fuel + 2 * config.tile_parts(tile) + kind.stop for tile, kind in kinds.items()}
                tiles = tuple(sorted(tiles, key=costs.__getitem__, reverse=self.manner == "dear"))
            laid = dict(zip(spaces, tiles, strict=False))
            for space in _in_reach(config, at.own.space, at.state.tiles, spaces):
                at = yield happened.TileLaid(seat=at.seat, space=space, tile=laid[space], rule=rule)
        yield from _put_back(at)


class Lay(Order):
    """Lay a ``tile`` that was drawn on ``space``."""

    examples = ("LAY sand at K4",)
    template = "LAY {tile} at {space}"
    tile: TileId
    space: SpaceId

    def check(self, at: Here) -> Problem | None:
        """GR-A1: require a tile that was drawn, on a free space that an unbroken path leads to."""
        tiles, near = at.state.pending_as(Laying).tiles, _spaces_for(at)
        if self.tile not in tiles:
            drawn = tuple(dict.fromkeys(tiles))
            return META.problem("not-drawn", f"{self.tile} is not one of the tiles drawn", "GR-A1", "tile", drawn)
        if self.space in near:
            return None
        message = f"you cannot lay a tile at {self.space} now"
        return META.problem("no-path", message, "GR-A1", "space", near[:MOST_SUGGESTED])

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        tiles, spaces = dict.fromkeys(at.state.pending_as(Laying).tiles), _spaces_for(at)
        return (cls(tile, space) for tile in tiles for space in spaces)

    def decide(self, at: Here, chance: Chance) -> Moves:
        """Lay the tile, and the last one if its space is named; tiles without a free space go back."""
        rule = "GR-A1" if at.state.in_play is None else "GR-K1"
        at = yield happened.TileLaid(seat=at.seat, space=self.space, tile=self.tile, rule=rule)
        match at.state.pending:
            case Laying(tiles=(tile,), to=(space,)) if space in _spaces_for(at):
                at = yield happened.TileLaid(seat=at.seat, space=space, tile=tile, rule=rule)
        yield from _put_back(at)


def _in_reach(config: Config, here: SpaceId, tiles: Collection[SpaceId], wanted: Sequence[SpaceId]) -> list[SpaceId]:
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


def _put_back(at: Here) -> Moves:
    """Put tiles without a free space back into the bag (GR-H9)."""
    laying = at.state.pending
    if isinstance(laying, Laying) and not at.config.roads.free(at.own.space, at.state.tiles):
        yield happened.TilesReturned(seat=laying.seat, tiles=laying.tiles)


def _spaces_for(at: Here) -> tuple[SpaceId, ...]:
    """Return the spaces for the next tile: those named that are in reach, or else any free space."""
    laying = at.state.pending_as(Laying)
    free = at.config.roads.free(at.own.space, at.state.tiles)
    return tuple([space for space in free if space in laying.to]) or free
