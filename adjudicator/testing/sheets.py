"""Checks laws of whole sheets: random alternatives, conditions and changed answers of several seats at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import islice
from random import Random
from typing import Any, Final

from adjudicator.core.conditions import Compare, Comparison, Condition, FactOf, Number
from adjudicator.core.engine import adjudicate
from adjudicator.core.ids import Seat
from adjudicator.core.order import FirstOf, Instruction, Sheet, When
from adjudicator.testing.games import Games, Moment
from adjudicator.testing.law import law
from adjudicator.testing.records import require_same

_MOMENTS: Final = 40
"""The number of positions for random sheets."""
_TURNS: Final = 4
"""Adjudications in a row from each position."""
_LONGEST: Final = 3
"""Orders on a sheet."""
_SENDING: Final = 0.5
"""The share of seats that send a sheet: those that wait for others may change their answers."""
_CHOICES: Final = 30
"""Legal orders of a seat from which its sheet is drawn."""


@law
def the_state_is_the_fold_of_the_events(games: Games) -> None:
    """After every adjudication of random sheets, folding the new events into the old state gives the new one."""
    for moment in games.sampled(_MOMENTS):
        rules, game = moment.session.rules, moment.game
        luck = games.luck(f"sheets {game.id} {moment.n}")
        for _ in range(_TURNS):
            sheets = [*_sheets(games, moment._replace(state=game.state), luck)]
            outcome = adjudicate(rules, game, sheets)
            events = (event for link in outcome.accepted for event in link.entry.events)
            folded = reduce(lambda state, event: event.apply(rules.config, state), events, game.state)
            require_same("the fold of the events", folded, "the game", outcome.game.state)
            game = replace(outcome.game, pending=())


@law
def a_changed_answer_replaces_the_first(games: Games) -> None:
    """The events of a changed answer lead to the same state from the first answer and from no answer."""
    for moment in games.sampled(_MOMENTS):
        rules = moment.session.rules
        for seat in (ask.seat for ask in rules.asked(moment.state) if not ask.is_due):
            at = rules.answering(moment.state, seat)
            assert at is not None
            for order in islice(rules.legal(at), _CHOICES):
                outcome = adjudicate(rules, moment.game, [Sheet(seat, (Instruction(order),))])
                events = [event for link in outcome.accepted for event in link.entry.events]
                first = reduce(lambda state, event: event.apply(rules.config, state), events, at.state)
                require_same(f"{rules.language.text(order)} as the first answer", first, "as the second", outcome.game.state)


def _sheets(games: Games, moment: Moment, luck: Random) -> Iterator[Sheet]:
    """Yield a random sheet for most seats, also for seats that have answered and may change the answer."""
    rules = moment.session.rules
    for seat in moment.session.seats:
        at = rules.answering(moment.state, seat)
        orders = [] if at is None else [*islice(rules.legal(at), _CHOICES)]
        orders = orders or [luck.choice(some) for some in games.orders.values()]
        if luck.random() < _SENDING and orders:
            conditions = [*_conditions(games, moment, seat, luck)]
            lines = (_expression(orders, conditions, luck) for _ in range(luck.randint(1, _LONGEST)))
            yield Sheet(seat, tuple(Instruction(line, line=number) for number, line in enumerate(lines, 1)))


def _expression(orders: Sequence[Any], conditions: Sequence[Condition], luck: Random) -> Any:
    first, second = luck.choice(orders), luck.choice(orders)
    kind = luck.choice(("order", "or", "if", "if else") if conditions else ("order", "or"))
    if kind == "order":
        return first
    if kind == "or":
        return FirstOf((first, second))
    return When(luck.choice(conditions), first, second if kind == "if else" else None)


def _conditions(games: Games, moment: Moment, seat: Seat, luck: Random) -> Iterable[Condition]:
    """Yield conditions about numbers that ``seat`` knows: some hold, others do not."""
    rules = moment.session.rules
    for name, fact in rules.fact_values(rules.view(moment.state, seat)).items():
        value = fact("") if callable(fact) else fact
        if type(value) is int:
            yield Compare(FactOf(name), luck.choice((Comparison.AT_LEAST, Comparison.MORE)), Number(value))
