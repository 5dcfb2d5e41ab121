"""Draw the panel of a seat: its values, the gears as a gate with a lever, and the wheels while they are spun."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Final

from adjudicator import scenes
from adjudicator.game import Seat
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, Components
from adjudicator.games.checkered_flag.state import Spun
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


def panel_of(components: Components, seat: Seat, rows: Mapping[str, object], gear: int, spun: Spun | None) -> scenes.Panel:
    """Return the panel of a ``seat`` with ``rows`` of label and value; ``spun`` are its wheels."""
    told = tuple((label, str(value)) for label, value in rows.items() if label != "seat" and value != "")
    wheels = None
    if spun is not None:
        a = _wheel(seat, "wheel A", components.wheel_a, spun.a, 26)
        wheels = group((a, _wheel(seat, "wheel B", components.wheel_b, spun.b, 52 + _WHEEL)))
    deep = _WHEEL + 8 if wheels else 0
    gate = _gate(seat, GEAR_LETTERS[gear])
    return scenes.Panel(seat, seat, (), told, gate, _ACROSS, _GATE, wheels, deep, is_marked=False)


def _gate(seat: Seat, gear: str) -> Group:
    """Return the gate: neutral in the middle, the gears above and below in turn, a knob in the colour of the seat."""
    x, middle = _ACROSS / 2 - 4, _GATE / 2
    left = x - (_ACROSS - 8) / 2 + _STEP / 2
    slots = {GEAR_LETTERS[0]: (x, middle)}
    for at, place in enumerate(GEAR_LETTERS[1:]):
        slots[place] = left + at // 2 * _STEP, middle + (_SLOT if at % 2 else -_SLOT)
    right = max(at for at, _ in slots.values())
    ways = "".join(f"M{at} {middle}L{at} {end}" for at, end in slots.values() if end != middle)
    lane = f"M{left} {middle}L{right} {middle}{ways}"
    inks = ((_DARK, 13), ("#ffffff", 10), ("#c9cbd2", 4))
    drawn: list[Element] = [Path(lane, stroke=ink, stroke_width=wide, stroke_linecap="round") for ink, wide in inks]
    for place, (across, down) in slots.items():
        is_here = place == gear
        knob = circle(across, down, 10 if is_here else 7, fill=scenes.SEAT if is_here else "#ffffff", stroke=_DARK)
        ink = scenes.LETTER if is_here else _DARK
        letter = words(place, across, down + 4, 12 if is_here else 10, fill=ink, is_bold=is_here)
        drawn.append(Group((knob, letter), id=place))
    frame = Frame(x, middle, _ACROSS, _GATE + _CLEAR)
    return Group(tuple(drawn), id="gear", name=f"{seat}'s lever", frame=frame, holds=gear)


def _wheel(seat: Seat, label: str, faces: tuple[int, ...], value: int, x: float) -> Group:
    """Return a wheel: its faces in a circle, if there are not too many, with the current one marked and in the middle."""
    y, radius = _WHEEL / 2 - 9, _WHEEL / 2 - 2
    drawn: list[Element] = [circle(x, y, radius, fill="#ffffff", stroke=_DARK, stroke_width=1.6)]
    for at, face in enumerate(faces if len(faces) <= _MOST_FACES else ()):
        angle, is_shown = 2 * pi * at / len(faces) - pi / 2, at == faces.index(value)
        fx, fy = round(x + (radius - 6) * cos(angle), 1), round(y + (radius - 6) * sin(angle), 1)
        drawn += [circle(fx, fy, 6, fill=_DARK)] if is_shown else []
        drawn.append(words(str(face), fx, fy + 3, 8, fill="#ffffff" if is_shown else _DARK))
    drawn += [circle(x, y, 9.5, fill=_DARK), words(str(value), x, y + 5, 14, fill="#ffffff", is_bold=True)]
    drawn.append(words(label, x, y + radius + 11, 10, is_bold=True))
    frame, holds = Frame(x, y, _WHEEL, _WHEEL), (label, faces, value)
    return Group(tuple(drawn), id=label, name=f"{seat}'s {label}", frame=frame, holds=holds)
