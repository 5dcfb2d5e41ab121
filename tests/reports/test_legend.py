"""How a drawing's signs are read: letters, strokes, and names short but distinct."""

from __future__ import annotations

from boards import lap, space
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.drawing import Badge, Drawing, Legend
from adjudicator.core.scene import Sign
from adjudicator.reports.legend import as_badge, key_of


def test_a_ground_may_be_named_by_its_letter_or_its_name() -> None:
    key = key_of(Drawing((Legend((("c", "city"), ("x", "desert"))),)))
    assert [key.letter(ground) for ground in ("city", "c", "desert", "swamp", "")] == ["c", "c", "x", "s", ""]


def test_short_names_still_tell_the_seats_apart() -> None:
    key = key_of(Drawing((lap(space("1", "red", "re", "blue", "black")),)))
    assert [key.short_name(name, 1) for name in ("red", "re", "blue", "black")] == ["red", "re", "blu", "bla"]
    assert key.short_name("black", 4) == "blac"


@given(st.sets(st.text("ab", min_size=1, max_size=5), min_size=1, max_size=8))
def test_a_short_name_is_the_shortest_beginning_that_no_other_has(names: set[str]) -> None:
    key = key_of(Drawing((lap(space("1", *names)),)))
    for name in names:
        alone = (n for n in range(1, len(name)) if not any(one.startswith(name[:n]) for one in names - {name}))
        assert key.short_name(name, 1) == name[: next(alone, len(name))]


def test_names_that_begin_alike_for_long_are_told_by_their_ends() -> None:
    names = ("player-number-one", "player-number-two", "player-number-twenty-two", "anna")
    key = key_of(Drawing((lap(space("1", *names)),)))
    assert [key.short_name(name, 4) for name in names] == ["pla…e", "pla…r-two", "pla…y-two", "anna"]
    assert [key.initial_of(name, name) for name in names] == ["2", "4", "3", "A"]


def test_bare_words_are_a_note() -> None:
    assert as_badge("a\x1b") == Badge("a␛", Sign.NOTE)
