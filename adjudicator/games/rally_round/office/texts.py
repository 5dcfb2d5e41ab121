"""Read routes and time sheets as organisers type them, line by line, and report every unreadable part with its place.

docs/rally-round.md describes each line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import ClassVar, Final

from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem, in_any_case, suggest
from adjudicator.game import listed
from adjudicator.games.rally_round.components import PREFIXES, Control, Does, Kind, KitCard, Rally, Side, SquareId, Timing
from adjudicator.games.rally_round.office.sheets import Noted, Row, Sheet, Word, Written
from adjudicator.games.rally_round.roads import Network, Way
from adjudicator.games.rally_round.route import MINUTE, NO_REGULARITY, REGULARITIES
from adjudicator.games.rally_round.way import STANDARD
from adjudicator.orders.clean import NotTextError, decode, lines_of

_KINDS: Final[dict[str, Timing | None]] = {**{prefix: timing for timing, prefix in PREFIXES.items()}, "PC": None}
"""The timing of the sections that end at each kind of control; none at a passage control."""
_CONTROL: Final = re.compile(rf"({'|'.join(_KINDS)})([0-9]{{0,3}})", re.IGNORECASE)
_MOST: Final = 200
"""The most rows of a sheet, and the most speeds of a row."""
_MOST_CONTROLS: Final = 99
_SIDES: Final = {word: side for side in Side for word in (side.value.lower(), side.name.lower())}
_FORM: Final = "a control is its name, its square and the side it is entered from: TC3 K5 from S"
_ROW: Final = "TC2 12 4 5 1:00 | 10 20 30"
_MPH: Final = re.compile(r"\(?\s*([0-9]{1,3})\s*mph\s*\)?", re.IGNORECASE)
_TIME: Final = re.compile(r"([0-9]{1,5})(?:[:.]([0-5][0-9]))?")
_NOTHING: Final = ("-", "–", "—")
_MANY: Final = 10**9
_HEADS: Final = {
    "rally": (1, _MANY),
    "route": (0, 0),
    "crew": (1, _MANY),
    "kit": (0, _MANY),
    "stages": (0, 0),
    "out": (0, _MANY),
    "other": (1, 1),
    "total": (1, 1),
}
"""The words that begin a line of a sheet other than a row, with the least and the greatest number of words after them."""
_LIMITS: Final = ("start", "accel", "decel")
_TURN: Final = re.compile(
    r"""(?P<speed>[0-9]{1,3})(?![^\s/,|(])
      | (?P<round>turn(?:\s+round)?)\b
      | \(\s*(?P<squares>[-–]?[0-9]{1,2})\s*\)
      | via\s+(?P<via>(?!via\b|using\b)[^\s/,|(]+(?:\s+(?!via\b|using\b|turn\b|[0-9-])[^\s/,|(]+)*)
      | using\s+(?P<using>(?!via\b)[^\s/,|(]+)
      | (?P<other>\([^)]*\)?|[^\s/,|(]+)""",
    re.IGNORECASE | re.VERBOSE,
)
"""A speed, or a note after one; the name of a place continues up to the next number."""


class WrongError(ValueError):
    """A line is unreadable: a stable ``code``, why, the ``word`` to blame (``None``: all), possible corrections."""

    def __init__(self, code: str, why: str, word: Word | None = None, near: Sequence[str] = ()) -> None:
        """Store the details."""
        super().__init__(why)
        self.code, self.word, self.near = code, word, tuple(near)


class _Reader:
    """Reads the text in the file ``name`` line by line; ``wrong`` are its unreadable parts.

    ``what`` begins the code of each problem, ``rules`` gives the rule for some of the codes.
    """

    what = ""
    rules: ClassVar[Mapping[str, str]] = {}

    def __init__(self, name: str) -> None:
        """Begin empty."""
        self.name, self.number, self.lines, self.wrong = name, 0, list[str](), list[Diagnostic]()

    def take(self, words: list[Word], line: str) -> None:
        """Read a ``line`` without its comment; it has at least one of the ``words``. Raises ``WrongError``."""
        raise NotImplementedError

    def end(self) -> None:
        """Finish the text."""

    def read(self, data: bytes) -> None:
        """Read the text in the bytes ``data``."""
        try:
            self.lines = lines_of(decode(data))
        except NotTextError as error:
            self.wrong.append(Diagnostic(Problem(error.code, str(error)), source=self.name))
            return
        for self.number, written in enumerate(self.lines, 1):  # noqa: B020
            line = written.partition("#")[0].rstrip()
            words = self.words(line)
            try:
                if words:
                    self.take(words, line)
            except WrongError as error:
                self.report(error, error.word or words[0]._replace(text=line.strip()))
        self.end()
        self.wrong.sort(key=lambda one: (one.line, one.column))
        if len(self.wrong) > MOST_PROBLEMS:
            told = f"and {len(self.wrong) - MOST_PROBLEMS:,} more lines that cannot be read"
            self.wrong[MOST_PROBLEMS:] = [Diagnostic(Problem(f"{self.what}/more", told), source=self.name)]

    def words(self, text: str, pattern: str = r"\S+", column: int = 1) -> list[Word]:
        """Return the words of ``text`` in the present line, whose first character is in that ``column``."""
        return [Word(found[0], self.number, column + found.start()) for found in re.finditer(pattern, text)]

    def report(self, error: WrongError, at: Word) -> None:
        """Record an ``error`` at a word."""
        problem = Problem(f"{self.what}/{error.code}", str(error), self.rules.get(error.code, ""), near=error.near)
        place = Diagnostic(problem, line=at.line, source=self.name)
        self.wrong.append(place.at(at.column, len(at.text), self.lines[at.line - 1]))


def _said(words: Sequence[Word], most: int = 64) -> str:
    """Return ``words`` as they were typed, with single spaces, and at most so many characters."""
    return " ".join(word.text for word in words)[:most]


def _kinds_like(letters: str, number: object) -> list[str]:
    """Return the controls that a misspelt one such as ``CT2`` may mean."""
    kinds = [kind for kind in _KINDS if sorted(kind) == sorted(letters)] or suggest(letters, _KINDS, 1)
    return [f"{kind}{number}" for kind in kinds]


# Routes -------------------------------------------------------------------------------------------------------------------


class RouteReader(_Reader):
    """Reads a marked map; ``rally`` is ``None`` if any part is unreadable.

    For an ``is_old`` route, ``ways`` are its squares by the control that they lead to.
    """

    what = "route"
    rules: ClassVar = {"control": "RR-C4", "side": "RR-C4", "square": "RR-C1", "regularity": "RR-T4", "start": "RR-L1"}

    def __init__(self, name: str, network: Network, *, is_old: bool = False) -> None:
        """Begin empty."""
        super().__init__(name)
        self.network, self.is_old, self.ways = network, is_old, dict[str, Way]()
        self.rally: Rally | None = None
        self._title, self._controls, self._spots = "", list[Control](), list[SquareId]()

    def take(self, words: list[Word], line: str) -> None:
        """Read a line: a title, Black Spots, a control, or the squares that lead to one."""
        head, number = words[0], len(self._controls) + 1
        found = _CONTROL.fullmatch(head.text.rstrip(":"))
        if self.is_old:
            if found is None:
                why = "each line is a control and the squares that lead to it: TC3: A4 A5 B5"
                raise WrongError("control", why, head)
            name, squares = found[0].upper(), self.words(line.replace(",", " "))[1:]
            self.ways[name] = (*self.ways.get(name, ()), *map(self._square, squares))
        elif head.text.lower() == "rally":
            self._title = _said(words[1:], 32)
        elif [word.text.lower().rstrip("s:") for word in words[:2]] == ["black", "spot"]:
            if not words[2:]:
                raise WrongError("spot", "after “black spot” come its squares", head)
            self._spots += [self._square(word) for word in words[2:] if word.text.strip(",")]
        elif found is None:
            raise WrongError("control", _FORM, head, _kinds_like(head.text.rstrip("0123456789:").upper(), number))
        elif number > _MOST_CONTROLS:
            raise WrongError("many", f"a rally has at most {_MOST_CONTROLS} controls", head)
        else:
            # One wrong control is no reason to report the numbers of all later ones.
            self._controls.append(Control(square=SquareId("?")))
            self._controls[-1] = self._control(words, found[1].upper(), number)
            if found[2] and int(found[2]) != number:
                raise WrongError("number", "number the controls in order", head, [f"{found[1].upper()}{number}"])

    def _control(self, words: list[Word], kind: str, number: int) -> Control:
        """Read a control: its square, the side it is entered from, and the speed of a regularity."""
        head, *told = (word for word in words if word.text.lower() not in ("at", "from", "regularity", "mph"))
        if not told:
            raise WrongError("control", _FORM, head)
        timing, square, side, speed, side_word = _KINDS[kind], self._square(told[0]), None, None, head
        for word in told[1:]:
            mph = re.fullmatch(r"([0-9]{1,3})(?:mph)?", word.text, re.IGNORECASE)
            if word.text.lower() in _SIDES:
                side, side_word = _SIDES[word.text.lower()], word
            elif mph is not None and int(mph[1]) in REGULARITIES:
                speed = int(mph[1])
            else:
                why = f"“{word.text}” is neither a side (N, E, S, W) nor a speed from 20 to 30 mph"
                raise WrongError("control", why, word, suggest(word.text, _SIDES, 1))
        sides = self.network.sides(square)
        if (number == 1) is (side is not None):
            why = "the start has no side" if side else "the side is missing: from N, E, S or W"
            raise WrongError("side", why, told[-1])
        if side is not None and sides and side not in sides:
            why = f"cars can enter {square} from {listed(sides, 'or')}, not from {side}"
            raise WrongError("side", why, side_word, sides)
        if number == 1 and timing is not Timing.ROAD:
            raise WrongError("start", "the first control must be the start, TC1", head, ["TC1"])
        if (timing is Timing.REGULARITY) is (speed is None):
            raise WrongError("regularity", NO_REGULARITY, words[-1], ["24mph"] if speed is None else [])
        return Control(square=square, side=side, section=timing if number > 1 else None, speed=speed)

    def _square(self, word: Word) -> SquareId:
        written, squares = word.text.strip(","), self.network.links
        found = in_any_case(written, squares) or in_any_case(written.upper(), squares)
        if found is None:
            raise WrongError("square", f"the map has no square {written}", word, suggest(written, squares))
        return SquareId(found)

    def end(self) -> None:
        """Make the rally, if all lines were readable."""
        if self.wrong or self.is_old:
            return
        if len(self._controls) < 2:
            why = "a rally needs at least a start and a control: TC1 A4, then TC2 K5 from S"
            self.report(WrongError("row", why), Word(" ", len(self.lines), 1))
            return
        id_ = re.sub(r"[^a-z0-9]+", "-", self._title.lower()).strip("-") or "rally"
        spots = tuple(dict.fromkeys(self._spots))
        self.rally = Rally(id=id_, name=self._title or "Rally", controls=tuple(self._controls), black_spots=spots)


# Time sheets ------------------------------------------------------------------------------------------------------------


class SheetReader(_Reader):
    """Reads the ``sheets`` in a text, the name of the ``rally``, and its ``route`` row by row.

    A sheet without a line ``crew`` belongs to ``crew``. With a known ``route`` the text must not have one. ``cards`` are
    those that a kit may name.
    """

    what = "sheet"
    rules: ClassVar = {"speed": "RR-M1", "kit": "RR-K1", "control": "RR-C4", "regularity": "RR-T4", "fault": "RR-P4"}

    def __init__(self, name: str, crew: str = "", route: Sequence[Row] = (), cards: Sequence[KitCard] = ()) -> None:
        """Begin empty."""
        super().__init__(name)
        self.rally, self.route, self.cards, self.sheets = "", list(route), cards, list[Sheet]()
        self._sheet, self._is_begun, self._is_route, self._last, self._errors = Sheet(crew, name), False, False, 1, 0
        self._stages = self._all_stages = False

    def take(self, words: list[Word], line: str) -> None:
        """Read a line."""
        head, rest, sheet = words[0].text.lower().rstrip(":"), words[1:], self._sheet
        if head.startswith("+"):
            told = self.words(line, r"\+\s*30(?!\S)|\S+")
            if told[0].text.replace(" ", "") != "+30":
                raise WrongError("fault", "write a fault as +30 and its reason", words[0], ["+30"])
            named = [found[0].upper() for word in told[1:] for found in [_CONTROL.match(word.text)] if found and found[2]]
            control = next(iter(named), sheet.rows[-1].control if sheet.rows else "")
            sheet.faults.append(Noted(_said(told[1:]) or "a fault", control, words[0]))
            return
        if head not in _HEADS:
            self._take_row(line, words)
            return
        least, most = _HEADS[head]
        if len(rest) < least:
            missing = "a name must follow this word" if most > 1 else f"after “{head}” comes a time such as 130:39"
            raise WrongError("name" if most > 1 else "time", missing)
        if len(rest) > most:
            raise WrongError("more", f"“{rest[most].text}” does not belong here", rest[most])
        match head:
            case "rally":
                self.rally = _said(rest)
            case "route":
                if sheet.rows or self.sheets or self.route:
                    raise WrongError("order", "write the route once, above all sheets")
                self._is_route = True
            case "crew":
                self.end()
                self._is_route, self._stages, self._is_begun = False, self._all_stages, True
                self._sheet, self._last, self._errors = Sheet(_said(rest), self.name), self.number, len(self.wrong)
            case "stages":
                self._stages = True
                # Above all sheets: for all of them.
                self._all_stages = self._all_stages or not (self._is_begun or sheet.rows)
            case "kit":
                self._take_kit(rest)
            case "out":
                sheet.out = _said(rest) or "out"
            case _:
                sheet.sums[head] = _time(rest[0]), rest[0]

    def end(self) -> None:
        """Finish the present sheet, if there is one."""
        sheet, last = self._sheet, next((row.timing for row in self._sheet.rows[-1:]), None)
        if sheet.rows or self._is_begun:
            if len(self.wrong) == self._errors and last is None and not sheet.out:
                why = "no time control ends the last section" if sheet.rows else "the sheet has no rows"
                self.report(WrongError("unfinished", why), Word(" ", self._last, 1))
            sheet.lines = self.lines
            self.sheets.append(sheet)

    def _take_kit(self, words: Sequence[Word]) -> None:
        """Read ``start 30 accel 20``, or one card of each kind, by numbers or by names with commas."""
        named = [word for word in words if word.text.lower().rstrip(":") not in [*Kind]]
        if not named or all(word.text.isdigit() for word in words[1::2]):
            limits = dict.fromkeys(_LIMITS, STANDARD)
            for name, speed in zip(words[::2], words[1::2], strict=False):
                if name.text.lower() not in _LIMITS:
                    raise WrongError("kit", f"“{name.text}” is not start, accel or decel", name, suggest(name.text, _LIMITS))
                if not re.fullmatch(r"[0-9]{1,3}", speed.text):
                    raise WrongError("speed", f"“{speed.text}” is not a speed", speed)
                limits[name.text.lower()] = int(speed.text)
            if not words or len(words) % 2:
                raise WrongError("kit", "write a kit as: kit start 30 accel 20 decel 20", near=["kit start 30"])
            self._sheet.limits = tuple(limits.values())
            return
        if any("," in word.text for word in named):
            line = self.lines[self.number - 1].partition("#")[0]
            named = self.words(line[words[0].column - 1 :], r"[^\s,](?:[^,]*[^\s,])?", words[0].column)
        known = {name.casefold(): card for card in self.cards for name in (card.id, card.name)}
        taken = dict[Kind, KitCard]()
        for word in named:
            card = known.get(word.text.replace("’", "'").casefold())
            if card is None:
                near = suggest(word.text, [name for card in self.cards for name in (card.id, card.name)])
                raise WrongError("kit", f"the game has no kit card “{word.text}”", word, near)
            if card.kind in taken:
                why = f"a kit has only one {card.kind} card, not {taken[card.kind].id} and {card.id}"
                raise WrongError("kit", why, word)
            taken[card.kind] = card
        first_of = {card.kind: card.id for card in reversed(self.cards)}
        missing = [kind for kind in Kind if kind not in taken]
        if missing:
            whole = " ".join([*(card.id for card in taken.values()), *(first_of[kind] for kind in missing)])
            raise WrongError("kit", f"a kit has one card of each kind: this one needs {listed(missing)}", named[-1], [whole])
        self._sheet.kit = tuple(taken[kind] for kind in Kind)
        # Without a map the colour is unknown: the best road of each card counts.
        best = dict.fromkeys((Does.START, Does.ACCELERATE, Does.DECELERATE), STANDARD)
        for effect in (effect for card in self._sheet.kit for effect in card.effects if effect.does in best):
            best[effect.does] = max(best[effect.does], effect.red, effect.yellow, effect.white)
        self._sheet.limits = tuple(best.values())

    def _take_row(self, line: str, words: list[Word]) -> None:
        """Read a row, ``TC2 12 4 5 1:00 | 10 20``, or the speeds of a whole section, ``TC2: 10 20``."""
        self._last, head, rows = self.number, words[0], self.route if self._is_route else self._sheet.rows
        control, planned = re.split("[:|]", head.text)[0].upper(), {row.control: row for row in self.route}
        found = _CONTROL.fullmatch(control)
        if found is None or not found[2]:
            meant = re.fullmatch(r"([A-Z]{1,4})([0-9]{1,3})", control.replace("O", "0"))
            near = _kinds_like(meant[1], int(meant[2])) if meant else []
            why = f"a row is a control, its distance, and after a bar the speeds: {_ROW}"
            raise WrongError("row", why, head, near or suggest(head.text, [*_HEADS, *planned], 1))
        if len(rows) >= _MOST:
            raise WrongError("many", f"a sheet has at most {_MOST} rows", head)
        taken = {row.control for row in rows}
        if control in taken:
            raise WrongError("twice", f"this sheet has {control} twice", head)
        if not self._is_route and planned and control not in planned:
            raise WrongError("control", f"the route has no {control}", head, suggest(control, planned, 1))
        before, bar, behind = line.partition("|")
        if self._is_route:
            rows.append(self._row(control, line, head))
        elif bar:
            rows.append(self._row(control, before, head)._replace(turns=self._turns(behind, len(before) + 2)))
        elif not head.text[len(control) :].startswith(":") and not (words[1:] and words[1].text == ":"):
            # The bar goes before the first word that is surely a speed, not a distance or a time.
            places = (at for at, word in enumerate(words[:6]) if at > 1 and word.text in ("10", "20"))
            at = next(places, min(len(words), 5))
            raise WrongError("bar", "the speeds come after a bar", None, [_said([*words[:at], Word("|"), *words[at:]])])
        elif control not in planned:
            raise WrongError("bar", f"without a route each row needs a distance and a bar: {_ROW}", head)
        else:
            turns, driven = self._turns(line.partition(":")[2], line.index(":") + 2), 0
            before_it = reversed(self.route[: [*planned].index(control)])
            for passage in [*takewhile(lambda row: row.timing is None, before_it)][::-1]:
                if passage.control in taken:
                    raise WrongError("twice", f"{passage.control} has its own row, so {control} needs one, too", head)
                own = 0  # a PC has the speeds up to its distance
                while own < len(turns) and driven < passage.distance:
                    driven, own = driven + turns[own].gain, own + 1
                rows.append(passage._replace(word=Word(head.text), turns=turns[:own]))
                turns = turns[own:]
            rows.append(planned[control]._replace(word=head, turns=turns))

    def _row(self, control: str, before: str, head: Word) -> Row:
        """Return the row of ``control`` without its speeds; ``before`` is the line up to the bar, with the name."""
        place = head.column - 1 + len(control)
        mph, plain = _MPH.search(before, place), _MPH.sub(lambda found: " " * len(found[0]), before[place:])
        words = self.words(re.sub("^:", " ", plain), r"[^\s()]+|\([^()]*\)", place + 1)
        planned = next((row for row in self.route if row.control == control and not self._is_route), None)
        if planned is not None and len(words) < 4 and not (words and words[0].text.startswith("(")):
            if len(words) == 3:
                why = "the route has the distance and the target: write here only the time taken and the penalty"
                raise WrongError("times", why, words[2])
            return planned._replace(word=head, entries=_times(("taken", "penalty"), words))
        if not words:
            raise WrongError("distance", f"after {control} comes its distance in squares: {_ROW}", head)
        squares = re.fullmatch(r"\(?\s*([0-9]{1,4})\s*\)?", words[0].text)
        if squares is None or not int(squares[1]):
            why = "a control is at least one square away: the first number is its distance in squares"
            raise WrongError("distance", why, words[0])
        timing, speed, distance = _KINDS[control.rstrip("0123456789")], None, int(squares[1])
        if timing is Timing.REGULARITY:
            speed = int(mph[1]) if mph else None
            if speed not in REGULARITIES:
                why = "a regularity section needs a speed from 20 to 30: RTC5 16 25mph"
                raise WrongError("regularity", why, words[0], [f"{control} {words[0].text} 25mph"])
        if len(words) > 4:
            raise WrongError("times", "after the distance come only target, time taken and penalty", words[4])
        entries = {"distance": (distance, words[0]), **_times(("target", "taken", "penalty"), words[1:])}
        return Row(
            control, distance, Timing.STAGE if timing is Timing.ROAD and self._stages else timing, speed, head, entries
        )

    def _turns(self, behind: str, column: int) -> tuple[Written, ...]:
        """Return the speeds in the text ``behind`` the bar, whose first character is in ``column``."""
        turns = list[Written]()
        for found in _TURN.finditer(behind):
            kind = str(found.lastgroup)
            value, place = " ".join(found[kind].split()), column + found.start()
            word = Word(value, self.number, column + found.start(kind))
            if kind in ("speed", "round"):
                if len(turns) == _MOST:
                    raise WrongError("many", f"a row has at most {_MOST} speeds", word)
                turns.append(Written(int(value) if kind == "speed" else 0, word, is_round=kind == "round"))
            elif kind == "via" and turns:
                turns[-1] = turns[-1]._replace(via=(*turns[-1].via, word))
            elif kind == "using" and turns:
                turns[-1] = turns[-1]._replace(using=word)
            elif kind == "squares" and turns:
                turns[-1] = turns[-1]._replace(squares=int(value.replace("–", "-")))
            elif found[0][0] == "(" or found[0].lower().startswith(("via", "using")):
                word = Word(found[0] if found[0][0] == "(" else found[0].split()[0], self.number, place)
                if not turns:
                    raise WrongError("speed", f"“{word.text}” comes after its speed", word, ["10"])
                why = "after a speed come its squares (2), “via” and a place, or “using” and a card"
                raise WrongError("note", why, word, ["(2)"] if found[0][0] == "(" else [])
            else:
                meant = value.lower().replace("o", "0").replace("l", "1")
                near = [meant] if re.fullmatch(r"[0-9]{1,3}", meant) else ["0"] if meant in _NOTHING else []
                raise WrongError("speed", f"“{value}” is not a speed", word, near)
        return tuple(turns)


def _time(word: Word) -> int:
    """Read ``word`` as a time in seconds: ``5`` or ``6:24``. Raises ``WrongError``."""
    found = _TIME.fullmatch(word.text)
    if found is None:
        raise WrongError("time", f"“{word.text}” is not a time such as 5 or 6:24", word)
    return MINUTE * int(found[1]) + int(found[2] or 0)


def _times(names: Sequence[str], words: Sequence[Word]) -> dict[str, tuple[int, Word]]:
    """Return the times in ``words`` by name; a dash means no penalty, or a time that the sheet does not have."""
    times = dict[str, tuple[int, Word]]()
    for name, word in zip(names, words, strict=False):
        if word.text not in _NOTHING:
            times[name] = _time(word), word
        elif name == "penalty":
            times[name] = 0, word
    return times
