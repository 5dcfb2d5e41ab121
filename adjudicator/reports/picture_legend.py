"""Draw the legend of a picture: the meanings of colours, roads and signs, and the owners of pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from adjudicator.core.drawing import (
    Badge,
    Circuit,
    Drawing,
    Figure,
    Grid,
    Icon,
    Legend,
    Mark,
    Roadmap,
    Sign,
    Stroke,
    Texture,
)
from adjudicator.core.frozen import frozen
from adjudicator.core.tableau import Feature, Look, Tableau
from adjudicator.reports.changes import MOVED, NEW, Change, Earlier
from adjudicator.reports.legend import Key
from adjudicator.reports.picture_cars import car_parts
from adjudicator.reports.picture_changes import moved_swatch, new_swatch
from adjudicator.reports.picture_circuit import way_swatch
from adjudicator.reports.picture_colors import ground_ink, seat_ink
from adjudicator.reports.picture_figure import feature_icon
from adjudicator.reports.picture_icons import HATCHES, RING, WALL, mark_parts
from adjudicator.reports.picture_roadmap import road_swatch
from adjudicator.reports.picture_textures import figure
from adjudicator.reports.picture_tile import Way, road_layers
from adjudicator.reports.sketch import Part, badge_parts, road_line
from adjudicator.reports.svg import element, text_width, words

_LINE: Final = 22
_SIZE: Final = 11
_GAP: Final = 18
LEAST: Final = 480
"""The least width of a legend in pixels."""


@frozen
class LegendItem:
    """One entry of a legend: ``draw`` draws its sign at a distance from the left, ``room`` is the width of the sign."""

    draw: Callable[[float], Iterable[str]]
    room: float
    name: str

    @property
    def width(self) -> float:
        """The width of sign and name in pixels."""
        return round(self.room + text_width(self.name, _SIZE))


def change_items(changes: Iterable[Change], earlier: Earlier | None) -> tuple[LegendItem, ...]:
    """Return the legend entries for the marks of ``changes``: new or moved since the turn of ``earlier``."""
    if earlier is None:
        return ()
    are_moves = {bool(change.origin) for change in changes}
    new = LegendItem(new_swatch, 44, f"{NEW} {earlier.turn}")
    moved = LegendItem(moved_swatch, 58, f"{MOVED} {earlier.turn}")
    return tuple(item for item, is_move in ((new, False), (moved, True)) if is_move in are_moves)


def legend_part(
    drawing: Drawing,
    key: Key,
    grounds: Sequence[str],
    width: float,
    least: float = LEAST,
    news: Iterable[LegendItem] = (),
) -> Part:
    """Return the legend of ``drawing``: grounds, roads, signs and seats, in lines of ``width`` pixels (``least`` or more).

    It is as wide as its widest line, so that no line is cut. ``news`` are the entries for marks of this picture only.
    """
    circuit = next((shape for shape in drawing.shapes if isinstance(shape, Circuit)), None)
    explained = _Explained(
        tuple([shape for shape in drawing.shapes if isinstance(shape, Legend)]),
        tuple([(shape.card, shape.pieces) for shape in drawing.shapes if isinstance(shape, Tableau)]),
        _Cars(circuit.bend, has_stopped=bool(circuit.stopped)) if circuit is not None else None,
        has_map=any(isinstance(shape, Roadmap) for shape in drawing.shapes),
        has_tiles=any(isinstance(shape, Grid) for shape in drawing.shapes),
    )
    return _legend(explained, key, tuple(grounds), max(width, least), float(least), tuple(news))


@frozen
class _Cars:
    """The facts about a circuit for its legend: the ground of its bends, and whether it ``has_stopped`` cars."""

    bend: str
    has_stopped: bool


@frozen
class _Explained:
    """The facts that determine the legend of a drawing: ``legends``, ``cards`` and pieces on them, ``cars`` and shapes."""

    legends: tuple[Legend, ...]
    cards: tuple[tuple[str, str], ...]
    cars: _Cars | None
    has_map: bool
    has_tiles: bool


@lru_cache(maxsize=64)
def _legend(
    told: _Explained, key: Key, grounds: tuple[str, ...], room: float, least: float, news: tuple[LegendItem, ...]
) -> Part:
    """Return the legend in lines of ``room`` pixels, which is the same for nearly every picture of a game."""
    legends = told.legends
    kinds = _kinds_of_road(legends, grounds) if told.has_map else _grounds(legends, grounds, key, told.cars)
    on_spots = _spot_signs(legends) if told.has_map else ()
    has = on_spots, _icons(legends), _edges(legends), _looks(told.cards), _signs(legends, key.pieces, told.cars)
    blocks = (kinds, _roads(legends, has_tiles=told.has_tiles), *has, _seats(key), news)
    return items_part(blocks, room, least)


def items_part(blocks: Iterable[Iterable[LegendItem]], width: float, least: float = LEAST) -> Part:
    """Return ``blocks`` of items drawn as in ``legend_part``, each block from a new line on."""
    lines = [line for block in blocks for line in _lines(block, max(width, least))]
    drawn, widest = [], float(least)
    for at, line in enumerate(lines):
        x, inner = 0.0, []
        for item in line:
            inner += [*item.draw(x), words(item.name, x + item.room, 11, anchor="start")]
            x += item.width + _GAP
        drawn.append(element("g", *inner, transform=f"translate(0 {at * _LINE})", font_size=_SIZE))
        widest = max(widest, x - _GAP)
    return Part(tuple(drawn), widest, len(lines) * _LINE)


def _lines(items: Iterable[LegendItem], room: float) -> Iterator[list[LegendItem]]:
    """Yield ``items`` in lines of at most ``room`` pixels; a wider item has a separate line."""
    line: list[LegendItem] = []
    used = 0.0
    for item in items:
        if line and used + item.width > room:
            yield line
            line, used = [], 0.0
        line.append(item)
        used += item.width + _GAP
    if line:
        yield line


def _grounds(legends: Iterable[Legend], grounds: Sequence[str], key: Key, cars: _Cars | None) -> Iterator[LegendItem]:
    for name in (name for legend in legends for _, name in legend.entries):
        texture, ink = key.textures.get(name), ground_ink(name, grounds)
        if cars is not None:
            yield LegendItem(partial(way_swatch, ink, is_bend=name == cars.bend), 34, name)
        elif texture is None:
            yield LegendItem(partial(_swatch, ink), 20, name)
        else:
            yield LegendItem(partial(_textured, ink, texture), 34, f"{name} ({key.letter(name)})")


def _kinds_of_road(legends: Iterable[Legend], grounds: Sequence[str]) -> Iterator[LegendItem]:
    for name in (name for legend in legends for _, name in legend.entries):
        yield LegendItem(partial(road_swatch, name, ground_ink(name, grounds)), 36, name)


def _spot_signs(legends: Iterable[Legend]) -> Iterator[LegendItem]:
    for sign, told in (one for legend in legends for one in legend.spot_signs):
        yield LegendItem(partial(_spot_sign, sign), 8 + text_width(sign, _SIZE, is_bold=True), told)


def _spot_sign(sign: str, x: float) -> Iterable[str]:
    return [words(sign, x, 11, anchor="start", font_weight="bold")]


def _roads(legends: Iterable[Legend], *, has_tiles: bool) -> Iterator[LegendItem]:
    for name, stroke in (road for legend in legends for road in legend.roads):
        yield LegendItem(partial(_broad_road if has_tiles else _road, stroke), 36, name)


def _signs(legends: Iterable[Legend], pieces: Figure, cars: _Cars | None) -> Iterator[LegendItem]:
    for sign, told in (entry for legend in legends for entry in legend.signs):
        if cars is not None and sign is Sign.PIECE:
            yield LegendItem(partial(_car, 0), 30, told)
            continue
        room = 34 if sign is Sign.PIECE and pieces is Figure.CAR else 22
        yield LegendItem(partial(_badge, Badge("", sign), "#555555", "", pieces, room / 2 - 3), room, told)
    if cars is not None and cars.has_stopped:
        yield LegendItem(partial(_car, 1), 32, "stands still, with the turns it loses")


def _car(stopped: int, x: float) -> Iterable[str]:
    drawn = car_parts(0, 0, 0, "#555555", "", stopped=stopped)
    return [element("g", *drawn, transform=f"translate({x + 13:g} {9 if stopped else 7}) scale({0.62 if stopped else 0.9})")]


def _icons(legends: Iterable[Legend]) -> Iterator[LegendItem]:
    for icon, told in (entry for legend in legends for entry in legend.icons):
        yield LegendItem(partial(_icon, icon), 22, told)


def _edges(legends: Iterable[Legend]) -> Iterator[LegendItem]:
    """Yield the entries for hatched and ringed regions of a chart, and for borders that no way crosses."""
    for legend in legends:
        if legend.hatched:
            yield LegendItem(_hatched, 20, legend.hatched)
        if legend.ringed:
            yield LegendItem(_ringed, 20, legend.ringed)
        if legend.closed:
            yield LegendItem(_wall, 28, legend.closed)


def _looks(cards: Iterable[tuple[str, str]]) -> Iterator[LegendItem]:
    """Yield the small signs of persons on cards, and the meaning of a piece on a card."""
    for card, pieces in cards:
        for look in Look:
            yield LegendItem(partial(_feature, Feature(look.value, look)), 22, look.value)
        piece = partial(_badge, Badge("", Sign.PIECE), "#555555", "", Figure.DISC, 8)
        yield LegendItem(piece, 22, f"on a {card}: {pieces}")


def _seats(key: Key) -> Iterator[LegendItem]:
    """Yield the piece of each seat as on the board, with its player and the whole name beside it."""
    for seat, player in zip(key.seats, key.players or key.seats, strict=True):
        badge = Badge(seat, Sign.PIECE, seat)
        yield LegendItem(partial(_badge, badge, seat_ink(seat, key.seats), key.initial(badge), Figure.DISC, 8), 22, player)


def _swatch(ink: str, x: float) -> Iterable[str]:
    return [element("rect", x=x, y=0, width=14, height=14, fill=ink, stroke="#888888")]


def _textured(ink: str, texture: Texture, x: float) -> Iterable[str]:
    yield element("rect", x=x, y=-3, width=28, height=20, rx=2, fill=ink, stroke="#888888")
    yield figure(texture, x + 14, 7)


def _icon(icon: Icon, x: float) -> Iterable[str]:
    return mark_parts(Mark(icon), x + 8, 7)


def _feature(feature: Feature, x: float) -> Iterable[str]:
    return feature_icon(feature, x + 8, 7)


def _hatched(x: float) -> Iterable[str]:
    return [element("rect", x=x, y=0, width=14, height=14, fill=f"url(#{HATCHES})", stroke="#444444")]


def _ringed(x: float) -> Iterable[str]:
    return [element("rect", x=x + 2, y=2, width=10, height=10, fill="none", stroke=RING, stroke_width=4)]


def _wall(x: float) -> Iterable[str]:
    return [element("line", x1=x + 3, y1=7, x2=x + 19, y2=7, **WALL)]


def _road(stroke: Stroke, x: float) -> Iterable[str]:
    return road_line(stroke, (x, 7), (x + 30, 7))


def _broad_road(stroke: Stroke, x: float) -> Iterable[str]:
    way = f"M{x} 7H{x + 30}"
    return road_layers(stroke, Way(way))


def _badge(badge: Badge, ink: str, initial: str, piece: Figure, middle: float, x: float) -> Iterable[str]:
    return badge_parts(badge, x + middle, 7, ink, initial, piece)
