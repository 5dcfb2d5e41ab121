"""What the planning player foresees is what comes of its orders when they are carried out, by the guess made plainly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, permutations
from random import Random
from typing import Any

import pytest

from adjudicator.begin import begin_game
from adjudicator.core.event import Spent
from adjudicator.core.step import carry_out, committed_chance
from adjudicator.games.checkpoint_rally.bot import estimate, outlook
from adjudicator.games.checkpoint_rally.bot_ways import Drive, quickest, quickest_way, roads_of
from adjudicator.games.checkpoint_rally.components import CELLS, NEIGHBOURS, ROTATIONS, Config, Laid
from adjudicator.games.checkpoint_rally.orders import Move, Place
from adjudicator.games.checkpoint_rally.state import ACTION
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


def legal_by_kind(session: Session, seat: Any) -> list[list[Any]]:
    """List the legal orders of ``seat`` by kind."""
    kinds: dict[type, list[Any]] = {}
    for order in session.rules.legal(session.config, session.game.state, seat):
        kinds.setdefault(type(order), []).append(order)
    return list(kinds.values())


def tried(session: Session, seat: Any, order: Any) -> tuple[int, int]:
    """Return what ``order`` costs when it is carried out, and the estimate then."""
    chance = committed_chance(session.game, session.game.journal[-1].entry.drawn)
    assert chance is not None
    taken = carry_out(session.rules, session.config, session.game.state, seat, order, chance)
    spent = sum(event.after - event.before for event in taken.events if type(event) is Spent and event.seat == seat)
    return spent, estimate(session.config, session.rules.view(session.config, taken.state, seat))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_order_leads_where_it_is_foreseen_to_lead(players: int) -> None:
    kinds: set[str] = set()
    for number, session in enumerate(moments(players, 60)):
        (due,) = session.rules.awaiting(session.config, session.game.state)
        view = session.rules.view(session.config, session.game.state, due.seat)
        ahead = outlook(session.config, view)
        assert ahead is not None
        assert ahead.estimate == estimate(session.config, view)
        orders = [order for some in legal_by_kind(session, due.seat) for order in (some[number % 12 :: 12] or some)]
        assert ahead.weighed(orders) == [tried(session, due.seat, order) for order in orders]
        kinds |= {type(order).__name__ + " gps" * getattr(order, "gps", False) for order in orders}
    assert kinds >= {"Place", "Place gps", "Move", "DrawTwo", "Refresh", "Take", "Discard", "Keep"}


def test_what_is_worth_a_look_are_the_legal_orders_along_the_way() -> None:
    narrowed = 0
    for session in moments(3, 40):
        (due,) = session.rules.awaiting(session.config, session.game.state)
        ahead = outlook(session.config, session.rules.view(session.config, session.game.state, due.seat))
        assert ahead is not None
        listed, looked_at = legal_by_kind(session, due.seat), [list(orders) for orders in ahead.kinds]
        assert [type(orders[0]) for orders in looked_at] == [type(orders[0]) for orders in listed]
        for few, all_of_them in zip(looked_at, listed, strict=True):
            assert few == [order for order in all_of_them if order in set(few)]
            if due.kind != ACTION or type(few[0]) not in (Place, Move):
                assert few == all_of_them
            narrowed += len(few) < len(all_of_them)
    assert narrowed > 20


def test_nothing_is_foreseen_for_who_has_finished_or_has_no_seat() -> None:
    *_, session = moments(2, 400)
    session = play_on(session, dict.fromkeys(session.seats, choose_greedily), Random(1), 400)
    finished = [racer.seat for racer in session.game.state.racers if racer.place]
    assert finished
    for viewer in (*finished, None):
        view = session.rules.view(session.config, session.game.state, viewer)
        assert outlook(session.config, view) is None
        assert estimate(session.config, view) == 0


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


def driven(config: Config, board: list[Laid | None], car: str, cells: tuple[int, ...]) -> int:
    """Return the minutes guessed for the way over ``cells``, the first of which is the start."""
    sides = [NEIGHBOURS[here].index(there) for here, there in pairwise(cells)]
    return sum(step(config, board, car, cells[0], here, side) for here, side in zip(cells, sides, strict=False))


def test_the_quickest_ways_on_boards_side_by_side_are_those_found_plainly() -> None:
    session = begin_game(choices_for(Plan(ruleset="checkpoint-rally", games=1, players=2), 1))
    config, luck, locked_in = session.config, Random(7), 0
    tiles = list(config.rank)
    for _ in range(BOARDS):
        car = luck.choice(list(config.cars))
        some = luck.sample(tiles, 20)
        board: list[Laid | None] = [Laid(tile, luck.choice(ROTATIONS)) for tile in some] + [None] * (len(CELLS) - 20)
        luck.shuffle(board)
        roads, drives, wanted = roads_of(config, car, board), [], []
        for goals in (0, 1, 2, 3, 4):
            start, cell, *others = luck.sample(range(len(CELLS)), 2 + goals)
            laid = Laid(luck.choice(tiles), luck.choice(ROTATIONS)) if goals % 2 else None
            others[:1] = [luck.choice([*others[:1], cell])] if others else []
            face = None if laid is None else config.face(laid)
            there = (cell, face.exits, config.minutes[car][face.road]) if face else ()
            drives.append(Drive(start, tuple(others), *there))
            after = [laid if laid and at == cell else now for at, now in enumerate(board)]
            wanted.append(plainly(config, after, car, start, tuple(others)))
            if not face:
                minutes, way = quickest_way(roads, drives[-1])
                assert minutes == wanted[-1] == driven(config, board, car, (start, *way))
                assert set(others) <= set(way)
            locked_in += wanted[-1] >= 200
        assert quickest(roads, drives) == wanted
    assert locked_in
