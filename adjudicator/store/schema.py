"""The published JSON Schemas: generated from the same classes that read the files.

``python -m adjudicator.store.schema`` writes them all into ``schemas/`` of the checkout.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from adjudicator import resources, rulesets
from adjudicator.core.game import FORMAT
from adjudicator.core.ruleset import GameMeta, Types
from adjudicator.store.kinds import FileKind, type_of

if TYPE_CHECKING:
    from adjudicator.outputs.commands import Output

Schema = dict[str, Any]

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


def schema(meta: GameMeta, types: Types, kind: FileKind) -> Schema:
    """Return the schema of files of ``kind``: the shipped one, or for a ruleset of another package a generated one.

    Raises ``resources.MissingResource`` if a schema that ships with the program is missing.
    """
    if not is_shipped(meta):
        return generate(meta, types, kind)
    return dict(json.loads(text(file_name(meta.id, kind))))


def older_schema(meta: GameMeta, number: int) -> Schema | None:
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


def foreign_names() -> tuple[str, ...]:
    """Return the names of the schemas of rulesets from other packages, which are generated on demand."""
    others = (meta for meta in rulesets.installed_games() if not is_shipped(meta))
    return tuple(file_name(meta.id, kind) for meta in others for kind in FileKind)


def foreign_text(name: str) -> str:
    """Return the text of one of ``foreign_names``. Raises ``rulesets.UnusableRuleset``."""
    ruleset_id, kind, _ = name.split(".")
    rules = rulesets.ruleset(ruleset_id)
    return _text_of(generate(rules.meta, rules.types, FileKind(kind)))


def is_shipped(meta: GameMeta) -> bool:
    """Return whether the ruleset comes with this program, and its schemas with it."""
    return meta.ruleset.startswith("adjudicator.")


def generate(meta: GameMeta, types: Types, kind: FileKind) -> Schema:
    """Return the schema of files of ``kind`` made from the classes ``types`` of a ruleset."""
    return _generate(
        type_of(types, kind),
        f"{meta.id}:{kind}",
        f"{meta.name}: {_TITLES[kind]}",
        is_complete=kind in (FileKind.GAME, FileKind.PREPARED),
    )


def _generate_outputs() -> dict[str, Schema]:
    """Return the schema of the output of each command with ``--json``, or of each line if it prints several."""
    from adjudicator.outputs.commands import OUTPUTS

    return {f"{OUTPUT}.{command}.json": _of_output(command, output) for command, output in OUTPUTS.items()}


def _of_output(command: str, output: Output) -> Schema:
    from adjudicator.outputs.commands import FAILURE

    title = f"Output of {command}" if command != FAILURE else "Failure"
    schema_ = _generate(output.type, f"{OUTPUT}:{command}", title, is_complete=True)
    return {**schema_, "description": output.description}


def _of_file(name: str, kind: Any, title: str) -> Schema:
    """Return the schema ``name`` of files that people write, in which editors look for the address of the schema."""
    found = _generate(kind, name, title)
    return {**found, "properties": {"$schema": {"type": "string"}, **found["properties"]}}


def _of_commands(meta: GameMeta) -> dict[str, Schema]:
    """Return the schemas for the commands of a ruleset: of their outputs, and of files that they read, by file name."""
    found: dict[str, Schema] = {}
    for name, output in (rulesets.attribute(meta.schemas) if meta.schemas else {}).items():
        stem = name.removesuffix(".json")
        is_of_command = name.startswith(f"{OUTPUT}.")
        found[name] = (
            _of_output(stem.split(".")[1], output) if is_of_command else _of_file(stem, output.type, output.description)
        )
    return found


def _generate_others() -> dict[str, Schema]:
    """Return the schemas of the files and lines that are independent of rulesets and commands."""
    from adjudicator.orders.languages import LanguageWords
    from adjudicator.outputs.archives import ArchivedGame, ArchiveHead, ArchiveLine
    from adjudicator.outputs.orders import LogRow

    index = _generate(ArchiveHead | ArchivedGame, "archive-index", "Line of the index of an archive", is_complete=True)
    return {
        TURN_LOG: _generate(LogRow, "turn-log", "Line of a turn log", is_complete=True),
        LANGUAGE: _of_file("language", LanguageWords, "Words of a language"),
        ARCHIVE_LINE: _generate(ArchiveLine, "archive-line", "Line of an archive"),
        ARCHIVE_INDEX: {**index, "description": "The first line, which says how many games there are, or that of a game."},
    }


def all_schemas() -> dict[str, str]:
    """Return every schema that is shipped, as file name → text."""
    found = _generate_outputs() | _generate_others()
    for meta in rulesets.installed_games():
        if is_shipped(meta):
            types = rulesets.ruleset(meta.id).types
            found |= {file_name(meta.id, kind): generate(meta, types, kind) for kind in FileKind} | _of_commands(meta)
    return {name: _text_of(schema_) for name, schema_ in found.items()}


def write(target: Path) -> None:
    """Write every shipped schema into the folder ``target``, and remove obsolete schemas."""
    target.mkdir(exist_ok=True)
    wanted = all_schemas()
    for stale in set(target.glob("*.json")) - {target / name for name in wanted}:
        stale.unlink()
    for name, content in wanted.items():
        (target / name).write_text(content, encoding="utf-8", newline="\n")


def _generate(kind: Any, name: str, title: str, *, is_complete: bool = False) -> Schema:
    from adjudicator.store.generator import json_schema

    heading = {"$schema": _DIALECT, "$id": f"urn:adjudicator:{name}:{FORMAT}", "title": title}
    return {**heading, **json_schema(kind, is_complete=is_complete)}


def _text_of(schema_: Schema) -> str:
    return json.dumps(schema_, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    write(Path(__file__).resolve().parents[2] / "schemas")
