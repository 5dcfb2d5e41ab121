"""The track as a picture: what can be told without colour, who stands still, what is beside it, what is new."""

from dataclasses import replace
from itertools import combinations
from math import hypot
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import Drawing
from adjudicator.games.checkered_flag.cockpit import Cockpit, panel_of
from adjudicator.games.checkered_flag.picture import BURST, CAR, legend, track_scene
from adjudicator.games.checkered_flag.rules import RULESET
from adjudicator.reports.drawings.changes import Earlier
from adjudicator.reports.drawings.scene_parts import found_in
from adjudicator.reports.pictures.picture import picture
from adjudicator.scenes import Box, panel_scenes, text_width

SVG = "{http://www.w3.org/2000/svg}"
GATE = Cockpit("red", (("position", "5"),), "2", (("wheel A", (1, 2, 3), 3),))


@pytest.fixture(name="track")
def _track(parts):
    def make(cars=None, stopped=None, cockpits=(), **given):
        return track_scene("told", parts(**given), {"red": 5, "blue": 9} if cars is None else cars, stopped or {}, cockpits)

    return make


def panels_of(*cockpits):
    return panel_scenes([panel_of(cockpit) for cockpit in cockpits])


def drawing_of(*scenes, stopped=False):
    return Drawing((*scenes, legend(has_cars=True, has_stopped=stopped)))


def drawn(*scenes, earlier=None, stopped=False):
    given = drawing_of(*scenes, stopped=stopped), "A race", ("red", "blue")
    found = picture(*given, earlier=earlier)
    assert found == picture(*given, earlier=earlier)
    return found


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_space_has_its_number_every_car_its_letter_every_zone_its_name(track):
    assert {*map(str, range(1, 31)), "line", "R", "B", "Zone A"} <= set(texts(drawn(track())))


def test_bends_are_hatched_and_have_kerbs_and_the_line_is_chequered(track):
    svg = drawn(track())
    assert "url(#hatch-" in svg
    assert 'stroke-dasharray="6 6"' in svg
    assert svg.count("#111111") == 1


def test_a_narrow_space_is_half_as_wide(track):
    def ends(one):
        first, *_, last = one.parts[0].way[1:-1].split("L")
        (x, y), (u, v) = (map(float, point.split()) for point in (first, last))
        return hypot(x - u, y - v)

    (road,) = track().parts
    spaces = {one.id: one for one in road.parts if getattr(one, "frame", None)}
    assert ends(spaces["3"]) == pytest.approx(34, abs=0.3)
    assert ends(spaces["21"]) == pytest.approx(19, abs=0.3)


def test_a_car_that_stands_still_does_so_in_a_burst_with_its_turns(track):
    svg = drawn(track(stopped={"blue": 2}), stopped=True)
    assert "−2" in texts(svg)
    assert "stands still, with the turns it loses" in texts(svg)
    assert svg.count("#ffd84d") == 2
    assert "#ffd84d" not in drawn(track())
    assert "blue stands still and loses 2 turns." in track(stopped={"blue": 2}).sentences


def test_a_car_beyond_the_finish_stands_beside_the_line_with_a_flag(track):
    assert drawn(track({"red": None, "blue": 3})).count("#111111") == 2
    assert drawn(track()).count("#111111") == 1


def test_ids_name_what_orders_name(track):
    """A click on a car, a space or a gear finds the orders with the same name."""
    (panel,) = panels = panels_of(GATE)
    found = {(one.id, one.name) for scene in (track(), panel) for one in found_in(scene)}
    assert {("red", "5"), ("14", "14"), ("gear", "red's lever"), ("wheel A", "red's wheel A")} <= found
    svg = ElementTree.fromstring(drawn(track(), *panels))
    assert {"N", "1", "2", "3", "red", "line"} <= {one.get("data-id") for one in svg.iter()}


def test_levers_and_wheels_are_drawn_and_told(track):
    scene = track(cockpits=(GATE,))
    assert {"N", "1", "2", "3", "wheel A", "position"} <= set(texts(drawn(scene, *panels_of(GATE))))
    assert "red: lever at 2 and wheel A at 3." in scene.sentences


def test_a_lever_that_was_moved_and_a_wheel_that_was_spun_are_marked(track):
    now, then = ((track(), *panels_of(one)) for one in (GATE, replace(GATE, gear="1", wheels=())))
    assert 'class="new"' in drawn(*now, earlier=Earlier(drawing_of(*then), 4))
    assert 'class="new"' not in drawn(*now, earlier=Earlier(drawing_of(*now), 4))


def test_on_a_long_track_numbers_are_left_out_where_they_would_touch(track):
    told = texts(drawn(track(track="." * 50 + "aaa" + "." * 147)))
    assert "2" in told
    assert "179" not in told


@pytest.mark.parametrize("number", [20, 21, 33, 200])
def test_a_track_of_any_length_is_drawn(track, number):
    scene = track(track=".a" + "." * (number - 2), cockpits=(GATE,))
    assert ElementTree.fromstring(drawn(scene, *panels_of(GATE))) is not None


def test_hostile_words_are_no_markup(track):
    hostile = '<script>"]]>&{{x}}'
    cockpit = Cockpit(hostile, ((hostile, hostile),), hostile, ((hostile, (1,), 2),))
    scene = replace(track({hostile: 4}, cockpits=(cockpit,)), title=hostile)
    assert "<script" not in drawn(scene, *panels_of(cockpit))


@pytest.mark.parametrize("stopped", [{}, {"red": 2}], ids=["driving", "crashed"])
def test_the_mark_of_a_car_covers_nothing_of_it(track, stopped):
    """A ring through its body hid all but its letter: the mark lies under all cars now, and around its own."""
    now = track({"red": 30, "blue": 9}, stopped)
    root = ElementTree.fromstring(drawn(now, earlier=Earlier(drawing_of(track()), 1)))
    (board,) = (group for group in root.iter(f"{SVG}g") if any(one.get("class") == "new" for one in group))
    (at,) = (at for at, one in enumerate(board) if one.get("class") == "new")
    over = {one.get("data-id") for one in [*board][at + 1 :]}
    assert {"red", "blue"} <= over, "both cars are drawn over the marks"
    (ring,) = (one.frame.width / 2 + 0.5 for one in found_in(now) if one.id == "red" and one.token)
    reach = 22 if stopped else hypot(14, 6)  # the burst; the wing, farther than the nose and the wheels
    assert reach < ring - 1.3 + 0.5
    assert ring == (BURST if stopped else CAR) / 2 + 0.5


def test_the_frame_of_a_lever_that_was_moved_covers_nothing_of_its_knob(track):
    found = {one.name: one for one in found_in(panels_of(GATE)[0])}
    white, knob = 2.5, 10.5
    # The knob of an upper or a lower gear is 22 pixels from the middle of the gate.
    assert found["red's lever"].frame.height / 2 - white >= 22 + knob


def test_the_picture_of_a_position_is_made_from_the_view(scene):
    race = scene(red={"position": 14, "gear": 2}, blue={"position": 21, "gear": 1})
    track = RULESET.draw(race.config, race.view(None)).shapes[0]
    assert {one.name for one in found_in(track) if one.token} == {"14", "21"}


def test_all_numbers_are_on_the_outer_side_of_the_track(track):
    """The track leads clockwise: outside is to the left of its direction."""
    scene = track()
    spaces = {one.name: one.frame for one in found_in(scene) if one.token is None}
    root = ElementTree.fromstring(drawn(scene))
    numbers = {one.text: one for one in root.iter(f"{SVG}text") if one.get("fill") == "#333333" and one.text in spaces}
    labels = [str(number) for number in range(2, 30)]
    assert {*labels} <= {*numbers}
    for label in labels:
        before, here, after = (spaces[str(int(label) + step)] for step in (-1, 0, 1))
        x, y = float(numbers[label].get("x")) - here.x, float(numbers[label].get("y")) - 5 - here.y
        assert (after.x - before.x) * y - (after.y - before.y) * x < 0, label


def test_numbers_are_in_the_order_of_travel_and_no_two_run_together(house):
    """On the house track, whose bends are tight; the word for the line is broader than a space, so it is inside."""
    scene = track_scene("told", house, {}, {})
    root = ElementTree.fromstring(drawn(scene))
    spaces = {one.name: one.frame for one in found_in(scene) if one.token is None}
    found = {one.text: one for one in root.iter(f"{SVG}text") if one.get("fill") == "#333333" and one.text in spaces}
    boxes = {}
    for text, one in found.items():
        x, y, size = (float(one.get(name)) for name in ("x", "y", "font-size"))
        half = text_width(text, size) / 2
        boxes[text] = Box(x - half - 1, y - size, x + half + 1, y)
    for one, other in combinations(boxes, 2):
        assert boxes[one].overlap(boxes[other]) == 0, (one, other)
    for label in range(2, len(spaces) - 1):
        before, here = boxes[str(label - 1)], boxes[str(label)]
        (x, y), frames = (here.left - before.left, here.top - before.top), [spaces[str(label + by)] for by in (-1, 1)]
        (ahead, aside) = frames[1].x - frames[0].x, frames[1].y - frames[0].y
        assert (ahead * x + aside * y) / hypot(ahead, aside) > -4, label


def test_a_track_without_the_space_where_a_zone_ends_is_drawn_without_the_name_of_the_zone(house):
    """Whoever writes a track gets the picture and the list of mistakes."""
    track = [replace(spot, number=99) if spot.number == 21 else spot for spot in house.track]
    text = drawn(track_scene("told", replace(house, track=tuple(track)), {}, {}))
    assert ("Hairpin" in text, "Esses" in text) == (True, False)


def test_the_standings_are_in_the_infield_in_the_order_of_the_cockpits(track):
    cockpits = [Cockpit(seat, (("spaces", driven), ("lap", "1")), "N") for seat, driven in (("blue", "9"), ("red", "1"))]
    long = ("." * 10 + "aaa") * 4
    told = texts(drawn(track(cockpits=cockpits, track=long)))
    at = told.index("1.")
    assert told[at : at + 8] == ["1.", "B", "blue", "lap 1, 9 spaces", "2.", "R", "red", "lap 1, 1 space"]
    assert "1." not in texts(drawn(track(track=long)))


def test_arrows_of_moves_can_follow_the_track_forwards_only(track):
    steps = track().road.steps
    assert ("line", "1") in steps and ("30", "line") in steps and ("1", "line") not in steps
