"""List the legal orders with their costs; for people, orders that differ in one word share a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import Final

from adjudicator.core.event import Part
from adjudicator.core.ruleset import Unit
from adjudicator.core.values import Value
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import signed, table_lines
from adjudicator.reports.why import why_text
from adjudicator.results import LegalRow

_OR: Final = " | "
MANY: Final = 6
"""This many numbers at equal steps are abbreviated."""
_ANY: Final = "…"
"""Replaces the word in which the orders of a line differ in the parts of their cost."""


class LegalGroup(Value):
    """Orders with the same cost that differ in one word only: ``order`` lists all these words, ``count`` is their number."""

    order: str
    row: LegalRow
    count: int = 1


def legal_groups(rows: Iterable[LegalRow]) -> tuple[LegalGroup, ...]:
    """Return ``rows`` in their order; rows that fit on one line are one group."""
    groups: list[LegalGroup] = []
    for _, kind in groupby(rows, key=lambda row: kind_of(row.order)):
        listed = list(kind)
        places = {row: at for at, row in enumerate(map(id, listed))}
        found: list[list[LegalRow]] = []
        for length in dict.fromkeys(len(row.order.split()) for row in listed):
            found.extend(_alike([row for row in listed if len(row.order.split()) == length], length))
        groups.extend(map(_group, sorted(found, key=lambda group: places[id(group[0])])))
    return tuple(groups)


def legal_text(rows: Iterable[LegalRow], unit: Unit, *, limit: int | None = None, width: int | None = None) -> str:
    """Return ``rows`` as a table of ``width`` columns, the cost under the short name of ``unit`` (a ruleset's).

    With a ``limit`` the table has only so many rows, and then the number of the other orders.
    """
    groups = legal_groups(rows)
    if not groups:
        return "no legal order"
    shown = groups[:limit]
    lines = table_lines(("order", printable(unit[0]), "why"), legal_cells(shown, unit), width, right=(1,))
    hidden = sum(group.count for group in groups[len(shown) :])
    return "\n".join([*lines, *([f"… {hidden} more"] if hidden else [])])


def legal_cells(groups: Iterable[LegalGroup], unit: Unit) -> list[tuple[str, str, str]]:
    """Return the cells of each of ``groups``: the order, its cost in ``unit``, and why."""
    return [
        (printable(group.order), cost_text(group.row, unit), why_text(_without_limit(group.row.why), group.row.order, unit))
        for group in groups
    ]


def choices_named(choices: Iterable[tuple[str, str]], orders: Iterable[str]) -> list[tuple[str, str]]:
    """Return those of ``choices``, cards with what they do, that any of ``orders`` names."""
    words = " \n ".join(orders).replace(",", " ")
    return [(name, what) for name, what in choices if f" {name} " in f"{words} "]


def kind_of(order: str) -> str:
    """Return the kind of an order: its first word, in small letters."""
    return order.split(maxsplit=1)[0].casefold()


def _alike(rows: Sequence[LegalRow], length: int) -> list[list[LegalRow]]:
    """Return ``rows``, each with ``length`` words, in as few groups as possible; each differs in one word only."""
    choices = [_grouped(rows, at) for at in range(length - 1, 0, -1)]
    return min(choices, key=len, default=[[row] for row in rows])


def _grouped(rows: Sequence[LegalRow], at: int) -> list[list[LegalRow]]:
    groups: dict[object, list[LegalRow]] = {}
    for row in rows:
        words = row.order.split()
        parts = sorted((part.amount, part.rule or "", _without(part.what, words[at])) for part in row.why)
        groups.setdefault((*words[:at], *words[at + 1 :], row.min, tuple(parts)), []).append(row)
    return list(groups.values())


def _group(rows: Sequence[LegalRow]) -> LegalGroup:
    first = rows[0]
    if len(rows) == 1:
        return LegalGroup(first.order, first)
    split = [row.order.split() for row in rows]
    at = next(place for place, words in enumerate(zip(*split, strict=True)) if len(set(words)) > 1)
    word, together = split[0][at], _together([words[at] for words in split])
    why = tuple(type(part)(part.amount, _without(part.what, word), part.rule) for part in first.why)
    order = " ".join((*split[0][:at], together, *split[0][at + 1 :]))
    return LegalGroup(order, LegalRow(first.order, first.min, why), len(rows))


def _together(words: Sequence[str]) -> str:
    """Return the ``words`` in which orders differ; of many numbers at equal steps the first two and the last."""
    if len(words) >= MANY and all(map(str.isdecimal, words)):
        numbers = [int(word) for word in words]
        if len({there - here for here, there in pairwise(numbers)}) == 1:
            words = (*words[:2], _ANY, words[-1])
    return _OR.join(words)


def _without(what: str, word: str) -> str:
    """Return a part of a cost with ``…`` in place of the ``word`` in which orders differ."""
    if word not in what:  # most parts; splitting all of them takes most of the time of a long list
        return what
    return " ".join(_ANY if said == word else said for said in what.split(" "))


def _without_limit(why: Sequence[Part]) -> Sequence[Part]:
    """Return ``why`` without a last part that only lifts a sum from below 0 to 0: the cost next to it says the same."""
    return why[:-1] if why and sum(part.amount for part in why) == 0 < why[-1].amount and len(why) > 1 else why


def choice_of(words: Sequence[str]) -> str:
    """Return different ``words`` at one place of an order; of many only the first two and the last, with their number."""
    if len(words) <= MANY:
        return _OR.join(words)
    return f"{_OR.join((*words[:2], _ANY, words[-1]))} ({len(words)})"


def cost_text(row: LegalRow, unit: Unit) -> str:
    """Return the cost of ``row`` in ``unit``, a dash if it is unknown."""
    return "–" if row.min is None else signed(row.min, unit)
