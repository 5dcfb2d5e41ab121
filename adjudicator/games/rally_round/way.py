"""A car: its way (RR-M6) along the correct route, over the places of its order, or back to a control; its legal speeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.game import Value
from adjudicator.games.rally_round.components import ROLLING, CardId, Colour, Does, Rights, Square, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.roads import Network, Way
from adjudicator.games.rally_round.route import Post, Section

STANDARD: Final = 10
"""The Starting Speed, and the change of speed, that every crew may use, in mph (RR-M2, RR-M3)."""
UPHILL: Final = 20
"""The Starting Speed that is always allowed if the next square is an uphill gradient (RR-M2)."""
FASTEST: Final = 100
"""The absolute maximum speed in mph (RR-F12)."""
FASTEST_NAMED: Final = 200
"""The highest speed that an order or a sheet may name: no car comes near it even with the best cards."""


class Turn(Value):
    """An order for one turn at ``speed``: over the places of ``via``, ``using`` a hazard card.

    ``lands`` says where the move ends if its square is taken: ``ahead`` or ``behind`` (empty: ahead).
    """

    speed: int
    via: tuple[str, ...] = ()
    using: CardId | None = None
    lands: str = ""


class Car(Value):
    """A car in its ``section``: the ``trail`` of squares up to its own, and its speed (0: it needs a Starting Speed).

    ``met`` is how many PCs it has met, ``faulted`` the controls that have cost it 30 marks.
    """

    section: Section
    trail: Way
    speed: int = 0
    met: int = 0
    faulted: tuple[str, ...] = ()

    @property
    def at(self) -> SquareId:
        """The square that it is on."""
        return self.trail[-1]

    @property
    def behind(self) -> SquareId | None:
        """The square that it came from, ``None`` if it may leave in any direction."""
        return self.trail[-2] if len(self.trail) > 1 else None

    @property
    def due(self) -> Post:
        """The next control that it has to visit."""
        return self.section.posts[self.met]


def rolled_trail(trail: Way, rolled: Way) -> Way:
    """Return the ``trail`` of a car after it ``rolled``: back along it, or forward."""
    is_back = rolled[:1] == trail[-2:-1]
    for square in rolled:
        back = trail[:-1] if trail[-2:-1] == (square,) else (square,)
        trail = back if is_back else (*trail, square)
    return trail


class NoWay(Exception):
    """The order names a way that no car can drive: ``name`` is the part of it, ``words`` say why.

    ``tracks`` are hidden tracks that would lead there.
    """

    def __init__(self, name: str, words: str, tracks: tuple[SquareId, ...] = ()) -> None:
        """Store the impossible ``name``, the reason in ``words``, and the ``tracks``."""
        super().__init__(words)
        self.name, self.words, self.tracks = name, words, tracks


def way_ahead(config: Config, car: Car, squares: int, via: Sequence[str] = ()) -> Way:
    """Return at most so many ``squares`` ahead of ``car``, fewer if the way ends at the time control or in a dead end.

    ``via`` names squares, places, roads and hidden tracks to take on the way, in order (RR-M6). Raises ``NoWay``.
    """
    here = car.trail[-1]
    is_at_control = (
        not car.speed and here in config.marked and any(control.square == here for control in config.rally.controls)
    )
    trail = car.trail[-1:] if is_at_control else car.trail[-2:]  # a car may leave a control in any direction
    route, at = car.section.way, car.section.place(here) + 1
    if not via and 0 < at < len(route) and route[at] not in trail[-2:-1]:
        return route[at : at + squares]  # most often, and faster
    begun, end = len(trail), car.section.end.square
    for name in via:
        # A place beyond the end of this move may still be correct: a move is as long as its speed.
        trail = (*trail, *_to(config, trail, name))
    while len(trail) - begun < squares and (len(trail) == begun or trail[-1] != end):
        onward = _onward(config, car, trail)
        if not onward:
            break
        trail = (*trail, *onward)
    ahead = trail[begun:][:squares]
    return ahead[: ahead.index(end) + 1] if end in ahead else ahead


def targets(network: Network, name: str) -> tuple[SquareId, ...]:
    """Return the squares of ``name``: a square, a place, a hidden track, or a road."""
    square = SquareId(name.upper())
    return (square,) if square in network.squares else network.named.get(name.lower(), ())


def _to(config: Config, trail: Way, name: str) -> Way:
    """Return the squares from the end of ``trail`` to the nearest with that ``name``."""
    network, here = config.network, trail[-1]
    called = targets(network, name)
    # The squares of a road where others join do not count.
    own = [square for square in called if len(network.links.get(square, ())) < 3 or len(called) == 1]
    wanted = {square for square in own or called if square != here}
    if not wanted:
        raise NoWay(name, f"the car is already at {_on_map(config, name)}")
    closed = {*trail[-2:-1], *(set(config.black_spots) - wanted)}
    track = tuple(wanted & network.tracks.keys()) if len(wanted) == 1 else ()
    ends = set(network.tracks[track[0]]) if track else wanted
    if track and here in ends:
        return track
    way = network.first(here, ends, closed) if here in network.links else _off_track(network, trail, ends, closed)
    if way is None:
        beside = [(one, (here, one)) for one, its_ends in network.tracks.items() if here in its_ends]
        tracks = tuple(one for one, onto in beside if _off_track(network, onto, ends, {*closed, here}))
        raise NoWay(name, f"no way leads from {here} to {_on_map(config, name)} without turning round", tracks)
    return (*way[1:], *track)


def _on_map(config: Config, name: str) -> str:
    """Return ``name``, in any case, as the map spells it."""
    if SquareId(name.upper()) in config.network.squares:
        return name.upper()
    roads = (road.name for road in config.components.roads)
    places = (square.place or "" for square in config.network.squares.values())  # including hidden tracks
    return next((str(one) for one in (*roads, *places) if one.lower() == name.lower()), name)


def _off_track(network: Network, trail: Way, wanted: set[SquareId], closed: set[SquareId]) -> Way | None:
    """Return the way for a car on a hidden track: it leaves by the other end."""
    end = _other_end(network, trail)
    if end in wanted:
        return (trail[-1], end)
    way = network.first(end, wanted, {*closed, trail[-1]})
    return None if way is None else (trail[-1], *way)


def _other_end(network: Network, trail: Way) -> SquareId:
    ends = network.tracks[trail[-1]]
    return next((end for end in ends if end not in trail[-2:-1]), ends[0])


def _onward(config: Config, car: Car, trail: Way) -> Way:
    """Return the next squares if the order names none: at least one, unless the road ends.

    On the correct route the car follows it; elsewhere it takes the shortest way to the next control without turning round,
    the first by square names of several; without such a way it drives straight on.
    """
    network, route, here, behind = config.network, car.section.way, trail[-1], trail[-2:-1]
    if here in network.tracks:
        return (_other_end(network, trail),)
    at = car.section.place(here) + 1
    if 0 < at < len(route) and route[at] not in behind:
        return route[at:]
    post = next((post for post in car.section.posts[car.met :] if post.square not in trail[2:]), car.section.end)
    closed, door = {*behind, *config.black_spots, post.square}, post.side and network.beside(post.square, post.side)
    if door == here:
        return (post.square,)
    way = network.first(here, {door}, closed) if door and door not in closed else None
    if way is not None:
        return (*way[1:], post.square)
    onward = [square for square in network.links[here] if square not in behind]
    ahead = [square for square in onward if behind and network.side(behind[0], here) is network.side(here, square)]
    return tuple((ahead or sorted(onward))[:1])


# Speeds and limits (RR-M2, RR-M3, RR-F10, RR-F11) ------------------------------------------------------------------------


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
