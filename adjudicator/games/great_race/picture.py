"""Draw the table: the map as a picture and as text, the dashboards, cards and bag, and what lies around each vehicle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from math import cos, dist, pi, sin, sqrt
from typing import Any, Final

from adjudicator.core.phrases import columns, padded
from adjudicator.game import MODERATOR, Seat, Value, View, count, drawing, ordinal, scenes
from adjudicator.games.great_race.components import (
    Board,
    CardId,
    Components,
    Config,
    Course,
    Line,
    LineKind,
    Space,
    SpaceId,
    Tile,
    card_words,
    other_end,
    tile_told,
)
from adjudicator.games.great_race.state import BAG, DECK, Assistants, Crew, Keeping, Laying, Stage, State, reaction_text
from adjudicator.scenes import (
    Element,
    Gauge,
    Group,
    Panel,
    Path,
    Point,
    Sign,
    Token,
    group,
    line,
    panel_scenes,
    polygon,
    rect,
    words,
)

Seen = View[Config, State, Crew]


def drawn(view: Seen) -> drawing.Drawing:
    """Draw what ``view`` shows."""
    config, state = view.config, view.state
    vehicles = {crew.seat: crew.space for crew in state.crews}
    tiles = {space: config.tiles[tile] for space, tile in state.tiles.items()}
    panels = [_panel(config, state, state.of(seat), is_own=seat == view.seat) for seat in state.order]
    levels = ([f"{gauge.level}/{gauge.most}" for gauge in panel.gauges] for panel in panels)
    rows = tuple((one.title, *told, *(value for _, value in one.rows)) for one, told in zip(panels, levels, strict=True))
    labels = (*(gauge.label for gauge in panels[0].gauges), *(label for label, _ in panels[0].rows))
    shapes: list[drawing.Shape] = [
        Map(config.roads.board, config.roads.lanes, tiles, vehicles, state.markers).scene(),
        legend(),
        *panel_scenes(panels),
        drawing.Columns("Crews, in turn order", ("", *labels), rows, is_pictured=True),
        drawing.Fields("Cards and tiles", tuple(_table(config, state))),
    ]
    own = [crew for crew in state.crews if view.seat in (crew.seat, MODERATOR)]
    for crew in own:
        title = "Around your vehicle" if view.seat == crew.seat else f"Around {crew.seat}"
        shapes.append(drawing.Fields(title, tuple(_around(config, state, crew))))
    for crew in own:
        if crew.arrival is None:
            title = "Your standing answers" if view.seat == crew.seat else f"Standing answers of {crew.seat}"
            answers = ("danger cards", reaction_text(crew.to_cards)), ("tiles drawn", reaction_text(crew.to_tiles))
            shapes.append(drawing.Fields(title, answers))
    return drawing.Drawing(tuple(shapes))


def choices(view: Seen) -> Iterator[tuple[str, str]]:
    """Yield the cards and tiles that the viewer holds or can take, by their names in orders, each with what it does."""
    config, state, crew = view.config, view.state, view.own
    if crew is None:
        return
    mine = state.pending if isinstance(state.pending, (Keeping, Laying)) and state.pending.seat == crew.seat else None
    drawn, offered = mine.cards if isinstance(mine, Keeping) else (), state.offered if crew.seat in state.takers else ()
    for card in dict.fromkeys((*crew.hand, *drawn, *offered)):
        yield card_words(card), card.told(config.amount(card))
    for tile in dict.fromkeys(mine.tiles if isinstance(mine, Laying) else ()):
        yield tile, tile_told(config, tile)


def _panel(config: Config, state: State, crew: Crew, *, is_own: bool) -> Panel:
    full = config.components.gauges
    gauges = tuple(Gauge(name, getattr(crew, name), getattr(full, name)) for name in ("fuel", "engine", "chassis"))
    rows = (
        ("at", crew.space if crew.engine else f"{crew.space}, broken down"),
        ("lane", f"{config.roads.lanes[crew.space]}/{config.roads.board.lanes}"),
        ("cash", f"{crew.cash} F"),
        ("hand", _hand(config, crew.hand)),
        ("assistants", _assistants(config, state, crew)),
    )
    return Panel(crew.seat, crew.seat, gauges, rows, is_own=is_own)


def _hand(config: Config, hand: Iterable[CardId | None]) -> str:
    """Return the names of cards, each once with its number, and how many others are hidden."""
    counted = Counter(hand)
    names = ((config.cards[card].name, many) for card, many in counted.items() if card is not None)
    known = [f"{many} {name}" if many > 1 else name for name, many in names]
    return ", ".join([*known, *([count(counted[None], "card")] if counted[None] else [])]) or "no cards"


def _assistants(config: Config, state: State, crew: Crew) -> str:
    """Describe where the assistants are, as far as the viewer may know."""
    if crew.arrival is not None:
        return f"arrived {ordinal(crew.arrival)}"
    plan: Any = crew.plan  # others see a word
    if state.stage is Stage.PLANNING:
        sealed = "not planned yet" if plan is None else "planned, sealed"
        return plan.text("none left") if isinstance(plan, Assistants) else sealed
    if state.stage is Stage.CONVOY:
        left = crew.active.text("" if crew.has_passed else "none left")
        return ", ".join(filter(None, ("passed" if crew.has_passed else "", left)))
    return "–" if state.stage is Stage.OVER else f"{config.components.assistants} to place"


def _table(config: Config, state: State) -> Iterator[tuple[str, str]]:
    yield "round", f"{state.round}, {state.stage.value}"
    yield "face up", _hand(config, state.offered)
    yield "deck", count(DECK.many_left(config, state), "card")
    yield "discarded", _hand(config, state.discards)
    if state.in_play is not None:
        yield "being played", config.cards[state.in_play].name
    yield "bag", count(BAG.many_left(config, state), "tile")
    if state.removed:
        gone = Counter(state.removed)
        yield "out of the game", ", ".join(f"{many} {config.tiles[tile].name}" for tile, many in gone.items())
    match state.pending:
        case Laying(seat=seat, tiles=tiles):
            told = [tile_told(config, tile) for tile in tiles if tile is not None]
            yield f"drawn by {seat}", ", ".join(told) or count(len(tiles), "tile")
        case Keeping(seat=seat, cards=cards):
            yield f"drawn by {seat}", _hand(config, cards)


def _around(config: Config, state: State, crew: Crew) -> Iterator[tuple[str, str]]:
    """Yield where the vehicle of ``crew`` is and what lies around it, for people who see no map."""
    spaces, here = config.roads.spaces, config.roads.spaces[crew.space]
    yield "here", _space(config, state, crew.space)
    if crew.engine == 0:
        yield "", "broken down: the engine is at 0"
    for other in here.next:
        across, down = spaces[other].x - here.x, spaces[other].y - here.y
        north_south = "" if 2 * abs(down) < abs(across) else "south" if down > 0 else "north"
        west_east = "" if 2 * abs(across) < abs(down) else "east" if across > 0 else "west"
        yield "-".join(filter(None, (north_south, west_east))), _space(config, state, other)
    for one in config.roads.lines.get(crew.space, ()):
        yield f"{one.kind.value} line", f"to {other_end(one, crew.space)} for {one.price} F"


def _space(config: Config, state: State, space: SpaceId) -> str:
    """Describe a space: ``K5, empty, risk zone``; ``Tamanrasset, city, 1 card``; ``K4, Soft sand (3 fuel)``."""
    here, tile = config.roads.spaces[space], state.tiles.get(space)
    if here.is_city:
        which = "start" if space == config.roads.start else "finish" if space == config.roads.finish else "city"
        return f"{space}, {which}, {count(here.cards, 'card')}"
    return f"{space}, {'empty' if tile is None else tile_told(config, tile)}{', risk zone' * here.risk}"


# What is in the box


def boxed(components: Components) -> drawing.Drawing:
    """Draw the component set: boards, tiles, cards and tables."""
    tiles, cards, gauges = components.tiles, components.cards, components.gauges
    prices, prestige = components.prices, components.prestige
    boards = list[drawing.Shape]()
    for board in components.boards:
        boards += (Map(board, {space.id: space.lane for space in board.spaces}, {}, {}, ()).scene(), _cities(board))
    fields = (
        ("gauges", f"fuel {gauges.fuel}, engine {gauges.engine}, chassis {gauges.chassis}"),
        ("assistants", str(components.assistants)),
        ("funding", ", ".join(f"{many}: {francs} F" for many, francs in enumerate(components.funding, 1))),
        ("a level of fuel", f"{prices.fuel_in_city} F in a city, {prices.fuel_outside} F outside"),
        ("a part", f"{prices.part_in_city} F in a city, {prices.part_outside} F outside"),
        ("on the way", f"{components.surcharge} more fuel in a risk zone, {components.city_fuel} fuel to enter a city"),
        ("danger", f"{count(components.danger, 'more part')}, unless an escort or a Ranger cancels it"),
        ("prestige", ", ".join(f"{ordinal(at)} {points}" for at, points in enumerate(prestige.arrivals, 1))),
        ("", f"1 for each level of engine and chassis, 1 for each full {prestige.francs} F"),
    )
    return drawing.box(
        components,
        *boards,
        legend(),
        drawing.table(
            f"Terrain tiles ({sum(tile.count for tile in tiles)})",
            ("tile", "id", "count", "fuel", "parts", "", ""),
            ((one.name, one.id, one.count, one.fuel, one.parts, "danger" * one.danger, "stop" * one.stop) for one in tiles),
        ),
        drawing.table(
            f"Resource cards ({sum(card.count for card in cards)})",
            ("card", "count", "what it does"),
            ((card.name, card.count, card.id.told(card.amount)) for card in cards),
        ),
        drawing.Fields("Tables", fields),
        drawing.table(
            "Cash and bonus in francs, in turn order",
            ("players", "cash at the start", "bonus of a round"),
            ((one.players, ", ".join(map(str, one.cash)), ", ".join(map(str, one.bonus))) for one in components.purses),
        ),
    )


def _cities(board: Board) -> drawing.Columns:
    """List the cities of ``board``: starts and finishes, cards to draw, and lines to other cities."""
    rows = []
    for space in board.spaces:
        if space.is_city:
            lines = [one for one in board.lines if space.id in one.ends]
            told = "; ".join(f"{one.kind.value} to {other_end(one, space.id)}, {one.price} F" for one in lines)
            rows.append((space.id, space.lane, space.cards, "start or finish" if space.purple else "", told))
    risks = count(sum(space.risk for space in board.spaces), "risk zone")
    title = f"Cities: {board.name} ({count(len(board.spaces), 'space')}, {count(board.lanes, 'lane')}, {risks})"
    return drawing.table(title, ("city", "lane", "cards", "", "lines"), rows)


# The map ----------------------------------------------------------------------------------------------------------------

ICONS: Final = {"fuel": "~", "parts": "*", "danger": "!", "stop": "■", "cards": "+"}
"""The signs on spaces, each with its character in text, which follows its number."""
TILE, CITY, RISK, PURPLE = "terrain tile", "city", "risk zone", "start and finish"
_EDGES: Final = {RISK: "▒", PURPLE: "◎"}
_GROUNDS: Final = (TILE, CITY)

# Sizes in pixels: `_RADIUS` from the middle of a region to its corners, `_STRIP` for the lanes beside the map. From the
# middle of a region: the base line of its label, the middles of its vehicles, which are `_APART` from each other.
_RADIUS, _STRIP, _EDGE, _LABEL, _VEHICLE, _APART, _PRICE = 34, 76, 14, -13, 19, 17, 12
_SHORT, _LONG = _RADIUS * sqrt(3) / 2, _RADIUS * 1.5
_SIZES: Final = (13, 12, 11, 10)
"""The sizes of labels."""
_CELL: Final = 6
"""The size of the cells in which points of lines are counted."""
_CORNERS: Final = tuple(
    [(round(_RADIUS * cos(turn * pi / 6), 1), round(_RADIUS * sin(turn * pi / 6), 1)) for turn in range(first, 12, 2)]
    for first in (1, 0)
)
"""The corners of a region from its middle; those of a board that leads across are turned."""
_DARK, _ROAD, _PURPLE = "#333333", "#444444", "#7d3c98"
_HATCH: Final = scenes.Hatch("#555555", 1.2, 7, -45)
_WALL: Final[dict[str, Any]] = {"stroke": "#5b4636", "stroke_width": 6, "stroke_linecap": "round"}
_LOOKS: Final[dict[LineKind, tuple[dict[str, Any], ...]]] = {
    LineKind.SEA: ({"stroke": _ROAD, "stroke_width": 3.5, "stroke_dasharray": "1 6", "stroke_linecap": "round"},),
    LineKind.AIR: ({"stroke": _ROAD, "stroke_width": 5}, {"stroke": "#ffffff", "stroke_width": 2}),
}
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

    def scene(self) -> scenes.Scene:
        """Return the map as a picture: water and lanes, the spaces with what lies there, lines, vehicles and markers."""
        sheet, title = _sheet(self.board), f"Map: {self.board.name}"
        parts, keys = list[Element]((sheet.sea,)), list[Element]()
        for label, _, middle, seats in self._stacks():
            x, y = (middle, 12) if sheet.is_across else (14, middle + 4)
            parts.append(words(label, x, y, 12, is_bold=True, fill="#445566"))
            apart = min(16, 45 / max(len(seats) - 1, 1))
            for number, seat in enumerate(seats):  # it follows from the vehicles, so a move has one arrow
                far = round(number * apart, 1)
                x, y = (middle, _STRIP - 12 - far) if sheet.is_across else (32 + far, middle)
                keys.append(Token(seat, x, y, f"lane {label}", seat, seat, is_key=True))
        over, taken = list[Element](), list[scenes.Box]()
        for space in sorted(self.board.spaces, key=lambda space: space.purple):  # a thick border covers its neighbours
            here, at = self._standing(space), sheet.middles[space.id]
            region, name, boxes = _region(space, self.tiles.get(space.id), at, sheet.is_across, len(here))
            parts.append(region)
            over.append(name)
            taken += boxes
            for seat, (x, y) in zip(here, _row(at, len(here), _APART, _VEHICLE), strict=True):
                over.append(Token(seat, x, y, space.id, seat, seat, told="vehicle"))
        over.append(_prices(self.board, tuple(taken)))
        return scenes.Scene(
            title,
            title,
            (*parts, sheet.land),
            sheet.width,
            sheet.height,
            (*over, *keys),  # a reader who looks for a seat finds its vehicle first
            text=scenes.Later(Map.text, (self,)),
            told=f"{title}, {count(len(self.board.spaces), 'region')}",
        )

    def _standing(self, space: Space) -> list[Seat]:
        return [seat for seat, at in self.vehicles.items() if at == space.id]

    def _stacks(self) -> Iterator[tuple[str, int, float, list[Seat]]]:
        """Yield each lane: its label, its row (or column), its middle, and its markers, the lowest first."""
        in_lane = {space.id: space.lane for space in self.board.spaces}
        for lane, space, at, middle in _sheet(self.board).lanes:
            yield str(self.lanes[space]), at, middle, [seat for seat in self.markers if in_lane[self.vehicles[seat]] == lane]

    def text(self, width: int | None = None) -> list[str]:
        """Return the map as text, then its lines and the stacks on its lanes as a list.

        If its regions need more columns than ``width``, the map has several parts, from west to east.
        """
        sheet, most = _sheet(self.board), width or 120
        left, right = (end(space.x for space in self.board.spaces) for end in (min, max))

        def part(first: int, last: int) -> list[str]:
            spaces = [space for space in self.board.spaces if first <= space.x - left < last]
            return self._part(spaces, most) if spaces else []

        lines = scenes.in_parts(right - left + 1, max(1, (most - 6) // (6 if sheet.is_across else 3) + 1), part)
        lines += (f"{one.kind} line {one.ends[0]} – {one.ends[1]}: {one.price} F" for one in self.board.lines)
        closed = [f"{one} and {other}" for one, other in sheet.closed]
        lines += [f"no way between {'; '.join(closed)}"] if closed else []
        lines += (f"lane {label}: {', '.join(markers)}" for label, _, _, markers in self._stacks() if markers)
        return lines

    def _part(self, spaces: list[Space], most: int) -> list[str]:
        """Return ``spaces``, those of some columns, with the lanes beside them, as lines of at most so many columns.

        A space has two lines of five columns: its name with its vehicles, and what lies there.
        """
        is_across, seats = self.board.course is Course.WEST_EAST, sorted(self.vehicles)
        across, down = (6, 1) if is_across else (3, 2)
        left, right = (end(space.x for space in spaces) for end in (min, max))
        top, bottom = (end(space.y for space in spaces) for end in (min, max))
        rows = dict[int, list[tuple[int, str]]]()
        for label, at, *_ in self._stacks():
            if is_across and left <= at <= right:
                rows.setdefault(-2, []).append((3 + (at - left) * across, scenes.clip(label, 5)))
            elif not is_across and top <= at <= bottom:
                rows.setdefault((at - top) * down, []).append((0, scenes.clip(label, 2)))
        for space in spaces:
            x, y, there = 3 + (space.x - left) * across, (space.y - top) * down, self._standing(space)
            room = min(5, most - x)
            who = scenes.initial(there[0], seats, there[0], seats).lower() if len(there) == 1 else str(len(there))
            tail = f"{scenes.SIGNS[Sign.PIECE]}{who}" if there else ""
            rows.setdefault(y, []).append((x, columns(space.id, 0, room - scenes.display_width(tail)) + tail))
            rows.setdefault(y + 1, []).append((x, self._below(space, room)))
        lines = [""] * (max(rows) - min(rows) + 1)
        for y, row in rows.items():
            for x, text in sorted(row):
                lines[y - min(rows)] = padded(lines[y - min(rows)], x) + text
        return lines

    def _below(self, space: Space, room: int) -> str:
        """Return what is on ``space`` in short: its signs, only their numbers if room is scarce, a dot if it is empty."""
        begins, marks = _EDGES[PURPLE] * space.purple + _EDGES[RISK] * space.risk, _marks(space, self.tiles.get(space.id))
        for is_long in (True, False):
            signs = "".join(f"{number or ''}{ICONS[icon] if is_long or not number else ''}" for icon, number in marks)
            told = begins + (signs or ("0" if space.id in self.tiles else "·"))
            if scenes.display_width(told) <= room:
                break
        return columns(told, 0, room)


@lru_cache(1 << 12)
def _region(
    space: Space, tile: Tile | None, at: Point, is_across: bool, vehicles: int
) -> tuple[Group, Group, tuple[scenes.Box, ...]]:
    """Return ``space`` on its middle, its label with its signs, and the boxes of what lies there, also of ``vehicles``.

    The results are kept, because a replay draws nearly the same map again and again.
    """
    (x, y), ground, marks = at, CITY if space.is_city else TILE if tile else "", _marks(space, tile)
    outline, ink = scenes.way(_CORNERS[is_across], closed=True), scenes.ground_ink(ground, _GROUNDS) if ground else "#f5efdc"
    drawn = [Path(outline, fill=ink, stroke="#8a8a8a")]
    drawn += [Path(outline, fill=_HATCH, stroke="#444444")] * space.risk
    drawn += [Path(outline, stroke=_PURPLE, stroke_width=4)] * space.purple
    told = [ground or "empty", *(f"{icon} {number or ''}".rstrip() for icon, number in marks)]
    told += [RISK] * space.risk + [PURPLE] * space.purple
    frame = scenes.Frame(0, 0, 2 * _SHORT - 6, 2 * _SHORT - 6)
    region = group(drawn, x, y, id=space.id, frame=frame, holds=(ground, marks), told=", ".join(told))
    size, base = scenes.fitting([space.id], 2.2 * _RADIUS, _SIZES, is_bold=True), _LABEL if marks or vehicles else 5
    row = _row((0, 0), len(marks), min(19, _RADIUS * 1.7 / max(len(marks), 1)))
    signs = (group(mark_parts(*mark), *place) for mark, place in zip(marks, row, strict=True))
    name = group((words(space.id, 0, base, size, is_bold=True, halo=2.5), *signs), x, y)
    half = scenes.text_width(space.id, size, is_bold=True) / 2
    sizes = (half, base - size, base + 3), (len(marks) * 9.5, -10, 11), ((_APART * vehicles + 1) / 2, 10, 28)
    shown = [one for one, is_there in zip(sizes, (True, marks, vehicles), strict=True) if is_there]
    return region, name, tuple(scenes.Box(x - wide, y + above, x + wide, y + below) for wide, above, below in shown)


@lru_cache(1 << 6)
def _prices(board: Board, boxes: tuple[scenes.Box, ...]) -> Group:
    """Return the prices of the lines of ``board``, each on or beside its line where it covers nothing of ``boxes``."""
    taken, prices = scenes.Taken(boxes), list[Group]()
    for one, spots in _sheet(board).spots:
        box = taken.best(spots)
        taken.add(box)
        wide, high = box.right - box.left, box.bottom - box.top
        sign = rect(wide, high, rx=3, fill="#ffffff", stroke=_DARK)
        price = words(f"{one.price} F", wide / 2, high / 2 + 4.5, _PRICE, is_bold=True)
        name = f"{one.kind} line {one.ends[0]} – {one.ends[1]}"
        prices.append(group((sign, price), box.left, box.top, name=name, told=f"{one.price} F"))
    return group(prices)


def _marks(space: Space, tile: Tile | None) -> tuple[tuple[str, int], ...]:
    """Return the signs on ``space`` with their numbers (0: none): the cards of a city, the costs of a tile."""
    if space.is_city:
        return (("cards", space.cards),)
    if tile is None:
        return ()
    levels = [(icon, level) for icon, level in (("fuel", tile.fuel), ("parts", tile.parts)) if level]
    return (*levels, *(("danger", 0),) * tile.danger, *(("stop", 0),) * tile.stop)


def _row(middle: Point, many: int, apart: float, down: float = 0) -> list[Point]:
    """Return the places of ``many`` things side by side."""
    return [(round(middle[0] + (at - (many - 1) / 2) * apart, 1), round(middle[1] + down, 1)) for at in range(many)]


# What is the same in all pictures of a board ------------------------------------------------------------------------------


class _Sheet(Value):
    """A board on paper: its size, and the ``middles`` of its regions.

    ``lanes`` are the number of each on the board, a space in it, the row (or column) with most of its spaces, its middle.
    They lie beside the map, from west to east if the board ``is_across``. ``closed`` are the pairs of neighbours that
    no way joins. The ``sea`` lies below the regions, walls and lines of the ``land`` above them. ``spots`` are those for
    the price of each line.
    """

    is_across: bool
    width: float
    height: float
    middles: Mapping[SpaceId, Point]
    lanes: tuple[tuple[int, SpaceId, int, float], ...]
    closed: tuple[tuple[SpaceId, SpaceId], ...]
    sea: Group
    land: Group
    spots: tuple[tuple[Line, tuple[scenes.Box, ...]], ...]


@lru_cache(16)
def _sheet(board: Board) -> _Sheet:
    """Lay ``board`` out, once for all pictures of a game: the search for the bends of its lines takes long."""
    spaces, is_across = board.spaces, board.course is Course.WEST_EAST
    across, down = (_LONG, _SHORT) if is_across else (_SHORT, _LONG)
    left, top = min(space.x for space in spaces), min(space.y for space in spaces)
    west, north = _EDGE + _RADIUS + _STRIP * (not is_across), _EDGE + _RADIUS + _STRIP * is_across
    middles: dict[SpaceId, Point] = {
        space.id: (round(west + (space.x - left) * across, 1), round(north + (space.y - top) * down, 1)) for space in spaces
    }
    width, height = (round(max(side) + _RADIUS + _EDGE, 1) for side in zip(*middles.values(), strict=True))
    rows = dict[int, list[int]]()
    for space in spaces:
        rows.setdefault(space.lane, []).append(space.x if is_across else space.y)
    named, lanes = {space.lane: space.id for space in reversed(spaces)}, list[tuple[int, SpaceId, int, float]]()
    for lane, found in sorted(rows.items()):
        at = sorted(found)[len(found) // 2]
        lanes.append((lane, named[lane], at, round(_EDGE + _RADIUS + (at - (left if is_across else top)) * _LONG, 1)))
    places = {(space.x, space.y): space.id for space in spaces}
    steps = ((0, 2), (1, 1), (1, -1)) if is_across else ((2, 0), (1, 1), (-1, 1))
    beside = ((one, places.get((x + a, y + b))) for (x, y), one in places.items() for a, b in steps)
    near = {(one, other): None for one, other in beside if other is not None}
    ways = {(space.id, other): None for space in spaces for other in space.next if other in middles}
    closed = tuple(pair for pair in near if pair not in ways)

    sea: list[Element] = [rect(width, height, rx=8, fill="#dfeaf0")]
    for *_, middle in lanes[1::2]:
        band = (_LONG, height, middle - _LONG / 2, 0) if is_across else (width, _LONG, 0, middle - _LONG / 2)
        sea.append(rect(*band, fill="#e9f1f5"))
    corners = {space: [(x + right, y + below) for right, below in _CORNERS[is_across]] for space, (x, y) in middles.items()}
    around = "".join(scenes.way(outline, closed=True) for outline in corners.values())
    coast = (("#c3dae6", 22), ("#7896a8", 7))
    sea += [Path(around, stroke=ink, stroke_width=wide, stroke_linejoin="round") for ink, wide in coast]
    far = [pair for pair in ways if pair not in near and pair[::-1] not in near]
    land: list[Element] = [line([middles[end] for end in pair], stroke="#8a8a8a", stroke_width=5) for pair in far]
    for one, other in closed:
        border = [corner for corner in corners[one] if any(dist(corner, there) < 1 for there in corners[other])]
        land.append(line(border, **_WALL))
    lines, spots = _lines(board, middles, width, height)
    return _Sheet(is_across, width, height, middles, tuple(lanes), closed, group(sea), group(land + lines), spots)


def _lines(
    board: Board, middles: Mapping[SpaceId, Point], width: float, height: float
) -> tuple[list[Element], tuple[tuple[Line, tuple[scenes.Box, ...]], ...]]:
    """Return the lines of ``board``, each bent so that it covers little, and the spots for the price of each."""
    costs, lines, prices = dict[tuple[int, int], int](), list[Element](), list[tuple[Line, tuple[scenes.Box, ...]]]()

    def cover(x: float, y: float, wide: float, above: float, below: float, cost: int) -> None:
        """Note what it costs to cover what lies around ``x``, ``y``."""
        columns = range(int((x - wide) // _CELL), int((x + wide) // _CELL) + 1)
        for cell in product(columns, range(int((y - above) // _CELL), int((y + below) // _CELL) + 1)):
            costs[cell] = max(cost, costs.get(cell, 0))

    def cost_of(points: Iterable[Point]) -> int:
        """Return what ``points`` cover; one beside the sheet costs something, too."""
        inside = [(x, y) for x, y in points if 8 < x < width - 8 and 8 < y < height - 8]
        return sum(costs.get((int(x // _CELL), int(y // _CELL)), 0) for x, y in inside) - 20 * len(inside)

    for label, (x, y) in middles.items():
        cover(x, y, 30, 30, 30, 3)  # land
        cover(x, y, 28, 10, 11, 12)  # signs
        cover(x, y, min(scenes.text_width(label, _SIZES[0], is_bold=True) / 2, 1.1 * _RADIUS) + 4, 26, 7, 60)
    for one in board.lines:
        if not all(end in middles for end in one.ends):
            continue
        (x1, y1), (x3, y3) = ends = [middles[end] for end in one.ends]
        bows, steps = list[tuple[float, Point, list[Point]]](), 8 + int(dist(*ends) / 12)
        for aside, along in product(range(-18, 19), range(-2, 3)):
            x = (x1 + x3) / 2 + (y3 - y1) * aside / 20 + (x3 - x1) * along / 5
            y = (y1 + y3) / 2 - (x3 - x1) * aside / 20 + (y3 - y1) * along / 5
            start, end = (_beside(city, (x, y)) for city in ends)
            points = list[Point]()  # of the quadratic curve
            for part in (step / steps for step in range(steps + 1)):
                first, two, three = (1 - part) ** 2, 2 * (1 - part) * part, part**2
                points.append((first * start[0] + two * x + three * end[0], first * start[1] + two * y + three * end[1]))
            detour = dist((x, y), ((x1 + x3) / 2, (y1 + y3) / 2))
            bows.append((cost_of(points) + detour / 4, (x, y), points))
        _, bend, points = min(bows)
        for x, y in points:  # the next line keeps clear of this one
            cover(x, y, 3, 3, 3, 12)
        start, bend, end = ((round(x, 1), round(y, 1)) for x, y in (points[0], bend, points[-1]))
        way = f"M{start[0]} {start[1]}Q{bend[0]} {bend[1]} {end[0]} {end[1]}"
        lines.append(Path(way, stroke="#ffffff", stroke_width=7, stroke_opacity=0.7))
        lines += [Path(way, **look) for look in _LOOKS[one.kind]]
        half, middle = scenes.text_width(f"{one.price} F", _PRICE, is_bold=True) / 2 + 4, len(points) / 2
        inner = sorted(range(4, len(points) - 4), key=lambda at: abs(at - middle))
        spots = [(round(points[at][0], 1), round(points[at][1] + down, 1)) for down in (0, -9, 9) for at in inner]
        prices.append((one, tuple(scenes.Box(x - half, y - 8, x + half, y + 8) for x, y in spots)))
    return lines, tuple(prices)


def _beside(city: Point, bend: Point) -> Point:
    """Return where a line to ``bend`` begins: beside the sign in the middle of ``city``, or above its label."""
    across, down, far = bend[0] - city[0], bend[1] - city[1], max(dist(city, bend), 1)
    part = (30 if -2 * down > far else 16) / far
    return city[0] + across * part, city[1] + down * part


# Signs and the legend -----------------------------------------------------------------------------------------------------


def mark_parts(icon: str, number: int) -> Iterator[Element]:
    """Yield the sign ``icon`` around 0, 0, 16 pixels wide and high, with its ``number`` on it (0: none)."""
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


@cache
def legend() -> scenes.Legend:
    """Return the legend: in text a line of grounds, one of lines, one of signs; in pictures also the look of borders."""
    grounds = [
        scenes.Entry(name, (rect(14, 14, fill=scenes.ground_ink(name, _GROUNDS), stroke="#888888"),), 20, name[0], ink)
        for name, ink in zip(_GROUNDS, ("cyan", "purple"), strict=True)
    ]
    icons = tuple(scenes.Entry(icon, (group(mark_parts(icon, 0), 8, 7),), 22, sign) for icon, sign in ICONS.items())
    edges = (
        scenes.Entry(RISK, (rect(14, 14, fill=_HATCH, stroke="#444444"),), 20, _EDGES[RISK]),
        scenes.Entry(PURPLE, (rect(10, 10, 2, 2, stroke=_PURPLE, stroke_width=4),), 20, _EDGES[PURPLE]),
        scenes.Entry("no way", (line(((3, 7), (19, 7)), **_WALL),), 28),
    )
    vehicle = scenes.Entry("vehicle", (Token("", 8, 7, ink="#555555", is_key=True),), 22, scenes.SIGNS[Sign.PIECE])
    lines = tuple(
        scenes.Entry(f"{kind} line", tuple(line(((0, 7), (30, 7)), **look) for look in looks), 36)
        for kind, looks in _LOOKS.items()
    )
    return scenes.Legend((tuple(grounds), lines, (vehicle, *icons, *edges)))
