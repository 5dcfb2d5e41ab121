"""Corrections by the moderator: events like any other, so that nothing is ever silently rewritten; and how each reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from adjudicator.core.bounds import Ge, Len
from adjudicator.core.canonical import canonical_text, json_value
from adjudicator.core.chance import WordSent, spelled_word
from adjudicator.core.diff import differences
from adjudicator.core.frozen import frozen
from adjudicator.core.ids import MODERATOR, Digest, Line, Name, Seat, Viewer
from adjudicator.core.naming import Naming, change_words, naming_of
from adjudicator.core.phrases import listed
from adjudicator.core.ruleset import AnyRuleset

Reason = Annotated[str, Len(1, 400)]
"""Why a correction was made, in the moderator's words."""
Moment = Annotated[str, Len(1, 80)]
"""A day or a time in words, such as ``2026-03-02 20:00 UTC``: the rules know no clock."""


@frozen(kw_only=True)
class Undone:
    """The game went back to where it stood after entry ``to``; the entries since stay in the record."""

    to: Annotated[int, Ge(0)]
    reason: Reason
    kind: Literal["undone"] = "undone"


@frozen(kw_only=True)
class Amended:
    """The moderator put the state ``after`` in the place of the state ``before``."""

    before: Any
    after: Any
    reason: Reason
    kind: Literal["amended"] = "amended"


@frozen(kw_only=True)
class SeatHanded:
    """A seat changed hands: ``holder`` plays it now in the place of ``before``."""

    seat: Seat
    before: Annotated[str, Len(0, 80)]
    holder: Annotated[str, Len(0, 80)]
    reason: Reason
    kind: Literal["seat-handed"] = "seat-handed"


@frozen(kw_only=True)
class SecretRevealed:
    """The secret of chance was published; ``is_early`` if the game was not over yet."""

    secret: Digest
    is_early: bool
    reason: Annotated[str, Len(0, 400)]
    kind: Literal["secret-revealed"] = "secret-revealed"


class MissedPolicy(StrEnum):
    """What was done for a seat of which no orders had come by the deadline (NMR, no moves received)."""

    DEFAULT = "default"
    BOT = "bot"
    DROP = "drop"


@frozen(kw_only=True)
class MissedDeadline:
    """No orders had come from ``seat`` by ``due``, a time in words, and it was decided for it as ``policy`` says.

    What was decided stands in the entries after this one, as orders of the seat. ``missed`` counts the deadlines that the
    seat has missed in a row, this one included.
    """

    seat: Seat
    due: Moment
    policy: MissedPolicy
    missed: Annotated[int, Ge(1)]
    reason: Annotated[str, Len(0, 400)] = ""
    kind: Literal["missed-deadline"] = "missed-deadline"


@frozen(kw_only=True)
class WentOnHoliday:
    """The player of ``seat`` has told of being away from ``first`` to ``last``, days in words: nothing is due meanwhile."""

    seat: Seat
    first: Moment
    last: Moment
    reason: Annotated[str, Len(0, 400)] = ""
    kind: Literal["went-on-holiday"] = "went-on-holiday"


class CorrectionError(Exception):
    """A correction makes no sense; the message says why."""


CORRECTIONS: Final = (Undone, Amended, SeatHanded, SecretRevealed, MissedDeadline, WentOnHoliday)
"""Every kind of correction. ``Amended`` holds states of the ruleset at hand."""
OUTSIDE: Final = (*CORRECTIONS, WordSent)
"""Every kind of event that stands in a journal and is no ruleset's."""


ABSENCES: Final = (MissedDeadline, WentOnHoliday)
"""Corrections that change nothing in the game: they can join the adjudication before them, and take no number."""


def is_absence(events: Sequence[Any]) -> bool:
    """Return whether these are the ``events`` of a missed deadline or a holiday."""
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
"""For each event outside the rules the state after it, of the state before, the event and the states after each entry."""


_DONE_FOR: Final[Mapping[MissedPolicy, str]] = {
    MissedPolicy.DEFAULT: "it passes, or does what costs least",
    MissedPolicy.BOT: "a simulated player decides for it this time",
    MissedPolicy.DROP: "a simulated player decides for it from now on",
}


def correction_words(event: Any) -> str:
    """Return the words under which a correction stands in the journal, for everybody to read."""
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


@frozen
class Change:
    """One value that a correction changed: ``path`` in the view, the value before and after as JSON; ``words`` say it."""

    path: Name
    before: Line
    after: Line
    words: str


@frozen
class AmendedSeen:
    """What a viewer learns of an amendment: the changes in what it may know, and the reason."""

    changes: tuple[Change, ...]
    reason: str
    kind: str = "amended"


def changes_between(before: Any, after: Any, naming: Naming) -> tuple[Change, ...]:
    """Return what differs between two states, in order; ``naming`` says how things are called."""
    old, new = json_value(before), json_value(after)
    return tuple(
        Change(path, canonical_text(left), canonical_text(right), change_words(naming.called(new, path), left, right))
        for path, left, right in differences(old, new)
    )


def redact_correction(rules: AnyRuleset, config: Any, event: Any, viewer: Viewer) -> Any:
    """Return a correction as ``viewer`` sees it: of an amendment only what shows in its own view."""
    if not isinstance(event, Amended):
        return event
    if viewer == MODERATOR:
        return AmendedSeen(changes_between(event.before, event.after, naming_of(rules)), event.reason)
    # Who looks and who is due follow from the rest.
    before, after = (rules.view(config, state, viewer).state for state in (event.before, event.after))
    return AmendedSeen(changes_between(before, after, naming_of(rules)), event.reason)


def tell_correction(event: Any) -> str:
    """Return an event outside the rules, as a viewer sees it, in a sentence; nothing for any other."""
    match event:
        case Undone(to=to, reason=reason):
            return f"back to where the game stood after entry {to}: {reason}"
        case AmendedSeen(changes=changes, reason=reason):
            told = listed(change.words for change in changes) or "changed something you may not see"
            return f"the moderator {told}: {reason}"
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
            # The number of its first outcome stays in the file: it would tell how much was drawn in secret.
            return f"{seat}'s word for chance: {spelled_word(word)}, mixed in from the next turn on"
        case _:
            return ""


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""
