"""Speeds and limits (RR-M2, RR-M3, RR-F10, RR-F11)."""

from __future__ import annotations

from typing import Final

from adjudicator.games.rally_round.components import ROLLING, CardId, Colour, Does, Rights, Square, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.state import Crew
from adjudicator.games.rally_round.way import Car, way_ahead

STANDARD: Final = 10
"""The Starting Speed, and the change of speed, that every crew may use, in mph (RR-M2, RR-M3)."""
UPHILL: Final = 20
"""The Starting Speed that is always allowed if the next square is an uphill gradient (RR-M2)."""
FASTEST: Final = 100
"""The absolute maximum speed in mph (RR-F12)."""
FASTEST_NAMED: Final = 200
"""The highest speed that an order or a sheet may name: no car comes near it even with the best cards."""


def speeds_here(config: Config, crew: Crew, via: tuple[str, ...] = (), using: CardId | None = None) -> range:
    """Return the speeds that are legal for ``crew`` now, on the way over ``via`` and with the hazard card in use.

    Raises ``NoWay`` (RR-M2, RR-M3, RR-M6).
    """
    # The square ahead matters to a car that starts on a hill; the places that an order names must exist in any case.
    car = crew.car(config)
    ahead = way_ahead(config, car, 1, via) if via or not car.speed else ()
    return legal_speeds(config, car, crew.rights(config, using), ahead[0] if ahead else None)


def legal_speeds(config: Config, car: Car, rights: Rights, ahead: SquareId | None) -> range:
    """Return the speeds that are legal for ``car`` now, with the square ``ahead`` of it (RR-M2, RR-M3)."""
    colour = config.network.squares[car.trail[-1]].colour
    if car.speed:
        return legal_after(car.speed, 0, rights.mph(Does.ACCELERATE, colour), rights.mph(Does.DECELERATE, colour))
    start = rights.mph(Does.START, colour)
    if start < UPHILL and ahead is not None and config.feature(ahead) in ROLLING:
        is_uphill = config.network.side(ahead, car.at) is config.square(ahead).toward
        start = UPHILL if is_uphill else start
    return legal_after(0, start, 0, 0)


def legal_after(speed: int, start: int, faster: int, slower: int) -> range:
    """Return the speeds that may follow ``speed`` (0: starting) with cards for so many mph (RR-M2, RR-M3)."""
    if not speed:
        return range(STANDARD, max(STANDARD, start) + 1, 10)
    return range(max(STANDARD, speed - max(STANDARD, slower)), speed + max(STANDARD, faster) + 1, 10)


def sign_limit(square: Square) -> int | None:
    """Return the limit in mph over ``square`` for every crew, ``None`` without one (RR-F10, RR-F11)."""
    if square.feature is None or square.feature.limits is None:
        return None
    red, yellow, white = square.feature.limits
    return square.limit or {Colour.YELLOW: yellow, Colour.WHITE: white}.get(square.colour, red)


def limit_at(config: Config, square: Square, rights: Rights) -> int | None:
    """Return the limit in mph over ``square`` with the crew's cards, ``None`` without one, or under a marker."""
    feature = config.feature(square.id)
    if feature is None or feature.raised_by is None or (limit := sign_limit(square)) is None:
        return None
    return limit + rights.mph(feature.raised_by, square.colour)


def meant_speed(number: int) -> str:
    """Return the speed that a ``number`` which is no speed probably means."""
    return str(min(FASTEST_NAMED, max(STANDARD, round(number, -1))))
