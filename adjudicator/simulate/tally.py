"""Counts what statistics need of one played game, from its journal and final standings, for any ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from adjudicator.core.game import Game
from adjudicator.core.values import Seat
from adjudicator.reports.data.statistics import GameTally, SeatTally
from adjudicator.session import Session

_NO_TRAITS: Final = frozenset({"seat", "rule", "kind"})


def tally_game(session: Session, number: int) -> GameTally:
    """Return the tally of the game of ``session``; ``number`` orders it among the others."""
    rules, game = session.rules, session.game
    traits, turns = traits_of(session), _turns(game)
    seats = tuple(
        SeatTally(
            standing.seat,
            standing.place,
            standing.score,
            standing.note,
            turns.get(standing.seat, 0),
            traits.get(standing.seat, {}),
        )
        for standing in rules.standings(game.state)
    )
    return GameTally(number, rules.is_over(game.state), len(game.journal) - 1, seats, _kinds(game))


def traits_of(session: Session) -> Mapping[Seat, Mapping[str, str]]:
    """Return what each seat got at the set-up: every word in its events, such as its car."""
    traits: dict[Seat, dict[str, str]] = {seat: {} for seat in session.seats}
    for event in session.game.journal[0].entry.events:
        owner = traits.get(getattr(event, "seat", None))  # type: ignore[arg-type]
        if owner is None:
            continue
        for name in event.__struct_fields__:
            value: Any = getattr(event, name)
            if name not in _NO_TRAITS and isinstance(value, str):
                owner[name] = value
    return traits


def _turns(game: Game) -> dict[Seat, int]:
    """Return the place of each seat in the order of their first orders."""
    first = dict.fromkeys(link.entry.seat for link in game.journal[1:] if link.entry.seat is not None)
    return {seat: at for at, seat in enumerate(first, 1)}


def _kinds(game: Game) -> dict[str, int]:
    """Return how many events of each kind the journal has, undone ones included."""
    return dict(Counter(event.kind for link in game.journal for event in link.entry.events))
