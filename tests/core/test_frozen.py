"""``frozen`` makes what ``dataclasses.dataclass(frozen=True, slots=True)`` makes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, fields, is_dataclass, replace
from typing import Annotated, Any, Literal, TypeVar

import pytest
from annotated_types import Ge
from pydantic import TypeAdapter

from adjudicator.core.canonical import canonical_text
from adjudicator.core.frozen import change, frozen

T = TypeVar("T")


@frozen
class Point:
    """A place."""

    x: int
    y: int = 0
    tags: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reference:
    """A place."""

    x: int
    y: int = 0
    tags: Mapping[str, int] = field(default_factory=dict)


@frozen(kw_only=True)
class Named:
    x: Annotated[int, Ge(0)]
    name: str = "nobody"


@frozen(kw_only=True)
class Kinded:
    x: int
    kind: Literal["kinded"] = "kinded"


EVERY_CHANGE: list[dict[str, Any]] = [{}, {"x": 2}, {"name": "Bob"}, {"x": 2, "name": "Bob"}]


@frozen
class Checked:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("the wrong way round")


@frozen
class Empty:
    pass


@frozen
class Picky:
    key: str
    note: str = field(default="", compare=False)


@frozen
class Child(Point):
    z: int = 9


def call(kind: Any, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
    try:
        return astuple(kind(*arguments, **named))
    except TypeError:
        return TypeError


CALLS: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
    ((1,), {}),
    ((1, 2), {}),
    ((), {"x": 1}),
    ((1,), {"y": 2}),
    ((1, 2, {"a": 1}), {}),
    ((), {}),
    ((1, 2, {}, 4), {}),
    ((1,), {"x": 2}),
    ((1,), {"z": 2}),
]


@pytest.mark.parametrize(("arguments", "named"), CALLS)
def test_it_is_built_alike(arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
    assert call(Point, arguments, named) == call(Reference, arguments, named)


def test_it_is_a_dataclass_like_any_other() -> None:
    assert is_dataclass(Point)
    assert [(one.name, one.type, one.default) for one in fields(Point)] == [
        (one.name, one.type, one.default) for one in fields(Reference)
    ]
    assert Point.__doc__ == Reference.__doc__
    assert Point.__match_args__ == Reference.__match_args__
    assert repr(Point(1)) == repr(Reference(1)).replace("Reference", "Point")
    assert not hasattr(Point(1), "__dict__")


def test_a_default_made_anew_is_not_shared() -> None:
    assert Point(1).tags is not Point(1).tags


def test_nothing_can_be_set_or_deleted() -> None:
    point = Point(1)
    for attempt in (
        lambda: setattr(point, "x", 2),
        lambda: delattr(point, "x"),
        lambda: setattr(point, "other", 2),
    ):
        with pytest.raises((AttributeError, TypeError)):
            attempt()
    assert point == Point(1)


def test_equality_and_hash_are_of_the_class_and_its_fields() -> None:
    assert Named(x=1) == Named(x=1) != Named(x=2)
    assert hash(Named(x=1)) == hash(Named(x=1))
    assert Point(1) != Reference(1)
    assert Point(1) != (1, 0, {})
    assert Point(1) != Child(1)
    assert Point(1).__eq__(1) is NotImplemented
    with pytest.raises(TypeError, match="unhashable"):
        hash(Point(1))
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())


def test_fields_may_stay_out_of_comparisons_and_hashes() -> None:
    one, other = Picky("a", "here"), Picky("a", "there")
    assert one == other
    assert one != Picky("b", "here")
    assert hash(one) == hash(other)


def test_named_fields() -> None:
    assert Named(x=1).name == "nobody"
    with pytest.raises(TypeError):
        Named(1)  # type: ignore[misc]


def test_a_kind_with_one_value_is_a_tag() -> None:
    value = Kinded(x=1)
    assert (value.kind, Kinded.kind) == ("kinded", "kinded")
    assert replace(value, x=2) == change(value, x=2) == Kinded(x=2)
    assert canonical_text(value) == '{"kind":"kinded","x":1}'
    with pytest.raises(TypeError):
        Kinded(x=1, kind="other")  # type: ignore[arg-type]


@pytest.mark.parametrize("changes", EVERY_CHANGE)
def test_a_change_copies_all_other_fields(changes: dict[str, Any]) -> None:
    value = Named(x=1)
    assert change(value, **changes) == replace(value, **changes)
    assert value == Named(x=1)


def test_unknown_fields_cannot_be_changed() -> None:
    with pytest.raises(TypeError, match="has no field 'z'"):
        change(Named(x=1), z=2)


def test_replace_checks_as_building_does() -> None:
    with pytest.raises(ValueError, match="the wrong way round"):
        replace(Checked(1, 2), low=3)
    with pytest.raises(TypeError):
        replace(Point(1), z=3)  # type: ignore[call-arg]


def test_a_subclass_adds_fields() -> None:
    assert astuple(Child(1, 2, {}, 3)) == (1, 2, {}, 3)
    assert Child(1).z == 9


@pytest.mark.parametrize("value", [Point(1, 2, {"a": 3}), Named(x=4), Empty(), Child(5)])
def test_copies_and_pickles_are_equal(value: Any) -> None:
    for other in (copy.copy(value), copy.deepcopy(value), *(pickle.loads(pickle.dumps(value, n)) for n in range(2, 6))):
        assert other == value
        assert type(other) is type(value)


def test_a_class_may_write_its_own_methods() -> None:
    @frozen
    class Own:
        x: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    assert (repr(Own(1)), Own(1) == Own(2), hash(Own(1))) == ("own", True, 7)


def test_what_no_frozen_class_can_be_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Required field 'second' cannot follow optional fields"):

        @frozen
        class Late:
            first: int = 1
            second: int

    with pytest.raises(TypeError, match="as a default value is unsafe"):

        @frozen
        class Shared:
            items: list[int] = [1]  # noqa: RUF012

    with pytest.raises(TypeError, match="has a field that cannot be given"):

        @frozen
        class Derived:
            x: int = field(init=False, default=1)


def test_pydantic_knows_its_schema() -> None:
    schema = TypeAdapter(Named).json_schema()
    assert schema["required"] == ["x"]
    assert schema["properties"]["x"]["minimum"] == 0
