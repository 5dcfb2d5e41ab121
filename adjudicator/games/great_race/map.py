"""Draw the map of a board, its tiles, vehicles and markers: as a picture, as text, and in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations, pairwise, product
from math import cos, dist, hypot, pi, sin, sqrt
from typing import Any, Final

from adjudicator.game import Seat, Value, count, listed, scenes
from adjudicator.games.great_race.components import Board, Course, Line, LineKind, Space, SpaceId, Tile
from adjudicator.scenes import Element, Group, Kept, Path, Point, Run, Sign, Token, group, line, polygon, rect, words

Mark = tuple[str, int]
"""A sign on a space, one of ``ICONS``, and its number (0: none)."""
ICONS: Final = {"fuel": "~", "parts": "*", "danger": "!", "stop": "■", "cards": "+"}
"""The signs on spaces, each with its character in text, which follows its number."""
TILE, CITY, RISK, PURPLE = "terrain tile", "city", "risk zone", "start and finish"
_EDGES: Final = {RISK: "▒", PURPLE: "◎"}

# Sizes in pixels: `_RADIUS` from the middle of a region to its corners, `_STRIP` for the lanes beside the map. From the
# middle of a region: the base line of its label, the middles of its vehicles, which are `_APART` from each other.
_RADIUS, _STRIP, _EDGE, _LABEL, _VEHICLE, _APART, _PRICE = 34, 76, 14, -13, 19, 17, 12
_SHORT, _LONG = _RADIUS * sqrt(3) / 2, _RADIUS * 1.5
_SIZES: Final = (12, 11, 10, 9)
"""The sizes of labels."""
_BENDS: Final = tuple((across / 20, along / 5) for across in range(-16, 17) for along in (-2, -1, 0, 1, 2))
"""Where a line may bend: how far across from its middle, and how far along it, as parts of its length."""
_CELL: Final = 3
"""The size of the cells of a sheet in which points of lines are counted."""
_PLACES: Final = ((0, 0), (0, -6), (0, 6), (-8, 0), (8, 0), (0, -12), (0, 12), (-16, 0), (16, 0), (-24, 0), (24, 0))
"""Where a price may be, from a point of its line."""
_GROUNDS: Final = (TILE, CITY)
_DARK, _ROAD, _PURPLE = "#333333", "#444444", "#7d3c98"
_HATCH: Final = scenes.Hatch("#555555", 1.2, 7, -45)
_WALL: Final[dict[str, Any]] = {"stroke": "#5b4636", "stroke_width": 6, "stroke_linecap": "round"}
_OCTAGON: Final = ((-3.5, -8), (3.5, -8), (8, -3.5), (8, 3.5), (3.5, 8), (-3.5, 8), (-8, 3.5), (-8, -3.5))
_NUT: Final = ((-4, -8), (4, -8), (8, 0), (4, 8), (-4, 8), (-8, 0))


class Map(Value):
    """A ``board`` with its ``tiles`` and ``vehicles``; ``lanes`` gives the number of each space's lane.

    ``markers`` are the seats in the order in which their markers came to their lanes (GR-N2).
    """

    board: Board
    lanes: Mapping[SpaceId, int]
    tiles: Mapping[SpaceId, Tile]
    vehicles: Mapping[Seat, SpaceId]
    markers: tuple[Seat, ...]

    def marks(self, space: Space) -> tuple[Mark, ...]:
        """Return the signs on ``space``: the cards of a city, the costs of a tile."""
        if space.is_city:
            return (("cards", space.cards),)
        tile = self.tiles.get(space.id)
        if tile is None:
            return ()
        levels = [(icon, level) for icon, level in (("fuel", tile.fuel), ("parts", tile.parts)) if level]
        return (*levels, *(("danger", 0),) * tile.danger, *(("stop", 0),) * tile.stop)

    def ground(self, space: Space) -> str:
        """Return what covers ``space``, empty if nothing does."""
        return CITY if space.is_city else TILE if space.id in self.tiles else ""

    def standing(self, space: Space) -> list[Seat]:
        """Return the seats whose vehicles are on ``space``."""
        return [seat for seat, at in self.vehicles.items() if at == space.id]

    def stacks(self) -> Iterator[tuple[str, int, list[Seat]]]:
        """Yield each lane: its label, the row (or column) with most of its spaces, and its markers, the lowest first."""
        in_lane = {space.id: space.lane for space in self.board.spaces}
        for lane, space, at in _paper(self.board).lanes:
            yield str(self.lanes[space]), at, [seat for seat in self.markers if in_lane[self.vehicles[seat]] == lane]

    # As a picture

    def scene(self) -> scenes.Scene:
        """Return the map as a picture."""
        board, paper, title = self.board, _paper(self.board), f"Map: {self.board.name}"
        standing = {space.id: seats for space in board.spaces if (seats := self.standing(space))}
        stacks = list(self.stacks())
        lanes = _LANES.of(board.id, paper, tuple([label for label, _, _ in stacks]))
        signs = [(space, self.ground(space), self.marks(space)) for space in board.spaces]
        over: list[Element] = [_LABELS.of(board.id, paper, signs, [*standing])]
        over += _PRICES.of(board.id, paper, [box for one in signs for box in _taken(paper, *one, standing)])
        for space, seats in standing.items():
            for place, (x, y) in zip(seats, _row(paper.middles[space], len(seats), _APART, _VEHICLE), strict=True):
                over.append(Token(place, x, y, space, place, place))
        for label, at, markers in stacks:
            middle, apart = paper.lane_middle(at), min(16, 45 / max(len(markers) - 1, 1))
            for number, seat in enumerate(markers):
                far = round(number * apart, 1)
                point = (middle, _STRIP - 12 - far) if paper.is_across else (32 + far, middle)
                over.append(Token(seat, *point, f"lane {label}", seat, seat, field="lanes"))
        parts, text = (lanes, _GROUND.of(board.id, paper, signs)), scenes.Later(Map.text, (self,))
        return scenes.Scene(title, title, parts, paper.width, paper.height, tuple(over), text, tuple(self.sentences()))

    # As text, and in sentences

    def text(self, width: int | None = None) -> scenes.Lines:
        """Return the map as text, then its lines and the stacks on its lanes as a list.

        If its regions need more columns than ``width``, the map has several parts, from west to east.
        """
        paper, most, lines = _paper(self.board), width or 120, list[str]()
        left, right = (end(space.x for space in self.board.spaces) for end in (min, max))
        wide, step = right - left + 1, 6 if paper.is_across else 3
        many = -(-wide // max(1, (most - 6) // step + 1))
        for first, last in pairwise(left + round(wide * at / many) for at in range(many + 1)):
            spaces = [space for space in self.board.spaces if first <= space.x < last]
            if spaces:
                lines += ["", *self._part(spaces, (first, last), most)] if lines else self._part(spaces, (first, last), most)
        lines += (f"{one.kind} line {one.ends[0]} – {one.ends[1]}: {one.price} F" for one in self.board.lines)
        closed = [f"{one} and {other}" for one, other in paper.closed]
        lines += [f"no way between {'; '.join(closed)}"] if closed else []
        lines += (f"lane {label}: {', '.join(markers)}" for label, _, markers in self.stacks() if markers)
        return scenes.Lines(tuple((Run(line),) for line in lines))

    def _part(self, spaces: list[Space], columns: tuple[int, int], most: int) -> list[str]:
        """Return ``spaces``, those between two ``columns``, with the lanes beside them, as lines of text."""
        is_across, seats = self.board.course is Course.WEST_EAST, sorted(self.vehicles)
        across, down, head = (6, 1, 2) if is_across else (3, 2, 0)
        left, top = min(space.x for space in spaces), min(space.y for space in spaces)
        wide = min(most, 8 + (max(space.x for space in spaces) - left) * across)
        canvas = scenes.Canvas(wide, head + (max(space.y for space in spaces) - top) * down + 2)
        for label, at, _ in self.stacks():
            x, y = (3 + (at - left) * across, 0) if is_across else (0, (at - top) * down)
            if 0 <= y < canvas.height and (not is_across or columns[0] <= at < columns[1]):
                canvas.put(x, y, scenes.clip(label, 5 if is_across else 2))
        for space in spaces:
            x, y, there = 3 + (space.x - left) * across, head + (space.y - top) * down, self.standing(space)
            room = min(5, wide - x)
            who = scenes.initial(there[0], seats, there[0], seats).lower() if len(there) == 1 else str(len(there))
            tail = f"{scenes.SIGNS[Sign.PIECE]}{who}" if there else ""
            canvas.put(x, y, _cut(space.id, room - scenes.display_width(tail)) + tail)
            canvas.put(x, y + 1, self._below(space, room))
        return canvas.lines()

    def _below(self, space: Space, room: int) -> str:
        """Return what is on ``space`` in short: its signs, only their numbers if room is scarce, a dot if it is empty."""
        begins, marks = _EDGES[PURPLE] * space.purple + _EDGES[RISK] * space.risk, self.marks(space)
        for is_long in (True, False):
            signs = "".join(f"{number or ''}{ICONS[icon] if is_long or not number else ''}" for icon, number in marks)
            told = begins + (signs or ("0" if self.ground(space) else "·"))
            if scenes.display_width(told) <= room:
                break
        return _cut(told, room)

    def sentences(self) -> Iterator[str]:
        """Yield sentences about the map: its lines, its lanes, and its spaces with what lies there."""
        yield f"Map: {self.board.name}: {count(len(self.board.spaces), 'region')}."
        for one in self.board.lines:
            yield f"{one.kind.capitalize()} line from {one.ends[0]} to {one.ends[1]}: {one.price} F."
        for label, _, markers in self.stacks():
            if markers:
                yield f"On lane {label}: {listed([f'{seat} (vehicle)' for seat in markers])}."
        empty: dict[str, list[str]] = {"": [], f", {RISK}": []}
        for space in self.board.spaces:
            ground, standing = self.ground(space), self.standing(space)
            if not ground and not standing:
                empty[f", {RISK}" if space.risk else ""].append(space.id)
                continue
            told = [ground] if ground else []
            told += [f"{icon} {number or ''}".rstrip() for icon, number in self.marks(space)]
            told += [RISK] * space.risk + [PURPLE] * space.purple + [f"{seat} (vehicle)" for seat in standing]
            yield f"{space.id}: {', '.join(told)}."
        yield from (f"Empty{what}: {', '.join(labels)}." for what, labels in empty.items() if labels)


def _cut(text: str, room: int) -> str:
    """Return the beginning of ``text`` that fits, without an ellipsis."""
    while scenes.display_width(text) > room:
        text = text[:-1]
    return text


# A board on paper


class _Paper:
    """A board on paper, the same for all pictures: ``middles`` and ``corners`` of its regions, its ``lanes`` and lines.

    ``lanes`` are the number of each on the board, a space in it, and the row (or column) where most of its spaces lie.
    ``closed`` are the pairs of regions with a common border that no way crosses. The strip with the lanes is in the west, or
    in the north of a board that leads across.
    """

    def __init__(self, board: Board) -> None:
        self.board, self.is_across = board, board.course is Course.WEST_EAST
        spaces, is_across = board.spaces, self.is_across
        across, down = (_LONG, _SHORT) if is_across else (_SHORT, _LONG)
        strip_x, strip_y = (0, _STRIP) if is_across else (_STRIP, 0)
        left, top = min(space.x for space in spaces), min(space.y for space in spaces)
        self.middles: dict[SpaceId, Point] = {
            space.id: (
                round(strip_x + _EDGE + _RADIUS + (space.x - left) * across, 1),
                round(strip_y + _EDGE + _RADIUS + (space.y - top) * down, 1),
            )
            for space in spaces
        }
        wide, high = (max(middle[side] for middle in self.middles.values()) for side in (0, 1))
        self.width, self.height = round(wide + _RADIUS + _EDGE, 1), round(high + _RADIUS + _EDGE, 1)
        turns = [(0 if is_across else pi / 6) + at * pi / 3 for at in range(6)]
        self.corners = {
            space: [(round(x + _RADIUS * cos(turn), 1), round(y + _RADIUS * sin(turn), 1)) for turn in turns]
            for space, (x, y) in self.middles.items()
        }
        self._first = left if is_across else top
        rows: dict[int, list[int]] = {}
        for space in spaces:
            rows.setdefault(space.lane, []).append(space.x if is_across else space.y)
        first = {space.lane: space.id for space in reversed(spaces)}
        self.lanes = [(lane, first[lane], sorted(found)[len(found) // 2]) for lane, found in sorted(rows.items())]
        beside, places = ((0, 2), (1, 1)) if is_across else ((2, 0), (1, 1)), {space.id for space in spaces}
        touching = [
            (one.id, other.id)
            for one, other in combinations(spaces, 2)
            if (abs(one.x - other.x), abs(one.y - other.y)) in beside
        ]
        ways = [(space.id, other) for space in spaces for other in space.next if space.id < other and other in places]
        known, near = {frozenset(way) for way in ways}, {frozenset(pair) for pair in touching}
        self.closed = [pair for pair in touching if frozenset(pair) not in known]
        self.far = [way for way in ways if frozenset(way) not in near]
        self.sizes = dict[bool, int]()  # one for the labels of all cities, and one for all other spaces
        for is_city, room in ((True, 2.4 * _RADIUS), (False, 1.7 * _RADIUS)):
            labels = [space.id for space in spaces if space.is_city == is_city]
            fitting = (one for one in _SIZES if all(scenes.text_width(each, one, is_bold=True) <= room for each in labels))
            self.sizes[is_city] = next(fitting, _SIZES[-1])

    def lane_middle(self, at: int) -> float:
        """Return the middle of the lane in row (or column) ``at``."""
        return round(_EDGE + _RADIUS + (at - self._first) * _LONG, 1)

    @cached_property
    def bows(self) -> list[tuple[Line, tuple[Point, Point, Point]]]:
        """The lines: each with its start, the point towards which it bends, and its end; it covers the least of the map."""
        # The cost of a point of a line in each cell of the sheet: on land, on marks and on words, wherever they may be.
        costs: dict[tuple[int, int], int] = {}
        for label, (x, y) in self.middles.items():
            half = scenes.text_width(label, _SIZES[0] + 2, is_bold=True) / 2 + 4
            land, marks = (_SHORT, -_SHORT, _SHORT, 1), (28, -10, 11, 3)
            for wide, top, bottom, cost in (land, marks, (half, _LABEL - _SIZES[0] - 1, _LABEL + 4, 60), (half, -9, 7, 60)):
                for cell in product(_cells(x - wide, x + wide), _cells(y + top, y + bottom)):
                    costs[cell] = max(cost, costs.get(cell, 0))

        def cost_of(bow: tuple[Point, Point, Point]) -> float:
            """Return what ``bow`` covers; a point beside the sheet and a long detour cost something, too."""
            (x1, y1), (x2, y2), (x3, y3) = bow
            covered, right, bottom = 0, self.width - 8, self.height - 8
            for part in range(61):
                x, y = _on(bow, part / 60)
                cost = costs.get((int(x // _CELL), int(y // _CELL)), 0) if 8 < x < right and 8 < y < bottom else 20
                is_own = min(hypot(x - x1, y - y1), hypot(x - x3, y - y3)) < _RADIUS
                covered += min(cost, 6) if is_own else cost
            return covered + hypot(x2 - (x1 + x3) / 2, y2 - (y1 + y3) / 2) / 3

        found = []
        for one in self.board.lines:
            if all(end in self.middles for end in one.ends):
                start, end = (x1, y1), (x3, y3) = self.middles[one.ends[0]], self.middles[one.ends[1]]
                (x, y), (wide, high) = ((x1 + x3) / 2, (y1 + y3) / 2), (x3 - x1, y3 - y1)
                turns = ((x + high * across + wide * along, y - wide * across + high * along) for across, along in _BENDS)
                bows = [(start, (round(x, 1), round(y, 1)), end) for x, y in turns]
                found.append((one, min(bows, key=cost_of)))
        return found

    @cached_property
    def prices(self) -> list[tuple[Line, list[scenes.Box]]]:
        """The lines, each with the places for its price: on the line far from the labels first, then beside the line."""
        found = []
        for one, bow in self.bows:
            points = [(round(x, 1), round(y, 1)) for x, y in (_on(bow, part / 40) for part in range(8, 33))]
            # Labels are broad, and slightly above the middle of a region.
            far = {(x, y): min(hypot(0.7 * (x - a), y - b + 8) for a, b in self.middles.values()) for x, y in points}
            points.sort(key=far.__getitem__, reverse=True)
            wide = (scenes.text_width(f"{one.price} F", _PRICE, is_bold=True) + 8) / 2
            boxes = (scenes.Box(x + a - wide, y + b - 7.5, x + a + wide, y + b + 7.5) for a, b in _PLACES for x, y in points)
            right, bottom = self.width - 2, self.height - 2
            found.append(
                (one, [box for box in boxes if box.left > 2 and box.top > 2 and box.right < right and box.bottom < bottom])
            )
        return found


def _cells(start: float, end: float) -> range:
    return range(int(start // _CELL), int(end // _CELL) + 1)


def _on(bow: tuple[Point, Point, Point], part: float) -> Point:
    """Return the point at ``part`` (0 to 1) of the way along ``bow``."""
    (x1, y1), (x2, y2), (x3, y3), rest = *bow, 1 - part
    one, two, three = rest * rest, 2 * rest * part, part * part
    return one * x1 + two * x2 + three * x3, one * y1 + two * y2 + three * y3


def _row(middle: Point, many: int, apart: float, down: float = 0) -> list[Point]:
    """Return the places of ``many`` things side by side."""
    return [(round(middle[0] + (at - (many - 1) / 2) * apart, 1), round(middle[1] + down, 1)) for at in range(many)]


_PAPERS: Final = Kept(_Paper, 16)


def _paper(board: Board) -> _Paper:
    return _PAPERS.of(board.id, board)


# Parts of the picture that change rarely


def _ground(paper: _Paper, signs: list[tuple[Space, str, tuple[Mark, ...]]]) -> Group:
    """Return the bottom layer: water, regions with their grounds, walls, purple rings, and lines."""
    around = "".join(scenes.way(corners, closed=True) for corners in paper.corners.values())
    coast = (("#c3dae6", 22), ("#7896a8", 7))
    drawn: list[Element] = [Path(around, stroke=ink, stroke_width=wide, stroke_linejoin="round") for ink, wide in coast]
    drawn += [line((paper.middles[one], paper.middles[other]), stroke="#8a8a8a", stroke_width=5) for one, other in paper.far]
    for space, ground, marks in signs:
        corners, (x, y), room = paper.corners[space.id], paper.middles[space.id], 2 * _SHORT - 6
        ink = scenes.ground_ink(ground, _GROUNDS) if ground else "#f5efdc"
        parts = [polygon(corners, fill=ink, stroke="#8a8a8a")]
        if space.risk:
            parts.append(polygon(corners, fill=_HATCH, stroke="#444444"))
        frame = scenes.Frame(x, y, room, room, tuple([((right - x) * 0.92, (down - y) * 0.92) for right, down in corners]))
        drawn.append(group(parts, id=space.id, frame=frame, holds=(ground, marks, space.risk, space.purple)))
    for one, other in paper.closed:
        border = [at for at in paper.corners[one] if any(dist(at, there) < 1 for there in paper.corners[other])]
        drawn.append(line(border, **_WALL))
    drawn += [polygon(paper.corners[space.id], stroke=_PURPLE, stroke_width=4) for space, _, _ in signs if space.purple]
    for route, ((x1, y1), (x2, y2), (x3, y3)) in paper.bows:
        along = f"M{x1} {y1}Q{x2} {y2} {x3} {y3}"
        drawn.append(Path(along, stroke="#ffffff", stroke_width=7, stroke_opacity=0.7))
        if route.kind is LineKind.AIR:
            drawn += [Path(along, stroke=_ROAD, stroke_width=5), Path(along, stroke="#ffffff", stroke_width=2)]
        else:
            drawn.append(Path(along, stroke=_ROAD, stroke_width=3.5, stroke_dasharray="1 6", stroke_linecap="round"))
    return group(drawn)


def _labels(paper: _Paper, signs: list[tuple[Space, str, tuple[Mark, ...]]], standing: list[SpaceId]) -> Group:
    """Return the label of each region above its signs, or larger in the middle of an empty one."""
    labels = []
    for space, _, marks in signs:
        middle, size, base = paper.middles[space.id], paper.sizes[space.is_city], _LABEL
        if not marks and space.id not in standing and not space.is_city:
            size, base = size + 2, 4
        label = words(space.id, middle[0], round(middle[1] + base, 1), size, is_bold=True, halo=2.5)
        row = _row(middle, len(marks), min(19, (_RADIUS * 1.7) / max(len(marks), 1)))
        drawn = [group(mark_parts(mark), x, middle[1]) for mark, (x, _) in zip(marks, row, strict=True)]
        labels.append(Group((label, *drawn), id=space.id))
    return group(labels)


def _taken(
    paper: _Paper, space: Space, _ground: str, marks: tuple[Mark, ...], standing: Mapping[SpaceId, Any]
) -> Iterator[scenes.Box]:
    """Yield the boxes of the label, the signs and the vehicles of ``space``."""
    (x, y), many, vehicles = paper.middles[space.id], len(marks), len(standing.get(space.id, ()))
    size = paper.sizes[True]
    wide, base = scenes.text_width(space.id, size, is_bold=True) / 2, y + (_LABEL if many or vehicles else 4)
    yield scenes.Box(x - wide, base - size, x + wide, base + 3)
    if many:
        yield scenes.Box(x - many * 9.5, y - 10, x + many * 9.5, y + 11)
    if vehicles:
        half = _APART * (vehicles - 1) / 2 + 9
        yield scenes.Box(x - half, y + _VEHICLE - 9, x + half, y + _VEHICLE + 9)


def _prices(paper: _Paper, taken: list[scenes.Box]) -> list[Group]:
    """Return the prices, which are the places of lines, each beside or on its line where it covers nothing of ``taken``."""
    index, found = scenes.Taken(taken), list[Group]()
    for one, places in paper.prices:
        box = index.best(places)
        index.add(box)
        x, y, wide, high = (box.left + box.right) / 2, (box.top + box.bottom) / 2, box.right - box.left, box.bottom - box.top
        back = rect(round(wide, 1), high, round(box.left, 1), round(box.top, 1), 3, fill="#ffffff", stroke="#333333")
        label = words(f"{one.price} F", round(x, 1), round(y + 4, 1), _PRICE, is_bold=True)
        name, frame = (
            f"the {one.kind} line from {one.ends[0]} to {one.ends[1]}",
            scenes.Frame(round(x, 1), round(y, 1), round(wide + 4, 1), high + 5),
        )
        found.append(group((back, label), name=name, frame=frame, holds=one))
    return found


def _lanes(paper: _Paper, labels: tuple[str, ...]) -> Group:
    """Return the lanes as bands over the whole sheet."""
    drawn: list[Element] = [rect(paper.width, paper.height, rx=8, fill="#dfeaf0")]
    for number, (label, (_, _, at)) in enumerate(zip(labels, paper.lanes, strict=True)):
        middle = paper.lane_middle(at)
        start = round(middle - _LONG / 2, 1)
        if number % 2:
            box = (_LONG, paper.height, start, 0) if paper.is_across else (paper.width, _LONG, 0, start)
            drawn.append(rect(*box, fill="#e9f1f5"))
        x, y = (middle, 12) if paper.is_across else (14, middle + 4)
        drawn.append(words(label, x, y, 12, is_bold=True, fill="#445566"))
    return group(drawn)


_GROUND, _LABELS, _PRICES, _LANES = Kept(_ground, 16), Kept(_labels, 16), Kept(_prices, 16), Kept(_lanes, 16)


def mark_parts(mark: Mark) -> Iterator[Element]:
    """Yield ``mark`` around 0, 0: its icon, 16 pixels wide and high, with its number on it."""
    icon, number = mark
    match icon:
        case "fuel":
            yield Path("M0 -10C4 -4 7 -1 7 3A7 7 0 0 1 -7 3C-7 -1 -4 -4 0 -10Z", fill="#1f4e79")
        case "parts":
            yield polygon(_NUT, fill="#ffffff", stroke=_DARK, stroke_width=1.6)
        case "danger":
            yield polygon(
                ((0, -9), (9, 7), (-9, 7)), fill="#f2c230", stroke=_DARK, stroke_width=1.4, stroke_linejoin="round"
            )
            yield words("!", 0, 6, 12, is_bold=True, fill="#111111")
        case "stop":
            yield polygon(_OCTAGON, fill="#b3261e", stroke="#ffffff")
            yield rect(10, 4, -5, -2, fill="#ffffff")
        case "cards":
            yield rect(12, 16, -6, -8, 2, fill="#ffffff", stroke=_DARK, stroke_width=1.4)
    if number:
        y, ink = (7, "#ffffff") if icon == "fuel" else (4, _DARK)
        yield words(str(number), 0, y, 12, is_bold=True, fill=ink)


def legend() -> scenes.Legend:
    """Return the legend: in text a line of grounds, one of lines, one of signs; in pictures also the look of borders."""
    grounds = [(name, scenes.ground_ink(name, _GROUNDS), place) for place, name in enumerate(_GROUNDS)]
    kinds = tuple(
        scenes.Entry(name, (rect(14, 14, fill=ink, stroke="#888888"),), 20, Run(name[0], word=name, place=place))
        for name, ink, place in grounds
    )
    along = ((0, 7), (30, 7))
    sea = (line(along, stroke=_ROAD, stroke_width=5, stroke_dasharray="2 5", stroke_linecap="round"),)
    air = (line(along, stroke=_ROAD, stroke_width=9), line(along, stroke="#ffffff", stroke_width=3))
    lines = (scenes.Entry("sea line", sea, 36, Run("∙∙")), scenes.Entry("air line", air, 36, Run("══")))
    told = (("vehicle", scenes.SIGNS[Sign.PIECE]), *ICONS.items(), *_EDGES.items())
    icons = tuple(scenes.Entry(icon, (group(mark_parts((icon, 0)), 8, 7),), 22) for icon in ICONS)
    edges = (
        scenes.Entry(RISK, (rect(14, 14, fill=_HATCH, stroke="#444444"),), 20),
        scenes.Entry(PURPLE, (rect(10, 10, 2, 2, stroke=_PURPLE, stroke_width=4),), 20),
        scenes.Entry("no way", (line(((3, 7), (19, 7)), **_WALL),), 28),
    )
    text = tuple(scenes.Entry(name, sign=Run(sign)) for name, sign in told)
    car = Token("", 8, 7, ink="#555555", is_key=True)
    return scenes.Legend((kinds, lines, text, icons, edges, (scenes.Entry("vehicle", (car,), 22),)))
