"""Who is where: level seats share a place, and the next is as many places behind."""

from __future__ import annotations

from typing import Any

import pytest

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Standing


@frozen
class Purse:
    seat: Seat
    coins: int


def ranked(*coins: int, is_final: bool = False) -> Any:
    purses = [Purse(Seat(seat), amount) for seat, amount in zip("abcde", coins, strict=False)]
    return Standing.ranking(
        purses,
        key=lambda purse: -purse.coins,
        score=lambda purse: purse.coins * 10,
        note=lambda purse: f"{purse.coins} coins",
        is_final=is_final,
    )


@pytest.mark.parametrize(
    ("coins", "places"),
    [
        ((), []),
        ((5,), [(1, "a")]),
        ((1, 3, 2), [(1, "b"), (2, "c"), (3, "a")]),
        ((3, 1, 3), [(1, "a"), (1, "c"), (3, "b")]),
        ((2, 3, 2, 1, 2), [(1, "b"), (2, "a"), (2, "c"), (2, "e"), (5, "d")]),
        ((0, 0), [(1, "a"), (1, "b")]),
    ],
)
def test_level_seats_share_a_place_in_their_order(coins: tuple[int, ...], places: list[tuple[int, str]]) -> None:
    assert [(one.place, one.seat) for one in ranked(*coins)] == places


def test_score_note_and_whether_it_is_final() -> None:
    (one,) = ranked(5)
    assert (one.score, one.note, one.is_final) == (50, "5 coins", False)
    assert all(one.is_final for one in ranked(1, 2, is_final=True))
