"""JSON is read into frozen classes with every type and bound checked; what no file can hold is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, Literal, NewType

import pytest
from annotated_types import Len as OtherLen

from adjudicator.core.bounds import Ge, Le, Len
from adjudicator.core.frozen import added_later, frozen, typed_as
from adjudicator.core.ids import Digest
from adjudicator.core.visibility import Public, Secret
from adjudicator.files.typed import Misfit, convert, read

Few = NewType("Few", Annotated[int, Ge(0)])  # type: ignore[valid-newtype]


class Colour(StrEnum):
    RED = "red"


@frozen
class Hat:
    size: int
    kind: Literal["hat"] = "hat"


@frozen
class Boot:
    heel: int
    kind: Literal["boot"] = "boot"


@frozen
class Keeping:
    cards: tuple[str, ...]


@frozen
class Laying:
    cards: tuple[str, ...]
    to: str


@frozen(kw_only=True)
class Everything:
    few: Public[Few]
    most: Annotated[int | None, Le(3)]
    words: Annotated[tuple[Annotated[str, OtherLen(1, 3)], ...], Len(1)]
    pair: tuple[Literal[0, 90], bool]
    colours: Mapping[Annotated[str, Len(1)], Colour]
    worn: Secret[Hat | Boot | None]
    doing: Keeping | Laying | None
    proof: Digest
    later: tuple[int, ...] = added_later(())


GOOD: dict[str, Any] = {
    "few": 1,
    "most": None,
    "words": ["a"],
    "pair": [90, True],
    "colours": {"x": "red"},
    "worn": {"kind": "boot", "heel": 2},
    "doing": {"cards": ["q"], "to": "A1"},
    "proof": "0" * 64,
}
BUILT = Everything(
    few=Few(1),
    most=None,
    words=("a",),
    pair=(90, True),
    colours={"x": Colour.RED},
    worn=Boot(2),
    doing=Laying(("q",), "A1"),
    proof=Digest("0" * 64),
)


def test_every_kind_of_value_is_read() -> None:
    assert convert(Everything, GOOD) == BUILT
    assert convert(Everything, {**GOOD, "doing": {"cards": []}}) == replace(BUILT, doing=Keeping(()))
    assert convert(Everything, {**GOOD, "doing": None, "worn": None}) == replace(BUILT, doing=None, worn=None)


@pytest.mark.parametrize(
    ("name", "value", "path"),
    [
        ("few", -1, "$.few"),
        ("few", True, "$.few"),
        ("few", 1.0, "$.few"),
        ("few", 2**53, "$.few"),
        ("most", 4, "$.most"),
        ("words", [], "$.words"),
        ("words", ["long"], "$.words[0]"),
        ("pair", [91, True], "$.pair[0]"),
        ("pair", [90], "$.pair"),
        ("colours", {"x": "pink"}, "$.colours[...]"),
        ("colours", {"": "red"}, "$.colours"),
        ("worn", {"kind": "coat"}, "$.worn.kind"),
        ("worn", {"kind": "hat", "heel": 1}, "$.worn"),
        ("doing", {"card": []}, "$.doing"),
        ("doing", {"cards": [1]}, "$.doing"),
        ("proof", "0" * 63 + "\n", "$.proof"),
        ("proof", "G" * 64, "$.proof"),
        ("unknown", 1, "$"),
    ],
)
def test_a_value_that_its_class_cannot_hold_is_refused_with_its_place(name: str, value: Any, path: str) -> None:
    with pytest.raises(Misfit) as caught:
        convert(Everything, {**GOOD, name: value})
    assert caught.value.violation.path.startswith(path)


@pytest.mark.parametrize("data", ["", "[", '{"a":', "[1e5]", '["\\ud800"]', "[" * 5000, b"\xff"])
def test_bad_json_is_refused(data: str | bytes) -> None:
    with pytest.raises((Misfit, RecursionError)):
        read(tuple[str, ...], data)


@pytest.mark.parametrize("kind", [float, bytes, set[int], frozenset[str], complex, object])
def test_a_type_that_no_file_can_hold_is_refused(kind: Any) -> None:
    @frozen
    class Odd:
        thing: Any

    Odd.__dataclass_fields__["thing"].type = kind  # type: ignore[attr-defined]
    for _ in range(2):  # the second time as well
        with pytest.raises(TypeError, match="has no place"):
            convert(Odd, {"thing": None})


def test_a_plain_dataclass_is_refused() -> None:
    """It would not leave out fields that were added later."""

    @dataclass(frozen=True)
    class Plain:
        size: int

    with pytest.raises(TypeError, match="Plain has no place in a file: it needs @frozen, not @dataclass"):
        convert(Plain, {"size": 1})


@frozen(per_game=("thing",))
class Holder:
    thing: Any


def test_a_game_gives_the_types_of_its_own_values() -> None:
    assert convert(typed_as(Holder, Hat), {"thing": {"kind": "hat", "size": 1}}) == Holder(Hat(1))
    assert convert(typed_as(Holder, Boot | None), {"thing": None}) == Holder(None)
    with pytest.raises(Misfit):
        convert(typed_as(Holder, Hat), {"thing": {"kind": "boot", "heel": 1}})
