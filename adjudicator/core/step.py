"""One step of a game: choose an order, carry it out, and let events follow; correct a game; decide an entry again.

Engine and audit share it. Before an amendment is accepted, the rules are tried on the amended state, since no game may ever
have reached it. In a seat's view an order is carried out as far as the seat can know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Final, cast

from adjudicator.core.at import At, Here
from adjudicator.core.chance import Chance, CommittedChance, ImpossibleOutcomeError, RecordedChance, UnknownError, WordSent
from adjudicator.core.conditions import Condition, Context, condition_text, costed_orders, evaluate, validate_condition
from adjudicator.core.corrections import Amended, Forked, Undone
from adjudicator.core.event import Spent, total
from adjudicator.core.game import Record
from adjudicator.core.journal import SKIPPED, Entry, Outside, link
from adjudicator.core.order import CHOICES, Expression, FirstOf, Instruction, When, conditions, instruction_text, leaves
from adjudicator.core.problem import EngineFaultError, Problem, SetupError
from adjudicator.core.rules import NO_MOVES, AnyRuleset, Moves, changed
from adjudicator.core.timeline import Timeline
from adjudicator.core.values import MODERATOR, Seat, Value, replace
from adjudicator.core.visibility import Mark, as_count, nothing, redactor

_MOST_ROUNDS: Final = 10_000
_MOST_EVENTS: Final = 100_000
"""The most events between two orders; more mean that the rules never stop."""
_LONGEST_NOTE: Final = 1_000
DRAWN: Final = Problem(
    "core/chance-not-recorded", "outcomes in brackets, but the program draws the outcomes of this game", part="written"
)


class RefusedError(Exception):
    """Report an order that cannot be carried out: each alternative in ``refusals`` with its problem.

    There are none if the text of the order is not readable, or if its seat has nothing to answer (``seat_is_due``).
    """

    def __init__(self, *refusals: tuple[Any, Problem], seat_is_due: bool = True) -> None:
        """Keep the ``refusals``."""
        super().__init__(*refusals)
        self.refusals, self.seat_is_due = refusals, seat_is_due


class Choice(Value):
    """The order chosen (``None``: none), the notes that explain why, and each refused alternative with its problem."""

    order: Any
    notes: tuple[str, ...] = ()
    refusals: tuple[tuple[Any, Problem], ...] = ()


class Taken(Value):
    """A step: its ``events``, the ``state`` after them, and what the journal has beside them.

    ``order`` is its public text, ``drawn`` the count of outcomes after it. ``chosen`` is the order itself, ``None`` if there
    is none.
    """

    events: tuple[Any, ...]
    state: Any
    order: str = ""
    written: str | None = None
    notes: tuple[str, ...] = ()
    drawn: int = 0
    chosen: Any = None

    def entry(self, n: int, turn: int, seat: Seat | None, note: str = "", comment: str = "") -> Entry:
        """Return this step as entry ``n`` of a journal, with the player's ``note`` and the moderator's ``comment``."""
        return Entry(
            n=n,
            turn=turn,
            seat=seat,
            order=self.order,
            written=self.written,
            notes=self.notes,
            events=self.events,
            drawn=self.drawn,
            note=note,
            comment=comment,
        )


def validate_expression(rules: AnyRuleset, expression: Expression) -> Iterator[tuple[Any, Problem]]:
    """Yield the problems that ``expression`` has in every position: single orders with their problem, conditions too.

    Each problem is computed when it is asked for, since finding suggestions takes far longer than finding the mistake.
    """
    orders: tuple[Any, ...] = (expression,)
    asked: tuple[Condition, ...] = ()
    if type(expression) in CHOICES:
        asked = tuple(conditions(expression))
        costed = (order for condition in asked for order in costed_orders(condition))
        orders = tuple(dict.fromkeys((*leaves(expression), *costed)))
    for order in orders:
        problem = rules.wrong(order)
        if problem is not None:
            yield order, problem
    names = rules.names() if asked else ()
    for condition in asked:
        for problem in validate_condition(condition, rules.facts, names):
            yield None, problem


def is_waiting(rules: AnyRuleset, at: Here, instruction: Instruction) -> bool:
    """Return whether no alternative of ``instruction`` answers the question that the seat of ``at`` must answer first."""
    order = instruction.expression
    if type(order) not in CHOICES:
        return rules.waits(at, order)
    return all(rules.waits(at, leaf) for leaf in leaves(order))


def choose_order(rules: AnyRuleset, at: Here, expression: Expression, *, is_valid: bool = False) -> Choice:
    """Return the order of ``expression`` to carry out in ``at``, and why; ``is_valid`` says that no order is wrong."""
    kind = type(expression)
    if kind is FirstOf:
        notes: list[str] = []
        refusals: list[tuple[Any, Problem]] = []
        for option in expression.options:
            choice = choose_order(rules, at, option, is_valid=is_valid)
            notes.extend(choice.notes)
            if choice.order is not None:
                return Choice(choice.order, tuple(notes))
            for order, why in choice.refusals:
                rule = f" ({why.rule})" if why.rule else ""
                notes.append(_short(f"{rules.language.text(order)}: not possible, {why.message}{rule}"))
            refusals.extend(choice.refusals)
        return Choice(None, () if refusals else tuple(notes), tuple(refusals))
    if kind is When:

        def cost(order: Any) -> int | None:
            why = rules.cost_if_legal(at, order)
            return None if why is None else total(why)

        known = Context(rules.fact_values(rules.view(at.state, at.seat)), cost, rules.names())
        evaluation = evaluate(expression.condition, known)
        asked = condition_text(expression.condition, rules.language.text)
        because = f" ({'; '.join(evaluation.because)})" if evaluation.because else ""
        note = _short(f"IF {asked}: {'yes' if evaluation.holds else 'no'}{because}")
        side = expression.then if evaluation.holds else expression.otherwise
        if side is None:
            return Choice(None, (note,))
        choice = choose_order(rules, at, side, is_valid=is_valid)
        return Choice(choice.order, (note, *choice.notes), choice.refusals)
    problem = rules.refusal(at, expression) if is_valid else rules.check(at, expression)
    return Choice(expression) if problem is None else Choice(None, (), ((expression, problem),))


def _short(note: str) -> str:
    """Return ``note``, cut to the limit of the journal: people read it, and the order itself is in the journal."""
    return note if len(note) <= _LONGEST_NOTE else f"{note[: _LONGEST_NOTE - 1]}…"


def gist(note: str) -> str:
    """Return the decision in a note without its explanation, which a later version may word better."""
    asked, _, answer = note.partition(": ")
    return f"{asked}: {answer.split(' ')[0]}"


def decide(
    rules: AnyRuleset, state: Any, at: Here, instruction: Instruction, chance: Chance, *, is_valid: bool = False
) -> Taken:
    """Carry out the order chosen in ``instruction`` with all events that follow (see ``choose_order``, ``carry_out``).

    Raises ``RefusedError`` if no order is legal, and ``ImpossibleOutcomeError`` with the choice that was made.
    """
    choice = choose_order(rules, at, instruction.expression, is_valid=is_valid)
    if choice.refusals:
        raise RefusedError(*choice.refusals)
    try:
        return carry_out(rules, state, at, choice.order, chance, instruction, choice.notes)
    except ImpossibleOutcomeError as impossible:
        impossible.choice = choice
        raise


def carry_out(
    rules: AnyRuleset,
    state: Any,
    at: Here,
    order: Any,
    chance: Chance,
    instruction: Instruction | None = None,
    notes: tuple[str, ...] = (),
) -> Taken:
    """Carry out ``order``, which ``check`` has accepted in ``at``, and all events that follow by themselves.

    It was chosen in ``instruction``, if there is one, as the ``notes`` explain. A seat that changes its answer is asked in
    another state than ``state`` (see ``Rules.answering``): the order is decided there, and its events lead from ``state`` to
    the returned state. Without an order, because a condition did not hold, nothing happens, and the journal says so. Raises
    ``ImpossibleOutcomeError`` if recorded outcomes do not fit; a refusal by the rules is a bug from here on.
    """
    events: list[Any] = []
    after, public_text, text = state, None, SKIPPED
    if order is not None:
        after = _collect(rules, at, rules.decide(at, order, chance), events).state
        after = _proceed(rules, after, chance, events)
    if isinstance(chance, RecordedChance):
        chance.finish()
    if order is not None:
        if at.state is not state:
            after = reduce(lambda before, event: event.apply(rules.config, before), events, state)
        public_text = rules.public_text(at, order)
        text = rules.language.text(order) if public_text is None else public_text
    written = None
    if instruction is not None and (public_text is not None or order is not instruction.expression or instruction.draws):
        written = instruction_text(instruction, rules.language.text)
        written = None if written == text else written
    return Taken(tuple(events), after, text, written, notes, chance.drawn, order)


def decided(rules: AnyRuleset, at: Here, order: Any, chance: Chance) -> tuple[list[Any], Any]:
    """Carry out the legal ``order`` alone; return its events and the state after them, before others follow."""
    events: list[Any] = []
    return events, _collect(rules, at, rules.decide(at, order, chance), events).state


def begun(rules: AnyRuleset, recorded: Sequence[str], chance: Chance) -> Taken:
    """Return the set-up of a game, with the outcomes that people ``recorded`` for it. Raises ``ImpossibleOutcomeError``."""
    return replace(go_on(rules, rules.initial(), chance), written=f"[{' '.join(recorded)}]" if recorded else None)


def go_on(rules: AnyRuleset, state: Any, chance: Chance) -> Taken:
    """Return the events in ``state`` that need no order. Raises ``ImpossibleOutcomeError``."""
    events: list[Any] = []
    after = _proceed(rules, state, chance, events)
    if isinstance(chance, RecordedChance):
        chance.finish()
    return Taken(tuple(events), after, drawn=chance.drawn)


def committed_chance(record: Record, drawn: int, words: Iterable[WordSent] | None = None) -> CommittedChance | None:
    """Return the chance of ``record`` after ``drawn`` outcomes, or ``None`` if its outcomes are recorded.

    ``words`` are those that players have sent since the beginning, ``None`` to search its whole journal for them.
    """
    if record.chance.source == "recorded":
        return None
    if record.chance.secret is None:
        raise EngineFaultError("a game with committed chance needs its secret to continue")
    if words is None:
        words = [event for link in record.journal if type(event := link.entry.outside) is WordSent]
    return CommittedChance(bytes.fromhex(record.chance.secret), record.chance.entropy, drawn, words)


def _collect(rules: AnyRuleset, at: Here, moves: Moves, events: list[Any]) -> Here:
    """Run ``moves``, which begin in ``at``, to the end, adding to ``events``; return the position after them."""
    config, seat, send = at.config, at.seat, getattr(moves, "send", None)
    if send is None:
        words = f"`decide` or `follow` of {rules.meta.id} returns {moves!r} instead of a generator"
        raise EngineFaultError(words, rules.meta.id)
    after: Here | None = None
    while True:
        try:  # around this alone: a `StopIteration` from elsewhere, such as `apply`, is a bug
            event = send(after)
        except StopIteration:
            return at
        if not issubclass(type(event), Value):
            where = getattr(moves, "__qualname__", type(moves).__name__)
            raise EngineFaultError(f"{rules.meta.id} yields {event!r} instead of an event, in {where}", rules.meta.id)
        events.append(event)
        if type(event) is Spent and event.after - event.before != total(event.why):
            raise EngineFaultError(f"the cost given by {rules.meta.id} does not add up: {event}", rules.meta.id)
        if len(events) > _MOST_EVENTS:
            raise _endless(rules)
        at = after = At(config, event.apply(config, at.state), seat)


def _proceed(rules: AnyRuleset, state: Any, chance: Chance, events: list[Any]) -> Any:
    """Run the events that need no order until there are no more; return the state after them."""
    at: Here = At(rules.config, state)
    for _ in range(_MOST_ROUNDS):
        if not isinstance(at.state, rules.state):
            where = type(events[-1]).__name__ if events else "`begin` or `place`"
            words = f"{where} of {rules.meta.id} leads to {at.state!r} instead of a state"
            raise EngineFaultError(words, rules.meta.id)
        before, moves = len(events), rules.follow(at.state, chance)
        if moves is not NO_MOVES:
            at = _collect(rules, at, moves, events)
        if len(events) == before:
            return at.state
    raise _endless(rules)


def _endless(rules: AnyRuleset) -> EngineFaultError:
    return EngineFaultError(f"{rules.meta.id} never stops producing events", rules.meta.id)


# Entries that are no orders, and any entry decided again ---------------------------------------------------------------


def redecide(
    rules: AnyRuleset,
    before: Any,
    entry: Entry,
    event: Outside | None,
    committed: CommittedChance | None,
    drawn: int,
    read: Callable[[str], Instruction | None],
) -> Taken:
    """Decide a recorded ``entry`` again in the position ``before``; an undo is decided in the one to which it goes back.

    ``event`` is the correction or the word in it, ``None`` if it is an order. ``committed`` is the chance of the game
    (``None``: recorded), of which ``drawn`` outcomes are used up. ``read`` gives the instruction of a canonical text. Raises
    ``RefusedError``, ``SetupError``, ``ImpossibleOutcomeError``.
    """
    if committed is not None:
        committed.drawn = drawn
    if entry.n == 0 and type(event) is Forked:
        return _forked(rules, event, committed or RecordedChance(()))
    if entry.n == 0:
        outcomes = [] if committed else (entry.written or "[]").removeprefix("[").removesuffix("]").split()
        return begun(rules, outcomes, committed or RecordedChance(outcomes, drawn))
    if event is not None:
        return _from_outside(rules, before, event, committed or RecordedChance((), drawn))
    instruction = read(entry.order if entry.written is None else entry.written)
    if instruction is None:
        raise RefusedError
    if instruction.draws and committed:
        raise RefusedError((None, DRAWN))
    # ``check`` tests a single order; of several only one is carried out, but all must have been valid.
    if type(instruction.expression) in CHOICES:
        for wrong in validate_expression(rules, instruction.expression):
            raise RefusedError(wrong)
    seat = Seat(entry.seat or "")
    at = rules.answering(before, seat)
    if at is None:
        at = rules.at(before, seat)
        if not rules.needs_no_turn(at, instruction.expression):
            raise RefusedError(seat_is_due=False)
    return decide(rules, before, at, instruction, committed or RecordedChance(instruction.draws, drawn))


def apply_correction(
    rules: AnyRuleset, record: Record, event: Any, timeline: Timeline, *, takes_number: bool = True
) -> Record:
    """Return ``record`` corrected by ``event``, which becomes an entry of the moderator.

    Events that need no order follow at once. A correction takes the next number of an adjudication, but those that
    ``may_share_turn`` may go without (``takes_number``); the ``timeline`` of the game decides which earlier numbers stay
    valid. Raises ``SetupError`` for an amendment from which the rules cannot continue.
    """
    state, drawn = record.state, record.journal[-1].entry.drawn
    if isinstance(event, Undone):
        # An undone game draws the same outcomes again for the same orders: the count goes back with it.
        state, drawn = timeline.state_after(event.to), record.journal[event.to].entry.drawn
    chance: Chance = committed_chance(record, drawn, timeline.past.words_sent) or RecordedChance((), drawn)
    turn = record.turn if takes_number else record.journal[-1].entry.turn
    taken = _from_outside(rules, state, event, chance)
    entry = taken.entry(len(record.journal), turn, MODERATOR)
    return replace(record, journal=(*record.journal, link(record.head, entry)), state=taken.state)


def fork(rules: AnyRuleset, record: Record, event: Forked) -> Record:
    """Return ``record`` (with an empty journal and a new secret) begun with ``event``.

    Raises ``SetupError`` if the game cannot begin with that position.
    """
    chance: Chance = committed_chance(record, 0, ()) or RecordedChance(())
    taken = _forked(rules, event, chance)
    return replace(record, journal=(link(record.beginning, taken.entry(0, 0, None)),), state=taken.state)


def _forked(rules: AnyRuleset, event: Forked, chance: Chance) -> Taken:
    """Return ``event`` with the events that follow from it. Raises ``SetupError`` for an impossible position."""
    with _on_trial(rules, rules.begin()):
        if rules.amended(event.state) != event.state:
            raise _unplayable("values that follow from others do not fit")
        taken = go_on(rules, event.state, chance)
        _try_out(rules, taken.state)
    return replace(taken, events=(event, *taken.events), order=event.order_text())


def _from_outside(rules: AnyRuleset, state: Any, event: Outside, chance: Chance) -> Taken:
    """Return ``event``, a correction or a word, with the events that follow from it in ``state``.

    Raises ``ImpossibleOutcomeError``, and ``SetupError`` if the rules fail on an amended state but not on the one before it.
    """
    after = event.apply(rules.config, state)
    if type(event) is WordSent:
        return Taken((event,), after, event.order_text(), drawn=chance.drawn)
    if isinstance(event, Amended):
        with _on_trial(rules, event.before):
            taken = go_on(rules, after, chance)
            _try_out(rules, taken.state)
    else:
        taken = go_on(rules, after, chance)
    return replace(taken, events=(event, *taken.events), order=event.order_text())


def validate_amendment(rules: AnyRuleset, before: Any, state: Any) -> Any:
    """Return the amended ``state`` with all values that follow from the new ones, if every viewer's view can be drawn.

    Raises ``SetupError`` with the reasons why the state is impossible. If the rules fail on the state ``before`` as well,
    they have a bug, and their exception is raised unchanged.
    """
    with _on_trial(rules, before):
        right = rules.amended(state)
        _try_views(rules, right)
    return right


@contextmanager
def _on_trial(rules: AnyRuleset, before: Any) -> Iterator[None]:
    """Raise ``SetupError`` if the rules fail in the block, their exception if they also fail on the state ``before``."""
    try:
        yield
    except (SetupError, ImpossibleOutcomeError):
        raise
    except Exception as error:
        with suppress(SetupError, ImpossibleOutcomeError):
            _try_out(rules, go_on(rules, rules.amended(before), RecordedChance(())).state)
        raise _unplayable(f"the rules cannot go on from it ({type(error).__name__}: {error})") from error


def _try_out(rules: AnyRuleset, state: Any) -> None:
    """Ask the rules once for everything that a moderator may ask for next, so that a failure shows up now."""
    asked = {ask.seat for ask in rules.due(state)}
    if not asked <= set(rules.config.seats):
        strangers = ", ".join(sorted(asked - set(rules.config.seats)))
        raise _unplayable(f"the game would wait for {strangers}: this game has no such seat")
    if not asked and not rules.is_over(state):
        raise _unplayable("no seat could act, but the game would not be over")
    rules.standings(state)
    tuple(rules.warnings(state))
    _try_views(rules, state)
    for seat in rules.config.seats:
        rules.retired(state, seat)
        at = rules.at(state, seat)
        orders = tuple(rules.legal(at))
        for order in orders:
            rules.language.text(order)
            rules.cost(at, order)
        if seat in asked and not orders:
            raise _unplayable(f"{seat} would have to act, but would have no legal order")


def _try_views(rules: AnyRuleset, state: Any) -> None:
    for viewer in (None, MODERATOR, *rules.config.seats):
        seen = rules.view(state, viewer)
        rules.draw(seen)
        rules.fact_values(seen)


def _unplayable(why: str) -> SetupError:
    return SetupError((Problem("core/impossible-amendment", why),))


# What a seat can know of its orders --------------------------------------------------------------------------------------
#
# A seat's view has replacements for what the seat may not know. The rules must not decide from these: here each hidden value
# is an ``Unknown``, and any use of it ends the order, as the first draw does. So every event before that end also happens in
# the whole game.


class HiddenError(UnknownError):
    """Report that a value which the viewer may not know decides what happens next, or becomes known."""


class HiddenReadError(HiddenError):
    """Report that the rules read a value that the viewer may not know."""


def _refuse(*_values: Any) -> Any:
    raise HiddenReadError("a hidden value")


class Unknown:
    """A value that a viewer does not know: every use of it raises ``HiddenReadError``."""

    __slots__ = ()
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __len__ = __iter__ = __contains__ = _refuse
    __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __int__ = __index__ = __str__ = __format__ = _refuse
    __hash__ = _refuse

    def __getattr__(self, name: str) -> Any:
        """Refuse, as for every other use."""
        _refuse(name)


_UNKNOWN: Final = Unknown()


@dataclass
class Known:
    """What a seat can know of the ``order`` that is carried out: its ``events`` so far, and what ``stopped`` it."""

    order: Any = None
    events: list[Any] = field(default_factory=list)
    stopped: UnknownError | None = None


def known_rules(rules: AnyRuleset, seat: Seat, known: Known) -> AnyRuleset:
    """Return ``rules`` for positions that are views of ``seat``: an order raises ``UnknownError`` where it cannot know more.

    ``known`` follows the order that is carried out.
    """
    config, state_class = rules.config, cast("Any", rules.state)
    veil, leave_out = redactor(state_class, _veil), redactor(state_class, lambda _mark, _config, _value: None)

    def watched(at: Here, begin: Callable[[Here], Moves]) -> Moves:
        hidden: Here = at if veil is None else At(config, veil(config, at.state, at.state, seat), at.seat)
        after: Here | None = None
        try:
            events = begin(hidden)
            while True:
                try:
                    event = events.send(after)
                except StopIteration:
                    return
                _require_known(event)
                hidden = after = hidden.after(event)
                at = yield event
                _require_known(after.state if leave_out is None else leave_out(config, at.state, after.state, seat))
                known.events.append(event)
        except UnknownError as error:
            # Of independent seats, another one's secret decides only what follows for the others, or for all at the end.
            if not (config.seats_are_independent and isinstance(error, HiddenReadError) and known.events):
                known.stopped = error
                raise

    def decide(at: Here, order: Any, chance: Any) -> Moves:
        known.order, known.events = order, []
        return watched(at, lambda hidden: rules.decide(hidden, order, chance))

    def follow(state: Any, chance: Any) -> Moves:
        return watched(rules.at(state), lambda hidden: rules.follow(hidden.state, chance))

    return changed(rules, decide=decide, follow=follow)


def _veil(mark: Mark, config: Any, value: Any) -> Any:
    """Return the replacement of a hidden ``value``, which others may count or of which they know that it is there."""
    shown = mark.instead(config, value)
    if mark.instead is as_count or (isinstance(shown, tuple) and shown):
        return (_UNKNOWN,) * len(shown)
    return None if shown is None and mark.instead is not nothing else _UNKNOWN


def _require_known(value: Any) -> None:
    """Raise ``HiddenError`` if there is an ``Unknown`` in ``value``."""
    if type(value) is Unknown:
        raise HiddenError("a hidden value")
    parts: Iterable[Any] = ()
    if isinstance(value, Value):
        parts = (getattr(value, name) for name in value.__struct_fields__)
    elif isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, Sequence) and not isinstance(value, str):
        parts = value
    for part in parts:
        _require_known(part)
