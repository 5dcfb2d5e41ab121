"""What the moderator does with a club: begin it, take games in, set deadlines, settle what waits for judgment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from adjudicator.club.clock import resumed, tell_players, with_deadline
from adjudicator.club.deadlines import duration, moment
from adjudicator.club.folder import GAME_FILE, GAME_SETTINGS, GAMES, LEDGER, SETTINGS, ClubFolder
from adjudicator.club.ledger import GameRow, Ledger, MailState
from adjudicator.club.matters import HeldMail, Matter
from adjudicator.club.tokens import new_token
from adjudicator.core.ids import Seat
from adjudicator.outputs.clubs import ClubGame, ClubLetter, ClubMatter, ClubStatus
from adjudicator.session import load_session
from adjudicator.store.atomic import PRIVATE, write_atomic
from adjudicator.store.errors import CannotWrite
from adjudicator.store.save import dump_game

_ALL: Final = "all"
_MOST_LISTED: Final = 20
"""Mails of one matter that a message lists."""


class ClubError(Exception):
    """What was asked of the club makes no sense; the message says why."""


def begin_club(folder: Path, *, name: str, address: str, moderator: str, time_zone: str) -> None:
    """Write `club.toml` and the folders of a new club. Raises ``ClubError`` if there is one already, ``CannotWrite``."""
    if (folder / SETTINGS).exists():
        raise ClubError(f"there is a club in {folder} already")
    try:
        for part in (folder, folder / GAMES):
            part.mkdir(mode=0o700, exist_ok=True)
        make_inbox(folder)
    except OSError as error:
        raise CannotWrite(str(folder), f"the folder cannot be made: {error.strerror or error}") from error
    words = (json.dumps(text, ensure_ascii=False) for text in (name, address, moderator, time_zone))
    Ledger(folder / LEDGER).close()
    write_atomic(folder / SETTINGS, _CLUB.format(*words).encode(), PRIVATE)
    ClubFolder(folder).ledger().close()


def make_inbox(folder: Path) -> None:
    """Make the Maildir of the club in ``folder``."""
    for part in ("inbox", "inbox/new", "inbox/cur"):
        (folder / part).mkdir(mode=0o700, exist_ok=True)


def add_game(club: ClubFolder, source: Path, addresses: Mapping[str, str]) -> str:
    """Take the game in the file ``source`` into the club, with the address of each seat; return its name.

    The file is copied: from now on the club's own goes on. Raises ``ClubError``, ``FileProblem``.
    """
    session = load_session(source)
    game, seats = session.game, session.seats
    strangers = sorted(set(addresses) - set(seats))
    missing = [seat for seat in seats if seat not in addresses]
    if strangers or missing:
        wrong = [f"{seat} is no seat of this game" for seat in strangers] + [f"{seat} has no address" for seat in missing]
        raise ClubError(f"{'; '.join(wrong)}; its seats are: {', '.join(seats)}")
    for seat, address in addresses.items():
        require_address(address, seat)
    folder = club.path(game.id)
    if folder.exists():
        raise ClubError(f"the club has a game {game.id} already")
    folder.mkdir(mode=0o700)
    held = {player.seat: player.holder for player in game.setup.players}
    lines = [seat_lines(seat, addresses[seat], held[seat]) for seat in seats]
    write_atomic(folder / GAME_SETTINGS, ("\n".join(lines) + _DEADLINES).encode(), PRIVATE)
    write_atomic(folder / GAME_FILE, dump_game(game), PRIVATE)
    return game.id


def require_address(address: str, seat: str) -> None:
    """Raise ``ClubError`` unless ``address`` looks like one."""
    name, at, domain = address.partition("@")
    is_sound = name and at and domain and len(address) <= 254 and address.isprintable() and not set(address) & set(' ,;<>"')
    if not is_sound:
        raise ClubError(f"“{address}” is no address; the address of {seat} is written like {seat}=ann@example.org")


def status_of(club: ClubFolder, ledger: Ledger) -> ClubStatus:
    """Return how the club stands: its games, those that are over last, else by deadline, and what waits for judgment."""
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
        matters=tuple(
            ClubMatter(n=one.number, game=one.game, since=one.at, what=one.words, held_mails=one.mails)
            for one in ledger.matters()
        ),
        unsent=tuple(
            ClubLetter(
                kind=one.kind,
                game=one.game,
                seat=one.seat,
                to=one.recipient,
                next_try=one.next_try if one.state == "queued" else None,
                why=one.said,
            )
            for one in ledger.unsent()
        ),
        letters={f"{kind} {state}": count for (kind, state), count in sorted(ledger.counts().items())},
    )


def pause(club: ClubFolder, ledger: Ledger, games: Iterable[str], now: int) -> list[str]:
    """Stop the clock of ``games``, and return which they are; their players get a letter. Raises ``ClubError``.

    The club answers mails of a paused game, and keeps their orders.
    """
    known = known_games(club, games)
    with ledger.change():
        for row in map(ledger.game, known):
            if row.is_paused or row.is_over:
                continue
            ledger.set_game(replace(row, paused=now))
            due = f" The deadline was {_moment(club, row.due)}; it moves by the length of the pause." if row.due else ""
            text = f"The moderator has paused {row.id}. The club still takes your orders, and keeps them.{due}"
            tell_players(club, ledger, row.id, text, now, subject="the game is paused")
    return known


def resume(club: ClubFolder, ledger: Ledger, games: Iterable[str], now: int) -> list[str]:
    """Let ``games`` go on that are paused or have failed, and return which they are. Raises ``ClubError``.

    The deadline of a paused game moves by the length of the pause, and its players get a letter. The next round looks at it.
    """
    known = known_games(club, games)
    with ledger.change():
        for before in map(ledger.game, known):
            row = resumed(before, now)
            ledger.set_game(replace(row, stopped="", wake=int(bool(row.due)), changed=-1))
            if before.is_paused and not row.is_over:
                due = f": orders due {_moment(club, row.due)}" if row.due else ""
                tell_players(club, ledger, row.id, f"{row.id} goes on{due}.", now, subject=f"the game goes on{due}")
    return known


def extend(club: ClubFolder, ledger: Ledger, games: Iterable[str], by: str, now: int) -> dict[str, int]:
    """Put off the deadline of ``games`` ``by`` so long (`2 days`), from now on if it is over; return the new ones.

    All players get a letter. Raises ``ClubError``, ``DeadlineError``.
    """
    seconds, found = int(duration(by).total_seconds()), {}
    with ledger.change():
        for game in known_games(club, games):
            row = ledger.game(game)
            if row.is_over:
                raise ClubError(f"{game} is over")
            due = found[game] = max(row.due, row.paused or now) + seconds
            ledger.set_game(with_deadline(club.deadlines_of(game), row, due))
            paused = " The game is paused: the deadline moves by the length of the pause." if row.is_paused else ""
            words = f"orders due {_moment(club, due)}"
            text = f"The moderator has put off the deadline of {game}: {words}.{paused}"
            tell_players(club, ledger, game, text, now, subject=words)
    return found


def settle(ledger: Ledger, number: int) -> None:
    """Strike a matter off the list; a message that waits for it is never sent. Raises ``ClubError``."""
    with ledger.change():
        if not ledger.settle_matter(number):
            raise ClubError(f"there is no matter {number}; `club status` lists them")


def release(ledger: Ledger, number: int) -> str:
    """Let the message of a matter go to its player; return the matter in words. Raises ``ClubError``."""
    found = _matter(ledger, number)
    if not found.key.startswith("held/"):
        raise ClubError(f"matter {number} is no message that waits: {found.words}")
    with ledger.change():
        is_there = ledger.release(found.key.removeprefix("held/"))
        ledger.settle_matter(number)
    if not is_there:
        raise ClubError(f"the message of matter {number} cannot go any more: its seat has another player now")
    return found.words


def accept(club: ClubFolder, ledger: Ledger, number: int, part: int, game: str, seat: str) -> HeldMail:
    """Take the mail of matter ``number`` as ``seat``'s of ``game``: the next round answers it.

    ``part`` says which of several mails is meant, from 1 (0: there is only one). Raises ``ClubError``.
    """
    known_games(club, [game])
    if seat not in club.settings_of(game).seats:
        raise ClubError(f"{game} has no seat {seat}; it has {', '.join(club.settings_of(game).seats)}")
    matter = _matter(ledger, number)
    mails = ledger.held_mails(matter.key)
    if not mails:
        raise ClubError(f"matter {number} is no mail that waits: {matter.words}")
    if part > len(mails) or (not part and len(mails) > 1):
        raise ClubError(f"matter {number} has {len(mails)} mails. Name one of them:\n{_numbered(club, number, mails)}")
    mail = mails[max(0, part - 1)]
    with ledger.change():
        ledger.settle(mail.id, MailState.ACCEPTED, game=game, seat=Seat(seat))
        if len(mails) == 1:
            ledger.settle_by_key(matter.key)
    return mail


def _moment(club: ClubFolder, seconds: int) -> str:
    return moment(seconds, club.settings.time_zone)


def _numbered(club: ClubFolder, number: int, mails: list[HeldMail]) -> str:
    lines = (
        f"  {number}.{part}  {mail.address or 'an unclear sender'}, {moment(mail.received, club.settings.time_zone)}"
        for part, mail in enumerate(mails[:_MOST_LISTED], 1)
    )
    return "\n".join(lines)


def _matter(ledger: Ledger, number: int) -> Matter:
    found = ledger.matter(number)
    if found is None:
        raise ClubError(f"there is no matter {number}; `club status` lists them")
    return found


def known_games(club: ClubFolder, games: Iterable[str]) -> list[str]:
    """Return the names ``games``, or all games for `all`. Raises ``ClubError`` for a name that no game has."""
    wanted = list(games)
    if not wanted:
        raise ClubError("name the games, or `all`")
    if wanted == [_ALL]:
        return list(club.games)
    unknown = [game for game in wanted if game not in club.games]
    if unknown:
        raise ClubError(f"the club has no game {', '.join(unknown)}; it has {', '.join(club.games) or 'none'}")
    return wanted


def seat_lines(seat: str, address: str, name: str) -> str:
    """Return what `game.toml` says about a seat, with a new token."""
    words = json.dumps(name, ensure_ascii=False)
    return f"[seats.{seat}]\nname = {words}\naddresses = [{json.dumps(address)}]\ntoken = {json.dumps(new_token())}\n"


_DEADLINES: Final = """
# Without these lines the deadlines are the club's.
# [deadlines]
# every = "3 days"
# at = "20:00"
# grace = "12 hours"
# warn = "24 hours"
# nmr = "wait"          # or "default", "bot", "drop"
"""

_CLUB: Final = """\
name = {}
address = {}      # of the club: players write to it, and get mails from it
moderator = {}
time_zone = {}
press = "moderated"                # messages between players: or "free", "off"
pictures = "png"                   # attached to reports: or "svg", "none"

[incoming]
kind = "maildir"
folder = "inbox"
# plus_addresses = true            # the server delivers mail to club+TOKEN@… here, too
# kind = "imap"
# host = "imap.example.org"
# user = "club"
# password.env = "CLUB_IMAP_PASSWORD"

[outgoing]
kind = "folder"                    # mails are written into the folder; "smtp" sends them
folder = "outgoing"
# host = "smtp.example.org"
# port = 587
# user = "club"
# password.env = "CLUB_SMTP_PASSWORD"

[trust]
token = "required"                 # "address": who writes from a player's address is that player
# authserv_id = "mx.example.org"   # the name under which your server writes Authentication-Results

[deadlines]
every = "3 days"
at = "20:00"
grace = "12 hours"
warn = "24 hours"
nmr = "wait"
drop_after = 0
most_missing = 1
"""
