"""Hold the report of a turn to one seat, the bystanders or the moderator, from which all output formats are made."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.core.phrases import listed
from adjudicator.core.values import MODERATOR, Value, Viewer, canonical_bytes, digest
from adjudicator.core.width import clip
from adjudicator.outputs.orders import LegalRow, LogRow
from adjudicator.outputs.positions import WaitingSheet
from adjudicator.outputs.report import (
    Account,
    DrawnLegend,
    DrawnScene,
    DrawnShape,
    DrawnThing,
    Mails,
    OwnSecret,
    SeatReport,
    ShapeKind,
)
from adjudicator.reports.data.diagnostics import sentence
from adjudicator.reports.data.heading import shown_heading, turn_words
from adjudicator.reports.data.order_form import order_form
from adjudicator.reports.data.position import Position
from adjudicator.reports.drawings.changes import Earlier, change_lines
from adjudicator.reports.drawings.scene_parts import Found, found_in
from adjudicator.reports.drawings.scene_text import description_lines
from adjudicator.reports.text.sanitize import printable
from adjudicator.scenes.drawing import Fields, Shape
from adjudicator.scenes.scene import Legend, Scene

_LONGEST_ASK: Final = 100
_MOST_NAMES: Final = 6
"""A headline names at most this many players."""


class Report(Value, kw_only=True):
    """The report of a turn to the viewer of ``position``.

    ``rows`` are the log since entry ``since``, the first that the viewer has not read yet. ``mails`` are the results of the
    viewer's own mails (for the moderator: of all mails), ``None`` if they are unknown. ``waiting`` are the pending orders of
    the viewer (for the moderator: of all seats). ``legal`` are the orders that it may give now, or, if it ``is_ahead``,
    that it could give if it were its turn (``None``: unknown). ``secrets`` are the facts that the viewer sees and bystanders
    do not. ``choices`` are the cards that it holds or can choose, each with its effect. ``out`` says why the viewer has no
    more decisions, ``has_answered`` that it can change its answer in a window. ``asked`` is the first turn of the report on
    request (``None``: it begins after the last report). ``earlier`` is the drawing before entry ``since``, for marks of
    changes (``None``: no marks).
    """

    position: Position
    since: int
    rows: tuple[LogRow, ...]
    mails: Mails | None = None
    waiting: tuple[WaitingSheet, ...] = ()
    legal: tuple[LegalRow, ...] | None = None
    is_ahead: bool = False
    secrets: tuple[OwnSecret, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    out: str = ""
    has_answered: bool = False
    earlier: Earlier | None = None
    asked: int | None = None

    @property
    def viewer(self) -> Viewer:
        """The reader of the report."""
        return self.position.heading.viewer

    @property
    def is_of_seat(self) -> bool:
        """Whether the reader is a player, not a bystander or the moderator."""
        return self.viewer is not None and self.viewer != MODERATOR

    @property
    def described(self) -> tuple[str, ...]:
        """Sentences about the pictures: first the changes, then the contents."""
        drawing = self.position.drawing
        return (*change_lines(drawing, self.earlier), *description_lines(drawing))

    @property
    def is_asked(self) -> bool:
        """Whether a decision of the viewer is due."""
        return any(decision.seat == self.viewer for decision in self.position.decisions)

    @property
    def headline(self) -> str:
        """The state of the game in one line: what the reader has to do, whom the game waits for, or the result."""
        heading, due = self.position.heading, self.position.decisions
        if heading.is_over:
            return printable(heading.result or "The game is over")
        own = next((decision for decision in due if decision.seat == self.viewer), None)
        if own is not None:
            name = heading.holders.get(own.seat) or sentence(own.seat)
            return printable(f"{name}, it is your turn: {clip(own.ask.partition(': ')[0], _LONGEST_ASK)}")
        seats = dict.fromkeys(decision.seat for decision in due)
        if len(seats) > _MOST_NAMES:
            return f"Waiting for {len(seats)} players"
        return printable(f"Waiting for {listed(map(heading.called, seats))}" if seats else turn_words(heading).capitalize())

    @property
    def form(self) -> str | None:
        """The text that the player fills in and sends back, ``None`` if the player can give no more orders.

        A form for orders ahead names no turn, because the number can change until they are due.
        """
        heading = self.position.heading
        if self.viewer is None or not self.is_of_seat or heading.is_over or self.out:
            return None
        asked = [decision for decision in self.position.decisions if decision.seat == self.viewer]
        turn = heading.turn if asked or self.has_answered else None
        return order_form(heading.game, turn, self.viewer, asked, self.legal or (), self.choices)


def report_data(report: Report) -> SeatReport:
    """Return ``report`` for machines."""
    position = report.position
    return SeatReport(
        **shown_heading(position.heading),
        since=report.since,
        happened=report.rows,
        mails=report.mails,
        waiting=report.waiting,
        due=position.decisions,
        legal=report.legal,
        is_ahead=report.is_ahead,
        form=report.form,
        out=report.out,
        has_answered=report.has_answered,
        drawing=tuple(map(_drawn, position.drawing.shapes)),
        description=report.described,
        view=position.view,
        view_hash=view_hash(position.view),
        secrets=report.secrets,
        accounts=tuple(Account(standing.seat, standing.score) for standing in position.standings),
        standings=position.standings,
        warnings=position.warnings,
    )


def _drawn(shape: Shape) -> DrawnShape:
    """Return ``shape`` for machines: a picture and its legend in words, other shapes as they are."""
    match shape:
        case Scene():
            things = tuple(map(_thing, found_in(shape)))
            return DrawnShape(ShapeKind.SCENE, DrawnScene(shape.id, shape.title, things, shape.sentences))
        case Legend(rows=rows):
            entries = tuple((entry.sign.text, entry.name) for row in rows for entry in row if entry.sign.text)
            return DrawnShape(ShapeKind.LEGEND, DrawnLegend(entries))
        case Fields():
            return DrawnShape(ShapeKind.FIELDS, shape)
    return DrawnShape(ShapeKind.COLUMNS, shape)


def _thing(found: Found) -> DrawnThing:
    token = found.token
    if token is None:
        return DrawnThing(found.id, found.name, "", found.told)
    return DrawnThing(token.id, token.text, token.at, token.told or token.sign.value)


def view_hash(view: Any) -> str:
    """Return the SHA-256 of the canonical JSON of ``view``, which changes when the viewer sees anything new."""
    return digest(canonical_bytes(view))
