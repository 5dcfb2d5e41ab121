"""The settings of a club in `club.toml`, a game's own settings, and how both change."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin

from pydantic import AfterValidator, Field, ValidationInfo

from adjudicator.club import ClubError
from adjudicator.club.deadlines import Deadlines, Duration, PositiveDuration, TimeZone, Words, require_positive
from adjudicator.files.documents import Document, checked, formed, parse_toml
from adjudicator.files.reading import read
from adjudicator.files.writing import PRIVATE, write_atomic
from adjudicator.mail import Security, Server
from adjudicator.mail.envelope import plain_address
from adjudicator.mail.mailbox import Mailbox, Maildir

Name = Annotated[str, Field(min_length=1, max_length=80)]
Address = Annotated[str, Field(min_length=3, max_length=254), AfterValidator(plain_address)]
SETTINGS: Final = "club.toml"
HIDDEN: Final = "hidden"
"""The value of the setting `names` for games in which players do not learn who the others are."""
_SETTING: Final = re.compile(r"[a-z][a-z_]*(?:\.[a-z][a-z_]*)*")
_URL: Final = r"(?:https?://[^\s/?#<>\"]+(?:/[^\s?#<>\"]*)?)?"


def _require_host(host: str, info: ValidationInfo) -> str:
    if not host and info.data.get("kind") in ("imap", "smtp"):
        raise ValueError("the name of the mail server is missing")
    return host


Url = Annotated[Words, formed(_URL, "write the address as in a browser, such as https://club.example.org/games/")]
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

    ``messages`` limits MESSAGE, HOLIDAY, RESIGN, WAIT, VOTE and the requests of members, ``rules`` RULES, ``status`` STATUS,
    HELP, RESEND, GAMES and WHO, ``receipts`` the answers to its mails. Players who have abandoned more seats than they have
    taken over may play at most ``running_games`` that they began. A holiday has at most ``holiday_days``, and ends within
    ``days_ahead`` from today; within 366 days, all holidays of a player have at most ``holidays_a_year`` days, or as many as
    one may have. A vote of the players moves a deadline by at most ``extension``.
    """

    messages: Annotated[int, Field(ge=1, le=10_000)] = 20
    rules: Annotated[int, Field(ge=1, le=10_000)] = 50
    status: Annotated[int, Field(ge=1, le=10_000)] = 50
    receipts: Annotated[int, Field(ge=1, le=10_000)] = 100
    running_games: Annotated[int, Field(ge=0, le=1000)] = 3
    holiday_days: Annotated[int, Field(ge=1, le=3660)] = 60
    holidays_a_year: Annotated[int, Field(ge=1, le=366)] = 90
    days_ahead: Annotated[int, Field(ge=1, le=3660)] = 366
    extension: Duration = "7 days"


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


class ServeSettings(Document):
    """The pages of `club serve`: their ``address`` for members (empty: only this computer opens them)."""

    address: Url = ""


class OpenGame(Document):
    """A game that the club offers: when one begins, the list for the next one opens.

    ``players`` is their number (0: the fewest that the ruleset allows), ``deadline`` the time for a turn (empty: as in the
    club), ``language`` the code of that of orders besides English, ``names`` whether the game has names before its end
    (empty: as in the club), and ``reliability`` the least percentage of turns on time of who may play.
    """

    ruleset: Name
    players: Annotated[int, Field(ge=0, le=8)] = 0
    options: Mapping[str, str] = {}
    deadline: Annotated[Words, checked(lambda words: words and require_positive(words))] = ""
    language: Words = ""
    names: Literal["", "shown", "hidden"] = ""
    reliability: Annotated[int, Field(ge=0, le=100)] = 0


class PeopleSettings(Document):
    """The rules for people who ``join`` the club by mail (off: strangers get no answer).

    Members may propose games if ``new`` is on. ``rules`` is the file with the house rules. The people on a full list have
    the time ``confirm`` to confirm their places. Within 24 hours, the club asks at most ``most`` addresses to register, and
    at most ``most_on_path`` on one path. ``open`` are the games that the club offers.
    """

    join: bool = False
    new: bool = False
    rules: Words = ""
    confirm: PositiveDuration = "2 days"
    most: Annotated[int, Field(ge=1, le=10_000)] = 100
    most_on_path: Annotated[int, Field(ge=1, le=10_000)] = 10
    open: Annotated[tuple[OpenGame, ...], Field(max_length=100)] = ()


class GameSettings(Document):
    """A game's own settings: those that are not set are as in the club.

    ``press`` says whether messages between players wait for the moderator, need not, or are not allowed; ``press_anonymous``
    whether players may write without their names, and ``press_with_report`` whether messages go out with the next report,
    not at once. With ``names`` "hidden", players learn each other's names when the game is over; this concerns games that
    begin from then on.
    """

    deadlines: Deadlines = Deadlines()
    press: Literal["moderated", "free", "off"] = "moderated"
    press_anonymous: bool = False
    press_with_report: bool = False
    names: Literal["shown", "hidden"] = "shown"


class ClubSettings(GameSettings):
    """The settings of a club: its name, its address, the moderator's address, and defaults for its games.

    ``pictures`` is the format of pictures in reports: if the program cannot make PNG, it makes SVG. With a ``desk``, each
    player has a page there. ``hook`` is a program in the club's folder that gets notices of games.
    """

    name: Name
    address: Address
    moderator: Address
    time_zone: TimeZone = "UTC"
    incoming: Incoming = Incoming()
    outgoing: Outgoing = Outgoing()
    trust: Trust = Trust()
    limits: Limits = Limits()
    pictures: Literal["png", "svg", "none"] = "png"
    desk: DeskSettings | None = None
    public: PublicSettings = PublicSettings()
    serve: ServeSettings = ServeSettings()
    hook: Words = ""
    people: PeopleSettings = PeopleSettings()


def server_of(side: Incoming | Outgoing) -> Server:
    """Return the server to log in to, with its password. Raises ``LookupError`` if the password is missing at its place."""
    env, entry, password = side.password.env, side.password.keyring, ""
    if env:
        if env not in os.environ:
            raise LookupError(f"the environment variable {env} for the password is not set")
        password = os.environ[env]
    elif entry:
        try:
            import keyring
        except ImportError as error:
            raise LookupError("to read the password from the keyring, install the package `keyring`") from error
        service, _, user = entry.partition("/")
        found = keyring.get_password(service, user)
        if found is None:
            raise LookupError(f"the keyring has no password for {entry}")
        password = str(found)
    return Server(host=side.host, port=side.port, security=side.security, user=side.user, password=password)


def mailbox_of(folder: Path, side: Incoming) -> Mailbox:
    """Return the mailbox of the club in ``folder``, still closed. Raises ``LookupError`` if its password is missing."""
    if side.kind == "maildir":
        return Maildir(folder / side.folder)
    from adjudicator.mail.imap import ImapFolder  # it needs the extra `club`

    return ImapFolder(server_of(side), side.folder, side.done)


def change_club(path: Path, wanted: Mapping[str, str]) -> list[str]:
    """Give settings in the file ``path`` of a club new values by name; return a sentence for each. Comments and style stay.

    Raises ``ClubError`` for an unusable name, and ``Untrusted`` with the message of a load for unusable values; then nothing
    changes. Raises ``CannotWrite``. The caller has locked the club.
    """
    import tomlkit  # slow to load, and only this command needs it
    from tomlkit.items import Table, Whitespace

    before = read(path)[1].decode()
    document = tomlkit.parse(before)
    told = change_values(document, ClubSettings, wanted)
    for name in wanted:
        *sections, key = name.split(".")
        place: Any = document
        old: Any = tomllib.loads(before)
        for section in sections:
            place, old = place[section], old.get(section, {})
        if isinstance(place, Table) and key not in old:
            # A new value stands above the first blank line: comments below that are about the next section.
            body = place.value.body
            at = next(number for number, (known, _) in enumerate(body) if known is not None and known.key == key)
            begin = max((number + 1 for number in range(at) if body[number][0] is not None), default=0)
            blank = next((number for number in range(begin, at) if isinstance(body[number][1], Whitespace)), at)
            body.insert(blank, body.pop(at))
    after = tomlkit.dumps(document)
    parse_toml(str(path), after.encode(), ClubSettings)
    if after != before:
        write_atomic(path, after.encode(), PRIVATE)
    return told


@contextmanager
def as_before_failure(path: Path) -> Iterator[None]:
    """Give the file at ``path`` its contents back if the block fails: then the whole change has failed."""
    _, before = read(path)
    try:
        yield
    except Exception:
        if read(path)[1] != before:
            write_atomic(path, before, PRIVATE)
        raise


def change_values(document: MutableMapping[str, Any], kind: type[Document], wanted: Mapping[str, str]) -> list[str]:
    """Give settings in ``document``, a ``kind``, new values by name (`deadlines.every`); return a sentence for each.

    The type of a setting says how its value is read: a text may have quotation marks and needs none, and nor does a list of
    texts (`mon, thu`); others are TOML, such as `3`, `true` or `["mon"]`. Raises ``ClubError`` for a name that leads to no
    section. The caller checks the document.
    """
    if not wanted:
        raise ClubError("name settings with their values, such as: deadlines.every='2 days'")
    told = []
    for name, words in wanted.items():
        if not _SETTING.fullmatch(name):
            raise ClubError(f"“{name}” is not the name of a setting; write it like deadlines.every='2 days'")
        if not words.isprintable():
            raise ClubError(f"{name}: the value has characters that cannot be printed")
        *sections, key = name.split(".")
        value: Any = words
        place, types = document, (kind,)
        for section in (*sections, key):
            kinds = [one for one in types if isinstance(one, type) and issubclass(one, Document)]
            field = kinds[0].model_fields.get(section) if kinds else None
            types = () if field is None else (field.annotation, *get_args(field.annotation))
        is_text = any(isinstance(one, str) or (isinstance(one, type) and issubclass(one, str)) for one in types)
        with suppress(tomllib.TOMLDecodeError):
            if "#" not in words and (not is_text or words[:1] in ("'", '"')):
                value = tomllib.loads(f"x = {words}")["x"]
        if value is words and tuple in map(get_origin, types):
            value = words.replace(",", " ").split()
        for section in sections:
            place = place.setdefault(section, {})
            if not isinstance(place, MutableMapping):
                raise ClubError(f"{name}: “{section}” is a value in {SETTINGS}, not a section")
        old = "the default" if place.get(key) is None else json.dumps(place[key], ensure_ascii=False)
        place[key] = value
        told.append(f"{name}: {old} → {json.dumps(value, ensure_ascii=False)}")
    return told
