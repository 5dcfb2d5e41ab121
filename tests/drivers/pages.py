"""Pages and pictures as users get them: files in a real browser, the desk on this computer, and games to make pages of.

``browser``, ``visit``, ``desk`` and ``at_desk`` are fixtures, which ``tests/conftest.py`` offers.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from inspect import signature
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import pytest
from filelock import FileLock

import adjudicator as adj

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

Visit = Callable[..., "Page"]
ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples"
RECORDED: Final = ROOT / "tests" / "data" / "games"
CHROMIUM: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Names of the program; without windows from the first it takes half the time."""
PHONE: Final[dict[str, Any]] = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}
DESKTOP: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
SVG: Final = "{http://www.w3.org/2000/svg}"
MARKUP: Final = "<img src=//evil.example/x onerror=alert(1)><script>alert(2)</script>{{ 7*7 }}"
"""What a player may write: a browser must show it and not obey it."""

GAMES: Final = {
    "checkered-flag": ("checkered-flag/again-001.json", 12),
    "checkpoint-charlie": ("checkpoint-charlie/again-003.json", 30),
    "checkpoint-rally": ("checkpoint-rally/again-001.json", 24),
    "great-race": ("great-race/again-001.json", 36),
    "rally-round": ("rally-round/again-002.json", 20),
}
"""A recorded game of each ruleset, and an entry in its middle."""


# Games


@cache
def game(name: str) -> adj.Game:
    """Return a recorded game of the ruleset ``name`` in its middle, with an UNDO as its last entry."""
    file, last = GAMES[name]
    return adj.open(RECORDED / file).undo(last, "an earlier position")


@cache
def example(name: str, undo: int | None = None) -> adj.Game:
    """Return the game of ``examples/``, without its entries after ``undo``."""
    found = adj.open(EXAMPLES / name)
    return found if undo is None else found.undo(undo, "an earlier position")


def begun(name: str, seats: int = 2, orders: int = 0, *, seed: int = 7, **given: Any) -> adj.Game:
    """Begin a game of ``seats`` players, Ann and others, and let simulated players give ``orders``."""
    least, most = next(meta.players for meta in adj.installed_games() if meta.id == name)
    players = dict(zip(("red", "blue", "green", "yellow"), ("Ann", "Bob", "Cleo", "Dan"), strict=True))
    chosen = dict(list(players.items())[: min(most, max(seats, least))])
    return played(adj.new(name, given.pop("players", chosen), id="table", seed=seed, **given), orders)


def played(found: adj.Game, orders: int) -> adj.Game:
    """Let simulated players give ``orders`` more, or play to the end."""
    for number in range(orders):
        if found.is_over:
            break
        seat = found.due_seats[0]
        found = found.apply({seat: adj.choose_order(found, seat, seed=number)}).game
    return found


# Pages in a browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return Chromium without a window; where there is none, the tests that ask for it are skipped."""
    library = pytest.importorskip("playwright.sync_api", reason="pages need playwright: pip install -e '.[test]'")
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        pytest.skip("pages need Chromium: apt-get install chromium-headless-shell fonts-dejavu-core")
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    with library.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=options)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Visit]:
    """Open a file in a browser of its own, with ``options``; it must ask only for pictures beside it, in silence."""
    contexts, said, asked, opened = [], list[str](), list[str](), set[str]()

    def open_file(path: Path, fragment: str = "", **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(f"a dialog: {dialog.message}"))
        page.on("request", lambda request: asked.append(request.url))
        opened.add(path.as_uri())
        page.goto(path.as_uri() + fragment)
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert said == []
    beside = re.compile(r"blob:|file:.*\.svg$")  # the pictures of a site
    assert {url.partition("#")[0] for url in asked if not beside.match(url)} <= opened


def found_by_axe(page: Page, *without: str) -> list[str]:
    """Return what axe has against a page, each in a line, by all its rules but those that are named."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe: pip install -e '.[test]'")
    options = {"resultTypes": ["violations"], "rules": {name: {"enabled": False} for name in without}}
    answer = axe.Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {node['target']}: {node['failureSummary']}" for one in answer for node in one["nodes"]]


@pytest.fixture
def violations() -> Callable[..., list[str]]:
    """Return ``found_by_axe``."""
    return found_by_axe


def check_reading_order(page: Page) -> None:
    """Check that headings and pictures make sense to somebody who hears them one after another."""
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3')].map(one => Number(one.tagName[1]))")
    assert levels[0] == 1 and {*levels[1:]} == {2}
    pictures = page.locator("svg:not([aria-hidden])")
    assert pictures.count()
    for at in range(pictures.count()):
        assert pictures.nth(at).get_attribute("role") == "img"
        assert pictures.nth(at).get_attribute("aria-label")


def unfold(page: Page) -> None:
    """Open every folded part of a page."""
    for folded in page.locator("summary").all():
        folded.click()


WIDTHS: Final = (360, 375)
"""The widths of phones in pixels."""
SCROLLING: Final = {
    "checkpoint-rally": "the board of five tiles a side, with names, rotations and grounds on each tile",
    "great-race": "the map, if it has more than nine columns or lanes",
    "rally-round": "the map of all roads; reports show the current section first",
}
"""The boards that scroll on a phone by their game, because their letters would be too small; every other board fits."""
MEASURED: Final = """rooms => {
  const shown = (one) => [...one.querySelectorAll('svg')];
  const lines = (svg) => [...svg.querySelectorAll('text')].filter(text => text.textContent.trim() && !text.closest('defs'));
  const size = (text) => {
    const {a, b, c, d} = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.sqrt(Math.abs(a * d - b * c));
  };
  const all = [...document.querySelectorAll(rooms)].filter(room => room.checkVisibility());
  return {
    scrolling: all.map((room, at) => room.scrollWidth > room.clientWidth + 1 ? at : -1).filter(at => at >= 0),
    least: Math.min(...all.flatMap(shown).flatMap(lines).map(size)),
    cut: all.flatMap(shown).flatMap(svg => {
      const paper = svg.getBoundingClientRect();
      return lines(svg).filter(text => {
        const box = text.getBoundingClientRect();
        const isBeside = box.left < paper.left - 1 || box.right > paper.right + 1;
        return isBeside || box.top < paper.top - 2 || box.bottom > paper.bottom + 2;
      }).map(text => text.textContent);
    }),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
}"""


def least_letters(page: Page, rooms: str) -> float:
    """Return the size in pixels of the smallest letters of the boards in ``rooms`` (a selector)."""
    return float(page.evaluate(MEASURED, rooms)["least"])


def check_phone(page: Page, game: str, rooms: str) -> None:
    """Check at each width that boards in ``rooms`` (a selector) show all words in readable letters and do not scroll.

    Only one room may scroll, in a game with a large board.
    """
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        found = page.evaluate(MEASURED, rooms)
        assert found["wide"] <= 0, f"the page is wider than {width} pixels"
        assert (width, found["cut"]) == (width, [])
        assert found["least"] >= 9.95
        assert len(found["scrolling"]) <= (game in SCROLLING)


def expect_at(page: Page, number: int) -> None:
    """The page of a replay is at a move, or is there soon: a browser may follow a link after it says that it has."""
    from playwright.sync_api import expect

    expect(page.locator("#now")).to_have_text(re.compile(rf"^{number} "))


# The desk


NO_PICKERS: Final = "window.showOpenFilePicker = window.showSaveFilePicker = undefined;"
"""Without pickers of files, which no test could answer, the desk saves by download."""


@pytest.fixture(scope="session")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a built desk: ``$BUILT_DESK`` if one is there already, else one that this test run shares."""
    if built := os.environ.get("BUILT_DESK"):
        return Path(built)
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("the desk needs Node.js and npm: apt-get install nodejs npm")
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if base.name.startswith("popen-") else base) / "desk"
    with FileLock(f"{shared}.lock"):
        if not (shared / "index.html").is_file():
            command = [sys.executable, "-m", "adjudicator", "desk", "-o", str(shared)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if "registr" in done.stderr:
                pytest.skip(f"the desk needs the registries of npm and Python packages: {done.stderr.strip()}")
            assert done.returncode == 0, done.stderr
    return shared


@pytest.fixture(scope="session")
def desk_address(desk: Path) -> Iterator[str]:
    """Return the address at which the desk is served on this computer."""
    with served(desk) as address:
        yield address


class served:  # noqa: N801 (used as `with served(folder) as address`)
    """Serve the files of a folder on this computer."""

    def __init__(self, folder: Path) -> None:
        types = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm"}

        class Handler(SimpleHTTPRequestHandler):
            extensions_map = SimpleHTTPRequestHandler.extensions_map | types

            def log_message(self, *_: Any) -> None:
                """Say nothing about requests."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))

    def __enter__(self) -> str:
        Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}/"

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def at_desk(browser: Browser, desk_address: str) -> Iterator[Visit]:
    """Open the desk in a browser of its own; in the end it has asked no other host for anything, and reported no error."""
    contexts, said, asked = [], list[str](), set[str]()

    def open_desk(fragment: str = "", waits: bool = True, pickers: str = NO_PICKERS, **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        context.add_init_script(pickers)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.add(request.url))
        page.goto(desk_address + fragment)
        if waits:
            page.wait_for_selector("body[data-ready]", timeout=120_000)
        return page

    yield open_desk
    for context in contexts:
        context.close()
    assert said == []
    assert {url for url in asked if not url.startswith((desk_address, "blob:", "data:"))} == set()


FOCUSED: Final = """() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (at === document.body) return "";
  const name = at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent.trim();
  return `${name}|${at.closest(".board") ? "board" : at.className}`;
}"""


def wait_until(page: Page, script: str, arg: Any = None) -> None:
    """Wait until ``script`` is true. Playwright's own function for that runs `eval` in the page, whose policy forbids it."""
    for _ in range(600):
        if page.evaluate(script, arg):
            return
        page.evaluate("() => new Promise(requestAnimationFrame)")
    raise AssertionError(f"not true within ten seconds: {script}")


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    """Press ``key`` until something with this ``name`` or class has the focus."""
    for _ in range(150):
        page.keyboard.press(key)
        if name in page.evaluate(FOCUSED):
            return
    raise AssertionError(f"{key} does not lead to {name}")


def settle(page: Page) -> None:
    """Wait until the table shows what Python has said about all that was done."""
    page.locator(".desk[aria-busy=false]").wait_for(timeout=120_000)


def candidate(page: Page) -> str:
    """Return the order that one is choosing; empty if there is none yet."""
    return str(page.evaluate("document.querySelector('.candidate code')?.textContent ?? ''"))


def click_one(things: list[Locator]) -> None:
    """Click one of ``things``, which have the same name: parts of a thing may lie below others."""
    from playwright.sync_api import TimeoutError as IsBelowError

    for thing in things[:-1]:
        with suppress(IsBelowError):
            thing.click(timeout=1_000)
            return
    things[-1].click()


def choose(page: Page, order: str = "", *, on_board: bool = True) -> str:
    """Choose ``order`` (empty: the first one) by clicks on things of the table, then on words, and confirm it."""
    words = f" {order.lower().replace(',', '')} "
    for _ in range(40):
        settle(page)
        found = candidate(page)
        if found and found == (order or found):
            page.get_by_role("button", name="Confirm").click()
            return found
        things = page.locator(".figures .offered:not(.chosen):visible, .card.offered[aria-pressed=false]")
        names = things.evaluate_all("all => all.map(one => one.dataset.id)") if order and on_board else []
        named = [at for at, name in enumerate(names) if f" {name.lower()} " in words]
        turn = page.locator(".turn")
        if named:
            click_one([things.nth(at) for at in reversed(named) if names[at] == names[named[0]]])
        elif found and turn.count():
            turn.click()
        else:
            labels = page.locator(".branch").evaluate_all("all => all.map(one => one.ariaLabel)")
            fitting = [at for at, one in enumerate(labels) if not order or words.startswith(f" {one.lower()} ")]
            assert fitting, f"{order} is not among {labels}"
            page.locator(".branch").nth(fitting[0]).click()
    raise AssertionError(f"{order} cannot be chosen: {page.locator('.bar').inner_text()}")


def next_order(game: adj.Game, seat: str, number: int) -> str:
    """Return what a simulated player orders, as much of it as the list has if it writes more; else any order of the list."""
    listed = [row.order for row in game.seen_by(seat).legal]
    order = adj.choose_order(game, seat, seed=number)
    first = re.sub(r"^\w+: (\d+).*", r"SPEED \1", order)  # of the speeds on a section of Rally Round
    begun = [one for one in listed if f"{first} ".startswith(f"{one} ")]
    return max(begun, key=len, default=listed[number % len(listed)])


def requests_of_desk() -> dict[str, list[str]]:
    """Return the requests of the page, each with the names of its values."""
    from adjudicator.desk.requests import REQUESTS

    return {name: list(signature(method).parameters) for name, method in REQUESTS.items()}


class Answers:
    """The Python of the desk, asked as its page asks it: with JSON, and with files as bytes."""

    def __init__(self) -> None:
        from adjudicator.desk.requests import Desk

        self.desk = Desk()

    def __call__(self, request: str, /, *files: bytes, **values: Any) -> Any:
        """Return the answer: the bytes of a file, or what was JSON."""
        said, data = self.desk.answer(request, json.dumps(values), list(files))
        answer = json.loads(said)
        return data if data is not None else answer

    def begin(self, name: str, seed: int = 7) -> dict[str, Any]:
        """Begin the game that ``begun`` returns, as the form of the page does."""
        return dict(self("new", ruleset=name, players=[*begun(name).players.items()], seed=seed, id="table")["game"])
