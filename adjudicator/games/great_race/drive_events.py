"""The events of a drive, and of a danger card on the table."""

from __future__ import annotations

from typing import Annotated, Any, Final

from adjudicator.game import PUBLIC, Event, Ge, Le, Len, Name, Public, Seat, change, count, event, events_of, listed
from adjudicator.games.great_race import card_events, events
from adjudicator.games.great_race.cards import CardId
from adjudicator.games.great_race.components import LineKind, SpaceId
from adjudicator.games.great_race.config import Config
from adjudicator.games.great_race.said import ORDINALS, Amount, OneCard, OneTile, levels_told
from adjudicator.games.great_race.state import SEALED, Assistants, Drive, Help, Laid, Loss, State, Threat, Use


@event(says="")
class DriveBegun(Event):
    """A seat set off along ``path``, for at most ``steps`` spaces; its choices for the way are sealed."""

    seat: Public[Seat]
    path: Public[tuple[SpaceId, ...]]
    steps: Amount
    loss: Annotated[Loss | None, SEALED]
    using: Annotated[tuple[Use, ...] | None, SEALED]
    rule: Name = "GR-D1"

    def apply(self, config: Config, state: State) -> State:
        drive = Drive(seat=self.seat, path=self.path, steps=self.steps, loss=self.loss, using=self.using)
        return change(state, pending=drive)

    def tell(self, config: Config) -> str:
        return f"{self.seat} sets off for {' '.join(self.path)} (at most {count(self.steps, 'space')})"


@event("GR-D5")
class LineTaken(Event):
    """A seat boards a ship or a plane."""

    seat: Public[Seat]
    by: Public[LineKind]
    city: Public[SpaceId]
    cards: Amount

    def tell(self, config: Config) -> str:
        cards = f", with {count(self.cards, 'Transport card')}" if self.cards else ""
        return f"{self.seat} travels by {self.by.value} to {self.city}{cards}"


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
        return state.with_crew(crew, {"pending": goes_on, "markers": markers})

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
        is_last = "; this is the last round" if self.place == 1 else ""
        return f"{self.seat} has reached the finish, {ORDINALS[self.place - 1]}{is_last}"


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


EVENTS: Final = events_of(card_events.__name__, events.__name__, __name__)
