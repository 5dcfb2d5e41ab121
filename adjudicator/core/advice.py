"""What a game tells simulated players: which orders are worth a look, and how good a position is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from adjudicator.core.at import View

T = TypeVar("T")


class Luck(Protocol):
    """The source of a player's random choices: a ``random.Random`` with a seed."""

    def choice(self, among: Sequence[T], /) -> T:
        """Return any of ``among``."""

    def random(self) -> float:
        """Return a number from 0 to below 1."""

    def sample(self, among: Sequence[T], /, k: int) -> list[T]:
        """Return ``k`` of ``among``, in any order."""


class Advice(NamedTuple):
    """What a game tells a simulated player about one decision.

    ``orders`` are those worth a look, the best first; ``None`` means all legal ones. ``ahead`` estimates from the state, as
    the viewer sees it, what the viewer has still to spend: the player takes the order with the least cost now and ahead.
    Without ``ahead`` it takes the first of ``orders`` that is legal.
    """

    orders: Iterable[Any] | None = None
    ahead: Callable[[Any], float] | None = None


class Advise(Protocol):
    """The function ``advise`` of a game's file ``bot.py``, which simulated players ask."""

    def __call__(self, view: View[Any, Any, Any], luck: Luck, *, plans: bool) -> Advice | None:
        """Return advice for a player of the viewer, which knows only ``view``; ``None`` if any legal order will do.

        A player that ``plans`` wants the best order, else any. ``luck`` is for choices between equally good orders.
        """
        ...


def no_advice(view: View[Any, Any, Any], luck: Luck, *, plans: bool) -> Advice | None:
    """Return the advice for a game without a file ``bot.py``: to compare standings after all legal orders."""
    return Advice() if plans else None
