"""What was probably meant: small changes that make a line readable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Final

from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.lalr_loop import UnreadableError
from adjudicator.orders.line_tables import END
from adjudicator.orders.parse_failure import ParseFailure, verbs
from adjudicator.orders.parser import line_parser

_ALIKE: Final = 0.6
_MOST: Final = 2
_NUMBER: Final = re.compile(r"(?<!\w)[OolI]*[0-9][0-9OolI]*(?!\w)", re.ASCII)
_LOOKS_LIKE: Final = str.maketrans("OolI", "0011")


def repairs(failure: ParseFailure) -> tuple[str, ...]:
    """Return the line as probably meant: a word spelled right, a keyword or brackets put in, a needless rest left out."""
    near = _alike(failure.word.casefold(), failure.expected.spellings)[:1]
    tried = _digits(failure)
    tried += [_with(failure, word, len(failure.word)) for word in near]
    tried += [_with(failure, words, width) for words, width in _phrases(failure)]
    tried += [_with(failure, word, 0) for word in failure.expected.keywords]
    tried += _bracketed(failure)
    rest = failure.line[failure.start :].casefold()
    # Words like “please” may go; a number means something, and leaving it out would change the order.
    is_needless = not any(verb in rest for verb in verbs(failure.rules)) and not any(map(str.isdigit, rest))
    if END in failure.expected.accepted and is_needless:
        tried.append(failure.before.strip())
    return tuple(islice(_readable(failure.rules, tried), 1))


def respelled(failure: ParseFailure) -> tuple[str, ...]:
    """Return the line with its verb spelled right, or where that does not help, an example for it."""
    examples = verbs(failure.rules)
    written = failure.word.casefold()
    # Of two that are as near, letters in another order are the likelier slip.
    near = sorted(_alike(written, tuple(examples)), key=lambda verb: sorted(verb) != sorted(written))
    whole = tuple(_readable(failure.rules, [_with(failure, examples[verb].split()[0], len(failure.word)) for verb in near]))
    return whole or tuple(examples[verb] for verb in near)


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


def _phrases(failure: ParseFailure) -> Iterator[tuple[str, int]]:
    """Yield what is spelled in several words, with how many characters there are as many words much like it."""
    rest = failure.line[failure.start :]
    for phrase in failure.expected.spellings:
        written = re.match(r"[^ ]+" + r" +[^ ]+" * phrase.count(" "), rest) if " " in phrase else None
        if written and _alike(written.group().casefold(), (phrase,)):
            yield phrase, written.end()


@lru_cache(1_024)
def _alike(written: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the few of ``words`` that look most like the word ``written``, which is in lower case."""
    spelled = {word.casefold(): word for word in reversed(words)}
    return tuple(spelled[word] for word in get_close_matches(written, spelled, _MOST, _ALIKE))


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
