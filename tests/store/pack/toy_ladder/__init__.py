"""A toy game, as another package would bring it: seats climb a ladder, and some rungs break."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated, Any, Literal

from annotated_types import Ge, Le, Len

from adjudicator.core.drawing import Drawing
from adjudicator.core.event import Part, Spent
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Name, Seat
from adjudicator.core.ruleset import Decision, Language, Ruleset, Standing, Types
from adjudicator.core.view import View
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


@frozen(kw_only=True)
class Rested:
    seat: Seat
    wood: Wood | None = None
    kind: Literal["rested"] = "rested"


@frozen
class Climb:
    rungs: int


def initial(setup):
    if setup.position is not None:
        return State(climbers=setup.position.climbers, wood=None)
    return State(climbers=tuple(Climber(seat=player.seat) for player in setup.players), wood=None)


def awaiting(_setup, state):
    return tuple(Decision(climber.seat, "climb", "how far?", "TL-1") for climber in state.climbers)


def decide(_setup, state, seat, order, chance):
    climber = next(climber for climber in state.climbers if climber.seat == seat)
    found = Rope(7) if order.rungs % 2 else Saw((0, 90))
    yield Climbed(seat=seat, rungs=order.rungs, found=found)
    cost = Part(order.rungs, f"{order.rungs} rungs", "TL-1"), Part(1, "wind", "TL-2")
    yield Spent(seat=seat, before=climber.seconds, after=climber.seconds + order.rungs + 1, why=cost)
    yield Rested(seat=seat, wood=Wood(chance.pick("the wood", ("oak", "ash"))))


def evolve(_setup, state, event):
    match event:
        case Climbed():
            change = lambda old: {"rung": old.rung + event.rungs, "tool": event.found}  # noqa: E731
        case Spent():
            change = lambda _old: {"seconds": event.after}  # noqa: E731
        case Rested():
            worn = {**state.worn, event.wood.value: state.worn.get(event.wood.value, 0) + 1}
            return replace(state, wood=event.wood, worn=worn)
    climbers = (replace(old, **change(old)) if old.seat == event.seat else old for old in state.climbers)
    return replace(state, climbers=tuple(climbers))


def nothing(*_: Any):
    yield from ()


RULESET = Ruleset(
    meta=META,
    language=Language("none.lark", {}, {Climb: lambda order: f"CLIMB {order.rungs}"}, {}, ("CLIMB 2",)),
    types=Types(Components, Position, State, (Climbed, Rested, Spent)),
    configure=lambda setup, _version: setup,
    initial=initial,
    awaiting=awaiting,
    validate=lambda *_: None,
    check=lambda *_: None,
    decide=decide,
    proceed=nothing,
    evolve=evolve,
    legal=nothing,
    cost=lambda *_: (),
    public_text=lambda *_: None,
    view=lambda _setup, state, viewer: View(viewer, state, ()),
    redact=lambda _setup, event, _viewer: event,
    facts=lambda *_: {},
    fact_names={},
    standings=lambda _setup, state: tuple(
        Standing(1, climber.seat, climber.seconds, "climbs") for climber in state.climbers
    ),
    is_over=lambda *_: False,
    eliminated=lambda *_: None,
    tell=lambda _setup, event: str(event),
    draw=lambda *_: Drawing(()),
)
