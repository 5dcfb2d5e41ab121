"""Rules are found by number, however it is typed, and by word."""

from __future__ import annotations

import pytest

from adjudicator.resources import rules_page
from adjudicator.rulebook.page import Page, read_page
from adjudicator.rulebook.search import UnknownRuleError, look_up
from adjudicator.rulesets import meta

PAGE = """\
## Parts

| rule | fact |
|---|---|
| XY-A1 | The heap has 15 matches |
| XY-A2 | Two wheels |
| XY-A10 | The last chance |

* **XY-A2, house choice:** Their faces. *Why:* Dice. *Instead:* `faces=odd`.

## Turns

| rule | fact |
|---|---|
| XY-T1 | A chance is one turn of the wheels |

* **XY-T1, since version 2:** One. *Before:* Several.

## Options

| option | rule | values |
|---|---|---|
| `any-marker` | XY-T1 | no, yes |
"""


@pytest.fixture(scope="module")
def page() -> Page:
    return read_page(PAGE)


def found(page: Page, *asked: str) -> list[str]:
    return [fact.id for fact in look_up(page, asked).facts]


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ((), ["XY-A1", "XY-A2", "XY-A10", "XY-T1"]),
        (("XY-A2",), ["XY-A2"]),
        (("xy-a1",), ["XY-A1"]),
        (("t1", "A2"), ["XY-A2", "XY-T1"]),
        (("(XY-A2,", "XY-A10)"), ["XY-A2", "XY-A10"]),
        (("(XY-A2, XY-A10)",), ["XY-A2", "XY-A10"]),
        (("XY-A",), ["XY-A1", "XY-A2", "XY-A10"]),
        (("15",), ["XY-A1"]),
        (("wheel",), ["XY-A2", "XY-T1"]),
        (("CHANCE",), ["XY-A10", "XY-T1"]),
        (("chance", "wheel"), ["XY-T1"]),
        (("last chance",), ["XY-A10"]),
        (("several",), ["XY-T1"]),
        (("dice",), ["XY-A2"]),
        (("house choice",), ["XY-A2"]),
        (("any-marker",), ["XY-T1"]),
        (("faces=odd",), ["XY-A2"]),
        (("a1", "several"), ["XY-A1", "XY-T1"]),
    ],
)
def test_found(page: Page, asked: tuple[str, ...], numbers: list[str]) -> None:
    assert found(page, *asked) == numbers


def test_sections_without_what_is_asked_for_are_left_out(page: Page) -> None:
    assert [section.title for section in look_up(page, ["wheel"]).sections] == ["Parts", "Turns"]
    assert [section.title for section in look_up(page, ["t1"]).sections] == ["Turns"]


def test_a_number_without_a_letter() -> None:
    assert found(read_page("## All\n\n| rule | fact |\n|---|---|\n| LM-1 | take |\n| LM-2 | lose |\n"), "2") == ["LM-2"]


@pytest.mark.parametrize(
    ("asked", "words", "suggestions"),
    [
        (("XY-A3",), "there is no rule XY-A3; did you mean XY-A1", ("XY-A1", "XY-A2")),
        (("xy-q",), "there is no rule XY-Q", ()),
        (("CC-A1",), "there is no rule CC-A1", ("XY-A1",)),
        (("A1, A3",), "there is no rule A3", ()),
        (("A3",), "no rule mentions “A3”; did you mean XY-A1 or XY-A2", ("XY-A1",)),
        (("weel",), "no rule mentions “weel”; did you mean wheels", ("wheels",)),
        (("zzz",), "no rule mentions “zzz”", ()),
        (("heap", "several"), "no rule mentions all of: heap, several", ()),
        (("rn",), "no rule mentions “rn”", ()),
    ],
)
def test_not_found(page: Page, asked: tuple[str, ...], words: str, suggestions: tuple[str, ...]) -> None:
    with pytest.raises(UnknownRuleError) as told:
        look_up(page, asked)
    assert words in str(told.value)
    assert set(suggestions) <= set(told.value.suggestions)


def test_what_is_nothing_asks_for_nothing(page: Page) -> None:
    assert look_up(page, ["", "  ", "()"]) == page
    assert found(page, "", "t1") == ["XY-T1"]


@pytest.mark.parametrize("game", ["checkpoint-rally", "checkpoint-charlie", "checkered-flag"])
def test_every_rule_of_a_game_is_found_by_its_number_alone(game: str) -> None:
    page = read_page(rules_page(meta(game)))
    for fact in page.facts:
        assert found(page, fact.id) == found(page, fact.id.lower()) == found(page, fact.id.partition("-")[2]) == [fact.id]
