"""Draw a track: its spaces in rows to and fro, with their ground, lanes and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from adjudicator.core.drawing import Space, Track
from adjudicator.reports.legend import Key
from adjudicator.reports.picture_colors import ground_ink
from adjudicator.reports.sketch import Anchor, Part, Point, badge_anchors, badges_at
from adjudicator.reports.svg import element, words

_WIDTH: Final = 58
_LABEL: Final = 16
_LANE: Final = 22
_GAP: Final = 18
_PER_ROW: Final = 14


def track_parts(track: Track, key: Key, grounds: Sequence[str]) -> Part:
    """Return ``track`` drawn in the colours for ``grounds`` and ``key``."""
    closed = next((name for name in grounds if key.letter(name) == track.closed), "")
    lanes = max((space.lanes for space in track.spaces), default=1)
    height = _LABEL + lanes * _LANE
    corners = [_corner(at, height) for at in range(len(track.spaces))]
    middles = " ".join(f"{x + _WIDTH / 2},{y + height / 2}" for x, y in corners)
    drawn = [element("polyline", points=middles, fill="none", stroke="#bbbbbb", stroke_width=6)]
    anchors = []
    for space, corner in zip(track.spaces, corners, strict=True):
        inks = ground_ink(space.ground, grounds), ground_ink(closed, grounds)
        drawn += _space(space, corner, lanes, inks)
        anchors.append(Anchor(space.label, None, corner[0] + _WIDTH / 2, corner[1] + height / 2, _WIDTH, height))
        anchors += _pieces(space, corner)
    rows = -(-len(track.spaces) // _PER_ROW)
    drawn += badges_at(anchors, key)
    return Part(tuple(drawn), min(len(track.spaces), _PER_ROW) * _WIDTH, rows * (height + _GAP) - _GAP, tuple(anchors))


def _corner(at: int, height: float) -> Point:
    """Return the corner of space number ``at``: rows run to the right and back in turn."""
    row, column = divmod(at, _PER_ROW)
    return (column if row % 2 == 0 else _PER_ROW - 1 - column) * _WIDTH, row * (height + _GAP)


def _space(space: Space, corner: Point, lanes: int, inks: tuple[str, str]) -> Iterator[str]:
    """Yield a space; ``inks`` are the colours of its ground and of a missing lane."""
    (x, y), (ink, closed) = corner, inks
    yield element("rect", x=x, y=y, width=_WIDTH, height=_LABEL + lanes * _LANE, fill=ink, stroke="#888888")
    mark = f" ({space.mark})" if space.mark else ""
    yield words(f"{space.label}{mark}", x + _WIDTH / 2, y + 12, size=10)
    if space.lanes < lanes:
        top = y + _LABEL + space.lanes * _LANE
        room = {"width": _WIDTH, "height": (lanes - space.lanes) * _LANE}
        yield element("rect", x=x, y=top, fill=closed, stroke="#888888", **room)
        strokes = " ".join(f"M{x + at} {top + room['height']} l{room['height']} -{room['height']}" for at in range(0, 36, 9))
        yield element("path", d=strokes, stroke="#888888")


def _pieces(space: Space, corner: Point) -> Iterator[Anchor]:
    """Yield the places of the pieces on ``space``, one below the other."""
    x, y = corner
    middles = ((x + _WIDTH / 2, y + _LABEL + lane * _LANE + _LANE / 2) for lane in range(len(space.badges)))
    return badge_anchors(space.label, space.badges, middles)
