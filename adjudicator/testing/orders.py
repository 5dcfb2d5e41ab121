"""Checks laws of orders: decisions due, legal orders, refusals, and the text of orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import combinations
from random import Random
from typing import Any, Final

from adjudicator.core.order import FirstOf, When
from adjudicator.core.phrases import count
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import MODERATOR, Seat, Value, defaults_of, replace
from adjudicator.orders.grammar import OrderLine, grammar_of
from adjudicator.orders.submission import clean
from adjudicator.results import Decision
from adjudicator.testing.games import Broken, Games, Moment, law

_LEGAL: Final = 200  # the number of legal orders of a position checked one by one
_FOREIGN: Final = 40  # the number of orders from other positions tried for each seat


@law
def who_is_asked_can_answer(games: Games) -> None:
    """Some seat is due until the game is over; a seat is asked and has legal orders if it is due, and only then."""
    for moment in games.sampled():
        rules, due = moment.rules, moment.due
        is_over, asks = rules.is_over(moment.state), rules.asked(moment.state)
        if is_over is bool(due):
            raise Broken(f"the game is over, but {due[0]} is due" if is_over else "no seat is due, but the game is not over")
        for seat in moment.game.seats:
            alone, legal = rules.ask_of(moment.state, seat), next(iter(rules.legal(moment.at(seat))), None)
            asked = [(*ask.identity, ask.orders, ask.is_due) for ask in asks if ask.seat == seat]
            if asked != ([] if alone is None else [(*alone.identity, alone.orders, alone.is_due)]):
                what = "" if alone is None or len(asked) != 1 else f" {asked[0][0]}"
                raise Broken(f"{seat} is asked{what} {count(len(asked), 'time')}, which is not what it is asked by itself")
            if seat in due and legal is None:
                raise Broken(f"{seat} is due, but has no legal order")
            if seat not in due and legal is not None:
                raise Broken(f"{seat} is not due, but `legal` lists {rules.language.text(legal)}")


@law
def each_seat_is_asked_by_itself(games: Games) -> None:
    """If seats are independent, only own orders and the moderator change what a seat is asked."""
    for game in games.each():
        before = dict[Seat, Any]()
        for moment in games.moments(game) if game.rules.config.seats_are_independent else ():
            asked = {decision.seat: decision for decision in Decision.due_in(game.rules, moment.state)}
            mover = game.record.journal[moment.n].entry.seat
            changed = [seat for seat in game.seats if seat != mover and before.get(seat) != asked.get(seat)]
            if moment.n and mover != MODERATOR and changed and not game.rules.is_over(moment.state):
                raise Broken(f"seats are independent, but an order of {mover} changes the decision of {changed[0]}")
            before = asked


@law
def legal_is_what_check_accepts(games: Games) -> None:
    """`legal` lists each order that `check` accepts exactly once, in its shortest form."""
    text = games.rules.language.text
    for moment in games.sampled():
        for seat in moment.game.seats:
            legal = moment.legal(seat)
            listed = set(legal)
            if len(listed) != len(legal):
                twice = next(order for order in legal if legal.count(order) > 1)
                raise Broken(f"{seat}: `legal` lists {text(twice)} more than once")
            for order in games.luck(f"legal {moment.n} {seat}").sample(legal, min(len(legal), _LEGAL)):
                problem = moment.problem(seat, order)
                if problem is not None:
                    raise Broken(f"{seat}: `legal` lists {text(order)}, but `check` says: {problem.message}")
            for order in foreign(games, moment, seat):
                if not listed.intersection((order, *_shortened(order))) and moment.problem(seat, order) is None:
                    raise Broken(f"{seat}: `check` accepts {text(order)}, but `legal` does not list it")


@law
def refusals_say_why(games: Games) -> None:
    """A refusal has the game's code, a message and the game's rule; a refused order has no cost."""
    meta = games.rules.meta
    for moment in games.sampled():
        for seat in moment.game.seats:
            for order in foreign(games, moment, seat):
                problem = moment.problem(seat, order)
                if problem is None:
                    continue
                what = f"for refusing {games.rules.language.text(order)} is"
                if not problem.code.startswith(f"{meta.id}/") or len(problem.code) == len(meta.id) + 1:
                    raise Broken(f"{seat}: the code {what} “{problem.code}”, not {meta.id}/…")
                if not problem.message.strip() or problem.message.endswith("."):
                    raise Broken(f"{seat}: the message {what} “{problem.message}”: empty, or with a full stop")
                if problem.rule and not problem.rule.startswith(f"{meta.prefix}-"):
                    raise Broken(f"{seat}: the rule {what} “{problem.rule}”, not {meta.prefix}-…")
                if moment.cost(seat, order) not in (None, ()):
                    raise Broken(f"{seat}: `check` refuses {games.rules.language.text(order)}, but `cost` gives its cost")


@law
def orders_read_back(games: Games) -> None:
    """The text of an order reads back as the same order, and the examples are such texts."""
    rules = games.rules
    for example in rules.language.examples:
        order = _read(rules, example)
        if order is None or rules.language.text(order) != example:
            again = "is not an order" if order is None else f"is written “{rules.language.text(order)}”"
            raise Broken(f"the example “{example}” {again}")
    for moment in games.sampled():
        for seat in moment.due:
            legal = moment.legal(seat)
            for order in games.luck(f"words {moment.n} {seat}").sample(legal, min(len(legal), _LEGAL)):
                text = rules.language.text(order)
                again = _read(rules, text)
                if again != order:
                    found = "not readable" if again is None else repr(again)
                    raise Broken(f"the text of {order!r} is “{text}”, which reads back as {found}")


def _read(rules: AnyRules, text: str) -> Any:
    """Read ``text`` as a single order, or return ``None``."""
    parsed = grammar_of(rules).parse(clean(text))
    if not isinstance(parsed, OrderLine) or parsed.seat is not None or parsed.draws:
        return None
    return None if isinstance(parsed.expression, (FirstOf, When)) else parsed.expression


def foreign(games: Games, moment: Moment, seat: Seat) -> Iterator[Any]:
    """Yield writable orders for ``seat`` that come from other positions, or differ a little from known ones."""
    luck = games.luck(f"foreign {moment.game.record.id} {moment.n} {seat}")
    known = [order for orders in games.orders.values() for order in orders]
    here = moment.legal(seat)
    found = dict.fromkeys(luck.sample(known, min(len(known), _FOREIGN // 2)))
    for _ in range(_FOREIGN // 2 if known else 0):
        order = luck.choice(here or known)
        found[_mutant(order, luck, games.orders.get(type(order), ()))] = None
    for order in found:
        try:
            again = _read(games.rules, games.rules.language.text(order))
        except Exception:  # A value that is not an order needs no text.
            continue
        if again is not None:
            yield again


def _mutant(thing: Any, luck: Random, seen: Sequence[Any]) -> Any:
    """Return the value ``thing`` with one field changed, if it has any; ``seen`` are others of its class."""
    if not thing.__struct_fields__:
        return thing
    name = luck.choice(thing.__struct_fields__)
    values = list(dict.fromkeys(getattr(one, name) for one in seen))
    return replace(thing, **{name: altered(getattr(thing, name), luck, values)})


def altered(value: Any, luck: Random, seen: Sequence[Any] = ()) -> Any:
    """Return a replacement for ``value``, also in JSON: one ``seen`` at its place, or a similar one, valid or not."""
    if seen and luck.random() < 0.5:
        return luck.choice(seen)
    if isinstance(value, bool):
        return not value
    if isinstance(value, Enum):
        return luck.choice(list(type(value)))
    if isinstance(value, int):
        return luck.choice((value - 1, value + 1, 0, 999))
    if isinstance(value, str):
        return luck.choice((None, "nowhere", "X" * len(value)))
    if isinstance(value, (tuple, list)):
        items, at = [item for other in seen if isinstance(other, tuple) for item in other], luck.randint(0, len(value))
        other = [luck.choice(items)] if items else value[:1]
        ways = ((), value[:-1], (*value, *value[:1]), value[::-1], (*value, *other), (*value[:at], *other, *value[at + 1 :]))
        return type(value)(luck.choice(ways))
    return _mutant(value, luck, ()) if isinstance(value, Value) else luck.choice((0, 1, "nowhere", ()))


def _shortened(thing: Any) -> Iterator[Any]:
    """Yield the value ``thing`` with some of its optional fields, or all, at their defaults."""
    said = [(name, default) for name, default in defaults_of(thing.__class__).items() if getattr(thing, name) != default]
    for many in range(1, len(said) + 1):
        for some in combinations(said, many):
            yield replace(thing, **dict(some))
