"""What belongs to seats: found and exchanged, whatever was found before."""

from itertools import permutations
from typing import Any, NamedTuple

import pytest

from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.each_seat import each_seats, exchanged, fill, of_seat, own_of, seat_fields
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Configuration


class Thing(NamedTuple):
    seat: Seat
    what: int = 0


@frozen
class Purse:
    seat: Seat
    coins: int = 0
    gems: int = 0


@frozen
class Table:
    """A state: not each of its tuples is of things that belong to seats."""

    numbers: tuple[int, ...]
    purses: tuple[Purse, ...]
    bids: tuple[Thing, ...] = ()
    purse, with_purse = each_seats("purses", Purse)


SEATS = tuple(map(Seat, ("red", "blue", "green")))


def test_each_is_found_in_whatever_order_they_are() -> None:
    for order in permutations(SEATS):
        things = tuple(map(Thing, order))
        assert [of_seat(things, seat).seat for seat in SEATS] == list(SEATS)


def test_who_has_nothing_is_not_found_also_where_others_had_something() -> None:
    of_seat(tuple(map(Thing, SEATS)), Seat("green"))
    for things in ((), (Thing(Seat("red")),)):
        with pytest.raises(KeyError):
            of_seat(things, Seat("green"))


def test_one_thing_is_exchanged_and_the_others_are_the_same() -> None:
    for order in permutations(SEATS):
        things = tuple(map(Thing, order))
        for seat in SEATS:
            found = exchanged(things, Thing(seat, 1))
            assert found == tuple(Thing(one, int(one == seat)) for one in order)
            assert all(new is old for new, old in zip(found, things, strict=True) if new.seat != seat)
    assert exchanged((), Thing(Seat("red"))) == ()


@pytest.mark.parametrize("count", [127, 128, 129, 192, 1000])
def test_things_of_very_many_seats_are_equal_to_the_tuple_of_them(count: int) -> None:
    seats = [Seat(f"s{number}") for number in range(count)]
    things: Any = tuple(map(Thing, seats))
    changed = things
    for number in (0, 63, 64, count - 1, count // 2):
        changed, things = (exchanged(changed, Thing(seats[number], number)), list(things))
        things[number] = Thing(seats[number], number)
        things = tuple(things)
        assert changed == things
        assert things == changed
        assert changed != things[:-1]
        assert hash(changed) == hash(things)
        assert len(changed) == count
        assert (list(changed), list(reversed(changed))) == ([*things], [*reversed(things)])
        assert (changed[number], changed[-1], changed[3:70]) == (things[number], things[-1], things[3:70])
        assert of_seat(changed, seats[number]) == things[number]
        assert repr(changed) == repr(things)
    assert canonical_bytes(changed) == canonical_bytes(things)
    with pytest.raises(IndexError):
        changed[count]
    with pytest.raises(KeyError):
        of_seat(changed, Seat("nobody"))
    assert exchanged(changed, Thing(Seat("nobody"))) is changed


def test_one_of_very_many_things_is_exchanged_in_the_same_time_however_many_there_are() -> None:
    """All others are in blocks that it shares with what it was."""
    seats = [Seat(f"s{number}") for number in range(4096)]
    before: Any = exchanged(tuple(map(Thing, seats)), Thing(seats[0], 1))
    after: Any = exchanged(before, Thing(seats[4000], 1))
    shared = [new is old for new, old in zip(after._blocks, before._blocks, strict=True)]
    assert shared.count(False) == 1
    assert len(shared) == 64


def test_the_places_that_are_remembered_are_bounded() -> None:
    things = tuple(Thing(Seat(f"s{number}")) for number in range(200))
    for start in range(100):
        turned = things[start:] + things[:start]
        assert of_seat(turned, Seat("s150")) is things[150]


TABLE = Table((1, 2), tuple(Purse(seat, coins) for coins, seat in enumerate(SEATS)), (Thing(SEATS[2], 9),))


def test_a_state_finds_what_belongs_to_a_seat_and_changes_it_alone() -> None:
    red, blue, green = TABLE.purses
    assert TABLE.purse(Seat("blue")) is blue
    after = TABLE.with_purse(Seat("blue"), coins=7, gems=2)
    assert after.purses == (red, Purse(Seat("blue"), 7, 2), green)
    assert (after.numbers, after.bids) == (TABLE.numbers, TABLE.bids)
    assert TABLE.with_purse(Seat("blue"), {"numbers": (3,)}, coins=7, gems=2) == Table((3,), after.purses, TABLE.bids)
    assert TABLE.purse(Seat("blue")).coins == 1
    with pytest.raises(KeyError):
        TABLE.purse(Seat("pink"))
    with pytest.raises(TypeError, match="has no field 'money'"):
        TABLE.with_purse(Seat("blue"), money=1)


def test_the_first_tuple_of_things_that_belong_to_seats_is_what_each_has() -> None:
    assert dict(seat_fields(Table)) == {"purses": Purse, "bids": Thing}
    assert own_of(TABLE, Seat("green")) is TABLE.purses[2]


def test_seats_go_round() -> None:
    game = Configuration(SEATS, None, None)
    assert game.clockwise(Seat("red")) == SEATS
    assert game.clockwise(Seat("green")) == ("green", "red", "blue")
    with pytest.raises(ValueError, match="not in tuple"):
        game.clockwise(Seat("pink"))


@frozen
class Place:
    """The place of a seat in a position: it leaves the gems open."""

    seat: Seat
    coins: int | None = None
    gems: int | None = None
    has_passed: bool = False


def test_a_seats_part_takes_over_what_its_place_in_a_position_gives() -> None:
    """A field that only the place has, and one that it leaves open, change nothing."""
    assert fill(Purse(Seat("red"), 1, 2), Place(Seat("red"), 7, None, True)) == Purse(Seat("red"), 7, 2)
