"""The build of the desk says what is missing, and its parts are those that are fixed by hashes."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest

from adjudicator.desk import build
from adjudicator.files.reading import MEGABYTE


def test_a_program_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(build.CannotBuildError, match="install no-such-program: the desk is built with it"):
        build._run(["no-such-program"], tmp_path)


def test_a_failed_download_is_told_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(build.CannotDownloadError, match="no registry"):
        build._download(["sh", "-c", "echo no registry >&2; exit 1"], tmp_path)


def test_everything_that_is_taken_has_a_version_and_a_hash() -> None:
    wheels = [line for line in build._WHEELS.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert all("==" in line and "--hash=sha256:" in line for line in wheels)
    locked = json.loads((build._WEB / "package-lock.json").read_text("utf-8"))["packages"]
    assert all("integrity" in package and "resolved" not in package for name, package in locked.items() if name)


TABLES_OF_ALL_GAMES = """
import { loadPyodide } from "pyodide";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { env, unpack } from "./python.js";
const python = await loadPyodide({ env });
unpack(python, gunzipSync(readFileSync(process.argv[2])));
python.runPython(`
import sys
from adjudicator import installed_games, rulesets
from adjudicator.orders.parser import reader
for meta in installed_games():
    reader(rulesets.ruleset(meta.id))
print(len(installed_games()), "lark" in sys.modules)
`);
"""


def test_the_browser_reads_orders_with_the_tables_of_the_build(desk_folder: Path, tmp_path: Path) -> None:
    """Else Python would compile each grammar with Lark, which takes a browser more than a second."""
    web = build._javascript(tmp_path)
    (web / "try.mjs").write_text(TABLES_OF_ALL_GAMES, "utf-8")
    (pack,) = desk_folder.glob("*/python.pack")
    done = subprocess.run(["node", "try.mjs", str(pack)], cwd=web, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["5", "False"]


def test_the_first_visit_downloads_at_most_8_megabytes(desk_folder: Path) -> None:
    sizes = (len(gzip.compress(file.read_bytes(), 6)) for file in desk_folder.rglob("*") if file.is_file())
    assert sum(sizes) <= 8 * MEGABYTE
