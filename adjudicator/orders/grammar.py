"""Parsers built from a ruleset's grammar: one that makes orders while it reads, and one that keeps positions."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, cast

from lark import Lark
from lark.exceptions import LarkError

from adjudicator.core.ruleset import Ruleset
from adjudicator.core.step import EngineFaultError
from adjudicator.orders import parser_cache
from adjudicator.orders.build import COMMON_BUILDERS
from adjudicator.orders.lalr_loop import accelerated
from adjudicator.resources import folder

AnyRuleset = Ruleset[Any, Any, Any]
_OPTIONS: Final[dict[str, Any]] = {"parser": "lalr", "lexer": "contextual", "start": "line", "maybe_placeholders": True}
_parsers: dict[tuple[str, str], tuple[AnyRuleset, Any]] = {}


def line_parser(rules: AnyRuleset) -> Callable[[str], Any]:
    """Return what reads one line and builds what it says: the fast parser, run by the quick loop. Built once."""
    parse: Callable[[str], Any] = _kept(rules, "line", lambda: accelerated(_fast(rules)))
    return parse


def fast_parser(rules: AnyRuleset) -> Callable[[str], Any]:
    """Return Lark's own parser of one line, which builds what it says while it reads, without positions. Built once."""
    return _fast(rules).parse


def position_parser(rules: AnyRuleset) -> Lark:
    """Return the parser of one line that gives a tree with positions: for lines that have a problem. Built once."""
    parser: Lark = _kept(rules, "positions", lambda: _built(rules, propagate_positions=True))
    return parser


def _fast(rules: AnyRuleset) -> Lark:
    parser: Lark = _kept(rules, "fast", lambda: _built(rules, propagate_positions=False, transformer=_Builder(rules)))
    return parser


def _kept(rules: AnyRuleset, kind: str, build: Callable[[], Any]) -> Any:
    """Return the parser of this ``kind``, built at the first call; a ruleset loaded anew gets its own."""
    known = _parsers.get((rules.meta.id, kind))
    if known is None or known[0] is not rules:
        known = _parsers[rules.meta.id, kind] = rules, build()
    return known[1]


def _built(rules: AnyRuleset, **options: Any) -> Lark:
    """Return a parser: from tables built earlier, by this program or an earlier run of it, else from the grammar."""
    source = _grammar(rules).read_text("utf-8")
    common = (folder("grammar") / "common.lark").read_text("utf-8")
    key = parser_cache.key(source, common, repr(sorted(_OPTIONS.items())))
    stored = parser_cache.load(rules.meta.id, key)
    if stored is not None:
        try:
            parser: Lark = cast(Any, Lark)._load_from_dict(stored["data"], stored["memo"], **options)
            return parser
        except Exception:  # Whatever is wrong with them, the grammar is there.
            logging.getLogger(__name__).debug("stored tables of %s are of no use", rules.meta.id, exc_info=True)
    try:
        parser = Lark(source, import_paths=[_import_grammar], **_OPTIONS, **options)
    except LarkError as error:
        words = f"the grammar of {rules.meta.id} ({rules.language.grammar}) cannot be used: {error}"
        raise EngineFaultError(words, rules.meta.id) from error
    _require_names(rules, parser)
    parser_cache.save(rules.meta.id, key, parser)
    return parser


def _require_names(rules: AnyRuleset, parser: Lark) -> None:
    """Raise ``ValueError`` if the grammar uses something of the common one without importing it by name.

    Lark would give it another name, and its builder would never be called.
    """
    named = {rule.origin.name for rule in parser.rules} | {terminal.name for terminal in parser.terminals}
    missing = sorted(re.sub("(?i)^_?common__", "", name) for name in named if re.match("(?i)_?common__", name))
    if missing:
        raise ValueError(f"the grammar of {rules.meta.id} must import from common.lark by name: {', '.join(missing)}")


class _Builder:
    """What Lark calls for each rule of the grammar: the ruleset's builders over the common ones."""

    def __init__(self, rules: AnyRuleset) -> None:
        for name, build in {**COMMON_BUILDERS, **rules.language.builders}.items():
            setattr(self, name, build)


def _grammar(rules: AnyRuleset) -> Traversable:
    package, colon, path = rules.language.grammar.rpartition(":")
    return files(package) / path if colon else folder("grammar") / path


def _import_grammar(_base: Any, path: str) -> tuple[Any, str]:
    """Find an imported grammar among the shipped ones: every game imports ``common.lark`` from there."""
    source = folder("grammar") / path
    if not source.is_file():
        raise OSError(f"there is no grammar {path}")
    return str(source), source.read_text("utf-8")
