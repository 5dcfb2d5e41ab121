"""The page for new contributors is right: its files exist, and an order takes the way that it describes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from runpy import run_path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "adjudicator"
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
RACE = ROOT / "examples" / "checkered-flag" / "race"
STATIONS = re.findall(r"^\| \d+ \| `([^`]+)` \| `(\w+)` \|", PAGE, re.MULTILINE)
WATCHED = """
import sys
from adjudicator.__main__ import main
called = []
def note(frame, event, _):
    if event == "call":
        called.append(f"{frame.f_code.co_filename} {frame.f_code.co_name}")
sys.setprofile(note)
try:
    main()
finally:
    sys.setprofile(None)
    sys.stderr.write("\\n".join(called))
"""
"""The program, told by each function that it calls: file and name."""
MOST_WORDS = 620
MOST_STATIONS = 10
"""More files than these nobody should have to read to follow an order."""


def named_files() -> Iterator[str]:
    """Yield the files and folders of the program that the page names with their folder."""
    yield from re.findall(r"`((?:\w+/)+(?:[\w.]+)?)`", PAGE)


def test_what_the_page_names_is_there() -> None:
    assert [name for name in named_files() if not (PACKAGE / name).exists() and not (ROOT / name).exists()] == []


def test_the_drawing_of_the_layers_is_what_their_list_says() -> None:
    """To draw it again: `python .ci/layers.py > docs/pictures/layers.svg`. `tests/test_walls.py` holds the list."""
    picture = (ROOT / "docs" / "pictures" / "layers.svg").read_text("utf-8")
    layers = run_path(str(ROOT / ".ci" / "layers.py"))
    assert picture == layers["drawing"]() + "\n"
    assert re.findall(r">([^<]+)</text>", picture)[0] == f"{len(layers['LAYERS'])}. {layers['LAYERS'][-1][0]}"
    assert "](pictures/layers.svg)" in PAGE


def test_the_page_is_short() -> None:
    """The drawing, the way of an order and the walls fit three screens; `tests/pages/test_docs_site.py` measures."""
    assert len(PAGE.split()) <= MOST_WORDS


def test_the_files_that_a_package_lists_exist() -> None:
    listed = [
        package.parent / name
        for package in PACKAGE.rglob("__init__.py")
        for name in re.findall(r"``(\w+\.py|templates/)``", package.read_text("utf-8").split('"""')[1])
    ]
    assert len(listed) > 100
    assert [path for path in listed if not path.exists()] == []


def test_a_package_that_lists_its_files_lists_all() -> None:
    for package in PACKAGE.rglob("__init__.py"):
        files = {file.name for file in package.parent.glob("*.py")} - {"__init__.py", "__main__.py"}
        listed = set(re.findall(r"``(\w+\.py)``", package.read_text("utf-8").split('"""')[1]))
        if 2 * len(files & listed) > len(files):
            assert files - listed == set(), package


def test_the_way_of_an_order_is_short() -> None:
    assert 5 < len(STATIONS) <= MOST_STATIONS
    assert len({file for file, _ in STATIONS}) == len(STATIONS)


def test_an_order_takes_the_way_that_the_page_tells(tmp_path: Path) -> None:
    """In a process of its own: here another test may have read the order already, and what was read is remembered."""
    told = subprocess.run(
        [sys.executable, "-c", WATCHED, "apply", RACE / "start.json", RACE / "turn-01.txt", "--dry-run"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    rest = iter(told.stderr.splitlines())
    for file, function in STATIONS:
        station = f"{PACKAGE / file.replace('<game>', 'checkered_flag')} {function}"
        assert station in rest, f"{station} is not where the page has it"


KINDS = {".", "attacks", "commands", "examples", "pages", "recorded", "replay", "soak"}
"""Folders of tests that follow whole games through the program; the others have the name of the part that they test."""


def test_the_folders_of_the_tests_are_those_of_the_package() -> None:
    tests = ROOT / "tests"
    folders = {str(path.parent.relative_to(tests)) for path in tests.rglob("test_*.py")}
    assert {folder for folder in folders - KINDS if not (PACKAGE / folder).is_dir()} == set()
