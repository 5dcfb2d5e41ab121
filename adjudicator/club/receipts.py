"""Answer a player's mail: the orders in it, their problems, which orders count now and at the deadline, and replies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import adjudicator as adj
from adjudicator.club.clock import pause_words
from adjudicator.club.club import WEB, Club, GameRow, MailRow
from adjudicator.club.commands import Ask, Found, Quota, Reply
from adjudicator.club.counting import MISTAKE, NOT_NOW, Bearing, Counts, bearing, counts, named_turns
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Diagnostic
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.own_orders import EMPTY, LATE, OTHER_GAME, OwnOrders, mistakes, orders_in
from adjudicator.library.turn import player_name
from adjudicator.reports.diagnostics import mistakes_text, order_problem, sentence
from adjudicator.reports.receipt import ignored_lines, time_words
from adjudicator.reports.sanitize import printable
from adjudicator.reports.texts import signed, why_text

_PREVIEWED: Final = (
    "This was a preview: the club found no mistake, and has kept nothing. To play this, send it again without PREVIEW."
)
_CORRECT: Final = "This was a preview: the club has kept nothing. Correct your orders, and send them without PREVIEW."
_NO_ORDERS: Final = "The club has found no orders in your mail, although lines in it look like orders."
_LAST: Final = "This is the last answer to you today: you have had {} within 24 hours. The club still takes your orders."


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
    game, row, seat = ask.game, ask.row, Seat(ask.mail.seat)
    assert game is not None
    assert row is not None
    assert ask.seat is not None
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
        return Answer(text="", subject="", state="answered", is_ready=ask.seat.is_ready)
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
    game, row, seat, what, is_other = own.game, ask.row, own.seat, ask.mail.what, meant in NOT_NOW
    assert row is not None
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
    at, what, is_own = (
        "",
        mail.what if mail else "mail",
        mail is not None and now.mail is not None and now.mail.id == mail.id,
    )
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
