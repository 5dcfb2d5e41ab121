"""Statistics of a known small set of games, counted by hand."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from adjudicator.core.canonical import json_value
from adjudicator.core.ids import Seat
from adjudicator.outputs.simulations import EventCount, NumberSpread, SimulationPlan, WinShare
from adjudicator.reports.data.statistics import (
    GameTally,
    SeatTally,
    percent,
    simulation,
    statistics,
    statistics_text,
)
from adjudicator.rulesets import meta
from adjudicator.simulate.plan import Plan
from adjudicator.simulate.play import play_game
from adjudicator.simulate.plot import CannotPlotError, draw_plot, require_plot
from adjudicator.simulate.tally import tally_game

PLAN = SimulationPlan(ruleset="checkpoint-rally", games=3, players=2, seed=1, player="random", options={}, most_orders=5_000)
ABOUT = meta("checkpoint-rally")


def seat(name: str, place: int, score: int, note: str, turn: int, car: str) -> SeatTally:
    return SeatTally(Seat(name), place, score, note, turn, {"car": car})


GAMES = (
    GameTally(
        2,
        True,
        31,
        (seat("blue", 1, 40, "finished second", 2, "buggy"), seat("red", 2, 44, "finished first", 1, "van")),
        {"spent": 20, "stack-renewed": 2},
    ),
    GameTally(
        1,
        True,
        20,
        (seat("red", 1, 33, "finished first", 1, "buggy"), seat("blue", 2, 36, "not classified, 1 checkpoint", 2, "van")),
        {"spent": 12},
    ),
    GameTally(
        3, False, 50, (seat("red", 1, 90, "0 checkpoints", 2, "van"), seat("blue", 2, 91, "x", 1, "truck")), {"spent": 30}
    ),
    GameTally(4, True, 25, (seat("blue", 1, 30, "even", 1, "van"), seat("red", 1, 30, "even", 2, "buggy")), {"spent": 9}),
)
"""Four games, one of them unfinished, one shared."""


def test_lengths_and_results() -> None:
    found = statistics(GAMES)
    assert (found.games, found.unfinished) == (4, 1)
    assert found.orders == NumberSpread(least=20, median=25, mean="31.5", most=50)  # 126 / 4 = 31.5
    assert found.winning == NumberSpread(least=30, median=30, mean="33.3", most=40)  # 40, 33, 30 and 30: 33.25
    assert found.scores == NumberSpread(least=30, median=33, mean="35.5", most=44)  # 213 / 6 = 35.5


def test_wins_by_seat_by_turn_and_by_car_count_finished_games_only() -> None:
    found = statistics(GAMES)
    assert dict(found.wins) == {
        "seat": (WinShare("blue", 2, 3), WinShare("red", 2, 3)),
        "order of play": (WinShare("1", 2, 3), WinShare("2", 2, 3)),
        "car": (WinShare("buggy", 3, 3), WinShare("van", 1, 3)),
    }


def test_how_seats_ended_and_what_happened() -> None:
    found = statistics(GAMES)
    assert found.results == {"even": 2, "finished first": 2, "finished second": 1, "not classified, 1 checkpoint": 1}
    assert found.winners == {"even": 2, "finished first": 1, "finished second": 1}
    assert found.events == {"spent": EventCount(71, 4), "stack-renewed": EventCount(2, 1)}


def test_the_order_of_the_games_makes_no_difference() -> None:
    assert statistics(GAMES) == statistics(reversed(GAMES))


def test_the_text_tells_it() -> None:
    text = statistics_text(statistics(GAMES), ABOUT)
    assert text.startswith("Checkpoint Rally: 4 games, 1 of them unfinished\n")
    assert "orders" in text
    assert "31.5" in text
    assert [line.split() for line in text.splitlines() if line.startswith("buggy")] == [["buggy", "3", "3", "100.0"]]
    assert [line.split() for line in text.splitlines() if line.startswith("stack-renewed")] == [["stack-renewed", "2", "1"]]


def test_the_data_has_whole_numbers_and_words_only() -> None:
    data = json_value(simulation(statistics(GAMES), PLAN, 2))
    assert data["orders"] == {"least": 20, "median": 25, "mean": "31.5", "most": 50}
    assert (data["plan"]["seed"], data["audited"]) == (1, 2)
    assert data["wins"]["car"][1] == {"value": "van", "won": 1, "played": 3}
    assert data["events"]["stack-renewed"] == {"count": 2, "games": 1}


def test_games_of_which_none_is_finished() -> None:
    found = statistics(GAMES[2:3])
    assert found.winning is None
    assert simulation(found, PLAN, 0).winning is None
    assert "unfinished" in statistics_text(found, ABOUT)


@pytest.mark.parametrize(
    ("part", "whole", "words"), [(1, 3, "33.3"), (2, 3, "66.7"), (0, 0, "0.0"), (1, 1, "100.0"), (1, 16, "6.3")]
)
def test_percents_are_rounded_half_up(part: int, whole: int, words: str) -> None:
    assert percent(part, whole) == words


def test_a_played_game_is_counted_from_its_journal(plan: Callable[..., Plan]) -> None:
    played = play_game(plan(players=3), 1)
    tally = tally_game(played.session, 1)
    game = played.session.game
    assert tally.orders == 12 == len(game.journal) - 1
    assert sum(tally.events.values()) == sum(len(link.entry.events) for link in game.journal)
    assert sorted(seat.turn for seat in tally.seats) == [1, 2, 3]
    for seat in tally.seats:
        racer = game.state.racer(seat.seat)
        assert (seat.traits["car"], seat.score) == (racer.car, racer.minutes)


def test_a_plot_needs_its_extra_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    true_import = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return true_import(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(CannotPlotError, match=r"pip install 'pbem-adjudicator\[plot\]'"):
        require_plot(Path("games.png"))


def test_a_plot_is_png_or_svg() -> None:
    with pytest.raises(CannotPlotError, match=r"ends with \.png or \.svg"):
        require_plot(Path("games.pdf"))


@pytest.mark.parametrize(("name", "begins"), [("games.png", b"\x89PNG"), ("games.svg", b"<?xml")])
def test_a_plot_is_written_the_same_twice(tmp_path: Path, name: str, begins: bytes) -> None:
    pytest.importorskip("matplotlib")
    draw_plot(GAMES, ABOUT, tmp_path / name)
    data = (tmp_path / name).read_bytes()
    draw_plot(GAMES, ABOUT, tmp_path / name)
    assert data.startswith(begins)
    assert (tmp_path / name).read_bytes() == data
