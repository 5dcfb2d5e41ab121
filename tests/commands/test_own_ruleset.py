"""A ruleset in a package of its own: built, installed, found by its entry point and played, as its README says."""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator import game, rulesets

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "own-ruleset"
TUTORIAL = ROOT / "docs" / "own-ruleset.md"
Process = Callable[..., subprocess.CompletedProcess[str]]
Run = Callable[..., Result]
ALONE = ("audit",)
"""Commands that are called in processes of their own; the others in that of the tests, which is quicker."""
EMPTY = (lambda: None).__code__
Hooks = next(one for one in game.Rules.__mro__ if "is_over" in vars(one))


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package as pip installs it, away from its source."""
    pytest.importorskip("hatchling")
    work = tmp_path_factory.mktemp("own-ruleset")
    source = shutil.copytree(EXAMPLE, work / "source", ignore=shutil.ignore_patterns("__pycache__"))
    target = work / "installed"
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(target)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(source)], check=True, capture_output=True)
    return target


@pytest.fixture
def run(run: Run, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Return the command line inside this process, where the package is found by its entry point as in any other."""
    shutil.copy(EXAMPLE / "turn-1.txt", tmp_path)
    monkeypatch.syspath_prepend(installed)
    monkeypatch.delitem(sys.modules, "last_match", raising=False)
    importlib.invalidate_caches()
    rulesets.forget()
    yield lambda *arguments, code=0: run(*arguments, code=code)
    sys.modules.pop("last_match", None)
    rulesets.forget()


@pytest.fixture
def process(installed: Path, tmp_path: Path) -> Process:
    """Return the command line in processes of their own."""
    shutil.copy(EXAMPLE / "turn-1.txt", tmp_path)

    def call(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(installed), str(ROOT)])
        command = [sys.executable, "-m", "adjudicator", *arguments]
        surroundings = {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"}
        done = subprocess.run(command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return done

    return call


def commands() -> list[list[str]]:
    (block,) = re.findall(r"```console\n(.*?)```", (EXAMPLE / "README.md").read_text("utf-8"), re.DOTALL)
    return [line.removeprefix("$ ").split() for line in block.splitlines()]


def test_it_is_found_and_played_as_the_readme_says(run: Run, process: Process) -> None:
    first, *others = commands()
    assert first == ["pip", "install", "."]
    told = {" ".join(words[1:3]): (process if words[1] in ALONE else run)(*words[1:]).stdout for words in others}
    assert "last-match  Last Match, rules version 1, 2 to 4 players, counts matches" in told["games"]
    assert "checkpoint-rally" in told["games"]
    assert told["legal match.json"].splitlines()[-1].split() == ["TAKE", "3", "3", "3", "matches", "taken", "(LM-1)"]
    assert "3 orders applied" in told["apply match.json"]
    assert "1.  ann  5  m  plays" in told["show match.json"]
    assert "1 game: 1 verified" in told["audit match.json"]
    assert "audited: 20, all of them verified" in told["simulate last-match"]


def test_its_mistakes_are_told_like_any_other_s(run: Run, tmp_path: Path) -> None:
    run("new", "last-match", "--seat", "ann", "--seat", "bob", "-o", "match.json")
    (tmp_path / "wrong.txt").write_text("ann: TAKE 7\nbob: TAKE sum\n")
    told = json.loads(run("check", "match.json", "wrong.txt", "--json", code=1).stdout)
    assert [problem["code"] for problem in told["problems"]] == ["last-match/wrong-number", "orders/unexpected"]
    assert told["problems"][0]["rule"] == "LM-1"
    assert told["problems"][0]["column"] == 11


def test_it_draws_a_board_of_its_own(run: Run, tmp_path: Path) -> None:
    """Each match is a part of the picture, with the number that an order would name."""
    run("new", "last-match", "--seat", "ann", "--seat", "bob", "-o", "match.json")
    run("show", "match.json", "--svg", "match.svg")
    drawn = (tmp_path / "match.svg").read_text("utf-8")
    assert re.findall(r'data-id="(\d+)"', drawn) == [str(number) for number in range(15, 0, -1)]
    assert "  | | | |" in run("show", "match.json").stdout
    run("report", "match.json", "-o", "report.json")
    (scene,) = json.loads((tmp_path / "report.json").read_text("utf-8"))["drawing"]
    assert (scene["kind"], scene["shape"]["sentences"]) == ("scene", ["15 matches are left."])


def test_a_position_and_a_schema_come_from_its_classes(run: Run, tmp_path: Path) -> None:
    position = {"left": 4, "due": "ann", "piles": [{"seat": "bob"}, {"seat": "ann", "matches": 3}]}
    (tmp_path / "end.json").write_text(json.dumps(position))
    run("new", "last-match", "--seat", "ann", "--seat", "bob", "--setup", "end.json", "-o", "match.json")
    (tmp_path / "end.txt").write_text("ann: TAKE 3\nbob: TAKE 1\n")
    told = json.loads(run("apply", "match.json", "end.txt", "--json").stdout)
    assert told["over"]
    assert [(row["place"], row["seat"], row["note"]) for row in told["standings"]] == [
        (1, "ann", "wins"),
        (2, "bob", "took the last match"),
    ]
    new = ["new", "last-match", "--seat", "ann", "--seat", "bob", "--setup", "end.json", "-o", "x"]
    (tmp_path / "end.json").write_text(json.dumps({**position, "left": 400}))
    assert "99" in run(*new, code=3).stderr
    (tmp_path / "end.json").write_text(json.dumps({**position, "due": "carol"}))
    assert "there is no seat carol in this game" in run(*new, code=2).stderr
    (tmp_path / "end.json").write_text(json.dumps({**position, "piles": [{"seat": "ann"}]}))
    assert "the position is for the seats ann, the game for ann, bob" in run(*new, code=2).stderr


def test_its_schemas_are_printed_like_any_other_s(run: Run) -> None:
    assert "last-match.position.json" in run("schema").stdout.split()
    assert json.loads(run("schema", "last-match.position").stdout)["title"] == "Last Match: explicit position"


def test_nobody_without_a_seat_can_be_given_the_turn(run: Run) -> None:
    run("new", "last-match", "--seat", "ann", "--seat", "bob", "-o", "match.json")
    refused = run("amend", "match.json", "due=carol", "--reason", "a slip", code=2).stderr
    assert "no seat carol" in refused


def test_an_amendment_tells_what_it_changed_whatever_that_is_called(run: Run) -> None:
    run("new", "last-match", "--seat", "ann", "--seat", "bob", "-o", "match.json")
    run("amend", "match.json", "due=bob", "--reason", "a slip")
    for viewer in ([], ["--as", "ann"]):
        assert "the moderator set due from ann to bob: a slip" in run("log", "match.json", *viewer).stdout


@pytest.mark.parametrize(
    ("file", "old", "new", "words", "code"),
    [
        # A bug over one line leaves that line out, like any other problem with it; without a grammar no line can be read.
        ("__init__.py", "due=config", "due=1 // 0 or config", "ZeroDivisionError", 1),
        (
            "last_match.lark",
            "count: INT",
            "count: INTT",
            "the grammar of last-match (last_match:last_match.lark) cannot be used",
            70,
        ),
    ],
)
def test_a_bug_of_its_own_is_told_as_its_own(
    run: Run, process: Process, installed: Path, file: str, old: str, new: str, words: str, code: int
) -> None:
    run("new", "last-match", "--seat", "ann", "--seat", "bob", "-o", "match.json")
    broken = installed / "last_match" / file
    sound = broken.read_text("utf-8")
    assert old in sound
    try:
        broken.write_text(sound.replace(old, new), "utf-8")
        told = process("apply", "match.json", "turn-1.txt", code=code).stderr
    finally:
        broken.write_text(sound, "utf-8")
    assert "a bug in the ruleset “last-match”, which is not part of this program" in told
    assert words in told


@pytest.mark.soak
def test_its_own_test_holds(installed: Path) -> None:
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT)])}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(EXAMPLE / "tests")]
    done = subprocess.run(command, cwd=installed, env=surroundings, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout


def test_a_game_takes_one_import() -> None:
    (source,) = (path.read_text("utf-8") for path in (EXAMPLE / "last_match").glob("*.py"))
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert [ast.unparse(node) for node in imports] == ["from adjudicator import game"]


def shown(kind: str) -> list[str]:
    """Return what the tutorial shows of files of ``kind``, block by block."""
    return re.findall(rf"```{kind}\n(.*?)```", TUTORIAL.read_text("utf-8"), re.DOTALL)


def lines_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def test_the_tutorial_shows_all_of_the_code_in_its_order() -> None:
    code = (EXAMPLE / "last_match" / "__init__.py").read_text("utf-8")
    test = (EXAMPLE / "tests" / "test_last_match.py").read_text("utf-8")
    assert lines_of("".join(shown("python"))) == [*lines_of(code), *lines_of(test)]
    (grammar,), (components,), (project,) = shown("lark"), shown("json"), shown("toml")
    assert grammar == (EXAMPLE / "last_match" / "last_match.lark").read_text("utf-8")
    assert components == (EXAMPLE / "last_match" / "data" / "house.json").read_text("utf-8")
    assert project == (EXAMPLE / "pyproject.toml").read_text("utf-8")
    assert shown("markdown") == [(EXAMPLE / "last_match" / "data" / "rules.md").read_text("utf-8")]


def test_what_the_tutorial_prints_and_nothing_else_passes_its_test(tmp_path: Path) -> None:
    """Copied block by block into the files that it names. They lack only what is optional."""
    *code, test = shown("python")
    for name, text in {
        "last_match/__init__.py": "".join(code),
        "last_match/last_match.lark": shown("lark")[0],
        "last_match/data/house.json": shown("json")[0],
        "last_match/data/rules.md": shown("markdown")[0],
        "tests/test_last_match.py": test,
    }.items():
        assert f"`{name}`" in TUTORIAL.read_text("utf-8")
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    done = subprocess.run(command, cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout


def test_the_game_of_the_tutorial_is_played_as_printed(run: Run, tmp_path: Path) -> None:
    assert "`pyproject.toml`" in TUTORIAL.read_text("utf-8")
    (tmp_path / "turn-1.txt").write_text(shown("orders")[0])
    (block,) = shown("console")
    install, *lines = (line.removeprefix("$ ").split() for line in block.splitlines())
    assert install == ["pip", "install", "."]
    _, applied, rule, audited = [run(*words[1:]).stdout for words in lines]
    assert "3 orders applied" in applied
    assert "the last match" in rule
    assert "1 verified" in audited


def test_the_tutorial_shows_every_import_and_every_hook_that_a_game_must_have() -> None:
    """A hook without an answer of its own raises; all others have one."""
    code = ast.parse("".join(shown("python")[:-1]))
    imports = [ast.unparse(node) for node in code.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert imports == ["from adjudicator import game"]
    (rules,) = [node for node in code.body if isinstance(node, ast.ClassDef) and node.name == "LastMatch"]
    hooks = {node.name for node in rules.body if isinstance(node, ast.FunctionDef)}
    named = {name: getattr(hook, "__code__", EMPTY).co_names for name, hook in vars(Hooks).items()}
    needed = {name for name, names in named.items() if "NotImplementedError" in names}
    assert needed == {"is_over", "standings", "draw"}
    assert needed <= hooks
    assert "phases" in ast.unparse(rules)


def test_the_tutorial_builds_a_game_with_a_board_in_at_most_110_lines() -> None:
    """Everything that an author writes counts: code, test, grammar, component set, rules, project."""
    written = [
        line for kind in ("python", "lark", "json", "markdown", "toml") for text in shown(kind) for line in lines_of(text)
    ]
    assert any("game.scenes" in line for line in written)
    assert len(written) <= 110


def test_the_tutorial_shows_what_a_broken_law_looks_like(installed: Path) -> None:
    (told,) = shown("text")
    code = (
        "from last_match import LastMatch, Take\n"
        "from adjudicator.testing import check_laws\n"
        "class Broken(LastMatch):\n"
        "    def candidates(self, at):\n"
        "        return map(Take, (1, 2))\n"
        "check_laws(Broken)\n"
    )
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT)])}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=installed, env=surroundings, capture_output=True, text=True, check=False)
    assert told in done.stderr


def test_its_rules_are_looked_up_by_number(run: Run) -> None:
    assert "Whoever takes the last match has lost" in run("rules", "last-match", "LM-2").stdout
