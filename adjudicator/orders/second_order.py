"""Split a line that holds several orders."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from adjudicator.core.order import FirstOf, When
from adjudicator.orders.build import OrderLine, WithdrawalLine
from adjudicator.orders.clean import MOST_COLUMNS, clean, comment_start
from adjudicator.orders.findings import Findings
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import LineReader
from adjudicator.orders.problems import head_of
from adjudicator.orders.remarks import Remarks

_LINKS: Final = ("and", "then", "also")
"""The words that may link two orders, beside signs."""
_MOST_PARTS: Final = 100
"""The most orders of a line that are read one by one."""
_OTHER_SEAT: Final = "write the orders of each seat on separate lines"

Part = tuple[str, str]
"""One order of a line, as it came and cleaned, with blanks for all that is before it: its columns remain."""


class SharedLines:
    """Splits the lines of one text; ``called`` has the names of the seats."""

    def __init__(self, reader: LineReader, remarks: Remarks, findings: Findings, called: Collection[str]) -> None:
        """Read with ``reader``, and report to ``findings`` what is ignored."""
        self._reader, self._remarks, self._findings, self._called = reader, remarks, findings, called

    def parts(self, number: int, raw: str, line: str) -> list[Part]:
        """Return the orders of a line that are separated by ``;``. A ``;`` before anything else begins a comment.

        The last part of a line with very many keeps its ``;`` as commas: no order of it is lost, it is a problem.
        """
        found: list[Part] = []
        while ";" in raw:
            end = comment_start(raw)
            if raw[end : end + 1] != ";" or not raw[:end].strip():
                break
            rest = " " * (end + 1) + raw[end + 1 :]
            after = clean(rest if len(found) < _MOST_PARTS else rest.replace(";", ","))
            head = head_of(after)
            if head is not None and head.has_colon and head.seat in self._called:
                self._findings.ignore(number, rest, _OTHER_SEAT)
                break
            if not self.is_order(after):
                break
            found.append((raw[:end], line))
            raw, line = rest, after
            if len(found) > _MOST_PARTS:
                break
        return [*found, (raw, line)]

    def is_order(self, line: str) -> bool:
        """Return whether ``line`` is an order without a seat, or begins like one."""
        parsed = self._reader.parse(line)
        if isinstance(parsed, OrderLine):
            return parsed.seat is None and not self._remarks.is_remark(line, parsed)
        if isinstance(parsed, WithdrawalLine):
            return parsed.seat is None
        return isinstance(parsed, LineProblem) and self._remarks.is_attempt(0, line.lstrip(" "))

    def split(self, raw: str, line: str) -> tuple[Part, Part] | None:
        """Return the first order of an unreadable ``line`` and the rest, which is an order, too; else ``None``."""
        at = second_order(self._reader, line)
        if at is None or not self.is_order(line[at[1] :]):
            return None
        end, start = at
        return (raw[:end], line[:end]), (" " * start + raw[start:], " " * start + line[start:])


def second_order(reader: LineReader, line: str) -> tuple[int, int] | None:
    """Return where the first of two orders on an unreadable ``line`` ends and where the second begins, else ``None``.

    Neither has OR or IF: it would not be clear which words belong together.
    """
    from adjudicator.orders.parse_failure import parse_failure

    if len(line) > MOST_COLUMNS:
        return None
    failure = parse_failure(reader.rules, line).second_order()
    if failure is None:
        return None
    begins = failure.start
    ends = _before_links(line, begins)
    first, second = reader.parse(line[:ends]), reader.parse(line[begins:])
    is_plain = all(isinstance(one, OrderLine) and _is_plain(one.expression) for one in (first, second))
    return (ends, begins) if is_plain and isinstance(second, OrderLine) and second.seat is None else None


def _before_links(line: str, end: int) -> int:
    """Return the index before the signs and words at the ``end`` of an order that link it to the next one."""
    bare = line[:end].rstrip(" ,")
    while len(bare) < end and (word := next((link for link in _LINKS if bare[-len(link) :].lower() == link), "")):
        shorter = bare[: -len(word)]
        if shorter and shorter[-1] not in " ,":
            break
        bare, end = shorter.rstrip(" ,"), len(shorter)
    return len(bare.rstrip(" ,&+/-"))


def _is_plain(expression: object) -> bool:
    return expression is not None and not isinstance(expression, (FirstOf, When))
