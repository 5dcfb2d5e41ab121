"""The markers of seats and public conclusions from their colours (CC-C3, CC-E1, CC-O1, CC-O2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from adjudicator.game import Seat
from adjudicator.games.checkpoint_charlie.components import ENOUGH, Colour, Config, MarkerId, Power
from adjudicator.games.checkpoint_charlie.state import Agent, Here, State


def colours(config: Config, agent: Agent) -> tuple[Colour, ...]:
    """Return the colours of the markers that ``agent`` holds, in their order."""
    return tuple([config.colour_of(marker) for marker in agent.markers])


def colours_left(config: Config, state: State) -> Counter[Colour]:
    """Return how many markers of each colour are in the pool."""
    left = Counter(marker.colour for marker in config.markers.values())
    for agent in state.agents:
        left.subtract(colours(config, agent))
    return left


def colours_told(held: Iterable[Colour]) -> str:
    """Describe the number of markers of each colour."""
    counts = Counter(held)
    return ", ".join(f"{counts[colour]} {colour}" for colour in Colour if counts[colour]) or "no markers"


def stasi_holder(config: Config, state: State) -> tuple[Seat, MarkerId] | None:
    """Return who holds the Stasi marker, which lies open, and its id; ``None`` while it is in the pool or not played."""
    held = ((agent.seat, marker) for agent in state.agents for marker in agent.markers)
    return next((one for one in held if config.power_of(one[1]) is Power.STASI), None)


def swappable(config: Config, agent: Agent, colour: Colour) -> tuple[MarkerId, ...]:
    """Return the face-down markers of ``colour`` that ``agent`` holds: the Stasi marker is none (CC-O2)."""
    return tuple([marker for marker in _face_down(config, agent) if config.colour_of(marker) is colour])


def _face_down(config: Config, agent: Agent) -> list[MarkerId]:
    """Return the markers of ``agent`` that only it sees."""
    return [marker for marker in agent.markers if marker not in agent.spent and config.power_of(marker) is not Power.STASI]


def adler_of(config: Config, agent: Agent, colour: Colour) -> MarkerId | None:
    """Return a Café Adler marker of ``colour`` that ``agent`` holds, not exchanged yet, or ``None``."""
    own = swappable(config, agent, colour)
    return next((marker for marker in own if config.power_of(marker) is Power.ADLER), None)


def partners(at: Here, colour: Colour) -> tuple[Seat, ...]:
    """Return the seats with whom the seat could exchange a marker of ``colour``, in the order of the seats."""
    config = at.config
    return tuple(other for other in config.seats if other != at.seat and swappable(config, at.of(other), colour))


def may_swap(at: Here) -> bool:
    """Return whether the seat could hold a Café Adler marker and have a partner for it, by public knowledge."""
    config = at.config
    return any(
        config.adlers.get(colour, 0) > _exchanged(config, at.state, colour)
        and swappable(config, at.own, colour)
        and partners(at, colour)
        for colour in Colour
    )


def _exchanged(config: Config, state: State, colour: Colour) -> int:
    """Return how many Café Adler markers of ``colour`` have been exchanged, by public knowledge."""
    return sum(config.colour_of(marker) is colour for agent in state.agents for marker in agent.spent)


def may_announce(at: Here) -> bool:
    """Return whether the seat could have ten points, by public knowledge.

    That is the colours it holds, and which markers lie open, be it with that seat or with others (CC-E1).
    """
    config, own = at.config, at.own
    values = {colour: list(worth) for colour, worth in config.values.items()}
    for agent in at.state.agents:
        for marker in agent.spent:
            values[config.colour_of(marker)].remove(config.points([marker]))
    hidden = _face_down(config, own)
    most = sum(sum(values[colour][:held]) for colour, held in Counter(map(config.colour_of, hidden)).items())
    most += config.points(marker for marker in own.markers if marker not in hidden)
    return at.state.ending is None and most >= ENOUGH


def colours_next(config: Config, state: State) -> Counter[Colour]:
    """Return how many markers of each colour are in the pool in the next scoring: the Stasi marker goes back (CC-O1)."""
    return colours_left(config, state) + Counter({Colour.BLACK: 1} if stasi_holder(config, state) else {})


def points_rank(config: Config, agent: Agent) -> tuple[int, ...]:
    """Return the key of ``agent`` once its markers lie open: the most points, then the most gold, come first (CC-E1)."""
    return (-config.points(agent.markers), -colours(config, agent).count(Colour.GOLD))


def colours_rank(config: Config, agent: Agent) -> tuple[int, ...]:
    """Return the key of ``agent`` before that: the most gold, then white, then the fewest black come first (CC-K3)."""
    held = colours(config, agent)
    return (-held.count(Colour.GOLD), -held.count(Colour.WHITE), held.count(Colour.BLACK))


def winners(config: Config, state: State) -> tuple[Seat, ...]:
    """Return who has the most points, of those the most gold; several share the victory (CC-E1)."""
    best = min(points_rank(config, agent) for agent in state.agents)
    return tuple(agent.seat for agent in state.agents if points_rank(config, agent) == best)
