"""Recognize courtesies: greetings and the like, and courteous words around an order; their words are in `courtesy.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, Literal

from adjudicator.core.phrases import PLEASE
from adjudicator.orders.clean import TOKEN, normal_form
from adjudicator.resources import files

ORDERS: Final = frozenset(
    {"orders", "order", "moves", "sheet", "befehle", "züge", "ordres", "órdenes", "ordenes", "ordini", "rozkazy", "ordens"}
    | {"ordrer", "příkazy", "приказы", "ходы", "bestellungen", "orden"}
)
"""Words for orders in several languages."""
_SMILEYS: Final = re.compile(r"(?:\s|[\u2190-\u245f\u249c-\u2bff\U0001f000-\U0001faff]|[()/|]++['-]?[:=])*+")
"""Smileys such as ``:-)`` and pictures at the end of a line, which is reversed."""
_BETWEEN: Final = " ,:-("
_SIGNS: Final = " .,!?:)"
_SENTENCE: Final = 8  # the fewest words of a footer in which an order word in capitals is none: “DO NOT PASS THIS MAIL ON”
_MOST: Final = 6  # the most words of a courtesy after an order

_THANKS, _CLOSING, _FOOTER, _HEADING = "a courtesy", "the close of the mail", "a footer", "a heading"
_ADVERTISEMENT: Final = "an advertisement of a mail program"
_KINDS: Final = (
    *(("greeting", "a greeting"), ("thanks", _THANKS), ("closing", _CLOSING), ("device", _ADVERTISEMENT)),
    *(("footer", _FOOTER), ("remark", "a remark"), ("label", _HEADING)),
)
"""The kinds of phrases in `courtesy.toml`, each with why a line that begins with one is ignored."""


class Courtesy:
    """Names the kinds of remarks in one text, in their order: all lines below the close of a mail belong to it."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Take the ``names`` of possible writers of the text."""
        self._names = frozenset(token for name in names for token in TOKEN.findall(normal_form(name)))
        self._closed, self._closed_at = "", 0

    def why(self, number: int, raw: str, line: str, order_line: int) -> str:
        """Return the kind of the remark on line ``number``; empty if it is not known.

        ``line`` is ``raw`` after cleaning. ``order_line`` is the number of the latest order read (0: none).
        """
        if order_line > self._closed_at:
            self._closed = ""
        if is_picture(raw):
            return "a picture"
        if all(map(_is_link, normal_form(raw).split())):
            return "a link"
        tokens = TOKEN.findall(normal_form(line))
        kind, _ = _phrase(tokens)
        if kind in (_CLOSING, _ADVERTISEMENT, _FOOTER):
            self._closed, self._closed_at = kind, number
        if kind or words("courteous").issuperset(tokens):
            return kind or _THANKS
        return "the name of the player" if self._names.issuperset(tokens) else self._closed


def is_picture(raw: str) -> bool:
    """Return whether a line replaces a picture: ``[image: logo.png]``."""
    return normal_form(raw).startswith(("[image", "[cid:", "[inline"))


def is_footer(line: str) -> bool:
    """Return whether ``line`` is a sentence of a footer: it begins with a known phrase, and is long."""
    return phrase(line) == _FOOTER and len(TOKEN.findall(line)) >= _SENTENCE


def is_heading(line: str) -> bool:
    """Return whether ``line`` begins with a heading of orders: ``Orders:``."""
    return phrase(line.partition(":")[0]) == _HEADING


def phrase(line: str) -> str:
    """Return why to ignore a line that begins with a known phrase; else an empty text."""
    return _phrase(TOKEN.findall(normal_form(line)))[0]


@lru_cache(8192)
def bare_spans(line: str) -> tuple[tuple[int, int], ...]:
    """Return the places (start, end) of a possible order on the cleaned ``line`` without courtesies, the longest first.

    A courtesy after the order may have a few more words, but no digit: “good luck to all”.
    """
    parts = line.casefold().replace(":", " ").replace(",", " ").split()
    if line.isascii() and line[-1:] not in "()" and _openings().isdisjoint(part.strip(_SIGNS) for part in parts):
        return ()
    found = list(TOKEN.finditer(line))
    tokens = [normal_form(word.group()) for word in found]
    first = next((at for at, token in enumerate(tokens) if token not in words("courteous")), 0)
    last = max(first, len(tokens) - 1 - _MOST)
    behind = []
    for at in range(len(tokens) - 1, last, -1):
        kind, length = _phrase(tokens[at:])
        if any(map(str.isdigit, tokens[at])):
            break
        if tokens[at] in words("courteous") or (length > 1 and kind in (_THANKS, _CLOSING)):
            behind.append(found[at].start())
    smileys = _SMILEYS.match(line[::-1])
    before = len(line) - (smileys.end() if smileys else 0)
    ends = [len(line[:end].rstrip(_BETWEEN)) for end in (len(line), before, *behind)]
    starts = dict.fromkeys((0, found[first].start())) if first else (0,)
    return tuple((start, end) for end in dict.fromkeys(ends) for start in starts if (start, end) != (0, len(line)))


def _is_link(part: str) -> bool:
    bare = part.strip("<>()[].,:")
    return bare.startswith(("http://", "https://", "www.", "mailto:")) or ("@" in bare[1:] and "." in bare)


def _phrase(tokens: Sequence[str]) -> tuple[str, int]:
    """Return the kind of the longest phrase with which ``tokens`` begin, and its length in words."""
    for known, kind in _phrases().get(tokens[0], ()) if tokens else ():
        if (*tokens[: len(known)],) == known:
            return kind, len(known)
    is_list = "unsubscribe" in tokens or "mailing list" in " ".join(tokens[:_MOST])
    return (_FOOTER, 1) if is_list else ("", 0)


@cache
def words(name: Literal["courteous", "labels", "beside_labels"]) -> frozenset[str]:
    """Return a table of words: those that do not change an order, those that announce one, or words beside those."""
    return frozenset(_table()[name]) | (PLEASE if name == "courteous" else frozenset())


@cache
def _openings() -> frozenset[str]:
    return words("courteous").union(phrase.split(" ")[0] for kind in ("thanks", "closing") for phrase in _table()[kind])


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Return the phrases, each as its words and its kind, by their first words, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    every = [((*phrase.split(" "),), kind) for name, kind in _KINDS for phrase in _table()[name]]
    for phrase, kind in sorted(every, key=lambda one: -len(one[0])):
        found.setdefault(phrase[0], []).append((phrase, kind))
    return found


@cache
def _table() -> Mapping[str, list[str]]:
    """Return the phrases of `courtesy.toml` by kind; a text of plain orders does not need them."""
    import tomllib

    document = tomllib.loads(files("adjudicator").joinpath("orders", "courtesy.toml").read_text("utf-8"))
    phrases = {kind: text.casefold().replace("\n", ",").split(",") for kind, text in document.items()}
    return {kind: [one.strip() for one in found if one.strip()] for kind, found in phrases.items()}
