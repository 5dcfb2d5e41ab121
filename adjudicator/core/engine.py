"""The engine carries out each seat's next order whenever its decision is due; only it and the audit call the rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import Any, Final

from adjudicator.core.at import Here
from adjudicator.core.chance import Chance, ImpossibleOutcomeError, RecordedChance
from adjudicator.core.game import PendingOrder, PendingSheet, Record
from adjudicator.core.journal import Link, link
from adjudicator.core.order import Instruction, Sheet, instruction_text, leaves
from adjudicator.core.phrases import count
from adjudicator.core.problem import FAULT, MOST_PROBLEMS, Diagnostic, EngineFaultError, Problem, SetupError
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import (
    RefusedError,
    begun,
    choose_order,
    committed_chance,
    decide,
    go_on,
    is_waiting,
    validate_expression,
)
from adjudicator.core.values import MODERATOR, Seat, Value, replace


class Outcome(Value):
    """The result of an adjudication.

    ``accepted`` lists the new journal entries in order, ``instructions`` the instruction of each. ``diagnostics`` lists the
    problems, ``notes`` (seat, words) other news for the moderator: sheets that stopped. ``dropped`` holds the orders that
    were neither carried out nor kept pending, the sheet that stopped first coming first. ``changed`` lists the seats whose
    answer was replaced while the decision was still open to others, ``windows`` says after each entry whether seats that
    have answered may change their answers.
    """

    record: Record
    accepted: tuple[Link, ...]
    instructions: tuple[Instruction, ...]
    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[tuple[Seat, str], ...] = ()
    dropped: tuple[Dropped, ...] = ()
    changed: tuple[Seat, ...] = ()
    windows: tuple[bool, ...] = ()


def begin(rules: AnyRuleset, record: Record, recorded: Sequence[str] = ()) -> Record:
    """Return ``record`` (with an empty journal) set up: entry 0 holds the events that need no order.

    ``recorded`` gives the outcomes if the game's chance is recorded. Raises ``ImpossibleOutcomeError``, and ``SetupError``
    for a position from which the rules cannot go on.
    """
    chance: Chance = committed_chance(record, 0) or RecordedChance(recorded)
    try:
        taken = begun(rules, recorded, chance)
        if rules.config.position is not None:
            _try_out(rules, taken.state)
    except (SetupError, ImpossibleOutcomeError):
        raise
    except Exception as error:
        if rules.config.position is not None:
            try:  # if the rules fail at their own beginning as well, that is a bug
                _try_out(rules, rules.begin())
                go_on(rules, rules.begin(), RecordedChance(()))
            except ImpossibleOutcomeError:
                pass
            rules.refuse("impossible-position", [f"the rules cannot go on from it ({type(error).__name__}: {error})"])
        raise
    return replace(record, journal=(link(record.beginning, taken.entry(0, 0, None)),), state=taken.state)


def _try_out(rules: AnyRuleset, state: Any) -> None:
    """Ask, rank and draw the seats, so that a failure shows up now."""
    rules.due(state)
    rules.standings(state)
    rules.draw(rules.view(state, MODERATOR))


def adjudicate(
    rules: AnyRuleset,
    record: Record,
    sheets: Iterable[Sheet],
    *,
    contain_faults: bool = False,
    turn: int | None = None,
    chance: Chance | None = None,
    in_sequence: bool = False,
    comment: str = "",
) -> Outcome:
    """Apply ``sheets`` to ``record`` as far as their decisions are due; the other orders stay pending.

    ``turn`` is the number of the adjudication; ``None`` means the next one, or the one before if all orders are skipped. The
    engine sees only ``sheets``: the caller adds the orders that are pending in the game. A bug in program or ruleset is an
    exception. With ``contain_faults`` it becomes the problem ``core/fault`` of its order, which has no effect, and the other
    seats' orders continue. To adjudicate a game many times, pass its present ``chance``; without it, the engine searches the
    whole journal for players' words each time. The first entry that is not skipped gets the moderator's ``comment``.

    With ``in_sequence`` the sheets, also several of a seat, are carried out one after the other, and each order is one step.
    The first order that is refused, or whose seat is not due, ends the adjudication, and nothing stays pending. The orders
    before the first one that is due may change earlier answers, one of each seat.
    """
    run = _Adjudication(rules, record, () if in_sequence else sheets, contain_faults, turn, chance, in_sequence, comment)
    return run.run_in_sequence(sheets) if in_sequence else run.run()


def preview(rules: AnyRuleset, record: Record, sheet: Sheet) -> tuple[Diagnostic, ...]:
    """Return the problems of ``sheet`` in the present position, without carrying anything out.

    The first order is checked against the position if it is due, the others only for mistakes in every position.
    """
    run = _Adjudication(rules, record, [sheet], contain_faults=True, chance=RecordedChance(()))
    left = run.queues[sheet.seat].left
    if left and sheet.seat in run.due():
        try:
            choice = choose_order(rules, rules.at(record.state, sheet.seat), left[0].expression)
            for order, problem in () if choice.order is not None else choice.refusals:
                run.messages.report(sheet.seat, left[0], order, problem)
        except (Exception, SystemExit) as fault:
            run.messages.report_fault(sheet.seat, left[0], fault)
    return tuple(run.messages.diagnostics)


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
        record: Record,
        sheets: Iterable[Sheet],
        contain_faults: bool,
        turn: int | None = None,
        chance: Chance | None = None,
        in_sequence: bool = False,
        comment: str = "",
    ) -> None:
        self.rules, self.record, self.in_sequence, self.comment = rules, record, in_sequence, comment
        self.state, self.head = record.state, record.head
        self.turn, self.is_numbered = record.turn if turn is None else turn, turn is not None
        self.first, self.drawn = len(record.journal), record.journal[-1].entry.drawn if record.journal else 0
        self.committed: Chance | None = chance or committed_chance(record, self.drawn)
        self.accepted: list[Link] = []
        self.instructions: list[Instruction] = []
        self.messages = Messages(rules.meta.id, contain_faults=contain_faults)
        self.changed: list[Seat] = []
        self.windows: list[bool] = []
        self.awaited: Sequence[Seat] = [ask.seat for ask in rules.due(self.state)]
        self.is_independent: bool = rules.config.seats_are_independent
        self.is_each_in_turn = type(rules).needs_no_turn is AnyRuleset.needs_no_turn
        self.queues = {sheet.seat: self._queue(sheet) for sheet in sheets}

    def run(self) -> Outcome:
        """Let new sheets replace answers that may still change, then take orders as long as a due seat has one."""
        due = set(self.awaited)
        for queue in self.queues.values():
            if queue.is_new and queue.seat not in due:
                self._change_answer(queue)
        if self.is_independent:
            for seat in self.due():
                self.awaited = (seat,)
                self._take_orders()
        else:
            self._take_orders()
        return self._outcome()

    def run_in_sequence(self, sheets: Iterable[Sheet]) -> Outcome:
        """Take the orders of ``sheets`` in exactly this order, up to the first that is not possible."""
        may_change = True
        for sheet in sheets:
            queue = self._queue(sheet)
            self.queues = {queue.seat: queue}
            self.awaited = (queue.seat,) if self.rules.is_due(self.state, queue.seat) else ()
            may_change = may_change and not self.awaited
            if may_change and queue.seat not in self.changed:
                self._change_answer(queue)
            self._take_orders()
            if queue.left or self.messages.diagnostics:
                break
        return self._outcome()

    def _outcome(self) -> Outcome:
        """Drop the orders of seats that will never act again, and return what the others leave pending, and the rest."""
        accepted, messages, pending = self.accepted, self.messages, list[PendingSheet]()
        for queue in filter(attrgetter("left"), self.queues.values()):
            self._drop_expired(queue)
            problem = _OVER if self.rules.is_over(self.state) else self.rules.retired(self.state, queue.seat)
            if queue.left and problem is not None:
                messages.report(queue.seat, queue.left[0], None, problem)
                messages.dropped.append(Dropped(queue.seat, tuple(queue.left), is_refused=False))
                queue.left.clear()
        if not self.is_numbered and all(one.entry.is_skipped for one in accepted):
            # A number that is missing from the public log would reveal that some seat's orders were skipped.
            entries, head, accepted = [one.entry for one in accepted], self.record.head, []
            for entry in entries:
                accepted.append(link(head, replace(entry, turn=self.turn - 1)))
                head = accepted[-1].hash
        for queue in () if self.in_sequence else self.queues.values():
            orders, is_begun = list[PendingOrder](), queue.goes_on
            for number, item in enumerate(queue.left):
                try:
                    orders.append(PendingOrder(item.line, instruction_text(item, self.rules.language.text), item.note))
                except Exception as fault:  # its text cannot be written
                    messages.report_fault(queue.seat, item, fault)
                    messages.dropped.append(Dropped(queue.seat, tuple(queue.left)[number:]))
                    break
            if orders:
                pending.append(PendingSheet(queue.seat, queue.turn, tuple(orders), is_begun=is_begun))
        journal = (*self.record.journal, *accepted)
        return Outcome(
            replace(self.record, journal=journal, pending=tuple(pending), state=self.state),
            *(tuple(accepted), tuple(self.instructions), tuple(messages.diagnostics), tuple(messages.notes)),
            *(tuple(messages.dropped), tuple(self.changed), tuple(self.windows)),
        )

    def _take_orders(self) -> None:
        """Try the orders of seats that are due, and then those that need no turn, as long as there are any."""
        is_tried = True
        while is_tried:
            is_tried = False
            for seat in self.due():
                if self._try(self.rules.at(self.state, seat)):
                    is_tried = True
                    break
            if not is_tried and not self.is_each_in_turn:
                free = (queue for queue in self.queues.values() if self._needs_no_turn(queue))
                is_tried = any(self._try(self.rules.at(self.state, queue.seat)) for queue in free)

    def _queue(self, sheet: Sheet) -> _Queue:
        left = deque(sheet.instructions)
        if not sheet.is_valid:
            left = valid_orders(self.rules, sheet, self.messages, is_recorded=self.committed is None)
        rest = left[0] if sheet.is_begun and left else None
        return _Queue(sheet.seat, self.turn if sheet.turn is None else sheet.turn, left, rest, is_new=sheet.turn is None)

    def due(self) -> Sequence[Seat]:
        """Return the seats whose next order is due, in the order in which they are tried."""
        due = [seat for seat in self.awaited if seat in self.queues]
        if self.committed is None:
            # The rest of an order has no outcomes beside it: it goes before orders that may have some.
            due.sort(key=lambda seat: not self.queues[seat].goes_on)
        return due

    def _needs_no_turn(self, queue: _Queue) -> bool:
        at = self.rules.at(self.state, queue.seat)
        return bool(queue.left) and self.rules.needs_no_turn(at, queue.left[0].expression)

    def _change_answer(self, queue: _Queue) -> None:
        """Try the orders of ``queue`` instead of its seat's answer, up to the first that is not skipped."""
        while queue.left:
            if not self.is_each_in_turn and self._needs_no_turn(queue):
                self._try(self.rules.at(self.state, queue.seat))
                continue
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
            if not self.in_sequence and self._waits(queue, instruction, at):
                return False
            self._carry_out(queue, instruction, at)
        except (Exception, SystemExit) as fault:
            if instruction is None:
                raise
            self.messages.report_fault(queue.seat, instruction, fault)
            if self.committed is not None:
                self.committed.drawn = self.drawn  # forget the outcomes of the failed order
            self._stop(queue, ())
        return True

    def _waits(self, queue: _Queue, instruction: Instruction, at: Here) -> bool:
        """Return whether an order stays pending because its seat must first answer a question asked after it was sent.

        An order sent in reply to the question that does not answer it does not wait; it is refused.
        """
        if not is_waiting(self.rules, at, instruction):
            return False
        if not queue.is_new or any(one.entry.seat == queue.seat for one in self.accepted):
            return True
        first, now = (self.rules.ask_of(state, queue.seat) for state in (self.record.state, self.state))
        return first is None or not first.is_due or now is None or first.identity != now.identity

    def _drop_expired(self, queue: _Queue) -> None:
        """Drop the rest of an earlier order whose time is over; orders of the sheet itself are refused instead."""
        if queue.goes_on and queue.rest:
            at = self.rules.at(self.state, queue.seat)
            if all(order.has_expired(at) for order in leaves(queue.rest.expression)):
                queue.left.popleft()

    def _carry_out(self, queue: _Queue, instruction: Instruction, at: Here) -> None:
        """Carry out the next order and record what it did, or report why it is impossible."""
        chance: Chance = self.committed or RecordedChance(instruction.draws, self.drawn)
        try:
            taken = decide(self.rules, self.state, at, instruction, chance, is_valid=True)
        except RefusedError as refused:
            self._stop(queue, refused.refusals)
            return
        except ImpossibleOutcomeError as impossible:
            self._stop(queue, [(impossible.choice.order, outcome_problem(impossible))])
            return
        rest = None
        if taken.chosen is not None and not self.in_sequence:
            rest = taken.chosen.rest(self.rules.at(taken.state, queue.seat))
        comment = self.comment if taken.chosen is not None else ""
        entry = taken.entry(self.first + len(self.accepted), self.turn, queue.seat, instruction.note, comment)
        accepted = link(self.head, entry)
        if self.is_independent:
            self.awaited = (queue.seat,) if self.rules.is_due(taken.state, queue.seat) else ()
        else:
            self.awaited = [ask.seat for ask in self.rules.due(taken.state)]
        is_open = self.rules.is_window(taken.state)
        # All steps that can fail are done: from here on the order is accepted.
        self.comment = "" if comment else self.comment
        self.accepted.append(accepted)
        self.instructions.append(instruction)
        self.windows.append(is_open)
        self.drawn, self.head, self.state = taken.drawn, accepted.hash, taken.state
        queue.left.popleft()
        if rest is not None:
            queue.rest = replace(instruction, expression=rest, draws=(), note="")
            queue.left.appendleft(queue.rest)

    def _stop(self, queue: _Queue, refusals: Iterable[tuple[Any, Problem]]) -> None:
        """Report why the next order was refused, and drop it with the orders after it in its sheet."""
        messages, first, more = self.messages, queue.left[0], len(queue.left) - 1
        for order, problem in refusals:
            messages.report(queue.seat, first, order, problem)
        if more:
            after = f"{count(more, 'order')} after line {first.line} not applied; please send new ones"
            messages.notes.append((queue.seat, after))
        messages.dropped.append(Dropped(queue.seat, tuple(queue.left)))
        queue.left.clear()


_NOT_RECORDED: Final = Problem(
    "core/chance-not-recorded",
    "leave out the outcomes in brackets: the adjudicator draws them; only games with recorded chance take them",
    part="draws",
)
_TOO_MANY: Final = Problem(
    "core/too-many-problems", f"checking stopped here: this sheet has more than {MOST_PROBLEMS} problems"
)


def valid_orders(rules: AnyRuleset, sheet: Sheet, messages: Messages, *, is_recorded: bool) -> deque[Instruction]:
    """Return the orders of ``sheet`` up to the first that is illegal in every position.

    ``messages`` receives the problems, up to a limit; ``is_recorded`` says that orders may have outcomes beside them.
    """
    good: deque[Instruction] = deque()
    wrong = 0
    for number, instruction in enumerate((*sheet.instructions, *sheet.check_only)):
        drawn = ((None, _NOT_RECORDED),) if instruction.draws and not is_recorded else ()
        try:
            for order, problem in chain(validate_expression(rules, instruction.expression), drawn):
                wrong += 1
                if wrong > MOST_PROBLEMS:
                    break
                messages.report(sheet.seat, instruction, order, problem)
        except Exception as fault:
            messages.report_fault(sheet.seat, instruction, fault)
            wrong += 1
        if wrong > MOST_PROBLEMS:
            messages.diagnostics.append(Diagnostic(_TOO_MANY, sheet.seat, instruction.line, source=instruction.source))
            break
        if not wrong and number < len(sheet.instructions):
            good.append(instruction)
    if len(good) < len(sheet.instructions):
        messages.dropped.append(Dropped(sheet.seat, sheet.instructions[len(good) :]))
    return good


class Dropped(Value):
    """The dropped orders of ``seat``: after a refused one (``is_refused``), or because the seat or the game is finished."""

    seat: Seat
    instructions: tuple[Instruction, ...]
    is_refused: bool = True


class Messages:
    """The messages of an adjudication: ``diagnostics``, ``notes`` (seat, words), and ``dropped`` orders."""

    def __init__(self, ruleset: str, *, contain_faults: bool) -> None:
        """Begin without messages. ``ruleset`` is the id of the rules; `adjudicate` explains ``contain_faults``."""
        self._ruleset, self._contain_faults = ruleset, contain_faults
        self.diagnostics: list[Diagnostic] = []
        self.notes: list[tuple[Seat, str]] = []
        self.dropped: list[Dropped] = []

    def report(self, seat: Seat, instruction: Instruction, order: Any, problem: Problem) -> None:
        """Report that ``order``, of ``instruction``, has a ``problem``. Raises ``EngineFaultError`` if it is none."""
        if not isinstance(problem, Problem):
            words = f"`wrong`, `check` or `refusal` of {self._ruleset} returns {problem!r} instead of a Problem"
            raise EngineFaultError(words, self._ruleset)
        self.diagnostics.append(
            Diagnostic(
                *(problem, seat, instruction.line, order),
                text=instruction.text,
                source=instruction.source,
                place=instruction.place,
            )
        )

    def report_fault(self, seat: Seat, instruction: Instruction, fault: Exception | SystemExit) -> None:
        """Report that program or ruleset fail on ``instruction``; raise the ``fault`` unless faults are contained."""
        if not isinstance(fault, Exception):
            words = f"the ruleset {self._ruleset} tried to end the program"
            fault = EngineFaultError(words, self._ruleset).with_traceback(fault.__traceback__)
        if not self._contain_faults:
            raise fault
        self.report(seat, instruction, None, FAULT)
        self.diagnostics[-1] = replace(self.diagnostics[-1], fault=fault)


def outcome_problem(impossible: ImpossibleOutcomeError) -> Problem:
    """Return the problem of a recorded outcome, for the order beside which it is written."""
    if impossible.purpose == "nothing":
        message = f"nothing was drawn for “{impossible.outcome}”: too many outcomes are written in brackets"
    elif impossible.outcome is None:
        message = f"an outcome is missing in brackets: {impossible.purpose}"
    else:
        message = f"“{impossible.outcome}” cannot be the outcome of: {impossible.purpose}"
    part = "draws" if impossible.outcome is None else f"draw={impossible.outcome}"
    return Problem("core/impossible-outcome", message, part=part, near=impossible.among[:6])
