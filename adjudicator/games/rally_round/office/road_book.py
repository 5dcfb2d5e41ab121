"""Write the road book, one instruction a line, for readers without the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from adjudicator.game import count
from adjudicator.games.rally_round.components import Feature, Rights, Side, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.route import Section
from adjudicator.games.rally_round.speeds import limit_at

_COMPASS: Final = {Side.NORTH: "north", Side.EAST: "east", Side.SOUTH: "south", Side.WEST: "west"}
_TURNS: Final = ("straight on", "right", "back", "left")
_FEATURES: Final = {
    Feature.QUIET: "Quiet Zone",
    Feature.BRIDGE: "humpbacked bridge",
    Feature.BEND: "bend",
    Feature.ROUGH: "rough road",
    Feature.FORD: "ford",
    Feature.HAZARD: "hazard",
    Feature.GRADIENT: "gradient",
    Feature.STEEP: "steep gradient",
    Feature.CHEQUERED: "chequered square",
    Feature.GIVE_WAY: "Give Way",
}


def road_book(config: Config, section: Section, names: Mapping[tuple[SquareId, SquareId], str]) -> Iterator[str]:
    """Yield an instruction for every junction, feature and control of ``section``; ``names`` are those of the roads."""
    way = section.way
    heading = config.network.side(way[0], way[1])
    road = names.get((way[0], way[1]), "the road")
    yield f"{section.start.name} {_called(config, way[0])}: leave to the {_COMPASS[heading]} on {road}"
    posts = {post.square: post.name for post in section.posts}
    last = 0
    for at in range(1, len(way) - 1):
        before, here, after = way[at - 1 : at + 2]
        what = [words for words in (posts.get(here, ""), _sign(config, here, after)) if words]
        junction = len(config.network.links[here]) > 2
        if not what and not junction:
            continue
        turn = _turn(config, before, here, after)
        road = names.get((here, after), "")
        onto = f" onto {road}" if road and road != names.get((before, here), "") else ""
        told = f"{turn}{onto}" if junction or onto else ""
        yield f"{_after(at - last)} {', '.join([_called(config, here), *what])}{f': {told}' if told else ''}"
        last = at
    side = f", entered from the {_COMPASS[section.end.side]}" if section.end.side else ""
    yield f"{_after(len(way) - 1 - last)} {section.end.name} {_called(config, way[-1])}{side}"


def _after(squares: int) -> str:
    return f"after {count(squares, 'square')}:"


def _called(config: Config, square: SquareId) -> str:
    place = config.square(square).place
    return f"{square} ({place})" if place else str(square)


def _turn(config: Config, before: SquareId, here: SquareId, after: SquareId) -> str:
    sides = tuple(_COMPASS)
    came, goes = config.network.side(before, here), config.network.side(here, after)
    return _TURNS[(sides.index(goes) - sides.index(came)) % 4]


def _sign(config: Config, square: SquareId, after: SquareId) -> str:
    """Return the signs on ``square`` for a car that drives on to ``after``; a Give Way only if it must stop."""
    feature, here = config.feature(square), config.square(square)
    if feature is None:
        return ""
    ahead = config.network.side(square, after)
    if feature is Feature.GIVE_WAY:
        return "stop at the Give Way" if here.toward is ahead else ""
    if feature in (Feature.GRADIENT, Feature.STEEP) and here.toward is not None:
        return f"{_FEATURES[feature]} down to the {_COMPASS[here.toward]}"
    limit = limit_at(config, here, Rights())
    return f"{_FEATURES[feature]} {limit} mph" if limit is not None else _FEATURES[feature]
