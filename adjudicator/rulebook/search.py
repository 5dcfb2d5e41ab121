"""Look up rules on a page by number, in any spelling, or by words in their text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from adjudicator.core.problem import suggest
from adjudicator.core.values import replace
from adjudicator.rulebook.page import Page

_PARTS: Final = re.compile(r"[\s,;()]+")
_NUMBER: Final = re.compile(r"(?:[A-Z]+-)?[A-Z]*[0-9]+")
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


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
    if phrases:
        wanted.update(_mentioning(page, phrases))
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
