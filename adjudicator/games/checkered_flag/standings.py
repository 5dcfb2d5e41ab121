"""Who is where: by the spaces driven (CF-V1)."""

from __future__ import annotations

from adjudicator.core.ruleset import Standing
from adjudicator.games.checkered_flag.components import GEAR_NAMES
from adjudicator.games.checkered_flag.state import Racer, Stage, State
from adjudicator.games.checkered_flag.table import Table


def standings(table: Table, state: State) -> tuple[Standing, ...]:
    """Return the seats from first to last, by spaces driven; cars side by side share a place."""
    ranked = sorted(state.racers, key=lambda racer: -racer.driven)
    driven = [racer.driven for racer in ranked]
    is_final = state.stage is Stage.OVER
    return tuple(
        Standing(
            place=driven.index(racer.driven) + 1,
            seat=racer.seat,
            score=racer.driven,
            note=_final_note(table, racer) if is_final else _note(table, racer),
            is_final=is_final,
        )
        for racer in ranked
    )


def _final_note(table: Table, racer: Racer) -> str:
    if racer.driven > table.distance:
        return "first across the finish line"
    return "on the track, crashed" if racer.lost else "on the track"


def _note(table: Table, racer: Racer) -> str:
    where = f"position {table.position_at(racer.driven)}" if racer.driven else "at the starting line"
    lap = f" of lap {table.lap_at(racer.driven)}" if racer.driven and table.laps > 1 else ""
    if racer.lost:
        turns = "1 turn" if racer.lost == 1 else f"{racer.lost} turns"
        return f"{where}{lap}, crashed, {turns} to lose"
    return f"{where}{lap}, {GEAR_NAMES[racer.gear]}"
