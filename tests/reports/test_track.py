"""Tracks as text: every space with its label, its ground and its lanes, in rows that fit a mail."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.core.drawing import Badge, Drawing, Legend, Space, Track
from adjudicator.core.scene import Sign
from adjudicator.reports.drawing import drawing_text
from adjudicator.reports.track import LINE_WIDTH
from adjudicator.scenes.width import display_width

LEGEND = Legend((("!", "danger"), ("~", "sand")), (), ((Sign.PIECE, "car"),))


def car(seat: str) -> Badge:
    return Badge(seat, Sign.PIECE, seat)


def text_of(*spaces: Space, title: str = "Track", closed: str = "/", color: bool = False) -> str:
    """Return how ``spaces`` are drawn, the legend left out."""
    drawn = drawing_text(Drawing((Track(title, spaces, closed), LEGEND)), color=color)
    return drawn.rpartition("\n\n")[0]


def test_a_track_is_read_from_left_to_right() -> None:
    drawn = text_of(
        Space("line", lanes=2, badges=(car("red"),)),
        Space("1", lanes=2),
        Space("2", "danger", "1", 2, (car("blue"), car("red"))),
        Space("3", "sand", lanes=1),
        Space("4", lanes=1, badges=(car("blue"),)),
    )
    assert drawn == (
        "Track\n"
        "   line     1     2     3     4\n"
        "                !!1    ~~\n"
        "   ▲red     · ▲blue     · ▲blue\n"
        "      ·     ·  ▲red    //    //"
    )


def test_without_grounds_there_is_no_line_for_them() -> None:
    assert text_of(Space("1"), Space("2"), title="") == "     1    2\n     ·    ·"


def test_more_pieces_than_lanes_are_all_shown() -> None:
    drawn = text_of(Space("1", badges=(car("red"), car("blue"), Badge("fog"))), Space("2", lanes=2), title="")
    assert drawn.split("\n") == ["      1     2", "   ▲red     ·", "  ▲blue     ·", "    fog"]


def test_names_are_cut_but_told_apart() -> None:
    drawn = text_of(Space("1", lanes=3, badges=(car("magenta"), car("magentas"), car("ivory"))), title="")
    assert [line.strip() for line in drawn.split("\n")] == ["1", "▲magenta", "▲magentas", "▲ivor"]


def test_long_tracks_are_broken_into_rows_of_one_length() -> None:
    drawn = text_of(*(Space(str(number)) for number in range(1, 56)), title="Long")
    title, *blocks = drawn.split("\n\n")[0].split("\n", 1)[0], *drawn.split("\n\n")
    assert title == "Long"
    assert len(blocks) == 4
    labels = [block.split("\n")[-2].split() for block in blocks]
    assert [len(row) for row in labels] == [14, 14, 14, 13]
    assert [label for row in labels for label in row] == [str(number) for number in range(1, 56)]


def test_an_empty_track_is_its_title() -> None:
    assert text_of(title="Nothing") == "Nothing"
    assert text_of(title="") == ""


def test_colours_add_nothing_but_colours() -> None:
    spaces = (Space("1", "danger", "2", 2, (car("red"), Badge("oil"))), Space("2"))
    plain, coloured = text_of(*spaces), text_of(*spaces, color=True)
    assert "\x1b[1;31m▲red\x1b[0m" in coloured
    assert "\x1b[1mTrack\x1b[0m" in coloured
    assert "\x1b" not in plain
    assert "oil" in coloured


SPACES = st.builds(
    Space,
    st.text(max_size=30),
    st.sampled_from(("", "danger", "sand", "日本")),
    st.text(max_size=3),
    st.integers(0, 4),
    st.lists(st.builds(Badge, st.text(min_size=1, max_size=30), st.sampled_from(Sign)), max_size=4).map(tuple),
)


@given(st.lists(SPACES, max_size=60))
@settings(max_examples=100, deadline=None)
def test_no_row_is_too_long(spaces: list[Space]) -> None:
    drawn = drawing_text(Drawing((Track("Any", tuple(spaces), "//"),)))
    assert all(display_width(line) <= LINE_WIDTH for line in drawn.split("\n"))


def test_hostile_texts_are_harmless(hostile: str, assert_harmless: Any) -> None:
    track = Track(hostile, (Space(hostile, hostile, hostile, 1, (Badge(hostile, Sign.PIECE, hostile), hostile)),), hostile)
    assert_harmless(drawing_text(Drawing((track,))), 5)
    assert_harmless(drawing_text(Drawing((track,)), color=True), 5, has_colour=True)


def test_names_that_are_cut_never_look_the_same() -> None:
    seats = ("north-eastern-car", "north-western-car", "north-northern-car")
    spaces = tuple(Space(str(at), badges=(Badge(seat, Sign.PIECE, seat),)) for at, seat in enumerate(seats))
    (line,) = [line for line in drawing_text(Drawing((Track("Any", spaces),))).splitlines() if "▲" in line]
    assert len(set(line.split())) == len(seats)
