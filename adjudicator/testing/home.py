"""Laws of what a player can find out at home: what is legal follows from what a seat sees, and from nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from adjudicator.core.canonical import canonical_text
from adjudicator.core.ids import Seat
from adjudicator.own_file import known_position
from adjudicator.session import configured
from adjudicator.store.view_builder import view_builder
from adjudicator.testing.failure import Broken
from adjudicator.testing.games import Games, Moment
from adjudicator.testing.law import law
from adjudicator.testing.orders import foreign

_COMPARED: Final = 24
"""Positions that are looked at from every seat."""
_LEGAL: Final = 12
"""Legal orders that are asked about in each of them."""
_MOST_SEATS: Final = 5


@law
def a_view_answers_as_the_state_does(games: Games) -> None:
    """What is legal, why an order is refused and what it costs a seat is told by its view as by the whole state."""
    for moment in games.sampled(_COMPARED):
        game = moment.session.game
        # An explicit position may hold secrets: players are told only what the rules say that they know.
        known = known_position(games.rules, game.setup)
        at_home = configured(games.rules, replace(game.setup, position=known), game.ruleset.version)
        for seat in moment.session.seats[:_MOST_SEATS]:
            _require_answers(games, moment, seat, at_home)


@law
def views_can_be_written_for_players(games: Games) -> None:
    """What a seat sees of a position is the same again when it is read from a file that its player has."""
    build = view_builder(games.rules.types.state)
    for moment in games.sampled(_COMPARED):
        for seat in moment.session.seats[:_MOST_SEATS]:
            seen = games.rules.view(moment.session.config, moment.state, seat).state
            # Members of some enumerations are equal to what they are called, and are not the same.
            if repr(build(json.loads(canonical_text(seen)))) != repr(seen):
                raise Broken(f"what {seat} sees is another thing when it is read back: a mark says `among` what it is shown")


def _require_answers(games: Games, moment: Moment, seat: Seat, at_home: Any) -> None:
    rules, config, state = games.rules, moment.session.config, moment.state
    view = rules.view(config, state, seat)
    if rules.view(at_home, view.state, seat) != view:
        raise Broken(f"{seat} looks at its own view, and sees something else")
    others = [*foreign(games, moment, seat)]
    answers = zip(
        _answers(games, config, state, seat, others), _answers(games, at_home, view.state, seat, others), strict=True
    )
    for (what, right), (_, found) in answers:
        if right != found:
            raise Broken(f"{what} of {seat} is {_told(right)}, and by its own view {_told(found)}: it depends on a secret")


def _answers(games: Games, config: Any, state: Any, seat: Seat, others: list[Any]) -> Iterator[tuple[str, Any]]:
    """Yield everything that a player asks about orders in ``state``, which may be a view, each with what it is."""
    rules = games.rules
    due = rules.awaiting(config, state)
    yield "who is asked for what, as told to", due
    yield "the end of the game, as told to", rules.is_over(config, state)
    yield "the standings, as told to", rules.standings(config, state)
    yield "the warnings, as told to", rules.lint(config, state)
    yield "why it is never asked again, as told to", rules.eliminated(config, state, seat)
    legal = list(rules.legal(config, state, seat))
    yield "the list of legal orders", [rules.language.text(order) for order in legal]
    for order in [*legal[:_LEGAL], *others]:
        text = rules.language.text(order)
        yield f"the problem with {text}", rules.check(config, state, seat, order)
        yield f"the cost of {text}", rules.cost(config, state, seat, order)
    if any(decision.seat == seat for decision in due):
        return
    ahead = rules.if_due(config, state, seat)
    yield "whether orders can be listed ahead", ahead is not None
    if ahead is not None:
        yield "the list of what would be legal", [rules.language.text(order) for order in rules.legal(config, ahead, seat)]


def _told(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= 200 else f"{told[:200]}…"
