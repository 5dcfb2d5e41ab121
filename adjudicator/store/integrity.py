"""Check that the parts of a well-formed game file fit together: components, chance, hash chain, seal, numbering."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.game import ComponentsRef, Record
from adjudicator.core.journal import first_break
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import MODERATOR
from adjudicator.files.errors import Violation
from adjudicator.files.reading import quoted
from adjudicator.resources import MissingResource
from adjudicator.store.components import reference, shipped_version

_HEX: Final = re.compile("[0-9a-f]{64}")


FOREIGN_SET: Final = Violation("$.setup.components", "this is not the component set that `components` names")
BROKEN_SEAL: Final = Violation(
    "$.seal",
    "does not fit: somebody has changed the state, the pending orders, the receipts or the secret, "
    "or deleted the last entries",
)


class WrongComponents(Exception):
    """Report components other than those that the game began with."""

    def __init__(self, violation: Violation) -> None:
        """Keep the ``violation``."""
        super().__init__(str(violation))
        self.violation = violation


def resolve(rules: AnyRules, recorded: ComponentsRef, embedded: Any) -> Any:
    """Return the components of a game: those ``embedded`` in its file, or the shipped set that it refers to.

    Raises ``WrongComponents`` if they are not those ``recorded`` in the file's heading.
    """
    if embedded is not None:
        if reference(embedded) != recorded:
            raise WrongComponents(FOREIGN_SET)
        return embedded
    try:
        components, found = shipped_version(rules, recorded.id, recorded.version)
    except MissingResource as missing:
        words = f"{missing}; and the file does not contain the set itself"
        raise WrongComponents(Violation("$.components.id", words)) from None
    if found.version != recorded.version:
        words = f"the game uses version {recorded.version} of “{recorded.id}”, but this program has version {found.version}"
        raise WrongComponents(Violation("$.components.version", words))
    if found.hash != recorded.hash:
        words = f"the game began with another set “{recorded.id}”: the set in this program has other contents"
        raise WrongComponents(Violation("$.components.hash", words))
    return components


def chance_violations(chance: ChanceRecord) -> Iterator[Violation]:
    """Yield the contradictions between secret and commitment."""
    if chance.without and not chance.promised:
        yield Violation("$.chance.without", "must be empty: nothing was promised before the words of this game were known")
    if chance.source == "recorded":
        if chance.promised:
            yield Violation("$.chance.promised", "must be false: people draw the outcomes of this game")
        for name in ("commitment", "secret"):
            if getattr(chance, name) is not None:
                yield Violation(f"$.chance.{name}", "must be null: people draw the outcomes of this game")
        return
    if chance.commitment is None:
        yield Violation("$.chance.commitment", "is missing: the program draws the outcomes of this game")
    elif chance.secret is not None and not _is_committed(chance.secret, chance.commitment):
        yield Violation("$.chance.secret", "this is not the secret of this game: it does not fit the commitment")


def chain_violations(record: Record, entries: Iterable[bytes]) -> Iterator[Violation]:
    """Yield the first break of the hash chain; ``entries`` has the canonical bytes of each entry."""
    broken = first_break(record.beginning, zip(entries, (link.hash for link in record.journal), strict=True))
    if broken is not None:
        entry = record.journal[broken].entry
        yield broken_link(broken, [link.entry.n for link in record.journal], entry.seat, entry.order)


def broken_link(broken: int, numbers: Sequence[int], seat: str | None, order: str) -> Violation:
    """Return the violation for link ``broken``, the first break of a chain; ``seat`` and ``order`` are those of its entry.

    ``numbers`` are the numbers of all entries: a missing one was deleted.
    """
    n = numbers[broken]
    if n > broken and set(numbers).isdisjoint(range(broken, n)):
        deleted = f"entry {broken}" if n == broken + 1 else f"entries {broken} to {n - 1}"
        follows = f"entry {n} follows entry {broken - 1}" if broken else f"entry {n} comes first"
        return Violation(f"$.journal[{broken}]", f"somebody has deleted {deleted}: {follows}")
    name = f"entry {n} ({seat}: {quoted(order)})" if seat else f"entry {n}"
    changed = name if broken else "the heading of the file or entry 0"
    return Violation(f"$.journal[{broken}]", f"somebody has changed {changed}: it does not fit its hash")


def numbering_violations(record: Record) -> Iterator[Violation]:
    """Yield the contradictions in ``record``: unknown or duplicate seats, entries out of order."""
    yield from _player_violations(record)
    yield from _entry_violations(record)
    yield from _pending_violations(record)
    yield from _receipt_violations(record)


def _player_violations(record: Record) -> Iterator[Violation]:
    """Yield the players of ``record`` whose seat is taken twice or is not a player's."""
    seats: set[str] = set()
    for index, player in enumerate(record.setup.players):
        if player.seat in seats or player.seat == MODERATOR:
            words = "is not a player's seat" if player.seat == MODERATOR else "has two players"
            yield Violation(f"$.setup.players[{index}].seat", f"{quoted(player.seat)} {words}")
        seats.add(player.seat)


def _entry_violations(record: Record) -> Iterator[Violation]:
    before, following, seats = 0, 0, set(record.setup.seats)
    for index, link in enumerate(record.journal):
        entry = link.entry
        if entry.n not in (index, following):  # a gap is reported once
            yield Violation(f"$.journal[{index}].entry.n", f"must be {index}, not {entry.n}")
        if entry.turn < before:
            yield Violation(f"$.journal[{index}].entry.turn", f"must be {before} or more, not {entry.turn}")
        if entry.seat is not None and entry.seat != MODERATOR and entry.seat not in seats:
            yield Violation(f"$.journal[{index}].entry.seat", f"{quoted(entry.seat)} is not a seat of this game")
        before, following = entry.turn, entry.n + 1


def _pending_violations(record: Record) -> Iterator[Violation]:
    seats, pending = set[str](record.setup.seats), set[str]()
    for index, sheet in enumerate(record.pending):
        if sheet.seat not in seats or sheet.seat in pending:
            words = "has two sheets of pending orders" if sheet.seat in pending else "is not a seat of this game"
            yield Violation(f"$.pending[{index}].seat", f"{quoted(sheet.seat)} {words}")
        pending.add(sheet.seat)
    if record.reported > len(record.journal):
        yield Violation("$.reported", f"must be {len(record.journal)} or less, not {record.reported}")
    for index, aside in enumerate(record.set_aside):
        if aside.sheet.seat not in seats:
            yield Violation(f"$.set_aside[{index}].sheet.seat", f"{quoted(aside.sheet.seat)} is not a seat of this game")


def _receipt_violations(record: Record) -> Iterator[Violation]:
    before, turn, seats = 0, record.turn, set(record.setup.seats)
    for index, receipt in enumerate(record.receipts):
        if receipt.seat not in seats:
            yield Violation(f"$.receipts[{index}].seat", f"{quoted(receipt.seat)} is not a seat of this game")
        if not before <= receipt.turn <= turn:
            yield Violation(f"$.receipts[{index}].turn", f"must be from {before} to {turn}, not {receipt.turn}")
        before = max(before, receipt.turn)


def _is_committed(secret: str, promised: str) -> bool:
    return _HEX.fullmatch(secret) is not None and commitment(bytes.fromhex(secret)) == promised
