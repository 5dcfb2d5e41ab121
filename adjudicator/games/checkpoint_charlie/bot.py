"""Advise a simulated agent by the points that it can still expect.

It reasons as a player does: suspects in a row match the clue of its owner, those on a pile do not. Looks are five bits here,
one for each trait: set for the first of its two faces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from adjudicator.game import View, advice
from adjudicator.games.checkpoint_charlie.components import FACES, TRAITS, Config, Looks, SuspectId
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
_ALL: Final = (1 << len(TRAITS)) - 1
"""The looks with the first face of each trait."""
_EITHER: Final = _ALL << len(TRAITS) | _ALL
"""All faces: the first ones of the traits, and above them the second ones."""
_FIRST: Final = tuple(faces[0] for faces in FACES.values())


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
    known = tuple([(TRAITS.index(face.trait), face is FACES[face.trait][0]) for face in state.clues])
    chances = chief_chances(known, tuple(_evidence(config, state)))

    def worth(accused: SuspectId | None) -> int:
        if accused is not None:
            return chances.worth(_code(config.looks[accused]))
        if state.stage is Stage.LAST_CALL:
            return _MISSED
        late = chances.late({_code(config.looks[suspect]) for suspect in state.shown})
        to_go = len(state.agents) - 1 - len(state.accusations)
        return max(late, (_HOPE * (to_go + 1) + late) // (to_go + 2))

    return worth


def _code(looks: Looks) -> int:
    """Return ``looks`` as bits."""
    return sum([1 << at for at, face in enumerate(looks) if face is _FIRST[at]])


class Chances(NamedTuple):
    """In how many ways clues can be dealt so that the chief has each looks, and in how many at all."""

    ways: tuple[int, ...]
    total: int

    def worth(self, looks: int) -> int:
        """Return what it is worth to accuse the suspect with ``looks``."""
        if not self.total:
            return 0
        all_five = self.ways[looks]
        four = sum([self.ways[looks ^ 1 << at] for at in range(len(TRAITS))])
        earned = _EARNED[5] * all_five + _EARNED[4] * four + _MISSED * (self.total - all_five - four)
        return int(earned / self.total)

    def late(self, shown: Iterable[int]) -> int:
        """Return what it is worth to be the late one, when suspects with the looks ``shown`` have been turned."""
        hidden = self.total - sum([self.ways[looks] for looks in shown])
        return int((_LATE * hidden + _MISSED * (self.total - hidden)) / self.total) if self.total else _MISSED


def _evidence(config: Config, seen: State) -> Iterator[int]:
    """Yield what each clue not known can be, as bits of faces; a counter in the bag can have any face."""
    for agent in seen.agents:
        if agent.seen_clue is None:
            can = _EITHER
            for suspect in agent.row:
                looks = _code(config.looks[suspect])
                can &= (_ALL ^ looks) << len(TRAITS) | looks
            for suspect in agent.pile:
                looks = _code(config.looks[suspect])
                can &= looks << len(TRAITS) | _ALL ^ looks
            yield can
    yield from (_EITHER,) * seen.bag_size


@lru_cache(maxsize=4096)
def chief_chances(known: tuple[tuple[int, bool], ...], evidence: tuple[int, ...]) -> Chances:
    """Return how likely each looks are those of the chief, every way to deal the clues alike.

    ``known`` are traits, each with whether its clue is the first of its faces; ``evidence`` what each other clue can be.
    """
    # For the looks so far: in how many ways their clues are dealt, by the set of those that are.
    found: dict[int, dict[int, int]] = {sum([is_first << trait for trait, is_first in known]): {0: 1}}
    for trait in set(range(len(TRAITS))).difference([trait for trait, _ in known]):
        longer = {}
        for looks, dealt in found.items():
            for is_first in (False, True):
                face = 1 << (trait if is_first else len(TRAITS) + trait)
                ways = _dealt_on(dealt, [at for at, can in enumerate(evidence) if can & face])
                if ways:
                    longer[looks | is_first << trait] = ways
        found = longer
    counts = [sum(found[looks].values()) if looks in found else 0 for looks in range(_ALL + 1)]
    return Chances(tuple(counts), sum(counts))


def _dealt_on(dealt: dict[int, int], clues: Sequence[int]) -> dict[int, int]:
    """Return in how many ways one more clue is dealt, one of ``clues``, by the set of those that are dealt then."""
    longer: dict[int, int] = {}
    for before, ways in dealt.items():
        for clue in clues:
            if not before >> clue & 1:
                after = before | 1 << clue
                longer[after] = longer.get(after, 0) + ways
    return longer
