"""Write the text of a scene, and its legend, for a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise, zip_longest
from typing import Final

from adjudicator.core.width import clip, display_width, padded
from adjudicator.reports import terminal_colors
from adjudicator.reports.fold import folded_lines
from adjudicator.reports.sanitize import printable
from adjudicator.reports.seat_key import Key
from adjudicator.reports.table import GAP
from adjudicator.reports.terminal_colors import painted, seat_style, word_style
from adjudicator.scenes.cache import Kept
from adjudicator.scenes.drawing import Drawing
from adjudicator.scenes.scene import FAINT, STRONG, Flow, Later, Legend, Lines, Run, Scene, Strip, Strips

LINE_WIDTH: Final = 90
"""The greatest width of a row of columns that flow, in terminal columns."""
_LEAST: Final = 4
"""The least width of such a column, without the blank after it."""
_MOST: Final = 14
_BETWEEN: Final = "   "
_STYLES: Final = {STRONG: terminal_colors.STRONG, FAINT: terminal_colors.FAINT}


def scene_lines(scene: Scene, key: Key, width: int | None, *, color: bool) -> list[str]:
    """Return the title and the text of ``scene`` in lines of ``width`` columns; empty if it has no text.

    They come from a cache if the scene looks the same as at the last call: most readers of a turn see the same board.
    """
    return [*_LINES.of(scene.id, scene.title, scene.text, key, width, color)]


def _scene_lines(title: str, made: object, key: Key, width: int | None, color: bool) -> list[str]:
    room = None if width is None else width - len(GAP) * bool(title)
    text = made.now(room) if isinstance(made, Later) else made
    match text:
        case Flow(columns=columns):
            lines = _flow(columns, key, (width or LINE_WIDTH) - len(GAP), color=color)
        case Strips():
            lines = [*_strips(text, key, room, color=color)]
        case Lines(lines=runs):
            lines = [_line(line, key, color=color) for line in runs]
            lines = lines if room is None else folded_lines(lines, room)
        case _:
            return []
    if not title and not isinstance(text, Flow):
        return lines
    heading = [painted(printable(title), terminal_colors.STRONG, color=color)] if title else []
    return [*heading, *((GAP + line).rstrip() for line in lines)]


_LINES: Final = Kept(_scene_lines)


def description_lines(drawing: Drawing) -> tuple[str, ...]:
    """Return sentences about the pictures of ``drawing``, for readers who cannot see them; tables are text already."""
    scenes = (shape for shape in drawing.shapes if isinstance(shape, Scene))
    return tuple([printable(sentence) for scene in scenes for sentence in scene.sentences])


def legend_rows(legend: Legend, key: Key, *, color: bool) -> list[str]:
    """Return a line for each row of ``legend`` that has signs."""
    rows = ([entry for entry in row if entry.sign.text] for row in legend.rows)
    named = ([Run(f"{entry.sign.text} {entry.name}", *_style_of(entry.sign)) for entry in row] for row in rows if row)
    return [_BETWEEN.join(_shown(run, key, color=color) for run in row) for row in named]


def _style_of(run: Run) -> tuple[str, str, str, int]:
    return run.style, run.seat, run.word, run.place


def _shown(run: Run, key: Key, *, color: bool) -> str:
    return painted(printable(run.text), _style(run, key), color=color)


def _style(run: Run, key: Key) -> str:
    if run.seat:
        return seat_style(run.seat, key.seats)
    return word_style(run.word, run.place) if run.word else _STYLES.get(run.style, "")


def _line(runs: Iterable[Run], key: Key, *, color: bool) -> str:
    styled = groupby(runs, lambda run: _style(run, key))
    parts = ((style, printable("".join(run.text for run in same))) for style, same in styled)
    return "".join(painted(text, style, color=color) for style, text in parts).rstrip()


def _flow(columns: Sequence[Sequence[Run]], key: Key, room: int, *, color: bool) -> list[str]:
    """Return ``columns`` in rows of equal length, which looks better than a short last row."""
    width = max((display_width(printable(run.text)) for column in columns for run in column), default=0)
    width = min(max(width, _LEAST), _MOST)
    per_row = max(1, (room + 1) // (width + 1))
    per_row = -(-len(columns) // -(-len(columns) // per_row)) if columns else 1
    lines: list[str] = []
    for start in range(0, len(columns), per_row):
        row = columns[start : start + per_row]
        lines += [""] if start else []
        for at in range(max(map(len, row))):
            runs = [column[at] if at < len(column) else Run("") for column in row]
            if any(run.text for run in runs):
                lines.append(" ".join(_cell(run, width, key, color=color) for run in runs).rstrip())
    return lines


def _cell(run: Run, width: int, key: Key, *, color: bool) -> str:
    text = clip(printable(run.text), width)
    return padded("", width - display_width(text)) + painted(text, _style(run, key), color=color)


def _strips(board: Strips, key: Key, room: int | None, *, color: bool) -> Iterator[str]:
    """Yield the lines of ``board`` in parts of about equal size that fit into ``room`` columns, whole for ``None``."""
    many, each = len(board.strips), _fitting(board, room)
    bounds = [round(many * part / -(-many // each)) for part in range(-(-many // each) + 1)] if many else [0, 0]
    for first, last in pairwise(bounds):
        inner = board.strips[first:last]
        middle = [block for strip in inner for block in (strip.lines, strip.gap)][: -1 if last == many else None]
        before = board.before if first == 0 else board.cut_before
        after = board.after if last == many else board.cut_after
        if first:
            yield ""
        for row in zip(*(block for block in (before.lines, *middle, after.lines) if block), strict=True):
            yield _line(chain.from_iterable(row), key, color=color)
        rows = zip_longest(*(strip.remarks for strip in inner), fillvalue="")
        yield from (printable(remark) for remark in chain.from_iterable(rows) if remark)
        yield from map(printable, board.remarks)


def _fitting(board: Strips, room: int | None) -> int:
    if room is None or not board.strips:
        return max(len(board.strips), 1)
    aside = _wide(board.before) + _wide(board.after)
    gap = max((display_width(run.text) for run in chain.from_iterable(board.strips[0].gap[:1])), default=0)
    each, many = max(map(_wide, board.strips)), len(board.strips)
    return many if aside + many * (each + gap) - gap <= room else max(1, (room - aside) // (each + gap))


def _wide(strip: Strip) -> int:
    return max((sum(display_width(run.text) for run in line) for line in strip.lines), default=0)
