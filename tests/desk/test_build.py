"""The build of the desk says what is missing, and its parts are those that are fixed by hashes."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from adjudicator.desk import build


def test_a_program_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(build.CannotBuildError, match="install no-such-program: the desk is built with it"):
        build._run(["no-such-program"], tmp_path)


@pytest.mark.parametrize("name", ["index.html", "service.js"])
def test_the_page_of_another_site_is_kept(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(build.CannotBuildError, match=f"{name} is not a page of a desk"):
        build.build(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: "mine"}


def test_a_failed_download_is_told_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(build.CannotDownloadError, match="no registry"):
        build._download(["sh", "-c", "echo no registry >&2; exit 1"], tmp_path)


def test_everything_that_is_taken_has_a_version_and_a_hash() -> None:
    wheels = [line for line in build._WHEELS.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert all("==" in line and "--hash=sha256:" in line for line in wheels)
    locked = json.loads((build._WEB / "package-lock.json").read_text("utf-8"))["packages"]
    assert all("integrity" in package and "resolved" not in package for name, package in locked.items() if name)


def test_the_page_may_load_and_run_only_its_own_files() -> None:
    page = (build._WEB / "index.html").read_text("utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    own = ("script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'")
    frames = ("worker-src 'self'", "frame-src 'self'", "base-uri 'none'", "form-action 'none'")
    assert policy is not None and policy[1].split("; ") == ["default-src 'none'", *own, *frames]


def test_the_standard_library_is_compiled_once_and_again_after_a_change(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    web, package = tmp_path / "web", tmp_path / "web" / "node_modules" / "pyodide"
    package.mkdir(parents=True)
    for name in ("package-lock.json", "compile.mjs"):
        (web / name).write_text(name, "utf-8")
    with ZipFile(package / "python_stdlib.zip", "w") as library:
        library.writestr("_ast_unparse/x.py", "")
        library.writestr("json/__init__.py", "dumps = 1")
    compiled = []

    def compile_folder(command: list[str], _web: Path) -> None:
        source, archive = map(Path, command[2:])
        compiled.append(sorted(path.name for path in source.rglob("*.py")))
        archive.write_text("bytecode", "utf-8")

    monkeypatch.setattr(build, "user_cache_path", lambda _name: tmp_path / "cache")
    monkeypatch.setattr(build, "_run", compile_folder)
    for number in range(2):
        assert build._library(web, tmp_path / f"build-{number}").read_text("utf-8") == "bytecode"
    assert compiled == [["__init__.py"]]
    (web / "compile.mjs").write_text("changed", "utf-8")
    build._library(web, tmp_path / "build-2")
    assert len(compiled) == 2


IN_THE_RUNTIME = """
import { loadPyodide } from "pyodide";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { env, unpack } from "./python.js";
const python = await loadPyodide({ env, stdLibURL: process.argv[2] + "/python_stdlib.zip" });
unpack(python, gunzipSync(readFileSync(process.argv[2] + "/python.pack")));
python.runPython(`
import sys
from adjudicator import installed_games, rulesets
from adjudicator.orders.parser import reader
for meta in installed_games():
    reader(rulesets.ruleset(meta.id))
print(len(installed_games()), "lark" in sys.modules)
import adjudicator, importlib, os, jsonschema.validators
package = os.path.dirname(adjudicator.__file__)
for place, _, names in os.walk(package):
    for name in names:
        path = os.path.relpath(os.path.join(place, name), os.path.dirname(package))
        if path.endswith(".pyc"):
            importlib.import_module(path.removesuffix(".pyc").removesuffix("/__init__").replace("/", "."))
`);
"""


def test_the_browser_has_the_tables_of_all_games_and_all_that_its_modules_import(desk_folder: Path, tmp_path: Path) -> None:
    """Without the tables Python would compile each grammar with Lark, which takes a browser more than a second."""
    web = build._javascript(tmp_path)
    (web / "try.mjs").write_text(IN_THE_RUNTIME, "utf-8")
    (pack,) = desk_folder.glob("*/python.pack")
    done = subprocess.run(["node", "try.mjs", str(pack.parent)], cwd=web, capture_output=True, text=True, check=False)
    assert (done.stdout.split(), done.stderr[-800:]) == (["5", "False"], "")


def test_the_first_visit_downloads_at_most_8_megabytes(desk_folder: Path) -> None:
    sizes = (len(gzip.compress(file.read_bytes(), 6)) for file in desk_folder.rglob("*") if file.is_file())
    assert sum(sizes) <= 8_000_000
