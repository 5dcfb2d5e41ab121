"""What a seat can know about its own orders, in texts that it has sent or not; no order is carried out.

The order that is due next is checked in the present position. The orders after it may meet any position: later draws,
pending and sealed orders of others are unknown. So they only get problems that exist in every position.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from adjudicator.core.engine import Messages, preview
from adjudicator.core.event import total
from adjudicator.core.game import waiting_of, words_of
from adjudicator.core.order import FirstOf, Instruction, Sheet, When, instruction_text
from adjudicator.core.problem import Diagnostic
from adjudicator.core.remember import Recall
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
from adjudicator.reports.receipt import order_problem
from adjudicator.results import Ignored, LegalRow

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
