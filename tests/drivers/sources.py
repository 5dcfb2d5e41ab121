"""The modules of the program as trees, which several laws look through."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the module at ``path``."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return the module at ``path`` and everything in it."""
    return tuple(ast.walk(tree_of(path)))
