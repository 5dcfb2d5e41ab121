"""Plays a script: each turn is one adjudication, and its lines must have been taken in the order in which they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from adjudicator.core.choose import vet_expression
from adjudicator.core.engine import Outcome, adjudicate
from adjudicator.core.journal import Entry
from adjudicator.core.order import Sheet
from adjudicator.core.problem import Finding, Problem
from adjudicator.core.step import AnyRuleset
from adjudicator.desk import Desk
from adjudicator.orders.clean import clean
from adjudicator.orders.locate import locate
from adjudicator.script.parts import Block, Line, Script
from adjudicator.script.read import read_script
from adjudicator.script.setup import BadSetupError, set_up


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a script: the game as far as it goes, its lines beside their entries, and everything that is wrong.

    ``desk`` is ``None`` if not even the set-up stands. Where there are ``findings``, the game ends before the turn of the
    first of them.
    """

    script: Script
    desk: Desk | None
    taken: tuple[tuple[Line, Entry], ...]
    findings: tuple[Finding, ...]


def play_script(source: str, data: bytes, folder: str | None) -> Played:
    """Return what comes of the script with the bytes ``data``; nothing is raised for what is in it.

    ``source`` is its name for messages, ``folder`` where the files it names are looked for (``None``: nowhere).
    """
    script = read_script(source, data)
    desk = None
    findings = list(script.findings)
    if script.rules is not None and not any(map(_is_of_the_set_up(script), findings)):
        try:
            desk = set_up(script, folder)
        except BadSetupError as error:
            findings.extend(error.findings)
    if desk is not None:
        findings.extend(_impossible(script, desk))
    if desk is None or findings:
        return Played(script, desk, (), tuple(sorted(findings, key=_place)))
    taken: list[tuple[Line, Entry]] = []
    for block in script.blocks:
        outcome = _adjudicated(desk, block.lines)
        entries = _entries(outcome)
        if outcome.findings or list(entries) != [line.instruction.line for line in block.lines]:
            return Played(script, desk, tuple(taken), _why_not(desk, block))
        taken += zip(block.lines, entries.values(), strict=True)
        desk = desk.with_game(outcome.game)
    return Played(script, desk, tuple(taken), ())


def _is_of_the_set_up(script: Script) -> Callable[[Finding], bool]:
    first = script.blocks[0].line if script.blocks else None
    return lambda finding: first is None or 0 < finding.line < first


def _place(finding: Finding) -> tuple[bool, int, int]:
    """Return what sorts findings by their place; those of the script as a whole, such as how many are left out, last."""
    return not finding.line, finding.line, finding.column


def _impossible(script: Script, desk: Desk) -> Iterator[Finding]:
    """Yield the orders that no position could make legal: those are told at once, whenever they are due."""
    for block in script.blocks:
        for line in block.lines:
            for order, problem in vet_expression(desk.rules, desk.table, line.instruction.expression):
                finding = Finding(problem, line.seat, line.instruction.line, order, source=script.source)
                yield _placed(desk.rules, replace(finding, text=line.instruction.text), line)


def _adjudicated(desk: Desk, lines: Sequence[Line]) -> Outcome:
    """Adjudicate ``lines``: each is one step, also where its order says several, since the others stand for themselves."""
    rules = replace(desk.rules, remainder=lambda _table, _state, _seat, _order: None)
    seats = dict.fromkeys(line.seat for line in lines)
    sheets = [Sheet(seat, tuple(line.instruction for line in lines if line.seat == seat)) for seat in seats]
    return adjudicate(rules, desk.table, desk.game, sheets)


def _entries(outcome: Outcome) -> dict[int, Entry]:
    """Return the entry of each line that was taken, by its number, in the order in which they were."""
    return {number: link.entry for number, link in zip(outcome.lines, outcome.accepted, strict=True)}


def _why_not(desk: Desk, block: Block) -> tuple[Finding, ...]:
    """Return what is wrong with the first line of ``block`` that is not taken where it stands."""
    at = desk
    for line in block.lines:
        due = desk.rules.awaiting(desk.table, at.game.state)
        outcome = _adjudicated(at, [line])
        if outcome.findings:
            return tuple(_placed(desk.rules, finding, line) for finding in outcome.findings)
        if not outcome.accepted:
            asked = "; ".join(f"{decision.seat}: {decision.ask}" for decision in due)
            return (_not_due(line, f"{line.seat} is not due here. What is due: {asked or 'nothing'}"),)
        at = at.with_game(outcome.game)
    entries = _entries(_adjudicated(desk, block.lines))
    order = ((number, entry.seat) for number, entry in entries.items())
    line, first = next(
        (line, seat) for line, (number, seat) in zip(block.lines, order, strict=False) if line.instruction.line != number
    )
    return (_not_due(line, f"several are due here, and the order of {first} is taken first"),)


def _not_due(line: Line, message: str) -> Finding:
    words = clean(line.text)
    start = len(words) - len(words.lstrip())
    where = Finding(Problem("script/not-due", message), line.seat, line.instruction.line, source=line.instruction.source)
    return where.at(start + 1, len(words) - start, line.text)


def _placed(rules: AnyRuleset, finding: Finding, line: Line) -> Finding:
    """Return ``finding`` with its place, under the line as it was written."""
    return replace(locate(rules, finding), text=line.text)
