"""Whatever players write: a clear message under the line, exit 1, and a game file that is byte for byte what it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]
Orders = Callable[..., str]

MISTAKES = [
    ("PLAC H2 at B1", "orders/unknown-order", "PLAC"),
    ("TELEPORT B1", "orders/unknown-order", "TELEPORT"),
    ("MOVE", "orders/incomplete", ""),
    ("PLACE H99 at B1", "checkpoint-rally/unknown-tile", "H99"),
    ("PLACE H2 at Z9", "checkpoint-rally/unknown-cell", "Z9"),
    ("MOVE D3 F3", "checkpoint-rally/unknown-cell", "F3"),
    ("PLACE H2 at B1 rot 45", "checkpoint-rally/bad-rotation", "45"),
    ("PLACE H9 at B1", "checkpoint-rally/not-in-hand", "H2 H3 G1"),
    ("PLACE H2 at A1", "checkpoint-rally/car-on-cell", "blue"),
    ("PLACE H2 at C3", "checkpoint-rally/car-on-cell", "red"),
    ("MOVE B3", "checkpoint-rally/no-road", "C2, D3"),
    ("MOVE C4", "checkpoint-rally/no-tile", "C4"),
    ("MOVE E5", "checkpoint-rally/not-adjacent", "C3"),
    ("MOVE D3 C3 C2", "checkpoint-rally/three-steps", "not 3"),
    ("TAKE H4", "checkpoint-rally/gps-spent", "GPS"),
    ("PLACE H2 at B3 gps", "checkpoint-rally/gps-spent", "GPS"),
    ("TAKE U9", "checkpoint-rally/not-in-row", "H4 H5 H6"),
    ("DISCARD H2", "checkpoint-rally/no-discard-due", "nothing to discard"),
    ("IF wealth > 3 THEN DRAW", "orders/unknown-fact", "wealth"),
    ("DRAW [H1 H2]", "core/chance-not-recorded", "brackets"),
    ("MOVE B3 OR MOVE C4", "checkpoint-rally/no-tile", "C4"),
    ("IF gps = 0 THEN TAKE H4", "checkpoint-rally/gps-spent", "GPS"),
    ("DRAW " * 190_000, "orders/line-too-long", "characters"),
    ("(" * 200 + "DRAW" + ")" * 200, "orders/too-deep", "brackets"),
    ("PLACE \x1b[31mH2\x07 at B1", "orders/", "␛"),
    ("DRAW \u202e\u2066", "", ""),
]


@pytest.mark.parametrize(("order", "code", "words"), MISTAKES, ids=[ascii(order[:24]) for order, *_ in MISTAKES])
def test_a_mistake_is_told_under_its_line_and_changes_nothing(
    run: Run, game: Path, orders: Orders, order: str, code: str, words: str
) -> None:
    before = game.read_bytes()
    if not code:  # nothing but invisible characters: an order like any other
        run("check", game, orders(f"red: {order}"), code=0)
        return
    for command in ("check", "apply"):
        result = run(command, game, orders(f"red: {order}"), code=1)
        assert result.stderr.startswith("turn.txt:1:")
        assert code in result.stderr
        assert words in result.stderr
        assert "^" in result.stderr
        assert "\x1b" not in result.output
        assert max(map(len, result.stderr.splitlines())) < 250
        assert "0 orders" in result.stdout
        assert "1 problem" in result.stdout or " OR " in order
        assert "red (line 1 of turn.txt)" in result.stdout
        assert game.read_bytes() == before


@pytest.mark.parametrize(("text", "code", "place"), [
    ("", "orders/empty", "turn.txt: "),
    ("\n \n\t\n", "orders/empty", "turn.txt: "),
    ("# nothing but remarks\n", "orders/empty", "turn.txt: "),
    ("game rally\nturn 1\n", "orders/empty", "turn.txt: "),
    ("> red: DRAW\n", "orders/empty", "turn.txt: "),
    (bytes(range(256)), "orders/not-text", "turn.txt: "),
    (b"\x7fELF\x00\x00" * 100, "orders/not-text", "turn.txt: "),
    ("red: DRAW\n" * 1_000_000, "orders/", "turn.txt: "),
    (b"x" * 10_000_000, "orders/", "turn.txt: "),
    ("red: " + "DRAW " * 250_000, "orders/", "turn.txt: "),
    ("red: DRAW\n" * 30_000, "orders/", "turn.txt: "),
    ("DRAW\n", "orders/no-seat", "turn.txt:1:"),
    ("green: DRAW", "orders/unknown-seat", "turn.txt:1:"),
    ("game rally-43\nred: DRAW", "orders/wrong-game", "turn.txt:1:"),
    ("turn 7\nred: DRAW", "orders/wrong-turn", "turn.txt:1:"),
    ("turn 0\nred: DRAW", "orders/wrong-turn", "turn.txt:1:"),
])  # fmt: skip
def test_a_file_without_a_single_good_order_changes_nothing(
    run: Run, game: Path, orders: Orders, text: str | bytes, code: str, place: str
) -> None:
    before = game.read_bytes()
    for command in ("check", "apply"):
        result = run(command, game, orders(text), code=1)
        assert result.stderr.startswith(place)
        assert code in result.stderr
        assert len(result.stderr) < 20_000
        assert "0 orders" in result.stdout
        assert "nothing was changed" in result.stdout
        assert game.read_bytes() == before


def test_the_size_that_is_told_is_the_size_of_the_file(run: Run, game: Path, orders: Orders) -> None:
    assert "10,000,000" in run("apply", game, orders(b"x" * 10_000_000), code=1).stderr


def test_two_sheets_of_one_seat_in_one_text_are_one_in_two_texts_the_later_counts(
    run: Run, game: Path, orders: Orders
) -> None:
    result = run("apply", game, orders("red: MOVE D3\nblue: DRAW\nred: DRAW"), code=0)
    assert [line.split()[3] for line in result.stdout.splitlines()[1:4] if "Ann (red)  " in line] == ["MOVE", "DRAW"]
    both = orders("blue: DRAW", "one.txt"), orders("blue: REFRESH", "two.txt")
    assert "note: blue: the sheet in one.txt" in run("apply", game, *both).stderr


def test_an_order_of_a_seat_that_is_not_due_waits(run: Run, game: Path, orders: Orders) -> None:
    result = run("apply", game, orders("blue: DRAW"), code=0)
    receipt, summary = result.stdout.split("\n\n")
    assert receipt.splitlines()[1:3] == ["  DRAW  waits", "  waiting now: DRAW"]
    assert [line.split()[:2] for line in receipt.splitlines()[3:]] == [["head", "0"]]
    assert summary.startswith("0 orders applied\npending: blue 1 order\nturn 1, due now:\n  Ann (red): choose an action")
    assert result.stderr == ""
    for viewer in ("blue", "moderator"):
        assert "Pending orders\n  Bob (blue): 1 order" in run("show", game, "--as", viewer).stdout
    # How many orders a seat has sent ahead is nobody else's business: it may tell what a sealed order says.
    assert "Pending orders" not in run("show", game).stdout + run("show", game, "--as", "red").stdout


def test_after_the_finish_no_order_is_taken(run: Run, orders: Orders, tmp_path: Path) -> None:
    game = finished(run, tmp_path, orders)
    before = game.read_bytes()
    result = run("apply", game, orders("red: DRAW\nblue: DRAW"), code=1)
    assert result.stderr.count("core/game-over") == 2
    receipts, summary = result.stdout.split("\n\n")
    assert receipts.count("refused: the game is over") == 2
    assert summary.startswith("0 orders applied, 2 problems; nothing was changed\nthe game is over:\n  1. red ")
    assert "send again" not in result.stdout
    assert game.read_bytes() == before


def test_the_order_that_ends_the_game_is_followed_by_the_result(run: Run, orders: Orders, tmp_path: Path) -> None:
    finished(run, tmp_path, orders)
    assert run("legal", "over.json", code=0).stdout == "the game is over\n"
    assert json.loads(run("legal", "over.json", "--json", code=0).stdout) == {}


def finished(run: Run, tmp_path: Path, orders: Orders) -> Path:
    """Return a game that red has just won: one checkpoint was left, and blue has had its last chance."""
    position = {
        "seats": [
            {"seat": "red", "card": "K1", "cell": "C3", "marked": ["A4", "B1", "C5"]},
            {"seat": "blue", "card": "K2", "cell": "A1", "minutes": 9},
        ],
        "board": [{"cell": "C3", "tile": "H13"}, {"cell": "C2", "tile": "G13"}, {"cell": "A1", "tile": "U13"}],
    }
    (tmp_path / "setup.json").write_text(json.dumps(position))
    seats = ("--seat", "red", "--seat", "blue")
    run("new", "checkpoint-rally", *seats, "--seed", "ab" * 32, "--setup", "setup.json", "-o", "over.json", code=0)
    turn = orders("red: MOVE C2\nblue: REFRESH")
    assert "the game would be over:\n  1. red " in run("check", "over.json", turn, code=0).stdout
    assert ":\n  1. red " in run("apply", "over.json", turn, code=0).stdout
    return tmp_path / "over.json"


def test_one_bad_line_hides_no_other(run: Run, game: Path, orders: Orders) -> None:
    text = "red: MOVE D3\n  PLACE H99 at B1\n  MOVEE C3\ngreen: DRAW\nblue: DRAWW\n"
    result = run("apply", game, orders(text), code=1)
    found = [line for line in result.stderr.splitlines() if line.startswith("turn.txt:")]
    assert [line.split(":")[1] for line in found] == ["2", "3", "4", "5"]
    assert "1 order applied, 4 problems" in result.stdout
    assert "ask for new orders: red (line 2 of turn.txt), blue (line 5 of turn.txt)" in result.stdout


def test_of_very_many_mistakes_the_first_of_each_sheet_are_told_and_that_there_are_more(
    run: Run, game: Path, orders: Orders
) -> None:
    """A sheet is closed by its first mistake: after a hundred of them nothing is gained by looking at the rest."""
    turn = orders("red:\n" + "MOVE Z9\n" * 300)
    text = run("check", game, turn, code=1).stderr
    assert text.count("checkpoint-rally/unknown-cell") == 100
    assert "turn.txt:102: core/too-many-problems\n  red:\n  checking stopped here: " in text
    assert len(json.loads(run("check", game, turn, "--json", code=1).stdout)["problems"]) == 101


def test_of_very_many_mistakes_people_read_the_first_and_machines_all(run: Run, game: Path, orders: Orders) -> None:
    turn = orders("red:\n" + "MOVE Z9\n" * 150 + "blue:\n" + "MOVE Z9\n" * 150)
    text = run("check", game, turn, code=1).stderr
    assert text.count("checkpoint-rally/unknown-cell") == 199
    assert "\n… and 2 more problems; --json lists them all\n" in text
    assert len(json.loads(run("check", game, turn, "--json", code=1).stdout)["problems"]) == 202


def test_mistakes_for_machines(run: Run, game: Path, orders: Orders) -> None:
    result = run("apply", game, orders("red: MOVE D3\n  PLACE H99 at B1\nblue: DRAW\n  DRAWW"), "--json", code=1)
    told = json.loads(result.stdout)
    assert result.stderr == ""
    assert [(found["code"], found["seat"], found["line"], found["column"]) for found in told["problems"]] == [
        ("checkpoint-rally/unknown-tile", "red", 2, 9),
        ("orders/unknown-order", "blue", 4, 3),
    ]
    assert told["problems"][0]["rule"] == "CR-C2"
    assert told["problems"][0]["suggestions"] == ["H9"]
    assert told["send_again"] == ["red", "blue"]
    assert told["pending"] == {"blue": 1}
