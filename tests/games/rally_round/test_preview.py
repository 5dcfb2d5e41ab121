"""What a crew is told of its own sheet before it sends it: all but what lies in its hazard pack."""

import sys
from pathlib import Path

import pytest

from adjudicator.core.chance import RecordedChance
from adjudicator.core.ids import Seat
from adjudicator.core.step import carry_out
from adjudicator.games.rally_round.turns import Speed
from adjudicator.moderate.own_check import check_own
from adjudicator.orders.submission import Submission

sys.path.insert(0, str(Path(__file__).parent))

from tables import due, laid


@pytest.fixture
def warned(road):
    """Check the ``lines`` of red for itself; return what would come of them, with its place and rule."""

    def check(lines, main, **more):
        session = road(main, **more).session
        before = session.game.head
        done = check_own(session, [text_of("mail.txt", f"red:\n{lines}\n")], Seat("red"))
        assert done.session.game.head == before
        return [(one.line, one.text[one.column - 1 :][: one.width], one.problem.rule) for one in done.foreseen], done

    return check


def text_of(name, text):
    return Submission(name, tuple(text.split("\n")))


def words(found):
    return [one.problem.message for one in found[1].foreseen]


def test_a_sheet_that_leads_where_it_should_has_no_warning(warned):
    assert warned("TC2: 10 20 30", ".......")[0] == []


def test_rr_m4_an_illegal_speed_is_told_with_what_is_legal(warned):
    found = warned("TC2: 10 20 50 20", ".....")
    assert found[0] == [(2, "50", "RR-M4"), (2, "20", "RR-M4")]
    assert words(found)[0] == "50 mph is illegal here (10 to 30 mph is legal): you would miss the turn"
    assert found[1].foreseen[0].problem.suggestions == ("30",)
    assert words(found)[1] == "you would not drive 20: it goes on with no legal Starting Speed"
    assert found[1].diagnostics == ()  # it is a warning: the sheet is taken


def test_rr_f11_rr_f7_rr_f5_what_is_met_is_told(warned):
    assert warned("TC2: 10 20 30 0 10", "." * 6 + "b.", colours="r" * 6 + "wr")[0] == [(2, "30", "RR-F11")]
    assert warned("TC2: 10 20 0 0 10", "...f.")[0] == [(2, "20", "RR-F7")]
    assert warned("TC2: 10 20 20", "..g...")[0] == [(2, "20", "RR-F5")]


def test_rr_m4_of_a_line_that_ends_after_missed_turns_the_speed_that_does_not_fit_is_told(warned):
    assert warned("TC2: 10 20 0 0 30", "...f....")[0] == [(2, "20", "RR-F7"), (2, "30", "RR-M4")]


def test_too_few_and_too_many_speeds_are_told_with_their_place(warned):
    few = warned("TC2: 10 20", ".......")
    assert (few[0], words(few)) == (
        [(2, "20", "RR-M1")],
        ["too few speeds for TC2: they end on D1, 3 squares before it, and the program will ask you again"],
    )
    many = warned("TC2: 10 20 20 10", "......")
    assert (many[0], words(many)) == ([(2, "10", "RR-H6")], ["you would not drive 10: the section is over"])
    assert warned("TC2: 10 20\nSPEED 30", ".......")[0] == []  # the second line goes on with it


def test_of_later_lines_it_is_told_what_will_be_refused(warned):
    found = warned("TC2: 10 20 30\nTC2: 10", "." * 11, controls=("A1", "G1 W road", "K1 W road"))
    assert (found[0], words(found)) == ([(3, "TC2:", "RR-H2")], ["the next time control is TC3, not number 2"])


def test_rr_f8_nobody_is_told_what_lies_in_the_pack(warned, world):
    """Two packs that differ in the next card: the same words, and nothing of what comes after it."""
    setback = world.hazard("H1", world.effect("miss", turns=2))
    advantage = world.hazard("H1", world.effect("accelerate", 50, 50, 50))
    told = [warned("TC2: 10 60 60 60", ".!.....", hazards=(card,)) for card in (setback, advantage)]
    assert (
        words(told[0]) == words(told[1]) == ["you would draw a hazard card on B1: the program cannot predict what follows"]
    )


def test_the_kit_comes_first(world):
    drive = world.Drive(world.parts("......"), world.rally("A1", "F1 W road"))
    done = check_own(drive.session, [text_of("m.txt", "red:\nKIT D1 N1 E1 S1 A1 B1\nTC2: 20 20 10")], Seat("red"))
    assert [one.problem.rule for one in done.foreseen][:1] == ["RR-M4"]


def test_rr_m4_where_illegal_speeds_are_refused_no_refusal_tells_what_lies_in_the_pack(road, world):
    """A line that only a card makes illegal is taken; what is left of it is not driven, and the crew is asked again."""
    reject = {"illegal_speed": "reject"}
    setback = world.hazard("H1", world.effect("stop"))
    drive = road(".!......", hazards=(setback,), options=reject)
    assert drive.give("TC2: 10 40 10") == []
    assert "red does not drive 40 10: it goes on with no legal Starting Speed (RR-M4)" in drive.told
    assert drive.crew().speeds == (10,)
    assert road(".!......", hazards=(setback,), options=reject).give("TC2: 30 10") == ["illegal-speed"]
    kept = world.hazard("H1", world.effect("waterproof"))
    drive = road(".!......", hazards=(kept,), options=reject)
    assert drive.give("TC2: 10 40 10") == []
    assert drive.crew().speeds == (10,)


@pytest.mark.parametrize(
    ("main", "speeds", "more"),
    [
        (".........", (10, 20, 30), {}),
        ("..g..f......", (10, 20, 10, 10), {}),
        (".!......", (10, 40, 10), {}),
        ("..!.....", (10, 10, 20), {}),
        # The road ends on the hazard, after fewer squares than the speed says.
        (
            "......!",
            (20, 10),
            {"controls": ("A1", "D1 W road"), "crew": {"trail": ("E1", "F1"), "speed": 10, "speeds": (10,)}},
        ),
    ],
)
def test_rr_m4_what_was_looked_at_beforehand_is_what_happens(road, world, main, speeds, more):
    """Where illegal speeds are refused a line is driven to see whether it is; without that the same comes of it."""
    crew = {**more["crew"], "kit": tuple(card.id for card in world.STANDARD)} if "crew" in more else None
    setback = world.hazard("H1", world.effect("stop"))
    drive = road(main, hazards=(setback,), options={"illegal_speed": "reject"}, **{**more, "crew": crew})
    session, red = drive.session, Seat("red")
    alone = carry_out(
        session.rules, session.config, session.game.state, red, Speed(speeds[0], then=speeds[1:]), RecordedChance(())
    )
    drive.take(f"SPEED {' '.join(map(str, speeds))}")
    assert drive.events == list(alone.events)


@pytest.mark.parametrize(
    ("line", "option", "warning"),
    [
        ("PLACE PC at C1 from W", "lose", "a wrong marker, which would lose the turn: C1 is 2 squares from TC1: 3 at least"),
        ("PLACE PC at D1 from W", "lose", ""),
        ("PASS", "lose", ""),
        ("PLACE PC at C1 from W", "reject", ""),
    ],
)
def test_rr_l3_a_wrong_marker_is_told_to_who_places_it(at_table, line, option, warning):
    drive = laid(at_table(wrong_marker=option), "START at A1", "FINISH at Z1")
    seat = due(drive)
    found = check_own(drive.session, [text_of("mail.txt", f"{seat}:\n{line}\n")], Seat(seat)).foreseen
    assert [one.problem.message for one in found] == [warning][: bool(warning)]
