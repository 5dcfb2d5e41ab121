"""Take the lines that name the seat or the turn of the orders below them; they count only if an order follows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from adjudicator.orders import problems
from adjudicator.orders.build import GameHeader, TurnHeader
from adjudicator.orders.clean import TOKEN
from adjudicator.orders.courtesy import ORDERS, Kind
from adjudicator.orders.courtesy import words as courtesy
from adjudicator.orders.findings import Findings
from adjudicator.orders.headers import Headers
from adjudicator.orders.parser import LineReader
from adjudicator.orders.remarks import Remarks
from adjudicator.orders.sheets import Sheets
from adjudicator.orders.submission import Addressee, Submission

_WORDS: Final = 4
"""The most words of a misspelled header."""
_NAME: Final = re.compile(r"[ ,]*+([:=]?+)[ ,(\[]*+([A-Za-z0-9][A-Za-z0-9._-]*+)")
"""The name of a game after the word, and the sign between them."""
_DIGITS: Final = "0123456789"
_LONGEST: Final = 6
"""The most digits of a turn."""
_NUMBERS: Final = frozenset(
    {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "first"}
    | {"second", "third", "fourth", "fifth", "last"}
)
_PROSE: Final = frozenset(
    {"on", "over", "off", "up", "down", "in", "out", "left", "right", "around", "round", "back", "it", "that", "the"}
    | {"this", "to", "is", "was", "of", "away", "into", "and", "time", "for"}
)
"""Words after “turn” and “game” that begin prose: “turn left here”, “Game over!”."""
_COUNTERS: Final = frozenset({"no", "nr", "number", "nummer", "numero", "número", "is"})
_FOR: Final = frozenset(
    {"dla", "du", "for", "för", "für", "in", "of", "para", "per", "pour", "the", "til", "voor", "zu", "для"}
)
_AROUND: Final = ORDERS | _FOR - {"in"} | {"re", "fwd", "here", "this", "these", "sheet", "to", "s", "please"}
"""Words, beside those of labels, before the turn in a line that only heads orders: “Here are my orders for turn 1”."""


Turn = tuple[tuple[int, int], int]
"""The first and last word of a turn on a line, and its number."""


class Heads:
    """Takes the lines of one text that name a seat or a turn; ``sent`` collects seats that were written without a colon."""

    def __init__(
        self,
        reader: LineReader,
        addressee: Addressee,
        text: Submission,
        findings: Findings,
        headers: Headers,
        remarks: Remarks,
        sheets: Sheets,
        sent: set[str],
    ) -> None:
        """Take lines of ``text``."""
        self._reader, self._findings, self._headers = reader, findings, headers
        self._remarks, self._sheets, self._sent = remarks, sheets, sent
        self._called, self._seat, self._game = addressee.seats_by_name(), text.seat, addressee.game.casefold()
        self._headers_below: list[Callable[[], None]] = []

    def take(
        self, number: int, raw: str, line: str, parsed: GameHeader | TurnHeader, *, is_among_words: bool = False
    ) -> None:
        """Take a header. Below an order it counts only if another order follows: “Game on” may just end a mail.

        A header ends the sheet above it. One that ``is_among_words`` does so only if its turn or game is wrong.
        """

        def take() -> None:
            self._headers.take(number, raw, line, parsed)
            sheet = self._sheets.current
            is_right = self._headers.is_addressed and sheet is not None and self._headers.wrong_turn_for(sheet.seat) is None
            if not (is_among_words and is_right):
                self._sheets.begin_own()

        if is_among_words:
            self._findings.ignore(number, raw, Kind.LABEL.value)
        self._headers_below.append(take)
        if not self._sheets.order_line:
            self.settle()

    def settle(self) -> None:
        """Let headers below an order count, because another order follows."""
        headers, self._headers_below = self._headers_below, []
        for take in headers:
            take()

    def is_turn(self, word: str) -> bool:
        """Return whether ``word``, in lower case, is a turn without a blank: ``turn7``."""
        letters = word.rstrip(_DIGITS)
        return 0 < len(word) - len(letters) <= _LONGEST and self._reader.english(letters) == "turn"

    def within(self, line: str) -> tuple[GameHeader | TurnHeader, str, str] | None:
        """Return the header in an unreadable ``line`` with more words, such as “Turn 1 - orders for red”; else ``None``.

        With it come the line without the other words, and without all turns and the game. If several turns head orders, one
        that counts is meant. A line that names another seat is no header.
        """
        words = list(TOKEN.finditer(line))
        english = [self._reader.english(word.group().casefold()) for word in words]
        sheet = self._sheets.current
        own = self._seat or ("" if sheet is None else sheet.seat)
        turns = list(self._turns(words, english))
        game = self._game_at(line, words[0].end(), turns) if english[:1] == ["game"] else None
        labels = courtesy("labels") | courtesy("beside_labels")
        is_known = (word in _AROUND or word in labels or (own and self._called.get(word) == own) for word in english)
        known = next((at for at, is_around in enumerate(is_known) if not is_around), len(english))
        heading = [turn for turn in turns if turn[0][0] <= known or _is_among(english, *turn[0])] or (turns if game else [])
        if not (game or heading) or self._remarks.speaks_of_another(line, own):
            return None
        meant = next((turn for turn in heading if self._headers.counts(turn[1])), heading[0] if heading else None)
        spans = [] if meant is None else [words[at].span() for at in meant[0]]
        number = None if meant is None else meant[1]
        if game is not None:
            name, span = game
            header: GameHeader | TurnHeader = GameHeader(name, number)
            spans = [words[0].span(), span, *(place for place in spans if place[0] >= span[1])]
        elif number is not None:
            header = TurnHeader(number)
        bare = ""
        for begin, stop in spans:
            bare = f"{bare}{' ' * (begin - len(bare))}{line[begin:stop]}"
        places = [(words[first].start(), words[last].end()) for (first, last), _ in turns]
        return header, bare, _without(line, sorted([(spans[0][0], spans[-1][1] if game else spans[0][1]), *places]))

    def _turns(self, words: Sequence[re.Match[str]], english: Sequence[str]) -> Iterator[Turn]:
        """Yield the turns on a line: ``turn 1``, ``turn no. 1``, ``turn1``."""
        for at, word in enumerate(words):
            number = at + 1 + (english[at + 1 : at + 2] != [] and english[at + 1] in _COUNTERS)
            if self.is_turn(word.group().casefold()):
                yield (at, at), int(word.group().lstrip(word.group().rstrip(_DIGITS)))
            elif english[at] == "turn" and number < len(words):
                digits = words[number].group()
                if digits.isdecimal() and len(digits) <= _LONGEST:
                    yield (at, number), int(digits)

    def _game_at(self, line: str, at: int, turns: Sequence[Turn]) -> tuple[str, tuple[int, int]] | None:
        """Return the name of a game that follows on ``line``, and its place; ``None`` for prose such as “Game on, all”."""
        found = _NAME.match(line, at)
        name = "" if found is None else found[2].rstrip("._-")
        if found is None or not name:
            return None
        is_name = found[1] == "=" or name.casefold() == self._game or not name.isalpha() or bool(turns)
        return (name, (found.start(2), found.start(2) + len(name))) if is_name else None

    def is_slip(self, line: str, word: str) -> bool:
        """Return whether ``line`` begins like a header: ``turn seven``, ``game rally!``, not “Turn left here”."""
        if self._reader.english(word) not in ("game", "turn"):
            return False
        second = [*TOKEN.findall(line.casefold()), ""][1]
        is_short = len(line.split()) <= _WORDS and line[-1] != "?"
        return second in _NUMBERS or (is_short and second not in _PROSE)

    def take_slip(self, number: int, raw: str, line: str, word: str) -> None:
        """Take a misspelled header; signs at its end are ignored."""
        bare = line.rstrip(" .:,")
        parsed = self._reader.parse(bare)
        if isinstance(parsed, (GameHeader, TurnHeader)):
            self.take(number, raw, bare, parsed)
            return

        def refuse() -> None:
            self._sheets.orders += 1
            self._headers.take_unreadable(number, raw, line, word)
            self._sheets.current = None

        self._headers_below.append(refuse)
        if not self._sheets.order_line:
            self.settle()

    def keep_possible_head(self, number: int, raw: str, line: str, head: problems.Head | None) -> None:
        """Remember a line that may be the head of a sheet: if an order follows, the sheet above ends here."""
        sheets, sheet = self._sheets, self._sheets.current
        own = "" if sheet is None else sheet.seat
        word = head.seat if head else ""
        seat = self._called.get(word)
        if head and head.has_colon and (seat is not None or self._remarks.is_like_head(line, own)):
            sheets.possible_head = number, partial(sheets.open, number, raw, line, word)
        elif self._remarks.speaks_of_another(line, own) and (sheets.order_line or not line.endswith(",")):
            take = partial(self.take_bare_seat, head=head) if head and seat == word else sheets.close
            sheets.possible_head = number, partial(take, number, raw, line)

    def take_bare_seat(self, number: int, raw: str, line: str, head: problems.Head) -> None:
        """Refuse the orders below a seat without its colon."""
        if self._seat not in (None, head.seat):
            self._sheets.open(number, raw, line, head.seat)
            return
        self._sheets.refuse_from_here(head.seat, number)
        self._sent.add(head.seat)
        self._findings.report(problems.missing_colon(self._reader, line, head), number, raw, head.seat)


def _is_among(english: Sequence[str], first: int, last: int) -> bool:
    """Return whether a word for orders is beside the turn from the ``first`` to the ``last`` word: “orders for turn 1”."""
    at = next((at for at in range(first - 1, -1, -1) if english[at] not in _FOR), first)
    return english[at] in ORDERS or not ORDERS.isdisjoint(english[last + 1 : last + 2])


def _without(line: str, places: Iterable[tuple[int, int]]) -> str:
    """Return ``line`` with blanks at the ``places`` (begin, end), which are in order."""
    parts: list[str] = []
    at = 0
    for begin, end in places:
        parts += line[at:begin], " " * (end - max(at, begin))
        at = max(at, end)
    return "".join([*parts, line[at:]])
