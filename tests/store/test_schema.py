"""The published schemas: up to date, strict, and precise about what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator

from adjudicator import resources, rulesets
from adjudicator.core.bounds import Ge
from adjudicator.core.canonical import json_value
from adjudicator.core.frozen import frozen
from adjudicator.core.game import FORMAT
from adjudicator.core.ids import MODERATOR, Digest
from adjudicator.present import log_of
from adjudicator.session import open_session
from adjudicator.store import schema as schemas
from adjudicator.store.generator import json_schema
from adjudicator.store.kinds import FileKind
from adjudicator.store.load import load_game

PUBLISHED = schemas.names()


def parts(schema: Any) -> list[dict[str, Any]]:
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    found = [part for value in inner for part in parts(value)]
    return [schema, *found] if isinstance(schema, dict) else found


def test_the_published_schemas_are_those_that_the_classes_give_and_no_others(tmp_path: Path) -> None:
    # If this fails: python -m adjudicator.store.schema
    (tmp_path / "old.json").write_text("{}")
    schemas.write(tmp_path)
    written = {file.name: file.read_text("utf-8") for file in tmp_path.iterdir()}
    assert written == {name: schemas.text(name) for name in PUBLISHED}


def test_names_and_unknown_names() -> None:
    assert {"checkpoint-rally.game-file.json", "turn-log.json"} <= set(PUBLISHED)
    with pytest.raises(resources.MissingResource, match=r"no schema has the name “\.\./pyproject\.toml”"):
        schemas.text("../pyproject.toml")


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_is_a_schema_with_an_identity(name: str) -> None:
    schema = json.loads(schemas.text(name))
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:adjudicator:{name.removesuffix('.json').replace('.', ':')}:{FORMAT}"
    assert schema["title"]
    assert schema["description"]


@pytest.mark.parametrize("name", [name for name in PUBLISHED if name.endswith(".components.json") and "output" not in name])
def test_the_schema_of_a_component_set_says_what_each_field_means(name: str) -> None:
    """A copy of a set is the template of moderators, and the schema is its key."""
    fields = [field for part in parts(json.loads(schemas.text(name))) for field in part.get("properties", {}).items()]
    assert len(fields) > 10
    assert [field for field, told in fields if not told.get("description", "").endswith(".")] == []


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_is_closed_bounded_and_tells_kinds_apart(name: str) -> None:
    for part in parts(json.loads(schemas.text(name))):
        assert "oneOf" not in part
        assert "discriminator" not in part
        if part.get("type") == "object":
            assert "additionalProperties" in part or "allOf" in part
        if part.get("type") == "integer" and not {"const", "enum"} & part.keys():
            assert {"minimum", "maximum"} <= part.keys()
        if part.get("minLength") == 64:
            assert part["pattern"] == "^[0-9a-f]{64}$"
        if "allOf" in part:
            assert part["required"] == ["kind"]
            assert part["properties"]["kind"]["enum"] == [
                branch["if"]["properties"]["kind"]["const"] for branch in part["allOf"]
            ]


ADDED_LATER = {"border_order", "identity", "languages", "promised", "receipts", "reported", "set_aside", "without"}


def test_a_game_file_has_every_field() -> None:
    schema = json.loads(schemas.text("checkpoint-rally.game-file.json"))
    for part in parts(schema):
        if part.get("additionalProperties") is False:
            assert part["required"] == [name for name in part["properties"] if name not in ADDED_LATER]
            assert not any("default" in part["properties"][name] for name in part["required"])


def test_a_game_file_may_lack_what_was_added_later() -> None:
    """And nothing else: a component set in it need not say in which order its border pieces are written."""
    schema = json.loads(schemas.text("checkpoint-rally.game-file.json"))
    components = schema["$defs"]["Components"]
    optional = [set(part["properties"]) - set(part["required"]) for part in (schema, components)]
    assert optional == [{"languages", "receipts", "reported", "set_aside"}, {"border_order"}]
    assert components["properties"]["border_order"]["default"] == "compass"
    assert "x-added-later" not in schemas.text("checkpoint-rally.game-file.json")


def test_components_and_positions_may_leave_out_what_has_a_default(rules: Any, toy: Any) -> None:
    components = schemas.schema(rules.meta, rules.types, FileKind.COMPONENTS)
    assert components["$defs"]["Rung"]["required"] == ["height"]
    position = schemas.schema(rules.meta, rules.types, FileKind.POSITION)
    assert position["$defs"]["Climber"]["required"] == ["seat"]


def test_schemas_of_another_package_are_generated(rules: Any) -> None:
    assert not schemas.is_shipped(rules.meta)
    found = schemas.schema(rules.meta, rules.types, FileKind.GAME)
    assert found["$id"] == f"urn:adjudicator:toy-ladder:game-file:{FORMAT}"
    Draft202012Validator.check_schema(found)


def test_a_union_dispatches_on_the_kind_null_beside_it(rules: Any) -> None:
    tool = schemas.generate(rules.meta, rules.types, FileKind.GAME)["$defs"]["Climber"]["properties"]["tool"]
    choice, null = tool["anyOf"]
    assert null == {"type": "null"}
    assert choice["properties"] == {"kind": {"enum": ["rope", "saw"]}}
    assert [branch["then"] for branch in choice["allOf"]] == [{"$ref": "#/$defs/Rope"}, {"$ref": "#/$defs/Saw"}]


@frozen
class Mixed:
    """A class with ``None``.

    Or more.
    """

    a: Annotated[int, Ge(0)] | None
    c: int | str
    title: str
    b: Literal["x", "y"] | None = None
    proof: Digest | None = None


def test_null_beside_a_plain_type_is_folded() -> None:
    schema = json_schema(Mixed)
    assert schema["description"] == "A class with ``null``. Or more."
    assert schema["required"] == ["a", "c", "title"]
    found = schema["properties"]
    assert found["a"] == {"type": ["integer", "null"], "minimum": 0, "maximum": 2**53 - 1}
    assert found["b"] == {"default": None, "type": ["string", "null"], "enum": ["x", "y", None]}
    assert len(found["c"]["anyOf"]) == 2
    assert found["title"] == {"type": "string"}
    assert found["proof"]["pattern"] == "^[0-9a-f]{64}$"


def test_the_log_of_a_game_obeys_its_schema(rally: bytes) -> None:
    validator = Draft202012Validator(json.loads(schemas.text(schemas.TURN_LOG)))
    session = open_session(load_game(rally))
    rows = [json_value(row) for row in log_of(session, session.game.journal, MODERATOR)]
    assert len(rows) >= len(session.game.journal)
    for row in rows:
        validator.validate(row)
    assert not validator.is_valid({**rows[0], "extra": 1})
    assert not validator.is_valid({key: value for key, value in rows[0].items() if key != "why"})


def test_the_shipped_component_set_obeys_its_schema() -> None:
    meta = rulesets.meta("checkpoint-rally")
    validator = Draft202012Validator(json.loads(schemas.text("checkpoint-rally.components.json")))
    for name in meta.component_sets:
        assert list(validator.iter_errors(json.loads(resources.component_set(meta, name)))) == []
