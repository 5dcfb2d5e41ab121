"""Adjudicate turn files: decide which mails count, let the engine take what counts, and say what became of everything."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from adjudicator.core.chance import WordSent
from adjudicator.core.engine import Messages, Outcome, valid_orders
from adjudicator.core.engine import adjudicate as play_on
from adjudicator.core.game import PendingOrder, PendingSheet, Record, SetAside, waiting_of, words_of
from adjudicator.core.order import Cause, Instruction, Sheet, instruction_text
from adjudicator.core.phrases import count
from adjudicator.core.problem import FAULT, Diagnostic, Problem
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import choose_order, committed_chance, is_waiting
from adjudicator.core.values import Seat, Value, field, replace
from adjudicator.library.results import Result, notes_on_older_mails, receipts_of, record_receipts
from adjudicator.library.texts import addressee, submissions_in
from adjudicator.orders.grammar import UnreadableError, grammar_of
from adjudicator.orders.problems import locate
from adjudicator.orders.reading import Reading, read_turn_files
from adjudicator.orders.submission import EMPTY, Orders, SentSheet, in_order_of_arrival
from adjudicator.reports.receipt import order_problem

if TYPE_CHECKING:
    from adjudicator.library.game import Game

NOTHING_WAITS: Final = "core/nothing-waits"
"""The code of the problem of a WITHDRAW from an order that its seat does not have."""
_UNREADABLE: Final = Problem(
    "orders/pending-unreadable",
    "the program can no longer read this pending order, and has dropped it and all orders after it: ask for them again",
)
_MISTAKE: Final = "the new sheet has a mistake, so nothing of it counts"


def adjudicate(game: Game, orders: Orders, *, strict: bool, held_seats: Collection[str], comment: str = "") -> Result:
    """Adjudicate ``orders`` and the pending orders that are due (see ``Game.apply``).

    With ``strict``, one problem is enough to apply nothing and to keep nothing pending. The first entry keeps the
    moderator's ``comment``. Raises ``LanguageError`` if words of a language of the game are missing.
    """
    game.require_journal()
    held = frozenset(map(game.seat, held_seats))
    spoken, record = game.spoken_rules, game.record
    readings = read_turn_files(spoken, addressee(game), submissions_in(game, orders))
    sent = tuple(sheet for reading in readings for sheet in reading.sheets)
    since = {sheet.seat: game.timeline.turn_number(sheet.turn) for sheet in record.pending}
    counted = submitted(game.rules, record, since, sent)
    outcome = advance(game.rules, counted, held, game.timeline.past.words_sent, comment)
    results = counted.results
    sent = tuple(results.get((one.seat, one.number), one) for one in sent)
    valid = [one.sheet for one in sent if one.is_sent and not (one.later or one.earlier)]
    ignored = tuple(line for reading in readings for line in reading.ignored)
    rank = {reading.text.source: number for number, reading in enumerate(readings)}
    found = locate(spoken, (*problems_in(readings, counted), *outcome.diagnostics))
    diagnostics = tuple(sorted(found, key=lambda one: (rank.get(one.source, -1), one.source, one.line, one.column)))
    problems, faults = tuple(map(order_problem, diagnostics)), tuple(one for one in diagnostics if one.fault is not None)
    if strict and diagnostics:
        return Result(game=game, problems=problems, faults=faults, ignored=ignored)
    receipts = receipts_of(game, sent, outcome, diagnostics, counted.void)
    after = outcome.record
    is_changed = bool(outcome.accepted) or (after.pending, after.set_aside) != (record.pending, record.set_aside)
    remarks = (
        *_repeated(game, valid),
        *notes_on_older_mails(game, sent),
        *counted.notes,
        *_still_counting(game, counted),
        *((seat, "this is your answer now; it replaces the earlier one") for seat in outcome.changed),
        *_counted(game, outcome),
    )
    if is_changed:
        after = record_receipts(after, game.record.turn, receipts, (one.text for one in sent))
    return Result(
        game=game.with_record(after),
        is_changed=is_changed,
        accepted=outcome.accepted,
        problems=problems,
        faults=faults,
        notes=(*_not_counted(sent), *remarks, *outcome.notes),
        remarks=remarks,
        ignored=ignored,
        unproven=receipts,
    )


def _not_counted(sent: Iterable[SentSheet]) -> Iterator[tuple[Seat, str]]:
    for one in sent:
        sheet = f"the sheet in {one.text.source}"
        if one.later:
            yield one.seat, f"{sheet} is replaced by the later one in {one.later}"
        elif one.earlier:
            yield one.seat, f"{sheet} has a mistake and does not count: the earlier one in {one.earlier} still counts"


def _still_counting(game: Game, counted: Submitted) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each seat of which no mail counts, but pending orders or an earlier answer do."""
    void = counted.void
    for seat in (seat for seat in game.seats if seat in void):
        if waits := len(counted.queues[seat].instructions):
            orders, does = count(waits, "order"), "counts" if waits == 1 else "count"
            yield seat, f"{_MISTAKE}; {orders} pending since turn {counted.since[seat]} still {does}"
        elif game.rules.has_answered(game.record.state, seat):
            yield seat, f"{_MISTAKE}; your earlier answer still counts"


def _answers(game: Game, outcome: Outcome) -> Iterator[tuple[Seat, bool, bool]]:
    """Yield the orders of ``outcome`` that answer in a window: seat, whether it opened since, whether it is still open.

    A window asks several seats at once, each of which may change its answer until all have answered; its last one counts.
    """
    was_open, is_later = game.rules.is_window(game.record.state), False
    answers: dict[Seat, None] = {}
    for link, is_open in zip(outcome.accepted, outcome.windows, strict=True):
        is_order = not link.entry.is_skipped
        if is_order and (was_open or is_open):
            answers[Seat(str(link.entry.seat))] = None
        if was_open and not is_open:
            yield from ((seat, is_later, False) for seat in answers)
            answers.clear()
        is_later = is_later or (is_order and not is_open)
        was_open = is_open
    yield from ((seat, is_later, True) for seat in answers)


def _counted(game: Game, outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each answer in a window: for which window it counts, and whether the seat can still change it."""
    if not game.rules.has_windows:
        return
    later = game.with_record(outcome.record)
    for seat, is_later, is_open in _answers(game, outcome):
        turn = later.timeline.turn_number(later.record.turn if is_later and is_open else game.record.turn)
        window = f"`turn {turn}`" if is_open or not is_later else f"a window that opened and closed in turn {turn}"
        ahead = ", sent ahead" if is_later else ""
        change = "; a new mail can change it until all have answered" if is_open else ""
        closed = ", which is closed now" if not (is_open or is_later) else ""
        yield seat, f"counted as your answer for {window}{ahead}{closed}{change}"


def _repeated(game: Game, sheets: Iterable[Sheet]) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each seat whose sheet begins with its orders of last time: perhaps it sent the same mail again."""
    record = game.record
    latest = takewhile(lambda link: link.entry.turn == record.turn - 1, reversed(record.journal))
    entries = [link.entry for link in latest if link.entry.outside is None][::-1]
    for sheet in sheets:
        own = [entry for entry in entries if entry.seat == sheet.seat]
        before = tuple(entry.written or entry.order for entry in own)
        is_same = before == words_of(written(game.rules, sheet.instructions[: len(own)]))
        if is_same and not all(entry.is_skipped for entry in own):
            yield (
                sheet.seat,
                f"begins with the orders of turn {game.timeline.turn_number(record.turn - 1)};"
                f" if they are new orders, write `turn {game.valid_turns.turn_for(sheet.seat)}` above them",
            )


# Which mails count ----------------------------------------------------------------------------------------------------


class _Pending(str):
    """The source of orders that are pending in the game; a text may have the same name."""

    __slots__ = ()


class Submitted(Value):
    """What counts of the mails so far, before the game takes any of it.

    ``queues`` are the orders that count of each seat that has sent mails: those that are pending ``since`` a turn, and new
    ones. The record of the ``record`` has the orders that were replaced or withdrawn. ``mails`` are those of each seat since
    one replaced all before it, which are ``replaced``.
    """

    record: Record
    since: Mapping[Seat, int]
    queues: Mapping[Seat, Sheet] = field(default_factory=dict)
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


def submitted(rules: AnyRuleset, record: Record, since: Mapping[Seat, int], sent: Iterable[SentSheet]) -> Submitted:
    """Return what counts of the mails ``sent``; ``since`` has the turns since which the seats' pending orders wait."""
    now, sent = Submitted(record, since), [one for one in sent if one.is_sent]
    for own in in_order_of_arrival(sent).values():
        for mail in own:
            now = submit(rules, now, mail)
    last = {seat: one.number for seat, own in now.mails.items() for one in own if one.counts}
    places = [one.seat for one in sent if last.get(one.seat) == one.number]
    return replace(now, queues={seat: now.queues[seat] for seat in (*places, *now.queues)})


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
    seat, record, found = mail.seat, before.record, Messages(rules.meta.id, contain_faults=True)
    orders = tuple(valid_orders(rules, mail.sheet, found, is_recorded=record.chance.source == "recorded"))
    now, withdrawal = _with_pending(rules, before, seat), mail.sheet.withdrawal
    queue = now.queues[seat].instructions
    if withdrawal is not None and not 1 <= withdrawal.first <= max(1, len(queue)):
        some = {0: "nothing waits", 1: "only 1 order waits"}.get(len(queue), f"only {len(queue)} orders wait")
        problem = Problem(NOTHING_WAITS, f"{some}: there is no order {withdrawal.first} to withdraw")
        at, place = (problem, seat, withdrawal.line), withdrawal.place
        wrong = Diagnostic(*at, text=withdrawal.text, source=withdrawal.source, place=place)
        return replace(now, problems=(*now.problems, *found.diagnostics, wrong)).with_mail(mail, counts=False)
    if withdrawal is not None:
        now = _cut(rules, now, seat, "withdrawn", queue[: withdrawal.first - 1], queue[withdrawal.first - 1 :])
    queue, present = now.queues[seat].instructions, rules.at(record.state, seat)
    waiting = tuple(item for item in queue if _is_pending(item))
    is_asked = any(is_waiting(rules, present, one) for one in waiting[:1])
    has_answered = rules.has_answered(record.state, seat)
    answering = rules.answering(record.state, seat) if orders and (is_asked or has_answered) else None
    if answering is not None:
        try:
            for order, problem in choose_order(rules, answering, orders[0].expression, is_valid=True).refusals:
                found.report(seat, orders[0], order, problem)
        except (Exception, SystemExit) as fault:
            found.report_fault(seat, orders[0], fault)
    now = replace(now, problems=(*now.problems, *found.diagnostics))
    is_flawed = mail.is_flawed or bool(found.diagnostics)
    if is_flawed and (queue or has_answered):
        return now.with_mail(mail, counts=False)
    is_answer = withdrawal is None and is_asked and not any(is_waiting(rules, present, one) for one in orders)
    if is_flawed:  # nothing of the seat's earlier mails can be used
        now = replace(now, mails={**now.mails, seat: tuple(replace(one, counts=False) for one in now.mails.get(seat, ()))})
    elif withdrawal is None:
        new = tuple(item for item in queue if not _is_pending(item))
        now = _cut(rules, now, seat, "replaced", *((waiting, new) if is_answer else ((), queue)), orders)
    if is_answer:
        wait = f"{count(len(waiting), 'order')} pending since turn {now.since[seat]}"
        now = replace(now, notes=(*now.notes, (seat, f"the new sheet is an answer and comes before {wait}")))
    left = now.queues[seat]
    joined = (*orders, *left.instructions) if is_answer else (*left.instructions, *orders)
    sheet = replace(left, instructions=joined, is_begun=left.is_begun and not is_answer, is_valid=left.turn is None)
    return replace(now, queues={**now.queues, seat: sheet}).with_mail(mail, counts=True)


def _cut(
    rules: AnyRuleset,
    now: Submitted,
    seat: Seat,
    cause: Cause,
    stay: tuple[Instruction, ...],
    gone: tuple[Instruction, ...],
    instead: Sequence[Instruction] = (),
) -> Submitted:
    """Return ``now`` where only the orders ``stay`` of ``seat`` count; those that are ``gone`` are in the record.

    The record has no orders that are the same as those that count ``instead``.
    """
    queue, record, notes, waits = now.queues[seat], now.record, list[str](), any(map(_is_pending, stay))
    old, new = [item for item in gone if _is_pending(item)], [item for item in gone if not _is_pending(item)]
    words = words_of(written(rules, instead)) if gone else ()
    for items, turn in ((old, queue.turn or 0), (new, record.turn)):
        sheet = PendingSheet(seat, turn, written(rules, items), is_begun=items is old and queue.is_begun and not waits)
        if items and words_of(sheet.orders) != words:
            record = replace(record, set_aside=(*record.set_aside, SetAside(record.turn, cause, sheet)))
    if old:
        orders = f"{count(len(old), 'order')} pending since turn {now.since[seat]}"
        notes.append(f"withdrawn: {orders}" if cause == "withdrawn" else f"the new sheet replaces {orders}")
    if new and cause == "withdrawn":
        notes.append(f"withdrawn: {count(len(new), 'order')} of an earlier mail")
    if cause == "withdrawn" and not gone and not any(whose == seat for whose, _ in now.notes):
        notes.append("no orders wait, so there is nothing to withdraw")
    left = Sheet(seat, stay, queue.turn if waits else None, is_begun=queue.is_begun and waits)
    now = replace(now, record=record, queues={**now.queues, seat: left}, notes=(*now.notes, *((seat, one) for one in notes)))
    if cause == "withdrawn" and stay and not (new and all(map(_is_pending, stay))):
        return now
    return replace(now, mails={**now.mails, seat: ()}, replaced=(*now.replaced, *now.mails.get(seat, ())))


def _with_pending(rules: AnyRuleset, now: Submitted, seat: Seat) -> Submitted:
    """Return ``now`` with the pending orders of ``seat``, up to the first that the program can no longer read."""
    if seat in now.queues:
        return now
    waiting, instructions = waiting_of(now.record, seat), list[Instruction]()
    if waiting is None:
        return replace(now, queues={**now.queues, seat: Sheet(seat, ())})
    source = _Pending(f"(pending since turn {now.since[seat]})")
    for place, order in enumerate(waiting.orders):
        try:
            expression, draws = grammar_of(rules).expression(order.order)
        except Exception as fault:  # a bug does not affect other seats
            is_unread = isinstance(fault, UnreadableError)
            problem, bug = (_UNREADABLE, None) if is_unread else (FAULT, fault)
            wrong = Diagnostic(problem, seat, order.line, text=order.order, source=source, fault=bug)
            rest = SetAside(now.record.turn, "refused", replace(waiting, orders=waiting.orders[place:], is_begun=False))
            record = replace(now.record, set_aside=(*now.record.set_aside, rest))
            now = replace(now, record=record, problems=(*now.problems, wrong))
            break
        instructions.append(Instruction(expression, draws, order.line, order.order, source, note=order.note))
    is_begun = waiting.is_begun and bool(instructions)
    sheet = Sheet(seat, tuple(instructions), waiting.turn if instructions else None, is_begun=is_begun)
    return replace(now, queues={**now.queues, seat: sheet})


def _is_pending(item: Instruction) -> bool:
    return isinstance(item.source, _Pending)


def advance(
    rules: AnyRuleset,
    now: Submitted,
    held_seats: Collection[Seat] = (),
    words: Iterable[WordSent] = (),
    comment: str = "",
) -> Outcome:
    """Let the engine take what counts ``now``, except the pending orders of ``held_seats``.

    ``words`` are those for chance in the journal, ``comment`` is the moderator's. The record of the game also gets pending
    orders that are dropped.
    """
    ready, kept, lost = now, list[PendingSheet](), list[SetAside]()
    for waits in now.record.pending:
        queue = now.queues.get(waits.seat)
        if waits.seat not in held_seats or (queue is not None and not all(map(_is_pending, queue.instructions))):
            ready = _with_pending(rules, ready, waits.seat)
        elif queue is None or queue.instructions:
            orders = waits.orders if queue is None else written(rules, queue.instructions)
            kept.append(replace(waits, orders=orders))
    record, held = ready.record, {one.seat for one in kept}
    places = {one.seat: place for place, one in enumerate(record.pending)}
    queues = [one for one in ready.queues.values() if one.instructions and one.seat not in held]
    waiting = sorted((one for one in queues if one.turn is not None), key=lambda one: places[one.seat])
    sheets = (*waiting, *(one for one in queues if one.turn is None))
    chance = committed_chance(record, record.journal[-1].entry.drawn, words)
    outcome = play_on(rules, record, sheets, contain_faults=True, chance=chance, comment=comment)
    for one in outcome.dropped:
        if pending := [item for item in one.instructions if _is_pending(item)]:
            gone = PendingSheet(one.seat, ready.queues[one.seat].turn or 0, written(rules, pending))
            lost.append(SetAside(record.turn, "refused" if one.is_refused else "over", gone))
    after = outcome.record
    if rules.is_over(after.state):
        lost += [SetAside(record.turn, "over", sheet) for sheet in kept]
    elif kept:
        pending_now = sorted((*kept, *after.pending), key=lambda sheet: places.get(sheet.seat, len(places)))
        after = replace(after, pending=tuple(pending_now))
    after = replace(after, set_aside=(*after.set_aside, *lost))
    return replace(outcome, record=after, diagnostics=(*ready.problems[len(now.problems) :], *outcome.diagnostics))


def problems_in(readings: Iterable[Reading], counted: Submitted) -> list[Diagnostic]:
    """Return the problems of all mails, except of those that another mail of the seat has replaced or made irrelevant."""
    gone = {(one.seat, one.text.source) for one in counted.replaced}
    found = [one for reading in readings for one in reading.diagnostics]
    found = [one for one in found if one.problem.code != EMPTY or one.seat not in counted.mails]
    return [one for one in (*found, *counted.problems) if (one.seat, one.source) not in gone]


def is_asked_between(rules: AnyRuleset, record: Record, seat: Seat) -> bool:
    """Return whether the pending orders of ``seat`` wait until it answers another question."""
    first = _with_pending(rules, Submitted(record, {seat: 0}), seat).queues[seat].instructions[:1]
    return any(is_waiting(rules, rules.at(record.state, seat), one) for one in first)


def written(rules: AnyRuleset, items: Iterable[Instruction]) -> tuple[PendingOrder, ...]:
    """Return ``items`` in canonical words, or in their own after a failure, which the engine reports."""

    def words(item: Instruction) -> str:
        with suppress(Exception):
            return instruction_text(item, rules.language.text)
        return item.written.strip()

    return tuple(PendingOrder(item.line, words(item), item.note) for item in items)
