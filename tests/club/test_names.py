"""Names of members: in any language, but none that misleads."""

from __future__ import annotations

import pytest

from adjudicator.club.names import name_flaw


@pytest.mark.parametrize(
    "name",
    [
        *("Ann", "J.R. Smith", "St. John", "Ann_7", "Łukasz", "Åsa-Lena O'Hara", "Анна", "Ελένη"),
        *("山田 はなこ", "カタカナ", "김철수", "محمد", "佐々木"),
    ],
)
def test_names_of_many_languages_are_good(name: str) -> None:
    assert name_flaw(name, ["Bob", "Boris"]) == ""


@pytest.mark.parametrize(
    "name", ["evil.com", "Win a prize evil.example", "10.0.0.1", "www.x", "a/b", "http:", "a@b", "evil．com"]
)
def test_a_name_is_no_address(name: str) -> None:
    assert name_flaw(name, [])


@pytest.mark.parametrize("name", ["Ann\u0430", "\u0410nn", "Ann\u0663", "Bοb", "Αnn", "Анна Smith"])
def test_a_name_has_letters_of_one_alphabet(name: str) -> None:
    assert name_flaw(name, []) == "it has letters of several alphabets"


@pytest.mark.parametrize("name", ["m0derat0r", "c1ub", "rnoderator", "MODERATOR", "p1ayer7", "аll"])
def test_no_name_looks_like_one_of_the_clubs_own(name: str) -> None:
    assert name_flaw(name, [])


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        *(("Bob", "bob"), ("Bob", "ＢＯＢ"), ("Bob", "B0b"), ("Bill", "BiII"), ("Bill", "Bi11"), ("BiII", "bill")),
        *(
            ("coco", "сосо"),
            ("сосо", "coco"),
            ("KATE", "КАТЕ"),
            ("Ann Lee", "Ann  Lee"),
            ("Emma", "Emrna"),
            ("Anna", "annа"),
        ),
    ],
)
def test_a_name_that_looks_like_that_of_a_member_is_refused(taken: str, name: str) -> None:
    assert name_flaw(name, ["Eve", taken])
    assert name_flaw("Zoe", ["Eve", taken]) == ""
