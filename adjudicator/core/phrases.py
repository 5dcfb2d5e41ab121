"""Write counts, lists and sentences, in the same way in every game."""

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
