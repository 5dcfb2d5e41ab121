"""Answer a player's mail: the orders in it, their problems, which orders count now and at the deadline, and replies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import adjudicator as adj
from adjudicator.club.club import MailRow
from adjudicator.club.commands import Ask, Found, Quota, Reply
from adjudicator.club.counting import MISTAKE, NOT_NOW, Bearing, Counts, bearing, counts, named_turns
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Diagnostic
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.letters import player_name
from adjudicator.library.own_orders import EMPTY, LATE, OTHER_GAME, OwnOrders, mistakes, orders_in
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
    said = [*submission.lines, *(f"{one.line} {one.values.get('text', '')}" for one in found.asks)]
    if not (done or own.has_orders) and quota.is_repeated(said, is_remark=is_remark):  # a robot gets only one answer
        return Answer(text="", subject="", state="answered", is_ready=ask.seat.is_ready)
    is_flawed = meant in NOT_NOW or bool(mistakes(problems)) or is_held
    is_sent, why = has_orders and not is_trial, MISTAKE if is_flawed else ""
    waits = is_sent and meant in (Bearing.NOW, Bearing.LATER) and not row.is_over
    mails = [*waiting, *([replace(ask.mail, why=why)] if is_sent and meant is Bearing.NOW else [])]
    now = counts(game, seat, sorted(mails, key=lambda one: (one.received, one.id)))
    view = game.seen_by(seat)
    can_answer = seat in game.due_seats or view.has_answered
    at = f", or at the deadline ({ask.club.moment(row.due)})" if row.due else ""
    when = f"The game continues when all players whose turn it is have sent their orders{at}."
    if row.paused:
        when = "The game is paused. Your orders wait until the moderator resumes it."
    elif not can_answer:
        when = "Your orders wait until it is your turn."
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
        words = _what_counts(ask, game, now, when, is_asked=True, is_new=not waiting)
        is_to_mend = now.is_flawed and not (now.is_answered and not now.orders)
        more = "\nPlease send all your orders again, without the mistake." if is_to_mend else ""
        blocks.insert(0, f"{words}{more}")
    if (has_orders or "STATUS" in done) and not (game.is_over or can_answer):
        names = listed(player_name(game, one) for one in game.due_seats) or "no one"
        out = f"{sentence(view.eliminated)}." if view.eliminated else ""
        blocks.insert(0, printable(out) or f"It is not your turn: the game waits for {names}.")
    text = ""
    if quota.take("receipts"):
        if not quota.left("receipts"):
            blocks.append(_LAST.format(quota.most("receipts")))
        text = "\n\n".join(block for block in blocks if block) + "\n"
    if meant in NOT_NOW:
        subject = f"your mail is for another {'game' if OTHER_GAME in codes else 'turn'}"
    elif is_remark:
        subject = "your mail has no orders"
    else:
        is_wrong = mistakes(problems) or not all(reply.is_done for reply in replies)
        subject = "your mail has a mistake" if is_wrong else "your mail was read"
    return Answer(
        text=text,
        subject=subject,
        state="waiting" if waits else "answered",
        why=why if waits else "",
        is_ready=now.is_ready and now.has_mails,
    )


def _receipt(ask: Ask, own: OwnOrders, problems: tuple[Diagnostic, ...], fate: str, *, is_trial: bool) -> str:
    """Return the receipt: its orders as the club reads them, problems, what counts, ignored lines, and its time and hash."""
    withdrawal = ["  WITHDRAW" if own.withdraws == 1 else f"  WITHDRAW from {own.withdraws}"] if own.withdraws else []
    orders = "\n".join([*withdrawal, *(printable(f"  line {line}  {words}") for line, words in own.orders)])
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
        shown = mistakes_text(order_problem(replace(one, source="")) for one in problems)
        wrong = f"{'Problem' if len(problems) == 1 else 'Problems'}:\n\n{shown}"
    ignored = (replace(line, source="") if line.line else line for line in own.ignored)
    blocks = [
        f"{has_read} your mail of {ask.club.moment(ask.mail.received)}{':' if orders else '.'}",
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
    game, seat, is_other = own.game, own.seat, meant in NOT_NOW
    if not is_flawed and not own.withdraws:
        return f"The club found no mistake in {'the rest of this mail' if problems else 'this mail'}. {when}"
    if now.is_answered and not now.orders:
        words = "Your earlier answer still counts. This mail changes nothing."
    else:
        words = _what_counts(ask, game, now, when, meant=meant, is_new=is_new and not is_other and not own.withdraws)
    if is_other:
        turns, present = named_turns(game, problems), game.seen_by(seat).turn
        codes = {one.problem.code for one in problems}
        if OTHER_GAME in codes or not turns:
            is_late = f"came before turn {present}, so it belongs to an earlier turn"
            what = f"This mail {is_late if LATE in codes else 'is for another game'}. It changes nothing in {game.id}."
        else:
            fate = f"The club keeps it until turn {turns[-1]} begins." if meant is Bearing.LATER else "It changes nothing."
            what = f"This mail is for turn {listed(turns)}, and the game is at turn {present}. {fate}"
        return f"{what}\n\n{words}"
    if own.withdraws and not is_flawed:
        return f"The club has read your WITHDRAW. {words}"
    if meant is Bearing.REMARK:
        return f"{words}\nTo get a list of all commands, write HELP."
    return f"Please correct the mistake, and send all your orders again.\n\n{words}" if now.is_flawed else words


def _what_counts(
    ask: Ask,
    game: adj.Game,
    now: Counts,
    when: str,
    *,
    meant: Bearing = Bearing.REMARK,
    is_new: bool,
    is_asked: bool = False,
) -> str:
    """Return which orders count now, or that none do and which count at the deadline.

    ``meant`` is the bearing of the mail to answer. ``is_new`` says that no earlier mail for this turn came, ``is_asked``
    that the mail has no orders but asks this.
    """
    club, row, seat = ask.club, ask.row, Seat(ask.mail.seat)
    is_own = now.mail is not None and now.mail.id == ask.mail.id
    at = "" if now.mail is None else "this mail" if is_own else f"your mail of {club.moment(now.mail.received)}"
    orders, is_due = printable("; ".join(now.orders)), seat in game.due_seats
    until = club.moment(row.due) if row and row.due and not row.paused else ""
    if now.is_answered and not orders:
        return "Your earlier answer counts."
    if now.is_flawed:
        why = "this mail" if meant is Bearing.NOW else "an earlier mail of yours"
        deadline = f"the deadline ({until})" if until and is_due else "the deadline of your turn"
        none = f"None of your orders count yet, because {why} has a mistake.\nIf you send no other mail by {deadline},"
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
