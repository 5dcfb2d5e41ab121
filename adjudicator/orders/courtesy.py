"""Recognize courtesies: greetings and the like, and courteous words around an order; their words are in `courtesy.toml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from typing import Final, Literal
from unicodedata import category

from adjudicator.core.phrases import PLEASE
from adjudicator.orders.clean import TOKEN, normal_form
from adjudicator.resources import files

ORDERS: Final = frozenset(
    {"orders", "order", "moves", "sheet", "befehle", "züge", "ordres", "órdenes", "ordenes", "ordini", "rozkazy", "ordens"}
    | {"ordrer", "příkazy", "приказы", "ходы", "bestellungen", "orden"}
)
"""Words for orders in several languages."""
_PICTURES: Final = "\u2190"  # the first sign that may be a picture: an arrow. Plain signs such as + have a meaning
_BETWEEN: Final = " ,:-("
_SIGNS: Final = " .,!?:)"
_SENTENCE: Final = 8  # the fewest words of a footer in which an order word in capitals is none: “DO NOT PASS THIS MAIL ON”
_MOST: Final = 6  # the most words of a courtesy after an order


class Kind(Enum):
    """Kinds of phrases; the value says why a line of that kind is ignored."""

    GREETING = "a greeting"
    THANKS = "a courtesy"
    CLOSING = "the close of the mail"
    DEVICE = "an advertisement of a mail program"
    FOOTER = "a footer"
    REMARK = "a remark"
    LABEL = "a heading"


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
        if is_picture(raw):
            return "a picture"
        if all(map(_is_link, normal_form(raw).split())):
            return "a link"
        tokens = TOKEN.findall(normal_form(line))
        kind = _phrase(tokens)[0]
        if kind in (Kind.CLOSING, Kind.DEVICE, Kind.FOOTER):
            self._closed, self._closed_at = kind, number
        if kind is not None:
            return kind.value
        if words("courteous").issuperset(tokens):
            return Kind.THANKS.value
        if self._names.issuperset(tokens):
            return "the name of the player"
        return "" if self._closed is None else self._closed.value


def is_picture(raw: str) -> bool:
    """Return whether a line replaces a picture: ``[image: logo.png]``."""
    return normal_form(raw).startswith(("[image", "[cid:", "[inline"))


def is_footer(line: str) -> bool:
    """Return whether ``line`` is a sentence of a footer: it begins with a known phrase, and is long."""
    return phrase(line) == Kind.FOOTER.value and len(TOKEN.findall(line)) >= _SENTENCE


def is_heading(line: str) -> bool:
    """Return whether ``line`` begins with a heading of orders: ``Orders:``."""
    return phrase(line.partition(":")[0]) == Kind.LABEL.value


def phrase(line: str) -> str:
    """Return why to ignore a line that begins with a known phrase; else an empty text."""
    kind = _phrase(TOKEN.findall(normal_form(line)))[0]
    return "" if kind is None else kind.value


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
        if tokens[at] in words("courteous") or (length > 1 and kind in (Kind.THANKS, Kind.CLOSING)):
            behind.append(found[at].start())
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


def _is_link(part: str) -> bool:
    bare = part.strip("<>()[].,:")
    return bare.startswith(("http://", "https://", "www.", "mailto:")) or ("@" in bare[1:] and "." in bare)


def _phrase(tokens: Sequence[str]) -> tuple[Kind | None, int]:
    """Return the kind of the longest phrase with which ``tokens`` begin, and its length in words."""
    found: tuple[Kind | None, int] = None, 0
    for known, kind in _phrases().get(tokens[0], ()) if tokens else ():
        if len(known) > found[1] and tuple(tokens[: len(known)]) == known:
            found = kind, len(known)
    if found[0] is None and ("unsubscribe" in tokens or "mailing list" in " ".join(tokens[:_MOST])):
        return Kind.FOOTER, 1
    return found


@cache
def words(name: Literal["courteous", "labels", "beside_labels"]) -> frozenset[str]:
    """Return a table of words: those that do not change an order, those that announce one, or words beside those."""
    return frozenset(_table()[name]) | (PLEASE if name == "courteous" else frozenset())


@cache
def _openings() -> frozenset[str]:
    kinds = (Kind.THANKS, Kind.CLOSING)
    return words("courteous") | {known[0] for phrases in _phrases().values() for known, kind in phrases if kind in kinds}


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], Kind]]]:
    """Return the phrases, each as its words and its kind, by their first words."""
    found: dict[str, list[tuple[tuple[str, ...], Kind]]] = {}
    for kind in Kind:
        for known in _table()[kind.name.lower()]:
            tokens = tuple(known.split(" "))
            found.setdefault(tokens[0], []).append((tokens, kind))
    return found


@cache
def _table() -> Mapping[str, list[str]]:
    """Return the phrases of `courtesy.toml` by kind; a text of plain orders does not need them."""
    import tomllib

    document = tomllib.loads(files("adjudicator").joinpath("orders", "courtesy.toml").read_text("utf-8"))
    phrases = {kind: text.casefold().replace("\n", ",").split(",") for kind, text in document.items()}
    return {kind: [one.strip() for one in found if one.strip()] for kind, found in phrases.items()}
