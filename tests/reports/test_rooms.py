"""The rooms of `reports/` form layers."""

from __future__ import annotations

import re
from pathlib import Path

import adjudicator.reports

PACKAGE = Path(adjudicator.reports.__file__).parent
ROOMS = re.findall(r"^\* ``(\w+)/``", adjudicator.reports.__doc__ or "", re.MULTILINE)


def test_every_room_has_a_line() -> None:
    assert sorted(ROOMS) == sorted(file.parent.name for file in PACKAGE.glob("*/__init__.py"))
    assert [file.name for file in PACKAGE.glob("*.py")] == ["__init__.py"]


def test_a_room_imports_only_rooms_above_it() -> None:
    wrong = []
    for file in PACKAGE.glob("*/*.py"):
        above = ROOMS[: ROOMS.index(file.parent.name) + 1]
        named = re.findall(r"(?:from|import) adjudicator\.reports\.(\w+)", file.read_text("utf-8"))
        wrong += [f"{file.parent.name}/{file.name} imports {room}" for room in named if room not in above]
    assert wrong == []


def test_every_file_is_in_the_list_of_its_room() -> None:
    for file in PACKAGE.glob("*/[a-z]*.py"):
        assert f"``{file.name}``" in (file.parent / "__init__.py").read_text("utf-8"), file
