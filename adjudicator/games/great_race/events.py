"""The events of a race outside of drives and cards: planning, purchases, assistants, rounds, the end."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import (
    OWNER,
    PUBLIC,
    Event,
    Ge,
    Le,
    Name,
    Public,
    Said,
    Seat,
    Secret,
    change,
    count,
    event,
    ordinal,
)
from adjudicator.games.great_race.components import SpaceId
from adjudicator.games.great_race.config import Amount, Config
from adjudicator.games.great_race.state import (
    Assistants,
    Crew,
    Reaction,
    Slot,
    Stage,
    State,
    reaction_text,
)

_SLOTS: Final = {Slot.SCOUTS: "a scout", Slot.MECHANICS: "a mechanic", Slot.ESCORT: "an escort", Slot.FUNDING: "its funding"}
_OneOf = Annotated[Slot, PUBLIC, Said(lambda _config, slot: _SLOTS[slot])]
_Order = Annotated[tuple[Seat, ...], PUBLIC, Said(lambda _config, order: ", ".join(order))]


@event("GR-S1", "the race goes from {start} to {finish}; the turn order is {order}")
class RaceBegun(Event):
    """The race began, with all vehicles in a purple city."""

    start: Public[SpaceId]
    finish: Public[SpaceId]
    order: Public[tuple[Seat, ...]]


@event("GR-L1", becomes={"stage": Stage.PLANNING, "takers": ()})
class PlanningBegun(Event):
    """All seats have their cards: they plan their assistants."""


@event("GR-L1", "{seat} plans {plan} (sealed)", "{seat} has planned", sets_own={"plan": "plan"})
class PlanMade(Event):
    """A seat made a sealed plan; others see ``None``."""

    seat: Public[Seat]
    plan: Secret[Assistants | None]


@event("GR-L1", "{seat} has planned {plan}")
class PlanOpened(Event):
    """All have planned: the program opened a seat's plan."""

    seat: Public[Seat]
    plan: Public[Assistants]

    def apply(self, config: Config, state: State) -> State:
        return state.with_crew(self.seat, plan=None, active=self.plan)


@event(
    "GR-V1", "{seat} is next", sets={"turn": "seat"}, becomes={"stage": Stage.CONVOY, "may_buy": True, "has_acted": False}
)
class SequenceBegun(Event):
    """A seat's sequence began."""

    seat: Public[Seat]


@event("GR-K4", seen_by=OWNER)
class ReactionChosen(Event):
    """A seat changed its standing answer to danger cards or to tiles; only that seat sees this."""

    seat: Public[Seat]
    to: Public[Name]
    reaction: Secret[Reaction | None]

    def apply(self, config: Config, state: State) -> State:
        return state.with_crew(self.seat, **{f"to_{self.to}": self.reaction})

    def tell(self, config: Config) -> str:
        what = "danger cards" if self.to == "cards" else "the danger of tiles drawn"
        return f"from now on {self.seat} answers {what} {reaction_text(self.reaction)}"


@event(says="{seat} gains {levels:level} of fuel and has {fuel}", sets_own={"fuel": "fuel"})
class FuelGained(Event):
    """A seat bought fuel, or poured some in; ``fuel`` is its level now."""

    seat: Public[Seat]
    levels: Amount
    fuel: Amount
    rule: Name


@event("GR-A2", "{seat} repairs engine {engine}, chassis {chassis}")
class PartsRestored(Event):
    """A seat repaired its vehicle by so many levels."""

    seat: Public[Seat]
    engine: Amount
    chassis: Amount

    def apply(self, config: Config, state: State) -> State:
        crew = state.crew(self.seat)
        return state.with_crew(self.seat, engine=crew.engine + self.engine, chassis=crew.chassis + self.chassis)


@event("GR-K1", "{seat} loses engine {engine}, chassis {chassis}")
class PartsLost(Event):
    """A Saboteur took parts of a seat's vehicle."""

    seat: Public[Seat]
    engine: Amount
    chassis: Amount

    def apply(self, config: Config, state: State) -> State:
        crew = state.crew(self.seat)
        return state.with_crew(self.seat, engine=crew.engine - self.engine, chassis=crew.chassis - self.chassis)


@event(says="{seat} plays {slot}")
class AssistantPlayed(Event):
    """A seat played an assistant, or all of its funding: its sequence ends when the effect is complete."""

    seat: Public[Seat]
    slot: _OneOf
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        active, slot = state.crew(self.seat).active, self.slot
        left = 0 if slot is Slot.FUNDING else getattr(active, slot) - 1
        return state.with_crew(self.seat, {"has_acted": True, "may_buy": False}, active=change(active, **{slot: left}))


@event(says="{seat} gives up an escort")
class EscortGiven(Event):
    """A seat gave up an escort to cancel a danger: this does not count as playing an assistant."""

    seat: Public[Seat]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        active = state.crew(self.seat).active
        return state.with_crew(self.seat, active=change(active, escort=active.escort - 1))


@event("GR-V1", "{seat} passes")
class SeatPassed(Event):
    """A seat passed and lost all its assistants but the escort."""

    seat: Public[Seat]

    def apply(self, config: Config, state: State) -> State:
        active = Assistants(escort=state.crew(self.seat).active.escort)
        return state.with_crew(self.seat, {"has_acted": True}, active=active, has_passed=True)


@event(says="the turn order of the next round is {order}")
class OrderChanged(Event):
    """A round ended, with the turn order of the next: by progress and, in one lane, by whose marker came first."""

    order: _Order
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        now = change(state, stage=Stage.BIVOUAC, round=state.round + 1, turn=None, has_acted=False)
        return change(now, order=self.order, crews=_without_assistants(state))


@event("GR-F2")
class PrestigeCounted(Event):
    """The program counted a seat's prestige; ``place`` is its place of arrival (0: it has not arrived)."""

    seat: Public[Seat]
    place: Annotated[int, Ge(0), Le(4), PUBLIC]
    points: Amount
    levels: Amount
    francs: Amount

    def tell(self, config: Config) -> str:
        if not self.place:
            return f"{self.seat} has not arrived and cannot win"
        total = count(self.points + self.levels + self.francs, "point")
        parts = f"{self.points} for arriving {ordinal(self.place)}, {self.levels} for engine and chassis"
        return f"{self.seat} has {total} of prestige: {parts}, {self.francs} for money"


@event("GR-F1", "the race is over")
class RaceEnded(Event):
    """All crews have played out their plans after the first arrival."""

    def apply(self, config: Config, state: State) -> State:
        return change(state, stage=Stage.OVER, turn=None, pending=None, crews=_without_assistants(state))


def _without_assistants(state: State) -> tuple[Crew, ...]:
    none = Assistants()
    return tuple([change(crew, active=none, has_passed=False) for crew in state.crews])
