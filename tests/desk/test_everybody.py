"""Everybody can use the desk: with the keyboard alone, with a screen reader, and on a narrow screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import adjudicator as adj

if TYPE_CHECKING:
    from playwright.sync_api import Page

LONG = pytest.mark.soak
NARROW = {"viewport": {"width": 375, "height": 800}}
DARK = {"color_scheme": "dark"}
FOCUSED = """() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return `${at.getAttribute("aria-label") ?? at.textContent.trim()}|${at.closest(".board") ? "board" : at.className}`;
}"""


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    """Press ``key`` until something with this ``name`` or class has the focus."""
    for _ in range(150):
        page.keyboard.press(key)
        if name in page.evaluate(FOCUSED):
            return
    raise AssertionError(f"{key} does not lead to {name}")


def test_a_turn_is_played_with_the_keyboard_alone(at_desk: Callable[..., Page]) -> None:
    page = at_desk("#seed=7")
    tab_to(page, "Play one seat of Checkered Flag")
    page.keyboard.press("Enter")
    page.wait_for_selector(".desk .orders button", timeout=120_000)
    before = page.locator(".log li").count()
    tab_to(page, "|board")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED).endswith("|board")
    page.keyboard.press("Enter")
    page.locator(".picked", has_text="Chosen: ").or_(page.locator("#status", has_text="Added: ")).first.wait_for()
    if page.locator(".picked", has_text="Chosen: ").count():
        tab_to(page, "GEAR")
        page.keyboard.press("Enter")
    page.get_by_text("No mistake was found.").wait_for()
    tab_to(page, "What if?", "Shift+Tab")
    page.keyboard.press("Space")
    page.locator(".ways li p").first.wait_for()
    tab_to(page, "Play these orders", "Shift+Tab")
    page.keyboard.press("Enter")
    page.locator(".log li").nth(before).wait_for(state="attached")


@LONG
def test_a_game_is_moderated_with_the_keyboard_alone(at_desk: Callable[..., Page]) -> None:
    page = at_desk()
    tab_to(page, "Begin a game as its moderator")
    page.keyboard.press("Enter")
    tab_to(page, "Begin the game")
    page.keyboard.press("Enter")
    page.locator(".unsaved").wait_for()
    tab_to(page, "A pasted mail")
    page.keyboard.type("red:\n  GEAR 1\nblue:\n  GEAR 1\n")
    tab_to(page, "Adjudicate")
    page.keyboard.press("Enter")
    page.locator(".result", has_text=" applied").wait_for()
    tab_to(page, "Mails to the players")
    page.keyboard.press("Enter")
    page.locator(".letters li").first.wait_for()
    tab_to(page, "Write a mail to red")
    tab_to(page, "Correct the game")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Pending orders").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.type("a slip")
    tab_to(page, "Undo")
    page.keyboard.press("Enter")
    page.locator(".part .result li", has_text="UNDO").wait_for()
    tab_to(page, "Save the game", "Shift+Tab")
    with page.expect_download():
        page.keyboard.press("Enter")


def is_within_the_screen(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="wide", marks=LONG),
        pytest.param(NARROW, id="narrow"),
        pytest.param(DARK, id="dark", marks=LONG),
        pytest.param(NARROW | DARK, id="narrow-dark", marks=LONG),
    ],
)
def test_axe_finds_nothing_in_any_view(
    at_desk: Callable[..., Page], violations: Callable[[Page], list[str]], tmp_path: Path, options: dict[str, object]
) -> None:
    game = adj.new("checkpoint-rally", {"red": "Ann", "blue": "Bob"}, id="rally", seed=7)
    own, whole = tmp_path / "own.json", tmp_path / "rally.json"
    own.write_bytes(game.own_file(game.due_seats[0]))
    game.save(whole)
    page = at_desk(**options)

    def require_sound(view: str) -> None:
        assert (view, violations(page)) == (view, [])
        assert is_within_the_screen(page), view

    page.get_by_role("button", name="Play one seat of Checkered Flag").wait_for()
    require_sound("first page")
    page.locator(".new-game > summary").click()
    page.get_by_role("form").get_by_label("Game", exact=True).select_option("checkpoint-rally")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_label("car").last.fill("bicycle")
    page.get_by_role("button", name="Begin the game").click()
    page.locator(".new-game [aria-invalid]").wait_for()
    require_sound("new game")
    page.set_input_files(".drop.small input", [own, whole])
    page.locator(".verdicts .good", has_text="verified").wait_for()
    require_sound("auditor")
    page.set_input_files("#file", own)
    page.locator(".desk .orders button").first.click()
    page.get_by_text("No mistake was found.").wait_for()
    require_sound("player")
    page.get_by_role("button", name="New draft").click()
    page.get_by_role("button", name="What if?").click()
    page.locator(".ways > li > p").nth(1).wait_for()
    require_sound("what-if")
    page.get_by_role("button", name="Close").click()
    page.locator(".tasks li").wait_for()
    require_sound("list of games")
    page.set_input_files("#file", whole)
    page.locator(".moderator textarea").first.fill("red:\n  NONSENSE\n")
    page.get_by_role("button", name="Check").click()
    page.locator(".result", has_text="problem").wait_for()
    require_sound("moderator")
    page.locator(".moderator textarea").first.fill(f"{game.due_seats[0]}:\n  {game.legal(game.due_seats[0])[0].order}\n")
    page.get_by_role("button", name="Adjudicate").click()
    page.locator(".unsaved").wait_for()
    page.get_by_text("Mails to the players").click()
    page.locator(".letters summary").first.click()
    page.get_by_text("Correct the game").click()
    page.get_by_role("heading", name="Pending orders").wait_for()
    require_sound("mails and corrections")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Learn the orders of Checkered Flag").click()
    page.get_by_role("heading", name="Task 1 of 10").wait_for()
    page.locator(".desk .orders button").first.wait_for()
    require_sound("lesson")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Play all seats of Checkpoint Rally").click()
    page.locator(".orders button").first.click()
    page.get_by_role("button", name="Play these orders").click()
    page.locator("#status", has_text="Applied: 1 order.").wait_for()
    page.locator(".cm-content").fill("DRAW\nDRAW")
    page.locator(".costs", has_text="is not known").wait_for()
    require_sound("all seats")


@LONG
def test_drafts_are_played_on_side_by_side(at_desk: Callable[..., Page], tmp_path: Path) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, seed=3)
    file = tmp_path / "own.json"
    file.write_bytes(game.own_file(game.due_seats[0]))
    page = at_desk()
    page.set_input_files("#file", file)
    editor = page.locator(".cm-content")
    editor.click()
    editor.type("GEAR N")
    page.get_by_role("button", name="What if?").click()
    page.locator(".unknown", has_text="must decide next.").wait_for()
    page.get_by_role("button", name="New draft").click()
    editor.click()
    editor.press("Control+A")
    editor.press("Delete")
    editor.type("GEAR 1 go")
    page.locator(".unknown", has_text="Chance decides from here.").wait_for()
    assert page.locator(".ways > li").count() == 2
    assert "must decide next" in page.locator(".ways > li").first.inner_text()
    page.locator(".ways").get_by_role("button", name="Draft 1").click()
    page.get_by_role("heading", name="What if you send draft 1?").wait_for()
    page.get_by_role("button", name="What if?").click()
    page.get_by_role("heading", name="it is your turn").wait_for()
    assert page.locator(".board.supposed").count() == 0


@LONG
def test_the_first_page_lists_the_games_in_which_it_is_ones_turn(at_desk: Callable[..., Page], tmp_path: Path) -> None:
    game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id="flag", seed=3)
    other = adj.new("checkpoint-rally", {"red": "Ann <b>", "blue": "Bob"}, id="rally", seed=7)
    due, waits = game.due_seats[0], next(seat for seat in other.seats if seat not in other.due_seats)
    files = [tmp_path / "flag.json", tmp_path / "rally.json", tmp_path / "whole.json"]
    for path, data in zip(files, (game.own_file(due), other.own_file(waits), other.to_bytes()), strict=True):
        path.write_bytes(data)
    page = at_desk()
    page.set_input_files("#file", files)
    page.locator("#status", has_text="whole.json has a whole game").wait_for()
    for _ in range(2):  # before and after another visit
        assert page.locator(".tasks li").all_inner_texts()[0].startswith("Your turn in flag")
        assert page.locator(".tasks .waiting li").count() == 1
        page.reload()
        page.wait_for_selector("body[data-ready]", timeout=120_000)
        page.locator(".tasks li").first.wait_for()
    page.get_by_role("button", name="Forget rally").click()
    page.locator(".tasks .waiting").wait_for(state="detached")
    page.get_by_role("button", name="Your turn in flag").click()
    page.locator(".desk .orders button").first.wait_for()
