"""Run the game at a table (RR-L, RR-K1, RR-M5, RR-V1): decisions, and events without an order."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

from adjudicator.game import Chance, Decision, Moves, Seat, listed
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round import laying
from adjudicator.games.rally_round import table_events as table
from adjudicator.games.rally_round.components import CardId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.markers import legs_so_far
from adjudicator.games.rally_round.orders import Choose, Finish, Pass, Pick, Start
from adjudicator.games.rally_round.route import ambiguity_told
from adjudicator.games.rally_round.state import Crew, State, course, is_laid


class Stage(StrEnum):
    """The stages of a rally at a table: draw cars, lay the route, choose kits, choose a crew, drive."""

    DRAW = "draw"
    START = "start"
    FINISH = "finish"
    LAY = "lay"
    KIT = "kit"
    CHOOSE = "choose"
    DRIVE = "drive"


_DRIVE: Final = Stage.DRIVE


def stage_of(config: Config, state: State) -> Stage:
    """Return the stage of the rally; ``config`` may include the route or not."""
    if state.minute:  # no other stage has a minute (see ``impossible``)
        return _DRIVE
    if not state.order:
        return Stage.DRAW
    if not state.controls:
        return Stage.START
    if state.finish is None:
        return Stage.FINISH
    if not is_laid(config, state):
        return Stage.LAY
    for crew in state.crews:
        if crew.out is None and not crew.has_kit():
            return Stage.KIT
    return Stage.CHOOSE if config.is_solo and state.own is None else _DRIVE


def due(config: Config, state: State) -> Seat | None:
    """Return the seat that must decide, ``None`` if an event needs no order or the rally is over."""
    if state.minute and state.announced is None:  # the crews drive
        is_missed = not state.queue or state.crew(state.queue[0]).lost
        return None if is_missed or state.is_over(config) else state.queue[0]
    if state.is_over(config):
        return None
    if state.announced is not None:
        return state.announced.by
    players = tuple(seat for seat in state.order if state.crew(seat).out is None)
    match stage_of(config, state):
        case Stage.START | Stage.FINISH | Stage.LAY:
            return players[state.laid % len(players)] if players else None
        case Stage.KIT if not config.is_dealt:
            # Each picks one card at a time, the last to start first.
            drafters = players[::-1]
            return min(drafters, key=lambda seat: (len(state.crew(seat).kit), drafters.index(seat)))
        case Stage.CHOOSE:
            return players[0] if players else None
    return None


def decision(config: Config, state: State) -> Decision | None:
    """Return the decision that is due, with the question of its stage."""
    seat = due(config, state)
    if seat is None:
        return None
    return Decision(seat, *_question(config, state, state.crew(seat)))


def _question(config: Config, state: State, crew: Crew) -> tuple[str, str, str]:
    """Return the kind of the decision that is due from ``crew``, the question, and the rule."""
    waiting, free = state.announced, listed(laying.chequered(config, state), "or")
    if waiting is not None:
        words = f"say whether {waiting.mover} may overtake at {waiting.speed} mph: BLOCK yes, or BLOCK no"
        return "block", words, "RR-O1"
    match stage_of(config, state):
        case Stage.START:
            return "start", f"choose the start: START at {free}", "RR-L1"
        case Stage.FINISH:
            return "finish", f"choose the finish: FINISH at {free}", "RR-L1"
        case Stage.LAY:
            return "place", _ask_marker(config, state), "RR-L3"
        case Stage.KIT:
            return "kit", f"choose a kit card ({listed(crew.missing(config), 'or')}): PICK D1", "RR-K1"
        case Stage.CHOOSE:
            return "choose", f"choose a crew for yourself: CHOOSE {listed(state.order, 'or')}", "RR-V1"
    end = course(config, state).sections[len(crew.lines)].end.name
    return "drive", f"choose the speed in minute {state.minute}, on the way to {end}: SPEED 10", "RR-M1"


def _ask_marker(config: Config, state: State) -> str:
    legs = legs_so_far(config, state.markers)
    doubtful = next((leg for leg in legs if leg.ways.number > 1), None)
    if doubtful is not None:
        return f"place a marker; {ambiguity_told(legs, doubtful)}"
    what = f"place a marker, control {laying.number_due(state)} or a Black Spot"
    return f"{what}: PLACE TC at {state.finish} from N ends the route"


def cards_left(config: Config, state: State) -> tuple[CardId, ...]:
    """Return the kit cards that no crew has taken."""
    taken = {card for crew in state.crews for card in crew.kit}
    return tuple(card for card in config.kit if card not in taken)


def proceed(config: Config, state: State, chance: Chance) -> Moves[State]:
    """Yield the events that need no order: the draw, the deal, new minutes, missed turns, parts."""
    if not config.is_table or due(config, state) is not None or state.is_over(config):
        return
    stage = stage_of(config, state)
    if stage is _DRIVE:
        yield _gone_on(config, state)
    elif stage is Stage.KIT:
        yield from _deal(config, state, chance)
    elif stage is Stage.DRAW:
        yield table.StartDrawn(order=_drawn(config, chance))


def _drawn(config: Config, chance: Chance) -> tuple[Seat, ...]:
    left, order = list(config.seats), list[Seat]()
    while left:
        order.append(Seat(chance.pick(f"the crew that starts as number {len(order) + 1}", tuple(left))))
        left.remove(order[-1])
    return tuple(order)


def _deal(config: Config, state: State, chance: Chance) -> Moves[State]:
    """RR-K1, RR-V1: deal one card of each kind to each crew."""
    for seat in state.order:
        for kind in state.crew(seat).missing(config):
            left = tuple(card for card in cards_left(config, state) if config.kit[card].kind is kind)
            card = CardId(chance.pick(f"a {kind} card for {seat}", left))
            state = yield happened.CardPicked(seat=seat, card=card)


def _gone_on(config: Config, state: State) -> table.TurnLost | table.PartEnded | table.MinuteBegun:
    if state.queue:
        first = state.crew(state.queue[0])
        return table.TurnLost(seat=first.seat, left=first.lost - 1)
    laid = course(config, state)
    if all(crew.is_done(laid) for crew in state.crews):
        assert state.finish is not None
        squares = tuple(section.distance for section in laid.sections)
        return table.PartEnded(part=state.part, finish=state.finish, squares=squares)
    return table.MinuteBegun(minute=state.minute + 1, order=moving_order(config, state, state.minute + 1))


def moving_order(config: Config, state: State, minute: int) -> tuple[Seat, ...]:
    """Return the crews that move in ``minute``, in order: the furthest along the route first, those off it last (RR-M5)."""
    laid = course(config, state)
    places: list[tuple[int, int, int, int, Seat]] = []
    # If all crews that have started are done, the others still start minute by minute.
    for start, seat in enumerate(state.order[:minute]):
        crew = state.crew(seat)
        if not crew.is_done(laid):
            places.append((*_place(laid, crew), start, seat))
    return tuple([place[-1] for place in sorted(places)])


def _place(laid: Config, crew: Crew) -> tuple[int, int, int]:
    number, here = len(crew.lines), crew.trail[-1]
    # A car that rolled back over the start of its section is still on the route; in version 1 it was not.
    earliest = number if laid.by_version_1 else 0
    for section in reversed(laid.sections[earliest : number + 1]):
        if here in section.places:
            return 0, -section.before - section.places[here], crew.arrived
    return 1, 0, 0


def candidates(config: Config, state: State, seat: Seat) -> Iterator[Any]:
    """Yield all orders that may be legal for ``seat`` before the crews drive."""
    match stage_of(config, state):
        case Stage.START:
            yield from map(Start, laying.chequered(config, state))
        case Stage.FINISH:
            yield from map(Finish, laying.chequered(config, state))
        case Stage.LAY:
            yield Pass()
            yield from laying.places(config)
        case Stage.KIT:
            yield from map(Pick, cards_left(config, state))
        case Stage.CHOOSE:
            yield from map(Choose, state.order)
