"""What the tests of several parts need: the command line in an empty folder, a forger of game files, ``shared``."""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer.main
from hypothesis import HealthCheck, settings
from typer import Typer

from adjudicator.core.canonical import canonical_bytes, canonical_text, digest
from adjudicator.store.game import game_bytes

sys.path.insert(0, str(Path(__file__).parent / "shared"))
import quick

pytest.register_assert_rewrite("tests.drivers")

# Build the commands of each `Typer` once: a command keeps nothing of one call for the next.
typer.main.get_command = lru_cache(64)(typer.main.get_command)
from typer.testing import CliRunner, Result  # noqa: E402 (it takes that function when it is loaded)

# No test fails because the machine is slow.
settings.register_profile("adjudicator", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("adjudicator")

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Names of the program; without windows from the first it takes half the time."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the size of the long attacks, and a program to try; here, since only this file is read before the options are."""
    parser.addoption("--program", metavar="FILE", help="play the pages of test_readme.py with this installed program")
    group = parser.getgroup("soak", "the attacks of tests/soak")
    group.addoption("--soak-size", type=float, default=1.0, metavar="SHARE", help="0.01: a hundredth of each long attack")
    group.addoption("--soak-seed", type=int, default=1, metavar="N", help="another seed: other attacks")
    group.addoption("--examples", type=int, default=1, metavar="N", help="N times the random examples of each property")
    group.addoption("--soak-round", type=int, default=0, metavar="N", help="begin with round N, as told of one that failed")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the other files unread in a quick run."""
    is_test = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return True if config.option.markexpr.startswith("quick") and is_test and collection_path not in quick.FILES else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the quick tests, skip those for POSIX elsewhere, and multiply random examples as ``--examples`` says."""
    for item in items:
        if os.name != "posix" and item.get_closest_marker("posix"):
            item.add_marker(pytest.mark.skip(reason="needs permissions, links, signals or locks of POSIX"))
        is_quick = item.path in quick.FILES and getattr(item, "originalname", "") not in quick.LONG
        if is_quick and not any(mark.name == "soak" for mark in item.iter_markers()):
            item.add_marker("quick")
    times = int(config.getoption("--examples"))
    for item in items if times > 1 else ():
        test = getattr(item, "obj", None)
        if getattr(test, "is_hypothesis_test", False):
            given = test._hypothesis_internal_use_settings
            test._hypothesis_internal_use_settings = settings(given, max_examples=given.max_examples * times)


def pytest_collection_finish() -> None:
    """Leave all that was loaded and collected to itself: to look for garbage in it again and again takes long."""
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Let the processes that tests begin be as they are elsewhere, whatever this one was begun with."""
    gc.set_threshold(50_000, 20, 20)  # to look for garbage as often as usual takes a twentieth of the time
    take_signals()
    work_alone()
    keep_compiled(config)


def work_alone() -> None:
    """Let pools work in the process of the tests, where a test can replace a function; few tests need other processes."""
    from adjudicator import processes

    processes.is_alone = True


@pytest.fixture
def other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pools start processes, as everywhere but in most tests."""
    monkeypatch.setattr("adjudicator.processes.is_alone", False)


def keep_compiled(config: pytest.Config) -> None:
    """Keep compiled modules in a folder of this run where none may be beside them: to compile takes as long again."""
    if not os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        return
    folder = tempfile.mkdtemp(prefix="adjudicator-compiled-")
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ["PYTHONPYCACHEPREFIX"] = folder


def take_signals() -> None:
    """Take no signal as ignored, though whoever began the tests may have it so (`nohup`, a job in the background).

    What is ignored is so in every process that is begun from here, and the tests send signals to such.
    """
    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
    for name, handler in ((getattr(signal, name), handler) for name, handler in usual.items() if hasattr(signal, name)):
        if signal.getsignal(name) is signal.SIG_IGN:
            signal.signal(name, handler)


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the parsers that are built here away from the user's cache."""
    os.environ.setdefault("ADJUDICATOR_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(autouse=True, scope="session")
def _no_wait_for_disks() -> Iterator[None]:
    """Let no write in this process wait until a disk has it: no test cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("os.fsync", lambda _file: None)
        patch.setattr("adjudicator.club.database._SYNC", "off")
        yield


@pytest.fixture(autouse=True, scope="session")
def _small_pictures() -> Iterator[Callable[..., bytes] | None]:
    """Draw PNG with a quarter of the width and height, in a tenth of the time; yield the function that draws it whole."""
    try:
        import resvg_py
    except ImportError:
        yield None
        return
    draw = resvg_py.svg_to_bytes

    def small(*, width: int, height: int, **how: Any) -> bytes:
        return bytes(draw(width=-(-width // 4), height=-(-height // 4), **how))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resvg_py, "svg_to_bytes", small)
        yield draw


@pytest.fixture
def whole_size(_small_pictures: Callable[..., bytes] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw PNG in the size that users get."""
    if _small_pictures is not None:
        monkeypatch.setattr("resvg_py.svg_to_bytes", _small_pictures)


@cache
def _app(first: str) -> Typer:
    """Return the command line for arguments that begin with ``first``: a command, a game, or nothing for all commands."""
    from adjudicator.cli.app import app_for

    return app_for([first])


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Return the command line: arguments, and what stands on standard input; works in an empty folder."""
    from adjudicator import ruleset_ids
    from adjudicator.cli.app import _COMMANDS

    monkeypatch.chdir(tmp_path)

    def call(*arguments: object, stdin: str | bytes = b"", code: int | None = None) -> Result:
        words = [str(argument) for argument in arguments]
        first = words[0] if words else ""
        app = _app(first if first in _COMMANDS or first in ruleset_ids() else "")
        result = CliRunner().invoke(app, words, input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.output
        assert code is None or result.exit_code == code, result.output
        return result

    return call


@pytest.fixture(scope="session")
def forge() -> Callable[[dict[str, Any]], bytes]:
    """Lay a document out with chain and seal made anew: what a clever forger would do."""

    def open_session(document: dict[str, Any]) -> bytes:
        chance, setup = document["chance"], document["setup"]
        heading = [1, *(document[name] for name in ("id", "ruleset", "components"))]
        heading += [chance[name] for name in ("source", "commitment", "entropy")]
        heading += [setup[name] for name in ("players", "options", "position")]
        heading += ["promised", chance.get("without", [])] if chance.get("promised") else []
        before = digest(b"adjudicator game\n", canonical_text(heading).encode())
        for link in document["journal"]:
            link["hash"] = before = digest(before.encode(), canonical_text(link["entry"]).encode())
        later = [document["receipts"]] if document.get("receipts") else []
        for name in ("set_aside", "reported", "languages"):
            later += [name, document[name]] if document.get(name) else []
        rest = canonical_text([chance["secret"], document["pending"], document["state"], *later])
        document["seal"] = digest(before.encode(), rest.encode())
        links = [(canonical_bytes(link["entry"]), link["hash"]) for link in document["journal"]]
        return game_bytes(document, links)

    return open_session


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return Chromium without a window; where there is none, the tests that ask for it are skipped."""
    library = pytest.importorskip("playwright.sync_api", reason="tests of pages need playwright: pip install -e '.[test]'")
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        pytest.skip("tests of pages need Chromium: apt-get install chromium-headless-shell fonts-dejavu-core")
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    with library.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=options)
        yield chromium
        chromium.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open a file in a browser of its own, with ``options``; it must ask only for pictures beside it, in silence."""
    contexts, said, asked, opened = [], list[str](), list[str](), set[str]()

    def open_file(path: Path, fragment: str = "", **options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
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


@pytest.fixture
def violations() -> Callable[..., list[str]]:
    """Return what axe has against a page, each in a line, by all its rules but those that are named."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe: pip install -e '.[test]'")

    def found(page: Page, *without: str) -> list[str]:
        options = {"resultTypes": ["violations"], "rules": {name: {"enabled": False} for name in without}}
        answer = axe.Axe().run(page, options=options).response["violations"]
        return [f"{one['id']}: {node['target']}: {node['failureSummary']}" for one in answer for node in one["nodes"]]

    return found
