"""What later versions of the rules decide otherwise, and that older games go on as they began."""

import sys
from pathlib import Path

import pytest

from adjudicator.core.problem import SetupError
from adjudicator.corrections.correct import amend
from adjudicator.games.rally_round.laying import Place
from adjudicator.games.rally_round.state import Line
from adjudicator.games.rally_round.turns import Speed

sys.path.insert(0, str(Path(__file__).parent))

from tables import due, laid, on

both = pytest.mark.parametrize("version", [1, 2])
IN_TIME = Line(speeds=(30, 30, 30, 30), time=240, penalty=0)
"""A road section of 12 squares in its 4 minutes."""


def told(drive, words):
    return any(words in one for one in drive.told)


def drawn(drive):
    rules, config, state = drive.session.rules, drive.session.config, drive.session.game.state
    return rules.draw(config, rules.view(config, state, None))


@pytest.fixture
def jam(at_table, world):
    """Red comes up behind green, which may be overtaken, and blue right ahead of it, which may not."""

    def begin(version, blue="A1 B1 C1 D1 E1 F1", green="A1 B1 C1 D1 E1", **more):
        crews = {
            "red": on("A1 B1", 20),
            "blue": on(blue, 10, **more),
            "green": on(green, 10, is_blocking=False),
        }
        return at_table(crews=crews, queue=("red",), effects=(world.effect("unovertaken"),), version=version)

    return begin


@both
def test_rr_o1_nobody_jumps_a_car_that_may_not_be_overtaken(jam, version):
    drive = jam(version).take("SPEED 30")
    assert drive.at == {1: "G1", 2: "D1"}[version]
    assert drive.crew().speed == 30
    assert told(drive, "red cannot overtake blue, and stays behind on D1") is (version == 2)


@both
def test_rr_o1_who_is_to_be_asked_is_asked_by_a_jump_as_well(jam, version):
    drive = jam(version, is_asking=True).take("SPEED 30")
    assert told(drive, "red announces 30 mph, and blue must say whether it blocks") is (version == 2)
    if version == 2:
        assert jam(2, is_asking=True).take("SPEED 30").take("BLOCK yes", "blue").at == "D1"
        assert drive.take("BLOCK no", "blue").at == "G1"


def test_rr_o1_a_move_that_falls_back_passes_nobody(jam):
    drive = jam(2).take("SPEED 30 behind")
    assert (drive.at, told(drive, "cannot overtake")) == ("D1", False)


@pytest.fixture
def at_passage(at_table, world):
    """Red comes up behind blue, which stands on the passage control E1 and lets nobody overtake."""

    def begin(version, **more):
        crews = {"red": on("A1 B1", 50), "blue": on("A1 B1 C1 D1 E1", 0, (40,), met=1, **more)}
        effects = (world.effect("unovertaken"),)
        return at_table(crews=crews, queue=("red",), pcs=("E1",), effects=effects, version=version)

    return begin


@both
def test_rr_o1_a_car_on_a_passage_control_blocks_like_any_other(at_passage, version):
    drive = at_passage(version).take("SPEED 50")
    assert drive.at == {1: "G1", 2: "D1"}[version]
    assert told(drive, "red cannot overtake blue") is (version == 2)


@both
def test_rr_o1_on_a_passage_control_a_move_can_end_beside_a_car_that_blocks(at_table, world, version):
    crews = {"red": on("A1 B1", 30), "blue": on("A1 B1 C1 D1 E1", 0, (40,), met=1)}
    effects = (world.effect("unovertaken"),)
    drive = at_table(crews=crews, queue=("red",), pcs=("E1",), effects=effects, version=version).take("SPEED 30")
    assert (drive.at, drive.crew().met, drive.crew().penalty) == ("E1", 1, 0)


def test_rr_o1_the_one_who_blocks_on_a_control_is_named_and_asked(at_table, world):
    """Blue stands there as well, and would let red pass: it is green that is asked, and that holds red."""
    crews = {
        "red": on("A1 B1", 50),
        "blue": on("A1 B1 C1 D1 E1", 0, (40,), met=1, is_blocking=False),
        "green": on("A1 B1 C1 D1 E1", 0, (40,), met=1, is_asking=True),
    }
    effects = (world.effect("unovertaken"),)
    drive = at_table(crews=crews, queue=("red",), pcs=("E1",), effects=effects).take("SPEED 50")
    assert told(drive, "green must say whether it blocks")
    assert told(drive.take("BLOCK yes", "green"), "red cannot overtake green, and stays behind on D1")


@both
def test_rr_h4_a_car_off_the_road_is_in_nobody_s_way_until_it_drives_on(at_table, version):
    crews = {"red": on("A1 B1 C1 D1", 0, (50,), lost=1, is_off=True), "blue": on("A1 B1", 20)}
    drive = at_table("#..b" + "." * 21 + "#", crews=crews, queue=("red", "blue"), version=version).take("SPEED 20", "blue")
    assert drive.crew("blue").trail[-1] == {1: "E1", 2: "D1"}[version]
    assert drive.crew().is_off is (version == 2)
    while due(drive) != "red":
        drive.take("SPEED 20", due(drive))
    amend(drive.session, ["crews[red].penalty=1800"], "a fault was overlooked")
    drive.take("SPEED 10")
    assert (drive.crew().is_off, drive.at) == (False, "E1")


def test_rr_h4_a_car_off_the_road_stays_off_it_while_it_does_not_start(at_table):
    crews = {"red": on("A1 B1 C1 D1", 0, (50, 0), is_off=True), "blue": on("A1 B1", 20)}
    drive = at_table(crews=crews, queue=("red", "blue")).take("SPEED 90").take("SPEED 20", "blue")
    assert (drive.crew().is_off, drive.crew("blue").trail[-1]) == (True, "D1")
    crews = next(shape for shape in drawn(drive).shapes if getattr(shape, "title", "") == "Crews")
    assert [row[3] for row in crews.rows] == ["off the road", "20"]


@pytest.mark.parametrize(("version", "speeds"), [(1, (50, 0)), (2, (50, 0, 20))])
def test_rr_f11_nobody_is_off_the_road_without_a_reason(at_table, version, speeds):
    crews = {"red": on("A1 B1", 0, speeds, is_off=True), "blue": on("A1 B1 C1", 20)}
    with pytest.raises(SetupError, match="off the road"):
        at_table(crews=crews, version=version)


def test_rr_o1_nobody_has_used_a_card_in_a_minute_to_come(at_table):
    crews = {"red": on("A1 B1", 20, guarded=10), "blue": on("A1 B1 C1", 20)}
    with pytest.raises(SetupError, match="since minute 9"):
        at_table(crews=crews)


@both
@pytest.mark.parametrize(
    ("ahead", "by_version"),
    [("F1", {1: "E1", 2: "G1"}), ("G1", {1: "F1", 2: "F1"}), ("", {1: "G1", 2: "G1"})],
)
def test_rr_h4_a_double_roll_passes_a_taken_square_and_ends_on_a_free_one(at_table, version, ahead, by_version):
    path = "A1 B1 C1 D1 E1 F1 G1 H1"
    blue = path[: path.index(ahead) + 2] if ahead else path
    crews = {"red": on("A1 B1 C1", 20), "blue": on(blue, 20)}
    drive = at_table("#...}" + "." * 20 + "#", crews=crews, queue=("red",), version=version).take("SPEED 20")
    assert drive.at == by_version[version]


def test_rr_h4_a_double_roll_ends_before_two_taken_squares(at_table):
    crews = {
        "red": on("A1 B1 C1", 20),
        "blue": on("A1 B1 C1 D1 E1 F1", 20),
        "green": on("A1 B1 C1 D1 E1 F1 G1", 20),
    }
    assert at_table("#...}" + "." * 20 + "#", crews=crews, queue=("red",)).take("SPEED 20").at == "E1"


@both
def test_rr_m5_who_came_first_to_a_control_and_stays_there_goes_first(at_table, version):
    crews = {"red": on("A1", 0, (0,), arrived=6), "blue": on("A1", 0, (0,), arrived=5)}
    drive = at_table(crews=crews, queue=("blue",), version=version).take("SPEED 90", "blue")
    assert drive.told[0].startswith("90 mph is illegal for blue")
    assert drive.session.game.state.queue == {1: ("red", "blue"), 2: ("blue", "red")}[version]


@both
def test_rr_m5_a_car_that_rolled_back_over_the_start_of_its_section_is_on_the_route(at_table, version):
    crews = {"red": on("L1", 0, lines=(IN_TIME,)), "blue": on("A1 B1 C1", 10)}
    drive = at_table(tcs=("M1", "Z1"), crews=crews, queue=("blue",), version=version).take("SPEED 10", "blue")
    assert drive.session.game.state.queue == {1: ("blue", "red"), 2: ("red", "blue")}[version]


@both
@pytest.mark.parametrize("timing", ["road", "stage"])
def test_rr_m2_a_car_that_rolled_back_onto_a_time_control_starts_anew(road, version, timing):
    drive = road("#<" + "." * 12, timing=timing, version=version).take("SPEED 10")
    assert (drive.at, drive.why) == ("A1", [(1800, "RR-F9")])
    assert drive.crew().speed == {1: 10, 2: 0}[version]


@both
@pytest.mark.parametrize(("timing", "speeds"), [("road", {1: 10, 2: 0}), ("stage", {1: 10, 2: 10})])
def test_rr_m2_a_car_that_rolled_back_onto_a_passage_control_starts_anew_except_in_a_stage(road, version, timing, speeds):
    drive = road("#....<" + "." * 10, controls=("A1", "E1 W", f"P1 W {timing}"), version=version)
    drive.take("SPEED 10 20 10 10")
    assert (drive.at, drive.crew().speed, drive.crew().penalty) == ("E1", speeds[version], 1800)


@both
def test_rr_m2_a_car_that_ends_again_on_a_control_already_met_starts_anew(road, version):
    drive = road("." * 14, controls=("A1", "E1 W", "N1 W road"), version=version).take("SPEED 10 20 10 10")
    drive.take("TURN ROUND\nSPEED 10 via E1")
    assert (drive.at, drive.crew().speed) == ("E1", {1: 10, 2: 0}[version])


@both
def test_rr_m2_a_car_that_is_held_on_a_control_starts_anew(at_table, world, version):
    crews = {"red": on("A1 B1 C1 D1 E1", 0, (40,), met=1), "blue": on("A1 B1 C1 D1 E1 F1", 10)}
    effects = (world.effect("unovertaken"),)
    drive = at_table(crews=crews, queue=("red",), pcs=("E1",), effects=effects, version=version).take("SPEED 10")
    assert (drive.at, drive.crew().speed) == ("E1", {1: 10, 2: 0}[version])


def test_rr_m2_a_card_for_passage_controls_is_good_for_a_roll_as_well(road, with_card, world):
    kit = with_card(world.effect("passage"))
    drive = road("#....<" + "." * 10, controls=("A1", "E1 W", "P1 W road"), kit=kit).take("SPEED 10 20 20")
    assert (drive.at, drive.crew().speed) == ("E1", 20)


@both
def test_rr_m6_a_car_may_leave_a_passage_control_in_any_direction(road, version):
    drive = road("." * 14, controls=("A1", "E1 W", "N1 W road"), version=version).take("SPEED 10 20 10")
    assert drive.at == "E1"
    if version == 1:
        assert drive.give("SPEED 10 via D1") == ["no-way"]
    else:
        assert drive.take("SPEED 10 via D1").at == "D1"


def test_rr_m6_a_way_leads_from_one_hidden_track_to_another(road, with_card, world):
    tracks, kit = ["C1 H1", "H1 M1", "J1 P1"], with_card(world.effect("hidden-track"), world.effect("start", 30, 30, 30))
    begin = {"tracks": tracks, "kit": kit}
    drive = road("." * 20, **begin).take("SPEED 20").take("SPEED 30 via HT1 via HT2")
    assert drive.crew().trail[-3:] == ("HT1", "H1", "HT2")
    drive = road("." * 20, **begin).take("SPEED 20\nSPEED 10 via HT1").take("SPEED 20 via path 2")
    assert drive.crew().trail[-3:] == ("HT1", "H1", "HT2")
    drive = road("." * 20, **begin).take("SPEED 20\nSPEED 10 via HT1")
    assert drive.give("SPEED 20 via HT1") == ["no-way"]
    drive = road("." * 20, **begin).take("SPEED 20").take("SPEED 30 via HT1 via HT3")
    assert drive.crew().trail[-3:] == ("HT1", "H1", "I1")
    assert road("." * 20, **begin, version=1).take("SPEED 20").give("SPEED 30 via HT1 via HT2") == ["no-way"]


@pytest.fixture
def guarded(at_table, world):
    """Red uses a hazard card against being overtaken, and blue comes up behind it at 50 mph."""

    def begin(version, card="unovertaken"):
        crews = {"red": on("A1 B1 C1 D1", 10, held=("H1",)), "blue": on("A1 B1 C1", 50)}
        cards = (world.hazard("H1", world.effect(card)),)
        return at_table(crews=crews, queue=("red", "blue"), hazards=cards, version=version).take("SPEED 10 using H1")

    return begin


@both
def test_rr_o1_a_hazard_card_in_use_lets_nobody_overtake(guarded, version):
    drive = guarded(version).take("SPEED 50", "blue")
    assert drive.crew("blue").trail[-1] == {1: "H1", 2: "D1"}[version]
    assert told(drive, "blue cannot overtake red, and stays behind on D1") is (version == 2)


def test_rr_o1_a_hazard_card_against_being_overtaken_lasts_until_the_next_turn(guarded):
    drive = guarded(2).take("SPEED 50", "blue")
    assert (due(drive), drive.crew().guarded, drive.session.game.state.minute) == ("red", 9, 10)
    drive.take("SPEED 10").take("SPEED 50", "blue")
    assert drive.crew("blue").trail[-1] == "I1"
    assert guarded(2, "waterproof").take("SPEED 50", "blue").crew("blue").trail[-1] == "H1"


WRONG = [
    ("PLACE TC at K1 from W", "K1 is 10 squares from TC1: 12 at least", "RR-L3"),
    ("PLACE PC at C1 from W", "C1 is 2 squares from TC1: 3 at least", "RR-L3"),
    ("PLACE TC at M1 from E", "no way is left to M1 from E", "RR-L2"),
    ("PLACE BLACKSPOT at M1", "no way would be left to the finish", "RR-L4"),
]


@pytest.mark.parametrize(("line", "why", "rule"), WRONG)
def test_rr_l3_a_wrong_marker_loses_the_turn(at_table, line, why, rule):
    drive = laid(at_table(), "START at A1", "FINISH at Z1")
    before, seat = drive.session.game.state, due(drive)
    (cost,) = drive.session.rules.cost_if_legal(drive.session.config, before, seat, _read(line))
    assert (cost.amount, cost.what, cost.rule) == (0, f"a wrong marker, which loses the turn: {why}", rule)
    laid(drive, line)
    assert drive.told == [f"{seat} loses the turn because the marker on {line.split()[3]} is wrong: {why} ({rule})"]
    after = drive.session.game.state
    assert (after.controls, after.black_spots, after.laid) == (before.controls, before.black_spots, before.laid + 1)
    assert due(drive) != seat


def _read(line):
    _, what, _, square, *side = line.split()
    return Place(what.lower(), square, side[1] if side else None)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("PLACE TC7 at M1 from W", "wrong-number"),
        ("PLACE TC at M1 from N", "wrong-side"),
        ("PLACE PC at Q9", "no-such-square"),
    ],
)
def test_rr_l3_what_is_no_marker_at_all_is_refused(at_table, line, code):
    drive = laid(at_table(), "START at A1", "FINISH at Z1")
    assert drive.give(line, due(drive)) == [code]


def test_rr_l3_a_game_of_version_1_refuses_wrong_markers(at_table):
    drive = laid(at_table(version=1), "START at A1", "FINISH at Z1")
    assert "wrong-marker" not in drive.session.game.setup.options
    assert drive.give(WRONG[0][0], due(drive)) == ["wrong-marker"]


def test_rr_m6_messages_name_squares_and_roads_as_the_map_does(road, world):
    drive = road("." * 14, lanes=["G1 G2 H2"]).take("SPEED 10 20")
    assert drive.give("SPEED 20 via b1") == ["no-way"]
    assert " to B1 " in drive.diagnostics[0].problem.message
    drive = road("." * 14, lanes=["D1 D2"]).take("SPEED 10 20")
    drive.take("SPEED 10 via lane 1")
    assert drive.give("SPEED 10 via main road") == ["no-way"]
    assert drive.diagnostics[0].problem.message == "no way leads from D2 to Main Road without turning round"


@pytest.mark.parametrize("effect", ["hidden-track", "waterproof"])
def test_rr_m6_where_no_way_leads_but_over_a_hidden_track_that_is_suggested(road, with_card, world, effect):
    drive = road("." * 20, tracks=["D1 B1"], kit=with_card(world.effect(effect))).take("SPEED 10 20")
    assert drive.give("SPEED 20 via b1") == ["no-way"]
    needs = ", with a card for hidden tracks" if effect == "waterproof" else ""
    problem = drive.diagnostics[0].problem
    assert problem.message == f"no way leads from D1 to B1 without turning round; HT1 leads there{needs}"
    assert problem.suggestions == ("HT1", "TURN ROUND")


def test_rr_k1_a_kit_sent_again_is_told_which_card_is_taken_and_which_are_free(at_table):
    drive = laid(at_table(), "START at A1", "FINISH at Z1", "PLACE TC2 at Z1 from W")
    first, last = drive.session.game.state.order
    drive.take("PICK D1", last).take("PICK N1", first)
    assert drive.give("KIT D1 N1 E1 S1 A1 B1", last) == ["card-taken"]
    problem = drive.diagnostics[0].problem
    assert (problem.message, problem.part) == (f"{first} has taken N1: choose N2 or N3", "card:1")
    assert problem.suggestions == ("N2", "N3")
    assert drive.give("KIT D1 N2 E1 S1 A1 B1", last) == ["one-of-a-kind"]
    problem = drive.diagnostics[0].problem
    assert problem.message.startswith("your kit already has D1; it still needs a navigator card, an equipment card")
    assert problem.suggestions == ("N2", "E1", "S1", "A1", "B1")


def test_rr_k1_by_internet_a_card_that_was_chosen_before_is_named(world):
    drive = world.Drive(world.parts("." * 13), world.rally("A1", "M1 W road")).take("KIT D1 N1 E1 S1 A1")
    assert drive.give("KIT D1 N1 E1 S1 A1 B1") == ["one-of-a-kind"]
    problem = drive.diagnostics[0].problem
    assert problem.message == "your kit already has D1; it still needs a decel card"
    assert problem.suggestions == ("B1",)


def test_rr_m6_the_text_of_an_order_keeps_its_words():
    assert Speed(40, ("mill lane", "s4")).text() == "SPEED 40 via mill lane via S4"


ALONG = [f"{letter}1" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]


def up_to(square):
    return " ".join(ALONG[: ALONG.index(square) + 1])


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(
    ("main", "red", "blue", "expected"),
    [
        pytest.param("#..b", "B1", "G1", {2: "ends on D1", 3: ""}, id="off before the taken square"),
        pytest.param("#......b", "B1", "G1", {2: "ends on H1", 3: "ends on H1"}, id="off where the move ends"),
        pytest.param("#......}", "B1", "G1", {2: "ends on J1", 3: "ends on H1"}, id="a roll from the free square"),
        pytest.param("#", "T1", "Y1", {2: "", 3: "ends on Z1"}, id="the finish"),
        pytest.param("#..b", "B1", "F1 blocks", {2: "stays behind on D1", 3: ""}, id="off before the car that blocks"),
        pytest.param("#", "B1", "F1 blocks", {2: "stays behind on E1", 3: "stays behind on E1"}, id="behind that car"),
        pytest.param("#...<", "B1", "F1 blocks", {2: "stays behind on D1", 3: "stays behind on E1"}, id="a roll back"),
    ],
)
def test_rr_o1_only_a_landing_that_the_car_reached_is_told(at_table, world, version, main, red, blue, expected):
    """The log of version 2 told where the car was in the end, even off the road long before the other car."""
    square, *blocks = blue.split()
    crews = {"red": on(up_to(red), 50), "blue": on(up_to(square), 10, is_blocking=bool(blocks))}
    effects, main = (world.effect("unovertaken"),), main.ljust(25, ".") + "#"
    drive = at_table(main, crews=crews, queue=("red",), effects=effects, version=version).take("SPEED 50")
    landed = [words for words in drive.told if "cannot stop on a taken square" in words or "cannot overtake" in words]
    assert len(landed) == bool(expected[version])
    assert all(words.endswith(f"{expected[version]} (RR-O1)") for words in landed)
