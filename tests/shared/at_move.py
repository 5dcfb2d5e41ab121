"""Where a page with the replay of a game is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


def expect_at(page: Page, number: int) -> None:
    """The page is at a move, or is there soon: a browser may follow a link after it says that it has."""
    from playwright.sync_api import expect

    expect(page.locator("#now")).to_have_text(re.compile(rf"^{number} "))
