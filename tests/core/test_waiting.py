"""Orders that wait: taken away into the record, and brought back from there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from adjudicator.core.corrections import CorrectionError
from adjudicator.core.game import Game, PendingOrder, PendingSheet
from adjudicator.core.ids import Seat
from adjudicator.core.waiting import bring_back, waiting_of, withdraw, withdraw_undone, words_of

RED, BLUE = Seat("red"), Seat("blue")


def sheet(seat: Seat, *orders: str, is_begun: bool = False) -> PendingSheet:
    return PendingSheet(seat, 1, tuple(PendingOrder(n, order) for n, order in enumerate(orders, 1)), is_begun)


@pytest.fixture
def game(new_game: Callable[..., Game]) -> Game:
    return replace(new_game(), pending=(sheet(RED, "ADD 1", "ADD 2", is_begun=True), sheet(BLUE, "QUIT")))


def test_what_is_taken_away_is_in_the_record_with_who_when_and_why(game: Game) -> None:
    after = withdraw(game, RED, "withdrawn", "by telephone")
    assert after.pending == (sheet(BLUE, "QUIT"),)
    (one,) = after.set_aside
    assert (one.turn, one.cause, one.reason, one.sheet) == (1, "withdrawn", "by telephone", game.pending[0])


def test_the_first_orders_can_stay(game: Game) -> None:
    after = withdraw(game, RED, "withdrawn", first=2)
    assert after.pending[0] == sheet(RED, "ADD 1", is_begun=True)
    assert after.set_aside[0].sheet.is_begun is False
    assert words_of(after.set_aside[0].sheet.orders) == ("ADD 2",)


@pytest.mark.parametrize(
    ("seat", "first", "words"),
    [
        ("red", 3, "red has only 2 pending orders"),
        ("red", 0, "red has only 2 pending orders"),
        ("blue", 2, "blue has only 1 pending order"),
        ("green", 1, "green has no pending orders"),
    ],
)
def test_what_does_not_wait_cannot_be_taken_away(game: Game, seat: str, first: int, words: str) -> None:
    with pytest.raises(CorrectionError, match=words):
        withdraw(game, seat, "withdrawn", first=first)


def test_what_was_taken_away_is_brought_back_and_what_waits_takes_its_place(game: Game) -> None:
    without = withdraw(game, RED, "withdrawn")
    again = bring_back(without, 1)
    assert waiting_of(again, RED) == game.pending[0]
    assert again.set_aside == without.set_aside, "the record only grows"
    other = replace(without, pending=(*without.pending, sheet(RED, "ROLL 1")))
    third = bring_back(other, 1)
    assert waiting_of(third, RED) == game.pending[0]
    assert [(one.cause, words_of(one.sheet.orders)) for one in third.set_aside] == [
        ("withdrawn", ("ADD 1", "ADD 2")),
        ("replaced", ("ROLL 1",)),
    ]


@pytest.mark.parametrize(("number", "words"), [(0, "it has 1 to 1"), (2, "it has 1 to 1"), (1, "are already pending")])
def test_what_cannot_be_brought_back(game: Game, number: int, words: str) -> None:
    after = withdraw(game, RED, "withdrawn")
    with pytest.raises(CorrectionError, match=words):
        bring_back(bring_back(after, 1), number)
    with pytest.raises(CorrectionError, match="it is empty"):
        bring_back(game, number)


def test_all_that_waits_is_taken_away(game: Game) -> None:
    after = withdraw_undone(game, "so")
    assert after.pending == ()
    assert [(one.sheet.seat, one.cause, one.reason) for one in after.set_aside] == [
        (RED, "undone", "so"),
        (BLUE, "undone", "so"),
    ]


def test_the_seal_covers_the_record_and_is_what_it_was_without_one(game: Game) -> None:
    bare = replace(game, set_aside=())
    assert bare.seal == game.seal
    after = withdraw(game, RED, "withdrawn")
    assert replace(after, set_aside=()).seal != after.seal
