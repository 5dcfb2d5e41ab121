"""What a seat can know about its own orders, in texts that it has sent or not, and of the position after them.

The order that is due next is checked in the present position. The orders after it may meet any position: later draws,
pending and sealed orders of others are unknown. So they only get problems that exist in every position.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from functools import reduce
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.chance import UnknownChance
from adjudicator.core.engine import Messages, Outcome, adjudicate, preview
from adjudicator.core.event import total
from adjudicator.core.game import waiting_of, words_of
from adjudicator.core.journal import Entry
from adjudicator.core.order import FirstOf, Instruction, Sheet, When, instruction_text
from adjudicator.core.phrases import listed
from adjudicator.core.problem import Diagnostic
from adjudicator.core.remember import Recall
from adjudicator.core.step import HiddenError, Known, known_rules
from adjudicator.core.timeline import redact_entry
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.adjudicate import NOTHING_WAITS, Submitted, problems_in, submitted
from adjudicator.library.errors import NoOrdersError, RequestError
from adjudicator.library.results import Result
from adjudicator.library.texts import addressee, submissions_in
from adjudicator.orders import reading
from adjudicator.orders.problems import locate
from adjudicator.orders.reading import Reading, read_turn_files
from adjudicator.orders.submission import EMPTY as EMPTY
from adjudicator.orders.submission import Orders, Submission
from adjudicator.reports.log import log_rows
from adjudicator.reports.position import Position
from adjudicator.reports.receipt import order_problem
from adjudicator.results import Ignored, LegalRow, LineCost, LogRow

if TYPE_CHECKING:
    from adjudicator.library.game import Game
    from adjudicator.library.reader import Reader

LATE: Final = "orders/late-answer"
"""The code of the problem of an answer that came before its question."""
OTHER_GAME: Final = "orders/wrong-game"
"""The code of the problem of orders for another game."""
OTHER_TURN: Final = frozenset({"orders/wrong-turn", OTHER_GAME, LATE})
"""The codes of the problems of orders for another turn or another game."""
_MISTAKES: Final = Recall()
"""The line of the first mistake of each text: the club asks again after each mail."""


def mistakes(problems: Collection[Diagnostic]) -> list[Diagnostic]:
    """Return those of ``problems`` that are not about orders for another turn or game."""
    return [found for found in problems if found.problem.code not in OTHER_TURN]


class OwnOrders(Value):
    """The orders of ``seat`` in its own texts: how the game reads them, and which of them count.

    ``problems`` are all that this seat can know now, also those of headers. ``sheet`` is the last one that counts, or whose
    mistake no other makes up for (``None``: none).
    """

    game: Game
    seat: Seat
    readings: tuple[Reading, ...]
    counted: Submitted
    sheet: Sheet | None
    problems: tuple[Diagnostic, ...] = ()

    @property
    def orders(self) -> tuple[tuple[int, str], ...]:
        """The number of the line and the canonical words of each order, up to an unreadable line."""
        text = self.game.rules.language.text
        return tuple((item.line, instruction_text(item, text)) for item in (self.sheet.instructions if self.sheet else ()))

    @property
    def withdraws(self) -> int:
        """The number of the first pending order that a WITHDRAW takes back; 0 if the text has no WITHDRAW."""
        withdrawal = None if self.sheet is None else self.sheet.withdrawal
        return 0 if withdrawal is None else withdrawal.first

    @property
    def has_orders(self) -> bool:
        """Whether the text has an order that can be read, or a WITHDRAW."""
        return bool(self.withdraws or (self.sheet and self.sheet.instructions))

    @property
    def is_meant(self) -> bool:
        """Whether the text has orders, or lines after an unreadable one that may be some."""
        return self.has_orders or self.sheet is not None

    @property
    def ignored(self) -> tuple[Ignored, ...]:
        """The lines that the program ignores."""
        return tuple(one for reading in self.readings for one in reading.ignored)

    @property
    def general(self) -> list[Diagnostic]:
        """What is wrong with these texts in every position; the first WITHDRAW may be for mails that are not here."""
        later = {(seat, one.text.source) for seat, own in self.counted.mails.items() for one in own[1:]}
        missed = (one for one in self.counted.problems if one.problem.code == NOTHING_WAITS)
        found = tuple(one for one in missed if (one.seat, one.source) in later)
        return problems_in(self.readings, replace(self.counted, problems=found))

    @property
    def first(self) -> LegalRow | None:
        """The first order with its cost; ``None`` if it is not legal now, has a condition, or chance decides its cost."""
        rules, state = self.game.rules, self.game.record.state
        order = self.sheet.instructions[0].expression if self.sheet and self.sheet.instructions else None
        if not rules.is_due(state, self.seat) or order is None or isinstance(order, (FirstOf, When)):
            return None
        why = rules.cost_if_legal(rules.at(state, self.seat), order)
        return None if why is None else LegalRow(rules.language.text(order), total(why), why)


class CountedOrders(Value, kw_only=True):
    """The orders of a seat that count after several texts: ``orders`` in canonical words, up to the first mistake.

    They include orders that are pending in the game. ``number`` is the number of the text with the last of the others, and
    ``parts`` are those of all texts that have some, from 0 (``None`` and none: only pending orders count). ``is_flawed``
    says that the last text that counts has a mistake.
    """

    orders: tuple[str, ...]
    number: int | None
    parts: tuple[int, ...]
    is_flawed: bool


def read_own(game: Game, texts: Iterable[Submission], seat: Seat) -> OwnOrders:
    """Return the orders of ``seat`` in ``texts``, without their problems. Raises ``LanguageError``."""
    readings = read_turn_files(game.spoken_rules, addressee(game), texts)
    since = {sheet.seat: sheet.turn for sheet in game.record.pending}
    counted = submitted(game.rules, game.record, since, (sheet for reading in readings for sheet in reading.sheets))
    own = (one.sheet for one in reversed(counted.mails.get(seat, ())) if not one.earlier)
    sheet = next((one for one in own if one.instructions or one.check_only or one.withdrawal), None)
    return OwnOrders(game, seat, readings, counted, sheet)


def orders_in(game: Game, texts: Iterable[Submission], seat: Seat) -> OwnOrders:
    """Return the orders of ``seat`` in ``texts`` with all problems that this seat can know.

    All problems of a text that is only the seat's are its own, also those of its headers. Raises ``LanguageError`` if the
    words of a language of the game are missing.
    """
    own = read_own(game, texts, seat)
    sources = _own_sources(own)
    found = [one for one in own.general if one.seat == seat or one.source in sources]
    for mail in own.counted.mails.get(seat, ()):
        found += preview(game.rules, game.record, mail.sheet)
    located = sorted(locate(game.spoken_rules, found), key=lambda one: (one.source, one.line, one.column))
    return replace(own, problems=tuple(located))


def _own_sources(own: OwnOrders) -> frozenset[str]:
    is_own_file = own.game.own is not None  # then all texts are the seat's
    return frozenset(one.text.source for one in own.readings if one.text.seat == own.seat or is_own_file)


def check(reader: Reader, orders: Orders) -> Result:
    """Check ``orders`` with the knowledge of ``reader``, a seat (see ``Reader.check``); the game does not change."""
    game, seat = reader.game, reader.viewer
    if seat is None or seat not in game.seats:
        raise RequestError("name a seat as the reader: only a seat checks its own orders")
    own = orders_in(game, submissions_in(game, orders, seat), seat)
    if not (own.problems or seat in own.counted.mails):
        raise NoOrdersError(f"these texts contain no orders of {seat}: write `{seat}:` above them")
    sources, spoken = _own_sources(own), game.spoken_rules
    return Result(
        game=game.with_record(replace(game.record, pending=tuple(one for one in game.record.pending if one.seat == seat))),
        problems=tuple(map(order_problem, own.problems)),
        faults=tuple(one for one in own.problems if one.fault is not None),
        ignored=tuple(one for one in own.ignored if one.source in sources),
        foreseen=tuple(map(order_problem, locate(spoken, _foreseen(game, own.sheet)))),
    )


def _foreseen(game: Game, sheet: Sheet | None) -> Iterable[Diagnostic]:
    """Return the results of the first orders of ``sheet``, up to one that is a choice or illegal in every position.

    If the ruleset fails on them, this is a problem of the first order.
    """
    if sheet is None or not sheet.instructions:
        return ()
    rules = game.rules

    def is_plain(one: Instruction) -> bool:
        return not isinstance(one.expression, (FirstOf, When)) and rules.wrong(one.expression) is None

    messages, plain = Messages(rules.meta.id, contain_faults=True), tuple[Instruction, ...]()
    try:
        plain = tuple(takewhile(is_plain, sheet.instructions))
        view = rules.view(game.record.state, sheet.seat)
        for index, problem in rules.preview(view, [one.expression for one in plain]):
            messages.report(sheet.seat, plain[index], plain[index].expression, problem)
    except (Exception, SystemExit) as fault:
        messages.report_fault(sheet.seat, (*plain, *sheet.instructions)[0], fault)
    return messages.diagnostics


def header_turns(game: Game, lines: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of turns in headers such as `turn 7` among the ``lines`` of a text, in order, each once."""
    return tuple(sorted(reading.header_turns(game.spoken_rules, lines)))


def counted_orders(game: Game, texts: Sequence[Submission], seat: Seat) -> CountedOrders:
    """Return the orders of ``seat`` that count after its ``texts``, in the order of arrival, as ``apply`` decides it."""
    counted = read_own(game, texts, seat).counted
    parts = [mail for mail in counted.mails.get(seat, ()) if mail.counts]
    if seat not in counted.queues:
        waiting = waiting_of(game.record, seat)
        return CountedOrders(orders=words_of(waiting.orders) if waiting else (), number=None, parts=(), is_flawed=False)
    queue, first = counted.queues[seat].instructions, None
    if parts:
        text = parts[-1].text

        def first_mistake() -> int | None:
            return min((found.line for found in mistakes(orders_in(game, [text], seat).problems)), default=None)

        found_in = (game.record.journal[-1:], game.record.pending, game.rules)
        is_kept = game.own is None  # an own file has no journal that leads to its position
        first = _MISTAKES.result((seat, text), found_in, first_mistake) if is_kept else first_mistake()
        queue = tuple(one for one in queue if first is None or one.source != text.source or one.line < first)
    sources = {one.text.source for one in parts}
    return CountedOrders(
        orders=tuple(instruction_text(one, game.rules.language.text) for one in queue),
        number=parts[-1].number if any(one.source in sources for one in queue) else None,
        parts=tuple(one.number for one in parts),
        is_flawed=first is not None,
    )


# What if --------------------------------------------------------------------------------------------------------------


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
