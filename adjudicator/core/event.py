"""Events that every game shares, and the parts of a cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge

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
    """A seat's clock (or account) went from ``before`` to ``after``; ``why`` adds up to the difference.

    The one event the core knows: the log of minutes is made of it.
    """

    seat: Seat
    before: Annotated[int, Ge(0)]
    after: Annotated[int, Ge(0)]
    why: tuple[Part, ...]
    kind: Literal["spent"] = "spent"
