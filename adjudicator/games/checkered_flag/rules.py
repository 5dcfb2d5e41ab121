"""The rules of Checkered Flag: who is asked, what is legal, what follows, who has won (CF)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any, Final

from adjudicator.game import (
    Chance,
    Decision,
    Flaw,
    Part,
    Problem,
    RuleId,
    Rules,
    Seat,
    Spent,
    Standing,
    change,
    count,
    listed,
    ranking,
)
from adjudicator.games.checkered_flag import board
from adjudicator.games.checkered_flag import components as parts
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag import state as states
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, GEAR_NAMES, NEUTRAL, SHIFTS, THIRD, Components, Config
from adjudicator.games.checkered_flag.drive import Drive, Moves, Stop, drive_of, entered, is_safe, move, spin, spin_spaces
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.orders import ORDERS, TERMS, Brake, Go, Plan, Shift
from adjudicator.games.checkered_flag.state import Position, Racer, State

GEAR: Final = "gear"
BRAKE: Final = "brake"


class CheckeredFlag(Rules[Config, State]):
    """A race for 2 players with gears, wheels, curves and crashes."""

    meta = META
    components, position, state = Components, Position, State
    events, orders, terms, facts = happened.EVENTS, ORDERS, TERMS, board.FACTS
    upgrades = states.UPGRADES

    unfit, configure = staticmethod(parts.unfit), staticmethod(parts.configured)
    misplaced, place = staticmethod(states.miswritten), staticmethod(states.placed)
    normalized, draw = staticmethod(states.normalized), staticmethod(board.drawn)

    def begin(self, config: Config) -> State:
        return State(racers=tuple(Racer(seat=seat) for seat in config.seats))

    def impossible(self, config: Config, state_: State) -> Iterator[str | Flaw]:
        found = list(states.impossible(config, state_))
        yield from found
        if state_.spun is not None and not found and not _drive(config, state_).stops:
            spun = f"with {state_.spun.a} and {state_.spun.b} spun"
            yield Flaw(f"{spun} there is no danger zone before which {state_.turn} could stop", "CF-B2")

    def awaiting(self, config: Config, state: State) -> tuple[Decision, ...]:
        if state.turn is None or not decision_kind(config, state, state.turn):
            return ()
        drive = drive_of(config, state, state.turn)
        return (_ask_gear(state.racer(state.turn)) if drive is None else _ask_brake(config, drive),)

    def is_over(self, config: Config, state: State) -> bool:
        return state.winner(config) is not None

    def eliminated(self, config: Config, state: State, seat: Seat) -> Problem | None:
        winner = state.winner(config)
        if winner is None:
            return None
        words = "has won the race" if winner == seat else f"has lost the race to {winner}"
        return META.problem("race-over", f"the race is over: {seat} {words}", "CF-V1")

    def validate(self, config: Config, order: Any) -> Problem | None:
        match order:
            case Shift(gear=gear) if gear > THIRD:
                message = f"there is no gear {gear}: the gears are N, 1, 2 and 3"
                return META.problem("no-such-gear", message, "CF-C3", "box", tuple(f"GEAR {name}" for name in GEAR_LETTERS))
            case Shift(gear=0, plan=Plan.GO | Plan.BRAKE):
                message = "in neutral the car does not move: there is nothing to say about braking"
                return META.problem("nothing-moves", message, "CF-G1", suggestions=("GEAR N",))
            case Brake(spaces=0):
                return META.problem("nothing-braked", "to brake 0 spaces is to go on", "CF-B2", "spaces", ("GO",))
        return None

    def check(self, config: Config, state: State, seat: Seat, order: Any) -> Problem | None:
        kind = decision_kind(config, state, seat)
        if not kind:
            return self.not_due(config, state, seat, "not-your-turn", "CF-S1")
        if isinstance(order, Shift):
            return _check_shift(state, seat, order) if kind == GEAR else _brake_first(config, state)
        if kind == GEAR:
            return _gear_first(state, seat)
        return _check_brake(config, state, order) if isinstance(order, Brake) else None

    def candidates(self, config: Config, state: State, seat: Seat) -> Iterator[Any]:
        kind = decision_kind(config, state, seat)
        if kind == GEAR:
            for gear in SHIFTS[state.racer(seat).gear]:
                yield from (Shift(gear, plan) for plan in (Plan if gear != NEUTRAL else (Plan.ASK,)))
        elif kind == BRAKE:
            yield Go()
            yield from (Brake(stop.braked) for stop in _drive(config, state).stops)
            yield Brake()

    def cost(self, config: Config, state: State, seat: Seat, order: Any) -> tuple[Part, ...] | None:
        drive = drive_of(config, state, seat)
        if isinstance(order, Shift) or drive is None:
            return () if order == Shift(NEUTRAL) else None
        return drive.why(_chosen(drive, order))

    def decide(self, config: Config, state: State, seat: Seat, order: Any, chance: Chance) -> Moves:
        if isinstance(order, Shift):
            yield from _shift(config, state, seat, order, chance)
        else:
            drive = _drive(config, state)
            yield from move(config, state, drive, _chosen(drive, order), chance)

    def proceed(self, config: Config, state: State, chance: Chance) -> Moves:
        if self.is_over(config, state):
            return
        if state.turn is None:
            yield from _spin_for_start(config, chance)
        elif state.racer(state.turn).lost:
            yield happened.TurnLost(seat=state.turn, left=state.racer(state.turn).lost - 1)
            yield happened.TurnPassed(seat=config.other(state.turn))

    def spent(self, config: Config, state: State, event: Spent) -> State:
        # The move is made: the spin is used up.
        return change(state.with_racer(event.seat, driven=event.after), spun=None)

    def standings(self, config: Config, state: State) -> tuple[Standing, ...]:
        is_over = self.is_over(config, state)
        note = _final_note if is_over else _note
        return ranking(
            state.racers,
            key=lambda racer: -racer.driven,
            score=lambda racer: racer.driven,
            note=lambda racer: note(config, racer),
            is_final=is_over,
        )

    def names(self, config: Config) -> tuple[str, ...]:
        return ("straight", "danger", "wide", "narrow")

    def lint(self, config: Config, state: State) -> Iterable[str]:
        """Warn of each car that stands in neutral on a narrow position: nobody gets past it (CF-B1)."""
        for racer in state.racers if state.turn is not None and not self.is_over(config, state) else ():
            if racer.gear == NEUTRAL and config.is_narrow_at(racer.driven):
                place = f"{config.position_at(racer.driven)}, which is narrow"
                yield f"{racer.seat} stands in neutral on {place}: nobody gets past before it moves (CF-B1)"


def decision_kind(config: Config, state: State, seat: Seat) -> str:
    """Return the kind of decision due from ``seat``, empty where none is: ``gear``, then ``brake`` (CF-S1, CF-G1, CF-B2)."""
    if state.turn != seat or state.racer(seat).lost or state.winner(config) is not None:
        return ""
    return GEAR if state.spun is None else BRAKE


def _drive(config: Config, state: State) -> Drive:
    drive = drive_of(config, state, state.turn) if state.turn is not None else None
    if drive is None:
        raise ValueError("nothing is spun")
    return drive


def _chosen(drive: Drive, order: Any) -> Stop | None:
    """Return where ``order`` (``BRAKE``, ``GO``) stops by choice, ``None`` for going on (CF-B2)."""
    return drive.stop_after(order.spaces) if isinstance(order, Brake) else None


def _shift(config: Config, state: State, seat: Seat, order: Shift, chance: Chance) -> Moves:
    """CF-G1, CF-M1: the shift, then the spin; the move too, unless the seat has still to say whether it brakes."""
    gear = state.racer(seat).gear
    if order.gear != gear:
        state = yield happened.GearShifted(seat=seat, came_from=gear, gear=order.gear)
    if order.gear == NEUTRAL:
        yield happened.StoodStill(seat=seat)
        yield happened.TurnPassed(seat=config.other(seat))
        return
    a, b = spin(chance, config, seat, "the move")
    spaces = spin_spaces(order.gear, a, b)
    state = yield happened.WheelsSpun(seat=seat, gear=order.gear, a=a, b=b, spaces=spaces)
    drive = _drive(config, state)
    if not drive.stops or order.plan is not Plan.ASK:
        stop = drive.stop_after(None) if order.plan is Plan.BRAKE else None
        yield from move(config, state, drive, stop, chance)


def _spin_for_start(config: Config, chance: Chance) -> Generator[Any, State, None]:
    """CF-S1: both spin both wheels; the higher total goes first, equal totals are spun again."""
    totals = []
    for seat in config.seats:
        a, b = spin(chance, config, seat, "the first turn")
        yield happened.StartSpun(seat=seat, a=a, b=b)
        totals.append(a + b)
    if totals[0] == totals[1]:
        yield happened.StartTied(total=totals[0])
    else:
        yield happened.RaceStarted(seat=config.seats[totals.index(max(totals))])


def _check_shift(state: State, seat: Seat, order: Shift) -> Problem | None:
    """CF-G1: one step at most."""
    gear = state.racer(seat).gear
    if order.gear in SHIFTS[gear]:
        return None
    message = f"from {GEAR_NAMES[gear]} to {GEAR_NAMES[order.gear]} is more than one step"
    if gear == NEUTRAL:
        message += ": a car that stands shifts to first gear"
    return META.problem("two-steps", message, "CF-G1", "box", tuple(f"GEAR {GEAR_LETTERS[other]}" for other in SHIFTS[gear]))


def _gear_first(state: State, seat: Seat) -> Problem:
    """CF-B2: before the spin there is nothing to brake."""
    gear = max(1, state.racer(seat).gear)
    message = "nothing is spun yet: first a gear, and what to do about braking can stand after it"
    return META.problem("gear-first", message, "CF-G1", suggestions=(f"GEAR {gear} go", f"GEAR {gear} brake before danger"))


def _brake_first(config: Config, state: State) -> Problem:
    """CF-B2: the wheels are spun, a new gear comes next turn."""
    message = "the wheels are spun: first BRAKE or GO"
    return META.problem("brake-first", message, "CF-B2", suggestions=_answers(_drive(config, state)))


def _check_brake(config: Config, state: State, order: Brake) -> Problem | None:
    """CF-B2: only as many spaces as stop right before a danger zone that the move would enter."""
    drive = _drive(config, state)
    if drive.stop_after(order.spaces) is not None:
        return None
    message = f"to brake {order.spaces} does not stop on the last position before a danger zone"
    return META.problem("no-stop-there", message, "CF-B2", "spaces", _answers(drive))


def _answers(drive: Drive) -> tuple[str, ...]:
    return ("GO", *(Brake(stop.braked).text() for stop in drive.stops))


def _ask_gear(racer: Racer) -> Decision:
    orders = listed((f"GEAR {GEAR_LETTERS[gear]}" for gear in SHIFTS[racer.gear]), "or")
    return Decision(racer.seat, GEAR, f"a gear ({GEAR_NAMES[racer.gear]} now): {orders}", RuleId("CF-G1"))


def _ask_brake(config: Config, drive: Drive) -> Decision:
    answers = [f"GO {_where(config, drive, drive.free)}"]
    answers += (
        f"BRAKE {stop.braked} {_where(config, drive, stop.spaces, f', before the {stop.zone.name}')}" for stop in drive.stops
    )
    spun = f"{drive.spun.a} and {drive.spun.b} in {GEAR_NAMES[drive.gear]}"
    return Decision(drive.seat, BRAKE, f"brake or not ({spun}): {'; '.join(answers)}", RuleId("CF-B2"))


def _where(config: Config, drive: Drive, left: int, before: str = "") -> str:
    there = drive.driven + left
    where = "over the finish line" if there > config.distance else f"to {config.position_at(there)}" if left else "to stay"
    return f"{where}{before}{_risk(config, drive, left)}"


def _risk(config: Config, drive: Drive, left: int) -> str:
    """Tell what is checked where ``left`` spaces are driven: the braking, then the curves (CF-B2, CF-D1)."""
    if is_safe(drive.gear):
        return ""
    braked, curves = drive.spaces - left, sum(1 for _ in entered(config, drive.driven, left))
    checks = [_brake_risk(config, braked)] if braked else []
    checks += [count(curves, "curve")] if curves else []
    return f" ({', then '.join(checks)})" if checks else ""


def _brake_risk(config: Config, braked: int) -> str:
    if braked >= max(config.components.wheel_b):
        return "a sure crash"
    return f"wheel B {'at' if braked == 1 else 'up to'} {braked} crashes"


def _final_note(config: Config, racer: Racer) -> str:
    if racer.driven > config.distance:
        return "first across the finish line"
    return "on the track, crashed" if racer.lost else "on the track"


def _note(config: Config, racer: Racer) -> str:
    where = f"position {config.position_at(racer.driven)}" if racer.driven else "at the starting line"
    lap = f" of lap {config.lap_at(racer.driven)}" if racer.driven and config.laps > 1 else ""
    doing = f"crashed, {count(racer.lost, 'turn')} to lose" if racer.lost else GEAR_NAMES[racer.gear]
    return f"{where}{lap}, {doing}"


RULESET: Final = CheckeredFlag().record()
