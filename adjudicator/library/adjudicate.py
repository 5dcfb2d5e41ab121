"""Adjudicate turn files: add new orders to the pending ones, and let the engine apply those that are due."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count, takewhile
from typing import Any

from adjudicator.core.engine import Outcome
from adjudicator.core.game import Record
from adjudicator.core.journal import Link
from adjudicator.core.order import Instruction, instruction_text
from adjudicator.core.problem import Diagnostic
from adjudicator.core.timeline import ValidTurns
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.combine import combine_orders
from adjudicator.library.game import Game
from adjudicator.library.reader import Reader
from adjudicator.library.receipts import notes_on_older_mails, receipts_of, record_receipts, undone_receipts
from adjudicator.library.take_words import take_words
from adjudicator.orders.findings import Ignored
from adjudicator.orders.locate import Locator
from adjudicator.orders.reading_notes import ReadingNote, reading_notes
from adjudicator.orders.submission import Addressee, Submission, text_submission
from adjudicator.orders.turnfile import TurnFile, read_turn_files
from adjudicator.outputs.orders import Decision, SeatReceipt
from adjudicator.reports.data.order_form import form_notes


class AdjudicationResult(Value):
    """The result of turn files: the game afterwards, and all messages for the moderator.

    ``accepted`` lists the new journal entries, ``diagnostics`` every problem with its place, ``notes`` (seat, words) the
    orders that were replaced, skipped or held back, ``ignored`` the ignored lines of mails, ``reading_notes`` the orders
    that the program has read in other words. ``is_changed`` says whether the caller must save the game. ``receipts`` list
    for each seat the mails and their results; a game that has changed records them. ``foreseen`` are the results that a seat
    learns when it checks its own orders. ``remarks`` are the notes that name no text and no line, so that the seat may read
    them.
    """

    game: Game
    accepted: tuple[Link, ...]
    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[tuple[Seat, str], ...]
    ignored: tuple[Ignored, ...]
    is_changed: bool
    receipts: tuple[SeatReceipt, ...] = ()
    reading_notes: tuple[ReadingNote, ...] = ()
    remarks: tuple[tuple[Seat, str], ...] = ()
    foreseen: tuple[Diagnostic, ...] = ()


def adjudicate_files(
    game: Game,
    files: Iterable[Submission | tuple[str, bytes]],
    *,
    strict: bool = False,
    held_seats: Collection[Seat] = (),
) -> AdjudicationResult:
    """Apply texts or turn ``files`` (name, bytes) to ``game``.

    With ``strict``, one problem is enough to apply nothing and to keep nothing pending. Pending orders of ``held_seats``
    stay pending, even if they are due. Raises ``LanguageError`` if the words of a language of the game are missing.
    """
    spoken = game.spoken_rules
    received = read_turn_files(spoken, addressee(game), _with_unique_names(files))
    combined = combine_orders(game, received, held_seats)
    received, record, outcome = combined.received, game.record, combined.outcome
    words = take_words(game, outcome.record, received.words)
    diagnostics = _in_order(game, received.sources, (*received.diagnostics, *combined.diagnostics))
    read = tuple(found for sheet in received.sheets for found in reading_notes(spoken, sheet))
    if strict and diagnostics:
        return AdjudicationResult(game, (), diagnostics, (), received.ignored, is_changed=False, reading_notes=read)
    receipts = receipts_of(game, received.arrived, outcome, diagnostics, combined.void, words.fates)
    accepted = (*outcome.accepted, *words.links)
    is_changed = bool(accepted) or _waiting(words.record) != _waiting(record)
    remarks = (
        *_repeated(game, received),
        *notes_on_older_mails(game, received.arrived),
        *combined.remarks,
        *_counted(game, outcome),
        *words.notes,
    )
    after = words.record
    if is_changed:
        after = record_receipts(after, game.record.turn, receipts, (sent.text for sent in received.arrived))
    return AdjudicationResult(
        game.with_record(after),
        accepted,
        diagnostics,
        (*received.replaced, *remarks, *outcome.notes),
        received.ignored,
        is_changed=is_changed,
        receipts=receipts,
        reading_notes=read,
        remarks=remarks,
    )


def _with_unique_names(files: Iterable[Submission | tuple[str, bytes]]) -> Iterator[Submission]:
    """Yield ``files`` with unique names: the name of a text decides which seat sees its lines.

    Seats never see the number in a name, which would reveal how many other texts there are.
    """
    names = set[str]()
    for file in files:
        text = file if isinstance(file, Submission) else text_submission(*file)
        free = (f"{text.source}, mail {number}" for number in count(2))
        name = text.source if text.source not in names else next(name for name in free if name not in names)
        names.add(name)
        yield text if name == text.source else replace(text, source=name)


def _waiting(record: Record) -> tuple[Any, ...]:
    return record.pending, record.set_aside


def addressee(game: Game) -> Addressee:
    """Return what a text must be for: the game, the turn that is due, the seats and their players."""
    record = game.record
    names = frozenset(game.rules.names()) - frozenset(game.seats)
    turns = game.valid_turns
    asked = dict(_asked_since(game, turns)) if game.rules.has_windows else {}

    def notes(seat: Seat) -> str:
        due = Decision.due_in(game.rules, record.state)
        return "\n".join(form_notes((one for one in due if one.seat == seat), Reader(game, seat).choices))

    return Addressee(record.id, turns.turn, game.seats, game.players, names, turns.by_seat, turns.latest, asked, notes)


def _asked_since(game: Game, turns: ValidTurns) -> Iterator[tuple[Seat, int]]:
    """Yield for each seat the time of the last mail that the game took before it asked the present question."""
    undone = undone_receipts(game)
    timed = [(one.turn, one.received) for one in game.record.receipts if one.received is not None and one not in undone]
    for seat, numbers in turns.by_seat.items():
        before = [received for turn, received in timed if turn < min(numbers)]
        if before:
            yield seat, max(before)


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
        turn = later.turn_number(later.record.turn if is_later and is_open else game.record.turn)
        window = f"`turn {turn}`" if is_open or not is_later else f"a window that opened and closed in turn {turn}"
        ahead = ", sent ahead" if is_later else ""
        change = "; a new mail can change it until all have answered" if is_open else ""
        closed = ", which is closed now" if not (is_open or is_later) else ""
        yield seat, f"counted as your answer for {window}{ahead}{closed}{change}"


def _in_order(game: Game, sources: Sequence[str], diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return ``diagnostics`` with their places on the line, in reading order; those of pending orders come first."""
    rank = {source: number for number, source in enumerate(sources)}
    located = Locator(game.spoken_rules).located(diagnostics)
    return tuple(sorted(located, key=lambda found: (rank.get(found.source, -1), found.source, found.line, found.column)))


def _repeated(game: Game, received: TurnFile) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each seat whose sheet begins with its orders of last time: perhaps it sent the same mail again."""
    record, text = game.record, game.rules.language.text
    latest = takewhile(lambda link: link.entry.turn == record.turn - 1, reversed(record.journal))
    applied = [(link.entry.seat, link.entry.written or link.entry.order) for link in latest if link.entry.outside is None][
        ::-1
    ]
    for sheet in received.sheets:
        before = [words for seat, words in applied if seat == sheet.seat]
        if before and before == [_words(item, text) for item in sheet.instructions[: len(before)]]:
            yield (
                sheet.seat,
                f"begins with the orders of turn {game.turn_number(record.turn - 1)};"
                f" if they are new orders, write `turn {game.valid_turns.turn_for(sheet.seat)}` above them",
            )


def _words(item: Instruction, text: Callable[[Any], str]) -> str:
    """Return the canonical words of ``item``; empty after a failure, which the engine reports."""
    with suppress(Exception):
        return instruction_text(item, text)
    return ""
