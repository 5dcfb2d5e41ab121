"""A release carries one version everywhere, is tested before it is published, and brings its manual page."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from adjudicator import __version__

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = {path.stem: path.read_text("utf-8") for path in (ROOT / ".github" / "workflows").glob("*.yml")}
MANUAL = ROOT / "man" / "adjudicator.1"


def test_the_changelog_begins_with_what_is_not_released_and_then_this_version() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert re.fullmatch(rf"{re.escape(__version__)} \(\d{{4}}-\d\d-\d\d\)", headings[1])


def test_each_change_of_this_version_has_a_few_lines() -> None:
    """Add a line to the group that users would search: Added, Changed, Removed or Fixed."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[2].split("\n### Adjudication changed")[0]
    groups = re.findall(r"^### (.+)$", text, re.MULTILINE)
    assert groups == [*dict.fromkeys(groups)], "a merge by union has kept an earlier list"
    changes = re.findall(r"^- (?:.+)(?:\n  .+)*", text, re.MULTILINE)
    assert [one for one in changes if one.count("\n") > 3] == []
    assert len(text.split()) <= 3_000


def test_the_citation_has_the_version_and_the_day_of_the_changelog() -> None:
    citation = dict(re.findall(r"^([\w-]+): (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE))
    day = citation["date-released"].strip('"')
    assert citation["version"] == __version__
    assert f"## {__version__} ({day})" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert citation["license"] == PROJECT["project"]["license"]
    assert citation.get("repository-code") == PROJECT["project"].get("urls", {}).get("Repository")


def test_the_readme_installs_the_distribution_by_its_name() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for words in ("pipx install", "uv tool install"):
        assert f"`{words} {PROJECT['project']['name']}`" in readme


def test_the_manual_page_is_what_the_commands_say() -> None:
    """To write it again: `python .ci/help_texts.py > man/adjudicator.1`."""
    command = [sys.executable, ROOT / ".ci" / "help_texts.py"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    assert printed == MANUAL.read_text("utf-8")
    assert printed.startswith(f'.TH ADJUDICATOR 1 "" "adjudicator {__version__}"')


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder: the sdist, the wheel of the checkout in `whole`, and that of the sdist, as released, in `again`."""
    pytest.importorskip("hatchling", reason="packages are built with hatchling: pip install -e '.[test]'")
    folder = tmp_path_factory.mktemp("built")

    def build(source: Path, target: str, place: Path) -> None:
        command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(place)]
        subprocess.run(command, cwd=source, check=True, capture_output=True)

    build(ROOT, "sdist", folder)
    build(ROOT, "wheel", folder / "whole")
    with tarfile.open(*folder.glob("*.tar.gz")) as sdist:
        sdist.extractall(folder, filter="data")
    build(folder / f"pbem_adjudicator-{__version__}", "wheel", folder / "again")
    return folder


def test_the_wheel_brings_the_manual_page_and_this_version(built: Path) -> None:
    (wheel,) = (built / "whole").glob(f"pbem_adjudicator-{__version__}-*.whl")
    with ZipFile(wheel) as opened:
        manual = opened.read(f"pbem_adjudicator-{__version__}.data/data/share/man/man1/adjudicator.1")
        assert manual == MANUAL.read_bytes()
        assert f"\nVersion: {__version__}\n" in opened.read(f"pbem_adjudicator-{__version__}.dist-info/METADATA").decode()


def test_sdist_and_wheel_have_every_file_of_the_repository(built: Path) -> None:
    """The patterns of `.gitignore` hold for both: one that matches a package leaves it out."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    told = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    files = {name for name in told.split("\0") if (ROOT / name).is_file()}
    unpacked = built / f"pbem_adjudicator-{__version__}"
    assert {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()} == {*files, "PKG-INFO"}
    data = ("grammar/", "schemas/", "docs/", "examples/own-ruleset/")
    shipped = {name for name in files if name.startswith("adjudicator/")}
    shipped |= {f"adjudicator/_data/{name}" for name in files if name.startswith(data)}
    for wheel in (*built.glob("whole/*.whl"), *built.glob("again/*.whl")):
        with ZipFile(wheel) as opened:
            assert {name for name in opened.namelist() if not name.startswith("pbem_adjudicator-")} == shipped


def test_every_action_is_pinned_to_a_commit_and_every_python_that_the_package_names_is_tested() -> None:
    used = [found for text in WORKFLOWS.values() for found in re.findall(r"uses: \S+?@(\S+)(.*)", text)]
    assert len(used) > 10
    assert [one for one in used if not re.fullmatch(r"[0-9a-f]{40}  # v\d+(\.\d+)+", "".join(one))] == []
    matrix = dict(re.findall(r"^        (os|python): \[(.*)\]", WORKFLOWS["test"], re.MULTILINE))
    assert matrix["os"].split(", ") == ["ubuntu-latest", "macos-latest", "windows-latest"]
    named = re.findall(r"Programming Language :: Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8"))
    assert len(named) >= 5 and re.findall(r"[\d.]+", matrix["python"]) == named


def test_a_release_is_published_only_after_the_tests_and_only_if_its_tag_is_the_version() -> None:
    jobs = dict(re.findall(r"^  (\w+):.*\n((?:    .*\n|\n)+)", WORKFLOWS["release"].partition("\njobs:\n")[2], re.MULTILINE))
    assert list(jobs) == ["test", "package", "zipapp", "publish", "files"]
    assert ".ci/run" in jobs["test"]
    needs = {name: re.findall(r"\w+", found[0]) for name, job in jobs.items() if (found := re.findall("needs: (.*)", job))}
    assert needs == {"package": ["test"], "zipapp": ["test"], "publish": ["package", "zipapp"], "files": ["publish"]}
    (compare,) = re.findall(r"run: (grep .*)", jobs["test"])
    for tag, code in ((f"v{__version__}", 0), ("v0.0.1", 1), (__version__[:-1], 1)):
        surroundings = {"GITHUB_REF_NAME": tag, "PATH": "/usr/bin:/bin"}
        assert subprocess.run(["bash", "-c", compare], cwd=ROOT, env=surroundings, check=False).returncode == code
