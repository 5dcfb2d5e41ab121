"""Say in a receipt which orders of a seat count, now and at the deadline, and why."""

from __future__ import annotations

from collections.abc import Sequence

import adjudicator as adj
from adjudicator.club.clock import deadline_words
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, StoredMail
from adjudicator.club.pending import NOT_NOW, PendingOrders, Relevance, named_turns, pending_orders
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Diagnostic
from adjudicator.core.values import Seat, replace
from adjudicator.library.letters import player_name
from adjudicator.library.own_orders import LATE, OTHER_GAME, mistakes
from adjudicator.reports.diagnostics import sentence
from adjudicator.reports.sanitize import printable


def promise(
    club: ClubFolder,
    game: adj.Game,
    mail: StoredMail,
    seat: Seat,
    problems: tuple[Diagnostic, ...],
    meant: Relevance,
    row: GameRow,
    waiting: Sequence[StoredMail],
    *,
    is_withdrawal: bool,
    is_held: bool = False,
) -> str:
    """Return which orders of ``seat`` count after its ``mail``, as text for its player.

    ``problems`` are those of the mail, ``meant`` is its bearing, ``waiting`` are the other mails of the seat that wait,
    ``row`` is what the ledger knows of the game. ``is_withdrawal`` says that the mail takes orders back, ``is_held`` that a
    message in it may have more orders, which is a mistake.
    """
    is_other, is_flawed = meant in NOT_NOW, is_held or bool(mistakes(problems))
    if not is_other and not is_flawed and not is_withdrawal:
        part = "the rest of this mail" if problems else "this mail"
        return f"The club found no mistake in {part}. {_when(club, game, seat, row)}"
    own = () if is_other else (replace(mail, seat=seat, is_flawed=is_flawed),)
    found = pending_orders(game, seat, sorted((*waiting, *own), key=lambda one: (one.received, one.id)))
    if found.is_answered and not found.orders:
        counts = "Your earlier answer still counts. This mail changes nothing."
    elif found.is_ready:
        is_new = not (waiting or is_other or is_withdrawal)
        counts = _ready(club, game, seat, mail, row, found, is_new=is_new)
    else:
        counts = _at_deadline(club, game, seat, mail, meant, row, found)
    if is_other:
        return f"{_other_turn(game, seat, problems, meant)}\n\n{counts}"
    if is_withdrawal and not is_flawed:
        return f"The club has read your WITHDRAW. {counts}"
    if meant is Relevance.REMARK:
        return f"{counts}\nTo get a list of all commands, write HELP."
    return counts if found.is_ready else f"Please correct the mistake, and send all your orders again.\n\n{counts}"


def _when(club: ClubFolder, game: adj.Game, seat: Seat, row: GameRow) -> str:
    """Return when the game takes the orders of ``seat``."""
    if row.is_paused or seat in game.due_seats or game.seen_by(seat).has_answered:
        return deadline_words(club, row)
    return "Your orders wait until it is your turn."


def not_your_turn(game: adj.Game, seat: Seat) -> str:
    """Return that the game waits for others, or that ``seat`` has no more decisions; empty if it can answer now."""
    if game.is_over or seat in game.due_seats or game.seen_by(seat).has_answered:
        return ""
    out = game.seen_by(seat).eliminated
    if out:
        return printable(f"{sentence(out)}.")
    names = listed(player_name(game, one) for one in game.due_seats)
    return f"It is not your turn: the game waits for {names or 'no one'}."


def pending_words(club: ClubFolder, game: adj.Game, seat: Seat, row: GameRow, waiting: Sequence[StoredMail]) -> str:
    """Return which orders of ``seat`` count now, as text for its player; ``waiting`` are its mails that wait."""
    found = pending_orders(game, seat, sorted(waiting, key=lambda one: (one.received, one.id)))
    if row.is_over:
        return ""
    if found.is_answered and not found.orders:
        return "Your earlier answer counts."
    if found.is_ready:
        return _ready(club, game, seat, None, row, found, is_new=not waiting)
    counts = _at_deadline(club, game, seat, None, Relevance.REMARK, row, found)
    return f"{counts}\nPlease send all your orders again, without the mistake."


def _other_turn(game: adj.Game, seat: Seat, problems: tuple[Diagnostic, ...], meant: Relevance) -> str:
    """Return what happens to a mail without orders for this turn."""
    turns, now = named_turns(game, problems), game.seen_by(seat).turn
    codes = {found.problem.code for found in problems}
    if OTHER_GAME in codes or not turns:
        what = f"came before turn {now}, so it belongs to an earlier turn" if LATE in codes else "is for another game"
        return f"This mail {what}. It changes nothing in {game.id}."
    fate = f"The club keeps it until turn {turns[-1]} begins." if meant is Relevance.LATER else "It changes nothing."
    return f"This mail is for turn {listed(turns)}, and the game is at turn {now}. {fate}"


def _ready(
    club: ClubFolder,
    game: adj.Game,
    seat: Seat,
    mail: StoredMail | None,
    row: GameRow,
    found: PendingOrders,
    *,
    is_new: bool,
) -> str:
    """Return which orders count now: the newest mail has no mistake, or says nothing about this turn.

    ``mail`` is the one to answer, if it has orders or remarks. ``is_new`` says that no earlier mail for this turn came.
    """
    if found.orders:
        place = f"in {_name(club, mail, found)}" if found.mail else "that the game already has"
        count = "still count" if mail is not None and (found.mail is None or found.mail.id != mail.id) else "count"
        return f"Your orders {place} {count}: {printable('; '.join(found.orders))}. {_when(club, game, seat, row)}"
    has_none = "You have no orders for this turn"
    if is_new:
        has_played = any(row.seat == seat and row.order for row in game.seen_by(seat).log())
        has_none = f"You have sent no orders {'since the last report' if has_played else 'yet'}"
    if seat not in game.due_seats:
        return f"{has_none}, and you need not send any now."
    until = f" by {club.moment(row.due)}" if row.due and not row.is_paused else ""
    return f"{has_none}. Please send your orders for turn {game.seen_by(seat).turn}{until}."


def _name(club: ClubFolder, mail: StoredMail | None, found: PendingOrders) -> str:
    """Return the name, for its player, of the mail with the orders that count."""
    if found.mail is None or (mail is not None and found.mail.id == mail.id):
        return "this mail"
    return f"your mail of {club.moment(found.mail.received)}"


def _at_deadline(
    club: ClubFolder,
    game: adj.Game,
    seat: Seat,
    mail: StoredMail | None,
    meant: Relevance,
    row: GameRow,
    found: PendingOrders,
) -> str:
    """Return that no orders count before the deadline, and which orders count then."""
    why = "this mail" if meant is Relevance.NOW else "an earlier mail of yours"
    is_dated = row.due and not row.is_paused and seat in game.due_seats
    deadline = f"the deadline ({club.moment(row.due)})" if is_dated else "the deadline of your turn"
    now = f"None of your orders count yet, because {why} has a mistake."
    orders = printable("; ".join(found.orders))
    if not orders:
        return f"{now}\nIf you send no other mail by {deadline}, no orders of yours count."
    above = ", above its first mistake" if found.is_flawed else ""
    where = f"They are in {_name(club, mail, found)}{above}." if found.mail else "The game already has them."
    return f"{now}\nIf you send no other mail by {deadline}, these orders count: {orders}. {where} WITHDRAW takes them back."
