"""Draw the panel of a seat: its values, the gears as a gate with a lever, and the wheels while they are spun."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Final

from adjudicator import scenes
from adjudicator.game import Seat, Value, count, listed
from adjudicator.games.checkered_flag.components import GEAR_LETTERS
from adjudicator.scenes import Element, Frame, Group, Path, circle, group, words

_GATE: Final = 66
_STEP: Final = 26
_SLOT: Final = 22
_ACROSS: Final = max(1, len(GEAR_LETTERS) // 2) * _STEP + 8
_CLEAR: Final = 6
"""The extra height of the frame around a gate, so that the knob does not touch it."""
_DARK: Final = "#3a3a3a"
_MOST_FACES: Final = 12
_WHEEL: Final = 50
_RADIUS: Final = _WHEEL / 2 - 2


class Cockpit(Value):
    """What the panel of a ``seat`` shows: rows of label and value, its gear, and wheels (label, faces, face shown)."""

    seat: Seat
    rows: tuple[tuple[str, str], ...]
    gear: str
    wheels: tuple[tuple[str, tuple[int, ...], int], ...] = ()

    @property
    def standing(self) -> str:
        """The lap of the seat and the spaces that it has driven."""
        rows = dict(self.rows)
        lap = [f"lap {rows['lap']}"] if "lap" in rows else []
        return ", ".join((*lap, *([count(int(rows["spaces"]), "space")] if "spaces" in rows else [])))

    @property
    def told(self) -> str:
        """A sentence with the position of the lever and the numbers on the wheels."""
        wheels = (f"{label} at {value}" for label, _, value in self.wheels)
        return f"{self.seat}: {listed((f'lever at {self.gear}', *wheels))}."


def panel_of(cockpit: Cockpit) -> scenes.Panel:
    """Return the panel of a seat."""
    seat, wheels = cockpit.seat, None
    if cockpit.wheels:
        wheels = group(_wheel(f"{seat}'s {one[0]}", one, 26 + at * (_WHEEL + 26)) for at, one in enumerate(cockpit.wheels))
    deep = _WHEEL + 8 if wheels else 0
    return scenes.Panel(
        seat, seat, (), cockpit.rows, _gate(seat, cockpit.gear), _ACROSS, _GATE, wheels, deep, is_marked=False
    )


def _gate(seat: Seat, gear: str) -> Group:
    """Return the gate of the gears, with a knob in the colour of the seat."""
    middle = _GATE / 2
    slots = dict(_slots(_ACROSS / 2 - 4, middle))
    left, right = min(at for at, _ in slots.values()), max(at for at, _ in slots.values())
    ways = "".join(f"M{at} {middle}L{at} {end}" for at, end in slots.values() if end != middle)
    lane = f"M{left} {middle}L{right} {middle}{ways}"
    inks = ((_DARK, 13), ("#ffffff", 10), ("#c9cbd2", 4))
    drawn: list[Element] = [Path(lane, stroke=ink, stroke_width=wide, stroke_linecap="round") for ink, wide in inks]
    for place, (x, y) in slots.items():
        is_here = place == gear
        knob = circle(x, y, 10 if is_here else 7, fill=scenes.SEAT if is_here else "#ffffff", stroke=_DARK)
        ink = scenes.LETTER if is_here else _DARK
        drawn.append(Group((knob, words(place, x, y + 4, 12 if is_here else 10, fill=ink, is_bold=is_here)), id=place))
    frame = Frame(_ACROSS / 2 - 4, middle, _ACROSS, _GATE + _CLEAR)
    return Group(tuple(drawn), id="gear", name=f"{seat}'s lever", frame=frame, holds=gear)


def _slots(x: float, y: float) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield the places of the lever: the first in the middle, the others above and below in turn."""
    left = x - (_ACROSS - 8) / 2 + _STEP / 2
    for at, place in enumerate(GEAR_LETTERS):
        column, row = divmod(at - 1, 2)
        yield place, (left + column * _STEP, y + (_SLOT if row else -_SLOT)) if at else (x, y)


def _wheel(name: str, wheel: tuple[str, tuple[int, ...], int], x: float) -> Group:
    """Return a wheel: its faces in a circle, with the current one marked and in the middle."""
    label, faces, value = wheel
    y = _WHEEL / 2 - 9
    drawn: list[Element] = [circle(x, y, _RADIUS, fill="#ffffff", stroke=_DARK, stroke_width=1.6)]
    faces = faces if len(faces) <= _MOST_FACES else ()
    shown = faces.index(value) if value in faces else None
    for at, face in enumerate(faces):
        angle = 2 * pi * at / len(faces) - pi / 2
        fx, fy = round(x + (_RADIUS - 6) * cos(angle), 1), round(y + (_RADIUS - 6) * sin(angle), 1)
        if at == shown:
            drawn.append(circle(fx, fy, 6, fill=_DARK))
        drawn.append(words(str(face), fx, fy + 3, 8, fill="#ffffff" if at == shown else _DARK))
    drawn.append(circle(x, y, 9.5, fill=_DARK))
    drawn.append(words(str(value), x, y + 5, 14, fill="#ffffff", is_bold=True))
    drawn.append(words(label, x, y + _RADIUS + 11, 10, is_bold=True))
    return Group(tuple(drawn), id=label, name=name, frame=Frame(x, y, _WHEEL, _WHEEL), holds=wheel)
