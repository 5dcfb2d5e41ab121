"""Draw the track: a closed line with its bends, kerbs, numbers and cars, and the panels of the seats below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from math import ceil, cos, degrees, hypot, pi, sin
from typing import Final

from adjudicator import scenes
from adjudicator.game import Seat, Value, count, listed
from adjudicator.games.checkered_flag.cockpit import Cockpit
from adjudicator.games.checkered_flag.components import Components, Width
from adjudicator.games.checkered_flag.facts import DANGER
from adjudicator.games.checkered_flag.infield import Taken, standings
from adjudicator.games.checkered_flag.track_way import HALF, Space, Way
from adjudicator.scenes import Element, Frame, Group, Path, Point, circle, group, polygon, rect, way, words

_GROUNDS: Final = (DANGER, Width.NARROW.value)
_SIGNS: Final = {DANGER: "!", Width.NARROW.value: "/"}
_UNIT: Final = 26
_LEAST_UNIT: Final = 22
_FITTING: Final = 2_400
"""The greatest length of a lap in pixels; the spaces of a longer lap become shorter."""
_LANE: Final = 8.5
_AIR: Final = 1.5
"""Pixels at each side of a number."""
_APART: Final = 84
_EDGE: Final = 46
_GRASS: Final = "#edf2e4"
_ASPHALT: Final = "#d9dbe0"
_DARK: Final = "#3a3a3a"
_RED: Final = "#a8281c"
_HATCH: Final = scenes.Hatch("#a8553a", 0.8, 6, -45)
_OFF: Final = 44
"""From the middle of the line to the cars beyond the finish, in pixels."""
_NAME: Final = 4
"""The length of the names of cars in text, unless they need more characters to differ."""
_CAR_INK: Final = "#26282c"
_BODY: Final = "M-13 -5 L-12 -6.5 L6 -6.5 Q13 -5.5 13.5 0 Q13 5.5 6 6.5 L-12 6.5 L-13 5 Z"
_WHEELS: Final = ((-8, -7.5), (-8, 7.5), (6.5, -7), (6.5, 7))
CAR: Final = 33
"""The diameter in pixels of the circle in which a car turns."""
BURST: Final = 47
"""The same with the burst around a crashed car."""
_LETTERS: Final = (12, 16)
"""The sizes of letters on a long track, and on one that fits on a phone: with the larger ones it is legible there."""
_ON_PHONE: Final = 535
"""The greatest width of a track that fits on a phone, in pixels."""
_ASKEW: Final = 40.1
"""The angle between a crashed car and the track, in degrees."""


def track_scene(
    told: str,
    components: Components,
    cars: Mapping[Seat, int | None],
    stopped: Mapping[Seat, int],
    cockpits: Sequence[Cockpit] = (),
    *,
    has_flag: bool = True,
) -> scenes.Scene:
    """Return the track with ``cars`` at their positions, 0 for the line and ``None`` for the flag beyond the finish.

    ``stopped`` cars have crashed and lose a number of turns. The infield shows the order of ``cockpits``, and sentences
    describe them. With a flag, the text has a space for the finish.
    """
    sheet = _sheet(components)
    at_space: dict[str, list[Seat]] = {}
    for seat, position in cars.items():
        at_space.setdefault("flag" if position is None else str(position) if position else "line", []).append(seat)
    tokens = [*_tokens(sheet, at_space, stopped)]
    rows = [(cockpit.seat, cockpit.standing) for cockpit in cockpits]
    order = standings(rows, sheet.taken, sheet.border, sheet.letters)
    return scenes.Scene(
        "track",
        f"Track ({told})",
        (*sheet.road, *(_flag(sheet.way) if at_space.get("flag") else ())),
        round(2 * sheet.way.x, 1),
        round(2 * sheet.way.y, 1),
        (*sheet.words, *order, *tokens),
        scenes.Later(_text, (sheet.spaces, at_space, len(cars) if has_flag else 0)),
        sentences=(*_sentences(f"Track ({told})", sheet.spaces, at_space, has_flag=has_flag), *_beside(stopped, cockpits)),
        road=_steps(sheet.spaces),
    )


@lru_cache(maxsize=16)
def _steps(spaces: tuple[Space, ...]) -> scenes.Road:
    """Return the steps of cars, in the direction of travel."""
    labels = [space.label for space in spaces]
    return scenes.Road(tuple(zip(labels, (*labels[1:], labels[0]), strict=True)))


def legend(*, has_cars: bool, has_stopped: bool = False) -> scenes.Legend:
    """Return the legend of the track."""
    inks = {name: scenes.ground_ink(name, _GROUNDS) for name in _GROUNDS}
    grounds = tuple(
        scenes.Entry(name, tuple(_swatch(inks[name], is_bend=name == DANGER)), 34, _run(name, sign))
        for name, sign in _SIGNS.items()
    )
    if not has_cars:
        return scenes.Legend((grounds,))
    signs = [scenes.Entry("car", (_example(0),), 30, scenes.Run(scenes.SIGNS[scenes.Sign.PIECE]))]
    if has_stopped:
        signs.append(scenes.Entry("stands still, with the turns it loses", (_example(1),), 38))
    return scenes.Legend((grounds, tuple(signs)))


class _Sheet(Value):
    """A track on paper without cars: its spaces, their ``way``, the drawn ``road`` and the ``words`` on it.

    ``taken`` are the places that are not free, ``border`` is the middle of the track, ``letters`` the size of all letters.
    """

    spaces: tuple[Space, ...]
    way: Way
    road: tuple[Element, ...]
    words: tuple[Element, ...]
    taken: Taken
    border: tuple[Point, ...]
    letters: int


def _sheet(components: Components) -> _Sheet:
    spaces = tuple(_spaces(components))
    labels = {space.label for space in spaces}
    names = ((zone.name, str(zone.whole.first), str(zone.whole.last)) for zone in components.zones)
    # A set with mistakes is drawn, too: its zones may end on spaces that it does not have.
    return _sheet_of(spaces, tuple(name for name in names if labels.issuperset(name[1:])))


def _spaces(components: Components) -> Iterator[Space]:
    yield Space("line", "", "", 2)
    for spot, section in zip(components.track, components.sections[1:], strict=True):
        mark = str(section.number or "") if section is not None and len(section.zone.curves) > 1 else ""
        yield Space(str(spot.number), DANGER if section else "", mark, 2 if spot.width is Width.WIDE else 1)


@lru_cache(maxsize=16)
def _sheet_of(spaces: tuple[Space, ...], names: tuple[tuple[str, str, str], ...]) -> _Sheet:
    """Return the track of ``spaces``, which is the same for every picture of a game."""
    unit = max(_LEAST_UNIT, min(_UNIT, _FITTING / len(spaces)))
    loop = scenes.loop_of(tuple(_stretches(spaces)), unit, _APART)
    right, low = (max(point[side] for point in loop.points) + _EDGE for side in (0, 1))
    along = Way(loop, spaces, right, low)
    grass = rect(round(2 * right, 1), round(2 * low, 1), rx=18, fill=_GRASS)
    road = group((grass, *_road(along), *_line(along)))
    taken = list[tuple[float, float, float, float]]()
    letters = _LETTERS[2 * right <= _ON_PHONE]
    told = group(_words(along, names, taken, letters))
    border = tuple(along.beside(at / 2, 0) for at in range(2 * len(spaces)))
    return _Sheet(spaces, along, (road,), (told,), tuple(taken), border, letters)


def _stretches(spaces: Sequence[Space]) -> Iterator[scenes.Stretch]:
    """Yield the straights and bends of ``spaces``."""
    for is_bend, one in groupby(spaces, key=lambda space: space.is_bend):
        marks = [space.mark for space in one]
        parts = tuple(len([*same]) for _, same in groupby(marks)) if is_bend else (len(marks),)
        yield scenes.Stretch(parts, is_bend)


def _road(along: Way) -> Iterator[Element]:
    """Yield the track: kerbs at bends, the ground of each space, hatching, and the line between two lanes."""
    spaces = along.spaces
    bends = [at for at, space in enumerate(spaces) if space.is_bend]
    if bends:
        kerbs = "".join(way(along.edge(at, at + 1, side * (along.half(at) + 2))) for at in bends for side in (1, -1))
        yield from _kerb(kerbs, "6 6")
    outlines = {
        at: along.edge(at, at + 1, along.half(at)) + along.edge(at, at + 1, -along.half(at))[::-1]
        for at in range(len(spaces))
    }
    for at, space in enumerate(spaces):
        ink = scenes.ground_ink(space.ground, _GROUNDS) if space.ground else _ASPHALT
        frame = Frame(*along.beside(at + 0.5, 0), 2 * HALF, 2 * HALF)
        area = polygon(outlines[at], fill=ink, stroke=_DARK)
        yield Group((area,), id=space.label, frame=frame, holds=(space.ground, space.mark, space.lanes))
    if bends:
        yield Path("".join(way(outlines[at], closed=True) for at in bends), fill=_HATCH)
    lanes = "".join(way(along.edge(at, at + 1, 0)) for at, space in enumerate(spaces) if space.lanes > 1)
    yield Path(lanes, stroke="#ffffff", stroke_width=1.6, stroke_dasharray="7 8")


def _kerb(along: str, dashes: str) -> Iterator[Element]:
    yield Path(along, stroke="#ffffff", stroke_width=5)
    yield Path(along, stroke=_RED, stroke_width=5, stroke_dasharray=dashes)


def _chequers(columns: int, rows: int, size: float, left: float, top: float) -> Path:
    dark = [(column, row) for column in range(columns) for row in range(rows) if (column + row) % 2 == 0]
    s = scenes.number(size)
    squares = (
        f"M{scenes.number(left + column * size)} {scenes.number(top + row * size)}h{s}v{s}h-{s}Z" for column, row in dark
    )
    return Path("".join(squares), fill="#111111")


def _line(along: Way) -> Iterator[Element]:
    """Yield the chequered line at the start of the first space."""
    size = 2 * HALF / 6
    box = rect(2 * size, 2 * HALF, -size, -HALF, fill="#ffffff", stroke=_DARK)
    yield group((box, _chequers(2, 6, size, -size, -HALF)), *along.beside(1, 0), angle=degrees(along.loop.at(1)[1]))


def _flag(along: Way) -> Iterator[Element]:
    """Yield a chequered flag beside the line, at the place of cars beyond the finish."""
    x, y = along.beside(1, -_OFF)
    pole = Path("M0 -1V24", stroke=_DARK, stroke_width=2)
    yield group((pole, rect(20, 15, fill="#ffffff", stroke=_DARK), _chequers(4, 3, 5, 0, 0)), x - 12, y - 11)


def _words(
    along: Way, names: Iterable[tuple[str, str, str]], taken: list[tuple[float, float, float, float]], size: int
) -> Iterator[Element]:
    """Yield the numbers of the spaces, and the names of stretches where they cover nothing of ``taken``, and add them."""
    drop = size / 3
    road = [(*along.beside(part / 4, 0), HALF + 1.0, HALF + 1.0) for part in range(4 * len(along.spaces))]
    unit = hypot(*(one - other for one, other in zip(along.beside(0, 0), along.beside(1, 0), strict=True)))
    widest = max(scenes.text_width(space.label, size) for space in along.spaces[1:])
    every = max(1, ceil((widest + 3) / max(unit, 1)))
    for at, space in [*enumerate(along.spaces)][::every]:
        half = scenes.text_width(space.label, size) / 2 + _AIR, size / 2
        x, y = along.number_place(at + 0.5, half, (*road, *taken), taken[-1][:2] if at > 1 else None)
        taken.append((x, y, *half))
        yield words(space.label, x, round(y + drop, 1), size, fill="#333333")
    taken += [(*along.beside(part / 4, 0), 22.0, 22.0) for part in range(4 * len(along.spaces))]
    labels = [space.label for space in along.spaces]
    for name, first, last in names:
        half = scenes.text_width(name, size, is_bold=True) / 2, size / 2 + 1
        x, y = along.name_place((labels.index(first) + labels.index(last) + 1) / 2, half, taken)
        taken.append((x, y, *half))
        yield words(name, x, round(y + drop, 1), size, is_bold=True, fill="#5b1d12")


def _tokens(sheet: _Sheet, cars: Mapping[str, Sequence[Seat]], stopped: Mapping[Seat, int]) -> Iterator[scenes.Token]:
    """Yield the cars: side by side on their space, or beside the line if beyond the finish."""
    along = sheet.way
    for at, space in enumerate(sheet.spaces):
        side = _LANE if space.lanes > 1 else 0
        for seat, left in zip(cars.get(space.label, ()), (side, -side), strict=False):
            direction = degrees(along.loop.at(at + 0.45)[1])
            yield _car(seat, along.beside(at + 0.45, left), direction, space.label, stopped.get(seat, 0), sheet.letters)
    x, y = along.beside(1, -_OFF)
    for at, seat in enumerate(cars.get("flag", ()), 1):
        yield _car(seat, (x + 34 * at, y), 0, "flag", stopped.get(seat, 0), sheet.letters)


def _car(seat: Seat, middle: Point, direction: float, at: str, stopped: int, letter: int) -> scenes.Token:
    over = _loss(stopped, letter) if stopped else ()
    size, drop, body = BURST if stopped else CAR, round(0.36 * letter, 1), _body(direction, is_stopped=stopped > 0)
    return scenes.Token(seat, *middle, at, seat, seat, size=size, body=body, over=over, letter=letter, drop=drop)


@lru_cache(maxsize=256)
def _body(direction: float, *, is_stopped: bool, ink: str = scenes.SEAT) -> tuple[Element, ...]:
    """Return a car from above; a car that has stopped is askew in a burst."""
    wheels = (rect(5.2, 3.2, x - 2.6, y - 1.6, 1, fill=_CAR_INK) for x, y in _WHEELS)
    body = Path(_BODY, fill=ink, stroke="#ffffff", stroke_width=1.1)
    wing = rect(2.6, 12, -14, -6, 0.8, fill=_CAR_INK)
    if not is_stopped:
        return (group((*wheels, body, wing), angle=direction),)
    far = [(at * pi / 9, 22 if at % 2 else 14.5) for at in range(18)]
    points = [(long * cos(angle), long * sin(angle)) for angle, long in far]
    burst = polygon(points, fill="#ffd84d", stroke=_CAR_INK, stroke_width=1.4, stroke_linejoin="round")
    return burst, group((*wheels, body, wing), angle=direction + _ASKEW)


def _loss(turns: int, size: int) -> tuple[Element, ...]:
    sign = circle(17, -15, 0.75 * size, fill="#ffffff", stroke=_CAR_INK, stroke_width=1.6)
    return sign, words(f"−{turns}", 17, round(0.36 * size - 15, 1), size, is_bold=True)


def _example(stopped: int) -> Group:
    """Return a grey car for the legend, with the turns it loses beside it if it has ``stopped``."""
    body = _body(0, is_stopped=stopped > 0, ink="#555555")
    loss = (group(_loss(stopped, 10), 10, 19),) if stopped else ()
    return group((group(body, 13, 8, scale=0.42 if stopped else 0.9), *loss))


def _swatch(ink: str, *, is_bend: bool) -> Iterator[Element]:
    """Yield a piece of track, 28 pixels wide: a bend with its kerbs, or a narrowing."""
    if not is_bend:
        yield Path("M0 0h14v3.5h14v7h-14v3.5h-14Z", fill=_ASPHALT, stroke=_DARK)
        return
    yield from _kerb("M0 0.5h28M0 13.5h28", "4 4")
    yield rect(28, 10, 0, 2, fill=ink)
    yield Path("".join(f"M{at} 12l8 -10" for at in range(0, 24, 5)), stroke=_HATCH.ink, stroke_width=1.4)


def _run(ground: str, text: str) -> scenes.Run:
    return scenes.Run(text, word=ground, place=list(_SIGNS).index(ground)) if ground else scenes.Run(text)


def _text(spaces: Sequence[Space], cars: Mapping[str, Sequence[Seat]], flag: int, _width: int | None) -> scenes.Flow:
    """Return the spaces in the order of travel: label, ground, then a line for each lane; ``flag`` lanes are at the end."""
    names = sorted(seat for seats in cars.values() for seat in seats)
    finish = (Space("flag", "", "", flag),) if flag else ()
    most = max(space.lanes for space in (*spaces, *finish))
    columns = []
    for space in (*spaces, *finish):
        ground = _SIGNS[space.ground] * 2 + space.mark if space.ground else ""
        there = cars.get(space.label, ())
        lanes = [scenes.Run(f"▲{scenes.short_name(seat, names, _NAME)}", seat=seat) for seat in there]
        lanes += [scenes.Run("·")] * (space.lanes - len(there))
        lanes += [scenes.Run(_SIGNS[Width.NARROW.value] * 2)] * (most - len(lanes))
        columns.append((_run(space.ground, space.label), _run(space.ground, ground), *lanes))
    return scenes.Flow(tuple(columns))


def _sentences(title: str, spaces: Sequence[Space], cars: Mapping[str, Sequence[Seat]], *, has_flag: bool) -> Iterator[str]:
    yield f"{title}."
    for label, seats in ((space.label, cars.get(space.label)) for space in (*spaces, Space("flag", "", "", 1))):
        if seats:
            yield f"On {label}: {listed(f'{seat} (car)' for seat in seats)}."
    for (ground, mark), run in groupby(spaces, key=lambda space: (space.ground, space.mark)):
        if ground:
            yield f"{_span([*run])}: {' '.join(filter(None, (ground, mark)))}."
    narrow = [_span([*run]) for is_so, run in groupby(spaces, key=lambda space: space.lanes == 1) if is_so]
    if narrow:
        yield f"Lanes: 1 on {listed(narrow)}; 2 elsewhere."


def _span(spaces: Sequence[Space]) -> str:
    return spaces[0].label if len(spaces) == 1 else f"{spaces[0].label} to {spaces[-1].label}"


def _beside(stopped: Mapping[Seat, int], cockpits: Iterable[Cockpit]) -> Iterator[str]:
    """Yield the cars that stand still, and the words of ``cockpits``."""
    yield from (f"{seat} stands still and loses {count(turns, 'turn')}." for seat, turns in stopped.items())
    yield from (cockpit.told for cockpit in cockpits)
