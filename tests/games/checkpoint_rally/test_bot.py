"""What a driver that plans looks at: orders along its quickest way, by minutes that a plain search confirms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations
from random import Random

from adjudicator.begin import begin_game
from adjudicator.core.step import committed_chance, decided
from adjudicator.games.checkpoint_rally.bot import Roads, advise
from adjudicator.games.checkpoint_rally.components import CELLS, NEIGHBOURS, ROTATIONS, Config, Laid
from adjudicator.games.checkpoint_rally.order_of_play import ACTION
from adjudicator.games.checkpoint_rally.orders import Move, Place
from adjudicator.session import Session
from adjudicator.simulate.plan import Plan, choices_for
from adjudicator.simulate.play import play_on
from adjudicator.simulate.players import choose_greedily, choose_random

BOARDS = 15


def moments(players: int, orders: int, **options: str) -> Iterator[Session]:
    """Yield the game of random and planning players after each of its orders."""
    plan = Plan(ruleset="checkpoint-rally", games=1, players=players, seed=players, options=options)
    session = begin_game(choices_for(plan, 1))
    choose = {seat: (choose_greedily, choose_random)[at % 2] for at, seat in enumerate(session.seats)}
    for number in range(orders):
        if session.rules.is_over(session.config, session.game.state):
            return
        yield session
        session = play_on(session, choose, Random(number), 1)


def test_orders_worth_a_look_are_those_along_the_way() -> None:
    narrowed = 0
    for session in moments(3, 40):
        (due,) = session.rules.awaiting(session.config, session.game.state)
        seat, config, state = due.seat, session.config, session.game.state
        advice = advise(config, session.rules.view(config, state, seat), Random(1), plans=True)
        assert advice is not None
        listed = list(session.rules.legal(config, state, seat))
        if due.kind != ACTION.kind:
            assert advice.orders is None
            continue
        few = [order for order in advice.orders or () if session.rules.refusal(config, state, seat, order) is None]
        assert set(few) <= set(listed)
        others = [order for order in listed if type(order) not in (Place, Move)]
        assert [order for order in few if type(order) not in (Place, Move)] == others
        narrowed += len(few) < len(listed)
    assert narrowed > 20


def test_trying_an_order_shows_no_more_than_its_seat_knows() -> None:
    """Other hands have no part in it: a tile that comes from the stack may be any that the seat does not see."""
    for session in moments(3, 40):
        (due,) = session.rules.awaiting(session.config, session.game.state)
        seat, config, state = due.seat, session.config, session.game.state
        view = session.rules.view(config, state, seat)
        for order in list(session.rules.legal(config, state, seat))[::40]:
            chance = committed_chance(session.game, session.game.journal[-1].entry.drawn)
            assert chance is not None
            _, after = decided(session.rules, config, view.state, seat, order, chance)
            _, really = decided(session.rules, config, state, seat, order, chance)
            assert (after.board, after.racer(seat).minutes) == (really.board, really.racer(seat).minutes)


def test_a_seat_that_has_finished_and_a_bystander_get_no_advice() -> None:
    *_, session = moments(2, 400)
    session = play_on(session, dict.fromkeys(session.seats, choose_greedily), Random(1), 400)
    finished = [racer.seat for racer in session.game.state.racers if racer.place]
    assert finished
    for viewer in (*finished, None):
        view = session.rules.view(session.config, session.game.state, viewer)
        assert advise(session.config, view, Random(1), plans=True) is None


# The guess made plainly: the minutes from cell to cell, every way looked at until none becomes shorter -------------------


def step(config: Config, board: list[Laid | None], car: str, start: int, here: int, side: int) -> int:
    """Return the minutes guessed for driving from ``here`` by ``side``."""
    there = NEIGHBOURS[here][side]
    assert there is not None
    own, other = (None if laid is None else config.face(laid) for laid in (board[here], board[there]))
    leaves, enters = own is None or own.exits[side], other is None or other.exits[(side + 2) % 4]
    link = 0 if leaves and enters else 4 if leaves or here != start else 200
    return link + (6 if other is None else config.minutes[car][other.road])


def distances(config: Config, board: list[Laid | None], car: str, start: int, goal: int) -> list[int]:
    found = [10_000] * len(CELLS)
    found[goal] = 0
    for _ in CELLS:
        for here in range(len(CELLS)):
            sides = [side for side, there in enumerate(NEIGHBOURS[here]) if there is not None]
            steps = [step(config, board, car, start, here, side) + found[NEIGHBOURS[here][side] or 0] for side in sides]
            found[here] = min(found[here], *steps)
    return found


def plainly(config: Config, board: list[Laid | None], car: str, start: int, goals: tuple[int, ...]) -> int:
    ways = {goal: distances(config, board, car, start, goal) for goal in goals}
    return min(
        sum(ways[there][here] for here, there in zip((start, *order), order, strict=False)) for order in permutations(goals)
    )


def test_the_quickest_way_is_the_one_found_plainly() -> None:
    session = begin_game(choices_for(Plan(ruleset="checkpoint-rally", games=1, players=2), 1))
    config, luck, locked_in = session.config, Random(7), 0
    tiles = list(config.rank)
    for _ in range(BOARDS):
        car = luck.choice(list(config.cars))
        some = luck.sample(tiles, 20)
        board: list[Laid | None] = [Laid(tile, luck.choice(ROTATIONS)) for tile in some] + [None] * (len(CELLS) - 20)
        luck.shuffle(board)
        roads = Roads(config, car, board)
        for goals in (1, 2, 3, 4):
            start = luck.choice((0, 4, 20, 24))
            others = luck.sample([cell for cell in range(len(CELLS)) if cell != start], goals)
            way, wanted = roads.quickest(start, others), plainly(config, board, car, start, tuple(others))
            sides = [NEIGHBOURS[here].index(there) for here, there in pairwise(way)]
            steps = zip(way, sides, strict=False)
            assert sum(step(config, board, car, start, here, side) for here, side in steps) == wanted
            assert roads.minutes(way, start) == wanted
            assert way[0] == start and set(others) <= set(way)
            locked_in += wanted >= 200
    assert locked_in
