"""Compile a ruleset's grammar with the common one by Lark, and explain mistakes in a grammar to its author."""

from __future__ import annotations

import marshal
import pickle
import re
from collections.abc import Callable
from io import BytesIO
from typing import Any, Final, cast

from lark import Lark
from lark.exceptions import GrammarError, LarkError
from lark.grammar import Rule
from lark.load_grammar import Grammar, GrammarBuilder

from adjudicator.core.problem import EngineFaultError
from adjudicator.core.rules import AnyRules
from adjudicator.orders import grammar_source
from adjudicator.orders.build import COMMON_BUILDERS
from adjudicator.orders.grammar_source import common_text, needs_common, shared_terminals
from adjudicator.orders.languages import Spoken
from adjudicator.orders.lark_tables import tables_of
from adjudicator.orders.stepper import Tables
from adjudicator.orders.synonyms import add_words
from adjudicator.resources import folder

_LATER: Final = frozenset({"WITHDRAW", "FROM_ORDER"})
"""Terminals of the common grammar that older grammars, which import it by name, do not name."""
_NOT_STORED: Final = ("import_paths", "transformer", "propagate_positions", "postlex", "lexer_callbacks", "_plugins")


def compile_grammar(rules: AnyRules) -> tuple[bytes, Tables]:
    """Compile the grammar of ``rules``, without other languages; return Lark's parser as bytes, and its tables."""
    source = grammar_source.own_text(rules)
    try:
        parser = Lark(_put_together(rules, source), **grammar_source.OPTIONS)
        _compile_terminals(parser)
    except (LarkError, re.error) as error:
        words = str(error).removesuffix(".")
        raise _fault(rules, f"{words}{_advice(words, source)}") from error
    _require_names(rules, parser)
    return _bytes(parser), tables_of(parser)


def _compile_terminals(parser: Any) -> object:
    """Compile the pattern of all terminals together. Raises ``re.error`` if they are not possible in one pattern."""
    return parser.parser.lexer.root_lexer.scanner


def tables_with_words(lark: bytes, spoken: Spoken) -> tuple[Tables, dict[str, Callable[[str], str]]]:
    """Return the tables of the parser ``lark`` with the words of ``spoken``, and translations for its terminals.

    It has the same states, and more spellings of terminals.
    """
    saved = marshal.loads(lark)
    words = add_words(saved, spoken, shared_terminals())
    return tables_of(cast(Any, Lark)._load_from_dict(saved["data"], saved["memo"])), words


def _bytes(parser: Lark) -> bytes:
    """Return the data from which Lark makes ``parser`` again, without code."""
    stream = BytesIO()
    parser.save(stream, _NOT_STORED)
    return marshal.dumps(_plain(pickle.loads(stream.getvalue())))


def _plain(value: Any) -> Any:
    """Return ``value`` with plain strings instead of tokens."""
    if isinstance(value, dict):
        return {_plain(name): _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(_plain, value))
    return "".join(value) if isinstance(value, str) else value


def _put_together(rules: AnyRules, source: str) -> Grammar:
    """Return the game's grammar together with the common one.

    The two are read one after the other, not as one text, so that errors name the lines of the game's file.
    """
    builder = GrammarBuilder(import_paths=[_import_grammar])
    if needs_common(source):
        builder.load_grammar(common_text(), grammar_source.COMMON)
    builder.load_grammar(source, rules.language.grammar)
    return builder.build()


def _fault(rules: AnyRules, words: str) -> EngineFaultError:
    words = f"the grammar of {rules.meta.id} ({rules.language.grammar}) cannot be used: {words}"
    return EngineFaultError(words, rules.meta.id)


def _advice(words: str, source: str) -> str:
    """Return advice on an error of Lark (``words``) about a name that the common grammar also defines; else nothing."""
    found = re.search(r"'(\w+)'(?: from \S+)?(?: defined more than once|: Symbol already defined)", words)
    if found is None or not needs_common(source) or not re.search(rf"(?m)^\??{found[1]}\b", common_text()):
        return ""
    if found[1] == "order":
        return "; list the orders with `%override order: …`"
    return f"; {grammar_source.COMMON} defines it: use that definition, rename yours, or write `%override {found[1]}`"


def _require_names(rules: AnyRules, parser: Lark) -> None:
    """Raise ``EngineFaultError`` if the rules of the grammar and their builders do not match."""
    ruled = {rule.origin.name for rule in parser.rules}
    defined = ruled | {terminal.name for terminal in parser.terminals}
    # Lark renames rules that are imported indirectly, and would never call their builders.
    strange = {re.sub("(?i)^_?common__", "", name) for name in defined if re.match("(?i)_?common__", name)}
    missing = sorted(strange - _LATER)
    if missing:
        raise _fault(rules, f"it must import from {grammar_source.COMMON} by name: {', '.join(missing)}")
    own = rules.language.builders
    unused = sorted(own.keys() - ruled - {rule.alias for rule in parser.rules})
    if unused:
        raise _fault(rules, f"no order uses these (does `%override order` name every order?): {', '.join(unused)}")
    built = {rule.alias or rule.origin.name for rule in parser.rules if rule.alias or not _is_transparent(rule)}
    unbuilt = sorted(built - own.keys() - COMMON_BUILDERS.keys())
    if unbuilt:
        raise _fault(rules, f"these need an order or a term of the same name: {', '.join(unbuilt)}")


def _is_transparent(rule: Rule) -> bool:
    """Return whether the matches of ``rule`` go directly to the rule that uses it."""
    return rule.origin.name.startswith("_") or rule.options.expand1


def _import_grammar(base: Any, path: str) -> tuple[Any, str]:
    """Find a grammar that another imports with a dot (``.common``): only shipped ones count."""
    source = folder("grammar") / path
    if base is None:
        raise OSError(f"{path} is one of Lark's own grammars")
    if not source.is_file():
        raise GrammarError(f"no grammar is called {path}")
    return str(source), source.read_text("utf-8")
