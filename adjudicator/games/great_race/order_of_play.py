"""The order of play, in the order of the rulebook: its phases, whom each asks what, and what follows (GR-B1 to GR-F2).

Whose decision is due never depends on hidden cards: only the number of cards in a hand counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from adjudicator.core.order_of_play import Asked, OrderOfPlay, Phase, Question, at_stage
from adjudicator.game import Chance, Part, Seat, count, listed, ordinal
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import convoy, laying, orders, plays, repair, routes, threats
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.config import Config, tile_told
from adjudicator.games.great_race.driving import Back, Pay, drive_on
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import drawn, settle
from adjudicator.games.great_race.state import (
    BAG,
    BIVOUAC,
    NOT_PLANNED,
    OVER,
    PLANNING,
    Crew,
    Drive,
    Keeping,
    Laying,
    Moves,
    State,
    Threat,
)

# The words of questions


def _take(config: Config, state: State, _seat: Seat) -> str:
    offered = listed(list(dict.fromkeys(config.cards[card].name for card in state.offered)), "or")
    return f"take a card of the bivouac, round {state.round}: TAKE {offered}"


def _pay(config: Config, state: State, seat: Seat) -> str:
    """Say what the tile drawn costs, and between which gauges the crew splits it."""
    crew, space = state.crew(seat), state.pending_as(Drive).path[0]
    tile = state.tiles[space]
    fuel, parts = config.tile_fuel(space, tile), config.tile_parts(tile)
    words = f"{space} is {tile_told(config, tile)}: it costs {fuel} fuel of {crew.fuel}"
    if parts:
        unless = " unless an escort or a Ranger cancels the danger" if config.tiles[tile].danger else ""
        split = f"split over engine {crew.engine} and chassis {crew.chassis} as the order says"
        words += f", {count(parts, 'part')}{unless}, {split}"
    return f"{words}: PAY, or BACK if that takes help"


def _react(config: Config, state: State, _seat: Seat) -> str:
    threat = state.pending_as(Threat)
    what = f"the {config.cards[threat.card].name} of {threat.seat}"
    if threat.target is not None:
        return f"{what} takes engine {threat.engine}, chassis {threat.chassis} from {threat.target}: CANCEL or ACCEPT"
    return f"{what} aims at {listed(threat.spaces)}: CANCEL or ACCEPT"


TAKE: Final = Question(
    "take", "GR-B1", _take, (convoy.Take,), META.problem("take-first", "first take a card of the bivouac", "GR-B1")
)
PLAN: Final = Question(
    "plan",
    "GR-L1",
    lambda config, state, _seat: f"plan your {config.components.assistants} assistants for round {state.round}: PLAN",
    (convoy.Plan, convoy.React),
    META.problem("plan-first", "first plan the assistants", "GR-L1", near=("PLAN mechanics 3 funding 2",)),
)
CUT: Final = Question(
    "cut",
    "GR-H1",
    lambda _config, state, seat: (
        f"discard {count(state.crew(seat).excess, 'card')}, too many for the chassis: DISCARD (or PLAY Jerrycan)"
    ),
    (convoy.Discard,),
    META.problem(
        "too-many-cards",
        "first discard cards down to the chassis level",
        "GR-H1",
        near=("DISCARD …", "PLAY Jerrycan"),
    ),
    interrupts=True,
)
TURN: Final = Question(
    "turn",
    "GR-V1",
    lambda _config, state, _seat: (
        f"play a sequence of round {state.round}: buy fuel, play cards, then use one assistant, or PASS"
    ),
    (
        convoy.Buy,
        plays.Play,
        *orders.CARDS,
        laying.ScoutTiles,
        laying.ScoutCard,
        repair.Repair,
        routes.Drive,
        convoy.Escort,
        convoy.Fund,
        convoy.Pass,
        convoy.React,
    ),
    META.problem(
        "not-in-a-sequence",
        "this order answers a question that is not open: now play a sequence",
        "GR-V1",
        near=("PASS",),
    ),
)
LAY: Final = Question(
    "lay",
    "GR-A1",
    lambda *_at: "say where the tiles drawn go: LAY",
    (laying.Lay,),
    META.problem("lay-first", "first lay the tiles drawn", "GR-A1", near=("LAY …",)),
    interrupts=True,
)
KEEP: Final = Question(
    "keep",
    "GR-K1",
    lambda *_at: "say which of the Trail hunter's cards to keep: KEEP",
    (plays.Keep,),
    META.problem("keep-first", "first say which of the Trail hunter's cards to keep", "GR-K1", near=("KEEP …",)),
    interrupts=True,
)
PAY: Final = Question(
    "pay",
    "GR-D3",
    _pay,
    (Pay, Back),
    META.problem("pay-first", "first say how to pay for the tile drawn", "GR-D3", near=("PAY", "BACK")),
    interrupts=True,
)
REACT: Final = Question(
    "react",
    "GR-K4",
    _react,
    (threats.Cancel, threats.Accept),
    META.problem("react-first", "first answer the danger card", "GR-K4", near=("CANCEL with …", "ACCEPT")),
    interrupts=True,
)


# Which phase it is, and whom it asks


def _is_pending(kind: type) -> Callable[[Config, State], bool]:
    return lambda _config, state: isinstance(state.pending, kind)


def _owner(question: Question) -> Callable[[Config, State], Asked]:
    return lambda _config, state: {} if state.pending is None else {state.pending.seat: question}


def _takers(_config: Config, state: State) -> Asked:
    return dict.fromkeys(state.takers[:1], TAKE)


def _planners(_config: Config, state: State) -> Asked:
    crews = [state.crew(seat) for seat in state.order]
    is_open = [crew for crew in crews if crew.excess or crew.plan in (None, NOT_PLANNED)]
    return {crew.seat: CUT if crew.excess else PLAN for crew in is_open}


def _driver(_config: Config, state: State) -> Asked:
    drive = state.pending_as(Drive)
    return {drive.seat: PAY} if drive.is_asked else {}


def _threatened(_config: Config, state: State) -> Asked:
    asked = state.pending_as(Threat).asked
    return {} if asked is None else {asked: REACT}


def _must_cut(config: Config, state: State) -> bool:
    """Return whether a hand is too large, and matters: since version 2 of the rules not when nothing follows (GR-H1)."""
    for crew in state.crews:
        if len(crew.hand) > crew.chassis and crew.arrival is None:
            return config.version < 2 or not is_last(config, state)
    return False


def _cutters(_config: Config, state: State) -> Asked:
    return {seat: CUT for seat in state.order if state.crew(seat).excess}


def _is_in_sequence(_config: Config, state: State) -> bool:
    turn = state.turn
    return turn is not None and not state.has_acted and state.in_play is None and state.crew(turn).is_playing


def _is_played_out(_config: Config, state: State) -> bool:
    return not any(crew.is_playing for crew in state.crews)


def is_last(config: Config, state: State) -> bool:
    """Return whether the race ends with the present sequence: all crews have played, and no other round begins."""
    return _is_played_out(config, state) and (state.arrived > 0 or is_hopeless(config, state))


def is_hopeless(config: Config, state: State) -> bool:
    """Return whether no vehicle can arrive any more: the bag is empty, and no path leads to the finish (GR-H9)."""
    if BAG.many_left(config, state):
        return False
    reached = config.roads.connected(config.roads.finish, state.tiles)
    return not any(crew.space in reached for crew in state.crews)


# What follows


def _offer(config: Config, state: State, chance: Chance) -> Moves:
    """Lay out a card for each player and one more; the last in turn order takes first (GR-B1)."""
    if state.round == 1:
        roads = config.roads
        state = yield happened.RaceBegun(start=roads.start, finish=roads.finish, order=state.order)
    cards, state = yield from drawn(config, state, len(config.seats) + 1, "a card of the bivouac", chance)
    if cards:
        yield dealt.CardsOffered(cards=cards, takers=state.order[::-1][: len(cards)])
    else:
        yield happened.PlanningBegun()


def _open_plans(_config: Config, state: State, _chance: Chance) -> Moves:
    """Open all plans, and let the first in turn order begin (GR-L1, GR-V1)."""
    for seat in state.order:
        plan = state.crew(seat).plan
        assert plan is not None
        state = yield happened.PlanOpened(seat=seat, plan=plan)
    yield happened.SequenceBegun(seat=state.order[0])


def _spend_card(_config: Config, _state: State, _chance: Chance) -> Moves:
    yield dealt.CardSpent()


def _next(_config: Config, state: State, _chance: Chance) -> Moves:
    """Let the next seat with something left play."""
    at = state.order.index(state.turn) + 1 if state.turn in state.order else 0
    seats = (*state.order[at:], *state.order[:at])
    yield happened.SequenceBegun(seat=next(seat for seat in seats if state.crew(seat).is_playing))


def _maintain(config: Config, state: State, _chance: Chance) -> Moves:
    """Set the new turn order, and pay the bonus (GR-N)."""
    lanes = {crew.seat: config.roads.lane(crew.space) for crew in state.crews}
    order = tuple(sorted(state.markers, key=lambda seat: -lanes[seat]))  # in one lane, the marker that came first
    rule = "GR-N1" if len({*lanes.values()}) == len(order) else "GR-N2"
    state = yield happened.OrderChanged(order=order, rule=rule)
    for rank, seat in enumerate(order):
        why = Part(config.bonus[rank], f"{ordinal(rank + 1)} on the way", "GR-N3")
        state = yield from settle(state, seat, (why,))


def _finish(config: Config, state: State, _chance: Chance) -> Moves:
    for crew in state.crews:
        points, levels, francs = prestige(config, crew)
        place = crew.arrival or 0
        yield happened.PrestigeCounted(seat=crew.seat, place=place, points=points, levels=levels, francs=francs)
    yield happened.RaceEnded()


def prestige(config: Config, crew: Crew) -> tuple[int, int, int]:
    """Return the points of ``crew`` for its arrival, for engine and chassis, and for its money (GR-F2)."""
    table, arrival = config.components.prestige, crew.arrival
    points = table.arrivals[arrival - 1] if arrival is not None and arrival <= len(table.arrivals) else 0
    return points, crew.parts, crew.cash // table.francs


ORDER_OF_PLAY: Final = OrderOfPlay(
    Phase("GR-B1", at_stage(BIVOUAC), _takers, _offer),
    Phase("GR-L1", at_stage(PLANNING), _planners, _open_plans),
    Phase("GR-F2", at_stage(OVER)),
    Phase("GR-D1", _is_pending(Drive), _driver, drive_on),
    Phase("GR-K4", _is_pending(Threat), _threatened, threats.react_on),
    Phase("GR-A1", _is_pending(Laying), _owner(LAY)),
    Phase("GR-K1", _is_pending(Keeping), _owner(KEEP)),
    Phase("GR-H1", _must_cut, _cutters),
    Phase("GR-V1", _is_in_sequence, lambda _c, state: {state.turn: TURN}),
    Phase("GR-H9", lambda _c, state: state.in_play is not None, follow=_spend_card),
    Phase("GR-V1", lambda config, state: not _is_played_out(config, state), follow=_next),
    Phase("GR-F1", is_last, follow=_finish),
    Phase("GR-N1", lambda _c, _state: True, follow=_maintain),
)
"""The order of play: in a convoy the first row applies that can; what interrupts a sequence comes before it."""
