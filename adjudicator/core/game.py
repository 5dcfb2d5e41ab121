"""One game, begun or only prepared, as its file holds it, and its orders that wait."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from adjudicator.core.chance import ChanceRecord
from adjudicator.core.journal import Link
from adjudicator.core.order import Cause
from adjudicator.core.phrases import count
from adjudicator.core.problem import CorrectionError
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
    defaults_of,
    digest,
    kept,
    replace,
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


class PendingOrder(Value, omit_defaults=True):
    """An order that was sent but is not due yet: its canonical text, its line in its turn file, and its player's note."""

    line: Count
    order: Line
    note: Note = ""


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


class Record(Heading, kw_only=True, omit_defaults=True):
    """A game: its heading (fixed on the first day), its journal, its pending orders, and its present state.

    ``set_aside`` holds the pending orders that were set aside without being carried out, in that order. ``receipts`` lists
    all that arrived, accepted or refused, in the order of recording. ``reported`` counts the entries of the journal that
    reports have covered. ``languages`` are the languages of orders, in addition to English; this setting does not affect the
    journal. A field with a default is added with one line: files without it are older, and keep their seals.
    """

    journal: tuple[Link, ...]
    pending: tuple[PendingSheet, ...]
    state: Any
    receipts: tuple[Receipt, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    reported: Count = 0
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
        sealed = [self.chance.secret, self.pending, self.state]
        for name in defaults_of(Record):  # games without these fields keep their seals
            if value := getattr(self, name):
                sealed += [value] if name == "receipts" else [name, value]
        return digest(self.head.encode(), canonical_bytes(sealed))


def waiting_of(record: Record, seat: str) -> PendingSheet | None:
    """Return the pending orders of ``seat``, or ``None``."""
    return next((sheet for sheet in record.pending if sheet.seat == seat), None)


def withdraw(record: Record, seat: str, cause: Cause, reason: str = "", first: int = 1) -> Record:
    """Return ``record`` without the pending orders of ``seat`` from its ``first`` on (from 1), which go into the record.

    ``reason`` is the moderator's, empty if the player withdrew them. Raises ``CorrectionError`` if there is no such order.
    """
    sheet = waiting_of(record, seat)
    waiting = 0 if sheet is None else len(sheet.orders)
    if sheet is None or not 1 <= first <= waiting:
        number = f"only {count(waiting, 'pending order')}" if waiting else "no pending orders"
        raise CorrectionError(f"{seat} has {number}")
    stays = () if first == 1 else (replace(sheet, orders=sheet.orders[: first - 1]),)
    gone = replace(sheet, orders=sheet.orders[first - 1 :], is_begun=sheet.is_begun and first == 1)
    pending = tuple(left for other in record.pending for left in (stays if other is sheet else (other,)))
    return replace(record, pending=pending, set_aside=(*record.set_aside, SetAside(record.turn, cause, gone, reason)))


def bring_back(record: Record, number: int) -> Record:
    """Return ``record`` with the orders of ``number`` (from 1) in the record pending again.

    They stay in the record, too; the seat's present pending orders go there. Raises ``CorrectionError``.
    """
    if not 1 <= number <= len(record.set_aside):
        there = f"it has 1 to {len(record.set_aside)}" if record.set_aside else "it is empty"
        raise CorrectionError(f"the record of orders that were set aside has no number {number}: {there}")
    sheet = record.set_aside[number - 1].sheet
    present = waiting_of(record, sheet.seat)
    if present is not None and words_of(present.orders) == words_of(sheet.orders):
        raise CorrectionError(f"these orders of {sheet.seat} are already pending")
    if present is not None:
        record = withdraw(record, sheet.seat, "replaced", f"number {number} of the record was brought back")
    return replace(record, pending=(*record.pending, sheet))


def words_of(orders: Iterable[PendingOrder]) -> tuple[str, ...]:
    """Return the texts of ``orders``."""
    return tuple(order.order for order in orders)


def withdraw_undone(record: Record, reason: str) -> Record:
    """Return ``record`` without pending orders: all of them go into the record, because the turns before them are undone."""
    for sheet in record.pending:
        record = withdraw(record, Seat(sheet.seat), "undone", reason)
    return record


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
