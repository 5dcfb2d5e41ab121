"""Find the data that comes with the program and with rulesets: grammars, schemas, docs, component sets, words."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from adjudicator.core.ruleset import GameMeta


class MissingResource(Exception):
    """Report that data of a package is missing, because the installation is broken or the name is wrong."""

    kind = "ruleset"
    exit_code = 2


def files(package: str) -> Traversable:
    """Return the folder of ``package``, even in a zip file. Raises ``ModuleNotFoundError`` for an unknown package."""
    spec = find_spec(package)
    places = [] if spec is None else [Path(place) for place in spec.submodule_search_locations or ()]
    if len(places) == 1 and places[0].is_dir():
        return places[0]
    from importlib import resources  # takes time to load, and is hardly ever needed

    return resources.files(package)


def folder(name: Literal["grammar", "schemas", "docs", "examples/own-ruleset"]) -> Traversable:
    """Return the folder ``name``: that of the installed package, else that of the checkout. Raises ``MissingResource``."""
    installed = files("adjudicator").joinpath("_data", *name.split("/"))
    checkout = Path(__file__).resolve().parent.parent / name
    if not (installed.is_dir() or checkout.is_dir()):
        raise MissingResource(f"reinstall adjudicator: the folder “{name}” is neither in {installed} nor at {checkout}")
    return installed if installed.is_dir() else checkout


def data_of(meta: GameMeta) -> Traversable:
    """Return the folder ``data`` beside the rules of ``meta``. Raises ``MissingResource`` if their package is missing."""
    module = meta.ruleset.partition(":")[0]
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # not even its parent is there
        spec = None
    if spec is None:
        raise MissingResource(f"reinstall the package {module}: it is missing")
    return files(module if spec.submodule_search_locations is not None else module.rpartition(".")[0]) / "data"


def text_of(file: Traversable, missing: str) -> str:
    """Return the text of ``file``. Raises ``MissingResource`` with the words ``missing`` if there is no such file."""
    if not file.is_file():
        raise MissingResource(missing)
    return file.read_text(encoding="utf-8")


def component_set(meta: GameMeta, name: str) -> str:
    """Return the JSON text of the component set ``name`` of a ruleset (``data/<name>.json``). Raises ``MissingResource``."""
    if name not in (*meta.component_sets, *meta.older_sets):
        known = ", ".join(meta.component_sets) or "none"
        raise MissingResource(f"{meta.id} has no component set “{name}”; it has: {known}")
    file = data_of(meta) / f"{name}.json"
    return text_of(file, f"reinstall the package of {meta.id}: its component set “{name}” is missing at {file}")


def language_files(meta: GameMeta | None = None) -> list[tuple[str, str]]:
    """Return files with words of other languages as (name, text): those of this program.

    With a ``meta``, return those of the package with its ruleset; none if that is this program.
    """
    if meta is not None and (not meta.ruleset or meta.is_shipped):
        return []
    place = folder("grammar") / "languages" if meta is None else data_of(meta) / "languages"
    found = (file for file in (place.iterdir() if place.is_dir() else ()) if file.name.endswith(".json"))
    return [(str(file), file.read_text(encoding="utf-8")) for file in sorted(found, key=lambda file: file.name)]


def rules_page(meta: GameMeta) -> str:
    """Return the Markdown of the page of rules: ``docs/<game>.md``, or ``data/rules.md`` of another package.

    Raises ``MissingResource`` if there is none.
    """
    file = folder("docs") / f"{meta.id}.md" if meta.is_shipped else data_of(meta) / "rules.md"
    return text_of(file, f"the rules page of {meta.id} is missing: {file}")
