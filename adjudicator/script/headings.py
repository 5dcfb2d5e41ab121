"""Read and check the headings of a script: the lines before its first turn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from adjudicator.core.problem import Diagnostic, Problem
from adjudicator.core.values import Seat
from adjudicator.script.parts import HEADINGS, MOST_HEADINGS, ONCE, Item, Script
from adjudicator.script.quoting import BadQuoteError, unquote

_PAIR: Final = re.compile(r"[^=\s]+\s*=\s*\S.*")
_SECRET: Final = re.compile(r"[0-9A-Fa-f]{64}")
_VERSION: Final = re.compile("[1-9][0-9]{0,5}")
_PAIRS: Final = {"option": "map=upper", "entropy": "red=horse"}


def read_heading(script: Script, item: Item) -> Iterator[Diagnostic]:
    """Add the heading ``item`` to ``script``; yield its own problems."""
    if item.word not in HEADINGS:
        yield _unknown(script, item)
        return
    if len(script.headings) >= MOST_HEADINGS:
        if len(script.headings) == MOST_HEADINGS:
            message = f"a script may have {MOST_HEADINGS} headings; the program ignores this one and all that follow"
            yield item.diagnostic(script.source, "script/too-many-headings", message)
            script.headings.append(item)
        return
    earlier = script.one(item.word)
    script.headings.append(item)
    if item.word == "seat":
        script.seats += (Seat(item.value.partition("=")[0].strip().lower()),)
    if earlier is not None and item.word in ONCE:
        yield item.diagnostic(script.source, "script/twice", f"duplicate `{item.word}`: line {earlier.line} has one")
    elif not item.value and item.word != "recorded":
        yield item.diagnostic(script.source, "script/bad-value", f"write a value after `{item.word}`")
    elif item.word in _PAIRS and not _PAIR.fullmatch(item.value):
        message = f"write `{item.word}` like `{item.word} {_PAIRS[item.word]}`"
        yield item.diagnostic(script.source, "script/bad-value", message)
    elif item.word in ("seat", *_PAIRS) and not _is_well_quoted(item.value.partition("=")[2].strip()):
        message = "a text that begins with a quotation mark is a JSON string and must end with one, on the same line"
        yield item.diagnostic(script.source, "script/bad-value", message)
    elif item.word == "rules" and not _VERSION.fullmatch(item.value):
        message = "write the version of the rules as a number, as in `rules 1`"
        yield item.diagnostic(script.source, "script/bad-value", message)
    elif item.word == "promise" and not _SECRET.fullmatch(item.value):
        yield item.diagnostic(script.source, "script/bad-value", "a promise is a hash of 64 hexadecimal digits (0-9, a-f)")
    elif item.word == "seed" and not _SECRET.fullmatch(item.value):
        yield item.diagnostic(script.source, "script/bad-value", "a seed is 32 bytes as 64 hexadecimal digits (0-9, a-f)")
    elif item.word in _PAIRS:
        yield from _named_twice(script, item)


def validate_headings(script: Script) -> Iterator[Diagnostic]:
    """Yield the problems of all headings together: a missing one, two that exclude each other."""
    last = script.headings[-1] if script.headings else Item(1, "", "", "", 1)
    at = script.one("script") or last
    for word, example in (("script", "script checkpoint-rally"), ("id", "id rally-042"), ("seat", "seat red=Ann")):
        if not script.all(word):
            message = f"write `{word}` before the first turn, as in `{example}`"
            yield at.diagnostic(script.source, "script/missing", message)
    seed, recorded = script.one("seed"), script.one("recorded")
    if seed is not None and recorded is not None:
        message = "write `seed` or `recorded`, not both: outcomes follow from a secret, or are written down"
        yield max(seed, recorded, key=lambda item: item.line).diagnostic(script.source, "script/bad-value", message)
    elif seed is None and recorded is None:
        message = "the source of chance is missing: write `seed` with 64 hexadecimal digits, or `recorded`"
        yield at.diagnostic(script.source, "script/missing", message)
    elif recorded is not None:
        for item in (*script.all("entropy"), *script.all("promise")):
            message = "this game has recorded outcomes: words and a promise need a secret (`seed`)"
            yield item.diagnostic(script.source, "script/bad-value", message)


def _is_well_quoted(text: str) -> bool:
    try:
        unquote(text)
    except BadQuoteError:
        return False
    return True


def misplaced_line(script: Script, item: Item, why: str) -> Diagnostic:
    """Return the problem of a line in the wrong part of ``script``."""
    return item.diagnostic(script.source, "script/misplaced", why)


def _named_twice(script: Script, item: Item) -> Iterator[Diagnostic]:
    """Yield a problem if an option, or the word of a seat, is given twice."""
    name = item.value.partition("=")[0].strip()
    for other in script.all(item.word):
        if other is not item and other.value.partition("=")[0].strip() == name:
            message = f"duplicate `{item.word} {name}`: line {other.line} has one"
            yield item.diagnostic(script.source, "script/twice", message)
            return


def _unknown(script: Script, item: Item) -> Diagnostic:
    if not item.word or ":" in item.value[:1] or item.value.split(":")[0].lower() in script.seats:
        return misplaced_line(script, item, "orders belong under a turn: write `turn 1` before the first one")
    message = f"a line before the first turn begins with one of: {', '.join(HEADINGS)}"
    return item.located(script.source, Problem("script/unknown-word", message, near=tuple(HEADINGS), written=item.word))
