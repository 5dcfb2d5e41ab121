"""What machines read: every command prints with `--json` what its schema says, when it does its work and when it fails."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from jsonschema import Draft202012Validator
from typer.testing import Result

from adjudicator.cli.app import app_for
from adjudicator.desk.build import CannotBuildError, Release
from adjudicator.games.rally_round.office.outputs import SCHEMAS
from adjudicator.outputs.commands import FAILURE
from adjudicator.outputs.commands import OUTPUTS as COMMON
from adjudicator.outputs.failures import FailureKind
from adjudicator.store import schema as schemas

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
OF_GAMES = {f"rally-round {name}": SCHEMAS[f"output.{name}.json"] for name in ("route", "sheet")}
OUTPUTS = {**COMMON, **OF_GAMES}
COMMANDS = (*(str(command.name) for command in app_for().registered_commands), *OF_GAMES)


class Case(NamedTuple):
    """A call of a command: its arguments, the exit code, and the kind of failure that is told in the end, if one is."""

    arguments: str
    code: int = 0
    failure: str = ""


REASON = "--reason slip"
CASES: dict[str, tuple[Case, ...]] = {
    "games": (Case(""),),
    "rules": (
        Case("checkpoint-rally"),
        Case("checkpoint-charlie CC-O1"),
        Case("rally.json p2"),
        Case("race.json"),
        Case("checkpoint-raly", 2, "ruleset"),
        Case("checkpoint-rally CR-X99", 2, "misuse"),
        Case("torn.json", 3, "untrusted"),
    ),
    "components": (
        Case("checkpoint-rally"),
        Case("checkered-flag --set house"),
        Case("checkpoint-charlie"),
        Case("checkpoint-raly", 2, "ruleset"),
        Case("checkpoint-rally --set nowhere", 2, "misuse"),
        Case("checkpoint-rally --components torn.json", 3, "untrusted"),
    ),
    "new": (
        Case("checkpoint-rally --seat red=Ann --seat blue -o new.json"),
        Case("checkered-flag --seat red --seat blue -o new.json --recorded spins.txt"),
        Case("checkpoint-rally --seat red --seat blue -o new.json --commit-only"),
        Case("checkpoint-rally --seat red -o new.json", 2, "setup"),
        Case("checkpoint-rally --seat red --seat blue -o rally.json", 2, "misuse"),
        Case("checkpoint-rally --seat red --seat blue --components torn.json -o new.json", 3, "untrusted"),
        Case("checkered-flag --seat red --seat blue -o new.json --recorded turn.txt", 1, "impossible-outcome"),
    ),
    "words": (
        Case("prepared.json"),
        Case("prepared.json red=horse"),
        Case("prepared.json --publish --without red --without blue"),
        Case("prepared.json green=horse", 2, "misuse"),
        Case("rally.json red=horse", 2, "file"),
        Case("torn.json", 3, "untrusted"),
    ),
    "begin": (
        Case("published.json"),
        Case("prepared.json", 2, "misuse"),
        Case("torn.json", 3, "untrusted"),
    ),
    "check": (
        Case("rally.json turn.txt"),
        Case("rally.json bad.txt", 1),
        Case("rally.json red=mail.eml", 1),
        Case("rally.json", 2, "misuse"),
        Case("rally.json nowhere.txt", 2, "file"),
        Case("torn.json turn.txt", 3, "untrusted"),
    ),
    "apply": (
        Case("rally.json turn.txt"),
        Case("rally.json bad.txt --log minutes.jsonl", 1),
        Case("rally.json bad.txt --strict", 1),
        Case("rally.json turn.txt --log no/where.jsonl", 2),
        Case("rally.json green=turn.txt", 2, "misuse"),
        Case("torn.json turn.txt", 3, "untrusted"),
        Case("race.json turn.txt", 1),
    ),
    "turn": (
        Case("rally.json turn.txt -o out"),
        Case("rally.json turn.txt --dry-run"),
        Case("rally.json -o out"),
        Case("rally.json red=mail.eml -o out", 1),
        Case("rally.json bad.txt -o out --strict", 1),
        Case("race.json turn.txt -o out", 1),
        Case("rally.json turn.txt", 2, "misuse"),
        Case("rally.json turn.txt -o turn.txt", 2, "file"),
        Case("torn.json -o out", 3, "untrusted"),
    ),
    "report": (
        Case("rally.json"),
        Case("played.json --as red"),
        Case("played.json --as blue"),
        Case("rally.json --as moderator"),
        Case("rally.json --as red -o red.html"),
        Case("race.json --as red --since 2"),
        Case("charlie.json --as moderator"),
        Case("flag.json --all reports --format txt,json"),
        Case("rally.json --as green", 2, "unknown-seat"),
        Case("rally.json -o red.doc", 2, "misuse"),
        Case("torn.json", 3, "untrusted"),
    ),
    "club": (
        Case("status thursday"),
        Case("run thursday --once"),
        Case("list thursday"),
        Case("report thursday"),
        Case("messages thursday rally"),
        Case("messages thursday nowhere", 2, "misuse"),
        Case("report thursday --since 2", 2, "misuse"),
        Case("doctor thursday"),
        Case("set thursday press=off"),
        Case("set thursday press=maybe", 3, "untrusted"),
        Case("pause thursday all"),
        Case("extend thursday nowhere", 2, "misuse"),
        Case("init thursday --name x --address a@b.c --moderator d@e.f", 2, "misuse"),
        Case("status nowhere", 2, "file"),
    ),
    "pending": (
        Case("rally.json"),
        Case("played.json --as blue"),
        Case("played.json --as green", 2, "unknown-seat"),
        Case("played.json --bring-back 1", 2, "misuse"),
        Case("torn.json", 3, "untrusted"),
    ),
    "withdraw": (
        Case(f"played.json blue {REASON}"),
        Case(f"played.json red {REASON}", 2, "misuse"),
        Case(f"torn.json blue {REASON}", 3, "untrusted"),
    ),
    "show": (
        Case("rally.json"),
        Case("rally.json --as red"),
        Case("rally.json --as moderator"),
        Case("race.json --as moderator"),
        Case("charlie.json --as moderator"),
        Case("rally.json --as green", 2, "unknown-seat"),
        Case("nowhere.json", 2, "file"),
        Case("torn.json", 3, "untrusted"),
        Case("other.json", 3, "untrusted"),
    ),
    "legal": (
        Case("rally.json"),
        Case("rally.json --as blue"),
        Case("flag.json"),
        Case("race.json"),
        Case("rally.json --as moderator", 2, "misuse"),
        Case("torn.json", 3, "untrusted"),
    ),
    "log": (
        Case("race.json"),
        Case("charlie.json --as moderator"),
        Case("long.json --as moderator --events"),
        Case("rally.json --as green", 2, "unknown-seat"),
        Case("torn.json", 3, "untrusted"),
    ),
    "replay": (
        Case("race.json --as moderator"),
        Case("race.json --boards --until 3"),
        Case("script.txt"),
        Case("script.txt --import new.json"),
        Case("race.json --export new.txt"),
        Case("race.json -o new.html"),
        Case("rally.json -o new.html --as red"),
        Case("rally.json -o new.txt", 2, "misuse"),
        Case("bad-script.txt", 1),
        Case("bad-script.txt --import new.json", 1),
        Case("race.json --from 999", 2, "misuse"),
        Case("torn.json", 3, "untrusted"),
    ),
    "audit": (
        Case("rally.json"),
        Case("rally.json race.json --impact"),
        Case(". --quiet", 1),
        Case("script.txt"),
        Case("forged.json", 1),
        Case("torn.json", 3),
        Case("sub", 2),
        Case("nowhere", 2),
    ),
    "archive": (
        Case("new.jsonl.zst race.json charlie.json"),
        Case("new.jsonl.zst race.json other.json", 3),
        Case("nowhere.jsonl.zst", 2, "file"),
        Case("new.json race.json", 2, "misuse"),
    ),
    "site": (
        Case("race.json charlie.json -o site"),
        Case("rally.json -o site --unfinished"),
        Case(". -o site", 1),
        Case("torn.json -o site", 3),
        Case("nowhere -o site", 2),
        Case("race.json -o flag.json", 2, "file"),
    ),
    "desk": (
        Case("-o desk"),
        Case("-o no-desk", 2, "misuse"),
    ),
    "verify-chance": (
        Case("flag.jsonl --reveal race.json"),
        Case("rally.jsonl", 2, "misuse"),
        Case("rally.jsonl --reveal race.json", 1, "not-promised"),
        Case("torn.json", 3, "untrusted"),
    ),
    "undo": (
        Case(f"played.json --to 0 {REASON}"),
        Case(f"played.json --to 99 {REASON}", 2, "misuse"),
        Case(f"torn.json --to 0 {REASON}", 3, "untrusted"),
    ),
    "amend": (
        Case(f"rally.json racers[red].minutes=31 {REASON}"),
        Case(f"rally.json racers[red].minutes=many {REASON}", 2, "misuse"),
        Case(f"torn.json x=1 {REASON}", 3, "untrusted"),
    ),
    "seat": (
        Case(f"rally.json red --holder Zoe {REASON}"),
        Case(f"rally.json green --holder Zoe {REASON}", 2, "unknown-seat"),
        Case(f"torn.json red --holder Zoe {REASON}", 3, "untrusted"),
    ),
    "reveal": (
        Case("race.json"),
        Case(f"rally.json --force {REASON}"),
        Case("rally.json", 2, "misuse"),
        Case("torn.json", 3, "untrusted"),
    ),
    "language": (
        Case("rally.json"),
        Case("rally.json de Polish"),
        Case("rally.json tlh", 2, "misuse"),
        Case("torn.json de", 3, "untrusted"),
    ),
    "simulate": (
        Case("checkered-flag --games 1 --audit"),
        Case("checkered-flag --games 1 --most-orders 1"),
        Case("checkered-flag --games 0", 2, "misuse"),
        Case("chess", 2, "ruleset"),
    ),
    "rally-round route": (
        Case(""),
        Case("route.txt"),
        Case("wrong-route.txt", 1),
        Case("torn.json", 3, "untrusted"),
        Case("nowhere.txt", 2, "file"),
        Case("--map nowhere", 2, "misuse"),
    ),
    "rally-round sheet": (
        Case("score sheet.txt"),
        Case("score sheet.txt sheets.json --full"),
        Case("score wrong-sheet.txt", 1),
        Case("score sheet.txt --html - --csv -", 2, "misuse"),
        Case("score nowhere.txt", 2, "file"),
        Case("score torn.json", 3, "untrusted"),
    ),
    "schema": (
        Case(""),
        Case("apply"),
        Case("checkpoint-rally.game-file"),
        Case("nonsense", 2, "misuse"),
    ),
    "new-ruleset": (
        Case("my-game"),
        Case("Mine", 2, "misuse"),
    ),
}
"""Every command, in the ways in which it may end."""
LISTED = [(command, case) for command, cases in CASES.items() for case in cases]

SCRIPT = "script checkered-flag\nid talk\nseat red\nseat blue\nseed {}\nturn 1\n{}\n"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for what the cases need, which is made once."""
    return tmp_path_factory.mktemp("kept") / "folder"


@pytest.fixture
def folder(tmp_path: Path, game: Path, run: Run, forge: Callable[[dict[str, Any]], bytes], kept: Path) -> Path:
    """Return a folder with games in several states, texts of orders, and files that cannot be trusted."""
    if kept.exists():
        shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    else:
        fill(tmp_path, game, run, forge)
        shutil.copytree(tmp_path, kept)
    return tmp_path


def fill(tmp_path: Path, game: Path, run: Run, forge: Callable[[dict[str, Any]], bytes]) -> None:
    for name, source in (
        ("race.json", "checkered-flag/race/game.json"),
        ("flag.json", "checkered-flag/race/start.json"),
        ("charlie.json", "checkpoint-charlie/three-players/game.json"),
        ("long.json", "checkpoint-rally/two-players/game.json"),
    ):
        shutil.copyfile(next(EXAMPLES.glob(source)), tmp_path / name)
    whole = game.read_bytes()
    (tmp_path / "torn.json").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "other.json").write_text('{"format": 99}')
    (tmp_path / "forged.json").write_bytes(forged(whole, forge))
    (tmp_path / "turn.txt").write_text("red: MOVE D3 OR DRAW\nblue: DRAW\n")
    (tmp_path / "bad.txt").write_text("red: move d3\n  PLACE H99 at B1\nHello!\ngreen: DRAW\nblue: DRAW\n  DRAWW\n")
    (tmp_path / "mail.eml").write_bytes(b"From: a@b.c\r\nSubject: orders\r\n\r\nHi,\r\n\r\nMVOE D3\r\n\r\n-- \r\nAnn\r\n")
    (tmp_path / "spins.txt").write_text("1 2 3 4")
    (tmp_path / "script.txt").write_text(SCRIPT.format("ab" * 32, "red: GEAR 1"))
    (tmp_path / "bad-script.txt").write_text(SCRIPT.format("ab" * 32, "red: FLY to the moon"))
    (tmp_path / "sheet.txt").write_text("crew Ann\nTC2 12 4 5 1:00 | 10 20 30 30 30\n")
    (tmp_path / "wrong-sheet.txt").write_text("crew Ann\nTC2 12 | 10 2O\n")
    (tmp_path / "sheets.json").write_text('{"sheets": [{"rows": [{"control": "TC2", "distance": 1, "speeds": [10]}]}]}')
    (tmp_path / "route.txt").write_text("TC1 A4\nTC2 K5 from S\n")
    (tmp_path / "wrong-route.txt").write_text("TC1 A4\nTC2 Q99 from S\n")
    (tmp_path / "sub").mkdir()
    run("club", "init", "thursday", "--name", "x", "--address", "a@b.c", "--moderator", "d@e.f", code=0)
    run("club", "add", "thursday", game, "--seat", "red=r@b.c", "--seat", "blue=b@b.c", code=0)
    for name, of in (("flag.jsonl", "race.json"), ("rally.jsonl", game)):
        (tmp_path / name).write_bytes(run("log", of, "--json", code=0).stdout_bytes)
    shutil.copyfile(game, tmp_path / "played.json")
    run("apply", "played.json", "turn.txt", code=0)
    for name in ("prepared.json", "published.json"):
        run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--commit-only", "-o", name, code=0)
    run("words", "published.json", "red=horse", "--publish", "--without", "blue", code=0)


def forged(whole: bytes, forge: Callable[[dict[str, Any]], bytes]) -> bytes:
    """Return the game with another clock, and everything made to fit."""
    document = json.loads(whole)
    document["state"]["racers"][0]["minutes"] = 77
    return forge(document)


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schemas.text(f"{schemas.OUTPUT}.{name.split()[-1]}.json")))


def told(command: str, text: str) -> Iterator[tuple[bool, dict[str, Any]]]:
    """Yield for each line of what ``command`` has printed whether it is a failure, and what it says; check its shape."""
    # Schemas are printed as the files have them, on many lines.
    lines = [text] if command == "schema" else text.splitlines()
    assert len(lines) == 1 or OUTPUTS[command].is_lines
    for line in lines:
        data = json.loads(line)
        is_failure = isinstance(data, dict) and "error" in data
        validator(FAILURE if is_failure else command).validate(data)
        yield is_failure, data


@pytest.fixture(autouse=True)
def quick_desk(monkeypatch: pytest.MonkeyPatch) -> None:
    """To build a desk takes long: a folder called `desk` gets one at once, all others cannot."""

    def build(target: Path) -> Release:
        if target.name != "desk":
            raise CannotBuildError("install npm")
        return Release("5cd647596136", {"desk.js": 375_703})

    monkeypatch.setattr("adjudicator.desk.build.build", build)


@pytest.mark.parametrize(("command", "case"), LISTED, ids=[f"{command} {case.arguments}" for command, case in LISTED])
def test_what_a_command_prints_obeys_its_schema(run: Run, folder: Path, command: str, case: Case) -> None:
    result = run(*command.split(), *case.arguments.split(), "--json", code=case.code)
    found = list(told(command, result.stdout))
    assert [data["error"] for is_failure, data in found if is_failure] == ([case.failure] if case.failure else [])
    assert found[-1][0] == bool(case.failure)
    assert not result.stderr or command in ("simulate", "replay")


def test_every_command_has_json_a_schema_and_cases_good_and_bad() -> None:
    """A new command is to be listed in ``outputs.commands``, and tried here in the ways in which it may end."""
    assert set(CASES) == set(OUTPUTS) - {FAILURE} == set(COMMANDS)
    for tried, cases in CASES.items():
        assert any(case.code == 0 and not case.failure for case in cases), tried
        assert any(case.code for case in cases) or tried == "games", tried
    every: Any = typer.main.get_command(app_for())
    for name in COMMANDS:
        command = every
        for word in name.split():
            command = command.get_command(None, word)
        assert any("--json" in option.opts for option in command.params), name


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_option_is_told_as_json_too(run: Run, command: str) -> None:
    result = run(*command.split(), "--json", "--nonsense", code=2)
    assert result.stderr == ""
    ((is_failure, data),) = told(command, result.stdout)
    assert is_failure
    assert (data["error"], "--nonsense" in data["message"]) == ("usage", True)


@pytest.mark.parametrize("arguments", [("shwo", "--json"), ("--json",), ("--json", "show"), ("show", "--json")])
def test_a_wrong_call_is_told_as_json(run: Run, arguments: tuple[str, ...]) -> None:
    result = run(*arguments, code=2)
    data = json.loads(result.stdout)
    validator(FAILURE).validate(data)
    assert (data["error"], result.stderr) == ("usage", "")


@pytest.mark.parametrize("arguments", [("shwo",), ("show",), ("show", "--nonsense"), ("show", "--", "--json", "x")])
def test_people_are_told_of_a_wrong_call_in_words(run: Run, arguments: tuple[str, ...]) -> None:
    result = run(*arguments, code=2)
    assert result.stdout == ""
    assert "Error: " in result.stderr


BROKEN = "from adjudicator.cli import show\ndef fail(*_, **__): raise {}\nshow._asked = fail"


@pytest.mark.parametrize(
    ("raised", "code", "kind"), [("ZeroDivisionError('x')", 70, "internal"), ("KeyboardInterrupt", 130, "interrupted")]
)
def test_bugs_and_interruptions_are_told_as_json(
    process: Callable[..., Any], game: Path, raised: str, code: int, kind: str
) -> None:
    result = process("legal", game, "--json", before=BROKEN.format(raised))
    data = json.loads(result.stdout)
    validator(FAILURE).validate(data)
    assert (data["error"], result.returncode, result.stderr) == (kind, code, b"")


def test_every_kind_of_failure_is_tried() -> None:
    tried = {case.failure for _, case in LISTED} | {"usage", "internal", "interrupted"}
    untried = {"system", "no-game"}  # a disk that fails; `audit` without a game, which machines see in its summary
    assert tried - {""} == {kind.value for kind in FailureKind} - untried


def test_one_name_means_one_thing_in_all_outputs() -> None:
    """The same name has the same type wherever it stands; those that differ are told in docs/json.md."""
    types: dict[str, set[str]] = {}
    for command in OUTPUTS:
        for name, part in properties(validator(command).schema):
            types.setdefault(name, set()).add(kind_of(part))
    assert {name for name, kinds in types.items() if len(kinds) > 1} == {
        "before",  # of a log row the clock, of an option or a rule what held in earlier versions
        "kind",
        "notes",  # of a row words, of an adjudication each with the seat
        "options",
        "orders",  # how many: of simulated games their spread
        "players",
        "position",  # of a move where the game stood after it, of a game that was begun whether it was an explicit one
        "receipts",  # of a manifest as they are recorded, of an adjudication with the orders
        "problems",  # of orders with their place, of a set-up without
        "why",  # of a cost its parts, of a ruling its reason
        "taken",  # of a receipt whether it was, of an archive how many games
        *("entries", "rows", "told"),  # of the shapes of a drawing
    }


def properties(schema: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        for inner in schema.get("$defs", {}).values():
            yield from properties(inner)


def kind_of(part: dict[str, Any]) -> str:
    """Return the type of ``part`` in a word, null left out."""
    if "anyOf" in part:
        return "|".join(kind_of(inner) for inner in part["anyOf"] if inner != {"type": "null"})
    if "$ref" in part:
        return str(part["$ref"])
    found = part.get("type", "any")
    kinds = [kind for kind in ([found] if isinstance(found, str) else found) if kind != "null"]
    inner = kind_of(part["items"]) if isinstance(part.get("items"), dict) else ""
    values = part.get("additionalProperties")
    return f"{kinds[0]}[{inner}]" + (kind_of(values) if isinstance(values, dict) else "")


DOCUMENT = (ROOT / "docs" / "json.md").read_text("utf-8")


def test_the_document_has_every_command_with_its_schema_and_an_example_that_obeys_it() -> None:
    examples = DOCUMENT.split("## Examples")[1].split("\n### ")[1:]
    names = []
    for example in examples:
        heading, _, text = example.partition("\n")
        for name in heading.replace("`", "").split(", "):
            names.append(name)
            assert "[output.{0}](../schemas/output.{0}.json)".format(name.split()[-1]) in text
            for line in text.split("```json\n")[1].split("```")[0].splitlines():
                validator(name).validate(json.loads(line))
    assert names == [*OUTPUTS]
    assert {*names} == {*CASES, FAILURE}
