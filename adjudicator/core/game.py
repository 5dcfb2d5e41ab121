"""One game, as its file holds it."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.core.chance import ChanceRecord
from adjudicator.core.journal import Link
from adjudicator.core.order import Cause
from adjudicator.core.ruleset import Setup
from adjudicator.core.values import (
    Count,
    Digest,
    Line,
    Name,
    Note,
    Positive,
    Seat,
    Value,
    Whole,
    canonical_bytes,
    digest,
    kept,
)

FORMAT: Final = 2
"""The number of the game-file format that this version writes."""

_PROMISE: Final = b"adjudicator promise 1\n"
_CHAIN: Final = 1
"""The version of the hash chain of entries; new file formats keep it, so that published hashes stay valid."""


class RulesetRef(Value):
    """The rules that decide a game: the ruleset's id and the version of its rules."""

    id: Name
    version: Positive


class ComponentsRef(Value):
    """The components of a game: id, version, and the hash of their canonical JSON."""

    id: Name
    version: Positive
    hash: Digest


class PendingOrder(Value):
    """An order that was sent but is not due yet: its canonical text, and its line in its turn file."""

    line: Count
    order: Line


class PendingSheet(Value):
    """The rest of a seat's sheet, received in adjudication ``turn``.

    ``is_begun`` says that the first of the ``orders`` is the rest of one that was begun (``WAIT 3``: ``WAIT 2``).
    """

    seat: Seat
    turn: Count
    orders: tuple[PendingOrder, ...]
    is_begun: bool = False


class SetAside(Value):
    """Orders that are no longer pending but were not carried out; they can be brought back.

    ``turn`` is the number of the adjudication that set them aside, or of the next one. ``cause`` is the kind of event,
    ``reason`` the moderator's reason (empty: the moderator did not do it).
    """

    turn: Count
    cause: Cause
    sheet: PendingSheet
    reason: Note = ""


class Receipt(Value, omit_defaults=True):
    """Proof that ``seat`` sent something for adjudication ``turn``, without the text itself.

    ``hash`` is the SHA-256 of its bytes. ``received`` is the time at which the moderator's mail server received it, in
    seconds since 1970 (``None``: not known). ``identity`` is the hash that all its copies share (``None``: its ``hash``, or
    an earlier version recorded it).
    """

    turn: Count
    seat: Seat
    hash: Digest
    received: Whole | None = kept(None)
    identity: Digest | None = None


class Heading(Value, kw_only=True):
    """What is fixed before the first day of a game: rules, components, the commitment of chance, and the set-up."""

    id: Name
    ruleset: RulesetRef
    components: ComponentsRef
    chance: ChanceRecord
    setup: Setup

    @property
    def promise(self) -> str:
        """The hash to publish before the players send their words for chance; the game keeps it."""
        setup, fixed = self.setup, (self.id, self.ruleset, self.components, self.chance.commitment)
        return digest(_PROMISE, canonical_bytes((*fixed, setup.players, setup.options, setup.position)))


class Game(Heading, kw_only=True, omit_defaults=True):
    """A game: its heading (fixed on the first day), its journal, its pending orders, and its present state.

    ``set_aside`` holds the pending orders that were set aside without being carried out, in that order. ``receipts`` lists
    all that arrived, accepted or refused, in the order of recording. ``reported`` counts the entries of the journal that
    reports have covered. ``languages`` are the languages of orders, in addition to English; this setting does not affect the
    journal.
    """

    journal: tuple[Link, ...]
    pending: tuple[PendingSheet, ...]
    state: Any
    receipts: tuple[Receipt, ...] = ()
    reported: Count = 0
    set_aside: tuple[SetAside, ...] = ()
    languages: tuple[Name, ...] = ()

    @property
    def turn(self) -> int:
        """The number of the next adjudication: 1 after the set-up."""
        return self.journal[-1].entry.turn + 1 if self.journal else 0

    @property
    def head(self) -> str:
        """The hash to which the next entry is chained."""
        return self.journal[-1].hash if self.journal else self.beginning

    @property
    def beginning(self) -> str:
        """The hash of the heading, to which entry 0 is chained.

        It covers the commitment, which proves the secret, but not the secret itself.
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
        # Games without a promise, such as older ones, keep their hashes.
        promised = ("promised", self.chance.without) if self.chance.promised else ()
        return digest(b"adjudicator game\n", canonical_bytes((*heading, *promised)))

    @property
    def seal(self) -> str:
        """The hash over the parts that the chain does not cover: secret, state, pending orders, and fields added later."""
        outside = (self.chance.secret, self.pending, self.state)
        # Games without these fields keep their seals.
        receipts = (self.receipts,) if self.receipts else ()
        set_aside = ("set_aside", self.set_aside) if self.set_aside else ()
        reported = ("reported", self.reported) if self.reported else ()
        languages = ("languages", self.languages) if self.languages else ()
        return digest(self.head.encode(), canonical_bytes((*outside, *receipts, *set_aside, *reported, *languages)))
