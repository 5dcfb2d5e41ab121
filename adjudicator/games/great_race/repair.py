"""Repair with a mechanic or with a Mechanic card (GR-A2, GR-H6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from adjudicator.game import Chance, Part, Problem, count, replace
from adjudicator.games.great_race import card_events as dealt
from adjudicator.games.great_race import events as happened
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.meta import META
from adjudicator.games.great_race.race_order import RaceOrder, check_held, settle
from adjudicator.games.great_race.state import Crew, Here, Moves, Slot
from adjudicator.games.great_race.terms import engine_first, numbered, summed

_STOCK: Final = {"parts": CardId.SPARE_PARTS, "toolbox": CardId.TOOLBOX}
"""The cards that a repair uses up."""


class RepairOrder(RaceOrder):
    """A repair: the points for each gauge (``None``: the engine first), and where they come from."""

    verb: ClassVar[str]
    engine: int | None = None
    chassis: int | None = None
    parts: int = 0
    toolbox: int = 0
    buy: int = 0

    @classmethod
    def read(cls, children: list[Any]) -> Any:
        return cls(**summed(children))

    def text(self) -> str:
        used = [f"{what} {many}" for what, _, many in self._used()]
        bought = [f"buy {self.buy}"] if self.buy else []
        levels = numbered(engine=self.engine, chassis=self.chassis)
        return " ".join((self.verb, *levels, *(("using", *used) if used else ()), *bought))

    def _used(self) -> list[tuple[str, CardId, int]]:
        return [(what, card, getattr(self, what)) for what, card in _STOCK.items() if getattr(self, what)]

    def refusal(self, at: Here) -> Problem | None:
        """GR-A2, GR-H6: require cards and francs for at least one point, and room for the points."""
        config, crew = at.config, at.own
        for what, card, many in self._used():
            problem = check_held(at, card, many, f"stock={what}")
            if problem is not None:
                return problem
        problem = self._check_price(config, crew) or self._check_points(config, crew)
        return problem and (problem if problem.near else replace(problem, near=self._fitting(config, crew)))

    def _check_price(self, config: Config, crew: Crew) -> Problem | None:
        francs = self.buy * config.part_price(crew.space)
        if francs <= crew.cash:
            return None
        message = f"{count(self.buy, 'part')} would cost {francs} F here, and {crew.seat} has {crew.cash} F"
        return META.problem("too-dear", message, "GR-A2", "stock=buy")

    def _check_points(self, config: Config, crew: Crew) -> Problem | None:
        points, (engine, chassis) = self._points(config), self._spread(config, crew)
        if not points:
            message = "a repair needs at least one spare part, toolbox or bought part"
            return META.problem("nothing-to-repair-with", message, "GR-H6", "", ("PASS",))
        if engine + chassis != points:
            message = f"the parts give {count(points, 'point')}, but engine {engine} chassis {chassis} is {engine + chassis}"
            return META.problem("does-not-add-up", message, "GR-A2", "mend")
        gained = sum(self._gained(config, crew))
        if not gained:
            return META.problem("no-room", "engine and chassis have no room for that", "GR-H6", "mend")
        if self.buy and gained < points:
            message = f"there is room for {count(gained, 'point')} of {points}: you cannot buy parts that do not fit"
            return META.problem("no-room", message, "GR-S2", "stock=buy")
        return None

    def _points(self, config: Config) -> int:
        return self.buy + sum(many * config.amount(card) for _, card, many in self._used())

    def _spread(self, config: Config, crew: Crew) -> tuple[int, int]:
        """Return the points for engine and chassis: as the order says, or the engine first."""
        return engine_first(self, self._points(config), config.components.gauges.engine - crew.engine)

    def _gained(self, config: Config, crew: Crew) -> tuple[int, int]:
        """Return the points for engine and chassis that fit."""
        (engine, chassis), full = self._spread(config, crew), config.components.gauges
        return min(engine, full.engine - crew.engine), min(chassis, full.chassis - crew.chassis)

    def _fitting(self, config: Config, crew: Crew) -> tuple[str, ...]:
        """Return a repair like this one that ``crew`` can pay and has room for, the engine first; empty without one."""
        for bought in range(self.buy, -1, -1):
            near = type(self)(parts=self.parts, toolbox=self.toolbox, buy=bought)
            if near._check_price(config, crew) is None and near._check_points(config, crew) is None:
                engine, chassis = near._gained(config, crew)
                split = replace(near, engine=engine or None, chassis=chassis or None)
                return ((near if split._check_points(config, crew) else split).text(),)
        return ()

    @classmethod
    def offers(cls, at: Here) -> Iterator[Any]:
        """Yield repairs by the parts they use; an order may also say how to spread the points."""
        crew, full = at.own, at.config.components.gauges
        price = at.config.part_price(crew.space)
        room = full.engine + full.chassis - crew.parts
        most = room if not price else min(room, crew.cash // price)
        for parts in range(crew.hand.count(CardId.SPARE_PARTS) + 1):
            for toolbox in range(crew.hand.count(CardId.TOOLBOX) + 1):
                for bought in range(most + 1):
                    yield cls(parts=parts, toolbox=toolbox, buy=bought)

    def cost(self, at: Here) -> tuple[Part, ...]:
        francs = self.buy * at.config.part_price(at.own.space)
        return (Part(-francs, count(self.buy, "part"), "GR-A2"),) if francs else ()

    def effect(self, at: Here, chance: Chance) -> Moves:
        engine, chassis = self._gained(at.config, at.own)
        for _, card, many in self._used():
            for _ in range(many):
                at = yield dealt.CardPlayed(seat=at.seat, card=card, rule="GR-K2")
        yield from settle(at, at.seat, self.cost(at))
        yield happened.PartsRestored(seat=at.seat, engine=engine, chassis=chassis)


class Repair(RepairOrder):
    """Repair with a mechanic."""

    examples = ("REPAIR using parts 2 buy 1", "REPAIR engine 2 chassis 1 using parts 2 buy 1", "REPAIR using toolbox 1")

    verb = "REPAIR"
    slot = Slot.MECHANICS
    rule = "GR-A2"


class PlayMechanic(RepairOrder):
    """Repair with a Mechanic card."""

    examples = ("PLAY Mechanic using parts 1", "PLAY Mechanic engine 1 buy 1")

    verb = "PLAY Mechanic"
    plays = CardId.MECHANIC
