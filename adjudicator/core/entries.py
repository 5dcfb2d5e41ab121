"""Make the entries of a journal that are no orders, and decide any entry again.

Before an amendment is accepted, the rules are tried on the amended state, since no game may ever have reached it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from adjudicator.core.chance import Chance, CommittedChance, ImpossibleOutcomeError, RecordedChance, WordSent
from adjudicator.core.corrections import Amended, Forked, Undone
from adjudicator.core.game import Record
from adjudicator.core.journal import Entry, Outside, link
from adjudicator.core.order import FirstOf, Instruction, When
from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import RefusedError, Taken, begun, committed_chance, decide, go_on, validate_expression
from adjudicator.core.timeline import Timeline
from adjudicator.core.values import MODERATOR, Seat, replace

DRAWN: Final = Problem(
    "core/chance-not-recorded", "outcomes in brackets, but the program draws the outcomes of this game", part="written"
)


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
    if isinstance(instruction.expression, (FirstOf, When)):
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
