"""Decides one game again from its set-up and compares it with its record, event by event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from adjudicator.audit.verdict import Divergence, Kind, Verdict
from adjudicator.core.chance import Chance, ImpossibleOutcomeError, RecordedChance
from adjudicator.core.corrections import CORRECTIONS, Amended, SecretRevealed, Undone
from adjudicator.core.diff import MISSING, differences
from adjudicator.core.journal import Entry
from adjudicator.core.order import Instruction
from adjudicator.core.plain import canonical_text, plain
from adjudicator.core.step import SKIPPED, Taken, carry_out, choose_order, committed_chance, go_on, written_text
from adjudicator.desk import Desk
from adjudicator.orders.line import read_expression


class _Diverged(Exception):
    """Ends the audit of a game at its first divergence."""

    def __init__(self, divergence: Divergence) -> None:
        super().__init__(divergence.kind)
        self.divergence = divergence


@dataclass(slots=True)
class _Course:
    """How far the audit of a game has come: the states after each entry, and the outcomes used."""

    desk: Desk
    past: list[Any]
    drawn: int = 0
    orders: int = 0
    corrections: int = 0


def audit_game(desk: Desk, source: str = "") -> Verdict:
    """Return the verdict on the game on ``desk``, which was loaded and so has a sound schema, chain and commitment."""
    game = desk.game
    course = _Course(desk, [])
    divergence = None
    try:
        for link in game.journal:
            _audit_entry(course, link.entry)
        _compare_state(course)
    except _Diverged as diverged:
        divergence = diverged.divergence
    return Verdict(
        source=source,
        game=game.id,
        ruleset=game.ruleset.id,
        entries=len(course.past),
        orders=course.orders,
        corrections=course.corrections,
        draws=course.drawn,
        is_over=desk.rules.is_over(desk.table, game.state),
        divergence=divergence,
    )


def _audit_entry(course: _Course, entry: Entry) -> None:
    if entry.n == 0:
        _audit_setup(course, entry)
    elif entry.events and isinstance(entry.events[0], CORRECTIONS):
        _audit_correction(course, entry)
    elif entry.seat is None:
        raise _diverged(entry, Kind.EVENTS, "seat", "nobody", "a seat")
    else:
        _audit_order(course, entry)


def _audit_setup(course: _Course, entry: Entry) -> None:
    rules, table = course.desk.rules, course.desk.table
    chance = _chance(course, _recorded_outcomes(entry))
    try:
        taken = go_on(rules, table, rules.initial(table), chance)
    except ImpossibleOutcomeError as impossible:
        raise _diverged(entry, Kind.SETUP, "chance", str(impossible.outcome), impossible.purpose) from impossible
    _compare(course, entry, taken, chance, Kind.SETUP)
    course.past.append(taken.state)


def _recorded_outcomes(entry: Entry) -> Sequence[str]:
    """Return the outcomes that the set-up of a recorded game keeps in brackets."""
    return (entry.written or "[]").removeprefix("[").removesuffix("]").split()


def _audit_order(course: _Course, entry: Entry) -> None:
    """Read, choose and carry out an order again, and compare everything that the record says of it."""
    rules, table, state = course.desk.rules, course.desk.table, course.past[-1]
    assert entry.seat is not None
    instruction = _instruction(course, entry)
    if entry.seat not in {decision.seat for decision in rules.awaiting(table, state)}:
        due = " ".join(decision.seat for decision in rules.awaiting(table, state)) or "nobody"
        raise _diverged(entry, Kind.REFUSED, "seat", entry.seat, due)
    choice = choose_order(rules, table, state, entry.seat, instruction)
    if choice.refusals:
        _, problem = choice.refusals[0]
        raise _diverged(entry, Kind.REFUSED, "order", entry.order, f"refused: {problem.message}", problem.rule)
    if choice.notes != entry.notes:
        recorded, recomputed = "; ".join(entry.notes), "; ".join(choice.notes)
        raise _diverged(entry, Kind.BRANCH, "notes", recorded, recomputed)
    chance = _chance(course, instruction.draws)
    taken = Taken((), state, SKIPPED)
    if choice.order is not None:
        try:
            taken = carry_out(rules, table, state, entry.seat, choice.order, chance)
        except ImpossibleOutcomeError as impossible:
            words = f"{impossible.purpose}: one of {' '.join(impossible.among)}"
            raise _diverged(entry, Kind.CHANCE, "outcome", str(impossible.outcome), words) from impossible
    if taken.announced != entry.order:
        raise _diverged(entry, Kind.BRANCH, "order", entry.order, taken.announced)
    if written_text(rules, instruction, taken.announced) != entry.written:
        raise _diverged(entry, Kind.BRANCH, "written", str(entry.written), "its canonical words")
    _compare(course, entry, taken, chance, Kind.EVENTS)
    course.past.append(taken.state)
    course.orders += 1


def _instruction(course: _Course, entry: Entry) -> Instruction:
    text = entry.order if entry.written is None else entry.written
    try:
        expression, draws = read_expression(course.desk.rules, text)
    except ValueError as error:
        raise _diverged(entry, Kind.UNREADABLE, "order", text, "an order of this game") from error
    return Instruction(expression, draws)


def _chance(course: _Course, outcomes: Sequence[str]) -> Chance:
    return committed_chance(course.desk.game, course.drawn) or RecordedChance(outcomes, course.drawn)


def _compare(course: _Course, entry: Entry, taken: Taken, chance: Chance, kind: Kind) -> None:
    """Compare the events and the count of outcomes. Values are compared first: they are equal nearly always."""
    if taken.events != entry.events:
        for path, recorded, recomputed in differences(plain(entry.events), plain(taken.events)):
            raise _diverged(entry, kind, f"events{path}", _shown(recorded), _shown(recomputed), _rule_at(taken, path))
    if chance.drawn != entry.drawn:
        raise _diverged(entry, Kind.CHANCE, "drawn", str(entry.drawn), str(chance.drawn))
    course.drawn = chance.drawn


def _rule_at(taken: Taken, path: str) -> str:
    """Return the rule behind the event that ``path`` (``[2].tile``) leads into."""
    index = path[1:].partition("]")[0]
    if not index.isdigit() or int(index) >= len(taken.events):
        return ""
    event = taken.events[int(index)]
    rule: str = getattr(event, "rule", "")
    return rule or ", ".join(dict.fromkeys(part.rule for part in getattr(event, "why", ())))


def _audit_correction(course: _Course, entry: Entry) -> None:
    """Check that a correction says truly what it changed; whether it was wise is not for an audit to say."""
    rules, table, state = course.desk.rules, course.desk.table, course.past[-1]
    event = entry.events[0]
    drawn = course.drawn
    if isinstance(event, Undone):
        if event.to >= entry.n:
            raise _diverged(entry, Kind.CORRECTION, "events[0].to", str(event.to), f"less than {entry.n}")
        state = course.past[event.to]
        drawn = course.desk.game.journal[event.to].entry.drawn
    elif isinstance(event, Amended):
        for path, recorded, recomputed in differences(plain(event.before), plain(state)):
            raise _diverged(entry, Kind.CORRECTION, f"events[0].before.{path}", _shown(recorded), _shown(recomputed))
        state = event.after
    elif isinstance(event, SecretRevealed) and event.secret != course.desk.game.chance.secret:
        raise _diverged(entry, Kind.CORRECTION, "events[0].secret", event.secret, "the secret committed to")
    course.drawn = drawn
    chance = _chance(course, ())
    followed = go_on(rules, table, state, chance)
    _compare(course, entry, Taken((event, *followed.events), followed.state, ""), chance, Kind.CORRECTION)
    course.past.append(followed.state)
    course.corrections += 1


def _compare_state(course: _Course) -> None:
    """Compare the position in the file with what the entries came to."""
    recorded, recomputed = course.desk.game.state, course.past[-1]
    if recorded != recomputed:
        for path, left, right in differences(plain(recorded), plain(recomputed)):
            raise _Diverged(Divergence(Kind.STATE, None, "", "", path, _shown(left), _shown(right)))


def _diverged(entry: Entry, kind: Kind, field: str, recorded: str, recomputed: str, rule: str = "") -> _Diverged:
    return _Diverged(Divergence(kind, entry.n, entry.seat or "", entry.order, field, recorded, recomputed, rule))


def _shown(value: Any) -> str:
    return value if value == MISSING else canonical_text(value)
