"""Rally Round: what is wrong with a position, an amendment, a component set or a marked map, each flaw with its rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj
from tests.drivers.rally import (
    PLAIN,
    ROWS,
    amended,
    as_controls,
    begin,
    changed,
    drawn,
    effect,
    events,
    flaws_of,
    hazard,
    plain_kit,
    rally,
    require,
    rows,
    state_of,
    table_position,
)  # fmt: skip

# By internet -------------------------------------------------------------------------------------------------------------


DRIVER = {"rally": rally("A1 F1:W M1:W:road Z1:W:road"), "seats": [{"seat": "red", "kit": PLAIN}]}
"""Red at the start of two sections of road 1, with a PC on F1; hazard cards H1 and H2 are setbacks."""


@pytest.mark.parametrize(
    ("changes", "flaws"),
    rows("""
kit=D1 |
kit=D1,X7 | red: there is no card X7 in this game (RR-C3)
kit=D1,D1,N1 | red: a kit has only one driver card (RR-K1)
kit=none speeds=10 | red: no crew starts without a complete kit (RR-K1)
kit=none trail=A1,B1 | red: no crew starts without a complete kit (RR-K1)
kit=none lines=FIRST penalty=60 trail=M1 | red: no crew starts without a complete kit (RR-K1)
drawn=3 held=H3 returned=H2,H1
drawn=1 returned=H1
drawn=7 | red: the pack has 6 hazard cards, so a crew cannot have drawn 7 (RR-F8)
drawn=2 returned=H2 | red: a crew must have kept or returned exactly the first 2 hazard cards, once each (RR-F8)
drawn=1 returned=H2 | red: a crew must have kept or returned exactly the first 1 hazard cards, once each (RR-F8)
drawn=3 held=H3 returned=H1,H2,H3
    | red: a crew must have kept or returned exactly the first 3 hazard cards, once each (RR-F8)
drawn=3 held=H1,H3 returned=H2 | red: H1 is a setback, which no crew keeps (RR-F8)
lines=FIRST penalty=60 trail=M1
lines=FIRST penalty=1860 trail=M1
lines=FAULT penalty=1860 trail=M1
lines=10,20,30,30,30:300:61 penalty=61 trail=M1
    | red: the penalty after TC3 does not follow from the time and 30 marks a fault (RR-P4)
lines=10,20,30,30,30:300:0 penalty=0 trail=M1
    | red: the penalty after TC3 does not follow from the time and 30 marks a fault (RR-P4)
lines=10,20,30,30,30:301:61 penalty=61 trail=M1 | red: the time to TC3 does not follow from its 5 turns (RR-P5)
lines=10,20,30,30,30:0:480 penalty=480 trail=M1 | red: the time to TC3 does not follow from its 5 turns (RR-P5)
lines=FIRST penalty=61 trail=M1
    | red: since the last time control, a crew can only have penalties of 30 marks each (RR-P4)
lines=FIRST penalty=30 trail=M1
    | red: since the last time control, a crew can only have penalties of 30 marks each (RR-P4)
penalty=1800
penalty=60 | red: since the last time control, a crew can only have penalties of 30 marks each (RR-P4)
speeds=10,25,15 | red: 15 mph is not a multiple of 10 (RR-M1) | red: 25 mph is not a multiple of 10 (RR-M1)
lines=10,20,35,25,30:300:60 penalty=60 trail=M1 | red: 25 mph is not a multiple of 10 (RR-M1)
    | red: 35 mph is not a multiple of 10 (RR-M1)
lines=FIRST;INTIME penalty=60 trail=none
lines=FIRST;EARLY penalty=180 trail=none
lines=FIRST;20,30,40,40:240:120 penalty=120 trail=none
    | red: the penalty after TC4 does not follow from the time and 30 marks a fault (RR-P4)
lines=FIRST;INTIME penalty=1860 trail=none | red: after the finish the penalty cannot grow (RR-P4)
lines=FIRST;INTIME;INTIME penalty=60 trail=none | red: the rally has 2 sections (RR-C4)
lines=FIRST;INTIME penalty=60 trail=Z1 | red: a crew that has finished has nothing more to drive (RR-C4)
lines=FIRST;INTIME penalty=60 trail=none speed=10 | red: a crew that has finished has nothing more to drive (RR-C4)
lines=FIRST;INTIME penalty=60 trail=none speeds=10 | red: a crew that has finished has nothing more to drive (RR-C4)
lines=FIRST;INTIME penalty=60 trail=none met=1 | red: a crew that has finished has nothing more to drive (RR-C4)
lines=FIRST;INTIME penalty=60 trail=none out=retired | red: a crew that has finished cannot be out of the rally (RR-R1)
trail=A1,Q99,R99 | red: there is no square Q99 in this game (RR-C1) | red: there is no square R99 in this game (RR-C1)
trail=none out=retired
trail=A1,C1,D1,F1 | red: no road leads from A1 to C1 (RR-C1) | red: no road leads from D1 to F1 (RR-C1)
trail=L1,M1 | red: a crew that has reached TC3 has finished the section (RR-H2)
met=1
met=2 | red: only 1 PCs come before TC3 (RR-H2)
faulted=TC1,PC2,TC3
faulted=PC9,TC4 | red: PC9 is not a control of this section (RR-H2) | red: TC4 is not a control of this section (RR-H2)
speed=10 speeds=20,10
speed=10 | red: a car at 10 mph must have this as the last speed of its sheet (RR-M3)
speed=10 speeds=10,20 | red: a car at 10 mph must have this as the last speed of its sheet (RR-M3)
lost=1 | red: by internet no car is in another's way, and missed turns pass at once (RR-H4)
is_off=true | red: by internet no car is in another's way, and missed turns pass at once (RR-H4)
arrived=1 | red: by internet no car is in another's way, and missed turns pass at once (RR-H4)
totals=0 | red: by internet no car is in another's way, and missed turns pass at once (RR-H4)
is_asking=true | red: by internet no car is in another's way, and missed turns pass at once (RR-H4)
guarded=1 | red: by internet no car is in another's way, and missed turns pass at once (RR-H4)
is_blocking=false | red: by internet no car is in another's way, and missed turns pass at once (RR-H4)
"""),
)
def test_a_crew_by_internet_has_each_flaw_with_its_rule(tmp_path: Path, changes: str, flaws: list[str]) -> None:
    require(flaws, lambda: begin(tmp_path, ROWS, position=changed(DRIVER, changes)))


# At a table, with the route laid -----------------------------------------------------------------------------------------


TABLE = table_position()
"""Red comes up behind blue, which has a card against being overtaken."""
ORDER = "the order of starting must name each crew once: red and blue (RR-H7)"


@pytest.mark.parametrize(
    ("changes", "flaws"),
    rows(f"""
order=red queue=red | {ORDER}
order=red,red queue=red | {ORDER}
queue=red,red | the queue of a minute must name crews of this rally, each once (RR-M5)
order=none queue=none | players lay no markers before chance draws the cars (RR-H7)
controls=Q99 | there is no square Q99 in this game (RR-C1)
black_spots=Q99 finish=R99 | there is no square R99 in this game (RR-C1) | there is no square Q99 in this game (RR-C1)
black_spots=M1 | there are 2 markers on M1 (RR-L3)
black_spots=F1,F1 | there are 2 markers on F1 (RR-L3)
finish=A1 | the finish needs a start on another square (RR-L1)
controls=none | the finish needs a start on another square (RR-L1)
finish=none | other markers need a finish (RR-L1)
finish=none controls=A1 black_spots=B1 | other markers need a finish (RR-L1)
finish=Y1 | Y1 is not chequered, as start and finish must be (RR-L1)
controls=B1,M1:W:road,Z1:W:road | B1 is not chequered, as start and finish must be (RR-L1)
controls=A1,Z1:W:road,Y1:E:road | the finish must be the last control (RR-L4)
    | no way leads from TC2 to TC3 at Y1 from E (RR-L2)
controls=A1,M1:W:road black_spots=Z1 | the finish must be the last control (RR-L4)
controls=A1,M1:W:road,Z1:W | the finish must be a time control (RR-L4)
controls=A1,M1:W:road,Z1:W:stage | only a stage rally has stages, and it has nothing else (RR-T6)
controls=A1,M1:W:stage,Z1:W:road | only a stage rally has stages, and it has nothing else (RR-T6)
controls=A1,M1:W:road,Z1:E:road | cars can enter TC3 at Z1 from W or S, not from E (RR-C4)
black_spots=B1 | no way leads from TC1 to TC2 at M1 from W (RR-L2)
.returned=H1,H2
.returned=H9 | there is no hazard card H9 in this game (RR-C3)
.returned=H1,H1 | H1 is in 2 places (RR-F8)
minute=1 queue=red | blue starts after minute 1 (RR-M5)
minute=2
kit=none queue=none | no crew starts before all kits are complete (RR-K1)
    | red: no crew starts without a complete kit (RR-K1)
kit=D4,N1,E1,S1,A1,B1 | D4 is in 2 kits (RR-K1)
held=H3
held=H2 | red: H2 is a setback, which no crew keeps (RR-F8)
held=H9 | red: there is no hazard card H9 in this game (RR-C3)
held=H3,H3 | H3 is in 2 places (RR-F8)
drawn=1 | red: at a table there is one pack for all (RR-F8)
red.returned=H1 | red: at a table there is one pack for all (RR-F8)
lost=1 speed=0 queue=none
lost=1 queue=none | red misses turns, so its speed must be 0 after a turn in this section (RR-P5)
lost=1 speed=0 speeds=none queue=none | red misses turns, so its speed must be 0 after a turn in this section (RR-P5)
is_off=true lost=1 speed=0 queue=none
is_off=true speed=0 speeds=20,0
is_off=true speed=0 | red is off the road, and has no turn to miss (RR-F11)
is_off=true speed=0 speeds=20,0,20 | red is off the road, and has no turn to miss (RR-F11)
guarded=9
guarded=10 | red has used no card since minute 9 (RR-O1)
is_asking=true | red has no card to block with (RR-O1)
is_blocking=false | red has no card to block with (RR-O1)
blue.is_asking=true blue.is_blocking=false
totals=0 | red needs a total after each section of the earlier parts (RR-V1)
trail=A1,B1,C1,D1,E1 | 2 cars are on E1, which has room for one (RR-O1)
trail=A1,B1,C1,D1,E1 is_off=true lost=1 speed=0 queue=none
trail=A1,B1,C1,D1,E1 speeds=0,20
trail=M1 speed=0 speeds=none lines=FIRST penalty=60
    blue.trail=M1 blue.speed=0 blue.speeds=none blue.lines=FIRST blue.penalty=60
trail=M1,N1 speed=0 speeds=none lines=FIRST penalty=60
    blue.trail=M1,N1 blue.speed=0 blue.speeds=none blue.lines=FIRST blue.penalty=60
    | 2 cars are on N1, which has room for one (RR-O1)
order=blue,red minute=1 queue=red | red starts after minute 1 (RR-M5)
"""),
)
def test_a_table_has_each_flaw_with_its_rule(tmp_path: Path, changes: str, flaws: list[str]) -> None:
    require(flaws, lambda: begin(tmp_path, ROWS, "red blue", position=changed(TABLE, changes), mode="table", parts="2"))


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> adj.Game:
    """Red has announced a move, and blue is asked whether it blocks."""
    position = changed(TABLE, "blue.is_asking=true")
    game = begin(tmp_path_factory.mktemp("asked"), ROWS, "red blue", position=position, mode="table")
    return game.apply("red: SPEED 30").game


@pytest.mark.parametrize(
    ("changes", "flaws"),
    rows("""
announced=mover:red,by:blue,speed:10
announced=mover:red,by:blue,speed:10,lands:behind
announced=mover:blue,by:red,speed:10 | a move can wait for another crew's answer only in its own crew's turn (RR-O1)
announced=mover:red,by:red,speed:10 | a move can wait for another crew's answer only in its own crew's turn (RR-O1)
announced=mover:red,by:blue,speed:15 | the waiting move is not legal (RR-M1)
announced=mover:red,by:blue,speed:10,lands:beside | the waiting move is not legal (RR-M1)
announced=mover:red,by:blue,speed:10,using:H1 | red does not keep H1 (RR-F8)
"""),
)
def test_rr_o1_a_move_that_waits_has_each_flaw_with_its_rule(asked: adj.Game, changes: str, flaws: list[str]) -> None:
    require(flaws, lambda: amended(asked, changes))


@pytest.fixture(scope="module")
def later(tmp_path_factory: pytest.TempPathFactory) -> adj.Game:
    """The second part, on the way back to A1."""
    position = changed(TABLE, "trail=X1,Y1 speed=10 speeds=10 blue.trail=X1,Y1 blue.speed=10 blue.speeds=0,10")
    position["controls"] = as_controls("A1 Z1:W:road")
    folder = tmp_path_factory.mktemp("later")
    game = begin(folder, ROWS, "red blue", position=position, mode="table", parts="2")
    return game.apply("red: SPEED 10\nblue: SPEED 10\nred: FINISH at A1\nblue: PLACE TC2 at M1 from E\n").game


@pytest.mark.parametrize(
    ("changes", "flaws"),
    rows("""
part=3 | the rally has 2 parts (RR-V1)
controls=none finish=none | a later part must start at the finish of the part before (RR-V1)
squares=12,13 | red needs a total after each section of the earlier parts (RR-V1)
    | blue needs a total after each section of the earlier parts (RR-V1)
part=2 squares=12,13 totals=60,120 penalty=120 blue.totals=0,60 blue.penalty=60
part=2 squares=12,13 totals=60 out=retired penalty=60 blue.totals=0,60 blue.penalty=60
part=2 squares=12,13 totals=60 penalty=60 blue.totals=0,60 blue.penalty=60
    | red needs a total after each section of the earlier parts (RR-V1)
part=2 squares=12,13 totals=120,60 penalty=60 blue.totals=0,60 blue.penalty=60
    | red cannot have less penalty than before (RR-P4)
part=2 squares=12,13 totals=60,120 penalty=60 blue.totals=0,60 blue.penalty=60
    | red cannot have less penalty than before (RR-P4)
    | red: since the last time control, a crew can only have penalties of 30 marks each (RR-P4)
"""),
)
def test_rr_v1_totals_of_earlier_parts_only_grow(later: adj.Game, changes: str, flaws: list[str]) -> None:
    require(flaws, lambda: amended(later, changes))


def test_rr_f11_nobody_is_off_the_road_without_a_reason(tmp_path: Path) -> None:
    position = changed(TABLE, "speed=0 speeds=50,0,20 is_off=true")
    flaws = ["red is off the road, and has no turn to miss (RR-F11)"]
    require(flaws, lambda: begin(tmp_path, ROWS, "red blue", position=position, mode="table"))


@pytest.mark.parametrize(("seat", "queue"), [("red", ["blue"]), ("blue", ["red"])])
def test_rr_r1_a_crew_that_is_out_leaves_the_queue_the_road_and_the_question(
    asked: adj.Game, seat: str, queue: list[str]
) -> None:
    state = state_of(amended(asked, f"{seat}.out=retired"))
    assert state["queue"] == queue
    assert state.get("announced") is None


def test_rr_r1_a_crew_that_is_out_misses_no_turn(tmp_path: Path) -> None:
    position = changed(TABLE, "trail=A1,B1,C1,D1,E1 is_off=true lost=2 speed=0 queue=blue,red")
    game = begin(tmp_path, ROWS, "red blue", position=position, mode="table")
    red = state_of(amended(game, "out=retired trail=none"))["crews"][0]
    assert (red.get("lost", 0), red.get("is_off", False), red["trail"]) == (0, False, [])


def test_rr_c1_a_crew_without_a_place_starts_at_the_control_of_its_section(tmp_path: Path) -> None:
    position = changed(TABLE, "trail=none lines=FIRST penalty=60 speed=0 speeds=none")
    state = state_of(begin(tmp_path, ROWS, "red blue", position=position, mode="table"))
    assert state["crews"][0]["trail"] == ["M1"]


# At a table, before the start --------------------------------------------------------------------------------------------

LAYING = {
    "seats": [{"seat": one["seat"], "kit": one["kit"]} for one in TABLE["seats"]],
    "order": ["red", "blue"],
    "finish": "Z1",
    "controls": as_controls("A1"),
}


@pytest.mark.parametrize(
    ("changes", "flaws"),
    rows("""
trail=Z1 | red: all cars must be at the start until the route is complete (RR-L1)
trail=none out=retired
speed=10 | red: no crew drives before the route is complete (RR-L4)
met=1 | red: no crew drives before the route is complete (RR-L4)
faulted=TC1 | red: no crew drives before the route is complete (RR-L4)
is_off=true | red is off the road, and has no turn to miss (RR-F11)
    | red: no crew drives before the route is complete (RR-L4)
queue=red | no crew drives before the route is complete (RR-L4)
minute=1 | no crew drives before the route is complete (RR-L4)
speeds=0 | no crew drives before the route is complete (RR-L4)
    | red: no crew drives before the route is complete (RR-L4)
lost=1 | no crew drives before the route is complete (RR-L4) | red: no crew drives before the route is complete (RR-L4)
lines=INTIME | no crew drives before the route is complete (RR-L4)
    | red: no crew drives before the route is complete (RR-L4)
controls=A1,N1:W
controls=A1,N1:E | no way leads from TC1 to PC2 at N1 from E (RR-L2)
controls=A1,M1:W:stage | only a stage rally has stages, and it has nothing else (RR-T6)
"""),
)
def test_before_the_route_is_complete_nobody_drives(tmp_path: Path, changes: str, flaws: list[str]) -> None:
    require(flaws, lambda: begin(tmp_path, ROWS, "red blue", position=changed(LAYING, changes), mode="table"))


@pytest.mark.parametrize(
    ("controls", "flaws"),
    [
        ("A1,M1:W:stage", []),
        ("A1,M1:W", []),
        ("A1,M1:W:road", ["only a stage rally has stages, and it has nothing else (RR-T6)"]),
    ],
)
def test_rr_t6_a_stage_rally_has_only_stages(tmp_path: Path, controls: str, flaws: list[str]) -> None:
    position = changed(LAYING, f"controls={controls}")
    require(flaws, lambda: begin(tmp_path, ROWS, "red blue", position=position, mode="table", kind="stage"))


def test_rr_v1_a_lone_player_chooses_its_crew_before_the_start(tmp_path: Path) -> None:
    position = changed(TABLE, "queue=red")
    late = ["a lone player must choose its own crew before the start (RR-V1)"]
    require(late, lambda: begin(tmp_path, ROWS, "red blue", position=position, mode="table", solo="competitive"))
    game = begin(tmp_path, ROWS, "red blue", mode="table", solo="competitive", recorded=["red", "blue"])
    deal = "D1 N1 E1 S1 A1 B1 D2 N2 E2 S2 A2 B2"
    lines = ("red: START at A1", "blue: FINISH at Z1", f"red: PLACE TC2 at Z1 from W [{deal}]", "red: CHOOSE blue")
    game = game.apply("\n".join(lines)).game
    assert state_of(amended(game, "own=red"))["own"] == "red"


# Component sets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "flaws"),
    rows("""
B1 limit=30 | B1: only a bend has a sign with a limit (RR-C2)
B1 feature=bend limit=30
B1 feature=rough | B1: rough sections must be white, this one is red (RR-C2)
B1 feature=rough colour=white
B1 feature=chequered colour=yellow | B1: chequered squares must be red, this one is yellow (RR-C1)
B1 feature=give-way | B1: the give-way needs the side that it points to (toward) (RR-C2)
B1 feature=give-way toward=N | B1: the give-way points N, where no road leaves (RR-C2)
B1 feature=give-way toward=E
B1 feature=ford toward=E | B1: the ford points nowhere (toward) (RR-C2)
B1 toward=E | B1: a square without a feature points nowhere (toward) (RR-C2)
B1 feature=gradient toward=W
B1 feature=steep toward=W | B1: the road forks or ends where a car would roll down (RR-F9)
C1 feature=steep toward=W
C1 feature=steep toward=E | C1: the road forks or ends where a car would roll down (RR-F9)
C1 feature=gradient toward=E
D1 feature=steep toward=S
D2 x=4 y=1 | D2 has the same place as D1: column x 4, row y 1 (RR-C1)
D2 place=Main_Road | the component set has the name main road 2 times (RR-C1)
D2 place=Path_1 | the component set has the name path 1 2 times (RR-C1)
"""),
)
def test_a_map_has_each_flaw_with_its_rule(tmp_path: Path, fields: str, flaws: list[str]) -> None:
    made = drawn("." * 8, lanes=["D1 D2 D3"], tracks=["A1 F1"])
    square = next(one for one in made["squares"] if one["id"] == fields[:2])
    for name, _, value in (word.partition("=") for word in fields.split()[1:]):
        square[name] = int(value) if value.isdigit() else value.replace("_", " ")
    assert flaws_of(tmp_path, made) == flaws


def test_rr_c1_roads_and_tracks_lead_over_squares_of_the_map(tmp_path: Path) -> None:
    made = drawn("." * 8)
    made["roads"].append({"name": "Lost Lane", "squares": ["A1", "Q7", "Q8"]})
    made["tracks"] = [{"id": "HT1", "name": "Lost Path", "ends": ["A1", "Q9"]}]
    assert flaws_of(tmp_path, made) == [
        "Lost Lane goes over Q7, which is not on the map (RR-C1)",
        "Lost Lane goes over Q8, which is not on the map (RR-C1)",
        "Lost Path ends at Q9, which is not on the map (RR-C2)",
    ]
    made = drawn("." * 8)
    made["tracks"] = [{"id": "B1", "name": "Path", "ends": ["A1", "D1"]}]
    assert flaws_of(tmp_path, made) == ["the component set has the square B1 2 times (RR-C1)"]


def test_rr_c1_two_roads_never_leave_a_square_on_one_side(tmp_path: Path) -> None:
    made = drawn("." * 8, lanes=["C1 D2"])
    made["squares"][-1].update(x=6)
    assert flaws_of(tmp_path, made) == ["C1: two roads leave on the side E (RR-C1)"]


@pytest.mark.parametrize(("many", "words"), [(1, "X1"), (8, "X1, X2, X3, X4, X5, X6, X7, X8"), (9, "X8 and others")])
def test_rr_c1_every_square_is_in_reach_of_the_first(tmp_path: Path, many: int, words: str) -> None:
    made = drawn("." * 8)
    made["squares"] += [{"id": f"X{x}", "x": x, "y": 9, "colour": "red"} for x in range(1, many + 1)]
    (flaw,) = flaws_of(tmp_path, made)
    assert flaw.startswith("no road leads from A1 to X1")
    assert flaw.endswith(f"{words} (RR-C1)")


ONE_OR_OTHER = "X1: a card is either an advantage or a setback, and a kit card is an advantage (RR-C3)"
MISS = "X1: “miss” needs a number of turns, and no other effect has one (RR-C3)"


@pytest.mark.parametrize(
    ("effects", "flaws"),
    [
        ([effect("start", 20, 10, 10)], []),
        ([effect("bridge", 0, 0, 10)], []),
        ([effect("bend", 0, 10, 0)], []),
        ([effect("waterproof"), effect("unovertaken")], []),
        ([effect("miss", turns=2)], []),
        ([effect("miss", turns=2), effect("stop")], []),
        ([effect("start")], ["X1: “start” needs mph by colour (RR-C3)"]),
        ([effect("stop", 0, 10, 0)], ["X1: “stop” has no mph by colour (RR-C3)"]),
        ([effect("miss")], [MISS]),
        ([effect("stop", turns=1)], [MISS]),
        ([effect("rough", 10, 10, 15)], ["X1: speeds must be multiples of 10 mph (RR-C3)"]),
        ([effect("rough", 10, 15, 10)], ["X1: speeds must be multiples of 10 mph (RR-C3)"]),
        ([effect("waterproof"), effect("stop")], [ONE_OR_OTHER]),
    ],
)
def test_rr_c3_a_hazard_card_has_each_flaw_with_its_rule(tmp_path: Path, effects: list[Any], flaws: list[str]) -> None:
    assert flaws_of(tmp_path, drawn("." * 8, hazards=[hazard("X1", *effects)])) == flaws


def test_rr_c3_a_kit_card_is_an_advantage_and_each_part_has_its_own_name(tmp_path: Path) -> None:
    card = {"id": "X1", "kind": "driver", "name": "Odd", "effects": [effect("stop")]}
    assert flaws_of(tmp_path, drawn("." * 8, kit=[*plain_kit(), card])) == [ONE_OR_OTHER]
    twice = drawn("." * 8, hazards=[hazard("D1", effect("stop"))])
    assert flaws_of(tmp_path, twice) == ["the component set has the card D1 2 times (RR-C3)"]
    twice = drawn("." * 8)
    twice["rallies"] *= 2
    assert flaws_of(tmp_path, twice) == ["the component set has the rally drawn 2 times (RR-C4)"]
    other = {"id": "X1", "kind": "driver", "name": "Other", "effects": [effect("waterproof")]}
    assert flaws_of(tmp_path, drawn("." * 8, kit=[*plain_kit()[:-1], other])) == [
        "the component set has no decel card (RR-C3)"
    ]


def test_rr_c4_a_rally_is_one_of_the_set_or_of_the_position(tmp_path: Path) -> None:
    made = drawn("." * 13)
    wrong = "the component set has no rally “dakar”, only drawn (RR-C4)"
    assert flaws_of(tmp_path, made, rally="dakar") == [wrong]
    assert flaws_of(tmp_path, made, rally="drawn") == []
    none = {**made, "rallies": []}
    assert flaws_of(tmp_path, none) == ["the component set has no rally: give your own with new --setup (RR-C4)"]
    assert flaws_of(tmp_path, none, position={"rally": rally("A1 M1:W:road")}) == []
    # The flaws of a set come before those of its rally.
    odd = {"rally": rally("A1 Q9:W:road")}
    assert flaws_of(tmp_path, made, position=odd) == ["TC2: the map has no square Q9 (RR-C4)"]
    made["squares"][1]["limit"] = 30
    assert flaws_of(tmp_path, made, position=odd) == ["B1: only a bend has a sign with a limit (RR-C2)"]


def test_rr_v1_only_a_table_has_parts_since_version_3(tmp_path: Path) -> None:
    flaws = ["by internet a rally has one part, not 2: only a game at a table has several (RR-V1)"]
    require(flaws, lambda: begin(tmp_path, drawn("." * 13), mode="internet", parts="2"))
    require([], lambda: begin(tmp_path, drawn("." * 13), mode="internet", parts="2", version=2))
    require([], lambda: begin(tmp_path, drawn("." * 13), mode="internet", parts="1"))


def test_a_table_needs_chequered_squares_and_cards_for_all(tmp_path: Path) -> None:
    driver = {"id": "D2", "kind": "driver", "name": "Other", "effects": [effect("unovertaken")]}
    made = drawn("#" + "." * 12, kit=[*plain_kit(), driver])
    few = [
        f"the component set has too few {kind} cards for 2 crews (RR-K1)"
        for kind in ("navigator", "equipment", "start", "accel", "decel")
    ]
    ends = "a rally at a table needs two chequered squares, for start and finish (RR-L1)"
    laid = "at a table the players lay the route: the position must not have a rally (RR-L1)"
    position = {"rally": rally("A1 M1:W:road")}
    assert flaws_of(tmp_path, made, "red blue", mode="table", position=position) == [*few, ends, laid]
    assert flaws_of(tmp_path, made, "red", mode="table") == [ends]
    seven = flaws_of(tmp_path, drawn("#" + "." * 11 + "#"), "s1 s2 s3 s4 s5 s6 s7", mode="table")
    assert seven[0] == "a table has room for 6 crews, not 7 (RR-H7)"


REGULARITY = "a regularity section needs a speed from 20 to 30 mph, and no other section has one (RR-T4)"


@pytest.mark.parametrize(
    ("controls", "flaws"),
    rows(f"""
A1 F1:W M1:W:road
A1 M1:W:regularity:24
A1 Q99:W:road | TC2: the map has no square Q99 (RR-C4)
A1 M1:N:road | cars can enter TC2 at M1 from W or E, not from N (RR-C4)
A1 M1::road | cars can enter TC2 at M1 from W or E: say from which side (RR-C4)
A1 M1:W:regularity | RTC2: {REGULARITY}
A1 M1:W:road:24 | TC2: {REGULARITY}
A1 F1:W::24 M1:W:road | PC2: {REGULARITY}
A1:E M1:W:road | TC1 is the start: it ends no section and has no side (RR-C4)
A1::road M1:W:road | TC1 is the start: it ends no section and has no side (RR-C4)
A1 M1:W | PC2 is the last control, so it must be a time control (RR-C4)
A1 M1:W:road A1:E:road | two controls are on A1 (RR-C4)
A1 M1:W:road spot Q99 | the map has no square Q99 for a Black Spot (RR-C4)
A1 D1:W M1:W:road spot D2
A1 D1:W M1:W:road spot D1 | the Black Spot on D1 is on the route (RR-L2)
    | no way leads from TC1 to PC2 at D1 from W (RR-L2)
A1 F1:W:road C1:E:road | no way leads from TC2 to TC3 at C1 from E (RR-L2)
A20 N20:W:road | from TC1 to TC2 there are 2 ways of 13 squares: a Black Spot on I20 for the way over H22 or on H22 for
    the way over I20 would settle it (RR-L2)
A20 N20:W:road spot I20
A20 N20:W:road spot H22
A20 N20:W:road spot I20 H22 | no way leads from TC1 to TC2 at N20 from W (RR-L2)
"""),
)
def test_a_rally_has_each_flaw_with_its_rule(tmp_path: Path, controls: str, flaws: list[str]) -> None:
    position = {"rally": rally(*controls.split(" spot "))}
    require(flaws, lambda: begin(tmp_path, ROWS, position=position))


@pytest.mark.parametrize("limit", [0, 5, 45, 110, 200])
def test_rr_c2_the_sign_of_a_bend_is_a_multiple_of_10_since_version_3(tmp_path: Path, limit: int) -> None:
    made = drawn("..b" + "." * 10)
    made["squares"][2]["limit"] = limit
    words = f"C1: the sign of this bend says {limit} mph: write a multiple of 10, from 10 to 100 (RR-C2)"
    assert flaws_of(tmp_path, made) == [words]
    assert flaws_of(tmp_path, made, version=2) == []
    made["squares"][2]["limit"] = 10
    assert flaws_of(tmp_path, made) == []


@pytest.mark.parametrize(("speed", "missed"), [(50, 1), (60, 1), (70, 2)])
def test_rr_f11_in_older_games_a_sign_of_45_costs_a_turn_at_least(tmp_path: Path, speed: int, missed: int) -> None:
    made = drawn("..b" + "." * 10, timing="stage", kit=plain_kit(effect("start", 100)))
    made["squares"][2]["limit"] = 45
    game = begin(tmp_path, made, version=2).apply(f"red: KIT D1 N1 E1 S1 A1 B1\n SPEED {speed}").game
    state = json.loads(game.to_bytes())["state"]
    assert state["crews"][0]["speeds"] == [speed, *[0] * missed]
    assert adj.open(game.to_bytes()).to_bytes() == game.to_bytes()


@pytest.mark.parametrize(("version", "faults"), [(3, ["TC2 entered the wrong way"]), (4, [])])
def test_rr_c2_a_hidden_track_lies_in_the_middle_between_its_ends_since_version_4(
    tmp_path: Path, version: int, faults: list[str]
) -> None:
    """From J10 in column 10, row 10, to M12 in column 13, row 12, it leads east; a rounded middle would be in the south."""
    lanes, controls = ["M1 M12 M14 K14 K10 J10"], "A1 J10:E:road"
    made = drawn("." * 13, lanes=lanes, tracks=["J10 M12"], kit=plain_kit(effect("hidden-track")), controls=controls)
    crew = {"seat": "red", "kit": PLAIN, "trail": ["M1", "M12"], "speed": 10, "speeds": [10]}
    game = begin(tmp_path, made, position={"rally": made["rallies"][0], "seats": [crew]}, version=version)
    game = game.apply("red: SPEED 20 via HT1").game
    assert [one["words"] for one in events(game) if one["kind"] == "faulted"] == faults
    assert [one["control"] for one in events(game) if one["kind"] == "section-ended"] == ["TC2"]
