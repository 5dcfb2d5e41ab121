"""The quick run (`pytest -m quick`) loads every module of the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ELSEWHERE = {"adjudicator.desk.rpds", "adjudicator.__main__"}
"""The modules for the browser, and for a process of its own."""
RUN = """
import sys, pytest
status = pytest.main(sys.argv[1:])
print("\\n" + "\\n".join(name for name in sys.modules if name.startswith("adjudicator")))
sys.exit(status)
"""


@pytest.mark.soak
def test_it_loads_every_module(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-c",
        RUN,
        "-q",
        "-n",
        "0",
        "-m",
        "quick",
        "-p",
        "no:cacheprovider",
        f"--basetemp={tmp_path / 'base'}",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in ROOT.glob("adjudicator/**/*.py")}
    names = {name.removesuffix(".__init__") for name in modules if "_data" not in name}
    assert names - ELSEWHERE - set(done.stdout.splitlines()) == set()
