"""Cards to share, and the pixels of pictures: bold words, films, and what to do without the extras."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from typer.testing import Result

from adjudicator.library.begin import open_game
from adjudicator.present import position_of
from adjudicator.reports.pages.card import thumbnail_svg
from adjudicator.reports.pictures.gif import MOST_FRAMES, frames_of, gif_of
from adjudicator.reports.pictures.png import png_of

Run = Callable[..., Result]
EXAMPLES = Path(__file__).parents[3] / "examples"
RACE = EXAMPLES / "great-race" / "race" / "game.json"


def text_svg(weight: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30" width="90" height="30" font-family="sans-serif">'
        f'<text x="5" y="20" font-weight="{weight}">Wagen →</text></svg>'
    )


def test_bold_words_are_bold_in_pixels() -> None:
    pytest.importorskip("resvg_py")
    assert png_of(text_svg("bold"), 90, 30) != png_of(text_svg("normal"), 90, 30)


def test_a_card_has_title_board_and_standings_in_the_colours_of_the_seats(run: Run) -> None:
    run("show", RACE, "--card", "race.svg", code=0)
    text = Path("race.svg").read_text("utf-8")
    assert 'viewBox="0 0 1200 630"' in text
    for words in ("Ann (red) has won", "The Great Race · corsica-2", "1. Ann (red)", "80 F", "Bastia", "#c0392b"):
        assert words in text


def test_a_card_and_a_thumbnail_of_checkpoint_charlie_show_the_wall(run: Run) -> None:
    game = EXAMPLES / "checkpoint-charlie" / "three-players" / "game.json"
    run("show", game, "--card", "wall.svg", code=0)
    session = open_game(game).session
    drawn = (Path("wall.svg").read_text("utf-8"), thumbnail_svg(position_of(session, None)))
    assert all(f">{suspect}</text>" in svg for svg in drawn for suspect in session.config.looks)


def test_a_card_shows_only_what_its_reader_may_know(run: Run) -> None:
    start = EXAMPLES / "checkpoint-rally" / "two-players" / "start.json"
    run("show", start, "--card", "all.svg", code=0)
    run("show", start, "--card", "red.svg", "--as", "red", code=0)
    assert "turn 1" in Path("all.svg").read_text("utf-8")
    assert Path("all.svg").read_text("utf-8").count("<text") <= Path("red.svg").read_text("utf-8").count("<text")


@pytest.mark.usefixtures("whole_size")
def test_a_card_in_pixels(run: Run) -> None:
    pytest.importorskip("resvg_py")
    run("show", RACE, "--card", "race.png", code=0)
    run("show", RACE, "--card", "race.png", code=0)
    data = Path("race.png").read_bytes()
    assert (data[:4], data[16:20], data[20:24]) == (b"\x89PNG", (1200).to_bytes(4, "big"), (630).to_bytes(4, "big"))


@pytest.mark.parametrize(
    ("name", "words"), [("race.jpg", "ends in .png or .svg"), ("notes.svg", "notes.svg already exists and is not a picture")]
)
def test_a_card_replaces_no_other_file(run: Run, name: str, words: str) -> None:
    Path("notes.svg").write_text("buy tea")
    assert words in run("show", RACE, "--card", name, code=2).stderr


def test_a_film_has_a_picture_for_every_entry(run: Run) -> None:
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    told = run("replay", RACE, "-o", "race.gif", "--until", 3, code=0).stdout
    assert told == "race.gif: The Great Race, game corsica-2, 4 pictures of 4 entries\n"
    with image.open("race.gif") as film:
        assert (film.format, film.n_frames, max(film.size)) == ("GIF", 4, 720)
        durations = [film.seek(at) or film.info["duration"] for at in range(4)]
    assert durations == [600, 600, 600, 4000]


def test_pictures_of_several_sizes_share_the_largest_paper() -> None:
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    small = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 40" width="9" height="40"/>'
    with image.open(BytesIO(gif_of([text_svg("bold"), small]))) as film:
        assert film.size == (90, 40)


def test_a_large_picture_stays_readable() -> None:
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    large = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 800" width="1600" height="800"/>'
    with image.open(BytesIO(gif_of([large]))) as film:
        assert film.size == (1200, 600)


def test_a_long_film_leaves_out_entries_between_the_first_and_the_last() -> None:
    assert list(frames_of(3)) == [0, 1, 2]
    long = list(frames_of(2_067))
    assert (len(long), long[0], long[-1]) == (MOST_FRAMES, 0, 2_066)


@pytest.mark.parametrize("missing", ["PIL", "resvg_py"])
def test_a_film_needs_its_extra(run: Run, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    told = run("replay", RACE, "-o", "race.gif", code=2)
    assert "pip install 'pbem-adjudicator[gif]'" in told.stderr and not Path("race.gif").exists()


def test_a_film_replaces_no_other_file(run: Run) -> None:
    Path("race.gif").write_text("buy tea")
    assert "race.gif already exists and is not a picture" in run("replay", RACE, "-o", "race.gif", code=2).stderr
