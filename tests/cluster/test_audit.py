"""Audits over workers: the same results as on one machine, whatever becomes of a worker, a shard, a game, or the run."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.audit.run import AuditOptions, audit_sources
from adjudicator.cluster import audit, shards, work
from adjudicator.cluster import workers as pools
from adjudicator.cluster.audit import audit_into, audit_shards, in_order
from adjudicator.cluster.results import Results
from adjudicator.cluster.shards import Shard, shards_of, sources_of
from adjudicator.cluster.workers import ClusterError, Workers, connect
from adjudicator.files.errors import CannotRead, CannotWrite
from adjudicator.processes import Done, Lost
from adjudicator.reports.cli.audits import audit_row, result_of
from adjudicator.sources.find import find_sources
from adjudicator.verdict import AuditResult, Divergence, Kind, Skipped, Verdict

HOW = AuditOptions(is_impact=False, timeout=300)
Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "SHARD", 3)


def on_cluster(pool: Workers, *paths: object, how: AuditOptions = HOW) -> list[AuditResult]:
    return list(in_order(audit_shards(pool, shards_of(map(str, paths)), how)))


def alone(*paths: object) -> list[AuditResult]:
    return list(audit_sources(find_sources(map(str, paths))))


@pytest.mark.usefixtures("other_processes")
def test_the_same_results_in_the_same_order_as_on_one_machine(pool: Workers, archives: Path) -> None:
    """Files, zip, tar, tgz, tar.zst and archives of many games, sound and torn."""
    found = on_cluster(pool, archives)
    assert found == alone(archives)
    assert sum(isinstance(one, Verdict) and one.divergence is None for one in found) > 24


def test_shards_name_what_is_to_be_read_and_hold_none_of_it(archives: Path, games: dict[str, bytes]) -> None:
    cut = list(shards_of([str(archives)]))
    assert [shard.number for shard in cut] == list(range(len(cut)))
    assert max(len(pickle.dumps(shard)) for shard in cut) < 2000 < min(map(len, games.values()))
    whole = [shard for shard in cut if shard.path.endswith("games.jsonl.zst")]
    assert [(shard.first, shard.last) for shard in whole] == [(0, 3), (3, 4)]
    names = [source.name for shard in cut for source in sources_of(shard)]
    assert sorted(names) == sorted(source.name for source in find_sources([str(archives)]))


def test_workers_find_files_wherever_they_stand(archives: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archives)
    cut = list(shards_of(["games.jsonl.zst", "loose"]))
    monkeypatch.chdir("/")
    found = [source for shard in cut for source in sources_of(shard)]
    assert len(found) == 8
    assert all(os.path.isabs(source.path) and not os.path.isabs(source.name) for source in found)  # type: ignore[union-attr]


@pytest.mark.usefixtures("other_processes")
def test_a_game_that_takes_too_long_costs_only_itself(pool: Workers, archives: Path) -> None:
    game = next((archives / "loose").iterdir())
    (found,) = on_cluster(pool, game, how=AuditOptions(is_impact=False, timeout=0.0001))
    assert isinstance(found, Verdict) and found.divergence is not None
    assert (
        found.divergence.recomputed
        == "the rules have not decided it within 0.0001 seconds; use --timeout to give it more time"
    )
    assert on_cluster(pool, game) == alone(game)


class Deadly:
    """Workers of which all end that get a certain game."""

    def __init__(self, game: str) -> None:
        self._game = game
        self.tasks: list[Shard] = []

    def run(self, task: Callable[..., Any], tasks: Iterator[Shard], how: AuditOptions) -> Iterator[Done]:
        for shard in tasks:
            self.tasks.append(shard)
            is_deadly = any(self._game in source.name for source in sources_of(shard))
            yield Done(shard, Lost("they have ended")) if is_deadly else Done(shard, task(shard, how))


def test_a_game_that_ends_every_worker_is_found_and_the_others_are_audited(archives: Path, games: dict[str, bytes]) -> None:
    deadly = sorted(games)[1]
    found = on_cluster(Deadly(deadly), archives / "games.jsonl.zst")  # type: ignore[arg-type]
    told = {one.source.rpartition("#")[2]: one.divergence for one in found if isinstance(one, Verdict)}
    assert [name for name, divergence in told.items() if divergence] == [deadly]
    assert told[deadly] == Divergence(Kind.UNREAD, recomputed="they have ended")


def test_the_program_on_a_worker_that_fails_is_told_with_each_game(
    pool: Workers, archives: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit, "audit_shard", _failing)
    found = on_cluster(pool, archives / "games.zip")
    assert [one.divergence.recomputed for one in found if isinstance(one, Verdict) and one.divergence] == [
        "the worker failed over it: ZeroDivisionError: x"
    ] * 4


def _failing(_shard: Shard, _how: AuditOptions) -> None:
    raise ZeroDivisionError("x")


def results(folder: Path, **changes: Any) -> Results:
    return Results(str(folder), **{"is_resumed": False, "is_parquet": False, "is_impact": False, **changes})


def test_a_run_that_was_stopped_goes_on_where_it_was(pool: Workers, archives: Path, tmp_path: Path) -> None:
    """Stopped after every single shard, it comes to the same bytes as one that was not."""
    paths, whole = [str(archives)], results(tmp_path / "whole")
    count = sum(audit_into(whole, pool, shards_of(paths), HOW))
    assert whole.finish().verified > 24
    for stopped_after in (1, len(list(shards_of(paths))) - 1):
        folder = tmp_path / f"stopped-{stopped_after}"
        run = audit_into(results(folder), pool, shards_of(paths), HOW)
        done = sum(next(run) for _ in range(stopped_after))
        run.close()
        again = results(folder, is_resumed=True)
        there = len(os.listdir(folder / "parts"))
        assert there >= stopped_after
        assert sum(audit_into(again, pool, shards_of(paths), HOW)) <= count - done
        assert again.resumed == there
        again.finish()
        for name in ("results.jsonl", "summary.json"):
            assert (folder / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_what_has_changed_since_is_audited_again(pool: Workers, archives: Path, tmp_path: Path) -> None:
    game = tmp_path / "in" / "game.json"
    game.parent.mkdir()
    game.write_bytes(next((archives / "loose").iterdir()).read_bytes())
    sum(audit_into(results(tmp_path / "out"), pool, shards_of([str(game)]), HOW))
    assert sum(audit_into(results(tmp_path / "out", is_resumed=True), pool, shards_of([str(game)]), HOW)) == 0
    game.write_bytes(game.read_bytes()[:-5])
    again = results(tmp_path / "out", is_resumed=True)
    assert sum(audit_into(again, pool, shards_of([str(game)]), HOW)) == 1
    assert again.finish().undecided == 1
    assert len(os.listdir(tmp_path / "out" / "parts")) == 1
    assert sum(audit_into(results(tmp_path / "out", is_resumed=True), pool, shards_of([str(game)], "other"), HOW)) == 1


def test_a_resumed_run_keeps_files_that_are_not_its_own(pool: Workers, archives: Path, tmp_path: Path) -> None:
    """Parts of games that have changed go; what somebody else put beside them stays."""
    game, parts = tmp_path / "game.json", tmp_path / "out" / "parts"
    shutil.copy(next((archives / "loose").glob("*.json")), game)
    assert sum(audit_into(results(tmp_path / "out"), pool, shards_of([str(game)]), HOW)) == 1
    mine = {"notes.txt", "000000-backup.jsonl", "game.json", "000000-0123456789abcdef.jsonl.bak"}
    for name in mine:
        (parts / name).write_text("mine")
    again = results(tmp_path / "out", is_resumed=True)
    assert sum(audit_into(again, pool, shards_of([str(game)], "other"), HOW)) == 1
    again.finish()
    there = {path.name for path in parts.iterdir()}
    assert mine < there
    assert len(there) == len(mine) + 1


def test_a_folder_with_parts_of_something_else_is_no_audit_to_continue(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "wheel.stl").write_text("x")
    for name in ("results.jsonl", "summary.json", "results.parquet"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(CannotRead, match="no audit to continue"):
            results(tmp_path, is_resumed=True)
        (tmp_path / name).unlink()


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(CannotWrite, match="it is not empty"):
        results(tmp_path)
    with pytest.raises(CannotRead, match="no audit to continue"):
        results(tmp_path, is_resumed=True)


def test_every_result_comes_back_from_its_line() -> None:
    divergence = Divergence(Kind.EVENTS, 3, "red", "GO", "events[0].x", "1", "2", "CF-X1")
    sentence = Divergence(Kind.MINUTES, 3, field="line 4", recomputed="words", is_sentence=True)
    for result in (
        Skipped("a"),
        Skipped("a", "a link"),
        Verdict("a", "b", "c", 1, 2, 3, 4, True),
        Verdict("a", "b", "c", 1, 2, 3, 4, False, divergence, (sentence, divergence)),
        Verdict("a", divergence=Divergence(Kind.DAMAGED, recomputed="torn")),
    ):
        row = json.loads(json.dumps(_plain(audit_row(result))))
        assert result_of(row) == result


def _plain(value: Any) -> Any:
    from adjudicator.core.canonical import json_value

    return json_value(value)


def test_a_table_in_parquet_has_the_same_rows(pool: Workers, archives: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="tables need pyarrow: pip install 'pbem-adjudicator[parquet]'")
    table = results(tmp_path / "out", is_parquet=True)
    sum(audit_into(table, pool, shards_of([str(archives / "torn.tar"), str(archives / "games.zip")]), HOW))
    table.finish()
    rows = parquet.read_table(tmp_path / "out" / "results.parquet").to_pylist()
    told = list(table.rows())
    assert [row["source"] for row in rows] == [row["source"] for row in told]
    assert [row["divergence_recomputed"] for row in rows if row["status"] != "verified"] == [
        row["divergence"]["recomputed"] for row in told if row["status"] != "verified"
    ]


@pytest.mark.posix
@pytest.mark.usefixtures("distributed")
def test_a_worker_that_is_killed_costs_nothing(archives: Path) -> None:
    """Real processes: one is killed as soon as it has something to do."""
    with connect("local", 2) as workers:
        victims = set(workers._client.run(os.getpid).values())
        found = []
        for done in audit_shards(workers, shards_of([str(archives)]), HOW):
            found.append(done)
            if victims:
                os.kill(victims.pop(), signal.SIGKILL)
                victims.clear()
    assert list(in_order(iter(sorted(found, key=lambda one: one[0].number)))) == alone(archives)


class Repeated:
    """A task that was done, whose worker ended with the result, and that another worker does again."""

    status = "pending"

    def exception(self) -> None:
        self.status = "finished"

    def result(self) -> str:
        return "verified"


def test_a_result_that_ended_with_its_worker_is_awaited_again(pool: Workers) -> None:
    assert pool._done(Repeated(), "shard") == Done("shard", "verified")


def test_a_worker_with_another_version_is_refused(pool: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "__version__", "0.0.1")
    with pytest.raises(ClusterError, match=r"has adjudicator 0\.0\.1, here it is"):
        pools._require_same_version(pool._client)


@pytest.mark.usefixtures("distributed")
def test_where_no_cluster_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "_PATIENCE", 0.2)
    with (
        pytest.raises(ClusterError, match=r"no cluster with workers answers at tcp://127.0.0.1:9"),
        connect("tcp://127.0.0.1:9", 1),
    ):
        pass


@pytest.fixture
def here(pool: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands use the workers of the tests."""
    from contextlib import nullcontext

    for task in ("audit", "simulate"):
        monkeypatch.setattr(f"adjudicator.cluster.{task}.connect", lambda address, jobs: nullcontext(pool))


@pytest.mark.usefixtures("here")
def test_the_command_says_the_same_as_without_a_cluster(run: Run, archives: Path) -> None:
    alone, over = run("audit", archives), run("audit", archives, "--cluster", "local")
    assert (over.stdout, over.exit_code) == (alone.stdout, alone.exit_code)
    quiet = run("audit", archives, "--cluster", "local", "--out", "found", "--quiet")
    assert quiet.stdout == run("audit", archives, "--quiet").stdout
    lines = run("audit", archives, "--json").stdout.splitlines()
    written = Path("found/results.jsonl").read_text("utf-8").splitlines()
    assert list(map(json.loads, [*written, *Path("found/summary.json").read_text().splitlines()])) == list(
        map(json.loads, lines)
    )
    again = run("audit", archives, "--cluster", "local", "--out", "found", "--resume", "--quiet")
    assert again.stdout == quiet.stdout
    assert "parts (shards) were already done by an earlier run" in again.stderr
    assert (
        "use --resume to continue the audit in this folder"
        in run("audit", archives, "--cluster", "local", "--out", "found", code=2).stderr
    )


@pytest.mark.usefixtures("here", "other_processes")
def test_simulated_games_are_the_same_over_a_cluster(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.cluster.simulate.SHARD", 2)
    of = ("simulate", "checkered-flag", "--games", 3, "--most-orders", 8)
    alone = run(*of, "-o", "loose", code=0).stdout
    assert run(*of, "--cluster", "local", "--out", "archives", code=0).stdout == alone
    first, second = sorted(os.listdir("archives"))
    assert first.startswith("checkered-flag-00001-00002-")
    assert second.startswith("checkered-flag-00003-00003-")
    run("archive", "all.jsonl.zst", "archives", code=0)
    run("archive", "all.jsonl.zst", "--extract", "taken", code=0)
    taken = {path.name: path.read_bytes() for path in Path("taken").rglob("*.json")}
    assert taken == {path.name: path.read_bytes() for path in Path("loose").iterdir()}
    kept = os.stat(f"archives/{first}").st_mtime_ns
    os.unlink(f"archives/{second}")
    assert run(*of, "--cluster", "local", "--out", "archives", "--resume", code=0).stdout == alone
    assert os.stat(f"archives/{first}").st_mtime_ns == kept
    assert len(os.listdir("archives")) == 2


@pytest.mark.usefixtures("here", "other_processes")
@pytest.mark.parametrize("other", [
    ("--seed", "2"), ("--player", "greedy"), ("--option", "laps=3"), ("--most-orders", "9"), ("--audit",),
])  # fmt: skip
def test_a_simulation_takes_no_game_from_another_one(run: Run, other: tuple[str, ...]) -> None:
    of = ("simulate", "checkered-flag", "--games", 2, "--most-orders", 8)
    run(*of, "--cluster", "local", "--out", "archives", code=0)
    alone = run(*of, *other, code=0).stdout
    assert run(*of, *other, "--cluster", "local", "--out", "archives", "--resume", code=0).stdout == alone
    assert len(os.listdir("archives")) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("audit x.json --out y", "use --out, --resume and --parquet with --cluster"),
        ("audit x.json --cluster local --resume", "use --resume and --parquet with --out"),
        ("audit x.json --cluster local --published y", "use --published without --cluster"),
        ("simulate checkered-flag --resume", "use --resume with --cluster and --out"),
        ("simulate checkered-flag --cluster local -o x.jsonl.zst", "name a folder with --out"),
    ],
)
def test_misuse_is_told(run: Run, arguments: str, words: str) -> None:
    assert words in run(*arguments.split(), code=2).stderr


def test_without_the_library_the_command_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    assert "[cluster]" in run("audit", "x.json", "--cluster", "local", code=2).stderr
