"""Combine new orders with pending ones: withdraw, replace or keep the pending orders.

Only a sheet without a mistake replaces pending orders. The game file records all orders that no longer wait and were not
carried out, so that the moderator can bring them back.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from adjudicator.core.engine import Dropped, Outcome, adjudicate
from adjudicator.core.game import PendingOrder, PendingSheet, Record, SetAside, waiting_of, withdraw, words_of
from adjudicator.core.order import Instruction, Sheet, instruction_text
from adjudicator.core.phrases import count
from adjudicator.core.problem import FAULT, Diagnostic, Problem
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import committed_chance, is_waiting
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.game import Game
from adjudicator.library.reader import Reader
from adjudicator.library.validation_cache import with_validation_cache
from adjudicator.orders.counted_sheet import ReplacedOrders, nothing_to_withdraw
from adjudicator.orders.parser import read_expression
from adjudicator.orders.stepper import UnreadableError
from adjudicator.orders.turnfile import TurnFile

Notes = tuple[tuple[Seat, str], ...]
_TurnNumber = Callable[[int], int]
_PENDING: Final = "(pending since turn "
_KEPT_ANSWER: Final = "the new sheet has a mistake, so nothing of it counts; your earlier answer still counts"
_MOST_TRIALS: Final = 50
"""The most sheets with a mistake that only the game can find. After that, the first possible mail of each seat counts."""


class CombinedOrders(Value):
    """The result of new and pending orders: the ``outcome`` of the engine, whose game also records the other orders.

    ``received`` are the texts, with the result of each mail. ``diagnostics`` include those of the outcome. ``void`` are the
    seats whose new sheet does not count, so that their pending orders or their earlier answer do. ``remarks`` are notes
    (seat, words) that name no text and no line. ``missed`` are the seats that tried to withdraw orders that do not exist.
    """

    received: TurnFile
    outcome: Outcome
    diagnostics: tuple[Diagnostic, ...]
    void: frozenset[str] = frozenset()
    remarks: Notes = ()
    missed: frozenset[Seat] = frozenset()


def combine_orders(game: Game, received: TurnFile, held_seats: Collection[Seat] = ()) -> CombinedOrders:
    """Adjudicate the mails ``received``, together with the pending orders of the game, except those of ``held_seats``.

    If a seat has sent several mails, each that has a mistake gives way to the one before it, and the notes say so.
    """
    refused, spent = set[tuple[str, int]](), set[tuple[str, int]]()
    found: dict[Diagnostic, None] = {}
    rules = with_validation_cache(game.rules)
    while True:
        combined, trial = _combined(game, rules, received, held_seats)
        failed = {*_replaceable(combined, refused, spent)}
        if not failed:
            break
        for seat, number in failed:
            (spent if (seat, number) in refused else refused).add((seat, number))
        seats = {seat for seat, _ in failed}
        found.update(dict.fromkeys(one for one in combined.diagnostics if one.seat in seats and not _has_waited(one)))
        if len(refused) > _MOST_TRIALS:
            refused.update((sent.seat, sent.number) for sent in received.arrived)
        received = received.without(refused, spent)
    later = {(sent.seat, sent.text.source) for sent in received.arrived if sent.later}
    again = frozenset(combined.diagnostics) if found else ()
    unsettled = (one for one in found if (one.seat, one.source) not in later and one not in again)
    return replace(combined, outcome=_with_record(game, received, trial), diagnostics=(*unsettled, *combined.diagnostics))


def _replaceable(
    combined: CombinedOrders, refused: Collection[tuple[str, int]], spent: Collection[tuple[str, int]]
) -> Iterator[tuple[str, int]]:
    """Yield the sheets (seat, number of the text) that another mail of the same seat may replace.

    These are the sheets that the game refuses, and then those without any effect, if other mails with a mistake came later.
    """
    sheets = {sheet.seat: sheet for sheet in combined.received.sheets}
    stopped = {
        one.seat: len(one.instructions)
        for one in combined.outcome.dropped
        if one.is_refused and one.seat not in combined.void
    }
    for seat, applied in {**stopped, **dict.fromkeys(combined.missed, 0)}.items():
        now = combined.received.counted.get(seat)
        if now is None:
            continue
        is_new = (seat, now.number) not in refused and (now.is_backed or bool(now.not_counted))
        is_spent = seat in combined.missed or applied == len(sheets[seat].instructions)
        if is_new or (is_spent and now.not_counted and (seat, now.number) not in spent):
            yield seat, now.number


def _combined(
    game: Game, rules: AnyRuleset, received: TurnFile, held_seats: Collection[Seat]
) -> tuple[CombinedOrders, _Trial]:
    """Return the result of ``received`` and the pending orders; replaced orders are not in the record yet."""
    turn_number = game.turn_number
    record, withdrawals, wrong = _withdrawals(game.record, received, turn_number)
    missed = frozenset(Seat(diagnostic.seat) for diagnostic in wrong)
    void = [diagnostic.seat for diagnostic in wrong]
    sheets = {sheet.seat: sheet for sheet in received.sheets if sheet.instructions or sheet.check_only}
    flawed = received.sent & received.flawed
    contested = {sheet.seat for sheet in record.pending if sheet.seat in {*sheets, *flawed}}
    answered = {Seat(seat) for seat in {*sheets, *flawed} if seat not in contested and Reader(game, Seat(seat)).has_answered}
    answering = frozenset(_answering(game, sheets))
    backed = {seat for seat, now in received.counted.items() if now.is_backed and not now.is_flawed}
    void += [seat for seat in (*contested, *answered) if seat not in sheets]
    while True:
        taken = {seat: sheet for seat, sheet in sheets.items() if seat not in void}
        trial = _tried(game, rules, record, taken, answering, held_seats)
        failed = _first_failed(trial.outcome, taken, (contested | answered) - backed, received.flawed)
        if failed is None:
            break
        void.append(failed)
        wrong += [one for one in trial.outcome.diagnostics if one.seat == failed and not _has_waited(one)]
    changed = ((seat, "this is your answer now; it replaces the earlier one") for seat in trial.outcome.changed)
    kept = ((seat, _KEPT_ANSWER) for seat in game.seats if seat in answered.intersection(void))
    remarks = (
        *withdrawals,
        *_still_pending(record, contested.intersection(void), turn_number),
        *kept,
        *_replaced(record, taken, turn_number, answering),
        *changed,
    )
    diagnostics = (*wrong, *trial.unreadable, *trial.outcome.diagnostics)
    return CombinedOrders(received, trial.outcome, diagnostics, frozenset(void), remarks, missed), trial


def _has_waited(diagnostic: Diagnostic) -> bool:
    return _is_pending(diagnostic.source)


def _is_pending(source: str) -> bool:
    return source.startswith(_PENDING)


class _Trial(Value):
    """A trial adjudication of ``record``; ``lost`` are pending orders that the program can no longer read."""

    record: Record
    outcome: Outcome
    unreadable: tuple[Diagnostic, ...]
    lost: tuple[SetAside, ...]


def _tried(
    game: Game,
    rules: AnyRuleset,
    record: Record,
    taken: Mapping[Seat, Sheet],
    answering: Collection[Seat],
    held_seats: Collection[Seat],
) -> _Trial:
    """Return the result, by ``rules``, of the sheets ``taken`` and of the pending ones, except those of ``held_seats``."""
    waiting, diagnostics, lost = [], list[Diagnostic](), list[SetAside]()
    kept = [sheet for sheet in record.pending if sheet.seat in held_seats and sheet.seat not in taken]
    for sheet in record.pending:
        if sheet in kept:
            continue
        new = taken.get(sheet.seat)
        if new is not None and new.withdrawal is None and sheet.seat not in answering:
            if not _is_same(game, sheet, new):
                record = withdraw(record, sheet.seat, "replaced")
            continue
        read, unreadable = _read_pending(game, sheet, game.turn_number(sheet.turn))
        if unreadable is not None:
            diagnostics.append(unreadable)
            rest = replace(sheet, orders=sheet.orders[len(read.instructions) :], is_begun=False)
            lost.append(SetAside(record.turn, "refused", rest))
        waiting.append(read if new is None else _joined(read, new, is_first=sheet.seat in answering))
    joined = {sheet.seat for sheet in waiting}
    sheets = [*waiting, *(sheet for seat, sheet in taken.items() if seat not in joined)]
    chance = committed_chance(record, record.journal[-1].entry.drawn, game.timeline.past.words_sent)
    outcome = adjudicate(rules, record, sheets, contain_faults=True, chance=chance)
    if rules.is_over(outcome.record.state):
        lost += [SetAside(record.turn, "over", sheet) for sheet in kept]
    elif kept:
        outcome = _with_pending(outcome, kept, [sheet.seat for sheet in record.pending])
    return _Trial(record, outcome, tuple(diagnostics), tuple(lost))


def _with_pending(outcome: Outcome, kept: Sequence[PendingSheet], seats: Sequence[Seat]) -> Outcome:
    """Return ``outcome`` with the sheets ``kept`` among the pending ones, those of ``seats`` first, in this order."""
    places = {seat: place for place, seat in enumerate(seats)}
    pending = sorted((*kept, *outcome.record.pending), key=lambda sheet: places.get(sheet.seat, len(places)))
    return replace(outcome, record=replace(outcome.record, pending=tuple(pending)))


def _with_record(game: Game, received: TurnFile, trial: _Trial) -> Outcome:
    """Return the outcome of the final ``trial``; its game records the orders that were replaced or dropped.

    Only the final trial needs this record, whose texts take more time than a trial.
    """
    outcome = trial.outcome
    gone = (_record(game, trial.record, gone) for now in received.counted.values() for gone in now.replaced)
    lost = (*gone, *trial.lost, *_dropped(game, trial.record, outcome.dropped))
    return replace(outcome, record=replace(outcome.record, set_aside=(*outcome.record.set_aside, *lost)))


def _first_failed(
    outcome: Outcome, taken: Mapping[Seat, Sheet], contested: Collection[str], flawed: Collection[str]
) -> Seat | None:
    """Return the first seat whose new sheet has a mistake while older orders of it are pending; ``None`` if none has.

    One seat at a time, since the first one may have caused the problems of the next.
    """
    unread = (seat for seat in taken if seat in flawed)
    refused = (one.seat for one in outcome.dropped if one.is_refused and not _is_pending(one.instructions[0].source))
    return next((seat for seat in (*unread, *refused) if seat in contested and seat in taken), None)


def _withdrawals(record: Record, received: TurnFile, turn_number: _TurnNumber) -> tuple[Record, Notes, list[Diagnostic]]:
    """Return ``record`` without the withdrawn orders, notes about them, and problems of withdrawals."""
    notes: list[tuple[Seat, str]] = []
    wrong: list[Diagnostic] = []
    for sheet in received.sheets:
        withdrawal, waits = sheet.withdrawal, waiting_of(record, sheet.seat)
        pending = 0 if waits is None else len(waits.orders)
        earlier = [gone for gone in received.counted[sheet.seat].replaced if gone.cause == "withdrawn"]
        notes += [(gone.seat, f"withdrawn: {count(len(gone.orders), 'order')} of an earlier mail") for gone in earlier]
        if withdrawal is None:
            continue
        if not pending and withdrawal.first == 1:
            notes += [] if earlier else [(sheet.seat, "no orders wait, so there is nothing to withdraw")]
        elif not 1 <= withdrawal.first <= pending:
            wrong.append(nothing_to_withdraw(sheet.seat, withdrawal, pending))
        elif waits is not None:
            record = withdraw(record, sheet.seat, "withdrawn", first=withdrawal.first)
            gone = count(pending + 1 - withdrawal.first, "order")
            notes.append((sheet.seat, f"withdrawn: {gone} pending since turn {turn_number(waits.turn)}"))
    return record, tuple(notes), wrong


def _still_pending(record: Record, void: Collection[str], turn_number: _TurnNumber) -> Iterator[tuple[Seat, str]]:
    for sheet in record.pending:
        if sheet.seat in void:
            does = "counts" if len(sheet.orders) == 1 else "count"
            words = f"the new sheet has a mistake, so nothing of it counts; {count(len(sheet.orders), 'order')} pending"
            yield sheet.seat, f"{words} since turn {turn_number(sheet.turn)} still {does}"


def _replaced(
    record: Record, taken: Mapping[Seat, Sheet], turn_number: _TurnNumber, answering: Collection[Seat]
) -> Iterator[tuple[Seat, str]]:
    for sheet in record.pending:
        if sheet.seat in taken and taken[sheet.seat].withdrawal is None:
            does = "is an answer and comes before" if sheet.seat in answering else "replaces"
            turn = turn_number(sheet.turn)
            yield sheet.seat, f"the new sheet {does} {count(len(sheet.orders), 'order')} pending since turn {turn}"


def is_asked_between(game: Game, seat: str) -> bool:
    """Return whether the pending orders of ``seat`` wait until it answers another question."""
    waiting = waiting_of(game.record, seat)
    if waiting is None:
        return False
    read, _ = _read_pending(game, waiting, waiting.turn)
    return any(map(_is_later(game, waiting.seat), read.instructions[:1]))


def _answering(game: Game, sheets: Mapping[Seat, Sheet]) -> Iterator[Seat]:
    """Yield the seats whose new sheet only answers such a question, so that it does not replace the pending orders."""
    for seat, new in sheets.items():
        is_answer = new.withdrawal is None and not any(map(_is_later(game, seat), new.instructions))
        if is_answer and new.instructions and is_asked_between(game, seat):
            yield seat


def _is_later(game: Game, seat: Seat) -> Callable[[Instruction], bool]:
    return partial(is_waiting, game.rules, game.rules.at(game.record.state, seat))


def _is_same(game: Game, sheet: PendingSheet, new: Sheet) -> bool:
    """Return whether ``new`` has the same orders as the pending ``sheet``, so that nothing is lost."""
    return words_of(sheet.orders) == words_of(_orders(game, new.instructions))


def _joined(waiting: Sheet, new: Sheet, *, is_first: bool) -> Sheet:
    """Return the rest of a sheet after ``WITHDRAW from 2``, and the orders of the ``new`` one after it, or before it."""
    parts = (new, waiting) if is_first else (waiting, new)
    joined = tuple(one for sheet in parts for one in sheet.instructions)
    return replace(waiting, instructions=joined, check_only=new.check_only, is_begun=waiting.is_begun and not is_first)


def _record(game: Game, record: Record, gone: ReplacedOrders) -> SetAside:
    return SetAside(record.turn, gone.cause, PendingSheet(gone.seat, record.turn, _orders(game, gone.orders)))


def _dropped(game: Game, record: Record, dropped: Sequence[Dropped]) -> Iterator[SetAside]:
    """Yield the pending ones among the ``dropped`` orders, for the record."""
    for one in dropped:
        items = [item for item in one.instructions if _is_pending(item.source)]
        before = waiting_of(record, one.seat)
        if items and before is not None:
            sheet = PendingSheet(one.seat, before.turn, _orders(game, items))
            yield SetAside(record.turn, "refused" if one.is_refused else "over", sheet)


def _orders(game: Game, items: Iterable[Instruction]) -> tuple[PendingOrder, ...]:
    return tuple(PendingOrder(item.line, _words(game, item)) for item in items)


def _words(game: Game, item: Instruction) -> str:
    """Return the canonical words of ``item``, or its own words after a failure, which the engine reports."""
    with suppress(Exception):
        return instruction_text(item, game.rules.language.text)
    return item.written.strip()


def _read_pending(game: Game, sheet: PendingSheet, turn: int) -> tuple[Sheet, Diagnostic | None]:
    """Return the orders of a ``sheet`` pending since ``turn``, up to the first unreadable one, and its diagnostic."""
    source = f"{_PENDING}{turn})"
    instructions: list[Instruction] = []
    unreadable = None
    for order in sheet.orders:
        try:
            expression, draws = read_expression(game.rules, order.order)
        except UnreadableError:
            unreadable = Diagnostic(_UNREADABLE, sheet.seat, order.line, text=order.order, source=source)
            break
        except Exception as fault:  # a bug does not affect other seats
            unreadable = Diagnostic(FAULT, sheet.seat, order.line, text=order.order, source=source, fault=fault)
            break
        instructions.append(Instruction(expression, draws, order.line, order.order, source))
    return Sheet(sheet.seat, tuple(instructions), sheet.turn, is_begun=sheet.is_begun), unreadable


_UNREADABLE: Final = Problem(
    "orders/pending-unreadable",
    "the program can no longer read this pending order, and has dropped it and all orders after it: ask for them again",
)
