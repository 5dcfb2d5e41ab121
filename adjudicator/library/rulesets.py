# mypy: implicit-reexport
# ruff: noqa: F401 - some imports are for programs
"""List the installed games, look up their rules, component sets and schemas, and write the package of a new game."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from adjudicator import rulesets
from adjudicator.core.problem import Diagnostic, SetupError
from adjudicator.core.ruleset import GameMeta, Player, Setup, fill_options
from adjudicator.core.values import USUAL_SEATS, Seat, Value
from adjudicator.library.errors import RequestError
from adjudicator.resources import MissingResource, folder
from adjudicator.rulesets import (
    UnusableRuleset,
    all_rulesets,
    commands_of,
    ids_with_commands,
    installed_games,
    meta,
    place_of_bug,
    ruleset_ids,
    whose_bug,
)

if TYPE_CHECKING:  # each function loads only what it needs: the command line starts for each command
    from importlib.resources.abc import Traversable

    from adjudicator.core.game import ComponentsRef
    from adjudicator.core.rules import AnyRules, Ruleset
    from adjudicator.results import OrderProblem
    from adjudicator.rulebook import Page
    from adjudicator.scenes.drawing import Drawing

__all__ = ["all_rulesets", "place_of_bug", "whose_bug"]
_ID: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST: Final = 40
_SKIPPED: Final = ("README.md", "__pycache__")
"""The files of the example that a new package does not need."""


def meta_of(ruleset: str) -> GameMeta:
    """Return the description of ``ruleset`` in any case. Raises ``UnknownRuleset``, ``UnusableRuleset``."""
    return meta(ruleset.lower())


def rules_of(ruleset: str, requests: Iterable[str] = ()) -> Page:
    """Return the page with the rules of ``ruleset``: all, or those whose number or words match one of ``requests``.

    Raises ``RequestError`` if a request finds nothing, and ``UnknownRuleset``.
    """
    from adjudicator.resources import rules_page
    from adjudicator.rulebook import MalformedPage, UnknownRuleError, look_up, read_page

    found = meta_of(ruleset)
    try:
        return look_up(read_page(rules_page(found)), requests)
    except MalformedPage as error:
        raise RequestError(f"the rules page of {found.name} cannot be read: {error}") from error
    except UnknownRuleError as error:
        raise RequestError(f"{found.name}: {error}") from error


class ComponentSet(Value):
    """A component set: the tiles, cards or maps with which a ruleset is played. ``component_set`` returns one."""

    rules: Ruleset
    details: Any

    @property
    def meta(self) -> GameMeta:
        """The ruleset."""
        return self.rules.meta

    @property
    def reference(self) -> ComponentsRef:
        """The id, the version and the hash of the set."""
        from adjudicator.store.game_file import reference

        return reference(self.details)

    @property
    def parts(self) -> Any:
        """The parts as JSON values, as in the file of the set."""
        from adjudicator.core.values import json_value

        return json_value(self.details)

    def copied(self, name: str) -> str:
        """Return the text of a component file to edit: the same parts, one on a line, under the new id ``name``."""

        def entry(value: Any) -> str:
            if isinstance(value, list) and value and isinstance(value[0], dict):
                items = ",\n".join(f"  {json.dumps(item, ensure_ascii=False)}" for item in value)
                return f"[\n{items}\n ]"
            return json.dumps(value, ensure_ascii=False)

        parts = {**self.parts, "id": name, "version": 1}
        entries = ",\n".join(f' "{key}": {entry(value)}' for key, value in parts.items())
        return f"{{\n{entries}\n}}\n"

    @property
    def drawing(self) -> Drawing:
        """The parts as tables and shapes, for texts and pictures."""
        from adjudicator.scenes.drawing import listed_set

        drawn: Drawing | None = self.rules.catalogue(self.details)
        return listed_set(self.details) if drawn is None else drawn

    @property
    def problems(self) -> tuple[OrderProblem, ...]:
        """All reasons why no game with the fewest players and no options can be played with the set; empty if one can."""
        from adjudicator.reports.receipt import order_problem

        seats, version = tuple(map(Seat, USUAL_SEATS[: self.meta.players[0]])), self.meta.version
        options = fill_options(self.meta, seats, {}, version)
        try:
            self.rules(Setup(tuple(map(Player, seats)), options, self.details), version)
        except SetupError as error:
            return tuple(order_problem(Diagnostic(flaw)) for flaw in error.problems)
        return ()


def component_set(ruleset: str, wanted: str | None = None) -> ComponentSet:
    """Return a component set of ``ruleset``: ``wanted`` is its name, or the path of your own (``None``: the usual set).

    Raises ``RequestError``, ``UnknownRuleset``, ``FileProblem``.
    """
    rules = rulesets.ruleset(ruleset.lower())
    return ComponentSet(rules, chosen_components(rules, wanted))


def chosen_components(rules: AnyRules, wanted: str | None) -> Any:
    """Return the component set called ``wanted``, by name or file; ``None``: the default.

    Raises ``RequestError`` for an unknown name, and as loading does.
    """
    from adjudicator.core.problem import in_any_case
    from adjudicator.store.game_file import shipped
    from adjudicator.store.other_files import load_components

    if wanted is None:
        return shipped(rules)[0]
    named, is_there = in_any_case(wanted, rules.meta.component_sets), wanted == "-" or os.path.exists(wanted)
    if named is not None and (named == wanted or not is_there):
        return shipped(rules, named)[0]
    if not is_there:
        shipped_sets = ", ".join(rules.meta.component_sets)
        raise RequestError(
            f"“{wanted}” is neither a component set nor a file; the sets of {rules.meta.id} are: {shipped_sets}"
        )
    return load_components(wanted, rules)


def schema_names() -> tuple[str, ...]:
    """Return the names of the JSON schemas: those that this program contains, then those of other rulesets."""
    from adjudicator.store.schema import names

    return names()


def schema(name: str) -> str:
    """Return the text of the JSON schema called ``name``, one of ``schema_names``."""
    from adjudicator.store.schema import text

    return text(name)


def write_ruleset(name: str, target: Path) -> tuple[str, ...]:
    """Write the package of a game ``name`` into the new folder ``target``, and return the paths of its files there.

    Raises ``RequestError`` for a name that cannot be used and for a folder that exists, ``OSError`` if it cannot be written.
    """
    module = name.replace("-", "_")
    if not _ID.fullmatch(name) or len(name) > _LONGEST:
        raise RequestError(f"“{name}” is no id: use lower-case letters, digits and single hyphens, such as my-game")
    if any(one.id == name for one in installed_games()):
        raise RequestError(f"choose another name: the game {name} is already installed")
    if iskeyword(module) or find_spec(module) is not None:
        raise RequestError(f"choose another name: Python has a module {module} already")
    if target.exists():
        raise RequestError(f"choose another folder: {target} already exists")
    words = name.split("-")
    names = {
        "last-match": name,
        "last_match": module,
        "LastMatch": "".join(map(str.capitalize, words)),
        "Last Match": " ".join(map(str.capitalize, words)),
        "LM": ("".join(word[0] for word in words) if len(words) > 1 else name[:2]).upper(),
    }

    def renamed(text: str) -> str:
        return re.sub("|".join(names), lambda found: names[found[0]], text)

    def write(example: Traversable, place: Path) -> Iterator[str]:
        place.mkdir(parents=True)
        for entry in sorted(example.iterdir(), key=lambda entry: entry.name):
            path = place / renamed(entry.name)
            if entry.name in _SKIPPED:
                continue
            if entry.is_dir():
                yield from write(entry, path)
            else:
                path.write_text(renamed(entry.read_text("utf-8")), encoding="utf-8", newline="\n")
                yield path.relative_to(target).as_posix()

    return tuple(write(folder("examples/own-ruleset"), target))
