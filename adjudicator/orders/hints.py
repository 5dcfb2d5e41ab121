"""Why a line cannot be read, in words: what stands there, what could stand there, what was probably meant."""

from __future__ import annotations

import re
from typing import Any, Final

from lark import Lark, Token, Tree
from lark.exceptions import LarkError, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from adjudicator.core.near import nearest
from adjudicator.core.problem import Problem
from adjudicator.orders.grammar import AnyRuleset, position_parser
from adjudicator.orders.line import Unreadable

_END: Final = "$END"
_NAME: Final = "NAME"
_TERMS: Final = {
    "INT": "a number",
    "COLON": "`:`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "OUTCOME": "an outcome such as H5",
    "ID": "the name of a game",
    "RELATION": "`=`, `<`, `>` or `has`",
    "seat_name": "a seat",
    "fact": "a fact such as `minutes`",
    "name": "a name",
    "word": "a name",
    "argument": "a name",
}
_QUIET: Final = {"_OR", "_IF", "LSQB", "LPAR", "_AND", "_NOT", _END}
"""Possible nearly everywhere, so naming them helps nobody."""


def explain(rules: AnyRuleset, line: str) -> Unreadable:
    """Return why the fast parser could not read ``line``."""
    parser = position_parser(rules)
    try:
        parser.parse(line)
    except UnexpectedInput as error:
        return _explained(rules, parser, line, error)
    except LarkError as error:
        return Unreadable(Problem("orders/unreadable", f"this cannot be read: {error}"))
    return Unreadable(Problem("orders/unreadable", "this cannot be read"))


def _explained(rules: AnyRuleset, parser: Lark, line: str, error: UnexpectedInput) -> Unreadable:
    start = len(line)
    if isinstance(error, UnexpectedCharacters) or (isinstance(error, UnexpectedToken) and error.token.type != _END):
        start = min((error.column or 1) - 1, len(line))
    first = len(line) - len(line.lstrip())
    word = _word_at(line, start)
    opening = _word_at(line, first)
    if isinstance(error, UnexpectedToken) and _fails_after_opening(line, first + len(opening), start, error):
        # The first word was taken for a seat, since it is no order: it is that word that is wrong.
        return _unknown_order(rules, opening, first)
    expected = _expected(rules, parser, line[:start])
    if not line[start:].strip():
        column = len(line.rstrip()) + 1
        return Unreadable(Problem("orders/incomplete", f"the line ends too early: {_wanted(expected)}"), column)
    if _ORDER in expected and re.match(r"\w", word):
        return _unknown_order(rules, word, start)
    message = f"“{word}” does not fit here: {_wanted(expected)}"
    return Unreadable(Problem("orders/unexpected", message), start + 1, len(word))


def _fails_after_opening(line: str, end: int, start: int, error: UnexpectedToken) -> bool:
    return not line[end:start].strip() and set(error.accepts or error.expected) == {"COLON"}


def _unknown_order(rules: AnyRuleset, word: str, start: int) -> Unreadable:
    verbs = {example.split()[0]: example for example in rules.language.examples}
    near = nearest(word, verbs, 2)
    message = f"“{word}” is no order; orders are: {', '.join(verbs)}"
    return Unreadable(Problem("orders/unknown-order", message, suggestions=tuple(verbs[verb] for verb in near)), start + 1, len(word))


def _word_at(line: str, start: int) -> str:
    match = re.compile(r"[\w-]+|\S").match(line, start)
    return match.group() if match else ""


def _wanted(expected: list[str]) -> str:
    return "expected " + " or ".join(expected) if expected else "nothing more is expected"


_ORDER: Final = "an order"


def _expected(rules: AnyRuleset, parser: Lark, before: str) -> list[str]:
    """Return in words what may follow ``before``, which the parser can read so far."""
    interactive = parser.parse_interactive(before)
    try:
        interactive.exhaust_lexer()
    except LarkError:
        return []
    accepted = interactive.accepts()
    terms = {**_TERMS, **rules.language.terms}
    if len(accepted & _opening_words(rules, parser)) > 1:
        return [_ORDER]
    named = [terms[symbol] for symbol in _names_here(interactive, accepted) if symbol in terms]
    named += [terms[symbol] for symbol in sorted(accepted) if symbol in terms]
    named += [_keyword(parser, symbol) for symbol in sorted(accepted - _QUIET) if symbol not in terms and symbol != _NAME]
    if _END in accepted:
        named.append("the end of the line")
    return [text for text in dict.fromkeys(named) if text]


def _opening_words(rules: AnyRuleset, parser: Lark) -> set[str]:
    """Return the terminals that begin an order: those a verb of the examples is read as."""
    verbs = {example.split()[0] for example in rules.language.examples}
    return {
        terminal.name for terminal in parser.terminals for verb in verbs if terminal.name != _NAME and _reads(terminal, verb)
    }


def _reads(terminal: Any, word: str) -> bool:
    return terminal.name not in ("ID", "OUTCOME") and re.fullmatch(terminal.pattern.to_regexp(), word) is not None


def _names_here(interactive: Any, accepted: set[str]) -> list[str]:
    """Return what a name would be here (``tile``, ``cell``): the rule that takes it, found by trying one."""
    if _NAME not in accepted:
        return []
    trial = interactive.copy()
    trial.feed_token(Token(_NAME, "?"))
    for symbol in sorted(trial.accepts()):
        attempt = trial.copy()
        try:
            result = attempt.feed_token(Token(symbol, "1"))
        except LarkError:
            continue
        values = [*attempt.parser_state.value_stack, *([result] if isinstance(result, Tree) else [])]
        found = [name for value in values if isinstance(value, Tree) for name in _holders(value)]
        if found:
            return found
    return []


def _holders(tree: Tree[Any]) -> list[str]:
    return [str(subtree.data) for subtree in tree.iter_subtrees() if subtree.children and subtree.children[0] == "?"]


def _keyword(parser: Lark, symbol: str) -> str:
    """Return how a keyword is written, in capitals, from the pattern of its terminal."""
    terminal = next((terminal for terminal in parser.terminals if terminal.name == symbol), None)
    if terminal is None:
        return ""
    words = re.findall(r"[a-z]{2,}", terminal.pattern.value.lower())
    return f"`{words[0]}`" if words else ""
