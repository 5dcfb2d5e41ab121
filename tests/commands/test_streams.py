"""Nothing is ever lost: disks that fail, interrupts, signals, readers that go away, closed streams, permissions, Windows."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from tests.drivers.commands import Run, process, rally, rally_bytes, written

GOOD = "red: MOVE D3\n"
IS_ROOT = os.name == "posix" and os.geteuid() == 0
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def names() -> set[str]:
    return {path.name for path in Path.cwd().iterdir()}


def accepted(path: Path) -> list[str]:
    return [row.order for row in adj.open(path).seen_by("moderator").log()][1:]


@pytest.fixture
def game(run: Run) -> Path:
    """Return a game, with good orders in `turn.txt` and bad ones in `bad.txt` beside it."""
    written(GOOD)
    written("red: MOVE Z9", "bad.txt")
    return rally()


FILES = {"rally.json", "turn.txt", "bad.txt"}

# Disks that fail ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", ["write", "fsync", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_a_disk_that_fails_leaves_the_game_as_it_was(
    run: Run, game: Path, monkeypatch: pytest.MonkeyPatch, function: str, number: int
) -> None:
    run("check", game, "turn.txt", code=0)  # which stores the tables of the grammar, if nobody has yet

    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(f"os.{function}", fail)
        result = run("apply", game, "turn.txt", code=2)
    assert result.stderr == f"adjudicator: {game}: the file cannot be written: {os.strerror(number)}\n"
    assert (result.stdout, game.read_bytes(), names()) == ("", rally_bytes(), FILES)
    run("apply", game, "turn.txt", code=0)


FULL_DISK = """
set -e
mount -t tmpfs -o size=32k tmpfs full
cp rally.json turn.txt full/
dd if=/dev/zero of=full/filler bs=1k count=64 2>/dev/null || true
code=0
"$PYTHON" -m adjudicator apply full/rally.json full/turn.txt || code=$?
cmp rally.json full/rally.json
ls -A full >listed
exit $code
"""


@pytest.mark.skipif(not shutil.which("unshare"), reason="needs unshare")
def test_a_full_disk_leaves_the_game_as_it_was(game: Path) -> None:
    Path("full").mkdir()
    command = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    if subprocess.run([*command, "mount -t tmpfs tmpfs full"], capture_output=True, check=False).returncode:
        pytest.skip("not allowed to mount")
    environment = {**os.environ, "PYTHON": sys.executable}
    result = subprocess.run([*command, FULL_DISK], env=environment, capture_output=True, check=False, text=True)
    assert result.returncode == 2, result.stderr
    assert result.stderr.startswith("adjudicator: full/rally.json: ") and os.strerror(errno.ENOSPC) in result.stderr
    assert [name for name in Path("listed").read_text().split() if name.endswith(".tmp")] == []


@FULL
def test_devices_are_written_to_and_their_failures_told(run: Run, game: Path) -> None:
    assert "No space left" in run("apply", game, "turn.txt", "-o", "/dev/full", code=2).stderr
    assert "No space left" in run("apply", game, "turn.txt", "--log", "/dev/full", code=2).stderr
    assert accepted(game) == ["MOVE D3"]
    assert Path("/dev/full").is_char_device()
    run("apply", game, "-", "-o", "/dev/null", stdin="red: MOVE C3", code=0)


# Interrupts and signals ----------------------------------------------------------------------------------------------

SELF = "import os, signal; whole = os.{step}; os.{step} = lambda *given: {before}os.kill(os.getpid(), signal.{name})"
SAFE = "interrupted; your game file is safe: it is unchanged, or completely written"


@pytest.mark.posix
@pytest.mark.parametrize(
    ("name", "code", "step", "is_written"),
    [
        ("SIGTERM", 143, "fsync", False),
        ("SIGTERM", 143, "replace", False),
        ("SIGHUP", 129, "fsync", False),
        ("SIGINT", 130, "replace", False),
        ("SIGINT", 130, "replace", True),
    ],
)
def test_a_signal_leaves_the_old_game_or_the_new_one_and_nothing_else(
    game: Path, name: str, code: int, step: str, is_written: bool
) -> None:
    process("check", game, "turn.txt")  # which stores the tables of the grammar: that renames, too
    before = "whole(*given) or " if is_written else ""
    found = process("apply", game, "turn.txt", before=SELF.format(step=step, name=name, before=before))
    assert found.returncode == code, found.stderr
    assert found.stderr.decode().splitlines()[-1] == f"adjudicator: {SAFE}"
    assert b"Traceback" not in found.stderr
    assert accepted(game) == (["MOVE D3"] if is_written else [])
    assert names() == FILES


@pytest.mark.posix
def test_a_signal_that_is_ignored_stays_so_and_interrupts_and_bugs_are_told_as_json(game: Path) -> None:
    hang_up = SELF.format(step="fsync", name="SIGHUP", before="whole(*given) or ")
    found = process(
        "apply", game, "turn.txt", before=f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); {hang_up}"
    )
    assert found.returncode == 0, found.stderr  # as `nohup` has it
    for raised, code, kind in (("ZeroDivisionError('x')", 70, "internal"), ("KeyboardInterrupt", 130, "interrupted")):
        fail = f"import os\ndef fail(*_): raise {raised}\nos.fsync = fail"
        found = process("seat", game, "red", "--holder", "Zoe", "--reason", "x", "--json", before=fail)
        assert (json.loads(found.stdout)["error"], found.returncode, found.stderr) == (kind, code, b"")


KILLED = {
    "while writing": "import os; write = os.write; os.write = lambda f, data: (write(f, data[:99]), os._exit(9))",
    "before the rename": "import os; os.replace = lambda *names: os._exit(9)",
    "after the rename": "import os; replace = os.replace; os.replace = lambda *names: (replace(*names), os._exit(9))",
}


@pytest.mark.parametrize("moment", KILLED)
def test_a_run_killed_in_the_middle_leaves_the_old_game_or_the_new_one(run: Run, game: Path, moment: str) -> None:
    process("check", game, "turn.txt")
    assert process("apply", game, "turn.txt", before=KILLED[moment]).returncode == 9
    assert accepted(game) == (["MOVE D3"] if moment == "after the rename" else [])
    if moment != "after the rename":
        run("apply", game, "turn.txt", code=0)
    run("apply", game, "-", stdin="red: MOVE C3", code=0)
    assert accepted(game) == ["MOVE D3", "MOVE C3"]


@pytest.mark.parametrize("stop", ["raise KeyboardInterrupt", "type('Class', (), {'field': Field()})"])
def test_an_interrupt_while_the_program_is_loaded_is_quiet(game: Path, stop: str) -> None:
    """Python 3.11 makes a RuntimeError of an interrupt while a class names its fields."""
    before = (
        "import sys\n"
        "class Field:\n    def __set_name__(self, *_):\n        raise KeyboardInterrupt\n"
        f"class Finder:\n    def find_spec(self, name, *_):\n        if name == 'filelock': {stop}\n"
        "sys.meta_path.insert(0, Finder())"
    )
    result = process("apply", game, "turn.txt", before=before)
    assert (result.returncode, result.stdout, b"Traceback" in result.stderr) == (130, b"", False)
    assert game.read_bytes() == rally_bytes()


READING = """
import os, signal, sys
class Waiting:
    @property
    def buffer(self):
        os.kill(os.getpid(), signal.SIGINT)
        return signal.pause()
sys.stdin = Waiting()
"""


@pytest.mark.posix
def test_ctrl_c_while_it_waits_for_orders(game: Path) -> None:
    """The signal comes just when the program reads the standard input, which never ends."""
    result = process("apply", game, "-", before=READING)
    assert (result.returncode, game.read_bytes()) == (130, rally_bytes())
    assert b"Traceback" not in result.stderr


# Streams ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def unread() -> Iterator[int]:
    """Return a pipe that nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


def shell(command: str) -> subprocess.CompletedProcess[bytes]:
    program = f"'{sys.executable}' -m adjudicator"
    return subprocess.run(["sh", "-c", command.replace("adjudicator", program, 1)], capture_output=True, check=False)


@pytest.mark.posix
@pytest.mark.parametrize(
    "command",
    ["--version", "--help", "apply --help", "show rally.json", "log rally.json --json", "show nowhere.json --json"],
)
def test_a_reader_that_has_gone_is_no_reason_to_complain(game: Path, unread: int, command: str) -> None:
    result = process(*command.split(), capture_output=False, stdout=unread, stderr=subprocess.PIPE)
    assert (result.returncode, result.stderr, game.read_bytes()) == (141, b"", rally_bytes())


@pytest.mark.posix
def test_apply_does_its_work_though_nobody_listens(game: Path, unread: int) -> None:
    assert process("apply", game, "turn.txt", capture_output=False, stdout=unread, stderr=unread).returncode == 141
    assert accepted(game) == ["MOVE D3"]


@FULL
@pytest.mark.parametrize("command", ["--version", "--help", "show rally.json", "apply rally.json turn.txt"])
def test_a_full_output_is_told_and_where_the_answer_is_lost_the_game_is_not(game: Path, command: str) -> None:
    result = shell(f"adjudicator {command} >/dev/full")
    more = "; but rally.json is completely written" if command.startswith("apply") else ""
    words = f"adjudicator: standard output cannot be written: No space left on device{more}\n"
    assert (result.returncode, result.stderr.decode()) == (2, words)
    assert accepted(game) == (["MOVE D3"] if more else [])


@pytest.mark.posix
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("apply rally.json turn.txt >&- 2>&-", 0),
        ("apply rally.json bad.txt 2>&-", 1),
        pytest.param("apply rally.json bad.txt 2>/dev/full", 1, marks=FULL),
        ("show - <&-", 3),
        ("show nowhere.json >&- 2>&-", 2),
    ],
)
def test_closed_streams_are_done_without(game: Path, command: str, code: int) -> None:
    result = shell(f"adjudicator {command}")
    assert result.returncode == code
    assert b"Traceback" not in result.stderr and b"Exception" not in result.stderr


def test_it_speaks_utf_8_whatever_the_system_speaks_and_in_the_order_of_what_happened(game: Path) -> None:
    odd = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
    assert "▲red" in process("show", game, env=odd).stdout.decode()
    written("red: MOVE D3\nblue: MOVE Z9")
    both = process("apply", game, "turn.txt", capture_output=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = both.stdout.decode()
    assert text.index("MOVE D3") < text.index("turn.txt:2:") < text.index("1 order applied")


def test_a_bug_says_that_it_is_one_and_shows_where_to_those_who_want_to_know(game: Path) -> None:
    bug = "import os\ndef fail(*_): raise ZeroDivisionError('\\x1b[2J')\nos.fsync = fail"
    found = process("apply", game, "turn.txt", before=bug)
    text = found.stderr.decode()
    assert (found.returncode, game.read_bytes()) == (70, rally_bytes())
    assert text.startswith("adjudicator: this is a bug in the program, not a mistake of yours: ZeroDivisionError: ␛[2J\n")
    assert "Traceback" not in text
    found = process("apply", game, "turn.txt", before=bug, env={**os.environ, "ADJUDICATOR_DEBUG": "1"})
    assert b"Traceback" in found.stderr and b"ZeroDivisionError" in found.stderr


@pytest.mark.parametrize("bad", ["made.replace(b'\"minutes\":2', b'\"minutes\":-2')", "made[:-9]"])
def test_a_game_that_could_not_be_read_again_is_never_written(game: Path, bad: str) -> None:
    """Whatever bug makes it, a file that breaks its own schema must not take the place of one that does not."""
    bug = f"def spoil(game):\n    made = dump(game)\n    return {bad}\ngame_file.dump_game = spoil"
    before = f"from adjudicator.store import game_file\ndump = game_file.dump_game\n{bug}"
    found = process("apply", game, "turn.txt", before=before)
    assert (found.returncode, b"this is a bug" in found.stderr) == (70, True)
    assert game.read_bytes() == rally_bytes()


# Permissions and links -----------------------------------------------------------------------------------------------


@pytest.mark.posix
def test_links_and_permissions_stay_and_a_new_game_is_its_moderator_s_alone(run: Run, game: Path) -> None:
    Path("archive").mkdir()
    game.rename("archive/real.json")
    game.symlink_to(Path("archive/real.json"))
    Path("archive/real.json").chmod(0o640)
    assert "would replace the game" in run("apply", "archive/real.json", "turn.txt", "--log", "rally.json", code=2).stderr
    run("apply", game, "turn.txt", "--log", "minutes.jsonl", code=0)
    assert game.is_symlink()
    assert accepted(Path("archive/real.json")) == ["MOVE D3"]
    assert [path.name for path in Path("archive").iterdir()] == ["real.json"]
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "-o", "new.json", code=0)
    run("apply", game, "-", "-o", "next.json", stdin="red: MOVE C3", code=0)
    run("show", game, "--as", "red", "--svg", "red.svg", code=0)
    modes = {name: stat.S_IMODE(Path(name).stat().st_mode) for name in ("archive/real.json", "new.json", "red.svg")}
    assert modes == {"archive/real.json": 0o640, "new.json": 0o600, "red.svg": 0o600}
    assert stat.S_IMODE(Path("next.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(Path("minutes.jsonl").stat().st_mode) & 0o444 != 0o400


@pytest.mark.skipif(IS_ROOT, reason="root may do everything")
@pytest.mark.posix
@pytest.mark.parametrize(
    ("which", "mode"), [("rally.json", 0o400), (".", 0o500), ("rally.json", 0o000), ("turn.txt", 0o000)]
)
def test_without_permission_nothing_changes(run: Run, game: Path, which: str, mode: int) -> None:
    old = Path(which).stat().st_mode
    Path(which).chmod(mode)
    try:
        result = run("apply", game, "turn.txt", code=2)
        assert mode == 0 or "1 order would" in run("check", game, "turn.txt", code=0).stdout
    finally:
        Path(which).chmod(old)
    assert "permission" in result.stderr or "protected" in result.stderr
    assert game.read_bytes() == rally_bytes()


@pytest.mark.parametrize(
    ("function", "only", "words"),
    [
        ("os.replace", "rally.json", "you have no permission to write here"),
        ("os.open", ".lock", "you have no permission to write in this folder"),
        ("pathlib.Path.open", "turn.txt", "you have no permission to read this file"),
        ("os.access", "rally.json", "the file is write-protected"),
    ],
)
def test_what_the_system_does_not_permit_is_told(
    run: Run, game: Path, monkeypatch: pytest.MonkeyPatch, function: str, only: str, words: str
) -> None:
    module, _, name = function.rpartition(".")
    whole = getattr(os if module == "os" else Path, name)

    def refuse(*given: Any, **how: Any) -> Any:
        if not any(str(one).endswith(only) for one in given[:2]):
            return whole(*given, **how)
        if name == "access":
            return False
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    with monkeypatch.context() as patch:
        patch.setattr(function, refuse)
        assert words in run("apply", game, "turn.txt", code=2).stderr
    assert game.read_bytes() == rally_bytes()


# As on Windows --------------------------------------------------------------------------------------------------------

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
ON_WINDOWS = """\
new checkered-flag --seat red=Ann --seat blue=Bob -o race.json
turn race.json mails -o out
undo race.json --to 1 --reason mistake
report race.json --as red -o red.html
replay race.json -o replay.html
simulate checkered-flag --games 2 --jobs 2
audit race.json
archive games.adjudicator.db race.json
site games.adjudicator.db -o public --jobs 1
club init thursday --name Thursday --address club@example.org --moderator me@example.org --zone UTC
club add thursday race.json --seat red=ann@example.org --seat blue=bob@example.org
club run thursday --once
club doctor thursday
club status thursday
club backup thursday copy
games
new my-game --seat ann --seat bob -o game.json
apply game.json my-game/turn-1.txt
audit game.json"""


def test_the_program_needs_nothing_that_only_posix_has(run: Run, tmp_path: Path) -> None:
    """Its modules, calls and time zones are hidden, as on Windows."""
    run("new-ruleset", "my-game", code=0)
    Path("my_game-1.dist-info").mkdir()
    written("Metadata-Version: 2.1\nName: my-game\nVersion: 1\n", "my_game-1.dist-info/METADATA")
    written("[adjudicator.rulesets]\nmy-game = my_game:META\n", "my_game-1.dist-info/entry_points.txt")
    Path("my-game/my_game").rename("my_game")
    Path("mails").mkdir()
    written("red: GEAR 1 go\nblue: GEAR 1 go\n", "mails/orders.txt")
    surroundings = {**os.environ, "PYTHONUTF8": "1", "PYTHONTZPATH": ""}
    command = [sys.executable, "-c", HIDDEN + COMMANDS, ON_WINDOWS]
    done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("1 game: 1 verified") == 3  # an archive says so, too
    assert "Thursday" in done.stdout


@pytest.mark.soak
def test_the_quick_tests_need_nothing_that_only_posix_has(tmp_path: Path) -> None:
    code = f"import distributed, numpy, platformdirs.unix, pytest, xdist\n{HIDDEN}\nsys.exit(pytest.main(sys.argv[1:]))"
    chosen = ["-q", "-n", "0", "-p", "no:cacheprovider", "-m", "quick and not posix", f"--basetemp={tmp_path / 'base'}"]
    command = [sys.executable, "-c", code, *chosen, "--ignore=tests/audit/test_cluster.py"]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
