"""What became of everything that has arrived, seat by seat: for the record as hashes, for the seats in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from adjudicator.core.corrections import Undone
from adjudicator.core.engine import Outcome
from adjudicator.core.frozen import frozen
from adjudicator.core.game import Game, PendingSheet, Receipt
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Entry
from adjudicator.core.order import Instruction, Withdrawal, expression_text, without_draws
from adjudicator.core.problem import Diagnostic, written_at
from adjudicator.core.words import KEYWORD, is_word
from adjudicator.numbering import is_skipped, numbering
from adjudicator.orders.standing import SheetSent
from adjudicator.orders.word_line import BAD_WORD
from adjudicator.outputs.orders import Fate
from adjudicator.reports.receipt import OrderRead, Received, text_name
from adjudicator.session import Session

_VOID: Final = "something in it is wrong, and nothing of it counts: what you sent before stands"
_NOT_ADDRESSED: Final = "it is for another game or another turn"
_MOST_REMARKS: Final = 20
"""Remarks of a sheet that its receipt quotes."""
_HEADS: Final = ("/wrong-game", "/wrong-turn")


def received_of(
    session: Session,
    arrived: Sequence[SheetSent],
    outcome: Outcome,
    diagnostics: Sequence[Diagnostic],
    void: Collection[str] = (),
    words: Mapping[tuple[str, int], tuple[Fate, str]] = MappingProxyType({}),
) -> tuple[Received, ...]:
    """Return a receipt for each seat and text of ``arrived``, as the ``outcome`` of the adjudication has it.

    The sheets of ``void`` seats do not count, since something is wrong with them and older orders wait. ``words`` tells of
    each line with a word for chance (source, number) what became of it.
    """
    came = _came(session, outcome, diagnostics)
    received = [_received(session, sent, came, void) for sent in arrived]
    return tuple(replace(one, orders=_with_words(one, sent, words)) for one, sent in zip(received, arrived, strict=True))


def recorded(game: Game, receipts: Iterable[Received]) -> Game:
    """Return ``game`` with ``receipts`` in its record: of each seat the same bytes once in a turn.

    What is for another game or turn is not taken, so that it can still be when its turn has come.
    """
    known = {(receipt.turn, receipt.seat, receipt.hash) for receipt in game.receipts}
    added: dict[tuple[int, Seat, str], Receipt] = {}
    for receipt in receipts:
        key = receipt.count, receipt.seat, receipt.hash
        if receipt.is_taken and receipt.hash and key not in known:
            added.setdefault(key, Receipt(*key, receipt.received))
    return replace(game, receipts=(*game.receipts, *added.values())) if added else game


def undone(game: Game) -> frozenset[Receipt]:
    """Return the receipts of what an undo has taken back: it counts as not taken, so that it can come in again.

    These are the receipts of all adjudications that an undo went back behind; of earlier ones those of seats whose orders
    it has taken back, or dropped while they waited, and of which no order stands that came with it or later.
    """
    entries = [link.entry for link in game.journal]
    gone: set[Receipt] = set()
    earlier: set[int] = set()
    for entry in entries:
        for event in entry.events:
            if isinstance(event, Undone):
                gone.update(_taken_back(game, entry, event.to, earlier))
                earlier.update(range(event.to + 1, entry.n))
    return frozenset(gone)


def _taken_back(game: Game, by: Entry, to: int, earlier: Collection[int]) -> Iterator[Receipt]:
    """Yield the receipts of what the entry ``by`` took back; entries that were undone ``earlier`` are none of them."""
    entries = [link.entry for link in game.journal[: by.n] if link.entry.n not in earlier and not is_word(link.entry)]
    stands = {entry.seat: entry.turn for entry in entries if entry.n <= to}
    hit = {entry.seat for entry in entries if entry.n > to}
    hit |= {one.sheet.seat for one in game.set_aside if one.cause == "undone" and one.turn == by.turn}
    back = game.journal[to].entry.turn
    for receipt in game.receipts:
        is_since = back < receipt.turn <= by.turn
        if is_since or (receipt.turn <= back and receipt.seat in hit and receipt.turn > stands.get(receipt.seat, -1)):
            yield receipt


def overtaken(session: Session, arrived: Iterable[SheetSent]) -> Iterator[tuple[Seat, str]]:
    """Yield a note for each mail that was received before one that was taken from the same seat already.

    Of two mails at once the later one counts; of these the first was carried out or waits, and nobody has compared them.
    """
    game, turns = session.game, session.told
    back = undone(game)
    timed = [(one.received, one.turn, one.seat) for one in game.receipts if one.received is not None and one not in back]
    latest = {seat: (came, turn) for came, turn, seat in sorted(timed)}
    for sent in arrived:
        came, (taken, turn) = sent.text.received, latest.get(sent.seat, (0, 0))
        if came is not None and came < taken and sent.is_addressed and not sent.later:
            words = f"was received before a mail that was taken in turn {turns[turn]}: perhaps it is an older one"
            yield sent.seat, f"{text_name(sent.text.source)} {words}"


def _with_words(
    received: Received, sent: SheetSent, fates: Mapping[tuple[str, int], tuple[Fate, str]]
) -> tuple[OrderRead, ...]:
    """Return what was read of a sheet, its words for chance and its remarks, in the order of the lines."""
    known = ((word, fates.get((word.source, word.line))) for word in sent.words)
    words = [OrderRead(word.line, f"{KEYWORD} {word.word}", *fate) for word, fate in known if fate is not None]
    shown = () if received.is_shared else sent.remarks[:_MOST_REMARKS]
    refused = {order.line for order in received.orders}
    remarks = [OrderRead(line, text.strip(), Fate.REMARK) for line, text in shown if line not in refused]
    more = [*words, *remarks]
    return tuple(sorted((*received.orders, *more), key=lambda order: order.line)) if more else received.orders


_At = tuple[int, int]
"""Where an order begins: the number of its line, and the index on it."""


def _at(item: Instruction | Withdrawal | Diagnostic) -> _At:
    return item.line, 0 if item.place is None else item.place[0]


@frozen
class _Fates:
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


@frozen
class _Came:
    """What came of all that has arrived, by what it is looked up with, since there may be a thousand sheets.

    ``turn`` is the number that players were told. ``applied`` has for each seat and text the numbers of the entries that
    each line led to, ``problems`` what was wrong, ``heads`` for each text what was wrong with its heads, ``waiting`` for
    each seat the orders that wait.
    """

    turn: int
    applied: Mapping[tuple[str, str], dict[_At, list[str]]]
    problems: Mapping[tuple[str, str], Sequence[Diagnostic]]
    heads: Mapping[str, Diagnostic]
    waiting: Mapping[Seat, PendingSheet]


def _came(session: Session, outcome: Outcome, diagnostics: Iterable[Diagnostic]) -> _Came:
    numbers = numbering(link.entry for link in outcome.game.journal).public
    applied: dict[tuple[str, str], dict[_At, list[str]]] = {}
    for link, item in zip(outcome.accepted, outcome.instructions, strict=True):
        entry = link.entry
        entries = applied.setdefault((entry.seat or "", item.source), {}).setdefault(_at(item), [])
        entries.extend([] if is_skipped(entry) else ["; ".join((str(numbers[entry.n]), *_warnings(session, entry)))])
    problems: dict[tuple[str, str], list[Diagnostic]] = {}
    heads: dict[str, Diagnostic] = {}
    for found in diagnostics:
        problems.setdefault((found.seat, found.source), []).append(found)
        if found.problem.code.endswith(_HEADS):
            heads.setdefault(found.source, found)
    waiting = {sheet.seat: sheet for sheet in reversed(outcome.game.pending)}
    return _Came(session.told[session.game.turn], applied, problems, heads, waiting)


def _warnings(session: Session, entry: Entry) -> Iterator[str]:
    """Yield the sentences of the events of ``entry`` that warn its seat."""
    for event in entry.events:
        if getattr(event, "warns", False) and event.seat == entry.seat:
            yield f"note: {session.rules.tell(session.config, event)}"


def _received(session: Session, sent: SheetSent, came: _Came, void: Collection[str]) -> Received:
    own = came.problems.get((sent.seat, sent.text.source), ())
    waiting = came.waiting.get(sent.seat)
    return Received(
        seat=sent.seat,
        source=sent.text.source,
        turn=came.turn,
        count=session.game.turn,
        hash=sent.text.hash,
        received=sent.text.received,
        is_shared=not sent.is_alone or (sent.text.seat is None and not sent.text.is_mail),
        is_taken=sent.is_addressed,
        orders=tuple(_orders(session, sent, came, own, is_void=sent.seat in void or bool(sent.earlier) or not sent.is_part)),
        trouble=_trouble(sent, own, came.heads.get(sent.text.source)) or (_VOID if sent.seat in void else ""),
        waits=() if sent.later or waiting is None else tuple(without_draws(order.order) for order in waiting.orders),
    )


def _trouble(sent: SheetSent, own: Iterable[Diagnostic], head: Diagnostic | None) -> str:
    if sent.later:
        return f"a later one counts in its place: {text_name(sent.later)}"
    if sent.earlier:
        return f"something in it is wrong, and nothing of it counts: the earlier one stands: {text_name(sent.earlier)}"
    if not sent.is_addressed:
        # A head is nobody's: it is told for the whole text.
        why = _NOT_ADDRESSED if head is None else head.problem.message.partition(": its")[0]
        return f"{why}: nothing of it was taken"
    return next((found.problem.message for found in own if not found.line), "")


def _orders(
    session: Session, sent: SheetSent, came: _Came, own: Iterable[Diagnostic], *, is_void: bool
) -> Iterator[OrderRead]:
    """Yield what was read of the sheet in the order of its lines, each order of a line by itself."""
    text = session.rules.language.text
    written = {_at(item): item for item in (*sent.sheet.instructions, *sent.sheet.unheard)}
    refused = {_at(found): found for found in reversed(list(own)) if found.line}
    # Of a sheet that is void only what is wrong is told line by line: other lines of that number may be older ones.
    fates = _Fates({}, refused, {}) if is_void else _fates(sent, came, refused)
    wish = sent.sheet.withdrawal
    if wish is not None and _at(wish) not in refused:
        words = written_at(wish.text, wish.place).strip()
        yield OrderRead(wish.line, words, Fate.IGNORED if sent.later else Fate.APPLIED)
    for at in sorted({*written, *refused}):
        words = expression_text(written[at].expression, text) if at in written else refused[at].written.strip()
        yield OrderRead(at[0], words, *((Fate.IGNORED, "") if sent.later else fates.of(at, words)))


def _fates(sent: SheetSent, came: _Came, refused: Mapping[_At, Diagnostic]) -> _Fates:
    applied, sheet = came.applied.get((sent.seat, sent.text.source), {}), came.waiting.get(sent.seat)
    waiting: dict[int, list[str]] = {}
    for order in sheet.orders if sheet is not None else ():
        waiting.setdefault(order.line, []).append(without_draws(order.order))
    is_begun = sheet is not None and sheet.is_begun
    begun = max((at for at in applied if at[0] == next(iter(waiting), 0)), default=None) if is_begun else None
    return _Fates(applied, refused, waiting, begun)
