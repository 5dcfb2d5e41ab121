"""The walls between the layers, read from the source: who may import, print and exit."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "adjudicator"
FILES = sorted(PACKAGE.rglob("*.py"))
_FILES = frozenset(FILES)
GAMES = sorted(folder.name for folder in (PACKAGE / "games").iterdir() if (folder / "meta.py").is_file())

PURE = {
    "__future__",
    "bisect",
    "collections",
    "dataclasses",
    "difflib",
    "enum",
    "functools",
    "hashlib",
    "heapq",
    "hmac",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "types",
    "typing",
}
"""Modules of the standard library that see no files, no clock, no chance and nothing of the machine."""
SYSTEM = {"core/hints.py": {"sys"}}
"""Who of the core may look up modules that are loaded: words that name a type are read in the module they stand in."""

LIBRARIES = {
    "lark": ("orders",),
    "typer": ("cli",),
    "pydantic": ("store",),
    "pydantic_core": ("store",),
    "jsonschema": ("store",),
    "jsonschema_rs": ("store",),
    "filelock": ("store",),
    "platformdirs": ("orders",),
    "zstandard": ("archive", "audit"),
    "distributed": ("cluster",),
    "fsspec": ("audit",),
    "pyarrow": ("cluster",),
    "matplotlib": ("simulate",),
    "rich": ("cli",),
    "jinja2": ("reports",),
    "markupsafe": ("reports",),
    "resvg_py": ("reports",),
    "email": ("mail",),
    "mailbox": ("mail",),
}
"""Who may import which library."""

ALLOWED = {
    "core": {"core"},
    "game": {"core"},
    "games": {"core", "game", "games"},
    "mail": {"core", "mail"},
    "orders": {"core", "orders", "resources"},
    "outputs": {"core", "outputs", "rulebook"},
    "reports": {"core", "outputs", "reports", "rulebook"},
    "rulebook": {"core", "rulebook"},
    "store": {"core", "outputs", "store", "resources", "rulesets"},
}
"""Which of this program's own parts each part may import."""

REPORTS_NEVER = {
    "adjudicator.core.apply_correction",
    "adjudicator.core.engine",
    "adjudicator.core.game",
    "adjudicator.core.record",
    "adjudicator.core.step",
}
"""What holds a state or makes one: no report or output reaches it, not even by way of another module."""


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def part_of(path: Path) -> str:
    """Return the part of the program a file belongs to: its folder, or its own name."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """Return the full name of each module or member that the file imports, at any depth, for types as well."""
    return tuple(_imports_of(path))


def _imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} has a relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def module_of(name: str) -> Path | None:
    """Return the file that an imported ``name`` of this program is in, be it a module or something in one."""
    steps = name.split(".")[1:]
    places = (PACKAGE.joinpath(*steps[:depth]) for depth in range(len(steps), 0, -1))
    return next(
        (file for place in places for file in (place.with_suffix(".py"), place / "__init__.py") if file in _FILES), None
    )


def reached_from(path: Path) -> set[str]:
    """Return the names of all modules of this program that the file imports, or that those import, and so on."""
    reached: dict[Path, str] = {}
    left = [path]
    while left:
        for name in imports_of(left.pop()):
            file = module_of(name) if name.startswith("adjudicator.") else None
            if file is not None and file not in reached:
                reached[file] = ".".join(("adjudicator", *file.relative_to(PACKAGE).with_suffix("").parts))
                left.append(file)
    return set(reached.values())


@cache
def calls_of(path: Path) -> tuple[str, ...]:
    """Return the dotted name of everything that the file calls."""
    return tuple(ast.unparse(node.func) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call))


def is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names | {"__future__"}


@cache
def dependencies() -> frozenset[str]:
    """Return the names of what this program asks for to be installed, extras included, as they are imported."""
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *chain.from_iterable(project["optional-dependencies"].values())]
    return frozenset(re.split(r"[^A-Za-z0-9_.-]", words)[0].lower().replace("-", "_") for words in asked)


def files_of(*parts: str) -> list[Path]:
    return [path for path in FILES if part_of(path) in parts]


def test_the_walls_are_around_something() -> None:
    assert GAMES
    assert reached_from(PACKAGE / "present.py") | reached_from(PACKAGE / "corrections" / "correct.py") >= REPORTS_NEVER
    assert {part_of(path) for path in FILES} >= {"core", "games", "orders", "store", "reports", "cli"}


@pytest.mark.parametrize("path", files_of("core", "game", "games"), ids=name_of)
def test_core_and_games_import_pure_python_annotated_types_and_the_core_only(path: Path) -> None:
    for module in imports_of(path):
        assert module.partition(".")[0] in PURE | {"annotated_types", "adjudicator"} | SYSTEM.get(name_of(path), set()), (
            module
        )


def test_what_sees_the_system_sees_of_it_the_loaded_modules_alone() -> None:
    for name in SYSTEM:
        source = (PACKAGE / name).read_text("utf-8")
        assert set(re.findall(r"\bsys\.(\w+)", source)) == {"modules"}
        assert "import sys\n" in source


@pytest.mark.parametrize("path", files_of("core", "game", "games"), ids=name_of)
def test_core_and_games_open_no_file_and_ask_nobody(path: Path) -> None:
    generated = {"exec"} if name_of(path) == "core/codegen.py" else set[str]()
    never = {"open", "input", "exec", "eval", "__import__", "globals", "breakpoint"} - generated
    assert not never & set(calls_of(path))


@pytest.mark.parametrize("path", files_of(*ALLOWED), ids=name_of)
def test_each_part_imports_only_the_parts_below_it(path: Path) -> None:
    for module in imports_of(path):
        if module.startswith("adjudicator."):
            assert module.split(".")[1] in ALLOWED[part_of(path)], module


@pytest.mark.parametrize("game", GAMES)
def test_no_game_imports_another(game: str) -> None:
    for path in (PACKAGE / "games" / game).rglob("*.py"):
        for module in imports_of(path):
            if module.startswith("adjudicator.games."):
                assert module.split(".")[2] == game, f"{name_of(path)}: {module}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_each_library_has_its_place(path: Path) -> None:
    for module in imports_of(path):
        top = module.partition(".")[0]
        if top in LIBRARIES:
            assert part_of(path) in LIBRARIES[top], module
        else:
            assert is_standard(module) or top == "adjudicator" or top in dependencies(), f"{module} is no dependency"


@pytest.mark.parametrize("path", files_of("outputs", "reports", "mail"), ids=name_of)
def test_outputs_reports_and_mail_see_views_and_events_never_a_state_or_a_file(path: Path) -> None:
    assert not REPORTS_NEVER & reached_from(path)


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) != "testing"], ids=name_of)
def test_nothing_that_runs_needs_the_laws(path: Path) -> None:
    """They are for tests, and ask the rules what only the engine may ask."""
    assert not any(module.startswith("adjudicator.testing") for module in imports_of(path))


@pytest.mark.parametrize("path", [path for path in FILES if part_of(path) not in ("cli", "__main__")], ids=name_of)
def test_only_the_command_line_prints_or_exits(path: Path) -> None:
    forbidden = {
        "print",
        "exit",
        "quit",
        "sys.exit",
        "os._exit",
        "os.abort",
        "sys.stdout.write",
        "sys.stderr.write",
        "input",
    }
    assert not forbidden & set(calls_of(path))
    assert not any(module.startswith(("typer", "adjudicator.cli", "rich")) for module in imports_of(path))
    names = {ast.unparse(node) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
    assert not {"sys.stdout", "sys.stderr"} & names


@pytest.mark.parametrize(
    "path", [path for path in FILES if part_of(path) not in ("core", "game", "games", "audit", "testing")], ids=name_of
)
def test_the_rules_are_called_by_the_engine_alone(path: Path) -> None:
    """Who else calls `check`, `decide`, `proceed` or `evolve` of a ruleset adjudicates beside the journal."""
    called = {call.rpartition(".")[2] for call in calls_of(path) if "rules." in call}
    assert not {"check", "decide", "proceed", "evolve"} & called


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_file_says_in_a_sentence_what_it_is(path: Path) -> None:
    words = ast.get_docstring(tree_of(path))
    assert words
    assert words.split("\n")[0].endswith((".", ":"))
