"""Recognize the lines of a text that are not orders: courtesies, remarks, the ends of broken lines."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from adjudicator.core.order import FirstOf, Instruction, When
from adjudicator.core.phrases import COMMANDS, PLEASE
from adjudicator.orders.build import OrderLine, WithdrawalLine
from adjudicator.orders.clean import MOST_COLUMNS, TOKEN, clean, normal_form
from adjudicator.orders.courtesy import ORDERS, Courtesy, bare_spans, is_footer, is_heading, is_picture, phrase
from adjudicator.orders.courtesy import words as courtesy
from adjudicator.orders.findings import Findings
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.parser import LineReader
from adjudicator.orders.problems import among_words, command, wrapped
from adjudicator.orders.submission import Addressee, Submission
from adjudicator.results import NOT_UNDERSTOOD

if TYPE_CHECKING:  # most texts do not need these, and they take time to load
    from adjudicator.orders.likeness import Likeness

_PLAYER: Final = "the name of the player"
_FEW: Final = 2
"""The most words that the head of a sheet may have."""
_WIDE: Final = 40
"""The fewest characters of a line of prose that may continue on the next line."""
_NARROWEST: Final = 60
"""The fewest characters of a quoted line that a mail program breaks."""
_STOPS: Final = ".:!?"
_MARKS: Final = frozenset({"", "-", "+", "=", "|", "->", "-->", "=>", "==>", "→", "⇒", "►", "▶", "▸", "➜", "➤", "➔"})
"""The signs of lists that may stand before an order, beside those that cleaning removes."""
_PAIRS: Final = {"(": ")", "[": "]", "{": "}", "<": ">", "|": "|", "_": "_"}
_NUMBER: Final = re.compile(r"[(\[]?(?:[0-9]{1,3}|[A-HJ-Wa-wYZyz])(?:[.):\]/]+| +-) *-?")
"""The number or letter of a list before an order: ``1.``, ``a)``, ``(2)``, ``3 -``; not ``[x]``, which is a box."""
_LABEL_WORDS: Final = 4
"""The most words of a label."""
_LONGEST_NUMBER: Final = 3
_LONG_COMMAND: Final = 6
"""The fewest letters of a command that may have a wrong letter: WHAT is not WAIT."""
_STOPPING: Final = frozenset({"PREVIEW", "WAIT", "NOWAIT", "RESIGN", "HOLIDAY"})
"""The commands that keep orders from being played: in capitals they are never part of a remark."""
_CODED: Final = 60
"""Characters of an order with a code that are enough to recognize it."""
_FILLERS: Final = PLEASE | {"and", "then", "also", "just"}


class Remarks:
    """Recognizes the lines of one text that are not orders, and reports ignored lines to ``findings``."""

    def __init__(self, reader: LineReader, addressee: Addressee, text: Submission, findings: Findings) -> None:
        """Read ``text``, which is for ``addressee``."""
        self._reader = reader
        self._addressee = addressee
        self._called = addressee.seats_by_name()
        self._text = text
        self._findings = findings
        self._last, self._is_open = 0, False

    @cached_property
    def _courtesy(self) -> Courtesy:
        return Courtesy(self._text.names)

    @cached_property
    def _likeness(self) -> Likeness:
        from adjudicator.orders.likeness import Likeness

        return Likeness(self._reader, self._addressee.names, self._addressee.seats)

    def is_rest_of_quote(self, number: int, parsed: object) -> bool:
        """Return whether line ``number``, ``parsed`` by itself, is the end of a quoted line that a mail program broke.

        It is if the two are an order and the quoted line alone is not; or if it is directly between quoted lines and has no
        word of an order.
        """
        if number == 1 or self._findings.last_ignored != number - 1:
            return False
        lines, parse = self._text.lines, self._reader.parse
        above = lines[number - 2].lstrip(" ")
        if not above.startswith(">") or len(above) < _NARROWEST:
            return False
        line, quoted = clean(lines[number - 1]).strip(), clean(above.lstrip("> "))
        whole = parse(f"{quoted} {line}")
        if isinstance(whole, OrderLine) and whole.expression is not None:
            return not isinstance(parsed, OrderLine) or not isinstance(parse(quoted), OrderLine)
        is_quoted_on = "".join(lines[number : number + 1]).lstrip(" ").startswith(">")
        if isinstance(parsed, (OrderLine, WithdrawalLine)) or not is_quoted_on:
            return False
        return not self._likeness.is_like_order(TOKEN.findall(normal_form(line)))

    def is_attempt(self, number: int, line: str) -> bool:
        """Return whether the unreadable ``line`` was meant as an order: it begins like one."""
        return self._likeness.is_attempt(line, is_wrapped=self._is_open and number == self._last + 1)

    def may_begin(self, word: str) -> bool:
        """Return whether an order may begin with ``word``."""
        return self._likeness.may_begin(word)

    def is_rest_of_order(self, raw: str, line: str, before: Instruction) -> bool:
        """Return whether ``line`` is the rest of the order ``before``, which a mail program broke in two."""
        return wrapped(self._reader, line, before) is not None and not is_picture(raw)

    def is_remark(self, line: str, parsed: OrderLine) -> bool:
        """Return whether ``line`` is a remark, though it can be read as an order: “Take care!”."""
        return self._has_strange_name(line, parsed.expression) and self._likeness.is_remark(line, parsed)

    def _has_strange_name(self, line: str, expression: object) -> bool:
        """Return whether the order on ``line`` has a word that its game may not know."""
        written = _free_words(line)
        if not written or expression is None or isinstance(expression, (FirstOf, When)):
            return False
        language, names = self._reader.rules.language, self._addressee.names
        read = TOKEN.findall(language.text(expression).casefold())
        return any(word in read and word not in names and word not in _example_words(language.examples) for word in written)

    def without_courtesy(self, line: str) -> tuple[int, int]:
        """Return the place of the order on ``line`` without a courtesy before or after it: its start and end."""
        for start, end in bare_spans(line) if len(line) <= MOST_COLUMNS else ():
            if not self._has_order(line[end:]):
                parsed = self._reader.parse(" " * start + line[start:end])
                if isinstance(parsed, OrderLine) and parsed.expression is not None and parsed.seat in (None, *self._called):
                    return start, end
        return 0, len(line)

    def _has_order(self, part: str) -> bool:
        return self._likeness.may_be_order(TOKEN.findall(normal_form(part)))

    def after_label(self, line: str) -> tuple[int, int] | None:
        """Return the place of the order on the unreadable ``line`` after a list mark or a label, as in “My move: DRAW”.

        ``None`` if there is none, or if more than one order follows.
        """
        for word in islice(TOKEN.finditer(line), _LABEL_WORDS + 1):
            start, label = word.start(), line[: word.start()].strip(" ")
            if not _is_label(label):
                continue
            rest = " " * start + line.removesuffix(_PAIRS.get(label, "\n")).rstrip(" ")[start:]
            begin, end = self.without_courtesy(rest)
            order = " " * begin + rest[begin:end]
            parsed = self._reader.parse(order)
            if isinstance(parsed, WithdrawalLine) and parsed.seat is None:
                return start, len(rest)
            if isinstance(parsed, OrderLine) and parsed.expression is not None and parsed.seat is None:
                before = TOKEN.findall(label.casefold())[-1:]
                is_announced = not label[-1:].isalnum() or (
                    word.group().isupper() and self._likeness.verbs.isdisjoint(before)
                )
                return (start, len(rest)) if is_announced and not self.is_remark(order, parsed) else None
        return None

    def wrong(self, raw: str, line: str) -> tuple[LineProblem, bool] | None:
        """Return the problem with a ``line`` that is no remark, because it has an order word in capitals or a command.

        With it comes whether the whole sheet must wait: a command such as PREVIEW concerns also the orders above it.
        """
        if is_footer(line):
            return None
        if raw[len(line) :].lstrip(" ")[:1] == "#" and raw.partition("#")[2][:1].isdigit():
            line = clean(raw.replace("#", " "))  # “Order #1 - DRAW” has no comment
        words = list(TOKEN.finditer(line))
        for word in words:
            if _is_loud(word) and (self._likeness.is_order_word(word.group()) or self._begins_order(line, word)):
                return among_words(self._reader, line, *word.span()), False
        first = next((word for word in words if word.group().casefold() not in _FILLERS), None)
        is_all_loud = line == line.upper()
        for word in words:
            said = word.group().upper() if word is first and word.group().casefold() == "preview" else word.group()
            if said in COMMANDS and (word is first or said in _STOPPING or not is_all_loud):
                return command(line, *word.span(), said), True
        meant = _misspelled_command(first.group()) if first is not None and _is_loud(first) else ""
        return (command(line, *first.span(), meant), True) if first is not None and meant else None

    def _begins_order(self, line: str, word: re.Match[str]) -> bool:
        """Return whether ``word``, which is no verb by itself, begins an order: ``TC3: 40``, ``TURN ROUND``."""
        text, after = word.group(), TOKEN.search(line, word.end())
        if text.casefold() in ("turn", "game") and after is not None:
            return isinstance(self._reader.parse(line[word.start() : after.end()]), OrderLine)
        is_code = not (text.isalpha() or text.isdecimal()) and line[word.end() : word.end() + 1] == ":"
        return is_code and self._likeness.is_attempt(line[word.start() : word.start() + _CODED])

    def are_orders_commented(self) -> bool:
        """Return whether orders follow a ``#``, as in a form that came back with every ``#`` in it."""
        comments = (raw.lstrip(" #") for raw in self._text.lines if raw.lstrip().startswith("#"))
        parsed = (self._reader.parse(clean(comment)) for comment in comments)
        return any(isinstance(one, OrderLine) and one.expression is not None for one in parsed)

    def is_label(self, number: int, raw: str, line: str, parsed: OrderLine) -> bool:
        """Return whether a line that looks like the head of a sheet is something else: ``Orders:`` or ``PS:``.

        The report lists it as ignored if no order follows on the line.
        """
        if parsed.expression is not None:
            word = line.partition(":")[0].strip(" ,").casefold()
            return is_heading(line) or (word in courtesy("labels") and not self._is_another(word, self._text.seat or ""))
        why = phrase(line)
        if why:
            self._findings.ignore(number, raw, why)
        return bool(why)

    def speaks_of_another(self, line: str, own: str) -> bool:
        """Return whether ``line`` may say that the orders below it belong to another seat than ``own``.

        It is a seat with at most one more word, a misspelled seat, or a line that names a seat and announces something.
        """
        tokens = TOKEN.findall(normal_form(line))
        if not tokens:
            return False
        if len(tokens) <= _FEW and self._is_another(tokens[0], own):
            return True
        others = {self._called[token] for token in tokens if token in self._called} - {own}
        return bool(others) and (line.rstrip().endswith(":") or not ORDERS.isdisjoint(tokens))

    def _is_another(self, word: str, own: str) -> bool:
        """Return whether ``word`` is a seat or player other than ``own``, or a seat with one wrong letter."""
        if word in self._called:
            return self._called[word] != own
        from adjudicator.orders.likeness import near

        return any(self._called[name] != own for name in near(word, self._called))

    def is_like_head(self, line: str, own: str) -> bool:
        """Return whether ``line`` looks like the head of a sheet: one word and a colon.

        In a text that belongs to one seat, the word must be the misspelled name of another seat.
        """
        before, colon, _ = line.partition(":")
        word = before.strip(" ").casefold()
        if not colon or not word.isalnum() or phrase(line):
            return False
        return self._text.seat is None or self._is_another(word, own)

    def remark(self, number: int, raw: str, line: str, *, holder: str, order_line: int) -> bool:
        """Report a line that is not an order; return ``False`` if it is a known courtesy.

        ``holder`` is the name of the player, who may have signed it. ``order_line`` is the number of the latest order read
        (0: none).
        """
        name = line.strip(" -–—~.,!").casefold()
        is_holder = name and name in (holder.casefold(), *holder.casefold().split()[:1])
        why = _PLAYER if is_holder else self._courtesy.why(number, raw, line, order_line)
        self._findings.ignore(number, raw, why or NOT_UNDERSTOOD)
        self._last, self._is_open = number, len(raw.strip()) >= _WIDE and raw.rstrip()[-1] not in _STOPS
        return not why

    def is_like_order(self, line: str) -> bool:
        """Return whether a remark has a word of an order."""
        tokens = TOKEN.findall(normal_form(line))
        return self._likeness.is_like_order(tokens) or all(map(str.isdigit, tokens))


def _is_label(label: str) -> bool:
    """Return whether the beginning of a line is a list mark, an opening bracket, or the words of a label with numbers."""
    if label in _MARKS or label in _PAIRS or _NUMBER.fullmatch(label):
        return True
    words = TOKEN.findall(label.casefold())
    is_known = all(
        word in courtesy("labels")
        or word in courtesy("beside_labels")
        or (word.isdecimal() and len(word) <= _LONGEST_NUMBER)
        or (word in ("no", "nr") and after.isdecimal())
        for word, after in zip(words, [*words[1:], ""], strict=False)
    )
    return is_known and not courtesy("labels").isdisjoint(words) and set(TOKEN.sub("", label)) <= set(" .,:-=()")


def _is_loud(word: re.Match[str]) -> bool:
    """Return whether ``word`` is in capitals, and not the first part of a compound: GO-KART."""
    after = word.string[word.end() : word.end() + 2]
    return len(word.group()) > 1 and word.group().isupper() and not (after[:1] == "-" and after[1:].isalpha())


@lru_cache(1024)
def _misspelled_command(word: str) -> str:
    """Return the command that ``word``, in capitals, may mean: with two letters swapped, one doubled, or one wrong."""
    from adjudicator.orders.likeness import near

    return next(iter(near(word, COMMANDS)), "")


@lru_cache(8192)
def _free_words(line: str) -> tuple[str, ...]:
    """Return the words of ``line`` after the first, in lower case; none after a word in capitals or beside a digit."""
    if any(map(str.isdigit, line)):
        return ()
    words = TOKEN.findall(line)
    return tuple(word.casefold() for word in words[1:]) if words and not words[0].isupper() else ()


@lru_cache(16)
def _example_words(examples: tuple[str, ...]) -> frozenset[str]:
    return frozenset(TOKEN.findall(" ".join(examples).casefold()))
