"""Players without knowledge of any game: they ask the ruleset for orders and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final, Protocol

from adjudicator.core.chance import CommittedChance
from adjudicator.core.event import Spent, total
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Standing
from adjudicator.core.step import carry_out
from adjudicator.session import Session

CANDIDATES: Final = 8
"""The number of orders of a kind that the greedy player tries before it checks for a good one."""
MOST_CANDIDATES: Final = 48
"""The largest number of orders of a kind that it tries."""
_FARTHER: Final = 2
"""The weight of a future minute against one spent now: others may cross a plan, but not a step."""
_SECRET: Final = 32
"""The size in bytes of the secret of chance for trying an order."""
_WHIM: Final = 0.1
"""How often it takes any order if none is good, so that players who block each other separate again."""

Choose = Callable[[Session, Seat, Random], Any]
"""A player: returns one of the legal orders of a seat that is due."""

Estimate = Callable[[Any, Any], int]
"""A ruleset's guess, from its config and a seat's own view, of the costs still ahead of that seat."""


class Outlook(Protocol):
    """A seat's orders and their results, guessed by a ruleset from the seat's own view."""

    @property
    def estimate(self) -> int:
        """The costs still ahead of the seat now."""

    @property
    def kinds(self) -> Sequence[Sequence[Any]] | None:
        """The orders worth a look by kind, which may be made on demand; ``None`` for all legal ones."""

    def weighed(self, orders: Sequence[Any]) -> Sequence[tuple[int, int]]:
        """Return the cost of each of ``orders``, and the costs still ahead of the seat after it."""


def choose_random(session: Session, seat: Seat, luck: Random) -> Any:
    """Return any legal order of ``seat``: each kind of order is equally likely, then each order of that kind.

    If the game's ``bot.py`` chooses, return its choice without a plan.
    """
    chosen = _chosen(session, seat, luck, plans=False)
    return chosen if chosen is not None else _any_legal(session, seat, luck)


def _any_legal(session: Session, seat: Seat, luck: Random) -> Any:
    bot = bot_of(session.rules.meta.ruleset)
    if bot is not None and bot.any_legal is not None:
        found = bot.any_legal(session.config, session.game.state, seat, luck)
        if found is not None:
            return found
    return luck.choice(luck.choice(_legal_by_kind(session, seat)))


def choose_greedily(session: Session, seat: Seat, luck: Random) -> Any:
    """Return the best of some legal orders of ``seat``, looking one step ahead.

    The best order has the least sum of its cost and the costs still ahead, by the ruleset's guess. The first few orders
    that lose nothing are good enough; if the player finds none, it sometimes acts on a whim. Without a guess it takes an
    order that improves the seat's standing, or else the cheapest of some kind. It does not know the outcomes of chance, and
    tries orders with a separate chance. If the game's ``bot.py`` chooses, return its planned choice.
    """
    chosen = _chosen(session, seat, luck, plans=True)
    if chosen is not None:
        return chosen
    bot = bot_of(session.rules.meta.ruleset)
    if bot is None:
        return _best_place(session, seat, luck)
    now, kinds, weigh = _ahead(session, seat, bot)
    best: tuple[int, float, Any] | None = None
    for orders in _looked_at(kinds, luck):
        # Draw the same random numbers for an order with or without a trial: so a seed gives the same game both ways.
        lots = [(luck.randbytes(_SECRET), luck.random()) for _ in orders]
        weighed = weigh(orders, [secret for secret, _ in lots])
        for order, (_, lot), (spent, still) in zip(orders, lots, weighed, strict=True):
            found = (spent + _FARTHER * still, lot, order)
            if best is None or found[:2] < best[:2]:
                best = found
        if best is not None and best[0] < now:
            return best[2]
    assert best is not None
    return _any_legal(session, seat, luck) if luck.random() < _WHIM else best[2]


def _chosen(session: Session, seat: Seat, luck: Random, *, plans: bool) -> Any | None:
    """Return the choice of the game's own player, ``None`` without one."""
    bot = bot_of(session.rules.meta.ruleset)
    if bot is None or bot.choose is None:
        return None
    return bot.choose(session.config, session.rules.view(session.config, session.game.state, seat), luck, plans=plans)


_Weigh = Callable[[Sequence[Any], Sequence[bytes]], Iterable[tuple[int, int]]]
"""Returns cost and costs still ahead for each order, with secrets of chance for trying them."""


def _ahead(session: Session, seat: Seat, bot: Bot) -> tuple[int, Sequence[Sequence[Any]], _Weigh]:
    """Return the value of the position to ``seat``, the orders worth a look by kind, and a function that weighs them.

    It uses the ruleset's outlook, if it has one; else it tries orders and estimates the results.
    """
    rules, config, state = session.rules, session.config, session.game.state
    seen = rules.view(config, state, seat)
    outlook = bot.outlook(config, seen) if bot.outlook else None
    if outlook is not None:
        kinds = outlook.kinds or _legal_by_kind(session, seat)
        return _FARTHER * outlook.estimate, kinds, lambda orders, _secrets: outlook.weighed(orders)
    is_likely = bot.likely(config, seen)
    kinds = [list(filter(is_likely, orders)) or orders for orders in _legal_by_kind(session, seat)]

    def weigh(orders: Sequence[Any], secrets: Sequence[bytes]) -> Iterator[tuple[int, int]]:
        for order, secret in zip(orders, secrets, strict=True):
            spent, after = _tried(session, seat, order, secret)
            yield spent, bot.estimate(config, rules.view(config, after, seat))

    return _FARTHER * bot.estimate(config, seen), kinds, weigh


def _looked_at(kinds: Sequence[Sequence[Any]], luck: Random) -> Iterator[list[Any]]:
    """Yield the orders to weigh, drawn by ``luck``: a few of each of ``kinds`` at a time."""
    picked = [luck.sample(range(len(orders)), min(MOST_CANDIDATES, len(orders))) for orders in kinds]
    for at in range(0, max(map(len, picked)), CANDIDATES):
        yield [orders[number] for orders, some in zip(kinds, picked, strict=True) for number in some[at : at + CANDIDATES]]


PLAYERS: Final[Mapping[str, Choose]] = {"random": choose_random, "greedy": choose_greedily}
"""The players by name."""


@frozen
class Bot:
    """A ruleset's help for a player that plans: ``estimate``, and which orders are ``likely`` good by config and view.

    ``outlook`` gives all this and the results of orders from config and view, without trying them, or ``None``. Or the
    ruleset has its own players: ``choose`` returns an order for config and view with luck, one that it ``plans`` or any.
    ``any_legal`` picks one of all legal orders, for config, state and seat, without making the others.
    """

    estimate: Estimate
    likely: Callable[[Any, Any], Callable[[Any], bool]]
    choose: Callable[..., Any] | None = None
    any_legal: Callable[..., Any] | None = None
    outlook: Callable[[Any, Any], Outlook | None] | None = None


@cache
def bot_of(place: str) -> Bot | None:
    """Load the file ``bot.py`` beside the ruleset at ``place``; return ``None`` without one.

    It must have ``estimate``. Without ``likely`` every order is likely, without ``choose`` players weigh all legal orders.
    Only simulations load it, so it is not part of the rules.
    """
    package = import_module(place.partition(":")[0]).__package__
    name = f"{package}.bot"
    if not package or find_spec(name) is None:
        return None
    module = import_module(name)
    return Bot(
        module.estimate,
        getattr(module, "likely", lambda _config, _seen: lambda _order: True),
        getattr(module, "choose", None),
        getattr(module, "any_legal", None),
        getattr(module, "outlook", None),
    )


def _legal_by_kind(session: Session, seat: Seat) -> list[list[Any]]:
    kinds: dict[type, list[Any]] = {}
    for order in session.rules.legal(session.config, session.game.state, seat):
        kinds.setdefault(type(order), []).append(order)
    return list(kinds.values())


class _Chance:
    """The chance for trying an order, made when the order asks for an outcome, which few do."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._chance: CommittedChance | None = None
        self.drawn = 0

    def pick(self, purpose: str, among: Sequence[str]) -> str:
        if self._chance is None:
            self._chance = CommittedChance(self._secret, {})
        picked = self._chance.pick(purpose, among)
        self.drawn = self._chance.drawn
        return picked


def _tried(session: Session, seat: Seat, order: Any, secret: bytes) -> tuple[int, Any]:
    """Return the cost of ``order`` to ``seat`` with all its consequences, and the state after it."""
    taken = carry_out(session.rules, session.config, session.game.state, seat, order, _Chance(secret))
    own = (event for event in taken.events if isinstance(event, Spent) and event.seat == seat)
    return sum(event.after - event.before for event in own), taken.state


def _best_place(session: Session, seat: Seat, luck: Random) -> Any:
    """Return the cheapest order that improves the standing of ``seat``, or else the cheapest of some kind."""
    rules, config = session.rules, session.config
    kinds = [luck.sample(orders, min(CANDIDATES, len(orders))) for orders in _legal_by_kind(session, seat)]
    here = _standing(rules.standings(config, session.game.state), seat)
    better = []
    for order in (order for orders in kinds for order in orders):
        spent, state = _tried(session, seat, order, luck.randbytes(_SECRET))
        there = _standing(rules.standings(config, state), seat)
        if there.note != here.note and there.place <= here.place:
            better.append((spent, luck.random(), order))
    if better:
        return min(better, key=lambda found: found[:2])[2]
    return min(
        luck.choice(kinds), key=lambda order: total(rules.cost_if_legal(config, session.game.state, seat, order) or ())
    )


def _standing(standings: tuple[Standing, ...], seat: Seat) -> Standing:
    return next(standing for standing in standings if standing.seat == seat)
