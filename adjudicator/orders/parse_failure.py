"""Where reading a line failed, and what could have stood there instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from adjudicator.core.frozen import frozen
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.expected import Expected, expected_in
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parser import LineProblem, position_parser
from adjudicator.orders.stops import END, Stop, stops
from adjudicator.orders.translation import translated

_WORD: Final = re.compile(r"[\w-]+|\S")
_LINKED: Final = re.compile(r"[ ,]*(?:(?:and|then|also)(?!\w)[ ,]*|[&+/][ ,]*)*(?P<word>\w+)", re.IGNORECASE)


@frozen
class ParseFailure:
    """Where reading ``line`` failed: before ``word`` at the index ``start``, where ``expected`` could have stood."""

    rules: AnyRuleset
    line: str
    start: int
    expected: Expected

    @property
    def word(self) -> str:
        """The word before which reading failed, empty at the end of the line."""
        match = _WORD.search(self.line, self.start)
        return match.group() if match else ""

    @property
    def is_at_end(self) -> bool:
        """Whether nothing more stands on the line."""
        return not self.line[self.start :].strip(" ,")

    @property
    def before(self) -> str:
        """What stands before it, without blanks at its end."""
        return self.line[: self.start].rstrip(" ,")

    def verb_ahead(self) -> ParseFailure | None:
        """Return the failure at the next word if that begins an order, words like AND left out; else ``None``."""
        match = _LINKED.match(self.line, self.start)
        if match is None or match.group("word").casefold() not in verbs(self.rules):
            return None
        return replace(self, start=match.start("word"))

    def unreadable(self, code: str, message: str, suggestions: tuple[str, ...] = (), rule: str = "") -> LineProblem:
        """Return the problem with the word there, by the ``rule`` that says what could stand there."""
        return LineProblem(Problem(code, message, rule, suggestions=suggestions), self.start + 1, max(1, len(self.word)))


def parse_failure(rules: AnyRuleset, line: str) -> ParseFailure:
    """Return where the cleaned ``line`` stops making sense."""
    start, states = _stopping(rules)(line)
    return ParseFailure(rules, line, start, expected_in(rules, states))


@once_for_each
def _stopping(rules: AnyRuleset) -> Callable[[str], Stop]:
    parser = position_parser(rules)

    def by_lark(line: str) -> Stop:
        start, state = _reach(parser, line)
        return start, (*state.parser_state.state_stack,)

    return stops(parser, by_lark)


@once_for_each
def verbs(rules: AnyRuleset) -> dict[str, str]:
    """Return for each word that begins an order of the examples that example; the words in lower case.

    Words of the other languages that ``rules`` understand come with the example in these.
    """
    english = {example.split()[0].casefold(): example for example in rules.language.examples}
    return english if rules.language.spoken is None else {**_foreign_verbs(rules, english), **english}


def _foreign_verbs(rules: AnyRuleset, english: dict[str, str]) -> dict[str, str]:
    spoken: Any = rules.language.spoken
    table = {verb: spoken.own.get(verb, ()) for verb in english}
    return {
        word.casefold(): translated(rules, replace(spoken, own={**spoken.own, verb: (word,)}), english[verb])
        for verb, words in table.items()
        for word in words
        if word.isalpha()
    }


def _reach(parser: Lark, line: str) -> tuple[int, Any]:
    """Return how far ``line`` can be read, as an index, and the state of the parser there."""
    state: Any = parser.parse_interactive(line)
    before = state.copy(deepcopy_values=False)
    try:
        for token in state.lexer_thread.lex(state.parser_state):
            state.feed_token(token)
            before = state.copy(deepcopy_values=False)  # A token that does not fit leaves the state half changed.
        state.feed_token(Token(END, ""))
    except UnexpectedToken as error:
        return (len(line) if error.token.type == END else error.token.start_pos or 0), before
    except UnexpectedInput as error:
        return error.pos_in_stream or 0, before
    return len(line), before
