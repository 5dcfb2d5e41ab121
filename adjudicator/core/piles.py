"""Draw from decks, bags and stacks: their content follows from the things outside, and no state stores their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, TypeVar

from adjudicator.core.chance import Chance

X = TypeVar("X", bound=str)
S = TypeVar("S")


def left_in(whole: Iterable[X], out: Iterable[X | None]) -> list[X]:
    """Return the things of the ``whole`` pile, in its order, without those ``out``; ``None`` in a view does not count.

    A mapping has each thing only once.
    """
    if isinstance(whole, Mapping):
        without = frozenset(out)
        return [thing for thing in whole if thing not in without]
    gone, left = dict(Counter(out)), list[X]()
    for thing in whole:
        if gone.get(thing):
            gone[thing] -= 1
        else:
            left.append(thing)
    return left


def draw_from(
    pile: Callable[[S], Iterable[X]], renewal: Callable[[S], Any], state: S, many: int, purpose: str, chance: Chance
) -> Generator[Any, S, tuple[tuple[X, ...], S]]:
    """Draw ``many`` things for ``purpose``, or as many as there are; return them and the state before anyone has them.

    ``pile`` gives the things that can be drawn in a state. When it is empty, ``renewal`` gives the event that fills it again
    from the discards, or ``None`` without discards.
    """
    found, left = list[X](), list(pile(state))
    while len(found) < many:
        if not left and (event := renewal(state)) is not None:
            state = yield event
            left = left_in(pile(state), found)
        if not left:
            break
        thing: Any = chance.pick(purpose, left)
        left.remove(thing)
        found.append(thing)
    return tuple(found), state
