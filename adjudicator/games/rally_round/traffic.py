"""Find the other cars in a car's way at a table (RR-O1, RR-H4)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from adjudicator.game import Seat
from adjudicator.games.rally_round.components import Does
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.moving import ALONE, Traffic
from adjudicator.games.rally_round.state import Crew, Here, State

_UNOVERTAKEN: Final = Does.UNOVERTAKEN


def traffic_of(at: Here, *, falls_back: bool = False, blocks: Collection[Seat] = ()) -> Traffic:
    """Return the other cars on the road of a table for ``seat`` (RR-O1, RR-H4); by internet there are no others.

    Among crews that want to be asked, those in ``blocks`` let no one overtake.
    """
    config, state, seat = at.config, at.state, at.seat
    if not config.is_table:
        return ALONE
    others = [crew for crew in state.crews if crew.seat != seat and _is_on_road(config, crew)]
    if not others:
        return ALONE
    blocked = {crew.trail[-1]: crew.seat for crew in reversed(others) if _lets_nobody_pass(config, state, crew, blocks)}
    return Traffic(frozenset([crew.trail[-1] for crew in others]), blocked, falls_back)


def _lets_nobody_pass(config: Config, state: State, crew: Crew, blocks: Collection[Seat]) -> bool:
    """Return whether no car can overtake ``crew``: because of its kit, or until its next turn of the hazard card it used."""
    is_waiting = crew.seat in state.queue
    if crew.guarded and crew.guarded == state.minute - is_waiting:
        return True
    is_willing = crew.seat in blocks if crew.is_asking else crew.is_blocking
    return is_willing and crew.rights(config).can(_UNOVERTAKEN)


def _is_on_road(config: Config, crew: Crew) -> bool:
    """Return whether the car of ``crew`` may be in another one's way: it is neither off the road nor done (RR-H4)."""
    return bool(crew.trail) and not crew.is_off and crew.out is None and len(crew.lines) < len(config.sections)
