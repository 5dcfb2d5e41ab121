"""Read the grammars, and name the tables that belong to them. This works without Lark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from adjudicator.core.rules import AnyRules
from adjudicator.orders import parser_cache
from adjudicator.resources import files, folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

OPTIONS: Final[dict[str, Any]] = {
    "parser": "lalr",
    "lexer": "contextual",
    "start": "line",
    "maybe_placeholders": True,
    # The one place that ignores case: A is a, and letters beyond ASCII match no keyword. Otherwise Python would take `ı`
    # for an i, `ſ` for an s and the Kelvin sign for a k, which the builders of orders do not know.
    "g_regex_flags": int(re.ASCII),
}
COMMON: Final = "common.lark"
_FORMAT: Final = "6"
"""The format of the stored tables: a program with another format builds its own."""


def key_of(rules: AnyRules) -> str:
    """Return the key of the tables for the grammar of ``rules``."""
    source, builders = own_text(rules), sorted(rules.language.builders)
    return parser_cache.key(_FORMAT, source, *imported(source), repr(sorted(OPTIONS.items())), repr(builders))


def needs_common(source: str) -> bool:
    """Return whether this program must put the common grammar before a game's grammar, which does not import it."""
    return re.search(r"(?m)^[ \t]*%import\s+\.common\b", source) is None


def imported(source: str) -> list[str]:
    """Return the texts of the shipped grammars that ``source`` uses."""
    names = {f"{name}.lark" for name in re.findall(r"(?m)^[ \t]*%import\s+\.(\w+)", source)} | {COMMON}
    found = [folder("grammar") / name for name in sorted(names)]
    return [file.read_text("utf-8") for file in found if file.is_file()]


def common_text() -> str:
    """Return the text of the common grammar."""
    return (folder("grammar") / COMMON).read_text("utf-8")


def shared_terminals() -> frozenset[str]:
    """Return the names of the terminals that the grammars of all games share."""
    return frozenset(re.findall(r"(?m)^([A-Z_]+)(?:\.[0-9]+)?:", common_text()))


def own_text(rules: AnyRules) -> str:
    """Return the grammar of ``rules``, with the spellings of the game's names where it says ``<NAME>``."""
    text = own_file(rules).read_text("utf-8")
    for name, spellings in rules.language.spellings.items():
        text = text.replace(f"<{name}>", "|".join(spellings))
    return text


def own_file(rules: AnyRules) -> Traversable:
    """Return the file of the grammar of ``rules``."""
    package, colon, path = rules.language.grammar.rpartition(":")
    return files(package) / path if colon else folder("grammar") / path
