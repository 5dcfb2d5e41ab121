"""The commands `club …`: run games by mail automatically."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Final

from adjudicator.cli.arguments import pairs
from adjudicator.cli.ui import PROBLEMS, MisuseError, Ui, argument, option
XIMPORTS
from adjudicator.core.phrases import count
from adjudicator.library.errors import CannotRead, CannotWrite
from adjudicator.reports.sanitize import printable

_SHOWN: Final = 20
"""The number of games that a round names; it counts the rest."""


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
    manage.begin_club(folder, name=name, address=address, moderator=moderator, time_zone=zone)
    words = f"{folder}: a new club; edit {folder}/club.toml to set the mail servers and the deadlines"
    ui.show(ClubChange(done=(words,)), words)


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
    with _changing(ui, folder, "add") as (club, ledger, tell), ledger.change():
        game = manage.add_game(club, file, pairs(seats or (), "a seat with its address"))
        tell(f"{game}: added to the club; the next `club run` writes to its players")


def club_run(ui: Ui, folder: Folder, once: bool = option(False, "--once", "do one round, then stop")) -> None:
    """Run the club until you stop it.

    A round fetches and answers mails, adjudicates games, sends reports, and reminds players who are late. A terminal shows
    games, deadlines and open matters all the time.

    Examples:
      adjudicator club run thursday
      adjudicator club run thursday --once
    """
    club, is_screen = ClubFolder(folder), ui.width is not None

    def log(lines: Iterable[str]) -> str:
        return "\n".join(f"{moment(int(time.time()), club.settings.time_zone)}  {printable(line)}" for line in lines)

    if once:
        with ui.progress("working"):
            done, lines = run_once(club, int(time.time()))
        _show_round(ui, done, None if is_screen else log(lines))
        return
    while not is_screen or ui.as_json:
        done, lines = run_again(club, int(time.time()))
        _show_round(ui, done, log(lines))
        ui.flush()
        wait_for_more(club)
    from rich.live import Live  # only terminals need it
    from rich.text import Text

    with Live(auto_refresh=False) as shown:
        while True:
            done, _ = run_again(club, int(time.time()))
            with suppress(CannotRead, CannotWrite), closing(club.ledger()) as ledger:  # the next round may succeed
                status = texts.status_text(manage.status_of(club, ledger), club.moment)
                last = f"last round {club.moment(int(time.time()))}; Ctrl-C stops the club"
                text = "\n".join((status, "", last, *done.troubles))
                shown.update(Text("\n".join(map(printable, text.split("\n")))), refresh=True)
            wait_for_more(club)


def club_receive(
    ui: Ui,
    folder: Folder,
    mails: list[str] | None = argument(None, "MAIL...", "the files of the mails; without them, standard input"),
) -> None:
    """Take mails as received now, and do a round.

    Examples:
      adjudicator club receive thursday < mail.eml
      adjudicator club receive thursday mail.eml
    """
    ui.guard(mails or ())
    _show_round(ui, receive(ClubFolder(folder), mails or ("-",), int(time.time())))


def _show_round(ui: Ui, done: RoundDone, log: str | None = None) -> None:
    """Print the result of a round: as JSON, as the ``log`` of what was done, or without one the counts."""
    if done.troubles:
        ui.code = PROBLEMS
    if ui.as_json:
        ui.show(done)
        return
    if log:
        ui.say(log)
    elif log is None and (done.fetched or done.gone_on or done.sent or done.later):
        again = f", {done.later} to send later" if done.later else ""
        more = f" and {len(done.gone_on) - _SHOWN:,} more" if len(done.gone_on) > _SHOWN else ""
        games = f"; adjudicated: {', '.join(done.gone_on[:_SHOWN])}{more}" if done.gone_on else ""
        ui.say(f"mails: {done.fetched} fetched, {done.sent} sent{again}{games}")
    for trouble in done.troubles:
        ui.warn(f"adjudicator: {trouble}")


def club_status(ui: Ui, folder: Folder) -> None:
    """Show the games, and the matters that wait for you.

    Example:
      adjudicator club status thursday
    """
    club = ClubFolder(folder)
    with closing(club.ledger()) as ledger:
        found = manage.status_of(club, ledger)
    ui.show(found, lambda: texts.status_text(found, club.moment, ui.width))


def club_report(
    ui: Ui,
    folder: Folder,
    since: str = option("", "--since", "DURATION", "such as “2 days”; without it: since the last report"),
) -> None:
    """Show what happened, and who is late.

    Examples:
      adjudicator club report thursday
      adjudicator club report thursday --since "1 week"
    """
    club, now = ClubFolder(folder), int(time.time())
    begin = max(0, now - int(duration(since).total_seconds())) if since else None
    with closing(club.ledger()) as ledger:
        found = report_of(club, ledger, now, begin)
    ui.show(found, lambda: texts.report_text(found, club.moment))


def club_list(
    ui: Ui, folder: Folder, games: list[str] | None = argument(None, "GAME...", "only the players of these games")
) -> None:
    """List the players and members.

    Examples:
      adjudicator club list thursday
      adjudicator club list thursday race
    """
    club = ClubFolder(folder)
    found = ClubList(players=tuple(players_of(club, games or ())), club_members=() if games else tuple(members_of(club)))
    ui.show(found, lambda: texts.players_text(found, ui.width))


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
    found = standings(ClubFolder(folder), player)
    ui.show(found, lambda: texts.standings_text(found, ui.width, is_long=bool(player)))
    if found.troubles:
        ui.code = PROBLEMS


def club_messages(ui: Ui, folder: Folder, game: Game) -> None:
    """List the messages of the players of a game, with all writers.

    Example:
      adjudicator club messages thursday race
    """
    club = ClubFolder(folder)
    with closing(club.ledger()) as ledger:
        found = messages_of(club, ledger, game)
    ui.show(found, lambda: texts.messages_text(found, club.moment))


def club_doctor(ui: Ui, folder: Folder, online: bool = option(False, "--online", "also log in to the mail servers")) -> None:
    """Check settings, files, clock, disk and backups.

    The command says what to correct, and then exits with 1.

    Examples:
      adjudicator club doctor thursday
      adjudicator club doctor thursday --online
    """
    found = check_club(ClubFolder(folder), int(time.time()), is_online=online)
    ui.show(found, lambda: texts.checkup_text(found))
    if found.club_findings:
        ui.code = PROBLEMS


@contextmanager
def _changing(ui: Ui, folder: Path, task: str) -> Iterator[tuple[ClubFolder, Ledger, Callable[[str], None]]]:
    """Yield the club in ``folder``, its ledger, and a function for each sentence that says what the ``task`` has done.

    The block calls it within its change of the ledger, which records the sentence. Those of the block appear after it.
    """
    club, done = ClubFolder(folder), list[str]()
    with closing(club.ledger()) as ledger:

        def tell(words: str) -> None:
            ledger.record_change(int(time.time()), task, words)
            done.append(words)

        yield club, ledger, tell
    ui.show(ClubChange(done=tuple(done)), "\n".join(done))


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
    with _changing(ui, folder, "accept") as (club, ledger, tell):
        if is_mail:
            with ledger.change():
                mail = manage.accept(club, ledger, int(found[1]), int(found[2] or 0), words[0], seat)
                sender = mail.address or "an unknown sender"
                tell(f"the mail from {sender} counts as {seat}'s; the next round answers it")
            return
        game = manage.find_matter(ledger, int(found[1])).game
        with manage.change_game(club, ledger, game) if game else ledger.change():
            tell(members.grant(club, ledger, int(found[1]), seat, int(time.time())))


def club_release(ui: Ui, folder: Folder, numbers: Numbers) -> None:
    """Send messages that wait for you.

    Example:
      adjudicator club release thursday 3
    """
    with _changing(ui, folder, "release") as (_, ledger, tell):
        for number in numbers:
            with ledger.change():
                tell(f"to be sent: {manage.release(ledger, number)}")


def club_settle(ui: Ui, folder: Folder, numbers: Numbers) -> None:
    """Close matters: drop a message, decline a request.

    Example:
      adjudicator club settle thursday 4 5
    """
    with _changing(ui, folder, "settle") as (club, ledger, tell):
        for number in numbers:
            with ledger.change():
                members.settle(club, ledger, number, int(time.time()))
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
    with _changing(ui, folder, "set") as (club, ledger, tell):
        own = club.folder / SETTINGS
        with manage.change_game(club, ledger, game) if game else manage.change_files(ledger, own, own):
            for change in change_settings(club, wanted, game):
                tell(change)


def club_pause(ui: Ui, folder: Folder, games: Games) -> None:
    """Stop the clock of games, and write to their players.

    Example:
      adjudicator club pause thursday race
    """
    with _changing(ui, folder, "pause") as (club, ledger, tell), ledger.change():
        for game in manage.pause(club, ledger, games, int(time.time())):
            tell(f"{game}: paused")


def club_resume(ui: Ui, folder: Folder, games: Games) -> None:
    """Resume games that are paused or have failed.

    The deadline moves by the length of the pause.

    Example:
      adjudicator club resume thursday all
    """
    with _changing(ui, folder, "resume") as (club, ledger, tell), ledger.change():
        for game in manage.resume(club, ledger, games, int(time.time())):
            tell(f"{game}: resumed")


def club_extend(
    ui: Ui, folder: Folder, games: Games, by: str = option("1 day", "--by", "DURATION", "the extra time")
) -> None:
    """Move the deadline of games, and write to their players.

    Example:
      adjudicator club extend thursday race --by "2 days"
    """
    with _changing(ui, folder, "extend") as (club, ledger, tell), ledger.change():
        for game, due in manage.extend(club, ledger, games, by, int(time.time())).items():
            tell(f"{game}: orders are due {club.moment(due)}")


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
    with _changing(ui, folder, "open") as (_, ledger, tell), ledger.change():
        tell(f"the list is open: {members.open_list(ledger, (ruleset, *(wishes or ())), int(time.time()))}")


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
    with _changing(ui, folder, "seat") as (club, ledger, tell), manage.change_game(club, ledger, game):
        seat_player(club, ledger, game, seat.lower(), name, address, int(time.time()))
        tell(f"{game}: {name} now plays {seat.lower()}, with a new token; the next `club run` writes to {address}")


def club_remove(ui: Ui, folder: Folder, game: Game) -> None:
    """Remove a game from the club; keep its files.

    Example:
      adjudicator club remove thursday race
    """
    with _changing(ui, folder, "remove") as (club, ledger, tell), manage.change_files(ledger, club.folder / "club"):
        file = remove_game(club, ledger, game)
        tell(f"{game}: removed from the club, without a mail to its players. The game file is {file}")


def club_forget(
    ui: Ui, folder: Folder, address: Annotated[str, argument(..., "ADDRESS", "the member's mail address")]
) -> None:
    """Delete a member's data.

    Example:
      adjudicator club forget thursday ann@example.org
    """
    with _changing(ui, folder, "forget") as (club, ledger, tell), ledger.change():
        tell(members.forget_member(club, ledger, address))


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
    club = ClubFolder(folder)
    with ui.progress("pages written:") as advance, closing(club.ledger()) as ledger:
        done = write_public_pages(club, ledger, output, force=force, notify=advance)
    ui.show(done, lambda: texts.published_text(done))
    if done.unmade or done.troubles:
        ui.code = PROBLEMS


def club_backup(ui: Ui, folder: Folder, copy: Annotated[Path, argument(..., "COPY", "the new folder for the copy")]) -> None:
    """Copy the club to a new folder.

    Example:
      adjudicator club backup thursday /backups/thursday-monday
    """
    with _changing(ui, folder, "backup") as (club, ledger, tell), back_up(club, ledger, copy) as games:
        tell(f"{copy}: a copy of the club with its ledger and {count(games, 'game')}")


def club_restore(ui: Ui, folder: Folder, copy: Annotated[Path, argument(..., "COPY", "the folder of the backup")]) -> None:
    """Go back to the ledger and games of a backup.

    Example:
      adjudicator club restore thursday /backups/thursday-monday
    """
    old = restore(folder, copy, int(time.time()))
    words = f"{folder}: restored from {copy}; the ledger and games before are in {old}"
    ui.show(ClubChange(done=(words,)), words)
