"""Parsers built from a ruleset's grammar: a fast one that makes orders at once, and one that keeps positions."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from lark import Lark, Tree

from adjudicator.core.ruleset import Ruleset
from adjudicator.orders.build import COMMON_BUILDERS
from adjudicator.resources import folder

AnyRuleset = Ruleset[Any, Any, Any]
_parsers: dict[tuple[str, str], Lark] = {}


def fast_parser(rules: AnyRuleset) -> Callable[[str], Any]:
    """Return the parser of one line that builds what it says while it reads, without positions. Built once."""
    return _parser(rules, "fast").parse


def position_parser(rules: AnyRuleset) -> Lark:
    """Return the parser of one line that gives a tree with positions: for lines that have a problem. Built once."""
    return _parser(rules, "positions")


def _parser(rules: AnyRuleset, kind: str) -> Lark:
    key = (rules.meta.id, kind)
    if key not in _parsers:
        _parsers[key] = _build(rules, kind)
    return _parsers[key]


def _build(rules: AnyRuleset, kind: str) -> Lark:
    source = _grammar(rules)
    options: dict[str, Any] = {"propagate_positions": True}
    if kind == "fast":
        options = {"propagate_positions": False, "transformer": _Builder(rules)}
    cache_file = _cache_folder() / f"{rules.meta.id}-{kind}.lark" if _cache_folder() else False
    return Lark(
        source.read_text("utf-8"),
        parser="lalr",
        lexer="contextual",
        start="line",
        maybe_placeholders=True,
        import_paths=[_import_grammar],
        cache=str(cache_file) if cache_file else False,
        **options,
    )


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


@cache
def _cache_folder() -> Path | None:
    """Return the folder for built parsers, or ``None`` if there is no private one: what is there is trusted as code."""
    from platformdirs import user_cache_path

    chosen = os.environ.get("ADJUDICATOR_CACHE")
    path = Path(chosen) if chosen else user_cache_path("adjudicator", appauthor=False)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError:
        return None
    is_private = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not status.st_mode & 0o022)
    return path if is_private and os.access(path, os.W_OK) else None


def subtrees(tree: Tree[Any], name: str) -> list[Tree[Any]]:
    """Return the subtrees of ``tree`` that a rule ``name`` made, in reading order."""
    return [subtree for subtree in tree.iter_subtrees_topdown() if subtree.data == name]
