"""Conditions: whether they hold, why, what they say, and facts that there are not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.conditions import (
    Both,
    Compare,
    Comparison,
    Condition,
    Context,
    CostOf,
    Either,
    FactOf,
    Not,
    Number,
    Term,
    Word,
    condition_text,
    costed_orders,
    evaluate,
    term_text,
    validate_condition,
)

FACTS: dict[str, Any] = {
    "minutes": lambda seat: {"": 7, "blue": 12}.get(seat),
    "row": ("U7", "H3"),
    "hand": ("G1",),
    "empty": (),
    "stack": 9,
    "car": "C3",
    "hidden": None,
    "tile": lambda cell: {"c2": "H9"}.get(cell.lower()),
}
COSTS = {"cheap": 1, "dear": 9, "free": 0}
CONTEXT = Context(FACTS, COSTS.get)
HOLDS = Compare(FactOf("stack"), Comparison.EQUAL, Number(9))
FAILS = Compare(FactOf("stack"), Comparison.EQUAL, Number(8))

ROW, HAND, MINUTES, STACK = FactOf("row"), FactOf("hand"), FactOf("minutes"), FactOf("stack")
EQUAL, UNEQUAL, LESS, AT_MOST, MORE, AT_LEAST, HAS, IN = Comparison


@pytest.mark.parametrize(
    ("left", "how", "right", "holds"),
    [
        # Numbers.
        (STACK, EQUAL, Number(9), True),
        (STACK, EQUAL, Number(8), False),
        (STACK, UNEQUAL, Number(8), True),
        (STACK, LESS, Number(10), True),
        (STACK, LESS, Number(9), False),
        (STACK, AT_MOST, Number(9), True),
        (STACK, MORE, Number(8), True),
        (STACK, MORE, Number(9), False),
        (STACK, AT_LEAST, Number(9), True),
        (STACK, AT_LEAST, Number(10), False),
        # Of several names their number counts.
        (ROW, EQUAL, Number(2), True),
        (ROW, MORE, HAND, True),
        (FactOf("empty"), EQUAL, Number(0), True),
        (MINUTES, LESS, FactOf("minutes", "blue", "of"), True),
        # Names are compared in any case; they have no order.
        (FactOf("car"), EQUAL, Word("c3"), True),
        (FactOf("car"), EQUAL, Word("C4"), False),
        (FactOf("car"), UNEQUAL, Word("C4"), True),
        (FactOf("car"), UNEQUAL, Word("c3"), False),
        (FactOf("car"), LESS, Word("Z9"), False),
        (FactOf("car"), EQUAL, Number(3), False),
        (FactOf("car"), UNEQUAL, Number(3), True),
        (ROW, EQUAL, Word("U7"), False),
        # What is among what.
        (ROW, HAS, Word("u7"), True),
        (ROW, HAS, Word("G1"), False),
        (FactOf("empty"), HAS, Word("G1"), False),
        (FactOf("car"), HAS, Word("C3"), True),
        (Word("u7"), IN, ROW, True),
        (Word("G1"), IN, ROW, False),
        (FactOf("car"), IN, FactOf("tile", "C2", "at"), False),
        # A word is the fact of that name if there is one, else itself.
        (Word("Stack"), EQUAL, Number(9), True),
        (STACK, MORE, Word("row"), True),
        (FactOf("tile", "C2", "at"), EQUAL, Word("H9"), True),
        # Costs.
        (CostOf("cheap"), LESS, Number(2), True),
        (CostOf("free"), EQUAL, Number(0), True),
        (CostOf("dear"), MORE, CostOf("cheap"), True),
        (MINUTES, LESS, CostOf("dear"), True),
    ],
)
def test_comparisons(left: Term, how: Comparison, right: Term, holds: bool) -> None:
    assert evaluate(Compare(left, how, right), CONTEXT).holds is holds


@pytest.mark.parametrize("how", Comparison)
@pytest.mark.parametrize(
    "unknown",
    [
        FactOf("hidden"),
        FactOf("nonsense"),
        FactOf("tile", "Z9", "at"),
        FactOf("minutes", "nobody", "of"),
        FactOf("stack", "red", "of"),
        CostOf("not legal"),
    ],
)
def test_a_comparison_with_something_unknown_never_holds(unknown: Term, how: Comparison) -> None:
    assert not evaluate(Compare(unknown, how, Number(1)), CONTEXT).holds
    assert not evaluate(Compare(STACK, how, unknown), CONTEXT).holds
    assert evaluate(Not(Compare(unknown, how, Number(1))), CONTEXT).holds


@given(st.lists(st.booleans(), min_size=1, max_size=5))
def test_and_or_not(truths: list[bool]) -> None:
    parts = tuple(HOLDS if truth else FAILS for truth in truths)
    assert evaluate(Both(parts), CONTEXT).holds is all(truths)
    assert evaluate(Either(parts), CONTEXT).holds is any(truths)
    assert evaluate(Not(parts[0]), CONTEXT).holds is not truths[0]


@pytest.mark.parametrize(
    ("condition", "because"),
    [
        (HOLDS, ("stack is 9",)),
        (Compare(ROW, HAS, Word("U7")), ("row is U7 H3",)),
        (Compare(FactOf("empty"), HAS, Word("U7")), ("empty is empty",)),
        (Compare(Word("U7"), IN, ROW), ("row is U7 H3",)),
        (Compare(FactOf("tile", "C2", "at"), EQUAL, Word("H9")), ("tile at C2 is H9",)),
        (Compare(FactOf("hidden"), EQUAL, Number(1)), ("hidden is not known",)),
        (Compare(CostOf("dear"), MORE, Number(1)), ("the cost is 9",)),
        (Compare(CostOf("not legal"), MORE, Number(1)), ("that order is not possible now",)),
        (Compare(MINUTES, LESS, FactOf("minutes", "blue", "of")), ("minutes is 7", "minutes of blue is 12")),
        (Both((HOLDS, FAILS, Not(HOLDS))), ("stack is 9",)),
        (Either((HOLDS, Compare(HAND, EQUAL, Number(1)))), ("stack is 9", "hand is G1")),
    ],
)
def test_the_log_is_told_why(condition: Condition, because: tuple[str, ...]) -> None:
    assert evaluate(condition, CONTEXT).because == because


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (HOLDS, "stack = 9"),
        (Compare(FactOf("minutes", "blue", "of"), AT_LEAST, Number(3)), "minutes of blue >= 3"),
        (Compare(Word("U7"), IN, ROW), "U7 in row"),
        (Compare(CostOf("dear"), UNEQUAL, Number(3)), "cost of DEAR != 3"),
        (Not(HOLDS), "NOT stack = 9"),
        (Not(Not(HOLDS)), "NOT NOT stack = 9"),
        (Both((HOLDS, FAILS)), "stack = 9 AND stack = 8"),
        (Either((HOLDS, FAILS)), "(stack = 9 OR stack = 8)"),
        (Not(Both((HOLDS, FAILS))), "NOT (stack = 9 AND stack = 8)"),
        (Not(Either((HOLDS, FAILS))), "NOT (stack = 9 OR stack = 8)"),
        (Both((HOLDS, Either((HOLDS, FAILS)))), "stack = 9 AND (stack = 9 OR stack = 8)"),
        (Both((Both((HOLDS, FAILS)), FAILS)), "(stack = 9 AND stack = 8) AND stack = 8"),
        (Either((Both((HOLDS, FAILS)), FAILS)), "((stack = 9 AND stack = 8) OR stack = 8)"),
    ],
)
def test_canonical_words(condition: Condition, text: str) -> None:
    assert condition_text(condition, str.upper) == text


def test_terms_in_words() -> None:
    assert term_text(FactOf("tile", "C2", "at"), str) == "tile at C2"
    assert term_text(Word("U7"), str) == "U7"


def test_unknown_facts_are_all_told_with_what_there_is() -> None:
    condition = Both(
        (Compare(FactOf("rows"), HAS, Word("nonsense")), Not(Either((HOLDS, Compare(MINUTES, LESS, FactOf("hnad"))))))
    )
    names = dict.fromkeys(("row", "hand", "minutes", "stack"), "")
    first, second = validate_condition(condition, names)
    assert first.code == second.code == "orders/unknown-fact"
    assert first.message == "there is no fact called “rows”; this game knows: hand, minutes, row, stack"
    assert (first.part, second.part) == ("fact=rows", "fact=hnad")
    assert (first.suggestions[0], second.suggestions[0]) == ("row", "hand")
    assert validate_condition(HOLDS, names) == ()


FACTS = {"row": "the row", "minutes": "minutes; `minutes of SEAT`", "tile": "`tile at CELL`"}
WORDS = frozenset(("red", "blue", "c3", "u7"))


@pytest.mark.parametrize(
    ("compare", "code", "part"),
    [
        (Compare(FactOf("minutes", "pink", "of"), MORE, Number(3)), "unknown-name", "argument=pink"),
        (Compare(Number(3), LESS, FactOf("tile", "Z9", "at")), "unknown-name", "argument=Z9"),
        (Compare(FactOf("row"), HAS, Word("X99")), "unknown-name", "word=X99"),
        (Compare(Word("X99"), IN, FactOf("row")), "unknown-name", "name=X99"),
        (Compare(FactOf("row", "C3", "at"), MORE, Number(2)), "no-argument", "argument=C3"),
        (Compare(FactOf("minutes", "blue", "at"), MORE, Number(2)), "no-argument", "argument=blue"),
    ],
)
def test_names_that_the_game_does_not_know_are_told(compare: Compare, code: str, part: str) -> None:
    (problem,) = validate_condition(Not(compare), FACTS, WORDS)
    assert (problem.code, problem.part) == (f"orders/{code}", part)
    assert validate_condition(Not(compare), FACTS) == ()


@pytest.mark.parametrize(
    "compare",
    [
        Compare(FactOf("minutes", "Blue", "of"), MORE, FactOf("minutes")),
        Compare(FactOf("tile", "c3", "at"), EQUAL, Word("U7")),
        Compare(Word("u7"), IN, FactOf("row")),
        Compare(FactOf("minutes"), MORE, Word("Row")),
        Compare(FactOf("tile", "16", "at"), EQUAL, Word("u7")),
    ],
)
def test_names_that_the_game_knows_pass(compare: Compare) -> None:
    assert validate_condition(compare, FACTS, WORDS) == ()


def test_a_fact_written_without_an_argument_is_told_with_its_value() -> None:
    context = Context({"hand": ("H3",), "row": ("U7", "U8")}, lambda _order: None)
    assert evaluate(Compare(FactOf("hand"), MORE, Word("Row")), context).because == ("hand is H3", "row is U7 U8")


@pytest.mark.parametrize(
    ("compare", "holds", "because"),
    [
        (Compare(FactOf("ground"), EQUAL, Word("danger")), True, ("ground is danger",)),
        (Compare(FactOf("ground"), UNEQUAL, Word("Danger")), False, ("ground is danger",)),
        (Compare(FactOf("signs"), HAS, Word("danger")), True, ("signs is danger rain",)),
        (Compare(FactOf("gap"), MORE, Word("danger")), True, ("gap is 3", "danger is 1")),
        (Compare(FactOf("gap"), UNEQUAL, Word("braking")), False, ("gap is 3", "braking is not known")),
        (Compare(FactOf("braking"), UNEQUAL, FactOf("gap")), False, ("braking is not known", "gap is 3")),
    ],
)
def test_a_word_that_is_a_fact_and_a_name_is_the_name_beside_a_name(
    compare: Compare, holds: bool, because: tuple[str, ...]
) -> None:
    facts = {"ground": "danger", "signs": ("danger", "rain"), "gap": 3, "danger": 1, "braking": None}
    evaluation = evaluate(compare, Context(facts, lambda _order: None, frozenset(("danger", "rain"))))
    assert (evaluation.holds, evaluation.because) == (holds, because)


def test_the_orders_whose_cost_is_asked() -> None:
    condition = Both((Compare(CostOf("a"), LESS, CostOf("b")), Not(Either((HOLDS, Compare(STACK, LESS, CostOf("c")))))))
    assert list(costed_orders(condition)) == ["a", "b", "c"]


# What no position can make sense of ----------------------------------------------------------------------------------

KNOWN = {"row": "the row; `row of SEAT`", "tile": "`tile at CELL`: what lies there", "round": "the round"}


def wrong_with(
    condition: Condition, names: tuple[str, ...] = ("red", "blue", "c3")
) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [
        (problem.code, problem.message, problem.part, problem.suggestions)
        for problem in validate_condition(condition, KNOWN, names)
    ]


def test_an_unknown_fact_is_told_with_those_there_are() -> None:
    message = "there is no fact called “rwo”; this game knows: round, row, tile"
    found = wrong_with(Compare(FactOf("rwo", "red", "of"), Comparison.EQUAL, Number(1)))
    assert found == [("orders/unknown-fact", message, "fact=rwo", ("row", "round"))]
    (none,) = validate_condition(Compare(FactOf("row", "red", "of"), Comparison.EQUAL, Number(1)), {})
    assert none.message == "there is no fact called “row”; this game knows: none"


def test_the_wrong_link_of_a_fact_is_told_with_the_right_one() -> None:
    assert wrong_with(Compare(FactOf("row", "red", "at"), Comparison.EQUAL, Number(1))) == [
        ("orders/no-argument", "“row” does not go with “at red”: the row; `row of SEAT`", "argument=red", ("row of red",))
    ]
    assert wrong_with(Compare(FactOf("tile", "C3", "of"), Comparison.EQUAL, Number(1))) == [
        (
            "orders/no-argument",
            "“tile” does not go with “of C3”: `tile at CELL`: what lies there",
            "argument=C3",
            ("tile at C3",),
        )
    ]
    assert wrong_with(Compare(FactOf("round", "red", "of"), Comparison.EQUAL, Number(1))) == [
        ("orders/no-argument", "“round” does not go with “of red”: the round", "argument=red", ("round",))
    ]


def test_an_unknown_name_is_told_wherever_it_stands_with_those_like_it() -> None:
    unknown = ("orders/unknown-name", "nothing in this game is called “bleu”", "argument=bleu", ("blue",))
    wrong = Compare(FactOf("row", "bleu", "of"), Comparison.EQUAL, Number(1))
    right = Compare(FactOf("row", "blue", "of"), Comparison.EQUAL, Number(1))
    for condition in (wrong, Not(wrong), Both((right, wrong)), Either((wrong, right))):
        assert wrong_with(condition) == [unknown]
        assert wrong_with(condition, ()) == []


def test_orders_keep_their_words_wherever_they_stand_in_a_condition() -> None:
    cost = Compare(Number(1), Comparison.LESS, CostOf("DRAW"))
    words = "1 < cost of [DRAW]"
    for condition, text in (
        (cost, words),
        (Not(cost), f"NOT {words}"),
        (Both((cost, cost)), f"{words} AND {words}"),
        (Either((cost, Both((cost, cost)))), f"({words} OR ({words} AND {words}))"),
    ):
        assert condition_text(condition, lambda order: f"[{order}]") == text
