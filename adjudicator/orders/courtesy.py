"""Recognize courtesies: lines such as greetings, and courteous words before and after an order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final
from unicodedata import category

from adjudicator.orders.clean import TOKEN, normal_form
from adjudicator.orders.courtesy_words import COURTEOUS, PHRASES, Kind

ORDERS: Final = frozenset(
    {"orders", "order", "moves", "sheet", "befehle", "züge", "ordres", "órdenes", "ordenes", "ordini", "rozkazy", "ordens"}
    | {"ordrer", "příkazy", "приказы", "ходы", "bestellungen", "orden"}
)
"""Words for orders in several languages."""
NAME: Final = "the name of the player"
LINK: Final = "a link"
PICTURE: Final = "a picture"
_CLOSING: Final = (Kind.CLOSING, Kind.DEVICE, Kind.FOOTER)


class Courtesy:
    """Names the kinds of remarks in one text, in their order: all lines below the close of a mail belong to it."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Take the ``names`` of possible writers of the text."""
        self._names = frozenset(token for name in names for token in TOKEN.findall(normal_form(name)))
        self._closed: Kind | None = None
        self._closed_at = 0

    def why(self, number: int, raw: str, line: str, order_line: int) -> str:
        """Return the kind of the remark on line ``number``; empty if it is not known.

        ``line`` is ``raw`` after cleaning. ``order_line`` is the number of the latest order read (0: none).
        """
        if order_line > self._closed_at:
            self._closed = None
        text = normal_form(raw)
        if is_picture(raw):
            return PICTURE
        if all(map(_is_link, text.split())):
            return LINK
        tokens = TOKEN.findall(normal_form(line))
        kind = _phrase(tokens)[0]
        if kind in _CLOSING:
            self._closed, self._closed_at = kind, number
        if kind is not None:
            return kind.value
        if COURTEOUS.issuperset(tokens):
            return Kind.THANKS.value
        if self._names.issuperset(tokens):
            return NAME
        return "" if self._closed is None else self._closed.value


def is_picture(raw: str) -> bool:
    """Return whether a line replaces a picture: ``[image: logo.png]``."""
    return normal_form(raw).startswith(("[image", "[cid:", "[inline"))


def is_phrase(line: str) -> bool:
    """Return whether ``line`` begins with a known phrase."""
    return _phrase(TOKEN.findall(normal_form(line)))[0] is not None


def is_footer(line: str) -> bool:
    """Return whether ``line`` is a sentence of a footer: it begins with a known phrase, and is long."""
    tokens = TOKEN.findall(normal_form(line))
    return len(tokens) >= _SENTENCE and _phrase(tokens)[0] is Kind.FOOTER


def phrase(line: str) -> str:
    """Return why to ignore a line that begins with a known phrase; else an empty text."""
    kind = _phrase(TOKEN.findall(normal_form(line)))[0]
    return "" if kind is None else kind.value


def is_heading(line: str) -> bool:
    """Return whether ``line`` begins with a heading of orders: ``Orders:``."""
    return _phrase(TOKEN.findall(normal_form(line.partition(":")[0])))[0] is Kind.LABEL


@lru_cache(8192)
def bare_spans(line: str) -> tuple[tuple[int, int], ...]:
    """Return the places (start, end) of a possible order on the cleaned ``line`` without courtesies, the longest first.

    A courtesy after the order may have a few more words, but no digit: “good luck to all”.
    """
    words = line.casefold().replace(":", " ").replace(",", " ").split()
    if line.isascii() and line[-1:] not in "()" and _openings().isdisjoint(word.strip(_SIGNS) for word in words):
        return ()
    found = list(TOKEN.finditer(line))
    tokens = [normal_form(word.group()) for word in found]
    first = next((at for at, token in enumerate(tokens) if token not in COURTEOUS), 0)
    last = max(first, len(tokens) - 1 - _MOST)
    behind = [found[at].start() for at in range(len(tokens) - 1, last, -1) if _is_courtesy(tokens[at:])]
    ends = [len(line[:end].rstrip(_BETWEEN)) for end in (len(line), _before_smileys(line), *behind)]
    starts = dict.fromkeys((0, found[first].start())) if first else (0,)
    return tuple((start, end) for end in dict.fromkeys(ends) for start in starts if (start, end) != (0, len(line)))


def _before_smileys(line: str) -> int:
    """Return the index of the smileys at the end of ``line``: signs such as ``:-)``, and pictures."""
    at = len(line)
    while at:
        mouth = at
        while mouth and line[mouth - 1] in ")(/|":
            mouth -= 1
        nose = mouth - (line[mouth - 1 : mouth] in ("'", "-"))
        if line[at - 1].isspace() or (line[at - 1] >= _PICTURES and category(line[at - 1])[0] == "S"):
            at -= 1
        elif mouth < at and nose and line[nose - 1] in ":=":
            at = nose - 1
        else:
            return at
    return at


_PICTURES: Final = "\u2190"
"""The first sign that may be a picture: an arrow. Plain signs such as + have a meaning."""
_BETWEEN: Final = " ,:-("
_SIGNS: Final = " .,!?:)"
_SENTENCE: Final = 8
"""The fewest words of a footer in which an order word in capitals is none: “DO NOT PASS THIS MAIL ON”."""
_MOST: Final = 6
"""The most words of a courtesy after an order."""


def _is_courtesy(tokens: Sequence[str]) -> bool:
    """Return whether ``tokens``, the last words of a line, are a courtesy: “thanks Bob”, “good luck to all”."""
    if len(tokens) > _MOST or any(map(str.isdigit, "".join(tokens))):
        return False
    kind, length = _phrase(tokens)
    return tokens[0] in COURTEOUS or (length > 1 and kind in (Kind.THANKS, Kind.CLOSING))


@cache
def _openings() -> frozenset[str]:
    kinds = (Kind.THANKS, Kind.CLOSING)
    return COURTEOUS | {words[0] for phrases in _known_phrases().values() for words, kind in phrases if kind in kinds}


def _is_link(part: str) -> bool:
    bare = part.strip("<>()[].,:")
    return bare.startswith(("http://", "https://", "www.", "mailto:")) or ("@" in bare[1:] and "." in bare)


def _phrase(tokens: Sequence[str]) -> tuple[Kind | None, int]:
    """Return the kind of the longest phrase with which ``tokens`` begin, and its length in words."""
    found: tuple[Kind | None, int] = None, 0
    for words, kind in _known_phrases().get(tokens[0], ()) if tokens else ():
        if len(words) > found[1] and tuple(tokens[: len(words)]) == words:
            found = kind, len(words)
    if found[0] is None and ("unsubscribe" in tokens or "mailing list" in " ".join(tokens[:_MOST])):
        return Kind.FOOTER, 1
    return found


@cache
def _known_phrases() -> dict[str, list[tuple[tuple[str, ...], Kind]]]:
    known: dict[str, list[tuple[tuple[str, ...], Kind]]] = {}
    for kind, phrases in PHRASES.items():
        for phrase_ in phrases:
            words = tuple(TOKEN.findall(normal_form(phrase_)))
            known.setdefault(words[0], []).append((words, kind))
    return known
