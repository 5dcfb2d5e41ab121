"""Corrections by the moderator, with their sentences: they are events, so the journal is never silently rewritten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, Generic

from adjudicator.core.chance import WordSent, spelled_word
from adjudicator.core.journal import Entry
from adjudicator.core.naming import Naming, change_words, naming_of
from adjudicator.core.phrases import listed
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.rules import AnyRuleset
from adjudicator.core.ruleset import Player
from adjudicator.core.values import (
    MODERATOR,
    Count,
    Digest,
    Holder,
    Line,
    Meta,
    Name,
    Note,
    Positive,
    Seat,
    Tagged,
    TypeOf,
    Value,
    Viewer,
    canonical_text,
    differences,
    json_value,
)

Reason = Annotated[str, Meta(min_length=1, max_length=400)]
"""The moderator's reason for a correction."""
Moment = Name
"""A day or a time as text, such as ``2026-03-02 20:00 UTC``: the rules know no clock."""


class Undone(Tagged, kw_only=True):
    """The game went back to its state after entry ``to``; the later entries stay in the journal."""

    to: Count
    reason: Reason


StateT = TypeOf("StateT", default=Any)


class Amended(Tagged, Generic[StateT], kw_only=True):
    """The moderator replaced the state ``before`` with the state ``after``."""

    before: StateT
    after: StateT
    reason: Reason


class SeatHanded(Tagged, kw_only=True):
    """A seat changed hands: ``holder`` plays it now instead of ``before``."""

    seat: Seat
    before: Holder
    holder: Holder
    reason: Reason


class SecretRevealed(Tagged, kw_only=True):
    """The moderator published the secret of chance; ``is_early`` says that the game was not over yet."""

    secret: Digest
    is_early: bool
    reason: Note


class MissedPolicy(StrEnum):
    """The way in which the game decides for a seat that sent no orders by the deadline (NMR, no moves received)."""

    DEFAULT = "default"
    BOT = "bot"
    DROP = "drop"


class MissedDeadline(Tagged, kw_only=True):
    """The player of ``seat`` sent no orders by ``due``, so the seat's decision was made by ``policy``.

    ``due`` is a time as text. The entries after this one hold what was decided, as orders of the seat. ``missed`` counts the
    deadlines that the seat has missed in a row, this one included.
    """

    seat: Seat
    due: Moment
    policy: MissedPolicy
    missed: Positive
    reason: Note = ""


class WentOnHoliday(Tagged, kw_only=True):
    """The player of ``seat`` is away from ``first`` to ``last`` (days as text) and need not send orders meanwhile."""

    seat: Seat
    first: Moment
    last: Moment
    reason: Note = ""


class CorrectionError(AdjudicatorError):
    """Report that a correction is impossible; the message says why."""


CORRECTIONS: Final = (Undone, Amended, SeatHanded, SecretRevealed, MissedDeadline, WentOnHoliday)
"""Every kind of correction. The states in ``Amended`` are of the game's own ruleset."""
OUTSIDE: Final = (*CORRECTIONS, WordSent)
"""Every kind of event in a journal that does not belong to a ruleset."""


ABSENCES: Final = (MissedDeadline, WentOnHoliday)
"""Corrections that leave the position unchanged; they may share the number of the adjudication before them."""


def is_absence(events: Sequence[Any]) -> bool:
    """Return whether ``events`` are those of a missed deadline or a holiday."""
    return bool(events) and isinstance(events[0], ABSENCES)


STATE_AFTER: Final[Mapping[type, Callable[[Any, Any, Sequence[Any]], Any]]] = {
    Undone: lambda _state, event, past: past[event.to],
    Amended: lambda _state, event, _past: event.after,
    SeatHanded: lambda state, _event, _past: state,
    SecretRevealed: lambda state, _event, _past: state,
    MissedDeadline: lambda state, _event, _past: state,
    WentOnHoliday: lambda state, _event, _past: state,
    WordSent: lambda state, _event, _past: state,
}
"""How each event outside the rules changes the state: a function of the state, the event and the states so far."""
_LASTING: Final = (SeatHanded, SecretRevealed, MissedDeadline, WentOnHoliday, WordSent)
"""Events that an undo never affects."""


def apply_event(rules: AnyRuleset, state: Any, event: Any, past: Sequence[Any]) -> Any:
    """Return ``state`` after ``event``, a game's event or a correction; ``past`` has the state after each entry."""
    correction = STATE_AFTER.get(type(event))
    if correction is None:
        return event.apply(rules.config, state)
    return correction(state, event, past)


def undone_entries(entries: Iterable[Entry]) -> dict[int, int]:
    """Return for each undone entry the number of the entry that undid it.

    An undo never affects lasting entries: a seat's new player, a published secret, an absence, a word for chance.
    """
    listed = tuple(entries)
    lasting = {entry.n for entry in listed if any(isinstance(event, _LASTING) for event in entry.events)}
    return {n: by for n, by in abandoned_entries(listed).items() if n not in lasting}


def abandoned_entries(entries: Iterable[Entry]) -> dict[int, int]:
    """Return for each entry whose position an undo gave up the number of that undo, lasting entries included."""
    abandoned: dict[int, int] = {}
    for entry in entries:
        for event in entry.events:
            if isinstance(event, Undone):
                abandoned |= {n: entry.n for n in range(event.to + 1, entry.n) if n not in abandoned}
    return abandoned


def holders(players: Iterable[Player], entries: Iterable[Entry]) -> dict[Seat, str]:
    """Return the player of each seat after ``entries``."""
    held = {player.seat: player.holder for player in players}
    for entry in entries:
        for event in entry.events:
            if isinstance(event, SeatHanded):
                held[event.seat] = event.holder
    return held


_DONE_FOR: Final[Mapping[MissedPolicy, str]] = {
    MissedPolicy.DEFAULT: "it passes, or does what costs least",
    MissedPolicy.BOT: "a simulated player decides for it this time",
    MissedPolicy.DROP: "a simulated player decides for it from now on",
}


def correction_words(event: Any) -> str:
    """Return the public text of a correction, which the journal has in the place of an order."""
    match event:
        case Undone(to=to):
            return f"UNDO to {to}"
        case SeatHanded(seat=seat):
            return f"SEAT {seat}"
        case Amended():
            return "AMEND"
        case MissedDeadline(seat=seat):
            return f"NMR {seat}"
        case WentOnHoliday(seat=seat):
            return f"HOLIDAY {seat}"
        case _:
            return "REVEAL"


class Change(Value):
    """One value that a correction changed: its ``path`` in the view, its JSON before and after, and a phrase (``words``)."""

    path: Name
    before: Line
    after: Line
    words: str


class AmendedSeen(Value):
    """An amendment as one viewer sees it: the changes in that viewer's view, and the reason."""

    changes: tuple[Change, ...]
    reason: str
    kind: str = "amended"


def changes_between(before: Any, after: Any, naming: Naming) -> tuple[Change, ...]:
    """Return the differences between two states, in order; ``naming`` gives the names of the values."""
    old, new = json_value(before), json_value(after)
    return tuple(
        Change(path, canonical_text(left), canonical_text(right), change_words(naming.called(new, path), left, right))
        for path, left, right in differences(old, new)
    )


def redact_correction(rules: AnyRuleset, event: Any, viewer: Viewer) -> Any:
    """Return a correction as ``viewer`` sees it: an amendment shows only the changes in that viewer's view."""
    if not isinstance(event, Amended):
        return event
    if viewer == MODERATOR:
        return AmendedSeen(changes_between(event.before, event.after, naming_of(rules)), event.reason)
    # The other fields of a view, the viewer and the open decisions, follow from the state.
    before, after = (rules.view(state, viewer).state for state in (event.before, event.after))
    return AmendedSeen(changes_between(before, after, naming_of(rules)), event.reason)


def tell_correction(event: Any) -> str:
    """Return the sentence about a correction or a word for chance, as a viewer sees it; empty for any other event.

    Published logs hold these sentences, and audits compare them: a new wording would contradict logs sent before.
    """
    match event:
        case Undone(to=to, reason=reason):
            return f"back to where the game stood after entry {to}: {reason}"
        case AmendedSeen(changes=changes, reason=reason):
            words = listed(filter(None, (change.words for change in changes))) or "changed something you may not see"
            return f"the moderator {words}: {reason}"
        case SeatHanded(seat=seat, before=before, holder=holder, reason=reason):
            return f"{seat} is played by {holder or 'nobody'} instead of {before or 'nobody'}: {reason}"
        case SecretRevealed(secret=secret, is_early=is_early, reason=reason):
            early = ", published before the end" if is_early else ""
            return f"the secret of chance is {secret}{early}{_because(reason)}"
        case MissedDeadline(seat=seat, due=due, policy=policy, missed=missed, reason=reason):
            times = "" if missed == 1 else f" ({missed} deadlines missed in a row)"
            return f"no orders of {seat} had come by {due}{times}: {_DONE_FOR[policy]}{_because(reason)}"
        case WentOnHoliday(seat=seat, first=first, last=last, reason=reason):
            return f"the player of {seat} is away from {first} to {last}{_because(reason)}"
        case WordSent(seat=seat, word=word):
            # The number of its first outcome stays secret: it would reveal how many secret draws there were.
            return f"{seat}'s word for chance: {spelled_word(word)}, mixed in from the next turn on"
        case _:
            return ""


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""
