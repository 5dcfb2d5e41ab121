"""Who is where: by points once the markers are turned over, by their colours before (CC-K3, CC-E1)."""

from __future__ import annotations

from collections.abc import Iterable

from adjudicator.core.ids import Seat
from adjudicator.core.ruleset import Standing
from adjudicator.games.checkpoint_charlie.components import Colour
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.state import Agent, Stage, State


def standings(config: Config, state: State) -> tuple[Standing, ...]:
    """Return the seats from first to last; those level on everything share a place.

    Before the end all that counts is open to everybody: the colours of the markers, gold first, then white, then the fewest
    black; the score is 0. Then it is points, and for a tie the most gold.
    """
    is_final = state.stage is Stage.OVER
    rank = _points_rank if is_final else _colours_rank
    ranked = sorted(state.agents, key=lambda agent: rank(config, agent))
    keys = [rank(config, agent) for agent in ranked]
    return tuple(
        Standing(
            place=keys.index(rank(config, agent)) + 1,
            seat=agent.seat,
            score=config.points(agent.markers) if is_final else 0,
            note=colours_told(config.colours(agent.markers)),
            is_final=is_final,
        )
        for agent in ranked
    )


def winners(config: Config, state: State) -> tuple[Seat, ...]:
    """Return who has the most points, of those the most gold; several share the victory (CC-E1)."""
    best = min(_points_rank(config, agent) for agent in state.agents)
    return tuple(agent.seat for agent in state.agents if _points_rank(config, agent) == best)


def colours_told(colours: Iterable[Colour]) -> str:
    """Return how many markers of each colour there are, in words."""
    held = list(colours)
    return ", ".join(f"{held.count(colour)} {colour}" for colour in Colour if colour in held) or "no markers"


def _points_rank(config: Config, agent: Agent) -> tuple[int, ...]:
    return (-config.points(agent.markers), -_count(config, agent, Colour.GOLD))


def _colours_rank(config: Config, agent: Agent) -> tuple[int, ...]:
    gold, white, black = (_count(config, agent, colour) for colour in Colour)
    return (-gold, -white, black)


def _count(config: Config, agent: Agent, colour: Colour) -> int:
    return config.colours(agent.markers).count(colour)
