"""Corrections in scripts: turns of their own; what is wrong with one is told with its line."""

from __future__ import annotations

import pytest

from adjudicator.core.ids import MODERATOR
from adjudicator.script.audit import audit_script
from adjudicator.script.play import ScriptRun, play_script

HEAD = "script checkered-flag\nid g\nseat red\nseat blue\nseed {}\n".format("ab" * 32)
FIRST = "turn 1\nred: GEAR 1\n"


def play(text: str) -> ScriptRun:
    return play_script("g.txt", (HEAD + FIRST + text).encode(), None)


def told(text: str) -> list[tuple[int, str, str]]:
    found = play(text).diagnostics
    return [(one.line - 7, one.problem.code, one.problem.message) for one in found]


def test_each_correction_has_its_entry_and_its_reason() -> None:
    text = "turn 2\nundo to 0\nbecause slip\nturn 3\nseat red=Zoe\nbecause moved\nturn 4\namend racers[blue].driven=3\n"
    text += 'amend racers[red].driven=4\nbecause "a \\u0023 b"\nturn 5\nreveal\nbecause over\n'
    played = play(text)
    assert played.diagnostics == ()
    assert played.session is not None
    entries = [link.entry for link in played.session.game.journal]
    assert [entry.order for entry in entries[2:]] == ["UNDO to 0", "SEAT red", "AMEND", "REVEAL"]
    assert [entry.events[0].reason for entry in entries[2:]] == ["slip", "moved", "a # b", "over"]
    assert {entry.seat for entry in entries[2:]} == {MODERATOR}
    assert played.session.game.turn == 6
    verdict = audit_script("g.txt", (HEAD + FIRST + text).encode()).verdict
    assert (verdict.divergence, verdict.orders, verdict.corrections) == (None, 1, 4)


@pytest.mark.parametrize(
    ("text", "line", "code", "words"),
    [
        ("turn 2\nundo 7\nbecause x\n", 2, "script/bad-correction", "there is no entry 7"),
        ("turn 2\nundo nowhere\nbecause x\n", 2, "script/bad-correction", "`undo to 12`"),
        ("turn 2\nundo to 0\n", 2, "script/bad-correction", "400 characters"),
        ("turn 2\nreveal\n", 2, "script/bad-correction", "which the journal records (`because`)"),
        ("turn 2\nbecause x\n", 2, "script/bad-correction", "write the correction before its reason"),
        ("turn 2\nseat green=Zoe\nbecause x\n", 2, "script/bad-correction", "red, blue"),
        ("turn 2\nseat red\nbecause x\n", 2, "script/bad-correction", "like `seat red=Zoe`"),
        ('turn 2\nseat red="Zoe\nbecause x\n', 2, "script/bad-correction", "is a JSON string"),
        ("turn 2\namend x=1\nbecause x\n", 2, "script/bad-correction", "there is no “x”"),
        ("turn 2\nundo to 0\nseat red=Zoe\nbecause x\n", 3, "script/bad-correction", "one turn holds one correction"),
        ("turn 2\nundo to 0\nbecause x\nbecause y\n", 4, "script/bad-correction", "one turn holds one correction"),
        ("turn 2\nundo to 0\nbecause x\nred: GEAR 1\n", 4, "script/misplaced", "a separate turn"),
        ("turn 2\nred: GEAR 1\nundo to 0\n", 3, "script/misplaced", "a separate turn"),
        ("turn 2\nundo to 0\nbecause x\nGEAR 1\n", 4, "script/misplaced", "a separate turn"),
    ],
)
def test_what_is_wrong_with_one_is_told_at_its_line(text: str, line: int, code: str, words: str) -> None:
    found = told(text)
    assert [(at, kind) for at, kind, _ in found] == [(line, code)]
    assert words in found[0][2]


@pytest.mark.parametrize(
    ("heading", "code"),
    [
        ("rules one", "script/bad-value"),
        ("rules 99", "core/no-such-version"),
        ("rules 2\nrules 2", "script/twice"),
        ("promise 12", "script/bad-value"),
        ("promise " + "0" * 64, "script/bad-promise"),
        ('entropy red="horse', "script/bad-value"),
        ('entropy red=["horse"]\nentropy blue="\\ud800"', "script/bad-value"),
    ],
)
def test_headings_that_cannot_be(heading: str, code: str) -> None:
    played = play_script("g.txt", (HEAD + heading + "\n" + FIRST).encode(), None)
    assert [one.problem.code for one in played.diagnostics] == [code]


def test_a_script_is_played_by_the_version_of_the_rules_that_it_names() -> None:
    for version in (1, 2):
        played = play_script("g.txt", f"{HEAD}rules {version}\n{FIRST}".encode(), None)
        assert played.session is not None
        assert played.session.game.ruleset.version == version
