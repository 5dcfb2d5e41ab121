"""Write counts, lists and sentences, in the same way in every game, and measure, cut, pad and wrap text in terminal columns.

``wcwidth`` knows the widths. It takes a tenth of the time of a command to load, so common texts do without it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, get_args, get_origin

from adjudicator.core.values import Value, hints_of
from adjudicator.core.visibility import bare_type, note_in


def count(number: int, one: str, many: str = "") -> str:
    """Return ``number`` with its noun: ``1 space``, ``2 spaces``; ``many`` is the plural if it is not ``one`` with an s."""
    return f"{number} {one if abs(number) == 1 else many or one + 's'}"


_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ordinal(place: int) -> str:
    """Return the ordinal of ``place`` (from 1): ``first``. Raises ``IndexError`` beyond ``tenth``."""
    return _ORDINALS[place - 1]


def listed(words: Iterable[object], last: str = "and") -> str:
    """Return ``words`` as a list in a sentence: ``red, blue and green``; ``last`` joins the last two."""
    found = [str(word) for word in words]
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


PLEASE: Final = frozenset(
    {"please", "pls", "plz", "bitte", "svp", "favor", "favore", "alsjeblieft"}
    | {"proszę", "prosze", "snälla", "prosím", "prosim", "пожалуйста"}
)
"""Words for “please” in the languages in which players write."""


class Said(Value):
    """The wording of a value in sentences, noted in its type: ``Annotated[Gear, Said(lambda _config, gear: NAMES[gear])]``.

    ``words`` takes the configuration and the value, or each value if the type is inside that of a tuple. Define such a type
    at the top of a module: an annotation in the body of a class does not see the module's names.

    On a secret field of the state it defines how a report shows that secret to its owner: under ``title`` (empty: the name
    of the field), in ``words`` (empty: not at all, since the board shows it or it means nothing to a player).
    """

    words: Callable[[Any, Any], str]
    title: str = ""


def sentence(pattern: str, config: Any, thing: Any) -> str:
    """Return ``pattern`` with its names in braces replaced by those fields and properties of ``thing``, in their wording.

    A tuple becomes a list (``red and blue``). ``{spaces:space}`` is a number, or the length of a tuple, with its noun.
    ``{place:th}`` is an ordinal (``first``), ``{tile.colour}`` an attribute of the value.
    """
    kind: type = type(thing)
    known = words_of(kind)

    def spelled(match: re.Match[str]) -> str:
        (name, *inner), noun = match[1].split("."), match[2] or ""
        value, words = getattr(thing, name), known.get(name)
        if words is not None and value is not None:
            value = words(config, value)
        for attribute in inner:
            value = getattr(value, attribute)
        if isinstance(value, tuple):
            return count(len(value), noun) if noun else listed(value)
        if type(value) is int and noun:
            return ordinal(value) if noun == "th" else count(value, noun)
        return format(value, noun)

    return _NAME.sub(spelled, pattern)


_NAME: Final = re.compile(r"\{([\w.]+)(?::([^}]*))?\}")


@cache
def words_of(kind: type) -> dict[str, Callable[[Any, Any], Any]]:
    """Return the wording of those fields of ``kind`` that have one."""
    found = {name: wording(hint) for name, hint in hints_of(kind).items()}
    return {name: words for name, words in found.items() if words is not None}


def wording(hint: Any, *, is_of_one: bool = False) -> Callable[[Any, Any], Any] | None:
    """Return the wording of a field of type ``hint``, or of one thing in it: a ``Said`` on the type, or inside it."""
    own, bare = note_in(hint, Said), bare_type(hint)
    if own is not None:
        return own.words
    words = next(filter(None, (wording(inner, is_of_one=is_of_one) for inner in get_args(bare))), None)
    if words is not None and get_origin(bare) is tuple and not is_of_one:
        return lambda config, values: tuple(words(config, value) for value in values)
    return words


def spelled_word(word: str) -> str:
    """Return ``word``, followed by the code points of its characters that are not ASCII.

    Letters of several alphabets look alike, and a different letter deals a different game.
    """
    odd = " ".join(f"U+{ord(sign):04X}" for sign in word if not sign.isascii())
    return f"{word} ({odd})" if odd else word


_NARROW: Final = re.compile("[ -~¡-¬®-˿‐-‧‰-⁞←-⇿∀-⋿─-◼✓]*")
"""Text of characters that take one column each: Latin letters, punctuation, arrows, mathematics and lines."""


_WORDS: Final = re.compile("( *)([^ ]+)")
_LONG: Final = 200
"""From so many characters on, a text is measured grapheme by grapheme: ``wcwidth`` looks back over all flags in a row."""
LONGEST_QUOTE: Final = 200
"""How many characters of a text are quoted."""


def quoted(text: str, fault: int = 0) -> str:
    """Return a ``text`` that somebody sent; of a long one only the part up to and soon after ``fault``, and its length."""
    most = fault + LONGEST_QUOTE
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def display_width(text: str) -> int:
    """Return the width of ``text`` in columns: 2 for a wide character, 0 for a combining one."""
    if text.isascii() or _NARROW.fullmatch(text):
        return len(text)
    from wcwidth import iter_graphemes, width

    if len(text) > _LONG:
        return sum(width(one[:_LONG], control_codes="ignore") for one in iter_graphemes(text))
    return width(text, control_codes="ignore")


def graphemes(text: str) -> Iterable[str]:
    """Return the characters of ``text`` as readers count them: a letter with its marks is one of them."""
    if text.isascii() or _NARROW.fullmatch(text):
        return text
    from wcwidth import iter_graphemes

    return iter_graphemes(text)


def columns(text: str, start: int, end: int, filling: str = "") -> str:
    """Return the columns of ``text`` from ``start`` to ``end`` (excluded), ``filling`` in place of halves of wide ones."""
    if text.isascii() or _NARROW.fullmatch(text):
        return text[start:end]
    from wcwidth import clip

    return clip(text, start, end, fillchar=filling, control_codes="ignore")


def clip(text: str, width: int) -> str:
    """Return ``text`` if it fits into ``width`` columns (at least 1), else its beginning and ``…``."""
    return text if display_width(text) <= width else columns(text, 0, width - 1) + "…"


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return ``text`` padded with spaces to ``width`` columns, at its end, or with ``right`` at its beginning."""
    filling = " " * (width - display_width(text))
    return filling + text if right else text + filling


def wrapped(text: str, width: int, first: str = "", indent: str = "", *, is_hard: bool = False) -> list[str]:
    """Return the words of ``text`` in one or more lines of at most ``width`` columns.

    The first line begins with ``first``, the others with ``indent``. A word longer than a line has a separate line, which is
    too long, or with ``is_hard`` is cut.
    """
    if display_width(first) + display_width(text) <= width:
        return [first + text]
    lines, line, used, is_begun = list[str](), first, display_width(first), False
    for gap, word in _WORDS.findall(text):
        size = display_width(word)
        if (is_begun or not lines) and used + len(gap) + size <= width:
            line, used, is_begun = f"{line}{gap}{word}", used + len(gap) + size, True
            continue
        if is_begun:
            lines.append(line.rstrip())
        line = f"{indent if lines else first}{word}"
        used, is_begun = display_width(line), True
        if is_hard and used > width:
            lines += _pieces(line, width)
            is_begun = False
    return [*lines, line.rstrip()] if is_begun else lines


def _pieces(text: str, width: int) -> list[str]:
    """Return ``text`` in pieces of at most ``width`` columns; a character that is wider is a piece of its own."""
    pieces, piece, used = list[str](), list[str](), 0
    for one in graphemes(text):
        size = display_width(one)
        if piece and used + size > width:
            pieces.append("".join(piece))
            piece, used = [], 0
        piece.append(one)
        used += size
    return [*pieces, "".join(piece)]
