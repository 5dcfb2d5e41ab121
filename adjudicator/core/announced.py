"""The turn numbers that a sheet may name: `turn 7` means the decision that was announced under that number.

Each report names the number of the next adjudication. A decision that stays open keeps the numbers under which it was
announced, whatever other seats have sent since and whatever the moderator has corrected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from adjudicator.core.corrections import is_absence
from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game
from adjudicator.core.ids import MODERATOR, Seat, Viewer
from adjudicator.core.journal import Entry
from adjudicator.core.record import left_behind, states
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.ruleset import Decision
from adjudicator.core.step import SKIPPED
from adjudicator.core.words import is_word


@frozen
class Announced:
    """The turn number to write above orders now, and the numbers that are valid.

    ``turn`` is the number under which the open decisions were announced. ``latest`` is the number of the next adjudication,
    which is valid for every seat. ``counting`` lists all valid numbers by seat.
    """

    turn: int
    latest: int
    counting: Mapping[Seat, frozenset[int]]

    def turn_for(self, viewer: Viewer) -> int:
        """Return the number that ``viewer`` should write."""
        own = self.counting.get(viewer) if viewer is not None else None
        return self.turn if own is None or self.turn in own else self.latest


def announced(rules: AnyRuleset, config: Any, game: Game) -> Announced:
    """Return the valid turn numbers in ``game``: those under which each seat's present decision was announced.

    An order of the seat ends the validity of earlier numbers, and so does a decision of another kind. If a seat has nothing
    to decide, the numbers announced since the last order of any seat are valid. Undone entries announced nothing.
    """
    latest, due = game.turn, asked(rules, config, game.state)
    given = answered(rules, config, game.state, (player.seat for player in game.setup.players))
    now = {**given, **due}
    counting = {player.seat: {latest} for player in game.setup.players}
    left = set(counting)
    for number, actor, state in _backwards(rules, config, game):
        if number is not None:
            then = {**answered(rules, config, state, given), **asked(rules, config, state)}
            left = {seat for seat in left if then.get(seat) == now.get(seat)}
            for seat in left:
                counting[seat].add(number)
        if actor not in (None, MODERATOR):
            left = {seat for seat in left if seat in now and (seat != actor or seat in given)}
        if not left:
            break
    turn = max((min(counting[seat]) for seat in due if seat in counting), default=latest)
    return Announced(turn, latest, {seat: frozenset(numbers) for seat, numbers in counting.items()})


def _backwards(rules: AnyRuleset, config: Any, game: Game) -> Iterator[tuple[int | None, Any, Any]]:
    """Yield each entry that is not undone, the latest first, as the number announced after it, who acted, and the state.

    Only the last entry of an adjudication announces a number. A skipped order and a word for chance do not count as acts.
    """
    past = list(states_told(rules, config, game))
    undone = left_behind(entry for entry, _, _ in past)
    for entry, is_last, state in reversed(past):
        if entry.n not in undone:
            is_nobodys = entry.order == SKIPPED or is_word(entry)
            yield entry.turn + 1 if is_last else None, None if is_nobodys else entry.seat, state


def states_told(rules: AnyRuleset, config: Any, game: Game) -> Iterator[tuple[Entry, bool, Any]]:
    """Yield each entry of ``game``, whether it ended its adjudication, and if so the state after it.

    An adjudication ends before the skipped orders and absences at its end: those that came alone have its number, and no
    report may depend on them. The final state comes from ``game`` itself. Only the entries before the last
    adjudication are folded, since that one may hold the sheets of a thousand seats. Raises ``IndexError`` like ``states``.
    """
    entries = [link.entry for link in game.journal]
    ends, later = list[bool](), None
    for entry in reversed(entries):
        ends.append(entry.turn != later)
        later = later if _is_beside(entry) else entry.turn
    ends.reverse()
    latest = max((at for at, entry in enumerate(entries) if not _is_beside(entry)), default=0)
    needed = max((at + 1 for at in range(latest) if ends[at]), default=0)
    folded = states(rules, config, entries[:needed])
    for at, entry in enumerate(entries):
        state = next(folded)[1] if at < needed else game.state
        yield entry, ends[at], state if ends[at] else None


def _is_beside(entry: Entry) -> bool:
    return entry.order == SKIPPED or is_absence(entry.events)


def asked(rules: AnyRuleset, config: Any, state: Any) -> dict[Seat, Decision]:
    """Return the open decisions in ``state``, by seat."""
    return {decision.seat: decision for decision in rules.awaiting(config, state)}


def answered(rules: AnyRuleset, config: Any, state: Any, seats: Iterable[Seat]) -> dict[Seat, Decision]:
    """Return the decisions that ``seats`` have answered and may still change, because other seats have yet to answer."""
    reopened = ((seat, rules.position_before_answer(config, state, seat)) for seat in seats)
    then = ((seat, asked(rules, config, before)) for seat, before in reopened if before is not None)
    return {seat: due[seat] for seat, due in then if seat in due}
