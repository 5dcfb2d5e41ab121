"""Write the letters with reports to players: with the deadline, the addresses of board and calendar, and how to answer."""

from __future__ import annotations

import adjudicator as adj
from adjudicator.club.calendars import calendar_address
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, Ledger, NewLetter
from adjudicator.club.letters import SeatLetter, letter_to_seat, with_footer
from adjudicator.club.pages import page_address
from adjudicator.core.values import Seat
from adjudicator.library.letters import few_names


def report_letter(
    club: ClubFolder, ledger: Ledger, letter: SeatLetter, game: adj.Game, row: GameRow, due: int, now: int
) -> NewLetter:
    """Return the report in ``letter`` with the deadline ``due`` (0: none), secret addresses, and instructions."""
    seat = Seat(letter.seat)
    before, until = _due_line(club, game, seat, row, due), _due_words(club, game, seat, row, due)
    page, calendar = page_address(club, ledger, game.id, seat), calendar_address(club, ledger, game.id, seat)
    return letter_to_seat(club, ledger, with_footer(letter, club, before, page, until=until, calendar=calendar), now)


def _due_line(club: ClubFolder, game: adj.Game, seat: Seat, row: GameRow, due: int) -> str:
    """Return the line above the report to ``seat`` that says whose orders are due, and when; empty if ``due`` is 0."""
    if not due:
        return ""
    if row.is_paused:
        return "The game is paused."
    whose = "Your orders" if seat in game.due_seats else f"The orders of {few_names(game, game.due_seats)}"
    return f"{whose} are due {club.moment(due)}."


def _due_words(club: ClubFolder, game: adj.Game, seat: Seat, row: GameRow, due: int) -> str:
    """Return when orders are due, for the end of the headline of a page; empty if they have no deadline now."""
    if not due or row.is_paused:
        return ""
    return f"{', by' if seat in game.due_seats else ' until'} {club.moment(due)}"
