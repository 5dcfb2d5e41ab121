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
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from adjudicator.core.suggestions import suggest
from adjudicator.game import frozen
from adjudicator.games.rally_round.components import KitCard, Timing
from adjudicator.games.rally_round.office.sheet import Fault, Row, Sheet, timing_of
from adjudicator.games.rally_round.office.sheet_entries import Entry, entries, in_row, read_kit, read_time, read_times
from adjudicator.games.rally_round.office.typed import Misread, Place, Word, WrongError, lines_of, misread, words_of

MOST_ROWS: Final = 200
"""The most rows of a sheet."""
_LONGEST: Final = 64
_CONTROL: Final = re.compile(r"(?:[RS]?TC|SSF|PC)[0-9]{1,3}", re.IGNORECASE)
_MPH: Final = re.compile(r"\(?\s*([0-9]{2})\s*mph\s*\)?", re.IGNORECASE)
_SQUARES: Final = re.compile(r"\(?([0-9]{1,4})\)?")
_ROW_WORDS: Final = "TC2 12 4 5 1:00 | 10 20 30"


@frozen
class Sheets:
    """The contents of a text: the name of the rally, its route row by row (empty: each sheet has its own), the sheets."""

    rally: str
    route: tuple[Row, ...]
    sheets: tuple[Sheet, ...]


def read_sheet(text: str) -> tuple[Sheet, tuple[Misread, ...]]:
    """Return the first sheet in ``text``, and every unreadable part."""
    found, wrong = read_sheets(text)
    return found.sheets[0] if found.sheets else Sheet(rows=()), wrong


def read_sheets(
    text: str, crew: str = "", route: Sequence[Row] = (), cards: Collection[KitCard] = ()
) -> tuple[Sheets, tuple[Misread, ...]]:
    """Return the sheets in ``text``, and every unreadable part in the order of the lines.

    A sheet without a line ``crew`` belongs to ``crew``. With a known ``route`` the text must not have one. ``cards`` are
    those that a kit may name.
    """
    reader = _Reader(crew, route, cards)
    for number, line in enumerate(lines_of(text), 1):
        reader.take(number, line.partition("#")[0])
    reader.end_sheet()
    return Sheets(reader.rally, tuple(reader.route), tuple(reader.sheets)), tuple(sorted(reader.wrong, key=_place))


def _place(wrong: Misread) -> tuple[int, int]:
    return wrong.line, wrong.column


class _Reader:
    """Reads the lines of a text one by one."""

    def __init__(self, crew: str, route: Sequence[Row], cards: Collection[KitCard]) -> None:
        self.rally = ""
        self.route, self.cards = list(route), cards
        self.sheets: list[Sheet] = []
        self.wrong: list[Misread] = []
        self._timing: Timing | None = None
        self._common: Timing | None = None
        self._is_route = False
        self._named = crew
        self._begin(Sheet(rows=(), crew=crew), 1)
        heads = ("rally", "route", "crew", "class", "kit", "stages", "out")
        self._heads: dict[str, Callable[[str, list[Word]], None]] = {
            **{head: getattr(self, f"_take_{head}") for head in heads},
            **dict.fromkeys(("other", "total"), self._take_sum),
        }

    def _begin(self, sheet: Sheet, number: int) -> None:
        self._sheet, self._rows, self._number, self._is_begun, self._is_spoilt = sheet, list[Row](), number, False, False
        self._last = number

    def take(self, number: int, line: str) -> None:
        """Read ``line``, the one of that ``number`` from 1, without its comment."""
        words = words_of(line)
        if not words:
            return
        self._line = number
        head = words[0].text.rstrip(":").lower()
        try:
            if words[0].text.startswith("+"):
                self._take_fault(words)
            elif head in self._heads:
                self._heads[head](head, words[1:])
            else:
                self._take_row(line, words)
        except WrongError as error:
            at = error.word or Word(line.strip(), words[0].column)
            self.wrong.append(misread(number, error, at))
            self._is_spoilt = True

    def end_sheet(self) -> None:
        """Finish the present sheet, if there is one."""
        if self._rows or self._is_begun:
            sheet = replace(self._sheet, rows=tuple(self._rows))
            last = self._rows[-1] if self._rows else None
            if not self._is_spoilt and (last is None or last.control.startswith("PC")) and not sheet.out:
                why = "no time control ends the last section" if last else "the sheet has no rows"
                self.wrong.append(misread(self._last, WrongError("unfinished", why), Word(" ", 1)))
            self.sheets.append(sheet)

    def _place(self, word: Word) -> Place:
        return Place(self._line, word.column, len(word.text))

    def _take_rally(self, _: str, words: list[Word]) -> None:
        self.rally = _name(words)

    def _take_route(self, _: str, words: list[Word]) -> None:
        _nothing_more(words)
        if self._rows or self.sheets or self.route:
            raise WrongError("order", "write the route once, above all sheets")
        self._is_route = True

    def _take_crew(self, _: str, words: list[Word]) -> None:
        name = _name(words)
        self.end_sheet()
        self._is_route, self._timing = False, self._common
        self._begin(Sheet(rows=(), crew=name), self._line)
        self._is_begun, self._last = True, self._line

    def _take_class(self, _: str, words: list[Word]) -> None:
        self._sheet = replace(self._sheet, entry_class=_name(words))

    def _take_out(self, _: str, words: list[Word]) -> None:
        self._sheet = replace(self._sheet, out=" ".join(word.text for word in words)[:_LONGEST] or "out")

    def _take_stages(self, _: str, words: list[Word]) -> None:
        _nothing_more(words)
        self._timing = Timing.STAGE
        if not self._is_begun and not self._rows:  # above all sheets: for all of them
            self._common = Timing.STAGE

    def _take_sum(self, head: str, words: list[Word]) -> None:
        if not words:
            raise WrongError("time", f"after “{head}” comes a time such as 130:39")
        _nothing_more(words[1:])
        places = {**self._sheet.places, head: self._place(words[0])}
        found: dict[str, Any] = {head: read_time(words[0]), "places": places}
        self._sheet = replace(self._sheet, **found)

    def _take_kit(self, _: str, words: list[Word]) -> None:
        found = read_kit(words, self.cards)
        self._sheet = replace(self._sheet, **found)

    def _take_fault(self, words: list[Word]) -> None:
        if words[0].text != "+30" and not (words[0].text == "+" and len(words) > 1 and words[1].text == "30"):
            raise WrongError("fault", "write a fault as +30 and its reason", words[0], ["+30"])
        told = [word.text for word in words[1 if words[0].text == "+30" else 2 :]]
        named = (found[0].upper() for word in told for found in [_CONTROL.match(word)] if found)
        above = self._rows[-1].control if self._rows else ""
        fault = Fault(" ".join(told)[:_LONGEST] or "a fault", next(named, above), self._place(words[0]))
        self._sheet = replace(self._sheet, faults=(*self._sheet.faults, fault))

    def _take_row(self, line: str, words: list[Word]) -> None:
        self._last = self._line
        control = words[0].text.partition(":")[0].partition("|")[0].upper()
        if not _CONTROL.fullmatch(control):
            known = [*self._heads, *(row.control for row in self.route)]
            near = _turned(control) or suggest(words[0].text, known, 1)
            why = f"a row is a control, its distance, and after a bar the speeds: {_ROW_WORDS}"
            raise WrongError("row", why, words[0], near)
        self._once(control, words[0])
        if self._is_route:
            self.route.append(self._row(control, line[: len(line.rstrip())], words[0], ()))
            return
        before, bar, behind = line.partition("|")
        _, colon, speeds = line.partition(":")
        if not bar and words[0].text.rstrip(":").upper() == control and colon and line.find(":") < words[0].column + 10:
            self._rows.extend(self._whole_section(control, words[0], entries(speeds, line.find(":") + 2)))
        elif not bar:
            raise WrongError("bar", "the speeds come after a bar", Word(line.strip(), words[0].column), _barred(words))
        else:
            self._rows.append(self._row(control, before, words[0], entries(behind, len(before) + 2)))

    def _once(self, control: str, word: Word) -> None:
        rows = self.route if self._is_route else self._rows
        if len(rows) >= MOST_ROWS:
            raise WrongError("many", f"a sheet has at most {MOST_ROWS} rows", word)
        if any(row.control == control for row in rows):
            raise WrongError("twice", f"this sheet has {control} twice", word)
        if not self._is_route and self.route and all(row.control != control for row in self.route):
            near = suggest(control, [row.control for row in self.route], 1)
            raise WrongError("control", f"the route has no {control}", word, near)

    def _row(self, control: str, before: str, head: Word, found: Sequence[Entry]) -> Row:
        """Return the row of ``control``: ``before`` are the line's words up to the bar, including the name."""
        place = head.column - 1 + len(control)
        mph = _MPH.search(before, place)
        plain = before if mph is None else before[: mph.start()] + " " * (mph.end() - mph.start()) + before[mph.end() :]
        words = [Word(found[0], place + found.start() + 1) for found in re.finditer(r"[^\s()]+|\([^()]*\)", plain[place:])]
        planned = next((row for row in self.route if row.control == control), None)
        is_bare = len(words) < 4 and not any(word.text.startswith("(") for word in words[:1])
        if planned is not None and not self._is_route and is_bare:
            if len(words) == 3:
                why = "the route has the distance and the target: write here only the time taken and the penalty"
                raise WrongError("times", why, words[2])
            names = ("taken", "penalty")
            return replace(planned, **self._filled(head, names, words, found), **read_times(names, words))
        return self._own_row(control, words, int(mph[1]) if mph else None, head, found)

    def _filled(self, head: Word, names: Sequence[str], words: Sequence[Word], found: Sequence[Entry]) -> dict[str, Any]:
        """Return the speeds ``found`` for a row, and the places of its entries: ``words`` by ``names``."""
        filled = in_row(found, self._line)
        named = {name: self._place(word) for name, word in zip(names, words, strict=False)}
        return {**filled, "places": {"control": self._place(head), **named, **filled["places"]}}

    def _own_row(self, control: str, words: list[Word], mph: int | None, head: Word, found: Sequence[Entry]) -> Row:
        if not words:
            raise WrongError("distance", f"after {control} comes its distance in squares: {_ROW_WORDS}", head)
        squares = _SQUARES.fullmatch(words[0].text.replace(" ", ""))
        if squares is None or int(squares[1]) < 1:
            why = "a control is at least one square away: the first number is its distance in squares"
            raise WrongError("distance", why, words[0])
        own = timing_of(control)
        if own is Timing.REGULARITY and (mph is None or not 20 <= mph <= 30):
            why = "a regularity section needs a speed from 20 to 30: RTC5 16 25mph"
            raise WrongError("regularity", why, words[0], [f"{control} {words[0].text} 25mph"])
        if len(words) > 4:
            raise WrongError("times", "after the distance come only target, time taken and penalty", words[4])
        return Row(
            control=control,
            distance=int(squares[1]),
            timing=self._timing if own is Timing.ROAD and self._timing else own,
            speed=mph if own is Timing.REGULARITY else None,
            **self._filled(head, ("distance", "target", "taken", "penalty"), words, found),
            **read_times(("target", "taken", "penalty"), words[1:]),
        )

    def _whole_section(self, control: str, head: Word, found: Sequence[Entry]) -> Iterator[Row]:
        """Yield the rows of the section that ends at ``control``: its PCs have the speeds up to their distances."""
        at = next((place for place, row in enumerate(self.route) if row.control == control), None)
        if at is None:
            raise WrongError("bar", f"without a route each row needs a distance and a bar: {_ROW_WORDS}", head)
        first = at
        while first and self.route[first - 1].control.startswith("PC"):
            first -= 1
        driven, before, known = 0, 0, {row.control for row in self._rows}
        for row in self.route[first:at]:
            if row.control in known:
                raise WrongError("twice", f"{row.control} has its own row, so {control} needs one, too", head)
            own = 0
            while own < len(found) and driven < row.distance:
                own += 1
                driven = sum(replace(row, **in_row(found[:own], self._line)).gains(), before)
            before = driven
            yield replace(row, **in_row(found[:own], self._line))
            found = found[own:]
        yield replace(self.route[at], **self._filled(head, (), (), found))


def _barred(words: Sequence[Word]) -> list[str]:
    """Return the row in ``words`` with a bar before the first word that is surely a speed, not a distance or a time."""
    at = next((place for place, word in enumerate(words[:6]) if place > 1 and word.text in ("10", "20")), min(len(words), 5))
    said = [word.text for word in words]
    return [" ".join([*said[:at], "|", *said[at:]])[:_LONGEST]]


def _turned(control: str) -> tuple[str, ...]:
    """Return what a misspelt ``control`` such as ``CT2`` or ``TCO2`` may mean."""
    found = re.fullmatch(r"([A-Z]{1,4})([0-9]{1,3})", control.replace("O", "0"))
    kinds = ("TC", "STC", "RTC", "SSF", "PC")
    if found is None:
        return ()
    near = [kind for kind in kinds if sorted(kind) == sorted(found[1])] or suggest(found[1], kinds, 1)
    return tuple(f"{kind}{int(found[2])}" for kind in near)


def _name(words: Sequence[Word]) -> str:
    if not words:
        raise WrongError("name", "a name must follow this word")
    return " ".join(word.text for word in words)[:_LONGEST]


def _nothing_more(words: Sequence[Word]) -> None:
    if words:
        raise WrongError("more", f"“{words[0].text}” does not belong here", words[0])
