"""A chart as text: for every region its label, and below it what lies there, where it lies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from adjudicator.core.drawing import Chart, Region, Sign
from adjudicator.reports.canvas import Canvas
from adjudicator.reports.legend import HATCHED, ICONS, RINGED, SIGNS, Key, as_badge
from adjudicator.reports.sanitize import printable
from adjudicator.reports.width import clip, display_width

MOST_WIDE: Final = 120
"""A chart that takes more columns of characters finds no room in a mail; its picture shows it."""
_CELL: Final = 5
_MARGIN: Final = 4
_STEPS: Final = {False: (3, 2), True: (6, 1)}
"""Columns and lines of characters from one ``x`` and ``y`` to the next, for charts of rows and of columns."""


def chart_lines(chart: Chart, key: Key, most: int = MOST_WIDE) -> list[str]:
    """Return the lines of ``chart``: its regions, then its passages and the stacks on its lanes in words.

    Regions are drawn if they take at most so many columns.
    """
    if not chart.regions:
        return []
    across, down = _STEPS[chart.is_across]
    left, top = min(region.x for region in chart.regions), min(region.y for region in chart.regions)
    head = 2 if chart.is_across and chart.lanes else 0
    wide = _MARGIN + (max(region.x for region in chart.regions) - left) * across + _CELL
    high = head + (max(region.y for region in chart.regions) - top) * down + 2
    if wide > most:
        return [f"{wide} characters wide: its picture shows it", *_words(chart)]
    canvas = Canvas(wide, high)
    for lane in chart.lanes:
        label = clip(printable(lane.label), _MARGIN - 1)
        if chart.is_across:
            canvas.put(_MARGIN + (lane.at - left) * across, 0, label)
        else:
            canvas.put(0, (lane.at - top) * down, label)
    for region in chart.regions:
        x, y = _MARGIN + (region.x - left) * across, head + (region.y - top) * down
        canvas.put(x, y, _label(region, key))
        canvas.put(x, y + 1, _below(region))
    return [*canvas.lines(), *_words(chart)]


def _label(region: Region, key: Key) -> str:
    """Return the label of ``region`` with the first piece that stands there, or how many, as far as there is room."""
    pieces = [badge for badge in map(as_badge, region.badges) if badge.sign is Sign.PIECE]
    who = key.initial(pieces[0]).lower() if len(pieces) == 1 else str(len(pieces))
    tail = f"{SIGNS[Sign.PIECE]}{who}" if pieces else ""
    return _cut(printable(region.label), _CELL - display_width(tail)) + tail


def _below(region: Region) -> str:
    """Return what lies on ``region`` in short: its marks, a dot where nothing lies; where room is scarce numbers alone."""
    begins = (RINGED if region.is_ringed else "") + (HATCHED if region.is_hatched else "")
    for is_long in (True, False):
        marks = "".join(_mark(mark.number, ICONS[mark.icon], is_long=is_long) for mark in region.marks)
        told = begins + (marks or ("0" if region.ground else "·"))
        if display_width(told) <= _CELL:
            break
    return _cut(told, _CELL)


def _cut(text: str, room: int) -> str:
    """Return as much of ``text`` as has room, without a sign for what is missing."""
    while display_width(text) > room:
        text = text[:-1]
    return text


def _mark(number: int, sign: str, *, is_long: bool) -> str:
    if not number:
        return sign
    return f"{number}{sign}" if is_long else str(number)


def _words(chart: Chart) -> Iterator[str]:
    """Yield in words what the lines of characters do not show."""
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
        if touch(chart, one, other) and frozenset((one.label, other.label)) not in ways
    ]


def touch(chart: Chart, one: Region, other: Region) -> bool:
    """Return whether two regions of ``chart`` touch each other where they lie."""
    across, down = abs(one.x - other.x), abs(one.y - other.y)
    return (across, down) in (((0, 2), (1, 1)) if chart.is_across else ((2, 0), (1, 1)))
