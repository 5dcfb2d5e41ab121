"""Find the changes on the boards since the last report to a reader, by comparing two drawings, never two states.

The author of a game writes no code for it: a place is identified by its name in the game, a piece by its badge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from adjudicator.core.phrases import listed
from adjudicator.core.values import Value
from adjudicator.reports.sanitize import printable
from adjudicator.reports.scene_parts import Badge, badge_of, found_in
from adjudicator.scenes.drawing import Columns, Drawing, Fields
from adjudicator.scenes.scene import Scene, Sign, Token

TableShape = Fields | Columns


class Earlier(Value):
    """An earlier ``drawing`` for the same reader, and the number of the ``turn`` that was due then.

    In a replay it is that of the step before, and has no ``turn``.
    """

    drawing: Drawing
    turn: int | None = None


class Change(Value):
    """A change at ``place``: a new ``badge``, or (``None``) new contents.

    A moved piece was at ``origin``.
    """

    place: str
    badge: Badge | None = None
    origin: str = ""


class _Place(Value):
    """The contents of a place, for comparing, and its badges. A piece can move only between places of one ``group``.

    Changes of a place ``within`` a new place are not reported separately. A place that ``is_bare`` has badges only.
    """

    lies: Any
    badges: tuple[Badge, ...] = ()
    group: str = ""
    within: str = ""
    is_bare: bool = False


def pictured(drawing: Drawing) -> tuple[Scene | TableShape, ...]:
    """Return the shapes of ``drawing`` in its picture: its boards, or its tables if it has no board."""
    boards = tuple(shape for shape in drawing.shapes if isinstance(shape, Scene))
    return boards or tuple(shape for shape in drawing.shapes if isinstance(shape, TableShape))


def changes_since(drawing: Drawing, earlier: Earlier | None) -> tuple[tuple[Any, tuple[Change, ...]], ...]:
    """Return for each shape in the picture of ``drawing`` its earlier version and the changes in it.

    The earlier version of a new shape is ``None``, and nothing in it counts as a change.
    """
    left = [*pictured(earlier.drawing)] if earlier is not None else []
    found = []
    for shape in pictured(drawing):
        alike = [one for one in left if type(one) is type(shape)]
        named = [one for one in alike if _called(one) == _called(shape)]
        before = next(iter(named if isinstance(shape, Scene) else (*named, *alike)), None)
        if before is not None:
            left.remove(before)
        found.append((before, () if before is None else changes_between(before, shape)))
    return tuple(found)


def changes_between(before: Scene | TableShape, now: Scene | TableShape) -> tuple[Change, ...]:
    """Return the changes in ``now``: places with other contents, then new and moved badges."""
    was, is_ = dict(_places(before)), dict(_places(now))
    if not was:
        return ()
    kept = ((name, place) for name, place in is_.items() if not place.is_bare and (not place.within or place.within in was))
    places = [Change(name) for name, place in kept if name not in was or was[name].lies != place.lies]
    badges = [change for name, place in is_.items() for change in _new_badges(name, place, was)]
    return (*places, *badges)


def change_lines(drawing: Drawing, earlier: Earlier | None) -> tuple[str, ...]:
    """Return the changes as sentences, for readers who cannot see the marks; empty without changes."""
    if earlier is None or earlier.turn is None:
        return ()
    changes = [change for _, changes in changes_since(drawing, earlier) for change in changes]
    moved = [f"{one.badge.text} from {one.origin} to {one.place}" for one in changes if one.badge and one.origin]
    others = [f"{one.badge.text} on {one.place}" if one.badge else one.place for one in changes if not one.origin]
    texts = ((f"{MOVED} {earlier.turn}", moved), (f"{NEW} {earlier.turn}", others))
    return tuple(printable(f"{words}: {listed(dict.fromkeys(which))}.") for words, which in texts if which)


NEW: Final = "New since turn"
MOVED: Final = "Moved since turn"


def cell_name(table: TableShape, row: int, column: int) -> str:
    """Return the name of a cell of ``table``, from the first cell of its row and the heading of its column."""
    first = table.rows[row][0]
    return f"{first}'s {table.headings[column]}" if isinstance(table, Columns) and column else first


def _places(board: Scene | TableShape) -> Iterator[tuple[str, _Place]]:
    match board:
        case Scene():
            yield from _places_of_scene(board)
        case Fields():
            for label, value in board.rows:
                yield label, _Place(value)
        case Columns():
            for at, row in enumerate(board.rows):
                for column, cell in enumerate(row):
                    yield cell_name(board, at, column), _Place(cell, within=row[0] if column else "")


def _places_of_scene(scene: Scene) -> Iterator[tuple[str, _Place]]:
    found = found_in(scene)
    standing: dict[str, list[Token]] = {one.name: [] for one in found}
    for one in found:
        if one.token is not None:
            standing[one.name].append(one.token)
    places = {one.name: one for one in found if one.token is None}
    for name, tokens in standing.items():
        place, badges = places.get(name), tuple(map(badge_of, tokens))
        group = tokens[0].field if tokens else ""
        yield name, _Place(place and place.holds, badges, group, place.within if place else "", is_bare=place is None)


def _called(shape: Scene | TableShape) -> str:
    return shape.id if isinstance(shape, Scene) else str(getattr(shape, "title", ""))


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
