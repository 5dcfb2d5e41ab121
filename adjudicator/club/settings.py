"""What stands in the files of a club: `club.toml` for the club, `game.toml` for each of its games."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from adjudicator.core.bounds import Ge, Le, Len
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Name
from adjudicator.mail.servers import Security, Server
from adjudicator.store.errors import Untrusted, Violation
from adjudicator.store.parts import build_part
from adjudicator.store.reading import read

T = TypeVar("T")
Address = Annotated[str, Len(3, 254)]
Words = Annotated[str, Len(0, 200)]

_MOST_BYTES: Final = 1_000_000


class Nmr(StrEnum):
    """What is done for a seat of which no orders have come by the deadline."""

    WAIT = "wait"
    """Nothing: the moderator is told."""
    DEFAULT = "default"
    """The order that the ruleset has for this: a pass, or what costs least."""
    BOT = "bot"
    """A simulated player decides."""
    DROP = "drop"
    """The seat is given up: a simulated player decides from now on."""


@frozen(kw_only=True)
class Secret:
    """Where a password is to be found, never the password: in a variable of the environment, or in the keyring."""

    env: Words = ""
    keyring: Words = ""


@frozen(kw_only=True)
class Incoming:
    """Where the mails of the players come in: a Maildir, or a folder of an account on an IMAP server.

    ``plus_addresses`` says that the server also delivers mail to ``club+TOKEN@example.org``: letters ask for answers there.
    """

    kind: Literal["maildir", "imap"] = "maildir"
    folder: Words = "inbox"
    host: Words = ""
    port: Annotated[int, Ge(1), Le(65535)] = 993
    security: Security = Security.TLS
    user: Words = ""
    password: Secret = Secret()
    done: Words = "Adjudicated"
    plus_addresses: bool = False


@frozen(kw_only=True)
class Outgoing:
    """How mails go out: by an SMTP server, or as files into a folder for whoever sends them by hand."""

    kind: Literal["folder", "smtp"] = "folder"
    folder: Words = "outgoing"
    host: Words = ""
    port: Annotated[int, Ge(1), Le(65535)] = 587
    security: Security = Security.STARTTLS
    user: Words = ""
    password: Secret = Secret()


@frozen(kw_only=True)
class Trust:
    """What a mail must show to be taken as its seat's.

    With ``token`` "required" it must have the seat's token, with "address" it is enough that it comes from the seat's
    address, which anybody can write. ``authserv_id`` is the name under which the own server says in a mail whether its
    sender is proven (Authentication-Results); where it is given, what fails waits for the moderator. After ``guesses``
    mails without a right token on one path within 24 hours, the moderator gets one line for all others.
    """

    token: Literal["required", "address"] = "required"
    authserv_id: Words = ""
    guesses: Annotated[int, Ge(1), Le(1000)] = 5


@frozen(kw_only=True)
class Deadlines:
    """When the orders of a turn must be there: ``every`` so long after the turn before, and then the next time it is ``at``.

    Durations are written `3 days`, `36 hours`, `90 minutes`; a time of day `20:00`, in the club's time zone. ``days``
    are the weekdays on which a deadline may be (none: all). Nobody has missed it before ``grace`` is over as well.
    ``warn`` is how long before it those are reminded whose orders are missing. ``nmr`` says what is done for them then;
    after ``drop_after`` deadlines missed in a row a seat is given up (0: never). Where more than ``most_missing`` seats are
    missing, nothing is done, and the moderator is told.
    """

    every: Words = "3 days"
    at: Words = ""
    days: tuple[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"], ...] = ()
    grace: Words = "0 hours"
    warn: Words = "24 hours"
    nmr: Nmr = Nmr.WAIT
    drop_after: Annotated[int, Ge(0), Le(100)] = 0
    most_missing: Annotated[int, Ge(0), Le(10_000)] = 1


@frozen(kw_only=True)
class Limits:
    """How much one seat may ask for; its orders are always taken.

    Within 24 hours: ``messages`` counts MESSAGE, HOLIDAY and RESIGN, ``rules`` RULES, ``status`` STATUS, HELP and RESEND;
    ``receipts`` counts the answers to its mails. A holiday lasts ``holiday_days`` at most, and ends within ``days_ahead``
    from today. Reading a mail may take ``cpu_seconds`` of work.
    """

    messages: Annotated[int, Ge(1), Le(10_000)] = 20
    rules: Annotated[int, Ge(1), Le(10_000)] = 50
    status: Annotated[int, Ge(1), Le(10_000)] = 50
    receipts: Annotated[int, Ge(1), Le(10_000)] = 100
    holiday_days: Annotated[int, Ge(1), Le(3660)] = 60
    days_ahead: Annotated[int, Ge(1), Le(3660)] = 366
    cpu_seconds: Annotated[int, Ge(1), Le(3600)] = 10


@frozen(kw_only=True)
class ClubSettings:
    """A club: its name, its own address, that of the moderator, and how its games are run unless they say otherwise.

    ``press`` says what becomes of messages that players send each other: they wait for the moderator, go out at once, or
    are not passed on. ``pictures`` is the form of those attached to reports; where PNG cannot be made they are SVG.
    """

    name: Name
    address: Address
    moderator: Address
    time_zone: Words = "UTC"
    incoming: Incoming = Incoming()
    outgoing: Outgoing = Outgoing()
    trust: Trust = Trust()
    limits: Limits = Limits()
    press: Literal["moderated", "free", "off"] = "moderated"
    pictures: Literal["png", "svg", "none"] = "png"
    deadlines: Deadlines = Deadlines()


@frozen(kw_only=True)
class SeatSettings:
    """A seat of a game: the addresses that its player writes from, the first being the one that is written to."""

    addresses: Annotated[tuple[Address, ...], Len(1, 20)]
    token: Annotated[str, Len(8, 80)]
    name: Words = ""


@frozen(kw_only=True)
class GameSettings:
    """A game of the club: its seats, and the deadlines where they are not the club's."""

    seats: Mapping[str, SeatSettings]
    deadlines: Deadlines | None = None
    watchers: tuple[Address, ...] = field(default=())


def read_club(path: Path) -> ClubSettings:
    """Return what the file `club.toml` at ``path`` says. Raises ``CannotRead``, ``Untrusted``."""
    settings = _built(path, ClubSettings)
    wrong = [f"$.{side}.host" for side in ("incoming", "outgoing") if _lacks_host(getattr(settings, side))]
    if wrong:
        raise Untrusted(str(path), [Violation(at, "is missing: the name of the mail server") for at in wrong])
    return settings


def read_game(path: Path) -> GameSettings:
    """Return what the file `game.toml` at ``path`` says. Raises ``CannotRead``, ``Untrusted``."""
    return _built(path, GameSettings)


def server_of(side: Incoming | Outgoing) -> Server:
    """Return the server to log in to, with its password. Raises ``LookupError`` if that is not where it should be."""
    return Server(host=side.host, port=side.port, security=side.security, user=side.user, password=_password(side.password))


def _lacks_host(side: Incoming | Outgoing) -> bool:
    return side.kind in ("imap", "smtp") and not side.host


def _password(secret: Secret) -> str:
    if secret.env:
        if secret.env not in os.environ:
            raise LookupError(f"the variable {secret.env}, which is to hold the password, is not set")
        return os.environ[secret.env]
    if secret.keyring:
        try:
            import keyring
        except ImportError as error:
            raise LookupError("passwords from the keyring need the package `keyring`") from error
        service, _, user = secret.keyring.partition("/")
        found = keyring.get_password(service, user)
        if found is None:
            raise LookupError(f"the keyring has no password {secret.keyring}")
        return str(found)
    return ""


def _unreadable(error: Exception) -> str:
    """Return why settings cannot be read; the messages of the TOML reader name the line."""
    if isinstance(error, UnicodeDecodeError):
        return "save the file as text in UTF-8"
    if isinstance(error, TypeError):
        return "write dates and times in quotation marks"
    return f"this is not valid TOML: {error}"


def _built(path: Path, kind: type[T]) -> T:
    name, data = read(path)
    if len(data) > _MOST_BYTES:
        raise Untrusted(name, [Violation("$", "it is too large for settings")], "these settings cannot be read")
    try:
        document: Any = tomllib.loads(data.decode())
        text = json.dumps(document)
    except (ValueError, TypeError, RecursionError) as error:
        raise Untrusted(name, [Violation("$", _unreadable(error))], "these settings cannot be read") from None
    return build_part(kind, document, text.encode(), name, "these settings cannot be used")
