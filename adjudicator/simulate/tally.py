"""Count what statistics need of one played game, from its journal and final standings, for any ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from adjudicator.core.values import Seat
from adjudicator.library.game import Game
from adjudicator.reports.statistics import GameTally, SeatTally

_NO_TRAITS: Final = frozenset({"seat", "rule", "kind"})


def tally_game(game: Game, number: int) -> GameTally:
    """Return the tally of ``game``; ``number`` orders it among the others."""
    rules, record = game.rules, game.record
    traits, first = _traits_of(game), dict.fromkeys(link.entry.seat for link in record.journal[1:] if link.entry.seat)
    turns = {seat: at for at, seat in enumerate(first, 1)}
    kinds = Counter(event.kind for link in record.journal for event in link.entry.events)  # undone ones included
    seats = tuple(
        SeatTally(
            standing.seat,
            standing.place,
            standing.score,
            standing.note,
            turns.get(standing.seat, 0),
            traits.get(standing.seat, {}),
        )
        for standing in rules.standings(record.state)
    )
    return GameTally(number, rules.is_over(record.state), len(record.journal) - 1, seats, dict(kinds))


def _traits_of(game: Game) -> Mapping[Seat, Mapping[str, str]]:
    """Return what each seat got at the set-up: every word in its events, such as its car."""
    traits: dict[Seat, dict[str, str]] = {seat: {} for seat in game.seats}
    for event in game.record.journal[0].entry.events:
        owner = traits.get(getattr(event, "seat", None))  # type: ignore[arg-type]
        if owner is None:
            continue
        for name in event.__struct_fields__:
            value: Any = getattr(event, name)
            if name not in _NO_TRAITS and isinstance(value, str):
                owner[name] = value
    return traits
