"""Rank seats by a key; level seats share a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from adjudicator.core.each_seat import HasSeat
from adjudicator.core.ruleset import Standing

X = TypeVar("X", bound=HasSeat)


def ranking(
    things: Iterable[X],
    key: Callable[[X], Any],
    *,
    score: Callable[[X], int],
    note: Callable[[X], str],
    is_final: bool = False,
) -> tuple[Standing, ...]:
    """Return the standings of the seats that ``things`` belong to, the least ``key`` first; equal keys share a place.

    ``score`` is in the game's unit, ``note`` describes each seat's standing.
    """
    ranked = sorted(things, key=key)
    keys = [key(thing) for thing in ranked]
    return tuple(
        Standing(place=keys.index(rank) + 1, seat=thing.seat, score=score(thing), note=note(thing), is_final=is_final)
        for thing, rank in zip(ranked, keys, strict=True)
    )
