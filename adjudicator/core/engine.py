"""The engine: takes each seat's next order whenever its decision is due. The only caller of a game's rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from adjudicator.core.chance import Chance, CommittedChance, ImpossibleOutcomeError, RecordedChance
from adjudicator.core.choose import Choice, choose, vet_expression
from adjudicator.core.conditions import Ground
from adjudicator.core.event import total
from adjudicator.core.game import Game, PendingOrder, PendingSheet
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Entry, Link, link
from adjudicator.core.order import Instruction, Sheet, instruction_text
from adjudicator.core.problem import Finding, Problem
from adjudicator.core.ruleset import Decision, Ruleset

_MOST_ROUNDS: Final = 10_000
_NOT_RECORDED: Final = Problem(
    "core/chance-not-recorded",
    "outcomes in brackets belong to a game whose chance is recorded; in this one it is drawn by the adjudicator",
    part="draws",
)


class EngineFaultError(Exception):
    """A ruleset broke its contract: a bug, never a player's mistake."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an adjudication came to.

    ``accepted`` lists the new journal entries in order; ``findings`` what was wrong; ``notes`` what else the moderator
    should read (seat, words): conditions that did not hold, sheets that stopped.
    """

    game: Game
    accepted: tuple[Link, ...]
    findings: tuple[Finding, ...]
    notes: tuple[tuple[Seat, str], ...] = ()


def begin(rules: Ruleset[Any, Any, Any], table: Any, game: Game, recorded: Sequence[str] = ()) -> Game:
    """Return ``game`` (with an empty journal) set up: entry 0 holds the events that need nobody's order.

    ``recorded`` gives the outcomes of a game whose chance is recorded. Raises ``ImpossibleOutcomeError``.
    """
    state = rules.initial(table)
    chance = _committed(game, 0) or RecordedChance(recorded)
    events: list[Any] = []
    state = _proceed(rules, table, state, chance, events)
    _finish(chance)
    entry = Entry(n=0, turn=0, seat=None, order="", written=None, notes=(), events=tuple(events), drawn=chance.drawn)
    return replace(game, journal=(link(game.beginning, entry),), state=state)


def adjudicate(rules: Ruleset[Any, Any, Any], table: Any, game: Game, sheets: Iterable[Sheet]) -> Outcome:
    """Apply ``sheets`` to ``game`` as far as their decisions are due; what is left over stays pending.

    The sheets passed in are all there is: the caller adds those pending in the game.
    """
    return _Adjudication(rules, table, game, sheets).run()


def fold(rules: Ruleset[Any, Any, Any], table: Any, events: Iterable[Any]) -> Any:
    """Return the state after ``events`` since the set-up: what a replay does."""
    state = rules.initial(table)
    evolve = rules.evolve
    for event in events:
        state = evolve(table, state, event)
    return state


def ground(rules: Ruleset[Any, Any, Any], table: Any, state: Any, seat: Seat) -> Ground:
    """Return where ``seat``'s conditions are judged: the facts of its own view, and what an order would cost it."""

    def cost(order: Any) -> int | None:
        why = rules.cost(table, state, seat, order)
        return None if why is None else total(why)

    return Ground(rules.facts(table, rules.view(table, state, seat)), cost)


def _committed(game: Game, drawn: int) -> CommittedChance | None:
    """Return the chance of ``game`` after ``drawn`` outcomes, or ``None`` if its outcomes are recorded."""
    if game.chance.source == "recorded":
        return None
    if game.chance.secret is None:
        raise EngineFaultError("a game with committed chance needs its secret to go on")
    return CommittedChance(bytes.fromhex(game.chance.secret), game.chance.entropy, drawn)


def _finish(chance: Chance) -> None:
    if isinstance(chance, RecordedChance):
        chance.finish()


def _collect(
    rules: Ruleset[Any, Any, Any], table: Any, state: Any, moves: Generator[Any, Any, None], events: list[Any]
) -> Any:
    """Run ``moves`` to its end, adding to ``events``; return the state after them."""
    evolve = rules.evolve
    try:
        event = next(moves)
        while True:
            events.append(event)
            state = evolve(table, state, event)
            event = moves.send(state)
    except StopIteration:
        return state


def _proceed(rules: Ruleset[Any, Any, Any], table: Any, state: Any, chance: Chance, events: list[Any]) -> Any:
    """Let happen what needs nobody's order, until nothing more does."""
    for _ in range(_MOST_ROUNDS):
        before = len(events)
        state = _collect(rules, table, state, rules.proceed(table, state, chance), events)
        if len(events) == before:
            return state
    raise EngineFaultError(f"{rules.meta.id} goes on for ever without anybody's order")


@dataclass(slots=True)
class _Queue:
    """A seat's orders on their way, and the notes that belong to its next entry."""

    seat: Seat
    turn: int
    left: deque[Instruction]
    notes: list[str] = field(default_factory=list)


class _Adjudication:
    """One run of the engine over one game."""

    def __init__(self, rules: Ruleset[Any, Any, Any], table: Any, game: Game, sheets: Iterable[Sheet]) -> None:
        self.rules, self.table, self.game = rules, table, game
        self.state, self.head = game.state, game.head
        self.turn = game.turn
        self.drawn = game.journal[-1].entry.drawn
        self.committed = _committed(game, self.drawn)
        self.accepted: list[Link] = []
        self.findings: list[Finding] = []
        self.notes: list[tuple[Seat, str]] = []
        received = {sheet.seat: sheet.turn for sheet in game.pending}
        self.queues = {
            sheet.seat: _Queue(sheet.seat, received.get(sheet.seat, self.turn), self._vetted(sheet)) for sheet in sheets
        }

    def run(self) -> Outcome:
        """Take orders while a seat that is awaited has one."""
        while any(self._try(decision) for decision in self._due()):
            pass
        self._close_retired()
        game = replace(
            self.game,
            journal=self.game.journal + tuple(self.accepted),
            pending=tuple(self._left_over(queue) for queue in self.queues.values() if queue.left),
            state=self.state,
        )
        return Outcome(game, tuple(self.accepted), tuple(self.findings), tuple(self.notes))

    def _vetted(self, sheet: Sheet) -> deque[Instruction]:
        """Return the orders of ``sheet`` up to the first that no position could make legal; report all of those."""
        good: deque[Instruction] = deque()
        stopped = False
        for instruction in sheet.instructions:
            problems = vet_expression(self.rules, self.table, instruction.expression)
            if instruction.draws and self.committed is not None:
                problems = (*problems, (None, _NOT_RECORDED))
            for order, problem in problems:
                self._report(sheet.seat, instruction, order, problem)
            stopped = stopped or bool(problems)
            if not stopped:
                good.append(instruction)
        return good

    def _due(self) -> tuple[Decision, ...]:
        due = self.rules.awaiting(self.table, self.state)
        return tuple(decision for decision in due if decision.seat in self.queues)

    def _try(self, decision: Decision) -> bool:
        """Give the awaited seat's next order a chance; return whether anything happened."""
        queue = self.queues[decision.seat]
        if not queue.left:
            return False
        instruction = queue.left.popleft()
        choice = self._choose(queue.seat, instruction)
        queue.notes.extend(choice.notes)
        if choice.order is not None:
            self._accept(queue, instruction, choice.order)
        elif choice.refusals:
            self._stop(queue, instruction, choice)
        else:
            self.notes.extend((queue.seat, note) for note in choice.notes)
        return True

    def _choose(self, seat: Seat, instruction: Instruction) -> Choice:
        rules, table, state = self.rules, self.table, self.state
        return choose(
            instruction.expression,
            lambda order: rules.check(table, state, seat, order),
            lambda: ground(rules, table, state, seat),
            rules.language.text,
        )

    def _accept(self, queue: _Queue, instruction: Instruction, order: Any) -> None:
        """Carry out ``order``: journal it and move on, or report outcomes that cannot have been."""
        rules, table, seat = self.rules, self.table, queue.seat
        chance: Chance = self.committed or RecordedChance(instruction.draws, self.drawn)
        events: list[Any] = []
        try:
            state = _collect(rules, table, self.state, rules.decide(table, self.state, seat, order, chance), events)
            state = _proceed(rules, table, state, chance, events)
            _finish(chance)
        except ImpossibleOutcomeError as impossible:
            problem = _outcome_problem(impossible, self.game)
            self._stop(queue, instruction, Choice(None, (), ((order, problem),)))
            return
        text = rules.language.text(order)
        announced = rules.announce(table, self.state, seat, order) or text
        is_plain = instruction.expression is order and not instruction.draws
        written = text if is_plain else instruction_text(instruction, rules.language.text)
        entry = Entry(
            n=self.game.journal[-1].entry.n + 1 + len(self.accepted),
            turn=self.turn,
            seat=seat,
            order=announced,
            written=None if written == announced else written,
            notes=tuple(queue.notes),
            events=tuple(events),
            drawn=chance.drawn,
        )
        queue.notes.clear()
        accepted = link(self.head, entry)
        self.accepted.append(accepted)
        self.head, self.state, self.drawn = accepted.hash, state, chance.drawn

    def _stop(self, queue: _Queue, instruction: Instruction, choice: Choice) -> None:
        """Report why an order was refused; nothing after it in that sheet is applied."""
        for order, problem in choice.refusals:
            self._report(queue.seat, instruction, order, problem)
        if queue.left:
            count = len(queue.left)
            orders = "1 order" if count == 1 else f"{count} orders"
            self.notes.append((queue.seat, f"{orders} after line {instruction.line} not applied; please send new ones"))
        queue.left.clear()

    def _report(self, seat: Seat, instruction: Instruction, order: Any, problem: Problem) -> None:
        self.findings.append(
            Finding(problem, seat, instruction.line, order, text=instruction.text, source=instruction.source)
        )

    def _close_retired(self) -> None:
        """Report orders of seats that will never be asked again: nothing of theirs stays pending."""
        over = Problem("core/game-over", "the game is over: no more orders are taken")
        is_over = self.rules.is_over(self.table, self.state)
        for queue in self.queues.values():
            problem = over if is_over else self.rules.retired(self.table, self.state, queue.seat)
            if queue.left and problem is not None:
                self._report(queue.seat, queue.left[0], None, problem)
                queue.left.clear()

    def _left_over(self, queue: _Queue) -> PendingSheet:
        text = self.rules.language.text
        orders = tuple(PendingOrder(item.line, instruction_text(item, text)) for item in queue.left)
        return PendingSheet(queue.seat, queue.turn, orders)


def _outcome_problem(impossible: ImpossibleOutcomeError, game: Game) -> Problem:
    if impossible.purpose == "nothing":
        message = f"nothing was drawn for “{impossible.outcome}”: too many outcomes are written in brackets"
    elif impossible.outcome is None:
        message = f"an outcome is missing in brackets: {impossible.purpose}"
    else:
        message = f"“{impossible.outcome}” cannot be the outcome of: {impossible.purpose}"
    return Problem("core/impossible-outcome", message, part="draw", suggestions=impossible.among[:6])
