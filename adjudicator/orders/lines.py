"""Say what one line of a text is: an order, a header, the head of a sheet, a remark. Only what is above it is known here.

What makes a line an order? The first of these that applies:

1. It begins with NOTE in capitals: a note, which is kept with an order.
2. The grammar reads it, perhaps without a courtesy around it: an order, a withdrawal, a header or a head. If the verb of an
   order is in small letters and the words after it name nothing in the game, it is a remark: “Take care!”.
3. It has a turn or game among other words, or a label before an order (“My move: DRAW”): then the rest is classified.
4. It is a header with a slip, an order after a seat without its colon, or two orders; each of those is classified.
5. It is the rest of the order above, begins like an order, or is one with a slip (`Likeness`): an unreadable order.
6. It has an order word or a command in capitals: a problem, in whatever sentence it is.
7. It names another seat like a head: a head if an order follows. All else is a remark.

So an order is never taken for a remark, and a remark never voids an order. Most lines are the head of a sheet, an order or
both, and nothing else: ``Lines.plain`` knows these at once, by 2, whatever is around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import islice
from typing import Any, Final

from adjudicator.core.chance import WORD
from adjudicator.core.order import FirstOf, When
from adjudicator.core.phrases import PLEASE
from adjudicator.core.values import Value
from adjudicator.orders import problems
from adjudicator.orders.explain import Likeness, near
from adjudicator.orders.form import LAST
from adjudicator.orders.grammar import GameHeader, Grammar, OrderLine, ParsedLine, TurnHeader, WithdrawalLine
from adjudicator.orders.ignored import ORDERS, bare_spans, is_footer, is_heading, is_picture, phrase
from adjudicator.orders.ignored import words as courtesy
from adjudicator.orders.problems import LineProblem, head_of
from adjudicator.orders.submission import MOST_COLUMNS, TOKEN, Addressee, clean, comment_start, normal_form


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


HEADING: Final = "a heading"
REMARK: Final = "a remark"
OTHER_SEAT: Final = "write the orders of each seat on separate lines"
WORDS: Final = "words for chance count only when a game is set up"
_WIDE: Final = 40
"""The fewest characters of a line of prose that may continue on the next line."""
_MARKS: Final = frozenset({"", "-", "+", "=", "|", "->", "-->", "=>", "==>", "→", "⇒", "►", "▶", "▸", "➜", "➤", "➔"})
"""The signs of lists that may stand before an order, beside those that cleaning removes."""
_PAIRS: Final = {"(": ")", "[": "]", "{": "}", "<": ">", "|": "|", "_": "_"}
_NUMBER: Final = re.compile(r"[(\[]?(?:[0-9]{1,3}|[A-HJ-Wa-wYZyz])(?:[.):\]/]+| +-) *-?")
"""The number or letter of a list before an order: ``1.``, ``a)``, ``(2)``, ``3 -``; not ``[x]``, which is a box."""
_LABEL_WORDS: Final = 4
"""The most words of a label."""
_STOPPING: Final = frozenset({"PREVIEW", "WAIT", "NOWAIT", "RESIGN", "HOLIDAY"})
"""The commands that keep orders from being played: in capitals they are never part of a remark."""
_LINKS: Final = ("and", "then", "also")
"""The words that may link two orders, beside signs."""
_FILLERS: Final = PLEASE | {*_LINKS, "just"}
_MOST_PARTS: Final = 100
"""The most orders of a line that are read one by one."""
_SLIP_WORDS: Final = 4
"""The most words of a misspelled header."""
_MOST_DIGITS: Final = 6
"""The most digits of a turn."""
_GAME: Final = re.compile(r"[ ,]*+([:=]?+)[ ,(\[]*+([A-Za-z0-9][A-Za-z0-9._-]*+)")
"""The name of a game after the word, and the sign between them."""
COMMANDS: Final = frozenset(
    {"PREVIEW", "STATUS", "RESEND", "HELP", "RESIGN", "RULE", "RULES", "HOLIDAY", "MESSAGE", "VOTE", "WAIT", "NOWAIT"}
    | {"GAMES", "JOIN", "LEAVE", "WHO", "REGISTER", "NEW", "OBSERVE", "STANDIN", "SET"}
)
"""The words that begin the commands of players to a club."""
_NOTES: Final = frozenset({"note", "nota", "notiz", "notitie", "notatka"})
"""Words before a note in the languages in which players write."""
_NOTE: Final = re.compile(rf"({'|'.join(word.upper() for word in _NOTES)})(?![^\W_])([\s:*_]*+)")
"""The word before a note, and the signs that may follow it."""
_PLAIN: Final = re.compile(
    rf"(?!(?i:orders of|{LAST})|{'|'.join(map(str.upper, sorted(_NOTES)))})"
    r"[A-Za-z(](?:[A-Za-z0-9 ,.:!?()<>=+/-]*[A-Za-z0-9,.:!?()<>=+/-])?"
)
"""A line that cleaning does not change, and that is no quote, no mark of a signature, no note and no line of a form."""
_BROKEN: Final = 70
"""The columns from which on a mail program may have broken a line."""
_COUNTS: Final = _words(
    "one two three four five six seven eight nine ten eleven twelve first second third fourth fifth last"
)
_PROSE: Final = _words(
    "on over off up down in out left right around round back it that the this to is was of away into and time for"
)
"""Words after “turn” and “game” that begin prose: “turn left here”, “Game over!”."""
_COUNTERS: Final = _words("no nr number nummer numero número is")
_FOR: Final = _words("dla du for för für in of para per pour the til voor zu для")
_AROUND: Final = ORDERS | _FOR - {"in"} | _words("re fwd here this these sheet to s please")
"""Words, beside those of labels, before the turn in a line that only heads orders: “Here are my orders for turn 1”."""
_WORD_FOR_CHANCE: Final = re.compile(r"[ ,]*([^\W\d_]{1,24})(?=[ ,:=]|$)([ ,]*[:=])?")
_CODED: Final = 60
"""Characters of an order with a code that are enough to recognize it."""
_FEW: Final = 3
"""The most words after ``word`` in small letters without a colon: “Word has it that you win” is prose."""


class Header(Value):
    """The game or turn of the orders below; no ``parsed`` one if it cannot be read: then it is ``word``, “game” or “turn”.

    One that ``is_among_words`` ends the sheet above only if its turn or game is wrong: “My orders for turn 1”.
    """

    parsed: GameHeader | TurnHeader | None
    word: str = ""
    is_among_words: bool = False


class SeatLine(Value):
    """The head of a sheet: its ``word`` in lower case. Without its colon, it takes the orders below from the sheet above.

    One that ``is_possible`` may be a signature or a remark: it is a head if an order follows. It has no ``word`` if it only
    speaks of another seat.
    """

    word: str
    has_colon: bool = True
    is_possible: bool = False


class Order(Value):
    """One order, with the outcomes recorded beside it."""

    expression: Any
    draws: tuple[str, ...] = ()


class Withdraw(Value):
    """``WITHDRAW``, from the ``first`` pending order on."""

    first: int


class End(Value):
    """``END``: nothing below counts."""


class Unreadable(Value):
    """A line that is meant as an order, and its ``problem``, if it is known already.

    ``wrapped`` is the problem if the line right above counts as an order: then this is the rest of it. If it is no
    ``is_attempt``, it is a remark otherwise. One that ``is_loud`` has an order word or a command in capitals; a command
    ``concerns_all`` orders of its sheet, also those above it.
    """

    problem: LineProblem | None = None
    wrapped: LineProblem | None = None
    is_attempt: bool = True
    is_loud: bool = False
    concerns_all: bool = False


class Remark(Value):
    """A line that is no order, and ``why``, if a look at the line alone is enough to know it."""

    why: str = ""


class Note(Value):
    """What a player notes beside an order: ``NOTE text``."""

    text: str


Kind = Header | SeatLine | Order | Withdraw | End | Unreadable | Remark | Note


class Part(Value):
    """A line or a part of it, with blanks for all before it: as it came (``raw``), cleaned (``line``), and what it is."""

    number: int
    raw: str
    line: str
    kind: Kind


class Above(Value):
    """What is above a line: the ``seat`` of its sheet, the ``part`` right above it, and whether any line is an order."""

    seat: str = ""
    part: Part | None = None
    has_orders: bool = False


class Lines:
    """Classifies lines in the language of ``grammar`` that are for ``addressee``; ``seat`` is that of the text, if known."""

    def __init__(self, grammar: Grammar, addressee: Addressee, seat: str | None = None) -> None:
        """Know the seats of ``addressee`` and the names of its things."""
        self.grammar, self.addressee, self.seat = grammar, addressee, seat
        self.seats = addressee.seats_by_name()
        self.plain = cache(self._plain)
        self._usual = grammar.example_words.union(addressee.names, self.seats)

    @cached_property
    def _likeness(self) -> Likeness:
        return Likeness(self.grammar, self.addressee.names, self.addressee.seats)

    def _plain(self, raw: str) -> tuple[SeatLine | Order, ...]:
        """Return what is on a line that has only a head, an order or both, whatever is around it; else nothing. Cached."""
        before, colon, after = raw.partition(":")
        if _PLAIN.fullmatch(raw) is None or (colon and (clean(raw) != raw or _NOTE.search(after))):
            return ()
        try:
            parsed = self.grammar.parse(raw)
            if not isinstance(parsed, OrderLine) or not (parsed.seat is None or parsed.seat in self.seats):
                return ()
            word, expression = parsed.seat, parsed.expression
            if colon and word is None and not (after and any(map(str.isdigit, before))):
                return ()  # unlike “TC3: 40”, it may look like a field of a mail
            if self._has_strange_words(raw, parsed) and (bare_spans(raw) or self._likeness.is_remark(raw, parsed)):
                return ()
        except Exception:  # it is raised again when the line is classified, and then the report says which line it is
            return ()
        heads = () if word is None else (SeatLine(word),)
        return heads if expression is None else (*heads, Order(expression, parsed.draws))

    def classify(self, number: int, raw: str, line: str, above: Above) -> list[Part]:
        """Return the parts of line ``number``: ``raw`` as it came, ``line`` cleaned."""
        note = self._note(raw, line, above)
        if note is not None:
            return [Part(number, raw, line, kind) for kind in note]
        rest, shared = "", [(raw, line)]
        # Before an order, a “;” begins no comment. With very many, the last part is a problem.
        while ";" in raw and len(shared) <= _MOST_PARTS + 1:
            end = comment_start(raw)
            if raw[end : end + 1] != ";" or not raw[:end].strip():
                break
            after = " " * (end + 1) + raw[end + 1 :]
            line = clean(after if len(shared) <= _MOST_PARTS else after.replace(";", ","))
            head = head_of(line)
            if head is not None and head.has_colon and head.seat in self.seats:
                rest = after
                break
            if not self._is_order_without_seat(line):
                break
            shared[-1] = raw[:end], shared[-1][1]
            shared.append((after, line))
            raw = after
        found = [part for raw, line in shared for part in self._parts(number, raw, line, above)]
        return [*found, Part(number, rest, "", Remark(OTHER_SEAT))] if rest else found

    def is_plain_order(self, raw: str) -> bool:
        """Return whether a line is only an order, without a seat, whatever is around it."""
        return isinstance(next(iter(self.plain(raw)), None), Order)

    def is_order(self, line: str) -> bool:
        """Return whether the cleaned ``line`` is an order or a withdrawal."""
        parsed = self.grammar.parse(line)
        return isinstance(parsed, WithdrawalLine) or (isinstance(parsed, OrderLine) and parsed.expression is not None)

    def is_header(self, line: str) -> bool:
        """Return whether the cleaned ``line`` heads a sheet, or names a game or turn."""
        head = head_of(line)
        if head is not None and head.has_colon:
            return head.seat in self.seats
        return isinstance(self.grammar.parse(line), (GameHeader, TurnHeader))

    def is_end(self, line: str) -> bool:
        """Return whether the cleaned ``line`` is the last one of a text or a form."""
        said = line.strip(" .!").lower()
        return said == LAST or (self.grammar.english(said) == "end" and not isinstance(self.grammar.parse(line), OrderLine))

    def is_like_order(self, line: str) -> bool:
        """Return whether a remark has a word of an order."""
        tokens = TOKEN.findall(normal_form(line))
        return self._likeness.is_like_order(tokens) or all(map(str.isdigit, tokens))

    def _parts(self, number: int, raw: str, line: str, above: Above) -> list[Part]:
        parsed = self.grammar.parse(line)
        is_strange = parsed is None or self._has_strange_words(line, parsed)
        if is_strange:
            start, end = self._without_courtesy(line)
            if start or end < len(line):
                raw, line = _cut(raw, start, end), _cut(line, start, end)
                parsed = self.grammar.parse(line)
                is_strange = parsed is None or self._has_strange_words(line, parsed)

        part = partial(Part, number, raw, line)
        if isinstance(parsed, (GameHeader, TurnHeader)):
            return [part(Header(parsed))]
        word = "" if parsed is None else parsed.seat or ""
        if parsed is None or (word and word not in self.seats):
            headed = self._before_word_for_chance(line)
            if headed is not None:
                return [*([part(SeatLine(headed))] if headed else []), part(Remark(WORDS))]
            if parsed is None or self._is_turn(word):
                return [part(End())] if self.is_end(line) else self._unreadable(number, raw, line, above)
        if is_strange and isinstance(parsed, OrderLine) and self._likeness.is_remark(line, parsed):
            return [part(self._loud(raw, line) or Remark())]
        expression = parsed.expression if isinstance(parsed, OrderLine) else parsed
        heads = list[Part]()
        if word and word not in self.seats and expression is not None and phrase(line.partition(":")[0]) == REMARK:
            colon = line.index(":") + 1
            alone, first = self.grammar.parse(line[colon:]), TOKEN.search(line, colon)
            if first is None or (isinstance(alone, OrderLine) and self._is_remark(line[colon:], alone)):
                return [part(Remark(REMARK))]
            return [part(Unreadable(problems.among_words(self.grammar, line, *first.span()), is_loud=True))]  # “PS: DRAW”
        is_label = False  # a heading such as “Orders:” or “PS:”, no seat
        if word and word not in self.seats:
            announces = word in courtesy("labels") and not self._is_another(word, self.seat or "")
            is_label = bool(phrase(line)) if expression is None else is_heading(line) or announces
        if word and not is_label:
            is_known = expression is not None or word in self.seats or self.seat is None
            if not (is_known or self._is_like_head(line, self.seat or "")):  # “Two:” in a text of one seat
                return [part(self._loud(raw, line) or Remark())]
            heads = [part(SeatLine(word))]
        elif expression is None:
            return [part(Remark(phrase(line)))]
        if isinstance(parsed, WithdrawalLine):
            return [*heads, part(Withdraw(parsed.first))]
        return heads if expression is None else [*heads, part(Order(expression, parsed.draws))]

    def _unreadable(self, number: int, raw: str, line: str, above: Above) -> list[Part]:
        part = partial(Part, number, raw, line)

        def parts(start: int, end: int) -> list[Part]:
            return self._parts(number, _cut(raw, start, end), _cut(line, start, end), above)

        found = self._header_among_words(line, self.seat or above.seat)
        if found is not None:
            among, bare, rest = found
            begin = next((at for at, sign in enumerate(rest) if sign.isalnum()), len(rest))
            rest = _cut(rest, begin, len(rest))
            heads = [Part(number, raw, bare, Header(among, is_among_words=True))]
            left = [self.grammar.english(word.casefold()) for word in TOKEN.findall(rest)]
            if all(word in _AROUND or self.seats.get(word, "") == (self.seat or above.seat) for word in left):
                return heads  # “red, turn 7”
            if self._loud(rest, rest) is None and not self._is_order_without_seat(rest):
                return heads
            return [*heads, *self._parts(number, _cut(raw, begin, len(raw)), rest, above)]
        place = self._after_label(line)
        if place is not None:
            return parts(*place)
        head = head_of(line)
        word = head.seat if head else ""
        seat = self.seats.get(word)
        label = phrase(line[: head.end]) if head and head.has_colon and seat is None else ""
        if label == HEADING and self._likeness.is_attempt(line.partition(":")[2]):
            return parts(line.index(":") + 1, len(line))
        english = self.grammar.english(word)
        if english in ("game", "turn") and self._loud(raw, line) is None:
            second = [*TOKEN.findall(line.casefold()), ""][1]
            is_short = len(line.split()) <= _SLIP_WORDS and line[-1] != "?"
            if second in _COUNTS or (is_short and second not in _PROSE):
                bare = line.rstrip(" .:,")
                parsed = self.grammar.parse(bare)
                header = parsed if isinstance(parsed, (GameHeader, TurnHeader)) else None
                return [Part(number, raw, bare if header else line, Header(header, english))]
        last = above.part
        is_below_remark = last is not None and last.kind == Remark() and len(last.raw.strip()) >= _WIDE
        is_wrapped = last is not None and is_below_remark and last.raw.rstrip()[-1] not in ".:!?"
        if (
            head
            and seat == word
            and not head.has_colon
            and self._likeness.is_attempt(line[head.end :], is_wrapped=is_wrapped)
        ):
            return [part(SeatLine(word, has_colon=False))]
        two = self._two_orders(line)
        if two is not None:
            return [*parts(0, two[0]), *parts(two[1], len(line))]
        first = TOKEN.search(line)
        if first is not None and first[0] in COMMANDS and first[0].casefold() not in self._likeness.verbs:
            return [part(self._loud(raw, line) or Remark())]
        is_below_order = last is not None and isinstance(last.kind, (Order, Unreadable)) and not is_picture(raw)
        wrapped = problems.wrapped(self.grammar, line, last.line, last.number) if last and is_below_order else None
        is_head = head is not None and head.has_colon and not label
        if is_head and seat is None:  # perhaps another name of a seat, not the beginning of an order, such as `TC3:`
            is_head = isinstance(self.grammar.parse(f"{word}:"), OrderLine) and not self._likeness.may_begin(word)
        is_attempt = self._likeness.is_attempt(line.partition(":")[2] if is_head else line, is_wrapped=is_wrapped)
        if wrapped is not None and last is not None and isinstance(last.kind, Unreadable):
            return [part(Unreadable(wrapped))]
        if is_attempt or wrapped is not None:
            heads = [part(SeatLine(word))] if is_head and is_attempt else []
            return [*heads, part(Unreadable(wrapped=wrapped, is_attempt=is_attempt))]
        kind = self._loud(raw, line) or Remark()
        if head and head.has_colon and (seat is not None or self._is_like_head(line, above.seat)):
            heads = [part(SeatLine(word, is_possible=True))]
        elif (above.has_orders or not line.endswith(",")) and self._speaks_of_another(line, above.seat):
            heads = [part(SeatLine(word if seat == word else "", has_colon=False, is_possible=True))]
        else:
            return [part(kind)]
        if isinstance(kind, Remark):
            return heads
        return [*heads, part(kind)] if head and head.has_colon and seat is not None else [part(kind)]

    def _note(self, raw: str, line: str, above: Above) -> list[Kind] | None:
        """Return the note on a line, and the head of a sheet before it; ``None`` if there is none. It may go on below."""
        last, head = above.part, head_of(line)
        has_head = head is not None and head.has_colon and head.seat in self.seats
        rest = raw[line.index(":") + 1 if has_head else 0 :].lstrip(" \t\u00a0*-•_")
        found = _NOTE.match(rest)
        if found is not None:
            text = _visible(rest[found.end() :].removesuffix(" |"))
            kind = Note(text) if text else Remark("a note without words")
            return [*([SeatLine(head.seat)] if head is not None and has_head else []), kind]
        is_broken = last is not None and isinstance(last.kind, Note) and len(f"{last.raw} {line.split(' ', 1)[0]}") > _BROKEN
        if is_broken and not (self.is_order(line) or self.is_header(line) or self.is_like_order(line) or self.is_end(line)):
            return [Note(_visible(raw.removesuffix(" |")))]
        return None

    # Remarks

    def _loud(self, raw: str, line: str) -> Unreadable | None:
        """Return what is wrong with a ``line`` that is no remark, because it has an order word in capitals or a command."""
        if is_footer(line):
            return None
        if raw[len(line) :].lstrip(" ")[:1] == "#" and raw.partition("#")[2][:1].isdigit():
            line = clean(raw.replace("#", " "))  # “Order #1 - DRAW” has no comment
        words = list(TOKEN.finditer(line))
        for word in words:
            is_loud = _is_loud(word) and (self._likeness.is_order_word(word.group()) or self._begins_order(line, word))
            if is_loud or self._is_last_order(line, word):
                return Unreadable(problems.among_words(self.grammar, line, *word.span()), is_loud=True)
        first = next((word for word in words if word.group().casefold() not in _FILLERS), None)
        is_all_loud = line == line.upper()
        for word in words:
            said = word.group().upper() if word is first and word.group().casefold() == "preview" else word.group()
            if said in COMMANDS and (word is first or said in _STOPPING or not is_all_loud):
                return Unreadable(problems.command(line, *word.span(), said), is_loud=True, concerns_all=True)
        if first is not None and _is_loud(first):
            for meant in near(first.group(), COMMANDS)[:1]:
                return Unreadable(problems.command(line, *first.span(), meant), is_loud=True, concerns_all=True)
        return None

    def _is_last_order(self, line: str, word: re.Match[str]) -> bool:
        """Return whether the line from ``word`` is a whole order after words of another kind: “Hi Max, draw please.”."""
        if len(line) > MOST_COLUMNS or word[0].casefold() not in self._likeness.verbs:
            return False
        if not line[: word.start()].rstrip(" ").endswith((",", ".", ":", "!")):
            return False
        order = _cut(line[word.start() :], *self._without_courtesy(line[word.start() :]))
        parsed = self.grammar.parse(order)
        return isinstance(parsed, OrderLine) and parsed.expression is not None and not self._is_remark(order, parsed)

    def _begins_order(self, line: str, word: re.Match[str]) -> bool:
        """Return whether ``word``, which is no verb by itself, begins an order: ``TC3: 40``, ``TURN ROUND``."""
        text, after = word.group(), TOKEN.search(line, word.end())
        if text.casefold() in ("turn", "game") and after is not None:
            return isinstance(self.grammar.parse(line[word.start() : after.end()]), OrderLine)
        is_code = not (text.isalpha() or text.isdecimal()) and line[word.end() : word.end() + 1] == ":"
        return is_code and self._likeness.is_attempt(line[word.start() : word.start() + _CODED])

    def _before_word_for_chance(self, line: str) -> str | None:
        """Return the seat before a word for chance, or an empty text: ``WORD umbrella``. ``None``: it has no such word."""
        head = head_of(line)
        places = [(0, "")] if head is None or not head.has_colon else [(0, ""), (line.index(":", head.end) + 1, head.seat)]
        for start, seat in places:
            match = _WORD_FOR_CHANCE.match(line, start)
            if match is None or self.grammar.english(match[1].lower()) != WORD.lower():
                continue
            if match[2] or match[1].isupper() or len(line[match.end() :].split()) <= _FEW:
                return seat
        return None

    def _is_remark(self, line: str, parsed: OrderLine) -> bool:
        return self._has_strange_words(line, parsed) and self._likeness.is_remark(line, parsed)

    def _has_strange_words(self, line: str, parsed: ParsedLine) -> bool:
        if isinstance(parsed, (GameHeader, TurnHeader)) or getattr(parsed, "expression", None) is None:
            return False
        return not self._usual.issuperset(map(str.casefold, filter(str.isalpha, TOKEN.findall(line))))

    # Courtesies and labels around an order

    def _without_courtesy(self, line: str) -> tuple[int, int]:
        for start, end in bare_spans(line) if len(line) <= MOST_COLUMNS else ():
            if not self._likeness.may_be_order(TOKEN.findall(normal_form(line[end:]))):
                parsed = self.grammar.parse(_cut(line, start, end))
                if isinstance(parsed, OrderLine) and parsed.expression is not None and parsed.seat in (None, *self.seats):
                    return start, end
        return 0, len(line)

    def _after_label(self, line: str) -> tuple[int, int] | None:
        """Return the place of the order on the unreadable ``line`` after a list mark or a label, as in “My move: DRAW”.

        ``None`` if there is none, or if more than one order follows.
        """
        for word in islice(TOKEN.finditer(line), _LABEL_WORDS + 1):
            start, label = word.start(), line[: word.start()].strip(" ")
            if not _is_label(label):
                continue
            rest = _cut(line.removesuffix(_PAIRS.get(label, "\n")).rstrip(" "), start, len(line))
            order = _cut(rest, *self._without_courtesy(rest))
            parsed = self.grammar.parse(order)
            if isinstance(parsed, WithdrawalLine) and parsed.seat is None:
                return start, len(rest)
            if isinstance(parsed, OrderLine) and parsed.expression is not None and parsed.seat is None:
                before = TOKEN.findall(label.casefold())[-1:]
                is_announced = not label[-1:].isalnum() or (
                    word.group().isupper() and self._likeness.verbs.isdisjoint(before)
                )
                return (start, len(rest)) if is_announced and not self._is_remark(order, parsed) else None
        return None

    def _is_order_without_seat(self, line: str) -> bool:
        parsed = self.grammar.parse(line)
        if isinstance(parsed, OrderLine):
            return parsed.seat is None and not self._is_remark(line, parsed)
        if isinstance(parsed, WithdrawalLine):
            return parsed.seat is None
        return parsed is None and self._likeness.is_attempt(line.lstrip(" "))

    def _two_orders(self, line: str) -> tuple[int, int] | None:
        """Return where the first of two orders on an unreadable ``line`` ends and where the second begins, else ``None``.

        Neither has OR or IF: it would not be clear which words belong together.
        """
        end = start = 0 if len(line) > MOST_COLUMNS else self.grammar.second_order(line) or 0
        if not start:
            return None
        bare = line[:end].rstrip(" ,")
        while len(bare) < end and (link := next((one for one in _LINKS if bare[-len(one) :].lower() == one), "")):
            shorter = bare[: -len(link)]
            if shorter and shorter[-1] not in " ,":
                break
            bare, end = shorter.rstrip(" ,"), len(shorter)
        end = len(bare.rstrip(" ,&+/-"))
        for order in (line[:end], line[start:]):
            parsed = self.grammar.parse(order)
            if not isinstance(parsed, OrderLine) or isinstance(parsed.expression, (FirstOf, When, type(None))):
                return None
        return (end, start) if self._is_order_without_seat(line[start:]) else None

    # Seats

    def _is_another(self, word: str, own: str) -> bool:
        if word in self.seats:
            return self.seats[word] != own
        return any(self.seats[name] != own for name in near(word, self.seats))

    def _speaks_of_another(self, line: str, own: str) -> bool:
        """Return whether ``line`` may say that the orders below it belong to another seat than ``own``.

        It is a seat with at most one more word, a misspelled seat, or a line that names a seat and announces something.
        """
        tokens = TOKEN.findall(normal_form(line))
        if len(tokens) in (1, 2) and self._is_another(tokens[0], own):
            return True
        others = {self.seats[token] for token in tokens if token in self.seats} - {own}
        return bool(others) and (line.rstrip().endswith(":") or not ORDERS.isdisjoint(tokens))

    def _is_like_head(self, line: str, own: str) -> bool:
        """Return whether ``line`` looks like the head of a sheet: one word and a colon.

        In a text that belongs to one seat, the word must be the misspelled name of another seat.
        """
        before, colon, rest = line.partition(":")
        word = before.strip(" ").casefold()
        if not colon or rest.startswith("//") or not word.isalnum() or phrase(line):
            return False
        return self.seat is None or self._is_another(word, own)

    # Headers

    def _is_turn(self, word: str) -> bool:
        """Return whether ``word``, in lower case, is a turn without a blank: ``turn7``."""
        letters = word.rstrip("0123456789")
        return 0 < len(word) - len(letters) <= _MOST_DIGITS and self.grammar.english(letters) == "turn"

    def _header_among_words(self, line: str, own: str) -> tuple[GameHeader | TurnHeader, str, str] | None:
        """Return the header in an unreadable ``line`` with more words, such as “Turn 1 - orders for red”; else ``None``.

        With it come the line without the other words, and without all turns and the game. If several turns head orders, one
        that counts is meant. A line that names another seat is no header.
        """
        words = list(TOKEN.finditer(line))
        english = [self.grammar.english(word.group().casefold()) for word in words]
        turns = list(self._turns(words, english))
        named = _GAME.match(line, words[0].end()) if english[:1] == ["game"] else None
        game = "" if named is None else named[2].rstrip("._-")
        if named is not None and not turns and named[1] != "=" and game.isalpha():
            game = game if game.casefold() == self.addressee.game.casefold() else ""  # “Game on, all”
        if not (game or turns):
            return None
        labels = courtesy("labels") | courtesy("beside_labels")
        is_known = (word in _AROUND or word in labels or (own and self.seats.get(word) == own) for word in english)
        known = next((at for at, is_around in enumerate(is_known) if not is_around), len(english))
        heading = [turn for turn in turns if turn[0][0] <= known or _is_among(english, *turn[0])] or (turns if game else [])
        if not (game or heading) or self._speaks_of_another(line, own):
            return None
        meant = [turn for turn in heading if self.counts(turn[1])][:1] or heading[:1]
        spans = [words[at].span() for place, _ in meant for at in place]
        if named is not None and game:
            end = named.start(2) + len(game)
            spans = [words[0].span(), (named.start(2), end), *(span for span in spans if span[0] >= end)]
        bare, rest = [" "] * spans[-1][1], list(line)
        for begin, end in spans:
            bare[begin:end] = line[begin:end]
        places = [(words[first].start(), words[last].end()) for (first, last), _ in turns]
        for begin, end in [*places, (spans[0][0], spans[-1][1])]:
            rest[begin:end] = " " * (end - begin)
        number = (turn for _, turn in meant)
        header = GameHeader(game, *number) if game else TurnHeader(*number)
        return header, "".join(bare), "".join(rest)

    def _turns(self, words: Sequence[re.Match[str]], english: Sequence[str]) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield the turns on a line, each with its first and last word: ``turn 1``, ``turn no. 1``, ``turn1``."""
        for at, word in enumerate(words):
            number = at + 1 + (english[at + 1 : at + 2] != [] and english[at + 1] in _COUNTERS)
            if self._is_turn(word.group().casefold()):
                yield (at, at), int(word.group().lstrip(word.group().rstrip("0123456789")))
            elif english[at] == "turn" and number < len(words):
                digits = words[number].group()
                if digits.isdecimal() and len(digits) <= _MOST_DIGITS:
                    yield (at, number), int(digits)

    def counts(self, turn: int) -> bool:
        """Return whether orders for ``turn`` count for any seat of the text."""
        seats = self.addressee.seats if self.seat is None else (self.seat,)
        return any(self.addressee.turns.counts(turn, seat) for seat in seats)


def _cut(text: str, start: int, end: int) -> str:
    return " " * start + text[start:end]


def _visible(text: str) -> str:
    """Return ``text`` on one line, with visible characters only."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def _is_loud(word: re.Match[str]) -> bool:
    """Return whether ``word`` is in capitals, and not the first part of a compound: GO-KART."""
    after = word.string[word.end() : word.end() + 2]
    return len(word.group()) > 1 and word.group().isupper() and not (after[:1] == "-" and after[1:].isalpha())


def _is_label(label: str) -> bool:
    """Return whether the beginning of a line is a list mark, an opening bracket, or the words of a label with numbers."""
    if label in _MARKS or label in _PAIRS or _NUMBER.fullmatch(label):
        return True
    words = TOKEN.findall(label.casefold())
    is_known = all(
        word in courtesy("labels")
        or word in courtesy("beside_labels")
        or (word.isdecimal() and len(word) <= 3)
        or (word in ("no", "nr") and after.isdecimal())
        for word, after in zip(words, [*words[1:], ""], strict=False)
    )
    return is_known and not courtesy("labels").isdisjoint(words) and set(TOKEN.sub("", label)) <= set(" .,:-=()")


def _is_among(english: Sequence[str], first: int, last: int) -> bool:
    """Return whether a word for orders is beside the turn from the ``first`` to the ``last`` word: “orders for turn 1”."""
    at = next((at for at in range(first - 1, -1, -1) if english[at] not in _FOR), first)
    return english[at] in ORDERS or not ORDERS.isdisjoint(english[last + 1 : last + 2])
