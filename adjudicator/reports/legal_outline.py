"""Divide many legal orders into sections by kind and piece, each with a summary, its cost and perhaps a matrix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from math import prod
from typing import Final

from adjudicator.core.ruleset import Unit
from adjudicator.core.values import Value
from adjudicator.reports.legal import MANY, choice_of, cost_text, kind_of, legal_cells, legal_groups
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import count_of
from adjudicator.results import LegalRow

_FEW: Final = 8
"""A kind of order with at most this many lines is not summarized."""
_MOST_COLUMNS: Final = 6
_PIECE: Final = 1
"""The word of an order that names the piece or the card."""

_DIGITS: Final = re.compile(r"([0-9]+)")

Cells = tuple[str, ...]


class Matrix(Value):
    """The costs of orders that differ in two words: ``headings`` of the columns, then a row for each place."""

    headings: Cells
    rows: tuple[Cells, ...]


class LegalSection(Value):
    """Orders of one kind, with costs in ``unit``: for example all ways to place one tile.

    ``lines`` are the orders with their costs and the reasons; orders that differ in one word share a line.
    """

    rows: tuple[LegalRow, ...]
    unit: Unit
    lines: tuple[tuple[str, str, str], ...]

    @property
    def order(self) -> str:
        """The words of all orders in one line, ``PLACE H3 at A1 | B1 | … | C2 (12) rot 0 | 90 | 180 | 270``."""
        if len(self._lengths) > 1:
            return printable(f"{self.rows[0].order.split()[0]} …")
        return printable(" ".join(map(choice_of, self._choices)))

    @property
    def cost(self) -> str:
        """The cost of the orders, from the least to the greatest."""
        known = [row for row in self.rows if row.min is not None]
        if not known:
            return cost_text(self.rows[0], self.unit)
        least, most = (choose(known, key=lambda row: row.min or 0) for choose in (min, max))
        costs = dict.fromkeys((cost_text(least, self.unit), cost_text(most, self.unit)))
        return " to ".join(costs) + (" or unknown" if len(known) < len(self.rows) else "")

    @property
    def is_complete(self) -> bool:
        """Whether ``order`` and ``cost`` say everything: all combinations of the words are legal, and cost the same."""
        if len(self._lengths) > 1 or any(len(words) > MANY for words in self._choices):
            return False
        return len(self.rows) == prod(map(len, self._choices)) and len({(row.min, row.why) for row in self.rows}) == 1

    @property
    def count(self) -> str:
        """The number of orders as text."""
        return count_of(len(self.rows), "order")

    @property
    def cheapest(self) -> tuple[str, str, str]:
        """The first order with the least cost, its cost, and why."""
        known = [row for row in self.rows if row.min is not None] or self.rows
        return legal_cells(legal_groups([min(known, key=lambda row: row.min or 0)]), self.unit)[0]

    @property
    def matrix(self) -> Matrix | None:
        """The orders as a matrix, if they differ in exactly two words, one of which has few values."""
        if len(self._lengths) > 1:
            return None
        varying = [at for at, words in enumerate(self._choices) if len(words) > 1]
        if len(varying) != 2:
            return None
        row_at, column_at = sorted(varying, key=lambda at: len(self._choices[at]), reverse=True)
        columns = self._choices[column_at]
        if len(columns) > _MOST_COLUMNS:
            return None
        costs = {(words[row_at], words[column_at]): cost_text(row, self.unit) for row, words in self._split}
        headings = (self._label(row_at), *(f"{self._label(column_at)} {word}".strip() for word in columns))
        rows = (tuple(costs.get((place, word), "") for word in columns) for place in self._choices[row_at])
        named = ((place, *cells) for place, cells in zip(self._choices[row_at], rows, strict=True))
        return Matrix(tuple(map(printable, headings)), tuple(tuple(map(printable, cells)) for cells in named))

    @property
    def _split(self) -> list[tuple[LegalRow, list[str]]]:
        return [(row, row.order.split()) for row in self.rows]

    @property
    def _lengths(self) -> set[int]:
        return {len(words) for _, words in self._split}

    @property
    def _choices(self) -> list[Cells]:
        """The different words at each place of the orders; numbers and names with numbers are sorted."""
        return [_sorted(dict.fromkeys(column)) for column in zip(*(words for _, words in self._split), strict=True)]

    def _label(self, at: int) -> str:
        """Return the word before the choice ``at``, if it is the same in all orders: ``rot``."""
        before = self._choices[at - 1]
        return before[0] if at > 1 and len(before) == 1 and _is_keyword(before[0]) else ""


def legal_sections(rows: Iterable[LegalRow], unit: Unit) -> tuple[LegalSection, ...]:
    """Return ``rows`` in sections, each kind of order in one; kinds with many orders are divided by piece and form."""
    kinds = (tuple(listed) for _, listed in groupby(rows, key=lambda row: kind_of(row.order)))
    return tuple(section for kind in kinds for section in _divided(legal_section(kind, unit)))


def legal_section(rows: tuple[LegalRow, ...], unit: Unit) -> LegalSection:
    """Return ``rows``, which are of one kind, as one section."""
    return LegalSection(rows, unit, tuple(legal_cells(legal_groups(rows), unit)))


def summary_cells(sections: Iterable[LegalSection]) -> tuple[Cells, ...]:
    """Return the cells of a short table (order, cost, why): each line of a small section, one line for a large one."""
    return tuple(cells for section in sections for cells in _summary(section))


def has_summaries(sections: Iterable[LegalSection]) -> bool:
    """Return whether the short table leaves out the costs of single orders."""
    return any(len(section.lines) > _FEW for section in sections)


def _summary(section: LegalSection) -> Sequence[Cells]:
    lines = section.lines
    if len(lines) <= _FEW:
        return lines
    words, least, _ = section.cheapest
    cheapest = f"{section.count}; the cheapest: {words}" if least != section.cost else section.count
    return [(section.order, section.cost, cheapest)]


def _divided(section: LegalSection) -> list[LegalSection]:
    if len(section.lines) <= _FEW:
        return [section]
    by_piece = _grouped(section.rows, has_piece=True)
    groups = by_piece if len(by_piece) <= _FEW else _grouped(section.rows, has_piece=False)
    return [legal_section(group, section.unit) for group in groups]


def _grouped(rows: Iterable[LegalRow], *, has_piece: bool) -> list[tuple[LegalRow, ...]]:
    """Return ``rows`` by the form of the order, and with ``has_piece`` also by its second word."""
    groups: dict[tuple[object, ...], list[LegalRow]] = {}
    for row in rows:
        words = row.order.split()
        form = tuple(word if _is_keyword(word) else "" for word in words[_PIECE + 1 :])
        groups.setdefault((*(words[_PIECE : _PIECE + 1] if has_piece else ()), form), []).append(row)
    return [tuple(group) for group in groups.values()]


def _sorted(words: Iterable[str]) -> Cells:
    listed = tuple(words)
    return tuple(sorted(listed, key=_in_order)) if all(_DIGITS.search(word) for word in listed) else listed


def _in_order(word: str) -> list[tuple[int, str]]:
    """Return a key for sorting by which ``9`` is before ``10``, and ``B9`` before ``B10``."""
    return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in _DIGITS.split(word)]


def _is_keyword(word: str) -> bool:
    """Return whether ``word`` belongs to the grammar: names of pieces and places have capitals or digits."""
    return word.isalpha() and word.islower()
