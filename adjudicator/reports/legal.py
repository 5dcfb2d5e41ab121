"""List the legal orders with their costs, in groups of orders that differ in few words; write the form with one of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from math import prod
from typing import Final

from adjudicator.core.event import Part
from adjudicator.core.ruleset import Unit
from adjudicator.core.values import Seat, Value
from adjudicator.reports.heading import question
from adjudicator.reports.texts import folded, printable, signed, table_lines, why_text
from adjudicator.results import Decision, LegalRow

_OR: Final = " | "
_ANY: Final = "…"
"""Replaces the word in which the orders of a line differ in the parts of their cost."""
_UNKNOWN: Final = "–"
_MANY: Final = 6
"""This many words at one place are abbreviated."""
_FEW: Final = 8
"""A kind of order with at most this many lines is not divided, and listed in full."""
_MOST_COLUMNS: Final = 6
_DIGITS: Final = re.compile(r"([0-9]+)")
_WIDTH: Final = 56
"""Columns of a form: a mail program that answers puts something before each line, and breaks those that get too long."""
_HELP: Final = ("Write your orders below, one on a line,", "or remove the # before one of these:")

Cells = tuple[str, ...]


class Group(Value, kw_only=True):
    """Orders of one kind, for example all ways to place one tile; texts are safe to show, costs in the game's unit.

    ``order`` has the words of all of them, ``PLACE H3 at A1 | B1 | … | C2 (12) rot 0 | 90 | 180 | 270``, ``count`` is their
    number, and ``cost`` goes from the least to the greatest. ``cheapest`` is the first one with the least cost, ``why`` says
    why it costs that. ``rows`` are the cells of lines: order, cost, why; orders that differ in one word share a line. Orders
    that differ in two words also have a ``matrix``: headings, then a row for each word at the first place.
    """

    order: str
    count: int
    cost: str
    cheapest: str
    why: str
    rows: tuple[Cells, ...]
    matrix: tuple[Cells, ...] = ()

    @property
    def is_short(self) -> bool:
        """Whether all lines are listed even where there is little room."""
        return len(self.rows) <= _FEW


def groups_of(rows: Iterable[LegalRow], unit: Unit) -> tuple[Group, ...]:
    """Return ``rows`` in groups, each kind of order in one; kinds with many lines are divided by piece and keywords."""
    groups = []
    for _, kind in groupby(rows, key=lambda row: kind_of(row.order)):
        listed = tuple(kind)
        group = _group(listed, unit)
        if group.is_short:
            groups.append(group)
            continue
        pieces, forms = dict[Cells, list[LegalRow]](), dict[Cells, list[LegalRow]]()
        for row in listed:
            words = row.order.split()
            form = tuple(word if _is_keyword(word) else "" for word in words[2:])
            pieces.setdefault((*words[1:2], *form), []).append(row)
            forms.setdefault(form, []).append(row)
        groups += [_group(part, unit) for part in (pieces if len(pieces) <= _FEW else forms).values()]
    return tuple(groups)


def _group(rows: Sequence[LegalRow], unit: Unit) -> Group:
    split = [row.order.split() for row in rows]
    is_even = len(set(map(len, split))) == 1
    places = [_in_order(dict.fromkeys(words)) for words in zip(*split, strict=True)] if is_even else []
    known = [row.min for row in rows if row.min is not None]
    costs = dict.fromkeys(signed(cost, unit) for cost in (min(known), max(known))) if known else (_UNKNOWN,)
    best = min(rows, key=lambda row: (row.min is None, row.min or 0))
    order = f"{split[0][0]} {_ANY}"
    if is_even:  # of many words at a place only the first two and the last, with their number
        order = " ".join(
            _OR.join(words) if len(words) <= _MANY else f"{_OR.join((*words[:2], _ANY, words[-1]))} ({len(words)})"
            for words in places
        )
    lines = tuple(_cells(alike, unit) for alike in _lines(rows))
    is_all = prod(map(len, places)) == len(rows) and len({(row.min, row.why) for row in rows}) == 1
    if is_all and is_even and max(map(len, places)) <= _MANY:  # the words and the cost say everything
        lines = ((order, *lines[0][1:]),)
    varying = sorted((at for at, words in enumerate(places) if len(words) > 1), key=lambda at: -len(places[at]))
    matrix: list[Cells] = []
    if len(lines) > 1 and len(varying) == 2 and len(places[varying[1]]) <= _MOST_COLUMNS:
        (down, across), costed = varying, {}
        for row, words in zip(rows, split, strict=True):
            costed[words[down], words[across]] = _cost(row, unit)
        keys = ["".join(places[at - 1]) if len(places[at - 1]) == 1 and at > 1 else "" for at in varying]
        keys = [key if _is_keyword(key) else "" for key in keys]
        matrix = [(keys[0], *(f"{keys[1]} {word}".strip() for word in places[across]))]
        matrix += [(word, *(costed.get((word, other), "") for other in places[across])) for word in places[down]]
    return Group(
        order=printable(order) if len(lines) > 1 else lines[0][0],
        count=len(rows),
        cost=" to ".join(costs) + (" or unknown" if 0 < len(known) < len(rows) else ""),
        cheapest=printable(best.order),
        why=_cells([best], unit)[2],
        rows=lines,
        matrix=tuple(tuple(map(printable, cells)) for cells in matrix),
    )


def _lines(rows: Sequence[LegalRow]) -> list[list[LegalRow]]:
    """Return ``rows`` in their order; those of one cost that differ in one word only are together, in as few as possible."""
    found, by_length = list[list[LegalRow]](), dict[int, list[tuple[LegalRow, list[str]]]]()
    for row in rows:
        words = row.order.split()
        by_length.setdefault(len(words), []).append((row, words))
    for length, listed in by_length.items():
        ways = list[list[list[LegalRow]]]()
        for at in range(length - 1, 0, -1):
            groups: dict[object, list[LegalRow]] = {}
            for row, words in listed:
                parts = sorted((part.amount, part.rule or "", _without(part.what, words[at])) for part in row.why)
                groups.setdefault((*words[:at], *words[at + 1 :], row.min, tuple(parts)), []).append(row)
            ways.append([*groups.values()])
        fewest: list[list[LegalRow]] = min(ways, key=len, default=[[row] for row, _ in listed])
        found += fewest
    first = {id(row): at for at, row in enumerate(rows)}
    return sorted(found, key=lambda line: first[id(line[0])])


def _cells(alike: Sequence[LegalRow], unit: Unit) -> tuple[str, str, str]:
    """Return the order, the cost and the reason of the line of ``alike``, which differ in one word at most."""
    first, split, order, why = alike[0], [row.order.split() for row in alike], alike[0].order, alike[0].why
    for at, words in enumerate(zip(*split, strict=True)):
        if len(set(words)) > 1:
            why = tuple(Part(part.amount, _without(part.what, words[0]), part.rule) for part in why)
            is_row = len(words) >= _MANY and all(map(str.isdecimal, words))
            if is_row and len({int(there) - int(here) for here, there in pairwise(words)}) == 1:
                words = (*words[:2], _ANY, words[-1])
            order = " ".join((*split[0][:at], _OR.join(words), *split[0][at + 1 :]))
    if len(why) > 1 and sum(part.amount for part in why) == 0 < why[-1].amount:
        why = why[:-1]  # it only lifts a sum from below 0 to 0: the cost next to it says the same
    return printable(order), _cost(first, unit), why_text(why, first.order, unit)


def _without(what: str, word: str) -> str:
    """Return a part of a cost with ``…`` in place of the ``word`` in which orders differ."""
    if word not in what:  # most parts; splitting all of them takes most of the time of a long list
        return what
    return " ".join(_ANY if said == word else said for said in what.split(" "))


def _cost(row: LegalRow, unit: Unit) -> str:
    return _UNKNOWN if row.min is None else signed(row.min, unit)


def _in_order(words: Iterable[str]) -> Cells:
    """Return ``words`` sorted if all have numbers: ``9`` before ``10``, and ``B9`` before ``B10``."""
    listed = tuple(words)
    if not all(map(_DIGITS.search, listed)):
        return listed
    pieces = {word: [(int(one), "") if one.isdecimal() else (0, one) for one in _DIGITS.split(word)] for word in listed}
    return tuple(sorted(listed, key=pieces.__getitem__))


def _is_keyword(word: str) -> bool:
    """Return whether ``word`` belongs to the grammar: names of pieces and places have capitals or digits."""
    return word.isalpha() and word.islower()


def kind_of(order: str) -> str:
    """Return the kind of an order: its first word, in small letters."""
    return order.split(maxsplit=1)[0].casefold()


def legal_text(rows: Iterable[LegalRow], unit: Unit, *, limit: int | None = None, width: int | None = None) -> str:
    """Return ``rows`` as a table of ``width`` columns, the cost under the short name of ``unit`` (a ruleset's).

    With a ``limit`` the table has only so many rows, and then the number of the other orders.
    """
    lines = [line for _, kind in groupby(rows, key=lambda row: kind_of(row.order)) for line in _lines(tuple(kind))]
    if not lines:
        return "no legal order"
    cells = [_cells(line, unit) for line in lines[:limit]]
    hidden = sum(map(len, lines[len(cells) :]))
    table = table_lines(("order", printable(unit[0]), "why"), cells, width, right=(1,))
    return "\n".join([*table, *([f"… {hidden} more"] if hidden else [])])


def choices_named(choices: Iterable[tuple[str, str]], orders: Iterable[str]) -> list[tuple[str, str]]:
    """Return those of ``choices``, cards with what they do, that any of ``orders`` names."""
    words = " \n ".join(orders).replace(",", " ")
    return [(name, what) for name, what in choices if f" {name} " in f"{words} "]


def order_form(
    game: str,
    turn: int | None,
    seat: Seat,
    asked: Iterable[Decision],
    legal: Sequence[LegalRow],
    choices: Iterable[tuple[str, str]] = (),
) -> str:
    """Return the form that ``seat`` fills in and sends back, and that the program reads unchanged.

    The first line names game, ``turn`` (``None``: the orders may wait) and seat; by it and the last one, the program finds
    the form in any mail. Below the questions that are ``asked`` is one order of each kind among those that are ``legal``,
    behind ``#``, so that nothing is ordered until the player takes a ``#`` away or writes something. Below them the form
    explains those of the ``choices`` that they name.
    """
    first = dict[str, str]()
    for row in legal:
        if len(row.order) <= _WIDTH:
            first.setdefault(kind_of(row.order), row.order)
    named = (f"{name}: {what}" for name, what in choices_named(choices, first.values()))

    def comments(lines: Iterable[str]) -> list[str]:
        """Return ``lines`` after ``#``, each short enough that no mail program breaks it."""
        return [f"  # {piece}" for line in lines for piece in folded(printable(line), _WIDTH - 4, 2)]

    head = f"orders of {game}, {'' if turn is None else f'turn {turn}, '}as {seat}"
    examples = (f"  # {printable(order)}" for order in first.values())
    questions = comments([*map(question, asked), *(_HELP if first else ())])
    return "\n".join([head, *questions, *examples, *comments(named), "END of orders", ""])


def form_notes(asked: Iterable[Decision], choices: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines that a form may have in addition to orders."""
    return [*map(question, asked), *_HELP, *(f"{name}: {what}" for name, what in choices)]
