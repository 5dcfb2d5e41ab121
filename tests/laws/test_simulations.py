"""Simulated games: the same for the same arguments, legal to the last order, loud about a bug; their statistics."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import Result

import adjudicator as adj
from adjudicator.archive.store import open_archive
from adjudicator.core.values import replace
from adjudicator.library.errors import CannotWrite
from adjudicator.library.rulesets import component_set
from adjudicator.simulate import (
    CannotPlotError,
    GameTally,
    Plan,
    draw_plot,
    require_plot,
    simulation_plan,
    statistics,
    tally_games,
)
from tests.drivers import toy

Run = Callable[..., Result]


def plan(**changes: Any) -> Plan:
    return simulation_plan(**{"ruleset": "checkpoint-rally", "games": 3, "players": 2, "most_orders": 12, **changes})


def games(**changes: Any) -> list[adj.Game]:
    changes = {"ruleset": "checkpoint-rally", "games": 2, "players": 2, "most_orders": 12, **changes}
    return list(adj.simulate_games(**changes))


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_the_same_arguments_give_the_same_bytes(tmp_path: Path, jobs: int) -> None:
    wanted = plan(games=11, players=3, player="mixed")
    first = list(tally_games(wanted, out=str(tmp_path / "one")))
    assert list(tally_games(wanted, out=str(tmp_path / "two"), jobs=jobs)) == first
    assert [tally.number for tally in first] == list(range(1, 12))
    assert written(tmp_path / "one") == written(tmp_path / "two")
    assert sorted(written(tmp_path / "one")) == [f"checkpoint-rally-{number:05d}.json" for number in range(1, 12)]


def test_more_games_of_a_seed_begin_with_the_same_games_and_another_seed_gives_others() -> None:
    few, many, other = games(), games(games=4), games(seed=2)
    assert [game.to_bytes() for game in many[:2]] == [game.to_bytes() for game in few]
    assert len({game.to_bytes() for game in [*many, *other]}) == 6


@pytest.mark.parametrize("player", ["random", "greedy", "mixed"])
@pytest.mark.parametrize("players", [2, 4])
def test_play_is_legal_and_audited(player: str, players: int) -> None:
    (game,) = games(games=1, players=players, player=player, most_orders=30)
    verdict = game.audit()
    assert (verdict.is_verified, verdict.orders, game.is_over) == (True, 30, False)
    holders = {"mixed": ["greedy", "random"] * 2}.get(player, [player] * 4)
    assert list(game.players.values()) == holders[:players]


def test_a_simulated_game_is_whole_and_its_script_plays_it_again(tmp_path: Path) -> None:
    for number, game in enumerate(adj.simulate_games("checkered-flag", 2, player="greedy", seed=3)):
        assert game.is_over
        game.save(tmp_path / f"{number}.json")
        played = adj.play_script(game.script(with_secret=True).text)
        assert played.game is not None
        assert (played.game.standings, played.problems, played.divergences) == (game.standings, (), ())
    assert [verdict.is_verified for verdict in adj.audit_files(tmp_path) if isinstance(verdict, adj.Verdict)] == [True] * 2


def test_the_first_step_of_an_order_may_end_the_game() -> None:
    with toy.offered(candidates=lambda self, at: (toy.Climb(3),)):
        for game in games(ruleset="toy-coins", options={"goal": "3"}):
            assert game.is_over
            assert [entry.order for entry in game.seen_by().log()] == ["", "CLIMB 3"]


def test_a_tally_says_what_the_log_says() -> None:
    wanted = {"options": {"layout": "cross", "car.red": "buggy"}, "players": 3}
    (game,), (tally,) = games(games=1, **wanted), tally_games(plan(games=1, **wanted))
    assert (tally.orders, tally.is_finished) == (12, False) == (len(game.seen_by().log()) - 1, game.is_over)
    assert sorted(seat.turn for seat in tally.seats) == [1, 2, 3]
    assert {seat.seat: seat.traits["car"] for seat in tally.seats}["red"] == "buggy"
    assert [(seat.seat, seat.place, seat.score, seat.note) for seat in tally.seats] == [
        (row.seat, row.place, row.score, row.note) for row in game.standings
    ]
    assert sum(tally.events.values()) == sum(len(entry["events"]) for entry in toy.entries(game))


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"players": 5}, "simulate/players"),
        ({"players": 1}, "simulate/players"),
        ({"games": 0}, "simulate/games"),
        ({"games": 10**7}, "simulate/games"),
        ({"player": "clever"}, "simulate/player"),
        ({"most_orders": 0}, "simulate/most-orders"),
        ({"options": {"layout": "spiral"}}, "core/bad-choice"),
        ({"options": {"no": "x"}}, "core/unknown-option"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_before_a_game_is_played(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(adj.SetupError) as caught:
        list(tally_games(plan(**changes)))
    assert [problem.code for problem in caught.value.problems] == [code]


def test_a_file_that_cannot_be_written_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "checkpoint-rally-00001.json").mkdir()
    with pytest.raises(CannotWrite) as caught:
        list(tally_games(plan(games=2, most_orders=2), out=str(tmp_path), force=True))
    assert caught.value.file == str(tmp_path / "checkpoint-rally-00001.json")


def test_a_resumed_run_keeps_what_is_over_and_gives_the_same_games(tmp_path: Path) -> None:
    wanted = plan(ruleset="checkered-flag", games=4, player="mixed", most_orders=5_000)
    all_of_them = tallies, _ = list(tally_games(wanted, out=str(tmp_path / "whole"))), written(tmp_path / "whole")
    out = tmp_path / "again"
    list(tally_games(replace(wanted, games=2), out=str(out)))
    next(tally_games(replace(wanted, most_orders=3), out=str(out), force=True))  # the first is not over
    before = {path: path.stat().st_mtime_ns for path in out.iterdir()}
    assert (list(tally_games(wanted, out=str(out), resume=True, audit=True)), written(out)) == all_of_them
    first, second = sorted(before)
    assert second.stat().st_mtime_ns == before[second]
    assert first.stat().st_mtime_ns != before[first]
    assert [tally.is_finished for tally in tallies] == [True] * 4
    assert list(tally_games(replace(wanted, games=5), out=str(out), resume=True))[:4] == tallies


@pytest.mark.parametrize("changes", [{"seed": 2}, {"player": "greedy"}, {"options": {"laps": "2"}}, {"most_orders": 4}])
def test_a_resumed_run_replaces_no_game_of_another_simulation(tmp_path: Path, changes: dict[str, Any]) -> None:
    wanted = {"ruleset": "checkered-flag", "most_orders": 8}
    list(tally_games(plan(**wanted), out=str(tmp_path)))
    before = written(tmp_path)
    with pytest.raises(CannotWrite, match=r"checkered-flag-00001\.json: this is not a game of this simulation"):
        list(tally_games(plan(**wanted | changes), out=str(tmp_path), resume=True))
    assert written(tmp_path) == before
    (tmp_path / "checkered-flag-00001.json").write_bytes(b"{}")
    with pytest.raises(adj.Untrusted, match=r"checkered-flag-00001\.json"):
        list(tally_games(plan(**wanted), out=str(tmp_path), resume=True))


def test_simulated_games_go_into_an_archive(run: Run) -> None:
    def packed() -> dict[str, Any]:
        with open_archive("g.adjudicator.db") as archive:
            return dict(archive.games())

    of = ("simulate", "checkered-flag", "--most-orders", 8)
    run(*of, "--games", 3, "-o", "g.adjudicator.db", code=0)
    run(*of, "--games", 3, "-o", "loose", code=0)
    assert packed() == written(Path("loose"))
    assert "use --force to replace g.adjudicator.db, which" in run(*of, "-o", "g.adjudicator.db", code=2).stderr
    again = (*of, "-o", "g.adjudicator.db", "--resume")
    assert run(*again, "--games", 5, code=0).stdout == run(*of, "--games", 5, "--jobs", 2, code=0).stdout
    assert "5 games: 5 verified" in run("audit", "g.adjudicator.db", code=0).stdout
    before = Path("g.adjudicator.db").read_bytes()
    assert "#checkered-flag-00001.json: this game was not over" in run(*again, "--most-orders", 9, code=2).stderr
    assert "checkered-flag-00001.json: this is not a game" in run(*again, "--seed", 9, code=2).stderr
    assert "g.adjudicator.db" in run(*of, "-o", "g.jsonl.zst", code=2).stderr
    assert Path("g.adjudicator.db").read_bytes() == before
    run(*of, "--games", 1, "-o", "g.adjudicator.db", "--force", code=0)
    assert "1 game: 1 verified" in run("audit", "g.adjudicator.db", code=0).stdout


def fault(*_: Any) -> Any:
    raise ZeroDivisionError("a bug")


@pytest.mark.parametrize(
    ("hooks", "said"),
    [
        ({"is_window": fault}, f"ZeroDivisionError: a bug ({__name__}, fault, line "),
        ({"legal": lambda *_: ()}, "IndexError: Cannot choose"),
    ],
)
def test_a_bug_in_the_rules_ends_the_run_with_the_number_of_the_game_and_its_seed(hooks: Any, said: str) -> None:
    with toy.offered(**hooks), pytest.raises(Exception, match=r"(?s)game 1 of .*--seed 5") as caught:
        list(tally_games(plan(ruleset="toy-coins", seed=5)))
    assert said in str(caught.value)


def seat(name: str, place: int, score: int, note: str, turn: int, car: str) -> Any:
    return SimpleNamespace(seat=name, place=place, score=score, note=note, turn=turn, traits={"car": car})


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


def spread(found: Any) -> tuple[Any, ...]:
    return (found.least, found.median, found.mean, found.most)


def test_lengths_wins_and_events_are_counted_as_by_hand() -> None:
    """The mean is rounded half up: 126 / 4, 133 / 4, 213 / 6. Only finished games have winners; two may share one."""
    found = statistics(GAMES)
    assert found == statistics(reversed(GAMES))
    assert (found.games, found.unfinished) == (4, 1)
    assert spread(found.orders) == (20, 25, "31.5", 50)
    assert spread(found.winning) == (30, 30, "33.3", 40)
    assert spread(found.scores) == (30, 33, "35.5", 44)
    assert {name: [(one.value, one.won, one.played) for one in shares] for name, shares in found.wins.items()} == {
        "seat": [("blue", 2, 3), ("red", 2, 3)],
        "order of play": [("1", 2, 3), ("2", 2, 3)],
        "car": [("buggy", 3, 3), ("van", 1, 3)],
    }
    assert found.results == {"even": 2, "finished first": 2, "finished second": 1, "not classified, 1 checkpoint": 1}
    assert found.winners == {"even": 2, "finished first": 1, "finished second": 1}
    assert {name: (one.count, one.games) for name, one in found.events.items()} == {
        "spent": (71, 4),
        "stack-renewed": (2, 1),
    }


@pytest.mark.parametrize(("scores", "mean"), [((-1, 0), "-0.5"), ((-3, 0), "-1.5"), ((-1, 1), "0.0"), ((-21, -20), "-20.5")])
def test_the_mean_of_scores_below_zero(scores: tuple[int, ...], mean: str) -> None:
    seats = tuple(seat(str(score), 1, score, "x", 1, "van") for score in scores)
    assert statistics([GameTally(1, True, 2, seats, {})]).scores.mean == mean  # type: ignore[union-attr]


def test_games_of_which_none_is_finished_have_no_winner() -> None:
    assert statistics(GAMES[2:3]).winning is None


def test_a_plot_needs_its_extra_and_is_png_or_svg(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotPlotError, match=r"ends with \.png or \.svg"):
        require_plot("games.pdf")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(CannotPlotError, match=r"pip install 'pbem-adjudicator\[plot\]'"):
        require_plot("games.png")


@pytest.mark.parametrize(("name", "begins"), [("games.png", b"\x89PNG"), ("games.svg", b"<?xml")])
def test_a_plot_is_written_the_same_twice(tmp_path: Path, name: str, begins: bytes) -> None:
    pytest.importorskip("matplotlib")
    drawn = []
    for _ in range(2):
        draw_plot(GAMES, component_set("checkpoint-rally").meta, tmp_path / name)
        drawn.append((tmp_path / name).read_bytes())
    assert drawn[0] == drawn[1]
    assert drawn[0].startswith(begins)
