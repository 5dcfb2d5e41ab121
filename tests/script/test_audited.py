"""Scripts audited from the command line: what could not be decided, and problems told as sentences."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.reports.cli.audits import result_text
from adjudicator.script.audit import audit_script
from adjudicator.verdict import Kind

Run = Callable[..., Result]
Audited = Callable[..., Result]
CORRECT = ("rot 0                   {2}", "rot 0                   {1}")


@pytest.fixture
def audit(run: Run, examples: Path) -> Audited:
    """Return the command `audit` over the hand-kept game, its slip corrected, after some text in it was replaced."""
    text = (examples / "hand-kept" / "race.txt").read_text("utf-8")
    shutil.copy(examples / "hand-kept" / "tiny-set.json", "tiny-set.json")

    def call(*changes: tuple[str, str], code: int, options: tuple[str, ...] = ()) -> Result:
        changed = text
        for old, new in (CORRECT, *changes):
            assert old in changed
            changed = changed.replace(old, new, 1)
        Path("race.txt").write_text(changed, "utf-8")
        return run("race.txt", *options, code=code)

    return call


@pytest.fixture
def run(run: Run) -> Run:
    """Return the command `audit`, in the place of the `replay` of the other tests here."""
    return partial(run.func, "audit")  # type: ignore[attr-defined]


# --- what could not be decided ---------------------------------------------------------------------------------------


def test_a_sound_script_in_an_archive_that_names_a_file_is_not_decided(audit: Audited, run: Run) -> None:
    assert audit(code=0).stdout.startswith("verified   sunday-7  30 orders")
    with zipfile.ZipFile("games.zip", "w") as archive:
        archive.write("race.txt")
        archive.write("tiny-set.json")
    lines = run("games.zip", code=3).stdout.splitlines()
    assert lines[0].startswith("unread     sunday-7  line 7: a script in an archive or on standard input cannot name a file")
    assert lines[1:3] == [
        "  next: solve the problem that this line names, then audit it again",
        "1 game: 0 verified, 1 not decided",
    ]


def test_so_is_one_on_standard_input(audit: Audited, run: Run) -> None:
    audit(code=0)
    result = run("-", "--json", stdin=Path("race.txt").read_bytes(), code=3)
    verdict, summary = map(json.loads, result.stdout.splitlines())
    assert (verdict["status"], verdict["game"], verdict["divergence"]["kind"]) == ("unread", "sunday-7", "not looked at")
    assert verdict["divergence"]["sentence"]
    assert (summary["summary"]["diverged"], summary["summary"]["undecided"]) == (0, 1)


def test_a_file_that_is_missing_or_damaged_says_nothing_about_the_game(audit: Audited) -> None:
    assert "line 7: lost.json: " in audit(("tiny-set.json", "lost.json"), code=3).stdout
    Path("tiny-set.json").write_text("{")
    assert "line 7: tiny-set.json: " in audit(code=3).stdout


def test_a_ruleset_that_is_not_installed_is_another_version(audit: Audited) -> None:
    lines = audit(("script checkpoint-rally", "script checkered-flagg"), code=3).stdout.splitlines()
    assert lines[0].startswith("version    sunday-7  line 3: no game “checkered-flagg” is installed")
    assert lines[-1].split() == ["1", "version"]


def test_what_else_is_wrong_with_an_undecided_script_is_told_after(audit: Audited) -> None:
    changes = ("id sunday-7\n", ""), ("script checkpoint-rally", "script checkered-flagg")
    lines = audit(*changes, code=3).stdout.splitlines()
    assert lines[0].startswith("version    –  line ")
    assert lines[1].startswith("  and line ")


@pytest.mark.parametrize("data", [b"script x\n" + b"\0\1" * 4096, b"script x\n" + b"\n" * 200_000])
def test_a_script_that_is_no_text_or_has_no_end_is_damaged(data: bytes) -> None:
    divergence = audit_script("x.txt", data).verdict.divergence
    assert divergence is not None
    assert (divergence.kind, divergence.field, divergence.recorded) == (Kind.DAMAGED, "script", "")


def test_that_problems_are_left_out_is_told_after_them() -> None:
    head = f"script checkpoint-rally\nid a\nseat red\nseat blue\nseed {'ab' * 32}\nturn 1\n"
    told = audit_script("x.txt", (head + "red: nonsense\n" * 150).encode()).divergences
    assert {divergence.kind for divergence in told} == {Kind.UNREADABLE}
    assert told[0].field.startswith("line ")
    assert (told[-1].field, "are not listed" in told[-1].recomputed) == ("script", True)


# --- sentences -------------------------------------------------------------------------------------------------------


def test_an_order_that_is_refused_is_told_once_and_in_a_sentence(audit: Audited) -> None:
    """The seat stood twice, and the line was said to be one thing that should be a whole sentence."""
    line = audit(("blue: TAKE G5", "blue: TAKE H1"), code=1).stdout.splitlines()[0]
    assert "entry 14 (blue: TAKE H1): line 43: refused: " in line
    assert "blue: blue" not in line
    assert "should be" not in line


def test_a_seat_in_capitals_and_a_comment_are_left_out_too(audit: Audited) -> None:
    line = audit(
        ("blue: TAKE G5                               {0}", "Blue :  TAKE H1  {0}  ; so they say"), code=1
    ).stdout.splitlines()[0]
    assert "(blue: TAKE H1): line 43: " in line


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("turn 5", "turn 7", "line 29: turns are numbered from 1 without gaps: write `turn 5`"),
        ("turn 5", "game x", "blue: line 29: this cannot be read"),
        ("blue: TAKE G5", "blue: STEAL G5", "blue: line 43: "),
    ],
)
def test_a_line_that_cannot_stand_there_is_told_in_a_sentence(audit: Audited, old: str, new: str, words: str) -> None:
    line = audit((f"\n{old}", f"\n{new}"), code=1).stdout.splitlines()[0]
    assert f"  {words}" in line
    assert "should be" not in line
    assert " is game x" not in line


def test_machines_get_the_line_and_the_sentence(audit: Audited) -> None:
    result = audit(("blue: TAKE G5", "blue: TAKE H1"), code=1, options=("--json",))
    told = json.loads(result.stdout.splitlines()[0])["divergence"]
    assert (told["kind"], told["n"], told["seat"], told["order"]) == ("refused order", 14, "blue", "TAKE H1")
    assert (told["field"], told["sentence"]) == ("line 43", True)
    assert told["recorded"].startswith("blue: TAKE H1")
    assert told["recomputed"].startswith("refused: ")


def test_numbers_that_differ_are_told_as_before(audit: Audited, examples: Path) -> None:
    line = audit(("winner blue", "winner red"), code=1).stdout.splitlines()[0]
    assert "winner is red, should be blue" in line
    folder = examples / "hand-kept"
    slip = result_text(audit_script("race.txt", (folder / "race.txt").read_bytes(), str(folder)).verdict)
    assert "line 24: minutes is 2, should be 1 = 4" in slip


# --- clocks that were read wrongly ------------------------------------------------------------------------------------

SLOW_RED = ("red: REFRESH [U4 G5 H6]                     {1}", "red: REFRESH [U4 G5 H6]                     {3}")
BLUE_FIRST = ("turn 9\nred: MOVE A2 A3                             {6}", "turn 9\nblue: DRAW {2}")


def test_a_clock_that_differs_is_named_as_the_cause_where_it_changes_who_plays_next(audit: Audited) -> None:
    told = audit(SLOW_RED, BLUE_FIRST, code=1).stdout
    assert "blue is not due here. What is due: red: " in told
    assert ". The archive has red at 13, the rules 11: so red plays next, not blue" in told


def test_a_clock_that_changes_nothing_is_not_named(audit: Audited) -> None:
    told = audit((SLOW_RED[0], SLOW_RED[1].replace("{3}", "{0}")), BLUE_FIRST, code=1).stdout
    assert "not due" in told
    assert "The archive has" not in told
    assert "The archive has" not in audit(BLUE_FIRST, code=1).stdout
