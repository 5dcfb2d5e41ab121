"""Write the problems of orders, each with its line and carets under the fault."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from adjudicator.core.problem import Diagnostic
from adjudicator.core.values import replace
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
    place = [str(number) for number in (problem.line, problem.line and problem.column) if number]
    if problem.source:
        place = [printable(problem.source), *place]
    elif place:
        place[0] = f"line {place[0]}"
    rule = f" ({printable(problem.rule)})" if problem.rule else ""
    below = (*excerpt(problem, window), printable(problem.message), *_suggestions(problem))
    head = f"{':'.join(place)}: " if place else ""
    return "\n".join([f"{head}{printable(problem.code)}{rule}", *(_INDENT + line for line in below)])


def mistakes_text(problems: Iterable[OrderProblem], window: int | None = None) -> str:
    """Return ``problems`` for the player who wrote the orders: each begins with its line and the message."""
    blocks = []
    for problem in problems:
        place = " of ".join(filter(None, (f"line {problem.line}" if problem.line else "", printable(problem.source))))
        rule = f"rule {printable(problem.rule)} " if problem.rule else ""
        below = (*excerpt(replace(problem, seat=""), window), *_suggestions(problem), f"{rule}[{printable(problem.code)}]")
        first = sentence(": ".join(filter(None, (place, printable(problem.message)))))
        blocks.append("\n".join([first, *(_INDENT + line for line in below)]))
    return "\n\n".join(blocks)


def _suggestions(problem: OrderProblem) -> list[str]:
    """Return the suggestions: whole orders each on a line, single words side by side."""
    shown = [printable(suggestion) for suggestion in problem.suggestions]
    if any(" " in words for words in shown):
        return [("try: " if at == 0 else "     ") + words for at, words in enumerate(shown)]
    return [f"try: {', '.join(shown)}"] if shown else []


def excerpt(problem: OrderProblem, window: int | None = None) -> list[str]:
    """Return the faulty line and, if the place is known, a line of carets under it.

    The line has spaces for tabs and visible signs for invisible characters, and its seat before it unless it begins with
    it. A long line is cut around the fault to ``window`` columns.
    """
    body, seat = problem.text.strip(" \t\r\n"), problem.seat.casefold()
    pieces, used = list[str](), 0
    if body.isascii() and body.isprintable():
        pieces = [*body]  # most lines, and a hundred long ones take long otherwise
    else:
        for character, piece in zip(body, visible_characters(body), strict=True):
            pieces.append(" " * (_TAB - used % _TAB) if character == "\t" else piece)
            used += display_width(pieces[-1])
    text = "".join(pieces)
    if not text.strip():
        return [f"{printable(problem.seat)}:"] if seat else []
    has_prefix = seat and not re.match(rf"{re.escape(seat)}\b", problem.text.strip().casefold())
    prefix = f"{printable(problem.seat)}: " if has_prefix else ""
    start = min(max(problem.column - 1 - problem.text.index(body), 0), len(pieces))
    end = min(max(start + problem.width, start), len(pieces))
    while 0 < start < len(pieces) and display_width(pieces[start]) == 0:  # the caret for a mark goes under its letter
        start -= 1
    left = display_width("".join(pieces[:start]))
    right = max(display_width("".join(pieces[:end])), left + 1)
    room = _WINDOW if window is None else max(window - display_width(prefix), _LEAST_WINDOW)
    whole = display_width(text)
    if whole > room:  # an ellipsis replaces one column at each cut end
        first = max(0, min(left - room // 3, whole - room))
        before, after = first > 0, first + room < whole
        text = _CUT * before + columns(text, first + before, first + room - after, " ") + _CUT * after
        left, right = left - first, max(min(right - first, room - after), left - first + 1)
    return [prefix + text, *([" " * (display_width(prefix) + left) + "^" * (right - left)] if problem.column >= 1 else [])]


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
