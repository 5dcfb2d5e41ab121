"""A chat service on this machine that takes webhooks, and answers as a test says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Answer = tuple[int, dict[str, str], bytes]
OK: Answer = (204, {}, b"")


@dataclass
class Chat:
    """What came in, and the answers to give; without one, the service takes the notice."""

    url: str = ""
    got: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    answers: list[Answer | Callable[[Any], None]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    @property
    def ids(self) -> list[str]:
        return [identity for identity, _ in self.got]

    @property
    def texts(self) -> list[str]:
        """The texts, whatever the format."""
        return [str(found.get("content") or found.get("text")) for _, found in self.got]


@contextmanager
def chat() -> Iterator[Chat]:
    """Yield a running service."""
    service = Chat()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append((self.headers["Idempotency-Key"], json.loads(data)))
            service.paths.append(self.path)
            answer = service.answers.pop(0) if service.answers else OK
            if callable(answer):
                answer(self)
                return
            status, headers, body = answer
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the library
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    service.url = f"http://127.0.0.1:{server.server_address[1]}/hooks/s3cret?thread=1"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
