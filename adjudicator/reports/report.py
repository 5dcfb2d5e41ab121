"""The report of a turn: what one seat, the bystanders or the moderator are sent. First as data, then as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import MODERATOR, Viewer
from adjudicator.core.problem import Diagnostic
from adjudicator.outputs.orders import LogRow
from adjudicator.outputs.positions import WaitingSheet
from adjudicator.reports.diagnostics import diagnostics_text
from adjudicator.reports.heading import heading_lines
from adjudicator.reports.log import log_text
from adjudicator.reports.passed_over import PassedOver, passed_over_lines
from adjudicator.reports.position import Position, position_body
from adjudicator.reports.receipt import Received, receipts_text
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import GAP
from adjudicator.reports.waiting import waiting_lines

_NOBODY: Final = "nobody"


@frozen(kw_only=True)
class Report:
    """What the viewer of ``position`` is told after a turn.

    ``rows`` are the log since entry ``since``, with which begins what that viewer has not been told yet. ``receipts``,
    ``problems``, ``passed_over`` and ``notes`` are about the viewer's own mails (the moderator: about all), in words that
    the viewer may read. ``waiting`` are the viewer's orders that wait (the moderator: all). ``out`` says why the viewer
    will be asked for nothing more, ``has_answered`` that it can change its answer in a window.
    """

    position: Position
    since: int
    rows: tuple[LogRow, ...]
    receipts: tuple[Received, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    notes: tuple[str, ...] = ()
    waiting: tuple[WaitingSheet, ...] = ()
    out: str = ""
    has_answered: bool = False

    @property
    def viewer(self) -> Viewer:
        """Whose report this is."""
        return self.position.heading.viewer


def report_text(report: Report) -> str:
    """Return ``report`` as a text to be sent: what is asked, what became of the orders, what happened, the position."""
    waits = [line for sheet in report.waiting for line in waiting_lines(sheet)]
    blocks = [
        "\n".join(heading_lines(report.position.heading)),
        _titled("What to do now", _to_do(report)),
        _titled(_title_of_orders(report), _orders(report)),
        "\n".join(["Orders that wait", *waits]) if waits else "",
        _titled(_title_of_log(report), log_text(report.rows, report.position.heading.unit, with_events=True).split("\n")),
        position_body(replace(report.position, pending=())),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _to_do(report: Report) -> Iterator[str]:
    """Yield what the seat is to do, and how to make sure that its mail is taken for no other turn."""
    position, viewer = report.position, report.viewer
    if viewer is None or position.heading.is_over:
        return
    due = [decision for decision in position.decisions if viewer in (decision.seat, MODERATOR)]
    turn = f"`turn {position.heading.turn}`"
    for decision in due:
        whose = f"{decision.seat}: " if viewer == MODERATOR else ""
        yield printable(f"{whose}{decision.ask}{f' ({decision.rule})' if decision.rule else ''}")
    if report.out:
        yield printable(report.out)
    elif viewer == MODERATOR:
        yield f"Orders for this turn have {turn} above them."
    elif due:
        yield f"Write {turn} on a line above your orders."
    else:
        others = ", ".join(dict.fromkeys(decision.seat for decision in position.decisions)) or _NOBODY
        if report.has_answered:
            yield printable(
                f"You have answered; {others} to answer. Until then a new mail without a mistake changes your answer:"
            )
            yield f"write {turn} on a line above it. What stands below the answer is sent ahead."
            return
        yield printable(f"Nothing is asked of you now: {others} to decide.")
        yield "What you send ahead waits until you are asked."
        yield "Send it without a line `turn`: the number may be another by then."


def _title_of_orders(report: Report) -> str:
    return "What has come" if report.viewer == MODERATOR else "Your orders"


def _orders(report: Report) -> list[str]:
    """Return what became of the mails: receipts, problems, what was passed over, notes; nothing for a bystander."""
    if report.viewer is None:
        return []
    blocks = [
        receipts_text(replace(receipt, waits=()) for receipt in report.receipts)
        or "Nothing has come since the last report.",
        diagnostics_text(report.problems),
        "\n".join(map(printable, passed_over_lines(report.passed_over))),
        "\n".join(printable(f"note: {note}") for note in report.notes),
    ]
    return "\n\n".join(block for block in blocks if block).split("\n")


def _title_of_log(report: Report) -> str:
    numbers = [row.n for row in report.rows]
    if not numbers:
        return "Nothing has happened since the last report"
    first, last = min(numbers), max(numbers)
    entries = f"entry {first}" if first == last else f"entries {first} to {last}"
    return f"What has happened since the last report ({entries})" if first else f"What has happened so far ({entries})"


def _titled(title: str, lines: Iterable[str]) -> str:
    """Return ``lines`` indented under ``title``, nothing at all where there are none."""
    body = [f"{GAP}{line}".rstrip() for line in lines]
    return "\n".join([title, *body]) if body else ""
