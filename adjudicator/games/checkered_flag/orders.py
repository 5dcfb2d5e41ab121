"""The order of a turn: one step of the gears, then the spin (CF-G1, CF-M1); and the words of all orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from adjudicator.game import Ask, Chance, Moves, Order, Part, Problem, Term, count, listed, replace
from adjudicator.games.checkered_flag import events as happened
from adjudicator.games.checkered_flag.braking import Brake, Go, drive_now
from adjudicator.games.checkered_flag.components import GEAR_LETTERS, GEAR_NAMES, NEUTRAL, SHIFTS, THIRD, Config, made
from adjudicator.games.checkered_flag.meta import META
from adjudicator.games.checkered_flag.state import Here, Racer


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
        if not isinstance(answer, Brake) or answer in _ahead(at.config, racer, gear):
            return None
        most, term = made(gear, *at.config.fastest), "spaces" if answer.to is None else "place"
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
        a, b = (at.config.spin(chance, at.seat, "the move", wheel) for wheel in "AB")
        at = yield happened.WheelsSpun(seat=at.seat, gear=self.gear, a=a, b=b, spaces=made(self.gear, a, b))
        if self.answer is not None or not drive_now(at).before_danger:
            yield from (self.answer or Go()).decide(at, chance)


def _ahead(config: Config, racer: Racer, gear: int) -> tuple[Go | Brake, ...]:
    """Return the orders about braking that may precede the spin in ``gear``; the spin decides whether they apply (CF-B2)."""
    if gear == NEUTRAL:
        return ()
    most = made(gear, *config.fastest)
    places = range(racer.driven, min(racer.driven + most - 1, config.distance) + 1)
    return (Go(), Brake(), *map(Brake, range(1, most + 1)), *(Brake(to=config.position_at(driven)) for driven in places))


def gear_words(gears: Iterable[int]) -> tuple[str, ...]:
    """Return the orders that shift to ``gears``."""
    return tuple(f"GEAR {GEAR_LETTERS[gear]}" for gear in gears)


def _choose_gear(at: Here) -> str:
    gear = at.own.gear
    return f"choose a gear ({GEAR_NAMES[gear]} now): {listed(gear_words(SHIFTS[gear]), 'or')}"


def _gear_first(at: Here) -> Problem:
    message = "nothing is spun yet: order a gear first, and braking after it if you like"
    gear = f"GEAR {max(1, at.own.gear)}"
    return META.problem("gear-first", message, "CF-G1", near=(f"{gear} go", f"{gear} brake before danger"))


GEAR: Final = Ask("gear", "CF-G1", _choose_gear, (Shift,), _gear_first)
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
