"""Find which mails of a seat count, now and at the deadline. The newest one decides whether the seat is ready."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from adjudicator.club.commands import Command, commands_in
from adjudicator.club.ledger import StoredMail
from adjudicator.club.tokens import without_tokens
from adjudicator.core.frozen import frozen
from adjudicator.core.game import PendingSheet
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Withdrawal, instruction_text
from adjudicator.core.problem import Diagnostic
from adjudicator.core.waiting import waiting_of
from adjudicator.intake import mail_submission
from adjudicator.moderate.adjudicate import addressee
from adjudicator.moderate.own_check import check_own
from adjudicator.orders.counted_sheet import CountedSheet
from adjudicator.orders.languages import rules_with_languages
from adjudicator.orders.submission import Submission
from adjudicator.orders.turnfile import header_turns, read_turn_files
from adjudicator.present import has_answered
from adjudicator.reports.receipt import time_words
from adjudicator.session import Session

EMPTY: Final = "orders/empty"
LATE: Final = "orders/late-answer"
OTHER_GAME: Final = "orders/wrong-game"
_ELSEWHERE: Final = frozenset({"orders/wrong-turn", OTHER_GAME, LATE})
"""Problems of orders that are for another turn or another game."""


class Relevance(StrEnum):
    """What a mail means for the orders of the present turn."""

    NOW = "now"
    """It has orders for this turn, or a mistake where the player may have meant some."""
    REMARK = "remark"
    """It has no orders."""
    LATER = "later"
    """All its orders are for a turn that has not begun."""
    ELSEWHERE = "elsewhere"
    """All its orders are for a turn that is over, or for another game."""


OTHER_TURN: Final = frozenset({Relevance.LATER, Relevance.ELSEWHERE})
_BESIDE: Final = frozenset({Relevance.REMARK, Relevance.LATER})
"""Mails that wait and do not change whether their seat is ready. A mail from elsewhere never begins to wait."""


@frozen(kw_only=True)
class PendingOrders:
    """What counts of a seat if no other mail comes: ``orders`` in canonical words, and the ``mail`` that they are in.

    Without a ``mail``, the orders are pending in the game. ``is_flawed`` says that the mail has a mistake below them;
    ``is_ready`` that they count before the deadline, too. ``is_answered`` says that an earlier answer of the seat counts,
    which it can still change.
    """

    orders: tuple[str, ...]
    mail: StoredMail | None = None
    is_flawed: bool = False
    is_ready: bool = False
    is_answered: bool = False


def read_orders(mail: StoredMail, seat: Seat) -> tuple[Submission, tuple[Command, ...]]:
    """Return the text of a kept mail without its commands, and the commands.

    The name of the text contains the number of the mail, so that no two texts have the same name. Players do not see it.
    """
    submission = mail_submission(f"{name_of(mail)}, mail {mail.id}", mail.data, seat)
    found = commands_in(tuple(map(without_tokens, submission.lines)))
    return replace(submission, lines=found.lines, received=mail.received, hash=mail.hash), found.commands


def name_of(mail: StoredMail) -> str:
    """Return the name of a mail for its player."""
    return f"your mail of {time_words(mail.received)}"


def mistakes(problems: Collection[Diagnostic]) -> list[Diagnostic]:
    """Return those of ``problems`` that are not about parts of a mail for another turn or game."""
    return [found for found in problems if found.problem.code not in _ELSEWHERE]


def named_turns(session: Session, problems: Collection[Diagnostic]) -> tuple[int, ...]:
    """Return the numbers of other turns that a mail with these ``problems`` names, in order."""
    headers = (found.text for found in problems if found.problem.code in _ELSEWHERE)
    return tuple(sorted(header_turns(session.rules, headers)))


def relevance(session: Session, seat: Seat, text: Submission, problems: Collection[Diagnostic]) -> Relevance:
    """Return what the ``text`` of a mail of ``seat``, in which ``check_own`` found ``problems``, means for this turn."""
    codes = {found.problem.code for found in problems}
    if codes == {EMPTY}:
        return Relevance.REMARK
    if not codes & _ELSEWHERE or codes - _ELSEWHERE - {EMPTY}:
        return Relevance.NOW
    to = addressee(session)
    received = read_turn_files(rules_with_languages(session.rules, session.game.languages), to, [text])
    if received.words or any(sheet.instructions or sheet.withdrawal for sheet in received.sheets):
        return Relevance.NOW
    turns = named_turns(session, problems)
    return Relevance.LATER if turns and turns[-1] > max(to.turn, to.latest) else Relevance.ELSEWHERE


def relevance_of(session: Session, mail: StoredMail) -> Relevance:
    """Return what a kept ``mail`` means for this turn."""
    seat, text = Seat(mail.seat), read_orders(mail, Seat(mail.seat))[0]
    return relevance(session, seat, text, check_own(session, [text], seat).diagnostics)


def awaited_seats(session: Session) -> tuple[Seat, ...]:
    """Return the seats that the game awaits, each once."""
    return tuple(dict.fromkeys(one.seat for one in session.rules.awaiting(session.config, session.game.state)))


def flawed_seats(session: Session, mails: Sequence[StoredMail]) -> set[str]:
    """Return the seats whose newest mail has a mistake; ``mails`` are in the order in which they came."""
    return {seat for seat, mail in newest_mails(session, mails).items() if mail.is_flawed}


def newest_mails(session: Session, mails: Sequence[StoredMail]) -> dict[str, StoredMail]:
    """Return the newest mail of each seat that matters for the orders of this turn."""
    found: dict[str, StoredMail] = {}
    for mail in reversed(mails):  # this reads as few mails as possible
        if mail.seat not in found and not (mail.is_flawed and relevance_of(session, mail) in _BESIDE):
            found[mail.seat] = mail
    return found


def pending_orders(session: Session, seat: Seat, mails: Sequence[StoredMail]) -> PendingOrders:
    """Return what counts of the ``mails`` of ``seat``, in the order in which they came, as far as this seat can know."""
    texts = [read_orders(mail, seat)[0] for mail in mails]
    now, orders = _standing(session, seat, mails, texts)
    is_ready = seat not in flawed_seats(session, mails)
    is_flawed = now is None or now.is_flawed
    pending, is_answered = waiting_of(session.game, seat), has_answered(session, seat)
    left = _left(pending, None if now is None else now.sheet.withdrawal)
    if is_flawed and (left or is_answered):
        return PendingOrders(orders=left, is_ready=is_ready, is_answered=is_answered)
    if now is None or (not is_ready and _expires(session, seat, [texts[number] for number in now.parts])):
        return PendingOrders(orders=(), is_flawed=is_flawed, is_ready=is_ready)
    words = tuple(instruction_text(order, session.rules.language.text) for order in orders)
    mail = mails[now.number] if words else None
    words = words if now.sheet.withdrawal is None else (*left, *words)
    return PendingOrders(orders=words, mail=mail, is_flawed=is_flawed, is_ready=is_ready)


def _left(pending: PendingSheet | None, withdrawal: Withdrawal | None) -> tuple[str, ...]:
    """Return the pending orders that remain after a ``withdrawal``."""
    orders = () if pending is None else tuple(order.order for order in pending.orders)
    return orders if withdrawal is None or withdrawal.first > len(orders) else orders[: withdrawal.first - 1]


def _expires(session: Session, seat: Seat, texts: Sequence[Submission]) -> bool:
    """Return whether ``texts`` name this turn, but ``seat`` is asked in a later one: there they count no more."""
    return seat not in awaited_seats(session) and any(header_turns(session.rules, text.lines) for text in texts)


def _standing(
    session: Session, seat: Seat, mails: Sequence[StoredMail], texts: Sequence[Submission]
) -> tuple[CountedSheet | None, tuple[Instruction, ...]]:
    """Return which of the ``mails`` of a seat count, and their orders, up to the first mistake."""
    refused, spent = {(str(seat), number) for number, mail in enumerate(mails) if mail.is_flawed}, set[tuple[str, int]]()
    received = read_turn_files(rules_with_languages(session.rules, session.game.languages), addressee(session), texts)
    while (now := received.without(refused, spent).counted.get(seat)) is not None:
        orders = now.sheet.instructions
        if now.is_flawed:
            wrong = [found.line for found in mistakes(check_own(session, [texts[now.number]], seat).diagnostics)]
            orders = tuple(order for order in orders if order.line < min(wrong, default=order.line + 1))
        is_some = bool(orders) or now.sheet.withdrawal is not None
        if is_some or not now.not_counted or (str(seat), now.number) in spent:
            return now, orders
        spent.add((str(seat), now.number))  # it has no usable order, so a later mail takes its place
    return None, ()
