"""Draw the legend of a picture: the meanings of colours, roads and signs, and the owners of pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final

from adjudicator.core.values import Value
from adjudicator.reports.changes import MOVED, NEW, Change, Earlier
from adjudicator.reports.marks import moved_swatch, new_swatch
from adjudicator.reports.scene_svg import scene_svg
from adjudicator.reports.seat_key import Key
from adjudicator.reports.sketch import Part
from adjudicator.reports.svg import element, words
from adjudicator.scenes.drawing import Drawing
from adjudicator.scenes.letters import text_width
from adjudicator.scenes.scene import Entry, Legend, Token
from adjudicator.scenes.shapes import group

_LINE: Final = 22
_SIZE: Final = 11
_GAP: Final = 18
LEAST: Final = 480
"""The least width of a legend in pixels."""


class LegendItem(Value):
    """One entry of a legend: ``draw`` draws its sign at a distance from the left, ``room`` is the width of the sign."""

    draw: Callable[[float], Iterable[str]]
    room: float
    name: str

    @property
    def width(self) -> float:
        """The width of sign and name in pixels."""
        return round(self.room + text_width(self.name, _SIZE))


def change_items(changes: Iterable[Change], earlier: Earlier | None) -> tuple[LegendItem, ...]:
    """Return the legend entries for the marks of ``changes``: new or moved since the turn of ``earlier``, if it has one."""
    if earlier is None or earlier.turn is None:
        return ()
    are_moves = {bool(change.origin) for change in changes}
    new = LegendItem(new_swatch, 44, f"{NEW} {earlier.turn}")
    moved = LegendItem(moved_swatch, 58, f"{MOVED} {earlier.turn}")
    return tuple(item for item, is_move in ((new, False), (moved, True)) if is_move in are_moves)


def legend_part(drawing: Drawing, key: Key, width: float, least: float = LEAST, news: Iterable[LegendItem] = ()) -> Part:
    """Return the legend of ``drawing``: its entries, then the seats, in lines of ``width`` pixels (``least`` or more).

    It is as wide as its widest line, so that no line is cut. ``news`` are the entries for marks of this picture only.
    """
    return _legend(_rows(drawing), key, max(width, least), float(least), tuple(news))


def legend_items(drawing: Drawing, key: Key) -> tuple[LegendItem, ...]:
    """Return the entries of the legend of ``drawing`` without the seats, for pages that lay them out themselves."""
    return tuple(_item(entry, key) for row in _rows(drawing) for entry in row if entry.parts)


def _rows(drawing: Drawing) -> tuple[tuple[Entry, ...], ...]:
    return tuple([row for shape in drawing.shapes if isinstance(shape, Legend) for row in shape.rows])


def legend_definitions(drawing: Drawing, key: Key) -> dict[str, str]:
    """Return the definitions that the legend of ``drawing`` needs."""
    entries = (one for row in _rows(drawing) for one in row)
    return {name: text for entry in entries for name, text in scene_svg(entry.parts, key)[1].items()}


@lru_cache(maxsize=64)
def _legend(rows: tuple[tuple[Entry, ...], ...], key: Key, room: float, least: float, news: tuple[LegendItem, ...]) -> Part:
    """Return the legend in lines of ``room`` pixels, which is the same for nearly every picture of a game."""
    entries = ([_item(entry, key) for entry in row if entry.parts] for row in rows)
    return items_part((*entries, seat_items(key), news), room, least)


def _item(entry: Entry, key: Key) -> LegendItem:
    return LegendItem(lambda x: scene_svg((group(entry.parts, x),), key)[0], entry.room, entry.name)


def items_part(blocks: Iterable[Iterable[LegendItem]], width: float, least: float = LEAST) -> Part:
    """Return ``blocks`` of items drawn as in ``legend_part``, each block from a new line on."""
    lines = [line for block in blocks for line in _lines(block, max(width, least))]
    drawn, widest = [], float(least)
    for at, line in enumerate(lines):
        x, inner = 0.0, []
        for item in line:
            sign = (*item.draw(x), words(item.name, x + item.room, 11, anchor="start"))
            inner.append(element("g", *sign, data_part="sign", data_box=f"{round(x)} -2 {item.width} {_LINE - 2}"))
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


def seat_items(key: Key) -> Iterator[LegendItem]:
    """Yield the piece of each seat as on the board, with its player and the whole name beside it."""
    for seat, player in zip(key.seats, key.players or key.seats, strict=True):
        token = Token(seat, 8, 7, seat=seat, text=seat, is_key=True)
        yield _item(Entry(player, (token,), 22), key)
