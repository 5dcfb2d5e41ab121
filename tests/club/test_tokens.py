"""Tokens of seats: found in mails, and taken out of what is passed on."""

from __future__ import annotations

import re

import pytest
from patterns import given_back

from adjudicator.club import tokens
from adjudicator.club.tokens import Claim, claim_in, new_token, tag, without_tokens

CLAIM = Claim("race-1", "red", "abcd2345")


@pytest.mark.parametrize(
    ("subject", "lines"),
    [
        ("Re: [race-1/red#abcd2345] your report", ()),
        ("", ("DRAW", "token race-1/red#abcd2345")),
        ("hello [race-1/red]", ("  Token \u00a0\t race-1/RED#ABCD2345  ",)),
    ],
)
def test_a_claim_stands_in_the_subject_or_on_a_line_of_its_own(subject: str, lines: tuple[str, ...]) -> None:
    assert claim_in(subject, lines) == CLAIM


@pytest.mark.parametrize(
    "line", ["my token race-1/red#abcd2345", "token race-1/red#abcd2345 x", "token\u200brace-1/red#abcd2345"]
)
def test_a_line_with_other_words_claims_nothing(line: str) -> None:
    assert claim_in("", (line,)) is None


def test_the_text_is_not_read_if_the_subject_has_a_claim() -> None:
    lines = iter(("token other/blue#abcd2345", "x"))
    assert claim_in(tag("race-1", "red", "abcd2345"), lines) == CLAIM
    assert next(lines) == "token other/blue#abcd2345"
    assert claim_in("", iter(("token race-1/red#abcd2345", "x"))) == CLAIM


def test_no_token_is_left_in_a_text() -> None:
    token = new_token()
    for words in (f"x [race/red#{token}] y", f"  token   race/red#{token} ", f"mytoken\n race/red#{token}!"):
        assert token not in without_tokens(words)
    assert without_tokens("x [race/red#abcd2345] y") == "x [race/red] y"
    assert without_tokens("  token race/red#abcd2345 ").strip() == ""


@pytest.mark.parametrize("pattern", [tokens._IN_SUBJECT, tokens._LINE])
def test_a_line_of_blanks_takes_linear_time(pattern: re.Pattern[str]) -> None:
    assert not given_back(pattern)
