"""Makes the recorded games of Checkpoint Charlie anew: whole games, searched until every situation is met.

    python tests/recorded/checkpoint-charlie/make.py [FOLDER]

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
from adjudicator.correct import amend, hand_over, undo
from adjudicator.desk import Desk
from adjudicator.games.checkpoint_charlie.components import Face
from adjudicator.games.checkpoint_charlie.orders import Accuse, Swap, Wait
from adjudicator.games.checkpoint_charlie.position import Position, SeatAt
from adjudicator.moderate import adjudicate_files
from adjudicator.rulesets import ruleset
from adjudicator.simulate.players import choose_greedily
from adjudicator.store.components import shipped
from adjudicator.store.save import dump_game

RULES = ruleset("checkpoint-charlie")
SEATS = ("red", "blue", "green", "yellow", "white")
MOST_ENTRIES = 320
GAMES = 40
PLACED = 500
"""The numbers of games that begin in a position made for something rare."""


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
    """How one game is set up and played: ``haste`` of 100 accusations are made as soon as there is anybody to accuse."""

    number: int
    players: int
    options: dict[str, str] = field(default_factory=dict)
    haste: int = 0
    is_patient: bool = False
    is_recorded: bool = False
    is_timed: bool = False
    is_wordy: bool = False
    is_corrected: bool = False
    entropy: dict[str, str] = field(default_factory=dict)
    position: Position | None = None

    @property
    def secret(self) -> bytes:
        return hashlib.sha256(f"recorded games of checkpoint-charlie {self.number}".encode()).digest()


def recipe(number: int) -> Recipe:
    """Return the recipe of attempt ``number``: every choice comes round."""
    options: dict[str, str] = {}
    if number % 3 == 1:
        options["stasi"] = "on"
    if number % 4 in (1, 2):
        options["adler"] = "on"
    if number % 5 == 3:
        options["window"] = "lap"
    if number % 7 in (2, 5):
        options["accuse"] = "rows"
    if number % 6 in (0, 2, 4):
        options["rounds"] = str(1 + number % 6 // 2)
    if number % 8 == 5:
        options["investigator.red"] = "Meridian"
    is_patient = number % 10 == 7
    if is_patient:
        options["rounds"] = "1"
    return Recipe(
        number,
        (3, 4, 5, 3)[number % 4],
        options,
        haste=(15, 30, 45)[number % 3],
        is_patient=is_patient,
        is_recorded=number % 7 == 3,
        is_timed=number % 2 == 0,
        is_wordy=number % 6 in (1, 4),
        is_corrected=number % 9 == 5,
        entropy={"red": "marmalade", "blue": "tin soldier"} if number % 8 == 6 else {},
    )


def placed(number: int) -> Recipe:
    """Return the recipe of a game that begins before the last accusations, with markers that make something rare likely."""
    rows = {"red": ("Viktor", "Emil", "Lash"), "blue": ("Igor", "Fleming", "Magda"), "green": ()}
    markers = (
        {"red": ("WA", "G5a", "G4a"), "blue": ("WB",), "green": ("W2a", "B0a")},
        {"red": ("G5a", "W2a", "B0a", "B0b", "B0c", "B1a"), "blue": ("G3a", "W2b", "W2c"), "green": ("B1d", "B1c", "G4a")},
        {"red": ("G5a",), "blue": ("G3b", "W2b"), "green": ("W2a", "W2c", "W1c")},
    )[number % 3]
    clues = {"red": Face.HAT, "blue": Face.GLASSES, "green": Face.RAINCOAT}
    seats = tuple(SeatAt(seat=Seat(seat), clue=clue, row=rows[seat], markers=markers[seat]) for seat, clue in clues.items())
    position = Position(seats=seats, round=4, is_window=True)
    options = {"rounds": "4"} | ({"adler": "on"} if number % 3 == 0 else {})
    return Recipe(number, 3, options, haste=40, position=position)


def begun(recipe: Recipe, name: str, chance: LoggedChance) -> Desk:
    components, _ = shipped(RULES)
    wish = Wish(
        ruleset="checkpoint-charlie",
        id=name,
        players=tuple(Player(Seat(seat), f"Player {seat.title()}") for seat in SEATS[: recipe.players]),
        components=components,
        options=recipe.options,
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
    chance = LoggedChance(recipe.secret)
    desk = begun(recipe, f"recorded-{recipe.number:03d}", chance)
    luck = Random(f"recorded {recipe.number}")
    corrections = [(30, _undo), (22, _amend), (9, _hand)] if recipe.is_corrected and not recipe.is_recorded else []
    while len(desk.game.journal) <= MOST_ENTRIES:
        due = RULES.awaiting(desk.table, desk.game.state)
        if not due:
            return desk
        if corrections and len(desk.game.journal) >= corrections[-1][0]:
            desk = corrections.pop()[1](desk)
        else:
            desk = _step(desk, due[0].seat, recipe, luck, chance)
    return None


def _step(desk: Desk, seat: Seat, recipe: Recipe, luck: Random, chance: LoggedChance) -> Desk:
    order = _chosen(desk, seat, recipe, luck)
    if isinstance(order, Accuse) and recipe.is_timed and desk.game.state.stage == "window":
        order = replace(order, received=f"2026-11-{luck.randint(10, 28)}T{luck.randint(10, 23)}:{luck.randint(10, 59)}")
    if recipe.is_recorded:
        carry_out(RULES, desk.table, desk.game.state, seat, order, chance)
        outcome = adjudicate(RULES, desk.table, desk.game, [Sheet(seat, (Instruction(order, chance.take()),))])
        assert not outcome.findings, outcome.findings
        return desk.with_game(outcome.game)
    words = RULES.language.text(order)
    if recipe.is_wordy:
        words = _wordy(desk, order, words, luck)
    done = adjudicate_files(desk, [("orders.txt", f"{seat}: {words}\n".encode())])
    assert done.accepted, done.findings
    return done.desk


def _chosen(desk: Desk, seat: Seat, recipe: Recipe, luck: Random) -> Any:
    orders = list(RULES.legal(desk.table, desk.game.state, seat))
    swaps = [order for order in orders if isinstance(order, Swap)]
    if swaps:
        return luck.choice(swaps)
    if desk.game.state.stage == "window":
        if recipe.is_patient or luck.randrange(100) >= recipe.haste:
            return Wait()
        accusations = [order for order in orders if isinstance(order, Accuse)]
        if recipe.number % 5 == 4 and accusations:
            return luck.choice(accusations[:2])
    return choose_greedily(desk, seat, luck)


def _wordy(desk: Desk, order: Any, words: str, luck: Random) -> str:
    if isinstance(order, Wait):
        return luck.choice(["WAIT", "WAIT 2", "WAIT 3", "IF deck < 0 THEN ACCUSE Boris ELSE WAIT"])
    if isinstance(order, Accuse) and order.received is None:
        hidden = next(iter(desk.game.state.deck), None)
        return luck.choice(
            [words, f"IF {order.suspect} in shown THEN {words} ELSE WAIT"]
            + ([f"ACCUSE {hidden} OR {words}"] if hidden else [])
        )
    return words


def _undo(desk: Desk) -> Desk:
    entries = [link.entry for link in desk.game.journal]
    return undo(desk, entries[-1].n - 3, "an answer of the wrong window was read")


def _amend(desk: Desk) -> Desk:
    agent = desk.game.state.agents[0]
    pool = desk.game.state.pool
    held = next(marker for marker in pool if marker.startswith("W1"))
    left = [marker for marker in pool if marker != held]
    changes = [f"agents[{agent.seat}].markers={_json([*agent.markers, held])}", f"pool={_json(left)}"]
    return amend(desk, changes, "a white marker was forgotten at the table")


def _json(names: list[str]) -> str:
    return "[" + ",".join(f'"{name}"' for name in names) + "]"


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
        desk = played(recipe(number))
        if desk is not None:
            missing -= _keep(folder, desk)
            kept += 1
    placed_at = PLACED
    while missing:
        number, placed_at = number + 1, placed_at + 1
        for attempt in (recipe(number), placed(placed_at)):
            desk = played(attempt)
            if desk is not None and shown_by(desk.game) & missing:
                missing -= _keep(folder, desk)
        sys.stdout.write(f"{number}: missing {', '.join(sorted(missing))}\n")


def _keep(folder: Path, desk: Desk) -> set[str]:
    (folder / f"{desk.game.id}.json").write_bytes(dump_game(desk.game))
    found = shown_by(desk.game)
    sys.stdout.write(f"{desk.game.id}: {len(desk.game.journal)} entries, {len(found)} situations\n")
    sys.stdout.flush()
    return found


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
