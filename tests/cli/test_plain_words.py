"""No message about a file or a command line needs knowledge of the code, whatever is wrong with them."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator import resources, rulesets
from adjudicator.core.ruleset import Meta
from adjudicator.files.errors import FileProblem
from adjudicator.store.load import load_components, load_game, load_position

Run = Callable[..., Result]
Orders = Callable[..., str]
RECORDED = Path(__file__).parents[1] / "data" / "games"

JARGON = re.compile(
    r"""
    input\ should | unexpected\ keyword | valid\ (array|list|tuple|dict|string|integer|boolean|number) | \bunion\b
    | pydantic | jsonschema | \btyper\b | \bclick\b | traceback | codec | errno | serializable | positional
    | \w(Error|Exception)\b | NoneType | \bNone\b | \b(True|False)\b | \bdict\b | \btuples?\b | dataclass | \barrays?\b
    | \bboolean\b | \bstr\b | \bint\b | \bfloat\b | \bobject\b | <class | 0x[0-9a-f]{6} | <= | >=
    | \b(oneOf|anyOf|allOf|additionalProperties|minItems|maxItems|minLength|maxLength|multipleOf|enum)\b
    | \$[.:\[] | \b[a-z_]+__[a-z_]+\b | \bb'
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Words of pydantic, jsonschema, Python and typer, and JSON paths, which only programmers know."""
PYTHONS = re.compile(r"\b(None|True|False)\b")
JUNK: tuple[Any, ...] = (7, -1, 2**60, "x", "", None, True, [], {}, [1], {"x": 1}, [[]])
CHANGES: tuple[Any, ...] = ("gone", "renamed", *JUNK)


def plain(message: str) -> str:
    """Return ``message`` after a check that it has none of these words; case counts for Python's own constants."""
    found = [match[0] for match in JARGON.finditer(message)]
    wrong = [word for word in found if word.lower() not in ("none", "true", "false") or PYTHONS.fullmatch(word)]
    assert not wrong, f"{wrong} in: {message}"
    return message


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to everything in ``value``; of a list only to the first item."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


@pytest.fixture(params=[0.08, pytest.param(1, marks=pytest.mark.soak)])
def share(request: pytest.FixtureRequest) -> float:
    """Return how much of the damage a test tries; the long runs try all of it."""
    return float(request.param)


def damaged(document: Any, most: float = 200) -> Iterator[Any]:
    """Yield ``document`` with one place at a time missing, renamed or of another kind.

    There are about ``most`` of these, evenly spread over the places, and at least one with each kind of change.
    """
    changes = [(path, change) for path in places(document) for change in CHANGES]
    step = max(1, int(len(changes) / max(most, len(CHANGES))))
    while math.gcd(step, len(CHANGES)) > 1:  # else some kinds of change would never come
        step -= 1
    for path, change in changes[::step]:
        spoiled = copy.deepcopy(document)
        inside = spoiled
        for key in path[:-1]:
            inside = inside[key]
        if change == "gone":
            del inside[path[-1]]
        elif change == "renamed" and isinstance(inside, dict):
            inside[f"{path[-1]}x"] = inside.pop(path[-1])
        else:
            inside[path[-1]] = change
        yield spoiled


def test_every_kind_of_change_comes_in_short_runs_too() -> None:
    for size in range(1, 60):
        document = {f"x{number}": "y" for number in range(size)}
        found = [next((value for value in one.values() if value != "y"), len(one)) for one in damaged(document, 1)]
        assert {repr(change) for change in JUNK} <= {repr(one) for one in found}
        assert any("x" in key[-1:] for one in damaged(document, 1) for key in one)
        assert size - 1 in found


def messages(load: Callable[[bytes], Any], documents: Iterator[Any]) -> list[str]:
    """Return the messages about those of ``documents`` that cannot be loaded."""
    found = []
    for document in documents:
        try:
            load(json.dumps(document).encode())
        except FileProblem as problem:
            found.append(plain(str(problem)))
    return found


SHIPPED = [meta.id for _, meta in rulesets.metas() if isinstance(meta, Meta) and meta.ruleset.startswith("adjudicator.")]


@pytest.fixture(scope="module")
def smallest() -> dict[str, Any]:
    """Return the smallest recorded game of each ruleset."""
    found: dict[str, Any] = {}
    for file in sorted(RECORDED.rglob("*.json"), key=lambda file: (file.stat().st_size, file.name)):
        data = file.read_bytes()
        if found.keys() < set(SHIPPED) and b'"journal":[' in data:
            game = json.loads(data)
            found.setdefault(game["ruleset"]["id"], game)
    return found


@pytest.mark.parametrize("name", SHIPPED)
def test_a_damaged_game_file(name: str, smallest: dict[str, Any], share: float) -> None:
    assert len(messages(load_game, damaged(smallest[name], 30 * share))) > 10


@pytest.mark.parametrize("name", SHIPPED)
def test_a_damaged_component_set(name: str, share: float) -> None:
    rules = rulesets.ruleset(name)
    document = json.loads(resources.component_set(rules.meta, rules.meta.component_sets[0]))
    assert len(messages(lambda data: load_components(data, rules), damaged(document, 15 * share))) > 5


POSITIONS = sorted((RECORDED / "format-1" / "parts").glob("*.position.json"))


@pytest.mark.parametrize("file", POSITIONS, ids=lambda file: file.stem)
def test_a_damaged_position(file: Path, share: float) -> None:
    rules = rulesets.ruleset(file.name.split(".")[0])
    document = json.loads(file.read_bytes())
    assert len(messages(lambda data: load_position(data, rules), damaged(document, 200 * share))) > 20 * share


SHEETS = {"sheets": [{"crew": "Ann", "rows": [{"control": "TC1", "distance": 3, "speeds": [10, 20], "penalty": 5}]}]}


def test_damaged_time_sheets(share: float) -> None:
    from adjudicator.games.rally_round.office.time_sheets import load_time_sheets

    assert len(messages(lambda data: load_time_sheets("x.json", data), damaged(SHEETS, 200 * share))) > 20 * share


def test_a_damaged_prepared_game(run: Run, share: float) -> None:
    from adjudicator.store.prepared import load_prepared

    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--commit-only", "-o", "race.json", code=0)
    document = json.loads(Path("race.json").read_bytes())
    assert len(messages(load_prepared, damaged(document, 200 * share))) > 50 * share


def test_a_damaged_file_of_a_player(run: Run, game: Path, share: float) -> None:
    """The seal finds a damage first; whoever seals the file again reads what the schema finds."""
    from adjudicator.store import seat_files

    run("report", game, "--as", "red", "--format", "game", "-o", "red.json", code=0)
    document = json.loads(Path("red.json").read_bytes())

    def resealed(data: bytes) -> Any:
        loaded = json.loads(data)
        body = {key: value for key, value in loaded.items() if key != "seal"}
        return seat_files.load_seat_file("red.json", json.dumps({**body, "seal": seat_files._seal(body)}).encode())

    assert len(messages(resealed, damaged(document, 200 * share))) > 50 * share
    as_sealed = messages(lambda data: seat_files.load_seat_file("red.json", data), damaged(document, 30 * share))
    assert len(as_sealed) > 20 * share


def test_damaged_settings_of_a_club(run: Run, share: float) -> None:
    """Long runs damage each setting in each way, short ones in one way after the other."""
    who = ("--name", "Thursday", "--address", "club@example.org", "--moderator", "me@example.org")
    run("club", "init", "thu", *who, code=0)
    file = Path("thu/club.toml")
    lines = file.read_text().splitlines()
    set_here = [number for number, line in enumerate(lines) if re.match(r"\w+ = ", line)]
    told = set()
    for number in set_here:
        name, _, value = lines[number].partition(" = ")
        ways = (f"{name}x = {value}", *(f"{name} = {bad}" for bad in ("[]", "{ a = 1 }", "1979-05-27", "")), "")
        for line in ways if share == 1 else (ways[number % len(ways)],):
            file.write_text("\n".join((*lines[:number], line, *lines[number + 1 :])))
            result = run("club", "status", "thu")
            if result.exit_code:
                told.add(plain(result.stderr))
    for data in (b"\xff\xfe", b"", b"a = 1.5", b"[[deadlines]]", b"x" * 2_000_000):
        file.write_bytes(data)
        told.add(plain(run("club", "status", "thu", code=3).stderr))
    assert len(told) > (30 if share == 1 else 15)


SPOILED = {
    "empty": b"",
    "binary": bytes(range(256)),
    "utf-16": '{"format": 2}'.encode("utf-16"),
    "deep": b"[" * 5000,
    "list": b"[]",
    "half": b'{"format": 2, "id": ',
    "comma": b'{"format": 2,}',
    "escape": b'{"format": "\\q"}',
    "unicode": b'{"format": "\\u12"}',
    "control": b'{"format": "\n"}',
    "fraction": b'{"format": 2.5}',
    "twice": b'{"format": 1, "format": 2}',
    "text": b"red: DRAW\n",
    "script": b"script 1\nfoo bar\n",
    "mail": b"From: a@b\nSubject: x\n\nred: DRAW\n",
    "archive": b"\x28\xb5\x2f\xfd" + bytes(40),
    "zip": b"PK\x03\x04" + bytes(40),
}
READERS = (
    ("show", "{}"),
    ("log", "{}"),
    ("replay", "{}"),
    ("audit", "{}"),
    ("words", "{}"),
    ("begin", "{}"),
    ("undo", "{}", "--to", "1", "--reason", "x"),
    ("components", "checkpoint-rally", "--set", "{}"),
    ("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--setup", "{}"),
    ("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--seed", "{}"),
    ("new", "rally-round", "--seats", "{}"),
    ("rally-round", "route", "{}"),
    ("rally-round", "sheet", "score", "{}"),
    ("verify-chance", "{}", "--reveal", "00" * 32),
)


@pytest.mark.parametrize("command", READERS, ids=lambda command: " ".join(command)[:40])
def test_a_file_of_a_wrong_kind(run: Run, command: tuple[str, ...]) -> None:
    for name, data in SPOILED.items():
        for file in ("x.json", "x.zip", "x.tar", "x.jsonl.zst", "x.eml") if command[0] == "audit" else ("x.json",):
            Path(file).write_bytes(data)
            result = run(*(word.format(file) for word in command))
            assert result.exit_code, name
            plain(result.output)


@pytest.mark.parametrize(
    "command",
    [
        ("components", "checkpoint-rally", "--set", "rally.json"),
        ("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--setup", "rally.json", "-o", "other.json"),
        ("rally-round", "route", "rally.json"),
        ("rally-round", "sheet", "score", "rally.json"),
    ],
    ids=lambda command: command[0],
)
def test_a_game_file_in_the_wrong_place_is_called_a_game_file(run: Run, game: Path, command: tuple[str, ...]) -> None:
    assert run(*command, code=3).stderr.splitlines()[1:] == ["  it is a game file"]


def test_the_player_of_a_seat_leads_to_the_seat(run: Run, game: Path) -> None:
    expected = "this game has no seat “ann” (did you mean “red”?); choose from: red, blue"
    assert expected in run("show", game, "--as", "ann", code=2).stderr
    moved = run("seat", game, "ann", "--holder", "Zoe", "--reason", "x", code=2).stderr
    assert moved == f"adjudicator: {expected}\n", "the moderator has no seat to give away"


@pytest.mark.parametrize("name", SPOILED)
def test_orders_of_a_wrong_kind(run: Run, game: Path, name: str) -> None:
    for file in ("orders.txt", "orders.eml", "orders.mbox"):
        Path(file).write_bytes(SPOILED[name])
        plain(run("check", game, file).stderr)


@pytest.mark.parametrize(
    "line",
    [
        "show",
        "show nowhere.json",
        "show .",
        "show rally.json --as",
        "show rally.json --as green",
        "show rally.json --colour",
        "show rally.json extra",
        "show rally.json --svg picture.gif",
        "show rally.json --svg x.svg --section TC3",
        "legal rally.json --limit x",
        "legal rally.json --limit 0",
        "legal rally.json --limit 1.5",
        "legal rally.json --kind teleport",
        "log rally.json --turn x",
        "log rally.json --turn 99",
        "log rally.json --turn 1 --since 1",
        "new",
        "new nothing",
        "new checkpoint-rally",
        "new checkpoint-rally --seat red --seat red",
        "new checkpoint-rally --seat red --seat blue --option x",
        "new checkpoint-rally --seat red --seat blue --option x=1",
        "new checkpoint-rally --seat red --seat blue --option map=x",
        "new checkpoint-rally --seat red --seat blue --components x",
        "new checkpoint-rally --seat red --seat blue --seed 12",
        "new checkpoint-rally --seat red --seat blue --entropy x",
        "new checkpoint-rally --seat red --seat blue --language xx",
        "new checkpoint-rally --seat red --seat blue --recorded nowhere",
        "new checkpoint-rally --seat red --seat blue -o no/where.json",
        "apply rally.json",
        "apply rally.json nowhere.txt",
        "apply rally.json x=",
        "apply rally.json green=rally.json",
        "report rally.json --format doc",
        "report rally.json -o x.doc",
        "report rally.json --since x",
        "turn rally.json",
        "turn rally.json -o rally.json",
        "pending rally.json --bring-back 7",
        "withdraw rally.json red --reason x",
        "undo rally.json --to 99 --reason x",
        "undo rally.json --to x --reason x",
        "amend rally.json x --reason x",
        "amend rally.json x=1 --reason x",
        "amend rally.json stage=[] --reason x",
        "amend rally.json racers[red].minutes=x --reason x",
        "amend rally.json racers[red].minutes=1e999 --reason x",
        "amend rally.json racers[9].minutes=1 --reason x",
        "amend rally.json racers[red]={} --reason x",
        "seat rally.json green --holder x --reason x",
        "reveal rally.json",
        "language rally.json xx",
        "rules checkpoint-rally CR-Z99",
        "rules nothing",
        "schema nothing",
        "simulate checkpoint-rally --games x",
        "simulate checkpoint-rally --games 0",
        "simulate checkpoint-rally --jobs 0",
        "simulate checkpoint-rally --player x",
        "simulate checkpoint-rally --plot x.doc",
        "audit nowhere",
        "audit rally.json --jobs 0",
        "audit rally.json --timeout 0",
        "audit s3://nowhere/x",
        "archive x.zip",
        "archive x.jsonl.zst",
        "replay rally.json --from 99",
        "replay rally.json --import x.json",
        "replay x.jsonl.zst#a",
        "club start x",
        "club status nowhere",
        "club init thu",
        "club init thu --name T --address x --moderator y --zone Nowhere",
        "site nowhere -o site",
        "verify-chance rally.json",
        "verify-chance nowhere --reveal x",
        "rally-round route --map x",
        "rally-round sheet lose x",
        "teleport",
        "--colour",
    ],
)
def test_a_wrong_command_line(run: Run, game: Path, line: str) -> None:
    result = run(*line.split())
    assert result.exit_code not in (0, 70)
    plain(result.output)
    if line.split()[-1] != "--as":
        plain(json.loads(run(*line.split(), "--json").stdout.splitlines()[0]).get("message", ""))
