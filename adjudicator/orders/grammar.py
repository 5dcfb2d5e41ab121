"""Parsers built from a ruleset's grammar and the common one, and what is wrong with a grammar told to its author."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from lark import Lark
from lark.exceptions import GrammarError, LarkError
from lark.grammar import Rule
from lark.load_grammar import Grammar, GrammarBuilder

from adjudicator.core.languages import Spoken
from adjudicator.core.ruleset import AnyRuleset
from adjudicator.core.step import EngineFaultError
from adjudicator.orders import grammar_source, parser_cache
from adjudicator.orders.build import COMMON_BUILDERS
from adjudicator.orders.grammar_source import common_text, stands_on_common
from adjudicator.orders.synonyms import speak
from adjudicator.resources import folder

if TYPE_CHECKING:
    pass

_LATER: Final = frozenset({"WITHDRAW", "FROM_ORDER"})
"""Terminals of the common grammar that came later than the first grammars that import it by name, and need not name them."""


def build_parser(rules: AnyRuleset, **options: Any) -> Lark:
    """Return a parser of one line: from tables that were built earlier, also by another run, else from the grammar."""
    if rules.language.spoken is not None:
        english = build_parser(replace(rules, language=replace(rules.language, spoken=None)))
        return taught(english, rules.language.spoken, **options)
    source, key = grammar_source.own_file(rules).read_text("utf-8"), grammar_source.key_of(rules)
    stored = parser_cache.load(rules.meta.id, key)
    if stored is not None:
        try:
            parser: Lark = cast(Any, Lark)._load_from_dict(stored["data"], stored["memo"], **options)
            return parser
        except (
            LookupError,
            TypeError,
            ValueError,
            AttributeError,
            AssertionError,
            LarkError,
        ):  # the grammar is there all the same
            logging.getLogger(__name__).debug("the stored tables of %s cannot be used", rules.meta.id, exc_info=True)
    try:
        parser = Lark(_put_together(rules, source), **grammar_source.OPTIONS, **options)
    except LarkError as error:
        words = str(error).removesuffix(".")
        raise _fault(rules, f"{words}{_hint(words, source)}") from error
    _require_names(rules, parser)
    parser_cache.save(rules.meta.id, key, parser)
    return parser


def taught(english: Lark, spoken: Spoken, **options: Any) -> Lark:
    """Return the parser ``english`` that understands ``spoken``, too: terminals spelled in more ways, the same states."""
    tables = parser_cache.tables(english)
    callbacks = speak(tables, spoken, shared_terminals())
    parser: Lark = cast(Any, Lark)._load_from_dict(tables["data"], tables["memo"], lexer_callbacks=callbacks, **options)
    return parser


def shared_terminals() -> frozenset[str]:
    """Return the names of the terminals that the grammars of all games share."""
    return frozenset(re.findall(r"(?m)^([A-Z_]+)(?:\.[0-9]+)?:", common_text()))


def _put_together(rules: AnyRuleset, source: str) -> Grammar:
    """Return the grammar that a game's own makes with the common one, which it stands on or imports by name.

    The two are read one after the other, not as one text: so the lines that errors name are those of the game's file.
    """
    builder = GrammarBuilder(import_paths=[_import_grammar])
    if stands_on_common(source):
        builder.load_grammar(common_text(), grammar_source.COMMON)
    builder.load_grammar(source, rules.language.grammar)
    return builder.build()


def _fault(rules: AnyRuleset, words: str) -> EngineFaultError:
    words = f"the grammar of {rules.meta.id} ({rules.language.grammar}) cannot be used: {words}"
    return EngineFaultError(words, rules.meta.id)


def _hint(words: str, source: str) -> str:
    """Return what helps with Lark's ``words`` on a grammar that collides with the common one, or nothing."""
    found = re.search(r"'(\w+)'(?: from \S+)?(?: defined more than once|: Symbol already defined)", words)
    if found is None or not stands_on_common(source) or not re.search(rf"(?m)^\??{found[1]}\b", common_text()):
        return ""
    if found[1] == "order":
        return "; say which orders there are with `%override order: …`"
    return f"; {grammar_source.COMMON} has it already: use that, call yours something else, or write `%override {found[1]}`"


def _require_names(rules: AnyRuleset, parser: Lark) -> None:
    """Raise ``EngineFaultError`` if the rules of the grammar and what builds values of them do not fit each other."""
    defined = {rule.origin.name for rule in parser.rules} | {terminal.name for terminal in parser.terminals}
    # Lark gives what is imported by the way another name, and its builder would never be called.
    strange = {re.sub("(?i)^_?common__", "", name) for name in defined if re.match("(?i)_?common__", name)}
    missing = sorted(strange - _LATER)
    if missing:
        raise _fault(rules, f"it must import from {grammar_source.COMMON} by name: {', '.join(missing)}")
    own = rules.language.builders
    unused = sorted(own.keys() - defined - {rule.alias for rule in parser.rules})
    if unused:
        raise _fault(rules, f"these are part of no order (does `%override order` name every order?): {', '.join(unused)}")
    built = {rule.alias or rule.origin.name for rule in parser.rules if rule.alias or not _is_transparent(rule)}
    unbuilt = sorted(built - own.keys() - COMMON_BUILDERS.keys())
    if unbuilt:
        raise _fault(rules, f"these need an order or a term of the same name: {', '.join(unbuilt)}")


def _is_transparent(rule: Rule) -> bool:
    """Return whether what ``rule`` finds goes straight to the rule that asked for it."""
    return rule.origin.name.startswith("_") or rule.options.expand1


def _import_grammar(base: Any, path: str) -> tuple[Any, str]:
    """Find a grammar that another imports with a dot (``.common``) among the shipped ones, and nowhere else."""
    source = folder("grammar") / path
    if base is None:
        raise OSError(f"{path} is to be found among Lark's own")
    if not source.is_file():
        raise GrammarError(f"there is no grammar {path}")
    return str(source), source.read_text("utf-8")
