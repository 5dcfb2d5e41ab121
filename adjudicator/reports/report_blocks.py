"""Divide a report into titled blocks, which are the same for every game and every output format."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from adjudicator.core.phrases import listed
from adjudicator.core.ruleset import Unit
from adjudicator.core.values import MODERATOR, Value, replace
from adjudicator.reports.diagnostics import mistakes_text, problems_text, sentence
from adjudicator.reports.heading import proof_lines, question
from adjudicator.reports.ignored import ignored_lines
from adjudicator.reports.legal_outline import LegalSection, has_summaries, legal_sections, summary_cells
from adjudicator.reports.position import decision_lines
from adjudicator.reports.receipt import hash_of, own_receipt_text, receipt_text
from adjudicator.reports.report import Report
from adjudicator.reports.table import count_of
from adjudicator.reports.waiting import waiting_lines
from adjudicator.results import LogRow, OrderProblem, SeatReceipt
from adjudicator.scenes.drawing import Drawing

PROOFS: Final = "proofs"
"""The block with hashes and commitments: a page has its own place for them."""
_BELOW: Final = "see below"
_ALL_LEGAL: Final = "`adjudicator legal` lists every order with its cost."


class Sentences(Value):
    """Lines of text, each a sentence; with ``is_list`` each an item of a list."""

    lines: tuple[str, ...]
    is_list: bool = False


class Listing(Value):
    """Lines of text with fixed columns, shown without changes."""

    lines: tuple[str, ...]


class Table(Value):
    """A table: ``headings`` of its columns, then rows of text; ``is_headless`` if text for people omits the headings."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_headless: bool = False


class Log(Value):
    """The log of minutes, in the ``unit`` of the game."""

    rows: tuple[LogRow, ...]
    unit: Unit


class Mistakes(Value):
    """Problems in orders; ``are_own`` if they are those of the reader."""

    found: tuple[OrderProblem, ...]
    are_own: bool = False

    def text(self, window: int | None = None) -> str:
        """Return the problems for the reader; ``window`` is the most columns of a quoted line."""
        return (mistakes_text if self.are_own else problems_text)(self.found, window)


class Legal(Value):
    """The legal orders in ``sections``."""

    sections: tuple[LegalSection, ...]

    @property
    def parts(self) -> tuple[Table | Sentences, ...]:
        """The orders as a short table, and the way to get all of them if it leaves some out."""
        table = Table(("order", self.sections[0].unit[0], "why"), summary_cells(self.sections))
        return (table, Sentences((_ALL_LEGAL,))) if has_summaries(self.sections) else (table,)


class Receipts(Value):
    """The receipts of mails; ``are_own`` if they are those of the reader."""

    receipts: tuple[SeatReceipt, ...]
    are_own: bool = False

    def text(self) -> str:
        """Return the receipts for the reader."""
        return "\n".join(map(own_receipt_text if self.are_own else receipt_text, self.receipts))


class Board(Value):
    """The position as shapes; ``seats`` are all seats of the game."""

    drawing: Drawing
    seats: tuple[str, ...]


Part = Sentences | Listing | Table | Log | Mistakes | Legal | Receipts | Board


class Block(Value):
    """A section of a report: its ``title``, its ``parts``, and its ``name``, a short id."""

    name: str
    title: str
    parts: tuple[Part, ...]


def blocks_of(report: Report) -> tuple[Block, ...]:
    """Return the blocks of ``report`` below its heading: the next steps, mails, log, position and so on.

    Empty blocks are omitted.
    """
    position, unit = report.position, report.position.heading.unit
    waiting = waiting_lines(position.heading, report.waiting)
    standings = Table(("place", "player", unit[1], "", "note"), tuple(position.standing_rows), is_headless=True)
    # Readers who are not asked get no list, because it may change.
    legal = (Legal(legal_sections(report.legal, unit)),) if report.legal and not report.is_ahead else ()
    blocks = (
        Block("to-do", "What to do now", (Sentences(tuple(_to_do(report))),)),
        Block("orders", "Mails received" if report.viewer == MODERATOR else "Your orders", tuple(_orders(report))),
        Block("waiting", "Pending orders", (Listing(tuple(line.removeprefix("  ") for line in waiting)),)),
        Block("log", _title_of_log(report), (Log(report.happened, unit),)),
        Block("position", "The position", (Board(position.drawing, position.seats),)),
        Block("words", "Description of the board", (Sentences(report.description, is_list=True),)),
        Block("secrets", "What only you know", (Table(("what", "value"), _secrets(report), is_headless=True),)),
        Block("due", "Decisions due", (Sentences(tuple(decision_lines(position)), is_list=True),)),
        Block("standings", position.standings_title, (standings,)),
        Block("notes", "Please note", (Sentences(position.warnings, is_list=True),)),
        Block("legal", f"What you can order now: {count_of(len(report.legal or ()), 'legal order')}", legal),
        Block("choices", "What your cards do", (Table(("card", "effect"), report.choices, is_headless=True),)),
        Block("form", "Order form", tuple(_form(report))),
        Block(PROOFS, "For the record", (Listing(tuple(_proofs(report))),)),
    )
    full = (replace(block, parts=tuple(part for part in block.parts if _says_something(part))) for block in blocks)
    return tuple(block for block in full if block.parts)


def _says_something(part: Part) -> bool:
    match part:
        case Sentences(lines=lines) | Listing(lines=lines):
            return bool(lines)
        case Table(rows=rows) | Log(rows=rows):
            return bool(rows)
        case Mistakes(found=found):
            return bool(found)
        case Board(drawing=drawing):
            return bool(drawing.shapes)
        case Legal(sections=given) | Receipts(receipts=given):
            return bool(given)


def _to_do(report: Report) -> Iterator[str]:
    """Yield the next steps of the reader, and how to send orders for the right turn."""
    position, viewer, called = report.position, report.viewer, report.position.heading.called
    if viewer is None or position.heading.over:
        return
    due = [decision for decision in position.due if viewer in (decision.seat, MODERATOR)]
    turn = f"`turn {position.heading.turn}`"
    for decision in due:
        asked = question(decision)
        yield f"{called(decision.seat)}: {asked}" if viewer == MODERATOR else sentence(asked)
    if report.out:
        yield f"{sentence(report.out)}."
    elif viewer == MODERATOR:
        yield f"Players write {turn} above their orders for this turn."
    elif due:
        yield f"Write {turn} on a line above your orders."
    else:
        others = listed(dict.fromkeys(called(decision.seat) for decision in position.due)) or "no one"
        if report.has_answered:
            yield f"You have answered. The game waits for {others}."
            yield "Until then a new mail without mistakes replaces your answer:"
            yield f"write {turn} on a line above it. Orders below the answer wait until it is your turn."
            return
        yield f"You have nothing to decide now. The game waits for {others}."
        yield "You can send orders ahead: they wait until it is your turn."
        yield "Write no `turn` line above them, because the number may change until then."


def _orders(report: Report) -> Iterator[Part]:
    """Yield the results of the reader's mails: receipts, problems, ignored lines, notes; nothing for a bystander."""
    mails = report.mails
    if report.viewer is None or mails is None:
        return
    results = [replace(receipt, waits=()) for receipt in mails.receipts]
    if report.is_of_seat:
        results = [_without_problems(one, {problem.message for problem in mails.problems}) for one in results]
    yield Receipts(tuple(results), are_own=report.is_of_seat)
    if not results:
        yield Sentences(("No mail has arrived since the last report.",))
    # A receipt tells of problems with its whole text.
    whole = {(one.source, one.trouble) for one in results} if report.is_of_seat else set()
    problems = [one for one in mails.problems if one.line or (one.source, one.message) not in whole]
    ignored = list(mails.passed_over)
    if report.is_of_seat and len(results) == 1:  # then the line is enough
        problems = [replace(one, source="") if one.source == results[0].source else one for one in problems]
        ignored = [replace(one, source="") if one.line else one for one in ignored]
    yield Mistakes(tuple(problems), are_own=report.is_of_seat)
    yield Listing(tuple(ignored_lines(ignored)))
    yield Sentences(tuple(f"note: {note}" for note in mails.notes))


def _without_problems(receipt: SeatReceipt, messages: Collection[str]) -> SeatReceipt:
    """Return ``receipt`` without the ``messages`` of problems that the report lists below it."""
    orders = (replace(order, reason=_BELOW) if order.reason in messages else order for order in receipt.orders)
    return replace(receipt, orders=tuple(orders))


def _title_of_log(report: Report) -> str:
    numbers = [row.n for row in report.happened]
    if not numbers:
        return f"Nothing has happened {'since the last report' if report.asked is None else f'since turn {report.asked}'}"
    first, last = min(numbers), max(numbers)
    entries = f"entry {first}" if first == last else f"entries {first} to {last}"
    if not first:
        return f"What has happened so far ({entries})"
    since = "since the last report" if report.asked is None else f"in turn {report.asked} and later"
    return f"What has happened {since} ({entries})"


def _secrets(report: Report) -> tuple[tuple[str, str], ...]:
    """Return the secrets that are not empty, each once; machines also get the empty ones."""
    rows = ((secret.called, secret.said) for secret in report.secrets if secret.content and secret.said)
    return tuple(dict.fromkeys(rows))


def _proofs(report: Report) -> Iterator[str]:
    yield from proof_lines(report.position.heading)
    yield from (f"sha256 {hash_} of {name}" for name, hash_ in hashes_of_mails(report))


def hashes_of_mails(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the name and the short hash of each mail of a seat that gets the ``report``."""
    receipts = report.mails.receipts if report.is_of_seat and report.mails is not None else ()
    yield from (found for found in map(hash_of, receipts) if found[1])


def _form(report: Report) -> Iterator[Part]:
    form = report.form
    if form is not None:
        yield Sentences(("Fill in these lines in your answer, or copy all of them into a new mail.",))
        yield Listing(tuple(form.rstrip("\n").split("\n")))
