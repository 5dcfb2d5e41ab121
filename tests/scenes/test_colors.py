"""Colours of seats: red is drawn red, and no two look the same as long as there are colours."""

from __future__ import annotations

import pytest

from adjudicator.reports.text.terminal_colors import seat_style
from adjudicator.scenes.colors import COLORS, GIVEN, seat_color, seat_ink


@pytest.mark.parametrize("color", COLORS)
def test_a_seat_that_is_called_like_a_colour_has_it_whoever_plays(color: str) -> None:
    for seats in ((color,), ("ann", color), (color, "zoe", *GIVEN)):
        assert seat_color(color, seats) == color
    assert seat_color("Gray", ()) == "grey"


def test_others_get_what_is_free() -> None:
    assert [seat_color(seat, ("ann", "blue", "bob", "red")) for seat in ("ann", "bob")] == ["green", "yellow"]
    many = tuple(f"s{number}" for number in range(12))
    assert len({seat_color(seat, many) for seat in many}) == len(GIVEN)


def test_each_colour_is_another_on_a_terminal_and_on_paper() -> None:
    assert len({seat_style(color, ()) for color in COLORS}) == len({seat_ink(color, ()) for color in COLORS}) == len(COLORS)
