"""One game as it is kept in a file."""

from __future__ import annotations

from typing import Annotated, Any, Final

from adjudicator.core.bounds import Ge, Len
from adjudicator.core.canonical import canonical_bytes, digest
from adjudicator.core.chance import ChanceRecord
from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.ids import Digest, Line, Name, Seat
from adjudicator.core.journal import Journal
from adjudicator.core.order import Cause
from adjudicator.core.ruleset import Setup

FORMAT: Final = 2
"""The number of the game-file format that this version writes."""

_PROMISE: Final = b"adjudicator promise 1\n"
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


@frozen
class SetAside:
    """Orders that waited and wait no longer, though nobody has carried them out: they can be brought back.

    ``turn`` is the number of the adjudication in which it happened, or that came next; ``cause`` says what it was, and
    ``reason`` why the moderator did it (empty: it was not the moderator).
    """

    turn: Annotated[int, Ge(0)]
    cause: Cause
    sheet: PendingSheet
    reason: Annotated[str, Len(0, 400)] = ""


@frozen
class Receipt:
    """Something that ``seat`` has sent for adjudication ``turn``: never its words, only what proves which it was.

    ``hash`` is the SHA-256 of its bytes; ``received`` is when the moderator's mail server took it, in seconds since 1970,
    ``None`` where nothing says so.
    """

    turn: Annotated[int, Ge(0)]
    seat: Seat
    hash: Digest
    received: int | None = None


@frozen(kw_only=True)
class Game:
    """A game: its heading (fixed on the first day), its journal, what is pending, and the state it has come to.

    ``set_aside`` keeps what was pending and was not carried out, in the order in which it was taken away.
    ``receipts`` lists what has arrived, accepted or not, in the order in which it was taken. ``reported`` counts the entries
    of the journal that reports have told of. ``languages`` are those in which orders may be written besides English: a
    setting of the game, of which nothing in the journal knows.
    """

    id: Name
    ruleset: RulesetRef
    components: ComponentsRef
    chance: ChanceRecord
    setup: Setup
    journal: Journal
    pending: tuple[PendingSheet, ...]
    state: Any
    receipts: tuple[Receipt, ...] = added_later(())
    reported: Annotated[int, Ge(0)] = added_later(0)
    set_aside: tuple[SetAside, ...] = added_later(())
    languages: tuple[Name, ...] = added_later(())

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
        # Games that were begun before there were promises have the hashes they always had.
        promised = ("promised", self.chance.without) if self.chance.promised else ()
        return digest(b"adjudicator game\n", canonical_bytes((*heading, *promised)))

    @property
    def promise(self) -> str:
        """The hash that is published before the players send their words: it fixes all of the set-up but those."""
        return promise_of(self.id, self.ruleset, self.components, self.chance, self.setup)

    @property
    def seal(self) -> str:
        """The hash over what the chain does not cover: secret, state, what is pending, and what was added later, if any."""
        return self.sealed(self.head)

    def sealed(self, head: str) -> str:
        """Return the seal of this game with a journal that ends with the hash ``head``."""
        outside = (self.chance.secret, self.pending, self.state)
        # Games that have nothing of these have the seals they always had.
        receipts = (self.receipts,) if self.receipts else ()
        set_aside = ("set_aside", self.set_aside) if self.set_aside else ()
        reported = ("reported", self.reported) if self.reported else ()
        languages = ("languages", self.languages) if self.languages else ()
        return digest(head.encode(), canonical_bytes((*outside, *receipts, *set_aside, *reported, *languages)))


def promise_of(name: str, ruleset: RulesetRef, components: ComponentsRef, chance: ChanceRecord, setup: Setup) -> str:
    """Return the promise of the game ``name``: seats, who holds them, their order, options, position, and the commitment."""
    fixed = (name, ruleset, components, chance.commitment, setup.players, setup.options, setup.position)
    return digest(_PROMISE, canonical_bytes(fixed))
