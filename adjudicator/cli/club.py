"""The commands `club …`: run games by mail automatically."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Annotated

from adjudicator.cli.ui import PROBLEMS, MisuseError, Ui, argument, option, pairs
from adjudicator.club import tournament
from adjudicator.club.clock import extend, pause, resume
from adjudicator.club.club import Club, GameRow, open_club
from adjudicator.club.deadlines import time_of
from adjudicator.club.doctor import LOOKS, check, checkup_text
from adjudicator.club.folder import back_up, begin_club, restore, upgrade
from adjudicator.club.lists import open_list
from adjudicator.club.matters import accept, record, release, settle
from adjudicator.club.messages import messages_of, messages_text
from adjudicator.club.people import forget, standings, standings_text
from adjudicator.club.public import publish, published_text
from adjudicator.club.seats import (
    add_game,
    change_game,
    completed,
    grant,
    known_games,
    players,
    players_text,
    remove_game,
    seat_player,
)
from adjudicator.club.settings import SETTINGS, as_before_failure, change_club
from adjudicator.club.status import ClubChange, status, status_text
from adjudicator.core.phrases import count
from adjudicator.files.documents import parse_toml
from adjudicator.files.reading import read

Folder = Annotated[Path, argument(..., "FOLDER", "the folder of the club")]
Game = Annotated[str, argument(..., "GAME", "the game")]
Games = Annotated[list[str], argument(..., "GAME...", "the games, or `all`")]
Numbers = Annotated[list[int], argument(..., "NUMBER...", "the numbers in `club status`", min=0, max=999_999_999)]


def club_init(
    ui: Ui,
    folder: Annotated[Path, argument(..., "FOLDER", "the new folder")],
    name: str = option("", "--name", "NAME", "the name of the club"),
    address: str = option("", "--address", "ADDRESS", "the mail address of the club"),
    moderator: str = option("", "--moderator", "ADDRESS", "your own mail address"),
    zone: str = option("UTC", "--zone", "ZONE", "the time zone, such as Europe/Berlin"),
) -> None:
    """Make a new club in a folder.

    Example:
      adjudicator club init thursday --name "Thursday club" --address club@example.org --moderator me@example.org
    """
    required = {"--name": name, "--address": address, "--moderator": moderator}
    if missing := [option for option, value in required.items() if not value]:
        raise MisuseError(f"add {', '.join(missing)}: a new club needs all three")
    begin_club(folder, name=name, address=address, moderator=moderator, zone=zone)
    _tell(ui, f"{folder}: a new club; edit {folder}/club.toml to set the mail servers and the deadlines")


def _tell(ui: Ui, *done: str) -> None:
    ui.show(ClubChange(done=done), "\n".join(done))


def club_add(
    ui: Ui,
    folder: Folder,
    file: Annotated[Path, argument(..., "FILE", "the game file")],
    seats: list[str] | None = option(None, "--seat", "SEAT=ADDRESS", "a player [repeatable]"),
) -> None:
    """Add a game file to the club.

    The club continues its own copy of the file. The next round writes to the players.

    Example:
      adjudicator club add thursday race.json --seat red=ann@example.org --seat blue=bob@example.org
    """
    with _changing(ui, folder, "add", is_locked=True) as (club, tell):
        add_game(club, file, pairs(seats or (), "a seat with its address"), tell)


def club_status(
    ui: Ui,
    folder: Folder,
    since: str = option("", "--since", "TIME", "what happened since: “2 days” ago, or `last`: when you last asked"),
) -> None:
    """Show the games, what waits for you, and what happened.

    Examples:
      adjudicator club status thursday
      adjudicator club status thursday --since last
    """
    with _club_now(folder) as club:
        found = status(club, since)
        ui.show(found, lambda: status_text(found, club.moment, ui.width))


def club_list(
    ui: Ui, folder: Folder, games: list[str] | None = argument(None, "GAME...", "only the players of these games")
) -> None:
    """List the players and members.

    Examples:
      adjudicator club list thursday
      adjudicator club list thursday race
    """
    with _club_now(folder) as club:
        found = players(club, games or ())
        ui.show(found, lambda: players_text(found, ui.width))


def club_standing(
    ui: Ui,
    folder: Folder,
    player: str = argument("", "PLAYER", "only this player, by address or name, with each seat"),
) -> None:
    """Show who sends orders on time, and ratings.

    Examples:
      adjudicator club standing thursday
      adjudicator club standing thursday ann@example.org
    """
    with _club_now(folder) as club:
        found = standings(club, player)
    ui.show(found, lambda: standings_text(found, ui.width, is_long=bool(player)))


def club_messages(ui: Ui, folder: Folder, game: Game) -> None:
    """List the messages of the players of a game, with all writers.

    Example:
      adjudicator club messages thursday race
    """
    with _club_now(folder) as club:
        found = messages_of(club, club.row(game))
        ui.show(found, lambda: messages_text(found, club.moment))


def club_doctor(
    ui: Ui,
    folder: Folder,
    online: bool = option(False, "--online", "also log in to the mail servers, and send a letter to the club itself"),
) -> None:
    """Check settings, files, clock, disk and backups.

    The command says what to correct, and then exits with 1. With --online, it waits for its letter up to two minutes, says
    what the mail server has found about SPF, DKIM and DMARC, and deletes the letter.

    Examples:
      adjudicator club doctor thursday
      adjudicator club doctor thursday --online
    """
    with ui.progress("looks for the letter:", LOOKS, is_shown=online) as advance:
        found = check(folder, int(time.time()), is_online=online, looked=advance)
    ui.show(found, lambda: checkup_text(found))
    if found.club_findings:
        ui.code = PROBLEMS


@contextmanager
def _changing(ui: Ui, folder: Path, task: str, *, is_locked: bool = False) -> Iterator[tuple[Club, Callable[[str], None]]]:
    """Yield the club in ``folder``, and a function for each sentence that says what the ``task`` has done.

    The log records each sentence. They appear after the block, which is one transaction: all of it happens, or nothing. With
    ``is_locked``, it begins its own, and no round and no other command moves files or seats meanwhile.
    """
    done = list[str]()
    with _club_now(folder) as club, club.locked() if is_locked else club.db.transaction():

        def tell(words: str) -> None:
            record(club, task, words)
            done.append(words)

        if is_locked:
            completed(club)
        yield club, tell
    _tell(ui, *done)


def _club_now(folder: Path) -> AbstractContextManager[Club]:
    return open_club(folder, int(time.time()))


def club_accept(
    ui: Ui,
    folder: Folder,
    words: Annotated[
        list[str],
        argument(
            ..., "[GAME] NUMBER", "the game of a mail, and the number in `club status`; 5.3 is the third mail of matter 5"
        ),
    ],
    seats: list[str] | None = option(None, "--seat", "SEAT", "the sender's seat, or the seat that a member gets"),
) -> None:
    """Accept a mail as one from a seat, or grant a member's request.

    Examples:
      adjudicator club accept thursday race 2 --seat red
      adjudicator club accept thursday 7
    """
    seat = (seats or [""])[0].lower()
    found = re.fullmatch(r"(\d{1,9})(?:\.(\d{1,6}))?", words[-1])
    is_mail = len(words) == 2
    if found is None or len(seats or ()) > 1 or not (seat if is_mail else len(words) == 1 and not found[2]):
        raise MisuseError(
            "name the game, the number in `club status`, and the sender's seat with --seat;"
            " for a member's request, only the number"
        )
    number = int(found[1])
    with _changing(ui, folder, "accept", is_locked=not is_mail) as (club, tell):
        if not is_mail:
            grant(club, number, seat, tell)
            return
        sender = accept(club, number, int(found[2] or 0), club.row(words[0]), seat) or "an unknown sender"
        tell(f"the mail from {sender} counts as {seat}'s; the next round answers it")


def club_release(ui: Ui, folder: Folder, numbers: Numbers) -> None:
    """Send messages that wait for you.

    Example:
      adjudicator club release thursday 3
    """
    with _changing(ui, folder, "release") as (club, tell):
        for number in numbers:
            tell(f"to be sent: {release(club, number)}")


def club_settle(ui: Ui, folder: Folder, numbers: Numbers) -> None:
    """Close matters: drop a message, decline a request.

    Example:
      adjudicator club settle thursday 4 5
    """
    with _changing(ui, folder, "settle") as (club, tell):
        for number in numbers:
            settle(club, number)
            tell(f"matter {number} is settled")


def club_set(
    ui: Ui,
    folder: Folder,
    words: Annotated[list[str], argument(..., "[GAME] NAME=VALUE...", "settings, of the club or of a game")],
) -> None:
    """Change settings of the club or of a game.

    Examples:
      adjudicator club set thursday deadlines.every="2 days"
      adjudicator club set thursday race seats.red.muted=true
    """
    game = words[0] if len(words) > 1 and "=" not in words[0] else ""
    wanted = pairs(words[bool(game) :], "a setting with its value")
    file = folder / SETTINGS
    with _changing(ui, folder, "set", is_locked=not game) as (club, tell), as_before_failure(file), club.db.transaction():
        for change in change_game(club, club.row(game), wanted) if game else change_club(file, wanted):
            tell(change)


def _not_over(club: Club, games: list[str]) -> list[GameRow]:
    """Return the rows of ``games``; `all` leaves out those that are over."""
    return [row for row in known_games(club, games) if not row.is_over or games != ["all"]]


def club_pause(
    ui: Ui,
    folder: Folder,
    games: Games,
    until: str = option("", "--until", "DATE", "when the games continue by themselves: 2026-12-31, or with a time"),
) -> None:
    """Stop the clock of games, and write to their players.

    Example:
      adjudicator club pause thursday race --until 2026-12-31
    """
    with _changing(ui, folder, "pause") as (club, tell):
        end = time_of(until, club.settings.time_zone) if until else 0
        for game in _not_over(club, games):
            pause(club, game, end)
            tell(f"{game.name}: paused{f' until {club.moment(end)}' if end else ''}")


def club_resume(ui: Ui, folder: Folder, games: Games) -> None:
    """Resume games that are paused or have failed.

    The deadline moves by the length of the pause.

    Example:
      adjudicator club resume thursday all
    """
    with _changing(ui, folder, "resume") as (club, tell):
        for game in known_games(club, games):
            resume(club, game)
            tell(f"{game.name}: resumed")


def club_extend(
    ui: Ui, folder: Folder, games: Games, by: str = option("1 day", "--by", "DURATION", "the extra time")
) -> None:
    """Move the deadline of games, and write to their players.

    Example:
      adjudicator club extend thursday race --by "2 days"
    """
    with _changing(ui, folder, "extend") as (club, tell):
        for game in _not_over(club, games):
            tell(f"{game.name}: orders are due {club.moment(extend(club, game, by))}")


def club_open(
    ui: Ui,
    folder: Folder,
    ruleset: Annotated[str, argument(..., "RULESET", "the game")],
    wishes: list[str] | None = argument(None, "NAME=VALUE...", "players, deadline and options of the game"),
) -> None:
    """Open a list for the next game.

    Example:
      adjudicator club open thursday great-race players=3 deadline=48h
    """
    with _changing(ui, folder, "open") as (club, tell):
        later = "" if club.settings.people.join else "; set people.join=true, so that people can join it"
        tell(f"the list is open: {open_list(club, ruleset, wishes or ())}{later}")


def club_tournament(
    ui: Ui,
    folder: Folder,
    file: str = argument("", "FILE", "the file of a new tournament; without it, the command shows all"),
    check: bool = option(False, "--check", "only check the file"),
    close: str = option("", "--close", "NAME", "end this tournament early; its running games go on"),
) -> None:
    """Open a tournament from a file, or show all.

    Examples:
      adjudicator club tournament thursday spring.toml --check
      adjudicator club tournament thursday spring.toml
      adjudicator club tournament thursday
    """
    if (file and close) or (check and not file):
        raise MisuseError("name the file of a new tournament, or end one with --close NAME")
    if not (file or close):
        with _club_now(folder) as club:
            found = tournament.ClubTournaments(
                club_tournaments=tuple(tournament.table_of(club, one) for one in tournament.tournaments(club))
            )
        ui.show(found, lambda: tournament.tournaments_text(found, ui.width))
    elif check:
        wanted = parse_toml(*read(file), tournament.Tournament)
        with _club_now(folder) as club:
            tournament.check_tournament(club, wanted)
        _tell(ui, f"{file}: the club can open this tournament")
    else:
        with _changing(ui, folder, "tournament") as (club, tell):
            if close:
                tournament.close_tournament(club, close)
                tell(f"the tournament {close} is over")
                return
            later = "" if club.settings.people.join else "; set people.join=true, so that people can enter it"
            opened = tournament.open_tournament(club, parse_toml(*read(file), tournament.Tournament))
            tell(f"the tournament is open: {opened}{later}")


def club_seat(
    ui: Ui,
    folder: Folder,
    game: Game,
    seat: Annotated[str, argument(..., "SEAT", "the seat")],
    name: Annotated[str, argument(..., "NAME", "the player")],
    address: Annotated[str, argument(..., "ADDRESS", "the player's mail address")],
) -> None:
    """Give a seat and a new token to a player.

    Example:
      adjudicator club seat thursday race red Carol carol@example.org
    """
    with _changing(ui, folder, "seat", is_locked=True) as (club, tell):
        seat_player(club, club.row(game), seat.lower(), name, address, tell)


def club_remove(ui: Ui, folder: Folder, game: Game) -> None:
    """Remove a game from the club; keep its files.

    Example:
      adjudicator club remove thursday race
    """
    with _changing(ui, folder, "remove", is_locked=True) as (club, tell):
        remove_game(club, club.row(game), tell)


def club_forget(
    ui: Ui, folder: Folder, address: Annotated[str, argument(..., "ADDRESS", "the member's mail address")]
) -> None:
    """Delete a member's data.

    Example:
      adjudicator club forget thursday ann@example.org
    """
    with _changing(ui, folder, "forget", is_locked=True) as (club, tell), club.db.transaction():
        tell(forget(club, address))


def club_publish(
    ui: Ui,
    folder: Folder,
    output: Annotated[str, option(..., "-o", "--output", "DIR", "the folder for the pages", show_default=False)],
    force: bool = option(False, "--force", "write into a folder that contains other files"),
) -> None:
    """Write public pages of the games.

    Example:
      adjudicator club publish thursday -o public/
    """
    with ui.progress("pages written:") as advance, _club_now(folder) as club:
        done = publish(club, output, force=force, notify=advance)
    ui.show(done, lambda: published_text(done))
    if done.unmade:
        ui.code = PROBLEMS


def club_backup(ui: Ui, folder: Folder, copy: Annotated[Path, argument(..., "COPY", "the new folder for the copy")]) -> None:
    """Copy the club to a new folder.

    Example:
      adjudicator club backup thursday /backups/thursday-monday
    """
    with _changing(ui, folder, "backup", is_locked=True) as (club, tell), back_up(club, copy) as games:
        tell(f"{copy}: a copy of the club with its ledger and {count(games, 'game')}")


def club_restore(ui: Ui, folder: Folder, copy: Annotated[Path, argument(..., "COPY", "the folder of the backup")]) -> None:
    """Go back to the ledger and games of a backup.

    Example:
      adjudicator club restore thursday /backups/thursday-monday
    """
    old = restore(folder, copy, int(time.time()))
    _tell(ui, f"{folder}: restored from {copy}; the ledger and games before are in {old}")


def club_upgrade(ui: Ui, folder: Folder) -> None:
    """Take over a club of version 1.0.0.

    What it replaces stays in the folder `replaced`.

    Example:
      adjudicator club upgrade thursday
    """
    _tell(ui, *upgrade(folder, int(time.time())))
