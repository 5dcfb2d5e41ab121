"""Words for chance in the journal: which outcomes they are mixed into, and that they last."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.chance import CommittedChance, WordSent, WordsInForce, draw_index
from adjudicator.core.corrections import Undone, abandoned_entries, tell_correction, undone_entries
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Entry
from adjudicator.core.words import is_word, word_entry

SECRET = bytes(range(32))
FIRST = {"red": "horse", "blue": "umbrella"}
SEATS = st.sampled_from(["red", "blue", "green"])
THINGS = [str(number) for number in range(1000)]
WORDS = st.sampled_from(["cow", "fish", "night train"])


def sent(seat: str, word: str, outcome: int) -> WordSent:
    return WordSent(seat=Seat(seat), word=word, outcome=outcome)


def hmac_of(message: bytes) -> bytes:
    """Return HMAC-SHA-256 as RFC 2104 has it, in so many words."""
    key = SECRET.ljust(64, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def as_documented(number: int, later: list[WordSent], size: int) -> int:
    """Return the outcome as docs/draws.md says it."""
    counting = [word for word in later if word.outcome <= number]
    latest = {**FIRST, **{word.seat: word.word for word in counting}}
    words = canonical_bytes([len(counting), latest] if counting else FIRST)
    begins = b"adjudicator draw 1\n" + words + b"\n"
    return draw_index(lambda rest: hmac_of(begins + rest), number, "x", size)


journals = st.lists(st.tuples(SEATS, WORDS, st.integers(0, 30)), max_size=6).map(
    lambda words: [sent(*word) for word in sorted(words, key=lambda word: word[2])]
)


@given(journals, st.lists(st.integers(0, 40), min_size=1, max_size=12))
def test_each_outcome_is_drawn_with_the_words_that_count_for_it_in_whatever_order_they_are_asked(
    later: list[WordSent], numbers: list[int]
) -> None:
    chance = CommittedChance(SECRET, FIRST, 0, later)
    for number in numbers:
        chance.drawn = number
        assert int(chance.pick("x", THINGS)) == as_documented(number, later, 1000)


@given(journals, st.integers(0, 40))
def test_words_that_come_one_by_one_are_as_those_that_were_there(later: list[WordSent], number: int) -> None:
    growing, whole = CommittedChance(SECRET, FIRST), CommittedChance(SECRET, FIRST, number, later)
    for word in later:
        growing.drawn = word.outcome
        growing.pick("x", THINGS)
        growing.take(word)
    growing.drawn = number
    assert growing.pick("x", THINGS) == whole.pick("x", THINGS)


@given(journals, SEATS, WORDS, st.integers(0, 30))
def test_a_word_leaves_the_outcomes_before_it_as_they_were(later: list[WordSent], seat: str, word: str, at: int) -> None:
    before = [one for one in later if one.outcome <= at]
    without, mixed = (
        CommittedChance(SECRET, FIRST, 0, before),
        CommittedChance(SECRET, FIRST, 0, [*before, sent(seat, word, at)]),
    )
    assert [without.pick("x", THINGS) for _ in range(at)] == [mixed.pick("x", THINGS) for _ in range(at)]
    assert [without.pick("x", THINGS) for _ in range(9)] != [mixed.pick("x", THINGS) for _ in range(9)]


def test_no_later_words_look_like_those_of_a_beginning() -> None:
    force = WordsInForce(FIRST, [sent("red", "horse", 5)])
    assert force.at(4) == b'{"blue":"umbrella","red":"horse"}'
    assert force.span == (0, 5)
    assert force.at(5) == b'[1,{"blue":"umbrella","red":"horse"}]'
    assert force.span[0] == 5


def entry(n: int, *events: Any) -> Entry:
    return Entry(n=n, turn=n, seat=None, order="", written=None, notes=(), events=events, drawn=0)


def test_an_undo_leaves_a_word_but_no_position_behind_it() -> None:
    word = word_entry(sent("red", "cow", 0), n=2, turn=2, drawn=0)
    journal = [entry(0), entry(1), word, entry(3), entry(4, Undone(to=0, reason="x"))]
    assert undone_entries(journal) == {1: 4, 3: 4}
    assert abandoned_entries(journal) == {1: 4, 2: 4, 3: 4}
    assert [is_word(one) for one in journal] == [False, False, True, False, False]


@pytest.mark.parametrize(
    ("word", "told"),
    [("night train", "night train"), ("h\u043erse", "h\u043erse (U+043E)")],
)
def test_a_word_is_told_to_everybody_with_the_numbers_of_what_only_looks_plain(word: str, told: str) -> None:
    words = f"red's word for chance: {told}, mixed in from the next turn on"
    assert tell_correction(sent("red", word, 43)) == words
    assert word_entry(sent("red", word, 43), n=1, turn=1, drawn=43).order == f"WORD {word}"


def test_a_word_is_another_where_anything_of_it_is() -> None:
    word = sent("red", "cow", 5)
    assert len({canonical_bytes(one) for one in (word, replace(word, outcome=6), replace(word, word="cat"))}) == 3
