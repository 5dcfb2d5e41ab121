"""Draw the panels of the seats: gauges of cells, rows of words, and what the game adds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from adjudicator.core.values import Value
from adjudicator.scenes.letters import text_lines
from adjudicator.scenes.scene import SEAT, Element, Frame, Group, Scene, Token, group, rect, words

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
    Changes of gauges and rows get marks if the panel ``is_marked``. In a panel that ``is_own`` of the viewer, the id of
    each gauge and row is its label, so that a click can choose an order.
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
    is_own: bool = False


def panel_scenes(panels: Sequence[Panel]) -> tuple[Scene, ...]:
    """Return each of ``panels`` as a scene beside the board, all as wide as the widest and as high as the highest."""
    wide = _WIDTH + max((panel.wide for panel in panels), default=0)
    lines, scenes, highest = list[list[Element]](), list[Scene](), 0
    for panel in panels:
        y = _TOP
        lines.append([])
        for row in (*panel.gauges, *panel.rows):
            drawn, high = _line(panel.title, row, y, is_own=panel.is_own, is_marked=panel.is_marked)
            lines[-1].append(drawn)
            y += high
        highest = max(highest, y, _TOP + panel.high)
    height = highest + max((panel.deep + _EDGE for panel in panels if panel.deep), default=0) + _EDGE
    for panel, parts in zip(panels, lines, strict=True):
        parts[:0] = [
            rect(wide - 2, height - 2, 1, 1, 6, fill="#fbfaf6", stroke=SEAT, stroke_width=2),
            # It only shows the colour and the letter of the seat: it is no piece that can move.
            Token(panel.seat, _EDGE + 8, 14, seat=panel.seat, text=panel.seat, is_key=True),
            words(panel.title, _EDGE + 22, 18, 12, "start", is_bold=True),
        ]
        if panel.device is not None:
            parts.append(group((panel.device,), wide - panel.wide, _TOP - 8))
        if panel.below is not None:
            parts.append(group((panel.below,), _EDGE, height - panel.deep))
        inner = group(parts, seat=panel.seat)
        scenes.append(Scene(f"panel of {panel.seat}", panel.title, (inner,), wide, height, is_beside=True))
    return tuple(scenes)


@lru_cache(1 << 8)
def _line(title: str, row: Gauge | tuple[str, str], y: int, *, is_own: bool, is_marked: bool) -> tuple[Group, int]:
    """Return a gauge or a row of the panel with that ``title``, its corner at 0, ``y``, and its height.

    An order changes few of them: the others stay the same objects, which are drawn once.
    """
    label = row.label if isinstance(row, Gauge) else row[0]
    base = 12 if isinstance(row, Gauge) else 11
    drawn: list[Element] = [words(label, _EDGE, base, _SIZE, "start", fill="#555555")]
    if isinstance(row, Gauge):  # a cell for each level, filled up to that of the gauge, and the level in figures
        high, pitch = _GAUGE, round((_WIDTH - _LABEL - 2 * _EDGE - 34) / max(row.most, 1), 2)
        for cell in range(row.most):
            x, ink = round(_EDGE + _LABEL + cell * pitch, 1), "#3a3a3a" if cell < row.level else "#ffffff"
            drawn.append(rect(round(pitch - 1, 1), 12, x, 2, fill=ink, stroke="#3a3a3a", stroke_width=0.8))
        drawn.append(words(f"{row.level}/{row.most}", _WIDTH - _EDGE, base, _SIZE, "end", is_bold=True))
    else:
        lines = text_lines(row[1], _ROOM, _SIZE)
        drawn += [words(one, _EDGE + _LABEL, base + at * _LINE, _SIZE, "start") for at, one in enumerate(lines)]
        high = _LINE * len(lines)
    frame = Frame(_WIDTH / 2, high / 2, _WIDTH - 6, high) if is_marked else None
    return group(drawn, 0, y, id=label if is_own else "", name=f"{title}'s {label}", frame=frame, holds=row), high
