"""Survey an unfinished route (RR-L) once for all possible next markers, which are about a thousand."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from adjudicator.game import Flaw
from adjudicator.games.rally_round.components import Control, Side, SquareId
from adjudicator.games.rally_round.config import Config, found_of, legs_at
from adjudicator.games.rally_round.route import Leg, post_of, remedies, ways_to
from adjudicator.games.rally_round.spots import TRIED
from adjudicator.games.rally_round.state import State
from adjudicator.games.rally_round.ways import Reach, Way, Ways

_NEAREST = 3
"""The least distance of the finish from the control before it (RR-L3)."""


class Survey:
    """The survey of the route of one state: its ``legs``, the squares surely on its ``route``, the squares in reach.

    ``flaws`` caches findings about each marker, ``hopeless`` about each square and side.
    """

    def __init__(self, config: Config, state: State) -> None:
        """Survey the route of ``state``, which has a start and a finish."""
        self._config, self._state = config, state
        self.legs = legs_at(config, state.controls, state.black_spots)
        self.route = frozenset(chain.from_iterable(leg.common for leg in self.legs))
        self.flaws: dict[tuple[str, str, str | None], Flaw | None] = {}
        self.hopeless: dict[tuple[SquareId, Side | None], Flaw | None] = {}
        self._ways: dict[tuple[SquareId, Side | None], Ways] = {}
        self._here = state.controls[-1].square
        self._closed = {*self.route, *state.black_spots} - {self._here}  # see ``closed_to``
        self._asked = 0
        self._reach: Reach | None = None
        self._back: list[Reach] | None = None
        doubtful = (leg.ways.before.keys() - leg.common for leg in self.legs if leg.ways.number > 1)
        self._doubtful = frozenset(chain.from_iterable(doubtful))
        on = [leg.ways.before.keys() - {leg.start.square} for leg in self.legs]
        self._is_separate = sum(map(len, on)) == len(set().union(*on)) and state.finish not in self._doubtful

    def _ways_back(self) -> list[Reach]:
        """Return the squares in reach of each square before the finish: links lead both ways."""
        network, finish = self._config.network, self._state.finish
        doors = network.links[finish] if finish is not None and finish not in self._closed else ()
        return [network.reach(door, {*self._closed, finish}) for door in doors if finish and door not in self._closed]

    def legs_to(self, control: Control) -> tuple[Leg, ...]:
        """Return the legs with ``control`` as the next one."""
        controls, key = self._state.controls, (control.square, control.side)
        if key not in self._ways:
            # Most orders place one marker: searching only as far as that is faster than searching the whole map.
            known = self._onward() if self._asked or not self._closed else None
            self._asked += 1
            self._ways[key] = ways_to(self._config.network, self._here, *key, self._closed, known)
        start, end = post_of(len(controls), controls[-1]), post_of(len(controls) + 1, control)
        return (*self.legs, Leg(start=start, end=end, ways=self._ways[key]))

    def within_reach(self) -> Collection[SquareId]:
        """Return the squares that some further way reaches."""
        return self._onward().far

    def _onward(self) -> Reach:
        if self._reach is None:
            self._reach = self._config.network.reach(self._here, self._closed)
        return self._reach

    def goes_on_from(self, leg: Leg) -> bool:
        """Return whether the route can surely be completed after ``leg``, the next one (RR-L4).

        It can if legs are ambiguous only on squares that no other leg needs: Black Spots can leave any one of their ways,
        and so on up to the finish. A ``False`` is not certain: completion may still be possible.
        """
        square, finish = leg.end.square, self._state.finish
        union = leg.ways.before.keys() - {square}
        if not self._is_separate or not union or finish in union or not self._doubtful.isdisjoint(union):
            return False
        return square == finish or self._finds_finish(square, {*self._doubtful, *union})

    def goes_on_without(self, square: SquareId) -> bool:
        """Return whether the route can surely be completed with a Black Spot on ``square``; see ``goes_on_from``."""
        if not self._is_separate or any(square in leg.ways.before for leg in self.legs):
            return False
        return self._here == self._state.finish or self._finds_finish(self._here, {*self._doubtful, square})

    def _finds_finish(self, start: SquareId, gone: Collection[SquareId]) -> bool:
        """Return whether the search finds a shortest way from ``start`` to the finish without the squares ``gone``."""
        if self._asked < 2 and any(len(way) >= _NEAREST for way in self._ways_on(start, gone, is_nearest=True)):
            return True
        if self._back is None:
            self._back = self._ways_back()
        for back in self._back:
            for is_last in (False, True):
                way = back.way(start, last=is_last)
                if len(way) >= _NEAREST and frozenset(way).isdisjoint(gone):
                    return True
        return any(len(way) >= _NEAREST for way in self._ways_on(start, gone))

    def _ways_on(self, start: SquareId, gone: Collection[SquareId], *, is_nearest: bool = False) -> Iterator[Way]:
        """Yield a shortest way from ``start`` to each side of the finish, without the squares ``gone``.

        With ``is_nearest`` it searches no farther than the nearest side.
        """
        network, finish = self._config.network, self._state.finish
        assert finish is not None
        doors = network.links[finish]
        onward = network.reach(start, {*self._closed, self._here, *gone, finish} - {start}, *(doors if is_nearest else ()))
        yield from filter(None, map(onward.way, doors))

    def goes_on_by_spots(self, leg: Leg) -> bool:
        """Return whether the search finds Black Spots that settle ``leg``, the next one, and leave a way to the finish."""
        square, finish = leg.end.square, self._state.finish
        if self._doubtful or leg.ways.number < 2 or square == finish:
            return False
        found = (choice for choice in remedies((*self.legs, leg), leg) if finish not in (*choice.spots, *choice.kept))
        ways = (self._ways_on(square, (*choice.kept, *choice.spots)) for choice in found)
        return any(len(way) >= _NEAREST for on in ways for way in on)

    def is_cut_off(self, leg: Leg) -> bool:
        """Return whether each way of ``leg``, the next one, surely cuts off the finish; it ignores other legs."""
        square = leg.end.square
        if square == self._state.finish or self._doubtful or not 1 < leg.ways.number <= TRIED:
            return False
        return not any(any(self._ways_on(square, way)) for way in leg.ways)


def survey_of(config: Config, state: State) -> Survey:
    """Return the survey of the route of ``state``, from the cache if possible."""
    found = found_of(config, state)
    if "survey" not in found:
        found["survey"] = Survey(config, state)
    survey: Survey = found["survey"]
    return survey
