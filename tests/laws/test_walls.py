"""The walls between the layers, read from the source: who may import, print, exit; what tests name below the library."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from runpy import run_path
from typing import TypeVar

import pytest

from tests.drivers.sources import nodes_of, tree_of

T = TypeVar("T")

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "adjudicator"
FILES = sorted(PACKAGE.rglob("*.py"))
_FILES = frozenset(FILES)
GAMES = sorted(folder.name for folder in (PACKAGE / "games").iterdir() if (folder / "meta.py").is_file())

PURE = {
    "__future__",
    "bisect",
    "collections",
    "contextlib",
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
    "unicodedata",
}
"""Modules of the standard library that see no files, no clock, no chance and nothing of the machine."""

LIBRARIES = {
    "lark": ("orders",),
    "typer": ("cli", "office"),
    "msgspec": ("core", "files", "store", "club"),
    "pydantic": ("club", "files"),
    "wcwidth": ("core",),
    "markdown_it": ("rulebook",),
    "jsonschema": ("files",),
    "filelock": ("files",),
    "platformdirs": ("desk", "orders"),
    "compression": ("sources",),
    "zstandard": ("sources",),
    "distributed": ("archive",),
    "fsspec": ("sources",),
    "pyarrow": ("archive",),
    "matplotlib": ("simulate",),
    "rich": ("cli",),
    "jinja2": ("reports",),
    "markupsafe": ("reports",),
    "PIL": ("reports",),
    "resvg_py": ("reports",),
    "openskill": ("library",),
    "email": ("mail",),
    "mailbox": ("mail",),
    "itsdangerous": ("serve",),
    "starlette": ("serve",),
    "uvicorn": ("serve",),
}
"""Who may import which library."""

ALLOWED = {
    "core": {"core"},
    "files": {"core", "files", "results"},
    "game": {"core", "scenes"},
    "games": {"core", "game", "games", "scenes"},
    "mail": {"core", "mail"},
    "orders": {"core", "files", "orders", "resources", "results"},
    "reports": {"core", "reports", "results", "rulebook", "scenes", "verdict"},
    "results": {"core", "results"},
    "rulebook": {"core", "rulebook"},
    "scenes": {"core", "scenes"},
    "sources": {"archive", "core", "files", "results", "verdict"},
    "store": {"core", "files", "orders", "results", "store", "resources", "rulesets"},
}
"""Which of this program's own parts each part may import."""

REPORTS_NEVER = {
    "adjudicator.core.engine",
    "adjudicator.core.game",
    "adjudicator.core.step",
    "adjudicator.core.timeline",
}
"""What holds a state or makes one: no report or result reaches it, not even by way of another module."""


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def part_of(path: Path) -> str:
    """Return the part of the program a file belongs to: its folder, or its own name.

    The ``office`` of a game is a part of its own: tools for the organiser, which may use files, the clock, and the reports
    and commands of the program. The rules of the game may not. So are the files of ``archive`` that only read and keep
    games, ``sources``: the library opens games with them.
    """
    first, *others = path.relative_to(PACKAGE).parts
    if first == "archive" and others[0] in ("find.py", "store.py"):
        return "sources"
    return "office" if first == "games" and others[1:2] == ["office"] else first.removesuffix(".py")


@cache
def imports_of(path: Path) -> tuple[str, ...]:
    """Return the full name of each module or member that the file imports, at any depth, for types as well."""
    return tuple(_imports_of(path))


def _imports_of(path: Path) -> Iterator[str]:
    for node in nodes_of(path):
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
    return tuple(ast.unparse(node.func) for node in nodes_of(path) if isinstance(node, ast.Call))


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


def files_beside(*parts: str) -> list[Path]:
    return [path for path in FILES if part_of(path) not in parts]


def violations(paths: Iterable[Path], wrong: Callable[[Path], Iterable[str]]) -> list[str]:
    """List all that is wrong with each of the files at once: a test for each file and wall takes longer than the walls."""
    return [f"{name_of(path)}: {what}" for path in paths for what in wrong(path)]


def test_the_walls_are_around_something() -> None:
    assert GAMES
    assert reached_from(PACKAGE / "library" / "game.py") | reached_from(PACKAGE / "library" / "results.py") >= REPORTS_NEVER
    assert {part_of(path) for path in FILES} >= {"core", "games", "orders", "store", "reports", "cli"}
    assert violations(files_of("core"), imports_of) != []


def test_core_and_games_import_pure_python_three_libraries_and_the_core_only() -> None:
    def wrong(path: Path) -> Iterator[str]:
        known = PURE | {"msgspec", "wcwidth", "adjudicator"}
        return (module for module in imports_of(path) if module.partition(".")[0] not in known)

    assert violations(files_of("core", "game", "games", "scenes"), wrong) == []


def test_core_and_games_open_no_file_and_ask_nobody() -> None:
    def wrong(path: Path) -> set[str]:
        never = {"open", "input", "exec", "eval", "__import__", "globals", "breakpoint"}
        return never & set(calls_of(path))

    assert violations(files_of("core", "game", "games", "scenes"), wrong) == []


def test_each_part_imports_only_the_parts_below_it() -> None:
    def wrong(path: Path) -> Iterator[str]:
        own = (module for module in imports_of(path) if module.startswith("adjudicator."))
        return (module for module in own if module.split(".")[1] not in ALLOWED[part_of(path)])

    assert violations(files_of(*ALLOWED), wrong) == []


@pytest.mark.parametrize("game", GAMES)
def test_no_game_imports_another(game: str) -> None:
    def wrong(path: Path) -> Iterator[str]:
        games = (module for module in imports_of(path) if module.startswith("adjudicator.games."))
        return (module for module in games if module.split(".")[2] != game)

    assert violations((PACKAGE / "games" / game).rglob("*.py"), wrong) == []


def test_nothing_outside_a_game_names_its_office() -> None:
    """A ruleset names its commands as text, so that they are loaded only when somebody asks for one."""

    def wrong(path: Path) -> Iterator[str]:
        own = path.relative_to(PACKAGE).parts[1] if part_of(path) == "office" else ""
        offices = (module for module in imports_of(path) if re.match(r"adjudicator\.games\.\w+\.office", module))
        return (module for module in offices if module.split(".")[2] != own)

    assert violations(FILES, wrong) == []


def test_reports_know_no_game() -> None:
    """Neither its name nor the things that it draws: pictures are made in the folders of the games."""
    things = ("checkpoint", "rally", "race", "flag", "charlie", "gear", "tile", "suspect", "vehicle", "crew", "stopwatch")

    def wrong(path: Path) -> Iterator[str]:
        names = {node.id for node in nodes_of(path) if isinstance(node, ast.Name)}
        names |= {node.name for node in nodes_of(path) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        names |= {node.attr for node in nodes_of(path) if isinstance(node, ast.Attribute)} | {path.stem}
        yield from (name for name in names if set(re.findall("[a-z]+", name.lower())) & {*things, *GAMES})

    assert violations(files_of("reports", "scenes"), wrong) == []


def test_each_library_has_its_place() -> None:
    def wrong(path: Path) -> Iterator[str]:
        for module in imports_of(path):
            top = module.partition(".")[0]
            if top in LIBRARIES:
                if part_of(path) not in LIBRARIES[top]:
                    yield module
            elif not is_standard(module) and top != "adjudicator" and top not in dependencies():
                yield f"{module} is no dependency"

    assert violations(FILES, wrong) == []


def test_results_reports_and_mail_see_views_and_events_never_a_state_or_a_file() -> None:
    assert violations(files_of("results", "reports", "mail"), lambda path: REPORTS_NEVER & reached_from(path)) == []


def test_nothing_that_runs_needs_the_laws() -> None:
    """They are for tests, and ask the rules what only the engine may ask."""

    def wrong(path: Path) -> Iterator[str]:
        return (module for module in imports_of(path) if module.startswith("adjudicator.testing"))

    assert violations(files_beside("testing"), wrong) == []


def test_only_the_command_line_prints_or_exits() -> None:
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

    def wrong(path: Path) -> Iterator[str]:
        yield from forbidden & set(calls_of(path))
        yield from (module for module in imports_of(path) if module.startswith(("typer", "adjudicator.cli", "rich")))
        names = {ast.unparse(node) for node in nodes_of(path) if getattr(node, "attr", "") in ("stdout", "stderr")}
        yield from {"sys.stdout", "sys.stderr"} & names

    assert violations(files_beside("cli", "__main__", "office"), wrong) == []


def test_an_office_prints_as_the_command_line_does() -> None:
    def wrong(path: Path) -> set[str]:
        return {"print", "exit", "quit", "sys.exit", "sys.stdout.write", "sys.stderr.write", "input"} & set(calls_of(path))

    assert violations(files_of("office"), wrong) == []


TOOLS = {"files", "mail", "processes"}
"""Parts that know no game: files of any kind, mails as bytes and lines, and processes with time limits."""
ABOVE = {"cli", "club", "desk", "library", "reports", "results", "game"} | TOOLS
ABOVE |= {"archive", "audit", "script", "simulate", "site"}
"""The parts that commands, the club and the desk may use: the library and what is above it, texts and JSON, and tools.

``core.values`` counts as a tool: it has the names and the bytes of any value.
"""
WORDS = {
    f"adjudicator.core.{name}"
    for name in (
        "phrases",
        "problem",
        "remember",
        "ruleset",
        "values",
    )
} | {"adjudicator.scenes.drawing", "adjudicator.verdict"}
"""Modules of values that the library takes and returns, and of what every part does with any value."""


@pytest.mark.parametrize(
    ("part", "above"),
    [
        ("cli", ABOVE | {"serve"}),
        ("serve", ABOVE - {"cli"} | {"serve"}),
        ("club", ABOVE - {"cli", "desk"} | {"resources"}),
        ("desk", ABOVE | {"resources", "rulesets"}),
    ],
)
def test_the_command_line_the_club_its_pages_and_the_desk_use_the_library(part: str, above: set[str]) -> None:
    """Also for types: what a command, the club or the desk needs and the library does not have is missing in the library."""

    def is_below(module: str) -> bool:
        """Return whether a module is below the library; a name of the package itself is one of the library."""
        is_word = module.rpartition(".")[0] in WORDS or module_of(module) is None
        return module.startswith("adjudicator.") and module.split(".")[1] not in above and not is_word

    assert {name_of(path) for path in files_of(part) if any(map(is_below, imports_of(path)))} == set()


def test_the_rules_are_called_by_the_engine_alone() -> None:
    """Who else calls `check`, `refusal`, `decide` or `follow` of a ruleset adjudicates beside the journal.

    A planning player only tries orders on what it sees.
    """

    def wrong(path: Path) -> set[str]:
        called = {call.rpartition(".")[2] for call in calls_of(path) if "rules." in call}
        return {"check", "refusal", "decide", "follow"} & called

    files = set(files_beside("core", "game", "games", "audit", "testing")) - {PACKAGE / "simulate" / "bots.py"}
    assert violations(sorted(files), wrong) == []


def test_constants_state_and_seat_are_handed_over_as_one_position() -> None:
    def wrong(path: Path) -> Iterator[str]:
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.Lambda):
                names = [one.arg.lstrip("_") for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                if {"config", "state", "seat"} <= {*names} or {"config", "view"} <= {*names}:
                    yield f"({', '.join(names)}) in line {node.lineno}"

    assert violations(files_of("core", "game", "games", "office", "scenes", "testing"), wrong) == []


def reached(start: T, imported: Mapping[T, Collection[T]]) -> set[T]:
    """Return all that ``start`` imports, directly or not."""
    found, left = set[T](), [start]
    while left:
        new = set(imported[left.pop()]) - found
        found |= new
        left += new
    return found


TYPES = {"adjudicator.library.game.Game", "adjudicator.library.reader.Reader"}


def for_types(path: Path) -> set[str]:
    """Return the names that the file imports for type checkers alone."""
    blocks = (node for node in tree_of(path).body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    found = (node for block in blocks for node in ast.walk(block) if isinstance(node, ast.ImportFrom))
    return {f"{node.module}.{alias.name}" for node in found for alias in node.names}


FACADE = {"library/game.py": {"adjudicator.Verdict", "adjudicator.audit_bytes", "adjudicator.ScriptExport"}}
"""The public names that a module below them uses: a game asks for its audit and for its script."""


def test_no_module_of_the_library_or_below_uses_the_public_names() -> None:
    """They are above it: a circle of imports would hide behind them."""

    def wrong(path: Path) -> set[str]:
        names = {name for name in imports_of(path) if re.fullmatch(r"adjudicator(\.\w+)?", name) and module_of(name) is None}
        return names - FACADE.get(name_of(path), set())

    assert violations(files_of("core", "files", "library", "orders", "reports", "results", "store"), wrong) == []


def test_files_do_not_import_each_other_in_circles() -> None:
    """Also not in functions or for types, except that the library's results and readers know the type of their game."""
    modules = {
        path: {
            module_of(name)
            for name in set(imports_of(path)) - (TYPES & for_types(path) if part_of(path) == "library" else set())
            if name.startswith("adjudicator.")
        }
        for path in FILES
    }
    imported = {path: {file for file in found if file not in (path, None)} for path, found in modules.items()}

    assert {path.relative_to(PACKAGE).as_posix() for path in FILES if path in reached(path, imported)} == set()


def layers() -> list[set[str]]:
    """Return the parts of each layer, the lowest first, as the drawing in `docs/architecture.md` shows them."""
    listed = run_path(str(PACKAGE.parent / ".ci" / "layers.py"))["LAYERS"]
    return [set(parts.split()) for _, parts in listed]


def parts() -> dict[str, set[str]]:
    """Return the other parts that each part of the program imports."""
    imported: dict[str, set[str]] = {part_of(path): set() for path in FILES}
    for path in FILES:
        files = (module_of(name) for name in imports_of(path) if name.startswith("adjudicator."))
        imported[part_of(path)] |= {part_of(file) for file in files if file is not None} - {part_of(path)}
    return imported


def test_parts_import_no_layer_above_them() -> None:
    depth = {part: number for number, layer in enumerate(layers()) for part in layer}
    assert len(layers()) > 2
    assert sum(map(len, layers())) == len(depth), "a part is in two layers"
    assert depth.keys() == parts().keys()
    upwards = [f"{part} imports {other}" for part, found in parts().items() for other in found if depth[other] > depth[part]]
    assert sorted(upwards) == []


def test_parts_do_not_import_each_other_in_circles() -> None:
    imported = parts()
    assert {part for part in imported if part in reached(part, imported)} == set()


# The page for new contributors ---------------------------------------------------------------------------------------


def test_the_page_of_the_architecture_names_what_is_there_and_draws_the_layers() -> None:
    """To draw it again: `python .ci/layers.py > docs/pictures/layers.svg`."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = re.findall(r"`((?:\w+/)+(?:[\w.]+)?)`", page)
    assert [name for name in named if not (PACKAGE / name).exists() and not (ROOT / name).exists()] == []
    assert len(named) > 5
    drawing = run_path(str(ROOT / ".ci" / "layers.py"))["drawing"]()
    assert (ROOT / "docs" / "pictures" / "layers.svg").read_text("utf-8") == drawing + "\n"


def test_the_page_for_contributors_names_every_part_on_its_floor() -> None:
    floors = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("\n## The house\n")[1].split("\n\n`grammar/`")[0]
    named = [re.findall(r"`(\w+)`", names) for names in re.findall(r"^\d+\. (.+?):", floors, re.MULTILINE)]
    assert [set(names) for names in named] == layers()


def test_the_files_that_a_package_lists_exist() -> None:
    listed = [
        package.parent / name
        for package in PACKAGE.rglob("__init__.py")
        for name in re.findall(r"``(\w+\.py|templates/)``", package.read_text("utf-8").split('"""')[1])
    ]
    assert listed
    assert [path for path in listed if not path.exists()] == []


# Tests that name what is below the library ----------------------------------------------------------------------------

PUBLIC = {"adjudicator", "adjudicator.game", "adjudicator.testing", "adjudicator.desk.lessons"}
PUBLIC |= {f"adjudicator.{name}" for name in ("archive", "audit", "results", "simulate", "site")}
"""What tests may name beside the modules of the library: what programs and authors of games import, and the laws."""
MOST_BELOW = 0.08
"""The share of the test functions that may use a name of a module below these, in the whole suite."""


def is_public(module: str) -> bool:
    return module in PUBLIC or module.startswith(("adjudicator.library.", "adjudicator.archive."))


def is_below(node: ast.Import | ast.ImportFrom) -> bool:
    """Return whether an import names a module of this program that is not public."""
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        return module.startswith("adjudicator.") and not is_public(module)
    return any(alias.name.startswith("adjudicator.") and not is_public(alias.name) for alias in node.names)


def functions_below(tree: ast.Module) -> tuple[int, int]:
    """Return how many test functions of a file use something that it imports from below the library, and how many it has.

    A function uses what its own body names, and what the helpers and fixtures of its file name that it names.
    """
    names, uses = set[str](), dict[str, set[str]]()
    tests: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and is_below(node):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign):
            inside = [*ast.walk(node)]
            named = {one.id for one in inside if isinstance(one, ast.Name)}
            named |= {one.arg for one in inside if isinstance(one, ast.arg)}
            if any(isinstance(one, ast.Import | ast.ImportFrom) and is_below(one) for one in inside):
                named |= {"", *names}
            targets = [
                one.id for one in getattr(node, "targets", [getattr(node, "target", None)]) if isinstance(one, ast.Name)
            ]
            for name in (*targets, *([node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else ())):
                uses[name] = uses.get(name, set()) | named
                tests += [name] if name.startswith("test_") and isinstance(node, ast.FunctionDef) else []
    if not names and "" not in set().union(*uses.values()):
        return 0, len(tests)
    reach = {name: reached(name, {**dict.fromkeys(set().union(*uses.values()), ()), **uses}) for name in tests}
    return sum(bool(found & {"", *names}) for found in reach.values()), len(tests)


def test_few_test_functions_name_a_module_below_the_library() -> None:
    """What is below may be rewritten, and its tests with it: test through the library, the commands and the files."""
    files = {path: functions_below(tree_of(path)) for path in sorted((ROOT / "tests").rglob("test_*.py"))}
    below, all_ = (sum(counts) for counts in zip(*files.values(), strict=True))
    worst = sorted(((count, of, str(path.relative_to(ROOT))) for path, (count, of) in files.items() if count), reverse=True)
    listed = "\n".join(f"{count:4} of {of:3}  {name}" for count, of, name in worst)
    assert below <= MOST_BELOW * all_, f"{below} of {all_} test functions name a module below the library:\n{listed}"


@pytest.mark.parametrize(
    ("source", "counts"),
    [
        ("import adjudicator as adj\nfrom adjudicator import game\ndef test_a(): adj.new()", (0, 1)),
        ("from adjudicator.core.values import Seat\ndef test_a(): Seat('x')\ndef test_b(): pass", (1, 2)),
        ("import adjudicator.core\ndef test_a(): adjudicator.core.values", (1, 1)),
        ("def test_a():\n from adjudicator.core import values\n values.Seat", (1, 1)),
        (
            "from adjudicator.core import values\ndef made(): return values.T\ndef test_a(made): pass\ndef test_b(): made()",
            (2, 2),
        ),
        (
            "from adjudicator.core import values\nX = values.T\ndef test_a(): X\nfrom adjudicator.testing import LAWS",
            (1, 1),
        ),
    ],
)
def test_uses_of_every_form_are_found(source: str, counts: tuple[int, int]) -> None:
    assert functions_below(ast.parse(source)) == counts
