"""A game begun in steps: promise, words, publication, beginning; at each only what comes next is possible."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.core.chance import commitment
from adjudicator.store.load import load_game
from adjudicator.store.prepared import load_prepared

Run = Callable[..., Result]
SEED = "0f" * 32
TWO = ("new", "checkpoint-rally", "--seat", "red=Ann", "--seat", "blue=Bob", "--seed", SEED)
VERIFY = Path(__file__).parents[2] / "examples" / "verify_chance.py"


@pytest.fixture
def prepared(run: Run, tmp_path: Path) -> Path:
    run(*TWO, "--commit-only", "-o", "race.json", code=0)
    return tmp_path / "race.json"


def test_the_promise_is_told_with_what_it_fixes_and_what_comes_next(run: Run) -> None:
    text = run(*TWO, "--commit-only", "-o", "race.json", code=0).stdout
    assert "prepared, not begun. Publish this today, word for word:" in text
    assert "  seats       red (Ann), " in text
    assert f"  commitment  {commitment(bytes.fromhex(SEED))}\n" in text
    assert "  options     map=auto " in text
    assert f"  promise     {load_prepared('race.json').promise}\n" in text
    for step in ("words race.json red=WORD blue=WORD ", "words race.json --publish ", "begin race.json "):
        assert f"  adjudicator {step}" in text
    assert SEED not in text


def test_from_promise_to_game(run: Run, prepared: Path) -> None:
    promise = load_prepared(str(prepared)).promise
    assert "1 of 2 words" in run("words", prepared, "red=Horse", code=0).stdout
    assert "you have all" in run("words", prepared, "Blue=  umbrella  tree", code=0).stdout
    text = run("words", prepared, "--publish", code=0).stdout
    assert f"  promise     {promise}\n  red: horse\n  blue: umbrella tree\n" in text
    text = run("begin", prepared, code=0).stdout
    assert f"  promise     {promise}\n" in text
    assert "due now:" in text
    game = load_game(str(prepared))
    assert game.chance.promised
    assert game.promise == promise
    assert game.chance.entropy == {"red": "horse", "blue": "umbrella tree"}
    run("audit", prepared, code=0)
    for told in (promise, game.chance.commitment):
        command = [sys.executable, "-I", VERIFY, prepared, str(told)]
        verified = subprocess.run(command, capture_output=True, text=True, check=False)
        assert verified.stdout.startswith("sound: 1 entries")
    command[-1] = "0" * 64
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


def test_a_word_with_a_letter_of_another_alphabet_is_published_so_that_it_is_noticed(run: Run, prepared: Path) -> None:
    text = run("words", prepared, "red=h\u043erse", "blue=horse.", "--publish", code=0).stdout
    assert "  red: h\u043erse (U+043E)\n  blue: horse\n" in text


def test_the_words_decide_the_deal_and_are_told_everywhere(run: Run, prepared: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_bytes(prepared.read_bytes())
    for path, word in ((prepared, "horse"), (other, "house")):
        run("words", path, f"red={word}", "--publish", "--without", "blue", code=0)
        run("begin", path, code=0)
        for command in (("show",), ("log",), ("log", "--as", "red")):
            assert f"\nwords      red: {word} · blue: no word\n" in run(*command, path, code=0).stdout
        first = json.loads(run("log", path, "--json", code=0).stdout.splitlines()[0])
        assert first["begun"]["words"] == {"red": word}
        assert first["begun"]["without"] == ["blue"]
        assert first["begun"]["promise"] == load_game(str(path)).promise
    one, two = load_game(str(prepared)), load_game(str(other))
    assert one.promise == two.promise
    assert one.journal[0].entry.events != two.journal[0].entry.events
    assert one.beginning != two.beginning


def test_who_sends_no_word_must_be_named(run: Run, prepared: Path) -> None:
    run("words", prepared, "red=horse", code=0)
    before = prepared.read_bytes()
    assert "blue sent no word" in run("words", prepared, "--publish", code=2).stderr
    assert (
        "it has sent the word" in run("words", prepared, "--publish", "--without", "blue", "--without", "red", code=2).stderr
    )
    assert prepared.read_bytes() == before
    run("words", prepared, "--publish", "--without", "blue", code=0)
    run("begin", prepared, code=0)
    assert load_game(str(prepared)).chance.without == ("blue",)


def test_nothing_begins_before_the_words_are_published_and_then_they_stay(run: Run, prepared: Path) -> None:
    run("words", prepared, "red=horse", "blue=umbrella", code=0)
    assert "adjudicator words race.json --publish" in run("begin", "race.json", code=2).stderr
    run("words", prepared, "--publish", code=0)
    assert "can no longer change" in run("words", prepared, "blue=tree", "--replace", code=2).stderr
    assert "umbrella" in run("words", prepared, code=0).stdout
    run("begin", prepared, code=0)
    assert "has begun" in run("begin", prepared, code=2).stderr
    assert "has begun" in run("words", prepared, "blue=tree", code=2).stderr


def test_a_word_is_replaced_only_when_that_is_said(run: Run, prepared: Path) -> None:
    run("words", prepared, "red=horse", code=0)
    run("words", prepared, "red=HORSE", code=0)
    assert "--replace" in run("words", prepared, "red=cow", "blue=tree", code=2).stderr
    assert load_prepared(str(prepared)).chance.entropy == {"red": "horse"}
    run("words", prepared, "red=cow", "--replace", code=0)
    assert load_prepared(str(prepared)).chance.entropy == {"red": "cow"}


def test_everything_wrong_with_words_is_told_at_once_and_nothing_is_taken(run: Run, prepared: Path) -> None:
    told = run("words", prepared, "red=a\u200bbc", "blu=tree", "blue=x", code=2).stderr
    assert "U+200B, ZERO WIDTH SPACE" in told
    assert "did you mean “blue”?" in told
    assert "3 to 60 letters, digits and spaces; this one has 1" in told
    assert load_prepared(str(prepared)).chance.entropy == {}


@pytest.mark.parametrize(
    "command",
    [("show",), ("log",), ("legal",), ("apply",), ("check",), ("replay",), ("reveal",),
     ("undo", "--to", "0", "--reason", "x"), ("amend", "x=1", "--reason", "x"),
     ("seat", "red", "--holder", "Zoe", "--reason", "x")],
)  # fmt: skip
def test_other_commands_say_that_it_has_not_begun(run: Run, prepared: Path, command: tuple[str, ...]) -> None:
    before = prepared.read_bytes()
    name, *rest = command
    told = run(name, "race.json", *rest, code=2).stderr
    assert told.startswith("adjudicator: race.json: use `adjudicator words` and then `adjudicator begin` first")
    assert prepared.read_bytes() == before


def test_an_audit_says_that_it_has_not_begun(run: Run, prepared: Path) -> None:
    assert "has not begun" in run("audit", prepared, code=2).stdout
    begun = prepared.with_name("begun.json")
    run(*TWO, "-o", begun, code=0)
    assert "has not begun" not in run("audit", prepared.parent, code=0).stdout


def test_it_is_not_written_over_and_nothing_is_begun_twice(run: Run, prepared: Path) -> None:
    before = prepared.read_bytes()
    assert "already exists" in run(*TWO, "-o", "race.json", code=2).stderr
    assert prepared.read_bytes() == before


@pytest.mark.parametrize("more", [("--entropy", "red=horse"), ("--recorded", "set-up.txt")])
def test_what_a_promise_cannot_hold_is_refused(run: Run, more: tuple[str, ...]) -> None:
    arguments = ("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--commit-only", *more)
    assert "--commit-only" in run(*arguments, code=2).stderr


def test_what_cannot_begin_is_not_promised(run: Run, tmp_path: Path) -> None:
    run("new", "checkpoint-rally", "--seat", "red", "--commit-only", "-o", "x.json", code=2)
    assert not (tmp_path / "x.json").exists()


@pytest.mark.parametrize("arguments", [("--without", "blue"), ("red=a", "Red=b"), ("red",)])
def test_misuse_of_words(run: Run, prepared: Path, arguments: tuple[str, ...]) -> None:
    before = prepared.read_bytes()
    run("words", prepared, *arguments, code=2)
    assert prepared.read_bytes() == before


def test_for_machines(run: Run, prepared: Path) -> None:
    told = json.loads(run("words", prepared, "red=horse", "--json", code=0).stdout)
    assert (told["words"], told["silent"], told["published"]) == ({"red": "horse"}, ["blue"], False)
    assert told["promise"] == load_prepared(str(prepared)).promise
    run("words", prepared, "--publish", "--without", "blue", "--json", code=0)
    assert json.loads(run("begin", prepared, "--json", code=0).stdout)["game"] == "race"


def edits() -> dict[str, Callable[[dict[str, Any]], Any]]:
    return {
        "another secret": lambda it: it["chance"].update(secret="aa" * 32),
        "a word put in by hand": lambda it: it["chance"]["entropy"].update(blue="tree"),
        "seats in another order": lambda it: it["setup"]["players"].reverse(),
        "another option": lambda it: it["setup"]["options"].update(map="lower"),
        "published by hand": lambda it: it.update(are_published=True),
        "no promise": lambda it: it["chance"].pop("promised"),
        "something more": lambda it: it.update(more=1),
        "another number": lambda it: it.update(prepared=2),
        "no secret": lambda it: it["chance"].update(secret=None),
    }


@pytest.mark.parametrize("name", edits())
@pytest.mark.parametrize("command", ["words", "begin"])
def test_a_file_changed_by_hand_is_not_trusted(run: Run, prepared: Path, name: str, command: str) -> None:
    run("words", prepared, "red=horse", "--publish", "--without", "blue", code=0)
    document = json.loads(prepared.read_text("utf-8"))
    if name == "published by hand":
        document["are_published"] = False
    else:
        edits()[name](document)
    prepared.write_text(json.dumps(document), "utf-8")
    assert "cannot be trusted" in run(command, prepared, code=3).stderr


def test_a_game_cannot_be_made_a_promised_one_afterwards(run: Run, forge: Any, tmp_path: Path) -> None:
    run(*TWO, "--entropy", "red=horse", "-o", "plain.json", code=0)
    document = json.loads((tmp_path / "plain.json").read_text("utf-8"))
    document["chance"]["without"] = ["blue"]
    (tmp_path / "plain.json").write_bytes(forge(document))
    assert "\n  chance.without" in run("show", "plain.json", code=3).stderr
    document["chance"].update(promised=True, without=[])
    (tmp_path / "plain.json").write_bytes(forge(document))
    assert "chance.without" in run("audit", "plain.json", code=1).stdout


@pytest.mark.parametrize("word", ["Horse", "hor\u200bse", "horse ", "ho", "h\u00adorse"])
def test_an_audit_finds_a_word_that_is_not_in_its_one_form(run: Run, forge: Any, prepared: Path, word: str) -> None:
    run("words", prepared, "red=horse", "--publish", "--without", "blue", code=0)
    run("begin", prepared, code=0)
    document = json.loads(prepared.read_text("utf-8"))
    document["chance"]["entropy"]["red"] = word
    prepared.write_bytes(forge(document))
    assert "chance.entropy.red" in run("audit", prepared, code=1).stdout


def test_where_a_seat_and_its_holder_sit_is_in_the_promise(run: Run) -> None:
    promises = set()
    for number, seats in enumerate((("red=Ann", "blue=Bob"), ("blue=Bob", "red=Ann"), ("red=Bob", "blue=Ann"))):
        pairs = [word for seat in seats for word in ("--seat", seat)]
        arguments = (
            "new",
            "checkpoint-rally",
            *pairs,
            "--seed",
            SEED,
            "--id",
            "same",
            "--commit-only",
            "-o",
            f"{number}.json",
        )
        promises.add(json.loads(run(*arguments, "--json", code=0).stdout)["promise"])
    assert len(promises) == 3
