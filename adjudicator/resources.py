"""Find the data that comes with the program: grammars, schemas, rules, component sets; installed or in a checkout."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from adjudicator.core.ruleset import GameMeta


def files(package: str) -> Traversable:
    """Return the folder of ``package``, even in a zip file. Raises ``ModuleNotFoundError`` for an unknown package."""
    spec = find_spec(package)
    places = [] if spec is None else [Path(place) for place in spec.submodule_search_locations or ()]
    if len(places) == 1 and places[0].is_dir():
        return places[0]
    from importlib import resources  # takes time to load, and is hardly ever needed

    return resources.files(package)


class MissingResource(Exception):
    """Report that data of a package is missing, because the installation is broken or the name is wrong."""

    kind = "ruleset"
    exit_code = 2


def folder(name: Literal["grammar", "schemas", "docs", "examples/own-ruleset"]) -> Traversable:
    """Return the folder ``name``: that of the installed package, else that of the checkout.

    Raises ``MissingResource`` if neither is there.
    """
    installed = files("adjudicator").joinpath("_data", *name.split("/"))
    if installed.is_dir():
        return installed
    checkout = Path(__file__).resolve().parent.parent / name
    if checkout.is_dir():
        return checkout
    raise MissingResource(f"reinstall adjudicator: the folder “{name}” is neither in {installed} nor at {checkout}")


def component_set(meta: GameMeta, name: str) -> str:
    """Return the JSON text of the component set ``name`` that the ruleset of ``meta`` ships (``data/<name>.json``).

    Raises ``MissingResource`` if the ruleset ships no set of that name, or its package lacks the file.
    """
    if name not in (*meta.component_sets, *meta.older_sets):
        known = ", ".join(meta.component_sets) or "none"
        raise MissingResource(f"{meta.id} has no component set “{name}”; it has: {known}")
    file = files(_package(meta.ruleset.partition(":")[0])).joinpath("data", f"{name}.json")
    if not file.is_file():
        raise MissingResource(f"reinstall the package of {meta.id}: its component set “{name}” is missing at {file}")
    return file.read_text(encoding="utf-8")


def lesson_text(meta: GameMeta) -> str:
    """Return the JSON text of the lesson of a ruleset (``data/lesson.json``). Raises ``MissingResource``."""
    return _data_text(meta, "lesson.json", f"{meta.name} has no lesson")


def state_fields_text(meta: GameMeta) -> str:
    """Return the JSON text with the fields of a ruleset's states (``data/state.json``). Raises ``MissingResource``."""
    return _data_text(meta, "state.json", f"{meta.name} has no data/state.json")


def _data_text(meta: GameMeta, name: str, missing: str) -> str:
    file = files(_package(meta.ruleset.partition(":")[0])).joinpath("data", name)
    if not file.is_file():
        raise MissingResource(missing)
    return file.read_text(encoding="utf-8")


def language_files(meta: GameMeta | None = None) -> list[tuple[str, str]]:
    """Return files with words of other languages as (name, text): those of this program.

    With a ``meta``, return those of the package with its ruleset; none if that is this program.
    """
    if meta is None:
        place = folder("grammar").joinpath("languages")
    elif not meta.ruleset or meta.ruleset.startswith("adjudicator."):
        return []
    else:
        place = files(_package(meta.ruleset.partition(":")[0])).joinpath("data", "languages")
    found = (file for file in (place.iterdir() if place.is_dir() else ()) if file.name.endswith(".json"))
    return [(str(file), file.read_text(encoding="utf-8")) for file in sorted(found, key=lambda file: file.name)]


def rules_page(meta: GameMeta) -> str:
    """Return the Markdown of the page of rules: ``docs/<game>.md``, or ``data/rules.md`` of another package.

    Raises ``MissingResource`` if there is none.
    """
    package = _package(meta.ruleset.partition(":")[0])
    if package.partition(".")[0] == "adjudicator":
        file = folder("docs").joinpath(f"{meta.id}.md")
    else:
        file = files(package).joinpath("data", "rules.md")
    if not file.is_file():
        raise MissingResource(f"the rules page of {meta.id} is missing: {file}")
    return file.read_text(encoding="utf-8")


def _package(module: str) -> str:
    """Return the package with the data of ``module``: the module itself if it is a package, else its parent."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # not even its parent is there
        spec = None
    if spec is None:
        raise MissingResource(f"reinstall the package {module}: it is missing")
    return module if spec.submodule_search_locations is not None else module.rpartition(".")[0]
