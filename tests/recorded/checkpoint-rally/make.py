"""Makes the recorded games of Checkpoint Rally anew: whole games, searched until every situation is met.

    python tests/recorded/checkpoint-rally/make.py [FOLDER]

The search is seeded: the same rules and the same program give the same files.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from situations import SITUATIONS, shown_by

from adjudicator.begin import Wish, begin_game
from adjudicator.core.chance import CommittedChance
from adjudicator.core.engine import adjudicate
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.ruleset import Player
from adjudicator.core.step import carry_out, go_on
from adjudicator.correct import CorrectionError, amend, hand_over, undo
from adjudicator.desk import Desk
from adjudicator.games.checkpoint_rally.orders import Move, Refresh
from adjudicator.moderate import adjudicate_files
from adjudicator.rulesets import ruleset
from adjudicator.simulate.players import choose_greedily
from adjudicator.store.components import shipped
from adjudicator.store.save import dump_game

RULES = ruleset("checkpoint-rally")
SEATS = ("red", "blue", "green", "yellow")
MOST_ORDERS = 150
GAMES = 60
BRANCHES = 8
WAITING = 1_000
"""The numbers of games in which players wait for each other begin after this."""
RARE = {
    "a later finisher wins by time",
    "a last chance used and lost",
    "everybody finished",
    "finishers tied on minutes",
    "a last chance ended by a seat still to act",
}
"""What is looked for by playing the end of a game otherwise."""


class LoggedChance:
    """Derives outcomes like a committed game and remembers them: what a moderator writes down at a table."""

    def __init__(self, secret: bytes) -> None:
        self._chance = CommittedChance(secret, {})
        self.drawn = 0
        self.outcomes: list[str] = []

    def pick(self, purpose: str, among: Any) -> str:
        self.outcomes.append(self._chance.pick(purpose, among))
        self.drawn = self._chance.drawn
        return self.outcomes[-1]

    def take(self) -> tuple[str, ...]:
        taken, self.outcomes = tuple(self.outcomes), []
        return taken


@dataclass
class Recipe:
    """How one game is set up and played."""

    number: int
    players: int
    options: dict[str, str] = field(default_factory=dict)
    is_recorded: bool = False
    is_patient: bool = False
    is_waiting: bool = False
    is_wordy: bool = False
    is_corrected: bool = False
    entropy: dict[str, str] = field(default_factory=dict)

    @property
    def secret(self) -> bytes:
        return hashlib.sha256(f"recorded games of checkpoint-rally {self.number}".encode()).digest()


def recipe(number: int) -> Recipe:
    """Return the recipe of attempt ``number``: every choice comes round."""
    players = (2, 3, 4, 4, 3)[number % 5]
    options: dict[str, str] = {}
    if number % 4 == 1:
        options["layout"] = "cross"
    if number % 3 == 1:
        options["last-chance"] = "any-marker"
    if number % 7 in (2, 5):
        options["map"] = "upper" if number % 7 == 2 else "lower"
    return Recipe(
        number,
        players,
        options,
        is_recorded=number % 7 == 3,
        is_patient=number % 2 == 0,
        is_wordy=number % 6 == 4,
        is_corrected=number % 9 == 5,
        entropy={"red": "marmalade", "blue": "tin soldier"} if number % 8 == 6 else {},
    )


def begun(recipe: Recipe, name: str, chance: LoggedChance) -> Desk:
    components, _ = shipped(RULES)
    wish = Wish(
        ruleset="checkpoint-rally",
        id=name,
        players=tuple(Player(Seat(seat), f"Player {seat.title()}") for seat in SEATS[: recipe.players]),
        components=components,
        options=recipe.options,
        secret=recipe.secret.hex(),
        entropy={} if recipe.is_recorded else recipe.entropy,
    )
    desk = begin_game(wish)
    if not recipe.is_recorded:
        return desk
    go_on(RULES, desk.table, RULES.initial(desk.table), chance)
    return begin_game(replace(wish, secret=None, recorded=chance.take()))


def played(recipe: Recipe, missing: set[str]) -> Desk | None:
    """Return the game of ``recipe``, or ``None`` if it grows too long; its end may be varied for ``missing``."""
    chance = LoggedChance(recipe.secret)
    desk = begun(recipe, f"recorded-{recipe.number:03d}", chance)
    past = _course(desk, recipe, Random(f"recorded {recipe.number}"), chance)
    if past is None or recipe.is_recorded:
        return None if past is None else past[-1]
    if not recipe.is_patient or not missing & RARE:
        return past[-1]
    for branch in range(BRANCHES):
        fork = past[-min(len(past), 10 + branch)]
        other = _course(fork, recipe, Random(f"recorded {recipe.number} {branch}"), chance, is_fork=True)
        if other is not None and shown_by(other[-1].game) & missing & RARE:
            return other[-1]
    return past[-1]


def _course(desk: Desk, recipe: Recipe, luck: Random, chance: LoggedChance, *, is_fork: bool = False) -> list[Desk] | None:
    """Return the desk after each order until the game is over, or ``None`` if it grows too long."""
    corrections = [(40, _undo), (25, _amend), (10, _hand)] if recipe.is_corrected and not is_fork else []
    past = [desk]
    while len(past[-1].game.journal) <= MOST_ORDERS:
        desk = past[-1]
        due = RULES.awaiting(desk.table, desk.game.state)
        if not due:
            return past
        if corrections and len(desk.game.journal) >= corrections[-1][0]:
            past.append(corrections.pop()[1](desk))
        else:
            past.append(_step(desk, due[0].seat, recipe, luck, chance))
    return None


def _step(desk: Desk, seat: Seat, recipe: Recipe, luck: Random, chance: LoggedChance) -> Desk:
    order = choose_greedily(desk, seat, luck)
    if recipe.is_patient and _finishes_alone(desk, seat, order, all if not recipe.is_waiting else any):
        order = Refresh()
    if recipe.is_recorded:
        carry_out(RULES, desk.table, desk.game.state, seat, order, chance)
        outcome = adjudicate(RULES, desk.table, desk.game, [Sheet(seat, (Instruction(order, chance.take()),))])
        assert not outcome.findings, outcome.findings
        return desk.with_game(outcome.game)
    words = RULES.language.text(order)
    if recipe.is_wordy and luck.random() < 0.3:
        words = _wordy(desk, words, luck)
    done = adjudicate_files(desk, [("orders.txt", f"{seat}: {words}\n".encode())])
    assert done.accepted, done.findings
    return done.desk


def _finishes_alone(desk: Desk, seat: Seat, order: Any, quantifier: Any) -> bool:
    """Tell whether ``order`` would finish the race while ``all`` others, or ``any``, have two checkpoints to go."""
    state, maps = desk.game.state, desk.table.maps
    if not isinstance(order, Move) or state.finishers or max(racer.minutes for racer in state.racers) > 75:
        return False
    racer = state.racer(seat)
    left = set(maps[racer.card]) - set(racer.marked) - set(order.path)
    others = [other for other in state.racers if other.seat != seat]
    return not left and quantifier(len(maps[other.card]) - len(other.marked) > 1 for other in others)


def _wordy(desk: Desk, words: str, luck: Random) -> str:
    absent = next(tile for tile in desk.table.rank if tile not in desk.game.state.row)
    return luck.choice(
        [
            f"TAKE {absent} OR {words}",
            f"IF cost of {words} <= 2 THEN {words} ELSE ({words} OR DRAW)",
            f"IF row has {absent} THEN TAKE {absent} ELSE {words}",
            f"{words} IF gps >= 1 OR {words}",
            f"TAKE {absent} IF {absent} in row",
        ]
    )


def _undo(desk: Desk) -> Desk:
    entries = [link.entry for link in desk.game.journal]
    return undo(desk, entries[-1].n - 3, "an order of the wrong week was read")


def _amend(desk: Desk) -> Desk:
    racer = desk.game.state.racers[0]
    try:
        return amend(desk, [f"racers[{racer.seat}].minutes={racer.minutes + 1}"], "a minute was forgotten at the table")
    except CorrectionError:
        return desk


def _hand(desk: Desk) -> Desk:
    return hand_over(desk, desk.seats[0], "Substitute", "moved house")


def make(folder: Path) -> None:
    """Write the first games that are short enough, then others for what they do not show."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    missing, kept, number = set(SITUATIONS), 0, 0
    while kept < GAMES:
        number += 1
        desk = played(recipe(number), missing)
        if desk is not None:
            missing -= _keep(folder, desk)
            kept += 1
    complete(folder, missing)


def complete(folder: Path, missing: set[str]) -> None:
    """Write games in which everybody waits for the others before the finish, until nothing is ``missing``."""
    number = WAITING
    while missing:
        number += 1
        waiting = replace(recipe(number), players=2 + number % 2, is_patient=True, is_waiting=True, is_recorded=False)
        desk = played(waiting, missing)
        if desk is not None and shown_by(desk.game) & missing:
            missing = missing - _keep(folder, desk)


def _keep(folder: Path, desk: Desk) -> set[str]:
    (folder / f"{desk.game.id}.json").write_bytes(dump_game(desk.game))
    found = shown_by(desk.game)
    sys.stdout.write(f"{desk.game.id}: {len(desk.game.journal)} entries, {len(found)} situations\n")
    sys.stdout.flush()
    return found


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
