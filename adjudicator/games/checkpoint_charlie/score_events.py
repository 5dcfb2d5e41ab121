"""What happens when a round of Checkpoint Charlie is scored: clues, markers, what players say, the end."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import OWNER, Event, Mark, Name, Public, Seat, Secret, change, count, event, events_of
from adjudicator.games.checkpoint_charlie import events
from adjudicator.games.checkpoint_charlie.components import Colour, Config, Face, MarkerId, Power, SuspectId
from adjudicator.games.checkpoint_charlie.events import SeatEvent, faces_told, unsealed
from adjudicator.games.checkpoint_charlie.state import Ending, Speech, Stage, State, Statement

_ROLES: Final = {Colour.GOLD: "the chief", Colour.WHITE: "an assistant", Colour.BLACK: "an innocent"}
_REASONS: Final = {
    Ending.ANNOUNCED: "ten points were announced",
    Ending.COLOUR_OUT: "a colour of markers has run out",
    Ending.LAST_ROUND: "this was the last round",
}
_THE_TWO: Final = Mark(lambda _config, swap, _holder, viewer: viewer in (swap.seat, swap.other))


def _points(config: Config, marker: MarkerId) -> str:
    points = config.markers[marker].points
    return f"{points} point" if abs(points) == 1 else f"{points} points"


@event("CC-K1", "the clue of {seat} is “{face.words}”")
class ClueRevealed(SeatEvent):
    """A seat showed its secret clue."""

    seat: Public[Seat]
    face: Public[Face]


@event("CC-K1", "a counter left in the bag is tossed: “{face.words}”")
class CounterTossed(Event):
    """A counter left in the bag was tossed for scoring."""

    face: Public[Face]

    def apply(self, config: Config, state: State) -> State:
        return change(state, public=(*state.public, self.face))


@event("CC-K1")
class ChiefNamed(Event):
    """The suspect who matches all five clues; ``is_shown`` unless it lies in the deck still."""

    suspect: Public[SuspectId]
    is_shown: Public[bool]

    def tell(self, config: Config) -> str:
        return f"the chief of spies is {self.suspect}{'' if self.is_shown else ', who is still in the deck'}"


@event("CC-K2")
class AccusationJudged(Event):
    """The accusation of a seat was judged: the clues its suspect matches, and the colour that is due for them.

    Who did not accuse has no ``suspect``.
    """

    seat: Public[Seat]
    suspect: Public[SuspectId | None]
    matched: Public[tuple[Face, ...]]
    colour: Public[Colour]

    def tell(self, config: Config) -> str:
        name = config.named(self.seat)
        if self.suspect is None:
            kept = "the chief is in the deck still" if self.colour is Colour.WHITE else "no accusation"
            return f"{name} was late, {kept}: {self.colour}"
        matched = f": {faces_told(self.matched)}" if self.matched else ""
        clues = count(len(self.matched), "clue")
        return f"{name} accused {self.suspect}, {_ROLES[self.colour]}, who matches {clues}{matched}; due is {self.colour}"


@event("CC-K2")
class MarkerDrawn(Event):
    """A seat drew a score marker; ``marker`` is ``None`` to the others."""

    seat: Public[Seat]
    colour: Public[Colour]
    marker: Secret[MarkerId | None]

    def apply(self, config: Config, state: State) -> State:
        return state.with_agent(self.seat, markers=(*state.agent(self.seat).markers, self.marker))

    def tell(self, config: Config) -> str:
        value = "" if self.marker is None else f", {self.marker}: {_points(config, self.marker)}"
        return f"{config.named(self.seat)} draws a {self.colour} marker{value}"


@event("CC-K3", "no {colour} marker is left for {seat}")
class MarkerMissed(SeatEvent):
    """No marker of the colour due was left for a seat."""

    seat: Public[Seat]
    colour: Public[Colour]


@event("CC-O1", "{seat} shows the Stasi marker")
class StasiShown(SeatEvent):
    """A seat drew the Stasi marker and showed it."""

    seat: Public[Seat]
    marker: Public[MarkerId]


@event("CC-O1", "the Stasi marker goes back; {seat} plays the next round with an open clue")
class StasiReturned(SeatEvent):
    """The Stasi marker went back to the pool; the seat plays the next round with its clue open."""

    seat: Public[Seat]
    marker: Public[MarkerId]

    def apply(self, config: Config, state: State) -> State:
        markers = tuple(marker for marker in state.agent(self.seat).markers if marker != self.marker)
        return change(state.with_agent(self.seat, markers=markers), watched=self.seat)


@event("CC-E1")
class EndDeclared(Event):
    """No round follows: for a reason that all can see, or because somebody announced ten points."""

    reason: Public[Ending]

    def apply(self, config: Config, state: State) -> State:
        return change(state, ending=self.reason)

    def tell(self, config: Config) -> str:
        return f"the game ends: {_REASONS[self.reason]}"


@event()
class HearingOpened(Event):
    """Seats that, for all that is known, may have something to say are asked at once."""

    seats: Public[tuple[Seat, ...]]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return change(state, speaking=self.seats)

    def tell(self, config: Config) -> str:
        return f"asked whether they have anything to say: {', '.join(map(config.named, self.seats))}"


@event()
class Stated(Event):
    """A seat spoke in a scoring phase, sealed: ``statement`` is ``None`` to the others."""

    seat: Public[Seat]
    statement: Secret[Statement | None]
    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return state.with_agent(self.seat, statement=self.statement)

    def tell(self, config: Config) -> str:
        if self.statement is None:
            return f"{config.named(self.seat)} has spoken"
        return f"{config.named(self.seat)} {_said(config, self.statement)} (sealed)"


def _said(config: Config, statement: Statement) -> str:
    if statement.speech is Speech.ANNOUNCE:
        return "announces ten points"
    if statement.other is not None:
        return f"swaps a {statement.colour} marker with {config.named(statement.other)}"
    return "passes"


@event("CC-E1", "{seat} announces ten points or more, which is true")
class PointsAnnounced(SeatEvent):
    """A seat announced ten points or more, which were verified."""

    seat: Public[Seat]


@event("CC-O2")
class MarkersSwapped(Event):
    """A seat gave its Café Adler marker for one of ``other``; both markers are ``None`` to all but the two."""

    seat: Public[Seat]
    other: Public[Seat]
    colour: Public[Colour]
    given: Annotated[MarkerId | None, _THE_TWO]
    taken: Annotated[MarkerId | None, _THE_TWO]

    def apply(self, config: Config, state: State) -> State:
        """Let each marker take the other's place; a Café Adler marker that was exchanged can be exchanged no more."""
        places = {self.given: self.taken, self.taken: self.given}
        adlers = {marker for marker in places if marker is not None and config.power_of(marker) is Power.ADLER}
        adlers.update(*(state.agent(seat).spent for seat in (self.seat, self.other)))
        for seat in (self.seat, self.other):
            markers = tuple(places.get(marker, marker) for marker in state.agent(seat).markers)
            state = state.with_agent(seat, markers=markers, spent=config.sorted_markers(adlers.intersection(markers)))
        return change(state, swaps=(*state.swaps, self.colour))

    def tell(self, config: Config) -> str:
        who, other = config.named(self.seat), config.named(self.other)
        words = f"{who} gives a {self.colour} Café Adler marker to {other} for another"
        if self.given is None or self.taken is None:
            return f"{words}, unseen"
        return f"{words}: {self.given} for {self.taken}, which is worth {_points(config, self.taken)}"


@event("CC-O2", "the {colour} Café Adler marker of {seat} was taken in exchange before: nothing to swap", seen_by=OWNER)
class SwapVoid(SeatEvent):
    """The Café Adler marker a seat meant to give had been taken in exchange just before. Nobody else is told."""

    seat: Public[Seat]
    colour: Public[Colour]


@event("CC-O2", "the {colour} Café Adler marker {marker} lies open with {seat} from now on: it is exchanged no more")
class AdlerOpened(SeatEvent):
    """A Café Adler marker that was exchanged lies open with the seat that received it."""

    seat: Public[Seat]
    colour: Public[Colour]
    marker: Public[MarkerId]


@event("CC-O2", seen_by=OWNER)
class SwapMissed(Event):
    """All face-down markers of the colour that ``other`` held were exchanged just before. Nobody else is told."""

    seat: Public[Seat]
    other: Public[Seat]
    colour: Public[Colour]

    def tell(self, config: Config) -> str:
        who, other = config.named(self.seat), config.named(self.other)
        return f"{who} gets nothing from {other}, whose last {self.colour} marker face down was exchanged before"


@event()
class HearingClosed(Event):
    """Everybody asked has spoken."""

    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return change(state, speaking=(), agents=unsealed(state))


@event("CC-E1")
class GameEnded(Event):
    """All markers were turned over; ``winners`` have the most points, or of those the most gold."""

    winners: Public[tuple[Seat, ...]]

    def apply(self, config: Config, state: State) -> State:
        return change(state, stage=Stage.OVER)

    def tell(self, config: Config) -> str:
        names = [config.named(seat) for seat in self.winners]
        return f"the game is over: {' and '.join(names)} {'wins' if len(names) == 1 else 'share the victory'}"


EVENTS: Final = events_of(events.__name__, __name__)
"""All events of the game."""
