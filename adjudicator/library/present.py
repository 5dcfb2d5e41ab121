"""Select what a viewer may know of a game: the redacted journal, the position, the legal orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from adjudicator.core.chance import Head, proof_maker
from adjudicator.core.corrections import SeatHanded
from adjudicator.core.event import total
from adjudicator.core.game import PendingOrder, PendingSheet
from adjudicator.core.journal import Entry, Link, Outside
from adjudicator.core.order import without_draws
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.values import MODERATOR, Digest, Seat, Viewer, replace
from adjudicator.library.game import Game

if TYPE_CHECKING:  # each command needs only one kind of report, and loading all takes time
    from adjudicator.reports.data.heading import Heading
    from adjudicator.reports.data.position import Position
    from adjudicator.reports.data.waiting import Waiting
    from adjudicator.results import Begun, LegalRow, LogRow, SeatReceipt


def redact_entry(rules: AnyRuleset, entry: Entry, viewer: Viewer) -> Entry:
    """Return ``entry`` as ``viewer`` may read it.

    The game's ``redact`` decides what an event shows; a correction shows the changes in the viewer's own view. Only the seat
    and the moderator read the rest of the order on the sheet, and the reason for a branch. Only the moderator reads outcomes
    that the sheet has beside an order: others may have drawn them.
    """
    redacted = (redact_event(rules, event, viewer) for event in entry.events)
    events = tuple(event for event in redacted if event is not None)
    if viewer is None or viewer not in (entry.seat, MODERATOR):
        return replace(entry, events=events, written=None, notes=())
    if viewer == MODERATOR or entry.written is None:
        return replace(entry, events=events)
    said = without_draws(entry.written)
    return replace(entry, events=events, written=None if said == entry.order else said)


def is_hidden(entry: Entry, viewer: Viewer) -> bool:
    """Return whether ``entry`` is hidden from ``viewer``: a skipped order could reveal its player's intention."""
    return entry.is_skipped and viewer not in (entry.seat, MODERATOR)


def redact_event(rules: AnyRuleset, event: Any, viewer: Viewer) -> Any:
    """Return ``event`` as ``viewer`` sees it, ``None`` if it is hidden."""
    if isinstance(event, Outside):
        return event.redact(rules, viewer)
    return event if viewer == MODERATOR else rules.redact(event, viewer)


def log_of(game: Game, links: Iterable[Link], viewer: Viewer) -> tuple[LogRow, ...]:
    """Return the log for ``links`` of the journal as ``viewer`` may read it."""
    return log_maker(game, viewer)(links)


def log_maker(game: Game, viewer: Viewer) -> Callable[[Iterable[Link]], tuple[LogRow, ...]]:
    """Return a function that gives the log for some links of the journal as ``viewer`` may read it."""
    from adjudicator.reports.data.log import log_rows

    rules, timeline = game.rules, game.timeline
    numbers, undone, turn_number = timeline.entry_numbers, timeline.undone, timeline.turn_number
    begun, commitment, prove = beginning_of(game), game.record.chance.commitment, prover(game)

    def make(links: Iterable[Link]) -> tuple[LogRow, ...]:
        shown = tuple(link for link in links if not is_hidden(link.entry, viewer))
        entries = (numbers.entry(redact_entry(rules, link.entry, viewer), viewer) for link in shown)
        proofs = {link.entry.n: prove(link) for link in shown}
        rows = log_rows(
            *(rules, entries),
            undone=undone,
            commitment=commitment,
            begun=begun,
            proofs=proofs,
            turn_number=turn_number,
        )
        return tuple(_numbered(game, row, viewer) for row in rows)

    return make


def _numbered(game: Game, row: LogRow, viewer: Viewer) -> LogRow:
    """Return ``row``, in the numbers of the journal, as ``viewer`` reads it; the moderator reads both numbers."""
    from adjudicator.results import KnownAs

    numbers = game.timeline.entry_numbers
    public, skipped = numbers.public(row.n), numbers.skipped(row.n)
    if viewer != MODERATOR:
        undone_by = None if row.undone_by is None else numbers.public(row.undone_by)
        return replace(row, n=public, skipped=skipped, undone_by=undone_by)
    if public == row.n:
        return replace(row, skipped=skipped, public=None)
    words = numbers.entry(game.record.journal[row.n].entry, None).order
    return replace(row, skipped=skipped, public=KnownAs(public, words if row.order and words != row.order else None))


def head_of(game: Game) -> Head | None:
    """Return the head of the game: its last public entry, with the number that players see.

    It is the same for every reader, so that anybody can compare and publish it. It must not reveal later skipped orders,
    which are secret; the next head proves them.
    """
    is_over = game.knowledge is None and game.rules.is_over(game.record.state)
    return heads_of(game)(len(game.record.journal) - 1, is_over)


def heads_of(game: Game) -> Callable[[int, bool], Head | None]:
    """Return a function that gives the head after an entry, from its number and whether the game was over then."""
    if game.knowledge is not None:
        head = game.knowledge.head
        return lambda _n, _is_over: head
    journal, numbers = game.record.journal, game.timeline.entry_numbers
    prove, revealed = proof_maker(game.record.chance.secret), _revealed(game)

    def head_after(n: int, is_over: bool) -> Head | None:
        last = numbers.last_public(n if is_over else min(n, revealed - 1))
        proof = prove(journal[last])
        return None if proof is None else Head(numbers.public(last), proof)

    return head_after


def prover(game: Game) -> Callable[[Link], Digest | None]:
    """Return a function that gives the proof of an entry: ``None`` if it may not be published or has none.

    If the secret is published before the end, later entries have no proof: with it, readers could guess hidden entries.
    """
    record = game.record
    prove, first = proof_maker(record.chance.secret), _revealed(game)
    if game.rules.is_over(record.state):
        return prove
    return lambda link: prove(link) if link.entry.n < first else None


def _revealed(game: Game) -> int:
    """Return the number of the entry that published the secret, or of the next entry."""
    revealed = game.timeline.past.revealed
    return len(game.record.journal) if revealed is None else revealed


def with_heads(game: Game, receipts: Iterable[SeatReceipt]) -> tuple[SeatReceipt, ...]:
    """Return ``receipts`` of processed orders, each with the head after it."""
    head = head_of(game)
    return tuple(replace(receipt, head=head) for receipt in receipts)


def beginning_of(game: Game) -> Begun:
    """Return the public facts about the beginning of ``game``."""
    from adjudicator.results import Begun

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
        position=record.setup.position is not None,
        words=record.chance.entropy,
        without=record.chance.without,
        promise=record.promise if record.chance.promised else None,
    )


def heading_of(game: Game, viewer: Viewer, turn: int | None = None) -> Heading:
    """Return the heading of every report to ``viewer``; ``turn`` is the number to write, if it is known."""
    heading = _heading(game, viewer, turn)
    return replace(heading, head=head_of(game), result=_result(game, heading))


def _heading(game: Game, viewer: Viewer, turn: int | None) -> Heading:
    """Return the heading without its head and the result."""
    from adjudicator.reports.data.heading import Heading

    rules, record = game.rules, game.record
    return Heading(
        game=record.id,
        ruleset=rules.meta.id,
        name=rules.meta.name,
        turn=game.valid_turns.turn_for(viewer) if turn is None else turn,
        components=record.components.id,
        unit=rules.meta.unit,
        viewer=viewer,
        commitment=record.chance.commitment,
        over=rules.is_over(record.state),
        promise=promise_of_game(game),
        words={seat: record.chance.entropy[seat] for seat in game.seats if seat in record.chance.entropy},
        without=record.chance.without,
        head=None,
        holders=game.holders,
        seats=game.seats,
    )


def _result(game: Game, heading: Heading) -> str:
    from adjudicator.reports.data.heading import result_words

    if not heading.over:
        return ""
    return result_words(game.rules.standings(game.record.state), heading.holders)


def promise_of_game(game: Game) -> Digest | None:
    """Return the promise that was published before the game began, ``None`` if there was none."""
    if game.knowledge is not None:
        return game.knowledge.promise
    return game.record.promise if game.record.chance.promised else None


def position_of(game: Game, viewer: Viewer, turn: int | None = None) -> Position:
    """Return the position as ``viewer`` may know it; ``turn`` as in ``heading_of``."""
    return _position(game, heading_of(game, viewer, turn))


def position_maker(game: Game, viewer: Viewer) -> Callable[[int, Any, int], Position]:
    """Return a function that gives the position after an entry, as ``viewer`` might know it then.

    The function takes the number of the entry, the state after it, and the turn number that players saw then. It shows no
    pending orders, because the record does not contain those of the past.
    """
    head_after, lasting = heads_of(game), _heading(game, viewer, 0)
    first = {player.seat: player.holder for player in game.record.setup.players}
    handed = [(one.n, one.outside) for one in game.timeline.past.outside if type(one.outside) is SeatHanded]

    def position_after(n: int, state: Any, turn: int) -> Position:
        is_over = game.rules.is_over(state)
        then = game.with_record(replace(game.record, state=state, pending=()))
        held = first | {event.seat: event.holder for at, event in handed if at <= n}
        heading = replace(lasting, turn=turn, over=is_over, head=head_after(n, is_over), holders=held)
        return _position(then, replace(heading, result=_result(then, heading)))

    return position_after


def _position(game: Game, heading: Heading) -> Position:
    """Return the position as the viewer in ``heading`` may know it, without using the journal."""
    from adjudicator.reports.data.position import PlainView, Position
    from adjudicator.results import Decision

    rules, record, viewer = game.rules, game.record, heading.viewer
    view, due = rules.view(record.state, viewer), Decision.due_in(rules, record.state)
    return Position(
        heading=heading,
        drawing=rules.draw(view),
        due=due,
        standings=rules.standings(record.state),
        pending={sheet.seat: len(sheet.orders) for sheet in record.pending if viewer in (sheet.seat, MODERATOR)},
        warnings=tuple(rules.warnings(record.state)),
        view=PlainView(viewer, view.state, due),
    )


def waiting_of(game: Game, viewer: Viewer) -> Waiting:
    """Return the pending and set-aside orders that ``viewer`` may see: a seat its own, the moderator all.

    A seat's are numbered by themselves: numbers in the whole record would tell how many of others were set aside.
    """
    from adjudicator.reports.data.waiting import Waiting
    from adjudicator.results import SheetSetAside, WaitingSheet

    def of(sheet: PendingSheet) -> dict[str, Any]:
        return {
            "seat": sheet.seat,
            "turn": game.turn_number(sheet.turn),
            "orders": tuple(_words(order, viewer) for order in sheet.orders),
        }

    record = game.record
    return Waiting(
        heading_of(game, viewer),
        tuple(WaitingSheet(**of(sheet)) for sheet in record.pending if viewer in (sheet.seat, MODERATOR)),
        tuple(
            SheetSetAside(**of(one.sheet), n=number, until=game.turn_number(one.turn), cause=one.cause, reason=one.reason)
            for number, one in enumerate((one for one in record.set_aside if viewer in (one.sheet.seat, MODERATOR)), 1)
        ),
    )


def _words(order: PendingOrder, viewer: Viewer) -> str:
    """Return ``order`` for its seat, or with outcomes for the moderator, because they may be draws of others."""
    return order.order if viewer == MODERATOR else without_draws(order.order)


def legal_if_due(game: Game, seat: Seat) -> tuple[LegalRow, ...] | None:
    """Return the same for a seat that is not due, as if it were due now; ``None`` if the rules cannot tell."""
    rules = game.rules
    state = rules.position_if_due(game.record.state, seat)
    if state is None or not rules.is_due(state, seat):
        return None
    return legal_of(game.with_record(replace(game.record, state=state)), seat)


def choices_of(game: Game, seat: Seat) -> tuple[tuple[str, str], ...]:
    """Return the cards or parts that ``seat`` holds or can choose, each with what it does."""
    view = game.rules.view(game.record.state, seat)
    return tuple(game.rules.choices(view))


def legal_of(game: Game, seat: Seat) -> tuple[LegalRow, ...]:
    """Return every order ``seat`` may give now with its cost, the cheapest first within each kind of order."""
    from adjudicator.results import LegalRow

    rows = []
    at = game.rules.at(game.record.state, seat)
    for order in game.rules.legal(at):
        why = game.rules.cost_if_legal(at, order)
        # The cost of a legal order is missing if a draw decides it.
        known = None if why is None else total(why)
        rows.append(LegalRow(game.rules.language.text(order), known, why or ()))
    kinds = {kind: rank for rank, kind in enumerate(dict.fromkeys(row.order.split()[0] for row in rows))}
    return tuple(sorted(rows, key=lambda row: (kinds[row.order.split()[0]], row.min or 0)))
