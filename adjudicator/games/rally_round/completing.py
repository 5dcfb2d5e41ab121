"""Decide whether a route at a table can still be completed (RR-L4): with Black Spots, and up to the finish."""

from __future__ import annotations

from adjudicator.game import change
from adjudicator.games.rally_round.components import Control, Timing
from adjudicator.games.rally_round.config import Config, legs_at
from adjudicator.games.rally_round.route import closed_to, remedies
from adjudicator.games.rally_round.state import State

_NEAREST = 3
"""The least distance of the finish from the control before it, if no other control is legal (RR-L3, RR-L4)."""


def can_be_completed(config: Config, state: State) -> bool:
    """Return whether Black Spots, and the finish as the last control, can complete the route of ``state``.

    Black Spots for one leg may block a later one, so the search follows every choice to the end.
    """
    legs = legs_at(config, state.controls, state.black_spots)
    if not all(leg.ways for leg in legs):
        return False
    doubtful = next((leg for leg in legs if leg.ways.number > 1), None)
    if doubtful is None:
        return state.controls[-1].square == state.finish or _can_finish(config, state)
    choices = (choice.spots for choice in remedies(legs, doubtful) if state.finish not in choice.spots)
    return any(can_be_completed(config, change(state, black_spots=(*state.black_spots, *spots))) for spots in choices)


def _can_finish(config: Config, state: State) -> bool:
    """Return whether the finish could be the next control, from any side."""
    network, finish, here = config.network, state.finish, state.controls[-1].square
    if finish is None:
        return True
    legs = legs_at(config, state.controls, state.black_spots)
    closed = closed_to(legs, here, state.black_spots)
    ways = network.reach(here, closed, finish).ways(finish)
    if ways.number == 1 and ways.distance >= _NEAREST:
        return True
    for door in network.links[finish] if ways else ():
        control = Control(square=finish, side=network.side(finish, door), section=Timing.ROAD)
        placed = change(state, controls=(*state.controls, control))
        if legs_at(config, placed.controls, placed.black_spots)[-1].distance >= _NEAREST and can_be_completed(
            config, placed
        ):
            return True
    return False
