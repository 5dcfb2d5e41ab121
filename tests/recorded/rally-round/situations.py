"""What can happen in a rally that the recorded games must show, read from the events of a journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from journals import EVERYWHERE, Test, entries_of, events_of, happened

from adjudicator.core.event import Spent
from adjudicator.core.game import Game
from adjudicator.games.rally_round.components import Timing

FEWEST = 80
"""So many games at least are kept."""


def is_over(game: Game) -> bool:
    return all(crew.out is not None or not crew.trail for crew in game.state.crews)


def crews(count: int) -> Test:
    return lambda game: len(game.setup.players) == count and is_over(game)


def option(name: str, value: str) -> Test:
    return lambda game: game.setup.options.get(name) == value and is_over(game)


def any_of(kind: str, holds: Callable[[Any], bool]) -> Test:
    return lambda game: any(holds(event) for event in events_of(game, kind))


def fault(rule: str) -> Test:
    return any_of("faulted", lambda event: event.rule == rule)


def cost(rule: str, words: str = "") -> Test:
    return lambda game: any(
        part.rule == rule and words in part.what
        for entry in entries_of(game)
        for event in entry.events
        if isinstance(event, Spent)
        for part in event.why
    )


def ordered(words: str) -> Test:
    return lambda game: any(words in entry.order or words in (entry.written or "") for entry in entries_of(game))


def by_version(version: int, holds: Test) -> Test:
    return lambda game: game.ruleset.version == version and holds(game)


def starts_after_roll_back(game: Game) -> bool:
    """Return whether a car that rolled back into a control needs a Starting Speed there."""
    return any(
        event.kind == "faulted" and event.rule == "RR-F9" and any(after.kind == "car-stopped" for after in entry.events[at:])
        for entry in entries_of(game)
        for at, event in enumerate(entry.events)
    )


def rolls_back_and_keeps_its_speed(game: Game) -> bool:
    """Return whether a car that rolled back into a control drives on from there as if it had not stopped."""
    return any_of("faulted", lambda event: event.rule == "RR-F9")(game) and not starts_after_roll_back(game)


SITUATIONS: dict[str, Test] = {
    **EVERYWHERE,
    "recorded chance": lambda game: game.chance.source == "recorded" and is_over(game),
    "a crew alone": crews(1),
    "two crews": crews(2),
    "five crews": crews(5),
    "sheets open": option("sheets", "open"),
    "sheets sealed": option("sheets", "sealed"),
    "illegal speeds refused": option("illegal-speed", "reject"),
    "the whole house rally": lambda game: any(len(crew.lines) == 9 for crew in game.state.crews),
    "a rally of the organiser's own": lambda game: game.setup.position is not None and is_over(game),
    **{f"a {timing} section": any_of("section-ended", lambda event, rule=f"RR-T{number}": event.rule == rule)
       for number, timing in enumerate((Timing.ROAD, Timing.SELECTIVE, Timing.STAGE, Timing.REGULARITY), 1)},
    "a road section late": cost("RR-P1", "late"),
    "a road section early": cost("RR-P1", "early"),
    "a selective or stage late": cost("RR-P2"),
    "a regularity late": cost("RR-P3", "late"),
    "a regularity early": cost("RR-P3", "early"),
    "a PC not stopped at": fault("RR-F1"),
    "carried past a TC": fault("RR-F2"),
    "a control entered the wrong way": fault("RR-F4"),
    "a Give Way not stopped at": fault("RR-F5"),
    "rolled back into a control": fault("RR-F9"),
    "a Quiet Zone too fast": fault("RR-F10"),
    "off the road": any_of("left-road", lambda event: event.rule == "RR-F11"),
    "over 100 mph": any_of("left-road", lambda event: event.rule == "RR-F12"),
    "flooded in a ford": happened("flooded"),
    "a setback": any_of("hazard-drawn", lambda event: event.card == "H1"),
    "a card kept": any_of("hazard-drawn", lambda event: event.card == "H2"),
    "a card used": happened("card-used"),
    "rolled": happened("rolled"),
    "an illegal speed": happened("speed-refused"),
    "a line that no longer fits": happened("line-dropped"),
    "turned round": happened("turned-round"),
    "another way than the correct route": ordered(" via "),
    "a whole section in one line": ordered("TC3: "),
    "at a table": lambda game: game.setup.options.get("mode") == "table" and is_over(game),
    "a kit drafted": lambda game: game.setup.options.get("kit") == "draft" and bool(events_of(game, "minute-begun")),
    "a kit dealt": lambda game: game.setup.options.get("kit") == "deal" and bool(events_of(game, "minute-begun")),
    "a Black Spot placed": happened("black-spot-placed"),
    "a turn missed at a table": happened("turn-lost"),
    "a hazard at a table": happened("table-hazard-drawn"),
    "a taken square": happened("displaced"),
    "nobody overtakes": happened("held"),
    "the holder lets others pass": happened("block-set"),
    "two parts": happened("part-ended"),
    "a lone player's crew": happened("crew-chosen"),
    "disqualified": happened("disqualified"),
    "retired": lambda game: any(crew.out == "retired" for crew in game.state.crews) and is_over(game),
    "version 1: a car that rolled back into a control keeps its speed": by_version(1, rolls_back_and_keeps_its_speed),
    "version 2: a car that rolled back into a control starts anew": by_version(2, starts_after_roll_back),
    "version 2: a wrong marker loses the turn": by_version(2, happened("marker-removed")),
    "version 2: a wrong marker is refused": by_version(2, option("wrong-marker", "reject")),
    "a tie": lambda game: is_over(game) and len(game.state.crews) > len({crew.penalty for crew in game.state.crews}),
}  # fmt: skip
"""What must be shown by at least one game, in words, and how it is told."""
