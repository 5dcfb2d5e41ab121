"""A program that has been loaded once, and forks itself for each process that `warm.py` asks for: `warm_server.py SOCKET`.

To load the program takes ten times as long as most commands of the tests.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import os
import pkgutil
import select
import signal
import socket
import sys
from contextlib import suppress
from typing import Any

REQUEST = 1_000_000
"""Bytes that are read at a time."""


def load() -> None:
    """Import the program, without what belongs to an extra."""
    import adjudicator

    skipped = ("desk", "cluster", "testing", "__main__")
    for module in pkgutil.walk_packages(adjudicator.__path__, "adjudicator."):
        if module.name.split(".")[1] not in skipped:
            with suppress(ImportError):
                importlib.import_module(module.name)
    gc.collect()
    gc.freeze()


def accepted(path: str) -> dict[str, Any]:
    """Fork for each request; return it in the process that it asks for."""
    children: dict[int, socket.socket] = {}
    ended, end = os.pipe()
    os.set_blocking(end, False)
    signal.set_wakeup_fd(end)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        os.write(1, b"ready\n")
        while True:
            if ended in select.select([listener, ended], [], [])[0]:
                os.read(ended, 100)
                answer(children)
                continue
            connection, _ = listener.accept()
            child = os.fork()
            if not child:
                break
            connection.sendall(f"{child}\n".encode())
            children[child] = connection
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for open_here in (ended, end, *(one.detach() for one in children.values())):
        os.close(open_here)
    return received(connection)


def answer(children: dict[int, socket.socket]) -> None:
    """Tell who asked for a child that has ended how it has."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            child, status = found
            with children.pop(child) as connection, suppress(OSError):
                connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def received(connection: socket.socket) -> dict[str, Any]:
    """Take the streams that come with a request, and return the rest of it."""
    with connection:
        size, streams, _, _ = socket.recv_fds(connection, 8, 3)
        data = b""
        while len(data) < int.from_bytes(size):
            data += connection.recv(REQUEST)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    return marshal.loads(data)  # type: ignore[no-any-return]


def settle(request: dict[str, Any]) -> None:
    """Make this process what the request asks for: folder, environment, arguments, streams."""
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["adjudicator", *request["arguments"]]
    sys.path[0] = request["folder"]
    sys.path[1:1] = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    importlib.invalidate_caches()
    sys.stdin = stream(0, "r")
    sys.stdout = stream(1, "w")
    sys.stderr = stream(2, "w", errors="backslashreplace", buffering=1)


def stream(number: int, mode: str, **how: Any) -> Any:
    return open(number, mode, encoding="utf-8", closefd=False, **how)


if __name__ == "__main__":
    load()
    asked = accepted(sys.argv[1])
    settle(asked)
    exec(asked["code"] or "from adjudicator.__main__ import main; main()", {"__name__": "__main__"})
