"""What is written in canonical words is read as what it was, for every shape of order."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lark_oracle import value_parser

from adjudicator.core.conditions import Both, Compare, Comparison, CostOf, Either, FactOf, Not, Number, Word
from adjudicator.core.order import FirstOf, Instruction, When, instruction_text
from adjudicator.games.checkpoint_rally.components import CELLS
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Keep, Move, Place, Refresh, Take, in_order
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.orders.build import OrderLine
from adjudicator.orders.clean import MOST_COLUMNS, clean
from adjudicator.orders.line_parser import line_parser
from adjudicator.orders.parser import read_expression, reader

CELL = st.sampled_from(CELLS)
TILE = st.sampled_from([f"{kind}{number}" for kind in ("H", "G", "U", "HC") for number in range(1, 15)])
SEVERAL_TILES = st.lists(TILE, min_size=1, max_size=4).map(in_order)
ORDER = st.one_of(
    st.builds(Place, TILE, CELL, st.sampled_from((0, 90, 180, 270)), st.booleans()),
    st.builds(Move, st.lists(CELL, min_size=1, max_size=3).map(tuple)),
    st.just(DrawTwo()),
    st.just(Refresh()),
    st.builds(Take, TILE),
    st.builds(Discard, SEVERAL_TILES),
    st.builds(Keep, SEVERAL_TILES),
)

# A fact cannot be called NOT, nor COST with an OF behind it, nor be named like a tile or a cell.
NAME = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True).filter(
    lambda name: not re.fullmatch(r"not|cost|[a-z]+[0-9]+", name)
)
FACT = st.one_of(
    st.builds(FactOf, st.sampled_from(("minutes", "row", "hand"))),
    st.builds(FactOf, st.just("tile"), CELL, st.just("at")),
    st.builds(FactOf, NAME, NAME, st.sampled_from(("of", "at"))),
)
WORD = st.builds(Word, st.one_of(TILE, st.from_regex(r"[A-Z][A-Z0-9_]{0,8}", fullmatch=True)))
COST = st.builds(CostOf, ORDER)
HOW = st.sampled_from([how for how in Comparison if how is not Comparison.IN])
VALUE = st.one_of(st.builds(Number, st.integers(0, 999_999)), WORD, FACT.filter(lambda fact: fact.argument))
COMPARISON = st.one_of(
    st.builds(Compare, FACT, HOW, VALUE),
    st.builds(Compare, COST, HOW, st.builds(Number, st.integers(0, 99))),
    st.builds(Compare, FACT, HOW, COST),
    st.builds(Compare, WORD, st.just(Comparison.IN), FACT),
)


def several(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(parts, min_size=2, max_size=3).map(tuple)


CONDITION = st.recursive(
    COMPARISON,
    lambda part: st.one_of(st.builds(Both, several(part)), st.builds(Either, several(part)), st.builds(Not, part)),
    max_leaves=5,
)
EXPRESSION = st.recursive(
    ORDER,
    lambda part: st.one_of(st.builds(FirstOf, several(part)), st.builds(When, CONDITION, part, st.none() | part)),
    max_leaves=5,
)
DRAWS = st.lists(st.from_regex(r"[A-Za-z0-9_.:/-]{1,8}", fullmatch=True), max_size=4).map(tuple)


def assert_round_trip(expression: Any, draws: tuple[str, ...]) -> None:
    text = instruction_text(Instruction(expression, draws), RULESET.language.text)
    assert read_expression(RULESET, text) == (expression, draws)
    lark = value_parser(RULESET).parse(text)
    assert lark == line_parser(RULESET)(text) == OrderLine(None, expression, draws)


@given(EXPRESSION, DRAWS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_canonical_words_are_read_as_what_they_were(expression: Any, draws: tuple[str, ...]) -> None:
    assert_round_trip(expression, draws)


@pytest.mark.soak
@given(EXPRESSION, DRAWS)
@settings(max_examples=20_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_canonical_words_are_read_as_what_they_were_at_length(expression: Any, draws: tuple[str, ...]) -> None:
    assert_round_trip(expression, draws)


@given(ORDER)
@settings(max_examples=100, deadline=None)
def test_case_makes_no_difference_to_an_order(order: Any) -> None:
    text = RULESET.language.text(order)
    for written in (text.lower(), text.upper(), text.title(), f"  {text.lower()}  "):
        assert read_expression(RULESET, written) == (order, ())


@pytest.mark.parametrize("line", ["lay a b", "lay a b if a<1or lay a b", "if not a<1then lay a b else lay a b"])
def test_the_longest_line_can_still_be_read_in_its_longer_canonical_words(line: str) -> None:
    """Canonical words wait in the game file: what a player may write must never become unreadable there."""
    whole = line
    while len(whole) + len(line) + 4 <= MOST_COLUMNS:
        whole += f" or {line}"
    parsed = reader(RULESET).read(clean(whole))
    assert isinstance(parsed, OrderLine)
    text = instruction_text(Instruction(parsed.expression), RULESET.language.text)
    assert MOST_COLUMNS < len(text) < 2_000
    assert read_expression(RULESET, text) == (parsed.expression, ())


@pytest.mark.parametrize(
    "text", ["", "red:", "red: DRAW", "turn 7", "DROW", "DRAW DRAW", "(" * 1_000 + "DRAW", "DRAW" * 1_000]
)
def test_text_that_is_no_order_raises(text: str) -> None:
    with pytest.raises(ValueError, match="not an order"):
        read_expression(RULESET, text)
