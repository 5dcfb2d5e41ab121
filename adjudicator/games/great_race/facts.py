"""Define the facts that conditions of orders use (``IF fuel < 3 THEN BUY fuel 3``), from the seat's own view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.game import Fact, FactValue
from adjudicator.games.great_race.components import SpaceId, TileId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.state import BAG, Drive, Here, Keeping, Laying


def _of_tile(help: str, value: Callable[[Config, SpaceId, TileId], FactValue]) -> Fact:  # noqa: A002
    def look(at: Here, argument: str) -> FactValue:
        space = at.config.roads.called.get(argument.casefold())
        tile = space and at.state.tiles.get(space)
        return value(at.config, space, tile) if space and tile else None

    return Fact(help, look, "place")


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _drawn(at: Here) -> FactValue:
    match at.state.pending:
        case Laying(seat=at.seat, tiles=tiles):
            return tuple(tiles)
        case Keeping(seat=at.seat, cards=cards):
            return tuple(card.fact for card in cards)
        case Drive(path=path, is_asked=True):
            return (at.state.tiles[path[0]],)
    return ()


FACTS: Final = {
    "round": Fact.of_game("the number of the round", lambda at: at.state.round),
    "stage": Fact.of_game("bivouac, planning, convoy or over", lambda at: at.state.stage.value),
    "fuel": Fact.of_seat("your fuel, or `fuel of SEAT`", "fuel"),
    "engine": Fact.of_seat("the level of your engine, or `engine of SEAT`", "engine"),
    "chassis": Fact.of_seat("the level of your chassis, or `chassis of SEAT`", "chassis"),
    "cash": Fact.of_seat("your francs, or `cash of SEAT`", "cash"),
    "cards": Fact.of_seat("how many cards you hold, or `cards of SEAT`", lambda at: len(at.own.hand)),
    "excess": Fact.of_seat("how many cards you have above your chassis level, or `excess of SEAT`", "excess"),
    "space": Fact.of_seat("the space of your vehicle, or `space of SEAT`", "space"),
    "lane": Fact.of_seat("your lane of progress, or `lane of SEAT`", lambda at: at.config.roads.lanes[at.own.space]),
    "to_finish": Fact.of_seat(
        "the fewest spaces from your vehicle to the finish, or `to_finish of SEAT`",
        lambda at: at.config.roads.to_finish.get(at.own.space),
    ),
    "scouts": Fact.of_seat("your active scouts, or `scouts of SEAT`", "active.scouts"),
    "mechanics": Fact.of_seat("your active mechanics, or `mechanics of SEAT`", "active.mechanics"),
    "escorts": Fact.of_seat("your active escorts, or `escorts of SEAT`", "active.escort"),
    "funding": Fact.of_seat("your assistants in the funding, or `funding of SEAT`", "active.funding"),
    "hand": Fact.of_game(
        "the cards of your hand: `hand has ranger`", lambda at: at.own and tuple(card.fact for card in at.own.hand)
    ),
    "drawn": Fact.of_game("the tiles or cards that you must lay, keep or pay for", _drawn),
    "offered": Fact.of_game("the cards in the bivouac", lambda at: tuple(card.fact for card in at.state.offered)),
    "bag": Fact.of_game("how many tiles are in the bag", lambda at: BAG.many_left(at.config, at.state)),
    "arrived": Fact.of_game("how many vehicles are in the finish city", lambda at: at.state.arrived),
    "tile": _of_tile("`tile at SPACE`: the tile that lies there", lambda _config, _space, tile: tile),
    "fuel_cost": _of_tile("`fuel_cost at SPACE`: levels of fuel", Config.tile_fuel),
    "parts_cost": _of_tile(
        "`parts_cost at SPACE`: parts, including those of its danger", lambda config, _space, tile: config.tile_parts(tile)
    ),
    "danger": _of_tile("`danger at SPACE`: yes or no", lambda config, _space, tile: _yes(config.tiles[tile].danger)),
    "stop": _of_tile("`stop at SPACE`: yes or no", lambda config, _space, tile: _yes(config.tiles[tile].stop)),
}
"""The facts, each with the words that explain it."""
