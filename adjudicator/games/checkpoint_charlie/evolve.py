"""What an event changes in the state: never refuses, never rolls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from adjudicator.core.change import change
from adjudicator.core.event import Spent
from adjudicator.games.checkpoint_charlie import events as happened
from adjudicator.games.checkpoint_charlie.components import TRAIT_OF, TRAITS, Face, MarkerId, Power
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.state import Agent, Stage, State


def evolve(config: Config, state: State, event: Any) -> State:
    """Return ``state`` after ``event``."""
    return _EVOLVED[type(event)](config, state, event)


# The beginning of a round -------------------------------------------------------------------------------------------


def _first_drawn(_config: Config, state: State, event: happened.FirstDrawn) -> State:
    return change(state, first=event.seat, to_turn=event.seat)


def _round_begun(config: Config, state: State, event: happened.RoundBegun) -> State:
    agents = tuple(Agent(seat=agent.seat, markers=agent.markers, is_watched=agent.is_watched) for agent in state.agents)
    return change(
        state,
        stage=Stage.DRAWING,
        round=event.round,
        first=event.first,
        to_turn=event.first,
        deck=tuple(config.rank),
        cards=config.unused,
        bag=TRAITS,
        public=(),
        agents=agents,
        accusations=(),
        window=0,
        speaking=(),
    )


def _counter_drawn(_config: Config, state: State, event: happened.CounterDrawn) -> State:
    bag = tuple(trait for trait in state.bag if trait is not event.trait)
    drawn = state.with_agent(change(state.agent(event.seat), trait=event.trait), bag=bag)
    is_all = all(agent.trait is not None for agent in drawn.agents)
    return change(drawn, stage=Stage.CLUES) if is_all else drawn


def _clue_chosen(_config: Config, state: State, event: happened.ClueChosen) -> State:
    return state.with_agent(change(state.agent(event.seat), clue=event.face))


def _deck_ready(_config: Config, state: State, _event: happened.DeckReady) -> State:
    return change(state, stage=Stage.TURNING)


# Cards and accusations ----------------------------------------------------------------------------------------------


def _suspect_turned(config: Config, state: State, event: happened.SuspectTurned) -> State:
    agent = state.agent(event.seat)
    if event.is_match:
        agent = change(agent, row=(*agent.row, event.suspect))
    else:
        agent = change(agent, pile=(*agent.pile, event.suspect))
    deck = tuple(suspect for suspect in state.deck if suspect != event.suspect)
    return state.with_agent(agent, deck=deck, to_turn=config.after(event.seat))


def _investigator_turned(_config: Config, state: State, event: happened.InvestigatorTurned) -> State:
    tossed = _with_public(state, event.face)
    return change(tossed, cards=tuple(card for card in state.cards if card != event.card))


def _with_public(state: State, face: Face) -> State:
    bag = tuple(trait for trait in state.bag if trait is not TRAIT_OF[face])
    return change(state, public=(*state.public, face), bag=bag)


def _window_opened(_config: Config, state: State, event: happened.WindowOpened) -> State:
    return change(state, stage=Stage.WINDOW, window=event.number)


def _answered(_config: Config, state: State, event: happened.Answered) -> State:
    return state.with_agent(change(state.agent(event.seat), answer=event.answer))


def _accused(_config: Config, state: State, event: happened.Accused) -> State:
    accusing = change(state.agent(event.seat), accused=event.suspect)
    return state.with_agent(accusing, accusations=(*state.accusations, event.seat))


def _window_closed(_config: Config, state: State, _event: happened.WindowClosed) -> State:
    return change(state, stage=Stage.TURNING, agents=_unsealed(state))


def _unsealed(state: State) -> tuple[Agent, ...]:
    return tuple(change(agent, answer=None, statement=None) for agent in state.agents)


def _deck_emptied(_config: Config, state: State, _event: happened.DeckEmptied) -> State:
    return change(state, stage=Stage.LAST_CALL)


# The scoring phase --------------------------------------------------------------------------------------------------


def _round_ended(_config: Config, state: State, _event: happened.RoundEnded) -> State:
    agents = tuple(change(agent, answer=None, is_watched=False) for agent in state.agents)
    return change(state, stage=Stage.SCORING, agents=agents)


def _counter_tossed(_config: Config, state: State, event: happened.CounterTossed) -> State:
    return _with_public(state, event.face)


def _marker_drawn(_config: Config, state: State, event: happened.MarkerDrawn) -> State:
    agent = state.agent(event.seat)
    markers = agent.markers if event.marker is None else (*agent.markers, event.marker)
    return state.with_agent(change(agent, markers=markers), pool=_without(state.pool, event.marker))


def _stasi_returned(config: Config, state: State, event: happened.StasiReturned) -> State:
    agent = state.agent(event.seat)
    watched = change(agent, markers=_without(agent.markers, event.marker), is_watched=True)
    return state.with_agent(watched, pool=config.sorted_markers((*state.pool, event.marker)))


def _end_declared(_config: Config, state: State, event: happened.EndDeclared) -> State:
    return change(state, ending=event.reason)


def _hearing_opened(_config: Config, state: State, event: happened.HearingOpened) -> State:
    return change(state, stage=Stage.HEARING, speaking=event.seats)


def _stated(_config: Config, state: State, event: happened.Stated) -> State:
    return state.with_agent(change(state.agent(event.seat), statement=event.statement))


def _markers_swapped(config: Config, state: State, event: happened.MarkersSwapped) -> State:
    """Each marker takes the other's place; a Café Adler marker that was exchanged can be exchanged no more (CC-O2)."""
    giver, other = state.agent(event.seat), state.agent(event.other)
    given, taken = event.given, event.taken
    swapped = state
    spent = state.spent
    if given is not None and taken is not None:
        swapped = swapped.with_agent(change(giver, markers=_replaced(giver.markers, given, taken)))
        swapped = swapped.with_agent(change(other, markers=_replaced(other.markers, taken, given)))
        adlers = {marker for marker in (given, taken) if config.is_power(marker, Power.ADLER)}
        spent = config.sorted_markers(adlers.union(spent))
    return change(swapped, spent=spent, swaps=(*state.swaps, event.colour))


def _hearing_closed(_config: Config, state: State, _event: happened.HearingClosed) -> State:
    return change(state, stage=Stage.SCORING, speaking=(), agents=_unsealed(state))


def _game_ended(_config: Config, state: State, _event: happened.GameEnded) -> State:
    return change(state, stage=Stage.OVER)


def _unchanged(_config: Config, state: State, _event: Any) -> State:
    return state


def _without(markers: tuple[MarkerId, ...], gone: MarkerId | None) -> tuple[MarkerId, ...]:
    return tuple(marker for marker in markers if marker != gone)


def _replaced(markers: tuple[MarkerId, ...], old: MarkerId, new: MarkerId) -> tuple[MarkerId, ...]:
    return tuple(new if marker == old else marker for marker in markers)


_EVOLVED: Final[dict[type, Callable[[Config, State, Any], State]]] = {
    happened.FirstDrawn: _first_drawn,
    happened.RoundBegun: _round_begun,
    happened.CounterDrawn: _counter_drawn,
    happened.ClueChosen: _clue_chosen,
    happened.DeckReady: _deck_ready,
    happened.SuspectTurned: _suspect_turned,
    happened.InvestigatorTurned: _investigator_turned,
    happened.WindowOpened: _window_opened,
    happened.Answered: _answered,
    happened.Accused: _accused,
    happened.ClaimRejected: _unchanged,
    happened.ClaimVoid: _unchanged,
    happened.WindowClosed: _window_closed,
    happened.DeckEmptied: _deck_emptied,
    happened.RoundEnded: _round_ended,
    happened.ClueRevealed: _unchanged,
    happened.CounterTossed: _counter_tossed,
    happened.ChiefNamed: _unchanged,
    happened.AccusationJudged: _unchanged,
    happened.MarkerDrawn: _marker_drawn,
    happened.MarkerMissed: _unchanged,
    happened.StasiShown: _unchanged,
    happened.StasiReturned: _stasi_returned,
    happened.EndDeclared: _end_declared,
    happened.HearingOpened: _hearing_opened,
    happened.Stated: _stated,
    happened.PointsAnnounced: _unchanged,
    happened.MarkersSwapped: _markers_swapped,
    happened.SwapVoid: _unchanged,
    happened.HearingClosed: _hearing_closed,
    happened.GameEnded: _game_ended,
    Spent: _unchanged,
}
