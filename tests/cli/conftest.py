"""The command line run inside this process (quick) or in one of its own, over a game whose position is known."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

Run = Callable[..., Result]

POSITION = {
    "seats": [
        {"seat": "red", "card": "K1", "cell": "C3", "hand": ["H2", "H3", "G1"], "gps": 0},
        {"seat": "blue", "card": "K2", "cell": "A1", "hand": ["U1", "U2"], "minutes": 5},
    ],
    "board": [
        {"cell": "C3", "tile": "H13"},
        {"cell": "D3", "tile": "H14"},
        {"cell": "C2", "tile": "G13"},
        {"cell": "B3", "tile": "H1"},
        {"cell": "A1", "tile": "U13"},
    ],
    "row": ["H4", "H5", "H6"],
}
"""Red is due, has spent its GPS updates and stands on C3, from where roads lead to D3 and C2, but not to B3."""


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Return the command line in a process of its own, in the same folder; ``before`` is Python code that runs first."""

    def call(*arguments: object, before: str = "", **options: Any) -> subprocess.CompletedProcess[bytes]:
        script = f"{before}\nfrom adjudicator.__main__ import main\nmain()"
        command = [sys.executable, "-c", script] if before else [sys.executable, "-m", "adjudicator"]
        options = {"capture_output": True, "cwd": tmp_path, "timeout": 60, **options}
        return subprocess.run([*command, *map(str, arguments)], check=False, **options)

    return call


@pytest.fixture(scope="session")
def game_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the file of a game that begins from ``POSITION``."""
    from adjudicator.cli.app import app_for

    folder = tmp_path_factory.mktemp("game")
    (folder / "setup.json").write_text(json.dumps(POSITION))
    arguments = ["new", "checkpoint-rally", "--seat", "red=Ann", "--seat", "blue=Bob", "--id", "rally", "--seed", "ab" * 32]
    arguments += ["--setup", str(folder / "setup.json"), "-o", str(folder / "rally.json")]
    result = CliRunner().invoke(app_for(), arguments)
    assert result.exit_code == 0, result.output
    return (folder / "rally.json").read_bytes()


@pytest.fixture
def game(tmp_path: Path, game_bytes: bytes) -> Path:
    """Return the path ``rally.json`` of a game that begins from ``POSITION``."""
    path = tmp_path / "rally.json"
    path.write_bytes(game_bytes)
    return path


@pytest.fixture
def orders(tmp_path: Path) -> Callable[[str], str]:
    """Return a writer of turn files: text in, the name of the file out."""

    def write(text: str | bytes, name: str = "turn.txt") -> str:
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    return write
