"""Events: what happened, by which rule, what it changes, what it says, and who sees it. And the parts of a cost."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeVar, dataclass_transform

from adjudicator.core.change import copying
from adjudicator.core.codegen import generate_function
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import Name, Seat
from adjudicator.core.phrases import sentence
from adjudicator.core.seated import own_changing
from adjudicator.core.visibility import PUBLIC, Mark, secret_fields


@frozen
class Part:
    """One part of what an order cost: ``amount`` in the ruleset's unit (below 0 for a bonus), for ``what``, by ``rule``."""

    amount: int
    what: Name
    rule: Name


def total(why: tuple[Part, ...]) -> int:
    """Return the sum of the amounts of ``why``, in the ruleset's unit."""
    return sum([part.amount for part in why])


def reasons(*found: tuple[int, str, str]) -> tuple[Part, ...]:
    """Return the parts of a cost, ``found`` as amount, for what, and rule each, without those that come to nothing."""
    return tuple(Part(amount, what, rule) for amount, what, rule in found if amount)


@frozen(kw_only=True)
class Spent:
    """A seat's clock or account went from ``before`` to ``after``; ``why`` adds up to the difference.

    The one event the core knows: the log of minutes is made of it. Points may go below 0.
    """

    seat: Seat
    before: int
    after: int
    why: tuple[Part, ...]
    kind: Literal["spent"] = "spent"


class Event:
    """Something that happened in a game. Subclasses are made with ``@event`` and named in the past tense."""

    __slots__ = ()
    seen_by: ClassVar[Mark] = PUBLIC
    """Who sees the event at all; what is hidden of one that is seen, the marks on its fields say."""
    warns: ClassVar[bool] = False
    """Whether the receipt of the order repeats the sentence: the order did less than its player may expect."""

    if TYPE_CHECKING:
        rule: Name
        kind: str

    says: ClassVar[str] = ""
    unseen: ClassVar[str] = ""
    sets: ClassVar[Mapping[str, str]] = {}
    sets_own: ClassVar[Mapping[str, str]] = {}
    becomes: ClassVar[Mapping[str, Any]] = {}

    def apply(self, config: Any, state: Any) -> Any:
        """Return ``state`` after this event. Never refuses, never rolls; one that only tells changes nothing."""
        kind: Any = type(self)
        if not (kind.sets or kind.sets_own or kind.becomes):
            return state
        of_state: Any = type(state)
        return _setter(kind, of_state)(self, state)

    def tell(self, config: Any) -> str:
        """Return the event as a sentence without full stop and rule, empty for what a log tells otherwise."""
        kind: type = type(self)
        is_unseen = self.unseen and any(_is_hidden(getattr(self, name)) for name in secret_fields(kind))
        return sentence(self.unseen if is_unseen else self.says, config, self)


E = TypeVar("E", bound=Event)
ALWAYS_PUBLIC: Final = frozenset(("rule", "kind"))
"""The fields that every event has, and all may see."""
_FIELD: Final = re.compile(r"\{(\w+)")
_DECLARED: Final[dict[str, dict[str, type[Event]]]] = {}
"""The events of each module, by name."""
_COMPLETE: Final[set[str]] = set()
"""The modules that have asked for their events: one that declares another after that is being loaded anew."""


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
    """Make of a subclass of ``Event`` a frozen dataclass that happens by ``rule``.

    Its ``kind`` in files is its name in lower case (``TurnLost``: ``turn-lost``). Without ``rule`` the class declares the
    field ``rule`` itself, and each event names its own. What it ``says`` is a sentence with its fields in braces (``{seat}
    loses {left:turn}``, see ``sentence``), ``unseen`` another for those from whom a secret in it is hidden; one that takes
    more is written as ``tell``. ``seen_by`` marks an event that not everybody hears of. The receipt of the order repeats
    the sentence of an event that ``warns``: the order did less than its player may expect.

    An event after which a field of the state is what a field of the event says ``sets`` it (``{"turn": "seat"}``); one after
    which that is so of what belongs to its seat, ``sets_own`` (``{"lost": "turns"}``). One after which it always is the same
    says what it ``becomes`` (``{"stage": Stage.OVER}``). What else changes, ``apply`` says.

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
    """Return the events that the modules of those names have declared, in their order, and those that every game shares."""
    _COMPLETE.update(modules)
    return (*(kind for module in modules for kind in _DECLARED.get(module, {}).values()), Spent)


@cache
def _setter(kind: type[Event], state: type) -> Callable[[Any, Any], Any]:
    """Return the function that sets what an event of ``kind`` sets in a ``state``, or in what a seat has in it."""
    changes = {name: f"self.{field}" for name, field in kind.sets.items()}
    changes |= {name: f"become_{name}" for name in kind.becomes}
    names: dict[str, Any] = {f"become_{name}": value for name, value in kind.becomes.items()}
    lines: list[str] = []
    if kind.sets_own:
        own = {name: f"self.{field}" for name, field in kind.sets_own.items()}
        lines, used, of_state = own_changing(state, "self.seat", own)
        changes, names = changes | of_state, names | used
    whole, used = copying(state, "state", "after", changes)
    return generate_function("self, state", (*lines, *whole, "return after"), names | used)


def _is_hidden(value: Any) -> bool:
    """Return whether ``value`` is what stands in the place of a secret, or of several that are counted."""
    return value is None or (isinstance(value, tuple) and None in value)


def _require_whole(kind: type[Event]) -> None:
    own = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if "rule" not in own:
        raise TypeError(f"{kind.__name__} happens by no rule: name it in @event(…), or declare the field `rule: Name`")
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
