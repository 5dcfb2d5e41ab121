"""Checks laws of whole sheets: random alternatives, conditions and changed answers of several seats at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import islice
from random import Random
from typing import Any, Final

from adjudicator.core.conditions import Compare, Comparison, Condition, FactOf, Number
from adjudicator.core.engine import adjudicate
from adjudicator.core.ids import Seat
from adjudicator.core.order import FirstOf, Instruction, Sheet, When
from adjudicator.core.step import asked_in
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
    evolve = games.rules.evolve
    for moment in games.sampled(_MOMENTS):
        config, game = moment.session.config, moment.game
        luck = games.luck(f"sheets {game.id} {moment.n}")
        for _ in range(_TURNS):
            sheets = [*_sheets(games, moment._replace(state=game.state), luck)]
            outcome = adjudicate(games.rules, game, sheets)
            events = (event for link in outcome.accepted for event in link.entry.events)
            folded = reduce(partial(evolve, config), events, game.state)
            require_same("the fold of the events", folded, "the game", outcome.game.state)
            game = replace(outcome.game, pending=())


@law
def a_changed_answer_replaces_the_first(games: Games) -> None:
    """The events of a changed answer lead to the same state from the first answer and from no answer."""
    rules = games.rules
    for moment in games.sampled(_MOMENTS) if rules.has_windows else ():
        config, state = moment.session.config, moment.state
        for seat in moment.session.seats:
            before = rules.position_before_answer(config, state, seat)
            if seat in moment.due or before is None:
                continue
            for order in islice(rules.legal(rules.at(before, seat)), _CHOICES):
                outcome = adjudicate(rules, moment.game, [Sheet(seat, (Instruction(order),))])
                events = [event for link in outcome.accepted for event in link.entry.events]
                first = reduce(partial(rules.evolve, config), events, before)
                require_same(f"{rules.language.text(order)} as the first answer", first, "as the second", outcome.game.state)


def _sheets(games: Games, moment: Moment, luck: Random) -> Iterator[Sheet]:
    """Yield a random sheet for most seats, also for seats that have answered and may change the answer."""
    rules = games.rules, moment.session.config
    for seat in moment.session.seats:
        asked = asked_in(rules, moment.state, seat)
        orders = [] if asked is None else [*islice(rules.legal(rules.at(asked, seat)), _CHOICES)]
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
    rules = games.rules, moment.session.config
    for name, fact in rules.fact_values(rules.view(moment.state, seat)).items():
        value = fact("") if callable(fact) else fact
        if type(value) is int:
            yield Compare(FactOf(name), luck.choice((Comparison.AT_LEAST, Comparison.MORE)), Number(value))
