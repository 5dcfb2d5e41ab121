"""Write the moves of a replay, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from adjudicator.core.ruleset import Unit
from adjudicator.core.values import Seat
from adjudicator.reports.data.log import log_text
from adjudicator.reports.data.outcome import due_lines, outcome_lines
from adjudicator.reports.data.position import Position, ReplayedMove, position_text, shown_position
from adjudicator.results import LogRow, gathered


class Shown(Protocol):
    """An entry of a replay as a reader may know it."""

    @property
    def rows(self) -> tuple[LogRow, ...]:
        """The rows of the log for this entry, beginning with the seat that gave the order."""

    @property
    def holders(self) -> Mapping[Seat, str]:
        """The players at that time."""


def moves_text(moves: Iterable[Shown], unit: Unit, width: int | None = None) -> str:
    """Return ``moves`` as a log with their events, in lines of ``width``; entries that were undone have a mark."""
    known = tuple(moves)
    held = {row.n: move.holders for move in known for row in move.rows}
    rows = (row for move in known for row in move.rows)
    return log_text(rows, unit, with_events=True, width=width, holders=lambda row: held[row.n])


def board_text(move: Shown, unit: Unit, position: Position, *, color: bool = False, width: int | None = None) -> str:
    """Return one ``move`` as a log, and under it the ``position`` after it."""
    return f"{moves_text([move], unit, width)}\n\n{position_text(position, color=color, width=width)}"


def replayed_move(move: Shown, position: Position | None = None) -> ReplayedMove:
    """Return ``move`` for programs, perhaps with the ``position`` after it."""
    first, *others = move.rows
    shown = None if position is None else shown_position(position)
    return gathered(ReplayedMove, first, also=tuple(others), position=shown)


def ending_text(position: Position, number: int, *, is_last: bool) -> str:
    """Return the text after entry ``number``, the end of a replay; ``is_last`` if the game has no more entries."""
    if position.heading.over:
        return "\n".join(
            ("the game is over:", *outcome_lines(position.standings, position.heading.unit, position.heading.holders))
        )
    return "\n".join(
        ("due now:" if is_last else f"due after entry {number}:", *due_lines(position.due, position.heading.holders))
    )
