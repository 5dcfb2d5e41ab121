"""Asked to end by the system or by a terminal that goes: cleaned up as with Ctrl-C, and the exit code says so."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[bytes]]
Orders = Callable[[str], str]
SELF = "import os, signal, sys; os.{step} = lambda *_: os.kill(os.getpid(), signal.{name})"


@pytest.mark.parametrize(
    ("name", "code", "step"),
    [("SIGTERM", 143, "fsync"), ("SIGTERM", 143, "replace"), ("SIGHUP", 129, "fsync"), ("SIGINT", 130, "replace")],
)
def test_a_signal_leaves_the_old_file_and_nothing_else(
    process: Process, game: Path, orders: Orders, name: str, code: int, step: str
) -> None:
    before, turn = game.read_bytes(), orders("red: MOVE D3\n")
    found = process("apply", game, turn, before=SELF.format(step=step, name=name))
    assert found.returncode == code, found.stderr
    assert b"interrupted" in found.stderr
    assert b"Traceback" not in found.stderr
    assert game.read_bytes() == before
    assert {path.name for path in game.parent.iterdir()} == {"rally.json", turn}


def test_a_signal_that_is_ignored_stays_so(process: Process, game: Path, orders: Orders) -> None:
    """As `nohup` has it."""
    script = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); {SELF.format(step='fsync', name='SIGHUP')}"
    found = process("apply", game, orders("red: MOVE D3\n"), before=script)
    assert found.returncode == 0, found.stderr


# Who may look into what is written -------------------------------------------------------------------------------------


def test_a_new_game_is_its_moderator_s_alone_and_a_log_everybody_s(run: Run, game: Path, orders: Orders) -> None:
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "-o", "new.json", code=0)
    run("apply", game, orders("red: MOVE D3\n"), "-o", "next.json", "--log", "log.jsonl", code=0)
    run("show", game, "--as", "red", "--svg", "red.svg", code=0)
    modes = {name: stat.S_IMODE(Path(name).stat().st_mode) for name in ("new.json", "next.json", "red.svg", "log.jsonl")}
    assert {modes.pop(name) for name in ("new.json", "next.json", "red.svg")} == {0o600}
    assert modes["log.jsonl"] & 0o444 != 0o400


def test_the_secret_need_not_stand_on_the_command_line(run: Run) -> None:
    """There everybody sees it who sees what runs on the machine."""
    secret = "ab" * 32
    seats = ("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--id", "x")
    Path("secret").write_text(f"\n {secret.upper()}\n")
    run(*seats, "--seed", secret, "-o", "a.json", code=0)
    run(*seats, "--seed", "secret", "-o", "b.json", code=0)
    run(*seats, "--seed", "-", "-o", "c.json", stdin=f"{secret}\n", code=0)
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes() == Path("c.json").read_bytes()
    Path("two").write_text(f"{secret} {secret}")
    assert "secret of chance" in run(*seats, "--seed", "two", "-o", "d.json", code=2).stderr
    assert "secret of chance" in run(*seats, "--seed", "-", "-o", "d.json", stdin="", code=2).stderr
    assert "only once" in run(*seats, "--seed", "-", "--setup", "-", "-o", "d.json", code=2).stderr
