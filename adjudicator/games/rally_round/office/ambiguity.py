"""Describe ambiguous routes (RR-L2): how many shortest ways there are, and the Black Spots that leave one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from adjudicator.game import frozen
from adjudicator.games.rally_round.components import Rally, SquareId
from adjudicator.games.rally_round.network import Network
from adjudicator.games.rally_round.route import Leg, legs_of
from adjudicator.games.rally_round.spots import Choice, choices

MOST_SPOTS: Final = 12
"""The most Black Spots that an organiser would place to leave one way."""
SHOWN: Final = 3
"""How many ways of an ambiguous leg the report lists with their Black Spots."""


@frozen
class Ambiguity:
    """A ``leg`` with ``ways`` that are equally short, and ``choices`` of Black Spots for some of them."""

    leg: Leg
    ways: int
    choices: tuple[Choice, ...]


def ambiguities(network: Network, rally: Rally) -> Iterator[Ambiguity]:
    """Yield every leg of ``rally`` with several shortest ways, and the Black Spots that would settle it."""
    legs = legs_of(network, rally)
    on_route = frozenset[SquareId]().union(*(leg.common for leg in legs))
    for leg in legs:
        if leg.ways.number > 1:
            yield Ambiguity(leg, leg.ways.number, tuple(islice(choices(leg.ways, on_route, MOST_SPOTS), SHOWN)))


def settled(network: Network, rally: Rally) -> tuple[SquareId, ...] | None:
    """Return Black Spots that together leave one way on every leg, ``None`` if the search finds none.

    For each ambiguous leg it takes the choice with the fewest.
    """
    added: tuple[SquareId, ...] = ()
    for _ in rally.controls:
        marked = replace(rally, black_spots=(*rally.black_spots, *added))
        legs = legs_of(network, marked)
        if not all(leg.ways for leg in legs):
            return None
        if all(leg.ways.number == 1 for leg in legs):
            return added
        first = next(ambiguities(network, marked))
        if not first.choices:
            return None
        added = (*added, *min((choice.spots for choice in first.choices), key=len))
    return None
