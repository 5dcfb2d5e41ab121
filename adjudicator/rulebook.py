"""Read the rules of a game from its page, and look them up by number or by words.

A page is Markdown with sections of numbered facts, each with its rulings, and the options about it; ``docs/rulesets.md``
explains how to write one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from adjudicator.core.problem import suggest
from adjudicator.core.values import Value, replace

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_ID: Final = re.compile(r"[A-Z]+-[A-Z]*[0-9]+")
_POINT: Final = re.compile(rf"\*\*{_ID.pattern}")
_BULLET: Final = re.compile(
    rf"\*\*(?P<id>{_ID.pattern})(?:, (?P<kind>ruling|house choice|since version (?P<since>[0-9]+)))?:\*\* +(?P<words>.+)"
)
_OPTION: Final = re.compile(r"`([a-z0-9.-]+?)(?:\.SEAT)?`")
_BORDER: Final = re.compile(r"(?<!\\)\|")
_ROW: Final = re.compile(rf"^\| *({_ID.pattern}) *\| *(.+?) *\|$", re.MULTILINE)
_ITEM: Final = re.compile(r"^[*-] (\*\*.+(?:\n  .+)*)", re.MULTILINE)
_MARKUP: Final = re.compile(r"\*\*?(?=\S)|(?<=\S)\*\*?|\\(?=\|)|\[([^\]]*)\]\([^)]*\)")
_PARTS: Final = re.compile(r"[\s,;()]+")
_NUMBER: Final = re.compile(r"(?:[A-Z]+-)?[A-Z]*[0-9]+")
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


class Kind(StrEnum):
    """A ruling settles a question that the rulebook leaves open; a house choice fills in a value that it does not print."""

    RULING = "ruling"
    HOUSE = "house choice"


class Ruling(Value):
    """A decision of the program where the rulebook has none: ``why``, and what a moderator can choose ``instead``.

    ``why`` and ``instead`` are empty if the page does not give them.
    """

    kind: Kind
    text: str
    why: str = ""
    instead: str = ""

    @property
    def reasoned(self) -> str:
        """The decision, its reason and its alternative, as far as the page gives them."""
        parts = (self.text, self.why and f"Why: {self.why}", self.instead and f"Instead: {self.instead}")
        return " ".join(filter(None, parts))


class Revision(Value):
    """A change with version ``since`` of the rules: ``text`` applies from then on, ``before`` applies in older games."""

    since: int
    text: str
    before: str


class RuleEntry(Value):
    """A rule with its number: its ``text``, further points (``more``), its rulings, and its changes between versions."""

    id: str
    text: str
    more: tuple[str, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    revisions: tuple[Revision, ...] = ()


class Section(Value):
    """A heading of the page and the facts under it."""

    title: str
    facts: tuple[RuleEntry, ...]


class Choice(Value):
    """An option of the game, without its seat, and the numbers of the ``rules`` that it is about."""

    option: str
    rules: tuple[str, ...]


class Page(Value):
    """The rules of a game as the program decides them; all texts are plain, without Markdown."""

    title: str
    sections: tuple[Section, ...]
    choices: tuple[Choice, ...] = ()

    @property
    def facts(self) -> tuple[RuleEntry, ...]:
        """Every fact, in the order of the page."""
        return tuple(fact for section in self.sections for fact in section.facts)


class MalformedPage(Exception):
    """A malformed page of rules: ``line`` counts from 1, ``why`` describes the mistake there."""

    def __init__(self, line: int, why: str) -> None:
        """Say where and why."""
        super().__init__(f"line {line}: {why}")
        self.line, self.why = line, why


# Reading a page


def read_page(text: str) -> Page:
    """Return the page that is written in ``text``. Raises ``MalformedPage``.

    Paragraphs, other tables and lists that are not about a rule are ignored: they are for readers of the page.
    """
    title, columns, lines = "", list[str](), text.splitlines()
    sections, facts, choices = dict[str, list[str]](), dict[str, RuleEntry](), dict[int, Choice]()
    tokens = _markdown().parse(text)
    for at, token in enumerate(tokens):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "heading_open":
            words = plain(tokens[at + 1].content)
            if token.tag == "h1":
                title = words
            elif token.tag == "h2" and words in sections:
                raise MalformedPage(line, f"there are two sections “{words}”")
            elif token.tag == "h2":
                sections[words] = []
        elif token.type == "tr_open":
            end = next(after for after in range(at, len(tokens)) if tokens[after].type == "tr_close")
            cells, row = [one.content for one in tokens[at:end] if one.type == "inline"], lines[line - 1].rstrip()
            if not row.endswith("|"):
                raise MalformedPage(line, "a row of a table ends with `|`")
            if tokens[at - 1].type == "thead_open":
                columns = cells[:2]
            elif columns == ["rule", "fact"]:
                number, words = cells[0], plain(cells[1])
                if len(_BORDER.findall(row)) != 3 or not words:
                    raise MalformedPage(line, "a rule is a number and a text: `| XY-A1 | text of the rule |`")
                if not _ID.fullmatch(number):
                    raise MalformedPage(line, f"“{number}” is not a rule number such as XY-A1")
                if number in facts:
                    raise MalformedPage(line, f"{number} appears twice")
                if not sections:
                    raise MalformedPage(line, f"{number} is in no section: write a heading with `##` above it")
                facts[number] = RuleEntry(number, words)
                sections[list(sections)[-1]].append(number)
            elif columns == ["option", "rule"]:
                option, rules = _OPTION.fullmatch(cells[0]), tuple(cells[1].replace(",", " ").split())
                if option is None or not rules:
                    raise MalformedPage(line, "an option is written `| `name` | XY-A1 | … |`, with the rules it is about")
                choices[line] = Choice(option[1], rules)
        elif tokens[at - 2].type == "list_item_open" and _POINT.match(token.content):
            point = _BULLET.fullmatch(" ".join(token.content.split()))
            if point is None:
                kinds = "`**XY-A1:**`, `**XY-A1, ruling:**`, `**XY-A1, house choice:**` or `**XY-A1, since version 2:**`"
                raise MalformedPage(line, f"a point about a rule begins with {kinds}")
            if point["id"] not in facts:
                raise MalformedPage(line, f"there is no rule {point['id']} above this line")
            facts[point["id"]] = _with_point(facts[point["id"]], point, line)
    if not facts:
        raise MalformedPage(1, "this page has no rules: write a table with rows such as `| XY-A1 | text of the rule |`")
    for line, choice in choices.items():  # its rules may come below it
        for rule in choice.rules:
            if rule not in facts:
                raise MalformedPage(line, f"there is no rule {rule} on this page")
    named = ((name, tuple(map(facts.__getitem__, numbers))) for name, numbers in sections.items())
    return Page(title, tuple(Section(name, found) for name, found in named if found), tuple(choices.values()))


def rule_texts(text: str) -> dict[str, str]:
    """Return the text of each rule on the page ``text`` by its number: the fact, then a line for each point about it.

    Words in backticks stay so. Unlike ``read_page`` it loads no library, and reads nothing but the texts.
    """
    found = {number: [words] for number, words in _ROW.findall(text)}
    for item in _ITEM.findall(text):
        point = _BULLET.fullmatch(" ".join(item.split()))
        if point is not None and point["id"] in found:
            words, label = re.split(r" \*(?:Why|Instead|Before):\*", point["words"])[0], point["kind"] or ""
            found[point["id"]].append(f"{label.capitalize()}: {words}" if label else words)
    return {number: _MARKUP.sub(r"\1", "\n".join(lines)) for number, lines in found.items()}


def plain(markdown: str) -> str:
    """Return ``markdown``, a line without blocks, as plain text: emphasis, code marks and links removed."""
    (line,) = _markdown().parseInline(markdown)
    return " ".join("".join(one.content for one in line.children or ()).split())


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt  # takes time to load, and commands that print no rules do without it

    return MarkdownIt("commonmark").enable("table")


def _with_point(fact: RuleEntry, point: re.Match[str], line: int) -> RuleEntry:
    """Return ``fact`` with a point about it, which stands in ``line``."""

    def divide(*labels: str) -> list[str]:
        """Return the text before the first label, and the one after each of ``labels``, empty if it is not there."""
        parts = re.split(rf" *\*({'|'.join(labels)}):\*(?: +|$)", point["words"])
        if not all(parts[::2]) or parts[1::2] != [label for label in labels if label in parts[1::2]]:
            expected = ", and then ".join(f"`*{label}:*` with another text" for label in labels)
            raise MalformedPage(line, f"write a text here, and then {expected}")
        found = dict(zip(parts[1::2], parts[2::2], strict=True))
        return [plain(words) for words in (parts[0], *(found.get(label, "") for label in labels))]

    if point["kind"] is None:
        return replace(fact, more=(*fact.more, plain(point["words"])))
    if point["since"] is None:
        return replace(fact, rulings=(*fact.rulings, Ruling(Kind(point["kind"]), *divide("Why", "Instead"))))
    text, before = divide("Before")
    if not before:
        raise MalformedPage(line, "write `*Before:*` and the rule of older games after the text")
    return replace(fact, revisions=(*fact.revisions, Revision(int(point["since"]), text, before)))


# Looking rules up


class UnknownRuleError(Exception):
    """The page has nothing for ``wanted``; ``suggestions`` are numbers or words that it has."""

    def __init__(self, wanted: str, words: str, suggestions: tuple[str, ...]) -> None:
        """Say in ``words`` what is missing, and suggest alternatives."""
        hint = f"; did you mean {' or '.join(suggestions)}?" if suggestions else ""
        super().__init__(words + hint)
        self.wanted, self.suggestions = wanted, suggestions


def look_up(page: Page, requests: Iterable[str]) -> Page:
    """Return ``page`` with only the facts that ``requests`` name; without requests, with all facts.

    A request is a number (``CR-F2``, ``cr-f2``, ``F2``; ``CR-F`` for all with this beginning; several at once, also in the
    form of the log: ``(CR-P2, CR-P3)``) or a word or phrase. Of words and phrases, a fact must have all somewhere in its
    text, rulings or options, at the beginning of a word. Raises ``UnknownRuleError``.
    """
    requests = [item for item in requests if _PARTS.sub("", item)]
    if not requests:
        return page
    wanted, phrases = set[str](), list[str]()
    for item in requests:
        found = _numbered(page, item)
        wanted.update(found)
        if not found:
            phrases.append(item)
    wanted.update(_mentioning(page, phrases) if phrases else ())
    sections = (replace(part, facts=tuple(fact for fact in part.facts if fact.id in wanted)) for part in page.sections)
    return replace(page, sections=tuple(part for part in sections if part.facts))


def _numbered(page: Page, item: str) -> list[str]:
    """Return the numbers that ``item`` names, none if it is a word. Raises ``UnknownRuleError`` for an unknown number."""
    numbers = [fact.id for fact in page.facts]
    prefixes = {number.partition("-")[0] for number in numbers}
    parts = [part for part in _PARTS.split(item.upper()) if part]
    if not all(_NUMBER.fullmatch(part) or part.rpartition("-")[0] in prefixes for part in parts):
        return []
    named = dict[str, list[str]]()
    for part in parts:  # a number, one without its prefix, or the beginning of some without digits (`CR-F`)
        named[part] = [one for one in numbers if part in (one, one.partition("-")[2], one.rstrip("0123456789"))]
    unknown = [part for part, found in named.items() if not found]
    if unknown and (len(unknown) < len(parts) or any("-" in part for part in unknown)):
        raise UnknownRuleError(unknown[0], f"there is no rule {unknown[0]}", _similar(unknown[0], numbers))
    return [number for found in named.values() for number in found]


def _similar(part: str, numbers: list[str]) -> tuple[str, ...]:
    """Return the numbers that look like ``part``, apart from their common prefix."""
    short = {number.partition("-")[2]: number for number in numbers}
    return tuple(short[name] for name in suggest(part.rpartition("-")[2], short))


def _mentioning(page: Page, phrases: list[str]) -> list[str]:
    """Return the facts that mention each of ``phrases``. Raises ``UnknownRuleError`` if no fact does."""
    texts = dict[str, str]()
    for fact in page.facts:
        about = [fact.text, *fact.more, *(choice.option for choice in page.choices if fact.id in choice.rules)]
        for ruling in fact.rulings:
            about += (ruling.kind, ruling.reasoned)
        for revision in fact.revisions:
            about += (revision.text, revision.before)
        texts[fact.id] = " ".join(about)
    every = [r"\s+".join(map(re.escape, phrase.split())) for phrase in phrases]
    patterns = [re.compile(rf"(?<!\w){words}", re.IGNORECASE) for words in every]
    found = [number for number, text in texts.items() if all(pattern.search(text) for pattern in patterns)]
    if found:
        return found
    mentioned = [any(map(pattern.search, texts.values())) for pattern in patterns]
    if all(mentioned):
        raise UnknownRuleError(" ".join(phrases), f"no rule mentions all of: {', '.join(phrases)}", ())
    missing = phrases[mentioned.index(False)]
    words = {word.casefold() for text in texts.values() for word in _WORD.findall(text)}
    is_number = _NUMBER.fullmatch(missing.upper())
    similar = _similar(missing.upper(), list(texts)) if is_number else suggest(missing, words)
    raise UnknownRuleError(missing, f"no rule mentions “{missing}”", similar)
