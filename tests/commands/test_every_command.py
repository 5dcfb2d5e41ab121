"""What holds for all commands: help with examples that work, JSON that fits its schema, exit codes, a quick start."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import adjudicator as adj
from adjudicator.cli.app import COMMANDS as PROGRAM
from adjudicator.library.rulesets import schema as library_schema
from tests.drivers.commands import ROOT, Run, argv, process, rally, rally_bytes, written

OF_GAMES = ("rally-round route", "rally-round sheet")
LINES = {"log", "replay", "audit", "archive", "club"}
"""Commands that may print several lines of JSON."""
CASES = """\
games
rules checkpoint-rally
rules checkpoint-charlie CC-O1
rules rally.json p2
rules race.json
rules checkpoint-raly                                                            | 2 ruleset
rules checkpoint-rally CR-X99                                                    | 2 misuse
rules torn.json                                                                  | 3 untrusted
games checkpoint-rally
games checkered-flag --set house
games checkpoint-charlie
games great-race
games rally-round
games checkpoint-raly                                                       | 2 ruleset
games checkpoint-rally --set nowhere                                        | 2 misuse
games checkpoint-rally --components torn.json                               | 3 untrusted
new checkpoint-rally --seat red=Ann --seat blue -o new.json
new checkered-flag --seat red --seat blue -o new.json --recorded spins.txt
new checkpoint-rally --seat red --seat blue -o new.json --commit-only
new checkpoint-rally --seat red -o new.json                                      | 2 setup
new checkpoint-rally --seat red --seat blue -o rally.json                        | 2 misuse
new checkpoint-rally --seat red --seat blue --components torn.json -o new.json   | 3 untrusted
new checkered-flag --seat red --seat blue -o new.json --recorded turn.txt        | 1 impossible-outcome
begin prepared.json
begin prepared.json red=horse
begin prepared.json --publish --without red --without blue
begin prepared.json green=horse                                                  | 2 misuse
begin rally.json red=horse                                                       | 2 file
begin torn.json                                                                  | 3 untrusted
begin published.json --deal
begin prepared.json --deal                                                              | 2 misuse
begin torn.json --deal                                                                  | 3 untrusted
check rally.json turn.txt
check rally.json bad.txt                                                         | 1
check rally.json red=mail.eml                                                    | 1
check rally.json                                                                 | 2 misuse
check rally.json nowhere.txt                                                     | 2 file
check torn.json turn.txt                                                         | 3 untrusted
apply rally.json turn.txt
apply rally.json bad.txt --log minutes.jsonl                                     | 1
apply rally.json bad.txt --strict                                                | 1
apply rally.json turn.txt --log no/where.jsonl                                   | 2
apply rally.json green=turn.txt                                                  | 2 misuse
apply torn.json turn.txt                                                         | 3 untrusted
apply race.json turn.txt                                                         | 1
turn rally.json turn.txt -o out
turn rally.json turn.txt --dry-run
turn rally.json -o out
turn rally.json red=mail.eml -o out                                              | 1
turn rally.json bad.txt -o out --strict                                          | 1
turn race.json turn.txt -o out                                                   | 1
turn rally.json turn.txt                                                         | 2 misuse
turn rally.json turn.txt -o turn.txt                                             | 2 file
turn torn.json -o out                                                            | 3 untrusted
report rally.json
report played.json --as red
report rally.json --as moderator
report rally.json --as red -o red.html
report race.json --as red --since 2
report charlie.json --as moderator
report flag.json --all reports --format txt,json
report rally.json --as green                                                     | 2 unknown-seat
report rally.json -o red.doc                                                     | 2 misuse
report rally.json --as red --format game                                         | 2 misuse
report torn.json                                                                 | 3 untrusted
club status thursday
club run thursday --once
club list thursday
club status thursday --since last
club messages thursday rally
club messages thursday nowhere                                                   | 2 misuse
club status thursday --since 2                                                   | 2 misuse
club doctor thursday
club set thursday press=off
club set thursday press=maybe                                                    | 3 untrusted
club tournament thursday
club tournament thursday nowhere.toml                                            | 2 file
club tournament thursday --check                                                 | 2 misuse
club pause thursday all
club extend thursday nowhere                                                     | 2 misuse
club init thursday --name x --address a@b.c --moderator d@e.f                    | 2 misuse
club status nowhere                                                              | 2 file
pending rally.json
pending played.json --as blue
pending played.json --as green                                                   | 2 unknown-seat
pending played.json --bring-back 1                                               | 2 misuse
pending torn.json                                                                | 3 untrusted
pending played.json --withdraw blue --reason slip
pending played.json --withdraw red --reason slip                                           | 2 misuse
pending torn.json --withdraw blue --reason slip                                            | 3 untrusted
show rally.json
show rally.json --as red
show race.json --as moderator
show charlie.json --as moderator
show race.json --at 2 --as red
show race.json --at 999                                                          | 2 misuse
show rally.json --as green                                                       | 2 unknown-seat
show rally.json --csv -                                                          | 2 misuse
show nowhere.json                                                                | 2 file
show torn.json                                                                   | 3 untrusted
show other.json                                                                  | 3 untrusted
legal rally.json
legal rally.json --as blue
legal race.json
legal rally.json --as moderator                                                  | 2 misuse
legal torn.json                                                                  | 3 untrusted
log race.json
log charlie.json --as moderator
log long.json --as moderator --events
log rally.json --as green                                                        | 2 unknown-seat
log torn.json                                                                    | 3 untrusted
fork race.json --at 2 --as red -o what-if.json
fork race.json --at 999                                                          | 2 misuse
fork torn.json --at 1                                                            | 3 untrusted
replay race.json --as moderator
replay race.json --boards --until 3
replay script.txt
script script.txt -o new.json
script race.json -o new.txt --with-secret
replay race.json -o new.html
replay rally.json -o new.txt                                                     | 2 misuse
replay bad-script.txt                                                            | 1
script bad-script.txt -o new.json                                          | 1
replay race.json --from 999                                                      | 2 misuse
replay torn.json                                                                 | 3 untrusted
audit rally.json
audit rally.json race.json --impact
audit . --quiet                                                                  | 1
audit script.txt
audit forged.json                                                                | 1
audit torn.json                                                                  | 3
audit sub                                                                        | 2
audit nowhere                                                                    | 2
archive new.adjudicator.db race.json charlie.json
archive new.adjudicator.db race.json other.json                                       | 3
archive nowhere.adjudicator.db                                                        | 2 file
archive new.json race.json                                                       | 2 misuse
site race.json charlie.json -o site
site rally.json -o site --unfinished
site . -o site                                                                   | 1
site torn.json -o site                                                           | 3
site nowhere -o site                                                             | 2
site race.json -o flag.json                                                      | 2 file
desk -o desk                                                                     | 2 misuse
audit race.json --published flag.jsonl
audit --published rally.jsonl                                                    | 2 misuse
audit --published flag.jsonl --reveal 0000000000000000000000000000000000000000000000000000000000000000 | 1
audit race.json --published rally.jsonl                                          | 1
audit --published torn.json                                                      | 2 misuse
undo played.json --to 0 --reason slip
undo played.json --to 99 --reason slip                                           | 2 misuse
undo torn.json --to 0 --reason slip                                              | 3 untrusted
amend rally.json racers[red].minutes=31 --reason slip
amend rally.json racers[red].minutes=many --reason slip                          | 2 misuse
amend torn.json x=1 --reason slip                                                | 3 untrusted
seat rally.json red --holder Zoe --reason slip
seat rally.json green --holder Zoe --reason slip                                 | 2 unknown-seat
seat torn.json red --holder Zoe --reason slip                                    | 3 untrusted
reveal race.json
reveal rally.json --before-the-end --reason slip
reveal rally.json                                                                | 2 misuse
reveal torn.json                                                                 | 3 untrusted
language rally.json
language rally.json de Polish
language rally.json tlh                                                          | 2 misuse
language torn.json de                                                            | 3 untrusted
simulate checkered-flag --games 1 --audit
simulate checkered-flag --games 1 --most-orders 1
simulate checkered-flag --games 0                                                | 2 misuse
simulate chess                                                                   | 2 ruleset
rally-round route
rally-round route route.txt
rally-round route wrong-route.txt                                                | 1
rally-round route torn.json                                                      | 3 untrusted
rally-round route nowhere.txt                                                    | 2 file
rally-round route --map nowhere                                                  | 2 misuse
rally-round sheet score sheet.txt
rally-round sheet score sheet.txt sheet.txt --full
rally-round sheet score wrong-sheet.txt                                          | 1
rally-round sheet score nowhere.txt                                              | 2 file
rally-round sheet score torn.json                                                | 3 untrusted
schema
schema apply
schema checkpoint-rally.game-file
schema nonsense                                                                  | 2 misuse
new-ruleset my-game
new-ruleset Mine                                                                 | 2 misuse
"""
"""Every command in the ways in which it may end: the exit code, and the kind of failure that is told last, if one is."""


def command_of(line: str) -> str:
    return next(name for name in (*OF_GAMES, line.split()[0]) if line.startswith(name))


COMMANDS = [name for name in dict.fromkeys(map(command_of, CASES.splitlines())) if name not in OF_GAMES]
OF_CLUBS = [name for name in PROGRAM if name.startswith("club ")]
HELPED = [name for name in (*COMMANDS, *OF_CLUBS, *OF_GAMES) if name != "club"]
SCRIPT = "script checkered-flag\nid talk\nseat red\nseat blue\nseed {}\nturn 1\n{}\n"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for what the cases need, which is made once."""
    return tmp_path_factory.mktemp("kept") / "folder"


@pytest.fixture
def folder(tmp_path: Path, run: Run, forge: Callable[[dict[str, Any]], bytes], kept: Path) -> Path:
    """Return a folder with games in several states, texts of orders, and files that cannot be trusted."""
    if kept.exists():
        shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
        return tmp_path
    for name, source in (
        ("race.json", "checkered-flag/race/game.json"),
        ("flag.json", "checkered-flag/race/start.json"),
        ("charlie.json", "checkpoint-charlie/three-players/game.json"),
        ("long.json", "checkpoint-rally/two-players/game.json"),
    ):
        shutil.copyfile(ROOT / "examples" / source, name)
    whole = rally().read_bytes()
    document = json.loads(whole)
    document["state"]["racers"][0]["minutes"] = 77
    for name, data in {
        "torn.json": whole[: len(whole) // 2],
        "other.json": '{"format": 99}',
        "forged.json": forge(document),
        "turn.txt": "red: MOVE D3 OR DRAW\nblue: DRAW\n",
        "bad.txt": "red: move d3\n  PLACE H99 at B1\nHello!\ngreen: DRAW\nblue: DRAW\n  DRAWW\n",
        "mail.eml": b"From: a@b.c\r\nSubject: orders\r\n\r\nHi,\r\n\r\nMVOE D3\r\n\r\n-- \r\nAnn\r\n",
        "spins.txt": "1 2 3 4",
        "script.txt": SCRIPT.format("ab" * 32, "red: GEAR 1"),
        "bad-script.txt": SCRIPT.format("ab" * 32, "red: FLY to the moon"),
        "sheet.txt": "crew Ann\nTC2 12 4 5 1:00 | 10 20 30 30 30\n",
        "wrong-sheet.txt": "crew Ann\nTC2 12 | 10 2O\n",
        "route.txt": "TC1 A4\nTC2 K5 from S\n",
        "wrong-route.txt": "TC1 A4\nTC2 Q99 from S\n",
    }.items():
        written(data, name)
    (tmp_path / "sub").mkdir()
    run("club", "init", "thursday", "--name", "x", "--address", "a@b.c", "--moderator", "d@e.f", code=0)
    run("club", "add", "thursday", "rally.json", "--seat", "red=r@b.c", "--seat", "blue=b@b.c", code=0)
    for name, of in (("flag.jsonl", "race.json"), ("rally.jsonl", "rally.json")):
        written(run("log", of, "--json", code=0).stdout_bytes, name)
    shutil.copyfile("rally.json", "played.json")
    run("apply", "played.json", "turn.txt", code=0)
    for name in ("prepared.json", "published.json"):
        run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--commit-only", "-o", name, code=0)
    run("begin", "published.json", "red=horse", "--publish", "--without", "blue", code=0)
    shutil.copytree(tmp_path, kept)
    return tmp_path


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(library_schema(f"output.{name.split()[-1]}.json")))


def told(command: str, text: str) -> Iterator[dict[str, Any]]:
    """Yield what each line says that ``command`` has printed; check its shape."""
    lines = [text] if command == "schema" else text.splitlines()  # schemas are printed as the files have them
    assert len(lines) == 1 or command in LINES
    for line in lines:
        data = json.loads(line)
        validator("error" if isinstance(data, dict) and "error" in data else command).validate(data)
        yield data


@pytest.mark.parametrize("case", CASES.splitlines())
def test_what_a_command_prints_for_programs_obeys_its_schema(
    run: Run, folder: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, _, end = case.partition("|")
    code, _, failure = end.strip().partition(" ")
    if line.startswith("desk"):
        monkeypatch.setenv("PATH", "")  # without npm; tests/pages build the desk
    result = run(*line.split(), "--json", code=int(code or 0))
    found = list(told(command_of(line), result.stdout))
    assert [data["error"] for data in found if isinstance(data, dict) and "error" in data] == ([failure] if failure else [])
    assert not failure or found[-1]["error"] == failure
    assert not result.stderr or line.split()[0] in ("simulate", "replay", "script")


def test_every_command_has_a_schema_an_example_and_cases_good_and_bad(run: Run) -> None:
    """A new command is to be listed here, and tried above in the ways in which it may end."""
    told = run("--help", code=0).stdout
    listed = dict(re.findall(r"\n  ([\w-]+)  +(\S.*)", told[told.index("Play a turn:") :]))
    assert set(listed) == {*COMMANDS, "rally-round"}
    for name in COMMANDS:
        about = run(name, "--help", code=0).stdout.split("\n\n")[1]
        assert listed[name] == " ".join(about.split())
    told = run("club", "--help", code=0).stdout
    listed = dict(re.findall(r"\n  (\w+)  +(\S.*)", told[told.index("Run a club:") :]))
    assert listed == {name.split()[-1]: PROGRAM[name].line for name in OF_CLUBS}
    outputs = json.loads(run("schema", "--json", code=0).stdout)["outputs"]
    assert {name.split()[-1] for name in (*COMMANDS, *OF_GAMES, "error")} == {name.split(".")[1] for name in outputs}
    cases = [(command_of(case), case) for case in CASES.splitlines()]
    good = {name for name, case in cases if "|" not in case}
    assert good == {*COMMANDS, *OF_GAMES} - {"desk"}
    assert {name for name, case in cases if "|" in case} == {*COMMANDS, *OF_GAMES}


def test_each_example_on_the_page_of_json_obeys_its_schema() -> None:
    examples = (ROOT / "docs" / "json.md").read_text("utf-8").split("## Examples")[1].split("\n### ")[1:]
    names = []
    for example in examples:
        heading, _, text = example.partition("\n")
        for name in heading.replace("`", "").split(", "):
            names.append(name)
            assert "[output.{0}](../schemas/output.{0}.json)".format(name.split()[-1]) in text
            for line in text.split("```json\n")[1].split("```")[0].splitlines():
                validator(name).validate(json.loads(line))
    assert names == ["check", "apply", "turn", "report", "club", "audit"]


def test_one_name_means_one_thing_in_all_outputs() -> None:
    """The same name has the same type wherever it stands, but these; docs/json.md has those that it explains."""
    types: dict[str, set[str]] = {}
    for command in (*COMMANDS, *OF_GAMES, "error"):
        schema: Any = validator(command).schema
        for shape in (schema, *schema.get("$defs", {}).values()):
            for name, part in shape.get("properties", {}).items():
                types.setdefault(name, set()).add(kind_of(part))
    different = {name for name, kinds in types.items() if len(kinds) > 1}
    assert different == {
        *("before", "kind", "notes", "options", "orders", "players", "position", "receipts", "problems", "why", "taken"),
        *("begun", "head"),
        *("entries", "rows", "told"),  # of the shapes of a drawing
    }


def kind_of(part: dict[str, Any]) -> str:
    """Return the type of ``part`` in a word, null left out."""
    if "anyOf" in part:
        return "|".join(kind_of(inner) for inner in part["anyOf"] if inner != {"type": "null"})
    if "$ref" in part:
        return str(part["$ref"])
    found = part.get("type", "any")
    kinds = [kind for kind in ([found] if isinstance(found, str) else found) if kind != "null"]
    inner, values = kind_of(part["items"]) if isinstance(part.get("items"), dict) else "", part.get("additionalProperties")
    return f"{kinds[0]}[{inner}]" + (kind_of(values) if isinstance(values, dict) else "")


@pytest.mark.parametrize("command", HELPED)
def test_help_has_examples_on_lines_of_their_own_with_options_that_there_are(run: Run, command: str) -> None:
    text = run(*command.split(), "--help", code=0).stdout
    assert run(*command.split(), "-h", code=0).stdout == text
    assert re.search(rf"\n  Examples?:\n(    adjudicator .*\n)*    adjudicator {command}( .*)?\n", text)
    assert re.search(r"\n  --json  +print JSON for programs instead of text\n", text)
    assert [line for line in text.splitlines() if len(line) > 80 and not line.startswith("    adjudicator ")] == []
    for example in re.findall(rf"\n    adjudicator {command} (.*)\n", text):
        for option in re.findall(r"(?<!\S)--?[a-z-]+", example):
            assert re.search(rf"[ ,]{option}[ ,\n]", text[text.index("Options:") :]), option


@pytest.mark.parametrize("command", HELPED)
def test_a_wrong_option_is_told_as_json_too(run: Run, command: str) -> None:
    result = run(*command.split(), "--json", "--nonsense", code=2)
    (data,) = told(command, result.stdout)
    assert (data["error"], "--nonsense" in data["message"], result.stderr) == ("usage", True, "")


def test_commands_of_a_club_have_only_their_own_options_and_refuse_the_others(run: Run) -> None:
    helps = {command: run(*command.split(), "--help", code=0).stdout for command in OF_CLUBS}
    own = {command: set(re.findall(r"(?<!\S)--[a-z-]+", told.split("\nOptions:")[1])) for command, told in helps.items()}
    everything = set[str]().union(*own.values())
    assert {"--seat", "--by", "--since", "--online", "--once", "--force", "--output", "--name", "--zone"} < everything
    for command, told in helps.items():
        assert " ".join(told.split("\n\n")[1].split()) == PROGRAM[command].line
        for other in everything - own[command]:
            assert f"No such option: {other}" in run(*command.split(), "x", "x", other, "x", code=2).stderr


@pytest.mark.parametrize("line", ["shwo --json", "--json", "--json show", "show --json"])
def test_a_wrong_call_is_told_as_json(run: Run, line: str) -> None:
    result = run(*line.split(), code=2)
    validator("error").validate(json.loads(result.stdout))
    assert (json.loads(result.stdout)["error"], result.stderr) == ("usage", "")


@pytest.mark.parametrize("line", ["shwo", "show", "new", "show --nonsense", "show -- --json x", "games x y"])
def test_people_are_told_of_a_wrong_call_in_words(run: Run, line: str) -> None:
    result = run(*line.split(), code=2)
    assert result.stdout == ""
    assert "Usage: " in result.stderr
    assert "Error: " in result.stderr


def test_without_a_command_the_help_is_shown_and_a_misspelt_one_is_known(run: Run) -> None:
    help_text = " ".join(run("--help", code=0).stdout.split())
    assert help_text == " ".join(run(code=2).stderr.split())
    assert re.findall(r"([A-Z][\w ]+): [a-z-]+ [A-Z]", help_text)[-5:] == [
        *("Play a turn", "Look", "Correct", "Many games", "Games with commands of their own")
    ]
    assert "Exit codes: 0 done, 1 problems in the orders, 2 wrong use or a system error, 3 a file" in help_text
    assert all(code in help_text for code in (" 70 a bug", " 130 interrupted", " 141 the output pipe was closed"))
    assert "use `pending GAME --withdraw SEAT`" in run("withdraw", "rally.json", "red", code=2).stderr
    assert re.search(r"No such command 'aply'.*apply", " ".join(run("aply", code=2).stderr.split()))
    assert "the game “checkered-flag” has no commands of its own" in run("checkered-flag", "route", code=2).stderr
    assert "No such command 'sheep'" in run("rally-round", "sheep", code=2).stderr


def test_the_first_game_of_the_help_can_be_played_as_printed(run: Run) -> None:
    """Its orders are legal whatever chance deals."""
    steps, orders = re.findall(r"\n((?:    .*\n)+)", run("--help", code=0).stdout)[:2]
    written(orders, "orders.txt")
    for line in steps.splitlines():
        assert line.startswith("    adjudicator ")
        run(*argv(line)[1:], code=0)
    assert {entry.seat for entry in adj.open("race.json").seen_by().log() if entry.n} == {"red", "blue"}
    made = [line.split()[1] for line in steps.splitlines() if "reports/" in line]
    assert made == ["turn", "turn"] and Path("reports/red.txt").is_file(), "as a moderator works: reports, then orders"


def test_the_installed_command_and_the_module_say_their_version(run: Run) -> None:
    command = shutil.which("adjudicator", path=str(Path(sys.executable).parent))
    assert command is not None
    for words in ([command], [sys.executable, "-m", "adjudicator"]):
        done = subprocess.run([*words, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == run("--version", code=0).stdout == f"adjudicator {adj.__version__}\n"


HEAVY = ("annotated_types", "asyncio", "jinja2", "jsonschema", "lark", "pydantic", "resvg_py", "rich")


@pytest.mark.parametrize(
    ("line", "also"),
    [
        ("--version", ("typer", "adjudicator.games")),
        ("--help", ("filelock",)),
        ("show race.json", ("filelock", "html", "logging")),
        ("apply race.json orders.txt -o new.json", ("email.message",)),
        ("apply german.json orders.txt -o new.json", ("email.message",)),
        ("check race.json orders.txt", ("email.message",)),
        ("report race.json -o race.svg", ()),
        ("turn race.json orders.txt -o made", ("email.message",)),
        ("audit race.json", ("filelock",)),
    ],
)
def test_a_command_loads_only_what_it_needs(run: Run, line: str, also: tuple[str, ...]) -> None:
    """Each library takes its time at every start, and so do games that are not played."""
    shutil.copy(ROOT / "examples" / "checkered-flag" / "race" / "start.json", "race.json")
    shutil.copy("race.json", "german.json")
    run("language", "german.json", "de", code=0)
    written("red: GANG 1\n" if "german" in line else "red: GEAR 1\n", "orders.txt")
    atexit = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr))"
    for _ in range(2 if "orders" in line else 1):  # the first one may have tables to make
        done = process(*line.split(), before=f"{atexit}; sys.argv[1:] = {line.split()!r}")
        assert done.returncode == 0, done.stderr
        Path("new.json").unlink(missing_ok=True)
    loaded = set(done.stderr.decode().split())
    assert {*HEAVY, *also} & loaded == set()
    commands = {name.split(".")[2] for name in loaded if name.startswith("adjudicator.cli.")} - {"app", "ui"}
    if line.startswith("-"):
        assert commands == set(), "the help loads no command"
    games = {name for name in loaded if re.match(r"adjudicator\.games\.\w+\.rules", name)}
    assert games <= {"adjudicator.games.checkered_flag.rules"}


LOOKS = ("show", "legal", "log", "report", "pending", "replay", "audit")


@pytest.mark.parametrize("command", LOOKS)
def test_looking_changes_nothing_takes_standard_input_and_knows_seats_in_capitals(run: Run, command: str) -> None:
    game = rally()
    plain = run(command, "rally.json", code=0)
    assert plain.stderr == run(command, "rally.json", "--json", code=0).stderr == ""
    piped = run(command, "-", stdin=rally_bytes(), code=0).stdout
    assert piped.replace("standard input", "rally.json") == plain.stdout
    if command != "audit":
        red = run(command, "rally.json", "--as", "red", code=0).stdout
        assert run(command, "rally.json", "--as", "RED", code=0).stdout == red
        wrong = run(command, "rally.json", "--as", "rde", code=2).stderr
        assert wrong.startswith("adjudicator: this game has no seat “rde” (did you mean “red”?); choose from: red, blue, ")
    assert game.read_bytes() == rally_bytes()
    assert [path.name for path in game.parent.iterdir()] == ["rally.json"]


def test_a_game_for_very_many_is_told_in_few_lines(run: Run) -> None:
    written("seat,name,class\n" + "".join(f"c{n},Crew {n},Novice\n" for n in range(1, 1201)), "entrants.csv")
    done = run(*argv("new rally-round --seat red=Ann --seats entrants.csv -o many.json"), code=0)
    players = list(adj.open("many.json").players.values())
    assert (players[0], players[1], players[1200]) == ("Ann", "Crew 1, Novice", "Crew 1200, Novice")
    for words in ("red (Ann), c1 (Crew 1, Novice)", "… 1,181 more …", "  1,201 seats, red to c1200: choose a kit"):
        assert words in done.stdout
    assert len(done.stdout) < 3_000


def test_the_secret_need_not_stand_on_the_command_line(run: Run) -> None:
    """There everybody sees it who sees what runs on the machine; in capitals, too, it is the same."""
    secret, new = "ab" * 32, "new checkpoint-rally --seat red --seat blue --id x -o"
    written(f"\n {secret.upper()}\n", "secret")
    run(*argv(new), "a.json", "--seed", secret, code=0)
    run(*argv(new), "b.json", "--seed", "secret", code=0)
    run(*argv(new), "c.json", "--seed", "-", stdin=f"{secret}\n", code=0)
    piped = run(*argv(new), "-", "--seed", secret, code=0)
    assert piped.stderr == ""
    assert piped.stdout_bytes == Path("a.json").read_bytes() == Path("b.json").read_bytes() == Path("c.json").read_bytes()
    assert "secret of chance" in run(*argv(new), "d.json", "--seed", "-", stdin="", code=2).stderr
    run(*argv(new), "other.json", code=0)
    assert Path("other.json").read_bytes() != Path("a.json").read_bytes()


def test_a_text_of_plain_orders_loads_no_courtesies(run: Run) -> None:
    """Reading TOML and its words takes longer than reading the orders."""
    shutil.copy(ROOT / "examples" / "checkered-flag" / "race" / "start.json", "race.json")
    orders = "red:\nGEAR 1\nGO\n* BRAKE 1\n\nred: GEAR 3 brake before danger # why\n"
    written(f"turn 1\n{orders}Hello Max\n", "remark.txt")
    written(f"turn 1\n{orders * 10}", "orders.txt")
    watch = (
        "import atexit, sys; files = []\n"
        "sys.addaudithook(lambda event, given: event == 'open' and files.append(str(given[0])))\n"
        "atexit.register(lambda: print(*sys.modules, *files, sep='\\n', file=sys.stderr))\n"
    )
    loaded = {}
    for text in ("remark.txt", "orders.txt"):  # the first one may have tables to make
        line = ["check", "race.json", text]
        done = process(before=f"{watch}sys.argv[1:] = {line!r}")
        assert done.returncode == 0, done
        loaded[text] = set(re.findall(r"(?m)^tomllib$|courtesy\.toml$", done.stderr.decode()))
    assert loaded == {"remark.txt": {"tomllib", "courtesy.toml"}, "orders.txt": set()}
