"""What the program imports is what `pyproject.toml` declares, and Pythons that lack a part of `gc` or of `sys` run it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest
from packaging.requirements import Requirement

from adjudicator import __main__ as program
from tests.drivers.sources import nodes_of, tree_of

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
NO_RUNTIME: Final = {"bench", "docs", "lint", "mutation", "test", "test-storage"}
"""Extras for those who work on the program."""
STANDARD = sys.stdlib_module_names | {"compression"}
"""The standard library, that of later Pythons included."""
OTHER_NAMES = {"PIL": "pillow", "markdown_it": "markdown-it-py"}
"""Packages whose distribution has another name."""
BY_NAME = {"import_module", "find_spec"}
BY_OTHERS = {"tzdata": "; sys_platform == 'win32'"}
"""Packages that only the standard library loads, and where."""


@cache
def imports_in(file: Path) -> tuple[tuple[str, bool], ...]:
    """Return each package that a module imports, and whether it does so as soon as it is loaded itself."""
    found = list[tuple[str, bool]]()
    at_once = {id(node) for node in tree_of(file).body}
    for node in nodes_of(file):
        names: list[str] = []
        match node:
            case ast.Import(names=aliases):
                names = [alias.name for alias in aliases]
            case ast.ImportFrom(module=str(module)):
                names = [module]
            case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[ast.Constant(value=str(name)), *_]):
                names = [name] if called in BY_NAME else []
        found += ((name.split(".")[0], id(node) in at_once) for name in names)
    return tuple(found)


def others(files: Iterable[Path]) -> dict[str, bool]:
    """Return the distributions of other authors that ``files`` import, and whether any does so as soon as it is loaded."""
    found: dict[str, bool] = {}
    for file in files:
        for package, is_at_once in imports_in(file):
            if package not in STANDARD and package != "adjudicator":
                name = OTHER_NAMES.get(package, package.replace("_", "-"))
                found[name] = found.get(name, False) or is_at_once
    return found


def names_in(requirements: Iterable[str]) -> set[str]:
    """Return the distributions that ``requirements`` name, this one left out."""
    return {re.match(r"[\w-]+", one)[0].lower() for one in requirements} - {"pbem-adjudicator"}  # type: ignore[index]


def required(name: str) -> str:
    (found,) = (one for one in PROJECT["dependencies"] if names_in([one]) == {name})
    return str(found)


def test_everything_that_is_imported_is_declared_and_the_reverse() -> None:
    extras = {
        name
        for extra, wanted in PROJECT["optional-dependencies"].items()
        if extra not in NO_RUNTIME
        for name in names_in(wanted)
    }
    imported = others((ROOT / "adjudicator").rglob("*.py"))
    assert {*imported, *BY_OTHERS} == names_in(PROJECT["dependencies"]) | extras
    assert all(required(name).endswith(where) for name, where in BY_OTHERS.items())
    assert names_in(PROJECT["dependencies"]) & extras == set()
    usual = (path for path in (ROOT / "adjudicator").rglob("*.py") if path.parent.name != "serve")  # only one command has it
    early = {name for name, is_at_once in others(usual).items() if is_at_once}
    assert early & extras == set(), "these modules do not load without an extra"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import lark", {"lark": True}),
        ("from pydantic_core import x", {"pydantic-core": True}),
        ("def f():\n    import rich.console", {"rich": False}),
        (
            "def f():\n    return import_module('dask.config'), util.find_spec('resvg_py')",
            {"dask": False, "resvg-py": False},
        ),
        ("import json, adjudicator.game\nfrom compression import zstd\nprint('lark')", {}),
    ],
)
def test_imports_of_every_form_are_found(tmp_path: Path, source: str, found: dict[str, bool]) -> None:
    (tmp_path / "module.py").write_text(source)
    assert others([tmp_path / "module.py"]) == found


def test_the_classifiers_and_the_workflow_name_every_python_from_the_oldest_on() -> None:
    named = [one.rpartition(" :: ")[2] for one in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert named == ["3.11", "3.12", "3.13", "3.14", "3.15"]
    assert PROJECT["requires-python"] == f">={named[0]}"
    (matrix,) = re.findall(r"python: (\[.*\])", (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    assert ast.literal_eval(matrix) == named


LOCK = (ROOT / "constraints.txt").read_text("utf-8")
PINS = [Requirement(line) for line in LOCK.splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0", "3.14.0", "3.15.0"])
def test_the_lock_has_one_version_of_each_package_within_its_bounds_for_every_python(python: str, system: str) -> None:
    """To make it again, see CONTRIBUTING.md."""
    here = {"python_version": python.removesuffix(".0"), "python_full_version": python, "sys_platform": system}
    chosen = [pin for pin in PINS if pin.marker is None or pin.marker.evaluate(here)]
    versions = {pin.name: str(pin.specifier).removeprefix("==") for pin in chosen}
    assert len(versions) == len(chosen)
    declared = (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    for wanted in map(Requirement, {one for requirements in declared for one in requirements}):
        if wanted.name != "pbem-adjudicator" and (wanted.marker is None or wanted.marker.evaluate(here)):
            assert wanted.specifier.contains(versions[wanted.name]), wanted


def test_the_lock_names_no_host_and_the_command_that_made_it_is_documented_and_runs_each_week() -> None:
    assert "://" not in LOCK and {str(pin.specifier)[:2] for pin in PINS} == {"=="}
    (command,) = re.findall("uv pip compile .*", LOCK)
    newest = command.replace(" pyproject.toml", " --upgrade pyproject.toml")
    assert newest in (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert "schedule:" in workflow
    assert workflow.count(f"if: github.event_name == 'schedule'\n        run: python -m pip install uv && {newest}\n") == 2


def test_zstandard_is_wanted_only_where_the_standard_library_lacks_it() -> None:
    wanted = {
        one for extra in PROJECT["optional-dependencies"].values() for one in extra if names_in([one]) == {"zstandard"}
    }
    assert [one.partition(";")[2].strip() for one in wanted] == ["python_version < '3.14'"]


@pytest.mark.parametrize("missing", [{"set_threshold", "freeze"}, {"freeze"}, set()])
def test_a_python_without_a_part_of_gc(missing: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """PyPy has its own garbage collector."""
    called: list[object] = []
    parts = {"set_threshold": lambda most: called.append(most), "freeze": lambda: called.append("freeze")}
    fake = SimpleNamespace(**{name: part for name, part in parts.items() if name not in missing})
    monkeypatch.setattr(program, "gc", fake)
    monkeypatch.setattr("adjudicator.cli.app.run", lambda: called.append("run"))
    monkeypatch.setattr(sys, "argv", ["adjudicator", "games"])
    program.main()
    whole = [100_000, "run", "freeze"]
    assert called == [one for one in whole if one == "run" or {100_000: "set_threshold"}.get(one, one) not in missing]


def test_loading_a_game_never_puts_another_module_in_the_place_of_one() -> None:
    """At every import on the way, and in the end, all modules of the standard library are those that it ships."""
    game = ROOT / "examples" / "checkered-flag" / "race" / "game.json"
    script = (
        "import sys; from types import ModuleType; from adjudicator.store.game_file import load_game\n"
        "found, standard = set(), sys.stdlib_module_names\n"
        "def look(event, _given):\n"
        "    modules = list(sys.modules.items()) if event == 'import' else ()\n"
        "    of = [(name, module) for name, module in modules if name.partition('.')[0] in standard]\n"
        "    found.update(name for name, module in of if isinstance(module, ModuleType) and module.__spec__ is None)\n"
        "sys.addaudithook(look)\n"
        f"data = open({str(game)!r}, 'rb').read(); load_game(data)\n"
        "import email.utils\n"
        "print(email.utils.parsedate_to_datetime('Mon, 02 Nov 2026 10:00:00 +0000').year, sorted(found))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "2026 []\n"
