"""The documentation as a site: it builds without a warning, every link leads somewhere, and no page asks another host.

It needs the extra `docs`; `.ci/run` has it. In a normal run without it, these tests are skipped.
"""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

import pytest

import adjudicator
from tests.drivers.pages import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
IDENTITY = ROOT / "adjudicator" / "reports" / "templates" / "identity.css"
HOW_TO_GET_IT = "the site needs mkdocs: pip install -e '.[docs]'"


class Links(HTMLParser):
    """Collect the places in a page, its links, and what a browser fetches with it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids, self.links, self.fetched, self.in_nav = set[str](), set[str](), set[str](), set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
            self.in_nav |= {given["href"]} if "md-nav__link" in given.get("class", "") else set()
        elif "href" in given:
            self.fetched.add(given["href"])
        self.fetched |= {given["src"]} if "src" in given else set()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built as the workflow builds it."""
    for name in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(name, reason=HOW_TO_GET_IT)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)]
    surroundings = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Links]:
    """Return the pages of the documentation by their paths; other pages are the desk and results of examples."""
    found = {path.relative_to(site).as_posix(): path.read_text("utf-8") for path in site.rglob("*.html")}
    return {name: Links(text) for name, text in found.items() if "md-nav" in text and name != "404.html"}


def test_every_link_leads_to_a_file_and_a_place_in_it(site: Path, pages: dict[str, Links]) -> None:
    broken = []
    for name, page in pages.items():
        for link in page.links | page.fetched:
            place = urlsplit(urljoin(f"/{name}", link))
            target = unquote(place.path).lstrip("/")
            if place.scheme or place.netloc:
                continue
            is_there = (site / target).is_file() or (site / target / "index.html").is_file()
            ids = pages[target].ids if target in pages else {unquote(place.fragment)}
            if not is_there or (place.fragment and unquote(place.fragment) not in ids):
                broken.append(f"{name}: {link}")
    assert broken == []


def test_no_page_fetches_anything_from_another_host(site: Path, pages: dict[str, Links]) -> None:
    fetched = {(name, one) for name, page in pages.items() for one in page.fetched}
    assert {one for one in fetched if urlsplit(one[1]).netloc} == set()
    styles = [path.read_text("utf-8") for path in site.rglob("*.css")]
    assert [
        found for style in styles for found in re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)\"']*", style)
    ] == []


def test_a_browser_asks_no_other_host(site: Path, browser: Browser) -> None:
    asked = list[str]()
    with served(site) as home, browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        for name in ("index.html", "orders.html", "api.html"):
            page.goto(home + name, wait_until="networkidle")
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(251, 250, 247)"
    assert len(asked) > 3
    assert [url for url in asked if not url.startswith((home, "data:"))] == []


def test_the_page_about_the_architecture_fits_three_screens(site: Path, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto((site / "architecture.html").as_uri())
        assert page.evaluate("document.documentElement.scrollHeight") <= 3 * 900


def test_every_page_is_in_the_navigation_or_linked_from_a_page_that_is(pages: dict[str, Links]) -> None:
    start = pages["index.html"]
    listed = {link.partition("#")[0] for link in start.in_nav}
    assert "desk/index.html" in listed
    assert {name for name in pages if name not in listed and not name.startswith("examples/")} == set()
    linked = {urljoin(name, link).partition("#")[0] for name, page in pages.items() for link in page.links}
    assert set(pages) - linked == set()


def test_the_first_page_leads_each_kind_of_reader_to_one_page(pages: dict[str, Links]) -> None:
    text = (ROOT / "mkdocs.yml").read_text("utf-8").split("First steps:\n")[1].split("      - Playground")[0]
    readers = dict(re.findall(r"- ([A-Z][\w ]+): (\S+)\.md", text))
    assert list(readers) == ["Players", "Moderators", "Auditors", "Developers of games", "Contributors"]
    assert {f"{page}.html" for page in readers.values()} <= pages["index.html"].links


def test_the_pages_are_grouped_by_kind_and_each_game_has_a_page_with_a_picture(pages: dict[str, Links]) -> None:
    groups = re.findall(r"^  - ([\w ]+):\n", (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2], re.MULTILINE)
    assert groups == ["Start here", "Games", "How to", "Reference", "Explanation"]
    games = [meta.id for meta in adjudicator.installed_games()]
    assert len(games) >= 5
    assert [one for one in games if not any(link.startswith("pictures/") for link in pages[f"{one}.html"].fetched)] == []


def test_the_site_has_the_look_of_the_product(site: Path, pages: dict[str, Links]) -> None:
    assert (site / "look.css").read_text("utf-8").startswith(IDENTITY.read_text("utf-8"))
    assert [name for name, page in pages.items() if not any(one.endswith("look.css") for one in page.fetched)] == []


def test_the_reference_of_the_kit_has_what_a_game_and_its_tests_import(pages: dict[str, Links]) -> None:
    kit = ("game.Order", "game.Event", "game.GameMeta", "game.Ask", "testing.play_games")
    assert {f"adjudicator.{name}" for name in kit} <= pages["kit.html"].ids
    assert "adjudicator.Reader.legal" in pages["api.html"].ids


def test_the_reference_has_every_name_of_the_library_with_its_docstring(site: Path, pages: dict[str, Links]) -> None:
    assert {f"adjudicator.{name}" for name in adjudicator.__all__} <= pages["api.html"].ids
    text = " ".join(unescape(re.sub(r"<[^>]+>", "", (site / "api.html").read_text("utf-8"))).split())
    named = {name: getattr(adjudicator, name) for name in adjudicator.__all__}
    documented = {name: one.__doc__ or "" for name, one in named.items() if inspect.isclass(one) or inspect.isfunction(one)}
    assert len(documented) > 25
    first = {name: re.sub(r"[`*]+", "", doc.strip().partition("\n")[0]) for name, doc in documented.items()}
    assert {name for name, line in first.items() if " ".join(line.split()) not in text} == set()


def test_the_reference_has_every_command(pages: dict[str, Links]) -> None:
    outputs = run_path(str(ROOT / ".ci" / "schemas.py"))["OUTPUTS"]
    wanted = {f"adjudicator-{name}" for name in outputs if name != "error"}
    assert wanted <= pages["commands.html"].ids
