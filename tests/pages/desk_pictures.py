"""Take the pictures of docs/desk.md: `python tests/pages/desk_pictures.py` builds a desk and visits it with Chromium."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

import adjudicator as adj
from tests.drivers.pages import CHROMIUM, RECORDED, served

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def take(page: Page, address: str) -> None:
    """Choose an order of Checkpoint Rally, write two drafts in Checkered Flag, and begin a game with a mistake."""
    page.goto(f"{address}#file=rally.json")
    page.locator(".desk .branch").first.wait_for(timeout=120_000)
    for thing in ("U11", "B1"):
        page.locator(f'.figures [data-id="{thing}"]').last.click()
        page.locator(".desk[aria-busy=false]").wait_for()
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=PICTURES / "desk.png")
    page.goto("about:blank")
    page.goto(f"{address}#file=race.json")
    editor = page.locator(".cm-content")
    editor.fill("GEAR 1 go")
    page.locator(".verdict .good").wait_for(timeout=120_000)
    page.get_by_role("button", name="New draft").click()
    editor.fill("GEAR N")
    page.locator(".ways > li > p").nth(1).filter(has_text="must decide next").wait_for()
    editor.press("Escape")
    page.locator(".writing").screenshot(path=PICTURES / "desk-what-if.png")
    page.set_viewport_size({"width": 1000, "height": 2200})
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("body[data-ready]", timeout=120_000)
    page.locator(".new-game > summary").click()
    page.get_by_role("form").get_by_label("Game", exact=True).select_option("checkpoint-rally")
    page.get_by_label("Name of the game").fill("rally")
    for at, player in enumerate(("Ann", "Bob")):
        page.get_by_label("Player", exact=True).nth(at).fill(player)
        page.get_by_label("Mail address").nth(at).fill(f"{player.lower()}@example.org")
    page.get_by_label("car").first.fill("bicycle")
    page.get_by_role("button", name="Begin the game").click()
    page.locator(".new-game [aria-invalid]").wait_for()
    page.locator(".new-game").screenshot(path=PICTURES / "desk-new-game.png")


def main() -> None:
    """Build, serve and visit a desk with the file of one player."""
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        subprocess.run([sys.executable, "-m", "adjudicator", "desk", "-o", name], check=True)
        game = adj.new("checkered-flag", {"red": "Ann", "blue": "Bob"}, id="race", seed=3)
        rally = adj.open(RECORDED / "checkpoint-rally" / "again-001.json").undo(24, "an earlier position")
        for path, one in (("race.json", game), ("rally.json", rally)):
            (Path(name) / path).write_bytes(one.seen_by(one.due_seats[0]).own_file())
        program = next(found for one in CHROMIUM if (found := shutil.which(one)))
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        with served(Path(name)) as address:
            take(browser.new_page(viewport={"width": 1280, "height": 1020}, device_scale_factor=1), address)
        browser.close()


if __name__ == "__main__":
    main()
