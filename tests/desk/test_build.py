"""The build of the desk says what is missing, and its parts are those that are fixed by hashes."""

from __future__ import annotations

import gzip
import json
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


def test_the_first_visit_downloads_at_most_8_megabytes(desk_folder: Path) -> None:
    sizes = (len(gzip.compress(file.read_bytes(), 6)) for file in desk_folder.rglob("*") if file.is_file())
    assert sum(sizes) <= 8 * MEGABYTE
