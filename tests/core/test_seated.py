"""What belongs to seats: found and exchanged, whatever was found before."""

from itertools import permutations
from typing import NamedTuple

import pytest

from adjudicator.core.ids import Seat
from adjudicator.core.seated import exchanged, of_seat


class Thing(NamedTuple):
    seat: Seat
    what: int = 0


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


def test_the_places_that_are_remembered_are_bounded() -> None:
    things = tuple(Thing(Seat(f"s{number}")) for number in range(200))
    for start in range(100):
        turned = things[start:] + things[:start]
        assert of_seat(turned, Seat("s150")) is things[150]
