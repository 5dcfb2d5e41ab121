"""Explain the cost of an order as a sum: ``4 − highway W − mountains W (CR-P1, CR-P2, CR-P3)``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from adjudicator.core.event import Part
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import counted, signed

_MISLEADING: Final = re.compile(r"^\d|[+−()“”]|(^|\s)[-–—]")
"""Labels that need quotes, because they look like a part of the sum."""


def why_text(why: Sequence[Part], order: str = "", unit: Sequence[str] = ()) -> str:
    """Return the parts ``why`` as a sum with labels, followed by the ids of the rules, each once, in brackets.

    A bonus of 1 is ``− highway W``; every other amount is a number: ``+ 2 gravel C3``. The label of the first part is
    omitted if it only repeats the verb of ``order``. Amounts have the format of their ``unit``.
    """
    if not why:
        return ""
    first, *others = why
    terms = [_first_term(first, order, unit), *(_further_term(part, unit) for part in others)]
    rules = dict.fromkeys(printable(part.rule) for part in why if part.rule)
    return " ".join(terms) + (f" ({', '.join(rules)})" if rules else "")


def _first_term(part: Part, order: str, unit: Sequence[str]) -> str:
    label = "" if _repeats_verb(part.what, order) else _label(part.what)
    return f"{signed(part.amount, unit)} {label}".rstrip()


def _further_term(part: Part, unit: Sequence[str]) -> str:
    sign = "−" if part.amount < 0 else "+"
    label = _label(part.what)
    if part.amount == -1 and label:
        return f"{sign} {label}"
    return f"{sign} {counted(abs(part.amount), unit)} {label}".rstrip()


def _label(what: str) -> str:
    words = printable(what).strip()
    return f"“{words.replace('“', '‘').replace('”', '’')}”" if _MISLEADING.search(words) else words


def _repeats_verb(what: str, order: str) -> bool:
    said, ordered = what.casefold().split(), order.casefold().split()
    return bool(said and ordered) and said[0] == ordered[0]
