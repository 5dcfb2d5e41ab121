"""A game kept by hand: its minutes and its result recomputed, its slips told, its game file written all the same."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.audit.decide import audit_game
from adjudicator.reports.cli.audits import result_text
from adjudicator.script.audit import ScriptAudit, audit_script
from adjudicator.session import open_session
from adjudicator.store.load import load_game
from adjudicator.verdict import Kind

Run = Callable[..., Result]
SLIP = "entry 3 (red: PLACE U3 at C5 rot 0): line 24: minutes is 2, should be 1 = 4 − grassland S − city as before"


@pytest.fixture(scope="module")
def folder(examples: Path) -> Path:
    return examples / "hand-kept"


@pytest.fixture
def audited(folder: Path) -> Callable[..., ScriptAudit]:
    """Return the audit of the example after some text in it was replaced."""

    def run(*changes: tuple[str, str]) -> ScriptAudit:
        text = (folder / "race.txt").read_text("utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        return audit_script("race.txt", text.encode(), str(folder))

    return run


CORRECT = ("rot 0                   {2}", "rot 0                   {1}")


def test_the_example_has_exactly_one_slip_and_the_audit_says_why(audited: Callable[..., ScriptAudit]) -> None:
    audit = audited()
    (divergence,) = audit.divergences
    assert divergence == audit.verdict.divergence
    assert (divergence.kind, divergence.entry, divergence.seat) == (Kind.MINUTES, 3, "red")
    assert (divergence.recorded, divergence.recomputed) == ("2", "1 = 4 − grassland S − city as before − desert as before")
    assert divergence.rule == "CR-P1, CR-P3, CR-P4"
    assert result_text(audit.verdict).startswith(f"diverged   sunday-7  {SLIP}")


def test_corrected_it_is_verified(audited: Callable[..., ScriptAudit]) -> None:
    audit = audited(CORRECT)
    assert audit.divergences == ()
    assert result_text(audit.verdict) == "verified   sunday-7  30 orders, 64 draws  race.txt"
    assert audit.verdict.is_over


def test_every_disagreement_is_listed_the_result_included(audited: Callable[..., ScriptAudit]) -> None:
    audit = audited(
        ("MOVE A2                               {4}", "MOVE A2  {-4}"),
        ("REFRESH [H6]                          {1}", "REFRESH [H6]"),
        ("winner blue", "winner red"),
        ("minutes red 42", "minutes red 41"),
    )
    told = [(one.kind, one.entry, one.recorded, one.recomputed) for one in audit.divergences]
    assert told[1:] == [
        (Kind.MINUTES, 30, "-4", told[1][3]),
        (Kind.RESULT, None, "red", "blue"),
        (Kind.RESULT, None, "41", "42"),
    ]
    assert told[1][3].startswith("4 = ")


def test_a_result_before_the_end_is_no_result(audited: Callable[..., ScriptAudit], folder: Path) -> None:
    text = (folder / "race.txt").read_text("utf-8")
    cut = re.sub(r"turn 18\n.*\n", "", text).replace(*CORRECT)
    audit = audit_script("race.txt", cut.encode(), str(folder))
    assert [one.recomputed for one in audit.divergences] == ["none: the game is not over", "36"]


@pytest.mark.parametrize(
    ("old", "new", "kind", "words"),
    [
        ("[H8 G5 U4]", "[H8 G5 H8]", Kind.CHANCE, "H8"),
        ("red: DRAW [G7 G3]", "red: DRAW [G7]", Kind.CHANCE, "missing"),
        ("red: DRAW [G7 G3]", "red: DRAW [G7 G3 H8]", Kind.CHANCE, "H8"),
        ("recorded H6 H8 U4", "recorded H6 H8 H8", Kind.SETUP, "H8"),
        ("blue: TAKE G5", "blue: TAKE H1", Kind.REFUSED, "refused"),
        ("blue: TAKE G5", "red: DRAW", Kind.REFUSED, "not due"),
        ("blue: TAKE G5", "blue: STEAL G5", Kind.UNREADABLE, "STEAL"),
        ("components tiny-set.json", "components ../tiny-set.json", Kind.UNREAD, "leads out of it"),
        ("components tiny-set.json", "components lost.json", Kind.UNREAD, "no such file"),
        ("script checkpoint-rally", "script checkered-flagg", Kind.VERSION, "did you mean “checkered-flag”?"),
    ],
)
def test_what_cannot_have_been_is_told_with_its_line(
    old: str, new: str, kind: Kind, words: str, audited: Callable[..., ScriptAudit]
) -> None:
    audit = audited(CORRECT, (old, new))
    divergence = audit.verdict.divergence
    assert divergence is not None
    assert divergence.kind is kind
    assert re.fullmatch(r"line \d+", divergence.field)
    assert words in divergence.recomputed


def test_it_is_imported_in_spite_of_the_slip_which_is_told(folder: Path, run: Run) -> None:
    for name in ("race.txt", "tiny-set.json"):
        shutil.copy(folder / name, name)
    result = run("race.txt", "--import", "game.json")
    assert result.stdout == "game.json: Checkpoint Rally, game sunday-7, 30 orders in 18 turns\n"
    assert result.stderr.startswith(f"the script says otherwise: {SLIP}")
    assert Path("game.json").read_bytes() == (folder / "game.json").read_bytes()
    verdict = audit_game(open_session(load_game("game.json")))
    assert verdict.divergence is None
    assert verdict.is_over
    told = json.loads(run("race.txt", "--import", "game.json", "--force", "--json").stdout)
    assert [SLIP in words for words in told["disagreements"]] == [True]


def test_the_replay_of_a_script_tells_the_slip_too(folder: Path, run: Run) -> None:
    result = run(folder / "race.txt", "--until", 3)
    assert SLIP in result.stderr
    assert re.search(r"^  3  Mia \(red\) +PLACE U3 at C5 rot 0 +1  4 → 5", result.stdout, re.MULTILINE)


def test_outcomes_behind_a_condition_that_does_not_hold_cannot_have_been(audited: Callable[..., ScriptAudit]) -> None:
    told = audited(("red: REFRESH [H8 G5 U4]", "red: IF hand > 9 THEN REFRESH [H8 G5 U4]"))
    (found,) = [divergence for divergence in told.divergences if divergence.kind is Kind.CHANCE]
    assert "nothing was drawn for “H8”" in str(found)


def test_what_the_readme_shows_is_what_comes(folder: Path) -> None:
    shown = (folder / "expected.txt").read_text("utf-8")
    assert shown.count(SLIP) == 2
    assert "30 orders in 18 turns" in shown
    assert sum(1 for line in (folder / "race.txt").read_text("utf-8").splitlines() if line.endswith("}")) == 30
