"""Corrections of the moderator audited: whether they say truly what they changed, not whether they were wise."""

from __future__ import annotations

from typing import Any

from adjudicator.audit.compare import Diverged, compare_events, compare_field, diverged
from adjudicator.audit.course import Course, impossible_outcome
from adjudicator.core.amend import followed, put_right
from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.corrections import Amended, SeatHanded, SecretRevealed, Undone, correction_words
from adjudicator.core.diff import differences
from adjudicator.core.ids import MODERATOR
from adjudicator.core.journal import Entry
from adjudicator.core.plain import plain
from adjudicator.core.problem import SetupError
from adjudicator.reports.verdict import Kind


def audit_correction(course: Course, entry: Entry) -> None:
    """Check the heading of the entry, the event of the correction, and what followed from it without an order."""
    compare_field(entry, Kind.CORRECTION, "seat", entry.seat, MODERATOR)
    compare_field(entry, Kind.CORRECTION, "written", entry.written, None)
    compare_field(entry, Kind.CORRECTION, "notes", entry.notes, ())
    compare_field(entry, Kind.CORRECTION, "turn", entry.turn, course.turn + 1)
    event, state = entry.events[0], course.past[-1]
    match event:
        case Undone():
            state = _undone(course, entry, event)
        case Amended():
            state = _amended(course, entry, event)
        case SeatHanded():
            _hand_over(course, entry, event)
        case SecretRevealed():
            _reveal(course, entry, event)
    # The words are made of the event: a wrong event is told before them, not as words that do not fit it.
    compare_field(entry, Kind.CORRECTION, "order", entry.order, correction_words(event))
    chance = course.chance(())
    try:
        taken = followed(course.desk.rules, course.desk.table, state, event, chance, course.desk.seats)
    except ImpossibleOutcomeError as impossible:
        raise impossible_outcome(entry, Kind.CORRECTION, impossible) from impossible
    except SetupError as error:
        raise _impossible(entry, event, error) from error
    compare_events(entry, Kind.CORRECTION, (event, *taken.events))
    course.close(entry, taken.state, chance.drawn, is_closed=True)
    course.corrections += 1


def _undone(course: Course, entry: Entry, event: Undone) -> object:
    """Return the state gone back to; the count of outcomes goes back with it."""
    if event.to >= entry.n - 1:
        raise diverged(entry, Kind.CORRECTION, "events[0].to", event.to, f"an entry before {entry.n - 1}")
    if event.to in course.undone:
        raise diverged(entry, Kind.CORRECTION, "events[0].to", event.to, "an entry that was not undone itself")
    course.undone.update(range(event.to + 1, entry.n))
    course.drawn = course.desk.game.journal[event.to].entry.drawn
    return course.past[event.to]


def _amended(course: Course, entry: Entry, event: Amended) -> object:
    """Return the state amended; it must be one the rules can go on from, and differ from the one before."""
    rules, table, state = course.desk.rules, course.desk.table, course.past[-1]
    if event.before != state:
        for path, recorded, recomputed in differences(plain(event.before), plain(state), "events[0].before"):
            raise diverged(entry, Kind.CORRECTION, path, recorded, recomputed)
    if event.after == state:
        raise diverged(entry, Kind.CORRECTION, "events[0].after", "the state before", "another state")
    try:
        amended = put_right(rules, table, event.after, course.desk.seats)
    except SetupError as error:
        raise _impossible(entry, event, error) from error
    if amended != event.after:
        for path, recorded, recomputed in differences(plain(event.after), plain(amended), "events[0].after"):
            raise diverged(entry, Kind.CORRECTION, path, recorded, recomputed)
    return event.after


def _impossible(entry: Entry, event: Any, error: SetupError) -> Diverged:
    return diverged(entry, Kind.CORRECTION, "events[0].after", event.after, f"impossible: {error}")


def _hand_over(course: Course, entry: Entry, event: SeatHanded) -> None:
    if event.seat not in course.held:
        seats = " ".join(course.held)
        raise diverged(entry, Kind.CORRECTION, "events[0].seat", event.seat, f"one of {seats}")
    compare_field(entry, Kind.CORRECTION, "events[0].before", event.before, course.held[event.seat])
    if event.holder == event.before:
        raise diverged(entry, Kind.CORRECTION, "events[0].holder", event.holder, "somebody else")
    course.held[event.seat] = event.holder


def _reveal(course: Course, entry: Entry, event: SecretRevealed) -> None:
    game, rules, table = course.desk.game, course.desk.rules, course.desk.table
    if event.secret != game.chance.secret:
        raise diverged(entry, Kind.CORRECTION, "events[0].secret", event.secret, "the secret committed to")
    if course.is_revealed:
        raise diverged(entry, Kind.CORRECTION, "events[0].secret", event.secret, "nothing: it was published already")
    is_early = not rules.is_over(table, course.past[-1])
    compare_field(entry, Kind.CORRECTION, "events[0].is_early", event.is_early, is_early)
    course.is_revealed = True
