"""Write a drawing as text for a terminal or a mail, describe its pictures, and find short names for its seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from adjudicator.core.phrases import display_width
from adjudicator.core.values import Value
from adjudicator.reports import texts
from adjudicator.reports.texts import GAP, folded_lines, painted, printable, seat_style, table_lines, word_style
from adjudicator.scenes import FAINT, STRONG, Later, Legend, Scene, Sign, Token, describe, things
from adjudicator.scenes.drawing import Columns, Drawing, Fields, Shape
from adjudicator.scenes.letters import bare, initial, ink_parts, inked


class Badge(Value):
    """What tells the tokens on a place apart: the text, the sign, and the seat."""

    text: str
    sign: Sign
    seat: str = ""


def badge_of(token: Token) -> Badge:
    """Return what tells ``token`` apart, with visible characters only."""
    return Badge(printable(token.text), token.sign, printable(token.seat))


class Key(Value):
    """The seats of one drawing: ``names`` are the texts of all its tokens, in their order; short names must differ.

    ``seats`` are all seats that can have tokens; they determine the colours. ``players`` are the names of ``seats`` in the
    legend, in their order.
    """

    names: tuple[str, ...]
    seats: tuple[str, ...] = ()
    players: tuple[str, ...] = ()

    def initial(self, text: str, seat: str) -> str:
        """Return the letters for ``text`` on a token of ``seat``: one or two unique letters, else the number of the seat."""
        return initial(text, self.names, seat, self.seats)


def key_of(drawing: Drawing, seats: Iterable[str] = ()) -> Key:
    """Return the key of ``drawing``.

    ``seats`` are those of the game, by default those in the drawing. A mapping also has the name of each.
    """
    badges = [badge_of(thing.token) for scene in drawing.scenes for thing in things(scene) if thing.token is not None]
    signed = [badge for badge in badges if badge.sign is not Sign.NOTE]
    called = {printable(seat): printable(name) for seat, name in seats.items()} if isinstance(seats, Mapping) else {}
    all_seats = tuple(sorted({*map(printable, seats), *(badge.seat or badge.text for badge in signed)}))
    # Every seat has a letter, also one without a token on the board.
    names = tuple(sorted({*all_seats, *(badge.text for badge in signed)}))
    return Key(names, all_seats, tuple(called.get(seat, seat) for seat in all_seats))


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
