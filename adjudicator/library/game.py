"""Adjudicate, correct, audit and save a game, as a value."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator.core.frozen import frozen
from adjudicator.library.reading import GameReading
from adjudicator.library.texts import NoOrdersError, RequestError, submissions_in

if TYPE_CHECKING:  # each method loads only what it needs: the command line starts for each command
    from adjudicator.core.game import Game as Record
    from adjudicator.library.texts import Orders
    from adjudicator.moderate.adjudicate import AdjudicationResult
    from adjudicator.outputs.orders import LogRow, OrderProblem
    from adjudicator.reports.receipt import Received
    from adjudicator.script.export import ScriptExport
    from adjudicator.verdict import Verdict


class UnsoundGameError(Exception):
    """Report a bug before it does harm: the game could not be read again after writing."""


@frozen
class Result:
    """The result of orders: the ``game`` afterwards, and in ``details`` also the notes, ignored lines and receipts."""

    game: Game
    details: AdjudicationResult

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

    @property
    def receipts(self) -> tuple[Received, ...]:
        """What became of each text, in the order of arrival, each with the head of the game afterwards."""
        from adjudicator.present import with_heads

        return with_heads(self.details.session, self.details.receipts)


@frozen
class Game(GameReading):
    """A game that never changes: its methods return what a reader may know, or a new game.

    A reader (``viewer``) is a seat such as ``"red"``, ``"moderator"``, who sees everything, or ``None``: the public.
    Methods with a seat or a viewer raise ``UnknownViewerError`` if the game does not have it. Equal games have the same
    record. ``session`` is the game as the program's other parts use it, which may change with any version.
    """

    def __hash__(self) -> int:
        return hash(self.session.game.head)

    def check(self, orders: Orders, viewer: str | None = None, *, strict: bool = False) -> Result:
        """Return what ``apply`` would, or with a seat as ``viewer`` only the problems that this seat can know.

        The latter carries out no order. Raises as ``apply``, and ``NoOrdersError`` if the seat has none in ``orders``.
        """
        if viewer is None and self.session.knowledge is None:
            return self.apply(orders, strict=strict)
        from adjudicator.moderate.own_check import check_own, has_sent

        seat = self.session.viewer(viewer)
        if seat is None or seat not in self.seats:
            raise RequestError("name a seat with `viewer`, or no viewer for the moderator's answer")
        texts = list(submissions_in(self.session, orders, seat))
        found = check_own(self.session, texts, seat)
        if not (found.diagnostics or has_sent(self.session, texts, seat)):
            raise NoOrdersError(f"these texts contain no orders of {seat}: write `{seat}:` above them")
        return self._result(found)

    def apply(self, orders: Orders = (), *, strict: bool = False) -> Result:
        """Adjudicate ``orders``: a text with the orders of any seats, or a text for each seat; pending orders join them.

        Players' mistakes are the ``problems`` of the result; a refused order stops only the rest of its sheet. With
        ``strict``, one problem is enough to apply nothing. Raises ``FileProblem`` for a path that cannot be read.
        """
        from adjudicator.moderate.adjudicate import adjudicate_files

        session = self.whole
        return self._result(adjudicate_files(session, submissions_in(session, orders), strict=strict))

    def bring_back(self, number: int) -> Game:
        """Return the game with the set-aside orders of this ``number`` pending again. Raises ``CorrectionError``."""
        from adjudicator.core.waiting import bring_back

        return self._with(bring_back(self.whole.game, number))

    def withdraw(self, seat: str, reason: str, first: int = 1) -> Game:
        """Return the game without the pending orders of ``seat`` from number ``first`` on. Raises ``CorrectionError``."""
        from adjudicator.core.waiting import withdraw
        from adjudicator.corrections.correct import reason_words

        session = self.whole
        return self._with(withdraw(session.game, session.seat(seat), "withdrawn", reason_words(reason), first))

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
        from adjudicator.audit.audit_source import audit_source
        from adjudicator.sources.archives import Opener
        from adjudicator.sources.candidates import Source
        from adjudicator.verdict import Verdict

        with Opener() as opener:
            verdict = audit_source(Source(self.id, "-", is_named=True, data=self.to_bytes()), opener)
        assert isinstance(verdict, Verdict)
        return verdict

    def script(self, *, with_secret: bool = False) -> ScriptExport:
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

    def _with(self, game: Record) -> Game:
        return Game(self.session.with_game(game))

    def _result(self, found: AdjudicationResult) -> Result:
        return Result(Game(found.session), found)
