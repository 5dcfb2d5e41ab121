"""The engine carries out each seat's next order whenever its decision is due; only it and the audit call the rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from adjudicator.core.at import Here
from adjudicator.core.chance import Chance, ImpossibleOutcomeError, RecordedChance
from adjudicator.core.game import Game, PendingOrder, PendingSheet
from adjudicator.core.journal import Link, link
from adjudicator.core.messages import Dropped, Messages, outcome_problem
from adjudicator.core.order import Instruction, Sheet, expression_text, instruction_text, leaves
from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import (
    Choice,
    choose_order,
    committed_chance,
    due_question,
    go_on,
    is_waiting,
    take,
)
from adjudicator.core.validation import valid_orders
from adjudicator.core.values import Seat, Value, replace


class Outcome(Value):
    """The result of an adjudication.

    ``accepted`` lists the new journal entries in order, ``instructions`` the instruction of each. ``diagnostics`` lists the
    problems, ``notes`` (seat, words) other news for the moderator: sheets that stopped. ``dropped`` holds the orders that
    were neither carried out nor kept pending, the sheet that stopped first coming first. ``changed`` lists the seats whose
    answer was replaced while the decision was still open to others.
    """

    game: Game
    accepted: tuple[Link, ...]
    instructions: tuple[Instruction, ...]
    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[tuple[Seat, str], ...] = ()
    dropped: tuple[Dropped, ...] = ()
    changed: tuple[Seat, ...] = ()


def begin(rules: AnyRuleset, game: Game, recorded: Sequence[str] = ()) -> Game:
    """Return ``game`` (with an empty journal) set up: entry 0 holds the events that need no order.

    ``recorded`` gives the outcomes if the game's chance is recorded. Raises ``ImpossibleOutcomeError``.
    """
    chance: Chance = committed_chance(game, 0) or RecordedChance(recorded)
    taken = go_on(rules, rules.initial(), chance)
    entry = taken._replace(written=f"[{' '.join(recorded)}]" if recorded else None).entry(0, 0, None)
    return replace(game, journal=(link(game.beginning, entry),), state=taken.state)


def adjudicate(
    rules: AnyRuleset,
    game: Game,
    sheets: Iterable[Sheet],
    *,
    contain_faults: bool = False,
    turn: int | None = None,
    chance: Chance | None = None,
) -> Outcome:
    """Apply ``sheets`` to ``game`` as far as their decisions are due; the other orders stay pending.

    ``turn`` is the number of the adjudication; ``None`` means the next one, or the one before if all orders are skipped. The
    engine sees only ``sheets``: the caller adds the orders that are pending in the game. A bug in program or ruleset is an
    exception. With ``contain_faults`` it becomes the problem ``core/fault`` of its order, which has no effect, and the other
    seats' orders continue. To adjudicate a game many times, pass its present ``chance``; without it, the engine searches the
    whole journal for players' words each time.
    """
    return _Adjudication(rules, game, sheets, contain_faults, turn, chance).run()


def preview(rules: AnyRuleset, game: Game, sheet: Sheet) -> tuple[Diagnostic, ...]:
    """Return the problems of ``sheet`` in the present position, without carrying anything out.

    The first order is checked against the position if it is due, the others only for mistakes in every position.
    """
    run = _Adjudication(rules, game, [sheet], contain_faults=True)
    left = run.queues[sheet.seat].left
    if left and sheet.seat in run.due():
        try:
            choice = choose_order(rules, rules.at(game.state, sheet.seat), left[0])
        except (Exception, SystemExit) as fault:
            run.messages.report_fault(sheet.seat, left[0], fault)
        else:
            for order, problem in () if choice.order is not None else choice.refusals:
                run.messages.report(sheet.seat, left[0], order, problem)
    return tuple(run.messages.diagnostics)


def fold(rules: AnyRuleset, events: Iterable[Any]) -> Any:
    """Return the state after ``events`` since the set-up, as a replay does."""
    state = rules.initial()
    for event in events:
        state = event.apply(rules.config, state)
    return state


_OVER: Final = Problem("core/game-over", "the game is over: no more orders are taken")


@dataclass(slots=True)
class _Queue:
    """A seat's orders that are not carried out yet, from adjudication ``turn``; ``rest`` is the rest of a begun order."""

    seat: Seat
    turn: int
    left: deque[Instruction]
    rest: Instruction | None = None
    is_new: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether the next order is the rest of a begun one."""
        return self.rest is not None and bool(self.left) and self.left[0] is self.rest


class _Adjudication:
    """One run of the engine over one game."""

    def __init__(
        self,
        rules: AnyRuleset,
        game: Game,
        sheets: Iterable[Sheet],
        contain_faults: bool,
        turn: int | None = None,
        chance: Chance | None = None,
    ) -> None:
        self.rules, self.game = rules, game
        self.state, self.head = game.state, game.head
        self.turn, self.is_numbered = game.turn if turn is None else turn, turn is not None
        last = game.journal[-1].entry
        self.first, self.drawn = last.n + 1, last.drawn
        self.committed: Chance | None = chance or committed_chance(game, self.drawn)
        self.accepted: list[Link] = []
        self.instructions: list[Instruction] = []
        self.messages = Messages(rules.meta.id, contain_faults=contain_faults)
        self.held: set[Seat] = set()
        self.changed: list[Seat] = []
        self.awaited: Sequence[Seat] = [ask.seat for ask in rules.due(self.state)]
        self.is_independent: bool = rules.config.seats_are_independent
        self.queues = {sheet.seat: self._queue(sheet) for sheet in sheets}

    def run(self) -> Outcome:
        """Take orders as long as a seat whose decision is due has one."""
        self._change_answers()
        if self.is_independent:
            for seat in self.due():
                self.awaited = (seat,)
                self._take_orders()
        else:
            self._take_orders()
        self._close_eliminated()
        if not self.is_numbered and all(one.entry.is_skipped for one in self.accepted):
            self.accepted = _numbered(self.accepted, self.game.head, self.turn - 1)
        queues = self.queues.values()
        pending = tuple(sheet for queue in queues for sheet in _left_over(self.rules, queue, self.messages))
        game = replace(self.game, journal=(*self.game.journal, *self.accepted), pending=pending, state=self.state)
        messages = self.messages
        found = tuple(messages.diagnostics), tuple(messages.notes), tuple(messages.dropped), tuple(self.changed)
        return Outcome(game, tuple(self.accepted), tuple(self.instructions), *found)

    def _take_orders(self) -> None:
        while any(self._try(self.rules.at(self.state, seat)) for seat in self.due()):
            pass

    def _queue(self, sheet: Sheet) -> _Queue:
        left = valid_orders(self.rules, sheet, self.messages, is_recorded=self.committed is None)
        rest = left[0] if sheet.is_begun and left else None
        return _Queue(sheet.seat, self.turn if sheet.turn is None else sheet.turn, left, rest, is_new=sheet.turn is None)

    def due(self) -> Sequence[Seat]:
        """Return the seats whose next order is due, in the order in which they are tried."""
        due = [seat for seat in self.awaited if seat in self.queues and seat not in self.held]
        if self.committed is None:
            # The rest of an order has no outcomes beside it: it goes before orders that may have some.
            due.sort(key=lambda seat: not self.queues[seat].goes_on)
        return due

    def _change_answers(self) -> None:
        """Let new sheets replace the answers that their seats may still change."""
        due = set(self.awaited)
        for queue in self.queues.values():
            if queue.is_new and queue.seat not in due:
                self._change_answer(queue)

    def _change_answer(self, queue: _Queue) -> None:
        """Try the orders of ``queue`` instead of its seat's answer, up to the first that is not skipped."""
        while queue.left:
            at, count = self.rules.answering(self.state, queue.seat), len(self.accepted)
            if at is None or not self._try(at) or len(self.accepted) == count:
                return
            if not self.accepted[-1].entry.is_skipped:
                self.changed.append(queue.seat)
                return

    def _try(self, at: Here) -> bool:
        """Try the next order of the seat of ``at``, whose answer is due there; return whether there was one.

        If the program or the ruleset fails on it, the position stays as it was, and the other seats continue.
        """
        queue = self.queues[at.seat]
        instruction = queue.left[0] if queue.left else None
        try:
            if queue.rest is not None:
                self._drop_expired(queue)
            if not queue.left:
                return False
            instruction = queue.left[0]
            if self._waits(queue, instruction, at):
                return False
            choice = choose_order(self.rules, at, instruction, is_valid=True)
            if choice.order is not None or not choice.refusals:
                self._accept(queue, instruction, choice, at)
                return True
        except (Exception, SystemExit) as fault:
            if instruction is None:
                raise
            self.messages.report_fault(queue.seat, instruction, fault)
            if self.committed is not None:
                self.committed.drawn = self.drawn  # forget the outcomes of the failed order
            choice = Choice(None)
        self._stop(queue, choice.refusals)
        return True

    def _waits(self, queue: _Queue, instruction: Instruction, at: Here) -> bool:
        """Return whether an order stays pending because its seat must first answer a question asked after it was sent.

        An order sent in reply to the question that does not answer it does not wait; it is refused.
        """
        if not is_waiting(self.rules, at, instruction):
            return False
        if not queue.is_new or any(one.entry.seat == queue.seat for one in self.accepted):
            return True
        first, now = (due_question(self.rules, state, queue.seat) for state in (self.game.state, self.state))
        return first is None or first != now

    def _drop_expired(self, queue: _Queue) -> None:
        """Drop the rest of an earlier order whose time is over; orders of the sheet itself are refused instead."""
        if queue.goes_on and queue.rest:
            at = self.rules.at(self.state, queue.seat)
            if all(order.has_expired(at) for order in leaves(queue.rest.expression)):
                queue.left.popleft()

    def _accept(self, queue: _Queue, instruction: Instruction, choice: Choice, at: Here) -> None:
        """Carry out the order chosen (``None``: nothing to do), or report impossible recorded outcomes."""
        chance: Chance = self.committed or RecordedChance(instruction.draws, self.drawn)
        try:
            taken = take(self.rules, self.state, at, instruction, choice, chance)
        except ImpossibleOutcomeError as impossible:
            problem = outcome_problem(impossible)
            if impossible.outcome is None and queue.goes_on:
                self._hold(queue, instruction, problem)
                return
            self._stop(queue, [(choice.order, problem)])
            return
        rest = None if choice.order is None else self.rules.rest(self.rules.at(taken.state, queue.seat), choice.order)
        accepted = link(self.head, taken.entry(self.first + len(self.accepted), self.turn, queue.seat))
        self.awaited = self._awaited_after(taken.state, queue.seat)
        # All steps that can fail are done: from here on the order is accepted.
        self.accepted.append(accepted)
        self.instructions.append(instruction)
        self.drawn, self.head, self.state = taken.drawn, accepted.hash, taken.state
        queue.left.popleft()
        if rest is not None:
            queue.rest = replace(instruction, expression=rest, draws=())
            queue.left.appendleft(queue.rest)

    def _awaited_after(self, state: Any, seat: Seat) -> Sequence[Seat]:
        """Return the seats whose answers are due after an order of ``seat``; of independent seats, check ``seat`` alone."""
        if not self.is_independent:
            return [ask.seat for ask in self.rules.due(state)]
        return (seat,) if self.rules.is_due(state, seat) else ()

    def _hold(self, queue: _Queue, instruction: Instruction, problem: Problem) -> None:
        """Keep the rest of an order pending that needs an outcome it cannot have: its player made no mistake."""
        words = expression_text(instruction.expression, self.rules.language.text)
        message = f"{problem.message}; the rest of the order, “{words}”, stays pending: send it again with its outcome"
        self.messages.report(queue.seat, instruction, None, replace(problem, message=message, part=""))
        self.held.add(queue.seat)

    def _stop(self, queue: _Queue, refusals: Iterable[tuple[Any, Problem]]) -> None:
        """Report why the next order was refused, and drop the orders after it in its sheet."""
        self.messages.report_refused(queue.seat, queue.left, refusals)
        queue.left.clear()

    def _close_eliminated(self) -> None:
        """Drop and report the pending orders of seats that will never act again."""
        for queue in filter(attrgetter("left"), self.queues.values()):
            self._drop_expired(queue)
            is_over = self.rules.is_over(self.state)
            problem = _OVER if is_over else self.rules.retired(self.state, queue.seat)
            if queue.left and problem is not None:
                self.messages.report(queue.seat, queue.left[0], None, problem)
                self.messages.dropped.append(Dropped(queue.seat, tuple(queue.left), is_refused=False))
                queue.left.clear()


def _numbered(accepted: Iterable[Link], head: str, turn: int) -> list[Link]:
    """Return entries that were all skipped with ``turn``, the number of the adjudication before, chained to ``head``.

    A number that is missing from the public log would reveal that some seat's orders were skipped.
    """
    found: list[Link] = []
    for one in accepted:
        found.append(link(found[-1].hash if found else head, replace(one.entry, turn=turn)))
    return found


def _left_over(rules: AnyRuleset, queue: _Queue, messages: Messages) -> Iterator[PendingSheet]:
    """Yield the rest of a sheet, if it is not empty, up to the first order whose text cannot be written."""
    text, is_begun = rules.language.text, bool(queue.left) and queue.left[0] is queue.rest
    orders: list[PendingOrder] = []
    for number, item in enumerate(queue.left):
        try:
            orders.append(PendingOrder(item.line, instruction_text(item, text)))
        except Exception as fault:
            messages.report_fault(queue.seat, item, fault)
            messages.dropped.append(Dropped(queue.seat, tuple(queue.left)[number:]))
            break
    if orders:
        yield PendingSheet(queue.seat, queue.turn, tuple(orders), is_begun=is_begun)
