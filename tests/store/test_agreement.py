"""Every checker says the same: jsonschema, its quicker form, the typed load; and so do both ways to load."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from adjudicator import resources, rulesets
from adjudicator.core.canonical import canonical_bytes
from adjudicator.core.game import FORMAT, Game
from adjudicator.core.ruleset import Meta
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted
from adjudicator.files.reading import parse
from adjudicator.store import checking
from adjudicator.store.kinds import FileKind, type_of
from adjudicator.store.load import build, load_canonical, load_carefully, load_components, load_game
from adjudicator.store.save import dump_game
from adjudicator.store.schema import is_shipped, schema

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
SHARE = 24
GAMES = tuple(meta for _, meta in rulesets.metas() if isinstance(meta, Meta) and is_shipped(meta))
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
    result = json.loads(json.dumps(document))
    change(at(result, path[:-1]), path[-1])
    return result


def mutants(document: Document, values: tuple[Any, ...], every: int) -> Iterator[tuple[str, Document]]:
    """Yield the document with each value in turn replaced, left out, renamed, or doubled; one ``every`` so many times."""
    for what, path, change in islice(mutations(document, values), 0, None, every):
        yield what, changed(document, path, change)


def mutations(document: Document, values: tuple[Any, ...]) -> Iterator[tuple[str, Path, Callable[[Any, Any], None]]]:
    for path in places(document):
        if not path:
            continue
        for value in values:
            yield f"{path} = {value!r}", path, lambda place, key, v=value: place.__setitem__(key, v)
        yield f"del {path}", path, lambda place, key: place.__delitem__(key)
        if isinstance(path[-1], str):
            yield f"rename {path}", path, lambda place, key: place.update({key + "_": place.pop(key)})
        else:
            yield f"double {path}", path, lambda place, key: place.insert(key, place[key])


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
        typed.read(type_of(types, FileKind.GAME), json.dumps(document))
    except typed.Misfit:
        return False
    return True


def test_all_checkers_agree_on_every_mutant(small: Document, rules: Any, every: int) -> None:
    standard = Draft202012Validator(schema(rules.meta, rules.types, FileKind.GAME))
    good = 0
    for what, mutant in mutants(small, VALUES + LONG, every):
        verdict = standard.is_valid(mutant)
        assert verdict == (not checking.violations(rules, FileKind.GAME, mutant)), what
        if verdict and "1.0" not in what:  # JSON Schema calls 1.0 a whole number; reading it is refused before
            assert is_built(rules.types, mutant), what
        good += verdict
    assert good > 100 / every


def require_agreement(rules: Any, kind: FileKind, document: Document, every: int) -> None:
    """Require that the load accepts the mutants of ``document`` that the schema accepts, and no others."""
    standard = Draft202012Validator(schema(rules.meta, rules.types, kind))
    good = 0
    for what, mutant in mutants(document, VALUES + LONG, every):
        data = json.dumps(mutant).encode()
        try:
            data, plain = parse("x", data)
        except Untrusted:
            continue
        is_accepted = True
        try:
            build("x", rules, kind, data, plain, "")
        except Untrusted:
            is_accepted = False
        assert is_accepted == standard.is_valid(mutant), what
        good += is_accepted
    assert good > 0


def test_the_load_accepts_the_same_game_files_as_the_schema(small: Document, rules: Any, every: int) -> None:
    require_agreement(rules, FileKind.GAME, small, every)


def test_the_load_accepts_the_same_positions_as_the_schema(rules: Any, every: int) -> None:
    climbers = [{"seat": "red", "tool": {"kind": "rope", "length": 3}}, {"seat": "blue"}]
    require_agreement(rules, FileKind.POSITION, {"climbers": climbers}, min(every, 3))


@pytest.mark.parametrize("most", [20, pytest.param(3000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", [meta.id for meta in GAMES])
def test_the_load_accepts_the_same_component_sets_as_the_schema(game: str, most: int) -> None:
    rules = rulesets.ruleset(game)
    document = json.loads(resources.component_set(rules.meta, rules.meta.component_sets[0]))
    number = sum(1 for _ in mutations(document, VALUES + LONG))
    require_agreement(rules, FileKind.COMPONENTS, document, number // most + 1)


def test_both_ways_to_load_agree_on_every_forged_mutant(
    small: Document, every: int, forge: Callable[[Document], bytes]
) -> None:
    known = good = 0
    for what, mutant in mutants(small, VALUES, every):
        try:
            data = forge(mutant)
        except (KeyError, TypeError, AttributeError):
            data = json.dumps(mutant).encode()
        quick = load_canonical(data)
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
    assert load_canonical(rally) == load_carefully("x", rally)
    assert load_canonical(forge(document)) == load_carefully("x", forge(document))
    for what, mutant in mutants(document, ("spent", True), 7):
        assert is_built(rules.types, mutant) or checking.violations(rules, FileKind.GAME, mutant), what


def test_no_schema_is_needed_for_a_sound_file(game: Game, rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also not for one that an editor has laid out differently, nor for a component set."""
    monkeypatch.setattr(checking, "violations", None)
    data = dump_game(game)
    assert load_game(data) == game
    assert load_game(json.dumps(json.loads(data), indent=2).encode()) == game
    assert load_components(canonical_bytes(game.setup.components), rules) == game.setup.components


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
    assert load_canonical(data) is None
