"""Look at a game, adjudicate, correct, replay, audit and save it, as a value.

A ``Game`` never changes: every method that adjudicates or corrects returns a new one,
so a program can keep each position, try an order, and forget it. Only ``save`` writes to a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.library.texts import RequestError, links_since, submissions_in

if TYPE_CHECKING:  # each function loads only what it needs: the command line starts for each command
    from adjudicator.audit.verdict import Verdict
    from adjudicator.core.game import Game as Record
    from adjudicator.core.ids import Seat
    from adjudicator.core.ruleset import Decision, Meta, Standing
    from adjudicator.library.texts import Orders
    from adjudicator.moderate.adjudicate import Adjudicated
    from adjudicator.outputs.orders import LegalRow, LogRow, OrderProblem
    from adjudicator.replay import Look, Move
    from adjudicator.reports.position import Position
    from adjudicator.reports.report import Report
    from adjudicator.reports.waiting import Waiting
    from adjudicator.script.export import Exported
    from adjudicator.session import Session


class UnsoundGameError(Exception):
    """Report a bug before it does harm: the game could not be read again after writing."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of orders: the ``game`` afterwards, and in ``details`` also the notes, ignored lines and receipts."""

    game: Game
    details: Adjudicated

    @property
    def problems(self) -> tuple[OrderProblem, ...]:
        """The players' mistakes in reading order, each with its ``code``, ``message``, ``seat``, ``line`` and ``column``."""
        from adjudicator.reports.diagnostics import order_problem

        return tuple(map(order_problem, self.details.diagnostics))

    @property
    def log(self) -> tuple[LogRow, ...]:
        """The rows of the log for the accepted orders, as the moderator may read them."""
        from adjudicator.core.ids import MODERATOR
        from adjudicator.present import log_of

        return log_of(self.details.session, self.details.accepted, MODERATOR)


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of a replay: its ``events`` as the reader may see them, and the ``move`` with the record behind them."""

    move: Move
    events: tuple[Any, ...]
    _look: Look

    @property
    def rows(self) -> tuple[LogRow, ...]:
        """The rows of the log for this entry, that of the seat that gave the order first."""
        return self.move.rows

    @property
    def position(self) -> Position:
        """The position after this entry, as the reader may know it."""
        return self._look(self.move)


@dataclass(frozen=True, repr=False)
class Game:
    """A game that never changes: its methods return what a reader may know, or a new game.

    A reader (``viewer``) is a seat such as ``"red"``, ``"moderator"``, who sees everything, or ``None``: the public.
    Methods with a seat or a viewer raise ``UnknownViewerError`` if the game does not have it. Equal games have the same
    record. ``session`` is the game as the program's other parts use it, which may change with any version.
    """

    session: Session

    def __repr__(self) -> str:
        return f"<Game {self.id}: {self.meta.id}, turn {self.turn}, due: {', '.join(self.due_seats) or 'nobody'}>"

    def __str__(self) -> str:
        """Return the public position as the command `show` prints it."""
        from adjudicator.reports.position import position_text

        return position_text(self.view())

    def __hash__(self) -> int:
        return hash(self.session.game.head)

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
        return self.session.announced.turn

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
    def chance_commitment(self) -> str | None:
        """The commitment to the secret of chance, to be published today; ``None`` if people draw the outcomes."""
        return self.session.game.chance.commitment

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

    def check(self, orders: Orders, viewer: str | None = None, *, strict: bool = False) -> Result:
        """Return what ``apply`` would, or with a seat as ``viewer`` only the problems that this seat can know.

        The latter carries out no order. Raises as ``apply``.
        """
        if viewer is None and self.session.known is None:
            return self.apply(orders, strict=strict)
        from adjudicator.moderate.own_check import check_own

        seat = self.session.viewer(viewer)
        if seat is None or seat not in self.seats:
            raise RequestError("name a seat with `viewer`, or no viewer for the moderator's answer")
        return self._result(check_own(self.session, submissions_in(self.session, orders, seat), seat))

    def apply(self, orders: Orders = (), *, strict: bool = False) -> Result:
        """Adjudicate ``orders``: a text with the orders of any seats, or a text for each seat; pending orders join them.

        Players' mistakes are the ``problems`` of the result; a refused order stops only the rest of its sheet. With
        ``strict``, one problem is enough to apply nothing. Raises ``FileProblem`` for a path that cannot be read.
        """
        from adjudicator.moderate.adjudicate import adjudicate_files

        session = self.whole
        return self._result(adjudicate_files(session, submissions_in(session, orders), strict=strict))

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

    def report(self, viewer: str | None = None, *, since: int | None = None) -> Report:
        """Return the report to ``viewer`` since the last report or ``since`` a turn; ``render`` makes a page of it."""
        from adjudicator.telling import first_untold, report_to

        session, seat = self.whole, self.session.viewer(viewer)
        first = first_untold(session.game, None, seat)
        return report_to(session, seat, first if since is None else links_since(session, None, since)[0].entry.n)

    def replay(self, viewer: str | None = None, first: int = 0, last: int | None = None) -> Iterator[Step]:
        """Return the entries from ``first`` (0: the set-up) to ``last`` (``None``: the end) as ``viewer`` may know them.

        Raises ``NoSuchEntryError`` at once.
        """
        from adjudicator.present import positions_passed, redacted_entry
        from adjudicator.replay import follow

        session, seat = self.whole, self.session.viewer(viewer)
        after = positions_passed(session, seat)

        def look(move: Move) -> Position:
            # Past positions have the turn number that most players saw: finding other numbers needs a new replay for each.
            return after(move.entry.n, move.state, move.turn)

        def step(move: Move) -> Step:
            return Step(move, redacted_entry(session.rules, session.config, move.entry, seat).events, look)

        return map(step, follow(session, seat, first, last))

    def pending(self, viewer: str | None = None) -> Waiting:
        """Return the pending orders, and those that were set aside: a seat's own, or all for the moderator."""
        from adjudicator.present import waiting_of

        return waiting_of(self.whole, self.session.viewer(viewer))

    def bring_back(self, number: int) -> Game:
        """Return the game with the set-aside orders of this ``number`` pending again. Raises ``CorrectionError``."""
        from adjudicator.core.waiting import brought_back

        return self._with(brought_back(self.whole.game, number))

    def withdraw(self, seat: str, reason: str, first: int = 1) -> Game:
        """Return the game without the pending orders of ``seat`` from number ``first`` on. Raises ``CorrectionError``."""
        from adjudicator.core.waiting import withdrawn
        from adjudicator.corrections.correct import reason_words

        session = self.whole
        return self._with(withdrawn(session.game, session.seat(seat), "withdrawn", reason_words(reason), first))

    def undo(self, to: int, reason: str) -> Game:
        """Return the game in the position after entry ``to``; the record keeps the rest. Raises ``CorrectionError``."""
        from adjudicator.corrections import correct

        return Game(correct.undo(self.whole, to, reason))

    def amend(self, changes: Iterable[str], reason: str) -> Game:
        """Return the game with changed values, such as ``clock of red=31``.

        Raises ``CorrectionError`` for a wrong change, ``SetupError`` for an impossible position.
        """
        from adjudicator.corrections import correct

        return Game(correct.amend(self.whole, changes, reason))

    def hand_over(self, seat: str, player: str, reason: str) -> Game:
        """Return the game with the ``seat`` played by ``player``. Raises ``CorrectionError``."""
        from adjudicator.corrections import correct

        return Game(correct.hand_over(self.whole, self.session.seat(seat), player, reason))

    def reveal(self, reason: str = "", *, force: bool = False) -> Game:
        """Return the game with its secret of chance published; before the end only with ``force`` and a reason.

        Raises ``CorrectionError``.
        """
        from adjudicator.corrections import correct

        return Game(correct.reveal(self.whole, reason, is_forced=force))

    def audit(self) -> Verdict:
        """Decide the whole game again, and return the verdict: verified, or the first divergence from the rules."""
        from adjudicator.audit.archives import Opener
        from adjudicator.audit.audit_source import audit_source
        from adjudicator.audit.candidates import Source
        from adjudicator.audit.verdict import Verdict

        with Opener() as opener:
            verdict = audit_source(Source(self.id, "-", is_named=True, data=self.to_bytes()), opener)
        assert isinstance(verdict, Verdict)
        return verdict

    def script(self, *, with_secret: bool = False) -> Exported:
        """Return the game as a script: its ``text``, and the ``files`` that belong beside it.

        Chance is the secret, if it is public or ``with_secret``, or else each outcome. Raises ``CannotExportError``.
        """
        from adjudicator.script.export import export_script

        return export_script(self.whole, with_secret=with_secret)

    def to_bytes(self) -> bytes:
        """Return the bytes of the game file, which ``adjudicator.open`` reads. Raises ``FileProblem`` if it is too large."""
        from adjudicator.store.errors import Untrusted
        from adjudicator.store.load import load_game
        from adjudicator.store.save import dump_game

        data = dump_game(self.whole.game)
        try:
            load_game(data)
        except Untrusted as error:
            raise UnsoundGameError(str(error)) from error
        return data

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the game to the file ``path``, as a whole or not at all, and only over an earlier version of this game.

        So no other program's later entries get lost; ``force`` replaces any file. Raises ``RequestError``, ``FileProblem``.
        """
        from adjudicator.store.save import locked, write_atomic

        data = self.to_bytes()
        with locked(path):
            if not force:
                self.require_own_file(str(path))
            write_atomic(path, data)

    def require_own_file(self, path: str) -> None:
        """Raise ``RequestError`` if ``path`` is a file with anything but this game or an earlier version of it.

        Games with the same heading are the same: an id alone is not unique.
        """
        if not os.path.isfile(path) or not os.path.getsize(path):
            return
        from adjudicator.store.errors import FileProblem
        from adjudicator.store.load import load_game

        game = self.session.game
        try:
            there = load_game(path)
        except FileProblem:
            raise RequestError(f"{path} already exists and is not a valid game file") from None
        if there.beginning != game.beginning:
            words = f"another game with the same id, {there.id}" if there.id == game.id else f"another game, {there.id}"
            raise RequestError(f"{path} contains {words}")
        if there.head not in {link.hash for link in game.journal}:
            words = f"entry {there.journal[-1].entry.n} and others would be lost"
            raise RequestError(f"{path} contains later entries of this game; {words}")

    @property
    def whole(self) -> Session:
        """The session of a whole game. Raises ``RequestError`` for a player's own file, which has no journal."""
        if self.session.known is not None:
            raise RequestError(f"use the moderator's game file: this is {self.session.known.seat}'s own file")
        return self.session

    def _with(self, game: Record) -> Game:
        return Game(self.session.with_game(game))

    def _result(self, found: Adjudicated) -> Result:
        return Result(Game(found.session), found)
