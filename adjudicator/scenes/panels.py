"""Draw the panels of the seats: gauges of cells, rows of words, and what the game adds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.core.values import Value
from adjudicator.scenes.cache import Kept
from adjudicator.scenes.letters import text_lines
from adjudicator.scenes.scene import SEAT, Element, Frame, Group, Scene, Token
from adjudicator.scenes.shapes import group, rect, words

_WIDTH: Final = 156
"""The width of a panel without a device: two of them fit side by side on a phone."""
_TOP: Final = 26
_GAUGE: Final = 20
_LINE: Final = 15
_LABEL: Final = 56
_EDGE: Final = 8
_SIZE: Final = 10
_ROOM: Final = _WIDTH - _LABEL - 2 * _EDGE


class Gauge(Value):
    """A gauge at ``level`` of at most ``most``."""

    label: str
    level: int
    most: int


class Panel(Value):
    """The panel of a ``seat``: a title, gauges, and rows of label and value.

    ``device`` is drawn at the right, its corner at 0, 0, and is ``wide`` × ``high`` pixels; ``below`` under the rows.
    Changes of gauges and rows get marks if the panel ``is_marked``.
    """

    title: str
    seat: str
    gauges: tuple[Gauge, ...]
    rows: tuple[tuple[str, str], ...]
    device: Group | None = None
    wide: int = 0
    high: int = 0
    below: Group | None = None
    deep: int = 0
    is_marked: bool = True


def panel_scenes(panels: Sequence[Panel]) -> tuple[Scene, ...]:
    """Return each of ``panels`` as a scene beside the board, all as wide as the widest and as high as the highest."""
    high = max((_HEIGHTS.of(panel.title, panel) for panel in panels), default=0)
    wide = _WIDTH + max((panel.wide for panel in panels), default=0)
    return tuple(_SCENES.of(panel.title, panel, wide, high) for panel in panels)


def _scene(panel: Panel, wide: int, high: int) -> Scene:
    """Return the scene of ``panel``, from a cache: an order changes one or two panels."""
    drawn = group(_panel(panel, wide, high), seat=panel.seat)
    return Scene(f"panel of {panel.seat}", panel.title, (drawn,), wide, high, is_beside=True)


def _height(panel: Panel) -> int:
    lines = sum(len(text_lines(value, _ROOM, _SIZE)) for _, value in panel.rows)
    told = len(panel.gauges) * _GAUGE + lines * _LINE
    return _TOP + max(told, panel.high) + _EDGE + (panel.deep + _EDGE if panel.deep else 0)


_SCENES: Final = Kept(_scene)
_HEIGHTS: Final = Kept(_height)


def _panel(panel: Panel, wide: int, high: int) -> Iterator[Element]:
    yield rect(wide, high, rx=6, fill="#fbfaf6", stroke=SEAT, stroke_width=2)
    # It only shows the colour and the letter of the seat: it is no piece that can move.
    yield Token(panel.seat, _EDGE + 8, 14, seat=panel.seat, text=panel.seat, is_key=True)
    yield words(panel.title, _EDGE + 22, 18, 12, "start", is_bold=True)
    y = _TOP
    for gauge in panel.gauges:
        yield _line(panel, gauge.label, gauge, y, _GAUGE, [*_gauge(gauge)])
        y += _GAUGE
    for label, value in panel.rows:
        lines = text_lines(value, _ROOM, _SIZE)
        told = [words(label, _EDGE, 11, _SIZE, "start", fill="#555555")]
        told += [words(one, _EDGE + _LABEL, 11 + at * _LINE, _SIZE, "start") for at, one in enumerate(lines)]
        yield _line(panel, label, (label, value), y, _LINE * len(lines), told)
        y += _LINE * len(lines)
    if panel.device is not None:
        yield group((panel.device,), wide - panel.wide, _TOP - 8)
    if panel.below is not None:
        yield group((panel.below,), _EDGE, high - panel.deep)


def _line(panel: Panel, label: str, holds: object, y: int, high: int, parts: Sequence[Element]) -> Group:
    frame = None if not panel.is_marked else Frame(_WIDTH / 2, high / 2, _WIDTH - 6, high)
    return group(parts, 0, y, id=label, name=f"{panel.title}'s {label}", frame=frame, holds=holds)


def _gauge(gauge: Gauge) -> Iterator[Element]:
    """Yield a cell for each level, filled up to the level of the gauge, and the level in figures."""
    yield words(gauge.label, _EDGE, 12, _SIZE, "start", fill="#555555")
    pitch = round((_WIDTH - _LABEL - 2 * _EDGE - 34) / max(gauge.most, 1), 2)
    for cell in range(gauge.most):
        x, ink = round(_EDGE + _LABEL + cell * pitch, 1), "#3a3a3a" if cell < gauge.level else "#ffffff"
        yield rect(round(pitch - 1, 1), 12, x, 2, fill=ink, stroke="#3a3a3a", stroke_width=0.8)
    yield words(f"{gauge.level}/{gauge.most}", _WIDTH - _EDGE, 12, _SIZE, "end", is_bold=True)
