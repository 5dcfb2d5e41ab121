"""Command lines that are read without typer mean what they mean to typer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from adjudicator.cli import show, turns
from adjudicator.cli.declared import for_typer
from adjudicator.cli.plain_call import plain_call

RACE = Path(__file__).parents[2] / "examples" / "checkered-flag" / "race"
COMMANDS = {"apply": turns.apply, "check": turns.check, "show": show.show, "legal": show.legal, "log": show.log}
PLAIN = [
    "apply game.json",
    "apply game.json orders.txt",
    "apply game.json red=a.eml b.txt - -o new.json --log minutes.jsonl --strict",
    "apply --json game.json --output=new.json orders.txt --dry-run --force",
    "apply -- game.json -odd --json",
    "apply game.json -o -",
    "check game.json a.txt --as red --strict",
    "show game.json",
    "show - --as red --svg - --section TC3",
    "show game.json --json --force --html a.html --csv=b.csv",
    "legal game.json --kind PLACE --kind MOVE",
    "log game.json --json",
]
DOUBTFUL = [
    "apply",
    "apply --help",
    "apply -h game.json",
    "apply game.json --outptu new.json",
    "apply game.json -onew.json",
    "apply game.json -o",
    "apply game.json -o --strict",
    "apply game.json --strict=yes",
    "apply game.json --log a --log b",
    "apply game.json --output=",
    "show a.json b.json",
    "show game.json -",
    "legal game.json --limit 3",
    "legal game.json --limit",
]


def by_typer(command: Any, words: Sequence[str]) -> dict[str, Any]:
    """Return what typer gives ``command`` for ``words``."""
    given: dict[str, Any] = {}
    told = for_typer(command)

    def note(**values: Any) -> None:
        given.update(values)

    note.__signature__, note.__annotations__ = told.__signature__, told.__annotations__  # type: ignore[attr-defined]
    app = typer.Typer(rich_markup_mode=None)
    app.command()(note)
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return given


@pytest.mark.parametrize("line", PLAIN)
def test_a_plain_line_means_what_typer_reads(line: str) -> None:
    name, *words = line.split(" ")
    found = plain_call(COMMANDS[name], words)
    assert found is not None
    defaults = {option: value for option, value in by_typer(COMMANDS[name], words).items() if option not in found}
    assert {**defaults, **found} == by_typer(COMMANDS[name], words)
    assert not any(defaults.values())


@pytest.mark.parametrize("line", DOUBTFUL)
def test_where_there_is_any_doubt_typer_reads(line: str) -> None:
    name, *words = line.split(" ")
    assert plain_call(COMMANDS[name], words) is None


def test_who_completes_words_asks_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plain_call(show.show, ["game.json"]) is not None
    monkeypatch.setenv("_ADJUDICATOR_COMPLETE", "complete_bash")
    assert plain_call(show.show, ["game.json"]) is None


_HEAVY = {"annotated_types", "jinja2", "jsonschema", "lark", "pydantic", "rich", "typer"}
_UNUSED = _HEAVY | {"filelock", "logging", "traceback"}
UNUSED = {"show": _UNUSED | {"difflib", "html"}, "apply": _UNUSED}
"""What the commands must not load."""
MOST_MODULES = {"show": 126, "apply": 167}
"""A few more than there are, beside the standard library."""


@pytest.mark.parametrize("command", UNUSED)
def test_a_command_loads_only_what_it_needs(command: str, tmp_path: Path) -> None:
    """Each module takes its time at every start: counted here, so that none comes back unnoticed."""
    (tmp_path / "game.json").write_bytes((RACE / "start.json").read_bytes())
    (tmp_path / "orders.txt").write_bytes(b"blue:\n  GEAR 1\n  GEAR 2 brake 1\n")
    words = {"show": ["show", "game.json"], "apply": ["apply", "game.json", "orders.txt", "-o", "new.json"]}[command]
    script = f"import atexit, sys; sys.argv[1:] = {words!r}\natexit.register(lambda: print(*LOADED(), file=sys.stderr))\n"
    script += "LOADED = lambda: list(sys.modules)\n"
    script += "from adjudicator.__main__ import main\nmain()"
    for _ in range(2):  # the first one may have tables to make
        done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    loaded = done.stderr.split()
    assert UNUSED[command] & set(loaded) == set()
    others = {name for name in loaded if name.startswith("adjudicator.games.") and "checkered_flag" not in name}
    assert others <= {"adjudicator.games"}
    own = [name for name in loaded if name.partition(".")[0] not in sys.stdlib_module_names]
    assert len(own) <= MOST_MODULES[command], len(own)
