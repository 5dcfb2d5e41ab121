"""Who is where: finishers by time, the others by checkpoints and time (CR-F3)."""

from __future__ import annotations

from adjudicator.core.ruleset import Standing
from adjudicator.games.checkpoint_rally.config import Config
from adjudicator.games.checkpoint_rally.state import Racer, Stage, State


def standings(_config: Config, state: State) -> tuple[Standing, ...]:
    """Return the seats from first to last; those level on everything share a place.

    Finishers come first, by minutes, ties by who finished first; then the others, by checkpoints marked and minutes:
    not classified once the game is over.
    """
    is_final = state.stage is Stage.OVER
    ranked = sorted(state.racers, key=_rank)
    keys = [_rank(racer) for racer in ranked]
    return tuple(
        Standing(
            place=keys.index(_rank(racer)) + 1,
            seat=racer.seat,
            score=racer.minutes,
            note=_note(racer, is_final=is_final),
            is_final=is_final,
        )
        for racer in ranked
    )


def _rank(racer: Racer) -> tuple[int, int, int]:
    if racer.place is not None:
        return (0, racer.minutes, racer.place)
    return (1, -len(racer.marked), racer.minutes)


_FINISHED = {1: "finished first", 2: "finished second", 3: "finished third", 4: "finished fourth"}


def _note(racer: Racer, *, is_final: bool) -> str:
    """Tell what all may know: not how many checkpoints a secret card asks for."""
    if racer.place is not None:
        return _FINISHED[racer.place]
    count = len(racer.marked)
    marked = "1 checkpoint" if count == 1 else f"{count} checkpoints"
    return f"not classified, {marked}" if is_final else marked
