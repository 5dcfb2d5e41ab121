"""Explain why a line cannot be read: the wrong word, the words that fit there, the line that was probably meant."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, islice
from typing import Any, Final

from adjudicator.core.conditions import Both, Compare, Comparison, CostOf, Either, Not
from adjudicator.core.order import FirstOf, When
from adjudicator.core.phrases import PLEASE
from adjudicator.core.problem import Problem
from adjudicator.core.values import replace
from adjudicator.orders.build import OrderLine
from adjudicator.orders.clean import MOST_COLUMNS, MOST_DEPTH, TOKEN, plain
from adjudicator.orders.courtesy import words as courtesy
from adjudicator.orders.grammar import WORD_OR_SIGN, Failure, Grammar
from adjudicator.orders.likeness import fitting_words, near
from adjudicator.orders.problems import UNEXPLAINED, LineProblem, at_whole

_MOST_SHOWN: Final = 40
MOST_DIGITS: Final = 6
"""The most digits of a number, as in the grammar."""
_REMEMBERED: Final = 2_048  # the most explained lines in the cache
_LONG: Final = 5  # the fewest letters of a misspelled courtesy that is recognized: “tack” may mean “back”
_NUMBER: Final = re.compile(r"(?<!\w)[OolI]*[0-9][0-9OolI]*(?!\w)", re.ASCII)
_DEGREES: Final = re.compile(r"(?<=0)[oO](?!\w)")  # a letter for the sign of degrees: ``90o``
_MOST_WORDS: Final = 4  # the most words of a phrase
_ENDING: Final = 3  # the most letters of the ending of a verb: “keeping”
_LOOKS_LIKE: Final = str.maketrans("OolI", "0011")
_LATIN: Final = str.maketrans("αβεζηικμνορτυχавекмнорстух", "abezhikmnoptyxabekmhopctyx")
"""Greek and Cyrillic letters whose capitals look like Latin ones."""
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
    parsed = grammar.parse(line)
    if parsed is not None and not isinstance(parsed, OrderLine):  # it can be read, but not where it stands
        return UNEXPLAINED
    if parsed is not None:  # in the place of an order, and no word after its verb names anything
        verb = WORD_OR_SIGN.search(line)
        message = f"this may be a remark: if it is an order, write {verb[0].upper() if verb else ''} in capitals"
        return at_whole(line, Problem("orders/unreadable", message))
    if grammar.depth(line) > MOST_DEPTH:
        message = f"more than {MOST_DEPTH} levels of brackets and conditions on one line"
        return at_whole(line, Problem("orders/too-deep", message))
    failure = grammar.failure(line)
    start, word, rule = failure.start, failure.word, failure.rule
    *others, last = failure.words or ("",)
    wanted = f"expected {', '.join(others)}{' or ' * bool(others)}{last}" if last else "nothing more is expected"
    shown = f"“{word if len(word) <= _MOST_SHOWN else word[: _MOST_SHOWN - 1] + '…'}”"
    letter = next((letter for letter in word if letter.isalpha() and not letter.isascii()), "")  # of another alphabet
    foreign = f" (“{letter}” is not one of the letters A to Z)" if letter else ""
    if failure.is_at_end:
        message = f"the line ends too early: {wanted}"
        return LineProblem(Problem("orders/incomplete", message, rule), len(line.rstrip()) + 1)
    if failure.is_unknown_order:
        orders = ", ".join(dict.fromkeys(example.split()[0] for example in grammar.rules.language.examples))
        message = f"{shown} is not an order; orders are: {orders}{foreign}"
        problem = Problem("orders/unknown-order", message, near=suggestions(grammar, failure))
        return LineProblem(problem, start + 1, max(1, len(word)))
    second = grammar.second_order(line)
    if second is not None:
        word = WORD_OR_SIGN.findall(line, second)[0]
        message = f"“{word}” begins a second order: write each order on its own line"
        return LineProblem(Problem("orders/two-orders", message), second + 1, len(word))
    if word.isdecimal() and len(word) > MOST_DIGITS:
        message = f"{shown} is too large: a number has at most {MOST_DIGITS} digits"
    else:
        message = f"{shown} does not fit here: {wanted}{foreign}"
        if word.casefold() == "or" and "THEN" in failure.spellings:
            message += "; put brackets around conditions with OR between them"
    problem = Problem("orders/unexpected", message, rule, near=suggestions(grammar, failure))
    return LineProblem(problem, start + 1, max(1, len(word)))


def suggestions(grammar: Grammar, failure: Failure) -> tuple[str, ...]:
    """Return the probable line, which can be read; for a misspelled verb that is not enough, examples of its orders.

    If only one verb makes an order of a line without a verb, it is probable.
    """
    facts, added = grammar.rules.facts, {*_completed(failure)}
    lines = (
        line for line in meant_by(grammar, failure.line) if line not in added or _asks_for_facts(facts, grammar.parse(line))
    )
    meant = tuple(islice(lines, 1))
    if meant or not failure.is_unknown_order:
        return meant
    examples, rest, word = grammar.verbs, failure.line[failure.start :], failure.word.casefold()
    bare = rest[len(word) :].lstrip(" ,") if word in PLEASE else rest
    if any(map(str.isdigit, bare.partition(" ")[0])):
        verbs = dict.fromkeys(example.split()[0] for example in examples.values())
        lines = (_with(failure.line, failure.start, f"{verb} {bare}", len(rest)) for verb in verbs)
        found = tuple(_readable(grammar, lines))
        if len(found) == 1:
            return found
    return tuple(dict.fromkeys(examples[verb] for verb in near(word, examples) if word not in PLEASE))


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
        alike = _alike(line[before.start() :], phrases)
        yield from _readable(grammar, (_with(line, before.start(), *meant) for meant in alike))


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
    phrases = tuple(dict.fromkeys((*examples, *failure.spellings)))
    found = (*_glued(grammar, failure, phrases), *_alike(rest, phrases), *endings)
    for phrase, width in sorted(found, key=lambda one: one[0] not in examples):
        spelled = examples[phrase].split()[0] if phrase in examples else phrase
        yield _with(line, start, spelled, width), len(rest) - width


def _alike(rest: str, phrases: Iterable[str]) -> list[tuple[str, int]]:
    """Return those ``phrases`` that may be meant at the beginning of ``rest``, each with how many characters it replaces."""
    words = list(islice(TOKEN.finditer(rest), _MOST_WORDS))
    if not words or words[0].start():
        return []
    found = []
    for least, spelled in _letters(tuple(phrases)).items():
        if least <= len(words):
            written = "".join(word[0] for word in words[:least]).casefold()
            meant = near(written, spelled) or (
                near(plain(written.translate(_LATIN)), spelled) if not written.isascii() else []
            )
            found += [(spelled[letters], words[least - 1].end()) for letters in meant]
    return found


@lru_cache(256)
def _letters(phrases: tuple[str, ...]) -> dict[int, dict[str, str]]:
    """Return the ``phrases`` by their letters and digits: for each number of words those that have at least so many."""
    tokens = {phrase: TOKEN.findall(phrase.casefold()) for phrase in reversed(phrases)}
    lengths = range(min(_MOST_WORDS, max(map(len, tokens.values()), default=0)), 0, -1)
    return {n: {"".join(words): phrase for phrase, words in tokens.items() if len(words) >= n} for n in lengths}


def _glued(grammar: Grammar, failure: Failure, phrases: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield those ``phrases`` with which the failed word begins if a blank is missing after them, with their length.

    The rest must have a digit, as in ``gear1`` and ``placeH3``, or be a word that fits there, as in ``braketo``; otherwise
    it may be an ending.
    """
    written, begun = failure.word.casefold(), failure.line[: failure.start]
    spelled = {phrase.casefold(): phrase for phrase in reversed(phrases)}
    known = frozenset(spelled)
    digit = next((at for at, letter in enumerate(written) if letter.isdigit()), 0)
    for end in range(digit, max(1, digit - 2), -1):
        yield from ((spelled[phrase], end) for phrase in near(written[:end], known))
    for end in range(len(written) - 2, 2, -1) if not digit else ():
        for phrase in near(written[:end], known):
            fitting = fitting_words(grammar, f"{begun}{phrase}")
            if written[end:] in fitting or (phrase == written[:end] and near(written[end:], fitting)):
                yield spelled[phrase], end


def _completed(failure: Failure) -> Iterator[str]:
    """Yield the line with a missing keyword, or with brackets around the condition that has an OR without them."""
    line, start = failure.line, failure.start
    begun = f"{line[start:].casefold()} "
    several = (phrase for phrase in failure.spellings if " " in phrase)
    yield from (_with(line, start, phrase, len(line)) for phrase in several if phrase.casefold().startswith(begun))
    if not failure.is_unknown_order:
        yield from (_with(line, start, word, 0) for word in failure.keywords)
    begins, ends = [*_BORDER.finditer(line, 0, start)][-1:], _BORDER.search(line, start)
    if failure.word.casefold() == "or" and begins and ends and begins[0][0].lower() == "if" and ends[0].lower() == "then":
        between = line[begins[0].end() : ends.start()].strip(" ")
        yield f"{line[: begins[0].end()]} ({between}) {line[ends.start() :]}".strip()


def _is_courtesy(word: str) -> bool:
    return word in courtesy("courteous") or (word.isalpha() and bool(near(word, _long_courtesies())))


@cache
def _long_courtesies() -> frozenset[str]:
    return frozenset(word for word in courtesy("courteous") if len(word) >= _LONG)


def _with(line: str, start: int, word: str, width: int) -> str:
    """Return the ``line`` with ``word`` instead of ``width`` characters from ``start``."""
    before, after = line[:start], line[start + width :]
    if not width and not word[0].isalnum():
        before = before.rstrip()
    gap = " " if word and after[:1].isalnum() else ""
    return f"{before}{word}{gap}{after}".strip()


def _asks_for_facts(facts: Collection[str], part: Any) -> bool:
    """Return whether each comparison in ``part`` is about a fact of the game: not “IF my of minutes < 5”."""
    match part:
        case OrderLine(expression=expression):
            return _asks_for_facts(facts, expression)
        case When(condition=condition, then=then, otherwise=otherwise):
            return all(_asks_for_facts(facts, one) for one in (condition, then, otherwise))
        case FirstOf(options=parts) | Both(parts=parts) | Either(parts=parts):
            return all(_asks_for_facts(facts, one) for one in parts)
        case Not(part=negated):
            return _asks_for_facts(facts, negated)
        case Compare(left=left, how=how, right=right):
            return any(
                isinstance(term, CostOf) or getattr(term, "name", getattr(term, "text", "")).lower() in facts
                for term in ((right,) if how is Comparison.IN else (left,) if how is Comparison.HAS else (left, right))
            )
    return True


def _readable(grammar: Grammar, lines: Iterable[str]) -> Iterator[str]:
    return (line for line in dict.fromkeys(lines) if grammar.parse(line) is not None)
