"""Play a game to its end with orders that go through the adjudicator like a player's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from adjudicator.core.engine import adjudicate
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.step import committed_chance
from adjudicator.core.values import Seat
from adjudicator.library.begin import begin_game
from adjudicator.library.game import Game
from adjudicator.simulate.plan import Plan, choices_for, luck_of, simulation_plan, strategy_of
from adjudicator.simulate.players import PLAYERS, Choose


class FoulPlayError(Exception):
    """Report that the adjudicator refused an order that the ruleset had listed as legal: a bug."""


def simulate_games(
    ruleset: str,
    games: int = 1,
    *,
    players: int = 0,
    player: str = "random",
    seed: int = 1,
    options: Mapping[str, str | int] | None = None,
    most_orders: int = 5_000,
) -> Iterator[Game]:
    """Play ``games`` between simulated players; yield each game as soon as it is over.

    The arguments and errors are those of ``simulation_plan``.
    """
    plan = simulation_plan(
        ruleset, games, players=players, player=player, seed=seed, options=options, most_orders=most_orders
    )
    yield from (play_game(plan, number) for number in plan.numbers)


def play_game(plan: Plan, number: int) -> Game:
    """Play game ``number`` of ``plan`` until it is over or reaches its largest number of orders.

    Raises ``FoulPlayError``, or whatever a bug in the rules raises.
    """
    game = begin_game(choices_for(plan, number))
    choose = {seat: PLAYERS[strategy_of(plan, number, at)] for at, seat in enumerate(game.seats)}
    return play_on(game, choose, luck_of(plan, number), plan.most_orders)


def play_on(game: Game, choose: Mapping[Seat, Choose], luck: Random, most_orders: int) -> Game:
    """Continue ``game`` by up to ``most_orders`` orders, which each seat's function in ``choose`` returns.

    It ends where none of these seats is due. The game has no pending orders.

    Raises ``FoulPlayError``, or whatever a bug in the rules raises.
    """
    chance = committed_chance(game.record, game.record.journal[-1].entry.drawn)
    for number in range(1, most_orders + 1):
        seat = next((ask.seat for ask in game.rules.due(game.record.state) if ask.seat in choose), None)
        if seat is None:
            break
        order = choose[seat](game, seat, luck)
        sheet = Sheet(seat, (Instruction(order),))
        outcome = adjudicate(game.rules, game.record, [sheet], chance=chance)
        # What is left of an order of several steps may be refused: its first step may end the game.
        if all(link.entry.seat != seat for link in outcome.accepted):
            words = "; ".join(diagnostic.problem.message for diagnostic in outcome.diagnostics)
            raise FoulPlayError(f"order {number}, {seat}: {game.rules.language.text(order)}: {words or 'not taken'}")
        game = game.with_record(outcome.record)
    return game
