"""Until explanations use ``Grammar`` themselves: the place where reading a line failed, as it was."""

from __future__ import annotations

from collections.abc import Mapping

from adjudicator.core.problem import Problem
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Value, replace
from adjudicator.orders.expected import Expected
from adjudicator.orders.fast import END
from adjudicator.orders.grammar import _WORD, grammar_of
from adjudicator.orders.line_problem import LineProblem


class ParseFailure(Value):
    """As ``Failure``."""

    rules: AnyRules
    line: str
    start: int
    word: str
    expected: Expected

    @property
    def is_at_end(self) -> bool:
        """Whether the line ends there."""
        return not self.line[self.start :].strip(" ,")

    @property
    def is_unknown_order(self) -> bool:
        """Whether it is the first word of an order."""
        return self.expected.is_order and self.word[:1].isalnum()

    @property
    def before(self) -> str:
        """The text before it, without trailing blanks."""
        return self.line[: self.start].rstrip(" ,")

    def second_order(self) -> ParseFailure | None:
        """Return the failure at the verb of a second order, if one begins where the line could end; else ``None``."""
        at = grammar_of(self.rules).second_order(self.line)
        if at is None:
            return None
        found = _WORD.search(self.line, at)
        return replace(self, start=at, word=found[0] if found else "")

    def unreadable(self, code: str, message: str, near: tuple[str, ...] = (), rule: str = "") -> LineProblem:
        """Return the problem with the word there; ``rule`` says which words fit."""
        return LineProblem(Problem(code, message, rule, near=near), self.start + 1, max(1, len(self.word)))


def parse_failure(rules: AnyRules, line: str) -> ParseFailure:
    """Return the place where the cleaned ``line`` cannot be read."""
    found = grammar_of(rules).failure(line)
    accepted = frozenset({END}) if found.may_end else frozenset[str]()
    expected = Expected(accepted, found.words, found.keywords, found.spellings, found.is_order, found.rule)
    return ParseFailure(rules, line, found.start, found.word, expected)


def verbs(rules: AnyRules) -> Mapping[str, str]:
    """Return an example for each word, in lower case, that begins an order."""
    usual = {example.split()[0].casefold() for example in rules.language.examples}
    if rules.language.spoken is not None:
        usual |= {word.casefold() for verb in [*usual] for word in rules.language.spoken.own.get(verb, ())}
    return {verb: example for verb, example in grammar_of(rules).verbs.items() if verb in usual}
