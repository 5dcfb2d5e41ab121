"""What comes of a window once everybody has answered (CC-A1, CC-A2, CC-P1)."""

from __future__ import annotations

from adjudicator.game import Seat
from adjudicator.games.checkpoint_charlie import events as happened
from adjudicator.games.checkpoint_charlie.components import Config, SuspectId
from adjudicator.games.checkpoint_charlie.deck import Moves
from adjudicator.games.checkpoint_charlie.state import State


def close_window(config: Config, state: State) -> Moves:
    """Settle the sealed claims one after the other; the one that makes all but one ends the round."""
    for seat, suspect in claims(config, state):
        accuser = state.accuser(suspect)
        if len(state.silent) == 1:
            state = yield happened.ClaimVoid(seat=seat, suspect=suspect)
        elif accuser is not None:
            state = yield happened.ClaimRejected(seat=seat, suspect=suspect, by=accuser)
        else:
            state = yield happened.Accused(seat=seat, suspect=suspect, place=len(state.accusations) + 1)
    if len(state.silent) == 1:
        yield happened.RoundEnded(late=state.silent[0])
    else:
        yield happened.WindowClosed()


def claims(config: Config, state: State) -> list[tuple[Seat, SuspectId]]:
    """Return the sealed claims in the order in which they count.

    By the time they were received if that is told of every one of them, those of the same time and all others in playing
    order from the next to turn a card (CC-P1).
    """
    assert state.to_turn is not None
    found = []
    for seat in config.from_seat(state.to_turn):
        answer = state.agent(seat).answer
        if answer is not None and answer.suspect is not None:
            found.append((answer.received, seat, answer.suspect))
    if all(received is not None for received, _, _ in found):
        # A minute without its seconds is its beginning.
        found.sort(key=lambda claim: f"{claim[0]}:00"[: len("2026-11-20T18:05:00")])
    return [(seat, suspect) for _, seat, suspect in found]
