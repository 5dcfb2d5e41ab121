"""Find the changes on the boards since the last report to a reader, by comparing two drawings, never two states.

The author of a game writes no code for it: a place is identified by its name in the game, a piece by its badge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from adjudicator.core.drawing import (
    Badge,
    Chart,
    Circuit,
    Columns,
    Dial,
    Drawing,
    Fields,
    Gauge,
    Grid,
    Lane,
    Panel,
    Panels,
    Passage,
    Roadmap,
    Shelf,
    Sign,
    Track,
    Wheel,
    of_seats,
)
from adjudicator.core.frozen import frozen
from adjudicator.core.phrases import listed
from adjudicator.core.tableau import Place, Tableau
from adjudicator.reports.legend import as_badge
from adjudicator.reports.sanitize import printable

BoardShape = Grid | Shelf | Dial | Track | Roadmap | Chart | Panels | Tableau
"""The shapes that have a picture."""
TableShape = Fields | Columns


@frozen
class Earlier:
    """The ``drawing`` in the last report to the reader, and the number of the ``turn`` that was due then."""

    drawing: Drawing
    turn: int


@frozen
class Change:
    """A change at ``place``: a new ``badge``, or (``None``) new contents.

    A moved piece was at ``origin``.
    """

    place: str
    badge: Badge | None = None
    origin: str = ""


@frozen
class _Place:
    """The contents of a place, for comparing, and its badges. A piece can move only between places of one ``group``.

    Changes of a place ``within`` a new place are not reported separately.
    """

    lies: Any
    badges: tuple[Badge, ...] = ()
    group: str = ""
    within: str = ""


def pictured(drawing: Drawing) -> tuple[BoardShape | TableShape, ...]:
    """Return the shapes of ``drawing`` in its picture: its boards, or its tables if it has no board."""
    boards = tuple(shape for shape in drawing.shapes if isinstance(shape, BoardShape))
    return boards or tuple(shape for shape in drawing.shapes if isinstance(shape, TableShape))


def changes_since(drawing: Drawing, earlier: Earlier | None) -> tuple[tuple[Any, tuple[Change, ...]], ...]:
    """Return for each shape in the picture of ``drawing`` its earlier version and the changes in it.

    The earlier version of a new shape is ``None``, and nothing in it counts as a change.
    """
    left = [*pictured(earlier.drawing)] if earlier is not None else []
    found = []
    for shape in pictured(drawing):
        alike = [one for one in left if type(one) is type(shape)]
        named = [one for one in alike if getattr(one, "title", "") == getattr(shape, "title", "")]
        before = next(iter((*named, *alike)), None)
        if before is not None:
            left.remove(before)
        found.append((before, () if before is None else changes_between(before, shape)))
    return tuple(found)


def changes_between(before: BoardShape | TableShape, now: BoardShape | TableShape) -> tuple[Change, ...]:
    """Return the changes in ``now``: places with other contents, then new and moved badges."""
    was, is_ = dict(_places(before)), dict(_places(now))
    if not was:
        return ()
    kept = ((name, place) for name, place in is_.items() if not place.within or place.within in was)
    places = [Change(name) for name, place in kept if name not in was or was[name].lies != place.lies]
    badges = [change for name, place in is_.items() for change in _new_badges(name, place, was)]
    return (*places, *badges)


def change_lines(drawing: Drawing, earlier: Earlier | None) -> tuple[str, ...]:
    """Return the changes as sentences, for readers who cannot see the marks; empty without changes."""
    if earlier is None:
        return ()
    changes = [change for _, changes in changes_since(drawing, earlier) for change in changes]
    moved = [f"{one.badge.text} from {one.origin} to {one.place}" for one in changes if one.badge and one.origin]
    others = [f"{one.badge.text} on {one.place}" if one.badge else one.place for one in changes if not one.origin]
    texts = ((f"{MOVED} {earlier.turn}", moved), (f"{NEW} {earlier.turn}", others))
    return tuple(printable(f"{words}: {listed(dict.fromkeys(which))}.") for words, which in texts if which)


NEW: Final = "New since turn"
MOVED: Final = "Moved since turn"


def square_name(grid: Grid, at: int) -> str:
    """Return the name of square number ``at`` of ``grid``: ``C3``."""
    row, column = divmod(at, max(len(grid.columns), 1))
    return f"{grid.columns[column]}{grid.rows[row]}"


def shelf_names(shelf: Shelf) -> Iterator[str]:
    """Yield the names of the squares of ``shelf``, row by row: ``H3 (row)``."""
    for title, squares in shelf.rows:
        for square in squares:
            yield f"{square.label} ({title})"


def stack_name(at: int) -> str:
    """Return the name of the figure ``at`` of a dial."""
    return f"dial {at}"


def lane_name(lane: Lane) -> str:
    """Return the name of ``lane`` of a chart."""
    return f"lane {lane.label}"


def passage_name(passage: Passage) -> str:
    """Return the name of ``passage`` of a chart."""
    return f"the {passage.kind} from {passage.ends[0]} to {passage.ends[1]}"


def track_name(track: tuple[str, str]) -> str:
    """Return the name of a hidden ``track`` of a map."""
    return f"the track from {track[0]} to {track[1]}"


def panel_lines(panel: Panel) -> Iterator[tuple[str, Gauge | tuple[str, str]]]:
    """Yield the gauges of ``panel``, then its rows, each with its name."""
    for gauge in panel.gauges:
        yield f"{panel.title}'s {gauge.label}", gauge
    for row in panel.rows:
        yield f"{panel.title}'s {row[0]}", row


def lying_name(place: Place, label: str) -> str:
    """Return the name of the things with a ``label`` at ``place`` on a table."""
    return f"{place.title}'s {label}" if place.seat and label else label


def lever_name(panel: Panel) -> str:
    """Return the name of the lever of ``panel``."""
    return f"{panel.title}'s lever"


def wheel_name(panel: Panel, wheel: Wheel) -> str:
    """Return the name of a ``wheel`` of ``panel``."""
    return f"{panel.title}'s {wheel.label}"


def cell_name(table: TableShape, row: int, column: int) -> str:
    """Return the name of a cell of ``table``, from the first cell of its row and the heading of its column."""
    first = table.rows[row][0]
    return f"{first}'s {table.headings[column]}" if isinstance(table, Columns) and column else first


def _places(board: BoardShape | TableShape) -> Iterator[tuple[str, _Place]]:
    match board:
        case Grid(is_apart=False):
            for at, square in enumerate(board.squares):
                yield square_name(board, at), _Place((square.edges, square.label, square.corner), _badges(square.badges))
        case Shelf():
            squares = (square for _, row in board.rows for square in row)
            for name, square in zip(shelf_names(board), squares, strict=True):
                yield name, _Place((square.edges, square.corner), _badges(square.badges))
        case Dial():
            for at in range(1, board.most + 1):
                yield stack_name(at), _Place(None)
            for stack in board.stacks:
                yield stack_name(stack.at), _Place(None, _badges(stack.badges))
        case Track():
            for space in board.spaces:
                yield space.label, _Place((space.ground, space.mark, space.lanes), _badges(space.badges))
            for panel in board.panels if isinstance(board, Circuit) else ():
                yield lever_name(panel), _Place(panel.lever)
                yield from ((wheel_name(panel, wheel), _Place(wheel)) for wheel in panel.wheels)
        case Roadmap():
            for spot in board.spots:
                yield spot.label, _Place((spot.ground, spot.sign, spot.name, spot.is_marker), _badges(spot.badges))
            for track in board.tracks:
                yield track_name(track), _Place(track)
        case Chart():
            yield from _places_of_chart(board)
        case Panels():
            for panel in board.panels:
                for name, line in panel_lines(panel):
                    yield name, _Place(line)
        case Tableau():
            for place in board.places:
                yield from _places_on_table(place)
        case Fields():
            for label, value in board.rows:
                yield label, _Place(value)
        case Columns():
            for at, row in enumerate(board.rows):
                for column, cell in enumerate(row):
                    yield cell_name(board, at, column), _Place(cell, within=row[0] if column else "")


def _places_of_chart(chart: Chart) -> Iterator[tuple[str, _Place]]:
    for region in chart.regions:
        lies = (region.ground, region.marks, region.is_hatched, region.is_ringed)
        yield region.label, _Place(lies, _badges(region.badges))
    for lane in chart.lanes:
        yield lane_name(lane), _Place(None, _badges(lane.badges), "lanes")
    for passage in chart.passages:
        yield passage_name(passage), _Place(passage)


def _places_on_table(place: Place) -> Iterator[tuple[str, _Place]]:
    """Yield the contents of ``place``; a piece on a card comes from a stock, never from another card."""
    if not place.seat:
        yield place.title, _Place(None)
    for label, value in place.rows:
        yield lying_name(place, label), _Place(value)
    for counters in place.counters:
        yield lying_name(place, counters.label), _Place((counters.told, counters.counters))
    for cards in place.cards:
        if not place.seat:
            yield cards.label, _Place((cards.down, cards.told))
        for card in cards.cards:
            pieces = of_seats(card.pieces, Sign.PIECE)
            yield card.label, _Place((card.features, cards.label, place.title), _badges(pieces), card.label)


def _badges(badges: Iterable[Badge | str]) -> tuple[Badge, ...]:
    return tuple(map(as_badge, badges))


def _new_badges(name: str, place: _Place, was: Mapping[str, _Place]) -> Iterator[Change]:
    """Yield the new badges of ``place``, a piece with the one place that it came from."""
    old = was[name].badges if name in was else ()
    for badge in place.badges:
        if badge in old:
            continue
        here = ((other, at.badges.count(badge)) for other, at in was.items() if at.group == place.group)
        origins = list(chain.from_iterable([other] * many for other, many in here))
        is_moved = badge.sign is Sign.PIECE and len(origins) == 1
        yield Change(name, badge, origins[0] if is_moved else "")
