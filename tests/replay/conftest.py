"""The command `replay`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from typer.testing import Result


@pytest.fixture
def run(run: Callable[..., Result]) -> Callable[..., Result]:
    """Return the command `replay`, which is to succeed unless another ``code`` is asked for."""
    return partial(run, "replay", code=0)
