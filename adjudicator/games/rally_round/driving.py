"""Carry out an order to drive, turn by turn (RR-M, RR-F): its events in order."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any, Final

from adjudicator.game import At, Chance, Memo, Part, Seat, Spent, piles, remembered, replace, total
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import table_events as table
from adjudicator.games.rally_round.car import Fault, Loss, Move, Passed, Turn
from adjudicator.games.rally_round.components import CardId, Feature, HazardCard, Timing
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.moving import (
    FASTEST,
    STANDARD,
    Landing,
    Traffic,
    landing,
    legal_speeds,
    moved,
)
from adjudicator.games.rally_round.state import Crew, Here, State
from adjudicator.games.rally_round.steering import way_ahead
from adjudicator.games.rally_round.timing import FAULT, MINUTE, timed
from adjudicator.games.rally_round.traffic import traffic_of

Moves = Generator[Any, Here, Here]
AT_CONTROL: Final = -1
"""The value for `/` in a line of speeds: there the car reaches a passage control."""
RULES_OF_TIME: Final = {
    Timing.ROAD: "RR-T1",
    Timing.SELECTIVE: "RR-T2",
    Timing.STAGE: "RR-T3",
    Timing.REGULARITY: "RR-T4",
}


def speeds_here(config: Config, crew: Crew, via: tuple[str, ...] = (), using: CardId | None = None) -> range:
    """Return the speeds that are legal for ``crew`` now, on the way over ``via`` and with the hazard card in use.

    Raises ``NoWay`` (RR-M2, RR-M3, RR-M6).
    """
    # The square ahead matters to a car that starts on a hill; the places that an order names must exist in any case.
    car = crew.car(config)
    ahead = way_ahead(config, car, 1, via) if via or not car.speed else ()
    return legal_speeds(config, car, crew.rights(config, using), ahead[0] if ahead else None)


def outcome(at: Here, moves: Moves) -> Iterator[tuple[Any, Here]]:
    """Yield the events of ``moves``, which need no chance, each with the position after it."""
    event = next(moves, None)
    while event is not None:
        at = at.after(event)
        yield event, at
        try:
            event = moves.send(at)
        except StopIteration:
            return


def step_of(event: Any, steps: Sequence[int], before: int) -> int:
    """Return which of ``steps``, all speeds of a line, led to ``event``; the event before it came of step ``before``."""
    if isinstance(event, happened.LineDropped):
        return len(steps) - len(event.speeds)
    if isinstance(event, happened.SpeedRefused | happened.Driven):
        return next((step for step in range(before + 1, len(steps)) if steps[step] == event.speed), before)
    return before


def as_known(at: Here) -> Here:
    """Return the position as ``at.seat`` knows it by internet: without other crews, and without the pack."""
    return At(_blind(at.config), replace(at.state, crews=(replace(at.own, returned=()),)), at.seat)


@remembered
def _blind(config: Config) -> Config:
    # Whoever looks ahead reports illegal speeds itself.
    return replace(config, components=replace(config.components, hazards=()), rejects=False, memo=Memo())


def may_draw(config: Config, crew: Crew, event: Any) -> bool:
    """Return whether ``crew``, whose pack no one knows, would draw a hazard card after ``event``."""
    if not isinstance(event, happened.Driven) or not event.squares or len(event.squares) != event.speed // 10:
        return False
    last, end = event.squares[-1], config.sections[len(crew.lines)].end
    return config.feature(last) is Feature.HAZARD and last != end.square


def drive_once(at: Here, turn: Turn, chance: Chance, held_by: Seat | None = None) -> Moves:
    """Yield the events of one ``turn`` at a table; the position is ``on_course``.

    ``held_by`` is the crew that was asked and does not let this one overtake.
    """
    return _Driver(at, turn, chance, held_by).take(at, at.own)


def drive(at: Here, first: Turn, then: tuple[int, ...]) -> Moves:
    """Yield the events of a line of ``at.seat``: of the ``first`` turn, and of turns at the speeds ``then``.

    It ends with the section. After missed turns it continues if its next speed is a legal Starting Speed (RR-M4).
    """
    config, crew, left = at.config, at.own, [first, *map(Turn, then)]
    section = len(crew.lines)
    was_halted = has_drawn = False
    while left:
        if crew.out is not None or len(crew.lines) != section:
            break
        # If the option refuses illegal speeds, no player could know in advance which are illegal after a card.
        is_asked_again = was_halted or (config.rejects and has_drawn)
        if is_asked_again and left[0].speed not in speeds_here(config, crew):
            yield happened.LineDropped(
                seat=at.seat, speeds=_numbers(left), why="it goes on with no legal Starting Speed", rule="RR-M4"
            )
            return at
        driving = _Driver(at, left.pop(0))
        at = yield from driving.take(at, crew)
        crew = at.own
        for step in (*(0,) * driving.waited, AT_CONTROL):
            if left and left[0].speed == step:
                left.pop(0)
        was_halted, has_drawn = driving.was_halted, has_drawn or driving.has_drawn
    if left and _numbers(left):
        yield happened.LineDropped(seat=at.seat, speeds=_numbers(left), why="the section is over", rule="RR-H6")
    return at


def _numbers(left: list[Turn]) -> tuple[int, ...]:
    return tuple(turn.speed for turn in left if turn.speed != AT_CONTROL)


class _Driver:
    """Drives one ``turn`` of ``seat``; ``waited`` counts turns missed after it, ``was_halted``: it ended badly."""

    def __init__(self, at: Here, turn: Turn, chance: Chance | None = None, held_by: Seat | None = None) -> None:
        # The positions after events may belong to another seat, which lets this one overtake, and have no route.
        self.config, self.seat, self.turn, self.chance, self.held_by = at.config, at.seat, turn, chance, held_by
        self.waited, self.was_halted, self.has_drawn = 0, False, False

    def take(self, at: Here, crew: Crew) -> Moves:
        """Yield the events of the turn of ``crew``; return the position after it."""
        config, seat, turn = self.config, self.seat, self.turn
        car, rights = crew.car(config), crew.rights(config, turn.using)
        # At a table a move onto a taken square may continue by as many squares as there are other cars.
        others = len(at.state.crews) - 1 if config.is_table else 0
        ahead = way_ahead(config, car, max(STANDARD, turn.speed) // 10 + others, turn.via)
        legal = legal_speeds(config, car, rights, ahead[0] if ahead else None)
        if turn.using:
            at = yield happened.CardUsed(seat=seat, card=turn.using)
        if turn.speed not in legal:
            self.was_halted = True
            yield happened.SpeedRefused(seat=seat, speed=turn.speed, least=legal[0], most=legal[-1])
            return (yield happened.TurnsMissed(seat=seat, turns=1, rule="RR-M4"))
        blocks = (self.held_by,) if self.held_by else ()
        traffic = traffic_of(At(config, at.state, seat), falls_back=turn.lands == "behind", blocks=blocks)
        move = moved(config, car, rights, turn.speed, ahead, traffic)
        landed = Landing(0) if turn.speed > FASTEST else landing(config, turn.speed, ahead, traffic)
        at = yield happened.Driven(seat=seat, speed=turn.speed, squares=move.squares)
        if config.version > 2:
            is_reached = len(move.squares) == landed.squares
            return (yield from self._end((yield from self._tell(at, landed, traffic)) if is_reached else at, move))
        at = yield from self._end(at, move)
        # Before version 3 the log told of the other car in the end, also if the car had never come so far.
        return (yield from self._tell(at, landed, traffic)) if at.of(seat).trail else at

    def _tell(self, at: Here, landed: Landing, traffic: Traffic) -> Moves:
        """RR-O1: yield the event of another car in the way."""
        if landed.held is not None:
            by = traffic.blocked[landed.held]
            return (yield table.Held(seat=self.seat, by=by, square=at.of(self.seat).trail[-1]))
        if landed.is_displaced:
            return (yield table.Displaced(seat=self.seat, square=at.of(self.seat).trail[-1]))
        return at

    def _end(self, at: Here, move: Move) -> Moves:
        """Yield the events of all that the car met on its drive."""
        if move.met:
            at = yield from self._meet(at, move.met)
        if move.rolled:
            at = yield happened.Rolled(seat=self.seat, squares=move.rolled)
            at = yield from self._meet(at, move.rolling)
        if move.banned is not None:
            return (yield happened.Disqualified(seat=self.seat, square=move.banned))
        if move.seconds is not None:
            return (yield from self._finish(at, move.seconds))
        if move.loss is not None:
            at = yield from self._lose(move.loss)
        if move.stops:
            at = yield happened.CarStopped(seat=self.seat, square=at.of(self.seat).trail[-1], rule="RR-M2")
        return (yield from self._draw(at)) if move.draws else at

    def _meet(self, at: Here, met: tuple[Fault | Passed, ...]) -> Moves:
        for one in met:
            if isinstance(one, Fault):
                at = yield from self._fault(at, one)
            else:
                at = yield happened.PassageMet(seat=self.seat, control=one.control)
        return at

    def _fault(self, at: Here, fault: Fault) -> Moves:
        yield happened.Faulted(seat=self.seat, words=fault.words, control=fault.control, rule=fault.rule)
        return (yield from self._spend(at, (Part(FAULT, fault.words, fault.rule),)))

    def _spend(self, at: Here, why: tuple[Part, ...]) -> Moves:
        before = at.of(self.seat).penalty
        return (yield Spent(seat=self.seat, before=before, after=before + total(why), why=why))

    def _finish(self, at: Here, seconds: int) -> Moves:
        """RR-P1 to RR-P5: end the section; the last turn counts ``seconds``."""
        crew = at.of(self.seat)
        section = self.config.sections[len(crew.lines)]
        time = MINUTE * (len(crew.speeds) - 1) + seconds
        why = timed(section.timing, time, section.target)
        named = tuple(Part(part.amount, f"{section.end.name} {part.what}", part.rule) for part in why)
        if named:
            yield from self._spend(at, named)
        return (
            yield happened.SectionEnded(
                seat=self.seat,
                control=section.end.name,
                time=time,
                target=section.target,
                rule=RULES_OF_TIME[section.timing],
            )
        )

    def _lose(self, loss: Loss) -> Moves:
        """RR-F7, RR-F11, RR-F12: put the car off the road, or flood it, and miss turns."""
        self.waited, self.was_halted = self.waited + loss.turns, True
        is_flood = loss.rule == "RR-F7"
        if is_flood:
            yield happened.Flooded(seat=self.seat, square=loss.square)
        else:
            yield happened.LeftRoad(
                seat=self.seat, square=loss.square, speed=self.turn.speed, limit=loss.limit, rule=loss.rule
            )
        return (yield from self._miss(loss.turns, loss.rule, is_off=not is_flood))

    def _miss(self, turns: int, rule: str, *, is_off: bool = False) -> Moves:
        """Miss ``turns``: alone on the road at once, at a table one in each of the next minutes."""
        if self.config.is_table:
            return (yield table.MustMiss(seat=self.seat, turns=turns, is_off=is_off, rule=rule))
        return (yield happened.TurnsMissed(seat=self.seat, turns=turns, rule=rule))

    def _draw(self, at: Here) -> Moves:
        """RR-F8: draw the next hazard card; a setback takes effect at once."""
        card = self._top_card(at)
        if card is None:
            return at
        self.has_drawn = True
        drawn = table.TableHazardDrawn if self.config.is_table else happened.HazardDrawn
        at = yield drawn(seat=self.seat, card=card.id)
        if card.is_kept:
            return at
        self.was_halted = True
        if card.turns:
            self.waited += card.turns
            return (yield from self._miss(card.turns, "RR-F8"))
        return (yield happened.CarStopped(seat=self.seat, square=at.of(self.seat).trail[-1], rule="RR-F8"))

    def _top_card(self, at: Here) -> HazardCard | None:
        if not self.config.is_table or self.chance is None:
            return at.of(self.seat).next_hazard(self.config)
        unseen = unseen_hazards(self.config, at.state)
        if unseen:
            return self.config.hazards[CardId(self.chance.pick(f"a hazard card for {self.seat}", unseen))]
        return self.config.hazards[at.state.returned[0]] if at.state.returned else None


def unseen_hazards(config: Config, state: State) -> list[CardId]:
    """Return the cards left in a table's pack, in their printed order (RR-F8)."""
    return piles.left_in(config.hazards, (*state.returned, *(card for crew in state.crews for card in crew.held)))
