"""The sheet of terminal cells: nothing that is written on it pushes its neighbours away."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.core.scene import Run
from adjudicator.core.width import display_width
from adjudicator.scenes.canvas import Canvas


def test_writing_replaces_what_was_there() -> None:
    canvas = Canvas(6, 2)
    canvas.put(0, 0, "abcdef")
    canvas.put(2, 0, "XY")
    canvas.put(4, 1, "long")
    assert canvas.lines() == ["abXYef", "    lo"]


def test_half_of_a_wide_character_never_stays() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "車車車")
    canvas.put(1, 0, "x")
    canvas.put(4, 0, "y")
    assert canvas.lines() == [" x車y"]
    canvas.put(3, 0, "z")
    assert canvas.lines() == [" x zy"]


def test_combining_marks_stay_with_their_letter() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "ab")
    canvas.put(2, 0, "\u0301e\u0301車\u0301")
    assert canvas.lines() == ["abe\u0301"]
    canvas.put(2, 0, "車\u0301")
    assert canvas.lines() == ["ab車\u0301"]


@given(st.lists(st.tuples(st.integers(0, 11), st.text("ab車e\u0301", max_size=8)), max_size=8))
def test_a_line_is_never_wider_than_the_sheet(writings: list[tuple[int, str]]) -> None:
    canvas = Canvas(12, 1)
    for x, text in writings:
        canvas.put(x, 0, text)
    canvas.put(11, 0, "|")
    (line,) = canvas.lines()
    assert display_width(line) == 12


def test_free_stretches_are_the_blank_cells() -> None:
    canvas = Canvas(10, 1)
    canvas.put(3, 0, "x")
    canvas.put(6, 0, "車")
    assert canvas.free(0, 0, 10) == [(0, 3), (4, 2), (8, 2)]
    assert canvas.free(0, 3, 7) == [(4, 2)]


def test_runs_have_one_style_each() -> None:
    canvas = Canvas(8, 1)
    canvas.put(1, 0, "ab", Run("", seat="red"))
    canvas.put(4, 0, "c")
    assert canvas.runs() == ((Run(" "), Run("ab", seat="red"), Run(" c   ")),)
    assert canvas.runs(2, 5) == ((Run("b", seat="red"), Run(" c")),)
