"""Pools of processes: all are there before the first has work, and a broken one says so where a result is asked for."""

from __future__ import annotations

import os
import signal
from concurrent.futures.process import BrokenProcessPool

import pytest

from adjudicator.processes import spawned, submitted


def test_all_processes_are_started_before_the_first_has_work() -> None:
    """One that was started while another died made a thread of Python's own fail, with a traceback on standard error."""
    with spawned(2) as pool:
        assert len(pool._processes) == 2
        assert submitted(pool, sum, [1, 2]).result() == 3
        assert len(pool._processes) == 2


def test_what_a_broken_pool_is_given_is_lost_when_it_is_asked_for() -> None:
    with spawned(1) as pool:
        with pytest.raises(BrokenProcessPool):
            submitted(pool, os.kill, next(iter(pool._processes)), signal.SIGTERM).result()
        lost = submitted(pool, sum, [1, 2])
        with pytest.raises(BrokenProcessPool):
            lost.result()
