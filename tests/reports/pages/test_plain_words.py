"""Reports are written for players: random games of every ruleset show no name that only the program uses."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from adjudicator.core.frozen import hints_of
from adjudicator.core.ids import MODERATOR
from adjudicator.core.rules import AnyRuleset
from adjudicator.games.checkered_flag.rules import RULESET as CHECKERED_FLAG
from adjudicator.games.checkpoint_charlie.rules import RULESET as CHECKPOINT_CHARLIE
from adjudicator.games.checkpoint_rally.rules import RULESET as CHECKPOINT_RALLY
from adjudicator.games.great_race.rules import RULESET as GREAT_RACE
from adjudicator.games.rally_round.rules import RULESET as RALLY_ROUND
from adjudicator.reporting import report_for
from adjudicator.reports.data.report import Report
from adjudicator.reports.data.report_blocks import Table, blocks_of
from adjudicator.reports.pages.report_text import report_text
from adjudicator.rulesets import offer
from adjudicator.testing import play_games

RULESETS = (CHECKERED_FLAG, CHECKPOINT_CHARLIE, CHECKPOINT_RALLY, GREAT_RACE, RALLY_ROUND)
PLAYERS = {"checkpoint-charlie": (3,), "rally-round": (1, 2)}
OPTIONS = {"rally-round": ({"mode": "internet"}, {"mode": "table"}, {"mode": "table", "kit": "deal"})}
INTERNAL = re.compile(
    r"\w*[^\W_]_\w+"  # a name of the program: no_newspaper
    r"|\b[a-z]\w*\[\d+\]"  # a place in a list: lines[0]
    r"|\b(?:None|True|False)\b"  # a value as Python writes it
    r"|<\w+|\w+\(\w+="  # a thing as Python writes it
)
IDENTIFIER = re.compile(r"\b[A-Z]+\d+[a-z]?\b")
"""What stands on a part of the game: a tile H3, a card D1, a marker W2e, a square K12."""


@pytest.fixture(scope="module", params=RULESETS, ids=lambda rules: rules.meta.id)
def reports(request: pytest.FixtureRequest) -> list[tuple[str, Report, str]]:
    """Reports of random games for every viewer, at several positions, each with its place and its text."""
    rules: AnyRuleset = request.param
    played = play_games(
        rules,
        6,
        players=PLAYERS.get(rules.meta.id, (2,)),
        options=OPTIONS.get(rules.meta.id, ()),
        versions=(rules.meta.version,),
        most_orders=60,
        seed=5,
    )
    found = []
    with offer(rules):
        for moment in played.sampled(9):
            session = moment.session.with_game(moment.game)
            for viewer in (None, MODERATOR, *session.seats):
                report = report_for(session, viewer, 0)
                found.append((f"{played.place}, for {viewer}", report, report_text(report)))
    return found


def test_a_report_has_no_name_that_only_the_program_uses(reports: list[tuple[str, Report, str]]) -> None:
    for place, _, text in reports:
        found = INTERNAL.findall(text)
        assert not found, f"{found} in {place}"


def test_secrets_have_titles_in_words_and_not_the_names_of_fields(reports: list[tuple[str, Report, str]]) -> None:
    fields_of_states = {name for rules in RULESETS for name in _fields_in(rules.types.state)}
    names = {name.replace("_", " ") for name in fields_of_states if "_" in name}
    for place, report, _ in reports:
        for title, words in _secrets(report):
            named = [name for name in names if name in title or name in words]
            assert title.startswith("your ") and not named, f"{title}: {words} in {place}"
            assert words.strip() not in ("", "nothing", "yes", "no"), f"{title}: {words} in {place}"


def test_a_secret_names_no_part_that_the_report_does_not_show(reports: list[tuple[str, Report, str]]) -> None:
    """Who reads that the hand holds H3 finds H3 on the board, in a table, or with what it does."""
    for place, report, text in reports:
        others = " ".join(text.split("What only you know", 1)[0].split())
        shown = {*IDENTIFIER.findall(others), *(name for name, _ in report.choices)}
        for title, words in _secrets(report):
            unknown = set(IDENTIFIER.findall(words)) - shown
            assert not unknown, f"{title}: {sorted(unknown)} in {place}"


@pytest.mark.parametrize("text", ["your clue no_hat", "lines[1]", "suspect None", "Reaction(helps=()", "<Slot.SCOUTS"])
def test_the_criterion_finds_what_it_should(text: str) -> None:
    assert INTERNAL.search(text)


def _secrets(report: Report) -> tuple[tuple[str, ...], ...]:
    blocks = [block for block in blocks_of(report) if block.name == "secrets"]
    return tuple(row for block in blocks for part in block.parts if isinstance(part, Table) for row in part.rows)


def _fields_in(kind: Any, seen: frozenset[Any] = frozenset()) -> set[str]:
    """Return the names of the fields of ``kind`` and of all that is in it."""
    if kind in seen:
        return set()
    if not is_dataclass(kind):
        inner = getattr(kind, "__args__", ())
        return set().union(*(_fields_in(one, seen) for one in inner)) if inner else set()
    hints = hints_of(kind)  # type: ignore[arg-type]
    names = {field.name for field in fields(kind)}
    return names.union(*(_fields_in(hint, seen | {kind}) for hint in hints.values()))
