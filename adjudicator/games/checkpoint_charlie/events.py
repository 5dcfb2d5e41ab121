"""The events of a round before its scoring: counters, cards, windows, accusations."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import OWNER, PUBLIC, Event, Ge, Le, Mark, Name, Public, Said, Seat, Secret, change, event
from adjudicator.games.checkpoint_charlie.components import FACES, Config, Face, SuspectId, Trait
from adjudicator.games.checkpoint_charlie.meta import MOST_ROUNDS
from adjudicator.games.checkpoint_charlie.state import Accusation, Agent, Answer, Stage, State, begin

Called = Annotated[Seat, Said(lambda config, seat: config.named(seat))]
"""A seat that sentences name by its investigator."""
Who = Public[Called]
_Drawn = Annotated[Trait | None, Said(lambda _config, trait: tuple(f"“{face.words}”" for face in FACES[trait]))]
_Openly = Annotated[bool, Said(lambda _config, is_open: ", open to all: the Stasi officer is watching" if is_open else "")]
_Sealed = Annotated[Answer | None, Said(lambda _config, answer: f"accuses {answer.suspect}" if answer.suspect else "waits")]
_OPEN: Final = Mark(lambda _config, laid, _holder, viewer: laid.is_open or viewer == laid.seat)


def faces_told(faces: tuple[Face, ...]) -> str:
    """Return the words for ``faces``."""
    return ", ".join(face.words for face in faces)


def unsealed(state: State) -> tuple[Agent, ...]:
    """Return the agents of ``state`` without sealed answers and statements."""
    return tuple(change(agent, answer=None, statement=None) for agent in state.agents)


@event("CC-S1", "{seat} is drawn to begin", sets={"first": "seat", "to_turn": "seat"})
class FirstDrawn(Event):
    """Chance gave the first player of the game."""

    seat: Who


@event("CC-S1", "round {round} begins; {first} is first")
class RoundBegun(Event):
    """All cards and counters went back, and the next round began with ``first``."""

    round: Annotated[int, Ge(1), Le(MOST_ROUNDS), PUBLIC]
    first: Who

    def apply(self, config: Config, state: State) -> State:
        agents = tuple(Agent(seat=agent.seat, markers=agent.markers, spent=agent.spent) for agent in state.agents)
        kept = change(begin(config), agents=agents, watched=state.watched, swaps=state.swaps)
        return change(kept, round=self.round, first=self.first, to_turn=self.first)


@event(
    "CC-S2",
    "{seat} draws the clue counter with {trait}",
    unseen="{seat} draws a clue counter",
    sets_own={"trait": "trait"},
)
class CounterDrawn(Event):
    """A seat drew a clue counter; ``trait`` is ``None`` to the others."""

    seat: Who
    trait: Secret[_Drawn]


@event(says="{seat} lays the clue “{face.words}”{is_open}", unseen="{seat} lays a clue")
class ClueChosen(Event):
    """A seat laid its clue counter; ``face`` is ``None`` to the others.

    By version 1 of the rules it ``is_open`` at once where the Stasi officer watches (CC-O1).
    """

    seat: Who
    face: Annotated[Face | None, _OPEN]
    is_open: Public[_Openly]
    rule: Name = "CC-S2"

    def apply(self, config: Config, state: State) -> State:
        return state.with_agent(self.seat, trait=None, clue=self.face)


@event("CC-O1", "{seat} opens the clue “{face.words}”: the Stasi officer is watching")
class ClueOpened(Event):
    """All have chosen their clues, and that of the seat under the Stasi officer's watch was opened."""

    seat: Who
    face: Public[Face]


@event("CC-S3", becomes={"stage": Stage.TURNING})
class DeckReady(Event):
    """All clues are laid: cards are turned from now on."""


@event("CC-V1")
class SuspectTurned(Event):
    """A seat turned a suspect: into its row, or onto its pile of the innocent."""

    seat: Who
    suspect: Public[SuspectId]
    is_match: Public[bool]

    def apply(self, config: Config, state: State) -> State:
        place = "row" if self.is_match else "pile"
        turned = (*getattr(state.agent(self.seat), place), self.suspect)
        return state.with_agent(self.seat, {"to_turn": config.after(self.seat)}, **{place: turned})

    def tell(self, config: Config) -> str:
        where = "a suspect, into the row" if self.is_match else "innocent, onto the pile"
        return f"{config.named(self.seat)} turns {self.suspect} ({faces_told(config.looks[self.suspect])}): {where}"


@event("CC-V2", "{seat} turns {card}, an investigator: the public clue is “{face.words}”")
class InvestigatorTurned(Event):
    """A seat turned an investigator card and tossed a counter of the bag: ``face`` is a public clue."""

    seat: Who
    card: Public[Name]
    face: Public[Face]

    def apply(self, config: Config, state: State) -> State:
        cards = tuple(card for card in state.cards if card != self.card)
        return change(state, cards=cards, public=(*state.public, self.face))


@event("CC-A2", "the deck is empty: all who have not accused must do so now", becomes={"stage": Stage.LAST_CALL})
class DeckEmptied(Event):
    """The last card was turned: all who have not accused must, one after the other."""


@event("CC-P1")
class WindowOpened(Event):
    """Everybody without an accusation may accuse or wait."""

    number: Annotated[int, Ge(1), PUBLIC]

    def apply(self, config: Config, state: State) -> State:
        return change(state, stage=Stage.WINDOW, window=self.number)


@event("CC-P1", "{seat} {answer} (sealed)", unseen="{seat} has answered", sets_own={"answer": "answer"})
class Answered(Event):
    """A seat answered in a window, sealed: ``answer`` is ``None`` to the others."""

    seat: Who
    answer: Secret[_Sealed]


@event(says="{seat} accuses {suspect}, {place:th} to accuse")
class Accused(Event):
    """A seat made its final accusation, as the ``place``-th of the round."""

    seat: Who
    suspect: Public[SuspectId]
    place: Annotated[int, Ge(1), Le(5), PUBLIC]
    rule: Name = "CC-A1"

    def apply(self, config: Config, state: State) -> State:
        return change(state, accusations=(*state.accusations, Accusation(self.seat, self.suspect)))


@event("CC-P1", "{seat} accuses {suspect} too, but {by} came first: no accusation yet", seen_by=OWNER)
class ClaimRejected(Event):
    """A seat accused a suspect whom ``by`` had accused just before: it has no accusation yet. Only it learns of this."""

    seat: Who
    suspect: Public[SuspectId]
    by: Who


@event("CC-P1", "{seat} accuses {suspect} too late: all but one had accused by then")
class ClaimVoid(Event):
    """A seat accused after all but one had: the round was over by then."""

    seat: Who
    suspect: Public[SuspectId]


@event("CC-P1")
class WindowClosed(Event):
    """All have answered, and the window closed."""

    def apply(self, config: Config, state: State) -> State:
        return change(state, stage=Stage.TURNING, agents=unsealed(state))


@event("CC-A2")
class RoundEnded(Event):
    """All have accused, or all but ``late``."""

    late: Public[Seat | None]

    def apply(self, config: Config, state: State) -> State:
        return change(state, stage=Stage.SCORING, watched=None, agents=unsealed(state))

    def tell(self, config: Config) -> str:
        late = "" if self.late is None else f" but {config.named(self.late)}"
        return f"the round is over: all{late} have accused"
