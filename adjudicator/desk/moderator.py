"""Answer the requests of a moderator: correct a game, list its pending orders, write mails to its players, archive it.

Each function takes the open game, the values of a request and its files, as in ``requests.py``.
"""

from __future__ import annotations

from typing import Any

import adjudicator as adj
from adjudicator.archive import pack_archive
from adjudicator.core.values import MODERATOR, Seat
from adjudicator.desk.open_game import Files, OpenGame, Values
from adjudicator.library.letters import report_draft
from adjudicator.mail.outgoing import Draft, draft_bytes


def undo(desk: OpenGame, values: Values, _files: Files) -> Any:
    """Take back all entries after ``to`` (none: those of the last turn), for a ``reason`` that the record keeps."""
    game = desk.game
    log = game.seen_by(MODERATOR).log()
    last = max(0, next(row.n for row in log if row.turn == log[-1].turn) - 1)
    return _corrected(desk, game.undo(values.get("to", last), values["reason"]))


def amend(desk: OpenGame, values: Values, _files: Files) -> Any:
    """Make ``changes`` of the position, such as ``clock of red=31``, for a ``reason`` that the record keeps."""
    return _corrected(desk, desk.game.amend(values["changes"], values["reason"]))


def list_pending(desk: OpenGame, _values: Values, _files: Files) -> Any:
    """Return the pending orders and those that were set aside, as ``pending --json`` prints them."""
    return desk.game.seen_by(MODERATOR).pending


def withdraw(desk: OpenGame, values: Values, files: Files) -> Any:
    """Remove the pending orders of ``seat`` from number ``first`` on, for a ``reason``; return the others."""
    desk.change(desk.game.withdraw(values["seat"], values["reason"], values.get("first", 1)))
    return list_pending(desk, values, files)


def bring_back(desk: OpenGame, values: Values, files: Files) -> Any:
    """Make the set-aside orders of this ``number`` pending again; return all pending orders."""
    desk.change(desk.game.bring_back(values["number"]))
    return list_pending(desk, values, files)


def letters(desk: OpenGame, values: Values, _files: Files) -> Any:
    """Return the mail to the player of each of ``seats``: its subject and its text, the report."""
    drafts = [(seat, _draft(desk, seat)) for seat in values["seats"]]
    return {"letters": [{"seat": seat, "subject": one.subject, "text": one.text} for seat, one in drafts]}


def letter_file(desk: OpenGame, values: Values, _files: Files) -> Any:
    """Return the mail to the player of ``seat`` at the address ``to`` as a file, with the player's own file."""
    return draft_bytes(_draft(desk, values["seat"], values["to"]))


def archive(desk: OpenGame, _values: Values, _files: Files) -> Any:
    """Return an archive that has only this game."""
    return pack_archive([(f"{desk.game.id}.json", desk.game.to_bytes())])


def _draft(desk: OpenGame, name: str, to: str = "") -> Draft:
    seat = Seat(name)
    return report_draft(desk.game, seat, desk.written_report(seat), to)


def _corrected(desk: OpenGame, game: adj.Game) -> Any:
    before = desk.game
    return {**desk.change(game), "correction": game.correction_since(before)}
