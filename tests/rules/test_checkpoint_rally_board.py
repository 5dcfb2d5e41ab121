"""The board of Checkpoint Rally as text and as a picture: it shows what lies there, nothing more and nothing less."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from math import atan2, degrees, hypot
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

import adjudicator as adj
from adjudicator.library.rulesets import component_set
from tests.drivers.scenarios import table

CELLS = [f"{column}{row}" for row in "12345" for column in "ABCDE"]
SIDES = ("north", "east", "south", "west")
HOUSE = component_set("checkpoint-rally").parts
TILES = {tile["id"]: tile for tile in HOUSE["tiles"]}
PENS = {"highway": "═║", "gravel": "∙∙", "urban": "─│"}
"""A road from side to side and one from top to bottom."""
JOINTS = {
    "NS": "║│∙",
    "EW": "═─∙",
    "NE": "╚└∙",
    "ES": "╔┌∙",
    "SW": "╗┐∙",
    "NW": "╝┘∙",
    "NES": "╠├∙",
    "ESW": "╦┬∙",
    "NSW": "╣┤∙",
    "NEW": "╩┴∙",
    "NESW": "╬┼∙",
}
"""The middle of a highway, an urban road and a gravel road with these exits."""
EDGES = ((5, 0), (10, 2), (5, 4), (0, 2))
LETTERS = ((4, 0), (10, 1), (4, 4), (0, 1))
"""Where a square of 11 characters and 5 lines shows its roads and its grounds: north, east, south, west."""


class Board:
    """A position by chance with the house set: tiles on most cells, three cars, marked checkpoints; as red sees it."""

    def __init__(self, luck: Random, folder: Path) -> None:
        tiles = luck.sample(sorted(TILES), 19)
        self.laid = {cell: (tile, luck.choice((0, 90, 180, 270))) for cell, tile in zip(CELLS[:19], tiles, strict=True)}
        cells = luck.sample(CELLS, 19)
        self.laid = dict(zip(cells, self.laid.values(), strict=True))
        cards = luck.sample(HOUSE["cards"], 3)
        self.cars = {seat: luck.choice(cells) for seat in ("red", "blue", "yellow")}
        self.marked = {seat: card["lower"][: luck.randrange(3)] for seat, card in zip(self.cars, cards, strict=True)}
        self.goals = [cell for cell in cards[0]["lower"] if cell not in self.marked["red"]]
        self.frames = [(piece["id"], luck.choice(("front", "back"))) for piece in luck.sample(HOUSE["borders"], 4)]
        seats = [
            f"{seat} cell={cell} card={card['id']} marked={','.join(self.marked[seat]) or 'none'}"
            for (seat, cell), card in zip(self.cars.items(), cards, strict=True)
        ]
        self.game = table(
            "checkpoint-rally",
            "components house",
            "board " + " ".join(f"{cell}:{tile}:{rot}" for cell, (tile, rot) in self.laid.items()),
            "border " + " ".join(":".join(frame) for frame in self.frames),
            *seats,
            folder=folder,
        )

    def edges(self, cell: str) -> tuple[str, str, list[str]]:
        """Return the road on ``cell``, its exits as they lie, and the grounds north, east, south, west."""
        tile, rot = self.laid[cell]
        turn = rot // 90
        exits = "".join(side for at, side in enumerate("NESW") if "NESW"[at - turn] in TILES[tile]["exits"])
        return TILES[tile]["road"], exits, [TILES[tile]["sides"][at - turn] for at in range(4)]

    def markers(self, cell: str) -> Iterator[str]:
        """Yield what stands on ``cell``, as text: a sign and a seat."""
        yield from (f"▲{seat}" for seat, at in self.cars.items() if at == cell)
        yield from (f"✓{seat}" for seat, marked in self.marked.items() if cell in marked)
        if cell in self.goals:
            yield "◎red"


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> list[Board]:
    return [Board(Random(seed), tmp_path_factory.mktemp("board")) for seed in range(12)]


def test_the_text_of_the_board_is_what_lies_there(boards: list[Board]) -> None:
    """Grounds at their sides, names, roads to the edges that they leave by; a road in the gap where one can drive."""
    joined = 0
    for board in boards:
        text = adj.render(board.game.seen_by("red").position)
        lines = text.splitlines()
        top = next(at for at, line in enumerate(lines) if "┏" in line) + 1
        left = lines[top - 1].index("┏") + 2
        assert max(map(len, lines[top : top + 30])) <= 80

        def at(number: int, dx: int, dy: int, lines: list[str] = lines, top: int = top, left: int = left) -> str:
            row, column = divmod(number, 5)
            return lines[top + row * 6 + dy].ljust(80)[left + column * 14 + dx]

        for number, cell in enumerate(CELLS):
            if cell not in board.laid:
                assert at(number, 5, 2) == "·"
                continue
            road, exits, grounds = board.edges(cell)
            square = ["".join(at(number, dx, dy) for dx in range(14)) for dy in range(5)]
            assert square[0].startswith(f"{board.laid[cell][0]} ")
            assert square[4][6:11].strip() == f"{board.laid[cell][1]}°"
            assert [at(number, *where) for where in LETTERS] == [ground[0] for ground in grounds]
            shown = [at(number, *where) for where in EDGES]
            pens = [PENS[road][(side + 1) % 2] if "NESW"[side] in exits else " " for side in range(4)]
            assert shown == pens
            assert at(number, 5, 2) == JOINTS[exits][("highway", "urban", "gravel").index(road)]
            for side, beyond, gap in ((1, number + 1, (12, 2)), (2, number + 5, (5, 5))):
                is_inside = number % 5 < 4 if side == 1 else number < 20
                other = board.edges(CELLS[beyond])[1] if is_inside and CELLS[beyond] in board.laid else ""
                is_joined = "NESW"[side] in exits and "NESW"[side - 2] in other
                if is_inside:
                    assert (at(number, *gap) not in " +") == is_joined
                    joined += is_joined
        for number, cell in enumerate(CELLS):
            area = "".join(at(number, dx, dy) for dy in range(5) for dx in (*range(14), 13))
            below = next((line for line in lines if line.startswith(f"also on {cell}: ")), "")
            missing = [one for one in board.markers(cell) if one[:4] not in area + below]
            assert not missing, (cell, missing, text)
        terrains = [{piece["id"]: piece for piece in HOUSE["borders"]}[piece][face] for piece, face in board.frames]
        for along in range(5):
            frame = (at(along, 4, -1), at(5 * along + 4, 12, 1), at(20 + along, 4, 5), at(5 * along, -2, 1))
            strips = (along, along, 4 - along, 4 - along)
            assert frame == tuple(strip[n][0] for strip, n in zip(terrains, strips, strict=True))
    assert joined > 50


def test_so_is_its_description_for_those_who_do_not_see_the_picture(boards: list[Board]) -> None:
    for board in boards:
        words = root(board.game)[1].text or ""
        for cell in board.laid:
            road, exits, grounds = board.edges(cell)
            sides = [
                f"{side} {ground}{f' with {road}' if side[0].upper() in exits else ''}"
                for side, ground in zip(SIDES, grounds, strict=True)
            ]
            tile, rot = board.laid[cell]
            told = re.search(rf"\b{cell}: {tile} {rot}°, ([^.]*)\.", words)
            assert told and told[1].startswith(", ".join(sides))
            shown = {"▲": "car", "✓": "checkpoint marked", "◎": "own checkpoint still to visit"}
            for one in board.markers(cell):
                assert f"{one[1:]} (" in told[1] and shown[one[0]] in told[1]


# --- the picture -----------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"
EXITS = {1: "50 0", 2: "100 50", 4: "50 100", 8: "0 50"}


def root(game: adj.Game, viewer: str | None = "red") -> ElementTree.Element:
    return ElementTree.fromstring(adj.render(game.seen_by(viewer).report(), "svg"))


def named(tree: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [found for found in tree.iter() if found.get("data-id") == name]


CAR, CLOCK = "M-12.5 4", "M8 0a8"
"""How the outlines of a car and of a marker on the dial begin."""


def places(tree: ElementTree.Element, name: str, outline: str = "") -> list[tuple[float, float]]:
    """Return where the parts called ``name`` lie in the picture, of those whose first path begins with ``outline``."""
    parents = {child: parent for parent in tree.iter() for child in parent}
    found = []
    for one in named(tree, name):
        if outline and not one[0].get("d", "").startswith(outline):
            continue
        x = y = 0.0
        at: ElementTree.Element | None = one
        while at is not None:
            steps = [*map(float, re.findall(r"-?[\d.]+", at.get("transform", "")))]
            x, y = (x + steps[0], y + steps[1]) if steps else (x, y)
            at = parents.get(at)
        found.append((x, y))
    return found


def test_the_picture_shows_what_lies_there_by_the_names_that_orders_use(boards: list[Board]) -> None:
    """A click on a square, whatever lies there, a car or a tile of the row finds the orders that name it."""
    for board in boards:
        tree = root(board.game)
        for cell, (tile, rot) in board.laid.items():
            (square,) = named(tree, cell)
            assert places(tree, cell) == [(60 + 100 * (CELLS.index(cell) % 5), 72 + 100 * (CELLS.index(cell) // 5))]
            road, exits, grounds = board.edges(cell)
            used = [found.get("href", "").rpartition("-")[0] for found in square.iter(f"{SVG}use")]
            stroke = {"highway": "double", "gravel": "dotted", "urban": "single"}[road]
            number = sum(1 << at for at, side in enumerate("NESW") if side in exits)
            grounded = [f"#{ground}-{side}" for ground, side in zip(grounds, "nesw", strict=True)]
            assert used == [*grounded, f"#{stroke}{number}"]
            assert [found.text for found in square.iter(f"{SVG}text")] == [tile, f"{rot}°"]
            (plate,) = [one.get("d", "") for one in square.iter(f"{SVG}path") if one.get("fill-opacity")]
            wide, high = (float(re.findall(rf"{step}([0-9.]+)", plate)[0]) for step in "hv")
            assert 1.5 + wide + 6 <= 41 and 1.5 + high + 6 <= 41, "the plate covers no end of a road"
        ids = [found.get("id") for found in tree.iter() if found.get("id")]
        assert len(ids) == len(set(ids)), "an id is defined once"
        assert {found.get("href", "#")[1:] for found in tree.iter(f"{SVG}use")} <= set(ids)
        for seat, cell in board.cars.items():
            ((x, y),) = places(tree, cell)
            assert [(0 < u - x < 100, 0 < v - y < 100) for u, v in places(tree, seat, CAR)] == [(True, True)]


def test_roads_flow_from_edge_to_edge_without_a_kink(boards: list[Board]) -> None:
    """Each exit is joined with each other; a way leaves at a right angle to the edge, to go on in the next square."""
    seen = set()
    for board in boards:
        for found in root(board.game).iter(f"{SVG}g"):
            match = re.fullmatch(r"(double|single|dotted)(\d+)-\w+", found.get("id", ""))
            if not match:
                continue
            way, ends = found[0].get("d", ""), {end for bit, end in EXITS.items() if int(match[2]) & bit}
            starts = re.findall(r"M([\d.]+ [\d.]+)", way)
            assert {*starts, *re.findall(r"[LC ]([\d.]+ [\d.]+)(?=M|$)", way)} == ends
            assert way.count("M") == len(ends) * (len(ends) - 1) / 2
            for x, y, u, v in re.findall(r"M([\d.]+) ([\d.]+)[LC]([\d.]+) ([\d.]+)", way):
                assert x == u if y in ("0", "100") else y == v
            seen.add(match[2])
    assert len(seen) == 11, "straight roads, bends, junctions and crossings, every way round"


@pytest.mark.parametrize("tile", ["HNECCCC", "HNSCCCC", "HC1"])
def test_cars_on_one_tile_stand_apart_and_on_its_road(tmp_path: Path, tile: str) -> None:
    """A bend from the north to the east lies in that corner, beside the middle of its tile."""
    seats = [f"{seat} cell=C3" for seat in ("red", "blue", "green", "yellow")]
    for many in (2, 3, 4):
        game = table("checkpoint-rally", "components plain.json", f"board C3:{tile}", *seats[:many], folder=tmp_path)
        tree = root(game)
        ((x, y),) = places(tree, "C3")
        found = [(u - x, v - y) for seat in game.seats for u, v in places(tree, seat, CAR)]
        assert len(set(found)) == len(found) == many
        if tile == "HNECCCC":
            assert all(u >= 50 and v <= 50 and u - v > 20 for u, v in found)
        if tile == "HNSCCCC":
            assert {u for u, _ in found} == {50}


def test_tiles_and_clocks_beside_the_board_lie_apart(tmp_path: Path) -> None:
    """A full hand, the row, and two markers on one minute of the dial with others beside them."""
    hand = "HC2,HC3,HC4,HC5,HM1,HM2,HM3,HM4,HM5,HG1,HG2,HG3"
    game = table(
        "checkpoint-rally",
        "components plain.json",
        "board C3:HC1",
        "row UC1 UC2 UC3",
        f"red cell=C3 minutes=3 hand={hand}",
        "blue cell=C3 minutes=33",
        "green cell=C3 minutes=4",
        "yellow cell=C3 minutes=5",
        folder=tmp_path,
    )
    tree = root(game)
    shelves = [where for tile in (*hand.split(","), "UC1", "UC2", "UC3") for where in places(tree, tile)]
    assert len(shelves) == 15
    assert all(max(abs(x - u), abs(y - v)) >= 100 for (x, y), (u, v) in combinations(shelves, 2))
    assert {"Stopwatch dial", "30", "5"} <= {found.text for found in tree.iter(f"{SVG}text")}
    clocks = [sorted(places(tree, seat, CLOCK))[-1] for seat in game.seats]
    assert all(hypot(x - u, y - v) >= 15 for (x, y), (u, v) in combinations(clocks, 2))
    alone = root(
        table("checkpoint-rally", "components plain.json", "board C3:HC1", "red cell=C3", "blue cell=C3", folder=tmp_path)
    )
    assert float(tree.get("height", 0)) > float(alone.get("height", 0))


def test_the_dial_has_a_stroke_for_each_minute_and_broad_ones_at_its_figures(tmp_path: Path) -> None:
    tree = root(
        table("checkpoint-rally", "components plain.json", "board C3:HC1", "red cell=C3", "blue cell=C3", folder=tmp_path)
    )
    texts = [found for found in tree.iter(f"{SVG}text") if found.get("stroke") and found.text]
    figures = {found.text or "": (float(found.get("x", 0)), float(found.get("y", 0)) - 4) for found in texts}
    middle = figures["30"][0], (figures["15"][1] + figures["30"][1]) / 2

    def minute(point: tuple[float, float]) -> int:
        return round(degrees(atan2(point[0] - middle[0], middle[1] - point[1])) / 12) % 30 or 30

    assert {figure: minute(point) for figure, point in figures.items()} == {str(at): at for at in range(5, 31, 5)}
    strokes: dict[str, list[int]] = {}
    for found in tree.iter(f"{SVG}path"):
        ends = re.fullmatch(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", found.get("d", ""))
        if ends and found.get("stroke") == "#3a3a3a":
            strokes.setdefault(found.get("stroke-width", "1"), []).append(minute((float(ends[1]), float(ends[2]))))
    assert sorted(strokes["2"]) == [*range(5, 31, 5)]
    assert sorted(strokes["1"] + strokes["2"]) == [*range(1, 31)]
