"""Answer a player's mail: the orders in it, their problems, which orders count now, and the replies to its commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from adjudicator.club.commands import Command, Preview, Status
from adjudicator.club.deadlines import moment
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import GameRow, StoredMail
from adjudicator.club.limits import Quota, RequestKind
from adjudicator.club.pending import EMPTY, OTHER_GAME, OTHER_TURN, Relevance, mistakes, read_orders, relevance
from adjudicator.club.promise import not_your_turn, pending_words, promise
from adjudicator.club.replies import Reply, reply_to
from adjudicator.core.event import total
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.order import FirstOf, Sheet, When, instruction_text
from adjudicator.core.problem import Diagnostic
from adjudicator.moderate.adjudicate import addressee
from adjudicator.moderate.own_check import check_own
from adjudicator.orders.languages import rules_with_languages
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.reports.diagnostics import mistakes_text, sentence
from adjudicator.reports.ignored import ignored_lines, passed_over
from adjudicator.reports.receipt import time_words
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import signed
from adjudicator.reports.why import why_text
from adjudicator.session import Session


@frozen(kw_only=True)
class Answer:
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
_LAST: Final = "This is the last answer to you today: you have had {} within 24 hours. The club still takes your orders."


def answer(
    club: ClubFolder,
    session: Session,
    mail: StoredMail,
    seat: Seat,
    quota: Quota,
    row: GameRow,
    waiting: Sequence[StoredMail] = (),
) -> Answer:
    """Return the answer to ``mail``, which is ``seat``'s, within its ``quota``.

    ``row`` is what the ledger knows of the game; ``waiting`` are the other mails of the seat that wait.
    """
    submission, commands = read_orders(mail, seat)
    submission = replace(submission, source="your mail")
    received = read_turn_files(rules_with_languages(session.rules, session.game.languages), addressee(session), [submission])
    result = check_own(session, [submission], seat)
    sheet = next((sheet for sheet in received.sheets if sheet.seat == seat), None)
    problems = tuple(found for found in result.diagnostics if not (commands and found.problem.code == EMPTY))
    meant = relevance(session, seat, submission, result.diagnostics)
    has_orders = bool(problems or sheet is not None or received.words.get(seat)) or not commands
    is_trial = any(isinstance(command, Preview) for command in commands)
    asked = [command for command in commands if not isinstance(command, Preview)]
    replies = tuple(_reply(club, session, seat, command, quota, mail.received) for command in asked)
    is_understood = is_trial or any(reply.is_done for reply in replies) or _has_orders(received, sheet, seat)
    if not is_understood and quota.is_repeated(submission.lines):
        return _SILENCE
    blocks = [reply.text for reply in replies]
    if has_orders:
        trial = (_CORRECT if problems else _PREVIEWED) if is_trial else ""
        fate = trial or promise(club, session, mail, seat, sheet, problems, meant, row, waiting)
        came = moment(mail.received, club.settings.time_zone)
        blocks.insert(0, _receipt(session, mail, came, sheet, received, problems, fate, is_trial=is_trial))
    has_status = any(reply.is_done and isinstance(reply.command, Status) for reply in replies)
    first = not_your_turn(session, seat) if has_orders or has_status else ""
    counts = pending_words(club, session, seat, row, waiting) if has_status and not has_orders else ""
    return Answer(
        has_orders=has_orders and not is_trial and meant is not Relevance.ELSEWHERE,
        is_flawless=meant not in OTHER_TURN and not mistakes(problems),
        subject=_subject(problems, meant, replies),
        text=_within(quota, [first, counts, *blocks]),
        replies=replies,
    )


def _subject(problems: tuple[Diagnostic, ...], meant: Relevance, replies: Sequence[Reply]) -> str:
    """Return how the club took a mail, for the subject of the answer."""
    codes = {found.problem.code for found in problems}
    if meant in OTHER_TURN:
        return f"your mail is for another {'game' if OTHER_GAME in codes else 'turn'}"
    if codes == {EMPTY}:
        return "your mail has no orders"
    is_wrong = mistakes(problems) or not all(reply.is_done for reply in replies)
    return "your mail has a mistake" if is_wrong else "your mail was read"


def _reply(club: ClubFolder, session: Session, seat: Seat, command: Command, quota: Quota, at: int) -> Reply:
    refusal = quota.refusal(command)
    return Reply(command=command, text=refusal, is_done=False) if refusal else reply_to(club, session, seat, command, at)


def _has_orders(received: TurnFile, sheet: Sheet | None, seat: Seat) -> bool:
    return bool(received.words.get(seat) or (sheet is not None and (sheet.instructions or sheet.withdrawal)))


def _within(quota: Quota, blocks: list[str]) -> str:
    """Return the text of the answer; empty if the seat has had all its answers for the day."""
    if not quota.take(RequestKind.RECEIPTS):
        return ""
    if not quota.left(RequestKind.RECEIPTS):
        blocks = [*blocks, _LAST.format(quota.most(RequestKind.RECEIPTS))]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _receipt(
    session: Session,
    mail: StoredMail,
    came: str,
    sheet: Sheet | None,
    received: TurnFile,
    problems: tuple[Diagnostic, ...],
    fate: str,
    *,
    is_trial: bool,
) -> str:
    """Return the receipt: its orders as the club reads them, problems, what counts, ignored lines, and its time and hash."""
    orders = "\n".join(_orders(session, sheet))
    ignored = (replace(line, source="") if line.line else line for line in received.ignored)
    has_read = "The club has read these orders in" if orders else "The club has received"
    blocks = [
        f"{has_read} your mail of {came}{':' if orders else '.'}",
        orders,
        _cost_of_first(session, sheet) if is_trial and sheet is not None else "",
        _problems(problems),
        fate,
        "\n".join(map(printable, ignored_lines(map(passed_over, ignored)))),
        f"Received {time_words(mail.received)}, sha256 {mail.hash}",
    ]
    return "\n\n".join(block for block in blocks if block)


def _orders(session: Session, sheet: Sheet | None) -> Iterator[str]:
    if sheet is None:
        return
    if sheet.withdrawal is not None:
        first = sheet.withdrawal.first
        yield "  WITHDRAW" if first == 1 else f"  WITHDRAW from {first}"
    for item in sheet.instructions:
        yield printable(f"  line {item.line}  {instruction_text(item, session.rules.language.text)}")


def _cost_of_first(session: Session, sheet: Sheet) -> str:
    """Return the cost of the first order, if it is the seat's turn and the order has no condition."""
    rules, config, state = session.rules, session.config, session.game.state
    asked = {one.seat for one in rules.awaiting(config, state)}
    first = sheet.instructions[0].expression if sheet.instructions else None
    if sheet.seat not in asked or first is None or isinstance(first, (FirstOf, When)):
        return ""
    why = rules.cost_if_legal(config, state, sheet.seat, first)
    if why is None:  # the order is illegal now, which is one of the problems, or its cost depends on chance
        return ""
    unit = rules.meta.unit
    parts = f": {why_text(why, '', unit)}" if why else ""
    return printable(f"The first order would cost {signed(total(why), unit)} {unit.short}{parts}")


def _problems(problems: tuple[Diagnostic, ...]) -> str:
    if [found.problem.code for found in problems] == [EMPTY]:
        words = problems[0].problem.message
        return f"{sentence(words)}."
    # The player sees one mail: the number of the line is enough.
    shown = mistakes_text(replace(found, source="") for found in problems)
    return f"{'Problem' if len(problems) == 1 else 'Problems'}:\n\n{shown}" if problems else ""
