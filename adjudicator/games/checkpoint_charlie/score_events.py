"""The events of a scoring phase: clues, markers, statements of players, the end."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import OWNER, PUBLIC, Event, Mark, Name, Public, Said, Secret, count, events_of, listed, replace
from adjudicator.games.checkpoint_charlie import events
from adjudicator.games.checkpoint_charlie.components import Colour, Config, Face, MarkerId, Power, SuspectId
from adjudicator.games.checkpoint_charlie.events import Called, Who, faces_told, unsealed
from adjudicator.games.checkpoint_charlie.state import Ending, Speech, Stage, State, Statement

_ROLES: Final = {Colour.GOLD: "the chief", Colour.WHITE: "an assistant", Colour.BLACK: "an innocent"}
_REASONS: Final = {
    Ending.ANNOUNCED: "ten points were announced",
    Ending.COLOUR_OUT: "a colour of markers has run out",
    Ending.LAST_ROUND: "this was the last round",
}
_Reason = Annotated[Ending, PUBLIC, Said(lambda _config, reason: _REASONS[reason])]
_THE_TWO: Final = Mark(lambda _config, swap, _holder, viewer: viewer in (swap.seat, swap.other))


_Marker = Annotated[MarkerId | None, Said(lambda config, marker: f"{marker}: {_points(config, marker)}")]


def _points(config: Config, marker: MarkerId) -> str:
    return count(config.markers[marker].points, "point")


def _said(config: Config, statement: Statement) -> str:
    if statement.speech is Speech.ANNOUNCE:
        return "announces ten points"
    if statement.other is not None:
        return f"swaps a {statement.colour} marker with {config.named(statement.other)}"
    return "passes"


_Shown = Annotated[bool, Said(lambda _config, is_shown: "" if is_shown else ", who is still in the deck")]
_Statement = Annotated[Statement | None, Said(_said)]


class ClueRevealed(Event):
    """A seat showed its secret clue."""

    says = "the clue of {seat} is “{face.words}”"
    seat: Who
    face: Public[Face]
    rule: Name = "CC-K1"


class CounterTossed(Event):
    """A counter left in the bag was tossed for scoring."""

    says = "a counter left in the bag is tossed: “{face.words}”"
    face: Public[Face]
    rule: Name = "CC-K1"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, public=(*state.public, self.face))


class ChiefNamed(Event):
    """The suspect who matches all five clues; ``is_shown`` unless it lies in the deck still."""

    says = "the chief of spies is {suspect}{is_shown}"
    suspect: Public[SuspectId]
    is_shown: Public[_Shown]
    rule: Name = "CC-K1"


class AccusationJudged(Event):
    """The accusation of a seat was judged: the clues its suspect matches, and the colour that is due for them.

    Who did not accuse has no ``suspect``.
    """

    seat: Who
    suspect: Public[SuspectId | None]
    matched: Public[tuple[Face, ...]]
    colour: Public[Colour]
    rule: Name = "CC-K2"

    def tell(self, config: Config) -> str:
        name = config.named(self.seat)
        if self.suspect is None:
            but = ", but the chief is still in the deck" if self.colour is Colour.WHITE else ""
            return f"{name} has accused nobody{but}: {self.colour} is due"
        clues = f"{count(len(self.matched), 'clue')}: {faces_told(self.matched)}" if self.matched else "no clue"
        return f"{name} accused {self.suspect}, {_ROLES[self.colour]}, who matches {clues}; {self.colour} is due"


class MarkerDrawn(Event):
    """A seat drew a score marker; ``marker`` is ``None`` to the others."""

    says = "{seat} draws a {colour} marker, {marker}"
    unseen = "{seat} draws a {colour} marker"
    seat: Who
    colour: Public[Colour]
    marker: Secret[_Marker]
    rule: Name = "CC-K2"

    def apply(self, config: Config, state: State) -> State:
        return state.with_own(self.seat, markers=(*state.of(self.seat).markers, self.marker))


class MarkerMissed(Event):
    """No marker of the colour due was left for a seat."""

    says = "no {colour} marker is left for {seat}"
    seat: Who
    colour: Public[Colour]
    rule: Name = "CC-K3"


class StasiShown(Event):
    """A seat drew the Stasi marker and showed it."""

    says = "{seat} shows the Stasi marker"
    seat: Who
    marker: Public[MarkerId]
    rule: Name = "CC-O1"


class StasiReturned(Event):
    """The Stasi marker went back to the pool; the seat plays the next round with its clue open."""

    says = "the Stasi marker goes back; {seat} plays the next round with an open clue"
    seat: Who
    marker: Public[MarkerId]
    rule: Name = "CC-O1"

    def apply(self, config: Config, state: State) -> State:
        markers = tuple(marker for marker in state.of(self.seat).markers if marker != self.marker)
        return state.with_own(self.seat, {"watched": self.seat}, markers=markers)


class EndDeclared(Event):
    """No round follows: for a reason that all can see, or because somebody announced ten points."""

    says = "the game ends: {reason}"
    sets = {"ending": "reason"}
    reason: _Reason
    rule: Name = "CC-E1"


class HearingOpened(Event):
    """The seats that may have something to say, by public knowledge, were asked at once."""

    says = "asked whether they have anything to say: {seats}"
    sets = {"speaking": "seats"}
    seats: Public[tuple[Called, ...]]
    rule: Name


class Stated(Event):
    """A seat spoke in a scoring phase, sealed: ``statement`` is ``None`` to the others."""

    says = "{seat} {statement} (sealed)"
    unseen = "{seat} has spoken"
    sets = {"own.statement": "statement"}
    seat: Who
    statement: Secret[_Statement]
    rule: Name


class PointsAnnounced(Event):
    """A seat announced ten points or more, which were verified."""

    says = "{seat} announces ten points or more, which is true"
    seat: Who
    rule: Name = "CC-E1"


class MarkersSwapped(Event):
    """A seat gave its Café Adler marker for one of ``other``; both markers are ``None`` to all but the two."""

    seat: Who
    other: Who
    colour: Public[Colour]
    given: Annotated[MarkerId | None, _THE_TWO]
    taken: Annotated[MarkerId | None, _THE_TWO]
    rule: Name = "CC-O2"

    def apply(self, config: Config, state: State) -> State:
        """Let each marker take the other's place; a Café Adler marker that was exchanged can be exchanged no more."""
        places = {self.given: self.taken, self.taken: self.given}
        adlers = {marker for marker in places if marker is not None and config.power_of(marker) is Power.ADLER}
        adlers.update(*(state.of(seat).spent for seat in (self.seat, self.other)))
        for seat in (self.seat, self.other):
            markers = tuple(places.get(marker, marker) for marker in state.of(seat).markers)
            state = state.with_own(seat, markers=markers, spent=config.sorted_markers(adlers.intersection(markers)))
        return replace(state, swaps=(*state.swaps, self.colour))

    def tell(self, config: Config) -> str:
        who, other = config.named(self.seat), config.named(self.other)
        words = f"{who} gives a {self.colour} Café Adler marker to {other} for another"
        if self.given is None or self.taken is None:
            return f"{words}, unseen"
        return f"{words}: {self.given} for {self.taken}, which is worth {_points(config, self.taken)}"


class SwapVoid(Event):
    """The Café Adler marker a seat meant to give had been taken in exchange just before. Only that seat learns of it."""

    says = "the {colour} Café Adler marker of {seat} was taken in exchange before: nothing to swap"
    seen_by = OWNER
    seat: Who
    colour: Public[Colour]
    rule: Name = "CC-O2"


class AdlerOpened(Event):
    """A Café Adler marker that was exchanged lies open with the seat that received it."""

    says = "the {colour} Café Adler marker {marker} lies open with {seat} from now on: it is exchanged no more"
    seat: Who
    colour: Public[Colour]
    marker: Public[MarkerId]
    rule: Name = "CC-O2"


class SwapMissed(Event):
    """All face-down markers of the colour that ``other`` held were exchanged just before. Only that seat learns of it."""

    says = "{seat} gets nothing from {other}, whose last {colour} marker face down was exchanged before"
    seen_by = OWNER
    seat: Who
    other: Who
    colour: Public[Colour]
    rule: Name = "CC-O2"


class HearingClosed(Event):
    """Everybody asked has spoken."""

    rule: Name

    def apply(self, config: Config, state: State) -> State:
        return replace(state, speaking=(), agents=unsealed(state))


class GameEnded(Event):
    """All markers were turned over; ``winners`` have the most points, or of those the most gold."""

    winners: Public[tuple[Called, ...]]
    rule: Name = "CC-E1"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, stage=Stage.OVER)

    def tell(self, config: Config) -> str:
        verb = "wins" if len(self.winners) == 1 else "share the victory"
        return f"the game is over: {listed(map(config.named, self.winners))} {verb}"


EVENTS: Final = events_of(events.__name__, __name__)
"""All events of the game."""
