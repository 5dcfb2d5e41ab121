"""A command or other work in a process of its own that is killed at a chosen step, or whose calls to the system fail."""

from __future__ import annotations

import builtins
import errno
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn

CALLS: Final = {"write": (os, "write"), "fsync": (os, "fsync"), "rename": (os, "replace"), "unlink": (os, "unlink")} | {
    "open": (os, "open"),
    "open by name": (io, "open"),
    "mkdir": (os, "mkdir"),
}
"""The calls to the system that may fail: where each is looked up."""
ERRORS: Final = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT)
KILLED: Final = -signal.SIGKILL
LASTING: Final = {"send", "sendall", "write", "fsync", "replace", "unlink"}
"""Functions of the system and of sockets that change something outside the process."""
OWNERS: Final = {"module", "socket", "SSLSocket", "_SSLSocket"}
"""The types whose functions of these names do so; a text also has ``replace``."""


@dataclass(frozen=True)
class Failure:
    """From its ``first`` time on (from 0), so many ``times``, the call ``kind`` fails with the error ``number``."""

    kind: str
    first: int
    times: int
    number: int


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit ``code`` (negative: the signal), what it said, what was counted in it."""

    code: int
    said: str
    counted: dict[str, int]


class Steps:
    """Counts the steps of this process: calls of functions and their returns; ``lasting`` counts those of ``LASTING``.

    It kills the process at the step ``kill_at``, or at the lasting step ``kill_in``.
    """

    def __init__(self, kill_at: int = -1, kill_in: int = -1) -> None:
        self.kill_at, self.kill_in, self.count, self.lasting = kill_at, kill_in, 0, 0

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count what the block does."""
        sys.setprofile(self._step)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _step(self, frame: FrameType, event: str, argument: Any) -> None:
        self.count += 1
        is_lasting = False
        if event in ("c_call", "c_return"):
            name, owner = argument.__name__, type(argument.__self__).__name__
            # SQLite changes its file where a change begins or ends.
            is_lasting = frame.f_code.co_name == "change" if name == "execute" else name in LASTING and owner in OWNERS
        self.lasting += is_lasting
        if self.count == self.kill_at or (is_lasting and self.lasting == self.kill_in):
            os.kill(os.getpid(), signal.SIGKILL)


def run_apart(folder: Path, arguments: list[str], kill_at: int = -1, failure: Failure | None = None) -> Ended:
    """Run the command line in a child of this process, in ``folder``; see ``call_apart``."""
    return call_apart(folder, partial(_command, arguments), Steps(kill_at), failure)


def call_apart(folder: Path, work: Callable[[], None], steps: Steps, failure: Failure | None = None) -> Ended:
    """Call ``work`` in a child of this process, in ``folder``. ``steps`` may kill it, or ``failure`` happens.

    What this process has loaded the child need not load again: the same run in this process makes it quick.
    """
    said, counts = folder.with_name("said"), folder.with_name("counted")
    counts.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        _be_child(folder, work, said, _Watch(counts, steps, failure))
    _, status = os.waitpid(child, 0)
    counted = json.loads(counts.read_bytes()) if counts.exists() else {}
    return Ended(os.waitstatus_to_exitcode(status), said.read_text("utf-8", "replace"), counted)


class _Watch:
    """Counts the steps and the calls to the system of the child, and does to it what is planned."""

    def __init__(self, counts: Path, steps: Steps, failure: Failure | None) -> None:
        self.counts, self.steps, self.failure = counts, steps, failure
        self.counted: dict[str, int] = {"first": 0, "last": 0, **dict.fromkeys(CALLS, 0)}

    def begin(self) -> None:
        for kind, (module, name) in CALLS.items():
            setattr(module, name, self._failing(kind, getattr(module, name)))
        builtins.open = io.open
        os.remove = os.unlink
        os.rename = os.replace

    def end(self, code: int) -> NoReturn:
        self.failure = None
        with suppress(OSError):
            self.counts.write_text(json.dumps({**self.counted, "steps": self.steps.count}), "utf-8")
        os._exit(code)

    def _failing(self, kind: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def tried(*args: Any, **kwargs: Any) -> Any:
            nth, self.counted[kind] = self.counted[kind], self.counted[kind] + 1
            if kind in ("write", "fsync", "rename"):
                self.counted["first"] = self.counted["first"] or self.steps.count
                self.counted["last"] = self.steps.count
            planned = self.failure
            if planned is not None and planned.kind == kind and planned.first <= nth < planned.first + planned.times:
                if kind == "write":
                    call(args[0], args[1][: len(args[1]) // 2])  # a disk that is full takes a part of it
                raise OSError(planned.number, os.strerror(planned.number), *[name for name in args[:1] if kind != "write"])
            return call(*args, **kwargs)

        return tried


def _command(arguments: list[str]) -> None:
    from adjudicator.cli.app import run

    sys.argv = ["adjudicator", *arguments]
    run()


def _be_child(folder: Path, work: Callable[[], None], said: Path, watch: _Watch) -> NoReturn:
    try:
        os.chdir(folder)
        output = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        for number, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(output, number)
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115 - open to the end
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
        signal.signal(signal.SIGINT, signal.default_int_handler)
        watch.begin()
        try:
            with watch.steps.counting() if watch.failure is None else nullcontext():
                work()
            code = 0
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        watch.end(code)
    except BaseException as error:
        with suppress(BaseException):
            os.write(2, f"the child failed: {type(error).__name__}: {error}\n".encode())
    os._exit(99)
