"""Write texts that are safe on terminals and in mails: visible characters, amounts, sums, lines, tables, colours."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Any, Final

from adjudicator.core.event import Part
from adjudicator.core.phrases import display_width, padded, wrapped
from adjudicator.core.values import canonical_text

_MOST_MARKS: Final = 4
_PICTURES: Final = 0x2400
_DELETE_PICTURE: Final = "␡"
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Cn", "Zl", "Zp"))
_LOOKS_EMPTY: Final = frozenset("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u2800")
"""Invisible letters and marks that Unicode does not classify as invisible."""
_MARKS: Final = frozenset(("Mn", "Me"))
_plain: Final[set[str]] = set()
"""A cache of harmless characters, so that long logs are fast."""


def printable(text: str) -> str:
    r"""Return ``text`` on one line with visible signs for controls, escapes, directions and invisible characters.

    Control characters become their pictures (``␛``), other invisible ones ``\u202e``-like escapes, odd spaces plain ones.
    Only the first four combining marks after a character remain marks.
    """
    if text.isascii() and text.isprintable():
        return text
    if _plain.issuperset(text):
        return text
    for character in {*text}:
        category = unicodedata.category(character)
        if category not in _MARKS and _visible(character, category) == character:
            _plain.add(character)
    return "".join(visible_characters(text))


def visible_characters(text: str) -> list[str]:
    """Return the replacement by ``printable`` of each character of ``text``."""
    shown = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in _MARKS else 0
        shown.append(_escaped(character) if marks > _MOST_MARKS else _visible(character, category))
    return shown


def safe_json(data: Any) -> str:
    r"""Return the canonical compact JSON of plain ``data`` on one line, with invisible characters as ``\uXXXX`` escapes.

    The escapes do not change the JSON data; they protect a terminal from the text of players.
    """
    text = canonical_text(data)
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else json.dumps(character)[1:-1] for character in text)


def _visible(character: str, category: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(_PICTURES + code)
    if code == 0x7F:
        return _DELETE_PICTURE
    if category == "Zs" and character != "\u3000":
        return " "
    return _escaped(character) if category in _HIDDEN or character in _LOOKS_EMPTY else character


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


GAP: Final = "  "
"""The gap between two columns."""
MAIL_WIDTH: Final = 78
"""The greatest number of columns of a line in a mail."""

_LEAST_COLUMN: Final = 5
"""The least width of a column; narrower ones would be hard to read."""
_NUMBER: Final = re.compile(r"[+−-]?[0-9]+(?::[0-9]{2})?")
_MISLEADING: Final = re.compile(r"^\d|[+−()“”]|(^|\s)[-–—]")
"""Labels that need quotes, because they look like a part of the sum."""
_BETWEEN_WORDS: Final = re.compile(r"(?<! ) (?! )")
_HELD: Final = "\xa0"
"""Replaces a space at which a line must not break; the text has none, because ``printable`` replaces it."""
_OPENING: Final = re.compile(r" (?=(?:·|written:|note:|noted:|comment:)(?:[ \xa0]|$))")
"""A space before words that mark a new entry at the start of a line: no continuation line may begin with them."""


# Amounts


def count_of(number: int, one: str, many: str = "") -> str:
    """Return ``number`` with its noun: ``1 game``, ``1,234 games``; ``many`` is the plural if it needs more than an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def signed(amount: int, unit: Sequence[str] = ()) -> str:
    """Return ``amount`` with the minus sign of the reports, in the format of its ``unit``: a number, or ``m:ss``."""
    shown = f"{abs(amount) // 60}:{abs(amount) % 60:02}" if unit[3:] == ("m:ss",) else str(abs(amount))
    return shown if amount >= 0 else f"−{shown}"


def are_numbers(cells: Sequence[str]) -> bool:
    """Return whether all ``cells`` of a column are numbers or empty."""
    return any(cells) and all(not cell or _NUMBER.fullmatch(cell) for cell in cells)


def why_text(why: Sequence[Part], order: str = "", unit: Sequence[str] = ()) -> str:
    """Explain a cost as a sum: ``4 − highway W + 2 gravel C3 (CR-P1, CR-P2)``, with the ids of the rules, each once.

    A bonus of 1 is ``− highway W``; every other amount in ``why`` is a number, in the format of its ``unit``. The label of
    the first part is omitted if it only repeats the verb of ``order``.
    """
    if not why:
        return ""
    terms = []
    for at, part in enumerate(why):
        label, amount = printable(part.what).strip(), signed(part.amount, unit)
        if _MISLEADING.search(label):
            label = f"“{label.replace('“', '‘').replace('”', '’')}”"
        if at == 0:
            said, ordered = part.what.casefold().split(), order.casefold().split()
            label = "" if said[:1] == ordered[:1] and said else label
        else:
            sign = "−" if part.amount < 0 else "+"
            amount = sign if part.amount == -1 and label else f"{sign} {amount.lstrip('−')}"
        terms.append(f"{amount} {label}".rstrip())
    rules = dict.fromkeys(printable(part.rule) for part in why if part.rule)
    return " ".join(terms) + (f" ({', '.join(rules)})" if rules else "")


# Lines


def folded(line: str, width: int, indent: int = 0, *, is_hard: bool = True) -> list[str]:
    """Return ``line`` in pieces of at most ``width`` columns, all but the first with an indent of ``indent`` columns.

    Breaks are between two words and, if possible, not between two columns of a table. A word longer than a line is broken
    as well if ``is_hard``; otherwise it gets a separate line that is too long.
    """
    if display_width(line) <= width:
        return [line]
    indent = min(indent, width // 2)
    body = line.lstrip(" ")
    lead = line[: len(line) - len(body)]
    if len(lead) > width // 2:  # there would be no room for words
        lead = " " * indent
    room, pieces = width - max(indent, len(lead)), list[str]()
    for unit in _BETWEEN_WORDS.split(body):
        if display_width(unit) <= room:
            pieces.append(unit.replace(" ", _HELD))
        else:
            pieces += wrapped(re.sub(" +", " ", unit), room, is_hard=is_hard)
    lines = wrapped(_OPENING.sub(_HELD, " ".join(pieces)), width, lead, " " * indent)
    return [piece.replace(_HELD, " ") for piece in lines]


def folded_lines(lines: Iterable[str], width: int, *, is_hard: bool = True) -> list[str]:
    """Return all ``lines`` broken to ``width``; continuation lines have an extra indent of two columns.

    ``is_hard`` is that of ``folded``.
    """
    indents = ((line, len(line) - len(line.lstrip(" ")) + 2) for line in lines)
    return [piece for line, further in indents for piece in folded(line, width, further, is_hard=is_hard)]


# Tables


def column_widths(rows: Sequence[Sequence[str]], least: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the width of each column of ``rows`` (all of the same length), in terminal columns and at least ``least``."""
    widest = [max(map(display_width, cells)) for cells in zip(*rows, strict=True)]
    return tuple(map(max, widest, [*least, *([0] * (len(widest) - len(least)))]))


def row_text(cells: Sequence[str], widths: Sequence[int], right: Collection[int] = ()) -> str:
    """Return ``cells`` side by side in columns of ``widths``; columns with an index in ``right`` are aligned right."""
    filled = (padded(cell, width, right=at in right) for at, (cell, width) in enumerate(zip(cells, widths, strict=True)))
    return GAP.join(filled).rstrip()


def table_lines(
    headings: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None, right: Collection[int] = ()
) -> list[str]:
    """Return the lines of a table: ``headings`` (no line if empty), then ``rows``; numbers are aligned right.

    So are the columns with an index in ``right``, which have other words between their numbers.

    If the table is wider than ``width``, the widest columns become narrower, and their cells have several lines. If this
    would break words of several columns, each row becomes a list of its cells.
    """
    everything = [headings, *rows] if headings else list(rows)
    if not everything:
        return []
    right = [at for at, cells in enumerate(zip(*rows, strict=True)) if at in right or are_numbers(cells)]
    widths = [*column_widths(everything)]
    room = sum(widths) if width is None else width - len(GAP) * (len(widths) - 1)
    if sum(widths) <= room:
        return [row_text(cells, widths, right) for cells in everything]
    words = [max(display_width(one) for cell in cells for one in cell.split(" ")) for cells in zip(*everything, strict=True)]
    for least in (words, [min(word, _LEAST_COLUMN) for word in words]):  # if possible, no column breaks its longest word
        while sum(widths) > room:
            widest = max(range(len(widths)), key=lambda at: (widths[at] > least[at], widths[at]))
            if widths[widest] <= least[widest]:
                break
            widths[widest] -= 1
    lines = []
    if sum(widths) > room or sum(map(int.__lt__, widths, words)) > 1:
        for cells in rows:
            named = zip_longest(headings, cells, fillvalue="")
            listed = "; ".join(f"{heading}: {cell}" if heading else cell for heading, cell in named if cell)
            lines += wrapped(listed, room + len(GAP) * (len(widths) - 1), is_hard=True)
        return lines
    for cells in everything:
        stacks = [wrapped(cell, size, is_hard=True) for cell, size in zip(cells, widths, strict=True)]
        lines += [row_text(line, widths, right) for line in zip_longest(*stacks, fillvalue="")]
    return lines


# Colours on a terminal, by the meaning of words: a red car is red, grassland is green

FAINT: Final = "2"
STRONG: Final = "1"

_WORDS: Final = {
    "red": "31",
    "green": "32",
    "yellow": "33",
    "orange": "33",
    "blue": "34",
    "purple": "35",
    "violet": "35",
    "pink": "95",
    "cyan": "36",
    "brown": "33",
    "white": "97",
    "black": "90",
    "grey": "90",
    "gray": "90",
    "city": "31",
    "town": "31",
    "grassland": "32",
    "meadow": "32",
    "forest": "32",
    "desert": "33",
    "sand": "33",
    "mountains": "35",
    "mountain": "35",
    "sea": "34",
    "water": "34",
}
_SEATS: Final = {"orange": "38;5;208", "brown": "38;5;130", "black": "39"}
"""Other colours for seats, if the colour of the word would be invisible on a terminal or too similar to another."""


def word_style(word: str) -> str:
    """Return the style for ``word``, a colour or a ground; empty for any other."""
    return _WORDS.get(word.casefold(), "")


def seat_style(seat: str, seats: Sequence[str]) -> str:
    """Return the style for the pieces of ``seat``, one of ``seats``: bold, in its colour in pictures."""
    from adjudicator.scenes import seat_color  # most texts have no colours, and the scenes take time to load

    return f"{STRONG};{_SEATS.get(color := seat_color(seat, seats), _WORDS[color])}"


def painted(text: str, style: str, *, color: bool) -> str:
    """Return ``text`` in ``style``, the inside of an ANSI colour code; unchanged without ``color``."""
    return f"\x1b[{style}m{text}\x1b[0m" if color and style and text else text
