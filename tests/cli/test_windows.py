"""The program needs nothing that only POSIX systems have: their modules, calls and time zones are hidden, as on Windows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

HIDDEN = """
import asyncio, filelock, mailbox, multiprocessing.popen_fork, multiprocessing.popen_spawn_posix, os, shutil, signal
import socketserver, subprocess, sys, tempfile, types
wholes = [(name, module, types.SimpleNamespace(**vars(module))) for name, module in (("os", os), ("signal", signal))]
for user in [*sys.modules.values()]:
    for name, module, whole in wholes:
        if vars(user).get(name) is module and vars(user) is not globals():
            setattr(user, name, whole)
# The modules so far have asked for themselves what the system offers. The program has to ask as well:
for module in "fcntl grp posix_ipc pty pwd readline resource syslog termios tty tzdata".split():
    sys.modules[module] = None
for name in (
    "chown fchmod fchown fork forkpty getegid geteuid getgid getgroups getpgid getpgrp getpriority getuid killpg lchown"
    " mkfifo mknod nice O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC openpty"
    " sched_getaffinity setpgid setsid sync sysconf uname wait wait3 wait4"
).split():
    vars(os).pop(name, None)
for name in (
    "SIGALRM SIGHUP SIGKILL SIGPROF SIGQUIT SIGUSR1 SIGUSR2 SIGVTALRM SIGXCPU ITIMER_PROF ITIMER_REAL alarm getitimer"
    " pause pthread_kill pthread_sigmask setitimer sigpending sigwait siginterrupt"
).split():
    vars(signal).pop(name, None)
del os.kill  # there it ends a process, whatever the signal
"""


COMMANDS = """
sys.modules["resvg_py"] = None  # to draw PNG takes long, and is the same on each system
from adjudicator.__main__ import main
for line in sys.argv.pop().splitlines():
    sys.argv[1:] = line.split()
    try:
        main()
    except SystemExit as left:
        assert not left.code, line
"""


def run(folder: Path, lines: str) -> str:
    """Run the command ``lines`` in ``folder`` without the calls of POSIX systems, and return what they print."""
    command = [sys.executable, "-c", HIDDEN + COMMANDS, lines.strip()]
    surroundings = {**os.environ, "PYTHONUTF8": "1", "PYTHONTZPATH": ""}
    done = subprocess.run(command, cwd=folder, env=surroundings, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_games_are_played_audited_and_archived(tmp_path: Path) -> None:
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "orders.txt").write_text("red: GEAR 1 go\nblue: GEAR 1 go\n")
    lines = """
        new checkered-flag --seat red=Ann --seat blue=Bob -o race.json
        turn race.json mails -o out
        undo race.json --to 1 --reason mistake
        report race.json --as red -o red.html
        replay race.json -o replay.html
        simulate checkered-flag --games 2 --jobs 2
        audit race.json
        archive games.jsonl.zst race.json
        site games.jsonl.zst -o public --jobs 1
    """
    assert "1 verified" in run(tmp_path, lines)


def test_a_club_runs(tmp_path: Path) -> None:
    lines = """
        new checkered-flag --seat red=Ann --seat blue=Bob -o race.json
        club init thursday --name Thursday --address club@example.org --moderator me@example.org --zone UTC
        club add thursday race.json --seat red=ann@example.org --seat blue=bob@example.org
        club run thursday --once
        club doctor thursday
        club status thursday
        club backup thursday copy
    """
    assert "Thursday" in run(tmp_path, lines)


def test_a_ruleset_of_another_package_is_played(tmp_path: Path) -> None:
    run(tmp_path, "new-ruleset my-game")
    (tmp_path / "my_game-1.dist-info").mkdir()
    (tmp_path / "my_game-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: my-game\nVersion: 1\n")
    (tmp_path / "my_game-1.dist-info" / "entry_points.txt").write_text("[adjudicator.rulesets]\nmy-game = my_game:META\n")
    (tmp_path / "my-game" / "my_game").rename(tmp_path / "my_game")
    lines = """
        games
        new my-game --seat ann --seat bob -o game.json
        apply game.json my-game/turn-1.txt
        audit game.json
    """
    assert "1 verified" in run(tmp_path, lines)


PREPARE = """
import distributed, numpy, platformdirs.unix, pytest, xdist
"""
"""Load what asks at its start whether this is Windows."""


@pytest.mark.soak
def test_the_quick_tests_run(tmp_path: Path) -> None:
    """The tests need nothing else either, but for those that are marked, and for a cluster, whose library knows Windows."""
    code = f"{PREPARE}{HIDDEN}\nsys.exit(pytest.main(sys.argv[1:]))"
    chosen = ["-q", "-n", "0", "-p", "no:cacheprovider", "-m", "quick and not posix", f"--basetemp={tmp_path / 'base'}"]
    command = [sys.executable, "-c", code, *chosen, "--ignore=tests/cluster"]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
