"""The tables of docs/benchmarks.md: printed with `-m benchmark`; in the usual tests each work is done once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from measuring import page, works, yardsticks
from measuring.clock import Measured, Work, measure, spread
from measuring.growth import by_games, long_game
from measuring.recorded import RULESETS, whole_games

HERE = Path(__file__).parent


@pytest.mark.benchmark
@pytest.mark.parametrize("part", ["adjudicate", "files", "commands", "players", "growth"])
def test_print_the_tables(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    sizes = ("--orders", "100,1000", "--games", "10,100")
    with capsys.disabled():
        yardsticks.run(str(HERE), "--rounds", "5", *sizes, "--only", part, out=sys.stdout)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_whole_game_of_every_ruleset_comes_out_of_its_text(ruleset: str) -> None:
    (game,) = whole_games(ruleset, 1)
    assert len(game.play().journal) == game.orders + 1 > 10
    works.adjudicating(ruleset, [game]).run()


def test_what_is_done_with_files_is_done() -> None:
    done = {work.name: work.run() for work in works.reading(whole_games("checkered-flag", 1))}
    assert set(done) == {"load", "load with care", "fold", "audit from bytes", "write"}


def test_a_work_is_measured_between_its_yardsticks() -> None:
    order: list[str] = []
    done = [Work(name, lambda name=name: order.append(name), 1) for name in ("a", "b")]
    measured = list(measure(done, [Work("y", lambda: order.append("y"), 1)], 2))
    assert order == ["y", "a", "y", "b", "y"] * 2
    assert [(len(each.seconds), len(each.beside["y"])) for each in measured] == [(2, 2), (2, 2)]


def test_a_ratio_is_made_round_by_round() -> None:
    """A machine that is ten times as slow in one round changes nothing."""
    measured = Measured(Work("a", lambda: None, 1), [2.0, 20.0, 2.2], {"y": [1.0, 10.0, 1.0]})
    assert measured.times("y").middle == 2.0
    assert measured.as_fast_as("y").middle == 0.5
    assert spread([1.0, 2.0, 3.0, 4.0, 5.0]) == page.Spread(3.0, 2.0, 4.0)
    assert spread([7.0]) == page.Spread(7.0, 7.0, 7.0)
    assert [page.told(spread(ratios)) for ratios in ([7.0], [1.0, 2.0, 3.0])] == ["7.00", "2.00 (1.50–2.50)"]


def test_the_tables_go_into_the_page_in_the_place_of_the_old_ones(tmp_path: Path) -> None:
    measured = Measured(Work("apply", lambda: None, 1), [0.2, 0.2], {"python": [0.01, 0.02]})
    table = page.costs("Commands", "A note.", [measured])
    kept = tmp_path / "page.md"
    kept.write_text(f"before\n{page.BEGIN}old\n{page.END}after\n", "utf-8")
    page.write([table], "python tests/benchmarks", kept)
    text = kept.read_text("utf-8")
    assert text.startswith(f"before\n{page.BEGIN}Measured 2")
    assert text.endswith(f"{page.END}after\n")
    assert "old" not in text
    assert "| apply |     200.0 | 15.0 (12.5–17.5) |" in text


def test_the_page_has_a_place_for_every_table() -> None:
    text = page.PAGE.read_text("utf-8")
    assert page.BEGIN in text
    assert page.END in text


def test_long_games_and_large_folders_are_what_they_say(tmp_path: Path) -> None:
    long = long_game(120)
    assert len(long.turns) == 2
    assert long.play().state == long.after.game.state
    ((size, measured),) = by_games(tmp_path, whole_games("checkered-flag", 1), [3], 1)
    assert (size, len(measured.seconds)) == (3, 1)
