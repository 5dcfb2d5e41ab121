"""The route: its correct way and Black Spots (RR-L2), and its times in seconds, penalties and places (RR-T, RR-P, RR-R1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Final, NamedTuple

from adjudicator.game import Flaw, Part, Seat, Value, count, listed, remembered, several
from adjudicator.games.rally_round.components import PREFIXES, Colour, Control, Feature, Rally, Side, SquareId, Timing
from adjudicator.games.rally_round.roads import Network, Reach, Way, Ways

_SHOWN: Final = 3
"""How many ways a message offers to leave."""
_TRIED: Final = 16
"""The most ways of which the search tries each."""
_TRIED_OF_MANY: Final = 4
"""How many ways a search tries if there are more: on a map like a chessboard every way needs many Black Spots."""
APART: Final = 3
"""The least distance of any control from the one before it, in squares (RR-L3)."""
TIMED_APART: Final = 12
"""The least distance of a time control from the one before it, in squares (RR-L3)."""
REGULARITIES: Final = range(20, 31)
"""The speeds of regularity sections in mph (RR-T4)."""
NO_REGULARITY: Final = "a regularity section needs a speed from 20 to 30 mph, and no other section has one"


class Post(Value, kw_only=True):
    """A control with its name, such as ``TC2``, ``PC5``, ``RTC3``."""

    name: str
    number: int
    square: SquareId
    side: Side | None
    timing: Timing | None
    speed: int | None = None

    @property
    def is_timed(self) -> bool:
        """Whether it is a time control."""
        return self.number == 1 or self.timing is not None


class Leg(Value, kw_only=True):
    """The way from one control to the next: all shortest ``ways``, empty without any."""

    start: Post
    end: Post
    ways: Ways


class Section(Value, kw_only=True):
    """A timed section: from one time control over PCs to the next, along the correct route ``way``, ends included.

    ``posts`` are its PCs and the time control at its end, ``distances`` their squares from the start; ``target``: seconds.
    ``before`` counts the squares of the sections before it.
    """

    start: Post
    posts: tuple[Post, ...]
    way: Way
    distances: tuple[int, ...]
    target: int
    before: int

    @property
    def end(self) -> Post:
        """The time control at its end."""
        return self.posts[-1]

    @property
    def timing(self) -> Timing:
        """How it is timed."""
        return self.end.timing or Timing.ROAD

    @property
    def distance(self) -> int:
        """Its length in squares along the correct route, however cars drive it (RR-H1)."""
        return len(self.way) - 1

    def left(self, square: SquareId, post: Post | None = None) -> int | None:
        """Return the number of squares from ``square`` to ``post``, or to its end; ``None`` off the correct route."""
        at = self.place(square)
        return None if at < 0 else (self.distance if post is None else self.place(post.square)) - at

    def place(self, square: SquareId) -> int:
        """Return the index of ``square`` on the correct route, -1 off it."""
        try:
            return self.way.index(square)
        except ValueError:
            return -1


def posts_of(controls: Collection[Control]) -> tuple[Post, ...]:
    """Return ``controls`` with their names in order: the start is TC1."""
    return tuple([post_of(number, control) for number, control in enumerate(controls, 1)])


def post_of(number: int, control: Control) -> Post:
    """Return ``control`` with its name under that ``number``."""
    is_timed = number == 1 or control.section is not None
    name = f"{PREFIXES[control.section or Timing.ROAD] if is_timed else 'PC'}{number}"
    square, side, timing, speed = control.square, control.side, control.section, control.speed
    return Post(name=name, number=number, square=square, side=side, timing=timing, speed=speed)


def ways_to(
    network: Network,
    start: SquareId,
    end: SquareId,
    side: Side | None,
    closed: Collection[SquareId],
    known: Reach | None = None,
) -> Ways:
    """Return the shortest ways from ``start`` into ``end`` by its ``side`` that use no square of ``closed`` (RR-L2).

    ``known`` are the squares in reach of ``start``, if an earlier search found them.
    """
    door = None if side is None else network.beside(end, side)
    if door is None or start == end or door in closed or end in closed:
        return Ways({})
    if door == start:
        return Ways({start: (), end: (start,)})
    # Ways over the control itself would enter it from another side.
    if known is None or end in known.before.get(door, (end,)):
        known = network.reach(start, {*closed, end})
    return known.ways(door, end)


@remembered
def legs_of(network: Network, rally: Rally) -> tuple[Leg, ...]:
    """Return the ways between the controls of ``rally``, whose squares are all on the map (RR-L2)."""
    posts, legs = posts_of(rally.controls), tuple[Leg, ...]()
    for start, end in pairwise(posts):
        legs = (*legs, leg_after(network, legs, start, end, rally.black_spots))
    return legs


def leg_after(network: Network, legs: Collection[Leg], start: Post, end: Post, black_spots: Collection[SquareId]) -> Leg:
    """Return the ways from ``start`` to ``end`` after the ``legs`` of a route (RR-L2)."""
    closed = closed_to(legs, start.square, black_spots)
    return Leg(start=start, end=end, ways=ways_to(network, start.square, end.square, end.side, closed))


def on_route(legs: Collection[Leg]) -> frozenset[SquareId]:
    """Return the squares that are surely on a route: those common to all ways of a leg (RR-H1)."""
    return frozenset[SquareId]().union(*(leg.ways.common for leg in legs))


def closed_to(legs: Collection[Leg], start: SquareId, black_spots: Collection[SquareId]) -> set[SquareId]:
    """Return the squares closed to ways from ``start``: Black Spots, and squares already on the route (RR-L2)."""
    return {*black_spots, *on_route(legs)} - {start}


class Choice(NamedTuple):
    """Black Spots on ``spots`` leave only one way; ``through`` is a square that tells it from most others."""

    through: SquareId
    spots: tuple[SquareId, ...]


def remedies(legs: Collection[Leg], leg: Leg, most: int | None = None) -> Iterator[Choice]:
    """Yield ways of an ambiguous ``leg``, each with the Black Spots that would leave only that way (RR-L2).

    Black Spots go only on squares that are not on the route. Each is where most other ways lead, and none is superfluous.
    Of many ways the search tries only the first; ways that Black Spots cannot single out are omitted, with ``most`` also
    those that need more of them.
    """
    ways, barred = leg.ways, on_route(legs)
    total, through = ways.through()
    for kept in islice(ways, _TRIED if ways.number <= _TRIED else _TRIED_OF_MANY):
        spots, left, over = list[SquareId](), total, through
        while left > 1 and len(spots) != most:
            free = [square for square, number in over.items() if number and square not in barred and square not in kept]
            if not free:
                break
            spots.append(min(free, key=lambda square: (-over[square], square)))
            left, over = ways.through(spots)
        if left == 1:
            for spot in tuple(spots):
                others = [other for other in spots if other != spot]
                spots = others if ways.through(others)[0] == 1 else spots
            yield Choice(min(kept, key=lambda square: (through[square], square)), tuple(spots))


def sections_of(legs: Collection[Leg]) -> tuple[Section, ...]:
    """Return the sections of a route that is complete; of several ways that nothing can tell apart the first counts."""
    sections: list[Section] = []
    posts: list[Post] = []
    distances: list[int] = []
    way: Way = ()
    before = 0
    for leg in legs:
        way = (*way, *leg.ways.first[1:]) if way else leg.ways.first
        posts.append(leg.end)
        distances.append(len(way) - 1)
        if leg.end.is_timed:
            start = sections[-1].end if sections else next(iter(legs)).start
            target, places = target_time(leg.end.timing or Timing.ROAD, len(way) - 1, leg.end.speed), tuple(distances)
            section = Section(start=start, posts=tuple(posts), way=way, distances=places, target=target, before=before)
            sections.append(section)
            before += section.distance
            posts, distances, way = [], [], ()
    return tuple(sections)


def flaws_of(network: Network, rally: Rally, *, is_complete: bool = True, is_certain: bool = True) -> Iterator[Flaw]:
    """Yield every flaw of ``rally``, including missing ways.

    The last control of a route that ``is_complete`` is a time control; one that ``is_certain`` has no ambiguous leg.
    """
    posts, found = posts_of(rally.controls), list[Flaw]()
    for post, control in zip(posts, rally.controls, strict=True):
        if post.square not in network.links:
            found.append(Flaw(f"{post.name}: the map has no square {post.square}", "RR-C4"))
        elif post.number > 1 and (post.side is None or network.beside(post.square, post.side) is None):
            sides = listed((network.side(post.square, other) for other in network.links[post.square]), "or")
            told = f", not from {post.side}" if post.side else ": say from which side"
            found.append(Flaw(f"cars can enter {post.name} at {post.square} from {sides}{told}", "RR-C4"))
        if (control.section is Timing.REGULARITY) is (control.speed is None):
            found.append(Flaw(f"{post.name}: {NO_REGULARITY}", "RR-T4"))
    first, last = rally.controls[0], posts[-1]
    strange = [spot for spot in rally.black_spots if spot not in network.links]
    has_end = first.section is not None or first.side is not None
    found += Flaw.where(
        (has_end, "TC1 is the start: it ends no section and has no side", "RR-C4"),
        *((True, f"two controls are on {square}", "RR-C4") for square, _ in sorted(several(one.square for one in posts))),
        (is_complete and not last.is_timed, f"{last.name} is the last control, so it must be a time control", "RR-C4"),
        *((True, f"the map has no square {spot} for a Black Spot", "RR-C4") for spot in strange),
    )
    yield from found
    if found:
        return
    legs = legs_of(network, rally)
    route = {*on_route(legs), *(post.square for post in posts)}
    for spot in rally.black_spots:
        if spot in route:
            yield Flaw(f"the Black Spot on {spot} is on the route", "RR-L2")
    for leg in legs:
        if not leg.ways:
            side = f" from {leg.end.side}" if leg.end.side else ""
            yield Flaw(f"no way leads from {leg.start.name} to {leg.end.name} at {leg.end.square}{side}", "RR-L2")
        elif is_certain and leg.ways.number > 1:
            yield Flaw(ambiguity_told(legs, leg), "RR-L2")


def ambiguity_told(legs: Collection[Leg], leg: Leg) -> str:
    """Describe the ambiguity of ``leg``, and the Black Spots that would settle it."""
    words = f"from {leg.start.name} to {leg.end.name} there are {leg.ways.number:,} ways of {leg.ways.distance} squares"
    shown = islice(remedies(legs, leg), _SHOWN)
    offered = [f"{listed(choice.spots)} for the way over {choice.through}" for choice in shown]
    return f"{words}: a Black Spot on {listed(offered, 'or on')} would settle it" if offered else words


def cautions(network: Network, rally: Rally, sections: Collection[Section]) -> Iterator[str]:
    """Yield warnings about legal routes that an organiser may not want (RR-L1, RR-L3, RR-L4, RR-T6)."""
    controls = rally.controls
    for control, words in ((controls[0], "starts"), (controls[-1], "finishes")):
        if network.squares[control.square].feature is not Feature.CHEQUERED:
            yield f"the rally {words} at {control.square}, which is not chequered (RR-L1)"
    for section in sections:
        near = [too_near(section.end.name, section.distance, section.start.name, TIMED_APART)]
        for post, (here, there) in zip(section.posts, pairwise((0, *section.distances)), strict=True):
            near.append(too_near(post.name, there - here, "the control before", APART))
        yield from map(flaw_text, filter(None, near))
        squares = [network.squares[square] for square in section.way[1:] if section.timing is Timing.SELECTIVE]
        major = [square.id for square in squares if square.colour in (Colour.RED, Colour.ORANGE)]
        quiet = [square.id for square in squares if square.feature is Feature.QUIET]
        if major:
            yield f"the selective to {section.end.name} uses red or orange road: {', '.join(major[:6])} (RR-T6)"
        if quiet:
            yield f"the selective to {section.end.name} passes a Quiet Zone: {', '.join(quiet)} (RR-T6)"
    if len(sections) < 4:
        yield f"the rally has {count(len(sections) + 1, 'time control')}: 5 at least for all that the game has (RR-L4)"


def too_near(control: str, distance: int, other: str, least: int) -> Flaw | None:
    """Return the flaw that a ``control`` is nearer to an ``other`` than so many squares, ``None`` if it is not (RR-L3)."""
    words = f"{control} is {count(distance, 'square')} from {other}: {least} at least"
    return Flaw(words, "RR-L3") if distance < least else None


def flaw_text(flaw: Flaw) -> str:
    """Return ``flaw`` for people, with its rule."""
    return f"{flaw.message} ({flaw.rule})"


# Times and penalties -----------------------------------------------------------------------------------------------------

MINUTE: Final = 60
"""The seconds of a turn, and of a mark: 1 mark is 1 minute of penalty (RR-P4)."""
FAULT: Final = 30 * MINUTE
"""The penalty for a control, a Give Way or a Quiet Zone (RR-P4)."""
RULES_OF_TIME: Final = {
    Timing.ROAD: "RR-T1",
    Timing.SELECTIVE: "RR-T2",
    Timing.STAGE: "RR-T3",
    Timing.REGULARITY: "RR-T4",
}
"""The rule of each target time."""
PRINTED: Final = frozenset(
    ((22, 21), (22, 24), (23, 18), (23, 21), (26, 21), (26, 24), (27, 12), (27, 21), (28, 18), (29, 24)),
)
"""The cells of the printed regularity table, speed and squares, that are a second below the formula (RR-T5)."""


def target_time(timing: Timing, squares: int, speed: int | None = None) -> int:
    """Return the target time in seconds for a section of ``squares``; a regularity is driven at ``speed`` mph (RR-T)."""
    if timing is Timing.ROAD:
        return MINUTE * -(-squares // 3)
    if timing is Timing.SELECTIVE:
        return 20 * squares
    if timing is Timing.STAGE:
        return 10 * squares
    if speed is None:
        raise ValueError("a regularity section has a speed")
    return half_up(600 * squares, speed) - ((speed, squares) in PRINTED)


def flying_finish(squares: int, move: int) -> int:
    """Return the seconds of a last turn: the control comes after ``squares`` of a move of ``move`` squares (RR-F3)."""
    return half_up(MINUTE * squares, move)


def half_up(number: int, by: int) -> int:
    """Return ``number`` divided by ``by``, rounded, with halves up."""
    return (2 * number + by) // (2 * by)


def timed(timing: Timing, taken: int, target: int) -> tuple[Part, ...]:
    """Return the penalty in seconds of a section that took ``taken`` seconds instead of ``target`` (RR-P1, RR-P2, RR-P3)."""
    late, early = max(0, taken - target), max(0, target - taken)
    parts: tuple[tuple[int, str, str], ...]
    if timing is Timing.ROAD:
        parts = (late, "late", "RR-P1"), (2 * early, "early, counted twice", "RR-P1")
    elif timing is Timing.REGULARITY:
        parts = (late, "late", "RR-P3"), (early, "early", "RR-P3")
    else:
        parts = ((late, "late", "RR-P2"),)
    return tuple([Part(*part) for part in parts if part[0]])


def clock(seconds: int) -> str:
    """Return ``seconds`` as ``m:ss``."""
    return f"{seconds // MINUTE}:{seconds % MINUTE:02}"


def ranked(sheets: Mapping[Seat, tuple[int, ...]], squares: Sequence[int]) -> list[list[Seat]]:
    """Return the seats in the order of their penalties; seats that share a place are together.

    ``sheets`` gives the penalty of each after every section, of ``squares`` each. Among equal seats each section
    counts for the one with the least penalty at its end. The most squares win; the others are compared again (RR-R1, RR-H6).
    """
    places: list[list[Seat]] = []
    level: dict[int, dict[Seat, tuple[int, ...]]] = {}
    for seat, totals in sheets.items():
        level.setdefault(totals[-1], {})[seat] = totals
    for _, tied in sorted(level.items()):
        while tied:
            led = dict.fromkeys(tied, 0)
            for section, distance in enumerate(squares):
                least = min(totals[section] for totals in tied.values())
                for seat, totals in tied.items():
                    led[seat] += distance if totals[section] == least else 0
            most = max(led.values())
            places.append([seat for seat in tied if led[seat] == most])
            tied = {seat: totals for seat, totals in tied.items() if led[seat] < most}
    return places
