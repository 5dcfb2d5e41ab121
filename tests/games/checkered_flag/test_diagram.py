"""What is told and drawn."""

from dataclasses import replace

from play import begin, due

from adjudicator.core.drawing import Columns, Fields
from adjudicator.core.scene import Scene
from adjudicator.games.checkered_flag.components import Curve
from adjudicator.games.checkered_flag.orders import Brake, Go, Shift
from adjudicator.games.checkered_flag.rules import RULESET
from adjudicator.present import legal_of
from adjudicator.reports.drawings.drawing_text import drawing_text


def shapes(race, kind):
    drawing = RULESET.draw(race.config, race.view(None))
    return [shape for shape in drawing.shapes if isinstance(shape, kind)]


def columns(race):
    """Return the lines of text of each space, by its label."""
    track, *_panels = shapes(race, Scene)
    return track, {column[0].text: [run.text for run in column[1:]] for column in track.text.now(None).columns}


def test_the_track_is_drawn_space_by_space(scene):
    race = scene(red={"position": 14, "gear": 2}, blue={"position": 21, "gear": 1})
    track, spaces = columns(race)
    assert track.title == "Track (1 lap of 30 spaces)"
    assert [*spaces] == ["line", *map(str, range(1, 31)), "flag"]
    assert [label for label, lines in spaces.items() if lines[-1] == "//"] == ["21", "22", "25"]
    assert {label: lines[0] for label, lines in spaces.items() if lines[0]} == {
        **dict.fromkeys(("6", "7", "8", "24", "25", "26"), "!!"),
        **dict.fromkeys(("13", "14"), "!!1"),
        **dict.fromkeys(("15", "16", "17"), "!!2"),
    }
    assert {label: lines[1] for label, lines in spaces.items() if "▲" in lines[1]} == {"14": "▲red", "21": "▲blue"}


def test_at_the_start_both_stand_at_the_line(scene):
    assert columns(scene())[1]["line"] == ["", "▲red", "▲blue"]


def test_the_winner_stands_at_the_flag(scene):
    race = scene(red={"position": 30, "gear": 1})
    race.do("red", Shift(1), 1, 1)
    assert columns(race)[1]["flag"] == ["", "▲red", "·"]
    assert shapes(race, Columns)[0].rows[0] == ("red", "31", "finish", "first gear", "")


def test_the_seats_stand_in_the_order_of_the_race(scene):
    race = scene(red={"position": 5, "gear": 2}, blue={"position": 3, "lap": 2, "lost": 2}, laps=2)
    seats = shapes(race, Columns)[0]
    assert seats.headings == ("seat", "spaces", "position", "lap", "gear", "to move")
    assert seats.rows == (
        ("blue", "33", "3", "2", "crashed, 2 turns to lose", ""),
        ("red", "5", "5", "1", "second gear", "yes"),
    )


def test_what_is_spun_is_shown(scene):
    race = scene(red={"position": 4, "gear": 3}, spun=(6, 5))
    assert shapes(race, Fields) == [Fields("Spun", (("red", "6 and 5: 11 spaces"),))]


def test_the_zones_are_listed_with_their_checks(scene):
    zones = shapes(scene(), Columns)[1]
    assert zones.rows[1] == ("Zone B", "13–17", "13–14, 15–17", "2")


def test_the_position_fits_a_terminal(house, start):
    race = start(1, house, 3)
    text = drawing_text(RULESET.draw(race.config, race.view(None)))
    assert max(map(len, text.splitlines())) <= 100


def test_a_move_is_told_from_the_spin_to_the_crash(scene):
    race = scene(red={"position": 10, "gear": 2}, blue={"position": 21, "gear": 1})
    told = race.told(race.do("red", Shift(3, Brake()), 6, 6, 6))
    assert told == [
        "red shifts from second gear to third gear (CF-G1)",
        "red spins 6 and 6 in third gear: 12 spaces (CF-M1)",
        "red brakes 10 spaces to stop on 12: 2 behind blue on the narrow track and 8 by choice (CF-B2)",
        "red spins 6 on wheel B for 10 spaces braked: a crash (it crashes at 1 to 10) (CF-B2)",
        "red drives from 10 to 12 (CF-M1)",
        "red has crashed on 12 and loses 2 turns (CF-X1)",
    ]
    assert race.told(race.do("blue", Shift(1), 1, 1))[-1] == "red loses a turn by its crash; 1 more turn is lost (CF-X1)"
    told = race.told(race.do("blue", Shift(1), 1, 2))
    assert told[-1] == "red loses a turn by its crash; the next turn starts in neutral (CF-X1)"


def test_curves_are_told_by_their_number(scene):
    race = scene(red={"position": 12, "gear": 3}, blue={"gear": 1}, spun=(1, 4))
    told = race.told(race.do("red", Go(), 5, 1))
    assert told[:2] == [
        "red spins 5 on wheel B for the Zone B, first curve: no crash (it crashes at 1 or 2) (CF-D1)",
        "red spins 1 on wheel B for the Zone B, second curve: a crash (it crashes at 1 or 2) (CF-D1)",
    ]


def test_the_line_is_told_as_one(scene):
    race = scene("aa" + "." * 20, red={"gear": 1}, blue={"gear": 1}, spun=(1, 4))
    told = race.told(race.do("red", Brake()))
    assert told == ["red brakes 1 space to stay at the line: 1 by choice (CF-B2)"]
    race.do("blue", Shift(2, Go()), 1, 1, 6)
    assert (
        race.told(race.do("red", Shift(2, Brake()), 1, 1, 1))[-1] == "red has crashed on the line and loses 1 turn (CF-X1)"
    )


def test_the_list_of_orders_says_what_is_known_of_each():
    """Before the spin nobody knows how far a gear goes; neutral goes nowhere."""
    session = begin("checkered-flag")
    assert [(row.order, row.min) for row in legal_of(session, due(session))] == [
        ("GEAR N", 0),
        *((order, None) for order in ("GEAR 1", "GEAR 1 go", "GEAR 1 brake before danger")),
        *((f"GEAR 1 brake {spaces}", None) for spaces in range(1, 7)),
        *((f"GEAR 1 brake to {place}", None) for place in range(6)),
    ]


def test_what_lies_between_two_curves_is_drawn_as_danger(scene, parts):
    components = parts()
    first, second, third = components.zones
    apart = replace(second, curves=(Curve(13, 13), Curve(16, 17)))
    race = scene(parts=replace(components, zones=(first, apart, third)))
    grounds = {label: lines[0] for label, lines in columns(race)[1].items() if label in ("13", "14", "16")}
    assert grounds == {"13": "!!1", "14": "!!", "16": "!!2"}
    assert shapes(race, Columns)[1].rows[1] == ("Zone B", "13–17", "13–13, 16–17", "3")
