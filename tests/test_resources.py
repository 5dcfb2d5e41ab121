"""Data is found in an installed package and in a checkout, also that of other packages."""

from __future__ import annotations

import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from adjudicator import resources
from adjudicator.games.checkpoint_rally.meta import META
from adjudicator.resources import MissingResource, component_set, folder, rules_page

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", ["grammar", "schemas", "docs", "examples"])
def test_folders_of_the_checkout(name: str) -> None:
    found = folder(name)
    assert found.is_dir()
    assert list(found.iterdir())


def test_the_folder_of_a_package_is_found_in_a_zip_file_and_of_several_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "zipped.zip", "w") as archive:
        archive.writestr("zipped_game/__init__.py", "")
        archive.writestr("zipped_game/data/box.json", "“box”")
    for part in ("one", "two"):
        (tmp_path / part / "parted_game").mkdir(parents=True)
        (tmp_path / part / "parted_game" / f"{part}.json").write_text("{}")
        monkeypatch.syspath_prepend(str(tmp_path / part))
    monkeypatch.syspath_prepend(str(tmp_path / "zipped.zip"))
    assert resources.files("zipped_game").joinpath("data", "box.json").read_text("utf-8") == "“box”"
    assert {file.name for file in resources.files("parted_game").iterdir()} == {"one.json", "two.json"}
    assert resources.files("adjudicator.core") == ROOT / "adjudicator" / "core"
    with pytest.raises(ModuleNotFoundError):
        resources.files("no_such_package")
    for name in ("zipped_game", "parted_game"):
        sys.modules.pop(name, None)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Pretend to be an installation whose package lies where no checkout is around it."""
    package = tmp_path / "site" / "adjudicator"
    package.mkdir(parents=True)
    monkeypatch.setattr(resources, "files", lambda _package: package)
    monkeypatch.setattr(resources, "__file__", str(package / "resources.py"))
    return package


def test_installed_data_goes_before_a_folder_of_the_same_name(installed: Path) -> None:
    (installed.parent / "grammar").mkdir()
    assert folder("grammar") == installed.parent / "grammar"
    (installed / "_data" / "grammar").mkdir(parents=True)
    assert folder("grammar") == installed / "_data" / "grammar"


def test_neither(installed: Path) -> None:
    with pytest.raises(
        MissingResource, match=r"reinstall adjudicator: the folder “schemas” is neither in .*_data.* nor at "
    ):
        folder("schemas")
    assert installed.is_dir()


def test_component_set() -> None:
    assert component_set(META, META.component_sets[0]).startswith("{")


@pytest.mark.parametrize("name", ["other", "", "../meta", "../../../../pyproject"])
def test_a_set_that_is_not_named_in_the_meta_is_not_looked_for(name: str) -> None:
    with pytest.raises(MissingResource, match="checkpoint-rally has no component set"):
        component_set(META, name)


def test_a_set_that_its_package_lacks() -> None:
    with pytest.raises(
        MissingResource,
        match=r"reinstall the package of checkpoint-rally: its component set “gone” is missing at .*gone\.json",
    ):
        component_set(replace(META, component_sets=("gone",)), "gone")


@pytest.mark.parametrize("place", ["no_such_package:RULESET", "no_such.package:RULESET"])
def test_a_package_that_is_not_there(place: str) -> None:
    with pytest.raises(MissingResource, match="reinstall the package no_such"):
        component_set(replace(META, ruleset=place), META.component_sets[0])


@pytest.mark.parametrize("place", ["boxed_game:RULES", "boxed_game_too.rules:RULES"])
def test_another_package_with_the_rules_in_it_or_in_a_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    package = place.partition(":")[0].partition(".")[0]
    data = tmp_path / package / "data"
    data.mkdir(parents=True)
    (tmp_path / package / "__init__.py").touch()
    (tmp_path / package / "rules.py").touch()
    (data / "box.json").write_text("“box”", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert component_set(replace(META, component_sets=("box",), ruleset=place), "box") == "“box”"
    sys.modules.pop(package, None)


def test_the_page_of_the_rules_is_that_of_the_checkout_or_of_the_installation(installed: Path) -> None:
    with pytest.raises(MissingResource, match="the folder “docs” is neither"):
        rules_page(META)
    (installed / "_data" / "docs").mkdir(parents=True)
    with pytest.raises(MissingResource, match="the rules page of checkpoint-rally is missing"):
        rules_page(META)
    (installed / "_data" / "docs" / "checkpoint-rally.md").write_text("“page”", encoding="utf-8")
    assert rules_page(META) == "“page”"
