"""Mails on an IMAP server: fetched without marking them, then moved to a folder of those that are kept."""

from __future__ import annotations

import imaplib
import re
import ssl
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from typing import Any, Final

from adjudicator.mail.incoming import Fetched, MailboxError
from adjudicator.mail.limits import MOST_BYTES
from adjudicator.mail.servers import Security, Server

_PATIENCE: Final = 60.0
"""Seconds to wait for the server."""
_LONGEST_IDLE: Final = 25 * 60.0
"""Seconds after which servers may end a connection on which nothing happens."""
_ARRIVED: Final = re.compile(rb'INTERNALDATE "([^"]{1,40})"')
_NOT_INSTALLED: Final = "fetching mails by IMAP needs the extra `club`: pip install 'adjudicator[club]'"


class ImapFolder(AbstractContextManager["ImapFolder"]):
    """A folder of a mail account; what was fetched goes to the folder ``done``, which is made where it is missing."""

    def __init__(self, server: Server, folder: str, done: str) -> None:
        """Fetch from ``folder`` of the account on ``server``."""
        self._server, self._folder, self._done = server, folder, done
        self._box: Any = None

    def __enter__(self) -> ImapFolder:
        """Log in. Raises ``MailboxError``."""
        try:
            self._box = _logged_in(self._server, self._folder)
            if not self._box.folder.exists(self._done):
                self._box.folder.create(self._done)
        except _failures() as error:
            self._leave()
            raise MailboxError(_words(error)) from error
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()

    def fetch(self, most: int) -> Iterator[Fetched]:
        """Yield the mails of the folder, as the server took them. Raises ``MailboxError``."""
        try:
            for uid in self._box.uids("ALL")[:most]:
                found = self._fetched(uid)
                if found is not None:
                    yield found
        except _failures() as error:
            raise MailboxError(_words(error)) from error

    def put_away(self, key: str) -> None:
        """Move a mail to the folder of those done. Raises ``MailboxError``."""
        try:
            self._box.move([key], self._done)
        except _failures() as error:
            raise MailboxError(_words(error)) from error

    def wait(self, seconds: float) -> bool:
        """Wait for the server to tell of a mail (IDLE). Raises ``MailboxError``."""
        try:
            if "IDLE" not in self._box.client.capabilities:
                return False
            told = self._box.idle.wait(timeout=min(seconds, _LONGEST_IDLE))
        except _failures() as error:
            raise MailboxError(_words(error)) from error
        return any(b"EXISTS" in line for line in told)

    def _fetched(self, uid: str) -> Fetched | None:
        """Return the mail ``uid``, ``None`` if it has gone since."""
        wanted = f"(INTERNALDATE BODY.PEEK[]<0.{MOST_BYTES + 1}>)"
        status, parts = self._box.client.uid("fetch", uid, wanted)
        if status != "OK":
            raise MailboxError(f"the server did not hand over a mail: {status}")
        found = [part for part in parts if isinstance(part, tuple) and len(part) == 2]
        if not found:
            return None
        beside = b" ".join([found[0][0], *(part for part in parts if isinstance(part, bytes))])
        return Fetched(key=uid, data=bytes(found[0][1]), received=_arrived(beside))

    def _leave(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            with suppress(*_failures()):
                box.logout()


def _arrived(beside: bytes) -> int:
    """Return when the server took a mail, as its answer says ``beside`` the bytes."""
    found = _ARRIVED.search(beside)
    if found is None:
        raise MailboxError("the server does not say when a mail came")
    try:
        when = datetime.strptime(found[1].decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z")
    except ValueError as error:
        raise MailboxError("the server says in no known way when a mail came") from error
    return int(when.astimezone(UTC).timestamp())


def _logged_in(server: Server, folder: str) -> Any:
    try:
        import imap_tools
    except ImportError as error:
        raise MailboxError(_NOT_INSTALLED) from error
    context = ssl.create_default_context()
    box: Any
    match server.security:
        case Security.TLS:
            box = imap_tools.MailBox(server.host, server.port, timeout=_PATIENCE, ssl_context=context)
        case Security.STARTTLS:
            box = imap_tools.MailBoxStartTls(server.host, server.port, timeout=_PATIENCE, ssl_context=context)
        case Security.NONE:
            box = imap_tools.MailBoxUnencrypted(server.host, server.port, timeout=_PATIENCE)
    box.login(server.user, server.password, initial_folder=folder)
    # What a server can do is told anew once one has logged in.
    box.client.capabilities = tuple(str(box.client.capability()[1][0], "ascii", "replace").upper().split())
    return box


def _failures() -> tuple[type[Exception], ...]:
    """Return what the library, the protocol and the network may fail with."""
    try:
        from imap_tools import ImapToolsError
    except ImportError:
        return (OSError, imaplib.IMAP4.error)
    return (OSError, imaplib.IMAP4.error, ImapToolsError)


def _words(error: Exception) -> str:
    from textwrap import shorten

    said = " ".join(str(error).split())
    is_refused = isinstance(error, imaplib.IMAP4.error) or type(error).__name__.endswith("LoginError")
    words = "the mail server refuses what was asked" if is_refused else "the mail server cannot be reached"
    return f"{words}: {shorten(said, 200) or type(error).__name__}"
