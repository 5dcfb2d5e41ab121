"""Zoom in a real browser: buttons, keys, the wheel and two fingers; a replay shows the section that matters now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from adjudicator.library.begin import open_game
from adjudicator.reporting import report_for
from adjudicator.reports.pages.report_html import report_html

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[3]
RALLY = ROOT / "tests/data/games/rally-round/rally-round-00111.json"
TILES = ROOT / "examples/checkpoint-rally/two-players/game.json"
SCREENS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True},
    "desk": {"viewport": {"width": 1280, "height": 800}},
}
WIDE = "document.querySelector('figure.huge > svg').getBoundingClientRect().width"
LEAST = """() => {
  const scale = (svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return Math.min(...[...document.querySelectorAll('figure')[0].querySelectorAll('svg text')].map(
    (text) => Number(text.getAttribute('font-size')) * scale(text.ownerSVGElement)));
}"""
FINGERS = """([from, to]) => {
  const room = document.querySelector('figure.huge');
  const { x, y } = room.getBoundingClientRect();
  const touch = (id, at) => new Touch({ identifier: id, target: room, clientX: x + at, clientY: y + 80 });
  const send = (name, apart) => room.dispatchEvent(new TouchEvent(name, {
    touches: [touch(1, 100), touch(2, 100 + apart)], bubbles: true, cancelable: true }));
  send('touchstart', from);
  send('touchmove', to);
}"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the report to a crew on the road."""
    session = open_game(RALLY).undo(305, "an earlier position").session
    path = tmp_path_factory.mktemp("zoom") / "report.html"
    path.write_text(report_html(report_for(session, "yellow", 290)), "utf-8")
    return path


@pytest.fixture(params=SCREENS)
def page(request: pytest.FixtureRequest, visit: Callable[..., Page], report: Path) -> Page:
    """Open the report on a phone in the dark and on a desk in the light."""
    scheme = "dark" if request.param == "phone" else "light"
    return visit(report, color_scheme=scheme, **SCREENS[request.param])


def test_buttons_and_keys_zoom_the_map(page: Page, violations: Callable[..., list[str]]) -> None:
    whole = page.evaluate(WIDE)
    larger, smaller = page.get_by_role("button", name="Zoom in"), page.get_by_role("button", name="Zoom out")
    larger.click()
    larger.click()
    assert page.evaluate(WIDE) == pytest.approx(whole * 1.69, rel=0.02)
    assert violations(page, "color-contrast") == []  # which takes seconds: zoom changes no colour
    smaller.click()
    assert page.evaluate(WIDE) == pytest.approx(whole * 1.3, rel=0.02)
    page.keyboard.press("0")
    room = page.evaluate("document.querySelector('figure.huge').clientWidth")
    assert page.evaluate(WIDE) == pytest.approx(room, rel=0.02)
    assert smaller.is_disabled()
    larger.focus()
    page.keyboard.press("+")
    assert page.evaluate(WIDE) == pytest.approx(room * 1.3, rel=0.02)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_two_fingers_zoom_the_map(page: Page) -> None:
    whole = page.evaluate(WIDE)
    page.evaluate(FINGERS, [50, 100])
    assert page.evaluate(WIDE) == pytest.approx(whole * 2, rel=0.02)


@pytest.mark.parametrize("page", ["desk"], indirect=True)
def test_the_wheel_zooms_after_a_click_only(page: Page) -> None:
    whole, picture = page.evaluate(WIDE), page.locator("figure").last
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    page.mouse.move(box["x"] + 50, min(box["y"] + 50, 700))
    page.mouse.wheel(0, -200)
    assert page.evaluate(WIDE) == whole
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    page.mouse.click(box["x"] + 50, max(20, box["y"] + 50))
    page.mouse.wheel(0, -200)
    page.wait_for_function(f"{WIDE} > {whole} * 1.2")


def test_the_section_of_the_crew_is_readable_and_first_and_the_buttons_are_below_the_map(page: Page) -> None:
    assert page.locator("figure.detail").count() >= 1 and page.locator("figure.huge").count() == 1
    assert page.evaluate(LEAST) >= 9
    top = page.locator("figure").first.bounding_box()["y"] - page.locator("#position").bounding_box()["y"]
    assert top < 20
    board = page.locator("figure.huge").bounding_box()
    assert page.locator(".zoom").bounding_box()["y"] >= board["y"] + board["height"]


def test_the_map_begins_where_the_car_of_the_reader_is(page: Page) -> None:
    """The first section has the car, too, and no section is higher than a window and a bit."""
    for name in ("figure.detail", "figure.huge"):
        room = page.locator(name).first
        room.scroll_into_view_if_needed()
        car, frame = room.locator("[data-id=yellow]").first.bounding_box(), room.bounding_box()
        assert frame["x"] <= car["x"] <= frame["x"] + frame["width"] and frame["height"] <= 920
        assert frame["y"] <= car["y"] <= frame["y"] + frame["height"]
    assert page.evaluate("(room => room.scrollLeft + room.scrollTop)(document.querySelector('figure.huge'))") > 0


@pytest.mark.parametrize("name", ["checkpoint-rally/four-players", "great-race/race"])
def test_a_phone_begins_where_the_piece_of_the_reader_is(visit: Callable[..., Page], tmp_path: Path, name: str) -> None:
    """Also on a board that only scrolls sideways; a bystander sees the first player's piece."""
    path = tmp_path / "report.html"
    session = open_game(ROOT / "examples" / name / "game.json").session
    for viewer in (*session.seats, None):
        path.write_text(report_html(report_for(session, viewer, 0)), "utf-8")
        room = visit(path, **SCREENS["phone"]).locator("figure").first
        piece, frame = room.locator(f"[data-id={viewer or session.seats[0]}]").first.bounding_box(), room.bounding_box()
        assert frame["x"] <= piece["x"] and piece["x"] + piece["width"] <= frame["x"] + frame["width"]


@pytest.mark.parametrize("turn", [305, 60])
def test_sections_are_side_by_side_on_a_desk_and_on_paper(visit: Callable[..., Page], tmp_path: Path, turn: int) -> None:
    path = tmp_path / "report.html"
    game = open_game(RALLY).undo(turn, "an earlier position")
    path.write_text(report_html(report_for(game.session, game.due_seats[0], turn - 1)), "utf-8")
    page = visit(path, **SCREENS["desk"])
    assert page.locator("figure.detail").first.bounding_box()["width"] <= 480
    page.set_viewport_size({"width": 718, "height": 1046})
    page.emulate_media(media="print")
    assert page.evaluate(LEAST) >= 9
    sizes = [figure.bounding_box() for figure in page.locator("figure.detail").all()]
    assert all(size["width"] <= 718 and size["height"] <= 980 for size in sizes)


def test_a_phone_shows_the_whole_board_at_a_click(visit: Callable[..., Page], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(report_html(report_for(open_game(TILES).session, "red", 0)), "utf-8")
    page = visit(path, **SCREENS["phone"])
    wide = "(at => at.firstElementChild.getBoundingClientRect().width / at.clientWidth)(document.querySelector('figure'))"
    assert page.evaluate(wide) > 1.5
    page.get_by_role("button", name="Whole picture").first.click()
    assert page.evaluate(wide) <= 1.01
    assert page.get_by_role("button", name="Zoom out").first.is_disabled()
