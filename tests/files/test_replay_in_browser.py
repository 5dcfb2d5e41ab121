"""The replay page in a real browser: what it shows, how it is worked, who can use it. It loads nothing and says nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import adjudicator as adj
from adjudicator.reports.heading import title_line
from adjudicator.reports.picture import as_file, draw
from adjudicator.reports.replay_page import tables_of
from tests.drivers import toy
from tests.drivers.narrow import check_phone, least_letters
from tests.drivers.pages import wait_until
from tests.drivers.records import ROOT, forge, put, spoiled

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., "Page"]
FILES = {
    "rally": "examples/checkpoint-rally/two-players/game.json",
    "flag": "examples/checkered-flag/race/game.json",
    "charlie": "examples/checkpoint-charlie/three-players/game.json",
    "round": "tests/data/games/rally-round/again-001.json",
    "table": "tests/data/games/rally-round/rally-round-00111.json",
    "race": "examples/great-race/race/game.json",
}
"""Games by a short name; `toy` is one without a board."""


@cache
def opened(name: str) -> adj.Game:
    if name == "toy":
        return toy.new().apply({"red": "ADD 1\nROLL\nHIDE", "blue": "ADD 1\nADD 2\nROLL 2"}).game
    return adj.open(ROOT / FILES[name])


def last_entry(game: adj.Game) -> int:
    return len(toy.entries(game)) - 1


def expect_at(page: Page, number: int) -> None:
    """The page is at a move, or is there soon: a browser may follow a link after it says that it has."""
    from playwright.sync_api import expect

    expect(page.locator("#now")).to_have_text(re.compile(rf"^{number} "))


DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
SCREENS: dict[str, tuple[str, dict[str, Any]]] = {
    "rally": ("light", DESKTOP),
    "flag": ("dark", PHONE),
    "round": ("dark", PHONE),
    "charlie": ("light", DESKTOP),
    "race": ("light", DESKTOP),
    "toy": ("dark", PHONE),
}
"""Where the page of each game is looked at."""


def device_name(value: object) -> str | None:
    """Return the name of a device in the name of a test."""
    return "phone" if value is PHONE else "desktop" if value is DESKTOP else None


long = partial(pytest.param, marks=pytest.mark.soak)
"""Values for long runs."""


def portioned(first: int) -> list[Any]:
    """Return every third game, and the others for long runs."""
    return [name if number % 3 == first else long(name) for number, name in enumerate(SCREENS)]


SAME_FIGURES = """meant => {
  const shown = [...document.querySelectorAll(".boards .figure > svg")].map(one => one.cloneNode(true));
  shown.flatMap(one => [...one.querySelectorAll("g.new")]).forEach(marks => marks.remove());
  const read = Object.assign(document.createElement("template"), { innerHTML: meant });
  const wanted = [...read.content.children];
  return shown.length === wanted.length && wanted.every(one => shown.some(other => other.isEqualNode(one)));
}"""
"""Whether the page shows all figures of a picture, in any order, and apart from marks nothing else."""
BOARD = ".whole > .figure"


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Write the page of a game, or of its entries up to ``last``, once for all tests."""

    @cache
    def write(game: adj.Game, viewer: str | None = None, last: int | None = None) -> Path:
        path = tmp_path_factory.mktemp("replay") / "page.html"
        path.write_text(game.seen_by(viewer).replay_page(0, last).text, "utf-8")
        return path

    return write


@pytest.mark.parametrize("entries", [8, pytest.param(1_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", portioned(0))
def test_everybody_can_use_it(page_file: Any, visit: Visit, violations: Any, name: str, entries: int) -> None:
    scheme, device = SCREENS[name]
    session = opened(name)
    last = min(entries, last_entry(session))
    page = visit(page_file(session, "moderator", last), color_scheme=scheme, **device)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    ink = "one => getComputedStyle(one).color"
    for caption in page.locator(".boards figcaption").all():
        assert caption.evaluate(ink) == page.locator(".boards").evaluate(ink), "on white, in a dark window, too"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.browser
@pytest.mark.parametrize("name", portioned(1))
def test_the_picture_of_a_move_is_the_picture_of_that_move(page_file: Any, visit: Visit, name: str) -> None:
    session, viewer = opened(name), None if SCREENS[name][1] is DESKTOP else "moderator"
    page = visit(page_file(session, viewer), **DESKTOP)
    moves = list(session.seen_by(viewer).replay())
    for at in (0, 1, len(moves) // 2, len(moves) - 1, 1):
        page.locator("#slider").fill(str(at))
        position = moves[at].position
        meant = draw(position.drawing, seats=position.players, details=False)
        assert page.evaluate(SAME_FIGURES, "".join(one.svg for one in meant.figures))
        captions = page.locator("#tables caption").all_inner_texts()
        assert captions == [title for title, _, _ in tables_of(position) if title]
        assert page.locator("#log li[aria-current]").count() == 1


def check_window(page: Page, device: Any) -> None:
    """Check that the window shows the current entry, and a board that has readable letters and all of the room."""
    now, drawn = page.locator("#now").bounding_box(), page.locator(".whole > .figure > svg").first.bounding_box()
    assert now is not None and drawn is not None
    assert 0 <= now["y"] <= device["viewport"]["height"] - now["height"]
    natural = page.evaluate("document.querySelector('.whole > .figure > svg').viewBox.baseVal.width")
    room, bar = page.locator(BOARD).first.bounding_box(), page.locator("#bar").bounding_box()
    assert room is not None and bar is not None
    assert drawn["width"] >= min(0.83 * natural, 0.97 * room["width"])
    assert room["y"] + room["height"] <= bar["y"], "the controls hide nothing of the board"
    assert least_letters(page, ".boards") >= 9.95


@pytest.mark.browser
@pytest.mark.parametrize("name", ["rally", *map(long, ("flag", "round", "charlie", "race"))])
def test_a_desktop_shows_the_current_entry_and_a_readable_board(page_file: Any, visit: Visit, name: str) -> None:
    check_window(visit(page_file(opened(name), "moderator"), "#5", **DESKTOP), DESKTOP)


@pytest.mark.browser
@pytest.mark.parametrize("name", ["charlie", *map(long, ("rally", "flag", "round", "race"))])
def test_a_phone_shows_the_current_entry_and_board_and_panels_below_each_other(
    page_file: Any, visit: Visit, name: str
) -> None:
    page = visit(page_file(opened(name), "moderator"), "#5", **PHONE)
    check_window(page, PHONE)
    check_phone(page, opened(name).meta.id, ".boards")
    parts = page.locator(".whole > .figure > svg").first
    boxes = [box for box in (part.bounding_box() for part in parts.all()) if box is not None]
    assert [box["y"] for box in boxes] == sorted(box["y"] for box in boxes)
    gap = "one => one.getBoundingClientRect().height - one.firstElementChild.getBoundingClientRect().height"
    assert all(panel.evaluate(gap) <= 1 for panel in page.locator(".panels > .figure").all()), "a panel leaves no gap"
    scale = page.evaluate("document.querySelector('.whole > .figure > svg').getScreenCTM().a")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.querySelector('.whole > .figure > svg').getScreenCTM().a") == pytest.approx(
        scale, rel=0.01
    )
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.browser
def test_a_picture_can_be_zoomed(page_file: Any, visit: Visit, violations: Any) -> None:
    page = visit(page_file(opened("rally")), **PHONE)
    button, drawn = page.get_by_role("button", name="Zoom in"), page.locator(".whole > .figure > svg").first
    small = drawn.bounding_box()
    button.click()
    button.click()
    large = drawn.bounding_box()
    assert small is not None and large is not None and large["width"] > 1.3 * small["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(page, "color-contrast") == []  # zoom changes no colour
    page.locator("#on").click()
    after = drawn.bounding_box()
    assert after is not None and after["width"] == pytest.approx(large["width"], rel=0.01), "the zoom stays"
    page.keyboard.press("0")
    whole, room = drawn.bounding_box(), page.locator(BOARD).first.bounding_box()
    assert whole is not None and room is not None and whole["width"] <= room["width"] < small["width"]


@pytest.mark.browser
def test_a_picture_can_be_saved_as_it_is(page_file: Any, visit: Visit, tmp_path: Path) -> None:
    session = opened("rally")
    page = visit(page_file(session), "#12", **DESKTOP)
    with page.expect_download() as waiting:
        page.locator("#save").click()
    waiting.value.save_as(tmp_path / "saved.svg")
    move = next(session.seen_by().replay(12, 12))
    assert waiting.value.suggested_filename == "rally-021-12.svg"
    drawn = draw(move.position.drawing, seats=move.position.players)
    assert (tmp_path / "saved.svg").read_text("utf-8") == as_file(drawn, title_line(move.position.heading)).svg


@pytest.mark.browser
def test_the_keyboard_does_everything(page_file: Any, visit: Visit) -> None:
    page = visit(page_file(opened("rally")), **DESKTOP)
    expect_at(page, 0)
    for key, there in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 51)):
        page.keyboard.press(key)
        expect_at(page, there)
    page.keyboard.press("ArrowRight")
    expect_at(page, 51)
    page.locator("#slider").focus()
    page.keyboard.press("ArrowLeft")
    expect_at(page, 50)
    page.keyboard.press("Home")
    expect_at(page, 0)
    page.locator("#on").focus()
    page.keyboard.press("Enter")
    expect_at(page, 1)
    page.keyboard.press("Control+ArrowRight")
    expect_at(page, 1)


@pytest.mark.browser
def test_the_way_through_the_page_with_the_tab_key_shows_where_one_is(page_file: Any, visit: Visit) -> None:
    page = visit(page_file(opened("rally")), "#1", **DESKTOP)
    met = []
    for _ in range(8):
        page.keyboard.press("Tab")
        met.append(page.evaluate("document.activeElement.id"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert met == ["slider", "first", "back", "play", "on", "last", "speed", ""]


@pytest.mark.browser
def test_it_plays_and_stops(page_file: Any, visit: Visit) -> None:
    page = visit(page_file(opened("rally")), "#1", **DESKTOP)
    page.clock.install(time=0)
    page.clock.pause_at(3_600_000)  # else time goes on by itself as well
    page.keyboard.press("Space")
    assert page.get_by_role("button", name="Pause").count() == 1
    assert page.locator("#now").get_attribute("aria-live") == "off"
    page.clock.run_for(3_000)
    expect_at(page, 4)
    page.locator("#speed").select_option("fast")
    page.clock.run_for(800)
    expect_at(page, 6)
    page.locator("#play").click()
    page.clock.run_for(3_000)
    expect_at(page, 6)
    assert page.locator("#now").get_attribute("aria-live") == "polite"
    page.keyboard.press("End")
    page.locator("#play").press("Space")
    expect_at(page, 0)
    page.locator("#slider").fill("47")
    page.locator("#play").click()
    page.clock.run_for(60_000)
    expect_at(page, 51)
    assert page.get_by_role("button", name="Play", exact=True).count() == 1


@pytest.mark.browser
def test_each_move_has_a_link(page_file: Any, visit: Visit) -> None:
    file = page_file(opened("rally"))
    page = visit(file, "#12", **DESKTOP)
    expect_at(page, 12)
    page.locator("#entry-30 a").click()
    expect_at(page, 30)
    page.wait_for_url(f"{file.as_uri()}#30")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"{file.as_uri()}#31")
    page.evaluate("location.hash = '#7'")
    expect_at(page, 7)
    page.evaluate("location.hash = '#nowhere'")
    expect_at(page, 7)
    page.evaluate("location.hash = '#%'")
    expect_at(page, 7)


IN_SIGHT = """at => {
  const [line, log] = [`entry-${at}`, "log"].map((id) => document.getElementById(id).getBoundingClientRect());
  return log.top <= line.top && line.top < log.bottom;
}"""


@pytest.mark.browser
@pytest.mark.parametrize("device", [DESKTOP, long(PHONE)], ids=["desktop", "phone"])
def test_the_current_line_of_the_log_is_in_sight(page_file: Any, visit: Visit, device: Any) -> None:
    page = visit(page_file(opened("rally"), "moderator"), "#1", reduced_motion="reduce", **device)
    for at in (51, 25, 3):
        page.locator("#slider").fill(str(at))
        wait_until(page, IN_SIGHT, at)


HOSTILE = (
    ("</script><script>alert(1)</script>", "]]><!--<script>"),
    ("{{ 7*7 }}", "\u202egnp.\x07"),
)
"""Names of two players; a note has both of them, too."""


@pytest.mark.parametrize("hostile", [HOSTILE[0], long(HOSTILE[1])])
def test_what_players_write_is_shown_and_not_obeyed(page_file: Any, visit: Visit, hostile: tuple[str, str]) -> None:
    holders = {f"setup.players[{n}].holder": name for n, name in enumerate(hostile)}
    amended = adj.open(forge(spoiled(toy.document(opened("rally")), holders))).amend(["racers[red].minutes=99"], "a slip")
    note = f"journal[{last_entry(amended)}].entry.notes"
    session = adj.open(forge(put(toy.document(amended), note, [f"{' '.join(hostile)} {'x' * 1_900}"])))
    page = visit(page_file(session, "moderator"), **PHONE)
    assert page.evaluate("document.scripts.length") == 2
    shown = [name.replace("\u202e", "\\u202e").replace("\x07", "␇") for name in hostile]
    assert page.locator(".holder").all_inner_texts() == shown
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect_at(page, 51)


def test_without_script_the_log_is_there(page_file: Any, visit: Visit) -> None:
    page = visit(page_file(opened("rally")), java_script_enabled=False, **DESKTOP)
    assert page.locator("#log li").count() == 52
    assert page.get_by_text("Playback needs JavaScript").is_visible()
    assert page.locator(".whole > .figure > svg").first.is_visible()
    assert not page.locator("#bar").is_visible()


def is_in_sight(page: Page, at: int) -> bool:
    inner, outer = page.locator(f"#entry-{at}").bounding_box(), page.locator("#log").bounding_box()
    assert inner is not None and outer is not None
    return outer["y"] <= inner["y"] and inner["y"] + min(inner["height"], 40) <= outer["y"] + outer["height"]


@pytest.fixture(scope="module")
def corrected() -> adj.Game:
    """Return a game with 150 corrections."""
    game = opened("rally")
    for n in range(150):
        game = game.amend([f"racers[red].minutes={n}"], f"a slip: {'more words ' * (n % 30)}")
    return game


@pytest.mark.browser
@pytest.mark.parametrize("device", [long(DESKTOP), PHONE], ids=["desktop", "phone"])
def test_a_link_into_a_long_game_shows_its_line_and_so_does_another_size(
    corrected: adj.Game, page_file: Any, visit: Visit, device: Any
) -> None:
    page = visit(page_file(corrected, "moderator"), "#150", reduced_motion="no-preference", **device)
    wait_until(page, "document.querySelector('#log').scrollTop > 0")
    settle(page)
    assert is_in_sight(page, 150)
    page.keyboard.press("End")
    settle(page)
    assert is_in_sight(page, 201)
    page.set_viewport_size({"width": 700, "height": 600})
    settle(page)
    assert is_in_sight(page, 201)


def settle(page: Page) -> None:
    """Let the browser draw until the log stays where it is."""
    page.evaluate("""async () => {
      const log = document.getElementById("log");
      for (let still = 0, top = -1; still < 30; top = log.scrollTop) {
        await new Promise(requestAnimationFrame);
        still = log.scrollTop === top ? still + 1 : 0;
      }
    }""")


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "device"),
    [("charlie", DESKTOP), long("race", DESKTOP), long("rally", DESKTOP), long("race", PHONE)],
    ids=device_name,
)
def test_the_controls_the_panels_and_the_scale_of_the_board_stay(
    page_file: Any, visit: Visit, name: str, device: Any
) -> None:
    page = visit(page_file(opened(name), "moderator"), "#0", reduced_motion="reduce", **device)
    bars, scales, corners = set(), set(), set()
    for at in (0, 5, 9, 20, 30, 50):
        page.locator("#slider").fill(str(at))
        box = page.locator("#bar").bounding_box()
        assert box is not None
        bars.add(round(box["y"]))
        scales.add(page.evaluate("Math.round(100 * document.querySelector('.whole > .figure > svg').getScreenCTM().a)"))
        boxes = [panel.bounding_box() for panel in page.locator(".panels > .figure, #graph").all()]
        corners.add(tuple((round(box["x"]), round(box["y"])) for box in boxes if box is not None))
    assert len(bars) == 1
    assert len(scales) == 1
    assert device is PHONE or len(corners) == 1, "a phone has no columns"


ROOM = """() => {
  const [room, bar] = [".whole > .figure", "#bar"].map((one) => document.querySelector(one).getBoundingClientRect());
  const seat = document.querySelector("[aria-current] .seat").lastChild.textContent.trim();
  const piece = document.querySelector(`.whole > .figure > svg [data-id="${seat}"]`).getBoundingClientRect();
  const { scrollLeft, scrollTop } = document.querySelector(".whole > .figure");
  const least = ([x, y]) => Math.min(x, y, room.width - x - piece.width, room.height - y - piece.height);
  return { isAbove: room.bottom <= bar.top, edge: least([piece.x - room.x, piece.y - room.y]), at: [scrollLeft, scrollTop],
    before: window.was && least([piece.x - room.x + scrollLeft - was[0], piece.y - room.y + scrollTop - was[1]]),
    earlier: window.was, kept: (window.was = [scrollLeft, scrollTop]),
    scale: Math.round(100 * document.querySelector(".whole > .figure > svg").getScreenCTM().a) };
}"""
"""How far the acting piece is from the edge of the visible map, and how far it would be had the map not moved."""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("device", "viewer"),
    [(PHONE, "moderator"), *(long(*case) for case in ((DESKTOP, None), (DESKTOP, "moderator"), (PHONE, None)))],
    ids=device_name,
)
def test_a_large_map_shows_the_car_that_acts_and_moves_only_for_a_car_out_of_sight(
    page_file: Any, visit: Visit, device: Any, viewer: str | None
) -> None:
    page = visit(page_file(opened("table"), viewer, 112), "#96", reduced_motion="reduce", **device)
    scales, has_moved = {page.evaluate(ROOM)["scale"]}, set()
    for _ in range(97, 113):
        page.keyboard.press("ArrowRight")
        now = page.evaluate(ROOM)
        assert now["edge"] >= 0 and now["isAbove"], now
        assert (now["at"] == now["earlier"]) or now["before"] < 60, now
        scales.add(now["scale"])
        has_moved.add(now["at"] != now["earlier"])
    assert has_moved == {True, False}
    page.keyboard.press("Home")
    assert scales == {page.evaluate("Math.round(100 * document.querySelector('.whole > .figure > svg').getScreenCTM().a)")}


MARKS = """() => {
  const { x, y, right, bottom, width, height } = document.querySelector(".whole > .figure").getBoundingClientRect();
  const boxes = [...document.querySelectorAll(".whole .new > rect")].map(one => one.getBoundingClientRect());
  const [left, top] = ["left", "top"].map(side => Math.min(...boxes.map(box => box[side])));
  const [far, low] = ["right", "bottom"].map(side => Math.max(...boxes.map(box => box[side])));
  if (!boxes.length || far - left > width - 100 || low - top > height - 100) return null;
  return Math.min(left - x, top - y, right - far, bottom - low);
}"""
"""How far the marks on the board, if they have room in it, are from the edge of the visible board."""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("device", "name"), [(DESKTOP, "race"), (PHONE, "rally"), long(DESKTOP, "rally"), long(PHONE, "race")], ids=device_name
)
def test_the_window_shows_the_changes_of_each_step(page_file: Any, visit: Visit, device: Any, name: str) -> None:
    page = visit(page_file(opened(name), "moderator"), "#0", reduced_motion="reduce", **device)
    edges = []
    for _ in range(50):
        page.keyboard.press("ArrowRight")
        edges.append(page.evaluate(MARKS))
    edges = [edge for edge in edges if edge is not None]
    assert len(edges) > 4
    assert min(edges) > -4, "a mark has white edges of a few pixels"


@pytest.mark.browser
def test_a_step_draws_only_what_has_changed(page_file: Any, visit: Visit) -> None:
    page = visit(page_file(opened("round"), "moderator"), "#5", reduced_motion="reduce", **DESKTOP)
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.evaluate("window.drawn = [...document.querySelectorAll('.boards *, #tables *')]")
        page.keyboard.press(key)
        kept = page.evaluate("drawn.filter(one => one.isConnected).length / drawn.length")
        assert 0.9 < kept < 1


MOVE = """() => {
  const { steps, figures } = JSON.parse(document.getElementById("replay").textContent);
  const [move] = steps[document.getElementById("slider").value].moves;
  if (!move) return null;
  const svg = document.querySelectorAll(".boards .figure")[figures.indexOf(move.figure)].firstElementChild;
  const ends = move.points.map(([x, y]) => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()));
  const far = (piece, { x, y }) => Math.hypot(piece.getScreenCTM().e - x, piece.getScreenCTM().f - y);
  const pieces = [...svg.querySelectorAll(`[data-id="${CSS.escape(move.id)}"]`)];
  const moving = document.getAnimations().filter(one => one.effect.target.closest(".figure"));
  if (!moving.length) return [null, Math.min(...pieces.map(piece => far(piece, ends[1])))];
  moving[0].pause();
  return ends.map((end, part) => {
    moving[0].currentTime = part * (moving[0].effect.getTiming().duration - 0.01);
    return far(moving[0].effect.target, end);
  });
}"""
"""How far in pixels a moved piece is from both ends of its way when it begins and ends to move; ``null`` if at once."""


@pytest.mark.browser
@pytest.mark.parametrize("name", ["flag", *map(long, ("rally", "round", "race"))])
def test_a_moved_piece_comes_from_where_it_was_or_is_there_at_once(page_file: Any, visit: Visit, name: str) -> None:
    page = visit(page_file(opened(name), "moderator"), "#0", **DESKTOP)
    found = []
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        found.append(page.evaluate(MOVE))
    found = [ends for ends in found if ends is not None]
    assert len(found) > 2
    assert max(far for ends in found for far in ends) < 2
    page.emulate_media(reduced_motion="reduce")
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        ends = page.evaluate(MOVE)
        assert ends is None or (ends[0] is None and ends[1] < 2)
    page.keyboard.press("Home")
    assert page.locator(".new").count() == 0


@pytest.mark.browser
def test_the_graph_goes_to_an_entry_and_has_numbers_names_and_the_amounts_now(page_file: Any, visit: Visit) -> None:
    file = page_file(opened("rally"), "moderator")
    page = visit(file, **DESKTOP)
    assert page.get_by_role("group", name="Zoom").count() == 1, "for the board only"
    graph = page.locator("#graph")
    assert graph.locator("polyline").count() == 2
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] * 20 / 51, "y": 10})
    expect_at(page, 20)
    assert page.locator("#graph text").all_text_contents()[-3:] == ["0", "25", "51"]
    names, amounts = page.locator(".amounts li"), page.locator(".amounts b")
    assert [name.split(" ")[0] for name in names.all_text_contents()] == ["R", "B"]
    for at in (20, 51):
        page.locator("#slider").fill(str(at))
        scores = dict(
            page.locator("#tables .table:last-child tbody tr").evaluate_all(
                "rows => rows.map(row => [row.cells[1].textContent, row.cells[2].textContent])"
            )
        )
        assert [
            scores[name[2:].rpartition(")")[0] + ")"] for name in names.all_text_contents()
        ] == amounts.all_text_contents()
    still = visit(file, java_script_enabled=False, **DESKTOP)
    assert still.locator("#graph polyline").count() == 2, "the graph needs no script"


@pytest.mark.browser
@pytest.mark.parametrize(("device", "words"), [(DESKTOP, "Go to the end"), (PHONE, "end")], ids=["desktop", "phone"])
def test_the_way_to_the_end_has_a_visible_word(page_file: Any, visit: Visit, device: Any, words: str) -> None:
    page = visit(page_file(opened("flag")), **device)
    assert page.get_by_role("button", name="Go to the end").count() == 1
    shown = page.locator("#last span").evaluate_all(
        "all => all.filter(one => one.clientWidth > 1 || one.offsetWidth > 1).map(one => one.textContent)"
    )
    assert "".join(shown) == words
    assert page.locator("#log .badge").first.inner_text() in "RB", "the letters of the pieces"


@pytest.mark.browser
@pytest.mark.parametrize(("name", "words"), [("race", "FUND"), long("charlie", "WAIT")])
def test_a_changed_panel_has_a_mark(page_file: Any, visit: Visit, name: str, words: str) -> None:
    page = visit(page_file(opened(name), "moderator"), "#0", reduced_motion="reduce", **DESKTOP)
    lines = page.locator("#log li").all_text_contents()
    page.locator("#slider").fill(str(next(at for at, line in enumerate(lines) if words in line)))
    assert page.locator(".new > rect").count() > 0
