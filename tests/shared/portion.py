"""A portion of many cases for every run; the long runs (`-m soak`) have the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def portion(cases: Iterable[Any], every: int, first: int = 0) -> list[Any]:
    """Return ``cases``, all marked for long runs but the ``first``, and from there each ``every``-th; with 0 all of them."""
    return [
        case if every and number % every == first else pytest.param(case, marks=pytest.mark.soak)
        for number, case in enumerate(cases)
    ]
