"""Marks of changes cover no word and no sign: compared pixel by pixel with the same board without marks."""

from __future__ import annotations

import re
from copy import copy
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import Drawing
from adjudicator.core.scene import Scene
from adjudicator.library.begin import open_game
from adjudicator.reporting import report_for
from adjudicator.reports.drawings.seat_key import key_of
from adjudicator.reports.pictures.picture import boards_of, parts_of
from adjudicator.reports.pictures.png import png_of
from adjudicator.reports.pictures.sketch import Part, scene_part
from adjudicator.reports.pictures.svg import document, element

pytestmark = pytest.mark.usefixtures("whole_size")
EXAMPLES = Path(__file__).parents[3] / "examples"
GAMES = {
    "checkered-flag/race": (10, 5),
    "checkpoint-charlie/three-players": (20, 1),
    "checkpoint-rally/four-players": (15, 2),
    "great-race/race": (20, 2),
    "rally-round/competition": (3, 2),
}
"""The examples, each with the number of its last entries to undo, and the turn of the report before."""
LARGE = 1_000
"""The width from which letters have thousands of pixels also without enlargement."""
SVG = "{http://www.w3.org/2000/svg}"
LETTERS = {f"{SVG}svg", f"{SVG}g", f"{SVG}text"}


def pixels(drawn: tuple[str, ...], part: Part) -> Any:
    """Return the picture of ``drawn``, twice as large unless it is large, as an image with red, green, blue and alpha."""
    image = pytest.importorskip("PIL.Image")
    definitions = element("defs", *(svg for _, svg in part.definitions)) if part.definitions else ""
    svg = document((definitions, *drawn), part.width, part.height).replace('fill="#ffffff"', 'fill="none"', 1)
    times = 2 if part.width < LARGE else 1
    return image.open(BytesIO(png_of(svg, round(times * part.width), round(times * part.height)))).convert("RGBA")


def only_words(part: Part) -> tuple[str, ...]:
    """Return the words of ``part`` without halos, and nothing else."""
    root = ElementTree.fromstring(document(part.drawn, part.width, part.height))
    symbols = {name: ElementTree.fromstring(svg) for name, svg in part.definitions}
    for used in [*root.iter(f"{SVG}use")]:
        words = [copy(text) for text in symbols[(used.get("href") or "")[1:]].iter("text")]
        used.tag, used[:] = f"{SVG}g", words
        used.set("transform", f"translate({used.get('x', 0)} {used.get('y', 0)})")
        for text in words:
            text.tag = f"{SVG}text"
    for parent in [*root.iter()]:
        for child in [one for one in parent if one.tag not in LETTERS]:
            parent.remove(child)
    drawn = re.sub(' stroke="[^"]*"', "", ElementTree.tostring(root, encoding="unicode"))
    return (drawn.replace("ns0:", "").replace(":ns0", ""),)


def covered(ink: Any, before: Any, after: Any) -> int:
    """Return how many pixels with ``ink`` look different in ``after``."""
    chops = pytest.importorskip("PIL.ImageChops")
    changed = chops.difference(before.convert("RGB"), after.convert("RGB")).convert("L").point(lambda by: 255 * (by > 20))
    whole = ink.getchannel("A").point(lambda alpha: 255 * (alpha == 255))
    return int(chops.multiply(changed, whole).histogram()[255])


@pytest.mark.parametrize("name", GAMES)
def test_marks_cover_no_words(name: str) -> None:
    pytest.importorskip("resvg_py")
    last, first = GAMES[name]
    session = open_game(EXAMPLES / name / "game.json").undo(last, "an earlier position").session
    report = report_for(session, session.seats[0], first)
    assert report.earlier is not None
    drawing, key = report.position.drawing, key_of(report.position.drawing, report.position.players)
    plain, _ = parts_of(drawing, key)
    shown, news = parts_of(drawing, key, report.earlier)
    assert news
    for one, other in zip(plain, shown, strict=True):
        if one.drawn != other.drawn:
            assert covered(pixels(only_words(one), one), pixels(one.drawn, one), pixels(other.drawn, other)) == 0


def test_marks_cover_no_sign_of_the_great_race() -> None:
    """Fuel, danger, stop, prices and vehicles are above arrows and frames, which have the shape of the space."""
    pytest.importorskip("resvg_py")
    name = "great-race/race"
    last, first = GAMES[name]
    session = open_game(EXAMPLES / name / "game.json").undo(last, "an earlier position").session
    report = report_for(session, session.seats[0], first)
    (board,) = [one for one in boards_of(report.position.drawing) if not one.is_beside]
    key = key_of(report.position.drawing, report.position.players)
    plain, signs = scene_part(board, key), scene_part(Scene("", "", board.over, board.width, board.height), key)
    (after, *_), _ = parts_of(Drawing((board,)), key, report.earlier)
    assert {"2", "40 F", "Bastia"} <= {*re.findall(">([^<]+)</text>", "".join(signs.drawn))}
    assert re.search("<polygon [^>]*stroke-dasharray", "".join(after.drawn)), "a frame in the shape of its space"
    assert covered(pixels(signs.drawn, signs), pixels(plain.drawn, plain), pixels(after.drawn, after)) == 0
