"""What a terminal gets: lines of its width, colours, progress bars, and words to complete."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.drivers.commands import ROOT, Run, argv, process

pytestmark = pytest.mark.posix
GAMES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "examples").glob("*/*/game.json"))
RALLY = "examples/checkpoint-rally/two-players/game.json"


def figures_in(text: str) -> Counter[str]:
    """Return how often ``text`` has each digit; a narrow text may break words, and repeat the sides of a board."""
    return Counter(letter for letter in text if letter.isdigit())


def columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else not unicodedata.combining(sign) for sign in line)


def in_terminal(*words: str, width: int = 70) -> str:
    """Run the program with a terminal for its three streams, and return everything that appears on it."""
    import pty

    try:
        parent, child = pty.openpty()
    except OSError as error:
        pytest.skip(f"no terminal can be opened here: {error}")
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "COLUMNS": str(width)}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, "-m", "adjudicator", *words]
    done = subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environment)
    os.close(child)
    shown = b""
    try:
        while piece := os.read(parent, 1 << 16):
            shown += piece
    except OSError:  # Linux reports the end of a terminal as an error
        pass
    os.close(parent)
    assert done.wait() == 0, shown
    return shown.decode()


def as_terminal(isolation: Callable[..., Any]) -> Callable[..., Any]:
    """Let the streams of a command in this process say that they are a terminal."""

    @contextmanager
    def isolated(*given: Any, **named: Any) -> Iterator[Any]:
        with isolation(*given, **named) as streams, pytest.MonkeyPatch.context() as patch:
            for stream in (sys.stdin, sys.stdout, sys.stderr):
                patch.setattr(stream, "isatty", lambda: True)
            yield streams

    return isolated


@pytest.fixture
def terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return the command line in this process, with streams that say that they are a terminal of a width."""

    def call(*words: object, width: int = 70, **more: str) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr(CliRunner, "isolation", as_terminal(CliRunner.isolation))
            patch.delenv("NO_COLOR", raising=False)
            for name, value in {"TERM": "xterm", "COLUMNS": str(width), **more}.items():
                patch.setenv(name, value)
            return run(*words, code=0)

    return call


@pytest.fixture
def game(run: Run) -> str:
    return str(shutil.copy(ROOT / RALLY, "game.json"))


def plain(text: str) -> list[str]:
    """Return the lines of ``text`` without colours."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "").splitlines()


LINES = """\
log game.json
log game.json --events
replay game.json
replay game.json --boards
report game.json
legal new.json
pending new.json
audit game.json
games
rules checkpoint-rally
games checkpoint-rally
"""


@pytest.mark.parametrize("line", [*LINES.splitlines(), *(f"show {path}" for path in GAMES)])
def test_a_narrow_terminal_gets_lines_of_its_width_and_every_figure(run: Run, terminal: Run, game: str, line: str) -> None:
    run("new", "checkpoint-rally", "--seat", "red=Ann", "--seat", "blue=Bob", "-o", "new.json", code=0)
    command = [str(ROOT / word) if word in GAMES else word for word in line.split()]
    whole = run(*command, code=0).stdout
    for width in (60, 80, 120) if line.startswith("show") else (60,):
        lines = plain(terminal(*command, width=width).output)
        assert [one for one in lines if columns(one) > width and " " in one.strip()] == []
        assert figures_in(whole) <= figures_in("".join(lines))


def test_a_terminal_has_at_least_40_columns_and_other_outputs_no_width(run: Run, terminal: Run, game: str) -> None:
    whole = run("log", game, code=0).stdout
    assert plain(terminal("log", game, width=300).output) == whole.splitlines()
    narrow = terminal("log", game, width=10).output
    assert narrow == terminal("log", game, width=40).output != terminal("log", game, width=41).output
    for command in ("pending", "show", "log", "audit"):
        assert terminal(command, game, "--json", width=60).stdout == run(command, game, "--json", code=0).stdout


def test_colours_are_for_terminals_that_want_them(run: Run, terminal: Run, game: str) -> None:
    run("undo", game, "--to", "48", "--reason", "a test", code=0)
    text = in_terminal("log", game, width=200)
    assert "  1  \x1b[1;34mblue\x1b[0m       PLACE" in text and "\x1b[2m 49  " in text, "seats, and what does not count"
    assert "\x1b[32mverified\x1b[0m" in terminal("audit", game, width=300).stdout
    for line in (("log", game), ("audit", game), ("show", game)):
        assert "\x1b[" in terminal(*line, width=300).output
        assert "\x1b" not in terminal(*line, width=300, NO_COLOR="1").output
        assert "\x1b" not in run(*line, code=0).output


SECRET = json.loads((ROOT / RALLY).read_bytes())["chance"]["secret"]


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("report game.json --all out", "reports made: 4"),
        ("turn game.json -o out", "reports made: 4 of 4"),
        (f"audit --published public.jsonl --reveal {SECRET}", "entries checked: 52"),
        ("script game.txt -o new.json", "adjudications played: 21"),
    ],
)
def test_long_work_shows_its_progress_on_a_terminal_only(run: Run, terminal: Run, game: str, line: str, shown: str) -> None:
    Path("public.jsonl").write_text(run("log", game, "--json", code=0).stdout)
    run("script", game, "-o", "game.txt", "--with-secret", code=0)
    assert shown in terminal(*line.split(), width=200).stderr
    again = [word.replace("new.json", "again.json").replace("out", "again") for word in line.split()]
    assert shown not in run(*again, code=0).stderr


def test_a_simulation_shows_its_progress(run: Run) -> None:
    words = argv("simulate checkered-flag --games 3 --most-orders 5")
    assert "of 3" in in_terminal(*words)
    silent = run(*words, code=0)
    assert "played" not in silent.stderr and "\x1b" not in silent.stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("simu", {"simulate"}),
        ("new check", {"checkered-flag", "checkpoint-charlie", "checkpoint-rally"}),
        ("show game.json --as r", {"red"}),
        ("show absent.json --as r", set()),
        ("report game.json --fo", {"--format", "--force"}),
    ],
)
def test_the_shell_completes_commands_rulesets_and_seats(game: str, words: str, offered: set[str]) -> None:
    line = ["adjudicator", *words.split()]
    asked = {"_ADJUDICATOR_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(line), "COMP_CWORD": str(len(line) - 1)}
    before = "import sys; sys.argv[0] = 'adjudicator'"
    done = process(before=before, env={**os.environ, **asked})
    assert (set(done.stdout.decode().split()), done.stderr) == (offered, b"")


def test_each_shell_gets_its_script(run: Run) -> None:
    for shell, words in (
        ("bash", b"complete -o default -F _adjudicator_completion adjudicator"),
        ("zsh", b"compdef _adjudicator_completion adjudicator"),
        ("fish", b"complete --command adjudicator "),
    ):
        environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
        program = Path(sys.executable).with_name("adjudicator")
        done = subprocess.run([program, "--show-completion", shell], env=environment, capture_output=True, check=True)
        assert words in done.stdout
