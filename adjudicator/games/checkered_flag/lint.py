"""Warnings: what is legal but may not be meant."""

from __future__ import annotations

from collections.abc import Iterator

from adjudicator.games.checkered_flag.components import NEUTRAL
from adjudicator.games.checkered_flag.config import Config
from adjudicator.games.checkered_flag.state import Stage, State


def lint(config: Config, state: State) -> tuple[str, ...]:
    """Return a warning for each car that stands in neutral on a narrow position: nobody gets past it (CF-B1)."""
    return tuple(_warnings(config, state)) if state.stage is Stage.RACING else ()


def _warnings(config: Config, state: State) -> Iterator[str]:
    for racer in state.racers:
        if racer.gear == NEUTRAL and config.is_narrow_at(racer.driven):
            position = config.position_at(racer.driven)
            yield f"{racer.seat} stands in neutral on {position}, which is narrow: nobody gets past before it moves (CF-B1)"
