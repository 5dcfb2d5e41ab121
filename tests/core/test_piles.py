"""Decks, bags and stacks: what is left in them, and drawing from them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Annotated, NewType

import pytest

from adjudicator.core.chance import RecordedChance
from adjudicator.core.piles import unknown_pieces
from adjudicator.game import Flaw, Name, Seat, frozen, piles

TileId = NewType("TileId", str)
TILES = piles.Pieces("tile", "XY-C1", lambda config: config.tiles, "row", "hands.tiles", named_by=TileId)
CARS = piles.Pieces("car", "XY-C2", lambda config: config.cars)


@frozen
class Hand:
    """What a seat holds, with values in which a name may be nested."""

    seat: Seat
    tiles: tuple[TileId, ...] = ()
    car: Annotated[Name, CARS] | None = None
    last_pair: tuple[Name, TileId] | None = None


@frozen
class Row:
    """A state with two kinds of pieces."""

    row: tuple[TileId | None, ...] = ()
    hands: tuple[Hand, ...] = ()
    next_seat: Seat | None = None
    aim: Hand | TileId | None = None


CONFIG = SimpleNamespace(seats=("red", "blue"), tiles=("H1", "H2", "H2"), cars={"buggy": 1})


@pytest.mark.parametrize(
    ("state", "message", "rule", "suggestions"),
    [
        (Row(row=("H1", "X9", "X9", None)), "there is no tile X9 in this game", "XY-C1", ()),
        (Row(hands=(Hand("red", ("H3",)),)), "red: there is no tile H3 in this game", "XY-C1", ("H1", "H2")),
        (Row(hands=(Hand("red", car="bugy"),)), "red: there is no car bugy in this game", "XY-C2", ("buggy",)),
        (
            Row(hands=(Hand("red", last_pair=("X8", "X9")),)),
            "red: there is no tile X9 in this game",
            "XY-C1",
            (),
        ),
        (Row(hands=(Hand("rde"),)), "there is no seat rde in this game", "", ("red",)),
        (Row(next_seat="bleu"), "there is no seat bleu in this game", "", ("blue",)),
        (Row(aim="X9"), "there is no tile X9 in this game", "XY-C1", ()),
        (Row(aim=Hand("blue", ("X9",))), "blue: there is no tile X9 in this game", "XY-C1", ()),
    ],
)
def test_a_name_that_the_game_does_not_have_is_a_flaw_of_its_field(state, message, rule, suggestions):
    found = list(unknown_pieces((TILES, CARS), CONFIG, state))
    assert found == [Flaw(message, rule, suggestions=suggestions)]


def test_names_that_exist_are_no_flaws():
    hands = (Hand("red", ("H1",), "buggy", ("X8", "H2")), Hand("blue"))
    assert list(unknown_pieces((TILES, CARS), CONFIG, Row(("H2", None), hands, "red", "H1"))) == []


def test_a_piece_lies_in_as_many_places_as_the_game_has_of_it():
    state = Row(row=("H2", "H1", None, "H1", "H2", None, "H1", "H2"))
    assert list(TILES.in_several_places(CONFIG, state)) == [
        Flaw("the game has 2 tiles “H2”, not 3", "XY-C1"),
        Flaw("tile H1 is in 3 places", "XY-C1"),
    ]
    assert (TILES.left(CONFIG, Row(row=("H2",))), TILES.many_left(CONFIG, Row(row=("H2", None)))) == (("H1", "H2"), 1)


def test_what_is_left_is_in_the_order_of_the_whole_without_one_for_each_out():
    assert piles.left_in(("red", "red", "blue", "red"), ["red", "blue", None]) == ["red", "red"]
    assert piles.left_in({"red": 1, "blue": 2, "green": 3}, ["blue", None]) == ["red", "green"]


class Table:
    """A deck and its discards; a renewal is the event that puts the discards back."""

    def __init__(self, deck: list[str], discards: list[str]) -> None:
        self.deck, self.discards = deck, discards

    def draw(self, many: int, *outcomes: str) -> tuple[tuple[str, ...], list[str]]:
        """Draw and return the things drawn, and the events on the way."""
        events, state = [], tuple(self.deck)
        renewal = lambda state: "renewed" if state == tuple(self.deck) and self.discards else None  # noqa: E731
        drawing = piles.draw_from(lambda state: state, renewal, state, many, "a card", RecordedChance(outcomes))
        try:
            event = next(drawing)
            while True:
                events.append(event)
                state = (*self.deck, *self.discards)
                event = drawing.send(state)
        except StopIteration as done:
            found, after = done.value
            assert after == state
            return found, events


def test_things_are_drawn_by_chance_each_at_most_once():
    assert Table(["a", "b", "b"], []).draw(3, "b", "a", "b") == (("b", "a", "b"), [])


def test_an_empty_pile_is_renewed_from_the_discards_when_more_must_be_drawn():
    assert Table(["a"], ["c", "d"]).draw(2, "a", "d") == (("a", "d"), ["renewed"])
    assert Table(["a"], ["c", "d"]).draw(1, "a") == (("a",), [])


def test_as_many_are_drawn_as_there_are():
    assert Table(["a"], []).draw(3, "a") == (("a",), [])
    assert Table([], ["c"]).draw(5, "c") == (("c",), ["renewed"])
