"""Define which games to simulate, and derive the seeds of each game."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final

from adjudicator.core.problem import Problem, SetupError
from adjudicator.core.ruleset import Player
from adjudicator.core.values import USUAL_SEATS, Seat, Value, digest, field
from adjudicator.library.begin import GameChoices
from adjudicator.rulesets import meta, ruleset
from adjudicator.simulate.bots import PLAYERS
from adjudicator.store.game_file import shipped

MIXED: Final = "mixed"
"""Players alternate game by game: odd seats random and even ones greedy, then the other way round."""
STRATEGIES: Final = (*PLAYERS, MIXED)
"""The possible values of ``Plan.player``."""
MOST_GAMES: Final = 1_000_000


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
    most_orders: int = 5_000

    @property
    def numbers(self) -> range:
        """The numbers of the games, from 1."""
        return range(1, self.games + 1)

    def name_of(self, number: int) -> str:
        """Return the id of game ``number``."""
        return f"{self.ruleset}-{number:05d}"

    def file_of(self, number: int) -> str:
        """Return the name of the file of game ``number``."""
        return f"{self.name_of(number)}.json"

    def secret_of(self, number: int) -> str:
        """Return the secret of chance of game ``number``, 64 hexadecimal digits: SHA-256 over the seed and the number."""
        return digest(b"adjudicator simulate 1\n", f"{self.seed}\n{number}\n".encode())

    def luck_of(self, number: int) -> Random:
        """Return the generator for the players' choices in game ``number``, independent of the game's chance."""
        return Random(f"adjudicator players 1\n{self.seed}\n{number}")

    def choices_for(self, number: int) -> GameChoices:
        """Return the set-up of game ``number``: each seat's holder is the simulated player that plays it."""
        names = tuple(PLAYERS)
        players = (names[(number + at) % len(names)] if self.player == MIXED else self.player for at in range(self.players))
        return GameChoices(
            ruleset=self.ruleset,
            id=self.name_of(number),
            players=tuple(Player(Seat(seat), player) for seat, player in zip(USUAL_SEATS, players, strict=False)),
            components=shipped(ruleset(self.ruleset))[0],
            options=dict(self.options),
            secret=self.secret_of(number),
        )


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
    fewest, most = about.players
    players = players or fewest
    wrong = []
    if not fewest <= players <= min(most, len(USUAL_SEATS)):
        wrong.append(Problem("simulate/players", f"{about.name} is for {about.players_words}, not {players}"))
    if not 1 <= games <= MOST_GAMES:
        wrong.append(Problem("simulate/games", f"the number of games is 1 to {MOST_GAMES:,}, not {games:,}"))
    if player not in STRATEGIES:
        known = f"{', '.join(STRATEGIES[:-1])} or {STRATEGIES[-1]}"
        wrong.append(Problem("simulate/player", f"a player is {known}, not “{player}”"))
    if most_orders < 1:
        wrong.append(Problem("simulate/most-orders", f"a game has at least 1 order, not {most_orders}"))
    if wrong:
        raise SetupError(tuple(wrong))
    return Plan(
        ruleset=about.id,
        games=games,
        players=players,
        seed=seed,
        player=player,
        options={name: str(value) for name, value in (options or {}).items()},
        most_orders=most_orders,
    )
