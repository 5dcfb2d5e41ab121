"""Take over a club of version 1.0.0, or of a development version since: its people, games, mails, letters and settings.

The new ledger is made beside the old one and replaces it in one step. Nothing else of the program knows of old clubs.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from pydantic import Field

import adjudicator as adj
from adjudicator.club2.club import GAME_FILE, GAMES, Club, open_file
from adjudicator.club2.counting import MISTAKE
from adjudicator.club2.db import LEDGER, VERSION, Db, contain
from adjudicator.club2.deadlines import Deadlines, Words
from adjudicator.club2.letters import Content, packed
from adjudicator.club2.people import name_key
from adjudicator.club2.settings import SETTINGS, Address, ClubSettings, GameSettings, PressPolicy
from adjudicator.club2.standings import record
from adjudicator.club2.tokens import new_token
from adjudicator.core.problem import Violation
from adjudicator.core.values import Seat, Value
from adjudicator.files.atomic import PRIVATE, write_atomic
from adjudicator.files.documents import Document, parse_toml
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem, InUse, Untrusted
from adjudicator.files.lock import locked
from adjudicator.files.outbox import read_outbox, report_name
from adjudicator.files.reading import read
from adjudicator.library.seat_records import SIMULATED

_OLDEST: Final = 8
_NEW: Final = "ledger.new"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_RELIABILITY: Final = re.compile(r"\s*reliability\s*>=\s*(\d{1,3})\s*")
_HELD: Final = re.compile(r"(?s)message of (.{1,200} \(([a-z]\w*)\)) to [^:]{1,200}: (.*)")
"""The words of a matter about a letter of 1.0.0 from one player to another."""
_KINDS: Final = {
    "held": "message",
    "mail": "mail",
    "path": "mail",
    "standin": "seat",
    "resign": "resign",
    "vacant": "vacant",
    "waits": "late",
    "broken": "failed",
    "list": "failed",
    "unsent": "unsent",
    "bounce": "bounce",
}
"""The kind of a matter by the first part of its old key; others are notes."""
_RESTS: Final = ("game.toml", f"{GAME_FILE}.outbox", "reports")
_DAYS_KEPT: Final = 30 * 24 * 3600


class _Player(Document):
    addresses: Annotated[tuple[Address, ...], Field(min_length=1, max_length=20)]
    name: Words = ""
    public_name: bool | None = None


class _Seat(_Player):
    token: Annotated[str, Field(min_length=8, max_length=80)]
    muted: bool = False


class _Former(_Player):
    seat: str


class _GameToml(Document):
    """The file `game.toml` that each game had."""

    seats: Mapping[str, _Seat]
    former: tuple[_Former, ...] = ()
    deadlines: Deadlines | None = None
    press: PressPolicy | None = None
    press_anonymous: bool | None = None
    press_with_report: bool | None = None
    watchers: tuple[Address, ...] = ()


class _OldPerson(Value, kw_only=True):
    id: int
    address: str
    name: str
    token: str
    asked: int
    confirmed: int
    format: str
    language: str
    is_stand_in: bool
    new_address: str
    new_token: str
    public: str = ""


class _OldGame(Value, kw_only=True):
    id: str
    seal: str = ""
    position: str = ""
    due: int = 0
    wake: int = 0
    paused: int = 0
    stopped: str = ""
    is_over: bool = False
    awaited: str = ""


class _OldList(Value, kw_only=True):
    id: int
    ruleset: str
    players: int
    options: str
    deadline: str
    is_set: bool
    opened: int
    game: str
    begun: int
    condition: str = ""
    language: str = ""


class _OldMessage(Value, kw_only=True):
    id: int
    key: str
    game: str
    seat: str
    sender: str
    address: str
    recipients: str
    waiting: str
    is_anonymous: bool
    text: str
    written: int
    state: str


class _OldLetter(Value, kw_only=True):
    id: int
    key: str
    kind: str
    game: str
    seat: str
    recipient: str
    message_id: str
    data: bytes
    state: str
    written: int
    tries: int
    next_try: int
    said: str


class _Row(Value, kw_only=True):
    """A row of a small table: what it is about, and its time."""

    id: int = 0
    game: str = ""
    seat: str = ""
    kind: str = ""
    seal: str = ""
    key: str = ""
    words: str = ""
    who: str = ""
    first: int = 0
    last: int = 0
    at: int = 0
    is_settled: bool = False


def upgrade(folder: Path, now: int) -> tuple[str, ...]:
    """Make the ledger of the club in ``folder`` one of this version; return a sentence for each change.

    What is replaced stays in `replaced/`. Raises ``CannotRead``, ``Untrusted`` with all that is wrong: then nothing changes.
    An interrupted upgrade can be repeated.
    """
    if not (folder / SETTINGS).is_file() or not (folder / LEDGER).is_file():
        raise CannotRead(str(folder), f"this folder has no club with {SETTINGS} and {LEDGER}")
    with locked(folder / "round"), locked(folder / "club"):
        for path in folder.glob(f"{_NEW}*"):
            path.unlink()
        db = Db(folder / _NEW, create=True)
        try:
            db.run("attach database ? as old", str(folder / LEDGER))
            version = db.value("pragma old.user_version")
            if version < _OLDEST:
                words = f"this ledger is of a version before 1.0.0 ({version}): with that program, bring it to 1.0.0 first"
                raise CannotRead(str(folder / LEDGER), words)
            if version > VERSION:
                words = f"a newer adjudicator has written this ledger (version {version}); please update the program"
                raise CannotRead(str(folder / LEDGER), words)
            settings, text, told = _settings(folder)
            if version == VERSION:
                told.append("the ledger is of this version already")
            else:
                games = _games(folder)
                kept = _set_aside(folder, db, games)
                club = Club(folder, settings, db, now)
                with db.transaction():
                    _Taking(club, games).take()
                told.append(f"{folder}: the ledger has {len(games)} games; what it replaces is in {kept}")
        except FileProblem as error:
            if error.file == str(folder / _NEW):
                error.rename(str(folder / LEDGER))
            raise
        finally:
            db.close()
        write_atomic(folder / SETTINGS, text, PRIVATE)
        if version < VERSION:
            os.replace(folder / _NEW, folder / LEDGER)
        for path in (*folder.glob(f"{_NEW}*"), *(path for name in _RESTS for path in folder.glob(f"{GAMES}/*/{name}"))):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return tuple(told)


def _settings(folder: Path) -> tuple[ClubSettings, bytes, list[str]]:
    """Return the settings without those that have gone, their text, and what the moderator must know about it."""
    import tomlkit  # slow to load, and only changes of settings need it

    name, data = read(folder / SETTINGS)
    document, told = tomlkit.parse(data.decode()), list[str]()
    if document.pop("webhooks", None) is not None:
        told.append(f'{SETTINGS}: [[webhooks]] is gone: a program of yours gets the notices with hook = "./notify"')
    if document.get("limits", {}).pop("cpu_seconds", None) is not None:
        told.append(f"{SETTINGS}: limits.cpu_seconds is gone, as mails have no such limit any more")
    for one in document.get("people", {}).get("open", ()):
        if (condition := one.pop("condition", "")) and (found := _RELIABILITY.fullmatch(condition)):
            one["reliability"] = int(found[1])
        elif condition:
            told.append(f"{SETTINGS}: the condition “{condition}” is gone; only reliability = 80 and the like is left")
    text = tomlkit.dumps(document).encode()
    return parse_toml(name, text, ClubSettings), text, told


def _games(folder: Path) -> dict[str, tuple[adj.Game, _GameToml]]:
    """Return the games with their settings, by name. Raises ``Untrusted`` with all that is wrong with them."""
    found, flaws = dict[str, tuple[adj.Game, _GameToml]](), list[Violation]()
    for path in sorted((folder / GAMES).glob(f"*/{GAME_FILE}")):
        name = path.parent.name
        if _NAME.fullmatch(name):
            with contain(lambda failure, name=name: flaws.append(Violation(name, failure.cause))):  # type: ignore[misc]
                found[name] = open_file(path), parse_toml(*read(path.with_name("game.toml")), _GameToml)
    if flaws:
        raise Untrusted(str(folder), flaws, "nothing has changed: these games cannot be taken over")
    return found


def _set_aside(folder: Path, db: Db, games: Mapping[str, object]) -> Path:
    """Copy what the upgrade replaces into a new folder of `replaced`; return that. Raises ``CannotWrite``."""
    try:
        (folder / "replaced").mkdir(mode=0o700, exist_ok=True)
        kept = next(path for n in count(1) if not (path := folder / "replaced" / str(n)).exists())
        kept.mkdir(mode=0o700)
        shutil.copy2(folder / SETTINGS, kept / SETTINGS)
        for game in games:
            (kept / GAMES / game).mkdir(mode=0o700, parents=True)
            for name in (GAME_FILE, *_RESTS):
                if (path := folder / GAMES / game / name).is_dir():
                    shutil.copytree(path, kept / GAMES / game / name)
                elif path.exists():
                    shutil.copy2(path, kept / GAMES / game / name)
        db.run("vacuum old into ?", str(kept / LEDGER))
        for path in kept.rglob("*"):
            path.chmod(0o700 if path.is_dir() else PRIVATE)
    except OSError as error:  # also what shutil raises
        raise CannotWrite(str(folder), f"the copy of the old club failed: {error.strerror or error}") from error
    if db.value("pragma old.journal_mode = delete") != "delete":  # else its log would be taken for one of the new ledger
        raise InUse(str(folder / LEDGER), "another program uses this ledger; please try again later")
    return kept


class _Taking:
    """Takes the rows of the old ledger, attached as `old`, into the new one, in the order in which they refer to others."""

    def __init__(self, club: Club, games: Mapping[str, tuple[adj.Game, _GameToml]]) -> None:
        self.club, self.db, self.games = club, club.db, games
        self.numbers = dict[str, int]()
        """The rows of the games by name."""
        self.players = dict[tuple[str, str], int]()
        """The person on each seat."""
        self.seats = dict[tuple[str, str], int]()
        """The row of each seat."""

    def take(self) -> None:
        """Take everything."""
        db = self.db
        secret = db.value("select secret from old.secrets where id = 1")
        clock = db.value("select at from old.clock") or 0
        db.insert("club", id=1, secret=secret or os.urandom(32), clock=clock, pruned=self.club.now)
        self.take_people()
        for name, (game, settings) in self.games.items():
            self.take_game(name, game, settings)
        self.take_lists()
        self.take_letters()
        self.take_matters()
        seat_of = {f"seat/{game}/{seat}": f"seat/{self.numbers[game]}/{seat}" for game, seat in self.seats}
        for one in db.all(_Row, "select who, what as kind, at from old.uses"):
            who = seat_of.get(one.who) or re.sub("^seat/club/", "person/", one.who)
            db.insert("log", at=one.at, who=who, what=one.kind)
        changes = "select at, 'moderator', replace(task, 'report', 'status'), words from old.changes order by id"
        db.run(f"insert into log (at, who, what, words) {changes}")
        for row in self.club.games():
            record(self.club, row, self.games[row.name][0])

    def take_people(self) -> None:
        """Take the members, and what strangers and members must still confirm."""
        for one in self.db.all(_OldPerson, "select * from old.people"):
            if not one.confirmed:
                columns: dict[str, Any] = {"kind": "register", "address": one.address, "token": one.token}
                self.db.insert("confirmations", **columns, since=one.asked, asked=one.asked)
                continue
            prefs = {"format": one.format, "language": one.language, "public": one.public, "standin": one.is_stand_in}
            columns = {"id": one.id, "address": one.address, "name": one.name, "name_key": name_key(one.name)}
            self.db.insert("people", **columns, token=one.token, joined=one.confirmed, prefs=prefs)
            if one.new_address:
                columns = {"kind": "address", "person": one.id, "address": one.new_address, "token": one.new_token}
                self.db.insert("confirmations", unless="kind, address", **columns, since=self.club.now, asked=self.club.now)

    def person_of(self, addresses: tuple[str, ...]) -> int:
        """Return the person with these addresses: one whom the ledger has, with the addresses that are new, or a new one."""
        own = dict.fromkeys(address.lower() for address in addresses)
        known = [person for person in map(self.club.person_at, own) if person is not None]
        if not known:
            first, *others = own
            return self.db.insert("people", address=first, others=others, token=new_token())
        stays = max(known, key=lambda person: (person.joined > 0, -person.id))
        others = list(stays.others)
        for address in own:
            other = self.club.person_at(address)
            if other is not None and other.id != stays.id and not other.joined:  # the same person on another seat
                for table in ("seats", "holidays"):
                    self.db.run(f"update or ignore {table} set person = ? where person = ?", stays.id, other.id)
                self.players = {seat: stays.id if who == other.id else who for seat, who in self.players.items()}
                self.db.run("delete from people where id = ?", other.id)
                others += [other.address, *other.others]
            elif other is None:
                others.append(address)
        self.db.update("people", stays.id, others=list(dict.fromkeys(others)))
        return stays.id

    def take_game(self, name: str, game: adj.Game, settings: _GameToml) -> None:
        """Take a game with its settings, its present and its former players."""
        db, club = self.db, self.club
        old = db.first(_OldGame, "select * from old.games where id = ?", name) or _OldGame(id=name)
        usual, own = club.settings, dict[str, Any]()
        if (rule := settings.deadlines) is not None:
            differs = {key: value for key, value in rule if value != getattr(usual.deadlines, key)}
            own |= {"deadlines": Deadlines(**differs)} if differs else {}
        for key in ("press", "press_anonymous", "press_with_report"):
            if (value := getattr(settings, key)) is not None and value != getattr(usual, key):
                own[key] = value
        path = club.folder / GAMES / name / GAME_FILE
        outbox = read_outbox(f"{path}.outbox", game.record.beginning)
        number = self.numbers[name] = db.insert(
            "games",
            name=name,
            ruleset=game.meta.id,
            beginning=game.record.beginning,
            added=int(path.parent.stat().st_mtime),
            settings=GameSettings(**own),
            since=outbox.since if outbox is not None and outbox.seal == old.seal else 0,
            paged="new" if list(path.parent.glob("reports/*.json")) else "",  # the players have boards in a desk
            **{key: getattr(old, key) for key in ("seal", "position", "due", "wake", "paused", "stopped", "is_over")},
        )

        newest = "select not is_flawed from old.mails where game = ? and seat = ? and state = 'waiting'"
        for seat in game.seats:
            one = settings.seats.get(seat)
            if one is None:
                where, words = f"{name}/game.toml", f"the game has a seat {seat}, which is missing here"
                raise Untrusted(str(club.folder), [Violation(where, words)], "this game cannot be taken over")
            votes = db.all(_Row, "select kind, seal from old.votes where game = ? and seat = ?", name, seat)
            person = self.players[name, seat] = self.person_of(one.addresses)
            self.seats[name, seat] = db.insert(
                "seats",
                game=number,
                seat=seat,
                person=person,
                name=game.players[seat],
                token=one.token.lower(),
                since=0,
                is_due=int(seat in old.awaited.split()),
                is_ready=db.value(f"{newest} order by received desc, id desc", name, seat) or 0,
                is_dropped=int(game.players[seat] == SIMULATED),
                muted=int(one.muted),
                public_name=one.public_name,
                votes={vote.kind: vote.seal for vote in votes},
            )
        for place, former in enumerate(settings.former, 1):
            columns: dict[str, Any] = {"game": number, "seat": former.seat, "name": former.name, "since": 0, "until": place}
            person = self.person_of(former.addresses)
            db.insert("seats", unless="game, seat, person", person=person, public_name=former.public_name, **columns)

    def take_lists(self) -> None:
        """Take the lists with their places, holidays, messages and mails."""
        db = self.db
        for one in db.all(_OldList, "select * from old.lists where opened > 0"):
            found = _RELIABILITY.fullmatch(one.condition)
            options = dict(line.partition("=")[::2] for line in one.options.splitlines())
            columns: dict[str, Any] = {"id": one.id, "ruleset": one.ruleset, "players": one.players, "options": options}
            columns |= {"deadline": one.deadline, "language": one.language, "reliability": int(found[1]) if found else 0}
            columns |= {"is_set": int(one.is_set), "opened": one.opened, "closed": one.begun}
            db.insert("lists", **columns, game=self.numbers.get(one.game))
        # Who was asked but has not answered is asked again: the answer to the old letter does not count.
        places = (
            "select 'place', person, list, joined, case when confirmed then asked else 0 end, confirmed from old.places"
            " where list in (select id from lists) and person in (select id from people)"
        )
        db.run(f"insert into confirmations (kind, person, list, since, asked, done) {places}")
        for row in db.all(_Row, "select * from old.holidays"):
            person = int(row.seat) if row.game == "club" else self.players.get((row.game, row.seat))
            if person and db.value("select 1 from people where id = ?", person):
                db.insert("holidays", unless="person, first", person=person, first=row.first, last=row.last)
        if db.value("select count(*) from old.sqlite_master where name = 'messages'"):
            for message in db.all(_OldMessage, "select * from old.messages order by id"):
                if (game := self.numbers.get(message.game)) is not None:
                    keys = ("id", "key", "seat", "sender", "is_anonymous", "text", "written", "state")
                    columns = {key: getattr(message, key) for key in keys}
                    columns |= {"is_anonymous": int(message.is_anonymous), "recipients": message.recipients.split()}
                    who = self.club.person_at(message.address)
                    db.insert("messages", **columns, game=game, waiting=message.waiting.split(), person=who and who.id)
        mails = (
            "select id, identity, hash, received, fetched, address,"
            " coalesce((select person from seats s join games g on g.id = s.game where g.name = m.game and s.seat = m.seat"
            " and until = 0 and m.state in ('waiting', 'accepted')), (select id from people p where p.address = m.address)),"
            " (select id from games where name = m.game), seat, case state when 'kept' then 'new' when 'accepted' then 'new'"
            " when 'passed over' then 'ignored' else state end,"
            " case when state = 'waiting' and is_flawed then ? else why end, data from old.mails m order by id"
        )
        columns_of_mails = "id, identity, hash, received, fetched, address, person, game, seat, state, why, data"
        db.run(f"insert into mails ({columns_of_mails}) {mails}", MISTAKE)

    def take_letters(self) -> None:
        """Take the letters: those that must still go out as they are, and the text of the newest report to each seat."""
        db = self.db
        newest = set(db.all(int, "select max(id) from old.letters where kind = 'report' group by game, seat"))
        for number in db.all(int, "select id from old.letters where kind <> 'webhook' order by id"):
            one = db.first(_OldLetter, "select * from old.letters where id = ?", number)
            assert one is not None
            is_kept = one.data and (one.state not in ("sent", "dropped") or one.written > self.club.now - _DAYS_KEPT)
            content = Content(raw=one.data) if is_kept else None
            files = [
                self.club.folder / GAMES / one.game / "reports" / report_name(Seat(one.seat), form)
                for form in ("txt", "html")
            ]
            if number in newest and one.state == "sent" and (one.game, one.seat) in self.seats and files[0].is_file():
                html = files[1].read_text("utf-8", "replace") if files[1].is_file() else ""
                content = Content(text=files[0].read_text("utf-8", "replace"), html=html)
            words = db.value("select words from old.matters where key = ?", f"held/{one.key}") or ""
            if one.state == "held" and (found := _HELD.fullmatch(words)) and (one.game, found[2]) in self.seats:
                to = {"game": self.numbers[one.game], "recipients": [one.seat], "waiting": [one.seat]}
                by = {"seat": found[2], "person": self.players[one.game, found[2]], "sender": found[1]}
                text = {"text": found[3], "written": one.written, "is_anonymous": 0}
                db.insert("messages", unless="key", key=one.key, **to, **by, **text, state="held")
            who = self.club.person_at(one.recipient)
            keys = ("id", "key", "kind", "seat", "recipient", "message_id", "written", "tries", "next_try", "said")
            db.insert(
                "letters",
                **{key: getattr(one, key) for key in keys},
                game=self.numbers.get(one.game),
                person=self.players.get((one.game, one.seat)) or (who and who.id),
                subject="",
                content=packed(content) if content is not None else b"",
                state="dropped" if one.state == "held" else one.state,
            )

    def take_matters(self) -> None:
        """Take the matters with what their keys say, and the mails that wait with them."""
        db = self.db
        for one in db.all(_Row, "select * from old.matters"):
            first, *more = one.key.split("/")
            kind, game = _KINDS.get(first, "note"), self.numbers.get(one.game)
            about: dict[str, Any] = {}
            if kind == "message":
                message = db.value("select id from messages where key = ?", one.key.partition("/")[2])
                kind, about = ("message", {"message": message}) if message else ("note", {})
            elif kind == "seat" and len(more) == 3:
                about = {"seat": more[1], "person": db.value("select id from people where id = ?", int(more[2]))}
                one = msgspec.structs.replace(one, key=f"seat/{game}/{more[1]}/{more[2]}")
            elif kind in ("resign", "vacant") and len(more) > 1:
                row = self.seats.get((one.game, more[1]), 0)
                about = {"seat": more[1], "person": self.players.get((one.game, more[1]))}
                one = msgspec.structs.replace(one, key=f"{kind}/{row}" if kind == "vacant" else f"resign/{row}/{one.id}")
            columns: dict[str, Any] = {"id": one.id, "key": one.key, "kind": kind, "game": game, "at": one.at}
            db.insert("matters", unless="key", **columns, words=one.words, settled=one.at if one.is_settled else 0, **about)
            found = "select m.id from old.mails m join old.matters t on t.key = m.matter where t.id = ?"
            db.run(f"update mails set matter = ? where state = 'held' and id in ({found})", one.id, one.id)
