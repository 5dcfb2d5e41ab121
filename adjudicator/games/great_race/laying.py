"""Scout: draw tiles and lay them, with a scout or with a Cartographer, or draw a card (GR-A1, GR-K1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from adjudicator.game import Chance, Problem, count
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import MOST_SUGGESTED, RaceOrder, cards_drawn, tiles_drawn
from adjudicator.games.great_race.state import BAG, Here, Laying, Moves, Slot

SCOUTED: Final = 2
"""How many tiles a scout draws (GR-A1)."""


class Scouting(RaceOrder):
    """Draw tiles and lay them on ``spaces`` (none: the crew decides when it sees them).

    ``manner`` says which goes to the first: that drawn ``first``, the ``cheap`` one, the ``dear`` one (empty: ask).
    """

    names_spaces = ("spaces",)
    spaces: tuple[SpaceId, ...] = ()
    manner: str = ""

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        manner, spaces = children[0] or ("", ())
        return cls(spaces, manner)

    def _where(self) -> tuple[str, ...]:
        return (f"{self.manner} {' then '.join(self.spaces)}",) if self.spaces and self.manner else self.spaces

    def _many(self, config: Config) -> int:
        return SCOUTED if self.plays is None else config.cards[self.plays].amount

    def refusal(self, at: Here) -> Problem | None:
        """GR-A1, GR-H9: require tiles in the bag, and that named spaces are free and an unbroken path leads to them."""
        config, tiles, here, left = at.config, at.state.tiles, at.own.space, BAG.many_left(at.config, at.state)
        if not left:
            return META.problem("bag-empty", "no tile is left in the bag", "GR-H9")
        free = config.roads.free(here, tiles)
        if not free and self.spaces:
            return META.problem("no-free-space", "no path leads from the vehicle to a blank space", "GR-H9")
        many, wanted = min(self._many(config), left), self.spaces
        if len(wanted) > many:
            message = f"you draw {count(many, 'tile')}, not {len(wanted)}"
            return META.problem("too-many-spaces", message, "GR-A1", f"space:{many}")
        reached, near = _in_reach(config, here, tiles, wanted), free[:MOST_SUGGESTED]
        for place, space in enumerate(wanted):
            if config.roads.is_city(space):
                message = f"{space} is a city: you cannot lay a tile there"
                return META.problem("city", message, "GR-A1", f"space:{place}", near)
            if space in tiles:
                return META.problem("tile-there", f"{space} already has a tile", "GR-A1", f"space:{place}", near)
            if space in wanted[:place]:
                return META.problem("space-twice", f"{space} is named twice", "GR-A1", f"space:{place}")
        for place, space in enumerate(wanted):
            if space not in reached:
                message = f"no unbroken path of tiles and cities leads from {here} to {space}"
                return META.problem("no-path", message, "GR-A1", f"space:{place}", near)
        return None

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Draw tiles, and lay those for which the order names a space."""
        tiles, at = yield from tiles_drawn(at, self._many(at.config), f"a tile for {at.seat}", chance)
        spaces = self.spaces
        is_settled = bool(self.manner) or (bool(spaces) and len(set(tiles)) == 1)
        to = () if is_settled else spaces
        at = yield dealt.TilesScouted(seat=at.seat, tiles=tiles, to=to, rule=self.rule)
        if is_settled:
            laid = dict(zip(spaces, self._in_manner(at.config, tiles), strict=False))
            for space in _in_reach(at.config, at.own.space, at.state.tiles, spaces):
                at = yield dealt.TileLaid(seat=at.seat, space=space, tile=laid[space], rule=self.rule)
        yield from _put_back(at)

    def _in_manner(self, config: Config, tiles: tuple[TileId, ...]) -> list[TileId]:
        """Return ``tiles`` in the order of the spaces named: as drawn, or by their cost.

        That is one number: fuel, twice the parts with those of a danger, and one for a stop.
        """
        if self.manner in ("", "first"):
            return list(tiles)
        costs = {tile: config.tiles[tile].fuel + 2 * config.tile_parts(tile) + config.tiles[tile].stop for tile in tiles}
        return sorted(tiles, key=lambda tile: costs[tile], reverse=self.manner == "dear")


class ScoutTiles(Scouting):
    """Lay tiles with a scout."""

    examples = ("SCOUT tiles", "SCOUT tiles K4 K5", "SCOUT tiles first K4 then K5", "SCOUT tiles cheap K4 then K5")

    slot = Slot.SCOUTS
    rule = "GR-A1"

    def text(self) -> str:
        return " ".join(("SCOUT tiles", *self._where()))


class PlayCartographer(Scouting):
    """Lay tiles with a Cartographer."""

    examples = ("PLAY Cartographer", "PLAY Cartographer first K4 then K5 then K6")

    plays = CardId.CARTOGRAPHER

    def text(self) -> str:
        words = self._where()
        return " ".join(("PLAY Cartographer", *(("tiles",) if words and not self.manner else ()), *words))


class ScoutCard(RaceOrder):
    """Draw a resource card."""

    examples = ("SCOUT card",)

    words = "SCOUT card"
    slot = Slot.SCOUTS
    rule = "GR-A1"

    def effect(self, at: Here, chance: Chance) -> Moves:
        yield from cards_drawn(at, at.seat, 1, chance, "GR-A1")


class Lay(RaceOrder):
    """Lay a ``tile`` that was drawn on ``space``."""

    examples = ("LAY sand at K4",)

    words = "LAY {0.tile} at {0.space}"
    names_spaces = ("space",)
    tile: TileId
    space: SpaceId

    def mistake(self, config: Config) -> Problem | None:
        return META.unknown("tile", self.tile, config.tiles, "GR-C2")

    def refusal(self, at: Here) -> Problem | None:
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

    def effect(self, at: Here, chance: Chance) -> Moves:
        """Lay the tile, and the last one if its space is named; tiles without a free space go back."""
        rule = "GR-A1" if at.state.in_play is None else "GR-K1"
        at = yield dealt.TileLaid(seat=at.seat, space=self.space, tile=self.tile, rule=rule)
        match at.state.pending:
            case Laying(tiles=(tile,), to=(space,)) if space in _spaces_for(at):
                at = yield dealt.TileLaid(seat=at.seat, space=space, tile=tile, rule=rule)
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
        yield dealt.TilesReturned(seat=laying.seat, tiles=laying.tiles)


def _spaces_for(at: Here) -> tuple[SpaceId, ...]:
    """Return the spaces for the next tile: those named that are in reach, or else any free space."""
    laying = at.state.pending_as(Laying)
    free = at.config.roads.free(at.own.space, at.state.tiles)
    return tuple([space for space in free if space in laying.to]) or free
