"""Declare the pieces of a game, and draw from its decks and bags: they hold what lies nowhere else, in no order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from types import UnionType
from typing import Annotated, Any, Final, TypeVar, Union, cast, get_args, get_origin

from adjudicator.core.chance import Chance
from adjudicator.core.phrases import count
from adjudicator.core.problem import Flaw
from adjudicator.core.values import Seat, Value, hints_of

X = TypeVar("X", bound=str)
A = TypeVar("A")


class Pieces:
    """All pieces of one kind: which of them a game has, which fields name one, and where a state has them.

    The kind ``noun`` (``tile``) belongs to ``rule``. ``of`` gives the pieces of a configuration, one kind of piece as often
    as the game has it. A field of the type ``named_by``, or with this object in its ``Annotated``, names one of them.
    ``places`` are the fields of a state where pieces lie (``racers.hand``); the others are its deck, bag or pool.
    """

    __slots__ = ("_ways", "named_by", "noun", "of", "places", "rule")

    def __init__(self, noun: str, rule: str, of: Callable[[Any], Any], *places: str, named_by: Any = None) -> None:
        """Keep the declaration."""
        self.noun, self.rule, self.of, self.places, self.named_by = noun, rule, of, places, named_by
        self._ways = [place.split(".") for place in places]

    def out(self, state: Any) -> list[Any]:
        """Return the pieces that lie somewhere in ``state``, once for each place; ``None`` is one that a view hides."""
        found = list[Any]()
        for way in self._ways:
            things: list[Any] = [state]
            for field in way:
                values = [getattr(thing, field, None) for thing in things if thing is not None]
                if not values or isinstance(values[0], str):  # The end of most ways: this is quicker than looking at each.
                    things = [value for value in values if value is not None]
                    continue
                things = []
                for value in values:
                    if isinstance(value, tuple) or (isinstance(value, Sequence) and not isinstance(value, str)):
                        things += value
                    elif value is not None:
                        things.append(value)
            found += things
        return found

    def left(self, config: Any, state: Any) -> tuple[Any, ...]:
        """Return the pieces of the deck, the bag or the pool, in the order of ``of``; a view does not know them."""
        return tuple(left_in(self.of(config), self.out(state)))

    def many_left(self, config: Any, state: Any) -> int:
        """Return how many pieces ``left`` has, which all may know; ``state`` may be that of a view."""
        return len(self.of(config)) - len(self.out(state))

    def in_several_places(self, config: Any, state: Any) -> Iterator[Flaw]:
        """Yield a flaw for each piece that lies in more places of ``state`` than the game has of it."""
        known = Counter(iter(self.of(config)))
        for piece, times in Counter(self.out(state)).items():
            if piece is not None and times > known[piece] == 1:
                yield Flaw(f"{self.noun} {piece} is in {times} places", self.rule)
            elif piece is not None and times > known[piece]:
                yield Flaw(f"the game has {count(known[piece], self.noun)} “{piece}”, not {times}", self.rule)


_SEATS: Final = Pieces("seat", "", lambda config: config.seats, named_by=Seat)


def unknown_pieces(kinds: tuple[Pieces, ...], config: Any, value: Any) -> Iterator[Flaw]:
    """Yield a flaw for each name of a seat or a piece in ``value``, a state or a position, that the game does not have."""
    kinds = (_SEATS, *kinds)
    known = {kind: frozenset(kind.of(config)) for kind in kinds}
    for kind, owner, name in dict.fromkeys(_named(kinds, None, value, "")):
        if name not in known[kind]:
            whose = f"{owner}: " if owner not in ("", name) else ""
            message = f"{whose}there is no {kind.noun} {name} in this game"
            yield Flaw(message, kind.rule, near=tuple(dict.fromkeys(map(str, kind.of(config)))), written=name)


def _named(kinds: tuple[Pieces, ...], hint: Any, value: Any, owner: str) -> Iterator[tuple[Pieces, str, str]]:
    """Yield each name of a piece in ``value``, of the type ``hint``: its kind, the seat that it belongs to, the name."""
    bare, notes = (get_args(hint)[0], hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
    if value is None:
        return
    if isinstance(value, Value):
        owner, kind_of_value = getattr(value, "seat", owner), cast("type", type(value))
        for field, inner in _naming_fields(kinds, kind_of_value):
            yield from _named(kinds, inner, getattr(value, field), owner)
    elif get_origin(bare) in (Union, UnionType):
        for inner in get_args(bare):
            yield from _named(kinds, inner, value, owner)
    elif isinstance(value, str):
        yield from ((kind, owner, value) for kind in kinds if kind.named_by is bare or kind in notes)
    elif get_origin(bare) is tuple:
        types = get_args(bare)
        for inner, one in zip(repeat(types[0]) if types[-1] is ... else types, value, strict=False):
            yield from _named(kinds, inner, one, owner)


@cache
def _naming_fields(kinds: tuple[Pieces, ...], kind: type) -> tuple[tuple[str, Any], ...]:
    """Return the fields of the class ``kind`` that may name pieces, with their types: a search of the others is slow."""
    return tuple((field, hint) for field, hint in hints_of(kind).items() if _may_name(kinds, hint))


def _may_name(kinds: tuple[Pieces, ...], hint: Any) -> bool:
    bare, notes = (get_args(hint)[0], hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
    is_name = any(kind.named_by is bare or kind in notes for kind in kinds)
    return (
        is_name
        or (isinstance(bare, type) and issubclass(bare, Value))
        or any(_may_name(kinds, inner) for inner in get_args(bare))
    )


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
    pile: Callable[[A], Iterable[X]], renewal: Callable[[A], Any], at: A, many: int, purpose: str, chance: Chance
) -> Generator[Any, A, tuple[tuple[X, ...], A]]:
    """Draw ``many`` things for ``purpose``, or as many as there are; return them and the position before anyone has them.

    ``pile`` gives the things that can be drawn in a position. When it is empty, ``renewal`` gives the event that fills it
    again from the discards, or ``None`` without discards.
    """
    found, left = list[X](), list(pile(at))
    while len(found) < many:
        if not left and (event := renewal(at)) is not None:
            at = yield event
            left = left_in(pile(at), found)
        if not left:
            break
        thing: Any = chance.pick(purpose, left)
        left.remove(thing)
        found.append(thing)
    return tuple(found), at
