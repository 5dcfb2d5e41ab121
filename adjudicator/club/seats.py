"""Add and remove games, say who gets a seat, give it to them, and complete what an interruption has left.

The rows say who plays. The journal of the game says it, too: the row of a new player waits (``until`` = -1) until the file
has the hand-over. So an interruption leaves the old player or the new one, and the club never writes to both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

import adjudicator as adj
from adjudicator.club import ClubError, clock, matters
from adjudicator.club.club import GAMES, Club, GameRow, Person, new_place, open_file, required_address
from adjudicator.club.db import Failure, Kind, contain
from adjudicator.club.holidays import end_sitting
from adjudicator.club.letters import CLUB, new_token, write
from adjudicator.club.messages import drop_messages_to
from adjudicator.club.people import members, record, unknown
from adjudicator.club.reports import resend, welcome
from adjudicator.club.settings import HIDDEN, GameSettings, change_values
from adjudicator.core.phrases import listed
from adjudicator.core.values import MODERATOR, Seat, Value, digest
from adjudicator.files.documents import Document, build
from adjudicator.files.writing import PRIVATE, write_atomic
from adjudicator.library.seat_records import SIMULATED
from adjudicator.mail.envelope import plain_address
from adjudicator.reports.texts import GAP, table_lines

Tell = Callable[[str], object]
REMOVED: Final = "removed"
"""The folder of the games that have left the club."""
_ALL: Final = "all"
_HIDE: Final = (
    "update seats set names = iif(name = '', json_insert(names, '$[#]', ''), names),"
    " hidden_name = iif(hidden_name = '', (select name from people where id = person), hidden_name)"
    " where game = ? and until = 0"
)
_REASON: Final = "another player has the seat"
_RESIGNING: Final = (
    "select game, seat from matters r where kind = 'resign' and settled = 0 and exists (select 1 from matters m"
    " where m.kind = 'seat' and m.settled = 0 and m.game = r.game and m.seat in ('', r.seat))"
    " group by game, seat"
)
_REQUESTS: Final = "select * from matters where kind = 'seat' and settled = 0 and game = ? and seat in ('', ?) order by id"
_FREE: Final = (
    "select 1 from seats s join people p on p.joined > 0 where s.game = ? and s.seat = ? and s.until = 0"
    " and not s.is_dropped and s.person <> ? and p.id = ? and not exists (select 1 from seats o"
    " where o.game = s.game and o.seat <> s.seat and ? in (select o.person union all select value from json_each(o.sat)))"
)
"""Finds a seat that a member may get from its player: one who plays, or has played, no other seat of the game."""
_PATIENCE: Final = 7 * matters.DAY
"""The time after which a member can ask again for what the moderator has declined, in seconds."""
_SETTING: Final = re.compile(
    r"names|press|press_anonymous|press_with_report|seats\.[a-z][a-z0-9_]{0,23}\.(?:muted|public_name)|deadlines\.[a-z_]+"
)
_CAN: Final = (
    "deadlines (deadlines.every), names, press, press_anonymous, press_with_report, and muted or public_name of seats.red"
)
_CLOSED: Final = (
    "delete from letters where game = ? and state = 'prepared'",
    "update letters set state = 'dropped' where game = ? and state in ('kept', 'queued')",
    "update matters set settled = max(settled, 1), key = key || '/removed/' || id where game = ?",
    "update messages set state = case when waiting = '[]' then state else 'dropped' end, waiting = '[]' where game = ?",
    "update mails set state = 'ignored', why = 'its game was removed'"
    " where game = ? and state in ('new', 'held', 'waiting')",
)
"""What becomes of the records of a game that leaves the club."""


class _SeatSettings(Document):
    muted: bool = False
    public_name: bool = False


class _Settings(GameSettings):
    seats: Mapping[str, _SeatSettings] = {}


class ClubPlayer(Value, kw_only=True):
    """The player of a ``seat`` in a game of the club, with the player's addresses; the ``sitter`` plays meanwhile."""

    game: str
    seat: str
    player: str
    addresses: tuple[str, ...]
    sitter: str = ""


class ClubMember(Value, kw_only=True):
    """A member of the club, who has joined it ``since`` a time, in seconds since 1970."""

    name: str
    address: str
    since: int


class ClubList(Value, kw_only=True):
    """The ``players`` of the games of a club, in the order of games and seats, and the members of the club by name.

    ``game_settings`` lists the games' own settings, as ``race: deadlines.every = "12 hours"``.
    """

    players: tuple[ClubPlayer, ...]
    club_members: tuple[ClubMember, ...]
    game_settings: tuple[str, ...]


def known_games(club: Club, games: Sequence[str]) -> list[GameRow]:
    """Return the rows of ``games``, or those of all games for `all`. Raises ``ClubError`` for an unknown game."""
    return club.games() if list(games) == [_ALL] else [club.row(game) for game in games]


def players(club: Club, games: Sequence[str]) -> ClubList:
    """Return the players of ``games``; without ``games``, of all, and the members. Raises ``ClubError``."""
    found, own = list[ClubPlayer](), list[str]()
    for row in known_games(club, games or [_ALL]):
        settings = row.settings.model_dump(mode="json", exclude_unset=True)
        settings |= {f"deadlines.{name}": value for name, value in settings.pop("deadlines", {}).items()}
        for one in club.seats(row):
            addresses = (one.address, *one.others)
            sitter = club.person(one.sitter).name if one.sitter is not None else ""
            player = ClubPlayer(game=row.name, seat=one.seat, player=one.real_name, addresses=addresses, sitter=sitter)
            found.append(player)
            answers = {"muted": one.muted or None, "public_name": one.public_name}
            settings |= {f"seats.{one.seat}.{name}": value for name, value in answers.items() if value is not None}
        own += (f"{row.name}: {name} = {json.dumps(value, ensure_ascii=False)}" for name, value in settings.items())
    known = () if games else (ClubMember(name=one.name, address=one.address, since=one.joined) for one in members(club))
    return ClubList(players=tuple(found), club_members=tuple(known), game_settings=tuple(own))


def players_text(found: ClubList, width: int | None = None) -> str:
    """Return the players in the games of a club, a row for each seat, and its members, in ``width`` columns."""
    rows = [
        (one.game, one.seat, f"{one.player or '–'}{one.sitter and f' (sitter: {one.sitter})'}", ", ".join(one.addresses))
        for one in found.players
    ]
    members = [(one.name, one.address) for one in found.club_members]
    blocks = ["\n".join(table_lines(("game", "seat", "player", "address"), rows, width)) if rows else "no games"]
    if found.game_settings:
        blocks.append("\n".join(["Settings of a game", *(f"{GAP}{line}" for line in found.game_settings)]))
    if members:
        blocks.append("\n".join(table_lines(("member", "address"), members, width)))
    return "\n\n".join(blocks)


def change_game(club: Club, row: GameRow, wanted: Mapping[str, str]) -> list[str]:
    """Give settings of a game new values, by name; return a sentence for each. Raises ``ClubError``, ``Untrusted``."""
    if others := [name for name in wanted if not _SETTING.fullmatch(name)]:
        raise ClubError(f"{others[0]}: of a game, this command changes only {_CAN}")
    with club.db.transaction():
        row = club.row(row.id)
        seats = {one.seat: {"muted": one.muted or None, "public_name": one.public_name} for one in club.seats(row)}
        own = {**row.settings.model_dump(mode="json", exclude_unset=True), "seats": {}}
        known = {**own, "deadlines": club.deadlines(row).model_dump(mode="json"), "seats": seats}
        told = change_values(known, _Settings, wanted)
        change_values(own, _Settings, wanted)
        build(row.name, own, _Settings, "these settings cannot be used")
        if "names" in wanted and row.seal:
            raise ClubError(f"{row.name}: its players have their first report; `names` can change only before it")
        if "names" in wanted and own["names"] == HIDDEN:
            _require_nameless(club.game(row))
        for seat, columns in own.pop("seats").items():
            club.db.update("seats", club.seat(row, seat).id, **columns)
        club.db.update("games", row.id, settings=own, changed=-1)
        if club.row(row.id).hides_names and not row.hides_names:
            club.db.run(_HIDE, row.id)
    return [f"{row.name}: {words}" for words in told]


def _require_nameless(game: adj.Game) -> None:
    if named := [holder for holder in game.players.values() if holder]:
        words = "begin a game with hidden names by its seats only, such as `adjudicator new … --seat red --seat blue`"
        raise ClubError(f"the file of {game.id} names {listed(named)}: {words}")


def add_game(club: Club, source: Path, addresses: Mapping[str, str], tell: Tell) -> None:
    """Add a copy of the game in the file ``source`` to the club, with the address of each seat; ``tell`` records it.

    The caller holds the club's lock. Raises ``ClubError``, ``FileProblem``.
    """
    game = open_file(source)
    if game.id.lower() == CLUB:
        raise ClubError(f"a game in a club cannot be called {game.id}: the mails of members have this name in their subject")
    strangers = sorted(set(addresses) - set(game.seats))
    missing = [seat for seat in game.seats if seat not in addresses]
    if strangers or missing:
        wrong = [f"{game.id} has no seat {seat}" for seat in strangers] + [f"{seat} has no address" for seat in missing]
        raise ClubError(f"{'; '.join(wrong)}; its seats are: {', '.join(game.seats)}")
    if any(row.name == game.id for row in club.games()):
        raise ClubError(f"the club already has a game {game.id}")
    folder = club.folder / GAMES / game.id
    try:
        with club.db.transaction():
            people = {seat: _player(club, seat, address) for seat, address in addresses.items()}
            row = enter_game(club, game, people, beginning=game.record.beginning)
            write_folder(club, row, game)
            tell(f"{row.name}: added to the club; the next `club run` writes to its players")
    except Exception:
        rmtree(folder, ignore_errors=True)
        raise


def are_hidden(club: Club, settings: GameSettings) -> bool:
    """Return whether a game with these ``settings`` of its own hides the names of its players."""
    return (settings.names if "names" in settings.model_fields_set else club.settings.names) == HIDDEN


def enter_game(
    club: Club,
    game: adj.Game,
    people: Mapping[str, Person],
    settings: GameSettings = GameSettings(),  # noqa: B008 - it is frozen
    *,
    beginning: str = "",
) -> GameRow:
    """Insert the rows of ``game`` and of its seats for ``people``; a game that comes back has its former players.

    Without its ``beginning``, the game is known only by its name until ``write_folder`` has made its file.
    """
    before = "(select id from games where beginning = ? and beginning <> '' and removed > 0)"
    had_none = f"select count(*) from games where id in {before} and json_extract(settings, '$.names') = ?"
    is_known = bool(club.db.value(had_none, beginning, HIDDEN))
    if is_known or are_hidden(club, settings):
        if not is_known:
            _require_nameless(game)
        settings = settings.model_copy(update={"names": HIDDEN})
    row = club.row(club.db.insert("games", name=game.id, ruleset=game.meta.id, beginning=beginning, settings=settings))
    for what in ("seats", "messages", "observers"):
        club.db.run(f"update {what} set game = ? where game in {before}", row.id, beginning)
    for place, seat in enumerate(game.seats):
        number = _enter(club, row, seat, place, people[seat])
        _rename(club, number, game.players[seat])
        club.db.update("seats", number, until=0)
    if row.hides_names:
        club.db.run(_HIDE, row.id)
    return row


def write_folder(club: Club, row: GameRow, game: adj.Game) -> None:
    """Make the folder of a game that has its rows, whole or not at all. It counts for the standing of people from then on.

    Raises ``CannotWrite``.
    """
    folder = club.file(row).parent
    unfinished = folder.with_name(f".{row.name}")
    for rest in (unfinished, folder):  # of an interrupted command: the rows say which games there are
        rmtree(rest, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    write_atomic(unfinished / club.file(row).name, game.to_bytes(), PRIVATE)
    unfinished.rename(folder)
    club.db.update("games", row.id, beginning=game.record.beginning)
    record(club, row, game)


def _player(club: Club, seat: str, address: str) -> Person:
    """Return the person with the ``address`` written for a seat, perhaps a new one. Raises ``ClubError`` for a wrong one."""
    plain = required_address(address, seat)
    if plain.lower() == club.settings.address.lower():
        raise ClubError(f"{seat}: “{plain}” is the address of the club, and cannot be the address of a player")
    return club.person_at(plain) or club.person(club.db.insert("people", address=plain.lower(), token=new_token()))


def _enter(club: Club, row: GameRow, seat: str, place: int, person: Person, **more: Any) -> int:
    """Return the row of ``person`` as a player on the way to ``seat``, under a new token; a former player has one."""
    query = "select id from seats where game = ? and seat = ? and person = ?"
    known: int | None = club.db.value(query, row.id, seat, person.id)
    columns: dict[str, Any] = {"token": new_token(), "until": -1, "since": club.now, "is_due": 0, "is_ready": 0, "votes": {}}
    columns |= more
    if known is None:
        return club.db.insert("seats", game=row.id, seat=seat, place=place, person=person.id, name="", **columns)
    club.db.update("seats", known, **columns)
    return known


def _rename(club: Club, seat: int, name: str) -> None:
    """Give the player in the row ``seat`` a ``name``, and keep the earlier one: the journal of the game has it."""
    kept = "iif(name = '', names, json_insert(names, '$[#]', name))"
    club.db.run(f"update seats set names = {kept}, name = ? where id = ? and name <> ?", name, seat, name)


def seat_player(club: Club, row: GameRow, seat: str, name: str, address: str, tell: Tell) -> None:
    """Give ``seat`` to the player ``name``, who writes from ``address``, with a new token; ``tell`` records it.

    The new player gets a welcome letter and a report; the old player gets no more letters. The caller holds the club's lock.
    Raises ``ClubError``, ``FileProblem``.
    """
    if not name.strip():
        raise ClubError("the player needs a name")
    words = f"{row.name}: {name} now plays {seat}, with a new token; the next `club run` writes to {address}"
    with _unless_it_fails(club, row) as before:
        row, old, held = club.row(row.id), club.seat(row, seat), name
        hidden_name = name if row.settings.names == HIDDEN else ""
        if row.hides_names:
            known, held = club.person_at(plain_address(address)), before.players[Seat(seat)]
            is_same = old.real_name == name or (known is not None and known.id == old.person)
            if held == SIMULATED or not is_same:  # the file says that a new player comes, and not who
                rows = [one for one in club.seats(row, former=True) if one.seat == seat]
                used = {called for one in rows for called in (*one.names, one.name)}
                called = (f"successor {n}" if n > 1 else "successor" for n in count(1))
                held = next(one for one in called if one not in used)
        after = before if before.players[Seat(seat)] == held else _hand_over(before, seat, held, _REASON)
        with club.db.transaction():
            person = _player(club, seat, address)
            is_successor = after is not before and person.id != old.person
            if is_successor:
                _enter(club, row, seat, old.place, person, hidden_name=hidden_name)
                club.db.update("games", row.id, next_seal=after.record.seal, changed=-1)
            else:
                former = "delete from seats where game = ? and seat = ? and person = ? and id <> ?"
                club.db.run(former, row.id, seat, person.id, old.id)  # who comes back under the name of the present player
                end_sitting(club, old)
                _rename(club, old.id, held)
                columns = {"person": person.id, "token": new_token(), "hidden_name": hidden_name, "sitter": None}
                club.db.update("seats", old.id, **columns)
                _begin_anew(club, row, seat, after)
                record(club, row, before)
                if row.seal and after is before:  # else the next round sends a report with the new name to all players
                    resend(club, row, before, club.seat(row, seat), f"seat/{row.id}/{seat}/{club.now}")
                if after is not before:
                    club.save(row, after)
                tell(words)
        if is_successor:
            with club.db.transaction():
                club.save(row, after)
                _complete_seat(club, row)
                tell(words)


def _hand_over(game: adj.Game, seat: str, name: str, reason: str) -> adj.Game:
    try:
        return game.hand_over(seat, name, reason)
    except adj.CorrectionError as error:
        raise ClubError(str(error)) from error


@contextmanager
def _unless_it_fails(club: Club, row: GameRow) -> Iterator[adj.Game]:
    """Lock a game for the block, which gets it, and write its file back as it was if the block fails."""
    with club.game_locked(row):
        before = club.game(row)
        try:
            yield before
        except Exception:
            if club.game(row) is not before:
                club.save(row, before)
            with suppress(Exception):
                _complete_seat(club, row)
            raise


def _complete_seat(club: Club, row: GameRow) -> None:
    """Make the player on the way to a seat the present one if the file has the hand-over, and else forget about them."""
    with club.db.transaction():
        row, game = club.row(row.id), club.game(row)
        found = club.db.first(tuple, "select id, seat, person from seats where game = ? and until = -1", row.id)
        if found is None:
            return
        coming, seat, comes = found
        club.db.update("games", row.id, next_seal="")
        if game.record.seal != row.next_seal:
            club.db.run("delete from seats where game = ? and until = -1 and name = ''", row.id)
            club.db.run("update seats set until = ?, token = '' where game = ? and until = -1", club.now, row.id)
            return
        old = club.seat(row, seat)
        resigns = club.db.all(tuple, f"{_RESIGNING} having game = ? and seat = ?", row.id, seat)
        asked = [one for one in stand_ins(club, row, seat) if one.person == comes] if resigns else []
        end_sitting(club, old)
        club.db.update("seats", old.id, until=club.now, token="", is_due=0, is_ready=0, sitter=None)
        _rename(club, coming, game.players[Seat(seat)])
        club.db.update("seats", coming, until=0, is_due=old.is_due)
        if old.is_due and (due := clock.give_full_turn(club, row)):
            row, until = club.row(row.id), f"orders due {club.moment(due)}"
            others = [one.seat for one in club.seats(row) if one.seat != seat]
            words = f"{seat} has a new player, so the deadline of {row.name} has moved: {until}."
            clock.tell(club, row, until, words, others)
        _begin_anew(club, row, seat, game, kept="receipt" if asked else "")
        for request in asked:
            name, to = club.person(comes).name, club.person(old.person)
            words = f"{name} now plays {seat}: {old.player} has resigned"
            matters.settle_key(club, request.key)
            matters.note_use(club, "club", "seat", f"{row.name}: {words}")
            text = f"{words}. You need not do anything.\n"
            write(club, "matter", MODERATOR, f"got/{request.id}", game=row, subject=f"{row.name}: {words}", text=text)
            name, left = "Another member" if row.hides_names else name, to if to.joined else to.address
            write(club, "left", left, f"left/{request.id}", game=row, name=name, seat=seat)


def _begin_anew(club: Club, row: GameRow, seat: str, game: adj.Game, kept: str = "") -> None:
    """Drop what was for or from the player before, but for letters of the kind ``kept``, and welcome the present one.

    Before the first reports, the first round writes to all players.
    """
    own = (row.id, seat)
    club.db.run("delete from letters where game = ? and state = 'prepared'", row.id)
    club.db.run(
        "update letters set state = 'dropped' where game = ? and seat = ? and state in ('kept', 'queued') and kind <> ?",
        *own,
        kept,
    )
    drop_messages_to(club, row, seat)
    club.db.run(
        "update mails set state = 'answered', why = ? where game = ? and seat = ? and state = 'waiting'", _REASON, *own
    )
    matters.settle_seat(club, row, seat)
    club.db.update("games", row.id, next_seal="", stopped="", changed=-1)
    present = club.seat(row, seat)
    club.db.update("seats", present.id, is_ready=0)
    if row.seal:
        welcome(club, row, game, present)


def grant(club: Club, number: int, seat: str, tell: Tell) -> None:
    """Grant the request of matter ``number``: the member gets the ``seat``, or the player leaves it; ``tell`` records it.

    The caller holds the club's lock. Raises ``ClubError``, ``FileProblem``.
    """
    matter = matters.find(club, number)
    if matter.kind not in ("seat", "resign") or matter.game is None:
        raise ClubError(f"matter {number} is not a request; name the game and --seat to accept its mail: {matter.words}")
    row, seat = club.row(matter.game), seat or matter.seat
    if not seat:
        raise ClubError(f"matter {number}: name the seat with --seat: {matter.words}")
    if seat != (matter.seat or seat):
        raise ClubError(f"matter {number} is about {matter.seat}, not {seat}: {matter.words}")
    if matter.kind == "seat":
        if matter.person is None:
            raise ClubError(f"matter {number}: this person is no longer a member")
        person = club.person(matter.person)

        def granted(_words: str) -> None:
            matters.settle_key(club, matter.key)
            tell(f"{row.name}: {person.name} now plays {seat}, with a new token")

        seat_player(club, row, seat, person.name, person.address, granted)
        return
    with _unless_it_fails(club, row) as game, club.db.transaction():
        club.seat(row, seat)
        if game.players[Seat(seat)] != SIMULATED:  # a command that was interrupted has handed it over
            club.save(row, _hand_over(game, seat, SIMULATED, "the player has resigned"))
        matters.settle_key(club, matter.key)
        matters.settle_seat(club, row, seat)
        club.db.update("games", row.id, changed=-1)
        tell(f"{row.name}: a simulated player has {seat} from now on")


def is_free_for(club: Club, row: GameRow, seat: str, person: Person) -> bool:
    """Return whether ``person`` gets ``seat`` without the moderator if its player resigns: they know no other seat."""
    return not row.is_over and bool(club.db.value(_FREE, row.id, seat, person.id, person.id, person.id))


def stand_ins(club: Club, row: GameRow, seat: str) -> list[matters.MatterRow]:
    """Return the open requests for ``seat`` by members who get it if its player resigns, the oldest first."""
    return [
        one
        for one in club.db.all(matters.MatterRow, _REQUESTS, row.id, seat)
        if one.person is not None and is_free_for(club, row, seat, club.person(one.person))
    ]


def free_seats(club: Club, row: GameRow) -> list[str]:
    """Return the seats of a game that have no player, or whose players resign."""
    query = (
        "select seat from seats s where game = ? and until = 0 and (is_dropped or exists (select 1 from matters m"
        " where m.game = s.game and m.seat = s.seat and kind = 'resign' and settled = 0)) order by seat"
    )
    return club.db.all(str, query, row.id)


def ask_for_seat(club: Club, person: Person, game: str, seat: str = "") -> str:
    """Ask the moderator to give ``person`` the ``seat`` of ``game`` (empty: any) if it has no player; return the answer."""
    rows = {row.name: row for row in club.games()}
    if game not in rows:
        return unknown(game, [*club.db.all(str, "select ruleset from lists where closed = 0"), *rows])
    row = rows[game]
    seats = club.seats(row)
    if not row.is_over and any(one.person == person.id and not one.is_dropped for one in seats):
        return f"You already play in {game}."
    leaving = "select seat from matters where game = ? and kind = 'resign' and settled = 0"
    free, resigning = free_seats(club, row), club.db.all(str, leaving, row.id)
    if row.is_over or not free or (seat and seat not in free):
        return f"{game} has no free seat{f' {seat}' if seat else ''}."
    if matters.uses(club, f"person/{person.id}", f"declined {game}, {seat or 'any seat'}", _PATIENCE):
        again = "Please ask again later, or write MESSAGE to moderator: and your text."
        return f"The moderator has declined this within the last week. {again}"
    words = f"{person.name} ({person.address}) asks for {f'the seat {seat}' if seat else listed(free, 'or')}"
    key = f"seat/{row.id}/{seat}/{person.id}"
    if got := [one for one in free if seat in ("", one) and one in resigning and is_free_for(club, row, one, person)]:
        matters.raise_matter(club, "seat", words, key=key, game=row, seat=seat, person=person)
        return f"You get the seat {got[0]} in {game}: a mail with its token comes in a minute."
    matters.raise_matter(
        club, "seat", words, key=key, game=row, seat=seat, person=person, subject=words, advice=matters.ADVICE
    )
    return f"The moderator has your request for a seat in {game}. When you have the seat, you get a mail."


def ask_stand_ins(club: Club, row: GameRow, game: adj.Game) -> None:
    """Ask all who stand in about each seat that has just lost its player, and raise a matter for the seat."""
    if game.is_over or not club.settings.people.join:
        return
    seats = club.seats(row)
    playing = {one.person for one in seats}
    for one in (one for one in seats if game.players.get(Seat(one.seat)) == SIMULATED):
        key, words = f"vacant/{one.id}", f"{one.seat} has no player: the club asks those who stand in"
        number = matters.raise_matter(club, "vacant", words, key=key, game=row, seat=one.seat)
        for person in members(club) if number else ():
            if person.prefs.standin and person.id not in playing:
                to = f"{key}/{number}/{person.id}"
                write(club, "stand-in", person, to, game=row, seat=one.seat, ruleset=game.meta.name)


def pass_on(club: Club, troubles: list[str]) -> None:
    """Give each seat whose player resigns to the first who has asked for it, and tell the moderator.

    The caller holds the club's lock. If that fails, the moderator decides.
    """
    for game, seat in club.db.all(tuple, _RESIGNING):
        row = club.row(game)
        for request in stand_ins(club, row, seat):
            person, failures = club.person(request.person or 0), list[Failure]()
            with contain(failures.append):
                seat_player(club, row, seat, person.name, person.address, lambda _words: None)
                break
            words = f"{person.name} cannot play {seat}: {failures[0].cause}"
            troubles.append(f"{row.name}: {words}")
            if failures[0].kind is not Kind.FAULT:  # the next round tries again
                break
            key = f"seat/{row.id}/{digest(words.encode())}"
            matters.raise_matter(club, "note", words, key=key, game=row, seat=seat, advice="")


def remove_game(club: Club, row: GameRow, tell: Tell) -> None:
    """Remove a game from the club without letters to its players; ``tell`` records it. The caller holds the club's lock."""
    folder, target = club.file(row).parent, new_place(club.folder / REMOVED, f"{row.name}-")
    try:
        with club.db.transaction():
            _forget_game(club, row)
            file = target / club.file(row).name
            tell(f"{row.name}: removed from the club, without a mail to its players. The game file is {file}")
            folder.rename(target)
    except Exception:  # a command that fails changes nothing
        if target.exists():
            target.rename(folder)
        raise


def _forget_game(club: Club, row: GameRow) -> None:
    """Close the records of a game that leaves the club; a game that comes back gets its letters and matters again."""
    for statement in _CLOSED:
        club.db.run(statement, row.id)
    club.db.run("update seats set until = ?, token = '', sitter = null where game = ? and until <= 0", club.now, row.id)
    club.db.update("games", row.id, removed=club.now)


def completed(club: Club) -> None:
    """Complete what a killed command has left: a hand-over, or a game on its way to `removed`.

    The caller holds the club's lock. A game of a list without a file is left to the list.
    """
    coming = set(club.db.all(int, "select game from seats where until = -1"))
    for row in club.games():
        with contain(lambda _failure: None):  # of a game that the club cannot read: the round reports it
            if row.id in coming:
                _complete_seat(club, row)
            if row.beginning and not club.file(row).exists():
                gone = (club.folder / REMOVED).glob(f"{row.name}-*/{club.file(row).name}")
                if any(open_file(path).record.beginning == row.beginning for path in gone):
                    with club.db.transaction():
                        _forget_game(club, row)
