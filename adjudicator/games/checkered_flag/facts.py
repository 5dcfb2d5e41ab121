"""Define the facts for conditions: the cars, the spin, and what lies ahead."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from adjudicator.game import At, Fact, FactValue, count
from adjudicator.games.checkered_flag.braking import Drive, drive_of
from adjudicator.games.checkered_flag.components import GEAR_NAMES, Config
from adjudicator.games.checkered_flag.state import Here, Racer

DANGER: Final = "danger"
"""The ground of the danger zones."""


def doing(racer: Racer) -> str:
    """Describe a car by its gear, or by the turns that its crash still costs."""
    return f"crashed, {count(racer.lost, 'turn')} to lose" if racer.lost else GEAR_NAMES[racer.gear]


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


def _numbered(config: Config, word: str) -> int | None:
    number = int(word) if word.isascii() and word.isdigit() else 0
    return number if 1 <= number <= config.length else None


_at = partial(Fact.of_place, find=_numbered, own=lambda at: at.config.stop_at(at.own.driven) or None)
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
