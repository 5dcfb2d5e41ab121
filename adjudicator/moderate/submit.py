"""Decide which mails count, sheet by sheet in the order of arrival, and then let the engine take what counts, once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from adjudicator.core.chance import WordSent
from adjudicator.core.engine import Messages, Outcome, adjudicate, valid_orders
from adjudicator.core.game import Game, PendingOrder, PendingSheet, SetAside, waiting_of, withdraw, words_of
from adjudicator.core.order import Cause, Instruction, Sheet, instruction_text
from adjudicator.core.phrases import count
from adjudicator.core.problem import FAULT, Diagnostic, Problem
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import choose_order, committed_chance, is_waiting
from adjudicator.core.values import Seat, Value, field, replace
from adjudicator.orders.parser import read_expression
from adjudicator.orders.reading import Reading
from adjudicator.orders.stepper import UnreadableError
from adjudicator.orders.submission import EMPTY
from adjudicator.orders.turnfile import SentSheet, in_order_of_arrival

_PENDING: Final = "(pending since turn "
_UNREADABLE: Final = Problem(
    "orders/pending-unreadable",
    "the program can no longer read this pending order, and has dropped it and all orders after it: ask for them again",
)


class Submitted(Value):
    """What counts of the mails so far, before the game takes any of it.

    ``game`` has the orders of earlier runs that are still pending, ``since`` these turns; its record has those that are
    replaced or withdrawn. ``sheets`` are the new orders of each seat. They follow its pending ones, except as many as it has
    ``ahead``, which answer a question. ``mails`` are those of each seat since one replaced all before it, which are
    ``replaced``.
    """

    game: Game
    since: Mapping[Seat, int]
    sheets: Mapping[Seat, Sheet] = field(default_factory=dict)
    ahead: Mapping[Seat, int] = field(default_factory=dict)
    mails: Mapping[Seat, tuple[SentSheet, ...]] = field(default_factory=dict)
    replaced: tuple[SentSheet, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    notes: tuple[tuple[Seat, str], ...] = ()

    @property
    def void(self) -> frozenset[Seat]:
        """The seats of which no mail counts, so that their pending orders or their earlier answer do."""
        return frozenset(seat for seat, own in self.mails.items() if not any(mail.counts for mail in own))

    @property
    def results(self) -> dict[tuple[Seat, int], SentSheet]:
        """All mails with their results, by seat and number of the text."""
        done = (replace(one, counts=False, later=self.mails[one.seat][0].text.source) for one in self.replaced)
        return {(one.seat, one.number): one for own in (done, *self.mails.values()) for one in own}

    def with_mail(self, mail: SentSheet, *, counts: bool) -> Submitted:
        """Return this with ``mail`` as the last one of its seat."""
        own = self.mails.get(mail.seat, ())
        earlier = "" if counts else next((one.text.source for one in reversed(own) if one.counts), "")
        own = (*own, replace(mail, counts=counts, earlier=earlier))
        return replace(self, mails={**self.mails, mail.seat: own})


def submitted(rules: AnyRuleset, game: Game, since: Mapping[Seat, int], sent: Iterable[SentSheet]) -> Submitted:
    """Return what counts of the mails ``sent``; ``since`` has the turns since which the seats' pending orders wait."""
    now, sent = Submitted(game, since), [one for one in sent if one.is_sent]
    for own in in_order_of_arrival(sent).values():
        for mail in own:
            now = submit(rules, now, mail)
    last = {seat: one.number for seat, own in now.mails.items() for one in own if one.counts}
    places = [one.seat for one in sent if last.get(one.seat) == one.number]
    return replace(now, sheets={seat: now.sheets[seat] for seat in places if seat in now.sheets})


def submit(rules: AnyRuleset, before: Submitted, mail: SentSheet) -> Submitted:
    """Return what counts after ``mail``, the next one of its seat in the order of arrival.

    - A mail has a mistake if a line of it cannot be read, or an order is wrong in every position. An order that is only
      illegal in the present position is no such mistake: the mail counts, and the game refuses the order in its turn.
    - A mail without a mistake replaces all orders of its seat that have not been carried out: those of earlier mails, and
      those that wait since an earlier run. If the seat must answer a question before these, a mere answer goes before them.
    - A mail with a mistake changes nothing if such orders exist, or if the seat has answered in a window that is still open.
      Otherwise it counts up to its mistake.
    - An answer that the game refuses now is a mistake, too, if it would replace an earlier one in a window, or goes before
      pending orders: these remain.
    - WITHDRAW first takes back orders of its seat, even if the mail has a mistake below. If others remain, the mail adds to
      them. If the seat has no order of that number, this is a mistake, too, and the mail changes nothing at all.
    """
    seat, game, found = mail.seat, before.game, Messages(rules.meta.id, contain_faults=True)
    orders = tuple(valid_orders(rules, mail.sheet, found, is_recorded=game.chance.source == "recorded"))
    now, withdrawal, waits = before, mail.sheet.withdrawal, _count(before, seat)
    if withdrawal is not None and withdrawal.first > max(1, waits):
        some = {0: "nothing waits", 1: "only 1 order waits"}.get(waits, f"only {waits} orders wait")
        problem = Problem("core/nothing-waits", f"{some}: there is no order {withdrawal.first} to withdraw")
        wrong = Diagnostic(
            *(problem, seat, withdrawal.line),
            text=withdrawal.text,
            source=withdrawal.source,
            place=withdrawal.place,
        )
        return replace(now, problems=(*now.problems, *found.diagnostics, wrong)).with_mail(mail, counts=False)
    if withdrawal is not None:
        now = _without(rules, now, seat, "withdrawn", withdrawal.first)
    is_asked, has_answered = is_asked_between(rules, now.game, seat), rules.has_answered(game.state, seat)
    at = rules.answering(game.state, seat) if orders and (is_asked or has_answered) else None
    if at is not None:
        try:
            for order, problem in choose_order(rules, at, orders[0], is_valid=True).refusals:
                found.report(seat, orders[0], order, problem)
        except (Exception, SystemExit) as fault:
            found.report_fault(seat, orders[0], fault)
    now = replace(now, problems=(*now.problems, *found.diagnostics))
    is_flawed = mail.is_flawed or bool(found.diagnostics)
    if is_flawed and (_count(now, seat) or has_answered):
        return now.with_mail(mail, counts=False)
    is_answer = (
        withdrawal is None and is_asked and not any(is_waiting(rules, rules.at(game.state, seat), one) for one in orders)
    )
    if is_flawed:  # nothing of the seat's earlier mails can be used
        now = replace(now, mails={**now.mails, seat: tuple(replace(one, counts=False) for one in now.mails.get(seat, ()))})
    elif withdrawal is None:
        now = _without(rules, now, seat, "replaced", 1, orders, is_answer=is_answer)
    earlier = now.sheets[seat].instructions if seat in now.sheets else ()
    sheet = Sheet(seat, (*earlier, *orders), is_valid=True)
    ahead = {**now.ahead, seat: len(orders)} if is_answer else now.ahead
    return replace(now, sheets={**now.sheets, seat: sheet}, ahead=ahead).with_mail(mail, counts=True)


def _count(now: Submitted, seat: Seat) -> int:
    """Return the number of the orders of ``seat`` that count."""
    waiting = waiting_of(now.game, seat)
    return len(waiting.orders if waiting else ()) + len(now.sheets[seat].instructions if seat in now.sheets else ())


def _without(
    rules: AnyRuleset,
    now: Submitted,
    seat: Seat,
    cause: Cause,
    first: int,
    instead: Sequence[Instruction] = (),
    *,
    is_answer: bool = False,
) -> Submitted:
    """Return ``now`` without the orders of ``seat`` from its ``first`` on, which go into the record with their ``cause``.

    Orders that are the same as those that count ``instead`` need no record. If these are only an answer (``is_answer``), the
    orders that wait since an earlier run stay.
    """
    game, notes, waiting = now.game, list[str](), waiting_of(now.game, seat)
    new, ahead = now.sheets[seat].instructions if seat in now.sheets else (), now.ahead.get(seat, 0)
    waits = len(waiting.orders) if waiting else 0
    stay_ahead = min(first - 1, ahead)
    stay_waiting = waits if is_answer else min(max(0, first - 1 - ahead), waits)
    stay_behind = max(ahead, first - 1 - waits)
    words = words_of(written(rules, instead)) if waiting or new else ()
    if waiting is not None:
        number = waits if is_answer else waits - stay_waiting
        orders = f"{count(number, 'order')} pending since turn {now.since[seat]}"
        if is_answer:
            notes.append(f"the new sheet is an answer and comes before {orders}")
        elif stay_waiting < waits:
            notes.append(f"withdrawn: {orders}" if cause == "withdrawn" else f"the new sheet replaces {orders}")
            if words == words_of(waiting.orders):
                game = replace(game, pending=tuple(sheet for sheet in game.pending if sheet is not waiting))
            else:
                game = withdraw(game, seat, cause, first=stay_waiting + 1)
    gone = (*new[stay_ahead:ahead], *new[stay_behind:])
    sheet = PendingSheet(seat, game.turn, written(rules, gone))
    if gone and words_of(sheet.orders) != words:
        game = replace(game, set_aside=(*game.set_aside, SetAside(game.turn, cause, sheet)))
    if gone and cause == "withdrawn":
        notes.append(f"withdrawn: {count(len(gone), 'order')} of an earlier mail")
    if cause == "withdrawn" and not (notes or any(whose == seat for whose, _ in now.notes)):
        notes.append("no orders wait, so there is nothing to withdraw")
    stay = (*new[:stay_ahead], *new[ahead:stay_behind])
    sheets = {one: sheet for one, sheet in now.sheets.items() if one != seat}
    if stay:
        sheets[seat] = replace(now.sheets[seat], instructions=stay)
    ahead_of = {**now.ahead, seat: stay_ahead}
    now = replace(now, game=game, sheets=sheets, ahead=ahead_of, notes=(*now.notes, *((seat, note) for note in notes)))
    if first > 1 and (stay or not new):
        return now
    return replace(now, mails={**now.mails, seat: ()}, replaced=(*now.replaced, *now.mails.get(seat, ())))


def advance(rules: AnyRuleset, now: Submitted, held_seats: Collection[Seat] = (), words: Iterable[WordSent] = ()) -> Outcome:
    """Let the engine take what counts ``now``, except the pending orders of ``held_seats``.

    ``words`` are those that players have sent for chance. The record of the game also gets pending orders that are dropped.
    """
    game = now.game
    waiting, kept, lost, unreadable = list[Sheet](), list[PendingSheet](), list[SetAside](), list[Diagnostic]()
    new = {seat: sheet for seat, sheet in now.sheets.items() if sheet.instructions}
    for sheet in game.pending:
        seat = sheet.seat
        if seat in held_seats and seat not in new:
            kept.append(sheet)
            continue
        read, problem = _read_pending(rules, sheet, now.since[seat])
        if problem is not None:
            unreadable.append(problem)
            rest = replace(sheet, orders=sheet.orders[len(read.instructions) :], is_begun=False)
            lost.append(SetAside(game.turn, "refused", rest))
        if seat in new:
            ahead, orders = now.ahead.get(seat, 0), new[seat].instructions
            joined = (*orders[:ahead], *read.instructions, *orders[ahead:])
            read = replace(read, instructions=joined, is_begun=read.is_begun and not ahead)
        waiting.append(read)
    sheets = [*waiting, *(sheet for seat, sheet in new.items() if waiting_of(game, seat) is None)]
    chance = committed_chance(game, game.journal[-1].entry.drawn, words)
    outcome = adjudicate(rules, game, sheets, contain_faults=True, chance=chance)
    for one in outcome.dropped:
        pending = [item for item in one.instructions if item.source.startswith(_PENDING)]
        before = waiting_of(game, one.seat)
        if pending and before is not None:
            gone = PendingSheet(one.seat, before.turn, written(rules, pending))
            lost.append(SetAside(game.turn, "refused" if one.is_refused else "over", gone))
    after = outcome.game
    if rules.is_over(after.state):
        lost += [SetAside(game.turn, "over", sheet) for sheet in kept]
    elif kept:
        places = {sheet.seat: place for place, sheet in enumerate(game.pending)}
        pending_now = sorted((*kept, *after.pending), key=lambda sheet: places.get(sheet.seat, len(places)))
        after = replace(after, pending=tuple(pending_now))
    after = replace(after, set_aside=(*after.set_aside, *lost))
    return replace(outcome, game=after, diagnostics=(*unreadable, *outcome.diagnostics))


def problems_in(readings: Iterable[Reading], counted: Submitted) -> list[Diagnostic]:
    """Return the problems of all mails, except of those that another mail of the seat has replaced or made irrelevant."""
    gone = {(one.seat, one.text.source) for one in counted.replaced}
    found = [one for reading in readings for one in reading.findings.diagnostics]
    found = [one for one in found if one.problem.code != EMPTY or one.seat not in counted.mails]
    return [one for one in (*found, *counted.problems) if (one.seat, one.source) not in gone]


def is_asked_between(rules: AnyRuleset, game: Game, seat: Seat) -> bool:
    """Return whether the pending orders of ``seat`` wait until it answers another question."""
    waiting = waiting_of(game, seat)
    first = () if waiting is None else _read_pending(rules, waiting, waiting.turn)[0].instructions[:1]
    return any(is_waiting(rules, rules.at(game.state, seat), one) for one in first)


def written(rules: AnyRuleset, items: Iterable[Instruction]) -> tuple[PendingOrder, ...]:
    """Return ``items`` in canonical words, or in their own after a failure, which the engine reports."""

    def words(item: Instruction) -> str:
        with suppress(Exception):
            return instruction_text(item, rules.language.text)
        return item.written.strip()

    return tuple(PendingOrder(item.line, words(item)) for item in items)


def _read_pending(rules: AnyRuleset, sheet: PendingSheet, turn: int) -> tuple[Sheet, Diagnostic | None]:
    """Return the orders of a ``sheet`` pending since ``turn``, up to the first unreadable one, and its diagnostic."""
    source, instructions = f"{_PENDING}{turn})", list[Instruction]()
    unreadable = None
    for order in sheet.orders:
        try:
            expression, draws = read_expression(rules, order.order)
        except Exception as fault:  # a bug does not affect other seats
            is_unread = isinstance(fault, UnreadableError)
            problem, bug = (_UNREADABLE, None) if is_unread else (FAULT, fault)
            unreadable = Diagnostic(problem, sheet.seat, order.line, text=order.order, source=source, fault=bug)
            break
        instructions.append(Instruction(expression, draws, order.line, order.order, source))
    return Sheet(sheet.seat, tuple(instructions), sheet.turn, is_begun=sheet.is_begun), unreadable
