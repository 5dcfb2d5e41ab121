"""Serve the desk on this computer alone, for people who have no place for static files."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

_TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | _TYPES

    def end_headers(self) -> None:
        """Let the browser ask again each time: files of a release have other names in the next one."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in the base class
        """Say nothing about requests."""


def server_of(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of the files in ``folder`` at ``port`` (0: any free one) of the loopback address.

    Raises ``OSError`` if the port is taken.
    """
    return ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(folder)))
