"""Lark's own parsers of lines, to compare with: the program itself only takes their tables."""

from __future__ import annotations

import marshal
from types import SimpleNamespace
from typing import Any, cast

from lark import Lark, Token
from lark.exceptions import LarkError

from adjudicator.core.rules import AnyRuleset
from adjudicator.orders.build import COMMON_BUILDERS
from adjudicator.orders.grammar_source import shared_terminals
from adjudicator.orders.line_parser import _builder, load_grammar
from adjudicator.orders.per_ruleset import per_ruleset
from adjudicator.orders.stepper import END
from adjudicator.orders.synonyms import add_words


@per_ruleset
def value_parser(rules: AnyRuleset) -> Lark:
    """Return Lark's parser that builds the order of a line."""
    names = {**COMMON_BUILDERS, **rules.language.builders}
    return _loaded(rules, transformer=SimpleNamespace(**{name: _builder(rules, name) for name in names}))


@per_ruleset
def position_parser(rules: AnyRuleset) -> Lark:
    """Return Lark's parser that returns a tree with positions."""
    return _loaded(rules, propagate_positions=True)


def stop(parser: Lark, line: str) -> tuple[int, Any]:
    """Return the index to which ``parser`` can read ``line``, and its state there."""
    state: Any = parser.parse_interactive(line)
    states = state.parser_state
    conf = states.parse_conf
    states.parse_conf = type(conf)(conf.parse_table, {}, conf.start)  # without builders
    before, start = states.state_stack.copy(), len(line)
    try:
        for token in state.lexer_thread.lex(states):
            states.feed_token(token)
            before = states.state_stack.copy()  # a token that does not fit leaves a half-changed state
        states.feed_token(Token(END, ""), is_end=True)
    except LarkError as error:
        token, at = getattr(error, "token", None), getattr(error, "pos_in_stream", None)
        start = start if token is not None and token.type == END else (at if token is None else token.start_pos) or 0
    states.state_stack[:] = before
    return start, state


def _loaded(rules: AnyRuleset, **options: Any) -> Lark:
    lark = marshal.loads(load_grammar(rules)[0])
    words = {} if rules.language.spoken is None else add_words(lark, rules.language.spoken, shared_terminals())
    callbacks = {kind: _translating(word) for kind, word in words.items()}
    loaded: Lark = cast(Any, Lark)._load_from_dict(lark["data"], lark["memo"], lexer_callbacks=callbacks, **options)
    return loaded


def _translating(word: Any) -> Any:
    return lambda token: Token.new_borrow_pos(token.type, word(str(token)), token)
