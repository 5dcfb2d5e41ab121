"""The events and the orders: a step of the gears and the spin, braking, and how a car drives (CF-G1, CF-M1, CF-B, CF-X)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Final

from adjudicator.game import (
    LARGEST,
    Ask,
    Chance,
    Count,
    Event,
    Meta,
    Moves,
    Name,
    Order,
    Part,
    Positive,
    Problem,
    Said,
    Seat,
    Spent,
    Term,
    Value,
    Whole,
    count,
    listed,
    remember_last,
    replace,
)
from adjudicator.games.checkered_flag import components as parts
from adjudicator.games.checkered_flag.components import (
    GEAR_LETTERS,
    GEAR_NAMES,
    NEUTRAL,
    SHIFTS,
    THIRD,
    TURNS_LOST,
    Config,
    Gear,
    box_beside,
)
from adjudicator.games.checkered_flag.danger import CRASHES, Check, Face, Zone, checks, crash_of, up_to
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.state import Here, Racer, Spun, State

# What happens in turns, spins, moves and crashes; danger is in `danger.py`

Place = Annotated[Count, Said(lambda _config, place: str(place or "the line"))]
"""A position of the track, 0 for the starting line."""
_MOST_LOST: Final = max(TURNS_LOST)


class StartSpun(Event):
    """A seat spun for the first turn."""

    seat: Seat
    a: Face
    b: Face
    rule: Name = "CF-S1"

    def tell(self, config: Config) -> str:
        return f"{self.seat} spins {self.a} and {self.b} for the first turn: {self.a + self.b}"


class StartTied(Event):
    """Both spun the same total for the first turn: they spin again."""

    says = "both have {total}: they spin again"
    total: Annotated[int, Meta(ge=2, le=LARGEST)]
    rule: Name = "CF-S1"


class RaceStarted(Event):
    """The race is on; ``seat`` has the first turn."""

    says = "{seat} goes first"
    sets = {"turn": "seat"}
    seat: Seat
    rule: Name = "CF-S1"


class GearShifted(Event):
    """A seat shifted one step."""

    says = "{seat} shifts from {came_from} to {gear}"
    sets = {"own.gear": "gear"}
    seat: Seat
    came_from: Gear
    gear: Gear
    rule: Name = "CF-G1"


class StoodStill(Event):
    """A seat spent its turn in neutral: no spin, no move."""

    says = "{seat} stands still in neutral"
    seat: Seat
    rule: Name = "CF-G1"


class WheelsSpun(Event):
    """A seat spun for its move: ``spaces`` is what its gear makes of the wheels."""

    says = "{seat} spins {a} and {b} in {gear}: {spaces:space}"
    sets = {"spun": Spun}
    seat: Seat
    gear: Gear
    a: Face
    b: Face
    spaces: Positive
    rule: Name = "CF-M1"


class CarDriven(Event):
    """A car drove to ``position`` in ``lap``."""

    seat: Seat
    came_from: Place
    position: Place
    lap: Positive
    rule: Name = "CF-M1"

    def tell(self, config: Config) -> str:
        start = f"from {self.came_from}" if self.came_from else "from the line"
        crossed = "over the line " if self.came_from > self.position else ""
        lap = f" of lap {self.lap}" if config.laps > 1 else ""
        return f"{self.seat} drives {start} {crossed}to {self.position}{lap}"


class CarCrashed(Event):
    """A car crashed on ``position``: its seat loses ``turns``."""

    says = "{seat} has crashed on {position} and loses {turns:turn}"
    seat: Seat
    position: Place
    turns: Annotated[int, Meta(ge=1, le=_MOST_LOST)]
    rule: Name = "CF-X1"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, lost=self.turns, gear=box_beside(self.turns))


class TurnLost(Event):
    """A crashed seat lost a turn and its marker climbed, in the end to neutral; ``left`` more turns are lost."""

    seat: Seat
    left: Annotated[int, Meta(ge=0, le=_MOST_LOST - 1)]
    rule: Name = "CF-X1"

    def tell(self, config: Config) -> str:
        more = f"{count(self.left, 'more turn is', 'more turns are')} lost"
        return f"{self.seat} loses a turn by its crash; {more if self.left else 'the next turn starts in neutral'}"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, lost=self.left, gear=box_beside(self.left))


class TurnPassed(Event):
    """It became the turn of ``seat``, and what was spun is used up."""

    sets = {"turn": "seat"}
    becomes = {"spun": None}
    seat: Seat
    rule: Name = "CF-S1"


class LineCrossed(Event):
    """A car moved beyond the last position of the last lap."""

    says = "{seat} drives from {came_from} over the finish line"
    seat: Seat
    came_from: Place
    rule: Name = "CF-V1"


class GameEnded(Event):
    """The race is over; ``winner`` was first across the line."""

    says = "the race is over: {winner} wins"
    becomes = {"spun": None}
    winner: Seat
    rule: Name = "CF-V1"


# Braking and driving


class Stop(Value):
    """Where a car may stop by choice, ``spaces`` on: ``braked`` of its spin are given up in all; ``zone`` is right ahead.

    ``position`` is ``None`` if the braked move still crosses the finish line.
    """

    spaces: int
    position: int | None
    braked: int
    zone: Zone | None


class Drive(Value):
    """What a ``racer`` may do with its spin: ``spaces`` in all, ``free`` of them before the other car is in the way.

    It may stop by choice up to ``farthest`` where braking is free. ``zones`` has each zone that the move would enter, by the
    spaces to the position right before it (CF-B2).
    """

    config: Config
    racer: Racer
    spun: Spun
    spaces: Whole
    free: Whole
    farthest: int
    zones: Mapping[int, Zone]

    @property
    def stops(self) -> tuple[Stop, ...]:
        """The positions where it may stop by choice, in the order of driving."""
        last = min(self.free - 1, self.farthest) if self.racer.gear == parts.FIRST else max(self.zones, default=-1)
        return tuple(map(self._stop, range(last + 1) if self.config.brakes_freely else self.zones))

    @property
    def before_danger(self) -> Stop | None:
        """The stop right before the first danger zone that the move would enter: if there is one, the game asks."""
        return self._stop(min(self.zones)) if self.zones else None

    def _stop(self, gone: int) -> Stop:
        position = self.config.stop_at(self.racer.driven + gone)
        return Stop(gone, position, self.spaces - gone, self.zones.get(gone))


@remember_last
def drive_of(config: Config, state: State) -> Drive | None:
    """Return what the seat that has the turn may do with the wheels as they are spun, ``None`` while they are not.

    CF-B1: a car on a narrow position, maybe laps away, blocks it. CF-B2: a move may be cut short before each zone that it
    would enter, in first gear anywhere.
    """
    if state.turn is None or state.spun is None or not state.of(state.turn).gear:
        return None
    racer, spun, other = state.of(state.turn), state.spun, state.of(config.after(state.turn)).driven
    spaces = free = parts.made(racer.gear, spun.a, spun.b)
    if config.is_narrow_at(other):
        ahead = (other - racer.driven) % config.length or config.length
        if racer.driven + ahead <= config.distance:
            free = min(spaces, ahead - 1)
    farthest = free if config.brakes_freely else min(free, config.distance - racer.driven)
    ground = config.sections[racer.driven : racer.driven + farthest + 1]
    zones = {gone: ahead.zone for gone, (here, ahead) in enumerate(pairwise(ground)) if ahead and not here}
    return Drive(config, racer, spun, spaces, free, farthest, zones)


def drive_now(at: Here) -> Drive:
    """Return what the seat that has the turn may do with the wheels, which are spun."""
    drive = drive_of(at.config, at.state)
    assert drive is not None
    return drive


class Go(Order):
    """Do not brake by choice, once the wheels are spun."""

    examples: ClassVar[tuple[str, ...]] = ("GO",)

    def stop(self, drive: Drive) -> Stop | None:
        """Return where the car stops by choice; ``None`` if it goes as far as it can."""
        return None

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        drive = drive_now(at)
        return _why(drive, self.stop(drive))

    def decide(self, at: Here, chance: Chance) -> Moves:
        """Brake, check, drive, crash or cross the line, pass the turn: in this order."""
        config, drive = at.config, drive_now(at)
        racer, seat, stop = drive.racer, drive.racer.seat, self.stop(drive)
        left = drive.free if stop is None else stop.spaces
        if left < drive.spaces:
            forced, chosen, position = drive.spaces - drive.free, drive.free - left, config.stop_at(racer.driven + left)
            rule = "CF-B2" if chosen else "CF-B1"
            yield CarBraked(seat=seat, forced=forced, chosen=chosen, position=position, rule=rule)
        found = checks(config.sections, racer.gear, racer.driven, left, drive.spaces - left)
        crash = yield from crash_of(found, config, seat, chance)
        after, came_from = racer.driven + (crash.spaces if crash else left), config.position_at(racer.driven)
        yield Spent(seat=seat, before=racer.driven, after=after, why=_why(drive, stop, crash))
        if after > config.distance:
            yield LineCrossed(seat=seat, came_from=came_from)
            yield GameEnded(winner=seat)
            return
        position = config.position_at(after)
        if after > racer.driven:
            yield CarDriven(seat=seat, came_from=came_from, position=position, lap=config.lap_at(after))
        if crash:
            yield CarCrashed(seat=seat, position=position, turns=TURNS_LOST[racer.gear])
        yield TurnPassed(seat=config.after(seat))


class Brake(Go):
    """Give up ``spaces`` of the spin, forced braking included, or stop on ``to``: right before danger without either."""

    examples = ("BRAKE 2", "BRAKE to 36", "BRAKE before danger")
    spaces: int | None = None
    to: int | None = None

    def text(self) -> str:
        how = self.spaces if self.to is None else f"to {self.to}"
        return "BRAKE before danger" if how is None else f"BRAKE {how}"

    def stop(self, drive: Drive) -> Stop | None:
        """CF-B2: the position where the car can stop, or the number that leads to it."""
        if self.to is None and self.spaces is None:
            return drive.before_danger
        for stop in drive.stops:
            if stop.braked == self.spaces if self.to is None else stop.position == self.to:
                return stop
        return None

    def wrong(self, config: Config) -> Problem | None:
        if self.spaces != 0:
            return None
        return META.problem("nothing-braked", "to brake 0 spaces is the same as GO", "CF-B2", "spaces", ("GO",))

    def check(self, at: Here) -> Problem | None:
        drive = drive_now(at)
        if self.stop(drive) is not None:
            return None
        message = f"to {self.text().lower()} does not stop on the last position before a danger zone"
        if at.config.brakes_freely:
            message = f"{self.text()} is not possible here: {stops_told(drive)}"
        return META.problem("no-stop-there", message, "CF-B2", "spaces" if self.to is None else "place", brake_words(drive))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        drive = drive_now(at)
        yield from (cls(stop.braked) for stop in drive.stops)
        yield from (cls(to=stop.position) for stop in drive.stops if stop.position is not None)
        if drive.before_danger:
            yield cls()

    def decide(self, at: Here, chance: Chance) -> Moves:
        drive = drive_now(at)
        if self.stop(drive) is None:  # announced before the spin; the game says so unless the car brakes alike anyway
            there = at.config.position_at(drive.racer.driven + drive.free)
            if self not in (Brake(), Brake(drive.spaces - drive.free), Brake(to=there)):
                yield StopMissed(seat=at.seat, spaces=self.spaces, position=self.to)
        yield from super().decide(at, chance)


class CarBraked(Event):
    """A seat gave up spaces, ``forced`` by a car on a narrow position or ``chosen`` by order, and stops on ``position``.

    ``position`` is ``None`` if the move still crosses the finish line.
    """

    seat: Seat
    forced: Count
    chosen: Count
    position: Place | None
    rule: Name

    def tell(self, config: Config) -> str:
        whys = ((self.forced, f"behind {config.after(self.seat)} on the narrow track"), (self.chosen, "by choice"))
        why = listed(f"{spaces} {reason}" for spaces, reason in whys if spaces)
        where = f" to stop on {self.position}" if self.position else "" if self.position is None else " to stay at the line"
        return f"{self.seat} brakes {count(self.forced + self.chosen, 'space')}{where}: {why}"


class StopMissed(Event):
    """A seat announced to brake ``spaces``, or to stop on ``position``, but its spin does not allow it."""

    warns = True
    seat: Seat
    spaces: Positive | None
    position: Place | None
    rule: Name = "CF-B2"

    def tell(self, config: Config) -> str:
        what = f"stop on {self.position}" if self.spaces is None else f"brake {count(self.spaces, 'space')}"
        return f"{self.seat} cannot {what} with this spin: it goes on"


def _why(drive: Drive, stop: Stop | None, crash: Check | None = None) -> tuple[Part, ...]:
    """Return the reasons for the distance driven: the spin, less the braking up to ``stop`` or the loss by a ``crash``."""
    left, where = (drive.free, None) if stop is None else (stop.spaces, stop.zone)
    gear, a, b = drive.racer.gear, drive.spun.a, drive.spun.b
    which = f"{a} on both wheels" if a == b else f"the {'lesser' if gear == parts.FIRST else 'greater'} of {a} and {b}"
    found = [
        (drive.spaces, f"{GEAR_NAMES[gear]}, {f'{a} and {b} together' if gear == parts.THIRD else which}", "CF-M1"),
        (drive.free - drive.spaces, "braked behind the car on the narrow track", "CF-B1"),
        (left - drive.free, f"braked before the {where.name}" if where else "braked by choice", "CF-B2"),
    ]
    if crash and crash.section:
        found.append((crash.spaces - left, f"crashed in the {crash.section.zone.name}", "CF-D2"))
    return tuple(Part(amount, what, rule) for amount, what, rule in found if amount)


def brake_words(drive: Drive) -> tuple[str, ...]:
    """Return the orders that answer whether to brake before danger."""
    return ("GO", *(Brake(stop.braked).text() for stop in drive.stops if stop.zone))


def stops_told(drive: Drive) -> str:
    """Describe how far each order to brake leads, and where the car stops."""
    on_track = [stop for stop in drive.stops if stop.position is not None]
    first, last, shortest = on_track[0], on_track[-1], drive.stops[-1]
    if first == last:
        words = f"BRAKE {last.braked} stops on {last.position or 'the line'}"
    else:
        words = f"BRAKE {last.braked}–{first.braked} stops anywhere from {first.position or 'the line'} to {last.position}"
    if shortest.position is not None:
        return words
    beyond = str(shortest.braked) if last.braked == shortest.braked + 1 else f"{shortest.braked}–{last.braked - 1}"
    return f"{words}; BRAKE {beyond} drives over the finish line"


def _brake_or_not(at: Here) -> str:
    """Ask with the answers before each zone, where they lead and what is checked: the braking, then the danger."""
    config, drive = at.config, drive_now(at)
    gear, driven, spun = drive.racer.gear, drive.racer.driven, drive.spun
    ways = [("GO", drive.free, "")]
    ways += [(f"BRAKE {stop.braked}", stop.spaces, f", before the {stop.zone.name}") for stop in drive.stops if stop.zone]
    answers = []
    for order, left, before in ways:
        where = f"to {config.position_at(driven + left)}" if left else "to stay"
        where = "over the finish line" if driven + left > config.distance else where
        found = checks(config.sections, gear, driven, left, drive.spaces - left)
        sections = [check.section for check in found if check.section]
        risks = [f"a crash at {up_to(one.limit)} on wheel B" for one in found if not one.section]
        if risks and drive.spaces - left >= config.fastest[1]:
            risks = ["a sure crash"]
        if sections:
            risks.append(count(len(sections), "curve" if all(section.number for section in sections) else "check"))
        answers.append(f"{order} {where}{before}" + (f" ({', then '.join(risks)})" if risks else ""))
    if len(drive.stops) >= len(ways):
        answers.append(f"{stops_told(drive)}{' (a crash up to as many on wheel B)' if CRASHES[gear] else ''}")
    return f"brake or not ({spun.a} and {spun.b} in {GEAR_NAMES[gear]}): {'; '.join(answers)}"


BRAKE: Final = Ask(
    "brake",
    "CF-B2",
    _brake_or_not,
    (Go, Brake),
    lambda at: META.problem(
        "brake-first", "the wheels are spun: first BRAKE or GO", "CF-B2", near=brake_words(drive_now(at))
    ),
)


# The gears, and the words of all orders


class Shift(Order):
    """Shift to ``gear`` (0: neutral), or stay in it, and spin; ``answer`` says beforehand whether and how to brake."""

    examples = ("GEAR 2", "GEAR 3 go", "GEAR 3 brake before danger", "GEAR 1 brake 2", "GEAR 2 brake to 36")
    gear: int
    answer: Go | Brake | None = None

    def text(self) -> str:
        # A gear that does not exist keeps its number, so that a refusal can name it.
        name = GEAR_LETTERS[self.gear] if self.gear < len(GEAR_LETTERS) else str(self.gear)
        return f"GEAR {name} {self.answer.text().lower()}" if self.answer else f"GEAR {name}"

    def wrong(self, config: Config) -> Problem | None:
        if self.gear > THIRD:
            message = f"there is no gear {self.gear}: the gears are N, 1, 2 and 3"
            return META.problem("no-such-gear", message, "CF-C3", "box", gear_words(range(THIRD + 1)))
        if self.gear == NEUTRAL and self.answer:
            message = "in neutral the car does not move, so it cannot brake"
            return META.problem("nothing-moves", message, "CF-G1", near=("GEAR N",))
        problem = None if self.answer is None else self.answer.wrong(config)
        return None if problem is None else replace(problem, near=(Shift(self.gear, Go()).text(),))

    def check(self, at: Here) -> Problem | None:
        """CF-G1: one step at most; CF-B2: braking that some spin allows, to a position that the car can reach."""
        racer, gear, answer = at.own, self.gear, self.answer
        if gear not in SHIFTS[racer.gear]:
            message = f"from {GEAR_NAMES[racer.gear]} to {GEAR_NAMES[gear]} is more than one step"
            if racer.gear == NEUTRAL:
                message += ": a car that stands shifts to first gear"
            return META.problem("two-steps", message, "CF-G1", "box", gear_words(SHIFTS[racer.gear]))
        if not isinstance(answer, Brake):
            return None
        most, places = _ahead(at.config, racer, gear)
        if answer.to in places if answer.to is not None else answer.spaces is None or 1 <= answer.spaces <= most:
            return None
        term = "spaces" if answer.to is None else "place"
        message = f"in {GEAR_NAMES[gear]} a car goes {count(most, 'space')} at most"
        message += f": it cannot {answer.text().lower()} from {at.config.position_at(racer.driven) or 'the line'}"
        ways = tuple(Shift(gear, instead).text() for instead in (Brake(), Go()))
        return META.problem("out-of-reach", message, "CF-B2", term, ways)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        racer = at.own
        for gear in SHIFTS[racer.gear]:
            yield cls(gear)
            if gear != NEUTRAL:
                most, places = _ahead(at.config, racer, gear)
                answers = (Go(), Brake(), *map(Brake, range(1, most + 1)), *(Brake(to=place) for place in places))
                yield from (cls(gear, answer) for answer in answers)

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return () if self.gear == NEUTRAL else None

    def decide(self, at: Here, chance: Chance) -> Moves:
        """CF-G1, CF-M1: the shift, then the spin; in neutral the turn is over."""
        before = at.own.gear
        if self.gear != before:
            at = yield GearShifted(seat=at.seat, came_from=before, gear=self.gear)
        if self.gear == NEUTRAL:
            yield StoodStill(seat=at.seat)
            yield TurnPassed(seat=at.config.after(at.seat))
            return
        a, b = (at.config.spin(chance, at.seat, "the move", wheel) for wheel in "AB")
        at = yield WheelsSpun(seat=at.seat, gear=self.gear, a=a, b=b, spaces=parts.made(self.gear, a, b))
        if self.answer is not None or not drive_now(at).before_danger:
            yield from (self.answer or Go()).decide(at, chance)


def _ahead(config: Config, racer: Racer, gear: int) -> tuple[int, Iterator[int]]:
    """Return how many spaces the spin in ``gear`` gives at most, and where braking may stop: the spin decides (CF-B2)."""
    most = parts.made(gear, *config.fastest)
    return most, map(config.position_at, range(racer.driven, min(racer.driven + most - 1, config.distance) + 1))


def gear_words(gears: Iterable[int]) -> tuple[str, ...]:
    """Return the orders that shift to ``gears``."""
    return tuple(f"GEAR {GEAR_LETTERS[gear]}" for gear in gears)


GEAR: Final = Ask(
    "gear",
    "CF-G1",
    lambda at: f"choose a gear ({GEAR_NAMES[at.own.gear]} now): {listed(gear_words(SHIFTS[at.own.gear]), 'or')}",
    (Shift,),
    lambda at: META.problem(
        "gear-first",
        "nothing is spun yet: order a gear first, and braking after it if you like",
        "CF-G1",
        near=tuple(f"GEAR {max(1, at.own.gear)} {answer}" for answer in ("go", "brake before danger")),
    ),
)
ORDERS: Final = (Shift, Brake, Go)
TERMS: Final = {
    "box": Term.number(
        "a gear: N, 1, 2 or 3", {"n": 0} | {name.split()[0]: at for at, name in enumerate(GEAR_NAMES)}, "CF-C3"
    ),
    "spaces": Term.number("how many spaces, such as 2", rule="CF-B2"),
    "place": Term.number("a position, such as 36", rule="CF-B2"),
    "brake_to": Term("", lambda children: Brake(to=children[0])),
    "brake_before": Term.constant(Brake()),
}
"""The parts of the grammar."""
