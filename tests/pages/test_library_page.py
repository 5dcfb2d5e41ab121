"""The page about the library: each piece of code runs, and prints what the page shows."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "library.md").read_text("utf-8")
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
OPENING, OTHERS, ARCHIVE, *RECIPES = (part for part in re.split(r"^(?=##+ )", PAGE, flags=re.MULTILINE))
PGN = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n"
HAND = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
actions = ["d dh p1 AsAh", "d dh p2 KsKh", "p2 cbr 6", "p1 f"]
"""


def title_of(part: str) -> str:
    return part.partition("\n")[0].strip("# ")


@pytest.fixture
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names of the first piece of code, which has run in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples" / "checkpoint-rally", tmp_path / "examples" / "checkpoint-rally")
    (tmp_path / "game.pgn").write_text(PGN)
    (tmp_path / "hand.phh").write_text(HAND)
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


def libraries() -> Iterator[Any]:
    for block in BLOCK.finditer(OTHERS):
        other = next((name for name in ("chess", "pokerkit") if name in block[1]), "adjudicator")
        yield pytest.param(block[0], other, id=f"{other} at {block.start()}")


@pytest.mark.parametrize(("block", "library"), list(libraries()))
def test_the_same_in_other_libraries(block: str, library: str, known: dict[str, Any]) -> None:
    pytest.importorskip(library, reason=f"the comparison needs {library}: pip install -e '.[bench]'")
    assert run(block, dict(known))


def test_a_task_takes_no_more_lines_than_in_other_libraries() -> None:
    """Random play as in python-chess, the replay as in PokerKit and python-chess; imports count."""
    lines = {block.start(): len(block[1].strip().splitlines()) for block in BLOCK.finditer(OTHERS)}
    play_chess, play, replay_chess, replay_poker, replay = (lines[at] for at in sorted(lines))
    assert play <= play_chess
    assert replay <= min(replay_chess, replay_poker)


def test_there_are_twelve_recipes() -> None:
    assert len(RECIPES) == 12


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
