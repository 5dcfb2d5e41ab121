"""Which mails of a seat count, now and at the deadline: the newest one decides whether the seat is ready."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from adjudicator.club.commands import Command, commands_in
from adjudicator.club.ledger import KeptMail
from adjudicator.club.tokens import without_tokens
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, instruction_text
from adjudicator.core.problem import Diagnostic
from adjudicator.core.waiting import waiting_of
from adjudicator.intake import mail_submission
from adjudicator.moderate.adjudicate import addressee
from adjudicator.moderate.own_check import check_own
from adjudicator.moderate.replacing import has_answered
from adjudicator.orders.languages import speaking
from adjudicator.orders.standing import Standing
from adjudicator.orders.submission import Submission
from adjudicator.orders.turnfile import read_turn_files, turns_named
from adjudicator.reports.receipt import time_words
from adjudicator.session import Session

EMPTY: Final = "orders/empty"


@frozen(kw_only=True)
class Counting:
    """What counts of a seat if nothing else comes: ``orders`` in canonical words, and the ``mail`` that they are in.

    ``is_flawed`` says that the mail has a mistake below them; ``is_ready`` that they count before the deadline, too.
    ``is_in_game`` says that they wait in the game already (without orders: an answer that can still be changed).
    """

    orders: tuple[str, ...]
    mail: KeptMail | None = None
    is_flawed: bool = False
    is_ready: bool = False
    is_in_game: bool = False


def read_orders(mail: KeptMail, seat: Seat) -> tuple[Submission, tuple[Command, ...]]:
    """Return the orders of a kept mail as text, and its commands.

    The number of the mail is in the name of the text, so that no two mails are taken for one. Players read the rest of it.
    """
    submission = mail_submission(f"{name_of(mail)}, mail {mail.id}", mail.data, seat)
    found = commands_in(tuple(map(without_tokens, submission.lines)))
    return replace(submission, lines=found.lines, received=mail.received, hash=mail.hash), found.commands


def name_of(mail: KeptMail) -> str:
    """Return what a mail is called to its player."""
    return f"your mail of {time_words(mail.received)}"


def is_remark(problems: Collection[Diagnostic]) -> bool:
    """Return whether a text with these ``problems`` has no order in it, and nothing that could be one."""
    return bool(problems) and all(found.problem.code == EMPTY for found in problems)


def awaited_seats(session: Session) -> tuple[Seat, ...]:
    """Return the seats that are asked something, each once."""
    return tuple(dict.fromkeys(one.seat for one in session.rules.awaiting(session.config, session.game.state)))


def flawed_seats(session: Session, mails: Sequence[KeptMail]) -> set[str]:
    """Return the seats whose newest mail has a mistake; ``mails`` are in the order in which they came."""
    return {seat for seat, mail in newest_mails(session, mails).items() if mail.is_flawed}


def newest_mails(session: Session, mails: Sequence[KeptMail]) -> dict[str, KeptMail]:
    """Return the newest mail of each seat that says anything about the orders of this turn."""
    found: dict[str, KeptMail] = {}
    for mail in reversed(mails):  # to read a mail takes time: older ones need not be
        if mail.seat not in found and not (mail.is_flawed and _is_beside(session, mail)):
            found[mail.seat] = mail
    return found


def counting(session: Session, seat: Seat, mails: Sequence[KeptMail]) -> Counting:
    """Return what counts of the ``mails`` of ``seat``, in the order in which they came, as far as this seat can know."""
    texts = [read_orders(mail, seat)[0] for mail in mails]
    now, orders = _standing(session, seat, mails, texts)
    is_ready = seat not in flawed_seats(session, mails)
    before = waiting_of(session.game, seat)
    is_flawed = now is None or now.is_flawed
    if is_flawed and (before is not None or has_answered(session, seat)):
        orders_there = tuple(order.order for order in before.orders) if before else ()
        return Counting(orders=orders_there, is_ready=is_ready, is_in_game=True)
    words = tuple(instruction_text(order, session.rules.language.text) for order in orders)
    mail = None if now is None else mails[now.number]
    return Counting(orders=words, mail=mail, is_flawed=is_flawed, is_ready=is_ready)


def _standing(
    session: Session, seat: Seat, mails: Sequence[KeptMail], texts: Sequence[Submission]
) -> tuple[Standing | None, tuple[Instruction, ...]]:
    """Return what stands of the ``mails`` of a seat, and which orders of that can be used: those above its first mistake."""
    refused, spent = {(str(seat), number) for number, mail in enumerate(mails) if mail.is_flawed}, set[tuple[str, int]]()
    received = read_turn_files(speaking(session.rules, session.game.languages), addressee(session), texts)
    while (now := received.without(refused, spent).stands.get(seat)) is not None:
        orders = now.sheet.instructions
        if now.is_flawed:
            wrong = [found.line for found in check_own(session, [texts[now.number]], seat).diagnostics]
            orders = tuple(order for order in orders if order.line < min(wrong, default=order.line + 1))
        if orders or not now.stood or (str(seat), now.number) in spent:
            return now, orders
        spent.add((str(seat), now.number))  # nothing of it can be used, so a later mail takes its place
    return None, ()


def _is_beside(session: Session, mail: KeptMail) -> bool:
    """Return whether a mail changes no orders of this turn: it is only a remark, or for a later turn."""
    seat, to = Seat(mail.seat), addressee(session)
    text = read_orders(mail, seat)[0]
    named = turns_named(session.rules, text.lines)
    is_later = bool(named) and min(named) > (to.latest or to.turn)
    return is_later or is_remark(check_own(session, [text], seat).diagnostics)
