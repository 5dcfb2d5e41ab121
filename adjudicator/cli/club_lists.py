"""Carry out the tasks of the command `club` that only show something: players, status, report and checks."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

from adjudicator.cli.output import PROBLEMS, MisuseError, leave, say_json, say_safely, terminal_width

if TYPE_CHECKING:
    from adjudicator.club.folder import ClubFolder
    from adjudicator.reports.data.club import ClubStatus


def print_players(club: ClubFolder, games: tuple[str, ...], *, as_json: bool) -> None:
    """Print the players of ``games``, or of all with the members of the club."""
    from adjudicator.club.players import members_of, players_of
    from adjudicator.reports.cli.club import players_text
    from adjudicator.reports.data.club import ClubList

    members = () if games else tuple(members_of(club))
    _print(
        ClubList(players=tuple(players_of(club, games)), club_members=members),
        partial(players_text, width=terminal_width()),
        as_json=as_json,
    )


def print_standings(club: ClubFolder, words: tuple[str, ...], *, as_json: bool) -> None:
    """Print the standing of one player with its breakdown, or those of all; end with 1 if a game could not be read."""
    from adjudicator.club.standings import standings
    from adjudicator.reports.cli.club import standings_text

    if len(words) > 1:
        raise MisuseError("name one player, by name in quotation marks or by address")
    found = standings(club, *words)
    _print(found, partial(standings_text, width=terminal_width(), is_long=bool(words)), as_json=as_json)
    if found.troubles:
        leave(PROBLEMS)


def print_status(club: ClubFolder, *, as_json: bool) -> None:
    """Print the games and what waits for the moderator."""
    from adjudicator.reports.cli.club import status_text

    _print(club_status(club), partial(status_text, moment=club.moment, width=terminal_width()), as_json=as_json)


def print_report(club: ClubFolder, since: str, *, as_json: bool) -> None:
    """Print the events of the time ``since``, a duration, or (empty) since the last report."""
    from adjudicator.club.deadlines import duration
    from adjudicator.club.moderator_report import report_of
    from adjudicator.reports.cli.club_report import report_text

    now = int(time.time())
    begin = max(0, now - int(duration(since).total_seconds())) if since else None
    with closing(club.ledger()) as ledger:
        found = report_of(club, ledger, now, begin)
    _print(found, lambda found: report_text(found, club.moment), as_json=as_json)


def print_messages(club: ClubFolder, game: str, *, as_json: bool) -> None:
    """Print the messages of the players of a game, with the names of all writers."""
    from adjudicator.club.moderator_report import messages_of
    from adjudicator.reports.cli.club_report import messages_text

    with closing(club.ledger()) as ledger:
        found = messages_of(club, ledger, game)
    _print(found, lambda found: messages_text(found, club.moment), as_json=as_json)


def print_checkup(club: ClubFolder, *, is_online: bool, as_json: bool) -> None:
    """Print what is wrong with the club, and end the command with 1 if something is."""
    from adjudicator.club.doctor import check_club
    from adjudicator.reports.cli.club_report import checkup_text

    found = check_club(club, int(time.time()), is_online=is_online)
    _print(found, checkup_text, as_json=as_json)
    if found.club_findings:
        leave(PROBLEMS)


def club_status(club: ClubFolder) -> ClubStatus:
    """Return the status of the club."""
    from adjudicator.club.manage import status_of

    with closing(club.ledger()) as ledger:
        return status_of(club, ledger)


def _print(found: Any, text: Callable[[Any], str], *, as_json: bool) -> None:
    if as_json:
        say_json(found)
    else:
        say_safely(text(found))
