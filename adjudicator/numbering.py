"""Number the entries of a journal for players, without gaps that would reveal skipped orders.

For everybody but the moderator, only public entries count. Skipped orders have no number: their seat sees them as the first,
second … after the entry before them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from adjudicator.core.corrections import Undone, correction_words
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import MODERATOR, Seat, Viewer
from adjudicator.core.journal import Entry
from adjudicator.core.step import SKIPPED

if TYPE_CHECKING:  # only needed to show a log
    from adjudicator.outputs.orders import KnownAs, LogRow


@frozen
class Numbering:
    """The ``public`` number of each entry of a journal, which players see.

    An order that was skipped has that of the entry before it. ``skipped`` has for each such order which of its seat it is
    after that number, from 1 (``None``: it was not skipped). ``orders`` are the words of each entry as players read them.
    """

    public: tuple[int, ...]
    skipped: tuple[int | None, ...]
    orders: tuple[str, ...]

    def number(self, n: int, viewer: Viewer) -> int:
        """Return the number that ``viewer`` sees for entry ``n``."""
        return n if viewer == MODERATOR else self.public[n]

    def entry(self, entry: Entry, viewer: Viewer) -> Entry:
        """Return ``entry``, with its own number, and with references to others in the numbers of ``viewer``."""
        if viewer == MODERATOR or self.orders[entry.n] == entry.order:
            return entry
        return _in_public_words(entry, self.public)

    def row(self, row: LogRow, viewer: Viewer) -> LogRow:
        """Return ``row``, in the numbers of the journal, as ``viewer`` reads it; the moderator reads both numbers."""
        skipped = self.skipped[row.n]
        if viewer == MODERATOR:
            return replace(row, skipped=skipped, public=self._known_as(row))
        undone_by = None if row.undone_by is None else self.public[row.undone_by]
        return replace(row, n=self.public[row.n], skipped=skipped, undone_by=undone_by)

    def _known_as(self, row: LogRow) -> KnownAs | None:
        from adjudicator.outputs.orders import KnownAs

        number, words = self.public[row.n], self.orders[row.n]
        if number == row.n:
            return None
        return KnownAs(number, words if row.order and words != row.order else None)


def numbering(entries: Iterable[Entry]) -> Numbering:
    """Return the numbering of the journal with ``entries``, all from the first."""
    public: list[int] = []
    skipped: list[int | None] = []
    orders: list[str] = []
    since: Counter[Seat | None] = Counter()
    for entry in entries:
        before = public[-1] if public else -1
        if is_skipped(entry):
            since[entry.seat] += 1
            public.append(before)
            skipped.append(since[entry.seat])
            orders.append(entry.order)
        else:
            since.clear()
            public.append(before + 1)
            skipped.append(None)
            orders.append(_in_public_words(entry, public).order)
    return Numbering(tuple(public), tuple(skipped), tuple(orders))


def is_skipped(entry: Entry) -> bool:
    """Return whether ``entry`` is a skipped order, whose condition was not true: it is hidden from others."""
    return entry.order == SKIPPED


def public_entries(entries: Sequence[Entry]) -> list[Entry]:
    """Return the public ones of ``entries``, a whole journal, with public numbers."""
    numbers = numbering(entries)
    told = (entry for entry in entries if not is_skipped(entry))
    return [replace(numbers.entry(entry, None), n=numbers.public[entry.n]) for entry in told]


def _in_public_words(entry: Entry, public: Sequence[int]) -> Entry:
    """Return ``entry`` with the ``public`` number of the entry that it undoes to, if it does."""
    if entry.seat != MODERATOR or not any(isinstance(event, Undone) for event in entry.events):
        return entry
    events = tuple(replace(event, to=public[event.to]) if isinstance(event, Undone) else event for event in entry.events)
    return replace(entry, order=correction_words(events[0]), events=events)
