"""What happens in a race: in the bivouac, while planning, when something is bought, played or drawn, in the end."""

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
    Seat,
    Secret,
    copier,
    count,
    event,
    exchanged,
    listed,
)
from adjudicator.games.great_race.components import SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.said import ORDINALS, Amount
from adjudicator.games.great_race.state import Assistants, Crew, Reaction, Slot, Stage, State, crew_with, state_with

_SLOTS: Final = {Slot.SCOUTS: "a scout", Slot.MECHANICS: "a mechanic", Slot.ESCORT: "an escort", Slot.FUNDING: "its funding"}


@event("GR-S1", "the race goes from {start} to {finish}; the turn order is {order}")
class RaceBegun(Event):
    """All vehicles stand in the purple city where the race begins."""

    start: Public[SpaceId]
    finish: Public[SpaceId]
    order: Public[tuple[Seat, ...]]


@event("GR-L1", becomes={"stage": Stage.PLANNING, "takers": ()})
class PlanningBegun(Event):
    """All have their cards: assistants are planned."""


@event("GR-L1", sets_own={"plan": "plan"})
class PlanMade(Event):
    """A seat planned, sealed: ``plan`` is ``None`` to the others."""

    seat: Public[Seat]
    plan: Secret[Assistants | None]

    def tell(self, config: Config) -> str:
        if self.plan is None:
            return f"{self.seat} has planned"
        return f"{self.seat} plans {self.plan.text()} (sealed)"


@event("GR-L1")
class PlanOpened(Event):
    """All have planned: a seat's plan lies open."""

    seat: Public[Seat]
    plan: Public[Assistants]

    def apply(self, config: Config, state: State) -> State:
        return state.with_crew(self.seat, plan=None, active=self.plan)

    def tell(self, config: Config) -> str:
        return f"{self.seat} has planned {self.plan.text()}"


@event(
    "GR-V1", "{seat} is next", sets={"turn": "seat"}, becomes={"stage": Stage.CONVOY, "may_buy": True, "has_acted": False}
)
class SequenceBegun(Event):
    """It is a seat's turn to play a sequence."""

    seat: Public[Seat]


@event("GR-K4", seen_by=OWNER)
class ReactionChosen(Event):
    """A seat changed its standing answer to danger, to cards or to tiles; nobody else hears of it."""

    seat: Public[Seat]
    to: Public[Name]
    reaction: Secret[Reaction | None]

    def apply(self, config: Config, state: State) -> State:
        return state.with_crew(self.seat, **{f"to_{self.to}": self.reaction})

    def tell(self, config: Config) -> str:
        what = "danger cards" if self.to == "cards" else "the danger of tiles drawn"
        return f"from now on {self.seat} answers {what} {reaction_told(self.reaction)}"


def reaction_told(reaction: Reaction | None) -> str:
    """Return a standing answer in words."""
    if reaction is None:
        return "when asked"
    if not reaction.helps:
        return "with nothing"
    over = f", if more than {count(reaction.over, 'part')} would go" if reaction.over > 0 else ""
    over = ", if it would lose parts" if reaction.over == 0 else over
    return f"with {listed([one.value for one in reaction.helps], 'or else')}{over}"


@event(says="{seat} has {levels:level} more of fuel, {fuel} in all", sets_own={"fuel": "fuel"})
class FuelGained(Event):
    """A seat bought fuel, or poured some in; ``fuel`` is its level now."""

    seat: Public[Seat]
    levels: Amount
    fuel: Amount
    rule: Name


@event("GR-A2", "{seat} restores engine {engine}, chassis {chassis}")
class PartsRestored(Event):
    """A seat repaired its vehicle; so many levels were gained."""

    seat: Public[Seat]
    engine: Amount
    chassis: Amount

    def apply(self, config: Config, state: State) -> State:
        crew = state.crew(self.seat)
        return state.with_crew(self.seat, engine=crew.engine + self.engine, chassis=crew.chassis + self.chassis)


@event("GR-K1", "{seat} loses engine {engine}, chassis {chassis}")
class PartsLost(Event):
    """A Saboteur has been at work."""

    seat: Public[Seat]
    engine: Amount
    chassis: Amount

    def apply(self, config: Config, state: State) -> State:
        crew = state.crew(self.seat)
        return state.with_crew(self.seat, engine=crew.engine - self.engine, chassis=crew.chassis - self.chassis)


@event()
class AssistantPlayed(Event):
    """A seat played an assistant, or all of its funding: that ends its sequence once all of it is done."""

    seat: Public[Seat]
    slot: Public[Slot]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        crew, slot = state.crew(self.seat), self.slot
        left = 0 if slot is Slot.FUNDING else getattr(crew.active, slot) - 1
        crew = crew_with("active")(crew, copier(Assistants, slot)(crew.active, left))
        return state_with("crews", "has_acted", "may_buy")(state, exchanged(state.crews, crew), True, False)

    def tell(self, config: Config) -> str:
        return f"{self.seat} plays {_SLOTS[self.slot]}"


@event(says="{seat} gives up an escort")
class EscortGiven(Event):
    """A seat gave up an escort to cancel a danger: that is no assistant played."""

    seat: Public[Seat]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        active = state.crew(self.seat).active
        return state.with_crew(self.seat, active=copier(Assistants, "escort")(active, active.escort - 1))


@event("GR-V1", "{seat} passes")
class SeatPassed(Event):
    """A seat passed: all of its assistants but the escort are gone."""

    seat: Public[Seat]

    def apply(self, config: Config, state: State) -> State:
        crew = state.crew(self.seat)
        crew = crew_with("active", "has_passed")(crew, Assistants(escort=crew.active.escort), True)
        return state_with("crews", "has_acted")(state, exchanged(state.crews, crew), True)


@event()
class OrderChanged(Event):
    """A round is over: this is the turn order of the next, by progress or, in one lane, by whose marker came first."""

    order: Public[tuple[Seat, ...]]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        now = state_with("stage", "round", "order", "crews", "turn", "has_acted")
        return now(state, Stage.BIVOUAC, state.round + 1, self.order, _without_assistants(state), None, False)

    def tell(self, config: Config) -> str:
        return f"the turn order of the next round is {', '.join(self.order)}"


@event("GR-F2")
class PrestigeCounted(Event):
    """The race is over for a seat: what its prestige comes to; ``place`` is its arrival (0: it has not arrived)."""

    seat: Public[Seat]
    place: Annotated[int, Ge(0), Le(4), PUBLIC]
    points: Amount
    levels: Amount
    francs: Amount

    def tell(self, config: Config) -> str:
        if not self.place:
            return f"{self.seat} has not arrived and cannot win"
        total = self.points + self.levels + self.francs
        parts = f"{self.points} for arriving {ORDINALS[self.place - 1]}, {self.levels} for engine and chassis"
        return f"{self.seat} has {count(total, 'point')} of prestige: {parts}, {self.francs} for money"


@event("GR-F1", "the race is over")
class RaceEnded(Event):
    """All have played out their plans after the first arrival."""

    def apply(self, config: Config, state: State) -> State:
        return state_with("stage", "turn", "pending", "crews")(state, Stage.OVER, None, None, _without_assistants(state))


def _without_assistants(state: State) -> tuple[Crew, ...]:
    gathered, nobody = crew_with("active", "has_passed"), Assistants()
    return tuple([gathered(crew, nobody, False) for crew in state.crews])
