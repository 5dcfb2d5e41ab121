"""Rulesets of other packages: found, or told what is wrong with each, and none hurts another; a new one is begun."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.library.rulesets import ruleset_ids
from tests.drivers.commands import ROOT, Run, argv, beside, package

META = """
from adjudicator.game import GameMeta
META = GameMeta(id={id!r}, name="X", version=1, prefix="X", players=(2, 2), unit=("m", "minutes"), options=(),
            component_sets=("house",), ruleset={ruleset!r})
"""
CHANGED = "\nfrom adjudicator.game import replace\nMETA = replace(META, {}={})"
BROKEN = {
    "raises": ("raise RuntimeError('no')", "loading it failed: RuntimeError: no"),
    "lacks": ("import no_such_module", "ModuleNotFoundError: No module"),
    "exits": ("import sys; sys.exit(3)", "loading it failed: SystemExit: 3"),
    "empty": ("", "loading it failed: AttributeError"),
    "older": ("from adjudicator import game\n@game.frozen\nclass Old: ...", "see “Protocol version 2” in docs/rulesets.md;"),
    "number": ("META = 5", "number:META is not a GameMeta"),
    "other": (META.format(id="another", ruleset="x:Y"), "the name of its entry point is “other”, but its id is “another”"),
    **{
        f"field{number}": (META.format(id=f"field{number}", ruleset="x:Y") + CHANGED.format(field, value), words)
        for number, (field, value, words) in enumerate([
            ("component_sets", "()", "Expected `array` of length >= 1 - at `$.component_sets`"),
            ("component_sets", '("house")', "Expected `array`, got `str` - at `$.component_sets`"),
            ("players", "2", "a field of its GameMeta is wrong: Expected `array`, got `int` - at `$.players`"),
            ("players", "(4, 2)", "Expected the fewest and the most - at `$.players`"),
            ("players", "(2,)", "Expected `array` of length 2, got 1 - at `$.players`"),
            ("unit", '"m"', "Expected `array`, got `str` - at `$.unit`"),
            ("name", "None", "a field of its GameMeta is wrong: Expected `str`, got `null` - at `$.name`"),
            ("options", "None", "Expected `array`, got `null` - at `$.options`"),
            ("version", '"1"', "Expected `int`, got `str` - at `$.version`"),
            ("version", "True", "Expected `int`, got `bool` - at `$.version`"),
            ("ruleset", '"rules"', "regex ':' - at `$.ruleset`"),
        ])
    },
}  # fmt: skip
"""Packages, each with the words about it in the list of games."""
FAULTS = {
    "syntax": ("x = 1\nthis is no Python\n", "SyntaxError: invalid syntax", 2),
    "indent": ("def f():\n    x = 1\n  y = 2\n", "IndentationError: unindent does not match any outer indentation level", 3),
    "module": ("import os\nimport no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'", 2),
    "name": ("from adjudicator.game import Nothing\n", "ImportError: cannot import name 'Nothing'", 1),
    "recursion": ("def f():\n    return f()\n\nf()\n", "RecursionError: ", 2),
    "json": ("import json\njson.loads('{')\n", "JSONDecodeError: ", 2),
    "bare": ("raise Exception\n", "Exception;", 1),
}
"""Faults with their line, in what is loaded first or in the rules, which are loaded when they are played."""
ASK = """
import sys
import adjudicator as adj
for name in sys.argv[1:]:
    try:
        adj.new(name, ["red", "blue"])
    except Exception as error:
        print(type(error).__name__, error)
    else:
        print("begun")
"""


def install(folder: Path, name: str, source: str, *points: str) -> None:
    """Install a package of one module that claims to be rulesets."""
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = "".join(f"{point} = {name}:META\n" for point in points or (name,))
    (info / "entry_points.txt").write_text(f"[adjudicator.rulesets]\n{lines}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with many packages, of which few can be played."""
    folder = tmp_path_factory.mktemp("packages")
    for name, (source, _) in BROKEN.items():
        install(folder, name, source)
    for name, (source, _, _) in FAULTS.items():
        install(folder, f"early_{name}", source, f"early-{name}")
        (folder / f"late_{name}.py").write_text(source)
        meta = META.format(id=f"late-{name}", ruleset=f"late_{name}:RULES")
        install(folder, f"meta_{name}", meta, f"late-{name}")
    install(folder, "sound", META.format(id="sound", ruleset="sound:META"))
    install(folder, "norules", META.format(id="norules", ruleset="norules:RULES"))
    for name in ("one", "two"):
        install(folder, name, META.format(id="twice", ruleset="x:Y"), "twice")
    install(folder, "thief", META.format(id="checkpoint-rally", ruleset="x:Y"), "checkpoint-rally")
    install(folder, "seen", META.format(id="seen", ruleset="x:Y"))
    (folder / "again-1.0.dist-info").mkdir()  # the same package, seen twice
    (folder / "again-1.0.dist-info" / "entry_points.txt").write_text("[adjudicator.rulesets]\nseen = seen:META\n")
    install(folder, "escapes", META.format(id="escapes", ruleset="x:Y").replace('"X", v', '"X\\x1b[2J", v'))
    return folder


def python(folder: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, *words], env=beside(folder), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def games(folder: Path) -> dict[str, list[str]]:
    """Return the reasons why each ruleset cannot be used, as `games` tells them."""
    found: dict[str, list[str]] = {}
    for one in json.loads(python(folder, "-m", "adjudicator", "games", "--json")):
        found.setdefault(one["id"], []).append(one.get("broken", ""))
    return found


def test_every_broken_ruleset_is_told_and_hurts_no_other(games: dict[str, list[str]], folder: Path) -> None:
    for name, (_, words) in BROKEN.items():
        assert words in games[name][0], name
    assert {name for name, reasons in games.items() if reasons == [""]} == {
        *ruleset_ids(),
        *("escapes", "norules", "seen", "sound"),
        *(f"late-{name}" for name in FAULTS),
    } - {"checkpoint-rally"}
    assert sorted(games["checkpoint-rally"]) == ["", "thief (thief:META) claims the name of a ruleset of this program"]
    assert games["twice"] == ["remove all but one of the packages that claim this name: one (one:META), two (two:META)"]
    text = python(folder, "-m", "adjudicator", "games")
    assert "raises  BROKEN: " in text and "\x1b" not in text and list(games) == sorted(games)


def test_a_fault_of_another_package_is_told_as_theirs(games: dict[str, list[str]], folder: Path) -> None:
    names = [f"late-{name}" for name in FAULTS]
    late = python(folder, "-c", ASK, *names).splitlines()
    for (name, (_, fault, line)), words in zip(FAULTS.items(), late, strict=True):
        for told, file in ((games[f"early-{name}"][0], f"early_{name}"), (words, f"late_{name}")):
            assert f"loading it failed: {fault}" in told
            whose = f"the fault is in the package {file}, which is not part of this program: {folder / file}.py, line {line}"
            assert told.endswith(whose)


def test_rulesets_that_cannot_be_played_are_told_when_they_are_asked_for(folder: Path) -> None:
    asked = ["norules", "sound", "raises", "twice", "nothing", "checkpoint-raly", "CHECKPOINT-RALLY", "checkpoint_rally"]
    told = python(folder, "-c", ASK, *asked, "checkpoint-rally").splitlines()
    for words, line in zip(
        [
            "UnusableRuleset ",
            "UnusableRuleset ",
            "UnusableRuleset the ruleset “raises” cannot be used: ",
            "UnusableRuleset the ruleset “twice” cannot be used: remove all but one of the packages",
            "UnknownRuleset no game “nothing” is installed; installed are: ",
            "UnknownRuleset no game “checkpoint-raly” is installed (did you mean “checkpoint-rally”?)",
        ],
        told,
        strict=False,
    ):
        assert line.startswith(words)
    assert "AttributeError" in told[0] and "sound:META is not a class of Rules" in told[1]
    assert "raises" not in told[4]
    assert told[-3:] == ["begun", told[-2], "begun"] and told[-2].startswith("UnknownRuleset")


def test_a_package_that_lacks_its_page_or_its_set_says_so(tmp_path: Path) -> None:
    folder = package(tmp_path)

    def told(line: str) -> str:
        call = [sys.executable, "-m", "adjudicator", *argv(line)]
        return subprocess.run(call, cwd=tmp_path, env=beside(folder), capture_output=True, text=True, check=False).stderr

    page = folder / "last_match" / "data" / "rules.md"
    page.write_text("# Last Match\n\nNo rule at all.\n")
    assert "the rules page of Last Match cannot be read: line 1: this page has no rules" in told("rules last-match")
    page.unlink()
    assert "the rules page of last-match is missing" in told("rules last-match")
    (folder / "last_match" / "data" / "house.json").unlink()
    words = "reinstall the package of last-match: its component set “house” is missing at "
    assert words in told("new last-match --seat red --seat blue")


# A new ruleset --------------------------------------------------------------------------------------------------------


def test_a_new_ruleset_can_be_played_as_printed_and_keeps_the_laws(run: Run, tmp_path: Path) -> None:
    _, _, play, apply = (line.strip() for line in run("new-ruleset", "moon-shot", code=0).stdout.splitlines()[-4:])
    shutil.move("moon-shot/moon_shot", "moon_shot")
    (tmp_path / "moon_shot-1.dist-info").mkdir()
    (tmp_path / "moon_shot-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: moon-shot\nVersion: 1\n")
    (tmp_path / "moon_shot-1.dist-info" / "entry_points.txt").write_text(
        "[adjudicator.rulesets]\nmoon-shot = moon_shot:META\n"
    )

    def told(line: str) -> str:
        return python(tmp_path, "-m", "adjudicator", *argv(line))

    assert "moon-shot  Moon Shot, rules version 1, 2 to 4 players" in told("games")
    told(play.removeprefix("Play: adjudicator "))
    assert "3 orders applied" in told(apply.removeprefix("adjudicator "))
    assert "(MS-1)" in told("legal game.json")
    assert ": 1 verified" in told("audit game.json")
    check = "import moon_shot, adjudicator.testing as laws; laws.check_laws(moon_shot.MoonShot, games=1); print('kept')"
    assert python(tmp_path, "-c", check) == "kept\n"
    page = (ROOT / "docs" / "own-ruleset.md").read_text("utf-8").partition("```sh\n")[2].partition("```")[0].splitlines()
    printed = run(*page[0].split()[1:], code=0).stdout.partition("Next: ")[2].replace("Play: ", "").replace("; ", "\n")
    assert [line.strip() for line in printed.splitlines()] == page[1:]


def test_nothing_of_the_example_keeps_its_name_in_a_new_ruleset(run: Run) -> None:
    told = json.loads(run("new-ruleset", "x2", "-o", "made/x2", "--json", code=0).stdout)
    made = {str(path.relative_to("made/x2")): path.read_text("utf-8") for path in Path("made").rglob("*.*")}
    assert sorted(told["files"]) == sorted(made) == [
        *("pyproject.toml", "tests/test_x2.py", "turn-1.txt"),
        *("x2/__init__.py", "x2/data/house.json", "x2/data/rules.md", "x2/data/state.json", "x2/x2.lark"),
    ]  # fmt: skip
    for text in made.values():
        assert not {"last-match", "last_match", "LastMatch", "Last Match", "LM-"} & set(text.split())


@pytest.mark.soak
def test_a_new_ruleset_keeps_the_laws_in_all_games(run: Run, tmp_path: Path) -> None:
    run("new-ruleset", "moon-shot", code=0)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "moon-shot"), str(ROOT)])}
    done = subprocess.run(command, cwd=tmp_path / "moon-shot", env=environment, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout
