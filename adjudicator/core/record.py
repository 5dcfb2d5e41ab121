"""The journal read from its beginning: states entry by entry, corrections included, and which entries still count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from adjudicator.core.corrections import STATE_AFTER, SeatHanded, SecretRevealed, Undone
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Entry
from adjudicator.core.ruleset import AnyRuleset, Player


def states(rules: AnyRuleset, config: Any, entries: Iterable[Entry]) -> Iterator[tuple[Entry, Any]]:
    """Yield each entry with the state after it: the fold of the events, no rule is asked again.

    Raises ``IndexError`` if an entry undoes what has not happened yet.
    """
    state = rules.initial(config)
    past: list[Any] = []
    for entry in entries:
        for event in entry.events:
            state = apply_event(rules, config, state, event, past)
        past.append(state)
        yield entry, state


def final_state(rules: AnyRuleset, config: Any, entries: Iterable[Entry]) -> Any:
    """Return the state after all ``entries``."""
    state = None
    for _, after in states(rules, config, entries):
        state = after
    return state


def undone_by(entries: Iterable[Entry]) -> dict[int, int]:
    """Return for each entry that no longer counts the number of the entry that undid it.

    A seat stays handed over and a secret told, whatever is undone.
    """
    undone: dict[int, int] = {}
    lasting: set[int] = set()
    for entry in entries:
        for event in entry.events:
            if isinstance(event, (SeatHanded, SecretRevealed)):
                lasting.add(entry.n)
            elif isinstance(event, Undone):
                undone |= {n: entry.n for n in range(event.to + 1, entry.n) if n not in undone and n not in lasting}
    return undone


def holders(players: Iterable[Player], entries: Iterable[Entry]) -> dict[Seat, str]:
    """Return who holds each seat now."""
    held = {player.seat: player.holder for player in players}
    for entry in entries:
        for event in entry.events:
            if isinstance(event, SeatHanded):
                held[event.seat] = event.holder
    return held


def apply_event(rules: AnyRuleset, config: Any, state: Any, event: Any, past: Sequence[Any]) -> Any:
    """Return ``state`` after ``event``, be it the game's or a correction; ``past`` has the state after each entry."""
    correction = STATE_AFTER.get(type(event))
    return rules.evolve(config, state, event) if correction is None else correction(state, event, past)
