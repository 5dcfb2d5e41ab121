"""Whole games on one desk, by clicking and by typing, with mistakes: the command line gives the same file."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import adjudicator as adj
from adjudicator.rulesets import metas

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES: Final = {meta.id: meta.name for meta in adj.installed_games()}
SEED: Final = 7
WRONG: Final = 5
"""Each order with a number that this divides comes after a mistake."""
Enter = Callable[["Page", adj.Game, str, int], None]
GAMES: Final = [name for name, _ in metas()]


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_][\w'’-]*", text.casefold())


def is_in(thing: str, order: str) -> bool:
    wanted, found = words_of(thing), words_of(order)
    return bool(wanted) and any(found[at : at + len(wanted)] == wanted for at in range(len(found)))


def text_in(page: Page) -> str:
    if page.locator(".cm-placeholder").count():
        return ""
    return "\n".join(page.locator(".cm-line").all_text_contents())


def clear(page: Page) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")


def click(page: Page, order: str) -> None:
    """Click on the things of ``order`` on the board and in the hand, and at last on the order in the list."""
    clicked = set[str]()
    while not text_in(page):
        row = page.locator(".orders button", has=page.locator("code", has_text=re.compile(f"^{re.escape(order)}$")))
        offered = page.locator(".offered").evaluate_all("places => places.map(place => place.dataset.id)")
        things = [thing for thing in offered if is_in(thing, order) and thing not in clicked]
        if things:
            clicked.add(things[0])
            page.evaluate("window.clicks = (window.clicks ?? 0) + 1")
            page.locator(f'.offered[data-id="{things[0]}"]').last.dispatch_event("click")
        else:
            row.click()


def enter_by_clicks(page: Page, game: adj.Game, order: str, number: int) -> None:
    """Enter ``order`` with clicks, sometimes after another one, which is taken out again."""
    if number % WRONG == 0:
        page.locator(".orders button").last.click()
        page.locator(".problems *").first.wait_for()
        clear(page)
    listed = {row.order for row in game.legal(page.locator("#viewer").input_value())}
    click(page, order) if order in listed else page.locator(".cm-content").fill(order)


def enter_by_typing(page: Page, game: adj.Game, order: str, number: int) -> None:
    """Type ``order``, sometimes after a mistake, which the desk shows with a line of its own."""
    editor = page.locator(".cm-content")
    if number % WRONG == 0:
        editor.press_sequentially(f"{order[1]}{order[0]}{order[2:]} and more")
        page.locator(".problems li").first.wait_for()
        clear(page)
    editor.press_sequentially(order)


def enter_by_both(page: Page, game: adj.Game, order: str, number: int) -> None:
    """Type every other order, beginning with the first one, and enter the others with clicks."""
    (enter_by_clicks if number % 2 else enter_by_typing)(page, game, order, number)


def play(page: Page) -> str:
    """Play the orders in the editor; return the seat whose turn it is then."""
    page.evaluate("document.getElementById('status').textContent = ''")
    page.get_by_role("button", name="Play these orders").click()
    page.locator("#status", has_text="Applied").wait_for()
    return page.locator("#viewer").input_value()


def play_game(page: Page, game: adj.Game, most: int, enter: Enter) -> list[tuple[str, str]]:
    """Play up to ``most`` orders of simulated players on the page as in ``game``; return each seat with its text."""
    texts: list[tuple[str, str]] = []
    seat = page.locator("#viewer").input_value()
    for number in count():
        if game.is_over or len(texts) >= most:
            return texts
        order = game.choose(seat, seed=number)
        if number % (2 * WRONG) == 1:  # a mistake that is sent, too: nothing happens, and the text stays
            page.locator(".cm-content").fill(f"{order.split()[0]} nowhere at all")
            assert play(page) == seat
            texts.append((seat, text_in(page)))
            clear(page)
        enter(page, game, order, number)
        page.locator(".problems .good").wait_for()
        assert text_in(page).strip() == order
        texts.append((seat, text_in(page)))
        game = game.apply({seat: order}).game
        seat = play(page)
    raise AssertionError


def command_line(run: Callable[..., Any], before: adj.Game, texts: list[tuple[str, str]]) -> bytes:
    """Return the file of the game in which the command line applies ``texts``."""
    seats = [word for seat, player in before.players.items() for word in ("--seat", f"{seat}={player}")]
    secret = before.session.game.chance.secret
    run("new", before.meta.id, *seats, "--id", before.id, "--seed", secret, "-o", "game.json", code=0)
    for seat, text in texts:
        Path("orders.txt").write_text(text, "utf-8")
        run("apply", "game.json", f"{seat}=orders.txt")
    run("audit", "game.json", code=0)
    return Path("game.json").read_bytes()


WAYS: Final = {"clicks": enter_by_clicks, "typing": enter_by_typing}
WHOLE: Final = [
    pytest.param(name, 1_000, enter, marks=pytest.mark.soak, id=f"{name}-whole-{way}")
    for name in GAMES
    for way, enter in WAYS.items()
]
SHORT: Final = pytest.param("checkpoint-rally", 3, enter_by_both, id="checkpoint-rally-begun")


@pytest.mark.parametrize(("name", "most", "enter"), [SHORT, *WHOLE])
def test_a_game_on_the_desk_gives_the_file_of_the_command_line(
    at_desk: Callable[..., Page], run: Callable[..., Any], name: str, most: int, enter: Enter
) -> None:
    page = at_desk(f"#seed={SEED}")
    page.get_by_role("button", name=f"Play all seats of {NAMES[name]}").click()
    page.locator(".orders button").first.wait_for(timeout=120_000)
    least = next(meta.players[0] for meta in adj.installed_games() if meta.id == name)
    players = {seat.casefold(): seat for seat in ("Red", "Blue", "Green")[: max(2, least)]}
    game = adj.new(name, players, id=f"practice-{name}", seed=SEED)
    texts = play_game(page, game, most, enter)
    with page.expect_download() as found:
        page.get_by_role("button", name="Save the game").click()
    saved = Path(found.value.path()).read_bytes()
    assert saved == command_line(run, game, texts)
    assert adj.open(saved).is_over == (most > len(texts))
    assert enter is enter_by_typing or page.evaluate("window.clicks"), "things on the board and in the hand can be clicked"
