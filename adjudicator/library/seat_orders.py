"""Ask a game about the orders of one seat: which are legal, what they cost, where they lead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from adjudicator.library.properties import GameProperties
from adjudicator.library.texts import RequestError, submissions_in

if TYPE_CHECKING:  # each method loads only what it needs: the command line starts for each command
    from adjudicator.library.own_orders import CountedOrders, OwnOrders
    from adjudicator.library.texts import Orders
    from adjudicator.library.what_if import WhatIf
    from adjudicator.orders.submission import Submission
    from adjudicator.results import LegalRow, LineCost, OwnSecret


class SeatOrders(GameProperties):
    """The methods of a game about what one seat may order, and what its orders do."""

    def legal(self, seat: str) -> tuple[LegalRow, ...]:
        """Return each order that ``seat`` may give now, with its cost ``min`` in the game's unit; empty if it is not due."""
        from adjudicator.library.present import legal_of

        return legal_of(self.session, self.session.seat(seat))

    def legal_ahead(self, seat: str) -> tuple[LegalRow, ...] | None:
        """Return the orders that ``seat`` could give if it were due now, or ``None`` if the rules cannot tell."""
        from adjudicator.library.present import legal_if_due

        return legal_if_due(self.session, self.session.seat(seat))

    def what_if(self, orders: Orders, seat: str) -> WhatIf:
        """Return the position after ``orders`` of ``seat``, as far as this seat can know it; the game does not change.

        It ends where chance, a secret or another seat decides.
        """
        from adjudicator.library.what_if import what_if

        return what_if(self.session, submissions_in(self.session, orders, self.session.seat(seat)), self.session.seat(seat))

    def costs(self, orders: Orders, seat: str) -> tuple[LineCost, ...]:
        """Return the cost of each line with ``orders`` of ``seat``, as far as this seat can know it."""
        from adjudicator.library.what_if import costs

        return costs(self.session, submissions_in(self.session, orders, self.session.seat(seat)), self.session.seat(seat))

    @property
    def keywords(self) -> tuple[str, ...]:
        """The words of the grammar of the orders, in lower case, in the languages of the game."""
        from adjudicator.orders.vocabulary import vocabulary

        return tuple(sorted(vocabulary(self.session.spoken_rules, ()).keywords))

    def words_after(self, text: str) -> tuple[str, ...]:
        """Return the words of the grammar that fit after ``text``, the beginning of a line; none if it has a mistake."""
        from adjudicator.orders.clean import clean
        from adjudicator.orders.parse_failure import parse_failure

        found = parse_failure(self.session.spoken_rules, clean(text))
        return tuple(word for word in found.expected.spellings if word[0].isalpha()) if found.is_at_end else ()

    def example(self, seat: str) -> str | None:
        """Return an order that ``seat`` may give now, as an example for its player; ``None`` if the seat is not due."""
        if seat not in self.due_seats:
            return None
        rules, state = self.session.rules, self.session.game.state
        order = next(iter(rules.legal(rules.at(state, self.session.seat(seat)))), None)
        return None if order is None else rules.language.text(order)

    def own_orders(self, text: Submission, seat: str) -> OwnOrders:
        """Return the orders in ``text``, which is from ``seat`` alone, with the problems that this seat can know now."""
        from adjudicator.library.own_orders import own_orders

        return own_orders(self.session, text, self.session.seat(seat))

    def counted_orders(self, texts: Sequence[Submission], seat: str) -> CountedOrders:
        """Return the orders of ``seat`` that count after its ``texts``, in the order of arrival, as ``apply`` decides it."""
        from adjudicator.library.own_orders import counted_orders

        return counted_orders(self.session, texts, self.session.seat(seat))

    def header_turns(self, lines: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of turns in headers such as `turn 7` among the ``lines`` of a text, in order, each once."""
        from adjudicator.orders.turnfile import header_turns

        return tuple(sorted(header_turns(self.session.rules, lines)))

    def has_answered(self, seat: str) -> bool:
        """Return whether ``seat`` has answered a question that others must still answer: it can change its answer."""
        return self.session.rules.has_answered(self.session.game.state, self.session.seat(seat))

    def is_asked_between(self, seat: str) -> bool:
        """Return whether ``seat`` must answer a question before its pending orders, which new orders then do not replace."""
        from adjudicator.library.submit import is_asked_between

        return is_asked_between(self.session.rules, self.session.game, self.session.seat(seat))

    def secrets(self, seat: str) -> tuple[OwnSecret, ...]:
        """Return the parts of the position that ``seat`` may know and the public may not, each with its ``title``."""
        from adjudicator.library.reporting import secrets_of

        return secrets_of(self.session, self.session.seat(seat))

    def choices(self, seat: str) -> tuple[tuple[str, str], ...]:
        """Return the cards or parts that ``seat`` holds or can choose, each with what it does."""
        from adjudicator.library.present import choices_of

        return choices_of(self.session, self.session.seat(seat))

    def choose(self, seat: str, player: str = "greedy", seed: int | None = 0) -> str:
        """Return an order of ``seat``, which must be due, as the simulated ``player`` (random or greedy) chooses it.

        The same game and ``seed`` give the same order (``None``: the secret record is the seed). Raises ``RequestError``.
        """
        from random import Random

        from adjudicator.simulate.players import PLAYERS

        if player not in PLAYERS or seat not in self.due_seats:
            raise RequestError(f"choose a player from {', '.join(PLAYERS)}, and a seat that is due, not {player} and {seat}")
        game = self.session.game
        luck = Random(f"{game.head}/{seat}" if seed is None else f"{seed} {len(game.journal)}")
        return self.session.rules.language.text(PLAYERS[player](self.session, self.session.seat(seat), luck))

    def eliminated(self, seat: str) -> str:
        """Return why ``seat`` has no more decisions, as a sentence; empty if it is still in the game."""
        problem = self.session.rules.retired(self.session.game.state, self.session.seat(seat))
        return "" if problem is None else problem.message
