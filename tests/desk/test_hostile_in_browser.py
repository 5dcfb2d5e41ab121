"""Hostile files in a real browser: each shows an error or a game, no script of theirs runs, and the page goes on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import pytest

import adjudicator as adj
from tests.drivers.mails import corpus

sys.path.insert(0, str(Path(__file__).parents[1] / "soak"))
from attack import mutated_bytes, mutated_document

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.soak
MARKUP: Final = "<img src=//evil.example/x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>"
CORPUS: Final = list(corpus().items())[::12]
NESTED: Final = (b"[" * 100_000, b'{"a":' * 100_000, b'{"format": 2, "game": ' + b"[" * 100_000)


def hostile_game() -> adj.Game:
    players = {"red": MARKUP[:80], "blue": "javascript:alert(4)"}
    game = adj.new("checkered-flag", players, id="x-onload-alert", seed=3)
    return game.apply({game.due_seats[0]: "GEAR 1"}).game.undo(0, MARKUP[:200])


def hostile_files() -> Iterator[bytes]:
    """Yield damaged games and own files, files that are nested too deeply, and files of other kinds."""
    yield from NESTED
    yield from (MARKUP.encode(), b"", b"\xff\xfe\x00", json.dumps({"format": 2, "game": MARKUP}).encode())
    game, luck = hostile_game(), Random(7)
    for data in (game.to_bytes(), game.own_file("red")) * 6:
        yield mutated_bytes(luck, data)
        yield json.dumps(mutated_document(luck, json.loads(data))).encode()


@pytest.fixture
def page(at_desk: Callable[..., Page]) -> Page:
    """Return the desk; a dialog that a file opens fails the test."""
    page = at_desk()
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    return page


def require_sound(page: Page) -> None:
    """The page has no element of a file, no script of a file has run, and its own elements are there."""
    assert (
        page.locator("main img:not(.cm-widgetBuffer), main script, main svg[onload], main a[href^='javascript']").count()
        == 0
    )
    assert page.locator("#bar h1").inner_text() == "The desk"
    assert page.locator("main > *").count() > 0


def test_a_hostile_file_is_refused_or_shown_and_the_next_one_opens(page: Page, tmp_path: Path) -> None:
    for number, data in enumerate(hostile_files()):
        path = tmp_path / f"{number}.json"
        path.write_bytes(data)
        page.evaluate("document.getElementById('status').className = ''")
        page.set_input_files("#file", path)
        page.wait_for_selector("#status.bad, .desk .headline")
        require_sound(page)
        if page.get_by_role("button", name="Close").count():
            page.get_by_role("button", name="Close").click()
            page.locator("#file").wait_for(state="attached")
    path = tmp_path / "sound.json"
    hostile_game().save(path)
    page.set_input_files("#file", path)
    page.locator(".desk .headline").wait_for()


def test_markup_in_names_orders_and_reasons_is_text(page: Page, tmp_path: Path) -> None:
    game = hostile_game()
    whole, own = tmp_path / "whole.json", tmp_path / "own.json"
    game.save(whole)
    own.write_bytes(game.own_file(game.due_seats[0]))
    page.set_input_files("#file", own)
    page.locator(".desk .headline").wait_for()
    page.locator(".cm-content").click()
    page.locator(".cm-content").type(f"GEAR {MARKUP}")
    page.locator(".problems li").first.wait_for()
    page.get_by_role("button", name="What if?").click()
    page.locator(".ways li p").first.wait_for()
    require_sound(page)
    page.get_by_role("button", name="Close").click()
    page.locator(".tasks li").wait_for()
    require_sound(page)
    page.set_input_files("#file", whole)
    mails = [{"name": f"{name}.eml", "mimeType": "message/rfc822", "buffer": data} for name, data in CORPUS]
    page.set_input_files(".moderator input", mails)  # type: ignore[arg-type]
    page.locator(".moderator textarea").first.fill(f"Subject: {MARKUP}\n\nred:\n  {MARKUP}\nblue:\n  {MARKUP}\n")
    page.get_by_role("button", name="Check").click()
    page.locator(".result p").first.wait_for()
    assert MARKUP[:40] in page.locator(".desk").inner_text() + page.locator(".result").first.inner_text()
    require_sound(page)
    page.get_by_text("Mails to the players").click()
    page.get_by_label("Mail address of").first.fill(f"{MARKUP}?bcc=x@evil.example&body=x")
    link = page.locator(".letters a").first.get_attribute("href")
    assert link.startswith("mailto:%3Cimg%20src")
    assert link.count("?") == link.count("bcc") == 1
    page.locator(".letters summary").first.click()
    page.get_by_text("Correct the game").click()
    page.get_by_label("Reason, for the record").fill(MARKUP[:200])
    page.get_by_label("Change the position").fill(MARKUP)
    page.get_by_role("button", name="Amend").click()
    page.locator(".part .result .bad").wait_for()
    page.get_by_label("Change the position").fill("gear of red=3")
    page.get_by_role("button", name="Amend").click()
    page.locator(".part .result li").wait_for()
    assert MARKUP[:40] in page.locator(".part .result").inner_text()
    require_sound(page)


def test_markup_in_a_new_game_is_text(page: Page) -> None:
    page.locator(".new-game > summary").click()
    page.get_by_role("form").get_by_label("Game", exact=True).select_option("great-race")
    for at, label in enumerate(("Name of the game", "Seat", "board")):
        page.get_by_label(label, exact=True).first.fill(MARKUP)
        page.get_by_role("button", name="Begin the game").click()
        page.locator("[aria-invalid]").first.wait_for()
        assert "<img src" in page.locator(".new-game").inner_text(), at
        require_sound(page)
        page.get_by_label(label, exact=True).first.fill(("race", "red", "")[at])
    page.get_by_label("Player", exact=True).first.fill(MARKUP[:80])
    page.get_by_label("Mail address").first.fill(MARKUP)
    page.get_by_role("button", name="Begin the game").click()
    page.locator("[aria-invalid]").first.wait_for()
    page.get_by_label("Mail address").first.fill("")
    page.get_by_role("button", name="Begin the game").click()
    page.locator(".moderator").wait_for()
    page.get_by_text("Mails to the players").click()
    page.locator(".letters strong", has_text="<img src").wait_for()
    require_sound(page)
