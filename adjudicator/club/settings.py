"""The settings of a club: `club.toml` for the club, `game.toml` for each of its games."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from adjudicator.club.deadlines import Deadlines, Duration, TimeZone, Words, duration
from adjudicator.core.values import Seat, Value
from adjudicator.files.documents import Document, checked
from adjudicator.mail import Security, Server
from adjudicator.mail.envelope import plain_address

Name = Annotated[str, Field(min_length=1, max_length=80)]
Address = Annotated[str, Field(min_length=3, max_length=254), AfterValidator(plain_address)]
PressPolicy = Literal["moderated", "free", "off"]
_URL: Final = re.compile(r"https?://[^\s/?#<>\"]+(?:/[^\s?#<>\"]*)?")


def _require_url(words: str) -> None:
    if words and not _URL.fullmatch(words):
        raise ValueError("write the address as in a browser, such as https://club.example.org/games/")


def _require_host(host: str, info: ValidationInfo) -> str:
    if not host and info.data.get("kind") in ("imap", "smtp"):
        raise ValueError("the name of the mail server is missing")
    return host


Url = Annotated[Words, checked(_require_url)]
Host = Annotated[Words, AfterValidator(_require_host)]


class Secret(Document):
    """The place of a password or a secret address, never the secret: an environment variable, or a keyring entry."""

    env: Words = ""
    keyring: Words = ""


class Incoming(Document):
    """The mailbox of the club: a Maildir, or a folder of an account on an IMAP server.

    ``plus_addresses`` says that the server also delivers mail to ``club+TOKEN@example.org``: letters ask for answers to it.
    """

    kind: Literal["maildir", "imap"] = "maildir"
    folder: Words = "inbox"
    host: Host = Field(default="", validate_default=True)
    port: Annotated[int, Field(ge=1, le=65535)] = 993
    security: Security = Security.TLS
    user: Words = ""
    password: Secret = Secret()
    done: Words = "Adjudicated"
    plus_addresses: bool = False


class Outgoing(Document):
    """The way in which mails go out: through an SMTP server, or as files into a folder."""

    kind: Literal["folder", "smtp"] = "folder"
    folder: Words = "outgoing"
    host: Host = Field(default="", validate_default=True)
    port: Annotated[int, Field(ge=1, le=65535)] = 587
    security: Security = Security.STARTTLS
    user: Words = ""
    password: Secret = Secret()


class Trust(Document):
    """What a mail must have so that the club accepts it as a mail of a seat.

    With ``token`` "required", it must have the token of the seat. With "address", the address of the seat is enough, which
    anybody can forge. ``authserv_id`` is the name of the club's mail server in its Authentication-Results; if it is set,
    mails whose sender is not proven wait for the moderator. After ``guesses`` mails without a right token on one path within
    24 hours, the moderator gets one matter for all others.
    """

    token: Literal["required", "address"] = "required"
    authserv_id: Words = ""
    guesses: Annotated[int, Field(ge=1, le=1000)] = 5


class Limits(Document):
    """The requests of one seat within 24 hours; the club always takes its orders.

    ``messages`` limits MESSAGE, HOLIDAY, RESIGN, WAIT and the requests of members, ``rules`` RULES, ``status`` STATUS,
    HELP, RESEND, GAMES and WHO, ``receipts`` the answers to its mails. Players who have abandoned more seats than they have
    taken over may play at most ``running_games`` that they began. A holiday has at most ``holiday_days``, and ends within
    ``days_ahead`` from today; within 366 days, all holidays of a player have at most ``holidays_a_year`` days, or as many as
    one may have. A mail may take ``cpu_seconds`` of work.
    """

    messages: Annotated[int, Field(ge=1, le=10_000)] = 20
    rules: Annotated[int, Field(ge=1, le=10_000)] = 50
    status: Annotated[int, Field(ge=1, le=10_000)] = 50
    receipts: Annotated[int, Field(ge=1, le=10_000)] = 100
    running_games: Annotated[int, Field(ge=0, le=1000)] = 3
    holiday_days: Annotated[int, Field(ge=1, le=3660)] = 60
    holidays_a_year: Annotated[int, Field(ge=1, le=366)] = 90
    days_ahead: Annotated[int, Field(ge=1, le=3660)] = 366
    cpu_seconds: Annotated[int, Field(ge=1, le=3600)] = 10


class DeskSettings(Document):
    """The desk in which players open their games: the ``folder`` of its files, and the ``address`` that publishes them."""

    folder: Annotated[str, Field(min_length=1, max_length=200)]
    address: Annotated[Url, Field(min_length=1)]


class PublicSettings(Document):
    """The pages of `club publish`: their ``address`` (empty: not known).

    With ``names`` they name the players, except those who do not agree (`SET public=no`, or `public_name = false`).
    """

    address: Url = ""
    names: bool = False

    @property
    def url(self) -> str:
        """The address with a `/` at its end; empty if it is not known."""
        return f"{self.address.rstrip('/')}/" if self.address else ""


class Webhook(Document):
    """A chat service that gets notices of ``events`` (none: of all) in ``games`` (none: in all) at its secret ``url``."""

    kind: Literal["discord", "slack", "matrix"]
    url: Secret = Secret()
    events: tuple[Literal["begin", "turn", "deadline", "over"], ...] = ()
    games: tuple[Words, ...] = ()


class OpenGame(Document):
    """A game that the club offers: when one begins, the list for the next one opens.

    ``players`` is their number (0: the fewest that the ruleset allows), ``deadline`` the time for a turn (empty: as in the
    club), ``language`` the code of that of orders besides English, and ``condition`` what the standing of players must meet,
    such as `reliability>=90` or `rating>=1500`.
    """

    ruleset: Name
    players: Annotated[int, Field(ge=0, le=8)] = 0
    options: Mapping[str, str] = {}
    deadline: Annotated[Words, checked(lambda words: words and duration(words))] = ""
    language: Words = ""
    condition: Words = ""


class PeopleSettings(Document):
    """The rules for people who ``join`` the club by mail (off: strangers get no answer).

    Members may propose games if ``new`` is on. ``rules`` is the file with the house rules. The people on a full list have
    the time ``confirm`` to confirm their places. Within 24 hours, the club asks at most ``most`` addresses to register, and
    at most ``most_on_path`` on one path. ``open`` are the games that the club offers.
    """

    join: bool = False
    new: bool = False
    rules: Words = ""
    confirm: Duration = "2 days"
    most: Annotated[int, Field(ge=1, le=10_000)] = 100
    most_on_path: Annotated[int, Field(ge=1, le=10_000)] = 10
    open: Annotated[tuple[OpenGame, ...], Field(max_length=100)] = ()


class ClubSettings(Document):
    """The settings of a club: its name, its address, the moderator's address, and defaults for its games.

    ``press``, ``press_anonymous`` and ``press_with_report`` are the rules for messages, as in ``Press``. ``pictures`` is the
    format of pictures in reports: if the program cannot make PNG, it makes SVG. With a ``desk``, each player has a page
    there. ``webhooks`` get notices of games.
    """

    name: Name
    address: Address
    moderator: Address
    time_zone: TimeZone = "UTC"
    incoming: Incoming = Incoming()
    outgoing: Outgoing = Outgoing()
    trust: Trust = Trust()
    limits: Limits = Limits()
    press: PressPolicy = "moderated"
    press_anonymous: bool = False
    press_with_report: bool = False
    pictures: Literal["png", "svg", "none"] = "png"
    deadlines: Deadlines = Deadlines()
    desk: DeskSettings | None = None
    public: PublicSettings = PublicSettings()
    webhooks: tuple[Webhook, ...] = ()
    people: PeopleSettings = PeopleSettings()


class Press(Value, kw_only=True):
    """The rules of a game for messages between players.

    The ``policy`` says whether they wait for the moderator, need not, or are not allowed; ``is_anonymous`` whether players
    may write without their names, and ``is_with_report`` whether messages go out with the next report, not at once.
    """

    policy: PressPolicy
    is_anonymous: bool
    is_with_report: bool


class _Player(Document):
    addresses: Annotated[tuple[Address, ...], Field(min_length=1, max_length=20)]
    name: Words = ""
    public_name: bool | None = None


class SeatSettings(_Player):
    """A seat of a game: its token, and its player's name and addresses; letters go to the first address.

    ``public_name`` says whether public pages may name the player (``None``: as the player or the club says). A ``muted``
    player can write only to the moderator.
    """

    token: Annotated[str, Field(min_length=8, max_length=80)]
    muted: bool = False


class FormerPlayer(_Player):
    """An earlier player of a ``seat``, whose standing still counts the game; ``public_name`` as in ``SeatSettings``."""

    seat: str


class GameSettings(Document):
    """The settings of a game: its seats, and their ``former`` players.

    Its deadlines, and its rules for messages as in ``Press``, are those of the club if they are ``None``.
    """

    seats: Mapping[str, SeatSettings]
    former: tuple[FormerPlayer, ...] = ()
    deadlines: Deadlines | None = None
    press: PressPolicy | None = None
    press_anonymous: bool | None = None
    press_with_report: bool | None = None
    watchers: tuple[Address, ...] = ()

    @property
    def players(self) -> tuple[tuple[Seat, SeatSettings | FormerPlayer], ...]:
        """The former players with their seats, then the present ones."""
        present = ((Seat(seat), one) for seat, one in self.seats.items())
        return (*((Seat(one.seat), one) for one in self.former), *present)


def server_of(side: Incoming | Outgoing) -> Server:
    """Return the server to log in to, with its password. Raises ``LookupError`` if the password is missing."""
    return Server(host=side.host, port=side.port, security=side.security, user=side.user, password=secret_of(side.password))


def secret_of(secret: Secret, what: str = "password") -> str:
    """Return the secret text, empty without a place; ``what`` it is. Raises ``LookupError`` if its place has none."""
    if secret.env:
        if secret.env not in os.environ:
            raise LookupError(f"the environment variable {secret.env} for the {what} is not set")
        return os.environ[secret.env]
    if secret.keyring:
        try:
            import keyring
        except ImportError as error:
            raise LookupError(f"to read the {what} from the keyring, install the package `keyring`") from error
        service, _, user = secret.keyring.partition("/")
        found = keyring.get_password(service, user)
        if found is None:
            raise LookupError(f"the keyring has no {what} for {secret.keyring}")
        return str(found)
    return ""
