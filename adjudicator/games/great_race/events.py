"""The events of a race apart from its cards and tiles: planning, assistants, rounds, drives, danger, the end."""

from __future__ import annotations

from typing import Annotated, Any, Final

from adjudicator.game import (
    OWNER,
    PUBLIC,
    Event,
    Ge,
    Le,
    Len,
    Name,
    Public,
    Said,
    Seat,
    Secret,
    change,
    count,
    event,
    events_of,
    exchanged,
    listed,
    ordinal,
)
from adjudicator.games.great_race import card_events
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import LineKind, SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.said import Amount, OneCard, OneTile, levels_told
from adjudicator.games.great_race.state import (
    SEALED,
    Assistants,
    Crew,
    Drive,
    Help,
    Laid,
    Loss,
    Reaction,
    Slot,
    Stage,
    State,
    Threat,
    Use,
    reaction_text,
)

_SLOTS: Final = {Slot.SCOUTS: "a scout", Slot.MECHANICS: "a mechanic", Slot.ESCORT: "an escort", Slot.FUNDING: "its funding"}
_OneOf = Annotated[Slot, PUBLIC, Said(lambda _config, slot: _SLOTS[slot])]
_Order = Annotated[tuple[Seat, ...], PUBLIC, Said(lambda _config, order: ", ".join(order))]
_Path = Annotated[tuple[SpaceId, ...], PUBLIC, Said(lambda _config, path: " ".join(path))]
_Fares = Annotated[Amount, Said(lambda _config, many: f", with {count(many, 'Transport card')}" if many else "")]


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


# Drives


@event(says="{seat} sets off for {path} (at most {steps:space})")
class DriveBegun(Event):
    """A seat set off along ``path``, for at most ``steps`` spaces; its choices for the way are sealed."""

    seat: Public[Seat]
    path: _Path
    steps: Amount
    loss: Annotated[Loss | None, SEALED]
    using: Annotated[tuple[Use, ...] | None, SEALED]
    rule: Name = "GR-D1"

    def apply(self, config: Config, state: State) -> State:
        drive = Drive(seat=self.seat, path=self.path, steps=self.steps, loss=self.loss, using=self.using)
        return change(state, pending=drive)


@event("GR-D5", "{seat} travels by {by} to {city}{cards}")
class LineTaken(Event):
    """A seat boards a ship or a plane."""

    seat: Public[Seat]
    by: Public[LineKind]
    city: Public[SpaceId]
    cards: _Fares


@event("GR-D3", "{space} is blank: {seat} draws {tile}")
class BlindTileLaid(Event):
    """A tile was drawn for the blank space ahead, and stays there however the drive ends."""

    seat: Public[Seat]
    space: Public[SpaceId]
    tile: Public[OneTile]

    def apply(self, config: Config, state: State) -> State:
        laid, drive = (*state.laid, Laid(self.space, self.tile)), change(state.pending_as(Drive), is_fresh=True)
        return change(state, laid=laid, pending=drive)


@event("GR-D3")
class PaymentAsked(Event):
    """The crew must say how to pay for the tile."""

    seat: Public[Seat]

    def apply(self, config: Config, state: State) -> State:
        return change(state, pending=change(state.pending_as(Drive), is_asked=True))


@event(says="{seat} cancels the danger of {space} with {guard}")
class DangerCancelled(Event):
    """A crew cancelled the danger of a tile."""

    seat: Public[Seat]
    space: Public[SpaceId]
    guard: Public[Help]
    rule: Name = "GR-D2"


@event(says="")
class SpaceEntered(Event):
    """A vehicle came to ``space`` and paid for it."""

    seat: Public[Seat]
    space: Public[SpaceId]
    fuel: Amount
    engine: Amount
    chassis: Amount
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        drive, lanes, markers, crew = state.pending_as(Drive), config.roads.lanes, state.markers, state.crew(self.seat)
        loss = drive.loss
        if loss is not None and loss.most is not None:
            loss = None if drive.is_fresh else loss.after(self.chassis)
        path, steps = drive.path[1:], drive.steps - 1
        goes_on = change(drive, path=path, steps=steps, loss=loss, is_fresh=False, is_asked=False)
        if lanes[self.space] != lanes[crew.space]:
            markers = (*[seat for seat in markers if seat != self.seat], self.seat)
        fuel, engine, chassis = crew.fuel - self.fuel, crew.engine - self.engine, crew.chassis - self.chassis
        crew = change(crew, space=self.space, fuel=fuel, engine=engine, chassis=chassis)
        return change(state, crews=exchanged(state.crews, crew), pending=goes_on, markers=markers)

    def tell(self, config: Config) -> str:
        paid = [f"{self.fuel} fuel"] if self.fuel else []
        paid += levels_told(engine=self.engine, chassis=self.chassis)
        return f"{self.seat} drives to {self.space}: {listed(paid) or 'nothing to pay'}"


@event(says="", becomes={"pending": None})
class DriveEnded(Event):
    """A drive ended, for a reason."""

    seat: Public[Seat]
    words: Annotated[str, Len(0, 200), PUBLIC]
    rule: Name

    def tell(self, config: Config) -> str:
        return f"{self.seat} {self.words}" if self.words else ""


@event("GR-F1")
class SeatArrived(Event):
    """A vehicle is in the finish city: it drops its cards and assistants, and this is the last round."""

    seat: Public[Seat]
    place: Annotated[int, Ge(1), Le(4), PUBLIC]
    cards: Public[tuple[CardId, ...]]

    def apply(self, config: Config, state: State) -> State:
        discards = (*state.discards, *self.cards)
        return state.with_crew(self.seat, {"discards": discards}, arrival=self.place, hand=(), active=Assistants())

    def tell(self, config: Config) -> str:
        return f"{self.seat} has reached the finish, {ordinal(self.place)}{'; this is the last round' * (self.place == 1)}"


@event("GR-K4")
class DangerThreatened(Event):
    """A seat played a danger card; those ``left`` may cancel it, one after the other."""

    seat: Public[Seat]
    card: Public[OneCard]
    spaces: Public[tuple[SpaceId, ...]]
    target: Public[Seat | None]
    engine: Amount
    chassis: Amount
    left: Public[tuple[Seat, ...]]

    def apply(self, config: Config, state: State) -> State:
        aim: dict[str, Any] = {"spaces": self.spaces, "target": self.target, "engine": self.engine, "chassis": self.chassis}
        return change(state, pending=Threat(seat=self.seat, card=self.card, left=self.left, **aim))

    def tell(self, config: Config) -> str:
        losses = listed(levels_told(engine=self.engine, chassis=self.chassis)) or "parts"
        what = listed(self.spaces) if self.target is None else f"{losses} of {self.target}"
        return f"{self.seat} wants to {self.card.kind.threat} {what}"


@event("GR-K4", "{seat} must say whether it cancels the danger")
class ReactionAsked(Event):
    """The program asks a seat whether it cancels the danger card on the table."""

    seat: Public[Seat]

    def apply(self, config: Config, state: State) -> State:
        return change(state, pending=change(state.pending_as(Threat), asked=self.seat))


@event("GR-K4", "{seat} lets it happen")
class DangerAccepted(Event):
    """A seat lets the danger card on the table happen."""

    seat: Public[Seat]

    def apply(self, config: Config, state: State) -> State:
        threat = state.pending_as(Threat)
        left = tuple([seat for seat in threat.left if seat != self.seat])
        return change(state, pending=change(threat, left=left, asked=None))


@event("GR-K4", "{seat} cancels it with {guard}", becomes={"pending": None})
class CardCancelled(Event):
    """A seat cancelled the danger card on the table."""

    seat: Public[Seat]
    guard: Public[Help]


@event("GR-K4", becomes={"pending": None})
class DangerDone(Event):
    """All seats let the danger card happen: it takes effect."""


EVENTS: Final = events_of(card_events.__name__, __name__)
