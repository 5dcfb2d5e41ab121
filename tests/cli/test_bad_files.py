"""Game files that cannot be trusted: exit 3, where and why, no traceback, and the file as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from adjudicator.core.game import FORMAT

Run = Callable[..., Result]
Orders = Callable[..., str]


FORMAT_LINE = f'"format":{FORMAT}'.encode()


def edited(data: bytes, change: Callable[[dict[str, Any]], Any]) -> bytes:
    document = json.loads(data)
    change(document)
    return json.dumps(document, ensure_ascii=False).encode()


def replaced(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    def spoil(data: bytes) -> bytes:
        assert old in data
        return data.replace(old, new, 1)

    return spoil


def with_change(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    return lambda data: edited(data, change)


SPOILED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda _data: b"", "the file is empty"),
    "blank": (lambda _data: b" \n", "the file is empty"),
    "binary": (lambda _data: bytes(range(256)), "UTF-8"),
    "utf-16": (lambda data: data.decode().encode("utf-16"), "UTF-16"),
    "truncated": (lambda data: data[: len(data) // 2], "is the file cut off?"),
    "one byte short": (lambda data: data.rstrip()[:-1], "is the file cut off?"),
    "not json": (lambda _data: b"red: DRAW\n", "this is not JSON"),
    "another json": (lambda _data: b"[1, 2, 3]", "this is not a game file"),
    "deep lists": (lambda _data: b"[" * 100_000, "nested too deeply"),
    "deep objects": (lambda _data: b'{"a":' * 20_000 + b"1" + b"}" * 20_000, "nested too deeply"),
    "deep state": (lambda data: edited(data, lambda game: game.update(state=deep(900))), "nested too deeply"),
    "long number": (replaced(FORMAT_LINE, b'"format":' + b"9" * 5000), "digits"),
    "newer format": (replaced(FORMAT_LINE, b'"format":99'), "install a newer adjudicator"),
    "no format": (with_change(lambda game: game.pop("format")), "this is not a game file"),
    "another ruleset": (replaced(b'"checkpoint-rally"', b'"checkpoint-ralley"'), "  ruleset.id"),
    "doubled name": (replaced(FORMAT_LINE, FORMAT_LINE + b"," + FORMAT_LINE), "appears twice"),
    "fraction": (replaced(FORMAT_LINE, FORMAT_LINE + b".5"), "  format"),
    "a member too many": (with_change(lambda game: game.update(hint="x")), "the name “hint” is unknown here"),
    "a member missing": (with_change(lambda game: game.pop("pending")), "“pending” is missing"),
    "a wrong type": (with_change(lambda game: game["state"].update(stage=7)), "  state.stage"),
    "an edited state": (with_change(lambda game: game["state"]["racers"][1].update(minutes=4)), "  seal"),
    "an edited hand": (with_change(lambda game: game["state"]["racers"][0]["hand"].reverse()), "  seal"),
    "an edited heading": (replaced(b'"holder":"Ann"', b'"holder":"Eve"'), "heading"),
    "an edited secret": (replaced(b"abab", b"baba"), "  chance.secret"),
    "an edited commitment": (replaced(b'"commitment":"fe', b'"commitment":"ef'), "  chance"),
    "edited orders": (replaced(b"MOVE D3", b"MOVE C2"), "entry 1"),
    "an edited event": (replaced(b'"after":2', b'"after":1'), "entry 1"),
    "an edited hash": (with_change(lambda game: game["journal"][1].update(hash="0" * 64)), "entry 1"),
    "an entry cut out": (with_change(lambda game: game["journal"].pop(1)), "  journal[1]"),
    "an entry twice": (with_change(lambda game: game["journal"].append(game["journal"][-1])), "  journal[3]"),
    "entries cut off": (with_change(lambda game: game["journal"].pop()), "  seal"),
    "no journal": (with_change(lambda game: game.update(journal=[])), "  journal"),
    "an edited pending order": (replaced(b"REFRESH", b"DRAW"), "  seal"),
    "another component set": (replaced(b'"id":"house"', b'"id":"horse"'), "  components.id"),
}


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.fixture
def played(run: Run, game: Path, orders: Orders) -> Path:
    """Return the game after two entries, with an order that waits."""
    run("apply", game, orders("red: MOVE D3\n  MOVE C3\nblue: REFRESH"), code=0)
    assert len(json.loads(game.read_bytes())["journal"]) == 3
    return game


@pytest.mark.parametrize("name", SPOILED)
def test_a_spoiled_game_is_refused_by_every_command_with_the_place(
    run: Run, played: Path, orders: Orders, name: str
) -> None:
    spoil, words = SPOILED[name]
    spoiled = spoil(played.read_bytes())
    assert spoiled != played.read_bytes()
    played.write_bytes(spoiled)
    turn = orders("red: DRAW")
    for command, *more in (
        ("show",),
        ("legal",),
        ("log",),
        ("check", turn),
        ("apply", turn),
        ("apply", turn, "-o", "x.json"),
    ):
        result = run(command, played, *more, code=3)
        assert result.stderr.startswith(f"adjudicator: {played}: ")
        assert words in result.stderr
        assert result.stdout == ""
        assert len(result.stderr) < 10_000
    assert played.read_bytes() == spoiled
    assert not (played.parent / "x.json").exists()


def test_what_is_wrong_is_told_to_machines_place_by_place(run: Run, played: Path) -> None:
    played.write_bytes(edited(played.read_bytes(), lambda game: game.update(hint=1, pending=7, turn=2)))
    answer = json.loads(run("show", played, "--json", code=3).stdout)
    assert (answer["error"], answer["file"]) == ("untrusted", str(played))
    assert {violation["path"] for violation in answer["violations"]} == {"$", "$.pending"}
    assert len(answer["violations"]) == 3


def test_a_spoiled_game_on_standard_input_is_refused_too(run: Run, played: Path) -> None:
    assert run("show", "-", stdin=b"{", code=3).stderr.startswith("adjudicator: standard input: ")
    assert run("show", "-", stdin=b"", code=3).stderr


def test_a_file_laid_out_anew_is_the_same_game(run: Run, played: Path, orders: Orders) -> None:
    text = run("show", played).stdout
    played.write_text(json.dumps(json.loads(played.read_bytes()), indent=4) + "\n\n", encoding="utf-8-sig")
    assert run("show", played, code=0).stdout == text
    run("apply", played, orders("red: DRAW"), code=0)


@pytest.mark.parametrize(("command", "code"), [("show", 2), ("log", 2), ("legal", 2)])
def test_a_game_that_is_not_there_or_a_folder_is_misuse(run: Run, tmp_path: Path, command: str, code: int) -> None:
    assert run(command, "nowhere.json", code=code).stderr == "adjudicator: nowhere.json: there is no such file\n"
    assert run(command, tmp_path, code=code).stderr == f"adjudicator: {tmp_path}: this is a folder, not a file\n"
    assert run(command, "bad\0name", code=code).stderr
    answer = json.loads(run(command, "nowhere.json", "--json", code=code).stdout)
    assert (answer["error"], answer["file"]) == ("file", "nowhere.json")


def test_the_name_of_a_file_cannot_talk_to_the_terminal(run: Run) -> None:
    assert "\x1b" not in run("show", "\x1b[2Jrally.json", code=2).output
