"""Read a page of rules from its Markdown: sections of numbered facts, each with its rulings, and the options about it.

``docs/rulesets.md`` explains how to write such a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from adjudicator.core.values import Value, replace

_ID: Final = re.compile(r"[A-Z]+-[A-Z]*[0-9]+")
_HEADING: Final = re.compile(r"(#{1,2}) +(.+)")
_ROW: Final = re.compile(r"\|(.*)\|")
_POINT: Final = re.compile(rf"[*-] +\*\*{_ID.pattern}")
_BULLET: Final = re.compile(r"[*-] +\*\*(?P<about>[^*]+):\*\* +(?P<words>.+)")
_ABOUT: Final = re.compile(rf"(?P<id>{_ID.pattern})(?:, (?P<kind>ruling|house choice|since version (?P<since>[0-9]+)))?")
_OPTION: Final = re.compile(r"`([a-z0-9.-]+?)(?:\.SEAT)?`")
_CELL: Final = re.compile(r"(?<!\\)\|")
_MARKUP: Final = (
    (re.compile(r"\[([^]]+)\]\([^)]*\)"), r"\1"),
    (re.compile(r"`([^`]*)`"), r"\1"),
    (re.compile(r"(?<![\w*])(\*{1,2})(?=\S)([^*]+?)(?<=\S)\1(?![\w*])"), r"\2"),
    (re.compile(r"\\([|*`])"), r"\1"),
)
"""Links, code, emphasis and escaped characters, each with its replacement in plain text."""


class Kind(StrEnum):
    """A ruling settles a question that the rulebook leaves open; a house choice fills in a value that it does not print."""

    RULING = "ruling"
    HOUSE = "house choice"


class Ruling(Value):
    """A decision of the program where the rulebook has none: ``why``, and what a moderator can choose ``instead``."""

    kind: Kind
    text: str
    why: str
    instead: str


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


class _Block(Value):
    """A heading, a row of a table, a point of a list or a paragraph: its text on one line, and its first line."""

    line: int
    text: str


def read_page(text: str) -> Page:
    """Return the page that is written in ``text``. Raises ``MalformedPage``.

    Paragraphs, other tables and lists that are not about a rule are ignored: they are for readers of the page.
    """
    reader = _Reader()
    for block in _blocks(text):
        reader.take(block)
    if not reader.facts:
        raise MalformedPage(1, "this page has no rules: write a table with rows such as `| XY-A1 | text of the rule |`")
    named = ((title, tuple(map(reader.facts.__getitem__, numbers))) for title, numbers in reader.sections.items())
    sections = (Section(title, facts) for title, facts in named if facts)
    return Page(reader.title, tuple(sections), tuple(reader.choices()))


def plain(markdown: str) -> str:
    """Return ``markdown``, a line without blocks, as plain text: emphasis, code marks and links removed."""
    for pattern, left in _MARKUP:
        markdown = pattern.sub(left, markdown)
    return " ".join(markdown.split())


class _Reader:
    """The parts of a page found in the blocks so far."""

    def __init__(self) -> None:
        self.title = ""
        self.sections: dict[str, list[str]] = {}
        self.facts: dict[str, RuleEntry] = {}
        self._choices: list[tuple[_Block, Choice]] = []
        self._columns: list[str] = []
        self._next_row = 0

    def take(self, block: _Block) -> None:
        """Add the next ``block``. Raises ``MalformedPage``."""
        if block.text.startswith("|"):
            self._row(block)
        elif (heading := _HEADING.fullmatch(block.text)) is not None:
            self._begin(block, len(heading[1]), plain(heading[2]))
        elif _POINT.match(block.text):
            self._point(block)

    def choices(self) -> Iterator[Choice]:
        """Yield the options, whose rules may come below them on the page. Raises ``MalformedPage``."""
        for block, choice in self._choices:
            for rule in choice.rules:
                if rule not in self.facts:
                    raise MalformedPage(block.line, f"there is no rule {rule} on this page")
            yield choice

    def _begin(self, block: _Block, level: int, title: str) -> None:
        if level == 1:
            self.title = title
        elif title in self.sections:
            raise MalformedPage(block.line, f"there are two sections “{title}”")
        else:
            self.sections[title] = []

    def _row(self, block: _Block) -> None:
        row = _ROW.fullmatch(block.text)
        if row is None:
            raise MalformedPage(block.line, "a row of a table ends with `|`")
        cells = [cell.strip() for cell in _CELL.split(row[1])]
        is_first, self._next_row = block.line != self._next_row, block.line + 1
        if is_first:
            self._columns = cells
        elif set("".join(cells)) <= set("-: "):
            return
        elif self._columns[:2] == ["rule", "fact"]:
            self._fact(block, cells)
        elif self._columns[:2] == ["option", "rule"]:
            self._choice(block, cells)

    def _fact(self, block: _Block, cells: list[str]) -> None:
        if len(cells) != 2 or not cells[1]:
            raise MalformedPage(block.line, "a rule is a number and a text: `| XY-A1 | text of the rule |`")
        number, text = cells
        if not _ID.fullmatch(number):
            raise MalformedPage(block.line, f"“{number}” is not a rule number such as XY-A1")
        if number in self.facts:
            raise MalformedPage(block.line, f"{number} appears twice")
        if not self.sections:
            raise MalformedPage(block.line, f"{number} is in no section: write a heading with `##` above it")
        self.facts[number] = RuleEntry(number, plain(text))
        self.sections[list(self.sections)[-1]].append(number)

    def _choice(self, block: _Block, cells: list[str]) -> None:
        option = _OPTION.fullmatch(cells[0])
        rules = tuple(cells[1].replace(",", " ").split())
        if option is None or not rules:
            raise MalformedPage(block.line, "an option is written `| `name` | XY-A1 | … |`, with the rules it is about")
        self._choices.append((block, Choice(option[1], rules)))

    def _point(self, block: _Block) -> None:
        bullet = _BULLET.fullmatch(block.text)
        found = bullet and _ABOUT.fullmatch(bullet["about"])
        if bullet is None or found is None:
            kinds = "`**XY-A1:**`, `**XY-A1, ruling:**`, `**XY-A1, house choice:**` or `**XY-A1, since version 2:**`"
            raise MalformedPage(block.line, f"a point about a rule begins with {kinds}")
        fact, words = self._known(block, found["id"]), bullet["words"]
        if found["kind"] is None:
            fact = replace(fact, more=(*fact.more, plain(words)))
        elif found["since"] is not None:
            text, before = _parted(block, words, "Before")
            fact = replace(fact, revisions=(*fact.revisions, Revision(int(found["since"]), text, before)))
        else:
            words = words if "*Instead:*" in words else f"{words} *Instead:* No option."
            text, why, instead = _parted(block, words, "Why", "Instead")
            fact = replace(fact, rulings=(*fact.rulings, Ruling(Kind(found["kind"]), text, why, instead)))
        self.facts[fact.id] = fact

    def _known(self, block: _Block, number: str) -> RuleEntry:
        if number not in self.facts:
            raise MalformedPage(block.line, f"there is no rule {number} above this line")
        return self.facts[number]


def _parted(block: _Block, words: str, *labels: str) -> list[str]:
    """Return the texts in ``words`` before and after ``*Label:*``, for each of ``labels`` in turn."""
    found = [words]
    for label in labels:
        before, mark, after = found.pop().partition(f"*{label}:*")
        if not (mark and before.strip() and after.strip()):
            raise MalformedPage(block.line, f"write a text here, and then `*{label}:*` with another text")
        found += [before, after]
    return [plain(part) for part in found]


def _blocks(text: str) -> Iterator[_Block]:
    """Yield the blocks of ``text``; headings and rows are blocks of one line, lines of code are skipped."""
    begun, lines, is_code = 0, list[str](), False
    for number, line in enumerate((*text.splitlines(), ""), 1):
        words = line.strip()
        is_fence, is_whole = words.startswith("```"), words.startswith(("#", "|"))
        if lines and (not words or is_fence or is_whole or words.startswith(("* ", "- "))):
            yield _Block(begun, " ".join(lines))
            lines = []
        if is_whole and not is_code:
            yield _Block(number, words)
        elif words and not is_fence and not is_code:
            begun = begun if lines else number
            lines.append(words)
        is_code ^= is_fence
