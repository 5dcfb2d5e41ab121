"""One look for every page: its values are defined once, used by all pages, and described in one document."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[3]
SET_BY_SCRIPTS = {"--wide", "--high", "--least", "--share", "--fit", "--zoom", "--above", "--bar", "--need"}
TEMPLATES = ROOT / "adjudicator" / "reports" / "pages" / "templates"
WEB = ROOT / "adjudicator" / "desk" / "web"
IDENTITY = (TEMPLATES / "identity.css").read_text("utf-8")
STYLES = [
    *(path for path in sorted(TEMPLATES.glob("*.css")) if path.name != "identity.css"),
    WEB / "desk.css",
    WEB / "editor.js",
]


def defined(style: str) -> set[str]:
    return set(re.findall(r"(--[\w-]+):", style))


def test_the_document_names_every_value() -> None:
    document = (ROOT / "docs" / "identity.md").read_text("utf-8")
    assert set(re.findall(r"`(--[\w-]+)`", document)) == defined(IDENTITY)


@pytest.mark.parametrize(("name", "kind"), [("replay.css", "dot"), ("report.css", "badge")])
def test_a_page_keeps_the_colours_of_the_pieces(visit: Callable[..., Page], tmp_path: Path, name: str, kind: str) -> None:
    file, style = tmp_path / "page.html", IDENTITY + (TEMPLATES / name).read_text("utf-8")
    file.write_text(
        f'<!doctype html><style>{style}</style><link rel="icon" href="data:,"><i class="{kind} ink-red">R</i>', "utf-8"
    )
    color = visit(file).locator("i").evaluate("one => getComputedStyle(one).backgroundColor")
    assert color == "rgb(192, 57, 43)"


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_no_page_has_another_palette_or_uses_a_value_that_is_missing(path: Path) -> None:
    style = path.read_text("utf-8")
    assert defined(style).isdisjoint(defined(IDENTITY))
    known = defined(IDENTITY) | defined("".join(one.read_text("utf-8") for one in STYLES)) | SET_BY_SCRIPTS
    assert set(re.findall(r"var\((--[\w-]+)", style)) <= known
    assert "system-ui" not in style


def test_every_value_with_a_colour_has_a_dark_and_a_printed_form() -> None:
    light, dark, printed = re.findall(r":root \{(.*?)\}", IDENTITY, re.DOTALL)
    colors = {name for name, _ in re.findall(r"(--[\w-]+): (#\w+);", light)}
    assert colors - defined(dark) == {"--board", "--on-board"}
    assert colors - defined(printed) == {"--board", "--on-board", "--on-accent"}
