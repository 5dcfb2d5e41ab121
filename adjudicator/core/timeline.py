"""The timeline of a game: all that follows from its journal, in one pass, as soon as somebody asks for it.

Each report names the number of the next adjudication. A decision that stays open keeps the numbers under which reports
announced it, whatever other seats have sent since and whatever the moderator has corrected.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple

from adjudicator.core.corrections import Forked, Past, Undone
from adjudicator.core.game import Record
from adjudicator.core.journal import SKIPPED, Entry, Link, Outside
from adjudicator.core.order import without_draws
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer, replace


class ValidTurns(Value):
    """The turn number to write above orders now, and the numbers that are valid.

    ``turn`` is the number under which reports announced the open decisions. ``latest`` is the number of the next
    adjudication, which is valid for every seat. ``by_seat`` lists all valid numbers of each seat.
    """

    turn: int
    latest: int
    by_seat: Mapping[Seat, frozenset[int]]

    def counts(self, turn: int, viewer: str | None) -> bool:
        """Return whether orders of ``viewer`` below the number ``turn`` count."""
        return turn in self.by_seat.get(Seat(viewer or ""), (self.turn,))

    def turn_for(self, viewer: str | None) -> int:
        """Return the number that ``viewer`` should write."""
        return self.turn if self.counts(self.turn, viewer) else self.latest


class EntryNumbers:
    """The numbers of entries as players see them, without gaps that would reveal skipped orders.

    Except for the moderator, only public entries count. Skipped orders have no number: their seat sees them as the
    first, second … after the entry before them.
    """

    def __init__(self, skipped: Iterable[Entry]) -> None:
        """Count the ``skipped`` entries of a journal, in their order."""
        self._ranks: dict[int, int] = {}
        self._public: dict[int, int] = {}
        since: dict[str | None, int] = {}
        for entry in skipped:
            if entry.n - 1 not in self._ranks:
                since.clear()
            since[entry.seat] = self._ranks[entry.n] = since.get(entry.seat, 0) + 1
            self._public[entry.n] = self.last_public(entry.n - 1)
        self._skipped = tuple(self._ranks)

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
        event = entry.outside
        if viewer == MODERATOR or type(event) is not Undone:
            return entry
        shown = replace(event, to=self.public(event.to))
        return replace(entry, order=shown.order_text(), events=(shown, *entry.events[1:]))


_Asked = tuple[str, str, Any]
"""The identity of a question."""


class _Open(NamedTuple):
    """What a seat is ``asked`` (``None``: nothing), with the turn numbers under which reports announced it.

    ``first`` is the first of them, ``since_order`` the first since the last order of the seat, or for a seat with nothing to
    decide since the last order of any seat. ``valid_from`` is the first that is valid: ``first`` as long as the seat has
    answered and can still change its answer, else ``since_order``.
    """

    asked: _Asked | None
    first: int
    since_order: int
    valid_from: int


_Opened = Mapping[Seat, _Open]


class _End(NamedTuple):
    """The end of an adjudication, with entry ``n``: the ``state``, and the ``number`` of the next adjudication.

    ``before`` is the index of the end before this one, not counting undone entries; −1 if there is none. ``acted`` is a
    linked list of the seats that gave orders since, the last seat first.
    """

    n: int
    number: int
    state: Any
    before: int
    acted: Any


class _Place(Value):
    """A place in a journal: the ``state``, the index of the last ``end`` of an adjudication, and who has ``acted`` since."""

    state: Any
    end: int = -1
    acted: Any = None


class Timeline:
    """What follows from the ``journal`` of a game.

    It keeps the states at the ends of adjudications, on which turn numbers depend, and the states to which an undo leads.
    """

    def __init__(self, rules: AnyRuleset, record: Record, *, state: Any = None) -> None:
        """Prepare the timeline of ``record``; ``state`` is its final state, ``None`` to compute that from the journal."""
        self._rules, self._players, self._final = rules, record.setup.players, state
        self._words = record.chance.entropy
        self.journal = record.journal
        self._known: _Fold | None = None
        self._named: tuple[list[int], _Opened] = [], {}
        self._longer: Timeline | None = None

    def extended(self, record: Record) -> Timeline:
        """Return the timeline of ``record``; if it only adds adjudications to this one, only these are folded.

        An undo, or more entries of the last adjudication, change what was announced: then the whole journal is folded.
        """
        is_same = record.setup.players == self._players and record.chance.entropy == self._words
        if is_same and record.journal is self.journal:
            return self
        if is_same and self._longer is not None and record.journal is self._longer.journal:
            return self._longer
        longer = Timeline(self._rules, record)
        known: _Fold | None = vars(self).get("_fold", self._known)
        if is_same and known is not None and known.goes_on(record.journal):
            longer._final = record.state
            longer._known, longer._named = known, vars(self).get("_turns", self._named)
        if is_same:
            self._longer = longer  # several ask about the result of one adjudication
        return longer

    @cached_property
    def _fold(self) -> _Fold:
        before = self._known or _Fold(self._rules, Past(self._players, self._words))
        self._known = None
        return before.extended(self.journal, self._final)

    @property
    def state(self) -> Any:
        """The state after the last entry. Raises ``IndexError`` if an undo names an entry that is not before it."""
        return self._fold.ends[-1].state

    def state_after(self, n: int) -> Any:
        """Return the state after entry ``n``. Raises ``IndexError`` like ``state``, and if there is no such entry."""
        if not 0 <= n < len(self.journal):
            raise IndexError(n)
        return next(state for _, state in self.states(n, n))

    def states(self, first: int = 0, last: int | None = None) -> Iterator[tuple[Entry, Any]]:
        """Yield the entries from ``first`` to ``last`` with the state after each. Raises ``IndexError`` like ``state``."""
        fold, journal, ends = self._fold, self.journal, self._fold.ends
        at = max(bisect_right(ends, first, key=_N) - 1, 0)
        place = _Place(None)
        for n in range(ends[at].n if ends[at].n <= first else 0, len(journal) if last is None else last + 1):
            if at < len(ends) and ends[at].n == n:
                place, at = _Place(ends[at].state), at + 1
            else:
                place = fold.after(place, journal[n].entry)
            if n >= first:
                yield journal[n].entry, place.state

    @cached_property
    def _turns(self) -> tuple[list[int], _Opened]:
        """The turn number that reports named at each end of an adjudication, and what is open at the last."""
        ends, (named, opened) = self._fold.ends, self._named
        turns, kept = named.copy(), dict[int, _Opened]()
        restored = {end.before for at, end in enumerate(ends) if end.before != at - 1}
        for at in range(len(turns), len(ends)):
            end = ends[at]
            turn, opened = self._announced(end, opened if end.before == at - 1 else kept.get(end.before, {}))
            turns.append(turn)
            if at in restored:
                kept[at] = opened
        return turns, opened

    def _announced(self, end: _End, before: _Opened) -> tuple[int, _Opened]:
        """Return the turn number that reports name at ``end``, and what is open then; ``before`` it that was open."""
        state, number, acted, linked = end.state, end.number, set[str](), end.acted
        while linked is not None:
            actor, linked = linked
            acted.add(actor)
        questions = self._rules.asked(state)
        due = [ask.seat for ask in questions if ask.is_due]
        asked: dict[Seat, _Asked | None] = {player.seat: None for player in self._players}
        asked |= {ask.seat: ask.identity for ask in questions}
        opened: dict[Seat, _Open] = {}
        for seat, kind in asked.items():
            was, first, since_order = before.get(seat), number, number
            if was is not None and was.asked == kind:
                has_acted = seat in acted if kind is not None else bool(acted)
                first, since_order = was.first, number if has_acted else was.since_order
            is_answered = kind is not None and seat not in due
            opened[seat] = _Open(kind, first, since_order, first if is_answered else since_order)
        return max((opened[seat].valid_from for seat in due), default=number), opened

    def turn_number(self, adjudication: int) -> int:
        """Return the turn number that reports name for an ``adjudication``, counted from 0, or for the next one.

        For any other number, as in a forged file, the function returns that number.
        """
        ends = self._fold.ends
        at = bisect_right(ends, adjudication, key=_NUMBER) - 1
        return self._turns[0][at] if at >= 0 and ends[at].number == adjudication else adjudication

    def turn_after(self, n: int) -> int:
        """Return the turn number that reports named last when entry ``n`` was the last one; 0 if they had named none."""
        at = bisect_right(self._fold.ends, n, key=_N) - 1
        return self._turns[0][at] if at >= 0 else 0

    @cached_property
    def valid_turns(self) -> ValidTurns:
        """The turn numbers that orders may name now, and the one to print.

        An order of a seat makes earlier numbers invalid for it, and so does another question. For a seat that has nothing to
        decide, the numbers since the last order of any seat are valid. Numbers that were undone are invalid.
        """
        ends, (turns, opened) = self._fold.ends, self._turns
        latest, starts = ends[-1].number, {seat: one.valid_from for seat, one in opened.items()}
        first, at, numbers = min(starts.values(), default=latest), len(ends) - 1, list[int]()
        while at >= 0 and ends[at].number >= first:
            numbers.append(ends[at].number)
            at = ends[at].before
        valid = {start: frozenset((latest, *(one for one in numbers if one >= start))) for start in {*starts.values()}}
        return ValidTurns(turns[-1], latest, {player.seat: valid[starts[player.seat]] for player in self._players})

    @property
    def past(self) -> Past:
        """What the entries have recorded apart from the position. Do not change it."""
        return self._fold.past

    @cached_property
    def undone(self) -> Mapping[int, int]:
        """The number of the entry that undid it, for each undone entry."""
        return self.past.undone

    @cached_property
    def entry_numbers(self) -> EntryNumbers:
        """The numbers of the entries as players see them."""
        return EntryNumbers(self.past.skipped)


class _Fold:
    """The ends of the adjudications in a ``journal``, the last ``place``, and the places to which undos lead."""

    def __init__(self, rules: AnyRuleset, past: Past) -> None:
        self._rules, self.past = rules, past
        self.journal: tuple[Link, ...] = ()
        self.ends: list[_End] = []
        self.place = _Place(None)
        self._restored: dict[int, _Place] = {}

    def goes_on(self, longer: tuple[Link, ...]) -> bool:
        """Return whether this fold can go on with the later entries of a ``longer`` journal."""
        first = len(self.journal)
        entries = [link.entry for link in longer[first:]]
        turn = next((entry.turn for entry in entries if not _is_beside(entry)), None)
        is_longer = longer[first - 1 : first] == self.journal[-1:]  # its hash covers all entries before it
        return is_longer and turn != self.journal[-1].entry.turn and not _restored(entries)

    def extended(self, journal: tuple[Link, ...], final: Any) -> _Fold:
        """Return the fold of a longer ``journal``.

        If ``final``, the state after it, is known, only the new entries before the last adjudication are folded.
        """
        entries = [link.entry for link in journal[len(self.journal) :]]
        fold = _Fold(self._rules, self.past.copy())
        fold.journal, fold.ends, fold.place, fold._restored = journal, self.ends.copy(), self.place, self._restored
        is_end, last = _ends(entries)
        restored = _restored(entries)
        kept = (at + 1 for at in range(last) if is_end[at] or entries[at].n in restored)
        folded = len(entries) if final is None else max(kept, default=0)
        for at, entry in enumerate(entries):
            fold.past.take(entry)
            if at == folded:
                fold.place = replace(fold.place, state=final)
            fold.place = fold.after(fold.place, entry, is_folded=at < folded)
            if is_end[at]:
                place = fold.place
                fold.ends.append(_End(entry.n, entry.turn + 1, place.state, place.end, place.acted))
                fold.place = _Place(place.state, len(fold.ends) - 1)
            if entry.n in restored:
                fold._restored[entry.n] = fold.place
        return fold

    def after(self, place: _Place, entry: Entry, *, is_folded: bool = True) -> _Place:
        """Return the place after ``entry``, with the state of ``place`` unless the entry ``is_folded``."""
        state = place.state
        if entry.n == 0 and is_folded and type(entry.outside) is not Forked:
            state = self._rules.initial()
        for event in entry.events:
            if type(event) is Undone:
                if event.to >= entry.n:
                    raise IndexError(event.to)
                place = self._restored[event.to]
                state = place.state
            elif is_folded:
                state = event.apply(self._rules.config, state)
        return _Place(state, place.end, (entry.seat, place.acted) if entry.is_order else place.acted)


def _ends(entries: Sequence[Entry]) -> tuple[list[bool], int]:
    """Return for each of ``entries`` whether it ends its adjudication, and the index of the last that is not beside it.

    An adjudication ends before the skipped orders and absences at its end: those that came alone have its number, and no
    report may depend on them.
    """
    ends, later, last = list[bool](), None, 0
    for at in reversed(range(len(entries))):
        ends.append(entries[at].turn != later)
        if not _is_beside(entries[at]):
            last = at if later is None else last
            later = entries[at].turn
    ends.reverse()
    return ends, last


def _is_beside(entry: Entry) -> bool:
    return entry.order == SKIPPED or (entry.seat == MODERATOR and getattr(entry.outside, "may_share_turn", False))


def _restored(entries: Iterable[Entry]) -> set[int]:
    """Return the entries to which an undo among ``entries`` leads."""
    return {event.to for entry in entries for event in entry.events if type(event) is Undone}


_N: Final = attrgetter("n")
_NUMBER: Final = attrgetter("number")


# What a viewer may know of it -----------------------------------------------------------------------------------------


def redact_entry(rules: AnyRuleset, entry: Entry, viewer: Viewer, *, is_over: bool = False) -> Entry:
    """Return ``entry`` as ``viewer`` may read it; ``is_over`` says that its game is.

    The game's ``redact`` decides what an event shows; a correction shows the changes in the viewer's own view. Only the seat
    and the moderator read the rest of the order on the sheet, and the reason for a branch. Only the moderator reads outcomes
    that the sheet has beside an order: others may have drawn them. All read notes and comments when the game is over.
    """
    redacted = (
        event.redact(rules, viewer)
        if isinstance(event, Outside)
        else event
        if viewer == MODERATOR
        else rules.redact(event, viewer)
        for event in entry.events
    )
    events = tuple(event for event in redacted if event is not None)
    is_own = viewer is not None and viewer in (entry.seat, MODERATOR)
    note = entry.note if is_own or is_over else ""
    comment = entry.comment if is_over or viewer == MODERATOR else ""
    entry = replace(entry, events=events, note=note, comment=comment)
    if not is_own:
        return replace(entry, written=None, notes=())
    if viewer == MODERATOR or entry.written is None:
        return entry
    said = without_draws(entry.written)
    return replace(entry, written=None if said == entry.order else said)


def is_hidden(entry: Entry, viewer: Viewer) -> bool:
    """Return whether ``entry`` is hidden from ``viewer``: a skipped order could reveal its player's intention."""
    return entry.is_skipped and viewer not in (entry.seat, MODERATOR)


def first_unreported(record: Record, since: int | None, viewer: Viewer) -> int:
    """Return the first entry of the report to ``viewer``: the first unreported one, else that of the last report.

    ``since`` is the entry with which the last reports began, if that is known. Entries that are hidden from the viewer do
    not count as new.
    """
    if any(not is_hidden(link.entry, viewer) for link in record.journal[record.reported :]):
        return record.reported
    if since is not None and 0 <= since < len(record.journal):
        return since
    latest = record.journal[-1].entry.turn
    return next(link.entry.n for link in record.journal if link.entry.turn == latest)
