"""Write the replay page: one file with the boards and the tables after every entry, and the log beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from html import escape
from itertools import groupby
from types import MappingProxyType
from typing import Final

from adjudicator.core.ruleset import account_label
from adjudicator.core.values import Value, replace
from adjudicator.reports.changes import Earlier
from adjudicator.reports.drawing_text import TableText, description_lines, shape_tables
from adjudicator.reports.heading import Heading, proof_lines, question, reader, title_line
from adjudicator.reports.log import log_entries
from adjudicator.reports.picture import Figure, Move, Picture, Sign, as_file, draw, figure_rules
from adjudicator.reports.position import Position, shown_players
from adjudicator.reports.svg import Line, line_graph
from adjudicator.reports.texts import printable, signed
from adjudicator.reports.web import Preview, Words, json_block, web_page
from adjudicator.results import LogRow
from adjudicator.scenes import seat_color
from adjudicator.scenes.drawing import Columns

FIRST_LINE: Final = "<!doctype html><!-- a replay page of adjudicator -->"
"""The first line of every replay page."""
_FILE: Final = "file"
"""The room without a place in the page: the picture to save, in which each figure is only named."""


class Step(Value):
    """One entry as a viewer may read it: its ``rows`` of the log, first that of its seat, and the ``position`` after it."""

    rows: tuple[LogRow, ...]
    position: Position


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


Edit = tuple[int, int, tuple[int, ...]]
"""A change in the pieces of a text: where, how many pieces go, and the numbers of those that come."""


_Changes = tuple[tuple[tuple[int, tuple[Edit, ...]], ...], tuple[Move, ...]]


class ShownStep(Value):
    """The changes of a page with one entry: the ``edits`` of each room, by its number, and the ``moves`` of pieces.

    ``line`` is the entry on one line, ``seat`` the one that acted (empty: none).
    """

    anchor: str
    line: str
    seat: str
    edits: tuple[tuple[int, tuple[Edit, ...]], ...]
    moves: tuple[Move, ...]


class PageData(Value):
    """The data for the script of a page: the HTML of each room after each step, as changes between steps.

    A text is in ``pieces``, of which each is here once; between two of them is `><`. ``figures`` are the ids of the figures
    in the order of the page, which have rooms, too.
    """

    pieces: tuple[str, ...]
    rooms: tuple[str, ...]
    figures: tuple[str, ...]
    steps: tuple[ShownStep, ...]


class _Rooms:
    """The contents of each room of a page, and the pieces of all texts so far."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.pieces: dict[str, int] = {}
        self._shown: defaultdict[str, list[int]] = defaultdict(list)

    def edits(self, texts: Mapping[str, str]) -> Iterator[tuple[int, tuple[Edit, ...]]]:
        """Yield the changes after which the rooms contain ``texts``, each with the number of its room."""
        for name in texts:
            self.texts.setdefault(name, "")
        for at, (name, was) in enumerate(self.texts.items()):
            text = texts.get(name, "")
            if text == was:
                continue
            # Only what is between the common beginning and the common end is taken apart: boards have thousands of pieces.
            head = max(0, text.rfind("><", 0, _common(was, text)))
            end = text.find("><", len(text) - _common(was[head:][::-1], text[head:][::-1]))
            first, last = text.count("><", 0, head) + (head > 0), text.count("><", end) if end >= 0 else 0
            middle = text[head + 2 if head else 0 : end if end >= 0 else len(text)]
            fresh = [self.pieces.setdefault(piece, len(self.pieces)) for piece in middle.split("><")] if middle else []
            shown = self._shown[name]
            old = shown[first : len(shown) - last]
            found = SequenceMatcher(None, old, fresh).get_opcodes()
            yield at, tuple((first + i, j - i, tuple(fresh[k:end])) for tag, i, j, k, end in found if tag != "equal")
            self.texts[name], shown[first : len(shown) - last] = text, fresh


def _common(one: str, other: str) -> int:
    """Return the number of characters with which both texts begin."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if other.startswith(one[low:middle], low) else (low, middle - 1)
    return low


def replay_page(
    steps: Iterable[Step], about: About | None = None, rules: Mapping[str, str] = MappingProxyType({})
) -> ReplayPage:
    """Return the page of ``steps``, at least one, all for the same viewer: HTML that needs no other file.

    On a site ``about`` has its extra contents. ``rules`` are the texts of rules, which open from their numbers in the log.
    """
    from markupsafe import Markup

    rooms, largest, signs = _Rooms(), dict[str, Figure](), dict[Sign, None]()
    rows, changes, scores = list[LogRow](), list[_Changes](), defaultdict[str, list[int]](list)
    before: Earlier | None = None
    for step in steps:
        position = step.position
        picture = draw(position.drawing, seats=position.players, before=before, details=False)
        before = Earlier(position.drawing)
        signs |= dict.fromkeys(picture.legend)
        for board, panels in picture.groups:
            for one in (*board, *panels):  # a figure with room for those of all steps, and for their letters
                old = largest.get(one.id, one)
                width, height = max(one.width, old.width), max(one.height, old.height)
                least = min(one.least_letter, old.least_letter)
                largest[one.id] = replace(old, width=width, height=height, least_letter=least)
        for standing in position.standings:
            scores[standing.seat].append(standing.score)
        changes.append((tuple(rooms.edits(_texts(position, picture))), picture.moves))
        rows += step.rows
    heading = position.heading
    frames = Picture("", tuple(replace(one, svg=rooms.texts[one.id]) for one in largest.values()), tuple(signs))
    entries = log_entries(rows, heading.unit)
    shown = tuple(
        ShownStep(entry.anchor, entry.line, entry.seat or "", edits, moves)
        for entry, (edits, moves) in zip(entries, changes, strict=True)
    )
    figures = tuple(one.id for board, panels in frames.groups for one in (*board, *panels))
    turns = [(turn, list(lines)) for turn, lines in groupby(entries, key=lambda entry: entry.turn)]
    lines = [Line(f"ink-{seat_color(seat, position.seats)}", tuple(amounts)) for seat, amounts in scores.items()]
    has_graph = any(len(set(amounts)) > 1 for amounts in scores.values())
    graph = line_graph(lines, heading.unit, [one.anchor for one in shown]) if has_graph else ()
    text = web_page(
        "replay.html",
        style="figures.css replay.css zoom.css",
        script="replay.js zoom.js",
        rules=figure_rules(frames),
        first_line=FIRST_LINE,
        heading=heading,
        title=printable(f"{heading.game} · {heading.name}"),
        proofs=proof_lines(heading),
        about=about,
        seen_by=reader(heading),
        badges={player.seat: player for player in shown_players(position)},
        players=[(printable(one.seat), printable(one.holder)) for row in rows if row.begun for one in row.begun.players],
        turns=turns,
        has_turns=any(len(listed) > 1 for _, listed in turns),
        # Drawn by this program, with all words escaped:
        rooms=defaultdict(str, {name: Markup(text) for name, text in rooms.texts.items()}),
        graph=Markup("".join(graph)),
        picture=frames,
        account=account_label(heading.unit),
        words=Words(rules),
        data=json_block(PageData(tuple(rooms.pieces), tuple(rooms.texts), figures, shown)),
    )
    return ReplayPage(text, position, len(shown))


def _texts(position: Position, picture: Picture) -> dict[str, str]:
    """Return the HTML of each room: figures and definitions, description, tables, amounts, and the file to save."""
    unit, texts = position.heading.unit, {}
    if picture.figures:
        texts = {one.id: one.svg for one in picture.figures}
        named = replace(picture, figures=tuple(replace(one, svg=f"\0{one.id}\0") for one in picture.figures))
        file = as_file(named, title_line(position.heading)).svg
        definitions = f'<svg class="definitions" width="0" height="0" aria-hidden="true">{picture.definitions}</svg>'
        texts |= {_FILE: file, "definitions": definitions}
    texts["sentences"] = "".join(f"<li>{escape(line)}</li>" for line in description_lines(position.drawing))
    texts["tables"] = "".join(map(_table, tables_of(position)))
    amounts = ((one.seat, f"{signed(one.score, unit)} {unit.short}") for one in position.standings)
    return texts | {f"amount-{seat}": escape(printable(words)) for seat, words in amounts}


def _table(table: TableText) -> str:
    """Return a table, in which each row without a heading above begins with its label."""
    title, headings, rows = escape(table[0]), *table[1:]
    head = "".join(f'<th scope="col">{escape(word)}</th>' if word else "<td></td>" for word in headings)
    first = ("<td>", "</td>") if headings else ('<th scope="row">', "</th>")
    lines = []
    for row in rows:
        label, *cells = map(escape, row)
        lines.append(f"<tr>{first[0]}{label}{first[1]}{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>")
    caption, top = f"<caption>{title}</caption>" if title else "", f"<thead><tr>{head}</tr></thead>" if headings else ""
    frame = f'<div class="table" role="group" aria-label="{title or "Table"}" tabindex="0">'
    return f"{frame}<table>{caption}{top}<tbody>{''.join(lines)}</tbody></table></div>"


def tables_of(position: Position) -> Iterator[TableText]:
    """Yield the tables of ``position`` beside its picture: title, headings (can be empty) and rows, safe to show."""
    for shape in position.drawing.shapes:
        if not (isinstance(shape, Columns) and shape.is_pictured):  # its picture contains those as words
            yield from (table for table in shape_tables(shape) if table[2])
    called = position.heading.called
    due = tuple((printable(called(one.seat)), printable(question(one))) for one in position.due)
    if due:
        yield "Decisions due", (), due
    ranked = tuple((place, who, f"{score} {unit}", note) for place, who, score, unit, note in position.standing_rows)
    if ranked:
        yield position.standings_title, ("place", "player", "score", "note"), ranked
