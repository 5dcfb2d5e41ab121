"""Compute the outcomes that each entry of a game with a secret has drawn, by deciding it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from adjudicator.core.chance import CommittedChance
from adjudicator.core.corrections import Correction, Undone
from adjudicator.core.entries import redecide
from adjudicator.core.order import Instruction, instruction_text
from adjudicator.core.rules import AnyRules
from adjudicator.core.step import RefusedError
from adjudicator.library.game import Game
from adjudicator.orders.grammar import read_expression

_UNWRITABLE: Final = frozenset(" [],\t\n#;")


class UnwritableOutcomesError(Exception):
    """Report the outcomes of a game that a script cannot contain."""


class _Noted(CommittedChance):
    """Committed chance that records its outcomes."""

    __slots__ = ("outcomes",)

    def __init__(self, secret: bytes, entropy: Mapping[str, str]) -> None:
        super().__init__(secret, entropy)
        self.outcomes: list[str] = []

    def pick(self, purpose: str, among: Sequence[str]) -> str:
        """Return the next outcome."""
        self.outcomes.append(super().pick(purpose, among))
        return self.outcomes[-1]


def outcomes_of(game: Game) -> Mapping[int, tuple[str, ...]]:
    """Return the outcomes of each entry by its number. Raises ``UnwritableOutcomesError``."""
    rules, record = game.rules, game.record
    noted = _Noted(bytes.fromhex(record.chance.secret or ""), record.chance.entropy)
    found: dict[int, tuple[str, ...]] = {}
    past: list[tuple[Any, int]] = []
    for entry in (link.entry for link in record.journal):
        noted.outcomes.clear()
        event = entry.outside
        before, drawn = (past[event.to if isinstance(event, Undone) else -1]) if past else (None, 0)
        try:
            taken = redecide(rules, before, entry, noted, drawn, lambda text: _read(rules, text))
        except RefusedError as error:
            words = "cannot be decided again" if error.seat_is_due else f"is an order of {entry.seat}, who was not due"
            raise UnwritableOutcomesError(f"entry {entry.n} {words}") from error
        if any(not outcome or set(outcome) & _UNWRITABLE for outcome in noted.outcomes):
            raise UnwritableOutcomesError(f"a script cannot hold an outcome of entry {entry.n} in brackets")
        if noted.outcomes and isinstance(event, Correction):
            raise UnwritableOutcomesError(f"the correction in entry {entry.n} drew outcomes, which a script cannot hold")
        found[entry.n] = tuple(noted.outcomes)
        past.append((taken.state, taken.drawn))
    return found


def with_outcomes(rules: AnyRules, text: str, outcomes: Sequence[str]) -> str:
    """Return the order ``text`` in canonical words, then ``outcomes`` in brackets."""
    return instruction_text(Instruction(_read(rules, text).expression, tuple(outcomes)), rules.language.text)


def _read(rules: AnyRules, text: str) -> Instruction:
    return Instruction(*read_expression(rules, text))
