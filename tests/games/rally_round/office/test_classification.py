"""Time sheets against each other (RR-R1): places over all and by class, who is left out, sheets of another rally."""

from typed_sheets import read_sheets

from adjudicator.games.rally_round.office.classification import classification
from adjudicator.games.rally_round.office.scoring import scored

ROUTE = "route\nTC2 12\nTC3 13\n"
ON_TIME = "TC2: 20 30 30 40\nTC3: 10 20 30 40 30\n"
LATE_FIRST = "TC2: 10 20 30 30 30\nTC3: 10 20 30 40 30\n"
LATE_THEN = "TC2: 20 30 30 40\nTC3: 10 20 30 30 30 10\n"


def placed(*crews, route=ROUTE):
    text = route + "".join(f"crew {name}\n{rows}" for name, rows in crews)
    found = read_sheets(text)
    assert found.wrong == []
    return [(one.crew, one) for one in classification([scored(sheet) for sheet in found.sheets])]


def places(*crews):
    return [(name, one.place, one.class_place) for name, one in placed(*crews)]


def test_rr_r1_the_least_penalties_win():
    assert places(("Late", LATE_FIRST), ("Prompt", ON_TIME)) == [("Prompt", 1, 1), ("Late", 2, 2)]


def test_rr_r1_of_those_level_the_one_that_led_over_more_squares_is_first():
    assert places(("First", LATE_FIRST), ("Then", LATE_THEN)) == [("Then", 1, 1), ("First", 2, 2)]


def test_rr_r1_who_is_still_level_shares_the_place_and_the_next_one_is_left_out():
    assert places(("Ann", ON_TIME), ("Bob", ON_TIME), ("Cy", LATE_FIRST)) == [("Ann", 1, 1), ("Bob", 1, 1), ("Cy", 3, 3)]


def test_rr_r1_faults_count_where_they_were_made():
    early = LATE_FIRST.replace("30 30 30\n", "30 30 30\n+30 loud\n")
    late = f"{LATE_FIRST}+30 loud\n"
    assert [name for name, *_ in places(("Early", early), ("Late", late))] == ["Late", "Early"]


def test_places_are_given_in_each_class_too_however_it_is_spelt():
    found = places(("Ann", f"class Pro\n{ON_TIME}"), ("Bob", f"class New\n{LATE_FIRST}"), ("Cy", f"class new\n{LATE_THEN}"))
    assert found == [("Ann", 1, 1), ("Cy", 2, 1), ("Bob", 3, 2)]


def test_who_is_out_or_has_not_finished_comes_last_without_a_place():
    found = placed(("Out", f"{ON_TIME}out retired\n"), ("Half", "TC2: 20 30 30 40\n"), ("Late", LATE_FIRST))
    assert [(name, one.place, one.finished) for name, one in found] == [
        ("Late", 1, True),
        ("Half", None, False),
        ("Out", None, True),
    ]
    assert [one.message for one in found[1][1].findings if not one.line] == ["not on this sheet"]


def test_a_sheet_with_other_distances_than_most_is_found_out():
    found = placed(
        ("Ann", ON_TIME), ("Bob", ON_TIME), ("Slip", "TC2 12 4 4 - | 20 30 30 40\nTC3 31 11 5 - | 10 20 30 40 30\n")
    )
    slip = dict(found)["Slip"]
    assert [(one.control, one.message) for one in slip.findings if not one.line] == [
        ("TC3", "31 squares, where other sheets have 13")
    ]


def test_nothing_to_place_is_no_error():
    assert classification([]) == ()
