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
from typing import ClassVar, Final

from adjudicator.core.problem import in_any_case, suggest
from adjudicator.game import listed
from adjudicator.games.rally_round.components import Control, Rally, Side, SquareId, Timing
from adjudicator.games.rally_round.network import Network
from adjudicator.games.rally_round.office.lines import KINDS, LineReader, Word, WrongError, kinds_like, said, words_of
from adjudicator.games.rally_round.route import NO_REGULARITY, REGULARITIES
from adjudicator.games.rally_round.ways import Way

MOST_CONTROLS: Final = 99
_CONTROL: Final = re.compile(rf"({'|'.join(KINDS)})([0-9]{{0,3}})", re.IGNORECASE)
_SIDES: Final = {word: side for side in Side for word in (side.value.lower(), side.name.lower())}
_SPEED: Final = re.compile(r"([0-9]{1,3})(?:mph)?", re.IGNORECASE)
_FORM: Final = "a control is its name, its square and the side it is entered from: TC3 K5 from S"


class _MapReader(LineReader):
    """Reads a text about the map of ``network``."""

    what = "route"
    rules: ClassVar = {"control": "RR-C4", "side": "RR-C4", "square": "RR-C1", "regularity": "RR-T4", "start": "RR-L1"}

    def __init__(self, name: str, network: Network) -> None:
        super().__init__(name)
        self.network = network

    def square(self, word: Word) -> SquareId:
        """Return the square that ``word`` names. Raises ``WrongError``."""
        written, squares = word.text.strip(","), self.network.links
        found = in_any_case(written, squares) or in_any_case(written.upper(), squares)
        if found is None:
            raise WrongError("square", f"the map has no square {written}", word, suggest(written, squares))
        return SquareId(found)


class RallyReader(_MapReader):
    """Reads a marked map; ``rally`` is ``None`` if any part is unreadable."""

    def __init__(self, name: str, network: Network) -> None:
        """Begin empty."""
        super().__init__(name, network)
        self.rally: Rally | None = None
        self._title, self._controls, self._spots = "", list[Control](), list[SquareId]()

    def take(self, words: list[Word], line: str) -> None:
        """Read a line."""
        if words[0].low == "rally":
            self._title = said(words[1:], 32)
        elif [word.low.rstrip("s:") for word in words[:2]] == ["black", "spot"]:
            self._take_spots(words[2:], words[0])
        else:
            self._take_control(words)

    def end(self) -> None:
        """Make the rally, if all lines were readable."""
        if not self.wrong and len(self._controls) < 2:
            why = "a rally needs at least a start and a control: TC1 A4, then TC2 K5 from S"
            self.report(WrongError("row", why), Word(" ", 1))
        if not self.wrong:
            id_ = re.sub(r"[^a-z0-9]+", "-", self._title.lower()).strip("-") or "rally"
            controls, spots = tuple(self._controls), tuple(self._spots)
            self.rally = Rally(id=id_, name=self._title or "Rally", controls=controls, black_spots=spots)

    def _take_spots(self, words: list[Word], head: Word) -> None:
        if not words:
            raise WrongError("spot", "after “black spot” come its squares", head)
        found = [self.square(word) for word in words if word.text.strip(",")]
        self._spots += [square for square in found if square not in self._spots]

    def _take_control(self, words: list[Word]) -> None:
        number, head = len(self._controls) + 1, words[0]
        found = _CONTROL.fullmatch(head.text.rstrip(":"))
        if found is None:
            near = kinds_like(head.text.rstrip("0123456789:").upper())
            raise WrongError("control", _FORM, head, [f"{kind}{number}" for kind in near])
        if number > MOST_CONTROLS:
            raise WrongError("many", f"a rally has at most {MOST_CONTROLS} controls", head)
        kind, timing = found[1].upper(), KINDS[found[1].upper()]
        # One wrong control is no reason to report the numbers of all later ones.
        self._controls.append(Control(square=SquareId("?")))
        square, side, speed = self._place(words, is_start=number == 1)
        self._controls[-1] = Control(square=square, side=side, section=timing if number > 1 else None, speed=speed)
        if found[2] and int(found[2]) != number:
            raise WrongError("number", "number the controls in order", head, [f"{kind}{number}"])
        if number == 1 and timing is not Timing.ROAD:
            raise WrongError("start", "the first control must be the start, TC1", head, ["TC1"])
        if (timing is Timing.REGULARITY) is (speed is None):
            raise WrongError("regularity", NO_REGULARITY, words[-1], ["24mph"] if speed is None else [])

    def _place(self, words: list[Word], *, is_start: bool) -> tuple[SquareId, Side | None, int | None]:
        """Return the square of a control, the side it is entered from, and the speed of a regularity."""
        rest = [word for word in words[1:] if word.low not in ("at", "from", "regularity", "mph")]
        if not rest:
            raise WrongError("control", _FORM, words[0])
        square, side, speed, told = self.square(rest[0]), None, None, rest[0]
        for word in rest[1:]:
            mph = _SPEED.fullmatch(word.text)
            if word.low in _SIDES:
                side, told = _SIDES[word.low], word
            elif mph is not None and int(mph[1]) in REGULARITIES:
                speed = int(mph[1])
            else:
                why = f"“{word.text}” is neither a side (N, E, S, W) nor a speed from 20 to 30 mph"
                raise WrongError("control", why, word, suggest(word.text, _SIDES, 1))
        if is_start is (side is not None):
            why = "the start has no side" if is_start else "the side is missing: from N, E, S or W"
            raise WrongError("side", why, rest[-1])
        sides = self.network.sides(square)
        if side is not None and sides and side not in sides:
            why = f"cars can enter {square} from {listed(sides, 'or')}, not from {side}"
            raise WrongError("side", why, told, sides)
        return square, side, speed


class OldRouteReader(_MapReader):
    """Reads a line ``TC3: A4 A5 B5 …`` for each control of an old route into ``ways``; several lines of one are joined."""

    def __init__(self, name: str, network: Network) -> None:
        """Begin empty."""
        super().__init__(name, network)
        self.ways = dict[str, Way]()

    def take(self, words: list[Word], line: str) -> None:
        """Read a line."""
        words = words_of(line.replace(",", " "))
        name = words[0].text.rstrip(":").upper() if words else ""
        if words and not _CONTROL.fullmatch(name):
            raise WrongError("control", "each line is a control and the squares that lead to it: TC3: A4 A5 B5", words[0])
        if words:
            self.ways[name] = (*self.ways.get(name, ()), *map(self.square, words[1:]))
