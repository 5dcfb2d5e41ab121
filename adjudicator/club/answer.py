"""Answer a player's mail: the orders in it, their problems, which orders count now, and the replies to its commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import adjudicator as adj
from adjudicator.club.commands import Command, Preview, Status
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, StoredMail
from adjudicator.club.limits import Quota, RequestKind
from adjudicator.club.pending import NOT_NOW, Relevance, read_orders, relevance
from adjudicator.club.promise import not_your_turn, pending_words, promise
from adjudicator.club.replies import Reply, reply_to
from adjudicator.core.problem import Diagnostic
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.own_orders import EMPTY, OTHER_GAME, OwnOrders, mistakes, orders_in
from adjudicator.reports.diagnostics import mistakes_text, order_problem, sentence
from adjudicator.reports.receipt import ignored_lines, time_words
from adjudicator.reports.sanitize import printable
from adjudicator.reports.texts import signed, why_text


class Answer(Value, kw_only=True):
    """The answer to a mail.

    ``has_orders`` says whether the mail waits for its turn, ``is_flawless`` whether its orders are for this turn and have
    no mistake. ``text`` goes to the player (empty: the player gets no answer), ``subject`` says in a few words how the club
    took the mail. ``replies`` answer its commands.
    """

    has_orders: bool
    is_flawless: bool
    subject: str
    text: str
    replies: tuple[Reply, ...]


_SILENCE: Final = Answer(has_orders=False, is_flawless=True, subject="", text="", replies=())
"""No answer: a robot gets only one."""
_PREVIEWED: Final = (
    "This was a preview: the club found no mistake, and has kept nothing. To play this, send it again without PREVIEW."
)
_CORRECT: Final = "This was a preview: the club has kept nothing. Correct your orders, and send them without PREVIEW."
_NO_ORDERS: Final = "The club has found no orders in your mail, although lines in it look like orders."
_LAST: Final = "This is the last answer to you today: you have had {} within 24 hours. The club still takes your orders."


def answer(
    club: ClubFolder,
    game: adj.Game,
    mail: StoredMail,
    seat: Seat,
    quota: Quota,
    row: GameRow,
    waiting: Sequence[StoredMail] = (),
) -> Answer:
    """Return the answer to ``mail``, which is ``seat``'s, within its ``quota``.

    ``row`` is what the ledger knows of the game; ``waiting`` are the other mails of the seat that wait.
    """
    submission, commands = read_orders(game, mail, seat)
    own = orders_in(game, [replace(submission, source="your mail")], seat)
    problems = tuple(found for found in own.problems if not (commands and found.problem.code == EMPTY))
    meant = relevance(game, own)
    has_orders = bool(problems or own.is_meant) or not commands
    is_trial = any(isinstance(command, Preview) for command in commands)
    asked = [command for command in commands if not isinstance(command, Preview)]
    replies = tuple(_reply(club, game, seat, command, quota, mail.received) for command in asked)
    is_understood = is_trial or any(reply.is_done for reply in replies) or own.has_orders
    is_remark = not commands and {found.problem.code for found in problems} == {EMPTY}
    if not is_understood and quota.is_repeated([*submission.lines, *map(str, commands)], is_remark=is_remark):
        return _SILENCE
    blocks = list(dict.fromkeys(reply.text for reply in replies))
    is_held = any(reply.holds_orders for reply in replies)
    if is_held and not has_orders:
        blocks.append(_NO_ORDERS)
    if has_orders:
        trial = (_CORRECT if problems else _PREVIEWED) if is_trial else ""
        is_withdrawal = bool(own.withdraws)
        fate = trial or promise(
            club, game, mail, seat, problems, meant, row, waiting, is_withdrawal=is_withdrawal, is_held=is_held
        )
        came = club.moment(mail.received)
        blocks.insert(0, _receipt(game, mail, came, own, problems, fate, is_trial=is_trial))
    has_status = any(reply.is_done and isinstance(reply.command, Status) for reply in replies)
    first = not_your_turn(game, seat) if has_orders or has_status else ""
    counts = pending_words(club, game, seat, row, waiting) if has_status and not has_orders else ""
    return Answer(
        has_orders=has_orders and not is_trial and meant is not Relevance.ELSEWHERE,
        is_flawless=meant not in NOT_NOW and not mistakes(problems) and not is_held,
        subject=_subject(problems, meant, replies),
        text=_within(quota, [first, counts, *blocks]),
        replies=replies,
    )


def _subject(problems: tuple[Diagnostic, ...], meant: Relevance, replies: Sequence[Reply]) -> str:
    """Return how the club took a mail, for the subject of the answer."""
    codes = {found.problem.code for found in problems}
    if meant in NOT_NOW:
        return f"your mail is for another {'game' if OTHER_GAME in codes else 'turn'}"
    if codes == {EMPTY}:
        return "your mail has no orders"
    is_wrong = mistakes(problems) or not all(reply.is_done for reply in replies)
    return "your mail has a mistake" if is_wrong else "your mail was read"


def _reply(club: ClubFolder, game: adj.Game, seat: Seat, command: Command, quota: Quota, at: int) -> Reply:
    refusal = quota.refusal(command)
    return Reply(command=command, text=refusal, is_done=False) if refusal else reply_to(club, game, seat, command, quota, at)


def _within(quota: Quota, blocks: list[str]) -> str:
    """Return the text of the answer; empty if the seat has had all its answers for the day."""
    if not quota.take(RequestKind.RECEIPTS):
        return ""
    if not quota.left(RequestKind.RECEIPTS):
        blocks = [*blocks, _LAST.format(quota.most(RequestKind.RECEIPTS))]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _receipt(
    game: adj.Game,
    mail: StoredMail,
    came: str,
    own: OwnOrders,
    problems: tuple[Diagnostic, ...],
    fate: str,
    *,
    is_trial: bool,
) -> str:
    """Return the receipt: its orders as the club reads them, problems, what counts, ignored lines, and its time and hash."""
    withdrawal = ["  WITHDRAW" if own.withdraws == 1 else f"  WITHDRAW from {own.withdraws}"] if own.withdraws else []
    orders = "\n".join([*withdrawal, *(printable(f"  line {line}  {words}") for line, words in own.orders)])
    ignored = (replace(line, source="") if line.line else line for line in own.ignored)
    has_read = "The club has read these orders in" if orders else "The club has received"
    blocks = [
        f"{has_read} your mail of {came}{':' if orders else '.'}",
        orders,
        _cost_of_first(game, own) if is_trial else "",
        _problems(problems),
        fate,
        "\n".join(map(printable, ignored_lines(ignored))),
        f"Received {time_words(mail.received)}, sha256 {mail.hash}",
    ]
    return "\n\n".join(block for block in blocks if block)


def _cost_of_first(game: adj.Game, own: OwnOrders) -> str:
    """Return the cost of the first order, if it is the seat's turn and the order has no condition."""
    row, unit = own.first, game.meta.unit
    if row is None or row.min is None:  # an illegal order is one of the problems
        return ""
    parts = f": {why_text(row.why, '', unit)}" if row.why else ""
    return printable(f"The first order would cost {signed(row.min, unit)} {unit.short}{parts}")


def _problems(problems: tuple[Diagnostic, ...]) -> str:
    if [found.problem.code for found in problems] == [EMPTY]:
        words = problems[0].problem.message
        return f"{sentence(words)}."
    # The player sees one mail: the number of the line is enough.
    shown = mistakes_text(order_problem(replace(found, source="")) for found in problems)
    return f"{'Problem' if len(problems) == 1 else 'Problems'}:\n\n{shown}" if problems else ""
