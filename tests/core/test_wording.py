"""Orders that know their words: how they are read, written and named."""

from __future__ import annotations

import re
from typing import Any

import pytest

from adjudicator.core.wording import Order, Term, language, order


@order("MOVE C3", "MOVE C3 2", "MOVE C3 2 fast")
class Move(Order):
    cell: str
    steps: int = 1
    how: str | None = None


@order("DRAW")
class DrawTwo(Order):
    """It has nothing to say."""


@order("KEEP")
class Keep(Order):
    tiles: tuple[str, ...] | None

    @classmethod
    def read(cls, children: list[Any]) -> Keep:
        return cls(tuple(sorted(children)))

    def text(self) -> str:
        return f"KEEP {' '.join(self.tiles or ())}"


TERMS = {
    "cell": Term("a cell", lambda children: str(children[0]).upper()),
    "steps": Term.number("steps"),
    "fast": Term.constant("fast"),
}


def test_orders_are_frozen_values_that_know_their_examples() -> None:
    assert Move("C3") == Move("C3", 1)
    assert Move.examples == ("MOVE C3", "MOVE C3 2", "MOVE C3 2 fast")
    assert Order.examples == ()
    with pytest.raises(AttributeError):
        Move("C3").cell = "C4"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("children", "meant"),
    [
        (["C3"], Move("C3")),
        (["C3", 2], Move("C3", 2)),
        (["C3", None], Move("C3")),
        (["C3", None, "fast"], Move("C3", 1, "fast")),
        (["C3", 0], Move("C3", 0)),
    ],
)
def test_parts_are_read_field_by_field_and_what_is_left_out_is_as_usual(children: list[Any], meant: Move) -> None:
    assert Move.read(children) == meant


def test_a_part_left_out_of_a_field_without_a_default_is_none() -> None:
    assert Move.read([None]).cell is None
    with pytest.raises(TypeError, match="cell"):
        Move.read([])


def test_more_parts_than_fields_are_told_and_not_dropped() -> None:
    words = "Move has 3 fields, its rule of the grammar 4 parts"
    with pytest.raises(TypeError, match=words):
        Move.read(["C3", 1, "fast", "more"])
    with pytest.raises(TypeError, match="DrawTwo has 0 fields, its rule of the grammar 1 parts"):
        DrawTwo.read(["tiles"])


@pytest.mark.parametrize(
    ("meant", "words"),
    [(Move("C3"), "MOVE C3"), (Move("C3", 2), "MOVE C3 2"), (DrawTwo(), "DRAWTWO"), (Keep(("H1", "H2")), "KEEP H1 H2")],
)
def test_words_are_the_name_and_what_is_not_as_usual(meant: Order, words: str) -> None:
    assert meant.text() == words


def test_parts_of_the_grammar_are_read_as_numbers_constants_or_as_the_game_says() -> None:
    assert TERMS["steps"].read(["007"]) == 7
    assert TERMS["fast"].read(["anything"]) == "fast"
    assert TERMS["cell"].read(["c3"]) == "C3"
    assert (TERMS["steps"].help, TERMS["fast"].help) == ("steps", "")


def test_the_language_has_the_names_the_words_and_the_examples_of_all() -> None:
    found = language("game.lark", (Move, DrawTwo, Keep), TERMS)
    assert found.grammar == "game.lark"
    assert set(found.builders) == {"move", "draw_two", "keep", "cell", "steps", "fast"}
    assert found.builders["keep"](["H2", "H1"]) == Keep(("H1", "H2"))
    assert found.text(Keep(("H1",))) == "KEEP H1"
    assert found.text(Move("C3")) == "MOVE C3"
    assert found.terms == {"cell": "a cell", "steps": "steps"}
    assert found.examples == ("MOVE C3", "MOVE C3 2", "MOVE C3 2 fast", "DRAW", "KEEP")


@pytest.mark.parametrize(
    ("orders", "terms"),
    [((Move, Move), {}), ((Move,), {"move": Term.number("")}), ((DrawTwo,), {"draw_two": Term.number("")})],
)
def test_two_things_for_one_rule_of_the_grammar_are_told(orders: Any, terms: Any) -> None:
    words = f"for the same rule of the grammar: {'move' if Move in orders else 'draw_two'}"
    with pytest.raises(ValueError, match=re.escape(words)):
        language("game.lark", orders, terms)


@pytest.mark.parametrize(("word", "read"), [("7", 7), ("3rd", 3), ("Third gear", 3), ("n", 0), ("12 gear", 12)])
def test_a_number_may_be_a_word(word: str, read: int) -> None:
    term = Term.number("a gear", {"n": 0, "third": 3})
    assert term.read is not None
    assert term.read([word]) == read
