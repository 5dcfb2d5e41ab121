"""Estimate the points that a seat can still expect, for simulated players that plan ahead.

It reasons as a player does: suspects in a row match the clue of its owner, those on a pile do not. Looks are five bits here,
one for each trait: set for the first of its two faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from adjudicator.game import View
from adjudicator.games.checkpoint_charlie.components import FACES, TRAITS, Config, Looks, SuspectId
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Swap, Wait
from adjudicator.games.checkpoint_charlie.state import Agent, Answer, Speech, Stage, State

_POINT: Final = 100
"""Units of an estimate for each point."""
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
_ALL: Final = (1 << len(TRAITS)) - 1
"""The looks with the first face of each trait."""
_EITHER: Final = _ALL << len(TRAITS) | _ALL
"""All faces: the first ones of the traits, and above them the second ones."""
_FIRST: Final = tuple(faces[0] for faces in FACES.values())


def estimate(config: Config, view: View[State]) -> int:
    """Return the estimate for the viewer's seat, in hundredths of a point: the less, the better.

    The points of markers count from the moment they are drawn; the end of the game counts them a second time as the score,
    so this function subtracts them.
    """
    own = view.own(view.state.agents)
    return 0 if own is None else Outlook(config, view.state, own).estimate


def outlook(config: Config, view: View[State]) -> Outlook | None:
    """Return the outlook of the viewer's seat by its own knowledge; ``None`` without a seat."""
    own = view.own(view.state.agents)
    return None if own is None else Outlook(config, view.state, own)


class Outlook:
    """What ``own`` has to expect in the position ``seen``, and after each of its orders.

    Orders are not carried out: what others have sealed would show then, and what chance gives.
    """

    kinds = None
    """All that is legal is worth a look."""

    def __init__(self, config: Config, seen: State, own: Agent) -> None:
        """Look at the game through the eyes of ``own``."""
        self._config, self._seen, self._own = config, seen, own

    @property
    def estimate(self) -> int:
        """The ``estimate`` of the position."""
        own = self._own
        if self._seen.stage is Stage.OVER:
            return self._rest
        accused = self._seen.accused(own.seat) or (own.answer or Answer()).suspect
        return self._rest - self._this_round(accused) - _said(None if own.statement is None else own.statement.speech)

    def weighed(self, orders: Sequence[Any]) -> list[tuple[int, int]]:
        """Return what each of the legal ``orders`` costs, which is nothing, and what to expect once it is sealed."""
        return [(0, self._after(order)) for order in orders]

    def _after(self, order: Any) -> int:
        match order:
            case Accuse(suspect=suspect):
                return self._rest - self._this_round(suspect)
            case Wait():
                return self._rest - self._this_round(None)
            case Announce():
                return self._rest - _said(Speech.ANNOUNCE)
            case Swap():
                return self._rest - _said(Speech.SWAP)
        return self.estimate

    @cached_property
    def _rest(self) -> int:
        """The expectation from later rounds."""
        seen, points = self._seen, self._config.points(self._own.markers)
        if seen.stage is Stage.OVER:
            return -points * _POINT - points // 2
        rounds_left = 0 if seen.ending is not None else self._config.rounds - seen.round
        return -points * _POINT - rounds_left * _TO_COME

    def _this_round(self, accused: SuspectId | None) -> int:
        """Return the value of this round for a seat that has ``accused`` that suspect, or none."""
        seen = self._seen
        if seen.is_scored:
            return 0
        if seen.stage is Stage.CLUES or self._own.clue is None:
            return _UNKNOWN
        return self._waiting if accused is None else self._chances.worth(_code(self._config.looks[accused]))

    @cached_property
    def _chances(self) -> _Chances:
        known = tuple([(TRAITS.index(face.trait), face is FACES[face.trait][0]) for face in self._seen.clues])
        return _chief_chances(known, tuple(_evidence(self._config, self._seen)))

    @cached_property
    def _waiting(self) -> int:
        """Weigh the hope of accusing later against that of being the late one."""
        seen = self._seen
        if seen.stage is Stage.LAST_CALL:
            return _MISSED
        late = self._chances.late({_code(self._config.looks[suspect]) for suspect in seen.shown})
        to_go = len(seen.agents) - 1 - len(seen.accusations)
        return max(late, (_HOPE * (to_go + 1) + late) // (to_go + 2))


def _said(speech: Speech | None) -> int:
    """Return the value of a statement: an announcement mostly wins, and a marker of one point is worth giving away."""
    return _POINT if speech is Speech.ANNOUNCE else _POINT // 3 if speech is Speech.SWAP else 0


def _code(looks: Looks) -> int:
    """Return ``looks`` as bits."""
    return sum([1 << at for at, face in enumerate(looks) if face is _FIRST[at]])


class _Chances(NamedTuple):
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
def _chief_chances(known: tuple[tuple[int, bool], ...], evidence: tuple[int, ...]) -> _Chances:
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
    return _Chances(tuple(counts), sum(counts))


def _dealt_on(dealt: dict[int, int], clues: Sequence[int]) -> dict[int, int]:
    """Return in how many ways one more clue is dealt, one of ``clues``, by the set of those that are dealt then."""
    longer: dict[int, int] = {}
    for before, ways in dealt.items():
        for clue in clues:
            if not before >> clue & 1:
                after = before | 1 << clue
                longer[after] = longer.get(after, 0) + ways
    return longer
