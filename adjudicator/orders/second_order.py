"""Two orders on one line: where the first ends and the second begins."""

from __future__ import annotations

import re
from typing import Final

from adjudicator.core.order import FirstOf, When
from adjudicator.orders.build import OrderLine
from adjudicator.orders.clean import MOST_COLUMNS
from adjudicator.orders.parser import LineReader

_LINKS: Final = re.compile(r"[ ,&+/-]*(?:(?<![^ ,])(?:and|then|also)[ ,]+)*\Z", re.IGNORECASE)
"""What may stand between the two."""


def second_order(reader: LineReader, line: str) -> tuple[int, int] | None:
    """Return where the first of two orders on an unreadable ``line`` ends and where the second begins, else ``None``.

    Both are plain: with OR or IF it would not be clear what belongs together.
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
    first, second = reader.skim(line[:ends]), reader.skim(line[begins:])
    is_plain = all(isinstance(one, OrderLine) and _is_plain(one.expression) for one in (first, second))
    return (ends, begins) if is_plain and isinstance(second, OrderLine) and second.seat is None else None


def _is_plain(expression: object) -> bool:
    return expression is not None and not isinstance(expression, (FirstOf, When))
