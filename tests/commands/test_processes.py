"""A pool does every task, whatever others do to their process; what a task does is told with it alone."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from adjudicator import processes
from adjudicator.processes import Done, Lost, Pool

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes can be forked here"),
    pytest.mark.usefixtures("other_processes"),
]


@pytest.fixture(autouse=True)
def only_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pools fork although the browser of other tests may have a thread here: to spawn takes half a second each time."""
    monkeypatch.setattr(threading, "active_count", lambda: 1)


def misbehave(how: Any) -> Any:
    """Do what a ruleset with a fault may do."""
    if how == "exit":
        sys.exit(7)
    if how == "gone":
        os._exit(3)
    if how == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "hang":
        signal.pause()
    if how == "print":
        sys.stdout.write("hello\n")
    if how == "unsendable":
        return lambda: None
    return how


def results(pool: Pool, *tasks: Any) -> list[Any]:
    return [done.result for done in pool.run(tasks)]


@pytest.mark.parametrize(
    ("how", "result", "jobs"),
    [
        ("exit", Lost("tried to end the program: SystemExit: 7"), 1),
        ("gone", Lost("has ended its process (exit code 3)"), 1),
        ("gone", Lost("has ended its process (exit code 3)"), 2),
        ("killed", Lost("has ended its process (exit code -9)"), 2),
    ],
)
def test_each_task_has_its_own_fate(how: str, result: Any, jobs: int) -> None:
    with Pool(misbehave, jobs) as pool:
        assert results(pool, 1, how, 2, how, 3) == [1, result, 2, result, 3]
        assert results(pool, 4) == [4]


def test_a_task_that_takes_too_long_is_lost_and_its_process_with_it() -> None:
    with Pool(misbehave, 1, 0.05) as pool:
        late, other = pool.run(["hang", 1])
        assert late.result.is_late
        assert other.result == 1


def test_what_a_task_prints_is_in_no_report(capfd: pytest.CaptureFixture[str]) -> None:
    with Pool(misbehave) as pool:
        assert results(pool, "print", 2) == ["print", 2]
    assert capfd.readouterr().out == ""


def test_a_result_that_cannot_be_sent_is_lost() -> None:
    with Pool(misbehave) as pool:
        lost, other = pool.run(["unsendable", 1])
        assert isinstance(lost.result, Lost)
        assert other == Done(1, 1)


def test_results_come_in_order_and_tasks_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[int]:
        for number in range(100_000):
            taken.append(number)
            yield number

    with Pool(abs, 2) as pool:
        found = pool.run(tasks())
        assert [next(found).result for _ in range(200)] == list(range(200))
    assert len(taken) < 400


def test_what_is_done_keeps_its_place_and_large_tasks_leave_a_label() -> None:
    with Pool(len, 2) as pool:
        found = list(pool.run(["one", Done("two", "known"), "three"], label=lambda task: task[0]))
    assert found == [Done("o", 3), Done("two", "known"), Done("t", 5)]


def test_a_run_that_is_given_up_ends_its_tasks() -> None:
    with Pool(misbehave, 2) as pool:
        found = pool.run([1, "hang", "hang"])
        next(found)
        found.close()
        assert results(pool, 5) == [5]


def test_processes_are_spawned_where_another_thread_may_hold_a_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    monkeypatch.setattr(os, "fork", None)
    with Pool(abs) as pool:
        assert results(pool, -1) == [1]


def test_a_system_without_processes_works_in_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "is_alone", True)
    with Pool(partial(pow, 2), 4, 0.001) as pool:
        assert list(pool.run([3, 4])) == [Done(3, 8), Done(4, 16)]
