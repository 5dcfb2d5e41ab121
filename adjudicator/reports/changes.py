"""Find the changes of the boards since the last report to a reader.

Two drawings are compared, never two states. The author of a game writes no code for it: a place is identified by its name, a
piece by its badge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from adjudicator.core.phrases import listed
from adjudicator.core.values import Value
from adjudicator.reports.drawing_text import Badge, badge_of
from adjudicator.reports.texts import printable
from adjudicator.scenes import NOWHERE, Scene, Sign, Thing, things
from adjudicator.scenes.drawing import Columns, Drawing, Fields

TableShape = Fields | Columns
Point = tuple[float, float]
NEW: Final = "New since turn"
MOVED: Final = "Moved since turn"


class Earlier(Value):
    """An earlier ``drawing`` for the same reader, and the number of the ``turn`` that was due then.

    In a replay it is that of the step before, and has no ``turn``.
    """

    drawing: Drawing
    turn: int | None = None


class Change(Value):
    """A thing that is new: a place with other contents, or a token; a piece that moved was at ``origin`` (else empty).

    ``start`` is the point from which it moved, on the new board (``None``: that place is not on it any more).
    """

    thing: Thing
    origin: str = ""
    start: Point | None = None


def changes_since(drawing: Drawing, earlier: Earlier | None) -> Iterator[tuple[Scene | TableShape, tuple[Change, ...]]]:
    """Yield each board of ``drawing``, or each table of a drawing without boards, with the changes in it.

    Nothing counts as a change in a board or table that is new itself.
    """
    left = [*pictured(earlier.drawing)] if earlier is not None else []
    for shape in pictured(drawing):
        alike = [one for one in left if type(one) is type(shape)]
        named = [one for one in alike if _called(one) == _called(shape)]
        before = next(iter(named if isinstance(shape, Scene) else (*named, *alike)), None)
        if before is not None:
            left.remove(before)
        yield shape, () if before is None else tuple(_changes(things_in(before), things_in(shape)))


def pictured(drawing: Drawing) -> tuple[Scene | TableShape, ...]:
    """Return the shapes of ``drawing`` in its picture: its boards, or its tables if it has no board."""
    return drawing.scenes or tuple(shape for shape in drawing.shapes if isinstance(shape, TableShape))


def _called(shape: Scene | TableShape) -> str:
    return shape.id if isinstance(shape, Scene) else shape.title


def things_in(shape: Scene | TableShape) -> tuple[Thing, ...]:
    """Return the places and tokens of a scene, or the cells of a table, which have no frames.

    The name of a cell is made of the first cell of its row and the heading of its column.
    """
    match shape:
        case Scene():
            return tuple(thing for thing in things(shape) if thing.frame is not NOWHERE)
        case Fields():
            return tuple(Thing(label, "", NOWHERE, holds=value) for label, value in shape.rows)
    return tuple(
        Thing(f"{row[0]}'s {heading}" if at else row[0], "", NOWHERE, holds=cell, within=row[0] if at else "")
        for row in shape.rows
        for at, (heading, cell) in enumerate(zip(shape.headings, row, strict=True))
    )


def _changes(before: Iterable[Thing], now: Iterable[Thing]) -> Iterator[Change]:
    """Yield the places of ``now`` with other contents, then the new tokens, a piece with the one place that it came from.

    Changes of a place within a new one are not reported separately. Pieces move only between places of one field.
    """
    old_places, old_tokens = _places_and_tokens(before)
    places, tokens = _places_and_tokens(now)
    known = {*old_places, *(one.name for ones in old_tokens.values() for one in ones)}
    if not known:
        return
    for name, one in places.items():
        old = old_places.get(name)
        if (old is None or old.holds != one.holds) and (not one.within or one.within in known):
            yield Change(one)
    for (badge, field), ones in tokens.items():
        homes = old_tokens.get((badge, field), [])
        for one in ones:
            if any(home.name == one.name for home in homes):
                continue
            if badge.sign is not Sign.PIECE or len(homes) != 1:
                yield Change(one)
                continue
            home = homes[0]
            then, there = old_places.get(home.name), places.get(home.name)
            if then is None:
                start: Point | None = (home.frame.x, home.frame.y)
            elif there is None:
                start = None
            else:
                start = home.frame.x + there.frame.x - then.frame.x, home.frame.y + there.frame.y - then.frame.y
            yield Change(one, home.name, start)


def _places_and_tokens(found: Iterable[Thing]) -> tuple[dict[str, Thing], dict[tuple[Badge, str], list[Thing]]]:
    """Return the places by name, and the tokens by their badge and their field."""
    places: dict[str, Thing] = {}
    tokens: dict[tuple[Badge, str], list[Thing]] = {}
    for one in found:
        if one.token is None:
            places[one.name] = one
        else:
            tokens.setdefault((badge_of(one.token), one.token.field), []).append(one)
    return places, tokens


def change_lines(drawing: Drawing, earlier: Earlier | None) -> tuple[str, ...]:
    """Return the changes as sentences, for readers who cannot see the marks; empty without changes."""
    if earlier is None or earlier.turn is None:
        return ()
    moved, others = dict[str, None](), dict[str, None]()
    for change in (change for _, changes in changes_since(drawing, earlier) for change in changes):
        name, token = change.thing.name, change.thing.token
        if token is not None and change.origin:
            moved[f"{badge_of(token).text} from {change.origin} to {name}"] = None
        else:
            others[name if token is None else f"{badge_of(token).text} on {name}"] = None
    texts = ((f"{MOVED} {earlier.turn}", moved), (f"{NEW} {earlier.turn}", others))
    return tuple(printable(f"{words}: {listed(which)}.") for words, which in texts if which)
