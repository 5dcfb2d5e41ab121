"""The order of play: by internet each crew alone, at a table phase by phase; and whom each phase asks what (RR)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from adjudicator.game import Ask, Chance, Moves, Order, Phase, Seat, count, listed
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.components import CardId
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.laying import legs_so_far
from adjudicator.games.rally_round.meta import META
from adjudicator.games.rally_round.orders import (
    Block,
    Choose,
    Finish,
    Pass,
    Pick,
    Place,
    Speed,
    Start,
    TurnRound,
    cards_left,
    chequered,
)
from adjudicator.games.rally_round.route import ambiguity_told, clock
from adjudicator.games.rally_round.state import Here, State, course

# The questions ----------------------------------------------------------------------------------------------------------


def _ask_kit(at: Here) -> str:
    chosen = f" ({count(len(at.own.kit), 'card')} chosen)" if at.own.kit else ""
    return f"choose a kit, one card of each of the six kinds{chosen}: KIT D1 N1 E1 S1 A1 B1"


def _ask_speeds(at: Here) -> str:
    section = at.config.sections[len(at.own.lines)]
    speed = f" at {section.end.speed} mph" if section.end.speed else ""
    what = f"{section.timing}{speed}, {section.distance} squares, target {clock(section.target)}"
    return f"choose the speeds to {section.end.name} ({what}): TC{section.end.number}: 10 20 …"


def _ask_marker(at: Here) -> str:
    legs, finish = legs_so_far(at.config, at.state.markers), at.state.finish
    doubtful = next((leg for leg in legs if leg.ways.number > 1), None)
    if doubtful is not None:
        return f"place a marker; {ambiguity_told(legs, doubtful)}"
    assert finish is not None
    what, side = f"place a marker, control {at.state.number_due} or a Black Spot", at.config.network.sides(finish)[0]
    return f"{what}: PLACE TC at {finish} from {side} ends the route"


def _at_table(kind: str, rule: str, words: Callable[[Here], str], *orders: type[Order]) -> Ask:
    such = listed((order.examples[0] for order in orders), "or")
    message = f"the rally is at another stage: give an order such as {such}"
    return Ask(kind, rule, words, orders, META.problem("other-stage", message, "RR-L1"))


def _ends(order: str) -> Callable[[Here], str]:
    return lambda at: f"choose the {order.lower()}: {order} at {listed(chequered(at.config, at.state), 'or')}"


_ONLY_AT_TABLE: Final = META.problem("not-at-a-table", "this order is only for the game at a table", "RR-L1")
_ALONE: Final = (Pick, Speed, TurnRound)
"""The orders of a crew that drives alone."""
KIT: Final = Ask("kit", "RR-K1", _ask_kit, _ALONE, _ONLY_AT_TABLE)
DRIVE: Final = Ask("drive", "RR-M1", _ask_speeds, _ALONE, _ONLY_AT_TABLE)
START: Final = _at_table("start", "RR-L1", _ends("START"), Start)
FINISH: Final = _at_table("finish", "RR-L1", _ends("FINISH"), Finish)
PLACE: Final = _at_table("place", "RR-L3", _ask_marker, Pass, Place)
CARD: Final = _at_table(
    "kit", "RR-K1", lambda at: f"choose a kit card ({listed(at.own.missing(at.config), 'or')}): PICK D1", Pick
)
CREW: Final = _at_table(
    "choose", "RR-V1", lambda at: f"choose a crew for yourself: CHOOSE {listed(at.state.order, 'or')}", Choose
)
SPEED: Final = _at_table(
    "drive",
    "RR-M1",
    lambda at: (
        f"choose the speed in minute {at.state.minute}, "
        f"on the way to {course(at.config, at.state).sections[len(at.own.lines)].end.name}: SPEED 10"
    ),
    Speed,
    TurnRound,
    Block,
)


# Which phase it is, and whom it asks ------------------------------------------------------------------------------------


def alone(at: Here) -> Iterator[Ask]:
    """Yield the question to the crew of ``at`` that drives alone; without a seat, those to all such crews."""
    for crew in at.state.crews if at.seat is None else (at.own,):
        if not crew.is_done(at.config):
            yield from DRIVE.to(crew.seat) if crew.has_kit() else KIT.to(crew.seat)


def _players(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.order if state.of(seat).out is None)


def _next(ask: Ask) -> Callable[[Here], tuple[Ask, ...]]:
    """Ask the players one after the other, from turn to turn."""

    def asks(at: Here) -> tuple[Ask, ...]:
        players = _players(at.state)
        return ask.to(players[at.state.laid % len(players)])

    return asks


def _answerer(at: Here) -> tuple[Ask, ...]:
    waiting = at.state.announced
    if waiting is None:
        return ()
    words, near = f"say whether {waiting.mover} may overtake", "BLOCK yes, or BLOCK no"
    first = META.problem("answer-first", f"first {words}: {near}", "RR-O1", near=("BLOCK yes", "BLOCK no"))
    return Ask("block", "RR-O1", f"{words} at {waiting.speed} mph: {near}", (Block,), first).to(waiting.by)


# What follows -----------------------------------------------------------------------------------------------------------


def _draw_cars(at: Here, chance: Chance) -> Moves:
    left, order = list(at.config.seats), list[Seat]()
    while left:
        order.append(Seat(chance.pick(f"the crew that starts as number {len(order) + 1}", tuple(left))))
        left.remove(order[-1])
    yield happened.StartDrawn(order=tuple(order))


def _deal(at: Here, chance: Chance) -> Moves:
    """RR-K1, RR-V1: deal one card of each kind to each crew."""
    config = at.config
    for seat in at.state.order:
        for kind in at.of(seat).missing(config):
            left = tuple(card for card in cards_left(config, at.state) if config.kit[card].kind is kind)
            card = CardId(chance.pick(f"a {kind} card for {seat}", left))
            at = yield happened.CardPicked(seat=seat, card=card)


def _go_on(at: Here, _chance: Chance) -> Moves:
    """Let a crew miss its turn; after the last turn begin the next minute, or the next part."""
    state, laid = at.state, course(at.config, at.state)
    if state.queue:
        first = at.of(state.queue[0])
        yield happened.TurnLost(seat=first.seat, left=first.lost - 1)
    elif all(crew.is_done(laid) for crew in state.crews):
        assert state.finish is not None
        squares = tuple(section.distance for section in laid.sections)
        yield happened.PartEnded(part=state.part, finish=state.finish, squares=squares)
    else:
        yield happened.MinuteBegun(minute=state.minute + 1, order=moving_order(laid, state, state.minute + 1))


def moving_order(laid: Config, state: State, minute: int) -> tuple[Seat, ...]:
    """Return the crews that move in ``minute``, in order: the furthest along the route first, those off it last (RR-M5)."""
    places: list[tuple[int, int, int, int, Seat]] = []
    # If all crews that have started are done, the others still start minute by minute.
    for start, seat in enumerate(state.order[:minute]):
        crew = state.of(seat)
        if not crew.is_done(laid):
            # A car that rolled back over the start of its section is still on the route.
            sections, here = laid.sections[len(crew.lines) :: -1], crew.trail[-1]
            on = next((-one.before - at for one in sections if (at := one.place(here)) >= 0), None)
            places.append((1, 0, 0, start, seat) if on is None else (0, on, crew.arrived, start, seat))
    return tuple([place[-1] for place in sorted(places)])


PHASES: Final = (
    Phase("RR-H4", lambda at: not at.config.is_table, alone),
    Phase("RR-R1", lambda at: at.state.is_over(at.config)),
    Phase("RR-H7", lambda at: not at.state.order, follow=_draw_cars),
    Phase("RR-L1", lambda at: not at.state.controls, _next(START)),
    Phase("RR-L1", lambda at: at.state.finish is None, _next(FINISH)),
    Phase("RR-L3", lambda at: not course(at.config, at.state).sections, _next(PLACE)),
    Phase(
        "RR-K1",
        lambda at: not at.state.minute and any(crew.out is None and not crew.has_kit() for crew in at.state.crews),
        # One card at a time, the last to start first; chance deals if the option says so.
        lambda at: (
            () if at.config.is_dealt else CARD.to(min(_players(at.state)[::-1], key=lambda seat: len(at.of(seat).kit)))
        ),
        _deal,
    ),
    Phase("RR-V1", lambda at: at.config.is_solo and at.state.own is None, lambda at: CREW.to(_players(at.state)[0])),
    Phase("RR-O1", lambda at: at.state.announced is not None, _answerer),
    Phase(
        "RR-M5",
        lambda _at: True,
        lambda at: SPEED.to(*(seat for seat in at.state.queue[:1] if not at.of(seat).lost)),
        _go_on,
    ),
)
"""The order of play: by internet the first row, at a table the first of the others that applies."""
