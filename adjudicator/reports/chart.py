"""Draw a chart as text: each region with its label, and its contents below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Final

from adjudicator.core.drawing import Chart, Region, Sign
from adjudicator.reports.canvas import Canvas
from adjudicator.reports.legend import HATCHED, ICONS, RINGED, SIGNS, Key, as_badge
from adjudicator.reports.sanitize import printable
from adjudicator.reports.width import clip, display_width

MOST_WIDE: Final = 120
"""A chart with more columns of characters is divided into parts."""
_CELL: Final = 5
_LEAST: Final = 3
"""The least number of characters for a region at the edge."""
_MARGIN: Final = 3
_STEPS: Final = {False: (3, 2), True: (6, 1)}
"""Columns and lines of characters from one ``x`` and ``y`` to the next, for charts of rows and of columns."""


def chart_lines(chart: Chart, key: Key, most: int = MOST_WIDE) -> list[str]:
    """Return the lines of ``chart``: its regions as a map, then its passages and the stacks on its lanes as a list.

    If the regions need more columns than ``most``, the map has several parts, from west to east.
    """
    lines: list[str] = []
    for part in _parts_within(chart, most):
        lines += ["", *_drawn(part, key, most)] if lines else _drawn(part, key, most)
    return [*lines, *_words(chart)]


def _parts_within(chart: Chart, most: int) -> Iterator[Chart]:
    """Yield ``chart`` in parts of about equal size that fit into ``most`` columns of characters."""
    columns = [region.x for region in chart.regions]
    left, wide = min(columns, default=1), max(columns, default=0) - min(columns, default=1) + 1
    each = max(1, (most - _MARGIN - _LEAST) // _STEPS[chart.is_across][0] + 1)
    many = -(-wide // each)
    bounds = [left + round(wide * at / many) for at in range(many + 1)] if many else []
    for first, last in pairwise(bounds):
        inner = tuple(region for region in chart.regions if first <= region.x < last)
        if inner:
            lanes = tuple(lane for lane in chart.lanes if not chart.is_across or first <= lane.at < last)
            yield replace(chart, regions=inner, lanes=lanes)


def _drawn(chart: Chart, key: Key, most: int) -> list[str]:
    across, down = _STEPS[chart.is_across]
    left, top = min(region.x for region in chart.regions), min(region.y for region in chart.regions)
    head = 2 if chart.is_across and chart.lanes else 0
    wide = min(most, _MARGIN + (max(region.x for region in chart.regions) - left) * across + _CELL)
    canvas = Canvas(wide, head + (max(region.y for region in chart.regions) - top) * down + 2)
    for lane in chart.lanes:
        x, y = (_MARGIN + (lane.at - left) * across, 0) if chart.is_across else (0, (lane.at - top) * down)
        if 0 <= y < canvas.height:
            canvas.put(x, y, clip(printable(lane.label), _CELL if chart.is_across else _MARGIN - 1))
    for region in chart.regions:
        x, y = _MARGIN + (region.x - left) * across, head + (region.y - top) * down
        canvas.put(x, y, _label(region, key, min(_CELL, wide - x)))
        canvas.put(x, y + 1, _below(region, min(_CELL, wide - x)))
    return canvas.lines()


def _label(region: Region, key: Key, room: int) -> str:
    """Return the label of ``region`` with its first piece, or the number of its pieces, as far as there is room."""
    pieces = [badge for badge in map(as_badge, region.badges) if badge.sign is Sign.PIECE]
    who = key.initial(pieces[0]).lower() if len(pieces) == 1 else str(len(pieces))
    tail = f"{SIGNS[Sign.PIECE]}{who}" if pieces else ""
    return _cut(printable(region.label), room - display_width(tail)) + tail


def _below(region: Region, room: int) -> str:
    """Return the contents of ``region`` in short: its marks, only their numbers if room is scarce, a dot if it is empty."""
    begins = (RINGED if region.is_ringed else "") + (HATCHED if region.is_hatched else "")
    for is_long in (True, False):
        marks = "".join(_mark(mark.number, ICONS[mark.icon], is_long=is_long) for mark in region.marks)
        text = begins + (marks or ("0" if region.ground else "·"))
        if display_width(text) <= room:
            break
    return _cut(text, room)


def _cut(text: str, room: int) -> str:
    """Return the beginning of ``text`` that fits, without an ellipsis."""
    while display_width(text) > room:
        text = text[:-1]
    return text


def _mark(number: int, sign: str, *, is_long: bool) -> str:
    if not number:
        return sign
    return f"{number}{sign}" if is_long else str(number)


def _words(chart: Chart) -> Iterator[str]:
    """Yield a list of passages, closed borders and lanes, which the map does not show."""
    for passage in chart.passages:
        yield printable(f"{passage.kind} {passage.ends[0]} – {passage.ends[1]}: {passage.text}")
    closed = _closed(chart)
    if closed:
        yield f"no way between {'; '.join(closed)}"
    for lane in chart.lanes:
        if lane.badges:
            yield f"lane {printable(lane.label)}: {', '.join(as_badge(badge).text for badge in lane.badges)}"


def _closed(chart: Chart) -> list[str]:
    ways = {frozenset(way) for way in chart.ways}
    return [
        f"{printable(one.label)} and {printable(other.label)}"
        for one, other in combinations(chart.regions, 2)
        if touch(one, other, is_across=chart.is_across) and frozenset((one.label, other.label)) not in ways
    ]


def touch(one: Region, other: Region, *, is_across: bool) -> bool:
    """Return whether two regions of a chart have a common border."""
    across, down = abs(one.x - other.x), abs(one.y - other.y)
    return (across, down) in (((0, 2), (1, 1)) if is_across else ((2, 0), (1, 1)))
