"""How orders are written, and that canonical words read back as the same order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.conditions import Compare, Comparison, CostOf, FactOf, Number
from adjudicator.core.order import FirstOf, Instruction, When, instruction_text
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift
from adjudicator.games.checkered_flag.rules import RULESET
from adjudicator.orders.clean import MOST_COLUMNS, clean
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import read_expression, reader

BRAKES = st.one_of(st.builds(Brake, st.none() | st.integers(0, 999)), st.builds(Brake, to=st.integers(0, 999)))
SHIFTS = st.builds(Shift, st.integers(0, 3), st.none() | st.just(Go()) | BRAKES)
ORDERS = st.one_of(SHIFTS, BRAKES, st.just(Go()))
FACTS = st.builds(FactOf, st.sampled_from(sorted(RULESET.fact_names)))
CONDITIONS = st.builds(
    Compare, st.one_of(FACTS, st.builds(CostOf, ORDERS)), st.just(Comparison.LESS), st.builds(Number, st.integers(0, 99))
)
EXPRESSIONS = st.recursive(
    ORDERS,
    lambda part: st.one_of(
        st.builds(FirstOf, st.lists(part, min_size=2, max_size=3).map(tuple)), st.builds(When, CONDITIONS, part, part)
    ),
    max_leaves=4,
)


@given(EXPRESSIONS)
@settings(max_examples=60, deadline=None)
def test_canonical_words_read_back(expression):
    text = instruction_text(Instruction(expression), RULESET.language.text)
    assert read_expression(RULESET, text) == (expression, ())
    assert read_expression(RULESET, text.lower()) == (expression, ())


@pytest.mark.parametrize(
    ("written", "order"),
    [
        ("GEAR 2", Shift(2)),
        ("gear n", Shift(0)),
        ("gear neutral", Shift(0)),
        ("gear first", Shift(1)),
        ("gear 3rd", Shift(3)),
        ("gear: 2", Shift(2)),
        ("Gear=2 go", Shift(2, Go())),
        ("shift to 2", Shift(2)),
        ("Shift up to third gear", Shift(3)),
        ("Gear up to 3", Shift(3)),
        ("shift down into 2nd", Shift(2)),
        ("stay in 2nd gear", Shift(2)),
        ("change to gear 2", Shift(2)),
        ("gear 3 go", Shift(3, Go())),
        ("gear 3, and go", Shift(3, Go())),
        ("gear 3 - go!", Shift(3, Go())),
        ("gear 3 don't brake", Shift(3, Go())),
        ("gear 3 no braking", Shift(3, Go())),
        ("gear 3 brake before danger", Shift(3, Brake())),
        ("gear 3, brake before the next danger zone.", Shift(3, Brake())),
        ("gear 3 but brake before the first curve", Shift(3, Brake())),
        ("gear 3 – brake", Shift(3, Brake())),
        ("gear 3 brake 2", Shift(3, Brake(2))),
        ("gear 1, brake by 2 spaces", Shift(1, Brake(2))),
        ("gear 2 brake to 36", Shift(2, Brake(to=36))),
        ("stay in 2nd gear but brake to position 36", Shift(2, Brake(to=36))),
        ("brake to 36", Brake(to=36)),
        ("brake to space 36", Brake(to=36)),
        ("brake 2", Brake(2)),
        ("brake by 2 spaces", Brake(2)),
        ("brake 1 space", Brake(1)),
        ("brake", Brake()),
        ("brake before danger", Brake()),
        ("go", Go()),
        ("do not brake", Go()),
        ("gear 4", Shift(4)),
        ("gear 17", Shift(17)),
    ],
)
def test_what_players_write(written, order):
    assert read_expression(RULESET, written) == (order, ())


@pytest.mark.parametrize(
    "written",
    ["gear", "gear x", "gear go", "gear 3 brake two", "gear 3 brake to", "2", "brake before", "brake two", "gogo", "gear3"],
)
def test_what_nobody_can_read(written):
    assert isinstance(reader(RULESET).read(written), LineProblem)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("gear 1 brake before dangr", "gear 1 brake before danger"),
        ("brake befor danger", "brake before danger"),
        ("brake before", "brake before danger"),
    ],
)
def test_words_that_go_together_are_put_right_together(written, meant):
    assert reader(RULESET).read(written).problem.suggestions == (meant,)


def test_a_suggestion_leaves_no_words_out():
    """`brake` alone would be another order."""
    assert reader(RULESET).read("brake bfore it").problem.suggestions == ()


def test_facts_may_be_called_like_orders():
    """`gear` begins an order and is a fact."""
    expression, _ = read_expression(RULESET, "IF gear = 2 AND gear of blue < 3 THEN GEAR 3 go ELSE GEAR 2")
    assert (expression.then, expression.otherwise) == (Shift(3, Go()), Shift(2))
    assert [part.left.name for part in expression.condition.parts] == ["gear", "gear"]
    expression, _ = read_expression(RULESET, "BRAKE 3 IF cost of BRAKE 3 > cost of GO ELSE GO")
    assert expression.then == Brake(3)


def test_the_examples_are_canonical():
    for example in RULESET.language.examples:
        expression, _ = read_expression(RULESET, example)
        assert RULESET.language.text(expression) == example
    assert {type(read_expression(RULESET, example)[0]) for example in RULESET.language.examples} == {Shift, Brake, Go}


@pytest.mark.parametrize("line", ["brake", "gear n", "gear 3 brake"])
def test_the_longest_line_can_still_be_read_in_its_longer_canonical_words(line):
    whole = line
    while len(whole) + len(line) + 4 <= MOST_COLUMNS:
        whole += f" or {line}"
    expression, _ = read_expression(RULESET, clean(whole))
    text = instruction_text(Instruction(expression), RULESET.language.text)
    assert len(text) < 2_000
    assert read_expression(RULESET, text) == (expression, ())
