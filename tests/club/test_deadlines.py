"""Deadlines: how long after, at which time of day, on which weekdays, in which time zone."""

from __future__ import annotations

import sys
import zoneinfo
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from adjudicator.club.deadlines import (
    DeadlineError,
    duration,
    flaws,
    holiday_dates,
    holiday_span,
    moment,
    next_deadline,
    shifted,
)
from adjudicator.club.settings import Deadlines


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("rule", "zone", "after", "due"),
    [
        (Deadlines(every="36 hours"), "UTC", "2026-03-02 12:00", "2026-03-04 00:00"),
        (Deadlines(every="1 day", at="20:00"), "UTC", "2026-03-02 12:00", "2026-03-03 20:00"),
        (Deadlines(every="1 day", at="20:00"), "UTC", "2026-03-02 20:00", "2026-03-03 20:00"),
        (Deadlines(every="1 day", at="20:00"), "UTC", "2026-03-02 20:01", "2026-03-04 20:00"),
        (Deadlines(every="1 week", at="9:30", days=("mon",)), "UTC", "2026-03-03 12:00", "2026-03-16 09:30"),
        (Deadlines(every="1 day", at="20:00"), "Europe/Berlin", "2026-03-28 08:00", "2026-03-29 18:00"),
        (Deadlines(every="1 day", at="20:00"), "Europe/Berlin", "2026-10-24 08:00", "2026-10-25 19:00"),
        (Deadlines(every="1 day", at="20:00"), "Europe/Berlin", "2026-03-28 19:00", "2026-03-29 18:00"),
        (Deadlines(every="1 day", at="20:00"), "Europe/Berlin", "2026-10-24 18:00", "2026-10-25 19:00"),
        (Deadlines(every="1 day"), "Europe/Berlin", "2026-03-28 19:00", "2026-03-29 18:00"),
        (Deadlines(every="1 week", at="20:00"), "Europe/Berlin", "2026-03-23 19:00", "2026-03-30 18:00"),
        (Deadlines(every="3 days", at="20:00"), "America/New_York", "2026-03-06 01:00", "2026-03-09 00:00"),
        (Deadlines(every="2 days", at="2:30"), "Europe/Berlin", "2026-03-28 01:30", "2026-03-30 00:30"),
        (Deadlines(every="24 hours", at="20:00"), "Europe/Berlin", "2026-03-28 19:00", "2026-03-30 18:00"),
        (Deadlines(every="90 minutes"), "America/New_York", "2026-03-02 12:00", "2026-03-02 13:30"),
    ],
)
def test_the_next_deadline(rule: Deadlines, zone: str, after: str, due: str) -> None:
    assert next_deadline(rule, at(after), zone) == at(due)


@pytest.mark.parametrize("time_zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])
def test_a_deadline_each_day_comes_once_on_each_day_of_a_year(time_zone: str) -> None:
    rule, due, days = Deadlines(every="1 day", at="20:00"), at("2026-01-01 12:00"), list[str]()
    for _ in range(366):
        due = next_deadline(rule, due, time_zone)
        days.append(f"{datetime.fromtimestamp(due, ZoneInfo(time_zone)):%Y-%m-%d %H:%M}")
    assert [day for day in days if not day.endswith(" 20:00")] == []
    assert len({day[:10] for day in days}) == 366
    assert date.fromisoformat(days[-1][:10]) - date.fromisoformat(days[0][:10]) == timedelta(days=365)


@pytest.mark.parametrize(
    ("begin", "words", "back", "end"),
    [
        ("2026-03-28 19:00", "1 day", False, "2026-03-29 18:00"),
        ("2026-03-29 18:00", "1 day", True, "2026-03-28 19:00"),
        ("2026-10-25 19:00", "1 week", True, "2026-10-18 18:00"),
        ("2026-03-29 18:00", "24 hours", True, "2026-03-28 18:00"),
    ],
)
def test_grace_reminders_and_extensions_count_days_of_the_calendar(begin: str, words: str, back: bool, end: str) -> None:
    assert shifted(at(begin), words, "Europe/Berlin", back=back) == at(end)


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25", "2026-06-01"])
def test_a_holiday_has_whole_days(day: str) -> None:
    when = date.fromisoformat(day)
    begin, end = holiday_span(when, when, "Europe/Berlin")
    assert [f"{datetime.fromtimestamp(one, ZoneInfo('Europe/Berlin')):%F %H:%M}" for one in (begin, end)] == [
        f"{when} 00:00",
        f"{when + timedelta(days=1)} 00:00",
    ]
    assert holiday_dates(begin, end, "Europe/Berlin") == (when, when)


def test_a_time_that_the_clock_leaves_out_is_the_next_there_is() -> None:
    rule = Deadlines(every="1 day", at="2:30")
    due = next_deadline(rule, at("2026-03-27 12:00"), "Europe/Berlin")
    assert at("2026-03-29 00:30") <= due <= at("2026-03-29 01:30")


@pytest.mark.parametrize("words", ["", "soon", "3", "3 years", "-1 day", "1.5 days", "999999 days"])
def test_what_is_no_duration_is_told(words: str) -> None:
    with pytest.raises(DeadlineError, match="not a duration"):
        duration(words)


def test_every_flaw_is_told_at_once() -> None:
    rule = Deadlines(every="x", at="25:00", grace="y", warn="z")
    assert [words.partition(" ")[0] for words in flaws(rule, "Mars")] == ["“x”", "“y”", "“z”", "“25:00”", "“Mars”"]


def test_members_read_times_in_the_zone_of_the_club() -> None:
    assert moment(at("2026-07-01 18:00"), "Europe/Berlin") == "Wednesday 2026-07-01 20:00 CEST"


@pytest.fixture
def zoneless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide the time zones of the system and of `tzdata`, as on Windows without that package."""
    kept = zoneinfo.TZPATH
    monkeypatch.setitem(sys.modules, "tzdata", None)
    zoneinfo.reset_tzpath(to=())
    zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath(to=kept)
    zoneinfo.ZoneInfo.clear_cache()


@pytest.mark.usefixtures("zoneless")
def test_a_system_without_time_zones_knows_utc_and_says_what_gives_it_the_others() -> None:
    rule = Deadlines(every="1 day", at="20:00")
    assert next_deadline(rule, at("2026-03-02 12:00"), "UTC") == at("2026-03-03 20:00")
    assert moment(at("2026-07-01 18:00"), "UTC") == "Wednesday 2026-07-01 18:00 UTC"
    (words,) = flaws(rule, "Europe/Berlin")
    assert words == "“Europe/Berlin” is unknown, for this computer has no time zones: run `pip install tzdata`, or write UTC"
