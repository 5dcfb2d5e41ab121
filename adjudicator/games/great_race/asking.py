"""Ask each seat for its decision (GR-B1, GR-L1, GR-V1, GR-H1), and refuse orders that no decision asks for.

Whose decision is due never depends on hidden cards: only the number of cards in a hand counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from adjudicator.game import Decision, Problem, Readiness, Seat, count, listed, remember_last
from adjudicator.games.great_race.components import CardId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.orders import Accept, Back, Cancel, Discard, Keep, Lay, Pay, Play
from adjudicator.games.great_race.said import tile_told
from adjudicator.games.great_race.state import BIVOUAC, CONVOY, NOT_PLANNED, PLANNING, Drive, Keeping, Laying, State, Threat
from adjudicator.games.great_race.tolls import tile_fuel

TAKE: Final = "take"
PLAN: Final = "plan"
CUT: Final = "cut"
TURN: Final = "turn"
LAY: Final = "lay"
KEEP: Final = "keep"
PAY: Final = "pay"
REACT: Final = "react"


_ANSWERS: Final[dict[str, tuple[type, ...]]] = {
    CUT: (Discard,),
    LAY: (Lay,),
    KEEP: (Keep,),
    PAY: (Pay, Back),
    REACT: (Cancel, Accept),
}
"""The questions that interrupt a sequence, and the orders that answer each: all other orders wait."""


@remember_last
def kinds_due(config: Config, state: State) -> Mapping[Seat, str]:
    """Return the seats that must decide, in turn order, each with the kind of its decision."""
    stage = state.stage
    if stage == CONVOY:
        return _kinds_in_convoy(config, state)
    if stage == BIVOUAC:
        return dict.fromkeys(state.takers[:1], TAKE)
    if stage == PLANNING:
        crews = [state.crew(seat) for seat in state.order]
        kinds = [CUT if crew.excess else PLAN if crew.plan in (None, NOT_PLANNED) else "" for crew in crews]
        return {crew.seat: kind for crew, kind in zip(crews, kinds, strict=True) if kind}
    return {}


def _kinds_in_convoy(config: Config, state: State) -> Mapping[Seat, str]:
    """Return the same for the convoy. The engine asks this after every event, and mostly one seat is due, or none."""
    if state.pending is not None:
        owner, kind = _asked_in_between(state.pending)
        return {} if owner is None else {owner: kind}
    for crew in state.crews:
        if len(crew.hand) > crew.chassis and crew.arrival is None:  # GR-H1
            if not config.last_hand_is_cut and is_last(config, state):
                return {}
            return {seat: CUT for seat in state.order if state.crew(seat).excess}
    turn = state.turn
    if turn is None or state.has_acted or state.in_play is not None or not state.crew(turn).is_playing:
        return {}
    return {turn: TURN}


def is_last(config: Config, state: State) -> bool:
    """Return whether the race ends with the present sequence: all crews have played, and no other round begins."""
    return not any(crew.is_playing for crew in state.crews) and (state.arrived > 0 or is_hopeless(config, state))


def is_hopeless(config: Config, state: State) -> bool:
    """Return whether no vehicle can arrive any more: the bag is empty, and no path leads to the finish (GR-H9)."""
    if state.bag_size(config):
        return False
    reached = config.roads.connected(config.roads.finish, state.tiles)
    return not any(crew.space in reached for crew in state.crews)


def _asked_in_between(pending: Laying | Keeping | Drive | Threat) -> tuple[Seat | None, str]:
    """Return the seat that something ``pending`` asks, and for what; ``None`` where it continues without an order."""
    match pending:
        case Drive():
            return (pending.seat, PAY) if pending.is_asked else (None, "")
        case Threat():
            return pending.asked, REACT
        case Laying():
            return pending.seat, LAY
        case Keeping():
            return pending.seat, KEEP


def decision_kind(config: Config, state: State, seat: Seat) -> str:
    """Return the kind of the decision due from ``seat``, empty if it has none to make."""
    return kinds_due(config, state).get(seat, "")


def due(config: Config, state: State) -> tuple[Seat, ...]:
    """Return the seats of the decisions due, in turn order."""
    return tuple(kinds_due(config, state))


def readiness(config: Config, state: State, seat: Seat, order: Any) -> Readiness:
    """Return whether ``order`` waits, as a question interrupts ``seat`` that it does not answer.

    A jerrycan never waits: a crew plays it at any time, and the answer may follow it in the same sheet (GR-K3).
    """
    kind = decision_kind(config, state, seat)
    if kind in _ANSWERS and not isinstance(order, _ANSWERS[kind]) and order != Play(CardId.JERRYCAN.value):
        return Readiness.WAITS
    return Readiness.READY


def decision(config: Config, state: State, seat: Seat) -> Decision | None:
    """Return the decision that is due from ``seat``, or ``None``."""
    kind = decision_kind(config, state, seat)
    return Decision(seat, kind, *_question(config, state, seat, kind)) if kind else None


def _question(config: Config, state: State, seat: Seat, kind: str) -> tuple[str, str]:
    match kind:
        case "take":
            cards = listed(list(dict.fromkeys(config.cards[card].name for card in state.offered)), "or")
            return f"take a card of the bivouac, round {state.round}: TAKE {cards}", "GR-B1"
        case "plan":
            return f"plan your {config.components.assistants} assistants for round {state.round}: PLAN", "GR-L1"
        case "cut":
            many = state.crew(seat).excess
            return f"discard {count(many, 'card')}, too many for the chassis: DISCARD (or PLAY Jerrycan)", "GR-H1"
        case "lay":
            return "say where the tiles drawn go: LAY", "GR-A1"
        case "keep":
            return "say which of the Trail hunter's cards to keep: KEEP", "GR-K1"
        case "pay":
            return _payment(config, state), "GR-D3"
        case "react":
            return _threatened(config, state), "GR-K4"
        case _:
            return f"play a sequence of round {state.round}: buy fuel, play cards, then use one assistant, or PASS", "GR-V1"


def _payment(config: Config, state: State) -> str:
    """Say what the tile drawn costs, and between which gauges the crew splits it."""
    drive = state.pending
    assert isinstance(drive, Drive)
    crew, space = state.crew(drive.seat), drive.path[0]
    tile = state.tiles[space]
    kind = config.tiles[tile]
    fuel = tile_fuel(config, space, tile)
    parts = kind.parts + (config.components.danger if kind.danger else 0)
    words = f"{space} is {tile_told(config, tile)}: it costs {fuel} fuel of {crew.fuel}"
    if parts:
        unless = " unless an escort or a Ranger cancels the danger" if kind.danger else ""
        words += (
            f", {count(parts, 'part')}{unless}, split over engine {crew.engine} and chassis {crew.chassis} as the order says"
        )
    return f"{words}: PAY, or BACK if that takes help"


def _threatened(config: Config, state: State) -> str:
    threat = state.pending
    assert isinstance(threat, Threat)
    what = f"the {config.cards[threat.card].name} of {threat.seat}"
    if threat.card is CardId.SABOTEUR:
        return f"{what} takes engine {threat.engine}, chassis {threat.chassis} from {threat.target}: CANCEL or ACCEPT"
    return f"{what} aims at {listed(threat.spaces)}: CANCEL or ACCEPT"


_INSTEAD: Final = {
    TAKE: ("take-first", "first take a card of the bivouac", "GR-B1", ()),
    PLAN: ("plan-first", "first plan the assistants", "GR-L1", ("PLAN mechanics 3 funding 2",)),
    CUT: ("too-many-cards", "first discard cards down to the chassis level", "GR-H1", ("DISCARD …", "PLAY Jerrycan")),
    LAY: ("lay-first", "first lay the tiles drawn", "GR-A1", ("LAY …",)),
    KEEP: ("keep-first", "first say which of the Trail hunter's cards to keep", "GR-K1", ("KEEP …",)),
    PAY: ("pay-first", "first say how to pay for the tile drawn", "GR-D3", ("PAY", "BACK")),
    REACT: ("react-first", "first answer the danger card", "GR-K4", ("CANCEL with …", "ACCEPT")),
    TURN: ("not-in-a-sequence", "this order answers a question that is not open: now play a sequence", "GR-V1", ("PASS",)),
}


def not_asked(config: Config, state: State, seat: Seat, kind: str) -> Problem:
    """Refuse an order of ``seat``, and say which decision is due instead, or whose."""
    if kind:
        code, message, rule, suggestions = _INSTEAD[kind]
        return META.problem(code, message, rule, suggestions=suggestions)
    crew = state.crew(seat)
    asked = due(config, state)
    wait = f"waiting for {listed(asked) or 'no one'}"
    if crew.arrival is not None:
        return META.problem("arrived", f"{seat} is in the finish city and plays no more", "GR-F1")
    if state.stage == PLANNING:
        return META.problem("planned-already", f"{seat} has planned: {wait}", "GR-L1")
    if crew.has_passed:
        return META.problem("passed-already", f"{seat} has passed in this round: {wait}", "GR-V1")
    return META.problem("not-due", f"it is not the turn of {seat}: {wait}", "GR-V1")
