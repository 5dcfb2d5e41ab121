"""The documents say what the program does: rule numbers, problem codes, commands."""

from __future__ import annotations

import inspect
import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

import adjudicator as adj
from adjudicator import game
from adjudicator.desk.lessons import lesson
from adjudicator.library.rulesets import rules_of, ruleset_ids
from adjudicator.testing import LAWS

ROOT = Path(__file__).parents[2]
RULE = re.compile(r"\b([A-Z]{2}-[A-Z][0-9]{1,2})\b")
GAMES = ruleset_ids()


def folder_of(game: str) -> Path:
    return ROOT / "adjudicator" / "games" / game.replace("-", "_")


def rules_in(paths: list[Path]) -> set[str]:
    return {rule for path in paths for rule in RULE.findall(path.read_text("utf-8"))}


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_the_code_names_is_documented(game: str) -> None:
    named = rules_in(sorted(folder_of(game).glob("*.py")))
    assert named
    assert named <= rules_in([ROOT / "docs" / f"{game}.md"])


NOT_MET = {
    "checkered-flag": ["not-your-turn", "race-over"],
    "checkpoint-charlie": ["not-asked"],
    "checkpoint-rally": ["not-your-turn"],
}
"""Codes that no player meets: orders of a seat that is not asked wait, and after the end the game itself refuses them."""


@pytest.mark.parametrize("game", GAMES)
def test_every_problem_code_of_a_game_is_tested(game: str) -> None:
    texts = [path.read_text("utf-8") for path in sorted(folder_of(game).glob("*.py"))]
    codes = {
        code for text in texts for code in re.findall(r'(?:(?:problem|others_act)\([^"()]*|not_due[^"\n]*)"([a-z-]+)"', text)
    }
    tests = "\n".join(
        path.read_text("utf-8")
        for path in sorted((ROOT / "tests").rglob("*.*"))
        if path.suffix in (".py", ".txt") and path.name != "test_docs.py"
    )
    assert codes
    assert {code for code in codes if code not in tests} == set(NOT_MET.get(game, ()))


@pytest.mark.parametrize("game", GAMES)
def test_each_task_of_the_lesson_is_linked_where_its_rule_is(game: str) -> None:
    tasks, rules = lesson(game).tasks, {fact.id for fact in rules_of(game).facts}
    assert {rule for task in tasks for rule in task.rules} <= rules
    linked = []
    for section in re.split(r"(?m)^## ", (ROOT / "docs" / f"{game}.md").read_text("utf-8")):
        for name, number in re.findall(r"\]\(desk/#lesson=([\w-]+)\.(\d+)\)", section):
            assert name == game
            linked.append(int(number))
            assert any(f"| {rule} |" in section for rule in tasks[int(number) - 1].rules), number
    assert sorted(linked) == list(range(1, len(tasks) + 1))


def test_links_between_documents_lead_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_list_is_one_on_the_site_too(page: Path) -> None:
    """The site needs a blank line above a list, and four spaces before a list within a list."""
    text = re.sub(r"^```.*?^```", "```", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    item = r" *(?:[*-]|\d+\.) "
    joined = [f"{above}\n{line}" for above, line in pairwise(text.splitlines()) if re.match(item, line) and above.strip()]
    assert [lines for lines in joined if not re.match(rf"{item}| ", lines)] == []
    assert re.findall(r"^ {1,3}(?:[*-]|\d+\.) .*", text, re.MULTILINE) == []


def test_the_words_of_the_glossary_are_in_alphabetical_order() -> None:
    words = re.findall(r"^\| ([\w -]+?) \|", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE)[1:]
    assert {"seat", "NMR", "adjudication", "journal"} <= {*words}
    assert words == sorted(words, key=str.lower)


def test_the_site_of_the_documents_has_every_page() -> None:
    listed = re.findall(r"^ +- (?:[\w ]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    made = [f"{name}.md" for name in ("index", "contributing", "commands", "words", "api", "kit", "packages")]
    beside = ["CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "examples/README.md"]
    assert sorted(listed) == sorted([*made, *beside, *(path.name for path in (ROOT / "docs").glob("*.md"))])


def test_the_bugs_shown_in_the_documents_are_in_functions_that_exist() -> None:
    texts = [page.read_text("utf-8") for page in sorted((ROOT / "docs").glob("*.md"))]
    named = {found for text in texts for found in re.findall(r"bug in the program \(([\w.]+), (\w+), line", text)}
    assert named
    for module, function in named:
        assert hasattr(import_module(module), function), f"{module}, {function}"


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/tutorial.md"])
def test_a_page_names_only_files_that_are_there(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    for path in re.findall(r"\b(?:adjudicator|docs|examples|grammar|tests)/[\w./-]+\w/?", text):
        assert (ROOT / path).exists(), path


def test_continuous_integration_runs_the_readme_s_test_command() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    block = re.search(r"<!-- test command -->\n```sh\n(.+)\n```", readme)
    assert block is not None
    assert "pytest" in block[1]
    assert "<!-- test command -->" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_page_of_messages_lists_every_exit_code() -> None:
    table = (ROOT / "docs" / "messages.md").read_text("utf-8").split("## Exit codes\n")[1].split("\n## ")[0]
    told = {int(code) for row in re.findall(r"^\| ([0-9, ]+) \|", table, re.MULTILINE) for code in row.split(",")}
    assert told == {0, 1, 2, 3, 70, *(128 + number for number in (1, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM))}


@pytest.mark.parametrize(
    ("name", "example", "pages"),
    [
        ("checkpoint-rally", "checkpoint-rally/two-players", ("docs/checkpoint-rally.md", "docs/identity.md")),
        ("checkpoint-charlie", "checkpoint-charlie/three-players", ("docs/checkpoint-charlie.md", "docs/identity.md")),
        ("checkered-flag", "checkered-flag/race", ("docs/checkered-flag.md", "docs/identity.md")),
        ("great-race", "great-race/race", ("docs/great-race.md", "docs/identity.md")),
        ("rally-round", "rally-round/competition", ("docs/rally-round.md", "docs/identity.md")),
    ],
)
def test_the_pictures_in_the_documents_are_what_the_program_draws(name: str, example: str, pages: tuple[str, ...]) -> None:
    """To draw them anew: `adjudicator report examples/EXAMPLE/game.json -o` that file."""
    picture = ROOT / "docs" / "pictures" / f"{name}.svg"
    for page in (ROOT / page for page in pages):
        assert str(picture.relative_to(ROOT if page.parent == ROOT else ROOT / "docs")) in page.read_text("utf-8")
    report = adj.open(ROOT / "examples" / example / "game.json").seen_by().report(since=0)
    assert adj.render(report, "svg") == picture.read_text("utf-8")


def test_the_picture_as_the_colour_blind_see_it_is_what_the_script_draws(tmp_path: Path) -> None:
    """To draw it anew, when the picture of Checkpoint Rally has changed: the command below."""
    drawn, pictures = tmp_path / "seen.svg", ROOT / "docs" / "pictures"
    command = [sys.executable, ROOT / "examples" / "color_vision.py", pictures / "checkpoint-rally.svg", "-o", drawn]
    subprocess.run(command, check=True)
    assert "pictures/color-vision.svg" in (ROOT / "docs" / "turn.md").read_text("utf-8")
    assert drawn.read_bytes() == (pictures / "color-vision.svg").read_bytes()


# docs/rulesets.md lists every hook and every attribute of rules, and no others ----------------------------------------

Hooks = next(one for one in game.Rules.__mro__ if "is_over" in vars(one))
RULESETS = (ROOT / "docs" / "rulesets.md").read_text("utf-8")


def table_below(words: str) -> list[list[str]]:
    """Return the rows of the first table after ``words``, without its heading."""
    after = RULESETS[RULESETS.index(words) :]
    table = after[after.index("\n|") + 1 :].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]


def hooks() -> dict[str, bool]:
    """Return the hooks of a class of rules, and whether a game must write them."""
    found = {name: getattr(hook, "__func__", hook) for name, hook in vars(Hooks).items() if not name.startswith("_")}
    own = {name: hook for name, hook in found.items() if inspect.isfunction(hook) and not hasattr(hook, "__final__")}
    sources = {name: inspect.getsource(hook) for name, hook in own.items()}
    return {name: "NotImplementedError" in source for name, source in sources.items()}


def test_every_hook_that_a_game_must_have_is_listed_with_its_arguments() -> None:
    rows = table_below("A game must have these,")
    listed = [hook for row in rows for hook in re.findall(r"`(.+?)`", row[0])]
    arguments = {name: ", ".join(list(inspect.signature(getattr(Hooks, name)).parameters)[1:]) for name in hooks()}
    assert sorted(listed) == sorted(f"{name}({arguments[name]})" for name, needed in hooks().items() if needed)


def test_every_other_hook_is_listed_once_and_has_a_docstring() -> None:
    listed = [hook for _, hooks in table_below("The others have defaults") for hook in re.findall(r"`(\w+)`", hooks)]
    assert sorted(listed) == sorted(name for name, needed in hooks().items() if not needed)
    assert [name for name in hooks() if not getattr(Hooks, name).__doc__] == []


def test_what_a_class_lists_besides_is_told() -> None:
    listed = re.search(r"The class also has these attributes: (.*?)\(", RULESETS, re.S)
    assert listed is not None
    assert set(re.findall(r"`(\w+)`", listed[1])) == {name for name in Hooks.__annotations__ if name[0] != "_"} - {
        "language",
        "types",
        "fact_names",
    }


def test_the_command_on_the_page_lists_every_law_with_one_sentence() -> None:
    (code,) = re.findall(r"^python -c '(.+LAWS.+)'$", RULESETS, re.MULTILINE)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == [f"{law.__name__}: {law.__doc__}" for law in LAWS]
    assert all(re.fullmatch(r"[A-Z`][^\n]+\.", law.__doc__ or "") for law in LAWS)


def test_what_authors_of_older_rulesets_are_told_to_write_exists() -> None:
    page = RULESETS.partition("\n## Protocol version 2\n")[2].partition("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    now = {word for row in rows for code in re.findall(r"`([^`]+)`", row[1]) for word in re.findall(r"(\w+)\(", code)}
    kinds = (game, game.Rules, game.Phase, game.Order, game.Event, game.State, game.At, game.Ask, game.Fact)
    of_examples = {"Racer", "Move", "Crashed", "f", "own", "Ge", "advise"}
    assert (len(rows) > 40, len(now) > 30) == (True, True)
    assert {word for word in now - of_examples if not any(hasattr(kind, word) for kind in kinds)} == set()


def test_what_the_kit_is_said_to_have_it_has() -> None:
    named = {"Value", "Order", "Event", "Standing", "Flaw", "Mark", "Public", "Secret", "PUBLIC", "OWNER", "NOBODY"}
    named |= {"Fact", "Term", "Spent", "kept", "GameMeta", "Option"}
    for name in named:
        assert re.search(rf"\b{name}\b", RULESETS), name
        assert name in game.__all__, name
