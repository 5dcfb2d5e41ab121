"""Read a list of entrants: a file with a line for each seat, for games with many players."""

from __future__ import annotations

import csv
from typing import Final

from adjudicator.core.problem import Violation
from adjudicator.core.ruleset import Player
from adjudicator.core.values import Seat
from adjudicator.files.errors import Untrusted
from adjudicator.files.reading import Source, quoted, read

MOST_BYTES: Final = 4_000_000
MOST_SIGNS: Final = 10_000
"""The length of the longest line in characters."""
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
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    said = [(number, line) for number, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    sign = next((one for one in _SIGNS if said and one in said[0][1]), ",")
    wrong: list[Violation] = []
    known: dict[str, int] = {}
    players: list[Player] = []
    for place, (number, line) in enumerate(said):
        if len(line) > MOST_SIGNS:
            wrong.append(Violation(f"line {number}", f"the line has more than {MOST_SIGNS:,} characters"))
            continue
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=sign, skipinitialspace=True))]
        seat = cells[0].lower()
        if not place and seat == "seat":  # the heading
            continue
        flaw = ""
        if not seat:
            flaw = "begin the line with the seat: seat, name, class"
        elif any(cells[3:]):
            flaw = f"write only seat, name and class: the line has {len(cells)} parts"
        elif seat in known:
            flaw = f"the seat {quoted(cells[0], 30)} is already in line {known[seat]}"
        if flaw:
            wrong.append(Violation(f"line {number}", flaw))
            continue
        known[seat] = number
        players.append(Player(Seat(seat), ", ".join(filter(None, cells[1:3]))))
    if wrong or not players:
        raise Untrusted(name, wrong or [Violation("line 1", _EMPTY)], "this is not a list of entrants")
    return tuple(players)
