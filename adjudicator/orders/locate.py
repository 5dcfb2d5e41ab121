"""Where on its line the blame lies: the line is read again with positions, only for orders that have a problem."""

from __future__ import annotations

from typing import Any

from lark import Tree
from lark.exceptions import LarkError

from adjudicator.core.problem import Finding
from adjudicator.orders.clean import clean
from adjudicator.orders.grammar import AnyRuleset, position_parser, subtrees
from adjudicator.orders.line import reader


def locate(rules: AnyRuleset, finding: Finding) -> Finding:
    """Return ``finding`` with the column and width of the part of the order that is to blame."""
    if finding.column or not finding.text:
        return finding
    line = clean(finding.text)
    try:
        tree = position_parser(rules).parse(line)
    except LarkError:
        return finding
    if not isinstance(tree, Tree):
        return finding
    blamed = _part(_order_tree(rules, tree, line, finding.order), finding.problem.part, line)
    start, end = _span(blamed)
    return finding.at(start + 1, max(1, end - start), finding.text)


def _order_tree(rules: AnyRuleset, tree: Tree[Any], line: str, order: Any) -> Tree[Any]:
    """Return the subtree of the single order that is meant, of those on the line; else the whole line."""
    singles = subtrees(tree, "order")
    if order is None or len(singles) < 2:
        return singles[0] if order is not None and singles else _instruction(tree)
    for single in singles:
        start, end = _span(single)
        parsed = reader(rules).read(" " * start + line[start:end])
        if getattr(parsed, "expression", None) == order:
            return single
    return _instruction(tree)


def _instruction(tree: Tree[Any]) -> Tree[Any]:
    found = subtrees(tree, "instruction")
    return found[0] if found else tree


def _part(tree: Tree[Any], part: str, line: str) -> Tree[Any]:
    """Return the subtree named by ``part`` (``cell``, ``cell:1``, ``tile=H3``), or ``tree`` itself."""
    if "=" in part:
        name, _, value = part.partition("=")
        matching = [found for found in subtrees(tree, name) if _text(found, line).casefold() == value.casefold()]
        return matching[-1] if matching else tree
    name, _, index = part.partition(":")
    found = subtrees(tree, name) if name else []
    number = int(index or 0)
    return found[number] if number < len(found) else tree


def _text(tree: Tree[Any], line: str) -> str:
    start, end = _span(tree)
    return line[start:end]


def _span(tree: Tree[Any]) -> tuple[int, int]:
    """Return where ``tree`` begins and ends, in characters from 0; rules without kept words have no place of their own."""
    meta = tree.meta
    return (0, 0) if meta.empty else (meta.start_pos, meta.end_pos)
