"""Who is where: by the spaces driven (CF-V1)."""

from __future__ import annotations

from adjudicator.core.ruleset import Standing
from adjudicator.games.checkered_flag.components import GEAR_NAMES
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.state import Racer, Stage, State


def standings(config: Config, state: State) -> tuple[Standing, ...]:
    """Return the seats from first to last, by spaces driven; cars side by side share a place."""
    ranked = sorted(state.racers, key=lambda racer: -racer.driven)
    driven = [racer.driven for racer in ranked]
    is_final = state.stage is Stage.OVER
    return tuple(
        Standing(
            place=driven.index(racer.driven) + 1,
            seat=racer.seat,
            score=racer.driven,
            note=_final_note(config, racer) if is_final else _note(config, racer),
            is_final=is_final,
        )
        for racer in ranked
    )


def _final_note(config: Config, racer: Racer) -> str:
    if racer.driven > config.distance:
        return "first across the finish line"
    return "on the track, crashed" if racer.lost else "on the track"


def _note(config: Config, racer: Racer) -> str:
    where = f"position {config.position_at(racer.driven)}" if racer.driven else "at the starting line"
    lap = f" of lap {config.lap_at(racer.driven)}" if racer.driven and config.laps > 1 else ""
    if racer.lost:
        turns = "1 turn" if racer.lost == 1 else f"{racer.lost} turns"
        return f"{where}{lap}, crashed, {turns} to lose"
    return f"{where}{lap}, {GEAR_NAMES[racer.gear]}"
