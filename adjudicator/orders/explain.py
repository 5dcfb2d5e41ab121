"""Explain why a line cannot be read: the wrong word, the words that fit there, the line that was probably meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final

from adjudicator.core.phrases import PLEASE
from adjudicator.core.problem import Problem
from adjudicator.core.values import replace
from adjudicator.orders.clean import MOST_COLUMNS, MOST_DEPTH, TOKEN
from adjudicator.orders.courtesy import words as courtesy
from adjudicator.orders.grammar import WORD_OR_SIGN, Failure, Grammar
from adjudicator.orders.likeness import near
from adjudicator.orders.problems import UNEXPLAINED, LineProblem, at_whole

_MOST_SHOWN: Final = 40
MOST_DIGITS: Final = 6
"""The most digits of a number, as in the grammar."""
_REMEMBERED: Final = 2_048
"""The most explained lines in the cache."""
_LONG: Final = 5
"""The fewest letters of a misspelled courtesy that is recognized: “tack” may mean “back”."""
_NUMBER: Final = re.compile(r"(?<!\w)[OolI]*[0-9][0-9OolI]*(?!\w)", re.ASCII)
_DEGREES: Final = re.compile(r"(?<=0)[oO](?!\w)")
"""A letter for the sign of degrees: ``90o``."""
_ENDING: Final = 3
"""The most letters of the ending of a verb: “keeping”."""
_LOOKS_LIKE: Final = str.maketrans("OolI", "0011")
_BORDER: Final = re.compile(r"[()]|\b(?:if|then)\b", re.IGNORECASE | re.ASCII)


def explain(grammar: Grammar, line: str, consequence: str = "") -> LineProblem:
    """Return why ``grammar`` cannot read the cleaned ``line``, with a ``consequence`` at the end of the message.

    Codes: ``orders/unknown-order``, ``orders/unexpected``, ``orders/two-orders``, ``orders/incomplete``,
    ``orders/line-too-long``, ``orders/too-deep``.
    """
    found = _explained(grammar, line)
    return replace(found, problem=replace(found.problem, message=found.problem.message + consequence))


@lru_cache(_REMEMBERED)  # the same line may be in a hundred mails
def _explained(grammar: Grammar, line: str) -> LineProblem:
    if len(line) > MOST_COLUMNS:
        message = f"the line has {len(line):,} characters; an order may have at most {MOST_COLUMNS:,}"
        return LineProblem(Problem("orders/line-too-long", message), MOST_COLUMNS + 1, len(line) - MOST_COLUMNS)
    if grammar.parse(line) is not None:  # it can be read, but not where it stands
        return UNEXPLAINED
    if grammar.depth(line) > MOST_DEPTH:
        message = f"more than {MOST_DEPTH} levels of brackets and conditions on one line"
        return at_whole(line, Problem("orders/too-deep", message))
    failure = grammar.failure(line)
    start, word, rule = failure.start, failure.word, failure.rule
    if failure.is_at_end:
        message = f"the line ends too early: {_wanted(failure)}"
        return LineProblem(Problem("orders/incomplete", message, rule), len(line.rstrip()) + 1)
    if failure.is_unknown_order:
        orders = ", ".join(dict.fromkeys(example.split()[0] for example in grammar.rules.language.examples))
        message = f"{_quoted(word)} is not an order; orders are: {orders}{_foreign(word)}"
        problem = Problem("orders/unknown-order", message, near=suggestions(grammar, failure))
        return LineProblem(problem, start + 1, max(1, len(word)))
    second = grammar.second_order(line)
    if second is not None:
        word = WORD_OR_SIGN.findall(line, second)[0]
        message = f"“{word}” begins a second order: write each order on its own line"
        return LineProblem(Problem("orders/two-orders", message), second + 1, len(word))
    if word.isdecimal() and len(word) > MOST_DIGITS:
        message = f"{_quoted(word)} is too large: a number has at most {MOST_DIGITS} digits"
    else:
        message = f"{_quoted(word)} does not fit here: {_wanted(failure)}{_foreign(word)}"
        if word.casefold() == "or" and "THEN" in failure.spellings:
            message += "; put brackets around conditions with OR between them"
    problem = Problem("orders/unexpected", message, rule, near=suggestions(grammar, failure))
    return LineProblem(problem, start + 1, max(1, len(word)))


def _wanted(failure: Failure) -> str:
    if not failure.words:
        return "nothing more is expected"
    *others, last = failure.words
    return f"expected {', '.join(others)} or {last}" if others else f"expected {last}"


def _quoted(word: str) -> str:
    return f"“{word if len(word) <= _MOST_SHOWN else word[: _MOST_SHOWN - 1] + '…'}”"


def _foreign(word: str) -> str:
    """Return a remark about a letter that only looks like one of A to Z, such as “С” from a Cyrillic keyboard."""
    letter = next((letter for letter in word if letter.isalpha() and not letter.isascii()), "")
    return f" (“{letter}” is not one of the letters A to Z)" if letter else ""


def suggestions(grammar: Grammar, failure: Failure) -> tuple[str, ...]:
    """Return the probable line, which can be read; for a misspelled verb that is not enough, examples of its orders."""
    meant = tuple(islice(meant_by(grammar, failure.line), 1))
    if meant or not failure.is_unknown_order or failure.word.casefold() in PLEASE:
        return meant
    examples = grammar.verbs
    return tuple(dict.fromkeys(examples[verb] for verb in near(failure.word.casefold(), examples)))


def meant_by(grammar: Grammar, line: str) -> Iterator[str]:
    """Yield the lines that may be meant and can be read, the most probable first.

    A word is corrected, a keyword or brackets are added, or a courtesy is left out. If one change is not enough, the next
    misspelled word is corrected, too.
    """
    failure = grammar.failure(line)
    replaced = dict(_replaced(grammar, failure))
    yield from _readable(grammar, chain(replaced, _completed(failure)))
    for begun, left in replaced.items():
        second = grammar.failure(begun)
        if not second.is_at_end and len(begun) - second.start <= left and grammar.second_order(begun) is None:
            yield from _readable(grammar, dict(_replaced(grammar, second)))
    before = re.search(r"\w+ *$", failure.before) if failure.may_end else None
    if before is not None:  # the first word of a phrase may have been read as a name: `take spare prats`
        phrases = [phrase for phrase in grammar.failure(line[: before.start()]).spellings if " " in phrase]
        yield from _readable(
            grammar, (_with(line, before.start(), *meant) for meant in _alike(line[before.start() :], phrases))
        )


def _replaced(grammar: Grammar, failure: Failure) -> Iterator[tuple[str, int]]:
    """Yield the line with the part corrected that cannot be read, and how many characters of it are left after that.

    Courtesy is left out; digits or words are corrected.
    """
    line, start, word = failure.line, failure.start, failure.word.casefold()
    rest = line[start:]
    if all(map(_is_courtesy, TOKEN.findall(rest.casefold()))):
        yield failure.before.strip(), 0
    if failure.is_unknown_order and word in PLEASE:
        yield line[:start] + rest[len(word) :].lstrip(" ,"), len(rest) - len(word)
    if _DEGREES.match(line, start) and "°" in failure.spellings:
        yield _with(line, start, "", 1), len(rest) - 1
    for number in _NUMBER.finditer(line):
        if number.start() <= start < number.end() and number[0].translate(_LOOKS_LIKE).isdecimal():
            after = line[number.end() :]
            yield f"{line[: number.start()]}{number[0].translate(_LOOKS_LIKE)}{after}", len(after)
    examples = grammar.verbs if failure.is_unknown_order else {}
    endings = [(verb, len(word)) for verb in examples if 0 < len(word) - len(verb) <= _ENDING and word.startswith(verb)]
    for phrases in filter(None, (tuple(examples), failure.spellings)):
        for phrase, width in (*_glued(grammar, failure, phrases), *_alike(rest, phrases), *endings):
            spelled = examples[phrase].split()[0] if phrase in examples else phrase
            yield _with(line, start, spelled, width), len(rest) - width


def _alike(rest: str, phrases: Collection[str]) -> list[tuple[str, int]]:
    """Return those ``phrases`` that may be meant at the beginning of ``rest``, each with how many characters it replaces."""
    words = list(islice(re.finditer(r"[^\W_]+", rest), 4))
    if not words or words[0].start():
        return []
    found, spelled = [], _letters(tuple(phrases))
    for count in range(len(words), 0, -1):
        written = "".join(word[0] for word in words[:count]).casefold()
        fitting = [letters for letters, (_, length) in spelled.items() if length >= count]
        found += [(spelled[letters][0], words[count - 1].end()) for letters in near(written, fitting)]
    return found


@lru_cache(256)
def _letters(phrases: tuple[str, ...]) -> dict[str, tuple[str, int]]:
    """Return each of ``phrases`` and its number of words, by its letters and digits."""
    tokens = {phrase: TOKEN.findall(phrase.casefold()) for phrase in reversed(phrases)}
    return {"".join(words): (phrase, len(words)) for phrase, words in tokens.items()}


def _glued(grammar: Grammar, failure: Failure, phrases: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield those ``phrases`` with which the failed word begins if a blank is missing after them, with their length.

    The rest must have a digit, as in ``gear1`` and ``placeH3``, or be a word that fits there, as in ``braketo``; otherwise
    it may be an ending.
    """
    written, begun = failure.word.casefold(), failure.line[: failure.start]
    spelled = {phrase.casefold(): phrase for phrase in reversed(phrases)}
    digit = next((at for at, letter in enumerate(written) if letter.isdigit()), 0)
    for end in range(digit, max(1, digit - 2), -1):
        yield from ((spelled[phrase], end) for phrase in near(written[:end], spelled))
    for end in range(len(written) - 2, 2, -1) if not digit else ():
        for phrase in near(written[:end], spelled):
            expected = grammar.failure(f"{begun}{phrase}").spellings
            fitting = {word for one in expected for word in (one.casefold(), one.casefold().split(" ")[0])}
            if written[end:] in fitting or (phrase == written[:end] and near(written[end:], fitting)):
                yield spelled[phrase], end


def _completed(failure: Failure) -> Iterator[str]:
    """Yield the line with a missing keyword, or with brackets around the condition that has an OR without them."""
    line, start = failure.line, failure.start
    if not failure.is_unknown_order:
        yield from (_with(line, start, word, 0) for word in failure.keywords)
    begun = None
    for border in _BORDER.finditer(line) if failure.word.casefold() == "or" else ():
        word = border[0].lower()
        if begun is not None and word == "then" and begun <= start < border.start():
            between = line[begun : border.start()]
            first, last = border.start() - len(between.lstrip(" ")), begun + len(between.rstrip(" "))
            yield f"{line[:first]}({line[first:last]}){line[last:]}".strip()
        begun = (border.end() if begun is None else begun) if word == "if" else None


def _is_courtesy(word: str) -> bool:
    """Return whether ``word`` is a courtesy like “please” or “thanks”, perhaps misspelled."""
    known = courtesy("courteous")
    return word in known or bool(near(word, (one for one in known if len(one) >= _LONG)))


def _with(line: str, start: int, word: str, width: int) -> str:
    """Return the ``line`` with ``word`` instead of ``width`` characters from ``start``."""
    before, after = line[:start], line[start + width :]
    if not width and not word[0].isalnum():
        before = before.rstrip()
    gap = " " if word and after[:1].isalnum() else ""
    return f"{before}{word}{gap}{after}".strip()


def _readable(grammar: Grammar, lines: Iterable[str]) -> Iterator[str]:
    """Yield those of ``lines`` that can be read, each once."""
    return (line for line in dict.fromkeys(lines) if grammar.parse(line) is not None)
