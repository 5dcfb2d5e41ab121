"""Players' words in their one form: what looks alike is alike, what nobody can see is refused."""

from __future__ import annotations

import pytest

from adjudicator.core.chance import spelled_word
from adjudicator.orders.player_words import FEWEST, MOST, BadWordError, normalize_word


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ("horse", "horse"),
        ("  HORSE ", "horse"),
        ("Straße", "strasse"),
        ("two \t words\u00a0here", "two words here"),
        ("ｆｕｌｌ", "full"),
        ("cafe\u0301", "café"),
        ("ﬁsh", "fish"),
        ("狐狸と犬", "狐狸と犬"),
        ("4 8 15 16", "4 8 15 16"),
        ("Horse!", "horse"),
        ("“horse.”", "horse"),
        ("#1-horse; 🐎 really…", "1 horse really"),
    ],
)
def test_a_word_has_one_form(written: str, word: str) -> None:
    assert normalize_word(written) == word
    assert normalize_word(word) == word


@pytest.mark.parametrize(
    "sign",
    ["\u200b", "\u200d", "\ufeff", "\u00ad", "\u2060", "\ufe0f", "\u034f", "\u3164", "\u2800", "\U000e0101", "\0", "\x7f",
     "\u202e", "\ue000", "\U000e0041", "\u0378"],
)  # fmt: skip
def test_what_nobody_can_see_is_refused_with_its_number(sign: str) -> None:
    with pytest.raises(BadWordError, match=rf"an invisible character \(U\+{ord(sign):04X}, "):
        normalize_word(f"hor{sign}se")


def test_a_thousand_variants_of_one_look_are_one_word_or_none() -> None:
    looks = set()
    for number in range(998):
        spaces = "".join(" \u00a0\u2003\t"[(number >> shift) % 4] for shift in (0, 2, 4, 6, 8))
        looks.add(normalize_word(f"um{'B' if number % 2 else 'b'}rella{spaces}tree"))
    assert looks == {"umbrella tree"}


@pytest.mark.parametrize("written", ["", "  ", "ab", "x" * (MOST + 1), "...", "ﷺ" * 10])
def test_a_word_has_its_bounds(written: str) -> None:
    with pytest.raises(BadWordError):
        normalize_word(written)


def test_the_bounds_themselves_are_words() -> None:
    for length in (FEWEST, MOST):
        assert len(normalize_word("x" * length)) == length


def test_letters_that_look_like_others_are_told_by_their_numbers() -> None:
    assert spelled_word("horse 7") == "horse 7"
    assert "U+043E" in spelled_word("h\u043erse")
