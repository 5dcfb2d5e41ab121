"""What the tests of every game share.

Test modules are imported by path, so that only this folder makes ``scenes`` known to them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.register_assert_rewrite("scenes")
sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def wander() -> Callable[..., Any]:
    """Play random legal orders: a scene, the steps and the seed, see ``Scene.wander``."""
    return lambda scene, *how, **more: scene.wander(*how, **more)
