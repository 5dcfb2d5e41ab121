"""Turn files and mails, what they say together: a sheet for each seat that sent one, and everything that is wrong."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Seat
from adjudicator.core.order import Sheet, SheetWord
from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.build import GameHeader, TurnHeader
from adjudicator.orders.findings import Ignored
from adjudicator.orders.parser import reader
from adjudicator.orders.reading import Reading
from adjudicator.orders.standing import SheetSent, Standing, standing
from adjudicator.orders.submission import Addressee, Submission, text_submission

__all__ = ["MOST_PROBLEMS", "Addressee", "Ignored", "SheetSent", "Submission", "TurnFile", "read_turn_files", "turns_named"]

_LONGEST_HEAD: Final = 200

Refused = Collection[tuple[str, int]]


@frozen
class TurnFile:
    """What texts say: a sheet for each seat that sent one, everything unreadable, every line passed over.

    ``replaced`` says (seat, words) which sheets do not count since the same seat has sent a later one; ``sent`` are the
    seats that have sent anything, readable or not, ``flawed`` those of them in whose text that counts something cannot be
    read or used; ``sources`` the names of the texts in their order. ``arrived`` tells text by text what each seat has
    sent, also where nothing of it counts; ``stands`` is what counts of all the mails of a seat.
    ``words`` are those for chance by seat, the one that counts last, whatever becomes of the sheet beside it.
    """

    sheets: tuple[Sheet, ...]
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[Ignored, ...]
    replaced: tuple[tuple[Seat, str], ...] = ()
    sent: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    arrived: tuple[SheetSent, ...] = ()
    flawed: frozenset[str] = frozenset()
    stands: Mapping[Seat, Standing] = field(default_factory=dict, compare=False)
    readings: tuple[Reading, ...] = field(default=(), compare=False)
    words: Mapping[Seat, tuple[SheetWord, ...]] = field(default_factory=dict)

    def without(self, refused: Refused, spent: Refused) -> TurnFile:
        """Return what the texts say where it is known which sheets (seat, number of the text) do not stand.

        The ``refused`` ones have a mistake that shows only in the game; of the ``spent`` ones nothing is left.
        """
        return _together(self.readings, refused, spent)


def read_turn_files(rules: AnyRuleset, addressee: Addressee, files: Iterable[Submission | tuple[str, bytes]]) -> TurnFile:
    """Return what ``files`` say together: texts, or names with bytes. Nothing is raised for what is in them.

    The later of two sheets of one seat counts, if they stand in two texts and nothing is wrong with it; else the earlier.
    Later is the one received later, where that is known of both, else the one that is named later. Within one text they
    are one sheet.

    Problems are diagnostics. Codes: those of `explain`, and ``orders/`` with ``bad-word``, ``empty``, ``late-withdrawal``,
    ``line-too-long``, ``missing-colon``, ``no-seat``, ``not-text``, ``not-yours``, ``too-deep``, ``too-large``,
    ``too-many-lines``, ``too-many-problems``, ``unknown-seat``, ``wrapped-line``, ``wrong-game``, ``wrong-turn``.
    """
    submissions = [file if isinstance(file, Submission) else text_submission(*file) for file in files]
    return _together(tuple(Reading(rules, addressee, submission) for submission in submissions))


def turns_named(rules: AnyRuleset, lines: Iterable[str]) -> set[int]:
    """Return the numbers that heads among ``lines`` ask for: `turn 7`."""
    skim = reader(rules).skim
    heads = (skim(line.strip()) for line in lines if len(line) <= _LONGEST_HEAD and any(map(str.isdigit, line)))
    return {head.turn for head in heads if isinstance(head, (GameHeader, TurnHeader)) and head.turn is not None}


def _together(readings: tuple[Reading, ...], refused: Refused = frozenset(), spent: Refused = frozenset()) -> TurnFile:
    """Return what ``readings`` say together, where sheets (seat, number of the text) are ``refused`` or ``spent``."""
    arrived = [sent for number, reading in enumerate(readings) for sent in _arrived(reading, number)]
    mails = {seat: _in_order(own) for seat, own in _sent(readings, arrived).items()}
    stands = {seat: standing(own, *(_of(seat, each) for each in (refused, spent))) for seat, own in mails.items()}
    judged = {(one.seat, one.number): one for seat, own in mails.items() for one in stands[seat].judged(own)}
    arrived = [judged.get((sent.seat, sent.number), sent) for sent in arrived]
    later = {(sent.seat, sent.number) for sent in arrived if sent.later}
    return TurnFile(
        tuple(
            stands[seat].sheet
            for number, reading in enumerate(readings)
            for seat in map(Seat, reading.drafts)
            if seat in stands and stands[seat].number == number and _says_something(stands[seat].sheet)
        ),
        tuple(
            diagnostic
            for number, reading in enumerate(readings)
            for diagnostic in reading.findings.diagnostics
            if not _is_settled(diagnostic, number, later, stands)
        )
        + tuple(wrong for now in stands.values() for wrong in now.wrong),
        tuple(ignored for reading in readings for ignored in reading.findings.ignored),
        tuple(_replaced(arrived)),
        frozenset(stands),
        tuple(reading.text.source for reading in readings),
        tuple(arrived),
        frozenset(seat for seat, now in stands.items() if now.is_flawed),
        stands,
        readings,
        _words(arrived),
    )


def _words(arrived: Iterable[SheetSent]) -> dict[Seat, tuple[SheetWord, ...]]:
    """Return the words for chance of each seat that can be taken, in the order in which its mails came."""
    mails: dict[Seat, list[SheetSent]] = {}
    for sent in arrived:
        if sent.words:
            mails.setdefault(sent.seat, []).append(sent)
    return {seat: tuple(word for sent in _in_order(own) for word in sent.words if word.word) for seat, own in mails.items()}


def _sent(readings: Sequence[Reading], arrived: Iterable[SheetSent]) -> dict[Seat, list[SheetSent]]:
    mails: dict[Seat, list[SheetSent]] = {}
    for sent in arrived:
        if sent.seat in readings[sent.number].sent:
            mails.setdefault(sent.seat, []).append(sent)
    return mails


def _of(seat: Seat, sheets: Refused) -> set[int]:
    return {number for whose, number in sheets if whose == seat}


def _in_order(mails: Iterable[SheetSent]) -> list[SheetSent]:
    """Return ``mails`` of one seat in the order in which they came: as they are named, but where it is known better."""
    done: list[SheetSent] = []
    timed: list[SheetSent] = []
    for sent in mails:
        if sent.text.received is None:
            done += (*timed, sent)
            timed = []
        else:
            insort(timed, sent, key=lambda one: one.text.received or 0)
    return done + timed


def _arrived(reading: Reading, number: int) -> Iterator[SheetSent]:
    """Yield what ``reading`` has from each seat; of a text whose seat is known that is something in any case."""
    text = reading.text
    has_sent = reading.sent | reading.words.keys()
    sent = dict.fromkeys([seat for seat in reading.drafts if seat in has_sent] + sorted(has_sent))
    if text.seat is not None and not text.skipped and text.seat not in sent:
        yield SheetSent(text, text.seat, Sheet(text.seat, ()), is_addressed=reading.is_addressed, number=number)
    for seat in sent:
        draft = reading.drafts.get(seat)
        sheet = Sheet(Seat(seat), ()) if draft is None else draft.sheet()
        is_flawed = seat in reading.findings.flawed
        words = tuple(reading.words.get(seat, ()))
        is_alone = len(sent) == 1
        remarks = () if draft is None else tuple(draft.remarks)
        yield SheetSent(
            *(text, Seat(seat), sheet),
            is_alone=is_alone,
            is_flawed=is_flawed,
            number=number,
            words=words,
            remarks=remarks,
        )


def _says_something(sheet: Sheet) -> bool:
    return bool(sheet.instructions or sheet.unheard or sheet.withdrawal)


def _is_settled(diagnostic: Diagnostic, number: int, later: Refused, stands: Mapping[Seat, Standing]) -> bool:
    """Return whether a later text of the same seat has settled a problem; an empty one is settled by any other."""
    seat = Seat(diagnostic.seat)
    is_empty = diagnostic.problem.code == "orders/empty"
    return (seat, number) in later or (is_empty and seat in stands and stands[seat].number != number)


def _replaced(arrived: Iterable[SheetSent]) -> Iterator[tuple[Seat, str]]:
    for sent in arrived:
        sheet = f"the sheet in {sent.text.source}"
        if sent.later:
            yield sent.seat, f"{sheet} is replaced by the later one in {sent.later}"
        elif sent.earlier:
            yield sent.seat, f"{sheet} has a mistake, and nothing of it counts: the earlier one in {sent.earlier} stands"
