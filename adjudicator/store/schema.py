"""The published JSON Schemas: generated from the same classes that read the files.

``python -m adjudicator.store.schema`` writes them all into ``schemas/`` of the checkout.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from adjudicator import resources, rulesets
from adjudicator.core.game import FORMAT
from adjudicator.core.ruleset import Meta, Types
from adjudicator.store.kinds import FileKind
from adjudicator.store.shape import Schema, refine

if TYPE_CHECKING:
    from adjudicator.outputs.commands import Output

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_TITLES: Final = {
    FileKind.GAME: "game file",
    FileKind.PREPARED: "prepared game",
    FileKind.COMPONENTS: "component set",
    FileKind.POSITION: "explicit position",
}
TURN_LOG: Final = "turn-log.json"
"""The schema of one line of a log of minutes."""
LANGUAGE: Final = "language.json"
"""The schema of a file with the words of a language."""
ARCHIVE_LINE: Final = "archive-line.json"
"""The schema of one line of an archive of many games, which is a game."""
ARCHIVE_INDEX: Final = "archive-index.json"
"""The schema of one line of the index of such an archive."""
OUTPUT: Final = "output"
"""The first part of the name of a schema for the output of a command."""


def file_name(ruleset_id: str, kind: FileKind) -> str:
    """Return the name of a schema in ``schemas/``."""
    return f"{ruleset_id}.{kind}.json"


def schema(meta: Meta, types: Types, kind: FileKind) -> Schema:
    """Return the schema of files of ``kind``: the shipped one, or for a ruleset of another package a generated one.

    Raises ``resources.MissingResource`` if a schema that ships with the program is missing.
    """
    if not is_shipped(meta):
        return generate(meta, types, kind)
    return dict(json.loads(text(file_name(meta.id, kind))))


def older(meta: Meta, number: int) -> Schema | None:
    """Return the published schema of game files of the older format ``number``, ``None`` if it does not exist.

    For a ruleset of another package it is the common part of the schemas of all rulesets.
    """
    folder = resources.folder("schemas").joinpath(f"format-{number}")
    own = (file_name(meta.id, FileKind.GAME),) if is_shipped(meta) else ()
    for name in (*own, f"{FileKind.GAME}.json"):
        if folder.joinpath(name).is_file():
            return dict(json.loads(folder.joinpath(name).read_text(encoding="utf-8")))
    return None


def text(name: str) -> str:
    """Return the text of a shipped schema, such as ``turn-log.json``. Raises ``resources.MissingResource``."""
    file = resources.folder("schemas").joinpath(name)
    if name not in names():
        raise resources.MissingResource(f"no schema has the name “{name}”; choose one of: {', '.join(names())}")
    return file.read_text(encoding="utf-8")


def names() -> tuple[str, ...]:
    """Return the names of the shipped schemas, sorted."""
    return tuple(sorted(file.name for file in resources.folder("schemas").iterdir() if file.name.endswith(".json")))


def is_output(name: str) -> bool:
    """Return whether the schema ``name`` describes the output of a command, not a file."""
    return name.startswith(f"{OUTPUT}.")


def foreign_names() -> tuple[str, ...]:
    """Return the names of the schemas of rulesets from other packages, which are generated on demand."""
    others = (meta for _, meta in rulesets.metas() if isinstance(meta, Meta) and not is_shipped(meta))
    return tuple(file_name(meta.id, kind) for meta in others for kind in FileKind)


def foreign_text(name: str) -> str:
    """Return the text of one of ``foreign_names``. Raises ``rulesets.UnusableRuleset``."""
    ruleset_id, kind, _ = name.split(".")
    rules = rulesets.ruleset(ruleset_id)
    return _written(generate(rules.meta, rules.types, FileKind(kind)))


def is_shipped(meta: Meta) -> bool:
    """Return whether the ruleset comes with this program, and its schemas with it."""
    return meta.ruleset.startswith("adjudicator.")


def generate(meta: Meta, types: Types, kind: FileKind) -> Schema:
    """Return the schema of files of ``kind`` made from the classes ``types`` of a ruleset."""
    from adjudicator.store import typed
    from adjudicator.store.emitted import json_schema

    emitted = json_schema(typed.type_of(types, kind))
    identity = f"urn:adjudicator:{meta.id}:{kind}:{FORMAT}"
    return _headed(
        emitted, identity, f"{meta.name}: {_TITLES[kind]}", is_complete=kind in (FileKind.GAME, FileKind.PREPARED)
    )


def generate_output(command: str) -> Schema:
    """Return the schema of the output of ``command`` with ``--json``, or of each line if it prints several."""
    from adjudicator.outputs.commands import OUTPUTS

    return _of_output(command, OUTPUTS[command])


def _of_output(command: str, output: Output) -> Schema:
    from adjudicator.outputs.commands import FAILURE
    from adjudicator.store.emitted import json_schema

    emitted = json_schema(output.shape)
    title = f"Output of {command}" if command != FAILURE else "Failure"
    found = _headed(emitted, f"urn:adjudicator:{OUTPUT}:{command}:{FORMAT}", title, is_complete=True)
    return {**found, "description": output.description}


def generate_turn_log() -> Schema:
    """Return the schema of one line of a log, as `apply --log` writes it."""
    from adjudicator.outputs.orders import LogRow
    from adjudicator.store.emitted import json_schema

    emitted = json_schema(LogRow)
    return _headed(emitted, f"urn:adjudicator:turn-log:{FORMAT}", "Line of a turn log", is_complete=True)


def generate_language() -> Schema:
    """Return the schema of files with the words of a language, as `orders.languages` reads them."""
    from adjudicator.core.languages import LanguageWords

    return _of_file("language", LanguageWords, "Words of a language")


def _of_file(name: str, shape: Any, title: str) -> Schema:
    """Return the schema ``name`` of files that people write."""
    from adjudicator.store.emitted import json_schema

    schema_ = _headed(json_schema(shape), f"urn:adjudicator:{name}:{FORMAT}", title, is_complete=False)
    schema_["properties"] = {"$schema": {"type": "string"}, **schema_["properties"]}
    return schema_


def _of_commands(meta: Meta) -> dict[str, Schema]:
    """Return the schemas for the commands of a ruleset: of their outputs, and of files that they read, by file name."""
    found: dict[str, Schema] = {}
    for name, output in (rulesets.attribute(meta.schemas) if meta.schemas else {}).items():
        stem = name.removesuffix(".json")
        is_own = is_output(name)
        found[name] = _of_output(stem.split(".")[1], output) if is_own else _of_file(stem, output.shape, output.description)
    return found


def generate_archive_line() -> Schema:
    """Return the schema of one line of an archive, as `archive` writes it."""
    from adjudicator.outputs.archives import ArchiveLine
    from adjudicator.store.emitted import json_schema

    emitted = json_schema(ArchiveLine)
    return _headed(emitted, f"urn:adjudicator:archive-line:{FORMAT}", "Line of an archive", is_complete=False)


def generate_archive_index() -> Schema:
    """Return the schema of one line of the index of an archive: the first, or that of a game."""
    from adjudicator.outputs.archives import ArchivedGame, ArchiveHead
    from adjudicator.store.emitted import json_schema

    emitted = json_schema(ArchiveHead | ArchivedGame)
    title = "Line of the index of an archive"
    found = _headed(emitted, f"urn:adjudicator:archive-index:{FORMAT}", title, is_complete=True)
    return {**found, "description": "The first line, which says how many games there are, or that of a game."}


def published() -> dict[str, str]:
    """Return every schema that is shipped, as file name → text."""
    from adjudicator.outputs.commands import OUTPUTS

    found = {TURN_LOG: _written(generate_turn_log()), LANGUAGE: _written(generate_language())}
    found[ARCHIVE_LINE] = _written(generate_archive_line())
    found[ARCHIVE_INDEX] = _written(generate_archive_index())
    found |= {f"{OUTPUT}.{command}.json": _written(generate_output(command)) for command in OUTPUTS}
    for _, meta in rulesets.metas():
        if isinstance(meta, Meta) and is_shipped(meta):
            types = rulesets.ruleset(meta.id).types
            for kind in FileKind:
                found[file_name(meta.id, kind)] = _written(generate(meta, types, kind))
            found |= {name: _written(schema_) for name, schema_ in _of_commands(meta).items()}
    return found


def write(target: Path) -> None:
    """Write every shipped schema into the folder ``target``, and remove obsolete schemas."""
    target.mkdir(exist_ok=True)
    wanted = published()
    for stale in set(target.glob("*.json")) - {target / name for name in wanted}:
        stale.unlink()
    for name, content in wanted.items():
        (target / name).write_text(content, encoding="utf-8", newline="\n")


def _headed(emitted: Schema, identity: str, title: str, *, is_complete: bool) -> Schema:
    refined = refine(emitted, is_complete=is_complete)
    return {"$schema": _DIALECT, "$id": identity, "title": title, **refined}


def _written(schema_: Schema) -> str:
    return json.dumps(schema_, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write(Path(__file__).resolve().parents[2] / "schemas")
