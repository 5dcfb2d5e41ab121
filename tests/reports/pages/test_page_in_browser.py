"""The page of a report in a real browser, on a phone and on a desk, in light and in dark: it loads and says nothing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from narrow import check_phone

from adjudicator.core.ids import MODERATOR
from adjudicator.reporting import report_for
from adjudicator.reports.pages.report_html import report_html
from adjudicator.rulesets import metas, ruleset
from adjudicator.session import Session
from adjudicator.testing.games import play_games

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., "Page"]
Violations = Callable[["Page"], list[str]]
GAMES = [name for name, _ in metas()]
SCREENS: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
    "desk": {"viewport": {"width": 1280, "height": 800}},
}
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
LETTERS = """() => {
  const size = (text, at) => {
    const {a, b, c, d} = at.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(a * d - b * c));
  };
  const all = [...document.querySelectorAll('figure svg :is(text, use)')].filter(one => !one.closest('defs'));
  return all.flatMap(one => one.localName == 'text' ? [size(one, one)]
    : [...document.querySelectorAll(one.getAttribute('href') + ' text')].map(text => size(text, one)));
}"""
"""The sizes of all letters on boards in pixels of the screen."""
SHRUNK = """() => [...document.querySelectorAll('figure:not(.huge, .detail) svg')].filter(one => {
  const {width, height} = one.getBoundingClientRect(), {width: wide, height: high} = one.viewBox.baseVal;
  return width < Math.min(wide, one.parentElement.clientWidth) - 1 || Math.min(width / wide, height / high) < 0.99;
}).map(one => one.querySelector('title').textContent)"""
"""The boards that a desk shows much smaller than they are drawn."""
HOSTILE = "<script>document.title='owned'</script><img src=x onerror=alert(1)>]]>{{ 7 * 7 }}\u202e\u0007" + "x" * 10_000


@pytest.fixture(scope="module", params=GAMES)
def session(request: pytest.FixtureRequest) -> Session:
    """Return a game in its middle."""
    moments = list(play_games(ruleset(request.param), 2, most_orders=30, options=[{}]).sampled(8))
    moment = moments[len(moments) // 2]
    return moment.session.with_game(moment.game)


@pytest.fixture
def page_file(tmp_path: Path) -> Callable[..., Path]:
    """Write the report to a viewer as a page."""

    def write(session: Session, viewer: Any, change: Callable[[str], str] = str) -> Path:
        path = tmp_path / "report.html"
        path.write_text(change(report_html(report_for(session, viewer, 0))), "utf-8")
        return path

    return write


@pytest.mark.parametrize("look", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_everybody_can_use_it(
    visit: Visit, violations: Violations, page_file: Callable[..., Path], session: Session, look: int
) -> None:
    """Every other game on a phone, the others on a desk; the long runs look at them the other way round, too."""
    screen, scheme = (("phone", "dark"), ("desk", "light"))[(GAMES.index(session.rules.meta.id) + look) % 2]
    path = page_file(session, session.seats[0])
    page = visit(path, color_scheme=scheme, **SCREENS[screen])
    for folded in page.locator("summary").all():
        folded.click()
    assert violations(page) == []
    width = SCREENS[screen]["viewport"]["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width, "the page itself need not be scrolled sideways"
    check_order(page)
    shade = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, shade[4:-1].split(","))) < 384) == (scheme == "dark")


def check_order(page: Page) -> None:
    """Check that headings and pictures make sense to somebody who hears them one after another."""
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(one => Number(one.tagName[1]))")
    assert levels[0] == 1 and {*levels[1:]} == {2}
    pictures = page.locator("svg:not([aria-hidden])")
    for at in range(pictures.count()):
        assert pictures.nth(at).get_attribute("role") == "img"
        assert pictures.nth(at).locator("title").first.text_content()


def seat_asked(session: Session) -> Any:
    """Return the first seat that has to decide something."""
    return session.rules.awaiting(session.config, session.game.state)[0].seat


def test_the_board_is_first_and_its_legend_close_below_it(
    visit: Visit, page_file: Callable[..., Path], session: Session
) -> None:
    seat = seat_asked(session)
    page = visit(page_file(session, seat), **SCREENS["desk"])
    assert "it is your turn: " in page.locator("h1").inner_text()
    board = page.locator(".boards > :first-child").bounding_box()
    assert board is not None
    assert board["y"] < 400
    assert board["width"] > 700
    assert page.evaluate(SHRUNK) == []
    titles = page.evaluate("[...document.querySelectorAll('section')].map(one => one.id)")
    order = [name for name in ("to-do", "position", "log", "legal", "form", "standings", "tables") if name in titles]
    assert titles[:2] == ["to-do", "position"]
    assert sorted(order, key=titles.index) == order
    legend = page.locator(".legend").bounding_box()
    shown = [box for box in (one.bounding_box() for one in page.locator(".boards figure, .zoom").all()) if box is not None]
    assert legend is not None
    assert 0 <= legend["y"] - max(box["y"] + box["height"] for box in shown) <= 24


@pytest.mark.parametrize(("screen", "across", "least"), [("desk", 8, 1000), ("phone", 4, 320)])
def test_the_suspects_are_a_wall_of_cards_in_full_width(
    visit: Visit, page_file: Callable[..., Path], screen: str, across: int, least: int
) -> None:
    moment = next(iter(play_games(ruleset("checkpoint-charlie"), 1, most_orders=10, options=[{}]).sampled(2)))
    session = moment.session.with_game(moment.game)
    page = visit(page_file(session, session.seats[0]), **SCREENS[screen])
    wall = page.locator(".boards > figure").first
    box = wall.bounding_box()
    assert box is not None
    assert wall.get_attribute("aria-label") == "Suspects" and box["width"] >= least
    cards = [card for card in (one.bounding_box() for one in wall.locator("[data-id]").all()) if card is not None]
    lefts = {round(card["x"] / 2) for card in cards}
    assert (len(cards), len(lefts)) == (32, across)
    assert max(card["x"] + card["width"] for card in cards) >= box["x"] + box["width"] - 10, (
        "no room is left over beside them"
    )
    assert all(card["width"] >= 75 and card["height"] >= 70 for card in cards)


def test_a_phone_cuts_nothing_and_shows_letters_of_ten_pixels(
    visit: Visit, page_file: Callable[..., Path], session: Session
) -> None:
    page = visit(page_file(session, seat_asked(session)), **SCREENS["phone"])
    for folded in page.locator("summary").all():
        folded.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.evaluate(OVERFLOWS) == []
    sizes = page.evaluate(LETTERS)
    assert sizes
    assert min(sizes) >= 9.95
    boards = [box for box in (figure.bounding_box() for figure in page.locator("figure").all()) if box is not None]
    tops = [box["y"] for box in boards]
    assert tops == sorted(tops), "panels are below the board"
    for first, second in pairwise(boards):
        is_below = first["y"] + first["height"] <= second["y"]
        assert is_below or (first["y"] == second["y"] and first["x"] + first["width"] <= second["x"])
    check_phone(page, session.rules.meta.id, "figure")


@pytest.mark.soak
@pytest.mark.parametrize("viewer", [None, MODERATOR], ids=["bystander", "moderator"])
def test_it_is_read_in_an_order_that_makes_sense(
    visit: Visit, page_file: Callable[..., Path], session: Session, viewer: Any
) -> None:
    check_order(visit(page_file(session, viewer)))


def test_on_paper_everything_is_black_on_white_and_nothing_is_cut_off(
    visit: Visit, page_file: Callable[..., Path], session: Session
) -> None:
    page = visit(page_file(session, session.seats[0]), color_scheme="dark", **SCREENS["desk"])
    page.emulate_media(media="print", color_scheme="light")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    cut = "[...document.querySelectorAll('.wide, pre, figure')].filter(one => getComputedStyle(one).overflowX != 'visible')"
    assert page.evaluate(f"{cut}.length") == 0
    assert page.pdf()[:5] == b"%PDF-"


def test_what_players_write_is_only_read(visit: Visit, violations: Violations, page_file: Callable[..., Path]) -> None:
    from dataclasses import replace

    from adjudicator.outputs.report import Mails

    moments = list(play_games(ruleset("checkpoint-rally"), 1, most_orders=10, options=[{}]).sampled(2))
    session = moments[0].session.with_game(moments[0].game)
    report = replace(report_for(session, session.seats[0], 0), mails=Mails(notes=(HOSTILE,)), out=HOSTILE)
    path = page_file(session, None)
    path.write_text(report_html(report), "utf-8")
    page = visit(path, **SCREENS["phone"])
    assert "owned" not in page.title()
    assert page.locator("main script, main img").count() == 0
    assert page.locator("script").count() == 1, "that of zoom"
    assert "<script>document.title" in page.locator("body").inner_text()
    assert "{{ 7 * 7 }}" in page.locator("body").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert violations(page) == []
