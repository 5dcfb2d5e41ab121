"""Read the logs that players have: JSON lines, or the tables of `adjudicator log` and of reports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Any, Final

from adjudicator.core.journal import SKIPPED
from adjudicator.core.values import MODERATOR, Seat, Value, canonical_text, replace
from adjudicator.core.width import columns
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted, Violation
from adjudicator.files.reading import quoted
from adjudicator.orders.clean import NotTextError, decode, lines_of
from adjudicator.reports.data.log import log_text
from adjudicator.reports.text.table import GAP
from adjudicator.results import Begun, LogRow

_HEADING: Final = re.compile(r" *# +seat +order +\S")
_ROW: Final = re.compile(r" *([0-9]{1,9})([a-z]*)(?: \(([0-9]{1,9})([a-z]*)\))?(?: |$)")
_UNDO: Final = re.compile(r"UNDO to [0-9]{1,9} \(([0-9]{1,9})\)")
_BACK: Final = re.compile(r"^(back to where the game stood after entry )[0-9]{1,9}(?=:)")
_SENTENCE: Final = re.compile(r"\s+· (.*)")
_NOTE: Final = re.compile(r"\s+(?:written|note): ")
_SECRET: Final = re.compile(r"the secret of chance is ([0-9a-f]{64})(?![0-9a-f])")
_COMMITMENT: Final = re.compile(r"commitment ([0-9a-f]{64})$")
_PROMISE: Final = re.compile(r"promise +([0-9a-f]{64})$")
_GAME: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,79}) · ")
_WORDS: Final = re.compile(r"words      (\S.*)$")
_COMPARED: Final = ("seat", "order", "min", "before", "after", "why")
"""The compared fields of a line of JSON; the text of the sheet and the turn cannot be computed."""
_MOST: Final = 200_000
"""The largest number of lines of a log."""


class PublishedRow(Value):
    """One line of a log: ``seat`` and ``order`` as published, ``line`` with all compared parts, ``told`` with the events.

    The numbers of entries in it are those of the players, also in a log of the moderator's, who reads his own beside them.

    ``told`` is ``None`` in a table without events. ``written`` is what the sheet said, where the log's reader may know it.
    ``is_both``: the order named another entry by the number of the moderator and by that of the players.
    """

    seat: Seat | None
    order: str
    line: str
    told: tuple[str, ...] | None
    written: str | None = None
    is_both: bool = False


class PublishedLog(Value):
    """A log with its ``name``: its rows by the players' number of their entry, and the facts about the beginning.

    ``words`` is the line of a table's head that tells those of the players, ``game`` what it calls the game.
    """

    name: str
    is_table: bool
    rows: Mapping[int, tuple[PublishedRow, ...]]
    begun: Begun | None = None
    commitment: str | None = None
    promise: str | None = None
    words: str = ""
    game: str = ""

    @property
    def secret(self) -> str | None:
        """The secret of chance, if the log contains its publication."""
        sentences = (
            words for rows in self.rows.values() for row in rows if row.order == "REVEAL" for words in row.told or ()
        )
        return next((match[1] for words in sentences if (match := _SECRET.match(words))), None)

    def row_of(self, row: LogRow, unit: Any) -> PublishedRow:
        """Return the recomputed ``row`` in the form of this log; ``unit`` is the ruleset's."""
        if not self.is_table:
            return _row_of_data(json.loads(canonical_text(row)))
        heading, line = log_text([row], unit).split("\n")[:2]
        return PublishedRow(row.seat, row.order, spaced(line[heading.index("seat") :]), row.told)


def read_log(name: str, data: bytes) -> PublishedLog:
    """Return the log ``name`` with the bytes ``data``. Raises ``Untrusted`` with the unreadable line."""
    try:
        lines = lines_of(decode(data))
    except NotTextError as error:
        raise Untrusted(name, [Violation("$", str(error))], "this is not a log") from None
    if len(lines) > _MOST:
        raise Untrusted(name, [Violation("$", f"the log has more than {_MOST:,} lines")], "this is not a log")
    first = next((line for line in lines if line.strip()), "")
    return _of_json(name, lines) if first.lstrip().startswith("{") else _of_table(name, lines)


def _of_json(name: str, lines: Sequence[str]) -> PublishedLog:
    rows: dict[int, tuple[PublishedRow, ...]] = {}
    begun = commitment = None
    is_empty = True
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            n, row = _number_of_data(data), _row_of_data(data)
            if "begun" in data and begun is None:
                begun = typed.convert(Begun, data["begun"])
            commitment = _digest(data.get("commitment")) or commitment
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            words = f"line {number} is not from a log (`adjudicator log GAME --json` prints one): {quoted(line)}"
            raise Untrusted(name, [Violation("$", words)], "this log cannot be read") from None
        is_empty = False
        if n is not None:
            rows[n] = (*rows.get(n, ()), row)
    if is_empty:
        raise Untrusted(name, [Violation("$", "the log is empty")], "this is not a log")
    return PublishedLog(name, False, rows, begun, commitment, begun.promise if begun else None)


def _digest(value: Any) -> str | None:
    """Return ``value`` if it is a hash or ``None``. Raises ``ValueError``."""
    if value is None or (isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value)):
        return value
    raise ValueError(value)


def _number_of_data(data: Any) -> int | None:
    """Return the number of the entry that players see, ``None`` for a skipped order, which has none.

    Raises ``KeyError``, ``TypeError``, ``ValueError`` if ``data`` is no row of a log.
    """
    public, skipped = data.get("public", data), data.get("skipped")
    if any(type(one["n"]) is not int or one["n"] < 0 for one in (data, public)):
        raise ValueError(data)
    if skipped is not None and (type(skipped) is not int or data["order"] != SKIPPED):
        raise ValueError(data)
    return public["n"] if skipped is None else None


def _row_of_data(data: Any) -> PublishedRow:
    """Return the row in plain ``data``. Raises ``KeyError``, ``TypeError``, ``ValueError`` if it is not one."""
    sentences, written, known = data["told"], data.get("written"), data.get("public", {}).get("order")
    plain = (isinstance(data["order"], str), isinstance(sentences, list), isinstance(known, str | None))
    if not all(plain) or not all(isinstance(words, str) for words in sentences) or not isinstance(written, str | None):
        raise ValueError(data)
    if not isinstance(data["seat"], str | None):
        raise ValueError(data)
    if known is not None:
        data, sentences = {**data, "order": known}, _in_public_numbers(sentences, known)
    line = canonical_text({name: data[name] for name in _COMPARED})
    seat = data["seat"]
    return PublishedRow(None if seat is None else Seat(seat), data["order"], line, tuple(sentences), written)


def _in_public_numbers(sentences: Sequence[str], order: str) -> tuple[str, ...]:
    """Return the moderator's texts of an undo (``sentences``) with the players' number in the ``order``."""
    return tuple(_BACK.sub(rf"\g<1>{order.rpartition(' ')[2]}", words) for words in sentences)


def _of_table(name: str, lines: Sequence[str]) -> PublishedLog:
    tables = [at for at, line in enumerate(lines) if _HEADING.match(line)]
    if not tables:
        words = "it has neither lines of JSON, as from `log --json`, nor a table that begins with `#  seat  order`"
        raise Untrusted(name, [Violation("$", words)], "this is not a log")
    found = tuple(row for at in tables for row in _table_rows(lines, at))
    has_events = any(sentences for _, row, sentences in found if row.seat != MODERATOR)
    rows: dict[int, tuple[PublishedRow, ...]] = {}
    for n, row, sentences in found:
        if n is None:
            continue
        happened = _in_public_numbers(sentences, row.order) if row.is_both else tuple(sentences)
        known = happened if has_events or row.seat == MODERATOR else None
        rows[n] = (*rows.get(n, ()), replace(row, told=known, is_both=False))
    head = lines[: tables[0]]
    words = _in_head(head, _WORDS) or ""
    game = _in_head(head, _GAME) or ""
    return PublishedLog(name, True, rows, None, _in_head(head, _COMMITMENT), _in_head(head, _PROMISE), words, game)


def _table_rows(lines: Sequence[str], at: int) -> Iterator[tuple[int | None, PublishedRow, list[str]]]:
    """Yield each row of the table whose heading is line ``at``, with the number of its entry and the lines below it.

    Skipped orders have no number. The table ends with the first empty line, since a report continues below it.
    """
    seat_at, order_at = lines[at].index("seat"), lines[at].index("order")
    current: tuple[int | None, PublishedRow, list[str]] | None = None
    for line in takewhile(str.strip, _rejoined(lines, at + 1, seat_at)):
        sentence, number = _SENTENCE.match(line), _ROW.match(line[:seat_at])
        if current is not None and sentence:
            current[2].append(sentence[1].rstrip())
        elif current is not None and line.lstrip().startswith("written: ") and line.startswith(" " * order_at):
            n, row, events = current
            current = n, replace(row, written=line.strip().removeprefix("written: ")), events
        elif number and not _NOTE.match(line):
            if current is not None:
                yield current
            n = None if number[2] or number[4] else int(number[3] or number[1])
            current = n, _table_row(line, number, seat_at, order_at), []
    if current is not None:
        yield current


def _rejoined(lines: Sequence[str], first: int, seat_at: int) -> Iterator[str]:
    """Yield the ``lines`` of a table from the ``first`` on, and rejoin lines that a mail program has broken.

    The number of a row ends right before the gap to the column of seats; a line below a row begins with its own mark.
    """
    whole = ""
    for line in islice(lines, first, None):
        column = line[:seat_at].rstrip()
        is_row = len(column) == seat_at - len(GAP) and _ROW.fullmatch(column)
        if not line.strip() or is_row or _SENTENCE.match(line) or _NOTE.match(line):
            if whole:
                yield whole
            whole = line
            if not line.strip():
                break
        else:
            whole = f"{whole.rstrip()} {line.strip()}"
    yield whole


def _table_row(line: str, number: re.Match[str], seat_at: int, order_at: int) -> PublishedRow:
    """Return the row in ``line`` of a table whose columns begin there; ``number`` is what its first column says."""
    order_begins = len(columns(line, 0, order_at))  # the name of a player may have wide letters
    named = line[seat_at:order_begins].strip()
    seat = named[:-1].rpartition("(")[2] if named.endswith(")") else named
    order = re.split(r" {2,}", line[order_begins:].rstrip())[0]
    rest = f"{seat} {line[order_begins:]}"
    undo = _UNDO.fullmatch(order) if number[3] else None
    if undo:
        rest, order = rest.replace(order, f"UNDO to {undo[1]}", 1), f"UNDO to {undo[1]}"
    is_set_up = number[1] == "0" and not seat
    return PublishedRow(
        Seat(seat) if seat else None,
        "" if is_set_up else order,
        spaced(rest),
        None,
        is_both=bool(undo),
    )


def _in_head(head: Sequence[str], pattern: re.Pattern[str]) -> str | None:
    return next((match[1] for line in head if (match := pattern.match(line.rstrip()))), None)


def spaced(line: str) -> str:
    """Return the words of ``line`` with one space between them."""
    return " ".join(line.split())
