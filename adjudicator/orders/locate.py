"""Find the part of a line that a problem is about, by reading the line again with positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

from adjudicator.core.problem import Diagnostic
from adjudicator.core.rules import AnyRules
from adjudicator.orders.clean import clean
from adjudicator.orders.expected import spellings
from adjudicator.orders.line_parser import Part, Span, line_parser, part_parser
from adjudicator.orders.stepper import UnreadableError

_BESIDE: Final = ("fact", "draw", "argument=", "name=", "word=")
"""Parts that are beside an order on its line, not in it."""


def locate(rules: AnyRules, diagnostic: Diagnostic) -> Diagnostic:
    """Return ``diagnostic`` with the column and width of the wrong part of the order."""
    return Locator(rules).locate(diagnostic)


class Locator:
    """Finds the places of many diagnostics; it reads a line with several problems only once."""

    def __init__(self, rules: AnyRules) -> None:
        """Read lines in the language of ``rules``."""
        self._rules = rules
        self._text: str | None = None
        self._line = ""
        self._parts: Part | None = None
        self._singles: list[tuple[Any, Part]] = []
        self._unbuilt: Iterator[Part] | None = None

    def locate(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return ``diagnostic`` with the column and width of the wrong part of the order."""
        if diagnostic.column or not diagnostic.text:
            return diagnostic
        with suppress(Exception):  # even without a place, the problem itself is known
            if diagnostic.written != self._text:
                self._read(diagnostic.written)
            if self._parts is not None:
                start, end = self._blamed(self._parts, diagnostic)
                return diagnostic.at(start + 1, max(1, end - start), diagnostic.text)
        return diagnostic

    def located(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return ``diagnostics`` with their places; a line that is in many texts is read only once."""
        found = list(diagnostics)
        for number in sorted(range(len(found)), key=lambda number: found[number].written):
            found[number] = self.locate(found[number])
        return found

    def _read(self, text: str) -> None:
        self._text, self._line, self._singles, self._unbuilt = text, clean(text), [], None
        self._parts = part_parser(self._rules)(self._line)

    def _blamed(self, parts: Part, diagnostic: Diagnostic) -> Span:
        """Return the place of the part in the problem, else that of its order, else that of the whole instruction."""
        whole = [*parts.named("instruction"), parts][0]
        order = whole if diagnostic.order is None else self._order(parts, diagnostic.order, whole)
        name = diagnostic.problem.part
        found = _part(whole if name.startswith(_BESIDE) else order, name, self._line) if name else None
        return (order if found is None else found).span

    def _order(self, parts: Part, order: Any, whole: Part) -> Part:
        """Return the part with ``order``: one that the line may carry out, else one whose cost a condition asks for."""
        if not self._singles and self._unbuilt is None:
            singles = _singles(parts)
            if len(singles) == 1 and singles[0].span == whole.span:
                return whole  # the line is a single order: it need not be built
        return next((single for built, single in self._each_single(parts) if built == order), whole)

    def _each_single(self, parts: Part) -> Iterator[tuple[Any, Part]]:
        """Yield each single order of ``parts`` with its part; each is built once for all problems of the line."""
        if self._unbuilt is None:
            self._unbuilt = iter(_singles(parts))
        yield from self._singles
        for single in self._unbuilt:
            self._singles.append((_built(self._rules, self._line[slice(*single.span)]), single))
            yield self._singles[-1]


def words_at(rules: AnyRules, line: str) -> list[Span]:
    """Return the places of names and numbers on the cleaned ``line``, in reading order; none if it cannot be read."""
    parts = part_parser(rules)(line)
    return [] if parts is None else [word.span for word in parts.words()]


def free_names(rules: AnyRules, line: str) -> Iterator[str]:
    """Yield the words of the cleaned ``line`` that are names and not keywords of the grammar, in reading order."""
    parts, spelled = part_parser(rules)(line), spellings(rules)
    if parts is not None:
        yield from (word.text for word in parts.words() if not spelled[word.kind])


def _singles(parts: Part) -> list[Part]:
    """Return the parts that are orders, first those that may be carried out, then those in conditions."""
    singles = parts.named("order")
    if len(singles) > 1:
        singles = parts.named("order", but_not_in="condition") + singles
    return list({id(single): single for single in singles}.values())


def _built(rules: AnyRules, text: str) -> Any:
    """Return the order in ``text``; ``None`` if the text alone is not an order."""
    with suppress(UnreadableError):
        return getattr(line_parser(rules)(text), "expression", None)
    return None


def _part(parts: Part, name: str, line: str) -> Part | None:
    """Return the part ``name``: ``cell`` is the first cell, ``cell:1`` the second, ``tile=H3`` the last tile H3."""
    if "=" in name:
        rule, _, value = name.partition("=")
        spelled = [(found, line[slice(*found.span)].casefold()) for found in parts.named(rule)]
        matching = [found for found, text in spelled if value.casefold() in (text, text.split(" ")[0])]
        return matching[-1] if matching else None
    rule, _, index = name.partition(":")
    found = parts.named(rule)
    number = int(index or 0)
    return found[number] if number < len(found) else None
