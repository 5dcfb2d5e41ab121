"""Warn a crew of the results of a sheet before it sends it (RR-M4), without knowledge of the hazard pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from adjudicator.core.unknown import UnknownChance
from adjudicator.game import Problem, View, count
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.drive import look_ahead
from adjudicator.games.rally_round.facts import is_seen
from adjudicator.games.rally_round.kits import numbered
from adjudicator.games.rally_round.laying import Place, wrong_marker
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.phases import alone
from adjudicator.games.rally_round.state import Crew, Here, State
from adjudicator.games.rally_round.turns import Speed, TurnRound

_UNWANTED: Final = (
    happened.SpeedRefused,
    happened.LineDropped,
    happened.LeftRoad,
    happened.Flooded,
    happened.Faulted,
    happened.Disqualified,
)


def foreseen(view: View[Config, State, Crew], orders: Sequence[Any]) -> Iterator[tuple[int, Problem]]:
    """Yield results of the viewer's ``orders`` that it may not want: (index, problem).

    At a table the check covers only the next marker.
    """
    if not view.config.is_table:
        yield from _driven(view, orders) if is_seen(view.own) and not view.own.is_done(view.config) else ()
    elif not view.config.rejects_markers and any(due.seat == view.seat and due.kind == "place" for due in view.due):
        flaw = wrong_marker(view.config, view.state.markers, orders[0]) if isinstance(orders[0], Place) else None
        if flaw is not None:
            yield 0, _warning(f"a wrong marker, which would lose the turn: {flaw.message}", flaw.rule, "square")


def _driven(at: Here, orders: Sequence[Any]) -> Iterator[tuple[int, Problem]]:
    for index, order in enumerate(orders):
        before = at.own
        if before.is_done(at.config):
            yield index, _warning("the rally is over before this order", "RR-R1")
            return
        (ask,) = alone(at)
        problem = order.check(at) if type(order) in ask.orders else ask.refuse(at)
        if problem is not None:
            if index:  # the check reports the first one anyway
                yield index, problem
            return
        steps, is_known = order.steps if isinstance(order, Speed) else (), True
        told = list(look_ahead(at, order.decide(at, UnknownChance()), steps))
        for number, (step, event, after) in enumerate(told, 1):
            at, part = after, numbered("miles", max(0, step))
            is_known = is_known and not isinstance(event, happened.Disqualified | happened.LineDropped | None)
            if event is None:
                words = f"you would draw a hazard card on {at.own.trail[-1]}: the program cannot predict what follows"
                yield index, _warning(words, "RR-F8", part)
            elif isinstance(event, _UNWANTED):
                words, near = event.tell(at.config), (event.nearest,) if isinstance(event, happened.SpeedRefused) else ()
                following = told[number][1] if number < len(told) else None
                if isinstance(following, happened.TurnsMissed):
                    words += f"; you would miss {'the turn' if near else count(following.turns, 'turn')}"
                yield index, _warning(words, event.rule, part, near)
        if not is_known:
            return
        crew, section = at.own, at.config.sections[len(before.lines)]
        due = section.posts[crew.met :] if len(crew.lines) == len(before.lines) else ()
        post = next((post for post in due if isinstance(order, Speed) and post.number == order.to), None)
        then = orders[index + 1] if index + 1 < len(orders) else None
        goes_on = isinstance(then, (Speed, TurnRound)) and getattr(then, "to", None) in (None, *(one.number for one in due))
        if post is not None and not goes_on:
            here, left, beyond = crew.trail[-1], section.left(crew.trail[-1]), section.left(post.square)
            missing = "" if left is None or beyond is None else f", {count(left - beyond, 'square')} before it"
            words = f"too few speeds for {post.name}: they end on {here}{missing}, and the program will ask you again"
            yield index, _warning(words, "RR-M1", numbered("miles", len(steps) - 1))
            return


def _warning(words: str, rule: str, part: str = "", near: Sequence[str] = ()) -> Problem:
    return META.problem("foreseen", words, rule, part, tuple(near))
