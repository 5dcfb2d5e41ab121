"""The timeline of a game: its journal, folded once, with the states and the turn numbers that reports have named.

Each report names the number of the next adjudication. A decision that stays open keeps the numbers under which reports
announced it, whatever other seats have sent since and whatever the moderator has corrected.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, Final, NamedTuple

from adjudicator.core.corrections import OUTSIDE, Undone, apply_event, holders, is_absence, undone_entries
from adjudicator.core.entry_numbers import EntryNumbers, is_skipped
from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.core.ids import MODERATOR, Seat, Viewer
from adjudicator.core.journal import Entry, Journal
from adjudicator.core.ruleset import AnyRuleset, Decision, asked_of
from adjudicator.core.words import is_word


@frozen
class ValidTurns:
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
    """A decision that a seat can make, or still change, with the turn numbers under which reports announced it.

    ``first`` is the first of them, ``since_order`` the first since the last order of the seat, ``valid_from`` the first that
    is valid: ``first`` as long as the seat can still change its answer, else ``since_order``.
    """

    decision: Decision
    first: int
    since_order: int
    valid_from: int


class _Place(NamedTuple):
    """A place in a journal: the ``state``, the last ``end`` of an adjudication, and the seats that have ``acted`` since.

    ``acted`` is a linked list, the last seat first: many places share its parts.
    """

    state: Any
    end: _End | None = None
    acted: Any = None


class _End(NamedTuple):
    """The end of an adjudication, with entry ``n``: the ``state``, and the ``number`` of the next adjudication.

    ``before`` is the end before this one, not counting undone entries, ``acted`` lists the seats that gave orders between
    the two. Reports name ``turn`` as the number; the decisions then are ``opened``.
    """

    n: int
    number: int
    state: Any
    before: _End | None
    acted: Any
    opened: Mapping[Seat, _Open]
    turn: int


class Timeline:
    """The journal of a game, folded once, as soon as somebody asks for a state or a turn number.

    It keeps the states at the ends of adjudications, on which turn numbers depend, and the states to which an undo leads.
    """

    def __init__(self, rules: AnyRuleset, config: Any, game: Game, *, state: Any = None) -> None:
        """Prepare the timeline of ``game``; ``state`` is its final state, ``None`` to compute that from the journal."""
        self._rules, self._config, self._journal, self._final = rules, config, game.journal, state
        self._players = game.setup.players
        self._known: _Fold | None = None

    def extended(self, game: Game) -> Timeline:
        """Return the timeline of ``game``; if its journal continues this one, only its new entries are folded."""
        has_same_seats = game.setup.players == self._players
        if has_same_seats and len(self._journal) == len(game.journal) and game.journal.begins_with(self._journal):
            return self
        known = vars(self).get("_fold", self._known)
        if known is None or not has_same_seats or not game.journal.begins_with(known.journal):
            return Timeline(self._rules, self._config, game)
        longer = Timeline(self._rules, self._config, game, state=game.state)
        longer._known = known
        return longer

    @cached_property
    def _fold(self) -> _Fold:
        seats = [player.seat for player in self._players]
        fold = _Fold(self._rules, self._config, seats, self._journal, self._known)
        fold.run(self._final)
        self._known = None
        return fold

    @property
    def state(self) -> Any:
        """The state after the last entry. Raises ``IndexError`` if an undo names an entry that is not before it."""
        return self._fold.ends[-1].state

    def state_after(self, n: int) -> Any:
        """Return the state after entry ``n``. Raises ``IndexError`` like ``state``."""
        return self._fold.at(n).state

    def states(self, first: int = 0, last: int | None = None) -> Iterator[tuple[Entry, Any]]:
        """Yield the entries from ``first`` to ``last`` with the state after each. Raises ``IndexError`` like ``state``."""
        fold, journal = self._fold, self._journal
        place = fold.at(first - 1)
        ends, at = fold.ends, bisect_left(fold.ends, first, key=_N)
        for n in range(first, len(journal) if last is None else last + 1):
            if at < len(ends) and ends[at].n == n:
                place, at = _Place(ends[at].state, ends[at]), at + 1
            else:
                place = fold.after(place, journal[n].entry)
            yield journal[n].entry, place.state

    def turn_number(self, adjudication: int) -> int:
        """Return the turn number that reports name for an ``adjudication``, counted from 0, or for the next one.

        A number that the game does not have yet stands for itself: a forged file may contain any.
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
        last = self._fold.ends[-1]
        seats = [player.seat for player in self._players]
        starts = {seat: open_.valid_from for seat, open_ in last.opened.items()} | _idle(last, seats)
        numbers = [end.number for end in _line(last, min(starts.values(), default=last.number))]
        valid = {start: frozenset((last.number, *(one for one in numbers if one >= start))) for start in {*starts.values()}}
        return ValidTurns(last.turn, last.number, {seat: valid[starts[seat]] for seat in seats})

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
    """The ends of the adjudications in a ``journal``, and the other places to which an undo leads, by their entries."""

    def __init__(
        self, rules: AnyRuleset, config: Any, seats: Sequence[Seat], journal: Journal, before: _Fold | None = None
    ) -> None:
        """Begin after the entries of ``before``, the fold of the first part of ``journal``."""
        self._rules, self._config, self._seats = rules, config, seats
        self.journal = journal
        self.ends: list[_End] = [] if before is None else before.ends.copy()
        self._places: dict[int, _Place] = {} if before is None else before._places.copy()
        self._first = 0 if before is None else len(before.journal)

    def run(self, final: Any) -> None:
        """Fold the new entries; if ``final``, the state after them, is known, only those before the last adjudication."""
        entries = [link.entry for link in self.journal[self._first :]]
        is_end, last = _ends(entries)
        restored = {event.to for entry in entries for event in entry.events if type(event) is Undone}
        kept = (at + 1 for at in range(last) if is_end[at] or entries[at].n in restored)
        folded = len(entries) if final is None else max(kept, default=0)
        place = self._begun(next((entry.turn for entry in entries if not _is_beside(entry)), None))
        for at, entry in enumerate(entries):
            place = self.after(place, entry, is_folded=at < folded)
            if at >= folded:
                place = place._replace(state=final)
            if is_end[at]:
                place = self._ended(entry, place)
            elif entry.n in restored:
                self._places[entry.n] = place

    def _begun(self, turn: int | None) -> _Place:
        """Return the place before the first new entry; an adjudication ``turn`` that goes on has not ended before."""
        if not self.ends:
            return _Place(self._rules.initial(self._config))
        place = _Place(self.ends[-1].state, self.ends[-1])
        while self.ends and self.ends[-1].number - 1 == turn:
            end = self.ends.pop()
            place = _Place(place.state, end.before, end.acted or place.acted)
        return place

    def at(self, n: int) -> _Place:
        """Return the place after entry ``n`` (-1: before the first)."""
        if n in self._places:
            return self._places[n]
        found = bisect_right(self.ends, n, key=_N) - 1
        end = self.ends[found] if found >= 0 else None
        place = _Place(self._rules.initial(self._config)) if end is None else _Place(end.state, end)
        for at in range(0 if end is None else end.n + 1, n + 1):
            place = self.after(place, self.journal[at].entry)
        if end is None or n > end.n:
            self._places[n] = place
        return place

    def after(self, place: _Place, entry: Entry, *, is_folded: bool = True) -> _Place:
        """Return the place after ``entry``; its state is only right if the entry ``is_folded``."""
        state, end, acted = place
        for event in entry.events:
            if type(event) is Undone:
                if event.to >= entry.n:
                    raise IndexError(event.to)
                state, end, acted = self.at(event.to)
            elif is_folded:
                state = apply_event(self._rules, self._config, state, event, ())
        is_order = entry.seat not in (None, MODERATOR) and not is_skipped(entry) and not is_word(entry)
        return _Place(state, end, (entry.seat, acted) if is_order else acted)

    def _ended(self, entry: Entry, place: _Place) -> _Place:
        """Return the ``place`` after ``entry`` as the end of an adjudication, at which reports name a turn number."""
        number, acted = entry.turn + 1, _seats(place.acted)
        opened_before = {} if place.end is None else place.end.opened
        due = {decision.seat: decision for decision in self._rules.awaiting(self._config, place.state)}
        opened: dict[Seat, _Open] = {}
        for seat, decision in {**self._answered(place.state), **due}.items():
            before = opened_before.get(seat)
            first = since_order = number
            if before is not None and before.decision == decision:
                first, since_order = before.first, number if seat in acted else before.since_order
            opened[seat] = _Open(decision, first, since_order, since_order if seat in due else first)
        turn = max((opened[seat].valid_from for seat in due), default=number)
        self.ends.append(_End(entry.n, number, *place, opened, turn))
        return _Place(place.state, self.ends[-1])

    def _answered(self, state: Any) -> dict[Seat, Decision]:
        """Return the decisions that seats have answered and may still change, because other seats have yet to answer."""
        if not self._rules.has_windows:
            return {}
        rules, config = self._rules, self._config
        reopened = ((seat, rules.reopened(config, state, seat)) for seat in self._seats)
        found = ((seat, asked_of(rules, config, before, seat)) for seat, before in reopened if before is not None)
        return {seat: decision for seat, decision in found if decision is not None}


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


def _idle(last: _End, seats: Sequence[Seat]) -> dict[Seat, int]:
    """Return the first valid number of each of ``seats`` that has nothing to decide: all since the last order."""
    starts: dict[Seat, int] = {}
    left = [seat for seat in seats if seat not in last.opened]
    for end in _line(last, 0):
        left = [seat for seat in left if seat not in end.opened]
        starts |= dict.fromkeys(left, end.number)
        if end.acted is not None or not left:
            break
    return starts


_N: Final = attrgetter("n")
_NUMBER: Final = attrgetter("number")
