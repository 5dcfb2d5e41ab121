"""Define a report as data, from which every form of the report is made."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from adjudicator.core.chance import Head
from adjudicator.core.ruleset import Standing, Unit
from adjudicator.core.values import ByFields, Digest, Seat, Value, Viewer
from adjudicator.outputs.orders import Decision, LegalRow, LogRow, OrderProblem, PassedOver, SeatReceipt
from adjudicator.outputs.positions import WaitingSheet
from adjudicator.scenes.drawing import Columns, Fields


class ShapeKind(StrEnum):
    """The kind of a shape in a drawing."""

    SCENE = "scene"
    FIELDS = "fields"
    COLUMNS = "columns"
    LEGEND = "legend"


class DrawnThing(Value):
    """A part of a picture that shows a thing: its ``id`` as orders name it, its ``name``, and what it shows in words.

    A piece is ``at`` the place with that name; places have none.
    """

    id: str
    name: str
    at: str
    told: str


class DrawnScene(Value):
    """A picture in words: its ``title``, the things in it, and sentences about it; ``id`` is the same in every position."""

    id: str
    title: str
    things: tuple[DrawnThing, ...]
    sentences: tuple[str, ...]


class DrawnLegend(Value):
    """A legend in words: pairs of a sign of the text and its meaning."""

    entries: tuple[tuple[str, str], ...]


class DrawnShape(Value):
    """One ``shape`` of the drawing of a position, and its ``kind``."""

    kind: ShapeKind
    shape: ByFields[DrawnScene | DrawnLegend | Fields | Columns]


class OwnSecret(Value):
    """A fact that only its seat sees: its name (``called``), its value as text and as data.

    The text is empty where it would mean nothing to a player.
    """

    called: str
    said: str
    content: Any


class Account(Value):
    """The account of a ``seat`` (its clock, its points), in the unit of the game."""

    seat: Seat
    amount: int


class Mails(Value, kw_only=True):
    """The result of the mails of a viewer in the last turn.

    It has ``receipts``, the ``problems`` with orders, ignored lines (``passed_over``), and ``notes``; the moderator sees
    those of all seats.
    """

    receipts: tuple[SeatReceipt, ...] = ()
    problems: tuple[OrderProblem, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    notes: tuple[str, ...] = ()


class SeatReport(Value, kw_only=True):
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

    game: str
    ruleset: str
    name: str
    turn: int
    components: str
    unit: Unit
    viewer: Viewer
    over: bool
    commitment: str | None
    promise: str | None
    words: Mapping[Seat, str]
    without: tuple[Seat, ...]
    head: Head | None
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


class WrittenReport(Value, kw_only=True):
    """A ``file`` with the report to ``viewer``, its ``format``, and the SHA-256 of its bytes."""

    viewer: Viewer
    format: str
    file: str
    hash: Digest


class WrittenReports(Value, kw_only=True):
    """The reports that were ``made`` of a game; ``turn`` is the number to write above orders."""

    game: str
    turn: int
    made: tuple[WrittenReport, ...]
