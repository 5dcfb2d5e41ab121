"""Compute the outcomes that each entry of a game with a secret has drawn, by deciding it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adjudicator.core.apply_correction import consequences
from adjudicator.core.chance import CommittedChance
from adjudicator.core.corrections import CORRECTIONS, Undone, apply_event
from adjudicator.core.journal import Entry
from adjudicator.core.order import Instruction, instruction_text
from adjudicator.core.rules import AnyRules
from adjudicator.core.step import carry_out, choose_order, go_on
from adjudicator.core.values import Seat
from adjudicator.orders.parser import read_expression
from adjudicator.session import Session


class UnwritableOutcomesError(Exception):
    """Report the outcomes of a game that a script cannot contain."""


class _Noted(CommittedChance):
    """Committed chance that records its outcomes."""

    __slots__ = ("outcomes",)

    def __init__(self, secret: bytes, entropy: Mapping[str, str], drawn: int) -> None:
        super().__init__(secret, entropy, drawn)
        self.outcomes: list[str] = []

    def pick(self, purpose: str, among: Sequence[str]) -> str:
        """Return the next outcome."""
        self.outcomes.append(super().pick(purpose, among))
        return self.outcomes[-1]


def outcomes_of(session: Session) -> Mapping[int, tuple[str, ...]]:
    """Return the outcomes of each entry by its number. Raises ``UnwritableOutcomesError``."""
    found: dict[int, tuple[str, ...]] = {}
    past: list[Any] = []
    before = 0
    for link in session.game.journal:
        entry = link.entry
        noted, state = _decided(session, entry, past, before)
        if not all(_is_writable(outcome) for outcome in noted):
            raise UnwritableOutcomesError(f"a script cannot hold an outcome of entry {entry.n} in brackets")
        if noted and entry.n and entry.events and isinstance(entry.events[0], CORRECTIONS):
            raise UnwritableOutcomesError(f"the correction in entry {entry.n} drew outcomes, which a script cannot hold")
        found[entry.n] = noted
        past.append(state)
        before = entry.drawn
    return found


def with_outcomes(rules: AnyRules, text: str, outcomes: Sequence[str]) -> str:
    """Return the order ``text`` in canonical words, then ``outcomes`` in brackets."""
    expression, _ = read_expression(rules, text)
    return instruction_text(Instruction(expression, tuple(outcomes)), rules.language.text)


def _decided(session: Session, entry: Entry, past: Sequence[Any], drawn: int) -> tuple[tuple[str, ...], Any]:
    """Return what ``entry`` drew, and the state after it; before it ``drawn`` outcomes were used."""
    rules, game = session.rules, session.game
    event = entry.events[0] if entry.events else None
    if isinstance(event, Undone):
        drawn = game.journal[event.to].entry.drawn
    noted = _Noted(bytes.fromhex(game.chance.secret or ""), game.chance.entropy, drawn)
    if entry.n == 0:
        taken = go_on(rules, rules.initial(), noted)
    elif isinstance(event, CORRECTIONS):
        state = apply_event(rules, past[-1], event, past)
        taken = consequences(rules, state, event, noted, session.seats)
    else:
        expression, draws = read_expression(rules, entry.written or entry.order)
        seat = Seat(entry.seat or "")
        at = rules.answering(past[-1], seat)
        if at is None:
            raise UnwritableOutcomesError(f"entry {entry.n} is an order of {seat}, who was not due")
        choice = choose_order(rules, at, Instruction(expression, draws))
        taken = carry_out(rules, past[-1], at, choice.order, noted)
    return tuple(noted.outcomes), taken.state


def _is_writable(outcome: str) -> bool:
    return bool(outcome) and not set(outcome) & set(" [],\t\n#;")
