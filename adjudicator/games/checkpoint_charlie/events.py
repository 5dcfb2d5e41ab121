"""The events of a round before its scoring: counters, cards, windows, accusations."""

from __future__ import annotations

from typing import Annotated, Final

from adjudicator.game import OWNER, PUBLIC, Event, Mark, Meta, Name, Positive, Public, Said, Seat, Secret, replace
from adjudicator.games.checkpoint_charlie.components import FACES, Config, Face, SuspectId, Trait
from adjudicator.games.checkpoint_charlie.meta import MOST_ROUNDS
from adjudicator.games.checkpoint_charlie.state import Accusation, Agent, Answer, Stage, State, begin

Called = Annotated[Seat, Said(lambda config, seat: config.named(seat))]
"""A seat that sentences name by its investigator."""
Who = Public[Called]
_Drawn = Annotated[Trait | None, Said(lambda _config, trait: tuple(f"“{face.words}”" for face in FACES[trait]))]
_Openly = Annotated[bool, Said(lambda _config, is_open: ", open to all: the Stasi officer is watching" if is_open else "")]
_Sealed = Annotated[Answer | None, Said(lambda _config, answer: answer.text())]
_OPEN: Final = Mark(lambda _config, laid, _holder, viewer: laid.is_open or viewer == laid.seat)


def faces_told(faces: tuple[Face, ...]) -> str:
    """Return the words for ``faces``."""
    return ", ".join(face.words for face in faces)


def unsealed(state: State) -> tuple[Agent, ...]:
    """Return the agents of ``state`` without sealed answers and statements."""
    return tuple(replace(agent, answer=None, statement=None) for agent in state.agents)


class FirstDrawn(Event):
    """Chance gave the first player of the game."""

    says = "{seat} is drawn to begin"
    sets = {"first": "seat", "to_turn": "seat"}
    seat: Who
    rule: Name = "CC-S1"


class RoundBegun(Event):
    """All cards and counters went back, and the next round began with ``first``."""

    says = "round {round} begins; {first} is first"
    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS), PUBLIC]
    first: Who
    rule: Name = "CC-S1"

    def apply(self, config: Config, state: State) -> State:
        agents = tuple(Agent(seat=agent.seat, markers=agent.markers, spent=agent.spent) for agent in state.agents)
        kept = replace(begin(config), agents=agents, watched=state.watched, swaps=state.swaps)
        return replace(kept, round=self.round, first=self.first, to_turn=self.first)


class CounterDrawn(Event):
    """A seat drew a clue counter; ``trait`` is ``None`` to the others."""

    says = "{seat} draws the clue counter with {trait}"
    unseen = "{seat} draws a clue counter"
    sets = {"own.trait": "trait"}
    seat: Who
    trait: Secret[_Drawn]
    rule: Name = "CC-S2"


class ClueChosen(Event):
    """A seat laid its clue counter; ``face`` is ``None`` to the others.

    By version 1 of the rules it ``is_open`` at once where the Stasi officer watches (CC-O1).
    """

    says = "{seat} lays the clue “{face.words}”{is_open}"
    unseen = "{seat} lays a clue"
    sets = {"own.clue": "face"}
    becomes = {"own.trait": None}
    seat: Who
    face: Annotated[Face | None, _OPEN]
    is_open: Public[_Openly]
    rule: Name = "CC-S2"


class ClueOpened(Event):
    """All have chosen their clues, and that of the seat under the Stasi officer's watch was opened."""

    says = "{seat} opens the clue “{face.words}”: the Stasi officer is watching"
    seat: Who
    face: Public[Face]
    rule: Name = "CC-O1"


class DeckReady(Event):
    """All clues are laid: cards are turned from now on."""

    becomes = {"stage": Stage.TURNING}
    rule: Name = "CC-S3"


class SuspectTurned(Event):
    """A seat turned a suspect: into its row, or onto its pile of the innocent."""

    seat: Who
    suspect: Public[SuspectId]
    is_match: Public[bool]
    rule: Name = "CC-V1"

    def apply(self, config: Config, state: State) -> State:
        place = "row" if self.is_match else "pile"
        turned = (*getattr(state.of(self.seat), place), self.suspect)
        return state.with_own(self.seat, {"to_turn": config.after(self.seat)}, **{place: turned})

    def tell(self, config: Config) -> str:
        where = "a suspect, into the row" if self.is_match else "innocent, onto the pile"
        return f"{config.named(self.seat)} turns {self.suspect} ({faces_told(config.looks[self.suspect])}): {where}"


class InvestigatorTurned(Event):
    """A seat turned an investigator card and tossed a counter of the bag: ``face`` is a public clue."""

    says = "{seat} turns {card}, an investigator: the public clue is “{face.words}”"
    moves = ("card: cards >", "face: > public")
    seat: Who
    card: Public[Name]
    face: Public[Face]
    rule: Name = "CC-V2"


class DeckEmptied(Event):
    """The last card was turned: all who have not accused must, one after the other."""

    says = "the deck is empty: all who have not accused must do so now"
    becomes = {"stage": Stage.LAST_CALL}
    rule: Name = "CC-A2"


class WindowOpened(Event):
    """Everybody without an accusation may accuse or wait."""

    becomes = {"stage": Stage.WINDOW}
    sets = {"window": "number"}
    number: Annotated[Positive, PUBLIC]
    rule: Name = "CC-P1"


class Answered(Event):
    """A seat answered in a window, sealed: ``answer`` is ``None`` to the others."""

    says = "{seat} {answer} (sealed)"
    unseen = "{seat} has answered"
    sets = {"own.answer": "answer"}
    seat: Who
    answer: Secret[_Sealed]
    rule: Name = "CC-P1"


class Accused(Event):
    """A seat made its final accusation, as the ``place``-th of the round."""

    says = "{seat} accuses {suspect}, {place:th} to accuse"
    seat: Who
    suspect: Public[SuspectId]
    place: Annotated[int, Meta(ge=1, le=5), PUBLIC]
    rule: Name = "CC-A1"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, accusations=(*state.accusations, Accusation(self.seat, self.suspect)))


class ClaimRejected(Event):
    """A seat accused a suspect whom ``by`` had accused just before: it has no accusation yet. Only it learns of this."""

    says = "{seat} accuses {suspect} too, but {by} came first: no accusation yet"
    seen_by = OWNER
    seat: Who
    suspect: Public[SuspectId]
    by: Who
    rule: Name = "CC-P1"


class ClaimVoid(Event):
    """A seat accused after all but one had: the round was over by then."""

    says = "{seat} accuses {suspect} too late: all but one had accused by then"
    seat: Who
    suspect: Public[SuspectId]
    rule: Name = "CC-P1"


class WindowClosed(Event):
    """All have answered, and the window closed."""

    rule: Name = "CC-P1"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, stage=Stage.TURNING, agents=unsealed(state))


class RoundEnded(Event):
    """All have accused, or all but ``late``."""

    late: Public[Seat | None]
    rule: Name = "CC-A2"

    def apply(self, config: Config, state: State) -> State:
        return replace(state, stage=Stage.SCORING, watched=None, agents=unsealed(state))

    def tell(self, config: Config) -> str:
        late = "" if self.late is None else f" but {config.named(self.late)}"
        return f"the round is over: all{late} have accused"
