"""Windows: decisions of several seats at once, each of which may change its answer until all have answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.journal import Link
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import SKIPPED


@frozen
class Answered:
    """The news that an order of ``seat`` was its answer in the open window, or with ``is_later`` in one opened since.

    ``is_open`` says that the seat can still change it.
    """

    seat: Seat
    is_later: bool
    is_open: bool


def answers(rules: AnyRuleset, config: Any, game: Game, accepted: Iterable[Link]) -> Iterator[Answered]:
    """Yield each of the orders ``accepted`` since ``game`` that was an answer in a window, the last of each seat in it."""
    if not rules.has_windows:
        return
    state, seats = game.state, [player.seat for player in game.setup.players]
    given: dict[Seat, None] = {}
    is_later = False
    for link in accepted:
        was_open = _is_open(rules, config, state, seats)
        for event in link.entry.events:
            state = rules.evolve(config, state, event)
        is_order = link.entry.seat not in (None, MODERATOR) and link.entry.order != SKIPPED
        is_open = _is_open(rules, config, state, seats)
        if is_order and (was_open or is_open):
            given[Seat(str(link.entry.seat))] = None
        if was_open and not is_open:
            yield from (Answered(seat, is_later, is_open=False) for seat in given)
            given.clear()
        is_later = is_later or (is_order and not is_open)
    yield from (Answered(seat, is_later, is_open=True) for seat in given)


def _is_open(rules: AnyRuleset, config: Any, state: Any, seats: Iterable[Seat]) -> bool:
    return any(rules.position_before_answer(config, state, seat) is not None for seat in seats)
