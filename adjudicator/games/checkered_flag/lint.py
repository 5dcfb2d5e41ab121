"""Warnings: what is legal but may not be meant."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.games.checkered_flag.components import NEUTRAL
from adjudicator.games.checkered_flag.state import Stage, State
from adjudicator.games.checkered_flag.table import Table


def lint(table: Table, state: State) -> tuple[str, ...]:
    """Return a warning for each car that stands in neutral on a narrow position: nobody gets past it (CF-B1)."""
    return tuple(_warnings(table, state)) if state.stage is Stage.RACING else ()


def _warnings(table: Table, state: State) -> Iterator[str]:
    for racer in state.racers:
        if racer.gear == NEUTRAL and table.is_narrow_at(racer.driven):
            position = table.position_at(racer.driven)
            yield f"{racer.seat} stands in neutral on {position}, which is narrow: nobody gets past before it moves (CF-B1)"
