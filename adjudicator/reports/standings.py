"""Make a table of the standings of a game, for a web page or a spreadsheet."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.ids import Seat
from adjudicator.reports.classification import ResultTable
from adjudicator.reports.position import Position
from adjudicator.reports.table import signed


def standings_table(position: Position, holders: Mapping[Seat, str]) -> ResultTable:
    """Return the standings of ``position`` as its viewer may know them; ``holders`` names the players by seat."""
    heading = position.heading
    rows = (
        (
            str(standing.place),
            standing.seat,
            holders.get(standing.seat, ""),
            signed(standing.score, heading.unit),
            standing.note,
        )
        for standing in position.standings
    )
    headings = ("place", "seat", "player", heading.unit[1], "note")
    return ResultTable(f"{heading.name}, game {heading.game}: {position.standings_title.lower()}", headings, tuple(rows))
