"""A rough guess of the points that a seat has still to expect: what a simulated player that plans ahead goes by.

It reasons as a player does: what lies in a row matches the clue of its owner, what lies on a pile does not.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations, product
from typing import Final

from adjudicator.game import View
from adjudicator.games.checkpoint_charlie.components import FACES, TRAITS, Config, Face, Looks, SuspectId
from adjudicator.games.checkpoint_charlie.state import Agent, Answer, Speech, Stage, State

_POINT: Final = 100
"""How finely a guess is told: so many for a point."""
_EARNED: Final = {5: 380, 4: 150}
"""What an accusation brings by the clues its suspect matches, in hundredths of a point."""
_MISSED: Final = -50
"""What it brings with fewer matches, or none at all."""
_LATE: Final = 150
"""What the late one gets while the chief is in the deck."""
_HOPE: Final = 190
"""What an accusation is worth that is still to be made, with time to think."""
_TO_COME: Final = 120
"""What a round to come is worth."""
_UNKNOWN: Final = 160
"""What an accusation is worth before anything is known."""


def estimate(config: Config, view: View[State]) -> int:
    """Return the guess for the viewer's seat, in hundredths of a point: the less, the better.

    The points of markers count from the moment they are drawn; when the game is over they are told a second time as what
    was earned, which is set off here.
    """
    state = view.state
    own = view.own(state.agents)
    if own is None:
        return 0
    points = config.points(own.markers)
    if state.stage is Stage.OVER:
        return -points * _POINT - points // 2
    rounds_left = 0 if state.ending is not None else config.rounds - state.round
    return -points * _POINT - rounds_left * _TO_COME - _this_round(config, state, own) - _said(own)


def _said(own: Agent) -> int:
    """Who can announce ten points wins more often than not; a marker of one point is worth giving away."""
    worth = {Speech.ANNOUNCE: _POINT, Speech.SWAP: _POINT // 3}
    return 0 if own.statement is None else worth.get(own.statement.speech, 0)


def _this_round(config: Config, seen: State, own: Agent) -> int:
    if seen.stage is Stage.SCORING:
        return 0
    if seen.stage is Stage.CLUES or own.clue is None:
        return _UNKNOWN
    chances = _chief_chances(seen.clues, tuple(_evidence(config, seen)))
    accused = seen.accused(own.seat) or (own.answer or Answer()).suspect
    return _waiting(config, seen, chances) if accused is None else _worth(config, chances, accused)


def _waiting(config: Config, seen: State, chances: dict[Looks, float]) -> int:
    """Weigh the hope of accusing later against that of being the late one."""
    shown = {config.looks[suspect] for suspect in seen.shown}
    hidden = sum(chance for looks, chance in chances.items() if looks not in shown)
    late = int(_LATE * hidden + _MISSED * (1 - hidden))
    to_go = len(seen.agents) - 1 - len(seen.accusations)
    if seen.stage is Stage.LAST_CALL:
        return _MISSED
    return max(late, (_HOPE * (to_go + 1) + late) // (to_go + 2))


def _worth(config: Config, chances: dict[Looks, float], suspect: SuspectId) -> int:
    looks = config.looks[suspect]
    return int(sum(chance * _EARNED.get(sum(face in chief for face in looks), _MISSED) for chief, chance in chances.items()))


def _evidence(config: Config, seen: State) -> list[frozenset[Face]]:
    """Return what each clue not known can be; a counter in the bag can have any face."""
    found = []
    for agent in seen.agents:
        if agent.seen_clue is None:
            shared = [set(config.looks[suspect]) for suspect in agent.row]
            others = [set(config.looks[suspect]) for suspect in agent.pile]
            found.append(frozenset(set(Face).intersection(*shared).difference(*others)))
    return found + [frozenset(Face)] * seen.bag_size


@lru_cache(maxsize=4096)
def _chief_chances(known: tuple[Face, ...], evidence: tuple[frozenset[Face], ...]) -> dict[Looks, float]:
    """Return how likely each looks are those of the chief, every way to deal the clues alike."""
    left = [trait for trait in TRAITS if trait not in {face.trait for face in known}]
    counts: dict[Looks, int] = {}
    for traits in permutations(left):
        faces = [[face for face in FACES[trait] if face in can] for trait, can in zip(traits, evidence, strict=True)]
        for dealt in product(*faces):
            looks = _in_order((*known, *dealt))
            counts[looks] = counts.get(looks, 0) + 1
    total = sum(counts.values())
    return {looks: count / total for looks, count in counts.items()}


def _in_order(faces: tuple[Face, ...]) -> Looks:
    hat, glasses, coat, colour, newspaper = sorted(faces, key=lambda face: TRAITS.index(face.trait))
    return hat, glasses, coat, colour, newspaper
