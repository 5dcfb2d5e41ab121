"""Compare the record with the results of the rules, and name the first difference with entry, field and rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, Protocol

from adjudicator.core.journal import Entry
from adjudicator.core.values import MISSING, canonical_text, differences, json_value
from adjudicator.rulesets import bug_words
from adjudicator.verdict import Divergence, Kind

_MOST: Final = 2_000
_NOTHING: Final = object()


class EntryRef(Protocol):
    """The facts about an entry that a divergence contains."""

    @property
    def n(self) -> int:
        """The number of the entry."""
        ...

    @property
    def seat(self) -> str | None:
        """The seat of the entry."""
        ...

    @property
    def order(self) -> str:
        """The public text of the order."""
        ...


class DivergenceError(Exception):
    """End the audit of a game at its first divergence."""

    def __init__(self, divergence: Divergence) -> None:
        """Keep the ``divergence``."""
        super().__init__(divergence.kind)
        self.divergence = divergence


def divergence_at(
    entry: EntryRef, kind: Kind, field: str, recorded: Any, recomputed: Any, rule: str = ""
) -> DivergenceError:
    """Return the end of the audit at ``entry``; values other than text are shown as JSON."""
    divergence = Divergence(kind, entry.n, entry.seat or "", entry.order, field, _shown(recorded), _shown(recomputed), rule)
    return DivergenceError(divergence)


def divergence_of_file(
    kind: Kind, field: str, recorded: Any, recomputed: Any, seat: str = "", order: str = ""
) -> DivergenceError:
    """Return the end of the audit for a difference outside the entries."""
    return DivergenceError(Divergence(kind, None, seat, order, field, _shown(recorded), _shown(recomputed)))


def fault(error: Exception, ruleset: str = "", entry: EntryRef | None = None) -> Divergence:
    """Return the divergence for a bug in the program or in the ``ruleset`` of the game; the file may be fine."""
    words = bug_words(error, ruleset)
    if entry is None:
        return Divergence(Kind.FAULT, recomputed=words)
    return Divergence(Kind.FAULT, entry.n, entry.seat or "", entry.order, recomputed=words)


def compare_field(entry: EntryRef, kind: Kind, field: str, recorded: Any, recomputed: Any) -> None:
    """Raise ``DivergenceError`` unless the two values of ``field`` are the same."""
    if recorded != recomputed:
        raise divergence_at(entry, kind, field, _plain(recorded), _plain(recomputed))


def compare_events(entry: Entry, kind: Kind, recomputed: Sequence[Any]) -> None:
    """Raise ``DivergenceError`` at the first event of ``entry`` that differs from ``recomputed``.

    Values are compared first, all at once: they are equal nearly always.
    """
    if entry.events == recomputed:
        return
    for index, (old, new) in enumerate(zip_longest(entry.events, recomputed, fillvalue=_NOTHING)):
        if old != new:
            path, recorded, right = _first(old, new, f"events[{index}]")
            raise divergence_at(entry, kind, path, recorded, right, _rule(new) or _rule(old))


def compare_whole(kind: Kind, field: str, recorded: Any, recomputed: Any) -> None:
    """Raise ``DivergenceError`` at the first difference between two values outside the entries."""
    if recorded != recomputed:
        path, old, new = _first(recorded, recomputed, field)
        raise divergence_of_file(kind, path, old, new)


def _first(old: Any, new: Any, path: str) -> tuple[str, Any, Any]:
    """Return path, old and new value of the first different part; objects of different kinds differ as a whole."""
    if type(old) is type(new):
        for found in differences(json_value(old), json_value(new), path):
            return found
    return path, _plain(old), _plain(new)


def _plain(value: Any) -> Any:
    return MISSING if value is _NOTHING or value is None else json_value(value)


def _rule(event: Any) -> str:
    """Return the rule of ``event``, or the rules of the parts of a cost."""
    rule: str = getattr(event, "rule", "")
    return rule or ", ".join(_rules_of_parts(event))


def _rules_of_parts(event: Any) -> Iterator[str]:
    yield from dict.fromkeys(part.rule for part in getattr(event, "why", ()))


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else canonical_text(value)
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"
