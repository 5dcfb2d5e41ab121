"""Find impossible states: of the crews and their sheets (RR-C4, RR-F8, RR-P4), and of a table (RR-L, RR-M5, RR-O1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from adjudicator.game import Flaw, listed, replace, several, total
from adjudicator.games.rally_round.components import Does, Feature
from adjudicator.games.rally_round.config import TABLE, Config
from adjudicator.games.rally_round.route import flaws_of
from adjudicator.games.rally_round.state import Announced, Crew, State, at_control, course
from adjudicator.games.rally_round.timing import FAULT, timed


def normalized(config: Config, state: State) -> State:
    """Return ``state`` with every crew without a place at the control where its section begins."""
    if any(_impossible_markers(config, state)):
        return state
    laid = course(config, state)
    left = {crew.seat for crew in state.crews if crew.out is not None}
    crews = (replace(crew, lost=0, is_off=False) if crew.seat in left else crew for crew in state.crews)
    queue = tuple(seat for seat in state.queue if seat not in left)
    waiting = state.announced
    if waiting is not None and left & {waiting.mover, waiting.by}:  # the crew announces it again
        state = replace(state, announced=None)
    return replace(state, crews=tuple(at_control(laid, crew) for crew in crews), queue=queue)


def impossible(config: Config, state: State) -> Iterator[str | Flaw]:
    """Yield what is impossible: crews off the map, sheets that do not add up, unknown cards, cards in two places."""
    flaws = list(_impossible_markers(config, state))
    yield from flaws
    if flaws:
        return
    laid = course(config, state)
    yield from _impossible_drive(config, laid, state) if config.is_table else _no_table(state)
    for crew in state.crews:
        for flaw in (*_no_kit(laid, crew), *_no_pack(laid, crew), *_no_sheet(laid, crew), *_no_place(laid, crew)):
            yield Flaw(f"{crew.seat}: {flaw.message}", flaw.rule)


def _no_kit(config: Config, crew: Crew) -> Iterator[Flaw]:
    kinds = [config.kit[card].kind for card in crew.kit if card in config.kit]
    yield from (Flaw(f"the game has no kit card {card}", "RR-C3") for card in crew.kit if card not in config.kit)
    for kind in sorted({kind for kind in kinds if kinds.count(kind) > 1}):
        yield Flaw(f"a kit has only one {kind} card", "RR-K1")
    if not crew.has_kit() and (crew.lines or crew.speeds or len(crew.trail) > 1):
        yield Flaw("no crew starts without a complete kit", "RR-K1")


def _not_begun(config: Config, crew: Crew) -> Iterator[Flaw]:
    """Yield the flaws of a crew before the route is complete."""
    if crew.lines or crew.speed or crew.speeds or crew.met or crew.faulted or crew.lost or crew.is_off:
        yield Flaw("no crew drives before the route is complete", "RR-L4")
    if crew.trail != tuple(control.square for control in config.rally.controls[:1]) and crew.out is None:
        yield Flaw("all cars must be at the start until the route is complete", "RR-L1")


def _no_pack(config: Config, crew: Crew) -> Iterator[Flaw]:
    pack, moved = config.components.hazards, (*crew.held, *crew.returned)
    if config.is_table:
        if crew.drawn or crew.returned:
            yield Flaw("at a table there is one pack for all", "RR-F8")
    elif crew.drawn > len(pack):
        yield Flaw(f"the pack has {len(pack)} hazard cards, so a crew cannot have drawn {crew.drawn}", "RR-F8")
    elif sorted(moved) != sorted(card.id for card in pack[: crew.drawn]):
        yield Flaw(f"a crew must have kept or returned exactly the first {crew.drawn} hazard cards, once each", "RR-F8")
    for card in crew.held:
        if card in config.hazards and not config.hazards[card].is_kept:
            yield Flaw(f"{card} is a setback, which no crew keeps", "RR-F8")


def _no_sheet(config: Config, crew: Crew) -> Iterator[Flaw]:
    if config.sections and len(crew.lines) > len(config.sections):
        yield Flaw(f"the rally has {len(config.sections)} sections", "RR-C4")
        return
    sheets = (*(line.speeds for line in crew.lines), crew.speeds)
    for speed in sorted({speed for speeds in sheets for speed in speeds if speed % 10}):
        yield Flaw(f"{speed} mph is not a multiple of 10", "RR-M1")
    before = crew.totals[-1] if crew.totals else 0
    for section, line in zip(config.sections, crew.lines, strict=False):
        rest = line.penalty - before - total(timed(section.timing, line.time, section.target))
        if rest < 0 or rest % FAULT:
            yield Flaw(f"the penalty after {section.end.name} does not follow from the time and 30 marks a fault", "RR-P4")
        if not 0 < line.time <= 60 * len(line.speeds):
            yield Flaw(f"the time to {section.end.name} does not follow from its {len(line.speeds)} turns", "RR-P5")
        before = line.penalty
    if crew.penalty < before or (crew.penalty - before) % FAULT:
        yield Flaw("since the last time control, a crew can only have penalties of 30 marks each", "RR-P4")
    elif crew.penalty > before and len(crew.lines) == len(config.sections) > 0:
        yield Flaw("after the finish the penalty cannot grow", "RR-P4")


def _no_place(config: Config, crew: Crew) -> Iterator[Flaw]:
    if not config.sections:
        yield from _not_begun(config, crew)
        return
    if len(crew.lines) >= len(config.sections):
        if crew.speed or crew.speeds or crew.met or crew.trail:
            yield Flaw("a crew that has finished has nothing more to drive", "RR-C4")
        if crew.out is not None:
            yield Flaw("a crew that has finished cannot be out of the rally", "RR-R1")
        return
    section, squares = config.sections[len(crew.lines)], config.network.squares
    unknown = [square for square in crew.trail if square not in squares]
    yield from (Flaw(f"the map has no square {square}", "RR-C1") for square in unknown)
    if not crew.trail and crew.out is None:
        yield Flaw("the car has no place", "RR-C1")
    for here, there in () if unknown else pairwise(crew.trail):
        if there not in config.network.neighbours(here):
            yield Flaw(f"no road leads from {here} to {there}", "RR-C1")
    if section.end.square in crew.trail:
        yield Flaw(f"a crew that has reached {section.end.name} has finished the section", "RR-H2")
    if crew.met >= len(section.posts):
        yield Flaw(f"only {len(section.posts) - 1} PCs come before {section.end.name}", "RR-H2")
    names = {post.name for post in (section.start, *section.posts)}
    yield from (Flaw(f"{name} is not a control of this section", "RR-H2") for name in crew.faulted if name not in names)
    if crew.speed and (not crew.speeds or crew.speeds[-1] != crew.speed):
        yield Flaw(f"a car at {crew.speed} mph must have this as the last speed of its sheet", "RR-M3")


def _impossible_markers(config: Config, state: State) -> Iterator[Flaw]:
    """Yield flaws of the order, the markers and the cards of a table that make its route unknown."""
    if config.is_table:
        yield from _impossible_order(config, state)
        yield from _impossible_route(config, state)
        yield from _impossible_cards(config, state)


def _no_table(state: State) -> Iterator[Flaw]:
    things = (state.order, state.controls, state.black_spots, state.finish, state.queue, state.returned)
    if any((*things, state.own, state.announced)):
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
    yield from (Flaw(f"there are {times} markers on {square}", "RR-L3") for square, times in several(placed))
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
    rally = replace(TABLE, controls=state.controls, black_spots=state.black_spots)
    # An unfinished route may be ambiguous, and end with a PC.
    yield from flaws_of(config.network, rally, is_complete=False, is_certain=False)
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
    elif waiting.using is not None and waiting.using not in state.of(waiting.mover).held:
        yield Flaw(f"{waiting.mover} does not keep {waiting.using}", "RR-F8")


def _impossible_crew(laid: Config, state: State, crew: Crew) -> Iterator[tuple[str, str]]:
    if crew.is_done(laid) and (crew.seat in state.queue or crew.lost or crew.is_off):
        yield "has nothing more to drive, and no turn to miss", "RR-M5"
    if crew.is_off and not crew.lost and crew.speeds[-1:] != (0,):
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
