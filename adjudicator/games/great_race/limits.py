"""Find what no component set, no board and no state of a race can be (GR-C, GR-B, GR-L, GR-V, GR-D, GR-F)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Final

from adjudicator.game import At, Flaw, Setup, count, listed, several
from adjudicator.games.great_race.components import (
    FIRST,
    Board,
    CardId,
    Components,
    Config,
    Does,
    Space,
    SpaceId,
    board_of,
    graph_of,
    start_of,
)
from adjudicator.games.great_race.danger import flaws_of
from adjudicator.games.great_race.phases import is_hopeless
from adjudicator.games.great_race.state import BIVOUAC, CONVOY, OVER, PLANNING, Crew, Drive, Keeping, Laying, State, Threat

_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")
_WORD: Final = "an id has letters and digits, begins with a letter, and may join parts with “-”"
_MOST_HINTS: Final = 20
"""How many unknown names of one board get suggestions: each compares every space."""


# Component sets and options


def unfit(setup: Setup) -> Iterator[Flaw]:
    """Yield the flaws of the component set and the options in ``setup``."""
    components: Components = setup.components
    players, tables, assistants = len(setup.seats), components.purses, components.assistants
    yield from Flaw.repeated("the tile", (tile.id.casefold() for tile in components.tiles), "GR-C2")
    yield from Flaw.repeated("the card", (card.id for card in components.cards), "GR-C3")
    yield from (Flaw(f"tile {tile.id}: {_WORD}", "GR-C2") for tile in components.tiles if not _ID.fullmatch(tile.id))
    for card in components.cards:
        needs = card.id.has_amount
        if bool(card.amount) is not needs:
            yield Flaw(f"card {card.id}: it {'needs an' if needs else 'has no'} amount", "GR-C3")
    yield from Flaw.repeated("a table of cash and bonus for", (f"{purse.players} players" for purse in tables), "GR-S2")
    if all(purse.players != players for purse in tables):
        yield Flaw(f"no table of cash and bonus is for {players} players", "GR-S2")
    for purse in tables:
        for what, francs, rule in (("cash", purse.cash, "GR-S2"), ("bonus", purse.bonus, "GR-N3")):
            if len(francs) != purse.players:
                yield Flaw(f"{what} for {purse.players} players has {count(len(francs), 'amount')}", rule)
    cards, amounts = sum(card.count for card in components.cards), len(components.funding)
    for_bivouac = f"{players} players need at least {players + 1} cards for the bivouac, the set has {cards}"
    for_funding = f"funding has {count(amounts, 'amount')} for {count(assistants, 'assistant')}"
    yield from Flaw.where((amounts != assistants, for_funding, "GR-A4"), (cards < players + 1, for_bivouac, "GR-B1"))
    yield from Flaw.repeated("the board", (board.id.casefold() for board in components.boards), "GR-C1")
    for board in components.boards:
        yield from _of_board(board)
    chosen, wanted = board_of(setup), setup.options["start"]
    if chosen is None:
        known = [board.id for board in components.boards]
        message = f"the component set has no board “{setup.options['board']}”, only {listed(known, 'and')}"
        yield Flaw(message, "GR-C1", "unknown-board", known, "option:board", setup.options["board"])
    elif wanted != FIRST and start_of(setup, chosen) is None:
        message = f"on the board {chosen.name} a race begins in {listed(chosen.purple, 'or')}, not in “{wanted}”"
        yield Flaw(message, "GR-S1", "unknown-start", chosen.purple, "option:start")


@lru_cache(16)
def _of_board(board: Board) -> tuple[Flaw, ...]:
    """Return every flaw of ``board``: space by space, then line by line, then of the board as a whole."""
    spaces, hints, found = {space.id: space for space in board.spaces}, iter(range(_MOST_HINTS)), list[tuple[str, Flaw]]()
    names = {space.id.casefold(): space.id for space in board.spaces}
    for name, many in several(space.id.casefold() for space in board.spaces):
        found.append((f", {names[name]}", Flaw(f"{many} spaces have this id (capitals make no difference)", "GR-C1")))
    by_place: dict[tuple[int, int], list[SpaceId]] = {}
    for space in board.spaces:
        by_place.setdefault((space.x, space.y), []).append(space.id)
    for (x, y), (first, *others) in by_place.items():
        if others:
            found.append((f", {first}", Flaw(f"{listed(others, 'and')} has the same place, x {x} y {y}", "GR-C1")))
    ends = {end for line in board.lines for end in line.ends}
    for space in spaces.values():
        of_space = _of_space(space, spaces, hints, has_line=space.id in ends)
        found += ((f", {space.id}", flaw) for flaw in of_space)
    for line in board.lines:
        where = f", {line.kind} line {'–'.join(line.ends)}"
        for end in dict.fromkeys(line.ends):
            if end not in spaces:
                known = () if next(hints, None) is None else spaces
                found.append((where, Flaw(f"there is no space {end}", "GR-D5", near=known, written=end)))
            elif not spaces[end].is_city:
                cities = (other for other in spaces[end].next if other in spaces and spaces[other].is_city)
                near = tuple(city for city in cities if city not in line.ends)
                found.append((where, Flaw(f"{end} is not a city", "GR-D5", near=near)))
        if line.ends[0] == line.ends[1]:
            found.append((where, Flaw("both ends are the same city", "GR-D5")))
    found += (("", flaw) for flaw in _of_whole(board, spaces))
    return tuple([flaw._replace(message=f"{board.id}{where}: {flaw.message}") for where, flaw in found])


def _of_space(space: Space, spaces: dict[SpaceId, Space], hints: Iterator[int], *, has_line: bool) -> Iterator[Flaw]:
    is_city = space.is_city
    yield from Flaw.where(
        (not _ID.fullmatch(space.id), _WORD, "GR-C1"),
        (is_city and not space.cards, "a city gives at least 1 card (cards)", "GR-C1"),
        (is_city and space.risk, "a city cannot be a risk zone: it costs no more to enter", "GR-H8"),
        (not is_city and space.cards, "only a city gives cards", "GR-C1"),
        (not is_city and space.purple, "only a city is purple", "GR-C1"),
    )
    for other, times in Counter(space.next).items():
        if other == space.id:
            yield Flaw("it cannot lie beside itself", "GR-C1")
        elif other not in spaces:
            near = () if next(hints, None) is None else spaces
            yield Flaw(f"“next” names {other}, but there is no such space", "GR-C1", near=near, written=other)
        elif space.id not in spaces[other].next:
            advice = f"add {space.id} to “next” of {other}, or remove {other} here"
            yield Flaw(f"“next” names {other}, but not the other way round: {advice}", "GR-C1")
        if times > 1:
            yield Flaw(f"{other} is named {times} times in “next”", "GR-C1")
    if not space.next and not has_line:
        yield Flaw("it has no neighbour and no line, so no vehicle can reach it", "GR-C1")
    beside, far = _neighbours(space, spaces)
    is_blamed, places = 2 * len(far) > len(beside), [*spaces] if far else []
    jumps = []
    for one in far:  # blame a space whose lane jumps to most of its neighbours, or else the later one of the two
        its_beside, its_far = _neighbours(one, spaces)
        is_later = places.index(one.id) < places.index(space.id) and 2 * len(its_far) <= len(its_beside)
        jumps += [f"{one.id} in lane {one.lane}"] if is_blamed or is_later else []
    if jumps:
        between = sorted(one.lane for one in beside)[(len(beside) - 1) // 2]
        hint = (f"lane {between}",) if between != space.lane else ()
        yield Flaw(f"it is in lane {space.lane}, but its neighbour is {listed(jumps)}", "GR-N1", near=hint)


def _neighbours(space: Space, spaces: dict[SpaceId, Space]) -> tuple[list[Space], list[Space]]:
    """Return the neighbours of ``space``, and those that are more than one lane away."""
    beside = [spaces[other] for other in dict.fromkeys(space.next) if other in spaces and other != space.id]
    return beside, [other for other in beside if abs(other.lane - space.lane) > 1]


def _of_whole(board: Board, spaces: dict[SpaceId, Space]) -> Iterator[Flaw]:
    """Yield the flaws of ``board`` as a whole: lines that are there twice, lanes, purple cities, spaces out of reach."""
    for (kind, ends), times in several((line.kind, frozenset(line.ends)) for line in board.lines):
        yield Flaw(f"there are {times} {kind} lines between {listed(sorted(ends), 'and')}", "GR-D5")
    used, purple = {space.lane for space in board.spaces}, board.purple
    missing = [str(lane) for lane in range(1, board.lanes) if lane not in used]
    if missing:
        lanes = "lane" if len(missing) == 1 else "lanes"
        yield Flaw(f"no space is in {lanes} {listed(missing, 'and')}, though there are {board.lanes}", "GR-C1")
    if len(purple) != 2:
        told = f"{len(purple)}: {listed(purple)}" if purple else "none"
        yield Flaw(f"exactly two cities must be purple, not {told}", "GR-C1")
        return
    first, last = sorted(spaces[city].lane for city in purple)
    if (first, last) != (1, board.lanes):
        told = f"(1 and {board.lanes}), not in {first} and {last}"
        yield Flaw(f"the purple cities must be in the first and the last lane {told}", "GR-S1")
    reached = graph_of(board).steps(purple[0])
    if purple[1] not in reached:
        yield Flaw(f"there is no way from {purple[0]} to {purple[1]}", "GR-S1")
    lost = [space for space in spaces if space not in reached and space != purple[1]]
    if lost:
        some = (*lost[:8], *([count(len(lost) - 8, "other")] if lost[8:] else []))
        yield Flaw(f"no way leads from {purple[0]} to {listed(some)}", "GR-C1")


# States


def impossible(config: Config, state: State) -> Iterator[Flaw]:
    """Yield what is impossible: seats out of order, levels beyond the gauges, vehicles in no place, wrong stages."""
    found = list[Flaw]()
    for what, seats, rule in (("turn order", state.order, "GR-N1"), ("order of the markers", state.markers, "GR-N2")):
        if sorted(seats) != sorted(config.seats):
            found.append(Flaw(f"the {what} must name {listed(config.seats)}, each once", rule))
    for space, many in Counter(laid.space for laid in state.laid).items():
        if config.roads.is_city(space):
            found.append(Flaw(f"{space} is a city: it cannot have a tile", "GR-A1"))
        elif many > 1:
            found.append(Flaw(f"{many} tiles lie at {space}", "GR-C1"))
    yield from found
    if found:  # The checks below need an order, and at most one tile on a space.
        return
    for crew in state.crews:
        yield from _of_crew(config, state, crew)
    stage, takers, offered = state.stage, state.takers, state.offered
    arrivals, is_convoy = sorted(crew.arrival for crew in state.crews if crew.arrival is not None), stage is CONVOY
    in_order = tuple(seat for seat in state.order[::-1] if seat in takers)
    is_early = not arrivals and stage is OVER and not is_hopeless(At(config, state))
    yield from Flaw.where(
        (arrivals != [*range(1, len(arrivals) + 1)], "arrivals must be 1, 2 and so on, without gaps", "GR-F2"),
        (arrivals and stage in (BIVOUAC, PLANNING), "the race ends with the round in which a vehicle arrives", "GR-F1"),
        (is_early, "the race cannot be over before a vehicle has arrived", "GR-F1"),
        (stage is not BIVOUAC and (offered or takers), "cards lie open only in the bivouac", "GR-B1"),
        (takers != in_order, "takers must be in reverse turn order, each once", "GR-B1"),
        (bool(takers) is not bool(offered), "cards lie open exactly as long as a seat has to take one", "GR-B1"),
        (len(takers) > len(offered), "the bivouac has fewer cards than seats that must take one", "GR-B1"),
        (is_convoy is (state.turn is None), "a seat has the turn (“turn”) in the convoy, and only then", "GR-V1"),
        (not is_convoy and state.pending is not None, "something can be pending only in the convoy", "GR-V1"),
        (not is_convoy and state.in_play is not None, "a card can be in play only in the convoy", "GR-V1"),
    )
    if state.pending is not None:
        yield from _of_pending(config, state)


def _of_crew(config: Config, state: State, crew: Crew) -> Iterator[Flaw]:
    """GR-C4, GR-L1, GR-V1, GR-K4, GR-F1: require what a seat's vehicle, dashboard and arrival can be."""
    seat, active, is_convoy, many = crew.seat, crew.active, state.stage is CONVOY, config.components.assistants
    for what in ("fuel", "engine", "chassis"):
        level, most = getattr(crew, what), getattr(config.components.gauges, what)
        if level > most:
            yield Flaw(f"{seat}: {what} goes up to {most}, not to {level}", "GR-C4")
    is_off = not config.roads.is_city(crew.space) and crew.space not in state.tiles
    is_in_play = crew.has_passed and (not is_convoy or active.total > active.escort)
    is_no_plan = crew.plan is not None and (state.stage is not PLANNING or crew.plan.total != many)
    answers = [answer for answer in (crew.to_cards, crew.to_tiles) if answer is not None]
    is_odd = any(sorted(one.helps) not in ([], ["escort"], ["ranger"], ["escort", "ranger"]) for one in answers)
    is_there, has_arrived = crew.space == config.roads.finish, crew.arrival is not None
    holds = has_arrived and (crew.hand or active.total)
    yield from Flaw.where(
        (is_off, f"{seat}: {crew.space} has neither a city nor a tile", "GR-D1"),
        (active.total > many, f"{seat}: a seat has {many} assistants, not {active.total}", "GR-C4"),
        (active.total and not is_convoy, f"{seat}: assistants are on the dashboard only in the convoy", "GR-V1"),
        (is_in_play, f"{seat}: after passing, a seat has only escorts left", "GR-V1"),
        (is_no_plan, f"{seat}: a plan has {many} assistants, and exists only while seats plan", "GR-L1"),
        (is_odd, f"{seat}: a standing answer uses an escort, a Ranger, or both, each once", "GR-K4"),
        (is_there and not has_arrived, f"{seat} is in the finish city but has no arrival", "GR-F1"),
        (has_arrived and not is_there, f"{seat} has an arrival but is not in the finish city", "GR-F1"),
        (holds, f"{seat} has arrived, so it cannot have cards or assistants", "GR-F1"),
    )


_MADE_BY = {
    Keeping: tuple(card for card in CardId if card.does is Does.CARDS),
    Laying: (None, CardId.CARTOGRAPHER),
    Drive: (None, CardId.DRIVER),
}
"""The cards that may be in play while something is pending."""


def _of_pending(config: Config, state: State) -> Iterator[Flaw]:
    """Yield flaws of the pending thing: it belongs to the seat whose sequence it is, and to the card in play."""
    pending, roads, tiles = state.pending, config.roads, state.tiles
    assert pending is not None
    seat, crew = pending.seat, state.of(pending.seat)
    if seat != state.turn or crew.arrival is not None:
        yield Flaw(f"{seat} does not have the turn, so nothing can be pending for it", "GR-V1")
        return
    if state.in_play not in ((pending.card,) if isinstance(pending, Threat) else _MADE_BY[type(pending)]):
        yield Flaw(f"{seat}: the pending thing does not belong to the card in play", "GR-H9")
    match pending:
        case Laying(to=to):
            is_taken = any(space in tiles or roads.is_city(space) for space in to)
            is_odd = is_taken or len(set(to)) < len(to) or len(to) > len(pending.tiles)
            yield from Flaw.where(
                (not pending.tiles, f"{seat}: there is no tile to lay", "GR-A1"),
                (not roads.free(crew.space, tiles), f"{seat}: there is no free space for the tiles", "GR-H9"),
                (is_odd, f"{seat}: tiles go on blank spaces, one on each", "GR-A1"),
            )
        case Keeping(cards=()):
            yield Flaw(f"{seat}: there is no card to keep", "GR-K1")
        case Drive(path=path, is_fresh=is_fresh, is_asked=is_asked):
            for here, space in pairwise((crew.space, *path)):
                if space not in roads.beside(here):
                    yield Flaw(f"{seat}: {space} is not beside {here}", "GR-D1")
            is_payable = bool(path) and path[0] in tiles and pending.steps
            yield from (Flaw(f"{seat}: the drive ends in {city}", "GR-D4") for city in path[:-1] if roads.is_city(city))
            yield from Flaw.where(
                ((is_fresh or is_asked) and not is_payable, f"{seat}: the way has no tile to pay for", "GR-D3"),
                (is_asked and not is_fresh, f"{seat}: only a tile just drawn raises the question how to pay", "GR-D3"),
                (is_asked and not crew.engine, f"{seat} has broken down: its drive is over", "GR-D6"),
            )
        case Threat(left=left, asked=asked):
            away = {other.seat for other in state.crews if other.arrival is not None or other.seat == seat}
            if len(set(left)) < len(left) or away.intersection(left):
                yield Flaw("only other seats that have not arrived may cancel a danger card, each once", "GR-K4")
            if asked is not None and left[:1] != (asked,):
                yield Flaw("the seat asked about a danger card must be the next that may cancel it", "GR-K4")
            yield from flaws_of(At(config, state), pending)
