"""A page of rules is read into values, and what is wrong in one is told with its line."""

from __future__ import annotations

import pytest

from adjudicator.rulebook.page import (
    Choice,
    Kind,
    MalformedPage,
    Page,
    Revision,
    RuleEntry,
    Ruling,
    Section,
    plain,
    read_page,
)

PAGE = """\
# Pit: the rules

What this is. `CODE` and **bold** words, and a word about XY-A1.

## Parts (XY-A)

| rule | fact |
|---|---|
| XY-A1 | A *heap* of `15` matches, [as printed](rules.html) \\| more |
| XY-A2 | Two wheels |

A paragraph
of two lines.

* A point about nothing in particular.
* **A bold point:** about nothing either.
* **XY-A2, ruling:** Each is
  *even*. *Why:* The rules say "as dice".
  *Instead:* `wheels=odd`.
* **XY-A1:** None is bent.
- **XY-A1, house choice:** How many. *Why:* It is not printed. *Instead:* No option: amend it.

| positions | what |
|---|---|
| 7 | a bend |

## Nothing but words

```
| XY-A9 | no row of a table |
# no heading
```

## Turns (XY-T)

| rule | fact |
|---|---|
| XY-T1 | One each |

* **XY-T1, since version 3:** One each. *Before:* Two each.

## Options

| option | rule | values |
|---|---|---|
| `wheels` | XY-A2 | even, odd |
| `gear.SEAT` | XY-A1, XY-T1 | any |
"""


def page(*lines: str) -> str:
    return "\n".join(("## Parts", "", "| rule | fact |", "|---|---|", *lines))


def test_a_page_is_read() -> None:
    odd = Ruling(Kind.RULING, "Each is even.", 'The rules say "as dice".', "wheels=odd.")
    many = Ruling(Kind.HOUSE, "How many.", "It is not printed.", "No option: amend it.")
    heap = RuleEntry("XY-A1", "A heap of 15 matches, as printed | more", more=("None is bent.",), rulings=(many,))
    once = RuleEntry("XY-T1", "One each", revisions=(Revision(3, "One each.", "Two each."),))
    assert read_page(PAGE) == Page(
        "Pit: the rules",
        (
            Section("Parts (XY-A)", (heap, RuleEntry("XY-A2", "Two wheels", rulings=(odd,)))),
            Section("Turns (XY-T)", (once,)),
        ),
        (Choice("wheels", ("XY-A2",)), Choice("gear", ("XY-A1", "XY-T1"))),
    )
    assert [fact.id for fact in read_page(PAGE).facts] == ["XY-A1", "XY-A2", "XY-T1"]


def test_the_table_of_options_may_come_before_the_rules() -> None:
    above = "## Options\n\n| option | rule | values |\n|---|---|---|\n| `wheels` | XY-A1 | even, odd |\n\n"
    assert read_page(above + page("| XY-A1 | once |")).choices == (Choice("wheels", ("XY-A1",)),)


def test_a_ruling_without_an_alternative_has_no_option() -> None:
    (fact,) = read_page(page("| XY-A1 | once |", "", "* **XY-A1, ruling:** Hm. *Why:* So.")).facts
    assert fact.rulings == (Ruling(Kind.RULING, "Hm.", "So.", "No option."),)


def test_line_ends_and_numbers_without_a_letter_do_no_harm() -> None:
    assert read_page(PAGE.replace("\n", "\r\n")) == read_page(PAGE)
    assert [fact.id for fact in read_page(page("| LM-1 | take |", "| LM-12 | lose |")).facts] == ["LM-1", "LM-12"]


@pytest.mark.parametrize(
    ("line", "where", "why"),
    [
        ("| XY-A1 | twice |", 6, "XY-A1 appears twice"),
        ("| XY-A1", 6, "ends with"),
        ("| XY-A2 | two | columns |", 6, "a number and a text"),
        ("| XY-A2 | |", 6, "a number and a text"),
        ("| XY-A | which |", 6, "“XY-A” is not a rule number"),
        ("| xy-a2 | small |", 6, "“xy-a2” is not a rule number"),
        ("* **XY-A1, rulling:** Hm. *Why:* So. *Instead:* No.", 6, "a point about a rule begins with"),
        ("* **XY-A1 ruling:** Hm. *Why:* So. *Instead:* No.", 6, "a point about a rule begins with"),
        ("* **XY-A1** Hm.", 6, "a point about a rule begins with"),
        ("* **XY-A1, ruling:** Hm. *Instead:* No.", 6, "`*Why:*`"),
        ("* **XY-A1, ruling:** Hm.", 6, "`*Why:*`"),
        ("* **XY-A1, ruling:** Hm. *Why:* *Instead:* No.", 6, "`*Instead:*`"),
        ("* **XY-A1, since version 2:** Now.", 6, "`*Before:*`"),
        ("\n* **XY-B1, ruling:** Hm. *Why:* So.\n  *Instead:* No.", 7, "no rule XY-B1 above"),
        ("\n| option | rule |\n|---|---|\n| `laps` | XY-B1 |", 9, "no rule XY-B1 on this page"),
        ("\n| option | rule |\n|---|---|\n| laps | XY-A1 |", 9, "an option is written"),
        ("\n| option | rule |\n|---|---|\n| `laps` | |", 9, "an option is written"),
        ("\n## Parts", 7, "two sections “Parts”"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(line: str, where: int, why: str) -> None:
    with pytest.raises(MalformedPage) as told:
        read_page(page("| XY-A1 | once |", line))
    assert told.value.line == where
    assert why in str(told.value)


def test_a_page_without_rules_or_sections_is_none() -> None:
    with pytest.raises(MalformedPage, match="has no rules"):
        read_page("# Pit\n\nNothing yet.\n")
    with pytest.raises(MalformedPage, match="is in no section"):
        read_page("# Pit\n\n| rule | fact |\n|---|---|\n| XY-A1 | one |\n")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("*one* **two** `three`", "one two three"),
        ("2 * 3 * 4, 5 × 5", "2 * 3 * 4, 5 × 5"),
        ("`PLACE … gps`, *for all*: **now**.", "PLACE … gps, for all: now."),
        ("[orders.md](orders.md) and a  space", "orders.md and a space"),
        (r"a \| b \* c", "a | b * c"),
        ("a_b no_hat", "a_b no_hat"),
    ],
)
def test_plain(written: str, told: str) -> None:
    assert plain(written) == told
