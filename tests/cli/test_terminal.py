"""What a terminal gets: lines of its width, colours, progress bars, and words to complete."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli import output
from adjudicator.core.width import display_width

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs terminals as POSIX has them")

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
GAMES = (
    "checkered-flag/race",
    "checkpoint-charlie/three-players",
    "checkpoint-rally/two-players",
    "great-race/race",
    "rally-round/competition",
)


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", GAMES)
def test_show_follows_the_width_of_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, name: str, width: int) -> None:
    game = ROOT / "examples" / name / "game.json"
    whole = run("show", game, code=0).stdout
    monkeypatch.setattr("adjudicator.cli.show.terminal_width", lambda: width)
    text = run("show", game, code=0).stdout
    assert max(map(display_width, text.splitlines())) <= width
    assert figures_in(whole) <= figures_in(text)


def figures_in(text: str) -> Counter[str]:
    """Return how often ``text`` has each digit; a narrow text may break words, and repeat the sides of a board."""
    return Counter(letter for letter in text if letter.isdigit())


def in_terminal(folder: Path, *words: str, width: int = 70, **more: str) -> str:
    """Run the program with a terminal for its three streams, and return everything that appears on it."""
    import pty

    try:
        parent, child = pty.openpty()
    except OSError as error:
        pytest.skip(f"no terminal can be opened here: {error}")
    environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "COLUMNS": str(width), **more}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.Popen(
        [sys.executable, "-m", "adjudicator", *words], cwd=folder, stdin=child, stdout=child, stderr=child, env=environment
    )
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
def as_in_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return the command line in this process, with streams that say that they are a terminal of a width."""

    def call(*words: object, width: int = 70, **more: str) -> Result:
        with monkeypatch.context() as patch:
            patch.setattr(CliRunner, "isolation", as_terminal(CliRunner.isolation))
            patch.delenv("NO_COLOR", raising=False)
            for name, value in {"TERM": "xterm", "COLUMNS": str(width), **more}.items():
                patch.setenv(name, value)
            return run(*words, code=0)

    return call


@pytest.mark.parametrize(
    "words",
    [
        "log GAME",
        "log GAME --events",
        "replay GAME",
        "replay GAME --boards",
        "report GAME",
        "legal NEW",
        "pending NEW",
        "audit GAME",
        "games",
        "rules checkpoint-rally",
        "components checkpoint-rally",
    ],
)
def test_a_narrow_terminal_gets_lines_of_its_width_and_every_figure(
    run: Run, as_in_terminal: Run, tmp_path: Path, words: str
) -> None:
    game, fresh = ROOT / "examples" / "checkpoint-rally" / "two-players" / "game.json", tmp_path / "new.json"
    run("new", "checkpoint-rally", "--seat", "red=Ann", "--seat", "blue=Bob", "-o", fresh, code=0)
    command = words.replace("GAME", str(game)).replace("NEW", str(fresh)).split()
    whole, text = run(*command, code=0).stdout, as_in_terminal(*command, width=60).output
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "").splitlines()
    assert [line for line in lines if display_width(line) > 60 and " " in line.strip()] == []
    assert figures_in(whole) <= figures_in("".join(lines))


def test_a_log_in_a_terminal_has_the_colours_of_the_seats_and_pales_what_does_not_count(
    run: Run, as_in_terminal: Run, tmp_path: Path
) -> None:
    game = tmp_path / "game.json"
    game.write_bytes((ROOT / "examples" / "checkpoint-rally" / "two-players" / "game.json").read_bytes())
    run("undo", game, "--to", "48", "--reason", "a test", code=0)
    text = in_terminal(tmp_path, "log", str(game), width=200)
    assert "  1  \x1b[1;34mblue\x1b[0m       PLACE" in text and "\x1b[2m 49  " in text
    assert "\x1b" not in as_in_terminal("log", game, width=200, NO_COLOR="1").output


def test_a_narrow_terminal_gets_data_for_programs_unchanged(run: Run, as_in_terminal: Run) -> None:
    game = ROOT / "examples" / "checkpoint-rally" / "two-players" / "game.json"
    for command in ("pending", "show", "log", "audit"):
        assert as_in_terminal(command, game, "--json", width=60).stdout == run(command, game, "--json", code=0).stdout


def test_a_simulation_shows_its_progress_on_a_terminal_only(run: Run, tmp_path: Path) -> None:
    words = ("simulate", "checkered-flag", "--games", "3", "--most-orders", "5")
    assert "of 3" in in_terminal(tmp_path, *words)
    silent = run(*words, code=0)
    assert "played" not in silent.stderr and "\x1b" not in silent.stdout


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("report GAME --all out", "reports made: 4"),
        ("turn GAME -o out", "reports made: 4 of 4"),
        ("verify-chance public.jsonl --reveal GAME", "entries checked: 104"),
        ("replay SCRIPT --import new.json", "adjudications played: 21"),
    ],
)
def test_long_work_shows_its_progress_on_a_terminal(
    run: Run, as_in_terminal: Run, tmp_path: Path, words: str, shown: str
) -> None:
    game = tmp_path / "game.json"
    game.write_bytes((ROOT / "examples" / "checkpoint-rally" / "two-players" / "game.json").read_bytes())
    (tmp_path / "public.jsonl").write_text(run("log", game, "--json", code=0).stdout)
    run("replay", game, "--export", tmp_path / "game.txt", "--with-secret", code=0)
    command = words.replace("GAME", str(game)).replace("SCRIPT", str(tmp_path / "game.txt")).split()
    assert shown in as_in_terminal(*command, width=200).stderr


def test_a_terminal_has_its_own_width_and_others_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert output.terminal_width() is None and output.columns() == 80
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "150")
    assert output.terminal_width() == 150 and output.columns() == 100
    monkeypatch.setenv("COLUMNS", "10")
    assert output.terminal_width() == 40


@pytest.fixture
def completion(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., str]:
    """Return what the program prints in this process where a shell asks it with variables."""
    from adjudicator.__main__ import main

    def call(*words: str, **variables: str) -> str:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("adjudicator.cli.app._heed_signals", lambda: None)
        monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # completion asks it for the program's name
        monkeypatch.setattr("sys.argv", ["adjudicator", *words])
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit):
            main()
        said = capsys.readouterr()
        assert said.err == ""
        return said.out

    return call


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
def test_the_shell_completes_commands_rulesets_and_seats(
    completion: Callable[..., str], tmp_path: Path, words: str, offered: set[str]
) -> None:
    (tmp_path / "game.json").write_bytes((ROOT / "examples" / "checkpoint-rally/two-players/game.json").read_bytes())
    line = ["adjudicator", *words.split()]
    asked = {"_ADJUDICATOR_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(line), "COMP_CWORD": str(len(line) - 1)}
    assert set(completion(**asked).split()) == offered


@pytest.mark.parametrize(
    ("shell", "words"),
    [
        ("bash", "complete -o default -F _adjudicator_completion adjudicator"),
        ("zsh", "compdef _adjudicator_completion adjudicator"),
        ("fish", "complete --command adjudicator "),
    ],
)
def test_each_shell_gets_its_script(completion: Callable[..., str], shell: str, words: str) -> None:
    assert words in completion("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")


def test_outcomes_have_colours_unless_nobody_wants_them(as_in_terminal: Run) -> None:
    game = ROOT / "examples" / "checkpoint-rally" / "two-players" / "game.json"
    assert "\x1b[32mverified\x1b[0m" in as_in_terminal("audit", game, width=300).stdout
    assert "\x1b" not in as_in_terminal("audit", game, width=300, NO_COLOR="1").stdout
