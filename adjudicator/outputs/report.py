"""A report as data: all that one viewer is told of a game, from which every form of it is made."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from adjudicator.core.drawing import Chart, Circuit, Columns, Dial, Fields, Grid, Legend, Panels, Roadmap, Shelf, Track
from adjudicator.core.frozen import frozen
from adjudicator.core.head import Head
from adjudicator.core.ids import Digest, Seat, Viewer
from adjudicator.core.ruleset import Decision, Standing, Unit
from adjudicator.core.tableau import Tableau
from adjudicator.outputs.orders import LegalRow, LogRow, OrderProblem, PassedOver, SeatReceipt
from adjudicator.outputs.positions import WaitingSheet


class ShapeKind(StrEnum):
    """What a shape of a drawing is."""

    GRID = "grid"
    SHELF = "shelf"
    DIAL = "dial"
    TRACK = "track"
    ROADMAP = "roadmap"
    CHART = "chart"
    PANELS = "panels"
    TABLEAU = "tableau"
    FIELDS = "fields"
    COLUMNS = "columns"
    LEGEND = "legend"


@frozen
class DrawnShape:
    """One ``shape`` of the drawing of a position, and of which ``kind`` it is."""

    kind: ShapeKind
    shape: Grid | Shelf | Dial | Circuit | Track | Roadmap | Chart | Panels | Tableau | Fields | Columns | Legend


@frozen
class OwnSecret:
    """Something that its seat sees and a bystander does not: how it is ``called``, what it is in words and as data.

    The words are empty where they would mean nothing to a player.
    """

    called: str
    said: str
    content: Any


@frozen
class Account:
    """What the account of a ``seat`` (its clock, its points) stands at, in the unit of the game."""

    seat: Seat
    amount: int


@frozen(kw_only=True)
class Mails:
    """What became of the mails of a viewer in the turn that came last, in words that it may read.

    These are ``receipts``, the ``problems`` of its orders, lines that were ``passed_over``, and ``notes``; to the moderator
    those of all.
    """

    receipts: tuple[SeatReceipt, ...] = ()
    problems: tuple[OrderProblem, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    notes: tuple[str, ...] = ()


@frozen(kw_only=True)
class SeatReport:
    """What the ``viewer`` of a game (``None``: anybody) is told of it.

    ``turn`` is the number to write above orders. ``happened`` are the entries from number ``since`` on: what has happened
    since the last report. ``mails`` tell what became of the viewer's own mails in the turn that came last (``None``: it is
    not known, or nobody who reads this sends any). ``waiting`` are its orders that wait. ``due`` are all decisions that the
    game awaits; ``legal`` has every order that the seat may give now with its cost, or, if it ``is_ahead``, as if it were
    asked now, which may change (``None``: the rules cannot tell, or there is no seat that is asked). ``form`` is a text to
    be filled in and sent back. ``out`` says why the seat will be asked for nothing more, ``has_answered`` that it can still
    change its answer.

    ``drawing`` is the position in shapes, ``description`` what the pictures in it show in sentences, ``view`` what it is
    drawn from, ``view_hash`` the SHA-256 of that as canonical JSON, which changes with all that this viewer sees.
    ``secrets`` are what the seat sees and bystanders do not. ``accounts`` are the clocks, or what else costs are added to.
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


@frozen(kw_only=True)
class WrittenReport:
    """A ``file`` with the report to ``viewer``, in which ``format``, and the SHA-256 of its bytes."""

    viewer: Viewer
    format: str
    file: str
    hash: Digest


@frozen(kw_only=True)
class WrittenReports:
    """The reports that were ``made`` of a game, ``turn`` being the number to write above orders."""

    game: str
    turn: int
    made: tuple[WrittenReport, ...]
