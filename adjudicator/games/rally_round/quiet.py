"""Recognize moves on which nothing happens (RR-M1), as most of a rally."""

from __future__ import annotations

from typing import Final

from adjudicator.games.rally_round.components import ROLLING, Feature
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.moving import FASTEST, STANDARD, paces_of, speeds_after
from adjudicator.games.rally_round.state import Crew
from adjudicator.games.rally_round.ways import Way

_ENDING: Final = frozenset((Feature.FORD, Feature.HAZARD, *ROLLING))
"""The features that matter if a move ends on them."""
_BY_ANYBODY: Final = (-STANDARD, 0, STANDARD)
"""How much every crew may change its speed with any cards (RR-M2, RR-M3)."""


def quiet_way(config: Config, crew: Crew, speed: int) -> Way:
    """Return the squares of the next turn of ``crew`` at ``speed`` if it is surely legal and quiet, otherwise none.

    It recognizes only cars on the correct route.
    """
    trail, section = crew.trail, config.sections[len(crew.lines)]
    at = section.places.get(trail[-1], len(section.way)) + 1
    way = section.way[at : at + speed // 10]
    paces = paces_of(config)
    if not way or speed > FASTEST or (len(trail) > 1 and way[0] == trail[-2]):
        return ()
    for square in way:
        if paces[square] < speed:
            return ()
    if config.network.squares[way[-1]].feature in _ENDING:
        return ()
    if speed - crew.speed in _BY_ANYBODY:
        return way
    return way if speed in speeds_after(config, crew.speed, trail[-1], crew.rights(config), way[0]) else ()
