"""The folder of a club: begin one, copy it as it is between two rounds, restore a copy, and take over an older club.

An upgrade takes over the people, games, mails, letters and settings of version 1.0.0, or of a development version since.
The new ledger is made beside the old one and replaces it in one step. Nothing else of the program knows of old clubs.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import token_bytes
from typing import Annotated, Any, Final

from pydantic import Field

import adjudicator as adj
from adjudicator.club import ClubError
from adjudicator.club.club import (
    GAME_FILE,
    GAMES,
    INBOX,
    Club,
    at_rest,
    new_place,
    open_file,
    read_settings,
    required_address,
)
from adjudicator.club.counting import MISTAKE
from adjudicator.club.db import LEDGER, VERSION, Db, contain, refuse_newer
from adjudicator.club.deadlines import Deadlines, Words
from adjudicator.club.letters import Content, new_token, packed
from adjudicator.club.people import name_key, record
from adjudicator.club.post import KEPT
from adjudicator.club.settings import SETTINGS, Address, ClubSettings, GameSettings
from adjudicator.core.phrases import count as number_of
from adjudicator.core.problem import Violation
from adjudicator.core.values import Seat, Value
from adjudicator.files.documents import Document, parse_toml
from adjudicator.files.errors import CannotRead, CannotWrite, FileProblem, InUse, Untrusted
from adjudicator.files.outbox import read_outbox, report_name
from adjudicator.files.reading import read
from adjudicator.files.writing import PRIVATE, write_atomic
from adjudicator.library.seat_records import SIMULATED
from adjudicator.reports.texts import printable

_PASSING: Final = shutil.ignore_patterns("*.lock", "*.tmp")
"""Temporary files of running programs."""
_OLDEST: Final = 8
_NEW: Final = "ledger.new"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_RELIABILITY: Final = re.compile(r"(?i)\breliability\s*>=\s*(\d{1,3})\b")
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
_STEPS: Final = (
    "alter table old.people add column public text not null default ''",
    "create table old.messages (id integer, key text, game text, seat text, sender text, address text, recipients text,"
    " waiting text, is_anonymous integer, text text, written integer, state text)",
    "alter table old.lists add column language text not null default ''",
)
"""What the ledgers of versions 9, 10 and 11 have more than the one before, as far as it is taken over."""
_PLAYER: Final = (
    "(select person from seats s join games g on g.id = s.game where g.name = o.game and s.seat = o.seat and s.until = 0)"
)
_WRITER: Final = (
    "(select id from people p where p.address = o.address"
    " or exists (select 1 from json_each(p.others) where value = o.address) limit 1)"
)
_READER: Final = _WRITER.replace("o.address", "o.recipient")
_GAME: Final = "(select id from games where name = o.game)"
_WORDS: Final = "case {0} when '' then '[]' else '[\"' || replace({0}, ' ', '\",\"') || '\"]' end"
_NEWEST: Final = (
    "select iif(state = 'sent', id, 0) from letters where game = ? and seat = ? and kind = 'report' order by id desc"
)
_FIRST: Final = (
    "insert into people (id, address, name, token, joined, prefs) select id, address, name, token, confirmed,"
    " json_object('format', format, 'language', language, 'public', public,"
    " 'standin', json(iif(is_stand_in, 'true', 'false'))) from old.people where confirmed",
    "insert into confirmations (kind, address, token, since, asked)"
    " select 'register', address, token, asked, asked from old.people where not confirmed",
    "insert or ignore into confirmations (kind, person, address, token, since, asked) select 'address', id, new_address,"
    " new_token, confirmed, confirmed from old.people where confirmed and new_address <> ''",
)
"""The statements that take the people, before the games."""
_THEN: Final = (
    "update games set (seal, position, due, wake, paused, stopped, is_over) = (select seal, position, due, wake, paused,"
    " stopped, is_over from old.games o where o.id = games.name) where name in (select id from old.games)",
    "update seats set is_due = coalesce((select instr(' ' || awaited || ' ', ' ' || seats.seat || ' ') > 0"
    " from old.games o join games g on g.name = o.id where g.id = seats.game), 0) where until = 0",
    "update seats set is_ready = coalesce((select not is_flawed from old.mails o join games g on g.name = o.game"
    " where g.id = seats.game and o.seat = seats.seat and o.state = 'waiting' order by received desc, o.id desc limit 1), 0)"
    " where until = 0",
    "update seats set votes = (select json_group_object(kind, o.seal) from old.votes o join games g on g.name = o.game"
    " where g.id = seats.game and o.seat = seats.seat) where until = 0",
    "insert into lists (id, ruleset, players, deadline, language, is_set, opened, closed, game)"
    f" select id, ruleset, players, deadline, language, is_set, opened, begun, {_GAME} from old.lists o where opened > 0",
    # Who was asked but has not answered is asked again: the answer to the old letter does not count.
    "insert into confirmations (kind, person, list, since, asked, done) select 'place', person, list, joined,"
    " iif(confirmed, asked, 0), confirmed from old.places"
    " where list in (select id from lists) and person in (select id from people)",
    "insert or ignore into holidays (person, first, last) select p.id, first, last from old.holidays o"
    f" join people p on p.id = iif(o.game = 'club', cast(o.seat as integer), {_PLAYER})",
    "insert into messages (id, key, game, seat, person, sender, recipients, waiting, is_anonymous, text, written, state)"
    f" select id, key, {_GAME}, seat, {_WRITER}, sender, {_WORDS.format('recipients')}, {_WORDS.format('waiting')},"
    f" is_anonymous, text, written, state from old.messages o where {_GAME} is not null",
    "insert into mails (id, identity, hash, received, fetched, address, person, game, seat, state, why, data)"
    " select id, identity, hash, received, fetched, address,"
    f" coalesce(iif(state in ('waiting', 'accepted'), {_PLAYER}, null), {_WRITER}), {_GAME}, seat,"
    " case state when 'kept' then 'new' when 'accepted' then 'new' when 'passed over' then 'ignored' else state end,"
    f" iif(state = 'waiting' and is_flawed, '{MISTAKE}', why), data from old.mails o order by id",
    "insert into letters (id, key, kind, game, seat, person, recipient, message_id, subject, content, state, written,"
    f" tries, next_try, said) select id, key, kind, {_GAME}, seat, coalesce({_PLAYER}, {_READER}), recipient, message_id,"
    " '', x'', iif(state = 'held', 'dropped', state), written, tries, next_try, said"
    " from old.letters o where kind <> 'webhook' order by id",
    "insert into log (at, who, what) select at, coalesce((select 'seat/' || g.id || '/' || seat from seats s"
    " join games g on g.id = s.game where o.who = 'seat/' || g.name || '/' || seat limit 1),"
    " replace(who, 'seat/club/', 'person/')), what from old.uses o",
    "insert into log (at, who, what, words)"
    " select at, 'moderator', replace(task, 'report', 'status'), words from old.changes order by id",
)
"""The statements that take the rest, in the order in which rows refer to others; `o` is the old row."""


def begin_club(folder: Path, *, name: str, address: str, moderator: str, zone: str) -> None:
    """Write `club.toml`, the ledger and the folders of a new club; ``zone`` is its time zone.

    Raises ``ClubError`` if there is one already, ``Untrusted`` for settings that no club can have, ``CannotWrite``.
    """
    if (folder / SETTINGS).exists():
        raise ClubError(f"{folder} already has a club")
    values = {"name": name, "address": required_address(address, "--address")}
    values |= {"moderator": required_address(moderator, "--moderator"), "zone": zone}
    for option in ("name", "zone"):
        if printable(values[option]) != values[option]:
            words = f"“{printable(values[option])}” has characters that not every program can show: leave them out"
            raise ClubError(f"--{option}: {words}")
    template = Path(__file__).with_name(SETTINGS).read_text("utf-8")
    text = template.format_map({key: json.dumps(value, ensure_ascii=False) for key, value in values.items()}).encode()
    parse_toml(str(folder / SETTINGS), text, ClubSettings)
    try:
        for part in (folder, folder / GAMES, *(folder / part for part in INBOX)):
            part.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(str(folder), f"the folder cannot be created: {error.strerror or error}") from error
    with closing(Db(folder / LEDGER, create=True)) as db:
        db.insert("club", unless="id", id=1, secret=token_bytes(32))
    write_atomic(folder / SETTINGS, text, PRIVATE)


@contextmanager
def back_up(club: Club, target: Path) -> Iterator[int]:
    """Copy the club to the new folder ``target``, completely or not at all, and yield how many games it has.

    Meanwhile no round runs games, and no command changes one during its copy. The block can record the backup: the folder
    and this change of the ledger appear in one step. Raises ``ClubError`` if ``target`` exists, ``InUse``, ``CannotWrite``,
    and ``Untrusted`` if the ledger is damaged.
    """
    if os.path.lexists(target):
        raise ClubError(f"{target} already exists; name a new folder for the backup")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        try:
            with club.locked():
                shutil.copy2(club.folder / SETTINGS, part / SETTINGS)
                club.db.copy_to(part / LEDGER)
                for name in (GAMES, *INBOX):
                    (part / name).mkdir(mode=0o700)
                games = [row for row in club.games() if club.file(row).parent.is_dir()]
                for row in games:
                    with club.game_locked(row):
                        shutil.copytree(club.file(row).parent, part / GAMES / row.name, ignore=_PASSING)
            with club.db.transaction():
                part = part.rename(target)
                yield len(games)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    except OSError as error:  # also what shutil raises
        raise CannotWrite(str(target), f"the backup failed: {error.strerror or error}") from error


def restore(folder: Path, copy: Path, now: int) -> str:
    """Give the club in ``folder`` the ledger and games of the backup ``copy``; return the place of the replaced ones.

    It keeps its `club.toml`, if it has one. Mails that a Maildir has stored go back to its new ones: the ledger ignores
    those that it has. Raises ``CannotRead``, ``Untrusted``, ``InUse``, ``CannotWrite``. An interrupted restore can be
    repeated.
    """
    if not (copy / SETTINGS).is_file():
        raise CannotRead(str(copy), f"this folder has no backup of a club: its {SETTINGS} is missing")
    read_settings(copy)  # they can be used
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not (folder / SETTINGS).exists():
            shutil.copy2(copy / SETTINGS, folder / SETTINGS)
        incoming = read_settings(folder).incoming
        part = Path(tempfile.mkdtemp(prefix=".restore.", dir=folder))
        try:
            with at_rest(folder):
                try:  # no other program changes the present ledger, which may be missing or damaged
                    with closing(Db(folder / LEDGER)) as db, db.transaction():
                        pass
                except InUse:
                    raise
                except FileProblem:
                    pass
                _copy_ledger(copy, part, now)
                shutil.copytree(copy / GAMES, part / GAMES, ignore=_PASSING)
                old = new_place(folder / "replaced")
                old.mkdir(mode=0o700)
                for path in (*folder.glob(f"{LEDGER}*"), folder / GAMES):
                    if path.exists():
                        path.rename(old / path.name)
                for name in (GAMES, LEDGER):  # without the ledger, no round begins
                    (part / name).rename(folder / name)
                for name in INBOX if incoming.kind == "maildir" else ():
                    (folder / name).mkdir(mode=0o700, exist_ok=True)
                new, done = (folder / incoming.folder / name for name in ("new", "cur"))
                for path in done.iterdir() if incoming.kind == "maildir" and done.is_dir() else ():
                    path.rename(new / path.name.partition(":2,")[0])
        finally:
            shutil.rmtree(part, ignore_errors=True)
    except OSError as error:  # also what shutil raises
        raise CannotWrite(str(folder), f"the restore failed: {error.strerror or error}") from error
    return str(old)


def _copy_ledger(copy: Path, part: Path, now: int) -> None:
    """Write the ledger of the backup ``copy`` into ``part``, checked; the backup stays as it is."""
    own = part / "backup"
    own.mkdir()
    for path in copy.glob(f"{LEDGER}*"):  # a copy made by hand may have the latest steps beside it
        shutil.copyfile(path, own / path.name)
    try:
        with closing(Db(own / LEDGER)) as db:
            db.copy_to(part / LEDGER)
    except FileProblem as error:
        error.words = error.words.replace(str(own), str(copy))
        error.rename(str(copy / LEDGER))
        raise
    with closing(Db(part / LEDGER)) as db, db.transaction():
        db.insert("log", at=now, who="moderator", what="restore", words=f"restored from {copy}")


class _Player(Document):
    addresses: Annotated[tuple[Address, ...], Field(min_length=1, max_length=20)]
    name: Words = ""
    public_name: bool | None = None


class _Seat(_Player):
    token: Annotated[str, Field(min_length=8, max_length=80)]
    muted: bool = False


class _Former(_Player):
    seat: str


class _GameToml(GameSettings):
    """The file `game.toml` that each game had."""

    seats: Mapping[str, _Seat]
    former: tuple[_Former, ...] = ()
    watchers: tuple[Address, ...] = ()


class _Row(Value, kw_only=True):
    """A row of an old table that Python must read."""

    id: int = 0
    game: str = ""
    seat: str = ""
    key: str = ""
    words: str = ""
    at: int = 0


def upgrade(folder: Path, now: int) -> tuple[str, ...]:
    """Make the ledger of the club in ``folder`` one of this version; return a sentence for each change.

    What is replaced stays in `replaced/`. Raises ``CannotRead``, ``Untrusted`` with all that is wrong: then nothing changes.
    An interrupted upgrade can be repeated.
    """
    if not (folder / SETTINGS).is_file() or not (folder / LEDGER).is_file():
        raise CannotRead(str(folder), f"this folder has no club with {SETTINGS} and {LEDGER}")
    with at_rest(folder):
        for path in folder.glob(f"{_NEW}*"):
            path.unlink()
        db = Db(folder / _NEW, create=True)
        try:
            db.run("attach database ? as old", str(folder / LEDGER))
            version = db.value("pragma old.user_version")
            if version < _OLDEST:
                words = f"this ledger is of a version before 1.0.0 ({version}): with that program, bring it to 1.0.0 first"
                raise CannotRead(str(folder / LEDGER), words)
            refuse_newer(folder / LEDGER, version)
            settings, text, told = _settings(folder)
            if version == VERSION:
                told.append("the ledger is of this version already")
            else:
                games, flaws = dict[str, tuple[adj.Game, _GameToml]](), list[Violation]()
                for path in sorted((folder / GAMES).glob(f"*/{GAME_FILE}")):
                    if _NAME.fullmatch(name := path.parent.name):
                        with contain(lambda failure, name=name: flaws.append(Violation(name, failure.cause))):  # type: ignore[misc]
                            games[name] = open_file(path), parse_toml(*read(path.with_name("game.toml")), _GameToml)
                if flaws:
                    raise Untrusted(str(folder), flaws, "nothing has changed: these games cannot be taken over")
                kept = _set_aside(folder, db, games)
                for step in _STEPS[version - _OLDEST :]:
                    db.run(step)
                with db.transaction():
                    _take(Club(folder, settings, db, now), games)
                told.append(f"{folder}: the ledger has {number_of(len(games), 'game')}; what it replaces is in {kept}")
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
        reliability, gone = _condition(one.pop("condition", ""))
        if reliability:
            one["reliability"] = reliability
        if gone:
            told.append(f"{SETTINGS}: the condition “{gone}” is gone; only reliability = 80 and the like is left")
    # A comment in the file of 1.0.0 shows how to write webhooks; sections that are comments are apart by blank lines.
    text = re.sub(r"(?m)^# \[\[webhooks\]\].*\n(?:#.*\n)*\n?", "", tomlkit.dumps(document)).encode()
    return parse_toml(name, text, ClubSettings), text, told


def _condition(words: str) -> tuple[int, str]:
    """Return the least reliability that a condition of 1.0.0 asks for, and what else it asks for."""
    found = map(int, _RELIABILITY.findall(words))
    return max(found, default=0), " ".join(_RELIABILITY.sub("", words).split())


def _set_aside(folder: Path, db: Db, games: Mapping[str, object]) -> Path:
    """Copy what the upgrade replaces into a new folder of `replaced`, and attach a copy of the old ledger in its place.

    Return the folder. Raises ``CannotWrite``, ``InUse``.
    """
    try:
        kept = new_place(folder / "replaced")
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
    db.run("detach database old")
    shutil.copyfile(kept / LEDGER, folder / f"{_NEW}.old")
    db.run("attach database ? as old", str(folder / f"{_NEW}.old"))
    return kept


def _take(club: Club, games: Mapping[str, tuple[adj.Game, _GameToml]]) -> None:
    """Take all rows of the old ledger, attached as `old`, into the new one of ``club``."""
    db = club.db
    secret = db.value("select secret from old.secrets where id = 1") or os.urandom(32)
    db.insert("club", id=1, secret=secret, clock=db.value("select at from old.clock") or 0, pruned=club.now)
    for statement in _FIRST:
        db.run(statement)
    for one in db.all(_Row, "select id, name as words from people"):
        db.update("people", one.id, name_key=name_key(one.words))
    for name, (game, settings) in games.items():
        _take_game(club, name, game, settings)
    for statement in _THEN:
        db.run(statement)
    for one in db.all(
        _Row, "select id, options as words, condition as key from old.lists where id in (select id from lists)"
    ):
        options = dict(line.partition("=")[::2] for line in one.words.splitlines())
        db.update("lists", one.id, options=options, reliability=_condition(one.key)[0])
    kept = "select id from old.letters where kind <> 'webhook' and (state not in ('sent', 'dropped') or written > ?)"
    for number in db.all(int, kept, club.now - KEPT):
        if data := db.value("select data from old.letters where id = ?", number):
            db.update("letters", number, content=packed(Content(raw=data)))
    for row in club.games():
        record(club, row, games[row.name][0])
        for seat in club.seats(row):
            text, html = (club.file(row).parent / "reports" / report_name(Seat(seat.seat), form) for form in ("txt", "html"))
            number = db.value(_NEWEST, row.id, seat.seat)
            if number and text.is_file():
                words = [path.read_text("utf-8", "replace") if path.is_file() else "" for path in (text, html)]
                db.update("letters", number, content=packed(Content(text=words[0], html=words[1])))
    held = (
        "select l.key, l.game, l.seat, l.written as at, m.words from old.letters l"
        " join old.matters m on m.key = 'held/' || l.key where l.state = 'held'"
    )
    for one in db.all(_Row, held):  # a letter of 1.0.0 that was to wait for the moderator is a message
        if (found := _HELD.fullmatch(one.words)) and one.game in games and found[2] in games[one.game][0].seats:
            row = club.row(one.game)
            by: dict[str, Any] = {"seat": found[2], "person": club.seat(row, found[2]).person, "sender": found[1]}
            to = {"game": row.id, "recipients": [one.seat], "waiting": [one.seat], "is_anonymous": 0, "state": "held"}
            db.insert("messages", unless="key", key=one.key, text=found[3], written=one.at, **by, **to)
    for one in db.all(_Row, "select id, key, game, words, at from old.matters"):
        first, *more = one.key.split("/")
        game = db.value("select id from games where name = ?", one.game)
        kind, key, about = _KINDS.get(first, "note"), one.key, dict[str, Any]()
        if kind == "message":
            message = db.value("select id from messages where key = ?", one.key.partition("/")[2])
            kind, about = ("message", {"message": message}) if message else ("note", {})
        elif kind == "seat" and len(more) == 3:
            about = {"seat": more[1], "person": db.value("select id from people where id = ?", int(more[2]))}
            key = f"seat/{game}/{more[1]}/{more[2]}"
        elif kind in ("resign", "vacant") and len(more) > 1 and game:
            row = db.value("select id from seats where game = ? and seat = ? and until = 0", game, more[1])
            person = db.value("select person from seats where id = ?", row)
            about = {"seat": more[1], "person": person}
            key = f"vacant/{row}" if kind == "vacant" else f"resign/{row}/{one.id}"
        columns: dict[str, Any] = {"id": one.id, "key": key, "kind": kind, "game": game, "at": one.at, "words": one.words}
        db.insert("matters", unless="key", **columns, **about)
    db.run("update matters set settled = at where id in (select id from old.matters where is_settled)")
    matter = "select t.id from old.matters t join old.mails m on m.matter = t.key where m.id = mails.id"
    db.run(f"update mails set matter = ({matter}) where state = 'held'")


def _person_of(club: Club, addresses: tuple[str, ...]) -> int:
    """Return the person with these addresses: one whom the ledger has, with the addresses that are new, or a new one."""
    own = dict.fromkeys(address.lower() for address in addresses)
    known = [person for person in map(club.person_at, own) if person is not None]
    if not known:
        first, *others = own
        return club.db.insert("people", address=first, others=others, token=new_token())
    stays = max(known, key=lambda person: (person.joined > 0, -person.id))
    others = list(stays.others)
    for address in own:
        other = club.person_at(address)
        if other is not None and other.id != stays.id and not other.joined:  # the same person on another seat
            club.db.run("update or ignore seats set person = ? where person = ?", stays.id, other.id)
            club.db.run("delete from seats where person = ?", other.id)  # of both, one after the other, on the same seat
            club.db.run("delete from people where id = ?", other.id)
            others += [other.address, *other.others]
        elif other is None:
            others.append(address)
    club.db.update("people", stays.id, others=list(dict.fromkeys(others)))
    return stays.id


def _take_game(club: Club, name: str, game: adj.Game, settings: _GameToml) -> None:
    """Take the settings of a game, its present and its former players."""
    usual, own = club.settings, dict[str, Any]()
    for key in settings.model_fields_set & set(GameSettings.model_fields):
        if (value := getattr(settings, key)) != getattr(usual, key):
            own[key] = value
    if "deadlines" in own:
        rule = {key: value for key, value in settings.deadlines if value != getattr(usual.deadlines, key)}
        own["deadlines"] = Deadlines(**rule)
    path = club.folder / GAMES / name / GAME_FILE
    outbox = read_outbox(f"{path}.outbox", game.record.beginning)
    seal = club.db.value("select seal from old.games where id = ?", name)
    number = club.db.insert(
        "games",
        name=name,
        ruleset=game.meta.id,
        beginning=game.record.beginning,
        settings=GameSettings(**own),
        since=outbox.since if outbox is not None and outbox.seal == seal else 0,
        paged="new" if list(path.parent.glob("reports/*.json")) else "",  # the players have boards in a desk
    )
    for place, seat in enumerate(game.seats):
        one = settings.seats.get(seat)
        if one is None:
            where, words = f"{name}/game.toml", f"the game has a seat {seat}, which is missing here"
            raise Untrusted(str(club.folder), [Violation(where, words)], "this game cannot be taken over")
        columns: dict[str, Any] = {"game": number, "seat": seat, "place": place, "name": game.players[seat], "since": 0}
        columns |= {"token": one.token.lower(), "muted": int(one.muted), "public_name": one.public_name}
        columns |= {"person": _person_of(club, one.addresses), "is_dropped": int(game.players[seat] == SIMULATED)}
        club.db.insert("seats", **columns)
    for until, former in enumerate(settings.former, 1):
        columns = {"game": number, "seat": former.seat, "name": former.name, "since": 0, "until": until}
        columns |= {"place": game.seats.index(Seat(former.seat))}
        columns |= {"person": _person_of(club, former.addresses), "public_name": former.public_name}
        if not club.db.insert("seats", unless="game, seat, person", **columns):  # the same player under another name
            same = "update seats set names = json_insert(names, '$[#]', ?) where game = ? and seat = ? and person = ?"
            club.db.run(same, former.name, number, former.seat, columns["person"])
