"""Decide one game again from its set-up, and compare it with its record, event by event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

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
from adjudicator.audit.corrections import audit_correction
from adjudicator.audit.progress import AuditProgress, impossible_outcome
from adjudicator.audit.recorded_orders import reader
from adjudicator.audit.words import audit_word, canonical_word
from adjudicator.core.at import Here
from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.corrections import CORRECTIONS, Undone
from adjudicator.core.game import Game
from adjudicator.core.journal import Entry
from adjudicator.core.order import FirstOf, Instruction, When, instruction_text
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.ruleset import fill_options
from adjudicator.core.step import (
    SKIPPED,
    Choice,
    StepResult,
    carry_out,
    choose_order,
    committed_chance,
    gist,
    go_on,
    validate_expression,
    written_text,
)
from adjudicator.core.values import MODERATOR, Seat, replace
from adjudicator.core.words import is_word
from adjudicator.session import Session
from adjudicator.store.components import is_borrowed
from adjudicator.verdict import Divergence, Kind, Verdict

_NOT_RECORDED: Final = "refused: outcomes in brackets, but the program draws the outcomes of this game"


def audit_game(session: Session, source: str = "", notify: Callable[[], object] = lambda: None) -> Verdict:
    """Return the verdict on the game of ``session``, whose schema, chain and commitment were checked at loading.

    Each entry calls ``notify``.
    """
    game, progress = session.game, _begun(session)
    divergence = None
    try:
        _audit_heading(progress)
        for link in game.journal:
            _audit_entry(progress, link.entry)
            notify()
        compare_whole(Kind.STATE, "state", game.state, progress.state)
        _audit_pending(progress)
    except DivergenceError as found:
        divergence = found.divergence
    except Exception as error:  # everything before agrees with the rules, so this is a bug and not a forgery
        at = progress.entries
        divergence = fault(error, game.ruleset.id, game.journal[at].entry if at < len(game.journal) else None)
    return _verdict(progress, source, divergence)


def with_all_options(game: Game) -> Game:
    """Return ``game`` with every option of its rules, missing ones at their default. Raises ``SetupError``."""
    meta = rulesets.ruleset(game.ruleset.id).meta
    options = fill_options(meta, game.setup.seats, game.setup.options, game.ruleset.version)
    return replace(game, setup=replace(game.setup, options=options))


def _begun(session: Session) -> AuditProgress:
    """Return the audit of the game of ``session`` before its first step."""
    entries = (link.entry for link in session.game.journal)
    targets = {event.to: (None, 0) for entry in entries for event in entry.events if type(event) is Undone}
    holders = {player.seat: player.holder for player in session.game.setup.players}
    return AuditProgress(session, reader(session.rules), None, earlier=targets, holders=holders)


def _verdict(progress: AuditProgress, source: str, divergence: Divergence | None) -> Verdict:
    """Return the verdict at the end of the audit, which may be at a ``divergence``."""
    game, rules = progress.session.game, progress.session.rules
    found = Verdict(
        source=source,
        game=game.id,
        ruleset=game.ruleset.id,
        entries=progress.entries,
        orders=progress.orders,
        corrections=progress.corrections,
        draws=progress.drawn,
        divergence=divergence,
    )
    try:
        return replace(found, is_over=progress.entries > 0 and rules.is_over(progress.state))
    except Exception as error:  # what the audit found before counts more
        return replace(found, divergence=divergence or fault(error, game.ruleset.id))


def _audit_heading(progress: AuditProgress) -> None:
    """Check the parts of a game before its first entry: players, options and chance."""
    game, meta = progress.session.game, progress.session.rules.meta
    fewest, most = meta.players
    if not fewest <= len(progress.session.seats) <= most:
        raise divergence_of_file(Kind.SETUP, "setup.players", len(progress.session.seats), f"{fewest} to {most}")
    try:
        options = fill_options(meta, progress.session.seats, game.setup.options, game.ruleset.version)
    except SetupError as error:
        raise divergence_of_file(Kind.SETUP, "setup.options", dict(game.setup.options), str(error)) from error
    compare_whole(Kind.SETUP, "setup.options", dict(game.setup.options), options)
    if is_borrowed(progress.session.rules, game.setup.components):
        words = "another id: the set with this id has other contents"
        raise divergence_of_file(Kind.SETUP, "components.id", game.components.id, words)
    asked = set(progress.session.seats) if game.chance.source == "committed" else set()
    if not set(game.chance.entropy) <= asked:
        words = f"words of {' '.join(progress.session.seats)}" if asked else "{}"
        raise divergence_of_file(Kind.SETUP, "chance.entropy", dict(game.chance.entropy), words)
    for seat, word in game.chance.entropy.items() if game.chance.promised else ():
        compare_whole(Kind.SETUP, f"chance.entropy.{seat}", word, canonical_word(word))
    silent = tuple(seat for seat in progress.session.seats if seat not in game.chance.entropy)
    if game.chance.promised and game.chance.without != silent:
        raise divergence_of_file(Kind.SETUP, "chance.without", game.chance.without, " ".join(silent) or "nobody")
    if game.chance.source == "committed" and game.chance.secret is None:
        raise divergence_of_file(Kind.CHANCE, "chance.secret", "nothing", "the secret: without it no draw can be checked")
    progress.committed = committed_chance(game, 0, later=())
    progress.words.update((Seat(seat), word) for seat, word in game.chance.entropy.items())


def _audit_entry(progress: AuditProgress, entry: Entry) -> None:
    """Decide one ``entry`` again, and compare everything in it. Raises ``DivergenceError``."""
    if entry.n == 0:
        _audit_setup(progress, entry)
    elif entry.events and isinstance(entry.events[0], CORRECTIONS):
        audit_correction(progress, entry)
    elif is_word(entry):
        audit_word(progress, entry)
    else:
        _audit_order(progress, entry)


def _audit_setup(progress: AuditProgress, entry: Entry) -> None:
    for field, recorded, right in (
        ("seat", entry.seat, None),
        ("order", entry.order, ""),
        ("notes", entry.notes, ()),
        ("turn", entry.turn, 0),
    ):
        compare_field(entry, Kind.SETUP, field, recorded, right)
    rules = progress.session.rules
    # Only a game with recorded outcomes has those of its set-up in brackets.
    outcomes = [] if progress.committed else (entry.written or "[]").removeprefix("[").removesuffix("]").split()
    compare_field(entry, Kind.SETUP, "written", entry.written, f"[{' '.join(outcomes)}]" if outcomes else None)
    chance = progress.chance(outcomes)
    try:
        taken = go_on(rules, rules.initial(), chance)
    except ImpossibleOutcomeError as impossible:
        raise impossible_outcome(entry, Kind.SETUP, impossible) from impossible
    except SetupError as error:
        raise divergence_of_file(Kind.SETUP, "setup.position", "as it is", f"impossible: {error}") from error
    compare_events(entry, Kind.SETUP, taken.events)
    progress.close(entry, taken.state, chance.drawn, is_closed=True)


def _audit_order(progress: AuditProgress, entry: Entry) -> None:
    """Read, choose and carry out an order again, and compare the result with the record.

    The notes must only tell of the same branches; their words may be those of an older version.
    """
    rules, state = progress.session.rules, progress.state
    seat = _seat(progress, entry)
    instruction = _recorded_order(progress, entry)
    at = rules.answering(state, seat)
    if at is None:
        due = sorted(ask.seat for ask in rules.due(state))
        raise divergence_at(entry, Kind.REFUSED, "seat", entry.seat, " ".join(due) or "nobody")
    choice = choose_order(rules, at, instruction)
    if choice.refusals:
        raise _refused(entry, choice.refusals[0][1])
    if entry.notes or choice.notes:
        compare_field(entry, Kind.BRANCH, "notes", *(tuple(map(gist, notes)) for notes in (entry.notes, choice.notes)))
    taken, drawn = _carried_out(progress, entry, instruction, choice, at)
    compare_field(entry, Kind.BRANCH, "order", entry.order, taken.public_text)
    compare_field(entry, Kind.BRANCH, "written", entry.written, written_text(rules, instruction, taken))
    compare_events(entry, Kind.EVENTS, taken.events)
    progress.close(entry, taken.state, drawn, is_closed=progress.is_closed and entry.turn == progress.turn)
    progress.orders += 1


def _seat(progress: AuditProgress, entry: Entry) -> Seat:
    """Return the seat of ``entry``, which must be a player's, in a possible adjudication."""
    if entry.seat == MODERATOR:
        raise divergence_at(entry, Kind.CORRECTION, "events", entry.events, "a correction as the first event")
    if entry.seat is None or entry.seat not in progress.holders:
        raise divergence_at(entry, Kind.ENTRY, "seat", entry.seat or "nobody", f"one of {' '.join(progress.holders)}")
    next_turn, is_closed = progress.turn + 1, progress.is_closed and entry.order != SKIPPED
    if entry.turn != next_turn and (is_closed or entry.turn != progress.turn):
        right = str(next_turn) if is_closed else f"{progress.turn} or {next_turn}"
        raise divergence_at(entry, Kind.ENTRY, "turn", entry.turn, right)
    return entry.seat


def _recorded_order(progress: AuditProgress, entry: Entry) -> Instruction:
    """Return the order of the sheet, which must be one that the program could accept."""
    field, text = ("order", entry.order) if entry.written is None else ("written", entry.written)
    instruction = progress.read(text)
    if instruction is None:
        raise divergence_at(entry, Kind.UNREADABLE, field, text, "an order of this game")
    if instruction.draws and progress.committed is not None:
        raise divergence_at(entry, Kind.REFUSED, field, text, _NOT_RECORDED)
    # ``check`` tests a single order; of several only one is carried out, but all must have been valid.
    if isinstance(instruction.expression, (FirstOf, When)):
        for _, problem in validate_expression(progress.session.rules, instruction.expression):
            raise _refused(entry, problem)
    return instruction


def _refused(entry: Entry, problem: Problem) -> DivergenceError:
    return divergence_at(entry, Kind.REFUSED, "order", entry.order, f"refused: {problem.message}", problem.rule)


def _carried_out(
    progress: AuditProgress, entry: Entry, instruction: Instruction, choice: Choice, at: Here
) -> tuple[StepResult, int]:
    """Carry out the chosen order in the position ``at``; return the result and the number of used outcomes."""
    chance = progress.chance(instruction.draws)
    try:
        taken = carry_out(progress.session.rules, progress.state, at, choice.order, chance)
    except ImpossibleOutcomeError as impossible:
        raise impossible_outcome(entry, Kind.CHANCE, impossible) from impossible
    return taken, chance.drawn


def _audit_pending(progress: AuditProgress) -> None:
    """Check that pending and set-aside orders are possible; the record does not prove that anybody sent them."""
    game = progress.session.game
    for index, sheet in enumerate(game.pending):
        _audit_turn(progress, f"pending[{index}].turn", sheet.turn, sheet.seat)
        for line, order in enumerate(sheet.orders):
            right = _waiting(progress, order.order)
            if right != order.order:
                field = f"pending[{index}].orders[{line}].order"
                raise divergence_of_file(Kind.PENDING, field, order.order, right, sheet.seat, order.order)
    for index, one in enumerate(game.set_aside):
        # Set-aside orders may be unreadable: that is one of the reasons for setting them aside.
        _audit_turn(progress, f"set_aside[{index}].turn", one.turn, one.sheet.seat)
        _audit_turn(progress, f"set_aside[{index}].sheet.turn", one.sheet.turn, one.sheet.seat)


def _audit_turn(progress: AuditProgress, field: str, turn: int, seat: Seat) -> None:
    if turn > progress.turn + 1:
        raise divergence_of_file(Kind.PENDING, field, turn, f"at most {progress.turn + 1}", seat)


def _waiting(progress: AuditProgress, text: str) -> str:
    """Return the canonical words of the pending order ``text``, or why it cannot be pending."""
    instruction = progress.read(text)
    if instruction is None:
        return "an order of this game"
    if instruction.draws and progress.committed is not None:
        return _NOT_RECORDED
    for _, problem in validate_expression(progress.session.rules, instruction.expression):
        return f"refused: {problem.message}"
    return instruction_text(instruction, progress.session.rules.language.text)
