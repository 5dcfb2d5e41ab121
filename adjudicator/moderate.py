"""Adjudicates turn files: what arrives joins what is pending, and the engine takes it as far as it is due."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from adjudicator.core.engine import adjudicate
from adjudicator.core.game import PendingSheet
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Link
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.problem import Finding
from adjudicator.desk import Desk
from adjudicator.orders.line import read_expression
from adjudicator.orders.locate import locate
from adjudicator.orders.turnfile import Addressee, Ignored, TurnFile, read_turn_files


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """What came of turn files: the desk afterwards, and everything the moderator should be told.

    ``accepted`` lists the new journal entries, ``findings`` every problem with its place, ``notes`` (seat, words) what was
    replaced, skipped or held back, ``ignored`` the lines passed over as debris of mail. ``is_changed`` tells whether the
    game file is to be written.
    """

    desk: Desk
    accepted: tuple[Link, ...]
    findings: tuple[Finding, ...]
    notes: tuple[tuple[Seat, str], ...]
    ignored: tuple[Ignored, ...]
    is_changed: bool


def adjudicate_files(desk: Desk, files: Iterable[tuple[str, bytes]], *, strict: bool = False) -> Adjudicated:
    """Apply turn ``files`` (name, bytes) to the game on ``desk``.

    With ``strict`` one problem is enough, and nothing is applied and nothing kept pending.
    """
    game = desk.game
    received = read_turn_files(desk.rules, Addressee(game.id, game.turn, desk.seats), files)
    sheets, replaced = _joined(desk, received)
    outcome = adjudicate(desk.rules, desk.table, game, sheets)
    findings = tuple(locate(desk.rules, finding) for finding in (*received.findings, *outcome.findings))
    findings = tuple(sorted(findings, key=lambda finding: (finding.source, finding.line, finding.column)))
    if strict and findings:
        return Adjudicated(desk, (), findings, (), received.ignored, is_changed=False)
    return Adjudicated(
        desk.with_game(outcome.game),
        outcome.accepted,
        findings,
        replaced + outcome.notes,
        received.ignored,
        is_changed=bool(outcome.accepted) or outcome.game.pending != game.pending,
    )


def _joined(desk: Desk, received: TurnFile) -> tuple[list[Sheet], tuple[tuple[Seat, str], ...]]:
    """Return the new sheets with the pending ones of the other seats; a new sheet takes the place of a pending one."""
    fresh = {sheet.seat for sheet in received.sheets}
    sheets = [_pending(desk, sheet) for sheet in desk.game.pending if sheet.seat not in fresh]
    replaced = tuple(
        (sheet.seat, f"the new sheet replaces {_count(len(sheet.orders))} pending since turn {sheet.turn}")
        for sheet in desk.game.pending
        if sheet.seat in fresh
    )
    return [*sheets, *received.sheets], replaced


def _count(orders: int) -> str:
    return "1 order" if orders == 1 else f"{orders} orders"


def _pending(desk: Desk, sheet: PendingSheet) -> Sheet:
    source = f"pending since turn {sheet.turn}"
    instructions = []
    for order in sheet.orders:
        expression, draws = read_expression(desk.rules, order.order)
        instructions.append(Instruction(expression, draws, order.line, order.order, source))
    return Sheet(sheet.seat, tuple(instructions))
