"""Find where reading a line failed, and the words that fit there."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, UnexpectedToken

from adjudicator.core.frozen import frozen
from adjudicator.core.problem import Problem
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.orders.expected import Expected, expected_in
from adjudicator.orders.lalr_loop import UnusualError
from adjudicator.orders.line_tables import END, Stop, tables_of
from adjudicator.orders.once import once_for_each
from adjudicator.orders.parser import LineProblem, position_parser
from adjudicator.orders.translation import translated

_WORD: Final = re.compile(r"[\w-]+|\S")
_LINKED: Final = re.compile(r"[ ,]*(?:(?:and|then|also)(?!\w)[ ,]*|[&+/][ ,]*)*(?P<word>\w+)", re.IGNORECASE)


@frozen
class ParseFailure:
    """The place where reading ``line`` failed: at ``word`` with the index ``start``, where ``expected`` would fit.

    The word is empty at the end of the line.
    """

    rules: AnyRuleset
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

    def unreadable(self, code: str, message: str, suggestions: tuple[str, ...] = (), rule: str = "") -> LineProblem:
        """Return the problem with the word there; ``rule`` says which words fit."""
        return LineProblem(Problem(code, message, rule, suggestions=suggestions), self.start + 1, max(1, len(self.word)))


def parse_failure(rules: AnyRuleset, line: str) -> ParseFailure:
    """Return the place where the cleaned ``line`` cannot be read."""
    start, states = _stop(rules, line)
    return ParseFailure(rules, line, start, _word(line, start), expected_in(rules, states))


def _word(line: str, start: int) -> str:
    match = _WORD.search(line, start)
    return match.group() if match else ""


def _stop(rules: AnyRuleset, line: str) -> Stop:
    parser = position_parser(rules)
    tables = tables_of(parser)
    if tables is not None:
        with suppress(UnusualError):
            return tables.stop(line)
    start, state = _reach(parser, line)
    return start, (*state.parser_state.state_stack,)


@once_for_each
def verbs(rules: AnyRuleset) -> dict[str, str]:
    """Return an example for each word, in lower case, that begins an order.

    Words of other languages that ``rules`` understand come with an example in their language.
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
    """Return the index to which ``line`` can be read, and the state of the parser there."""
    state: Any = parser.parse_interactive(line)
    states = state.parser_state
    states.parse_conf = type(states.parse_conf)(
        states.parse_conf.parse_table, {}, states.parse_conf.start
    )  # without builders
    before = states.state_stack.copy()
    start = len(line)
    try:
        for token in state.lexer_thread.lex(states):
            states.feed_token(token)
            before = states.state_stack.copy()  # a token that does not fit leaves a half-changed state
        states.feed_token(Token(END, ""), is_end=True)
    except UnexpectedToken as error:
        start = start if error.token.type == END else error.token.start_pos or 0
    except UnexpectedInput as error:
        start = error.pos_in_stream or 0
    states.state_stack[:] = before
    return start, state
