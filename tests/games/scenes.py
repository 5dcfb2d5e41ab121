"""A game that the tests of any ruleset play on: orders go in, events, refusals and facts come out.

Each game's ``conftest.py`` adds what only that game has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Any, ClassVar, Self, TypeVar

import pytest

from adjudicator.core.chance import ChanceRecord, commitment
from adjudicator.core.engine import Outcome, adjudicate, begin
from adjudicator.core.event import Spent
from adjudicator.core.game import ComponentsRef, Game, RulesetRef
from adjudicator.core.journal import Journal
from adjudicator.core.options import fill_options
from adjudicator.core.order import Instruction, Sheet
from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.ruleset import Player, Setup
from adjudicator.files import typed
from adjudicator.orders.locate import locate

T = TypeVar("T")


def shipped(components: type[T]) -> T:
    """Return the component set that is shipped, of the class of ``components`` that its game has."""
    package, _, _ = components.__module__.rpartition(".")
    return typed.read(components, (files(package) / "data" / "house.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def mistakes(table: str) -> list[Any]:
    """Return the rows of ``table`` as (where, seat, order, code, rule, words at fault, suggestions).

    Under the name of each position is a mistake on each line: the seat and its order, code and rule, the words at fault
    (none: the whole order), and the suggestions.
    """
    found, position = [], ""
    for line in table.strip().splitlines():
        if not line.startswith(" "):
            position = line
            continue
        given, why, fault, instead = [column.strip() for column in (line + "|||").split("|")[:4]]
        seat, order = given.split(" ", 1)
        code, rule = why.split()
        found.append(pytest.param(position, seat, order, code, rule, fault or order, instead, id=f"{position}: {order}"))
    return found


def at_fault(rules: Any, order: str, problem: Problem) -> str:
    """Return the words of ``order`` that a report underlines for ``problem``."""
    found = locate(rules, Diagnostic(problem, text=order))
    return order[found.column - 1 : found.column - 1 + found.width]


def dotted(options: Mapping[str, str]) -> dict[str, str]:
    """Return options written as keywords by their names: ``corner_red`` is ``corner.red``."""
    return {name.replace("_", "."): value for name, value in options.items()}


def _from_seed(seed: int) -> ChanceRecord:
    secret = sha256(str(seed).encode()).digest()
    return ChanceRecord(source="committed", commitment=commitment(secret), secret=secret.hex())


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

    @property
    def parts(self) -> list[Any]:
        """The parts of what was spent, each with its amount, for what, and the rule."""
        return [part for spent in self.of(Spent) for part in spent.why]


@dataclass
class Scene:
    """A game that moves on with every order; what chance gives is told beside the order."""

    rules: ClassVar[Any]
    config: Any
    game: Game

    @classmethod
    def begin(
        cls,
        seats: Sequence[str],
        parts: Any,
        options: Mapping[str, str],
        *,
        position: Any = None,
        outcomes: Sequence[str] = (),
        seed: int | None = None,
        version: int = 0,
    ) -> Self:
        """Set a game up: from ``seed``, or by the recorded ``outcomes`` of what happens before the first order.

        It is begun by ``version`` of the rules (0: the present one).
        """
        version = version or cls.rules.meta.version
        filled = fill_options(cls.rules.meta, seats, options, version)
        setup = Setup(tuple(Player(seat) for seat in seats), filled, parts, position)
        game = Game(
            id="test",
            ruleset=RulesetRef(cls.rules.meta.id, version),
            components=ComponentsRef(parts.id, parts.version, "0" * 64),
            chance=ChanceRecord(source="recorded") if seed is None else _from_seed(seed),
            setup=setup,
            journal=Journal(),
            pending=(),
            state=None,
        )
        config = cls.rules.configure(setup, version)
        return cls(config, begin(cls.rules, config, game, outcomes))

    @property
    def state(self) -> Any:
        return self.game.state

    def due(self) -> list[tuple[str, str]]:
        """Return who is asked for what."""
        return [(decision.seat, decision.kind) for decision in self.rules.awaiting(self.config, self.state)]

    def send(self, seat: str, *orders: Any, draws: Sequence[str] = ()) -> Outcome:
        """Adjudicate a sheet of ``orders``; ``draws`` stands beside the first. The game goes on from there."""
        lines = [Instruction(order, tuple(draws) if n == 0 else ()) for n, order in enumerate(orders)]
        return self.adjudicate(Sheet(seat, tuple(lines)))

    def adjudicate(self, *sheets: Sheet) -> Outcome:
        """Adjudicate ``sheets`` at once. The game goes on from there."""
        outcome = adjudicate(self.rules, self.config, self.game, list(sheets))
        self.game = outcome.game
        return outcome

    def do(self, seat: str, order: Any, *draws: object) -> Told:
        """Carry out one order, for which exactly ``draws`` come by chance, in one string or several; return its events."""
        outcome = self.send(seat, order, draws=" ".join(map(str, draws)).split())
        assert not outcome.diagnostics, (seat, order, [diagnostic.problem for diagnostic in outcome.diagnostics])
        (accepted,) = outcome.accepted
        return Told(accepted.entry.events)

    def refuse(self, seat: str, order: Any) -> Problem:
        """Return why ``order`` is refused; it must be, and must leave no trace."""
        before = self.game
        outcome = self.send(seat, order)
        assert not outcome.accepted
        assert self.game == before
        (diagnostic,) = outcome.diagnostics
        return diagnostic.problem

    def wrong(self, seat: str, order: Any) -> tuple[str, str]:
        """Return the code and the rule by which ``check`` refuses ``order`` now, also where the engine would let it wait."""
        problem = self.rules.refusal(self.config, self.state, seat, order)
        assert problem is not None
        return self.code_and_rule(problem)

    def code_and_rule(self, problem: Problem) -> tuple[str, str]:
        """Return the code of ``problem`` without the game's name, which must be this one's, and the rule."""
        game, _, code = problem.code.partition("/")
        assert game == self.rules.meta.id
        return code, problem.rule

    def allows(self, seat: str, order: Any) -> bool:
        return self.rules.refusal(self.config, self.state, seat, order) is None

    def legal(self, seat: str, kind: type = object) -> list[Any]:
        return [order for order in self.rules.legal(self.config, self.state, seat) if isinstance(order, kind)]

    def cost(self, seat: str, order: Any) -> int | None:
        why = self.rules.cost_if_legal(self.config, self.state, seat, order)
        return None if why is None else sum(part.amount for part in why)

    def view(self, viewer: str | None) -> Any:
        return self.rules.view(self.config, self.state, viewer)

    def fact(self, viewer: str | None, name: str, argument: str = "") -> Any:
        value = self.rules.fact_values(self.config, self.view(viewer))[name]
        return value(argument) if callable(value) else value

    def is_over(self) -> bool:
        return self.rules.is_over(self.config, self.state)

    def wander(
        self,
        steps: int,
        seed: int,
        played: list[tuple[str, Any]] | None = None,
        until: Callable[[Any], bool] = lambda _scene: True,
    ) -> Self:
        """Play legal orders, chosen by ``seed``: at least ``steps``, then on ``until`` something holds or all is over.

        They are added to ``played`` as (seat, order).
        """
        rng = Random(seed)
        while (due := self.due()) and (steps > 0 or not until(self)):
            steps -= 1
            seat = self.next_seat(due, rng)
            order = self.pick(seat, rng)
            self.do(seat, order)
            if played is not None:
                played.append((seat, order))
        return self

    def next_seat(self, due: Sequence[tuple[str, str]], _rng: Random) -> str:
        """Return whose order comes next when the game wanders: that of who is asked first."""
        return due[0][0]

    def pick(self, seat: str, rng: Random) -> Any:
        """Return a legal order of ``seat`` when the game wanders."""
        return rng.choice(self.legal(seat))
