"""Audit the moderator's corrections: whether they record their changes correctly, not whether they were wise."""

from __future__ import annotations

from typing import Any

from adjudicator.audit.compare import DivergenceError, compare_events, compare_field, divergence_at
from adjudicator.audit.progress import AuditProgress, impossible_outcome
from adjudicator.core.apply_correction import consequences, validate_amendment
from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.corrections import (
    ABSENCES,
    Amended,
    MissedDeadline,
    SeatHanded,
    SecretRevealed,
    Undone,
    WentOnHoliday,
    correction_words,
)
from adjudicator.core.journal import Entry
from adjudicator.core.problem import SetupError
from adjudicator.core.values import MODERATOR, differences, json_value
from adjudicator.verdict import Kind


def audit_correction(progress: AuditProgress, entry: Entry) -> None:
    """Check the heading of the entry, the event of the correction, and its consequences."""
    compare_field(entry, Kind.CORRECTION, "seat", entry.seat, MODERATOR)
    compare_field(entry, Kind.CORRECTION, "written", entry.written, None)
    compare_field(entry, Kind.CORRECTION, "notes", entry.notes, ())
    event, state = entry.events[0], progress.state
    if not (isinstance(event, ABSENCES) and entry.turn == progress.turn):
        compare_field(entry, Kind.CORRECTION, "turn", entry.turn, progress.turn + 1)
    match event:
        case Undone():
            state = _undone(progress, entry, event)
        case Amended():
            state = _amended(progress, entry, event)
        case SeatHanded():
            _hand_over(progress, entry, event)
        case SecretRevealed():
            _reveal(progress, entry, event)
        case MissedDeadline():
            _require_seat(progress, entry, event)
            _require_count(progress, entry, event)
        case WentOnHoliday():
            _require_seat(progress, entry, event)
        case _:
            raise TypeError(f"{type(event).__name__} is no correction")
    # The words are made of the event, so a wrong event is reported first.
    compare_field(entry, Kind.CORRECTION, "order", entry.order, correction_words(event))
    chance = progress.chance(())
    try:
        taken = consequences(progress.session.rules, state, event, chance, progress.session.seats)
    except ImpossibleOutcomeError as impossible:
        raise impossible_outcome(entry, Kind.CORRECTION, impossible) from impossible
    except SetupError as error:
        raise _impossible(entry, event, error) from error
    compare_events(entry, Kind.CORRECTION, (event, *taken.events))
    progress.close(entry, taken.state, chance.drawn, is_closed=True)
    progress.corrections += 1


def _undone(progress: AuditProgress, entry: Entry, event: Undone) -> object:
    """Return the earlier state; the count of outcomes goes back with it."""
    if event.to >= entry.n - 1:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].to", event.to, f"an entry before {entry.n - 1}")
    if event.to in progress.undone:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].to", event.to, "an entry that was not undone itself")
    progress.undone.update(range(event.to + 1, entry.n))
    state, progress.drawn = progress.earlier[event.to]
    return state


def _amended(progress: AuditProgress, entry: Entry, event: Amended) -> object:
    """Return the amended state, which the rules must accept and which must differ from the one before."""
    rules, state = progress.session.rules, progress.state
    if event.before != state:
        for path, recorded, recomputed in differences(json_value(event.before), json_value(state), "events[0].before"):
            raise divergence_at(entry, Kind.CORRECTION, path, recorded, recomputed)
    if event.after == state:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].after", "the state before", "another state")
    try:
        amended = validate_amendment(rules, state, event.after, progress.session.seats)
    except SetupError as error:
        raise _impossible(entry, event, error) from error
    if amended != event.after:
        for path, recorded, recomputed in differences(json_value(event.after), json_value(amended), "events[0].after"):
            raise divergence_at(entry, Kind.CORRECTION, path, recorded, recomputed)
    return event.after


def _impossible(entry: Entry, event: Any, error: SetupError) -> DivergenceError:
    return divergence_at(entry, Kind.CORRECTION, "events[0].after", event.after, f"impossible: {error}")


def _hand_over(progress: AuditProgress, entry: Entry, event: SeatHanded) -> None:
    _require_seat(progress, entry, event)
    compare_field(entry, Kind.CORRECTION, "events[0].before", event.before, progress.holders[event.seat])
    if event.holder == event.before:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].holder", event.holder, "somebody else")
    progress.holders[event.seat] = event.holder


def _require_seat(progress: AuditProgress, entry: Entry, event: SeatHanded | MissedDeadline | WentOnHoliday) -> None:
    if event.seat not in progress.holders:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].seat", event.seat, f"one of {' '.join(progress.holders)}")


def _require_count(progress: AuditProgress, entry: Entry, event: MissedDeadline) -> None:
    """Check the count of missed deadlines of a seat: one more than the last count, or 1."""
    last = progress.missed.get(event.seat, 0)
    if event.missed not in (1, last + 1):
        right = "1" if not last else f"1 or {last + 1}"
        raise divergence_at(entry, Kind.CORRECTION, "events[0].missed", event.missed, right)
    progress.missed[event.seat] = event.missed


def _reveal(progress: AuditProgress, entry: Entry, event: SecretRevealed) -> None:
    game, rules = progress.session.game, progress.session.rules
    if event.secret != game.chance.secret:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].secret", event.secret, "the secret committed to")
    if progress.is_revealed:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].secret", event.secret, "nothing: it was published already")
    is_early = not rules.is_over(progress.state)
    compare_field(entry, Kind.CORRECTION, "events[0].is_early", event.is_early, is_early)
    progress.is_revealed = True
