"""`components`: what is in the box of each game, shipped or of one's own, in words, as data, as a picture."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.rulesets import metas, ruleset
from adjudicator.store.components import shipped

Run = Callable[..., Result]

OWN = Path(__file__).parents[2] / "examples" / "checkpoint-rally" / "own-set" / "tiny-set.json"
GAMES = [name for name, meta in metas() if getattr(meta, "ruleset", "").startswith("adjudicator.")]


def names_in(value: object) -> set[str]:
    """Return every id within plain data."""
    if isinstance(value, dict):
        inner = set[str]().union(*map(names_in, value.values()))
        return inner | ({value["id"]} if isinstance(value.get("id"), str) else set())
    return set[str]().union(*map(names_in, value)) if isinstance(value, list) else set()


def on_the_map(text: str) -> set[str]:
    """Return the squares that stand on a map, by the columns and rows around it."""
    found = set()
    lines = iter(text.splitlines())
    for line in lines:
        heads = [(at, head) for at, head in enumerate(line) if head.isupper()]
        if re.fullmatch(r"( +[A-Z])+", line) and len(heads) > 1:
            while row := re.match(r" *(\d+) ", line := next(lines)):
                found |= {f"{head}{row[1]}" for at, head in heads if line[at : at + 1].strip()}
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_part_of_every_shipped_set_is_shown(run: Run, game: str) -> None:
    told = json.loads(run("components", game, "--json", code=0).stdout)
    found, known = shipped(ruleset(game))
    assert (told["ruleset"], told["components"], told["components_hash"]) == (game, found.id, known.hash)
    text = run("components", game, code=0).stdout
    assert known.hash in text
    lists = [part for part in told["parts"].values() if isinstance(part, list)]
    shown = {name.casefold() for name in text.replace(",", " ").split()}
    hidden = {name for name in names_in(lists) if name.casefold() not in shown}
    by_name = ("cards", "cars", "zones")  # these are shown by their names, which people know
    parts = (part for key in by_name for part in told["parts"].get(key, []))
    named = {part["id"] for part in parts if part.get("name") and part["name"] in text}
    assert hidden <= named | on_the_map(text)


def test_flaws_of_a_map_are_told_all_at_once_by_square(run: Run, tmp_path: Path) -> None:
    house = json.loads(run("components", "rally-round", "--json", code=0).stdout)
    assert house["problems"] == []
    parts = house["parts"] | {"id": "mine", "name": "Mine"}
    squares = {square["id"]: square for square in parts["squares"]}
    squares["A7"]["feature"], squares["B1"]["x"] = "give-way", 1
    parts["tracks"][0]["ends"][1] = "Q98"
    (tmp_path / "map.json").write_text(json.dumps(parts))
    done = run("components", "rally-round", "--components", "map.json", "--svg", "map.svg", code=1)
    assert done.stderr == (
        "\nRally Round: components mine, version 3: no game can begin with this set\n"
        "  B1 has the same place as A1: column x 1, row y 1 (RR-C1)\n"
        "  Smugglers' Cut ends at Q98, which is not on the map (RR-C2)\n"
        "  A7: the give-way needs the side that it points to (toward) (RR-C2)\n"
    )
    assert "Hidden tracks (7)" in done.stdout  # what is there is shown all the same
    assert (tmp_path / "map.svg").read_text().startswith("<svg")
    told = json.loads(run("components", "rally-round", "--components", "map.json", "--json", code=1).stdout)["problems"]
    assert [one["rule"] for one in told] == ["RR-C1", "RR-C2", "RR-C2"]


@pytest.mark.parametrize("feature", ["gradient", "steep", "give-way"])
def test_a_map_whose_feature_lacks_its_side_is_shown_too(run: Run, tmp_path: Path, feature: str) -> None:
    parts = json.loads(run("components", "rally-round", "--json", code=0).stdout)["parts"] | {"id": "mine"}
    next(square for square in parts["squares"] if square["id"] == "B1").update(feature=feature)
    (tmp_path / "map.json").write_text(json.dumps(parts))
    done = run("components", "rally-round", "--components", "map.json", code=1)
    assert re.search(r"B1: the .* needs the side that it points to \(toward\) \(RR-C2\)", done.stderr)


def test_tiles_are_drawn_and_cards_stand_in_a_table(run: Run) -> None:
    text = run("components", "checkpoint-rally", code=0).stdout
    assert text.startswith("Checkpoint Rally: components house, version 2\nhash ")
    assert "Map cards (20)" in text
    assert "K13   A4 B2 C4 E2  B1 B4 D5" in text
    assert "══ highway" in text
    assert " H13 c║ " in text


def test_the_track_of_checkered_flag_is_drawn_with_its_zones(run: Run) -> None:
    text = run("components", "checkered-flag", code=0).stdout
    assert "Track (54 spaces)" in text
    assert "Esses       16–21      16–18, 19–21" in text
    assert "! danger" in text


@pytest.mark.parametrize("option", ["--set", "--components"])
def test_a_set_of_one_s_own_is_shown_as_well(run: Run, option: str) -> None:
    text = run("components", "checkpoint-rally", option, OWN, code=0).stdout
    assert text.startswith("Checkpoint Rally: components tiny, version ")
    told = json.loads(run("components", "Checkpoint-Rally", option, OWN, "--json", code=0).stdout)
    assert len(told["parts"]["tiles"]) == len(json.loads(OWN.read_text("utf-8"))["tiles"])


@pytest.mark.parametrize("game", GAMES)
def test_a_set_is_written_as_a_beginning_for_one_s_own(run: Run, tmp_path: Path, game: str) -> None:
    shipped = json.loads(run("components", game, "--json", "-o", "mine.json", code=0).stdout)
    own = json.loads(run("components", game, "--set", "mine.json", "--json", code=0).stdout)
    assert own["parts"] == {**shipped["parts"], "id": "mine", "version": 1}
    assert "mine.json already exists" in run("components", game, "-o", "mine.json", code=2).stderr
    run("components", game, "-o", "mine.json", "--force", code=0)


def test_it_is_drawn_as_a_picture(run: Run, tmp_path: Path) -> None:
    assert "Map cards" in run("components", "checkpoint-rally", "--svg", "set.svg", code=0).stdout
    drawn = (tmp_path / "set.svg").read_text("utf-8")
    assert drawn.startswith("<svg ")
    assert all(f">{tile}<" in drawn for tile in ("H1", "G14", "U14"))
    assert run("components", "checkpoint-rally", "--svg", "-", code=0).stdout == drawn
    assert run("components", "checkered-flag", "--svg", "-", code=0).stdout.startswith("<svg ")
    suspects = run("components", "checkpoint-charlie", "--svg", "-", code=0).stdout
    assert suspects.count("<text") >= 32 and all(f">{name}<" in suspects for name in ("Anton", "Heidi", "Yuri"))


@pytest.mark.parametrize(("arguments", "words"), [
    (("checkpoint-rally", "--svg", "x.txt"), "give the picture a name that ends in .svg"),
    (("checkpoint-rally", "--force"), "--force"),
    (("checkpoint-rally", "--set", "nowhere"), "neither"),
    (("checkpoint-rally", "--svg", "mine.svg"), "mine.svg already exists and is not a picture"),
    (("checkpoint-rally", "--set", "mine.svg", "--svg", "mine.svg"), "would replace the component set"),
    (("checkpoint-raly",), "checkpoint-rally"),
])  # fmt: skip
def test_what_makes_no_sense_is_misuse(run: Run, tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    (tmp_path / "mine.svg").write_text("my own notes")
    assert words in run("components", *arguments, code=2).stderr
    assert (tmp_path / "mine.svg").read_text() == "my own notes"


def test_a_name_in_a_set_moves_no_terminal(run: Run, tmp_path: Path) -> None:
    document = json.loads(OWN.read_text("utf-8"))
    document["name"] = "\x1b[2J tiny"
    (tmp_path / "set.json").write_text(json.dumps(document))
    assert "\x1b" not in run("components", "checkpoint-rally", "--set", "set.json", code=0).stdout
