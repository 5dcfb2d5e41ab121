"""What holds in every game: the laws of all games, and what is special in this one, on random play (CR, all sections).

A *walk* is a game from a seed, after a number of random legal orders and on to where a certain decision is due. The
corpus is a handful of whole games, chosen so that everything that can happen does.
"""

from collections import Counter
from dataclasses import replace
from itertools import chain, combinations, product
from random import Random

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.chance import CommittedChance
from adjudicator.core.engine import adjudicate, fold
from adjudicator.core.event import Spent, total
from adjudicator.core.order import Instruction, Sheet
from adjudicator.games.checkpoint_rally.events import (
    BorderLaid,
    CarDriven,
    CarFinished,
    CheckpointMarked,
    GameEnded,
    LastChanceBegun,
    LastChanceEnded,
    MarkersStacked,
    RaceStarted,
    RowCleared,
    RowFilled,
    SeatPrepared,
    StackRanOut,
    StackRenewed,
    TileDealt,
    TilePlaced,
    TilesDiscarded,
    TilesDrawn,
    TileTaken,
)
from adjudicator.games.checkpoint_rally.orders import Discard, DrawTwo, Keep, Move, Place, Refresh, Take, in_order
from adjudicator.games.checkpoint_rally.rules import RULESET
from adjudicator.games.checkpoint_rally.state import Stage
from adjudicator.testing import LAWS, Games, play_games

CELLS = [f"{column}{row}" for row in range(1, 6) for column in "ABCDE"]
BONUS = {2: 2, 3: 3, 4: 4}
SETTINGS = settings(max_examples=6, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink))

HALTS = {
    "anywhere": lambda _rally: True,
    "discard": lambda rally: rally.due()[0][1] == "discard",
    "last chance": lambda rally: rally.state.acting is not None,
}
"""Where a walk may come to a halt; some positions are too rare to be met by chance."""


def version_of(seed):
    """Return the version of the rules by which a walk from ``seed`` is begun: a quarter by the first."""
    return 1 if seed % 4 == 3 else 2


seeds = st.integers(0, 2**32)
walks = st.one_of(
    st.tuples(st.integers(2, 4), seeds, st.integers(0, 150), st.sampled_from(list(HALTS))),
    st.tuples(st.integers(2, 4), seeds, st.integers(0, 5), st.just("anywhere")),
)


@pytest.fixture(scope="module")
def walk(start, wander, house):
    """Return the game after a walk (players, seed, steps, where to halt); its orders are added to ``played``."""

    def make(where, played=None):
        players, seed, steps, halt = where
        return wander(start(players, seed, house, version_of(seed)), steps, seed, played, HALTS[halt])

    return make


@pytest.fixture(scope="module")
def cramped(parts):
    """Return a set with so few tiles that stack and discard pile run out."""
    return parts(tiles=parts().tiles[::2][:24])


@pytest.fixture(scope="module")
def corpus(start, wander, house, cramped):
    """Whole games: with two, three and four players, with the house set, with few tiles, with every option and version."""
    begun = [start(players, 1, house) for players in (2, 3, 4)]
    begun += [start(2, seed, cramped, map="lower") for seed in range(3)]
    begun += [start(4, 3, house, last_chance="any-marker", layout="cross")]
    begun += [start(players, 4, house, 1, last_chance=passed) for players, passed in ((2, "turns"), (3, "any-marker"))]
    games = [wander(rally, 10_000, seed) for seed, rally in enumerate(begun)]
    assert all(rally.is_over() for rally in games)
    return games


SIZES = [8, pytest.param(60, marks=pytest.mark.soak)]
"""How many positions the laws that take long look at."""


@pytest.fixture(scope="module", params=SIZES)
def looked_at(request):
    return request.param


@pytest.fixture(scope="module")
def games(house, cramped, looked_at):
    """Return games of random and greedy players, with every option, by both versions, and some with few tiles."""
    options = [{}, {"last-chance": "any-marker", "layout": "cross"}, {"map": "lower"}]
    told = {
        "conserved": whereabouts,
        "otherwise": other_secrets,
        "rare": (StackRanOut, StackRenewed),
        "positions_looked_at": looked_at,
    }
    few = play_games(RULESET, 9, players=(2,), components=(cramped,), options=({"map": "lower"},))
    many = play_games(RULESET, 6, components=(house,), options=options)
    return Games(RULESET, (*many.sessions, *few.sessions[6:]), **told)


@pytest.mark.parametrize("law", LAWS)
def test_it_keeps_the_law(law, games):
    law(games)


def entries(rally):
    """List what was journaled, the set-up first."""
    return [link.entry for link in rally.game.journal]


def happenings(rally):
    """List each event with the state before and after it; each game is played again once."""
    kept = vars(rally).setdefault("happened", {})
    if rally.game.head not in kept:
        kept[rally.game.head] = list(played_again(rally))
    return kept[rally.game.head]


def played_again(rally):
    """Yield each event with the state before and after it."""
    state = RULESET.initial(rally.config)
    for entry in entries(rally):
        for event in entry.events:
            after = RULESET.evolve(rally.config, state, event)
            yield event, state, after
            state = after


EVENT_RULES = {
    BorderLaid: {"CR-S1"},
    TileDealt: {"CR-S2", "CR-S3"},
    SeatPrepared: {"CR-S4"},
    MarkersStacked: {"CR-S5"},
    StackRenewed: {"CR-T3"},
    StackRanOut: {"CR-T3"},
    RowCleared: {"CR-R1"},
    TileTaken: {"CR-G1"},
    CheckpointMarked: {"CR-K1"},
    CarFinished: {"CR-F1"},
    TilesDiscarded: {"CR-T2"},
    RaceStarted: {"CR-T1"},
    LastChanceBegun: {"CR-F2"},
    LastChanceEnded: {"CR-F2"},
    GameEnded: {"CR-F3"},
}
"""The rule behind each event that happens in one way only, or in two at the set-up."""

ORDER_RULES = {
    "PLACE": {"CR-P1", "CR-P5", "CR-T2"},
    "MOVE": {"CR-M1", "CR-T2"},
    "DRAW": {"CR-D1", "CR-T2"},
    "REFRESH": {"CR-R1", "CR-T2"},
    "TAKE": {"CR-G1"},
}
"""The rules behind what else an order does in the race: the action's own, and the tiles for a draw line."""


def test_every_event_cites_the_rule_behind_it(corpus):
    """Events carry the rule behind them: that of their kind, else that of the order they belong to."""
    for rally in corpus:
        state = RULESET.initial(rally.config)
        for entry in entries(rally):
            is_racing = state.stage is Stage.RACING
            for event in entry.events:
                state = RULESET.evolve(rally.config, state, event)
                if type(event) in EVENT_RULES:
                    assert event.rule in EVENT_RULES[type(event)]
                elif isinstance(event, CarDriven):
                    assert event.rule == ("CR-M1" if is_racing else "CR-S6")
                elif isinstance(event, TilePlaced):
                    assert event.rule == ("CR-P5" if event.replaced else "CR-P1")
                elif is_racing and not isinstance(event, Spent):
                    assert event.rule in ORDER_RULES[entry.order.split()[0]]
                elif not isinstance(event, Spent):
                    assert event.rule == ("CR-S3" if isinstance(event, RowFilled) else "CR-S6")


def test_every_part_of_a_cost_cites_its_rule_and_is_worth_something(corpus):
    """Minutes come from the action or the start, bonuses from matches or the finish; no part is of 0 minutes."""
    first = {"PLACE": "CR-P1", "MOVE": "CR-M1", "DRAW": "CR-D1", "REFRESH": "CR-R1"}
    later = {"PLACE": {"CR-P1", "CR-P2", "CR-P3", "CR-P4", "CR-S6"}, "MOVE": {"CR-M1", "CR-F1"}}
    for rally in corpus:
        for entry in entries(rally):
            for spent in (event for event in entry.events if isinstance(event, Spent)):
                word = entry.order.split()[0]
                assert spent.why[0].rule == first[word]
                assert {part.rule for part in spent.why[1:]} <= later.get(word, set())
                assert all(part.amount for part in spent.why)
                assert all((part.rule in ("CR-P2", "CR-P3", "CR-P4")) <= (part.amount == -1) for part in spent.why)


def test_every_decision_cites_its_rule(corpus):
    """Start tile, discard, action, action of a last chance."""
    rules = set()
    for rally in corpus:
        for _, _, state in happenings(rally):
            for decision in RULESET.awaiting(rally.config, state):
                rules.add((decision.kind, decision.kind == "action" and state.acting is not None, decision.rule))
    assert rules == {
        ("start", False, "CR-S6"),
        ("action", False, "CR-T1"),
        ("action", True, "CR-F2"),
        ("discard", False, "CR-T2"),
    }


# --- tiles, clocks, hands --------------------------------------------------------------------------------------------


def whereabouts(config, state):
    """List every tile in every place of a state."""
    hands = chain.from_iterable(racer.hand for racer in state.racers)
    board = (laid.tile for laid in state.board if laid)
    return sorted(chain(board, hands, state.row, state.stack(config), state.discard))


def leaves_the_stack(event):
    """Return what an event takes out of the stack."""
    return {event.tile} if isinstance(event, TileDealt) else set(event.tiles)


@SETTINGS
@given(where=walks)
def test_cr_c2_every_tile_is_always_in_exactly_one_place(walk, where):
    """On the board, in a hand, in the row, in the stack or on the discard pile: after every single event."""
    rally = walk(where)
    everything = sorted(tile.id for tile in rally.config.components.tiles)
    for _, _, after in happenings(rally):
        assert whereabouts(rally.config, after) == everything


def test_cr_c2_every_tile_is_in_one_place_also_with_few_tiles(corpus):
    """The same where the stack is renewed again and again."""
    for rally in corpus:
        everything = sorted(tile.id for tile in rally.config.components.tiles)
        assert all(whereabouts(rally.config, after) == everything for _, _, after in happenings(rally))


def test_cr_t3_the_stack_loses_what_is_drawn_and_nothing_else(corpus):
    """What is dealt, drawn or laid into the row was in the stack; only the discard pile, as it then is, comes into it."""
    for rally in corpus:
        for event, before, after in happenings(rally):
            was, is_ = (set(state.stack(rally.config)) for state in (before, after))
            if isinstance(event, TileDealt | TilesDrawn | RowFilled):
                assert was - is_ == leaves_the_stack(event)
                assert is_ < was
            elif isinstance(event, StackRenewed):
                assert is_ - was == set(event.tiles) == set(before.discard)
                assert was < is_
            else:
                assert was == is_


def test_cr_f1_clocks_never_fall_but_by_the_finish_bonus(corpus):
    """Time spent stays spent: only the bonus for finishing takes minutes off, and never more than its due."""
    for rally in corpus:
        for event, before, after in happenings(rally):
            for racer in before.racers:
                change = after.racer(racer.seat).minutes - racer.minutes
                if isinstance(event, Spent) and event.seat == racer.seat:
                    bonus = -sum(part.amount for part in event.why if part.rule == "CR-F1")
                    assert 0 <= bonus <= BONUS[len(before.racers)]
                    assert change >= -bonus
                else:
                    assert change == 0


def test_cr_t2_why_always_adds_up(corpus):
    """``why`` adds up to the minutes between before and after, which are the clock's."""
    for rally in corpus:
        for event, before, after in happenings(rally):
            if isinstance(event, Spent):
                assert total(event.why) == event.after - event.before
                assert before.racer(event.seat).minutes == event.before
                assert after.racer(event.seat).minutes == event.after


def test_cr_t2_a_tile_for_every_fifteen_minutes(corpus):
    """Each multiple of 15 passed by an action draws a tile, unless it finished the race or no tile is left."""
    for rally in corpus:
        for entry in entries(rally):
            spent = [event for event in entry.events if isinstance(event, Spent)]
            if not spent or any(isinstance(event, CarFinished) for event in entry.events):
                continue
            lines = sum(1 for minute in range(spent[0].before + 1, spent[0].after + 1) if minute % 15 == 0)
            after_it = entry.events[entry.events.index(spent[0]) :]
            drawn = sum(len(event.tiles) for event in after_it if isinstance(event, TilesDrawn) and event.rule == "CR-T2")
            missing = sum(event.missing for event in after_it if isinstance(event, StackRanOut))
            assert drawn + missing == lines


def test_cr_t2_nobody_acts_with_more_than_three_tiles(corpus):
    """Whenever an action is asked, every hand of the race is within the limit."""
    for rally in corpus:
        for _, _, state in happenings(rally):
            for decision in RULESET.awaiting(rally.config, state):
                if decision.kind == "action":
                    assert all(len(racer.hand) <= 3 for racer in state.racers)


def test_cr_c6_two_updates_and_no_more(corpus):
    """Updates go one at a time, for a tile of the row or a tile kept, and never below none."""
    for rally in corpus:
        used = Counter()
        for event, _, after in happenings(rally):
            if isinstance(event, TileTaken) or (isinstance(event, TilePlaced) and event.is_kept):
                used[event.seat] += 1
            assert all(racer.gps == 2 - used[racer.seat] >= 0 for racer in after.racers)


# --- whose turn ------------------------------------------------------------------------------------------------------


def test_cr_t1_the_stopwatch_says_who_is_next(corpus):
    """A second stopwatch, kept by hand: the least minutes, among equals the last to arrive."""
    for rally in corpus:
        arrived, clock = {}, dict.fromkeys(rally.config.seats, 0)
        for moment, (event, before, after) in enumerate(happenings(rally)):
            if isinstance(event, MarkersStacked):
                arrived = {seat: n for n, seat in enumerate(event.seats, -len(event.seats))}
            elif isinstance(event, Spent) and event.before != event.after:
                clock[event.seat], arrived[event.seat] = event.after, moment
            if before.stage is Stage.RACING is after.stage and not after.finishers:
                (decision,) = RULESET.awaiting(rally.config, after)
                if decision.kind == "action":
                    assert decision.seat == min(clock, key=lambda seat: (clock[seat], -arrived[seat]))


def test_somebody_is_always_asked_until_the_game_is_over(corpus):
    """Between two orders there is exactly one decision due, and at least one way to make it; afterwards none."""
    for rally in corpus:
        state = RULESET.initial(rally.config)
        for entry in entries(rally):
            for event in entry.events:
                state = RULESET.evolve(rally.config, state, event)
            due = RULESET.awaiting(rally.config, state)
            assert len(due) == (0 if RULESET.is_over(rally.config, state) else 1)
            for decision in due:
                assert next(iter(RULESET.legal(rally.config, state, decision.seat)), None) is not None
                assert RULESET.eliminated(rally.config, state, decision.seat) is None
                others = set(rally.config.seats) - {decision.seat}
                assert not any(list(RULESET.legal(rally.config, state, seat)) for seat in others)
        assert isinstance(entries(rally)[-1].events[-1], GameEnded)


def test_cr_f2_one_unbroken_chance_each(corpus):
    """After the first finish: every other seat has one run, unbroken, of at least one action, and it ends when it must."""
    for rally in corpus:
        began, acting = [], None
        for entry in entries(rally)[1:]:
            if acting is not None:
                assert entry.seat == acting or not entry.order.startswith(("PLACE", "MOVE", "DRAW", "REFRESH", "TAKE"))
            for event in entry.events:
                if isinstance(event, LastChanceBegun):
                    acting = event.seat
                    began.append(event.seat)
                elif isinstance(event, LastChanceEnded):
                    assert event.seat == entry.seat == acting
                    acting = None
                elif isinstance(event, CarFinished):
                    assert acting in (None, event.seat)
                    acting = None
        first = next(racer.seat for racer in rally.state.racers if racer.place == 1)
        assert sorted(began) == sorted(set(rally.config.seats) - {first})


def test_cr_f2_a_chance_ends_exactly_when_it_must(corpus):
    """Ended: another with a chance, or a finished car, has less time (with any-marker: anybody). Not ended: nobody has.

    What takes no time ends no chance, but for games of version 1.
    """
    for rally in corpus:
        is_literal = rally.game.setup.options["last-chance"] == "any-marker"
        state = RULESET.initial(rally.config)
        for entry in entries(rally):
            acting = state.acting
            may_end = rally.game.ruleset.version == 1 or any(
                isinstance(event, Spent) and event.before != event.after for event in entry.events
            )
            for event in entry.events:
                before, state = state, RULESET.evolve(rally.config, state, event)
                if isinstance(event, LastChanceEnded):
                    assert may_end
                    assert acting_is_beyond(before, event.seat, is_literal=is_literal)
            if acting and state.acting == acting and entry.order.split()[0] not in ("DISCARD", "KEEP"):
                assert not (may_end and acting_is_beyond(state, acting, is_literal=is_literal))


def test_cr_f2_actions_of_no_time_use_something_up(corpus):
    """Tiles of the hand, and GPS updates, which are worth two: after each such action less is left.

    So no chance goes on for ever in any version: all other actions move the marker.
    """
    free = 0
    for rally in corpus:
        state = RULESET.initial(rally.config)
        for entry in entries(rally):
            before, state = state, fold_from(rally, state, entry.events)
            if entry.seat is None or entry.order.split()[0] in ("DISCARD", "KEEP"):
                continue
            old, new = before.racer(entry.seat), state.racer(entry.seat)
            if new.minutes == old.minutes and new.place is None:
                assert len(new.hand) + 2 * new.gps < len(old.hand) + 2 * old.gps
                free += 1
    assert free > 20


def acting_is_beyond(state, seat, *, is_literal):
    """Return whether a marker that counts has less time than that of ``seat``."""
    others = [racer for racer in state.racers if racer.seat != seat]
    counting = [racer for racer in others if is_literal or racer.place or racer.has_chance]
    return any(racer.minutes < state.racer(seat).minutes for racer in counting)


def test_cr_f3_the_winner_is_the_best_finisher(corpus):
    """The least time among finishers; of equals who finished first; and the standings begin with that seat."""
    for rally in corpus:
        (ended,) = [event for event in entries(rally)[-1].events if isinstance(event, GameEnded)]
        finishers = [racer for racer in rally.state.racers if racer.place]
        best = min(finishers, key=lambda racer: (racer.minutes, racer.place))
        assert ended.winner == best.seat == rally.places()[0][1]
        assert sorted(racer.place for racer in finishers) == list(range(1, len(finishers) + 1))


# --- a second reading of the rules -----------------------------------------------------------------------------------


def as_it_lies(rally, laid):
    """Return road, exits and terrains (N, E, S, W) of a tile as it lies, read from the component set."""
    tile = next(tile for tile in rally.config.components.tiles if tile.id == laid.tile)
    names = "NESW"
    turned = {names[(names.index(side.value) + laid.rot // 90) % 4] for side in tile.exits}
    terrains = [tile.sides[(n - laid.rot // 90) % 4].value for n in range(4)]
    return tile.road.value, turned, dict(zip(names, terrains, strict=True))


def around(cell):
    """Return the neighbour on each side (``None``: the border) and how far along the border the cell lies."""
    column, row = "ABCDE".index(cell[0]), int(cell[1])
    steps = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
    for side, (right, down) in steps.items():
        inside = 0 <= column + right < 5 and 1 <= row + down <= 5
        along = column if side in "NS" else row - 1
        yield side, f"{'ABCDE'[column + right]}{row + down}" if inside else None, along


def minutes_to_place(rally, state, order):
    """Return what laying a tile costs, by the rulebook: 4 less one for each match, never under 0."""
    board = dict(zip(CELLS, state.board, strict=True))
    border = {piece.id: piece for piece in rally.config.components.borders}
    facing = {"N": "S", "E": "W", "S": "N", "W": "E"}
    road, exits, terrain = as_it_lies(rally, type("Laid", (), {"tile": order.tile, "rot": order.rot}))
    bonus = 0
    for side, neighbour, along in around(order.cell):
        if neighbour is None:
            frame = state.border["NESW".index(side)]
            strip = getattr(border[frame.piece], frame.face)
            # The house set writes its pieces clockwise: the fifth terrain lies in the west of the south, north of the west.
            bonus += strip[along if side in "NE" else 4 - along].value == terrain[side]
        elif board[neighbour]:
            other_road, other_exits, other_terrain = as_it_lies(rally, board[neighbour])
            bonus += other_terrain[facing[side]] == terrain[side]
            bonus += other_road == road and side in exits and facing[side] in other_exits
    if board[order.cell]:
        old_road, _, old_terrain = as_it_lies(rally, board[order.cell])
        bonus += len(set(old_terrain.values()) & set(terrain.values())) + (old_road == road)
    return max(0, 4 - bonus)


def paths(rally, state, here):
    """Return every path of one or two steps that the roads allow."""
    board = dict(zip(CELLS, state.board, strict=True))
    facing = {"N": "S", "E": "W", "S": "N", "W": "E"}

    def steps(cell):
        _, exits, _ = as_it_lies(rally, board[cell])
        for side, neighbour, _ in around(cell):
            if side in exits and neighbour and board[neighbour] and facing[side] in as_it_lies(rally, board[neighbour])[1]:
                yield neighbour

    return {(first,) for first in steps(here)} | {(first, second) for first in steps(here) for second in steps(first)}


@SETTINGS
@given(where=walks, seed=seeds)
def test_cr_p_minutes_agree_with_a_second_reading(walk, where, seed):
    """CR-P1 to CR-P4 written again, from coordinates and printed sides: every tile costs the same in every place."""
    rally = walk(where)
    for seat in rally.config.seats:
        places = [order for order in RULESET.legal(rally.config, rally.state, seat) if isinstance(order, Place)]
        for order in Random(seed).sample(places, min(len(places), 60)):
            drive = rally.due() == [(seat, "start")]
            why = RULESET.cost_if_legal(rally.config, rally.state, seat, order)
            parts = [part for part in why if not (drive and part.rule in ("CR-S6", "CR-F1"))]
            assert total(tuple(parts)) == minutes_to_place(rally, rally.state, order)


@SETTINGS
@given(where=walks)
def test_cr_m1_paths_agree_with_a_second_reading(walk, where):
    """Every path that the roads allow, and no other; each costs the car's minutes for every tile entered."""
    rally = walk(where)
    board = dict(zip(CELLS, rally.state.board, strict=True))
    for seat, kind in rally.due():
        racer = rally.racer(seat)
        moves = [order for order in RULESET.legal(rally.config, rally.state, seat) if isinstance(order, Move)]
        assert {order.path for order in moves} == (paths(rally, rally.state, racer.cell) if kind == "action" else set())
        car = next(car for car in rally.config.components.cars if car.id == racer.car)
        for order in moves:
            why = [part for part in RULESET.cost_if_legal(rally.config, rally.state, seat, order) if part.rule == "CR-M1"]
            minutes = [getattr(car, as_it_lies(rally, board[cell])[0]) for cell in order.path]
            assert [part.amount for part in why] == minutes[: len(why)]


def test_the_cost_told_beforehand_is_the_cost(corpus):
    """What ``cost`` says of the order that was then given is what the clock shows."""
    for rally in corpus[::3]:
        state = RULESET.initial(rally.config)
        for entry in entries(rally):
            if entry.seat is not None:
                (order,) = [
                    order
                    for order in RULESET.legal(rally.config, state, entry.seat)
                    if RULESET.language.text(order) == (entry.written or entry.order)
                ]
                told = RULESET.cost_if_legal(rally.config, state, entry.seat, order)
                assert [event.why for event in entry.events if isinstance(event, Spent)] in ([told], [])
            state = fold_from(rally, state, entry.events)


def fold_from(rally, state, events):
    """Return ``state`` after ``events``."""
    for event in events:
        state = RULESET.evolve(rally.config, state, event)
    return state


REFUSALS = {
    "unknown-tile": {"CR-C2"},
    "unknown-cell": {"CR-C1"},
    "bad-rotation": {"CR-C2"},
    "three-steps": {"CR-M1"},
    "tile-twice": {"CR-T2"},
    "start-first": {"CR-S6"},
    "not-your-corner": {"CR-S6"},
    "discard-first": {"CR-T2"},
    "no-discard-due": {"CR-T2"},
    "wrong-count": {"CR-T2"},
    "car-on-cell": {"CR-P1"},
    "nothing-to-keep": {"CR-P5"},
    "not-adjacent": {"CR-M1"},
    "no-tile": {"CR-M1"},
    "no-road": {"CR-M1"},
    "not-in-row": {"CR-G1"},
    "gps-spent": {"CR-C6"},
    "not-in-hand": {"CR-P1", "CR-T2"},
}
"""The rule behind each refusal of a seat that is due."""


# --- legality --------------------------------------------------------------------------------------------------------


def language(rally, seat):
    """Yield every order that can be written of this position, and some that name what does not exist."""
    state = rally.state
    tiles = [tile.id for tile in rally.config.components.tiles]
    yield from (DrawTwo(), Refresh())
    yield from (Take(tile) for tile in (*tiles, "X9"))
    for tile, cell, rot, gps in product((*tiles, "X9"), (*CELLS, "F6"), (0, 90, 180, 270, 45), (False, True)):
        yield Place(tile, cell, rot, gps)
    yield from (Move((cell,)) for cell in (*CELLS, "F6"))
    yield from (Move(path) for path in product((*CELLS, "F6"), repeat=2))
    near = paths(rally, state, state.racer(seat).cell) if state.racer(seat).cell else ()
    yield from (Move((*path, path[0])) for path in near if len(path) == 2)
    hand = state.racer(seat).hand
    some = (*hand, *[tile for tile in tiles if tile not in hand][:2])
    for count in range(len(some) + 1):
        for chosen in combinations(some, count):
            yield from (Discard(in_order(chosen)), Keep(in_order(chosen)))
    for tile in hand:
        for count in (1, 2, 3):
            yield from (kind(in_order((tile, *hand[:count]))) for kind in (Discard, Keep) if tile in hand[:count])


@SETTINGS
@given(where=walks)
def test_legal_is_what_check_accepts(walk, where):
    """Of all orders that can be written, ``legal`` lists exactly those that ``check`` accepts, each once, for every seat."""
    rally = walk(where)
    due = [seat for seat, _ in rally.due()]
    for seat in rally.config.seats:
        listed = list(RULESET.legal(rally.config, rally.state, seat))
        assert len(set(listed)) == len(listed)
        if seat not in due:
            assert listed == []
            continue
        accepted = {
            order for order in language(rally, seat) if RULESET.refusal(rally.config, rally.state, seat, order) is None
        }
        assert set(listed) == accepted


@SETTINGS
@given(where=walks, seed=seeds)
def test_a_refused_order_changes_nothing(walk, where, seed):
    """No entry, no event, no trace: the game equals what it was, and the refusal names a code, words and a rule."""
    rally = walk(where)
    assume(rally.due())
    seat = rally.due()[0][0]
    before, bytes_before = rally.game, canonical_bytes(rally.game)
    orders = Random(seed).sample(list(language(rally, seat)), 30)
    for order in orders:
        if RULESET.refusal(rally.config, rally.state, seat, order) is not None:
            problem = rally.refuse(seat, order)
            assert problem.message
            assert problem.rule in REFUSALS[problem.code.removeprefix("checkpoint-rally/")]
    assert (rally.game, canonical_bytes(rally.game)) == (before, bytes_before)


@SETTINGS
@given(where=walks, seed=seeds)
def test_suggestions_are_worth_following(walk, where, seed):
    """A whole order that a refusal suggests is legal now."""
    rally = walk(where)
    for seat, _ in rally.due():
        listed = RULESET.legal(rally.config, rally.state, seat)
        words = {frozenset(RULESET.language.text(order).split()) for order in listed}
        for order in Random(seed).sample(list(language(rally, seat)), 30):
            problem = RULESET.refusal(rally.config, rally.state, seat, order)
            for suggestion in problem.suggestions if problem else ():
                if suggestion.split()[0] in ("PLACE", "KEEP", "DISCARD"):
                    assert frozenset(suggestion.split()) in words


# --- secrets ---------------------------------------------------------------------------------------------------------


def other_secrets(config, state, viewer, luck):
    """Return a state that differs from ``state`` only in what ``viewer`` may not know: hands, cards, the stack."""
    others = [racer for racer in state.racers if racer.seat != viewer]
    hidden = [*state.stack(config), *chain.from_iterable(racer.hand for racer in others)]
    luck.shuffle(hidden)
    cards = sorted(set(config.maps) - {racer.card for racer in state.racers if racer.seat == viewer})
    luck.shuffle(cards)
    racers = {racer.seat: racer for racer in state.racers}
    for racer in others:
        hand = tuple(hidden.pop() for _ in racer.hand)
        racers[racer.seat] = replace(racer, hand=config.sorted(hand), card=cards.pop())
    return replace(state, racers=tuple(racers.values()))


def otherwise(rally, viewer, seed):
    """Return such a state for the one that ``rally`` has come to."""
    return other_secrets(rally.config, rally.state, viewer, Random(seed))


@pytest.mark.parametrize("viewer", ["red", "yellow", None])
def test_other_secrets_are_others(start, house, viewer):
    """The moderator, who sees all, sees the difference; the law of views is checked on such states."""
    rally = start(4, 1, house)
    other = otherwise(rally, viewer, 7)
    assert other != rally.state
    assert RULESET.view(rally.config, other, "moderator") != rally.view("moderator")


def decided(rally, state, seat, order, seed):
    """Return the events of ``order`` from ``state``, with chance from ``seed``."""
    moves = RULESET.decide(rally.config, state, seat, order, CommittedChance(seed.to_bytes(32, "big"), {}))
    events = []
    try:
        event = next(moves)
        while True:
            events.append(event)
            state = RULESET.evolve(rally.config, state, event)
            event = moves.send(state)
    except StopIteration:
        return events


@SETTINGS
@given(where=walks, seed=seeds)
def test_draws_are_witnessed_alike(walk, where, seed):
    """Others see a draw, and how many tiles, not which: the same from two states that differ in secrets."""
    rally = walk(where)
    assume([kind for _, kind in rally.due()] == ["action"])
    ((seat, _),) = rally.due()
    for viewer in (*rally.config.seats, None):
        if viewer == seat:
            continue
        events = [decided(rally, state, seat, DrawTwo(), seed) for state in (rally.state, otherwise(rally, viewer, seed))]
        seen = [[RULESET.redact(rally.config, event, viewer) for event in some] for some in events]
        assert seen[0] == seen[1]
        assert [RULESET.tell(rally.config, event) for event in seen[0]] == [RULESET.tell(rally.config, e) for e in seen[1]]


def test_a_redact_sees_no_hidden_tile_and_no_card(corpus):
    """Of every event, others see only tiles that lie open afterwards, and no card."""
    for rally in corpus:
        tiles = {tile.id for tile in rally.config.components.tiles}
        cards = set(rally.config.maps)
        for event, _, after in happenings(rally):
            seen = RULESET.redact(rally.config, event, None)
            words = set(canonical_bytes(seen).decode().replace('"', " ").split())
            hidden = tiles & set(chain.from_iterable(racer.hand for racer in after.racers))
            assert not words & cards
            if not isinstance(event, TileTaken) and not (isinstance(event, TilePlaced) and event.is_kept):
                assert not words & hidden


def test_a_seat_and_the_moderator_see_their_own(corpus):
    """Nothing is hidden from the seat itself, nor from the moderator."""
    for rally in corpus[:3]:
        for event, _, _ in happenings(rally):
            for viewer in (getattr(event, "seat", "red"), "moderator"):
                assert RULESET.redact(rally.config, event, viewer) == event


# --- replay ----------------------------------------------------------------------------------------------------------


@SETTINGS
@given(where=walks)
def test_one_mail_or_many_makes_no_difference(start, walk, house, where):
    """All orders of a game in one sheet a seat come to the same events as one order at a time."""
    players, seed, *_ = where
    played = []
    first = walk(where, played)
    second = start(players, seed, house, version_of(seed))
    sheets = [Sheet(seat, tuple(Instruction(order) for who, order in played if who == seat)) for seat in second.config.seats]
    outcome = adjudicate(RULESET, second.config, second.game, sheets)
    assert not outcome.diagnostics
    assert outcome.game.state == first.state
    assert [(entry.seat, entry.order, entry.events) for entry in entries(first)] == [
        (link.entry.seat, link.entry.order, link.entry.events) for link in outcome.game.journal
    ]


def test_every_kind_of_event_happens(corpus):
    """The corpus shows everything that can happen, so what is tested on it is tested on everything."""
    kinds = {type(event) for rally in corpus for entry in entries(rally) for event in entry.events}
    assert kinds == set(RULESET.types.events)


def test_every_kind_of_order_is_played(corpus):
    """Each of the seven."""
    words = {(entry.written or entry.order).split()[0] for rally in corpus for entry in entries(rally)[1:]}
    assert words == {"PLACE", "MOVE", "DRAW", "REFRESH", "TAKE", "DISCARD", "KEEP"}


def test_every_event_is_told_in_words(corpus):
    """A sentence for each, seen by anybody; only the clock is told otherwise."""
    for rally in corpus:
        for event, _, _ in happenings(rally):
            for viewer in (None, "red", "moderator"):
                text = RULESET.tell(rally.config, RULESET.redact(rally.config, event, viewer))
                assert bool(text) == (not isinstance(event, Spent))
                assert "None" not in text


@pytest.mark.soak
@settings(SETTINGS, max_examples=1000)
@given(where=st.tuples(st.integers(2, 4), seeds, st.integers(0, 1000), st.sampled_from(list(HALTS))))
def test_soak_legal_is_what_check_accepts(walk, where):
    """The same as above, for long."""
    rally = walk(where)
    for seat, _ in rally.due():
        accepted = {
            order for order in language(rally, seat) if RULESET.refusal(rally.config, rally.state, seat, order) is None
        }
        assert set(RULESET.legal(rally.config, rally.state, seat)) == accepted


@pytest.mark.soak
@settings(SETTINGS, max_examples=200)
@given(seed=seeds, players=st.integers(2, 4))
def test_soak_whole_games(start, wander, house, seed, players):
    """Whole games to the end, unless every car is locked in: tiles conserved, fold equals state."""
    rally = wander(start(players, seed, house), 10_000, seed)
    assert rally.is_over() or len(tuple(RULESET.warnings(rally.config, rally.state))) == players
    assert whereabouts(rally.config, rally.state) == sorted(tile.id for tile in house.tiles)
    assert fold(RULESET, rally.config, chain.from_iterable(entry.events for entry in entries(rally))) == rally.state
