"""Rules as they are printed: numbers beside their texts, in lines that fit, with the options of a game."""

from __future__ import annotations

import pytest

from adjudicator.core.canonical import json_value
from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Meta, Option, Unit
from adjudicator.core.width import display_width, wrapped
from adjudicator.reports.cli.rules import GameRules, found_rules, rules_text
from adjudicator.rulebook.page import read_page

META = Meta(
    id="pit",
    name="Pit",
    version=3,
    prefix="XY",
    players=(1, 2),
    unit=Unit("m", "marks"),
    options=(
        Option("wheels", ("even", "odd"), "even", "the numbers on them"),
        Option("car", (), "random", "the car of a seat", per_seat=True),
        Option("unused", ("a",), "a", "about no rule"),
    ),
    component_sets=("house",),
    ruleset="pit:RULES",
)
PAGE = read_page(
    """\
## Parts

| rule | fact |
|---|---|
| XY-A1 | Two wheels and a car |

* **XY-A1:** None is bent.
* **XY-A1, ruling:** Each is even. *Why:* So. *Instead:* `wheels=odd`.

## Turns

| rule | fact |
|---|---|
| XY-T10 | One each |

* **XY-T10, since version 3:** One each. *Before:* Two each.

## Options

| option | rule | values |
|---|---|---|
| `wheels` | XY-A1 | even, odd |
| `gone` | XY-A1 | the ruleset does not know it |
| `car.SEAT` | XY-A1, XY-T10 | any |
"""
)
OPTIONS = {"car.blue": "random", "car.red": "buggy", "unused": "a", "wheels": "odd"}


def game(version: int) -> GameRules:
    return GameRules(id="pit-7", version=version, seats=(Seat("red"), Seat("blue")), options=OPTIONS)


def test_the_rules_of_a_ruleset() -> None:
    assert rules_text(PAGE, META, width=60) == (
        """\
Pit, rules version 3

Parts
XY-A1   Two wheels and a car
        None is bent.
        Ruling: Each is even. Why: So. Instead: wheels=odd.
        Option wheels=even|odd: the numbers on them [even]
        Option car.SEAT=ID: the car of a seat [random]

Turns
XY-T10  One each
        Since version 3: One each. Before: Two each.
        Option car.SEAT=ID: the car of a seat [random]"""
    )


def test_the_rules_of_a_game_are_those_it_was_begun_with() -> None:
    old, new = (rules_text(PAGE, META, game(version), width=100) for version in (2, 3))
    assert old.startswith("pit-7: Pit, begun with version 2 of the rules\n")
    assert "In this game, begun with version 2: Two each.\n" in old
    assert "Two each" not in new
    assert "Since" not in old + new
    for text in (old, new):
        assert "Option wheels=even|odd: the numbers on them [even]; in this game odd\n" in text
        assert "Option car.SEAT=ID: the car of a seat [random]; in this game red=buggy, blue=random" in text


def test_the_rules_for_machines() -> None:
    data = json_value(found_rules(PAGE, META))
    assert (data["ruleset"], data["name"], data["version"], "game" in data) == ("pit", "Pit", 3, False)
    first, second = data["facts"]
    assert first["id"] == "XY-A1"
    assert first["section"] == "Parts"
    assert first["more"] == ["None is bent."]
    assert first["rulings"] == [{"kind": "ruling", "text": "Each is even.", "why": "So.", "instead": "wheels=odd."}]
    assert [option["name"] for option in first["options"]] == ["wheels", "car"]
    assert first["options"][0]["choices"] == ["even", "odd"]
    assert second["revisions"] == [{"since": 3, "text": "One each.", "before": "Two each."}]


def test_the_rules_of_a_game_for_machines() -> None:
    data = json_value(found_rules(PAGE, META, game(2)))
    assert (data["game"], data["version"]) == ("pit-7", 2)
    wheels, car = data["facts"][0]["options"]
    assert wheels["value"] == "odd"
    assert car["values"] == {"red": "buggy", "blue": "random"}


@pytest.mark.parametrize("width", [40, 80, 100])
def test_lines_fit(width: int) -> None:
    long = "words that make a long line " * 12
    page = read_page(f"## Long\n\n| rule | fact |\n|---|---|\n| XY-A1 | {long} |\n")
    lines = rules_text(page, META, width=width).splitlines()
    assert max(map(display_width, lines)) <= width
    assert " ".join(line[7:] for line in lines[3:]) == long.strip()


def test_nothing_reaches_the_terminal_and_colour_only_where_it_is_wanted() -> None:
    page = read_page("## \x1b[31mRed\n\n| rule | fact |\n|---|---|\n| XY-A1 | \x1b[2J\u202e |\n")
    assert not {"\x1b", "\u202e"} & set(rules_text(page, META, width=80))
    assert "\x1b[" in rules_text(PAGE, META, width=80, color=True)


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, [""]),
        ("one two", 7, ["one two"]),
        ("one two", 6, ["one", "two"]),
        ("far toolong is", 4, ["far", "toolong", "is"]),
        ("漢字 漢字", 8, ["漢字", "漢字"]),
    ],
)
def test_wrapped(text: str, width: int, lines: list[str]) -> None:
    assert wrapped(text, width) == lines
