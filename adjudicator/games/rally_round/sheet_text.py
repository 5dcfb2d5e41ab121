"""A time sheet as text: one row a line, what was written before the bar, the speeds behind it.

stages                                     (if all sections are stages)
TC2  12  4     5     1:00 | 10 20 30 30 30
PC3  (5)                  | 10 30 30
RTC5 16 25mph 6:24 6:20 0:04 | 10 20 30 30 30 30 30
+30 Give Way missed
other 120:00
total 130:39
"""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.game import frozen
from adjudicator.games.rally_round.components import Timing
from adjudicator.games.rally_round.sheet import Row, Sheet, timing_of
from adjudicator.games.rally_round.timing import MINUTE

_TIME: Final = re.compile(r"(\d{1,5})(?:[:.](\d{2}))?")
_ROW: Final = re.compile(r"((?:[RS]?TC|SSF|PC)\d{1,3})\s+\(?(\d{1,4})\)?(.*)", re.IGNORECASE)
_MPH: Final = re.compile(r"\(?(\d{2})\s*mph\)?", re.IGNORECASE)
_NOTHING: Final = ("-", "–", "—")


@frozen
class Misread:
    """A line of a sheet that cannot be read: its number from 1, and why."""

    line: int
    why: str


def read_sheet(text: str) -> tuple[Sheet, tuple[Misread, ...]]:
    """Return the sheet in ``text``, and every line that cannot be read."""
    rows, faults, wrong = list[Row](), list[str](), list[Misread]()
    sums: dict[str, int] = {}
    timing = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        head, _, rest = words.partition(" ")
        try:
            if words.lower() == "stages":
                timing = Timing.STAGE
            elif words.startswith("+30"):
                faults.append(words[3:].strip() or "a fault")
            elif head.lower() in ("other", "total"):
                sums[head.lower()] = _time(rest.strip())
            elif words:
                rows.append(_row(words, timing))
        except ValueError as error:
            wrong.append(Misread(number, str(error)))
    return Sheet(rows=tuple(rows), faults=tuple(faults), other=sums.get("other"), total=sums.get("total")), tuple(wrong)


def _row(words: str, timing: Timing | None) -> Row:
    written, bar, driven = words.partition("|")
    found = _ROW.fullmatch(written.strip())
    if found is None or not bar:
        raise ValueError("a row is a control, its distance, and behind a bar the speeds: TC2 12 4 5 1:00 | 10 20 30")
    control, distance, rest = found[1].upper(), int(found[2]), found[3]
    mph = _MPH.search(rest)
    times = [None if word in _NOTHING else _time(word) for word in _MPH.sub(" ", rest).split()]
    if len(times) > 3:
        raise ValueError("after the distance come target, time taken and penalty, no more")
    own = timing_of(control)
    if own is Timing.REGULARITY and (mph is None or not 20 <= int(mph[1]) <= 30):
        raise ValueError("a regularity section has a speed from 20 to 30: RTC5 16 25mph")
    if distance < 1:
        raise ValueError("a control is one square on at least")
    fields: dict[str, Any] = dict(zip(("target", "taken", "penalty"), times, strict=False))
    if fields.get("penalty", 0) is None:
        fields["penalty"] = 0
    return Row(
        control=control,
        distance=distance,
        speeds=_speeds(driven),
        timing=timing if own is Timing.ROAD else own,
        speed=int(mph[1]) if mph and own is Timing.REGULARITY else None,
        **fields,
    )


def _speeds(driven: str) -> tuple[int, ...]:
    words = driven.replace("/", " ").replace(",", " ").split()
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) <= 3):
            raise ValueError(f"“{word}” is no speed")
    return tuple(map(int, words))


def _time(word: str) -> int:
    found = _TIME.fullmatch(word)
    if found is None:
        raise ValueError(f"“{word}” is no time such as 5 or 6:24")
    return MINUTE * int(found[1]) + int(found[2] or 0)
