"""Make the log of minutes for pages: each entry with its costs, events and notes, by turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from adjudicator.core.ruleset import Unit
from adjudicator.core.values import MODERATOR, Value
from adjudicator.reports.log import number_text, order_text
from adjudicator.reports.sanitize import printable
from adjudicator.reports.table import signed
from adjudicator.reports.why import why_text
from adjudicator.results import LogRow
from adjudicator.scenes.colors import seat_color


class Cost(Value):
    """What an order cost ``seat``: the ``amount`` and unit, the ``clock`` before and after, ``why``; each may be empty."""

    seat: str
    ink: str
    amount: str
    clock: str
    why: str


class LogLine(Value):
    """One entry of the log: its ``anchor`` in a page, its displayed ``number``, its seat and order, and the results.

    ``ink`` is the colour of the seat by name (empty: it has none). ``costs`` has the own seat first; ``undone`` is the
    number of the entry that undid this one, if one did.
    """

    anchor: str
    number: str
    turn: int
    seat: str
    ink: str
    order: str
    costs: tuple[Cost, ...]
    told: tuple[str, ...]
    notes: tuple[str, ...]
    undone: str = ""

    @property
    def words(self) -> str:
        """The entry on one line, for a screen reader."""
        who = f"{self.seat}: {self.order}" if self.seat else self.order
        paid = ", ".join(filter(None, (self.costs[0].amount, self.costs[0].clock))) if self.costs else ""
        return f"{self.number} · {who}" + (f" · {paid}" if paid else "")


def log_line(rows: Sequence[LogRow], seats: Sequence[str], unit: Unit) -> LogLine:
    """Return the entry with these ``rows``, the row of the entry's seat first."""
    own, *_ = rows
    number = number_text(own)
    notes = (() if own.written is None else (f"written: {own.written}",)) + own.notes
    notes += tuple(f"{whose}: {said}" for whose, said in (("noted", own.note), ("comment", own.comment)) if said)
    return LogLine(
        anchor=number.partition(" ")[0],
        number=number,
        turn=own.turn,
        seat=printable(own.seat or ""),
        ink=_ink(own.seat, seats),
        order="set-up" if own.n == 0 and own.seat is None else printable(order_text(own)),
        costs=tuple(_costs(rows, seats, unit)),
        told=tuple(printable(words) for row in rows for words in row.told),
        notes=tuple(map(printable, notes)),
        undone="" if own.undone_by is None else str(own.undone_by),
    )


def _costs(rows: Iterable[LogRow], seats: Sequence[str], unit: Unit) -> Iterable[Cost]:
    for row in rows:
        has_moved = row.before is not None and row.after is not None
        if row.why or row.min or has_moved:
            clock = f"{signed(row.before, unit)} → {signed(row.after, unit)}" if has_moved else ""  # type: ignore[arg-type]
            amount = f"{signed(row.min, unit)} {printable(unit[0])}"
            yield Cost(printable(row.seat or ""), _ink(row.seat, seats), amount, clock, why_text(row.why, row.order, unit))


def _ink(seat: str | None, seats: Sequence[str]) -> str:
    return "" if seat is None or seat == MODERATOR else seat_color(seat, seats)
