"""Make the log of minutes: the cost of each order, its rules, and the clock after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Final

from adjudicator.core.event import Part, Spent
from adjudicator.core.journal import Entry, Outside
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.ruleset import Unit
from adjudicator.core.values import MODERATOR, Digest, Seat, Value
from adjudicator.reports.heading import player_name
from adjudicator.reports.texts import (
    FAINT,
    GAP,
    STRONG,
    column_widths,
    folded,
    painted,
    printable,
    row_text,
    safe_json,
    seat_style,
    signed,
    why_text,
)
from adjudicator.results import Begun, LogRow

_LEAST_WIDTHS: Final = (3, 4, 5, 3, 5)
_RIGHT: Final = (0, 3)
_WHY: Final = "why"


def log_rows(
    rules: AnyRuleset,
    entries: Iterable[Entry],
    *,
    undone: Mapping[int, int] = MappingProxyType({}),
    commitment: str | None = None,
    begun: Begun | None = None,
    proofs: Mapping[int, Digest | None] = MappingProxyType({}),
    turn_number: Callable[[int], int] | None = None,
) -> tuple[LogRow, ...]:
    """Return the log of ``entries``, which must be as the reader may see them, in their order.

    ``undone`` has the number of the undoing entry for each entry that no longer counts, ``proofs`` has the proof of each
    entry, for the row of the entry's seat. ``turn_number`` gives the turn number of each adjudication (``None``: its count).
    """
    rows = []
    for entry in entries:
        spent: dict[Seat | None, list[Spent]] = {entry.seat: []}
        told = []
        for event in entry.events:
            if isinstance(event, Spent):
                spent.setdefault(event.seat, []).append(event)
            else:
                told.append(event.tell() if isinstance(event, Outside) else rules.tell(event))
        for seat, paid in spent.items():
            is_own = seat == entry.seat
            rows.append(
                LogRow(
                    n=entry.n,
                    turn=turn_number(entry.turn) if turn_number else entry.turn,
                    seat=seat,
                    order=entry.order if is_own else "",
                    min=sum(one.after - one.before for one in paid),
                    before=paid[0].before if paid else None,
                    after=paid[-1].after if paid else None,
                    why=tuple(part for one in paid for part in one.why),
                    told=tuple(filter(None, told)) if is_own else (),
                    written=entry.written if is_own else None,
                    notes=entry.notes if is_own else (),
                    undone_by=undone.get(entry.n),
                    commitment=commitment if entry.n == 0 else None,
                    begun=begun if entry.n == 0 else None,
                    proof=proofs.get(entry.n) if is_own else None,
                    note=entry.note if is_own else "",
                    comment=entry.comment if is_own else "",
                )
            )
    return tuple(rows)


class Cost(Value):
    """What an entry cost ``seat``, by the ``terms`` that add up to it; the rest is text for people.

    ``amount`` is in the unit of the game; the clock went from ``before`` to ``after`` (both empty: it did not move), and
    ``why`` is the sum of the terms with their rules, ``4 − highway W (CR-P1, CR-P2)``.
    """

    seat: Seat | None
    player: str
    amount: str
    before: str
    after: str
    why: str
    terms: tuple[Part, ...]

    @property
    def clock(self) -> str:
        """The clock before and after the entry, ``40 → 44``; empty if it did not move."""
        return f"{self.before} → {self.after}" if self.before else ""


class LogEntry(Value, kw_only=True):
    """One entry of the log for people, all texts safe to show: the ``order`` of ``seat`` in ``turn``, and its results.

    ``number`` is the number that the reader knows, ``12``, ``12a`` or ``14 (12)``, and ``n`` its first part; ``player`` is
    the name of the seat. ``costs`` are those of the own seat, then of other seats whose clocks the order moved. ``told`` are
    the other events. ``written`` are the words of the sheet if they differ (empty: they do not), ``notes`` say why a branch
    was taken. ``note`` is what the player noted beside the order, ``comment`` the moderator's comment. ``undone_by`` is the
    number of the entry that undid this one (empty: it counts); the condition of an order that ``is_skipped`` was false.
    """

    n: int
    number: str
    turn: int
    seat: Seat | None
    player: str
    order: str
    costs: tuple[Cost, ...]
    told: tuple[str, ...]
    written: str
    notes: tuple[str, ...]
    note: str
    comment: str
    undone_by: str
    is_skipped: bool

    @property
    def anchor(self) -> str:
        """The number as an id in a page."""
        return self.number.partition(" ")[0]

    @property
    def line(self) -> str:
        """The entry on one line: its number, who ordered what, and the cost with the clock."""
        own = self.costs[0]
        paid = f"{own.amount}, {own.clock}" if own.clock else ""
        return " · ".join(filter(None, (self.number, f"{self.player}: {self.order}" if self.player else self.order, paid)))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What there is to say about the order itself: the words of the sheet, why a branch was taken, what undid it."""
        written = (f"written: {self.written}",) if self.written else ()
        undone = (f"note: undone by entry {self.undone_by}: it does not count",) if self.undone_by else ()
        return (*written, *(f"note: {note}" for note in self.notes), *undone)

    @property
    def quotes(self) -> tuple[tuple[str, str], ...]:
        """What people wrote beside it, and who: the player's note, the moderator's comment."""
        return tuple(quote for quote in (("noted", self.note), ("comment", self.comment)) if quote[1])


def log_entries(
    rows: Iterable[LogRow], unit: Unit, holders: Callable[[LogRow], Mapping[Seat, str]] = lambda _row: {}
) -> tuple[LogEntry, ...]:
    """Return the entries with these ``rows``, which are in the order of the log; costs are in ``unit``.

    ``holders`` returns the names of the players at the time of a row, which the entry has beside the seats.
    """
    entries = [tuple(found) for _, found in groupby(rows, lambda row: (row.n, row.skipped))]
    called = {own.n: _number(own) for own, *_ in entries if not own.skipped}

    def cost(row: LogRow) -> Cost:
        before, after = ("" if clock is None else signed(clock, unit) for clock in (row.before, row.after))
        player = printable(player_name(row.seat or "", holders(row)))
        return Cost(row.seat, player, signed(row.min, unit), before, after, why_text(row.why, row.order, unit), row.why)

    def entry(own: LogRow, *others: LogRow) -> LogEntry:
        order = own.order
        if own.public is not None and own.public.order is not None:  # the moderator reads both numbers, `UNDO to 14 (12)`
            order += f" ({own.public.order.rpartition(' ')[2]})"
        costs = tuple(map(cost, (own, *others)))
        return LogEntry(
            n=own.n,
            number=_number(own),
            turn=own.turn,
            seat=own.seat,
            player=costs[0].player,
            order="set-up" if own.n == 0 and own.seat is None else printable(order),
            costs=costs,
            told=tuple(map(printable, own.told)),
            written=printable(own.written or ""),
            notes=tuple(map(printable, own.notes)),
            note=printable(own.note),
            comment=printable(own.comment),
            undone_by="" if own.undone_by is None else called.get(own.undone_by, str(own.undone_by)),
            is_skipped=own.skipped is not None,
        )

    return tuple(entry(*found) for found in entries)


def _number(row: LogRow) -> str:
    """Return the displayed number of an entry, ``12`` or ``12a``; the moderator sees both numbers, ``14 (12)``."""
    letters, rest = "", row.skipped or 0
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{row.n}{letters}" if row.public is None else f"{row.n} ({row.public.n}{letters})"


def log_text(
    rows: Iterable[LogRow],
    unit: Unit,
    *,
    with_events: bool = False,
    width: int | None = None,
    holders: Callable[[LogRow], Mapping[Seat, str]] = lambda _row: {},
    colored: Sequence[Seat] = (),
) -> str:
    """Return ``rows`` as a table, the cost under the short name of ``unit`` (a ruleset's, short and long).

    Notes follow each entry: the words of the sheet, why a branch was taken, the entry that undid it, and ``with_events`` the
    events. With a ``width`` lines are broken between two words; a program that reads the log joins them again. ``holders``
    is that of ``log_entries``. For a terminal with colours, ``colored`` are the seats of the game: each has its colour, and
    orders that do not count are faint.
    """
    return "\n".join(
        log_lines(log_entries(rows, unit, holders), unit, with_events=with_events, width=width, colored=colored)
    )


def log_lines(
    entries: Sequence[LogEntry],
    unit: Unit,
    *,
    with_events: bool = True,
    width: int | None = None,
    colored: Sequence[Seat] = (),
) -> list[str]:
    """Return ``entries`` as the lines of a table; the other arguments are those of ``log_text``."""
    heading = ("#", "seat", "order", printable(unit[0]), Unit(*unit).account)
    digits = max((len(clock) for entry in entries for one in entry.costs for clock in (one.before, one.after)), default=1)

    def cells(entry: LogEntry, one: Cost) -> tuple[str, ...]:
        clock = f"{one.before:>{digits}} → {one.after:>{digits}}" if one.before else ""
        return (entry.number, one.player, entry.order if one is entry.costs[0] else "", one.amount, clock)

    widths = [*column_widths([heading, *(cells(entry, one) for entry in entries for one in entry.costs)], _LEAST_WIDTHS), 0]
    if width is not None:  # longer orders run past their column
        room = width - (sum(widths) - widths[2] + len(_WHY) + 5 * len(GAP))
        widths[2] = max(_LEAST_WIDTHS[2], min(widths[2], room))
    name_at = widths[0] + len(GAP)
    indent = name_at + widths[1] + len(GAP)

    def fitted(line: str) -> list[str]:
        return [line] if width is None else folded(line, width, indent + len(GAP), is_hard=False)

    lines = fitted(row_text((*heading, _WHY), widths, _RIGHT))
    for entry in entries:
        has_events = with_events or entry.seat == MODERATOR  # a correction needs its reason
        quotes = (f"{whose}: {said}" for whose, said in entry.quotes)
        notes = (*entry.remarks, *quotes, *(f"· {words}" for words in (entry.told if has_events else ())))
        for one in entry.costs:
            first, *rest = fitted(row_text((*cells(entry, one), one.why), widths, _RIGHT))
            if one is entry.costs[0]:
                rest += [piece for note in notes for piece in fitted(" " * indent + note)]
            if colored and (entry.undone_by or entry.is_skipped):
                first, *rest = (painted(line, FAINT, color=True) for line in (first, *rest))
            elif colored:
                style, end = (
                    seat_style(one.seat, colored) if one.seat and one.seat in colored else STRONG,
                    name_at + len(one.player),
                )
                first = first[:name_at] + painted(first[name_at:end], style, color=True) + first[end:]
            lines += [first, *rest]
    return lines


def log_json(rows: Iterable[LogRow]) -> str:
    """Return ``rows`` as JSON lines: one compact object a line, keys sorted."""
    return "\n".join(safe_json(row) for row in rows)
