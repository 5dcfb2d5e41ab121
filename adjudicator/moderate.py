"""Adjudicates turn files: what arrives joins what is pending, and the engine takes it as far as it is due."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from adjudicator.core.engine import adjudicate
from adjudicator.core.game import PendingSheet
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Link
from adjudicator.core.order import Instruction, Sheet, instruction_text
from adjudicator.core.problem import Finding, Problem
from adjudicator.core.record import holders
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
    received = read_turn_files(desk.rules, _addressee(desk), files)
    fresh = _sent(received)
    waiting, unreadable = _read_pending(desk, (sheet for sheet in game.pending if sheet.seat not in fresh))
    outcome = adjudicate(desk.rules, desk.table, game, [*waiting, *received.sheets])
    findings = _in_order(desk, (*received.findings, *unreadable, *outcome.findings))
    if strict and findings:
        return Adjudicated(desk, (), findings, (), received.ignored, is_changed=False)
    return Adjudicated(
        desk.with_game(outcome.game),
        outcome.accepted,
        findings,
        (*_repeated(desk, received), *_replaced(desk, fresh), *outcome.notes),
        received.ignored,
        is_changed=bool(outcome.accepted) or outcome.game.pending != game.pending,
    )


def _addressee(desk: Desk) -> Addressee:
    game = desk.game
    held = holders(game.setup.players, (link.entry for link in game.journal))
    return Addressee(game.id, game.turn, desk.seats, held)


def _in_order(desk: Desk, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return ``findings`` with their places on the line, in the order in which they are read."""
    located = (locate(desk.rules, finding) for finding in findings)
    return tuple(sorted(located, key=lambda finding: (finding.source, finding.line, finding.column)))


def _sent(received: TurnFile) -> set[str]:
    """Return the seats that have sent a new sheet, also one in which not a single line can be read."""
    return {sheet.seat for sheet in received.sheets} | {finding.seat for finding in received.findings}


def _repeated(desk: Desk, received: TurnFile) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each seat whose sheet begins with what was applied of it last time: perhaps the same mail again."""
    game, text = desk.game, desk.rules.language.text
    latest = takewhile(lambda link: link.entry.turn == game.turn - 1, reversed(game.journal))
    applied = [(link.entry.seat, link.entry.written or link.entry.order) for link in latest][::-1]
    for sheet in received.sheets:
        before = [words for seat, words in applied if seat == sheet.seat]
        if before and before == [instruction_text(item, text) for item in sheet.instructions[: len(before)]]:
            yield (
                sheet.seat,
                f"begins with what was applied in turn {game.turn - 1}; a line `turn {game.turn}` tells new from old",
            )


def _replaced(desk: Desk, fresh: set[str]) -> tuple[tuple[Seat, str], ...]:
    """Return a note for each seat of ``fresh`` whose new sheet takes the place of orders that were pending."""
    return tuple(
        (sheet.seat, f"the new sheet replaces {_count(len(sheet.orders))} pending since turn {sheet.turn}")
        for sheet in desk.game.pending
        if sheet.seat in fresh
    )


def _count(orders: int) -> str:
    return "1 order" if orders == 1 else f"{orders} orders"


def _read_pending(desk: Desk, pending: Iterable[PendingSheet]) -> tuple[list[Sheet], list[Finding]]:
    """Return the ``pending`` sheets as orders, each up to the first that cannot be read any more, and those as findings."""
    sheets: list[Sheet] = []
    findings: list[Finding] = []
    for sheet in pending:
        source = f"(pending since turn {sheet.turn})"
        instructions: list[Instruction] = []
        for order in sheet.orders:
            try:
                expression, draws = read_expression(desk.rules, order.order)
            except ValueError:
                findings.append(Finding(_UNREADABLE, sheet.seat, order.line, text=order.order, source=source))
                break
            instructions.append(Instruction(expression, draws, order.line, order.order, source))
        sheets.append(Sheet(sheet.seat, tuple(instructions), sheet.turn, is_begun=sheet.is_begun))
    return sheets, findings


_UNREADABLE: Final = Problem(
    "orders/pending-unreadable", "this pending order cannot be read any more, and all behind it is dropped: please ask again"
)
