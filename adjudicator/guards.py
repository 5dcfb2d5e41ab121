"""Guard processes against each other: their signals, their end, their input and output."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress


class Guard:
    """A process begun by ``fork``, with the methods of ``multiprocessing.Process``; in the process itself ``pid`` is 0."""

    def __init__(self) -> None:
        """Fork this process."""
        self._sentinel, theirs = os.pipe()
        self.pid = os.fork()
        self.exitcode: int | None = None
        if self.pid:
            os.close(theirs)

    def is_alive(self) -> bool:
        """Return whether the process still runs."""
        self.join(0)
        return self.exitcode is None

    def join(self, seconds: float | None = None) -> None:
        """Wait for the end of the process, for up to ``seconds`` (``None``: without a limit)."""
        from multiprocessing.connection import wait

        if self.exitcode is None and (seconds is None or wait([self._sentinel], seconds)):
            self.exitcode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self._sentinel)

    def kill(self) -> None:
        """Kill the process if it still runs."""
        if self.exitcode is None:
            kill(os.kill, self.pid)


def kill(send: Callable[[int, int], None], number: int) -> None:
    """Let ``send`` (``os.kill`` or ``os.killpg``) kill the process or group with this ``number``, if it still exists."""
    with suppress(OSError):
        send(number, signal.SIGKILL)


def end_with_parent() -> None:
    """End this process together with its parent, even if the parent is killed while a task hangs."""
    from multiprocessing import parent_process

    parent = parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            signal.raise_signal(getattr(signal, "SIGKILL", signal.SIGTERM))

    threading.Thread(target=wait, daemon=True).start()


def continue_guarded(*, is_apart: bool = True) -> int | None:
    """Continue in a child process, which gets ``None``; return its exit code here when it has ended.

    A child that sends a signal to its parent reaches no other process than this one, which has nothing else to do. With
    ``is_apart`` the same is so of signals to its group. This process ends by the signal that has ended the child. Where the
    system cannot fork processes, return ``None`` at once.
    """
    if not hasattr(os, "fork"):
        return None
    if is_apart:
        os.setpgid(0, 0)
    # SIGTERM must get through: at its exit Python sends it to processes that are still there, and waits for their end.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGHUP))
    child = os.fork()
    if not child:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return None
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code < 0:
        with suppress(OSError):
            signal.pthread_sigmask(signal.SIG_SETMASK, ())
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


def silence() -> None:
    """Make the standard input of this process empty, and discard what it writes to its standard outputs."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
