"""The pages of the games: every number well-formed and in order, every rule that the code names, every option there is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from adjudicator.core.ruleset import Meta
from adjudicator.resources import rules_page
from adjudicator.rulebook.page import Page, RuleEntry, Ruling, read_page
from adjudicator.rulesets import metas

ROOT = Path(__file__).parents[2]
METAS = [found for _, found in metas() if isinstance(found, Meta) and found.ruleset.startswith("adjudicator.")]
MOST_QUOTED = 8
"""Words of a rulebook that a page may quote at a time."""


@pytest.fixture(scope="module", params=METAS, ids=lambda about: about.id)
def about(request: pytest.FixtureRequest) -> Meta:
    return request.param


@pytest.fixture(scope="module")
def page(about: Meta) -> Page:
    return read_page(rules_page(about))


def letters(fact: RuleEntry) -> str:
    return fact.id.rstrip("0123456789")


def test_the_page_is_that_in_the_folder_of_documents(about: Meta) -> None:
    assert rules_page(about) == (ROOT / "docs" / f"{about.id}.md").read_text("utf-8")


def test_numbers_are_well_formed_unique_and_in_order(about: Meta, page: Page) -> None:
    numbers = [fact.id for fact in page.facts]
    assert len(set(numbers)) == len(numbers)
    assert all(re.fullmatch(rf"{about.prefix}-[A-Z][1-9][0-9]?", number) for number in numbers)
    groups = [(group, [fact.id for fact in facts]) for group, facts in groupby(page.facts, letters)]
    assert len({group for group, _ in groups}) == len(groups), "facts of a letter stand together"
    for group, found in groups:
        assert found == [f"{group}{number}" for number in range(1, len(found) + 1)]


def test_a_heading_names_the_letters_of_its_facts(page: Page) -> None:
    for section in page.sections:
        groups = ", ".join(dict.fromkeys(map(letters, section.facts)))
        assert section.title.endswith(f" ({groups})"), section.title


def named_in(path: Path, prefix: str) -> Iterator[str]:
    """Yield every rule that a string of the program text at ``path`` names: of problems, events, costs and docstrings."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(rf"\b{prefix}-[A-Z]+[0-9]+\b", node.value)


def test_every_rule_that_the_game_names_is_on_the_page(about: Meta, page: Page) -> None:
    folder = ROOT / "adjudicator" / "games" / about.id.replace("-", "_")
    named = {number for path in folder.rglob("*.py") for number in named_in(path, about.prefix)}
    assert len(named) > 10
    assert named - {fact.id for fact in page.facts} == set()


def test_every_rule_that_a_document_or_an_example_names_is_on_the_page(about: Meta, page: Page) -> None:
    places = [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "examples").rglob("*.md"),
        *(ROOT / "grammar").glob("*.lark"),
    ]
    named = {
        number for path in places for number in re.findall(rf"\b{about.prefix}-[A-Z]+[0-9]+\b", path.read_text("utf-8"))
    }
    assert named
    assert named - {fact.id for fact in page.facts} == set()


def test_every_rule_that_the_page_mentions_is_one_of_its_own(about: Meta, page: Page) -> None:
    mentioned = set(re.findall(r"\b[A-Z]{2}-[A-Z]+[0-9]+\b", rules_page(about)))
    assert mentioned == {fact.id for fact in page.facts}


def test_every_option_is_in_the_table_with_its_values_and_no_other(about: Meta, page: Page) -> None:
    assert [choice.option for choice in page.choices] == [option.name for option in about.options]
    for option in about.options:
        name = f"{option.name}.SEAT" if option.per_seat else option.name
        row = re.search(rf"^\| `{re.escape(name)}` \|[^|]*\|(.*)\|$", rules_page(about), re.MULTILINE)
        assert row is not None, name
        told = row[1].split(":")[0]
        assert told.strip().startswith(option.default)
        if "name" not in told and " to " not in told:
            assert set(option.choices) <= set(re.split(r"[ ,]+", told))


def test_what_is_said_of_an_option_names_a_value_it_has(about: Meta, page: Page) -> None:
    known = {option.name: option for option in about.options}
    said = [*(fact.text for fact in page.facts), *(f"{ruling.text} {ruling.instead}" for _, ruling in rulings(page))]
    for name, seat, value in re.findall(r"\b([a-z-]+)(\.[a-z]+)?=([A-Za-z0-9-]+)", " ".join(said)):
        option = known[name]
        assert option.per_seat is bool(seat)
        assert not option.choices or value in option.choices


def rulings(page: Page) -> Iterator[tuple[RuleEntry, Ruling]]:
    return ((fact, ruling) for fact in page.facts for ruling in fact.rulings)


def test_every_option_is_offered_instead_of_a_ruling_or_stands_in_a_fact(about: Meta, page: Page) -> None:
    offered = " ".join([ruling.instead for _, ruling in rulings(page)] + [fact.text for fact in page.facts])
    missing = {option.name for option in about.options if not re.search(rf"\b{option.name}[.=]", offered)}
    assert missing <= {"rounds"}, "only the length of a game is a matter of taste"


def test_rulings_are_sentences_and_say_what_can_be_chosen(page: Page) -> None:
    assert sum(1 for _ in rulings(page)) >= 15
    for fact, ruling in rulings(page):
        for text in (ruling.text, ruling.why, ruling.instead):
            assert text.endswith("."), (fact.id, text)
        assert re.search(r"^No option|=|--|`|GEAR|PASS|Write", ruling.instead), (fact.id, ruling.instead)


def test_nobody_s_rulebook_is_copied(page: Page) -> None:
    for fact, ruling in rulings(page):
        for quoted in re.findall(r'"([^"]+)"', f"{ruling.text} {ruling.why} {ruling.instead}"):
            assert len(quoted.split()) <= MOST_QUOTED, (fact.id, quoted)


def test_no_ruling_hides_in_a_fact(page: Page) -> None:
    for fact in page.facts:
        assert not re.search(r"\bruling", " ".join((fact.text, *fact.more)), re.IGNORECASE), fact.id
