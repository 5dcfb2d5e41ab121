"""Draw the board with its frame, and the tiles beside it; each free square shows its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from adjudicator.game import Seat, count, listed
from adjudicator.games.checkpoint_rally.board_text import PENS, board_text
from adjudicator.games.checkpoint_rally.components import Terrain
from adjudicator.games.checkpoint_rally.squares import STROKES, TERRAINS, Edge, Grid, Marker, Square, Stroke
from adjudicator.games.checkpoint_rally.tiles import SIDE, Way, car_body, figure, road_layers, tile, tokens
from adjudicator.scenes import (
    SIGNS,
    Element,
    Entry,
    Frame,
    Group,
    Kept,
    Later,
    Legend,
    Run,
    Scene,
    Sign,
    Token,
    ground_ink,
    group,
    rect,
    text_width,
    words,
)

_GAP: Final = 16
"""The gap between separate tiles, which are no board."""
_STRIP: Final = 24
"""The width of the frame."""
_NAMES: Final = 20
"""Room for the names of columns and rows, beyond the frame."""
_EDGE: Final = _STRIP + _NAMES
_ACROSS: Final = 3
"""The number of tiles side by side in a panel."""
_PITCH: Final = SIDE + 8
_TITLE: Final = 20
WIDTH: Final = _ACROSS * _PITCH - 8
"""The width of a panel of tiles in pixels."""
_SIGN_NAMES: Final = {Sign.PIECE: "car", Sign.MARK: "checkpoint marked", Sign.GOAL: "own checkpoint still to visit"}
_SIDES: Final = ("north", "east", "south", "west")
_GREY: Final = "#555555"


def grid_scene(grid: Grid, seats: Iterable[Seat] = ()) -> Scene:
    """Return the board, or tiles that are apart; ``seats`` are all seats of the game."""
    pitch = SIDE + _GAP if grid.is_apart else SIDE
    drawn: list[Element] = [_around(grid)]
    markers: list[Token] = []
    for at, square in enumerate(grid.squares):
        row, column = divmod(at, len(grid.columns))
        if square.edges or not grid.is_apart:
            corner, name = (_EDGE + column * pitch, _EDGE + row * pitch), "" if grid.is_apart else grid.name(at)
            inner, on_it = _SQUARES.of(name or corner, square, name, corner)
            drawn.append(inner)
            markers += on_it
    width, height = (len(names) * pitch + 2 * _EDGE for names in (grid.columns, grid.rows))
    text = Later(board_text, (grid, tuple(sorted(seats))))
    return Scene("board", "", (*drawn, *markers), width, height, (), text, tuple(_sentences(grid)))


def legend(*, has_signs: bool) -> Legend:
    """Return the legend: terrains, roads, and (``has_signs``) what can be on a square."""
    return Legend((*_KINDS, _SIGN_ENTRIES) if has_signs else _KINDS)


def shelf_scene(title: str, name: str, squares: Sequence[Square]) -> Scene:
    """Return tiles as a panel under their ``name``, with a ``title`` at its right."""
    drawn: list[Element] = [words(title, WIDTH, 14, 11, "end", fill="#555555")]
    drawn.append(words(name, 0, 14, 13, "start", is_bold=True))
    for at, square in enumerate(squares):
        corner = at % _ACROSS * _PITCH, _TITLE + at // _ACROSS * _PITCH
        drawn.append(_FACES.of((square.label, name, *corner), square, f"{square.label} ({name})", corner))
    height = _TITLE + -(-len(squares) // _ACROSS) * _PITCH
    sentences = (f"{name.capitalize()}: {listed(square.label for square in squares)}.",) if squares else ()
    return Scene(f"tiles: {name}", name, tuple(drawn), WIDTH, height, sentences=sentences, is_beside=True)


def _square(square: Square, name: str, corner: tuple[int, int]) -> tuple[Group, tuple[Token, ...]]:
    """Return ``square`` drawn at its place, and the markers on it."""
    tiles = Group(tile(square), id=square.label)
    inner = tiles if square.edges else Group(tuple(_free(name)))
    if not name:
        return group((inner,), *corner), ()
    holds, told = (square.edges, square.label, square.corner), _square_sentence(name, square)
    place = group((inner,), *corner, id=name, frame=_FRAME, holds=holds, told=told)
    return place, tuple(tokens(name, square, corner))


def _face(square: Square, name: str, corner: tuple[float, float]) -> Group:
    return group(tile(square), *corner, id=square.label, name=name, frame=_FRAME, holds=square.edges, told=name)


_FRAME: Final = Frame(SIDE / 2, SIDE / 2, SIDE, SIDE)
_SQUARES: Final = Kept(_square)
_FACES: Final = Kept(_face)


@lru_cache(maxsize=64)
def _framed(columns: tuple[str, ...], rows: tuple[str, ...], frame: tuple[tuple[Terrain, ...], ...]) -> Group:
    grid = Grid(columns, rows, (), frame)
    return group((*_headings(grid), *_frame(grid)))


def _around(grid: Grid) -> Group:
    """Return the names of columns and rows and the frame around the squares of a grid."""
    return _framed(grid.columns, grid.rows, grid.frame)


def _headings(grid: Grid) -> Iterator[Element]:
    """Yield the names of columns and rows, on both sides of the board."""
    width, height = len(grid.columns) * SIDE + 2 * _EDGE, len(grid.rows) * SIDE + 2 * _EDGE
    for at, name in enumerate(grid.columns):
        for y in (_NAMES - 6, height - 5):
            yield words(name, _EDGE + (at + 0.5) * SIDE, y, 15, is_bold=True)
    for at, name in enumerate(grid.rows):
        for x in (_NAMES / 2, width - _NAMES / 2):
            yield words(name, x, _EDGE + (at + 0.5) * SIDE + 5, 15, is_bold=True)


def _free(name: str) -> Iterator[Element]:
    """Yield a free square with its ``name``, which players need to place something there."""
    yield rect(SIDE, SIDE, fill="#f4f2ec")
    yield rect(SIDE - 8, SIDE - 8, 4, 4, 6, fill="#ffffff", stroke="#b5b1a6", stroke_width=1.2, stroke_dasharray="4 4")
    size = next((size for size in (26, 18, 12) if text_width(name, size) < SIDE - 12), 8)
    yield words(name, SIDE / 2, SIDE / 2 + size / 3, size, fill="#6b675e")


def _frame(grid: Grid) -> Iterator[Element]:
    """Yield the grounds that frame the board: north, east, south, west."""
    broad, high = len(grid.columns) * SIDE, len(grid.rows) * SIDE
    strips = ((0, -_STRIP, SIDE, _STRIP), (broad, 0, _STRIP, SIDE), (0, high, SIDE, _STRIP), (-_STRIP, 0, _STRIP, SIDE))
    for side, (strip, names) in enumerate(zip(strips, grid.frame, strict=False)):
        for along, name in enumerate(names):
            x = _EDGE + strip[0] + (along * SIDE if side % 2 == 0 else 0)
            y = _EDGE + strip[1] + (along * SIDE if side % 2 else 0)
            ink = ground_ink(name, TERRAINS)
            yield rect(strip[2], strip[3], x, y, fill=ink, stroke="#7d7d7d", stroke_width=0.8)
            middle = x + strip[2] / 2, y + strip[3] / 2
            for far in (-27, 27):
                dx, dy = (far, 1) if side % 2 == 0 else (0, far)
                yield figure(name, middle[0] + dx, middle[1] + dy)
            yield words(name[0], middle[0], middle[1] + 4, 10, fill="#444444")


def _terrain_entry(terrain: Terrain) -> Entry:
    swatch = rect(28, 20, 0, -3, 2, fill=ground_ink(terrain, TERRAINS), stroke="#888888")
    parts = (swatch, figure(terrain, 14, 7))
    return Entry(f"{terrain} ({terrain[0]})", parts, 34)


def _text_entries() -> tuple[Entry, ...]:
    signs = (Run(name[0], word=name, place=place) for place, name in enumerate(TERRAINS))
    return tuple(Entry(name, sign=sign) for name, sign in zip(TERRAINS, signs, strict=True))


def _sign_entry(sign: Sign) -> Entry:
    is_car = sign is Sign.PIECE
    body = car_body(_GREY) if is_car else ()
    token = Token("", 14 if is_car else 8, 7, sign=sign, body=body, ink=_GREY, is_key=True)
    return Entry(_SIGN_NAMES[sign], (token,), 34 if is_car else 22, Run(SIGNS[sign]))


def _road_entry(name: str, stroke: Stroke) -> Entry:
    return Entry(name, tuple(road_layers(stroke, Way("M0 7H30"))), 36, Run(PENS[stroke].across * 2))


_KINDS: Final = (
    _text_entries(),
    tuple(map(_terrain_entry, TERRAINS)),
    tuple(_road_entry(road, stroke) for road, stroke in STROKES.items()),
)
_SIGN_ENTRIES: Final = tuple(map(_sign_entry, _SIGN_NAMES))


def _sentences(grid: Grid) -> Iterator[str]:
    if not grid.is_apart:
        across, down = (f"{names[0]} to {names[-1]}" for names in (grid.columns, grid.rows))
        sizes = f"{count(len(grid.columns), 'column')} and {count(len(grid.rows), 'row')}"
        yield f"Board of {sizes}, {across} from west to east, {down} from north to south."
    for side, beside in zip(_SIDES, grid.frame, strict=False):
        names = grid.columns if side in ("north", "south") else grid.rows
        yield f"The {side} border: {listed(f'{name} {ground}' for name, ground in zip(names, beside, strict=True))}."
    taken = [(grid.name(at), square) for at, square in enumerate(grid.squares) if square.edges or square.markers]
    yield from (_TOLD.of(name, name, square) for name, square in taken)
    empty = len(grid.squares) - len(taken)
    if empty and not grid.is_apart:
        yield f"{count(empty, 'square')} {'is' if empty == 1 else 'are'} empty."


def _square_sentence(name: str, square: Square) -> str:
    label = " ".join(filter(None, (square.label, square.corner)))
    edges = (_edge_words(side, edge) for side, edge in zip(_SIDES, square.edges, strict=False))
    return f"{name}: {', '.join((*filter(None, (label,)), *edges, *map(_marker_words, square.markers)))}."


_TOLD: Final = Kept(_square_sentence)


def _edge_words(side: str, edge: Edge) -> str:
    return f"{side} {edge.ground}" + (f" with {edge.road}" if edge.road else "")


def _marker_words(marker: Marker) -> str:
    return f"{marker.seat} ({_SIGN_NAMES[marker.sign]})"
