"""Read a game: the position, the legal orders, the log, reports and replays, as each reader may know them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from adjudicator.core.frozen import frozen
from adjudicator.library.texts import RequestError, links_since, seats_by_name

if TYPE_CHECKING:  # each method loads only what it needs: the command line starts for each command
    from adjudicator.core.game import ComponentsRef
    from adjudicator.core.head import Head
    from adjudicator.core.ids import Seat, Viewer
    from adjudicator.core.ruleset import Decision, Meta, Standing
    from adjudicator.outputs.orders import LegalRow, LogRow
    from adjudicator.replay import Look, Move
    from adjudicator.reports.position import Position
    from adjudicator.reports.replay_page import ReplayPage
    from adjudicator.reports.report import Report
    from adjudicator.reports.waiting import Waiting
    from adjudicator.session import Session


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
class GameReading:
    """The methods of a game that only read it."""

    session: Session

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.meta.id}, turn {self.turn}, due: {', '.join(self.due_seats) or 'none'}>"

    def __str__(self) -> str:
        """Return the public position as the command `show` prints it."""
        from adjudicator.reports.position import position_text

        return position_text(self.view())

    @property
    def id(self) -> str:
        """The id of the game."""
        return self.session.game.id

    @property
    def meta(self) -> Meta:
        """The ruleset: its ``id``, ``name``, ``version``, ``options``, and the ``unit`` of its costs."""
        return self.session.rules.meta

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of the set-up."""
        return self.session.seats

    @property
    def players(self) -> dict[Seat, str]:
        """The present player of each seat."""
        return self.session.holders

    @property
    def turn(self) -> int:
        """The number of the next turn, which players may write above their orders."""
        return self.session.valid_turns.turn

    @property
    def turns(self) -> int:
        """The number of turns so far, as the moderator's record counts them."""
        return self.session.game.turn - 1

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        return self.session.rules.is_over(self.session.config, self.session.game.state)

    @property
    def due(self) -> tuple[Decision, ...]:
        """The decisions that the game awaits now, each with its ``seat``, its ``kind`` and its question (``ask``)."""
        return self.session.rules.awaiting(self.session.config, self.session.game.state)

    @property
    def due_seats(self) -> tuple[Seat, ...]:
        """The seats whose decisions are due, each once."""
        return tuple(dict.fromkeys(decision.seat for decision in self.due))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The ranking, the best first: each seat's ``place``, ``score`` (in the game's unit) and ``note``."""
        return self.session.rules.standings(self.session.config, self.session.game.state)

    @property
    def commitment(self) -> str | None:
        """The commitment to the secret of chance, for publication; ``None`` if people draw the outcomes."""
        return self.session.game.chance.commitment

    @property
    def version(self) -> int:
        """The version of the rules by which the game is played."""
        return self.session.game.ruleset.version

    @property
    def options(self) -> dict[str, str]:
        """The value of each option of the game."""
        from adjudicator.core.options import options_in_play

        return dict(options_in_play(self.meta, self.seats, self.session.game.setup.options, self.version))

    @property
    def beginning(self) -> str:
        """The hash of the set-up: games with the same one are versions of one game."""
        return self.session.game.beginning

    @property
    def seal(self) -> str:
        """The hash of the whole game file."""
        return self.session.game.seal

    @property
    def secret(self) -> str | None:
        """The secret of chance, which only the moderator may know; ``None`` if people draw the outcomes."""
        return self.session.game.chance.secret

    @property
    def components(self) -> ComponentsRef:
        """The component set: its ``id``, ``version`` and ``hash``."""
        return self.session.game.components

    @property
    def promise(self) -> str | None:
        """The promise that was published before the players sent words for chance; ``None`` if there was none."""
        from adjudicator.present import promise_of_game

        return promise_of_game(self.session)

    @property
    def head(self) -> Head | None:
        """The proof of the game so far, for publication; ``None`` if it can have none yet."""
        from adjudicator.present import head_of

        return head_of(self.session)

    @property
    def pending_counts(self) -> dict[Seat, int]:
        """The number of pending orders of each seat that has any."""
        return {sheet.seat: len(sheet.orders) for sheet in self.session.game.pending}

    @property
    def warnings(self) -> tuple[str, ...]:
        """The remarks of the ruleset on the position, for the moderator."""
        return tuple(self.session.rules.warnings(self.session.config, self.session.game.state))

    @property
    def cautions(self) -> tuple[str, ...]:
        """Warnings about a secret of chance that is public too early, for the moderator."""
        from adjudicator.corrections.correct import cautions

        return cautions(self.session)

    @property
    def languages(self) -> tuple[str, ...]:
        """The codes of the languages in which players may write orders, besides English."""
        return self.session.game.languages

    @property
    def installed_languages(self) -> dict[str, str]:
        """The names of the languages that the game could use, by code."""
        from adjudicator.orders.languages import languages

        return {str(code): one.name for code, one in languages(self.meta).items()}

    @property
    def ambiguous_words(self) -> tuple[str, ...]:
        """A sentence for each word of orders that is ambiguous in the languages of the game."""
        from adjudicator.game_languages import conflicts_of

        return conflicts_of(self.session)

    @property
    def own_seat(self) -> Seat | None:
        """The seat whose player's own file this is; ``None`` for a whole game."""
        return None if self.session.known is None else self.session.known.seat

    @property
    def caveat(self) -> str:
        """What a player's own file cannot know, as a sentence; empty for a whole game."""
        from adjudicator.own_file import NOT_KNOWN

        return "" if self.session.known is None else NOT_KNOWN

    @property
    def order_examples(self) -> tuple[str, ...]:
        """An order of each kind, as an example."""
        return self.session.rules.language.examples

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

    def choose(self, seat: str, player: str = "greedy", seed: int = 0) -> str:
        """Return an order of ``seat``, which must be due, as the simulated ``player`` (random or greedy) chooses it.

        The same game and ``seed`` give the same order. Raises ``RequestError``.
        """
        from random import Random

        from adjudicator.simulate.players import PLAYERS

        if player not in PLAYERS or seat not in self.due_seats:
            raise RequestError(f"choose a player from {', '.join(PLAYERS)}, and a seat that is due, not {player} and {seat}")
        luck = Random(f"{seed} {len(self.session.game.journal)}")
        return self.session.rules.language.text(PLAYERS[player](self.session, self.session.seat(seat), luck))

    def log(self, viewer: str | None = None, *, turn: int | None = None, since: int | None = None) -> tuple[LogRow, ...]:
        """Return the log as ``viewer`` may read it: of all turns, of one ``turn``, or ``since`` a turn.

        Raises ``RequestError`` for a turn that the game does not have.
        """
        from adjudicator.present import log_of

        seat = self.session.viewer(viewer)
        if turn is not None and since is not None:
            raise RequestError("name one turn with `turn`, or the first of several with `since`, not both")
        if self.session.known is None:
            return log_of(self.session, links_since(self.session, turn, since), seat)
        rows = self.session.known.rows
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
        """Return the bytes of a player's own file: what ``seat`` may know, so that the player can try orders at home."""
        from adjudicator.own_file import own_file
        from adjudicator.store.seat_files import dump_seat_file

        return dump_seat_file(self.whole.rules, own_file(self.session, self.session.seat(seat)))

    def replay(self, viewer: str | None = None, first: int = 0, last: int | None = None) -> Iterator[Step]:
        """Return the entries from ``first`` (0: the set-up) to ``last`` (``None``: the end) as ``viewer`` may know them.

        Raises ``NoSuchEntryError`` at once.
        """
        from adjudicator.present import positions_passed, redacted_entry
        from adjudicator.replay import moves_of, numbers_for

        session, seat = self.whole, self.session.viewer(viewer)
        after, numbers = positions_passed(session, seat), numbers_for(session, seat)

        def look(move: Move) -> Position:
            # Past positions have the turn number that most players saw: finding other numbers needs a new replay for each.
            return after(move.entry.n, move.state, move.turn)

        def step(move: Move) -> Step:
            n, events = numbers[move.entry.n], redacted_entry(session.rules, session.config, move.entry, seat).events
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

    def is_asked_between(self, seat: str) -> bool:
        """Return whether ``seat`` must answer a question before its pending orders, which new orders then do not replace."""
        from adjudicator.moderate.replacing import is_asked_between

        return is_asked_between(self.session, seat)

    def pending(self, viewer: str | None = None) -> Waiting:
        """Return the pending orders, and those that were set aside: a seat's own, or all for the moderator."""
        from adjudicator.present import waiting_of

        return waiting_of(self.whole, self.session.viewer(viewer))

    @property
    def whole(self) -> Session:
        """The session of a whole game. Raises ``RequestError`` for a player's own file, which has no journal."""
        if self.session.known is not None:
            raise RequestError(f"use the moderator's game file: this is {self.session.known.seat}'s own file")
        return self.session
