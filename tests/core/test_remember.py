"""What was found out about a value is remembered for that value alone."""

from copy import deepcopy
from dataclasses import field

from adjudicator.core.frozen import frozen
from adjudicator.core.remember import MOST, Memo, remember_last, remembered


@frozen
class Board:
    size: int
    memo: Memo = field(default_factory=Memo, compare=False, repr=False)


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


def test_a_memo_keeps_results_by_the_values_of_arguments_for_one_owner_alone() -> None:
    asked: list[tuple[int, ...]] = []

    @remembered
    def way(board: Board, here: int, there: int) -> tuple[int, ...]:
        """Return a way."""
        asked.append((board.size, here, there))
        return (here, there, board.size)

    one, same, other = Board(1), Board(1), Board(2)
    assert [way(board, 3, 4) for board in (one, one, same, other)] == [(3, 4, 1), (3, 4, 1), (3, 4, 1), (3, 4, 2)]
    assert [way(one, 3, 5), way(one, 3, 4), way(one, 3, 5)] == [(3, 5, 1), (3, 4, 1), (3, 5, 1)]
    assert asked == [(1, 3, 4), (1, 3, 4), (2, 3, 4), (1, 3, 5)]
    assert (one, hash(one)) == (same, hash(same))
    assert deepcopy(one).memo == {} != one.memo
    assert way.__doc__ == "Return a way."


def test_a_memo_forgets_before_it_grows_without_end() -> None:
    @remembered
    def double(_board: Board, number: int) -> int:
        return 2 * number

    board = Board(1)
    assert [double(board, number) for number in range(3 * MOST)] == [2 * number for number in range(3 * MOST)]
    assert len(board.memo) <= MOST + 1
