"""Read the journal from its beginning: the state after each entry, corrections included, and the undone entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from adjudicator.core.chance import WordSent
from adjudicator.core.corrections import STATE_AFTER, MissedDeadline, SeatHanded, SecretRevealed, Undone, WentOnHoliday
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Entry
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.ruleset import Player

_LASTING: Final = (SeatHanded, SecretRevealed, MissedDeadline, WentOnHoliday, WordSent)


def states(rules: AnyRuleset, config: Any, entries: Iterable[Entry]) -> Iterator[tuple[Entry, Any]]:
    """Yield each entry with the state after it, by folding the events, without deciding any order again.

    Raises ``IndexError`` if an undo names an entry that is not before it.
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
    """Return for each undone entry the number of the entry that undid it.

    An undo never affects lasting entries: a seat's new player, a published secret, an absence, a word for chance.
    """
    listed = tuple(entries)
    lasting = {entry.n for entry in listed if any(isinstance(event, _LASTING) for event in entry.events)}
    return {n: by for n, by in left_behind(listed).items() if n not in lasting}


def left_behind(entries: Iterable[Entry]) -> dict[int, int]:
    """Return for each entry whose position an undo gave up the number of that undo, lasting entries included."""
    left: dict[int, int] = {}
    for entry in entries:
        for event in entry.events:
            if isinstance(event, Undone):
                left |= {n: entry.n for n in range(event.to + 1, entry.n) if n not in left}
    return left


def holders(players: Iterable[Player], entries: Iterable[Entry]) -> dict[Seat, str]:
    """Return the present player of each seat."""
    held = {player.seat: player.holder for player in players}
    for entry in entries:
        for event in entry.events:
            if isinstance(event, SeatHanded):
                held[event.seat] = event.holder
    return held


def apply_event(rules: AnyRuleset, config: Any, state: Any, event: Any, past: Sequence[Any]) -> Any:
    """Return ``state`` after ``event``, a game's event or a correction; ``past`` has the state after each entry."""
    correction = STATE_AFTER.get(type(event))
    return rules.evolve(config, state, event) if correction is None else correction(state, event, past)
