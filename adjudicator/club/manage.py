"""Manage a club as its moderator: begin it, add games, change deadlines, decide what waits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from shutil import rmtree
from typing import Final

import adjudicator as adj
from adjudicator.club.clock import end_pause, notify_players, with_deadline
from adjudicator.club.deadlines import shifted
from adjudicator.club.folder import GAME_FILE, GAME_SETTINGS, GAMES, LEDGER, SETTINGS, ClubFolder, open_file
from adjudicator.club.ledger import GameRow, Ledger, MailState
from adjudicator.club.matters import HeldMail, Matter
from adjudicator.club.pages import desk_problem
from adjudicator.club.results import ClubGame, ClubLetter, ClubMatter, ClubStatus, NextClubGame
from adjudicator.club.settings import ClubSettings
from adjudicator.club.tokens import CLUB, new_token
from adjudicator.core.values import Seat, replace
from adjudicator.files.atomic import PRIVATE, write_atomic
from adjudicator.files.documents import parse_toml
from adjudicator.files.errors import CannotWrite
from adjudicator.files.lock import locked
from adjudicator.files.reading import read
from adjudicator.mail.envelope import address_flaw, plain_address
from adjudicator.reports.sanitize import printable

_ALL: Final = "all"
_HELD: Final = "held/"
"""The beginning of the key of a matter about a message between players."""
_MOST_LISTED: Final = 20
"""Mails of one matter in a message."""


class ClubError(Exception):
    """The moderator's request makes no sense; the message says why."""

    kind = "misuse"
    exit_code = 2


def begin_club(folder: Path, *, name: str, address: str, moderator: str, time_zone: str) -> None:
    """Write `club.toml` and the folders of a new club.

    Raises ``ClubError`` if there is one already, ``Untrusted`` for settings that no club can have, ``CannotWrite``.
    """
    if (folder / SETTINGS).exists():
        raise ClubError(f"{folder} already has a club")
    address, moderator = required_address(address, "--address"), required_address(moderator, "--moderator")
    for option, text in (("--name", name), ("--zone", time_zone)):
        if printable(text) != text:
            raise ClubError(f"{option}: “{printable(text)}” has characters that not every program can show: leave them out")
    words = (json.dumps(text, ensure_ascii=False) for text in (name, address, moderator, time_zone))
    settings = _CLUB.format(*words).encode()
    parse_toml(str(folder / SETTINGS), settings, ClubSettings)
    try:
        for part in (folder, folder / GAMES):
            part.mkdir(mode=0o700, exist_ok=True)
        make_inbox(folder)
    except OSError as error:
        raise CannotWrite(str(folder), f"the folder cannot be created: {error.strerror or error}") from error
    Ledger(folder / LEDGER).close()
    write_atomic(folder / SETTINGS, settings, PRIVATE)
    ClubFolder(folder).ledger().close()


def make_inbox(folder: Path) -> None:
    """Create the Maildir of the club in ``folder``."""
    for part in ("inbox", "inbox/new", "inbox/cur"):
        (folder / part).mkdir(mode=0o700, exist_ok=True)


@contextmanager
def change_files(ledger: Ledger, locks: Path, *files: Path) -> Iterator[None]:
    """Keep others away from the file ``locks``, begin a change of ``ledger``, and only then run the block.

    If another program uses the ledger, nothing changes. If the block or the change fails, the ``files`` are as before.
    Raises ``InUse``, ``CannotWrite``.
    """
    with locked(locks), ExitStack() as undo:
        for path in files:
            undo.callback(_restore, path, read(path)[1])
        with ledger.change():
            yield
        undo.pop_all()


def _restore(path: Path, data: bytes) -> None:
    if read(path)[1] != data:
        write_atomic(path, data, PRIVATE)


def change_game(club: ClubFolder, ledger: Ledger, game: str) -> AbstractContextManager[None]:
    """Begin a change of ``game``, its settings and the ledger, as ``change_files`` does. Raises ``ClubError``."""
    known_games(club, [game])
    return change_files(ledger, club.game_file(game), club.game_file(game), club.path(game, GAME_SETTINGS))


def add_game(club: ClubFolder, source: Path, addresses: Mapping[str, str]) -> str:
    """Add the game in the file ``source`` to the club, with the address of each seat; return its id.

    The club continues its own copy of the file. Raises ``ClubError``, ``FileProblem``.
    """
    game = open_file(source)
    add_new_game(club, game, addresses)
    return game.id


def add_new_game(club: ClubFolder, game: adj.Game, addresses: Mapping[str, str], deadlines: str = "") -> None:
    """Add ``game`` to the club, with the address of each seat, and the section ``deadlines`` for its settings.

    An interruption leaves either the whole game or none. Raises ``ClubError``, ``CannotWrite``.
    """
    if game.id.lower() == CLUB:
        raise ClubError(f"a game in a club cannot be called {game.id}: the mails of members have this name in their subject")
    seats = game.seats
    strangers = sorted(set(addresses) - set(seats))
    missing = [seat for seat in seats if seat not in addresses]
    if strangers or missing:
        wrong = [f"{game.id} has no seat {seat}" for seat in strangers] + [f"{seat} has no address" for seat in missing]
        raise ClubError(f"{'; '.join(wrong)}; its seats are: {', '.join(seats)}")
    addresses = {seat: required_address(address, seat) for seat, address in addresses.items()}
    folder, unfinished = club.path(game.id), club.path(f".{game.id}")
    if folder.exists():
        raise ClubError(f"the club already has a game {game.id}")
    rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    lines = [seat_lines(seat, addresses[seat], game.players[seat]) for seat in seats]
    write_atomic(unfinished / GAME_SETTINGS, ("\n".join(lines) + (deadlines or _DEADLINES)).encode(), PRIVATE)
    write_atomic(unfinished / GAME_FILE, game.to_bytes(), PRIVATE)
    unfinished.rename(folder)


def required_address(written: str, place: str) -> str:
    """Return the address in the text ``written`` for a ``place``, such as a seat. Raises ``ClubError``."""
    if flaw := address_flaw(written):
        raise ClubError(f"{place}: {flaw}")
    return plain_address(written)


def status_of(club: ClubFolder, ledger: Ledger) -> ClubStatus:
    """Return the status of the club: its games by deadline, finished ones last, and everything that waits."""
    rows, waiting = ledger.games(), ledger.waiting_seats()
    known = [rows.get(game, GameRow(id=game)) for game in club.games]
    known.sort(key=lambda row: (row.is_over, not row.due, row.due, row.id))
    return ClubStatus(
        name=club.settings.name,
        club_games=tuple(
            ClubGame(
                game=row.id,
                over=row.is_over,
                paused=row.is_paused,
                deadline=row.due or None,
                awaited=row.awaited,
                orders_from=waiting.get(row.id, ()),
                stopped=row.stopped,
            )
            for row in known
        ),
        lists=tuple(
            NextClubGame(
                ruleset=one.ruleset,
                players=one.players,
                joined=len(places := ledger.places(one.id)),
                confirmed=sum(bool(place.confirmed) for place in places),
            )
            for one in ledger.open_lists()
        ),
        matters=open_matters(ledger),
        unsent=unsent_letters(ledger),
        desk=desk_problem(club),
        letters={f"{kind} {state}": count for (kind, state), count in sorted(ledger.counts().items())},
    )


def open_matters(ledger: Ledger) -> tuple[ClubMatter, ...]:
    """Return the matters that wait for the moderator, by number."""
    return tuple(
        ClubMatter(n=one.number, game=one.game, since=one.at, what=one.words, held_mails=one.mails)
        for one in ledger.matters()
    )


def unsent_letters(ledger: Ledger) -> tuple[ClubLetter, ...]:
    """Return the letters that no server has accepted, the oldest first."""
    return tuple(
        ClubLetter(
            kind=one.kind,
            game=one.game,
            seat=one.seat,
            to=one.recipient,
            next_try=one.next_try if one.state == "queued" else None,
            why=one.said,
        )
        for one in ledger.unsent()
    )


def pause(club: ClubFolder, ledger: Ledger, games: Iterable[str], now: int) -> list[str]:
    """Stop the clock of ``games`` and write to their players; return the ids of the games. Raises ``ClubError``.

    The club answers mails of a paused game, and keeps their orders.
    """
    known = known_games(club, games)
    with ledger.change():
        for row in map(ledger.game, known):
            if row.is_paused or row.is_over:
                continue
            ledger.set_game(replace(row, paused=now))
            due = f" The deadline was {club.moment(row.due)}; it moves by the length of the pause." if row.due else ""
            text = f"The moderator has paused {row.id}. You can still send orders: the club keeps them.{due}"
            notify_players(club, ledger, row.id, text, now, subject="the game is paused")
    return known


def resume(club: ClubFolder, ledger: Ledger, games: Iterable[str], now: int) -> list[str]:
    """Resume ``games`` that are paused or have failed; return their ids. Raises ``ClubError``.

    The deadline of a paused game moves by the length of the pause, and its players get a letter. The next round runs the
    games.
    """
    known = known_games(club, games)
    with ledger.change():
        for before in map(ledger.game, known):
            row = end_pause(before, now)
            ledger.set_game(replace(row, stopped="", wake=int(bool(row.due)), changed=-1))
            if before.is_paused and not row.is_over:
                due = f", orders due {club.moment(row.due)}" if row.due else ""
                text = f"The moderator has resumed {row.id}. {f'Orders are due {club.moment(row.due)}.' if row.due else ''}"
                notify_players(club, ledger, row.id, text.rstrip(), now, subject=f"the game continues{due}")
    return known


def extend(club: ClubFolder, ledger: Ledger, games: Iterable[str], by: str, now: int) -> dict[str, int]:
    """Move the deadline of ``games`` ``by`` a duration (`2 days`), from now if it is over; return the new deadlines.

    All players get a letter. Raises ``ClubError``, ``DeadlineError``.
    """
    found = {}
    with ledger.change():
        for game in known_games(club, games):
            row = ledger.game(game)
            if row.is_over:
                raise ClubError(f"{game} is over")
            due = found[game] = shifted(max(row.due, row.paused or now), by, club.settings.time_zone)
            ledger.set_game(with_deadline(club.deadlines_of(game), row, due, club.settings.time_zone))
            paused = " The game is paused: the deadline moves by the length of the pause." if row.is_paused else ""
            words = f"orders due {club.moment(due)}"
            text = f"The moderator has moved the deadline of {game}: {words}.{paused}"
            notify_players(club, ledger, game, text, now, subject=words)
    return found


def release(ledger: Ledger, number: int) -> str:
    """Accept the message of a matter: the next round or report sends it. Return the matter as text. Raises ``ClubError``."""
    found = find_matter(ledger, number)
    if not found.key.startswith(_HELD):
        raise ClubError(f"matter {number} is not a message between players: {found.words}")
    with ledger.change():
        key = found.key.removeprefix(_HELD)
        if not (ledger.accept_message(key) or ledger.release(key)):
            words = "its seat has another player now; `club settle` drops it"
            raise ClubError(f"the club cannot send the message of matter {number}: {words}")
        ledger.settle_matter(number)
    return found.words


def accept(club: ClubFolder, ledger: Ledger, number: int, part: int, game: str, seat: str) -> HeldMail:
    """Accept the mail of matter ``number`` as one of ``seat`` of ``game``: the next round answers it.

    ``part`` is the number of the mail if the matter has several, from 1 (0: it has only one). Raises ``ClubError``.
    """
    known_games(club, [game])
    if seat not in club.settings_of(game).seats:
        raise ClubError(f"{game} has no seat {seat}; it has {', '.join(club.settings_of(game).seats)}")
    matter = find_matter(ledger, number)
    mails = ledger.held_mails(matter.key)
    if not mails:
        raise ClubError(f"matter {number} is not about a mail that waits: {matter.words}")
    if part > len(mails) or (not part and len(mails) > 1):
        raise ClubError(f"matter {number} has {len(mails)} mails. Name one of them:\n{_numbered(club, number, mails)}")
    mail = mails[max(0, part - 1)]
    with ledger.change():
        ledger.settle(mail.id, MailState.ACCEPTED, game=game, seat=Seat(seat))
        if len(mails) == 1:
            ledger.settle_by_key(matter.key)
    return mail


def _numbered(club: ClubFolder, number: int, mails: list[HeldMail]) -> str:
    lines = (
        f"  {number}.{part}  {mail.address or 'an unclear sender'}, {club.moment(mail.received)}"
        for part, mail in enumerate(mails[:_MOST_LISTED], 1)
    )
    return "\n".join(lines)


def find_matter(ledger: Ledger, number: int) -> Matter:
    """Return the matter with this number. Raises ``ClubError``."""
    found = ledger.matter(number)
    if found is None:
        raise ClubError(f"there is no matter {number}; `club status` lists all matters")
    return found


def known_games(club: ClubFolder, games: Iterable[str]) -> list[str]:
    """Return the ids ``games``, or those of all games for `all`. Raises ``ClubError`` for an unknown game."""
    wanted = list(games)
    if not wanted:
        raise ClubError("name the games, or `all`")
    if wanted == [_ALL]:
        return list(club.games)
    unknown = [game for game in wanted if game not in club.games]
    if unknown:
        raise ClubError(f"the club has no game {', '.join(unknown)}; its games: {', '.join(club.games) or 'none'}")
    return wanted


def seat_lines(seat: str, address: str, name: str) -> str:
    """Return the section of `game.toml` for a seat, with a new token."""
    words = json.dumps(name, ensure_ascii=False)
    return f"[seats.{seat}]\nname = {words}\naddresses = [{json.dumps(address)}]\ntoken = {json.dumps(new_token())}\n"


_DEADLINES: Final = """
# Without these lines, the game has the deadlines of the club.
# [deadlines]
# every = "3 days"
# at = "20:00"
# grace = "12 hours"
# warn = "24 hours"
# nmr = "wait"          # or "default", "bot", "drop"
"""

_CLUB: Final = """\
name = {}
address = {}      # of the club: players write to it and get mails from it
moderator = {}
time_zone = {}
press = "moderated"                # messages between players: or "free", "off"
# press_anonymous = true           # also without a name
# press_with_report = true         # with the next report, not at once
pictures = "png"                   # pictures in reports: or "svg", "none"

[incoming]
kind = "maildir"
folder = "inbox"
# plus_addresses = true            # your server also delivers mail to club+TOKEN@… here
# kind = "imap"
# host = "imap.example.org"
# user = "club"
# password.env = "CLUB_IMAP_PASSWORD"

[outgoing]
kind = "folder"                    # writes mails into the folder; "smtp" sends them
folder = "outgoing"
# host = "smtp.example.org"
# port = 587
# user = "club"
# password.env = "CLUB_SMTP_PASSWORD"

[trust]
token = "required"                 # "address": a mail from a player's address needs no token
# authserv_id = "mx.example.org"   # your server's name in its Authentication-Results

# [desk]                           # reports link to the player's board in this desk
# folder = "/srv/www/desk"         # in which `adjudicator desk -o` has built it
# address = "https://club.example.org/desk/"

# [public]                         # pages that `adjudicator club publish` writes
# address = "https://club.example.org/"
# names = true                     # all players agree to be named; see public_name in docs/club.md

# [[webhooks]]                     # notices for a chat room; see docs/club.md
# kind = "discord"                 # or "slack", "matrix"
# url.env = "CLUB_DISCORD_URL"

# [people]
# join = true                      # people can join by mail; see docs/club.md
# rules = "rules.txt"              # the house rules, for new members
# [[people.open]]                  # the club offers such a game; repeat these lines for others
# ruleset = "checkered-flag"

[deadlines]
every = "3 days"
at = "20:00"
grace = "12 hours"
warn = "24 hours"
nmr = "wait"
drop_after = 0
most_missing = 1
"""
