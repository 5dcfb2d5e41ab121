"""Define which games to simulate, and derive the seeds of each game."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Final

from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.ruleset import GameMeta, Player
from adjudicator.core.values import USUAL_SEATS, Seat, Value, digest, field
from adjudicator.library.begin import GameChoices
from adjudicator.rulesets import meta, ruleset
from adjudicator.simulate.players import PLAYERS
from adjudicator.store.game_file import shipped

MOST_ORDERS: Final = 5_000
"""The default number of orders after which a simulated game stays unfinished."""
MIXED: Final = "mixed"
"""Players alternate game by game: odd seats random and even ones greedy, then the other way round."""

STRATEGIES: Final = (*PLAYERS, MIXED)
"""The possible values of ``Plan.player``."""

MOST_GAMES: Final = 1_000_000
_SECRET: Final = b"adjudicator simulate 1\n"


class Plan(Value, kw_only=True):
    """The plan of a simulation: the number of ``games`` and ``players``, the ``options``, and the kind of ``player``.

    ``seed`` fixes everything. A game stays unfinished after ``most_orders`` orders.
    """

    ruleset: str
    games: int
    players: int
    seed: int = 1
    player: str = "random"
    options: Mapping[str, str] = field(default_factory=dict)
    most_orders: int = MOST_ORDERS

    @property
    def numbers(self) -> range:
        """The numbers of the games, from 1."""
        return range(1, self.games + 1)


def simulation_plan(
    ruleset: str,
    games: int = 1,
    *,
    players: int = 0,
    player: str = "random",
    seed: int = 1,
    options: Mapping[str, str | int] | None = None,
    most_orders: int = 5_000,
) -> Plan:
    """Return a plan of ``games`` between simulated players, for ``tally_games``; the same ``seed`` gives the same games.

    ``players`` is the number of seats (0: the fewest), ``player`` is ``random``, ``greedy`` or ``mixed``. A game stops
    unfinished after ``most_orders`` orders. Raises ``SetupError``, ``UnknownRuleset``.
    """
    about = meta(ruleset.lower())
    plan = Plan(
        ruleset=about.id,
        games=games,
        players=players or about.players[0],
        seed=seed,
        player=player,
        options={name: str(value) for name, value in (options or {}).items()},
        most_orders=most_orders,
    )
    require_sound(plan)
    return plan


def require_sound(plan: Plan) -> None:
    """Raise ``SetupError`` with all problems of ``plan``, ``UnknownRuleset`` or ``UnusableRuleset``."""
    problems = tuple(_problems(meta(plan.ruleset), plan))
    if problems:
        raise SetupError(problems)


def secret_of(plan: Plan, number: int) -> str:
    """Return the secret of chance of game ``number``, 64 hexadecimal digits: SHA-256 over the seed and the number."""
    return digest(_SECRET, f"{plan.seed}\n{number}\n".encode())


def luck_of(plan: Plan, number: int) -> random.Random:
    """Return the generator for the players' choices in game ``number``, independent of the game's chance."""
    return random.Random(f"adjudicator players 1\n{plan.seed}\n{number}")


def choices_for(plan: Plan, number: int) -> GameChoices:
    """Return the set-up of game ``number``: each seat's holder is the kind of player that plays it."""
    seats = USUAL_SEATS[: plan.players]
    return GameChoices(
        ruleset=plan.ruleset,
        id=name_of(plan, number),
        players=tuple(Player(Seat(seat), strategy_of(plan, number, at)) for at, seat in enumerate(seats)),
        components=shipped(ruleset(plan.ruleset))[0],
        options=dict(plan.options),
        secret=secret_of(plan, number),
    )


def name_of(plan: Plan, number: int) -> str:
    """Return the id of game ``number``, which is also the name of its file."""
    return f"{plan.ruleset}-{number:05d}"


def strategy_of(plan: Plan, number: int, at: int) -> str:
    """Return how seat ``at`` (from 0) plays in game ``number``."""
    if plan.player != MIXED:
        return plan.player
    return tuple(PLAYERS)[(number + at) % len(PLAYERS)]


def _problems(about: GameMeta, plan: Plan) -> Iterator[Problem]:
    fewest, most = about.players
    if not fewest <= plan.players <= min(most, len(USUAL_SEATS)):
        yield Problem("simulate/players", f"{about.name} is for {about.players_words}, not {plan.players}")
    if not 1 <= plan.games <= MOST_GAMES:
        yield Problem("simulate/games", f"the number of games is 1 to {MOST_GAMES:,}, not {plan.games:,}")
    if plan.player not in STRATEGIES:
        yield Problem(
            "simulate/player", f"a player is {', '.join(STRATEGIES[:-1])} or {STRATEGIES[-1]}, not “{plan.player}”"
        )
    if plan.most_orders < 1:
        yield Problem("simulate/most-orders", f"a game has at least 1 order, not {plan.most_orders}")
