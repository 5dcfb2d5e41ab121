"""Read a marked map as text, control by control, and the transcribed squares of an old route.

rally Evening run
TC1  A4
PC2  E3 from N
TC3  K5 from S
SSF4 P4 from N
RTC5 P10 from N 30mph
STC6 T9 from S
black spot O6 U25
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

from adjudicator.core.suggestions import in_any_case, suggest
from adjudicator.game import frozen, listed
from adjudicator.games.rally_round.components import PREFIXES, Control, Rally, Side, SquareId, Timing
from adjudicator.games.rally_round.office.typed import Misread, Word, WrongError, lines_of, misread, words_of
from adjudicator.games.rally_round.ways import Way

MOST_CONTROLS: Final = 99
_CONTROL: Final = re.compile(r"(TC|STC|RTC|SSF|PC)([0-9]{0,3})", re.IGNORECASE)
_KINDS: Final = {prefix: timing for timing, prefix in PREFIXES.items()}
_SIDES: Final = {word: side for side in Side for word in (side.value.lower(), side.name.lower())}
_MPH: Final = re.compile(r"([0-9]{1,3})mph", re.IGNORECASE)
Sides = Callable[[SquareId], tuple[Side, ...]]
"""Gives the sides from which a square can be entered."""
_FORM: Final = "a control is its name, its square and the side it is entered from: TC3 K5 from S"


@frozen
class Transcribed:
    """The transcribed ways of an old route, by the control that each leads to."""

    ways: Mapping[str, Way]


class _Reader:
    """Reads the lines of a marked map one by one; ``squares`` are those of the map."""

    def __init__(self, squares: Collection[SquareId], sides: Sides | None = None) -> None:
        self.squares, self.sides = squares, sides
        self.name = ""
        self.controls: list[Control] = []
        self.spots: list[SquareId] = []
        self.wrong: list[Misread] = []

    def take(self, number: int, line: str) -> None:
        words = words_of(line)
        if not words:
            return
        try:
            if words[0].text.lower() == "rally":
                self.name = " ".join(word.text for word in words[1:])[:32]
            elif " ".join(word.text.lower().rstrip("s:") for word in words[:2]) == "black spot":
                self._take_spots(words[2:], words[0])
            else:
                self._take_control(words)
        except WrongError as error:
            self.wrong.append(misread(number, error, error.word or Word(line.strip(), words[0].column)))

    def _take_spots(self, words: list[Word], head: Word) -> None:
        if not words:
            raise WrongError("spot", "after “black spot” come its squares", head)
        found = [self.square(word) for word in words if word.text.strip(",")]
        self.spots += [square for square in found if square not in self.spots]

    def _take_control(self, words: list[Word]) -> None:
        number = len(self.controls) + 1
        found = _CONTROL.fullmatch(words[0].text.rstrip(":"))
        if found is None:
            written = words[0].text.rstrip("0123456789:").upper()
            kinds = (*_KINDS, "PC")
            near = [kind for kind in kinds if sorted(kind) == sorted(written)] or suggest(written, kinds, 1)
            raise WrongError("control", _FORM, words[0], [f"{kind}{number}" for kind in near])
        if number > MOST_CONTROLS:
            raise WrongError("many", f"a rally has at most {MOST_CONTROLS} controls", words[0])
        timing = _KINDS.get(found[1].upper())
        # One wrong control is no reason to report the numbers of all later ones.
        place, speed, error = Control(square=SquareId("?")), None, None
        try:
            place, speed = self._place(words, is_start=number == 1)
        except WrongError as wrong:
            error = wrong
        is_regularity = timing is Timing.REGULARITY
        self.controls.append(
            Control(square=place.square, side=place.side, section=timing if number > 1 else None, speed=speed)
        )
        if error is not None:
            raise error
        if found[2] and int(found[2]) != number:
            raise WrongError("number", "number the controls in order", words[0], [f"{found[1].upper()}{number}"])
        if number == 1 and timing is not Timing.ROAD:
            raise WrongError("start", "the first control must be the start, TC1", words[0], ["TC1"])
        if is_regularity is (speed is None):
            why = "a regularity section needs a speed from 20 to 30 mph, and no other section has one"
            raise WrongError("regularity", why, words[-1], ["24mph"] if is_regularity else [])

    def _place(self, words: list[Word], *, is_start: bool) -> tuple[Control, int | None]:
        rest = [word for word in words[1:] if word.text.lower() not in ("at", "from", "regularity", "mph")]
        if not rest:
            raise WrongError("control", _FORM, words[0])
        square, side, speed, told = self.square(rest[0]), None, None, rest[0]
        for word in rest[1:]:
            mph = _MPH.fullmatch(word.text) or re.fullmatch(r"([0-9]{1,3})", word.text)
            if word.text.lower() in _SIDES:
                side, told = _SIDES[word.text.lower()], word
            elif mph is not None and 20 <= int(mph[1]) <= 30:
                speed = int(mph[1])
            else:
                why = f"“{word.text}” is neither a side (N, E, S, W) nor a speed from 20 to 30 mph"
                raise WrongError("control", why, word, suggest(word.text, _SIDES, 1))
        if is_start is (side is not None):
            why = "the start has no side" if is_start else "the side is missing: from N, E, S or W"
            raise WrongError("side", why, rest[-1])
        sides = () if self.sides is None else self.sides(square)
        if side is not None and sides and side not in sides:
            why = f"cars can enter {square} from {listed(sides, 'or')}, not from {side}"
            raise WrongError("side", why, told, sides)
        return Control(square=square, side=side), speed

    def square(self, word: Word) -> SquareId:
        written = word.text.strip(",")
        found = in_any_case(written, self.squares) or in_any_case(written.upper(), self.squares)
        if found is None:
            raise WrongError("square", f"the map has no square {written}", word, suggest(written, self.squares))
        return SquareId(found)


def read_rally(
    text: str, squares: Collection[SquareId], sides: Sides | None = None
) -> tuple[Rally | None, tuple[Misread, ...]]:
    """Return the marked map in ``text`` and every unreadable part; no map (``None``) with fewer than two readable controls.

    ``squares`` are those of the map, ``sides`` gives the sides from which cars enter each.
    """
    reader = _Reader(squares, sides)
    lines = lines_of(text)
    for number, line in enumerate(lines, 1):
        reader.take(number, line.partition("#")[0])
    if not reader.wrong and len(reader.controls) < 2:
        reader.wrong.append(Misread(len(lines), "a rally needs at least a start and a control: TC1 A4, then TC2 K5 from S"))
    if reader.wrong:
        return None, tuple(reader.wrong)
    id_ = re.sub(r"[^a-z0-9]+", "-", reader.name.lower()).strip("-") or "rally"
    return Rally(id=id_, name=reader.name or "Rally", controls=tuple(reader.controls), black_spots=tuple(reader.spots)), ()


def read_transcription(text: str, squares: Collection[SquareId]) -> tuple[Transcribed, tuple[Misread, ...]]:
    """Return the ways in ``text``, a line ``TC3: A4 A5 B5 …`` for each control; several lines for one control are joined."""
    ways, wrong = dict[str, list[SquareId]](), list[Misread]()
    reader = _Reader(squares)
    for number, line in enumerate(lines_of(text), 1):
        words = words_of(line.partition("#")[0].replace(",", " "))
        if not words:
            continue
        name = words[0].text.rstrip(":").upper()
        try:
            if not _CONTROL.fullmatch(name):
                raise WrongError(
                    "control", "each line is a control and the squares that lead to it: TC3: A4 A5 B5", words[0]
                )
            ways.setdefault(name, []).extend([reader.square(word) for word in words[1:]])
        except WrongError as error:
            wrong.append(misread(number, error, error.word or words[0]))
    return Transcribed({name: tuple(way) for name, way in ways.items()}), tuple(wrong)
