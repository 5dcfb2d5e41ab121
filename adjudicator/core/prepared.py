"""A game that is prepared but not begun: everything is fixed except the words that its players add to chance."""

from __future__ import annotations

from typing import Final

from adjudicator.core.game import Heading
from adjudicator.core.values import Seat, canonical_bytes, digest

PREPARED: Final = 1
"""The version of the file format of prepared games."""


class PreparedGame(Heading, kw_only=True):
    """A game before its first entry.

    ``chance`` holds the secret, its commitment and the words sent so far. Once the words ``are_published``, they never
    change, and the game begins ``without`` words from the other seats.
    """

    are_published: bool = False

    @property
    def silent(self) -> tuple[Seat, ...]:
        """The seats that have not sent a word, in the order of the set-up."""
        return tuple(seat for seat in self.setup.seats if seat not in self.chance.entropy)

    @property
    def seal(self) -> str:
        """The hash over the file, which reveals changes made by hand."""
        rest = (PREPARED, self.chance, self.are_published)
        return digest(b"adjudicator prepared\n" + self.promise.encode(), canonical_bytes(rest))
