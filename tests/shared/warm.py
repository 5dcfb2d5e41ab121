"""Commands in processes of their own that need not load the program: it is loaded once, see `warm_server.py`."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def program(code: str = "") -> list[str]:
    """Return how to begin a process of the command line, to which arguments can be added; or one that runs ``code``.

    What Python itself reads while it starts is that of the server: its options, warnings, seed of hashes, closed streams.
    """
    if not hasattr(socket, "send_fds"):
        return [sys.executable, *(("-c", code) if code else ("-m", "adjudicator"))]
    return [sys.executable, "-IS", str(HERE / "warm_client.py"), _server(), *(("-c", code) if code else ())]


@cache
def _server() -> str:
    """Begin the server, which ends with this process; return its address."""
    folder = tempfile.mkdtemp(prefix="warm-")
    address = f"{folder}/address"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(HERE / "warm_server.py"), address]
    server = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    assert server.stdout is not None
    assert server.stdout.readline()

    @atexit.register
    def _end() -> None:
        server.kill()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)

    return address
