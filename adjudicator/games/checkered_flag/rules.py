"""The rules of Checkered Flag: who is asked, what is legal, what follows, who has won (CF)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from adjudicator.game import (
    Chance,
    Decision,
    Flaw,
    Moves,
    Part,
    Problem,
    Rules,
    Seat,
    Setup,
    Spent,
    Standing,
    View,
    change,
    count,
    drawing,
    listed,
)
from adjudicator.games.checkered_flag import components as parts
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag import state as states
from adjudicator.games.checkered_flag.components import (
    CRASHES,
    GEAR_LETTERS,
    GEAR_NAMES,
    NEUTRAL,
    SHIFTS,
    THIRD,
    TURNS_LOST,
    Config,
)
from adjudicator.games.checkered_flag.facts import FACTS, doing
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.orders import ORDERS, TERMS, Brake, Go, Shift
from adjudicator.games.checkered_flag.state import Drive, Racer, State, Stop, drive_of, entered


class CheckeredFlag(Rules[Config, State]):
    """A race for 2 players with gears, wheels, curves and crashes."""

    meta, upgrades = META, states.UPGRADES
    components, position, state = parts.Components, states.Position, State
    events, orders, terms, facts = happened.EVENTS, ORDERS, TERMS, FACTS
    candidates_are_legal = True

    def draw(self, config: Config, view: View[State]) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import board

        return board.draw(config, view)

    def catalogue(self, components: parts.Components) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import board

        return board.catalogue(components)

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup))
        return parts.configure(setup, version)

    def place(self, config: Config, position: Any) -> State:
        if not isinstance(position, State):
            position = change(position, seats=tuple(states.racer_at(config, at) for at in position.seats))
        return states.normalized(config, super().place(config, position))

    def impossible(self, config: Config, state: State, position: Any) -> Iterator[str | Flaw]:
        if position is not None:
            yield from states.misplaced(config, position)
        yield from states.impossible(config, state)

    def decision(self, config: Config, state: State, seat: Seat) -> Decision | Problem | None:
        winner, racer, drive = state.winner(config), state.due(config), drive_of(config, state)
        if winner is not None:
            words = "has won the race" if winner == seat else f"has lost the race to {winner}"
            return META.problem("race-over", f"the race is over: {seat} {words}", "CF-V1")
        if racer is None or racer.seat != seat:
            return None
        if drive is not None:
            return Decision(seat, "brake", _ask_brake(config, drive), "CF-B2")
        ask = f"choose a gear ({GEAR_NAMES[racer.gear]} now): {listed(_gears(SHIFTS[racer.gear]), 'or')}"
        return Decision(seat, "gear", ask, "CF-G1")

    def due(self, config: Config, state: State) -> tuple[Seat, ...]:
        return () if (racer := state.due(config)) is None else (racer.seat,)

    def position_if_due(self, config: Config, state: State, seat: Seat) -> State | None:
        # What the other has spun is its own, and does not move this car.
        return None if state.turn is None or state.winner(config) else change(state, turn=seat, spun=None)

    def is_over(self, config: Config, state: State) -> bool:
        return state.winner(config) is not None

    def validate(self, config: Config, order: Any) -> Problem | None:
        match order:
            case Shift(gear=gear) if gear > THIRD:
                message = f"there is no gear {gear}: the gears are N, 1, 2 and 3"
                return META.problem("no-such-gear", message, "CF-C3", "box", _gears(range(THIRD + 1)))
            case Shift(gear=0, answer=Go() | Brake()):
                message = "in neutral the car does not move, so it cannot brake"
                return META.problem("nothing-moves", message, "CF-G1", suggestions=("GEAR N",))
            case Brake(spaces=0):
                return META.problem("nothing-braked", "to brake 0 spaces is the same as GO", "CF-B2", "spaces", ("GO",))
            case Shift(gear=gear, answer=Brake() as answer) if problem := self.validate(config, answer):
                return change(problem, suggestions=(Shift(gear, Go()).text(),))
        return None

    def check(self, config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
        racer, drive = state.due(config), drive_of(config, state)
        if racer is None or racer.seat != seat:
            return self.not_due(config, state, seat, "not-your-turn", "CF-S1")
        if drive is None:
            return _check_shift(config, racer, order)
        if isinstance(order, Shift):
            message = "the wheels are spun: first BRAKE or GO"
            return META.problem("brake-first", message, "CF-B2", suggestions=_offered(drive))
        return None if order in drive.answers else _no_stop(config, drive, order)

    def candidates(self, config: Config, state: State, seat: Seat) -> Iterable[Any]:
        racer, drive = state.due(config), drive_of(config, state)
        if racer is None or racer.seat != seat:
            return ()
        if drive is not None:
            return drive.answers
        return (Shift(gear, answer) for gear in SHIFTS[racer.gear] for answer in (None, *_ahead(config, racer, gear)))

    def cost(self, config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        drive = drive_of(config, state)
        if drive is None:
            return () if order == Shift(NEUTRAL) else None
        return happened.why(drive, drive.answers[order])

    def decide(self, config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves[State]:
        if isinstance(order, Shift):
            state = yield from _shift(config, state, seat, order.gear, chance)
        drive, answer = drive_of(config, state), order.answer if isinstance(order, Shift) else order
        if drive is None or (answer is None and drive.before_danger):
            return
        stop = drive.answers.get(answer) if isinstance(answer, Brake) else None
        if stop is None and isinstance(answer, Brake):
            there = config.position_at(drive.racer.driven + drive.free)
            if answer not in (Brake(), Brake(drive.spaces - drive.free), Brake(to=there)):  # no more than comes without them
                yield happened.StopMissed(seat=seat, spaces=answer.spaces, position=answer.to)
        yield from _move(config, drive, stop, chance)

    def proceed(self, config: Config, state: State, chance: Chance) -> Moves[State]:
        if self.is_over(config, state):
            return
        if state.turn is None:
            yield from _spin_for_start(config, chance)
        elif lost := state.racer(state.turn).lost:
            yield happened.TurnLost(seat=state.turn, left=lost - 1)
            yield happened.TurnPassed(seat=config.after(state.turn))

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        is_over = self.is_over(config, state)
        return Standing.ranking(
            state.racers,
            key=lambda racer: -racer.driven,
            score=lambda racer: racer.driven,
            note=lambda racer: _note(config, racer, is_over=is_over),
            is_final=is_over,
        )

    def warnings(self, config: Config, state: State) -> Iterable[str]:
        """Warn of each car in neutral on a narrow position, which the other cannot pass (CF-B1)."""
        for racer in () if self.is_over(config, state) else state.racers:
            if racer.gear == NEUTRAL and config.is_narrow_at(racer.driven):
                place = f"{config.position_at(racer.driven)}, which is narrow"
                yield f"{racer.seat} is in neutral on {place}: the other car cannot pass before it moves (CF-B1)"


def _note(config: Config, racer: Racer, *, is_over: bool) -> str:
    if racer.driven > config.distance:
        return "first across the finish line"
    if is_over:
        return "on the track, crashed" if racer.lost else "on the track"
    where = f"position {config.position_at(racer.driven)}" if racer.driven else "at the starting line"
    lap = f" of lap {config.lap_at(racer.driven)}" if racer.driven and config.laps > 1 else ""
    return f"{where}{lap}, {doing(racer)}"


def _gears(gears: Iterable[int]) -> tuple[str, ...]:
    return tuple(f"GEAR {GEAR_LETTERS[gear]}" for gear in gears)


def _check_shift(config: Config, racer: Racer, order: Any) -> Problem | None:
    """CF-G1: first a gear, one step at most; CF-B2: braking that some spin allows, to a position that the car can reach."""
    if not isinstance(order, Shift):
        message = "nothing is spun yet: order a gear first, and braking after it if you like"
        gear = f"GEAR {max(1, racer.gear)}"
        return META.problem("gear-first", message, "CF-G1", suggestions=(f"{gear} go", f"{gear} brake before danger"))
    if order.gear not in SHIFTS[racer.gear]:
        message = f"from {GEAR_NAMES[racer.gear]} to {GEAR_NAMES[order.gear]} is more than one step"
        if racer.gear == NEUTRAL:
            message += ": a car that stands shifts to first gear"
        return META.problem("two-steps", message, "CF-G1", "box", _gears(SHIFTS[racer.gear]))
    if not isinstance(order.answer, Brake) or order.answer in _ahead(config, racer, order.gear):
        return None
    most, term = parts.made(order.gear, *config.fastest), "spaces" if order.answer.to is None else "place"
    message = f"in {GEAR_NAMES[order.gear]} a car goes {count(most, 'space')} at most"
    message += f": it cannot {order.answer.text().lower()} from {config.position_at(racer.driven) or 'the line'}"
    ways = tuple(Shift(order.gear, answer).text() for answer in (Brake(), Go()))
    return META.problem("out-of-reach", message, "CF-B2", term, ways)


def _ahead(config: Config, racer: Racer, gear: int) -> tuple[Go | Brake, ...]:
    """Return the orders about braking that may precede the spin in ``gear``; the spin decides whether they apply (CF-B2)."""
    if gear == NEUTRAL:
        return ()
    most = parts.made(gear, *config.fastest)
    places = range(racer.driven, min(racer.driven + most - 1, config.distance) + 1)
    stops = (Brake(to=config.position_at(driven)) for driven in places)
    return (Go(), Brake(), *map(Brake, range(1, most + 1)), *stops)


def _offered(drive: Drive) -> tuple[str, ...]:
    return ("GO", *(Brake(stop.braked).text() for stop in drive.stops if stop.zone))


def _no_stop(config: Config, drive: Drive, order: Brake) -> Problem:
    last = f"to {order.text().lower()} does not stop on the last position before a danger zone"
    message = f"{order.text()} is not possible here: {_anywhere(drive)}" if config.brakes_freely else last
    return META.problem("no-stop-there", message, "CF-B2", "spaces" if order.to is None else "place", _offered(drive))


def _spin(chance: Chance, config: Config, seat: Seat, purpose: str, wheels: str = "AB") -> Iterator[int]:
    """Yield what each of ``wheels`` shows when ``seat`` spins them (CF-C2)."""
    faces = {"A": config.components.wheel_a, "B": config.components.wheel_b}
    return (int(chance.pick(f"wheel {wheel} of {seat} for {purpose}", _words(faces[wheel]))) for wheel in wheels)


@lru_cache(maxsize=64)
def _words(faces: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(map(str, faces))


def _shift(config: Config, state: State, seat: Seat, gear: int, chance: Chance) -> Moves[State]:
    """CF-G1, CF-M1: the shift, then the spin; in neutral the turn is over. Return the state after it."""
    before = state.racer(seat).gear
    if gear != before:
        state = yield happened.GearShifted(seat=seat, came_from=before, gear=gear)
    if gear == NEUTRAL:
        yield happened.StoodStill(seat=seat)
        return (yield happened.TurnPassed(seat=config.after(seat)))
    a, b = _spin(chance, config, seat, "the move")
    return (yield happened.WheelsSpun(seat=seat, gear=gear, a=a, b=b, spaces=parts.made(gear, a, b)))


def _move(config: Config, drive: Drive, stop: Stop | None, chance: Chance) -> Moves[State]:
    """Brake, check, drive, crash or cross the line, pass the turn: in this order (CF-B2, CF-D1)."""
    racer, left = drive.racer, drive.free if stop is None else stop.spaces
    is_crash = left < drive.spaces and (yield from _brake(config, drive, left, chance))
    curve = None if is_crash else (yield from _take_curves(config, racer, left, chance))
    after, came_from = racer.driven + (curve[1] if curve else left), config.position_at(racer.driven)
    yield Spent(seat=racer.seat, before=racer.driven, after=after, why=happened.why(drive, stop, curve))
    position = config.position_at(after)
    if after > config.distance:
        yield happened.LineCrossed(seat=racer.seat, came_from=came_from)
        yield happened.GameEnded(winner=racer.seat)
        return
    if after > racer.driven:
        yield happened.CarDriven(seat=racer.seat, came_from=came_from, position=position, lap=config.lap_at(after))
    if is_crash or curve:
        yield happened.CarCrashed(seat=racer.seat, position=position, turns=TURNS_LOST[racer.gear])
    yield happened.TurnPassed(seat=config.after(racer.seat))


def _brake(config: Config, drive: Drive, left: int, chance: Chance) -> Moves[State]:
    """CF-B1, CF-B2: stop, and check unless in first gear; return whether the car crashes where braking put it."""
    seat, forced, chosen = drive.racer.seat, drive.spaces - drive.free, drive.free - left
    position, rule = config.stop_at(drive.racer.driven + left), "CF-B2" if chosen else "CF-B1"
    yield happened.CarBraked(seat=seat, forced=forced, chosen=chosen, position=position, rule=rule)
    if not CRASHES[drive.racer.gear]:
        return False
    (b,), limit = _spin(chance, config, seat, "the braking", "B"), forced + chosen
    yield happened.BrakesChecked(seat=seat, b=b, limit=limit, is_crash=b <= limit)
    return b <= limit


def _take_curves(config: Config, racer: Racer, spaces: int, chance: Chance) -> Moves[State]:
    """CF-D1, CF-D2: check each curve entered; return the one of a crash and the spaces to its end, ``None`` without one."""
    limit = CRASHES[racer.gear]
    for section, reached in entered(config, racer.driven, spaces) if limit else ():
        zone, number = section.zone, section.number
        curve = (f", curve {number}" if number else ", between its curves") if len(zone.curves) > 1 else ""
        (b,) = _spin(chance, config, racer.seat, f"the {zone.name}{curve}", "B")
        yield happened.CurveChecked(seat=racer.seat, zone=zone.id, curve=number, b=b, limit=limit, is_crash=b <= limit)
        if b <= limit:
            return section, reached
    return None


def _spin_for_start(config: Config, chance: Chance) -> Moves[State]:
    """CF-S1: both spin both wheels; the higher total goes first, equal totals are spun again."""
    totals = []
    for seat in config.seats:
        a, b = _spin(chance, config, seat, "the first turn")
        yield happened.StartSpun(seat=seat, a=a, b=b)
        totals.append(a + b)
    if totals[0] == totals[1]:
        yield happened.StartTied(total=totals[0])
    else:
        yield happened.RaceStarted(seat=config.seats[totals.index(max(totals))])


def _ask_brake(config: Config, drive: Drive) -> str:
    ways = [("GO", drive.free, "")]
    ways += [(f"BRAKE {stop.braked}", stop.spaces, f", before the {stop.zone.name}") for stop in drive.stops if stop.zone]
    answers = [f"{order} {_outlook(config, drive, left, before)}" for order, left, before in ways]
    if len(drive.stops) >= len(ways):
        answers.append(f"{_anywhere(drive)}{' (a crash up to as many on wheel B)' if CRASHES[drive.racer.gear] else ''}")
    return f"brake or not ({drive.spun.a} and {drive.spun.b} in {GEAR_NAMES[drive.racer.gear]}): {'; '.join(answers)}"


def _anywhere(drive: Drive) -> str:
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


def _outlook(config: Config, drive: Drive, left: int, before: str) -> str:
    """Tell where ``left`` spaces lead, and what is checked: the braking, then the curves (CF-B2, CF-D1)."""
    braked, curves, there = drive.spaces - left, entered(config, drive.racer.driven, left), drive.racer.driven + left
    where = "over the finish line" if there > config.distance else f"to {config.position_at(there)}" if left else "to stay"
    sure = "a sure crash" if braked >= max(config.components.wheel_b) else ""
    checks = [sure or f"a crash at {parts.up_to(braked)} on wheel B"] if braked else []
    checks += [count(len(curves), "curve" if all(section.number for section, _ in curves) else "check")] if curves else []
    return f"{where}{before} ({', then '.join(checks)})" if checks and CRASHES[drive.racer.gear] else f"{where}{before}"


RULESET: Final = CheckeredFlag()
