"""Files that are out cannot be changed: what a game file looks like is pinned for each number of the format."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from adjudicator import resources, rulesets
from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.game import FORMAT
from adjudicator.core.ruleset import Meta
from adjudicator.store import schema as schemas
from adjudicator.store.kinds import FileKind
from adjudicator.store.upcast import UPCASTERS

ROOT = Path(__file__).parents[2]

PINS: dict[int, dict[str, str]] = {
    2: {
        "checkered-flag": "9197b0129f6f5ba05cb7699a5d118b387cc3a98371a84ccd0ea4a3fd54a2fd32",
        "checkpoint-charlie": "4aea1eb7e7df8aeeff57138214e37155e4afa93beb769f0d471c76da580a044a",
        "checkpoint-rally": "fcee01bf01a7f12c0427372cb6bd4071bbfba4882b3ae9f69b806ae53bae1592",
        "great-race": "befaaee23421d54fd95f7099c8fff18814692338991ed8b910720dd1c03926bf",
        "rally-round": "c7effb33b3aa1036b4b609a33fc6c52300b33f3d1a5db3612b5de82f35a03cd1",
    },
}
"""SHA-256 over the shape of each ruleset's game files, by format: state, events, set-up and all."""

PUBLISHED = {
    1: "1f52b636ccc95541fb055d2bece515d7d89a8eba4008c0ab9bcdca461ec54c11",
}
"""SHA-256 over the schemas of each older format, byte for byte as they were published."""

CHANGED = """
The game files of {ruleset} no longer have the shape that format {format} was pinned with: `git diff schemas/` shows where.
Games are kept for years, so that every file must be read for ever. If files of the old shape are still read by the new one
(something longer or larger is allowed, an event was added), pin the new shape here:

    {found}

If not, this is a new format:
 1. raise FORMAT in adjudicator/core/game.py, and the number in adjudicator/store/game.py;
 2. keep the schemas as they were in schemas/format-{format}/ (with a general game-file.json, see schemas/format-1);
 3. say in the ruleset's `upgrades` what changed in its parts, and add the step to UPCASTERS in adjudicator/store/upcast.py;
 4. keep the games as they were in tests/data/games/format-{format}/ and read them all in tests/store/test_old_files.py;
 5. pin the new shape here under its number, and tell it in docs/game-file.md and CHANGELOG.md.
"""


def shape(part: Any) -> Any:
    """Return ``part`` of a schema without the words that only explain it, and without numbers of formats."""
    if isinstance(part, dict):
        told = ("description", "title", "$id", "$schema")
        return {key: shape(value) for key, value in part.items() if not (key in told and isinstance(value, str))}
    return [shape(item) for item in part] if isinstance(part, list) else part


@pytest.mark.parametrize("ruleset", PINS[FORMAT])
def test_the_shape_of_game_files_is_that_of_their_format(ruleset: str) -> None:
    schema = json.loads(schemas.text(schemas.file_name(ruleset, FileKind.GAME)))  # that of the classes: see test_schema
    found = sha256(canonical_bytes(shape(schema))).hexdigest()
    assert found == PINS[FORMAT][ruleset], CHANGED.format(ruleset=ruleset, format=FORMAT, found=found)


def test_every_format_is_pinned() -> None:
    assert set(PINS) == {FORMAT}
    shipped = {name for name, meta in rulesets.metas() if isinstance(meta, Meta) and schemas.is_shipped(meta)}
    assert set(PINS[FORMAT]) == shipped
    assert set(PUBLISHED) == set(UPCASTERS) == set(range(1, FORMAT))


@pytest.mark.parametrize("number", PUBLISHED)
def test_a_schema_that_was_published_stays_as_it_is(number: int) -> None:
    digest = sha256()
    folder = resources.folder("schemas").joinpath(f"format-{number}")
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    assert digest.hexdigest() == PUBLISHED[number], "the schemas of an older format are never changed"


@pytest.mark.parametrize("number", UPCASTERS)
def test_the_games_of_every_older_format_are_kept(number: int) -> None:
    assert (ROOT / "tests" / "data" / "games" / f"format-{number}" / "games.zip").is_file()


def test_what_only_explains_is_no_part_of_the_shape() -> None:
    described = {"$id": "x:1", "description": "so", "properties": {"description": {"type": "string", "title": "T"}}}
    assert shape(described) == {"properties": {"description": {"type": "string"}}}
