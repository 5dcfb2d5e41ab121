"""Logs as players have them, read back: JSON lines, or the tables of `adjudicator log` and of reports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from adjudicator.core.canonical import canonical_text
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.orders.clean import NotTextError, decode, lines_of
from adjudicator.outputs.orders import Begun, LogRow
from adjudicator.reports.log import log_text
from adjudicator.reports.table import GAP
from adjudicator.store.adapters import adapter
from adjudicator.store.errors import Untrusted, Violation
from adjudicator.store.reading import quoted

_HEADING: Final = re.compile(r" *# +seat +order +\S")
_ROW: Final = re.compile(r" *([0-9]{1,9})(?: |$)")
_TOLD: Final = re.compile(r"\s+· (.*)")
_NOTE: Final = re.compile(r"\s+(?:written|note): ")
_SECRET: Final = re.compile(r"the secret of chance is ([0-9a-f]{64})(?![0-9a-f])")
_COMMITMENT: Final = re.compile(r"commitment ([0-9a-f]{64})$")
_PROMISE: Final = re.compile(r"promise +([0-9a-f]{64})$")
_GAME: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,79}) · ")
_WORDS: Final = re.compile(r"words      (\S.*)$")
_COMPARED: Final = ("n", "seat", "order", "min", "before", "after", "why")
"""What a line of JSON says of what was done; what the sheet said, and which turn it was, follows from nothing here."""
_MOST: Final = 200_000
"""Lines a log may have."""


@frozen
class PublishedRow:
    """One line of a log: ``seat`` and ``order`` as told, ``line`` all that is compared, ``told`` what happened besides.

    ``told`` is ``None`` in a table without events. ``written`` is what the sheet said, where the log's reader may know it.
    """

    seat: Seat | None
    order: str
    line: str
    told: tuple[str, ...] | None
    written: str | None = None


@frozen
class PublishedLog:
    """A log by its ``name``: its rows by the number of their entry, and what it says of how the game began.

    ``words`` is the line of a table's head that tells those of the players, ``game`` what it calls the game,
    ``head`` what stands above a table.
    """

    name: str
    is_table: bool
    rows: Mapping[int, tuple[PublishedRow, ...]]
    begun: Begun | None = None
    commitment: str | None = None
    promise: str | None = None
    words: str = ""
    game: str = ""
    head: str = ""

    @property
    def secret(self) -> str | None:
        """The secret of chance, if the log tells that it was published."""
        told = (words for rows in self.rows.values() for row in rows if row.order == "REVEAL" for words in row.told or ())
        return next((match[1] for words in told if (match := _SECRET.match(words))), None)

    def row_of(self, row: LogRow, unit: Any) -> PublishedRow:
        """Return ``row``, recomputed, as this log would have it; ``unit`` is the ruleset's."""
        if not self.is_table:
            return _row_of_data(json.loads(canonical_text(row)))
        line = log_text([row], unit).split("\n")[1]
        return PublishedRow(row.seat, row.order, _spaced(line), row.told)


def read_log(name: str, data: bytes) -> PublishedLog:
    """Return the log ``name`` with the bytes ``data``. Raises ``Untrusted`` with what cannot be read in it."""
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        raise Untrusted(name, [Violation("$", str(error))], "this is no log") from None
    if len(lines) > _MOST:
        raise Untrusted(name, [Violation("$", f"it has more than {_MOST:,} lines")], "this is no log")
    first = next((line for line in lines if line.strip()), "")
    return _of_json(name, lines) if first.lstrip().startswith("{") else _of_table(name, lines)


def _of_json(name: str, lines: Sequence[str]) -> PublishedLog:
    rows: dict[int, tuple[PublishedRow, ...]] = {}
    begun = commitment = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            row = _row_of_data(data)
            if "begun" in data and begun is None:
                begun = adapter(Begun).validate_json(json.dumps(data["begun"]))
            commitment = _digest(data.get("commitment")) or commitment
        except (ValueError, KeyError, TypeError, RecursionError):
            words = f"line {number} is no line of a log: {quoted(line)}"
            raise Untrusted(name, [Violation("$", words)], "this log cannot be read") from None
        rows[data["n"]] = (*rows.get(data["n"], ()), row)
    if not rows:
        raise Untrusted(name, [Violation("$", "there is no line in it")], "this is no log")
    return PublishedLog(name, False, rows, begun, commitment, begun.promise if begun else None)


def _digest(value: Any) -> str | None:
    """Return ``value`` if it is a hash, ``None`` if it is nothing. Raises ``ValueError``."""
    if value is None or (isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value)):
        return value
    raise ValueError(value)


def _row_of_data(data: Any) -> PublishedRow:
    """Return the row in plain ``data``. Raises ``KeyError``, ``TypeError``, ``ValueError`` if it is none."""
    told, written = data["told"], data.get("written")
    plain = (type(data["n"]) is int and data["n"] >= 0, isinstance(data["order"], str), isinstance(told, list))
    if not all(plain) or not all(isinstance(words, str) for words in told) or not isinstance(written, str | None):
        raise ValueError(data)
    if not isinstance(data["seat"], str | None):
        raise ValueError(data)
    line = canonical_text({name: data[name] for name in _COMPARED})
    seat = data["seat"]
    return PublishedRow(None if seat is None else Seat(seat), data["order"], line, tuple(told), written)


def table_logs(name: str, lines: Sequence[str]) -> Iterator[PublishedLog]:
    """Yield each table in ``lines`` as a log of its own: in a thread of mails each has its reader."""
    before = 0
    for at in (at for at, line in enumerate(lines) if _HEADING.match(line)):
        rows = _rows_by_number(_table_rows(lines, at))
        if rows:
            yield PublishedLog(name, True, rows, head="\n".join(lines[before:at]))
        before = at


def _of_table(name: str, lines: Sequence[str]) -> PublishedLog:
    tables = [at for at, line in enumerate(lines) if _HEADING.match(line)]
    if not tables:
        words = "it has neither lines of JSON nor a table that begins with `#  seat  order`"
        raise Untrusted(name, [Violation("$", words)], "this is no log")
    rows = _rows_by_number(row for at in tables for row in _table_rows(lines, at))
    head = lines[: tables[0]]
    words = _in_head(head, _WORDS) or ""
    game = _in_head(head, _GAME) or ""
    return PublishedLog(name, True, rows, None, _in_head(head, _COMMITMENT), _in_head(head, _PROMISE), words, game)


def _rows_by_number(found: Iterable[tuple[int, PublishedRow, list[str]]]) -> dict[int, tuple[PublishedRow, ...]]:
    listed = tuple(found)
    has_events = any(told for _, row, told in listed if row.seat != MODERATOR)
    rows: dict[int, tuple[PublishedRow, ...]] = {}
    for n, row, told in listed:
        known = tuple(told) if has_events or row.seat == MODERATOR else None
        rows[n] = (*rows.get(n, ()), replace(row, told=known))
    return rows


def _table_rows(lines: Sequence[str], at: int) -> Iterator[tuple[int, PublishedRow, list[str]]]:
    """Yield each row of the table headed by line ``at`` with the number of its entry, and the list of what stands under it.

    The table ends with the first empty line: in a report other things follow.
    """
    seat_at, order_at = lines[at].index("seat"), lines[at].index("order")
    current: tuple[int, PublishedRow, list[str]] | None = None
    for line in takewhile(str.strip, _rejoined(lines[at + 1 :], seat_at)):
        told, number = _TOLD.match(line), _ROW.match(line[:seat_at])
        if current is not None and told:
            current[2].append(told[1].rstrip())
        elif current is not None and line.lstrip().startswith("written: ") and line.startswith(" " * order_at):
            n, row, events = current
            current = n, replace(row, written=line.strip().removeprefix("written: ")), events
        elif number and not _NOTE.match(line):
            if current is not None:
                yield current
            seat = line[seat_at:order_at].strip()
            order = re.split(r" {2,}", line[order_at:].rstrip())[0]
            is_set_up = number[1] == "0" and not seat
            row = PublishedRow(Seat(seat) if seat else None, "" if is_set_up else order, _spaced(line), None)
            current = int(number[1]), row, []
    if current is not None:
        yield current


def _rejoined(lines: Sequence[str], seat_at: int) -> Iterator[str]:
    """Yield ``lines`` of a table with those put together again that a mail program has broken.

    The number of a row ends right before the gap to the column of seats; what stands below a row begins with its own mark.
    """
    whole = ""
    for line in lines:
        number = _ROW.match(line[:seat_at])
        is_row = number is not None and number.end(1) == seat_at - len(GAP)
        if not line.strip() or is_row or _TOLD.match(line) or _NOTE.match(line):
            if whole:
                yield whole
            whole = line
            if not line.strip():
                break
        else:
            whole = f"{whole.rstrip()} {line.strip()}"
    yield whole


def _in_head(head: Sequence[str], pattern: re.Pattern[str]) -> str | None:
    return next((match[1] for line in head if (match := pattern.match(line.rstrip()))), None)


def _spaced(line: str) -> str:
    return " ".join(line.split())
