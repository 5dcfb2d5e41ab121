"""The registry: what is installed is found, and what is broken hurts nothing else."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from adjudicator import rulesets
from adjudicator.core.rules import Rules
from adjudicator.core.ruleset import Meta
from adjudicator.rulesets import BrokenRuleset, UnknownRuleset, UnusableRuleset

META = """
from adjudicator.core.ruleset import Meta
META = Meta(id={id!r}, name="X", version=1, prefix="X", players=(2, 2), unit=("m", "minutes"), options=(),
            component_sets=("house",), ruleset={ruleset!r})
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install packages that claim to be rulesets: ``install(package, source, name=value, …)``."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def put(package: str, source: str, **points: str) -> None:
        (tmp_path / f"{package}.py").write_text(source, encoding="utf-8")
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = "".join(f"{name.replace('_', '-')} = {value}\n" for name, value in points.items())
        (info / "entry_points.txt").write_text(f"[adjudicator.rulesets]\n{lines}")
        importlib.invalidate_caches()
        rulesets.forget()

    rulesets.forget()
    yield put
    for name in set(sys.modules) - before:
        if name.startswith("game_"):
            del sys.modules[name]
    rulesets.forget()


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    rulesets.forget()


def reason(name: str) -> str:
    broken = [found for known, found in rulesets.metas() if known == name and isinstance(found, BrokenRuleset)]
    assert len(broken) == 1
    return broken[0].reason


def test_shipped_rulesets_are_known_by_name() -> None:
    names = [name for name, _ in rulesets.metas()]
    assert names == sorted(names)
    assert rulesets.meta("checkpoint-rally").name == "Checkpoint Rally"


def test_every_shipped_ruleset_loads_once() -> None:
    for name, found in rulesets.metas():
        assert isinstance(found, Meta)
        assert isinstance(rulesets.ruleset(name), Rules)
        assert rulesets.ruleset(name) is rulesets.ruleset(name)
        assert rulesets.ruleset(name).meta == found


def test_shipped_rulesets_are_known_without_looking_at_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = rulesets.metas()
    rulesets.forget()
    monkeypatch.setattr(rulesets, "_entry_points", None)
    for name, found in expected:
        assert rulesets.meta(name) is found
        assert rulesets.ruleset(name).meta is found


@pytest.mark.parametrize(
    "name", ["", "meta", "checkpoint_rally", "checkpoint-rally.meta", "..", "a/b", "-", "x" * 5000, "CHECKPOINT-RALLY"]
)
def test_odd_names_are_unknown(name: str) -> None:
    with pytest.raises(UnknownRuleset):
        rulesets.meta(name)


def test_an_unknown_name_with_a_suggestion() -> None:
    with pytest.raises(
        UnknownRuleset, match="no game “checkpoint-raly” is installed \\(did you mean “checkpoint-rally”\\?\\)"
    ) as caught:
        rulesets.meta("checkpoint-raly")
    assert "checkpoint-rally" in caught.value.known
    with pytest.raises(UnknownRuleset) as caught:
        rulesets.ruleset("xyzzy")
    assert caught.value.suggestions == ()
    assert str(caught.value).startswith("no game “xyzzy” is installed; installed are: ")


def test_another_package_adds_a_ruleset(install: Install) -> None:
    install("game_a", META.format(id="a-game", ruleset="game_a:RULES"), a_game="game_a:META")
    found = rulesets.meta("a-game")
    assert found.name == "X"
    names = [name for name, _ in rulesets.metas()]
    assert names == sorted(names)
    assert "a-game" in names


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("raise RuntimeError('no')", "loading it failed: RuntimeError: no"),
        ("import no_such_module", "ModuleNotFoundError: No module"),
        ("this is no Python", "failed: SyntaxError"),
        ("import sys; sys.exit(3)", "loading it failed: SystemExit: 3"),
        ("", "loading it failed: AttributeError"),
        ("META = 5", "game_b:META is not a Meta"),
        (META.format(id="other", ruleset="x:Y"), "the name of its entry point is “b-game”, but its id is “other”"),
    ],
)
def test_a_broken_ruleset_is_told_and_hurts_no_other(install: Install, source: str, words: str) -> None:
    install("game_b", source, b_game="game_b:META")
    install("game_c", META.format(id="c-game", ruleset="game_c:RULES"), c_game="game_c:META")
    assert words in reason("b-game")
    assert isinstance(rulesets.meta("c-game"), Meta)
    assert rulesets.ruleset("checkpoint-rally").meta.prefix == "CR"
    with pytest.raises(UnusableRuleset, match="the ruleset “b-game” cannot be used: "):
        rulesets.ruleset("b-game")
    with pytest.raises(UnknownRuleset) as caught:
        rulesets.meta("nothing")
    assert "b-game" not in caught.value.known


@pytest.mark.parametrize(
    ("source", "fault", "line"),
    [
        ("x = 1\nthis is no Python\n", "SyntaxError: invalid syntax", 2),
        ("def f():\n    x = 1\n  y = 2\n", "IndentationError: unindent does not match any outer indentation level", 3),
        ("import os\nimport no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'", 2),
        ("from adjudicator.game import Nothing\n", "ImportError: cannot import name 'Nothing'", 1),
        ("def f():\n    return f()\n\nf()\n", "RecursionError: ", 2),
        ("import json\njson.loads('{')\n", "JSONDecodeError: ", 2),
        ("raise Exception\n", "Exception;", 1),
    ],
)
@pytest.mark.parametrize("is_late", [False, True])
def test_a_fault_of_another_package_is_told_as_theirs(
    install: Install, tmp_path: Path, source: str, fault: str, line: int, is_late: bool
) -> None:
    """Be it in what is loaded first, or in the rules, which are loaded when they are played."""
    if is_late:
        (tmp_path / "game_late.py").write_text(source, encoding="utf-8")
        install("game_b", META.format(id="b-game", ruleset="game_late:RULES"), b_game="game_b:META")
        with pytest.raises(UnusableRuleset) as caught:
            rulesets.ruleset("b-game")
        told, file = caught.value.broken.reason, "game_late.py"
    else:
        install("game_b", source, b_game="game_b:META")
        told, file = reason("b-game"), "game_b.py"
    assert f"loading it failed: {fault}" in told
    package = file.removesuffix(".py")
    assert told.endswith(
        f"the fault is in the package {package}, which is not part of this program: {tmp_path / file}, line {line}"
    )
    assert rulesets.ruleset("checkpoint-rally").meta.prefix == "CR"


@pytest.mark.parametrize(
    ("ruleset", "words"),
    [
        ("game_d:RULES", "AttributeError"),
        ("game_none:RULES", "ModuleNotFoundError"),
        ("game_d:META", "game_d:META is not an instance of Rules"),
    ],
)
def test_a_meta_without_its_rules(install: Install, ruleset: str, words: str) -> None:
    install("game_d", META.format(id="d-game", ruleset=ruleset), d_game="game_d:META")
    assert isinstance(rulesets.meta("d-game"), Meta)
    with pytest.raises(UnusableRuleset, match=words):
        rulesets.ruleset("d-game")


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("component_sets", "()", "the field “component_sets” of its Meta"),
        ("component_sets", '("house")', "the field “component_sets” of its Meta"),
        ("players", "2", "the field “players” of its Meta must be the fewest and the most"),
        ("players", "(4, 2)", "the field “players” of its Meta"),
        ("players", "(2,)", "the field “players” of its Meta"),
        ("unit", '"m"', "the field “unit” of its Meta"),
        ("name", "None", "the field “name” of its Meta must be a text"),
        ("options", "None", "the field “options” of its Meta"),
        ("version", '"1"', "the field “version” of its Meta must be a whole number"),
        ("version", "True", "the field “version” of its Meta must be a whole number"),
        ("ruleset", '"game_h"', "module:attribute"),
    ],
)
def test_a_meta_with_a_field_that_cannot_be_is_told_by_that_field(
    install: Install, field: str, value: str, words: str
) -> None:
    source = META.format(id="h-game", ruleset="game_h:RULES")
    install(
        "game_h", f"{source}\nfrom dataclasses import replace\nMETA = replace(META, {field}={value})", h_game="game_h:META"
    )
    assert words in reason("h-game")


def test_two_packages_with_the_same_name(install: Install) -> None:
    for package in ("game_e", "game_f"):
        install(package, META.format(id="e-game", ruleset="x:Y"), e_game=f"{package}:META")
    assert reason("e-game") == (
        "remove all but one of the packages that claim this name: game_e (game_e:META), game_f (game_f:META)"
    )
    with pytest.raises(UnusableRuleset, match="remove all but one of the packages"):
        rulesets.meta("e-game")


def test_a_package_that_claims_a_name_of_this_program(install: Install) -> None:
    install("game_g", META.format(id="checkpoint-rally", ruleset="x:Y"), checkpoint_rally="game_g:META")
    assert rulesets.meta("checkpoint-rally").name == "Checkpoint Rally"
    assert reason("checkpoint-rally") == "game_g (game_g:META) claims the name of a ruleset of this program"


def test_the_same_package_seen_twice_is_no_conflict(install: Install) -> None:
    install("game_h", META.format(id="h-game", ruleset="x:Y"), h_game="game_h:META")
    install("game_i", "", h_game="game_h:META")
    assert isinstance(rulesets.meta("h-game"), Meta)
