"""Find which mails of a seat count, now and at the deadline. The newest one decides whether the seat is ready."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

import adjudicator as adj
from adjudicator.club.commands import Command, commands_in
from adjudicator.club.ledger import StoredMail
from adjudicator.club.tokens import without_tokens
from adjudicator.core.problem import Diagnostic
from adjudicator.core.remember import Recall
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.own_orders import EMPTY, OTHER_TURN, OwnOrders, counted_orders, header_turns, orders_in
from adjudicator.reports.receipt import time_words


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


NOT_NOW: Final = frozenset({Relevance.LATER, Relevance.ELSEWHERE})
_BESIDE: Final = frozenset({Relevance.REMARK, Relevance.LATER})
"""Mails that wait and do not change whether their seat is ready. A mail from elsewhere never begins to wait."""


_UNKNOWN: Final = "orders/unknown-order"
_LONGEST_KEPT: Final = 50_000
"""The most bytes of a mail whose text is kept: while it waits, each new mail of its seat needs it again."""
_read: Final = Recall()


class PendingOrders(Value, kw_only=True):
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


def read_orders(game: adj.Game, mail: StoredMail, seat: Seat) -> tuple[adj.Submission, tuple[Command, ...]]:
    """Return the text of a kept mail for ``game`` without its commands, and the commands.

    The name of the text contains the number of the mail, so that no two texts have the same name. Players do not see it.
    """

    def read() -> tuple[adj.Submission, tuple[Command, ...]]:
        submission = adj.read_mail(mail.data, name=f"your mail of {time_words(mail.received)}, mail {mail.id}", seat=seat)
        found = commands_in(
            tuple(map(without_tokens, submission.lines)), lambda lines: bool(line_with_order(game, seat, lines))
        )
        return replace(submission, lines=found.lines, received=mail.received, hash=mail.hash), found.commands

    is_kept = len(mail.data) <= _LONGEST_KEPT
    return _read.result((game.id, mail.id, seat), (mail.received, mail.data), read) if is_kept else read()


def line_with_order(game: adj.Game, seat: Seat, lines: Sequence[str]) -> str:
    """Return the first of ``lines`` that looks like an order or a heading of orders; empty if none does."""
    seats = "|".join(map(re.escape, game.seats))
    heading = re.compile(rf"(?i)\W*(?:(?:{seats})\s*:|game\s*:?\s*{re.escape(game.id)}\b.*|.*\borders of \S+, turn \d.*)\W*")
    for line in lines:
        if heading.fullmatch(line) or header_turns(game, [line]):
            return line.strip()
    own = orders_in(game, [adj.Submission(source="a message", lines=tuple(lines), seat=seat)], seat)
    found = [number for number, _ in own.orders]
    found += (one.line for one in own.problems if one.line and _is_like_order(one.problem.code, lines[one.line - 1]))
    return lines[min(found) - 1].strip() if found else ""


def _is_like_order(code: str, line: str) -> bool:
    """Return whether a ``line`` with this problem may be an order: words such as “let's go” in a chat are none."""
    has_capitals = any(len(word) > 1 and word.isalpha() and word.isupper() for word in re.findall(r"\w+", line))
    return has_capitals or (code != _UNKNOWN and line.strip()[:1].isalnum())


def named_turns(game: adj.Game, problems: Collection[Diagnostic]) -> tuple[int, ...]:
    """Return the numbers of other turns that a mail with these ``problems`` names, in order."""
    return header_turns(game, (found.text for found in problems if found.problem.code in OTHER_TURN))


def relevance(game: adj.Game, own: OwnOrders) -> Relevance:
    """Return what the orders in a mail mean for this turn."""
    codes = {found.problem.code for found in own.problems}
    if codes == {EMPTY}:
        return Relevance.REMARK
    if not codes & OTHER_TURN or codes - OTHER_TURN - {EMPTY} or own.has_orders:
        return Relevance.NOW
    turns = named_turns(game, own.problems)
    return Relevance.LATER if turns and turns[-1] > game.latest_turn else Relevance.ELSEWHERE


def relevance_of(game: adj.Game, mail: StoredMail) -> Relevance:
    """Return what a kept ``mail`` means for this turn."""
    return relevance(game, own_orders(game, mail))


def own_orders(game: adj.Game, mail: StoredMail) -> OwnOrders:
    """Return the orders in a kept ``mail``, without its commands."""
    return orders_in(game, [read_orders(game, mail, Seat(mail.seat))[0]], Seat(mail.seat))


def flawed_seats(game: adj.Game, mails: Sequence[StoredMail]) -> set[str]:
    """Return the seats whose newest mail has a mistake; ``mails`` are in the order in which they came."""
    return {seat for seat, mail in newest_mails(game, mails).items() if mail.is_flawed}


def newest_mails(game: adj.Game, mails: Sequence[StoredMail]) -> dict[str, StoredMail]:
    """Return the newest mail of each seat that matters for the orders of this turn."""
    found: dict[str, StoredMail] = {}
    for mail in reversed(mails):  # this reads as few mails as possible
        if mail.seat not in found and not (mail.is_flawed and relevance_of(game, mail) in _BESIDE):
            found[mail.seat] = mail
    return found


def pending_orders(game: adj.Game, seat: Seat, mails: Sequence[StoredMail]) -> PendingOrders:
    """Return what counts of the ``mails`` of ``seat``, in the order in which they came, as far as this seat can know."""
    texts = [read_orders(game, mail, seat)[0] for mail in mails]
    now, is_ready = counted_orders(game, texts, seat), seat not in flawed_seats(game, mails)
    is_answered = game.seen_by(seat).has_answered and (now.is_flawed or not now.parts)
    if now.number is None:
        return PendingOrders(orders=now.orders, is_ready=is_ready, is_answered=is_answered)
    if not is_ready and _expires(game, seat, [texts[number] for number in now.parts]):
        return PendingOrders(orders=(), is_flawed=now.is_flawed)
    return PendingOrders(orders=now.orders, mail=mails[now.number], is_flawed=now.is_flawed, is_ready=is_ready)


def _expires(game: adj.Game, seat: Seat, texts: Sequence[adj.Submission]) -> bool:
    """Return whether ``texts`` name this turn, but ``seat`` is asked in a later one: there they count no more."""
    return seat not in game.due_seats and any(header_turns(game, text.lines) for text in texts)
