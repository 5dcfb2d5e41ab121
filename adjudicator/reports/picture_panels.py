"""Draw the panels of the seats side by side, with gauges of cells and rows of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.core.drawing import Badge, Gauge, Panel, Panels
from adjudicator.core.scene import Sign
from adjudicator.reports.changes import panel_lines
from adjudicator.reports.legend import Key
from adjudicator.reports.sketch import Anchor, Part, Point, badge_parts
from adjudicator.reports.svg import element, words
from adjudicator.scenes.colors import seat_ink
from adjudicator.scenes.kept import Kept
from adjudicator.scenes.letters import text_lines

_WIDTH: Final = 182
_GAP: Final = 10
_PER_ROW: Final = 4
_TOP: Final = 26
_GAUGE: Final = 20
_LINE: Final = 15
_LABEL: Final = 58
_EDGE: Final = 8
_SIZE: Final = 10
_ROOM: Final = _WIDTH - _LABEL - 2 * _EDGE


def panels_part(shape: Panels, key: Key, per_row: int = _PER_ROW) -> Part:
    """Return ``shape`` drawn, ``per_row`` panels in a row, all as high as the highest."""
    high = max((_HEIGHTS.of(panel.title, panel) for panel in shape.panels), default=0)
    wide = _WIDTH
    drawn: list[str] = []
    anchors: list[Anchor] = []
    for at, panel in enumerate(shape.panels):
        row, column = divmod(at, per_row)
        x, y = column * (wide + _GAP), row * (high + _GAP)
        inner, places = _PLACED.of((panel.title, x, y), panel, (x, y), (wide, high), key)
        drawn.append(inner)
        anchors += places
    rows = -(-len(shape.panels) // per_row)
    width = min(len(shape.panels), per_row) * (wide + _GAP) - _GAP
    return Part(tuple(drawn), max(width, 0), max(rows * (high + _GAP) - _GAP, 0), tuple(anchors))


def _placed(panel: Panel, corner: tuple[int, int], size: tuple[int, int], key: Key) -> tuple[str, tuple[Anchor, ...]]:
    """Return ``panel`` at its place, and the places of its lines, from a cache: an order changes one or two panels."""
    drawn = element("g", *_panel(panel, size, key), transform=f"translate({corner[0]} {corner[1]})")
    return drawn, tuple(_anchors(panel, corner))


def _height(panel: Panel) -> int:
    lines = sum(len(text_lines(value, _ROOM, _SIZE)) for _, value in panel.rows)
    told = len(panel.gauges) * _GAUGE + lines * _LINE
    return _TOP + told + _EDGE


_PLACED: Final = Kept(_placed)
_HEIGHTS: Final = Kept(_height)


def _anchors(panel: Panel, corner: Point) -> Iterator[Anchor]:
    """Yield the places of the lines of ``panel``: gauges, then rows."""
    x, y = corner[0] + _WIDTH / 2, corner[1] + _TOP
    for name, line in panel_lines(panel):
        high = _GAUGE if isinstance(line, Gauge) else _LINE * len(text_lines(line[1], _ROOM, _SIZE))
        yield Anchor(name, None, x, y + high / 2, _WIDTH - 6, high)
        y += high


def _panel(panel: Panel, size: tuple[int, int], key: Key) -> Iterator[str]:
    ink, badge = seat_ink(panel.seat, key.seats), Badge(panel.seat, Sign.PIECE, panel.seat)
    yield element("rect", width=size[0], height=size[1], rx=6, fill="#fbfaf6", stroke=ink, stroke_width=2)
    yield from badge_parts(badge, _EDGE + 8, 14, ink, key.initial(badge))
    yield words(panel.title, _EDGE + 22, 18, size=12, anchor="start", font_weight="bold")
    y = _TOP
    for gauge in panel.gauges:
        yield from _gauge(gauge, y)
        y += _GAUGE
    for label, value in panel.rows:
        for at, line in enumerate(text_lines(value, _ROOM, _SIZE)):
            if at == 0:
                yield words(label, _EDGE, y + 11, size=_SIZE, anchor="start", fill="#555555")
            yield words(line, _EDGE + _LABEL, y + 11, size=_SIZE, anchor="start")
            y += _LINE


def _gauge(gauge: Gauge, y: int) -> Iterator[str]:
    """Yield a cell for each level, filled up to the level of the gauge, and the level in figures."""
    yield words(gauge.label, _EDGE, y + 12, size=_SIZE, anchor="start", fill="#555555")
    room = _WIDTH - _LABEL - 2 * _EDGE - 34
    pitch = round(room / max(gauge.most, 1), 2)
    for cell in range(gauge.most):
        fill = "#3a3a3a" if cell < gauge.level else "#ffffff"
        box = {"x": round(_EDGE + _LABEL + cell * pitch, 1), "y": y + 2, "width": round(pitch - 1, 1), "height": 12}
        yield element("rect", **box, fill=fill, stroke="#3a3a3a", stroke_width="0.8")
    told = f"{gauge.level}/{gauge.most}"
    yield words(told, _WIDTH - _EDGE, y + 12, size=_SIZE, anchor="end", font_weight="bold")
