"""The languages of orders: their files, their words in the text of a grammar, and translations both ways.

A game's words are inserted into its grammar before Lark compiles it. Every spelling of a word is understood: with accents or
without, in any case, ä as a or ae.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import permutations
from typing import Annotated, Any, Final, NewType, TypeVar
from unicodedata import normalize

from adjudicator.core.problem import AdjudicatorError, Violation, did_you_mean, in_any_case
from adjudicator.core.rules import AnyRules, changed
from adjudicator.core.ruleset import GameMeta, Language
from adjudicator.core.values import MODERATOR, Meta, Value, field, replace
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted
from adjudicator.files.explain import violations
from adjudicator.files.reading import parse, quoted, trail
from adjudicator.orders.submission import plain
from adjudicator.resources import folder, language_files

LanguageCode = NewType("LanguageCode", str)
"""A language by its ISO 639 code: ``de``."""
Synonyms = Mapping[str, tuple[str, ...]]
"""For an English word or phrase, the words that may replace it; the usual one first."""


class GameWords(Value):
    """The words of one game in a language.

    ``words`` are those of its grammar, its facts, and other names in conditions. ``names`` have other words for the names in
    one rule of the grammar (``tile``: ``pass``: ``Gebirgspass``); those of ``fact`` and ``word`` are left and right of a
    comparison. ``ambiguous`` lists words that mean something else in another language, by its code, at the same place.
    """

    words: Synonyms = field(default_factory=dict)
    names: Mapping[str, Synonyms] = field(default_factory=dict)
    ambiguous: Synonyms = field(default_factory=dict)


class LanguageWords(Value, forbid_unknown_fields=False):  # its files name their schema
    """A language: its ``code``, its English ``name``, the ``words`` that all games share, and those of each of ``games``."""

    code: Annotated[LanguageCode, Meta(min_length=2, max_length=12)]
    name: Annotated[str, Meta(min_length=1)]
    words: Synonyms = field(default_factory=dict)
    games: Mapping[str, GameWords] = field(default_factory=dict)


class Spoken(Value):
    """The languages that one game understands in addition to English, with their words in common tables.

    ``english`` understands none of them. ``words`` are for the grammar that all games share, ``own`` for that of the game,
    ``names`` as in ``GameWords``, with all facts and names in conditions. ``ambiguous`` has a sentence for each word with
    two meanings.
    """

    english: Language
    codes: tuple[LanguageCode, ...]
    words: Synonyms
    own: Synonyms
    names: Mapping[str, Synonyms]
    ambiguous: tuple[str, ...] = ()


ENGLISH: Final = "en"
"""The language that every game understands."""
LINE_WORDS: Final = frozenset(
    f"""{MODERATOR} bystander all game turn if then else otherwise or and not withdraw from end order orders word token
    message preview status resend help resign rule rules holiday vote wait nowait games join leave who register new standin
    set""".split()
)
"""The English words that have a meaning on lines of turn files and mails, or that name a reader who is no player."""
_NO_LETTER: Final = r"(?!(?-i:[A-Za-z]))(?!(?-i:[\u00c0-\u1fff]))"
"""A regular expression: no letter or accent of the alphabets that are written from left to right follows.

It is explicit because in grammars ``\\w`` means the letters of ASCII. Sets of more than two ranges, and sets that ignore
case, take Python long to compile.
"""
_SPELLED_OUT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "AE", "Ö": "OE", "Ü": "UE"})
_LITERALS: Final = re.compile(
    r'"(?:\\.|[^"\\])*"i?|//.*|/(?P<regexp>(?:\\.|[^/\\])+)/(?P<flags>[imslux]*)',
    re.DOTALL,  # as in Lark
)
"""The texts, comments and regular expressions on a line of a grammar."""
_PARTS: Final = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]?|\(\?<?[:=!]|[A-Za-z]+\??|.", re.DOTALL)
"""The parts of a regular expression: escapes, sets, openings of groups, words (the last letter optional), the rest.

A set that does not end is one part, too, so that many `[` take linear time.
"""
ANY_NAME: Final = "qzxqzx"
"""A word without a meaning: a terminal that accepts it accepts every word."""
_WORDS: Final = re.compile("[\\w\u0300-\u036f]+")
_speaking: dict[tuple[str, tuple[str, ...]], tuple[Language, Language]] = {}

R = TypeVar("R", bound=AnyRules)


class LanguageError(AdjudicatorError):
    """Report that a language cannot be used: it is not installed, or its file is bad; the message says why."""


# Files and the languages of a game


def languages(meta: GameMeta) -> dict[LanguageCode, LanguageWords]:
    """Return the languages with words for the game of ``meta``, by code, including those of the game's package.

    Raises ``LanguageError`` for a file that cannot be used.
    """
    found = dict(_shipped())
    for name, text in language_files(meta):
        one = read_words(name, text)
        both = found.get(one.code, one)
        found[one.code] = replace(both, words={**one.words, **both.words}, games={**one.games, **both.games})
    return {code: one for code, one in sorted(found.items()) if meta.id in one.games}


@cache
def _shipped() -> dict[LanguageCode, LanguageWords]:
    words: Iterable[LanguageWords] = (typed.read(LanguageWords, text) for _, text in language_files())
    return {one.code: one for one in words}


def read_words(name: str, text: str) -> LanguageWords:
    """Return the language in the JSON ``text`` of the file ``name``. Raises ``LanguageError`` with all mistakes."""
    try:
        document = parse(name, text.encode())[1]
        schema = folder("schemas") / "language.json"
        wrong = [*violations(document, lambda: json.loads(schema.read_text("utf-8"))), *_wrong_words(document)]
        if wrong:
            raise Untrusted(name, sorted(wrong, key=lambda one: one.path), "these words cannot be used")
    except Untrusted as error:
        raise LanguageError(str(error)) from None
    words: LanguageWords = typed.read(LanguageWords, text)
    return words


def _wrong_words(value: Any, path: str = "$") -> Iterator[Violation]:
    """Yield the texts in the ``value`` of a file that cannot be words, and a code that cannot be one."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _wrong_words(part, trail([key], path))
    for at, word in enumerate(value if isinstance(value, list) else ()):
        if isinstance(word, str) and (len(word) > 40 or not all(part.isalpha() for part in re.split("[ '’]", word))):
            words = "write 1 to 40 letters, with single blanks or apostrophes between words"
            yield Violation(f"{path}[{at}]", f"{words}, not {quoted(word)}")
    if path == "$.code" and isinstance(value, str) and not re.fullmatch(r"(?!en$)[a-z]{2,3}(?:-[a-z0-9]{2,8})?", value):
        yield Violation(path, f"write the code of a language other than English, such as de, not {quoted(value)}")


def program_languages() -> dict[str, str]:
    """Return the English names of the languages that come with the program, by code."""
    return {code: one.name for code, one in _shipped().items()}


def choose_languages(meta: GameMeta, wanted: Iterable[str]) -> tuple[LanguageCode, ...]:
    """Return the codes of the languages ``wanted``, each a code or an English name in any case; English is left out.

    Raises ``LanguageError`` for one that is not installed.
    """
    known = languages(meta)
    called: dict[str, LanguageCode] = {**{one.name: code for code, one in known.items()}, **{code: code for code in known}}
    codes = []
    for word in wanted:
        name = in_any_case(word, called)
        if name is not None:
            codes.append(called[name])
        elif word.casefold() not in (ENGLISH, "english"):
            suggestion = did_you_mean(word, called)
            there = ", ".join(f"{code} ({one.name})" for code, one in known.items()) or "only English"
            raise LanguageError(f"no words are installed for the language “{word}”{suggestion}; installed: {there}")
    return tuple(dict.fromkeys(codes))


def line_words(meta: GameMeta) -> set[str]:
    """Return the words, in lower case, that have a meaning where a line may name a seat, in every language of ``meta``.

    Words of one letter in other languages are left out, since many seats may be called a, b, c. Raises ``LanguageError``.
    """
    others = (one.words.get(english, ()) for one in languages(meta).values() for english in LINE_WORDS)
    return {*LINE_WORDS, *(word.casefold() for words in others for word in words if len(word) > 1)}


def rules_with_languages(rules: R, codes: Iterable[str]) -> R:
    """Return ``rules`` that also understand orders in the languages ``codes``; cached. Without codes, return ``rules``.

    Raises ``LanguageError``.
    """
    wanted = tuple(codes)
    if not wanted:
        return rules
    meta, language = rules.meta, rules.language
    known = _speaking.get((meta.id, wanted))
    if known is None or known[0] is not language:
        there = languages(meta)
        words = _spoken(rules, [there[code] for code in choose_languages(meta, wanted)])
        known = _speaking[meta.id, wanted] = language, replace(language, spoken=words)
    return changed(rules, language=known[1])


def only_english(rules: R) -> R:
    """Return ``rules`` that understand only English."""
    return rules if rules.language.spoken is None else changed(rules, language=rules.language.spoken.english)


def _spoken(rules: AnyRules, several: list[LanguageWords]) -> Spoken:
    """Return the words of ``several`` languages for the game of ``rules``; its own words replace shared ones."""

    def together(tables: Iterable[Synonyms]) -> Synonyms:
        found: dict[str, tuple[str, ...]] = {}
        for table in tables:
            for english, words in table.items():
                found[english] = tuple(dict.fromkeys((*found.get(english, ()), *words)))
        return found

    own, names, ambiguous = list[Synonyms](), list[Mapping[str, Synonyms]](), list[str]()
    for one in several:
        game = one.games[rules.meta.id]
        facts = {name: words for name, words in game.words.items() if name in rules.facts}
        facts.update(game.names.get("fact", {}))
        others = {english: words for table in game.names.values() for english, words in table.items()}
        own.append({**one.words, **game.words})
        names.append({**game.names, "fact": facts, "word": {**game.words, **others, **game.names.get("word", {}), **facts}})
    for one, other in permutations(several, 2):
        for word in one.games[rules.meta.id].ambiguous.get(other.code, ()):
            tables = ([*part.games[rules.meta.id].words.items(), *part.words.items()] for part in (one, other))
            here, there = ("” or “".join(dict.fromkeys(e for e, words in table if word in words)) for table in tables)
            ambiguous.append(f"“{word}” means “{here}” in {one.name} and “{there}” in {other.name}")
    return Spoken(
        english=rules.language,
        codes=tuple(one.code for one in several),
        words=together(one.words for one in several),
        own=together(own),
        names={rule: together(one.get(rule, {}) for one in names) for rule in sorted(set().union(*names))},
        ambiguous=tuple(ambiguous),
    )


def ambiguities(spoken: Spoken, names: Collection[str]) -> tuple[str, ...]:
    """Return a sentence for each word that two languages understand differently, or that is also one of the ``names``.

    They are the names of a game's things and seats. Such a word is read in one of its meanings.
    """
    called = {plain(name) for name in names}
    taken = (
        f"“{word}” means “{english}”, but something in this game has that name"
        for table in (spoken.words, spoken.own, *spoken.names.values())
        for english, words in table.items()
        for word in words
        if plain(word) != plain(english) and not called.isdisjoint(plain_ways(word))
    )
    return tuple(dict.fromkeys((*taken, *spoken.ambiguous)))


# Spellings


def plain_ways(word: str) -> tuple[str, ...]:
    """Return the spellings of ``word`` without accents: ``plattchen`` and ``plaettchen``."""
    return tuple(dict.fromkeys((plain(word), plain(normalize("NFC", word).translate(_SPELLED_OUT)))))


def meanings(table: Synonyms) -> dict[str, str]:
    """Return the English words of ``table`` by all plain spellings of their translations."""
    return {way: english for english, words in table.items() for word in words for way in plain_ways(word)}


def pattern(words: Iterable[str]) -> str:
    """Return a regular expression for ``words`` in all spellings, as written first; no letter follows a match."""
    composed = [re.sub("[ '’]+", " ", normalize("NFC", word)) for word in words]
    spelled = dict.fromkeys(way for word in composed for way in (word, *plain_ways(word)))
    # Messages name the first one. Only a phrase can begin with another word.
    choices = sorted(spelled, key=lambda way: -way.count(" "))
    choices += ["".join(map(_letter, word)) for word in composed if not word.isascii()]
    return rf"(?:{'|'.join(choices).replace(' ', ' +')}){_NO_LETTER}"


def _letter(sign: str) -> str:
    """Return a regular expression for ``sign`` with its accents or without, also as separate characters."""
    if sign.isascii():
        return sign
    accented = {sign, sign.lower(), sign.upper(), plain(sign), plain(sign.translate(_SPELLED_OUT))}
    return rf"(?:{'|'.join(sorted(accented, key=lambda way: (-len(way), way)))})[\u0300-\u036f]{{0,2}}"


# Words in a grammar


def with_words(text: str, table: Synonyms, names: Mapping[str, Synonyms]) -> tuple[str, dict[str, dict[str, str]]]:
    """Return the Lark grammar ``text`` with the words of ``table`` in its terminals, and these words by terminal.

    They are regular expressions for any case (``/…/i``). Words are alternatives to the English word that they replace, or to
    the whole expression. A terminal for all names also accepts ``names`` in other alphabets. For each terminal with words,
    ``in_english`` needs the English word for all plain spellings of the others.
    """
    added: dict[str, dict[str, str]] = {}
    foreign = [word for one in names.values() for words in one.values() for word in words if not word.isascii()]

    def extended(literal: re.Match[str]) -> str:
        regexp = literal["regexp"]
        if regexp is None or "i" not in literal["flags"]:
            return literal[0]
        matches = re.compile(regexp, re.IGNORECASE).fullmatch
        if matches(ANY_NAME):
            is_for_names = foreign and terminal != "ID"
            return f"/(?:{pattern(foreign)}(?![0-9_])|{regexp})/{literal['flags']}" if is_for_names else literal[0]
        parts, used = [], dict[str, tuple[str, ...]]()
        for part in _PARTS.findall(regexp):
            word = part.casefold().rstrip("?")
            found = {way: table[way] for way in ((word, word[:-1]) if part[-1:] == "?" else (word,)) if way in table}
            if found:
                used.update(found)
                others = [other for words in found.values() for other in words]
                # The English word comes first, because messages name the first one, unless another begins with it.
                both = [part, pattern(others)]
                part = "|".join(both[::-1] if any(other.casefold().startswith(word) for other in others) else both)
                part = f"(?:{part})"
            parts.append(part)
        whole = {english: words for english, words in table.items() if english not in used and matches(english)}
        regexp = "".join(parts)
        if whole:
            regexp = f"(?:{pattern(word for words in whole.values() for word in words)}(?![0-9_])|{regexp})"
        if used or whole:
            added.setdefault(terminal, {}).update(meanings({**used, **whole}))
        return f"/{regexp}/{literal['flags']}"

    lines, terminal = [], ""
    for line in text.split("\n"):
        head = re.match(r"[ \t]*(?:%(?:override|extend)[ \t]+)?(?:(_?[A-Z][A-Z0-9_]*)(?:\.[0-9]+)?[ \t]*:|\|)?", line)
        assert head is not None
        if not head[0].endswith("|"):  # which continues the terminal above
            terminal = head[1] or ""
        lines.append(_LITERALS.sub(extended, line) if terminal else line)
    return "\n".join(lines), added


def in_english(meant: Mapping[str, str], text: str) -> str:
    """Return the ``text`` of a terminal or a name with the words that ``meant`` has in English, the longest first."""
    found, words, at, last = "", list(_WORDS.finditer(text)), 0, 0
    while words := words[last:]:
        begin = words[0].start()
        for last in range(len(words), 0, -1):
            english = meant.get(plain(text[begin : words[last - 1].end()]))
            if english is not None:
                found, at = found + text[at:begin] + english, words[last - 1].end()
                break
    return found + text[at:]


def translate(grammar: Any, spoken: Spoken, text: str) -> str:
    """Return the line ``text`` of the English ``grammar`` in the usual words of ``spoken``; other words remain English.

    It is for examples and pages, never for the journal. Raises ``ValueError`` if the grammar does not know the line.
    """
    tree = grammar.tree(text)
    if tree is None:
        raise ValueError(f"not an order: {text[:80]}")
    names = {
        child.start_pos: spoken.names[part.data]
        for part in tree.iter_subtrees()
        if part.data in spoken.names
        for child in part.children
        if hasattr(child, "start_pos")
    }
    line, end = "", 0
    for token in grammar.tokens(text):
        start = token.start_pos
        table = spoken.words if token.type in _shared_terminals() else spoken.own
        if not grammar.has_words(token.type):
            table = names.get(start, {})
        whole = " ".join(token.casefold().split())
        if table.get(whole):  # the whole phrase, or else each word that has a translation
            found = token.replace(token.strip(), table[whole][0])
        else:
            parts = (table.get(part.casefold()) or (part,) for part in re.split("([A-Za-z]+)", token))
            found = "".join(part[0] for part in parts)
        line += text[end:start] + (found.upper() if token.isupper() else found)
        end = start + len(token)
    return line + text[end:]


@cache
def _shared_terminals() -> frozenset[str]:
    return frozenset(re.findall(r"(?m)^([A-Z_]+)(?:\.[0-9]+)?:", (folder("grammar") / "common.lark").read_text("utf-8")))
