"""Calculate one move (RR-M, RR-F): legal speeds, and what a car meets on its way, without seats or events."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from adjudicator.game import Seat
from adjudicator.games.rally_round.car import Car, Fault, Loss, Move, Passed, behind_on, rolled_trail
from adjudicator.games.rally_round.components import ROLLING, Colour, Does, Feature, Rights, Side, Square, SquareId, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.route import Post, posts_of
from adjudicator.games.rally_round.timing import MINUTE, flying_finish
from adjudicator.games.rally_round.ways import Way

STANDARD: Final = 10
"""The Starting Speed, and the change of speed, that every crew may use, in mph (RR-M2, RR-M3)."""
UPHILL: Final = 20
FASTEST: Final = 100
"""The absolute maximum speed in mph (RR-F12)."""
FASTEST_NAMED: Final = 200
"""The highest speed that an order or a sheet may name: no car comes near it even with the best cards."""
_LIMITS: Final = {
    Feature.QUIET: (40, 30, 20),
    Feature.BRIDGE: (50, 40, 30),
    Feature.BEND: (40, 30, 20),
    Feature.ROUGH: (20, 20, 20),
}
"""The limits on red and orange, yellow, and white roads (RR-F10, RR-F11)."""
_RAISED: Final = {
    Feature.QUIET: Does.QUIET,
    Feature.BRIDGE: Does.BRIDGE,
    Feature.BEND: Does.BEND,
    Feature.ROUGH: Does.ROUGH,
}


# A look-up in the enumeration takes twenty times as long, and moves need them for every square.
_STAGE, _ROAD, _GIVE_WAY, _QUIET = Timing.STAGE, Timing.ROAD, Feature.GIVE_WAY, Feature.QUIET
_FORD, _HAZARD = Feature.FORD, Feature.HAZARD


def meant_speed(number: int) -> str:
    """Return the speed that a ``number`` which is no speed probably means."""
    return str(min(FASTEST_NAMED, max(STANDARD, round(number, -1))))


def sign_limit(square: Square) -> int | None:
    """Return the limit in mph over ``square`` for every crew, ``None`` without one (RR-F10, RR-F11)."""
    if square.feature not in _LIMITS:
        return None
    red, yellow, white = _LIMITS[square.feature]
    return square.limit or {Colour.YELLOW: yellow, Colour.WHITE: white}.get(square.colour, red)


def limit_at(config: Config, square: Square, rights: Rights) -> int | None:
    """Return the limit in mph over ``square`` with the crew's cards, ``None`` without one, or under a marker."""
    feature = config.feature(square.id)
    if feature is None or (limit := sign_limit(square)) is None:
        return None
    return limit + rights.mph(_RAISED[feature], square.colour)


def legal_speeds(config: Config, car: Car, rights: Rights, ahead: SquareId | None) -> range:
    """Return the speeds that are legal for ``car`` now, with the square ``ahead`` of it (RR-M2, RR-M3)."""
    here = car.trail[-1]
    colour = config.network.squares[here].colour
    if car.speed:
        return legal_after(car.speed, 0, rights.mph(Does.ACCELERATE, colour), rights.mph(Does.DECELERATE, colour))
    known = legal_after(0, rights.mph(Does.START, colour), 0, 0)
    if ahead is not None and UPHILL not in known and _climbs(config, here, ahead):
        return range(STANDARD, UPHILL + 1, 10)
    return known


def legal_after(speed: int, start: int, faster: int, slower: int) -> range:
    """Return the speeds that may follow ``speed`` (0: starting) with cards for so many mph (RR-M2, RR-M3)."""
    if not speed:
        return range(STANDARD, max(STANDARD, start) + 1, 10)
    return range(max(STANDARD, speed - max(STANDARD, slower)), speed + max(STANDARD, faster) + 1, 10)


def _climbs(config: Config, here: SquareId, ahead: SquareId) -> bool:
    """Return whether the square ``ahead`` is a gradient that points back ``here``."""
    square = config.square(ahead)
    return config.feature(ahead) in ROLLING and config.network.side(ahead, here) is square.toward


class Traffic(NamedTuple):
    """The other cars of a table: the squares ``taken``, and ``blocked``, the crews on them that let no one overtake.

    A move that would end on a taken square ends on the next free one ahead, or with ``falls_back`` before it (RR-O1).
    """

    taken: frozenset[SquareId] = frozenset()
    blocked: Mapping[SquareId, Seat] = MappingProxyType({})
    falls_back: bool = False


ALONE: Final = Traffic()
"""The road without other cars."""


class Landing(NamedTuple):
    """The end of a move: after ``squares``; ``is_displaced`` by a taken square, or ``held`` by the car on one."""

    squares: int
    is_displaced: bool = False
    held: SquareId | None = None


def landing(config: Config, speed: int, way: Way, traffic: Traffic) -> Landing:
    """Return where a move over ``way`` at ``speed`` ends among other cars (RR-O1); a control has room for all."""
    squares = min(speed // 10, len(way))
    if not traffic.taken or traffic.taken.isdisjoint(way[:squares]):
        return Landing(squares)
    posts = {control.square for control in config.rally.controls}
    taken = traffic.taken - posts
    is_displaced = squares > 0 and way[squares - 1] in taken
    end = _free(way, squares, taken, back=traffic.falls_back) if is_displaced else squares
    farthest, free = max(squares, end), {*way[end - 1 : end]} & posts
    held = next((square for square in way[:farthest] if square in traffic.blocked and square not in free), None)
    if held is not None:
        return Landing(squares=_free(way, way.index(held), taken, back=True), held=held)
    return Landing(squares=end, is_displaced=is_displaced)


def _free(way: Way, squares: int, taken: frozenset[SquareId], *, back: bool) -> int:
    """Return after how many of ``way`` the next free square comes, from ``squares`` on; 0 is the car's own square."""
    while 0 < squares < len(way) and way[squares - 1] in taken:
        squares += -1 if back else 1
    return squares


def moved(config: Config, car: Car, rights: Rights, speed: int, way: Way, traffic: Traffic = ALONE) -> Move:
    """Return the result of driving ``way`` (the squares ahead) at a legal ``speed``, in ``traffic``."""
    if speed > FASTEST:
        return Move((), loss=Loss(car.at, (speed - FASTEST) // 10, FASTEST, "RR-F12"))
    landed = landing(config, speed, way, traffic)
    driving = _Driving(config, car, rights, speed, traffic.taken, landed)
    if driving.drive(way[: landed.squares]):
        driving.end()
    driving.stand()
    return driving.result()


class _Driving:
    """A move in progress, square by square: what the car has ``met``, and after it ``driven`` so much, in its roll."""

    def __init__(
        self, config: Config, car: Car, rights: Rights, speed: int, taken: frozenset[SquareId], landing: Landing
    ) -> None:
        self.config, self.car, self.rights, self.speed, self.taken, self.landing = config, car, rights, speed, taken, landing
        self.at, self.behind = car.trail[-1], behind_on(car.trail)
        self.squares: list[SquareId] = []
        self.rolled: list[SquareId] = []
        self.met: list[Fault | Passed] = []
        self.driven: int | None = None
        self.passed = 0
        self.is_over_limit = self.lands = self.stops = self.draws = False
        self.loss: Loss | None = None
        self.seconds: int | None = None
        self.banned: SquareId | None = None

    def result(self) -> Move:
        met = tuple(self.met)
        return Move(
            tuple(self.squares),
            tuple(self.rolled),
            met[: self.driven],
            () if self.driven is None else met[self.driven :],
            self.stops,
            self.loss,
            self.draws,
            self.seconds,
            self.banned,
        )

    @property
    def is_stage(self) -> bool:
        """Whether the car ignores signs and drives over controls."""
        return self.car.section.timing is _STAGE

    @property
    def stops_at_passages(self) -> bool:
        """Whether the car must stop at passage controls."""
        return not self.is_stage and not self.rights.can(Does.PASSAGE)

    @property
    def posts(self) -> tuple[Post, ...]:
        """The controls of the section that the car must still visit."""
        return self.car.section.posts[self.car.met + self.passed :]

    def drive(self, way: Way) -> bool:
        """Drive over the squares of ``way``; return whether the move ends on one of them."""
        for square in way:
            if self.squares:
                self._leave(square)
            self._go(square, self.squares)
            if self._is_banned(square) or self._meets_control(square) or not self._keeps_limit(self.config.square(square)):
                return False
        return bool(way)

    def end(self) -> None:
        """End the move where the car is: ford, ``!``, gradient, sign (RR-F5, RR-F7, RR-F8, RR-F9)."""
        feature = self.config.feature(self.at)
        if feature is None:
            return
        if feature is _FORD and not self.rights.can(Does.WATERPROOF):
            self.loss = Loss(self.at, self.speed // 10, 0, "RR-F7")
        elif feature is _HAZARD:
            self.draws = True
        elif feature in ROLLING:
            self._roll()
        self.stops = self.stops or self._asks_to_stop()

    def stand(self) -> None:
        """RR-M2: a car on a control or a Give Way needs a Starting Speed, however it came there."""
        if self.banned is None and self.seconds is None and self.loss is None and not self.stops:
            self.stops = self._asks_to_stop() or self._stands_at_control()

    def _stands_at_control(self) -> bool:
        """Return whether the car stands on a TC, or on a PC where it must stop in this section without a card."""
        if self.at not in self.config.marked:
            return False
        post = next((post for post in posts_of(self.config.rally.controls) if post.square == self.at), None)
        if post is None or post.is_timed:
            return post is not None
        return self.stops_at_passages

    def _go(self, square: SquareId, entered: list[SquareId]) -> None:
        self.at, self.behind = square, self.at
        entered.append(square)

    def _is_banned(self, square: SquareId) -> bool:
        spot = square in self.config.black_spots and not self.rights.can(Does.BLACK_SPOT)
        if spot or (square in self.config.network.tracks and not self.rights.can(Does.HIDDEN_TRACK)):
            self.banned = square
        return self.banned is not None

    def _leave(self, onward: SquareId) -> None:
        """RR-F5: record a fault if the car leaves a Give Way toward the major road without a stop."""
        if self.config.feature(self.at) is not _GIVE_WAY or self.is_stage or self.at in self.taken:
            return
        toward = self.config.square(self.at).toward
        if self.config.network.side(self.at, onward) is toward and not self.rights.can(Does.GIVE_WAY):
            self.met.append(Fault("RR-F5", f"not stopped at the Give Way on {self.at}"))

    def _asks_to_stop(self) -> bool:
        """RR-M2, RR-H5: a Starting Speed after a Give Way, met in the direction of the sign."""
        if self.config.feature(self.at) is not _GIVE_WAY or self.is_stage or self.rights.can(Does.GIVE_WAY):
            return False
        return self._comes_from_other_side_than(self.config.square(self.at).toward)

    def _comes_from_other_side_than(self, side: Side | None) -> bool:
        return self.behind is None or self.config.network.side(self.at, self.behind) is not side

    def _meets_control(self, square: SquareId) -> bool:
        """RR-F1 to RR-F4: visit the control on ``square`` if it is the next one; return whether the move ends there."""
        posts = self.posts
        if posts[-1].square == square:
            self._finish(posts[-1])
            return True
        if len(posts) > 1 and posts[0].square == square:
            self._pass(posts[0])
        return False

    def _pass(self, post: Post) -> None:
        """RR-F1, RR-F4: meet a passage control; in a stage the car drives over it, elsewhere the move ends on it."""
        self.passed += 1
        self.met.append(Passed(post.name))
        ends = self.lands or (not self.rolled and len(self.squares) == self.landing.squares)
        if self._comes_from_other_side_than(post.side):
            self.met.append(Fault("RR-F4", f"{post.name} entered the wrong way", post.name))
        elif self.stops_at_passages and not ends:
            self.met.append(Fault("RR-F1", f"not stopped at {post.name}", post.name))
        self.stops = self.stops or (ends and self.stops_at_passages)

    def _finish(self, post: Post) -> None:
        """RR-F2, RR-F3, RR-F4: reach the time control at the end of the section."""
        timing, move = self.car.section.timing, self.speed // 10
        for missed in self.posts[:-1]:
            self.met += [Passed(missed.name), Fault("RR-F1", f"{missed.name} never visited", missed.name, is_absence=True)]
        if self._comes_from_other_side_than(post.side):
            self.met.append(Fault("RR-F4", f"{post.name} entered the wrong way", post.name))
        elif timing is _ROAD and not self.rolled and len(self.squares) < move:
            self.met.append(Fault("RR-F2", f"carried past {post.name}", post.name))
        is_flying = timing is not _ROAD and not self.rolled and not self.landing.is_displaced
        self.seconds = flying_finish(len(self.squares), move) if is_flying else MINUTE

    def _keeps_limit(self, square: Square) -> bool:
        """RR-F10, RR-F11: of several limits that one move exceeds, only the first counts."""
        limit, is_quiet = limit_at(self.config, square, self.rights), square.feature is _QUIET
        is_free = square.id in self.taken or (is_quiet and self.is_stage)
        if limit is None or self.speed <= limit or self.is_over_limit or is_free:
            return True
        self.is_over_limit = True
        if is_quiet:
            self.met.append(
                Fault("RR-F10", f"{self.speed} mph through the Quiet Zone on {square.id}, where {limit} is allowed")
            )
            return True
        # A sign of a game from before version 3 may say 45: the excess is less than 10, and still costs a turn.
        self.loss = Loss(square.id, max(1, (self.speed - limit) // 10), limit, "RR-F11")
        return False

    def _roll(self) -> None:
        """RR-F9, RR-H3: roll down one square or two, back into controls or onto them."""
        path, self.driven = _free_downhill(self.config, self.at, self.taken), len(self.met)
        is_back = path[:1] == (self.behind,)
        for number, square in enumerate(path, 1):
            if self.rolled:
                self._leave(square)
            self._go(square, self.rolled)
            if self._is_banned(square):
                return
            self.lands = number == len(path)
            if is_back:
                self._rolls_back(square)
            elif self._meets_control(square):
                return

    def _rolls_back(self, square: SquareId) -> None:
        """RR-F9: count a control on ``square`` as missed if the car just left it or only drove over it."""
        car = self.car
        known = {*car.faulted, *(fault.control for fault in self.met if isinstance(fault, Fault))}
        for post in (car.section.start, *car.section.posts[: car.met + self.passed]):
            if post.square == square and post.name not in known:
                self.met.append(Fault("RR-F9", f"rolled back into {post.name}", post.name))
        self.behind = behind_on(rolled_trail((*car.trail, *self.squares), tuple(self.rolled)))


def _free_downhill(config: Config, at: SquareId, taken: frozenset[SquareId]) -> Way:
    """Return the squares to roll over: a roll onto a taken square without a control ends before it (RR-H4)."""
    path = config.network.downhill(at)
    if taken.isdisjoint(path):
        return path
    full = taken.difference(control.square for control in config.rally.controls)
    while path and path[-1] in full:
        path = path[:-1]
    return path
