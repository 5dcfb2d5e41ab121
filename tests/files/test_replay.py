"""The replay of a game, entry by entry, as each reader may know it: from the library, as text, as JSON lines, as a page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

import adjudicator as adj
from adjudicator.library.errors import NoSuchEntryError
from adjudicator.reports.drawing_text import description_lines
from adjudicator.reports.heading import title_line
from adjudicator.reports.picture import as_file, draw
from adjudicator.reports.replay_page import tables_of
from tests.drivers import toy
from tests.drivers.records import EXAMPLE, ROOT, forge, put, small, spoiled

Run = Callable[..., Result]
FIRST_LINE = "<!doctype html><!-- a replay page of adjudicator -->"
NAMES = ("checkpoint-rally", "checkered-flag", "checkpoint-charlie", "rally-round", "great-race", "corrected", "toy")
READERS = (None, "red", "blue", "moderator")


@cache
def game(name: str) -> adj.Game:
    """Return the example of a game; with corrections; or one without a board."""
    if name == "toy":
        return toy.new().apply({"red": "ADD 1\nROLL\nHIDE", "blue": "ADD 1\nADD 2\nROLL 2"}).game
    if name == "great-race":
        return adj.open(small("great-race", 12))
    corrected = "tests/data/games/checkpoint-rally/again-005.json"
    return adj.open(ROOT / (corrected if name == "corrected" else EXAMPLE[name]))


@cache
def page(name: str, viewer: str | None) -> str:
    return game(name).seen_by(viewer).replay_page().text


def data_of(text: str) -> dict[str, Any]:
    """Return what the script of a page is given."""
    (block,) = re.findall(r'<script type="application/json" id="replay">(.*?)</script>', text, re.DOTALL)
    data: dict[str, Any] = json.loads(block)
    return data


def rooms_of(data: dict[str, Any], step: int) -> dict[str, str]:
    """Return the HTML of each room of a page after a step, put together as the script does."""
    lists: list[list[int]] = [[] for _ in data["rooms"]]
    for one in data["steps"][: step + 1]:
        for room, changes in one["edits"]:
            for at, gone, come in reversed(changes):
                lists[room][at : at + gone] = come
    return {name: "><".join(data["pieces"][n] for n in shown) for name, shown in zip(data["rooms"], lists, strict=True)}


def saved(rooms: dict[str, str]) -> str | None:
    """Return the picture that the page saves."""
    whole = re.sub("\0([^\0]+)\0", lambda found: rooms[found[1]], rooms["file"]) if "file" in rooms else None
    return whole and re.sub(r'<g class="new">.*?</g>', "", whole)


# What it says --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def turns() -> tuple[adj.Game, ...]:
    """Return a game after its set-up, after each of its first turns, and after two corrections."""
    secret = "892c2d58776394760045698cff022a8463160923d1de11c65299d21135e6db8d"
    games = [adj.new("checkpoint-rally", {"red": "Ann", "blue": "Bob"}, id="rally-021", seed=secret)]
    for path in sorted((ROOT / "examples/checkpoint-rally/two-players").glob("turn-0[1-5].txt")):
        games.append(games[-1].apply(path).game)
    games.append(games[-1].undo(len(toy.entries(games[-1])) - 3, "the wrong mail"))
    return (*games, games[-1].amend(["racers[red].minutes=40"], "a slip of the pen"))


@pytest.mark.parametrize("reader", READERS)
def test_the_position_after_an_entry_is_what_was_shown_then(turns: tuple[adj.Game, ...], reader: str | None) -> None:
    steps = {step.n: step for step in turns[-1].seen_by(reader).replay()}
    for then in turns:
        n = len(toy.entries(then)) - 1
        assert steps[n].position.view == then.seen_by(reader).position.view
        assert steps[n].position.standings == then.seen_by(reader).position.standings
    assert [step.rows for step in steps.values()] == [
        tuple(row for row in turns[-1].seen_by(reader).log() if row.n == n) for n in steps
    ]
    assert turns[-1].seen_by(reader).position.view == list(steps.values())[-1].position.view


def test_positions_can_be_asked_for_in_any_order(turns: tuple[adj.Game, ...]) -> None:
    """Also where the secret was told and the game goes on, so that no head may be told any more."""
    told = turns[-1].reveal("asked for", force=True).undo(5, "played on")
    forward = [adj.render(step.position) for step in told.seen_by("red").replay()]
    steps = list(told.seen_by("red").replay())
    assert [adj.render(step.position) for step in reversed(steps)] == forward[::-1]


def test_an_entry_that_was_undone_is_marked(turns: tuple[adj.Game, ...], run: Run) -> None:
    Path("race.json").write_bytes(turns[-1].to_bytes())
    undoing = len(toy.entries(turns[-2])) - 1
    marked = [step.n for step in turns[-1].seen_by().replay() if step.rows[0].undone_by == undoing]
    assert marked == [undoing - 2, undoing - 1]
    assert run("replay", "race.json", code=0).stdout.count(f"undone by entry {undoing}: ") == 2
    told = [json.loads(line) for line in run("replay", "race.json", "--json", code=0).stdout.splitlines()]
    assert [data["n"] for data in told if data.get("undone_by") == undoing] == marked
    assert [data["n"] for data in told] == list(range(len(toy.entries(turns[-1]))))


def test_the_command_shows_only_the_entries_asked_for(turns: tuple[adj.Game, ...], run: Run) -> None:
    Path("race.json").write_bytes(turns[-1].to_bytes())
    lines = run("replay", "race.json", "--from", 2, "--until", 4, "--json", code=0).stdout.splitlines()
    assert [json.loads(line)["n"] for line in lines] == [2, 3, 4]
    shown = run("replay", "race.json", "--from", 2, "--until", 2, code=0).stdout
    assert "  2  Ann (red)  PLACE U10 at A1 rot 90" in shown
    assert shown.rstrip().endswith("  Ann (red): choose an action: PLACE, MOVE, DRAW, REFRESH or TAKE (CR-T1)")
    boards = run("replay", "race.json", "--from", 1, "--until", 2, "--boards", code=0).stdout
    assert boards.count("as everybody sees it") == 2
    data = Path("race.json").read_bytes()
    assert run("replay", "-", stdin=data, code=0).output == run("replay", "race.json", code=0).output
    (only,) = turns[0].seen_by().replay()
    assert only.n == 0
    with pytest.raises(NoSuchEntryError, match="only entry 0, the set-up"):
        turns[0].seen_by().replay(first=1)


def test_secrets_stay_secret(turns: tuple[adj.Game, ...], run: Run) -> None:
    Path("race.json").write_bytes(turns[-1].to_bytes())
    cards = [f'"{racer["card"]}"' for racer in toy.document(turns[-1])["state"]["racers"]]
    told, mine = (run("replay", "race.json", "--json", "--boards", *seen, code=0).stdout for seen in ((), ("--as", "red")))
    assert [[card in text for card in cards] for text in (told, mine)] == [[False, False], [True, False]]


MISUSE = [
    (("--until", 99), 2, "no entry 99"),
    (("--from", -1), 2, "there is no entry -1"),
    (("--from", 5, "--until", 4), 2, "after its end"),
    (("--as", "green"), 2, "no seat “green”"),
    (("-o", "page.txt"), 2, "ends in .html"),
    (("-o", "page.html", "--boards"), 2, "leave out --boards"),
    (("-o", "-", "--json"), 2, "name a file"),
    (("-o", "page.html", "--as", "green"), 2, "no seat “green”"),
    (("-o", "page.html", "--from", "99"), 2, "no entry 99"),
    (("-o", "nowhere/page.html"), 2, "no such folder"),
]


@pytest.mark.parametrize(("options", "code", "words"), MISUSE)
def test_what_makes_no_sense_is_misuse(run: Run, options: tuple[object, ...], code: int, words: str) -> None:
    Path("race.json").write_bytes(small("checkpoint-rally"))
    assert words in run("replay", "race.json", *options, code=code).output
    assert not Path("page.html").exists()


def test_a_damaged_file_is_told(run: Run) -> None:
    Path("bad.json").write_bytes(small("checkpoint-rally").replace(b"Ann", b"Eve"))
    assert "bad.json: this file" in run("replay", "bad.json", code=3).stderr
    assert "standard input: " in run("replay", "-", stdin=b"hello", code=3).stderr
    assert "no such file" in run("replay", "none.json", code=2).stderr


# The page ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reader", [None, "moderator"])
@pytest.mark.parametrize("name", NAMES)
def test_each_step_of_the_page_has_the_picture_and_the_tables_of_that_entry(name: str, reader: str | None) -> None:
    data, steps = data_of(page(name, reader)), list(game(name).seen_by(reader).replay())
    assert len(data["steps"]) == len(steps)
    for at in {0, 1, len(steps) // 2, len(steps) - 1}:
        rooms, position = rooms_of(data, at), steps[at].position
        drawn = draw(position.drawing, seats=position.players, details=False)
        meant = as_file(drawn, title_line(position.heading)).svg if drawn.figures else None
        assert saved(rooms) == meant
        assert {one.id for one in drawn.figures} == {name for name in data["figures"] if rooms[name]}
        words = re.findall(r"<li>(.*?)</li>", rooms["sentences"])
        assert [unescape(one) for one in words] == list(description_lines(position.drawing))
        cells = [unescape(one) for one in re.findall(r"<(?:caption|t[hd])(?: [^>]*)?>(.*?)</", rooms["tables"])]
        tables = list(tables_of(position))
        assert cells == [
            cell
            for title, headings, rows in tables
            for cell in ([title] if title else []) + [*headings] + [cell for row in rows for cell in row]
        ]


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_the_whole_log_and_asks_for_nothing(name: str) -> None:
    text = page(name, "moderator")
    log = re.sub("</?button[^>]*>", "", text.partition('id="log"')[2])
    words = " ".join(unescape(re.sub(r"<[^>]*>", " ", log)).split())
    said = [
        part
        for step in game(name).seen_by("moderator").replay()
        for row in step.rows
        for part in (row.order, *row.told, *row.notes)
    ]
    assert len(said) > 6
    assert [part for part in said if " ".join(part.split()) not in words] == []
    assert text.startswith(FIRST_LINE + "\n")
    assert not re.search(r"(?:src|href)=\"(?!#|data:,)", text)
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', text)
    assert policy is not None and policy[1].startswith("default-src &#39;none&#39;; style-src &#39;sha256-")
    assert "unsafe" not in policy[1] and "http" not in policy[1]
    assert game(name).seen_by("moderator").replay_page().text == text, "the same each time"


@pytest.mark.parametrize(
    "hostile",
    [
        *("<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "]]><!-- <script>", "{{ 7*7 }} {% raw %}"),
        *("\u202eder\u2066 evil", "&lt;b&gt; \" ' `"),
    ],
)
def test_nothing_that_players_write_becomes_markup(hostile: str) -> None:
    begun = json.loads(small("checkered-flag", 3))
    named = adj.open(forge(spoiled(begun, {f"setup.players[{n}].holder": hostile for n in (0, 1)})))
    reason = hostile.replace("\u202e", "").replace("\u2066", "")
    text = named.hand_over("red", "Zoe", reason).seen_by("moderator").replay_page().text
    plain = page("checkered-flag", "moderator")
    assert text.count("<script") == plain.count("<script") == 2
    assert (text.count("<img"), "\u202e" in text, "\u2066" in text) == (0, False, False)
    assert hostile.replace("\u202e", "\\u202e").replace("\u2066", "\\u2066") in unescape(text)
    assert data_of(text)


def test_very_long_words_and_control_characters_are_told_whole() -> None:
    document = json.loads(small("checkered-flag", 3))
    last = len(document["journal"]) - 1
    long = put(document, f"journal[{last}].entry.written", "x" * 1_900 + "\x07\x1b[31m")
    text = adj.open(forge(long)).seen_by("moderator").replay_page().text
    assert "x" * 1_900 + "␇␛[31m" in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)


def test_an_entry_takes_less_than_six_kilobytes() -> None:
    made = game("corrected").seen_by("moderator").replay_page()
    assert len(made.text.encode()) < 6_000 * made.entries + 60_000


def test_the_headline_of_a_finished_game_is_its_result() -> None:
    over = game("checkpoint-rally")
    assert "<h1>rally-021: Bob (blue) has won</h1>" in page("checkpoint-rally", None)
    assert "<h1>Bob (blue) has won</h1>" in adj.render(over.seen_by().report(since=0), "html")
    assert "Ann (red) sees" in adj.render(over.seen_by("red").report(since=0), "html")


def test_the_command_writes_a_page_and_says_what_it_shows(run: Run) -> None:
    """Of a game that is over everything is shown."""
    Path("race.json").write_bytes(game("checkpoint-rally").to_bytes())
    told = run("replay", "race.json", "-o", "page.html", code=0).stdout
    assert told == "page.html: Checkpoint Rally, game rally-021, 52 entries, as the moderator sees it\n"
    assert Path("page.html").read_text("utf-8") == page("checkpoint-rally", "moderator")
    assert run("replay", "race.json", "-o", "-", "--as", "red", code=0).stdout_bytes.decode() == page(
        "checkpoint-rally", "red"
    )
    data = data_of(run("replay", "race.json", "-o", "-", "--from", 5, "--until", 9, code=0).stdout)
    assert [step["anchor"] for step in data["steps"]] == ["5", "6", "7", "8", "9"]
    seed = "ab" * 32
    Path("script.txt").write_text(f"script checkered-flag\nid talk\nseat red\nseat blue\nseed {seed}\nturn 1\nred: GEAR 1\n")
    assert "2 entries, as everybody sees it" in run("replay", "script.txt", "-o", "talk.html", code=0).stdout


def test_a_page_replaces_a_page_and_nothing_else(run: Run) -> None:
    Path("race.json").write_bytes(small("checkered-flag", 3))
    for seen in ((), ("--as", "red")):
        run("replay", "race.json", "-o", "page.html", *seen, code=0)
    Path("other.html").write_text("<p>mine</p>")
    assert "is not a replay page" in run("replay", "race.json", "-o", "other.html", code=2).stderr
    assert Path("other.html").read_text() == "<p>mine</p>"
    run("replay", "race.json", "-o", "other.html", "--force", code=0)
    assert Path("other.html").read_text("utf-8").startswith(FIRST_LINE)
