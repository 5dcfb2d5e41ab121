"""A circuit as a picture: what can be told without colour, who stands still, what is beside it, what is new."""

import re
from dataclasses import replace
from math import hypot
from xml.etree import ElementTree

import pytest

from adjudicator.core.drawing import Badge, Circuit, Drawing, Legend, Lever, Panel, Panels, Sign, Space, Wheel
from adjudicator.reports.changes import Earlier, lever_name
from adjudicator.reports.description import description_lines
from adjudicator.reports.legend import key_of
from adjudicator.reports.picture import picture
from adjudicator.reports.picture_panels import panels_part

SVG = "{http://www.w3.org/2000/svg}"
LEGEND = Legend(entries=(("!", "danger"), ("/", "narrow")), signs=((Sign.PIECE, "car"),))
RED, BLUE = (Badge(seat, Sign.PIECE, seat) for seat in ("red", "blue"))
GATE = Lever(("N", "1", "2", "3"), "2")
PANEL = Panel("red", "red", (), (("position", "5"),), GATE, (Wheel("wheel A", (1, 2, 3), 3),))


def circuit(number=40, **beside):
    spaces = [Space("line", lanes=2)]
    for at in range(1, number + 1):
        is_bend, lanes = at % 12 in (6, 7, 8), 1 if at in (20, 21) else 2
        spaces.append(
            Space(str(at), "danger" if is_bend else "", "", lanes, (RED,) if at == 5 else (BLUE,) if at == 9 else ())
        )
    return Circuit("Track", tuple(spaces), "/", bend="danger", names=(("First Bend", "6", "8"),), **beside)


def drawn(track, earlier=None):
    found = picture(Drawing((track, LEGEND)), "A race", ("red", "blue"), earlier=earlier)
    assert found == picture(Drawing((track, LEGEND)), "A race", ("red", "blue"), earlier=earlier)
    return found


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_every_space_has_its_number_every_piece_its_letter_every_stretch_its_name():
    told = texts(drawn(circuit()))
    assert {*map(str, range(1, 41)), "line", "R", "B", "First Bend"} <= set(told)


def test_bends_are_hatched_and_have_kerbs_and_the_line_is_chequered():
    svg = drawn(circuit())
    assert "url(#bends)" in svg
    assert 'stroke-dasharray="6 6"' in svg
    assert svg.count("#111111") == 1
    assert "url(#bends)" not in drawn(replace(circuit(), bend=""))


def test_a_narrow_space_is_half_as_wide():
    root = ElementTree.fromstring(drawn(circuit()))
    roads = [
        element.get("d")
        for element in root.iter(f"{SVG}path")
        if element.get("stroke-width") == "1" and "Z" in element.get("d")
    ]
    numbers = [[float(number) for number in re.findall(r"-?[0-9.]+", way)] for way in roads]
    wide = {at: ((way[0] - way[-2]) ** 2 + (way[1] - way[-1]) ** 2) ** 0.5 for at, way in enumerate(numbers)}
    assert wide[3] == pytest.approx(34, abs=0.3)
    assert wide[20] == pytest.approx(19, abs=0.3)


def test_a_piece_that_stands_still_does_so_in_a_burst_with_its_turns():
    svg = drawn(circuit(stopped=(("blue", 2),)))
    assert "−2" in texts(svg)
    assert "stands still, with the turns it loses" in texts(svg)
    assert svg.count("#ffd84d") == 2
    assert "#ffd84d" not in drawn(circuit())


def test_pieces_beyond_the_finish_stand_beside_the_line_with_a_flag():
    track = circuit()
    over = replace(track, spaces=(*track.spaces, Space("flag", badges=(Badge("green", Sign.PIECE, "green"),))), off=1)
    assert "G" in texts(drawn(over))
    assert drawn(over).count("#111111") == 2
    empty = replace(track, spaces=(*track.spaces, Space("flag")), off=1)
    assert "flag" not in texts(drawn(empty))


def test_levers_and_wheels_are_drawn_and_told():
    track = circuit(panels=(PANEL,))
    assert {"N", "1", "2", "3", "wheel A", "position"} <= set(texts(drawn(track)))
    lines = description_lines(Drawing((replace(track, stopped=(("blue", 1),)), LEGEND)))
    assert "red: lever at 2 and wheel A at 3." in lines
    assert "blue stands still and loses 1 turn." in lines


def test_a_lever_that_was_moved_and_a_wheel_that_was_spun_are_marked():
    now = circuit(panels=(PANEL,))
    then = replace(now, panels=(replace(PANEL, lever=replace(GATE, at="1"), wheels=()),))
    assert 'class="new"' in drawn(now, Earlier(Drawing((then, LEGEND)), 4))
    assert 'class="new"' not in drawn(now, Earlier(Drawing((now, LEGEND)), 4))


def test_on_a_long_track_numbers_are_left_out_where_they_would_touch():
    told = texts(drawn(circuit(180)))
    assert "2" in told
    assert "179" not in told


@pytest.mark.parametrize("number", [0, 1, 5, 10, 11, 12, 200])
def test_a_track_of_any_length_is_drawn(number):
    assert ElementTree.fromstring(drawn(circuit(number, panels=(PANEL,)))) is not None


def test_hostile_words_are_no_markup():
    hostile = '<script>"]]>&{{x}}'
    spaces = tuple(Space(hostile, hostile, hostile, 2, (Badge(hostile, Sign.PIECE, hostile),)) for _ in range(30))
    panel = Panel(hostile, hostile, (), ((hostile, hostile),), Lever((hostile,), hostile), (Wheel(hostile, (1,), 2),))
    track = Circuit(hostile, spaces, hostile, bend=hostile, names=((hostile, hostile, hostile),), panels=(panel,))
    assert "<script" not in drawn(track)


@pytest.mark.parametrize("stopped", [(), (("red", 2),)], ids=["driving", "crashed"])
def test_the_mark_of_a_car_covers_nothing_of_it(stopped):
    """A ring through its body hid all but its letter: the mark lies under all cars now, and around its own."""
    then = circuit()
    spaces = [replace(space, badges=() if RED in space.badges else space.badges) for space in then.spaces]
    spaces[30] = replace(spaces[30], badges=(RED,))
    now = replace(then, spaces=tuple(spaces), stopped=stopped)
    root = ElementTree.fromstring(drawn(now, Earlier(Drawing((then,)), 1)))
    (board,) = (group for group in root.iter(f"{SVG}g") if any(one.get("class") == "new" for one in group))
    (at,) = (at for at, one in enumerate(board) if one.get("class") == "new")
    over = [*board][at + 1 :]
    assert sum("rotate" in one.get("transform", "") for one in over) == 2, "both cars are drawn over the marks"
    ring = [one for one in board[at] if one.tag == f"{SVG}circle"][-1]
    x, y, radius = (float(ring.get(name)) for name in ("cx", "cy", "r"))
    points = [tuple(map(float, point.split(","))) for one in over for point in one.get("points", "").split()]
    assert bool(points) == bool(stopped), "the burst"
    points += [(x - 14, y - 6), (x + 13.5, y), (x - 10.6, y - 9.1)]  # the wing, the nose and the wheels of any car
    assert all(hypot(px - x, py - y) < radius - 1.3 for px, py in points)


def test_the_frame_of_a_lever_that_was_moved_covers_nothing_of_its_knob():
    shape = Panels("", (PANEL,))
    part = panels_part(shape, key_of(Drawing((shape,))))
    frame = next(anchor for anchor in part.anchors if anchor.place == lever_name(PANEL))
    (knob,) = (one for one in ElementTree.fromstring("".join(part.drawn)).iter("circle") if one.get("r") == "10")
    white = 2.5
    assert frame.y - frame.height / 2 + white <= float(knob.get("cy")) - 10.5
    assert frame.y + frame.height / 2 - white >= float(knob.get("cy")) + 10.5
