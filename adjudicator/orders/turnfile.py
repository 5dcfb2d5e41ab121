"""Read turn files and mails together: return the sheet of each seat, and all problems."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from adjudicator.core.order import Sheet, SheetWord
from adjudicator.core.problem import Diagnostic
from adjudicator.core.remember import Recall
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Seat, Value, field
from adjudicator.orders.build import GameHeader, OrderLine, TurnHeader
from adjudicator.orders.counted_sheet import CountedSheet, SentSheet, counted_sheet
from adjudicator.orders.form import forms_in
from adjudicator.orders.parser import reader
from adjudicator.orders.reading import Reading
from adjudicator.orders.submission import EMPTY, Addressee, Submission, text_submission
from adjudicator.results import Ignored

_LONGEST_HEAD: Final = 200
_LONGEST_KEPT: Final = 20_000
"""The most characters of a mail whose reading is kept: while it waits, each new mail of its seat needs it again."""

Refused = Collection[tuple[str, int]]


class TurnFile(Value):
    """The contents of several texts: a sheet for each seat that sent one, all problems, all ignored lines.

    ``replaced`` has a note (seat, text) for each sheet that does not count, because the same seat has sent another. ``sent``
    are the seats that have sent anything, readable or not; ``flawed`` are those with a mistake in the text that counts.
    ``sources`` are the names of the texts in their order. ``arrived`` has the sheets of all texts, also those that do not
    count; ``counted`` has for each seat what counts of its mails. ``words`` are the words for chance by seat, the last of
    which counts, even if the sheet does not.
    """

    sheets: tuple[Sheet, ...]
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[Ignored, ...]
    replaced: tuple[tuple[Seat, str], ...] = ()
    sent: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    arrived: tuple[SentSheet, ...] = ()
    flawed: frozenset[str] = frozenset()
    counted: Mapping[Seat, CountedSheet] = field(default_factory=dict)
    readings: tuple[Reading, ...] = ()
    words: Mapping[Seat, tuple[SheetWord, ...]] = field(default_factory=dict)

    def without(self, refused: Refused, spent: Refused) -> TurnFile:
        """Return the contents without the sheets (seat, number of the text) that turn out not to count.

        The ``refused`` ones have a mistake that only the game shows; the orders of the ``spent`` ones are all carried out.
        """
        return _turn_file(self.readings, refused, spent)


def read_turn_files(rules: AnyRules, addressee: Addressee, files: Iterable[Submission | tuple[str, bytes]]) -> TurnFile:
    """Return the contents of ``files``: texts, or names with bytes. Mistakes in them raise no exception.

    Of two sheets of one seat in two texts the later one counts if it has no mistake, else the earlier one. The time of
    arrival decides which is later, if it is known for both, else the order of ``files``. In one text they are one sheet.

    Problems are diagnostics. Codes: those of `explain`, and ``orders/`` with ``among-words``, ``bad-word``, ``command``,
    ``empty``, ``late-withdrawal``, ``line-too-long``, ``missing-colon``, ``no-seat``, ``not-text``, ``not-yours``,
    ``too-deep``, ``too-large``, ``too-many-lines``, ``too-many-problems``, ``two-places``, ``unknown-seat``,
    ``wrapped-line``, ``wrong-game``, ``wrong-turn``.
    """
    submissions = [file if isinstance(file, Submission) else text_submission(*file) for file in files]
    return _turn_file(tuple(_reading(rules, addressee, submission) for submission in submissions))


_readings: Final = Recall()


def _reading(rules: AnyRules, addressee: Addressee, submission: Submission) -> Reading:
    """Return the reading of a text; that of a mail is kept for the next call with the same rules and ``addressee``."""
    read = partial(Reading, rules, addressee, submission)
    is_kept = submission.is_mail and sum(map(len, submission.lines)) <= _LONGEST_KEPT
    return _readings.result(submission, (rules, addressee), read) if is_kept else read()


def header_turns(rules: AnyRules, lines: Iterable[str]) -> set[int]:
    """Return the turns in the headers among ``lines``: `turn 7`, `Turn 7:`, and those of order forms that are filled in."""
    parse, lines = reader(rules).parse, tuple(lines)
    forms = forms_in(lines, lambda line: isinstance(parse(line), OrderLine))
    heads = (parse(line.strip(" \t.:,")) for line in lines if len(line) <= _LONGEST_HEAD and any(map(str.isdigit, line)))
    turns = {head.turn for head in heads if isinstance(head, (GameHeader, TurnHeader)) and head.turn is not None}
    return turns | {form.turn for form in forms if form.turn is not None and (form.orders or not form.is_closed)}


def _turn_file(readings: tuple[Reading, ...], refused: Refused = frozenset(), spent: Refused = frozenset()) -> TurnFile:
    """Return the contents of ``readings`` where some sheets (seat, number of the text) are ``refused`` or ``spent``."""
    arrived = [sent for number, reading in enumerate(readings) for sent in _arrived(reading, number)]
    mails = _by_seat(one for one in arrived if one.seat in readings[one.number].sent)
    valid = {seat: counted_sheet(own, _of(seat, refused), _numbered(_of(seat, spent))) for seat, own in mails.items()}
    results = {(one.seat, one.number): one for seat, own in mails.items() for one in valid[seat].with_results(own)}
    arrived = [results.get((sent.seat, sent.number), sent) for sent in arrived]
    later = {(sent.seat, sent.number) for sent in arrived if sent.later}
    return TurnFile(
        tuple(
            valid[seat].sheet
            for number, reading in enumerate(readings)
            for seat in map(Seat, reading.by_seat)
            if seat in valid and valid[seat].number == number and _has_content(valid[seat].sheet)
        ),
        tuple(
            diagnostic
            for number, reading in enumerate(readings)
            for diagnostic in reading.findings.diagnostics
            if not _is_settled(diagnostic, number, later, valid)
        )
        + tuple(wrong for now in valid.values() for wrong in now.wrong),
        tuple(ignored for reading in readings for ignored in reading.findings.ignored),
        tuple(_replaced(arrived)),
        frozenset(valid),
        tuple(reading.text.source for reading in readings),
        tuple(arrived),
        frozenset(seat for seat, now in valid.items() if now.is_flawed),
        valid,
        readings,
        _words(arrived),
    )


def _words(arrived: Iterable[SentSheet]) -> dict[Seat, tuple[SheetWord, ...]]:
    """Return the valid words for chance of each seat, in the order in which its mails arrived."""
    mails = _by_seat(sent for sent in arrived if sent.words)
    return {seat: tuple(word for sent in own for word in sent.words if word.word) for seat, own in mails.items()}


def _by_seat(sheets: Iterable[SentSheet]) -> dict[Seat, list[SentSheet]]:
    """Return the ``sheets`` of each seat in the order in which its mails arrived."""
    mails: dict[Seat, list[SentSheet]] = {}
    for sent in sheets:
        mails.setdefault(sent.seat, []).append(sent)
    return {seat: _in_order(own) for seat, own in mails.items()}


def _numbered(spent: Collection[int]) -> Callable[[CountedSheet], bool]:
    return lambda now: now.number in spent


def _of(seat: Seat, sheets: Refused) -> set[int]:
    return {number for whose, number in sheets if whose == seat}


def _in_order(mails: Sequence[SentSheet]) -> list[SentSheet]:
    """Return ``mails`` of one seat in the order of arrival; without a known time, in their given order.

    A copy of a mail arrived when the first copy did: a server may deliver it after a newer mail.
    """
    done: list[SentSheet] = []
    timed: list[SentSheet] = []
    first: dict[str, int] = {}
    for one in (sent.text for sent in mails):
        if one.received is not None and one.identity:
            first[one.identity] = min(one.received, first.get(one.identity, one.received))
    for sent in mails:
        if sent.text.received is None:
            done += (*timed, sent)
            timed = []
        else:
            insort(timed, sent, key=lambda one: first.get(one.text.identity, one.text.received or 0))
    return done + timed


def _arrived(reading: Reading, number: int) -> Iterator[SentSheet]:
    """Yield the sheet of each seat in ``reading``; a text with a known seat always has one, perhaps empty."""
    text = reading.text
    has_sent = reading.sent | reading.words.keys()
    sent = dict.fromkeys([seat for seat in reading.by_seat if seat in has_sent] + sorted(has_sent))
    if text.seat is not None and not text.skipped and text.seat not in sent:
        yield SentSheet(text, text.seat, Sheet(text.seat, ()), is_addressed=reading.is_addressed, number=number)
    for seat in sent:
        partial = reading.by_seat.get(seat)
        sheet = Sheet(Seat(seat), ()) if partial is None else partial.sheet()
        is_flawed = seat in reading.findings.flawed
        words = tuple(reading.words.get(seat, ()))
        is_alone = len(sent) == 1
        remarks = () if partial is None else tuple(partial.remarks)
        yield SentSheet(
            *(text, Seat(seat), sheet),
            is_alone=is_alone,
            is_flawed=is_flawed,
            number=number,
            words=words,
            remarks=remarks,
        )


def _has_content(sheet: Sheet) -> bool:
    return bool(sheet.instructions or sheet.check_only or sheet.withdrawal)


def _is_settled(diagnostic: Diagnostic, number: int, later: Refused, valid: Mapping[Seat, CountedSheet]) -> bool:
    """Return whether a later text of the same seat makes a problem irrelevant; for an empty text any other does."""
    seat = Seat(diagnostic.seat)
    is_empty = diagnostic.problem.code == EMPTY
    return (seat, number) in later or (is_empty and seat in valid and valid[seat].number != number)


def _replaced(arrived: Iterable[SentSheet]) -> Iterator[tuple[Seat, str]]:
    for sent in arrived:
        sheet = f"the sheet in {sent.text.source}"
        if sent.later:
            yield sent.seat, f"{sheet} is replaced by the later one in {sent.later}"
        elif sent.earlier:
            yield sent.seat, f"{sheet} has a mistake and does not count: the earlier one in {sent.earlier} still counts"
