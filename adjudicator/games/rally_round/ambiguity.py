"""Where a route is ambiguous (RR-L2): how many shortest ways there are, and the Black Spots that leave one of them."""

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
"""More Black Spots than that nobody places to leave one way."""
SHOWN: Final = 3
"""Ways of an ambiguous leg of which each is told with its Black Spots."""


@frozen
class Ambiguity:
    """A ``leg`` to which ``ways`` lead that are equally short, and some ``choices`` among them."""

    leg: Leg
    ways: int
    choices: tuple[Choice, ...]


def ambiguities(network: Network, rally: Rally) -> Iterator[Ambiguity]:
    """Yield every leg of ``rally`` that several shortest ways lead along, each with the Black Spots that would settle it."""
    legs = legs_of(network, rally)
    on_route = frozenset[SquareId]().union(*(leg.common for leg in legs))
    for leg in legs:
        if leg.ways.number > 1:
            yield Ambiguity(leg, leg.ways.number, tuple(islice(choices(leg.ways, on_route, MOST_SPOTS), SHOWN)))


def settled(network: Network, rally: Rally) -> tuple[SquareId, ...] | None:
    """Return the Black Spots that together leave one way everywhere, ``None`` if none are found.

    Of each ambiguous leg that of its choices is taken that needs the fewest.
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
