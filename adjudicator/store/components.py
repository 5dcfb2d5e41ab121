"""Load shipped component sets, and compare them with the reference in a game file."""

from __future__ import annotations

from functools import cache
from typing import Any

from adjudicator import resources
from adjudicator.core.game import ComponentsRef
from adjudicator.core.remember import remember_last
from adjudicator.core.rules import AnyRules
from adjudicator.core.ruleset import GameMeta, Types
from adjudicator.core.values import canonical_bytes, digest
from adjudicator.files import typed


@remember_last
def reference(components: Any) -> ComponentsRef:
    """Return the reference to ``components`` in a game file: id, version and the hash over their canonical JSON."""
    return ComponentsRef(components.id, components.version, digest(canonical_bytes(components)))


def shipped(rules: AnyRules, name: str = "") -> tuple[Any, ComponentsRef]:
    """Return a component set that comes with ``rules``, and its reference; without ``name`` the default set.

    Raises ``resources.MissingResource`` for any other name.
    """
    return _shipped(rules.meta, rules.types, name or rules.meta.component_sets[0])


def shipped_version(rules: AnyRules, name: str, version: int) -> tuple[Any, ComponentsRef]:
    """Return ``version`` of a component set that comes with ``rules``, or else its present version.

    Raises ``resources.MissingResource`` if no set has that name.
    """
    older = f"{name}-{version}"
    return shipped(rules, older if older in rules.meta.older_sets else name)


def is_shipped(rules: AnyRules, components: ComponentsRef) -> bool:
    """Return whether exactly these ``components`` come with ``rules``, so that a file need not contain them."""
    if components.id not in rules.meta.component_sets:
        return False
    return shipped_version(rules, components.id, components.version)[1] == components


def is_borrowed(rules: AnyRules, components: Any) -> bool:
    """Return whether ``components`` have the name of a set that comes with ``rules``, but are not that set."""
    if components.id not in rules.meta.component_sets:
        return False
    found = shipped_version(rules, components.id, components.version)[0]
    if components is found:
        return False
    return components.version == found.version and not is_shipped(rules, reference(components))


@cache
def _shipped(meta: GameMeta, types: Types, name: str) -> tuple[Any, ComponentsRef]:
    text = resources.component_set(meta, name)
    components = typed.read(types.components, text)
    return components, reference(components)
