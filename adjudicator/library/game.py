"""Adjudicate, audit and save a game, as a value."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from adjudicator.core.values import Value
from adjudicator.library.corrections import GameCorrections
from adjudicator.library.texts import NoOrdersError, RequestError, submissions_in

if TYPE_CHECKING:  # each method loads only what it needs: the command line starts for each command
    from adjudicator.library.adjudicate import AdjudicationResult
    from adjudicator.library.texts import Orders
    from adjudicator.library.turn import TurnResult
    from adjudicator.reports.data.report import Report
    from adjudicator.results import KnownText, LogRow, Manifest, OrderProblem, ReadRemark, ReportFile, SeatReceipt
    from adjudicator.script.export import ScriptExport
    from adjudicator.verdict import AuditResult, Verdict


class UnsoundGameError(Exception):
    """Report a bug before it does harm: the game could not be read again after writing."""


class Result(Value):
    """The result of orders: the ``game`` afterwards, the players' ``problems``, the ``log`` and the ``receipts``.

    ``details`` also have the notes and the ignored lines. They show everything: keep them from players.
    """

    game: Game
    details: AdjudicationResult

    @classmethod
    def of(cls, details: AdjudicationResult) -> Result:
        """Return the result with these ``details``."""
        return cls(Game(details.session), details)

    @property
    def problems(self) -> tuple[OrderProblem, ...]:
        """The players' mistakes in reading order, each with its ``code``, ``message``, ``seat``, ``line`` and ``column``."""
        from adjudicator.reports.data.diagnostics import order_problem

        return tuple(map(order_problem, self.details.diagnostics))

    @property
    def send_again(self) -> tuple[OrderProblem, ...]:
        """The first problem of each seat that must send its orders again, unless it will never have a decision again."""
        from adjudicator.orders.word_line import BAD_WORD

        rules, state = self.details.session.rules, self.details.session.game.state
        if rules.is_over(state):
            return ()
        first: dict[str, OrderProblem] = {}
        for problem in self.problems:
            if problem.code != BAD_WORD:  # the orders of this sheet count anyway
                first.setdefault(problem.seat, problem)
        asked = (seat for seat in self.game.seats if seat in first and rules.retired(state, seat) is None)
        again = frozenset[str](asked)
        return tuple(first[seat] for seat in first if seat in again)

    @property
    def read_as(self) -> tuple[ReadRemark, ...]:
        """The orders that the program understood in other words than the player wrote, each with the reason."""
        return self.details.reading_notes

    @property
    def is_changed(self) -> bool:
        """Whether the game has changed, so that you must save it."""
        return self.details.is_changed

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of orders ``applied``, of orders ``skipped`` by a condition, and of ``words`` for chance."""
        entries = [link.entry for link in self.details.accepted]
        words, skipped = sum(one.outside is not None for one in entries), sum(one.is_skipped for one in entries)
        return {"applied": len(entries) - words - skipped, "skipped": skipped, "words": words}

    @property
    def log(self) -> tuple[LogRow, ...]:
        """The rows of the log for the accepted orders, as the moderator may read them."""
        from adjudicator.core.values import MODERATOR
        from adjudicator.library.present import log_of

        return log_of(self.details.session, self.details.accepted, MODERATOR)

    def report(self, viewer: str | None = None) -> Report:
        """Return the report to ``viewer`` on these orders, with the results of its mails (moderator: all mails)."""
        from adjudicator.library.turn import report_on

        return report_on(self.details, self.game.viewer(viewer))

    @property
    def receipts(self) -> tuple[SeatReceipt, ...]:
        """The result of each text, in the order of arrival, with the proof (``head``) of the game afterwards."""
        from adjudicator.library.present import with_heads

        return with_heads(self.details.session, self.details.receipts)


class Game(GameCorrections):
    """A game. It never changes: a method returns what a reader may know, or a new game.

    A reader (``viewer``) is a seat such as ``"red"``, or ``"moderator"``, who sees everything, or ``None`` for the public.
    Methods with a seat or a viewer raise ``UnknownViewerError`` if the game does not have it. Two games are equal if their
    records are. ``session`` is for the program's other parts: it shows all secrets, and may change with any version.
    """

    def __hash__(self) -> int:
        return hash(self.session.game.head)

    def check(self, orders: Orders, viewer: str | None = None, *, strict: bool = False) -> Result:
        """Return the result that ``apply`` would return; for a seat as ``viewer``, only the problems that it can know.

        For a seat, no order is carried out. Raises what ``apply`` raises, ``NoOrdersError`` if ``orders`` contain nothing
        from this seat, and ``RequestError`` for another viewer.
        """
        if viewer is None and self.session.knowledge is None:
            return self.apply(orders, strict=strict)
        from adjudicator.library.own_check import check_own, read_texts

        seat = self.session.viewer(viewer)
        if seat is None or seat not in self.seats:
            raise RequestError("name a seat with `viewer`, or no viewer for the moderator's answer")
        texts = list(submissions_in(self.session, orders, seat))
        received = read_texts(self.session, texts)
        found = check_own(self.session, texts, seat, received)
        if not (found.diagnostics or seat in received.counted.mails):
            raise NoOrdersError(f"these texts contain no orders of {seat}: write `{seat}:` above them")
        return Result.of(found)

    def apply(self, orders: Orders = (), *, strict: bool = False, held_seats: Collection[str] = ()) -> Result:
        """Adjudicate ``orders`` and the pending orders that are due; return the result with the new game.

        ``orders`` are a text with the orders of any seats, a text for each seat (``{"red": "GEAR 1"}``), or several texts.
        A text is a string, the bytes of a mail, or the ``Path`` of a file or a Maildir. Players' mistakes are the
        ``problems`` of the result: a refused order stops only the rest of its sheet. With ``strict``, one problem is enough
        to apply nothing. Pending orders of ``held_seats`` stay pending.

        Raises ``FileProblem`` for a path that cannot be read, and ``RequestError`` if this is a player's own file.
        """
        from adjudicator.library.adjudicate import adjudicate_files

        session = self.whole
        held = frozenset(map(session.seat, held_seats))
        return Result.of(adjudicate_files(session, submissions_in(session, orders), strict=strict, held_seats=held))

    def play_turn(
        self,
        orders: Orders = (),
        *,
        strict: bool = False,
        last: int | None = None,
        reported: Mapping[str, int] = MappingProxyType({}),
        held_seats: Collection[str] = (),
    ) -> Turn:
        """Play a turn: adjudicate the new texts in ``orders`` as ``apply`` does, and make a report for each reader.

        The turn leaves out texts that have a receipt, and those in ``reported``: the ``details.reported`` of an earlier
        turn. ``last`` is the entry with which the last reports began (``details.since``); if nothing has happened since,
        the new reports begin there, too. Raises what ``apply`` raises.
        """
        from adjudicator.library.turn import play_turn

        texts, held = submissions_in(self.whole, orders), frozenset(map(self.session.seat, held_seats))
        return Turn(play_turn(self.session, texts, strict=strict, since=last, reported=reported, held_seats=held))

    def audit(self) -> Verdict:
        """Decide the whole game again by its rules; return the verdict: verified, or the first divergence."""
        from adjudicator.verdict import Verdict

        verdict = audit_bytes(self.to_bytes(), self.id)
        assert isinstance(verdict, Verdict)
        return verdict

    def script(self, name: str = "", *, with_secret: bool = False) -> ScriptExport:
        """Return the game as a script, which ``play_script`` plays again.

        Write its ``files``, whose names begin with ``name``, beside its ``text``. The script contains the secret of chance
        if it is public or ``with_secret``, otherwise each random outcome. Raises ``CannotExportError`` if no script gives
        the same game again.
        """
        from tempfile import TemporaryDirectory

        from adjudicator.script.export import export_script, validate_script

        exported = export_script(self.whole, name, with_secret=with_secret)
        with TemporaryDirectory() as folder:
            for beside, data in exported.files.items():
                Path(folder, beside).write_bytes(data)
            validate_script(self.session, exported, folder)
        return exported

    def to_bytes(self) -> bytes:
        """Return the bytes of the game file, which ``adjudicator.open`` reads. Raises ``FileProblem`` if it is too large."""
        from adjudicator.files.errors import Untrusted
        from adjudicator.store.game_file import dump_game, load_game

        data = dump_game(self.whole.game)
        try:
            load_game(data)
        except Untrusted as error:
            raise UnsoundGameError(str(error)) from error
        return data

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the game to the file ``path``, completely or not at all.

        The file may exist if it is an earlier version of this game: later entries of another program are never lost. With
        ``force``, any file is replaced. Raises ``RequestError`` for any other file, ``FileProblem`` if writing fails.
        """
        from adjudicator.files.atomic import write_atomic
        from adjudicator.files.lock import locked

        data = self.to_bytes()
        with locked(path):
            if not force:
                self.require_own_file(str(path))
            write_atomic(path, data)

    def require_own_file(self, path: str) -> None:
        """Raise ``RequestError`` if the file ``path`` contains anything but this game or an earlier version of it.

        The set-up identifies a game, because two games can have the same id.
        """
        if not os.path.isfile(path) or not os.path.getsize(path):
            return
        from adjudicator.files.errors import FileProblem
        from adjudicator.store.game_file import load_game

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


class Turn(Value):
    """The result of a whole turn: the ``game``, the ``result`` of the new orders, and the ``reports``.

    ``details`` also have what the next turn needs: ``since`` and ``reported`` (see ``Game.play_turn``).
    """

    details: TurnResult

    @property
    def game(self) -> Game:
        """The game after the turn, with the receipts of its texts."""
        return Game(self.details.session)

    @property
    def result(self) -> Result:
        """The result of the new orders."""
        return Result.of(self.details.result)

    @property
    def known(self) -> tuple[KnownText, ...]:
        """The texts that this turn left out, because an earlier turn has processed them."""
        return self.details.known

    @property
    def reports(self) -> tuple[Report, ...]:
        """The reports to the seats, to bystanders and to the moderator; none if a strict turn did nothing."""
        return self.details.reports

    def manifest(self, files: Iterable[ReportFile]) -> Manifest:
        """Return the manifest for programs that send reports: the state of the game, and the ``files`` of the reports."""
        from adjudicator.library.turn import manifest_of

        return manifest_of(self.details.session, files)


def audit_bytes(data: bytes, name: str) -> AuditResult:
    """Return the verdict on ``data``, the file ``name``, whatever it contains."""
    from adjudicator.audit.audit_source import audit_source
    from adjudicator.sources.archives import Opener
    from adjudicator.sources.candidates import Source

    with Opener() as opener:
        return audit_source(Source(name, "-", is_named=True, data=data), opener)
