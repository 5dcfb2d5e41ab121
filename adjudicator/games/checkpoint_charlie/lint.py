"""Warnings: what is legal but may not be meant."""

from __future__ import annotations

from adjudicator.games.checkpoint_charlie.components import Colour
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.purse import stasi_holder
from adjudicator.games.checkpoint_charlie.state import Stage, State


def lint(config: Config, state: State) -> tuple[str, ...]:
    """Return a warning for each colour of which not everybody could draw a marker: who draws late may get none (CC-K3)."""
    if state.stage is Stage.OVER:
        return ()
    pool = list(config.colours(state.pool))
    if stasi_holder(config, state) is not None:
        pool.append(Colour.BLACK)  # it goes back before anybody draws again (CC-O1)
    left = {colour: pool.count(colour) for colour in (Colour.WHITE, Colour.BLACK)}
    return tuple(
        f"{'1' if count == 1 else count or 'no'} {colour} {'marker is' if count == 1 else 'markers are'} left: "
        f"who draws late may get none, and once they have run out the game ends (CC-K3, CC-E1)"
        for colour, count in left.items()
        if count < len(config.seats)
    )
