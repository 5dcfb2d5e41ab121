"""What a viewer may know: the one place where secrets are hidden (clues, sealed answers, the markers' values)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from adjudicator.core.conditions import Facts, Value
from adjudicator.core.ids import MODERATOR, Name, Seat, Viewer
from adjudicator.core.ruleset import Decision
from adjudicator.games.checkpoint_charlie.components import Colour, Face, MarkerId, SuspectId, Trait
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.events import (
    Answered,
    ClaimRejected,
    ClueChosen,
    CounterDrawn,
    MarkerDrawn,
    MarkersSwapped,
    Stated,
    SwapVoid,
)
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Clue, Pass, Swap, Wait
from adjudicator.games.checkpoint_charlie.purse import stasi_holder
from adjudicator.games.checkpoint_charlie.state import Agent, Answer, Ending, Stage, State, Statement
from adjudicator.games.checkpoint_charlie.turn import awaiting

SEALED: Final = "(sealed answer)"
"""What everybody reads in the place of a sealed answer."""
LAID: Final = "CLUE"
"""What everybody reads in the place of a secret clue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentView:
    """What a viewer knows of a seat: ``trait``, ``clue``, ``markers`` and ``points`` are ``None`` where they are secret.

    ``has_answered`` tells that a sealed answer or statement is in; ``answer`` and ``statement`` what it says, to those
    who may know. ``spent`` are markers of its own that cannot be exchanged any more.
    """

    seat: Seat
    investigator: Name
    trait: Trait | None
    clue: Face | None
    row: tuple[SuspectId, ...]
    pile: tuple[SuspectId, ...]
    accused: SuspectId | None
    colours: tuple[Colour, ...]
    markers: tuple[MarkerId, ...] | None
    spent: tuple[MarkerId, ...] | None
    points: int | None
    is_watched: bool
    has_answered: bool
    answer: Answer | None
    statement: Statement | None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a viewer knows of the position.

    ``unseen`` are the suspects not turned this round, ``cards`` the investigator cards in the deck, ``bag_count`` counts
    the clue counters in the bag, ``pool`` gives the colours left. ``stasi`` holds the Stasi marker, which lies open.
    """

    viewer: Viewer
    stage: Stage
    round: int
    first: Seat | None
    to_turn: Seat | None
    unseen: tuple[SuspectId, ...]
    cards: tuple[Name, ...]
    bag_count: int
    public: tuple[Face, ...]
    agents: tuple[AgentView, ...]
    accusations: tuple[Seat, ...]
    window: int
    pool: tuple[Colour, ...]
    swaps: tuple[Colour, ...]
    stasi: Seat | None
    ending: Ending | None
    due: tuple[Decision, ...]

    def agent(self, seat: str) -> AgentView | None:
        """Return what is known of ``seat``, or ``None`` if there is no such seat."""
        return next((agent for agent in self.agents if agent.seat == seat), None)

    @property
    def shown(self) -> tuple[SuspectId, ...]:
        """The suspects turned this round, seat by seat."""
        return tuple(suspect for agent in self.agents for suspect in (*agent.row, *agent.pile))


def view(config: Config, state: State, viewer: Viewer) -> View:
    """Return what ``viewer`` may know of ``state``."""
    stasi = stasi_holder(config, state)
    return View(
        viewer=viewer,
        stage=state.stage,
        round=state.round,
        first=state.first,
        to_turn=state.to_turn,
        unseen=state.deck,
        cards=state.cards,
        bag_count=len(state.bag),
        public=state.public,
        agents=tuple(_agent_view(config, state, agent, viewer) for agent in state.agents),
        accusations=state.accusations,
        window=state.window,
        # Colour by colour: the order of the component set would tell which of them are left.
        pool=tuple(sorted(config.colours(state.pool), key=tuple(Colour).index)),
        swaps=state.swaps,
        stasi=stasi[0] if stasi else None,
        ending=state.ending,
        due=awaiting(config, state),
    )


def _sees(viewer: Viewer, seat: Seat) -> bool:
    return viewer in (seat, MODERATOR)


def _agent_view(config: Config, state: State, agent: Agent, viewer: Viewer) -> AgentView:
    is_own = _sees(viewer, agent.seat)
    is_over = state.stage is Stage.OVER
    is_clue_open = is_own or is_over or state.stage in (Stage.SCORING, Stage.HEARING) or agent.is_watched
    has_laid = state.stage is Stage.CLUES and agent.clue is not None
    return AgentView(
        seat=agent.seat,
        investigator=config.investigators[agent.seat],
        trait=agent.trait if is_own or (is_clue_open and agent.clue) else None,
        clue=agent.clue if is_clue_open else None,
        row=agent.row,
        pile=agent.pile,
        accused=agent.accused,
        colours=config.colours(agent.markers),
        markers=agent.markers if is_own or is_over else None,
        spent=tuple(marker for marker in agent.markers if marker in state.spent) if is_own or is_over else None,
        points=config.points(agent.markers) if is_own or is_over else None,
        is_watched=agent.is_watched,
        has_answered=has_laid or agent.answer is not None or agent.statement is not None,
        answer=agent.answer if is_own else None,
        statement=agent.statement if is_own else None,
    )


def redact(_config: Config, event: Any, viewer: Viewer) -> Any:
    """Return ``event`` as ``viewer`` sees it: what is sealed, secret or face down is ``None`` to all but those it is of.

    What came to nothing only its seat is told: a claim that another was before, a swap whose marker was taken.
    """
    match event:
        case CounterDrawn(seat=seat) if not _sees(viewer, seat):
            return replace(event, trait=None)
        case ClueChosen(seat=seat, is_open=False) if not _sees(viewer, seat):
            return replace(event, face=None)
        case Answered(seat=seat) if not _sees(viewer, seat):
            return replace(event, answer=None)
        case Stated(seat=seat) if not _sees(viewer, seat):
            return replace(event, statement=None)
        case MarkerDrawn(seat=seat) if not _sees(viewer, seat):
            return replace(event, marker=None)
        case ClaimRejected(seat=seat) | SwapVoid(seat=seat) if not _sees(viewer, seat):
            return None
        case MarkersSwapped(seat=seat, other=other) if viewer not in (seat, other, MODERATOR):
            return replace(event, given=None, taken=None)
        case _:
            return event


def public_text(_config: Config, state: State, seat: Seat, order: Any) -> str | None:
    """Return the words in which everybody may read ``order``: a sealed answer, or a clue that is nobody else's business."""
    match order:
        case Clue():
            return None if state.agent(seat).is_watched else LAID
        case Accuse() if state.stage is Stage.LAST_CALL:
            return None
        case Accuse() | Wait() | Announce() | Swap() | Pass():
            return SEALED
        case _:
            return None


FACT_NAMES: Final = {
    "round": "the number of the round, from 1",
    "window": "the number of the last window of the round, from 1",
    "shown": "the suspects turned this round, or how many",
    "deck": "cards left in the deck, investigators' cards among them",
    "row": "the suspects of the own row, or how many; `row of X` for an investigator or a seat",
    "pile": "the own pile of the innocent, or how many; `pile of X`",
    "accused": "all who are accused, or how many; `accused of X`: whom that one accuses",
    "public": "the public clues, or how many; a face is one word there, such as no_hat",
    "clue": "the own clue, in one word; `clue of X` where it lies open",
    "looks": "`looks of SUSPECT`: its five faces, such as hat or no_newspaper",
    "matches": "`matches of SUSPECT`: how many of the clues one knows it matches, the own and those open to all",
    "markers": "the own score markers by id, or how many; `markers of X`: how many",
    "points": "what the own markers are worth",
    "gold": "gold markers, how many; `gold of X`",
    "white": "white markers, how many; `white of X`",
    "black": "black markers, how many; `black of X`",
    "pool": "score markers left, how many; `pool of gold`",
}
"""The facts for conditions, in words."""


def names(config: Config) -> frozenset[str]:
    """Return the words that facts are compared with, in lower case: seats, who plays there, suspects, faces, markers."""
    people = (*config.seats, *config.investigators.values(), *config.looks)
    return frozenset(str(word).lower() for word in (*people, *Face, *Colour, *config.markers))


def facts(config: Config, seen: View) -> Facts:
    """Return the named values that conditions of the viewer may use; X is an investigator or a seat, in any case."""
    own = seen.agent(seen.viewer or "")

    def of_agent(value: Callable[[AgentView], Value]) -> Callable[[str], Value]:
        def look_up(argument: str) -> Value:
            agent = seen.agent(config.seat_called(argument) or "") if argument else own
            return None if agent is None else value(agent)

        return look_up

    def of_colour(colour: Colour) -> Callable[[str], Value]:
        return of_agent(lambda agent: agent.colours.count(colour))

    accused = tuple(agent.accused for agent in seen.agents if agent.accused is not None)
    return {
        "round": seen.round,
        "window": seen.window,
        "shown": seen.shown,
        "deck": len(seen.unseen) + len(seen.cards),
        "row": of_agent(lambda agent: agent.row),
        "pile": of_agent(lambda agent: agent.pile),
        "accused": lambda argument: of_agent(lambda agent: agent.accused)(argument) if argument else accused,
        "public": tuple(face.value for face in seen.public),
        "clue": of_agent(lambda agent: agent.clue.value if agent.clue else None),
        "looks": lambda argument: _looks(config, argument),
        "matches": lambda argument: _matches(config, seen, argument),
        "markers": of_agent(lambda agent: len(agent.colours) if agent.markers is None else agent.markers),
        "points": of_agent(lambda agent: agent.points),
        "gold": of_colour(Colour.GOLD),
        "white": of_colour(Colour.WHITE),
        "black": of_colour(Colour.BLACK),
        "pool": lambda argument: _pool(seen, argument.lower()),
    }


def known_clues(seen: View) -> tuple[Face, ...]:
    """Return the clues that the viewer knows: its own, those that lie open, the public ones."""
    return tuple(agent.clue for agent in seen.agents if agent.clue is not None) + seen.public


def _pool(seen: View, colour: str) -> Value:
    if not colour:
        return len(seen.pool)
    return seen.pool.count(Colour(colour)) if colour in set(Colour) else None


def _looks(config: Config, argument: str) -> Value:
    looks = config.looks.get(SuspectId(argument.capitalize()))
    return None if looks is None else tuple(face.value for face in looks)


def _matches(config: Config, seen: View, argument: str) -> Value:
    suspect = SuspectId(argument.capitalize())
    return len(config.matched(suspect, known_clues(seen))) if suspect in config.looks else None
