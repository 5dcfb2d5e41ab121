"""Read a game: the position, the legal orders, the log, reports and replays, as each reader may know them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from adjudicator.core.values import Value, replace
from adjudicator.library.seat_orders import SeatOrders
from adjudicator.library.texts import RequestError, links_since, seats_by_name

if TYPE_CHECKING:  # each method loads only what it needs: the command line starts for each command
    from adjudicator.core.values import Seat, Viewer
    from adjudicator.library.replay import Look, Move
    from adjudicator.library.seat_records import Names
    from adjudicator.reports.data.player_standing import SeatRecord
    from adjudicator.reports.data.position import Position
    from adjudicator.reports.data.report import Report
    from adjudicator.reports.data.waiting import Waiting
    from adjudicator.reports.pages.replay_page import ReplayPage
    from adjudicator.results import Correction, LogRow


class Step(Value):
    """One entry of a replay: its number ``n`` (0: the set-up), and its ``events`` as the reader may see them.

    ``move`` is its record, which shows all secrets; ``is_last`` says that the game has no later entry,
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


class GameReading(SeatOrders):
    """The methods of a game that only read it."""

    def __str__(self) -> str:
        """Return the public position as the command `show` prints it."""
        from adjudicator.reports.data.position import position_text

        return position_text(self.view())

    def view(self, viewer: str | None = None) -> Position:
        """Return the position as ``viewer`` may know it: board, due decisions, standings; ``view.state`` is for programs."""
        from adjudicator.library.present import position_of

        return position_of(self.session, self.session.viewer(viewer))

    def missed_deadlines(self, seat: str) -> int:
        """Return the number of deadlines that ``seat`` has missed since its last mail with a receipt."""
        from adjudicator.library.correct import missed_deadlines

        return missed_deadlines(self.session.game, self.session.seat(seat))

    def seat_records(self, names: Names | None = None) -> tuple[SeatRecord, ...]:
        """Return what each player has done on each seat; ``names`` identifies players by seat and name in the journal."""
        from adjudicator.library.seat_records import records_of

        return records_of(self.whole, names)

    def viewer(self, name: str | None) -> Viewer:
        """Return the reader called ``name``, in any case; without a name the public, or the owner of a player's file."""
        return self.session.viewer(name)

    def seats_by_name(self) -> dict[str, Seat]:
        """Return the seats by their names and those of their players, in lower case."""
        return seats_by_name(self.session)

    def turn_for(self, viewer: str | None) -> int:
        """Return the number of the present turn for ``viewer``; a seat that answers late can still be in an earlier turn."""
        return self.session.valid_turns.turn_for(self.session.viewer(viewer))

    def log(self, viewer: str | None = None, *, turn: int | None = None, since: int | None = None) -> tuple[LogRow, ...]:
        """Return the log as ``viewer`` may read it: of all turns, of one ``turn``, or ``since`` a turn.

        Raises ``RequestError`` for a turn that the game does not have.
        """
        from adjudicator.library.present import log_of

        seat = self.session.viewer(viewer)
        if turn is not None and since is not None:
            raise RequestError("name one turn with `turn`, or the first of several with `since`, not both")
        if self.session.knowledge is None:
            return log_of(self.session, links_since(self.session, turn, since), seat)
        rows = self.session.knowledge.rows
        return tuple(row for row in rows if (turn is None or row.turn == turn) and (since is None or row.turn >= since))

    def report(self, viewer: str | None = None, *, since: int | None = None, last: int | None = None) -> Report:
        """Return the report to ``viewer`` on all that happened since its last report, or ``since`` a turn.

        ``render`` makes a text or a page of it. To make the last report again, give its first entry as ``last``.
        """
        from adjudicator.library.reporting import first_unreported, report_for

        session, seat = self.whole, self.session.viewer(viewer)
        if since is None:
            return report_for(session, seat, first_unreported(session.game, last, seat))
        return replace(report_for(session, seat, links_since(session, None, since)[0].entry.n), asked=since)

    def own_file(self, seat: str) -> bytes:
        """Return the bytes of a player's own file: what ``seat`` may know, to check orders before they are sent."""
        from adjudicator.library.own_file import own_file
        from adjudicator.store.other_files import dump_seat_file

        return dump_seat_file(self.whole.rules, own_file(self.session, self.session.seat(seat)))

    def replay(self, viewer: str | None = None, first: int = 0, last: int | None = None) -> Iterator[Step]:
        """Return the entries from ``first`` (0: the set-up) to ``last`` (``None``: the end) as ``viewer`` may know them.

        Raises ``NoSuchEntryError`` at once.
        """
        from adjudicator.library.present import position_maker, redact_entry
        from adjudicator.library.replay import moves_of, numbers_for

        session, seat = self.whole, self.session.viewer(viewer)
        after, numbers = position_maker(session, seat), numbers_for(session, seat)

        def look(move: Move) -> Position:
            # Past positions have the turn number that most players saw: finding other numbers needs a new replay for each.
            return after(move.entry.n, move.state, move.turn)

        def step(move: Move) -> Step:
            n, events = numbers[move.entry.n], redact_entry(session.rules, move.entry, seat).events
            return Step(n, move, events, n == numbers[-1], look)

        return map(step, moves_of(session, seat, first, last))

    def replay_page(self, viewer: str | None = None, first: int = 0, last: int | None = None) -> ReplayPage:
        """Return a web page (``text``) with the pictures and the log of the entries that ``replay`` returns."""
        from adjudicator.library.replay_page import page_of

        return page_of(self.whole, self.session.viewer(viewer), first, last)

    def log_since(self, earlier: GameReading, viewer: str | None = None) -> tuple[LogRow, ...]:
        """Return the log of the entries that the game ``earlier`` does not have, as ``viewer`` may read it."""
        from adjudicator.library.present import log_of

        return log_of(self.session, self.session.game.journal[len(earlier.session.game.journal) :], self.viewer(viewer))

    def dropped_since(self, earlier: GameReading) -> dict[Seat, int]:
        """Return the number of orders of each seat that an undo of the game ``earlier`` has set aside."""
        from adjudicator.library.correct import dropped_orders

        return dropped_orders(earlier.session, self.session)

    def correction_since(self, earlier: GameReading) -> Correction:
        """Return the entry that corrected the game ``earlier``, the orders that it set aside, and the next decisions."""
        from adjudicator.core.values import MODERATOR
        from adjudicator.results import Correction

        position = self.view()
        return Correction(
            game=self.id,
            turn=position.heading.turn,
            entry=self.log_since(earlier, MODERATOR)[0],
            pending=self.pending_counts,
            dropped=self.dropped_since(earlier),
            due=position.due,
            over=position.heading.over,
            warnings=self.cautions,
        )

    def pending(self, viewer: str | None = None) -> Waiting:
        """Return the orders that are pending or set aside: a seat's own as ``viewer``, all for the moderator."""
        from adjudicator.library.present import waiting_of

        return waiting_of(self.whole, self.session.viewer(viewer))
