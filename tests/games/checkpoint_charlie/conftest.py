"""Tables to play on: positions made by hand, whole games from a seed.

Test modules are imported by path, so everything they share comes as a fixture: ``scene`` makes a position whose random
outcomes are told beside each order, ``deal`` a set-up, ``start`` a game from a seed, ``who`` finds a suspect by its looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Any

import pytest
from pydantic import TypeAdapter

from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.engine import Outcome, adjudicate, begin
from adjudicator.core.game import ComponentsRef, Game, RulesetRef
from adjudicator.core.options import fill_options
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import Player, Setup
from adjudicator.games.checkpoint_charlie.components import Components, Face
from adjudicator.games.checkpoint_charlie.orders import Accuse
from adjudicator.games.checkpoint_charlie.position import Position, SeatAt
from adjudicator.games.checkpoint_charlie.ruleset import RULESET
from adjudicator.games.checkpoint_charlie.state import Agent, State

SEATS = ("red", "blue", "green", "yellow", "white")
HOUSE: Components = TypeAdapter(Components).validate_json(
    (files("adjudicator.games.checkpoint_charlie") / "data" / "house.json").read_text(encoding="utf-8")
)
LOOKS = {suspect.id: suspect.looks for suspect in HOUSE.suspects}


def _who(words: str) -> str:
    """Return the suspect with the five looks in ``words``; a word that is missing is the trait's second face."""
    faces = words.split()
    wanted = tuple(
        front if front in faces else back
        for front, back in zip(
            ("hat", "glasses", "raincoat", "grey", "newspaper"),
            ("no_hat", "no_glasses", "sweater", "orange", "no_newspaper"),
            strict=True,
        )
    )
    return next(name for name, looks in LOOKS.items() if tuple(looks) == wanted)


def _game(table: Any, setup: Setup, chance: ChanceRecord, recorded: Sequence[str] = ()) -> Game:
    components = ComponentsRef(setup.components.id, setup.components.version, "0" * 64)
    game = Game(
        id="test",
        ruleset=RulesetRef(RULESET.meta.id, RULESET.meta.version),
        components=components,
        chance=chance,
        setup=setup,
        journal=(),
        pending=(),
        state=None,
    )
    return begin(RULESET, table, game, recorded)


def _setup(seats: Sequence[str], parts: Components, options: Mapping[str, str], position: Any = None) -> Setup:
    filled = fill_options(RULESET.meta, seats, options)
    return Setup(tuple(Player(seat) for seat in seats), filled, parts, position)


def _named(options: Mapping[str, str]) -> dict[str, str]:
    """Return options written as keywords by their names: ``investigator_red`` is ``investigator.red``."""
    return {name.replace("_", "."): value for name, value in options.items()}


class Told(tuple[Any, ...]):
    """The events of one order."""

    def of(self, kind: type) -> list[Any]:
        """Return the events of ``kind``, in order."""
        return [event for event in self if isinstance(event, kind)]

    def one(self, kind: type) -> Any:
        """Return the only event of ``kind``."""
        (event,) = self.of(kind)
        return event

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self]


@dataclass
class Scene:
    """A game that moves on with every order; what chance gives is told beside the order."""

    table: Any
    game: Game

    @property
    def state(self) -> State:
        return self.game.state

    def agent(self, seat: str) -> Agent:
        return self.state.agent(seat)

    def due(self) -> list[tuple[str, str]]:
        """Return who is asked for what."""
        return [(decision.seat, decision.kind) for decision in RULESET.awaiting(self.table, self.state)]

    def asked(self) -> list[str]:
        return [seat for seat, _ in self.due()]

    def send(self, seat: str, *orders: Any, draws: str = "") -> Outcome:
        """Adjudicate a sheet of ``orders``; ``draws`` stands beside the first. The game goes on from there."""
        lines = [Instruction(order, tuple(draws.split()) if n == 0 else ()) for n, order in enumerate(orders)]
        outcome = adjudicate(RULESET, self.table, self.game, [Sheet(seat, tuple(lines))])
        self.game = outcome.game
        return outcome

    def sheets(self, sheets: Mapping[str, Sequence[Any]]) -> Outcome:
        """Adjudicate several sheets at once."""
        made = [Sheet(seat, tuple(Instruction(order) for order in orders)) for seat, orders in sheets.items()]
        outcome = adjudicate(RULESET, self.table, self.game, made)
        self.game = outcome.game
        return outcome

    def do(self, seat: str, order: Any, draws: str = "") -> Told:
        """Carry out one order, for which exactly ``draws`` come by chance; return its events."""
        outcome = self.send(seat, order, draws=draws)
        assert not outcome.findings, [finding.problem for finding in outcome.findings]
        (accepted,) = outcome.accepted
        return Told(accepted.entry.events)

    def refuse(self, seat: str, order: Any) -> Problem:
        """Return why ``order`` is refused; it must be, and must leave no trace."""
        before = self.game
        outcome = self.send(seat, order)
        assert not outcome.accepted
        assert self.game == before
        (finding,) = outcome.findings
        return finding.problem

    def wrong(self, seat: str, order: Any) -> tuple[str, str]:
        """Return the code (without the game's name) and the rule by which ``check`` refuses ``order`` now."""
        problem = RULESET.check(self.table, self.state, seat, order)
        assert problem is not None
        game, _, code = problem.code.partition("/")
        assert game == "checkpoint-charlie"
        return code, problem.rule

    def allows(self, seat: str, order: Any) -> bool:
        return RULESET.check(self.table, self.state, seat, order) is None

    def legal(self, seat: str) -> list[Any]:
        return list(RULESET.legal(self.table, self.state, seat))

    def accusable(self, seat: str) -> set[str]:
        return {order.suspect for order in self.legal(seat) if isinstance(order, Accuse)}

    def view(self, viewer: str | None) -> Any:
        return RULESET.view(self.table, self.state, viewer)

    def fact(self, viewer: str | None, name: str, argument: str = "") -> Any:
        value = RULESET.facts(self.table, self.view(viewer))[name]
        return value(argument) if callable(value) else value

    def witnessed(self, viewer: str | None) -> list[Any]:
        """Return all events so far as ``viewer`` sees them."""
        return [RULESET.witness(self.table, event, viewer) for link in self.game.journal for event in link.entry.events]

    def is_over(self) -> bool:
        return RULESET.is_over(self.table, self.state)


@pytest.fixture(scope="session")
def house() -> Components:
    """Return the component set that is shipped."""
    return HOUSE


@pytest.fixture(scope="session")
def who() -> Callable[[str], str]:
    """Find a suspect by its looks, see ``_who``."""
    return _who


@pytest.fixture(scope="session")
def position() -> Callable[..., Position]:
    """Make a position: seats with the fields of ``SeatAt``, and ``turned``: cards for row and pile by the clue."""

    def make(fields: Mapping[str, Any], seats: Mapping[str, Mapping[str, Any]]) -> Position:
        at = []
        for seat, given in seats.items():
            values = dict(given)
            turned = values.pop("turned", "").split()
            clue = values.get("clue")
            if turned:
                values["row"] = tuple(name for name in turned if Face(clue) in LOOKS[name])
                values["pile"] = tuple(name for name in turned if Face(clue) not in LOOKS[name])
            values["markers"] = tuple(values.get("markers", "").split())
            at.append(SeatAt(seat=seat, **{**values, "clue": Face(clue) if clue else None}))
        return Position(seats=tuple(at), **fields)

    return make


@pytest.fixture
def scene(position: Any) -> Callable[..., Scene]:
    """Make a position, see ``position``; ``outcomes`` is what chance gives before the first order, a window is open."""

    def make(
        *, options: Mapping[str, str] | None = None, outcomes: str = "", parts: Components = HOUSE, **given: Any
    ) -> Scene:
        seats = {seat: given.pop(seat) for seat in SEATS if seat in given}
        placed = position({"is_window": not outcomes, **given}, seats)
        setup = _setup(tuple(seats), parts, options or {}, placed)
        table = RULESET.lay(setup)
        return Scene(table, _game(table, setup, ChanceRecord(source="recorded"), outcomes.split()))

    return make


@pytest.fixture(scope="session")
def deal() -> Callable[..., Scene]:
    """Set a game up by the recorded ``outcomes``."""

    def make(seats: int, outcomes: str, parts: Components = HOUSE, **options: str) -> Scene:
        setup = _setup(SEATS[:seats], parts, _named(options))
        table = RULESET.lay(setup)
        return Scene(table, _game(table, setup, ChanceRecord(source="recorded"), outcomes.split()))

    return make


@pytest.fixture(scope="session")
def start() -> Callable[..., Scene]:
    """Set a game up from a seed."""

    def make(seats: int, seed: int, **options: str) -> Scene:
        secret = sha256(str(seed).encode()).digest()
        setup = _setup(SEATS[:seats], HOUSE, _named(options))
        table = RULESET.lay(setup)
        chance = ChanceRecord(source="committed", commitment=commitment(secret), secret=secret.hex())
        return Scene(table, _game(table, setup, chance))

    return make


def _pick(scene: Scene, seat: str, rng: Random) -> Any:
    """Return a legal order: mostly a wait in a window, so that rounds have some length."""
    orders = scene.legal(seat)
    if scene.due()[0][1] == "window" and rng.random() < 0.9:
        return orders[0]
    return rng.choice(orders)


@pytest.fixture(scope="session")
def wander() -> Callable[..., Scene]:
    """Play at most ``steps`` random legal orders, chosen by ``seed``."""

    def go_on(scene: Scene, steps: int, seed: int) -> Scene:
        rng = Random(seed)
        while steps > 0 and (due := scene.due()):
            steps -= 1
            seat = rng.choice(due)[0]
            scene.do(seat, _pick(scene, seat, rng))
        return scene

    return go_on
