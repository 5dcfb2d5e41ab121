"""Check published logs without the game file: decide the game again, with the chance computed from the secret.

Each entry is decided again, from the set-up on, with the orders in the logs. Every log is compared with the log that its
reader should have.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from adjudicator.audit.decide import canonical_word
from adjudicator.audit.published_logs import PublishedLog, PublishedRow
from adjudicator.audit.recorded_orders import reader
from adjudicator.core.chance import WORD, CommittedChance, WordSent
from adjudicator.core.entries import redecide
from adjudicator.core.journal import SKIPPED, Entry
from adjudicator.core.step import RefusedError, Taken, committed_chance, go_on
from adjudicator.core.timeline import EntryNumbers, public_entries
from adjudicator.core.values import MODERATOR, Seat, Viewer, replace
from adjudicator.library.game import Game
from adjudicator.library.reader import redact_entry
from adjudicator.outputs.audits import CheckedLogs
from adjudicator.outputs.orders import LogRow
from adjudicator.reports.data.log import log_rows

_UNDO: Final = "UNDO to "
_WORD: Final = f"{WORD} "
_MOST_GAPS: Final = 100
"""The number of missing entries that the result lists."""


class CannotContinueError(Exception):
    """Report that no further entry can be computed; the message says why, and whose log is needed."""


@dataclass(slots=True)
class _Position:
    """The part of the game that is decided again: the number of each entry, the state after it, the count of outcomes.

    Entries that no log contains are left out, since a log may contain any number.
    """

    game: Game
    numbers: list[int] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)
    words: list[WordSent] = field(default_factory=list)

    def chance(self, drawn: int) -> CommittedChance:
        """Return the chance after ``drawn`` outcomes, with the words told so far."""
        chance = committed_chance(self.game.record, drawn, self.words)
        assert chance is not None  # whose chance is recorded never comes here
        return chance


@dataclass(slots=True)
class _Reader:
    """One log and its possible readers: a viewer whose log would differ is dropped."""

    log: PublishedLog
    viewers: list[Viewer]


def check_published(
    game: Game,
    logs: Sequence[PublishedLog],
    journal: Sequence[Entry] | None = None,
    notify: Callable[[], object] = lambda: None,
) -> CheckedLogs:
    """Return the result of checking ``logs`` against ``game``, which has its secret and no entries yet.

    With the ``journal`` of an audited game file nothing needs to be decided again. The check ends at the first
    contradiction, or at the first entry that the logs do not show completely. Each entry calls ``notify``.
    """
    entries = None if journal is None else public_entries(journal)
    if journal is not None and entries is not None and len(entries) < len(journal):
        logs = [_in_players_numbers(game, log, journal, entries) for log in logs]
    position = _Position(game)
    readers = [_Reader(log, [None, *game.seats, MODERATOR]) for log in logs]
    numbers = sorted({0, *(n for log in logs for n in log.rows)})
    mismatch, unchecked, hidden, n = "", "", 0, 0
    for n in numbers:
        notify()
        rows = [log.rows[n] for log in logs if n in log.rows]
        try:
            entry = _recomputed(position, n, rows) if entries is None else _recorded(position, n, entries)
            _compare(game, readers, entry)
        except CannotContinueError as error:
            unchecked = f"entries {n} to {numbers[-1]}: {error}" if n < numbers[-1] else f"entry {n}: {error}"
            break
        except _Mismatch as error:
            mismatch = f"entry {n}{error}"
            break
        hidden += _is_partly_hidden(game, readers, entry)
    checked = len(position.states) - bool(mismatch and position.numbers[-1:] == [n])
    untold = _gaps(logs, numbers[-1])
    if mismatch and entries is None and untold and untold[0] < n:
        # A missing log can have the same effect as cheating.
        unchecked, mismatch = f"{mismatch}; the cause may be an entry that no log contains, such as entry {untold[0]}", ""
    return CheckedLogs(
        game=game.record.id,
        commitment=game.record.chance.commitment or "",
        compared=any(log.commitment for log in logs),
        entries=checked,
        draws=position.drawn[-1] if position.drawn else 0,
        listed=len(numbers),
        hidden=hidden,
        sound=not mismatch,
        mismatch=mismatch,
        unchecked=unchecked,
        untold=untold,
    )


def _in_players_numbers(game: Game, log: PublishedLog, journal: Sequence[Entry], entries: Sequence[Entry]) -> PublishedLog:
    """Return ``log`` in the numbers of the players, as ``entries`` have them, where it fits only in the ``journal``'s.

    Older versions numbered all logs like that, and a log does not say which numbers it has.
    """
    if _reader_of(game, log, entries) is not None or (one := _reader_of(game, log, journal)) is None:
        return log
    public = EntryNumbers(entry for entry in journal if entry.is_skipped).public
    rows = {public(n): found for n, found in log.rows.items() if not journal[n].is_skipped}
    # What names an entry, as an undo does, names it by the other number.
    named = [n for n in log.rows if not journal[n].is_skipped and journal[n].order != entries[public(n)].order]
    rows |= {public(n): _shown_rows(game, log, entries[public(n)], one.viewers[0]) for n in named}
    return replace(log, rows=rows)


def _reader_of(game: Game, log: PublishedLog, entries: Sequence[Entry]) -> _Reader | None:
    """Return ``log`` with its possible readers if it is about ``entries``, ``None`` if it has none."""
    one = _Reader(log, [None, *game.seats, MODERATOR])
    try:
        for n in log.rows:
            if n >= len(entries):
                return None
            _compare(game, [one], entries[n])
    except _Mismatch:
        return None
    return one


def _gaps(logs: Sequence[PublishedLog], last: int) -> tuple[int, ...]:
    """Return the first numbers below ``last`` that stand in no log."""
    listed = {n for log in logs for n in log.rows}
    return tuple(islice((n for n in range(last) if n not in listed), _MOST_GAPS))


class _Mismatch(Exception):
    """Report that a published text contradicts the rules and the secret; the message follows the number of the entry."""


def _recomputed(position: _Position, n: int, rows: Sequence[tuple[PublishedRow, ...]]) -> Entry:
    """Return entry ``n`` as it must have been, by the orders in ``rows``, those of each log that has it."""
    game = position.game
    own = [row for of_log in rows for row in of_log[:1]]
    seat, order = (own[0].seat, own[0].order) if own else (None, SKIPPED)
    if n == 0:
        return _closed(position, n, None, _again(position, n, None, ""))
    if order == SKIPPED:
        return _closed(position, n, None, Taken((), position.states[-1], SKIPPED, drawn=position.drawn[-1]))
    if any((row.seat, row.order) != (seat, order) for row in own):
        raise _Mismatch(": the logs do not agree on who did what")
    if seat == MODERATOR:
        return _corrected(position, n, order)
    if seat is None or seat not in game.seats:
        raise _Mismatch(f": no seat “{seat}” plays in this game")
    if order.startswith(_WORD) and reader(game.rules)(order) is None:
        word = order.removeprefix(_WORD)
        if canonical_word(word) != word:
            raise _Mismatch(f": “{word}” is not a valid word for chance")
        event = WordSent(seat=seat, word=word, outcome=max(position.drawn))
        entry = _closed(position, n, seat, _again(position, n, seat, order, (event,)))
        position.words.append(event)
        return entry
    text = next((row.written for row in own if row.written), order)
    return _ordered(position, n, seat, text, order)


def _again(position: _Position, n: int, seat: Seat | None, text: str, events: tuple[Any, ...] = ()) -> Taken:
    """Return what the rules make of entry ``n`` with the order ``text``, or with an event that is no order."""
    game, drawn = position.game, position.drawn[-1] if n else 0
    entry = Entry(n=n, turn=0, seat=seat, order=text, written=None, notes=(), events=events, drawn=0)
    before = position.states[-1] if n else None
    return redecide(game.rules, before, entry, position.chance(drawn), drawn, reader(game.rules))


def _recorded(position: _Position, n: int, entries: Sequence[Entry]) -> Entry:
    if n >= len(entries):
        raise _Mismatch(f": the game file has only {len(entries)} public entries")
    entry = entries[n]
    _closed(position, n, None, Taken((), None, drawn=entry.drawn))
    return entry


def _corrected(position: _Position, n: int, order: str) -> Entry:
    """Return a correction: its own change comes from the moderator, and its consequences are computed."""
    game = position.game
    to, count = position.states[-1], position.drawn[-1]
    if order.startswith(_UNDO):
        number = order.removeprefix(_UNDO)
        if not (number.isascii() and number.isdecimal() and len(number) < 10 and int(number) < n - 1):
            raise _Mismatch(f": an undo to “{number}” is not possible here")
        at = bisect_right(position.numbers, int(number)) - 1
        to, count = position.states[at], position.drawn[at]
    elif order == "AMEND":
        raise CannotContinueError(
            "the moderator has changed the position, and a log shows only the part that its reader may see"
        )
    elif order != "REVEAL":
        what, _, seat = order.partition(" ")
        if what not in ("SEAT", "NMR", "HOLIDAY"):
            raise _Mismatch(f": “{order}” is not a correction")
        if seat not in game.seats:
            raise _Mismatch(f": no seat “{seat}” plays in this game")
    taken = go_on(game.rules, to, position.chance(count))
    return _closed(position, n, MODERATOR, replace(taken, order=order))


def _ordered(position: _Position, n: int, seat: Seat, text: str, order: str) -> Entry:
    """Return the result of ``text``, the order of ``seat`` as far as the logs show it; they have it as ``order``."""
    rules, state = position.game.rules, position.states[-1]
    try:
        return _closed(position, n, seat, _again(position, n, seat, text))
    except RefusedError as error:
        if not error.seat_is_due:
            due = sorted(ask.seat for ask in rules.due(state))
            raise _Mismatch(f": {seat} was not due; due: {' '.join(due) or 'nobody'}") from None
        if not error.refusals:
            words = f"these logs do not show the order of {seat} (“{order}”): add the log of {seat} or of the moderator"
            raise CannotContinueError(words) from None
        refused, problem = error.refusals[0]
        at = rules.answering(state, seat)
        if text == order and refused is not None and at is not None and rules.public_text(at, refused) is not None:
            words = f"these logs show only a part of the order of {seat} (“{order}”): add the log of {seat}"
            raise CannotContinueError(words) from None
        raise _Mismatch(f": “{text}” was not possible: {problem.message}") from None


def _closed(position: _Position, n: int, seat: Seat | None, taken: Taken) -> Entry:
    position.numbers.append(n)
    position.states.append(taken.state)
    position.drawn.append(taken.drawn)
    return replace(taken, written=None, notes=()).entry(n, 0, seat)


def _compare(game: Game, readers: Iterable[_Reader], entry: Entry) -> None:
    """Raise ``_Mismatch`` if ``entry`` differs in a log; drop readers whose log would differ."""
    for one in readers:
        if entry.n not in one.log.rows:
            continue
        published = one.log.rows[entry.n]
        recomputed = {viewer: _shown_rows(game, one.log, entry, viewer) for viewer in one.viewers}
        left = [viewer for viewer, rows in recomputed.items() if _are_alike(published, rows, entry)]
        if not left:
            raise _Mismatch(f" ({one.log.name}): {_difference(published, recomputed[one.viewers[0]])}")
        one.viewers = left


def _shown_rows(game: Game, log: PublishedLog, entry: Entry, viewer: Viewer) -> tuple[PublishedRow, ...]:
    return tuple(log.row_of(row, game.rules.meta.unit) for row in _rows(game, entry, viewer))


def _rows(game: Game, entry: Entry, viewer: Viewer) -> tuple[LogRow, ...]:
    if entry.seat is None and entry.n and entry.is_skipped:
        return ()
    redacted = redact_entry(game.rules, entry, viewer)
    return log_rows(game.rules, [replace(redacted, written=None, notes=())])


def _are_alike(published: Sequence[PublishedRow], rows: Sequence[PublishedRow], entry: Entry) -> bool:
    if entry.is_skipped:
        return True
    if len(published) != len(rows):
        return False
    # A correction begins with the moderator's reason, which cannot be computed.
    first = 1 if entry.seat == MODERATOR and entry.outside is None else 0
    return all(
        there.line == here.line and (there.told is None or there.told[first:] == (here.told or ()))
        for there, here in zip(published, rows, strict=True)
    )


def _difference(published: Sequence[PublishedRow], rows: Sequence[PublishedRow]) -> str:
    """Return the first difference between the published and the computed rows, as text."""
    for there, here in zip(published, rows, strict=False):
        if there.line != here.line:
            return f"{there.line} was published, but {here.line} is right"
        sentences, right = there.told or (), here.told or ()
        for at in range(max(len(sentences), len(right))):
            one, other = (words[at] if at < len(words) else "nothing more" for words in (sentences, right))
            if one != other:
                return f"“{one}” was published, but “{other}” is right"
    return f"{len(published)} lines were published, but {len(rows)} are right"


def _is_partly_hidden(game: Game, readers: Sequence[_Reader], entry: Entry) -> bool:
    """Return whether no log shows all events of ``entry``."""
    whole = tuple(words for row in _rows(game, entry, MODERATOR) for words in row.told)
    for one in readers:
        shown = one.log.rows.get(entry.n, ())
        sentences = tuple(words for row in shown for words in row.told or ())
        if set(whole) <= set(sentences):
            return False
    return bool(whole)
