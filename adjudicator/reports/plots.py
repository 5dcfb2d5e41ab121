"""Draw bars, histograms and graphs for a web page, in its colours, with all numbers also as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Final

from adjudicator.core.values import Value, Whole
from adjudicator.core.width import clip
from adjudicator.reports.sanitize import printable
from adjudicator.reports.svg import element, words
from adjudicator.reports.texts import signed

_WIDTH: Final = 360
_LINE: Final = 24
_LABELS: Final = 110
_VALUES: Final = 64
_TALL: Final = 150
_FOOT: Final = 34
_MOST_BINS: Final = 18
_MOST_BARS: Final = 20
_LONGEST: Final = 16
_STEPS: Final = (1, 2, 5)
_GRAPH: Final = 100
_EDGE: Final = 15
"""Pixels above and below the lines of a graph."""
_MOST_TICKS: Final = 3
_MOST_SECONDS: Final = 180


class Bar(Value):
    """A bar with its ``label``, its length in proportion to ``value`` (0 or more), and the value as ``shown``."""

    label: str
    value: int
    shown: str


class Plot(Value):
    """A plot with its ``title``: an SVG element, and the same in ``words`` for screen readers."""

    title: str
    svg: str
    words: str


def bar_plot(title: str, bars: Sequence[Bar]) -> Plot:
    """Return horizontal ``bars``, at least one and at most twenty; the words count the others."""
    shown = bars[:_MOST_BARS]
    longest = max(bar.value for bar in shown) or 1
    drawn = list[str]()
    for at, bar in enumerate(shown):
        top, width = at * _LINE, max(1, (_WIDTH - _LABELS - _VALUES) * bar.value // longest)
        drawn += [
            words(clip(printable(bar.label), _LONGEST), _LABELS - 8, top + 16, size=12, anchor="end", class_="word"),
            element("rect", x=_LABELS, y=top + 4, width=width, height=_LINE - 8, rx=2, class_="bar"),
            words(bar.shown, _LABELS + width + 6, top + 16, size=12, anchor="start", class_="word"),
        ]
    left_out = f"; {len(bars) - len(shown)} more" if len(bars) > len(shown) else ""
    spoken = "; ".join(f"{printable(bar.label)}: {bar.shown}" for bar in shown) + left_out
    return Plot(title, _framed(drawn, len(shown) * _LINE), spoken)


def histogram(title: str, numbers: Sequence[int], what: str, unit: Sequence[str] = ()) -> Plot:
    """Return the histogram of whole ``numbers``, at least one, in ranges of equal width; ``what`` is what they count.

    The labels have the format of their ``unit``.
    """
    least, most = min(numbers), max(numbers)
    widths = (step * 10**power for power in count() for step in _STEPS)
    width = next(width for width in widths if most // width - least // width < _MOST_BINS)
    first = least // width
    counts = Counter(number // width - first for number in numbers)
    bins = max(counts) + 1
    room = _WIDTH / bins
    highest = max(counts.values())
    drawn = []
    for at in range(bins):
        height = round((_TALL - 20) * counts[at] / highest, 1)
        box = {"x": round(at * room + 1, 1), "y": round(_TALL - height, 1), "width": round(room - 2, 1), "height": height}
        if number := counts[at]:
            size = min(11, round(1.7 * room / len(str(number)), 1))  # as wide as its bar
            drawn += [
                element("rect", class_="bar", rx=2, **box),
                words(str(number), round((at + 0.5) * room, 1), round(_TALL - height - 5, 1), size=size, class_="word"),
            ]
    last = first + bins - 1
    drawn.append(words(_range(first, width, unit), 0, _TALL + 16, size=12, anchor="start", class_="word"))
    if bins > 1:
        drawn.append(words(_range(last, width, unit), _WIDTH, _TALL + 16, size=12, anchor="end", class_="word"))
    drawn.append(words(what, _WIDTH / 2, _TALL + 30, size=12, class_="word"))
    spoken = "; ".join(f"{_range(first + at, width, unit)} {what}: {counts[at]}" for at in sorted(counts))
    return Plot(title, _framed(drawn, _TALL + _FOOT), spoken)


def _range(at: int, width: int, unit: Sequence[str]) -> str:
    least, most = signed(at * width, unit), signed((at + 1) * width - 1, unit)
    return least if width == 1 else f"{least}–{most}"


class Line(Value):
    """The ``amounts`` of a seat after each entry; ``ink`` is the class of its colour."""

    ink: str
    amounts: tuple[Whole, ...]


def line_graph(lines: Sequence[Line], unit: Sequence[str], entries: Sequence[str]) -> tuple[str, ...]:
    """Return the elements of a graph of ``lines`` over the game, at least one, with numbers at both axes.

    The heights are pixels; the width is that of the page, so the lines are in a separate element, 1,000 units wide.
    ``entries`` are the names of the entries, ``unit`` is that of the amounts.
    """
    amounts = [amount for line in lines for amount in line.amounts]
    least, most = min(0, *amounts), max(1, *amounts)
    by = 60 if unit[3:] == ("m:ss",) and most - least > _MOST_SECONDS else 1
    sizes = (by * step * 10**power for power in count() for step in _STEPS)
    size = next(size for size in sizes if (most - least) // size <= _MOST_TICKS)
    ticks = [*range(-(-least // size) * size, most + 1, size)]
    scale = (_GRAPH - 2 * _EDGE) / (most - least)
    heights = {amount: round(_GRAPH - _EDGE - (amount - least) * scale, 1) for amount in {*amounts, *ticks}}
    across = 1000 / max(1, len(entries) - 1)
    ways = (" ".join(f"{round(n * across, 1)},{heights[one]}" for n, one in enumerate(line.amounts)) for line in lines)
    drawn = [element("polyline", class_=line.ink, points=way) for line, way in zip(lines, ways, strict=True)]
    rules = [element("path", class_="rule", d=f"M0 {heights[tick]}H1000") for tick in ticks]
    inner = element("svg", *rules, *drawn, viewBox=f"0 0 1000 {_GRAPH}", height=_GRAPH, preserveAspectRatio="none")
    labels = [words(signed(tick, unit), 4, heights[tick] - 3, anchor="start") for tick in ticks]
    ends = {0: "start", (len(entries) - 1) // 2: "middle", len(entries) - 1: "end"}
    named = [words(entries[n], f"{n * across / 10:g}%", _GRAPH + 13, anchor=anchor) for n, anchor in ends.items()]
    return (inner, *labels, *named)


def _framed(drawn: Sequence[str], height: int) -> str:
    return element("svg", *drawn, viewBox=f"0 0 {_WIDTH} {height}", width=_WIDTH, height=height, aria_hidden="true")
