"""Simulated players: they choose orders in any game, from what their seat knows and from the advice of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final, cast

from adjudicator.core.advice import Advice, Advise, Luck, no_advice
from adjudicator.core.at import View, of_seat
from adjudicator.core.event import Spent
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import decided
from adjudicator.core.values import Seat
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game

PLAYERS: Final[Mapping[str, bool]] = {"random": False, "greedy": True}
"""The simulated players by name, and whether they plan."""

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


def choose_order(game: Game, seat: str, player: str = "greedy", seed: int | None = 0) -> str:
    """Return an order of ``seat``, which must be due, as the simulated ``player`` (random or greedy) chooses it.

    The same game and ``seed`` give the same order (``None``: the secret record is the seed). Raises ``RequestError``.
    """
    if player not in PLAYERS or seat not in game.due_seats:
        raise RequestError(f"choose a player from {', '.join(PLAYERS)}, and a seat that is due, not {player} and {seat}")
    luck = Random(f"{game.record.head}/{seat}" if seed is None else f"{seed} {len(game.record.journal)}")
    return game.rules.language.text(chosen(game, game.seat(seat), player, luck))


def chosen(game: Game, seat: Seat, player: str, luck: Random) -> Any:
    """Return one of the legal orders of ``seat``, which is due, as the simulated ``player`` chooses it by ``luck``."""
    return planned(game.rules, _advise_of(game.meta.ruleset), game.record.state, seat, luck, plans=PLAYERS[player])


@cache
def _advise_of(ruleset: str) -> Advise:
    """Return the function ``advise`` of the file ``bot.py`` beside the module of ``ruleset``, or ``no_advice`` without one.

    Only simulated players load it, so it is not part of the rules.
    """
    package = import_module(ruleset.partition(":")[0]).__package__
    if not package or find_spec(f"{package}.bot") is None:
        return no_advice
    return cast("Advise", import_module(f"{package}.bot").advise)


def planned(rules: AnyRuleset, advise: Advise, state: Any, seat: Seat, luck: Luck, *, plans: bool) -> Any:
    """Return a legal order of ``seat``, for a player that ``plans`` a good one.

    The player knows what the seat may see, and which orders are legal. It takes what the game advises; a player that plans
    and gets an estimate tries orders (see ``_best``). Without advice, or on a whim, it takes any legal order: each kind is
    equally likely, then each order of that kind.
    """
    view, found = rules.view(state, seat), None
    advice = advise(view, luck, plans=plans)
    if advice is not None and plans and (advice.ahead is not None or advice.orders is None):
        found = _best(rules, advice, view, state, luck)
    elif advice is not None and advice.orders is not None:
        found = next(iter(_legal(rules, state, seat, advice.orders)), None)
    if found is not None:
        return found
    if plans:
        return planned(rules, advise, state, seat, luck, plans=False)
    return luck.choice(luck.choice(_by_kind(_legal(rules, state, seat))))


def _best(rules: AnyRuleset, advice: Advice, view: View[Any, Any, Any], state: Any, luck: Luck) -> Any:
    """Return the best of some legal orders, ``None`` for a whim.

    The player tries orders on what it sees, with its own chance, and adds the cost of each to what is still ahead then. The
    first few orders that lose nothing are good enough. Without the game's estimate, it prefers a better place in the
    standings, then a change of the note there, then the cheapest order.
    """
    seat = cast("Seat", view.seat)
    here = None if advice.ahead else of_seat(rules.standings(state), seat).note

    def by_standings(state: Any) -> float:
        own = of_seat(rules.standings(state), seat)
        return _A_PLACE * own.place + _A_CHANGE * (own.note == here)

    ahead = advice.ahead or by_standings
    best, now = None, _FARTHER * ahead(view.state if advice.ahead else state)  # the standings are public
    kinds = _by_kind(_legal(rules, state, seat, advice.orders)) or _by_kind(_legal(rules, state, seat))
    picked = [luck.sample(orders, k=min(_MOST_CANDIDATES, len(orders))) for orders in kinds]
    for at in range(0, max(map(len, picked)), _CANDIDATES):
        for order in [order for orders in picked for order in orders[at : at + _CANDIDATES]]:
            try:
                events, after = decided(rules, rules.at(view.state, seat), order, _Trial(luck))
                spent = sum([event.after - event.before for event in events if type(event) is Spent and event.seat == seat])
                value = spent + _FARTHER * ahead(after)
            except Exception:
                if view.state is state:
                    raise  # a fault of the rules
                value = now  # rules need not cope with the gaps in what a seat sees
            tried = value, luck.random(), order
            if best is None or tried[:2] < best[:2]:
                best = tried
        if best is not None and best[0] < now:
            return best[2]
    return None if best is None or luck.random() < _WHIM else best[2]


def _legal(rules: AnyRuleset, state: Any, seat: Seat, orders: Iterable[Any] | None = None) -> Iterable[Any]:
    """Return the legal ones of ``orders``, by default all that are legal."""
    if orders is None:
        return rules.legal(rules.at(state, seat))
    return (order for order in orders if rules.check(rules.at(state, seat), order) is None)


def _by_kind(orders: Iterable[Any]) -> list[list[Any]]:
    kinds: dict[type, list[Any]] = {}
    for order in orders:
        kinds.setdefault(type(order), []).append(order)
    return list(kinds.values())


class _Trial:
    """The chance of an order that a player only tries: it knows nothing about the chance of the game."""

    def __init__(self, luck: Luck) -> None:
        self._luck, self.drawn = luck, 0

    def pick(self, _purpose: str, among: Sequence[str]) -> str:
        self.drawn += 1
        return self._luck.choice(among)
