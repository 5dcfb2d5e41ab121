"""Moves of a replay in words for people, and as data for machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from adjudicator.core.ruleset import Unit
from adjudicator.replay.follow import Move
from adjudicator.reports.log import log_data, log_text
from adjudicator.reports.outcome import due_lines, outcome_lines
from adjudicator.reports.position import Position, position_data, position_text

Look = Callable[[Move], Position]
"""Gives the position after a move."""


def moves_text(moves: Iterable[Move], unit: Unit) -> str:
    """Return ``moves`` as a log that also tells what happened; entries that were undone are marked."""
    return log_text((row for move in moves for row in move.rows), unit, with_events=True)


def board_text(move: Move, unit: Unit, look: Look, *, color: bool = False) -> str:
    """Return one ``move`` as a log, and under it the position after it."""
    return f"{moves_text([move], unit)}\n\n{position_text(look(move), color=color)}"


def move_data(move: Move, look: Look | None = None) -> dict[str, Any]:
    """Return ``move`` as plain values: the row of its own seat, ``also`` those of other seats whose clocks it moved.

    ``position`` is there where there is a ``look`` at it.
    """
    first, *others = map(log_data, move.rows)
    data = dict(first)
    if others:
        data["also"] = others
    if look is not None:
        data["position"] = position_data(look(move))
    return data


def ending_text(position: Position, number: int, *, is_last: bool) -> str:
    """Return what comes after entry ``number``, with which a replay has stopped; ``is_last`` if the game has no more."""
    if position.heading.is_over:
        return "\n".join(("the game is over:", *outcome_lines(position.standings, position.heading.unit)))
    return "\n".join(("due now:" if is_last else f"due after entry {number}:", *due_lines(position.decisions)))
