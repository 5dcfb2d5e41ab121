"""What can happen in a race of Checkered Flag that the recorded games must show, read from the events of a journal."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from journals import EVERYWHERE, Test, entries_of, events_of, happened, option, winner, written_of

from adjudicator.core.game import Game
from adjudicator.core.journal import Entry
from adjudicator.games.checkered_flag.components import Width

FEWEST = 30
"""So many games at least are kept."""
HOUSE_TRACK = 54
"""The positions of a lap."""


def loser(game: Game) -> Any:
    return next(racer for racer in game.state.racers if racer.seat != winner(game))


def first_mover(game: Game) -> str:
    """Return who moves first: by the spins, or in the position that was given."""
    started = events_of(game, "race-started")
    return str(started[-1].seat if started else game.setup.position.turn)


def ordered(words: str) -> Test:
    return lambda game: any(entry.order == words for entry in entries_of(game))


def any_of(kind: str, holds: Callable[[Any], bool]) -> Test:
    return lambda game: any(holds(event) for event in events_of(game, kind))


def any_order(holds: Callable[[Entry], bool]) -> Test:
    return lambda game: any(holds(entry) for entry in entries_of(game))


def kinds(entry: Entry) -> list[str]:
    return [event.kind for event in entry.events]


def checks(entry: Entry) -> list[Any]:
    return [event for event in entry.events if event.kind == "curve-checked"]


def brake_crash(turns: int) -> Test:
    return any_order(
        lambda entry: (
            any(event.kind == "brakes-checked" and event.is_crash for event in entry.events)
            and any(event.kind == "car-crashed" and event.turns == turns for event in entry.events)
        )
    )


def curve_crash(turns: int) -> Test:
    return any_order(
        lambda entry: (
            any(event.is_crash for event in checks(entry))
            and any(event.kind == "car-crashed" and event.turns == turns for event in entry.events)
        )
    )


def has_two_checks(entry: Entry, *, is_one_zone: bool) -> bool:
    zones = [event.zone for event in checks(entry)]
    return len(zones) > 1 and (len(set(zones)) == 1) is is_one_zone


def is_safe_braking(entry: Entry) -> bool:
    return "car-braked" in kinds(entry) and "brakes-checked" not in kinds(entry)


def has_both_crashed(entry: Entry) -> bool:
    return len({event.seat for event in entry.events if event.kind == "turn-lost"}) == 2


def wins_in_gear(gear: int) -> Test:
    return lambda game: bool(winner(game)) and game.state.racer(winner(game)).gear == gear


def is_lapped(game: Game) -> bool:
    first, second = (racer.driven for racer in game.state.racers)
    return abs(first - second) > HOUSE_TRACK


def by_choice(gears: tuple[int, ...]) -> Test:
    """Tell whether a car in one of ``gears`` stopped by choice elsewhere than right before danger."""
    return any_order(
        lambda entry: (
            any(
                event.kind == "spent" and any(part.what == "braked by choice" for part in event.why)
                for event in entry.events
            )
            and any(gear == made for made in gears for gear in geared(entry))
        )
    )


def geared(entry: Entry) -> list[int]:
    """Return the gear of the spin that ``entry`` decides by itself: of an answer it is not known."""
    return [event.gear for event in entry.events if event.kind == "wheels-spun"]


def blocks(game: Game) -> bool:
    """Return whether a car stopped by choice on a narrow position, and the other then had to brake behind it."""
    narrow = {spot.number for spot in game.setup.components.track if spot.width is Width.NARROW}
    brakings = events_of(game, "car-braked")
    return any(
        one.chosen and one.position in narrow and other.seat != one.seat and other.forced
        for one, other in pairwise(brakings)
    )


def said_ahead(ending: str, kind: str) -> Test:
    """Tell whether an order for a gear that ends like that led to an event of ``kind``."""
    return any_order(lambda entry: bool(re.fullmatch(rf"GEAR \d brake {ending}", entry.order)) and kind in kinds(entry))


VERSION_2: dict[str, Test] = {
    "version 2, braking anywhere": lambda game: game.ruleset.version == 2 and game.setup.options["braking"] == "free",
    "version 2, braking right before danger": lambda game: (
        game.ruleset.version == 2 and game.setup.options["braking"] == "last"
    ),
    "a stop by choice in first gear": by_choice((1,)),
    "a stop by choice in second or third": by_choice((2, 3)),
    "a stop on a narrow position blocks": blocks,
    "a number of spaces said ahead and braked": said_ahead(r"\d+", "car-braked"),
    "a position said ahead and braked for": said_ahead(r"to \d+", "car-braked"),
    "a number of spaces said ahead that could not be": said_ahead(r"\d+", "stop-missed"),
    "a position said ahead that could not be": said_ahead(r"to \d+", "stop-missed"),
    "BRAKE to a position": any_order(lambda entry: entry.order.startswith("BRAKE to ")),
    "a stop by choice after danger on the way": any_order(
        lambda entry: any(event.kind == "car-braked" and event.chosen for event in entry.events) and len(checks(entry)) > 0
    ),
}
"""What games begun before version 2 of the rules cannot show."""

VERSION_3: dict[str, Test] = {
    "version 3": lambda game: game.ruleset.version == 3 and bool(winner(game)),
    "a braked move over the finish line": any_order(
        lambda entry: any(event.kind == "car-braked" and event.position is None for event in entry.events)
    ),
}
"""What games begun before version 3 of the rules cannot show."""

SITUATIONS: dict[str, Test] = {
    **EVERYWHERE,
    **VERSION_2,
    **VERSION_3,
    "version 1": lambda game: game.ruleset.version == 1 and bool(winner(game)),
    "1 lap": option("laps", "1"),
    "2 laps": option("laps", "2"),
    "3 laps": option("laps", "3"),
    "the line crossed on the way": any_of("car-driven", lambda event: event.came_from > event.position),
    "a car is lapped": is_lapped,
    "the first mover wins": lambda game: bool(winner(game)) and winner(game) == first_mover(game),
    "the second mover wins": lambda game: bool(winner(game)) and winner(game) != first_mover(game),
    "won in first gear": wins_in_gear(1),
    "won in second gear": wins_in_gear(2),
    "won in third gear": wins_in_gear(3),
    "won while the other is crashed": lambda game: bool(winner(game)) and loser(game).lost > 0,
    "won after an own crash": lambda game: any(event.seat == winner(game) for event in events_of(game, "car-crashed")),
    "won without a crash": lambda game: bool(winner(game)) and not events_of(game, "car-crashed"),
    "equal spins for the first turn": happened("start-tied"),
    "equal spins twice": lambda game: len(events_of(game, "start-tied")) > 1,
    "a turn in neutral": happened("stood-still"),
    "a crash in a curve in second": curve_crash(1),
    "a crash in a curve in third": curve_crash(2),
    "a crash in the second curve of a zone": any_of("curve-checked", lambda event: event.curve == 2 and event.is_crash),
    "two curves of one zone passed": any_order(lambda entry: has_two_checks(entry, is_one_zone=True)),
    "two zones in one move": any_order(lambda entry: has_two_checks(entry, is_one_zone=False)),
    "both crashed at once": any_order(has_both_crashed),
    "braking forced": any_of("car-braked", lambda event: event.forced and not event.chosen),
    "braking by choice": any_of("car-braked", lambda event: event.chosen and not event.forced),
    "braking forced and by choice": any_of("car-braked", lambda event: event.chosen and event.forced),
    "a whole move given up": any_of("spent", lambda event: event.before == event.after),
    "braking in first gear": any_order(is_safe_braking),
    "a crash by braking in second": brake_crash(1),
    "a crash by braking in third": brake_crash(2),
    "braking survived, then a curve": any_order(lambda entry: {"brakes-checked", "curve-checked"} <= set(kinds(entry))),
    "brake before danger, beforehand": any_order(
        lambda entry: entry.order.endswith("brake before danger") and "car-braked" in kinds(entry)
    ),
    "go, beforehand": any_order(lambda entry: entry.order.endswith(" go")),
    "GO": ordered("GO"),
    "BRAKE with a number": any_order(lambda entry: entry.order.startswith("BRAKE ") and entry.order[-1].isdigit()),
    "BRAKE before danger": ordered("BRAKE before danger"),
    "a condition that held": lambda game: any(words.startswith("IF left >=") for words in written_of(game)),
    "a condition that did not hold": lambda game: any(words.startswith("IF left <") for words in written_of(game)),
    "begun from a position": lambda game: game.setup.position is not None and bool(winner(game)),
}
"""Each situation and whether a game shows it."""
