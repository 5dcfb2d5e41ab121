"""Build the answers of `check` and `apply`: as text for the moderator, as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.problem import Diagnostic
from adjudicator.core.step import SKIPPED
from adjudicator.core.words import is_word
from adjudicator.orders.word_line import BAD_WORD
from adjudicator.present import head_of, log_of, with_heads

if TYPE_CHECKING:
    from adjudicator.moderate.adjudicate import AdjudicationResult
    from adjudicator.orders.reading_notes import ReadingNote
    from adjudicator.outputs.orders import Adjudication, ReadRemark

_MOST: Final = 200
"""The number of problems that the text lists."""


def accepted_text(result: AdjudicationResult) -> str:
    """Return the accepted orders with their costs and events; empty if no order was accepted."""
    from adjudicator.reports.log import log_text

    rows, names = log_of(result.session, result.accepted, MODERATOR), result.session.holders
    return log_text(rows, result.session.rules.meta.unit, with_events=True, holders=lambda _row: names) if rows else ""


def foreseen_text(result: AdjudicationResult) -> str:
    """Return the foreseen results of a seat's orders, each under its line."""
    from adjudicator.reports.diagnostics import diagnostics_text

    return f"the result of these orders would be:\n\n{diagnostics_text(result.foreseen[:_MOST])}"


def problems_text(result: AdjudicationResult) -> str:
    """Return every problem under its line, the ignored lines, and the notes; empty without any of them."""
    from adjudicator.reports.diagnostics import diagnostics_text
    from adjudicator.reports.ignored import ignored_lines

    hidden = len(result.diagnostics) - _MOST
    more = f"… and {hidden:,} more problems; --json lists them all" if hidden > 0 else ""
    notes = [*((found.seat, found.words) for found in result.reading_notes), *result.notes]
    remarks = [*ignored_lines(result.ignored), *(f"note: {seat}: {note}" for seat, note in notes)]
    blocks = (diagnostics_text(result.diagnostics[:_MOST]), more, "\n".join(remarks))
    return "\n\n".join(block for block in blocks if block)


def summary_text(result: AdjudicationResult, *, is_trial: bool, is_strict: bool) -> str:
    """Return the result of the orders and the next decisions; for a trial (`check`, `--dry-run`) as a possibility."""
    from adjudicator.reports.heading import head_text

    lines = [_outcome(result, is_trial=is_trial, is_strict=is_strict)]
    asked = to_send_again(result)
    if asked:
        label = "to be corrected" if is_strict else "ask for new orders"
        lines.append(f"{label}: {', '.join(_again(result, diagnostic) for diagnostic in asked)}")
    waiting = [f"{sheet.seat} {_count(len(sheet.orders), 'order')}" for sheet in result.session.game.pending]
    if waiting:
        lines.append(f"{'would be pending' if is_trial and result.is_changed else 'pending'}: {', '.join(waiting)}")
    head = None if is_trial else head_of(result.session)
    proof = [] if head is None else [head_text(head)]
    return "\n".join([*lines, *_next(result, is_trial=is_trial), *proof])


def adjudication(result: AdjudicationResult, *, is_trial: bool, log_failure: str | None = None) -> Adjudication:
    """Return the result for programs; ``log_failure`` is the error if the log could not be written."""
    from adjudicator.cli.faults import fault, faults_of
    from adjudicator.outputs.orders import Adjudication, PassedOver, SeatNote
    from adjudicator.reports.diagnostics import order_problem
    from adjudicator.reports.receipt import seat_receipt

    session = result.session
    rules, config, game = session.rules, session.config, session.game
    accepted = log_of(session, result.accepted, MODERATOR)
    if is_trial:  # only real entries have proofs
        accepted = tuple(replace(row, proof=None) for row in accepted)
    return Adjudication(
        game=game.id,
        turn=session.valid_turns.turn,
        changed=result.is_changed and not is_trial,
        accepted=accepted,
        problems=tuple(map(order_problem, result.diagnostics)),
        send_again=tuple(Seat(diagnostic.seat) for diagnostic in to_send_again(result)),
        notes=tuple(SeatNote(seat, note) for seat, note in result.notes),
        read_as=tuple(map(_read_remark, result.reading_notes)),
        ignored=tuple(PassedOver(source=one.source, line=one.line, reason=one.why, text=one.text) for one in result.ignored),
        receipts=tuple(map(seat_receipt, result.receipts if is_trial else with_heads(session, result.receipts))),
        pending={sheet.seat: len(sheet.orders) for sheet in game.pending},
        due=rules.awaiting(config, game.state),
        standings=rules.standings(config, game.state),
        warnings=tuple(rules.warnings(config, game.state)),
        over=rules.is_over(config, game.state),
        log_failure=log_failure,
        foreseen=tuple(map(order_problem, result.foreseen)),
        faults=tuple(map(fault, faults_of(result.diagnostics))),
        head=None if is_trial else head_of(session),
    )


def _read_remark(found: ReadingNote) -> ReadRemark:
    from adjudicator.outputs.orders import ReadRemark

    return ReadRemark(
        code=found.code,
        seat=found.seat,
        source=found.source,
        line=found.line,
        written=found.written,
        read=found.read,
        reason=found.why,
        note=found.words,
    )


def to_send_again(result: AdjudicationResult) -> tuple[Diagnostic, ...]:
    """Return the first problem of each seat that must send orders again; seats that will not be asked have none."""
    rules, config, state = result.session.rules, result.session.config, result.session.game.state
    if rules.is_over(config, state):
        return ()
    first, seats = dict[str, Diagnostic](), frozenset(result.session.seats)
    for diagnostic in result.diagnostics:
        if diagnostic.problem.code == BAD_WORD:
            continue  # the orders of this sheet count anyway
        if diagnostic.seat in seats and rules.eliminated(config, state, Seat(diagnostic.seat)) is None:
            first.setdefault(diagnostic.seat, diagnostic)
    return tuple(first.values())


def _outcome(result: AdjudicationResult, *, is_trial: bool, is_strict: bool) -> str:
    orders, problems = [link.entry for link in result.accepted if not is_word(link.entry)], len(result.diagnostics)
    applied = sum(1 for entry in orders if entry.order != SKIPPED)
    words = f"{_count(applied, 'order')} {'would be applied' if is_trial else 'applied'}"
    skipped, sent = len(orders) - applied, len(result.accepted) - len(orders)
    if skipped:
        words += f", {skipped} skipped because a condition is not true"
    if sent:
        words += f", {_count(sent, 'word')} for chance"
    if problems:
        words += f", {_count(problems, 'problem')}"
    if is_strict and problems:
        return f"{words}; nothing {'would be applied' if is_trial else 'was changed'}, because --strict allows no problem"
    return f"{words}; nothing was changed" if is_trial or not result.is_changed else words


def _again(result: AdjudicationResult, diagnostic: Diagnostic) -> str:
    """Return which seat must send orders again, why, and which pending orders its new sheet replaces."""
    from adjudicator.moderate.replacing import is_asked_between

    is_pending = diagnostic.source.startswith("(")
    line = f"line {diagnostic.line}{', ' if is_pending else ' of '}" if diagnostic.line else ""
    words = f"{diagnostic.seat} ({line}{diagnostic.source.strip('()')}"
    for sheet in result.session.game.pending:
        if sheet.seat == diagnostic.seat:
            does = (
                "an answer is carried out before" if is_asked_between(result.session, sheet.seat) else "a new sheet replaces"
            )
            words += f"; {does} the pending {_count(len(sheet.orders), 'order')}"
    return words + ")"


def _next(result: AdjudicationResult, *, is_trial: bool) -> Iterator[str]:
    from adjudicator.reports.heading import to_write
    from adjudicator.reports.outcome import due_lines, outcome_lines

    rules, config, game = result.session.rules, result.session.config, result.session.game
    would_be = is_trial and result.accepted
    if rules.is_over(config, game.state):
        yield "the game would be over:" if would_be else "the game is over:"
        yield from outcome_lines(rules.standings(config, game.state), rules.meta.unit, result.session.holders)
        return
    turn = result.session.valid_turns.turn
    yield f"turn {turn}, {'then due' if would_be else 'due now'}:"
    yield from due_lines(rules.awaiting(config, game.state), result.session.holders)
    yield f"players {to_write(turn, 'their')}"
    yield from (f"note: {line}" for line in rules.warnings(config, game.state))


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
