"""A game that is prepared and not begun: all is fixed but the words that its players add to chance."""

from __future__ import annotations

from typing import Final

from adjudicator.core.canonical import canonical_bytes, digest
from adjudicator.core.chance import ChanceRecord
from adjudicator.core.frozen import frozen
from adjudicator.core.game import ComponentsRef, RulesetRef, promise_of
from adjudicator.core.ids import Name, Seat
from adjudicator.core.ruleset import Setup

PREPARED: Final = 1
"""The number of the form in which prepared games are filed."""


@frozen(kw_only=True)
class PreparedGame:
    """A game before its first entry.

    ``chance`` has the secret, its commitment and the words sent so far. Once the words ``are_published``, they stay as they
    are, and the seats that sent none are those the game goes ``without``.
    """

    id: Name
    ruleset: RulesetRef
    components: ComponentsRef
    chance: ChanceRecord
    setup: Setup
    are_published: bool = False

    @property
    def promise(self) -> str:
        """The hash to publish before anybody sends a word: that of the game it becomes."""
        return promise_of(self.id, self.ruleset, self.components, self.chance, self.setup)

    @property
    def silent(self) -> tuple[Seat, ...]:
        """The seats of which no word has come, in the order of the set-up."""
        return tuple(seat for seat in self.setup.seats if seat not in self.chance.entropy)

    @property
    def seal(self) -> str:
        """The hash over the file: what was prepared is not to be changed by hand."""
        rest = (PREPARED, self.chance, self.are_published)
        return digest(b"adjudicator prepared\n" + self.promise.encode(), canonical_bytes(rest))
