"""Draw the scenes of a drawing as one SVG picture with a legend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Final

from adjudicator.core.drawing import Drawing
from adjudicator.core.scene import Scene
from adjudicator.reports.drawings.changes import Earlier, changes_since
from adjudicator.reports.drawings.seat_key import Key, key_of
from adjudicator.reports.pictures.legend import LEAST, LegendItem, change_items, legend_definitions, legend_part
from adjudicator.reports.pictures.marks import marked
from adjudicator.reports.pictures.sketch import Part, scene_part
from adjudicator.reports.pictures.svg import document, element, grouped, words
from adjudicator.scenes.letters import text_lines, text_width

_MARGIN: Final = 16
_TITLE: Final = 14
_TITLE_LINE: Final = 20
_SUBTITLE: Final = 13
_BESIDE: Final = 10
"""Pixels between a board and the shapes beside it."""


def boards_of(drawing: Drawing) -> list[Scene]:
    """Return the pictures of ``drawing``."""
    return [shape for shape in drawing.shapes if isinstance(shape, Scene)]


def picture(
    drawing: Drawing,
    title: str,
    seats: Iterable[str] = (),
    width: int | None = None,
    earlier: Earlier | None = None,
) -> str | None:
    """Return the pictures of ``drawing`` under ``title`` as an SVG document, ``None`` without any.

    ``seats`` are all seats of the game: the legend lists them, and each keeps its colour. A mapping has their names for the
    legend. With a ``width`` in pixels the picture is scaled down to it, and each map has its own title. Marks show the
    changes since the ``earlier`` drawing, and the legend names the turn of that drawing.
    """
    boards = boards_of(drawing)
    if not boards:
        return None
    key = key_of(drawing, seats)
    parts, news = parts_of(drawing, key, earlier)
    if width is None:
        groups, least = [*_groups(boards, parts)], LEAST
    else:
        groups, least = [[_titled(part, board)] for part, board in zip(parts, boards, strict=True)], width - 2 * _MARGIN
    legend = partial(legend_part, drawing, key, least=least, news=news)
    named = {**dict(chain.from_iterable(part.definitions for part in parts)), **legend_definitions(drawing, key)}
    definitions = element("defs", *named.values()) if named else ""
    return _page(title, definitions, [*_with_legend(groups, legend)], width)


def parts_of(drawing: Drawing, key: Key, earlier: Earlier | None = None) -> tuple[list[Part], tuple[LegendItem, ...]]:
    """Return each board of ``drawing`` with marks for the changes since ``earlier``, and the legend of these marks."""
    parts = [scene_part(board, key) for board in boards_of(drawing)]
    changes = changes_since(drawing, earlier)
    for at, (before, new) in enumerate(changes):
        if new:
            parts[at] = marked(parts[at], scene_part(before, key), new)
    return parts, change_items((change for _, new in changes for change in new), earlier)


def _page(title: str, definitions: str, parts: Sequence[Part], width: int | None) -> str:
    """Return the document with ``parts`` below each other, under its ``title``."""
    room = max(part.width for part in parts)
    lines = text_lines(title, room, _TITLE, is_bold=True)
    drawn = [definitions] if definitions else []
    drawn += [
        words(line, _MARGIN, _TITLE_LINE * (at + 1), size=_TITLE, anchor="start", font_weight="bold")
        for at, line in enumerate(lines)
    ]
    top: float = _TITLE_LINE * len(lines) + 8
    for part in parts:
        drawn += grouped(part.drawn, transform=f"translate({_MARGIN} {top})")
        top += part.height + _MARGIN
    return document(drawn, room + 2 * _MARGIN, top, width)


def _with_legend(groups: Sequence[Sequence[Part]], legend: Callable[[float], Part]) -> Iterator[Part]:
    """Yield each of ``groups`` joined, and the legend: below the last board if something is beside it, else at the end."""
    for group in groups[:-1]:
        yield _in_column(group)
    last = groups[-1]
    if len(last) > 1:
        yield _in_column(last, legend(last[0].width))
    else:
        yield _in_column(last)
        yield legend(max(group[0].width for group in groups))


def _groups(boards: Iterable[Scene], parts: Iterable[Part]) -> Iterator[list[Part]]:
    """Yield each board of ``parts``, together with the following shapes that belong beside it."""
    group: list[Part] = []
    for board, part in zip(boards, parts, strict=True):
        if group and not board.is_beside:
            yield group
            group = []
        group.append(part)
    yield group


def _in_column(parts: Sequence[Part], below: Part | None = None) -> Part:
    """Return the first of ``parts`` with the part ``below`` it, and the others to its right, one below the other."""
    first, *others = parts
    if not others:
        return first
    drawn, height = [*first.drawn], first.height
    if below is not None:
        drawn += grouped(below.drawn, transform=f"translate(0 {height + _MARGIN})")
        height += _MARGIN + below.height
    x, y = max(first.width, 0 if below is None else below.width) + _BESIDE, 0.0
    for part in others:
        drawn += grouped(part.drawn, transform=f"translate({x} {y})")
        y += part.height + _MARGIN
    return Part(tuple(drawn), x + max(part.width for part in others), max(height, y - _MARGIN))


def _titled(part: Part, board: Scene) -> Part:
    """Return ``part`` below the title of its ``board``, if it has one."""
    title = board.title
    line = words(title, 0, _SUBTITLE, size=_SUBTITLE, anchor="start", font_weight="bold")
    lowered = grouped(part.drawn, transform=f"translate(0 {_TITLE_LINE})")
    return Part((line, *lowered), max(part.width, text_width(title, _SUBTITLE, is_bold=True)), part.height + _TITLE_LINE)
