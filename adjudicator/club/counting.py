"""Find what counts of a seat's mails, now and at the deadline. The newest one decides whether the seat is ready."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

import adjudicator as adj
from adjudicator.club.club import WEB, MailRow
from adjudicator.club.commands import Found, read
from adjudicator.club.tokens import without_tokens
from adjudicator.core.problem import Diagnostic
from adjudicator.core.remember import Recall
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.own_orders import EMPTY, OTHER_TURN, OwnOrders, counted_orders, header_turns, orders_in
from adjudicator.reports.receipt import time_words


class Bearing(StrEnum):
    """What a mail means for the orders of the present turn."""

    NOW = "now"
    """It has orders for this turn, or a mistake where the player may have meant some."""
    REMARK = "remark"
    """It has no orders."""
    LATER = "later"
    """All its orders are for a turn that has not begun."""
    ELSEWHERE = "elsewhere"
    """All its orders are for a turn that is over, or for another game."""


NOT_NOW: Final = frozenset({Bearing.LATER, Bearing.ELSEWHERE})
MISTAKE: Final = "it has a mistake, or is not for this turn"
"""Why a mail waits that makes no seat ready (``MailRow.why``); other mails wait without a reason."""
_UNKNOWN: Final = "orders/unknown-order"
_LONGEST_KEPT: Final = 50_000
"""The most bytes of a mail whose text is kept: while it waits, each new mail of its seat needs it again."""
_read: Final = Recall()
_meant: Final = Recall()


class Counts(Value, kw_only=True):
    """What counts of a seat if no other mail comes: ``orders`` in canonical words, and the ``mail`` that they are in.

    Without a ``mail``, the orders are pending in the game. ``is_cut`` says that the mail has a mistake below them, and
    ``is_flawed`` that the newest mail that matters has one: then nothing counts before the deadline, and the seat
    ``is_held`` until then. Otherwise it ``is_ready``, unless no orders answer what it is asked now; ``has_mails`` says that
    mails make it ready, and not only pending orders. ``is_answered`` says that an earlier answer counts, which the seat
    can still change. ``plays`` are the mails to give to the game.
    """

    orders: tuple[str, ...] = ()
    mail: MailRow | None = None
    is_cut: bool = False
    is_flawed: bool = False
    is_held: bool = False
    is_ready: bool = False
    has_mails: bool = False
    is_answered: bool = False
    plays: tuple[MailRow, ...] = ()


def read_orders(game: adj.Game, mail: MailRow, seat: Seat) -> tuple[adj.Submission, Found]:
    """Return the text of a kept mail for ``game`` without its commands, and the commands.

    The name of the text contains the number of the mail, so that no two texts have the same name. Players do not see it.
    """

    def find() -> tuple[adj.Submission, Found]:
        submission = adj.read_mail(mail.data, name=f"your mail of {time_words(mail.received)}, mail {mail.id}", seat=seat)
        lines = tuple(map(without_tokens, submission.lines))
        is_web = mail.source == WEB  # the END of a form is no mistake
        found = read(lines, has_orders=lambda below: not is_web and bool(line_with_order(game, seat, below)))
        return replace(submission, lines=found.rest, received=mail.received, hash=mail.hash), found

    is_kept = len(mail.data) <= _LONGEST_KEPT
    return _read.result((game.id, mail.id, seat), (mail.received, mail.data), find) if is_kept else find()


def line_with_order(game: adj.Game, seat: Seat, lines: Sequence[str]) -> str:
    """Return the first of ``lines`` that looks like an order or a heading of orders; empty if none does."""
    seats = "|".join(map(re.escape, game.seats))
    heading = re.compile(rf"(?i)\W*(?:(?:{seats})\s*:|game\s*:?\s*{re.escape(game.id)}\b.*|.*\borders of \S+, turn \d.*)\W*")
    for line in lines:
        if heading.fullmatch(line) or header_turns(game, [line]):
            return line.strip()

    def is_like_order(code: str, line: str) -> bool:  # words such as “let’s go” in a chat are none
        has_capitals = any(len(word) > 1 and word.isalpha() and word.isupper() for word in re.findall(r"\w+", line))
        return has_capitals or (code != _UNKNOWN and line.strip()[:1].isalnum())

    own = orders_in(game, [adj.Submission(source="a message", lines=tuple(lines), seat=seat)], seat)
    found = [number for number, _ in own.orders]
    found += (one.line for one in own.problems if one.line and is_like_order(one.problem.code, lines[one.line - 1]))
    return lines[min(found) - 1].strip() if found else ""


def named_turns(game: adj.Game, problems: Collection[Diagnostic]) -> tuple[int, ...]:
    """Return the numbers of other turns that a mail with these ``problems`` names, in order."""
    return header_turns(game, (found.text for found in problems if found.problem.code in OTHER_TURN))


def bearing(game: adj.Game, own: OwnOrders) -> Bearing:
    """Return what the orders in a mail mean for this turn."""
    codes = {found.problem.code for found in own.problems}
    if codes == {EMPTY}:
        return Bearing.REMARK
    if not codes & OTHER_TURN or codes - OTHER_TURN - {EMPTY} or own.has_orders:
        return Bearing.NOW
    turns = named_turns(game, own.problems)
    return Bearing.LATER if turns and turns[-1] > game.latest_turn else Bearing.ELSEWHERE


def own_orders(game: adj.Game, mail: MailRow) -> OwnOrders:
    """Return the orders in a kept ``mail``, without its commands."""
    return orders_in(game, [read_orders(game, mail, Seat(mail.seat))[0]], Seat(mail.seat))


def counts(game: adj.Game, seat: Seat, mails: Sequence[MailRow], *, is_late: bool = False) -> Counts:
    """Return what counts of the ``mails`` of ``seat``, in the order in which they came, as far as this seat can know.

    If it ``is_late``, the deadline is over: what is without a mistake in the mails of a seat that is due is played.
    """
    texts = [read_orders(game, mail, seat)[0] for mail in mails]
    now, view, is_due = counted_orders(game, texts, seat), game.seen_by(seat), seat in game.due_seats
    position = game.record.journal[-1:], game.record.pending

    def meant(mail: MailRow) -> Bearing:
        return _meant.result((game.id, mail.hash, seat), position, lambda: bearing(game, own_orders(game, mail)))

    beside = (Bearing.REMARK, Bearing.LATER)  # such mails wait, and do not change whether the seat is ready
    newest = next((mail for mail in reversed(mails) if not (mail.why and meant(mail) in beside)), None)
    is_flawed = newest is not None and bool(newest.why)
    is_held = is_flawed and not (is_late and is_due)
    orders, mail = now.orders, None if now.number is None else mails[now.number]
    # If the game asks the seat again only in a later turn, orders that name this turn no longer count.
    expires = is_flawed and mail is not None and not is_due
    if expires and any(header_turns(game, texts[number].lines) for number in now.parts):
        orders, mail = (), None
    is_answered = view.has_answered and (now.is_flawed or not now.parts)
    has_answer = (bool(orders) and (newest is not None or not view.is_asked_between)) or is_answered
    return Counts(
        orders=orders,
        mail=mail,
        is_cut=now.is_flawed and now.number is not None,
        is_flawed=is_flawed,
        is_held=is_held,
        is_ready=has_answer and not is_flawed,
        has_mails=newest is not None,
        is_answered=is_answered,
        plays=() if is_held else tuple(mail for mail in mails if not (mail.why and meant(mail) is Bearing.LATER)),
    )
