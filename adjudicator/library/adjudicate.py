"""Adjudicate turn files: submit their sheets, let the engine take what counts, and say what became of everything."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from adjudicator.core.engine import Outcome
from adjudicator.core.game import words_of
from adjudicator.core.order import Sheet
from adjudicator.core.phrases import count
from adjudicator.core.values import Seat
from adjudicator.library.receipts import notes_on_older_mails, receipts_of, record_receipts
from adjudicator.library.results import Result
from adjudicator.library.submit import Submitted, advance, problems_in, submitted, written
from adjudicator.library.texts import addressee, submissions_in
from adjudicator.orders.problems import locate
from adjudicator.orders.reading import read_turn_files
from adjudicator.orders.submission import Orders, SentSheet
from adjudicator.reports.diagnostics import order_problem

if TYPE_CHECKING:
    from adjudicator.library.game import Game

_MISTAKE: Final = "the new sheet has a mistake, so nothing of it counts"


def adjudicate(game: Game, orders: Orders, *, strict: bool, held_seats: Collection[str], comment: str = "") -> Result:
    """Adjudicate ``orders`` and the pending orders that are due (see ``Game.apply``).

    With ``strict``, one problem is enough to apply nothing and to keep nothing pending. The first entry keeps the
    moderator's ``comment``. Raises ``LanguageError`` if words of a language of the game are missing.
    """
    game.require_journal()
    held = frozenset(map(game.seat, held_seats))
    spoken, record = game.spoken_rules, game.record
    readings = read_turn_files(spoken, addressee(game), submissions_in(game, orders))
    sent = tuple(sheet for reading in readings for sheet in reading.sheets)
    since = {sheet.seat: game.timeline.turn_number(sheet.turn) for sheet in record.pending}
    counted = submitted(game.rules, record, since, sent)
    outcome = advance(game.rules, counted, held, game.timeline.past.words_sent, comment)
    results = counted.results
    sent = tuple(results.get((one.seat, one.number), one) for one in sent)
    valid = [one.sheet for one in sent if one.is_sent and not (one.later or one.earlier)]
    ignored = tuple(line for reading in readings for line in reading.ignored)
    rank = {reading.text.source: number for number, reading in enumerate(readings)}
    found = locate(spoken, (*problems_in(readings, counted), *outcome.diagnostics))
    diagnostics = tuple(sorted(found, key=lambda one: (rank.get(one.source, -1), one.source, one.line, one.column)))
    problems, faults = tuple(map(order_problem, diagnostics)), tuple(one for one in diagnostics if one.fault is not None)
    if strict and diagnostics:
        return Result(game=game, problems=problems, faults=faults, ignored=ignored)
    receipts = receipts_of(game, sent, outcome, diagnostics, counted.void)
    after = outcome.record
    is_changed = bool(outcome.accepted) or (after.pending, after.set_aside) != (record.pending, record.set_aside)
    remarks = (
        *_repeated(game, valid),
        *notes_on_older_mails(game, sent),
        *counted.notes,
        *_still_counting(game, counted),
        *((seat, "this is your answer now; it replaces the earlier one") for seat in outcome.changed),
        *_counted(game, outcome),
    )
    if is_changed:
        after = record_receipts(after, game.record.turn, receipts, (one.text for one in sent))
    return Result(
        game=game.with_record(after),
        is_changed=is_changed,
        accepted=outcome.accepted,
        problems=problems,
        faults=faults,
        notes=(*_not_counted(sent), *remarks, *outcome.notes),
        remarks=remarks,
        ignored=ignored,
        unproven=receipts,
    )


def _not_counted(sent: Iterable[SentSheet]) -> Iterator[tuple[Seat, str]]:
    for one in sent:
        sheet = f"the sheet in {one.text.source}"
        if one.later:
            yield one.seat, f"{sheet} is replaced by the later one in {one.later}"
        elif one.earlier:
            yield one.seat, f"{sheet} has a mistake and does not count: the earlier one in {one.earlier} still counts"


def _still_counting(game: Game, counted: Submitted) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each seat of which no mail counts, but pending orders or an earlier answer do."""
    void = counted.void
    for seat in (seat for seat in game.seats if seat in void):
        if waits := len(counted.queues[seat].instructions):
            orders, does = count(waits, "order"), "counts" if waits == 1 else "count"
            yield seat, f"{_MISTAKE}; {orders} pending since turn {counted.since[seat]} still {does}"
        elif game.rules.has_answered(game.record.state, seat):
            yield seat, f"{_MISTAKE}; your earlier answer still counts"


def _answers(game: Game, outcome: Outcome) -> Iterator[tuple[Seat, bool, bool]]:
    """Yield the orders of ``outcome`` that answer in a window: seat, whether it opened since, whether it is still open.

    A window asks several seats at once, each of which may change its answer until all have answered; its last one counts.
    """
    was_open, is_later = game.rules.is_window(game.record.state), False
    answers: dict[Seat, None] = {}
    for link, is_open in zip(outcome.accepted, outcome.windows, strict=True):
        is_order = not link.entry.is_skipped
        if is_order and (was_open or is_open):
            answers[Seat(str(link.entry.seat))] = None
        if was_open and not is_open:
            yield from ((seat, is_later, False) for seat in answers)
            answers.clear()
        is_later = is_later or (is_order and not is_open)
        was_open = is_open
    yield from ((seat, is_later, True) for seat in answers)


def _counted(game: Game, outcome: Outcome) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each answer in a window: for which window it counts, and whether the seat can still change it."""
    if not game.rules.has_windows:
        return
    later = game.with_record(outcome.record)
    for seat, is_later, is_open in _answers(game, outcome):
        turn = later.timeline.turn_number(later.record.turn if is_later and is_open else game.record.turn)
        window = f"`turn {turn}`" if is_open or not is_later else f"a window that opened and closed in turn {turn}"
        ahead = ", sent ahead" if is_later else ""
        change = "; a new mail can change it until all have answered" if is_open else ""
        closed = ", which is closed now" if not (is_open or is_later) else ""
        yield seat, f"counted as your answer for {window}{ahead}{closed}{change}"


def _repeated(game: Game, sheets: Iterable[Sheet]) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each seat whose sheet begins with its orders of last time: perhaps it sent the same mail again."""
    record = game.record
    latest = takewhile(lambda link: link.entry.turn == record.turn - 1, reversed(record.journal))
    entries = [link.entry for link in latest if link.entry.outside is None][::-1]
    for sheet in sheets:
        own = [entry for entry in entries if entry.seat == sheet.seat]
        before = tuple(entry.written or entry.order for entry in own)
        is_same = before == words_of(written(game.rules, sheet.instructions[: len(own)]))
        if is_same and not all(entry.is_skipped for entry in own):
            yield (
                sheet.seat,
                f"begins with the orders of turn {game.timeline.turn_number(record.turn - 1)};"
                f" if they are new orders, write `turn {game.valid_turns.turn_for(sheet.seat)}` above them",
            )
