"""Make the log of minutes: the cost of each order, its rules, and the clock after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from adjudicator.core.event import Spent
from adjudicator.core.journal import Entry, Outside
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.ruleset import Unit
from adjudicator.core.values import MODERATOR, Digest, Seat, Value, replace
from adjudicator.reports.fold import folded
from adjudicator.reports.heading import player_name
from adjudicator.reports.sanitize import printable, safe_json
from adjudicator.reports.table import GAP, column_widths, row_text, signed
from adjudicator.reports.why import why_text
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
    rows = (row for entry in entries for row in _rows_of(rules, entry, proofs.get(entry.n)))
    named = (replace(row, turn=turn_number(row.turn)) if turn_number else row for row in rows)
    return tuple(_marked(row, undone.get(row.n), commitment, begun) for row in named)


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

    Notes follow each row: the words of the sheet, why a branch was taken, the entry that undid it, and ``with_events`` the
    events. With a ``width`` lines are broken between two words; a program that reads the log joins them again. ``holders``
    returns the names of the players at the time of a row, which the column of seats has beside the seats. For a terminal
    with colours, ``colored`` are the seats of the game: each has its colour, and orders that do not count are faint.
    """
    listed = tuple(rows)
    heading = ("#", "seat", "order", printable(unit[0]), Unit(*unit).account)
    entries = [*_entries(listed, unit, holders, with_events=with_events)]
    widths = _column_widths([heading, *(entry.cells for entry in entries)], width)
    indent = " " * (widths[0] + widths[1] + 2 * len(GAP))
    lines = _fitted(_line(heading, widths, _WHY), width, len(indent))
    for row, entry in zip(listed, entries, strict=True):
        own = [_line(entry.cells, widths, entry.why), *(indent + note for note in entry.notes)]
        fitted = [piece for line in own for piece in _fitted(line, width, len(indent))]
        lines += _painted(fitted, row, widths[0] + len(GAP), entry.cells[1], colored) if colored else fitted
    return "\n".join(lines)


def _column_widths(rows: Sequence[Sequence[str]], width: int | None) -> tuple[int, ...]:
    """Return the widths of the columns before ``why``; longer orders stand out of their column if ``width`` needs this."""
    number, seat, order, cost, clock = column_widths(rows, _LEAST_WIDTHS)
    if width is not None:
        room = width - (number + seat + cost + clock + len(_WHY) + 5 * len(GAP))
        order = max(_LEAST_WIDTHS[2], min(order, room))
    return (number, seat, order, cost, clock)


def _fitted(line: str, width: int | None, indent: int) -> list[str]:
    return [line] if width is None else folded(line, width, indent + len(GAP), is_hard=False)


def _painted(lines: Sequence[str], row: LogRow, at: int, name: str, seats: Sequence[Seat]) -> list[str]:
    """Return the ``lines`` of ``row`` in colours: the ``name`` of its seat begins at the index ``at`` of the first line."""
    from adjudicator.reports.terminal_colors import FAINT, STRONG, painted, seat_style

    if row.undone_by is not None or row.skipped is not None:
        return [painted(line, FAINT, color=True) for line in lines]
    first, *others = lines
    style = STRONG if row.seat is None or row.seat not in seats else seat_style(row.seat, seats)
    end = at + len(name)
    return [first[:at] + painted(first[at:end], style, color=True) + first[end:], *others]


class LogEntry(Value):
    """A row of the log for people: the ``cells`` (number, seat, order, cost, clock), ``why``, and ``notes``.

    Notes on events have no mark before them.
    """

    cells: tuple[str, ...]
    why: str
    notes: tuple[str, ...]


def log_entries(rows: Iterable[LogRow], unit: Unit) -> tuple[LogEntry, ...]:
    """Return ``rows`` for forms other than text, with all that ``log_text`` shows with events."""
    entries = _entries(tuple(rows), unit, lambda _row: {}, with_events=True)
    return tuple(replace(entry, notes=tuple(note.removeprefix("· ") for note in entry.notes)) for entry in entries)


def _entries(
    rows: Sequence[LogRow], unit: Unit, holders: Callable[[LogRow], Mapping[Seat, str]], *, with_events: bool
) -> Iterator[LogEntry]:
    clocks = (clock for row in rows for clock in (row.before, row.after) if clock is not None)
    digits = max((len(signed(clock, unit)) for clock in clocks), default=1)
    called = {row.n: number_text(row) for row in rows if not row.skipped}
    for row in rows:
        order = "set-up" if row.n == 0 and row.seat is None else printable(order_text(row))
        seat, clock = printable(player_name(row.seat or "", holders(row))), ""
        if row.before is not None and row.after is not None:
            clock = f"{signed(row.before, unit):>{digits}} → {signed(row.after, unit):>{digits}}"
        cells = (number_text(row), seat, order, signed(row.min, unit), clock)
        yield LogEntry(cells, why_text(row.why, row.order, unit), tuple(_notes(row, called, with_events=with_events)))


def log_json(rows: Iterable[LogRow]) -> str:
    """Return ``rows`` as JSON lines: one compact object a line, keys sorted."""
    return "\n".join(safe_json(row) for row in rows)


def _marked(row: LogRow, undone_by: int | None, commitment: str | None, begun: Begun | None) -> LogRow:
    if row.n == 0:
        return replace(row, undone_by=undone_by, commitment=commitment, begun=begun)
    return row if undone_by is None else replace(row, undone_by=undone_by)


def _rows_of(rules: AnyRuleset, entry: Entry, proof: Digest | None) -> list[LogRow]:
    spent: dict[Seat | None, list[Spent]] = {entry.seat: []}
    texts = []
    for event in entry.events:
        if isinstance(event, Spent):
            spent.setdefault(event.seat, []).append(event)
        else:
            texts.append(event.tell() if isinstance(event, Outside) else rules.tell(event))
    sentences = tuple(words for words in texts if words)
    own, *others = (
        _row(entry, seat, tuple(events), sentences if seat == entry.seat else (), is_own=seat == entry.seat)
        for seat, events in spent.items()
    )
    return [own if proof is None else replace(own, proof=proof), *others]


def _row(entry: Entry, seat: Seat | None, spent: Sequence[Spent], sentences: tuple[str, ...], *, is_own: bool) -> LogRow:
    return LogRow(
        n=entry.n,
        turn=entry.turn,
        seat=seat,
        order=entry.order if is_own else "",
        min=sum(event.after - event.before for event in spent),
        before=spent[0].before if spent else None,
        after=spent[-1].after if spent else None,
        why=tuple(part for event in spent for part in event.why),
        told=sentences,
        written=entry.written if is_own else None,
        notes=entry.notes if is_own else (),
        note=entry.note if is_own else "",
        comment=entry.comment if is_own else "",
    )


def number_text(row: LogRow) -> str:
    """Return the displayed number of an entry, ``12`` or ``12a``; the moderator sees both numbers, ``14 (12)``."""
    letters, rest = "", row.skipped or 0
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return f"{row.n}{letters}" if row.public is None else f"{row.n} ({row.public.n}{letters})"


def order_text(row: LogRow) -> str:
    """Return the order; the moderator also sees the number that players see in it, ``UNDO to 14 (12)``."""
    known = row.public.order if row.public is not None else None
    return row.order if known is None else f"{row.order} ({known.rpartition(' ')[2]})"


def _line(cells: Sequence[str], widths: Sequence[int], why: str) -> str:
    """Return one line of the table; the last column, ``why``, has no fixed width."""
    return row_text((*cells, why), (*widths, 0), _RIGHT)


def _notes(row: LogRow, called: Mapping[int, str], *, with_events: bool) -> list[str]:
    notes = [] if row.written is None else [f"written: {printable(row.written)}"]
    notes.extend(f"note: {printable(note)}" for note in row.notes)
    notes.extend(f"{whose}: {printable(said)}" for whose, said in (("noted", row.note), ("comment", row.comment)) if said)
    if row.undone_by is not None:
        by = called.get(row.undone_by, row.undone_by)
        notes.append(f"note: undone by entry {by}: it does not count")
    if with_events or row.seat == MODERATOR:  # a correction needs its reason
        notes.extend(f"· {printable(words)}" for words in row.told)
    return notes
