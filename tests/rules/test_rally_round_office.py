"""Rally Round: what organisers use, `adjudicator rally-round route` and `adjudicator rally-round sheet score`."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import comb
from pathlib import Path
from random import Random
from typing import Any

import pytest

import adjudicator as adj
from tests.drivers.rally import drawn, kept, rally, said_of, sheet_cases, town, ways_of

Run = Callable[..., Any]
CASES = sheet_cases(Path(__file__).parent / "rally-round" / "office" / "sheets.txt")


@pytest.mark.parametrize(("text", "said"), CASES, ids=[text.replace("\n", " // ") for text, _ in CASES])
def test_what_is_said_of_a_time_sheet(run: Run, text: str, said: list[str]) -> None:
    assert said_of(run, text) == said


@pytest.fixture
def score(run: Run) -> Callable[..., Any]:
    """Score sheets: `score(ann=text, bob=text, code=0)` with options of the command."""

    def call(*options: str, code: int = 0, **sheets: str) -> Any:
        for name, text in sheets.items():
            Path(f"{name}.txt").write_text(text, "utf-8")
        return run("rally-round", "sheet", "score", *(f"{name}.txt" for name in sheets), *options, code=code)

    return call


# The classification ------------------------------------------------------------------------------------------------------

ON_TIME = "TC2: 20 30 30 40\nTC3: 10 20 30 40 30\n"
LATE_FIRST = "TC2: 10 20 30 30 30\nTC3: 10 20 30 40 30\n"
LATE_THEN = "TC2: 20 30 30 40\nTC3: 10 20 30 30 30 10\n"
LOUD = "+30 loud\n"


@pytest.mark.parametrize(
    ("crews", "places"),
    [
        ({"Late": LATE_FIRST, "Prompt": ON_TIME}, "Prompt 1, Late 2"),
        ({"First": LATE_FIRST, "Then": LATE_THEN}, "Then 1, First 2"),
        ({"Ann": ON_TIME, "Bob": ON_TIME, "Cy": LATE_FIRST}, "Ann 1, Bob 1, Cy 3"),
        ({"Early": LATE_FIRST.replace("30\nTC3", "30\n+30 loud\nTC3"), "Late": LATE_FIRST + LOUD}, "Late 1, Early 2"),
        (
            {"Out": f"{ON_TIME}out retired\n", "Half": "TC2: 20 30 30 40\n", "Late": LATE_FIRST},
            "Late 1, Half - not on this sheet, Out -",
        ),
        (
            {"Ann": ON_TIME, "Bob": ON_TIME, "Slip": "TC2 12 4 4 - | 20 30 30 40\nTC3 31 11 5 - | 10 20 30 40 30\n"},
            "Ann 1, Bob 1, Slip 3 31 squares, where other sheets have 13",
        ),
    ],
)
def test_rr_r1_crews_are_placed_by_penalties_then_by_squares(score: Run, crews: dict[str, str], places: str) -> None:
    text = "route\nTC2 12\nTC3 13\n" + "".join(f"crew {name}\n{rows}" for name, rows in crews.items())
    found = json.loads(score("--json", code=None, all=text).stdout)["sheets"]
    told = (
        " ".join((
            one["crew"], str(one["place"] or "-"),
            *(finding["message"] for finding in one["findings"] if not finding["line"]),
        ))
        for one in found
    )  # fmt: skip
    assert ", ".join(told) == places


CLUB = """\
rally Club run
crew Ann Lee
kit start 30
TC2 12 4 5 1:00 | 10 20 30 30 30
+30 Give Way
PC3 (5) | 10 20 20
SSF4 14 | 10 20 50 50 60
out
total 32:00
crew Cy
TC2 12 | 10 20 30 30 30
"""
LEE = """\
Ann Lee: 36:40
{}  false: SSF4: turn 3: from 20 to 50 mph (RR-M3)
  false: total: the sheet says 32:00, the entries give 36:40 (RR-P7)
  needs a note: SSF4: the car reaches the control before the last turn (RR-P7)
"""
SECTIONS = """\
route to  squares  target  taken  penalty  faults  total
TC2            12    4:00   5:00     1:00   30:00  31:00
SSF4           14    2:20   8:00     5:40          36:40
out: out
"""


def test_a_sheet_and_a_classification_read_as_a_whole(score: Run) -> None:
    assert score(code=1, club=CLUB.partition("crew Cy")[0]).stdout == LEE.format(SECTIONS)
    sheets = {"club": CLUB, "dan": "crew Dan\nTC2 12 | 10 20 30 30 30\nSSF4 14 | 10 20 30 40 40\n"}
    assert score(code=1, **sheets).stdout == (
        "Classification: Club run\n\n"
        "place  crew     penalty  of which faults  to look at\n"
        "    1  Dan         3:40             0:00\n"
        "       Cy          1:00             0:00  not finished, 1 to explain\n"
        "       Ann Lee    36:40            30:00  out\n\n"
        "Cy: 1:00\n  needs a note: SSF4: not on this sheet (RR-R1)\n\n"
    ) + LEE.format("")
    assert SECTIONS in score("--full", code=1, **sheets).stdout


ANN = "crew Ann\nTC2 12 4 4 - | 20 30 30 40\n"
BOB = "crew Bob\nTC2 12 4 5 1:00 | 10 20 30 30 30\n"


def test_sheets_come_from_files_and_from_standard_input(run: Run, score: Run) -> None:
    assert score(bob=BOB).stdout.endswith("  every entry follows from the speeds\n")
    assert run("rally-round", "sheet", "score", "-", stdin=ANN, code=0).stdout.startswith("Ann: 0:00\n")
    named = json.loads(score("--json", ann="TC2 3 | 30").stdout)["sheets"][0]
    assert named["crew"] == "ann"  # a sheet without a crew is called by its file
    many = json.loads(score("--json", all=crowd(300)).stdout)["sheets"]
    assert [one["place"] for one in many] == [1] * 300


def crowd(many: int) -> str:
    return "".join(BOB.replace("Bob", f"Crew {number}") for number in range(many))


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"\0\1\2", b"# nothing\n"])
def test_a_text_without_a_sheet_is_told(run: Run, data: bytes) -> None:
    Path("x.txt").write_bytes(data)
    assert "x.txt: " in run("rally-round", "sheet", "score", "x.txt", code=1).stderr


def test_slips_have_carets_too_many_of_anything_is_one_and_other_texts_are_scored(score: Run) -> None:
    result = score(code=1, cy="crew Cy\nTC2 12 | 10 2O\n", ann=ANN)
    assert "Ann: 0:00" in result.stdout
    slip = "cy.txt:2:13: sheet/speed (RR-M1)\n  TC2 12 | 10 2O\n              ^^\n  “2O” is not a speed\n  try: 20\n"
    assert result.stderr == slip
    rows = "".join(f"TC{row} 3 | 30\n" for row in range(1, 202))
    for text in ("TC2 3 |" + " 10" * 201, rows):
        assert "sheet/many" in score(code=1, cy=text).stderr


def test_a_crew_s_name_cannot_control_the_terminal(score: Run) -> None:
    assert "\x1b" not in score(ann=ANN.replace("crew Ann", "crew Ann\x1b[31m")).stdout


# Sheets on the map -------------------------------------------------------------------------------------------------------

DRIVEN = "crew Ann\nkit D1 N3 E5 S3 A3 B2\nTC3 22 8 8 - | 30 30 20 20 20 40 20 30\n"


def test_on_the_house_map_a_sheet_is_driven_and_what_was_met_is_told(score: Run) -> None:
    text = score("--map", "house", ann=DRIVEN).stdout
    assert "turn 4 rolls down: to E5 (RR-F9); turn 7 draws H1, Sheep on the road (RR-F8)" in text
    assert "needs a note (RR-R1)" in text  # the other sections
    assert "on the way" not in score(ann=DRIVEN).stdout
    wrong = DRIVEN.replace("22 8 8", "21 8 9").replace("40 20 30", "50 20 30")
    assert (
        "ann.txt:3:5: false (RR-H1)\n  TC3 21 8 9 - | 30 30 20 20 20 50 20 30\n      ^^\n"
        "  TC3: the sheet says distance 21, the map gives 22\n  try: 22\n"
    ) in score("--map", "house", code=1, ann=wrong).stdout
    assert "Ann: 0:00" in score("--map", "house", ann=DRIVEN.replace("S3 A3", "S2 A6")).stdout


def test_the_route_may_come_from_a_map(score: Run) -> None:
    route = Path("route.txt")
    route.write_text("TC1 A4\nPC2 E3 from N\nTC3 K5 from S\nRTC4 P4 from N 24mph\n")
    sheet = "crew Ann\nTC3: 10 20 30 30 / 10 20 30 40\nRTC4 5:00 - | 10 20 30 40 20\n"
    (found,) = json.loads(score("--route", "route.txt", "--json", ann=sheet).stdout)["sheets"]
    sections = [(one["control"], one["distance"], one["target"], one["time"]) for one in found["sections"]]
    assert sections == [("TC3", 19, 420, 480), ("RTC4", 12, 300, 300)]
    assert "the route has no RTC4" in score("--map", "house", code=1, ann=sheet).stderr
    for text, words in (("K21 from N", "the route cannot be driven"), ("Q99 from N", "the map has no square Q99")):
        route.write_text(f"TC1 A4\nTC2 {text}\n")
        assert words in score("--route", "route.txt", code=2, ann=sheet).stderr


@pytest.mark.parametrize(("player", "seed"), [("random", 1), ("random", 2), ("greedy", 1)])
def test_a_sheet_that_was_kept_in_a_game_comes_to_what_the_game_has(score: Run, player: str, seed: int) -> None:
    """Whole rallies by chance, with slips, hazards and cards: the same times and penalties, to the second."""
    games = adj.simulate_games("rally-round", 2, players=2, player=player, seed=seed, most_orders=500)
    seen = 0
    for game in games:
        file = json.loads(game.to_bytes())
        for crew, sheet in kept(file).items():
            (found,) = json.loads(score("--map", "house", "--json", **{crew: sheet}, code=None).stdout)["sheets"]
            lines = next(one for one in file["state"]["crews"] if one["seat"] == crew)["lines"]
            sections = [(one["time"], one["total"]) for one in found["sections"]]
            assert sections == [(line["time"], line["penalty"]) for line in lines]
            assert [one for one in found["findings"] if one["verdict"] == "false"] == []
            seen += len(lines)
    assert seen > 8


@pytest.mark.parametrize(("player", "seed"), [("random", 3), ("random", 4), ("greedy", 2)])
def test_rr_p7_no_sheet_that_was_kept_in_a_game_is_called_false_without_the_map(score: Run, player: str, seed: int) -> None:
    """The office knows the kit and the distances; rolls, fords, hazards and other ways must explain the rest."""
    for game in adj.simulate_games("rally-round", 2, players=2, player=player, seed=seed, most_orders=500):
        file, sections = json.loads(game.to_bytes()), game.rules.config.sections
        posts = [pair for one in sections for pair in zip(one.posts, one.distances, strict=True)]
        route = "".join(f"{post.name} {at}{f' {post.speed}mph' if post.speed else ''}\n" for post, at in posts)
        for crew, sheet in kept(file).items():
            rows, lines = sheet.splitlines(), next(one for one in file["state"]["crews"] if one["seat"] == crew)["lines"]
            for row, line in enumerate(lines, 1):
                if sections[row - 1].timing != "road":  # a row without its time also has the speeds to its PCs
                    rows[row] = rows[row].replace(":", f" {line['time'] // 60}:{line['time'] % 60:02} |")
            (found,) = json.loads(score("--json", all=f"route\n{route}crew {crew}\n" + "\n".join(rows)).stdout)["sheets"]
            assert len(found["sections"]) == len(lines)


# Routes ------------------------------------------------------------------------------------------------------------------

EVENING = "TC1 A4\nPC2 E3 from N\nTC3 K5 from S\nSSF4 P4 from N\nRTC5 P10 from N 30mph\nSTC6 T9 from S\nblack spot O6\n"


@pytest.fixture
def lay(run: Run) -> Callable[..., Any]:
    """Lay a route of these lines: `lay(text, "--json", code=0)`."""

    def call(text: str, *options: str, code: int = 0) -> Any:
        Path("x.txt").write_text(text, "utf-8")
        return run("rally-round", "route", "x.txt", *options, code=code)

    return call


def test_a_route_reads_as_a_whole(lay: Run) -> None:
    Path("old.txt").write_text("RTC3: A4 A3\n")
    text = "rally Évening\nTC1 A4\nPC2 E3 from N\nRTC3 H6 from W 30mph\n"
    assert lay(text, "--compare", "old.txt", code=1).stdout == (
        "Évening: a route on House map\n\n"
        "Please check:\n"
        "  the rally finishes at H6, which is not chequered (RR-L1)\n"
        "  the rally has 2 time controls: 5 at least for all that the game has (RR-L4)\n\n"
        "control  square  from  squares  section               target\n"
        "TC1      A4      –              start\n"
        "PC2      E3      N     (9)\n"
        "RTC3     H6      W     15       regularity at 30 mph    5:00\n"
        "1 section, 15 squares, 5:00 in all\n\n"
        "Compared with the transcription:\n"
        "  RTC3: first difference at step 2: here A2, there nothing more\n"
    )


def test_every_kind_of_control_is_read_however_it_is_written(lay: Run) -> None:
    text = (
        "rally Evening  Run\nTC1 a4  # the start\nPC2 E3 from N\nTC K5 from south\nRTC4: at P4 from N 24mph\nSSF T9 S\n"
        "Black spots: O6, u25\nblack spot O6\n"
    )
    lay(text, "-o", "evening.json")
    made = json.loads(Path("evening.json").read_text("utf-8"))["rally"]
    assert (made["id"], made["name"], made["black_spots"]) == ("evening-run", "Evening Run", ["O6", "U25"])
    controls = [tuple(one.get(name) for name in ("square", "side", "section", "speed")) for one in made["controls"]]
    assert controls == [
        ("A4", None, None, None), ("E3", "N", None, None), ("K5", "S", "road", None), ("P4", "N", "regularity", 24),
        ("T9", "S", "stage", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("CT2 K5 from S", "2 control RR-C4 “CT2” TC2"),
        ("TC3 K5 from S", "2 number “TC3” TC2"),
        ("TC2 K55 from S", "2 square RR-C1 “K55” K5"),
        ("TC2", "2 control RR-C4 “TC2”"),
        ("TC2 K5", "2 side RR-C4 “K5”"),
        ("TC2 K5 from Sowth", "2 control RR-C4 “Sowth” south"),
        ("RTC2 K5 from S", "2 regularity RR-T4 “S” 24mph"),
        ("TC2 K5 from S 24mph", "2 regularity RR-T4 “24mph”"),
        ("RTC2 K5 from S 31mph", "2 control RR-C4 “31mph”"),
        ("black spot", "2 spot “black”"),
        ("black spot Q99", "2 square RR-C1 “Q99”"),
        ("TC2 K5 from E\nPC3 E3 from W", "2 side RR-C4 “E” N, 3 side RR-C4 “W” N"),
        ("TC2 Q99 from S\nTC3 K5\nwhat is this", "2 square RR-C1 “Q99”, 3 side RR-C4 “K5”, 4 control RR-C4 “what”"),
        ("".join(f"TC{n} K5 from S\n" for n in range(2, 101)), "100 many “TC100”"),
        ("", "3 row “”"),
    ],
)  # fmt: skip
def test_each_slip_in_a_route_is_told_with_its_place_and_what_might_stand_there(lay: Run, lines: str, said: str) -> None:
    result = lay(f"TC1 A4\n{lines}\n", "-o", "x.json", "--json", code=1)
    assert ", ".join(map(_slip, json.loads(result.stdout)["problems"])) == said
    assert not Path("x.json").exists()


def _slip(one: dict[str, Any]) -> str:
    words = f"“{one['text'][one['column'] - 1 :][: one['width']]}”"
    parts = (str(one["line"]), one["code"].removeprefix("route/"), one["rule"], words, *one["suggestions"][:1])
    return " ".join(filter(None, parts))


def test_the_start_is_no_section_and_is_entered_from_no_side(lay: Run) -> None:
    for start, said in (("SSF1 A4", "1 start RR-L1 “SSF1” TC1"), ("TC1 A4 from N", "1 side RR-C4 “N”")):
        result = lay(f"{start}\nTC2 K5 from S\n", "--json", code=1)
        assert ", ".join(map(_slip, json.loads(result.stdout)["problems"])) == said
    assert lay("TC1 A4\nCT2 K5 from S\n", code=1).stderr == (
        "x.txt:2:1: route/control (RR-C4)\n  CT2 K5 from S\n  ^^^\n"
        "  a control is its name, its square and the side it is entered from: TC3 K5 from S\n  try: TC2\n"
    )


def test_an_ambiguity_is_told_with_black_spots_that_settle_it(lay: Run) -> None:
    assert lay("TC1 A4\nTC2 K21 from N\n", "-o", "which.json", code=1).stdout == (
        "Rally: a route on House map\n\nThis route cannot be driven:\n"
        "  from TC1 to TC2 there are 2 ways of 27 squares (RR-L2)\n"
        "    a Black Spot on A11 would leave only the way over B10\n"
        "    a Black Spot on B10 would leave only the way over A11\n"
        "  with Black Spots on A11 there is only one way everywhere\n"
    )
    assert not Path("which.json").exists()
    assert "27" in lay("TC1 A4\nTC2 K21 from N\nblack spot A11\n").stdout


def test_a_game_begins_with_the_route_that_was_written_which_is_no_file_of_somebody_s(run: Run, lay: Run) -> None:
    text = f"rally Evening run\n{EVENING}"
    lay(text, "-o", "evening.json")
    run("new", "rally-round", "--seat", "red", "--setup", "evening.json", "-o", "game.json", code=0)
    assert "Evening run" in run("show", "game.json", code=0).stdout
    assert run("rally-round", "route", "evening.json", code=0).stdout == lay(text).stdout
    assert "already exists" in lay(text, "-o", "evening.json", code=2).stderr
    lay(text, "-o", "evening.json", "--force")
    assert "this command reads" in lay(text, "-o", "x.txt", "--force", code=2).stderr
    assert Path("x.txt").read_text() == text
    assert "9 sections, 164 squares" in run("rally-round", "route", code=0).stdout


def test_an_old_route_is_compared_and_the_first_square_that_differs_is_told(lay: Run) -> None:
    laid = json.loads(lay(EVENING, "--json").stdout)["laid"]
    old = {section["control"]: section["squares"] for section in laid}

    def compared(code: int, **changes: list[str]) -> str:
        ways = {**old, **changes}
        Path("old.txt").write_text("".join(f"{control}: {' '.join(way)}\n" for control, way in ways.items() if way))
        return str(lay(EVENING, "--compare", "old.txt", code=code).stdout).partition("transcription:\n")[2]

    assert compared(0).startswith("  TC3: the same\n  SSF4: the same\n  RTC5: the same\n  STC6: the same\n")
    way = old["SSF4"]
    assert "  SSF4: first difference at step 2: here K3, there K9\n" in compared(1, SSF4=[*way[:2], "K9", *way[3:]])
    assert "  TC3: first difference at step 10: here E4, there nothing more\n" in compared(1, TC3=[], PC2=old["TC3"][:10])
    compared(0, PC2=old["TC3"][:10], TC3=old["TC3"][10:])
    Path("old.txt").write_text("to K5: A4\nTC2: A4 X99\n")
    wrong = lay(EVENING, "--compare", "old.txt", code=1).stderr
    assert "old.txt:1:1: route/control" in wrong and "old.txt:2:9: route/square" in wrong


def test_what_cannot_be_driven_is_told_all_at_once(run: Run) -> None:
    flaws = {
        "A4 K5:S:road E3:N:regularity": ["RTC3: a regularity section needs a speed from 20 to 30 mph"],
        "A4 K5:S:road A2:N:road": ["no way leads from TC2 to TC3 at A2 from N (RR-L2)"],
        "A4 K5:E:road A4:N": ["cars can enter TC2 at K5 from", "PC3 is the last control", "two controls are on A4"],
    }
    for controls, words in flaws.items():
        Path("odd.json").write_text(json.dumps({"rally": rally(controls)}))
        found = json.loads(run("rally-round", "route", "odd.json", "--json", code=1).stdout)
        assert (found["laid"], found["warnings"]) == ([], [])
        assert [word for word in words if not any(flaw.startswith(word) for flaw in found["flaws"])] == []
    for data in ("{", '{"seats": []}', '{"rally": 1}'):
        Path("odd.json").write_text(data)
        assert run("rally-round", "route", "odd.json", code=3).stderr.startswith("adjudicator: odd.json: ")


def test_a_route_and_its_sections_are_drawn(run: Run, lay: Run) -> None:
    drawing = lay(EVENING, "--svg", "-").stdout
    assert drawing.startswith("<svg ") and "RTC5" in drawing
    part = run("rally-round", "route", "--svg", "-", "--section", "TC3", code=0).stdout
    assert 'width="366"' in part and "To TC3, part 2 of 2" in part
    whole = run("rally-round", "route", "--svg", "-", "--section", "all", code=0).stdout
    assert whole.count("To ") >= 9
    wrong = run("rally-round", "route", "--svg", "-", "--section", "TC99", code=2).stderr
    assert "the section “TC99” is unknown; choose from: TC3, TC5" in wrong
    assert "use --section only with --svg" in run("rally-round", "route", "--section", "TC3", code=2).stderr


def test_a_map_of_one_s_own_has_its_own_routes_and_flaws(lay: Run) -> None:
    made = drawn("..q.....!......", lanes=["E1 E2 E3 E4"])
    Path("mine.json").write_text(json.dumps(made))
    assert "TC2      E3      N           6  road       2:00" in lay("TC1 A1\nTC2 E3 from N", "--map", "mine.json").stdout
    made["squares"][0]["limit"] = 30
    made["squares"][3]["toward"] = "N"
    Path("mine.json").write_text(json.dumps(made))
    wrong = lay(EVENING, "--map", "mine.json", code=2).stderr
    assert "A1: only a bend has a sign with a limit (RR-C2)" in wrong
    assert "D1: a square without a feature points nowhere (toward) (RR-C2)" in wrong


# Ambiguous routes, compared with a slow search ---------------------------------------------------------------------------


@pytest.fixture
def laid(lay: Run) -> Callable[..., Any]:
    """Lay a route on a map; the first line, TC1 A1, may be left out, and Black Spots come last."""

    def call(made: dict[str, Any], text: str, *spots: str) -> Any:
        Path("town.json").write_text(json.dumps(made))
        black = f"black spot {' '.join(spots)}\n" if spots else ""
        return json.loads(lay(f"TC1 A1\n{text}\n{black}", "--map", "town.json", "--json", code=None).stdout)

    return call


@pytest.mark.parametrize("size", [2, 3, 5, 12, 20])
def test_rr_l2_all_shortest_ways_are_counted_however_many_and_spots_leave_one(laid: Run, size: int) -> None:
    made, _ = town(size)
    goal = f"{chr(64 + size)}{size}"
    found = laid(made, f"TC2 {goal} from N")
    # Into the last square from the north: all ways over size - 1 columns and size - 2 rows to the square before it.
    ways = comb(2 * size - 3, size - 1)
    if ways == 1:
        assert (found["ambiguous"], found["laid"][0]["distance"]) == ([], 2)
        return
    (one,) = found["ambiguous"]
    assert (one["ways"], one["distance"], found["laid"]) == (ways, 2 * size - 2, [])
    if size > 12:
        assert (one["remedies"], found["settled_by"]) == ([], None)  # more Black Spots than anybody would place
        return
    assert len(one["remedies"]) in (3, 4)
    for choice in one["remedies"]:
        (section,) = laid(made, f"TC2 {goal} from N", *choice["squares"])["laid"]
        assert section["distance"] == one["distance"]
        assert choice["through"] in section["squares"]


@pytest.mark.parametrize("seed", range(24))
def test_rr_l2_ways_and_black_spots_are_those_of_a_slow_search(laid: Run, seed: int) -> None:
    luck, streets, goal = Random(seed), [], "A1"
    while len(ways_of(streets, "A1", goal)[:1] and ways_of(streets, "A1", goal)[0]) < 5:
        _, pairs = town(4)
        streets = [pair for pair in pairs if luck.random() < 0.8]
        streets = [pair for pair in streets if ways_of(streets, "A1", pair[0])]
        goal = max({square for pair in streets for square in pair}, default="A1")
    ahead = sorted({way[-2] for way in ways_of(streets, "A1", goal)})[0]
    side = "W" if ahead[1:] == goal[1:] else "N"
    ways = [(*way, goal) for way in ways_of(streets, "A1", ahead, barred=[goal])]
    found = laid(town(4, streets)[0], f"TC2 {goal} from {side}")
    if len(ways) == 1:
        assert found["ambiguous"] == [], found
        assert [tuple(section["squares"]) for section in found["laid"]] == ways, found
        return
    (one,) = found["ambiguous"]
    assert (one["ways"], one["distance"]) == (len(ways), len(ways[0]) - 1)
    assert one["remedies"]
    for choice in [*one["remedies"], {"squares": found["settled_by"], "through": ""}]:
        left = ways_of(streets, "A1", ahead, barred=[goal, *choice["squares"]])
        assert len(left) == 1 and len(left[0]) == len(ways[0]) - 1
        assert choice["through"] in (*left[0], "")
        for spare in choice["squares"]:  # each of them is needed
            others = {*choice["squares"]} - {spare}
            assert len(ways_of(streets, "A1", ahead, barred=[goal, *others])) > 1


def test_rr_l2_all_ambiguities_are_settled_together(laid: Run) -> None:
    made = drawn("." * 15, lanes=["C1 C3 F3 F1", "H1 H3 K3 K1"])
    route = "PC2 G1 from W\nTC3 O1 from W"
    found = laid(made, route)
    assert ([one["ways"] for one in found["ambiguous"]], len(found["settled_by"])) == ([2, 2], 2)
    after = laid(made, route, *found["settled_by"])
    assert (after["ambiguous"], len(after["laid"])) == ([], 1)
