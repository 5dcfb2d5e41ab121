"""Scenes as pictures: well formed whatever names say, the same each time, and nothing left out."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from boards import key, lap, space

from adjudicator.core.drawing import Drawing, Fields
from adjudicator.core.scene import Sign
from adjudicator.reports.pictures.picture import picture
from adjudicator.scenes import Group, Hatch, Path, Scene, Symbol, Token, rect
from adjudicator.scenes.colors import ground_ink, seat_ink
from adjudicator.scenes.letters import text_width

SVG = "{http://www.w3.org/2000/svg}"
BOARD = lap(space("1", "red"), space("2"), space("3", "blue"))
LEGEND = key("city", "gravel")


def root_of(drawing: Drawing, title: str = "a game") -> ElementTree.Element:
    drawn = picture(drawing, title)
    assert drawn is not None
    return ElementTree.fromstring(drawn)


def texts(root: ElementTree.Element) -> list[str]:
    return [found.text or "" for found in root.iter(f"{SVG}text")]


def test_everything_fits_on_the_paper() -> None:
    for drawing in (Drawing((BOARD, LEGEND)), Drawing((BOARD, BOARD)), Drawing((lap(*[space("x")] * 40), LEGEND))):
        root = root_of(drawing)
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
        for group in root.findall(f"{SVG}g"):
            x, y = map(float, (group.get("transform") or "")[len("translate(") : -1].split())
            assert 0 <= x < width
            assert 0 <= y < height


def test_names_are_never_markup(hostile: str) -> None:
    root = root_of(Drawing((lap(space(hostile, hostile), title=hostile), key(hostile))), hostile)
    assert {child.tag.removeprefix(SVG) for child in root.iter()} <= {"svg", "g", "rect", "text", "path", "defs", "use"}


def test_hatches_and_symbols_are_defined_once() -> None:
    box = Path("M0 0h9v9Z", fill=Hatch("#000000", 1, 3))
    twice = (Symbol("tree", (box,)), Group((Symbol("tree", (box,), 9, 9),), 3, 4), box)
    root = root_of(Drawing((Scene("s", "", twice, 50, 50),)))
    names = [one.get("id") for one in root.iter() if one.get("id")]
    assert sorted(names) == ["hatch-00000013045", "tree"] or len(names) == len({*names}) == 2
    assert [one.get("href") for one in root.iter(f"{SVG}use")] == ["#tree", "#tree"]
    (pattern,) = root.iter(f"{SVG}pattern")
    assert f"url(#{pattern.get('id')})" in {one.get("fill") for one in root.iter(f"{SVG}path")}


@pytest.mark.parametrize("sign", Sign)
def test_each_sign_of_a_token_looks_different(sign: Sign) -> None:
    def shape(sign: Sign) -> str:
        root = root_of(Drawing((Scene("s", "", (Token("car", 9, 9, "A", "red", "red", sign),), 50, 50),)))
        (token,) = (one for one in root.iter() if one.get("data-id") == "car")
        return ElementTree.tostring(token).decode()

    assert all(shape(sign) != shape(other) for other in Sign if other is not sign)


def test_the_ink_of_a_seat_is_that_of_the_group_around() -> None:
    box = rect(9, 9, fill="seat")
    root = root_of(Drawing((Scene("s", "", (Group((box,), seat="red"), Group((box,), seat="blue")), 50, 50),)))
    inks = {one.get("fill") for one in root.iter(f"{SVG}path")}
    assert {seat_ink("red", ()), seat_ink("blue", ())} <= inks


def test_the_same_drawing_gives_the_same_picture() -> None:
    assert picture(Drawing((BOARD, LEGEND)), "x") == picture(Drawing((BOARD, LEGEND)), "x")
    assert picture(Drawing((BOARD, LEGEND)), "x") != picture(Drawing((lap(space("3")), LEGEND)), "x")


def test_without_a_board_there_is_no_picture() -> None:
    assert picture(Drawing((Fields("Tiles", ()), LEGEND)), "x") is None


@pytest.mark.parametrize("seats", [("ann", "bob"), tuple(f"s{n}" for n in range(12))])
def test_seats_have_colours_of_their_own_as_long_as_there_are_any(seats: tuple[str, ...]) -> None:
    inks = [seat_ink(seat, seats) for seat in seats]
    assert len(set(inks)) == min(len(seats), 8)
    assert seat_ink("Red", seats) == seat_ink("red", ())
    assert ground_ink("nowhere", seats) == "#ffffff"


def reach(root: ElementTree.Element) -> list[tuple[float, str]]:
    """Return how far to the right each text comes, as far as that can be told without its letters."""
    found = []
    for group in [root, *root.findall(f"{SVG}g")]:
        moved = float((group.get("transform") or "translate(0 0)")[len("translate(") : -1].split()[0])
        for text in group.findall(f"{SVG}text") if group is root else group.iter(f"{SVG}text"):
            width = text_width(text.text or "", float(text.get("font-size", 11)), is_bold=text.get("font-weight") == "bold")
            if text.get("text-anchor") == "start":
                found.append((moved + float(text.get("x", 0)) + width, text.text or ""))
    return found


LONG = "the-long-name-of-a-game-that-somebody-has-called-like-this-" + "W" * 60


@pytest.mark.parametrize("title", ["a game", "word " * 60, LONG, f"x · {LONG} · components {LONG}"])
def test_titles_and_legends_are_never_cut_off(title: str) -> None:
    root = root_of(Drawing((BOARD, key(LONG, "city", "gravel"))), title)
    assert max(right for right, _ in reach(root)) <= float(root.get("width", 0))
    told = [text for text in texts(root) if text]
    assert "".join(title.split()) in "".join("".join(told).split())
    assert {LONG, "city", "gravel"} <= set(told)
    bottom = max(float((group.get("transform") or "")[:-1].split()[1]) for group in root.findall(f"{SVG}g"))
    assert bottom < float(root.get("height", 0))


def test_the_legend_tells_whose_piece_is_which() -> None:
    seats = ("red", "blue", "ann-the-first", "ann-the-second")
    plain = root_of(Drawing((BOARD, LEGEND)))
    whole = ElementTree.fromstring(picture(Drawing((BOARD, LEGEND)), "x", seats) or "")
    assert {"red", "blue"} <= set(texts(plain))
    assert set(seats) <= set(texts(whole))
