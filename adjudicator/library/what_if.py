"""Play orders of one seat on from what this seat knows, up to where chance or others decide."""

from __future__ import annotations

from enum import StrEnum
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.engine import Outcome, adjudicate
from adjudicator.core.event import total
from adjudicator.core.journal import Entry
from adjudicator.core.phrases import listed
from adjudicator.core.unknown import HiddenError, Known, UnknownChance, known_rules
from adjudicator.core.values import Value, replace
from adjudicator.library.own_orders import EMPTY, read_own
from adjudicator.library.shown import redact_entry
from adjudicator.library.texts import submissions_in
from adjudicator.reports.log import log_rows
from adjudicator.reports.position import Position
from adjudicator.results import LegalRow, LineCost, LogRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudicator.core.order import Sheet
    from adjudicator.core.values import Seat
    from adjudicator.library.game import Game
    from adjudicator.library.reader import Reader
    from adjudicator.orders.submission import Orders, Submission


class End(StrEnum):
    """Why a what-if ends."""

    TURN = "your-turn"
    """All orders are carried out, and the seat must decide again."""
    CHANCE = "chance"
    """A draw decides what happens next."""
    HIDDEN = "hidden"
    """Something that the seat may not know decides what happens next."""
    OTHERS = "others"
    """Other seats must decide first."""
    MISTAKE = "mistake"
    """The next order cannot be read, or is not legal there."""
    OVER = "over"
    """The game is over."""


_WORDS: Final = {
    End.TURN: "It is your turn again: write the next order.",
    End.CHANCE: "Chance decides from here.",
    End.HIDDEN: "Something that you do not know decides from here: a draw, or another player's secret.",
    End.MISTAKE: "The next order cannot be carried out here.",
    End.OVER: "The game is over.",
}


class WhatIf(Value, kw_only=True):
    """The position after a seat's orders as far as it is known: the ``rows`` of the log until then, and why it ``ends``.

    ``words`` say the latter to the player. If the seat must decide again, ``legal`` are the orders that may come next;
    ``choices`` are its cards or parts. ``is_ahead`` says that the seat is not due: its orders are carried out as if it were.
    """

    position: Position
    rows: tuple[LogRow, ...]
    ends: End
    words: str
    legal: tuple[LegalRow, ...]
    choices: tuple[tuple[str, str], ...]
    is_ahead: bool


def what_if(reader: Reader, orders: Orders) -> WhatIf:
    """Return the position after ``orders`` of the seat of ``reader``, which are carried out in its own view.

    Nothing hidden takes part: the file of the seat replaces a whole game first.
    """
    game, seat = _own(reader), reader.seat
    rules, state = game.rules, game.record.state
    is_due = rules.is_over(state) or rules.is_due(state, seat)
    ahead = None if is_due else rules.position_if_due(state, seat)
    played = _play(game, submissions_in(reader.game, orders, seat), seat, state if ahead is None else ahead)
    then, is_stopped = played.after.seen_by(seat), played.known.stopped is not None
    position = then.position
    return WhatIf(
        position=replace(position, due=()) if is_stopped else position,
        rows=played.rows,
        ends=played.ends,
        words=played.words,
        legal=then.legal if played.ends is End.TURN else (),
        choices=() if is_stopped else then.choices,
        is_ahead=ahead is not None,
    )


def costs(reader: Reader, orders: Orders) -> tuple[LineCost, ...]:
    """Return the cost of each line with ``orders`` of the seat of ``reader``, as far as this seat can know it."""
    game, texts = _own(reader), submissions_in(reader.game, orders, reader.seat)
    played = _play(game, texts, reader.seat, game.record.state, contain_faults=True)
    found = () if played.sheet is None else played.sheet.instructions
    return tuple(map(played.cost_of, sorted({one.line for one in found})))


def _own(reader: Reader) -> Game:
    game = reader.game
    return game if game.own is not None else game.of_player(type(game.rules), reader.knowledge())


def _play(game: Game, texts: Iterable[Submission], seat: Seat, state: Any, *, contain_faults: bool = False) -> _Played:
    """Carry out the orders of ``seat`` in ``texts`` in its view ``state``."""
    own, known = read_own(game, texts, seat), Known()
    outcome = adjudicate(
        known_rules(game.rules, seat, known),
        replace(game.record, state=state, pending=()),
        () if own.sheet is None else (own.sheet,),
        contain_faults=contain_faults,
        chance=UnknownChance(),
    )
    problems = (one.problem.code for one in (*outcome.diagnostics, *own.general))
    return _Played(game, seat, own.sheet, known, outcome, has_mistake=any(code != EMPTY for code in problems))


class _Played(Value):
    """The ``outcome`` of the ``sheet`` of ``seat`` in its own game: ``known`` says where its knowledge ends."""

    game: Game
    seat: Seat
    sheet: Sheet | None
    known: Known
    outcome: Outcome
    has_mistake: bool

    @property
    def ends(self) -> End:
        """Why the orders lead no further."""
        rules, state = self.game.rules, self.outcome.record.state
        if self.known.stopped is not None:
            return End.HIDDEN if isinstance(self.known.stopped, HiddenError) else End.CHANCE
        if rules.is_over(state):
            return End.OVER
        if self.has_mistake:
            return End.MISTAKE
        return End.TURN if rules.is_due(state, self.seat) and not self.outcome.record.pending else End.OTHERS

    @property
    def words(self) -> str:
        """Why the orders lead no further, for the player."""
        if self.ends is not End.OTHERS:
            return _WORDS[self.ends]
        due = [ask.seat for ask in self.game.rules.due(self.outcome.record.state)]
        return f"{listed(due)} must decide next." if due else "What follows depends on other seats."

    @property
    def after(self) -> Game:
        """The game after the orders."""
        rules, record = self.game.rules, self.outcome.record
        events = () if self.known.stopped is None else self.known.events
        after = reduce(lambda state, event: event.apply(rules.config, state), events, record.state)
        return replace(self.game, record=replace(record, state=after))

    @property
    def rows(self) -> tuple[LogRow, ...]:
        """The log of the orders as the seat would read it, numbered after its own log."""
        entries = [link.entry for link in self.outcome.accepted]
        if self.known.stopped is not None:
            text = self.game.rules.language.text(self.known.order)
            number, events = len(self.outcome.record.journal), tuple(self.known.events)
            turn = self.game.valid_turns.turn
            entries.append(
                Entry(n=number, turn=turn, seat=self.seat, order=text, written=None, notes=(), events=events, drawn=0)
            )
        return self._rows(entries)

    def cost_of(self, line: int) -> LineCost:
        """Return the cost of the orders on ``line``."""
        left = [one.line for dropped in self.outcome.dropped for one in dropped.instructions]
        left += [one.line for sheet in self.outcome.record.pending for one in sheet.orders]
        carried = zip(self.outcome.instructions, self.outcome.accepted, strict=True)
        rows = self._rows(link.entry for instruction, link in carried if instruction.line == line)
        own = [row for row in rows if row.seat == self.seat]
        if own and line not in left:  # an order that goes on has several entries
            return LineCost(line, sum(row.min for row in own), own[-1].after)
        if self.known.stopped is not None and not own and left[:1] == [line]:
            rules, state = self.game.rules, self.outcome.record.state
            why = rules.cost_if_legal(rules.at(state, self.seat), self.known.order)
            if why is not None:
                begun = next((row for row in reversed(self.rows) if row.seat == self.seat), None)
                return LineCost(line, total(why), begun.after if begun and begun.min == total(why) else None)
        return LineCost(line, None, None, self.words)

    def _rows(self, entries: Iterable[Entry]) -> tuple[LogRow, ...]:
        rules, own = self.game.rules, self.game.own
        first = max((row.n for row in own.log), default=0) + 1 if own else 0
        turn = self.game.valid_turns.turn
        shown = (replace(redact_entry(rules, entry, self.seat), n=first + entry.n, turn=turn) for entry in entries)
        return log_rows(rules, shown)
