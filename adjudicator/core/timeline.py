"""The timeline of a game: its journal, folded once, with the states and the turn numbers that reports have named.

Each report names the number of the next adjudication. A decision that stays open keeps the numbers under which reports
announced it, whatever other seats have sent since and whatever the moderator has corrected.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from adjudicator.core.corrections import OUTSIDE, Undone, apply_event, holders, is_absence, undone_entries
from adjudicator.core.entry_numbers import EntryNumbers, is_skipped
from adjudicator.core.game import Game
from adjudicator.core.journal import Entry, Journal
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.step import due_question
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer
from adjudicator.core.words import is_word


class ValidTurns(Value):
    """The turn number to write above orders now, and the numbers that are valid.

    ``turn`` is the number under which reports announced the open decisions. ``latest`` is the number of the next
    adjudication, which is valid for every seat. ``by_seat`` lists all valid numbers of each seat.
    """

    turn: int
    latest: int
    by_seat: Mapping[Seat, frozenset[int]]

    def turn_for(self, viewer: Viewer) -> int:
        """Return the number that ``viewer`` should write."""
        own = self.by_seat.get(viewer) if viewer is not None else None
        return self.turn if own is None or self.turn in own else self.latest


class _Open(NamedTuple):
    """What a seat must decide (``None``: nothing), with the turn numbers under which reports announced it.

    ``first`` is the first of them, ``since_order`` the first since the last order of the seat, or for a seat with nothing to
    decide since the last order of any seat. ``valid_from`` is the first that is valid: ``first`` as long as the seat has
    answered and can still change its answer, else ``since_order``.
    """

    decision: Any
    first: int
    since_order: int
    valid_from: int


class _End(NamedTuple):
    """The end of an adjudication, with entry ``n``: the ``state``, and the ``number`` of the next adjudication.

    Reports name it ``turn``. ``before`` is the end before this one, not counting undone entries.
    """

    n: int
    number: int
    state: Any
    before: _End | None
    turn: int


class _Place(NamedTuple):
    """A place in a journal: the ``state``, the last ``end`` of an adjudication, and what was ``open`` to each seat then.

    ``acted`` is a linked list of the seats that gave orders since, the last seat first: many places share its parts.
    """

    state: Any
    end: _End | None = None
    open: Mapping[Seat, _Open] = MappingProxyType({})
    acted: Any = None


class Timeline:
    """The journal of a game, folded once, as soon as somebody asks for a state or a turn number.

    It keeps the states at the ends of adjudications, on which turn numbers depend, and the states to which an undo leads.
    """

    def __init__(self, rules: AnyRuleset, game: Game, *, state: Any = None) -> None:
        """Prepare the timeline of ``game``; ``state`` is its final state, ``None`` to compute that from the journal."""
        self._rules, self._journal, self._final = rules, game.journal, state
        self._players = game.setup.players
        self._known: _Fold | None = None

    def extended(self, game: Game) -> Timeline:
        """Return the timeline of ``game``; if it only adds adjudications to this one, only these are folded.

        An undo, or more entries of the last adjudication, change what was announced: then the whole journal is folded.
        """
        if game.setup.players != self._players:
            return Timeline(self._rules, game)
        if len(self._journal) == len(game.journal) and game.journal.begins_with(self._journal):
            return self
        known = vars(self).get("_fold", self._known)
        if known is None or not (game.journal.begins_with(known.journal) and known.goes_on(game.journal)):
            return Timeline(self._rules, game)
        longer = Timeline(self._rules, game, state=game.state)
        longer._known = known
        return longer

    @cached_property
    def _fold(self) -> _Fold:
        seats = [player.seat for player in self._players]
        fold = _Fold(self._rules, seats, self._journal, self._known)
        fold.run(self._final)
        self._known = None
        return fold

    @property
    def state(self) -> Any:
        """The state after the last entry. Raises ``IndexError`` if an undo names an entry that is not before it."""
        return self._fold.ends[-1].state

    def state_after(self, n: int) -> Any:
        """Return the state after entry ``n``. Raises ``IndexError`` like ``state``."""
        return next(state for _, state in self.states(n, n))

    def states(self, first: int = 0, last: int | None = None) -> Iterator[tuple[Entry, Any]]:
        """Yield the entries from ``first`` to ``last`` with the state after each. Raises ``IndexError`` like ``state``."""
        fold, journal, ends = self._fold, self._journal, self._fold.ends
        at = max(bisect_right(ends, first, key=_N) - 1, 0)
        place = _Place(self._rules.initial())
        for n in range(ends[at].n if ends[at].n <= first else 0, len(journal) if last is None else last + 1):
            if at < len(ends) and ends[at].n == n:
                place, at = _Place(ends[at].state), at + 1
            else:
                place = fold.after(place, journal[n].entry)
            if n >= first:
                yield journal[n].entry, place.state

    def turn_number(self, adjudication: int) -> int:
        """Return the turn number that reports name for an ``adjudication``, counted from 0, or for the next one.

        For any other number, as in a forged file, the function returns that number.
        """
        ends = self._fold.ends
        at = bisect_right(ends, adjudication, key=_NUMBER) - 1
        return ends[at].turn if at >= 0 and ends[at].number == adjudication else adjudication

    def turn_after(self, n: int) -> int:
        """Return the turn number that reports named last when entry ``n`` was the last one; 0 if they had named none."""
        at = bisect_right(self._fold.ends, n, key=_N) - 1
        return self._fold.ends[at].turn if at >= 0 else 0

    @cached_property
    def valid_turns(self) -> ValidTurns:
        """The turn numbers that orders may name now, and the one to print.

        An order of a seat makes earlier numbers invalid for it, and so does a decision of another kind. For a seat that has
        nothing to decide, the numbers since the last order of any seat are valid. Numbers that were undone are invalid.
        """
        last, starts = self._fold.ends[-1], {seat: one.valid_from for seat, one in self._fold.place.open.items()}
        numbers = [end.number for end in _line(last, min(starts.values(), default=last.number))]
        valid = {start: frozenset((last.number, *(one for one in numbers if one >= start))) for start in {*starts.values()}}
        return ValidTurns(last.turn, last.number, {player.seat: valid[starts[player.seat]] for player in self._players})

    @cached_property
    def _corrections(self) -> tuple[Entry, ...]:
        return self._journal.those(_is_outside)

    @cached_property
    def undone(self) -> Mapping[int, int]:
        """The number of the entry that undid it, for each undone entry."""
        return undone_entries(self._corrections)

    @cached_property
    def holders(self) -> dict[Seat, str]:
        """The present player of each seat."""
        return holders(self._players, self._corrections)

    @cached_property
    def entry_numbers(self) -> EntryNumbers:
        """The numbers of the entries as players see them."""
        return EntryNumbers(self._journal.those(is_skipped))


class _Fold:
    """The ends of the adjudications in a ``journal``, the last ``place``, and the places to which an undo leads."""

    def __init__(self, rules: AnyRuleset, seats: Sequence[Seat], journal: Journal, before: _Fold | None = None) -> None:
        """Begin after the entries of ``before``, the fold of the first part of ``journal``."""
        self._rules, self._seats = rules, seats
        self.journal = journal
        self.ends: list[_End] = [] if before is None else before.ends.copy()
        self.place: _Place = _Place(rules.initial()) if before is None else before.place
        self._first = 0 if before is None else len(before.journal)
        self._restored: dict[int, _Place] = {} if before is None else before._restored

    def goes_on(self, longer: Journal) -> bool:
        """Return whether this fold can go on with the later entries of a ``longer`` journal."""
        entries = [link.entry for link in longer[len(self.journal) :]]
        turn = next((entry.turn for entry in entries if not _is_beside(entry)), None)
        return turn != self.journal[-1].entry.turn and not _restored(entries)

    def run(self, final: Any) -> None:
        """Fold the new entries; if ``final``, the state after them, is known, only those before the last adjudication."""
        entries = [link.entry for link in self.journal[self._first :]]
        is_end, last = _ends(entries)
        restored = _restored(entries)
        kept = (at + 1 for at in range(last) if is_end[at] or entries[at].n in restored)
        folded = len(entries) if final is None else max(kept, default=0)
        for at, entry in enumerate(entries):
            self.place = self.after(self.place, entry, is_folded=at < folded)
            if at >= folded:
                self.place = self.place._replace(state=final)
            if is_end[at]:
                self._end(entry)
            if entry.n in restored:
                self._restored[entry.n] = self.place

    def after(self, place: _Place, entry: Entry, *, is_folded: bool = True) -> _Place:
        """Return the place after ``entry``; its state is only right if the entry ``is_folded``."""
        state = place.state
        for event in entry.events:
            if type(event) is Undone:
                if event.to >= entry.n:
                    raise IndexError(event.to)
                place = self._restored[event.to]
                state = place.state
            elif is_folded:
                state = apply_event(self._rules, state, event, ())
        is_order = entry.seat not in (None, MODERATOR) and not is_skipped(entry) and not is_word(entry)
        return _Place(state, place.end, place.open, (entry.seat, place.acted) if is_order else place.acted)

    def _end(self, entry: Entry) -> None:
        """End an adjudication with ``entry``, and name a turn number for the next one."""
        state, before, open_before, chain = self.place
        number, acted = entry.turn + 1, _seats(chain)
        due = {ask.seat: ask.told(self._rules.config, state) for ask in self._rules.due(state)}
        asked: dict[Seat, Any] = {**dict.fromkeys(self._seats), **self._answered(state), **due}
        opened: dict[Seat, _Open] = {}
        for seat, decision in asked.items():
            was, first, since_order = open_before.get(seat), number, number
            if was is not None and was.decision == decision:
                has_acted = seat in acted if decision is not None else bool(acted)
                first, since_order = was.first, number if has_acted else was.since_order
            is_answered = decision is not None and seat not in due
            opened[seat] = _Open(decision, first, since_order, first if is_answered else since_order)
        turn = max((opened[seat].valid_from for seat in due), default=number)
        self.ends.append(_End(entry.n, number, state, before, turn))
        self.place = _Place(state, self.ends[-1], opened)

    def _answered(self, state: Any) -> dict[Seat, Any]:
        """Return the questions that seats have answered and may answer anew, because other seats have yet to answer."""
        rules, seats = self._rules, [ask.seat for ask in self._rules.asked(state) if not ask.is_due]
        positions = ((seat, rules.answering(state, seat)) for seat in seats)
        found = ((seat, due_question(rules, at.state, seat)) for seat, at in positions if at is not None)
        return {seat: question for seat, question in found if question is not None}


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
    return is_skipped(entry) or is_absence(entry.events)


def _is_outside(entry: Entry) -> bool:
    return any(isinstance(event, OUTSIDE) for event in entry.events)


def _seats(acted: Any) -> set[str]:
    """Return the seats in the linked list ``acted``."""
    seats = set[str]()
    while acted is not None:
        seat, acted = acted
        seats.add(seat)
    return seats


def _line(last: _End | None, first: int) -> Iterator[_End]:
    """Yield the ends of adjudications that are not undone, from ``last`` back to the number ``first``."""
    while last is not None and last.number >= first:
        yield last
        last = last.before


def _restored(entries: Iterable[Entry]) -> set[int]:
    """Return the entries to which an undo among ``entries`` leads."""
    return {event.to for entry in entries for event in entry.events if type(event) is Undone}


_N: Final = attrgetter("n")
_NUMBER: Final = attrgetter("number")
