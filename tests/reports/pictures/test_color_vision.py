"""Pictures are read by who tells few colours apart, and in grey: what must be told apart has other shapes, or stays apart.

Colours are passed through ``examples/color_vision.py``; how far apart they are is told in CIE L*a*b* (2 is just noticed).
"""

from __future__ import annotations

import importlib.util
import re
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest

from adjudicator.core.drawing import Drawing
from adjudicator.core.ids import MODERATOR
from adjudicator.core.scene import Sign, Token
from adjudicator.present import position_of
from adjudicator.reports.drawings.seat_key import key_of
from adjudicator.reports.pictures import legend as picture_legend
from adjudicator.reports.pictures.legend import LegendItem
from adjudicator.reports.pictures.picture import picture
from adjudicator.reports.pictures.scene_svg import scene_svg
from adjudicator.reports.pictures.sketch import Part
from adjudicator.rulesets import metas
from adjudicator.scenes.colors import COLORS, GIVEN, ground_ink, letter_ink, seat_ink
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game

ROOT = Path(__file__).parents[3]


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("color_vision", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


vision = _load(ROOT / "examples" / "color_vision.py")
BLIND = ("protanopia", "deuteranopia", "tritanopia")
GAMES = {
    "checkered-flag": "checkered-flag/recorded-001.json",
    "checkpoint-charlie": "checkpoint-charlie/recorded-202.json",
    "checkpoint-rally": "checkpoint-rally/recorded-001.json",
    "great-race": "great-race/recorded-001.json",
    "rally-round": "rally-round/recorded-002.json",
}
LEAST = {"protanopia": 9.0, "deuteranopia": 9.0, "tritanopia": 9.0, "grey": 4.0}
"""How far apart two marks of the same shape are."""


def seats_apart(ways: tuple[str, ...], names: tuple[str, ...]) -> float:
    pairs = combinations([seat_ink(name, ()) for name in names], 2)
    return min(vision.difference(*(vision.seen_color(ink, way) for ink in pair)) for pair in pairs for way in ways)


@pytest.fixture(scope="module")
def opened() -> dict[str, Session]:
    return {game: open_session(load_game(str(ROOT / "tests" / "data" / "games" / file))) for game, file in GAMES.items()}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest, opened: dict[str, Session]) -> Session:
    return opened[request.param]


def drawn(session: Session) -> str:
    position = position_of(session, MODERATOR)
    return picture(position.drawing, "a game", position.seats) or ""


def explained(session: Session, monkeypatch: pytest.MonkeyPatch) -> list[LegendItem]:
    """Return all that the legend of the picture of ``session`` explains: the marks that must be told apart."""
    items: list[LegendItem] = []

    def note(blocks: object, *_: object) -> Part:
        items.extend(item for block in blocks for item in block)
        return Part((), 480, 20)

    monkeypatch.setattr(picture_legend, "_legend", picture_legend._legend.__wrapped__)  # not one that was made before
    monkeypatch.setattr(picture_legend, "items_part", note)
    assert drawn(session)
    return items


def test_all_games_are_here() -> None:
    assert set(GAMES) == {name for name, _ in metas()}


def test_the_colours_of_seats_stay_apart() -> None:
    """All twelve for the colour-blind; in grey those that are given first, the others by a little and by their letters."""
    assert seats_apart(BLIND, COLORS) > 13
    assert seats_apart(("grey",), GIVEN[:5]) > 10
    assert seats_apart(("grey",), COLORS) > LEAST["grey"]


def test_the_grounds_that_have_no_colour_of_their_own_stay_apart() -> None:
    names = [f"ground{at}" for at in range(6)]
    for way in LEAST:
        for pair in combinations([ground_ink(name, names) for name in names], 2):
            assert vision.difference(*(vision.seen_color(ink, way) for ink in pair)) > LEAST[way], (way, pair)


@pytest.mark.parametrize("way", LEAST)
def test_what_the_legend_explains_differs_in_shape_or_stays_apart(
    game: Session, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = explained(game, monkeypatch)
    assert len(items) > 2
    for one, other in combinations(items, 2):
        here, there = ("".join(item.draw(0)) for item in (one, other))
        if vision.COLOR.sub("", here) != vision.COLOR.sub("", there):
            continue
        pairs = zip(vision.COLOR.findall(here), vision.COLOR.findall(there), strict=True)
        apart = max(vision.difference(*(vision.seen_color(color, way) for color in pair)) for pair in pairs)
        assert apart > LEAST[way], (one.name, other.name)


def test_the_pieces_of_two_seats_have_other_letters(game: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    signs = [(item.name, "".join(item.draw(0))) for item in explained(game, monkeypatch)]
    seats = [sign for name, sign in signs if name in game.seats and "<text" in sign]
    letters = {re.sub(r"<[^>]*>", "", sign) for sign in seats}
    assert len(letters) == len(seats) == len(game.seats)
    assert "" not in letters


@pytest.mark.parametrize("sign", [Sign.PIECE, Sign.MARK, Sign.GOAL])
def test_what_belongs_to_a_seat_has_its_letter(sign: Sign) -> None:
    key = key_of(Drawing(()), ("red", "blue"))
    tokens = (Token("red", 0, 0, "", "red", "red", sign), Token("blue", 0, 0, "", "blue", "blue", sign))
    letters = [re.sub(r"<[^>]*>", "", "".join(scene_svg((one,), key)[0])) for one in tokens]
    assert letters == ["R", "B"]


@pytest.mark.parametrize("color", COLORS)
def test_the_letter_on_a_piece_is_read_by_everybody(color: str) -> None:
    ink = seat_ink(color, ())
    token = Token("x", 0, 0, "", color, color)
    assert f'fill="{letter_ink(ink)}"' in "".join(scene_svg((token,), key_of(Drawing(()), (color,)))[0])
    for way in LEAST:
        assert vision.contrast(vision.seen_color(ink, way), vision.seen_color(letter_ink(ink), way)) > 4


def test_no_colour_of_a_picture_escapes(game: Session) -> None:
    """Each is written so that it can be changed; nothing but colours is changed, and grey has no colour left."""
    svg = drawn(game)
    inks = set(re.findall(r'\b(?:fill|stroke|stop-color)="([^"]*)"', svg))
    assert {ink for ink in inks if not vision.COLOR.fullmatch(ink)} <= {"none", *re.findall(r"url\(#[\w-]+\)", svg)}
    for way in LEAST:
        seen = vision.seen_svg(svg, way)
        assert vision.COLOR.sub("", seen) == vision.COLOR.sub("", svg)
        if way == "grey":
            assert all(color[1:3] == color[3:5] == color[5:7] for color in vision.COLOR.findall(seen))


def test_the_dots_of_pages_have_the_colours_of_the_pictures() -> None:
    style = (ROOT / "adjudicator" / "reports" / "pages" / "templates" / "identity.css").read_text("utf-8")
    inks = {name: seat_ink(name, ()) for name in COLORS}
    for use in ("background", "stroke"):
        assert dict(re.findall(rf"\.ink-(\w+) {{[^}}]*\b{use}: (#\w+);", style)) == inks


@pytest.mark.parametrize(
    ("color", "way", "seen"),
    [
        ("#000000", "grey", "#000000"),
        ("#ffffff", "deuteranopia", "#ffffff"),
        ("#ff0000", "grey", "#7f7f7f"),
        ("#ff0000", "protanopia", "#6d5e00"),
        ("#00ff00", "deuteranopia", "#efd63a"),
        ("#0000ff", "tritanopia", "#006c96"),
    ],
)
def test_known_colours_are_seen_as_the_tables_have_it(color: str, way: str, seen: str) -> None:
    got = vision.seen_color(color, way)
    assert max(abs(int(got[at : at + 2], 16) - int(seen[at : at + 2], 16)) for at in (1, 3, 5)) <= 1


def test_a_sheet_shows_the_picture_five_times(game: Session) -> None:
    svg = drawn(game)
    sheet = vision.seen_sheet(svg)
    assert sheet.count("<g transform") >= 5 * svg.count("<g transform")
    names = re.findall(r' id="([^"]+)"', sheet)
    assert len(names) == len(set(names))
    assert set(re.findall(r"url\(#([\w-]+)\)", sheet)) <= set(names)
