"""Keep the progress of the audit of a game, and the next outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from adjudicator.audit.compare import divergence_at
from adjudicator.audit.recorded_orders import Reader
from adjudicator.core.chance import Chance, CommittedChance, ImpossibleOutcomeError, RecordedChance
from adjudicator.core.journal import Entry
from adjudicator.core.values import Seat
from adjudicator.session import Session
from adjudicator.verdict import Kind


@dataclass(slots=True)
class AuditProgress:
    """The ``state`` after the last of ``entries``, and the values that the next entry must fit.

    ``read`` reads the recorded orders. ``committed`` is the chance of the game (``None``: recorded), ``drawn`` how many
    outcomes are used up. ``earlier`` has state and outcomes after each entry to which the game goes back later. ``turn`` is
    the adjudication of the last entry, which ``is_closed`` if nothing can be added to it. ``holders`` has the player of each
    seat, ``undone`` the entries that no longer count. ``most_drawn`` is the highest count of outcomes so far, which an undo
    leaves, ``words`` has the latest word for chance of each seat; the ``word_seats`` sent one in adjudication
    ``turn_of_words``. ``missed`` has for each seat how many deadlines in a row it has missed.
    """

    session: Session
    read: Reader
    committed: CommittedChance | None
    state: Any = None
    entries: int = 0
    earlier: dict[int, tuple[Any, int]] = field(default_factory=dict)
    drawn: int = 0
    turn: int = 0
    is_closed: bool = True
    holders: dict[Seat, str] = field(default_factory=dict)
    undone: set[int] = field(default_factory=set)
    missed: dict[Seat, int] = field(default_factory=dict)
    most_drawn: int = 0
    words: dict[Seat, str] = field(default_factory=dict)
    turn_of_words: int = 0
    word_seats: set[Seat | None] = field(default_factory=set)
    is_revealed: bool = False
    orders: int = 0
    corrections: int = 0

    def chance(self, outcomes: Sequence[str]) -> Chance:
        """Return the source of the next outcomes: the secret, or the recorded ``outcomes``."""
        if self.committed is None:
            return RecordedChance(outcomes, self.drawn)
        self.committed.drawn = self.drawn
        return self.committed

    def close(self, entry: Entry, state: Any, drawn: int, *, is_closed: bool) -> None:
        """Continue with the next entry: ``entry`` is right and leads to ``state``."""
        if entry.drawn != drawn:
            raise divergence_at(entry, Kind.CHANCE, "drawn", entry.drawn, drawn)
        self.drawn = drawn
        if drawn > self.most_drawn:
            self.most_drawn = drawn
        self.state = state
        if self.entries in self.earlier:
            self.earlier[self.entries] = state, drawn
        self.entries += 1
        self.turn, self.is_closed = entry.turn, is_closed


def impossible_outcome(entry: Entry, kind: Kind, impossible: ImpossibleOutcomeError) -> Exception:
    """Return the divergence for an impossible recorded outcome."""
    recorded = "nothing" if impossible.outcome is None else impossible.outcome
    among = " ".join(impossible.among[:20]) + (" …" if len(impossible.among) > 20 else "")
    words = f"{impossible.purpose}: one of {among}" if among else "no more outcomes"
    return divergence_at(entry, kind, "outcome", recorded, words)
