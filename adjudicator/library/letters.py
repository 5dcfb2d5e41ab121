"""Write mails with reports: their subjects, and drafts that a moderator sends with a mail program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.core.phrases import listed
from adjudicator.core.values import Seat
from adjudicator.library.game import Game
from adjudicator.library.opening import render
from adjudicator.mail.outgoing import Attachment, Draft
from adjudicator.reports.report import Report
from adjudicator.reports.sanitize import printable

_MOST_NAMES: Final = 3
"""Names in a subject; if there are more players, it says how many."""


def player_name(game: Game, seat: Seat) -> str:
    """Return the player of ``seat`` with the seat, ``Ann (red)``, or only the seat if the player has no name."""
    holder = game.players[seat]
    return printable(f"{holder} ({seat})") if holder else seat


def report_subject(game: Game, seat: Seat | None) -> str:
    """Return the subject of the report to ``seat`` (``None``: to the moderator): ``race, turn 12: your turn``."""
    if game.is_over:
        return f"{game.id} is over{_result(game)}"
    who = "your turn" if seat in game.due_seats else f"waiting for {few_names(game, game.due_seats)}"
    return f"{turn_of(game, seat)}: {who}"


def turn_of(game: Game, seat: Seat | None) -> str:
    """Return the game with the turn that ``seat`` (``None``: the moderator) reads in its report: ``race, turn 12``."""
    return f"{game.id}, turn {game.seen_by(seat).turn}"


def few_names(game: Game, seats: Sequence[Seat]) -> str:
    """Return the players of ``seats`` for a subject: their names, or how many they are."""
    return f"{len(seats)} players" if len(seats) > _MOST_NAMES else listed(player_name(game, one) for one in seats)


def report_draft(game: Game, seat: Seat, report: Report, to: str = "") -> Draft:
    """Return a mail with the ``report`` to ``seat``; the player's own file is attached."""
    own = Attachment(name=f"{game.id}-{seat}.json", kind="application/json", data=game.seen_by(seat).own_file())
    return Draft(to=to, subject=report_subject(game, seat), text=render(report), attached=(own,))


def _result(game: Game) -> str:
    """Return who has won; empty if the standings name no winner."""
    names = game.players
    first = [printable(names[one.seat] or one.seat) for one in game.standings if one.place == 1]
    if not first or len(first) == len(game.seats):
        return ": a draw" if len(first) > 1 else ""
    return f": {first[0]} has won" if len(first) == 1 else f": {listed(first)} share the first place"
