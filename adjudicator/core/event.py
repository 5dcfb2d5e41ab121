"""Events with their rule, their changes, their sentence and their viewers; and the parts of a cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeVar, dataclass_transform

from adjudicator.core.frozen import change, frozen
from adjudicator.core.ids import Name, Seat
from adjudicator.core.phrases import sentence
from adjudicator.core.visibility import PUBLIC, Mark, secret_fields


@frozen
class Part:
    """One part of an order's cost: ``amount`` in the ruleset's unit (below 0 for a bonus), for ``what``, by ``rule``."""

    amount: int
    what: Name
    rule: Name


def total(why: tuple[Part, ...]) -> int:
    """Return the sum of the amounts of ``why``, in the ruleset's unit."""
    return sum([part.amount for part in why])


@frozen(kw_only=True)
class Spent:
    """A seat's clock or account went from ``before`` to ``after``; ``why`` adds up to the difference.

    This is the only event of games that the core knows; the log of minutes is made of it. Points may go below 0.
    """

    seat: Seat
    before: int
    after: int
    why: tuple[Part, ...]
    kind: Literal["spent"] = "spent"

    def apply(self, config: Any, state: Any) -> Any:
        """Return ``state`` after this event."""
        return state.spent(self.seat, self.after)


class Event:
    """An event of a game: what an order or chance changes. Make subclasses with ``@event``; name them in the past tense."""

    __slots__ = ()
    seen_by: ClassVar[Mark] = PUBLIC
    """Who sees the event at all; the marks on its fields say which of them stay hidden."""
    warns: ClassVar[bool] = False
    """Whether the order's receipt repeats the sentence, since the order did less than its player may expect."""

    if TYPE_CHECKING:
        rule: Name
        kind: str

    says: ClassVar[str] = ""
    unseen: ClassVar[str] = ""
    sets: ClassVar[Mapping[str, str]] = {}
    sets_own: ClassVar[Mapping[str, str]] = {}
    becomes: ClassVar[Mapping[str, Any]] = {}

    def apply(self, config: Any, state: Any) -> Any:
        """Return ``state`` after this event. It never refuses and never draws; by default it sets the declared fields."""
        kind: Any = type(self)
        changes = dict(kind.becomes)
        for name, field in kind.sets.items():
            changes[name] = getattr(self, field)
        if kind.sets_own:
            own = {name: getattr(self, field) for name, field in kind.sets_own.items()}
            return state.with_own(self.seat, changes, **own)  # type: ignore[attr-defined]
        return change(state, **changes) if changes else state

    def tell(self, config: Any) -> str:
        """Return the event as a sentence without full stop and rule; empty if the log shows it in another way."""
        kind: type = type(self)
        is_unseen = self.unseen and any(_is_hidden(getattr(self, name)) for name in secret_fields(kind))
        return sentence(self.unseen if is_unseen else self.says, config, self)


E = TypeVar("E", bound=Event)
ALWAYS_PUBLIC: Final = frozenset(("rule", "kind"))
"""The fields that every event has and every viewer sees."""
_FIELD: Final = re.compile(r"\{(\w+)")
_DECLARED: Final[dict[str, dict[str, type[Event]]]] = {}
"""The events of each module, by name."""
_COMPLETE: Final[set[str]] = set()
"""The modules that have asked for their events: if one declares another event after that, it is being reloaded."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def event(
    rule: str = "",
    says: str = "",
    unseen: str = "",
    seen_by: Mark = PUBLIC,
    sets: Mapping[str, str] | None = None,
    sets_own: Mapping[str, str] | None = None,
    becomes: Mapping[str, Any] | None = None,
    *,
    warns: bool = False,
) -> Callable[[type[E]], type[E]]:
    """Turn a subclass of ``Event`` into a frozen dataclass of an event that happens by ``rule``.

    Its ``kind`` in files is its name in lower case (``TurnLost``: ``turn-lost``). Without ``rule`` the class declares the
    field ``rule``, and each event names its own rule. ``says`` is the sentence, with fields in braces (``{seat} loses
    {left:turn}``, see ``sentence``); ``unseen`` is the sentence for viewers who may not see a secret in it. If that is not
    enough, define ``tell``. ``seen_by`` restricts who sees the event. The order's receipt repeats the sentence of an event
    that ``warns``, since the order did less than its player may expect.

    ``sets`` copies fields of the event to fields of the state (``{"turn": "seat"}``), ``sets_own`` to fields of the seat's
    part of the state (``{"lost": "turns"}``). ``becomes`` sets fields of the state to fixed values (``{"stage":
    Stage.OVER}``). For all other changes, define ``apply``.

    Raises ``TypeError`` if it has no rule, names a field that it does not have, or is the second of that name in its module.
    """

    def make(kind: type[E]) -> type[E]:
        own = dict(kind.__annotations__)
        if rule:
            own["rule"] = Name
            kind.rule = rule
        own["kind"] = Literal[_kebab(kind.__name__)]
        kind.kind = _kebab(kind.__name__)
        kind.__annotations__ = own
        made = frozen(kw_only=True)(kind)
        made.says, made.unseen, made.seen_by, made.warns = says, unseen, seen_by, warns
        made.sets, made.sets_own, made.becomes = sets or {}, sets_own or {}, becomes or {}
        _require_whole(made)
        _declare(made)
        return made

    return make


def events_of(*modules: str) -> tuple[type, ...]:
    """Return the events declared by the ``modules`` of those names, in order, and those that every game shares."""
    _COMPLETE.update(modules)
    return (*(kind for module in modules for kind in _DECLARED.get(module, {}).values()), Spent)


def _is_hidden(value: Any) -> bool:
    """Return whether ``value`` replaces a secret, or a tuple of counted secrets."""
    return value is None or (isinstance(value, tuple) and None in value)


def _require_whole(kind: type[Event]) -> None:
    own = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if "rule" not in own:
        raise TypeError(f"{kind.__name__} has no rule: name it in @event(…), or declare the field `rule: Name`")
    said = (name for name in _FIELD.findall(kind.says + kind.unseen) if name not in own and not hasattr(kind, name))
    unknown = [f"says {{{name}}}" for name in said]
    unknown += [f"sets {name} to {field}" for name, field in {**kind.sets, **kind.sets_own}.items() if field not in own]
    if unknown:
        raise TypeError(f"{kind.__name__} {unknown[0]}, and has no such field")


def _declare(kind: type[Event]) -> None:
    module = kind.__module__
    if module in _COMPLETE:
        _COMPLETE.remove(module)
        _DECLARED[module] = {}
    declared = _DECLARED.setdefault(module, {})
    if kind.__name__ in declared:
        raise TypeError(f"{module} declares two events called {kind.__name__}")
    declared[kind.__name__] = kind


def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
