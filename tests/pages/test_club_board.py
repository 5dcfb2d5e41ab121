"""The pages of a club in a real browser: log in by a link, play from the board, and use commands as forms.

The board is the page of the desk without its own Python: the server answers. Run it with ``-m browser``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

import adjudicator as adj
from tests.drivers.club import begin
from tests.drivers.pages import DESKTOP, PHONE, choose, found_by_axe, next_order, settle
from tests.drivers.serve import Served, serve_club

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser
Enter = Callable[..., "Page"]
REPORTED = ("Failed to load resource", "Clear-Site-Data header")
"""What a browser reports about each request that fails or is refused, and when the page to log out empties its store."""
METAS = {meta.id: meta for meta in adj.installed_games()}
UNFOLD = "document.querySelectorAll('details').forEach(one => one.open = true)"


@pytest.fixture
def race(tmp_path: Path, desk: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    """Serve the race of Red and Blue, with boards; ``request.param`` is the ruleset of a game that is there, too."""
    club = begin("race", tmp_path)
    if ruleset := getattr(request, "param", ""):
        seats = ("red", "blue", "green")[: max(2, METAS[ruleset].players[0])]
        club.add(ruleset, *seats, game="table")
    club.change("club.toml", "[incoming]", f'[desk]\nfolder = "{desk}"\naddress = "https://desk.example.org/"\n\n[incoming]')
    club.round()
    with serve_club(club) as served:
        yield served


@pytest.fixture
def enter(browser: Browser, race: Served) -> Iterator[Enter]:
    """Log in as a player in a browser of its own; it asks only the server, loads no Python, and reports no error."""
    contexts, said, asked = [], list[str](), set[str]()

    def log_in(who: str = "red", path: str = "/g/race/red", **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.add(request.url))
        page.goto(race.address + race.link(who))
        page.get_by_role("button", name="Log in").click()
        page.wait_for_url("**/me")
        if path != "/me":
            page.goto(race.address + path)
        return page

    yield log_in
    for context in contexts:
        context.close()
    assert [one for one in said if not one.startswith(REPORTED)] == []
    assert {url for url in asked if not url.startswith((race.address, "data:"))} == set()
    files = {urlsplit(url).path.rpartition("/")[2] for url in asked if "/desk/" in url}
    assert files <= {"desk.js", "desk.css"}, "the board needs no Python in the browser"


def write(page: Page, text: str) -> None:
    settle(page)
    page.evaluate(UNFOLD)
    page.locator(".cm-content").fill(text)
    page.get_by_text("No mistake was found.").wait_for()
    settle(page)


def sheet(page: Page) -> str:
    return str(page.locator(".cm-line").all_inner_texts()[0]).strip()


def send(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Send (orders|again)$")).click()


def next_turn(page: Page, race: Served) -> None:
    """Do a round, and let the page look for a new report at once, as when somebody comes back to its tab."""
    race.club.round(after=60)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_orders_are_chosen_on_the_board_and_sent_and_the_other_player_writes_a_mail(race: Served, enter: Enter) -> None:
    page = enter(path="/me")
    page.get_by_role("link", name="race (red)").click()
    page.locator(".desk .headline", has_text="Red (red), it is your turn.").wait_for()
    page.locator(".said.hint").wait_for()
    assert page.title().startswith("Your turn: race (red)")
    order = choose(page)
    settle(page)
    send(page)
    receipt = page.locator(".bar .said.good", has_text="The club found no mistake")
    receipt.wait_for()
    assert order in receipt.inner_text()
    assert sheet(page) == order, "what was sent stays until it is played"
    page.get_by_role("button", name="Send again").wait_for()
    page.reload()
    page.get_by_role("button", name="Send again").wait_for()
    next_turn(page, race)
    page.locator(".log li code", has_text=order).wait_for()
    page.locator(".cm-placeholder").wait_for()
    page.locator(".desk .headline", has_text="Turn 2: Blue (blue) must decide.").wait_for()
    assert race.club.journal("race") == [f"red {order}"]
    race.club.mail("blue", "GEAR 1 go")
    next_turn(page, race)
    page.locator(".desk .headline", has_text="Red (red), it is your turn.").wait_for()


def test_orders_with_a_mistake_get_a_receipt_that_says_so_and_the_text_stays(race: Served, enter: Enter) -> None:
    page = enter()
    settle(page)
    page.locator(".cm-content").fill("GEAR 1\nGAER 2")
    page.locator(".problems li", has_text="Line 2").wait_for()
    send(page)
    page.locator(".bar .said.bad", has_text="None of your orders count yet").wait_for()
    page.get_by_role("button", name="Send orders").wait_for()
    race.club.round()
    assert race.club.journal("race") == []


def test_a_request_whose_answer_was_lost_is_repeated_and_counts_once(race: Served, enter: Enter) -> None:
    page, keys = enter(), list[str]()
    write(page, "GEAR 1 go")

    def lose(route: Route) -> None:
        keys.append(route.request.post_data_json["key"])
        if len(keys) < 3:
            if len(keys) == 1:
                route.fetch()  # the server gets it
            return route.abort("failed")
        return route.continue_()

    page.route("**/orders", lose)
    send(page)
    page.locator(".bar .said.bad", has_text="The club does not answer").wait_for()
    page.reload()
    settle(page)
    assert sheet(page) == "GEAR 1 go"
    send(page)
    page.locator(".bar .said.bad", has_text="The club does not answer").wait_for()
    send(page)
    page.locator(".bar .said.good", has_text="The club found no mistake").wait_for()
    send(page)
    page.locator(".bar .said.good", has_text="The club found no mistake").wait_for()
    assert keys[0] == keys[1] == keys[2]
    race.club.round()
    assert race.club.journal("race") == ["red GEAR 1 go"]


def test_a_club_that_is_busy_gets_the_same_request_again_until_it_has_a_receipt(race: Served, enter: Enter) -> None:
    page, keys = enter(), list[str]()
    page.clock.install()
    write(page, "GEAR 1 go")

    def delay(route: Route) -> None:
        keys.append(route.request.post_data_json["key"])
        if len(keys) == 1:
            return route.fulfill(json={"state": "new", "receipt": "The club is at work.", "problems": []})
        return route.continue_()

    page.route("**/orders", delay)
    send(page)
    page.locator("#status", has_text="the receipt comes soon").wait_for()
    assert page.get_by_role("button", name="Send orders").is_disabled()
    page.clock.run_for(2_000)
    page.locator(".bar .said.good", has_text="The club found no mistake").wait_for()
    assert len(keys) == 2 and keys[0] == keys[1]
    race.club.round()
    page.clock.run_for(30_000)  # the page looks for a new report by itself
    page.locator(".log li code", has_text="GEAR 1 go").wait_for()


def test_a_board_without_its_session_says_so_and_keeps_the_text(race: Served, enter: Enter) -> None:
    page = enter()
    write(page, "GEAR 1 go")
    other = page.context.new_page()
    other.goto(race.address + "/me")
    other.get_by_role("button", name="Log out", exact=True).click()
    other.wait_for_url(race.address + "/")
    assert other.evaluate("localStorage.length") == 0, "the next person at this computer finds no orders"
    send(page)
    page.locator(".bar .said.bad", has_text="You are logged out").wait_for()
    assert sheet(page) == "GEAR 1 go"


@pytest.mark.parametrize("options", [DESKTOP, {**PHONE, "color_scheme": "dark"}], ids=["wide", "phone"])
def test_every_page_is_readable_at_its_width_and_axe_finds_nothing(
    race: Served, enter: Enter, options: dict[str, Any]
) -> None:
    page = enter(path="/me", **options)

    def check(where: str) -> None:
        page.evaluate(UNFOLD)
        assert (where, found_by_axe(page)) == (where, [])
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), where

    for path in ("/me", "/g/race/red/orders", "/g/race/blue"):
        page.goto(race.address + path)
        check(path)
    page.goto(race.address + "/g/race/red")
    write(page, "GEAR 1 go")
    send(page)
    page.locator(".bar .said.good").wait_for()
    check("board")
    page.goto(race.address + "/me")
    page.get_by_role("button", name="Log out everywhere").click()
    page.get_by_role("button", name="Send me a link").wait_for()
    check("log in")
    page.goto(race.address + "/login/unknown")
    check("link")


def test_without_scripts_one_logs_in_sends_orders_and_uses_commands(race: Served, enter: Enter) -> None:
    page = enter(java_script_enabled=False)
    page.get_by_role("link", name="Without it, write your orders in a form").click()
    page.get_by_label("Orders, each on a line").fill("GEAR 1 go")
    page.get_by_role("button", name="Send orders").click()
    receipt = page.locator("[role=status]").inner_text().splitlines()
    assert receipt[2].endswith("GEAR 1 go") and receipt[4].startswith("The club found no mistake")
    page.get_by_role("link", name="Back").click()
    page.locator("summary", has_text="VOTE").click()
    page.locator("details[open]").get_by_role("button", name="Send").click()
    page.locator("[role=status]").wait_for()
    page.get_by_role("link", name="Back").click()
    page.locator("summary", has_text="RESIGN").click()
    page.locator("details[open]").get_by_role("button", name="Send").click()
    assert page.locator("input:invalid").count(), "nobody gives up a seat with one click"
    race.club.round()
    assert race.club.journal("race") == ["red GEAR 1 go"]


def play(page: Page, served: Served, turns: int) -> adj.Game:
    """Play ``turns`` positions of the game `table`, red by clicks and the others by mail, and return it."""
    club = served.club
    for number in range(turns):
        game = club.game("table")
        if game.is_over:
            break
        settle(page)
        for seat in game.due_seats:
            order = next_order(game, seat, number)
            if seat == "red":
                assert choose(page, order) == order
                settle(page)
                send(page)
                page.locator(".bar .said.good", has_text=order).wait_for()
            else:
                club.mail(seat, order, game="table")
        with page.expect_response(lambda found: '"look"' in (found.request.post_data or "")):
            next_turn(page, served)
        page.locator(".cm-placeholder").wait_for(state="attached")  # what was played is no longer on the sheet
    return club.game("table")


@pytest.mark.parametrize("race", METAS, indirect=True)
def test_turns_of_every_game_are_played_by_clicks_while_the_others_write_mails(race: Served, enter: Enter) -> None:
    page = enter(path="/g/table/red", **DESKTOP)
    assert len(play(page, race, 5).record.journal) > 5


@pytest.mark.soak
@pytest.mark.parametrize("race", METAS, indirect=True)
def test_a_whole_game_is_played_by_clicks_while_the_others_write_mails(race: Served, enter: Enter) -> None:
    page = enter(path="/g/table/red", **DESKTOP)
    game = play(page, race, 1_000)
    assert game.is_over and game.audit().is_verified
    page.locator(".desk .headline", has_text="The game is over.").wait_for()
