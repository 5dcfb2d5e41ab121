"""The numbers of entries as players see them, without gaps that would reveal skipped orders.

For everybody but the moderator, only public entries count. Skipped orders have no number: their seat sees them as the first,
second … after the entry before them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from adjudicator.core.corrections import Undone, correction_words
from adjudicator.core.journal import Entry
from adjudicator.core.step import SKIPPED
from adjudicator.core.values import MODERATOR, Viewer, replace


class EntryNumbers:
    """The numbers of all entries of a journal, from those of its ``skipped`` orders."""

    def __init__(self, skipped: Iterable[Entry]) -> None:
        """Count the ``skipped`` entries of a journal, in their order."""
        self._ranks: dict[int, int] = {}
        self._public: dict[int, int] = {}
        since: Counter[str | None] = Counter()
        for entry in skipped:
            if entry.n - 1 not in self._ranks:
                since.clear()
            since[entry.seat] += 1
            self._ranks[entry.n] = since[entry.seat]
            self._public[entry.n] = self.last_public(entry.n - 1)
        self._skipped = tuple(self._ranks)

    @property
    def has_skipped(self) -> bool:
        """Whether the numbers of the players differ from those of the journal."""
        return bool(self._skipped)

    def public(self, n: int) -> int:
        """Return the number that players see for entry ``n``; a skipped order has that of the entry before it."""
        return n - bisect_right(self._skipped, n)

    def last_public(self, n: int) -> int:
        """Return the last public entry up to entry ``n``, with its number in the journal."""
        return self._public.get(n, n)

    def number(self, n: int, viewer: Viewer) -> int:
        """Return the number that ``viewer`` sees for entry ``n``."""
        return n if viewer == MODERATOR else self.public(n)

    def skipped(self, n: int) -> int | None:
        """Return which skipped order of its seat after a public entry ``n`` is, from 1; ``None`` if it was not skipped."""
        return self._ranks.get(n)

    def entry(self, entry: Entry, viewer: Viewer) -> Entry:
        """Return ``entry``, with its own number, and with references to others in the numbers of ``viewer``."""
        is_undo = entry.seat == MODERATOR and any(isinstance(event, Undone) for event in entry.events)
        if viewer == MODERATOR or not is_undo:
            return entry
        events = tuple(
            replace(event, to=self.public(event.to)) if isinstance(event, Undone) else event for event in entry.events
        )
        return replace(entry, order=correction_words(events[0]), events=events)


def is_skipped(entry: Entry) -> bool:
    """Return whether ``entry`` is a skipped order, whose condition was not true: it is hidden from others."""
    return entry.order == SKIPPED


def public_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Return the public ones of ``entries``, a whole journal, with public numbers."""
    numbers = EntryNumbers(filter(is_skipped, entries))
    shown = (entry for entry in entries if not is_skipped(entry))
    return [replace(numbers.entry(entry, None), n=numbers.public(entry.n)) for entry in shown]
