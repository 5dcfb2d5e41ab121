"""Names that look like a wrong one, found without comparing it with all that there are."""

from __future__ import annotations

import difflib
from difflib import SequenceMatcher
from random import Random

import pytest

from adjudicator.core.suggestions import suggest


def alike(written: str, known: list[str], most: int) -> tuple[str, ...]:
    """Compare ``written`` with each of ``known``."""
    scored = sorted((-SequenceMatcher(None, written.casefold(), name.casefold()).ratio(), name) for name in known)
    return tuple(name for score, name in scored if score <= -0.5)[:most]


@pytest.mark.parametrize("signs", ["ab", "HGU0123456789", "abcdeßİé", "abcdefghijklmnopqrstuvwxyz ARZ"])
def test_they_are_those_that_comparing_with_all_would_give(signs: str) -> None:
    luck = Random(signs)
    for most in (1, 3, 3, 3) * 100:
        words = ["".join(luck.choices(signs, k=luck.randrange(1, 9))) for _ in range(luck.randrange(1, 14))]
        assert suggest(words[0], iter(words[1:]), most) == alike(words[0], words[1:], most)


def test_names_that_have_too_few_signs_in_common_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    class Compared(SequenceMatcher):  # type: ignore[type-arg]
        def ratio(self) -> float:
            compared.append(self.b)  # type: ignore[arg-type]
            return super().ratio()

    monkeypatch.setattr(difflib, "SequenceMatcher", Compared)
    tiles = [f"{letter}{number}" for letter in "HGU" for number in range(1, 15)]
    assert suggest("h3", tiles)[0] == "H3"
    assert len(compared) < len(tiles)
    compared.clear()
    assert suggest("Q999", tiles) == ()
    assert compared == []


def test_a_name_with_others_of_the_same_letters_in_another_order_is_no_match() -> None:
    assert suggest("abcdefgh", ["hgfedcba"]) == ()
