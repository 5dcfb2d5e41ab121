"""Boards as pictures: read by who tells few colours apart, with words that nothing covers, in pixels and films, too.

Colours are passed through ``examples/color_vision.py``; how far apart they are is told in CIE L*a*b* (2 is just noticed).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import resources, util
from io import BytesIO
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from random import Random
from statistics import median
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

import adjudicator as adj
from adjudicator.reports.changes import Earlier
from adjudicator.reports.picture import draw
from adjudicator.reports.svg import histogram
from tests.drivers.pages import EXAMPLES, GAMES, MARKUP, RECORDED, SVG, Visit, begun, example, game

Run = Callable[..., Any]
LEAST = {"protanopia": 9.0, "deuteranopia": 9.0, "tritanopia": 9.0, "grey": 4.0}
"""How far apart two marks of the same shape are."""
BLIND = ("protanopia", "deuteranopia", "tritanopia")


def _load(path: Path) -> ModuleType:
    spec = util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


vision = _load(EXAMPLES / "color_vision.py")


@cache
def drawn(name: str) -> str:
    """Return the picture of a game in its middle, as the moderator sees it."""
    return adj.render(game(name).seen_by("moderator").report(since=0), "svg")


@cache
def inks() -> dict[str, str]:
    """Return the colours of seats by their names, as a page defines them for its dots and badges."""
    page = adj.render(game("checkered-flag").seen_by("red").report(), "html")
    found = dict(re.findall(r"\.ink-(\w+) {[^}]*\bbackground: (#\w+);", page))
    assert found == dict(re.findall(r"\.ink-(\w+) {[^}]*\bstroke: (#\w+);", page))
    assert len(found) == 12 == len({*found.values()})
    return found


def seen_apart(colors: list[str], way: str) -> float:
    pairs = combinations([vision.seen_color(color, way) for color in colors], 2)
    return min(float(vision.difference(*pair)) for pair in pairs)


# Colours


def test_the_colours_of_seats_stay_apart() -> None:
    """All twelve for the colour-blind; in grey those that are given first, the others by a little and by their letters."""
    given = dict.fromkeys(color_of(begun_with(*"abcdef"), seat) for seat in "abcdef")
    assert len(given) == 6
    for way in BLIND:
        assert seen_apart([*inks().values()], way) > 13
    assert seen_apart([*given][:5], "grey") > 10
    assert seen_apart([*inks().values()], "grey") > LEAST["grey"]


def begun_with(*seats: str) -> str:
    """Return the picture of a rally with these seats: of all games it has room for the most."""
    return adj.render(adj.new("rally-round", dict.fromkeys(seats, ""), seed=7).seen_by("moderator").report(), "svg")


def color_of(svg: str, seat: str) -> str:
    """Return the colour of the piece of a seat."""
    token = next(
        one
        for one in ElementTree.fromstring(svg).iter(f"{SVG}g")
        if one.get("data-id") == seat and letter_on(one) is not None
    )
    return next(fill for one in token.iter() if (fill := one.get("fill")) in inks().values())


def letter_on(token: ElementTree.Element) -> ElementTree.Element | None:
    return next((one for one in token.iter(f"{SVG}text") if one.get("font-weight") == "bold" and one.text), None)


def test_a_seat_that_is_called_like_a_colour_has_it_and_others_get_what_is_free() -> None:
    names = [*inks()]
    for some in (names[:6], names[6:]):
        svg = begun_with(*some)
        assert {name: color_of(svg, name) for name in some} == {name: inks()[name] for name in some}
    svg = begun_with("ann", "blue", "bob", "red")
    assert color_of(svg, "red") == inks()["red"] and color_of(svg, "blue") == inks()["blue"]
    assert len({color_of(svg, seat) for seat in ("ann", "blue", "bob", "red")}) == 4


@pytest.mark.parametrize("name", GAMES)
def test_the_letter_on_a_piece_names_its_seat_and_is_read_by_everybody(name: str) -> None:
    letters = {}
    for token in ElementTree.fromstring(drawn(name)).iter(f"{SVG}g"):
        text = letter_on(token)
        if token.get("data-id") in game(name).seats and text is not None and len(text.text or "") == 1:
            fill = next((one.get("fill") for one in token.iter() if one.get("fill") in inks().values()), None)
            if fill is None or "Z" not in "".join(one.get("d", "") for one in token.iter()):
                continue
            letters[token.get("data-id")] = text.text
            for way in LEAST:
                assert vision.contrast(vision.seen_color(fill, way), vision.seen_color(text.get("fill"), way)) > 4
    assert sorted(letters) == sorted(game(name).seats) and len({*letters.values()}) == len(letters)


def signs(svg: str) -> list[tuple[str, str]]:
    """Return the names and the drawings of all that the legend explains, each drawing without its place."""
    found = []
    for one in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        if one.get("class") == "sign":
            *shapes, name = one
            for shape in shapes:
                shape.attrib.pop("transform", None)
            text = "".join(ElementTree.tostring(shape, encoding="unicode") for shape in shapes)
            found.append((name.text or "", text))
    return found


@pytest.mark.parametrize("way", LEAST)
@pytest.mark.parametrize("name", GAMES)
def test_what_the_legend_explains_differs_in_shape_or_stays_apart(name: str, way: str) -> None:
    items = signs(drawn(name))
    assert len(items) > 2
    for (one, here), (other, there) in combinations(items, 2):
        if vision.COLOR.sub("", here) != vision.COLOR.sub("", there):
            continue
        pairs = zip(vision.COLOR.findall(here), vision.COLOR.findall(there), strict=True)
        apart = max(vision.difference(*(vision.seen_color(color, way) for color in pair)) for pair in pairs)
        assert apart > LEAST[way], (one, other)


@pytest.mark.parametrize("name", GAMES)
def test_the_legend_tells_whose_piece_is_which(name: str) -> None:
    found = game(name)
    told = [words for words, _ in signs(drawn(name))]
    holders = [f"{found.players[seat]} ({seat})" if found.players[seat] else seat for seat in found.seats]
    assert sorted(told[-len(holders) :]) == sorted(holders)


@pytest.mark.parametrize("name", GAMES)
def test_no_colour_of_a_picture_escapes(name: str) -> None:
    """Each is written so that it can be changed; nothing but colours is changed, and grey has no colour left."""
    svg = drawn(name)
    found = set(re.findall(r'\b(?:fill|stroke|stop-color)="([^"]*)"', svg))
    assert {ink for ink in found if not vision.COLOR.fullmatch(ink)} <= {"none", *re.findall(r"url\(#[\w-]+\)", svg)}
    for way in LEAST:
        seen = vision.seen_svg(svg, way)
        assert vision.COLOR.sub("", seen) == vision.COLOR.sub("", svg)
        if way == "grey":
            assert all(color[1:3] == color[3:5] == color[5:7] for color in vision.COLOR.findall(seen))
    sheet = vision.seen_sheet(svg)
    assert sheet.count("<g transform") >= 5 * svg.count("<g transform")
    names = re.findall(r' id="([^"]+)"', sheet)
    assert len(names) == len(set(names)) and set(re.findall(r"url\(#([\w-]+)\)", sheet)) <= set(names)


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


def test_a_seat_has_one_colour_in_pictures_pages_and_on_terminals(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found = adj.new("checkered-flag", {"green": "", "red": ""}, id="race", seed=7)
    assert 'class="badge ink-red"' in adj.render(found.seen_by("red").report(), "html")
    assert color_of(adj.render(found.seen_by("red").report(), "svg"), "red") == inks()["red"]
    monkeypatch.setenv("FORCE_COLOR", "1")
    found.save("g.json")
    said = run("show", "g.json", code=0).stdout
    assert "\x1b" not in said or re.search(r"\x1b\[(?:1;)?31m▲?red", said)


# Words and marks


def pixels(svg: str, only_words: bool = False, marks: bool = True) -> Any:
    """Return a picture, or its words alone, or it without its marks, as an image with red, green, blue and alpha."""
    resvg = pytest.importorskip("resvg_py", reason="pixels need resvg: pip install -e '.[test]'")
    image = pytest.importorskip("PIL.Image", reason="pixels need pillow: pip install -e '.[test]'")
    root = ElementTree.fromstring(svg)
    for parent in [*root.iter()]:
        for child in [*parent]:
            kind, part = child.tag.removeprefix(SVG), child.get("class")
            gone = kind == "g" and part == "new" and not marks
            gone = gone or (kind == "g" and part == "new" and only_words)
            gone = gone or (only_words and kind not in ("g", "text", "defs", "use", "symbol"))
            if gone or child.get("class") == "sign":  # a picture with marks has more in its legend
                parent.remove(child)
    if only_words:
        for one in root.iter():
            one.attrib.pop("stroke", None)
    ElementTree.register_namespace("", SVG[1:-1])
    drawn = ElementTree.tostring(root, encoding="unicode")
    with resources.as_file(resources.files("adjudicator.reports") / "fonts") as fonts:
        own = [str(path) for path in Path(fonts).glob("*.ttf")]
        made = resvg.svg_to_bytes(svg_string=drawn, skip_system_fonts=True, font_files=own, sans_serif_family="DejaVu Sans")
    return image.open(BytesIO(bytes(made)))


@pytest.mark.parametrize(
    ("name", "last", "turn"),
    [
        ("checkered-flag/race/game.json", 10, 5),
        ("checkpoint-charlie/three-players/game.json", 20, 1),
        ("checkpoint-rally/four-players/game.json", 25, 2),
        ("great-race/race/game.json", 20, 2),
        ("rally-round/competition/game.json", 3, 2),
        ("checkpoint-rally/four-players/game.json", 15, 2),
    ],
)
def test_marks_cover_no_words(name: str, last: int, turn: int) -> None:
    """Compared pixel by pixel with the same board without marks, at some entries before the end."""
    chops = pytest.importorskip("PIL.ImageChops", reason="pixels need pillow: pip install -e '.[test]'")
    whole = example(name)
    found = whole.undo(len(whole.seen_by("moderator").log()) - 1 - last, "an earlier position")
    svg = adj.render(found.seen_by("moderator").report(since=turn), "svg")
    ink, before, after = pixels(svg, only_words=True), pixels(svg, marks=False), pixels(svg)
    changed = chops.difference(before.convert("RGB"), after.convert("RGB")).convert("L").point(lambda by: 255 * (by > 20))
    assert changed.histogram()[255] > 200, "marks are drawn"
    words = ink.convert("RGBA").getchannel("A").point(lambda alpha: 255 * (alpha == 255))
    assert words.histogram()[255] > 1_000
    assert chops.multiply(changed, words).histogram()[255] == 0


OVERLAPPING = """svg => {
  document.body.innerHTML = svg;
  const boxes = [...document.querySelectorAll('svg text')].filter(one => !one.closest('defs') && one.textContent.trim())
    .flatMap(one => {
      const {a, b, c, d} = one.getScreenCTM();
      if (Math.abs(b) > 0.01 || Math.abs(c) > 0.01) return [];  // words of turned groups
      const size = parseFloat(one.getAttribute('font-size')) * d, box = one.getBoundingClientRect();
      const {top} = box, base = top + 0.928 * size;  // small letters below the line may touch
      return [{text: one.textContent, left: box.left, right: box.right, top: base - 0.73 * size, bottom: base}];
    });
  const found = [];
  boxes.forEach((one, at) => boxes.slice(at + 1).forEach(other => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (wide > 1.5 && high > 1.5) found.push(`${one.text} × ${other.text}`);
  }));
  const paper = document.querySelector('svg').getBoundingClientRect();
  const cut = boxes.filter(one => one.right > paper.right + 1 || one.bottom > paper.bottom + 1 || one.left < paper.left - 1);
  return {words: boxes.length, found, cut: cut.map(one => one.text)};
}"""


def words_of(page: Any, svg: str) -> dict[str, Any]:
    """Return what a browser measures of the words in a picture: pairs that overlap, and what is cut off."""
    found: dict[str, Any] = page.evaluate(OVERLAPPING, svg)
    assert found["words"] > 3
    return found


@pytest.mark.parametrize("every", [24, pytest.param(1, marks=pytest.mark.browser)])
def test_words_of_boards_cover_no_other_words_and_are_not_cut_off(visit: Visit, tmp_path: Path, every: int) -> None:
    """In all recorded games; a short run has some of them."""
    (tmp_path / "x.html").write_text("<!doctype html><link rel=icon href=data:,><body>")
    page = visit(tmp_path / "x.html")
    paths = sorted(RECORDED.glob("[a-z]*-*/*.json"))[::every]
    assert len(paths) > 2
    for path in paths:
        try:
            found = adj.open(path)
        except adj.FileProblem:
            continue  # kept to be refused
        report = words_of(page, adj.render(found.seen_by("moderator").report(since=0), "svg"))
        assert (path.name, report["found"], report["cut"]) == (path.name, [], [])


LONG = "the-long-name-of-a-game-that-somebody-has-called-like-this"


@pytest.mark.parametrize("name", ["checkered-flag", "checkpoint-charlie"])
def test_long_names_are_neither_cut_off_nor_markup(visit: Visit, tmp_path: Path, name: str) -> None:
    (tmp_path / "x.html").write_text("<!doctype html><link rel=icon href=data:,><body>")
    players = {"red": "W" * 79, "blue": MARKUP[:80], "player_number_one": "é\u0301" * 20, "player_number_two": "車" * 40}
    found = adj.new(name, dict([*players.items()][: 2 if name == "checkered-flag" else 4]), id=LONG, seed=7)
    svg = adj.render(found.seen_by("red").report(), "svg")
    root = ElementTree.fromstring(svg)
    assert not {"script", "img", "foreignObject"} & {one.tag.removeprefix(SVG) for one in root.iter()}
    told = "".join(one.text or "" for one in root.iter(f"{SVG}text"))
    assert {words in told for words in ("W" * 79, LONG)} == {True}
    assert words_of(visit(tmp_path / "x.html"), svg)["cut"] == []


def test_large_numbers_of_a_histogram_neither_overlap_nor_are_cut_off(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "x.html").write_text("<!doctype html><link rel=icon href=data:,><body>")
    plot = histogram("Length of a game", [number for number in range(18) for _ in range(10_000)], "orders")
    report = words_of(visit(tmp_path / "x.html"), plot.svg)
    assert (report["found"], report["cut"]) == ([], [])
    assert plot.svg.count(">10000<") == 18


@pytest.mark.parametrize(
    ("name", "seats", "orders"), [("great-race", 3, 8), ("rally-round", 2, 6), ("checkered-flag", 2, 4)]
)
def test_what_moved_has_a_straight_arrow_from_its_old_place_to_the_ring_around_it(
    name: str, seats: int, orders: int
) -> None:
    before, now = begun(name, seats, orders), begun(name, seats, orders + 2)
    position, earlier = (found.seen_by("moderator").position for found in (now, before))
    picture = draw(position.drawing, seats=position.players, before=Earlier(earlier.drawing))
    assert picture.moves and {move.id for move in picture.moves} <= {*now.seats}
    for move in picture.moves:
        (figure,) = (one for one in picture.figures if one.id == move.figure and one.kind != "detail")
        (marks,) = (one for one in ElementTree.fromstring(figure.svg).iter("g") if one.get("class") == "new")
        (x, y), (u, v) = move.points
        starts = [[*map(float, one.get("d", "M").split("L")[0][1:].split())] for one in marks.iter("path")]
        rings = [[float(one.get(key, "")) for key in ("x", "y", "width", "height")] for one in marks.iter("rect")]
        assert any(dist(start, (x, y)) < 1 for start in starts) or dist((x, y), (u, v)) < 40
        assert any(dist((left + wide / 2, top + high / 2), (u, v)) < 1 for left, top, wide, high in rings)


@pytest.mark.parametrize("seed", range(6))
def test_a_circuit_is_closed_never_meets_itself_and_has_spaces_of_one_length(run: Run, seed: int) -> None:
    """With straights and bends of any length, as a component set may have them."""
    luck = Random(seed)
    run("games", "checkered-flag", "-o", "own.json", code=0)
    own, at, zones = json.loads(Path("own.json").read_text()), 4, list[dict[str, Any]]()
    size = luck.randint(30, 60)
    while at < size - 9:
        first, last = at, at + luck.randint(1, 4)
        zones.append({"id": f"z{first}", "name": f"Bend {first}", "curves": [{"first": first, "last": last}]})
        at = last + luck.choice((2, 3, 5, 12))
    track = [{"number": number, "width": luck.choice(("wide", "wide", "narrow"))} for number in range(1, size + 1)]
    Path("own.json").write_text(json.dumps({**own, "id": "own", "track": track, "zones": zones}))
    svg = run("games", "checkered-flag", "--set", "own.json", "--svg", "-", code=0).stdout
    places = centres(svg, size)
    pieces = [*pairwise([*places, places[0]])]
    steps = [dist(one, other) for one, other in pieces]
    assert 0.45 * median(steps) < min(steps) and max(steps) < 1.7 * median(steps)
    assert not [pair for pair in combinations(pieces, 2) if do_cross(*pair)]


def centres(svg: str, size: int) -> list[tuple[float, float]]:
    """Return the middle of each space of a track, from the points of its outline."""
    found = {}
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        number = group.get("data-id", "").removeprefix("to ")
        shape = next((one.get("d", "") for one in group.iter(f"{SVG}path") if "Z" in one.get("d", "")), "")
        points = [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", shape)]
        if points and number not in found:
            found[number] = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    return [found[name] for name in ("line", *map(str, range(1, size + 1)))]


def do_cross(one: Any, other: Any) -> bool:
    """Return whether two pieces of way cross."""

    def side(a: Any, b: Any, c: Any) -> float:
        return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    (a, b), (c, d) = one, other
    return side(a, b, c) * side(a, b, d) < -1e-6 and side(c, d, a) * side(c, d, b) < -1e-6


# Cards, pixels and films


RACE = EXAMPLES / "great-race" / "race" / "game.json"


def test_a_card_has_title_board_and_standings_in_the_colours_of_the_seats(run: Run) -> None:
    run("show", RACE, "--card", "race.svg", code=0)
    text = Path("race.svg").read_text("utf-8")
    assert 'viewBox="0 0 1200 630"' in text
    for words in ("Ann (red) has won", "The Great Race · corsica-2", "1. Ann (red)", "80 F", "Bastia", inks()["red"]):
        assert words in text


def test_a_card_shows_only_what_its_reader_may_know(run: Run) -> None:
    found = begun("checkpoint-rally", orders=6)
    found.save("g.json")
    for viewer in (None, "red"):
        run("show", "g.json", "--card", f"{viewer}.svg", *(("--as", viewer) if viewer else ()), code=0)
    own = {*re.findall(r'data-id="([A-Z]\d+)"', adj.render(found.seen_by("red").report(), "svg"))}
    public = {*re.findall(r'data-id="([A-Z]\d+)"', adj.render(found.seen_by().report(), "svg"))}
    shown = Path("None.svg").read_text("utf-8")
    assert own - public and not [tile for tile in own - public if re.search(rf">{tile}<", shown)]


def test_a_card_and_a_picture_in_pixels(run: Run) -> None:
    pytest.importorskip("resvg_py", reason="PNG needs resvg: pip install -e '.[test]'")
    for _ in range(2):  # it replaces its own picture
        run("show", RACE, "--card", "race.png", code=0)
    data = Path("race.png").read_bytes()
    assert (data[:4], data[16:20], data[20:24]) == (b"\x89PNG", (1200).to_bytes(4, "big"), (630).to_bytes(4, "big"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show GAME --card race.jpg", "ends in .png or .svg"),
        ("show GAME --card notes.svg", "notes.svg already exists and is not a picture"),
        ("show GAME --svg notes.svg", "notes.svg already exists and is not a picture"),
        ("replay GAME --until 2 -o notes.gif", "notes.gif already exists and is not a picture"),
    ],
)
def test_a_picture_replaces_no_other_file(run: Run, words: str, said: str) -> None:
    for name in ("notes.svg", "notes.gif"):
        Path(name).write_text("buy tea")
    assert said in run(*words.replace("GAME", str(RACE)).split(), code=2).stderr
    assert Path("notes.svg").read_text() == Path("notes.gif").read_text() == "buy tea"


@pytest.mark.parametrize("name", ["notes.gif", "notes.html"])
def test_replay_refuses_to_replace_a_file_before_it_opens_the_game(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("adjudicator.cli.replay.read_game_file", lambda file: pytest.fail(f"{file} was opened"))
    Path(name).write_text("buy tea")
    assert f"{name} already exists and is not a" in run("replay", RACE, "-o", name, code=2).stderr


def test_a_film_has_a_picture_for_every_entry_and_stays_at_the_last(run: Run) -> None:
    pytest.importorskip("resvg_py", reason="films need resvg: pip install -e '.[test]'")
    image = pytest.importorskip("PIL.Image", reason="films need pillow: pip install -e '.[test]'")
    told = run("replay", RACE, "-o", "race.gif", "--until", 3, code=0).stdout
    assert told == "race.gif: The Great Race, game corsica-2, 4 pictures of 4 entries\n"
    with image.open("race.gif") as film:
        assert (film.format, film.n_frames, max(film.size)) == ("GIF", 4, 720)
        durations = [film.seek(at) or film.info["duration"] for at in range(4)]
    assert durations == [600, 600, 600, 4000]


@pytest.mark.parametrize(
    ("missing", "words", "extra"),
    [
        ("PIL", "replay GAME -o race.gif", "gif"),
        ("resvg_py", "replay GAME -o race.gif", "gif"),
        ("resvg_py", "show GAME --card race.png", "png"),
        ("resvg_py", "report GAME --as red -o race.png", "png"),
    ],
)
def test_without_its_extra_a_picture_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, missing: str, words: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    told = run(*words.replace("GAME", str(RACE)).split(), code=2)
    assert f"pip install 'pbem-adjudicator[{extra}]'" in told.stderr
    assert not [*Path().glob("race.*")]
