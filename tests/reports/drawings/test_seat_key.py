"""The names of seats, short but distinct."""

from __future__ import annotations

from boards import lap, space
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.drawing import Drawing
from adjudicator.reports.drawings.seat_key import key_of
from adjudicator.scenes import short_name


def test_short_names_still_tell_the_seats_apart() -> None:
    names = ("black", "blue", "re", "red")
    assert [short_name(name, names, 1) for name in ("red", "re", "blue", "black")] == ["red", "re", "blu", "bla"]
    assert short_name("black", names, 4) == "blac"


@given(st.sets(st.text("ab", min_size=1, max_size=5), min_size=1, max_size=8))
def test_a_short_name_is_the_shortest_beginning_that_no_other_has(names: set[str]) -> None:
    for name in names:
        alone = (n for n in range(1, len(name)) if not any(one.startswith(name[:n]) for one in names - {name}))
        assert short_name(name, sorted(names), 1) == name[: next(alone, len(name))]


def test_names_that_begin_alike_for_long_are_told_by_their_ends() -> None:
    names = ("player-number-one", "player-number-two", "player-number-twenty-two", "anna")
    key = key_of(Drawing((lap(space("1", *names)),)))
    assert [short_name(name, sorted(names), 4) for name in names] == ["pla…e", "pla…r-two", "pla…y-two", "anna"]
    assert [key.initial(name, name) for name in names] == ["2", "4", "3", "A"]
