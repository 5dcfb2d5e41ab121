"""Players that know no game: what they choose from, and what it would bring, they ask the ruleset."""

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

LOOKED_AT: Final = 8
"""How many orders of a kind the greedy player tries out before it looks whether it has found a good one."""
MOST_LOOKED_AT: Final = 48
"""How many orders of a kind it tries out at most."""
_FARTHER: Final = 2
"""What a minute to come weighs against one that is spent: a step now is better than a plan that others may cross."""
_SECRET: Final = 32
"""Bytes of the secret of chance for an order that is tried out."""
_WHIM: Final = 0.1
"""How often it does anything at all where nothing it looks at is good: players who block each other part again."""

Choose = Callable[[Session, Seat, Random], Any]
"""A player: the order it gives for a seat that is awaited, of those that are legal."""

Estimate = Callable[[Any, Any], int]
"""A ruleset's guess, from its config and a seat's own view, of what that seat has still to spend."""


class Outlook(Protocol):
    """What a seat can order and where that leads, by a ruleset's guess from the seat's own view."""

    @property
    def estimate(self) -> int:
        """What the seat has still to spend as things are."""

    @property
    def kinds(self) -> Sequence[Sequence[Any]] | None:
        """The orders worth a look, by kind; each may be made when it is asked for. ``None`` for all that are legal."""

    def weighed(self, orders: Sequence[Any]) -> Sequence[tuple[int, int]]:
        """Return what each of ``orders`` costs, and what the seat has still to spend after it."""


def choose_random(session: Session, seat: Seat, luck: Random) -> Any:
    """Return any legal order of ``seat``: each kind of order is equally likely, then each order of that kind.

    Of a game whose ``bot.py`` chooses itself it is what that does without a plan.
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

    Best is what costs least together with what is still to come by the ruleset's own guess; the first few orders that
    lose nothing by that guess are good enough, and where none is found it acts on a whim at times. If the ruleset has no
    guess: what changes the seat's standing for the better, or else the cheapest order of any kind. The outcomes of chance
    are not known to the player: it tries orders out with a chance of its own. Of a game whose ``bot.py`` chooses itself it
    is what that has planned.
    """
    chosen = _chosen(session, seat, luck, plans=True)
    if chosen is not None:
        return chosen
    bot = bot_of(session.rules.meta.ruleset)
    if bot is None:
        return _best_standing(session, seat, luck)
    now, kinds, weigh = _ahead(session, seat, bot)
    best: tuple[int, float, Any] | None = None
    for orders in _looked_at(kinds, luck):
        # An order that need not be tried out takes as much luck as one that is: a seed gives the same game both ways.
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
    """Return what the game's own player chooses, ``None`` without one."""
    bot = bot_of(session.rules.meta.ruleset)
    if bot is None or bot.choose is None:
        return None
    return bot.choose(session.config, session.rules.view(session.config, session.game.state, seat), luck, plans=plans)


_Weigh = Callable[[Sequence[Any], Sequence[bytes]], Iterable[tuple[int, int]]]
"""For each of some orders what it costs and what is still to be spent; with secrets of chance for trying them out."""


def _ahead(session: Session, seat: Seat, bot: Bot) -> tuple[int, Sequence[Sequence[Any]], _Weigh]:
    """Return what things are worth to ``seat`` as they are, the orders worth a look by kind, and what weighs them.

    The ruleset's outlook tells it, if it has one; else orders are tried out, and what comes of them is estimated.
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
    """Yield the orders that are looked at, drawn by ``luck``: a few of each of ``kinds`` at a time."""
    picked = [luck.sample(range(len(orders)), min(MOST_LOOKED_AT, len(orders))) for orders in kinds]
    for at in range(0, max(map(len, picked)), LOOKED_AT):
        yield [orders[number] for orders, some in zip(kinds, picked, strict=True) for number in some[at : at + LOOKED_AT]]


PLAYERS: Final[Mapping[str, Choose]] = {"random": choose_random, "greedy": choose_greedily}
"""The players by name."""


@frozen
class Bot:
    """What a ruleset tells a player that plans: ``estimate``, and from config and view which orders are ``likely`` good.

    ``outlook`` gives all at once, from config and view, and where orders lead without trying them out; ``None`` where it
    cannot. Or the ruleset has players of its own: ``choose`` returns an order for config and view with luck, one that it
    ``plans`` or any. ``any_legal`` picks one of all legal orders, for config, state and seat, without making the others.
    """

    estimate: Estimate
    likely: Callable[[Any, Any], Callable[[Any], bool]]
    choose: Callable[..., Any] | None = None
    any_legal: Callable[..., Any] | None = None
    outlook: Callable[[Any, Any], Outlook | None] | None = None


@cache
def bot_of(place: str) -> Bot | None:
    """Return what stands in the file ``bot.py`` beside the ruleset at ``place``, ``None`` without one.

    ``estimate`` must be there; without ``likely`` every order is, without ``choose`` players look at all that is legal. Only
    simulations need it, so that it is no part of the rules and loaded by nobody else.
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
    """The chance of an order that is only tried out; made when it asks for an outcome, which few do."""

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
    """Return what ``order`` costs ``seat`` with all that follows, and the state after it."""
    taken = carry_out(session.rules, session.config, session.game.state, seat, order, _Chance(secret))
    own = (event for event in taken.events if isinstance(event, Spent) and event.seat == seat)
    return sum(event.after - event.before for event in own), taken.state


def _best_standing(session: Session, seat: Seat, luck: Random) -> Any:
    """Return the cheapest order that changes the standing of ``seat`` for the better, or else the cheapest of a kind."""
    rules, config = session.rules, session.config
    kinds = [luck.sample(orders, min(LOOKED_AT, len(orders))) for orders in _legal_by_kind(session, seat)]
    here = _standing(rules.standings(config, session.game.state), seat)
    better = []
    for order in (order for orders in kinds for order in orders):
        spent, state = _tried(session, seat, order, luck.randbytes(_SECRET))
        there = _standing(rules.standings(config, state), seat)
        if there.note != here.note and there.place <= here.place:
            better.append((spent, luck.random(), order))
    if better:
        return min(better, key=lambda found: found[:2])[2]
    return min(luck.choice(kinds), key=lambda order: total(rules.cost(config, session.game.state, seat, order) or ()))


def _standing(standings: tuple[Standing, ...], seat: Seat) -> Standing:
    return next(standing for standing in standings if standing.seat == seat)
