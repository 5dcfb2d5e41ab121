"""Events with their rule, their changes, their sentence and their viewers; and the parts of a cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast, get_args, get_origin

from adjudicator.core.phrases import sentence
from adjudicator.core.values import Name, Seat, Tagged, Value, Whole, hints_of, replace
from adjudicator.core.visibility import PUBLIC, Mark, bare_type, secret_fields


class Part(Value):
    """One part of an order's cost: ``amount`` in the ruleset's unit (below 0 for a bonus), for ``what``, by ``rule``."""

    amount: Whole
    what: Name
    rule: Name


def total(why: tuple[Part, ...]) -> int:
    """Return the sum of the amounts of ``why``, in the ruleset's unit."""
    return sum([part.amount for part in why])


class Spent(Tagged, kw_only=True):
    """A seat's clock or account went from ``before`` to ``after``; ``why`` adds up to the difference.

    This is the only event of games that the core knows; the log of minutes is made of it. Points may go below 0.
    """

    seat: Seat
    before: Whole
    after: Whole
    why: tuple[Part, ...]

    def apply(self, config: Any, state: Any) -> Any:
        """Return ``state`` after this event."""
        return state.spent(self.seat, self.after)


class Event(Tagged):
    """An event of a game: what an order or chance changes. Name it in the past tense (``TurnLost``).

    Its ``kind`` in files is its name in lower case (``turn-lost``). Every event has a field ``rule``, mostly with a default:
    ``rule: Name = "CF-X1"``. ``says`` is the sentence, with fields in braces (``{seat} loses {left:turn}``, see
    ``sentence``); ``unseen`` is the sentence for viewers who may not see a secret in it. If that is not enough, define
    ``tell``. ``seen_by`` says who sees the event at all; the marks on its fields say which of them stay hidden. The order's
    receipt repeats the sentence of an event that ``warns``, since the order did less than its player may expect.

    What it changes is declared; ``own.lost`` is the field ``lost`` of the seat's part of the state:

    - ``sets`` copies fields of the event (``{"turn": "seat", "own.lost": "turns"}``), or makes a value of a class from the
      fields of the same names (``{"pending": Threat}``);
    - ``becomes`` sets fixed values (``{"stage": Stage.OVER}``);
    - ``adds`` adds numbers, or fields of the event (``{"laps": 1, "own.fuel": "fuel", "own.parts": "-lost"}``);
    - ``moves`` moves the pieces in fields of the event (``"cards: own.hand > discards"``, or several of these), from a deck
      (``"cards: > own.hand"``), out of the game (``"card: own.hand >"``), or all that lie in a place (``"row > discards"``).
      A place holds a tuple, in which new pieces come last or as ``InOrder`` says, or a single piece. What is not in its
      first place is not taken away there.

    For all other changes, define ``apply``.
    """

    seen_by: ClassVar[Mark] = PUBLIC
    warns: ClassVar[bool] = False
    says: ClassVar[str] = ""
    unseen: ClassVar[str] = ""
    sets: ClassVar[Mapping[str, str | type[Value]]] = {}
    becomes: ClassVar[Mapping[str, Any]] = {}
    adds: ClassVar[Mapping[str, int | str]] = {}
    moves: ClassVar[str | tuple[str, ...]] = ()

    if TYPE_CHECKING:

        @property
        def rule(self) -> str:
            """The rule behind it."""
            ...

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _declare(cls)

    def apply(self, config: Any, state: Any) -> Any:
        """Return ``state`` after this event. It never refuses and never draws; by default it changes what is declared."""
        kind: Any = type(state)
        return _change(type(self), kind)(self, config, state)

    def tell(self, config: Any) -> str:
        """Return the event as a sentence without full stop and rule; empty if the log shows it in another way."""
        kind: type = type(self)
        is_unseen = self.unseen and any(_is_hidden(getattr(self, name)) for name in secret_fields(kind))
        return sentence(self.unseen if is_unseen else self.says, config, self)


class InOrder(Value):
    """The order of the pieces in a field, noted in its type: ``Annotated[tuple[Tile, ...], InOrder(lambda config: …)]``.

    ``key`` takes the configuration and returns the key of a piece.
    """

    key: Callable[[Any], Callable[[Any], Any]]


_OWN: Final = "own."
_MOVE: Final = re.compile(r"(?:(\w+) *: *)?([\w.]*) *> *([\w.]*)")
_Where = tuple[bool, str]
"""Whether a field is one of the seat's part of the state, and its name."""


def declared_changes(kind: type[Event]) -> tuple[set[str], set[str]]:
    """Return the fields of the event class ``kind`` that its declarations read, and those of the state that they change."""
    moves = _moves(kind)
    amounts = [amount.lstrip("-") for amount in kind.adds.values() if isinstance(amount, str)]
    read = {
        *(field for field in kind.sets.values() if isinstance(field, str)),
        *amounts,
        *(field for field, _, _ in moves if field),
    }
    changed = {*kind.sets, *kind.becomes, *kind.adds, *(place for _, *places in moves for place in places if place)}
    return read | ({"seat"} if any(name.startswith(_OWN) for name in changed) else set()), changed


def _moves(kind: type[Event]) -> list[tuple[str | None, str, str]]:
    """Return the moves that ``kind`` declares: the field of the event, and the places. Raises ``TypeError``."""
    found = [(move, _MOVE.fullmatch(move)) for move in ((kind.moves,) if isinstance(kind.moves, str) else kind.moves)]
    wrong = [move for move, match in found if match is None or not (match[1] or match[2])]
    if wrong:
        raise TypeError(f"{kind.__name__} moves “{wrong[0]}”: write “cards: own.hand > discards”")
    return [(match[1], match[2], match[3]) for _, match in found if match is not None]


def _where(name: str) -> _Where:
    return name.startswith(_OWN), name.removeprefix(_OWN)


@cache
def _change(kind: type[Event], state: type[Any]) -> Callable[[Any, Any, Any], Any]:
    """Return the function that makes the declared changes of events of ``kind``; it takes event, configuration and state."""
    sets = [
        (*_where(name), attrgetter(one) if isinstance(one, str) else _made(one, kind)) for name, one in kind.sets.items()
    ]
    adds = list[tuple[bool, str, str, int]]()
    for name, amount in kind.adds.items():
        field = amount.lstrip("-") if isinstance(amount, str) else ""
        adds.append((*_where(name), field, amount if isinstance(amount, int) else -1 if amount.startswith("-") else 1))
    fixed: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for name, value in kind.becomes.items():
        is_own, name = _where(name)
        fixed[is_own][name] = value
    has_own = any(name.startswith(_OWN) for name in declared_changes(kind)[1])
    part_class = part_of(state) if has_own else None
    moves = [
        _mover(
            field, *((_place(part_class if place.startswith(_OWN) else state, place)) if place else None for place in places)
        )
        for field, *places in _moves(kind)
    ]

    def change(event: Any, config: Any, state: Any) -> Any:
        changes = whole, own = fixed[0].copy(), fixed[1].copy()
        for is_own, name, value_of in sets:
            changes[is_own][name] = value_of(event)
        if adds or moves:
            holders = state, state.of(event.seat) if has_own else None
            for is_own, name, field, amount in adds:
                before = getattr(holders[is_own], name)
                changes[is_own][name] = before + (amount * getattr(event, field) if field else amount)
            for move in moves:
                move(event, config, holders, changes)
        if has_own:
            return state.with_own(event.seat, whole, **own)
        return replace(state, **whole) if whole else state

    return change


def _made(made: type[Value], kind: type[Event]) -> Callable[[Any], Value]:
    """Return the function that makes a value of the class ``made`` from the fields of an event of ``kind``."""
    fields = [name for name in made.__struct_fields__ if name in kind.__struct_fields__]
    return lambda event: made(**{name: getattr(event, name) for name in fields})


def part_of(state: type[Any]) -> type[Any]:
    """Return the class of the parts that a class of states has one of for each seat."""
    kind: type[Any] = bare_type(get_args(bare_type(hints_of(cast("type", state))[state.own_in]))[0])
    return kind


def _place(holder: Any, place: str) -> tuple[bool, str, bool, InOrder | None]:
    """Return where a ``place`` is, whether it holds a tuple, and in which order."""
    is_own, name = _where(place)
    hint = hints_of(holder)[name]
    notes = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, InOrder)]
    return is_own, name, get_origin(bare_type(hint)) is tuple, notes[0] if notes else None


def _mover(field: str | None, source: Any, target: Any) -> Callable[[Any, Any, Any, Any], None]:
    """Return the function that adds a move to the changes of the state and of the seat's part."""

    def move(event: Any, config: Any, holders: Any, changes: Any) -> None:
        def now(place: Any) -> Any:
            is_own, name, _, _ = place
            return changes[is_own][name] if name in changes[is_own] else getattr(holders[is_own], name)

        value = getattr(event, field) if field else now(source)
        things = value if type(value) is tuple else (value,)
        if None in things:
            things = tuple([thing for thing in things if thing is not None])
        if source:
            is_own, name, is_tuple, _ = source
            left = list(now(source)) if is_tuple and field else []
            for thing in things:
                if thing in left:  # as a seat that is not in a queue
                    left.remove(thing)
            changes[is_own][name] = tuple(left) if is_tuple else None
        if target and things:
            is_own, name, is_tuple, order = target
            there = [*now(target), *things] if is_tuple else things
            changes[is_own][name] = tuple(sorted(there, key=order.key(config)) if order else there) if is_tuple else there[0]

    return move


ALWAYS_PUBLIC: Final = frozenset(("rule", "kind"))
"""The fields that every event has and every viewer sees."""
_FIELD: Final = re.compile(r"\{(\w+)")
_DECLARED: Final[dict[str, dict[str, type[Event]]]] = {}
"""The events of each module, by name."""
_COMPLETE: Final[set[str]] = set()
"""The modules that have asked for their events: if one declares another event after that, it is being reloaded."""


def events_of(*modules: str) -> tuple[type, ...]:
    """Return the events declared by the ``modules`` of those names, in order, and those that every game shares.

    Raises ``TypeError`` if one has no rule, or names a field that it does not have.
    """
    _COMPLETE.update(modules)
    own = [kind for module in modules for kind in _DECLARED.get(module, {}).values()]
    for kind in own:
        _require_whole(kind)
    return (*own, Spent)


def _is_hidden(value: Any) -> bool:
    """Return whether ``value`` replaces a secret, or a tuple of counted secrets."""
    return value is None or (isinstance(value, tuple) and None in value)


def _require_whole(kind: type[Event]) -> None:
    own = kind.__struct_fields__
    if "rule" not in own:
        raise TypeError(
            f"{kind.__name__} has no field `rule: Name`: write `rule: Name = “XY-1”` below the fields without a default"
        )
    declared = (name for name, value in vars(kind).items() if isinstance(value, (str, dict, tuple, bool, Mark)))
    strange = [name for name in declared if not name.startswith("_") and not hasattr(Event, name)]
    if strange:
        known = "says, unseen, seen_by, warns, sets, becomes, adds, moves"
        raise TypeError(f"{kind.__name__} declares `{strange[0]}`; events declare {known}; fields have a type")
    said = (name for name in _FIELD.findall(kind.says + kind.unseen) if name not in own and not hasattr(kind, name))
    unknown = [f"says {{{name}}}" for name in said]
    read, _ = declared_changes(kind)
    unknown += [f"changes the state by its field {name}" for name in sorted(read) if name not in own]
    if unknown:
        raise TypeError(f"{kind.__name__} {unknown[0]}, and has no such field; its fields are {', '.join(own)}")


def _declare(kind: type[Event]) -> None:
    module = kind.__module__
    if module in _COMPLETE:
        _COMPLETE.remove(module)
        _DECLARED[module] = {}
    declared = _DECLARED.setdefault(module, {})
    if kind.__name__ in declared:
        raise TypeError(f"{module} declares two events called {kind.__name__}")
    declared[kind.__name__] = kind
