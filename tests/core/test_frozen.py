"""``frozen`` makes what ``dataclasses.dataclass(frozen=True, slots=True)`` makes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import KW_ONLY, FrozenInstanceError, astuple, dataclass, field, fields, is_dataclass, replace
from typing import Annotated, Any, TypeVar

import pytest
from annotated_types import Ge
from pydantic import TypeAdapter, ValidationError

from adjudicator.core.frozen import frozen

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


@frozen
class Mixed:
    first: int
    _: KW_ONLY
    second: int
    third: int = 3


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
    table: dict[str, int] = field(default_factory=dict, hash=False, repr=False)


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
    assert Point.__init__.__annotations__ == Reference.__init__.__annotations__
    assert not hasattr(Point(1), "__dict__")


def test_a_default_made_anew_is_not_shared() -> None:
    assert Point(1).tags is not Point(1).tags


def test_nothing_can_be_set_or_deleted() -> None:
    point = Point(1)
    for change in (
        lambda: setattr(point, "x", 2),
        lambda: delattr(point, "x"),
        lambda: setattr(point, "other", 2),
    ):
        with pytest.raises(FrozenInstanceError):
            change()
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


def test_fields_may_stay_out_of_comparisons_hashes_and_words() -> None:
    one, other = Picky("a", "here", {"b": 1}), Picky("a", "there", {"b": 1})
    assert one == other
    assert one != Picky("a", "here", {"b": 2})
    assert hash(one) == hash(other)
    assert repr(one) == "Picky(key='a', note='here')"


def test_named_and_mixed_fields() -> None:
    assert Named(x=1).name == "nobody"
    with pytest.raises(TypeError):
        Named(1)  # type: ignore[misc]
    assert Mixed(1, second=2) == Mixed(first=1, second=2, third=3)
    with pytest.raises(TypeError):
        Mixed(1, 2)  # type: ignore[misc]


def test_replace_checks_as_building_does() -> None:
    assert replace(Mixed(1, second=2), third=4) == Mixed(1, second=2, third=4)
    with pytest.raises(ValueError, match="the wrong way round"):
        replace(Checked(1, 2), low=3)
    with pytest.raises(TypeError):
        replace(Point(1), z=3)  # type: ignore[call-arg]


def test_a_subclass_adds_fields() -> None:
    assert astuple(Child(1, 2, {}, 3)) == (1, 2, {}, 3)
    assert Child(1).z == 9


@pytest.mark.parametrize("value", [Point(1, 2, {"a": 3}), Named(x=4), Mixed(1, second=2), Empty(), Child(5)])
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


def test_what_no_dataclass_can_be_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Late\.second has no default, and comes after first, which has one"):

        @frozen
        class Late:
            first: int = 1
            second: int

    with pytest.raises(ValueError, match="mutable default"):

        @frozen
        class Shared:
            items: list[int] = []  # noqa: RUF012

    with pytest.raises(TypeError, match="has a field that cannot be given"):

        @frozen
        class Derived:
            x: int = field(init=False, default=1)


def test_pydantic_builds_and_bounds_it() -> None:
    assert TypeAdapter(Named).validate_json('{"x": 3}') == Named(x=3)
    assert TypeAdapter(tuple[Mixed, ...]).validate_python([{"first": 1, "second": 2}]) == (Mixed(1, second=2),)
    with pytest.raises(ValidationError, match="greater than or equal to 0"):
        TypeAdapter(Named).validate_json('{"x": -1}')
    assert TypeAdapter(Named).dump_json(Named(x=3)) == b'{"x":3,"name":"nobody"}'
    assert TypeAdapter(Point).json_schema()["required"] == ["x"]
