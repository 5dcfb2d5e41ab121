"""A site in a real browser: everybody can use it, it asks for nothing outside, and its links lead to its pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from at_move import expect_at
from typer.testing import Result

if TYPE_CHECKING:
    from playwright.sync_api import Page

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
LISTS = ("index", "ann-*", "checkpoint-rally-*", "script-*", "checkered-flag-*", "games/torn-*")
"""A page of each kind, by its address: games, players, one of them with a hostile name, rulesets, what is no game."""
CUT = "[...document.querySelectorAll('.table')].filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.ariaLabel)"
"""The tables that are wider than their place."""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("patterns", [LISTS, pytest.param(("*", "games/torn-*"), marks=pytest.mark.soak)])
@pytest.mark.parametrize("look", [("light", DESKTOP), ("dark", PHONE)], ids=["desktop", "phone"])
def test_everybody_can_use_the_lists(
    run: Callable[..., Result],
    archive: Path,
    visit: Callable[..., Page],
    violations: Callable[[Page], list[str]],
    look: tuple[str, dict[str, Any]],
    patterns: tuple[str, ...],
) -> None:
    run("archive", "-o", "public", "--unfinished", code=1)
    scheme, device = look
    pages = [path for pattern in patterns for path in sorted(Path("public").glob(f"{pattern}.html"))]
    assert len(pages) >= len(patterns)
    for path in pages[device is PHONE :: 2]:  # half of them on each device: they have the same parts
        page = visit(path.resolve(), color_scheme=scheme, **device)
        assert violations(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.evaluate(CUT) == [], path


def test_from_the_index_to_a_move_and_back(run: Callable[..., Result], archive: Path, visit: Callable[..., Page]) -> None:
    run("archive/flag.json", "-o", "public")
    index = Path("public/index.html").resolve()
    for path in Path("public").rglob("*.html"):
        visit(path.resolve())
    page = visit(index)
    page.get_by_role("link", name="Checkered Flag").first.click()
    page.get_by_role("link", name="flag-009").last.click()
    page.locator("#entry-3 a").click()
    expect_at(page, 3)
    page.get_by_role("link", name="All games").click()
    page.wait_for_url(index.as_uri())
