"""Events that every game shares, and the parts of a cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from adjudicator.core.ids import Name, Seat


@dataclass(frozen=True, slots=True)
class Part:
    """One part of what an order cost: ``amount`` in the ruleset's unit (below 0 for a bonus), for ``what``, by ``rule``."""

    amount: int
    what: Name
    rule: Name


def total(why: tuple[Part, ...]) -> int:
    """Return the sum of the amounts of ``why``, in the ruleset's unit."""
    return sum(part.amount for part in why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """A seat's clock or account went from ``before`` to ``after``; ``why`` adds up to the difference.

    The one event the core knows: the log of minutes is made of it. Points may go below 0.
    """

    seat: Seat
    before: int
    after: int
    why: tuple[Part, ...]
    kind: Literal["spent"] = "spent"
