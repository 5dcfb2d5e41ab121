"""The turn number of each adjudication, as reports named it to the players.

The journal counts adjudications: two mails for one open decision are two. Reports name one number for that decision, and
sentences, logs and receipts use the same number for the turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from adjudicator.core.announced import answered, asked, states_told
from adjudicator.core.corrections import Undone, is_absence
from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.journal import Entry
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.ruleset import Decision
from adjudicator.core.step import SKIPPED
from adjudicator.core.words import is_word


@frozen
class _Since:
    """What seats were ``asked`` when a number was announced last, the ``first`` number of each, and who has ``acted`` since.

    ``acted`` is a linked list, the last seat first: each entry has one of these objects, and they share its parts.
    """

    asked: Mapping[Seat, Decision]
    first: Mapping[Seat, int]
    acted: tuple[str, Any] | None = None

    def seats(self) -> set[str]:
        """Return the seats that have acted."""
        seats, chain = set[str](), self.acted
        while chain is not None:
            seat, chain = chain
            seats.add(seat)
        return seats


class TurnNumbers(dict[int, int]):
    """The number that reports named for each adjudication, by its count; an unknown count maps to itself."""

    def __missing__(self, count: int) -> int:
        """Return ``count``: a forged file may contain any number, and the audit reports that."""
        return count


class TurnsTold:
    """A walk through a game, entry by entry; ``numbers`` are those named so far, ``latest`` is the last of them."""

    def __init__(self, rules: AnyRuleset, config: Any, game: Game) -> None:
        """Begin before entry 0."""
        self._rules, self._config = rules, config
        self._seats = [player.seat for player in game.setup.players]
        self._since = _Since({}, {})
        self._past: list[_Since] = []
        self.numbers, self.latest = TurnNumbers({0: 0}), 0

    def follow(self, entry: Entry, state: Any, *, is_last: bool) -> None:
        """Add ``entry``, after which the position was ``state``; ``is_last`` says that it ended its adjudication."""
        for event in entry.events:
            if isinstance(event, Undone):
                self._since = self._past[event.to]
        now = self._since
        if entry.seat not in (None, MODERATOR) and entry.order != SKIPPED and not is_word(entry):
            now = _Since(now.asked, now.first, (str(entry.seat), now.acted))
        self._since = self._told(now, entry.turn + 1, state) if is_last else now
        self._past.append(self._since)

    def _told(self, before: _Since, number: int, state: Any) -> _Since:
        due = asked(self._rules, self._config, state)
        open_ = answered(self._rules, self._config, state, self._seats)
        now, acted = {**open_, **due}, before.seats()
        first = {
            seat: before.first[seat]
            if before.asked.get(seat) == decision and (seat not in acted or seat in open_)
            else number
            for seat, decision in now.items()
        }
        self.numbers[number] = self.latest = max((first[seat] for seat in due), default=number)
        return _Since(now, first)


def turns_told(rules: AnyRuleset, config: Any, game: Game) -> TurnNumbers:
    """Return for each adjudication of ``game``, by its count, and for the next one the number that reports named."""
    turns = TurnsTold(rules, config, game)
    for entry, is_last, state in states_told(rules, config, game):
        turns.follow(entry, state, is_last=is_last)
    return turns.numbers


def ends(entries: list[Entry], entry: Entry) -> bool:
    """Return whether ``entry`` ended its adjudication: only skipped orders and absences follow in it.

    Those that came alone have the number of the adjudication before, and no report may depend on them.
    """
    later = (entries[at] for at in range(entry.n + 1, len(entries)))
    return all(
        other.order == SKIPPED or is_absence(other.events)
        for other in takewhile(lambda other: other.turn == entry.turn, later)
    )
