"""Many games: in one process or several, the same results in the same order; nothing that a file does stops the run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adjudicator import processes, rulesets
from adjudicator.audit import audit_source as one_source
from adjudicator.audit.decide import audit_game
from adjudicator.audit.run import audit_sources
from adjudicator.core.event import Part
from adjudicator.core.game import FORMAT
from adjudicator.core.ruleset import Option
from adjudicator.session import Session
from adjudicator.sources.candidates import Source
from adjudicator.sources.find import find_sources
from adjudicator.verdict import AuditResult, Kind, Skipped, Verdict

Document = dict[str, Any]
Forge = Callable[[Document], bytes]
Judged = Callable[..., Any]


class Killer(Source):
    """A source that ends the process which is to audit it."""

    def __reduce__(self) -> Any:
        return os._exit, (3,)


@pytest.fixture
def archive(tmp_path: Path, small: bytes, forge: Forge) -> Path:
    """Make a folder of honest, forged, damaged and foreign files."""
    document = json.loads(small)
    document["journal"][2]["entry"]["drawn"] += 1
    kinds = {
        "honest": small,
        "forged": forge(document),
        "torn": small[:-100],
        "other": b'{"seats": []}',
        "new": small.replace(f'"format":{FORMAT}'.encode(), f'"format":{FORMAT + 1}'.encode()),
    }
    for number in range(6):
        for name, data in kinds.items():
            (tmp_path / f"{number}-{name}.json").write_bytes(data)
    return tmp_path


def kind_of(result: AuditResult) -> Kind | None:
    assert isinstance(result, Verdict)
    return result.divergence.kind if result.divergence else None


@pytest.mark.usefixtures("other_processes")
@pytest.mark.parametrize("jobs", [1, 2])
def test_other_processes_find_the_same_in_the_same_order(archive: Path, monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    together = list(audit_sources(find_sources([str(archive)]), jobs=jobs))
    monkeypatch.setattr(processes, "is_alone", True)
    alone = list(audit_sources(find_sources([str(archive)])))
    assert together == alone
    assert [type(item) for item in alone].count(Skipped) == 6
    kinds = [kind_of(item) for item in alone if isinstance(item, Verdict)]
    assert {kind: kinds.count(kind) for kind in kinds} == {None: 6, Kind.CHANCE: 6, Kind.DAMAGED: 6, Kind.VERSION: 6}


@pytest.mark.usefixtures("other_processes")
def test_whatever_ends_a_process_is_found_and_named(small: bytes) -> None:
    sources = [Source(str(number), "-", data=small) for number in range(30)]
    killers = [9, 20]
    for number in killers:
        sources[number] = Killer(str(number), "-")
    verdicts = list(audit_sources(sources, jobs=2))
    assert [verdict.source for verdict in verdicts] == [str(number) for number in range(30)]
    assert [int(verdict.source) for verdict in verdicts if kind_of(verdict)] == killers
    assert all(kind_of(verdicts[number]) is Kind.FAULT for number in killers)


@pytest.mark.usefixtures("other_processes")
def test_a_run_given_up_leaves_no_process_behind(small: bytes) -> None:
    sources = (Source(str(number), "-", data=small) for number in range(4_000))
    results = audit_sources(sources, jobs=2)
    assert next(results).source == "0"
    results.close()
    assert next(sources, None) is not None  # they are taken as they are needed


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
@pytest.mark.parametrize("files", [200, pytest.param(2_000, marks=pytest.mark.soak)])
def test_thousands_of_files_are_not_open_at_once(tmp_path: Path, make_game: Callable[..., bytes], files: int) -> None:
    data = make_game(0)
    for number in range(files):
        (tmp_path / f"{number:04}.json").write_bytes(data)
    count = 0
    for verdict in audit_sources(find_sources([str(tmp_path)])):
        assert kind_of(verdict) is None
        count += 1
    assert count == files


def test_a_bug_in_reading_orders_makes_no_order_unreadable(at_a_table: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(_line: str) -> Any:
        raise KeyError("DRAW")

    fresh = replace(at_a_table, rules=at_a_table.rules.changed())  # nothing of what it reads is remembered
    assert audit_game(fresh).divergence is None
    fresh = replace(at_a_table, rules=at_a_table.rules.changed())
    monkeypatch.setattr("adjudicator.orders.parser.line_parser", lambda _rules: stumble)
    divergence = audit_game(fresh).divergence
    assert divergence is not None
    assert (divergence.kind, divergence.entry) == (Kind.FAULT, 1)


def test_a_fault_of_the_rules_costs_no_other_game_its_verdict(small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    audit_game = one_source.audit_game

    def stumble(session: Any, source: str) -> Verdict:
        if source == "1":
            raise RecursionError("too deep\x1b[2J")
        return audit_game(session, source)

    monkeypatch.setattr(one_source, "audit_game", stumble)
    verdicts = list(audit_sources(Source(str(number), "-", data=small) for number in range(3)))
    assert [kind_of(verdict) for verdict in verdicts] == [None, Kind.FAULT, None]
    told = verdicts[1].divergence.recomputed  # type: ignore[union-attr]
    assert told.startswith(f"a bug in the program ({__name__}, stumble, line ")
    assert told.endswith("): RecursionError: too deep\x1b[2J")


# Other versions.


def spoiled(small: bytes, **changes: Any) -> bytes:
    return json.dumps({**json.loads(small), **changes}).encode()


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({"format": FORMAT + 1}, Kind.VERSION, "newer adjudicator"),
        ({"format": 0}, Kind.DAMAGED, "format 0"),
        ({"format": "2"}, Kind.DAMAGED, "whole number"),
        ({"ruleset": {"id": "checkpoint-charlies", "version": 1}}, Kind.VERSION, "no ruleset"),
        ({"ruleset": {"id": "../../etc", "version": 1}}, Kind.VERSION, "no ruleset"),
        ({"ruleset": {"id": 7, "version": 1}}, Kind.DAMAGED, "of a ruleset"),
        ({"ruleset": {"id": "checkpoint-rally", "version": 99}}, Kind.VERSION, "newer adjudicator"),
        ({"ruleset": {"id": "checkpoint-rally", "version": 0}}, Kind.DAMAGED, "1 or more"),
        ({"ruleset": 7}, Kind.DAMAGED, "of a ruleset"),
        ({"journal": []}, Kind.DAMAGED, "empty"),
        ({"seal": "0" * 64}, Kind.DAMAGED, "does not fit"),
    ],
)
def test_files_of_other_versions_and_damaged_ones(
    small: bytes, judged: Judged, changes: Document, kind: Kind, words: str
) -> None:
    verdict = judged(spoiled(small, **changes))
    assert kind_of(verdict) is kind
    assert words in verdict.divergence.recomputed
    assert verdict.game == "rally-042"


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"{", b"[" * 100_000, b"9" * 5_000, b"null", b'{"a":1,"a":2}', b"\0" * 100]
)
def test_files_that_are_nothing(judged: Judged, data: bytes) -> None:
    assert kind_of(judged(data)) is Kind.DAMAGED


def test_no_bit_flipped_in_a_file_is_verified(small: bytes, judged: Judged) -> None:
    for position in range(0, len(small), 41):
        spoiled = bytearray(small)
        spoiled[position] ^= 1 << position % 8
        verdict = judged(bytes(spoiled))
        assert kind_of(verdict) is not None or json.loads(spoiled) == json.loads(small), position


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Install a newer version of Checkpoint Rally, with ``changes`` to its rules."""
    rules = rulesets.ruleset("checkpoint-rally")

    def install(oldest: int = 0, options: tuple[Option, ...] = (), **changes: Any) -> None:
        known = (*rules.meta.options, *options)
        meta = replace(rules.meta, version=rules.meta.version + 1, oldest=oldest, options=known)
        changed = rules.changed(meta=meta, **changes)
        monkeypatch.setattr(rulesets, "ruleset", lambda _: changed)
        monkeypatch.setattr(one_source, "ruleset", lambda _: changed)
        monkeypatch.setattr("adjudicator.session.ruleset", lambda _: changed)

    return install


def test_a_game_of_an_older_version_is_not_decided_by_rules_that_cannot(
    small: bytes, judged: Judged, newer: Callable[..., None]
) -> None:
    version = rulesets.ruleset("checkpoint-rally").meta.version
    newer()
    verdict = judged(small)
    assert (kind_of(verdict), verdict.game) == (Kind.VERSION, "rally-042")
    words = f"played by version {version} of checkpoint-rally, which version {version + 1} can no longer decide"
    assert words in verdict.divergence.recomputed


def test_a_game_is_decided_by_the_version_it_was_begun_with(
    small: bytes, judged: Judged, newer: Callable[..., None]
) -> None:
    """The config is told the game's version, and what an option of a later version stood for before."""
    rules = rulesets.ruleset("checkpoint-rally")
    told: list[tuple[int, str]] = []

    def configure(setup: Any, version: int) -> Any:
        told.append((version, setup.options["weather"]))
        return rules.configure(setup, version)

    version = rules.meta.version
    weather = Option("weather", ("sun", "rain"), "rain", "", since=version + 1, before="sun")
    newer(oldest=1, options=(weather,), configure=configure)
    assert kind_of(judged(small)) is None
    assert kind_of(judged(small, is_impact=True)) is None
    assert set(told) == {(version, "sun"), (version + 1, "rain")}


def test_impact_decides_by_the_rules_of_today(small: bytes, judged: Judged, newer: Callable[..., None]) -> None:
    newer()
    assert kind_of(judged(small, is_impact=True)) is None


def test_impact_finds_what_would_be_decided_differently(small: bytes, judged: Judged, newer: Callable[..., None]) -> None:
    rules = rulesets.ruleset("checkpoint-rally")

    def dearer(*given: Any) -> Any:
        moves = rules.decide(*given)
        state = None
        try:
            event = next(moves)
            while True:
                if hasattr(event, "why"):
                    event = replace(event, after=event.after + 1, why=(*event.why, Part(1, "toll", "CR-T1")))
                state = yield event
                event = moves.send(state)
        except StopIteration:
            return

    newer(decide=dearer)
    verdict = judged(small, is_impact=True)
    assert (kind_of(verdict), verdict.divergence.entry) == (Kind.EVENTS, 1)
    assert verdict.divergence.field.endswith(".after")


def test_impact_gives_new_options_their_default(
    small: bytes, judged: Judged, newer: Callable[..., None], forge: Forge
) -> None:
    document = json.loads(small)
    del document["setup"]["options"]["layout"]
    older = forge(document)
    newer()
    assert kind_of(judged(older, is_impact=True)) is None
    document["setup"]["options"]["weather"] = "rain"
    assert kind_of(judged(forge(document), is_impact=True)) is Kind.SETUP


def test_a_game_that_lacks_an_option_of_its_rules(small: bytes, judged: Judged, forge: Forge) -> None:
    document = json.loads(small)
    del document["setup"]["options"]["layout"]
    verdict = judged(forge(document))
    assert verdict.divergence.field == "setup.options.layout"
