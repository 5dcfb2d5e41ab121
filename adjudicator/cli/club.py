"""The command `club`: run games by mail automatically."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from adjudicator.cli.arguments import Json
from adjudicator.cli.club_changes import Arguments, Task, carry_out
from adjudicator.cli.club_lists import (
    club_status,
    print_checkup,
    print_messages,
    print_players,
    print_report,
    print_standings,
    print_status,
)
from adjudicator.cli.failures import explained
from adjudicator.cli.files import only_one_stdin
from adjudicator.cli.output import PROBLEMS, MisuseError, flush, is_terminal, leave, say_json, say_safely, warn
from adjudicator.cli.progress import progress

if TYPE_CHECKING:
    from adjudicator.club.folder import ClubFolder
    from adjudicator.club.run import Round

_SHOWN = 20
"""The number of games that a round names; it counts the rest."""


def club(
    task: Annotated[Task, typer.Argument(metavar="TASK", help="one of the tasks above", show_default=False)],
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="the folder of the club", show_default=False)],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORD...]",
            help="the words that the task needs, as shown above",
            show_default=False,
        ),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="SEAT[=ADDRESS]", help="add: a player's seat; accept: the sender's [repeatable]"),
    ] = None,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="init: the name of the club")] = "",
    address: Annotated[str, typer.Option("--address", metavar="ADDRESS", help="init: the mail address of the club")] = "",
    moderator: Annotated[str, typer.Option("--moderator", metavar="ADDRESS", help="init: your own mail address")] = "",
    zone: Annotated[str, typer.Option("--zone", metavar="ZONE", help="init: the time zone, such as Europe/Berlin")] = "UTC",
    by: Annotated[str, typer.Option("--by", metavar="DURATION", help="extend: the extra time")] = "1 day",
    since: Annotated[str, typer.Option("--since", metavar="DURATION", help="report: of this time, such as “2 days”")] = "",
    online: Annotated[bool, typer.Option("--online", help="doctor: also log in to the mail servers")] = False,
    output: Annotated[str, typer.Option("--output", "-o", metavar="DIR", help="publish: the folder for the pages")] = "",
    force: Annotated[bool, typer.Option("--force", help="publish: write into a folder that contains other files")] = False,
    once: Annotated[bool, typer.Option("--once", help="run: do one round, then stop")] = False,
    as_json: Json = False,
) -> None:
    r"""Run games by mail: fetch mails, adjudicate, send reports.

    The program fetches and answers mails, adjudicates games, sends reports and
    reminds players who are late. docs/club.md explains everything.

    The tasks:
      init FOLDER                   make a new club in a folder
      add FOLDER FILE               add a game file to the club
      seat FOLDER GAME SEAT NAME ADDRESS   give a seat and a new token to a player
      remove FOLDER GAME            remove a game from the club; keep its files
      list FOLDER [GAME...]         list the players and members
      standing FOLDER [PLAYER]      show who sends orders on time, and ratings
      run FOLDER                    run the club until you stop it
      receive FOLDER [MAIL...]      take mails (from standard input); do a round
      status FOLDER                 show the games and the matters for you
      report FOLDER                 show what happened, and who is late
      doctor FOLDER                 check settings, files, clock, disk and backups
      messages FOLDER GAME          list the messages of players
      set FOLDER [GAME] NAME=VALUE...     change settings of club or game
      pause, resume, extend FOLDER GAME... change deadlines; `all`: of all games
      settle, release FOLDER NUMBER...    close matters in `status`; send messages
      accept FOLDER GAME NUMBER     accept a mail as one from --seat
      accept FOLDER NUMBER          grant a member's request (for --seat)
      open FOLDER RULESET [NAME=VALUE...]   open a list for the next game
      forget FOLDER ADDRESS         delete a member's data
      backup FOLDER COPY            copy the club to a new folder
      restore FOLDER COPY           go back to the ledger and games of a backup
      publish FOLDER -o DIR         write public pages of the games

    Examples:
      adjudicator club init thursday --name "Thursday club" \
        --address club@example.org --moderator me@example.org
      adjudicator club add thursday rally-042.json \
        --seat red=ann@example.org --seat blue=bob@example.org
      adjudicator club seat thursday rally-042 red Carol carol@example.org
      adjudicator club run thursday --once
      adjudicator club receive thursday < mail.eml
      adjudicator club extend thursday rally-042 --by "2 days"
      adjudicator club standing thursday ann@example.org
      adjudicator club report thursday --since "1 week"
      adjudicator club doctor thursday --online
      adjudicator club set thursday deadlines.every="2 days"
      adjudicator club set thursday rally-042 seats.red.muted=true
      adjudicator club open thursday great-race players=3 deadline=48h
      adjudicator club publish thursday -o public/

    """
    with explained(as_json=as_json):
        from adjudicator.club.deadlines import DeadlineError
        from adjudicator.club.manage import ClubError

        arguments = Arguments(tuple(words or ()), by, tuple(seat or ()))
        try:
            if task is Task.INIT:
                _init(folder, name, address, moderator, zone, as_json=as_json)
                return
            if task is Task.RESTORE:
                _restore(folder, arguments, as_json=as_json)
                return
            from adjudicator.club.folder import ClubFolder

            club_folder = ClubFolder(Path(folder))
            if task is Task.RUN:
                _run(club_folder, is_once=once, as_json=as_json)
            elif task is Task.RECEIVE:
                _receive(club_folder, arguments, as_json=as_json)
            elif task is Task.LIST:
                print_players(club_folder, arguments.words, as_json=as_json)
            elif task is Task.STANDING:
                print_standings(club_folder, arguments.words, as_json=as_json)
            elif task is Task.PUBLISH:
                _publish(club_folder, output, is_forced=force, as_json=as_json)
            elif task is Task.STATUS:
                print_status(club_folder, as_json=as_json)
            elif task is Task.REPORT:
                print_report(club_folder, since, as_json=as_json)
            elif task is Task.MESSAGES:
                print_messages(club_folder, arguments.only("one game"), as_json=as_json)
            elif task is Task.DOCTOR:
                print_checkup(club_folder, is_online=online, as_json=as_json)
            else:
                _print_change(carry_out(task, club_folder, arguments), as_json=as_json)
        except (ClubError, DeadlineError) as error:
            raise MisuseError(str(error)) from error


def _init(folder: str, name: str, address: str, moderator: str, zone: str, *, as_json: bool) -> None:
    from adjudicator.club.manage import begin_club

    options = {"--name": name, "--address": address, "--moderator": moderator}
    if not all(options.values()):
        raise MisuseError(
            f"add {', '.join(option for option, value in options.items() if not value)}: a new club needs all three"
        )
    begin_club(Path(folder), name=name, address=address, moderator=moderator, time_zone=zone)
    words = f"{folder}: a new club; edit {folder}/club.toml to set the mail servers and the deadlines"
    _print_change([words], as_json=as_json)


def _restore(folder: str, arguments: Arguments, *, as_json: bool) -> None:
    from adjudicator.club.backup import restore

    copy = arguments.only("the folder of the backup")
    old = restore(Path(folder), Path(copy), int(time.time()))
    _print_change([f"{folder}: restored from {copy}; the ledger and games before are in {old}"], as_json=as_json)


def _run(club: ClubFolder, *, is_once: bool, as_json: bool) -> None:
    from adjudicator.club.run import run_again, run_once, wait_for_more

    if is_once:
        with progress("working"):
            done = run_once(club, int(time.time()))
        _print_round(done, as_json=as_json, zone="" if is_terminal() else club.settings.time_zone)
        if done.troubles:
            leave(PROBLEMS)
        return
    if is_terminal() and not as_json:
        _run_on_screen(club)
    while True:
        _print_round(run_again(club, int(time.time())), as_json=as_json, zone=club.settings.time_zone)
        flush()
        wait_for_more(club)


def _receive(club: ClubFolder, arguments: Arguments, *, as_json: bool) -> None:
    """Store the mails in files, or the one on standard input, as received now, and do a round."""
    from adjudicator.club.run import receive

    only_one_stdin(*arguments.words)
    done = receive(club, arguments.words or ("-",), int(time.time()))
    _print_round(done, as_json=as_json)
    if done.troubles:
        leave(PROBLEMS)


def _run_on_screen(club: ClubFolder) -> NoReturn:
    """Run the club until it is stopped, with its games, deadlines and open matters always on the screen."""
    from rich.live import Live
    from rich.text import Text

    from adjudicator.club.run import run_again, wait_for_more
    from adjudicator.library.errors import CannotRead, CannotWrite

    with Live(auto_refresh=False) as shown:
        while True:
            done = run_again(club, int(time.time()))
            with suppress(CannotRead, CannotWrite):  # the next round may succeed
                shown.update(Text("\n".join(_screen_lines(club, done))), refresh=True)
            wait_for_more(club)


def _screen_lines(club: ClubFolder, done: Round) -> Iterator[str]:
    """Yield the status of the club after a round, line by line, safe for a terminal."""
    from adjudicator.reports.cli.club import status_text
    from adjudicator.reports.text.sanitize import printable

    yield from map(printable, status_text(club_status(club), club.moment).split("\n"))
    yield ""
    yield f"last round {club.moment(int(time.time()))}; Ctrl-C stops the club"
    for trouble in done.troubles:
        yield from map(printable, trouble.split("\n"))


def _print_round(done: Round, *, as_json: bool, zone: str = "") -> None:
    """Print the result of a round: a line for each action, with the time in ``zone``, or (empty) the counts."""
    from adjudicator.reports.data.club import RoundDone

    sent, later = done.posted.sent, done.posted.later
    if as_json:
        say_json(
            RoundDone(
                fetched=done.fetched,
                gone_on=done.games,
                sent=sent,
                later=later,
                given_up=done.posted.given_up,
                troubles=done.troubles,
            )
        )
        return
    if zone:
        _print_log(done, zone)
    elif done.fetched or done.games or sent or later:
        again = f", {later} to send later" if later else ""
        more = f" and {len(done.games) - _SHOWN:,} more" if len(done.games) > _SHOWN else ""
        games = f"; adjudicated: {', '.join(done.games[:_SHOWN])}{more}" if done.games else ""
        say_safely(f"mails: {done.fetched} fetched, {sent} sent{again}{games}")
    for trouble in done.troubles:
        warn(f"adjudicator: {trouble}")


def _print_log(done: Round, zone: str) -> None:
    from adjudicator.club.deadlines import moment
    from adjudicator.reports.text.sanitize import printable

    now = moment(int(time.time()), zone)
    for line in done.done:
        say_safely(f"{now}  {printable(line)}")


def _publish(club: ClubFolder, output: str, *, is_forced: bool, as_json: bool) -> None:
    """Write the public pages of ``club`` into the folder ``output``, and print how many files have changed."""
    from adjudicator.club.public import write_public_pages
    from adjudicator.reports.cli.club import published_text

    if not output:
        raise MisuseError("add -o with the folder for the pages, such as: -o public/")
    with progress("pages written:") as advance, closing(club.ledger()) as ledger:
        done = write_public_pages(club, ledger, output, force=is_forced, notify=advance)
    if as_json:
        say_json(done)
    else:
        say_safely(published_text(done))
    if done.unmade or done.troubles:
        leave(PROBLEMS)


def _print_change(done: list[str], *, as_json: bool) -> None:
    if as_json:
        from adjudicator.reports.data.club import ClubChange

        say_json(ClubChange(done=tuple(done)))
    else:
        say_safely("\n".join(done))
