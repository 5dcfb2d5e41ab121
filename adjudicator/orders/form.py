"""Find the order forms in a text: `orders of GAME, turn N, as SEAT` begins one, and `END of orders` ends it.

A mail program may have quoted them, with any marks, and broken their lines. A form is looked for before anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from adjudicator.orders.clean import MOST_COLUMNS, TOKEN, clean, normal_form

LAST: Final = "end of orders"
"""The last line of a form, in small letters."""
_ENDS: Final = (LAST, "end")
IN_FORM: Final = "part of an order form"
IN_REPORT: Final = "part of the report around the order form"
_MARKS: Final = re.compile("[\\s>|\uff1e\u200b-\u200f\u2060\ufeff]*")
"""What a mail program puts before a line that it quotes."""
_FIRST: Final = re.compile(
    r"orders of ([a-z0-9][a-z0-9._-]{0,79}?)(?:,? turn ([0-9]{1,9}))?,? as ([a-z][a-z0-9_]{0,23})[ .:,]*", re.ASCII
)
_HEAD: Final = re.compile(r" *orders +of +(?P<game>[^\s,]+)(?:,? +turn +[0-9]+)?", re.IGNORECASE | re.ASCII)
_TALLEST: Final = 4
"""The most lines of a broken first line."""
_BROKEN: Final = 70
"""The fewest columns of a line that a mail program has broken, with the next word. The lines of a form are shorter."""
_EARLY: Final = 40
"""The columns in which a line must end a word to show that its program breaks no line of its width."""
_SEEN: Final = re.compile(r"as .*sees it")
_HEADING: Final = 8
"""The most lines from the name of the game in the heading of a report to its reader."""
_WIDEST: Final = 300
"""The most characters of a line in such a heading."""


@dataclass(slots=True)
class Form:
    """A form in a text, by line numbers from 1; ``turn`` is ``None`` if its orders may wait.

    ``report`` is the first line of the report above it, if that is not marked as quoted (else ``first``). ``head`` has the
    game and the turn in their columns of the first line, as a header. ``depth`` says how deep the form is quoted, with how
    many of its ``mark``. ``notes`` are the words of its comments. ``orders`` are the lines that the player filled in, with
    blanks for the marks of a quote. It is not ``is_closed`` without last line.
    """

    first: int
    last: int
    report: int
    game: str
    turn: int | None
    seat: str
    head: str
    mark: str
    depth: int
    notes: str
    is_closed: bool
    orders: dict[int, str]

    @property
    def is_open(self) -> bool:
        """Whether all lines below belong to the form: its player wrote it without its last line."""
        return not (self.is_closed or self.depth)


def forms_in(
    lines: Sequence[str], is_order: Callable[[str], bool], notes_for: Callable[[str], str] = lambda _seat: ""
) -> tuple[Form, ...]:
    """Return the forms in ``lines``. ``is_order`` tells whether a cleaned line is an order.

    ``notes_for`` returns what the form of a seat says besides orders: such words are no orders, even without their ``#``.
    """
    forms: list[Form] = []
    heads, notes = [*_heads(lines)], dict[str, str]()
    for number, (at, found, end) in enumerate(heads, 1):
        below = heads[number][0] if number < len(heads) else len(lines)
        body = range(end + 1, below)
        last = next((index for index in body if _said(lines[index]).rstrip(" .!") in _ENDS), None)
        until = _end_of_open(lines, body) if last is None else last
        marks = _marks(lines[at])
        mark = "|" if "|" in marks and ">" not in marks else ">"
        game, turn, seat = found.groups()
        head = _head(lines[at])
        if seat not in notes:
            notes[seat] = _words(notes_for(seat))
        form = Form(
            first=at + 1,
            last=until + 1,
            report=at + 1,
            game=head.replace(",", " ").split()[1] if head else game,
            turn=None if turn is None else int(turn),
            seat=seat,
            head=head,
            mark=mark,
            depth=marks.count(mark),
            notes=notes[seat],
            is_closed=last is not None,
            orders={},
        )
        if not form.depth:
            form.report = _report_above(lines, forms[-1].last if forms else 0, at, game) + 1
        form.orders.update(_filled(form, lines, range(end + 1, until + (last is None)), is_order))
        forms.append(form)
    return tuple(forms)


def held_lines(forms: Sequence[Form], lines: Sequence[str], is_order: Callable[[str], bool]) -> Mapping[int, str]:
    """Return the numbers of the ``lines`` of ``forms`` and of the report around each, with what they are.

    Lines with the usual marks of a quote are none of them. The first and last lines of forms, blank lines and comments in
    them are nothing; lines that the player filled in are read later.
    """
    held: dict[int, str] = {}
    for form in forms:
        held.update(dict.fromkeys(range(form.report, form.first), IN_REPORT))
    for mark in {form.mark for form in forms if form.depth}:
        held.update((number, IN_REPORT) for number in _quoted_with(mark, lines, is_order))
    for form in forms:
        for number in range(form.first, form.last + 1):
            is_read = number in form.orders or number in (form.first, form.last)
            held[number] = "" if is_read or lines[number - 1].lstrip()[:1] in ("", "#") else IN_FORM
    return held


def _quoted_with(mark: str, lines: Sequence[str], is_order: Callable[[str], bool]) -> Iterator[int]:
    """Yield the lines of a report quoted with ``mark`` that have no usual mark.

    They have a mark that is usual only in such a quote, or none: a mail program has broken the line above, and marked only
    its first part. A line that reads like an order is such an end only if the program has broken other lines so, too.
    """
    is_marked = [mark in _marks(raw) for raw in lines]
    quoted = [raw.rstrip() for raw, is_own in zip(lines, is_marked, strict=True) if is_own]
    width = max((len(raw) for raw in quoted if _end_of_word(raw) < min(len(raw), _EARLY)), default=MOST_COLUMNS)
    ends: list[int] = []
    above = ""  # the line above, if it is quoted
    for number, (raw, is_own) in enumerate(zip(lines, is_marked, strict=True), 1):
        words = [] if is_own else raw.split()
        is_end = bool(words and above) and len(above) + len(words[0]) >= width
        if is_end:
            ends.append(number)
        above = raw if is_own or is_end else ""
    known = [number for number in ends if not is_order(clean(lines[number - 1]))]
    yield from ends if known else ()
    yield from (n for n, raw in enumerate(lines, 1) if is_marked[n - 1] and normal_form(_marks(raw))[:1] != ">")


def _end_of_word(raw: str) -> int:
    """Return the place at which a mail program can first break a line: the end of its first word."""
    text = unmarked(raw)
    return len(text) - len(text.lstrip()) + len(text.split(maxsplit=1)[0]) if text.strip() else len(text)


def unmarked(raw: str) -> str:
    """Return a line with blanks in place of the marks of a quote."""
    end = len(_marks(raw))
    return " " * end + raw[end:]


def _marks(raw: str) -> str:
    """Return what is before the words of a line: blanks, and the marks of a quote, as if they were narrow."""
    marks = _MARKS.match(raw)
    return marks[0].replace("\uff1e", ">") if marks else ""


def _words(text: str) -> str:
    """Return the words of ``text`` between blanks, in small letters."""
    return f" {' '.join(TOKEN.findall(normal_form(text)))} "


def _said(raw: str) -> str:
    return " ".join(normal_form(unmarked(raw)).split())


def _heads(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str], int]]:
    """Yield the first lines of forms: index, what they say, and the index of their end, because they may be broken."""
    for at, raw in enumerate(lines):
        if "of" not in raw.casefold() or not f"{_said(raw)} ".startswith("orders of "):
            continue
        text = ""
        for index in range(at, min(at + _TALLEST, len(lines))):
            text = f"{text}{'' if text.endswith('-') else ' '}{_said(lines[index])}".strip()
            found = _FIRST.fullmatch(text)
            if found is not None:
                yield at, found, index
                break


def _head(raw: str) -> str:
    """Return the game and the turn on the first line of a form as a header of a sheet, in the same columns."""
    line = clean(unmarked(raw))
    found = _HEAD.match(line)
    return "" if found is None else f"{'game ':>{found.start('game')}}{line[found.start('game') : found.end()]}"


def _end_of_open(lines: Sequence[str], body: range) -> int:
    """Return the index of the last line of a form whose last line is missing: it ends above a blank line."""
    notes = [index for index in body if unmarked(lines[index]).lstrip(" ").startswith("#")]
    start = notes[-1] + 1 if notes else body.start
    blank = (index for index in range(start, body.stop) if not unmarked(lines[index]).strip())
    return next(blank, body.stop) - 1


def _filled(form: Form, lines: Sequence[str], body: range, is_order: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines in the ``body`` of ``form`` that the player filled in, not of a deeper quote."""
    note = ""  # the comment that a mail program may have broken, so far
    for index in body:
        text = unmarked(lines[index])
        line = clean(text).strip()
        if not line or _marks(lines[index]).count(form.mark) > form.depth:
            note = text.strip().lstrip("#;").strip()
            continue
        is_valid = is_order(line)
        first = line.split(maxsplit=1)[0]
        if note and len(lines[index - 1]) + len(first) >= _BROKEN:  # perhaps its rest
            whole = f"{note} {line}"[:MOST_COLUMNS]
            if not is_valid or (is_order(whole) and not is_order(note)):
                note = whole
                continue
        note = ""
        words = _words(line)  # of one alone, nobody can say that it is no attempt at an order
        if is_valid or " " not in words.strip() or words not in form.notes:
            yield index + 1, text


def _report_above(lines: Sequence[str], start: int, at: int, game: str) -> int:
    """Return the index of the first line of the report that has a form at ``at``: its heading names the game and the reader.

    Return ``at`` if there is no such heading: then the form came alone.
    """
    heading = re.compile(rf"\W*+(?:\d++[.)]\W*+)?{re.escape(game)} \S |.*, game {re.escape(game)}(?:, turn|$)")
    for index in range(at - 1, start - 1, -1):
        said = [" ".join(raw[:_WIDEST].replace("\\", "").casefold().split()) for raw in lines[index : index + _HEADING]]
        is_first = heading.match(said[0]) or (said[0].endswith(", game") and heading.match(" ".join(said[:2])))
        if is_first and _SEEN.search(" ".join(said[: at - index])):
            return index
    return at
