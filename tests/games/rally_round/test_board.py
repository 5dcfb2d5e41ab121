"""What is drawn of a rally, and what conditions may ask: crews, sheets, route, map, road book, facts."""

from adjudicator.core.drawing import Columns
from adjudicator.core.ids import Seat
from adjudicator.core.scene import Scene
from adjudicator.reports.drawings.scene_parts import found_in
from adjudicator.store.components import shipped


def shapes(drive, viewer=None):
    session = drive.session
    return session.rules.draw(session.config, session.rules.view(session.config, session.game.state, viewer)).shapes


def table(drive, title, viewer="red"):
    return next(
        shape for shape in shapes(drive, viewer) if isinstance(shape, Columns) and shape.title.startswith(title)
    ).rows


def fact(drive, name, argument="", viewer="red"):
    session = drive.session
    view = session.rules.view(session.config, session.game.state, Seat(viewer))
    return session.rules.fact_values(session.config, view)[name](argument)


def test_a_time_sheet_reads_as_one_kept_at_a_table(road):
    drive = road("." * 26, controls=("A1", "F1 W", "M1 W road", "Z1 W stage")).take("TC3: 10 20 30 40 40\nSSF4: 10 20")
    assert table(drive, "Time sheet of red") == (
        ("TC3", "12", "4:00", "5:00", "1:00", "60:00", "10 20 30 40 40"),
        ("SSF4", "13", "2:10", "…", "", "–", "10 20"),
        ("total", "", "", "", "61:00", "", ""),
    )


def test_the_road_book_names_roads_squares_and_what_stands_there(road):
    drive = road("..b.q" + "." * 8, lanes=["M1 M2 M3"], controls=("A1", "F1 W", "M3 N road"))
    assert table(drive, "Road book") == (
        ("TC3", "Main Road", "B1 C1[bend 40] D1 E1[QZ 40] F1[PC2] G1 H1 I1 J1 K1 L1 M1"),
        ("TC3", "Lane 1", "M2 M3[TC3]"),
    )


def test_the_map_shows_markers_features_the_route_and_the_cars_that_may_be_seen(world):
    components = world.parts("..b>!~"[:5] + "f" + "." * 7, tracks=["B1 K1"])
    drive = world.Drive(components, world.rally("A1", "H1 W", "M1 W road"), seats=("red", "blue")).kit().kit(seat="blue")
    drive.take("SPEED 10").take("SPEED 10", "blue")
    (drawn,) = (shape for shape in shapes(drive, "red") if isinstance(shape, Scene))
    found = {one.name: one for one in found_in(drawn) if one.token is None}
    signs = [one.holds[1] for name, one in found.items() if not name.startswith("the track")]
    assert signs == ["TC1", "", "40", "→", "!", "~", "", "PC2", "", "", "", "", "TC3"]
    assert "The marked route begins at A1 and ends at M1." in drawn.sentences
    assert "the track from B1 to K1" in found
    assert [one.token.text for one in found_in(drawn) if one.token] == ["red"]
    assert drawn.focus is not None and drawn.focus.name == "TC3"


def test_the_current_section_of_a_sealed_crew_is_not_shown(world):
    drive = world.Drive(world.parts("." * 13), world.rally("A1", "M1 W road"), seats=("red", "blue")).kit().kit(seat="blue")
    focuses = [shape.focus for viewer in ("red", None) for shape in shapes(drive, viewer) if isinstance(shape, Scene)]
    assert [focus and focus.name for focus in focuses] == ["TC2", None]


def test_facts_of_the_own_crew(road):
    drive = road("." * 13).take("TC2: 10 20")
    told = {
        name: fact(drive, name) for name in ("speed", "fastest", "slowest", "square", "section", "left", "turns", "target")
    }
    assert told == {
        "speed": 20,
        "fastest": 30,
        "slowest": 10,
        "square": "D1",
        "section": "TC2",
        "left": 9,
        "turns": 2,
        "target": 240,
    }


def test_each_fact_of_a_crew_off_the_start_and_after_a_section(road, world):
    """A short way off the route no squares are counted; at the end of the rally only the sums are known."""
    cards = (world.hazard("H1", world.effect("waterproof")),)
    controls = ("A1", "F1 W", "M1 W road", "T1 W stage")
    drive = road(".!" + "." * 18, "rrry" + "w" * 16, controls=controls, hazards=cards, lanes=["D1 D2 D3 D4"])
    names = ("speed", "square", "colour", "section", "timing", "left", "ahead", "turns", "target", "kept", "penalty")

    def known():
        return tuple(fact(drive, name) for name in names)

    assert known() == (0, "A1", "red", "TC3", "road", 12, 5, 0, 240, (), 0)
    drive.take("TC3: 10")
    assert known() == (10, "B1", "red", "TC3", "road", 11, 4, 1, 240, ("H1",), 0)
    drive.take("TC3: 20")
    assert known() == (20, "D1", "yellow", "TC3", "road", 9, 2, 2, 240, ("H1",), 0)
    drive.take("SPEED 10 via D2")
    assert known() == (10, "D2", "yellow", "TC3", "road", None, None, 3, 240, ("H1",), 0)
    drive.take("TURN ROUND\nSPEED 10\nSPEED 20\nTC3: 10 20 20 20")
    assert known() == (0, "M1", "white", "SSF4", "stage", 7, 7, 0, 70, ("H1",), 360)
    drive.take("SSF4: 10 20 30 40")
    assert known() == (0, None, None, None, None, None, None, None, None, ("H1",), 485)
    assert fact(drive, "penalty", "red") == 485


def test_facts_of_a_sealed_sheet_are_not_known(world):
    components = world.parts("." * 13)
    drive = world.Drive(components, world.rally("A1", "M1 W road"), seats=("red", "blue")).kit().kit(seat="blue")
    assert fact(drive, "speed", "blue") is None
    assert fact(drive, "speed", "red") == 0


def test_the_box_tells_every_card_in_words(world):
    session = world.Drive(world.parts("." * 13), world.rally("A1", "M1 W road")).session
    house, _ = shipped(session.rules)
    drawn = session.rules.catalogue(house).shapes
    tables = {shape.title: shape.rows for shape in drawn if isinstance(shape, Columns)}
    kit = {row[0]: row[3] for row in tables["Kit cards (36)"]}
    assert kit["D2"] == "take bends faster by 20 mph on yellow, 20 mph on white; take bridges faster by 10 mph"
    bends = "take bends faster by 20 mph on red, 10 mph on yellow"
    assert kit["D6"] == f"drive through Quiet Zones faster by 20 mph; {bends}"
    bends = "take bends faster by 30 mph on red, 20 mph on yellow, 20 mph on white"
    assert kit["E5"] == f"stop in fords without flooding the engine; drive through Quiet Zones faster by 20 mph; {bends}"
    hazards = {row[0]: (row[1], row[3]) for row in tables["Hazard cards (32)"]}
    assert hazards["H3"] == ("at once", "miss 2 turns")
    assert hazards["H2"] == ("kept", "speed up by up to 30 mph")
    (drawn_map,) = (shape for shape in drawn if isinstance(shape, Scene))
    assert sum(not one.name.startswith("the track") for one in found_in(drawn_map)) == 299


def test_the_crews_tell_which_speeds_are_legal_next(road):
    drive = road("." * 13)
    assert table(drive, "Crews")[0][3:5] == ("stands", "10")
    drive.take("TC2: 10 20")
    assert table(drive, "Crews")[0][3:5] == ("20", "10–30")
