"""Find what counts of a seat's mails, now and at the deadline, and write the receipt that tells its player.

The newest mail decides whether the seat is ready.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

import adjudicator as adj
from adjudicator.club.clock import pause_words
from adjudicator.club.club import WEB, Club, GameRow, MailRow
from adjudicator.club.commands import Ask, Found, Quota, Reply, read
from adjudicator.club.letters import without_tokens
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Diagnostic
from adjudicator.core.remember import Recall
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.own_orders import (
    EMPTY,
    LATE,
    OTHER_GAME,
    OTHER_TURN,
    OwnOrders,
    counted_orders,
    header_turns,
    mistakes,
    orders_in,
)
from adjudicator.library.results import player_name
from adjudicator.reports.receipt import ignored_lines, mistakes_text, order_problem, sentence, time_words
from adjudicator.reports.texts import printable, signed, why_text


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


_PREVIEWED: Final = (
    "This was a preview: the club found no mistake, and has kept nothing. To play this, send it again without PREVIEW."
)
_CORRECT: Final = "This was a preview: the club has kept nothing. Correct your orders, and send them without PREVIEW."
_NO_ORDERS: Final = "The club has found no orders in your mail, although lines in it look like orders."
_LAST: Final = "This is the last answer to you today: you have had {} within 24 hours. The club still takes your orders."
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


class Answer(Value, kw_only=True):
    """The answer to a mail, before a letter is written.

    ``text`` goes to the player (empty: the player gets no answer), ``subject`` says in a few words how the club took the
    mail. ``state`` is the new state of the mail, and ``why`` its reason (that a waiting mail has a mistake); ``is_ready``
    says whether the seat is ready with it.
    """

    text: str
    subject: str
    state: str
    why: str = ""
    is_ready: bool = False


def answer(
    ask: Ask, submission: adj.Submission, found: Found, replies: Sequence[Reply], quota: Quota, waiting: Sequence[MailRow]
) -> Answer:
    """Return the answer to the mail of ``ask``, a player's.

    ``submission`` and ``found`` are its orders and commands (see ``read_orders``), ``replies`` those to the commands,
    ``waiting`` the other mails of the seat that wait, in their order.
    """
    (row, player, game), seat = ask.own, Seat(ask.mail.seat)
    own = orders_in(game, [replace(submission, source="your mail")], seat)
    codes, meant = {one.problem.code for one in own.problems}, bearing(game, own)
    problems = tuple(one for one in own.problems if not (replies and one.problem.code == EMPTY))
    has_orders = bool(problems or own.is_meant) or not replies
    done = {one.command.name for one, reply in zip(found.asks, replies, strict=True) if reply.is_done}
    is_trial, is_held = "PREVIEW" in done, any(reply.holds_orders for reply in replies)
    is_remark = not replies and codes == {EMPTY}
    what, is_web = ask.mail.what, ask.mail.source == WEB  # a person reads the answer; by mail, a robot gets only one
    said = [*submission.lines, *(f"{one.line} {one.values.get('text', '')}" for one in found.asks)]
    if not (is_web or done or own.has_orders) and quota.is_repeated(said, is_remark=is_remark):
        return Answer(text="", subject="", state="answered", is_ready=player.is_ready)
    is_flawed = meant in NOT_NOW or bool(mistakes(problems)) or is_held
    is_sent, why = has_orders and not is_trial, MISTAKE if is_flawed else ""
    waits = is_sent and meant in (Bearing.NOW, Bearing.LATER) and not row.is_over
    mails = [*waiting, *([replace(ask.mail, why=why)] if is_sent and meant is Bearing.NOW else [])]
    now = counts(game, seat, sorted(mails, key=lambda one: (one.received, one.id)))
    view = game.seen_by(seat)
    can_answer = seat in game.due_seats or view.has_answered
    when = _when(ask.club, row, seat, game)
    blocks = list(dict.fromkeys(reply.text for reply in replies))
    if is_held and not has_orders:
        blocks.append(_NO_ORDERS)
    if has_orders:
        if is_trial:
            fate = _CORRECT if problems else _PREVIEWED
        else:
            fate = _fate(ask, own, problems, meant, now, when, is_flawed=is_flawed, is_new=not waiting)
        blocks.insert(0, _receipt(ask, own, problems, fate, is_trial=is_trial))
    elif "STATUS" in done and not row.is_over:
        blocks.insert(0, counted_words(ask.club, row, seat, game, waiting))
    if (has_orders or "STATUS" in done) and not (game.is_over or can_answer):
        names = listed(player_name(game, one) for one in game.due_seats) or "no one"
        out = f"{sentence(view.eliminated)}." if view.eliminated else ""
        blocks.insert(0, printable(out) or f"It is not your turn: the game waits for {names}.")
    text = ""
    if is_web or quota.take("receipts"):
        if not (is_web or quota.left("receipts")):
            blocks.append(_LAST.format(quota.most("receipts")))
        text = "\n\n".join(block for block in blocks if block) + "\n"
    if meant in NOT_NOW:
        subject = f"your {what} is for another {'game' if OTHER_GAME in codes else 'turn'}"
    elif is_remark:
        subject = f"your {what} has no orders"
    else:
        is_wrong = mistakes(problems) or not all(reply.is_done for reply in replies)
        subject = f"your {what} has a mistake" if is_wrong else f"your {what} was read"
    return Answer(
        text=text,
        subject=subject,
        state="waiting" if waits else "answered",
        why=why if waits else "",
        is_ready=now.is_ready and now.has_mails,
    )


def counted_words(club: Club, row: GameRow, seat: Seat, game: adj.Game, waiting: Sequence[MailRow]) -> str:
    """Return which orders of ``seat`` count now, after its mails that are ``waiting``, as STATUS says it."""
    now, is_new = counts(game, seat, waiting), not waiting
    words = _what_counts(club, row, seat, game, now, _when(club, row, seat, game), is_new=is_new, is_asked=True)
    is_to_mend = now.is_flawed and not (now.is_answered and not now.orders)
    return f"{words}\nPlease send all your orders again, without the mistake." if is_to_mend else words


def _when(club: Club, row: GameRow, seat: Seat, game: adj.Game) -> str:
    if row.paused:
        by = "the players or the moderator resume it" if row.is_voted else "the moderator resumes it"
        return f"{pause_words(club, row)} Your orders wait until {'then' if row.resumes else by}."
    if not (seat in game.due_seats or game.seen_by(seat).has_answered):
        return "Your orders wait until it is your turn."
    at = f", or at the deadline ({club.moment(row.due)})" if row.due and not row.overtime else ""
    return f"The game continues when all players whose turn it is have sent their orders{at}."


def _receipt(ask: Ask, own: OwnOrders, problems: tuple[Diagnostic, ...], fate: str, *, is_trial: bool) -> str:
    """Return the receipt: its orders as the club reads them, problems, what counts, ignored lines, and its time and hash."""
    lead = int(ask.mail.source == WEB)  # the club's line above what a page sends
    withdrawal = ["  WITHDRAW" if own.withdraws == 1 else f"  WITHDRAW from {own.withdraws}"] if own.withdraws else []
    orders = "\n".join([*withdrawal, *(printable(f"  line {line - lead}  {words}") for line, words in own.orders)])
    has_read = "The club has read these orders in" if orders else "The club has received"
    cost, first = "", own.first  # None: it is not the seat's turn, or the order is illegal, which is one of the problems
    if is_trial and first is not None and first.min is not None:
        unit = own.game.meta.unit
        parts = f": {why_text(first.why, '', unit)}" if first.why else ""
        cost = printable(f"The first order would cost {signed(first.min, unit)} {unit.short}{parts}")
    wrong = ""
    if [one.problem.code for one in problems] == [EMPTY]:
        wrong = f"{sentence(problems[0].problem.message)}."
    elif problems:  # the player sees one mail: the number of the line is enough
        shown = mistakes_text(order_problem(replace(one, source="", line=max(0, one.line - lead))) for one in problems)
        wrong = f"{'Problem' if len(problems) == 1 else 'Problems'}:\n\n{shown}"
    ignored = (replace(line, source="", line=line.line - lead) if line.line else line for line in own.ignored)
    blocks = [
        f"{has_read} your {ask.mail.what} of {ask.club.moment(ask.mail.received)}{':' if orders else '.'}",
        orders,
        cost,
        wrong,
        fate,
        "\n".join(map(printable, ignored_lines(ignored))),
        f"Received {time_words(ask.mail.received)}, sha256 {ask.mail.hash}",
    ]
    return "\n\n".join(block for block in blocks if block)


def _fate(
    ask: Ask,
    own: OwnOrders,
    problems: tuple[Diagnostic, ...],
    meant: Bearing,
    now: Counts,
    when: str,
    *,
    is_flawed: bool,
    is_new: bool,
) -> str:
    """Return which orders of the seat count after its mail, as text for its player; ``is_new``: no other mails wait."""
    (row, _, game), seat, what, is_other = ask.own, own.seat, ask.mail.what, meant in NOT_NOW
    if not is_flawed and not own.withdraws:
        return f"The club found no mistake in {'the rest of ' if problems else ''}this {what}. {when}"
    if now.is_answered and not now.orders:
        words = f"Your earlier answer still counts. This {what} changes nothing."
    else:
        is_new = is_new and not is_other and not own.withdraws
        words = _what_counts(ask.club, row, seat, game, now, when, mail=ask.mail, meant=meant, is_new=is_new)
    if is_other:
        turns, present = named_turns(game, problems), game.seen_by(seat).turn
        codes = {one.problem.code for one in problems}
        if OTHER_GAME in codes or not turns:
            is_late = f"came before turn {present}, so it belongs to an earlier turn"
            said = f"This {what} {is_late if LATE in codes else 'is for another game'}. It changes nothing in {game.id}."
        else:
            fate = f"The club keeps it until turn {turns[-1]} begins." if meant is Bearing.LATER else "It changes nothing."
            said = f"This {what} is for turn {listed(turns)}, and the game is at turn {present}. {fate}"
        return f"{said}\n\n{words}"
    if own.withdraws and not is_flawed:
        return f"The club has read your WITHDRAW. {words}"
    if meant is Bearing.REMARK:
        return f"{words}\nTo get a list of all commands, write HELP."
    return f"Please correct the mistake, and send all your orders again.\n\n{words}" if now.is_flawed else words


def _what_counts(
    club: Club,
    row: GameRow,
    seat: Seat,
    game: adj.Game,
    now: Counts,
    when: str,
    *,
    mail: MailRow | None = None,
    meant: Bearing = Bearing.REMARK,
    is_new: bool,
    is_asked: bool = False,
) -> str:
    """Return which orders count now, or that none do and which count at the deadline.

    ``mail`` is the one to answer, if any, ``meant`` its bearing. ``is_new`` says that no earlier mail for this turn came,
    ``is_asked`` that the mail has no orders but asks this.
    """
    at, what = "", mail.what if mail else "mail"
    is_own = mail is not None and now.mail is not None and now.mail.id == mail.id
    if now.mail is not None:
        at = f"this {what}" if is_own else f"your {now.mail.what} of {club.moment(now.mail.received)}"
    orders, is_due = printable("; ".join(now.orders)), seat in game.due_seats
    until = club.moment(row.due) if row.due and not (row.paused or row.overtime) else ""
    if now.is_answered and not orders:
        return "Your earlier answer counts."
    if now.is_flawed:
        why = f"this {what}" if meant is Bearing.NOW else "an earlier mail of yours"
        deadline = f"the deadline ({until})" if until and is_due else "the deadline of your turn"
        none = f"None of your orders count yet, because {why} has a mistake.\nIf you send no other {what} by {deadline},"
        if not orders:
            return f"{none} no orders of yours count."
        above = ", above its first mistake" if now.is_cut else ""
        where = f"They are in {at}{above}." if at else "The game already has them."
        return f"{none} these orders count: {orders}. {where} WITHDRAW takes them back."
    if orders:
        count = "count" if is_asked or is_own else "still count"
        return f"Your orders {f'in {at}' if at else 'that the game already has'} {count}: {orders}. {when}"
    none = "You have no orders for this turn"
    if is_new:
        has_played = any(one.seat == seat and one.order for one in game.seen_by(seat).log())
        none = f"You have sent no orders {'since the last report' if has_played else 'yet'}"
    if not is_due:
        return f"{none}, and you need not send any now."
    return f"{none}. Please send your orders for turn {game.seen_by(seat).turn}{f' by {until}' if until else ''}."
