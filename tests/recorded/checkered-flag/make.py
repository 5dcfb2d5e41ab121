"""Makes the recorded games of Checkered Flag anew: whole races, searched until every situation is met.

    python tests/recorded/checkered-flag/make.py [FOLDER]

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

from situations import FEWEST, SITUATIONS, shown_by

from adjudicator.begin import Wish, begin_game
from adjudicator.core.chance import CommittedChance
from adjudicator.core.engine import adjudicate
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.ruleset import Player
from adjudicator.core.step import carry_out, go_on
from adjudicator.correct import amend, hand_over, undo
from adjudicator.desk import Desk
from adjudicator.games.checkered_flag.position import Position, SeatAt
from adjudicator.moderate import adjudicate_files
from adjudicator.rulesets import ruleset
from adjudicator.simulate.players import PLAYERS
from adjudicator.store.components import shipped
from adjudicator.store.save import dump_game

RULES = ruleset("checkered-flag")
SEATS = ("red", "blue")
MOST_ORDERS = 160
SIDE_BY_SIDE = Position(
    seats=(SeatAt(seat=Seat("red"), position=33, gear=2), SeatAt(seat=Seat("blue"), position=36, gear=1)), turn=Seat("red")
)
"""Blue stands on the narrow underpass, red comes from behind."""


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
    """How one race is set up and driven."""

    number: int
    laps: int
    players: tuple[str, str]
    position: Position | None = None
    is_recorded: bool = False
    is_wordy: bool = False
    is_corrected: bool = False
    entropy: dict[str, str] = field(default_factory=dict)

    @property
    def secret(self) -> bytes:
        return hashlib.sha256(f"recorded games of checkered-flag {self.number}".encode()).digest()


def recipe(number: int) -> Recipe:
    """Return the recipe of attempt ``number``: every choice comes round."""
    return Recipe(
        number,
        laps=(1, 1, 2, 1, 3)[number % 5],
        players=(("greedy", "greedy"), ("greedy", "random"), ("random", "random"))[number % 3],
        position=SIDE_BY_SIDE if number % 11 == 7 else None,
        is_recorded=number % 7 == 3,
        is_wordy=number % 6 == 4,
        is_corrected=number % 9 == 5,
        entropy={"red": "marmalade", "blue": "tin soldier"} if number % 8 == 6 else {},
    )


def begun(recipe: Recipe, chance: LoggedChance) -> Desk:
    components, _ = shipped(RULES)
    wish = Wish(
        ruleset="checkered-flag",
        id=f"recorded-{recipe.number:03d}",
        players=tuple(Player(Seat(seat), f"Player {seat.title()}") for seat in SEATS),
        components=components,
        options={"laps": str(recipe.laps)},
        position=recipe.position,
        secret=recipe.secret.hex(),
        entropy={} if recipe.is_recorded else recipe.entropy,
    )
    desk = begin_game(wish)
    if not recipe.is_recorded:
        return desk
    go_on(RULES, desk.table, RULES.initial(desk.table), chance)
    return begin_game(replace(wish, secret=None, recorded=chance.take()))


def played(recipe: Recipe) -> Desk | None:
    """Return the game of ``recipe``, or ``None`` if it grows too long."""
    chance, luck = LoggedChance(recipe.secret), Random(f"recorded {recipe.number}")
    desk = begun(recipe, chance)
    corrections = [(18, _undo), (12, _amend), (6, _hand)] if recipe.is_corrected else []
    while len(desk.game.journal) <= MOST_ORDERS:
        due = RULES.awaiting(desk.table, desk.game.state)
        if not due:
            return desk
        if corrections and len(desk.game.journal) >= corrections[-1][0]:
            desk = corrections.pop()[1](desk)
        else:
            desk = _step(desk, due[0].seat, recipe, luck, chance)
    return None


def _step(desk: Desk, seat: Seat, recipe: Recipe, luck: Random, chance: LoggedChance) -> Desk:
    order = PLAYERS[recipe.players[SEATS.index(seat)]](desk, seat, luck)
    if recipe.is_recorded:
        carry_out(RULES, desk.table, desk.game.state, seat, order, chance)
        outcome = adjudicate(RULES, desk.table, desk.game, [Sheet(seat, (Instruction(order, chance.take()),))])
        assert not outcome.findings, outcome.findings
        return desk.with_game(outcome.game)
    words = RULES.language.text(order)
    if recipe.is_wordy and luck.random() < 0.3:
        words = luck.choice(
            [
                f"BRAKE 99 OR {words}",
                f"IF left >= 0 THEN {words} ELSE GEAR 1",
                f"IF left < 0 THEN GEAR 1 ELSE (BRAKE 99 OR {words})",
            ]
        )
    done = adjudicate_files(desk, [("orders.txt", f"{seat}: {words}\n".encode())])
    assert done.accepted, done.findings
    return done.desk


def _undo(desk: Desk) -> Desk:
    entries = [link.entry for link in desk.game.journal]
    return undo(desk, entries[-1].n - 2, "an order of the wrong week was read")


def _amend(desk: Desk) -> Desk:
    racer = desk.game.state.racers[0]
    changed = f"racers[{racer.seat}].driven={racer.driven + 1}"
    return amend(desk, [changed, "spun=null"], "a space was forgotten at the table")


def _hand(desk: Desk) -> Desk:
    return hand_over(desk, desk.seats[0], "Substitute", "moved house")


def make(folder: Path) -> None:
    """Write the first races that are short enough, then others for what they do not show."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.json"):
        old.unlink()
    missing, kept, number = set(SITUATIONS), 0, 0
    while missing or kept < FEWEST:
        number += 1
        desk = played(recipe(number))
        if desk is not None and (kept < FEWEST or shown_by(desk.game) & missing):
            missing -= _keep(folder, desk)
            kept += 1


def _keep(folder: Path, desk: Desk) -> set[str]:
    (folder / f"{desk.game.id}.json").write_bytes(dump_game(desk.game))
    found = shown_by(desk.game)
    sys.stdout.write(f"{desk.game.id}: {len(desk.game.journal)} entries, {len(found)} situations\n")
    sys.stdout.flush()
    return found


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
