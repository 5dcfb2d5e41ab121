"""List the players of a club, give a seat to another player, and remove a game with its players."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Final

import adjudicator as adj
from adjudicator.club.folder import GAME_FILE, GAME_SETTINGS, ClubFolder
from adjudicator.club.ledger import Ledger, MailState
from adjudicator.club.manage import ClubError, known_games, required_address, seat_lines
from adjudicator.club.requests import resend
from adjudicator.club.results import ClubMember, ClubPlayer
from adjudicator.club.settings import SeatSettings
from adjudicator.club.turns import open_game
from adjudicator.club.welcome import welcome
from adjudicator.core.values import Seat, replace
from adjudicator.files.atomic import PRIVATE, write_atomic
from adjudicator.library.seat_records import SIMULATED

REMOVED: Final = "removed"
"""The folder of the games that have left the club."""
_REASON: Final = "another player has the seat"


def players_of(club: ClubFolder, games: Iterable[str]) -> Iterator[ClubPlayer]:
    """Yield the players of ``games`` (none: of all games), without their tokens. Raises ``ClubError``."""
    for game in known_games(club, games or ["all"]):
        for seat, settings in club.settings_of(game).seats.items():
            yield ClubPlayer(game=game, seat=seat, player=settings.name, addresses=settings.addresses)


def members_of(club: ClubFolder) -> Iterator[ClubMember]:
    """Yield the members of the club by name, without their tokens."""
    with closing(club.ledger()) as ledger:
        for one in ledger.members():
            yield ClubMember(name=one.name, address=one.address, since=one.confirmed)


def seat_player(club: ClubFolder, ledger: Ledger, game: str, seat: str, name: str, address: str, now: int) -> None:
    """Give ``seat`` of ``game`` to the player ``name``, who writes from ``address``, with a new token.

    The new player gets a welcome letter and a report; the old player gets no more letters. The caller has begun to
    ``change_game``. Raises ``ClubError``, ``FileProblem``.
    """
    address = required_address(address, seat)
    if not name.strip():
        raise ClubError("the player needs a name")
    before = open_game(club, game)
    if seat not in before.seats:
        raise ClubError(f"{game} has no seat {seat}; it has {', '.join(before.seats)}")
    try:
        handed = before if before.players[Seat(seat)] == name else before.hand_over(seat, name, _REASON)
    except adj.CorrectionError as error:
        raise ClubError(str(error)) from error
    is_other = address.casefold() not in map(str.casefold, club.seat_of(game, seat).addresses)
    _write_settings(club, game, seat, name, address)
    if handed is not before:
        club.save(handed)
    ledger.drop_letters(game, seat)
    ledger.settle_resignations(game, seat)
    if is_other and handed is not before:
        ledger.end_holidays(game, seat)
    for mail in ledger.mails(MailState.WAITING, game):
        if mail.seat == seat:
            ledger.settle(mail.id, MailState.ANSWERED, game=game, seat=seat, why=_REASON)
    row = ledger.game(game)
    if row.seal:  # else the first round writes to all players
        ledger.queue(welcome(club, ledger, handed, Seat(seat), row.due, now))
        ledger.set_game(replace(row, stopped="", changed=-1))
    if row.seal and handed is before:  # else the next round sends a report with the new name to all players
        resend(club, ledger, before, Seat(seat), f"seat/{game}/{seat}/{now}", (), now)


def release_seat(club: ClubFolder, game: str, seat: str, reason: str) -> None:
    """Give ``seat`` of ``game`` to a simulated player. The caller has locked the game file.

    Raises ``ClubError``, ``FileProblem``.
    """
    before = open_game(club, game)
    if seat not in before.seats:
        raise ClubError(f"{game} has no seat {seat}; it has {', '.join(before.seats)}")
    try:
        club.save(before.hand_over(seat, SIMULATED, reason))
    except adj.CorrectionError as error:
        raise ClubError(str(error)) from error


def _write_settings(club: ClubFolder, game: str, seat: str, name: str, address: str) -> None:
    path = club.path(game, GAME_SETTINGS)
    text = path.read_text("utf-8")
    section = re.compile(rf"(?m)^\[seats\.{re.escape(seat)}\][^\n]*\n(?:(?!\s*(?:\[|#)).*\n?)*")
    before = club.seat_of(game, seat)
    lines = seat_lines(seat, address, name) + ("muted = true\n" if before.muted and before.name == name else "")
    changed, count = section.subn(lambda _found: f"{lines}\n", text)
    if count != 1:
        raise ClubError(
            f"{path} has no section [seats.{seat}] that the program can replace; please write it yourself:\n{lines}"
        )
    changed += _former(seat, before, name)
    write_atomic(path, changed.encode(), PRIVATE)
    club.forget(game)


def _former(seat: str, before: SeatSettings, name: str) -> str:
    """Return the section of `game.toml` that keeps the player ``before``, empty for a new address of the same player."""
    if before.name == name:
        return ""
    values = {"seat": seat, "name": before.name, "addresses": before.addresses, "public_name": before.public_name}
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items() if value is not None)
    return f"\n[[former]]\n{''.join(lines)}"


def remove_game(club: ClubFolder, ledger: Ledger, game: str) -> str:
    """Remove ``game`` from the club without letters to its players; return the new place of its file.

    The caller has locked the club, so that no round runs. Raises ``ClubError``.
    """
    known_games(club, [game])
    parent = club.folder / REMOVED
    parent.mkdir(mode=0o700, exist_ok=True)
    number = next(number for number in range(1, 10_000) if not (parent / f"{game}-{number}").exists())
    target = parent / f"{game}-{number}"
    with ledger.change():
        ledger.forget_game(game)
        club.path(game).rename(target)
    return str(target / GAME_FILE)
