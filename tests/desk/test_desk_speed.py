"""How fast the desk is in a browser: run by hand with `-m benchmark -s`; it prints numbers and asserts no time.

Goals on a machine at rest: a download of 8 MB; the first check within 4 s of the first visit and within 2.5 s of later ones;
50 ms to check 20 lines in a game of 300 orders; 50 ms from a click to the legal places; 300 MB of memory.
"""

from __future__ import annotations

import gzip
import os
import re
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

import adjudicator as adj

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.benchmark
ORDERS = 300


def long_game() -> adj.Game:
    """Return a game of The Great Race after 300 orders."""
    game = adj.new("great-race", {"red": "Ann", "blue": "Bob"}, id="race", seed=7)
    for number in range(ORDERS):
        if game.is_over:
            break
        seat = game.due_seats[0]
        game = game.apply({seat: game.choose(seat, "random", seed=number)}).game
    return game


def memory_of_pages() -> int:
    """Return the memory in MB of the pages of the browser that this process has started, with their workers (Linux)."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    ours = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in ours} - ours:
        ours |= more
    found = 0
    for process in ours - {os.getpid()}:
        with suppress(OSError):
            own = re.search(r"Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text())
            found += int(own[1]) if own and "--type=renderer" in Path(f"/proc/{process}/cmdline").read_text() else 0
    return found // 1024


def first_check(page: Page, address: str, file: Path) -> tuple[float, float]:
    """Visit the desk, open ``file`` and type an order; return when Python was ready and when the answer was there."""
    begun = perf_counter()
    page.goto(address)
    page.wait_for_selector("body[data-ready]", timeout=120_000)
    ready = perf_counter() - begun
    page.set_input_files("#file", file)
    page.locator(".desk .orders button").first.click()
    page.locator(".problems > *").first.wait_for()
    return ready, perf_counter() - begun


def test_speed_of_the_desk(browser: Browser, address: str, desk_folder: Path, tmp_path: Path) -> None:
    told = [f"processors {os.cpu_count()}, load {os.getloadavg()[0]:.1f}"]
    sizes = [len(gzip.compress(file.read_bytes(), 6)) for file in desk_folder.rglob("*") if file.is_file()]
    told.append(f"download {sum(sizes) / 1e6:.2f} MB compressed")
    game = long_game()
    seat = game.due_seats[0] if not game.is_over else "red"
    file = tmp_path / "race.json"
    file.write_bytes(game.own_file(seat))
    context = browser.new_context()
    for visit in range(3):
        page = context.new_page()
        ready, checked = first_check(page, address, file)
        told.append(f"visit {visit + 1}: Python is ready after {ready:.2f} s, the first check after {checked:.2f} s")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        if visit < 2:
            page.close()
    rows = [row.order for row in game.legal(seat)] or ["PASS"]
    text = "\n".join((rows * 20)[:20])
    told.append(f"check of 20 lines in a game of {len(game.log()) - 1} orders: {checking(page, text):.0f} ms")
    told.append(f"from a click on the board to the legal places: {clicking(page):.1f} ms")
    told.append(f"memory of the page and its worker: {memory_of_pages()} MB")
    context.close()
    print("\n" + "\n".join(told))  # noqa: T201


def checking(page: Page, text: str) -> float:
    """Return the time in ms from a changed text to its problems: the middle of nine."""
    page.locator(".cm-content").click()
    found = []
    for _ in range(9):
        page.keyboard.press("Control+A")
        page.keyboard.press("Delete")
        page.locator(".problems:empty").wait_for(state="attached")
        page.evaluate(
            """() => { window.timed = new Promise((done) => {
              let begun = 0;
              const list = document.querySelector(".problems");
              document.addEventListener("input", () => { begun ||= performance.now(); }, { capture: true, once: true });
              new MutationObserver((_, watcher) => {
                if (list.children.length) { watcher.disconnect(); done(performance.now() - begun); }
              }).observe(list, { childList: true });
            }); }"""
        )
        page.keyboard.insert_text(text)
        found.append(page.evaluate("window.timed"))
    return sorted(found)[4]


def clicking(page: Page) -> float:
    """Return the time in ms of a click on a thing of the board, until the next places are marked: the middle of nine."""
    return float(
        page.evaluate(
            """() => {
              const found = [];
              for (let at = 0; at < 9; at++) {
                const place = document.querySelector(".board .offered, .card.offered");
                if (!place) return NaN;
                const begun = performance.now();
                place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
                found.push(performance.now() - begun);
              }
              return found.sort((one, other) => one - other)[4];
            }"""
        )
    )
