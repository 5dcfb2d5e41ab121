"""The journal: accepted orders with their events, each entry chained to the one before by its hash."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import eq, is_
from typing import Any, Generic, overload

from adjudicator.core.values import Count, Digest, Line, Seat, TypeOf, Value, canonical_bytes, digest

EventsT = TypeOf("EventsT", default=tuple[Any, ...])


class Entry(Value, Generic[EventsT], kw_only=True):
    """One accepted order with its events; entry 0 is the set-up and has no seat and no order.

    ``n`` counts entries from 0, ``turn`` the adjudications (the set-up is turn 0); an adjudication in which every order was
    skipped has the number of the one before. ``order`` is the public, canonical text of the order. ``written`` is the text
    of the sheet if it differs, and ``notes`` explain which branch was taken and why; only the seat and the moderator see
    these two. ``drawn`` counts the random outcomes of the game up to and including this entry.
    """

    n: Count
    turn: Count
    seat: Seat | None
    order: Line
    written: Line | None
    notes: tuple[Line, ...]
    events: EventsT
    drawn: Count


EntryT = TypeOf("EntryT", default=Entry)


class Link(Value, Generic[EntryT]):
    """An entry and its hash: the SHA-256 of the hash before it and the entry's canonical JSON."""

    entry: EntryT
    hash: Digest


class _Links(list[Link]):
    """The links that journals share; ``found`` caches for each predicate how many links were tested and which passed."""

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
    """An immutable sequence of links; ``extended`` returns a longer journal, in a time that does not depend on its length.

    Both share one list, and each knows the length of its part. The list is copied only if another journal has already
    extended it, as when a turn is tried twice.
    """

    __slots__ = ("_length", "_shared")

    def __init__(self, links: Iterable[Link] = ()) -> None:
        """Hold ``links``."""
        self._shared = _Links(links)
        self._length = len(self._shared)

    def extended(self, links: Iterable[Link]) -> Journal:
        """Return this journal with ``links`` added at the end."""
        own = self._shared if len(self._shared) == self._length else _Links(self)
        own.extend(links)
        longer = Journal.__new__(Journal)  # `Journal()` would create an empty list
        longer._shared, longer._length = own, len(own)
        return longer

    def begins_with(self, shorter: Journal) -> bool:
        """Return whether the first links of this journal are the very links of the ``shorter`` one."""
        is_shared = self._shared is shorter._shared
        return len(shorter) <= len(self) and (is_shared or all(map(is_, shorter, self)))

    def those(self, is_such: Callable[[Entry], bool]) -> tuple[Entry, ...]:
        """Return the entries for which ``is_such`` is true; each entry is tested once, however often this is called."""
        return tuple(self._shared[index].entry for index in self._shared.those(is_such) if index < self._length)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Link: ...
    @overload
    def __getitem__(self, index: slice) -> Journal: ...
    def __getitem__(self, index: int | slice) -> Link | Journal:
        if index == -1 and self._length:  # the engine needs it several times an order
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


class BrokenChainError(ValueError):
    """A hash of the journal does not follow from the one before."""


def proven(beginning: str, links: Iterable[tuple[bytes, str]]) -> Iterator[tuple[bytes, str]]:
    """Yield each of ``links`` (see ``first_break``) whose hash is right. Raises ``BrokenChainError`` at the first other."""
    before = beginning
    for entry, recorded in links:
        before = digest(before.encode(), entry)
        if before != recorded:
            raise BrokenChainError
        yield entry, recorded


def first_break(beginning: str, links: Iterable[tuple[bytes, str]]) -> int | None:
    """Return the index of the first of ``links`` (canonical entry, recorded hash) whose hash is wrong, or ``None``.

    ``beginning`` is the hash before the first entry: that of the game's heading.
    """
    right = 0
    try:
        for _ in proven(beginning, links):
            right += 1
    except BrokenChainError:
        return right
    return None
