"""Define the facts for conditions: the crews, their cars and their sections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.game import Fact, FactValue
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.route import Section
from adjudicator.games.rally_round.state import Crew, Here, course


def _of_seat(help: str, value: Callable[[Config, Crew], FactValue]) -> Fact:  # noqa: A002
    """Return a fact of a crew; its value is unknown if the viewer may not see the sheet."""

    def look(at: Here) -> FactValue:
        crew = at.own
        return value(course(at.config, at.state), crew) if crew.is_seen else None

    return Fact.of_seat(help, look)


def _of_section(help: str, value: Callable[[Config, Crew, Section], FactValue]) -> Fact:  # noqa: A002
    """Return a fact of the section that a crew is in; its value is unknown once the crew has finished."""

    def look(config: Config, crew: Crew) -> FactValue:
        if crew.is_done(config) or not config.sections:
            return None
        return value(config, crew, config.sections[len(crew.lines)])

    return _of_seat(help, look)


FACTS: Final = {
    "speed": _of_seat(
        "the speed of the last turn in mph, 0 where a Starting Speed is next; `speed of SEAT`",
        lambda config, crew: crew.speed,
    ),
    "fastest": _of_section(
        "the highest legal speed now; `fastest of SEAT`",
        lambda config, crew, section: crew.legal_speeds(config)[-1],
    ),
    "slowest": _of_section(
        "the lowest legal speed now; `slowest of SEAT`",
        lambda config, crew, section: crew.legal_speeds(config)[0],
    ),
    "square": _of_section("the square the car stands on; `square of SEAT`", lambda config, crew, section: crew.trail[-1]),
    "colour": _of_section(
        "the colour of that square; `colour of SEAT`",
        lambda config, crew, section: str(config.square(crew.trail[-1]).colour),
    ),
    "section": _of_section(
        "the time control that the section leads to; `section of SEAT`", lambda config, crew, section: section.end.name
    ),
    "timing": _of_section(
        "road, selective, stage or regularity; `timing of SEAT`", lambda config, crew, section: str(section.timing)
    ),
    "left": _of_section(
        "squares to that time control, unknown off the correct route; `left of SEAT`",
        lambda config, crew, section: section.left(crew.trail[-1]),
    ),
    "ahead": _of_section(
        "squares to the next control, unknown off the correct route; `ahead of SEAT`",
        lambda config, crew, section: section.left(crew.trail[-1], section.posts[crew.met]),
    ),
    "turns": _of_section("turns taken in the section; `turns of SEAT`", lambda config, crew, section: len(crew.speeds)),
    "target": _of_section(
        "the target time of the section in seconds; `target of SEAT`", lambda config, crew, section: section.target
    ),
    "kept": _of_seat(
        "the hazard cards that the crew keeps (`IF kept has H7`); `kept of SEAT`", lambda config, crew: tuple(crew.held)
    ),
    "penalty": _of_seat("seconds of penalty so far; `penalty of SEAT`", lambda config, crew: crew.penalty),
}
"""The facts that conditions may use."""
