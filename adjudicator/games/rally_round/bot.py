"""Choose orders for simulated players: one plans its speeds, the other tries whatever is legal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from adjudicator.game import View
from adjudicator.games.rally_round import bot_route
from adjudicator.games.rally_round.bot_route import Luck
from adjudicator.games.rally_round.car import Car
from adjudicator.games.rally_round.components import CardId, Does, Kind, SquareId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.moving import legal_speeds
from adjudicator.games.rally_round.orders import Block, Choose, Pick, Speed, TurnRound
from adjudicator.games.rally_round.planning import Planner, planner_of
from adjudicator.games.rally_round.state import Crew, State, course
from adjudicator.games.rally_round.steering import NoWay, way_ahead
from adjudicator.games.rally_round.table import cards_left

_A_SQUARE: Final = 12
"""The estimated seconds for a square ahead: between those of a stage and of a road section."""
_WORTH_A_CARD: Final = 20
"""How many seconds a kept hazard card must save before a player uses it."""
_LONGEST_LINE: Final = 40


def estimate(config: Config, view: View[State]) -> int:
    """Estimate the seconds that the viewer's crew still needs, from its squares.

    The program needs it only where ``choose`` leaves the choice open.
    """
    crew = view.own(view.state.crews)
    config = course(config, view.state)
    if crew is None or crew.is_done(config) or not config.sections:
        return 0
    section, ahead = config.sections[len(crew.lines)], config.sections[len(crew.lines) + 1 :]
    left = section.distance - (section.way.index(crew.trail[-1]) if crew.trail[-1] in section.way else 0)
    return _A_SQUARE * (left + sum(other.distance for other in ahead))


def choose(config: Config, view: View[State], luck: Luck, *, plans: bool) -> Any | None:
    """Return the next order of the viewer's crew: it ``plans`` its speeds, or tries whatever is legal by ``luck``.

    ``None`` leaves the choice to a player of any game.
    """
    crew, kind = view.own(view.state.crews), next((one.kind for one in view.due if one.seat == view.viewer), "")
    if crew is None:
        return None
    if kind in ("start", "finish", "place"):
        return bot_route.marker(config, view.state, luck, plans=plans)
    if kind == "kit":
        return _kit(config, view.state, crew, luck)
    if kind == "choose":
        return Choose(luck.choice(view.state.order))
    if kind == "block":
        return Block("yes" if plans or luck.random() < 0.5 else "no")
    laid = course(config, view.state)
    if kind != "drive" or not laid.sections:
        return None
    return planned(laid, crew) if plans else _whatever(laid, crew, luck)


def _kit(config: Config, state: State, crew: Crew, luck: Luck) -> Pick:
    """Return any kit by internet, any free card at a table."""
    taken = {config.kit[card].kind for card in crew.kit}
    left = cards_left(config, state) if config.is_table else tuple(config.kit)
    among: list[list[CardId]] = [
        [card for card in left if config.kit[card].kind is kind] for kind in Kind if kind not in taken
    ]
    if config.is_table:
        return Pick(luck.choice(luck.choice(among)))
    first, *others = map(luck.choice, among)
    return Pick(first, tuple(others))


def planned(config: Config, crew: Crew) -> Speed:
    """Return the line that promises the least penalty for the rest of the section, with the kit and the cards of ``crew``.

    It ends where the result is unknown: where the crew draws a hazard card or misses turns; at a table after one turn.
    """
    car, turns, rights = crew.car(config), len(crew.speeds), crew.rights(config)
    planner = planner_of(config, car, rights, turns)
    cost, speed = planner.best(car, turns)
    helped = _with_card(planner, crew, car, turns)
    if helped is not None and helped[0] < cost - _WORTH_A_CARD:
        return helped[1]
    if not speed:
        return Speed(_legal(config, car, crew)[-1])
    first = _turn(planner, car, speed)
    return first if config.is_table or first.via else _line(planner, car, turns)


def _with_card(planner: Planner, crew: Crew, car: Car, turns: int) -> tuple[int, Speed] | None:
    """Return what the rest of the section would cost with the best use of a kept card in this turn, and the order."""
    found: list[tuple[int, int, Speed]] = []
    for using in crew.held:
        rights = crew.rights(planner.road.config, using)
        for speed in planner.speeds(car, rights):
            step = planner.road.step(car, speed, rights)
            found.append((planner.after(step, turns), -speed, _turn(planner, car, speed, using)))
    best = min(found, key=lambda one: one[:2], default=None)
    return None if best is None else (best[0], best[2])


def _turn(planner: Planner, car: Car, speed: int, using: CardId | None = None) -> Speed:
    """Return the order for one turn over the way of ``planner``; it names squares off the correct route."""
    squares = planner.road.ahead(car, speed // 10)
    if way_ahead(planner.road.config, car, speed // 10) == squares:
        return Speed(speed, using=using)
    return Speed(speed, via=tuple(str(square).lower() for square in squares), using=using)


def _line(planner: Planner, car: Car, turns: int) -> Speed:
    speeds: list[int] = []
    at: Car | None = car
    while at is not None and len(speeds) < _LONGEST_LINE:
        _, speed = planner.best(at, turns)
        if not speed or (speeds and _turn(planner, at, speed).via):
            break
        step = planner.road.step(at, speed)
        speeds.append(speed)
        if step.draws or step.turns > 1:
            break
        at, turns = step.car, turns + 1
    return Speed(speeds[0], then=tuple(speeds[1:]), to=car.section.end.number)


def _legal(config: Config, car: Car, crew: Crew, via: tuple[str, ...] = ()) -> range:
    ahead = way_ahead(config, car, 1, via)
    return legal_speeds(config, car, crew.rights(config), ahead[0] if ahead else None)


def _whatever(config: Config, crew: Crew, luck: Luck) -> Any:
    """Return an order of a crew that mostly drives on, and sometimes tries something else."""
    car, whim = crew.car(config), luck.random()
    if whim < 0.02 or not way_ahead(config, car, 1):
        return TurnRound()
    if config.is_table and whim < 0.05 and crew.rights(config).can(Does.UNOVERTAKEN):
        now = "ask" if crew.is_asking else "always" if crew.is_blocking else "never"
        return Block(luck.choice([when for when in ("always", "never", "ask") if when != now]))
    speed = luck.choice(_legal(config, car, crew))
    if whim < 0.12 and not config.rejects:
        speed = luck.choice(range(10, 121, 10))
    using = luck.choice(crew.held) if crew.held and luck.random() < 0.3 else None
    lands = luck.choice(("", "ahead", "behind")) if config.is_table else ""
    if whim > 0.97:
        via = _beside(config, car, luck)
        if config.rejects:  # a hill straight ahead does not matter on another way
            speed = min(speed, _legal(config, car, crew, via)[-1])
        return Speed(speed, via=via, using=using, lands=lands)
    if whim > 0.8 and using is None and not config.is_table and not config.rejects:
        return Speed(speed, then=tuple(max(10, speed + step) for step in (10, 20, 10)[: luck.choice((1, 2, 3))]))
    return Speed(speed, using=using, lands=lands)


def _beside(config: Config, car: Car, luck: Luck) -> tuple[str, ...]:
    """Return a neighbouring square for the car to leave by, rarely one that disqualifies it."""
    beside: Sequence[SquareId] = [
        square
        for square in config.network.neighbours(car.at)
        if square != car.behind
        and (luck.random() < 0.1 or not (square in config.network.tracks or square in config.black_spots))
    ]
    if not beside:
        return ()
    via = (str(luck.choice(beside)).lower(),)  # as orders write names
    try:
        return via if way_ahead(config, car, 1, via) else ()
    except NoWay:
        return ()


__all__ = ["choose", "estimate", "planned"]
