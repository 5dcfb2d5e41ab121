"""The table of the smallest letters on boards in reports. `python tests/reports/pages/test_letter_sizes.py` writes it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from adjudicator.library.begin import open_game
from adjudicator.reporting import report_for
from adjudicator.reports.pages.report_html import report_html

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "reports.md"
WIDTHS = (1280, 375)
GAMES = {
    "Checkered Flag": "examples/checkered-flag/race/game.json",
    "Checkpoint Charlie": "examples/checkpoint-charlie/three-players/game.json",
    "Checkpoint Rally": "examples/checkpoint-rally/four-players/game.json",
    "The Great Race": "examples/great-race/race/game.json",
    "Rally Round": "examples/rally-round/competition/game.json",
}
SMALLEST = """() => {
  const texts = document.querySelectorAll('#position figure svg text');
  const sizes = [...texts].filter((text) => text.textContent.trim()).map(
    (text) => parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b));
  return Math.min(...sizes);
}"""
TABLE = re.compile(r"(?<=\|---\|---\|---\|\n)(?:\| [^|\n]+ \| [0-9.-]+ \| [0-9.-]+ \|\n)+")


def rows(browser: Browser, folder: Path) -> Iterator[str]:
    """Yield the row of each game: the smallest letters on all boards of a player and of a bystander, at each width."""
    page = browser.new_page()
    for name, example in GAMES.items():
        game = open_game(ROOT / example)
        session = game.undo(3, "an early position").session
        path = folder / "report.html"
        sizes: dict[int, list[float]] = {width: [] for width in WIDTHS}
        for viewer in (session.seats[0], None):
            path.write_text(report_html(report_for(session, viewer, 0)), "utf-8")
            page.goto(path.as_uri())
            for width, found in sizes.items():
                page.set_viewport_size({"width": width, "height": 800})
                found.append(page.evaluate(SMALLEST))
        yield f"| {name} | {' | '.join(f'{round(min(found), 1):g}' for found in sizes.values())} |\n"
    page.close()


def test_the_table_is_what_a_browser_shows(browser: Any, tmp_path: Path) -> None:
    written = TABLE.search(PAGE.read_text("utf-8"))
    assert written is not None
    assert written[0] == "".join(rows(browser, tmp_path))
    assert min(map(float, re.findall(r"\| ([0-9.]+)", written[0]))) >= 9


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with sync_playwright() as playwright, TemporaryDirectory() as name:
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        table = "".join(rows(chromium, Path(name)))
        chromium.close()
    PAGE.write_text(TABLE.sub(lambda _: table, PAGE.read_text("utf-8")), "utf-8")
