"""The journal: accepted orders with their events, each entry chained to the one before by its hash."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import eq
from typing import Annotated, Any, overload

from adjudicator.core.bounds import Ge
from adjudicator.core.canonical import canonical_bytes, digest
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Digest, Line, Seat


@frozen(kw_only=True)
class Entry:
    """One accepted order and what came of it; entry 0 is the set-up and has no seat and no order.

    ``n`` counts entries from 0, ``turn`` the adjudications (the set-up is turn 0); one in which every order was skipped has
    the number of the one before. ``order`` is what everybody may read of the order in canonical words; ``written`` is what
    the sheet said where that differs, and ``notes`` tell why which branch was taken: both are for the seat and the moderator
    alone. ``drawn`` counts the random outcomes of the game up to and including this entry.
    """

    n: Annotated[int, Ge(0)]
    turn: Annotated[int, Ge(0)]
    seat: Seat | None
    order: Line
    written: Line | None
    notes: tuple[Line, ...]
    events: tuple[Any, ...]
    drawn: Annotated[int, Ge(0)]


@frozen
class Link:
    """An entry and its hash: SHA-256 over the hash before it and the entry's canonical JSON."""

    entry: Entry
    hash: Digest


class _Links(list[Link]):
    """The links that journals share; ``found`` has for each question how many were looked at, and which it is true of."""

    __slots__ = ("found",)

    def __init__(self, links: Iterable[Link]) -> None:
        super().__init__(links)
        self.found: dict[Callable[[Entry], bool], tuple[int, list[int]]] = {}

    def those(self, is_such: Callable[[Entry], bool]) -> list[int]:
        """Return the indices of the entries for which ``is_such`` is true."""
        looked, found = self.found.get(is_such, (0, []))
        if looked < len(self):
            found += [index for index, link in enumerate(islice(self, looked, None), looked) if is_such(link.entry)]
            self.found[is_such] = len(self), found
        return found


class Journal(Sequence[Link]):
    """Links in order, never changed: ``extended`` gives another journal, and takes no longer for a long one.

    The two share one list, of which each knows how much is its own. Only where another has gone on with it before, as when
    a turn is tried twice, the own part is copied.
    """

    __slots__ = ("_length", "_shared")

    def __init__(self, links: Iterable[Link] = ()) -> None:
        """Hold ``links``."""
        self._shared = _Links(links)
        self._length = len(self._shared)

    def extended(self, links: Iterable[Link]) -> Journal:
        """Return a journal that goes on with ``links``."""
        own = self._shared if len(self._shared) == self._length else _Links(self)
        own.extend(links)
        longer = Journal.__new__(Journal)  # `Journal()` would make an empty list of its own
        longer._shared, longer._length = own, len(own)
        return longer

    def those(self, is_such: Callable[[Entry], bool]) -> tuple[Entry, ...]:
        """Return the entries for which ``is_such`` is true. However often it is asked, each entry is looked at once."""
        return tuple(self._shared[index].entry for index in self._shared.those(is_such) if index < self._length)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Link: ...
    @overload
    def __getitem__(self, index: slice) -> Journal: ...
    def __getitem__(self, index: int | slice) -> Link | Journal:
        if index == -1 and self._length:  # asked for several times an order
            return self._shared[self._length - 1]
        at = range(self._length)[index]
        return self._shared[at] if isinstance(at, int) else Journal(map(self._shared.__getitem__, at))

    def __iter__(self) -> Iterator[Link]:
        return islice(self._shared, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Journal) and self._length == other._length and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash((self._length, self._shared[self._length - 1].hash if self._length else ""))


def link(before: str, entry: Entry) -> Link:
    """Return ``entry`` chained to the hash ``before``."""
    return Link(entry, digest(before.encode(), canonical_bytes(entry)))


def first_break(beginning: str, links: Iterable[tuple[bytes, str]]) -> int | None:
    """Return the index of the first of ``links`` (canonical entry, recorded hash) that does not fit, or ``None``.

    ``beginning`` is the hash before the first entry: that of the game's heading.
    """
    before = beginning
    for index, (entry, recorded) in enumerate(links):
        before = digest(before.encode(), entry)
        if before != recorded:
            return index
    return None
