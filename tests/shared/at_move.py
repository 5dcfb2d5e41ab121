"""Where a page with the replay of a game is."""

from tests.drivers.pages import expect_at

__all__ = ["expect_at"]
