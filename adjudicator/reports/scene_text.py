"""Write the text of a scene, its legend and its sentences, for a terminal or a mail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise, zip_longest
from typing import Final

from adjudicator.core.width import clip, display_width, padded
from adjudicator.reports import terminal_colors
from adjudicator.reports.sanitize import printable
from adjudicator.reports.seat_key import Key
from adjudicator.reports.terminal_colors import painted, seat_style, word_style
from adjudicator.reports.texts import GAP, folded_lines
from adjudicator.scenes.characters import bare, ink_parts, inked
from adjudicator.scenes.describe import describe
from adjudicator.scenes.drawing import Drawing
from adjudicator.scenes.scene import FAINT, STRONG, Entry, Flow, Later, Legend, Lines, Run, Scene, Strip, Strips

LINE_WIDTH: Final = 90
"""The greatest width of a row of columns that flow, in terminal columns."""
_LEAST: Final = 4
"""The least width of such a column, without the blank after it."""
_MOST: Final = 14
_BETWEEN: Final = "   "
_STYLES: Final = {STRONG: terminal_colors.STRONG, FAINT: terminal_colors.FAINT}


def scene_lines(scene: Scene, key: Key, width: int | None, *, color: bool) -> list[str]:
    """Return the title and the text of ``scene`` in lines of ``width`` columns; empty if it has no text."""
    room = None if width is None else width - len(GAP) * bool(scene.title)
    text = scene.text.now(room) if isinstance(scene.text, Later) else scene.text or ()
    if not text:
        return []
    match text:
        case Flow(columns=columns):
            lines = _flow(columns, key, (width or LINE_WIDTH) - len(GAP), color=color)
        case Strips():
            lines = [*_strips(text, key, room, color=color)]
        case Lines(lines=runs):
            lines = [_line(line, key, color=color) for line in runs]
            lines = lines if room is None else folded_lines(lines, room)
        case _:
            lines = [piece for line in text for piece in _painted(line, key, room, color=color)]
    if not scene.title:
        return lines
    return [painted(printable(scene.title), terminal_colors.STRONG, color=color), *((GAP + line).rstrip() for line in lines)]


def _painted(line: str, key: Key, room: int | None, *, color: bool) -> list[str]:
    """Return ``line`` with the colours of its inks; one that is wider than ``room`` is folded, without colours."""
    if room is not None and display_width(bare(line)) > room:
        return folded_lines([printable(bare(line))], room)
    return ["".join(painted(printable(text), _ink_style(ink, key), color=color) for ink, text in ink_parts(line)).rstrip()]


def _ink_style(ink: str, key: Key) -> str:
    if ink.startswith("seat "):
        return seat_style(ink[5:], key.seats)
    return _STYLES.get(ink) or word_style(ink)


def description_lines(drawing: Drawing) -> tuple[str, ...]:
    """Return sentences about the pictures of ``drawing``, for readers who cannot see them; tables are text already."""
    scenes = [shape for shape in drawing.shapes if isinstance(shape, Scene)]
    is_old = any(scene.sentences for scene in scenes)
    return tuple([printable(words) for scene in scenes for words in (scene.sentences if is_old else describe(scene))])


def legend_rows(legend: Legend, key: Key, *, color: bool) -> list[str]:
    """Return a line for each row of ``legend`` that has signs."""
    rows = (
        [inked(f"{sign_text(entry)} {entry.name}", _sign_ink(entry)) for entry in row if sign_text(entry)]
        for row in legend.rows
    )
    return [_painted(_BETWEEN.join(row), key, None, color=color)[0] for row in rows if row]


def sign_text(entry: Entry) -> str:
    """Return the sign of ``entry`` in text."""
    return entry.sign.text if isinstance(entry.sign, Run) else entry.sign


def _sign_ink(entry: Entry) -> str:
    return entry.sign.word if isinstance(entry.sign, Run) else entry.ink


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
