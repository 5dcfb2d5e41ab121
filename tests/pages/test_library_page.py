"""The page about the library: each piece of code runs, and prints what the page shows."""

from __future__ import annotations

import re
import shutil
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "library.md").read_text("utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
OPENING, ARCHIVE, *RECIPES = (part for part in re.split(r"^(?=##+ )", PAGE, flags=re.MULTILINE))


def title_of(part: str) -> str:
    return part.partition("\n")[0].strip("# ")


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names of the first piece of code, which has run in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples" / "checkpoint-rally", tmp_path / "examples" / "checkpoint-rally")
    names: dict[str, Any] = {"__name__": "page"}
    run(OPENING, names)
    return names


def run(part: str, names: dict[str, Any]) -> str:
    """Run the code in a ``part`` of the page, and compare its output with the one on the page; return the last output."""
    blocks = list(BLOCK.finditer(part))
    assert blocks
    for block in blocks:
        said = StringIO()
        with redirect_stdout(said):
            exec(compile(block[1], f"docs/library.md: {title_of(part)}", "exec"), names)
        assert block[2] is None or said.getvalue() == block[2]
    return said.getvalue()


@pytest.mark.parametrize("recipe", RECIPES, ids=title_of)
def test_a_recipe(recipe: str, known: dict[str, Any]) -> None:
    run(ARCHIVE, known)
    run(recipe, known)


def test_a_data_frame_takes_the_rows(known: dict[str, Any]) -> None:
    pandas = pytest.importorskip("pandas", reason="a data frame needs pandas: pip install pandas")
    run(ARCHIVE, known)
    run(RECIPES[0], known)
    assert len(pandas.DataFrame(known["rows"])) == len(known["rows"])


def test_the_page_names_only_what_the_package_has() -> None:
    assert set(re.findall(r"\badj\.(\w+)", PAGE)) <= set(adj.__all__)
