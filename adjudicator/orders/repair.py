"""What was probably meant: small changes that make a line readable."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from lark.exceptions import LarkError

from adjudicator.orders.expected import END
from adjudicator.orders.grammar import AnyRuleset, line_parser
from adjudicator.orders.stop import Stop, verbs

_ALIKE: Final = 0.6
_MOST: Final = 2


def repairs(stop: Stop) -> tuple[str, ...]:
    """Return the line as probably meant: a word spelled right, a keyword or brackets put in, a needless rest left out."""
    near = get_close_matches(stop.word.casefold(), {word.casefold(): word for word in stop.expected.spellings}, 1, _ALIKE)
    tried = [_with(stop, _as_spelled(word, stop.expected.spellings), len(stop.word)) for word in near]
    tried += [_with(stop, word, 0) for word in stop.expected.keywords]
    tried += _bracketed(stop)
    rest = stop.line[stop.start :].casefold()
    # Words like “please” may go; a number means something, and leaving it out would change the order.
    is_needless = not any(verb in rest for verb in verbs(stop.rules)) and not any(map(str.isdigit, rest))
    if END in stop.expected.accepted and is_needless:
        tried.append(stop.before.strip())
    return _readable(stop.rules, tried)[:1]


def respelled(stop: Stop) -> tuple[str, ...]:
    """Return the line with its verb spelled right, or where that does not help, an example for it."""
    examples = verbs(stop.rules)
    near = get_close_matches(stop.word.casefold(), examples, _MOST, _ALIKE)
    whole = _readable(stop.rules, [_with(stop, examples[verb].split()[0], len(stop.word)) for verb in near])
    return whole or tuple(examples[verb] for verb in near)


def _with(stop: Stop, word: str, width: int) -> str:
    """Return the line with ``word`` in place of ``width`` characters at the stop."""
    before, after = stop.line[: stop.start], stop.line[stop.start + width :]
    if not width and not word[0].isalnum():
        before = before.rstrip()
    gap = " " if after[:1].isalnum() else ""
    return f"{before}{word}{gap}{after}".strip()


def _as_spelled(word: str, spellings: Iterable[str]) -> str:
    return next(spelling for spelling in spellings if spelling.casefold() == word)


_CONDITION: Final = re.compile(r"\bif +(?P<condition>[^()]+?) +then\b", re.IGNORECASE)


def _bracketed(stop: Stop) -> list[str]:
    """Return the line with brackets around the condition in which an OR stands without them."""
    if stop.word.casefold() != "or":
        return []
    for match in _CONDITION.finditer(stop.line):
        start, end = match.span("condition")
        if start <= stop.start < end:
            return [f"{stop.line[:start]}({stop.line[start:end]}){stop.line[end:]}".strip()]
    return []


def _readable(rules: AnyRuleset, lines: Iterable[str]) -> tuple[str, ...]:
    """Return those of ``lines`` that can be read, each once."""
    return tuple(line for line in dict.fromkeys(lines) if is_readable(rules, line))


def is_readable(rules: AnyRuleset, line: str) -> bool:
    """Return whether the cleaned ``line`` is in the language of ``rules``."""
    try:
        line_parser(rules)(line)
    except LarkError:
        return False
    return True
