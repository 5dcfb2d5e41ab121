"""A moderator's own files: component sets and positions, and the words that say what is wrong with them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from adjudicator import rulesets
from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.frozen import frozen
from adjudicator.core.json_types import require_readable
from adjudicator.files.errors import CannotRead, Untrusted
from adjudicator.resources import MissingResource
from adjudicator.store import checking
from adjudicator.store.components import reference, shipped
from adjudicator.store.kinds import FileKind
from adjudicator.store.load import load_components, load_position
from adjudicator.store.messages import schema_messages, shown


def words(data: Any, load: Any, rules: Any) -> list[str]:
    with pytest.raises(Untrusted) as caught:
        load(data if isinstance(data, bytes) else json.dumps(data).encode(), rules)
    return [str(violation) for violation in caught.value.violations]


def test_components_of_a_moderator(rules: Any, toy: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text('{"id": "own", "version": 1, "rungs": [{"height": 2}, {"wood": "ash", "height": 3}]}')
    own = load_components(file, rules)
    assert own == toy.Components("own", 1, (toy.Rung(2), toy.Rung(3, toy.Wood.ASH)))
    assert reference(own) == replace(reference(own), id="own", version=1)
    assert load_components(canonical_bytes(own), rules) == own


def test_position_of_a_moderator(rules: Any, toy: ModuleType) -> None:
    found = load_position(b'{"climbers": [{"seat": "red", "tool": {"kind": "rope", "length": 3}}, {"seat": "blue"}]}', rules)
    assert found == toy.Position(climbers=(toy.Climber(seat="red", tool=toy.Rope(3)), toy.Climber(seat="blue")))


def test_missing_file(rules: Any, tmp_path: Path) -> None:
    with pytest.raises(CannotRead, match=r"own\.json: there is no such file"):
        load_components(tmp_path / "own.json", rules)


def test_the_heading_says_what_the_file_is_not(rules: Any, tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text("{}")
    with pytest.raises(Untrusted) as caught:
        load_components(str(file), rules)
    assert str(caught.value) == (
        f"{file}: this is not a component set for Toy Ladder\n"
        "  “id” is missing\n  “version” is missing\n  “rungs” is missing"
    )
    with pytest.raises(Untrusted, match="this is not a position of Toy Ladder"):
        load_position(str(file), rules)


def test_every_fault_of_a_component_set_in_words(rules: Any) -> None:
    spoiled = {
        "id": "",
        "version": 0,
        "rungs": [{"heigth": 3}, {"height": "4"}, {"height": 1, "wood": "oka"}, [], {"height": 2**60}],
        "colour\x1b": None,
    }
    assert words(spoiled, load_components, rules) == [
        "the name “colour\\u001b” is unknown here",
        "id: must not be empty",
        "version: must be 1 or more, not 0",
        "rungs[0]: the name “heigth” is unknown here; did you mean “height”?",
        "rungs[0]: “height” is missing",
        "rungs[1].height: must be a whole number, not “4”",
        "rungs[2].wood: must be “oak” or “ash”, not “oka”",
        "rungs[3]: must be a group of names and values, not a list",
        f"rungs[4].height: must be 9007199254740991 or less, not {2**60}",
    ]


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        ({"kind": "rope", "length": 51}, ".length: must be 50 or less, not 51"),
        ({"kind": "rope"}, ": “length” is missing"),
        ({"kind": "saw", "teeth": [0, 45]}, ".teeth[1]: must be 0 or 90, not 45"),
        ({"kind": "axe"}, ".kind: must be “rope” or “saw”, not “axe”"),
        ({"length": 3}, ": “kind” is missing"),
        ("rope", ": cannot be “rope”"),
    ],
)
def test_faults_in_a_union_are_those_of_the_kind_that_was_meant(rules: Any, tool: Any, told: str) -> None:
    spoiled = {"climbers": [{"seat": "red", "tool": tool}]}
    assert words(spoiled, load_position, rules) == [f"climbers[0].tool{told}"]


def test_counts_in_words(rules: Any) -> None:
    assert words({"climbers": []}, load_position, rules) == ["climbers: must not be empty"]
    seats = [{"seat": str(number)} for number in range(4)]
    assert words({"climbers": seats}, load_position, rules) == ["climbers: must have at most 3 items, but has 4"]
    long = {"id": "x" * 81, "version": 1, "rungs": [{"height": 1}]}
    assert words(long, load_components, rules) == ["id: must have at most 80 characters, but has 81"]


def test_kinds_of_event_are_suggested() -> None:
    """A union of twenty kinds: one line, with the likely one."""
    rules = rulesets.ruleset("checkpoint-rally")
    document = {"journal": [{"entry": {"events": [{"kind": "tile-placd"}]}}]}
    found = [v for v in checking.violations(rules, FileKind.GAME, document) if v.path.endswith(".kind")]
    assert len(found) == 1
    assert found[0].words.endswith("not “tile-placd”; did you mean “tile-placed”?")


def test_what_only_the_class_knows(rules: Any) -> None:
    spoiled = {"id": "own", "version": 1, "rungs": [{"height": 2}, {"height": 1}]}
    assert words(spoiled, load_components, rules) == ["the rungs must ascend"]


def test_keywords_that_our_schemas_do_not_have() -> None:
    schema = {"properties": {"a": {"multipleOf": 2}, "b": {"pattern": "^x+$"}, "c": {"exclusiveMinimum": 3}}}
    errors = Draft202012Validator(schema).iter_errors({"a": 3, "b": "y", "c": 3})
    assert [str(violation) for error in errors for violation in schema_messages(error)] == [
        "a: cannot be 3",
        "b: cannot be “y”",
        "c: must be more than 3, not 3",
    ]


def test_values_are_shown_short() -> None:
    assert [shown(value) for value in (None, True, -3, "a\n", {"a": 1}, [1], 10**40)] == [
        "null",
        "true",
        "-3",
        "“a\\u000a”",
        "a group of names and values",
        "a list",
        "a number of 41 digits",
    ]


def test_odd_text_is_refused_here_too(rules: Any) -> None:
    assert words(b'{"id":"a","id":"b"}', load_components, rules) == ["the name “id” appears twice"]
    assert "empty" in " ".join(words(b"", load_position, rules))


def test_shipped_sets(rules: Any) -> None:
    standard, found = shipped(rules)
    assert shipped(rules, "standard") == (standard, found)
    assert found == reference(standard)
    with pytest.raises(MissingResource, match="toy-ladder has no component set “other”; it has: standard"):
        shipped(rules, "other")


def test_the_types_of_a_ruleset_are_checked_before_a_game_is_played(rules: Any) -> None:
    require_readable(rules.types)

    @frozen(kw_only=True)
    class State(rules.types.state):  # type: ignore[misc, name-defined]
        speed: float

    with pytest.raises(TypeError, match="float has no place in a file"):
        require_readable(replace(rules.types, state=State))
