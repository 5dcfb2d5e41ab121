"""Games simulated: the same for the same arguments, legal to the last order, audited, and loud about a bug."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from counted import calls

from adjudicator import processes
from adjudicator.audit.decide import audit_game
from adjudicator.core.problem import Problem, SetupError
from adjudicator.files.errors import CannotWrite
from adjudicator.rulesets import ruleset
from adjudicator.session import open_session
from adjudicator.simulate import plan, play, run
from adjudicator.simulate.plan import Plan, name_of, secret_of
from adjudicator.simulate.play import play_game
from adjudicator.simulate.run import Job, SimulationFaultError, simulate
from adjudicator.store.load import load_game
from adjudicator.store.save import dump_game

Make = Callable[..., Plan]


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.usefixtures("other_processes")
def test_the_same_arguments_give_the_same_bytes_in_this_process_and_in_two_others(
    plan: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = plan(games=18, players=3, player="mixed")
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    first = list(simulate(Job(wanted, one), 2))
    monkeypatch.setattr(processes, "is_alone", True)
    second = list(simulate(Job(wanted, two), 1))
    assert first == second
    assert [tally.number for tally in first] == list(range(1, 19))
    assert bytes_in(one) == bytes_in(two)
    assert sorted(bytes_in(one)) == [f"checkpoint-rally-{number:05d}.json" for number in range(1, 19)]


@pytest.mark.usefixtures("other_processes")
def test_a_file_that_cannot_be_written_ends_the_run(plan: Make, tmp_path: Path) -> None:
    (tmp_path / "checkpoint-rally-00001.json").mkdir()
    with pytest.raises(CannotWrite) as caught:
        list(simulate(Job(plan(games=2, most_orders=2), tmp_path), 2))
    assert caught.value.file == str(tmp_path / "checkpoint-rally-00001.json")


def test_more_games_of_a_seed_begin_with_the_same_games(plan: Make) -> None:
    few, many = plan(games=2), plan(games=9)
    assert dump_game(play_game(few, 2).session.game) == dump_game(play_game(many, 2).session.game)


def test_another_seed_or_number_gives_another_secret(plan: Make) -> None:
    secrets = {secret_of(plan(seed=seed), number) for seed in (-1, 0, 1, 11) for number in (1, 2, 11)}
    assert len(secrets) == 12


@pytest.mark.parametrize("player", ["random", "greedy", "mixed"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_is_legal_and_audited(plan: Make, player: str, players: int) -> None:
    """An order that the adjudicator does not take would end the run."""
    played = play_game(plan(players=players, player=player, most_orders=30), 1)
    game = load_game(dump_game(played.session.game))
    verdict = audit_game(open_session(game))
    assert verdict.divergence is None
    assert verdict.orders == played.orders == 30
    assert [seat.holder for seat in game.setup.players] == [plan_holder(player, at) for at in range(players)]


def plan_holder(player: str, at: int) -> str:
    return ("random", "greedy")[(1 + at) % 2] if player == "mixed" else player


def test_options_reach_the_game(plan: Make) -> None:
    played = play_game(plan(options={"layout": "cross", "car.red": "buggy"}), 1)
    assert played.session.game.setup.options["layout"] == "cross"
    assert played.session.game.state.racers[0].car == "buggy"


def test_a_game_that_is_too_long_is_left_unfinished(plan: Make) -> None:
    (tally,) = simulate(Job(plan(games=1, most_orders=5)))
    assert (tally.orders, tally.is_finished) == (5, False)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"players": 5}, "simulate/players"),
        ({"players": 1}, "simulate/players"),
        ({"games": 0}, "simulate/games"),
        ({"games": 10**7}, "simulate/games"),
        ({"player": "clever"}, "simulate/player"),
        ({"most_orders": 0}, "simulate/most-orders"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(plan: Make, changes: dict[str, Any], code: str) -> None:
    with pytest.raises(SetupError) as caught:
        list(simulate(Job(plan(**changes))))
    assert [problem.code for problem in caught.value.problems] == [code]


def test_options_that_make_no_sense_are_refused_before_a_game_is_played(plan: Make) -> None:
    with pytest.raises(SetupError):
        list(simulate(Job(plan(options={"layout": "spiral"}))))


def test_a_bug_in_the_rules_ends_the_run_with_the_number_of_the_game(plan: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Any:
        raise ZeroDivisionError("a bug")

    monkeypatch.setitem(play.PLAYERS, "random", broken)  # type: ignore[arg-type]
    with pytest.raises(SimulationFaultError, match=r"game 1 of .*--seed 1`: ZeroDivisionError: a bug") as caught:
        list(simulate(Job(plan())))
    assert "in broken" in caught.value.details


def test_an_order_that_is_refused_is_a_bug(plan: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = ruleset("checkpoint-rally")
    lying = rules.changed(check=lambda *_: Problem("checkpoint-rally/no", "no"))
    monkeypatch.setattr("adjudicator.begin.ruleset", lambda _id: lying)
    with pytest.raises(SimulationFaultError, match=r"FoulPlayError: order 1, .*: no"):
        list(simulate(Job(plan())))


def test_a_game_that_the_audit_does_not_verify_is_a_bug(plan: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudicator.verdict import Divergence, Kind, Verdict

    found = Verdict("", divergence=Divergence(Kind.EVENTS, 3, field="events[0].tile", recorded="H1", recomputed="H2"))
    monkeypatch.setattr(run, "audit_game", lambda _session: found)
    with pytest.raises(SimulationFaultError, match=r"DivergedError: events, entry 3, events\[0\].tile: recorded H1"):
        list(simulate(Job(plan(), is_audited=True)))


def test_names_sort_by_number(plan: Make) -> None:
    names = [name_of(plan(), number) for number in (1, 2, 10, 999, 10_000)]
    assert names == sorted(names)


def test_the_modules_have_no_clock_and_no_machine_in_them() -> None:
    for module in (plan, play, run):
        assert not {"time", "datetime", "os", "secrets"} & set(vars(module))


def test_an_order_costs_the_same_in_a_game_four_times_as_long(plan: Make) -> None:
    """Counted in calls: nothing is looked for in the whole journal again with each order."""
    short, long = plan(most_orders=100), plan(most_orders=400)
    play_game(short, 1)
    assert calls(lambda: play_game(long, 1)) / 400 < 1.1 * calls(lambda: play_game(short, 1)) / 100
