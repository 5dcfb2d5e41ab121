"""Hold the report of a turn to one seat, the bystanders or the moderator, from which all output formats are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

from adjudicator.core.phrases import clip, listed
from adjudicator.core.ruleset import Standing
from adjudicator.core.values import MODERATOR, ByFields, Digest, Seat, Value, Viewer, canonical_bytes, digest
from adjudicator.reports.changes import Earlier, change_lines
from adjudicator.reports.drawing_text import description_lines
from adjudicator.reports.heading import ShownHeading, turn_words
from adjudicator.reports.legal import order_form
from adjudicator.reports.position import Position
from adjudicator.reports.receipt import sentence
from adjudicator.reports.texts import printable
from adjudicator.results import (
    Decision,
    LegalRow,
    LogRow,
    Mails,
    OwnSecret,
    WaitingSheet,
    gathered,
)
from adjudicator.scenes import NOWHERE, Legend, Scene, describe, things
from adjudicator.scenes.drawing import Columns, Fields, Shape

_LONGEST_ASK: Final = 100
_MOST_NAMES: Final = 6
"""A headline names at most this many players."""


class ShapeKind(StrEnum):
    """The kind of a shape in a drawing."""

    SCENE = "scene"
    FIELDS = "fields"
    COLUMNS = "columns"
    LEGEND = "legend"


class DrawnThing(Value):
    """A part of a picture that shows a thing: its ``id`` as orders name it, its ``name``, and what it shows as text.

    A piece is ``at`` the place with that name; places have none.
    """

    id: str
    name: str
    at: str
    told: str


class DrawnScene(Value):
    """A picture as text: its ``title``, the things in it, and sentences about it; ``id`` is the same in every position."""

    id: str
    title: str
    things: tuple[DrawnThing, ...]
    sentences: tuple[str, ...]


class DrawnLegend(Value):
    """A legend as text: pairs of a sign of the text and its meaning."""

    entries: tuple[tuple[str, str], ...]


class DrawnShape(Value):
    """One ``shape`` of the drawing of a position, and its ``kind``."""

    kind: ShapeKind
    shape: ByFields[DrawnScene | DrawnLegend | Fields | Columns]


class Account(Value):
    """The account of a ``seat`` (its clock, its points), in the unit of the game."""

    seat: Seat
    amount: int


class SeatReport(ShownHeading, kw_only=True):
    """The report of a game to its ``viewer`` (``None``: the public).

    ``turn`` is the number to write above orders. ``happened`` are the entries from number ``since`` on, those after the last
    report. ``mails`` is the result of the viewer's own mails in the last turn (``None``: not known, or the viewer sends no
    mails). ``waiting`` are the viewer's pending orders, ``due`` all decisions that are due. ``legal`` has every order that
    the seat may give now with its cost; if ``is_ahead``, those that it could give if it were asked now, which may change
    (``None``: the rules cannot list them, or no seat is asked). ``form`` is a text to fill in and send back. ``out`` says
    why the seat has no more decisions, ``has_answered`` that it can still change its answer.

    ``drawing`` is the position in shapes, ``description`` describes its pictures in sentences. ``view`` is the data of the
    drawing, ``view_hash`` the SHA-256 of that as canonical JSON, which changes with everything that this viewer sees.
    ``secrets`` are the facts that the seat sees and the public does not. ``accounts`` are the clocks or other totals.
    """

    since: int
    happened: tuple[LogRow, ...]
    mails: Mails | None
    waiting: tuple[WaitingSheet, ...]
    due: tuple[Decision, ...]
    legal: tuple[LegalRow, ...] | None
    is_ahead: bool
    form: str | None
    out: str
    has_answered: bool
    drawing: tuple[DrawnShape, ...]
    description: tuple[str, ...]
    view: Any
    view_hash: Digest
    secrets: tuple[OwnSecret, ...]
    accounts: tuple[Account, ...]
    standings: tuple[Standing, ...]
    warnings: tuple[str, ...]


class Report(Value, kw_only=True):
    """The report of a turn to the viewer of ``position``: the log ``happened`` since entry ``since``, and what follows.

    ``mails`` are the results of the viewer's own mails (for the moderator: of all), ``None`` if they are unknown.
    ``waiting`` are the pending orders of the viewer (for the moderator: of all seats). ``legal`` are the orders that it may
    give now, or, if it ``is_ahead``, that it could give if it were its turn (``None``: unknown). ``secrets`` are the facts
    that the viewer sees and bystanders do not, ``choices`` the cards that it holds or can choose, each with its effect.
    ``out`` says why the viewer has no more decisions, ``has_answered`` that it can change its answer in a window.
    ``asked`` is the first turn of the report on request (``None``: it begins after the last report). ``earlier`` is the
    drawing before entry ``since``, for marks of changes (``None``: no marks). ``rules`` gives the texts of rules by number.
    """

    position: Position
    since: int
    happened: tuple[LogRow, ...]
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
    rules: Callable[[], Mapping[str, str]] = dict

    @property
    def viewer(self) -> Viewer:
        """The reader of the report."""
        return self.position.heading.viewer

    @property
    def is_of_seat(self) -> bool:
        """Whether the reader is a player, not a bystander or the moderator."""
        return self.viewer is not None and self.viewer != MODERATOR

    @property
    def description(self) -> tuple[str, ...]:
        """Sentences about the pictures: first the changes, then the contents."""
        drawing = self.position.drawing
        return (*change_lines(drawing, self.earlier), *description_lines(drawing))

    @property
    def own_due(self) -> tuple[Decision, ...]:
        """The decisions of the viewer that are due."""
        return tuple(decision for decision in self.position.due if decision.seat == self.viewer)

    @property
    def headline(self) -> str:
        """The state of the game in one line: what the reader has to do, whom the game waits for, or the result."""
        heading, due = self.position.heading, self.position.due
        if heading.over:
            return printable(heading.result or "The game is over")
        if self.own_due:
            own = self.own_due[0]
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
        if self.viewer is None or not self.is_of_seat or heading.over or self.out:
            return None
        turn = heading.turn if self.own_due or self.has_answered else None
        return order_form(heading.game, turn, self.viewer, self.own_due, self.legal or (), self.choices)


def report_data(report: Report) -> SeatReport:
    """Return ``report`` for machines."""
    position = report.position
    return gathered(
        SeatReport,
        *(position.heading, position, report),
        form=report.form,
        drawing=tuple(map(_shape_data, position.drawing.shapes)),
        description=report.description,
        view_hash=digest(canonical_bytes(position.view)),
        accounts=tuple(Account(standing.seat, standing.score) for standing in position.standings),
    )


def _shape_data(shape: Shape) -> DrawnShape:
    """Return ``shape`` for machines: a picture and its legend as text, other shapes as they are."""
    match shape:
        case Scene():
            shown = tuple(
                DrawnThing(found.id, found.name, "", found.told)
                if (token := found.token) is None
                else DrawnThing(token.id, token.text, token.at, token.told or token.sign.value)
                for found in things(shape)
                if found.frame is not NOWHERE
            )
            told = tuple(describe(shape))
            return DrawnShape(ShapeKind.SCENE, DrawnScene(shape.id, shape.title, shown, told))
        case Legend(rows=rows):
            entries = tuple((entry.sign, entry.name) for row in rows for entry in row if entry.sign)
            return DrawnShape(ShapeKind.LEGEND, DrawnLegend(entries))
        case Fields():
            return DrawnShape(ShapeKind.FIELDS, shape)
    return DrawnShape(ShapeKind.COLUMNS, shape)
