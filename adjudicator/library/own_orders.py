"""Read the texts of one seat as far as this seat can know them: its orders, and which of several texts count."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from adjudicator.core.order import FirstOf, When, instruction_text
from adjudicator.core.remember import Recall
from adjudicator.core.values import Value
from adjudicator.library.own_check import check_own, read_texts
from adjudicator.orders import turnfile
from adjudicator.orders.counted_sheet import counted_sheet
from adjudicator.orders.submission import EMPTY as EMPTY

if TYPE_CHECKING:
    from adjudicator.core.order import Instruction, Sheet
    from adjudicator.core.problem import Diagnostic
    from adjudicator.core.values import Seat
    from adjudicator.library.game import Game
    from adjudicator.orders.counted_sheet import CountedSheet
    from adjudicator.orders.findings import Ignored
    from adjudicator.orders.submission import Submission
    from adjudicator.orders.turnfile import TurnFile
    from adjudicator.outputs.orders import LegalRow

LATE: Final = "orders/late-answer"
"""The code of the problem of an answer that came before its question."""
OTHER_GAME: Final = "orders/wrong-game"
"""The code of the problem of orders for another game."""
OTHER_TURN: Final = frozenset({"orders/wrong-turn", OTHER_GAME, LATE})
"""The codes of the problems of orders for another turn or another game."""


def mistakes(problems: Collection[Diagnostic]) -> list[Diagnostic]:
    """Return those of ``problems`` that are not about orders for another turn or game."""
    return [found for found in problems if found.problem.code not in OTHER_TURN]


class OwnOrders(Value):
    """The orders of ``seat`` in its own text, as the game reads them; it does not carry them out.

    ``problems`` are all that this seat can know now, also those of headers.
    """

    game: Game
    seat: Seat
    received: TurnFile
    problems: tuple[Diagnostic, ...]

    @property
    def orders(self) -> tuple[tuple[int, str], ...]:
        """The number of the line and the canonical words of each order, up to an unreadable line."""
        text = self.game.rules.language.text
        found = () if self._sheet is None else self._sheet.instructions
        return tuple((item.line, instruction_text(item, text)) for item in found)

    @property
    def withdraws(self) -> int:
        """The number of the first pending order that a WITHDRAW takes back; 0 if the text has no WITHDRAW."""
        withdrawal = None if self._sheet is None else self._sheet.withdrawal
        return 0 if withdrawal is None else withdrawal.first

    @property
    def has_orders(self) -> bool:
        """Whether the text has an order that can be read, a WITHDRAW, or a word for chance."""
        return bool(self.received.words.get(self.seat) or self.withdraws or (self._sheet and self._sheet.instructions))

    @property
    def is_meant(self) -> bool:
        """Whether the text has orders, or lines after an unreadable one that may be some."""
        return self.has_orders or self._sheet is not None

    @property
    def ignored(self) -> tuple[Ignored, ...]:
        """The lines that the program ignores."""
        return self.received.ignored

    @property
    def first(self) -> LegalRow | None:
        """The first order with its cost; ``None`` if it is not legal now, has a condition, or chance decides its cost."""
        from adjudicator.core.event import total
        from adjudicator.outputs.orders import LegalRow

        rules, state = self.game.rules, self.game.record.state
        is_due = rules.is_due(state, self.seat)
        order = self._sheet.instructions[0].expression if self._sheet and self._sheet.instructions else None
        if not is_due or order is None or isinstance(order, (FirstOf, When)):
            return None
        why = rules.cost_if_legal(rules.at(state, self.seat), order)
        return None if why is None else LegalRow(rules.language.text(order), total(why), why)

    @property
    def _sheet(self) -> Sheet | None:
        return next((sheet for sheet in self.received.sheets if sheet.seat == self.seat), None)


class CountedOrders(Value, kw_only=True):
    """The orders of a seat that count of several texts: ``orders`` in canonical words, up to the first mistake.

    The last of them are in text ``number``, and ``parts`` are the numbers of all texts that have some, from 0. ``withdraws``
    is the number of the first pending order that a WITHDRAW takes back (0: there is no WITHDRAW). ``is_flawed`` says that
    the text has a mistake.
    """

    orders: tuple[str, ...]
    number: int
    parts: tuple[int, ...]
    withdraws: int
    is_flawed: bool


def orders_in(game: Game, text: Submission, seat: Seat) -> OwnOrders:
    """Return the orders of ``seat`` in its own ``text``."""
    received = read_texts(game, [text])
    return OwnOrders(game, seat, received, check_own(game, [text], seat, received).diagnostics)


def header_turns(game: Game, lines: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of turns in headers such as `turn 7` among the ``lines`` of a text, in order, each once."""
    return tuple(sorted(turnfile.header_turns(game.rules, lines)))


def counted_orders(
    game: Game, texts: Sequence[Submission], seat: Seat, flawed: Collection[int] = ()
) -> CountedOrders | None:
    """Return the orders that count of the ``texts`` of ``seat``, in the order of arrival, or ``None``.

    ``flawed`` are the numbers of texts that are known to have a mistake.
    """
    received, found_in = read_texts(game, texts), (game.record.journal[-1:], game.record.pending, game.rules)

    def usable(now: CountedSheet) -> tuple[Instruction, ...]:
        """Return the orders of a sheet, up to the first mistake."""
        text, orders = texts[now.number], now.sheet.instructions
        if not now.is_flawed:
            return orders

        def first_mistake() -> int | None:
            wrong = mistakes(check_own(game, [text], seat).diagnostics)
            return min((found.line for found in wrong), default=None)

        is_kept = game.own is None  # an own file has no journal that leads to its position
        first = _mistakes.result((seat, text), found_in, first_mistake) if is_kept else first_mistake()
        return orders if first is None else tuple(order for order in orders if order.line < first)

    sent = [one for one in received.arrived if one.seat == seat and seat in received.readings[one.number].sent]
    if not sent:
        return None
    now = counted_sheet(sent, flawed, lambda now: now.sheet.withdrawal is None and not usable(now))
    return _counted(now, tuple(instruction_text(order, game.rules.language.text) for order in usable(now)))


_mistakes: Final = Recall()


def _counted(now: CountedSheet, orders: tuple[str, ...]) -> CountedOrders:
    withdrawal = now.sheet.withdrawal
    first = 0 if withdrawal is None else withdrawal.first
    return CountedOrders(orders=orders, number=now.number, parts=now.parts, withdraws=first, is_flawed=now.is_flawed)
