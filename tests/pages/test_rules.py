"""The pages of rules: found by number and by word, well formed, with every rule and option that the program names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import groupby
from typing import Any

import pytest
from rich.cells import cell_len

import adjudicator as adj
from adjudicator.library.rulesets import rules_of
from adjudicator.rulebook import MalformedPage, read_page
from tests.drivers.pages import GAMES, ROOT

Run = Callable[..., Any]
METAS = {meta.id: meta for meta in adj.installed_games() if meta.id in GAMES}
MOST_QUOTED = 8
"""Words of a rulebook that a page may quote at a time."""


@pytest.fixture(autouse=True, scope="module")
def _pages_are_read_once() -> Iterator[None]:
    """Read each page of rules once for the hundreds of questions to it; to read one takes 15 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudicator.rulebook.read_page", cache(read_page))
        yield


def found(game: str, *asked: str) -> list[str]:
    return [fact.id for fact in rules_of(game, asked).facts]


def written(game: str) -> str:
    return (ROOT / "docs" / f"{game}.md").read_text("utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_found_by_its_number_however_it_is_typed(game: str) -> None:
    every = found(game)
    assert len(every) > 10 and found(game, "", "  ", "()") == every
    for number in every[:: max(1, len(every) // 12)]:
        short = number.partition("-")[2]
        for asked in (number, number.lower(), short, f"({number},", f"({number})"):
            assert found(game, asked) == [number]
    first, second = every[0], every[-1]
    assert found(game, f"({first}, {second})") == found(game, second.lower(), first) == [first, second]
    group = re.sub(r"\d+$", "", first)
    assert found(game, group) == [number for number in every if re.fullmatch(rf"{group}\d+", number)]


@pytest.mark.parametrize("asked", [("wheel",), ("NARROW",), ("narrow", "lane")])
def test_words_find_the_rules_that_mention_them_all(asked: tuple[str, ...]) -> None:
    rules = rules_of("checkered-flag", asked)
    texts = [json.dumps(fact, default=str).lower() for fact in rules.facts]
    assert 0 < len(texts) < len(found("checkered-flag")) and all(section.facts for section in rules.sections)
    assert [text for text in texts for word in asked if word.lower() not in text] == []


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("CF-M99",), "there is no rule CF-M99"),
        (("cf-q",), "there is no rule CF-Q"),
        (("CC-A1",), "there is no rule CC-A1"),
        (("weel",), "no rule mentions “weel”; did you mean wheel"),
        (("zzz",), "no rule mentions “zzz”"),
    ],
)
def test_what_is_not_there_is_told_with_what_is_similar(run: Run, asked: tuple[str, ...], words: str) -> None:
    assert words in run("rules", "checkered-flag", *asked, code=2).stderr


def test_rules_are_printed_beside_their_numbers_in_lines_that_fit(run: Run) -> None:
    said = run("rules", "great-race", code=0).stdout
    assert max(map(cell_len, said.splitlines())) <= 80 and said.startswith("The Great Race, rules version ")
    text = " ".join(said.split())
    for fact in rules_of("great-race").facts:
        assert f"{fact.id} {fact.text}"[:60] in text
        for ruling in fact.rulings:
            assert f"{ruling.kind.capitalize()}: {ruling.reasoned}" in text
        for revision in fact.revisions:
            assert f"Since version {revision.since}: {revision.text} Before: {revision.before}" in text


def test_the_rules_of_a_game_are_those_it_was_begun_with(run: Run) -> None:
    path = next(
        path
        for path in sorted((ROOT / "tests/data/games/rally-round").glob("*.json"))
        if adj.open(path).record.ruleset.version == 2
    )
    said = " ".join(run("rules", path, "RR-C2", code=0).stdout.split())
    assert "begun with version 2 of the rules" in said
    assert "In this game, begun with version 2: It was any number," in said
    data = json.loads(run("rules", path, "--json", code=0).stdout)
    game = adj.open(path)
    assert (data["game"], data["version"]) == (game.id, 2)
    shown = {one["name"]: one.get("value") for fact in data["facts"] for one in fact["options"] if "value" in one}
    assert shown and all(game.options[name] == value for name, value in shown.items())


# The pages that ship


@pytest.fixture(scope="module", params=METAS)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def letters(number: str) -> str:
    return number.rstrip("0123456789")


CHANGED = re.findall(
    r"^\| ([\w ]+?) \| ([^|]+) \| Version (\d+): ", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
)


def test_what_older_games_decide_otherwise_is_told_at_a_rule_that_has_changed(game: str) -> None:
    """The program decides older games as before: their players read in what way."""
    meta, rules = METAS[game], rules_of(game)
    told = {(fact.id, one.since) for fact in rules.facts for one in fact.revisions}
    older = range((meta.oldest or meta.version) + 1, meta.version + 1)
    listed = [
        (changed.split(", "), int(since)) for name, changed, since in CHANGED if name == meta.name and int(since) in older
    ]
    assert {since for _, since in listed} == {*older}, "each version is in the changelog"
    assert [one for one in listed if not told & {(rule, one[1]) for rule in one[0]}] == []


def test_numbers_are_well_formed_and_in_order_and_headings_name_their_letters(game: str) -> None:
    numbers, prefix = found(game), METAS[game].prefix
    assert len(set(numbers)) == len(numbers)
    groups = [(group, [*some]) for group, some in groupby(numbers, letters)]
    assert len({group for group, _ in groups}) == len(groups), "facts of a letter stand together"
    for group, some in groups:
        assert re.fullmatch(rf"{prefix}-[A-Z]", group)
        assert some == [f"{group}{number}" for number in range(1, len(some) + 1)]
    for section in rules_of(game).sections:
        named = ", ".join(dict.fromkeys(letters(fact.id) for fact in section.facts))
        assert section.title.endswith(f" ({named})"), section.title


def test_every_rule_that_a_document_an_example_or_the_page_names_is_on_the_page(game: str) -> None:
    places = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.*"), *ROOT.glob("grammar/*")]
    texts = [path.read_text("utf-8", "replace") for path in places if path.suffix in (".md", ".lark", ".txt", ".json")]
    named = set(re.findall(rf"\b{METAS[game].prefix}-[A-Z]+[0-9]+\b", "\n".join(texts)))
    assert len(named) > 10 and named - set(found(game)) == set()
    assert set(re.findall(r"\b[A-Z]{2}-[A-Z]+[0-9]+\b", written(game))) == set(found(game))


def test_every_option_is_in_the_table_with_its_values_and_what_is_said_of_it_fits(game: str) -> None:
    rules, options = rules_of(game), {option.name: option for option in METAS[game].options}
    assert [choice.option for choice in rules.choices] == [*options]
    for option in options.values():
        name = f"{option.name}.SEAT" if option.per_seat else option.name
        row = re.search(rf"^\| `{re.escape(name)}` \|[^|]*\|(.*)\|$", written(game), re.MULTILINE)
        assert row is not None, name
        told = row[1].split(":")[0]
        assert told.strip().startswith(option.default)
        if "name" not in told and " to " not in told:
            assert set(option.choices) <= set(re.split(r"[ ,]+", told))
    said = " ".join([*(fact.text for fact in rules.facts), *(f"{ruling.text} {ruling.instead}" for ruling in rulings(game))])
    for name, seat, value in re.findall(r"\b([a-z-]+)(\.[a-z]+)?=([A-Za-z0-9-]+)", said):
        assert options[name].per_seat is bool(seat)
        assert not options[name].choices or value in options[name].choices


def rulings(game: str) -> Iterator[Any]:
    return (ruling for fact in rules_of(game).facts for ruling in fact.rulings)


def test_rulings_are_sentences_that_say_what_can_be_chosen_and_copy_no_rulebook(game: str) -> None:
    every = [*rulings(game)]
    assert len(every) >= 15
    for ruling in every:
        for text in filter(None, (ruling.text, ruling.why, ruling.instead)):
            assert text.endswith("."), text
        for quoted in re.findall(r'"([^"]+)"', f"{ruling.text} {ruling.why} {ruling.instead}"):
            assert len(quoted.split()) <= MOST_QUOTED, quoted
    for fact in rules_of(game).facts:
        assert not re.search(r"\bruling", " ".join((fact.text, *fact.more)), re.IGNORECASE), fact.id


# A page of an author


def page(*lines: str) -> str:
    return "\n".join(("## Parts", "", "| rule | fact |", "|---|---|", "| XY-A1 | once |", *lines))


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
        ("* **XY-A1** Hm.", 6, "a point about a rule begins with"),
        ("* **XY-A1, ruling:** Hm. *Instead:* No. *Why:* So.", 6, "`*Why:*`"),
        ("* **XY-A1, ruling:** Hm. *Why:* *Instead:* No.", 6, "`*Instead:*`"),
        ("* **XY-A1, since version 2:** Now.", 6, "`*Before:*`"),
        ("\n* **XY-B1, ruling:** Hm. *Why:* So.\n  *Instead:* No.", 7, "no rule XY-B1 above"),
        ("\n| option | rule |\n|---|---|\n| `laps` | XY-B1 |", 9, "no rule XY-B1 on this page"),
        ("\n| option | rule |\n|---|---|\n| laps | XY-A1 |", 9, "an option is written"),
        ("\n## Parts", 7, "two sections “Parts”"),
    ],
)
def test_what_is_wrong_on_a_page_is_told_with_its_line(line: str, where: int, why: str) -> None:
    with pytest.raises(MalformedPage) as told:
        read_page(page(line))
    assert told.value.line == where and why in str(told.value)
    assert read_page(page().replace("\n", "\r\n")) == read_page(page())


def test_a_ruling_may_do_without_its_reason_and_its_alternative() -> None:
    points = [f"* **XY-A1, ruling:** {words}" for words in ("Hm. *Why:* So. *Instead:* No.", "Hm. *Instead:* No.", "Hm.")]
    (fact,) = read_page(page("", *points)).facts
    assert [(one.why, one.instead) for one in fact.rulings] == [("So.", "No."), ("", "No."), ("", "")]
    assert [one.reasoned for one in fact.rulings] == ["Hm. Why: So. Instead: No.", "Hm. Instead: No.", "Hm."]
