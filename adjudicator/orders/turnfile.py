"""Turn files and mails, what they say together: a sheet for each seat that sent one, and everything that is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from adjudicator.orders.submission import Addressee, Submission, text_submission

__all__ = ["MOST_PROBLEMS", "Addressee", "Ignored", "SheetSent", "Submission", "TurnFile", "read_turn_files", "turns_named"]

_LONGEST_HEAD: Final = 200


@frozen
class SheetSent:
    """What ``text`` says for ``seat``: its ``sheet``, which may be empty.

    ``later`` names the text whose sheet counts instead, empty where this one does. ``is_alone`` says that no other seat has
    sent anything in this text, ``is_addressed`` that it was for this game and turn. ``words`` are those for chance in it.
    """

    text: Submission
    seat: Seat
    sheet: Sheet
    later: str = ""
    is_alone: bool = True
    is_addressed: bool = True
    words: tuple[SheetWord, ...] = ()


@frozen
class TurnFile:
    """What texts say: a sheet for each seat that sent one, everything unreadable, every line passed over.

    ``replaced`` says (seat, words) which sheets do not count since the same seat has sent a later one; ``sent`` are the
    seats that have sent anything, readable or not, ``flawed`` those of them in whose text that counts something cannot be
    read or used; ``sources`` the names of the texts in their order. ``arrived`` tells text by text what each seat has
    sent, also where nothing of it counts. ``words`` are the words for chance by seat, the one that counts last: they count
    whatever becomes of the sheet beside them.
    """

    sheets: tuple[Sheet, ...]
    diagnostics: tuple[Diagnostic, ...]
    ignored: tuple[Ignored, ...]
    replaced: tuple[tuple[Seat, str], ...] = ()
    sent: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    arrived: tuple[SheetSent, ...] = ()
    flawed: frozenset[str] = frozenset()
    words: Mapping[Seat, tuple[SheetWord, ...]] = field(default_factory=dict)


def read_turn_files(rules: AnyRuleset, addressee: Addressee, files: Iterable[Submission | tuple[str, bytes]]) -> TurnFile:
    """Return what ``files`` say together: texts, or names with bytes. Nothing is raised for what is in them.

    The later of two sheets of one seat counts, if they stand in two texts: the one received later, where that is known of
    both, else the one that is named later. Within one text they are one sheet.

    Problems are diagnostics. Codes: those of `explain`, and ``orders/`` with ``bad-word``, ``empty``, ``late-withdrawal``,
    ``line-too-long``, ``missing-colon``, ``no-seat``, ``not-text``, ``not-yours``, ``too-deep``, ``too-large``,
    ``too-many-lines``, ``too-many-problems``, ``unknown-seat``, ``wrapped-line``, ``wrong-game``, ``wrong-turn``.
    """
    submissions = [file if isinstance(file, Submission) else text_submission(*file) for file in files]
    readings = [Reading(rules, addressee, submission) for submission in submissions]
    counting = _counting(readings)
    late = {id(reading): {seat for seat in reading.sent if counting[seat] is not reading} for reading in readings}
    return TurnFile(
        tuple(
            draft.sheet()
            for reading in readings
            for seat, draft in reading.drafts.items()
            if (draft.instructions or draft.unheard or draft.withdrawal) and counting[seat] is reading
        ),
        tuple(
            diagnostic
            for reading in readings
            for diagnostic in reading.findings.diagnostics
            if not _is_settled(diagnostic, reading, late[id(reading)], counting)
        ),
        tuple(ignored for reading in readings for ignored in reading.findings.ignored),
        tuple(_replaced(readings, counting)),
        frozenset(counting),
        tuple(reading.text.source for reading in readings),
        tuple(sent for reading in readings for sent in _arrived(reading, counting)),
        frozenset(seat for seat, reading in counting.items() if seat in reading.findings.flawed),
        _words(readings),
    )


def turns_named(rules: AnyRuleset, lines: Iterable[str]) -> set[int]:
    """Return the numbers that heads among ``lines`` ask for: `turn 7`."""
    skim = reader(rules).skim
    heads = (skim(line.strip()) for line in lines if len(line) <= _LONGEST_HEAD and any(map(str.isdigit, line)))
    return {head.turn for head in heads if isinstance(head, (GameHeader, TurnHeader)) and head.turn is not None}


def _counting(readings: Sequence[Reading]) -> dict[str, Reading]:
    """Return for each seat that has sent something the text that counts."""
    counting: dict[str, Reading] = {}
    for reading in readings:
        for seat in sorted(reading.sent):
            other = counting.get(seat)
            if other is None or not _is_earlier(reading, other):
                counting[seat] = reading
    return counting


def _arrived(reading: Reading, counting: dict[str, Reading]) -> Iterator[SheetSent]:
    """Yield what ``reading`` has from each seat; of a text whose seat is known that is something in any case."""
    text = reading.text
    has_sent = reading.sent | reading.words.keys()
    sent = dict.fromkeys([seat for seat in reading.drafts if seat in has_sent] + sorted(has_sent))
    if text.seat is not None and not text.skipped and text.seat not in sent:
        yield SheetSent(text, text.seat, Sheet(text.seat, ()), is_addressed=reading.is_addressed)
    for seat in sent:
        draft = reading.drafts.get(seat)
        sheet = Sheet(Seat(seat), ()) if draft is None else draft.sheet()
        later = "" if counting.get(seat, reading) is reading or seat not in reading.sent else counting[seat].text.source
        words = tuple(reading.words.get(seat, ()))
        yield SheetSent(text, Seat(seat), sheet, later, is_alone=len(sent) == 1, words=words)


def _words(readings: Sequence[Reading]) -> dict[Seat, tuple[SheetWord, ...]]:
    """Return the words for chance of each seat, text after text in the order in which they came, where that is known."""
    found: dict[Seat, list[tuple[Reading, list[SheetWord]]]] = {}
    for reading in readings:
        for seat, words in reading.words.items():
            before = found.setdefault(Seat(seat), [])
            at = next((at for at, (other, _) in enumerate(before) if _is_earlier(reading, other)), len(before))
            before.insert(at, (reading, [word for word in words if word.word]))
    return {seat: tuple(word for _, words in texts for word in words) for seat, texts in found.items()}


def _is_earlier(reading: Reading, other: Reading) -> bool:
    """Return whether ``reading``, which is named later, came before the ``other`` all the same."""
    came, came_other = reading.text.received, other.text.received
    return came is not None and came_other is not None and came < came_other


def _is_settled(diagnostic: Diagnostic, reading: Reading, late: set[str], counting: dict[str, Reading]) -> bool:
    """Return whether a later text of the same seat has settled a problem; an empty one is settled by any other."""
    if diagnostic.seat in late:
        return True
    is_empty = diagnostic.problem.code == "orders/empty"
    return is_empty and counting.get(diagnostic.seat, reading) is not reading


def _replaced(readings: Sequence[Reading], counting: dict[str, Reading]) -> Iterable[tuple[Seat, str]]:
    for reading in readings:
        for seat in sorted(reading.sent):
            if counting[seat] is not reading:
                words = f"the sheet in {reading.text.source} is replaced by the later one in {counting[seat].text.source}"
                yield Seat(seat), words
