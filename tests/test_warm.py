"""A process that need not load the program ends, reads and writes like one that does."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
import warm

ECHO = "import os, sys; print(sys.argv[1:], os.getcwd(), os.environ['X'], sys.stdin.read()); print('no', file=sys.stderr); "


def both(folder: Path, code: str, *arguments: str) -> list[tuple[int, str, str]]:
    found = []
    for program in (warm.program(code), [sys.executable, *(("-c", code) if code else ("-m", "adjudicator"))]):
        environment = {"X": "here", "PYTHONPATH": str(warm.ROOT)}
        done = subprocess.run(
            [*program, *arguments], cwd=folder, env=environment, input="in", capture_output=True, text=True, check=False
        )
        found.append((done.returncode, done.stdout, done.stderr))
    return found


@pytest.mark.parametrize("end", ["", "sys.exit(7)", "sys.exit('words')", "os._exit(3)", "os.kill(os.getpid(), 9)"])
def test_it_is_like_any_other(tmp_path: Path, end: str) -> None:
    one, other = both(tmp_path, ECHO + end, "a", "b c")
    assert one == other


@pytest.mark.parametrize("words", [("rules", "checkered-flag", "CF-B2"), ("show", "nothing.json"), ("games", "--json")])
def test_so_are_commands(tmp_path: Path, words: tuple[str, ...]) -> None:
    one, other = both(tmp_path, "", *words)
    assert one == other


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs signals as POSIX has them")
def test_it_is_sent_the_signals_of_who_asked() -> None:
    with subprocess.Popen([*warm.program("print(1, flush=True); import signal; signal.pause()")], stdout=-1) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGTERM)
    assert process.returncode == -signal.SIGTERM
