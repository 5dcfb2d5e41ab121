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


@pytest.mark.parametrize(
    "name",
    [
        *(
            "The moderator",
            "the  Moderator",
            "The-Moderator",
            "Moderator 2",
            "Ann the moderator",
            "mod.er.ator",
            "Ｍoderator",
        ),
        *(
            "m0derator",
            "rnoderat0r",
            "\u043coderator",
            "\U0001d426oderator",
            "Game Master",
            "the club",
            "Thec1ub",
            "ALL",
            "You",
        ),
        *("red", "Red", "the red", "blue 2", "b1ue", "GREEN", "A simulated player", "player 77", "Everybody", "nobody"),
        *(
            "\u3164",
            "\uffa0",
            "\u115f",
            "Ann\u3164",
            "\u2800",
            "An\u200bn",
            "\u202eAnn",
            "A\x1bnn",
            "An\u00adn",
            "\ufe0fAnn",
        ),
        *("Ann\n", "", " ", ".", "'", "-Ann", "Ann ", "A" * 41, "Ann (red)", "Ann, Bob", "Ann\u2028", "Ann\u0301\u0301"),
    ],
)
def test_reserved_and_invisible_names_are_refused(name: str) -> None:
    assert name_flaw(name, [])


LATIN_LOOKS = "\u0251 \u0261 \u0131 \u1d04 \u1d0f \ua731 \u01c0 \u0269 \u1d20 \u1d21 \u1d22 \u1d18"


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        *(("Ann", "\u0251nn"), ("ann", "\u0251NN"), ("Gus", "\u0261us"), ("ila", "\u0131la"), ("cos", "\u1d04\u1d0f\ua731")),
        *(
            ("Lea", "\u01c0ea"),
            ("vow", "\u1d20\u1d0f\u1d21"),
            ("Ann", "Ann\u02bc"),
            ("Ann", "Ann."),
            ("J.R. Smith", "JR Smith"),
        ),
        *(
            ("Max", "\u041c\u0430\u0445"),
            ("Kate", "\u212aate"),
            ("Tom", "Torn"),
            ("Willi", "VViIli"),
            ("Zoe", "\u0396\u03bf\u0435"),
        ),
        *(("Bob", "\u0412\u043e\u042c"), ("xn", "\u03c7\u03b7"), ("Ona", "0na"), ("Al", "A1"), ("Al", "A\u0399")),
    ],
)
def test_confusable_names_are_refused_whoever_comes_first(taken: str, name: str) -> None:
    assert name_flaw(name, [taken])


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


def test_who_plays_red_can_be_red() -> None:
    assert name_flaw("Red", ["Ann"], {"red"}) == ""
    assert name_flaw("The red", ["Ann"], {"red"})
    assert name_flaw("Blue", ["Ann"], {"red"})
