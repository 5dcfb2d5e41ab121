"""Audit words for chance: each from a seat, in its canonical form, mixed in from the first unknown outcome on."""

from __future__ import annotations

from adjudicator.audit.compare import compare_events, compare_field, divergence_at
from adjudicator.audit.progress import AuditProgress
from adjudicator.core.chance import WordSent
from adjudicator.core.journal import Entry
from adjudicator.core.values import replace
from adjudicator.core.words import word_entry
from adjudicator.orders.player_words import BadWordError, normalize_word
from adjudicator.verdict import Kind


def audit_word(progress: AuditProgress, entry: Entry) -> None:
    """Check the entry of a word, and mix the word into the outcomes that follow."""
    event: WordSent = entry.events[0]
    _audit_turn(progress, entry)
    if progress.committed is None:
        raise divergence_at(entry, Kind.ENTRY, "order", entry.order, "nothing: people draw the outcomes of this game")
    if progress.session.rules.is_over(progress.state):
        raise divergence_at(entry, Kind.ENTRY, "order", entry.order, "nothing: the game is over")
    compare_field(entry, Kind.ENTRY, "seat", entry.seat, event.seat)
    if event.seat not in progress.holders:
        raise divergence_at(entry, Kind.ENTRY, "seat", event.seat, f"one of {' '.join(progress.holders)}")
    compare_field(entry, Kind.ENTRY, "events[0].word", event.word, canonical_word(event.word))
    if event.word == progress.words.get(event.seat):
        raise divergence_at(entry, Kind.ENTRY, "events[0].word", event.word, "another word than the one before")
    right = replace(event, outcome=progress.most_drawn)
    compare_events(entry, Kind.CHANCE, (right,))
    expected = word_entry(right, n=entry.n, turn=entry.turn, drawn=progress.drawn)
    for field in ("order", "written", "notes"):
        compare_field(entry, Kind.ENTRY, field, getattr(entry, field), getattr(expected, field))
    progress.words[event.seat] = event.word
    progress.committed.take(event)
    progress.close(entry, progress.state, progress.drawn, is_closed=True)


def canonical_word(word: str) -> str:
    """Return the canonical form of a player's ``word``, or why it is not possible."""
    try:
        return normalize_word(word)
    except BadWordError as error:
        return f"a word that {error}"


def _audit_turn(progress: AuditProgress, entry: Entry) -> None:
    """Check that the word closes the current adjudication or makes its own; at most one from each seat."""
    following = progress.turn + 1
    is_of_words = progress.turn_of_words == progress.turn and progress.is_closed
    may_join = not progress.is_closed or (is_of_words and entry.seat not in progress.word_seats)
    if entry.turn != following and not (may_join and entry.turn == progress.turn):
        right = f"{progress.turn} or {following}" if may_join else str(following)
        raise divergence_at(entry, Kind.ENTRY, "turn", entry.turn, right)
    if entry.turn != progress.turn_of_words:
        progress.turn_of_words, progress.word_seats = entry.turn, set()
    progress.word_seats.add(entry.seat)
