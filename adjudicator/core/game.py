"""One game as it is kept in a file."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from annotated_types import Ge, Len

from adjudicator.core.canonical import canonical_bytes, digest
from adjudicator.core.chance import ChanceRecord
from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.ids import Digest, Line, Name, Seat
from adjudicator.core.journal import Journal
from adjudicator.core.ruleset import Setup

FORMAT: Final = 2
"""The number of the game-file format that this version writes."""

_CHAIN: Final = 1
"""The number of the way in which entries are chained: a new format of files leaves the published hashes as they are."""


@frozen
class RulesetRef:
    """Which rules decide a game: the ruleset's id and the version of its rules."""

    id: Name
    version: Annotated[int, Ge(1)]


@frozen
class ComponentsRef:
    """Which components a game is played with: id, version, and the hash over their canonical JSON."""

    id: Name
    version: Annotated[int, Ge(1)]
    hash: Digest


@frozen
class PendingOrder:
    """An order that was sent but is not due yet: canonical words, and its line in the turn file it came in."""

    line: Annotated[int, Ge(0)]
    order: Line


@frozen
class PendingSheet:
    """What is left of a seat's sheet, received in adjudication ``turn``.

    ``is_begun`` says that the first of the ``orders`` is what is left of one that has been begun (``WAIT 3``: ``WAIT 2``).
    """

    seat: Seat
    turn: Annotated[int, Ge(0)]
    orders: tuple[PendingOrder, ...]
    is_begun: bool = False


Cause = Literal["replaced", "withdrawn", "refused", "over", "undone"]
"""Why orders wait no longer: a new sheet, their seat's or the moderator's wish, a refused one, the end, an undo."""


@frozen
class SetAside:
    """Orders that waited and wait no longer, though nobody has carried them out: they can be brought back.

    ``turn`` is the number of the adjudication in which it happened, or that came next; ``why`` says what it was, ``reason``
    why the moderator did it (empty: it was not the moderator).
    """

    turn: Annotated[int, Ge(0)]
    why: Cause
    sheet: PendingSheet
    reason: Annotated[str, Len(0, 400)] = ""


@frozen(kw_only=True)
class Game:
    """A game: its heading (fixed on the first day), its journal, what is pending, and the state it has come to.

    ``set_aside`` keeps what was pending and was not carried out, in the order in which it was taken away.
    """

    id: Name
    ruleset: RulesetRef
    components: ComponentsRef
    chance: ChanceRecord
    setup: Setup
    journal: Journal
    pending: tuple[PendingSheet, ...]
    state: Any
    set_aside: tuple[SetAside, ...] = added_later(())

    @property
    def turn(self) -> int:
        """The number of the adjudication that comes next: 1 after the set-up."""
        return self.journal[-1].entry.turn + 1 if self.journal else 0

    @property
    def head(self) -> str:
        """The hash the next entry is chained to."""
        return self.journal[-1].hash if self.journal else self.beginning

    @property
    def beginning(self) -> str:
        """The hash of the heading, to which entry 0 is chained.

        The secret stands outside: it is proved by the commitment, which is inside.
        """
        heading = (
            _CHAIN,
            self.id,
            self.ruleset,
            self.components,
            self.chance.source,
            self.chance.commitment,
            self.chance.entropy,
            self.setup.players,
            self.setup.options,
            self.setup.position,
        )
        return digest(b"adjudicator game\n", canonical_bytes(heading))

    @property
    def seal(self) -> str:
        """The hash over everything that the chain does not cover: the secret, the state, what is pending or set aside."""
        outside = (self.chance.secret, self.pending, self.state)
        # Games without it have the seals they always had.
        set_aside = ("set_aside", self.set_aside) if self.set_aside else ()
        return digest(self.head.encode(), canonical_bytes((*outside, *set_aside)))
