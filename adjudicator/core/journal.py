"""The journal: a tuple of accepted orders with their events, each entry chained to the one before by its hash."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final, Generic

from adjudicator.core.values import (
    MODERATOR,
    Count,
    Digest,
    Line,
    Note,
    Seat,
    Tagged,
    TypeOf,
    Value,
    Viewer,
    canonical_bytes,
    digest,
)

SKIPPED: Final = "(condition not met)"
"""The text in the journal in the place of an order whose condition did not hold, so that nothing was done."""


class Outside(Tagged, kw_only=True):
    """An event in a journal that belongs to no game: a correction, or a word for chance."""

    is_lasting: ClassVar[bool] = True
    """Whether it still holds when an undo goes back to before it."""

    def order_text(self) -> str:
        """Return its public text, which the journal has in the place of an order."""
        raise NotImplementedError

    def tell(self) -> str:
        """Return its sentence.

        Published logs hold these sentences, and audits compare them: a new wording would contradict logs sent before.
        """
        raise NotImplementedError

    def redact(self, rules: Any, viewer: Viewer) -> Any:
        """Return it as a viewer sees it."""
        return self

    def apply(self, config: Any, state: Any) -> Any:
        """Return the state after it."""
        return state

    def note(self, past: Any) -> None:
        """Change what ``past`` (a ``Past``) knows of the entries so far."""

    def flaws(self, past: Any) -> Iterator[tuple[str, Any, Any]]:
        """Yield each field that is wrong after ``past`` (a ``Past``): its name, what is recorded, and what is right."""
        yield from ()


EventsT = TypeOf("EventsT", bound=tuple[Any, ...], default=tuple[Any, ...])


class Entry(Value, Generic[EventsT], kw_only=True, omit_defaults=True):
    """One accepted order with its events; entry 0 is the set-up and has no seat and no order.

    ``n`` counts entries from 0, ``turn`` the adjudications (the set-up is turn 0); an adjudication in which every order was
    skipped has the number of the one before. ``order`` is the public, canonical text of the order. ``written`` is the text
    of the sheet if it differs, and ``notes`` explain which branch was taken and why; only the seat and the moderator see
    these two. ``drawn`` counts the random outcomes of the game up to and including this entry. ``note`` is what the player
    wrote beside the order, which only the two may read until the game is over, ``comment`` is the moderator's. Neither
    changes anything.
    """

    n: Count
    turn: Count
    seat: Seat | None
    order: Line
    written: Line | None
    notes: tuple[Line, ...]
    events: EventsT
    drawn: Count
    note: Note = ""
    comment: Note = ""

    @property
    def outside(self) -> Any:
        """The correction or the word for chance in this entry, ``None`` if it is the set-up or an order."""
        first = self.events[0] if self.events else None
        return first if isinstance(first, Outside) else None

    @property
    def is_skipped(self) -> bool:
        """Whether it is a skipped order, whose condition was not true: it is hidden from others."""
        return self.order == SKIPPED

    @property
    def is_order(self) -> bool:
        """Whether it is an order of a seat that was carried out."""
        if self.seat is None or self.seat == MODERATOR or self.order == SKIPPED:
            return False
        return not (self.events and isinstance(self.events[0], Outside))


EntryT = TypeOf("EntryT", default=Entry)


class Link(Value, Generic[EntryT]):
    """An entry and its hash: the SHA-256 of the hash before it and the entry's canonical JSON."""

    entry: EntryT
    hash: Digest


def link(before: str, entry: Entry) -> Link:
    """Return ``entry`` chained to the hash ``before``."""
    return Link(entry, digest(before.encode(), canonical_bytes(entry)))


def first_break(beginning: str, links: Iterable[tuple[bytes, str]]) -> int | None:
    """Return the index of the first of ``links`` (canonical entry, recorded hash) whose hash is wrong, or ``None``.

    ``beginning`` is the hash before the first entry: that of the game's heading.
    """
    before = beginning
    for index, (entry, recorded) in enumerate(links):
        before = digest(before.encode(), entry)
        if before != recorded:
            return index
    return None
