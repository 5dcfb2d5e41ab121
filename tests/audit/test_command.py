"""The command `audit` and audits of many games: lines, summary, exit codes, other versions, processes that end."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import adjudicator as adj
from adjudicator import game as kit
from adjudicator.audit import Divergence
from adjudicator.core.values import replace
from tests.drivers import toy
from tests.drivers.records import DELETE, event_of, forge, laid_out, put, small, spoiled, verdict

Run = Callable[..., Result]
GOOD = small("checkpoint-rally")
DOCUMENT = json.loads(GOOD)
FORGED = forge(put(DOCUMENT, event_of(DOCUMENT, "spent") + ".after", lambda minutes: minutes + 1))


def files(**found: bytes | str) -> None:
    for name, data in found.items():
        Path(f"{name}.json").write_bytes(data if isinstance(data, bytes) else data.encode())


def first_words(result: Result) -> list[str]:
    return [line.split()[0] for line in result.stdout.splitlines()]


def test_verified_games(run: Run) -> None:
    files(race=GOOD)
    first, *rest = run("audit", "race.json", code=0).stdout.splitlines()
    assert first.startswith("verified   small  6 orders, ") and first.endswith("  race.json")
    assert rest == ["1 game: 1 verified"]
    assert run("audit", "-", code=0, stdin=GOOD).stdout.splitlines()[0].endswith("  standard input")


def test_what_is_not_verified_ends_with_what_to_do(run: Run) -> None:
    files(good=GOOD, bad=FORGED, torn=GOOD[:-9], new=laid_out({**DOCUMENT, "format": 9}))
    result = run("audit", ".", code=1)
    assert first_words(result)[:4] == ["diverged", "next:", "verified", "version"]
    assert [line.strip() for line in result.stdout.splitlines() if line.startswith("  next: ")] == [
        "next: ask the moderator about it, and compare the reports and mails of that turn (--published)",
        "next: audit it with the version of the program and the ruleset that played it",
        "next: name the game file; if this is it, restore it from a backup, or ask for another copy of it",
    ]
    rows = [json.loads(line) for line in run("audit", ".", "--json", code=1).stdout.splitlines()]
    assert [bool(row.get("advice")) for row in rows] == [True, False, True, True, False]
    assert [row.get("status") for row in rows][:2] == ["diverged", "verified"]
    assert (rows[0]["divergence"]["kind"], rows[-1]["summary"]["verified"]) == ("events", 1)
    quiet = run("audit", ".", "--quiet", code=1).stdout
    assert ("good.json" in quiet, "bad.json" in quiet) == (False, True)
    assert "1 verified, 1 not decided" in run("audit", "torn.json", "good.json", code=3).stdout
    assert run("audit", ".", "--jobs", 2, code=1).stdout == result.stdout


def test_no_game_at_all_and_misuse(run: Run) -> None:
    Path("sub").mkdir()
    Path("sub/set.json").write_text("{}")
    assert "no game was found in sub" in run("audit", "sub", code=2).stderr
    assert json.loads(run("audit", "sub", "--json", code=2).stdout.splitlines()[-1])["summary"]["verified"] == 0
    assert "no such file" in run("audit", "gone.json", code=2).stdout
    assert "only once" in run("audit", "-", "-", code=2).stderr
    assert "not both" in run("audit", "sub", "--verbose", "--quiet", code=2).stderr
    run("audit", "--jobs", "0", "x.json", code=2)
    run("audit", code=2)


def test_verbose_names_the_skipped_files_and_names_are_safe_to_print(run: Run) -> None:
    files(good=GOOD, set="{}")
    Path("\x1b[2J.json").write_bytes(GOOD)
    Path(os.fsdecode(b"\xff.json")).write_bytes(GOOD)
    assert "set.json" not in run("audit", ".", code=0).stdout
    assert "skipped    –  no game  ./set.json" in run("audit", ".", "--verbose", code=0).stdout
    for options in ((), ("--json",)):
        assert "\x1b" not in run("audit", ".", *options, code=0).stdout


def test_a_deleted_entry_is_told_as_one(run: Run) -> None:
    files(race=laid_out(put(DOCUMENT, "journal", lambda links: links[:3] + links[4:])))
    first, *_ = run("audit", "race.json", code=3).stdout.splitlines()
    assert first == "damaged    small  journal[3]: somebody has deleted entry 3: entry 4 follows entry 2  race.json"


def test_impact(run: Run) -> None:
    files(good=GOOD)
    assert run("audit", "good.json", "--impact", code=0).stdout.startswith("same ")
    files(bad=FORGED)
    lines = run("audit", ".", "--impact", code=1).stdout.splitlines()
    assert (lines[0].startswith("differs "), lines[1].startswith("  next: do nothing")) == (True, True)
    assert "1 same" in lines[3] and "differently" in lines[3]


# Processes -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("other_processes")
def test_other_processes_find_the_same_in_the_same_order(tmp_path: Path) -> None:
    kinds = {"honest": GOOD, "forged": FORGED, "torn": GOOD[:-100], "other": b'{"seats": []}'}
    for number in range(4):
        for name, data in kinds.items():
            (tmp_path / f"{number}-{name}.json").write_bytes(data)
    alone = list(adj.audit_files(tmp_path, jobs=0))
    assert list(adj.audit_files(tmp_path, jobs=2)) == alone
    found = [str(one.divergence and one.divergence.kind) for one in alone if isinstance(one, adj.Verdict)]
    assert {kind: found.count(kind) for kind in found} == {"None": 4, "events": 4, "damaged": 4}
    results = adj.audit_files(tmp_path, jobs=2)
    assert isinstance(next(results), adj.Verdict)
    results.close()


@pytest.fixture
def few_files_open() -> Iterator[None]:
    """Allow this process few open files beside those it has."""
    resource = pytest.importorskip("resource", reason="no limits here")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with open(os.devnull) as last:
        resource.setrlimit(resource.RLIMIT_NOFILE, (last.fileno() + 40, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("few_files_open")
@pytest.mark.parametrize("many", [120, pytest.param(2_000, marks=pytest.mark.soak)])
def test_many_files_are_not_open_at_once(tmp_path: Path, many: int) -> None:
    data = toy.new().to_bytes()
    for number in range(many):
        (tmp_path / f"{number:04}.json").write_bytes(data)
    assert [one.divergence for one in adj.audit_files(tmp_path, jobs=0) if isinstance(one, adj.Verdict)] == [None] * many


# Rules that fail, other versions -------------------------------------------------------------------------------------


def divergence_of(data: bytes, folder: Path, **how: Any) -> Divergence | None:
    return verdict(data, folder, **how).divergence


def test_a_fault_of_the_rules_is_told_as_one_and_costs_no_other_game_its_verdict(tmp_path: Path) -> None:
    def stumble(_rules: Any, _at: Any, _order: Any, _chance: Any) -> Any:
        raise RecursionError("too deep\x1b[2J")
        yield

    for name, order in (("a", "ADD 1"), ("b", "ADD 2")):
        (tmp_path / f"{name}.json").write_bytes(toy.new().apply({"red": order}).game.to_bytes())
    (tmp_path / "c.json").write_bytes(toy.new().to_bytes())
    with toy.offered(decide=stumble):
        found = [one.divergence for one in adj.audit_files(tmp_path, jobs=0) if isinstance(one, adj.Verdict)]
    assert [one and (one.kind, one.n) for one in found] == [("fault", 1), ("fault", 1), None]
    assert "stumble, line " in str(found[0]) and "RecursionError: too deep" in str(found[0])


VERSIONS: list[tuple[dict[str, Any], str, str]] = [
    ({"format": 3}, "version", "newer adjudicator"),
    ({"format": 0}, "damaged", "format 0"),
    ({"format": "2"}, "damaged", "number of a format"),
    ({"ruleset": {"id": "checkpoint-charlies", "version": 1}}, "version", "no ruleset"),
    ({"ruleset": {"id": "../../etc", "version": 1}}, "version", "no ruleset"),
    ({"ruleset": {"id": 7, "version": 1}}, "damaged", "of a ruleset"),
    ({"ruleset.version": 99}, "version", "newer adjudicator"),
    ({"ruleset.version": 0}, "damaged", "1 or more"),
    ({"ruleset": 7}, "damaged", "of a ruleset"),
    ({"journal": []}, "damaged", "empty"),
    ({"seal": "0" * 64}, "damaged", "does not fit"),
]


@pytest.mark.parametrize(("changes", "kind", "words"), VERSIONS)
def test_files_of_other_versions_and_damaged_ones(changes: dict[str, Any], kind: str, words: str, tmp_path: Path) -> None:
    found = verdict(laid_out(spoiled(DOCUMENT, changes)), tmp_path)
    assert found.divergence is not None
    assert (found.divergence.kind, found.game, words in found.divergence.recomputed) == (kind, "small", True)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"{", b"[" * 100_000, b"9" * 5_000, b"null", b'{"a":1,"a":2}', b"\0" * 100]
)
def test_files_that_are_nothing(data: bytes, tmp_path: Path) -> None:
    found = divergence_of(data, tmp_path)
    assert found is not None
    assert found.kind == "damaged"


def newer(oldest: int = 0, options: tuple[kit.Option, ...] = (), **hooks: Any) -> Any:
    """Install a newer version of the toy in a block."""
    meta = replace(toy.META, version=4, oldest=oldest, options=(*toy.META.options, *options))
    return toy.offered(meta=meta, **hooks)


def test_a_game_is_decided_by_the_version_it_was_begun_with_if_the_rules_still_can(tmp_path: Path) -> None:
    data = toy.new().apply({"red": "ADD 1", "blue": "ROLL"}).game.to_bytes()
    with newer():
        found = divergence_of(data, tmp_path)
        assert found is not None
        words = "played by version 3 of toy-coins, which version 4 can no longer decide"
        assert (found.kind, words in found.recomputed) == ("version", True)
        assert divergence_of(data, tmp_path, impact=True) is None, "the impact is that of the rules of today"
    told: list[tuple[int, str]] = []

    def configure(rules: Any, setup: Any, version: int) -> Any:
        told.append((version, setup.options["weather"]))
        return toy.ToyCoins.configure(rules, setup, version)

    weather = kit.Option("weather", ("sun", "rain"), "rain", "", since=4, before="sun")
    with newer(1, (weather,), configure=configure):
        assert divergence_of(data, tmp_path) is divergence_of(data, tmp_path, impact=True) is None
    assert set(told) == {(3, "sun"), (4, "rain")}


def test_impact_finds_what_would_be_decided_differently(tmp_path: Path) -> None:
    data = toy.new().apply({"red": "ADD 1"}).game.to_bytes()

    def dearer(_rules: Any, at: Any, order: Any, _chance: Any) -> Any:
        yield from toy.gain(at.state, at.seat, order.coins + 1)

    with newer(decide=dearer):
        found = divergence_of(data, tmp_path, impact=True)
    assert found is not None
    assert (found.kind, found.n, found.field) == ("events", 1, "events[0].coins")


def test_a_game_that_lacks_an_option_of_its_rules(tmp_path: Path) -> None:
    lacking = forge(put(toy.document(toy.new()), ("setup", "options", "luck.red"), DELETE))
    found = divergence_of(lacking, tmp_path)
    assert found is not None
    assert (found.kind, found.field) == ("set-up", "setup.options.luck.red")
    assert divergence_of(lacking, tmp_path, impact=True) is None, "an impact gives new options their default"
