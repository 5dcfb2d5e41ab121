"""Warn a crew of the results of a sheet before it sends it (RR-M4), without knowledge of the hazard pack.

The check drives the sheet up to the first `!` on which a turn ends: no one knows in advance which card comes there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from adjudicator.game import Problem, Seat, View, count
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.driving import AT_CONTROL, as_known, may_draw, outcome
from adjudicator.games.rally_round.kits import numbered
from adjudicator.games.rally_round.laying import Place, wrong_marker
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.order_of_play import ORDER_OF_PLAY
from adjudicator.games.rally_round.state import Crew, State
from adjudicator.games.rally_round.turns import Speed, TurnRound

Foreseen = tuple[int, Problem]
_MOST: Final = 100
"""Warnings for one sheet."""


def foreseen(config: Config, view: View[State], seat: Seat, orders: Sequence[Any]) -> Iterator[Foreseen]:
    """Yield results of the ``orders`` of ``seat`` that it may not want: (index, problem).

    At a table the check covers only the next marker.
    """
    crew = next(crew for crew in view.state.crews if crew.seat == seat)
    if config.is_table:
        yield from _wrong_marker(config, view, seat, orders[:1])
        return
    if crew.speeds is None or crew.is_done(config):
        return
    yield from islice(_driven(*as_known(config, view.state, seat), seat, orders), _MOST)


def _wrong_marker(config: Config, view: View[State], seat: Seat, orders: Sequence[Any]) -> Iterator[Foreseen]:
    """Yield a warning if the first of ``orders`` places a wrong marker, which loses the turn (RR-L3)."""
    if config.rejects_markers or not any(due.seat == seat and due.kind == "place" for due in view.due):
        return
    for order in orders:
        flaw = wrong_marker(config, view.state.markers, order) if isinstance(order, Place) else None
        if flaw is not None:
            yield 0, _warning(f"a wrong marker, which would lose the turn: {flaw.message}", flaw.rule, "square")


def _driven(config: Config, state: State, seat: Seat, orders: Sequence[Any]) -> Iterator[Foreseen]:
    for index, order in enumerate(orders):
        crew = state.crew(seat)
        if crew.is_done(config):
            yield index, _warning("the rally is over before this order", "RR-R1")
            return
        asked = ORDER_OF_PLAY.asked(config, state)[seat]
        problem = order.check(config, state, seat) if type(order) in asked.orders else asked.refusal
        if problem is not None:
            if index:  # the check reports the first one anyway
                yield index, problem
            return
        look = _Look(config, seat, order)
        state = look.carry_out(state)
        yield from ((index, found) for found in look.found)
        if look.is_over or look.is_dropped:
            return
        following = orders[index + 1] if index + 1 < len(orders) else None
        short = _too_few(config, state.crew(seat), order, following, last=len(crew.lines))
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
    last_speed = sum(step != AT_CONTROL for step in order.then)
    return _warning(words, "RR-M1", numbered("miles", last_speed))


class _Look:
    """A trial of one order: the warnings ``found``; ``is_over``: the rest is unknown."""

    def __init__(self, config: Config, seat: Seat, order: Any) -> None:
        self.config, self.seat, self.order = config, seat, order
        self.found: list[Problem] = []
        self.is_over = self.is_dropped = False
        self.at = -1

    def carry_out(self, state: State) -> State:
        """Carry out the order as far as its result is known, and warn of what happens."""
        moves = self.order.decide(self.config, state, self.seat, None)  # by internet no order needs chance
        for event, after in outcome(self.config, state, moves):
            state = after
            self._tell(state, event)
            if self.is_over:
                break
        return state

    def _tell(self, state: State, event: Any) -> None:
        match event:
            case happened.SpeedRefused():
                self._step(event.speed)
                may = f"{event.least} to {event.most}" if event.most > event.least else f"only {event.least}"
                words = f"{event.speed} mph is illegal here ({may} mph is legal): you would miss the turn"
                near = event.most if event.speed > event.most else event.least
                self._add(words, "RR-M4", str(near))
            case happened.LineDropped():
                self.at, self.is_dropped = self.at + 1, True
                rest = " ".join(map(str, event.speeds))
                self._add(f"you would not drive {rest}: {event.why}", event.rule)
            case happened.LeftRoad():
                turns = (event.speed - event.limit) // 10
                missed = f"you would miss {count(turns, 'turn')}"
                words = f"off the road at {event.square}, where the limit is {event.limit} mph: {missed}"
                self._add(words, event.rule)
            case happened.Flooded():
                self._add(f"flooded in the ford on {event.square}: you would miss turns", "RR-F7")
            case happened.Faulted():
                self._add(f"30 marks: {event.words}", event.rule)
            case happened.Disqualified():
                self._add(f"disqualified at {event.square}: you have no card for that", "RR-F6")
                self.is_over = True
            case happened.Driven():
                self._step(event.speed)
            case _:
                pass
        crew = state.crew(self.seat)
        if not self.is_over and may_draw(self.config, crew, event):
            self._add(f"you would draw a hazard card on {crew.trail[-1]}: the program cannot predict what follows", "RR-F8")
            self.is_over = True

    def _step(self, speed: int) -> None:
        """Advance to the next entry of the line with this ``speed``."""
        steps = [step for step in (self.order.speed, *self.order.then) if step != AT_CONTROL]
        self.at = next((at for at in range(self.at + 1, len(steps)) if steps[at] == speed), self.at)

    def _add(self, words: str, rule: str, *near: str) -> None:
        self.found.append(_warning(words, rule, numbered("miles", max(0, self.at)), near))


def _warning(words: str, rule: str, part: str = "", near: Sequence[str] = ()) -> Problem:
    return META.problem("foreseen", words, rule, part, tuple(near))
