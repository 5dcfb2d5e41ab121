"""Write a drawing as text for a terminal or a mail, and describe its pictures in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from adjudicator.core.width import display_width
from adjudicator.reports import texts
from adjudicator.reports.sanitize import printable
from adjudicator.reports.seat_key import key_of
from adjudicator.reports.texts import GAP, folded_lines, painted, seat_style, table_lines, word_style
from adjudicator.scenes import FAINT, STRONG, Later, Legend, Scene, describe
from adjudicator.scenes.drawing import Columns, Drawing, Fields, Shape
from adjudicator.scenes.letters import bare, ink_parts, inked

_BETWEEN: Final = "   "
_STYLES: Final = {"": "", STRONG: texts.STRONG, FAINT: texts.FAINT}


def drawing_text(
    drawing: Drawing,
    *,
    color: bool = False,
    seats: Iterable[str] = (),
    width: int | None = None,
) -> str:
    """Return the shapes of ``drawing`` from top to bottom; ``color`` adds ANSI colours, which carry no extra information.

    ``seats`` are all seats of the game, so that each keeps its colour even if others do not appear. With a ``width`` in
    columns, wider boards are divided into parts, and tables get narrower columns.
    """
    all_seats, blocks = key_of(drawing, seats).seats if color else (), list[str]()
    for shape in drawing.shapes:
        title = "" if isinstance(shape, Legend) else printable(shape.title)
        room = None if width is None else width - len(GAP) * bool(title)
        match shape:
            case Scene(text=text):
                lines = _painted(text.now(room) if isinstance(text, Later) else text, room, all_seats, color=color)
                title = title if lines else ""
            case Legend(rows=rows):
                entries = ([inked(f"{one.sign} {one.name}", one.ink) for one in row if one.sign] for row in rows)
                lines = _painted((_BETWEEN.join(row) for row in entries if row), room, all_seats, color=color)
            case _:
                ((_, headings, cells),) = shape_tables(shape)
                lines = table_lines(headings, cells, room)
        if title:
            lines = [painted(title, texts.STRONG, color=color), *((GAP + line).rstrip() for line in lines)]
        if lines:
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _painted(lines: Iterable[str], room: int | None, seats: Sequence[str], *, color: bool) -> list[str]:
    """Return ``lines`` with the colours of their inks; those that are wider than ``room`` are folded, without colours."""
    shown = list[str]()
    for line in lines:
        if room is not None and display_width(bare(line)) > room:
            shown += folded_lines([printable(bare(line))], room)
        elif not color:
            shown.append(printable(bare(line)).rstrip())
        else:
            styled = [
                (
                    seat_style(ink[5:], seats) if ink.startswith("seat ") else _STYLES.get(ink) or word_style(ink),
                    text,
                )
                for ink, text in ink_parts(line)
                if text
            ]
            runs = ((style, "".join(text for _, text in run)) for style, run in groupby(styled, lambda one: one[0]))
            shown.append("".join(painted(printable(text), style, color=True) for style, text in runs).rstrip())
    return shown


def description_lines(drawing: Drawing) -> tuple[str, ...]:
    """Return sentences about the pictures of ``drawing``, for readers who cannot see them; tables are text already."""
    return tuple([printable(words) for scene in drawing.scenes for words in describe(scene)])


TableText = tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]
"""A title, headings (empty: each row begins with its label), and rows, safe to show."""


def shape_tables(shape: Shape) -> tuple[TableText, ...]:
    """Return ``shape`` as a table; empty for pictures and legends."""
    if not isinstance(shape, Fields | Columns):
        return ()
    headings = shape.headings if isinstance(shape, Columns) else ()
    rows: tuple[tuple[str, ...], ...] = shape.rows
    return ((printable(shape.title), tuple(map(printable, headings)), tuple([tuple(map(printable, row)) for row in rows])),)
