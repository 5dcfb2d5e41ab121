"""The page for new contributors says what is so: its files are there, and an order takes the way it tells."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from typer.testing import Result

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "adjudicator"
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
RACE = ROOT / "examples" / "checkered-flag" / "race"
STATIONS = re.findall(r"^\| \d+ \| `([^`]+)` \| `(\w+)` \|", PAGE, re.MULTILINE)
MOST_STATIONS = 10
"""More files than these nobody should have to read to follow an order."""


def named_files() -> Iterator[str]:
    """Yield the files and folders of the program that the page names with their folder."""
    yield from re.findall(r"`((?:\w+/)+(?:[\w.]+)?)`", PAGE)


@pytest.mark.parametrize("name", sorted(set(named_files())))
def test_what_the_page_names_is_there(name: str) -> None:
    assert (PACKAGE / name).exists() or (ROOT / name).exists()


def test_every_part_of_the_program_has_its_place_on_the_page() -> None:
    parts = {path.stem for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").is_file()}
    assert {part for part in parts if f"{part}/" not in PAGE} == set()


def test_the_way_of_an_order_is_short() -> None:
    assert 5 < len(STATIONS) <= MOST_STATIONS
    assert len({file for file, _ in STATIONS}) == len(STATIONS)


def test_an_order_takes_the_way_that_the_page_tells(run: Callable[..., Result]) -> None:
    called: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            called.append((str(Path(frame.f_code.co_filename).relative_to(PACKAGE)), frame.f_code.co_name))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run("apply", RACE / "start.json", RACE / "turn-01.txt", "--dry-run")
    finally:
        sys.setprofile(before)
    rest = iter(called)
    for file, function in STATIONS:
        station = file.replace("<game>", "checkered_flag"), function
        assert station in rest, f"{station} is not where the page has it"
