"""Find all flaws of a component set and of the options, those of a board space by space (GR-C)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final

from adjudicator.game import Flaw, Setup, count, listed, several
from adjudicator.games.great_race.components import Board, Components, Line, Space, SpaceId
from adjudicator.games.great_race.config import FIRST, board_of, start_of
from adjudicator.games.great_race.roads import graph_of

_ID: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")
_WORD: Final = "an id has letters and digits, begins with a letter, and may join parts with “-”"
_MOST_HINTS: Final = 20
"""How many unknown names of one board get suggestions: each compares every space."""

_BOARDS: Final = 16
"""How many boards the cache of flaws holds: archives are full of games on the same boards."""

Spaces = Mapping[SpaceId, Space]


def unfit(setup: Setup) -> Iterator[Flaw]:
    """Yield the flaws of the component set and the options in ``setup``."""
    components: Components = setup.components
    yield from _flaws_of_parts(components)
    yield from _flaws_of_tables(components, len(setup.seats))
    yield from Flaw.repeated("the board", (board.id.casefold() for board in components.boards), "GR-C1")
    for board in components.boards:
        yield from _flaws_of_board(board)
    yield from _flaws_of_options(setup)


def _flaws_of_parts(components: Components) -> Iterator[Flaw]:
    yield from Flaw.repeated("the tile", (tile.id.casefold() for tile in components.tiles), "GR-C2")
    yield from Flaw.repeated("the card", (card.id for card in components.cards), "GR-C3")
    yield from (Flaw(f"tile {tile.id}: {_WORD}", "GR-C2") for tile in components.tiles if not _ID.fullmatch(tile.id))
    for card in components.cards:
        needs = card.id.has_amount
        if bool(card.amount) is not needs:
            yield Flaw(f"card {card.id}: it {'needs an' if needs else 'has no'} amount", "GR-C3")


def _flaws_of_tables(components: Components, players: int) -> Iterator[Flaw]:
    tables, funding, assistants = components.purses, components.funding, components.assistants
    yield from Flaw.repeated("a table of cash and bonus for", (f"{purse.players} players" for purse in tables), "GR-S2")
    if all(purse.players != players for purse in tables):
        yield Flaw(f"no table of cash and bonus is for {players} players", "GR-S2")
    for purse in tables:
        for what, francs, rule in (("cash", purse.cash, "GR-S2"), ("bonus", purse.bonus, "GR-N3")):
            if len(francs) != purse.players:
                yield Flaw(f"{what} for {purse.players} players has {count(len(francs), 'amount')}", rule)
    cards = sum(card.count for card in components.cards)
    told = f"{players} players need at least {players + 1} cards for the bivouac, the set has {cards}"
    yield from Flaw.where(
        (
            len(funding) != assistants,
            f"funding has {count(len(funding), 'amount')} for {count(assistants, 'assistant')}",
            "GR-A4",
        ),
        (cards < players + 1, told, "GR-B1"),
    )


def _flaws_of_options(setup: Setup) -> Iterator[Flaw]:
    board, wanted = board_of(setup), setup.options["start"]
    if board is None:
        known = [known.id for known in setup.components.boards]
        message = f"the component set has no board “{setup.options['board']}”, only {listed(known, 'and')}"
        yield Flaw(message, "GR-C1", "unknown-board", known, "option:board", setup.options["board"])
    elif wanted != FIRST and start_of(setup, board) is None:
        message = f"on the board {board.name} a race begins in {listed(board.purple, 'or')}, not in “{wanted}”"
        yield Flaw(message, "GR-S1", "unknown-start", board.purple, "option:start")


@lru_cache(_BOARDS)
def _flaws_of_board(board: Board) -> tuple[Flaw, ...]:
    """Return every flaw of ``board``: space by space, then line by line, then of the board as a whole."""
    spaces, hints = {space.id: space for space in board.spaces}, iter(range(_MOST_HINTS))
    ends, found = {end for line in board.lines for end in line.ends}, [*_twice(board)]
    for space in spaces.values():
        of_space = _flaws_of_space(space, spaces, hints, has_line=space.id in ends)
        found += [flaw._replace(message=f"{board.id}, {space.id}: {flaw.message}") for flaw in of_space]
    for line in board.lines:
        where = f"{board.id}, {line.kind} line {'–'.join(line.ends)}"
        found += [flaw._replace(message=f"{where}: {flaw.message}") for flaw in _flaws_of_line(line, spaces, hints)]
    found += [flaw._replace(message=f"{board.id}: {flaw.message}") for flaw in _flaws_of_whole(board, spaces)]
    return tuple(found)


def _near(spaces: Spaces, hints: Iterator[int]) -> Collection[str]:
    """Return the ``spaces`` to compare an unknown name with, none if no ``hints`` are left."""
    return () if next(hints, None) is None else spaces


def _twice(board: Board) -> Iterator[Flaw]:
    """Yield the ids that several spaces have, and the places where several spaces lie."""
    names = {space.id.casefold(): space.id for space in board.spaces}
    for name, many in several(space.id.casefold() for space in board.spaces):
        told = f"{board.id}, {names[name]}: {many} spaces have this id (capitals make no difference)"
        yield Flaw(told, "GR-C1")
    by_place: dict[tuple[int, int], list[SpaceId]] = {}
    for space in board.spaces:
        by_place.setdefault((space.x, space.y), []).append(space.id)
    for (x, y), (first, *others) in by_place.items():
        if others:
            yield Flaw(f"{board.id}, {first}: {listed(others, 'and')} has the same place, x {x} y {y}", "GR-C1")


def _flaws_of_space(space: Space, spaces: Spaces, hints: Iterator[int], *, has_line: bool) -> Iterator[Flaw]:
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
            told = f"“next” names {other}, but there is no such space"
            yield Flaw(told, "GR-C1", near=_near(spaces, hints), written=other)
        elif space.id not in spaces[other].next:
            advice = f"add {space.id} to “next” of {other}, or remove {other} here"
            yield Flaw(f"“next” names {other}, but not the other way round: {advice}", "GR-C1")
        if times > 1:
            yield Flaw(f"{other} is named {times} times in “next”", "GR-C1")
    if not space.next and not has_line:
        yield Flaw("it has no neighbour and no line, so no vehicle can reach it", "GR-C1")
    yield from _jump(space, spaces)


def _jump(space: Space, spaces: Spaces) -> Iterator[Flaw]:
    """Yield a flaw if the lane of ``space`` jumps to most of its neighbours; of one jump, blame the later space."""
    others, jumps = _jumps(space, spaces)
    if 2 * len(jumps) <= len(others):
        before = list(spaces)[: list(spaces).index(space.id)]
        jumps = [other for other in jumps if other.id in before and not _is_to_blame(other, spaces)]
    if jumps:
        told = listed(f"{other.id} in lane {other.lane}" for other in jumps)
        between = sorted(other.lane for other in others)[(len(others) - 1) // 2]
        hint = (f"lane {between}",) if between != space.lane else ()
        yield Flaw(f"it is in lane {space.lane}, but its neighbour is {told}", "GR-N1", near=hint)


def _jumps(space: Space, spaces: Spaces) -> tuple[list[Space], list[Space]]:
    """Return the neighbours of ``space``, and those of them that are more than a lane away."""
    others = [spaces[other] for other in dict.fromkeys(space.next) if other in spaces and other != space.id]
    return others, [other for other in others if abs(other.lane - space.lane) > 1]


def _is_to_blame(space: Space, spaces: Spaces) -> bool:
    others, jumps = _jumps(space, spaces)
    return 2 * len(jumps) > len(others)


def _flaws_of_line(line: Line, spaces: Spaces, hints: Iterator[int]) -> Iterator[Flaw]:
    for end in dict.fromkeys(line.ends):
        if end not in spaces:
            yield Flaw(f"there is no space {end}", "GR-D5", near=_near(spaces, hints), written=end)
        elif not spaces[end].is_city:
            cities = (other for other in spaces[end].next if other in spaces and spaces[other].is_city)
            near = tuple(city for city in cities if city not in line.ends)
            yield Flaw(f"{end} is not a city", "GR-D5", near=near)
    if line.ends[0] == line.ends[1]:
        yield Flaw("both ends are the same city", "GR-D5")


def _flaws_of_whole(board: Board, spaces: Spaces) -> Iterator[Flaw]:
    """Yield the flaws of ``board`` as a whole: lines that are there twice, lanes, purple cities, spaces out of reach."""
    for (kind, ends), times in several((line.kind, frozenset(line.ends)) for line in board.lines):
        yield Flaw(f"there are {times} {kind} lines between {listed(sorted(ends), 'and')}", "GR-D5")
    used = {space.lane for space in board.spaces}
    missing = [str(lane) for lane in range(1, board.lanes) if lane not in used]
    if missing:
        lanes = "lane" if len(missing) == 1 else "lanes"
        yield Flaw(f"no space is in {lanes} {listed(missing, 'and')}, though there are {board.lanes}", "GR-C1")
    purple = board.purple
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
