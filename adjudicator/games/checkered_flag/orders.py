"""The orders of Checkered Flag: when each is legal, and what it does (CF-G1, CF-M1, CF-B2, CF-D1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from adjudicator.core.values import replace
from adjudicator.game import Chance, Moves, Order, Part, Problem, Seat, Spent, Term, count, remember_last
from adjudicator.games.checkered_flag import components as parts
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, GEAR_NAMES, NEUTRAL, SHIFTS, Config, Section
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.state import Drive, Here, Racer, State, Stop, drive_of, entered


class _Answer(Order):
    """An order about braking, while the wheels are spun."""

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        drive = drive_now(at.config, at.state)
        return _why(drive, _answers(drive)[self])


class Brake(_Answer):
    """Give up ``spaces`` of the spin, forced braking included, or stop on ``to``: right before danger without either."""

    examples = ("BRAKE 2", "BRAKE to 36", "BRAKE before danger")
    spaces: int | None = None
    to: int | None = None

    def text(self) -> str:
        how = self.spaces if self.to is None else f"to {self.to}"
        return "BRAKE before danger" if how is None else f"BRAKE {how}"

    def wrong(self, config: Config) -> Problem | None:
        if self.spaces != 0:
            return None
        return META.problem("nothing-braked", "to brake 0 spaces is the same as GO", "CF-B2", "spaces", ("GO",))

    def check(self, at: Here) -> Problem | None:
        """CF-B2: to a position where the car can stop."""
        drive = drive_now(at.config, at.state)
        if self in _answers(drive):
            return None
        last = f"to {self.text().lower()} does not stop on the last position before a danger zone"
        message = f"{self.text()} is not possible here: {stops_told(drive)}" if at.config.brakes_freely else last
        return META.problem("no-stop-there", message, "CF-B2", "spaces" if self.to is None else "place", brake_words(drive))

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        return (answer for answer in _answers(drive_now(at.config, at.state)) if isinstance(answer, cls))

    def decide(self, at: Here, chance: Chance) -> Moves:
        drive = drive_now(at.config, at.state)
        stop = _answers(drive).get(self)
        if stop is None:
            there = at.config.position_at(drive.racer.driven + drive.free)
            if self not in (Brake(), Brake(drive.spaces - drive.free), Brake(to=there)):  # no more than comes without them
                yield happened.StopMissed(seat=at.seat, spaces=self.spaces, position=self.to)
        yield from _move(at.config, drive, stop, chance)


class Go(_Answer):
    """Do not brake by choice."""

    examples = ("GO",)

    def decide(self, at: Here, chance: Chance) -> Moves:
        yield from _move(at.config, drive_now(at.config, at.state), None, chance)


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
        if self.gear > parts.THIRD:
            message = f"there is no gear {self.gear}: the gears are N, 1, 2 and 3"
            return META.problem("no-such-gear", message, "CF-C3", "box", gear_words(range(parts.THIRD + 1)))
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
        if not isinstance(answer, Brake) or answer in _ahead(at.config, racer, gear):
            return None
        most, term = parts.made(gear, *at.config.fastest), "spaces" if answer.to is None else "place"
        message = f"in {GEAR_NAMES[gear]} a car goes {count(most, 'space')} at most"
        message += f": it cannot {answer.text().lower()} from {at.config.position_at(racer.driven) or 'the line'}"
        ways = tuple(Shift(gear, instead).text() for instead in (Brake(), Go()))
        return META.problem("out-of-reach", message, "CF-B2", term, ways)

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        racer = at.own
        return (cls(gear, answer) for gear in SHIFTS[racer.gear] for answer in (None, *_ahead(at.config, racer, gear)))

    def cost(self, at: Here) -> tuple[Part, ...] | None:
        return () if self.gear == NEUTRAL else None

    def decide(self, at: Here, chance: Chance) -> Moves:
        """CF-G1, CF-M1: the shift, then the spin; in neutral the turn is over."""
        before = at.own.gear
        if self.gear != before:
            at = yield happened.GearShifted(seat=at.seat, came_from=before, gear=self.gear)
        if self.gear == NEUTRAL:
            yield happened.StoodStill(seat=at.seat)
            yield happened.TurnPassed(seat=at.config.after(at.seat))
            return
        a, b = spin(chance, at.config, at.seat, "the move")
        at = yield happened.WheelsSpun(seat=at.seat, gear=self.gear, a=a, b=b, spaces=parts.made(self.gear, a, b))
        if self.answer is not None or not drive_now(at.config, at.state).before_danger:
            yield from (self.answer or Go()).decide(at, chance)


def drive_now(config: Config, state: State) -> Drive:
    """Return what the seat that has the turn may do with the wheels, which are spun."""
    drive = drive_of(config, state)
    assert drive is not None
    return drive


@remember_last
def _answers(drive: Drive) -> dict[Any, Stop | None]:
    """Return the possible answers about braking now, each with its stop by choice; GO has none (CF-B2)."""
    answers: dict[Any, Stop | None] = {Go(): None}
    answers.update((Brake(stop.braked), stop) for stop in drive.stops)
    answers.update((Brake(to=stop.position), stop) for stop in drive.stops if stop.position is not None)
    return answers | ({Brake(): drive.before_danger} if drive.before_danger else {})


def _ahead(config: Config, racer: Racer, gear: int) -> tuple[Go | Brake, ...]:
    """Return the orders about braking that may precede the spin in ``gear``; the spin decides whether they apply (CF-B2)."""
    if gear == NEUTRAL:
        return ()
    most = parts.made(gear, *config.fastest)
    places = range(racer.driven, min(racer.driven + most - 1, config.distance) + 1)
    return (Go(), Brake(), *map(Brake, range(1, most + 1)), *(Brake(to=config.position_at(driven)) for driven in places))


def gear_words(gears: Iterable[int]) -> tuple[str, ...]:
    """Return the orders that shift to ``gears``."""
    return tuple(f"GEAR {GEAR_LETTERS[gear]}" for gear in gears)


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


def spin(chance: Chance, config: Config, seat: Seat, purpose: str, wheels: str = "AB") -> Iterator[int]:
    """Yield what each of ``wheels`` shows when ``seat`` spins them (CF-C2)."""
    faces = {"A": config.components.wheel_a, "B": config.components.wheel_b}
    return (int(chance.pick(f"wheel {wheel} of {seat} for {purpose}", _words(faces[wheel]))) for wheel in wheels)


@lru_cache(maxsize=64)
def _words(faces: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, faces))


def _move(config: Config, drive: Drive, stop: Stop | None, chance: Chance) -> Moves:
    """Brake, check, drive, crash or cross the line, pass the turn: in this order (CF-B2, CF-D1)."""
    racer, left = drive.racer, drive.free if stop is None else stop.spaces
    is_crash = left < drive.spaces and (yield from _brake(config, drive, left, chance))
    curve = None if is_crash else (yield from _take_curves(config, racer, left, chance))
    after, came_from = racer.driven + (curve[1] if curve else left), config.position_at(racer.driven)
    yield Spent(seat=racer.seat, before=racer.driven, after=after, why=_why(drive, stop, curve))
    position = config.position_at(after)
    if after > config.distance:
        yield happened.LineCrossed(seat=racer.seat, came_from=came_from)
        yield happened.GameEnded(winner=racer.seat)
        return
    if after > racer.driven:
        yield happened.CarDriven(seat=racer.seat, came_from=came_from, position=position, lap=config.lap_at(after))
    if is_crash or curve:
        yield happened.CarCrashed(seat=racer.seat, position=position, turns=parts.TURNS_LOST[racer.gear])
    yield happened.TurnPassed(seat=config.after(racer.seat))


def _brake(config: Config, drive: Drive, left: int, chance: Chance) -> Moves:
    """CF-B1, CF-B2: stop, and check unless in first gear; return whether the car crashes where braking put it."""
    seat, forced, chosen = drive.racer.seat, drive.spaces - drive.free, drive.free - left
    position, rule = config.stop_at(drive.racer.driven + left), "CF-B2" if chosen else "CF-B1"
    yield happened.CarBraked(seat=seat, forced=forced, chosen=chosen, position=position, rule=rule)
    if not parts.CRASHES[drive.racer.gear]:
        return False
    (b,), limit = spin(chance, config, seat, "the braking", "B"), forced + chosen
    yield happened.BrakesChecked(seat=seat, b=b, limit=limit, is_crash=b <= limit)
    return b <= limit


def _take_curves(config: Config, racer: Racer, spaces: int, chance: Chance) -> Moves:
    """CF-D1, CF-D2: check each curve entered; return the one of a crash and the spaces to its end, ``None`` without one."""
    limit = parts.CRASHES[racer.gear]
    for section, reached in entered(config, racer.driven, spaces) if limit else ():
        zone, number = section.zone, section.number
        curve = (f", curve {number}" if number else ", between its curves") if len(zone.curves) > 1 else ""
        (b,) = spin(chance, config, racer.seat, f"the {zone.name}{curve}", "B")
        yield happened.CurveChecked(seat=racer.seat, zone=zone.id, curve=number, b=b, limit=limit, is_crash=b <= limit)
        if b <= limit:
            return section, reached
    return None


def _why(drive: Drive, stop: Stop | None, crash: tuple[Section, int] | None = None) -> tuple[Part, ...]:
    """Return the reasons for the distance driven: the spin, less the braking up to ``stop`` or the loss by a ``crash``."""
    left, where = (drive.free, None) if stop is None else (stop.spaces, stop.zone)
    gear, a, b = drive.racer.gear, drive.spun.a, drive.spun.b
    which = f"{a} on both wheels" if a == b else f"the {'lesser' if gear == parts.FIRST else 'greater'} of {a} and {b}"
    found = (
        (drive.spaces, f"{GEAR_NAMES[gear]}, {f'{a} and {b} together' if gear == parts.THIRD else which}", "CF-M1"),
        (drive.free - drive.spaces, "braked behind the car on the narrow track", "CF-B1"),
        (left - drive.free, f"braked before the {where.name}" if where else "braked by choice", "CF-B2"),
        *([(crash[1] - left, f"crashed in the {crash[0].zone.name}", "CF-D2")] if crash else []),
    )
    return tuple(Part(amount, what, rule) for amount, what, rule in found if amount)


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
