"""Read turn files and mails together: return the sheets of each seat in the order of arrival, and all problems."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Final

from adjudicator.core.order import Sheet
from adjudicator.core.remember import Recall
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Seat, Value, replace
from adjudicator.orders.build import GameHeader, OrderLine, TurnHeader
from adjudicator.orders.form import forms_in
from adjudicator.orders.parser import reader
from adjudicator.orders.reading import Reading
from adjudicator.orders.submission import Addressee, Submission, text_submission

_LONGEST_HEAD: Final = 200
_LONGEST_KEPT: Final = 20_000
"""The most characters of a mail whose reading is kept: while it waits, each new mail of its seat needs it again."""


class SentSheet(Value):
    """The ``sheet`` of ``seat`` in ``text``, the ``number``-th text.

    ``is_sent`` says that it has an order or a line that is meant as one; otherwise it has at most ``remarks``,
    lines (number, text) that the program does not understand. ``is_flawed`` says that a part of it cannot be
    read or used, ``is_alone`` that no other seat has sent anything in this text, ``is_addressed`` that it is for this game
    and turn. ``later`` names the text whose sheet replaces this one, ``earlier`` the text that still counts instead of it;
    in both cases nothing of it ``counts``.
    """

    text: Submission
    seat: Seat
    sheet: Sheet
    number: int
    is_sent: bool = True
    is_alone: bool = True
    is_addressed: bool = True
    is_flawed: bool = False
    remarks: tuple[tuple[int, str], ...] = ()
    counts: bool = True
    later: str = ""
    earlier: str = ""


def read_turn_files(
    rules: AnyRules, addressee: Addressee, files: Iterable[Submission | tuple[str, bytes]]
) -> tuple[Reading, ...]:
    """Return the readings of ``files``: texts, or names with bytes. Mistakes in them raise no exception.

    Each text gets a different name, which decides which seat sees its lines. Seats never see the number in a name, which
    would reveal how many other texts there are.

    Problems are diagnostics. Codes: those of `explain`, and ``orders/`` with ``among-words``, ``command``,
    ``empty``, ``late-withdrawal``, ``line-too-long``, ``missing-colon``, ``no-seat``, ``not-text``, ``not-yours``,
    ``too-deep``, ``too-large``, ``too-many-lines``, ``too-many-problems``, ``two-places``, ``unknown-seat``,
    ``wrapped-line``, ``wrong-game``, ``wrong-turn``.
    """
    names, readings = set[str](), []
    for file in files:
        text = file if isinstance(file, Submission) else text_submission(*file)
        if text.source in names:
            free = (f"{text.source}, mail {number}" for number in count(2))
            text = replace(text, source=next(name for name in free if name not in names))
        names.add(text.source)
        read = partial(Reading, rules, addressee, text)
        is_kept = text.is_mail and sum(map(len, text.lines)) <= _LONGEST_KEPT
        readings.append(_readings.result(text, (rules, addressee), read) if is_kept else read())
    return tuple(readings)


_readings: Final = Recall()


def sent_sheets(readings: Iterable[Reading]) -> Iterator[SentSheet]:
    """Yield the sheets in each of the ``readings``; a text with a known seat always has one, perhaps empty."""
    for number, reading in enumerate(readings):
        text, has_sent = reading.text, reading.sent
        sent = dict.fromkeys([seat for seat in reading.by_seat if seat in has_sent] + sorted(has_sent))
        if text.seat is not None and not text.skipped and text.seat not in sent:
            empty = Sheet(text.seat, ())
            yield SentSheet(text, text.seat, empty, number, is_sent=False, is_addressed=reading.is_addressed)
        for seat in sent:
            partial_sheet = reading.by_seat.get(seat)
            yield SentSheet(
                *(text, Seat(seat), Sheet(Seat(seat), ()) if partial_sheet is None else partial_sheet.sheet(), number),
                is_sent=seat in reading.sent,
                is_alone=len(sent) == 1,
                is_flawed=seat in reading.findings.flawed,
                remarks=() if partial_sheet is None else tuple(partial_sheet.remarks),
            )


def in_order_of_arrival(sheets: Iterable[SentSheet]) -> dict[Seat, list[SentSheet]]:
    """Return the ``sheets`` of each seat in the order of arrival; without a known time, in their given order.

    A copy of a mail arrived when the first copy did: a server may deliver it after a newer mail.
    """
    by_seat: dict[Seat, list[SentSheet]] = {}
    for sent in sheets:
        by_seat.setdefault(sent.seat, []).append(sent)
    return {seat: _in_order(own) for seat, own in by_seat.items()}


def _in_order(mails: Sequence[SentSheet]) -> list[SentSheet]:
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


def header_turns(rules: AnyRules, lines: Iterable[str]) -> set[int]:
    """Return the turns in the headers among ``lines``: `turn 7`, `Turn 7:`, and those of order forms that are filled in."""
    parse, lines = reader(rules).parse, tuple(lines)
    forms = forms_in(lines, lambda line: isinstance(parse(line), OrderLine))
    heads = (parse(line.strip(" \t.:,")) for line in lines if len(line) <= _LONGEST_HEAD and any(map(str.isdigit, line)))
    turns = {head.turn for head in heads if isinstance(head, (GameHeader, TurnHeader)) and head.turn is not None}
    return turns | {form.turn for form in forms if form.turn is not None and (form.orders or not form.is_closed)}
