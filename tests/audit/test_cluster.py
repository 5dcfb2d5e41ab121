"""Audits and simulations over workers: the same results as on one machine, whatever becomes of a worker or the run."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import adjudicator as adj
from adjudicator.archive import write_archive
from adjudicator.audit import AuditResult
from adjudicator.cluster import ClusterError, audit_on_cluster
from adjudicator.library.errors import CannotRead, CannotWrite
from tests.drivers.records import small

Run = Callable[..., Result]
GAMES = {f"{orders}.json": small("checkered-flag", orders) for orders in (2, 3, 4, 5)}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Return the address of a cluster with two workers, which are threads of this process."""
    distributed = pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    how = {"n_workers": 2, "threads_per_worker": 1, "processes": False, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(protocol="tcp://", **how) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the games as files, in archives of every kind, and damaged archives."""
    folder = tmp_path_factory.mktemp("archives")
    (folder / "loose").mkdir()
    for name, data in GAMES.items():
        (folder / "loose" / name).write_bytes(data)
    with zipfile.ZipFile(folder / "games.zip", "w") as packed:
        for name, data in GAMES.items():
            packed.writestr(name, data)
    for name, how in (("games.tar", "w"), ("games.tgz", "w:gz")):
        with tarfile.open(folder / name, how) as tar:
            tar.add(folder / "loose", "inner")
    whole = folder / "games.jsonl.zst"
    write_archive(str(whole), [str(folder / "loose")], lambda _: None)
    (folder / "torn.jsonl.zst").write_bytes(whole.read_bytes()[:-30])
    (folder / "torn.tar").write_bytes((folder / "games.tar").read_bytes()[: (folder / "games.tar").stat().st_size // 2])
    return folder


def alone(*paths: object) -> list[AuditResult]:
    return list(adj.audit_files([str(path) for path in paths], jobs=0))


def over(address: str, *paths: object, **how: Any) -> list[AuditResult]:
    return list(audit_on_cluster([str(path) for path in paths], address, **how))


def test_the_same_results_in_the_same_order_as_on_one_machine(address: str, archives: Path) -> None:
    found = over(address, archives)
    assert found == alone(archives)
    assert sum(isinstance(one, adj.Verdict) and one.is_verified for one in found) >= 20


def test_workers_find_files_wherever_they_stand(address: str, archives: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archives)
    found = over(address, "games.jsonl.zst", "loose")
    assert [one.source for one in found][4:] == [f"loose/{name}" for name in GAMES]
    assert [isinstance(one, adj.Verdict) and one.is_verified for one in found] == [True] * 8


def test_the_command_says_the_same_as_without_a_cluster(run: Run, address: str, archives: Path) -> None:
    plain, there = run("audit", archives), run("audit", archives, "--cluster", address)
    assert (there.stdout, there.exit_code) == (plain.stdout, plain.exit_code)
    quiet = run("audit", archives, "--cluster", address, "-o", "found", "--quiet")
    assert quiet.stdout == run("audit", archives, "--quiet").stdout
    lines = run("audit", archives, "--json").stdout.splitlines()
    written = [
        *Path("found/results.jsonl").read_text("utf-8").splitlines(),
        *Path("found/summary.json").read_text().splitlines(),
    ]
    assert [*map(json.loads, written)] == [*map(json.loads, lines)]
    again = run("audit", archives, "--cluster", address, "-o", "found", "--resume", "--quiet")
    assert again.stdout == quiet.stdout
    assert "parts (shards) were already done by an earlier run" in again.stderr
    refused = run("audit", archives, "--cluster", address, "-o", "found", code=2).stderr
    assert "use --resume to continue the audit in this folder" in refused


def test_a_resumed_run_audits_what_standard_input_has_now(run: Run, address: str) -> None:
    there = ("audit", "-", "--cluster", address, "-o", "found", "--json")
    for resume, game in (((), "2.json"), (("--resume",), "3.json")):
        found = json.loads(run(*there, *resume, stdin=GAMES[game], code=0).stdout.splitlines()[0])
        assert found == json.loads(run("audit", "-", "--json", stdin=GAMES[game]).stdout.splitlines()[0])


def test_what_has_changed_since_is_audited_again_and_what_is_not_its_own_stays(address: str, tmp_path: Path) -> None:
    """Parts of games that have changed go; what somebody else put beside them stays."""
    game, out, parts = tmp_path / "in" / "game.json", str(tmp_path / "out"), tmp_path / "out" / "parts"
    game.parent.mkdir()
    game.write_bytes(GAMES["2.json"])
    told: list[int] = []
    over(address, game, out=out)
    mine = {"notes.txt", "000000-backup.jsonl", "game.json", "000000-0123456789abcdef.jsonl.bak"}
    for name in mine:
        (parts / name).write_text("mine")
    over(address, game, out=out, resume=True, notify=told.append)
    assert told == [1], "it was already done"
    game.write_bytes(game.read_bytes()[:-5])
    (found,) = over(address, game, out=out, resume=True, notify=told.append)
    assert isinstance(found, adj.Verdict)
    assert (found.is_verified, told) == (False, [1])
    there = {path.name for path in parts.iterdir()}
    assert (mine < there, len(there)) == (True, len(mine) + 1)
    over(address, game, out=out, resume=True, impact=True, notify=told.append)
    assert told == [1], "another way to audit is another audit"


def test_a_stopped_run_goes_on_where_it_was_and_comes_to_the_same_bytes(
    address: str, archives: Path, tmp_path: Path
) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    over(address, archives, out=str(whole))
    shutil.copytree(whole, cut)
    for name in ("results.jsonl", "summary.json"):
        (cut / name).unlink()
    for part in sorted((cut / "parts").iterdir())[::2]:
        part.unlink()
    told: list[int] = []
    over(address, archives, out=str(cut), resume=True, notify=told.append)
    assert 0 < told[0] < len(list((whole / "parts").iterdir()))
    for name in ("results.jsonl", "summary.json"):
        assert (cut / name).read_bytes() == (whole / name).read_bytes()


def test_a_folder_with_other_things_is_left_alone(address: str, archives: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x")
    with pytest.raises(CannotWrite, match="it is not empty"):
        over(address, archives, out=str(tmp_path))
    with pytest.raises(CannotRead, match="no audit to continue"):
        over(address, archives, out=str(tmp_path), resume=True)
    (tmp_path / "mine.txt").unlink()
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "wheel.stl").write_text("x")
    for name in ("results.jsonl", "summary.json", "results.parquet"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(CannotRead, match="no audit to continue"):
            over(address, archives, out=str(tmp_path), resume=True)
        (tmp_path / name).unlink()


def test_a_table_in_parquet_has_the_same_rows(address: str, archives: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="tables need pyarrow: pip install 'pbem-adjudicator[parquet]'")
    found = over(address, archives / "torn.tar", archives / "games.zip", out=str(tmp_path / "out"), parquet=True)
    rows = parquet.read_table(tmp_path / "out" / "results.parquet").to_pylist()
    assert [row["source"] for row in rows] == [one.source for one in found]
    words = [one.divergence.recomputed for one in found if isinstance(one, adj.Verdict) and one.divergence]
    assert [row["divergence_recomputed"] for row in rows if row["status"] not in ("verified", "skipped")] == words != []


SIMULATED = ("simulate", "checkered-flag", "--games", 3, "--most-orders", 8)


def test_simulated_games_are_the_same_over_a_cluster(run: Run, address: str) -> None:
    plain = run(*SIMULATED, "-o", "loose", code=0).stdout
    assert run(*SIMULATED, "--cluster", address, "-o", "there", code=0).stdout == plain
    loose, there = ({path.name: path.read_bytes() for path in Path(name).iterdir()} for name in ("loose", "there"))
    assert there == loose


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("audit x.json -o y", "use -o, --resume and --parquet with --cluster"),
        ("audit x.json --cluster local --resume", "use --resume and --parquet with -o"),
        ("audit x.json --cluster local --published y", "use --published without --cluster"),
        ("simulate checkered-flag --resume", "use --resume with -o"),
    ],
)
def test_misuse_is_told(run: Run, arguments: str, words: str) -> None:
    assert words in run(*arguments.split(), code=2).stderr


def test_without_the_library_the_command_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "[cluster]" in run("audit", "x.json", "--cluster", "local", code=2).stderr


# Real processes ------------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_workers_of_their_own_and_a_game_that_takes_too_long(archives: Path) -> None:
    pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    assert over("local", archives / "loose", jobs=1) == alone(archives / "loose")
    (found,) = over("local", archives / "loose" / "2.json", jobs=1, timeout=0.0001)
    assert isinstance(found, adj.Verdict) and found.divergence is not None
    assert "the rules have not decided it within 0.0001 seconds" in found.divergence.recomputed


@pytest.mark.posix
@pytest.mark.soak
def test_a_worker_that_is_killed_costs_nothing(archives: Path) -> None:
    """Of two worker processes one is killed as soon as there is a result."""
    distributed = pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    how = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**how) as cluster, distributed.Client(cluster) as client:
        victim, _ = client.run(os.getpid).values()
        results = audit_on_cluster([str(archives)], cluster.scheduler_address)
        first = next(results)
        os.kill(victim, signal.SIGKILL)
        assert [first, *results] == alone(archives)


@pytest.mark.soak
def test_where_no_cluster_answers(archives: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    with distributed.LocalCluster(n_workers=1, processes=False, protocol="tcp://", dashboard_address="127.0.0.1:0") as gone:
        address = gone.scheduler_address
    with pytest.raises(ClusterError, match="no cluster with workers answers at tcp://"):
        over(address, archives)
