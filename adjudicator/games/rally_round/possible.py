"""Find impossible states of a table (RR-L, RR-K1, RR-M5, RR-O1, RR-V1), and table values in a rally by internet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from adjudicator.game import Flaw, change, listed, repeated
from adjudicator.games.rally_round.components import Does, Feature
from adjudicator.games.rally_round.config import TABLE, Config
from adjudicator.games.rally_round.route import flaws_of

if TYPE_CHECKING:
    from adjudicator.games.rally_round.state import Announced, Crew, State


def impossible_table(config: Config, laid: Config, state: State) -> Iterator[Flaw]:
    """Yield the flaws of a table: of shared things, and of the things of each crew.

    ``laid`` is ``config`` with the route of the table.
    """
    if not config.is_table:
        yield from _no_table(state)
        return
    yield from _impossible_drive(config, laid, state)


def impossible_markers(config: Config, state: State) -> Iterator[Flaw]:
    """Yield flaws of the order, the markers and the cards of a table that make its route unknown."""
    if config.is_table:
        yield from _impossible_order(config, state)
        yield from _impossible_route(config, state)
        yield from _impossible_cards(config, state)


def _no_table(state: State) -> Iterator[Flaw]:
    things = (
        state.order,
        state.controls,
        state.black_spots,
        state.finish,
        state.queue,
        state.returned,
        state.own,
        state.announced,
    )
    if any(things):
        yield Flaw("a rally by internet has no table: no order, no markers, no minutes", "RR-M5")
    elif state.laid or state.minute or state.part > 1 or state.squares:
        yield Flaw("a rally by internet has no table: no laid route, and only one part", "RR-H8")
    for crew in state.crews:
        if crew.lost or crew.is_off or crew.arrived or crew.totals or crew.is_asking or crew.guarded or not crew.is_blocking:
            yield Flaw(f"{crew.seat}: by internet no car is in another's way, and missed turns pass at once", "RR-H4")


def _impossible_order(config: Config, state: State) -> Iterator[Flaw]:
    if state.order and sorted(state.order) != sorted(config.seats):
        yield Flaw(f"the order of starting must name each crew once: {listed(config.seats)}", "RR-H7")
    if len({*state.queue}) != len(state.queue) or not {*state.queue} <= {*state.order}:
        yield Flaw("the queue of a minute must name crews of this rally, each once", "RR-M5")
    if not state.order and (state.controls or state.laid or state.part > 1):
        yield Flaw("players lay no markers before chance draws the cars", "RR-H7")
    if state.part > config.parts:
        yield Flaw(f"the rally has {config.parts} parts", "RR-V1")
    if state.part > 1 and not state.controls:
        yield Flaw("a later part must start at the finish of the part before", "RR-V1")
    if state.own is not None and (state.own not in config.seats or not config.is_solo):
        yield Flaw("only a competitive solo has an own crew, and it must be a crew of this rally", "RR-V1")


def _impossible_route(config: Config, state: State) -> Iterator[Flaw]:
    """RR-L: require markers on the map, each on a different square, with a way from each control to the next."""
    controls, finish, squares = state.controls, state.finish, config.network.links
    placed = [*(control.square for control in controls), *state.black_spots]
    unknown = [square for square in (*placed, finish) if square is not None and square not in squares]
    yield from (Flaw(f"the map has no square {square}", "RR-C1") for square in unknown)
    if unknown:
        return
    yield from repeated("the marker on", placed, "RR-L3")
    if finish is not None and (not controls or finish == controls[0].square):
        yield Flaw("the finish needs a start on another square", "RR-L1")
    if finish is None and (len(controls) > 1 or state.black_spots):
        yield Flaw("other markers need a finish", "RR-L1")
    for square in (*(control.square for control in controls[:1]), *filter(None, [finish])):
        if config.network.squares[square].feature is not Feature.CHEQUERED:
            yield Flaw(f"{square} is not chequered, as start and finish must be", "RR-L1")
    if any(control.square == finish for control in controls[1:-1]) or finish in state.black_spots:
        yield Flaw("the finish must be the last control", "RR-L4")
    if len(controls) > 1 and controls[-1].square == finish and controls[-1].section is None:
        yield Flaw("the finish must be a time control", "RR-L4")
    if controls and len({*placed}) == len(placed):
        yield from _impossible_ways(config, state)


def _impossible_ways(config: Config, state: State) -> Iterator[Flaw]:
    rally = change(TABLE, controls=state.controls, black_spots=state.black_spots)
    for flaw in flaws_of(config.network, rally):
        # An unfinished route may be ambiguous, and end with a PC.
        if "ways of" not in flaw.message and "the last control" not in flaw.message:
            yield flaw
    for control in state.controls[1:]:
        is_stage = control.section == "stage"
        if control.section is not None and is_stage is not config.is_stage_rally:
            yield Flaw("only a stage rally has stages, and it has nothing else", "RR-T6")


def _impossible_cards(config: Config, state: State) -> Iterator[Flaw]:
    kits = Counter(card for crew in state.crews for card in crew.kit)
    yield from (Flaw(f"{card} is in {times} kits", "RR-K1") for card, times in kits.items() if times > 1)
    held = [card for crew in state.crews for card in crew.held]
    for card, times in Counter((*held, *state.returned)).items():
        if card not in config.hazards:
            yield Flaw(f"the game has no hazard card {card}", "RR-C3")
        elif times > 1:
            yield Flaw(f"{card} is in {times} places", "RR-F8")


def _impossible_drive(config: Config, laid: Config, state: State) -> Iterator[Flaw]:
    begun = any(crew.lines or crew.speeds or crew.lost for crew in state.crews)
    if not laid.sections and (state.queue or state.minute or begun):
        yield Flaw("no crew drives before the route is complete", "RR-L4")
        return
    if (state.minute or begun) and any(not crew.has_kit() and crew.out is None for crew in state.crews):
        yield Flaw("no crew starts before all kits are complete", "RR-K1")
    if config.is_solo and state.own is None and (state.minute or begun):
        yield Flaw("a lone player must choose its own crew before the start", "RR-V1")
    late = [seat for seat in state.queue if state.order.index(seat) >= state.minute]
    yield from (Flaw(f"{seat} starts after minute {state.minute}", "RR-M5") for seat in late)
    if state.announced is not None:
        yield from _impossible_announced(state, state.announced)
    for crew in state.crews:
        yield from (Flaw(f"{crew.seat} {words}", rule) for words, rule in _impossible_crew(laid, state, crew))
    room = {control.square for control in laid.rally.controls}
    cars = [crew for crew in state.crews if crew.trail and not crew.may_share and not crew.is_done(laid)]
    for square, times in Counter(crew.trail[-1] for crew in cars).items():
        if times > 1 and square not in room:
            yield Flaw(f"{times} cars are on {square}, which has room for one", "RR-O1")


def _impossible_announced(state: State, waiting: Announced) -> Iterator[Flaw]:
    if state.queue[:1] != (waiting.mover,) or waiting.by == waiting.mover or waiting.by not in state.order:
        yield Flaw("a move can wait for another crew's answer only in its own crew's turn", "RR-O1")
    elif waiting.speed % 10 or waiting.lands not in ("", "ahead", "behind"):
        yield Flaw("the waiting move is not legal", "RR-M1")
    elif waiting.using is not None and waiting.using not in state.crew(waiting.mover).held:
        yield Flaw(f"{waiting.mover} does not keep {waiting.using}", "RR-F8")


def _impossible_crew(laid: Config, state: State, crew: Crew) -> Iterator[tuple[str, str]]:
    if crew.is_done(laid) and (crew.seat in state.queue or crew.lost or crew.is_off):
        yield "has nothing more to drive, and no turn to miss", "RR-M5"
    if crew.is_off and not crew.lost and (laid.by_version_1 or crew.speeds[-1:] != (0,)):
        yield "is off the road, and has no turn to miss", "RR-F11"
    if crew.guarded > state.minute:
        yield f"has used no card since minute {state.minute}", "RR-O1"
    if crew.lost and (crew.speed or not crew.speeds):
        yield "misses turns, so its speed must be 0 after a turn in this section", "RR-P5"
    known = all(card in laid.kit for card in crew.kit)
    if known and (crew.is_asking or not crew.is_blocking) and not crew.rights(laid).can(Does.UNOVERTAKEN):
        yield "has no card to block with", "RR-O1"
    if crew.speeds and crew.seat not in state.order[: state.minute]:
        yield f"starts after minute {state.minute}", "RR-M5"
    if len(crew.totals) > len(state.squares) or (crew.out is None and len(crew.totals) < len(state.squares)):
        yield "needs a total after each section of the earlier parts", "RR-V1"
    if any(after < before for before, after in pairwise((*crew.totals, crew.penalty))):
        yield "cannot have less penalty than before", "RR-P4"
