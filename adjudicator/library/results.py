"""The result of orders, the receipts of all that has arrived, seat by seat, and whole turns with their reports and mails."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.corrections import Undone
from adjudicator.core.engine import Outcome
from adjudicator.core.game import Receipt, Record
from adjudicator.core.journal import SKIPPED, Link
from adjudicator.core.order import Instruction, Withdrawal, expression_text, without_draws
from adjudicator.core.phrases import listed, quoted
from adjudicator.core.problem import Diagnostic, written_at
from adjudicator.core.timeline import EntryNumbers, first_unreported
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer, field, replace
from adjudicator.library.texts import submissions_in, undone_receipts
from adjudicator.orders.reading import header_turns
from adjudicator.orders.submission import Orders, SentSheet, Submission
from adjudicator.reports.receipt import text_name
from adjudicator.reports.report import Report
from adjudicator.reports.texts import printable
from adjudicator.results import (
    Fate,
    Ignored,
    KnownText,
    LogRow,
    Mails,
    Manifest,
    OrderProblem,
    ReceivedOrder,
    RecordedReceipt,
    ReportFile,
    SeatReceipt,
)

if TYPE_CHECKING:
    from adjudicator.library.game import Game
    from adjudicator.mail.outgoing import Draft
else:
    Game = Any  # `help` reads the types of fields, and the game loads this module

_VOID: Final = "it has a mistake, so nothing of it counts; your earlier orders still count"
_NOT_ADDRESSED: Final = "it is for another game or another turn, so its orders do not count now"
_MOST_NAMES: Final = 3
"""Names in a subject; if there are more players, it says how many."""
_MOST_REMARKS: Final = 20
"""The most remarks of a sheet that its receipt quotes."""
_HEADS: Final = ("/wrong-game", "/wrong-turn")


_At = tuple[int, int]
"""Where an order begins: the number of its line, and the index on it."""


class Result(Value, kw_only=True):
    """The result of orders: the ``game`` afterwards, the players' ``problems``, the ``log`` and the ``receipts``.

    ``is_changed`` says whether the game has changed, so that you must save it. ``notes`` (seat, words) are about orders that
    were replaced, skipped or held back; ``remarks`` are those that name no text and no line, so that the seat may read them.
    ``ignored`` are the ignored lines of mails, ``foreseen`` the results that a seat learns when it checks its own orders.
    ``problems`` are the players' mistakes in reading order, each with its ``code``, ``message``, ``seat``, ``line`` and
    ``column``; ``faults`` are those that a bug has caused, with its exception. ``accepted`` are the new entries,
    ``unproven`` the receipts without the head of the game. All of this shows everything: keep it from players.
    """

    game: Game
    is_changed: bool = False
    accepted: tuple[Link, ...] = ()
    problems: tuple[OrderProblem, ...] = ()
    faults: tuple[Diagnostic, ...] = ()
    notes: tuple[tuple[Seat, str], ...] = ()
    remarks: tuple[tuple[Seat, str], ...] = ()
    ignored: tuple[Ignored, ...] = ()
    unproven: tuple[SeatReceipt, ...] = ()
    foreseen: tuple[OrderProblem, ...] = ()

    @property
    def send_again(self) -> tuple[OrderProblem, ...]:
        """The first problem of each seat that must send its orders again, unless it will never have a decision again."""
        rules, state = self.game.rules, self.game.record.state
        if rules.is_over(state):
            return ()
        first: dict[str, OrderProblem] = {}
        for problem in self.problems:
            first.setdefault(problem.seat, problem)
        again = {str(seat) for seat in self.game.seats if seat in first and rules.retired(state, seat) is None}
        return tuple(first[seat] for seat in first if seat in again)

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of orders ``applied`` and of orders ``skipped`` by a condition."""
        skipped = sum(link.entry.is_skipped for link in self.accepted)
        return {"applied": len(self.accepted) - skipped, "skipped": skipped}

    @property
    def log(self) -> tuple[LogRow, ...]:
        """The rows of the log for the accepted orders, as the moderator may read them, or the player of a private game."""
        fork = self.game.fork
        return self.game.seen_by(self.game.own_seat or (fork and fork.seat) or MODERATOR).rows(self.accepted)

    @property
    def receipts(self) -> tuple[SeatReceipt, ...]:
        """The result of each text, in the order of arrival, with the proof (``head``) of the game afterwards."""
        head = self.game.head
        return tuple(replace(receipt, head=head) for receipt in self.unproven)

    def report(self, viewer: str | None = None) -> Report:
        """Return the report to ``viewer`` on these orders, with the results of its mails (moderator: all mails)."""
        reader, record = self.game.seen_by(viewer), self.game.record
        before = replace(record, reported=len(record.journal) - len(self.accepted))
        report = reader.report_from(first_unreported(before, None, reader.viewer))
        return replace(report, mails=self.mails(reader.viewer))

    def mails(self, viewer: Viewer) -> Mails | None:
        """Return what ``viewer`` may know of the mails: a seat nothing about lines of texts that it shares with others."""
        if viewer is None:
            return None
        if viewer == MODERATOR:
            return Mails(
                receipts=self.unproven,
                problems=self.problems,
                passed_over=self.ignored,
                notes=tuple(f"{seat}: {note}" for seat, note in self.notes),
            )
        receipts = tuple(one for one in self.unproven if one.seat == viewer)
        own = {one.source: one for one in receipts}
        ignored = (line for line in self.ignored if line.source in own and not own[line.source].shared)
        return Mails(
            receipts=tuple(replace(one, source=text_name(one.source)) for one in receipts),
            problems=tuple(_readable(one, own) for one in self.problems if one.seat == viewer),
            passed_over=tuple(replace(line, source=text_name(line.source)) for line in ignored),
            notes=tuple(note for whose, note in self.remarks if whose == viewer),
        )


def _readable(found: OrderProblem, own: dict[str, SeatReceipt]) -> OrderProblem:
    """Return a problem with its place, as far as its seat may know it: in a shared text, the place reveals other sheets."""
    text = own.get(found.source)
    if text is None:  # a pending order: its line number belongs to an earlier text
        return replace(found, line=0)
    return replace(found, line=0, source="") if text.shared else replace(found, source=text_name(found.source))


# Receipts -------------------------------------------------------------------------------------------------------------


def receipts_of(
    game: Game,
    sent: Iterable[SentSheet],
    outcome: Outcome,
    diagnostics: Iterable[Diagnostic],
    void: Collection[Seat],
) -> tuple[SeatReceipt, ...]:
    """Return a receipt for each sheet in ``sent``, according to the ``outcome`` of the adjudication.

    Of ``void`` seats no sheet counts, but older orders do. A receipt is ``shared`` if others may have orders in its text:
    then places and hash would reveal these.
    """
    skipped = (*game.timeline.past.skipped, *(one.entry for one in outcome.accepted if one.entry.order == SKIPPED))
    number, text = EntryNumbers(skipped).public, game.rules.language.text
    applied: dict[tuple[Seat | None, str], dict[_At, list[str]]] = defaultdict(lambda: defaultdict(list))
    words = dict[int, str]()  # those of accepted instructions, by their identities: they are in the journal already
    for link, instruction in zip(outcome.accepted, outcome.instructions, strict=True):
        entry, at = link.entry, _at(instruction)
        numbers, written = applied[entry.seat, instruction.source][at], entry.written or entry.order
        words[id(instruction)] = without_draws(written) if instruction.draws else written
        if entry.order != SKIPPED:
            numbers.append(str(number(entry.n)))
            for event in entry.events:
                if getattr(event, "warns", False) and event.seat == entry.seat:
                    numbers[-1] += f"; note: {game.rules.tell(event)}"
    problems: dict[tuple[str, str], list[Diagnostic]] = {}
    heads: dict[str, str] = {}
    for found in diagnostics:
        problems.setdefault((found.seat, found.source), []).append(found)
        if found.problem.code.endswith(_HEADS):
            heads.setdefault(found.source, found.problem.message)
    waiting = {sheet.seat: sheet for sheet in reversed(outcome.record.pending)}
    turn, receipts = game.timeline.turn_number(game.record.turn), []
    for one in sent:
        source, key = one.text.source, (one.seat, one.text.source)
        own, pending = problems.get(key, []), None if one.later else waiting.get(one.seat)
        if one.later:
            trouble = f"a later one counts instead: {text_name(one.later)}"
        elif one.earlier:
            trouble = f"it has a mistake, so the earlier one counts: {text_name(one.earlier)}"
        elif not one.is_addressed:  # a header belongs to no seat: its problem concerns the whole text
            trouble = heads.get(source, _NOT_ADDRESSED)
        else:
            trouble = next((found.problem.message for found in own if not found.line), "")
        refused = {_at(found): found for found in reversed(own) if found.line}
        # Others get only their problems: pending orders with the same line numbers may come from an older mail.
        entries, waits = (applied.get(key, {}), pending) if one.counts else ({}, None)
        still = {(order.line, without_draws(order.order)) for order in waits.orders} if waits is not None else ()
        begun = waits.orders[0].line if waits is not None and waits.is_begun else None
        rest = max((place for place in entries if place[0] == begun), default=None)
        stopped = min(refused, default=None)
        withdrawal, orders = one.sheet.withdrawal, list[ReceivedOrder]()
        if withdrawal is not None and _at(withdrawal) not in refused:
            written = quoted(written_at(withdrawal.text, withdrawal.place).strip())
            orders.append(ReceivedOrder(withdrawal.line, written, Fate.IGNORED if one.later else Fate.APPLIED, ""))
        items = {_at(item): item for item in (*one.sheet.instructions, *one.sheet.check_only)}
        for at in sorted({**items, **refused} if refused else items):
            item, wrong, done = items.get(at), refused.get(at), entries.get(at)
            if item is not None:
                said = words.get(id(item)) or expression_text(item.expression, text)
            else:
                said = quoted(refused[at].written.strip())
            fate, why = Fate.IGNORED, ""
            if one.later:
                pass
            elif wrong is not None:
                fate, why = Fate.REFUSED, (f"after entry {', '.join(done)}: " if done else "") + wrong.problem.message
            elif done:
                fate, why = Fate.APPLIED, f"entry {', '.join(done)}{', and the rest of it waits' if at == rest else ''}"
            elif done is not None:
                fate, why = Fate.SKIPPED, "its condition does not hold"
            elif stopped is not None and stopped < at:
                why = "an order above it was refused"
            elif (at[0], said) in still:
                fate = Fate.WAITS
            if item is not None and item.note and fate in (Fate.APPLIED, Fate.WAITS):
                why = f"{why}, with its note" if why else "with its note"
            orders.append(ReceivedOrder(at[0], said, fate, why))
        is_shared = not one.is_alone or (one.text.seat is None and not one.text.is_mail)
        remarks = () if is_shared else one.remarks[:_MOST_REMARKS]
        lines = {order.line for order in orders} if remarks else ()
        orders += (ReceivedOrder(line, quoted(said.strip()), Fate.REMARK, "") for line, said in remarks if line not in lines)
        receipts.append(
            SeatReceipt(
                seat=one.seat,
                source=source,
                turn=turn,
                hash=one.text.hash or None,
                received=one.text.received,
                shared=is_shared,
                taken=one.is_addressed,
                orders=tuple(sorted(orders, key=attrgetter("line"))),
                trouble=trouble or (_VOID if one.is_sent and one.seat in void else ""),
                waits=() if pending is None else tuple(without_draws(order.order) for order in pending.orders),
            )
        )
    return tuple(receipts)


def _at(item: Instruction | Withdrawal | Diagnostic) -> _At:
    return item.line, 0 if item.place is None else item.place[0]


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
            words = f"came before a mail that the game took in turn {game.timeline.turn_number(turn)}"
            yield sent.seat, f"{text_name(sent.text.source)} {words}: perhaps it is an older one"


# Whole turns ----------------------------------------------------------------------------------------------------------


class Turn(Value, kw_only=True):
    """The result of a whole turn: the ``game`` with its receipts, the ``result`` of the new orders, and the ``reports``.

    ``known`` are the texts that an earlier turn has processed. ``reports`` are those to the seats in their order, to
    bystanders and to the moderator (none if a strict turn did nothing). The next turn needs ``since``, the number of the
    first entry in the report to bystanders, and ``reported``: the reported texts without a receipt, by seat and identity,
    each with the number of its adjudication.
    """

    game: Game
    result: Result
    known: tuple[KnownText, ...]
    since: int
    reports: tuple[Report, ...]
    reported: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of_orders(
        cls,
        game: Game,
        orders: Orders,
        *,
        last: int | None,
        reported: Mapping[str, int],
        strict: bool,
        answer: Callable[[Result], Result] | None = None,
        **options: Any,
    ) -> Turn:
        """Play a turn with ``orders`` (see ``Game.play_turn``)."""
        game.require_journal()
        fresh, known, again = _sort_texts(game, submissions_in(game, orders), reported)
        result = game.apply(fresh, strict=strict, **options)
        result = replace(result, notes=(*again, *result.notes))
        if strict and result.problems:
            return cls(game=game, result=result, known=tuple(known), since=0, reports=())
        result = result if answer is None else answer(result)
        record = record_receipts(result.game.record, game.record.turn, result.unproven, fresh)
        after = game.with_record(replace(record, reported=len(record.journal)))
        recorded = {receipt.hash for receipt in record.receipts if receipt.turn == game.record.turn}
        unread = {  # later runs do not report them again
            _sent_by(text, text.identity or text.hash): game.record.turn
            for text in fresh
            if text.hash and text.hash not in recorded and not text.skipped
        }
        viewers: tuple[Viewer, ...] = (*game.seats, None, MODERATOR)
        first = {viewer: first_unreported(record, last, viewer) for viewer in viewers}
        reports = (
            replace(after.seen_by(viewer).report_from(first[viewer]), mails=result.mails(viewer)) for viewer in viewers
        )
        return cls(
            game=after,
            result=result,
            known=tuple(known),
            since=first[None],
            reports=tuple(reports),
            reported={**reported, **unread},
        )

    @property
    def is_new(self) -> bool:
        """Whether anything has come or happened that is in no earlier report."""
        return bool(self.result.unproven or self.result.problems or self.result.is_changed)

    def manifest(self, files: Iterable[ReportFile]) -> Manifest:
        """Return the manifest for programs that send reports: the state of the game, and the ``files`` of the reports."""
        game, record, number_of = self.game, self.game.record, self.game.timeline.turn_number
        awaited, latest = game.due_seats, record.receipts[-1].turn if record.receipts else 0
        return Manifest(
            game=record.id,
            beginning=record.beginning,
            turn=game.turn,
            head=game.head,
            over=game.is_over,
            awaited=tuple(seat for seat in game.seats if seat in awaited),
            reports=tuple(files),
            receipts=tuple(
                RecordedReceipt(turn=number_of(one.turn), seat=one.seat, hash=one.hash, received=one.received)
                for one in record.receipts
                if one.turn == latest
            ),
        )


def _sort_texts(
    game: Game, texts: Iterable[Submission], reported: Mapping[str, int]
) -> tuple[list[Submission], list[KnownText], list[tuple[Seat, str]]]:
    """Return which of ``texts`` are new, which came before, and notes about those that come again after an undo."""
    fresh, known, again = list[Submission](), list[KnownText](), list[tuple[Seat, str]]()
    taken: dict[str, list[Receipt]] = {}
    undone, latest, number = undone_receipts(game), game.valid_turns.latest, game.timeline.turn_number
    for receipt in game.record.receipts:
        for key in {receipt.hash, receipt.identity or receipt.hash}:
            taken.setdefault(key, []).append(receipt)
    undos = (entry.turn for entry in reversed(game.timeline.past.outside) if type(entry.outside) is Undone)
    first, last = next(undos, -1) + 1, game.record.turn  # a backup of the game may be older than its reports
    reported = {key: count for key, count in reported.items() if first <= count <= last}
    for text in texts:
        keys = dict.fromkeys((text.identity, text.hash)) if text.hash and not text.skipped else {}
        own = dict.fromkeys(one for key in keys for one in taken.get(key, ()) if text.seat in (None, one.seat))
        came = [one.turn for one in own if one not in undone]
        is_taken = bool(came) and text.is_mail
        came += [reported[sent] for sent in (_sent_by(text, key) for key in keys) if sent in reported]
        # A text that names a later turn, which is possible now, came too early, or it has the orders of several turns.
        is_later = came and any(max(came) < turn <= latest for turn in header_turns(game.spoken_rules, text.lines))
        if came and (is_taken or not is_later):
            known.append(KnownText(source=text.source, turn=number(max(came))))
            continue
        fresh.append(text)
        if not came:
            name, words = text_name(text.source), "which was undone: it counts again"
            again += [(one.seat, f"{name} came in turn {number(one.turn)}, {words}") for one in own]
    return fresh, known, again


def _sent_by(text: Submission, key: str) -> str:
    """Return the ``key`` of ``text`` with its seat: if the moderator names the seat later, the text counts as new."""
    return key if text.seat is None else f"{text.seat} {key}"


def player_name(game: Game, seat: Seat) -> str:
    """Return the player of ``seat`` with the seat, ``Ann (red)``, or only the seat if the player has no name."""
    holder = game.players[seat]
    return printable(f"{holder} ({seat})") if holder else seat


def report_subject(game: Game, seat: Seat | None) -> str:
    """Return the subject of the report to ``seat`` (``None``: to the moderator): ``race, turn 12: your turn``."""
    if game.is_over:
        first = [printable(game.players[one.seat] or one.seat) for one in game.standings if one.place == 1]
        if len(first) == 1 < len(game.seats):
            result = f": {first[0]} has won"
        elif len(first) < len(game.seats):
            result = f": {listed(first)} share the first place" if first else ""
        else:
            result = ": a draw" if len(first) > 1 else ""
        return f"{game.id} is over{result}"
    who = "your turn" if seat in game.due_seats else f"waiting for {few_names(game, game.due_seats)}"
    return f"{turn_of(game, seat)}: {who}"


def turn_of(game: Game, seat: Seat | None) -> str:
    """Return the game with the turn that ``seat`` (``None``: the moderator) reads in its report: ``race, turn 12``."""
    return f"{game.id}, turn {game.seen_by(seat).turn}"


def few_names(game: Game, seats: Sequence[Seat]) -> str:
    """Return the players of ``seats`` for a subject: their names, or how many they are."""
    return f"{len(seats)} players" if len(seats) > _MOST_NAMES else listed(player_name(game, one) for one in seats)


def report_draft(game: Game, seat: Seat, report: Report, to: str = "") -> Draft:
    """Return a mail with the ``report`` to ``seat``; the player's own file is attached."""
    from adjudicator.mail.outgoing import Attachment, Draft  # `turn` sends none
    from adjudicator.reports.forms import write_report

    own = Attachment(name=f"{game.id}-{seat}.json", kind="application/json", data=game.seen_by(seat).own_file())
    return Draft(to=to, subject=report_subject(game, seat), text=write_report(report, "txt").decode(), attached=(own,))
