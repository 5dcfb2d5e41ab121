"""How a report tells a seat its secrets: by titles and words that the state gives for its fields."""

from __future__ import annotations

from typing import Annotated, Any

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.naming import secret_words_at
from adjudicator.core.phrases import Said

CARDS = Said(lambda config, cards: ", ".join(config[card] for card in cards), "hand")
SHOWN = Said(lambda _config, _value: "")


@frozen
class Bag:
    seat: Seat
    coins: Annotated[tuple[int, ...], Said(lambda _config, coins: f"{sum(coins)} in all")] = (1, 2)


@frozen
class Crew:
    seat: Seat
    in_hand: Annotated[tuple[str, ...], CARDS] = ("a", "b")
    is_asking: Annotated[bool, SHOWN] = False
    plain: tuple[str, ...] = ("a",)


@frozen
class State:
    crews: tuple[Crew, ...]
    pending: Any = None


STATE = State((Crew(Seat("red")), Crew(Seat("blue"))), Bag(Seat("red")))
CONFIG = {"a": "Ace", "b": "Bishop"}


def told(path: str) -> tuple[str, str] | None:
    return secret_words_at(CONFIG, STATE, path, "red")


def test_a_field_has_its_title_and_its_words() -> None:
    assert told("crews[0].in_hand") == ("your hand", "Ace, Bishop")


def test_another_seats_field_names_its_owner() -> None:
    assert told("crews[1].in_hand") == ("blue's hand", "Ace, Bishop")


def test_without_a_title_the_name_of_the_field_is_written_with_spaces() -> None:
    assert told("crews[0].is_asking") == ("your is asking", "")


def test_a_part_of_a_field_is_told_with_the_whole_field() -> None:
    assert told("pending.coins[1]") == ("your coins", "3 in all")


def test_a_field_without_words_is_left_to_the_usual_ones() -> None:
    assert told("crews[0].plain") is None
    assert told("crews[0].plain[0]") is None
    assert told("nothing.at.all") is None
