"""Draw a map as text: each region with its label, and its contents below; and describe it in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from adjudicator.game import count, listed, replace
from adjudicator.games.great_race.chart import HATCHED, ICON_NAMES, ICON_SIGNS, MARKS, RINGED, Chart, Mark, Region
from adjudicator.scenes import SIGNS, Canvas, Lines, Run, Sign, clip, display_width, initial

MOST_WIDE: Final = 120
"""A chart with more columns of characters is divided into parts."""
_CELL: Final = 5
_LEAST: Final = 3
"""The least number of characters for a region at the edge."""
_MARGIN: Final = 3
_STEPS: Final = {False: (3, 2), True: (6, 1)}
"""Columns and lines of characters from one ``x`` and ``y`` to the next, for charts of rows and of columns."""


def chart_text(chart: Chart, width: int | None = None) -> Lines:
    """Return ``chart`` as text: its regions as a map, then its passages and the stacks on its lanes as a list.

    If the regions need more columns than ``width``, the map has several parts, from west to east.
    """
    most = width or MOST_WIDE
    lines: list[str] = []
    for part in _parts_within(chart, most):
        lines += ["", *_drawn(part, chart.seats, most)] if lines else _drawn(part, chart.seats, most)
    return Lines(tuple((Run(line),) for line in (*lines, *_words(chart))))


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


def _drawn(chart: Chart, seats: Sequence[str], most: int) -> list[str]:
    across, down = _STEPS[chart.is_across]
    left, top = min(region.x for region in chart.regions), min(region.y for region in chart.regions)
    head = 2 if chart.is_across and chart.lanes else 0
    wide = min(most, _MARGIN + (max(region.x for region in chart.regions) - left) * across + _CELL)
    canvas = Canvas(wide, head + (max(region.y for region in chart.regions) - top) * down + 2)
    for lane in chart.lanes:
        x, y = (_MARGIN + (lane.at - left) * across, 0) if chart.is_across else (0, (lane.at - top) * down)
        if 0 <= y < canvas.height:
            canvas.put(x, y, clip(lane.label, _CELL if chart.is_across else _MARGIN - 1))
    for region in chart.regions:
        x, y = _MARGIN + (region.x - left) * across, head + (region.y - top) * down
        canvas.put(x, y, _label(region, seats, min(_CELL, wide - x)))
        canvas.put(x, y + 1, _below(region, min(_CELL, wide - x)))
    return canvas.lines()


def _label(region: Region, seats: Sequence[str], room: int) -> str:
    """Return the label of ``region`` with its first vehicle, or the number of its vehicles, as far as there is room."""
    there = region.vehicles
    who = initial(there[0], seats, there[0], seats).lower() if len(there) == 1 else str(len(there))
    tail = f"{SIGNS[Sign.PIECE]}{who}" if there else ""
    return _cut(region.label, room - display_width(tail)) + tail


def _below(region: Region, room: int) -> str:
    """Return the contents of ``region`` in short: its marks, only their numbers if room is scarce, a dot if it is empty."""
    begins = (MARKS[RINGED] if region.is_ringed else "") + (MARKS[HATCHED] if region.is_hatched else "")
    for is_long in (True, False):
        marks = "".join(_mark(mark, is_long=is_long) for mark in region.marks)
        told = begins + (marks or ("0" if region.ground else "·"))
        if display_width(told) <= room:
            break
    return _cut(told, room)


def _cut(text: str, room: int) -> str:
    """Return the beginning of ``text`` that fits, without an ellipsis."""
    while display_width(text) > room:
        text = text[:-1]
    return text


def _mark(mark: Mark, *, is_long: bool) -> str:
    return f"{mark.number or ''}{ICON_SIGNS[mark.icon] if is_long or not mark.number else ''}"


def _words(chart: Chart) -> Iterator[str]:
    """Yield a list of passages, closed borders and lanes, which the map does not show."""
    for passage in chart.passages:
        yield f"{passage.kind} line {passage.ends[0]} – {passage.ends[1]}: {passage.text}"
    closed = [f"{one.label} and {other.label}" for one, other in chart.closed]
    if closed:
        yield f"no way between {'; '.join(closed)}"
    for lane in chart.lanes:
        if lane.markers:
            yield f"lane {lane.label}: {', '.join(lane.markers)}"


def chart_sentences(chart: Chart) -> Iterator[str]:
    """Yield sentences about the map: its passages, its lanes, and its regions with what lies there."""
    title = f"{chart.title}: " if chart.title else ""
    yield f"{title}{count(len(chart.regions), 'region')}."
    for passage in chart.passages:
        yield f"{passage.kind.capitalize()} line from {passage.ends[0]} to {passage.ends[1]}: {passage.text}."
    for lane in chart.lanes:
        if lane.markers:
            yield f"On lane {lane.label}: {listed(map(_vehicle, lane.markers))}."
    full = [region for region in chart.regions if region.ground or region.vehicles]
    yield from map(region_sentence, full)
    empty = [region for region in chart.regions if not (region.ground or region.vehicles)]
    hatched = [region.label for region in empty if region.is_hatched]
    plain = [region.label for region in empty if not region.is_hatched]
    for labels, what in ((plain, ""), (hatched, f", {HATCHED}")):
        if labels:
            yield f"Empty{what}: {', '.join(labels)}."


def region_sentence(region: Region) -> str:
    """Describe ``region``: its ground, its marks, its vehicles."""
    edges = (*([HATCHED] if region.is_hatched else []), *([RINGED] if region.is_ringed else []))
    marks = (f"{ICON_NAMES[mark.icon]} {mark.number or ''}".rstrip() for mark in region.marks)
    parts = (*filter(None, (region.ground,)), *marks, *edges, *map(_vehicle, region.vehicles))
    return f"{region.label}: {', '.join(parts)}."


def _vehicle(seat: str) -> str:
    return f"{seat} (vehicle)"
