"""Keep the people of the club: sign-ups, new addresses, names, settings, consent, their data; and what games say of them.

Only an answer with the token registers a person: programs open links, and anyone can forge the sender of a first mail. The
letter is the same for every address, quotes nothing, and does not carry out what the first mail asks for.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import adjudicator as adj
from adjudicator.club import ClubError, matters
from adjudicator.club.club import Club, GameRow, Person, SeatRow
from adjudicator.club.db import contain
from adjudicator.club.holidays import change_sitters
from adjudicator.club.letters import CLUB, Claim, is_right, new_token, write
from adjudicator.club.reports import send_kept
from adjudicator.core.phrases import count, listed
from adjudicator.core.problem import suggest
from adjudicator.core.values import USUAL_SEATS, Seat, Value, digest, replace
from adjudicator.library.seat_records import (
    LAST_GAMES,
    NEW_RATING,
    RECORD_HEADINGS,
    SIMULATED,
    PlayerStanding,
    Rating,
    SeatRecord,
    places_of,
    player_standing,
    ratings,
    record_rows,
    records_of,
    share,
    standing_words,
)
from adjudicator.library.words import program_languages
from adjudicator.mail.envelope import Envelope, address_flaw, plain_address
from adjudicator.reports.texts import printable, table_lines

ENGLISH: Final = ("en", "english")
"""The words for the language of all games."""
DELETED: Final = "(deleted)"
_PATIENCE: Final = 14 * matters.DAY
"""The time after which the club forgets an address that was never confirmed, in seconds."""
_ANSWER: Final = (
    "The club writes to the new address, unless another member has it, or it got such a mail within 24 hours."
    " Please answer that mail from there."
)
_MAIL: Final = {
    "turn": "each report at once",
    "late": "reports only in place of reminders",
    "digest": "all reports of a day in one mail, at 8:00",
}
_MAY_NAME: Final = "Public pages and chat rooms may name you in your games."
_MUST_NOT_NAME: Final = (
    "From now on, the club names you on no public page and in no chat room. Older pages change when it next publishes them."
)
_NAME: Final = re.compile(r"[^\W_](?:[\w.' -]{0,38}[\w.])?")
_LINK: Final = re.compile(r"\.\w\w|\d\.\d|www\.", re.IGNORECASE)
"""What mail programs may take for an address, and turn into a link."""
_ALONE: Final = ("player", "all", "you", "everybody", "everyone", "nobody", "simulatedplayer", "club", "gm", "admin")
"""Words that cannot be names, like the usual seats: in messages, tables and commands they mean others."""
_RESERVED: Final = re.compile(
    rf"moderator|gamemaster|administrator|adjudicator|^(?:a|the)?(?:{'|'.join((*_ALONE, *USUAL_SEATS))})\d*$"
)
_EAST_ASIAN: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"})
"""Scripts that one name can mix."""
_OF_ALL: Final = frozenset({"DIGIT", "MODIFIER", "IDEOGRAPHIC"})
"""First words of the Unicode names of signs that belong to no single script."""
_RECORDS: Final = (
    "select games.id as game, games.ruleset, people.id as person, people.address, people.others, seats.record,"
    " iif(seats.hidden_name = '', seats.name, seats.hidden_name) as name"
    " from seats join games on games.id = seats.game join people on people.id = seats.person"
    " where games.removed = 0 and seats.until >= 0 and (? = 0 or games.is_over or seats.person = ?)"
    " and (? or games.is_over or coalesce(json_extract(games.settings, '$.names'), '') <> 'hidden')"
    " order by games.name, seats.until = 0, seats.id"
)


class Confirmation(Value, kw_only=True):
    """A sign-up (``kind`` register) or a new address of a ``person``: an answer with the ``token`` confirms it."""

    id: int
    kind: str
    person: int | None
    address: str
    token: str


def _mailbox(address: str) -> str:
    """Return what all addresses of a mailbox have in common, at servers that ignore dots and what follows a plus."""
    name, _, domain = address.lower().rpartition("@")
    return f"{name.partition('+')[0].replace('.', '')}@{domain}"


def is_reachable(club: Club, address: str) -> bool:
    """Return whether the club may write to ``address``, which is not its own, although it does not know its owner."""
    is_right = not address_flaw(address) and "." in address.partition("@")[2]
    return is_right and _mailbox(address) != _mailbox(club.settings.address)


def ask_to_register(club: Club, envelope: Envelope) -> str:
    """Queue the letter that asks the sender of a mail to register, within the limits; return what the club did."""
    address = envelope.address.lower()
    if not _may_write(club, address, f"path/{envelope.path}"):
        return "the club has written to this address, or to many others, within 24 hours"
    club.db.run("delete from confirmations where kind = 'register' and since < ?", club.now - _PATIENCE)
    person = club.person_at(address)
    known = "confirmations where kind = 'register' and address = ?"
    token = person.token if person is not None else club.db.value(f"select token from {known}", address) or new_token()
    if person is None or not person.joined:
        club.db.run(f"delete from {known}", address)
        club.db.insert("confirmations", kind="register", address=address, token=token, since=club.now)
    write(club, "register", address, f"register/{envelope.identity}", token=token, about=person)
    return "the club asks for an answer to register"


def _may_write(club: Club, address: str, path: str, person: Person | None = None) -> bool:
    """Count a letter to an ``address`` that anybody may have named; return whether the limits allow it.

    ``path`` is that of the mail, or names the ``person`` who asks for the letter.
    """
    rules = club.settings.people
    limits = {CLUB: rules.most, path: rules.most_on_path, f"mailbox/{_mailbox(address)}": 1}
    full = [who for who, most in limits.items() if matters.uses(club, who, "join") >= most]
    if CLUB in full:
        words = "strangers got a mail within 24 hours: the club does not write to more (`most` in [people])"
        matters.raise_matter(club, "note", f"{rules.most} {words}", key=f"strangers/{club.now // matters.DAY}")
    for who in limits if not full else ():
        matters.note_use(club, who, "join", person=person)
    return not full


def confirmation_of(club: Club, address: str, claim: Claim) -> Confirmation | None:
    """Return what a mail from ``address`` with this ``claim`` confirms: a sign-up or a new address; ``None`` for nothing."""
    query = "select * from confirmations where kind in ('register', 'address') and address = ? and (person is null or ?)"
    found = club.db.all(Confirmation, query, address.lower(), club.person_at(address) is None)
    return next((one for one in found if is_right(claim, one.token)), None)


def register(club: Club, answered: Confirmation, name: str = "") -> Person:
    """Make the person who ``answered`` a member, with a ``name`` if it is free; return them."""
    club.db.run("delete from confirmations where id = ?", answered.id)
    new = {"address": answered.address, "token": answered.token}
    return _joined(club, club.person_at(answered.address) or club.person(club.db.insert("people", **new)), name)


def member_of(club: Club, seat: SeatRow) -> Person:
    """Return the player of ``seat``, whose token has proven them, as a member: they join if they have not."""
    return _joined(club, club.person(seat.person), seat.real_name)


def _joined(club: Club, person: Person, name: str) -> Person:
    if not person.joined:
        club.db.update("people", person.id, joined=club.now)
        rename(club, person, name if name and not name_flaw(club, person, name) else f"player{person.id}")
    return club.person(person.id)


def members(club: Club) -> list[Person]:
    """Return the members by name."""
    return club.db.all(Person, "select * from people where joined > 0 order by name_key, id")


def ask_new_address(club: Club, person: Person, wanted: str) -> str:
    """Queue the letters to the old and the new address of ``person``; return the answer.

    The answer does not reveal whether the new address belongs to another member.
    """
    address = plain_address(wanted).lower()
    if club.settings.trust.token == "address":  # anybody could have sent the mail
        return "In this club, only the moderator can change your address. Please write to them."
    if not is_reachable(club, address):
        return "The club cannot write to this address. Please write it like SET address=ann@example.org."
    if _may_write(club, address, f"path/member {person.id}", person) and club.person_at(address) is None:
        token = new_token()
        club.db.run("delete from confirmations where kind = 'address' and (address = ? or person = ?)", address, person.id)
        club.db.insert("confirmations", kind="address", person=person.id, address=address, token=token, since=club.now)
        key = f"address/{digest(token.encode())}"
        write(club, "address-old", person, f"{key}/old", when=club.moment(club.now))
        write(club, "address-new", address, f"{key}/new", token=token, about=person)
    return _ANSWER


def move(club: Club, answered: Confirmation) -> Person:
    """Give the person who ``answered`` the new address, with a new token; return them."""
    assert answered.person is not None  # a new address is that of a person
    club.db.run("delete from confirmations where id = ?", answered.id)
    club.db.update("people", answered.person, address=answered.address, token=new_token())
    return club.person(answered.person)


def name_key(name: str) -> str:
    """Return ``name`` in a form that does not depend on capitals, widths and blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def name_flaw(club: Club, person: Person, name: str) -> str:
    """Return why ``person`` cannot have this ``name``; empty if they can.

    The names of the club, its members, and the seats and players of its games are taken. Only the player of red can be Red.
    """
    if not _NAME.fullmatch(name) or printable(name) != name:
        return "a name has 1 to 40 letters and digits, and between them blanks and the characters . - '"
    if _LINK.search(name):
        return "it looks like an internet address"
    signs = filter(str.isalnum, unicodedata.normalize("NFKC", name))
    scripts = {re.split("[ -]", unicodedata.name(sign, "unknown"))[0] for sign in signs} - _OF_ALL
    if len(scripts) > 1 and not scripts <= _EAST_ASIAN:
        return "it has letters of several alphabets"
    seats = "from seats join games on games.id = game where until = 0 and removed = 0 and person"
    own = set(club.db.all(str, f"select seat {seats} = ?", person.id))
    others = set(club.db.all(str, f"select seat {seats} <> ? union select seats.name {seats} <> ?", person.id, person.id))
    others |= set(club.db.all(str, f"select hidden_name {seats} <> ?", person.id))
    others |= {club.settings.name, *(one.name for one in members(club) if one.id != person.id)}
    key = name_key(name)
    is_taken = key in map(name_key, filter(None, others - own))
    is_reserved = key not in own and _RESERVED.search(re.sub(r"[\W_]", "", key))
    return "this name is reserved, or it is too much like that of another member" if is_taken or is_reserved else ""


def rename(club: Club, person: Person, name: str) -> None:
    """Give ``person`` a ``name`` that is free."""
    club.db.update("people", person.id, name=name, name_key=name_key(name))


def prefer(club: Club, person: Person, **prefs: Any) -> None:
    """Change settings of ``person``: format, language, public, standin, mail."""
    club.db.update("people", person.id, prefs=replace(club.person(person.id).prefs, **prefs))


def change_setting(club: Club, person: Person, name: str, value: str) -> str:
    """Change a setting of ``person``, such as their name; return the answer."""
    value = value.strip()
    word, is_yes = value.casefold(), value.casefold() == "yes"
    match name:
        case "name":
            if flaw := name_flaw(club, person, value):
                return f"The club has not changed your name: {flaw}."
            rename(club, person, value)
            return f"Your name in new games is {value}."
        case "address":
            return ask_new_address(club, person, value)
        case "format" if word in ("html", "text"):
            prefer(club, person, format=word)
            return f"You get your next mails as {'pages and text' if word == 'html' else 'text only'}."
        case "public" if word in ("yes", "no"):
            prefer(club, person, public=word)
            return _MAY_NAME if is_yes else _MUST_NOT_NAME
        case "standin" if word in ("yes", "no"):
            prefer(club, person, standin=is_yes)
            return f"The club {'now asks you' if is_yes else 'no longer asks you'} when a seat has no player."
        case "mail" if word in _MAIL:
            prefer(club, person, mail=word)
            waiting = send_kept(club, person)
            more = f" The club sends {count(waiting, 'report')} that waited." if waiting else ""
            return f"You get {_MAIL[word]}.{more}"
        case "language":
            known = program_languages()
            code = next((code for code, called in known.items() if word in (code, called.casefold())), "")
            if not code and word not in ENGLISH:
                words = listed([*(f"{code} ({called})" for code, called in known.items()), "en (English only)"], "or")
                wrong = f"The club does not know the language “{value[:40]}”."
                return printable(f"{wrong} After SET language= you can write {words}.")
            prefer(club, person, language=code)
            if not code:
                return "In new games, you can write your orders only in English."
            return f"In games that begin from a list, you can also write your orders in {known[code]}."
        case _:
            return "HELP shows what you can write after SET."


def unknown(wanted: str, known: Iterable[str], what: str = "game or list") -> str:
    """Return the answer to a command that names an unknown thing, with similar names that are ``known``."""
    similar = suggest(wanted, dict.fromkeys(known))
    hint = f" Did you mean {' or '.join(similar)}?" if similar else "" if what == "member" else " GAMES lists all games."
    return printable(f"The club has no {what} called “{wanted}”.{hint}")


def member_called(club: Club, words: str) -> Person | None:
    """Return the member with this name or address."""
    query = "select * from people where name_key = ? and name_key <> ''"
    found = club.person_at(plain_address(words)) if "@" in words else club.db.first(Person, query, name_key(words))
    return found if found is not None and found.joined else None


def show_member(club: Club, name: str) -> str:
    """Return the member called ``name``, their games, and their standing with each game that counts.

    It leaves out games that hide the names of their players.
    """
    found = member_called(club, name)
    if found is None:
        return unknown(name, [one.name for one in members(club)], "member")
    running, over = games_of(club, found)
    hidden = {row.name for row in club.games() if row.hides_names}
    running = [name for name in running if name not in hidden]
    own = standing(club, found, is_shown=True)
    rows = record_rows(own.standing.seats)
    table = ["", f"The last {LAST_GAMES} games", *table_lines(RECORD_HEADINGS, rows)] if rows else []
    games = [f"plays     {', '.join(running) or '–'}", f"finished  {', '.join(over) or '–'}"]
    return "\n".join([found.name, *(f"  {line}" for line in (*games, *own.words().split("; "))), *table])


def games_of(club: Club, person: Person) -> tuple[list[str], list[str]]:
    """Return the games that ``person`` plays, and those of theirs that are over."""
    query = (
        "select distinct games.name from seats join games on games.id = game"
        " where person = ? and until = 0 and removed = 0 and is_over = ? order by games.name"
    )
    return club.db.all(str, query, person.id, 0), club.db.all(str, query, person.id, 1)


def agrees(club: Club, seat: SeatRow | Person) -> bool:
    """Return whether public pages and chat rooms may name the present or former player of ``seat``, or a member.

    The player's own no always wins. Otherwise the moderator's answer for the seat counts, then the player's own yes, and
    last the setting of the club.
    """
    if seat.prefs.public == "no":
        return False
    if isinstance(seat, SeatRow) and seat.public_name is not None:
        return seat.public_name
    return seat.prefs.public == "yes" or club.settings.public.names


def forget(club: Club, address: str) -> str:
    """Delete the data of the person who writes from ``address``; return what was done, and what remains.

    The seats of this person must have other players. Raises ``ClubError``, ``CannotWrite``.
    """
    person = club.person_at(printable(plain_address(address)))
    if person is None:
        raise ClubError(f"the club has no member with the address {address}")
    if games := [name for names in games_of(club, person) for name in names]:
        words = "`adjudicator club seat` gives the seat to another player, `club remove` removes a game"
        raise ClubError(f"this member still has a seat in {', '.join(games)}: {words}")
    played = "select distinct games.* from games join seats on seats.game = games.id where person = ? order by games.name"
    rows, number = club.db.all(GameRow, played, person.id), person.id
    earlier = club.db.all(str, "select distinct recipient from letters where person = ?", number)
    addresses = [one for one in {*earlier, person.address, *person.others} if club.person_at(one) in (None, person)]
    own = "(select value from json_each(?))"
    with club.db.transaction():
        club.db.run("update holidays set sitter = null, agreed = 0 where sitter = ?", number)
        change_sitters(club, [])
        club.db.run("update seats set sitter = null where sitter = ?", number)
        club.db.run(  # matters about one path can have mails of others
            f"update matters set person = ? where kind = 'mail' and id in (select matter from mails where address in {own})"
            f" and not exists (select 1 from mails where matter = matters.id and address not in {own} and state = 'held')",
            *(number, addresses, addresses),
        )
        club.db.run(f"update mails set person = ? where address in {own}", number, addresses)
        club.db.run(f"update letters set about = ? where recipient in {own}", number, addresses)
        club.db.run(
            "update mails set person = null, address = '', why = '', data = x'', state ="
            " case when state in ('new', 'held', 'waiting') then 'ignored' else state end where person = ?",
            number,
        )
        club.db.run(
            "update letters set person = null, about = null, recipient = '', subject = '', thread = '', slots = '{}',"
            " content = x'', state = case when state in ('prepared', 'kept', 'queued') then 'dropped' else state end"
            " where person = ? or about = ?",
            *(number, number),
        )
        club.db.run(
            "update matters set person = null, words = ?, key = 'deleted/' || id, settled = max(settled, ?)"
            " where person = ? or message in (select id from messages where person = ?)",
            *(DELETED, club.now, number, number),
        )
        club.db.run(
            "update messages set person = null, sender = ?, text = ?, waiting = '[]',"
            " state = case when state = 'held' or waiting <> '[]' then 'dropped' else state end where person = ?",
            *(DELETED, DELETED, number),
        )
        who = [f"person/{number}", f"path/member {number}", *(f"mailbox/{_mailbox(one)}" for one in addresses)]
        club.db.run(f"delete from log where person = ? or who in {own}", number, who)
        club.db.run(f"delete from confirmations where person = ? or address in {own}", number, addresses)
        for table in ("entries", "pairings", "seats", "holidays", "observers"):
            club.db.run(f"delete from {table} where person = ?", number)
        club.db.run("delete from people where id = ?", number)
        for row in rows:
            with contain(lambda _failure: None):  # else the others lose a rated opponent
                record(club, row, club.game(row))
    said = [f"member {number}: deleted. Backups still have the data."]
    if former := [row.name for row in rows if not row.removed]:
        said.append(f"The game file and the reports of {listed(former)} still have the name.")
    found = sorted(path.name for path in (club.folder / "removed").glob("*"))
    left = [name for row in rows if row.removed for name in found if re.fullmatch(rf"{re.escape(row.name)}-\d+", name)]
    return " ".join([*said, *(f"Delete the folder removed/{name}: it still has the name." for name in left)])


class MemberStanding(Value, kw_only=True):
    """The standing of a member, and the ``ratings`` by ruleset of those rulesets of which a finished game counts."""

    standing: PlayerStanding
    ratings: Mapping[str, Rating]

    def words(self, *rulesets: str) -> str:
        """Return the two ratios and the ratings by ``rulesets`` (none: by all) as text."""
        rated = (f"{name} {self.ratings[name]}" for name in rulesets or self.ratings if name in self.ratings)
        return f"{standing_words(self.standing)}; rating: {', '.join(rated) or f'{NEW_RATING} (no games yet)'}"


class PlayerRating(Value, kw_only=True):
    """The rating of a player by the games of one ``ruleset``: in two of three cases within ``doubt`` of ``rating``."""

    ruleset: str
    rating: int
    doubt: int
    rated_games: int


class ClubStanding(Value, kw_only=True):
    """The standing of a player, who writes from ``address``, by the last ten games.

    The player sent orders ``on_time`` in so many of the ``turns_due``, and has left ``seats_abandoned`` of those begun and
    taken over. ``excused`` turns do not count. ``seats`` is the record on each seat of these games.
    """

    player: str
    address: str
    on_time: int
    turns_due: int
    excused: int
    seats_abandoned: int
    seats_begun: int
    seats_taken_over: int
    player_ratings: tuple[PlayerRating, ...]
    seats: tuple[SeatRecord, ...]


class ClubStandings(Value, kw_only=True):
    """The ``club_standings`` of players of a club."""

    club_standings: tuple[ClubStanding, ...]


class _Row(Value, kw_only=True):
    game: int
    ruleset: str
    name: str
    person: int
    address: str
    others: tuple[str, ...]
    record: tuple[SeatRecord, ...]


def _key(person: int) -> str:
    """Return what identifies a person in records; players whom the club does not know have only their names."""
    return f"person/{person}"


def record(club: Club, row: GameRow, game: adj.Game) -> None:
    """Write what ``game`` says about the players of its seats into their rows."""
    seats = club.seats(row, former=True)
    names = {(Seat(one.seat), name): _key(one.person) for one in seats for name in (*one.names, one.name)}
    for one in seats:
        holder = game.players.get(Seat(one.seat), SIMULATED)
        if not one.until and holder != SIMULATED:  # the present player, also under another name
            names[Seat(one.seat), holder] = _key(one.person)
    found, known = records_of(game, names), {*names.values()}
    for one in seats:
        own = tuple(
            each
            for each in found
            if each.seat == one.seat and (each.player == _key(one.person) or (not one.until and each.player not in known))
        )
        club.db.update("seats", one.id, record=own)


def standing(club: Club, person: Person, *, is_shown: bool = False) -> MemberStanding:
    """Return the standing of ``person``, as of the last reports of each game.

    If it ``is_shown`` to others, games that hide the names of their players count when they are over.
    """
    rows = club.db.all(_Row, _RECORDS, person.id, person.id, not is_shown)
    return _of(_key(person.id), rows, _ratings(rows))


def standings(club: Club, player: str = "") -> ClubStandings:
    """Return the standing of ``player``, an address or a name, or (empty) of all, with ratings. Raises ``ClubError``."""
    rows = club.db.all(_Row, _RECORDS, 0, 0, 1)
    names, addresses, words = dict[str, str](), dict[str, str](), defaultdict[str, set[str]](set)
    for row in rows:  # the last one names the player
        key = _key(row.person)
        names[key], addresses[key] = row.name, row.address
        words[key] |= {one.casefold() for one in (row.name, row.address, *row.others)}
        for unknown in {one.player for one in row.record} - {key, ""}:
            names[unknown], addresses[unknown] = unknown, ""
            words[unknown].add(unknown.casefold())
    wanted = sorted(names, key=lambda key: addresses[key] or names[key])
    if player:
        asked = plain_address(player).casefold()
        wanted = [key for key in wanted if asked in words[key]]
        if not wanted:  # without a game
            people = club.db.all(Person, "select * from people order by id")
            for one in (one for one in people if one.has_address(asked) or one.name.casefold() == asked):
                wanted.append(_key(one.id))
                names[wanted[-1]], addresses[wanted[-1]] = one.name, one.address
        if len(wanted) != 1:
            known = ", ".join(addresses[key] or names[key] for key in wanted)
            several = f"several players are called {player}; name one by address: {known}"
            raise ClubError(several if wanted else f"the club has no player {player}; `club list` lists all")
    rated, shown = _ratings(rows), []
    for key in wanted:
        found = _of(key, rows, rated)
        own = found.standing
        shown.append(
            ClubStanding(
                player=names[key],
                address=addresses[key],
                on_time=own.on_time,
                turns_due=own.due,
                excused=own.excused,
                seats_abandoned=own.abandoned,
                seats_begun=own.begun,
                seats_taken_over=own.taken_over,
                player_ratings=tuple(
                    PlayerRating(ruleset=ruleset, rating=one.value, doubt=one.doubt, rated_games=one.games)
                    for ruleset, one in found.ratings.items()
                ),
                seats=own.seats,
            )
        )
    return ClubStandings(club_standings=tuple(shown))


def standings_text(found: ClubStandings, width: int | None = None, *, is_long: bool) -> str:
    """Return the standings of players in ``width`` columns, a row for each; if ``is_long``, with the record on each seat."""
    rows = [
        (
            one.player or "–",
            one.address,
            share(one.on_time, one.turns_due, "turns"),
            str(one.excused),
            share(one.seats_abandoned, one.seats_begun + one.seats_taken_over, "seats"),
            ", ".join(f"{each.ruleset} {each.rating} ± {each.doubt}" for each in one.player_ratings) or "–",
        )
        for one in found.club_standings
    ]
    headings = ("player", "address", "on time", "excused", "abandoned", "ratings")
    lines = list(table_lines(headings, rows, width)) if rows else ["no players"]
    records = record_rows(found.club_standings[0].seats) if is_long and rows else ()
    more = ["", *table_lines(RECORD_HEADINGS, records, width)] if records else []
    return "\n".join([*lines, *more])


def _of(key: str, rows: Sequence[_Row], rated: Mapping[str, Mapping[str, Rating]]) -> MemberStanding:
    own = player_standing(one for row in rows for one in row.record if one.player == key)
    return MemberStanding(standing=own, ratings={ruleset: found[key] for ruleset, found in rated.items() if key in found})


def _ratings(rows: Sequence[_Row]) -> dict[str, dict[str, Rating]]:
    """Return the rating of each player by ruleset."""
    games = defaultdict[tuple[str, int], list[SeatRecord]](list)
    for row in rows:
        games[row.ruleset, row.game] += row.record
    return {
        ruleset: ratings((own[0].finished_at, places_of(own)) for (of, _), own in games.items() if own and of == ruleset)
        for ruleset in sorted({row.ruleset for row in rows})
    }
