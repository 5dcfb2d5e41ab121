"""Scripts: the same game as the commands give, byte for byte, or everything that is wrong with its place."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from play import begin
from typer.testing import Result

from adjudicator.core.problem import Diagnostic
from adjudicator.reports.data.diagnostics import diagnostics_text
from adjudicator.script.play import ScriptRun, play_script
from adjudicator.script.read import is_script, read_script
from adjudicator.session import Session
from adjudicator.store.save import dump_game

SEED = "ab" * 32
HEADING = f"script checkpoint-rally\nid rally-042\nseat red=Ann\nseat blue\nseed {SEED}\n"
BODY = "turn 1\nblue: PLACE U5 at E5 rot 90\n"
Run = Callable[..., Result]


def play(text: str, folder: Path | None = None) -> ScriptRun:
    return play_script("game.txt", text.encode(), None if folder is None else str(folder))


def diagnostics(text: str, folder: Path | None = None) -> tuple[Diagnostic, ...]:
    found = play(text, folder).diagnostics
    assert found
    return found


def codes(text: str, folder: Path | None = None) -> list[tuple[int, str]]:
    return [(diagnostic.line, diagnostic.problem.code) for diagnostic in diagnostics(text, folder)]


def filed(session: Session) -> bytes:
    """Return the game file of ``session`` but for its receipts: a script does not tell which mails its orders came in."""
    return dump_game(replace(session.game, receipts=()))


def marked(diagnostic: Diagnostic) -> str:
    """Return the part of the line under which the carets stand."""
    return diagnostic.text[diagnostic.column - 1 : diagnostic.column - 1 + diagnostic.width]


# --- the same bytes --------------------------------------------------------------------------------------------------


def test_a_script_gives_the_game_file_of_the_commands(
    two_players: Session, script_of: Callable[[Session], str], applied: Callable[[Session], Session]
) -> None:
    result = play(script_of(two_players))
    assert result.diagnostics == ()
    assert result.session is not None
    assert filed(result.session) == filed(applied(two_players)) == filed(two_players)


def test_import_writes_those_bytes_and_replay_tells_the_same(
    two_players: Session, script_of: Callable[[Session], str], run: Run
) -> None:
    Path("game.txt").write_text(script_of(two_players))
    told = run("game.txt", "--import", "game.json").stdout
    assert told == "game.json: Checkpoint Rally, game rally-021, 51 orders in 21 turns\n"
    assert Path("game.json").read_bytes() == filed(two_players)
    for options in ((), ("--json",), ("--from", 3, "--until", 9), ("--as", "moderator")):
        assert run("game.txt", *options).output == run("game.json", *options).output
    assert run("-", stdin=script_of(two_players)).output == run("game.json").output
    assert run("game.txt", "--import", "-").stdout_bytes == filed(two_players)


def test_heads_of_sheets_comments_and_any_case_are_understood(
    two_players: Session, script_of: Callable[[Session], str]
) -> None:
    text = script_of(two_players)
    first = "turn 1\nblue: PLACE H1 at E5 rot 90\n"
    assert first in text
    spelled = "Turn 1   # the first\r\n\r\nBLUE:\r\n  place h1 on e5 turned 90 ; so be it\r\n"
    again = play("\ufeff# a game\n" + text.replace(first, spelled).replace("script ", "SCRIPT "))
    assert again.diagnostics == ()
    assert again.session is not None
    assert dump_game(again.session.game) == filed(two_players)


def test_every_heading_says_what_the_option_of_new_says(examples: Path) -> None:
    text = HEADING + "option map=lower\noption car.red=race-car\nentropy red=horse and cart\n"
    options = {"map": "lower", "car.red": "race-car"}
    begun = begin(seats="red=Ann blue", id="rally-042", options=options, secret=SEED, entropy={"red": "horse and cart"})
    session = play(text).session
    assert session is not None
    assert dump_game(session.game) == dump_game(begun.game)


def test_a_script_can_begin_from_a_position(examples: Path) -> None:
    position = json.loads((examples / "golden" / "case-1.setup.json").read_text("utf-8"))
    seats = "".join(f"seat {at['seat']}\n" for at in position["seats"])
    text = f"script checkpoint-rally\nid golden\n{seats}components golden-set.json\nposition case-1.setup.json\nrecorded\n"
    result = play(text, examples / "golden")
    assert result.diagnostics == ()
    assert result.session is not None
    assert result.session.game.setup.position is not None


# --- what is wrong, all at once --------------------------------------------------------------------------------------


def test_every_wrong_heading_is_told_at_once_with_its_line() -> None:
    text = (
        "script checkpoint-rally\nseat red=Ann\nseed abc\nseeds 12\noption map\nid a\nid b\nentropy red=x\nentropy red=y\n"
    )
    assert codes(text + BODY.replace("blue", "red")) == [
        (3, "script/bad-value"),
        (4, "script/unknown-word"),
        (5, "script/bad-value"),
        (7, "script/twice"),
        (9, "script/twice"),
    ]


def test_what_is_missing_is_told() -> None:
    found = diagnostics("script checkpoint-rally\nturn 1\n")
    assert [diagnostic.problem.code for diagnostic in found] == ["script/missing"] * 3
    assert [word for word in ("`id`", "`seat`", "`seed`") if word in "".join(f.problem.message for f in found)]
    assert codes("") == [(1, "script/missing")] * 4
    assert codes("script chess\nid a\nseat red\nrecorded\n") == [(1, "script/unknown-ruleset")]


def test_chance_is_either_derived_or_recorded() -> None:
    assert codes(HEADING + "recorded P1 front\n" + BODY) == [(6, "script/bad-value")]
    recorded = HEADING.replace(f"seed {SEED}", "entropy red=horse\nrecorded")
    assert codes(recorded + BODY)[0] == (5, "script/bad-value")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("seat red=Bob", "core/bad-seat"),
        ("seat Grün", "core/bad-seat"),
        ("option mop=upper", "core/unknown-option"),
        ("option map=sideways", "core/bad-choice"),
        ("entropy green=x", "core/unknown-seat"),
    ],
)
def test_a_set_up_that_cannot_be_is_told_at_its_line(line: str, code: str) -> None:
    (found,) = [diagnostic for diagnostic in diagnostics(HEADING + line + "\n" + BODY) if diagnostic.problem.code == code]
    assert found.line in (3, 6)
    assert marked(found)


def test_a_bad_id_is_told_at_its_line() -> None:
    assert codes(HEADING.replace("rally-042", "ra lly") + BODY) == [(2, "core/bad-id")]


def test_the_impossible_outcome_of_the_set_up_has_the_caret() -> None:
    text = HEADING.replace(f"seed {SEED}", "recorded P1 front P2 back\nrecorded P3 front P1 front")
    (found,) = diagnostics(text + BODY)
    assert (found.line, found.problem.code, marked(found)) == (6, "core/impossible-outcome", "P1")
    (found,) = diagnostics(HEADING.replace(f"seed {SEED}", "recorded"))
    assert (found.line, found.problem.code) == (5, "core/impossible-outcome")


def test_unreadable_lines_are_all_told_with_carets() -> None:
    text = HEADING + "turn 1\nblue: PLACE U5 at E5 rot 45 45\nred FLY\ngreen: DRAW\nseat green\nturn 3\nred: DRAW {x}\n"
    found = diagnostics(text)
    assert [(diagnostic.line, diagnostic.problem.code) for diagnostic in found][1:] == [
        (8, "orders/missing-colon"),
        (9, "orders/unknown-seat"),
        (10, "script/misplaced"),
        (11, "script/bad-turn"),
        (12, "script/bad-minutes"),
    ]
    assert found[0].problem.code.startswith("orders/")
    assert marked(found[-1]) == "{x}"


def test_orders_need_a_turn_and_turns_need_orders() -> None:
    assert codes(HEADING + "blue: DRAW\n" + BODY) == [(6, "script/misplaced")]
    assert codes(HEADING + "turn 1\n\nturn 2\nblue: DRAW\n") == [(6, "script/empty-turn")]
    assert codes(HEADING + "turn 1\nDRAW\n") == [(7, "orders/no-seat")]


def test_nothing_stands_behind_the_result_but_the_result() -> None:
    text = HEADING + BODY + "winner blue\nblue: DRAW\nturn 2\nwinner red\nwinner green\nminutes red\nminutes red x\n"
    assert codes(text)[:2] == [(9, "script/misplaced"), (10, "script/misplaced")]
    assert [code for _, code in codes(text)[2:]] == [
        "script/twice",
        "orders/unknown-seat",
        "script/bad-value",
        "script/bad-value",
    ]


def test_a_wrong_number_of_a_turn_is_told_once() -> None:
    text = HEADING + "turn 1\nblue: DRAW\nturn 3\nblue: DRAW\nturn 4\nblue: DRAW\nturn 04\nblue: DRAW\nturn ²\nblue: DRAW\n"
    assert codes(text) == [(8, "script/bad-turn"), (12, "script/bad-turn"), (14, "script/bad-turn")]


def test_whatever_is_changed_in_a_script_there_is_an_answer(examples: Path) -> None:
    data = (examples / "hand-kept" / "race.txt").read_bytes()
    luck = random.Random(7)
    for _ in range(40):
        spoilt = bytearray(data)
        at = luck.randrange(len(spoilt))
        spoilt[at : at + luck.randrange(3)] = luck.choice(
            [b"", b"{", b"]", b"\0", b"\nturn 2\n", b"red:", b"\xff", b"9", b"\t"]
        )
        result = play_script("x", bytes(spoilt), str(examples / "hand-kept"))
        assert all(diagnostic.column <= len(diagnostic.text) + 1 for diagnostic in result.diagnostics)
        assert diagnostics_text(result.diagnostics) or result.session is not None


# --- the lines are a sequence ----------------------------------------------------------------------------------------


def test_a_line_that_is_not_due_is_a_problem_with_its_place(
    two_players: Session, script_of: Callable[[Session], str]
) -> None:
    text = script_of(two_players).replace("turn 2\nred: PLACE U10", "turn 2\nblue: MOVE C3 # too early\nred: PLACE U10")
    result = play(text)
    (found,) = result.diagnostics
    assert (found.problem.code, found.line, found.seat) == ("script/not-due", 9, "blue")
    assert marked(found) == "blue: MOVE C3"
    assert "red: place a start tile" in found.problem.message
    assert [entry.n for _, entry in result.accepted] == [1]


def test_an_order_of_the_wrong_seat_first_is_not_put_right_in_silence(
    two_players: Session, script_of: Callable[[Session], str]
) -> None:
    text = script_of(two_players)
    one, other = "blue: PLACE G14 at B2 rot 0 gps\n", "red: PLACE U8 at B1 rot 180\n"
    assert one + other in text
    (found,) = diagnostics(text.replace(one + other, other + one))
    assert found.problem.code == "script/not-due"
    assert marked(found) == other.strip()


def test_an_illegal_order_is_told_with_its_part_and_rule() -> None:
    (found,) = diagnostics(HEADING + "turn 1\nblue: PLACE U5 at E5 rot 45  {3}\n")
    assert found.problem.code == "checkpoint-rally/bad-rotation"
    assert "45" in marked(found)
    assert "{3}" in found.text


def test_outcomes_in_brackets_belong_to_recorded_chance(two_players: Session, script_of: Callable[[Session], str]) -> None:
    (found,) = diagnostics(script_of(two_players).replace("rot 90\nturn 2", "rot 90 [H1]\nturn 2", 1))
    assert found.problem.code == "core/chance-not-recorded"


# --- files beside the script -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../set.json",
        "a/../../set.json",
        "C:/set.json",
        "..\\set.json",
        pytest.param("link.json", marks=pytest.mark.posix),
        "dir",
        "no.json",
    ],
)
def test_a_path_that_leads_elsewhere_is_not_opened(path: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "dir").mkdir(parents=True)
    (tmp_path / "set.json").write_text("{}")
    if path == "link.json":
        (home / path).symlink_to(tmp_path / "set.json")
    for word in ("components", "position"):
        ((line, code),) = codes(HEADING + f"{word} {path}\n" + BODY, home)
        assert (line, code) == (6, "script/bad-file" if path == "no.json" else "script/bad-path")


def test_a_damaged_file_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "set.json").write_text("{}")
    (found,) = diagnostics(HEADING + "components set.json\n" + BODY, tmp_path)
    assert found.problem.code == "script/bad-file"
    assert found.problem.message.startswith("set.json: ")
    assert codes(HEADING + "components set.json\n" + BODY) == [(6, "script/bad-path")]


def test_a_set_by_name_and_one_of_its_own(examples: Path) -> None:
    assert play(HEADING + "components house\n").diagnostics == ()
    assert play(HEADING + "components tiny-set.json\n", examples / "own-set").diagnostics == ()


# --- odd bytes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"{}", b"\0\1\2", b"# script\n", b"game rally\nred: DRAW", b"scripts x", b"\xff" * 9])
def test_what_is_no_script_is_not_taken_for_one(data: bytes) -> None:
    assert not is_script(data)


@pytest.mark.parametrize(
    "data", [b"script x", b"\n# hello\n\n  SCRIPT x\n", "script x".encode("utf-16"), b"\xef\xbb\xbfscript x"]
)
def test_a_script_is_known_by_its_first_word(data: bytes) -> None:
    assert is_script(data)


def test_too_much_is_refused_with_a_message() -> None:
    assert read_script("x", b"script x\n" + b"#\n" * 20_000).diagnostics[0].problem.code == "orders/too-many-lines"
    assert read_script("x", b"script x" + b" " * 1_000_000).diagnostics[0].problem.code == "orders/too-large"
    many = read_script("x", (HEADING + "turn 1\n" + "red: FLY\n" * 300).encode()).diagnostics
    assert len(many) == 101
    assert many[-1].problem.code == "orders/too-many-problems"
    long = HEADING + "turn 1\nred: " + "DRAW OR " * 200 + "DRAW\n"
    assert codes(long) == [(7, "orders/line-too-long")]


# --- the command -----------------------------------------------------------------------------------------------------


def test_problems_of_a_script_are_told_and_nothing_is_written(run: Run) -> None:
    Path("bad.txt").write_text(HEADING + "turn 1\nblue: FLY\n")
    result = run("bad.txt", "--import", "game.json", code=1)
    assert "bad.txt:7:7: orders/unknown-order" in result.stderr
    assert "nothing was written" in result.stderr
    assert not Path("game.json").exists()
    assert '"problems":[{' in run("bad.txt", "--json", code=1).stdout


def test_a_script_is_replayed_up_to_its_first_problem(
    two_players: Session, script_of: Callable[[Session], str], run: Run
) -> None:
    Path("bad.txt").write_text(script_of(two_players).replace("turn 4\nred:", "turn 4\nblue: REFRESH\nred:"))
    result = run("bad.txt", code=1)
    assert "script/not-due" in result.stderr
    assert "\n  4  Ann (red)" in result.stdout
    assert "\n  5  Ann (red)" not in result.stdout


def test_import_overwrites_nothing_and_refuses_nonsense(run: Run) -> None:
    Path("s.txt").write_text(HEADING)
    run("s.txt", "--import", "game.json")
    assert "--force" in run("s.txt", "--import", "game.json", code=2).stderr
    run("s.txt", "--import", "game.json", "--force")
    assert "would replace its script" in run("s.txt", "--import", "./s.txt", "--force", code=2).stderr
    assert "name a script for --import" in run("game.json", "--import", "other.json", code=2).stderr
    assert "use --import without" in run("s.txt", "--import", "other.json", "--boards", code=2).stderr
    assert "use --force only" in run("s.txt", "--force", code=2).stderr
    assert "standard output" in run("s.txt", "--import", "-", "--json", code=2).stdout
    assert Path("s.txt").read_text() == HEADING
