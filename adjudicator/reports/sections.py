"""Divide a report into titled sections, the same for every game, in the same order in every format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from adjudicator.core.phrases import listed
from adjudicator.core.ruleset import Unit
from adjudicator.core.values import MODERATOR, Value, replace
from adjudicator.reports.drawing_text import shape_tables
from adjudicator.reports.heading import due_lines, proof_lines, question
from adjudicator.reports.legal import Group, groups_of
from adjudicator.reports.log import LogEntry, log_entries
from adjudicator.reports.receipt import (
    hash_of,
    ignored_lines,
    mistakes_text,
    notes_of,
    order_cells,
    problems_text,
    sentence,
    title_of,
    waiting_lines,
)
from adjudicator.reports.report import Report
from adjudicator.reports.texts import are_numbers, count_of
from adjudicator.scenes.drawing import Shape

TABLES: Final = "tables"
"""The section with the tables of the position, for formats that show only its boards in another section."""
_BELOW: Final = "see below"
_ALL_LEGAL: Final = "`adjudicator legal` lists every order with its cost."


class Part(Value):
    """A part of a section; one without content is false."""

    @property
    def kind(self) -> str:
        """The kind of the part: the name of its class in small letters."""
        return type(self).__name__.lower()

    def __bool__(self) -> bool:
        """Return whether the part has content: its first field."""
        return bool(getattr(self, self.__struct_fields__[0]))


class Lines(Part):
    """Lines of text, each a sentence."""

    lines: tuple[str, ...]


class Items(Lines):
    """Lines of text, each an item of a list."""


class Verbatim(Lines):
    """Lines of text with fixed columns, shown without changes."""


class Table(Part):
    """A table: ``rows`` of text, the ``headings`` of the columns (can be empty), and a ``title`` above it."""

    rows: tuple[tuple[str, ...], ...]
    headings: tuple[str, ...] = ()
    title: str = ""

    @property
    def numbers(self) -> tuple[bool, ...]:
        """Whether each column has only numbers."""
        return tuple(map(are_numbers, zip(*self.rows, strict=True)))


class Log(Part):
    """The log of minutes, in the ``unit`` of the game."""

    entries: tuple[LogEntry, ...]
    unit: Unit


class Legal(Part):
    """The legal orders, with costs in the ``unit`` of the game."""

    groups: tuple[Group, ...]
    unit: Unit

    @property
    def parts(self) -> tuple[Table | Lines, ...]:
        """The orders as a short table, and the way to get all of them if it leaves some out."""
        rows = list[tuple[str, ...]]()
        for group in self.groups:
            if group.is_short:
                rows += group.rows
            else:
                count = count_of(group.count, "order")
                is_same = group.cost == group.rows[0][1]
                rows.append((group.order, group.cost, count if is_same else f"{count}; the cheapest: {group.cheapest}"))
        table = Table(tuple(rows), ("order", self.unit[0], "why"))
        return (table,) if all(group.is_short for group in self.groups) else (table, Lines((_ALL_LEGAL,)))

    def table(self, group: Group) -> Table | None:
        """Return the orders of ``group`` as a matrix of costs or as lines; ``None`` if one line says everything."""
        if group.matrix:
            return Table(group.matrix[1:], group.matrix[0])
        return Table(group.rows, ("order", self.unit[0], "why")) if len(group.rows) > 1 else None


class Boards(Part):
    """The position as ``shapes``: boards with their legend, and tables; ``seats`` are all seats of the game."""

    shapes: tuple[Shape, ...]
    seats: tuple[str, ...]


class Section(Value):
    """A section of a report: its ``id``, a short word, its ``title``, and its ``parts``."""

    id: str
    title: str
    parts: tuple[Part, ...]


def sections_of(report: Report, window: int | None = None) -> tuple[Section, ...]:
    """Return the sections of ``report`` below its heading, the next steps first; empty ones are omitted.

    The form is below all that could be taken for orders: in an answer, the report is skipped down to its end.

    ``window`` is the most columns of a quoted line with a mistake.
    """
    position, heading = report.position, report.position.heading
    shapes, unit = position.drawing.shapes, Unit(*heading.unit)
    tables = tuple(Table(rows, names, title) for shape in shapes for title, names, rows in shape_tables(shape))
    is_drawn = bool(position.drawing.scenes)
    # Readers who are not asked get no list, because it may change.
    legal = () if report.is_ahead else groups_of(report.legal or (), unit)
    secrets = dict.fromkeys((one.called, one.said) for one in report.secrets if one.content and one.said)
    form = [] if report.form is None else report.form.rstrip("\n").split("\n")
    how = ("Fill in these lines in your answer, or copy all of them into a new mail.",) if form else ()
    own_mails = report.mails.receipts if report.is_of_seat and report.mails is not None else ()
    hashes = (f"sha256 {hash_} of {name}" for name, hash_ in map(hash_of, own_mails) if hash_)
    sections = (
        Section("to-do", "What to do now", (Lines(tuple(_to_do(report))),)),
        Section("orders", "Mails received" if report.viewer == MODERATOR else "Your orders", (*_orders(report, window),)),
        Section("waiting", "Pending orders", (Verbatim(tuple(waiting_lines(heading, report.waiting))),)),
        Section("position", "The position", (Boards(shapes, position.seats),) if is_drawn else tables),
        Section("log", _title_of_log(report), (Log(log_entries(report.happened, unit), unit),)),
        Section("notes", "Please note", (Items(position.warnings),)),
        Section("secrets", "What only you know", (Table(tuple(secrets)),)),
        Section("due", "Decisions due", (Items(tuple(due_lines(position.due, heading.holders))),)),
        Section("standings", position.standings_title, (Table(tuple(position.standing_rows)),)),
        Section(TABLES, "The position in tables", tables if is_drawn else ()),
        Section("words", "Description of the board", (Items(report.description),)),
        Section(
            "legal", f"What you can order now: {count_of(len(report.legal or ()), 'legal order')}", (Legal(legal, unit),)
        ),
        Section("choices", "What your cards do", (Table(report.choices),)),
        Section("form", "Order form", (Lines(how), Verbatim(tuple(form)))),
        Section("proofs", "For the record", (Verbatim((*proof_lines(heading), *hashes)),)),
    )
    full = (replace(section, parts=tuple(filter(None, section.parts))) for section in sections)
    return tuple(section for section in full if section.parts)


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


def _orders(report: Report, window: int | None) -> Iterator[Part]:
    """Yield the results of the reader's mails: receipts, problems, ignored lines, notes; nothing for a bystander."""
    mails, is_own = report.mails, report.is_of_seat
    if report.viewer is None or mails is None:
        return
    if not mails.receipts:
        yield Lines(("No mail has arrived since the last report.",))
    told = {problem.message for problem in mails.problems} if is_own else set()
    for receipt in mails.receipts:
        # The report to a seat has its hash, its pending orders and its head in other sections.
        shown = replace(receipt, hash=None, waits=(), head=None) if is_own else replace(receipt, waits=())
        orders = (replace(one, reason=_BELOW) if one.reason in told else one for one in shown.orders)
        rows = tuple(order_cells(one, is_shared=receipt.shared) for one in orders)
        title = ": ".join(filter(None, (title_of(shown, is_own=is_own), receipt.trouble)))
        notes = tuple(notes_of(shown))
        yield Table(rows, (), title) if rows else Lines((title,))
        yield Lines(notes)
    # A receipt tells of problems with its whole text.
    whole = {(one.source, one.trouble) for one in mails.receipts} if is_own else set()
    problems = [one for one in mails.problems if one.line or (one.source, one.message) not in whole]
    ignored = list(mails.passed_over)
    if is_own and len(mails.receipts) == 1:  # then the line is enough
        problems = [replace(one, source="") if one.source == mails.receipts[0].source else one for one in problems]
        ignored = [replace(one, source="") if one.line else one for one in ignored]
    words = (mistakes_text if is_own else problems_text)(problems, window)
    yield Verbatim(tuple(words.split("\n")) if words else ())
    yield Verbatim(tuple(ignored_lines(ignored)))
    yield Lines(tuple(f"note: {note}" for note in mails.notes))


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
