"""Fetch mails from an IMAP server without marking them, and move stored mails to another folder.

``imap_tools`` logs in, knows folders, moves and waits. It does not fetch: it would parse any mail whole, and not say when
the server received it.
"""

from __future__ import annotations

import imaplib
import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import time
from typing import Any, Final, Self

from adjudicator.mail import MOST_BYTES, MOST_TEXT, Security, Server
from adjudicator.mail.envelope import moment
from adjudicator.mail.mailbox import Mailbox, MailboxError, NewMail

try:
    from imap_tools import ImapToolsError, MailBox, MailBoxStartTls, MailBoxUnencrypted
except ImportError as missing:
    raise MailboxError("fetching mails by IMAP needs the extra `club`: pip install 'pbem-adjudicator[club]'") from missing

_PATIENCE: Final = 60.0
"""Seconds to wait for the server."""
_LONGEST_IDLE: Final = 25 * 60.0
"""Seconds after which servers may end an idle connection."""
_MOST_RETRIES: Final = 3
"""How often to connect again: if one mail breaks the connection, the mails after it are still fetched."""
_MOST_TROUBLES: Final = 20
_EARLIEST: Final = 1_577_836_800
"""The beginning of 2020: no mail for a club came before."""
_LONGEST: Final = 200
_DAY: Final = 24 * 3600
_JUNK: Final = re.compile(r"(?i)\\junk|(?:^|[ ./])(?:junk|spam)(?: e-?mail)?$")
"""The mark of a folder for junk (RFC 6154), or its usual name."""
_MOST_JUNK: Final = 5
_UID: Final = re.compile(r"\bUID ([0-9]{1,10})\b")
_CAME: Final = re.compile(r'\bINTERNALDATE "([^"]*)"')
_PERSONAL: Final = re.compile(rb'\(\("([^"\\]{1,200})" (?:"|NIL)')
"""The prefix of the first namespace of a user's own folders, which the server wants in front of their names (RFC 2342)."""
_BREAKS: Final = (OSError, imaplib.IMAP4.abort, UnicodeError)
"""What the network and the libraries raise if the connection cannot be used any more."""
_FAILURES: Final = (*_BREAKS, imaplib.IMAP4.error, ImapToolsError)
"""What they raise whatever the server answers."""


class ImapFolder(Mailbox):
    """A folder of a mail account. Stored mails go to the folder ``done``, which is created if it is missing."""

    def __init__(self, server: Server, folder: str, done: str, clock: Callable[[], float] = time) -> None:
        """Fetch from ``folder`` of the account on ``server``; ``clock`` gives the seconds since 1970."""
        super().__init__()
        self._server, self._folder, self._done, self._clock = server, folder, done, clock
        self._box: Any = None
        self._retries = _MOST_RETRIES

    def __enter__(self) -> Self:
        """Log in, and open the folder; create the one for stored mails if it is missing. Raises ``MailboxError``."""
        server, kinds = self._server, {Security.STARTTLS: MailBoxStartTls, Security.TLS: MailBox}
        tls = {} if server.security is Security.NONE else {"ssl_context": ssl.create_default_context()}
        try:
            self._box = kinds.get(server.security, MailBoxUnencrypted)(server.host, server.port, timeout=_PATIENCE, **tls)
        except (*_FAILURES, ValueError, TypeError) as error:  # the library reads the greeting, whatever it is
            raise MailboxError(_words(error)) from error
        user, password = server.user, server.password
        is_plain = f"{user}{password}".isascii()
        try:
            if not is_plain and "AUTH=PLAIN" not in self._box.client.capabilities:
                words = "the mail server takes only ASCII characters in user and password: choose another password"
                raise MailboxError(words)
            try:  # beyond ASCII by UTF-8
                (self._box.login if is_plain else self._box.login_utf8)(user, password, initial_folder=None)
            except OSError as error:  # the words are those of the system
                raise MailboxError(_words(error)) from error
            except _FAILURES as error:  # the words of the server may repeat the password
                does = "does not finish" if isinstance(error, _BREAKS) else "refuses"
                words = f"the mail server {does} the login of {user}: check `user` and the password"
                raise MailboxError(words) from None
            self._open()
        except BaseException:
            self._drop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Log out if the connection still works."""
        if self._box is not None:
            with suppress(*_FAILURES):
                self._box.logout()
        self._drop()

    def fetch(self, most: int) -> Iterator[NewMail]:
        """Yield up to ``most`` mails of the folder in the order of their arrival. Raises ``MailboxError``.

        The folder may stay open for any time: if the server has ended the connection, another one begins.
        """
        self._retries = _MOST_RETRIES
        try:
            with self._asking() as box:
                box.client.noop()  # the server tells which mails have come meanwhile
        except MailboxError:
            self._drop()
            self.__enter__()
        with self._asking() as box:
            uids = box.uids("ALL", None)[:most]
            found = box.client.uid("fetch", f"{uids[0]}:{uids[-1]}", "(INTERNALDATE)")[1] if uids else []
        lines = [line.decode("ascii", "replace") for line in found if isinstance(line, bytes)]
        dates = {uid[1]: moment(came[1]) for line in lines if (uid := _UID.search(line)) and (came := _CAME.search(line))}
        for uid in uids:
            received, now = dates.get(uid), int(self._clock())
            received = None if received is None or received < _EARLIEST else received
            try:
                with self._asking() as box:
                    status, parts = box.client.uid("fetch", uid, f"(BODY.PEEK[]<0.{MOST_BYTES + 1}>)")
            except MailboxError as error:
                problem, data = str(error), None
            else:
                data = next((part[1] for part in parts if isinstance(part, tuple)), None)
                problem = f"the mail server answers {status} without the mail"
                if status == "OK" and parts == [None]:
                    continue  # it is gone
            if data is not None:
                if received is None:
                    self._report(f"the mail server does not say when mail {uid} came: it counts as received now")
                yield NewMail(key=uid, data=data, received=now if received is None else min(received, now))
                continue
            self._report(f"mail {uid} could not be fetched: {problem}")
            if received is not None:
                self.unread.append(received)
            if self._box is None:
                self._retries -= 1
                if self._retries < 0:
                    raise MailboxError(problem)
                self.__enter__()

    def put_away(self, key: str) -> None:
        """Move a stored mail to the folder ``done``. Raises ``MailboxError``."""
        try:
            with self._asking() as box:
                box.move([key], self._done)
        except MailboxError as error:
            if self._box is None:
                raise
            self._report(f"mails could not be moved to the folder {self._done}: {error}")

    def take(self, mark: str, since: int) -> tuple[str, bytes] | None:
        """Delete a mail with ``mark`` in the folder of the club, in the one for stored mails, or in one for junk."""
        after = imaplib.Time2Internaldate(since - _DAY)[1:12].strip()  # servers compare days, in their own time zone
        with self._asking() as box:
            junk = [one.name for one in box.folder.list() if _JUNK.search(f"{' '.join(one.flags)} {one.name}")][:_MOST_JUNK]
        for place, name in (("", self._folder), ("", self._done), *zip(junk, junk, strict=True)):
            with self._asking() as box:
                box.folder.set(name)
                for uid in box.uids(f'SINCE {after} TEXT "{mark}"', None):
                    parts = box.client.uid("fetch", uid, f"(BODY.PEEK[]<0.{MOST_TEXT}>)")[1]
                    data = next((part[1] for part in parts if isinstance(part, tuple)), None)
                    if data is None:
                        continue  # a round has just moved it
                    box.client.uid("STORE", uid, "+FLAGS", r"(\Deleted)")
                    if "UIDPLUS" in box.client.capabilities:
                        box.client.uid("EXPUNGE", uid)
                    elif box.uids("DELETED", None) == [uid]:  # otherwise mails of others would go, too
                        box.expunge()
                    return place, data
        return None

    def wait(self, seconds: float) -> bool:
        """Wait until the server reports a mail (IDLE). Raises ``MailboxError``."""
        with self._asking() as box:
            if "IDLE" not in box.client.capabilities:
                return False
            return any(b"EXISTS" in line for line in box.idle.wait(timeout=min(seconds, _LONGEST_IDLE)))

    def _open(self) -> None:
        with self._asking() as box:
            # A server may offer more to those who have logged in.
            box.client.capabilities = tuple(_joined(box.client.capability()).decode("ascii", "replace").upper().split())
            found = _PERSONAL.match(_joined(box.client.namespace())) if "NAMESPACE" in box.client.capabilities else None
            prefix = found[1].decode("ascii", "replace") if found else ""
            self._folder, self._done = (
                name if name.upper() == "INBOX" or name.startswith(prefix) or box.folder.exists(name) else prefix + name
                for name in (self._folder, self._done)
            )
        for name, does, setting in ((self._done, "create", "done"), (self._folder, "open", "folder")):
            try:
                with self._asking() as box:
                    if does == "open":
                        box.folder.set(name)
                    elif not box.folder.exists(name):
                        box.folder.create(name)
            except MailboxError as error:
                if self._box is None:
                    raise
                words = (
                    f"the mail server does not {does} the folder {name}: {error}; correct incoming.{setting} in club.toml"
                )
                raise MailboxError(words) from error

    @contextmanager
    def _asking(self) -> Iterator[Any]:
        """Yield the connection. What it raises becomes a ``MailboxError``; a broken one is dropped, which ends at once."""
        try:
            yield self._box
        except _FAILURES as error:
            if isinstance(error, _BREAKS):
                self._drop()
            raise MailboxError(_words(error)) from error

    def _drop(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            with suppress(OSError):
                box.client.shutdown()

    def _report(self, words: str) -> None:
        if words not in self.troubles and len(self.troubles) < _MOST_TROUBLES:
            self.troubles.append(words)


def _joined(answer: tuple[str, list[Any]]) -> bytes:
    return b" ".join(part for part in answer[1] if isinstance(part, bytes))


def _words(error: Exception) -> str:
    words = "the mail server refuses the request"
    if isinstance(error, (OSError, imaplib.IMAP4.abort)):
        words = "the mail server cannot be reached"
    elif isinstance(error, (ValueError, TypeError)):
        words = "the mail server gives an unreadable answer"
    return f"{words}: {' '.join(str(error).split()) or type(error).__name__}"[:_LONGEST]
