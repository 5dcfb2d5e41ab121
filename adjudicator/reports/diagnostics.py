"""Write the problems of orders, each with its line and carets under the fault."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from adjudicator.core.problem import Diagnostic
from adjudicator.core.values import Value, replace
from adjudicator.core.width import columns, display_width, quoted
from adjudicator.reports.sanitize import printable, visible_characters
from adjudicator.results import OrderProblem

_WINDOW: Final = 100
"""The default number of columns of a quoted line."""
_LEAST_WINDOW: Final = 20
_TAB: Final = 4
_INDENT: Final = "  "
_CUT: Final = "…"


def problems_text(problems: Iterable[OrderProblem], window: int | None = None) -> str:
    """Return ``problems`` for people, in their order, with an empty line between them; ``window`` as below."""
    return "\n\n".join(problem_text(problem, window) for problem in problems)


def problem_text(problem: OrderProblem, window: int | None = None) -> str:
    """Return one ``problem``: place, code and rule, the line with carets, the message, and suggestions.

    The line, with its seat before it, is cut to the number of columns in ``window``.
    """
    rule = f" ({printable(problem.rule)})" if problem.rule else ""
    lines = [f"{_place(problem)}{printable(problem.code)}{rule}"]
    lines.extend(_INDENT + line for line in excerpt(problem, window))
    lines.append(_INDENT + printable(problem.message))
    lines.extend(_INDENT + line for line in _suggestions(problem.suggestions))
    return "\n".join(lines)


def mistakes_text(problems: Iterable[OrderProblem], window: int | None = None) -> str:
    """Return ``problems`` for the player who wrote the orders: each begins with its line and the message."""
    return "\n\n".join("\n".join(_mistake_lines(problem, window)) for problem in problems)


def _mistake_lines(problem: OrderProblem, window: int | None) -> Iterator[str]:
    places = [f"line {problem.line}" if problem.line else "", printable(problem.source)]
    yield sentence(": ".join(part for part in (" of ".join(filter(None, places)), printable(problem.message)) if part))
    yield from (_INDENT + line for line in excerpt(replace(problem, seat=""), window))
    yield from (_INDENT + line for line in _suggestions(problem.suggestions))
    rule = f"rule {printable(problem.rule)} " if problem.rule else ""
    yield f"{_INDENT}{rule}[{printable(problem.code)}]"


def sentence(words: str) -> str:
    """Return ``words`` with a capital at the beginning."""
    return f"{words[:1].upper()}{words[1:]}"


def order_problem(diagnostic: Diagnostic) -> OrderProblem:
    """Return ``diagnostic`` for machines; the order itself is in ``text`` alone, which ends soon after the fault."""
    problem, text = diagnostic.problem, quoted(diagnostic.text, max(0, diagnostic.column - 1))
    return OrderProblem(
        code=problem.code,
        message=problem.message,
        rule=problem.rule,
        seat=diagnostic.seat,
        source=diagnostic.source,
        line=diagnostic.line,
        column=diagnostic.column,
        width=min(diagnostic.width, max(1, len(text) - diagnostic.column + 1)),
        suggestions=problem.suggestions,
        text=text,
    )


class _Shown(Value):
    """A line for display: the text for each of its characters, and the index of the first of them in the line."""

    pieces: tuple[str, ...]
    first: int

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def columns(self, column: int, width: int) -> tuple[int, int]:
        """Return the columns of the characters ``column`` (from 1) to ``column + width − 1``, as (from, to excluded)."""
        start = min(max(column - 1 - self.first, 0), len(self.pieces))
        end = min(max(start + width, start), len(self.pieces))
        # The caret for a combining mark goes under its letter.
        while 0 < start < len(self.pieces) and display_width(self.pieces[start]) == 0:
            start -= 1
        left = display_width("".join(self.pieces[:start]))
        return left, max(display_width("".join(self.pieces[:end])), left + 1)


def _place(problem: OrderProblem) -> str:
    numbers = [str(number) for number in (problem.line, problem.line and problem.column) if number]
    if problem.source:
        return ":".join([printable(problem.source), *numbers]) + ": "
    return "line " + ":".join(numbers) + ": " if numbers else ""


def excerpt(problem: OrderProblem, window: int | None = None) -> list[str]:
    """Return the faulty line and, if the place is known, a line of carets under it."""
    shown = _shown(problem.text)
    if not shown.text.strip():
        return [f"{printable(problem.seat)}:"] if problem.seat else []
    prefix = _seat_prefix(problem)
    room = _WINDOW if window is None else max(window - display_width(prefix), _LEAST_WINDOW)
    if problem.column < 1:
        return [prefix + _window(shown.text, 0, 0, room)[0]]
    text, start, end = _window(shown.text, *shown.columns(problem.column, problem.width), room)
    return [prefix + text, " " * (display_width(prefix) + start) + "^" * (end - start)]


def _seat_prefix(problem: OrderProblem) -> str:
    """Return ``seat: `` unless the line itself begins with the seat."""
    words = problem.text.strip().casefold()
    seat = problem.seat.casefold()
    if not seat or re.match(rf"{re.escape(seat)}\b", words):
        return ""
    return f"{printable(problem.seat)}: "


def _shown(text: str) -> _Shown:
    """Return ``text`` without surrounding blanks, with spaces for tabs, and with all other characters visible."""
    body = text.strip(" \t\r\n")
    first = text.index(body) if body else 0
    pieces: list[str] = []
    used = 0
    for character, piece in zip(body, visible_characters(body), strict=True):
        shown = " " * (_TAB - used % _TAB) if character == "\t" else piece
        pieces.append(shown)
        used += display_width(shown)
    return _Shown(tuple(pieces), first)


def _window(text: str, start: int, end: int, room: int) -> tuple[str, int, int]:
    """Return the part of ``text`` around the columns ``start`` to ``end``, and the place of these columns in it."""
    whole = display_width(text)
    if whole <= room:
        return text, start, end
    left = max(0, min(start - room // 3, whole - room))
    right = left + room
    # An ellipsis replaces one column at each cut end.
    is_cut_before, is_cut_after = left > 0, right < whole
    body = columns(text, left + is_cut_before, right - is_cut_after, " ")
    shown = _CUT * is_cut_before + body + _CUT * is_cut_after
    first = start - left
    return shown, first, max(min(end - left, room - is_cut_after), first + 1)


def _suggestions(suggestions: Sequence[str]) -> list[str]:
    """Return the suggestions: whole orders each on a line, single words side by side."""
    shown = [printable(suggestion) for suggestion in suggestions]
    if not shown:
        return []
    if any(" " in words for words in shown):
        return [("try: " if at == 0 else "     ") + words for at, words in enumerate(shown)]
    return [f"try: {', '.join(shown)}"]
