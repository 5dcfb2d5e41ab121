"""Build the answers of `check` and `apply`: as text for the moderator, as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from adjudicator.core.phrases import count
from adjudicator.core.values import Seat, replace

if TYPE_CHECKING:
    from adjudicator.library.game import Game
    from adjudicator.library.results import Result
    from adjudicator.results import Adjudication, OrderProblem

_MOST: Final = 200
"""The number of problems that the text lists."""


def accepted_text(result: Result, width: int | None = None) -> str:
    """Return the accepted orders with their costs and events, in lines of ``width``; empty if no order was accepted."""
    from adjudicator.reports.data.log import log_text

    rows, names = result.log, result.game.players
    unit = result.game.meta.unit
    return log_text(rows, unit, with_events=True, width=width, holders=lambda _row: names) if rows else ""


def foreseen_text(result: Result) -> str:
    """Return the foreseen results of a seat's orders, each under its line."""
    from adjudicator.reports.data.diagnostics import diagnostics_text

    return f"the result of these orders would be:\n\n{diagnostics_text(result.details.foreseen[:_MOST])}"


def problems_text(result: Result) -> str:
    """Return every problem under its line, the ignored lines, and the notes; empty without any of them."""
    from adjudicator.reports.data.diagnostics import diagnostics_text
    from adjudicator.reports.data.ignored import ignored_lines

    found = result.details
    hidden = len(found.diagnostics) - _MOST
    more = f"… and {hidden:,} more problems; --json lists them all" if hidden > 0 else ""
    notes = [*((one.seat, one.note) for one in found.reading_notes), *found.notes]
    remarks = [*ignored_lines(found.ignored), *(f"note: {seat}: {note}" for seat, note in notes)]
    blocks = (diagnostics_text(found.diagnostics[:_MOST]), more, "\n".join(remarks))
    return "\n\n".join(block for block in blocks if block)


def summary_text(result: Result, *, is_trial: bool, is_strict: bool) -> str:
    """Return the result of the orders and the next decisions; for a trial (`check`, `--dry-run`) as a possibility."""
    from adjudicator.reports.data.heading import head_text

    lines = [_outcome(result, is_trial=is_trial, is_strict=is_strict)]
    asked, pending = result.send_again, result.game.pending_counts
    if asked:
        label = "to be corrected" if is_strict else "ask for new orders"
        lines.append(f"{label}: {', '.join(_again(result.game, problem, pending) for problem in asked)}")
    waiting = [f"{seat} {count(orders, 'order')}" for seat, orders in pending.items()]
    if waiting:
        lines.append(f"{'would be pending' if is_trial and result.is_changed else 'pending'}: {', '.join(waiting)}")
    head = None if is_trial else result.game.head
    proof = [] if head is None else [head_text(head)]
    return "\n".join([*lines, *_next(result, is_trial=is_trial), *proof])


def adjudication(result: Result, *, is_trial: bool) -> Adjudication:
    """Return the result for programs."""
    from adjudicator.cli.faults import fault, faults_of
    from adjudicator.reports.data.diagnostics import order_problem
    from adjudicator.results import Adjudication, SeatNote

    game, found, accepted = result.game, result.details, result.log
    if is_trial:  # only real entries have proofs
        accepted = tuple(replace(row, proof=None) for row in accepted)
    return Adjudication(
        game=game.id,
        turn=game.turn,
        changed=result.is_changed and not is_trial,
        accepted=accepted,
        problems=result.problems,
        send_again=tuple(Seat(problem.seat) for problem in result.send_again),
        notes=tuple(SeatNote(seat, note) for seat, note in found.notes),
        read_as=result.read_as,
        ignored=found.ignored,
        receipts=found.receipts if is_trial else result.receipts,
        pending=game.pending_counts,
        due=game.due,
        standings=game.standings,
        warnings=tuple(game.rules.warnings(game.record.state)),
        over=game.is_over,
        foreseen=tuple(map(order_problem, found.foreseen)),
        faults=tuple(map(fault, faults_of(found.diagnostics))),
        head=None if is_trial else game.head,
    )


def _outcome(result: Result, *, is_trial: bool, is_strict: bool) -> str:
    counts, problems = result.counts, len(result.details.diagnostics)
    words = f"{count(counts['applied'], 'order')} {'would be applied' if is_trial else 'applied'}"
    if counts["skipped"]:
        words += f", {counts['skipped']} skipped because a condition is not true"
    if counts["words"]:
        words += f", {count(counts['words'], 'word')} for chance"
    if problems:
        words += f", {count(problems, 'problem')}"
    if is_strict and problems:
        return f"{words}; nothing {'would be applied' if is_trial else 'was changed'}, because --strict allows no problem"
    return f"{words}; nothing was changed" if is_trial or not result.is_changed else words


def _again(game: Game, problem: OrderProblem, pending: Mapping[Seat, int]) -> str:
    """Return which seat must send orders again, why, and which pending orders its new sheet replaces."""
    is_pending = problem.source.startswith("(")
    line = f"line {problem.line}{', ' if is_pending else ' of '}" if problem.line else ""
    words = f"{problem.seat} ({line}{problem.source.strip('()')}"
    orders = pending.get(Seat(problem.seat))
    if orders is not None:
        does = "an answer is carried out before" if game.seen_by(problem.seat).is_asked_between else "a new sheet replaces"
        words += f"; {does} the pending {count(orders, 'order')}"
    return words + ")"


def _next(result: Result, *, is_trial: bool) -> Iterator[str]:
    from adjudicator.reports.data.heading import to_write
    from adjudicator.reports.data.outcome import due_lines, outcome_lines

    game, would_be = result.game, is_trial and result.details.accepted
    if game.is_over:
        yield "the game would be over:" if would_be else "the game is over:"
        yield from outcome_lines(game.standings, game.meta.unit, game.players)
        return
    yield f"turn {game.turn}, {'then due' if would_be else 'due now'}:"
    yield from due_lines(game.due, game.players)
    yield f"players {to_write(game.turn, 'their')}"
    yield from (f"note: {line}" for line in game.rules.warnings(game.record.state))
