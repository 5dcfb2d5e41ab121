"""The journal: accepted orders with their events, each entry chained to the one before by its hash."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Ge

from adjudicator.core.ids import Digest, Line, Seat
from adjudicator.core.plain import canonical, digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One accepted order and what came of it; entry 0 is the set-up and has no seat and no order.

    ``n`` counts entries from 0, ``turn`` the adjudications (the set-up is turn 0). ``order`` is what everybody may read
    of the order in canonical words; ``written`` is what the sheet said where that differs, and ``notes`` tell why which
    branch was taken: both are for the seat and the moderator alone. ``drawn`` counts the random outcomes of the game up
    to and including this entry.
    """

    n: Annotated[int, Ge(0)]
    turn: Annotated[int, Ge(0)]
    seat: Seat | None
    order: Line
    written: Line | None
    notes: tuple[Line, ...]
    events: tuple[Any, ...]
    drawn: Annotated[int, Ge(0)]


@dataclass(frozen=True, slots=True)
class Link:
    """An entry and its hash: SHA-256 over the hash before it and the entry's canonical JSON."""

    entry: Entry
    hash: Digest


def link(before: str, entry: Entry) -> Link:
    """Return ``entry`` chained to the hash ``before``."""
    return Link(entry, digest(before.encode(), canonical(entry)))


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
