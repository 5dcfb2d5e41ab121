"""Every order that is legal now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_charlie.check import accusable, check
from adjudicator.games.checkpoint_charlie.components import FACES, Colour
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Clue, Pass, Swap, Wait
from adjudicator.games.checkpoint_charlie.purse import adler_of, partners
from adjudicator.games.checkpoint_charlie.state import State
from adjudicator.games.checkpoint_charlie.turn import CLUE, HEARING, LAST_CALL, WINDOW, decision_kind


def legal(config: Config, state: State, seat: Seat) -> Iterator[Any]:
    """Yield every order that ``check`` accepts from ``seat`` now, grouped by kind.

    Of the ways to write an order the shortest is given: ``WAIT`` without a number, an accusation without its time.
    """
    kind = decision_kind(config, state, seat)
    if kind == CLUE:
        trait = state.agent(seat).trait
        yield from (Clue(face.value) for face in (FACES[trait] if trait else ()))
    elif kind == WINDOW:
        yield Wait()
        yield from (Accuse(suspect) for suspect in accusable(config, state))
    elif kind == LAST_CALL:
        yield from (Accuse(suspect) for suspect in accusable(config, state))
    elif kind == HEARING:
        yield Pass()
        if check(config, state, seat, Announce()) is None:
            yield Announce()
        for colour in Colour:
            if adler_of(config, state, seat, colour) is not None:
                others = partners(config, state, seat, colour)
                yield from (Swap(colour.value, config.investigators[other]) for other in others)
