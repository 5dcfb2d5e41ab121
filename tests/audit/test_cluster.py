"""Audits, simulations and sites over workers: the same results as on one machine, whatever becomes of a worker."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import adjudicator as adj
from adjudicator.archive.many import ClusterError
from adjudicator.archive.many import run as run_many
from adjudicator.audit import AuditResult
from adjudicator.processes import Done, Lost
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
    (folder / "torn.tar").write_bytes((folder / "games.tar").read_bytes()[: (folder / "games.tar").stat().st_size // 2])
    return folder


def alone(*paths: object) -> list[AuditResult]:
    return list(adj.audit_files([str(path) for path in paths], jobs=0))


def over(address: str, *paths: object, **how: Any) -> list[AuditResult]:
    return list(adj.audit_files([str(path) for path in paths], cluster=address, **how))


def test_the_same_results_in_the_same_order_as_on_one_machine(address: str, archives: Path) -> None:
    found = over(address, archives)
    assert found == alone(archives)
    assert sum(isinstance(one, adj.Verdict) and one.is_verified for one in found) >= 16


def test_the_command_says_the_same_as_without_a_cluster(run: Run, address: str, archives: Path) -> None:
    plain, there = run("audit", archives), run("audit", archives, "--cluster", address)
    assert (there.stdout, there.exit_code) == (plain.stdout, plain.exit_code)


def test_workers_need_no_files(address: str, archives: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the process that was started reads them, so paths mean the same as without a cluster."""
    monkeypatch.chdir(archives)
    found = over(address, "games.zip", "loose")
    assert [one.source for one in found][4:] == [f"loose/{name}" for name in GAMES]
    assert [isinstance(one, adj.Verdict) and one.is_verified for one in found] == [True] * 8


def test_tasks_that_are_done_keep_their_places_among_those_that_are_sent(address: str) -> None:
    tasks = [Done(0, "known"), *range(1, 100), *(Done(n, "known") for n in range(100, 5_000))]
    found = list(run_many(abs, tasks, cluster=address))
    assert [done.task for done in found] == [*range(5_000)]
    assert [done.result for done in found][:101] == ["known", *range(1, 100), "known"]


def test_large_tasks_are_sent_in_small_numbers_and_dropped(address: str) -> None:
    sizes = [3_000_000] * 5
    found = list(run_many(len, map(bytes, sizes), cluster=address, label=len))
    assert [(done.task, done.result) for done in found] == [(size, size) for size in sizes]


def fail_with_three(_: bytes, tasks: list[bytes]) -> list[int]:
    """Return the tasks as their results, unless 3 is among them."""
    found = [pickle.loads(task) for task in tasks]
    if 3 in found:
        raise RuntimeError("three")
    return found


def test_a_task_whose_shard_fails_costs_no_other(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.archive.many._do_shard", fail_with_three)
    found = list(run_many(abs, range(200), cluster=address))
    assert found.pop(3) == Done(3, Lost("has failed on its worker: RuntimeError: three"))
    assert found == [Done(n, n) for n in range(200) if n != 3]


SIZES = list[int]()


def note_size(_: bytes, tasks: list[bytes]) -> list[int]:
    """Return the tasks as their results, and note their number."""
    SIZES.append(len(tasks))
    return [pickle.loads(task) for task in tasks]


def test_few_messages_go_to_the_workers(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a message takes is shared by many tasks, or workers would wait longer than they work."""
    monkeypatch.setattr("adjudicator.archive.many._do_shard", note_size)
    SIZES.clear()
    assert [done.result for done in run_many(abs, range(400), cluster=address)] == [*range(400)]
    assert SIZES == [16] * 25


SIMULATED = ("simulate", "checkered-flag", "--games", 3, "--most-orders", 8)


def test_simulated_games_are_the_same_over_a_cluster(run: Run, address: str) -> None:
    plain = run(*SIMULATED, "-o", "loose", code=0).stdout
    assert run(*SIMULATED, "--cluster", address, "-o", "there", code=0).stdout == plain
    loose, there = ({path.name: path.read_bytes() for path in Path(name).iterdir()} for name in ("loose", "there"))
    assert there == loose


def test_a_site_is_the_same_over_a_cluster(run: Run, address: str, archives: Path) -> None:
    paths = (archives / "games.zip", archives / "torn.tar")
    for folder, how in (("plain", ()), ("there", ("--cluster", address))):
        run("site", *paths, "-o", folder, "--unfinished", "--again", *how, code=3)
    plain, there = (
        {path.relative_to(name): path.read_bytes() for path in Path(name).rglob("*.*")} for name in ("plain", "there")
    )
    assert there == plain and len(plain) > 10


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("audit x.json --resume", "use --resume and --parquet with -o"),
        ("audit x.json --cluster local --published y", "use --published without --cluster"),
        ("simulate checkered-flag --resume", "use --resume with -o"),
    ],
)
def test_misuse_is_told(run: Run, arguments: str, words: str) -> None:
    assert words in run(*arguments.split(), code=2).stderr


@pytest.mark.parametrize("command", ["audit x.json", "simulate checkered-flag", "site x.json -o public"])
def test_without_the_library_the_command_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "[cluster]" in run(*command.split(), "--cluster", "local", code=2).stderr


# Real processes ------------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_local_workers_give_the_same_results(archives: Path) -> None:
    pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    assert over("local", archives / "loose", jobs=2) == alone(archives / "loose")


def wait_for_ever(task: int) -> int:
    if task == 3:
        signal.pause()
    return task


@pytest.mark.posix
@pytest.mark.soak
@pytest.mark.usefixtures("other_processes")
def test_a_task_that_takes_too_long_costs_no_other() -> None:
    pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    found = [done.result for done in run_many(wait_for_ever, range(8), cluster="local", jobs=1, timeout=0.5)]
    assert found.pop(3).is_late
    assert found == [0, 1, 2, 4, 5, 6, 7]


@pytest.mark.posix
@pytest.mark.soak
def test_a_worker_that_is_killed_costs_nothing(archives: Path) -> None:
    """Of two worker processes one is killed as soon as there is a result."""
    distributed = pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    how = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**how) as cluster, distributed.Client(cluster) as client:
        victim, _ = client.run(os.getpid).values()
        results = adj.audit_files(archives, cluster=cluster.scheduler_address)
        first = next(results)
        os.kill(victim, signal.SIGKILL)
        assert [first, *results] == alone(archives)


@pytest.mark.soak
def test_a_scheduler_that_goes_ends_the_run_with_what_to_do() -> None:
    distributed = pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    how = {"n_workers": 1, "processes": False, "protocol": "tcp://", "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**how) as cluster:
        results = run_many(abs, range(100_000), cluster=cluster.scheduler_address)
        next(results)
    with pytest.raises(ClusterError, match="use `resume` to continue"):
        list(results)


@pytest.mark.soak
def test_workers_that_go_end_the_run_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    monkeypatch.setattr("adjudicator.archive.many._SILENCE", 1)
    how = {"n_workers": 1, "processes": False, "protocol": "tcp://", "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**how) as cluster:
        results = run_many(abs, range(100_000), cluster=cluster.scheduler_address)
        next(results)
        cluster.scale(0)
        with pytest.raises(ClusterError, match="all workers have gone; start workers, and use `resume` to continue"):
            list(results)


def end_worker(task: int) -> int:
    """End the worker whose process asks for task 3."""
    if task == 3:
        os.kill(os.getppid(), signal.SIGKILL)
    return task


@pytest.mark.posix
@pytest.mark.soak
@pytest.mark.usefixtures("other_processes")
def test_a_task_that_ends_its_workers_costs_no_other() -> None:
    """The scheduler tries nothing again, so each shard that is on the same worker fails with that of task 3."""
    distributed = pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    once = import_module("dask").config.set({"distributed.scheduler.allowed-failures": 0})
    with once, distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        found = list(run_many(end_worker, range(100), cluster=cluster.scheduler_address))
    assert found.pop(3) == Done(3, Lost("has ended all workers that tried it"))
    assert found == [Done(n, n) for n in range(100) if n != 3]


@pytest.mark.soak
@pytest.mark.usefixtures("other_processes")
def test_local_workers_are_reached_from_here_only_and_end_with_the_run() -> None:
    pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    psutil, before = pytest.importorskip("psutil"), set(multiprocessing.active_children())
    for few in (500, 1):  # all results, and one of them
        results = run_many(abs, range(500), cluster="local", jobs=2)
        assert [done.result for done in islice(results, few)] == [*range(few)]
        listening = [one.laddr.ip for one in psutil.Process().net_connections("tcp") if one.status == "LISTEN"]
        assert set(listening) <= {"127.0.0.1"}
        results.close()  # type: ignore[attr-defined]
        assert set(multiprocessing.active_children()) <= before


@pytest.mark.soak
def test_where_no_cluster_answers(archives: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="tests of clusters need dask: pip install -e '.[test]'")
    with distributed.LocalCluster(n_workers=1, processes=False, protocol="tcp://", dashboard_address="127.0.0.1:0") as gone:
        address = gone.scheduler_address
    with pytest.raises(ClusterError, match="no cluster with workers answers at tcp://"):
        over(address, archives)
