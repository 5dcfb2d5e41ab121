"""Write the problems of orders, each with its line and carets under the fault."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.values import Value, replace
from adjudicator.core.width import columns, display_width, quoted
from adjudicator.reports.text.sanitize import printable, visible_characters
from adjudicator.results import OrderProblem

_WINDOW: Final = 100
"""The default number of columns of a quoted line."""
_LEAST_WINDOW: Final = 20
_TAB: Final = 4
_INDENT: Final = "  "
_CUT: Final = "…"


def diagnostics_text(diagnostics: Iterable[Diagnostic], window: int | None = None) -> str:
    """Return ``diagnostics`` for people, in their order, with an empty line between them; ``window`` as below."""
    return "\n\n".join(diagnostic_text(diagnostic, window) for diagnostic in diagnostics)


def diagnostic_text(diagnostic: Diagnostic, window: int | None = None) -> str:
    """Return one ``diagnostic``: place, code and rule, the line with carets, the message, and suggestions.

    The line, with its seat before it, is cut to the number of columns in ``window``.
    """
    problem = diagnostic.problem
    rule = f" ({printable(problem.rule)})" if problem.rule else ""
    lines = [f"{_place(diagnostic)}{printable(problem.code)}{rule}"]
    lines.extend(_INDENT + line for line in excerpt(diagnostic, window))
    lines.append(_INDENT + printable(problem.message))
    lines.extend(_INDENT + line for line in _suggestions(problem.suggestions))
    return "\n".join(lines)


def mistakes_text(diagnostics: Iterable[Diagnostic], window: int | None = None) -> str:
    """Return ``diagnostics`` for the player who wrote the orders: each begins with its line and the message."""
    return "\n\n".join("\n".join(_mistake_lines(diagnostic, window)) for diagnostic in diagnostics)


def _mistake_lines(diagnostic: Diagnostic, window: int | None) -> Iterator[str]:
    problem = diagnostic.problem
    places = [f"line {diagnostic.line}" if diagnostic.line else "", printable(diagnostic.source)]
    yield sentence(": ".join(part for part in (" of ".join(filter(None, places)), printable(problem.message)) if part))
    yield from (_INDENT + line for line in excerpt(replace(diagnostic, seat=""), window))
    yield from (_INDENT + line for line in _suggestions(problem.suggestions))
    rule = f"rule {printable(problem.rule)} " if problem.rule else ""
    yield f"{_INDENT}{rule}[{printable(problem.code)}]"


def sentence(words: str) -> str:
    """Return ``words`` with a capital at the beginning."""
    return f"{words[:1].upper()}{words[1:]}"


def order_problem(diagnostic: Diagnostic) -> OrderProblem:
    """Return ``diagnostic`` for machines; the order itself is in ``text`` alone, which ends soon after the fault."""
    problem = diagnostic.problem
    return OrderProblem(
        code=problem.code,
        message=problem.message,
        rule=problem.rule,
        seat=diagnostic.seat,
        source=diagnostic.source,
        line=diagnostic.line,
        column=diagnostic.column,
        width=diagnostic.width,
        suggestions=problem.suggestions,
        text=quoted(diagnostic.text, max(0, diagnostic.column - 1)),
    )


def diagnostic(problem: OrderProblem) -> Diagnostic:
    """Return ``problem`` as a diagnostic again, without the order itself."""
    return Diagnostic(
        Problem(problem.code, problem.message, problem.rule, "", problem.suggestions),
        seat=problem.seat,
        line=problem.line,
        column=problem.column,
        width=problem.width,
        text=problem.text,
        source=problem.source,
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


def _place(diagnostic: Diagnostic) -> str:
    numbers = [str(number) for number in (diagnostic.line, diagnostic.line and diagnostic.column) if number]
    if diagnostic.source:
        return ":".join([printable(diagnostic.source), *numbers]) + ": "
    return "line " + ":".join(numbers) + ": " if numbers else ""


def excerpt(diagnostic: Diagnostic, window: int | None = None) -> list[str]:
    """Return the faulty line and, if the place is known, a line of carets under it."""
    shown = _shown(diagnostic.text)
    if not shown.text.strip():
        return [f"{printable(diagnostic.seat)}:"] if diagnostic.seat else []
    prefix = _seat_prefix(diagnostic)
    room = _WINDOW if window is None else max(window - display_width(prefix), _LEAST_WINDOW)
    if diagnostic.column < 1:
        return [prefix + _window(shown.text, 0, 0, room)[0]]
    text, start, end = _window(shown.text, *shown.columns(diagnostic.column, diagnostic.width), room)
    return [prefix + text, " " * (display_width(prefix) + start) + "^" * (end - start)]


def _seat_prefix(diagnostic: Diagnostic) -> str:
    """Return ``seat: `` unless the line itself begins with the seat."""
    words = diagnostic.text.strip().casefold()
    seat = diagnostic.seat.casefold()
    if not seat or re.match(rf"{re.escape(seat)}\b", words):
        return ""
    return f"{printable(diagnostic.seat)}: "


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
