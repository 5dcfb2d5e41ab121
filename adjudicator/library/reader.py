"""What one viewer may know of a game: the position, the log, reports, legal orders, a replay, the own file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from adjudicator.core.chance import Head, proof_maker
from adjudicator.core.corrections import Naming, SeatHanded, secret_words_at, value_words
from adjudicator.core.event import total
from adjudicator.core.game import PendingOrder, PendingSheet
from adjudicator.core.journal import Link
from adjudicator.core.order import without_draws
from adjudicator.core.timeline import first_unreported, is_hidden, redact_entry
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer, differences, json_value, replace
from adjudicator.library.errors import BYSTANDER, NoSuchEntryError, RequestError, UnknownViewerError
from adjudicator.results import Begun, LogRow

if TYPE_CHECKING:  # each command needs only one kind of report, and loading all takes time
    from adjudicator.library.game import Game
    from adjudicator.library.own_orders import WhatIf
    from adjudicator.library.results import Result
    from adjudicator.orders.submission import Orders
    from adjudicator.reports.heading import Heading
    from adjudicator.reports.position import Position
    from adjudicator.reports.replay_page import About, ReplayPage
    from adjudicator.reports.report import Report
    from adjudicator.results import LegalRow, LineCost, OwnSecret, WaitingOrders
    from adjudicator.store.other_files import SeatFile, SeenEntry
else:
    Game = Any  # `help` reads the types of fields, and the game loads this module


class Reader(Value):
    """What ``viewer`` may know of ``game``: a seat, the moderator, or the public (``None``)."""

    game: Game
    viewer: Viewer

    @property
    def seat(self) -> Seat:
        """The seat of the viewer. Raises ``UnknownViewerError`` for the public and the moderator, who have none."""
        if self.viewer is None or self.viewer == MODERATOR:
            raise UnknownViewerError(self.viewer or BYSTANDER, self.game.seats, self.game.players)
        return self.viewer

    @property
    def turn(self) -> int:
        """The number of the present turn; a seat that answers late can still be in an earlier turn than others."""
        return self.game.valid_turns.turn_for(self.viewer)

    # The position

    @property
    def position(self) -> Position:
        """The position: board, due decisions, standings; ``position.state`` is for programs."""
        return self._position(self.heading())

    def heading(self, turn: int | None = None) -> Heading:
        """Return the heading of every report; ``turn`` is the number to write, if it is known."""
        heading = self._heading(self.turn if turn is None else turn)
        return replace(heading, head=self.head, result=self._result(heading))

    def _heading(self, turn: int) -> Heading:
        """Return the heading without its head and the result."""
        from adjudicator.reports.heading import Heading

        game, record, words = self.game, self.game.record, self.game.record.chance.entropy
        return Heading(
            game=record.id,
            ruleset=game.meta.id,
            name=game.meta.name,
            turn=turn,
            components=record.components.id,
            unit=game.meta.unit,
            viewer=self.viewer,
            commitment=record.chance.commitment,
            over=game.is_over,
            promise=game.promise,
            words={seat: words[seat] for seat in game.seats if seat in words},
            without=record.chance.without,
            head=None,
            holders=game.players,
            seats=game.seats,
        )

    def _result(self, heading: Heading) -> str:
        from adjudicator.reports.heading import result_words

        return result_words(self.game.standings, heading.holders) if heading.over else ""

    def _position(self, heading: Heading) -> Position:
        """Return the position below ``heading``, without using the journal."""
        from adjudicator.reports.position import PlainView, Position

        game, rules, state = self.game, self.game.rules, self.game.record.state
        view, due = rules.view(state, self.viewer), game.due
        return Position(
            heading=heading,
            drawing=rules.draw(view),
            due=due,
            standings=game.standings,
            pending={sheet.seat: len(sheet.orders) for sheet in game.record.pending if self._may_see(sheet.seat)},
            warnings=tuple(rules.warnings(state)),
            view=PlainView(self.viewer, view.state, due),
        )

    def _may_see(self, seat: Seat) -> bool:
        return self.viewer in (seat, MODERATOR)

    @property
    def head(self) -> Head | None:
        """The head of the game: its last public entry, with the number that players see.

        It is the same for every reader, so that anybody can compare and publish it. It must not reveal later skipped orders,
        which are secret; the next head proves them.
        """
        game = self.game
        return game.own.head if game.own is not None else _heads_of(game)(len(game.record.journal) - 1, game.is_over)

    # The log

    def log(self, *, turn: int | None = None, since: int | None = None) -> tuple[LogRow, ...]:
        """Return the log: of all turns, of one ``turn``, or ``since`` a turn.

        Raises ``RequestError`` for a turn that the game does not have.
        """
        if turn is not None and since is not None:
            raise RequestError("name one turn with `turn`, or the first of several with `since`, not both")
        if self.game.own is None:
            return self.rows(self._links_since(turn, since))
        rows = self.game.own.log
        return tuple(row for row in rows if (turn is None or row.turn == turn) and (since is None or row.turn >= since))

    def log_since(self, earlier: Game) -> tuple[LogRow, ...]:
        """Return the log of the entries that the game ``earlier`` does not have."""
        return self.rows(self.game.record.journal[len(earlier.record.journal) :])

    def rows(self, links: Iterable[Link]) -> tuple[LogRow, ...]:
        """Return the log for ``links`` of the journal."""
        return self._row_maker()(links)

    def _row_maker(self) -> Callable[[Iterable[Link]], tuple[LogRow, ...]]:
        """Return a function that gives the log for some links of the journal."""
        from adjudicator.reports.log import log_rows
        from adjudicator.results import KnownAs

        game, viewer, timeline = self.game, self.viewer, self.game.timeline
        numbers, begun, prove = timeline.entry_numbers, beginning_of(game), proof_maker(game.secret)
        is_over, revealed = game.is_over, _revealed(game)

        def numbered(row: LogRow) -> LogRow:
            """Return ``row`` in the numbers that the viewer reads; the moderator reads both."""
            public, skipped = numbers.public(row.n), numbers.skipped(row.n)
            if viewer != MODERATOR:
                undone_by = None if row.undone_by is None else numbers.public(row.undone_by)
                return replace(row, n=public, skipped=skipped, undone_by=undone_by)
            if public == row.n:
                return replace(row, skipped=skipped, public=None)
            words = numbers.entry(game.record.journal[row.n].entry, None).order
            return replace(row, skipped=skipped, public=KnownAs(public, words if row.order and words != row.order else None))

        def make(links: Iterable[Link]) -> tuple[LogRow, ...]:
            shown = tuple(link for link in links if not is_hidden(link.entry, viewer))
            rows = log_rows(
                game.rules,
                (numbers.entry(redact_entry(game.rules, link.entry, viewer, is_over=is_over), viewer) for link in shown),
                undone=timeline.undone,
                commitment=game.commitment,
                begun=begun,
                # With a secret published before the end, readers could guess hidden entries after it by their proofs.
                proofs={link.entry.n: prove(link) for link in shown if is_over or link.entry.n < revealed},
                turn_number=timeline.turn_number,
            )
            return tuple(map(numbered, rows))

        return make

    def _links_since(self, turn: int | None, since: int | None) -> Sequence[Link]:
        """Return the entries of one ``turn``, or of ``since`` and later turns. Raises ``RequestError`` for unknown turns."""
        journal, wanted = self.game.record.journal, turn if turn is not None else since
        if wanted is None:
            return journal
        turns = [self.game.timeline.turn_number(link.entry.turn) for link in journal]
        if not 0 <= wanted <= max(turns):
            raise RequestError(f"name a turn from 0 (the set-up) to {max(turns)}: this game has no turn {wanted} yet")
        if turn is not None and turn not in turns:
            numbers = [str(number) for number in sorted({*turns})]
            named = ", ".join(numbers if len(numbers) <= 12 else [*numbers[:3], "…", *numbers[-3:]])
            raise RequestError(f"turn {turn} has no orders; the turns of this game are {named}")
        if turn is not None:
            return [link for link, number in zip(journal, turns, strict=True) if number == turn]
        return journal[next(n for n, number in enumerate(turns) if number >= wanted) :]

    # Reports

    def report(self, *, since: int | None = None, last: int | None = None) -> Report:
        """Return the report on all that happened since the last report, or ``since`` a turn.

        ``render`` makes a text or a page of it. To make the last report again, give its first entry as ``last``.
        """
        self.game.require_journal()
        if since is None:
            return self.report_from(first_unreported(self.game.record, last, self.viewer))
        return replace(self.report_from(self._links_since(None, since)[0].entry.n), asked=since)

    def report_from(self, first: int) -> Report:
        """Return the report with the log from entry ``first`` on, but without the results of mails."""
        from adjudicator.reports.changes import Earlier
        from adjudicator.reports.report import Report

        game, viewer, earlier = self.game, self.viewer, None
        visible = (link.entry for link in game.record.journal[first:] if not is_hidden(link.entry, viewer))
        if first > 0 and (new := next(visible, None)) is not None:
            # What the viewer could see before, drawn like what it sees now: what is marked as new follows from these alone.
            before = game.rules.view(game.timeline.state_after(first - 1), viewer)
            earlier = Earlier(game.rules.draw(before), game.timeline.turn_number(new.turn))
        report = Report(
            position=self.position,
            since=game.timeline.entry_numbers.number(first, viewer),
            happened=self.rows(game.record.journal[first:]),
            waiting=self.pending.waiting,
            earlier=earlier,
            rules=lambda: game.rule_texts,
        )
        if viewer is None or viewer == MODERATOR:
            return report
        out = self.eliminated
        own = replace(report, secrets=self.secrets, out=out, has_answered=self.has_answered)
        if game.is_over or out:
            return own
        own = replace(own, choices=self.choices)
        if own.own_due:
            return replace(own, legal=self.legal)
        return replace(own, legal=self.legal_ahead, is_ahead=True)

    @property
    def pending(self) -> WaitingOrders:
        """The orders that are pending or set aside: a seat's own, all for the moderator.

        A seat's are numbered by themselves: numbers in the whole record would tell how many of others were set aside.
        """
        from adjudicator.results import SheetSetAside, WaitingOrders, WaitingSheet, gathered

        game = self.game
        game.require_journal()

        def words(order: PendingOrder) -> str:  # outcomes are for the moderator: they may be draws of others
            return order.order if self.viewer == MODERATOR else without_draws(order.order)

        def of(sheet: PendingSheet) -> dict[str, Any]:
            orders, notes = tuple(map(words, sheet.orders)), tuple(order.note for order in sheet.orders)
            turn = game.timeline.turn_number(sheet.turn)
            return {"seat": sheet.seat, "turn": turn, "orders": orders, "notes": notes if any(notes) else ()}

        aside = (one for one in game.record.set_aside if self._may_see(one.sheet.seat))
        return gathered(
            WaitingOrders,
            self.heading(),
            waiting=tuple(WaitingSheet(**of(sheet)) for sheet in game.record.pending if self._may_see(sheet.seat)),
            set_aside=tuple(
                SheetSetAside(
                    **of(one.sheet), n=number, until=game.timeline.turn_number(one.turn), cause=one.cause, reason=one.reason
                )
                for number, one in enumerate(aside, 1)
            ),
        )

    # What a seat may do

    @property
    def legal(self) -> tuple[LegalRow, ...]:
        """Each order that the seat may give now, with its cost ``min`` in the game's unit; empty if it is not due.

        Within each kind of order the cheapest is first; those whose cost chance decides are last.
        """
        from adjudicator.results import LegalRow

        rules, rows = self.game.rules, []
        at = rules.at(self.game.record.state, self.seat)
        for order in rules.legal(at):
            why = rules.cost_if_legal(at, order)
            # The cost of a legal order is missing if a draw decides it.
            known = None if why is None else total(why)
            rows.append(LegalRow(rules.language.text(order), known, why or ()))
        kinds = {kind: rank for rank, kind in enumerate(dict.fromkeys(row.order.split()[0] for row in rows))}
        return tuple(sorted(rows, key=lambda row: (kinds[row.order.split()[0]], row.min is None, row.min or 0)))

    @property
    def legal_ahead(self) -> tuple[LegalRow, ...] | None:
        """The orders that the seat could give if it were due now, or ``None`` if the rules cannot tell."""
        game, seat = self.game, self.seat
        state = game.rules.position_if_due(game.record.state, seat)
        if state is None or not game.rules.is_due(state, seat):
            return None
        return Reader(game.with_record(replace(game.record, state=state)), seat).legal

    @property
    def example(self) -> str | None:
        """An order that the seat may give now, as an example for its player; ``None`` if the seat is not due."""
        rules, state = self.game.rules, self.game.record.state
        if self.seat not in self.game.due_seats:
            return None
        order = next(iter(rules.legal(rules.at(state, self.seat))), None)
        return None if order is None else rules.language.text(order)

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """The cards or parts that the seat holds or can choose, each with what it does."""
        return tuple(self.game.rules.choices(self.game.rules.view(self.game.record.state, self.seat)))

    @property
    def secrets(self) -> tuple[OwnSecret, ...]:
        """The parts of the position that the seat may know and the public may not, each with its name and its value."""
        from adjudicator.results import OwnSecret

        rules, state, seat = self.game.rules, self.game.record.state, self.seat
        seen = rules.view(state, seat).state
        public, own = json_value(rules.view(state, None).state), json_value(seen)
        naming, found = Naming(rules), []
        for path, _, value in differences(public, own):
            usual = naming.called(own, path).replace(f"{seat}'s ", "your ", 1), value_words(value)
            title, words = secret_words_at(rules.config, seen, path, seat) or usual
            found.append(OwnSecret(title, words, value))
        return tuple(found)

    @property
    def has_answered(self) -> bool:
        """Whether the seat has answered a question that others must still answer: it can change its answer."""
        return self.game.rules.has_answered(self.game.record.state, self.seat)

    @property
    def is_asked_between(self) -> bool:
        """Whether the seat must answer a question before its pending orders, which new orders then do not replace."""
        from adjudicator.library.adjudicate import is_asked_between

        return is_asked_between(self.game.rules, self.game.record, self.seat)

    @property
    def eliminated(self) -> str:
        """Why the seat has no more decisions, as a sentence; empty if it is still in the game."""
        problem = self.game.rules.retired(self.game.record.state, self.seat)
        return "" if problem is None else problem.message

    def check(self, orders: Orders) -> Result:
        """Return the problems of ``orders`` of the seat, as far as it can know them; no order is carried out.

        Raises what ``Game.apply`` raises, and ``NoOrdersError`` if ``orders`` contain nothing from this seat.
        """
        from adjudicator.library.own_orders import check

        return check(self, orders)

    def what_if(self, orders: Orders) -> WhatIf:
        """Return the position after ``orders`` of the seat, as far as it can know it; the game does not change.

        It ends where chance, a secret or another seat decides.
        """
        from adjudicator.library.own_orders import what_if

        return what_if(self, orders)

    def costs(self, orders: Orders) -> tuple[LineCost, ...]:
        """Return the cost of each line with ``orders`` of the seat, as far as it can know it."""
        from adjudicator.library.own_orders import costs

        return costs(self, orders)

    # The past, and the own file

    def replay(self, first: int = 0, last: int | None = None) -> Iterator[Step]:
        """Return the entries from ``first`` (0: the set-up) to ``last`` (``None``: the end), without asking the rules.

        The numbers are those by which the viewer knows the entries: the moderator's own, or the public's. Raises
        ``NoSuchEntryError`` at once, and ``RequestError`` for an own file of an earlier version, which has no past. Events
        that no game can have make the rules fail when it comes to them.
        """
        own, entry_numbers = self.game.own, self.game.timeline.entry_numbers
        if own is not None and not own.past:
            raise RequestError("ask the moderator for a new own file: this one was made by version 1.0 and has no past")
        journal = range(len(self.game.record.journal))
        numbers = [one.n for one in own.past] if own else [entry_numbers.number(n, self.viewer) for n in journal]
        end = numbers[-1]
        until = end if last is None else last
        for number in (first, until):
            if not 0 <= number <= end:
                entries = f"entries 0 (the set-up) to {end}" if end else "only entry 0, the set-up"
                raise NoSuchEntryError(f"there is no entry {number} in this game: it has {entries}")
        if first > until:
            raise NoSuchEntryError(f"the replay would begin at entry {first}, after its end at entry {until}")
        real = [at for at, shown in enumerate(numbers) if first <= shown <= until]
        return (self._own_steps if own else self._steps)(numbers, real[0], real[-1])

    def position_at(self, n: int) -> Position:
        """Return the position after entry ``n``, as the viewer saw it then; raises what ``replay`` raises."""
        *_, step = self.replay(n, n)
        return step.position

    def _steps(self, numbers: Sequence[int], first: int, last: int) -> Iterator[Step]:
        game, rows_of, head_after = self.game, self._row_maker(), _heads_of(self.game)
        held = {player.seat: player.holder for player in game.record.setup.players}
        for event in (one.outside for one in game.timeline.past.outside if one.n < first):
            held |= {event.seat: event.holder} if isinstance(event, SeatHanded) else {}
        for entry, state in game.timeline.states(first, last):
            n = entry.n
            if isinstance(event := entry.outside, SeatHanded):
                held = {**held, event.seat: event.holder}
            if not is_hidden(entry, self.viewer):
                shown = game.timeline.entry_numbers.entry(redact_entry(game.rules, entry, self.viewer), self.viewer)
                yield Step(
                    n=numbers[n],
                    rows=rows_of([game.record.journal[n]]),
                    events=shown.events,
                    holders=held,
                    is_last=numbers[n] == numbers[-1],
                    see=partial(self._past_view, state),
                    look=partial(self._past_position, state, game.timeline.turn_after(n), held, partial(head_after, n)),
                )

    def _own_steps(self, numbers: Sequence[int], first: int, last: int) -> Iterator[Step]:
        """Yield the steps of a player's own file. Raises ``Untrusted`` for a past that somebody has written."""
        from adjudicator.store.other_files import past_of

        own, rules = self.game.own, self.game.rules
        assert own is not None
        at, head, held = 0, None, {player.seat: player.holder for player in own.setup.players}
        for number, (entry, events, view) in enumerate(past_of(rules, own)):
            rows = own.log[at : at + entry.rows]
            at += entry.rows
            head = next((Head(row.n, row.proof) for row in rows if row.proof and not row.skipped), head)
            if events and isinstance(events[0], SeatHanded):
                held = {**held, events[0].seat: events[0].holder}
            if first <= number <= last:
                yield Step(
                    n=entry.n,
                    rows=rows,
                    events=events,
                    holders=held,
                    is_last=entry.n == numbers[-1],
                    see=partial(self._past_view, view),
                    look=partial(self._past_position, view, entry.turn, held, partial(lambda head, _is_over: head, head)),
                )

    @contextmanager
    def _past_state(self, kept: Any) -> Iterator[Any]:
        """Give the block the state that is ``kept`` of a past position: in an own file, it is the plain JSON of a view.

        Raises ``Untrusted`` if the block fails over what somebody has written into an own file.
        """
        if self.game.own is None:
            yield kept
            return
        from adjudicator.store.other_files import trusted_past, view_of

        with trusted_past():
            yield view_of(self.game.rules.types.state, kept)

    def _past_view(self, kept: Any) -> Any:
        with self._past_state(kept) as state:
            return self.game.rules.view(state, self.viewer).state

    def _past_position(
        self, kept: Any, turn: int, held: Mapping[Seat, str], head_after: Callable[[bool], Head | None]
    ) -> Position:
        """Return the position of which ``kept`` is left, with the turn number ``turn``, as the viewer might know it then.

        It shows no pending orders, because the record does not contain those of the past. Past positions have the turn
        number that most players saw: others would need a new replay for each.
        """
        game = self.game
        with self._past_state(kept) as state:
            is_over = game.rules.is_over(state)
            then = Reader(game.with_record(replace(game.record, state=state, pending=())), self.viewer)
            heading = replace(self._heading(turn), over=is_over, head=head_after(is_over), holders=held)
            return then._position(replace(heading, result=then._result(heading)))

    def replay_page(self, first: int = 0, last: int | None = None, *, about: About | None = None) -> ReplayPage:
        """Return a web page (``text``) with the pictures and the log of the entries that ``replay`` returns.

        On a site it has something ``about`` the game, too.
        """
        from adjudicator.reports import replay_page as page

        steps = (page.Step(one.rows, one.position) for one in self.replay(first, last))
        return page.replay_page(steps, about, self.game.rule_texts)

    def own_file(self) -> bytes:
        """Return the bytes of a player's own file: what the seat may know, to check orders before they are sent.

        It has only facts that its reports contain, and the positions that the seat has seen. ``open`` reads it.
        """
        from adjudicator.store.other_files import dump_seat_file

        self.game.require_journal()
        return dump_seat_file(self.game.rules, replace(self.knowledge(), past=self._past()))

    def _past(self) -> tuple[SeenEntry, ...]:
        """Return the entries that the seat has seen, each with what leads back to the view before it."""
        from adjudicator.store.other_files import SeenEntry, way_back

        game, found, last = self.game, list[SeenEntry](), None
        numbers, rows_of = game.timeline.entry_numbers, self._row_maker()
        for entry, state in game.timeline.states():
            if is_hidden(entry, self.viewer):
                continue
            view = json_value(game.rules.view(state, self.seat).state)
            shown = numbers.entry(redact_entry(game.rules, entry, self.viewer), self.viewer)
            found.append(
                SeenEntry(
                    n=numbers.public(entry.n),
                    turn=game.timeline.turn_after(entry.n),
                    events=shown.events,
                    before=None if last in (None, view) else way_back(last, view),
                    rows=len(rows_of([game.record.journal[entry.n]])),
                )
            )
            last = view
        return tuple(found)

    def knowledge(self) -> SeatFile:
        """Return what the seat may know now, as its own file has it without the past."""
        from adjudicator.store.other_files import SeatFile

        game, seat, record, turns = self.game, self.seat, self.game.record, self.game.valid_turns
        pending = (
            replace(
                sheet,
                turn=game.timeline.turn_number(sheet.turn),
                # Without outcomes, which may be draws of others.
                orders=tuple(replace(order, order=without_draws(order.order)) for order in sheet.orders),
            )
            for sheet in record.pending
            if sheet.seat == seat
        )
        return SeatFile(
            id=record.id,
            ruleset=record.ruleset,
            components=record.components,
            chance=replace(record.chance, secret=None),
            promise=game.promise,
            setup=replace(record.setup, position=game.rules.known_position(record.setup.position)),
            seat=seat,
            turn=turns.turn,
            latest=turns.latest,
            counting=tuple(sorted(turns.by_seat.get(seat, ()))),
            languages=record.languages,
            holders=game.players,
            head=self.head,
            pending=tuple(pending),
            log=self.log(),
            view=game.rules.view(record.state, seat).state,
        )


class Step(Value):
    """One entry of a replay: its number ``n`` (0: the set-up), and its ``events`` as the reader may see them.

    ``rows`` are the rows of the log for this entry, that of the seat that gave the order first, ``holders`` the players of
    the seats after it. ``is_last`` says that the game has no later entry.
    """

    n: int
    rows: tuple[LogRow, ...]
    events: tuple[Any, ...]
    holders: Mapping[Seat, str]
    is_last: bool
    see: Callable[[], Any]
    look: Callable[[], Any]  # a position; `help` needs the names of all types here, and most commands no position

    @property
    def view(self) -> Any:
        """The state after this entry, as the reader may know it."""
        return self.see()

    @property
    def position(self) -> Position:
        """The position after this entry, as the reader may know it."""
        made: Position = self.look()
        return made


def _heads_of(game: Game) -> Callable[[int, bool], Head | None]:
    """Return a function that gives the head after an entry, from its number and whether the game was over then."""
    journal, numbers = game.record.journal, game.timeline.entry_numbers
    prove, revealed = proof_maker(game.secret), _revealed(game)

    def head_after(n: int, is_over: bool) -> Head | None:
        last = numbers.last_public(n if is_over else min(n, revealed - 1))
        proof = prove(journal[last])
        return None if proof is None else Head(numbers.public(last), proof)

    return head_after


def _revealed(game: Game) -> int:
    """Return the number of the entry that published the secret, or of the next entry."""
    revealed = game.timeline.past.revealed
    return len(game.record.journal) if revealed is None else revealed


def beginning_of(game: Game) -> Begun:
    """Return the public facts about the beginning of ``game``."""
    record = game.record
    return Begun(
        game=record.id,
        ruleset=record.ruleset.id,
        version=record.ruleset.version,
        components=record.components.id,
        components_version=record.components.version,
        components_hash=record.components.hash,
        players=record.setup.players,
        options=record.setup.options,
        position=record.setup.position is not None or game.fork is not None,
        words=record.chance.entropy,
        without=record.chance.without,
        promise=game.promise,
    )
