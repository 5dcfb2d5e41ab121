"""Play a whole turn: take each text once, adjudicate, and make the reports and the mails with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.corrections import Undone
from adjudicator.core.game import Receipt
from adjudicator.core.phrases import listed
from adjudicator.core.values import MODERATOR, Seat, Value, Viewer, field, replace
from adjudicator.library.results import Result, record_receipts, undone_receipts
from adjudicator.library.shown import first_unreported
from adjudicator.library.texts import submissions_in
from adjudicator.orders.reading import header_turns
from adjudicator.orders.submission import Orders, Submission
from adjudicator.reports.receipt import text_name
from adjudicator.reports.report import Report
from adjudicator.reports.texts import printable
from adjudicator.results import KnownText, Manifest, RecordedReceipt, ReportFile

if TYPE_CHECKING:
    from adjudicator.library.game import Game
    from adjudicator.mail.outgoing import Draft
else:
    Game = Any  # `help` reads the types of fields, and the game loads this module

_MOST_NAMES: Final = 3
"""Names in a subject; if there are more players, it says how many."""


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
