"""Explain lines that cannot be read: was an order meant, which one, which word is wrong, what fits there.

All likeness of words is that of ``near``: a slip of the pen or two.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, groupby, islice, pairwise
from typing import Any, Final

from adjudicator.core.conditions import Both, Compare, Comparison, CostOf, Either, Not
from adjudicator.core.order import FirstOf, When
from adjudicator.core.phrases import PLEASE
from adjudicator.core.problem import Problem
from adjudicator.orders.grammar import WORD_OR_SIGN, Failure, Grammar, OrderLine
from adjudicator.orders.ignored import words as courtesy
from adjudicator.orders.problems import UNEXPLAINED, LineProblem, at_whole
from adjudicator.orders.submission import MOST_COLUMNS, MOST_DEPTH, TOKEN, normal_form, plain

_MOST_SHOWN: Final = 40
_MOST_DIGITS: Final = 6
"""The most digits of a number, as in the grammar."""
_REMEMBERED: Final = 2_048  # the most explained lines in the cache
_NUMBER: Final = re.compile(r"(?<!\w)[OolI]*[0-9][0-9OolI]*(?!\w)", re.ASCII)
_DEGREES: Final = re.compile(r"(?<=0)[oO](?!\w)")  # a letter for the sign of degrees: ``90o``
_MOST_WORDS: Final = 4  # the most words of a phrase
_ENDING: Final = 3  # the most letters of the ending of a verb: “keeping”
_LOOKS_LIKE: Final = str.maketrans("OolI", "0011")
_LATIN: Final = str.maketrans("αβεζηικμνορτυχавекмнорстух", "abezhikmnoptyxabekmhopctyx")
"""Greek and Cyrillic letters whose capitals look like Latin ones."""
_CONDITION: Final = re.compile(r"[()]|\b(?:if|then)\b", re.IGNORECASE | re.ASCII)
_LONG: Final = 6  # the fewest letters of a word that may have two slips
_SHORT_NAME: Final = 3  # the fewest letters of a name that may have a slip in a readable line
_SHORT_LINE: Final = 5  # the most words of a line that is an order if one of them is strange
_LONG_NAME: Final = 5  # the fewest letters of a name that may have a slip in a line that cannot be read
_MOST: Final = 3  # the most words that ``near`` returns
_VERB_WORDS: Final = 3  # the most words of a verb: `TURN ROUND`
_FAR: Final = 3  # the number of slips for words that are not alike
_HEADERS: Final = ("turn", "game")
_LINKS: Final = PLEASE | {"and", "then", "also", "or", "else", "otherwise"}  # words that may come before an order
_BORDER: Final = re.compile(r"[,;:.!?(/]+ *| -+ |\b(?:and|then) +", re.IGNORECASE)
"""The signs and words between two parts of a line."""
_TIMES: Final = re.compile(r"\d+(?:st|nd|rd|th|am|pm|h|min|x|er|e|o)")  # numbers with letters that are not names: 2nd, 10pm
_DETERMINERS: Final = frozenset(
    {"the", "a", "an", "my", "your", "his", "her", "our", "their", "this", "that", "next", "last", "each", "every", "any"}
    | {"good", "great", "nice", "long", "first", "final"}
)
"""Words after which the verb of an order is a noun: "your move"."""
_CONDITIONALS: Final = frozenset(
    {"if", "unless", "otherwise", "else", "instead", "only", "except", "cancel", "ignore", "disregard", "scratch", "forget"}
    | {"wenn", "falls", "sonst", "stattdessen", "sinon", "jeśli", "jeżeli", "hvis", "pokud", "если"}
)
"""Words that may make orders depend on a remark."""


@lru_cache(_REMEMBERED)  # the same line may be in a hundred mails
def explain(grammar: Grammar, line: str) -> LineProblem:
    """Return why ``grammar`` cannot read the cleaned ``line``; cached.

    Codes: ``orders/unknown-order``, ``orders/unexpected``, ``orders/two-orders``, ``orders/incomplete``,
    ``orders/line-too-long``, ``orders/too-deep``.
    """
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
        problem = Problem("orders/unknown-order", message, near=_suggestions(grammar, failure))
        return LineProblem(problem, start + 1, max(1, len(word)))
    second = grammar.second_order(line)
    if second is not None:
        word = WORD_OR_SIGN.findall(line, second)[0]
        message = f"“{word}” begins a second order: write each order on its own line"
        return LineProblem(Problem("orders/two-orders", message), second + 1, len(word))
    if word.isdecimal() and len(word) > _MOST_DIGITS:
        message = f"{shown} is too large: a number has at most {_MOST_DIGITS} digits"
    else:
        message = f"{shown} does not fit here: {wanted}{foreign}"
        if word.casefold() == "or" and "THEN" in failure.spellings:
            message += "; put brackets around conditions with OR between them"
    problem = Problem("orders/unexpected", message, rule, near=_suggestions(grammar, failure))
    return LineProblem(problem, start + 1, max(1, len(word)))


def _suggestions(grammar: Grammar, failure: Failure) -> tuple[str, ...]:
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
        alike = _phrases_like(line[before.start() :], phrases)
        yield from _readable(grammar, (_with(line, before.start(), *meant) for meant in alike))


def _replaced(grammar: Grammar, failure: Failure) -> Iterator[tuple[str, int]]:
    """Yield the line with the part corrected that cannot be read, and how many characters of it are left after that.

    Courtesy is left out; digits or words are corrected.
    """
    line, start, word = failure.line, failure.start, failure.word.casefold()
    rest = line[start:]
    words, long = courtesy("courteous"), courtesy("long_courteous")
    if all(one in words or (one.isalpha() and near(one, long)) for one in TOKEN.findall(rest.casefold())):
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
    found = (*_glued(grammar, failure, phrases), *_phrases_like(rest, phrases), *endings)
    for phrase, width in sorted(found, key=lambda one: one[0] not in examples):
        spelled = examples[phrase].split()[0] if phrase in examples else phrase
        yield _with(line, start, spelled, width), len(rest) - width


def _phrases_like(rest: str, phrases: Iterable[str]) -> list[tuple[str, int]]:
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
            fitting = _fitting_words(grammar, f"{begun}{phrase}")
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
    begins, ends = [*_CONDITION.finditer(line, 0, start)][-1:], _CONDITION.search(line, start)
    if failure.word.casefold() == "or" and begins and ends and begins[0][0].lower() == "if" and ends[0].lower() == "then":
        between = line[begins[0].end() : ends.start()].strip(" ")
        yield f"{line[: begins[0].end()]} ({between}) {line[ends.start() :]}".strip()


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


# Words that are alike


def _slips(written: str, word: str) -> int:
    """Return the number of slips in ``written`` if ``word`` is meant, at most 3.

    A slip is a letter that is wrong, missing, extra or held too long, two letters swapped, or all letters mixed up between
    the first and the last.
    """
    if written == word:
        return 0
    different = len({*written}.symmetric_difference(word))  # two slips change four letters of the alphabet at most
    if not different and _is_mixed_up(written, word):
        return 1
    return _FAR if different > 4 else next((count for count in (1, 2) if _is_within(count, written, word)), _FAR)


def _is_within(most: int, written: str, word: str) -> bool:
    if abs(len(written) - len(word)) > most:
        return False
    at = next((at for at, (one, other) in enumerate(zip(written, word, strict=False)) if one != other), None)
    if at is None:
        return True
    written, word = written[at:], word[at:]
    return most > 0 and (
        _is_within(most - 1, written[1:], word[1:])
        or _is_within(most - 1, written[1:], word)
        or _is_within(most - 1, written, word[1:])
        or (written[:2] == word[1::-1] and _is_within(most - 1, written[2:], word[2:]))
    )


def _is_mixed_up(written: str, word: str) -> bool:
    """Return whether ``written`` has the letters of ``word``, perhaps in another order, or some too long."""
    if {*written} != {*word}:
        return False
    if sorted(written) == sorted(word):
        swapped = [at for at, letter in enumerate(written) if letter != word[at]]
        return written[:1] == word[:1] or written[-1:] == word[-1:] or swapped == [0, len(word) - 1]
    runs = ([letter for letter, _ in groupby(text)] for text in (written, word))
    return len(written) > len(word) and next(runs) == next(runs)


@lru_cache(1 << 14)
def _alike(written: str, words: frozenset[str]) -> list[tuple[int, bool, str]]:
    """Return those of ``words`` that are ``written`` with at most two slips, each with their number, the fewest first."""
    found = [(count, word) for word in words if (count := _slips(written, word)) < _FAR]
    return sorted((count, sorted(written) != sorted(word), word) for count, word in found)


def near(written: str, words: Iterable[str]) -> list[str]:
    """Return the few of ``words``, in lower case, that may be meant by ``written``, the most similar first.

    A word of six letters may have two slips, one of four letters one, a shorter one only swapped or doubled letters. More
    letters before the word reverse its meaning: “counterclockwise”.
    """
    found = []
    for count, _, word in _alike(written, frozenset(words)):
        most = 2 if len(word) >= _LONG else int(len(word) > 3 or _is_mixed_up(written, word))
        if count <= most and not (written.endswith(word) and len(written) > len(word) + (len(word) > 3)):
            found.append(word)
    return found[:_MOST]


def _is_code(token: str) -> bool:
    """Return whether ``token`` has letters and digits, like the names of cells and tiles: C3."""
    return not token.isalpha() and not token.isdigit() and _TIMES.fullmatch(token) is None


def _fitting_words(grammar: Grammar, begun: str) -> set[str]:
    """Return the words and phrases that fit after ``begun``, in lower case, and the first words of those phrases."""
    phrases = [phrase.casefold() for phrase in grammar.failure(begun).spellings]
    return {word for phrase in phrases for word in (phrase, phrase.partition(" ")[0])}


# Orders or remarks


@lru_cache(maxsize=8)
def _parts_of(names: frozenset[str]) -> frozenset[str]:
    """Return the words in ``names`` that are not too short: each mail of a crowd asks for those of all its crews."""
    parts = {part for name in names for part in TOKEN.findall(name)}
    return frozenset(part for part in parts if part.isalpha() and len(part) >= _SHORT_NAME)


class Likeness:
    """Knows the words of a game's orders, in lower case: ``verbs``, all ``keywords``, and the ``names`` of its things."""

    def __init__(self, grammar: Grammar, names: Iterable[str], seats: Iterable[str]) -> None:
        """Take the names and seats of the game."""
        self._grammar = grammar
        self.verbs, self.keywords = grammar.openings, grammar.keywords
        self._things = frozenset(names)
        self.names = self._things.union(seats)

    @cached_property
    def _parts(self) -> frozenset[str]:
        return _parts_of(self.names)

    @cached_property
    def _long_names(self) -> frozenset[str]:
        return frozenset(part for part in self._parts if len(part) >= _LONG_NAME)

    def is_order_word(self, word: str) -> bool:
        """Return whether ``word`` begins orders, also with letters swapped or doubled, or a number after it."""
        word = word.casefold()
        letters = word.rstrip("0123456789")
        least = 0 if letters == word else _SHORT_NAME  # FI6 is a code, no misspelled IF
        return letters in self.verbs or any(_is_mixed_up(letters, verb) for verb in self.verbs if len(verb) >= least)

    def may_begin(self, word: str) -> bool:
        """Return whether an order may begin with ``word``: it is like a verb, or a code as in ``TC3: 40``."""
        return _is_code(word.casefold()) or bool(near(word.casefold(), self.verbs))

    def may_be_order(self, tokens: Sequence[str]) -> bool:
        """Return whether ``tokens``, in lower case, include a word of an order."""
        return any(
            token in self._things
            or token in _CONDITIONALS
            or _is_code(token)
            or (token in self.verbs and before not in _DETERMINERS)
            for before, token in zip(["", *tokens], tokens, strict=False)
        )

    def is_like_order(self, tokens: Sequence[str]) -> bool:
        """Return whether ``tokens``, in lower case, begin like an order, or include a word of one."""
        return bool(tokens) and bool(near(tokens[0], self.verbs) or self.may_be_order(tokens))

    def is_attempt(self, line: str, *, is_wrapped: bool = False) -> bool:
        """Return whether the unreadable ``line`` was meant as an order.

        It begins with a verb or a misspelled verb; or a part of it does and continues as an order; or it is an order
        without its verb. In a line that may be the rest of a longer one (``is_wrapped``), a verb alone proves nothing.
        """
        line = line[:MOST_COLUMNS]
        if self._begins(line, is_wrapped=is_wrapped):
            return True
        tokens = TOKEN.findall(normal_form(line))
        if any(word in self.names and _is_code(word) for word in tokens) and all(
            word.isdigit() or word in self.names or word in self.keywords for word in tokens[1:]
        ):
            return True
        for part in (line[border.end() :] for border in _BORDER.finditer(line)):
            words = [word.group().casefold() for word in islice(TOKEN.finditer(part), 2)]
            is_begun = len(words) == 2 and self.is_order_word(words[0])
            if is_begun and (_is_code(words[1]) or words[1] in self.names or self._reads(part)):
                return True
        return False

    def is_remark(self, line: str, parsed: OrderLine) -> bool:
        """Return whether the readable order ``line`` is only a remark: “Take care!”.

        Its verb is not in capitals, and all words after it are neither names of the game's things nor like one.
        """
        is_more = parsed.seat is not None or parsed.draws or isinstance(parsed.expression, (FirstOf, When))
        if is_more or any(map(str.isdigit, line)):
            return False
        words = TOKEN.findall(line)
        if len(words) < 2 or words[0].isupper():
            return False
        named = [name.casefold() for name in self._grammar.free_names(line)]
        if len(named) < len(words) - 1 or len(words[-1]) == 1 or any(map(self._is_named, named)):
            return False
        return not any(count == 1 for name in named for count, *_ in _alike(name, self._parts & self.names))

    def _begins(self, line: str, *, is_wrapped: bool) -> bool:
        """Return whether ``line`` begins like an order. If its verb is not enough, the words after it decide."""
        words = list(TOKEN.finditer(line))
        words = words[next((at for at, word in enumerate(words) if word[0].casefold() not in _LINKS), len(words)) :]
        if not words:
            return False
        line, rest, tokens = line[words[0].start() :], line[words[0].end() :], [word[0] for word in words]
        first = tokens[0].casefold()
        mixed_up = [verb for _, _, verb in _alike(first, self.verbs) if _is_mixed_up(first, verb)]
        verbs_, is_sure = near(first, self.verbs) or mixed_up, any(len(verb) > 3 or verb == first for verb in mixed_up)
        if len(tokens) > 1 and any(self._continues(verb, tokens, is_sure=is_sure) for verb in verbs_):
            return True
        if self._begins_oddly(tokens, rest) or self._is_mended(line, first, rest):
            return len(tokens) > 1 or not is_wrapped
        is_loud = tokens[0].isupper() and len(first) > 1
        begun = [" ".join(tokens[:end]) for end in range(2, min(len(tokens), _VERB_WORDS) + 1)] if is_loud else ()
        if any(self._is_order(one, line) for one in begun):
            return True  # its verb has several words: `TURN ROUND now`
        if is_wrapped or not verbs_:
            return False
        if first in self.verbs:
            if rest.lstrip(" ").startswith("("):  # `draw (no choice)`
                return True
            others = [token.casefold() for token in tokens[1:]]
            is_cut = all(len(token) == 1 or token in self.keywords for token in others)  # `take u`, `brake by spaces`
            return is_loud or is_cut or courtesy("courteous").issuperset(others)
        return is_sure or is_loud or (len(tokens) == 1 and any(map(self._reads, verbs_)))

    def _continues(self, verb: str, words: Sequence[str], *, is_sure: bool) -> bool:
        """Return whether ``words``, of which the first may mean ``verb``, continue as an order of it does.

        A name or code follows, a short line has at most one strange word, or a word that fits there follows, perhaps with
        a slip, or in two parts. It ``is_sure`` that the first means the verb if its letters are only mixed up.
        """
        is_named = any(map(self._is_named, words[1:3]))
        if is_sure and (is_named or any(map(_is_code, map(str.casefold, words[3:])))):
            return True
        others = [word for word in words[1:] if not any(map(str.isdigit, word))]
        strange = len(words) - 1 - sum(map(self._is_known, words[1:]))
        is_short = len(words) <= _SHORT_LINE and (is_sure or (len(verb) > 4 and _slips(words[0].casefold(), verb) == 1))
        if is_short and strange <= 1 and (len(others) < len(words) - 1 or any(map(self._is_named, others))):
            return True
        if self._is_named(words[1]) and self._grammar.failure(f"{verb} {words[1]}").is_at_end:
            return True
        fitting = _fitting_words(self._grammar, verb)
        short = [word for word in fitting if len(word) == _SHORT_NAME] if is_sure and len(words) == 2 else ()
        if any(_slips(words[1].casefold(), word) == 1 for word in short):  # `block asl`
            return True
        halves = [words[0].casefold().removeprefix(verb), *map(str.casefold, words[1:4])]  # `play sabo teur`, `BLOCKa sk`
        broken = [one + other for one, other in pairwise(halves) if one and len(one + other) >= _SHORT_NAME]
        return any(near(word.casefold(), fitting) for word in words[1:3]) or any(
            pair in fitting or pair in self._parts or (len(pair) >= _LONG and near(pair, fitting)) for pair in broken
        )

    def _begins_oddly(self, words: Sequence[str], rest: str) -> bool:
        """Return whether the line begins with a code, as in ``TC3: 40``, or with a misspelled word of a header."""
        first = words[0].casefold()
        if _is_code(first):
            begins = len(words[0]) + (rest.index(words[1]) if len(words) > 1 else 0)
            least = len(words[0]) if all(map(self._is_named, words[1:2])) else begins
            return self._grammar.failure(f"{words[0]}{rest}").start > least
        for word in near(first, _HEADERS) if first not in _HEADERS else ():
            is_alone = word == "turn" and len(first) <= 4 and len(words) == 2 and words[1].isdecimal()  # “turm 8”
            if is_alone or (_is_mixed_up(first, word) and any(map(str.isdigit, "".join(words[1:2])))):
                return True
            if self._reads(f"{word}{rest}"):
                return _is_mixed_up(first, word) or isinstance(self._grammar.parse(f"{word}{rest}"), OrderLine)
        return False

    def _is_mended(self, line: str, first: str, rest: str) -> bool:
        """Return whether the ``line`` is an order with a slip or two, perhaps without a blank."""
        is_known = bool(rest) and all(map(self._is_known, TOKEN.findall(rest)))
        for count, _, verb in _alike(first, self.verbs) if rest else ():
            most = 2 if len(verb) > 3 and is_known else len(verb) > 2
            lines = (f"{verb}{rest}", *(meant_by(self._grammar, f"{verb}{rest}") if count == 1 else ()))
            if 0 < count <= most and any(self._is_order(one, line) for one in lines):
                return True
        for verb in self.verbs:
            end = first[len(verb) :] if len(verb) > 2 and first.startswith(verb) else ""
            if end and (self._is_named(end) or (is_known and end in self.keywords)):
                return True
        if any(first.endswith(name) and near(first.removesuffix(name), self.verbs) for name in self._long_names):
            return True
        return any(self._is_order(one, line) for one in meant_by(self._grammar, line))

    def _is_known(self, word: str) -> bool:
        return any(map(str.isdigit, word)) or word.casefold() in self.keywords or self._is_named(word)

    def _is_named(self, word: str) -> bool:
        """Return whether ``word`` is a number, a name of a thing of the game, or similar to such a name."""
        name = word.casefold()
        if name.isdigit() or name in self.names or name in self._parts or _is_code(name) or near(name, self._long_names):
            return True
        halves = ((name[:at], name[at:]) for at in range(2, len(name) - 2) if name[:at] in self.keywords)
        return any(end in self._parts or (end in self.keywords and len(end) < len(name) - 2) for _, end in halves)

    def _is_order(self, meant: str, line: str) -> bool:
        """Return whether the suggestion ``meant`` for ``line`` is an order, and no remark if it is as loud as the line."""
        meant = meant if line[: line.find(" ")].isupper() else meant.lower()
        return isinstance(self._grammar.parse(meant), OrderLine) and self._reads(meant)

    def _reads(self, line: str) -> bool:
        parsed = self._grammar.parse(line)
        return parsed is not None and not (isinstance(parsed, OrderLine) and self.is_remark(line, parsed))
