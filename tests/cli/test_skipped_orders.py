"""Two games that differ only in whether an order of red's was skipped: nobody but red and the moderator can tell."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Run = Callable[..., Result]
NEVER = "IF minutes is 999 THEN DRAW"
FORMS = (["--json"], ["--events"])
Played = tuple[str, list[str]]
_PROOF = re.compile(r'(?<=head \d )[0-9a-f]{64}|(?<="proof":")[0-9a-f]{64}')
_PLAYED: dict[str, tuple[bytes, list[str]]] = {}


def begin(run: Run, folder: str) -> str:
    Path(folder).mkdir()
    game = f"{folder}/g.json"
    run("new", "checkpoint-rally", "--seat", "red", "--seat", "blue", "--seed", "07" * 32, "--id", "g", "-o", game, code=0)
    return game


def due(run: Run, game: str) -> str:
    return str(json.loads(run("show", game, "--json", code=0).stdout)["due"][0]["seat"])


def first_legal(run: Run, game: str, seat: str) -> str:
    return str(json.loads(run("legal", game, "--as", seat, "--json", code=0).stdout)[seat][0]["order"])


def play(run: Run, game: str, *, skipped: bool, alone: bool = False, turns: int = 5) -> list[str]:
    """Play some turns with `turn`; return what blue and bystanders were sent.

    Red may have tried something in vain, ``alone`` in mails of its own, where it sends an empty one else.
    """
    sent = []
    folder = Path(game).parent
    for _ in range(turns):
        seat = due(run, game)
        order = first_legal(run, game, seat)
        tried = [NEVER, NEVER] if skipped and seat == "red" else []
        sheets = [tried[:1], tried[1:], [order]] if alone and seat == "red" else [[*tried, order]]
        for sheet in sheets:
            text = folder / "t.txt"
            text.write_text("\n".join([f"{seat}:", *sheet, ""]))
            run("turn", game, text, "-o", folder / "out")
            sent += [(folder / "out" / name).read_text() for name in ("blue.txt", "bystanders.txt")]
    return sent


def played(run: Run, name: str, *, skipped: bool, alone: bool = False) -> Played:
    """Return the path of a game and what was sent of it; it is played only once."""
    game = f"{name}/g.json"
    if name in _PLAYED:
        Path(name).mkdir()
        Path(game).write_bytes(_PLAYED[name][0])
    else:
        begin(run, name)
        sent = play(run, game, skipped=skipped, alone=alone)
        _PLAYED[name] = Path(game).read_bytes(), sent
    return game, _PLAYED[name][1]


@pytest.fixture
def plain(run: Run) -> Played:
    return played(run, "plain", skipped=False)


@pytest.fixture
def gappy(run: Run) -> Played:
    return played(run, "gappy", skipped=True)


LOOKS = [
    ["log"],
    ["log", "--json"],
    ["log", "--events"],
    ["log", "--as", "blue", "--json"],
    ["log", "--as", "blue", "--events"],
    ["log", "--turn", "3"],
    ["replay"],
    ["replay", "--json"],
    ["replay", "--json", "--boards", "--as", "blue"],
    ["replay", "--as", "blue", "--boards"],
    ["replay", "--as", "blue", "--until", "3"],
    ["replay", "--from", "2", "--until", "4"],
    ["show"],
    ["show", "--json"],
    ["show", "--as", "blue"],
    ["show", "--as", "blue", "--json"],
    ["pending", "--as", "blue"],
    ["pending", "--as", "blue", "--json"],
]


def without_proofs(text: str) -> str:
    """Return ``text`` without the proofs of heads, which nobody can read anything in."""
    return _PROOF.sub("PROOF", text)


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("look", LOOKS, ids=" ".join)
def test_nobody_else_sees_it(run: Run, look: list[str], *, alone: bool) -> None:
    games = [played(run, f"{skipped} {alone}", skipped=skipped, alone=alone)[0] for skipped in (False, True)]
    texts = [without_proofs(run(look[0], game, *look[1:], code=0).stdout) for game in games]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("alone", [False, True])
def test_the_reports_of_each_turn_are_the_same(run: Run, *, alone: bool) -> None:
    plain, gappy = (played(run, f"{skipped} {alone}", skipped=skipped, alone=alone)[1] for skipped in (False, True))
    assert list(map(without_proofs, plain)) == list(map(without_proofs, gappy))


def rows(run: Run, game: str, *options: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run("log", game, "--json", *options, code=0).stdout.splitlines()]


def test_the_moderator_reads_both_numbers(run: Run, gappy: Played) -> None:
    """A player says "entry 3": the moderator finds it, and goes back to it by the number of the file."""
    own = [row for row in rows(run, gappy[0], "--as", "moderator") if "skipped" not in row]
    known = {(row["public"]["n"] if "public" in row else row["n"]): row for row in own}
    for row in rows(run, gappy[0]):
        assert known[row["n"]]["order"] == row["order"]
    text = run("log", gappy[0], "--as", "moderator", code=0).stdout
    three = known[3]
    assert three["n"] > 3
    assert f"{three['n']} (3)  {three['seat']}" in text
    second = next(row for row in rows(run, gappy[0], "--as", "moderator") if row.get("skipped") == 2)
    assert f"{second['n']} ({second['public']['n']}b)  red " in text
    run("undo", gappy[0], "--to", str(three["n"]), "--reason", "a mail", code=0)
    assert [row["order"] for row in rows(run, gappy[0])][-1] == "UNDO to 3"
    told = run("log", gappy[0], "--as", "moderator", code=0).stdout
    assert f"UNDO to {three['n']} (3)" in told
    last = rows(run, gappy[0], "--as", "moderator")[-1]
    assert f"undone by entry {last['n']} ({last['public']['n']})" in told


def test_red_reads_its_own_under_the_number_before(run: Run, gappy: Played) -> None:
    mine = [row for row in rows(run, gappy[0], "--as", "red") if "skipped" in row]
    assert [row["skipped"] for row in mine[:2]] == [1, 2]
    assert all(row["seat"] == "red" and "public" not in row for row in mine)
    n = mine[0]["n"]
    text = run("log", gappy[0], "--as", "red", code=0).stdout
    assert f" {n}a  red " in text
    assert f" {n}b  red " in text


def recorded_turns(game: str) -> list[tuple[str, int]]:
    entries = [link["entry"] for link in json.loads(Path(game).read_text())["journal"]]
    return [(entry["order"], entry["turn"]) for entry in entries]


def test_what_was_skipped_alone_has_the_number_of_the_turn_before(run: Run) -> None:
    """A turn of which nobody is told anything would tell that there was something."""
    game = begin(run, "g")
    seat = due(run, game)
    Path("never.txt").write_text(f"{seat}: {NEVER}\n")
    Path("order.txt").write_text(f"{seat}: {first_legal(run, game, seat)}\n")
    for text in ("never.txt", "never.txt", "order.txt", "never.txt"):
        before = json.loads(run("show", game, "--json", code=0).stdout)["turn"]
        assert before == (2 if (Path("done").exists()) else 1)
        run("apply", game, text)
        if text == "order.txt":
            Path("done").touch()
    assert [turn for order, turn in recorded_turns(game) if order == "(condition not met)"][:2] == [0, 0]
    assert max(turn for _, turn in recorded_turns(game)) == 1
    run("undo", game, "--to", "0", "--reason", "x", code=0)
    run("apply", game, "never.txt", code=0)
    run("apply", game, "order.txt", code=0)
    assert [turn for order, turn in recorded_turns(game)][-3:] == [2, 2, 3]
    assert "verified" in run("audit", game, code=0).stdout
    # A script gives the same game again, entry by entry.
    run("replay", game, "--export", "script.txt", "--with-secret", code=0)
    told = run("replay", "script.txt", "--import", "again.json", code=0).stdout
    assert f"in {json.loads(run('show', game, '--json').stdout)['turn'] - 1} turns" in told
    assert json.loads(Path("again.json").read_text())["journal"] == json.loads(Path(game).read_text())["journal"]


def test_games_in_which_it_had_a_number_of_its_own_stand(run: Run) -> None:
    """Older versions counted such a turn; so does a script in which it has one."""
    game = begin(run, "g")
    seat = due(run, game)
    order = first_legal(run, game, seat)
    heads = "script checkpoint-rally\nid g\nseat red\nseat blue\nseed " + "07" * 32
    Path("s.txt").write_text(f"{heads}\nturn 1\n{seat}: {NEVER}\nturn 2\n{seat}: {order}\n")
    run("replay", "s.txt", "--import", "old.json", code=0)
    assert [turn for _, turn in recorded_turns("old.json")] == [0, 1, 2]
    assert "verified" in run("audit", "old.json", code=0).stdout
    run("replay", "old.json", "--export", "again.txt", "--with-secret", code=0)
    assert f"turn 1\n{seat}: IF minutes = 999 THEN DRAW\nturn 2\n" in Path("again.txt").read_text()


@pytest.mark.parametrize("last", ["{seat}: {order}", "{seat}: IF minutes is 999 THEN DRAW\n{seat}: {order}", "reveal"])
def test_a_turn_of_a_script_has_the_last_number_again_only_for_what_was_skipped(run: Run, last: str) -> None:
    game = begin(run, "g")
    seat = due(run, game)
    heads = "script checkpoint-rally\nid g\nseat red\nseat blue\nseed " + "07" * 32
    words = last.format(seat=seat, order=first_legal(run, game, seat))
    Path("s.txt").write_text(f"{heads}\nturn 0\n{words}\n")
    assert "script/bad-turn" in run("replay", "s.txt", code=1).stderr


def test_receipts_tell_the_numbers_of_the_players(run: Run, plain: Played, gappy: Played) -> None:
    told = []
    for game, _ in (plain, gappy):
        seat = due(run, game)
        text = Path(game).parent / "t.txt"
        text.write_text(f"{seat}:\n{first_legal(run, game, seat)}\n")
        found = json.loads(run("apply", game, text, "--json", code=0).stdout)
        told.append([order["reason"] for receipt in found["receipts"] for order in receipt["orders"]])
    assert told == [["entry 6"]] * 2


@pytest.mark.parametrize("with_file", [False, True])
@pytest.mark.parametrize("form", FORMS, ids=" ".join)
@pytest.mark.parametrize("is_undone", [False, True])
def test_logs_of_all_are_checked_together(
    run: Run, gappy: Played, form: list[str], *, with_file: bool, is_undone: bool
) -> None:
    game = gappy[0]
    if is_undone:
        to = next(row["n"] for row in rows(run, game, "--as", "moderator") if row.get("public") == {"n": 3} and row["told"])
        run("undo", game, "--to", str(to), "--reason", "back to where the game stood after entry 1: no", code=0)
        play(run, game, skipped=True, turns=2)
    names = []
    for viewer in ("", "red", "blue", "moderator"):
        for options in (form, ["--json"]):
            name = f"{viewer or 'public'}{options[0]}.log"
            Path(name).write_bytes(run("log", game, *options, *(["--as", viewer] if viewer else []), code=0).stdout_bytes)
            names.append(name)
    text = run("verify-chance", *names, "--reveal", game if with_file else "07" * 32, code=0).stdout
    count = len({row["n"] for row in rows(run, game)})
    assert f"checked     {count} entries of {count}" in text
    assert "not told" not in text


def in_old_numbers(run: Run, game: str, viewer: str) -> str:
    """Return the log as older versions wrote it: everybody had the numbers of the journal, of entries and of turns."""
    own = rows(run, game, "--as", "moderator")
    shown = rows(run, game, *(["--as", viewer] if viewer else []))
    if viewer != "moderator":
        number = {row.get("public", row)["n"]: row["n"] for row in own if "skipped" not in row}
        shown = [{**row, "n": number[row["n"]]} for row in shown if "skipped" not in row]
        undo = {row["n"]: row for row in own if row["order"].startswith("UNDO")}
        shown = [
            {**row, **{name: undo[row["n"]][name] for name in ("order", "told")}} if row["n"] in undo else row
            for row in shown
        ]
    shown = [{**row, "turn": recorded_turns(game)[row["n"]][1]} for row in shown]
    kept = [{name: value for name, value in row.items() if name not in ("public", "skipped", "proof")} for row in shown]
    return "\n".join(map(json.dumps, kept))


@pytest.mark.parametrize("with_new", [False, True])
def test_logs_of_older_versions_are_held_against_the_game_file(run: Run, gappy: Played, *, with_new: bool) -> None:
    game = gappy[0]
    to = next(row["n"] for row in rows(run, game, "--as", "moderator") if row.get("public") == {"n": 3} and row["told"])
    run("undo", game, "--to", str(to), "--reason", "a slip", code=0)
    names = []
    for viewer in ("", "red", "moderator"):
        names.append(f"old{viewer}.log")
        Path(names[-1]).write_text(in_old_numbers(run, game, viewer))
    if with_new:
        names.append("new.log")
        Path("new.log").write_bytes(run("log", game, "--json", code=0).stdout_bytes)
    assert "checked     7 entries of 7" in run("verify-chance", *names, "--reveal", game, code=0).stdout
    if not with_new:  # among themselves they fit without it, too
        assert "sound" in run("verify-chance", *names, "--reveal", "07" * 32, code=0).stdout
    cheat = Path(names[0]).read_text().replace("lays", "plays")
    Path(names[0]).write_text(cheat)
    assert "MISMATCH" in run("verify-chance", *names, "--reveal", game, code=1).stdout


def test_a_cheat_in_the_moderators_log_is_named_by_the_number_of_the_players(run: Run, gappy: Played) -> None:
    public = run("log", gappy[0], "--json", code=0).stdout
    own = run("log", gappy[0], "--json", "--as", "moderator", code=0).stdout.splitlines()
    at = next(at for at, line in enumerate(own) if json.loads(line).get("public") == {"n": 3} and json.loads(line)["told"])
    row = json.loads(own[at])
    row["told"] = ["nothing"]
    own[at] = json.dumps(row)
    Path("public.log").write_text(public)
    Path("own.log").write_text("\n".join(own))
    text = run("verify-chance", "public.log", "own.log", "--reveal", "07" * 32, code=1).stdout
    assert "MISMATCH    entry 3 (own.log)" in text


@pytest.mark.parametrize(
    "line",
    [
        '{"n":1,"public":7,"seat":"red","order":"DRAW","min":0,"before":0,"after":0,"why":[],"told":[]}',
        '{"n":1,"public":{"n":-1},"seat":"red","order":"DRAW","min":0,"before":0,"after":0,"why":[],"told":[]}',
        '{"n":1,"public":{"n":1,"order":7},"seat":"red","order":"DRAW","min":0,"before":0,"after":0,"why":[],"told":[]}',
        '{"n":1,"public":null,"seat":"red","order":"DRAW","min":0,"before":0,"after":0,"why":[],"told":[]}',
        '{"n":1,"skipped":1,"seat":"red","order":"DRAW","min":0,"before":0,"after":0,"why":[],"told":[]}',
        '{"n":1,"skipped":"a","seat":"red","order":"(condition not met)","told":[]}',
        "[1]",
        "7",
    ],
)
def test_a_line_that_is_none_is_refused(run: Run, gappy: Played, line: str) -> None:
    Path("bad.log").write_text(run("log", gappy[0], "--json", code=0).stdout + line + "\n")
    assert "cannot be read" in run("verify-chance", "bad.log", "--reveal", "07" * 32, code=3).stderr
