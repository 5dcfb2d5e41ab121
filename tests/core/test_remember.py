"""What was found out about a value is remembered for that value alone."""

from adjudicator.core.frozen import frozen
from adjudicator.core.remember import remember_last


@frozen
class Heap:
    stones: int


def test_the_same_value_is_looked_at_once_and_another_that_is_equal_anew() -> None:
    looked: list[Heap] = []

    @remember_last
    def stones(heap: Heap) -> int:
        """Count."""
        looked.append(heap)
        return heap.stones

    first, second, other = Heap(1), Heap(1), Heap(2)
    assert [stones(heap) for heap in (first, first, other, other, second, first)] == [1, 1, 2, 2, 1, 1]
    assert [id(heap) for heap in looked] == [id(heap) for heap in (first, other, second, first)]
    assert stones.__doc__ == "Count."


def test_of_two_values_both_must_be_the_same() -> None:
    looked: list[int] = []

    @remember_last
    def together(heap: Heap, other: Heap) -> int:
        looked.append(heap.stones)
        return heap.stones + other.stones

    first, second = Heap(1), Heap(2)
    asked = [(first, second), (first, second), (second, second), (second, first), (second, first), (Heap(2), first)]
    assert [together(*heaps) for heaps in asked] == [3, 3, 4, 3, 3, 3]
    assert looked == [1, 2, 2, 2]


def test_nothing_and_no_are_remembered_too() -> None:
    looked: list[Heap] = []

    @remember_last
    def nothing(heap: Heap) -> None:
        looked.append(heap)

    heap = Heap(1)
    assert nothing(heap) is nothing(heap) is None  # type: ignore[func-returns-value]
    assert looked == [heap]


def test_where_it_fails_nothing_is_remembered() -> None:
    tried: list[Heap] = []

    @remember_last
    def share(heap: Heap) -> int:
        tried.append(heap)
        return 12 // heap.stones

    heap, empty = Heap(3), Heap(0)
    assert share(heap) == 4
    for _ in range(2):
        try:
            share(empty)
        except ZeroDivisionError:
            continue
        raise AssertionError
    assert tried == [heap, empty, empty]
    assert share(heap) == 4
