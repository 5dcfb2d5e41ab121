"""Lines that cannot be read because they are no orders at all: greetings, thanks, names, footers, chat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final

from adjudicator.orders.clean import normalized
from adjudicator.orders.courtesy_words import PHRASES, Kind
from adjudicator.orders.vocabulary import TOKEN, Vocabulary

NAME: Final = "the name of the player"
PROSE: Final = "prose that names nothing of an order"
LINK: Final = "a link"
PICTURE: Final = "a picture"
_LENGTHY: Final = 6
"""Words of a line that, if none of them has to do with an order, is prose: nobody mistypes as many."""
_WRAPPED: Final = 40
"""Characters of a line of prose that may go on below."""
_NAMES: Final = 4
"""Words that a name below a mail may have."""


class Courtesy:
    """Judges the unreadable lines of one text, from the first to the last; it remembers what they followed."""

    def __init__(self, vocabulary: Callable[[], Vocabulary], names: Iterable[str] = ()) -> None:
        """Know the words of the game, and the ``names`` of who may have written the text."""
        self._vocabulary = vocabulary
        self._names = frozenset(token for name in names for token in TOKEN.findall(normalized(name)))
        self._last = self._width = 0
        self._kind: Kind | None = None
        self._closed = 0

    def why(self, number: int, raw: str, line: str, *, is_before_sheet: bool, order_line: int) -> str:
        """Return why line ``number`` says nothing that matters; empty if it could have been meant as an order.

        ``line`` is what is left of ``raw`` when it is cleaned. ``order_line`` is the number of the latest order read, 0 for
        none; ``is_before_sheet`` says that the line belongs to no sheet.
        """
        if order_line > self._last:
            self._kind, self._closed = None, 0
        words = self._link(raw) or self._judged(number, line, is_before_sheet, order_line)
        if words:
            self._last, self._width = number, len(raw.strip())
        return words

    def why_phrase(self, number: int, line: str) -> str:
        """Return why a line says nothing if it begins with a known phrase and has nothing of an order; else nothing."""
        tokens = TOKEN.findall(normalized(line))
        kind, length = _phrase(tokens)
        if kind is None or self._vocabulary().may_be_order(tokens[length:]):
            return ""
        self._last, self._width = number, len(line)
        return self._said(kind, number)

    def is_heading(self, line: str) -> bool:
        """Return whether ``line`` begins with what stands above orders: ``Orders:``."""
        return _phrase(TOKEN.findall(normalized(line.partition(":")[0])))[0] is Kind.LABEL

    def _link(self, raw: str) -> str:
        text = normalized(raw)
        if text.startswith(("[image", "[cid:", "[inline")):
            return PICTURE
        return LINK if all(map(_is_link, text.split())) else ""

    def _judged(self, number: int, line: str, is_before_sheet: bool, order_line: int) -> str:
        text = normalized(line)
        tokens = TOKEN.findall(text)
        kind, length = _phrase(tokens)
        if kind in (Kind.DEVICE, Kind.FOOTER):
            return self._said(kind, number)
        rest = tokens[length:]
        if kind is not None and not self._vocabulary().may_be_order(rest):
            return self._said(kind, number)
        if self._is_name(line, tokens, order_line):
            return NAME
        if self._closed and not self._is_like_order(tokens):
            return self._kind.value if self._kind else Kind.CLOSING.value
        if tokens and number == self._last + 1 and self._goes_on(tokens):
            return self._kind.value if self._kind else PROSE
        return self._prose(text, tokens, is_before_sheet, order_line)

    def _said(self, kind: Kind, number: int) -> str:
        self._kind = kind
        if kind in (Kind.CLOSING, Kind.DEVICE, Kind.FOOTER):
            self._closed = number
        return kind.value

    def _is_name(self, line: str, tokens: Sequence[str], order_line: int) -> bool:
        """Return whether a line is a name: one that is known, or what stands below a courtesy as only names do."""
        if not tokens or len(tokens) > _NAMES or not all(map(str.isalpha, tokens)):
            return False
        if self._names.issuperset(tokens):
            return True
        if (
            self._kind not in (Kind.THANKS, Kind.CLOSING)
            or self._last <= order_line
            or self._vocabulary().is_verb(tokens[0])
        ):
            return False
        return len(tokens) == 1 or line.strip().istitle()

    def _is_like_order(self, tokens: Sequence[str]) -> bool:
        """Return whether below the close of a mail a line still looks like an order.

        It begins as one, or is short and names a thing of the game.
        """
        known = self._vocabulary()
        is_short = len(tokens) <= _NAMES
        return bool(tokens) and (known.is_verb(tokens[0]) or (is_short and not known.names.isdisjoint(tokens)))

    def _goes_on(self, tokens: Sequence[str]) -> bool:
        """Return whether a line may be the rest of a footer, or of the long line of prose, right above it."""
        known = self._vocabulary()
        if self._kind is Kind.FOOTER:
            return not known.is_verb(tokens[0]) or not known.may_be_order(tokens[1:])
        return self._width >= _WRAPPED and not known.is_like_order(tokens)

    def _prose(self, text: str, tokens: Sequence[str], is_before_sheet: bool, order_line: int) -> str:
        """Return why a line that is no known courtesy cannot have been meant as an order all the same."""
        known = self._vocabulary()
        if not tokens or known.is_like_order(tokens) or any(map(str.isdigit, tokens)):
            return ""
        self._kind = None
        if not order_line and len(tokens) <= _NAMES - 1 and text[-1] == ",":
            return Kind.GREETING.value
        if text[-1] == ":" and len(tokens) > 2:
            return Kind.LABEL.value
        is_long = len(tokens) >= _LENGTHY or (is_before_sheet and len(tokens) > 2)
        return PROSE if is_long else ""


def _is_link(part: str) -> bool:
    bare = part.strip("<>()[].,:")
    return bare.startswith(("http://", "https://", "www.", "mailto:")) or ("@" in bare[1:] and "." in bare)


def _phrase(tokens: Sequence[str]) -> tuple[Kind | None, int]:
    """Return the kind of the longest phrase with which ``tokens`` begin, and its length in words."""
    found: tuple[Kind | None, int] = None, 0
    for phrase, kind in _known_phrases().get(tokens[0], ()) if tokens else ():
        if len(phrase) > found[1] and tuple(tokens[: len(phrase)]) == phrase:
            found = kind, len(phrase)
    if found[0] is None and ("unsubscribe" in tokens or "mailing list" in " ".join(tokens[:_LENGTHY])):
        return Kind.FOOTER, 1
    return found


@cache
def _known_phrases() -> dict[str, list[tuple[tuple[str, ...], Kind]]]:
    known: dict[str, list[tuple[tuple[str, ...], Kind]]] = {}
    for kind, phrases in PHRASES.items():
        for phrase in phrases:
            words = tuple(TOKEN.findall(normalized(phrase)))
            known.setdefault(words[0], []).append((words, kind))
    return known
