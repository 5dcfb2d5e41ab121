"""What was probably meant: small changes that make a line readable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.clean import TOKEN
from adjudicator.orders.courtesy_words import COURTEOUS, PLEASE
from adjudicator.orders.lalr_loop import UnreadableError
from adjudicator.orders.line_tables import END
from adjudicator.orders.near import Near, near_phrases, near_verbs, near_words, word_before
from adjudicator.orders.parse_failure import ParseFailure, parse_failure, verbs
from adjudicator.orders.parser import line_parser
from adjudicator.orders.vocabulary import is_misspelled, misspellings

_NUMBER: Final = re.compile(r"(?<!\w)[OolI]*[0-9][0-9OolI]*(?!\w)", re.ASCII)
_LOOKS_LIKE: Final = str.maketrans("OolI", "0011")
_LONG: Final = 6
"""Letters of a courtesy that is recognised also with a slip in it: “tack” may be meant for “back”."""
_MISSPELLED: Final = misspellings(word for word in COURTEOUS if len(word) >= _LONG)


def repairs(failure: ParseFailure) -> tuple[str, ...]:
    """Return the line as probably meant: a word spelled right, a keyword or brackets put in, a courtesy left out.

    Where one of these is not enough, the next slip of the line is mended as well, if a word is to be spelled right there.
    """
    replaced = list(_replaced(failure))
    added = chain((_with(failure, word, 0) for word in failure.expected.keywords), _bracketed(failure))
    mended = _readable(failure.rules, chain(replaced, added))
    others = _readable(failure.rules, _begun_before(failure))
    return _first(chain(mended, _mended_twice(failure, replaced), others))


def respelled(failure: ParseFailure) -> tuple[str, ...]:
    """Return the line with its verb spelled right, or that and another slip; where that does not help, an example for it."""
    near, examples = near_verbs(failure), verbs(failure.rules)
    lines = _with_verbs(failure, near)
    whole = tuple(_readable(failure.rules, lines)) or _first(_mended_twice(failure, lines))
    if whole or failure.word.casefold() in PLEASE:
        return whole
    return tuple(dict.fromkeys(examples[verb] for verb, _ in near))


def _first(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice(lines, 1))


def _begun_before(failure: ParseFailure) -> Iterator[str]:
    """Yield the line with several words put right of which the first was taken for a name, as in ``take spare prats``."""
    first = word_before(failure) if END in failure.expected.accepted else None
    if first is not None:
        yield from (_with(first, words, width) for words, width in near_phrases(first))


def _replaced(failure: ParseFailure) -> Iterator[str]:
    """Yield the line with something else for what cannot be read: nothing for courtesy or signs, digits, right words."""
    rest = TOKEN.findall(failure.line[failure.start :].casefold())
    if all(map(_is_courtesy, rest)):
        yield failure.before.strip()
    yield from _digits(failure)
    yield from (_with(failure, words, width) for words, width in (*near_words(failure), *near_phrases(failure)))


def _with_verbs(failure: ParseFailure, near: Iterable[Near]) -> list[str]:
    """Return the line with each verb that may be meant by what failed; first without the “please” that stands there."""
    examples = verbs(failure.rules)
    spelled = [_with(failure, examples[verb].split()[0], width) for verb, width in near]
    if failure.word.casefold() not in PLEASE:
        return spelled
    return [failure.line[: failure.start] + failure.line[failure.start + len(failure.word) :].lstrip(" ,"), *spelled]


def _mended_twice(failure: ParseFailure, lines: Iterable[str]) -> Iterator[str]:
    """Yield ``lines``, in which what failed is replaced, with the next slip mended as well where there is one."""
    left = len(failure.line) - failure.start - len(failure.word)
    for line in dict.fromkeys(lines):
        second = parse_failure(failure.rules, line)
        if second.is_at_end or len(line) - second.start > left:
            continue  # nothing is left to be mended, or what was put in is itself no better
        if second.is_unknown_order:
            yield from _readable(failure.rules, _with_verbs(second, near_verbs(second)))
        elif second.second_order() is None:
            yield from _readable(failure.rules, _replaced(second))


def _is_courtesy(word: str) -> bool:
    """Return whether ``word`` is one like “please” or “thanks”, or would be but for one letter."""
    return word in COURTEOUS or is_misspelled(word, _MISSPELLED)


def _with(failure: ParseFailure, word: str, width: int) -> str:
    """Return the line with ``word`` in place of ``width`` characters where reading failed."""
    before, after = failure.line[: failure.start], failure.line[failure.start + width :]
    if not width and not word[0].isalnum():
        before = before.rstrip()
    gap = " " if after[:1].isalnum() else ""
    return f"{before}{word}{gap}{after}".strip()


def _digits(failure: ParseFailure) -> list[str]:
    """Return the line with letters that look like digits taken for these, in the number that reading failed in or at."""
    for match in _NUMBER.finditer(failure.line):
        if match.start() <= failure.start < match.end():
            number = match.group().translate(_LOOKS_LIKE)
            return [f"{failure.line[: match.start()]}{number}{failure.line[match.end() :]}"] if number.isdecimal() else []
    return []


_BORDER: Final = re.compile(r"[()]|\b(?:if|then)\b", re.IGNORECASE | re.ASCII)


def _bracketed(failure: ParseFailure) -> list[str]:
    """Return the line with brackets around the condition in which an OR stands without them."""
    if failure.word.casefold() != "or":
        return []
    return [
        f"{failure.line[:start]}({failure.line[start:end]}){failure.line[end:]}".strip()
        for start, end in _conditions(failure.line)
        if start <= failure.start < end
    ][:1]


def _conditions(line: str) -> Iterator[tuple[int, int]]:
    """Yield where what stands between an IF and its THEN begins and ends, without blanks; not where brackets are in it."""
    begun = None
    for match in _BORDER.finditer(line):
        word = match.group().lower()
        if word == "if" and begun is None:
            begun = match.end()
        elif word != "if":
            if word == "then" and begun is not None and line[begun : match.start()].strip(" "):
                between = line[begun : match.start()]
                yield match.start() - len(between.lstrip(" ")), begun + len(between.rstrip(" "))
            begun = None


def _readable(rules: AnyRuleset, lines: Iterable[str]) -> Iterator[str]:
    """Yield those of ``lines`` that can be read, each once."""
    return (line for line in dict.fromkeys(lines) if is_readable(rules, line))


def is_readable(rules: AnyRuleset, line: str) -> bool:
    """Return whether the cleaned ``line`` is in the language of ``rules``."""
    try:
        line_parser(rules)(line)
    except UnreadableError:
        return False
    return True
