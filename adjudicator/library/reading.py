"""Read a game: the position, the legal orders, the log, reports and replays, as each reader may know them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudicator.core.frozen import frozen
from adjudicator.library.properties import GameProperties
from adjudicator.library.texts import RequestError, links_since, seats_by_name, submissions_in

if TYPE_CHECKING:  # each method loads only what it needs: the command line starts for each command
    from adjudicator.core.ids import Seat, Viewer
    from adjudicator.core.rules import AnyRuleset
    from adjudicator.corrections.seat_records import Names
    from adjudicator.library.own_orders import CountedOrders, OwnOrders
    from adjudicator.library.texts import Orders
    from adjudicator.library.what_if import WhatIf
    from adjudicator.orders.submission import Submission
    from adjudicator.outputs.orders import Correction, LegalRow, LineCost, LogRow
    from adjudicator.outputs.report import OwnSecret
    from adjudicator.outputs.standings import SeatRecord
    from adjudicator.replay import Look, Move
    from adjudicator.reports.data.position import Position
    from adjudicator.reports.data.report import Report
    from adjudicator.reports.data.waiting import Waiting
    from adjudicator.reports.pages.replay_page import ReplayPage


@frozen
class Step:
    """One entry of a replay, number ``n`` (0: the set-up), with its ``events``, as the reader may see them.

    ``move`` is its record, which shows everything; ``is_last`` says that the game has no later entry,
    and ``look`` gives the position after a move.
    """

    n: int
    move: Move
    events: tuple[Any, ...]
    is_last: bool
    look: Look

    @property
    def rows(self) -> tuple[LogRow, ...]:
        """The rows of the log for this entry, that of the seat that gave the order first."""
        return self.move.rows

    @property
    def holders(self) -> Mapping[Seat, str]:
        """The players of the seats after this entry."""
        return self.move.holders

    @property
    def position(self) -> Position:
        """The position after this entry, as the reader may know it."""
        return self.look(self.move)


@frozen
class GameReading(GameProperties):
    """The methods of a game that only read it."""

    def __str__(self) -> str:
        """Return the public position as the command `show` prints it."""
        from adjudicator.reports.data.position import position_text

        return position_text(self.view())

    def view(self, viewer: str | None = None) -> Position:
        """Return the position as ``viewer`` may know it: board, decisions due, standings; ``view.state`` for machines."""
        from adjudicator.present import position_of

        return position_of(self.session, self.session.viewer(viewer))

    def legal(self, seat: str) -> tuple[LegalRow, ...]:
        """Return each order that ``seat`` may give now, with its cost ``min`` in the game's unit; none if it is not due."""
        from adjudicator.present import legal_of

        return legal_of(self.session, self.session.seat(seat))

    def legal_ahead(self, seat: str) -> tuple[LegalRow, ...] | None:
        """Return the orders that ``seat`` could give if it were due now, or ``None`` if the rules cannot tell."""
        from adjudicator.present import legal_if_due

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

        return tuple(sorted(vocabulary(self._spoken, ()).keywords))

    def words_after(self, text: str) -> tuple[str, ...]:
        """Return the words of the grammar that fit after ``text``, the beginning of a line; none if it has a mistake."""
        from adjudicator.orders.clean import clean
        from adjudicator.orders.parse_failure import parse_failure

        found = parse_failure(self._spoken, clean(text))
        return tuple(word for word in found.expected.spellings if word[0].isalpha()) if found.is_at_end else ()

    def example(self, seat: str) -> str | None:
        """Return an order that ``seat`` may give now, as an example for its player; ``None`` if the seat is not due."""
        if seat not in self.due_seats:
            return None
        rules, config, state = self.session.rules, self.session.config, self.session.game.state
        order = next(iter(rules.legal(config, state, self.session.seat(seat))), None)
        return None if order is None else rules.language.text(order)

    def own_orders(self, text: Submission, seat: str) -> OwnOrders:
        """Return the orders in ``text``, which is from ``seat`` alone, with the problems that this seat can know now."""
        from adjudicator.library.own_orders import own_orders

        return own_orders(self.session, text, self.session.seat(seat))

    def counted_orders(self, texts: Sequence[Submission], seat: str, flawed: Collection[int] = ()) -> CountedOrders | None:
        """Return the orders that count of several ``texts`` of ``seat``, in the order of arrival, or ``None``.

        ``flawed`` are the numbers (from 0) of texts that are known to have a mistake: an earlier text counts instead.
        """
        from adjudicator.library.own_orders import counted_orders

        return counted_orders(self.session, texts, self.session.seat(seat), flawed)

    def header_turns(self, lines: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of turns in headers such as `turn 7` among the ``lines`` of a text, in order, each once."""
        from adjudicator.orders.turnfile import header_turns

        return tuple(sorted(header_turns(self.session.rules, lines)))

    def has_answered(self, seat: str) -> bool:
        """Return whether ``seat`` has answered a question that others must still answer: it can change its answer."""
        from adjudicator.present import has_answered

        return has_answered(self.session, self.session.seat(seat))

    def secrets(self, seat: str) -> tuple[OwnSecret, ...]:
        """Return the parts of the position that ``seat`` may know and the public may not, each with its ``title``."""
        from adjudicator.reporting import secrets_of

        return secrets_of(self.session, self.session.seat(seat))

    def missed_deadlines(self, seat: str) -> int:
        """Return the number of deadlines that ``seat`` has missed since its last mail with a receipt."""
        from adjudicator.corrections.correct import missed_deadlines

        return missed_deadlines(self.session.game, self.session.seat(seat))

    def seat_records(self, names: Names | None = None) -> tuple[SeatRecord, ...]:
        """Return what each player has done on each seat; ``names`` identifies players by seat and name in the journal."""
        from adjudicator.corrections.seat_records import records_of

        return records_of(self.whole, names)

    def viewer(self, name: str | None) -> Viewer:
        """Return the reader called ``name``, in any case; without a name the public, or the owner of a player's file."""
        return self.session.viewer(name)

    def seats_by_name(self) -> dict[str, Seat]:
        """Return the seats by their names and those of their players, in lower case."""
        return seats_by_name(self.session)

    def turn_for(self, viewer: str | None) -> int:
        """Return the number of the turn that ``viewer`` knows, which can be another one for a seat that answers late."""
        return self.session.valid_turns.turn_for(self.session.viewer(viewer))

    def eliminated(self, seat: str) -> str:
        """Return why ``seat`` has no more decisions, as a sentence; empty if it is still in the game."""
        problem = self.session.rules.eliminated(self.session.config, self.session.game.state, self.session.seat(seat))
        return "" if problem is None else problem.message

    def choices(self, seat: str) -> tuple[tuple[str, str], ...]:
        """Return the cards or parts that ``seat`` holds or can choose, each with what it does."""
        from adjudicator.present import choices_of

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

    def log(self, viewer: str | None = None, *, turn: int | None = None, since: int | None = None) -> tuple[LogRow, ...]:
        """Return the log as ``viewer`` may read it: of all turns, of one ``turn``, or ``since`` a turn.

        Raises ``RequestError`` for a turn that the game does not have.
        """
        from adjudicator.present import log_of

        seat = self.session.viewer(viewer)
        if turn is not None and since is not None:
            raise RequestError("name one turn with `turn`, or the first of several with `since`, not both")
        if self.session.knowledge is None:
            return log_of(self.session, links_since(self.session, turn, since), seat)
        rows = self.session.knowledge.rows
        return tuple(row for row in rows if (turn is None or row.turn == turn) and (since is None or row.turn >= since))

    def report(self, viewer: str | None = None, *, since: int | None = None, last: int | None = None) -> Report:
        """Return the report to ``viewer`` since the last report or ``since`` a turn; ``render`` makes a page of it.

        Reports that were made again begin with the same entry, which is ``last``.
        """
        from adjudicator.reporting import first_unreported, report_for

        session, seat = self.whole, self.session.viewer(viewer)
        if since is None:
            return report_for(session, seat, first_unreported(session.game, last, seat))
        return replace(report_for(session, seat, links_since(session, None, since)[0].entry.n), asked=since)

    def own_file(self, seat: str) -> bytes:
        """Return the bytes of a player's own file: what ``seat`` may know, so that the player can check orders alone."""
        from adjudicator.own_file import own_file
        from adjudicator.store.seat_files import dump_seat_file

        return dump_seat_file(self.whole.rules, own_file(self.session, self.session.seat(seat)))

    def replay(self, viewer: str | None = None, first: int = 0, last: int | None = None) -> Iterator[Step]:
        """Return the entries from ``first`` (0: the set-up) to ``last`` (``None``: the end) as ``viewer`` may know them.

        Raises ``NoSuchEntryError`` at once.
        """
        from adjudicator.present import position_maker, redact_entry
        from adjudicator.replay import moves_of, numbers_for

        session, seat = self.whole, self.session.viewer(viewer)
        after, numbers = position_maker(session, seat), numbers_for(session, seat)

        def look(move: Move) -> Position:
            # Past positions have the turn number that most players saw: finding other numbers needs a new replay for each.
            return after(move.entry.n, move.state, move.turn)

        def step(move: Move) -> Step:
            n, events = numbers[move.entry.n], redact_entry(session.rules, session.config, move.entry, seat).events
            return Step(n, move, events, n == numbers[-1], look)

        return map(step, moves_of(session, seat, first, last))

    def replay_page(self, viewer: str | None = None, first: int = 0, last: int | None = None) -> ReplayPage:
        """Return a web page (``text``) with the pictures and the log of the entries that ``replay`` returns."""
        from adjudicator.replay_page import page_of

        return page_of(self.whole, self.session.viewer(viewer), first, last)

    def log_since(self, earlier: GameReading, viewer: str | None = None) -> tuple[LogRow, ...]:
        """Return the log of the entries that the game ``earlier`` does not have, as ``viewer`` may read it."""
        from adjudicator.present import log_of

        return log_of(self.session, self.session.game.journal[len(earlier.session.game.journal) :], self.viewer(viewer))

    def dropped_since(self, earlier: GameReading) -> dict[Seat, int]:
        """Return the number of orders of each seat that an undo of the game ``earlier`` has set aside."""
        from adjudicator.corrections.correct import dropped_orders

        return dropped_orders(earlier.session, self.session)

    def correction_since(self, earlier: GameReading) -> Correction:
        """Return the entry that corrected the game ``earlier``, the orders that it set aside, and the next decisions."""
        from adjudicator.core.ids import MODERATOR
        from adjudicator.outputs.orders import Correction

        position = self.view()
        return Correction(
            game=self.id,
            turn=position.heading.turn,
            entry=self.log_since(earlier, MODERATOR)[0],
            pending=self.pending_counts,
            dropped=self.dropped_since(earlier),
            due=position.decisions,
            over=position.heading.is_over,
            warnings=self.cautions,
        )

    def is_asked_between(self, seat: str) -> bool:
        """Return whether ``seat`` must answer a question before its pending orders, which new orders then do not replace."""
        from adjudicator.moderate.replacing import is_asked_between

        return is_asked_between(self.session, seat)

    @property
    def _spoken(self) -> AnyRuleset:
        from adjudicator.orders.languages import rules_with_languages

        return rules_with_languages(self.session.rules, self.session.game.languages)

    def pending(self, viewer: str | None = None) -> Waiting:
        """Return the pending orders, and those that were set aside: a seat's own, or all for the moderator."""
        from adjudicator.present import waiting_of

        return waiting_of(self.whole, self.session.viewer(viewer))
