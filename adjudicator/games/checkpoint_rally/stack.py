"""Drawing tiles: the stack is a bag of unseen tiles, renewed from the discard pile when it is empty (CR-T3)."""

from __future__ import annotations

from collections.abc import Generator

from adjudicator.core.chance import Chance
from adjudicator.games.checkpoint_rally.components import TileId
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.events import Event, StackRanOut, StackRenewed
from adjudicator.games.checkpoint_rally.state import State

Drawn = Generator[Event, State, tuple[tuple[TileId, ...], State]]


def draw_tiles(config: Config, state: State, chance: Chance, count: int, purpose: str) -> Drawn:
    """Pick ``count`` tiles of the stack for ``purpose``; return them and the state, from which they are not yet gone.

    Yields ``StackRenewed`` when the stack ends on the way and ``StackRanOut`` when the discard pile is empty as well.
    Tiles picked before a renewal are left out of the new stack by their being picked already.
    """
    picked: list[TileId] = []
    while len(picked) < count:
        left = [tile for tile in state.stack if tile not in picked]
        if left:
            picked.append(TileId(chance.pick(purpose, left)))
        elif state.discard:
            state = yield StackRenewed(tiles=config.sorted(state.discard))
        else:
            state = yield StackRanOut(missing=count - len(picked))
            break
    return tuple(picked), state
