"""Checks laws of a player's own file: what is legal follows only from what a seat sees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from adjudicator.core.canonical import canonical_text
from adjudicator.core.ids import Seat
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import carry_out, committed_chance
from adjudicator.core.unknown import Known, UnknownChance, UnknownError, known_rules
from adjudicator.outputs.orders import Decision
from adjudicator.own_file import known_position
from adjudicator.session import bind_rules
from adjudicator.store.views import view_of
from adjudicator.testing.failure import Broken
from adjudicator.testing.games import Games, Moment
from adjudicator.testing.law import law
from adjudicator.testing.orders import foreign

_COMPARED: Final = 24
"""The number of positions compared for every seat."""
_LEGAL: Final = 12
"""The number of legal orders compared in each of them."""
_PLAYED_ON: Final = 3
"""The number of legal orders of each seat due that are played on from its own view."""
_MOST_SEATS: Final = 5


@law
def a_view_answers_as_the_state_does(games: Games) -> None:
    """A seat's view and the whole state agree on legal orders, refusals and costs of this seat."""
    for moment in games.sampled(_COMPARED):
        game = moment.session.game
        # An explicit position may hold secrets: players get only the parts that they may know by the rules.
        known = known_position(games.rules, game.setup)
        at_home = bind_rules(games.rules, replace(game.setup, position=known), game.ruleset.version)
        for seat in moment.session.seats[:_MOST_SEATS]:
            _require_answers(games, moment, seat, at_home)


@law
def views_can_be_written_for_players(games: Games) -> None:
    """A seat's view of a position is the same after writing it to the player's file and reading it back."""
    for moment in games.sampled(_COMPARED):
        for seat in moment.session.seats[:_MOST_SEATS]:
            seen = moment.session.rules.view(moment.state, seat).state
            # Members of some enumerations are equal to their names, but not the same.
            if repr(view_of(games.rules.types.state, json.loads(canonical_text(seen)))) != repr(seen):
                raise Broken(
                    f"the view of {seat} changes when it is read back: declare `among` in the mark of the changed field"
                )


@law
def a_what_if_says_what_happens(games: Games) -> None:
    """What a seat sees after playing an order on from its own view also happens when the order is carried out."""
    luck = games.luck("what-if")
    for moment in games.sampled(_COMPARED):
        for seat in moment.due[:_MOST_SEATS]:
            orders = list(moment.session.rules.legal(moment.session.rules.at(moment.state, seat)))
            for order in luck.sample(orders, min(len(orders), _PLAYED_ON)):
                _require_foreseen(games, moment, seat, order)


def _require_foreseen(games: Games, moment: Moment, seat: Seat, order: Any) -> None:
    rules, game, known = moment.session.rules, moment.session.game, Known()
    view, text = rules.view(moment.state, seat).state, rules.language.text(order)
    after = None
    with suppress(UnknownError):
        after = carry_out(known_rules(rules, seat, known), view, rules.at(view, seat), order, UnknownChance()).state
    chance = committed_chance(game, game.journal[moment.n].entry.drawn)
    assert chance is not None
    taken = carry_out(rules, moment.state, rules.at(moment.state, seat), order, chance)
    right = [seen for event in taken.events if (seen := rules.redact(event, seat)) is not None]
    found = [seen for event in known.events if (seen := rules.redact(event, seat)) is not None]
    if found != right[: len(found)]:
        raise Broken(f"{text} of {seat} leads to {_shortened(found)} in a what-if, but to {_shortened(right)} in the game")
    if after is None or rules.config.seats_are_independent:
        return
    if rules.view(after, seat).state != rules.view(taken.state, seat).state or len(found) != len(right):
        raise Broken(f"{text} of {seat} leads to another position in a what-if than in the game: it depends on a secret")


def _require_answers(games: Games, moment: Moment, seat: Seat, at_home: AnyRuleset) -> None:
    rules, state = moment.session.rules, moment.state
    view = rules.view(state, seat)
    if at_home.view(view.state, seat).state != view.state:
        raise Broken(f"the view of {seat}'s own view is a different one")
    others = [*foreign(games, moment, seat)]
    answers = zip(_answers(rules, state, seat, others), _answers(at_home, view.state, seat, others), strict=True)
    for (what, right), (_, found) in answers:
        if right != found:
            raise Broken(
                f"{what} of {seat} is {_shortened(right)}, but {_shortened(found)} from its own view: it depends on a secret"
            )


def _answers(rules: AnyRuleset, state: Any, seat: Seat, others: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield what a player can ask about orders in ``state``, which may be a view, each answer with its name."""
    due = Decision.due_in(rules, state)
    yield "the list of decisions due, for the player", due
    yield "the end of the game, for the player", rules.is_over(state)
    yield "the list of standings, for the player", rules.standings(state)
    yield "the list of warnings, for the player", tuple(rules.warnings(state))
    yield "the reason of elimination, for the player", rules.retired(state, seat)
    legal = list(rules.legal(rules.at(state, seat)))
    yield "the list of legal orders", [rules.language.text(order) for order in legal]
    for order in [*legal[:_LEGAL], *others]:
        text = rules.language.text(order)
        yield f"the problem with {text}", rules.check(rules.at(state, seat), order)
        yield f"the cost of {text}", rules.cost_if_legal(rules.at(state, seat), order)
    if any(decision.seat == seat for decision in due):
        return
    ahead = rules.position_if_due(state, seat)
    yield "the possibility to list orders ahead", ahead is not None
    if ahead is not None:
        yield (
            "the list of orders that would be legal",
            [rules.language.text(order) for order in rules.legal(rules.at(ahead, seat))],
        )


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"
