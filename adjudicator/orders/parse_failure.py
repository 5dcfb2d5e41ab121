"""Find where reading a line failed, and the words that fit there."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.core.problem import Problem
from adjudicator.core.rules import AnyRules
from adjudicator.core.values import Value, replace
from adjudicator.orders.expected import Expected, expected_at
from adjudicator.orders.line_parser import stepper
from adjudicator.orders.line_problem import LineProblem
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.orders.stepper import END
from adjudicator.orders.translation import translate

_WORD: Final = re.compile(r"[\w-]+|\S")
_LINKED: Final = re.compile(r"[ ,]*(?:(?:and|then|also)(?!\w)[ ,]*|[&+/][ ,]*)*(?P<word>\w+)", re.IGNORECASE)


class ParseFailure(Value):
    """The place where reading ``line`` failed: at ``word`` with the index ``start``, where ``expected`` would fit.

    The word is empty at the end of the line.
    """

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

    def verb_ahead(self) -> ParseFailure | None:
        """Return the failure at the next word, after words like AND, if that word begins an order; else ``None``."""
        match = _LINKED.match(self.line, self.start)
        if match is None or match.group("word").casefold() not in verbs(self.rules):
            return None
        return replace(self, start=match.start("word"), word=_word(self.line, match.start("word")))

    def second_order(self) -> ParseFailure | None:
        """Return the failure at the verb of a second order, if one begins where the line could end; else ``None``."""
        return self.verb_ahead() if END in self.expected.accepted else None

    def unreadable(self, code: str, message: str, near: tuple[str, ...] = (), rule: str = "") -> LineProblem:
        """Return the problem with the word there; ``rule`` says which words fit."""
        return LineProblem(Problem(code, message, rule, near=near), self.start + 1, max(1, len(self.word)))


def parse_failure(rules: AnyRules, line: str) -> ParseFailure:
    """Return the place where the cleaned ``line`` cannot be read."""
    start, states, _ = stepper(rules).walk(line)
    return ParseFailure(rules, line, start, _word(line, start), expected_at(rules, states))


def _word(line: str, start: int) -> str:
    match = _WORD.search(line, start)
    return match.group() if match else ""


@per_ruleset
def verbs(rules: AnyRules) -> dict[str, str]:
    """Return an example for each word, in lower case, that begins an order.

    Words of other languages that ``rules`` understand come with an example in their language.
    """
    english = {example.split()[0].casefold(): example for example in rules.language.examples}
    return english if rules.language.spoken is None else {**_foreign_verbs(rules, english), **english}


def _foreign_verbs(rules: AnyRules, english: dict[str, str]) -> dict[str, str]:
    spoken: Any = rules.language.spoken
    table = {verb: spoken.own.get(verb, ()) for verb in english}
    return {
        word.casefold(): translate(rules, replace(spoken, own={**spoken.own, verb: (word,)}), english[verb])
        for verb, words in table.items()
        for word in words
        if word.isalpha()
    }
