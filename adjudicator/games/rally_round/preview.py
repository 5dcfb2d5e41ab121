"""Warn a crew of the results of a sheet before it sends it (RR-M4), without knowledge of the hazard pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from adjudicator.core.unknown import UnknownChance, UnknownError
from adjudicator.game import Problem, View, count
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.drive import outcome
from adjudicator.games.rally_round.facts import is_seen
from adjudicator.games.rally_round.kits import numbered
from adjudicator.games.rally_round.laying import Place, wrong_marker
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.order_of_play import alone
from adjudicator.games.rally_round.state import Crew, Here, State
from adjudicator.games.rally_round.turns import Speed, TurnRound, step_of

Foreseen = tuple[int, Problem]


def foreseen(view: View[Config, State, Crew], orders: Sequence[Any]) -> Iterator[Foreseen]:
    """Yield results of the viewer's ``orders`` that it may not want: (index, problem).

    At a table the check covers only the next marker.
    """
    if view.config.is_table:
        yield from _wrong_marker(view, orders[:1])
    elif is_seen(view.own) and not view.own.is_done(view.config):
        yield from _driven(view, orders)


def _wrong_marker(view: View[Config, State, Crew], orders: Sequence[Any]) -> Iterator[Foreseen]:
    """Yield a warning if the first of ``orders`` places a wrong marker, which loses the turn (RR-L3)."""
    if view.config.rejects_markers or not any(due.seat == view.seat and due.kind == "place" for due in view.due):
        return
    for order in orders:
        flaw = wrong_marker(view.config, view.state.markers, order) if isinstance(order, Place) else None
        if flaw is not None:
            yield 0, _warning(f"a wrong marker, which would lose the turn: {flaw.message}", flaw.rule, "square")


def _driven(at: Here, orders: Sequence[Any]) -> Iterator[Foreseen]:
    for index, order in enumerate(orders):
        crew = at.own
        if crew.is_done(at.config):
            yield index, _warning("the rally is over before this order", "RR-R1")
            return
        (ask,) = alone(at)
        problem = order.check(at) if type(order) in ask.orders else ask.refuse(at)
        if problem is not None:
            if index:  # the check reports the first one anyway
                yield index, problem
            return
        at, found, is_known = _looked(at, order)
        yield from ((index, warning) for warning in found)
        if not is_known:
            return
        following = orders[index + 1] if index + 1 < len(orders) else None
        short = _too_few(at.config, at.own, order, following, last=len(crew.lines))
        if short is not None:
            yield index, short
            return


def _too_few(config: Config, crew: Crew, order: Any, following: Any, *, last: int) -> Problem | None:
    """Return a warning if the speeds do not reach the time control and the next order does not continue this section."""
    if not isinstance(order, Speed) or order.to is None or len(crew.lines) > last or not crew.trail:
        return None
    section = config.sections[last]
    goes_on = isinstance(following, (Speed, TurnRound)) and getattr(following, "to", None) in (None, section.end.number)
    if goes_on:
        return None
    here, left = crew.trail[-1], section.left(crew.trail[-1])
    missing = "" if left is None else f", {count(left, 'square')} before it"
    words = f"too few speeds for {section.end.name}: they end on {here}{missing}, and the program will ask you again"
    return _warning(words, "RR-M1", numbered("miles", len(order.steps) - 1))


def _looked(at: Here, order: Any) -> tuple[Here, list[Problem], bool]:
    """Carry out ``order`` as far as its result is known; return the position, warnings, and whether the rest is known."""
    number, found, is_known = -1, list[Problem](), True
    steps = order.steps if isinstance(order, Speed) else ()
    try:
        for event, after in outcome(at, order.decide(at, UnknownChance())):
            at, told, number = after, _told(event), step_of(event, steps, number)
            is_known = is_known and not isinstance(event, happened.Disqualified | happened.LineDropped)
            if told is not None:
                words, rule, near = told
                found.append(_warning(words, rule, numbered("miles", max(0, number)), near))
    except UnknownError:
        words = f"you would draw a hazard card on {at.own.trail[-1]}: the program cannot predict what follows"
        found.append(_warning(words, "RR-F8", numbered("miles", max(0, number))))
        is_known = False
    return at, found, is_known


def _told(event: Any) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the warning of ``event`` with its rule and a better speed, ``None`` if it needs no warning."""
    match event:
        case happened.SpeedRefused(speed=speed, least=least, most=most):
            may = f"{least} to {most}" if most > least else f"only {least}"
            words = f"{speed} mph is illegal here ({may} mph is legal): you would miss the turn"
            return words, "RR-M4", (str(most if speed > most else least),)
        case happened.LineDropped():
            return f"you would not drive {' '.join(map(str, event.speeds))}: {event.why}", event.rule, ()
        case happened.LeftRoad(square=square, limit=limit):
            missed = f"you would miss {count(max(1, (event.speed - limit) // 10), 'turn')}"
            return f"off the road at {square}, where the limit is {limit} mph: {missed}", event.rule, ()
        case happened.Flooded():
            return f"flooded in the ford on {event.square}: you would miss turns", "RR-F7", ()
        case happened.Faulted():
            return f"30 marks: {event.words}", event.rule, ()
        case happened.Disqualified():
            return f"disqualified at {event.square}: you have no card for that", "RR-F6", ()
    return None


def _warning(words: str, rule: str, part: str = "", near: Sequence[str] = ()) -> Problem:
    return META.problem("foreseen", words, rule, part, tuple(near))
