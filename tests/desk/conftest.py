"""A desk that is built once for all tests, served on this computer, and visited with a real browser."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

from adjudicator.desk.build import CannotDownloadError, build
from adjudicator.desk.serve import server_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NO_PICKERS = "window.showOpenFilePicker = window.showSaveFilePicker = undefined;"
"""Without pickers of files, which no test could answer, the desk saves by download."""


@pytest.fixture(scope="session")
def desk_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a built desk, which the processes of this test run share."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("tests of the desk need Node.js and npm: apt-get install nodejs npm")
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if base.name.startswith("popen-") else base) / "desk"
    with FileLock(f"{shared}.lock"):
        if not (shared / "index.html").is_file():
            try:
                build(shared)
            except CannotDownloadError as error:
                pytest.skip(f"tests of the desk need the registries of npm and Python packages: {error}")
    return shared


@pytest.fixture(scope="session")
def address(desk_folder: Path) -> Iterator[str]:
    server = server_of(desk_folder, 0)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def at_desk(browser: Browser, address: str) -> Iterator[Callable[..., Page]]:
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
        page.goto(address + fragment)
        if waits:
            page.wait_for_selector("body[data-ready]", timeout=120_000)
        return page

    yield open_desk
    for context in contexts:
        context.close()
    assert said == []
    assert {url for url in asked if not url.startswith((address, "blob:", "data:"))} == set()
