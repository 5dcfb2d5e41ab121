"""Values to plain JSON and canonical bytes: one value, one text, on every machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum, IntEnum, StrEnum
from hashlib import sha256
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.canonical import canonical_bytes, canonical_text, digest, json_value
from adjudicator.core.frozen import added_later, frozen


class Colour(StrEnum):
    RED = "red"


class Size(IntEnum):
    BIG = 3


class Mixed(Enum):
    PAIR = ("a", 1)


@frozen
class Leaf:
    b: int
    a: str


@frozen
class Tree:
    leaves: tuple[Leaf, ...]
    colour: Colour
    names: Mapping[str, int]
    nothing: None = None


@frozen
class Empty:
    pass


TREE = Tree((Leaf(2, "x"), Leaf(1, "é")), Colour.RED, {"z": 1, "a": 2})


def test_dataclasses_become_dictionaries_of_all_fields_and_tuples_lists() -> None:
    assert json_value(TREE) == {
        "leaves": [{"b": 2, "a": "x"}, {"b": 1, "a": "é"}],
        "colour": "red",
        "names": {"z": 1, "a": 2},
        "nothing": None,
    }


def test_plain_values_are_of_json_s_own_types_only() -> None:
    assert [type(value) for value in json_value((Colour.RED, Size.BIG, True, 1, "a", None, (), {}))] == [
        str,
        int,
        bool,
        int,
        str,
        type(None),
        list,
        dict,
    ]
    assert json_value(Mixed.PAIR) in (("a", 1), ["a", 1])


def test_canonical_text_has_sorted_keys_no_spaces_and_no_ascii_escapes() -> None:
    text = '{"colour":"red","leaves":[{"a":"x","b":2},{"a":"é","b":1}],"names":{"a":2,"z":1},"nothing":null}'
    assert canonical_text(TREE) == text
    assert canonical_bytes(TREE) == text.encode()


@pytest.mark.parametrize("value", [Empty(), {}, (), [], "", 0, True, False, None, MappingProxyType({"a": 1}), -1, 2**60])
def test_canonical_text_is_that_of_the_plain_value(value: Any) -> None:
    assert json.loads(canonical_text(value)) == json_value(value)
    assert canonical_text(value) == canonical_text(json_value(value))


def test_keys_are_sorted_by_code_point_at_every_depth() -> None:
    assert canonical_text({"b": {"é": 1, "z": 2, "Z": 3}, "a": 0}) == '{"a":0,"b":{"Z":3,"z":2,"é":1}}'


@pytest.mark.parametrize("value", [object(), 1j, (1, object()), {"a": 1j}])
def test_what_json_cannot_hold_has_no_place_in_a_file(value: Any) -> None:
    with pytest.raises(TypeError, match="has no place"):
        json_value(value)
    with pytest.raises(TypeError, match="no place"):
        canonical_bytes(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(JSON)
@settings(max_examples=60)
def test_canonical_text_is_what_json_itself_writes_with_sorted_keys(value: Any) -> None:
    """So reading it gives the value back."""
    assert canonical_text(value) == json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@given(JSON, JSON)
@settings(max_examples=40)
def test_what_a_field_holds_is_written_as_it_is_by_itself_whatever_the_field_is_for(one: Any, other: Any) -> None:
    assert canonical_text(Leaf(one, other)) == f'{{"a":{canonical_text(other)},"b":{canonical_text(one)}}}'
    assert canonical_text(After(one, other, kin=("y",))) == (
        f'{{"kin":["y"],"name":{canonical_text(one)},"zeal":{canonical_text(other)}}}'
    )


@pytest.mark.parametrize("value", [Colour.RED, Size.BIG, True, False, None, 0, -1, "", 'a"b\\', (), ("x",), {"a": 1}])
def test_a_field_is_written_as_json_writes_it(value: Any) -> None:
    assert json.loads(canonical_text(Leaf(value, "x"))) == {"a": "x", "b": json_value(value)}


def test_a_digest_is_the_sha_256_of_the_parts_joined() -> None:
    assert digest(b"ab", b"c") == digest(b"abc") == sha256(b"abc").hexdigest()


# --- fields that were added later ------------------------------------------------------------------------------------


@frozen
class Before:
    name: str
    zeal: int


@frozen
class After:
    """The same, with two fields that files written before do not have."""

    name: str
    zeal: int
    colour: Colour | None = added_later(None)
    kin: tuple[str, ...] = added_later(())


def test_a_field_added_later_is_left_out_at_its_default() -> None:
    """So that the hash of what was written before stands."""
    before, after = Before("x", 1), After("x", 1)
    assert json_value(after) == json_value(before)
    assert canonical_bytes(after) == canonical_bytes(before)
    assert canonical_bytes({"in": [after]}) == canonical_bytes({"in": [before]})


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"colour": Colour.RED}, '{"colour":"red","name":"x","zeal":1}'),
        ({"kin": ("y",)}, '{"kin":["y"],"name":"x","zeal":1}'),
        ({"colour": Colour.RED, "kin": ("y",)}, '{"colour":"red","kin":["y"],"name":"x","zeal":1}'),
    ],
)
def test_a_field_added_later_is_written_where_it_says_something(changes: Any, text: str) -> None:
    after = After("x", 1, **changes)
    assert canonical_text(after) == text
    assert json_value(after) == json.loads(text)
