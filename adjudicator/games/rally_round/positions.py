"""Find impossible states: of the crews and their sheets (RR-C4, RR-F8, RR-P4), and of a table (RR-L, RR-M5, RR-O1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from adjudicator.game import Flaw, listed, replace, several, total
from adjudicator.games.rally_round.components import Does, Feature
from adjudicator.games.rally_round.config import Config
from adjudicator.games.rally_round.route import FAULT, flaws_of, timed
from adjudicator.games.rally_round.state import Crew, State, course

where = Flaw.where


def normalized(config: Config, state: State) -> State:
    """Return ``state`` with every crew without a place at the control where its section begins."""
    if any(_table_without_route(config, state)):
        return state
    laid = course(config, state)
    left = {crew.seat for crew in state.crews if crew.out is not None}
    crews = list[Crew]()
    for crew in state.crews:
        crew = replace(crew, lost=0, is_off=False) if crew.seat in left else crew
        if not crew.trail and not crew.is_done(laid):
            controls = laid.rally.controls if not laid.sections else (laid.sections[len(crew.lines)].start,)
            crew = replace(crew, trail=tuple(control.square for control in controls[:1]))
        crews.append(crew)
    queue = tuple(seat for seat in state.queue if seat not in left)
    waiting = state.announced
    if waiting is not None and left & {waiting.mover, waiting.by}:  # the crew announces it again
        state = replace(state, announced=None)
    return replace(state, crews=tuple(crews), queue=queue)


def impossible(config: Config, state: State) -> Iterator[Flaw]:
    """Yield what is impossible: crews off the map, sheets that do not add up, unknown cards, cards in two places."""
    flaws = list(_table_without_route(config, state))
    yield from flaws
    if flaws:
        return
    laid = course(config, state)
    if config.is_table:
        yield from _table(config, laid, state)
    else:
        things = (state.order, state.controls, state.black_spots, state.finish, state.queue, state.returned)
        if any((*things, state.own, state.announced)):
            yield Flaw("a rally by internet has no table: no order, no markers, no minutes", "RR-M5")
        elif state.laid or state.minute or state.part > 1 or state.squares:
            yield Flaw("a rally by internet has no table: no laid route, and only one part", "RR-H8")
        for crew in state.crews:
            moves = (crew.lost, crew.is_off, crew.arrived, crew.totals, crew.is_asking, crew.guarded, not crew.is_blocking)
            if any(moves):
                yield Flaw(f"{crew.seat}: by internet no car is in another's way, and missed turns pass at once", "RR-H4")
    for crew in state.crews:
        for flaw in (*_cards(laid, crew), *_sheet(laid, crew), *_place(laid, crew)):
            yield Flaw(f"{crew.seat}: {flaw.message}", flaw.rule)


# Crews ------------------------------------------------------------------------------------------------------------------


def _cards(config: Config, crew: Crew) -> Iterator[Flaw]:
    kinds = [config.kit[card].kind for card in crew.kit]
    has_begun, is_twice = crew.lines or crew.speeds or len(crew.trail) > 1, sorted(kind for kind, _ in several(kinds))
    pack, moved = config.components.hazards, sorted((*crew.held, *crew.returned))
    own = sorted(card.id for card in pack[: crew.drawn])
    too_many = f"the pack has {len(pack)} hazard cards, so a crew cannot have drawn {crew.drawn}"
    others = f"a crew must have kept or returned exactly the first {crew.drawn} hazard cards, once each"
    setbacks = [card for card in crew.held if not config.hazards[card].is_kept]
    yield from where(
        *((True, f"a kit has only one {kind} card", "RR-K1") for kind in is_twice),
        (not crew.has_kit() and has_begun, "no crew starts without a complete kit", "RR-K1"),
        (config.is_table and (crew.drawn or crew.returned), "at a table there is one pack for all", "RR-F8"),
        (not config.is_table and crew.drawn > len(pack), too_many, "RR-F8"),
        (not config.is_table and crew.drawn <= len(pack) and moved != own, others, "RR-F8"),
        *((True, f"{card} is a setback, which no crew keeps", "RR-F8") for card in setbacks),
    )


def _sheet(config: Config, crew: Crew) -> Iterator[Flaw]:
    many, before = len(config.sections), crew.totals[-1] if crew.totals else 0
    if 0 < many < len(crew.lines):
        yield Flaw(f"the rally has {many} sections", "RR-C4")
        return
    sheets = (*(line.speeds for line in crew.lines), crew.speeds)
    for speed in sorted({speed for speeds in sheets for speed in speeds if speed % 10}):
        yield Flaw(f"{speed} mph is not a multiple of 10", "RR-M1")
    for section, line in zip(config.sections, crew.lines, strict=False):
        rest, name = line.penalty - before - total(timed(section.timing, line.time, section.target)), section.end.name
        late = f"the penalty after {name} does not follow from the time and 30 marks a fault"
        turns = f"the time to {name} does not follow from its {len(line.speeds)} turns"
        is_late, is_timed = rest < 0 or rest % FAULT, 0 < line.time <= 60 * len(line.speeds)
        yield from where((is_late, late, "RR-P4"), (not is_timed, turns, "RR-P5"))
        before = line.penalty
    if crew.penalty < before or (crew.penalty - before) % FAULT:
        yield Flaw("since the last time control, a crew can only have penalties of 30 marks each", "RR-P4")
    elif crew.penalty > before and len(crew.lines) == many > 0:
        yield Flaw("after the finish the penalty cannot grow", "RR-P4")


def _place(config: Config, crew: Crew) -> Iterator[Flaw]:
    if not config.sections:
        has_driven = crew.lines or crew.speed or crew.speeds or crew.met or crew.faulted or crew.lost or crew.is_off
        is_away = crew.trail != tuple(control.square for control in config.rally.controls[:1]) and crew.out is None
        yield from where(
            (has_driven, "no crew drives before the route is complete", "RR-L4"),
            (is_away, "all cars must be at the start until the route is complete", "RR-L1"),
        )
        return
    if len(crew.lines) >= len(config.sections):
        has_more = crew.speed or crew.speeds or crew.met or crew.trail
        yield from where(
            (has_more, "a crew that has finished has nothing more to drive", "RR-C4"),
            (crew.out is not None, "a crew that has finished cannot be out of the rally", "RR-R1"),
        )
        return
    section, network = config.sections[len(crew.lines)], config.network
    end, steps = section.end.name, [pair for pair in pairwise(crew.trail) if pair[1] not in network.neighbours(pair[0])]
    names = {post.name for post in (section.start, *section.posts)}
    is_other = crew.speed and crew.speeds[-1:] != (crew.speed,)
    yield from where(
        (not crew.trail and crew.out is None, "the car has no place", "RR-C1"),
        *((True, f"no road leads from {here} to {there}", "RR-C1") for here, there in steps),
        (section.end.square in crew.trail, f"a crew that has reached {end} has finished the section", "RR-H2"),
        (crew.met >= len(section.posts), f"only {len(section.posts) - 1} PCs come before {end}", "RR-H2"),
        *((name not in names, f"{name} is not a control of this section", "RR-H2") for name in crew.faulted),
        (is_other, f"a car at {crew.speed} mph must have this as the last speed of its sheet", "RR-M3"),
    )


# A table ----------------------------------------------------------------------------------------------------------------


def _table_without_route(config: Config, state: State) -> Iterator[Flaw]:
    """Yield flaws of the order, the markers and the cards of a table that make its route unknown."""
    if not config.is_table:
        return
    is_ordered = not state.order or sorted(state.order) == sorted(config.seats)
    is_queue = len({*state.queue}) == len(state.queue) and {*state.queue} <= {*state.order}
    is_own = state.own is None or (config.is_solo and state.own in config.seats)
    has_begun = state.controls or state.laid or state.part > 1
    no_start, starts = state.part > 1 and not state.controls, "a later part must start at the finish of the part before"
    solo = "only a competitive solo has an own crew, and it must be a crew of this rally"
    yield from where(
        (not is_ordered, f"the order of starting must name each crew once: {listed(config.seats)}", "RR-H7"),
        (not is_queue, "the queue of a minute must name crews of this rally, each once", "RR-M5"),
        (not state.order and has_begun, "players lay no markers before chance draws the cars", "RR-H7"),
        (state.part > config.parts, f"the rally has {config.parts} parts", "RR-V1"),
        (no_start, starts, "RR-V1"),
        (not is_own, solo, "RR-V1"),
    )
    # RR-L: markers on the map, each on a different square, with a way from each control to the next.
    controls, finish, squares = state.controls, state.finish, config.network.squares
    placed = [*(control.square for control in controls), *state.black_spots]
    ends = (*(control.square for control in controls[:1]), *filter(None, [finish]))
    plain = [square for square in ends if squares[square].feature is not Feature.CHEQUERED]
    is_inside = any(control.square == finish for control in controls[1:-1]) or finish in state.black_spots
    is_at_passage = len(controls) > 1 and controls[-1].square == finish and controls[-1].section is None
    has_no_start = finish is not None and (not controls or finish == controls[0].square)
    yield from where(
        *((True, f"there are {times} markers on {square}", "RR-L3") for square, times in several(placed)),
        (has_no_start, "the finish needs a start on another square", "RR-L1"),
        (finish is None and (len(controls) > 1 or state.black_spots), "other markers need a finish", "RR-L1"),
        *((True, f"{square} is not chequered, as start and finish must be", "RR-L1") for square in plain),
        (is_inside, "the finish must be the last control", "RR-L4"),
        (is_at_passage, "the finish must be a time control", "RR-L4"),
    )
    if controls and len({*placed}) == len(placed):
        # An unfinished route may be ambiguous, and end with a PC.
        yield from flaws_of(config.network, state.markers.rally, is_complete=False, is_certain=False)
        for control in controls[1:]:
            if control.section is not None and (control.section == "stage") is not config.is_stage_rally:
                yield Flaw("only a stage rally has stages, and it has nothing else", "RR-T6")
    kits, held = [card for crew in state.crews for card in crew.kit], [card for crew in state.crews for card in crew.held]
    yield from where(
        *((True, f"{card} is in {times} kits", "RR-K1") for card, times in several(kits)),
        *((True, f"{card} is in {times} places", "RR-F8") for card, times in several((*held, *state.returned))),
    )


def _table(config: Config, laid: Config, state: State) -> Iterator[Flaw]:
    begun = any(crew.lines or crew.speeds or crew.lost for crew in state.crews)
    if not laid.sections and (state.queue or state.minute or begun):
        yield Flaw("no crew drives before the route is complete", "RR-L4")
        return
    is_driven, waiting = state.minute or begun, state.announced
    has_no_kit = any(not crew.has_kit() and crew.out is None for crew in state.crews)
    late = [seat for seat in state.queue if state.order.index(seat) >= state.minute]
    no_own, own = config.is_solo and state.own is None, "a lone player must choose its own crew before the start"
    yield from where(
        (is_driven and has_no_kit, "no crew starts before all kits are complete", "RR-K1"),
        (is_driven and no_own, own, "RR-V1"),
        *((True, f"{seat} starts after minute {state.minute}", "RR-M5") for seat in late),
    )
    if waiting is not None:
        if state.queue[:1] != (waiting.mover,) or waiting.by == waiting.mover or waiting.by not in state.order:
            yield Flaw("a move can wait for another crew's answer only in its own crew's turn", "RR-O1")
        elif waiting.speed % 10 or waiting.lands not in ("", "ahead", "behind"):
            yield Flaw("the waiting move is not legal", "RR-M1")
        elif waiting.using is not None and waiting.using not in state.of(waiting.mover).held:
            yield Flaw(f"{waiting.mover} does not keep {waiting.using}", "RR-F8")
    for crew in state.crews:
        seat, is_done, parts = crew.seat, crew.is_done(laid), len(state.squares)
        has_turns = is_done and (seat in state.queue or crew.lost or crew.is_off)
        is_lost_off = crew.is_off and not crew.lost and crew.speeds[-1:] != (0,)
        can_block = laid.rights(crew.kit).can(Does.UNOVERTAKEN)
        has_totals = len(crew.totals) == parts or (crew.out is not None and len(crew.totals) < parts)
        is_falling = any(after < before for before, after in pairwise((*crew.totals, crew.penalty)))
        is_early = crew.speeds and seat not in state.order[: state.minute]
        moves, stands = crew.lost and (crew.speed or not crew.speeds), "must be 0 after a turn in this section"
        yield from where(
            (has_turns, f"{seat} has nothing more to drive, and no turn to miss", "RR-M5"),
            (is_lost_off, f"{seat} is off the road, and has no turn to miss", "RR-F11"),
            (crew.guarded > state.minute, f"{seat} has used no card since minute {state.minute}", "RR-O1"),
            (moves, f"{seat} misses turns, so its speed {stands}", "RR-P5"),
            ((crew.is_asking or not crew.is_blocking) and not can_block, f"{seat} has no card to block with", "RR-O1"),
            (is_early, f"{seat} starts after minute {state.minute}", "RR-M5"),
            (not has_totals, f"{seat} needs a total after each section of the earlier parts", "RR-V1"),
            (is_falling, f"{seat} cannot have less penalty than before", "RR-P4"),
        )
    room = {control.square for control in laid.rally.controls}
    # Another car may be on the square of one that is off the road, or was, and may not have driven on since.
    on_road = [crew for crew in state.crews if not (crew.is_off or 0 in crew.speeds or crew.is_done(laid))]
    cars = [crew.trail[-1] for crew in on_road if crew.trail]
    for square, times in several(cars):
        if square not in room:
            yield Flaw(f"{times} cars are on {square}, which has room for one", "RR-O1")
