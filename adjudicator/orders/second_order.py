"""Split a line that holds several orders."""

from __future__ import annotations

import re
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

_LINKS: Final = re.compile(r"[ ,&+/-]*(?:(?<![^ ,])(?:and|then|also)[ ,]+)*\Z", re.IGNORECASE)
"""The signs and words that may link two orders."""
_OTHER_SEAT: Final = "write the orders of each seat on separate lines"

Part = tuple[str, str]
"""One order of a line, as it came and cleaned, with blanks for all that is before it: its columns remain."""


class SharedLines:
    """Splits the lines of one text; ``called`` has the names of the seats."""

    def __init__(self, reader: LineReader, remarks: Remarks, findings: Findings, called: Collection[str]) -> None:
        """Read with ``reader``, and report to ``findings`` what is ignored."""
        self._reader, self._remarks, self._findings, self._called = reader, remarks, findings, called

    def parts(self, number: int, raw: str, line: str) -> list[Part]:
        """Return the orders of a line that are separated by ``;``. A ``;`` before anything else begins a comment."""
        if ";" not in raw:
            return [(raw, line)]
        end = comment_start(raw)
        if raw[end] == ";" and raw[:end].strip():
            rest = " " * (end + 1) + raw[end + 1 :]
            after = clean(rest)
            head = head_of(after)
            if head is not None and head.has_colon and head.seat in self._called:
                self._findings.ignore(number, rest, _OTHER_SEAT)
            elif self.is_order(after):
                return [(raw[:end], line), *self.parts(number, rest, after)]
        return [(raw, line)]

    def is_order(self, line: str) -> bool:
        """Return whether ``line`` is an order without a seat, or begins like one."""
        parsed = self._reader.parse(line)
        if isinstance(parsed, OrderLine):
            return parsed.seat is None and not self._remarks.is_remark(line, parsed)
        if isinstance(parsed, WithdrawalLine):
            return parsed.seat is None
        return isinstance(parsed, LineProblem) and self._remarks.is_attempt(0, line)

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
    links = _LINKS.search(line, 0, begins)
    ends = links.start() if links else begins
    first, second = reader.parse(line[:ends]), reader.parse(line[begins:])
    is_plain = all(isinstance(one, OrderLine) and _is_plain(one.expression) for one in (first, second))
    return (ends, begins) if is_plain and isinstance(second, OrderLine) and second.seat is None else None


def _is_plain(expression: object) -> bool:
    return expression is not None and not isinstance(expression, (FirstOf, When))
