"""Whether a game file that is well formed also holds together: components, chance, hash chain, seal, numbering."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.game import ComponentsRef, Game
from adjudicator.core.ids import MODERATOR
from adjudicator.core.journal import first_break
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.resources import MissingResource
from adjudicator.store.components import reference, shipped_version
from adjudicator.store.errors import Violation
from adjudicator.store.reading import quoted

_HEX: Final = re.compile("[0-9a-f]{64}")


FOREIGN_SET: Final = Violation("$.setup.components", "this is not the component set that the heading names")
BROKEN_SEAL: Final = Violation(
    "$.seal",
    "does not fit: the state, the pending orders, the receipts or the secret were changed afterwards, "
    "or entries at the end were deleted",
)


class WrongComponents(Exception):
    """The components are not those a game was begun with."""

    def __init__(self, violation: Violation) -> None:
        """Keep the ``violation``."""
        super().__init__(str(violation))
        self.violation = violation


def resolve(rules: AnyRuleset, recorded: ComponentsRef, embedded: Any, its_reference: ComponentsRef | None = None) -> Any:
    """Return the components a game is played with: those ``embedded`` in its file, or the shipped set it refers to.

    ``its_reference`` is that of the embedded set, where it is known: to hash a set takes long. Raises ``WrongComponents`` if
    they are not those ``recorded`` in the file's heading.
    """
    if embedded is not None:
        if (its_reference or reference(embedded)) != recorded:
            raise WrongComponents(FOREIGN_SET)
        return embedded
    try:
        components, found = shipped_version(rules, recorded.id, recorded.version)
    except MissingResource as missing:
        words = f"{missing}; and the file does not hold the set itself"
        raise WrongComponents(Violation("$.components.id", words)) from None
    if found.version != recorded.version:
        words = f"the game has version {recorded.version} of “{recorded.id}”, this program has version {found.version}"
        raise WrongComponents(Violation("$.components.version", words))
    if found.hash != recorded.hash:
        words = f"the set “{recorded.id}” of this program is not the one the game was begun with: its contents differ"
        raise WrongComponents(Violation("$.components.hash", words))
    return components


def chance_violations(chance: ChanceRecord) -> Iterator[Violation]:
    """Yield what is wrong between secret and commitment."""
    if chance.without and not chance.promised:
        yield Violation("$.chance.without", "must be empty: this game was not promised before its words were known")
    if chance.source == "recorded":
        if chance.promised:
            yield Violation("$.chance.promised", "must be false: the chance of this game is recorded")
        for name in ("commitment", "secret"):
            if getattr(chance, name) is not None:
                yield Violation(f"$.chance.{name}", "must be null: the chance of this game is recorded")
        return
    if chance.commitment is None:
        yield Violation("$.chance.commitment", "is missing: the chance of this game is committed")
    elif chance.secret is not None and not _is_committed(chance.secret, chance.commitment):
        yield Violation("$.chance.secret", "this is not the secret that was committed to on the first day")


def chain_violations(game: Game, entries: Iterable[bytes]) -> Iterator[Violation]:
    """Yield where the chain of hashes breaks first; ``entries`` holds the canonical bytes of each entry."""
    broken = first_break(game.beginning, zip(entries, (link.hash for link in game.journal), strict=True))
    if broken is not None:
        entry = game.journal[broken].entry
        yield broken_link(broken, [link.entry.n for link in game.journal], entry.seat, entry.order)


def broken_link(broken: int, numbers: Sequence[int], seat: str | None, order: str) -> Violation:
    """Return what to say of link ``broken`` of a chain, where it breaks first: its entry is of this ``seat`` and ``order``.

    ``numbers`` are those of all entries: one that is missing there was deleted.
    """
    n = numbers[broken]
    if n > broken and set(numbers).isdisjoint(range(broken, n)):
        deleted = f"entry {broken} was" if n == broken + 1 else f"entries {broken} to {n - 1} were"
        follows = f"follows entry {broken - 1}" if broken else "comes first"
        return Violation(f"$.journal[{broken}]", f"{deleted} deleted, entry {n} {follows}")
    name = f"entry {n} ({seat}: {quoted(order)})" if seat else f"entry {n}"
    changed = name if broken else "the heading of the file or entry 0"
    return Violation(f"$.journal[{broken}]", f"does not fit its hash: {changed} was changed afterwards")


def numbering_violations(game: Game) -> Iterator[Violation]:
    """Yield what contradicts itself in ``game``: seats that do not exist or sit twice, entries out of order."""
    yield from player_violations(game)
    yield from _entry_violations(game)
    yield from waiting_violations(game, len(game.journal), game.turn)


def player_violations(game: Game) -> Iterator[Violation]:
    """Yield which players of ``game`` sit where nobody can, or where somebody else sits."""
    seats: set[str] = set()
    for index, player in enumerate(game.setup.players):
        if player.seat in seats or player.seat == MODERATOR:
            words = "is no player's seat" if player.seat == MODERATOR else "sits twice"
            yield Violation(f"$.setup.players[{index}].seat", f"{quoted(player.seat)} {words}")
        seats.add(player.seat)


def _entry_violations(game: Game) -> Iterator[Violation]:
    before, following, seats = 0, 0, set(game.setup.seats)
    for index, link in enumerate(game.journal):
        entry = link.entry
        if entry.n not in (index, following):  # of a gap is told once
            yield Violation(f"$.journal[{index}].entry.n", f"must be {index}, is {entry.n}")
        if entry.turn < before:
            yield Violation(f"$.journal[{index}].entry.turn", f"must be {before} or more, is {entry.turn}")
        if entry.seat is not None and entry.seat != MODERATOR and entry.seat not in seats:
            yield Violation(f"$.journal[{index}].entry.seat", f"nobody sits at {quoted(entry.seat)}")
        before, following = entry.turn, entry.n + 1


def waiting_violations(game: Game, length: int, turn: int) -> Iterator[Violation]:
    """Yield what waits in ``game``, was set aside or has arrived, and cannot have: of nobody's, or too late.

    The journal has ``length`` entries, and ``turn`` is the number of the adjudication that comes next.
    """
    seats, pending = set[str](game.setup.seats), set[str]()
    for index, sheet in enumerate(game.pending):
        if sheet.seat not in seats or sheet.seat in pending:
            words = "has two sheets" if sheet.seat in pending else "is no seat of this game"
            yield Violation(f"$.pending[{index}].seat", f"{quoted(sheet.seat)} {words}")
        pending.add(sheet.seat)
    if game.reported > length:
        yield Violation("$.reported", f"must be at most {length}, is {game.reported}")
    for index, aside in enumerate(game.set_aside):
        if aside.sheet.seat not in seats:
            yield Violation(f"$.set_aside[{index}].sheet.seat", f"{quoted(aside.sheet.seat)} is no seat of this game")
    yield from _receipt_violations(game, seats, turn)


def _receipt_violations(game: Game, seats: set[str], turn: int) -> Iterator[Violation]:
    before = 0
    for index, receipt in enumerate(game.receipts):
        if receipt.seat not in seats:
            yield Violation(f"$.receipts[{index}].seat", f"{quoted(receipt.seat)} is no seat of this game")
        if not before <= receipt.turn <= turn:
            yield Violation(f"$.receipts[{index}].turn", f"must be from {before} to {turn}, is {receipt.turn}")
        before = max(before, receipt.turn)


def _is_committed(secret: str, promised: str) -> bool:
    return _HEX.fullmatch(secret) is not None and commitment(bytes.fromhex(secret)) == promised
