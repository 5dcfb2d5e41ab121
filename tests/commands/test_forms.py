"""Reports, component sets and pages of rules in every form and for every game."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.library.rulesets import rules_of
from tests.drivers.commands import ROOT, Run, argv, rally, rally_bytes, written

GAMES = [meta.id for meta in adj.installed_games()]
BEGINS = {
    "txt": b"rally \xc2\xb7 Checkpoint Rally \xc2\xb7 turn ",
    "html": b"<!doctype html>",
    "md": b"# rally",
    "svg": b"<svg ",
    "png": b"\x89PNG",
    "json": b'{"accounts":[',
}


@pytest.mark.parametrize("form", BEGINS)
def test_the_ending_says_in_which_form_a_report_is_written(run: Run, form: str) -> None:
    if form == "png":
        pytest.importorskip("resvg_py")
    game = rally()
    run("report", game, "--as", "red", "-o", f"red.{form}", code=0)
    data = Path(f"red.{form}").read_bytes()
    assert data.startswith(BEGINS[form])
    assert run("report", game, "--as", "red", "--format", form, code=0).stdout_bytes == data
    run("report", game, "--as", "red", "-o", "report.of.red", "--format", form, code=0)
    assert (Path("report.of.red").read_bytes(), game.read_bytes()) == (data, rally_bytes())


def test_a_report_is_that_of_the_turn_and_each_form_of_it_is_listed_with_its_hash(run: Run) -> None:
    game = rally()
    alone = run("report", game, "--as", "red", code=0).stdout
    run("turn", game, "-o", "out", code=0)
    of_turn = Path("out/red.txt").read_text()
    assert alone == of_turn.replace("Your orders\n  No mail has arrived since the last report.\n\n", "")
    assert run("report", game, "--as", "red", code=0).stdout == of_turn
    turn = ("turn", game, f"red={written('MVOE')}", "-o", "out", "--format")
    run(*turn, "html,txt,svg", code=1)
    manifest = json.loads(Path("out/manifest.json").read_text())
    names = {f"{who}.{form}" for who in ("red", "blue", "bystanders", "moderator") for form in ("html", "txt", "svg")}
    assert {one["file"] for one in manifest["reports"]} == names
    for one in manifest["reports"]:
        assert sha256(Path("out", one["file"]).read_bytes()).hexdigest() == one["hash"]
    before = Path("out/red.txt").read_text()
    assert "red.md" in run(*turn, "txt,md,png", code=0).stdout, "the same turn in another form has lost nothing"
    assert ("MVOE" in Path("out/red.md").read_text(), Path("out/red.txt").read_text()) == (True, before)
    assert Path("out/red.png").read_bytes().startswith(BEGINS["png"])


def test_a_turn_that_was_interrupted_is_completed_in_all_forms(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    game, whole = rally(), os.replace

    def stop(source: Any, target: Any, *more: Any, **how: Any) -> None:
        if "out" in str(target).split(os.sep):
            raise KeyboardInterrupt
        whole(source, target, *more, **how)

    turn = ("turn", game, f"red={written('MOVE D3')}", "-o", "out", "--format", "txt,png")
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", stop)
        run(*turn, code=130)
    assert adj.open(game).turn == 2
    run(*turn, code=0)
    assert "red drives" in Path("out/red.txt").read_text()
    assert Path("out/red.png").read_bytes().startswith(BEGINS["png"])


def test_where_the_extra_for_pictures_or_the_outbox_cannot_be_read_nothing_is_written(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = rally()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "resvg_py", None)
        assert "pip install 'pbem-adjudicator[png]'" in run("report", game, "-o", "red.png", code=2).stderr
        assert "pip install" in run("turn", game, "-o", "out", "--format", "txt,png", code=2).stderr
    assert not Path("red.png").exists() and not Path("out").exists()
    run("turn", game, "-o", "out", code=0)
    before, whole = game.read_bytes(), os.open

    def failing(path: Any, *more: Any, **how: Any) -> int:
        if str(path).endswith(".outbox"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return whole(path, *more, **how)

    monkeypatch.setattr("os.open", failing)
    for command, target in (("report", "new.html"), ("turn", "out")):
        told = run(command, game, "-o", target, code=2).stderr
        assert "rally.json.outbox: the file cannot be read: Input/output error" in told
    assert (game.read_bytes(), Path("new.html").exists()) == (before, False)


# Rules ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_all_rules_by_section_without_markdown(run: Run, name: str) -> None:
    text, page = run("rules", name, code=0).stdout, rules_of(name)
    assert re.findall(r"^([A-Z]{2}-[A-Z][0-9]+)  ", text, re.MULTILINE) == [fact.id for fact in page.facts]
    assert (max(map(len, text.splitlines())) <= 80, re.search(r"[*`]|\|-", text)) == (True, None)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("CR-F2", "CR-F2"),
        ("f2 CR-P3", "CR-P3 CR-F2"),
        ("'(CR-P1, CR-P2)'", "CR-P1 CR-P2"),
        ("CR-T", "CR-T1 CR-T2 CR-T3"),
        ("last minute", "CR-S5 CR-T2 CR-F2"),
        ("any-marker", "CR-F2"),
    ],
)
def test_a_rule_is_found_by_number_or_word(run: Run, asked: str, found: str) -> None:
    told = json.loads(run("rules", "checkpoint-rally", *argv(asked), "--json", code=0).stdout)
    assert [fact["id"] for fact in told["facts"]] == found.split()
    text = " ".join(run("rules", "checkpoint-rally", "CR-S2", code=0).stdout.split())
    assert all(words in text for words in (" Ruling: ", " Why: ", " Instead: layout=cross "))


# Components -----------------------------------------------------------------------------------------------------------

TINY = ROOT / "examples" / "checkpoint-rally" / "own-set" / "tiny-set.json"


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
def test_every_part_of_every_set_is_shown_and_a_set_begins_one_s_own(run: Run, game: str) -> None:
    told = json.loads(run("games", game, "--json", "-o", "mine.json", code=0).stdout)
    text = run("games", game, code=0).stdout
    assert (told["ruleset"], told["components_hash"] in text) == (game, True)
    shown = {name.casefold() for name in text.replace(",", " ").split()}
    lists = [part for part in told["parts"].values() if isinstance(part, list)]
    hidden = {name for name in names_in(lists) if name.casefold() not in shown}
    parts = (part for key in ("cards", "cars", "zones") for part in told["parts"].get(key, []))  # shown by their names
    assert hidden <= {part["id"] for part in parts if part.get("name") and part["name"] in text} | on_the_map(text)
    own = json.loads(run("games", game, "--set", "mine.json", "--json", code=0).stdout)
    assert own["parts"] == {**told["parts"], "id": "mine", "version": 1}


def test_flaws_of_a_map_are_told_all_at_once_by_square_and_it_is_shown_all_the_same(run: Run) -> None:
    house = json.loads(run("games", "rally-round", "--json", code=0).stdout)
    assert house["problems"] == []
    parts = house["parts"] | {"id": "mine", "name": "\x1b[2JMine"}
    squares = {square["id"]: square for square in parts["squares"]}
    squares["A7"]["feature"], squares["B1"]["x"] = "give-way", 1
    parts["tracks"][0]["ends"][1] = "Q98"
    written(json.dumps(parts), "map.json")
    done = run(*argv("games rally-round --components map.json --svg map.svg"), code=1)
    assert done.stderr.splitlines()[2:] == [
        "  B1 has the same place as A1: column x 1, row y 1 (RR-C1)",
        "  Smugglers' Cut ends at Q98, which is not on the map (RR-C2)",
        "  A7: the give-way needs the side that it points to (toward) (RR-C2)",
    ]
    assert "Hidden tracks (7)" in done.stdout and Path("map.svg").read_text().startswith("<svg")
    assert "\x1b" not in done.output
    told = json.loads(run(*argv("games rally-round --components map.json --json"), code=1).stdout)["problems"]
    assert [one["rule"] for one in told] == ["RR-C1", "RR-C2", "RR-C2"]


def test_sets_are_drawn_as_pictures_also_one_s_own(run: Run) -> None:
    run(*argv("games checkpoint-rally --svg set.svg"), code=0)
    drawn = Path("set.svg").read_text("utf-8")
    assert drawn.startswith("<svg ") and all(f">{tile}<" in drawn for tile in ("H1", "G14", "U14"))
    assert run(*argv("games checkpoint-rally --svg -"), code=0).stdout == drawn
    suspects = run(*argv("games checkpoint-charlie --svg -"), code=0).stdout
    assert suspects.count("<text") >= 32 and all(f">{name}<" in suspects for name in ("Anton", "Heidi", "Yuri"))
    for option in ("--set", "--components"):
        told = json.loads(run("games", "Checkpoint-Rally", option, TINY, "--json", code=0).stdout)
        assert len(told["parts"]["tiles"]) == len(json.loads(TINY.read_text("utf-8"))["tiles"])
    run("show", rally(), "--as", "red", "--svg", "red.svg", code=0)
    board = Path("red.svg").read_text("utf-8")
    said = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", board))
    assert all(words in said for words in ("as Ann (red)", "R Ann (red)", "B Bob (blue)"))
    assert run("show", "rally.json", "--as", "red", "--svg", "-", code=0).stdout == board
    assert run("show", "rally.json", "--svg", "-", code=0).stdout != board


def test_every_order_that_legal_lists_is_accepted_at_its_cost_and_a_seat_is_told_ahead(run: Run) -> None:
    game = rally()
    listed = json.loads(run("legal", game, "--json", code=0).stdout)["red"]
    for row in listed[:: len(listed) // 12]:
        told = json.loads(run("check", game, "-", "--json", stdin=f"red: {row['order']}", code=0).stdout)
        assert (told["accepted"][0]["order"], told["accepted"][0]["min"]) == (row["order"], row["min"])
    ahead = run("legal", game, "--as", "blue", code=0).stdout.split("legal orders")[1].partition("\n")[2]
    run("amend", game, "racers[red].minutes=40", "--reason", "so that blue is due", code=0)
    assert run("legal", game, "--as", "blue", code=0).stdout.split("legal orders")[1].partition("\n")[2] == ahead
