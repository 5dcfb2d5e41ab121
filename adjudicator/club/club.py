"""The club that is at work: its folder, settings, ledger and time; and the rows that all its parts read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from itertools import count
from pathlib import Path
from typing import Final

import adjudicator as adj
from adjudicator.club import ClubError
from adjudicator.club.db import LEDGER, Db
from adjudicator.club.deadlines import Deadlines, moment
from adjudicator.club.settings import HIDDEN, SETTINGS, ClubSettings, GameSettings
from adjudicator.core.problem import Violation
from adjudicator.core.values import Value, replace
from adjudicator.files.documents import parse_toml
from adjudicator.files.errors import CannotRead, CannotWrite, InUse, Untrusted
from adjudicator.files.reading import read
from adjudicator.files.writing import locked, write_atomic
from adjudicator.mail.envelope import address_flaw, plain_address
from adjudicator.reports.texts import printable

GAMES: Final = "games"
GAME_FILE: Final = "game.json"
WEB: Final = "web"
"""The source of what people write on pages of the club; other mails have the source `mail`."""
INBOX: Final = ("inbox", "inbox/tmp", "inbox/new", "inbox/cur")
"""The folders of the Maildir of a new club."""
ROUND: Final = "round"
"""The lock of a round, from its first mail to its last letter."""
LOCK: Final = "club"
"""The lock of all who move files or seats."""
_MOST_RULES: Final = 20_000
"""The most characters of the house rules in a letter or on a page."""
_PATIENCE: Final = 60.0
"""Seconds to wait for a round, or for another command that moves files or seats."""
CAN_SIT: Final = (
    "not exists (select 1 from seats o where o.game = s.game and o.seat <> s.seat"
    " and (o.person = h.sitter or h.sitter in (select value from json_each(o.sat))))"
    " and not exists (select 1 from games where games.id = s.game and json_extract(settings, '$.names') = 'hidden')"
)
"""Whether the sitter of a holiday `h` may play a seat `s`: they know the secrets of no other, and may know its player."""
NEW_SITTERS: Final = (
    "select id, wanted from (select s.id, s.sitter, (select h.sitter from holidays h where h.person = s.person"
    f" and h.agreed > 0 and h.first <= ? and h.last > ? and not s.is_dropped and {CAN_SIT} order by h.first) as wanted"
    " from seats s join games g on g.id = s.game where s.until = 0 and g.removed = 0 and g.next_seal = ''"
    " and (s.sitter is not null or not g.is_over)) where sitter is not wanted order by id"
)
"""The seats that someone else plays from now on than before (null: their players). A step that stopped comes first."""
_SEATS: Final = (
    "select seats.*, people.address, people.others, people.joined, people.prefs"
    " from seats join people on people.id = seats.person"
)


class GameRow(Value, kw_only=True):
    """A game in the ledger; see `schema.sql`. Times are in seconds since 1970, 0: none."""

    id: int
    name: str
    ruleset: str
    beginning: str
    removed: int
    settings: GameSettings
    seal: str
    position: str
    since: int
    next_seal: str
    next_since: int
    due: int
    wake: int
    paused: int
    resumes: int
    is_voted: bool
    overtime: int
    stopped: str
    is_over: bool
    size: int
    changed: int
    paged: str

    @property
    def is_running(self) -> bool:
        """Whether the game has a deadline, and is neither paused nor over."""
        return bool(self.due) and not self.paused and not self.is_over

    @property
    def deadline(self) -> int:
        """The deadline that everyone may know: only those who are late learn how long their time banks run after it."""
        return self.overtime or self.due

    @property
    def hides_names(self) -> bool:
        """Whether players must not learn yet who plays the game: its file and the ``name`` of each seat have no names."""
        return self.settings.names == HIDDEN and not self.is_over


class Prefs(Value, omit_defaults=True):
    """What a person prefers: the ``format`` of letters (html, text), and the ``language`` of orders besides English, if any.

    ``public`` is the answer to whether public pages may name them: "yes", "no", or empty for none. ``standin`` says that the
    club asks them when a seat has lost its player. ``mail`` is when they get reports: at once (turn), in place of a reminder
    (late), or once a day (digest).
    """

    format: str = "html"
    language: str = ""
    public: str = ""
    standin: bool = False
    mail: str = "turn"


class _Reachable(Value, kw_only=True):
    """A person to whom the club writes at the ``address``, and who may write from it and from ``others``."""

    id: int
    name: str
    token: str
    address: str
    others: tuple[str, ...]
    joined: int
    prefs: Prefs

    def has_address(self, address: str) -> bool:
        """Return whether the person may write from ``address``."""
        return address.casefold() in map(str.casefold, (self.address, *self.others))


class Person(_Reachable, kw_only=True):
    """A person in the ledger: a member since ``joined``, or only a player (0)."""


class SeatRow(_Reachable, kw_only=True):
    """A present (``until`` = 0) or former player of a seat, with the address and the preferences of the person.

    ``name`` and ``token`` are those of the seat; a game without names has ``hidden_name`` until its end. While a member
    plays for the player, it is the ``sitter``. For them, the row has their own address and preferences, and ``is_sitter``.
    """

    game: int
    seat: str
    place: int
    person: int
    names: tuple[str, ...]
    hidden_name: str
    since: int
    until: int
    is_due: bool
    is_ready: bool
    is_dropped: bool
    sitter: int | None
    sat: tuple[int, ...]
    muted: bool
    public_name: bool | None
    votes: Mapping[str, str]
    bank_used: int
    is_sitter: bool = False

    @property
    def player(self) -> str:
        """The player with the seat, as ``Ann (red)``."""
        return printable(f"{self.name} ({self.seat})") if self.name else self.seat

    @property
    def real_name(self) -> str:
        """The name of the player, also if the game hides it: only for the moderator, and when the game is over."""
        return self.hidden_name or self.name


class MailRow(Value, kw_only=True):
    """A mail in the ledger; its ``state`` is one of ``mails.MOVES``."""

    id: int
    identity: str
    hash: str
    source: str
    received: int
    fetched: int
    address: str
    person: int | None
    game: int | None
    seat: str
    state: str
    why: str
    matter: int | None
    seal: str
    data: bytes

    @property
    def what(self) -> str:
        """What its writer calls it: a mail, or a text on a page."""
        return "text" if self.source == WEB else "mail"


class Club:
    """An open club at the time ``now``, in seconds since 1970: its ``folder``, its ``settings``, and the ledger ``db``.

    Rows are read whenever they are asked for. Only opened games are kept, as long as their files do not change.
    """

    def __init__(self, folder: Path, settings: ClubSettings, db: Db, now: int) -> None:
        """Use these parts."""
        self.folder, self.settings, self.db, self.now = folder, settings, db, now
        self._games = dict[Path, tuple[tuple[int, int], adj.Game]]()
        self._held = set[Path]()

    def games(self) -> list[GameRow]:
        """Return the games by name."""
        return self.db.all(GameRow, "select * from games where removed = 0 order by name")

    def row(self, game: int | str) -> GameRow:
        """Return the present row of a game, by number or by name. Raises ``ClubError``."""
        by = "id = ?" if isinstance(game, int) else "name = ? and removed = 0"
        found = self.db.first(GameRow, f"select * from games where {by}", game)
        if found is None:
            known = ", ".join(self.db.all(str, "select name from games where removed = 0 order by name"))
            raise ClubError(f"the club has no game {game}; its games: {known or 'none'}")
        return found

    def file(self, row: GameRow) -> Path:
        """Return the path of a game's file."""
        return self.folder / GAMES / row.name / GAME_FILE

    def stamp(self, row: GameRow) -> tuple[int, int]:
        """Return the size of a game's file and the time of its last change: if both are the same, the file is unchanged."""
        try:
            found = self.file(row).stat()
        except OSError:
            return -2, -2
        return found.st_size, found.st_mtime_ns

    def game(self, row: GameRow) -> adj.Game:
        """Return a game with its rules. Raises ``FileProblem``, ``SetupError``."""
        path, stamp = self.file(row), self.stamp(row)
        kept = self._games.get(path)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        game = open_file(path)
        if game.id != row.name:
            words = f"the id of this game is {game.id}: its folder must have this name"
            raise Untrusted(str(path), [Violation("$.id", words)])
        self._games[path] = stamp, game
        return game

    def save(self, row: GameRow, game: adj.Game) -> None:
        """Replace the file of a game in one step. Raises ``CannotWrite``. The caller has locked the game."""
        write_atomic(self.file(row), game.to_bytes())
        self._games[self.file(row)] = self.stamp(row), game

    def seats(self, row: GameRow, *, former: bool = False) -> list[SeatRow]:
        """Return the players of a game in the order of its seats, with ``former`` ones, the earliest first, if wanted."""
        which = "seats.game = ? and (seats.until = 0 or (? and seats.until > 0))"
        order = "seats.place, seats.until = 0, seats.until, seats.id"
        return self.db.all(SeatRow, f"{_SEATS} where {which} order by {order}", row.id, former)

    def seat(self, row: GameRow, seat: str) -> SeatRow:
        """Return the present player of a seat. Raises ``ClubError``."""
        query = f"{_SEATS} where seats.game = ? and seats.seat = ? and seats.until = 0"
        found = self.db.first(SeatRow, query, row.id, seat)
        if found is None:
            known = ", ".join(one.seat for one in self.seats(row))
            raise ClubError(f"{row.name} has no seat {seat}; it has {known}")
        return found

    def seats_of(self, person: int) -> list[SeatRow]:
        """Return the seats that a person has now, by game: their own, and those for whose players they play."""
        query = f"{_SEATS} where (seats.person = ? or seats.sitter = ?) and seats.until = 0 order by seats.game, seats.id"
        found = self.db.all(SeatRow, query, person, person)
        return [one if one.person == person else self.as_sitter(one) or one for one in found]

    def as_sitter(self, seat: SeatRow) -> SeatRow | None:
        """Return ``seat`` as the member has it who plays for its player now: what goes to it goes to them."""
        if seat.sitter is None:
            return None
        own, shared = self.person(seat.sitter), ("address", "others", "joined", "prefs")
        return replace(seat, person=own.id, sitter=None, is_sitter=True, **{name: getattr(own, name) for name in shared})

    def person(self, id: int) -> Person:  # noqa: A002 - the name of the column
        """Return the person with this number. Raises ``KeyError``."""
        found = self.db.first(Person, "select * from people where id = ?", id)
        if found is None:
            raise KeyError(id)
        return found

    def person_at(self, address: str) -> Person | None:
        """Return the person who writes from ``address``."""
        found = self.db.first(Person, "select * from people where address = ?", address.lower())
        other = "select * from people where others <> '[]' and exists (select 1 from json_each(others) where value = ?)"
        return found or self.db.first(Person, other, address.lower())

    def deadlines(self, row: GameRow) -> Deadlines:
        """Return the deadline settings of a game: its own, and else those of the club."""
        own = row.settings.deadlines
        return self.settings.deadlines.model_copy(update={name: getattr(own, name) for name in own.model_fields_set})

    def press(self, row: GameRow) -> GameSettings:
        """Return the rules of a game for messages between players: its own, and else those of the club."""
        own = row.settings
        return self.settings.model_copy(update={name: getattr(own, name) for name in own.model_fields_set - {"deadlines"}})

    def moment(self, at: int) -> str:
        """Return a time, in seconds since 1970, as text for members, in the time zone of the club."""
        return moment(at, self.settings.time_zone)

    @cached_property
    def secret(self) -> bytes:
        """32 random bytes, always the same, that only this ledger has."""
        return bytes(self.db.value("select secret from club"))

    def house_rules(self) -> str:
        """Return the house rules of the club; empty if there are none, or their file cannot be read."""
        name = self.settings.people.rules
        try:
            return (self.folder / name).read_text("utf-8", "replace")[:_MOST_RULES].strip() if name else ""
        except OSError:
            return ""

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep away all others who move files or seats; inside the lock, nothing more. Raises ``InUse``, ``CannotWrite``."""
        try:
            with self._lock(self.folder / LOCK, _PATIENCE):
                yield
        except InUse as error:
            if error.file != str(self.folder / LOCK):
                raise
            raise InUse(str(self.folder), "the club is at work; please try again later") from error

    @contextmanager
    def game_locked(self, row: GameRow, patience: float = 10.0) -> Iterator[None]:
        """Keep all others away from a game's file; wait ``patience`` seconds for them. Raises ``InUse``, ``CannotWrite``."""
        with self._lock(self.file(row), patience):
            yield

    @contextmanager
    def _lock(self, path: Path, patience: float) -> Iterator[None]:
        if path in self._held:
            yield
            return
        with locked(path, patience):
            self._held.add(path)
            try:
                yield
            finally:
                self._held.discard(path)


@contextmanager
def at_rest(folder: Path) -> Iterator[None]:
    """Keep away rounds, and all others who move files or seats. Raises ``InUse``, ``CannotWrite``."""
    with locked(folder / ROUND), locked(folder / LOCK):
        yield


def read_settings(folder: Path) -> ClubSettings:
    """Return the settings of the club in ``folder``.

    Raises ``CannotRead`` if there is none, or one of an earlier version with other settings; ``Untrusted``.
    """
    if not (folder / SETTINGS).is_file():
        raise CannotRead(str(folder), f"this folder has no {SETTINGS}; `adjudicator club init {folder}` begins a club")
    try:
        return _settings_in(*read(folder / SETTINGS))
    except Untrusted:
        with suppress(InUse, CannotWrite, Untrusted):
            Db(folder / LEDGER).close()
        raise


@lru_cache(maxsize=4)
def _settings_in(name: str, data: bytes) -> ClubSettings:
    """Return the settings in ``data``, the file ``name``: a server reads the same file for each request."""
    return parse_toml(name, data, ClubSettings)


@contextmanager
def open_club(folder: Path, now: int) -> Iterator[Club]:
    """Open the club in ``folder`` at the time ``now``, in seconds since 1970.

    Raises ``CannotRead`` if there is none, or one of another version; ``Untrusted`` for unusable settings or a bad ledger.
    """
    club = Club(folder, read_settings(folder), Db(folder / LEDGER), now)
    try:
        yield club
    finally:
        club.db.close()  # a round with many games has opened it anew


def required_address(written: str, place: str) -> str:
    """Return the address in the text ``written`` for a ``place``, such as a seat. Raises ``ClubError``."""
    if flaw := address_flaw(written):
        raise ClubError(f"{place}: {flaw}")
    return plain_address(written)


def new_place(parent: Path, prefix: str = "") -> Path:
    """Return the first free path in the folder ``parent`` of ``prefix`` and a number from 1; make ``parent`` if needed."""
    parent.mkdir(mode=0o700, exist_ok=True)
    return next(path for number in count(1) if not (path := parent / f"{prefix}{number}").exists())


def open_file(path: Path) -> adj.Game:
    """Return the game in the file ``path``. Raises ``FileProblem``, ``SetupError``."""
    try:
        return adj.open(read(path)[1], name=str(path), whole=True)
    except Untrusted as error:
        raise error.__cause__ if isinstance(error.__cause__, adj.SetupError) else error from None
