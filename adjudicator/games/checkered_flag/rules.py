"""The rules of Checkered Flag (CF): the phases of a turn, the facts for conditions, positions, and who has won."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from adjudicator.game import (
    At,
    Chance,
    Fact,
    FactValue,
    Flaw,
    Moves,
    Phase,
    Problem,
    Rules,
    Seat,
    Setup,
    Standing,
    View,
    events_of,
    replace,
)
from adjudicator.games.checkered_flag import components as parts
from adjudicator.games.checkered_flag import danger
from adjudicator.games.checkered_flag import orders as turn
from adjudicator.games.checkered_flag import state as states
from adjudicator.games.checkered_flag.components import DANGER, NEUTRAL, Config, box_beside
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.orders import BRAKE, GEAR, Drive, drive_of
from adjudicator.games.checkered_flag.state import Here, Racer, State, doing

if TYPE_CHECKING:
    from adjudicator.game import drawing


# The order of play: what each phase of a turn asks, and what follows (CF-V1, CF-S1, CF-X1, CF-B2, CF-G1)


def _spin_for_start(at: Here, chance: Chance) -> Moves:
    """CF-S1: both spin both wheels; the higher total goes first, equal totals are spun again."""
    totals = []
    for seat in at.config.seats:
        a, b = (at.config.spin(chance, seat, "the first turn", wheel) for wheel in "AB")
        yield turn.StartSpun(seat=seat, a=a, b=b)
        totals.append(a + b)
    if totals[0] == totals[1]:
        yield turn.StartTied(total=totals[0])
    else:
        yield turn.RaceStarted(seat=at.config.seats[totals.index(max(totals))])


def _lose_turn(at: Here, _chance: Chance) -> Moves:
    assert at.state.turn is not None
    yield turn.TurnLost(seat=at.state.turn, left=at.of(at.state.turn).lost - 1)
    yield turn.TurnPassed(seat=at.config.after(at.state.turn))


PHASES: Final = (
    Phase("CF-V1", lambda at: at.state.winner(at.config) is not None),
    Phase("CF-S1", lambda at: at.state.turn is None, follow=_spin_for_start),
    Phase("CF-X1", lambda at: at.of(at.state.turn).lost, follow=_lose_turn),
    Phase("CF-B2", lambda at: drive_of(at.config, at.state) is not None, lambda at: BRAKE.to(at.state.turn)),
    Phase("CF-G1", lambda _at: True, lambda at: GEAR.to(at.state.turn)),
)


# The facts for conditions: the cars, the spin, and what lies ahead


def _of_drive(help: str, value: Callable[[Drive], FactValue]) -> Fact:  # noqa: A002
    """Return a fact of the spin while the game asks about braking, unknown at other times."""
    return Fact.of_game(help, lambda at: None if (drive := drive_of(at.config, at.state)) is None else value(drive))


def _ahead(at: Here) -> int:
    return at.own.driven - min(racer.driven for racer in at.state.racers)


def _of_next(kind: str, is_such: Callable[[Config, int], object]) -> Fact:
    """Return a fact for the spaces from the car to the next position of a ``kind``."""

    def spaces(at: Here) -> FactValue:
        config, driven = at.config, at.own.driven
        ahead = range(1, min(config.length, config.distance - driven) + 1)
        return next((gone for gone in ahead if is_such(config, driven + gone)), None)

    return Fact.of_seat(f"spaces to the next {kind} position; unknown if none comes before the finish", spaces)


_at = partial(
    Fact.of_place,
    find=lambda config, word: (
        number if word.isascii() and word.isdigit() and 1 <= (number := int(word)) <= config.length else None
    ),
    own=lambda at: at.config.stop_at(at.own.driven) or None,
)
FACTS: Final = {
    "gear": Fact.of_seat("the gear, 0 for neutral; `gear of SEAT` for another seat", "gear"),
    "position": Fact.of_seat("the position of the car, 0 at the starting line", lambda at: at.config.stop_at(at.own.driven)),
    "lap": Fact.of_seat("the lap the car is in", lambda at: at.config.lap_at(at.own.driven)),
    "driven": Fact.of_seat("spaces since the start, all laps together", "driven"),
    "left": Fact.of_seat(
        "spaces to the last position of the race: one more wins",
        lambda at: max(0, at.config.distance - at.own.driven),
    ),
    "gap": Fact.of_game(
        "spaces between the cars, whoever leads",
        lambda at: max(_ahead(At(at.config, at.state, seat)) for seat in at.config.seats),
    ),
    "ahead": Fact.of_seat(
        "spaces ahead of the other car, 0 when not ahead; `ahead of SEAT`: how far that seat is ahead", _ahead
    ),
    "danger": _of_next("danger", lambda config, driven: config.sections[driven]),
    "narrow": _of_next("narrow", Config.is_narrow_at),
    "ground": _at(
        "straight or danger: at the car's position, or `ground at 16`",
        lambda config, number: DANGER if config.sections[number] else "straight",
    ),
    "width": _at(
        "wide or narrow: at the car's position, or `width at 12`",
        lambda config, number: config.components.track[number - 1].width.value,
    ),
    "lost": Fact.of_seat("turns a crashed car has still to lose", "lost"),
    "spin": _of_drive("the spaces spun, while the game asks about braking", lambda drive: drive.spaces),
    "braking": _of_drive(
        "the spaces that stopping before the first danger zone would give up, while the game asks about braking",
        lambda drive: drive.before_danger.braked if drive.before_danger else None,
    ),
}
"""The facts that conditions can use."""


# The hooks


class CheckeredFlag(Rules[Config, State]):
    """A race for 2 players with gears, wheels, curves and crashes."""

    meta = META
    components, position, state = parts.Components, states.Position, State
    events = events_of(turn.__name__, danger.__name__)
    orders, terms, facts = turn.ORDERS, turn.TERMS, FACTS
    phases, not_due, candidates_are_legal = PHASES, ("not-your-turn", "CF-S1"), True

    def configure(self, setup: Setup, version: int) -> Config:
        self.refuse("unfit-set", parts.unfit(setup.components))
        return parts.configure(setup, version)

    def place(self, position: Any) -> State:
        state = super().place(position)
        for at in () if isinstance(position, State) else position.seats:
            state = state.with_own(at.seat, driven=at.driven(self.config))
        for racer in state.racers:  # a crashed car's marker lies beside the box of its lost turns (CF-X1)
            state = state.with_own(racer.seat, gear=box_beside(racer.lost)) if racer.lost else state
        return state

    def impossible(self, state: State, position: Any) -> Iterable[str | Flaw]:
        config, spun, drive = self.config, state.spun, drive_of(self.config, state)
        for at in () if position is None else position.seats:
            yield from (f"{at.seat}: {words}" for words in at.flaws(config))
        first, second = (racer.driven for racer in state.racers)
        place, is_over, most = config.position_at(first), self.is_over(state), config.distance + sum(config.fastest)
        are_together = config.is_narrow_at(first) and place == config.position_at(second)
        far = "spaces are more than any spin leads beyond the finish line"
        yield from Flaw.where(
            (are_together and not is_over, f"position {place} is narrow: there is room for one car", "CF-C1"),
            (
                min(first, second) > config.distance,
                f"both cars are beyond the finish line, which comes after {config.distance} spaces",
                "CF-V1",
            ),
            *((one.driven > most, f"{one.seat}: {one.driven} {far}", "CF-V1") for one in state.racers),
        )
        if spun is None:
            return
        wheels = (("A", spun.a, config.components.wheel_a), ("B", spun.b, config.components.wheel_b))
        missing = [Flaw(f"wheel {wheel} has no {face}", "CF-C2") for wheel, face, faces in wheels if face not in faces]
        yield from missing
        if is_over:
            yield "after the race no spin needs a decision"
        elif drive is None or drive.racer.lost:
            yield "spun wheels belong to the seat that has the turn, with its car in gear"
        elif not missing and not drive.before_danger and not (config.asks_anywhere and drive.stops):
            words = f"no danger zone before which {drive.racer.seat} could stop"
            yield Flaw(f"with {spun.a} and {spun.b} spun there is {words}", "CF-B2")

    def retired(self, state: State, seat: Seat) -> Problem | None:
        winner = state.winner(self.config)
        if winner is None:
            return None
        words = "has won the race" if winner == seat else f"has lost the race to {winner}"
        return META.problem("race-over", f"the race is over: {seat} {words}", "CF-V1")

    def position_if_due(self, state: State, seat: Seat) -> State | None:
        # What the other has spun is its own, and does not move this car.
        return None if state.turn is None or self.is_over(state) else replace(state, turn=seat, spun=None)

    def draw(self, view: View[Config, State, Racer]) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import picture

        return picture.draw(view)

    @classmethod
    def catalogue(cls, components: parts.Components) -> drawing.Drawing:
        from adjudicator.games.checkered_flag import picture

        return picture.catalogue(components)

    def is_over(self, state: State) -> bool:
        return state.winner(self.config) is not None

    def standings(self, state: State) -> tuple[Standing, ...]:
        config, is_final = self.config, self.is_over(state)

        def note(racer: Racer) -> str:
            driven = racer.driven
            if driven > config.distance:
                return "first across the finish line"
            if is_final:
                return "on the track, crashed" if racer.lost else "on the track"
            lap = f" of lap {config.lap_at(driven)}" if config.laps > 1 else ""
            where = f"position {config.position_at(driven)}{lap}" if driven else "at the starting line"
            return f"{where}, {doing(racer)}"

        return Standing.ranking(
            state.racers,
            key=lambda racer: -racer.driven,
            score=lambda racer: racer.driven,
            note=note,
            is_final=is_final,
        )

    def warnings(self, state: State) -> Iterable[str]:
        """Warn of each car in neutral on a narrow position, which the other cannot pass (CF-B1)."""
        for racer in () if self.is_over(state) else state.racers:
            if racer.gear == NEUTRAL and self.config.is_narrow_at(racer.driven):
                place = f"{self.config.position_at(racer.driven)}, which is narrow"
                yield f"{racer.seat} is in neutral on {place}: the other car cannot pass before it moves (CF-B1)"
