"""The three streams and the signals: interrupts, readers that go away, full and closed outputs, odd locales, bugs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator.store.load import load_game

Orders = Callable[..., str]
Process = Callable[..., "subprocess.CompletedProcess[bytes]"]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs pipes and signals as POSIX has them")

GOOD = "red: MOVE D3\n"
STOP = "def stop(*_, **__): raise KeyboardInterrupt\n"
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


@pytest.fixture
def unread() -> Iterator[int]:
    """Return a pipe that nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    program = f"'{sys.executable}' -m adjudicator"
    return subprocess.run(
        ["sh", "-c", command.replace("adjudicator", program, 1)], cwd=folder, capture_output=True, check=False
    )


# Interrupts ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [
    "adjudicator.moderate.adjudicate.adjudicate_files",
    "adjudicator.cli.output.say_safely",
])  # fmt: skip
def test_an_interrupt_ends_the_command_with_130_and_a_word(process: Process, game: Path, orders: Orders, place: str) -> None:
    module, _, name = place.rpartition(".")
    before = game.read_bytes()
    result = process("apply", game, orders(GOOD), before=f"import {module} as m\n{STOP}m.{name} = stop")
    assert result.returncode == 130
    assert result.stderr.decode().splitlines()[-1] == (
        "adjudicator: interrupted; your game file is safe: it is unchanged, or completely written"
    )
    assert b"Traceback" not in result.stderr
    assert (game.read_bytes() == before) == (name != "say_safely")
    load_game(str(game))


@pytest.mark.parametrize("stop", ["raise KeyboardInterrupt", "type('Class', (), {'field': Field()})"])
def test_an_interrupt_while_the_program_is_loaded_is_quiet(process: Process, game: Path, stop: str) -> None:
    """Python 3.11 makes a RuntimeError of an interrupt while a class names its fields."""
    before = (
        "import sys\n"
        "class Field:\n    def __set_name__(self, *_):\n        raise KeyboardInterrupt\n"
        f"class Finder:\n    def find_spec(self, name, *_):\n        if name == 'adjudicator.cli.show': {stop}\n"
        "sys.meta_path.insert(0, Finder())"
    )
    result = process("show", game, before=before)
    assert (result.returncode, result.stdout, result.stderr) == (130, b"", b"")


def test_ctrl_c_while_it_waits_for_orders(process: Process, game: Path) -> None:
    """The signal comes just when the program reads the standard input, which never ends."""
    reading = (
        "import os, signal, sys\n"
        "class Waiting:\n"
        "    @property\n"
        "    def buffer(self):\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "        return signal.pause()\n"
        "sys.stdin = Waiting()"
    )
    before = game.read_bytes()
    result = process("apply", game, "-", before=reading)
    assert result.returncode == 130
    assert b"Traceback" not in result.stderr
    assert game.read_bytes() == before


# Readers that go away -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [
    "--version", "--help", "apply --help", "show rally.json", "log rally.json --json", "show nowhere.json --json",
])  # fmt: skip
def test_a_reader_that_has_gone_is_no_reason_to_complain(
    process: Process, game: Path, orders: Orders, unread: int, command: str
) -> None:
    orders(GOOD)
    result = process(*command.split(), capture_output=False, stdout=unread, stderr=subprocess.PIPE)
    assert (result.returncode, result.stderr) == (141, b"")
    assert game.exists()


def test_apply_does_its_work_though_nobody_listens(process: Process, game: Path, orders: Orders, unread: int) -> None:
    result = process("apply", game, orders(GOOD), capture_output=False, stdout=unread, stderr=unread)
    assert result.returncode == 141
    assert load_game(str(game)).turn == 2


# Full and closed outputs --------------------------------------------------------------------------------------------


@FULL
@pytest.mark.parametrize("command", ["--version", "--help", "show rally.json", "legal rally.json --json"])
def test_a_full_output_is_told(game: Path, orders: Orders, command: str) -> None:
    orders(GOOD)
    result = shell(f"adjudicator {command} >/dev/full", game.parent)
    assert result.returncode == 2
    assert result.stderr == b"adjudicator: standard output cannot be written: No space left on device\n"


@FULL
def test_where_the_answer_is_lost_the_game_is_not(game: Path, orders: Orders) -> None:
    orders(GOOD)
    result = shell("adjudicator apply rally.json turn.txt >/dev/full", game.parent)
    assert result.returncode == 2
    assert b"No space left on device; but rally.json is completely written\n" in result.stderr
    assert load_game(str(game)).turn == 2


@pytest.mark.parametrize(("command", "code"), [
    ("apply rally.json turn.txt >&- 2>&-", 0),
    ("apply rally.json bad.txt 2>&-", 1),
    ("apply rally.json bad.txt 2>/dev/full", 1),
    ("show - <&-", 3),
    ("show nowhere.json >&- 2>&-", 2),
])  # fmt: skip
def test_closed_streams_are_done_without(game: Path, orders: Orders, command: str, code: int) -> None:
    orders(GOOD)
    orders("red: MOVE Z9", "bad.txt")
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    result = shell(f"adjudicator {command}", game.parent)
    assert result.returncode == code
    assert b"Traceback" not in result.stderr
    assert b"Exception" not in result.stderr


def test_it_speaks_utf_8_whatever_the_system_speaks(process: Process, game: Path) -> None:
    odd = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
    result = process("show", game, env=odd)
    assert result.returncode == 0
    assert "▲red" in result.stdout.decode()


def test_problems_come_after_what_was_said_before_where_both_go_to_one_place(game: Path, orders: Orders) -> None:
    orders("red: MOVE D3\nblue: MOVE Z9")
    text = shell("adjudicator apply rally.json turn.txt 2>&1", game.parent).stdout.decode()
    assert text.index("MOVE D3") < text.index("turn.txt:2:") < text.index("1 order applied")


# Bugs ---------------------------------------------------------------------------------------------------------------

BUG = "import adjudicator.moderate.adjudicate as m\ndef adjudicate_files(*_, **__): raise ZeroDivisionError('\\x1b[2J')\n"
BUG += "m.adjudicate_files = adjudicate_files"


def test_a_bug_says_that_it_is_one(process: Process, game: Path, orders: Orders) -> None:
    before = game.read_bytes()
    result = process("apply", game, orders(GOOD), before=BUG)
    text = result.stderr.decode()
    assert result.returncode == 70
    assert text.startswith("adjudicator: this is a bug in the program, not a mistake of yours: ZeroDivisionError: ␛[2J\n")
    assert "Traceback" not in text
    assert game.read_bytes() == before


def test_a_bug_shows_where_it_is_to_those_who_want_to_know(process: Process, game: Path, orders: Orders) -> None:
    result = process("apply", game, orders(GOOD), before=BUG, env={**os.environ, "ADJUDICATOR_DEBUG": "1"})
    assert b"Traceback" in result.stderr
    assert b"ZeroDivisionError" in result.stderr
