"""What seats hold and what all may conclude from the colours (CC-C3, CC-E1, CC-O1, CC-O2)."""

from __future__ import annotations

from adjudicator.core.ids import Seat
from adjudicator.games.checkpoint_charlie.components import ENOUGH, Colour, MarkerId, Power
from adjudicator.games.checkpoint_charlie.config import Config
from adjudicator.games.checkpoint_charlie.state import State


def stasi_holder(config: Config, state: State) -> tuple[Seat, MarkerId] | None:
    """Return who holds the Stasi marker, which lies open, and its id; ``None`` while it is in the pool or not played."""
    for agent in state.agents:
        for marker in agent.markers:
            if config.is_power(marker, Power.STASI):
                return agent.seat, marker
    return None


def swappable(config: Config, state: State, seat: Seat, colour: Colour) -> tuple[MarkerId, ...]:
    """Return the face-down markers of ``colour`` that ``seat`` holds: the Stasi marker is none (CC-O2)."""
    return tuple(
        marker
        for marker in state.agent(seat).markers
        if config.markers[marker].colour is colour and not config.is_power(marker, Power.STASI)
    )


def adler_of(config: Config, state: State, seat: Seat, colour: Colour) -> MarkerId | None:
    """Return a Café Adler marker of ``colour`` that ``seat`` holds and nobody has exchanged yet, or ``None``."""
    return next(
        (
            marker
            for marker in swappable(config, state, seat, colour)
            if config.is_power(marker, Power.ADLER) and marker not in state.spent
        ),
        None,
    )


def partners(config: Config, state: State, seat: Seat, colour: Colour) -> tuple[Seat, ...]:
    """Return the seats with whom ``seat`` could exchange a marker of ``colour``, in the order of the seats."""
    return tuple(other for other in config.seats if other != seat and swappable(config, state, other, colour))


def may_swap(config: Config, state: State, seat: Seat) -> bool:
    """Return whether ``seat`` could hold a Café Adler marker and a partner for it, for all that is open to everybody."""
    return any(
        _adlers(config, colour) > state.swaps.count(colour)
        and swappable(config, state, seat, colour)
        and partners(config, state, seat, colour)
        for colour in Colour
    )


def may_announce(config: Config, state: State, seat: Seat) -> bool:
    """Return whether ``seat`` could have ten points, for all that is open to everybody: the colours it holds (CC-E1)."""
    return state.ending is None and most_points(config, state, seat) >= ENOUGH


def most_points(config: Config, state: State, seat: Seat) -> int:
    """Return the points that the markers of ``seat`` are worth at most, judged by their colours."""
    holder = stasi_holder(config, state)
    most = 0
    for colour in Colour:
        worth = sorted(
            (
                marker.points
                for marker in config.markers.values()
                if marker.colour is colour and marker.power is not Power.STASI
            ),
            reverse=True,
        )
        most += sum(worth[: len(swappable(config, state, seat, colour))])
    if holder is not None and holder[0] == seat:
        most += config.markers[holder[1]].points
    return most


def runs_out(config: Config, state: State) -> bool:
    """Return whether a colour has run out; a Stasi marker that will go back to the pool counts as there (CC-O1)."""
    left = set(config.colours(state.pool))
    if stasi_holder(config, state) is not None:
        left.add(Colour.BLACK)
    return len(left) < len(Colour)


def _adlers(config: Config, colour: Colour) -> int:
    return sum(marker.colour is colour and marker.power is Power.ADLER for marker in config.markers.values())
