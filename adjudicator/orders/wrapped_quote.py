"""Recognize the end of a quoted line that a mail program broke: it has no quotation mark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from adjudicator.orders.build import OrderLine, WithdrawalLine
from adjudicator.orders.clean import TOKEN, clean, normal_form
from adjudicator.orders.vocabulary import Vocabulary

if TYPE_CHECKING:
    from adjudicator.orders.parser import LineReader

_NARROWEST: Final = 60
"""The fewest characters of a line that a mail program breaks."""


def is_rest_of_quote(
    reader: LineReader, vocabulary: Callable[[], Vocabulary], lines: Sequence[str], number: int, parsed: Any
) -> bool:
    """Return whether line ``number`` of ``lines`` continues the quoted line above it; ``parsed`` is the line by itself.

    It does if the two are an order and the quoted line alone is not; or if it is directly between quoted lines and has no
    word of an order.
    """
    above = lines[number - 2].lstrip(" ") if number > 1 else ""
    if not above.startswith(">") or len(above) < _NARROWEST:
        return False
    line, quoted = clean(lines[number - 1]).strip(), clean(above.lstrip("> "))
    whole = reader.parse(f"{quoted} {line}")
    if isinstance(whole, OrderLine) and whole.expression is not None:
        return not isinstance(parsed, OrderLine) or not isinstance(reader.parse(quoted), OrderLine)
    is_quoted_on = "".join(lines[number : number + 1]).lstrip(" ").startswith(">")
    if isinstance(parsed, (OrderLine, WithdrawalLine)) or not is_quoted_on:
        return False
    return not vocabulary().is_like_order(TOKEN.findall(normal_form(line)))
