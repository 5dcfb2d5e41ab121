"""Time sheets driven on the map: what every feature makes of them, and what of their entries does not follow."""

import re
from dataclasses import replace

import pytest
from typed_sheets import read_sheets

from adjudicator.core.ids import Seat
from adjudicator.games.rally_round import events as happened
from adjudicator.games.rally_round.office.drive_check import driven
from adjudicator.games.rally_round.office.outputs import SheetStep, TimeSheet
from adjudicator.games.rally_round.office.routes import rows_of
from adjudicator.games.rally_round.office.sheet import Written
from adjudicator.simulate.plan import Plan
from adjudicator.simulate.play import play_game

KIT = "kit D1 N1 E1 S1 A1 B1\n"


@pytest.fixture(scope="module")
def sheet(world):
    """Drive the lines of a sheet over the ``main`` road from A1 to its last square, or to the ``controls``."""

    def drive(text, main, colours="", controls=None, timing="road", black_spots="", **more):
        components = world.parts(main, colours, **more)
        controls = controls or ("A1", f"{chr(64 + len(main))}1 W {timing}")
        config = world.Drive(components, world.rally(*controls, black_spots=black_spots)).session.config
        found = read_sheets(text, "ann", rows_of(config), components.kit)
        assert not found.wrong, found.wrong
        return driven(config, found.sheets[0])

    return drive


def told(score):
    return [f"{one.verdict}: {one.message} ({one.rule})" for one in score.findings]


def marked(score):
    """Return verdict, marked entry and rule of each finding."""
    return [f"{one.verdict}: {one.text[one.column - 1 :][: one.width]} ({one.rule})" for one in score.findings]


def marks(score):
    return [(one.control, one.time, one.fault_penalty // 60) for one in score.sections]


def test_a_sheet_that_follows_has_no_finding_and_tells_what_was_met(sheet):
    score = sheet(KIT + "TC3: 10 20 / 10 20", "....." + "..", controls=("A1", "D1 W", "G1 W road"))
    assert (told(score), marks(score)) == ([], [("TC3", 240, 0)])
    assert [(one.control, one.turn, one.message) for one in score.incidents] == [("TC3", 2, "comes to PC2")]


def test_rr_m3_an_illegal_change_is_told_with_what_is_legal_and_driven_all_the_same(sheet):
    score = sheet(KIT + "TC2: 10 30 20", ".......")
    assert marked(score) == ["false: 30 (RR-M3)"]
    assert (marks(score), score.findings[0].suggestions) == ([("TC2", 180, 0)], ("20",))
    assert (score.findings[0].line, score.findings[0].column) == (2, 9)


def test_rr_h9_of_a_kit_that_is_not_known_it_needs_a_card(sheet):
    assert marked(sheet("TC2: 10 30 20", "......."))[0] == "card: 30 (RR-M3)"
    assert told(sheet("kit start 20 accel 20\nTC2: 10 30 20", ".......")) == []


def test_rr_m2_twenty_is_always_allowed_uphill(sheet):
    assert told(sheet(KIT + "TC2: 20 10", ".<..")) == []
    assert marked(sheet(KIT + "TC2: 20 10", "....")) == ["false: 20 (RR-M2)"]


def test_rr_f3_the_last_turn_is_timed_by_the_squares_of_the_map(sheet):
    assert marks(sheet(KIT + "SSF2: 10 20 30", "......", timing="stage")) == [("SSF2", 160, 0)]


def test_rr_f2_carried_past_a_time_control_is_thirty_marks_that_are_told_unless_they_are_noted(sheet):
    score = sheet(KIT + "TC2: 10 20", "...")
    assert marks(score) == [("TC2", 120, 30)]
    assert marked(score) == ["note: 20 (RR-F2)"]
    assert score.findings[0].suggestions == ("+30 carried past TC2",)
    noted = sheet(KIT + "TC2: 10 20\n+30 carried past TC2", "...")
    assert (told(noted), marks(noted)) == ([], [("TC2", 120, 30)])


def test_rr_f5_rr_f10_signs_account_for_themselves(sheet):
    score = sheet(KIT + "TC2: 10 20 30 40 50", "..g........q....", colours="rrrrrrrrrrrwrrrr")
    give_way, quiet_zone = score.findings
    assert (give_way.rule, give_way.suggestions) == ("RR-F5", ("+30 not stopped at the Give Way on C1 on the way to TC2",))
    words = "turn 5: 50 mph through the Quiet Zone on L1, where 20 is allowed: 30 marks, missing on the sheet"
    assert (quiet_zone.rule, quiet_zone.message) == ("RR-F10", words)
    both = "\n+30 Quiet Zone\n+30 Give Way"
    assert told(sheet(KIT + f"TC2: 10 20 30 40 50{both}", "..g........q....", colours="rrrrrrrrrrrwrrrr")) == []


def test_a_fault_that_was_noted_and_is_none_on_the_map_counts_and_is_told(sheet):
    score = sheet(KIT + "TC2: 10 20\n+30 Quiet Zone\nother 0:00", "....")
    assert marks(score) == [("TC2", 120, 30)]
    assert marked(score)[0] == "note: +30 (RR-P4)"
    assert told(score)[1:] == ["false: the sheet says 0:00, the entries give 30:00 (RR-P7)"]


@pytest.mark.parametrize(
    ("behind", "turns", "verdicts"),
    [("0 0 10 20", 8, []), ("0 10 20", 8, ["false"]), ("", 6, ["false"])],
)
def test_rr_f11_turns_off_the_road_are_entered_or_counted(sheet, behind, turns, verdicts):
    """A bend of 20 mph at 40: two turns are missed."""
    score = sheet(KIT + f"TC2: 10 20 30 40 {behind}", "." * 9 + "b..", colours="r" * 9 + "wrr")
    assert [one.verdict for one in score.findings if one.rule == "RR-F11"] == verdicts
    assert (score.sections[0].time, [one.rule for one in score.findings if one.verdict == "false"]) == (
        60 * turns,
        ["RR-F11"] * len(verdicts),
    )


def test_rr_f11_a_car_off_the_road_stands_where_the_bend_is(sheet):
    main, colours = "." * 6 + "b....", "r" * 6 + "wrrrr"
    assert told(sheet(KIT + "TC2: 10 20 30 0 10 20 10", main, colours)) == []
    known = sheet(KIT + "TC2: 10 20 30 40", main, colours)
    assert told(known) == [
        "false: turn 3: off the road at G1: 30 mph, the limit is 20: 1 turn missed, the sheet has none: they count (RR-F11)"
    ]
    assert marks(known) == [("TC2", 300, 0)]
    assert told(sheet("TC2: 10 20 30 40", main, colours)) == [
        "card: turn 3: off the road at G1: 30 mph, the limit is 20: 1 turn missed, the sheet has none (RR-F11)"
    ]


def test_rr_f7_a_flooded_car_misses_turns(sheet):
    assert told(sheet(KIT + "TC2: 10 20 0 0 10", "...f.")) == []
    assert marks(sheet(KIT + "TC2: 10 20 10", "...f.")) == [("TC2", 300, 0)]


def test_rr_f12_over_a_hundred_the_move_is_lost(sheet):
    score = sheet("kit start 120\nTC2: 120 0 0 10", "..")
    assert (told(score), marks(score)) == ([], [("TC2", 240, 0)])


def test_rr_f8_the_pack_is_drawn_in_its_order_and_setbacks_count(sheet, world):
    pack = (world.hazard("H1", world.effect("miss", turns=2)), world.hazard("H2", world.effect("accelerate", 30, 30, 30)))
    assert told(sheet(KIT + "TC2: 10 0 0 10 10 30 using H2", ".!!....", hazards=pack)) == []
    score = sheet(KIT + "TC2: 10 10 10 30", ".!!....", hazards=pack)
    assert marked(score) == ["note: 10 (RR-F8)", "false: 30 (RR-M3)"]
    assert marks(score) == [("TC2", 360, 0)]
    assert marked(sheet(KIT + "TC2: 10 using H2 10", "...", hazards=pack)) == ["false: H2 (RR-F8)"]
    assert marked(sheet(KIT + "TC2: 10 using H9 10", "...", hazards=pack)) == ["false: H9 (RR-C3)"]


def test_rr_f9_a_gradient_rolls_the_car(sheet):
    score = sheet(KIT + "TC2: 10 10 20", ".>....")
    assert [one.message for one in score.incidents] == ["rolls down to C1"]
    assert told(score) == []


def test_rr_f4_a_control_that_cost_its_30_marks_in_one_section_costs_none_in_the_next(sheet):
    """The car comes to TC2 the wrong way, and then rolls back into it: the start of a section is one control."""
    lanes, controls = ["B1 B2 C2 D2 E2 F2 F1"], ("A1", "D1 W road", "I1 W road")
    text = KIT + "TC2: {}\nTC3: 10 20 10 20"
    wrong = sheet(text.format("10 20 via D2 30 30 via E1"), "....<....", controls=controls, lanes=lanes)
    incidents = [(one.control, one.turn, one.message) for one in wrong.incidents]
    assert incidents == [("TC2", 4, "TC2 entered the wrong way: 30 marks"), ("TC3", 1, "rolls down to D1")]
    assert [section.fault_penalty for section in wrong.sections] == [1800, 0]
    right = sheet(text.format("10 20"), "....<....", controls=controls, lanes=lanes)
    assert [section.fault_penalty for section in right.sections] == [0, 1800]


def test_rr_m4_a_turn_that_is_missed_for_no_reason_on_the_map_needs_a_note(sheet):
    score = sheet(KIT + "TC2: 10 0 0 10 10", "....")
    assert marked(score) == ["note: 0 (RR-M4)"]
    assert marks(score) == [("TC2", 300, 0)]


def test_rr_m6_a_way_that_is_noted_is_driven(sheet, world):
    tracks, kit = ("B1 F1",), "kit D1 N1 E1 S1 A1 B1\n"
    score = sheet(kit + "TC2: 10 20 via HT1 10 10", "........", tracks=tracks)
    assert marked(score) == ["false: 20 (RR-F6)"]
    assert score.out == "disqualified: the hidden track HT1 without a card"
    assert [one.partition(":")[0] for one in told(sheet("TC2: 10 20 via ht1 10 10", "........", tracks=tracks))] == ["card"]
    wrong = sheet(kit + "TC2: 10 20 via Nowhere 20 20", "........", tracks=tracks)
    assert marked(wrong) == ["false: Nowhere (RR-M6)"]


def test_a_hidden_track_that_would_explain_a_sheet_is_suggested(sheet):
    score = sheet(KIT + "TC2: 10 20 20", "........", tracks=("B1 F1",))
    assert marked(score) == ["note: 20 (RR-P7)"]
    assert score.findings[0].suggestions == ("via HT1",)


def test_speeds_behind_the_control_are_false(sheet):
    score = sheet(KIT + "TC2: 10 10 10", "...")
    assert marked(score) == ["false: 10 (RR-P7)"]


def test_distances_times_and_sums_are_compared_with_the_map(sheet):
    score = sheet(KIT + "TC2 9 2 4 1:00 | 10 20\ntotal 1:00", "....")
    assert [(one.rule, one.suggestions) for one in score.findings] == [
        ("RR-H1", ("3",)),
        ("RR-T1", ("1:00",)),
        ("RR-P5", ("2:00",)),
    ]


def test_a_section_of_another_kind_is_told(sheet):
    assert marked(sheet(KIT + "stages\nTC2 3 1 2 - | 10 20", "...."))[0] == "false: TC2 (RR-C4)"


def test_a_pc_that_has_a_row_is_met_on_the_last_turn_of_it(sheet):
    controls = ("A1", "D1 W", "G1 W road")
    assert told(sheet(KIT + "PC2 (3) | 10 20\nTC3 3 1:00 | 10 20", ".......", controls=controls))[0].startswith(
        "false: the sheet says time"
    )
    early = sheet(KIT + "PC2 (3) | 10\nTC3 | 20 10 20", ".......", controls=controls)
    assert marked(early) == ["note: 10 (RR-F1)"]


def test_a_sheet_with_no_speed_and_one_with_a_wrong_speed(sheet):
    assert marked(sheet(KIT + "TC2: 25 10 20", "....")) == ["false: 25 (RR-M1)"]
    assert marked(sheet(KIT + "TC2 |", "....")) == ["false: TC2 (RR-P7)"]


def _sheets_of(session):
    """Return the time sheet of each seat, as a crew would have kept it in ``session``."""
    rows, speeds, steps, card = {}, {}, {}, {}
    kits = {}
    for link in session.game.journal:
        via = tuple(re.findall(r"via (.*?)(?= via | using |$)", (link.entry.written or link.entry.order).lower()))
        for event in link.entry.events:
            seat = getattr(event, "seat", None)
            line, noted = speeds.setdefault(seat, []), steps.setdefault(seat, [])
            match event:
                case happened.CardPicked():
                    kits.setdefault(seat, []).append(event.card)
                case happened.CardUsed():
                    card[seat] = event.card
                case happened.Driven() | happened.TurnsMissed() | happened.TurnedRound():
                    turn = len(line) + 1
                    line += [event.speed] if isinstance(event, happened.Driven) else [0] * getattr(event, "turns", 1)
                    using, is_round = card.pop(seat, None), isinstance(event, happened.TurnedRound)
                    if using or is_round or via:
                        noted.append(SheetStep(turn=turn, via=via, using=using, is_round=is_round))
                    via = ()
                case happened.SectionEnded():
                    planned = next(row for row in rows_of(session.config) if row.control == event.control)
                    row = replace(planned, speeds=tuple(line), steps=tuple(noted))
                    rows.setdefault(seat, []).append(row)
                    speeds[seat], steps[seat] = [], []
    return {seat: TimeSheet(rows=tuple(rows.get(seat, ())), cards=tuple(kits[seat])) for seat in kits}


@pytest.mark.parametrize("player", ["random", "greedy"])
def test_a_sheet_that_was_kept_in_a_game_comes_to_what_the_game_has(player):
    """Whole games by chance, with slips, hazards and cards: the same times and the same penalties, to the second."""
    plan = Plan(
        ruleset="rally-round",
        games=4 if player == "greedy" else 8,
        players=2,
        player=player,
        most_orders=500,
        options={"mode": "internet"},
    )
    seen = 0
    for number in plan.numbers:
        session = play_game(plan, number).session
        for seat, kept in _sheets_of(session).items():
            lines = session.game.state.crew(Seat(seat)).lines
            score = driven(session.config, Written(sheet=kept))
            assert [section.time for section in score.sections] == [line.time for line in lines]
            assert [section.total for section in score.sections] == [line.penalty for line in lines]
            wrong = [one for one in score.findings if one.verdict == "false"]
            assert wrong == []
            seen += len(lines)
    assert seen > 12


def test_rr_p7_noted_squares_that_the_map_does_not_give_are_told(sheet):
    assert told(sheet(KIT + "TC2: 10 (1) 20 (2) 20", "......")) == []
    assert marked(sheet(KIT + "TC2: 10 20 (3) 20", "......")) == ["note: 20 (RR-M1)"]
    assert told(sheet(KIT + "TC2: 10 20 (1) 20 10", "...<..")) == []
