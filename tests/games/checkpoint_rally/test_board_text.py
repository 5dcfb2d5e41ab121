"""Boards: what is drawn is what the squares say, nothing more and nothing less."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.drawing import Drawing
from adjudicator.core.scene import Sign
from adjudicator.core.width import display_width
from adjudicator.games.checkpoint_rally.board_text import ALLEY, HEIGHT, PENS, WIDTH
from adjudicator.games.checkpoint_rally.components import Road, Terrain
from adjudicator.games.checkpoint_rally.picture import grid_scene, legend
from adjudicator.games.checkpoint_rally.squares import STROKES, Edge, Grid, Marker, Square
from adjudicator.reports.drawings.drawing_text import drawing_text

LEGEND = legend(has_signs=True)
GROUNDS = tuple(Terrain)
ROADS = "".join(pen.across + pen.down + pen.joints for pen in PENS.values()).replace(" ", "")
SIDES = ("north", "east", "south", "west")

FRAMES = st.tuples(*[st.tuples(*[st.sampled_from(GROUNDS)] * 5)] * 4)
SEATS = ("red", "blue", "green", "yellow")
BADGES = st.lists(
    st.builds(Marker, st.sampled_from(SEATS), st.sampled_from(list(Sign)[:3])),
    max_size=3,
    unique=True,
)


def tile(
    road: str, exits: str, grounds: str, label: str = "H3", corner: str = "90°", markers: tuple[Marker, ...] = ()
) -> Square:
    """Return a tile with ``exits`` such as ``NE`` and a letter for the ground of each side, from the north clockwise."""
    names = {ground[0]: ground for ground in GROUNDS}
    sides = zip("NESW", grounds, strict=True)
    edges = (Edge(names[letter], Road(road) if side in exits else None) for side, letter in sides)
    return Square(tuple(edges), label, corner, markers)


TILES = st.builds(
    lambda road, exits, grounds, number, rot, badges: tile(road, exits, grounds, f"H{number}", f"{rot}°", tuple(badges)),
    st.sampled_from(sorted(Road)),
    st.sets(st.sampled_from("NESW"), min_size=1).map("".join),
    st.text("cmgd", min_size=4, max_size=4),
    st.integers(1, 14),
    st.sampled_from((0, 90, 180, 270)),
    BADGES,
)
BOARDS = st.builds(
    lambda squares, frame: Grid(tuple("ABCDE"), tuple("12345"), tuple(squares), frame),
    st.lists(st.one_of(st.just(Square()), TILES), min_size=25, max_size=25),
    FRAMES,
)


def text_of(grid: Grid, *, color: bool = False) -> str:
    """Return ``grid`` and its legend as text; the seats are those on the board."""
    seats = {marker.seat for square in grid.squares for marker in square.markers}
    return drawing_text(Drawing((grid_scene(grid, seats), LEGEND)), color=color)


class Drawn:
    """A board as it was drawn, to be looked at cell by cell."""

    def __init__(self, grid: Grid) -> None:
        self.text = text_of(grid)
        self.lines = self.text.split("\n")
        top = next(at for at, line in enumerate(self.lines) if "┏" in line)
        self.top, self.left = top + 1, self.lines[top].index("┏") + 2

    def at(self, row: int, column: int, dx: int, dy: int) -> str:
        """Return the character ``dx``, ``dy`` from the upper left one of a square; alleys lie at −1 and beyond the size."""
        line = self.lines[self.top + row * (HEIGHT + 1) + dy]
        x = self.left + column * (WIDTH + ALLEY) + dx
        return line[x] if x < len(line) else " "

    def square(self, row: int, column: int) -> str:
        return "\n".join("".join(self.at(row, column, dx, dy) for dx in range(WIDTH)) for dy in range(HEIGHT))


EDGES = {
    "north": (WIDTH // 2, 0),
    "east": (WIDTH - 1, HEIGHT // 2),
    "south": (WIDTH // 2, HEIGHT - 1),
    "west": (0, HEIGHT // 2),
}
LETTERS = {"north": (4, 0), "east": (WIDTH - 1, 1), "south": (4, HEIGHT - 1), "west": (0, 1)}


@settings(max_examples=15, deadline=None)
@given(BOARDS)
def test_a_road_runs_to_an_edge_exactly_where_there_is_an_exit(grid: Grid) -> None:
    drawn = Drawn(grid)
    for at, square in enumerate(grid.squares):
        for side, edge in zip(SIDES, square.edges, strict=bool(square.edges)):
            shown = drawn.at(*divmod(at, 5), *EDGES[side])
            pen = PENS[STROKES[edge.road]] if edge.road else None
            expected = " " if pen is None else pen.down if side in ("north", "south") else pen.across
            assert shown == expected


@settings(max_examples=15, deadline=None)
@given(BOARDS)
def test_roads_meet_between_squares_exactly_where_one_can_drive(grid: Grid) -> None:
    drawn = Drawn(grid)
    for at, square in enumerate(grid.squares):
        row, column = divmod(at, 5)
        for side, (dx, dy), (down, right) in (
            ("east", (WIDTH, HEIGHT // 2), (0, 1)),
            ("south", (WIDTH // 2, HEIGHT), (1, 0)),
        ):
            if row + down > 4 or column + right > 4:
                continue
            other = grid.squares[at + 5 * down + right]
            here = square.edges[SIDES.index(side)].road if square.edges else ""
            there = other.edges[(SIDES.index(side) + 2) % 4].road if other.edges else ""
            count = ALLEY if right else 1
            alley = "".join(drawn.at(row, column, dx + step * right, dy) for step in range(count))
            assert all(character in ROADS for character in alley) == bool(here and there)
            assert alley.strip() == "" or (here and there)


@settings(max_examples=15, deadline=None)
@given(BOARDS)
def test_every_ground_stands_at_its_side_and_every_label_in_its_square(grid: Grid) -> None:
    drawn = Drawn(grid)
    for at, square in enumerate(grid.squares):
        row, column = divmod(at, 5)
        for side, edge in zip(SIDES, square.edges, strict=bool(square.edges)):
            assert drawn.at(row, column, *LETTERS[side]) == edge.ground[0]
        if square.edges:
            picture = drawn.square(row, column)
            assert picture.startswith(square.label + " ")
            assert picture.endswith(square.corner)


@settings(max_examples=15, deadline=None)
@given(BOARDS)
def test_the_frame_faces_the_squares(grid: Grid) -> None:
    drawn = Drawn(grid)
    north, east, south, west = grid.frame
    for along in range(5):
        assert drawn.at(0, along, 4, -1) == north[along][0]
        assert drawn.at(4, along, 4, HEIGHT) == south[along][0]
        assert drawn.at(along, 4, WIDTH + 1, 1) == east[along][0]
        assert drawn.at(along, 0, -2, 1) == west[along][0]


@settings(max_examples=15, deadline=None)
@given(BOARDS)
def test_no_badge_is_lost(grid: Grid) -> None:
    drawn = Drawn(grid)
    signs = {Sign.PIECE: "▲", Sign.MARK: "✓", Sign.GOAL: "◎"}
    for at, square in enumerate(grid.squares):
        row, column = divmod(at, 5)
        below = next((line for line in drawn.lines if line.startswith(f"also on {'ABCDE'[column]}{row + 1}: ")), "")
        for badge in square.markers:
            assert signs[badge.sign] + badge.seat[0] in drawn.square(row, column) + below


@settings(max_examples=20, deadline=None)
@given(BOARDS)
def test_a_board_fits_a_terminal_and_colours_change_nothing(grid: Grid) -> None:
    plain = text_of(grid)
    assert max(map(display_width, plain.split("\n"))) <= 80
    assert re.sub(r"\x1b\[[0-9;]*m", "", text_of(grid, color=True)) == plain


def one(square: Square) -> str:
    """Return a board of one square as text."""
    return text_of(Grid(("A",), ("1",), (square,)))


def test_a_tile_looks_as_it_should() -> None:
    assert one(tile("highway", "NES", "cmgd", markers=(Marker("red", Sign.PIECE),))).split("\n")[:8] == [
        "         A",
        "  ┏━━━━━━━━━━━━━┓",
        "  ┃ H3  c║      ┃",
        "  ┃ d    ║    m ┃",
        "1 ┃      ╠═════ ┃",
        "  ┃ ▲red ║      ┃",
        "  ┃     g║  90° ┃",
        "  ┗━━━━━━━━━━━━━┛",
    ]


def test_a_board_looks_as_it_should() -> None:
    squares = (
        tile("urban", "ES", "mggc", "U3", "270°", (Marker("red", Sign.PIECE),)),
        tile("highway", "SW", "gdmg", "H12", "0°"),
        tile("gravel", "NW", "cmgd", "G7", "90°", (Marker("yellow", Sign.PIECE), Marker("red", Sign.MARK))),
        Square(markers=(Marker("blue", Sign.GOAL),)),
    )
    city, mountains, grassland, desert = Terrain
    frame = (city, desert), (desert, city), (mountains, city), (grassland, desert)
    assert text_of(Grid(("A", "B"), ("1", "2"), squares, frame)).split("\n") == [
        "         A             B",
        "  ┏━━━━ c ━━━━━━━━━━━ d ━━━━━━┓",
        "  ┃ U3  m         H12 g       ┃",
        "  g c         g   g         d d",
        "1 ┃      ┌──────═══════╗      ┃",
        "  ┃ ▲red │             ║      ┃",
        "  ┃     g│ 270°       m║   0° ┃",
        "  ┃      │      +             ┃",
        "  ┃ G7  c∙                    ┃",
        "  d d    ∙    m               c",
        "2 ┃ ∙∙∙∙∙∙             ·      ┃",
        "  ┃ ▲yellow ✓red  ◎blue       ┃",
        "  ┃     g   90°               ┃",
        "  ┗━━━━ m ━━━━━━━━━━━ c ━━━━━━┛",
        "",
        "c city   m mountains   g grassland   d desert",
        "══ highway   ∙∙ gravel   ── urban",
        "▲ car   ✓ checkpoint marked   ◎ own checkpoint still to visit",
    ]


def test_an_empty_square_is_a_dot_and_may_carry_badges() -> None:
    text = one(Square(markers=(Marker("red", Sign.GOAL),)))
    assert text.split("\n")[2:7] == [
        "  ┃             ┃",
        "  ┃             ┃",
        "1 ┃      ·      ┃",
        "  ┃ ◎red        ┃",
        "  ┃             ┃",
    ]


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


def test_the_joint_fits_the_exits() -> None:
    def joint(road: str, exits: str) -> str:
        return one(tile(road, exits, "cmgd")).split("\n")[4][4 + WIDTH // 2]

    assert {exits: "".join(joint(road, exits) for road in ("highway", "urban", "gravel")) for exits in JOINTS} == JOINTS


def test_a_crowded_square_shortens_names_so_that_they_still_differ() -> None:
    badges = tuple(Marker(seat, sign) for sign in (Sign.PIECE, Sign.MARK) for seat in ("red", "rose", "blue", "black"))
    text = one(tile("urban", "NESW", "cmgd", markers=badges))
    for name in ("re", "ro", "blu", "bla"):
        assert f"▲{name}" in text
        assert f"✓{name}" in text


def test_what_finds_no_room_is_told_below() -> None:
    badges = tuple(Marker(f"seat{number}", Sign.PIECE) for number in range(30))
    text = one(tile("urban", "NESW", "cmgd", markers=badges))
    (below,) = [line for line in text.split("\n") if line.startswith("also on A1: ")]
    shown = text.split(below)[0]
    for badge in badges:
        assert f"▲{badge.seat}" in below.split() or f"▲{badge.seat}" in shown


def test_roads_of_several_kinds_on_one_square_meet_in_a_plain_joint() -> None:
    edges = (Edge(Terrain.CITY, Road.HIGHWAY), Edge(Terrain.CITY, Road.GRAVEL), Edge(Terrain.CITY), Edge(Terrain.CITY))
    assert [line[8:15] for line in one(Square(edges)).split("\n")[2:5]] == ["c║     ", " ║    c", " └∙∙∙∙∙"]


def test_squares_apart_are_looked_at_one_by_one_and_no_road_leads_from_one_into_the_next() -> None:
    squares = (tile("urban", "ES", "mggc", "U3"), tile("highway", "SW", "gdmg", "H12"), tile("gravel", "NW", "cmgd", "G7"))
    grid = Grid(("", ""), ("", ""), (*squares, Square()), is_apart=True)
    assert [line[3:] for line in text_of(grid).split("\n")[2:13]] == [
        "U3  m         H12 g",
        "c         g   g         d",
        "     ┌─────   ═════╗",
        "     │             ║",
        "    g│  90°       m║  90°",
        "",
        "G7  c∙",
        "d    ∙    m",
        "∙∙∙∙∙∙",
        "",
        "    g   90°",
    ]


def test_the_name_of_a_marker_is_cut_only_where_it_has_no_room() -> None:
    marks = tuple(Marker(seat, Sign.MARK) for seat in ("green", "yellow", "orange"))
    grid = Grid(("A", "B"), ("1",), (tile("highway", "NS", "mggc", "H3", "0°", marks), Square()))
    text = text_of(grid)
    assert "║✓yellow " in text and "✓oran║✓green " in text


def test_a_name_reaches_into_the_gap_also_where_a_narrow_page_divides_the_board() -> None:
    marks = (Marker("yellow", Sign.MARK),)
    square = tile("highway", "NESW", "mggc", "H3", "0°", marks)
    grid = Grid(("A", "B"), ("1",), (square, square))
    seats = {"red", "yellow"}
    wide, narrow = (drawing_text(Drawing((grid_scene(grid, seats), LEGEND)), width=width) for width in (None, 25))
    assert wide.count("║✓yellow") == 1 and wide.count("║✓yell ") == 0
    assert narrow.count("║✓yellow") == 1 and "╬════════ ┃" in narrow, "the road goes on"
