"""The program and its tests use private names of other packages, the standard library included, only where it must be.

A new version may move or change such a name without a word. A module of `filelock` was gone four days after a release.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.drivers.sources import nodes_of

ROOT = Path(__file__).parents[2]
FILES = sorted(path for folder in ("adjudicator", "tests", ".ci", "examples") for path in (ROOT / folder).rglob("*.py"))
DOCUMENTED = {"os._exit", "sys._getframe", "._asdict", "._fields", "._make", "._replace", "._value_"}
"""Names that begin with `_`, and are public in the documentation of Python."""
ALLOWED: dict[str, tuple[str, ...]] = {
    "._mres": (
        "the patterns of all terminals of a state; without them Lark reads all lines",
        "adjudicator/orders/fast.py",
    ),
    "._parse_table": (
        "the states of a parser; without them Lark reads all lines",
        "adjudicator/orders/fast.py",
    ),
    "_multiprocessing": (
        "a Python without processes lacks it; `multiprocessing` itself would take long to load",
        "adjudicator/processes.py",
    ),
    "re._parser": (
        "only the parsed pattern shows which quantifiers may give back what they took, and how often",
        "tests/drivers/steps.py",
    ),
}
"""The private names in use: the reason, and the files that may use it."""
PRIVATE = re.compile(r"_[A-Za-z0-9]\w*")
IN_TEXT = re.compile(r"(?<![\w./])([a-z]\w*(?:\.[A-Za-z]\w*)*\._[A-Za-z]\w*)")
DEFINED = re.compile(r"""(?<![\w.'"])(_[A-Za-z]\w*)|\bself\.(_\w+)(?=(?:, [\w.]+)*(?:: .*)? = )""")
KINDS = (ast.Import, ast.ImportFrom, ast.Attribute, ast.Call, ast.ClassDef, ast.Constant)
BY_NAME = {"find_spec", "import_module", "importorskip"}


@cache
def own_modules() -> frozenset[str]:
    """Return the names by which this repository imports its own modules."""
    parts = {part for path in FILES for part in (path.stem, path.parent.name)}
    return frozenset({"adjudicator"} | parts) - sys.stdlib_module_names


@cache
def own_names() -> frozenset[str]:
    """Return the private names that this repository defines: all that stand alone, and attributes that are set on `self`."""
    return frozenset(name for path in FILES for pair in DEFINED.findall(path.read_text("utf-8")) for name in pair)


def is_foreign(path: str) -> bool:
    return is_package_of_others(path.partition(".")[0])


@cache
def is_package_of_others(name: str) -> bool:
    return name not in own_modules() and (name in sys.stdlib_module_names or find_spec(name) is not None)


def up_to_private(path: str) -> str:
    """Return the beginning of the dotted ``path`` that ends with its first private name; empty if it has none."""
    parts = path.split(".")
    return ".".join(parts[: next((at for at, part in enumerate(parts, 1) if PRIVATE.fullmatch(part)), 0)])


def imports_in(nodes: Iterable[ast.AST]) -> dict[str, str]:
    """Return what each imported name of a module with these ``nodes`` stands for, as a dotted path."""
    found = {}
    for node in nodes:
        match node:
            case ast.Import(names=names):
                firsts = {one.name.partition(".")[0] for one in names if not one.asname}
                found |= {one.asname: one.name for one in names if one.asname} | {first: first for first in firsts}
            case ast.ImportFrom(module=str(module), level=0, names=names):
                found |= {one.asname or one.name: f"{module}.{one.name}" for one in names}
    return found


def has(path: str, name: str) -> bool:
    """Return whether the class at the dotted ``path`` has an attribute ``name``."""
    module, _, kind = path.rpartition(".")
    try:
        return hasattr(getattr(import_module(module), kind), name)
    except ImportError:
        return False


def private_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield each private name of another package that a module uses, in full.

    `._x` is an attribute of something that cannot be told from the text, whose name this repository never defines.
    """
    nodes = [node for node in nodes if isinstance(node, KINDS)]
    imports = imports_in(nodes)

    def path_of(node: ast.expr) -> str:
        """Return the dotted path of an expression; it is empty if that does not begin with something imported."""
        if isinstance(node, ast.Attribute):
            above = path_of(node.value)
            return above and f"{above}.{node.attr}"
        return imports.get(node.id, "") if isinstance(node, ast.Name) else ""

    def attribute(of: ast.expr, name: str) -> str:
        path = path_of(of)
        is_own = not path and name in own_names()
        return f"{path}.{name}" if PRIVATE.fullmatch(name) and not is_own else ""

    for node in nodes:
        found = []
        match node:
            case ast.Import(names=names):
                found = [one.name for one in names]
            case ast.ImportFrom(module=str(module), level=0, names=names):
                found = [f"{module}.{one.name}" for one in names]
            case ast.Attribute(value=of, attr=name):
                found = [attribute(of, name)]
            case ast.Call(func=ast.Name(id=how) | ast.Attribute(attr=how), args=[ast.Constant(value=str(name)), *_]):
                found = [name] if how in BY_NAME else []
            case ast.Call(func=ast.Name(id=how) | ast.Attribute(attr=how), args=[of, ast.Constant(value=str(name)), *_]):
                found = [attribute(of, name)] if how.endswith("attr") else []
            case ast.ClassDef(bases=bases, body=body):
                defined = [one.name for one in body if isinstance(one, ast.FunctionDef) and PRIVATE.fullmatch(one.name)]
                foreign = [path for path in map(path_of, bases) if path and is_foreign(path)]
                found = [f"{path}.{name}" for path in foreign for name in defined if has(path, name)]
            case ast.Constant(value=str(text)):
                found = IN_TEXT.findall(text)
        yield from (name for name in map(up_to_private, found) if name.startswith(".") or (name and is_foreign(name)))


def test_private_names_of_other_packages_are_used_only_where_it_must_be() -> None:
    others = [path for path in FILES if path != Path(__file__)]
    names = ((name, path.relative_to(ROOT).as_posix()) for path in others for name in private_names(nodes_of(path)))
    used = {one for one in names if one[0] not in DOCUMENTED}
    allowed = {(name, file) for name, (_reason, *files) in ALLOWED.items() for file in files}
    new, gone = sorted(used - allowed), sorted(allowed - used)
    assert not new, f"use a public name instead, or if there is none, add this one to ALLOWED with the reason: {new}"
    assert not gone, f"delete these from ALLOWED, because they are no longer in use: {gone}"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import tarfile._x", ["tarfile._x"]),
        ("from _pytest.runner import runtestprotocol", ["_pytest"]),
        ("from typer.testing import _get_command as made", ["typer.testing._get_command"]),
        ("import re\nre._parser.parse('a')", ["re._parser"]),
        ("import os.path as o\no.join._x", ["os.path.join._x"]),
        ("from tarfile import TarInfo\nTarInfo()._proc_nothing()", ["._proc_nothing"]),
        ("import tarfile\nclass Own(tarfile.TarInfo):\n def _proc_pax(self): ...", ["tarfile.TarInfo._proc_pax"]),
        ("import tarfile\nclass Own(tarfile.TarInfo):\n def _own(self): ...", []),
        ("def f(patch):\n patch.setattr('random._urandom', f)", ["random._urandom"]),
        ("def f(patch, thing):\n patch.setattr(thing, '_no_such_' 'name', f)", ["._no_such_name"]),
        ("SCRIPT = 'import sys\\nimport mailbox._x, os\\nprint(1)'", ["mailbox._x"]),
        ("import importlib\nimportlib.util.find_spec('_multiprocessing')", ["_multiprocessing"]),
        ("import adjudicator.cli.app as app\napp._COMMANDS, app.x._y, 'adjudicator.cli.app._heed'", []),
        ("import os\nos.__name__, os.path\nclass Own:\n def f(self): return self._used", []),
    ],
)
def test_private_names_of_every_form_are_found(source: str, found: list[str]) -> None:
    assert sorted(set(private_names(ast.walk(ast.parse(source))))) == found
