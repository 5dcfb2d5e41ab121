"""Impossible states: each flaw with its rule and nothing else, and the nearest possible states without any."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from tables import KITS, laid, on

from adjudicator.core.ids import Seat
from adjudicator.game import change
from adjudicator.games.rally_round.components import Control, Side, Timing
from adjudicator.games.rally_round.positions import impossible, normalized
from adjudicator.games.rally_round.state import Announced, Line


def told(drive, *, crew=None, **fields):
    """Return the flaws of the state of ``drive`` with other fields, or with those of the ``crew`` red."""
    config, state = drive.session.config, drive.session.game.state
    state = change(state, **fields)
    state = state if crew is None else state.with_crew(Seat("red"), **crew)
    return [f"{flaw.message} ({flaw.rule})" for flaw in impossible(config, state)]


def line(*speeds, penalty, time=None):
    return Line(speeds=speeds, time=60 * len(speeds) if time is None else time, penalty=penalty)


def end(square, side="W", section="road"):
    return Control(square=square, side=Side(side), section=section and Timing(section))


NO_HAZARD = "the game has no hazard card H9 (RR-C3)"
SETBACK = "red: H2 is a setback, which no crew keeps (RR-F8)"
NO_SQUARE = "the map has no square {} (RR-C1)"
NO_ROAD = "red: no road leads from {} to {} (RR-C1)"
NO_WAY = "no way leads from {} to {} at {} from {} (RR-L2)"


# By internet -------------------------------------------------------------------------------------------------------------

FIRST = line(10, 20, 30, 30, 30, penalty=60)
"""The 12 squares to TC3 in 5 minutes, 1 minute late."""
LAST = line(20, 30, 40, 40, penalty=120)
"""The 13 squares to TC4 in 4 minutes, 1 minute early, which costs 2."""
IN_TIME = line(10, 20, 30, 40, 30, penalty=60)
"""The same in their 5 minutes."""
PENALTY_TO_TC3 = "red: the penalty after TC3 does not follow from the time and 30 marks a fault (RR-P4)"
PENALTY_SINCE = "red: since the last time control, a crew can only have penalties of 30 marks each (RR-P4)"
TIME_TO_TC3 = "red: the time to TC3 does not follow from its 5 turns (RR-P5)"
WRONG_PACK = "red: a crew must have kept or returned exactly the first {} hazard cards, once each (RR-F8)"
NO_KIT = "red: no crew starts without a complete kit (RR-K1)"
NOTHING_TO_DRIVE = "red: a crew that has finished has nothing more to drive (RR-C4)"
LAST_SPEED = "red: a car at 10 mph must have this as the last speed of its sheet (RR-M3)"
ALONE = "red: by internet no car is in another's way, and missed turns pass at once (RR-H4)"
AT_TC3 = {"lines": (FIRST,), "penalty": 60, "trail": ("M1",)}
DONE = {"lines": (FIRST, IN_TIME), "penalty": 60, "trail": ()}


@pytest.fixture(scope="module")
def driver(road, world):
    hazards = [world.hazard("H1", world.effect("waterproof")), world.hazard("H2", world.effect("stop"))]
    return road("." * 26, controls=("A1", "F1 W", "M1 W road", "Z1 W road"), hazards=hazards)


@pytest.mark.parametrize(
    ("crew", "flaws"),
    [
        ({}, []),
        ({"kit": ("D1", "X7")}, ["red: the game has no kit card X7 (RR-C3)"]),
        ({"kit": ("D1", "D1", "N1")}, ["red: a kit has only one driver card (RR-K1)"]),
        ({"kit": ("D1",)}, []),
        ({"kit": (), "speeds": (10,)}, [NO_KIT]),
        ({"kit": (), "trail": ("A1", "B1")}, [NO_KIT]),
        ({**AT_TC3, "kit": ()}, [NO_KIT]),
        ({"drawn": 1, "held": ("H1",)}, []),
        ({"drawn": 2, "held": ("H1",), "returned": ("H2",)}, []),
        ({"drawn": 2, "returned": ("H2", "H1")}, []),
        ({"drawn": 3}, ["red: the pack has 2 hazard cards, so a crew cannot have drawn 3 (RR-F8)"]),
        ({"drawn": 2, "returned": ("H2",)}, [WRONG_PACK.format(2)]),
        ({"drawn": 1, "returned": ("H2",)}, [WRONG_PACK.format(1)]),
        ({"drawn": 1, "held": ("H1",), "returned": ("H1",)}, [WRONG_PACK.format(1)]),
        ({"drawn": 2, "held": ("H1", "H2")}, [SETBACK]),
        (AT_TC3, []),
        ({**AT_TC3, "penalty": 1860}, []),
        ({**AT_TC3, "lines": (change(FIRST, penalty=1860),), "penalty": 1860}, []),
        ({**AT_TC3, "lines": (change(FIRST, penalty=61),), "penalty": 61}, [PENALTY_TO_TC3]),
        ({**AT_TC3, "lines": (change(FIRST, penalty=0),), "penalty": 0}, [PENALTY_TO_TC3]),
        ({**AT_TC3, "lines": (change(FIRST, time=301, penalty=61),), "penalty": 61}, [TIME_TO_TC3]),
        ({**AT_TC3, "lines": (change(FIRST, time=0, penalty=480),), "penalty": 480}, [TIME_TO_TC3]),
        ({**AT_TC3, "penalty": 61}, [PENALTY_SINCE]),
        ({**AT_TC3, "penalty": 30}, [PENALTY_SINCE]),
        ({"penalty": 1800}, []),
        ({"penalty": 60}, [PENALTY_SINCE]),
        (
            {"speeds": (10, 25, 15)},
            ["red: 15 mph is not a multiple of 10 (RR-M1)", "red: 25 mph is not a multiple of 10 (RR-M1)"],
        ),
        (
            {**AT_TC3, "lines": (change(FIRST, speeds=(10, 20, 35, 25, 30)),)},
            ["red: 25 mph is not a multiple of 10 (RR-M1)", "red: 35 mph is not a multiple of 10 (RR-M1)"],
        ),
        (DONE, []),
        ({**DONE, "lines": (FIRST, change(LAST, penalty=180)), "penalty": 180}, []),
        (
            {**DONE, "lines": (FIRST, LAST), "penalty": 120},
            ["red: the penalty after TC4 does not follow from the time and 30 marks a fault (RR-P4)"],
        ),
        ({**DONE, "penalty": 1860}, ["red: after the finish the penalty cannot grow (RR-P4)"]),
        ({**DONE, "lines": (FIRST, IN_TIME, IN_TIME)}, ["red: the rally has 2 sections (RR-C4)"]),
        ({**DONE, "trail": ("Z1",)}, [NOTHING_TO_DRIVE]),
        ({**DONE, "speed": 10}, [NOTHING_TO_DRIVE]),
        ({**DONE, "speeds": (10,)}, [NOTHING_TO_DRIVE]),
        ({**DONE, "met": 1}, [NOTHING_TO_DRIVE]),
        ({**DONE, "out": "retired"}, ["red: a crew that has finished cannot be out of the rally (RR-R1)"]),
        ({"trail": ("A1", "Q9", "R9")}, ["red: " + NO_SQUARE.format("Q9"), "red: " + NO_SQUARE.format("R9")]),
        ({"trail": ()}, ["red: the car has no place (RR-C1)"]),
        ({"trail": (), "out": "retired"}, []),
        (
            {"trail": ("A1", "C1", "D1", "F1")},
            [NO_ROAD.format("A1", "C1"), NO_ROAD.format("D1", "F1")],
        ),
        ({"trail": ("L1", "M1")}, ["red: a crew that has reached TC3 has finished the section (RR-H2)"]),
        ({"met": 1}, []),
        ({"met": 2}, ["red: only 1 PCs come before TC3 (RR-H2)"]),
        ({"faulted": ("TC1", "PC2", "TC3")}, []),
        (
            {"faulted": ("PC9", "TC4")},
            ["red: PC9 is not a control of this section (RR-H2)", "red: TC4 is not a control of this section (RR-H2)"],
        ),
        ({"speed": 10, "speeds": (20, 10)}, []),
        ({"speed": 10}, [LAST_SPEED]),
        ({"speed": 10, "speeds": (10, 20)}, [LAST_SPEED]),
        ({"lost": 1}, [ALONE]),
        ({"is_off": True}, [ALONE]),
        ({"arrived": 1}, [ALONE]),
        ({"totals": (0,)}, [ALONE]),
        ({"is_asking": True}, [ALONE]),
        ({"guarded": 1}, [ALONE]),
        ({"is_blocking": False}, [ALONE]),
    ],
)
def test_a_crew_by_internet_has_each_flaw_with_its_rule(driver, crew, flaws):
    assert told(driver, crew=crew) == flaws


@pytest.mark.parametrize(
    "fields",
    [
        {"order": ("red",)},
        {"controls": (Control(square="A1"),)},
        {"black_spots": ("B1",)},
        {"finish": "Z1"},
        {"queue": ("red",)},
        {"returned": ("H1",)},
        {"own": "red"},
        {"announced": Announced(mover="red", by="red", speed=10)},
    ],
)
def test_rr_m5_by_internet_nothing_of_a_table_is_possible(driver, fields):
    assert told(driver, **fields) == ["a rally by internet has no table: no order, no markers, no minutes (RR-M5)"]


@pytest.mark.parametrize("fields", [{"laid": 1}, {"minute": 1}, {"part": 2}, {"squares": (3,)}])
def test_rr_h8_by_internet_there_is_only_one_part_and_no_laid_route(driver, fields):
    assert told(driver, **fields) == ["a rally by internet has no table: no laid route, and only one part (RR-H8)"]


# At a table, with the route laid -----------------------------------------------------------------------------------------

ON_ROUTE = (Control(square="A1"), end("M1"), end("Z1"))
ORDER = "the order of starting must name each crew once: red and blue (RR-H7)"
QUEUE = "the queue of a minute must name crews of this rally, each once (RR-M5)"
OWN = "only a competitive solo has an own crew, and it must be a crew of this rally (RR-V1)"
TWO_ENDS = "the finish needs a start on another square (RR-L1)"
NO_FINISH = "other markers need a finish (RR-L1)"
FINISH_LAST = "the finish must be the last control (RR-L4)"
STAGES = "only a stage rally has stages, and it has nothing else (RR-T6)"
ANSWER = "a move can wait for another crew's answer only in its own crew's turn (RR-O1)"
SPEED_OF_MOVE = "the waiting move is not legal (RR-M1)"
NO_TOTALS = "{} needs a total after each section of the earlier parts (RR-V1)"
MISSES = "red misses turns, so its speed must be 0 after a turn in this section (RR-P5)"
NOTHING_TO_MISS = "red has nothing more to drive, and no turn to miss (RR-M5)"
OFF = "red is off the road, and has no turn to miss (RR-F11)"
NO_CARD = "red has no card to block with (RR-O1)"
ONE_PACK = "red: at a table there is one pack for all (RR-F8)"


def announced(mover="red", by="blue", speed=10, **more):
    return Announced(mover=Seat(mover), by=Seat(by), speed=speed, **more)


@pytest.fixture
def table(at_table, world):
    """Red comes up behind blue, which has a card against being overtaken, in the first of two parts."""
    crews = {"red": on("A1 B1 C1", 20), "blue": on("A1 B1 C1 D1 E1", 20)}
    hazards = [world.hazard("H1", world.effect("waterproof")), world.hazard("H2", world.effect("stop"))]
    effects = (world.effect("unovertaken"),)
    return at_table(crews=crews, tcs=("M1", "Z1"), hazards=hazards, effects=effects, parts="2")


@pytest.mark.parametrize(
    ("fields", "flaws"),
    [
        ({}, []),
        ({"order": ("red",), "queue": ("red",)}, [ORDER]),
        ({"order": ("red", "red"), "queue": ("red",)}, [ORDER]),
        ({"queue": ("red", "red")}, [QUEUE]),
        ({"queue": ("green",)}, [QUEUE]),
        ({"order": (), "queue": ()}, ["players lay no markers before chance draws the cars (RR-H7)"]),
        ({"part": 2}, []),
        ({"part": 3}, ["the rally has 2 parts (RR-V1)"]),
        (
            {"part": 2, "controls": (), "finish": None, "queue": ()},
            ["a later part must start at the finish of the part before (RR-V1)"],
        ),
        ({"own": "red"}, [OWN]),
        ({"controls": (Control(square="Q9"),)}, [NO_SQUARE.format("Q9")]),
        ({"black_spots": ("Q9",), "finish": "R9"}, [NO_SQUARE.format("Q9"), NO_SQUARE.format("R9")]),
        ({"black_spots": ("M1",)}, ["there are 2 markers on M1 (RR-L3)"]),
        ({"black_spots": ("F1", "F1")}, ["there are 2 markers on F1 (RR-L3)"]),
        ({"finish": "A1"}, [TWO_ENDS]),
        ({"controls": ()}, [TWO_ENDS]),
        ({"finish": None}, [NO_FINISH]),
        ({"finish": None, "controls": ON_ROUTE[:1], "black_spots": ("B1",)}, [NO_FINISH]),
        ({"finish": "Y1"}, ["Y1 is not chequered, as start and finish must be (RR-L1)"]),
        ({"controls": (Control(square="B1"), *ON_ROUTE[1:])}, ["B1 is not chequered, as start and finish must be (RR-L1)"]),
        (
            {"controls": (ON_ROUTE[0], ON_ROUTE[2], end("Y1", "E"))},
            [FINISH_LAST, NO_WAY.format("TC2", "TC3", "Y1", "E")],
        ),
        ({"controls": ON_ROUTE[:2], "black_spots": ("Z1",)}, [FINISH_LAST]),
        ({"controls": (*ON_ROUTE[:2], end("Z1", section=None))}, ["the finish must be a time control (RR-L4)"]),
        ({"controls": (*ON_ROUTE[:2], end("Z1", section="stage"))}, [STAGES]),
        ({"controls": (ON_ROUTE[0], end("M1", section="stage"), ON_ROUTE[2])}, [STAGES]),
        ({"controls": (*ON_ROUTE[:2], end("Z1", "E"))}, ["cars can enter TC3 at Z1 from W, not from E (RR-C4)"]),
        ({"black_spots": ("B1",)}, [NO_WAY.format("TC1", "TC2", "M1", "W")]),
        ({"returned": ("H1", "H2")}, []),
        ({"returned": ("H9",)}, [NO_HAZARD]),
        ({"returned": ("H1", "H1")}, ["H1 is in 2 places (RR-F8)"]),
        ({"minute": 1, "queue": ("red",)}, ["blue starts after minute 1 (RR-M5)"]),
        ({"minute": 2}, []),
        ({"announced": announced()}, []),
        ({"announced": announced(lands="behind")}, []),
        ({"announced": announced("blue", "red")}, [ANSWER]),
        ({"announced": announced("red", "red")}, [ANSWER]),
        ({"announced": announced("red", "green")}, [ANSWER]),
        ({"announced": announced(speed=15)}, [SPEED_OF_MOVE]),
        ({"announced": announced(lands="beside")}, [SPEED_OF_MOVE]),
        ({"announced": announced(using="H1")}, ["red does not keep H1 (RR-F8)"]),
        ({"squares": (12,)}, [NO_TOTALS.format("red"), NO_TOTALS.format("blue")]),
    ],
)
def test_a_table_has_each_flaw_with_its_rule(table, fields, flaws):
    assert told(table, **fields) == flaws


@pytest.mark.parametrize(
    ("crew", "flaws"),
    [
        ({"kit": ()}, ["no crew starts before all kits are complete (RR-K1)", NO_KIT]),
        ({"kit": ("D2", *KITS["red"][1:])}, ["D2 is in 2 kits (RR-K1)"]),
        ({"held": ("H1",)}, []),
        ({"held": ("H2",)}, [SETBACK]),
        ({"held": ("H9",)}, [NO_HAZARD]),
        ({"held": ("H1", "H1")}, ["H1 is in 2 places (RR-F8)"]),
        ({"drawn": 1}, [ONE_PACK]),
        ({"returned": ("H1",)}, [ONE_PACK]),
        ({"lost": 1, "speed": 0}, []),
        ({"lost": 1}, [MISSES]),
        ({"lost": 1, "speed": 0, "speeds": ()}, [MISSES]),
        ({"is_off": True, "lost": 1, "speed": 0}, []),
        ({"is_off": True, "speed": 0, "speeds": (20, 0)}, []),
        ({"is_off": True, "speed": 0}, [OFF]),
        ({"guarded": 9}, []),
        ({"guarded": 10}, ["red has used no card since minute 9 (RR-O1)"]),
        ({"is_asking": True}, [NO_CARD]),
        ({"is_blocking": False}, [NO_CARD]),
        ({"totals": (0,)}, [NO_TOTALS.format("red")]),
        ({"out": "retired", "lost": 1, "speed": 0}, [NOTHING_TO_MISS]),
        ({"trail": ("A1", "B1", "C1", "D1", "E1")}, ["2 cars are on E1, which has room for one (RR-O1)"]),
        ({"trail": ("A1", "B1", "C1", "D1", "E1"), "is_off": True, "lost": 1, "speed": 0}, []),
        ({"trail": ("A1", "B1", "C1", "D1", "E1"), "speeds": (0, 20)}, []),
    ],
)
def test_a_crew_at_a_table_has_each_flaw_with_its_rule(table, crew, flaws):
    assert told(table, crew=crew, queue=()) == flaws


def test_rr_m5_no_crew_that_is_out_or_off_its_minutes_has_a_turn(table):
    assert told(table, crew={"out": "retired"}, queue=("red",)) == [NOTHING_TO_MISS]
    assert told(table, order=("blue", "red"), minute=1, queue=("red",)) == ["red starts after minute 1 (RR-M5)"] * 2


def test_rr_v1_totals_of_earlier_parts_only_grow(table):
    earlier = {"squares": (12, 13), "queue": ()}
    state = table.session.game.state.with_crew(Seat("blue"), totals=(0, 60), penalty=60)
    table.session = table.session.with_game(change(table.session.game, state=state))
    assert told(table, crew={"totals": (60, 120), "penalty": 120}, **earlier) == []
    assert told(table, crew={"totals": (60,), "out": "retired", "penalty": 60}, **earlier) == []
    assert told(table, crew={"totals": (60,), "penalty": 60}, **earlier) == [NO_TOTALS.format("red")]
    less = ["red cannot have less penalty than before (RR-P4)"]
    assert told(table, crew={"totals": (120, 60), "penalty": 60}, **earlier) == less
    assert told(table, crew={"totals": (60, 120), "penalty": 60}, **earlier) == [*less, PENALTY_SINCE]


def test_rr_o1_two_cars_may_be_on_one_control_but_not_beside_it(table):
    state = table.session.game.state
    for squares, flaws in (("M1", []), ("M1 N1", ["2 cars are on N1, which has room for one (RR-O1)"])):
        at = {"trail": tuple(squares.split()), "lines": (FIRST,), "penalty": 60, "speed": 0, "speeds": ()}
        table.session = table.session.with_game(change(table.session.game, state=state.with_crew(Seat("blue"), **at)))
        assert told(table, crew=at, queue=()) == flaws


# At a table, before the start --------------------------------------------------------------------------------------------


@pytest.fixture
def laying(at_table):
    return laid(at_table(solo="competitive", hazards=()), "START at A1", "FINISH at Z1")


NOT_BEGUN = "no crew drives before the route is complete (RR-L4)"
AT_START = "red: all cars must be at the start until the route is complete (RR-L1)"


@pytest.mark.parametrize(
    ("crew", "flaws"),
    [
        ({}, []),
        ({"trail": ("Z1",)}, [AT_START]),
        ({"trail": ()}, [AT_START]),
        ({"trail": (), "out": "retired"}, []),
        ({"speed": 10}, [f"red: {NOT_BEGUN}"]),
        ({"met": 1}, [f"red: {NOT_BEGUN}"]),
        ({"faulted": ("TC1",)}, [f"red: {NOT_BEGUN}"]),
        ({"is_off": True}, [OFF, f"red: {NOT_BEGUN}"]),
    ],
)
def test_rr_l4_no_crew_drives_before_the_route_is_complete(laying, crew, flaws):
    assert told(laying, crew=crew) == flaws


@pytest.mark.parametrize(
    ("fields", "crew"),
    [
        ({"queue": ("red",)}, {}),
        ({"minute": 1}, {}),
        ({}, {"lines": (IN_TIME,)}),
        ({}, {"speeds": (0,)}),
        ({}, {"lost": 1}),
    ],
)
def test_rr_l4_no_minute_begins_before_the_route_is_complete(laying, fields, crew):
    assert told(laying, crew=crew, **fields)[0] == NOT_BEGUN


def test_rr_v1_a_lone_player_chooses_one_of_the_crews_before_the_start(laying):
    assert told(laying, own="blue") == []
    assert told(laying, own="green") == [OWN]
    laid(laying, "PLACE TC2 at Z1 from W")
    assert told(laying) == []
    late = ["a lone player must choose its own crew before the start (RR-V1)"]
    assert told(laying, minute=1) == late
    assert told(laying, minute=1, crew={"speeds": (10,)}, order=("red", "blue")) == late
    assert told(laying, minute=1, own="red") == []


def test_rr_t6_a_stage_rally_has_only_stages(at_table):
    drive = laid(at_table(kind="stage"), "START at A1", "FINISH at Z1")
    controls = drive.session.game.state.controls
    assert told(drive, controls=(*controls, end("M1", section="stage"))) == []
    assert told(drive, controls=(*controls, end("M1", section=None))) == []
    assert told(drive, controls=(*controls, end("M1"))) == [STAGES]


# What an amendment puts right itself ---------------------------------------------------------------------------------------


def test_rr_r1_a_crew_that_is_out_leaves_the_queue_the_road_and_the_question(table):
    config, state = table.session.config, table.session.game.state
    out = state.with_crew(Seat("red"), out="retired", lost=2, is_off=True, speed=0, trail=())
    for waiting in (announced("red", "blue"), announced("blue", "red")):
        after = normalized(config, change(out, queue=("red", "blue"), announced=waiting))
        assert (after.queue, after.announced) == (("blue",), None)
        assert (after.crew("red").lost, after.crew("red").is_off, after.crew("red").trail) == (0, False, ())
    after = normalized(config, change(state, announced=announced()))
    assert (after.queue, after.announced) == (state.queue, announced())


def test_rr_c1_a_crew_without_a_place_starts_at_the_control_of_its_section(table):
    config, state = table.session.config, table.session.game.state
    state = state.with_crew(Seat("red"), trail=(), lines=(IN_TIME,), lost=1, is_off=True)
    crew = normalized(config, state).crew("red")
    assert (crew.trail, crew.lost, crew.is_off) == (("M1",), 1, True)
    broken = change(state, black_spots=("B1",))  # a route that is unknown shows no place
    assert normalized(config, broken) == broken
