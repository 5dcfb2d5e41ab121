"""Counts, lists, and sentences with the fields of a thing: numbers with their nouns, several things as a list."""

from __future__ import annotations

from typing import Annotated

import pytest

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.phrases import Said, count, listed, sentence
from adjudicator.core.visibility import Public


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 spaces"), (1, "1 space"), (2, "2 spaces"), (-1, "-1 space"), (21, "21 spaces")]
)
def test_a_number_has_its_noun(number: int, words: str) -> None:
    assert count(number, "space") == words


def test_a_plural_may_be_irregular() -> None:
    assert [count(number, "die", "dice") for number in (1, 2)] == ["1 die", "2 dice"]


@pytest.mark.parametrize(
    ("words", "told"),
    [((), ""), (("red",), "red"), (("red", "blue"), "red and blue"), (("red", "blue", 3), "red, blue and 3")],
)
def test_words_are_listed(words: tuple[object, ...], told: str) -> None:
    assert listed(words) == told
    assert listed(iter(words), "or") == told.replace(" and ", " or ")


Gear = Annotated[int, Said(lambda config, gear: config[gear])]
Who = Annotated[Seat, Said(lambda _config, seat: seat.capitalize())]


@frozen
class Shifted:
    """A thing to be told of."""

    seat: Public[Who]
    gear: Gear
    others: Public[tuple[Who, ...]] = ()
    late: Public[Who | None] = None
    turns: int = 1
    tiles: tuple[str | None, ...] = ()
    row: Annotated[tuple[str, ...], Said(lambda _config, row: "-".join(row))] = ("U1", "U2")

    @property
    def sum(self) -> int:
        """What follows from the fields."""
        return self.turns + 1


RED = Shifted(Seat("red"), 1, (Seat("blue"), Seat("green"), Seat("pink")), Seat("blue"), turns=1, tiles=("H3", "G2", None))


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("{seat} shifts to {gear}", "Red shifts to second"),
        ("{seat} asks {others}", "Red asks Blue, Green and Pink"),
        ("all but {late}", "all but Blue"),
        ("{turns:turn}, {sum:turn}, {sum}", "1 turn, 2 turns, 2"),
        ("the {turns:th}, then the {sum:th}", "the first, then the second"),
        ("{tiles:tile} of {others:seat}", "3 tiles of 3 seats"),
        ("the row {row}", "the row U1-U2"),
        ("nothing of it", "nothing of it"),
    ],
)
def test_a_sentence(pattern: str, told: str) -> None:
    assert sentence(pattern, ("first", "second"), RED) == told


def test_what_is_not_there_is_not_asked_for_words() -> None:
    assert sentence("{late}", (), Shifted(Seat("red"), 0)) == "None"


def test_a_field_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        sentence("{nothing}", (), RED)
