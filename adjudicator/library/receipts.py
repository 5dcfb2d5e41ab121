"""Make the receipts of everything that has arrived, seat by seat: hashes for the game file, texts for the seats."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from adjudicator.core.chance import WORD
from adjudicator.core.corrections import Undone
from adjudicator.core.engine import Outcome
from adjudicator.core.game import PendingSheet, Receipt, Record
from adjudicator.core.journal import Entry
from adjudicator.core.order import Instruction, Withdrawal, expression_text, without_draws
from adjudicator.core.problem import Diagnostic, written_at
from adjudicator.core.values import Seat, Value, replace
from adjudicator.core.width import quoted
from adjudicator.library.game import Game
from adjudicator.orders.counted_sheet import SentSheet
from adjudicator.orders.submission import Submission
from adjudicator.orders.word_line import BAD_WORD
from adjudicator.outputs.orders import Fate, ReceivedOrder, SeatReceipt
from adjudicator.reports.data.receipt import text_name

_VOID: Final = "it has a mistake, so nothing of it counts; your earlier orders still count"
_NOT_ADDRESSED: Final = "it is for another game or another turn, so its orders do not count now"
_MOST_REMARKS: Final = 20
"""The most remarks of a sheet that its receipt quotes."""
_HEADS: Final = ("/wrong-game", "/wrong-turn")


def receipts_of(
    game: Game,
    arrived: Sequence[SentSheet],
    outcome: Outcome,
    diagnostics: Sequence[Diagnostic],
    void: Collection[str] = (),
    words: Mapping[tuple[str, int], tuple[Fate, str]] = MappingProxyType({}),
) -> tuple[SeatReceipt, ...]:
    """Return a receipt for each seat and text of ``arrived``, according to the ``outcome`` of the adjudication.

    The sheets of ``void`` seats do not count, since they have a mistake and older orders wait. ``words`` has the result of
    each line with a word for chance (source, number).
    """
    results = _results(game, outcome, diagnostics)
    received = [_received(game, sent, results, void) for sent in arrived]
    return tuple(replace(one, orders=_with_words(one, sent, words)) for one, sent in zip(received, arrived, strict=True))


def record_receipts(record: Record, count: int, receipts: Iterable[SeatReceipt], texts: Iterable[Submission]) -> Record:
    """Return ``record`` with ``receipts`` of adjudication ``count`` in its record, each seat's mail only once in a turn.

    The receipts are for ``texts``, which have the identity of each.
    The game does not record mails for another game or turn, so that it can take them later.
    """
    identities = {text.hash: text.identity or None for text in texts if text.identity != text.hash}
    known = {(receipt.turn, receipt.seat, receipt.hash) for receipt in record.receipts}
    added: dict[tuple[int, Seat, str], Receipt] = {}
    for receipt in receipts:
        key = count, receipt.seat, receipt.hash or ""
        if receipt.taken and receipt.hash and key not in known:
            added.setdefault(key, Receipt(*key, receipt.received, identities.get(receipt.hash)))
    return replace(record, receipts=(*record.receipts, *added.values())) if added else record


def undone_receipts(game: Game) -> frozenset[Receipt]:
    """Return the receipts of mails that an undo has taken back: such a mail can come in again.

    These are all receipts of the adjudications that an undo took back, and earlier ones of seats whose orders it took back,
    or dropped while they were pending, if no order of the seat remains that came with that mail or later.
    """
    undone: set[Receipt] = set()
    earlier: set[int] = set()
    for entry in game.timeline.past.outside if game.record.receipts else ():
        if isinstance(event := entry.outside, Undone):
            undone.update(_taken_back(game.record, entry, event.to, earlier))
            earlier.update(range(event.to + 1, entry.n))
    return frozenset(undone)


def _taken_back(record: Record, by: Entry, to: int, earlier: Collection[int]) -> Iterator[Receipt]:
    """Yield the receipts of the mails that the entry ``by`` took back, except those that were undone ``earlier``."""
    entries = [link.entry for link in record.journal[: by.n] if link.entry.n not in earlier and link.entry.outside is None]
    remaining = {entry.seat: entry.turn for entry in entries if entry.n <= to}
    hit = {entry.seat for entry in entries if entry.n > to}
    hit |= {one.sheet.seat for one in record.set_aside if one.cause == "undone" and one.turn == by.turn}
    back = record.journal[to].entry.turn
    for receipt in record.receipts:
        is_since = back < receipt.turn <= by.turn
        if is_since or (receipt.turn <= back and receipt.seat in hit and receipt.turn > remaining.get(receipt.seat, -1)):
            yield receipt


def notes_on_older_mails(game: Game, arrived: Iterable[SentSheet]) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each mail that came before another mail of its seat that the game has already taken.

    If two mails come together, the later one counts. Here they came in different runs, so the moderator should compare them.
    """
    record = game.record
    undone = undone_receipts(game)
    timed = [(one.received, one.turn, one.seat) for one in record.receipts if one.received is not None and one not in undone]
    latest = {seat: (received, turn) for received, turn, seat in sorted(timed)}
    for sent in arrived:
        received, (taken, turn) = sent.text.received, latest.get(sent.seat, (0, 0))
        if received is not None and received < taken and sent.is_addressed and not sent.later:
            words = f"came before a mail that the game took in turn {game.turn_number(turn)}: perhaps it is an older one"
            yield sent.seat, f"{text_name(sent.text.source)} {words}"


def _with_words(
    received: SeatReceipt, sent: SentSheet, fates: Mapping[tuple[str, int], tuple[Fate, str]]
) -> tuple[ReceivedOrder, ...]:
    """Return the orders of a sheet, its words for chance and its remarks, in the order of the lines."""
    known = ((word, fates.get((word.source, word.line))) for word in sent.words)
    words = [ReceivedOrder(word.line, f"{WORD} {word.word}", *fate) for word, fate in known if fate is not None]
    shown = () if received.shared else sent.remarks[:_MOST_REMARKS]
    refused = {order.line for order in received.orders}
    remarks = [ReceivedOrder(line, quoted(text.strip()), Fate.REMARK, "") for line, text in shown if line not in refused]
    more = [*words, *remarks]
    return tuple(sorted((*received.orders, *more), key=lambda order: order.line)) if more else received.orders


_At = tuple[int, int]
"""Where an order begins: the number of its line, and the index on it."""


def _at(item: Instruction | Withdrawal | Diagnostic) -> _At:
    return item.line, 0 if item.place is None else item.place[0]


class _Fates(Value):
    """The fates of the orders of one seat's sheet: the entries they led to, refusals, and the words that wait by line.

    ``begun`` is the order whose rest waits, if there is one.
    """

    applied: Mapping[_At, Sequence[str]]
    refused: Mapping[_At, Diagnostic]
    waiting: Mapping[int, Sequence[str]]
    begun: _At | None = None

    def of(self, at: _At, words: str) -> tuple[Fate, str]:
        """Return the fate of the order that begins ``at`` a place, in canonical ``words``, and why if need be."""
        entries = ", ".join(self.applied.get(at, ()))
        if at in self.refused:
            before = f"after entry {entries}: " if entries else ""
            return Fate.REFUSED, before + self.refused[at].problem.message
        if at in self.applied:
            rest = ", and the rest of it waits" if at == self.begun else ""
            return (Fate.APPLIED, f"entry {entries}{rest}") if entries else (Fate.SKIPPED, "its condition does not hold")
        if any(refused < at and found.problem.code != BAD_WORD for refused, found in self.refused.items()):
            return Fate.IGNORED, "an order above it was refused"
        return (Fate.WAITS if words in self.waiting.get(at[0], ()) else Fate.IGNORED), ""


class _Results(Value):
    """The results of everything that has arrived, indexed, since there may be a thousand sheets.

    ``turn`` is the number that players see. ``applied`` has the numbers of the entries for each seat, text and line,
    ``problems`` those of each seat and text, ``heads`` the problem of each text's headers, ``waiting`` the pending orders
    of each seat.
    """

    turn: int
    applied: Mapping[tuple[str, str], dict[_At, list[str]]]
    problems: Mapping[tuple[str, str], Sequence[Diagnostic]]
    heads: Mapping[str, Diagnostic]
    waiting: Mapping[Seat, PendingSheet]


def _results(game: Game, outcome: Outcome, diagnostics: Iterable[Diagnostic]) -> _Results:
    number = game.with_record(outcome.record).timeline.entry_numbers.public
    applied: dict[tuple[str, str], dict[_At, list[str]]] = {}
    for link, item in zip(outcome.accepted, outcome.instructions, strict=True):
        entry = link.entry
        entries = applied.setdefault((entry.seat or "", item.source), {}).setdefault(_at(item), [])
        entries.extend([] if entry.is_skipped else ["; ".join((str(number(entry.n)), *_warnings(game, entry)))])
    problems: dict[tuple[str, str], list[Diagnostic]] = {}
    heads: dict[str, Diagnostic] = {}
    for found in diagnostics:
        problems.setdefault((found.seat, found.source), []).append(found)
        if found.problem.code.endswith(_HEADS):
            heads.setdefault(found.source, found)
    waiting = {sheet.seat: sheet for sheet in reversed(outcome.record.pending)}
    return _Results(game.turn_number(game.record.turn), applied, problems, heads, waiting)


def _warnings(game: Game, entry: Entry) -> Iterator[str]:
    """Yield the warnings for its seat in the events of ``entry``."""
    for event in entry.events:
        if getattr(event, "warns", False) and event.seat == entry.seat:
            yield f"note: {game.rules.tell(event)}"


def _received(game: Game, sent: SentSheet, results: _Results, void: Collection[str]) -> SeatReceipt:
    """Return the receipt for a sheet; of a text that others may have orders in, places and hash would reveal these."""
    own = results.problems.get((sent.seat, sent.text.source), ())
    waiting = results.waiting.get(sent.seat)
    return SeatReceipt(
        seat=sent.seat,
        source=sent.text.source,
        turn=results.turn,
        hash=sent.text.hash or None,
        received=sent.text.received,
        shared=not sent.is_alone or (sent.text.seat is None and not sent.text.is_mail),
        taken=sent.is_addressed,
        orders=tuple(_orders(game, sent, results, own, is_void=sent.seat in void or bool(sent.earlier) or not sent.is_part)),
        trouble=_trouble(sent, own, results.heads.get(sent.text.source)) or (_VOID if sent.seat in void else ""),
        waits=() if sent.later or waiting is None else tuple(without_draws(order.order) for order in waiting.orders),
    )


def _trouble(sent: SentSheet, own: Iterable[Diagnostic], head: Diagnostic | None) -> str:
    if sent.later:
        return f"a later one counts instead: {text_name(sent.later)}"
    if sent.earlier:
        return f"it has a mistake, so the earlier one counts: {text_name(sent.earlier)}"
    if not sent.is_addressed:
        # A header belongs to no seat: its problem concerns the whole text.
        return _NOT_ADDRESSED if head is None else head.problem.message
    return next((found.problem.message for found in own if not found.line), "")


def _orders(
    game: Game, sent: SentSheet, results: _Results, own: Iterable[Diagnostic], *, is_void: bool
) -> Iterator[ReceivedOrder]:
    """Yield the orders of the sheet in the order of its lines, each order of a line separately."""
    text = game.rules.language.text
    written = {_at(item): item for item in (*sent.sheet.instructions, *sent.sheet.check_only)}
    refused = {_at(found): found for found in reversed(list(own)) if found.line}
    # A void sheet only gets its problems: pending orders with the same line numbers may come from an older mail.
    fates = _Fates({}, refused, {}) if is_void else _fates(sent, results, refused)
    withdrawal = sent.sheet.withdrawal
    if withdrawal is not None and _at(withdrawal) not in refused:
        words = quoted(written_at(withdrawal.text, withdrawal.place).strip())
        yield ReceivedOrder(withdrawal.line, words, Fate.IGNORED if sent.later else Fate.APPLIED, "")
    for at in sorted({*written, *refused}):
        words = expression_text(written[at].expression, text) if at in written else quoted(refused[at].written.strip())
        yield ReceivedOrder(at[0], words, *((Fate.IGNORED, "") if sent.later else fates.of(at, words)))


def _fates(sent: SentSheet, results: _Results, refused: Mapping[_At, Diagnostic]) -> _Fates:
    applied, sheet = results.applied.get((sent.seat, sent.text.source), {}), results.waiting.get(sent.seat)
    waiting: dict[int, list[str]] = {}
    for order in sheet.orders if sheet is not None else ():
        waiting.setdefault(order.line, []).append(without_draws(order.order))
    is_begun = sheet is not None and sheet.is_begun
    begun = max((at for at in applied if at[0] == next(iter(waiting), 0)), default=None) if is_begun else None
    return _Fates(applied, refused, waiting, begun)
