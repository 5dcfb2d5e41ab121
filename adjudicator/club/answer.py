"""One mail of a player answered at once: what was read in it, what is wrong with it, what waits now, what was asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from adjudicator.club.clock import deadline_words
from adjudicator.club.commands import Command, Preview
from adjudicator.club.counting import EMPTY, Counting, awaited_seats, counting, is_remark, name_of, read_orders
from adjudicator.club.deadlines import moment
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, KeptMail
from adjudicator.club.limits import Limited, Quota
from adjudicator.club.replies import Reply, reply_to
from adjudicator.core.event import total
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.order import FirstOf, Sheet, When, instruction_text
from adjudicator.core.problem import Diagnostic
from adjudicator.moderate.adjudicate import addressee
from adjudicator.moderate.own_check import check_own
from adjudicator.orders.languages import speaking
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.reports.diagnostics import diagnostics_text
from adjudicator.reports.passed_over import passed_over_lines
from adjudicator.reports.receipt import time_words
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import signed
from adjudicator.reports.why import why_text
from adjudicator.session import Session


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
_PREVIEWED: Final = "This was a preview: nothing of it is kept. Send it without PREVIEW to have it taken."
_LAST: Final = "This is the last answer to you today: you have had {} within 24 hours. The club still takes your orders."


def answer(
    club: ClubFolder,
    session: Session,
    mail: KeptMail,
    seat: Seat,
    quota: Quota,
    row: GameRow,
    waiting: Sequence[KeptMail] = (),
) -> Answer:
    """Return the answer to ``mail``, which is ``seat``'s, within its ``quota``.

    ``row`` is what the ledger knows of the game; ``waiting`` are the other mails of the seat that wait.
    """
    submission, commands = read_orders(mail, seat)
    submission = replace(submission, source=name_of(mail))
    received = read_turn_files(speaking(session.rules, session.game.languages), addressee(session), [submission])
    result = check_own(session, [submission], seat)
    sheet = next((sheet for sheet in received.sheets if sheet.seat == seat), None)
    problems = tuple(found for found in result.diagnostics if not (commands and found.problem.code == EMPTY))
    has_orders = bool(problems or sheet is not None or received.words.get(seat)) or not commands
    is_trial = any(isinstance(command, Preview) for command in commands)
    asked = [command for command in commands if not isinstance(command, Preview)]
    replies = tuple(_reply(club, session, seat, command, quota, mail.received) for command in asked)
    is_understood = is_trial or any(reply.is_done for reply in replies) or _has_orders(received, sheet, seat)
    if not is_understood and quota.is_repeated(submission.lines):
        return _SILENCE
    blocks = [reply.text for reply in replies]
    if has_orders:
        fate = _PREVIEWED if is_trial else _fate(club, session, mail, seat, problems, row, waiting)
        blocks.insert(0, _told(session, mail, sheet, received, problems, fate, is_trial=is_trial))
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
    fate: str,
    *,
    is_trial: bool,
) -> str:
    """Return the receipt: what came and when, each order as it was read, every problem, every line passed over."""
    blocks = [
        "\n".join([f"Received {time_words(mail.received)}, sha256 {mail.hash}", *_orders(session, sheet)]),
        _cost_of_first(session, sheet) if is_trial and sheet is not None else "",
        _problems(problems),
        "\n".join(map(printable, passed_over_lines(received.ignored))),
        fate,
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


def _fate(
    club: ClubFolder,
    session: Session,
    mail: KeptMail,
    seat: Seat,
    problems: tuple[Diagnostic, ...],
    row: GameRow,
    waiting: Sequence[KeptMail],
) -> str:
    """Return what counts of the seat's mails, now and at the deadline, and why."""
    due = deadline_words(club, row)
    if not problems:
        return f"Nothing is wrong with it as far as you can know. {due}"
    mails = sorted((*waiting, replace(mail, seat=seat, is_flawed=True)), key=lambda one: (one.received, one.id))
    found = counting(session, seat, mails)
    orders = printable("; ".join(found.orders))
    if found.is_in_game:
        what = f"Your earlier orders are carried out as soon as you are asked: {orders}. WITHDRAW takes them back."
        return f"What counts now: nothing of this mail. {what if orders else 'Your earlier answer counts.'}"
    if found.is_ready:
        kept = (
            f"the orders in {name_of(found.mail)} still count: {orders}."
            if found.mail and orders
            else "no orders of yours wait."
        )
        return f"This mail changes nothing now: {kept} {due}"
    why = f"{'an earlier mail of yours' if is_remark(problems) else 'this mail'} has a mistake"
    is_dated = row.due and not row.is_paused and seat in awaited_seats(session)
    deadline = f"the deadline ({moment(row.due, club.settings.time_zone)})" if is_dated else "your deadline"
    return (
        "Please send all your orders again, corrected.\n\n"
        f"What counts now: nothing of your mails is carried out before the deadline, because {why}.\n"
        f"If no other mail of yours comes by {deadline}, {_at_deadline(found, mail, orders)}"
    )


def _at_deadline(found: Counting, mail: KeptMail, orders: str) -> str:
    if found.mail is None or not orders:
        return "no orders of yours count."
    place = "this mail" if found.mail.id == mail.id else name_of(found.mail)
    above = " above its first mistake" if found.is_flawed else ""
    return f"these orders count: {orders}. They are in {place}{above}. WITHDRAW takes them back."
