"""Compute deadlines from durations, times of day and weekdays, in the time zone of the club."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Annotated, Final, Literal, get_args
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field

from adjudicator.core.phrases import count
from adjudicator.files.documents import Document, checked, formed

_DURATION: Final = re.compile(r"\s*(\d{1,5})\s*(minute|hour|day|week)s?\s*")
_CALENDAR: Final = re.compile(r"day|week")
"""The units whose length depends on the time zone."""
_TIME: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?")
_Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
MORNING: Final = 8
"""The hour at which the club sends what it collects for a day, in its time zone."""


class DeadlineError(ValueError):
    """A setting or an option about deadlines is not valid; the message shows a valid one."""

    kind = "misuse"
    exit_code = 2


def duration(words: str) -> timedelta:
    """Return the duration in ``words``, such as `3 days` or `36 hours`. Raises ``DeadlineError``."""
    found = _DURATION.fullmatch(words)
    if found is None:
        raise DeadlineError(f"“{words}” is not a duration; write `3 days`, `36 hours` or `90 minutes`")
    return timedelta(**{f"{found[2]}s": int(found[1])})


def shifted(at: int, words: str, time_zone: str, *, back: bool = False) -> int:
    """Return the time that is the duration ``words`` after ``at``, or before it (``back``); both in seconds since 1970.

    Days and weeks are those of the calendar in ``time_zone``: the time of day stays. Raises ``DeadlineError``.
    """
    span = -duration(words) if back else duration(words)
    if _CALENDAR.search(words) is None:
        return at + int(span.total_seconds())
    return int((datetime.fromtimestamp(at, zone(time_zone)) + span).timestamp())


def time_of(words: str, time_zone: str) -> int:
    """Return the time in ``words``, such as `2026-12-31` (its begin) or `2026-12-31 20:00`, in seconds since 1970.

    Raises ``DeadlineError``.
    """
    with suppress(ValueError):
        if _MOMENT.fullmatch(words):
            return int(datetime.fromisoformat(words).replace(tzinfo=zone(time_zone)).timestamp())
    raise DeadlineError(f"“{words}” is not a date; write `2026-12-31` or `2026-12-31 20:00`")


def span_words(seconds: int) -> str:
    """Return a length of time as text: `4 days 3 hours`, or `3 hours 20 minutes`."""
    minutes = seconds // 60
    parts = (minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60 if minutes < 1440 else 0, "minute")
    return " ".join(count(number, unit) for number, unit in parts if number) or "less than a minute"


def zone(name: str) -> tzinfo:
    """Return the time zone ``name``, such as Europe/Berlin. Raises ``DeadlineError``."""
    if name == "UTC":  # also where the computer has no time zones
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        if not available_timezones():
            words = "is unknown, for this computer has no time zones: run `pip install tzdata`, or write UTC"
        else:
            words = "is not a time zone; write Europe/Berlin or America/New_York, for example"
        raise DeadlineError(f"“{name}” {words}") from error


def require_positive(words: str) -> None:
    """Raise ``DeadlineError`` unless ``words`` are a duration above zero."""
    if not duration(words):
        raise DeadlineError(f"“{words}” is no time at all; write `3 days`, `36 hours` or `90 minutes`")


Words = Annotated[str, Field(max_length=200)]
Duration = Annotated[Words, checked(duration)]
PositiveDuration = Annotated[Words, checked(require_positive)]
TimeOfDay = Annotated[Words, formed(f"(?:{_TIME.pattern})?", "“{}” is not a time of day; write it like `20:00`")]
TimeZone = Annotated[Words, checked(zone)]


class Nmr(StrEnum):
    """What the club does for a seat without orders at the deadline (NMR: no moves received)."""

    WAIT = "wait"
    """Nothing: the moderator gets a mail."""
    DEFAULT = "default"
    """Pass if the ruleset has that order; else give the cheapest order."""
    BOT = "bot"
    """Let a simulated player decide this time."""
    DROP = "drop"
    """Give the seat to a simulated player from now on."""


class Deadlines(Document):
    """The deadlines of turns: a time ``every`` after the turn before, then the next time of day ``at``.

    Durations are `3 days`, `36 hours` or `90 minutes`; a time of day is `20:00`, in the club's time zone. ``days`` are the
    weekdays for deadlines (none: all). The grace period ``grace`` follows each deadline. Players without orders get a
    reminder ``warn`` before the deadline. Then their time banks run: each seat has a ``bank`` for the game (empty: none).
    Afterwards, ``nmr`` says what the club does for them. After ``drop_after`` missed deadlines in a row, a simulated player
    gets the seat (0: never). If more than ``most_missing`` seats have no orders, the club waits for the moderator.
    """

    every: PositiveDuration = "3 days"
    at: TimeOfDay = ""
    days: tuple[_Weekday, ...] = ()
    grace: Duration = "0 hours"
    warn: Duration = "24 hours"
    bank: Annotated[Words, checked(lambda words: words and duration(words))] = ""
    nmr: Nmr = Nmr.WAIT
    drop_after: Annotated[int, Field(ge=0, le=100)] = 0
    most_missing: Annotated[int, Field(ge=0, le=10_000)] = 1


def next_deadline(rule: Deadlines, after: int, time_zone: str) -> int:
    """Return when the orders of a turn that begins ``after`` a time are due; both in seconds since 1970.

    If daylight saving time skips the time of day, the deadline is the first moment after the gap.
    """
    there = zone(time_zone)
    local = due = datetime.fromtimestamp(shifted(after, rule.every, time_zone), there)
    found = _TIME.fullmatch(rule.at)
    if found is not None:
        day = local.date()
        local = datetime.combine(day, time(int(found[1]), int(found[2])), there)
        if local.timestamp() < due.timestamp():
            local = datetime.combine(day + timedelta(days=1), local.timetz())
    while rule.days and get_args(_Weekday)[local.weekday()] not in rule.days:
        local += timedelta(days=1)
    return int(local.timestamp())


def next_morning(after: int, time_zone: str) -> int:
    """Return the first 8:00 ``after`` a time, when the club sends what it collects for a day; in seconds since 1970."""
    local = datetime.fromtimestamp(after, zone(time_zone))
    morning = datetime.combine(local.date(), time(MORNING), zone(time_zone))
    return int((morning if morning.timestamp() > after else morning + timedelta(days=1)).timestamp())


def moment(seconds: int, time_zone: str) -> str:
    """Return a time, in ``seconds`` since 1970, as text for members of the club."""
    return f"{datetime.fromtimestamp(seconds, zone(time_zone)):%A %Y-%m-%d %H:%M %Z}"
