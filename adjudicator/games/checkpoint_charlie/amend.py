"""A state the moderator has amended: what follows from the new values is put right, what cannot be is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adjudicator.core.problem import Problem, SetupError
from adjudicator.games.checkpoint_charlie.check import check
from adjudicator.games.checkpoint_charlie.components import TRAIT_OF
from adjudicator.games.checkpoint_charlie.config import Config, trait_order
from adjudicator.games.checkpoint_charlie.orders import Accuse, Announce, Pass, Swap
from adjudicator.games.checkpoint_charlie.state import Agent, Speech, Stage, State, Statement
from adjudicator.games.checkpoint_charlie.whereabouts import (
    Holding,
    accusation_problems,
    card_problems,
    counter_problems,
    half_problems,
    marker_problems,
    watch_problems,
)


def validated_amendment(config: Config, state: State) -> State:
    """Return ``state`` with the bags in order, and each counter drawn that of the clue laid.

    Raises ``SetupError`` with everything that cannot be: a card, counter or marker in two places or nowhere, a row that
    does not match the clue, two accusations of one suspect, a sealed answer to nothing, seats changed.
    """
    if tuple(agent.seat for agent in state.agents) != config.seats:
        raise SetupError((_problem("the seats of a game cannot be amended"),))
    agents = tuple(_with_trait(agent) for agent in state.agents)
    problems = tuple(_problem(message) for message in _problems(config, replace(state, agents=agents)))
    if problems:
        raise SetupError(problems)
    return replace(
        state,
        agents=agents,
        deck=config.sorted(state.deck),
        bag=trait_order(state.bag),
        pool=config.sorted_markers(state.pool),
        spent=config.sorted_markers(state.spent),
    )


def _with_trait(agent: Agent) -> Agent:
    return agent if agent.clue is None else replace(agent, trait=TRAIT_OF[agent.clue])


def _problems(config: Config, state: State) -> Iterator[str]:
    holdings = [
        Holding(agent.seat, agent.trait, agent.clue, agent.row, agent.pile, agent.accused, agent.markers)
        for agent in state.agents
    ]
    yield from card_problems(config, holdings, state.deck)
    yield from counter_problems(holdings, state.public, state.bag)
    yield from marker_problems(config, holdings, state.pool, state.spent)
    yield from accusation_problems(holdings, state.accusations)
    yield from _turn_problems(config, state)
    for agent in state.agents:
        yield from _sealed_problems(config, state, agent)


def _turn_problems(config: Config, state: State) -> Iterator[str]:
    for what, seat in (("begin the round", state.first), ("turn the next card", state.to_turn)):
        if seat not in config.seats:
            yield f"there is no seat {seat or 'at all'} to {what}"
    if state.round > config.rounds:
        yield f"there are {config.rounds} rounds, no round {state.round}"
    if len(set(state.cards)) < len(state.cards) or not set(state.cards) <= set(config.unused):
        yield f"the deck cannot have the investigator cards {', '.join(state.cards)}"
    is_tossed = state.stage in (Stage.SCORING, Stage.HEARING, Stage.OVER)
    if not is_tossed and len(state.cards) + len(state.public) != len(config.unused):
        yield f"{len(config.unused)} investigator cards are in the deck, or their public clues are on the table"
    if state.stage in (Stage.HEARING, Stage.OVER) and state.bag:
        yield "all counters of the bag have been tossed for scoring"
    yield from half_problems(state.deck, state.cards)
    yield from watch_problems(config, (agent.seat for agent in state.agents if agent.is_watched))
    drawn = sum(agent.trait is not None for agent in state.agents)
    if drawn != (0 if state.stage is Stage.DRAWING else len(config.seats)):
        yield f"clue counters are drawn once, before the stage “{Stage.CLUES}”"
    has_clues = all(agent.clue is not None for agent in state.agents)
    if state.stage not in (Stage.DRAWING, Stage.CLUES) and not has_clues:
        yield f"everybody has laid a clue before the stage “{state.stage}”"
    if state.stage is Stage.LAST_CALL and (state.deck or state.cards):
        yield "the last call comes when the deck is empty"
    if state.stage in (Stage.SCORING, Stage.HEARING) and len(state.silent) > 1:
        yield "a round is scored when all but one have accused"
    in_play = state.stage in (Stage.TURNING, Stage.WINDOW)
    if in_play and len(state.silent) < 2:
        yield "once all but one have accused, the round is over"
    if not set(state.speaking) <= set(config.seats):
        yield "only seats can be asked"


def _sealed_problems(config: Config, state: State, agent: Agent) -> Iterator[str]:
    """Yield where a sealed answer or statement is none that its seat could have given now."""
    if agent.answer is not None:
        if state.stage is not Stage.WINDOW or agent.accused is not None:
            yield f"{agent.seat}: there is nothing to have answered"
        elif agent.answer.suspect is not None:
            order = Accuse(agent.answer.suspect, agent.answer.received)
            yield from _refused(config, state, replace(agent, answer=None), order)
        elif agent.answer.received is not None:
            yield f"{agent.seat}: only an accusation says when it was received"
    if agent.statement is not None:
        if state.stage is not Stage.HEARING or agent.seat not in state.speaking:
            yield f"{agent.seat}: there is nothing to have spoken to"
        else:
            yield from _statement_problems(config, state, agent, agent.statement)


def _statement_problems(config: Config, state: State, agent: Agent, statement: Statement) -> Iterator[str]:
    if statement.speech is Speech.SWAP:
        if statement.colour is None or statement.other not in config.seats:
            yield f"{agent.seat}: a swap names a colour and a seat"
            return
        order: Announce | Swap | Pass = Swap(statement.colour.value, str(statement.other))
    else:
        if statement.colour is not None or statement.other is not None:
            yield f"{agent.seat}: only a swap names a colour and a seat"
            return
        order = Announce() if statement.speech is Speech.ANNOUNCE else Pass()
    yield from _refused(config, state, replace(agent, statement=None), order)


def _refused(config: Config, state: State, agent: Agent, order: Accuse | Announce | Swap | Pass) -> Iterator[str]:
    """Yield why ``agent``, who has not spoken yet, may not give ``order`` in ``state``."""
    problem = check(config, state.with_agent(agent), agent.seat, order)
    if problem is not None:
        yield f"{agent.seat}: {problem.message}"


def _problem(message: str) -> Problem:
    return Problem("checkpoint-charlie/impossible-amendment", message)
