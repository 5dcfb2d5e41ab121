"""Declare the pieces of a game, and draw from its decks and bags: they hold what lies nowhere else, in no order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeVar, Union, cast, get_args, get_origin

from adjudicator.core.chance import Chance
from adjudicator.core.phrases import count, wording
from adjudicator.core.problem import Flaw, Problem
from adjudicator.core.values import Seat, Value, hints_of
from adjudicator.core.visibility import classes_in

if TYPE_CHECKING:
    from adjudicator.core.ruleset import GameMeta

X = TypeVar("X", bound=str)
A = TypeVar("A")


class Pieces:
    """All pieces of one kind: which of them a game has, which fields name one, and where a state has them.

    The kind ``noun`` (``tile``) belongs to ``rule``. ``of`` gives the pieces of a configuration, one kind of piece as often
    as the game has it. A field of the type ``named_by``, or with this object in its ``Annotated``, names one of them.
    ``places`` are the fields of a state where pieces lie (``racers.hand``); the others are its deck, bag or pool. An order
    with a field that names a piece which the game does not have is refused (see ``unknown``).
    """

    __slots__ = ("_ways", "named_by", "noun", "of", "places", "rule")

    def __init__(self, noun: str, rule: str, of: Callable[[Any], Any], *places: str, named_by: Any = None) -> None:
        """Keep the declaration."""
        self.noun, self.rule, self.of, self.places, self.named_by = noun, rule, of, places, named_by
        self._ways = [place.split(".") for place in places]

    def known(self, config: Any) -> Container[Any]:
        """Return the names that orders may use."""
        return frozenset(self.of(config))

    def unknown(self, meta: GameMeta, config: Any, name: str, part: str, words: Callable[[Any, Any], Any]) -> Problem:
        """Return the refusal of an order that names ``name``, which is not ``known``; ``words`` is the wording of names."""
        near = dict.fromkeys(str(words(config, piece)) for piece in self.of(config))
        code, written = f"unknown-{self.noun.replace(' ', '-')}", str(words(config, name))
        return meta.problem(code, f"there is no {self.noun} {written}", self.rule, part, near, written)

    def out(self, state: Any) -> list[Any]:
        """Return the pieces that lie somewhere in ``state``, once for each place; ``None`` is one that a view hides."""
        # Empty lists are written `[]` here and below: `list[Any]()` takes ten times as long, and this is asked often.
        found: list[Any] = []
        for way in self._ways:
            things: list[Any] = [state]
            for field in way:
                inner: list[Any] = []
                for thing in things:
                    value = getattr(thing, field, None)
                    if type(value) is tuple:
                        inner += value
                    elif isinstance(value, str):  # the end of most ways, and a sequence itself
                        inner.append(value)
                    elif value is not None:
                        inner += value if isinstance(value, Sequence) else (value,)
                things = inner
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


SEATS: Final = Pieces("seat", "", lambda config: config.seats, named_by=Seat)
"""The seats of a game."""


def unknown_pieces(kinds: tuple[Pieces, ...], config: Any, value: Any) -> Iterator[Flaw]:
    """Yield a flaw for each name of a seat or a piece in ``value``, a state or a position, that the game does not have."""
    kinds = (SEATS, *kinds)
    known = {kind: frozenset(kind.of(config)) for kind in kinds}
    for kind, owner, name in dict.fromkeys(_named(kinds, None, value, "")):
        if name not in known[kind]:
            whose = f"{owner}: " if owner not in ("", name) else ""
            message = f"{whose}there is no {kind.noun} {name} in this game"
            yield Flaw(message, kind.rule, near=tuple(dict.fromkeys(map(str, kind.of(config)))), written=name)


def _named(kinds: tuple[Pieces, ...], hint: Any, value: Any, owner: str) -> Iterator[tuple[Pieces, str, str]]:
    """Yield each name of a piece in ``value``, of the type ``hint``: its kind, the seat that it belongs to, the name."""
    bare, notes = (get_args(hint)[0], hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
    if isinstance(value, Value):
        owner = getattr(value, "seat", owner)
        for field, inner in _naming_fields(kinds, cast("type", type(value))):
            yield from _named(kinds, inner, getattr(value, field), owner)
    elif get_origin(bare) in (Union, UnionType):
        for inner in get_args(bare):
            yield from _named(kinds, inner, value, owner)
    elif isinstance(value, str):
        yield from ((kind, owner, value) for kind in kinds if kind.named_by is bare or kind in notes)
    elif get_origin(bare) is tuple and value is not None:
        types = get_args(bare)
        for inner, one in zip(repeat(types[0]) if types[-1] is ... else types, value, strict=False):
            yield from _named(kinds, inner, one, owner)


@cache
def _naming_fields(kinds: tuple[Pieces, ...], kind: type) -> tuple[tuple[str, Any], ...]:
    """Return the fields of the class ``kind`` that may name pieces, with their types: a search of the others is slow."""
    hints = hints_of(kind).items()
    return tuple((field, hint) for field, hint in hints if any(classes_in(hint)) or any(_names(one, hint) for one in kinds))


def _names(kind: Pieces, hint: Any) -> bool:
    """Return whether a field of type ``hint`` holds names of that ``kind``, alone, optional or in a tuple."""
    bare, notes = (get_args(hint)[0], hint.__metadata__) if get_origin(hint) is Annotated else (hint, ())
    return kind.named_by is bare or kind in notes or any(_names(kind, inner) for inner in get_args(bare))


class Naming(NamedTuple):
    """A field of an order that names pieces of a ``kind``, its ``part`` of the grammar, and the ``words`` of a name."""

    field: str
    kind: Pieces
    part: str
    words: Callable[[Any, Any], Any]


def naming(kinds: tuple[Pieces, ...], order: type[Any], terms: Container[str]) -> tuple[Naming, ...]:
    """Return the fields of a class of orders that name seats or pieces of the ``kinds``.

    The part of the grammar has the name of the field, if it is one of the ``terms``, else the noun of the kind of piece.
    """
    return tuple(
        Naming(
            *(field, kind, field if field in terms else kind.noun.replace(" ", "_")),
            words=wording(hint, is_of_one=True) or (lambda _config, name: name),
        )
        for field, hint in hints_of(cast("type", order)).items()
        for kind in (SEATS, *kinds)
        if _names(kind, hint)
    )


def unknown_name(meta: GameMeta, config: Any, order: Any, namings: Sequence[Naming], at: int) -> Problem:
    """Return the refusal of ``order``, in which the naming with the index ``at`` has a name that is not known."""
    field, kind, part, words = namings[at]
    value, known = getattr(order, field), kind.known(config)
    names = value if type(value) is tuple else (value,)
    place, name = next((place, name) for place, name in enumerate(names) if name not in known)
    before = [getattr(order, one.field) for one in namings[:at] if one.part == part]
    index = place + sum(len(one) if type(one) is tuple else 1 for one in before)
    is_single = not index and type(value) is not tuple
    return kind.unknown(meta, config, name, part if is_single else f"{part}:{index}", words)


class Odds(Sequence[str]):
    """The things among which ``chance.pick`` picks: each group so many times in a row, without a list of them all."""

    __slots__ = ("groups",)

    def __init__(self, *groups: tuple[tuple[str, ...], int]) -> None:
        """Keep the ``groups``."""
        self.groups = [(things, times) for things, times in groups if things and times > 0]

    def __len__(self) -> int:
        return sum([len(things) * times for things, times in self.groups])

    def __getitem__(self, index: Any) -> Any:
        for things, times in self.groups:
            if index < len(things) * times:
                return things[index % len(things)]
            index -= len(things) * times
        raise IndexError(index)

    def __iter__(self) -> Iterator[str]:
        """Yield each thing once."""
        return iter(dict.fromkeys(thing for things, _ in self.groups for thing in things))


def without(things: tuple[A, ...], *taken: A) -> tuple[A, ...]:
    """Return ``things`` without one of each of those ``taken``. Raises ``ValueError`` if one is not there."""
    left = list(things)
    for thing in taken:
        left.remove(thing)
    return tuple(left)


def left_in(whole: Iterable[X], out: Iterable[X | None]) -> list[X]:
    """Return the things of the ``whole`` pile, in its order, without those ``out``; ``None`` in a view does not count.

    A mapping has each thing only once.
    """
    if isinstance(whole, Mapping):
        without = frozenset(out)
        return [thing for thing in whole if thing not in without]
    gone: dict[X | None, int] = {}
    left: list[X] = []
    for one in out:
        gone[one] = gone.get(one, 0) + 1
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
    found: list[X] = []
    left = list(pile(at))
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
