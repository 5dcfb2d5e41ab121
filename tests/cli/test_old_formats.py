"""Files of older formats on the command line: read by every command, written in the present format, refused if spoiled."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from typer.testing import Result

from adjudicator.core.game import FORMAT

Run = Callable[..., Result]
Orders = Callable[..., str]

FORMAT_1 = Path(__file__).parents[1] / "data" / "games" / "format-1"
OWN_TRACK = FORMAT_1 / "parts" / "checkered-flag.own-track.json"


@pytest.fixture
def old(tmp_path: Path) -> Callable[[str], Path]:
    """Lay a game of format 1 into the folder, by its name there."""

    def lay(name: str) -> Path:
        path = tmp_path / f"{name}.json"
        with ZipFile(FORMAT_1 / "games.zip") as archive:
            path.write_bytes(archive.read(f"midway/{name}.json"))
        return path

    return lay


def document_of(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


def hashes(path: Path) -> list[str]:
    return [link["hash"] for link in document_of(path)["journal"]]


@pytest.mark.parametrize("name", ["rally-midway", "rally-own-set", "charlie-midway", "flag-own-track", "flag-ended-by-hand"])
def test_an_old_game_is_read_by_every_command_and_left_alone(run: Run, old: Callable[[str], Path], name: str) -> None:
    path = old(name)
    before = path.read_bytes()
    for command in ("show", "legal", "log", "replay", "audit"):
        run(command, path, code=0)
    assert path.read_bytes() == before


def test_an_old_game_goes_on_in_the_present_format(run: Run, old: Callable[[str], Path], orders: Orders) -> None:
    path = old("rally-own-set")
    before = hashes(path)
    run("apply", path, orders("red: REFRESH"), code=0)
    document = document_of(path)
    assert document["format"] == FORMAT
    assert hashes(path)[: len(before)] == before
    assert len(hashes(path)) > len(before)
    run("audit", path, code=0)


def test_with_another_name_the_old_file_stays(run: Run, old: Callable[[str], Path], orders: Orders, tmp_path: Path) -> None:
    """The later writing is known for the same game and replaced, in whatever format it was."""
    path = old("flag-own-track")
    before = path.read_bytes()
    turn = orders("red: GEAR 1 go")
    run("apply", path, turn, "-o", "next.json", code=0)
    assert path.read_bytes() == before
    assert document_of(tmp_path / "next.json")["format"] == FORMAT
    (tmp_path / "next.json").write_bytes(before)
    run("apply", path, turn, "-o", "next.json", code=0)
    assert document_of(tmp_path / "next.json")["format"] == FORMAT
    assert not any("ground" in spot for spot in document_of(tmp_path / "next.json")["setup"]["components"]["track"])


def test_what_waited_in_an_old_game_is_carried_out(run: Run, old: Callable[[str], Path], orders: Orders) -> None:
    path = old("flag-own-track")
    run("apply", path, orders("red:\n  GEAR 1 go\n  GEAR 1 go"), code=0)
    entries = [link["entry"] for link in document_of(path)["journal"]]
    assert [(entry["seat"], entry["order"], entry["turn"]) for entry in entries[-3:]] == [
        ("red", "GEAR 1 go", 10),
        ("red", "GEAR 1 go", 10),
        ("blue", "GEAR 1 go", 10),
    ]
    (waiting,) = document_of(path)["pending"]
    assert [order["order"] for order in waiting["orders"]] == ["IF danger <= 3 THEN GEAR 1 ELSE GEAR 2 go"]


@pytest.mark.parametrize(
    ("old_bytes", "new_bytes", "words"),
    [
        (b'"lost":1', b'"lost":2', "  seal: "),
        (b'"ground":"danger"', b'"ground":"straight"', "setup.components: "),
        (b'"ground":"danger"', b'"ground":7', "setup.components.track[5].ground: must be “straight” or “danger”, not 7"),
        (b'"stage":"racing"', b'"stage":[]', "state.stage: must be"),
        (b'"winner":null', b'"winner":{}', "state.winner: must be text"),
        (b'"holder":"Ann"', b'"holder":"Eve"', "somebody has changed"),
        (b'"format":1', b'"format":0', "format: "),
    ],
)
def test_a_spoiled_old_game_is_refused_with_the_place(
    run: Run, old: Callable[[str], Path], orders: Orders, old_bytes: bytes, new_bytes: bytes, words: str
) -> None:
    path = old("flag-own-track")
    spoiled = path.read_bytes()
    at = spoiled.rindex(old_bytes) if old_bytes.startswith((b'"stage', b'"winner', b'"lost')) else spoiled.index(old_bytes)
    spoiled = spoiled[:at] + new_bytes + spoiled[at + len(old_bytes) :]
    path.write_bytes(spoiled)
    for command, *more in (("show",), ("log",), ("apply", orders("red: GEAR 1 go"))):
        result = run(command, path, *more, code=3)
        assert words in result.stderr
        assert result.stdout == ""
    assert path.read_bytes() == spoiled
    assert words.strip().removesuffix(":") in run("audit", path, code=3).stdout


def test_a_game_is_begun_with_a_track_of_the_former_form(run: Run, tmp_path: Path, old: Callable[[str], Path]) -> None:
    """It is the same game as one with the track as it is written now."""
    now = json.loads(OWN_TRACK.read_bytes())
    for spot in now["track"]:
        del spot["ground"]
    (tmp_path / "now.json").write_text(json.dumps(now))
    seats = ("--seat", "red", "--seat", "blue", "--seed", "5" * 64, "--id", "x")
    run("new", "checkered-flag", *seats, "--components", OWN_TRACK, "-o", "then.json", code=0)
    run("new", "checkered-flag", *seats, "--components", "now.json", "-o", "game.json", code=0)
    assert (tmp_path / "then.json").read_bytes() == (tmp_path / "game.json").read_bytes()
    assert (
        document_of(old("flag-own-track"))["components"]["hash"] != document_of(tmp_path / "game.json")["components"]["hash"]
    )


def test_a_script_may_name_a_track_of_the_former_form(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.json").write_bytes(OWN_TRACK.read_bytes())
    (tmp_path / "position.json").write_bytes((FORMAT_1 / "parts" / "checkered-flag.golden.case-2.setup.json").read_bytes())
    head = "script checkered-flag\nid own\nseat red\nseat blue\ncomponents own.json\nposition position.json\n"
    (tmp_path / "race.txt").write_text(f"{head}seed {'5' * 64}\n\nturn 1\nred: GEAR 2 go\n")
    result = run("replay", "race.txt", code=0)
    assert "GEAR 2 go" in result.stdout


def test_a_ground_that_contradicts_the_zones_is_refused(run: Run, tmp_path: Path) -> None:
    text = OWN_TRACK.read_text().replace('"ground": "danger"', '"ground": "straight"', 1)
    (tmp_path / "own.json").write_text(text)
    result = run("new", "checkered-flag", "--seat", "red", "--seat", "blue", "--components", "own.json", code=3)
    assert "track[5]: the name “ground” is unknown here" in result.stderr
