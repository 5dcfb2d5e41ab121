"""A toy game, as another package would bring it: seats climb a ladder, and some rungs break."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from adjudicator.core.drawing import Drawing
from adjudicator.core.each_seat import of_seat, own_changed
from adjudicator.core.event import Part, Spent
from adjudicator.core.rules import Rules
from adjudicator.core.ruleset import Decision, Language, Standing
from adjudicator.core.values import Count, Meta, Name, Positive, Seat, Tagged, Value, Whole, field, replace
from toy_ladder.meta import META


class Wood(StrEnum):
    OAK = "oak"
    ASH = "ash"


class Rung(Value):
    height: Positive
    wood: Wood = Wood.OAK


class Components(Value):
    id: Name
    version: Positive
    rungs: Annotated[tuple[Rung, ...], Meta(min_length=1, max_length=9)]

    def __post_init__(self) -> None:
        heights = [rung.height for rung in self.rungs]
        if heights != sorted(heights):
            raise ValueError("the rungs must ascend")


class Rope(Tagged):
    length: Annotated[int, Meta(ge=1, le=50)]


class Saw(Tagged):
    teeth: tuple[Literal[0, 90], ...]


class Climber(Value, kw_only=True):
    seat: Seat
    rung: Annotated[int, Meta(ge=0, le=999)] = 0
    seconds: Count = 0
    tool: Rope | Saw | None = None
    is_up: bool = False


class State(Value, kw_only=True):
    climbers: Annotated[tuple[Climber, ...], Meta(min_length=1, max_length=3)]
    wood: Wood | None
    worn: Mapping[str, Whole] = field(default_factory=dict)


class Position(Value, kw_only=True):
    climbers: Annotated[tuple[Climber, ...], Meta(min_length=1, max_length=3)]


class Climbed(Tagged, kw_only=True):
    seat: Seat
    rungs: Positive
    found: Rope | Saw | None = None

    def apply(self, config, state):
        old = of_seat(state.climbers, self.seat)
        return own_changed(state, self.seat, {"rung": old.rung + self.rungs, "tool": self.found})


class Rested(Tagged, kw_only=True):
    seat: Seat
    wood: Wood | None = None

    def apply(self, config, state):
        worn = {**state.worn, self.wood.value: state.worn.get(self.wood.value, 0) + 1}
        return replace(state, wood=self.wood, worn=worn)


class Climb(Value):
    rungs: Whole


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
