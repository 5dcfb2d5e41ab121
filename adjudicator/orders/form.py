"""Find the order forms in a text: `orders of GAME, turn N, as SEAT` begins one, and `END of orders` ends it.

A mail program may have quoted them, with any marks, and broken their lines. A form is looked for before anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from adjudicator.orders.submission import MOST_COLUMNS, TOKEN, clean, normal_form

LAST: Final = "end of orders"
"""The last line of a form, in small letters."""
_IN_REPORT: Final = "part of the report around the order form"
_MARKS: Final = re.compile("[\\s>|\uff1e\u200b-\u200f\u2060\ufeff]*")  # before a line that a mail program quotes
_FIRST: Final = re.compile(
    r"orders of ([a-z0-9][a-z0-9._-]{0,79}?)(?:,? turn ([0-9]{1,9}))?,? as ([a-z][a-z0-9_]{0,23})[ .:,]*", re.ASCII
)
_HEAD: Final = re.compile(r" *orders +of +(?P<game>[^\s,]+)(?:,? +turn +[0-9]+)?", re.IGNORECASE | re.ASCII)
_WORD: Final = re.compile(r"\s*\S*")
_TALLEST: Final = 4  # the most lines of a broken first line
_BROKEN: Final = 70
"""The fewest columns of a line that a mail program has broken, with the next word. The lines of a form are shorter."""
_EARLY: Final = 40  # the columns in which a line must end a word to show that its program breaks no line of its width
_SEEN: Final = re.compile(r"as .*sees it")
_HEADING: Final = 8  # the most lines from the name of the game in the heading of a report to its reader
_WIDEST: Final = 300  # the most characters of a line in such a heading


@dataclass(slots=True)
class Form:
    """A form in a text, by line numbers from 1; ``turn`` is ``None`` if its orders may wait.

    ``report`` is the first line of the report above it, if that is not marked as quoted (else ``first``). ``head`` has the
    game and the turn in their columns of the first line, as a header. ``depth`` says how deep the form is quoted, with how
    many of its ``mark``. ``orders`` are the lines that the player filled in, with blanks for the marks of a quote. It is
    not ``is_closed`` without last line.
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
    heads: list[tuple[int, int, re.Match[str]]] = []
    for at, raw in enumerate(lines):
        if "of" in raw.casefold() and f"{_said(raw)} ".startswith("orders of "):
            tries = ((end, _FIRST.fullmatch(" ".join(map(_said, lines[at : end + 1])))) for end in range(at, at + _TALLEST))
            heads += [(at, end, found) for end, found in tries if found][:1]
    forms: list[Form] = []
    notes = cache(lambda seat: _words(notes_for(seat)))
    for number, (at, end, found) in enumerate(heads, 1):
        below = heads[number][0] if number < len(heads) else len(lines)
        game, turn, seat = found.groups()
        line, marks = clean(unmarked(lines[at])), _marks(lines[at])
        head = _HEAD.match(line)
        mark = "|" if "|" in marks and ">" not in marks else ">"
        last = next((index for index in range(end + 1, below) if _said(lines[index]).rstrip(" .!") in (LAST, "end")), None)
        if last is None:  # it ends above a blank line below its comments
            comments = (index for index in range(below - 1, end, -1) if unmarked(lines[index]).lstrip(" ").startswith("#"))
            blank = (index for index in range(next(comments, end) + 1, below) if not unmarked(lines[index]).strip())
            until = next(blank, below) - 1
        form = Form(
            first=at + 1,
            last=(until if last is None else last) + 1,
            report=at + 1,
            game=head["game"] if head else game,
            turn=None if turn is None else int(turn),
            seat=seat,
            head=f"{'game ':>{head.start('game')}}{line[head.start('game') : head.end()]}" if head else "",
            mark=mark,
            depth=marks.count(mark),
            is_closed=last is not None,
            orders={},
        )
        if not form.depth:
            form.report = _report_above(lines, forms[-1].last if forms else 0, at, game) + 1
        form.orders.update(_filled(form, lines, range(end + 1, form.last - form.is_closed), notes(seat), is_order))
        forms.append(form)
    return tuple(forms)


def held_lines(forms: Sequence[Form], lines: Sequence[str], is_order: Callable[[str], bool]) -> Mapping[int, str]:
    """Return the numbers of the ``lines`` of ``forms`` and of the report around each, with what they are.

    Lines with the usual marks of a quote are none of them. The first and last lines of forms, blank lines and comments in
    them are nothing; lines that the player filled in are read later.
    """
    held: dict[int, str] = {}
    for form in forms:
        held.update(dict.fromkeys(range(form.report, form.first), _IN_REPORT))
    for mark in {form.mark for form in forms if form.depth}:
        marked = {number: raw.rstrip() for number, raw in enumerate(lines, 1) if mark in _marks(raw)}
        held.update(dict.fromkeys((number for number in marked if normal_form(lines[number - 1])[:1] != ">"), _IN_REPORT))
        # A mail program may have broken lines and marked only the first part of each. A line that reads like an order is
        # the rest of such a line only if others are.
        early = (len(raw) for raw in marked.values() if len(_WORD.sub("", unmarked(raw), 1)) > max(0, len(raw) - _EARLY))
        width, above = max(early, default=MOST_COLUMNS), ""
        rests = []
        for number, raw in enumerate(lines, 1):
            is_rest = number not in marked and above and raw.strip() and len(above) + len(raw.split(maxsplit=1)[0]) >= width
            above = raw if number in marked or is_rest else ""
            rests += [number] if is_rest else []
        if not all(is_order(clean(lines[number - 1])) for number in rests):
            held.update(dict.fromkeys(rests, _IN_REPORT))
    for form in forms:
        for number in range(form.first, form.last + 1):
            is_read = number in form.orders or number in (form.first, form.last)
            held[number] = "" if is_read or lines[number - 1].lstrip()[:1] in ("", "#") else "part of an order form"
    return held


def unmarked(raw: str) -> str:
    """Return a line with blanks in place of the marks of a quote."""
    end = len(_marks(raw))
    return " " * end + raw[end:]


def _marks(raw: str) -> str:
    """Return what is before the words of a line: blanks, and the marks of a quote, as if they were narrow."""
    marks = _MARKS.match(raw)
    return marks[0].replace("\uff1e", ">") if marks else ""


def _words(text: str) -> str:
    return f" {' '.join(TOKEN.findall(normal_form(text)))} "


def _said(raw: str) -> str:
    return " ".join(normal_form(unmarked(raw)).split())


def _filled(
    form: Form, lines: Sequence[str], body: range, notes: str, is_order: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines in the ``body`` of ``form`` that the player filled in, not of a deeper quote."""
    note = ""  # the comment that a mail program may have broken, so far
    for index in body:
        text = unmarked(lines[index])
        line = clean(text).strip()
        if not line or _marks(lines[index]).count(form.mark) > form.depth:
            note = text.strip().lstrip("#;").strip()
            continue
        is_valid = is_order(line)
        if note and len(lines[index - 1]) + len(line.split(maxsplit=1)[0]) >= _BROKEN:  # perhaps its rest
            whole = f"{note} {line}"[:MOST_COLUMNS]
            if not is_valid or (is_order(whole) and not is_order(note)):
                note = whole
                continue
        note = ""
        words = _words(line)  # of one alone, nobody can say that it is no attempt at an order
        if is_valid or " " not in words.strip() or words not in notes:
            yield index + 1, text


def _report_above(lines: Sequence[str], start: int, at: int, game: str) -> int:
    """Return the index of the first line of the report that has a form at ``at``: its heading names the game and the reader.

    It is ``at`` if the form came alone.
    """
    heading = re.compile(rf"\W*+(?:\d++[.)]\W*+)?{re.escape(game)} \S |.*(?:,| ·) game {re.escape(game)}(?:, turn| ·|$)")
    for index in range(at - 1, start - 1, -1):
        said = [" ".join(raw[:_WIDEST].replace("\\", "").casefold().split()) for raw in lines[index : index + _HEADING]]
        is_first = heading.match(said[0]) or (said[0].endswith(", game") and heading.match(" ".join(said[:2])))
        if is_first and _SEEN.search(" ".join(said[: at - index])):
            return index
    return at
