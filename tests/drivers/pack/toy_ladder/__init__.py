"""A toy game, as another package would bring it: seats climb a ladder, and some rungs break."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated, Literal

from annotated_types import Ge, Le, Len

from adjudicator.core.drawing import Drawing
from adjudicator.core.each_seat import of_seat, own_changed
from adjudicator.core.event import Part, Spent
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Name, Seat
from adjudicator.core.rules import Rules
from adjudicator.core.ruleset import Decision, Language, Standing
from toy_ladder.meta import META


class Wood(StrEnum):
    OAK = "oak"
    ASH = "ash"


@frozen
class Rung:
    height: Annotated[int, Ge(1)]
    wood: Wood = Wood.OAK


@frozen
class Components:
    id: Name
    version: Annotated[int, Ge(1)]
    rungs: Annotated[tuple[Rung, ...], Len(1, 9)]

    def __post_init__(self) -> None:
        heights = [rung.height for rung in self.rungs]
        if heights != sorted(heights):
            raise ValueError("the rungs must ascend")


@frozen
class Rope:
    length: Annotated[int, Ge(1), Le(50)]
    kind: Literal["rope"] = "rope"


@frozen
class Saw:
    teeth: tuple[Literal[0, 90], ...]
    kind: Literal["saw"] = "saw"


@frozen(kw_only=True)
class Climber:
    seat: Seat
    rung: Annotated[int, Ge(0), Le(999)] = 0
    seconds: Annotated[int, Ge(0)] = 0
    tool: Rope | Saw | None = None
    is_up: bool = False


@frozen(kw_only=True)
class State:
    climbers: Annotated[tuple[Climber, ...], Len(1, 3)]
    wood: Wood | None
    worn: Mapping[str, int] = field(default_factory=dict)


@frozen(kw_only=True)
class Position:
    climbers: Annotated[tuple[Climber, ...], Len(1, 3)]


@frozen(kw_only=True)
class Climbed:
    seat: Seat
    rungs: Annotated[int, Ge(1)]
    found: Rope | Saw | None = None
    kind: Literal["climbed"] = "climbed"

    def apply(self, config, state):
        old = of_seat(state.climbers, self.seat)
        return own_changed(state, self.seat, {"rung": old.rung + self.rungs, "tool": self.found})


@frozen(kw_only=True)
class Rested:
    seat: Seat
    wood: Wood | None = None
    kind: Literal["rested"] = "rested"

    def apply(self, config, state):
        worn = {**state.worn, self.wood.value: state.worn.get(self.wood.value, 0) + 1}
        return replace(state, wood=self.wood, worn=worn)


@frozen
class Climb:
    rungs: int


class ToyLadder(Rules):
    meta, components, position, state = META, Components, Position, State
    events = (Climbed, Rested, Spent)
    orders = ()
    tells_rules = False

    def begin(self, config):
        return State(climbers=tuple(Climber(seat=seat) for seat in config.seats), wood=None)

    def place(self, config, position):
        return position if isinstance(position, State) else State(climbers=position.climbers, wood=None)

    def due(self, config, state):
        return config.seats

    def decision(self, config, state, seat):
        return Decision(seat, "climb", "how far?", "TL-1")

    def is_over(self, config, state):
        return False

    def validate(self, config, order):
        return None

    def check(self, config, state, seat, order):
        return None

    def candidates(self, config, state, seat):
        return ()

    def decide(self, config, state, seat, order, chance):
        climber = next(climber for climber in state.climbers if climber.seat == seat)
        found = Rope(7) if order.rungs % 2 else Saw((0, 90))
        yield Climbed(seat=seat, rungs=order.rungs, found=found)
        cost = Part(order.rungs, f"{order.rungs} rungs", "TL-1"), Part(1, "wind", "TL-2")
        yield Spent(seat=seat, before=climber.seconds, after=climber.seconds + order.rungs + 1, why=cost)
        yield Rested(seat=seat, wood=Wood(chance.pick("the wood", ("oak", "ash"))))

    def standings(self, config, state):
        return tuple(Standing(1, climber.seat, climber.seconds, "climbs") for climber in state.climbers)

    def draw(self, config, view):
        return Drawing(())


RULESET = ToyLadder().changed(
    language=Language("none.lark", {}, {Climb: lambda order: f"CLIMB {order.rungs}"}, {}, ("CLIMB 2",))
)
