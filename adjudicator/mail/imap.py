"""Fetch mails from an IMAP server without marking them, and move stored mails to another folder."""

from __future__ import annotations

import imaplib
import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from time import time
from typing import Any, Final

from adjudicator.mail.incoming import MailboxError, NewMail
from adjudicator.mail.limits import MOST_BYTES
from adjudicator.mail.servers import Security, Server

_PATIENCE: Final = 60.0
"""Seconds to wait for the server."""
_LONGEST_IDLE: Final = 25 * 60.0
"""Seconds after which servers may end an idle connection."""
_MOST_RETRIES: Final = 3
"""How often to connect again: if one mail breaks the connection, the mails after it are still fetched."""
_MOST_TROUBLES: Final = 20
_LONGEST_UID: Final = 10
_EARLIEST: Final = 1990
"""The first year in which a server may have received a mail."""
_ARRIVED: Final = re.compile(rb'INTERNALDATE "([^"]{1,40})"')
_INBOX: Final = "INBOX"
_PERSONAL: Final = re.compile(rb'\(\("([^"\\]{1,200})" (?:"|NIL)')
"""The prefix of the first namespace of a user's own folders."""
_NOT_INSTALLED: Final = "fetching mails by IMAP needs the extra `club`: pip install 'pbem-adjudicator[club]'"


class ImapFolder(AbstractContextManager["ImapFolder"]):
    """A folder of a mail account. Stored mails go to the folder ``done``, which is created if it is missing."""

    def __init__(self, server: Server, folder: str, done: str, clock: Callable[[], float] = time) -> None:
        """Fetch from ``folder`` of the account on ``server``; ``clock`` gives the seconds since 1970."""
        self._server, self._folder, self._done, self._clock = server, folder, done, clock
        self._box: Any = None
        self._retries = _MOST_RETRIES
        self.troubles: list[str] = []
        self.unread: list[int] = []

    def __enter__(self) -> ImapFolder:
        """Log in. Raises ``MailboxError``."""
        try:
            self._open()
        except _failures() as error:
            failed = self._failed(error)
            self.__exit__()  # after a refusal the connection still works
            raise failed from error
        return self

    def __exit__(self, *_: object) -> None:
        """Log out if the connection still works."""
        box, self._box = self._box, None
        if box is not None:
            with suppress(*_failures()):
                box.logout()

    def fetch(self, most: int) -> Iterator[NewMail]:
        """Yield up to ``most`` mails of the folder in the order of their arrival. Raises ``MailboxError``."""
        for uid in self._uids()[:most]:
            found = self._fetched(uid)
            if found is not None:
                yield found

    def put_away(self, key: str) -> None:
        """Move a stored mail to the folder ``done``. Raises ``MailboxError``."""
        try:
            self._box.move([key], self._done)
        except _failures() as error:
            if _is_broken(error):
                raise self._failed(error) from error
            self._report(f"mails could not be moved to the folder {self._done}: {_words(error)}")

    def wait(self, seconds: float) -> bool:
        """Wait until the server reports a mail (IDLE). Raises ``MailboxError``."""
        try:
            if "IDLE" not in self._box.client.capabilities:
                return False
            news = self._box.idle.wait(timeout=min(seconds, _LONGEST_IDLE))
            return any(b"EXISTS" in line for line in news)
        except _failures() as error:
            raise self._failed(error) from error

    def _open(self) -> None:
        """Log in, and open the folder; create the one for stored mails if it is missing. Raises ``MailboxError``."""
        self._box = _logged_in(self._server)
        folders, prefix = self._box.folder, _prefix_of(self._box.client)
        self._folder, self._done = (
            name if name.upper() == _INBOX or name.startswith(prefix) or folders.exists(name) else prefix + name
            for name in (self._folder, self._done)
        )
        for name, what in ((self._done, "create"), (self._folder, "open")):
            try:
                if what == "open":
                    folders.set(name)
                elif not folders.exists(name):
                    folders.create(name)
            except _refusals() as error:
                if _is_broken(error):
                    raise
                setting = "incoming.folder" if what == "open" else "incoming.done"
                words = f"the mail server does not {what} the folder {name}: {_words(error)}; correct {setting} in club.toml"
                self.__exit__()
                raise MailboxError(words) from error

    def _uids(self) -> list[str]:
        """Return the numbers of the mails, and report anything else in the list."""
        try:
            status, parts = self._box.client.uid("SEARCH", "ALL")
        except _failures() as error:
            raise self._failed(error) from error
        if status != "OK":
            raise MailboxError(f"the mail server does not list the mails: {status}")
        words = b" ".join(part for part in parts if isinstance(part, bytes)).split()
        uids = [word.decode("ascii") for word in words if word.isdigit() and len(word) <= _LONGEST_UID]
        if len(uids) < len(words):
            self._report("the mail server lists mails in a way that cannot be read")
        return uids

    def _fetched(self, uid: str) -> NewMail | None:
        """Return the mail ``uid``, or ``None`` if it is gone or cannot be fetched. Raises ``MailboxError``."""
        try:
            status, parts = self._box.client.uid("fetch", uid, f"(INTERNALDATE BODY.PEEK[]<0.{MOST_BYTES + 1}>)")
        except _failures() as error:
            self._report(f"mail {uid} could not be fetched: {_words(error)}")
            if _is_broken(error):
                self._connect_again(error)
            self._leave(uid)
            return None
        found = [part for part in parts if isinstance(part, tuple) and len(part) == 2]
        if status == "OK" and parts == [None]:
            return None
        if status != "OK" or not found:
            self._report(f"mail {uid} could not be fetched: the mail server answers {status} without the mail")
            self._leave(uid)
            return None
        beside = b" ".join([found[0][0], *(part for part in parts if isinstance(part, bytes))])
        now = int(self._clock())
        received = _arrived(beside)
        if received is None:
            self._report(f"the mail server does not say when mail {uid} came: it counts as received now")
        return NewMail(key=uid, data=bytes(found[0][1]), received=now if received is None else min(received, now))

    def _leave(self, uid: str) -> None:
        """Note when the mail ``uid``, which cannot be fetched, came, if the server says so. Raises ``MailboxError``."""
        try:
            parts = self._box.client.uid("fetch", uid, "(INTERNALDATE)")[1]
        except _failures() as error:
            if _is_broken(error):
                self._connect_again(error)
            return
        received = _arrived(b" ".join(part for part in parts if isinstance(part, bytes)))
        if received is not None:
            self.unread.append(received)

    def _connect_again(self, error: Exception) -> None:
        """Log in again after the connection broke, unless it broke too often. Raises ``MailboxError``."""
        self._retries -= 1
        failed = self._failed(error)
        if self._retries < 0:
            raise failed from error
        try:
            self._open()
        except _failures() as again:
            raise self._failed(again) from again

    def _failed(self, error: Exception) -> MailboxError:
        """Return the exception for ``error``, and drop a broken connection without waiting for an answer."""
        if self._box is not None and _is_broken(error):
            box, self._box = self._box, None
            with suppress(*_failures()):
                box.client.shutdown()
        return MailboxError(_words(error))

    def _report(self, words: str) -> None:
        if words not in self.troubles and len(self.troubles) < _MOST_TROUBLES:
            self.troubles.append(words)


def _arrived(beside: bytes) -> int | None:
    """Return when the server received a mail, from its answer ``beside`` the bytes; ``None`` if that is unreadable."""
    found = _ARRIVED.search(beside)
    try:
        when = datetime.strptime(found[1].decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z") if found else None
        return int(when.timestamp()) if when and when.year >= _EARLIEST else None
    except (ValueError, OverflowError):
        return None


def _prefix_of(client: imaplib.IMAP4) -> str:
    """Return what the server wants in front of the names of a user's own folders, such as `INBOX.` (RFC 2342)."""
    if "NAMESPACE" not in client.capabilities:
        return ""
    found = _PERSONAL.match(b" ".join(part for part in client.namespace()[1] if isinstance(part, bytes)))
    return found[1].decode("ascii", "replace") if found else ""


def _logged_in(server: Server) -> Any:
    """Return a connection after the login. ``MailboxError`` has no word of the server, which may repeat the password."""
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
    try:
        _log_in(box, server)
        # A server may offer more to those who have logged in.
        box.client.capabilities = tuple(str(box.client.capability()[1][0], "ascii", "replace").upper().split())
    except BaseException:
        with suppress(*_failures()):
            box.client.shutdown()
        raise
    return box


def _log_in(box: Any, server: Server) -> None:
    """Log in, beyond ASCII by UTF-8. ``MailboxError`` has no words of the server, which may repeat the password."""
    is_plain = f"{server.user}{server.password}".isascii()
    if not is_plain and "AUTH=PLAIN" not in box.client.capabilities:
        raise MailboxError("the mail server takes only ASCII characters in user and password: choose another password")
    try:
        (box.login if is_plain else box.login_utf8)(server.user, server.password, initial_folder=None)
    except _failures() as error:
        if isinstance(error, OSError):  # the words are those of the system
            raise
        does = "does not finish" if _is_broken(error) else "refuses"
        raise MailboxError(f"the mail server {does} the login of {server.user}: check `user` and the password") from None


def _refusals() -> tuple[type[Exception], ...]:
    """Return the exceptions of the library for a request that the server refuses."""
    try:
        from imap_tools import ImapToolsError
    except ImportError:
        return (imaplib.IMAP4.error,)
    return (imaplib.IMAP4.error, ImapToolsError)


def _failures() -> tuple[type[Exception], ...]:
    """Return the exceptions of the network, the protocol and the library for any answer of a server."""
    return (OSError, ValueError, LookupError, TypeError, AttributeError, *_refusals())


def _is_broken(error: Exception) -> bool:
    """Return whether the connection is broken: the server did more than refuse a request."""
    return isinstance(error, imaplib.IMAP4.abort) or not isinstance(error, _refusals())


def _words(error: Exception) -> str:
    from textwrap import shorten

    said = " ".join(str(error).split())
    words = "the mail server gives an unreadable answer"
    if isinstance(error, (OSError, imaplib.IMAP4.abort)):
        words = "the mail server cannot be reached"
    elif not _is_broken(error):
        words = "the mail server refuses the request"
    return f"{words}: {shorten(said, 200) or type(error).__name__}"
