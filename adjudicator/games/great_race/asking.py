"""Who is asked for what (GR-B1, GR-L1, GR-V1, GR-H1), and what is said to those who are not.

Whom it waits for never depends on what is hidden: hands are asked for by their number of cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from adjudicator.game import Decision, Problem, Seat, count, listed, remember_last
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
"""What is asked in between, and the orders that answer it: all others wait until that is done."""


@remember_last
def kinds_due(config: Config, state: State) -> Mapping[Seat, str]:
    """Return the seats of which a decision is due, in turn order, each with its kind."""
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
    """Return the same for the convoy, where it is asked after every event, and mostly one seat is due, or nobody."""
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
    """Return whether the race is over once the present sequence is: all have played, and another round is not begun."""
    return not any(crew.is_playing for crew in state.crews) and (state.arrived > 0 or is_hopeless(config, state))


def is_hopeless(config: Config, state: State) -> bool:
    """Return whether no vehicle can arrive any more: the bag is empty, and no path leads to the finish (GR-H9)."""
    if state.bag_size(config):
        return False
    reached = config.roads.connected(config.roads.finish, state.tiles)
    return not any(crew.space in reached for crew in state.crews)


def _asked_in_between(pending: Laying | Keeping | Drive | Threat) -> tuple[Seat | None, str]:
    """Return who is asked for what by something ``pending``, nobody where it goes on by itself."""
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
    """Return the kind of decision due from ``seat``, empty where none is."""
    return kinds_due(config, state).get(seat, "")


def due(config: Config, state: State) -> tuple[Seat, ...]:
    """Return the seats of the decisions due, in turn order."""
    return tuple(kinds_due(config, state))


def is_for_later(config: Config, state: State, seat: Seat, order: Any) -> bool:
    """Return whether ``seat`` is asked something in between now, which ``order`` does not answer.

    A jerrycan never waits: it is played at any time, and the answer may come after it in the same sheet (GR-K3).
    """
    kind = decision_kind(config, state, seat)
    return kind in _ANSWERS and not isinstance(order, _ANSWERS[kind]) and order != Play(CardId.JERRYCAN.value)


def awaiting(config: Config, state: State) -> tuple[Decision, ...]:
    """Return the decisions due, in turn order."""
    return tuple(
        [Decision(seat, kind, *_question(config, state, seat, kind)) for seat, kind in kinds_due(config, state).items()]
    )


def _question(config: Config, state: State, seat: Seat, kind: str) -> tuple[str, str]:
    match kind:
        case "take":
            cards = listed(list(dict.fromkeys(config.cards[card].name for card in state.offered)), "or")
            return f"bivouac of round {state.round}: TAKE {cards}", "GR-B1"
        case "plan":
            return f"round {state.round}: PLAN {config.components.assistants} assistants", "GR-L1"
        case "cut":
            many = state.crew(seat).excess
            return f"{count(many, 'card')} too many for the chassis: DISCARD (or PLAY Jerrycan)", "GR-H1"
        case "lay":
            return "where the tiles drawn go: LAY", "GR-A1"
        case "keep":
            return "which cards of the Trail hunter are kept: KEEP", "GR-K1"
        case "pay":
            return _payment(config, state), "GR-D3"
        case "react":
            return _threatened(config, state), "GR-K4"
        case _:
            return f"a sequence of round {state.round}: buy fuel, play cards, then one assistant, or PASS", "GR-V1"


def _payment(config: Config, state: State) -> str:
    """Say what the tile drawn costs, and how that may be split."""
    drive = state.pending
    assert isinstance(drive, Drive)
    crew, space = state.crew(drive.seat), drive.path[0]
    tile = state.tiles[space]
    kind = config.tiles[tile]
    fuel = tile_fuel(config, space, tile)
    parts = kind.parts + (config.components.danger if kind.danger else 0)
    words = f"{space} is {tile_told(config, tile)}: {fuel} fuel of {crew.fuel}"
    if parts:
        unless = " unless the danger is cancelled" if kind.danger else ""
        words += f", {count(parts, 'part')}{unless}, split over engine {crew.engine} and chassis {crew.chassis} as you say"
    return f"{words}: PAY, or BACK if it cannot be paid unaided"


def _threatened(config: Config, state: State) -> str:
    threat = state.pending
    assert isinstance(threat, Threat)
    what = f"the {config.cards[threat.card].name} of {threat.seat}"
    if threat.card is CardId.SABOTEUR:
        return f"{what} is to take engine {threat.engine}, chassis {threat.chassis} of {threat.target}: CANCEL or ACCEPT"
    return f"{what} is at {listed(threat.spaces)}: CANCEL or ACCEPT"


_INSTEAD: Final = {
    TAKE: ("take-first", "a card of the bivouac is to be taken now", "GR-B1", ()),
    PLAN: ("plan-first", "the assistants are to be planned now", "GR-L1", ("PLAN mechanics 3 funding 2",)),
    CUT: ("too-many-cards", "first the cards are cut to the chassis level", "GR-H1", ("DISCARD …", "PLAY Jerrycan")),
    LAY: ("lay-first", "first the tiles drawn are laid", "GR-A1", ("LAY …",)),
    KEEP: ("keep-first", "first it is said which cards of the Trail hunter are kept", "GR-K1", ("KEEP …",)),
    PAY: ("pay-first", "first it is said how the tile drawn is paid", "GR-D3", ("PAY", "BACK")),
    REACT: ("react-first", "first the danger card is answered", "GR-K4", ("CANCEL with …", "ACCEPT")),
    TURN: ("not-in-a-sequence", "that is not asked for now: a sequence is to be played", "GR-V1", ("PASS",)),
}


def not_asked(config: Config, state: State, seat: Seat, kind: str) -> Problem:
    """Say what is asked of ``seat`` instead of such an order, or that nothing is."""
    if kind:
        code, message, rule, suggestions = _INSTEAD[kind]
        return META.problem(code, message, rule, suggestions=suggestions)
    crew = state.crew(seat)
    asked = due(config, state)
    wait = f"{listed(asked) or 'nobody'} {'are' if len(asked) > 1 else 'is'} to act"
    if crew.arrival is not None:
        return META.problem("arrived", f"{seat} is in the finish city and plays no more", "GR-F1")
    if state.stage == PLANNING:
        return META.problem("planned-already", f"{seat} has planned: {wait}", "GR-L1")
    if crew.has_passed:
        return META.problem("passed-already", f"{seat} has passed in this round: {wait}", "GR-V1")
    return META.problem("not-due", f"it is not the turn of {seat}: {wait}", "GR-V1")
