"""The page of a report in a real browser, on a phone and on a desk, in light and in dark: everybody can use it.

One visit is in every run; ``-m browser`` has all games, screens and readers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import adjudicator as adj
from tests.drivers.pages import (
    DESKTOP,
    GAMES,
    MARKUP,
    MEASURED,
    PHONE,
    RECORDED,
    ROOT,
    Visit,
    begun,
    check_phone,
    check_reading_order,
    example,
    found_by_axe,
    game,
    unfold,
    wait_until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

Write = Callable[..., Path]
OVERFLOWS = """() => {
  const wide = document.documentElement.clientWidth;
  const found = [...document.querySelectorAll('body *:not(svg *)')].filter(one => {
    const box = one.getBoundingClientRect();
    const scrolls = one.scrollWidth > one.clientWidth + 1 && one.clientWidth && getComputedStyle(one).display != 'inline';
    return !one.closest('figure, .unseen, thead') && box.width && (box.right > wide + 0.5 || scrolls);
  });
  return found.map(one => `${one.tagName}.${one.className} ${one.textContent.trim().slice(0, 60)}`);
}"""
"""What a phone would cut or scroll sideways: only boards may scroll."""
SHRUNK = """() => [...document.querySelectorAll('figure:not(.detail) svg')].filter(one => {
  const {width, height} = one.getBoundingClientRect(), {width: wide, height: high} = one.viewBox.baseVal;
  const most = Math.min(wide, one.parentElement.clientWidth);
  return wide < 1100 && (width < most - 1 || Math.min(width / wide, height / high) < 0.99);
}).map(one => one.getAttribute('aria-label'))"""
"""The boards that a desk shows much smaller than they are drawn."""
MAIL_LIMIT = 102_000
"""Gmail shows only the beginning of a longer mail; it removes pictures in a page, so they do not count."""
DARK, LIGHT = {"color_scheme": "dark"}, {"color_scheme": "light"}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write the report of a game to a viewer as a page."""

    def page(found: adj.Game, viewer: str | None, since: int | None = None) -> Path:
        path = tmp_path / "report.html"
        path.write_text(adj.render(found.seen_by(viewer).report(since=since), "html"), "utf-8")
        return path

    return page


def wide(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


def everybody(first: str) -> list[Any]:
    """Return all games, all but the first one for long runs."""
    return [name if name == first else pytest.param(name, marks=pytest.mark.browser) for name in GAMES]


@pytest.mark.parametrize("name", everybody("checkpoint-rally"))
def test_a_phone_shows_everything_in_letters_of_ten_pixels_and_cuts_nothing(visit: Visit, write: Write, name: str) -> None:
    found = game(name)
    page = visit(write(found, found.due_seats[0]), **PHONE, **DARK)
    unfold(page)
    assert found_by_axe(page) == []
    check_reading_order(page)
    assert wide(page) <= 375
    assert page.evaluate(OVERFLOWS) == []
    boards = [box for box in (figure.bounding_box() for figure in page.locator("figure").all()) if box is not None]
    assert all(boards[0]["y"] + boards[0]["height"] <= box["y"] for box in boards[1:]), "panels are below the board"
    for first, second in pairwise(boards):
        is_below = first["y"] + first["height"] <= second["y"]
        assert is_below or first["x"] + first["width"] <= second["x"]  # in columns
    shade = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, shade[4:-1].split(","))) < 384
    check_phone(page, name, "figure")


@pytest.mark.browser
def test_a_number_of_a_rule_opens_its_text_over_the_page(visit: Visit, write: Write) -> None:
    found = game("checkpoint-rally")
    page = visit(write(found, found.due_seats[0]), **PHONE)
    number = page.locator(".why .rule").first
    text = page.locator(f"#rule-{number.inner_text()}")
    assert not text.is_visible()
    number.focus()
    page.keyboard.press("Enter")
    assert text.is_visible() and wide(page) <= 375
    assert found_by_axe(page) == []
    page.keyboard.press("Escape")
    assert not text.is_visible()


@pytest.mark.browser
@pytest.mark.parametrize("name", GAMES)
def test_on_a_desk_the_board_is_first_and_its_legend_close_below_it(visit: Visit, write: Write, name: str) -> None:
    found = game(name)
    page = visit(write(found, found.due_seats[0]), **DESKTOP, **LIGHT)
    assert "it is your turn: " in page.locator("h1").inner_text()
    board = page.locator(".boards > div").first.bounding_box()
    assert board is not None and board["y"] < 400 and board["width"] > 700
    assert page.evaluate(SHRUNK) == []
    titles = page.evaluate("[...document.querySelectorAll('section')].map(one => one.id)")
    order = [one for one in ("to-do", "position", "log", "standings", "tables", "legal", "form") if one in titles]
    assert titles[:2] == ["to-do", "position"] and sorted(order, key=titles.index) == order
    legend = page.locator(".legend").bounding_box()
    shown = [box for box in (one.bounding_box() for one in page.locator(".boards figure, .zoom").all()) if box is not None]
    assert legend is not None
    assert 0 <= legend["y"] - max(box["y"] + box["height"] for box in shown) <= 24
    order, cost = (page.locator(f".log tbody .{one}").first.bounding_box() for one in ("order", "cost"))
    assert order is not None and cost is not None and cost["x"] - order["x"] < 400, "the cost is close to its order"
    unfold(page)
    assert found_by_axe(page) == []
    shade = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert sum(map(int, shade[4:-1].split(","))) > 384
    page.emulate_media(media="print", color_scheme="light")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    cut = "[...document.querySelectorAll('.wide, pre, figure')].filter(one => getComputedStyle(one).overflowX != 'visible')"
    assert page.evaluate(f"{cut}.length") == 0
    assert page.pdf()[:5] == b"%PDF-"
    for viewer in (None, "moderator"):
        check_reading_order(visit(write(found, viewer)))


@pytest.mark.browser
@pytest.mark.parametrize(("screen", "across", "least"), [(DESKTOP, 8, 1000), (PHONE, 4, 320)])
def test_the_suspects_are_a_wall_of_cards_in_full_width(
    visit: Visit, write: Write, screen: dict[str, Any], across: int, least: int
) -> None:
    wall = visit(write(game("checkpoint-charlie"), "red"), **screen).locator(".boards .whole").first
    box = wall.bounding_box()
    assert box is not None
    assert wall.locator("figure").first.get_attribute("aria-label") == "Suspects" and box["width"] >= least
    cards = [card for card in (one.bounding_box() for one in wall.locator("[data-id]").all()) if card is not None]
    assert (len(cards), len({round(card["x"] / 2) for card in cards})) == (32, across)
    assert max(card["x"] + card["width"] for card in cards) >= box["x"] + box["width"] - 10, "no room is left beside them"
    assert all(card["width"] >= 75 and card["height"] >= 70 for card in cards)


def test_what_players_write_is_only_read(visit: Visit, write: Write) -> None:
    """Names, notes, orders and the reason of a correction; long words are broken."""
    found = begun("checkpoint-rally", players={"red": MARKUP[:80], "blue": "javascript:alert(4)"}, orders=3)
    found = found.undo(1, MARKUP[:190])
    seat = found.due_seats[0]
    mail = f"From: x@example.org\n\n{seat}:\n  {found.seen_by(seat).legal[0].order}\n  PLACE {MARKUP} {'x' * 5_000}\n"
    turn = found.play_turn([mail.encode()])
    path = write(turn.game, seat)
    path.write_text(adj.render(turn.reports[found.seats.index(seat)], "html"), "utf-8")
    page = visit(path, **PHONE)
    assert page.locator("main script, main img, main a[href^=javascript]").count() == 0
    assert page.locator("script").count() == 1, "that of zoom"
    text = page.locator("body").inner_text()
    assert "<script>alert(2)" in text and "{{ 7*7 }}" in text and "<img src=//evil" in page.title() + text
    assert wide(page) <= 375


@pytest.mark.parametrize("name", GAMES)
def test_a_mail_with_the_page_is_not_clipped(name: str) -> None:
    found = game(name)
    page = adj.render(found.seen_by(found.due_seats[0]).report(since=found.seen_by("moderator").log()[-2].turn - 1), "html")
    assert len(re.sub(r"(?s)<svg .*?</svg>", "", page).encode()) < MAIL_LIMIT / 2


def test_an_order_has_its_outcome_in_words_and_in_a_colour_and_each_player_a_badge() -> None:
    found = next(one for seed in range(9) if (one := begun("checkered-flag", seed=seed)).due_seats == ("red",))
    mail = b"From: ann@example.org\n\nred:\n  GEAR 1\n  GEAR 9\n"
    page = adj.render(found.play_turn([mail]).reports[0], "html")
    for order, color, fate in (("GEAR 1", "good", "applied"), ("GEAR 9", "bad", "refused")):
        assert re.search(rf'>{order}</t[hd]><td class="{color}">{fate}: ', page)
    players = page.partition('<ul class="players"')[2].partition("</ul>")[0]
    badges = re.findall(r'<span class="badge (ink-\w+)(?: dark)?" aria-hidden="true">(\w)</span> (\w+ \(\w+\))', players)
    assert badges == [("ink-red", "R", "Ann (red)"), ("ink-blue", "B", "Bob (blue)")]


# Zoom: buttons, keys, the wheel and two fingers; the section that matters now is shown first

RALLY = RECORDED / "rally-round" / "rally-round-00111.json"
WIDE = "document.querySelector('figure.board > svg').getBoundingClientRect().width"
FITS = """(() => {
  const room = document.querySelector('figure.board'), {width, height} = room.firstElementChild.viewBox.baseVal;
  return Math.min(room.clientWidth, room.clientHeight * width / height);
})()"""
"""The width of a board that fits into its room."""
FINGERS = """([from, to]) => {
  const room = document.querySelector('figure.board');
  const { x, y } = room.getBoundingClientRect();
  const touch = (id, at) => new Touch({ identifier: id, target: room, clientX: x + at, clientY: y + 80 });
  const send = (name, apart) => room.dispatchEvent(new TouchEvent(name, {
    touches: [touch(1, 100), touch(2, 100 + apart)], bubbles: true, cancelable: true }));
  send('touchstart', from);
  send('touchmove', to);
}"""


def least(page: Page, room: str) -> float:
    return float(page.evaluate(MEASURED, room)["least"])


@pytest.mark.browser
@pytest.mark.parametrize("screen", [PHONE | DARK, DESKTOP | LIGHT])
def test_a_large_map_is_zoomed_and_begins_where_the_car_of_the_reader_is(
    visit: Visit, write: Write, screen: dict[str, Any]
) -> None:
    page = visit(write(adj.open(RALLY).undo(305, "x"), "yellow", since=60), **screen)
    assert page.locator("figure.detail").count() >= 1 and page.locator("figure.board").count() == 1
    assert least(page, "figure.detail") >= 9
    top = page.locator("figure").first.bounding_box()["y"] - page.locator("#position").bounding_box()["y"]
    assert top < 20
    board = page.locator("figure.board").bounding_box()
    assert page.locator(".zoom").bounding_box()["y"] >= board["y"] + board["height"]
    room = page.locator("figure.board").first
    room.scroll_into_view_if_needed()
    car, frame = room.locator("[data-id=yellow]").first.bounding_box(), room.bounding_box()
    assert frame["x"] <= car["x"] <= frame["x"] + frame["width"] and frame["height"] <= 920
    assert frame["y"] <= car["y"] <= frame["y"] + frame["height"]
    assert page.evaluate("(room => room.scrollLeft + room.scrollTop)(document.querySelector('figure.board'))") > 0
    whole = page.evaluate(WIDE)
    larger, smaller = page.get_by_role("button", name="Zoom in"), page.get_by_role("button", name="Zoom out")
    larger.click()
    larger.click()
    assert page.evaluate(WIDE) == pytest.approx(whole * 1.69, rel=0.02)
    assert found_by_axe(page, "color-contrast") == []  # which takes seconds: zoom changes no colour
    smaller.click()
    assert page.evaluate(WIDE) == pytest.approx(whole * 1.3, rel=0.02)
    page.keyboard.press("0")
    room_width = page.evaluate(FITS)
    assert page.evaluate(WIDE) == pytest.approx(room_width, rel=0.02)
    assert smaller.is_disabled()
    larger.focus()
    page.keyboard.press("+")
    assert page.evaluate(WIDE) == pytest.approx(room_width * 1.3, rel=0.02)
    page.keyboard.press("0")
    assert wide(page) <= page.viewport_size["width"]
    page.evaluate(FINGERS, [50, 100])
    assert page.evaluate(WIDE) == pytest.approx(room_width * 2, rel=0.02)


@pytest.mark.browser
def test_the_wheel_zooms_after_a_click_only(visit: Visit, write: Write) -> None:
    page = visit(write(adj.open(RALLY).undo(305, "x"), "yellow"), **DESKTOP)
    whole, picture = page.evaluate(WIDE), page.locator("figure").last
    for is_clicked in (False, True):
        picture.scroll_into_view_if_needed()
        box = picture.bounding_box()
        place = box["x"] + 50, min(max(20, box["y"] + 50), 700)
        page.mouse.click(*place) if is_clicked else page.mouse.move(*place)
        page.mouse.wheel(0, -200)
        assert is_clicked or page.evaluate(WIDE) == whole
    wait_until(page, f"{WIDE} > {whole} * 1.2")


@pytest.mark.browser
def test_a_phone_begins_where_the_piece_of_the_reader_is_and_shows_the_whole_board_at_a_click(
    visit: Visit, write: Write
) -> None:
    """Also on a board that only scrolls sideways; a bystander sees the first player's piece."""
    for name in ("checkpoint-rally/four-players", "great-race/race"):
        found = example(f"{name}/game.json")
        for viewer in (*found.seats, None):
            page = visit(write(found, viewer), **PHONE)
            room = page.locator("figure").first
            piece = room.locator(f"[data-id={viewer or found.seats[0]}]").first.bounding_box()
            frame = room.bounding_box()
            assert frame["x"] <= piece["x"] and piece["x"] + piece["width"] <= frame["x"] + frame["width"]
        if name.startswith("checkpoint"):
            share = "(at => at.firstElementChild.getBoundingClientRect().width / at.clientWidth)"
            share += "(document.querySelector('figure'))"
            assert page.evaluate(share) > 1.3
            page.get_by_role("button", name="Whole picture").first.click()
            assert page.evaluate(share) <= 1.01
            assert page.get_by_role("button", name="Zoom out").first.is_disabled()


@pytest.mark.browser
@pytest.mark.parametrize("turn", [305, 60])
def test_sections_of_a_map_are_side_by_side_on_a_desk_and_on_paper(visit: Visit, write: Write, turn: int) -> None:
    found = adj.open(RALLY).undo(turn, "x")
    page = visit(write(found, found.due_seats[0]), **DESKTOP)
    assert page.locator("figure.detail").first.bounding_box()["width"] <= 480
    page.set_viewport_size({"width": 718, "height": 1046})
    page.emulate_media(media="print")
    assert least(page, "figure.detail") >= 9
    sizes = [figure.bounding_box() for figure in page.locator("figure.detail").all()]
    assert sizes and all(size["width"] <= 718 and size["height"] <= 980 for size in sizes)


# One look for every page


LETTERS = (
    "checkered-flag/race/game.json",
    "checkpoint-charlie/three-players/game.json",
    "checkpoint-rally/four-players/game.json",
    "great-race/race/game.json",
    "rally-round/competition/game.json",
)


@pytest.mark.browser
def test_the_smallest_letters_of_a_board_are_as_large_as_the_page_says(visit: Visit, write: Write) -> None:
    """docs/turn.md has the smallest letters on all boards of a player and of a bystander, on a desk and on a phone."""
    sizes = list[float]()
    for place in LETTERS:
        early = adj.open(ROOT / "examples" / place).undo(3, "an early position")
        for viewer in (early.seats[0], None):
            page = visit(write(early, viewer, since=0))
            for width in (1280, 375):
                page.set_viewport_size({"width": width, "height": 800})
                sizes.append(least(page, "#position figure"))
    said = f"Its smallest letters have {round(min(sizes)):g} pixels"
    assert said in " ".join((ROOT / "docs" / "turn.md").read_text("utf-8").split())


PAGES = ROOT / "adjudicator" / "reports" / "templates"
IDENTITY = (PAGES / "identity.css").read_text("utf-8")


def defined(style: str) -> set[str]:
    return set(re.findall(r"(--[\w-]+):", style))


def test_the_values_of_the_look_are_described_and_have_a_dark_and_a_printed_form() -> None:
    """docs/identity.md is for those who write their own pages with them."""
    document = (ROOT / "docs" / "identity.md").read_text("utf-8")
    assert set(re.findall(r"`(--[\w-]+)`", document)) == defined(IDENTITY)
    light, dark, printed = re.findall(r":root \{(.*?)\}", IDENTITY, re.DOTALL)
    colors = {name for name, _ in re.findall(r"(--[\w-]+): (#\w+);", light)}
    assert colors - defined(dark) == {"--board", "--on-board"}
    assert colors - defined(printed) == {"--board", "--on-board", "--on-accent"}
    page = adj.render(game("checkered-flag").seen_by("red").report(), "html")
    assert defined(IDENTITY) <= defined(page) and page.count("system-ui") == 1
    used = set(re.findall(r"var\((--[\w-]+)", page))
    scripted = {name for name in used if f'"{name}"' in page or f"{name}:" in page or f"'{name}'" in page}
    assert used <= defined(page) | scripted
