"""The quick builder makes what pydantic makes, and knows what it does not know."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Annotated, Any, Literal, NewType

import pytest
from annotated_types import Ge, Len, Predicate

from adjudicator import rulesets
from adjudicator.core.canonical import json_value
from adjudicator.core.event import Spent
from adjudicator.core.frozen import added_later, frozen
from adjudicator.core.game import Game
from adjudicator.core.ruleset import Types
from adjudicator.store import adapters, bulk, components
from adjudicator.store.builder import NotQuickError, components_builder, game_file_builder
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

Id = NewType("Id", str)


class Colour(StrEnum):
    RED = "red"


class Size(IntEnum):
    SMALL = 1


@dataclass(frozen=True, slots=True)
class Hat:
    colour: Colour | None
    kind: Literal["hat"] = "hat"


@dataclass(frozen=True)
class Bag:
    """Has no slots."""

    hats: tuple[Hat, ...] = ()
    kind: Literal["bag"] = "bag"


@dataclass(frozen=True, slots=True)
class Everything:
    id: Annotated[Id, Len(1, 9)]
    numbers: Annotated[tuple[Annotated[int, Ge(0)], ...], Len(0, 3)]
    pair: tuple[Hat, int]
    things: tuple[Hat | Bag | None, ...]
    flags: Mapping[Id, bool]
    hats: Mapping[str, Hat]
    words: dict[str, tuple[str, ...]]
    nothing: None
    either: Literal["a", 3] | int | None
    empty: tuple[()] = ()

    def __post_init__(self) -> None:
        if self.id == "bad":
            raise ValueError("bad")


def types(kind: type) -> Types:
    return Types(components=kind, position=kind, state=kind, events=(Spent,))


GIVEN = {
    "id": "x",
    "numbers": [1, 2],
    "pair": [{"colour": None, "kind": "hat"}, 7],
    "things": [{"kind": "bag", "hats": [{"colour": "red", "kind": "hat"}]}, None, {"colour": "red", "kind": "hat"}],
    "flags": {"a": True},
    "hats": {"b": {"colour": None, "kind": "hat"}},
    "words": {"c": ["d"]},
    "nothing": None,
    "either": 3,
    "empty": [],
}


def test_builds_what_pydantic_builds() -> None:
    built = components_builder(types(Everything))(GIVEN)
    assert built == adapters.adapter(Everything).validate_json(json.dumps(GIVEN))
    assert built.things[0] == Bag((Hat(Colour.RED),))
    assert built.things[2].colour is Colour.RED
    assert type(built.numbers) is tuple


def test_the_class_may_refuse() -> None:
    with pytest.raises(ValueError, match="bad"):
        components_builder(types(Everything))({**GIVEN, "id": "bad"})


def test_a_field_left_out_is_not_quick() -> None:
    with pytest.raises(KeyError):
        components_builder(types(Hat))({"colour": None})


@dataclass(frozen=True, slots=True)
class Recursive:
    inner: Recursive | None


@dataclass(frozen=True, slots=True)
class Sized:
    size: Size


@dataclass(frozen=True, slots=True)
class Listed:
    names: list[str]


@dataclass(frozen=True, slots=True)
class Guarded:
    name: Annotated[str, Predicate(str.islower)]


@dataclass(frozen=True, slots=True)
class Keyed:
    names: Mapping[Annotated[str, Len(1, 1)], int]


@dataclass(frozen=True, slots=True)
class Mixed:
    hat: Hat | str


@dataclass(frozen=True, slots=True)
class Sizeless:
    name: str


@dataclass(frozen=True, slots=True)
class Boundless:
    name: str


@frozen
class Grown:
    size: int = added_later(0)


@dataclass(frozen=True, slots=True)
class Alike:
    either: Sizeless | Boundless


@dataclass(frozen=True, slots=True)
class Growing:
    either: Hat | Grown


@dataclass(frozen=True, slots=True)
class Untagged:
    either: Hat | Sizeless | None


@dataclass(frozen=True, slots=True)
class Derived:
    name: str
    shown: str = field(init=False, default="")


@pytest.mark.parametrize("either", [{"name": "x"}, {"colour": "red", "kind": "hat"}, None])
def test_classes_without_a_tag_are_told_apart_by_the_names_of_their_fields(either: Any) -> None:
    built = components_builder(types(Untagged))({"either": either})
    assert built == adapters.adapter(Untagged).validate_json(json.dumps({"either": either}))


def test_what_names_no_class_is_not_quick() -> None:
    with pytest.raises(KeyError):
        components_builder(types(Untagged))({"either": {"colour": None}})


@pytest.mark.parametrize("kind", [Recursive, Sized, Listed, Guarded, Keyed, Mixed, Alike, Growing, Derived])
def test_what_only_pydantic_can_build(kind: type) -> None:
    for make in (components_builder, game_file_builder):
        with pytest.raises(NotQuickError):
            make(types(kind))


def test_games_that_only_pydantic_can_build_are_read_the_careful_way(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Any) -> None:
        raise NotQuickError

    monkeypatch.setattr(bulk, "game_file_builder", refuse)
    assert bulk.load(dump_game(game)) is None
    assert load_game(dump_game(game), bulk=True) == game


@pytest.mark.parametrize("loaded", [True, False])
def test_both_readers_of_json(game: Game, monkeypatch: pytest.MonkeyPatch, loaded: bool) -> None:
    if not loaded:
        monkeypatch.delitem(sys.modules, "pydantic_core")
    for data in (b"\xff\xfe{\x00", b"[" * 5000, b'{"a":NaN}', b'{"a":"\\ud800"}', dump_game(game).decode().encode("utf-16")):
        assert bulk.load(data) is None
    halved = dump_game(game).replace(b'"CLIMB 9"', b'"\\ud800"')
    assert halved != dump_game(game)
    assert bulk.load(halved) is None
    assert bulk.load(dump_game(game)) == game


def test_shipped_sets_are_the_same_with_and_without_the_quick_way(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rally = rulesets.ruleset("checkpoint-rally")
    quick = [components.shipped(each) for each in (rules, rally)]
    components._shipped.cache_clear()
    monkeypatch.setattr(components, "_built_quickly", lambda *_: None)
    assert [components.shipped(each) for each in (rules, rally)] == quick
    components._shipped.cache_clear()


@frozen
class Newer:
    name: str
    colour: Colour = added_later(Colour.RED)
    hats: tuple[Hat, ...] = added_later(())
    count: int = added_later(3)


@pytest.mark.parametrize(
    "given", [{}, {"colour": "red", "count": 3}, {"hats": [{"colour": None, "kind": "hat"}]}, {"count": 4}]
)
def test_a_field_added_later_may_be_left_out(given: Any) -> None:
    """By pydantic and by the quick builder alike; what is written again is what was given, but for defaults."""
    document = {"name": "x", **given}
    built = components_builder(types(Newer))(document)
    assert built == adapters.adapter(Newer).validate_json(json.dumps(document))
    assert json_value(built) == {name: value for name, value in document.items() if (name, value) not in DEFAULTS}


DEFAULTS = (("colour", "red"), ("hats", []), ("count", 3))


def test_only_a_field_added_later_may_be_left_out() -> None:
    with pytest.raises(KeyError):
        components_builder(types(Newer))({"colour": "red"})


@pytest.mark.parametrize("game_id", ["checkered-flag", "checkpoint-charlie", "checkpoint-rally"])
def test_the_files_of_every_shipped_game_are_built_the_quick_way(game_id: str) -> None:
    """Whatever stands beside the types of a game, its files must not fall back to the careful way: nobody would notice."""
    types_ = rulesets.ruleset(game_id).types
    assert game_file_builder(types_)
    assert components_builder(types_)
