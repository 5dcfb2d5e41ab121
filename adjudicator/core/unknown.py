"""Carry orders out in a position with hidden values, up to the first draw or the first use of something hidden.

A seat's view has replacements for what the seat may not know. The rules must not decide from these: here each hidden value
is an ``Unknown``, and any use of it ends the order. So every event before that end also happens in the whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from adjudicator.core.at import At, Here
from adjudicator.core.chance import ImpossibleOutcomeError
from adjudicator.core.rules import AnyRuleset, Moves, changed
from adjudicator.core.values import Seat, Value
from adjudicator.core.visibility import Mark, as_count, nothing, redactor


class UnknownError(ImpossibleOutcomeError):
    """Report that the rules need an outcome of chance or a hidden value, which the viewer cannot know."""

    def __init__(self, purpose: str) -> None:
        """Keep the ``purpose`` for which the rules need it."""
        super().__init__(purpose, None, ())


class HiddenError(UnknownError):
    """Report that a value which the viewer may not know decides what happens next, or becomes known."""


class HiddenReadError(HiddenError):
    """Report that the rules read a value that the viewer may not know."""


def _refuse(*_values: Any) -> Any:
    raise HiddenReadError("a hidden value")


class Unknown:
    """A value that a viewer does not know: every use of it raises ``HiddenReadError``."""

    __slots__ = ()
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __len__ = __iter__ = __contains__ = _refuse
    __getitem__ = __add__ = __radd__ = __sub__ = __rsub__ = __int__ = __index__ = __str__ = __format__ = _refuse
    __hash__ = _refuse

    def __getattr__(self, name: str) -> Any:
        """Refuse, as for every other use."""
        _refuse(name)


_UNKNOWN: Final = Unknown()


class UnknownChance:
    """A source of chance that has no outcome: every draw raises ``UnknownError``."""

    drawn = 0

    def pick(self, purpose: str, among: Sequence[str]) -> str:
        """Raise ``UnknownError``."""
        del among
        raise UnknownError(purpose)


@dataclass
class Known:
    """What a seat can know of the ``order`` that is carried out: its ``events`` so far, and what ``stopped`` it."""

    order: Any = None
    events: list[Any] = field(default_factory=list)
    stopped: UnknownError | None = None


def known_rules(rules: AnyRuleset, seat: Seat, known: Known) -> AnyRuleset:
    """Return ``rules`` for positions that are views of ``seat``: an order raises ``UnknownError`` where it cannot know more.

    ``known`` follows the order that is carried out.
    """
    config, state_class = rules.config, cast("Any", rules.state)
    veil, leave_out = redactor(state_class, _veil), redactor(state_class, _left_out)

    def watched(at: Here, begin: Callable[[Here], Moves]) -> Moves:
        hidden: Here = at if veil is None else At(config, veil(config, at.state, at.state, seat), at.seat)
        after: Here | None = None
        try:
            events = begin(hidden)
            while True:
                try:
                    event = events.send(after)
                except StopIteration:
                    return
                _require_known(event)
                hidden = after = hidden.after(event)
                at = yield event
                _require_known(after.state if leave_out is None else leave_out(config, at.state, after.state, seat))
                known.events.append(event)
        except UnknownError as error:
            # Of independent seats, another one's secret decides only what follows for the others, or for all at the end.
            if not (config.seats_are_independent and isinstance(error, HiddenReadError) and known.events):
                known.stopped = error
                raise

    def decide(at: Here, order: Any, chance: Any) -> Moves:
        known.order, known.events = order, []
        return watched(at, lambda hidden: rules.decide(hidden, order, chance))

    def follow(state: Any, chance: Any) -> Moves:
        return watched(rules.at(state), lambda hidden: rules.follow(hidden.state, chance))

    return changed(rules, decide=decide, follow=follow)


def _veil(mark: Mark, config: Any, value: Any) -> Any:
    """Return the replacement of a hidden ``value``, which others may count or of which they know that it is there."""
    shown = mark.instead(config, value)
    if mark.instead is as_count or (isinstance(shown, tuple) and shown):
        return (_UNKNOWN,) * len(shown)
    return None if shown is None and mark.instead is not nothing else _UNKNOWN


def _left_out(_mark: Mark, _config: Any, _value: Any) -> None:
    return None


def _require_known(value: Any) -> None:
    """Raise ``HiddenError`` if there is an ``Unknown`` in ``value``."""
    if type(value) is Unknown:
        raise HiddenError("a hidden value")
    parts: Iterable[Any] = ()
    if isinstance(value, Value):
        parts = (getattr(value, name) for name in value.__struct_fields__)
    elif isinstance(value, Mapping):
        parts = value.values()
    elif isinstance(value, Sequence) and not isinstance(value, str):
        parts = value
    for part in parts:
        _require_known(part)
