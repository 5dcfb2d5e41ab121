"""Copies with some fields changed, by names that are given and by names that are known beforehand."""

from dataclasses import replace
from itertools import chain, combinations

import pytest

from adjudicator.core.change import change, changed, copier
from adjudicator.core.frozen import frozen


@frozen(kw_only=True)
class Cart:
    driver: str
    load: int = 0
    stops: tuple[str, ...] = ()


CART = Cart(driver="Ann", load=3)
NEW = {"driver": "Bob", "load": 4, "stops": ("A1",)}
EVERY_CHANGE = [dict(some) for some in chain.from_iterable(combinations(NEW.items(), count) for count in range(4))]


@pytest.mark.parametrize("changes", EVERY_CHANGE)
def test_a_copy_is_what_dataclasses_make_of_it_and_what_it_was_stays(changes: dict[str, object]) -> None:
    right = replace(CART, **changes)  # type: ignore[arg-type]
    assert change(CART, **changes) == changed(CART, changes) == right
    copied = copier(Cart, *changes)(CART, *changes.values())
    assert (copied, type(copied)) == (right, Cart)
    assert Cart(driver="Ann", load=3) == CART


def test_new_values_are_taken_in_the_order_of_the_names() -> None:
    assert copier(Cart, "stops", "load")(CART, ("B2",), 5) == Cart(driver="Ann", load=5, stops=("B2",))


def test_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError):
        change(CART, horse=1)
    with pytest.raises(TypeError, match="Cart has no field horse, mule"):
        copier(Cart, "load", "mule", "horse")
