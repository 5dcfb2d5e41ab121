"""The examples: every one is played from scratch, and gives the files that are shipped, to the byte."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.drivers.mails import portion

ROOT = Path(__file__).parents[2] / "examples"


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("examples_regenerate", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


regenerate = _load(ROOT / "regenerate.py")
EXAMPLES = {example.folder.relative_to(ROOT).as_posix(): example for example in regenerate.examples()}
each_example = pytest.mark.parametrize("name", EXAMPLES)


def shipped_files() -> Iterator[Path]:
    caches = {"__pycache__"}
    return (path for path in ROOT.rglob("*") if path.is_file() and not caches & set(path.parts))


def is_of_the_package(path: Path) -> bool:
    """Tell whether ``path`` belongs to the ruleset in a package of its own, which has a test of its own."""
    return path.is_relative_to(ROOT / "own-ruleset")


# --- they give what they show ----------------------------------------------------------------------------------------


@each_example
def test_an_example_gives_what_it_shows(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    for made, data in example.replay(tmp_path, regenerate.in_this_process).items():
        assert data.decode() == (example.folder / made).read_bytes().decode(), made


@pytest.mark.parametrize("name", portion(["checkpoint-rally/mistakes", "checkpoint-rally/own-set"], 2))
def test_it_gives_the_same_as_a_program_of_its_own(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    for made, data in example.replay(tmp_path, regenerate.in_a_process).items():
        assert data.decode() == (example.folder / made).read_bytes().decode(), made


def test_all_examples_are_here() -> None:
    index = (ROOT / "README.md").read_text("utf-8")
    assert set(re.findall(r"\]\(([\w-]+/[\w-]+)/README\.md\)", index)) == set(EXAMPLES)


@each_example
def test_no_file_of_an_example_lies_about_unused(name: str) -> None:
    example = EXAMPLES[name]
    assert example.shipped - example.made - example.read == {regenerate.README}
    assert "expected.txt" in example.shipped


def test_nothing_else_lies_among_the_examples() -> None:
    of_examples = {path for example in EXAMPLES.values() for path in example.folder.iterdir()}
    files = {path for path in shipped_files() if not is_of_the_package(path)}
    others = {path.relative_to(ROOT).as_posix() for path in files - of_examples}
    assert others == {
        "README.md",
        "color_vision.py",
        "regenerate.py",
        "verify_chance.py",
        "verify_published.py",
        "compare_kits.py",
        "kit-cards.md",
        "great-race-balance.md",
        ".gitattributes",
    }
    # Files that are compared byte by byte must come out of a checkout as they went in.
    assert "* -text\n" in (ROOT / ".gitattributes").read_text("utf-8")


@each_example
def test_the_readme_of_an_example_explains_what_is_made(name: str) -> None:
    example = EXAMPLES[name]
    prose = re.sub(r"```.*?```", "", (example.folder / "README.md").read_text("utf-8"), flags=re.DOTALL)
    for made in example.made & example.shipped:
        assert f"`{re.sub(r'[0-9](?=.expected)', 'N', made)}`" in prose, made


def test_no_example_holds_an_address() -> None:
    for path in shipped_files():
        assert re.search(r"[\w.+-]+@[\w-]+\.\w+", path.read_text("utf-8")) is None, path


# --- the script that rewrites them -----------------------------------------------------------------------------------


def test_what_is_spoilt_is_rewritten_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own_set = ROOT / "checkpoint-rally" / "own-set"
    copy = tmp_path / "own-set"
    shutil.copytree(own_set, copy)
    (copy / "log.txt").write_text("spoilt")
    regenerate.main([], root=tmp_path)
    assert capsys.readouterr().out == f"rewritten: {copy / 'log.txt'}\n"
    assert (copy / "log.txt").read_bytes() == (own_set / "log.txt").read_bytes()
    regenerate.main([str(copy)])
    assert capsys.readouterr().out == ""


def test_an_example_runs_no_other_programs(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("```sh\nrm -rf adjudicator\n```\n")
    with pytest.raises(ValueError, match="rm -rf adjudicator"):
        regenerate.Example(tmp_path).replay(tmp_path, regenerate.in_this_process)
