"""Choose orders for simulated players of any game, from what a seat knows and the advice of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from adjudicator.core.advice import Advise, Luck
from adjudicator.core.at import of_seat
from adjudicator.core.event import Spent
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import decided
from adjudicator.core.values import Seat

_CANDIDATES: Final = 8
"""The number of orders of a kind that a planning player tries before it checks for a good one."""
_MOST_CANDIDATES: Final = 48
"""The largest number of orders of a kind that it tries."""
_FARTHER: Final = 2
"""The weight of a future minute against one spent now: others may spoil a plan, but not the order of now."""
_WHIM: Final = 0.1
"""How often it takes any order if none is good, so that players who block each other separate again."""
_A_PLACE, _A_CHANGE = 10**9, 10**6
"""The weight of a place in the standings, and of a change of the note there: more than any cost."""


def any_order(rules: AnyRuleset, advise: Advise, state: Any, seat: Seat, luck: Luck) -> Any:
    """Return any legal order of ``seat``: each kind of order is equally likely, then each order of that kind.

    A game may advise another choice.
    """
    advice = advise(rules.view(state, seat), luck, plans=False)
    if advice is not None and advice.orders is not None:
        found = next(_legal(rules, state, seat, advice.orders), None)
        if found is not None:
            return found
    return luck.choice(luck.choice(_by_kind(rules.legal(rules.at(state, seat)))))


def best_order(rules: AnyRuleset, advise: Advise, state: Any, seat: Seat, luck: Luck) -> Any:
    """Return the best of some legal orders of ``seat``.

    The player knows what the seat may see, and which orders are legal. It tries orders on what it sees, with its own chance,
    and adds the cost of each to what is still ahead then, by the advice of the game. The first few orders that lose nothing
    are good enough; without any, it sometimes acts on a whim. Without advice, it prefers a better place in the
    standings, then a change of the note there, then the cheapest order.
    """
    view = rules.view(state, seat)
    advice = advise(view, luck, plans=True)
    if advice is None:
        return any_order(rules, advise, state, seat, luck)
    advised = _legal(rules, state, seat, advice.orders)
    if advice.orders is not None and advice.ahead is None:
        found = next(advised, None)
        return any_order(rules, advise, state, seat, luck) if found is None else found
    ahead = advice.ahead or _by_standings(rules, state, seat)
    best, now = None, _FARTHER * ahead(view.state if advice.ahead else state)  # the standings are public
    for some in _some_of_each(_by_kind(advised) or _by_kind(rules.legal(rules.at(state, seat))), luck):
        for order in some:
            try:
                value = _value(rules, view.state, seat, order, ahead, luck)
            except Exception:
                if view.state is state:
                    raise  # a fault of the rules
                value = now  # rules need not cope with the gaps in what a seat sees
            tried = value, luck.random(), order
            if best is None or tried[:2] < best[:2]:
                best = tried
        if best is not None and best[0] < now:
            return best[2]
    assert best is not None
    return any_order(rules, advise, state, seat, luck) if luck.random() < _WHIM else best[2]


def _legal(rules: AnyRuleset, state: Any, seat: Seat, orders: Iterable[Any] | None) -> Iterator[Any]:
    """Yield the legal ones of ``orders``, by default all that are legal."""
    if orders is None:
        return iter(rules.legal(rules.at(state, seat)))
    return (order for order in orders if rules.check(rules.at(state, seat), order) is None)


def _by_kind(orders: Iterable[Any]) -> list[list[Any]]:
    kinds: dict[type, list[Any]] = {}
    for order in orders:
        kinds.setdefault(type(order), []).append(order)
    return list(kinds.values())


def _some_of_each(kinds: Sequence[Sequence[Any]], luck: Luck) -> Iterator[list[Any]]:
    """Yield a few orders of each of ``kinds`` at a time, drawn by ``luck``."""
    picked = [luck.sample(orders, k=min(_MOST_CANDIDATES, len(orders))) for orders in kinds]
    for at in range(0, max(map(len, picked)), _CANDIDATES):
        yield [order for orders in picked for order in orders[at : at + _CANDIDATES]]


def _value(rules: AnyRuleset, seen: Any, seat: Seat, order: Any, ahead: Callable[[Any], float], luck: Luck) -> float:
    """Return the cost of ``order`` and of what is ahead after it."""
    events, after = decided(rules, rules.at(seen, seat), order, _Trial(luck))
    spent = sum([event.after - event.before for event in events if type(event) is Spent and event.seat == seat])
    return spent + _FARTHER * ahead(after)


class _Trial:
    """The chance of an order that a player only tries: it knows nothing about the chance of the game."""

    def __init__(self, luck: Luck) -> None:
        self._luck, self.drawn = luck, 0

    def pick(self, _purpose: str, among: Sequence[str]) -> str:
        self.drawn += 1
        return self._luck.choice(among)


def _by_standings(rules: AnyRuleset, now: Any, seat: Seat) -> Callable[[Any], float]:
    """Return an estimate for a game without advice: from the place of ``seat`` and the note there."""
    here = of_seat(rules.standings(now), seat).note

    def ahead(state: Any) -> float:
        own = of_seat(rules.standings(state), seat)
        return _A_PLACE * own.place + _A_CHANGE * (own.note == here)

    return ahead
