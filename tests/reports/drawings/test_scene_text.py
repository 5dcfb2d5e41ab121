"""Scenes as text: what flows in rows, what is cut into parts, and the colours of seats."""

from __future__ import annotations

from typing import Any

import pytest
from boards import key, lap, space

from adjudicator.core.drawing import Drawing
from adjudicator.core.scene import Later, Lines
from adjudicator.core.width import display_width
from adjudicator.reports.drawings.drawing_text import drawing_text
from adjudicator.reports.drawings.scene_text import LINE_WIDTH
from adjudicator.reports.pictures.picture import picture
from adjudicator.reports.text.terminal_colors import seat_style
from adjudicator.scenes import Run, Scene, Strip, Strips


def text_of(scene: Scene, *, color: bool = False, width: int | None = None) -> str:
    return drawing_text(Drawing((scene,)), color=color, width=width)


def test_columns_flow_from_left_to_right() -> None:
    drawn = text_of(lap(space("line", "red"), space("1"), space("2", "blue", "red")))
    assert drawn == "Lap\n   line     1     2\n   ▲red       ▲blue\n               ▲red"


def test_long_boards_are_broken_into_rows_of_one_length() -> None:
    _, *lines = text_of(lap(*(space(str(number)) for number in range(1, 56)))).split("\n")
    labels = [line.split() for line in lines if line]
    assert [len(row) for row in labels] == [14, 14, 14, 13]
    assert [label for row in labels for label in row] == [str(number) for number in range(1, 56)]
    assert max(map(display_width, lines)) <= LINE_WIDTH


def test_colours_add_nothing_but_colours() -> None:
    plain, coloured = text_of(lap(space("1", "red"))), text_of(lap(space("1", "red")), color=True)
    assert "\x1b[1;31m▲red\x1b[0m" in coloured
    assert "\x1b[1mLap\x1b[0m" in coloured
    assert "\x1b" not in plain


def test_a_legend_says_only_what_has_a_sign() -> None:
    assert drawing_text(Drawing((key("city", "desert"),))) == "c city   d desert\n▲ car"


def test_a_board_that_looks_the_same_to_the_next_reader_is_written_once() -> None:
    asked = list[tuple[str, int | None]]()

    def made(word: str, width: int | None) -> Lines:
        asked.append((word, width))
        return Lines(((Run(word),),))

    scenes = [Scene("kept", "", (), 0, 0, text=Later(made, (word,))) for word in ("one", "one", "two")]
    assert [text_of(scene, width=width) for scene, width in zip((*scenes, scenes[-1]), (9, 9, 9, 8), strict=True)] == [
        "one",
        "one",
        "two",
        "two",
    ]
    assert asked == [("one", 9), ("two", 9), ("two", 8)]


def test_a_narrow_page_shows_a_board_in_parts() -> None:
    def strip(*lines: str, remarks: tuple[str, ...] = ()) -> Strip:
        return Strip(tuple((Run(line),) for line in lines), ((Run("-"),),) * len(lines), remarks)

    strips = tuple(strip(f"{at}{at}{at}", remarks=(f"remark {at}",)) for at in range(4))
    board = Strips(strips, strip("<"), strip(">"), strip("["), strip("]"))
    scene = Scene("s", "", (), 0, 0, text=board)
    assert text_of(scene).split("\n")[0] == "<000-111-222-333>"
    assert text_of(scene, width=10).split("\n") == [
        "<000-111-]",
        "remark 0",
        "remark 1",
        "",
        "[222-333>",
        "remark 2",
        "remark 3",
    ]


@pytest.mark.parametrize("seats", [("ann", "red"), ("blue", "red")])
def test_red_is_red_in_every_drawing(seats: tuple[str, ...]) -> None:
    drawing = Drawing((lap(space("1", "red")),))
    assert "\x1b[1;31m▲red" in drawing_text(drawing, color=True, seats=seats)
    assert 'fill="#c0392b"' in (picture(drawing, "x", seats) or "")


def test_a_seat_keeps_its_colour_when_others_have_left_the_board() -> None:
    alone = drawing_text(Drawing((lap(space("1", "bob")),)), color=True, seats=("ann", "bob"))
    assert f"\x1b[{seat_style('bob', ('ann', 'bob'))}m▲bob" in alone


def test_hostile_texts_are_harmless(hostile: str, assert_harmless: Any) -> None:
    scene = lap(space(hostile, hostile), title=hostile)
    assert_harmless(text_of(scene), 3)
    assert_harmless(text_of(scene, color=True), 3, has_colour=True)
