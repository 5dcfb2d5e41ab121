"""Serve the pages of a club on this computer, and do its rounds beside."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import uvicorn

from adjudicator.club.club import read_settings
from adjudicator.club.db import LEDGER, Db
from adjudicator.club.rounds import RoundDone, run
from adjudicator.core.problem import AdjudicatorError
from adjudicator.serve.app import Site, app_of

_log = logging.getLogger("uvicorn.error")


def server_of(site: Site) -> uvicorn.Server:
    """Return a server of ``site`` that ``run`` starts; requests leave no trace."""
    return uvicorn.Server(
        uvicorn.Config(
            app_of(site),
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            lifespan="off",
            limit_concurrency=200,
            h11_max_incomplete_event_size=16_384,
            timeout_graceful_shutdown=10,
        )
    )


def serve(
    folder: Path,
    port: int,
    show: Callable[[RoundDone, tuple[str, ...]], object],
    begun: Callable[[str], object],
    *,
    is_behind_proxy: bool,
) -> None:
    """Serve the club in ``folder`` at ``port`` (0: any) of the loopback address until the program is stopped.

    ``show`` gets the result of each round, ``begun`` the address on this computer. If the rounds fail, the pages stay, and
    the log has the reason. Raises ``OSError`` if the port is taken.
    """
    sys.setswitchinterval(0.0005)
    called, kept = Event(), Db(folder / LEDGER)  # as long as it is open, SQLite need not tidy up after each request
    with socket.create_server(("127.0.0.1", port)) as listening:
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio does it for its own sockets alone
        site = Site(folder, read_settings(folder).serve.address, is_behind_proxy, called.set)
        begun(f"http://127.0.0.1:{listening.getsockname()[1]}/")

        def do_rounds() -> None:
            while True:
                try:
                    run(folder, show, called)
                except BaseException as failure:
                    is_bug = not isinstance(failure, AdjudicatorError)
                    _log.error("the rounds have failed, and begin again in a minute: %s", failure, exc_info=is_bug)
                called.wait(60)
                called.clear()

        Thread(target=do_rounds, daemon=True, name="rounds").start()
        server_of(site).run([listening])
        kept.close()
