"""Read time sheets as text, line by line as on paper: the entries before the bar, the speeds after it.

rally Evening run
route                                      (once; then a row needs no distance and no target)
TC2 12
PC3 (5)
RTC4 16 25mph
crew Ann and Bob
class Novice
kit D3 N1 E4 S2 A2 B5
TC2  12  4     5     1:00 | 10 20 30 via Mill Lane 30 using H2 30
+30 Give Way missed
RTC4: 10 20 30 30 30 30 30                 (with a route: the speeds alone, in one line)
other 120:00
total 130:39

docs/rally-round.md describes each line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import Any, ClassVar, Final

from adjudicator.core.problem import suggest
from adjudicator.game import replace
from adjudicator.games.rally_round.components import KitCard, Timing
from adjudicator.games.rally_round.office.lines import KINDS, LineReader, Word, WrongError, kinds_like, said, words_of
from adjudicator.games.rally_round.office.outputs import NotedFault, SheetRow, TimeSheet
from adjudicator.games.rally_round.office.sheet import Written, gains, timing_of
from adjudicator.games.rally_round.office.sheet_entries import (
    Entry,
    entries,
    places_of,
    read_kit,
    read_time,
    read_times,
    with_entries,
)
from adjudicator.games.rally_round.route import REGULARITIES

MOST_ROWS: Final = 200
"""The most rows of a sheet."""
_LONGEST: Final = 64
_CONTROL: Final = re.compile(rf"(?:{'|'.join(KINDS)})[0-9]{{1,3}}", re.IGNORECASE)
_MPH: Final = re.compile(r"\(?\s*([0-9]{2})\s*mph\s*\)?", re.IGNORECASE)
_SQUARES: Final = re.compile(r"\(?([0-9]{1,4})\)?")
_ROW_WORDS: Final = "TC2 12 4 5 1:00 | 10 20 30"
_HEADS: Final = ("rally", "route", "crew", "class", "kit", "stages", "out", "other", "total")


class SheetReader(LineReader):
    """Reads the ``sheets`` in a text, the name of the ``rally``, and its ``route`` row by row.

    A sheet without a line ``crew`` belongs to ``crew``. With a known ``route`` the text must not have one. ``cards`` are
    those that a kit may name.
    """

    what = "sheet"
    rules: ClassVar = {"speed": "RR-M1", "kit": "RR-K1", "control": "RR-C4", "regularity": "RR-T4", "fault": "RR-P4"}

    def __init__(self, name: str, crew: str = "", route: Sequence[SheetRow] = (), cards: Collection[KitCard] = ()) -> None:
        """Begin empty."""
        super().__init__(name)
        self.rally, self.route, self.cards, self.sheets = "", list(route), cards, list[Written]()
        self._stages, self._all_stages, self._is_route = False, False, False
        self._begin(crew, is_begun=False)

    def _begin(self, crew: str, *, is_begun: bool) -> None:
        self._sheet, self._rows, self._places = TimeSheet(rows=(), crew=crew), list[SheetRow](), dict[Any, Any]()
        self._is_begun, self._last, self._errors = is_begun, self.number or 1, len(self.wrong)

    def take(self, words: list[Word], line: str) -> None:
        """Read a line."""
        head = words[0].low.rstrip(":")
        if words[0].text.startswith("+"):
            self._take_fault(words)
        elif head in _HEADS:
            self._take_head(head, words[1:])
        else:
            self._take_row(line, words)

    def end(self) -> None:
        """Finish the present sheet, if there is one."""
        if self._rows or self._is_begun:
            last = self._rows[-1] if self._rows else None
            if len(self.wrong) == self._errors and (last is None or timing_of(last) is None) and not self._sheet.out:
                why = "no time control ends the last section" if last else "the sheet has no rows"
                self.report(WrongError("unfinished", why), Word(" ", 1), self._last)
            sheet = replace(self._sheet, rows=tuple(self._rows))
            self.sheets.append(Written(sheet=sheet, source=self.name, lines=self.lines, places=self._places))

    def _put(self, row: str, named: Iterable[tuple[str, Word]]) -> None:
        """Store the places of entries in the ``row`` of a control."""
        self._places.update({(row, name): (self.number, word) for name, word in named})

    def _take_head(self, head: str, words: list[Word]) -> None:
        """Read a line of another kind than a row or a fault."""
        if head in ("rally", "crew", "class") and not words:
            raise WrongError("name", "a name must follow this word")
        if head in ("other", "total") and not words:
            raise WrongError("time", f"after “{head}” comes a time such as 130:39")
        more = words[1:] if head in ("other", "total") else words if head in ("route", "stages") else []
        if more:
            raise WrongError("more", f"“{more[0].text}” does not belong here", more[0])
        match head:
            case "rally":
                self.rally = said(words, _LONGEST)
            case "route":
                if self._rows or self.sheets or self.route:
                    raise WrongError("order", "write the route once, above all sheets")
                self._is_route = True
            case "crew":
                self.end()
                self._is_route, self._stages = False, self._all_stages
                self._begin(said(words, _LONGEST), is_begun=True)
            case "stages":
                self._stages = True
                # Above all sheets: for all of them.
                self._all_stages = self._all_stages or not (self._is_begun or self._rows)
            case _:
                self._fill(head, words)

    def _fill(self, head: str, words: list[Word]) -> None:
        """Add what a line says of the present sheet."""
        found: dict[str, Any]
        if head == "class":
            found = {"entry_class": said(words, _LONGEST)}
        elif head == "out":
            found = {"out": said(words, _LONGEST) or "out"}
        elif head == "kit":
            found = read_kit(words, self.cards)
        else:
            self._put("", [(head, words[0])])
            found = {head: read_time(words[0])}
        self._sheet = replace(self._sheet, **found)

    def _take_fault(self, words: list[Word]) -> None:
        if words[0].text != "+30" and [word.text for word in words[:2]] != ["+", "30"]:
            raise WrongError("fault", "write a fault as +30 and its reason", words[0], ["+30"])
        told = words[1 if words[0].text == "+30" else 2 :]
        named = (found[0].upper() for word in told for found in [_CONTROL.match(word.text)] if found)
        above = self._rows[-1].control if self._rows else ""
        fault = NotedFault(words=said(told, _LONGEST) or "a fault", control=next(named, above))
        self._put("", [(f"fault {len(self._sheet.faults)}", words[0])])
        self._sheet = replace(self._sheet, faults=(*self._sheet.faults, fault))

    def _take_row(self, line: str, words: list[Word]) -> None:
        self._last, head = self.number, words[0]
        control = head.text.partition(":")[0].partition("|")[0].upper()
        if not _CONTROL.fullmatch(control):
            found = re.fullmatch(r"([A-Z]{1,4})([0-9]{1,3})", control.replace("O", "0"))
            near = [f"{kind}{int(found[2])}" for kind in kinds_like(found[1])] if found else []
            near = near or [*suggest(head.text, [*_HEADS, *(row.control for row in self.route)], 1)]
            why = f"a row is a control, its distance, and after a bar the speeds: {_ROW_WORDS}"
            raise WrongError("row", why, head, near)
        self._once(control, head)
        if self._is_route:
            self.route.append(self._row(control, line.rstrip(), head))
            return
        before, bar, behind = line.partition("|")
        _, colon, speeds = line.partition(":")
        if bar:
            written = entries(behind, len(before) + 2)
            self._rows.append(with_entries(self._row(control, before, head), written))
            self._put(control, [("control", head), *places_of(written)])
        elif head.text.rstrip(":").upper() == control and colon and line.find(":") < head.column + 10:
            self._take_section(control, head, entries(speeds, line.find(":") + 2))
        else:
            raise WrongError("bar", "the speeds come after a bar", Word(line.strip(), head.column), _barred(words))

    def _once(self, control: str, word: Word) -> None:
        rows = self.route if self._is_route else self._rows
        if len(rows) >= MOST_ROWS:
            raise WrongError("many", f"a sheet has at most {MOST_ROWS} rows", word)
        if any(row.control == control for row in rows):
            raise WrongError("twice", f"this sheet has {control} twice", word)
        planned = [row.control for row in self.route]
        if not self._is_route and planned and control not in planned:
            raise WrongError("control", f"the route has no {control}", word, suggest(control, planned, 1))

    def _row(self, control: str, before: str, head: Word) -> SheetRow:
        """Return the row of ``control`` without its speeds; ``before`` is the line up to the bar, with the name."""
        place = head.column - 1 + len(control)
        mph = _MPH.search(before, place)
        plain = before if mph is None else before[: mph.start()] + " " * len(mph[0]) + before[mph.end() :]
        words = words_of(plain[place:], r"[^\s()]+|\([^()]*\)", place + 1)
        planned = next((row for row in self.route if row.control == control), None)
        if planned is None or self._is_route or len(words) > 3 or any(word.text.startswith("(") for word in words[:1]):
            return self._own_row(control, words, int(mph[1]) if mph else None, head)
        if len(words) == 3:
            why = "the route has the distance and the target: write here only the time taken and the penalty"
            raise WrongError("times", why, words[2])
        return replace(planned, **self._times(control, ("taken", "penalty"), words))

    def _times(self, control: str, names: Sequence[str], words: Sequence[Word]) -> dict[str, Any]:
        self._put(control, zip(names, words, strict=False))
        return read_times(names, words)

    def _own_row(self, control: str, words: list[Word], mph: int | None, head: Word) -> SheetRow:
        if not words:
            raise WrongError("distance", f"after {control} comes its distance in squares: {_ROW_WORDS}", head)
        squares = _SQUARES.fullmatch(words[0].text.replace(" ", ""))
        if squares is None or int(squares[1]) < 1:
            why = "a control is at least one square away: the first number is its distance in squares"
            raise WrongError("distance", why, words[0])
        row = SheetRow(control=control, distance=int(squares[1]), speeds=())
        own = timing_of(row)
        is_regularity = own is Timing.REGULARITY
        if is_regularity and mph not in REGULARITIES:
            why = "a regularity section needs a speed from 20 to 30: RTC5 16 25mph"
            raise WrongError("regularity", why, words[0], [f"{control} {words[0].text} 25mph"])
        if len(words) > 4:
            raise WrongError("times", "after the distance come only target, time taken and penalty", words[4])
        timing = Timing.STAGE if own is Timing.ROAD and self._stages else own
        self._put(control, [("distance", words[0])])
        times = self._times(control, ("target", "taken", "penalty"), words[1:])
        return replace(row, timing=None if timing is None else timing.value, speed=mph if is_regularity else None, **times)

    def _take_section(self, control: str, head: Word, found: Sequence[Entry]) -> None:
        """Read the speeds of the whole section that ends at ``control``: its PCs have the speeds up to their distances."""
        at = next((place for place, row in enumerate(self.route) if row.control == control), None)
        if at is None:
            raise WrongError("bar", f"without a route each row needs a distance and a bar: {_ROW_WORDS}", head)
        passages = [*takewhile(lambda row: row.control.startswith("PC"), reversed(self.route[:at]))][::-1]
        twice = next((row.control for row in passages if any(row.control == known.control for known in self._rows)), None)
        if twice is not None:
            raise WrongError("twice", f"{twice} has its own row, so {control} needs one, too", head)
        driven = 0
        for row in passages:
            own, before = 0, driven
            while own < len(found) and driven < row.distance:
                own += 1
                driven = sum(gains(with_entries(row, found[:own])), before)
            self._rows.append(with_entries(row, found[:own]))
            self._put(row.control, places_of(found[:own]))
            found = found[own:]
        self._rows.append(with_entries(self.route[at], found))
        self._put(control, [("control", head), *places_of(found)])


def _barred(words: Sequence[Word]) -> list[str]:
    """Return the row in ``words`` with a bar before the first word that is surely a speed, not a distance or a time."""
    at = next((place for place, word in enumerate(words[:6]) if place > 1 and word.text in ("10", "20")), min(len(words), 5))
    return [said([*words[:at], Word("|", 1), *words[at:]], _LONGEST)]
