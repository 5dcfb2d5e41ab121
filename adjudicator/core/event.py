"""Events with their rule, their changes, their sentence and their viewers; and the parts of a cost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final

from adjudicator.core.phrases import sentence
from adjudicator.core.values import Name, Seat, Tagged, Value, Whole, replace
from adjudicator.core.visibility import PUBLIC, Mark, secret_fields


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

    ``sets`` copies fields of the event to fields of the state (``{"turn": "seat"}``), ``sets_own`` to fields of the seat's
    part of the state (``{"lost": "turns"}``). ``becomes`` sets fields of the state to fixed values (``{"stage":
    Stage.OVER}``). For all other changes, define ``apply``.
    """

    seen_by: ClassVar[Mark] = PUBLIC
    warns: ClassVar[bool] = False
    says: ClassVar[str] = ""
    unseen: ClassVar[str] = ""
    sets: ClassVar[Mapping[str, str]] = {}
    sets_own: ClassVar[Mapping[str, str]] = {}
    becomes: ClassVar[Mapping[str, Any]] = {}

    if TYPE_CHECKING:

        @property
        def rule(self) -> str:
            """The rule behind it."""
            ...

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _declare(cls)

    def apply(self, config: Any, state: Any) -> Any:
        """Return ``state`` after this event. It never refuses and never draws; by default it sets the declared fields."""
        kind: Any = type(self)
        changes = dict(kind.becomes)
        for name, field in kind.sets.items():
            changes[name] = getattr(self, field)
        if kind.sets_own:
            own = {name: getattr(self, field) for name, field in kind.sets_own.items()}
            return state.with_own(self.seat, changes, **own)  # type: ignore[attr-defined]
        return replace(state, **changes) if changes else state

    def tell(self, config: Any) -> str:
        """Return the event as a sentence without full stop and rule; empty if the log shows it in another way."""
        kind: type = type(self)
        is_unseen = self.unseen and any(_is_hidden(getattr(self, name)) for name in secret_fields(kind))
        return sentence(self.unseen if is_unseen else self.says, config, self)


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
    declared = (name for name, value in vars(kind).items() if isinstance(value, (str, dict, bool, Mark)))
    strange = [name for name in declared if not name.startswith("_") and not hasattr(Event, name)]
    if strange:
        known = "says, unseen, seen_by, warns, sets, sets_own, becomes"
        raise TypeError(f"{kind.__name__} declares `{strange[0]}`; events declare {known}; fields have a type")
    said = (name for name in _FIELD.findall(kind.says + kind.unseen) if name not in own and not hasattr(kind, name))
    unknown = [f"says {{{name}}}" for name in said]
    unknown += [f"sets {name} to {field}" for name, field in {**kind.sets, **kind.sets_own}.items() if field not in own]
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
