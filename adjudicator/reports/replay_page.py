"""Write the replay page: one file with the picture and the tables after every order, and the log beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from typing import TYPE_CHECKING, Final

from adjudicator.core.ruleset import account_label
from adjudicator.core.values import Value
from adjudicator.reports.changes import Earlier
from adjudicator.reports.drawing_text import TableText, description_lines, shape_tables
from adjudicator.reports.frames import FrameRecorder, Frames
from adjudicator.reports.heading import Heading, proof_lines, question, reader, title_line
from adjudicator.reports.log import LogEntry, log_entries
from adjudicator.reports.picture import picture
from adjudicator.reports.plots import Line, line_graph
from adjudicator.reports.position import Position, shown_players
from adjudicator.reports.sanitize import printable
from adjudicator.reports.texts import signed
from adjudicator.reports.web import Preview, json_block, web_page
from adjudicator.results import LogRow
from adjudicator.scenes.colors import seat_color
from adjudicator.scenes.drawing import Columns, Drawing

if TYPE_CHECKING:
    from markupsafe import Markup

FIRST_LINE: Final = "<!doctype html><!-- a replay page of adjudicator -->"
"""The first line of every replay page."""


class Step(Value):
    """One entry as a viewer may read it: its ``rows`` of the log, first that of its seat, and the ``position`` after it."""

    rows: tuple[LogRow, ...]
    position: Position


class Table(Value):
    """A table of a position: ``title``, ``headings`` (empty: each row begins with its label), the numbers of its rows."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[int, ...]


class ShownStep(Value):
    """The contents of a page after one entry: the numbers of its ``picture`` (``None``: no board) and its ``tables``.

    ``sentences`` are the numbers of the sentences that describe the picture, ``seat`` is the one that acted (empty: none).
    """

    anchor: str
    words: str
    seat: str
    picture: int | None
    sentences: tuple[int, ...]
    tables: tuple[int, ...]


class Amounts(Value):
    """The numbers of the texts of a seat's score after each entry, for the words below the graph."""

    seat: str
    shown: tuple[int, ...]


class PageData(Value):
    """The data for the script of a page; steps refer to common parts by number."""

    pictures: Frames
    sentences: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tables: tuple[Table, ...]
    steps: tuple[ShownStep, ...]
    amounts: tuple[str, ...]
    graph: tuple[Amounts, ...]


class ReplayPage(Value):
    """A page as HTML, with the number of its ``entries``, and the last ``position``, whose heading has game and viewer."""

    text: str
    position: Position
    entries: int

    @property
    def heading(self) -> Heading:
        """The heading of the last position."""
        return self.position.heading


class About(Value):
    """The extra contents of a page on a site: the link to the ``index``, the ``status`` of the audit, and ``facts``.

    Each fact is a pair of a label and a text. ``preview`` is for links to the page.
    """

    index: str
    status: str
    facts: tuple[tuple[str, str], ...]
    preview: Preview


def replay_page(steps: Iterable[Step], about: About | None = None) -> ReplayPage:
    """Return the page of ``steps``, at least one, all for the same viewer: HTML that needs no other file.

    On a site ``about`` has its extra contents.
    """
    from markupsafe import Markup

    recorder = _Recorder()
    for step in steps:
        recorder.add(step)
    last, data = recorder.last, recorder.data()
    heading = last.position.heading
    turns = [(turn, list(entries)) for turn, entries in groupby(recorder.entries, key=lambda entry: entry.turn)]
    text = web_page(
        "replay.html",
        style="replay.css zoom.css",
        script="panels.js replay.js zoom.js",
        first_line=FIRST_LINE,
        heading=heading,
        title=title_of(heading),
        proofs=proof_lines(heading),
        about=about,
        seen_by=reader(heading),
        players=recorder.players,
        badges={player.seat: player for player in shown_players(last.position)},
        turns=turns,
        has_turns=any(len(entries) > 1 for _, entries in turns),
        data=json_block(data),
        picture=Markup(step_picture(last.position) or ""),  # drawn by this program, with all words escaped
        has_pictures=bool(data.pictures.frames),
        graph=recorder.graph(),
        shown={one.seat: data.amounts[one.shown[-1]] for one in data.graph},
        account=account_label(heading.unit),
    )
    return ReplayPage(text, last.position, len(data.steps))


class _Recorder:
    """Collects steps; equal parts of several steps are stored once."""

    def __init__(self) -> None:
        self.last: Step
        self.entries: list[LogEntry] = []
        self.players: list[tuple[str, str]] = []
        self._pictures = FrameRecorder()
        self._sentences: dict[str, int] = {}
        self._rows: dict[tuple[str, ...], int] = {}
        self._tables: dict[Table, int] = {}
        self._known: dict[TableText, int] = {}
        self._steps: list[ShownStep] = []
        self._scores: dict[str, list[int]] = {}

    def add(self, step: Step) -> None:
        """Add the next step."""
        before = self.last.position.drawing if self._steps else None
        position, self.last = step.position, step
        (entry,) = log_entries(step.rows, position.heading.unit)
        self.entries.append(entry)
        drawn = step_picture(position, before)
        number = None if drawn is None else self._pictures.add(drawn)
        tables = tuple(map(self._table, tables_of(position)))
        described = description_lines(position.drawing)
        sentences = tuple(self._sentences.setdefault(one, len(self._sentences)) for one in described)
        for standing in position.standings:
            self._scores.setdefault(standing.seat, []).append(standing.score)
        self._steps.append(ShownStep(entry.anchor, entry.line, step.rows[0].seat or "", number, sentences, tables))
        if step.rows[0].begun is not None:
            self.players = [(printable(one.seat), printable(one.holder)) for one in step.rows[0].begun.players]

    def data(self) -> PageData:
        """Return the data of all steps."""
        unit = self.last.position.heading.unit
        texts = {seat: [f"{signed(score, unit)} {unit[0]}" for score in scores] for seat, scores in self._scores.items()}
        known = {text: at for at, text in enumerate(dict.fromkeys(chain.from_iterable(texts.values())))}
        graph = tuple(Amounts(printable(seat), tuple(known[text] for text in said)) for seat, said in texts.items())
        pooled = tuple(self._sentences), tuple(self._rows), tuple(self._tables)
        return PageData(self._pictures.frames(), *pooled, tuple(self._steps), tuple(known), graph)

    def graph(self) -> Markup | None:
        """Return the graph of the scores; ``None`` if they never change."""
        from markupsafe import Markup

        if all(len(set(scores)) == 1 for scores in self._scores.values()):
            return None
        seats = self.last.position.seats
        lines = [Line(f"ink-{seat_color(seat, seats)}", tuple(scores)) for seat, scores in self._scores.items()]
        drawn = line_graph(lines, self.last.position.heading.unit, [step.anchor for step in self._steps])
        return Markup("".join(drawn))  # drawn by this program, with all words escaped

    def _table(self, text: TableText) -> int:
        """Return the number of the table ``text``."""
        number = self._known.get(text)
        if number is None:
            title, headings, rows = text
            table = Table(title, headings, tuple(self._rows.setdefault(row, len(self._rows)) for row in rows))
            self._known[text] = number = self._tables.setdefault(table, len(self._tables))
        return number


def step_picture(position: Position, before: Drawing | None = None) -> str | None:
    """Return the picture of ``position``, identical to that of ``show --svg``; ``None`` without a board.

    With the drawing of the step ``before`` it has marks for the changes, as in a report.
    """
    earlier = None if before is None else Earlier(before)
    return picture(position.drawing, title_line(position.heading), position.players, earlier=earlier)


def tables_of(position: Position) -> Iterator[TableText]:
    """Yield the tables of ``position`` beside its picture: title, headings (can be empty) and rows, safe to show."""
    yield from _drawn(position.drawing)
    called = position.heading.called
    due = tuple((printable(called(one.seat)), printable(question(one))) for one in position.due)
    if due:
        yield "Decisions due", (), due
    ranked = tuple((place, who, f"{score} {unit}", note) for place, who, score, unit, note in position.standing_rows)
    if ranked:
        yield position.standings_title, ("place", "player", "score", "note"), ranked


def _drawn(drawing: Drawing) -> Iterator[TableText]:
    """Yield the tables of ``drawing`` without those that its picture contains as words."""
    shapes = (shape for shape in drawing.shapes if not (isinstance(shape, Columns) and shape.is_pictured))
    return (table for shape in shapes for table in shape_tables(shape) if table[2])


def title_of(heading: Heading) -> str:
    """Return the title of a page about this game."""
    return printable(f"{heading.game} · {heading.name}")
