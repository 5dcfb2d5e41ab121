"""One mail of a player answered at once: what was read in it, what is wrong with it, what waits now, what was asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from adjudicator.club.commands import Command, Preview, commands_in
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import KeptMail
from adjudicator.club.limits import Limited, Quota
from adjudicator.club.replies import Reply, reply_to
from adjudicator.club.tokens import without_tokens
from adjudicator.core.event import total
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.order import FirstOf, Sheet, When, instruction_text
from adjudicator.core.problem import Diagnostic
from adjudicator.intake import mail_submission
from adjudicator.moderate.adjudicate import addressee
from adjudicator.moderate.own_check import check_own
from adjudicator.orders.languages import speaking
from adjudicator.orders.submission import Submission
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.reports.diagnostics import diagnostics_text
from adjudicator.reports.passed_over import passed_over_lines
from adjudicator.reports.receipt import time_words
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import signed
from adjudicator.reports.why import why_text
from adjudicator.session import Session

_EMPTY = "orders/empty"
SOURCE = "your mail"
"""The name of a player's mail in messages to that player."""


@frozen(kw_only=True)
class Answer:
    """The answer to a mail.

    ``has_orders`` says whether its orders wait now, ``is_flawless`` whether they have no mistake. ``text`` goes to the
    player (empty: the player gets no answer). ``replies`` answer the commands in it.
    """

    has_orders: bool
    is_flawless: bool
    text: str
    replies: tuple[Reply, ...]


_SILENCE: Final = Answer(has_orders=False, is_flawless=True, text="", replies=())
"""The answer to a robot that has had one."""
_LAST: Final = "This is the last answer to you today: you have had {} within 24 hours. The club still takes your orders."


def read_orders(mail: KeptMail, seat: Seat) -> tuple[Submission, tuple[Command, ...]]:
    """Return the orders of a kept mail as text, and its commands."""
    submission = mail_submission(SOURCE, mail.data, seat)
    found = commands_in(tuple(map(without_tokens, submission.lines)))
    return replace(submission, lines=found.lines, received=mail.received), found.commands


def answer(club: ClubFolder, session: Session, mail: KeptMail, seat: Seat, due: str, quota: Quota) -> Answer:
    """Return the answer to ``mail``, which is ``seat``'s, within its ``quota``.

    ``due`` says in words when its orders are adjudicated.
    """
    submission, commands = read_orders(mail, seat)
    received = read_turn_files(speaking(session.rules, session.game.languages), addressee(session), [submission])
    result = check_own(session, [submission], seat)
    sheet = next((sheet for sheet in received.sheets if sheet.seat == seat), None)
    problems = tuple(found for found in result.diagnostics if not (commands and found.problem.code == _EMPTY))
    has_orders = bool(problems or sheet is not None or received.words.get(seat)) or not commands
    is_trial = any(isinstance(command, Preview) for command in commands)
    asked = [command for command in commands if not isinstance(command, Preview)]
    replies = tuple(_reply(club, session, seat, command, quota, mail.received) for command in asked)
    is_understood = is_trial or any(reply.is_done for reply in replies) or _has_orders(received, sheet, seat)
    if not is_understood and quota.is_repeated(submission.lines):
        return _SILENCE
    blocks = [reply.text for reply in replies]
    if has_orders:
        blocks.insert(0, _told(session, mail, sheet, received, problems, due, is_trial=is_trial))
    return Answer(
        has_orders=has_orders and not is_trial,
        is_flawless=not problems,
        text=_within(quota, blocks),
        replies=replies,
    )


def _reply(club: ClubFolder, session: Session, seat: Seat, command: Command, quota: Quota, at: int) -> Reply:
    refusal = quota.refusal(command)
    return Reply(command=command, text=refusal, is_done=False) if refusal else reply_to(club, session, seat, command, at)


def _has_orders(received: TurnFile, sheet: Sheet | None, seat: Seat) -> bool:
    return bool(received.words.get(seat) or (sheet is not None and (sheet.instructions or sheet.withdrawal)))


def _within(quota: Quota, blocks: list[str]) -> str:
    """Return the text of the answer, empty if the seat has had all its answers of the day."""
    if not quota.take(Limited.RECEIPTS):
        return ""
    if not quota.left(Limited.RECEIPTS):
        blocks = [*blocks, _LAST.format(quota.most(Limited.RECEIPTS))]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _told(
    session: Session,
    mail: KeptMail,
    sheet: Sheet | None,
    received: TurnFile,
    problems: tuple[Diagnostic, ...],
    due: str,
    *,
    is_trial: bool,
) -> str:
    """Return the receipt: what came and when, each order as it was read, every problem, every line passed over."""
    blocks = [
        "\n".join([f"Received {time_words(mail.received)}, sha256 {mail.hash}", *_orders(session, sheet)]),
        _cost_of_first(session, sheet) if is_trial and sheet is not None else "",
        _problems(problems),
        "\n".join(map(printable, passed_over_lines(received.ignored))),
        _fate(sheet, due, has_problems=bool(problems), is_trial=is_trial),
    ]
    return "\n\n".join(block for block in blocks if block)


def _orders(session: Session, sheet: Sheet | None) -> Iterator[str]:
    if sheet is None or not (sheet.instructions or sheet.withdrawal):
        yield "No orders were read in it."
        return
    if sheet.withdrawal is not None:
        first = sheet.withdrawal.first
        yield "  WITHDRAW" if first == 1 else f"  WITHDRAW from {first}"
    for item in sheet.instructions:
        yield printable(f"  line {item.line}  {instruction_text(item, session.rules.language.text)}")


def _cost_of_first(session: Session, sheet: Sheet) -> str:
    """Return what the first order would cost, if it is the seat's turn and no condition has to be asked first."""
    rules, config, state = session.rules, session.config, session.game.state
    asked = {one.seat for one in rules.awaiting(config, state)}
    first = sheet.instructions[0].expression if sheet.instructions else None
    if sheet.seat not in asked or first is None or isinstance(first, (FirstOf, When)):
        return ""
    why = rules.cost(config, state, sheet.seat, first)
    if why is None:  # it is not legal now, which is told as a problem, or chance has still to tell
        return ""
    unit = rules.meta.unit
    parts = f": {why_text(why, '', unit)}" if why else ""
    return printable(f"The first order would cost {signed(total(why), unit)} {unit.short}{parts}")


def _problems(problems: tuple[Diagnostic, ...]) -> str:
    return f"What is wrong:\n\n{diagnostics_text(problems)}" if problems else ""


def _fate(sheet: Sheet | None, due: str, *, has_problems: bool, is_trial: bool) -> str:
    if is_trial:
        return "This was a preview: nothing of it is kept. Send it without PREVIEW to have it taken."
    if has_problems:
        return f"Please send all your orders again, put right. Until then what can be used of them counts. {due}"
    return f"Nothing is wrong with it as far as you can know. {due}" if sheet is not None else ""
