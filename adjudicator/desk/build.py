"""Build the desk: a folder of static files that run this program in a browser, without any server; and serve it locally.

The Python in the browser is this package, compiled for CPython on WebAssembly, with the wheels of ``wheels.txt``. Runtime,
editor and bundler come from npm with the versions and hashes of ``web/package-lock.json``.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distribution
from importlib.resources import as_file
from itertools import accumulate
from pathlib import Path
from typing import Any, Final
from zipfile import ZipFile

from platformdirs import user_cache_path

from adjudicator import __version__, installed_games
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.values import Value
from adjudicator.resources import files, folder

_WEB: Final = Path(__file__).parent / "web"
_TEMPLATES: Final = _WEB.parents[1] / "reports" / "templates"
_MARKS: Final = {"index.html": b'<body data-release="', "service.js": b"const STORE = `desk-"}
"""The files of a desk that each release replaces, and what is in them."""
_WHEELS: Final = Path(__file__).parent / "wheels.txt"
_RUNTIME: Final = ("pyodide.asm.mjs", "pyodide.asm.wasm")
"""The files that the runtime fetches by their names, with the standard library and the list of packages."""
_PACKAGES: Final = "pyodide-lock.json"
_TYPES: Final = {
    ".mjs": "text/javascript",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
}
_LIBRARY: Final = "python_stdlib.zip"
_UNUSED: Final = Path(__file__).parent / "unused.txt"
"""The beginnings of names in the standard library that nothing in a browser uses."""
_NOT_IN_SCHEMAS: Final = ("output.*", "turn-log.json")
"""The schemas of what only commands read or write."""
_SOURCES: Final = (".py", ".pyi", ".c", ".pyx")
"""The files that are code; all others in a package are its data."""
_PIP: Final = ("--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes", "--only-binary=:all:")
_PLATFORM: Final = (
    *("--platform", "pyemscripten_2026_0_wasm32", "--platform", "manylinux2014_x86_64"),
    *("--python-version", "314", "--implementation", "cp", "--abi", "cp314", "--abi", "none"),
)
"""What pip takes: wheels for WebAssembly. One wheel for Linux is there for its Python part."""


class CannotBuildError(AdjudicatorError):
    """Report that the desk cannot be built: a program is missing, or a download failed."""


class CannotDownloadError(CannotBuildError):
    """Report that a registry does not give what the desk is made of."""


class Release(Value):
    """A desk that was built: its name, which follows from the contents of its files, and their sizes in bytes by path."""

    name: str
    sizes: dict[str, int]


def build(target: Path) -> Release:
    """Write the desk into the folder ``target``, which may hold an older desk. Raises ``CannotBuildError``, ``OSError``."""
    for page, mark in _MARKS.items():
        found = target / page
        if found.exists() and not (found.is_file() and mark in found.read_bytes()):
            raise CannotBuildError(f"name another folder, or move this file away: {found} is not a page of a desk")
    with tempfile.TemporaryDirectory(prefix="adjudicator-desk-") as name:
        work = Path(name)
        web = _javascript(work)
        made = work / "made"
        made.mkdir()
        runtime = web / "node_modules" / "pyodide"
        for file in _RUNTIME:
            shutil.copyfile(runtime / file, made / file)
        known = json.loads((runtime / _PACKAGES).read_bytes())
        (made / _PACKAGES).write_text(json.dumps({**known, "packages": {}}), "utf-8")  # none is ever loaded from elsewhere
        _run([str(web / "node_modules" / ".bin" / "esbuild"), "desk.tsx", "worker.ts", "--bundle", "--minify",
              "--format=esm", "--target=es2022", "--external:node:*", "--loader:.css=text", f"--outdir={made}",
              "--log-level=warning"], web)  # fmt: skip
        styles = (_TEMPLATES / "identity.css", web / "desk.css", web / "table.css")
        (made / "desk.css").write_bytes(b"".join(style.read_bytes() for style in styles))
        source = work / "source"  # this package and its wheels, as bytecode of the runtime's own Python
        copy_python(source, _wheels(work))
        metadata = source / f"pbem_adjudicator-{__version__}.dist-info"  # they name the rulesets of this package
        metadata.mkdir()
        installed = distribution("pbem-adjudicator")
        headers, _, _ = (installed.read_text("METADATA") or "").partition("\n\n")  # without the text for people
        (metadata / "METADATA").write_text(f"{headers}\n", "utf-8")
        (metadata / "entry_points.txt").write_text(installed.read_text("entry_points.txt") or "", "utf-8")
        _run(["node", "compile.mjs", str(source), str(made / "python.pack")], web)
        shutil.copyfile(_library(web, work), made / _LIBRARY)
        contents = {
            path.relative_to(made).as_posix(): path.read_bytes() for path in sorted(made.rglob("*")) if path.is_file()
        }
        page, service = ((web / file).read_text("utf-8") for file in ("index.html", "service.js"))
        release = _digest([page.encode(), service.encode(), *contents.values()])
        place = target / release  # all but the first page and the service worker
        for path, data in contents.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(data)
        words = {"RELEASE": release, "VERSION": __version__, "FILES": json.dumps([f"{release}/{path}" for path in contents])}
        for file, text in (("service.js", service), ("index.html", page)):  # the page last: it makes the release current
            for word, value in words.items():
                text = text.replace(f"@{word}@", value)
            (target / file).write_text(text, "utf-8")
        return Release(release, {path: len(data) for path, data in contents.items()})


def _javascript(work: Path) -> Path:
    """Return a copy of the web sources with their npm packages, which are kept for the next build."""
    web = work / "web"
    copy_sources(web)
    kept = user_cache_path("adjudicator") / f"desk-{_digest([(web / 'package-lock.json').read_bytes()])}" / "node_modules"
    if not kept.is_dir():
        _run(["npm", "ci", "--omit=dev", "--no-fund", "--no-audit", "--loglevel=error"], web, CannotDownloadError)
        _keep(web / "node_modules", kept)
    else:
        (web / "node_modules").symlink_to(kept)
    return web


def copy_sources(target: Path) -> None:
    """Copy the sources of the page, with the script that it shares with reports."""
    shutil.copytree(_WEB, target, ignore=shutil.ignore_patterns("node_modules"))
    (target / "zoom.js").write_text((_TEMPLATES / "zoom.js").read_text("utf-8") + "export { zoomFor };\n", "utf-8")


def _keep(made: Path, kept: Path) -> None:
    """Copy the folder ``made`` to ``kept``, so that either all of it is there or nothing."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as name:
        copy = Path(name) / "copy"
        shutil.copytree(made, copy, symlinks=True)
        if not kept.exists():
            os.replace(copy, kept)


def _library(web: Path, work: Path) -> Path:
    """Return the runtime's standard library as bytecode, which is kept for the next build."""
    causes = (web / "package-lock.json", web / "compile.mjs", _UNUSED)
    kept = user_cache_path("adjudicator") / f"desk-{_digest(path.read_bytes() for path in causes)}" / "library"
    if not kept.is_dir():
        source, found = work / "library", work / "compiled"
        with ZipFile(web / "node_modules" / "pyodide" / _LIBRARY) as opened:
            unused = tuple(_UNUSED.read_text("ascii").split())
            opened.extractall(source, [name for name in opened.namelist() if not name.startswith(unused)])
        found.mkdir()
        _run(["node", "compile.mjs", str(source), str(found / _LIBRARY)], web)
        _keep(found, kept)
    return kept / _LIBRARY


def _wheels(work: Path) -> Iterable[Path]:
    kept = user_cache_path("adjudicator") / f"desk-{_digest([_WHEELS.read_bytes()])}" / "wheels"
    if not kept.is_dir():
        found = work / "wheels"
        download = (sys.executable, "-m", "pip", "download", *_PIP, *_PLATFORM)
        _run([*download, "--requirement", str(_WHEELS), "--dest", str(found)], work, CannotDownloadError)
        _keep(found, kept)
    return sorted(kept.glob("*.whl"))


def copy_python(source: Path, wheels: Iterable[Path] = ()) -> None:
    """Write this package and ``wheels`` with their data into the new folder ``source``, as far as the page reaches them."""
    for wheel in wheels:
        with ZipFile(wheel) as opened:  # extensions for Linux are no use to the runtime
            opened.extractall(source, [name for name in opened.namelist() if not name.endswith("linux-gnu.so")])
    with as_file(files("adjudicator")) as package:
        left_out = shutil.ignore_patterns("__pycache__", "_data", "web", "fonts")
        shutil.copytree(package, source / "adjudicator", ignore=left_out)
    (source / "adjudicator" / "desk" / "rpds.py").rename(source / "rpds.py")
    # What Python does not import there, in no function, goes, with the data beside it.
    games = [meta.ruleset.partition(":")[0] for meta in installed_games() if meta.is_shipped]
    named = (game.rpartition(".")[0] + part for game in games for part in (".meta", ".rules", ".bot"))
    waiting, reached = ["adjudicator.desk.requests", *named], set[Path]()
    while waiting:
        module = waiting.pop()
        place = source.joinpath(*module.split("."))
        path = next((one for one in (place / "__init__.py", place.with_suffix(".py")) if one.is_file()), None)
        if path is not None and path not in reached:
            reached.add(path)
            around = module if path.name == "__init__.py" else module.rpartition(".")[0]
            waiting += _imports(ast.parse(path.read_bytes()), around)
    packages = set(source.rglob("__init__.py"))
    for path in [one for one in source.rglob("*") if one.is_file()]:
        beside = next((one / "__init__.py" for one in path.parents if one / "__init__.py" in packages), None)
        if path not in reached and (path.suffix in _SOURCES or beside not in reached):
            path.unlink()
    data = source / "adjudicator" / "_data"  # of the documentation, only the rules of the games
    for name in ("grammar", "schemas"):
        with as_file(folder(name)) as place:
            shutil.copytree(place, data / name, ignore=shutil.ignore_patterns(*_NOT_IN_SCHEMAS))
    (data / "docs").mkdir()
    for page in (folder("docs").joinpath(f"{meta.id}.md") for meta in installed_games()):
        if page.is_file():
            (data / "docs" / page.name).write_bytes(page.read_bytes())


def _imports(code: ast.AST, package: str) -> Iterator[str]:
    """Yield the name of each module that ``code`` of this ``package`` imports, also in functions, with its packages.

    What only type checkers import counts in the public names of this program alone, which are loaded from there.
    """
    match code:
        case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=others) if package != "adjudicator":
            parts: Iterable[ast.AST] = others
        case ast.Import(names=names):
            parts = ()
            for one in names:
                yield from accumulate(one.name.split("."), "{}.{}".format)
        case ast.ImportFrom(module=module, names=names, level=level):
            parts = ()
            above = package.split(".")[: len(package.split(".")) - level + 1] if level else []
            base = ".".join((*above, *([module] if module else ())))
            yield from accumulate(base.split("."), "{}.{}".format)
            yield from (f"{base}.{one.name}" for one in names)
        case _:
            parts = ast.iter_child_nodes(code)
    for part in parts:
        yield from _imports(part, package)


def _digest(contents: Iterable[bytes]) -> str:
    found = hashlib.sha256()
    for data in contents:
        found.update(hashlib.sha256(data).digest())
    return found.hexdigest()[:12]


def _run(command: Sequence[str], place: Path, failure: type[CannotBuildError] = CannotBuildError) -> None:
    try:
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CannotBuildError(
            f"install {command[0]}: the desk is built with it (Node.js 20 or newer brings npm along)"
        ) from None
    if done.returncode:
        raise failure(f"`{' '.join(command[:3])} …` failed:\n{(done.stderr or done.stdout).strip()[-2000:]}")


class _Handler(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | _TYPES

    def end_headers(self) -> None:
        """Let the browser ask again each time: files of a release have other names in the next one."""
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in the base class
        """Say nothing about requests."""


def server_of(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of the files in ``folder`` at ``port`` (0: any free one) of the loopback address.

    Raises ``OSError`` if the port is taken.
    """
    return ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(folder)))
