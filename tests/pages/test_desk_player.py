"""The desk in a real browser with its real runtime: one plays by clicking and by typing, and works offline.

Run it with ``-m browser``; whole games of every ruleset by clicks alone are marked ``soak``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import pytest

import adjudicator as adj
from tests.drivers.club import Club
from tests.drivers.commands import called
from tests.drivers.pages import (
    PHONE,
    Visit,
    begun,
    candidate,
    choose,
    found_by_axe,
    least_letters,
    next_order,
    settle,
    tab_to,
    wait_until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
SMALLEST_BOARD = 300  # elements and texts: fewer than any board has
NAMES = {meta.id: meta.name for meta in adj.installed_games()}


def practice(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Play one seat of {NAMES[name]}").click()
    page.locator(".desk .branch").first.wait_for(timeout=120_000)


def play(page: Page) -> None:
    """Play the orders on the sheet, and wait until the log has them."""
    settle(page)
    page.get_by_role("button", name="Play these orders").click()
    page.get_by_role("button", name="Play these orders").wait_for(state="detached", timeout=120_000)
    settle(page)


def test_a_turn_of_every_game_is_played_with_clicks(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    for name in NAMES:
        practice(page, name)
        for _ in range(2):
            choose(page)
            page.get_by_text("No mistake was found.").wait_for()
            play(page)
            page.wait_for_selector(".desk .branch", timeout=120_000)
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Close", exact=True).click()
        page.locator(".welcome").wait_for()


def typed(page: Page, order: str) -> str:
    settle(page)
    page.locator(".cm-content").fill(order)
    page.locator(".verdict .good").wait_for()
    return order


def clicked(page: Page, order: str) -> str:
    return choose(page, order) + "\n"


def play_by(write: Callable[[Page, str], str], page: Page, name: str, orders: int, folder: Path) -> None:
    """Play ``orders`` of all seats; the file that the desk saves is that of the command line, byte for byte."""
    page.get_by_role("button", name=f"Play all seats of {NAMES[name]}").click()
    page.wait_for_selector(".desk .branch", timeout=120_000)
    seats = page.locator("#viewer option").evaluate_all("all => all.map(one => one.value)")
    file, sheet = folder / "game.json", folder / "orders.txt"
    secret = str(adj.new(name, {seat: seat.title() for seat in seats}, seed=7).secret)
    players = [word for seat in seats for word in ("--seat", f"{seat}={seat.title()}")]
    done = called(["new", name, *players, "--id", f"practice-{name}", "--seed", secret, "-o", str(file)])
    for number in range(orders):
        assert done.exit_code == 0, done.output
        game = adj.open(file)
        if game.is_over:
            break
        seat = page.locator("#viewer").input_value()
        sheet.write_text(write(page, next_order(game, seat, number)))
        play(page)
        done = called(["apply", str(file), f"{seat}={sheet}"])
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the game").click()
    assert Path(saved.value.path()).read_bytes() == file.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_orders_are_chosen_by_clicks_alone(at_desk: Visit, name: str, tmp_path: Path) -> None:
    play_by(clicked, at_desk("#seed=7"), name, 8, tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_is_played_by_clicks_alone(at_desk: Visit, name: str, tmp_path: Path) -> None:
    play_by(clicked, at_desk("#seed=7"), name, 2000, tmp_path)


@pytest.mark.soak
def test_a_whole_game_is_played_by_typing(at_desk: Visit, tmp_path: Path) -> None:
    play_by(typed, at_desk("#seed=7"), "checkered-flag", 1000, tmp_path)


def test_the_cost_of_each_line_is_beside_it_and_in_words(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    page.get_by_role("button", name="Play all seats of Checkpoint Rally").click()
    settle(page)
    seat = page.locator("#viewer").input_value()
    order = adj.new("checkpoint-rally", ["red", "blue"], seed=7).seen_by(seat).legal[0].order
    page.locator(".cm-content").fill(f"# later\n{order}\nDRAW")
    beside = page.locator(".cm-prices .cm-gutterElement:not([style*='hidden'])")
    beside.filter(has_text="?").wait_for()
    cost = beside.first.inner_text()
    assert re.fullmatch(r"\d+ min → \d+", cost)
    assert page.locator(".cm-content", has_text=cost).count() == 0, "costs are no part of the text"
    words = page.locator(".costs").text_content()
    assert f"Line 2: {cost.replace(' →', ', clock')}." in words
    assert "The cost of line 3 is not known. Chance " in words


def completes(page: Page) -> None:
    """Orders, headers and words are completed where they fit."""
    editor, offered = page.locator(".cm-content"), page.locator(".cm-tooltip-autocomplete li")

    def completed(text: str, wanted: str, back: int = 0) -> str:
        editor.press("Control+a")  # `fill` can come between two steps of the editor, which then keeps its text
        editor.press("Delete")
        editor.press_sequentially(text)
        for _ in range(back):
            editor.press("ArrowLeft")
        editor.press("Control+Space")
        before = editor.text_content()
        while editor.text_content() == before:  # the editor takes no click on a list that it has only just shown
            offered.filter(has_text=wanted).first.click()
        return str(editor.text_content())

    order = "GEAR 1"
    verb, rest = order.split(" ", 1)
    assert completed(order[:2].lower(), order) == order
    assert completed(f"{verb[:2]} {rest}", order, back=len(rest) + 1) == order
    assert completed(f"{verb}  ", order) == order
    assert completed(f"{order} or {verb}", order) == f"{order} or {order}"
    assert re.fullmatch(r"turn \d+", completed("tu", "turn "))
    assert completed("re", "red:") == "red:"
    assert completed("withd", "withdraw") == "withdraw"
    assert completed(f"{order} i", "IF") == f"{order} IF"
    assert page.locator(".k").first.inner_text() == verb
    assert page.locator(".o").all_inner_texts() == ["IF"]


def underlines(page: Page) -> None:
    """Mistakes are underlined while one types, and mended with one click."""
    editor = page.locator(".cm-content")
    editor.click()
    editor.type("GAER 1")
    page.locator(".problems li", has_text="Line 1").wait_for()
    page.locator(".cm-lintRange-error").first.hover()
    page.locator(".cm-diagnosticAction", has_text="GEAR 1").first.click()
    page.get_by_text("No mistake was found.").wait_for()
    assert editor.inner_text().strip() == "GEAR 1"
    editor.press("Control+End")
    editor.type("\nPLOUGH 2")
    page.locator(".verdict li", has_text="Line 2: The program ignores this line: not understood.").wait_for()
    assert page.get_by_text("No mistake was found.").count() == 0


def replaces(page: Page) -> None:
    """Typing replaces a selection of several lines without a style."""
    editor = page.locator(".cm-content")
    editor.click()
    editor.type("GEAR 1\nGEAR 2")
    editor.press("Control+A")
    editor.type("HOLD")
    assert editor.inner_text().strip() == "HOLD"
    editor.press("Control+Z")
    assert editor.inner_text().split() == ["GEAR", "1", "GEAR", "2"]


def plays_nothing(page: Page) -> None:
    """Without orders nothing is played, and the bar says so."""
    assert page.get_by_role("button", name="Play these orders").count() == 0
    for text, told in (
        ("thanks, see you", "There are no orders: write one, or choose one from the list."),
        ("GEAR 99", "Applied: 0 orders. Mistakes: 1. Line 1: "),
    ):
        page.locator(".cm-content").fill(text)
        page.get_by_role("button", name="Play these orders").click()
        page.locator("#status.bad", has_text=told).wait_for()
        assert page.locator(".unsaved").is_hidden()
    assert page.locator("#status", has_text="Mistakes").inner_text() != "Applied: 0 orders. Mistakes: 1."


def test_the_editor_completes_underlines_and_plays_only_orders(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    practice(page, "checkered-flag")
    for part in (completes, underlines, replaces, plays_nothing):
        page.locator(".cm-content").fill("")
        part(page)


def test_one_person_plays_all_seats_each_with_its_own_knowledge_and_sees_what_is_new(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    page.get_by_role("button", name="Play all seats of Checkpoint Rally").click()
    game = adj.new("checkpoint-rally", {"red": "Red", "blue": "Blue"}, id="practice-checkpoint-rally", seed=7)
    for _ in range(3):
        page.locator(".headline", has_text="it is your turn").wait_for()
        settle(page)
        viewer = page.locator("#viewer").input_value()
        seats = [row.seat for row in game.seen_by(viewer).log()]
        has_news = viewer in seats and seats[-1] != viewer
        assert page.get_by_role("heading", name="Since your last order").count() == has_news
        hands = {racer.seat: racer.hand for racer in game.seen_by("moderator").position.view.state.racers}
        shown = set(page.locator(".figures [data-id]").evaluate_all("places => places.map(place => place.dataset.id)"))
        assert {seat for seat, hand in hands.items() if shown & set(hand)} == {viewer}
        game = game.apply({viewer: choose(page)}).game
        page.get_by_text("No mistake was found.").wait_for()
        page.evaluate("document.getElementById('status').textContent = ''")
        page.get_by_role("button", name="Play these orders").click()
        page.locator("#status", has_text="Now it is").wait_for()
    page.locator(".cm-content").fill("DRAW")
    before = page.locator("#viewer").input_value()
    page.locator("#viewer").select_option("blue" if before == "red" else "red")
    page.locator(".headline", has_text="must decide").wait_for()
    assert page.locator(".cm-placeholder").count() == 1, "each seat has a text of its own"


def test_a_game_for_practice_that_is_not_saved_says_so_and_asks_before_it_closes(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    practice(page, "checkered-flag")
    assert page.locator(".unsaved").is_hidden(), "a game without a move of the person is no loss"
    choose(page)
    page.get_by_role("button", name="Play these orders").click()
    page.locator(".unsaved", has_text="Not saved").wait_for()
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.get_by_role("button", name="Close", exact=True).click()
    with page.expect_event("dialog"):
        page.close(run_before_unload=True)
    assert asked == ["confirm", "beforeunload"]
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the game").click()
    page.locator(".unsaved").wait_for(state="hidden")
    assert adj.open(saved.value.path()).turn > 1
    page.get_by_role("button", name="Close", exact=True).click()
    page.locator(".welcome").wait_for()
    assert len(asked) == 2


@pytest.mark.parametrize("link", ["http://[", "http://other.example/a.json"])
def test_a_link_that_names_no_file_of_the_host_is_explained(at_desk: Visit, link: str) -> None:
    page = at_desk(f"#file={link}")
    page.locator("#status.bad", has_text="This link names no file of this host").wait_for()
    practice(page, "checkered-flag")


def test_a_seat_may_have_the_name_of_anything_in_the_browser(at_desk: Visit, tmp_path: Path) -> None:
    game = adj.new("checkered-flag", {"constructor": "", "tostring": ""}, id="constructor", seed=3)
    path = tmp_path / "constructor.json"
    path.write_bytes(game.to_bytes())
    page = at_desk()
    page.set_input_files("#file", path)
    page.locator(".desk .headline", has_text=f"Turn 1: {game.due_seats[0]} must decide.").wait_for()
    assert page.locator("#viewer option").all_inner_texts() == ["moderator", *game.seats]
    page.get_by_text("Mails to the players").click()
    page.locator(".letters strong").nth(1).wait_for()
    assert page.locator(".letters strong").all_inner_texts() == list(game.seats)
    assert page.locator(".letters input").evaluate_all("inputs => inputs.map(input => input.value)") == ["", ""]


def test_a_players_own_file_gives_the_board_and_a_mail(at_desk: Visit, tmp_path: Path) -> None:
    game = adj.new("checkpoint-charlie", {"red": "Ann <b>", "blue": "Bob <b>", "green": "Cleo <b>"}, id="spies", seed=3)
    seat = game.due_seats[0]
    path = tmp_path / "own.json"
    path.write_bytes(game.seen_by(seat).own_file())
    page = at_desk()
    page.set_input_files("#file", path)
    page.locator(".desk .branch").first.wait_for()
    assert "<b>" in page.locator(".headline").inner_text()
    assert page.get_by_role("button", name="Save the game").count() == 0
    choose(page)
    settle(page)
    link = page.get_by_role("link", name="Write a mail").get_attribute("href")
    assert link.startswith("mailto:?subject=spies%20turn%201&body=game%20spies%20%7C")


def kept_in_memory(page: Page) -> tuple[int, int]:
    """Return how many listeners the window of ``page`` has, and how many elements and texts the browser keeps for it.

    What ``page.wait_for_selector`` returns keeps its element, and with it the whole table: use locators before.
    """
    devtools = page.context.new_cdp_session(page)
    window = devtools.send("Runtime.evaluate", {"expression": "window"})["result"]["objectId"]
    listeners = devtools.send("DOMDebugger.getEventListeners", {"objectId": window})["listeners"]
    devtools.send("Runtime.releaseObject", {"objectId": window})
    for _ in range(3):  # what one round frees may hold more
        devtools.send("HeapProfiler.collectGarbage")
    nodes = devtools.send("Memory.getDOMCounters")["nodes"]
    devtools.detach()
    lasting = [one for one in listeners if one["type"] != "beforeunload"]  # it is there while the desk is saving
    return len(lasting), nodes


def test_a_table_keeps_no_earlier_boards_and_nothing_stays_of_one_that_is_closed(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    closed = []
    for _ in range(2):
        practice(page, "rally-round")
        choose(page)
        play(page)
        playing = []
        for _ in range(3):
            for name in ("Undo", "Redo"):
                page.get_by_role("button", name=name, exact=True).click()
                settle(page)
            playing.append(kept_in_memory(page))
        _, before, after = playing  # during the first, the page may still finish what it began with the game
        assert after[0] == before[0]
        assert after[1] < before[1] + SMALLEST_BOARD
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Close", exact=True).click()
        page.locator(".welcome .game").first.wait_for()
        closed.append(kept_in_memory(page))
    assert closed[0][0] == closed[1][0]
    assert closed[1][1] < closed[0][1] + SMALLEST_BOARD


def test_it_works_without_a_network_after_the_first_visit(at_desk: Visit) -> None:
    page = at_desk()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=120_000)
    practice(page, "checkered-flag")


def test_a_damaged_file_gives_an_error_in_words(at_desk: Visit, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text('{"format": 2, "game": "<img src=x onerror=alert(1)>"}')
    page = at_desk()
    page.set_input_files("#file", path)
    page.locator("#status.bad").wait_for()
    assert page.locator("main img").count() == 0


def test_recorded_games_are_audited_and_opened(at_desk: Visit, tmp_path: Path) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=3)
    end = game.apply({game.due_seats[0]: "GEAR 1"}).game
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(end.to_bytes())
    bad.write_bytes(end.to_bytes().replace(b"GEAR 1", b"GEAR N"))
    page = at_desk()
    page.set_input_files(".drop.small input", [good, bad])
    page.locator(".verdicts .good", has_text="verified").wait_for()
    page.locator(".verdicts .bad", has_text="bad.json").wait_for()
    page.get_by_role("button", name="Look at good.json").click()
    page.locator(".log li", has_text="GEAR 1").wait_for()


def test_drafts_are_kept_side_by_side_and_for_the_next_visit(at_desk: Visit, tmp_path: Path) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=3)
    file = tmp_path / "own.json"
    file.write_bytes(game.seen_by(game.due_seats[0]).own_file())
    page = at_desk()
    page.set_input_files("#file", file)
    editor = page.locator(".cm-content")
    editor.click()
    editor.type("GEAR 1")
    # The editor reads what is typed a moment later.
    wait_until(page, "JSON.stringify(localStorage).includes('GEAR 1')")
    page.get_by_role("button", name="New draft").click()
    editor.click()
    editor.press("Control+End")
    editor.type(" go")
    wait_until(page, "JSON.stringify(localStorage).includes('GEAR 1 go')")
    page.get_by_role("button", name="Draft 1").click()
    assert editor.inner_text().strip() == "GEAR 1"
    page.reload()
    page.wait_for_selector("body[data-ready]", timeout=120_000)
    page.set_input_files("#file", file)
    page.get_by_role("button", name="Draft 2").click()
    assert editor.inner_text().strip() == "GEAR 1 go"


def test_a_lesson_tells_whether_orders_solve_its_task(at_desk: Visit) -> None:
    page = at_desk("#lesson=checkered-flag")
    page.locator(".cm-content").fill("GEAR 3")
    page.get_by_role("button", name="Check my answer").click()
    page.locator(".bar .bad", has_text="Not yet").wait_for()
    page.get_by_role("button", name="Show an answer").click()
    page.get_by_role("button", name="Check my answer").click()
    page.locator(".bar .good", has_text="Right").wait_for()
    page.get_by_role("button", name="Next task").click()
    page.get_by_role("heading", name="Task 2 of 10").wait_for()


def test_a_report_beside_the_file_is_shown_while_python_loads(desk: Path, at_desk: Visit) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=3)
    folder = desk / "games"
    folder.mkdir()
    (folder / "own.json").write_bytes(game.seen_by("red").own_file())
    (folder / "own.html").write_text(adj.render(game.seen_by("red").report(), "html"), "utf-8")
    page = at_desk("#file=games/own.json", waits=False)
    page.frame_locator("iframe.report").locator("h1").first.wait_for()
    page.wait_for_selector("body[data-ready]", timeout=120_000)
    page.locator(".desk .headline").wait_for()


def test_the_link_in_a_report_of_a_club_opens_the_game_as_it_is_now(
    at_desk: Visit, desk: Path, desk_address: str, tmp_path: Path
) -> None:
    club = Club(tmp_path)
    club.club("init", "--name", "Thursday", "--address", "club@example.org", "--moderator", "gm@example.org")
    club.change("club.toml", "[incoming]", f'[desk]\nfolder = "{desk}"\naddress = "{desk_address}"\n\n[incoming]')
    club.add("checkered-flag", "red", "blue", game="race")
    club.round()
    first = club.game("race").due_seats[0]
    other = "blue" if first == "red" else "red"
    letter = next(one for one in club.new if one.to == first and desk_address in one.text)
    link = re.search(rf"{re.escape(desk_address)}\S+", letter.text)
    assert link is not None
    page = at_desk(link[0].removeprefix(desk_address), waits=False)
    page.frame_locator("iframe.report").locator("h1").first.wait_for()
    page.locator(".desk .headline", has_text=f"{first.title()} ({first}), it is your turn.").wait_for(timeout=120_000)
    page.locator(".cm-content").fill("GEAR 1 go")
    page.get_by_text("No mistake was found.").wait_for()
    to, headers, body = mail_of(page)
    assert to == "club@example.org"
    club.mail(first, body.replace("\r\n", " "), game="new", **headers)  # as some mail programs join the lines
    club.round(after=60)
    page.reload()
    page.locator(".desk .headline", has_text=f"{other.title()} ({other}) must decide.").wait_for(timeout=120_000)


def mail_of(page: Page) -> tuple[str, dict[str, str], str]:
    """Return the address, the headers and the body of the mail that the desk begins."""
    link = urlsplit(page.get_by_role("link", name="Write a mail").get_attribute("href"))
    given = dict(parse_qsl(link.query, strict_parsing=True))
    return link.path, {"Subject": given["subject"]}, given["body"]


def test_the_browser_keeps_where_orders_go_but_tells_no_server(at_desk: Visit, desk: Path, tmp_path: Path) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id="race", seed=3)
    (tmp_path / "own.json").write_bytes(game.seen_by("red").own_file())
    (desk / "race.json").write_bytes(game.seen_by("red").own_file())
    (desk / "race.html").write_text(adj.render(game.seen_by("red").report(), "html"), "utf-8")
    page = at_desk()
    sent = list[str]()
    page.on("request", lambda request: sent.append(f"{request.url.partition('#')[0]} {request.all_headers()}"))
    page.evaluate("location.hash = 'file=race.json&to=club@example.org&token=abcd-2345'")  # a link in the same tab
    page.locator(".desk .headline").wait_for()
    page.get_by_role("link", name="Skip to the game").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash").startswith("#file=")
    page.reload()
    page.locator(".desk .headline").wait_for(timeout=120_000)
    assert mail_of(page)[:2] == ("club@example.org", {"Subject": "[race/red#abcd-2345] turn 1"})
    link = page.url
    page.goto(link.partition("#")[0])
    page.set_input_files("#file", tmp_path / "own.json")
    page.locator(".desk .headline").wait_for(timeout=120_000)
    assert mail_of(page)[0] == "club@example.org"
    page.goto(link)
    page.reload()
    page.locator(".desk .headline").wait_for(timeout=120_000)
    page.get_by_role("button", name="Close", exact=True).click()
    assert "#" not in page.url, "the same link would do nothing"
    assert sent
    assert not [one for one in sent if "abcd-2345" in one or "example.org" in one]


def test_a_turn_is_played_on_a_narrow_screen_with_the_keyboard_alone(at_desk: Visit) -> None:
    page = at_desk("#seed=7", viewport={"width": 375, "height": 800})
    page.get_by_role("button", name="Play one seat of Checkered Flag").wait_for()
    assert found_by_axe(page) == []
    tab_to(page, "Play one seat of Checkered Flag")
    page.keyboard.press("Enter")
    page.wait_for_selector(".desk .branch", timeout=120_000)
    assert found_by_axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    before = page.locator(".log ol > li").count()
    tab_to(page, "|branch")
    while not candidate(page):
        page.keyboard.press("Enter")
        settle(page)
        tab_to(page, "|primary" if candidate(page) else "|branch")
    assert found_by_axe(page) == []
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play these orders").wait_for()
    tab_to(page, "Play these orders")
    page.keyboard.press("Enter")
    page.locator(".log ol > li").nth(before).wait_for(state="attached")


def test_a_tile_lies_on_the_board_as_a_ghost_and_turns_with_the_cost(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    page.get_by_role("button", name="Play all seats of Checkpoint Rally").click()
    page.wait_for_selector(".desk .branch", timeout=120_000)
    seat = page.locator("#viewer").input_value()
    legal = adj.new("checkpoint-rally", ["red", "blue"], seed=7).seen_by(seat).legal
    tile, cell = legal[0].order.split()[1:4:2]
    costs = {row.order: row for row in legal if row.order.startswith(f"PLACE {tile} at {cell} ")}
    page.locator(f'.hand [data-id="{tile}"].offered').click()
    seen = set()
    for key in ("r", "R", "", ""):
        settle(page)
        order = candidate(page)
        seen.add(order)
        assert page.locator(".ghost", has_text=tile).count()
        assert page.locator(".candidate .cost").inner_text() == f"{costs[order].min} min"
        rules = [part.rule for part in costs[order].why]
        assert page.locator(".bar .terms .rule").all_inner_texts() == rules
        if key:
            page.keyboard.press(key)
        else:
            page.locator(f'.board [data-id="{cell}"].chosen').last.click()
    assert len(seen) == 4
    page.locator(".bar .terms .rule").first.click()
    page.get_by_role("dialog", name="Rule CR-P1").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    settle(page)
    assert candidate(page) == ""
    assert page.locator(".ghost").count() == 0


def test_an_order_that_was_confirmed_is_on_the_board_and_can_be_undone(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    practice(page, "checkered-flag")
    first = choose(page)
    settle(page)
    page.locator(".supposed").wait_for()
    assert page.locator(".cm-content").inner_text().strip() == first
    page.get_by_role("button", name="Undo").click()
    settle(page)
    assert page.locator(".supposed").count() == 0
    assert page.locator(".cm-placeholder").count() == 1


def test_an_entry_of_the_log_says_why_and_opens_the_board_of_its_moment(at_desk: Visit, tmp_path: Path) -> None:
    game = begun("checkpoint-rally", orders=12)
    seat = game.due_seats[0]
    (tmp_path / "own.json").write_bytes(game.seen_by(seat).own_file())
    page = at_desk()
    page.set_input_files("#file", tmp_path / "own.json")
    settle(page)
    row = next(row for row in reversed(game.seen_by(seat).log()) if row.seat == seat and row.why)
    entry = page.locator(".log ol > li", has=page.locator(".number", has_text=re.compile(rf"^{row.n}$")))
    assert entry.locator(".rule").all_inner_texts() == [part.rule for part in row.why]
    entry.get_by_role("button", name=f"Board after entry {row.n}").click()
    page.locator(".headline", has_text=f"After entry {row.n}").wait_for()
    assert page.locator(".figures .offered").count() == 0
    page.get_by_role("button", name="One entry back").click()
    page.locator(".headline", has_text=f"After entry {row.n - 1}").wait_for()
    page.get_by_role("button", name="Back to now").click()
    page.locator(".headline", has_text="it is your turn").wait_for()
    asked = page.locator(".asked").inner_text()
    entry.get_by_role("button", name=f"Board after entry {row.n}").click()
    page.locator(".headline", has_text="After entry").wait_for()
    assert page.locator(".asked").inner_text() == asked, "the bar is about the present"
    page.locator(".branch").first.click()
    page.locator(".headline", has_text="After entry").wait_for(state="detached")
    page.get_by_role("button", name="Cancel").click()
    entry.get_by_role("button", name=f"Board after entry {row.n}").click()
    page.get_by_role("button", name="Play on from here").click()
    page.locator(".unsaved").wait_for()
    settle(page)
    assert "+" not in page.locator(".standings").inner_text(), "another game has no earlier scores"
    choose(page)
    play(page)


def test_a_note_is_no_mistake_and_is_in_the_log_beside_its_order(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    practice(page, "checkered-flag")
    page.locator(".cm-content").fill("NOTE he will brake\nGEAR 1 go")
    page.get_by_text("No mistake was found.").wait_for()
    assert page.locator(".c").all_inner_texts() == ["NOTE he will brake"]
    play(page)
    entry = page.locator(".log li", has=page.locator(".note", has_text="he will brake"))
    assert entry.locator("code").first.inner_text() == "GEAR 1 go"


def test_the_board_marks_what_others_did_and_is_zoomed_with_buttons_and_keys(at_desk: Visit) -> None:
    page = at_desk("#seed=7")
    practice(page, "checkered-flag")
    choose(page)
    play(page)
    page.locator(".board .new").first.wait_for()
    board, width = page.locator(".board .figures"), page.locator(".board figure svg").first
    before = width.bounding_box()["width"]
    page.get_by_role("button", name="Zoom in (+)").first.click()
    larger = width.bounding_box()["width"]
    assert larger > before
    board.focus()
    page.keyboard.press("+")
    assert width.bounding_box()["width"] > larger
    page.keyboard.press("0")
    assert width.bounding_box()["width"] <= before


@pytest.mark.parametrize("name", NAMES)
def test_words_are_readable_and_the_log_begins_on_the_second_screen_of_a_phone(at_desk: Visit, name: str) -> None:
    page = at_desk("#seed=7", **PHONE)
    practice(page, name)
    settle(page)
    for width in (375, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert least_letters(page, ".figures figure") >= 9.95
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.set_viewport_size({"width": 375, "height": 740})
    tops = [page.locator(one).first.bounding_box()["y"] for one in (".board .figures", ".bar", ".hand", ".log")]
    assert tops == sorted(tops)
    assert tops[-1] < 2 * 740


def test_a_moment_of_the_log_is_beside_its_slider_on_a_phone(at_desk: Visit, tmp_path: Path) -> None:
    game = begun("checkpoint-rally", orders=6)
    (tmp_path / "own.json").write_bytes(game.seen_by(game.due_seats[0]).own_file())
    page = at_desk(**PHONE)
    page.set_input_files("#file", tmp_path / "own.json")
    settle(page)
    page.locator(".log .moment").first.click()
    page.locator("p.past").wait_for()
    page.wait_for_function("document.querySelector('.board .figures').getBoundingClientRect().top > 0")
    page.get_by_role("button", name="One entry back").click(timeout=5_000)
    assert page.evaluate("document.querySelector('.board .figures').getBoundingClientRect().bottom < innerHeight")
