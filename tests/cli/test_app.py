"""All commands are declared with typer, and load only what they need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import pytest
from typer.models import ArgumentInfo, OptionInfo

from adjudicator.cli.app import app_for

RACE = Path(__file__).parents[2] / "examples" / "checkered-flag" / "race"
COMMANDS = {command.name: command.callback for command in app_for().registered_commands}


@pytest.mark.parametrize("name", COMMANDS)
def test_typer_declares_every_parameter(name: str) -> None:
    hints = get_type_hints(COMMANDS[name], include_extras=True)
    del hints["return"]
    notes = {key: get_args(hint)[1:] if get_origin(hint) is Annotated else () for key, hint in hints.items()}
    assert {key for key, (note, *_) in notes.items() if not isinstance(note, (ArgumentInfo, OptionInfo))} == set()


_HEAVY = {"annotated_types", "jinja2", "jsonschema", "lark", "pydantic", "rich"}
UNUSED = {"show": _HEAVY | {"filelock", "html", "logging"}, "apply": _HEAVY}
"""What the commands must not load."""
MOST_MODULES = {"show": 130, "apply": 160}
"""Modules of the program itself: a few more than there are."""


@pytest.mark.parametrize("command", UNUSED)
def test_a_command_loads_only_what_it_needs(command: str, tmp_path: Path) -> None:
    """Each module takes its time at every start: counted here, so that none comes back unnoticed."""
    (tmp_path / "game.json").write_bytes((RACE / "start.json").read_bytes())
    (tmp_path / "orders.txt").write_bytes(b"blue:\n  GEAR 1\n  GEAR 2 brake 1\n")
    words = {"show": ["show", "game.json"], "apply": ["apply", "game.json", "orders.txt", "-o", "new.json"]}[command]
    script = f"import atexit, sys; sys.argv[1:] = {words!r}\natexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
    script += "from adjudicator.__main__ import main\nmain()"
    for _ in range(2):  # the first one may have tables to make
        done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = done.stderr.split()
    assert UNUSED[command] & set(loaded) == set()
    others = {name for name in loaded if name.startswith("adjudicator.games.") and "checkered_flag" not in name}
    assert others <= {"adjudicator.games"}
    own = [name for name in loaded if name.partition(".")[0] == "adjudicator"]
    assert len(own) <= MOST_MODULES[command], len(own)
