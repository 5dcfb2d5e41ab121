"""Checks laws of orders: decisions due, legal orders, refusals, and the text of orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from adjudicator.core.engine import adjudicate
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.order import FirstOf, Instruction, Sheet, When
from adjudicator.core.phrases import count
from adjudicator.core.problem import Problem
from adjudicator.core.rules import AnyRules
from adjudicator.orders.build import OrderLine
from adjudicator.orders.clean import clean
from adjudicator.orders.parser import reader
from adjudicator.outputs.orders import Decision
from adjudicator.session import Session
from adjudicator.testing.failure import Broken
from adjudicator.testing.games import Games, Moment
from adjudicator.testing.law import law
from adjudicator.testing.mutants import mutant, shortened

_LEGAL: Final = 200
"""The number of legal orders of a position checked one by one."""
_FOREIGN: Final = 40
"""The number of orders from other positions tried for each seat."""


@law
def who_is_asked_can_answer(games: Games) -> None:
    """Some seat is due until the game is over; a seat has legal orders if it is due, and only then."""
    for moment in games.sampled():
        rules, state = moment.session.rules, moment.state
        is_over, due = rules.is_over(state), moment.due
        if is_over is bool(due):
            raise Broken(
                f"the game is over, but {', '.join(due)} is due" if is_over else "no seat is due, but the game is not over"
            )
        for seat in moment.session.seats:
            any_legal = next(iter(rules.legal(rules.at(state, seat))), None)
            if seat in due and any_legal is None:
                raise Broken(f"{seat} is due, but has no legal order")
            if seat not in due and any_legal is not None:
                raise Broken(f"{seat} is not due, but `legal` lists {rules.language.text(any_legal)}")


@law
def each_seat_is_asked_by_itself(games: Games) -> None:
    """A seat is asked once, and the same by itself as with others; if seats are independent, only own orders change that."""
    for moment in games.sampled():
        rules, asked = moment.session.rules, [ask.seat for ask in moment.session.rules.asked(moment.state)]
        for seat in moment.session.seats:
            if asked.count(seat) != (rules.ask_of(moment.state, seat) is not None):
                raise Broken(
                    f"the phase asks {seat} {count(asked.count(seat), 'time')}, which is not what it asks the seat alone"
                )
    for session in games.each():
        if session.rules.config.seats_are_independent:
            _require_apart(games, session)


def _require_apart(games: Games, session: Session) -> None:
    before = dict[Seat, Any]()
    for moment in games.moments(session):
        awaited = {one.seat: one for one in Decision.due_in(session.rules, moment.state)}
        mover = session.game.journal[moment.n].entry.seat
        changed = [seat for seat in session.seats if seat != mover and before.get(seat) != awaited.get(seat)]
        if moment.n and mover != MODERATOR and changed and not session.rules.is_over(moment.state):
            raise Broken(f"seats are independent, but an order of {mover} changes the decision of {changed[0]}")
        before = awaited


@law
def legal_is_what_check_accepts(games: Games) -> None:
    """`legal` lists each order that `check` accepts exactly once, in its shortest form."""
    for moment in games.sampled():
        for seat in moment.session.seats:
            legal = list(moment.session.rules.legal(moment.session.rules.at(moment.state, seat)))
            listed = set(legal)
            if len(listed) != len(legal):
                twice = next(order for order in legal if legal.count(order) > 1)
                raise Broken(f"{seat}: `legal` lists {games.rules.language.text(twice)} more than once")
            for order in games.luck(f"legal {moment.n} {seat}").sample(legal, min(len(legal), _LEGAL)):
                problem = _problem(moment, seat, order)
                if problem is not None:
                    raise Broken(
                        f"{seat}: `legal` lists {games.rules.language.text(order)}, but `check` says: {problem.message}"
                    )
            for order in foreign(games, moment, seat):
                if _problem(moment, seat, order) is None and not listed.intersection((order, *shortened(order))):
                    raise Broken(f"{seat}: `check` accepts {games.rules.language.text(order)}, but `legal` does not list it")


@law
def refusals_say_why(games: Games) -> None:
    """A refusal has the game's code, a message and the game's rule; a refused order has no cost."""
    meta = games.rules.meta
    for moment in games.sampled():
        for seat in moment.session.seats:
            for order in foreign(games, moment, seat):
                problem = _problem(moment, seat, order)
                if problem is None:
                    continue
                text = games.rules.language.text(order)
                if not problem.code.startswith(f"{meta.id}/") or len(problem.code) == len(meta.id) + 1:
                    raise Broken(f"{seat}: the code for refusing {text} is “{problem.code}”, not {meta.id}/…")
                if not problem.message.strip() or problem.message.endswith("."):
                    raise Broken(
                        f"{seat}: the message for refusing {text} is “{problem.message}”: empty, or with a full stop"
                    )
                if problem.rule and not problem.rule.startswith(f"{meta.prefix}-"):
                    raise Broken(f"{seat}: the rule for refusing {text} is “{problem.rule}”, not {meta.prefix}-…")
                if moment.session.rules.cost_if_legal(moment.session.rules.at(moment.state, seat), order) not in (None, ()):
                    raise Broken(f"{seat}: `check` refuses {text}, but `cost` gives its cost")


@law
def refusals_leave_no_trace(games: Games) -> None:
    """A refused order changes nothing in the game, and gives one problem."""
    for moment in games.sampled(60):
        before = moment.game
        for seat in moment.due:
            for order in foreign(games, moment, seat):
                problem = _problem(moment, seat, order)
                if problem is None:
                    continue
                sheet = Sheet(seat, (Instruction(order),))
                outcome = adjudicate(moment.session.rules, before, [sheet])
                text = games.rules.language.text(order)
                if outcome.accepted or outcome.game != before:
                    raise Broken(f"{seat}: `check` refuses {text}, but it changes the game")
                reported = [diagnostic.problem for diagnostic in outcome.diagnostics]
                if reported != [problem]:
                    raise Broken(f"{seat}: `check` refuses {text} with {problem}, but the adjudication reports {reported}")


@law
def orders_read_back(games: Games) -> None:
    """The text of an order reads back as the same order, and the examples are such texts."""
    rules = games.rules
    games.look_at("the examples of the orders")
    for example in rules.language.examples:
        order = read(rules, example)
        if order is None or rules.language.text(order) != example:
            again = "is not an order" if order is None else f"is written “{rules.language.text(order)}”"
            raise Broken(f"the example “{example}” {again}")
    for moment in games.sampled():
        for seat in moment.due:
            legal = list(moment.session.rules.legal(moment.session.rules.at(moment.state, seat)))
            for order in games.luck(f"words {moment.n} {seat}").sample(legal, min(len(legal), _LEGAL)):
                text = rules.language.text(order)
                again = read(rules, text)
                if again != order:
                    found = "not readable" if again is None else repr(again)
                    raise Broken(f"the text of {order!r} is “{text}”, which reads back as {found}")


def read(rules: AnyRules, text: str) -> Any:
    """Read ``text`` as a single order, or return ``None``."""
    parsed = reader(rules).parse(clean(text))
    if not isinstance(parsed, OrderLine) or parsed.seat is not None or parsed.draws:
        return None
    return None if isinstance(parsed.expression, (FirstOf, When)) else parsed.expression


def foreign(games: Games, moment: Moment, seat: Seat) -> Iterator[Any]:
    """Yield writable orders for ``seat`` that come from other positions, or differ a little from known ones."""
    luck = games.luck(f"foreign {moment.session.game.id} {moment.n} {seat}")
    known = [order for orders in games.orders.values() for order in orders]
    here = list(moment.session.rules.legal(moment.session.rules.at(moment.state, seat)))
    found = dict.fromkeys(luck.sample(known, min(len(known), _FOREIGN // 2)))
    for _ in range(_FOREIGN // 2 if known else 0):
        found[mutant(luck.choice(here or known), luck, games.seen_in_orders)] = None
    for order in found:
        try:
            again = read(games.rules, games.rules.language.text(order))
        except Exception:  # A value that is not an order needs no text.
            continue
        if again is not None:
            yield again


def _problem(moment: Moment, seat: Seat, order: Any) -> Problem | None:
    rules = moment.session.rules
    return rules.check(rules.at(moment.state, seat), order)
