"""The events of a race outside of drives and cards: planning, purchases, assistants, rounds, the end."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import OWNER, PUBLIC, Event, Meta, Name, Public, Said, Seat, Secret, count, ordinal, replace
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


class RaceBegun(Event):
    """The race began, with all vehicles in a purple city."""

    says = "the race goes from {start} to {finish}; the turn order is {order}"
    start: Public[SpaceId]
    finish: Public[SpaceId]
    order: Public[tuple[Seat, ...]]
    rule: Name = "GR-S1"


class PlanningBegun(Event):
    """All seats have their cards: they plan their assistants."""

    becomes = {"stage": Stage.PLANNING, "takers": ()}
    rule: Name = "GR-L1"


class PlanMade(Event):
    """A seat made a sealed plan; others see ``None``."""

    says = "{seat} plans {plan} (sealed)"
    unseen = "{seat} has planned"
    sets_own = {"plan": "plan"}
    seat: Public[Seat]
    plan: Secret[Assistants | None]
    rule: Name = "GR-L1"


class PlanOpened(Event):
    """All have planned: the program opened a seat's plan."""

    says = "{seat} has planned {plan}"
    seat: Public[Seat]
    plan: Public[Assistants]
    rule: Name = "GR-L1"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, plan=None, active=self.plan)


class SequenceBegun(Event):
    """A seat's sequence began."""

    says = "{seat} is next"
    sets = {"turn": "seat"}
    becomes = {"stage": Stage.CONVOY, "may_buy": True, "has_acted": False}
    seat: Public[Seat]
    rule: Name = "GR-V1"


class ReactionChosen(Event):
    """A seat changed its standing answer to danger cards or to tiles; only that seat sees this."""

    seen_by = OWNER
    seat: Public[Seat]
    to: Public[Name]
    reaction: Secret[Reaction | None]
    rule: Name = "GR-K4"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, **{f"to_{self.to}": self.reaction})

    def tell(self, config: Config) -> str:
        what = "danger cards" if self.to == "cards" else "the danger of tiles drawn"
        return f"from now on {self.seat} answers {what} {reaction_text(self.reaction)}"


class FuelGained(Event):
    """A seat bought fuel, or poured some in; ``fuel`` is its level now."""

    says = "{seat} gains {levels:level} of fuel and has {fuel}"
    sets_own = {"fuel": "fuel"}
    seat: Public[Seat]
    levels: Amount
    fuel: Amount
    rule: Name


class PartsRestored(Event):
    """A seat repaired its vehicle by so many levels."""

    says = "{seat} repairs engine {engine}, chassis {chassis}"
    seat: Public[Seat]
    engine: Amount
    chassis: Amount
    rule: Name = "GR-A2"

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        return state.with_own(self.seat, engine=crew.engine + self.engine, chassis=crew.chassis + self.chassis)


class PartsLost(Event):
    """A Saboteur took parts of a seat's vehicle."""

    says = "{seat} loses engine {engine}, chassis {chassis}"
    seat: Public[Seat]
    engine: Amount
    chassis: Amount
    rule: Name = "GR-K1"

    def apply(self, config: Config, state: State) -> State:
        crew = state.of(self.seat)
        return state.with_own(self.seat, engine=crew.engine - self.engine, chassis=crew.chassis - self.chassis)


class AssistantPlayed(Event):
    """A seat played an assistant, or all of its funding: its sequence ends when the effect is complete."""

    says = "{seat} plays {slot}"
    seat: Public[Seat]
    slot: _OneOf
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        active, slot = state.of(self.seat).active, self.slot
        left = 0 if slot is Slot.FUNDING else getattr(active, slot) - 1
        return state.with_own(self.seat, {"has_acted": True, "may_buy": False}, active=replace(active, **{slot: left}))


class EscortGiven(Event):
    """A seat gave up an escort to cancel a danger: this does not count as playing an assistant."""

    says = "{seat} gives up an escort"
    seat: Public[Seat]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        active = state.of(self.seat).active
        return state.with_own(self.seat, active=replace(active, escort=active.escort - 1))


class SeatPassed(Event):
    """A seat passed and lost all its assistants but the escort."""

    says = "{seat} passes"
    seat: Public[Seat]
    rule: Name = "GR-V1"

    def apply(self, config: Config, state: State) -> State:
        active = Assistants(escort=state.of(self.seat).active.escort)
        return state.with_own(self.seat, {"has_acted": True}, active=active, has_passed=True)


class OrderChanged(Event):
    """A round ended, with the turn order of the next: by progress and, in one lane, by whose marker came first."""

    says = "the turn order of the next round is {order}"
    order: _Order
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        now = replace(state, stage=Stage.BIVOUAC, round=state.round + 1, turn=None, has_acted=False)
        return replace(now, order=self.order, crews=_without_assistants(state))


class PrestigeCounted(Event):
    """The program counted a seat's prestige; ``place`` is its place of arrival (0: it has not arrived)."""

    seat: Public[Seat]
    place: Annotated[int, Meta(ge=0, le=4), PUBLIC]
    points: Amount
    levels: Amount
    francs: Amount
    rule: Name = "GR-F2"

    def tell(self, config: Config) -> str:
        if not self.place:
            return f"{self.seat} has not arrived and cannot win"
        total = count(self.points + self.levels + self.francs, "point")
        parts = f"{self.points} for arriving {ordinal(self.place)}, {self.levels} for engine and chassis"
        return f"{self.seat} has {total} of prestige: {parts}, {self.francs} for money"


class RaceEnded(Event):
    """All crews have played out their plans after the first arrival."""

    says = "the race is over"
    rule: Name = "GR-F1"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, stage=Stage.OVER, turn=None, pending=None, crews=_without_assistants(state))


def _without_assistants(state: State) -> tuple[Crew, ...]:
    none = Assistants()
    return tuple([replace(crew, active=none, has_passed=False) for crew in state.crews])
