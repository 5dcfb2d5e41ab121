"""Read a list of entrants: a file with a line for each seat, for games with many players."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Final

from adjudicator.core.ruleset import Player
from adjudicator.core.values import Seat
from adjudicator.files.errors import Untrusted, Violation
from adjudicator.files.reading import Source, quoted, read

MOST_BYTES: Final = 4_000_000
_EMPTY: Final = "write a line for each entrant, such as `red,Ann Miller`: the list is empty"
_SIGNS: Final = (";", "\t", ",")
"""The separators that a line may use."""


def load_entrants(source: Source) -> tuple[Player, ...]:
    """Return the players in the file ``source``, in order.

    A line has a seat, and optionally the player's name and then the class: ``red,Ann Miller,Expert``. Semicolons and tabs
    may replace the commas; empty lines, remarks (``#``) and a heading line (``seat,…``) are ignored. The class is added to
    the name. Raises ``CannotRead``, or ``Untrusted`` with every wrong line.
    """
    name, data = read(source)
    if len(data) > MOST_BYTES:
        raise Untrusted(name, [Violation("line 1", f"the file is larger than {MOST_BYTES:,} bytes")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    wrong: list[Violation] = []
    lines: dict[str, int] = {}
    players: list[Player] = []
    for number, cells in _rows(text):
        flaw = _flaw(cells, lines)
        if flaw:
            wrong.append(Violation(f"line {number}", flaw))
            continue
        seat, holder, entered = (*cells, "", "")[:3]
        lines[seat.lower()] = number
        players.append(Player(Seat(seat.lower()), ", ".join(filter(None, (holder, entered)))))
    if wrong or not players:
        raise Untrusted(name, wrong or [Violation("line 1", _EMPTY)], "this is not a list of entrants")
    return tuple(players)


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line that is not empty, a remark or the heading."""
    listed = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    said = [(number, line) for number, line in enumerate(listed, 1) if line.strip() and not line.lstrip().startswith("#")]
    sign = next((one for one in _SIGNS if said and one in said[0][1]), ",")
    for place, (number, line) in enumerate(said):
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=sign, skipinitialspace=True))]
        if place or cells[0].lower() != "seat":
            yield number, cells


def _flaw(cells: list[str], lines: dict[str, int]) -> str:
    """Return the problem of a line, empty if it has none; ``lines`` has the line numbers of the seats before it."""
    if not cells[0]:
        return "begin the line with the seat: seat, name, class"
    if any(cells[3:]):
        return f"write only seat, name and class: the line has {len(cells)} parts"
    if cells[0].lower() in lines:
        return f"the seat {quoted(cells[0], 30)} is already in line {lines[cells[0].lower()]}"
    return ""
