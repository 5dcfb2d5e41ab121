"""Orders within alternatives and conditions, changed one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.conditions import Compare, Comparison, FactOf, Number
from adjudicator.core.order import FirstOf, When, conditions, leaves, with_orders

CONDITION = Compare(FactOf("round"), Comparison("="), Number(1))
expressions = st.recursive(
    st.integers(0, 9).map(str),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda options: FirstOf(tuple(options))),
        st.builds(When, st.just(CONDITION), inner, st.none() | inner),
    ),
    max_leaves=8,
)


@given(expressions)
def test_each_order_is_changed_and_nothing_else(expression):
    changed = with_orders(expression, lambda order: f"{order}!")
    assert list(leaves(changed)) == [f"{order}!" for order in leaves(expression)]
    assert list(conditions(changed)) == list(conditions(expression))
    assert with_orders(changed, lambda order: order[:-1]) == expression
