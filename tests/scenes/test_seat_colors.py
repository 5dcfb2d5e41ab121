"""Colours of seats: red is drawn red, and no two look the same as long as there are colours."""

from __future__ import annotations

import pytest

from adjudicator.core.drawing import Badge, Drawing, Grid, Space, Square, Track
from adjudicator.core.scene import Sign
from adjudicator.reports.drawing import drawing_text
from adjudicator.reports.picture import picture
from adjudicator.reports.terminal_colors import seat_style
from adjudicator.scenes.colors import seat_ink
from adjudicator.scenes.seat_colors import COLORS, GIVEN, seat_color


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


@pytest.mark.parametrize("seats", [("ann", "red"), ("blue", "red")])
def test_red_is_red_in_every_drawing(seats: tuple[str, ...]) -> None:
    badge = Badge("red", Sign.PIECE, "red")
    board = Grid(("A",), ("1",), (Square(badges=(badge,)),))
    for shape in (board, Track("Lap", (Space("1", badges=(badge,)),))):
        assert "\x1b[1;31m▲red" in drawing_text(Drawing((shape,)), color=True, seats=seats)
        assert 'fill="#c0392b"' in (picture(Drawing((shape,)), "x", seats) or "")


def test_a_seat_keeps_its_colour_when_others_have_left_the_board() -> None:
    badge = Badge("bob", Sign.PIECE, "bob")
    alone = drawing_text(Drawing((Track("Lap", (Space("1", badges=(badge,)),)),)), color=True, seats=("ann", "bob"))
    assert f"\x1b[{seat_style('bob', ('ann', 'bob'))}m▲bob" in alone
