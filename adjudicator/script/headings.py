"""The lines of a script before its first turn: what they may say, and what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from adjudicator.core.ids import Seat
from adjudicator.core.problem import Diagnostic
from adjudicator.core.suggestions import suggest
from adjudicator.script.parts import HEADINGS, MOST_HEADINGS, ONCE, Item, Script
from adjudicator.script.quoting import BadQuoteError, unquoted

_PAIR: Final = re.compile(r"[^=\s]+\s*=\s*\S.*")
_SECRET: Final = re.compile(r"[0-9A-Fa-f]{64}")
_VERSION: Final = re.compile("[1-9][0-9]{0,5}")
_PAIRS: Final = {"option": "map=upper", "entropy": "red=horse"}


def read_heading(script: Script, item: Item) -> Iterator[Diagnostic]:
    """Add the heading ``item`` to ``script``; yield what is wrong with it by itself."""
    if item.word not in HEADINGS:
        yield _unknown(script, item)
        return
    if len(script.headings) >= MOST_HEADINGS:
        if len(script.headings) == MOST_HEADINGS:
            message = f"before the first turn there may be {MOST_HEADINGS} lines; those that follow are not looked at"
            yield item.diagnostic(script.source, "script/too-many-headings", message)
            script.headings.append(item)
        return
    earlier = script.one(item.word)
    script.headings.append(item)
    if item.word == "seat":
        script.seats += (Seat(item.value.partition("=")[0].strip().lower()),)
    if earlier is not None and item.word in ONCE:
        yield item.diagnostic(script.source, "script/twice", f"`{item.word}` stands on line {earlier.line} already")
    elif not item.value and item.word != "recorded":
        yield item.diagnostic(script.source, "script/bad-value", f"something must follow `{item.word}`")
    elif item.word in _PAIRS and not _PAIR.fullmatch(item.value):
        message = f"`{item.word}` is written like `{item.word} {_PAIRS[item.word]}`"
        yield item.diagnostic(script.source, "script/bad-value", message)
    elif item.word in ("seat", *_PAIRS) and not _is_well_quoted(item.value.partition("=")[2].strip()):
        message = "what begins with a quotation mark is a text as in JSON: it ends with one, on the same line"
        yield item.diagnostic(script.source, "script/bad-value", message)
    elif item.word == "rules" and not _VERSION.fullmatch(item.value):
        message = "`rules` names the version of the rules by its number, as in `rules 1`"
        yield item.diagnostic(script.source, "script/bad-value", message)
    elif item.word == "promise" and not _SECRET.fullmatch(item.value):
        yield item.diagnostic(script.source, "script/bad-value", "a promise is a hash of 64 hexadecimal digits (0-9, a-f)")
    elif item.word == "seed" and not _SECRET.fullmatch(item.value):
        yield item.diagnostic(script.source, "script/bad-value", "a seed is 32 bytes as 64 hexadecimal digits (0-9, a-f)")
    elif item.word in _PAIRS:
        yield from _named_twice(script, item)


def validate_headings(script: Script) -> Iterator[Diagnostic]:
    """Yield what is wrong with the headings of ``script`` together: what is missing, what excludes each other."""
    last = script.headings[-1] if script.headings else Item(1, "", "", "", 1)
    at = script.one("script") or last
    for word, example in (("script", "script checkpoint-rally"), ("id", "id rally-042"), ("seat", "seat red=Ann")):
        if not script.all(word):
            message = f"a script must say `{word}` before its first turn, as in `{example}`"
            yield at.diagnostic(script.source, "script/missing", message)
    seed, recorded = script.one("seed"), script.one("recorded")
    if seed is not None and recorded is not None:
        message = "`seed` and `recorded` exclude each other: chance is derived, or written down"
        yield max(seed, recorded, key=lambda item: item.line).diagnostic(script.source, "script/bad-value", message)
    elif seed is None and recorded is None:
        message = "a script must say where its chance comes from: `seed` with 64 hexadecimal digits, or `recorded`"
        yield at.diagnostic(script.source, "script/missing", message)
    elif recorded is not None:
        for item in (*script.all("entropy"), *script.all("promise")):
            message = "words and their promise belong to draws that are derived, and in this game they are recorded"
            yield item.diagnostic(script.source, "script/bad-value", message)


def _is_well_quoted(text: str) -> bool:
    try:
        unquoted(text)
    except BadQuoteError:
        return False
    return True


def misplaced(script: Script, item: Item, why: str) -> Diagnostic:
    """Return the problem with a line that stands in the wrong part of ``script``."""
    return item.diagnostic(script.source, "script/misplaced", why)


def _named_twice(script: Script, item: Item) -> Iterator[Diagnostic]:
    """Yield that an option, or the entropy of a seat, is given twice."""
    name = item.value.partition("=")[0].strip()
    for other in script.all(item.word):
        if other is not item and other.value.partition("=")[0].strip() == name:
            message = f"`{item.word} {name}` stands on line {other.line} already"
            yield item.diagnostic(script.source, "script/twice", message)
            return


def _unknown(script: Script, item: Item) -> Diagnostic:
    if not item.word or ":" in item.value[:1] or item.value.split(":")[0].lower() in script.seats:
        return misplaced(script, item, "orders stand under their turn: the first one begins with `turn 1`")
    message = f"before the first turn a line begins with one of: {', '.join(HEADINGS)}"
    return item.diagnostic(script.source, "script/unknown-word", message, suggest(item.word, HEADINGS))
