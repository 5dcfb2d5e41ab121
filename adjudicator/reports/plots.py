"""Plots as pictures in a page: bars and histograms, in the colours of the page, with every number also in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.reports.sanitize import printable
from adjudicator.reports.svg import element, words
from adjudicator.reports.table import signed

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


@frozen
class Bar:
    """A bar called ``label``, as long as its ``value`` asks for (0 or more), with the value as it is ``shown``."""

    label: str
    value: int
    shown: str


@frozen
class Plot:
    """A plot called ``title``: an SVG element, and the same in ``words`` for who does not see it."""

    title: str
    svg: str
    words: str


def bar_plot(title: str, bars: Sequence[Bar]) -> Plot:
    """Return ``bars``, at least one, lying below each other; beyond twenty they are left out, and that is told."""
    told = bars[:_MOST_BARS]
    longest = max(bar.value for bar in told) or 1
    drawn = [piece for at, bar in enumerate(told) for piece in _lying(bar, at * _LINE, longest)]
    left_out = f"; {len(bars) - len(told)} more" if len(bars) > len(told) else ""
    spoken = "; ".join(f"{printable(bar.label)}: {bar.shown}" for bar in told) + left_out
    return Plot(title, _framed(drawn, len(told) * _LINE), spoken)


def _lying(bar: Bar, top: int, longest: int) -> Iterator[str]:
    room = _WIDTH - _LABELS - _VALUES
    width = max(1, room * bar.value // longest)
    label = printable(bar.label)
    shown = label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"
    yield words(shown, _LABELS - 8, top + 16, size=12, anchor="end", class_="word")
    yield element("rect", x=_LABELS, y=top + 4, width=width, height=_LINE - 8, rx=2, class_="bar")
    yield words(bar.shown, _LABELS + width + 6, top + 16, size=12, anchor="start", class_="word")


def histogram(title: str, numbers: Sequence[int], what: str, unit: Sequence[str] = ()) -> Plot:
    """Return how often whole ``numbers``, at least one, fall into ranges of equal width; ``what`` says what they count.

    They are written in the form that their ``unit`` asks for.
    """
    width = _bin_width(min(numbers), max(numbers))
    first = min(numbers) // width
    counts = Counter(number // width - first for number in numbers)
    count = max(counts) + 1
    room = _WIDTH / count
    highest = max(counts.values())
    drawn = []
    for at in range(count):
        height = round((_TALL - 20) * counts[at] / highest, 1)
        box = {"x": round(at * room + 1, 1), "y": round(_TALL - height, 1), "width": round(room - 2, 1), "height": height}
        if counts[at]:
            drawn += [
                element("rect", class_="bar", rx=2, **box),
                words(str(counts[at]), round((at + 0.5) * room, 1), round(_TALL - height - 5, 1), size=11, class_="word"),
            ]
    last = first + count - 1
    drawn.append(words(_range(first, width, unit), 0, _TALL + 16, size=12, anchor="start", class_="word"))
    if count > 1:
        drawn.append(words(_range(last, width, unit), _WIDTH, _TALL + 16, size=12, anchor="end", class_="word"))
    drawn.append(words(what, _WIDTH / 2, _TALL + 30, size=12, class_="word"))
    spoken = "; ".join(f"{_range(first + at, width, unit)} {what}: {counts[at]}" for at in sorted(counts))
    return Plot(title, _framed(drawn, _TALL + _FOOT), spoken)


def _bin_width(least: int, most: int) -> int:
    """Return the smallest round number of which few enough ranges reach from ``least`` to ``most``."""
    scale = 1
    while True:
        for step in _STEPS:
            if most // (step * scale) - least // (step * scale) < _MOST_BINS:
                return step * scale
        scale *= 10


def _range(at: int, width: int, unit: Sequence[str]) -> str:
    least, most = signed(at * width, unit), signed((at + 1) * width - 1, unit)
    return least if width == 1 else f"{least}–{most}"


def _framed(drawn: Sequence[str], height: int) -> str:
    return element("svg", *drawn, viewBox=f"0 0 {_WIDTH} {height}", width=_WIDTH, height=height, aria_hidden="true")
