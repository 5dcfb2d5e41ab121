"""Nothing costs more in a long game or a large archive: counted in calls, which are the same on every machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from counted import calls
from measuring.growth import adjudicating, archive, auditing, loading, long_game, one_more
from measuring.recorded import whole_games

from adjudicator.core import suggestions
from adjudicator.core.problem import MOST_PROBLEMS
from adjudicator.moderate.adjudicate import adjudicate_files
from adjudicator.store.save import dump_game

SHORT, LONG = 100, 400
FEW, MANY = 2, 8


@pytest.mark.parametrize("make", [adjudicating, auditing, loading], ids=lambda make: make.__name__)
def test_an_order_costs_the_same_in_a_game_four_times_as_long(make: object) -> None:
    short, long = (make(size, game := long_game(size), dump_game(game.after.game)) for size in (SHORT, LONG))  # type: ignore[operator]
    short.run(), long.run()  # what is built once is built by now
    assert calls(long.run) / LONG < 1.15 * calls(short.run) / SHORT


def test_one_more_order_costs_the_same_in_a_game_four_times_as_long() -> None:
    short, long = (one_more(size, long_game(size), b"") for size in (SHORT, LONG))
    short.run(), long.run()
    assert calls(long.run) < 1.2 * calls(short.run)


def test_a_game_costs_the_same_in_a_folder_four_times_as_large(tmp_path: Path) -> None:
    games = whole_games("checkered-flag", 2)
    few, many = (archive(tmp_path / str(size), games, size) for size in (FEW, MANY))
    few.run(), many.run()
    assert calls(many.run) / MANY < 1.05 * calls(few.run) / FEW


@pytest.mark.parametrize("tiles", [1_000, 10_000])
def test_suggestions_are_worked_out_only_for_the_problems_that_are_told(tiles: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real = suggestions.suggest
    monkeypatch.setattr(suggestions, "suggest", lambda written, *more: asked.append(written) or real(written, *more))
    text = "red:\n" + "".join(f"  DISCARD ZZ{number}\n" for number in range(tiles))
    result = adjudicate_files(long_game(0).before, [("t.txt", text.encode())])
    assert len(result.diagnostics) == MOST_PROBLEMS + 1
    assert len(asked) <= 2 * (MOST_PROBLEMS + 1)
