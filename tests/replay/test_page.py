"""The replay page as a file: the picture and the tables after every entry, as small as it can be, and no secret in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from past import session_after
from play import begin
from typer.testing import Result

from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.journal import Journal
from adjudicator.corrections.correct import amend
from adjudicator.games.checkpoint_rally.state import Position, SeatAt, TileAt
from adjudicator.present import position_of
from adjudicator.replay import moves_of
from adjudicator.replay_page import page_of, usual_viewer
from adjudicator.reporting import report_for
from adjudicator.reports.drawings.scene_text import description_lines
from adjudicator.reports.pages.frames import Frames, frame_text
from adjudicator.reports.pages.replay_page import FIRST_LINE, Step, replay_page, step_picture, tables_of
from adjudicator.reports.pages.report_html import report_html
from adjudicator.reports.text.sanitize import printable
from adjudicator.session import Session, open_session
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

Run = Callable[..., Result]
ROOT = Path(__file__).parents[2]
Open = Callable[[str], Session]
Pages = Callable[[str, Seat | None], str]
NAMES = ("rally", "flag", "charlie", "round", "short race", "corrected", "toy")
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "]]><!-- <script>",
    "{{ 7*7 }} {% raw %}",
    "\u202eder\u2066 evil",
    "&lt;b&gt; \" ' `",
)


def data_of(page: str) -> dict[str, Any]:
    """Return what the script of ``page`` is given."""
    (block,) = re.findall(r'<script type="application/json" id="replay">(.*?)</script>', page, re.DOTALL)
    data: dict[str, Any] = json.loads(block)
    return data


def picture_at(data: dict[str, Any], at: int) -> str | None:
    """Return the picture of step ``at``, put together and without marks of changes, as the script saves it."""
    number = data["steps"][at]["picture"]
    return None if number is None else re.sub(r'<g class="new">.*?</g>', "", frame_text(Frames(**data["pictures"]), number))


def viewers(session: Session) -> tuple[Seat | None, ...]:
    return (None, session.seats[-1], MODERATOR)


@pytest.fixture(scope="module")
def pages(opened: Open) -> Pages:
    """Return the page of a game, by its short name, for a viewer; each is made once."""
    return cache(lambda name, viewer: page_of(opened(name), viewer).text)


def beginning(session: Session) -> Session:
    """Return the first entries of ``session``, which make a small page."""
    return session_after(session, next(islice(moves_of(session, MODERATOR), 8, None)))


@pytest.mark.parametrize("steps", [3, pytest.param(20, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", NAMES)
def test_each_step_has_the_picture_and_the_tables_of_that_entry(opened: Open, pages: Pages, name: str, steps: int) -> None:
    """Of each viewer so many steps, each other ones."""
    session = opened(name)
    for first, viewer in enumerate(viewers(session)):
        data = data_of(pages(name, viewer))
        moves = list(moves_of(session, viewer))
        assert len(data["steps"]) == len(moves)
        apart = max(1, len(moves) // steps)
        for at, move in [*enumerate(moves)][first * apart // 3 :: apart]:
            position = position_of(session_after(session, move), viewer, move.turn)
            assert picture_at(data, at) == step_picture(position)
            sentences = [data["sentences"][number] for number in data["steps"][at]["sentences"]]
            assert sentences == list(description_lines(position.drawing))
            tables = [data["tables"][number] for number in data["steps"][at]["tables"]]
            shown = [
                (table["title"], table["headings"], [data["rows"][number] for number in table["rows"]]) for table in tables
            ]
            assert shown == [(title, [*headings], [[*row] for row in rows]) for title, headings, rows in tables_of(position)]


@pytest.mark.parametrize("name", NAMES)
def test_the_log_stands_beside_it_whole(opened: Open, pages: Pages, name: str) -> None:
    session = opened(name)
    page = pages(name, MODERATOR)
    words = " ".join(unescape(re.sub(r"<[^>]*>", " ", page.partition('id="log"')[2])).split())
    for move in moves_of(session, MODERATOR):
        for said in (move.rows[0].order, *(told for row in move.rows for told in row.told), *move.rows[0].notes):
            assert " ".join(printable(said).split()) in words


def test_the_last_picture_is_that_of_show(opened: Open, pages: Pages) -> None:
    session = opened("rally")
    assert picture_at(data_of(pages("rally", None)), -1) == step_picture(position_of(session, None))


@pytest.mark.parametrize("name", NAMES)
def test_the_page_asks_for_nothing(pages: Pages, name: str) -> None:
    page = pages(name, None)
    assert page.startswith(FIRST_LINE + "\n")
    assert not re.search(r"(?:src|href)=\"(?!#|data:,)", page)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None and policy[1].startswith("default-src &#39;none&#39;; style-src &#39;sha256-")
    assert "unsafe" not in policy[1] and "http" not in policy[1]


@pytest.mark.parametrize("name", ["rally", "round", "toy"])
def test_the_page_is_the_same_each_time(opened: Open, pages: Pages, name: str) -> None:
    assert page_of(opened(name), None).text == pages(name, None)


def test_the_page_of_a_seat_is_that_of_every_world_it_may_be_in() -> None:
    """The other's hand, card and draws are different; all that the first knows is the same: so is its page, to the byte."""

    def world(card: str, hand: tuple[str, ...]) -> Session:
        seats = (
            SeatAt(seat="red", card="K1", cell="C3", hand=("H2", "H3", "G1")),
            SeatAt(seat="blue", card=card, cell="A1", hand=hand, minutes=5),
        )
        board = tuple(TileAt(cell=cell, tile=tile) for cell, tile in (("C3", "H13"), ("D3", "H14"), ("A1", "U13")))
        position = Position(seats=seats, board=board, row=("H4", "H5", "H6"))
        return amend(begin(seats="red=Ann blue=Bob", position=position, recorded=()), ["racers[red].minutes=31"], "a slip")

    one, other = world("K2", ("U1", "U2")), world("K3", ("G4", "G5"))
    for viewer in (None, Seat("red")):
        assert page_of(one, viewer) == page_of(other, viewer)
    for viewer in (Seat("blue"), MODERATOR):
        assert page_of(one, viewer) != page_of(other, viewer)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_nothing_that_players_write_becomes_markup(opened: Open, pages: Pages, hostile: str) -> None:
    session = beginning(opened("rally"))
    named = tuple(replace(player, holder=hostile) for player in session.game.setup.players)
    session = session.with_game(replace(session.game, setup=replace(session.game.setup, players=named)))
    page = page_of(amend(session, ["racers[red].minutes=99"], hostile), MODERATOR).text
    plain = pages("rally", MODERATOR)
    assert page.count("<script") == plain.count("<script") == 2
    assert page.count("<img") == page.count("<b>alert") == 0
    assert "\u202e" not in page and "\u2066" not in page
    assert printable(hostile) in unescape(page)
    assert data_of(page)


def test_very_long_words_and_control_characters_are_told_whole(opened: Open) -> None:
    session = beginning(opened("rally"))
    *others, last = session.game.journal
    last = replace(last, entry=replace(last.entry, written=f"{'x' * 10_000}\x07\x1b[31m"))
    page = page_of(session.with_game(replace(session.game, journal=Journal([*others, last]))), MODERATOR).text
    assert "x" * 10_000 + "␇␛[31m" in page
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", page)


@pytest.mark.parametrize("entries", [100, pytest.param(500, marks=pytest.mark.soak)])
def test_an_entry_takes_less_than_six_kilobytes(entries: int) -> None:
    """One after the other those of several games, which have less in common than those of one."""
    steps = list[Step]()
    for path in sorted((ROOT / "tests" / "data" / "games" / "checkpoint-rally").glob("recorded-*.json")):
        session = open_session(load_game(path))
        moves = moves_of(session, MODERATOR)
        steps += [Step(move.rows, position_of(session_after(session, move), MODERATOR, move.turn)) for move in moves]
        if len(steps) >= entries:
            break
    page = replay_page(steps[:entries])
    assert page.entries == entries
    assert len(page.text.encode()) < 6_000 * entries


def test_the_headline_of_a_finished_game_is_its_result(opened: Open) -> None:
    over = opened("rally")
    players = {"red": "Ann (red)", "blue": "Bob (blue)"}
    assert position_of(over, None).players == players
    assert "<h1>rally-021: Bob (blue) has won</h1>" in page_of(over, None).text
    assert "<h1>Bob (blue) has won</h1>" in report_html(report_for(over, None, 0))
    assert "Ann (red) sees" in report_html(report_for(over, Seat("red"), 0))


def test_of_a_game_that_is_over_everything_is_shown(opened: Open) -> None:
    over = opened("rally")
    begun = over.with_game(replace(over.game, journal=over.game.journal[:1], state=next(moves_of(over, None)).state))
    assert usual_viewer(over) == MODERATOR
    assert usual_viewer(begun) is None


@pytest.fixture
def game(opened: Open, tmp_path: Path) -> str:
    (tmp_path / "race.json").write_bytes(dump_game(opened("rally").game))
    return "race.json"


def test_the_command_writes_a_page_and_says_what_it_shows(game: str, run: Run, pages: Pages) -> None:
    told = run(game, "-o", "page.html").stdout
    assert told == "page.html: Checkpoint Rally, game rally-021, 52 entries, as the moderator sees it\n"
    assert Path("page.html").read_text("utf-8") == pages("rally", MODERATOR)
    assert run(game, "-o", "-", "--as", "red").stdout_bytes.decode() == pages("rally", Seat("red"))
    assert run(game, "-o", "-", "--as", "bystander").stdout_bytes.decode() == pages("rally", None)


def test_the_page_of_a_part_keeps_its_numbers(game: str, run: Run) -> None:
    data = data_of(run(game, "-o", "-", "--from", 5, "--until", 9).stdout)
    assert [step["anchor"] for step in data["steps"]] == ["5", "6", "7", "8", "9"]


def test_a_page_replaces_a_page_and_nothing_else(game: str, run: Run) -> None:
    run(game, "-o", "page.html", "--until", 3)
    run(game, "-o", "page.html", "--until", 3, "--as", "red")
    Path("other.html").write_text("<p>mine</p>")
    assert "is not a replay page" in run(game, "-o", "other.html", code=2).stderr
    assert Path("other.html").read_text() == "<p>mine</p>"
    run(game, "-o", "other.html", "--until", 3, "--force")
    assert Path("other.html").read_text("utf-8").startswith(FIRST_LINE)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("-o", "page.txt"), "ends in .html"),
        (("-o", "page.html", "--boards"), "leave out --boards"),
        (("-o", "-", "--json"), "name a file"),
        (("-o", "page.html", "--as", "green"), "no seat “green”"),
        (("-o", "page.html", "--from", "99"), "no entry 99"),
        (
            (
                "-o",
                "nowhere/page.html",
            ),
            "no such folder",
        ),
        (("-o", "page.html", "--export", "s.txt"), "use --export alone"),
        (("-o", "page.html", "--import", "g.json"), "it writes the whole game and shows nothing"),
    ],
)
def test_what_makes_no_sense_is_misuse(game: str, run: Run, options: tuple[str, ...], words: str) -> None:
    assert words in run(game, *options, code=2).output
    assert not Path("page.html").exists()


def test_the_page_of_a_script(run: Run) -> None:
    seed = "ab" * 32
    Path("script.txt").write_text(f"script checkered-flag\nid talk\nseat red\nseat blue\nseed {seed}\nturn 1\nred: GEAR 1\n")
    assert "2 entries, as everybody sees it" in run("script.txt", "-o", "page.html").stdout
