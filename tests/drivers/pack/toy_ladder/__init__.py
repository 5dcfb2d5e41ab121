"""A toy game, as another package would bring it: seats climb a ladder, and some rungs break."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from adjudicator.core.at import State as BaseState
from adjudicator.core.event import Part, Spent
from adjudicator.core.rules import Ask, Phase, Rules, changed
from adjudicator.core.ruleset import Language, Standing
from adjudicator.core.values import Count, Meta, Name, Positive, Seat, Tagged, Value, Whole, field, replace
from adjudicator.scenes.drawing import Drawing
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


class State(BaseState[Climber], Value, kw_only=True):
    own_in, account = "climbers", "seconds"

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
        return state.with_own(self.seat, rung=state.of(self.seat).rung + self.rungs, tool=self.found)


class Rested(Tagged, kw_only=True):
    seat: Seat
    wood: Wood | None = None

    def apply(self, config, state):
        worn = {**state.worn, self.wood.value: state.worn.get(self.wood.value, 0) + 1}
        return replace(state, wood=self.wood, worn=worn)


class Climb(Value):
    rungs: Whole


ASK = Ask("climb", "TL-1", "how far?", (Climb,), META.problem("climb-first", "climb", "TL-1"))


class ToyLadder(Rules):
    meta, components, position, state = META, Components, Position, State
    events = (Climbed, Rested, Spent)
    orders = ()
    phases = (Phase("TL-1", lambda at: True, lambda at: ASK.to(*at.config.seats)),)
    tells_rules = False

    def place(self, position):
        return position if isinstance(position, State) else State(climbers=position.climbers, wood=None)

    def begin(self):
        return State(climbers=tuple(Climber(seat=seat) for seat in self.config.seats), wood=None)

    def is_over(self, state):
        return False

    def wrong(self, order):
        return None

    def refusal(self, at, order):
        return None

    def candidates(self, at):
        return ()

    def cost(self, at, order):
        return ()

    def decide(self, at, order, chance):
        found = Rope(7) if order.rungs % 2 else Saw((0, 90))
        before = at.own.seconds
        yield Climbed(seat=at.seat, rungs=order.rungs, found=found)
        cost = Part(order.rungs, f"{order.rungs} rungs", "TL-1"), Part(1, "wind", "TL-2")
        yield Spent(seat=at.seat, before=before, after=before + order.rungs + 1, why=cost)
        yield Rested(seat=at.seat, wood=Wood(chance.pick("the wood", ("oak", "ash"))))

    def standings(self, state):
        return tuple(Standing(1, climber.seat, climber.seconds, "climbs") for climber in state.climbers)

    def draw(self, view):
        return Drawing(())


RULES = changed(
    ToyLadder, language=Language("none.lark", {}, {Climb: lambda order: f"CLIMB {order.rungs}"}, {}, ("CLIMB 2",))
)
