"""What the makers of the recorded games share: how a game is begun, played by mail or by hand, corrected and kept.

Each game's ``make.py`` has the recipes, the players and what is looked for.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from journals import Test, shown_by

from adjudicator.begin import GameChoices, begin_game
from adjudicator.core.chance import CommittedChance
from adjudicator.core.engine import adjudicate
from adjudicator.core.ids import Seat
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.ruleset import Player
from adjudicator.core.step import carry_out, go_on
from adjudicator.corrections.correct import hand_over, undo
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.rulesets import ruleset
from adjudicator.session import Session
from adjudicator.store.components import shipped
from adjudicator.store.save import dump_game

Correction = Callable[[Session], Session]


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


@dataclass(kw_only=True)
class Recipe:
    """How one game is set up; each game adds how it is played.

    It is begun by ``version`` of the rules with the ``component_set``: the present ones unless said otherwise.
    """

    game: ClassVar[str]
    number: int
    seats: Sequence[str]
    version: int = 0
    component_set: str = ""
    options: dict[str, str] = field(default_factory=dict)
    position: Any = None
    is_recorded: bool = False
    is_wordy: bool = False
    is_corrected: bool = False
    entropy: dict[str, str] = field(default_factory=dict)

    @property
    def secret(self) -> bytes:
        return hashlib.sha256(f"recorded games of {self.game} {self.number}".encode()).digest()


def words_of_players(number: int) -> dict[str, str]:
    """Return what the players of attempt ``number`` add to the chance, which is nothing in most."""
    return {"red": "marmalade", "blue": "tin soldier"} if number % 8 == 6 else {}


def begun(recipe: Recipe, chance: LoggedChance, own: Any = None) -> Session:
    """Begin the game of ``recipe``, with a component set of its ``own`` that no ruleset ships if there is one."""
    rules = ruleset(recipe.game)
    components = shipped(rules, recipe.component_set)[0] if own is None else own
    choices = GameChoices(
        ruleset=recipe.game,
        id=f"recorded-{recipe.number:03d}",
        players=tuple(Player(Seat(seat), f"Player {seat.title()}") for seat in recipe.seats),
        components=components,
        options=recipe.options,
        position=recipe.position,
        secret=recipe.secret.hex(),
        entropy={} if recipe.is_recorded else recipe.entropy,
        version=recipe.version,
    )
    session = begin_game(choices)
    if not recipe.is_recorded:
        return session
    go_on(rules, session.config, rules.initial(session.config), chance)
    return begin_game(replace(choices, secret=None, recorded=chance.take()))


def course(
    session: Session, step: Callable[[Session, Seat], Session], most: int, corrections: Sequence[tuple[int, Correction]] = ()
) -> list[Session] | None:
    """Return the session after each step until the game is over, or ``None`` if it has ``most`` entries and more before.

    Each of the ``corrections`` is made as soon as the journal is so long, one after the other.
    """
    past, due_corrections = [session], list(corrections)
    while len(past[-1].game.journal) <= most:
        session = past[-1]
        due = session.rules.awaiting(session.config, session.game.state)
        if not due:
            return past
        if due_corrections and len(session.game.journal) >= due_corrections[0][0]:
            _, correct = due_corrections.pop(0)
            past.append(correct(session))
        else:
            past.append(step(session, due[0].seat))
    return None


def by_hand(session: Session, seat: Seat, order: Any, chance: LoggedChance) -> Session:
    """Carry ``order`` out at a table, with what ``chance`` gave written beside it."""
    carry_out(session.rules, session.config, session.game.state, seat, order, chance)
    outcome = adjudicate(session.rules, session.config, session.game, [Sheet(seat, (Instruction(order, chance.take()),))])
    assert not outcome.diagnostics, outcome.diagnostics
    return session.with_game(outcome.game)


def by_mail(session: Session, seat: Seat, words: str) -> Session:
    """Carry out what ``seat`` wrote."""
    done = adjudicate_files(session, [("orders.txt", f"{seat}: {words}\n".encode())])
    assert done.accepted, done.diagnostics
    return done.session


def undoing(entries: int, why: str) -> Correction:
    """Take back what came after the last of the ``entries`` before the last."""
    return lambda session: undo(session, session.game.journal[-1].entry.n - entries, why)


def handing_over(session: Session) -> Session:
    return hand_over(session, session.seats[0], "Substitute", "moved house")


class Collection:
    """The games kept in a folder, and the situations that none of them shows yet."""

    def __init__(self, folder: Path, situations: Mapping[str, Test], names: str = "*") -> None:
        """Begin anew the games in ``folder`` whose names are like ``names``."""
        self.folder = folder
        self.situations = situations
        self.missing = set(situations)
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{names}.json"):
            old.unlink()

    def fill(self, attempts: Iterator[Session | None], count: int) -> None:
        """Keep the first ``count`` games that are short enough."""
        for _ in range(count):
            self._keep(next(session for session in attempts if session is not None))

    def complete(self, attempts: Iterator[Session | None], wanted: Iterable[str] = ()) -> None:
        """Keep games that show what is missing, or of that only what is ``wanted``, until nothing is."""
        among = set(wanted) or set(self.situations)
        while self.missing & among:
            session = next(attempts)
            if session is not None and shown_by(session.game, self.situations) & self.missing & among:
                self._keep(session)

    def _keep(self, session: Session) -> None:
        (self.folder / f"{session.game.id}.json").write_bytes(dump_game(session.game))
        found = shown_by(session.game, self.situations)
        self.missing -= found
        told = f"{len(session.game.journal)} entries, {len(found)} situations, {len(self.missing)} missing"
        sys.stdout.write(f"{session.game.id}: {told}\n")
        sys.stdout.flush()


def run(make: Callable[[Path], None], script: str) -> None:
    """Make the games in the folder that the command line names, or beside ``script``."""
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(script).parent)
