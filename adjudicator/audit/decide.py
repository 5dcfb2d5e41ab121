"""Decide one game again from its set-up, and compare it with its record, event by event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjudicator import rulesets
from adjudicator.audit.compare import (
    DivergenceError,
    compare_events,
    compare_field,
    compare_whole,
    divergence_at,
    divergence_of_file,
    fault,
)
from adjudicator.audit.recorded_orders import Reader, reader
from adjudicator.core.chance import CommittedChance, ImpossibleOutcomeError, WordSent
from adjudicator.core.corrections import Amended, Correction, Past, SecretRevealed, Undone
from adjudicator.core.entries import DRAWN, redecide, validate_amendment
from adjudicator.core.game import Record
from adjudicator.core.journal import SKIPPED, Entry
from adjudicator.core.order import instruction_text
from adjudicator.core.problem import SetupError
from adjudicator.core.ruleset import fill_options
from adjudicator.core.step import RefusedError, Taken, committed_chance, gist, validate_expression
from adjudicator.core.values import MODERATOR, Seat, differences, json_value, replace
from adjudicator.library.game import Game
from adjudicator.orders.player_words import BadWordError, normalize_word
from adjudicator.store.components import is_borrowed
from adjudicator.verdict import Divergence, Kind, Verdict


@dataclass(slots=True)
class _Progress:
    """The ``state`` after the last of the ``past`` entries, and the values that the next entry must fit.

    ``read`` reads the recorded orders. ``committed`` is the chance of the game (``None``: recorded), ``drawn`` how many
    outcomes are used up. ``earlier`` has state and outcomes after each entry to which the game goes back later. ``turn`` is
    the adjudication of the last entry, which ``is_closed`` if no order can be added to it; ``word_seats`` sent words in it.
    """

    game: Game
    read: Reader
    past: Past
    earlier: dict[int, tuple[Any, int]]
    committed: CommittedChance | None = None
    state: Any = None
    drawn: int = 0
    turn: int = 0
    is_closed: bool = True
    word_seats: tuple[Seat | None, ...] = ()
    orders: int = 0
    corrections: int = 0


def audit_game(game: Game, source: str = "", notify: Callable[[], object] = lambda: None) -> Verdict:
    """Return the verdict on ``game``, whose schema, chain and commitment were checked at loading.

    Each entry calls ``notify``.
    """
    record, progress = game.record, _begun(game)
    divergence = None
    try:
        _audit_heading(progress)
        for link in record.journal:
            _audit_entry(progress, link.entry)
            notify()
        compare_whole(Kind.STATE, "state", record.state, progress.state)
        _audit_pending(progress)
    except DivergenceError as found:
        divergence = found.divergence
    except Exception as error:  # everything before agrees with the rules, so this is a bug and not a forgery
        at = progress.past.entries
        divergence = fault(error, record.ruleset.id, record.journal[at].entry if at < len(record.journal) else None)
    return _verdict(progress, source, divergence)


def with_all_options(record: Record) -> Record:
    """Return ``record`` with every option of its rules, missing ones at their default. Raises ``SetupError``."""
    meta = rulesets.ruleset(record.ruleset.id).meta
    options = fill_options(meta, record.setup.seats, record.setup.options, record.ruleset.version)
    return replace(record, setup=replace(record.setup, options=options))


def _begun(game: Game) -> _Progress:
    """Return the audit of ``game`` before its first step."""
    entries = (link.entry for link in game.record.journal)
    earlier = {event.to: (None, 0) for entry in entries for event in entry.events if type(event) is Undone}
    return _Progress(game, reader(game.rules), Past(game.record.setup.players, game.record.chance.entropy), earlier)


def _verdict(progress: _Progress, source: str, divergence: Divergence | None) -> Verdict:
    """Return the verdict at the end of the audit, which may be at a ``divergence``."""
    record, rules = progress.game.record, progress.game.rules
    found = Verdict(
        source=source,
        game=record.id,
        ruleset=record.ruleset.id,
        entries=progress.past.entries,
        orders=progress.orders,
        corrections=progress.corrections,
        draws=progress.drawn,
        divergence=divergence,
    )
    try:
        return replace(found, is_over=progress.past.entries > 0 and rules.is_over(progress.state))
    except Exception as error:  # what the audit found before counts more
        return replace(found, divergence=divergence or fault(error, record.ruleset.id))


def _audit_heading(progress: _Progress) -> None:
    """Check the parts of a game before its first entry: players, options and chance."""
    record, meta = progress.game.record, progress.game.rules.meta
    fewest, most = meta.players
    if not fewest <= len(progress.game.seats) <= most:
        raise divergence_of_file(Kind.SETUP, "setup.players", len(progress.game.seats), f"{fewest} to {most}")
    try:
        options = fill_options(meta, progress.game.seats, record.setup.options, record.ruleset.version)
    except SetupError as error:
        raise divergence_of_file(Kind.SETUP, "setup.options", dict(record.setup.options), str(error)) from error
    compare_whole(Kind.SETUP, "setup.options", dict(record.setup.options), options)
    if is_borrowed(progress.game.rules, record.setup.components):
        words = "another id: the set with this id has other contents"
        raise divergence_of_file(Kind.SETUP, "components.id", record.components.id, words)
    asked = set(progress.game.seats) if record.chance.source == "committed" else set()
    if not set(record.chance.entropy) <= asked:
        words = f"words of {' '.join(progress.game.seats)}" if asked else "{}"
        raise divergence_of_file(Kind.SETUP, "chance.entropy", dict(record.chance.entropy), words)
    for seat, word in record.chance.entropy.items() if record.chance.promised else ():
        compare_whole(Kind.SETUP, f"chance.entropy.{seat}", word, canonical_word(word))
    silent = tuple(seat for seat in progress.game.seats if seat not in record.chance.entropy)
    if record.chance.promised and record.chance.without != silent:
        raise divergence_of_file(Kind.SETUP, "chance.without", record.chance.without, " ".join(silent) or "nobody")
    if record.chance.source == "committed" and record.chance.secret is None:
        raise divergence_of_file(Kind.CHANCE, "chance.secret", "nothing", "the secret: without it no draw can be checked")
    progress.committed = committed_chance(record, 0, words=())


def _audit_entry(progress: _Progress, entry: Entry) -> None:
    """Decide one ``entry`` again, and compare everything in it. Raises ``DivergenceError``."""
    event = entry.outside
    if entry.n == 0:
        for name, right in (("seat", None), ("order", ""), ("notes", ()), ("turn", 0)):
            compare_field(entry, Kind.SETUP, name, getattr(entry, name), right)
        outcomes = [] if progress.committed else (entry.written or "[]").removeprefix("[").removesuffix("]").split()
        compare_field(entry, Kind.SETUP, "written", entry.written, f"[{' '.join(outcomes)}]" if outcomes else None)
        taken = _decided(progress, entry, None, Kind.SETUP)
        compare_events(entry, Kind.SETUP, taken.events)
    elif isinstance(event, Correction):
        taken = _audit_correction(progress, entry, event)
    elif type(event) is WordSent:
        taken = _audit_word(progress, entry, event)
    else:
        taken = _audit_order(progress, entry)
    if entry.drawn != taken.drawn:
        raise divergence_at(entry, Kind.CHANCE, "drawn", entry.drawn, taken.drawn)
    progress.state, progress.drawn = taken.state, taken.drawn
    if entry.n in progress.earlier:
        progress.earlier[entry.n] = taken.state, taken.drawn
    if entry.turn != progress.turn:
        progress.word_seats = ()
    if type(event) is WordSent:
        progress.word_seats = (*progress.word_seats, entry.seat)
    is_order = entry.n > 0 and event is None
    progress.is_closed = not is_order or (progress.is_closed and entry.turn == progress.turn)
    progress.turn = entry.turn
    progress.past.take(entry)


def _decided(progress: _Progress, entry: Entry, event: Any, kind: Kind) -> Taken:
    """Return what the rules make of ``entry`` (``event``: the correction or word in it). Raises ``DivergenceError``."""
    rules = progress.game.rules
    before = progress.state, progress.drawn
    if type(event) is Undone:  # the count of outcomes goes back with the state
        before = progress.earlier[event.to]
    try:
        return redecide(rules, before[0], entry, progress.committed, before[1], progress.read)
    except RefusedError as error:
        where, text = ("order", entry.order) if entry.written is None else ("written", entry.written)
        if not error.seat_is_due:
            due = " ".join(sorted(ask.seat for ask in rules.due(progress.state)))
            raise divergence_at(entry, Kind.REFUSED, "seat", entry.seat, due or "nobody") from error
        if not error.refusals:
            raise divergence_at(entry, Kind.UNREADABLE, where, text, "an order of this game") from error
        problem = error.refusals[0][1]
        if problem is not DRAWN:
            where, text = "order", entry.order
        raise divergence_at(entry, Kind.REFUSED, where, text, f"refused: {problem.message}", problem.rule) from error
    except ImpossibleOutcomeError as impossible:
        if kind is Kind.CHANCE:
            _compare_notes(entry, impossible.choice.notes)
        recorded = "nothing" if impossible.outcome is None else impossible.outcome
        among = " ".join(impossible.among[:20]) + (" …" if len(impossible.among) > 20 else "")
        words = f"{impossible.purpose}: one of {among}" if among else "no more outcomes"
        raise divergence_at(entry, kind, "outcome", recorded, words) from impossible
    except SetupError as error:
        words = f"impossible: {error}"
        if isinstance(event, Amended):
            raise divergence_at(entry, Kind.CORRECTION, "events[0].after", event.after, words) from error
        if entry.n:
            raise
        raise divergence_of_file(Kind.SETUP, "setup.position", "as it is", words) from error


def _audit_correction(progress: _Progress, entry: Entry, event: Correction) -> Taken:
    """Audit a correction by the moderator: whether it records its change correctly, not whether it was wise."""
    record, rules = progress.game.record, progress.game.rules
    for name, right in (("seat", MODERATOR), ("written", None), ("notes", ())):
        compare_field(entry, Kind.CORRECTION, name, getattr(entry, name), right)
    if not (event.may_share_turn and entry.turn == progress.turn):
        compare_field(entry, Kind.CORRECTION, "turn", entry.turn, progress.turn + 1)
    if isinstance(event, SecretRevealed) and event.secret != record.chance.secret:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].secret", event.secret, "the secret committed to")
    for name, recorded, right in event.flaws(progress.past):
        raise divergence_at(entry, Kind.CORRECTION, f"events[0].{name}", recorded, right)
    if isinstance(event, SecretRevealed):
        is_early = not rules.is_over(progress.state)
        compare_field(entry, Kind.CORRECTION, "events[0].is_early", event.is_early, is_early)
    if isinstance(event, Amended):
        _audit_amendment(progress, entry, event)
    # The words are made of the event, so a wrong event is reported first.
    compare_field(entry, Kind.CORRECTION, "order", entry.order, event.order_text())
    taken = _decided(progress, entry, event, Kind.CORRECTION)
    compare_events(entry, Kind.CORRECTION, taken.events)
    progress.corrections += 1
    return taken


def _audit_amendment(progress: _Progress, entry: Entry, event: Amended) -> None:
    """Check that an amendment starts from the recorded state and makes another one that the rules accept."""
    state = progress.state
    if event.before != state:
        for path, recorded, right in differences(json_value(event.before), json_value(state), "events[0].before"):
            raise divergence_at(entry, Kind.CORRECTION, path, recorded, right)
    if event.after == state:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].after", "the state before", "another state")
    try:
        amended = validate_amendment(progress.game.rules, state, event.after)
    except SetupError as error:
        raise divergence_at(entry, Kind.CORRECTION, "events[0].after", event.after, f"impossible: {error}") from error
    if amended != event.after:
        for path, recorded, right in differences(json_value(event.after), json_value(amended), "events[0].after"):
            raise divergence_at(entry, Kind.CORRECTION, path, recorded, right)


def _audit_word(progress: _Progress, entry: Entry, event: WordSent) -> Taken:
    """Audit a word for chance: it closes the adjudication or makes its own, and each seat sends at most one in it."""
    past, turn = progress.past, progress.turn
    may_join = not progress.is_closed or (progress.word_seats and entry.seat not in progress.word_seats)
    if entry.turn != turn + 1 and not (may_join and entry.turn == turn):
        right = f"{turn} or {turn + 1}" if may_join else str(turn + 1)
        raise divergence_at(entry, Kind.ENTRY, "turn", entry.turn, right)
    if progress.committed is None:
        raise divergence_at(entry, Kind.ENTRY, "order", entry.order, "nothing: people draw the outcomes of this game")
    if progress.game.rules.is_over(progress.state):
        raise divergence_at(entry, Kind.ENTRY, "order", entry.order, "nothing: the game is over")
    compare_field(entry, Kind.ENTRY, "seat", entry.seat, event.seat)
    if event.seat not in past.holders:
        raise divergence_at(entry, Kind.ENTRY, "seat", event.seat, f"one of {' '.join(past.holders)}")
    compare_field(entry, Kind.ENTRY, "events[0].word", event.word, canonical_word(event.word))
    for name, recorded, right in event.flaws(past):
        raise divergence_at(entry, Kind.ENTRY, f"events[0].{name}", recorded, right)
    compare_events(entry, Kind.CHANCE, (replace(event, outcome=past.most_drawn),))
    taken = _decided(progress, entry, event, Kind.ENTRY)
    for name in ("order", "written", "notes"):
        compare_field(entry, Kind.ENTRY, name, getattr(entry, name), getattr(taken, name))
    progress.committed.take(event)
    return taken


def canonical_word(word: str) -> str:
    """Return the canonical form of a player's ``word``, or why it is not possible."""
    try:
        return normalize_word(word)
    except BadWordError as error:
        return f"a word that {error}"


def _audit_order(progress: _Progress, entry: Entry) -> Taken:
    """Audit an order of a player, in a possible adjudication."""
    holders, turn = progress.past.holders, progress.turn
    if entry.seat == MODERATOR:
        raise divergence_at(entry, Kind.CORRECTION, "events", entry.events, "a correction as the first event")
    if entry.seat is None or entry.seat not in holders:
        raise divergence_at(entry, Kind.ENTRY, "seat", entry.seat or "nobody", f"one of {' '.join(holders)}")
    is_closed = progress.is_closed and entry.order != SKIPPED
    if entry.turn != turn + 1 and (is_closed or entry.turn != turn):
        right = str(turn + 1) if is_closed else f"{turn} or {turn + 1}"
        raise divergence_at(entry, Kind.ENTRY, "turn", entry.turn, right)
    taken = _decided(progress, entry, None, Kind.CHANCE)
    if entry.notes or taken.notes:
        _compare_notes(entry, taken.notes)
    compare_field(entry, Kind.BRANCH, "order", entry.order, taken.order)
    compare_field(entry, Kind.BRANCH, "written", entry.written, taken.written)
    compare_events(entry, Kind.EVENTS, taken.events)
    progress.orders += 1
    return taken


def _compare_notes(entry: Entry, notes: tuple[str, ...]) -> None:
    """Compare the branches; their words may be those of an older version."""
    compare_field(entry, Kind.BRANCH, "notes", tuple(map(gist, entry.notes)), tuple(map(gist, notes)))


def _audit_pending(progress: _Progress) -> None:
    """Check that pending and set-aside orders are possible; the record does not prove that anybody sent them."""
    record = progress.game.record
    for index, sheet in enumerate(record.pending):
        _audit_turn(progress, f"pending[{index}].turn", sheet.turn, sheet.seat)
        for line, order in enumerate(sheet.orders):
            right = _waiting(progress, order.order)
            if right != order.order:
                field = f"pending[{index}].orders[{line}].order"
                raise divergence_of_file(Kind.PENDING, field, order.order, right, sheet.seat, order.order)
    for index, one in enumerate(record.set_aside):
        # Set-aside orders may be unreadable: that is one of the reasons for setting them aside.
        _audit_turn(progress, f"set_aside[{index}].turn", one.turn, one.sheet.seat)
        _audit_turn(progress, f"set_aside[{index}].sheet.turn", one.sheet.turn, one.sheet.seat)


def _audit_turn(progress: _Progress, field: str, turn: int, seat: Seat) -> None:
    if turn > progress.turn + 1:
        raise divergence_of_file(Kind.PENDING, field, turn, f"at most {progress.turn + 1}", seat)


def _waiting(progress: _Progress, text: str) -> str:
    """Return the canonical words of the pending order ``text``, or why it cannot be pending."""
    instruction = progress.read(text)
    if instruction is None:
        return "an order of this game"
    if instruction.draws and progress.committed is not None:
        return f"refused: {DRAWN.message}"
    for _, problem in validate_expression(progress.game.rules, instruction.expression):
        return f"refused: {problem.message}"
    return instruction_text(instruction, progress.game.rules.language.text)
