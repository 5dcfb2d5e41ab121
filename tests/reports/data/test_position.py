"""Where a game stands, for people and machines."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest

from adjudicator.core.canonical import json_value
from adjudicator.core.drawing import Drawing, Fields
from adjudicator.core.ids import MODERATOR, Seat
from adjudicator.core.ruleset import Decision, Standing
from adjudicator.reports.data.heading import Heading, head_lines, player_name, result_words, title_line
from adjudicator.reports.data.position import Position, position_text, shown_position
from adjudicator.reports.text.sanitize import safe_json

RED, BLUE = Seat("red"), Seat("blue")


@dataclass(frozen=True)
class View:
    row: tuple[str, ...]


HEADING = Heading(
    game="rally-042",
    ruleset="checkpoint-rally",
    name="Checkpoint Rally",
    turn=8,
    components="house-1",
    unit=("min", "minutes"),
    viewer=RED,
    commitment="c0ffee" * 10 + "c0ff",
)
POSITION = Position(
    heading=HEADING,
    drawing=Drawing((Fields("Tiles", (("row", "U7 H2"),)),)),
    decisions=(Decision(BLUE, "action", "draw, place or move", "CR-T1"),),
    standings=(Standing(1, BLUE, 28, "2 of 4 checkpoints"), Standing(2, RED, 131, "1 of 4 checkpoints")),
    pending=((RED, 2), (BLUE, 1)),
    warnings=("red's start tile has no way out",),
    view=View(("U7", "H2")),
)


def test_people_read_it_from_top_to_bottom() -> None:
    assert position_text(POSITION) == (
        "rally-042 · Checkpoint Rally · turn 8 · components house-1 · as red sees it\n"
        "commitment c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff\n"
        "write `turn 8` above your orders\n"
        "\n"
        "Tiles\n"
        "  row  U7 H2\n"
        "\n"
        "Decisions due\n"
        "  blue: draw, place or move (CR-T1)\n"
        "\n"
        "Standings\n"
        "  1.  blue   28  min  2 of 4 checkpoints\n"
        "  2.  red   131  min  1 of 4 checkpoints\n"
        "\n"
        "Pending orders\n"
        "  red: 2 orders\n"
        "  blue: 1 order\n"
        "\n"
        "Please note\n"
        "  red's start tile has no way out"
    )


def test_the_kind_of_a_decision_is_for_machines() -> None:
    decision = Decision(BLUE, "action", "choose what to do: PLACE or MOVE", "CR-T1")
    lines = position_text(replace(POSITION, decisions=(decision,))).splitlines()
    assert "  blue: choose what to do: PLACE or MOVE (CR-T1)" in lines


@pytest.mark.parametrize(
    ("viewer", "words"),
    [(None, "as everybody sees it"), (MODERATOR, "as the moderator sees it"), (BLUE, "as blue sees it")],
)
def test_the_heading_tells_who_looks(viewer: Seat | None, words: str) -> None:
    assert title_line(replace(HEADING, viewer=viewer)).endswith(words)


def named() -> Position:
    """Return the position with its players: Ann has a name, and nobody in particular holds blue."""
    return replace(POSITION, heading=replace(HEADING, holders={RED: "Ann", BLUE: ""}))


def test_players_are_named_with_their_seats() -> None:
    lines = position_text(named()).splitlines()
    assert lines[0].endswith(" · as Ann (red) sees it")
    assert any(line.startswith("  blue: draw") for line in lines)
    assert "  2.  Ann (red)  131  min  1 of 4 checkpoints" in lines
    assert "  Ann (red): 2 orders" in lines
    assert named().players == {"blue": "blue", "red": "Ann (red)"}


def test_a_player_who_is_called_like_the_seat_is_named_once() -> None:
    assert player_name("red", {RED: "Red"}) == "red"


WON = Standing(1, RED, 40, "first", is_final=True)
SECOND = Standing(2, BLUE, 30, "second", is_final=True)


@pytest.mark.parametrize(
    ("standings", "words"),
    [
        ((WON, SECOND), "Ann (red) has won"),
        ((WON, replace(SECOND, place=1)), "Ann (red) and blue share the first place"),
        ((replace(WON, place=2), SECOND), "no winner"),
        (tuple(replace(WON, seat=Seat(f"s{n}")) for n in range(7)), "7 players share the first place"),
    ],
)
def test_the_headline_of_a_finished_game_is_its_result(standings: tuple[Standing, ...], words: str) -> None:
    result = result_words(standings, {RED: "Ann"})
    assert result == words
    over = replace(HEADING, is_over=True, result=result)
    assert title_line(over) == f"rally-042 · Checkpoint Rally · over: {words} · components house-1 · as red sees it"


def test_a_finished_game_has_a_result() -> None:
    final = (Standing(1, BLUE, 40, "finished first", is_final=True),)
    over = replace(HEADING, is_over=True)
    text = position_text(replace(POSITION, heading=over, standings=final, decisions=(), pending=(), warnings=()))
    assert " · over · " in text.splitlines()[0]
    assert text.splitlines()[-2:] == ["Result", "  1.  blue  40  min  finished first"]
    assert "due" not in text


def test_a_game_with_recorded_chance_has_no_commitment() -> None:
    first, number = head_lines(replace(HEADING, commitment=None))
    assert first == title_line(HEADING)
    assert "`turn 8`" in number


def test_no_number_is_told_when_nothing_more_is_to_be_written() -> None:
    assert not any("write" in line for line in head_lines(replace(HEADING, is_over=True)))


def test_machines_read_the_same_and_the_view() -> None:
    data = json_value(shown_position(POSITION))
    assert json.loads(safe_json(shown_position(POSITION))) == data
    assert data["due"] == [{"seat": "blue", "kind": "action", "ask": "draw, place or move", "rule": "CR-T1"}]
    assert data["standings"][0]["score"] == 28
    assert data["pending"] == {"red": 2, "blue": 1}
    assert data["view"] == {"row": ["U7", "H2"]}
    assert data["commitment"] == HEADING.commitment
    assert (data["ruleset"], data["name"]) == ("checkpoint-rally", "Checkpoint Rally")
    assert (data["game"], data["turn"], data["viewer"], data["over"]) == ("rally-042", 8, "red", False)


def test_hostile_texts_are_harmless(hostile: str, assert_harmless: Any) -> None:
    seat = Seat(hostile)
    position = Position(
        heading=Heading(
            game=hostile,
            ruleset=hostile,
            name=hostile,
            turn=1,
            components=hostile,
            unit=(hostile, hostile),
            viewer=seat,
        ),
        drawing=Drawing(()),
        decisions=(Decision(seat, hostile, hostile, hostile),),
        standings=(Standing(1, seat, 1, hostile),),
        pending=((seat, 1),),
        warnings=(hostile,),
    )
    assert_harmless(position_text(position), 14)
    assert_harmless(position_text(position, color=True), 14, has_colour=True)
    assert safe_json(shown_position(position)).isprintable()
