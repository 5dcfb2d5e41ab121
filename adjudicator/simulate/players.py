"""Players that know no game: what they choose from, and what it would bring, they ask the ruleset."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from adjudicator.core.chance import CommittedChance
from adjudicator.core.event import Spent
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Standing
from adjudicator.core.step import carry_out
from adjudicator.desk import Desk

LOOKED_AT: Final = 8
"""How many orders of a kind the greedy player tries out before it chooses."""

Memory = dict[tuple[str, str], int]
"""What a greedy player has seen of its own facts: how many decisions it has stood at each value."""

Choose = Callable[[Desk, Seat, Random, Memory], Any]
"""A player: the order it gives for a seat that is awaited, of those that are legal."""


def choose_random(desk: Desk, seat: Seat, luck: Random, _memory: Memory) -> Any:
    """Return any legal order of ``seat``: each kind of order is equally likely, then each order of that kind."""
    kinds = list(_legal_by_kind(desk, seat).values())
    return luck.choice(luck.choice(kinds))


def choose_greedily(desk: Desk, seat: Seat, luck: Random, memory: Memory) -> Any:
    """Return the legal order of ``seat`` after which it stands best, one step ahead.

    First what changes its standing for the better, then what brings it where it has been least since its standing last
    changed (a car to another place), the cheapest first. If nothing leads anywhere, the cheapest order of any kind. The
    outcomes of chance are not known to it: it tries orders out with a chance of its own.
    """
    rules, table, state = desk.rules, desk.table, desk.game.state
    here = _standing(rules.standings(table, state), seat)
    places = _places(desk, state, seat)
    for place in places:
        memory[place] = memory.get(place, 0) + 1
    kinds = _legal_by_kind(desk, seat)
    best: tuple[tuple[int, int, int], Any] | None = None
    for orders in kinds.values():
        for order in luck.sample(orders, min(LOOKED_AT, len(orders))):
            value = _value(desk, seat, order, here, places, memory, luck)
            if value is not None and (best is None or value < best[0]):
                best = (value, order)
    if best is None:
        return _cheapest(desk, seat, luck.choice(list(kinds.values())), luck)
    if best[0][0] < 0:
        memory.clear()  # the standing changes: every place is worth a visit again
    return best[1]


PLAYERS: Final[Mapping[str, Choose]] = {"random": choose_random, "greedy": choose_greedily}
"""The players by name."""


def _legal_by_kind(desk: Desk, seat: Seat) -> dict[type, list[Any]]:
    kinds: dict[type, list[Any]] = {}
    for order in desk.rules.legal(desk.table, desk.game.state, seat):
        kinds.setdefault(type(order), []).append(order)
    return kinds


def _value(
    desk: Desk, seat: Seat, order: Any, here: Standing, places: frozenset[tuple[str, str]], memory: Memory, luck: Random
) -> tuple[int, int, int] | None:
    """Return what ``order`` would bring ``seat``, the least being best; ``None`` if it stands where it stood."""
    rules, table = desk.rules, desk.table
    chance = CommittedChance(luck.randbytes(32), {})
    taken = carry_out(rules, table, desk.game.state, seat, order, chance)
    spent = sum(event.after - event.before for event in taken.events if isinstance(event, Spent) and event.seat == seat)
    there = _standing(rules.standings(table, taken.state), seat)
    if there.note != here.note and there.place <= here.place:
        return (-1, there.place, spent)
    reached = _places(desk, taken.state, seat) - places
    if not reached:
        return None
    return (max(memory.get(place, 0) for place in reached), spent, there.place)


def _standing(standings: tuple[Standing, ...], seat: Seat) -> Standing:
    return next(standing for standing in standings if standing.seat == seat)


def _places(desk: Desk, state: Any, seat: Seat) -> frozenset[tuple[str, str]]:
    """Return where ``seat`` is: those of its own facts that are a single word, such as the cell of a car."""
    facts = desk.rules.facts(desk.table, desk.rules.view(desk.table, state, seat))
    values = ((name, value("") if callable(value) else value) for name, value in facts.items())
    return frozenset((name, value) for name, value in values if isinstance(value, str))


def _cheapest(desk: Desk, seat: Seat, orders: list[Any], luck: Random) -> Any:
    """Return the cheapest of a few of ``orders``."""
    rules, table, state = desk.rules, desk.table, desk.game.state
    some = luck.sample(orders, min(LOOKED_AT, len(orders)))
    return min(some, key=lambda order: sum(part.amount for part in rules.cost(table, state, seat, order) or ()))
