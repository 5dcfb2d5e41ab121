"""Scripts: the same game as the commands give, byte for byte, or everything that is wrong with its place."""

from __future__ import annotations

import json
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from adjudicator.results import OrderProblem
from tests.drivers.commands import ROOT, Run, argv, written

EXAMPLES = ROOT / "examples" / "checkpoint-rally"
TWO_PLAYERS = EXAMPLES / "two-players" / "game.json"
SEED = "ab" * 32
HEADING = f"script checkpoint-rally\nid rally-042\nseat red=Ann\nseat blue\nseed {SEED}\n"
BODY = "turn 1\nblue: PLACE U5 at E5 rot 90\n"
FLAG = f"script checkered-flag\nid g\nseat red\nseat blue\nseed {SEED}\n"
FIRST = "turn 1\nred: GEAR 1\n"


def told(text: str, folder: str | None = None) -> list[tuple[int, str]]:
    return [(one.line, one.code) for one in adj.play_script(text, folder=folder).problems]


def marked(problem: OrderProblem) -> str:
    """Return the part of the line under which the carets stand."""
    return problem.text[problem.column - 1 : problem.column - 1 + problem.width]


@pytest.fixture(scope="module")
def two_players() -> str:
    """Return the script of the shipped game of two."""
    text: str = adj.open(TWO_PLAYERS).script(with_secret=True).text
    return text


def unsealed(game: adj.Game | None) -> dict[str, Any]:
    """Return what a script holds of a game: not what waits, was set aside or received."""
    assert game is not None
    document: dict[str, Any] = json.loads(game.to_bytes())
    left = ("pending", "set_aside", "receipts", "reported", "languages", "seal")
    return {name: value for name, value in document.items() if name not in left}


def test_the_script_on_the_page_of_the_format_plays() -> None:
    shown = (ROOT / "docs" / "script.md").read_text("utf-8").split("```\n")[1]
    assert shown.startswith("script ")
    assert told(shown) == []


# --- the same game -----------------------------------------------------------------------------------------------------

GAMES = [
    path
    for path in sorted((ROOT / "tests/data/games").glob("*/*.json")) + sorted((ROOT / "examples").glob("*/*/*.json"))
    if b'"journal":' in path.read_bytes() and b'"word-sent"' not in path.read_bytes()  # a script holds no words
]
SOME = [one if at % 20 == 0 else pytest.param(one, marks=pytest.mark.soak) for at, one in enumerate(GAMES)]


def again(game: adj.Game, folder: Path) -> adj.Game:
    """Return the game that comes of the script of ``game``."""
    is_public = any(row.order == "REVEAL" for row in game.seen_by().log())
    exported = game.script("game", with_secret=not is_public)
    for name, data in exported.files.items():
        (folder / name).write_bytes(data)
    played = adj.play_script(exported.text, folder=str(folder))
    assert (played.problems, played.game is None) == ((), False)
    assert played.game is not None
    return played.game


def happened(game: adj.Game) -> Any:
    """Return what happened; words that explain a choice may be put better by a later version."""
    document = unsealed(game)
    entries = [{**link["entry"], "notes": None} for link in document["journal"]]
    return document["state"], document["chance"], document["setup"], document["ruleset"], entries


@pytest.mark.parametrize("path", SOME, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_recorded_game_comes_back(path: Path, tmp_path: Path) -> None:
    game = adj.open(path)
    assert happened(again(game, tmp_path)) == happened(game)


def test_a_script_needs_the_secret_of_a_game_and_holds_no_words_of_later_turns() -> None:
    game = adj.new("checkered-flag", ["red", "blue"], id="g", seed=SEED)
    with pytest.raises(adj.CannotExportError, match="--with-secret"):
        game.script()
    assert f"\nseed {SEED}\n" in game.script(with_secret=True).text
    assert f"\nseed {SEED}\n" in game.reveal("we stop", force=True).script().text
    by_hand = adj.new("checkered-flag", ["red", "blue"], recorded=["6", "6", "1", "1"]).script().text
    assert "\nrecorded 6 6 1 1\n" in by_hand


def test_a_promised_game_with_odd_names_comes_back_to_the_byte(run: Run, tmp_path: Path) -> None:
    seats = ("--seat", 'red="Ann" # 2', "--seat", "blue=Zoë ; the first")
    run("new", "checkered-flag", *seats, "--seed", SEED, "--commit-only", "-o", "g.json", code=0)
    run("begin", "g.json", "red=a #1 horse; really", "--publish", "--without", "blue", code=0)
    run("begin", "g.json", "--deal", code=0)
    run("apply", "g.json", "-", stdin="red: GEAR 1\nblue: GEAR 1\n")
    run("seat", "g.json", "red", "--holder", "", "--reason", 'left # "for good" ; alas', code=0)
    run("amend", "g.json", "racers[blue].driven=5", "--reason", "misread", code=0)
    run("undo", "g.json", "--to", "1", "--reason", "as it was", code=0)
    run("reveal", "g.json", "--before-the-end", "--reason", "we stop", code=0)
    assert unsealed(again(adj.open("g.json"), tmp_path)) == unsealed(adj.open("g.json"))


def test_a_script_gives_the_game_of_the_commands_and_its_replay_says_the_same(run: Run, two_players: str) -> None:
    script = written(two_players, "game.txt")
    told = run("script", script, "-o", "game.json", code=0).stdout
    assert told == "game.json: Checkpoint Rally, game rally-021, 51 orders in 21 turns\n"
    assert unsealed(adj.open("game.json")) == unsealed(adj.open(TWO_PLAYERS))
    for options in ("", "--json", "--from 3 --until 9", "--as moderator"):
        shown = run("replay", script, *options.split(), code=0).output
        assert shown == run("replay", "game.json", *options.split(), code=0).output
    assert run("replay", "-", stdin=two_players, code=0).output == run("replay", "game.json", code=0).output
    assert run("script", script, "-o", "-", code=0).stdout_bytes == Path("game.json").read_bytes()


def test_sheets_comments_and_any_case_are_understood(two_players: str) -> None:
    first = "turn 1\nblue: PLACE H1 at E5 rot 90\n"
    assert first in two_players
    spelled = "Turn 1   # the first\r\n\r\nBLUE:\r\n  place h1 on e5 turned 90 ; so be it\r\n"
    text = "\ufeff# a game\n" + two_players.replace(first, spelled).replace("script ", "SCRIPT ")
    again = adj.play_script(text)
    assert (again.problems, unsealed(again.game)) == ((), unsealed(adj.open(TWO_PLAYERS)))


def test_orders_may_stand_under_the_names_of_players_and_a_turn_may_have_a_colon() -> None:
    heads = FLAG.replace("seat red", "seat red=Ann").replace("seat blue", "seat blue=Zoë Smith")
    plain = (
        "turn 1\nred: GEAR 1\nturn 2\nblue: GEAR 1 OR BRAKE 1\nturn 3\nseat red=Bob\nbecause moved\nturn 4\nred: GEAR 2\n"
    )
    named = "Turn 1:\nAnn:\nGEAR 1\nturn: 2\nzoë smith : GEAR 1 or BRAKE 1\nTURN 3.\nseat red=Bob\nbecause moved\nturn 4\n"
    played, other = adj.play_script(heads + plain), adj.play_script(heads + named + "Bob: GEAR 2\n")
    assert (played.problems, other.problems, unsealed(other.game)) == ((), (), unsealed(played.game))
    for line, code, part in (
        ("Ann: GEAR 1", "unknown-seat", "Ann"),
        ("zoë smith: GEAR 1", "not-due", "zoë smith: GEAR 1"),
        ("Zoë: FLY", "unknown-order", "FLY"),
        ("Zoë Smith: GEAR 9", "no-such-gear", "9"),
    ):
        (problem,) = adj.play_script(f"{heads}{named}{line}\n").problems
        assert (problem.code.partition("/")[2], marked(problem)) == (code, part)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("green red blue", None),
        ("red / red green blue", None),
        ("red / blue / blue red green", None),
        ("red red", 2),
        ("red / red red", 4),
        ("red / blue red", 4),
    ],
)
def test_seats_that_are_due_together_may_answer_in_any_order_and_changed_answers_come_first(
    lines: str, problem: int | None
) -> None:
    heads = f"script checkpoint-charlie\nid g\nseat red\nseat blue\nseat green\nseed {7:064x}\n"
    clues = "turn 1\nblue: CLUE glasses\ngreen: CLUE hat\nred: CLUE grey\n"
    text, first = heads + clues + "turn 2\n", (heads + clues).count("\n") + 1
    number = 2
    for word in lines.split():
        number += word == "/"
        text += f"turn {number}\n" if word == "/" else f"{word}: WAIT\n"
    played = adj.play_script(text)
    assert [(one.line - first, one.code) for one in played.problems] == (
        [] if problem is None else [(problem, "script/not-due")]
    )
    assert played.game is not None and played.game.audit().is_verified
    if problem is None:
        seats = [row.seat for row in played.game.seen_by("moderator").log()]
        assert seats[1:] == ["blue", "green", "red", *lines.replace("/", "").split()]


def test_headings_say_what_the_options_of_new_say_and_a_script_may_have_positions_sets_and_versions(run: Run) -> None:
    text = HEADING + "option map=lower\noption car.red=race-car\nentropy red=horse and cart\n"
    line = "new checkpoint-rally --seat red=Ann --seat blue --id rally-042 --option map=lower --option"
    run(*line.split(), "car.red=race-car", "--seed", SEED, "--entropy", "red=horse and cart", "-o", "g.json", code=0)
    assert unsealed(adj.play_script(text).game) == unsealed(adj.open("g.json"))
    seats = "".join(
        f"seat {one['seat']}\n" for one in json.loads((EXAMPLES / "golden/case-1.setup.json").read_text())["seats"]
    )
    golden = f"script checkpoint-rally\nid golden\n{seats}components golden-set.json\nposition case-1.setup.json\nrecorded\n"
    played = adj.play_script(golden, folder=str(EXAMPLES / "golden"))
    assert played.problems == () and played.game is not None
    assert adj.play_script(HEADING + "components house\n").problems == ()
    assert adj.play_script(HEADING + "components tiny-set.json\n", folder=str(EXAMPLES / "own-set")).problems == ()
    game = adj.play_script(f"{FLAG}rules 3\n{FIRST}").game
    assert unsealed(game)["ruleset"]["version"] == 3


# --- what is wrong, all at once -----------------------------------------------------------------------------------------

WRONG: list[tuple[str, str]] = [
    # Headings
    (
        "script checkpoint-rally\nseat red=Ann\nseed abc\nseeds 12\noption map\nid a\nid b\nentropy red=x\nentropy red=y\n"
        "turn 1\nred: DRAW\n",
        "3 bad-value, 4 unknown-word, 5 bad-value, 7 twice, 9 twice",
    ),
    ("script checkpoint-rally\nturn 1\n", "1 missing, 1 missing, 1 missing"),
    ("script chess\nid a\nseat red\nrecorded\n", "1 unknown-ruleset"),
    (HEADING + "recorded P1 front\n" + BODY, "6 bad-value"),
    (HEADING + "seat red=Bob\n" + BODY, "3 bad-seat"),
    (HEADING + "seat Grün\n" + BODY, "3 bad-seat"),
    (HEADING + "option mop=upper\n" + BODY, "6 unknown-option"),
    (HEADING + "option map=sideways\n" + BODY, "6 bad-choice"),
    (HEADING + "entropy green=x\n" + BODY, "6 unknown-seat"),
    (HEADING.replace("rally-042", "ra lly") + BODY, "2 bad-id"),
    (HEADING.replace(f"seed {SEED}", "recorded P1 front P2 back\nrecorded P3 front P1 back") + BODY, "6 impossible-outcome"),
    (HEADING.replace(f"seed {SEED}", "recorded"), "5 impossible-outcome"),
    # Lines
    (
        HEADING + "turn 1\nred FLY\ngreen: DRAW\nseat green\nturn 3\nred: DRAW {x}\n",
        "7 missing-colon, 8 unknown-seat, 9 misplaced, 10 bad-turn, 11 bad-minutes",
    ),
    (HEADING + "blue: DRAW\n" + BODY, "6 misplaced"),
    (HEADING + "turn 1\n\nturn 2\nblue: DRAW\n", "6 empty-turn"),
    (HEADING + "turn 1\nDRAW\n", "7 no-seat"),
    (
        HEADING + BODY + "winner blue\nblue: DRAW\nturn 2\nwinner red\nwinner green\nminutes red\nminutes red x\n",
        "9 misplaced, 10 misplaced, 11 twice, 12 unknown-seat, 13 bad-value, 14 bad-value",
    ),
    (
        HEADING + "turn 1\nblue: DRAW\nturn 3\nblue: DRAW\nturn 4\nblue: DRAW\nturn 04\nblue: DRAW\nturn ²\nblue: DRAW\n",
        "8 bad-turn, 12 bad-turn, 14 bad-turn",
    ),
    (HEADING + "turn 1\nblue: PLACE U5 at E5 rot 45  {3}\n", "7 bad-rotation"),
    (HEADING + "turn 1\nred: " + "DRAW OR " * 200 + "DRAW\n", "7 line-too-long"),
    ("script x\n" + "#\n" * 20_000, "0 too-many-lines"),
    ("script x" + " " * 1_000_000, "0 too-large"),
    # Corrections
    *((FLAG + FIRST + text, told) for text, told in (
        ("turn 2\nundo 7\nbecause x\n", "9 bad-correction"),
        ("turn 2\nundo nowhere\nbecause x\n", "9 bad-correction"),
        ("turn 2\nundo to 0\n", "9 bad-correction"),
        ("turn 2\nreveal\n", "9 bad-correction"),
        ("turn 2\nbecause x\n", "9 bad-correction"),
        ("turn 2\nseat green=Zoe\nbecause x\n", "9 bad-correction"),
        ("turn 2\nseat red\nbecause x\n", "9 bad-correction"),
        ('turn 2\nseat red="Zoe\nbecause x\n', "9 bad-correction"),
        ("turn 2\namend x=1\nbecause x\n", "9 bad-correction"),
        ("turn 2\nundo to 0\nseat red=Zoe\nbecause x\n", "10 bad-correction"),
        ("turn 2\nundo to 0\nbecause x\nbecause y\n", "11 bad-correction"),
        ("turn 2\nundo to 0\nbecause x\nred: GEAR 1\n", "11 misplaced"),
        ("turn 2\nred: GEAR 1\nundo to 0\n", "10 misplaced"),
        ("turn 2\nundo to 0\nbecause x\nGEAR 1\n", "11 misplaced"),
    )),
    *((f"{FLAG}{heading}\n{FIRST}", code) for heading, code in (
        ("rules one", "6 bad-value"),
        ("rules 99", "6 no-such-version"),
        ("rules 2\nrules 2", "7 twice"),
        ("promise 12", "6 bad-value"),
        ("promise " + "0" * 64, "6 bad-promise"),
        ('entropy red="horse', "6 bad-value"),
        ('entropy red=["horse"]\nentropy blue="\\ud800"', "7 bad-value"),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("text", "problems"), WRONG, ids=[f"{at} {words}" for at, (_, words) in enumerate(WRONG)])
def test_everything_that_is_wrong_is_told_at_its_line(text: str, problems: str) -> None:
    assert ", ".join(f"{line} {code.partition('/')[2]}" for line, code in told(text)) == problems


def test_the_words_of_a_problem_name_its_part_and_what_to_write(two_players: str) -> None:
    one, other = "blue: PLACE G14 at B2 rot 0 gps\n", "red: PLACE U8 at B1 rot 180\n"
    for text, code, part, words in (
        (HEADING + "turn 1\nblue: PLACE U5 at E5 rot 45  {3}\n", "checkpoint-rally/bad-rotation", "rot 45", "45"),
        (HEADING + "turn 1\nred: DRAW {x}\n", "script/bad-minutes", "{x}", "minutes"),
        (
            HEADING.replace(f"seed {SEED}", "recorded P1 front P2 back P3 front P1 front"),
            "core/impossible-outcome",
            "P1",
            "P1",
        ),
        (
            two_players.replace("turn 2\nred: ", "turn 2\nblue: MOVE C3 # early\nred: "),
            "script/not-due",
            "blue: MOVE C3",
            "red: place",
        ),
        (two_players.replace(one + other, other + one), "script/not-due", other.strip(), "blue"),
        (two_players.replace("rot 90\nturn 2", "rot 90 [H1]\nturn 2", 1), "core/chance-not-recorded", "", "brackets"),
        (FLAG + FIRST + "turn 2\nundo 7\nbecause x\n", "script/bad-correction", "", "there is no entry 7"),
        (FLAG + FIRST + "turn 2\nundo nowhere\nbecause x\n", "script/bad-correction", "", "`undo to 12`"),
        (FLAG + FIRST + "turn 2\nundo to 0\n", "script/bad-correction", "", "400 characters"),
        (FLAG + FIRST + "turn 2\nseat red\nbecause x\n", "script/bad-correction", "", "like `seat red=Zoe`"),
    ):
        problem = adj.play_script(text).problems[0]
        assert (problem.code, words in problem.message) == (code, True), problem
        assert part in ("", marked(problem)) or part.endswith(marked(problem))
    missing = adj.play_script("script checkpoint-rally\nturn 1\n").problems
    assert ["`id`" in one.message or "`seat`" in one.message or "`seed`" in one.message for one in missing] == [True] * 3
    many = adj.play_script(HEADING + "turn 1\n" + "red: FLY\n" * 300).problems
    assert (len(many), many[-1].code) == (101, "orders/too-many-problems")


@pytest.mark.parametrize(
    "path",
    [
        *("/etc/passwd", "../set.json", "a/../../set.json", "C:/set.json", "..\\set.json", "dir", "no.json"),
        pytest.param("link.json", marks=pytest.mark.posix),
    ],
)
def test_a_path_that_leads_elsewhere_is_not_opened(path: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "dir").mkdir(parents=True)
    (tmp_path / "set.json").write_text("{}")
    if path == "link.json":
        (home / path).symlink_to(tmp_path / "set.json")
    for word in ("components", "position"):
        code = "script/bad-file" if path == "no.json" else "script/bad-path"
        assert told(f"{HEADING}{word} {path}\n{BODY}", str(home)) == [(6, code)]
    (problem,) = adj.play_script(f"{HEADING}components set.json\n{BODY}", folder=str(tmp_path)).problems
    assert (problem.code, problem.message.startswith("set.json: ")) == ("script/bad-file", True)
    assert told(f"{HEADING}components set.json\n{BODY}") == [(6, "script/bad-path")]


def test_each_correction_has_its_entry_and_its_reason() -> None:
    text = "turn 2\nundo to 0\nbecause slip\nturn 3\nseat red=Zoe\nbecause moved\nturn 4\namend racers[blue].driven=3\n"
    text += 'amend racers[red].driven=4\nbecause "a \\u0023 b"\nturn 5\nreveal\nbecause over\n'
    played = adj.play_script(FLAG + FIRST + text)
    assert played.problems == () and played.game is not None
    rows = played.game.seen_by("moderator").log()[2:]
    assert [row.order for row in rows] == ["UNDO to 0", "SEAT red", "AMEND", "REVEAL"]
    for row, reason in zip(rows, ("slip", "moved", "a # b", "over"), strict=True):
        assert reason in " ".join(row.told)
    turns = [link["entry"]["turn"] for link in unsealed(played.game)["journal"]]
    assert (turns, played.game.audit().is_verified) == ([0, 1, 2, 3, 4, 5], True)


@pytest.mark.parametrize("data", ["", "{}", "\0\1\2", "# script\n", "game rally\nred: DRAW", "scripts x"])
def test_a_script_is_known_by_its_first_word(run: Run, data: str) -> None:
    written(data, "x.txt")
    assert run("replay", "x.txt").exit_code in (2, 3)
    for text in (
        FLAG.encode(),
        b"\n# hello\n\n  SCRIPT" + FLAG.encode()[6:],
        FLAG.encode("utf-16"),
        b"\xef\xbb\xbf" + FLAG.encode(),
        ("# Über diese Partie\n" * 400 + FLAG).encode(),
    ):
        run("replay", written(text, "s.txt"), code=0)


def test_whatever_is_changed_in_a_script_there_is_an_answer(run: Run) -> None:
    data, luck = (EXAMPLES / "hand-kept" / "race.txt").read_bytes(), random.Random(7)
    shutil.copy(EXAMPLES / "hand-kept" / "tiny-set.json", "tiny-set.json")
    refused = 0
    for _ in range(40):
        spoilt = bytearray(data)
        at = luck.randrange(len(spoilt))
        change = luck.choice([b"", b"{", b"]", b"\0", b"\nturn 2\n", b"red:", b"\xff", b"9", b"\t"])
        spoilt[at : at + luck.randrange(3)] = change
        result = run("replay", written(bytes(spoilt), "x.txt"))
        assert result.exit_code in (0, 1, 3) and (result.stderr or not result.exit_code)
        refused += result.exit_code > 0
    assert refused > 5


# --- kept by hand --------------------------------------------------------------------------------------------------------

SLIP = "entry 3 (red: PLACE U3 at C5 rot 0): line 24: minutes is 2, should be 1 = 4 − grassland S − city as before"
CORRECT = ("rot 0                   {2}", "rot 0                   {1}")
Audited = Callable[..., str]


@pytest.fixture
def audited(run: Run) -> Audited:
    """Return the audit of the game that was kept by hand, after some text in it was replaced."""
    shutil.copy(EXAMPLES / "hand-kept" / "tiny-set.json", "tiny-set.json")

    def audit(*changes: tuple[str, str], code: int, is_correct: bool = True) -> str:
        text = (EXAMPLES / "hand-kept" / "race.txt").read_text("utf-8")
        for old, new in (*([CORRECT] if is_correct else []), *changes):
            assert old in text
            text = text.replace(old, new, 1)
        shown: str = run("audit", written(text, "race.txt"), code=code).stdout
        return shown

    return audit


def test_every_disagreement_of_a_game_kept_by_hand_is_listed_the_result_included(audited: Audited) -> None:
    assert SLIP in audited(code=1, is_correct=False)
    assert audited(code=0).startswith("verified   sunday-7  30 orders, 64 draws  race.txt\n")
    text = (EXAMPLES / "hand-kept" / "race.txt").read_text("utf-8")
    for old, new in (
        ("MOVE A2                               {4}", "MOVE A2  {-4}"),
        ("winner blue", "winner red"),
        ("minutes red 42", "minutes red 41"),
    ):
        assert old in text
        text = text.replace(old, new)
    text = text.replace("winner red", "winner Mia").replace("minutes red 41", "minutes mia 41")
    found = adj.play_script(text, folder=str(EXAMPLES / "hand-kept")).divergences
    assert [(one.n, one.recorded, one.recomputed.partition(" =")[0]) for one in found] == [
        (3, "2", "1"),
        (30, "-4", "4"),
        (None, "red", "blue"),
        (None, "41", "42"),
    ]
    assert found[0].rule == "CR-P1, CR-P3, CR-P4"
    cut = text[: text.index("turn 18\n")] + text[text.index("winner") :]
    last = adj.play_script(cut.replace(*CORRECT), folder=str(EXAMPLES / "hand-kept")).divergences
    assert last[0].recomputed == "none: the game is not over", "a result before the end is none"


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("[H8 G5 U4]", "[H8 G5 H8]", 1, "H8"),
        ("red: DRAW [G7 G3]", "red: DRAW [G7]", 1, "missing"),
        ("red: DRAW [G7 G3]", "red: DRAW [G7 G3 H8]", 1, "H8"),
        ("recorded H6 H8 U4", "recorded H6 H8 H8", 1, "H8"),
        ("red: REFRESH [H8 G5 U4]", "red: IF hand > 9 THEN REFRESH [H8 G5 U4]", 1, "nothing was drawn for “H8”"),
        ("blue: TAKE G5", "blue: TAKE H1", 1, "entry 14 (blue: TAKE H1): line 43: refused: "),
        (
            "blue: TAKE G5                               {0}",
            "Blue :  TAKE H1  {0}  ; as said",
            1,
            "(blue: TAKE H1): line 43: ",
        ),
        ("blue: TAKE G5", "red: DRAW", 1, "not due"),
        ("blue: TAKE G5", "blue: STEAL G5", 1, "  blue: line 43: "),
        ("\nturn 5", "\nturn 7", 1, "  line 29: turns are numbered from 1 without gaps: write `turn 5`"),
        ("\nturn 5", "\ngame x", 1, "  blue: line 29: this cannot be read"),
        ("components tiny-set.json", "components ../tiny-set.json", 3, "leads out of it"),
        ("components tiny-set.json", "components lost.json", 3, "line 7: lost.json: there is no such file"),
        ("script checkpoint-rally", "script checkered-flagg", 3, "line 3: no game “checkered-flagg” is installed"),
    ],
)
def test_what_cannot_have_been_is_told_in_a_sentence_with_its_line(
    audited: Audited, old: str, new: str, code: int, words: str
) -> None:
    line = audited((old, new), code=code).splitlines()[0]
    assert words in line
    assert "line " in line and "should be" not in line and "blue: blue" not in line


def test_a_clock_that_differs_is_named_as_the_cause_only_where_it_changes_who_plays_next(audited: Audited) -> None:
    slow = ("red: REFRESH [U4 G5 H6]                     {1}", "red: REFRESH [U4 G5 H6]                     {3}")
    first = ("turn 9\nred: MOVE A2 A3                             {6}", "turn 9\nblue: DRAW {2}")
    text = audited(slow, first, code=1)
    assert "blue is not due here. What is due: red: " in text
    assert ". The archive has red at 13, the rules 11: so red plays next, not blue" in text
    for changes in ([(slow[0], slow[1].replace("{3}", "{0}")), first], [first]):
        text = audited(*changes, code=1)
        assert ("not due" in text, "The archive has" in text) == (True, False)


def test_scripts_that_cannot_be_decided_say_why(run: Run, audited: Audited) -> None:
    assert audited(code=0)
    with zipfile.ZipFile("games.zip", "w") as archive:
        archive.write("race.txt")
        archive.write("tiny-set.json")
    lines = run("audit", "games.zip", code=3).stdout.splitlines()
    words = "unread     sunday-7  line 7: a script in an archive or on standard input cannot name a file"
    assert lines[0].startswith(words) and lines[2] == "1 game: 0 verified, 1 not decided"
    verdict, summary = map(
        json.loads, run("audit", "-", "--json", stdin=Path("race.txt").read_bytes(), code=3).stdout.splitlines()
    )
    assert (verdict["status"], verdict["divergence"]["kind"], verdict["divergence"]["sentence"]) == (
        "unread",
        "not looked at",
        True,
    )
    assert (summary["summary"]["diverged"], summary["summary"]["undecided"]) == (0, 1)
    assert audited(("id sunday-7\n", ""), ("script checkpoint-rally", "script checkered-flagg"), code=3).startswith(
        "version    –  line "
    )
    Path("tiny-set.json").write_text("{")
    assert "line 7: tiny-set.json: " in audited(code=3)
    for data in (b"script x\n" + b"\0\1" * 4096, b"script x\n" + b"\n" * 200_000):
        assert run("audit", written(data, "x.txt"), code=3).stdout.startswith("damaged")
    many = f"script checkpoint-rally\nid a\nseat red\nseat blue\nseed {SEED}\nturn 1\n" + "red: nonsense\n" * 150
    assert "are not listed" in run("audit", written(many, "x.txt"), code=1).stdout


def test_a_game_that_is_not_as_the_rules_have_it_is_not_exported(run: Run, forge: Callable[[Any], bytes]) -> None:
    document = json.loads((ROOT / "examples/checkered-flag/race/game.json").read_bytes())
    document["journal"][3]["entry"]["drawn"] += 1
    written(forge(document), "g.json")
    for more in ((), ("--with-secret",)):
        assert "nothing was written" in run(*argv("script g.json -o x.txt"), *more, code=1).stderr
    assert not Path("x.txt").exists()


def test_an_order_of_a_script_is_one_step() -> None:
    heads = f"script checkpoint-charlie\nid g\nseat red\nseat blue\nseat green\nseed {7:064x}\nturn 1\n"
    clues = "blue: CLUE glasses\ngreen: CLUE hat\nred: CLUE grey\n"
    played = adj.play_script(f"{heads}{clues}turn 2\nred: WAIT 2\nblue: WAIT\ngreen: WAIT\n")
    assert (played.problems, played.game is not None) == ((), True)
    assert played.game is not None
    assert [row.seat for row in played.game.seen_by("moderator").log()][-3:] == ["red", "blue", "green"]
    assert (played.game.pending_counts, {*played.game.due_seats}) == ({}, {"red", "blue", "green"})
