"""Advise a simulated agent by the points that it can still expect.

It reasons as a player does: suspects in a row match the clue of its owner, those on a pile do not. So it tries each looks as
those of the chief, in every way in which the other clues can be dealt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import permutations, product
from typing import Final

from adjudicator.game import View, advice
from adjudicator.games.checkpoint_charlie.components import FACES, Config, Face, Looks, SuspectId
from adjudicator.games.checkpoint_charlie.state import Agent, Answer, Speech, Stage, State

_EARNED: Final = {5: 380, 4: 150}
"""The worth of an accusation by the number of clues that its suspect matches, in hundredths of a point."""
_MISSED: Final = -50
"""The worth of an accusation with fewer matches, or of none at all."""
_LATE: Final = 150
"""The worth of being the late one while the chief is in the deck."""
_HOPE: Final = 190
"""The worth of an accusation that is still to be made, with time to think."""
_UNKNOWN: Final = 160
"""The worth of an accusation before anything is known."""
_SAID: Final = {Speech.ANNOUNCE: 100, Speech.SWAP: 33}
"""The worth of a statement: an announcement mostly wins, and a marker of one point is worth giving away."""


def advise(view: View[Config, State, Agent], luck: advice.Luck, *, plans: bool) -> advice.Advice | None:
    """Advise answers and statements by what they are worth."""
    own = view.own
    if not plans or own is None:
        return None
    worth = worth_of_round(view.config, view.state, own)

    def ahead(state: State) -> int:
        now = state.of(own.seat)
        accused = state.accused(own.seat) or (now.answer or Answer()).suspect
        return -worth(accused) - (0 if now.statement is None else _SAID.get(now.statement.speech, 0))

    return advice.Advice(ahead=ahead)


def worth_of_round(config: Config, state: State, own: Agent) -> Callable[[SuspectId | None], int]:
    """Return a function that gives the worth of this round to ``own`` once it has accused a suspect, or none."""
    if state.is_scored or state.stage is Stage.CLUES or own.clue is None:
        return lambda accused: _UNKNOWN
    hidden = []
    for agent in state.agents:
        if agent.seen_clue is None:
            in_row, on_pile = ([config.looks[one] for one in suspects] for suspects in (agent.row, agent.pile))
            faces = (face for face in Face if all(face in looks for looks in in_row))
            hidden.append(frozenset(face for face in faces if not any(face in looks for looks in on_pile)))
    # A counter in the bag can have any face.
    ways = ways_of_chiefs(frozenset(state.clues), (*hidden, *[frozenset(Face)] * state.bag_size))
    total = sum(ways.values())

    def worth(accused: SuspectId | None) -> int:
        if accused is not None:
            matches = {chief: len(set(chief).intersection(config.looks[accused])) for chief in ways}
            earned = sum(_EARNED.get(matches[chief], _MISSED) * many for chief, many in ways.items())
            return int(earned / total) if total else 0
        if state.stage is Stage.LAST_CALL:
            return _MISSED
        seen = sum(ways.get(config.looks[suspect], 0) for suspect in state.shown)
        late = int((_LATE * (total - seen) + _MISSED * seen) / total) if total else _MISSED
        to_go = len(state.agents) - 1 - len(state.accusations)
        return max(late, (_HOPE * (to_go + 1) + late) // (to_go + 2))

    return worth


@lru_cache(maxsize=4096)
def ways_of_chiefs(known: frozenset[Face], hidden: tuple[frozenset[Face], ...]) -> Mapping[Looks, int]:
    """Return the looks that the chief can have, each with the number of ways to deal its other clues.

    ``known`` are the clues that are seen; ``hidden`` are the faces that each other clue can have.
    """
    ways = {}
    for looks in product(*FACES.values()):
        if known.issubset(looks):
            other = [face for face in looks if face not in known]
            dealt = sum(all(map(frozenset.__contains__, clues, other)) for clues in permutations(hidden))
            if dealt:
                ways[looks] = dealt
    return ways
