"""Every checker says the same: jsonschema, its quicker form, the typed load; and so do both ways to load."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from adjudicator import rulesets
from adjudicator.core.game import FORMAT, Game
from adjudicator.store import checking, typed
from adjudicator.store.errors import Untrusted
from adjudicator.store.kinds import FileKind
from adjudicator.store.load import load_as_written, load_carefully, load_game
from adjudicator.store.save import dump_game
from adjudicator.store.schema import schema

Document = dict[str, Any]
Path = tuple[str | int, ...]

VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.0,
    2.5,
    2**53,
    10**30,
    "",
    "x",
    "spent",
    "rope",
    "a\n",
    [],
    [1],
    {},
    {"kind": "x"},
)
SHARE = 8
LONG = ("y" * 81, "0" * 64, "f" * 63 + "\n", ["z"] * 40)


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def at(document: Any, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document


def changed(document: Document, path: Path, change: Callable[[Any, Any], None]) -> Document:
    result = copy.deepcopy(document)
    change(at(result, path[:-1]), path[-1])
    return result


def mutants(document: Document, values: tuple[Any, ...]) -> Iterator[tuple[str, Document]]:
    """Yield the document with each value in turn replaced, left out, renamed, or doubled."""
    for path in places(document):
        if not path:
            continue
        for value in values:
            yield f"{path} = {value!r}", changed(document, path, lambda place, key, v=value: place.__setitem__(key, v))
        yield f"del {path}", changed(document, path, lambda place, key: place.__delitem__(key))
        if isinstance(path[-1], str):
            yield f"rename {path}", changed(document, path, lambda place, key: place.update({key + "_": place.pop(key)}))
        else:
            yield f"double {path}", changed(document, path, lambda place, key: place.insert(key, place[key]))


@pytest.fixture(params=[SHARE, pytest.param(1, marks=pytest.mark.soak)])
def every(request: pytest.FixtureRequest) -> int:
    """Return how many mutants are passed over for each that is looked at; the long runs look at all."""
    return int(request.param)


@pytest.fixture
def small(make_game: Callable[..., Game]) -> Document:
    found: Document = json.loads(dump_game(make_game(orders=1)))
    return found


def is_built(types: Any, document: Document) -> bool:
    try:
        typed.read(typed.type_of(types, FileKind.GAME), json.dumps(document))
    except typed.Misfit:
        return False
    return True


def test_all_checkers_agree_on_every_mutant(small: Document, rules: Any, every: int) -> None:
    standard = Draft202012Validator(schema(rules.meta, rules.types, FileKind.GAME))
    good = 0
    for what, mutant in islice(mutants(small, VALUES + LONG), 0, None, every):
        verdict = standard.is_valid(mutant)
        assert verdict == (not checking.violations(rules, FileKind.GAME, mutant)), what
        if verdict and "1.0" not in what:  # JSON Schema calls 1.0 a whole number; reading it is refused before
            assert is_built(rules.types, mutant), what
        good += verdict
    assert good > 100 / every


def test_both_ways_to_load_agree_on_every_forged_mutant(
    small: Document, every: int, forge: Callable[[Document], bytes]
) -> None:
    known = good = 0
    for what, mutant in islice(mutants(small, VALUES), 0, None, every):
        try:
            data = forge(mutant)
        except (KeyError, TypeError, AttributeError):
            data = json.dumps(mutant).encode()
        quick = load_as_written(data)
        try:
            careful = load_carefully("x", data)
        except Untrusted:
            assert quick is None, what
            continue
        good += mutant.get("format") == FORMAT  # older formats are only read with care
        known += quick is not None
        assert quick is None or quick == careful, what
    assert known > 100 / every
    assert known == good


def test_agreement_on_a_game_of_checkpoint_rally(rally: bytes, forge: Callable[[Document], bytes]) -> None:
    rules = rulesets.ruleset("checkpoint-rally")
    document = json.loads(rally)
    del document["journal"][2:]
    assert load_as_written(rally) == load_carefully("x", rally)
    assert load_as_written(forge(document)) == load_carefully("x", forge(document))
    for what, mutant in islice(mutants(document, ("spent", True)), 0, None, 7):
        assert is_built(rules.types, mutant) or checking.violations(rules, FileKind.GAME, mutant), what


def test_no_schema_is_needed_for_a_file_of_this_program(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "violations", None)
    assert load_game(dump_game(game)) == game


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"format":1}',
        b'{"format":1,"ruleset":{"id":[]}}',
        b'{"format":2,"ruleset":[]}',
        b"\xff",
        b"[" * 999,
    ],
)
def test_the_typed_load_refuses_whatever_is_no_game(data: bytes) -> None:
    assert load_as_written(data) is None
