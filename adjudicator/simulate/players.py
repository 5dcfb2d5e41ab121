"""Simulated players, which decide from what their seat knows and the advice of its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final, cast

from adjudicator.core.advice import Advise, no_advice
from adjudicator.core.values import Seat
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game
from adjudicator.simulate.planner import any_order, best_order

Choose = Callable[[Game, Seat, Random], Any]
"""A player: returns one of the legal orders of a seat that is due."""


def choose_random(game: Game, seat: Seat, luck: Random) -> Any:
    """Return any legal order of ``seat`` (see ``any_order``)."""
    return any_order(game.rules, _advise_of(game.meta.ruleset), game.record.state, seat, luck)


def choose_greedily(game: Game, seat: Seat, luck: Random) -> Any:
    """Return the best of some legal orders of ``seat`` (see ``best_order``)."""
    return best_order(game.rules, _advise_of(game.meta.ruleset), game.record.state, seat, luck)


@cache
def _advise_of(ruleset: str) -> Advise:
    """Return the function ``advise`` of the file ``bot.py`` beside the module of ``ruleset``, or ``no_advice`` without one.

    Only simulated players load it, so it is not part of the rules.
    """
    package = import_module(ruleset.partition(":")[0]).__package__
    if not package or find_spec(f"{package}.bot") is None:
        return no_advice
    return cast("Advise", import_module(f"{package}.bot").advise)


def choose_order(game: Game, seat: str, player: str = "greedy", seed: int | None = 0) -> str:
    """Return an order of ``seat``, which must be due, as the simulated ``player`` (random or greedy) chooses it.

    The same game and ``seed`` give the same order (``None``: the secret record is the seed). Raises ``RequestError``.
    """
    if player not in PLAYERS or seat not in game.due_seats:
        raise RequestError(f"choose a player from {', '.join(PLAYERS)}, and a seat that is due, not {player} and {seat}")
    luck = Random(f"{game.record.head}/{seat}" if seed is None else f"{seed} {len(game.record.journal)}")
    return game.rules.language.text(PLAYERS[player](game, game.seat(seat), luck))


PLAYERS: Final[Mapping[str, Choose]] = {"random": choose_random, "greedy": choose_greedily}
"""The players by name."""
