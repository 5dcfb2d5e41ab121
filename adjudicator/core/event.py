"""Events with their rule, their changes, their sentence and their viewers; and the parts of a cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast, get_args, get_origin

from adjudicator.core.phrases import sentence
from adjudicator.core.values import Name, Seat, Tagged, Value, Whole, hints_of, replace
from adjudicator.core.visibility import PUBLIC, Mark, bare_type, note_in, secret_fields


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
    - ``becomes`` sets fixed values (``{"stage": Stage.OVER}``), ``adds`` adds numbers or fields (``{"laps": 1}``);
    - ``moves`` moves the pieces in fields of the event (``"cards: own.hand > discards"``), from a deck
      (``"cards: > own.hand"``), out of the game (``"card: own.hand >"``), or all that lie in a place (``"row > discards"``).
      A place holds a tuple, in which new pieces come last or as ``InOrder`` says, or a single piece.

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
        module = cls.__module__
        if module in _COMPLETE:
            _COMPLETE.remove(module)
            _DECLARED[module] = {}
        declared = _DECLARED.setdefault(module, {})
        if cls.__name__ in declared:
            raise TypeError(f"{module} declares two events called {cls.__name__}")
        declared[cls.__name__] = cls

    def apply(self, config: Any, state: Any) -> Any:
        """Return ``state`` after this event. It never refuses and never draws; by default it changes what is declared."""
        kind: Any = type(state)
        declared = _declared(type(self), kind)
        if declared is None:
            return state
        (fixed, fixed_own), has_own, sets, adds, moves = declared
        whole, own = changes = fixed.copy(), fixed_own.copy()
        for is_own, name, value_of in sets:
            changes[is_own][name] = value_of(self)
        if adds or moves:
            holders = state, state.of(self.seat) if has_own else None  # type: ignore[attr-defined]
            for is_own, name, field, times in adds:
                changes[is_own][name] = getattr(holders[is_own], name) + (times * getattr(self, field) if field else times)
            for field, source, target in moves:
                there: Any = ()
                if source:
                    is_own, name, is_tuple, _ = source
                    there = changes[is_own].get(name, getattr(holders[is_own], name))
                things = getattr(self, field) if field else there
                things = things if type(things) is tuple else (things,)
                if None in things:
                    things = tuple([one for one in things if one is not None])
                if source:
                    left = list(there) if is_tuple and field else []
                    for thing in things:
                        if thing in left:  # as a seat that is not in a queue
                            left.remove(thing)
                    changes[is_own][name] = tuple(left) if is_tuple else None
                if target and things:
                    is_own, name, is_tuple, order = target
                    if is_tuple:
                        things = (*changes[is_own].get(name, getattr(holders[is_own], name)), *things)
                        things = tuple(sorted(things, key=order.key(config))) if order else things
                    changes[is_own][name] = things if is_tuple else things[0]
        if has_own:
            return state.with_own(self.seat, whole, **own)  # type: ignore[attr-defined]
        return replace(state, **whole) if whole else state

    def tell(self, config: Any) -> str:
        """Return the event as a sentence without full stop and rule; empty if the log shows it in another way."""
        kind: type = type(self)
        hidden = [getattr(self, name) for name in secret_fields(kind)] if self.unseen else []
        is_unseen = any(value is None or (isinstance(value, tuple) and None in value) for value in hidden)
        return sentence(self.unseen if is_unseen else self.says, config, self)


class InOrder(Value):
    """The order of the pieces in a field, noted in its type: ``Annotated[tuple[Tile, ...], InOrder(lambda config: …)]``.

    ``key`` takes the configuration and returns the key of a piece.
    """

    key: Callable[[Any], Callable[[Any], Any]]


_OWN: Final = "own."
_MOVE: Final = re.compile(r"(?:(\w+) *: *)?([\w.]*) *> *([\w.]*)")


def declared_changes(kind: type[Event]) -> tuple[set[str], set[str]]:
    """Return the fields of the event class ``kind`` that its declarations read, and those of the state that they change."""
    read = {field for field in kind.sets.values() if isinstance(field, str)}
    read |= {amount.lstrip("-") for amount in kind.adds.values() if isinstance(amount, str)}
    changed = {*kind.sets, *kind.becomes, *kind.adds}
    for field, source, target in _moves(kind):
        read |= {field} - {None}
        changed |= {source, target} - {""}
    return read | ({"seat"} if any(name.startswith(_OWN) for name in changed) else set()), changed


def _moves(kind: type[Event]) -> Iterator[tuple[Any, ...]]:
    """Yield the moves that ``kind`` declares: the field of the event or ``None``, and the places. Raises ``TypeError``."""
    for move in (kind.moves,) if isinstance(kind.moves, str) else kind.moves:
        match = _MOVE.fullmatch(move)
        if match is None or not (match[1] or match[2]):
            raise TypeError(f"{kind.__name__} moves “{move}”: write “cards: own.hand > discards”")
        yield match.groups()


@cache
def _declared(kind: type[Event], state: type[Any]) -> tuple[Any, ...] | None:
    """Return what events of ``kind`` change in a ``state``: values that are always the same, sets, adds and moves.

    Each change says whether it is one of the seat's part of the state, and in which field; the second value says whether
    any is. The result is ``None`` if such events change nothing.
    """
    changed = declared_changes(kind)[1]
    if not changed:
        return None
    has_own = any(name.startswith(_OWN) for name in changed)
    hints = hints_of(cast("type", state)), hints_of(cast("type", part_of(state))) if has_own else {}

    def place(path: str) -> tuple[bool, str, bool, InOrder | None]:
        """Return whether a field is one of the seat's part of the state, its name, whether it is a tuple, and its order."""
        is_own, name = path.startswith(_OWN), path.removeprefix(_OWN)
        hint = hints[is_own][name]
        return is_own, name, get_origin(bare_type(hint)) is tuple, note_in(hint, InOrder)

    def made(value: type[Value]) -> Callable[[Any], Value]:
        fields = [name for name in value.__struct_fields__ if name in kind.__struct_fields__]
        return lambda event: value(**{name: getattr(event, name) for name in fields})

    fixed: tuple[dict[str, Any], dict[str, Any]] = ({}, {})
    for name, value in kind.becomes.items():
        fixed[name.startswith(_OWN)][name.removeprefix(_OWN)] = value
    sets = [(*place(name)[:2], attrgetter(one) if isinstance(one, str) else made(one)) for name, one in kind.sets.items()]
    adds = list[tuple[bool, str, str, int]]()
    for name, amount in kind.adds.items():
        field, times = (amount.lstrip("-"), -1 if amount[0] == "-" else 1) if isinstance(amount, str) else ("", amount)
        adds.append((*place(name)[:2], field, times))
    moves = [(field, source and place(source), target and place(target)) for field, source, target in _moves(kind)]
    return fixed, has_own, sets, adds, moves


def part_of(state: type[Any]) -> type[Any]:
    """Return the class of the parts that a class of states has one of for each seat."""
    if not state.own_in:
        raise NotImplementedError(f"{state.__name__} does not say in `own_in` which field has something for each seat")
    kind: type[Any] = bare_type(get_args(bare_type(hints_of(cast("type", state))[state.own_in]))[0])
    return kind


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
        fields = kind.__struct_fields__
        if "rule" not in fields:
            raise TypeError(
                f"{kind.__name__} has no field `rule: Name`: write `rule: Name = “XY-1”` below the fields without a default"
            )
        declared = (name for name, value in vars(kind).items() if isinstance(value, (str, dict, tuple, bool, Mark)))
        strange = [name for name in declared if not name.startswith("_") and not hasattr(Event, name)]
        if strange:
            known = "says, unseen, seen_by, warns, sets, becomes, adds, moves"
            raise TypeError(f"{kind.__name__} declares `{strange[0]}`; events declare {known}; fields have a type")
        said = (name for name in _FIELD.findall(kind.says + kind.unseen) if name not in fields and not hasattr(kind, name))
        unknown = [f"says {{{name}}}" for name in said]
        read, _ = declared_changes(kind)
        unknown += [f"changes the state by its field {name}" for name in sorted(read) if name not in fields]
        if unknown:
            raise TypeError(f"{kind.__name__} {unknown[0]}, and has no such field; its fields are {', '.join(fields)}")
    return (*own, Spent)
