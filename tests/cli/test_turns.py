"""`check` and `apply`: every option, what is written where, and what is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.core.game import Game
from adjudicator.core.head import proof_maker
from adjudicator.store.load import load_game

Run = Callable[..., Result]
Orders = Callable[..., str]

GOOD = "red: MOVE D3\nblue: DRAW\n"
HALF = "red: MOVE D3\n  MOVE Z9\nblue: DRAW\n"


def loaded(path: Path) -> Game:
    return load_game(str(path))


def test_apply_replaces_the_game_and_tells_what_was_accepted_and_what_is_due(run: Run, game: Path, orders: Orders) -> None:
    result = run("apply", game, orders(GOOD), code=0)
    assert result.stderr == ""
    accepted, receipts, summary = result.stdout.split("\n\n")
    assert accepted.splitlines()[0].split() == ["#", "seat", "order", "min", "clock", "why"]
    assert accepted.splitlines()[1].split()[:5] == ["1", "Ann", "(red)", "MOVE", "D3"]
    assert "· red drives from C3 to D3" in accepted
    assert [line.split("  ")[1:] for line in receipts.splitlines() if line[:2] == "  " and "head" not in line] == [
        ["MOVE D3", "applied: entry 1"],
        ["DRAW", "waits"],
        ["waiting now: DRAW"],
    ]
    proof = proof_maker(loaded(game).chance.secret)(loaded(game).journal[-1])
    assert [line for line in result.stdout.splitlines() if "head" in line] == [f"  head 1 {proof}"] * 2 + [f"head 1 {proof}"]
    assert summary.splitlines()[:3] == ["1 order applied", "pending: blue 1 order", "turn 2, due now:"]
    assert [link.entry.order for link in loaded(game).journal[1:]] == ["MOVE D3"]


def test_check_says_what_apply_says_in_the_conditional_and_changes_nothing(run: Run, game: Path, orders: Orders) -> None:
    turn, before = orders(HALF), game.read_bytes()
    checked = run("check", game, turn, code=1)
    assert run("apply", game, turn, "--dry-run", code=1).output == checked.output
    assert game.read_bytes() == before
    assert sorted(path.name for path in game.parent.iterdir()) == ["rally.json", "turn.txt"]
    applied = run("apply", game, turn, code=1)
    assert checked.stderr == applied.stderr
    would = {
        "1 order would be applied, 1 problem; nothing was changed": "1 order applied, 1 problem",
        "would be pending: blue 1 order": "pending: blue 1 order",
        "turn 2, then due:": "turn 2, due now:",
    }
    words = [would.get(line, line) for line in checked.stdout.splitlines()]
    assert words == [line for line in applied.stdout.splitlines() if "head 1 " not in line]


@pytest.mark.posix
def test_check_reads_a_game_that_cannot_be_written(run: Run, game: Path, orders: Orders) -> None:
    turn = orders(GOOD)
    game.chmod(0o400)
    game.parent.chmod(0o500)
    try:
        assert "1 order would" in run("check", game, turn, code=0).stdout
    finally:
        game.parent.chmod(0o700)


def test_several_files_are_one_turn(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders("blue: DRAW", "blue.txt"), orders("red: MOVE D3", "red.txt"), code=0)
    assert loaded(game).turn == 2


def test_another_file_can_take_the_result(run: Run, game: Path, orders: Orders) -> None:
    before = game.read_bytes()
    run("apply", game, orders(GOOD), "-o", "new.json", code=0)
    assert game.read_bytes() == before
    assert loaded(game.parent / "new.json").turn == 2
    run("apply", game, orders("red: MOVE Z9"), "-o", "same.json", code=1)
    assert (game.parent / "same.json").read_bytes() == before


def test_standard_output_can_take_the_result_and_the_words_go_to_standard_error(
    run: Run, game: Path, orders: Orders
) -> None:
    result = run("apply", game, orders(HALF), "-o", "-", code=1)
    assert load_game(result.stdout_bytes).turn == 2
    assert "1 order applied, 1 problem\n" in result.stderr
    assert "· red drives" in result.stderr


def test_a_game_from_standard_input_goes_to_standard_output(run: Run, game_bytes: bytes, orders: Orders) -> None:
    result = run("apply", "-", orders(GOOD), stdin=game_bytes, code=0)
    assert load_game(result.stdout_bytes).turn == 2
    assert run("apply", "-", orders("red: MOVE Z9"), stdin=game_bytes, code=1).stdout_bytes == game_bytes


def test_a_game_from_standard_input_can_be_checked_and_kept(
    run: Run, game_bytes: bytes, orders: Orders, tmp_path: Path
) -> None:
    assert "would be applied" in run("check", "-", orders(GOOD), stdin=game_bytes, code=0).stdout
    run("apply", "-", orders(GOOD), "-o", "new.json", stdin=game_bytes, code=0)
    assert loaded(tmp_path / "new.json").turn == 2


def test_orders_from_standard_input(run: Run, game: Path) -> None:
    result = run("apply", game, "-", stdin="red: MOVE Z9", code=1)
    assert result.stderr.startswith("standard input:1:11: ")
    run("apply", game, "-", stdin=GOOD, code=0)
    assert loaded(game).turn == 2


def test_strict_applies_nothing_where_one_order_is_wrong(run: Run, game: Path, orders: Orders) -> None:
    before = game.read_bytes()
    result = run("apply", game, orders(HALF), "--strict", code=1)
    assert game.read_bytes() == before
    assert result.stdout.startswith("0 orders applied, 1 problem; nothing was changed, because --strict allows no problem\n")
    assert "to be corrected: red (line 2 of turn.txt)" in result.stdout
    run("apply", game, orders(GOOD), "--strict", code=0)
    assert loaded(game).turn == 2


def test_the_log_file_has_the_whole_public_log(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders(GOOD), "--log", "minutes.jsonl", code=0)
    run("apply", game, orders("red: MOVE C3"), "--log", "minutes.jsonl", code=0)
    text = (game.parent / "minutes.jsonl").read_text()
    assert text == run("log", game, "--json", code=0).stdout
    assert [json.loads(line)["n"] for line in text.splitlines()] == [0, 1, 2]
    assert "told" in text


def test_the_log_file_is_mended_even_where_no_order_is_accepted(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders("red: MOVE Z9"), "--log", "minutes.jsonl", code=1)
    assert (game.parent / "minutes.jsonl").read_text() == run("log", game, "--json").stdout


def test_a_trial_writes_no_log(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders(GOOD), "--log", "minutes.jsonl", "--dry-run", code=0)
    assert not (game.parent / "minutes.jsonl").exists()


def test_a_log_that_cannot_be_written_is_told_after_the_game_is(run: Run, game: Path, orders: Orders) -> None:
    result = run("apply", game, orders(GOOD), "--log", "no/such/folder.jsonl", code=2)
    assert result.stdout.splitlines()[-6:-4] == ["1 order applied", "pending: blue 1 order"]
    assert "the orders listed above were applied anyway" in result.stderr
    assert loaded(game).turn == 2
    told = json.loads(run("apply", game, orders("red: MOVE C3"), "--log", "no/log", "--json", code=2).stdout)
    assert (told["changed"], len(told["accepted"])) == (True, 1)
    assert "no/log" in told["log_failure"]


def test_for_machines(run: Run, game: Path, orders: Orders) -> None:
    checked = json.loads(run("check", game, orders(GOOD), "--json", code=0).stdout)
    told = json.loads(run("apply", game, orders(GOOD), "--json", code=0).stdout)
    assert (checked.pop("changed"), told.pop("changed")) == (False, True)
    assert told.pop("head") == {"n": 1, "proof": told["accepted"][0].pop("proof")}
    assert [receipt.pop("head")["n"] for receipt in told["receipts"]] == [1, 1]
    assert checked == told
    assert (told["game"], told["turn"], told["over"]) == ("rally", 2, False)
    assert [row["order"] for row in told["accepted"]] == ["MOVE D3"]
    assert (told["problems"], told["send_again"], told["ignored"]) == ([], [], [])
    assert told["pending"] == {"blue": 1}
    assert [due["seat"] for due in told["due"]] == ["red"]
    assert {row["seat"] for row in told["standings"]} == {"red", "blue"}


def test_what_was_passed_over_is_told_together(run: Run, game: Path, orders: Orders) -> None:
    mail = "> On Monday you wrote:\n> red: DRAW\n> and so on\n> and on\n> and on\nred: MOVE D3\n-- \nAnn \x1b[2J\n"
    result = run("apply", game, orders(mail), code=0)
    assert "ignored: turn.txt, lines 1 to 5 (" in result.stderr
    assert "  > red: DRAW\n" in result.stderr
    assert "2 more\n" in result.stderr
    assert "ignored: turn.txt, lines 7 to 8 (" in result.stderr
    assert "\x1b" not in result.stderr
    told = json.loads(run("check", game, orders(mail), "--json").stdout)
    assert [ignored["line"] for ignored in told["ignored"]] == [1, 2, 3, 4, 5, 7, 8]


def test_what_a_new_sheet_replaces_is_told(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders("blue: DRAW\n  REFRESH"), code=0)
    result = run("apply", game, orders("blue: REFRESH\n  MOVE Z9"), code=1)
    words = "the new sheet has a mistake, so nothing of it counts; 2 orders pending since turn 1 still count"
    assert f"note: blue: {words}" in result.stderr
    assert "ask for new orders: blue (line 2 of turn.txt; a new sheet replaces the pending 2 orders)" in result.stdout
    result = run("apply", game, orders("blue: REFRESH"), code=0)
    assert "note: blue: the new sheet" in result.stderr


def test_a_problem_of_an_order_that_waited_is_told_with_when_it_came(run: Run, game: Path, orders: Orders) -> None:
    run("apply", game, orders("blue: DRAW\nred: REFRESH\n\n  MOVE Z9"), code=1)
    run("apply", game, orders("red:\n  REFRESH\nblue:\n  MOVE B1"), code=0)
    result = run("apply", game, orders("red: DRAW\n  KEEP H2 H3 G1\n  DRAW\n  KEEP H2 H3 G1"), code=1)
    assert result.stderr.startswith("(pending since turn 2):4:")
    assert "ask for new orders: blue (line 4, pending since turn 2)" in result.stdout


def test_a_condition_that_does_not_hold_is_counted_apart(run: Run, game: Path, orders: Orders) -> None:
    result = run("apply", game, orders("red: IF gps = 2 THEN DRAW\n  MOVE D3"), code=0)
    assert "1 order applied, 1 skipped because a condition is not true\n" in result.stdout


@pytest.mark.parametrize(("arguments", "words"), [
    (("apply", "-", "-"), "name standard input (`-`) only once"),
    (("apply", "rally.json", "-", "-"), "only once"),
    (("apply", "rally.json", "turn.txt", "-o", "turn.txt"), "the game would replace the orders in turn.txt"),
    (("apply", "rally.json", "./turn.txt", "--log", "turn.txt"), "the log would replace the orders in ./turn.txt"),
    (("apply", "rally.json", "turn.txt", "--log", "./rally.json"), "in ./rally.json"),
    (("apply", "rally.json", "turn.txt", "-o", "a", "--log", "a"), "the log would replace"),
    (("apply", "rally.json", "turn.txt", "--log", "-"), "name a file with --log"),
    (("apply", "turn.txt", "turn.txt"), "replace the orders in turn.txt"),
    (("check", "nowhere.json", "turn.txt"), "nowhere.json: "),
    (("check", "rally.json", "nowhere.txt"), "nowhere.txt: "),
    (("apply", "rally.json", "turn.txt", "nowhere.txt"), "nowhere.txt: "),
    (("apply", "rally.json", "no/such/"), "no/such/: "),
    (("apply", ".", "turn.txt"), "a folder"),
    (("apply", "rally.json", "turn.txt", "-o", "."), ".: this is"),
    (("apply", "rally.json", "turn.txt", "-o", "no/such/x.json"), "no such folder"),
])  # fmt: skip
def test_what_makes_no_sense_is_misuse_and_changes_nothing(
    run: Run, game: Path, orders: Orders, arguments: tuple[str, ...], words: str
) -> None:
    orders(GOOD)
    before = game.read_bytes()
    result = run(*arguments, code=2)
    assert result.stderr.startswith("adjudicator: ")
    assert words in result.stderr
    assert result.stdout == ""
    assert game.read_bytes() == before
    assert (game.parent / "turn.txt").read_text() == GOOD
    assert words in json.loads(run(*arguments, "--json", code=2).stdout)["message"]


def test_the_game_and_the_answer_for_machines_cannot_both_go_to_standard_output(
    run: Run, game_bytes: bytes, orders: Orders
) -> None:
    answer = json.loads(run("apply", "-", orders(GOOD), "--json", stdin=game_bytes, code=2).stdout)
    assert "name a file with -o: --json and the game cannot both go to standard output" in answer["message"]
    assert json.loads(run("check", "-", orders(GOOD), "--json", stdin=game_bytes, code=0).stdout)["turn"] == 2


def test_what_was_read_in_other_words_is_a_note_and_no_problem(run: Run, game: Path, orders: Orders) -> None:
    turn = orders("red: MOVE “d3”\n")
    words = "note: red: line 1 of turn.txt: `MOVE “d3` was read as `MOVE D3` (the name is D3)"
    checked = run("check", game, turn, code=0)
    assert words in checked.stderr
    told = json.loads(run("check", game, turn, "--json", code=0).stdout)
    assert told["problems"] == []
    assert [(found["code"], found["seat"], found["line"]) for found in told["read_as"]] == [
        ("note/name-case", "red", 1),
        ("note/odd-signs", "red", 1),
    ]
    assert told["read_as"][0]["written"].startswith("MOVE “d3")
    assert told["read_as"][0]["read"] == "MOVE D3"
    assert run("apply", game, turn, code=0).stderr == checked.stderr


def test_check_strict_is_apply_strict_that_changes_nothing(run: Run, game: Path, orders: Orders) -> None:
    turn, before = orders("red: MOVE D3\nblue: DRAWW"), game.read_bytes()
    lenient = run("check", game, turn, code=1).stdout
    assert "would be applied, 1 problem" in lenient
    checked, applied = (run(command, game, turn, "--strict", code=1) for command in ("check", "apply"))
    assert (
        "0 orders would be applied, 1 problem; nothing would be applied, because --strict allows no problem"
        in checked.stdout
    )
    assert "to be corrected: blue (line 2 of turn.txt)" in checked.stdout
    assert checked.stderr == applied.stderr
    strict, plain = (json.loads(run("check", game, turn, *more, "--json", code=1).stdout) for more in (("--strict",), ()))
    assert (len(strict["accepted"]), len(plain["accepted"])) == (0, 1)
    assert game.read_bytes() == before
    assert "1 order would" in run("check", game, orders(GOOD), "--strict", code=0).stdout
